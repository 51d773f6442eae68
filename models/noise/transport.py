"""Transport plans between two laws of a number, and the Laplace noise that they ask for.

The plan that matches quantiles has the least mean of |x - y| (Kantorovich), and of the plans with
this mean the least largest |x - y|, which is W_inf. Two scales come from a plan pi of P and Q:

    farthest    max { |x - y| : pi(x, y) > 0 } / epsilon, "the sensitivity of the plan"
    mean        the least b with sum_x pi(x, y) e^(|x - y| / b) <= e^epsilon Q(y) for every y, and
                sum_y pi(x, y) e^(|x - y| / b) <= e^epsilon P(x) for every x

Source of the first: Ding, "Kantorovich Mechanism for Pufferfish Privacy", AISTATS 2022, as its
abstract says it. The second is a condition of our own, which the claim noise.plan-mean derives; it
is never above the first. The relaxed condition of arXiv 2601.06385 may be another one: its text was
not at hand.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pufferproof.models.noise.scale import Scale
from pufferproof.models.numbers.enclosures import ball, least
from pufferproof.models.numbers.level import Level

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("noise.plan-farthest", "noise.plan-mean")
_BITS = (64, 128, 256)
_WIDTH = Fraction(1, 10**10)
Law = Mapping[Fraction, Fraction]


class Moved(NamedTuple):
    """Mass of a plan at x under the first law and y under the second one."""

    x: Fraction
    y: Fraction
    mass: Fraction


def quantile_plan(first: Law, second: Law) -> list[Moved]:
    """Return the plan that matches quantiles, both values increasing.

    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> [(int(m.x), int(m.y)) for m in quantile_plan({0 * one: half, one: half}, {one: one})]
    [(0, 1), (1, 1)]
    """
    plan = []
    left, right = sorted(first.items()), sorted(second.items())
    (x, p), (y, q) = left.pop(0), right.pop(0)
    while True:
        mass = min(p, q)
        if mass:
            plan.append(Moved(x, y, mass))
        p, q = p - mass, q - mass
        if not p:
            if not left:
                return plan
            x, p = left.pop(0)
        if not q:
            if not right:
                return plan
            y, q = right.pop(0)


def farthest(plan: Sequence[Moved]) -> Fraction:
    """Return the largest distance over which a plan moves mass."""
    return max(abs(each.x - each.y) for each in plan)


def mean_scale(plan: Sequence[Moved], level: Level) -> Scale:
    """Return bounds of the least scale at which the means over a plan are at most e^epsilon.

    The upper one is shown to be enough by enclosures, and farthest(plan) / epsilon is without any;
    the level is above 0.

    >>> half, one = Fraction(1, 2), Fraction(1)
    >>> plan = quantile_plan({0 * one: half, one: half}, {one: one})
    >>> round(float(mean_scale(plan, Level.log(2)).upper), 6)  # 1 / log(2): the mass at 0 moves by 1
    1.442695
    """
    from flint import ctx

    if not farthest(plan):
        return Scale(Fraction(0), Fraction(0), "0")
    high = farthest(plan) / Fraction(level.enclosure().lower)
    # distances over which mass moves, and where each value's mass goes, with shares
    places: dict[Fraction, int] = {}
    groups: dict[tuple[str, Fraction], list[tuple[int, arb]]] = {}
    with ctx.workprec(_BITS[-1]):
        for each in plan:
            moved = places.setdefault(abs(each.x - each.y), len(places)), ball(each.mass)
            groups.setdefault(("x", each.x), []).append(moved)
            groups.setdefault(("y", each.y), []).append(moved)
        totals = [sum((mass for _, mass in group), ball(0)) for group in groups.values()]
        shares = [[(place, mass / total) for place, mass in group] for total, group in zip(totals, groups.values())]
    distances = [*places]

    def holds(scale: Fraction) -> bool:
        """Say whether enclosures show every mean to be at most e^epsilon."""
        open_ones = shares
        for bits in _BITS:
            with ctx.workprec(bits):
                near = {place for group in open_ones for place, _ in group}
                grown = {place: ball(distances[place] / scale).exp() for place in near}
                means = [sum((share * grown[far] for far, share in each), ball(0)) for each in open_ones]
                bound = level.ball()
                if any(mean > bound for mean in means):
                    return False
                open_ones = [each for each, mean in zip(open_ones, means) if not mean <= bound]
        return not open_ones

    return Scale(*least(holds, (Fraction(0), high), relative=_WIDTH))
