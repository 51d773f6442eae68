"""Noise on a number that is bounded, reflected, uniform or a staircase: one output with a density.

    conditioned:  draws again until low <= F(x) + Z <= high
    folded:       reflects F(x) + Z at both ends of [low, high] until it lies within
    staircase:    sign (G + U) D, G geometric of e^-epsilon, U uniform on the first gamma of a step,
                  or, less likely by e^-epsilon, on the rest (Geng & Viswanath 2014)
    canonical:    D Z, where Z + 1 and Z have the tradeoff curve of (epsilon, delta) (Awan & Vadhan
                  2023, Definition 3.7)

The images of a Laplace density under reflections at both ends are a geometric series. Beyond all
values a staircase falls by e^-epsilon with every step, for every database: what lies there is told
by its place within a step alone, and is one step. The tables have exact totals, and nothing left.
Laws of integers without end are listed as far as they are likely.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, Segment, rational, summed

if TYPE_CHECKING:
    from flint import arb, fmpq

# Laws of integers without end, as tables that are listed as far as they are likely.
#
#     poisson(mu)        e^-mu mu^k / k!
#     geom(p)            p (1 - p)^(k - 1), k >= 1
#     nbinom(n, p)       Gamma(k + n) / (Gamma(n) k!) p^n (1 - p)^k
#     skellam(mu1, mu2)  e^-(mu1 + mu2) (mu1 / mu2)^(k / 2) I_|k|(2 sqrt(mu1 mu2))
#     dlaplace(a)        tanh(a / 2) e^(-a |k|)
#
# A table has lower bounds of the probabilities of the outputs that are likely given some database; what is left of
# every row is at most 2^-100 of it, and is counted against whatever is asked.

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
    for given in laws.values():
        if isinstance(given, Unbounded):
            row, rest, whole = *rows[given], ExponentialSum([(1, ONE)])
        else:
            row, rest = tuple(given.get(name, nothing) for name in outputs), nothing
            whole = sum(given.values(), start=nothing)
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


def _negative_binomial(k: int, n: Fraction, p: Fraction) -> "arb":
    ways = ball(k + n).gamma() / ball(n).gamma() / ball(Fraction(k + 1)).gamma()
    return ways * (ball(n) * ball(p).log()).exp() * ball(1 - p) ** k


def _skellam(k: int, one: Fraction, other: Fraction) -> "arb":
    a, b = ball(one), ball(other)
    order = ball(Fraction(abs(k)))
    bessel = (2 * (a * b).sqrt()).bessel_i(order)
    return (-(a + b)).exp() * (a / b).sqrt() ** k * bessel


_LAWS: dict[str, tuple[int | None, Callable[..., "arb"]]] = {
    "poisson": (0, lambda k, mean: (-ball(mean)).exp() * ball(mean) ** k / ball(Fraction(k + 1)).gamma()),
    "geom": (1, lambda k, p: ball(p) * ball(1 - p) ** (k - 1)),
    "nbinom": (0, _negative_binomial),
    "skellam": (None, _skellam),
    "dlaplace": (None, lambda k, rate: (ball(rate) / 2).tanh() * (-ball(rate) * abs(k)).exp()),
}


NUMBER = "number"
_MOST_STEPS = 1_000
_NOTHING = ExponentialSum([])


def of_numbers(values: Mapping[str, Fraction], density: Callable[[Fraction], Piecewise]) -> PartialTable:
    """Return the table of a number that is drawn, its density given the value of a database times
    any factor.

    >>> table = of_numbers({"a": Fraction(0), "b": Fraction(1)}, lambda value: Piecewise.uniform(value, value + 2))
    >>> table.outputs, table.total(0).rational
    (('number',), Fraction(1, 1))
    """
    drawn = {value: density(value) for value in dict.fromkeys(values.values())}
    return of_densities({label: drawn[value] for label, value in values.items()})


def of_densities(rows: Mapping[str, Piecewise]) -> PartialTable:
    """Return the table of a number that is drawn by a density per database, times any factor."""
    totals = {density: density.total() for density in dict.fromkeys(rows.values())}
    entries = tuple((totals[density],) for density in rows.values())
    return PartialTable(
        tuple(rows),
        (NUMBER,),
        entries,
        (_NOTHING,) * len(rows),
        {NUMBER: tuple(rows.values())},
        totals=tuple(total for (total,) in entries),
    )


def laplace(value: Fraction, scale: Fraction) -> Piecewise:
    """Return the density of Laplace noise around a value."""
    return Piecewise.laplace(scale).moved(rational(1), rational(value))


def conditioned(value: Fraction, scale: Fraction, low: Fraction, high: Fraction) -> Piecewise:
    """Return the density of Laplace noise between two ends, times the probability of that."""
    return laplace(value, scale).clipped(rational(low), rational(high))


def folded(value: Fraction, scale: Fraction, low: Fraction, high: Fraction) -> Piecewise:
    """Return the density of Laplace noise that is reflected at both ends, low < high, times
    1 - e^(-2 (high - low) / scale).

    >>> folded(Fraction(0), Fraction(1), Fraction(0), Fraction(2)).total() == ExponentialSum(
    ...     [(1, ONE), (-1, Power.exp(Fraction(-4)))]
    ... )
    True
    """
    period = 2 * (high - low)
    start = (value - low) % period + low
    start = min(start, 2 * high - start)  # reflected as the noise is
    images = [start - period, start + period, 2 * low - start, 2 * high - start]
    whole = laplace(start, scale)
    series = ExponentialSum([(1, ONE), (-1, Power.exp(-period / scale))])
    parts = [whole.scaled(ExponentialPolynomial.of_sum(series))]
    parts += [laplace(image, scale) for image in images]
    ends = rational(low), rational(high)
    return summed(segment for part in parts for segment in part.clipped(*ends).segments)


def staircase(values: Mapping[str, Fraction], decay: Power, step: Fraction, gamma: Fraction) -> PartialTable:
    """Return the table of staircase noise, decay = e^-epsilon, a rational or a power of e.

    Raises `TooLargeError` where values are more than 1,000 steps apart.
    """
    least, most = min(values.values()), max(values.values())
    if (most - least) / step > _MOST_STEPS:
        raise TooLargeError(f"values that are more than {_MOST_STEPS} sensitivities apart: expected fewer", "inputs")

    def density(value: Fraction) -> Piecewise:
        below = [(-high, -low, f) for low, high, f in _steps(-value, -least, decay, step, gamma)]
        above = _steps(value, most, decay, step, gamma)
        return Piecewise((*reversed(below), *above))

    return of_numbers(values, density)


def canonical(value: Fraction, ratio: Fraction, delta: Fraction, step: Fraction) -> Piecewise:
    """Return the density around a value of canonical noise of (log(ratio), delta), delta above 0.

    F is linear on [-1/2, 1/2] from c = (1 - delta) / (1 + ratio) to 1 - c, and below it F(x) is the
    larger one of 0 and (F(x + 1) - delta) / ratio; the noise is symmetric.

    >>> canonical(Fraction(0), Fraction(3), Fraction(1, 5), Fraction(1)).support
    (-3/2, 3/2)

    Raises `TooLargeError` for more than 1,000 steps on either side.
    """
    below = (1 - delta) / (1 + ratio)
    height, end = 1 - 2 * below, Fraction(1, 2)
    segments = list(_level(value - end * step, value + end * step, ExponentialSum([(height / step, ONE)])))
    while below:
        if end > _MOST_STEPS:
            raise TooLargeError(f"canonical noise of more than {_MOST_STEPS} steps: expected fewer")
        height /= ratio
        width = min(Fraction(1), below / height)
        known = ExponentialSum([(height / step, ONE)])
        near, far = end * step, (end + width) * step
        segments = [*_level(value - far, value - near, known), *segments, *_level(value + near, value + far, known)]
        below, end = max((below - delta) / ratio, Fraction(0)), end + 1
    return Piecewise(tuple(segments))


def _steps(value: Fraction, most: Fraction, decay: Power, step: Fraction, gamma: Fraction) -> Iterator[Segment]:
    """Yield the staircase above a value, up to one step beyond all of them, which has all that lies
    beyond; times 2 step (gamma + (1 - gamma) decay).
    """
    for k in range(ceil((most - value) / step) + 1):
        marks = [Fraction(k), k + gamma, Fraction(k + 1)]
        for part, (low, high) in enumerate(pairwise(marks)):
            height = ExponentialSum([(1, decay.to(Fraction(k + part)))])
            lower = height - ExponentialSum([(1, decay.to(Fraction(k + part + 1)))])
            a, b = value + low * step, value + high * step
            yield from _level(a, min(b, most), lower)
            yield from _level(max(a, most), min(b, most + step), height)


def _level(low: Fraction, high: Fraction, height: ExponentialSum) -> Iterator[Segment]:
    if low < high:
        constant = ExponentialPolynomial.of_sum(height)
        terms: dict[tuple[int, ...], fmpq] = {(0, 0, *key): q for key, q in constant.terms.items()}
        yield rational(low), rational(high), ExponentialPolynomial(1, terms, constant.unit)
