"""What tables of exponential sums leak whose rows have a part that is left, and the smallest delta
at a level, between bounds; of whole tables exactly.

With p, q the listed probabilities of an output given two secrets, and l_p, l_q what is left,

    leakage >= log max p / (q + l_q),
    sum max(0, p - e^eps q) - e^eps l_q <= delta(eps) <= sum max(0, p - e^eps q) + l_p,

because what is left of p adds at most l_p to delta, and what is left of q takes at most e^eps l_q
from it; nothing from outputs that are impossible given the other secret. At such an output that is
listed the leakage is infinite; else no upper bound follows. Signs are decided by normal forms:
e^eps is rational, or a rational power of e.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from flint import arb, ctx, fmpq, fmpz

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.listing import Pair
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power, Quotient, added
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, rational, summed
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, most_of, nothing_to_check, scope
from pufferproof.verify.leakage.runs.parts import KnownDelta
from pufferproof.verify.noise.ratio.densities import Facing, Peak, excess, overlaps
from pufferproof.verify.noise.ratio.listed import NoiseLeakage, RatioCandidate, decided, enclosed

_BITS = 192
_NOTHING, _NONE = ExponentialSum([]), Fraction(0)


class Mixtures:
    """The listed probabilities of outputs given secrets, and what is left of them; of one prior and pair, or of all."""

    def __init__(self, framework: Framework, table: PartialTable, only: tuple[str, Pair] | None = None) -> None:
        if framework.closure == "convex":
            raise ModelError(
                "mixtures of priors are audited for whole laws of rational probabilities, found "
                'others: expected "list"',
                "closure",
            )
        self.framework, self.table = framework, table
        needed = framework.support
        if only is not None:
            prior, pair = only
            weights = framework.laws[prior].weights
            listed = dict.fromkeys(x for secret in pair for x in framework.secrets[secret])
            needed = frozenset(x for x in listed if weights[x])
        self.rows = {x: row_of(table, framework.databases[x]) for x in needed}
        self._total = {row: table.total(row) for row in self.rows.values()}
        self.facing: list[tuple[str, Pair, str, Facing]] = []  # densities that were compared
        self._densities: dict[tuple[str, str, str], Piecewise] = {}
        self._known: dict[tuple[str, str], list[ExponentialSum]] = {}

    @cached_property
    def _others(self) -> dict[ExponentialSum, ExponentialSum]:
        return cofactors(list(dict.fromkeys(self._total.values())))

    @cached_property
    def whole(self) -> ExponentialSum:
        """What all probabilities and densities are multiplied by."""
        total, others = next(iter(self._others.items()))
        return total * others

    def given(self, prior: str, secret: str) -> list[ExponentialSum]:
        """Return the listed probability of every output given a secret, and what is left."""
        if (prior, secret) not in self._known:
            law, mass = self.framework.laws[prior], self.framework.mass(prior, secret)
            nothing = [_NOTHING] * (len(self.table.outputs) + 1)
            by_total: dict[ExponentialSum, list[ExponentialSum]] = {}
            for x in self.framework.secrets[secret]:
                if law.weights[x]:
                    weight, row = Fraction(law.weights[x], mass), self.rows[x]
                    parts = (*self.table.entries[row], self.table.left[row])
                    sums = by_total.setdefault(self._total[row], nothing)
                    by_total[self._total[row]] = [a + b.scaled(weight) if b.terms else a for a, b in zip(sums, parts)]
            sums = nothing
            for total, own in by_total.items():
                sums = [a + b * self._others[total] if b.terms else a for a, b in zip(sums, own)]
            self._known[prior, secret] = sums
        return self._known[prior, secret]

    def density(self, prior: str, secret: str, output: str) -> Piecewise:
        """Return the density of the number in an output given a secret."""
        key = prior, secret, output
        if key not in self._densities:
            law, mass = self.framework.laws[prior], self.framework.mass(prior, secret)
            shares: dict[int, Fraction] = {}  # of rows that are different
            rows = {}
            for x in self.framework.secrets[secret]:
                if law.weights[x]:
                    own = id(self.table.densities[output][self.rows[x]])
                    rows[own] = self.rows[x]
                    shares[own] = shares.get(own, _NONE) + Fraction(law.weights[x], mass)
            self._densities[key] = summed(
                segment
                for own, weight in shares.items()
                for segment in self._scaled(rows[own], output, weight).segments
            )
        return self._densities[key]

    def _scaled(self, row: int, output: str, weight: Fraction) -> Piecewise:
        """Return the density of a row, times a weight and the denominator."""
        factor = self._others[self._total[row]].scaled(weight)
        return self.table.densities[output][row].scaled(ExponentialPolynomial.of_sum(factor))

    def candidates(self, prior: str, pair: Pair) -> Iterator["_Candidate"]:
        """Yield the ratios of a pair that may be the largest, or lower bounds of them if something
        is left: then a number counts as a whole. Of numbers, those at ends of pieces.
        """
        *above, _ = self.given(prior, pair[0])
        *below, left = self.given(prior, pair[1])
        for output, p, q in zip(self.table.outputs, above, below):
            if output in self.table.densities and not left.terms:
                yield from self._of_number(prior, pair, output)
            elif p.terms:
                least = _NOTHING if self.impossible(prior, pair[1], output) else q + left
                yield _Candidate(prior, pair, output, Peak("", p, least))

    def impossible(self, prior: str, secret: str, output: str) -> bool:
        """Whether an output is impossible given all databases of a secret."""
        nowhere, weights = self.table.impossible.get(output), self.framework.laws[prior].weights
        return nowhere is not None and all(
            self.framework.databases[x] in nowhere for x in self.framework.secrets[secret] if weights[x]
        )

    def _of_number(self, prior: str, pair: Pair, output: str) -> Iterator["_Candidate"]:
        first, second = (self.density(prior, secret, output) for secret in pair)
        for low, high, p, q in overlaps(first, second):
            if q is None or not q.terms:
                one = ExponentialSum([(1, ONE)])
                yield _Candidate(prior, pair, output, Peak("", one, _NOTHING))
                return
            facing = Facing(p, q, low, high)
            for peak in facing.at_ends():
                yield _Candidate(prior, pair, f"{output} at {peak.place}", peak)
            self.facing.append((prior, pair, output, facing))

    def inside(self, ratio: Fraction) -> Iterator["_Candidate"]:
        """Yield bounds of ratios of densities between ends, where they may be above a ratio."""
        for prior, pair, output, facing in self.facing:
            if not facing.stays_below(ratio):
                for peak in facing.inside():
                    yield _Candidate(prior, pair, f"{output} at {peak.place}", peak)

    def excesses(self, prior: str, pair: Pair, level: Level) -> Iterator[tuple[str, Fraction, Fraction]]:
        """Yield bounds of what the density of a number has above e^epsilon times another."""
        for output in self.table.densities:
            first, second = (self.density(prior, secret, output) for secret in pair)
            for low, high, p, q in overlaps(first, second):
                difference = p if q is None else p - stretched(level, q)
                yield output, *excess(difference, low, high)

    def pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield every prior and ordered pair of secrets that are possible under it."""
        for prior in self.framework.priors:
            for pair in ordered_pairs(self.framework, prior):
                yield prior, pair


