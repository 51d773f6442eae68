"""The best q of a 3R mechanism on one side under its exact leakage: constant, or one q for each
medium record.

    minimise q_1 + .. + q_N  subject to  one-sided leakage <= budget,  0 <= q_k <= 1.

For lam > 0 there is one constraint, and the designs are the shapes of
`pufferproof.lp.redaction.local.curve` with the end where the rare value fits: the optimum is a
point of its curve, and all of those are enclosed. For lam <= 0 the medium region has at most one
record and its q is bounded by linear inequalities. Levels are decided exactly; searches use floats
and Arb. Source of the family: massny2025, Section IV; the method is ours.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pufferproof.lp.redaction.local.curve import UP, Shape, curve_of
from pufferproof.lp.redaction.local.most import SideBudget, most_gain
from pufferproof.lp.redaction.local.profile import Profile
from pufferproof.lp.redaction.regions.relaxed import SideDesign
from pufferproof.lp.redaction.side import BITS, DesignSide, above, dyadic
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.proportions import integers

RESTS_ON = ("redaction.one-constraint", "redaction.exact-shape", "redaction.exact-constant", "redaction.exact-single")
_GRAIN = 96  # searched q are multiples of 2^-96
_BITS = 400  # of bounds of ratios that are to be told from a level
_CLOSE = 1 << 30  # of them: how far a constant q may be from the least one


def constant_side(side: DesignSide) -> SideDesign:
    """Return the least q such that q_k = q for all k keeps the one-sided leakage; `least` bounds
    every such sum.

    >>> from pufferproof.models.sequences.binary import BinaryChain, Budget
    >>> from pufferproof.models.numbers.level import Level
    >>> constant_side(DesignSide.of(BinaryChain("1/4", "1/2", 2), 1, Budget(Level.log("3/2")))).q
    (Fraction(1, 5),)
    """
    if side.size <= 1:
        return single_side(side)
    low, high, constant = 0, 1 << _GRAIN, _Constant(side)
    guess = constant.guess()
    for candidate in (guess - _CLOSE // 2, guess + _CLOSE // 2):
        if low < candidate < high:
            kept = constant.keeps(candidate)
            low, high = (low, candidate) if kept else (candidate, high)
    while high - low > _CLOSE:
        middle = (low + high) // 2
        kept = constant.keeps(middle)
        low, high = (low, middle) if kept else (middle, high)
    return SideDesign((Fraction(high, 1 << _GRAIN),) * side.size, side.size * Fraction(low, 1 << _GRAIN))


class _Constant:
    """The last event of a side with one q for all medium records.

    Its likelihoods, common value first, are P^D (diag(q, 1) P)^(N-1) diag(q, 1) h, h being P (0,
    1), or (1, 1) at the end of the chain.
    """

    def __init__(self, side: DesignSide) -> None:
        self.side = side
        self.step, self.start = (
            integers([entry for row in side.power(distance) for entry in row]) for distance in (1, side.first)
        )
        self.last = (self.step[1], self.step[3]) if side.released else (1, 1)

    def event(self, q: object, unit: object, number: Callable[[int], Any]) -> tuple[Any, Any]:
        """Return the likelihoods up to a factor, for q times a unit."""
        step, start, last = (tuple(map(number, each)) for each in (self.step, self.start, self.last))
        square, left = ((q * step[0], q * step[1], unit * step[2], unit * step[3]), self.side.size - 1)
        while left:
            if left & 1:
                start = _product(start, square)  # all powers of one matrix: in any order
            square, left = _product(square, square), left >> 1
        a, b, c, d = start
        return a * q * last[0] + b * unit * last[1], c * q * last[0] + d * unit * last[1]

    def keeps(self, q: int) -> bool:
        """Decide whether a constant q, over 2^96, keeps the budget, by bounds if they tell."""
        from flint import fmpz

        common, rare = map(int, self.event(fmpz(q), fmpz(1 << _GRAIN), fmpz))
        low, compare = Fraction((rare << _BITS) // common, 1 << _BITS), self.side.budget.compare
        if compare(low) > 0:
            return False
        return compare(low + Fraction(1, 1 << _BITS)) <= 0 or compare(Fraction(rare, common)) <= 0

    def guess(self) -> int:
        """Return about the least constant q, over 2^96, by bisection; nothing rests on it."""
        from flint import arb, ctx

        with ctx.workprec(BITS):
            e, low, high = self.side.ratio_ball(), ball(0), ball(1)
            for _ in range(_GRAIN):
                middle = ((low + high) / 2).mid()
                common, rare = self.event(middle, ball(1), arb)
                low, high = (low, middle) if e * common > rare else (middle, high)
            return int(dyadic(high.mid()) * (1 << _GRAIN))


class _Matrix(NamedTuple):
    """A matrix of two rows, row by row."""

    a: Any
    b: Any
    c: Any
    d: Any


def _product(left: Sequence[Any], right: Sequence[object]) -> _Matrix:
    (a, b, c, d), (e, f, g, h) = left, right
    return _Matrix(a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)


def exact_side(side: DesignSide) -> SideDesign:
    """Return the best q of one side under its exact leakage, with a proven lower bound of every
    feasible sum.

    For lam > 0 let rho_d and sigma_d be the ratios P(. | X_p = common) / P(. | X_p = rare) of
    "nothing nearer than d is released and X_d = common", "... X_d = rare". The next pair are
    mediants of (q-weighted) rho and sigma <= rho, so that rho falls and sigma rises: no output
    exceeds e^budget, and the last one (the rare value at the first small record, or nothing
    released) has the least ratio, at least e^-budget iff all have (redaction.one-constraint). That
    ratio increases in every q_k.
    """
    if side.size <= 1:
        return single_side(side)
    curve, shape = curve_of(side.chain), Shape(side.chain.common_value, side.first, side.small, side.count)
    low, high = side.ratio_bounds()
    most = most_gain(curve, (shape,), SideBudget.between(low, high), -1.0)
    if not most.thetas:
        raise AssertionError("a side has a best design")
    weight = side.chain.stationary_law[shape.value]
    least = max(Fraction(0), side.size - (Fraction(most.upper * UP) - side.released) / weight)
    near = Profile.near(side.chain, shape, curve.q(shape, most.thetas[0]))
    nearer = near.with_ratio(1 / low, False)
    # feasible, while the bound stays what it is
    q = constant_side(side).q if nearer is None else nearer.q
    return SideDesign(q, min(least, sum(q, Fraction(0))))


def single_side(side: DesignSide) -> SideDesign:
    """Return the least q of at most one medium record, for an eigenvalue of any sign.

    Each output and direction asks for q p (E A(x) - A(y)) >= r (B(y) - E B(x)), A, B the columns of
    P^D, (p, r) a column of P, or (1, 1) at the end of the chain; E A(x) >= A(y) as the common value
    may be shown.
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
