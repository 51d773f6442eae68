"""Gaussian noise on values that span a plane or more: whether, and by what, ratios are bounded.

A value v of the first secret outside the convex hull of those of the second makes the ratio
infinite: some direction u has <u, v> above all <u, g>, and it is infinite along u alone. Where all
are v = sum lambda_i g_i, the weighted means of Gaussian densities give

    phi_v <= e^c sum lambda_i phi_(g_i),    c = (sum lambda_i |g_i|^2 - |v|^2) / 2,

|.| in units of sigma: f / g is at most the largest sum over v of P(v) e^(c_v) lambda_i(v) / Q(g_i).
Linear programs in floats propose weights with small c and directions; both are checked exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import extras
from pufferproof.models.noise.additive import Vector
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.verify.noise.laws.of_framework import Law

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    from flint import ctx

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
    rows = _columns(values)
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


def _columns(values: Sequence[Vector]) -> Floats:
    """Return the values as columns, ones below them."""
    import numpy as np

    return np.array([[*map(float, value), 1.0] for value in values]).T


def _solved(columns: Sequence[Vector], right: Vector) -> list[Fraction] | None:
    """Return the exact combination of columns that is the right side, or None unless there is one
    only.
    """
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
