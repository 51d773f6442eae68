"""The best mechanism with regions that are revealed, randomised and redacted (3R), one side of the
private record: the published program, in closed form and by a conic solver, and the exact leakage.

Records of the medium region are numbered 1 .. N away from p. Value 1 is always redacted there,
value 0 with probability q_k (0 being the common value). What a choice of q shows on this side is
decided exactly; levels are enclosed by Arb where a search needs numbers. Source of the family:
Massny, Bitar, Ye and El Rouayheb 2025 (massny2025), Section IV; the closed form and the method for
the exact leakage are ours.
"""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pufferproof.lp.redaction.curve import UP, Profile, Shape, SideBudget, curve_of, most_gain
from pufferproof.models.errors import ModelError, SolverError, extras
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.sequences.binary import BinaryChain, Budget

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("redaction.one-constraint",)
BITS = 256  # of working precision of searches


@dataclass(frozen=True)
class DesignSide:
    """The records at distance 1 .. count from p on one side, with their regions for one threshold,
    the side's budget.

    `first` and `small` are the least distances of the medium and of the small region, count + 1
    where there is none.

    >>> from pufferproof.models.numbers.level import Level
    >>> side = DesignSide.of(BinaryChain("1/4", "1/2", 5), 4, Budget(Level.log("7/4")))
    >>> side.first, side.small, side.size, side.released
    (1, 2, 1, 3)

    Source: massny2025, Section II (regions) and IV.
    """

    chain: BinaryChain
    count: int
    budget: Budget
    first: int
    small: int

    @classmethod
    def of(cls, chain: BinaryChain, count: int, budget: Budget) -> "DesignSide":
        """Return the side of `count` records with the regions of its budget."""
        common = chain.common_value
        first = chain.first_distance(common, budget, count) if count else 1
        small = chain.first_distance(1 - common, budget, count) if count else 1
        return cls(chain, count, budget, first, small)

    @property
    def size(self) -> int:
        """N, the number of records of the medium region."""
        return self.small - self.first

    @property
    def released(self) -> int:
        """The number of records of the small region."""
        return self.count + 1 - self.small

    @cached_property
    def switches(self) -> tuple[Fraction, Fraction]:
        """The probabilities of leaving the common value and the rare one, in this order."""
        return min(self.chain.alpha, self.chain.beta), max(self.chain.alpha, self.chain.beta)

    @property
    def ratio(self) -> Fraction | None:
        """e^budget if it is known to be rational."""
        base, part = self.budget.level.ratio, self.budget.part
        if base is not None and (part.denominator == 1 or base == 1):
            return base**part.numerator if base != 1 else base
        return None

    def nats_ball(self) -> "arb":
        """Enclose the budget in nats at the present working precision."""
        level, part = self.budget.level, self.budget.part
        base = ball(level.nats) if level.nats is not None else ball(level.ratio or Fraction(1)).log()
        return base * ball(part)

    def ratio_ball(self) -> "arb":
        """Enclose e^budget at the present working precision."""
        exact = self.ratio
        return ball(exact) if exact is not None else self.nats_ball().exp()

    def ratio_bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of e^budget, equal if it is known to be rational."""
        from flint import ctx

        if self.ratio is not None:
            return self.ratio, self.ratio
        with ctx.workprec(BITS):
            return ends(self.ratio_ball())

    def log_delta_ball(self, k: int) -> "arb":
        """Enclose delta_k: the influence of what is released next behind medium record k; 0 where
        nothing is.

        delta_k = i0(D + 1) if the next record is medium, i1(D + 1) if it is small (massny2025,
        equation 4).
        """
        distance = self.first + k
        if distance > self.count:
            return ball(Fraction(0))
        leave, back = self.switches
        decay, rare = ball(1 - leave - back) ** distance, distance >= self.small
        odds = back / leave if rare else leave / back
        return abs(((1 + ball(odds) * decay) / (1 - decay)).log())

    def delta(self, k: int) -> Fraction:
        """Return e^delta_k exactly."""
        distance = self.first + k
        if distance > self.count:
            return Fraction(1)
        common = self.chain.common_value
        return self.chain.influence(1 - common if distance >= self.small else common, distance) or Fraction(1)

    def likelihoods(self, q: Sequence[Fraction]) -> list[tuple[Fraction, Fraction]]:
        """Return P(event | X_p = common), P(event | X_p = rare) of every event that can be seen on
        this side.

        An event says which released record is nearest and its value, or that none is (see
        `verify.redaction_sides`).
        """
        step = self.power(1)
        rows, events = self.power(self.first), []
        for k in range(self.size):
            if q[k] < 1:
                events.append((rows[0][0], rows[1][0]))
            kept = [(row[0] * q[k], row[1]) for row in rows]
            if self.first + k == self.count:
                return [*events, (kept[0][0] + kept[0][1], kept[1][0] + kept[1][1])]
            rows = [(u * step[0][0] + v * step[1][0], u * step[0][1] + v * step[1][1]) for u, v in kept]
        if self.released:
            return [*events, (rows[0][0], rows[1][0]), (rows[0][1], rows[1][1])]
        return events

    def keeps(self, q: Sequence[Fraction]) -> bool:
        """Decide exactly whether the one-sided leakage with these q is within the budget."""
        seen = [pair for pair in self.likelihoods(q) if any(pair)]
        return all(low > 0 and self.budget.compare(max(pair) / low) <= 0 for pair in seen for low in [min(pair)])

    def power(self, distance: int) -> list[tuple[Fraction, Fraction]]:
        """P^D with the common value first."""
        zero, one = self.chain.power(distance)
        return [zero, one] if not self.chain.swapped else [one[::-1], zero[::-1]]


def sides(chain: BinaryChain, private: int, left: Budget, right: Budget) -> tuple[DesignSide, DesignSide]:
    """Return the two sides of p, each with its budget."""
    return DesignSide.of(chain, private - 1, left), DesignSide.of(chain, chain.length - private, right)


def ends(value: "arb") -> tuple[Fraction, Fraction]:
    """Return rational bounds of a finite Arb ball."""
    return dyadic(value.lower()), dyadic(value.upper())


def dyadic(value: "arb") -> Fraction:
    """Return an Arb number without radius as a fraction."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def above(value: Fraction, bits: int) -> Fraction:
    """Round up to a multiple of 2^-bits, at most 1."""
    return min(Fraction(-((-value.numerator << bits) // value.denominator), 1 << bits), Fraction(1))


# The published design program,
#
#     minimise    q_1 + .. + q_N
#     subject to  -(log q_1 + .. + log q_k) <= b_k = budget - delta_k  (k = 1 .. N),  0 <= q_k <= 1,
#
# is solved by q_k = exp(h(k-1) - h(k)), h the lower convex hull of (0, 0), (1, b_1), .., (N, b_N).
# The hull is proposed in floats. Trust is in two bounds: rational q, rounded up, whose constraints
# are decided by enclosures (by exact powers where those touch), and weak duality,
#
#     sum q >= sum y_k (1 - log y_k) - sum (y_k - y_(k+1)) b_k  for every non-increasing y > 0.
RELAXED_RESTS_ON = ("massny2025.convex-program", "massny2025.x-relaxed-optimum", "redaction.relaxed-two-values")
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


# The same program over exponential cones, solved by cvxpy and Clarabel. What the solver returns is a
# proposal in floats: it is raised a little, until enclosures and exact powers say that it keeps
# every constraint.
CONIC_RESTS_ON = ("massny2025.convex-program",)
MOST_MEDIUM = 500  # records of a region
_FIRST, _LAST = 11, 4  # digits of what q are raised by
_TIGHT = {"tol_gap_abs": 1e-11, "tol_gap_rel": 1e-11, "tol_feas": 1e-11}


def conic_side(side: DesignSide) -> SideDesign:
    """Solve the published program of one side by a conic solver; `least` is the sum reached, as a
    solver proves none.

    >>> from pufferproof.models.sequences.binary import BinaryChain, Budget
    >>> from pufferproof.models.numbers.level import Level
    >>> solved = conic_side(DesignSide.of(BinaryChain("1/4", "1/2", 2), 1, Budget(Level.log("8/5"))))
    >>> abs(float(solved.total) - 5 / 8) < 1e-9
    True

    Raises `SolverError` unless the solver finds a point near one that keeps the constraints.
    """
    from flint import ctx

    if not side.size:
        return SideDesign((), Fraction(0))
    proposal = conic_q_approx(heights_approx(side))
    with ctx.workprec(BITS):
        room = room_of(side)
        for digits in range(_FIRST, _LAST - 1, -1):
            slack = Fraction(1, 10**digits)
            q = tuple(_raised(value, slack) for value in proposal)
            if broken_constraint(side, room, q) is None:
                return SideDesign(q, sum(q, Fraction(0)))
    raise SolverError("the conic solver ended too far from what keeps the constraints")


def _raised(value: float, slack: Fraction) -> Fraction:
    exact = Fraction(max(value, 0.0))
    return min(above(exact * (1 + slack) + slack / 1000, _GRAIN), Fraction(1))


def conic_q_approx(heights: Sequence[float]) -> list[float]:
    """Solve the program as it is printed with an exponential-cone solver: the q for bounds b_1 ..
    b_N.

    >>> [round(q, 2) for q in conic_q_approx([1.0, 1.0, 4.0])]
    [0.61, 0.61, 0.05]

    Raises `SolverError` unless the solver finds a point.
    """
    with extras:
        cvxpy: Any = import_module("cvxpy")
    q = cvxpy.Variable(len(heights))
    constraints = [-cvxpy.cumsum(cvxpy.log(q)) <= list(heights), q >= 0, q <= 1]
    return solved_approx(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(q)), constraints), q)


def solved_approx(problem: Any, variable: Any) -> list[float]:
    """Solve a convex program by Clarabel and return a variable; nothing may rest on it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a solution may be inaccurate
        problem.solve(solver="CLARABEL", **_TIGHT)
    if variable.value is None:
        raise SolverError(f"the conic solver ended with {problem.status}")
    return [float(value) for value in variable.value]


def heights_approx(side: DesignSide) -> list[float]:
    """Return the bounds b_k = budget - delta_k of one side, up to rounding."""
    from flint import ctx

    with ctx.workprec(BITS):
        return [float(value.mid()) for value in room_of(side)]


# The best q under the exact leakage of one side: constant, or one q for each medium record,
#
#     minimise q_1 + .. + q_N  subject to  one-sided leakage <= budget,  0 <= q_k <= 1.
#
# For lam > 0 there is one constraint, and the designs are the shapes of
# `pufferproof.lp.redaction.curve` with the end where the rare value fits: the optimum is a point of
# its curve, and all of those are enclosed. For lam <= 0 the medium region has at most one record and
# its q is bounded by linear inequalities.
EXACT_RESTS_ON = (
    "redaction.one-constraint",
    "redaction.exact-shape",
    "redaction.exact-constant",
    "redaction.exact-single",
)
_EXACT_GRAIN = 96  # searched q are multiples of 2^-96
_RATIO_BITS = 400  # of bounds of ratios that are to be told from a level
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
    low, high, constant = 0, 1 << _EXACT_GRAIN, _Constant(side)
    guess = constant.guess()
    for candidate in (guess - _CLOSE // 2, guess + _CLOSE // 2):
        if low < candidate < high:
            kept = constant.keeps(candidate)
            low, high = (low, candidate) if kept else (candidate, high)
    while high - low > _CLOSE:
        middle = (low + high) // 2
        kept = constant.keeps(middle)
        low, high = (low, middle) if kept else (middle, high)
    return SideDesign((Fraction(high, 1 << _EXACT_GRAIN),) * side.size, side.size * Fraction(low, 1 << _EXACT_GRAIN))


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

    def event(self, q: Any, unit: Any, number: Callable[[int], Any]) -> tuple[Any, Any]:
        """Return the likelihoods up to a factor, for q times a unit."""
        step, start = ((number(a), number(b), number(c), number(d)) for a, b, c, d in (self.step, self.start))
        last = number(self.last[0]), number(self.last[1])
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

        common, rare = map(int, self.event(fmpz(q), fmpz(1 << _EXACT_GRAIN), fmpz))
        low, compare = Fraction((rare << _RATIO_BITS) // common, 1 << _RATIO_BITS), self.side.budget.compare
        if compare(low) > 0:
            return False
        return compare(low + Fraction(1, 1 << _RATIO_BITS)) <= 0 or compare(Fraction(rare, common)) <= 0

    def guess(self) -> int:
        """Return about the least constant q, over 2^96, by bisection; nothing rests on it."""
        from flint import arb, ctx

        with ctx.workprec(BITS):
            e, low, high = self.side.ratio_ball(), ball(0), ball(1)
            for _ in range(_EXACT_GRAIN):
                middle = ((low + high) / 2).mid()
                common, rare = self.event(middle, ball(1), arb)
                low, high = (low, middle) if e * common > rare else (middle, high)
            return int(dyadic(high.mid()) * (1 << _EXACT_GRAIN))


_Matrix = tuple[Any, Any, Any, Any]  # of two rows, row by row, of any numbers


def _product(left: _Matrix, right: _Matrix) -> _Matrix:
    (a, b, c, d), (e, f, g, h) = left, right
    return a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h


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
        q = above(
            max(Fraction(0), max(dyadic(bound.upper()) for bound in bounds)) + Fraction(1, 1 << _EXACT_GRAIN),
            _EXACT_GRAIN,
        )
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
