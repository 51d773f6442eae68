"""Laws of integers without end, as tables that are listed as far as they are likely.

    poisson(mu)        e^-mu mu^k / k!
    geom(p)            p (1 - p)^(k - 1), k >= 1
    nbinom(n, p)       Gamma(k + n) / (Gamma(n) k!) p^n (1 - p)^k
    skellam(mu1, mu2)  e^-(mu1 + mu2) (mu1 / mu2)^(k / 2) I_|k|(2 sqrt(mu1 mu2))
    dlaplace(a)        tanh(a / 2) e^(-a |k|)

A table has lower bounds of the probabilities of the outputs that are likely given some database;
what is left of every row is at most 2^-100 of it, and is counted against whatever is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum

if TYPE_CHECKING:
    from flint import arb

_BITS = 256
_LEFT = Fraction(1, 1 << 100)
_MOST = 2_000


@dataclass(frozen=True)
class Unbounded:
    """A law by its name and its parameters, as above; its outputs moved by an integer."""

    name: str
    parameters: tuple[Fraction, ...]
    start: int = 0

    def moved(self, shift: int) -> "Unbounded":
        """Return the law of the sum with an integer."""
        return replace(self, start=self.start + shift)

    def at_least(self, k: int) -> Fraction:
        """Return a lower bound of P(k), within 2^-200 or so.

        >>> float(Unbounded("geom", (Fraction(1, 2),)).at_least(3))
        0.125
        """
        from flint import arb, ctx

        least, mass = _LAWS[self.name]
        place = k - self.start
        if least is not None and place < least:
            return Fraction(0)
        with ctx.workprec(_BITS):
            units = (mass(place, *self.parameters) * arb(2) ** _BITS).lower()
            return Fraction(int(dyadic(units)), 1 << _BITS) if units > 1 else Fraction(0)

    def never(self, k: int) -> bool:
        """Whether an output is below the least that is possible."""
        least, _ = _LAWS[self.name]
        return least is not None and k < self.start + least

    def reach(self) -> tuple[int, int]:
        """Return the first and the last output that are listed. Raises `TooLargeError` for more
        than 2,000.
        """
        least, _ = _LAWS[self.name]
        low = high = self.start + (least or 0)
        mass = self.at_least(low)
        while 1 - mass > _LEFT:
            if high - low >= _MOST:
                raise TooLargeError(
                    f"{self.name} has more than {_MOST} outputs that are likely: write it as a "
                    "program, f(database, rng), which audit takes with --trust-code",
                    "mechanism",
                )
            high += 1
            mass += self.at_least(high)
            if least is None:
                low -= 1
                mass += self.at_least(low)
        return low, high


def listed(laws: Mapping[str, Unbounded | Mapping[str, ExponentialSum]]) -> PartialTable:
    """Return the table of a law for every database: one without end, or output -> weight.

    >>> flip = Unbounded("geom", (Fraction(1, 2),))
    >>> listed({"a": flip, "b": flip.moved(1)}).outputs[:2]
    ('1', '2')
    """
    endless = {label: law for label, law in laws.items() if isinstance(law, Unbounded)}
    ends = [law.reach() for law in dict.fromkeys(endless.values())]
    numbers = range(min(low for low, _ in ends), max(high for _, high in ends) + 1)
    names = [str(k) for k in numbers]
    finite = [law for law in laws.values() if not isinstance(law, Unbounded)]
    more = dict.fromkeys(name for law in finite for name in law if name not in set(names))
    outputs = (*names, *more)
    rows = {law: _row(law, numbers, outputs) for law in endless.values()}
    nothing = ExponentialSum([])
    entries, totals, left = [], [], []
    for law in laws.values():
        if isinstance(law, Unbounded):
            row, rest, whole = *rows[law], ExponentialSum([(1, ONE)])
        else:
            row, rest = tuple(law.get(name, nothing) for name in outputs), nothing
            whole = sum(law.values(), start=nothing)
        entries.append(row)
        left.append(rest)
        totals.append(whole)
    impossible = {str(k): frozenset(label for label, law in endless.items() if law.never(k)) for k in numbers}
    impossible = {output: labels for output, labels in impossible.items() if labels}
    return PartialTable(tuple(laws), outputs, tuple(entries), tuple(left), totals=tuple(totals), impossible=impossible)


def geometric(values: Mapping[str, int], p: Fraction) -> PartialTable:
    """Return values plus the number of flips up to the first head, exactly: beyond all values the
    ratio of any two databases is constant, and outputs there are one.

    >>> table = geometric({"a": 0, "b": 2}, Fraction(1, 2))
    >>> table.outputs, [entry.rational for entry in table.entries[0]]
    (('1', '2', '>=3'), [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)])

    Raises `TooLargeError` where values are more than 2,000 apart.
    """
    least, most = min(values.values()), max(values.values())
    if most - least > _MOST:
        raise TooLargeError(f"values that are more than {_MOST} apart: expected fewer", "inputs")
    numbers = range(least + 1, most + 1)
    entries = []
    for value in values.values():
        masses = [p * (1 - p) ** (k - value - 1) if k > value else Fraction(0) for k in numbers]
        masses.append((1 - p) ** (most - value))
        entries.append(tuple(ExponentialSum([(mass, ONE)]) for mass in masses))
    outputs = (*map(str, numbers), f">={most + 1}")
    return PartialTable(tuple(values), outputs, tuple(entries), (ExponentialSum([]),) * len(values))


def _row(
    law: Unbounded, numbers: Sequence[int], outputs: Sequence[str]
) -> tuple[tuple[ExponentialSum, ...], ExponentialSum]:
    """Return lower bounds, 0 at outputs that are no integers of the table, and what is left."""
    masses = [law.at_least(k) for k in numbers]
    masses += [Fraction(0)] * (len(outputs) - len(masses))
    left = 1 - sum(masses, Fraction(0))
    return tuple(ExponentialSum([(mass, ONE)]) for mass in masses), ExponentialSum([(left, ONE)])


def _poisson(k: int, mean: Fraction) -> "arb":
    return (-ball(mean)).exp() * ball(mean) ** k / ball(Fraction(k + 1)).gamma()


def _geometric(k: int, p: Fraction) -> "arb":
    return ball(p) * ball(1 - p) ** (k - 1)


def _negative_binomial(k: int, n: Fraction, p: Fraction) -> "arb":
    ways = ball(k + n).gamma() / ball(n).gamma() / ball(Fraction(k + 1)).gamma()
    return ways * (ball(n) * ball(p).log()).exp() * ball(1 - p) ** k


def _skellam(k: int, one: Fraction, other: Fraction) -> "arb":
    a, b = ball(one), ball(other)
    order = ball(Fraction(abs(k)))
    bessel = (2 * (a * b).sqrt()).bessel_i(order)
    return (-(a + b)).exp() * (a / b).sqrt() ** k * bessel


def _discrete_laplace(k: int, rate: Fraction) -> "arb":
    return (ball(rate) / 2).tanh() * (-ball(rate) * abs(k)).exp()


_LAWS: dict[str, tuple[int | None, Callable[..., "arb"]]] = {
    "poisson": (0, _poisson),
    "geom": (1, _geometric),
    "nbinom": (0, _negative_binomial),
    "skellam": (None, _skellam),
    "dlaplace": (None, _discrete_laplace),
}