def as_partial(table: PowerTable | Channel) -> PartialTable:
    """Return a table as one of which nothing is left."""
    whole = PowerTable.of_channel(table) if isinstance(table, Channel) else table
    return PartialTable(
        whole.databases,
        whole.outputs,
        whole.entries,
        (_NOTHING,) * len(whole.databases),
        parts_of=whole.parts_of,
        totals=whole.totals,
    )


@dataclass(frozen=True)
class PartialRatio(LargestRatio):
    """A leakage that is known from below, because some outputs are not listed; `left` is the
    largest probability that they have given a database, from above.
    """

    left: Fraction = field(default=Fraction(0), kw_only=True)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on."""
        return ("INTERVAL",)


def partial_leakage(framework: Framework, table: PartialTable) -> LargestRatio:
    """Return the leakage of a table, with the number in an output by its density, and where it is
    reached; a lower bound if something of the table is left.

    Raises `ModelError` unless every possible database has a row, priors are a list, and there is
    something to check.
    """

    from pufferproof.verify.noise.ratio.shaped import NormalLaws, places

    if isinstance(table, NormalTable):
        densities, outputs = NormalLaws(framework, table), scope(framework, len(table.outputs))
        peaks = [
            _Candidate(prior, pair, output, peak)
            for prior, pair in densities.pairs()
            for output, peak in places(densities, prior, pair)
        ]
        if not peaks:
            raise nothing_to_check()
        endless = next((each for each in peaks if each.peak.infinite), None)
        if endless is not None:
            return PartialRatio(Leakage.of(None), endless.witness, outputs)
        return _largest(peaks, outputs, _NONE)
    laws, checked = Mixtures(framework, table), scope(framework, len(table.outputs))
    most = max(Quotient(table.left[row], table.total(row)).bounds(_BITS)[1] for row in laws.rows.values())
    candidates = [each for prior, pair in laws.pairs() for each in laws.candidates(prior, pair)]
    if not candidates:
        raise nothing_to_check()
    for each in candidates:
        if each.peak.infinite:
            return PartialRatio(Leakage.of(None), each.witness, checked, left=most)
    with ctx.workprec(_BITS):
        lower = max(candidate.ends()[0] for candidate in candidates)
    return _largest([*candidates, *laws.inside(lower)], checked, most)


@dataclass(frozen=True)
class _Candidate:
    """A ratio at a prior, an ordered pair and an output."""

    prior: str
    pair: Pair
    output: str
    peak: Peak

    @property
    def witness(self) -> Witness:
        return Witness(self.prior, self.pair, self.output)

    def ends(self) -> tuple[Fraction, Fraction | None]:
        """Return rational bounds of the ratio."""
        peak = self.peak
        if peak.above is None or peak.below is None:
            return peak.lower, peak.upper
        ball = peak.above.ball() / peak.below.ball()
        return dyadic(ball.lower()), dyadic(ball.upper())

    def exact(self) -> RatioCandidate | None:
        """Return the ratio in normal form, if it is known so."""
        if self.peak.above is None or self.peak.below is None:
            return None
        return RatioCandidate(self.prior, self.pair, (), self.peak.above, self.peak.below)


def _largest(candidates: list[_Candidate], checked: Scope, left: Fraction) -> LargestRatio:
    """Return the largest of some finite ratios: exactly if it is one that is exact."""
    with ctx.workprec(_BITS):
        ends = [candidate.ends() for candidate in candidates]
    lower, place = max((low, -i) for i, (low, _) in enumerate(ends))
    first = candidates[-place]
    near = [c for c, (_, high) in zip(candidates, ends) if high is None or high >= lower]
    if left:
        return PartialRatio(Leakage(max(lower, Fraction(1)), None), first.witness, checked, left=left)
    exact = [(ratio, c.witness) for c in near if (ratio := c.exact()) is not None]
    if len(exact) == len(near):
        best = decided([ratio for ratio, _ in exact], _BITS)
        witness = next(witness for ratio, witness in exact if ratio is best[0])
        return NoiseLeakage(enclosed(best, _BITS), witness, checked, tuple(best), claims=())
    upper = most_of([high for _, high in ends])
    return PartialRatio(Leakage(lower, upper), first.witness, checked)


@dataclass(frozen=True)
class _Place:
    """A prior and an ordered pair, and the bounds of delta there, as exponential sums over another one."""

    prior: str
    pair: Pair
    lower: ExponentialSum
    upper: ExponentialSum
    whole: ExponentialSum
    outputs: tuple[str, ...] = field(repr=False)
    numbers: tuple[Fraction, Fraction] | None = None  # what densities add

    def ends(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of delta there."""
        lower = Quotient(self.lower, self.whole).bounds(_BITS)[0]
        upper = Quotient(self.upper, self.whole).bounds(_BITS)[1]
        low, high = self.numbers or (Fraction(0), Fraction(0))
        return max(lower + low, Fraction(0)), min(upper + high, Fraction(1))

    def signs(self, bound: Fraction) -> tuple[int, int]:
        """Return the signs of both bounds minus a number; 0 is within the bounds."""
        if self.numbers is not None:
            lower, upper = self.ends()
            return (lower > bound) - (lower < bound), (upper > bound) - (upper < bound)
        number = self.whole.scaled(bound)
        return (self.lower - number).sign(), (self.upper - number).sign()


