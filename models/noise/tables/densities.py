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
"""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil
from typing import Any

from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.pieces import ExponentialPolynomial, Piecewise, Segment, rational, summed

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
    segments = list(_level(value - end * step, value + end * step, _constant(height / step)))
    while below:
        if end > _MOST_STEPS:
            raise TooLargeError(f"canonical noise of more than {_MOST_STEPS} steps: expected fewer")
        height /= ratio
        width = min(Fraction(1), below / height)
        known = _constant(height / step)
        near, far = end * step, (end + width) * step
        segments = [*_level(value - far, value - near, known), *segments, *_level(value + near, value + far, known)]
        below, end = max((below - delta) / ratio, Fraction(0)), end + 1
    return Piecewise(tuple(segments))


def _constant(height: Fraction) -> ExponentialSum:
    return ExponentialSum([(height, ONE)])


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
        terms: dict[tuple[int, ...], Any] = {(0, 0, *key): q for key, q in constant.terms.items()}
        yield rational(low), rational(high), ExponentialPolynomial(1, terms, constant.unit)
