"""The published design program of the 3R mechanism, solved in closed form: a convex hull of the
constraints.

    minimise    q_1 + .. + q_N
    subject to  -(log q_1 + .. + log q_k) <= b_k = budget - delta_k  (k = 1 .. N),  0 <= q_k <= 1

is solved by q_k = exp(h(k-1) - h(k)), h the lower convex hull of (0, 0), (1, b_1), .., (N, b_N).
The hull is proposed in floats. Trust is in two bounds: rational q, rounded up, whose constraints
are decided by enclosures (by exact powers where those touch), and weak duality,

    sum q >= sum y_k (1 - log y_k) - sum (y_k - y_(k+1)) b_k  for every non-increasing y > 0.

Source of the program: massny2025, Section IV-B and Appendix A; the closed form is ours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.lp.redaction.side import BITS, DesignSide, above, dyadic
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import ball

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("massny2025.convex-program", "massny2025.x-relaxed-optimum", "redaction.relaxed-two-values")
_GRAIN = 80  # q are multiples of 2^-80


@dataclass(frozen=True)
class SideDesign:
    """Probabilities q_1 .. q_N that keep the constraints of one side, and bounds of the least
    possible sum.
    """

    q: tuple[Fraction, ...]
    least: Fraction

    @property
    def total(self) -> Fraction:
        """q_1 + .. + q_N."""
        return sum(self.q, Fraction(0))


def convex_slopes_approx(heights: Sequence[float]) -> list[float]:
    """Return the slopes of the lower convex hull of (0, 0), (1, b_1), .., (N, b_N), one per step,
    up to rounding.

    >>> convex_slopes_approx([1.0, 1.0, 4.0])
    [0.5, 0.5, 3.0]
    """
    hull: list[tuple[int, float]] = [(0, 0.0)]
    for k, height in enumerate(heights, 1):
        while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (k - hull[-1][0]) >= (height - hull[-1][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((k, height))
    return [(y - v) / (x - u) for (u, v), (x, y) in pairwise(hull) for _ in range(x - u)]


def relaxed_side(side: DesignSide) -> SideDesign:
    """Solve the published program of one side, with certified bounds.

    >>> from pufferproof.models.sequences.binary import BinaryChain, Budget
    >>> from pufferproof.models.numbers.level import Level
    >>> solved = relaxed_side(DesignSide.of(BinaryChain("1/4", "1/2", 2), 1, Budget(Level.log("8/5"))))
    >>> solved.q
    (Fraction(5, 8),)

    Returns: feasible rational q, at most 2^-70 above the optimum each, and a proven lower bound of
    every feasible sum. Raises `ModelError`, naming the constraint, unless the program is feasible,
    as it is for the regions of the side's budget. Source: massny2025, Section IV-B and Appendix A;
    delta_k as in equation 4.
    """
    from flint import ctx

    if not side.size:
        return SideDesign((), Fraction(0))
    if side.size == 1 and (ratio := side.ratio) is not None:
        q = side.delta(1) / ratio
        if q > 1:
            raise _infeasible(1)
        return SideDesign((q,), q)
    with ctx.workprec(BITS):
        room = room_of(side)
        for k, height in enumerate(room, 1):
            if height < 0:
                raise _infeasible(k)
        hull = _hull(room)
        slopes = [(room[j - 1] - (room[i - 1] if i else 0)) / (j - i) for i, j in pairwise(hull)]
        y = [(-slope).exp() for slope in slopes]
        steps = [j - i for i, j in pairwise(hull)]
        levels = [above(dyadic(value.upper()) + Fraction(1, 1 << _GRAIN), _GRAIN) for value in y]
        chosen = tuple(value for value, count in zip(levels, steps) for _ in range(count))
        broken = broken_constraint(side, room, chosen)
        if broken is not None:
            raise AssertionError(f"the proposed q break constraint {broken}")
        return SideDesign(chosen, max(Fraction(0), dyadic(_dual(room, hull, levels).lower())))


def _infeasible(k: int) -> ModelError:
    return ModelError(
        f"infeasible: delta_{k} is above the budget, so that no q up to 1 keeps constraint {k}", "3R program"
    )


def room_of(side: DesignSide) -> "list[arb]":
    """Enclose b_1 .. b_N; only behind the last medium record what is released next may be rare."""
    budget, (leave, back) = side.nats_ball(), side.switches
    odds, lam = ball(leave / back), ball(1 - leave - back)
    decay, bounds = lam**side.first, []
    for _ in range(side.size - 1):
        decay = decay * lam
        bounds.append(budget - abs(((1 + odds * decay) / (1 - decay)).log()))
    return [*bounds, *(budget - side.log_delta_ball(k) for k in range(max(side.size, 1), side.size + 1))]


def _hull(room: "Sequence[arb]") -> list[int]:
    """Return the vertices of the convex hull, from 0 to N, proposed in floats."""
    slopes = convex_slopes_approx([float(value.mid()) for value in room])
    return [0, *(k for k in range(1, len(slopes)) if slopes[k] != slopes[k - 1]), len(slopes)]


def _dual(room: "Sequence[arb]", hull: Sequence[int], y: Sequence[Fraction]) -> "arb":
    """Enclose sum y_k (1 - log y_k) - sum (y_k - y_(k+1)) b_k for non-increasing y."""
    total, low = ball(0), Fraction(1)
    falling = []
    for value in y:
        low = min(low, value)
        falling.append(low)
    for i, j, value, following in zip(hull, hull[1:], falling, [*falling[1:], Fraction(0)]):
        weight = ball(value)
        total += (j - i) * weight * (1 - weight.log()) - ball(value - following) * room[j - 1]
    return total


def broken_constraint(side: DesignSide, room: "Sequence[arb]", q: Sequence[Fraction]) -> int | None:
    """Return the first constraint that q break, None if they keep all; those that enclosures cannot
    tell apart are compared as exact powers.
    """
    total, logs = ball(0), {value: ball(value).log() for value in set(q)}
    for k, value in enumerate(q, 1):
        total += logs[value]
        if not room[k - 1] + total >= 0:
            product = Fraction(1)
            for factor in q[:k]:
                product *= factor
            if side.budget.compare(side.delta(k) / product) > 0:
                return k
    return None