@dataclass(frozen=True, repr=False)
class PartialDelta(KnownDelta):
    """The smallest delta of a table at a level: bounds that differ if something of it is left."""

    level: Level
    places: tuple[_Place, ...]
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

    @cached_property
    def _widest(self) -> _Place:
        return max(self.places, key=lambda place: place.ends()[1])

    @property
    def prior(self) -> str:  # type: ignore[override]
        """The prior of the largest upper bound."""
        return self._widest.prior

    @property
    def pair(self) -> Pair:  # type: ignore[override]
        """The pair of the largest upper bound."""
        return self._widest.pair

    @property
    def outputs(self) -> tuple[str, ...]:  # type: ignore[override]
        """The listed outputs that delta counts there."""
        return self._widest.outputs

    @property
    def value(self) -> Fraction | None:
        """Delta when it is a known rational, else None."""
        widest = self._widest
        known = widest.lower == widest.upper and widest.numbers is None
        return Quotient(widest.lower, widest.whole).rational if known else None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        lower = max(place.ends()[0] for place in self.places)
        return lower, max(lower, self._widest.ends()[1])

    def compare(self, bound: Fraction) -> int | None:
        """Return 1 if delta is more than a bound, and -1 or 0 if it is at most that, exactly; None
        if what is left could make it both.
        """
        signs = [place.signs(bound) for place in self.places]
        if any(lower > 0 for lower, _ in signs):
            return 1
        return -1 if all(upper <= 0 for _, upper in signs) else None

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on: normal forms, whose signs balls tell."""
        return ("INTERVAL",)

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on: none, it enumerates the definition."""
        return self.claims


