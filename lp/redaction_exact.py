"""The best q of a 3R mechanism on one side under its exact leakage, proved optimal by listing all stationary points.

    minimise q_1 + .. + q_N  subject to  one-sided leakage <= budget,  0 <= q_k <= 1.

One constraint (lam > 0). Let rho_d and sigma_d be the ratios P(. | X_p = common) / P(. | X_p = rare) of "nothing nearer than d
is released and X_d = common", "... X_d = rare". The next pair are mediants of (q-weighted) rho and sigma <= rho, so that rho
falls and sigma rises. rho starts at e^i0 <= E = e^budget: no output exceeds E, and the last one (the rare value at the first
small record, or nothing released) has the least ratio, at least 1/E iff all have. That ratio increases in every q_k.

Coordinates. With the constraint tight, let s_k = q_k / w_(k+1), w the ratio rare : common of what follows a medium record.
w_k = f(s_k), f(s) = c + e / (s + u), for leaving probabilities a, b of the common and rare value: c = b/(1-a), e = lam/(1-a)^2,
u = a/(1-a). s_1 is fixed by E, w_(N+1) = V + c by what follows: V = e/u, or lam/(1-a) at the end of the chain.
Only q_(k-1) and q_k change with s_k, dq_k = f(s_(k+1)) ds, dq_(k-1) = s_(k-1) f'(s_k) ds. Hence at a Karush-Kuhn-Tucker point
    f(s_(k+1)) = -s_(k-1) f'(s_k)   wherever q_(k-1), q_k < 1,
so that q_k / q_(k-1) = -s_k f'(s_k) / f(s_k) < 1. The multipliers show in the same way that those k with q_k = 1 come first,
and f(s_(k+1)) >= -s_(k-1) f'(s_k) where q_(k-1) = 1 and q_k < 1. (q_k > 0 throughout, as sigma_k <= e^-i1 < 1/E in the medium
region.) So every optimum is: j ones, then strictly decreasing q.
With v_k = e / (s_k + u) and P_i = V / v_(N+1-i), counted from the far end, the stationarity is
    P_(i+1) = P_i z_(i+1),  z_(i+1) = z_i + (c/V) P_i + (u V / e) / P_i,  P_0 = 1, P_1 = z_1 = x,
one unknown x, and P_m(x) = V (s_(j+1) + u) / e with m = N - j. All roots with 0 < q <= 1 are isolated by interval arithmetic
for every j; the least value among them is the optimum, as one exists. What is not isolated widens the interval, never hides.
For lam <= 0 the medium region has at most one record and its q is bounded by linear inequalities.

Source of the family: massny2025, Section IV; the method is ours. Levels are decided exactly; searches use Arb.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from pufferproof.lp.redaction_boxes import Exclusion, float_bounds
from pufferproof.lp.redaction_relaxed import SideDesign
from pufferproof.lp.redaction_side import BITS, DesignSide, above, ball, dyadic
from pufferproof.models.errors import SolverError

_GRAIN = 96  # searched q are multiples of 2^-96
_MOST_BOXES = 20_000
_NARROW = 160  # boxes of x are cut down to 2^-160 of their first width


def constant_side(side: DesignSide) -> SideDesign:
    """Return the least q such that q_k = q for all k keeps the one-sided leakage; `least` bounds every such sum.

    >>> from pufferproof.models.binary_chain import BinaryChain, Budget
    >>> from pufferproof.models.level import Level
    >>> constant_side(DesignSide.of(BinaryChain("1/4", "1/2", 2), 1, Budget(Level.log("3/2")))).q
    (Fraction(1, 5),)
    """
    if side.size <= 1:
        return single_side(side)
    low, high = 0, 1 << _GRAIN
    guess = _guess(side)
    for candidate in (guess - (1 << 30), guess + (1 << 30)):
        if low < candidate < high:
            kept = side.keeps([Fraction(candidate, 1 << _GRAIN)] * side.size)
            low, high = (low, candidate) if kept else (candidate, high)
    while high - low > 1 << 30:
        middle = (low + high) // 2
        kept = side.keeps([Fraction(middle, 1 << _GRAIN)] * side.size)
        low, high = (low, middle) if kept else (middle, high)
    q = (Fraction(high, 1 << _GRAIN),) * side.size
    return _checked(side, SideDesign(q, side.size * Fraction(low, 1 << _GRAIN)))


def _guess(side: DesignSide) -> int:
    """Return about the least constant q, as a multiple of 2^-96, by bisection in Arb; nothing rests on it."""
    from flint import ctx

    with ctx.workprec(BITS):
        s, free = _start(side), _Free(side)
        low, high = ball(0), ball(1)
        for _ in range(_GRAIN):
            middle = (low + high) / 2
            follows = free.last
            for _ in range(side.size - 1):
                follows = (free.c + free.e / (middle / follows + free.u)).mid()
            low, high = (low, middle.mid()) if middle > (s * follows).mid() else (middle.mid(), high)
        return int(dyadic(high.mid()) * (1 << _GRAIN))


def exact_side(side: DesignSide) -> SideDesign:
    """Return the best q of one side under its exact leakage, with a proven lower bound of every feasible sum.

    Raises `SolverError` unless a stationary point was found: there is one.
    """
    from flint import ctx

    if side.size <= 1:
        return single_side(side)
    with ctx.workprec(BITS):
        points = list(_stationary(side))
    finite = [point for point in points if point.value.is_finite()]
    if not finite:
        raise SolverError("no stationary point was found")
    best = min(finite, key=lambda point: point.value.mid())
    least = min(point.lower for point in points)
    for bits in (_GRAIN, _GRAIN - 16, _GRAIN - 32, _GRAIN - 48):
        slack = Fraction(1, 1 << bits)
        q = tuple(above(dyadic(value.mid()) + slack, _GRAIN) for value in best.q)
        if side.keeps(q):
            return SideDesign(q, least)
    fallback = constant_side(side)  # feasible, while the bound below stays what it is
    return SideDesign(fallback.q, least)


def least_stationary(side: DesignSide) -> Fraction | None:
    """Return a lower bound of every q_1 + .. + q_N with the constraint tight and all q_k > 0; None if there is no such optimum.

    Unlike `exact_side` this also serves where the last medium record has no influence above the budget.
    """
    from flint import ctx

    if side.size <= 1:
        return single_side(side).least
    with ctx.workprec(BITS):
        return min((point.lower for point in _stationary(side)), default=None)


def single_side(side: DesignSide) -> SideDesign:
    """Return the least q of at most one medium record, for an eigenvalue of any sign.

    Each output and direction asks for q p (E A(x) - A(y)) >= r (B(y) - E B(x)), A, B the columns of P^D, (p, r) a column of P,
    or (1, 1) at the end of the chain; E A(x) >= A(y) as the common value may be shown.
    """
    from flint import ctx

    if side.size == 0:
        return SideDesign((), Fraction(0))
    if side.ratio is not None:
        return _checked(side, SideDesign((q := max(_single_bounds(side, side.ratio)),), q))
    with ctx.workprec(BITS):
        bounds = _single_bounds(side, side.ratio_ball())
        least = max(Fraction(0), max(dyadic(bound.lower()) for bound in bounds))
        q = above(max(Fraction(0), max(dyadic(bound.upper()) for bound in bounds)) + Fraction(1, 1 << _GRAIN), _GRAIN)
    return _checked(side, SideDesign((q,), least))


def _single_bounds(side: DesignSide, e: Any) -> list[Any]:
    exact = isinstance(e, Fraction)
    rows, step = side.power(side.first), side.power(1)
    follow = [(step[0][z], step[1][z]) for z in (0, 1)] if side.released else [(Fraction(1), Fraction(1))]
    number = (lambda value: value) if exact else ball
    bounds = [number(Fraction(0))]
    for (p, r), x in ((pair, x) for pair in follow for x in (0, 1)):
        room = number(p) * (e * number(rows[x][0]) - number(rows[1 - x][0]))
        needed = number(r) * (number(rows[1 - x][1]) - e * number(rows[x][1]))
        if needed > 0:
            bounds.append(needed / room)
        elif not needed <= 0:
            bounds.append((needed / room).union(ball(0)))
    return bounds


def _checked(side: DesignSide, design: SideDesign) -> SideDesign:
    if not side.keeps(design.q):
        raise AssertionError("the proposed q leak more than the budget")
    return design


@dataclass(frozen=True)
class _Point:
    """What may be a stationary point: enclosures of q_1 .. q_N and of their sum, and a lower bound of it."""

    q: Sequence[Any]
    value: Any
    lower: Fraction


class _Free:
    """The numbers c, e, u, V of a side, as balls."""

    def __init__(self, side: DesignSide) -> None:
        leave, back = side.switches
        lam = 1 - leave - back
        self.c, self.e, self.u = ball(back / (1 - leave)), ball(lam / (1 - leave) ** 2), ball(leave / (1 - leave))
        self.v = ball(lam / (1 - leave) / leave) if side.released else ball(lam / (1 - leave))
        self.last = self.v + self.c  # w_(N+1)
        self.kappa, self.b = self.c / self.v, self.u * self.v / self.e

    def products(self, x: Any, m: int, above: Any) -> list[Any] | None:
        """Return P_0 .. P_m over a box of x, or None if P_m > `above` on all of it."""
        found, z = [ball(1), x], x
        for _ in range(m - 1):
            if z >= 1 and found[-1] > above:
                return None
            z = z + self.kappa * found[-1] + self.b / found[-1]
            found.append(found[-1] * z)
        return None if found[-1] > above else found

    def slope(self, products: Sequence[Any]) -> Any:
        """Enclose dP_m/dx over the box on which these are the products."""
        d_z = d_p = ball(1)
        z = products[1]
        for now in products[1:-1]:
            z = z + self.kappa * now + self.b / now
            d_z = d_z + self.kappa * d_p - self.b * d_p / now**2
            d_p = d_p * z + now * d_z
        return d_p

    def q(self, products: Sequence[Any]) -> list[Any]:
        """Return q_(j+1) .. q_N at these products."""
        pairs = pairwise(products)
        return [(self.e * then / self.v - self.u) * (self.v / now + self.c) for now, then in pairs][::-1]


def _start(side: DesignSide, ones: int = 0) -> Any:
    """Enclose s_(j+1) = (B(rare) - E B(common)) / (E A(common) - A(rare)) behind j medium records with q = 1."""
    e, leave, back = side.ratio_ball(), *side.switches
    decay = 1 - ball(1 - leave - back) ** (side.first + ones)
    common, rare = ball(leave / (leave + back)) * decay, ball(back / (leave + back)) * decay
    return ((1 - rare) - e * common) / (e * (1 - common) - rare)


def _stationary(side: DesignSide) -> Iterator[_Point]:
    """Yield everything that may be a stationary point of the design of one side."""
    free, n = _Free(side), side.size
    for ones in range(n):
        s, m = _start(side, ones), n - ones
        target = free.v * (s + free.u) / free.e
        least = 0 if ones == 0 else free.e * s * _start(side, ones - 1) / (s + free.u) ** 2
        boxes = [target] if m == 1 else _roots(free, m, target, s, least)
        for x in boxes:
            products = [ball(1), x] if m == 1 else free.products(x, m, target.upper() * 2)
            if products is None:
                continue
            q = free.q(products)
            if any(value > 1 or value <= 0 for value in q):
                continue
            total = ones + sum(q[1:], q[0])
            bound = dyadic(total.lower()) if total.is_finite() else Fraction(ones)
            yield _Point([ball(1)] * ones + q, total, max(bound, Fraction(ones)))


def _roots(free: _Free, m: int, target: Any, s: Any, least: Any) -> Iterator[Any]:
    """Yield boxes of x that together contain every root of P_m(x) = target with 0 < q_N <= 1, least <= q_(j+1) <= 1."""
    low, high = free.b.lower(), ((1 / free.last + free.u) * free.v / free.e).upper()
    if s <= 0:
        return  # q_(j+1) = s_(j+1) w_(j+2) > 0 is impossible
    if not (s > 0 and low > 0):
        yield low.union(high)
        return
    k, b, t, v, c, start = (float_bounds(value) for value in (free.kappa, free.b, target, free.v, free.c, s))
    quick = Exclusion(k, b, t, v, c, start, float_bounds(least)[0] if least > 0 else 0.0)
    pending, count, narrow = [(low, high)], 0, (high - low) * ball(Fraction(1, 1 << _NARROW))
    while pending:
        left, right = pending.pop()
        count += 1
        if quick.excludes(float_bounds(left)[0], float_bounds(right)[1], m):
            continue
        x = left.union(right)
        inside = _contracted(free, m, target, x)
        if inside is None:
            continue
        if count > _MOST_BOXES or not inside.rad() * 2 > narrow:
            yield inside
        elif inside.rad() * 4 < (right - left).mid():
            pending.append((inside.lower(), inside.upper()))
        else:
            middle = ((left + right) / 2).mid()
            pending += [(left, middle), (middle, right)]


def _contracted(free: _Free, m: int, target: Any, x: Any) -> Any | None:
    """Return a part of the box x that has all its roots, by one step of the interval Newton method; None if it has none."""
    products = free.products(x, m, target)
    if products is None or products[-1] < target:
        return None
    slope = free.slope(products)
    if not (slope > 0 or slope < 0):
        return x
    middle = x.mid()
    at = free.products(middle, m, target.upper() * ball(1 << 20) + ball(1 << 20))
    if at is None:
        return x
    newton = middle - (at[-1] - target) / slope
    return newton.intersection(x) if newton.overlaps(x) else None
