"""Exact leakage of tables of exponential sums, over the listed priors.

    P(y | s) = sum over x in s of theta(x) entries[x][y] / totals[x],  over theta(s)

With the product of all totals of a pair that differ as a common denominator, numerator and
denominator of a ratio are exponential sums. Balls (Arb) sort the outputs; among those that could be
largest, normal forms decide ties, and any comparison with a level. A probability is 0 iff its
normal form is empty.
Where the common denominator is too long, or probabilities are those of Gaussian draws, whose ties
no normal form decides, the leakage is enclosed, and a level between its bounds is undecided.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from flint import arb, ctx, fmpz

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, added
from pufferproof.models.numbers.level import Level
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, scope
from pufferproof.verify.noise.ratio.listed import NoiseLeakage, RatioCandidate, decided, enclosed

RESTS_ON = ("noise.decided",)
_BITS = 256  # at first; they double until candidates are told apart
_MOST_PRODUCTS = 2_000  # of terms of the common denominator


@dataclass(frozen=True)
class _TablePlace:
    prior: str
    pair: Pair
    output: int


class TableLaws:
    """The likelihoods of a table under the priors of a framework."""

    def __init__(self, framework: Framework, table: PowerTable) -> None:
        self.framework, self.table = framework, table
        self.rows = {index: row_of(table, framework.databases[index]) for index in framework.support}
        self._balls: dict[tuple[str, str, int], arb] = {}
        self._shares: dict[tuple[int, int], arb] = {}
        self._wholes: dict[int, arb] = {}
        self._others: dict[tuple[str, Pair], dict[ExponentialSum, ExponentialSum]] = {}

    def weights(self, prior: str, secret: str) -> Iterator[tuple[Fraction, int]]:
        """Yield P(x | secret) and the row of every possible database x of a secret."""
        law, mass = self.framework.laws[prior], self.framework.mass(prior, secret)
        for index in self.framework.secrets[secret]:
            if law.weights[index]:
                yield Fraction(law.weights[index], mass), self.rows[index]

    def possible(self, prior: str, secret: str, output: int) -> bool:
        """Whether an output has positive probability given a secret."""
        return any(self.table.entries[row][output].terms for _, row in self.weights(prior, secret))

    def forget(self) -> None:
        """Forget enclosures, which were too wide."""
        self._balls.clear()
        self._shares.clear()
        self._wholes.clear()

    def ball(self, prior: str, secret: str, output: int) -> arb:
        """Enclose P(output | secret) at the present working precision."""
        key = (prior, secret, output)
        if key not in self._balls:
            value = arb(0)
            for weight, row in self.weights(prior, secret):
                share = arb(fmpz(weight.numerator)) / fmpz(weight.denominator)
                place = row, output
                if place not in self._shares:
                    if row not in self._wholes:
                        self._wholes[row] = self.table.totals[row].ball()
                    self._shares[place] = self.table.entries[row][output].ball() / self._wholes[row]
                value += share * self._shares[place]
            self._balls[key] = value
        return self._balls[key]

    def exact(self, prior: str, pair: Pair, output: int) -> tuple[ExponentialSum, ExponentialSum]:
        """Return P(output | secret) of both secrets of a pair, times the product of all totals that
        differ between their databases. Raises `TooLargeError` where that is long.
        """
        if (prior, pair) not in self._others:
            rows = [row for secret in pair for _, row in self.weights(prior, secret)]
            totals = dict.fromkeys(self.table.totals[row] for row in rows)
            self._others[prior, pair] = cofactors(list(totals))
        others, found = self._others[prior, pair], []
        for secret in pair:
            by_total: dict[ExponentialSum, ExponentialSum] = {}
            for weight, row in self.weights(prior, secret):
                total = self.table.totals[row]
                term = self.table.entries[row][output].scaled(weight)
                by_total[total] = by_total[total] + term if total in by_total else term
            found.append(added(part * others[total] for total, part in by_total.items()))
        return found[0], found[1]

    def candidate(self, place: _TablePlace) -> RatioCandidate:
        """Return the ratio at a place in normal form."""
        above, below = self.exact(place.prior, place.pair, place.output)
        return RatioCandidate(place.prior, place.pair, (Fraction(place.output),), above, below)


def cofactors(totals: Sequence[ExponentialSum]) -> dict[ExponentialSum, ExponentialSum]:
    """Return for every total the product of the others. Raises `TooLargeError` if it is long."""
    one = ExponentialSum([(1, ONE)])
    before, after = (list(accumulate(each, _limited_product, initial=one)) for each in (totals[:-1], totals[:0:-1]))
    pairs = zip(before, after[::-1])
    return {total: _limited_product(*pair) for total, pair in zip(totals, pairs)}


def _limited_product(one: ExponentialSum, other: ExponentialSum) -> ExponentialSum:
    if (terms := len(one.terms) * len(other.terms)) > _MOST_PRODUCTS:
        raise TooLargeError(
            f"rows have denominators of their own, with {terms} terms together: expected at most {_MOST_PRODUCTS}",
            "mechanism",
        )
    return one * other


@dataclass(frozen=True)
class EnclosedTableRatio(LargestRatio):
    """A leakage that is known by bounds only: a level between them is undecided."""

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on."""
        return ("INTERVAL",)


