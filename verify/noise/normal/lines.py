"""Leakage of Gaussian noise over all pairs of secrets, for queries whose values lie on a line.

The likelihood of an output depends on its projection onto the line alone: with F = v + t d and
noise of variance sigma_k^2 in coordinate k, the ratio of two densities of F + Z is that of t + Z',
Z' Gaussian of variance 1 / sum_k d_k^2 / sigma_k^2. So histograms of two values, and several
releases of one query, are scalars (`pufferproof.verify.noise.normal.leakage`). Values that span a
plane are refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from flint import ctx

from pufferproof.models.errors import ModelError, SolverError, TooLargeError, extras
from pufferproof.models.noise.additive import Noise, Vector, lattice_of
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage, Scope, Witness, most_of, nothing_to_check
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, QueryLaws, distinct, varying
from pufferproof.verify.noise.normal import leakage as gaussian_leakage
from pufferproof.verify.noise.normal.leakage import GaussianRatio, NormalMixtureRatio, gaussian_ratio, limit_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Gaussian noise on values that span a plane or more: whether, and by what, ratios are bounded.
#
# A value v of the first secret outside the convex hull of those of the second makes the ratio infinite: some direction
# u has <u, v> above all <u, g>, and it is infinite along u alone. Where all are v = sum lambda_i g_i, the weighted
# means of Gaussian densities give
#
#     phi_v <= e^c sum lambda_i phi_(g_i),    c = (sum lambda_i |g_i|^2 - |v|^2) / 2,
#
# |.| in units of sigma: f / g is at most the largest sum over v of P(v) e^(c_v) lambda_i(v) / Q(g_i). Linear programs
# in floats propose weights with small c and directions; both are checked exactly.

if TYPE_CHECKING:
    Floats = NDArray[np.float64]

Weights = dict[Vector, Fraction]
_BITS = 128  # working precision of balls
_LONGEST = 10**6  # of denominators of a direction


def separating(above: Law, below: Law) -> Vector | None:
    """Return a direction in which some value of the first law lies beyond all of the second; None
    where none is found.

    >>> point = lambda *numbers: tuple(map(Fraction, numbers))
    >>> corners = {point(0, 0): Fraction(1, 2), point(2, 2): Fraction(1, 2)}
    >>> direction = separating({point(1, 0): Fraction(1)}, corners)
    >>> direction[0] > max(0, 2 * (direction[0] + direction[1]))
    True
    """
    for value in above:
        if value not in below and (direction := _beyond(value, list(below))) is not None:
            return direction
    return None


def hull_bound(above: Law, below: Law, variances: Sequence[Fraction]) -> Fraction | None:
    """Return a bound of the ratio of densities, or None if weights are not found.

    >>> point = lambda *numbers: tuple(map(Fraction, numbers))
    >>> corners = {point(x, y): Fraction(1, 4) for x in (0, 2) for y in (0, 2)}
    >>> bound = hull_bound({point(1, 1): Fraction(1)}, corners, [Fraction(1)] * 2)
    >>> f"{float(bound):.6f}"  # 2 e: two opposite corners have the middle, or all four
    '5.436564'
    """
    total = dict.fromkeys(below, Fraction(0))
    with ctx.workprec(_BITS):
        for value, p in above.items():
            weights = _weights(value, below, variances)
            if weights is None:
                return None
            squares = [share * _square(g, variances) for g, share in weights.items()]
            excess = sum(squares, Fraction(0)) - _square(value, variances)
            factor = dyadic(ball(excess / 2).exp().upper()) if excess else Fraction(1)
            for g, share in weights.items():
                total[g] += p * share * factor
    return max(mass / below[g] for g, mass in total.items())


def _square(value: Vector, variances: Sequence[Fraction]) -> Fraction:
    return sum((x * x / v for x, v in zip(value, variances)), Fraction(0))


def _weights(value: Vector, below: Law, variances: Sequence[Fraction]) -> Weights | None:
    """Return exact weights of values below whose mean is a value, with a small mean of squares."""
    if value in below:
        return {value: Fraction(1)}
    with extras:
        from scipy.optimize import linprog

    values = list(below)
    import numpy as np

    rows = np.array([[*map(float, value), 1.0] for value in values]).T
    answer = proposing(linprog)(
        [float(_square(g, variances)) for g in values], A_eq=rows, b_eq=[*map(float, value), 1.0], bounds=(0, None)
    )
    if answer is None or not answer.success or not are_numbers(answer.x):
        return None
    chosen = [g for g, share in zip(values, answer.x.tolist()) if share > 1e-9]
    shares = _solved([(*g, Fraction(1)) for g in chosen], (*value, Fraction(1)))
    if shares is None or min(shares) < 0:
        return None
    return dict(zip(chosen, shares))


def _solved(columns: Sequence[Vector], right: Vector) -> list[Fraction] | None:
    """Return the exact combination of columns that is the right side, or None unless there is one only."""
    rows = [[*(column[k] for column in columns), right[k]] for k in range(len(right))]
    done = 0
    for place in range(len(columns)):
        lead = next((k for k in range(done, len(rows)) if rows[k][place]), None)
        if lead is None:
            return None
        rows[done], rows[lead] = rows[lead], rows[done]
        rows[done] = [entry / rows[done][place] for entry in rows[done]]
        for k, row in enumerate(rows):
            if k != done and row[place]:
                rows[k] = [a - row[place] * b for a, b in zip(row, rows[done])]
        done += 1
    if any(row[-1] for row in rows[done:]):
        return None
    return [rows[k][-1] for k in range(len(columns))]


def _beyond(value: Vector, values: Sequence[Vector]) -> Vector | None:
    """Return a direction in which a value lies beyond others, checked exactly."""
    with extras:
        from scipy.optimize import linprog

    differences: object = [[float(g - v) for v, g in zip(value, other)] + [1.0] for other in values]
    # the largest margin m with <u, g - v> + m <= 0, |u_k| <= 1
    size = len(value)
    answer = proposing(linprog)(
        [0.0] * size + [-1.0], A_ub=differences, b_ub=[0.0] * len(values), bounds=[(-1, 1)] * size + [(0, None)]
    )
    if answer is None or not answer.success or not are_numbers(answer.x):
        return None
    direction = tuple(Fraction(x).limit_denominator(_LONGEST) for x in answer.x[:size].tolist())

    def along(point: Vector) -> Fraction:
        return sum((u * x for u, x in zip(direction, point)), Fraction(0))

    return direction if along(value) > max(map(along, values)) else None


RESTS_ON = ("noise.gaussian-line",)


@dataclass(frozen=True)
class _PairOnLine:
    """The laws of an ordered pair as laws on the line v + t d, 0 <= t <= 1."""

    pair: LawPair
    start: Vector
    direction: Vector
    above: gaussian_leakage.Law
    below: gaussian_leakage.Law
    variance: Fraction

    def output(self, place: str) -> str:
        """Return the output where the projection t is at a place: a number, or a limit that no output reaches."""
        shown = []
        for start, step in zip(self.start, self.direction):
            if not step:
                shown.append(text_of(start))
            elif place in ("inf", "-inf"):
                shown.append("inf" if (place == "inf") == (step > 0) else "-inf")
            else:
                shown.append(f"{float(start) + float(step) * float(place):.6g}")
        return ",".join(shown)


@dataclass(frozen=True)
class GaussianLeakage(LargestRatio):
    """What Gaussian noise leaks: infinite, rational, or between bounds; `best` are the pairs
    whose ratio could be largest.

    The witness is where the leakage is reached, or the limit in which it is approached (`inf`,
    `-inf`); `scope` counts pairs of laws.
    """

    best: tuple[tuple[_PairOnLine, GaussianRatio], ...] = field(repr=False)
    claims: tuple[str, ...] = field(default=(*gaussian_leakage.RESTS_ON, *RESTS_ON), kw_only=True, repr=False)

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if 2,560 bits do not tell."""
        signs = [
            gaussian_leakage.compare(ratio, [(line.above, line.below, line.variance)], level)
            for line, ratio in self.best
        ]
        if 1 in signs:
            return 1
        return None if None in signs else max(sign for sign in signs if sign is not None)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer at a level rests on: exact arithmetic where the leakage is
        infinite, or rational as e^epsilon is.
        """
        rational = self.leakage.ratio is not None and (level is None or level.ratio is not None)
        return ("EXACT",) if self.leakage.infinite or rational else ("EXACT", "INTERVAL")


@dataclass(frozen=True)
class GaussianBounds(GaussianLeakage):
    """What Gaussian noise on values off a line leaks, between bounds; the upper one may be unknown.
    The witness reaches the lower one along a coordinate, others left out; `best` is empty.
    """

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, None between the bounds."""
        return self.leakage.compare(level)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures, unless the leakage is infinite."""
        return ("EXACT",) if self.leakage.infinite else ("EXACT", "INTERVAL")


def largest_gaussian_ratio(laws: QueryLaws) -> GaussianLeakage:
    """Return the largest ratio of densities over all ordered pairs.

    >>> from pufferproof.verify.noise.laws.of_framework import LawPair
    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> mixed, fixed = ({(Fraction(0), one): half, (one, Fraction(0)): half}, {(Fraction(0), one): one})
    >>> pair = LawPair("theta", ("s", "t"), fixed, mixed)
    >>> largest = largest_gaussian_ratio(QueryLaws((Noise.gaussian(3),) * 2, (pair,), 0, ()))
    >>> largest.leakage.ratio, largest.witness.output
    (Fraction(2, 1), '-inf,inf')

    Where values of a pair do not lie on a line, and no direction alone leaks without bound, the
    answer has bounds. Raises `ModelError` unless all noise is Gaussian, and as `gaussian_ratio`
    does.
    """
    if not laws.pairs:
        raise nothing_to_check()
    variances = _variances(laws.noises)
    shadows = [_line_or_shadow(pair, variances) for pair in laws.pairs]
    lines = [line for line in shadows if line is not None]
    ratios = [(line, gaussian_ratio(line.above, line.below, line.variance)) for line in lines]
    scope = Scope(len(laws.pairs), laws.excluded, laws.never)
    infinite = [entry for entry in ratios if entry[1].leakage.infinite]
    if infinite:
        return _reached(Leakage.of(None), infinite, scope)
    flat = [pair for pair, line in zip(laws.pairs, shadows) if line is None]
    if flat:
        return _bounded(distinct(flat), ratios, variances, scope)
    lower = max(_bounds(ratio)[0] for _, ratio in ratios)
    best = [entry for entry in ratios if _bounds(entry[1])[1] >= lower]
    return _reached(Leakage(lower, max(_bounds(ratio)[1] for _, ratio in best)), best, scope)


def scalar_laws(pair: LawPair, noises: Iterable[Noise]) -> tuple[gaussian_leakage.Law, gaussian_leakage.Law, Fraction]:
    """Return the laws of a pair on the line of its values, from 0 to 1, and the variance there.

    Raises `ModelError` unless all noise is Gaussian and the values lie on a line.
    """
    line = _line(pair, _variances(noises))
    return line.above, line.below, line.variance


def on_a_line(pair: LawPair) -> bool:
    """Whether the values of a query under both laws lie on one line."""
    values = sorted({*pair.above, *pair.below})
    start, end = values[0], values[-1]
    lead = next((k for k, (low, high) in enumerate(zip(start, end)) if low != high), 0)
    direction = [high - low for low, high in zip(start, end)]
    return all(
        (x - v) * direction[lead] == (value[lead] - start[lead]) * d
        for value in values
        for x, v, d in zip(value, start, direction)
    )


def _reached(leakage: Leakage, best: Sequence[tuple[_PairOnLine, GaussianRatio]], scope: Scope) -> GaussianLeakage:
    line, ratio = best[0]
    witness = Witness(line.pair.prior, line.pair.pair, line.output(ratio.output))
    return GaussianLeakage(leakage, witness, scope, tuple(best))


def _bounded(
    flat: Sequence[LawPair],
    ratios: Sequence[tuple[_PairOnLine, GaussianRatio]],
    variances: Sequence[Fraction],
    scope: Scope,
) -> GaussianBounds:
    """Return bounds where some pairs do not lie on a line: from below by their coordinates."""
    on_lines = list(ratios)
    for pair in flat:
        for k in range(len(variances)):
            line = _along(pair, variances, _axis(k, len(variances)))
            try:
                on_lines.append((line, gaussian_ratio(line.above, line.below, line.variance)))
            except (ModelError, SolverError):  # too many values, or too far apart: no lower bound
                continue
    if not on_lines:
        raise _off_a_line()
    line, ratio = max(on_lines, key=lambda entry: _bounds(entry[1])[0])
    hulls = [hull_bound(pair.above, pair.below, variances) for pair in flat]
    bounds = [bound for bound in hulls if bound is not None]
    upper = max([*bounds, *(_bounds(entry)[1] for _, entry in ratios)], default=Fraction(1))
    lower = max(_bounds(ratio)[0], Fraction(1))
    witness = Witness(line.pair.prior, line.pair.pair, line.output(ratio.output))
    leakage = Leakage(lower, max(lower, upper) if len(bounds) == len(flat) else None)
    return GaussianBounds(leakage, witness, scope, ())


def _axis(k: int, size: int) -> Vector:
    return tuple(Fraction(place == k) for place in range(size))


def _along(pair: LawPair, variances: Sequence[Fraction], direction: Vector) -> _PairOnLine:
    """Return the laws of the inner product of values with a direction, counted from a value."""
    start = min(pair.below)

    def place(value: Vector) -> Fraction:
        return sum((u * (x - s) for u, x, s in zip(direction, value, start)), Fraction(0))

    def shadow(law: Law) -> gaussian_leakage.Law:
        along: gaussian_leakage.Law = {}
        for value, p in law.items():
            along[place(value)] = along.get(place(value), Fraction(0)) + p
        return along

    variance = sum((u * u * v for u, v in zip(direction, variances)), Fraction(0))
    return _PairOnLine(pair, start, direction, shadow(pair.above), shadow(pair.below), variance)


def _variances(noises: Iterable[Noise]) -> list[Fraction]:
    variances = []
    for noise in noises:
        if noise.variance is None:
            raise ModelError(f"gaussian noise is not audited together with other noise, found {noise.kind}", "noise")
        variances.append(noise.variance)
    return variances


def _bounds(ratio: GaussianRatio) -> tuple[Fraction, Fraction]:
    return ratio.leakage.lower or Fraction(0), ratio.leakage.upper or Fraction(0)


def _line_or_shadow(pair: LawPair, variances: Sequence[Fraction]) -> _PairOnLine | None:
    """Return the laws on their line. Without a line, return the laws along a direction that alone
    leaks without bound, because only one secret has its extreme value: coordinates first.
    Return None if there is no such direction.
    """
    if on_a_line(pair):
        return _line(pair, variances)
    for k in range(len(variances)):
        above, below = ({v[k] for v in law} for law in (pair.above, pair.below))
        if max(above) > max(below) or min(above) < min(below):
            return _along(pair, variances, _axis(k, len(variances)))
    direction = separating(pair.above, pair.below)
    return None if direction is None else _along(pair, variances, direction)


def _off_a_line() -> ModelError:
    return ModelError(
        "gaussian noise is audited where the values of the query lie on one line, or are at most "
        "400 and not too far apart",
        "query",
    )


def _line(pair: LawPair, variances: Sequence[Fraction]) -> _PairOnLine:
    values = sorted({*pair.above, *pair.below})
    start, end = values[0], values[-1]
    direction = tuple(high - low for low, high in zip(start, end))
    lead = next((k for k, step in enumerate(direction) if step), None)
    if lead is None:
        same = {Fraction(0): Fraction(1)}
        return _PairOnLine(pair, start, direction, same, same, Fraction(1))
    places = {value: (value[lead] - start[lead]) / direction[lead] for value in values}
    for value, t in places.items():
        if any(x != v + t * d for x, v, d in zip(value, start, direction)):
            raise _off_a_line()
    precision = sum((step * step / variance for step, variance in zip(direction, variances)), Fraction(0))
    above, below = ({places[value]: p for value, p in law.items()} for law in (pair.above, pair.below))
    return _PairOnLine(pair, start, direction, above, below, 1 / precision)


# Leakage of discrete Gaussian noise: infinite, a limit, or a certified enclosure.
#
# As of Gaussian noise it is finite only if both secrets share the smallest and the largest value of every number, and
# outputs far out have the ratio of the extreme ones. The supremum over integers is at most that over all numbers
# (`leakage`); where this is not a limit, integers between two ends, beyond which the ratio is monotone, are taken one
# by one.

_LATTICE_BITS = 320
_MOST_OUTPUTS = 20_000  # integers that are taken one by one


def largest_lattice_ratio(laws: QueryLaws) -> GaussianBounds:
    """Return the largest ratio of likelihoods over all ordered pairs.

    >>> from pufferproof.models.noise.additive import Noise
    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> pair = LawPair("theta", ("s", "t"), {(0 * one,): half, (one,): half}, {(0 * one,): one})
    >>> laws = QueryLaws((Noise.discrete_gaussian(1),), (pair,), 0, ())
    >>> largest_lattice_ratio(laws).witness.output
    'inf'

    Of mixtures of several numbers whose extreme values agree no bound is known. Raises `ModelError`
    beside other noise, `TooLargeError` where more than 20,000 integers could reach the largest.
    """
    if not laws.pairs:
        raise nothing_to_check()
    sigmas = lattice_of(laws.noises) or []
    found = [(pair, _ratio(pair, sigmas, laws)) for pair in distinct(laws.pairs)]
    lower = [ratio.leakage.lower for _, ratio in found]
    scope = Scope(len(laws.pairs), laws.excluded, laws.never)
    infinite = next((entry for entry in found if entry[1].leakage.infinite), None)
    best = infinite or max(found, key=lambda entry: entry[1].leakage.lower or Fraction(0))
    upper = [ratio.leakage.upper for _, ratio in found]
    most = max(low for low in lower if low is not None) if infinite is None else None
    leakage = Leakage.of(None) if most is None else Leakage(most, most_of(upper))
    witness = Witness(best[0].prior, best[0].pair, best[1].output)
    return GaussianBounds(leakage, witness, scope, (), claims=laws.claims)


def _ratio(pair: LawPair, sigmas: Sequence[Fraction], laws: QueryLaws) -> GaussianRatio:
    """Return the ratio of an ordered pair; its output names every number."""
    start = [text_of(number) for number in min(pair.below)]
    for k, axis in enumerate(pair.axes):
        for extreme, side in ((axis[0], "-inf"), (axis[-1], "inf")):
            if all(value[k] != extreme for value in pair.below):
                start[k] = side
                return GaussianRatio(Leakage.of(None), ",".join(start))
    fewer, noises = varying(pair, laws.noises)
    if len(noises) > 1:
        if fewer.above == fewer.below:
            return GaussianRatio(Leakage.of(Fraction(1)), ",".join(start))
        return GaussianRatio(Leakage(Fraction(1), None), ",".join(start))  # no bound is known
    (k,) = [k for k, axis in enumerate(pair.axes) if len(axis) > 1] or [0]
    above, below = ({value[0]: p for value, p in law.items()} for law in (fewer.above, fewer.below))
    ratio = _of_one(above, below, sigmas[k])
    start[k] = ratio.output
    return replace(ratio, output=",".join(start))


def _of_one(above: dict[Fraction, Fraction], below: dict[Fraction, Fraction], sigma2: Fraction) -> GaussianRatio:
    limit = limit_of(above, below)
    if limit is not None:
        return limit
    values = sorted({*above, *below})
    over, under = ([law.get(x, Fraction(0)) for x in values] for law in (above, below))
    ratio = NormalMixtureRatio(values, over, under, sigma2)
    left, right = ratio.ends()
    low, high = floor(values[0] + sigma2 * left), ceil(values[0] + sigma2 * right)
    if high - low > _MOST_OUTPUTS:
        raise TooLargeError(
            f"a supremum over {high - low} integers: expected at most {_MOST_OUTPUTS}, or a delta or an order", "noise"
        )
    limits = [(over[0] / under[0], "-inf"), (over[-1] / under[-1], "inf")]
    bounds = [(limit, limit, side) for limit, side in limits]
    with ctx.workprec(_LATTICE_BITS):
        for place in range(low, high + 1):
            value = ratio.at((place - values[0]) / sigma2).log.exp()
            bounds.append((dyadic(value.lower()), dyadic(value.upper()), str(place)))
    lower, _, output = max(bounds, key=lambda bound: bound[0])
    return GaussianRatio(Leakage(lower, max(upper for _, upper, _ in bounds)), output)