def partial_delta(framework: Framework, table: PartialTable | PowerTable, level: Level) -> PartialDelta:
    """Return the smallest delta at a level, of a table of which something may be left.

    >>> from pufferproof import Table
    >>> half = ExponentialSum([(Fraction(1, 2), ONE)])
    >>> table = PartialTable(("a", "b"), ("u",), ((half,), (half + half,)), (half, _NOTHING))
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> partial_delta(framework, table, Level("0")).bounds()
    (Fraction(0, 1), Fraction(1, 2))

    Raises `ModelError` unless every possible database has a row, priors are a list, and there is
    something to check.
    """

    from pufferproof.verify.noise.ratio.shaped import NormalLaws, density_delta

    if isinstance(table, NormalTable) and not table.rounded:
        # Gaussian noise that is clamped, hidden, or of its own per database
        densities, whole = NormalLaws(framework, table), ExponentialSum([(1, ONE)])
        found = []
        for prior, pair in steps(list(densities.pairs()), "pairs"):
            bounds, outputs = density_delta(densities, prior, pair, level)
            found.append(_Place(prior, pair, _NOTHING, _NOTHING, whole, outputs, bounds))
        if not found:
            raise nothing_to_check()
        return PartialDelta(level, tuple(found))
    known = as_partial(table) if isinstance(table, PowerTable) else table
    laws = Mixtures(framework, known)
    pairs = list(laws.pairs())
    if not pairs:
        raise nothing_to_check()
    try:
        places = tuple(_place(laws, *each, level) for each in pairs)
    except TooLargeError:  # over a common denominator of all rows
        places = tuple(_place(Mixtures(framework, known, each), *each, level) for each in pairs)
    return PartialDelta(level, places)