def table_leakage(framework: Framework, table: PowerTable) -> LargestRatio:
    """Return the largest ratio of likelihoods of a table, and the first place that reaches it.

    >>> from pufferproof import Level, Table
    >>> from pufferproof.models.noise.tables.powers import table_of
    >>> from pufferproof.models.numbers.exponential_sums import Power
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> one, e = (ExponentialSum([(1, Power.exp(Fraction(k)))]) for k in (0, 1))
    >>> coin = table_of({"a": {"a": e, "b": one}, "b": {"a": one, "b": e}})
    >>> table_leakage(framework, coin).compare(Level("1"))
    0

    Raises `ModelError` unless every possible database has a row, priors are a list, and there is
    something to check.
    """
    if framework.closure == "convex":
        raise ModelError(
            "mixtures of priors are audited for rational mechanisms, found probabilities that are "
            'not rational: expected "list"',
            "closure",
        )
    checked, laws = scope(framework, len(table.outputs)), TableLaws(framework, table)
    places = list(_places(laws))
    for place in places:
        if not laws.possible(place.prior, place.pair[1], place.output):
            return LargestRatio(Leakage.of(None), _witness(table, place), checked)
    if all(type(entry) is ExponentialSum for row in table.entries for entry in row):
        return ask((_told_apart, _enclosed), _TableQuestion(laws, places, checked)).expect()
    unequal = [place for place in places if not laws.candidate(place).alike]
    if not unequal:
        return LargestRatio(Leakage.of(Fraction(1)), _witness(table, places[0]), checked)
    return _enclosed(_TableQuestion(laws, unequal, checked))


@dataclass(frozen=True)
class _TableQuestion:
    """The largest ratio at some places, all of them finite."""

    laws: TableLaws
    places: list[_TablePlace]
    checked: Scope


def _told_apart(question: _TableQuestion) -> NoiseLeakage:
    """Return the largest ratio in normal form."""
    laws = question.laws
    candidates = [laws.candidate(place) for place in _largest(laws, question.places)]
    bits = _enough_bits(candidates)
    best = decided(candidates, bits)
    first = best[0]
    witness = Witness(first.prior, first.pair, laws.table.outputs[int(first.output[0])])
    checked = question.checked
    return NoiseLeakage(enclosed(best, bits), witness, checked, tuple(best), claims=RESTS_ON)


def _places(laws: TableLaws) -> Iterator[_TablePlace]:
    """Yield every place whose numerator is positive."""
    for prior in laws.framework.priors:
        for pair in ordered_pairs(laws.framework, prior):
            for output in range(len(laws.table.outputs)):
                if laws.possible(prior, pair[0], output):
                    yield _TablePlace(prior, pair, output)


def _largest(laws: TableLaws, places: list[_TablePlace]) -> list[_TablePlace]:
    """Return the places whose ratio could be the largest, as balls tell."""
    bits = _BITS
    while True:
        with ctx.workprec(bits):
            sides = [[laws.ball(place.prior, secret, place.output) for secret in place.pair] for place in places]
            if all(above > 0 and below > 0 for above, below in sides):
                ratios = [above / below for above, below in sides]
                floor = max((ratio.lower() for ratio in ratios), key=dyadic)
                return [place for place, ratio in zip(places, ratios) if ratio.upper() >= floor]
        laws.forget()
        bits *= 2


def _enclosed(question: _TableQuestion) -> EnclosedTableRatio:
    """Return bounds of the largest ratio whose logarithms have a width of at most 2^-90."""
    laws, places, bits = question.laws, question.places, 2 * _BITS
    while True:
        laws.forget()
        with ctx.workprec(bits):
            sides = [[laws.ball(place.prior, secret, place.output) for secret in place.pair] for place in places]
            if all(above > 0 and below > 0 for above, below in sides):
                ratios = [above / below for above, below in sides]
                lower, place = max(
                    ((dyadic(ratio.lower()), index) for index, ratio in enumerate(ratios)),
                    key=lambda entry: (entry[0], -entry[1]),
                )
                upper = max(dyadic(ratio.upper()) for ratio in ratios)
                if lower > 0 and upper - lower <= lower / (1 << 90):
                    witness = _witness(laws.table, places[place])
                    return EnclosedTableRatio(Leakage(lower, upper), witness, question.checked)
        bits *= 2


def _enough_bits(candidates: list[RatioCandidate]) -> int:
    """Return a precision at which balls show that all numerators and denominators are positive."""
    bits = _BITS
    while True:
        with ctx.workprec(bits):
            if all(candidate.above.ball() > 0 and candidate.below.ball() > 0 for candidate in candidates):
                return bits
        bits *= 2


def _witness(table: PowerTable, place: _TablePlace) -> Witness:
    return Witness(place.prior, place.pair, table.outputs[place.output])
