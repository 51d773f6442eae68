"""Leakage of Gaussian noise over all pairs of secrets, for queries whose values lie on a line.

The likelihood of an output depends on its projection onto the line alone: with F = v + t d and
noise of variance sigma_k^2 in coordinate k, the ratio of two densities of F + Z is that of t + Z',
Z' Gaussian of variance 1 / sum_k d_k^2 / sigma_k^2. So histograms of two values, and several
releases of one query, are scalars (`pufferproof.verify.noise.normal.leakage`). Values that span a
plane are refused.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.noise.additive import Noise, Vector
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, nothing_to_check
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, QueryLaws, distinct
from pufferproof.verify.noise.normal import leakage as gaussian_leakage
from pufferproof.verify.noise.normal.hulls import hull_bound, separating
from pufferproof.verify.noise.normal.leakage import GaussianRatio, gaussian_ratio

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
        """Return the output where the projection t is at a place: a number, or a limit that no
        output reaches.
        """
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
