"""What tables of exponential sums leak whose rows have a part that is left, and the smallest delta
at a level, between bounds; of whole tables exactly.

With p, q the listed probabilities of an output given two secrets, and l_p, l_q what is left,

    leakage >= log max p / (q + l_q),
    sum max(0, p - e^eps q) - e^eps l_q <= delta(eps) <= sum max(0, p - e^eps q) + l_p,

because what is left of p adds at most l_p to delta, and what is left of q takes at most e^eps l_q
from it, wherever their outputs are. No finite upper bound of the leakage follows: an output that is
not listed may be possible given one secret alone. Signs are decided by normal forms: e^eps is
rational, or a rational power of e.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.partial_table import PartialTable
from pufferproof.models.noise.power_table import PowerTable, row_of
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.level import Level
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.laws import ordered_pairs
from pufferproof.verify.leakage.ratio import Leakage, Witness, nothing_to_check, scope
from pufferproof.verify.leakage.runs.bounded import KnownDelta

_BITS = 192
_NOTHING = ExponentialSum([])


class _Mixtures:
    """The listed probabilities of outputs given secrets, and what is left of them."""

    def __init__(self, framework: Framework, table: PartialTable) -> None:
        if framework.closure == "convex":
            raise ModelError(
                "mixtures of priors are audited for whole laws of rational probabilities, found "
                'others: expected "list"',
                "closure",
            )
        self.framework, self.table = framework, table
        self.rows = {x: row_of(table, framework.databases[x]) for x in framework.support}
        self._known: dict[tuple[str, str], list[ExponentialSum]] = {}

    def given(self, prior: str, secret: str) -> list[ExponentialSum]:
        """Return the listed probability of every output given a secret, and what is left."""
        if (prior, secret) not in self._known:
            law, mass = self.framework.laws[prior], self.framework.mass(prior, secret)
            sums = [_NOTHING] * (len(self.table.outputs) + 1)
            for x in self.framework.secrets[secret]:
                if law.weights[x]:
                    weight, row = Fraction(law.weights[x], mass), self.rows[x]
                    parts = (*self.table.entries[row], self.table.left[row])
                    sums = [a + b.scaled(weight) if b.terms else a for a, b in zip(sums, parts)]
            self._known[prior, secret] = sums
        return self._known[prior, secret]

    def pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield every prior and ordered pair of secrets that are possible under it."""
        for prior in self.framework.priors:
            for pair in ordered_pairs(self.framework, prior):
                yield prior, pair


def as_partial(table: PowerTable) -> PartialTable:
    """Return a table whose totals are 1 as one of which nothing is left. Raises `ModelError` for
    other totals.
    """
    if any(total.rational != 1 for total in table.totals):
        raise ModelError("goes with rational probabilities, found quotients", "delta")
    return PartialTable(
        table.databases, table.outputs, table.entries, (_NOTHING,) * len(table.databases)
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


def partial_leakage(framework: Framework, table: PartialTable) -> PartialRatio:
    """Return a lower bound of the leakage of a table of which something is left, and where it is
    reached.

    Raises `ModelError` unless every possible database has a row, priors are a list, and there is
    something to check.
    """
    from flint import ctx

    laws, checked = _Mixtures(framework, table), scope(framework, len(table.outputs))
    most = max(_ends(table.left[row])[1] for row in laws.rows.values())
    best, place = Fraction(0), None
    with ctx.workprec(_BITS):
        for prior, pair in laws.pairs():
            *above, _ = laws.given(prior, pair[0])
            *below, left = laws.given(prior, pair[1])
            for output, p, q in zip(table.outputs, above, below):
                rest = q + left
                if p.terms and not rest.terms:
                    infinite = Leakage.of(None), Witness(prior, pair, output), checked
                    return PartialRatio(*infinite, left=most)
                ratio = dyadic((p.ball() / rest.ball()).lower()) if p.terms else Fraction(0)
                if place is None or ratio > best:
                    best, place = ratio, Witness(prior, pair, output)
    if place is None:
        raise nothing_to_check()
    return PartialRatio(Leakage(max(best, Fraction(1)), None), place, checked, left=most)


@dataclass(frozen=True)
class _Place:
    """A prior and an ordered pair, and the bounds of delta there, as exponential sums."""

    prior: str
    pair: Pair
    lower: ExponentialSum
    upper: ExponentialSum
    outputs: tuple[str, ...] = field(repr=False)

    def ends(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of delta there."""
        lower, upper = _ends(self.lower)[0], _ends(self.upper)[1]
        return max(lower, Fraction(0)), min(upper, Fraction(1))


def _ends(value: ExponentialSum) -> tuple[Fraction, Fraction]:
    from flint import ctx

    if value.rational is not None:
        return value.rational, value.rational
    with ctx.workprec(_BITS):
        ball = value.ball()
        return dyadic(ball.lower()), dyadic(ball.upper())


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
        return widest.lower.rational if widest.lower == widest.upper else None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds."""
        lower = max(place.ends()[0] for place in self.places)
        return lower, max(lower, self._widest.ends()[1])

    def compare(self, bound: Fraction) -> int | None:
        """Return 1 if delta is more than a bound, and -1 or 0 if it is at most that, exactly; None
        if what is left could make it both.
        """
        number = ExponentialSum([(bound, ONE)])
        if any((place.lower - number).sign() > 0 for place in self.places):
            return 1
        return -1 if all((place.upper - number).sign() <= 0 for place in self.places) else None

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on: normal forms, whose signs balls tell."""
        return ("INTERVAL",)

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on: none, it enumerates the definition."""
        return self.claims


def partial_delta(framework: Framework, table: PartialTable, level: Level) -> PartialDelta:
    """Return the smallest delta at a level, of a table of which something may be left.

    >>> from pufferproof import Table
    >>> half = ExponentialSum([(Fraction(1, 2), ONE)])
    >>> table = PartialTable(("a", "b"), ("u",), ((half,), (half + half,)), (half, _NOTHING))
    >>> framework = Framework(
    ...     ["a", "b"],
    ...     {"s": ["a"], "t": ["b"]},
    ...     [("s", "t")],
    ...     {"theta": Table({"a": "1/2", "b": "1/2"})},
    ... )
    >>> partial_delta(framework, table, Level("0")).bounds()
    (Fraction(0, 1), Fraction(1, 2))

    Raises `ModelError` unless every possible database has a row, priors are a list, and there is
    something to check.
    """
    laws = _Mixtures(framework, table)
    places = tuple(_place(laws, prior, pair, level) for prior, pair in laws.pairs())
    if not places:
        raise nothing_to_check()
    return PartialDelta(level, places)


def _place(laws: _Mixtures, prior: str, pair: Pair, level: Level) -> _Place:
    *above, left = laws.given(prior, pair[0])
    *below, other = laws.given(prior, pair[1])
    whole, outputs = _NOTHING, []
    for output, p, q in zip(laws.table.outputs, above, below):
        difference = p - _times(level, q)  # p - e^eps q
        if difference.sign() > 0:
            whole += difference
            outputs.append(output)
    return _Place(prior, pair, whole - _times(level, other), whole + left, tuple(outputs))


def _times(level: Level, value: ExponentialSum) -> ExponentialSum:
    """Return e^epsilon times a sum."""
    if level.ratio is not None:
        return value.scaled(level.ratio)
    return value.scaled(Fraction(1), Power.exp(level.nats or Fraction(0)))