def _place(laws: Mixtures, prior: str, pair: Pair, level: Level) -> _Place:
    *above, left = laws.given(prior, pair[0])
    *below, other = laws.given(prior, pair[1])
    parts, alone = list[ExponentialSum](), list[ExponentialSum]()
    outputs = list[str]()
    for output, p, q in zip(laws.table.outputs, above, below):
        if output in laws.table.densities:
            continue
        difference = p - _times(level, q)  # p - e^eps q
        if difference.sign() > 0:
            never = laws.impossible(prior, pair[1], output)
            (alone if never else parts).append(difference)
            outputs.append(output)
    sure, shared = added(alone), added(parts)
    rest = shared - _times(level, other)
    only = bool(alone) and rest.sign() < 0  # what is sure alone is the better lower bound
    ends = sure + (_NOTHING if only else rest), sure + shared + left
    if not laws.table.densities:
        return _Place(prior, pair, *ends, laws.whole, tuple(outputs))
    extra = list(laws.excesses(prior, pair, level))
    least, most = laws.whole.bounds(_BITS)
    low = _NONE if only else sum((each for _, each, _ in extra), _NONE)
    high = sum((each for *_, each in extra), _NONE)
    numbers = low / most, high / least
    outputs += dict.fromkeys(output for output, low, _ in extra if low)
    return _Place(prior, pair, *ends, laws.whole, tuple(outputs), numbers)


def stretched(level: Level, f: ExponentialPolynomial) -> ExponentialPolynomial:
    """Return e^epsilon times a function."""
    if level.ratio is not None:
        return f.scaled(rational(level.ratio))
    nats = level.nats or Fraction(0)
    factor = ExponentialPolynomial(1, {(0, 0, nats.numerator): fmpq(1)}, nats.denominator)
    return f * factor


def _times(level: Level, value: ExponentialSum) -> ExponentialSum:
    """Return e^epsilon times a sum."""
    if level.ratio is not None:
        return value.scaled(level.ratio)
    return value.scaled(Fraction(1), Power.exp(level.nats or Fraction(0)))


# Exact leakage of tables of exponential sums, over the listed priors.
#
#     P(y | s) = sum over x in s of theta(x) entries[x][y] / totals[x],  over theta(s)
#
# With the product of all totals of a pair that differ as a common denominator, numerator and denominator of a ratio
# are exponential sums. Balls (Arb) sort the outputs; among those that could be largest, normal forms decide ties, and
# any comparison with a level. A probability is 0 iff its normal form is empty. Where the common denominator is too
# long, or probabilities are those of Gaussian draws, whose ties no normal form decides, the leakage is enclosed, and
# a level between its bounds is undecided.

RESTS_ON = ("noise.decided",)
_TABLE_BITS = 256  # at first; they double until candidates are told apart
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
    candidates = [laws.candidate(place) for place in _largest_places(laws, question.places)]
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


def _largest_places(laws: TableLaws, places: list[_TablePlace]) -> list[_TablePlace]:
    """Return the places whose ratio could be the largest, as balls tell."""
    bits = _TABLE_BITS
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
    laws, places, bits = question.laws, question.places, 2 * _TABLE_BITS
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
    bits = _TABLE_BITS
    while True:
        with ctx.workprec(bits):
            if all(candidate.above.ball() > 0 and candidate.below.ball() > 0 for candidate in candidates):
                return bits
        bits *= 2


def _witness(table: PowerTable, place: _TablePlace) -> Witness:
    return Witness(place.prior, place.pair, table.outputs[place.output])
