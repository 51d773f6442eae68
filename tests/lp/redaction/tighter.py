"""The published design program of the 3R mechanism by a conic solver, and convex ones that are
tighter, each proved to keep the level: what `relaxed_side` and `exact_side` are compared with.

With A(q), B(q) the likelihoods of the last event of a side given X_p = common, rare, the side keeps
its budget iff B(q) <= e^budget A(q), and B(1) / A(1) = e^delta_N. In place of that:

- published: delta_N - sum log q_k <= budget;
- *weighted*: delta_N - sum w_k log q_k <= budget with w_k = P(X_k common | X_p common, event) < 1,
  solved by q_k = min(1, mu w_k);
- *condensed*: A replaced by its tangent A(q') prod (q_k / q'_k)^(w_k) at a feasible q', a geometric
  program that is exact at q'. Repeating never gets worse; limits are stationary points of the exact
  program (Marks and Wright, "A general inner approximation algorithm for nonconvex mathematical
  programs", 1978).

Every q returned is decided by exact arithmetic. For lam <= 0, N <= 1 and the best q has a closed
form (`single_side`). Nothing here bounds the exact optimum. Source of the published bound:
massny2025, equation 4; the programs here are ours.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp, log
from typing import Any

from pufferproof.lp.redaction.regions import BITS, DesignSide, SideDesign, above, dyadic, single_side, solved_approx
from pufferproof.models.numbers.enclosures import ball

_GRAIN = 80  # q are multiples of 2^-80
# a conic solver's q are raised by 1 / this many, then more, until the level is kept
_SOLVER_SLACK = 10**7


def weights(side: DesignSide) -> tuple[Fraction, ...]:
    """Return w_1 .. w_N: the probability that a medium record is common, given that X_p is and the
    last event of the side.

    >>> from pufferproof.models.sequences.binary import BinaryChain, Budget
    >>> from pufferproof.models.numbers.level import Level
    >>> weights(DesignSide.of(BinaryChain("1/4", "1/2", 2), 1, Budget(Level.log("8/5"))))
    (Fraction(3, 4),)
    """
    last, chances = side.first + side.size, []
    for distance in range(side.first, last):
        chance = side.power(distance)[0][0]
        if side.released:
            chance *= side.power(last - distance)[0][1] / side.power(last)[0][1]
        chances.append(chance)
    return tuple(chances)


def weighted_side(side: DesignSide) -> SideDesign:
    """Solve the weighted program of one side: feasible rational q, and a proven lower bound of its
    optimum.

    >>> from pufferproof.models.sequences.binary import BinaryChain, Budget
    >>> from pufferproof.models.numbers.level import Level
    >>> from pufferproof.lp.redaction.regions import relaxed_side
    >>> side = DesignSide.of(BinaryChain("1/100", "4/5", 10), 9, Budget(Level.parse("1")))
    >>> round(float(relaxed_side(side).total), 4), round(float(weighted_side(side).total), 4)
    (1.5148, 1.4547)
    """
    from flint import ctx

    if side.size == 0 or side.chain.eigenvalue <= 0:
        return single_side(side)
    chosen = weights(side)
    with ctx.workprec(BITS):
        room = side.nats_ball() - side.log_delta_ball(side.size)
        w = [ball(value) for value in chosen]
        mu = _multiplier(w, room)
        q = tuple(_raised(mu * value) for value in w)
        kept = sum((value * ball(x).log() for value, x in zip(w, q)), room)
        if min(q) < 1 and not kept >= 0:
            raise AssertionError("the proposed q break the weighted constraint")
        point = [ball(1) if mu * value >= 1 else mu * value for value in w]
        least = sum((x - mu * value * x.log() for value, x in zip(w, point)), -mu * room)
        bound = max(Fraction(0), dyadic(least.lower()))
    if not side.keeps(q):
        raise AssertionError("q of a tighter program leak more than the budget")
    return SideDesign(q, bound)


def condensed_sides(side: DesignSide, start: SideDesign, rounds: int) -> Iterator[SideDesign]:
    """Yield `start` and designs that improve it, one for each geometric program solved, until
    nothing is gained.

    Args:
        start: a design of this side that keeps its budget, as from `relaxed_side` or
            `weighted_side`.
        rounds: the most programs to solve.

    The sums never grow. `least` is that of `start`: a bound of its program, not of the exact one.
    Raises `SolverError` unless the conic solver finds a point.
    """
    yield start
    if side.size < 2 or side.chain.eigenvalue <= 0:
        if rounds and (best := single_side(side)).total < start.total:
            yield best
        return
    for _ in range(rounds):
        proposal = _condensed_approx(side, start.q)
        design = _repaired(side, proposal)
        if design is None or sum(design) >= start.total:
            return
        start = SideDesign(design, start.least)
        yield start


def _multiplier(w: Sequence[Any], room: Any) -> Any:
    """Return mu with sum over k of w_k log min(1, mu w_k) = -room, the largest weights at 1
    first.
    """
    order = sorted(w, key=lambda value: float(value.mid()), reverse=True)
    for ones in range(len(order)):
        free = order[ones:]
        logs = sum((value * value.log() for value in free), room)
        mu = (-logs / sum(free[1:], free[0])).exp()
        if not mu * free[0] > 1:
            return mu
    return 1 / order[-1]


def _raised(value: Any) -> Fraction:
    return above(dyadic(value.upper()) + Fraction(1, 1 << _GRAIN), _GRAIN)


def _repaired(side: DesignSide, proposal: Sequence[float]) -> tuple[Fraction, ...] | None:
    """Return a solver's q raised a little so that they keep the budget, decided exactly; None
    if that takes too much.
    """
    slack = Fraction(1, _SOLVER_SLACK)
    for _ in range(12):
        q = tuple(above(Fraction(max(value, 0.0)) * (1 + slack) + slack / 1000, _GRAIN) for value in proposal)
        if side.keeps(q):
            return q
        slack *= 2
    return None


def _condensed_approx(side: DesignSide, q: Sequence[Fraction]) -> list[float]:
    """Solve the geometric program around q, in logarithms: B by its recursion along the side, A
    by its tangent.
    """
    import cvxpy

    size, one = side.size, [float(x) for x in side.power(side.first)[1]]
    step = [[log(x) for x in row] for row in side.power(1)]
    end = side.first + size > side.count
    value, slopes = _tangent_approx(side, q)
    s, b = cvxpy.Variable(size), cvxpy.Variable((size + 1, 2))
    constraints = [s <= 0, b[0, 0] == log(one[0]), b[0, 1] == log(one[1])]
    for k in range(size):
        kept = s[k] + b[k, 0]
        if k == size - 1 and end:
            constraints.append(cvxpy.log_sum_exp(cvxpy.hstack([kept, b[k, 1]])) <= b[size, 1])
            break
        for z in (0, 1):
            if z == 1 or k < size - 1:
                terms = [kept + step[0][z], b[k, 1] + step[1][z]]
                constraints.append(cvxpy.log_sum_exp(cvxpy.hstack(terms)) <= b[k + 1, z])
    rise = sum(slope * (s[k] - log(x)) for k, (slope, x) in enumerate(zip(slopes, q)))
    constraints.append(b[size, 1] <= _nats_approx(side) + value + rise)
    return [exp(x) for x in solved_approx(cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(cvxpy.exp(s))), constraints), s)]


def _nats_approx(side: DesignSide) -> float:
    from flint import ctx

    with ctx.workprec(BITS):
        return float(side.nats_ball().mid())


def _tangent_approx(side: DesignSide, q: Sequence[Fraction]) -> tuple[float, list[float]]:
    """Return log A and its derivatives in log q_1 .. log q_N."""
    ahead = [side.power(side.first)[0]]
    step = side.power(1)
    for value in q[:-1]:
        u, v = ahead[-1][0] * value, ahead[-1][1]
        ahead.append((u * step[0][0] + v * step[1][0], u * step[0][1] + v * step[1][1]))
    end = side.first + side.size > side.count
    after = [(Fraction(1), Fraction(1)) if end else (step[0][1], step[1][1])]
    for value in reversed(q[1:]):
        u, v = after[-1][0] * value, after[-1][1]
        after.append((step[0][0] * u + step[0][1] * v, step[1][0] * u + step[1][1] * v))
    after.reverse()
    shares = [(x[0] * value * y[0], x[1] * y[1]) for x, y, value in zip(ahead, after, q)]
    return log(sum(shares[-1])), [float(common / (common + rare)) for common, rare in shares]
