"""The published design program of the 3R mechanism, solved by cvxpy and Clarabel: a second solver,
independent of the closed form (`relaxed`), which it is compared with.

    minimise    q_1 + .. + q_N
    subject to  -(log q_1 + .. + log q_k) <= b_k = budget - delta_k  (k = 1 .. N),  0 <= q_k <= 1

is a program over exponential cones. What the solver returns is a proposal in floats: it is raised a
little, until enclosures and exact powers say that it keeps every constraint.

Source of the program: massny2025, Section IV-B and Appendix A.
"""

import warnings
from collections.abc import Sequence
from fractions import Fraction
from importlib import import_module
from typing import Any

from pufferproof.lp.redaction.regions.relaxed import SideDesign, broken_constraint, room_of
from pufferproof.lp.redaction.side import BITS, DesignSide, above
from pufferproof.models.errors import SolverError, extras

RESTS_ON = ("massny2025.convex-program",)
MOST_MEDIUM = 500  # records of a region
_GRAIN = 80  # q are multiples of 2^-80
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
