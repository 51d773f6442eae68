"""Redaction that sees all records at once: its optimum for two records, under perfect privacy, and
what locality costs.

A central redaction mechanism chooses the set of released records given the whole sequence. Expected
numbers of released records throughout; P = [[1-a, a], [b, 1-b]], lam = 1-a-b, R = e^eps, pi0 =
b/(a+b), pi1 = a/(a+b). Source of the setting: massny2025, which considers local mechanisms.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import Eq

from pufferproof.claims.papers.massny2025.influence.instances import Chain
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

R, a, b, q, u, v, w = sympy.symbols("R a b q u v w")
A, B, C, D, M, N = sympy.symbols("A B C D M N")
CHAIN = [a > 0, a <= b, b < 1]
SIGNS = {"lam > 0": a + b < 1, "lam < 0": a + b > 1}


def bounds(name: str) -> tuple[sympy.Expr, sympy.Expr, sympy.Expr]:
    """Return the three numbers whose minimum, over a + b, is the central optimum for two
    records.
    """
    if name == "lam > 0":
        first = R * (a**2 + b**2) + 2 * a * b
        return first, b * (1 + a - (1 - b) / R) + a * (b + R * a), a + b
    first = b * (1 - a + R * (1 - b)) + a * (R * (1 - a) + 1 - b)
    return first, b * (1 - a + R * (1 - b)) + a * (2 - b - a / R), a + b


def two_record_optimum(of: Chain, level: Fraction) -> Fraction:
    """Return the number of records that the best central mechanism releases, n = 2, for a chain
    with a <= b.
    """
    at = {a: _exact(of.a), b: _exact(of.b), R: _exact(level)}
    values = [each.subs(at) for each in bounds("lam > 0" if of.eigenvalue > 0 else "lam < 0")]
    least = min(values) / (at[a] + at[b])
    return Fraction(int(least.p), int(least.q)) if of.eigenvalue else Fraction(1)


def _exact(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)


@claim(
    "redaction.central-two",
    where="Central redaction",
    statement="n = 2, a <= b, lam not 0: the best central mechanism, which chooses the set of "
    "released records given all of them, releases min(1, U, V) records in expectation. lam > "
    "0: (a+b) U = R (a^2 + b^2) + 2ab, (a+b) V = b (1 + a - (1-b)/R) + a (b + Ra). lam < 0: "
    "(a+b) U = b (1 - a + R(1-b)) + a (R(1-a) + 1 - b), (a+b) V = b (1 - a + R(1-b)) + a (2 - "
    "b - a/R).",
    kind="closed form",
)
def central_two(check: Check) -> None:
    """Prove it by weak duality, with multipliers, and by a mechanism for each case."""
    for name in SIGNS:
        with check.reading(name, f"all 0 < a <= b < 1 with {name}, every R >= 1") as argument:
            argument.cite(
                "X_p", "cannot be shown at a finite level, by any output", "redaction.central-own"
            )
            _dual(argument, name)
            _primal(argument, name)
        check.near_miss(f"{name}: 1% less than U", partial(_dual, name=name, tight=True))
        check.near_miss(f"{name}: U alone", partial(_primal, name=name, alone=True))


def _variables(name: str) -> list[sympy.Rel]:
    """Constraints on A, B = P(X_2 = 0, 1 released | X_p = 0) and C, D given X_p = 1."""
    limits = [A <= 1 - a, B <= a, C <= b, D <= 1 - b, A >= 0, B >= 0, C >= 0, D >= 0]
    ratios = [A <= R * C, C <= R * A, B <= R * D, D <= R * B]
    return [*limits, *ratios, 1 - A - B <= R * (1 - C - D), 1 - C - D <= R * (1 - A - B)]


def _dual(argument: Argument, name: str, tight: bool = False) -> None:
    first, second, _ = bounds(name)
    goal = b * (A + B) + a * (C + D)
    if tight:
        first = sympy.Rational(99, 100) * first
    first_used, last = ([A <= R * C, D <= R * B, C <= b, B <= a], 1 - C - D <= R * (1 - A - B))
    if name == "lam < 0":
        first_used, last = (
            [C <= R * A, B <= R * D, A <= 1 - a, D <= 1 - b],
            1 - A - B <= R * (1 - C - D),
        )
    assumed = [*CHAIN, R >= 1]
    argument.inequality(
        "at most U",
        "A, B are the probabilities that X_2 is released and 0, 1 given X_p = 0, C, D those given "
        "X_p = 1: two outputs, each weighted",
        goal <= first,
        [*first_used, *assumed],
    )
    argument.inequality(
        "at most V",
        "with the output * as well; multiplied by R",
        R * goal <= sympy.expand(R * second),
        [*first_used, last, *assumed],
    )
    argument.inequality(
        "at most 1", "probabilities", goal <= a + b, [A + B <= 1, C + D <= 1, *assumed]
    )


def _primal(argument: Argument, name: str, alone: bool = False) -> None:
    first, second, _ = bounds(name)
    if name == "lam > 0":
        small, large, end = b * (R + 1) <= 1, b * (R + 1) >= 1, R * a <= 1 - b
        points = [(R * b, a, b, R * a), (1 - (1 - b) / R, a, b, R * a)]
    else:
        small, large, end = (1 - a) * (R + 1) <= 1, (1 - a) * (R + 1) >= 1, R * (1 - b) <= a
        points = [(1 - a, R * (1 - b), R * (1 - a), 1 - b), (1 - a, R * (1 - b), 1 - a / R, 1 - b)]
    cases = [("U", small, points[0], first), ("V", large, points[1], second)]
    for which, case, point, value in cases:
        assumed = [*CHAIN, SIGNS[name], R >= 1, *([] if alone else [case]), end]
        kept = sympy.And(
            *(
                each.subs(dict(zip((A, B, C, D), point)), simultaneous=True)
                for each in _variables(name)
            )
        )
        argument.inequality(
            f"{which} is its value",
            f"N is a + b times the expected number for A, B, C, D = {', '.join(map(str, point))}",
            Eq(N, value),
            [Eq(N, b * (A + B) + a * (C + D)), *map(Eq, (A, B, C, D), point), R >= 1],
        )
        argument.inequality(
            f"{which} is attained", "all limits and ratios are kept there", kept, assumed
        )
    argument.inequality(
        "1 is attained",
        "where i1(1) <= eps all of X_2 is released",
        (1 - a <= R * b) & (b <= R * (1 - a)) & (a <= R * (1 - b)) & (1 - b <= R * a),
        [
            *CHAIN,
            SIGNS[name],
            R >= 1,
            (R * a >= 1 - b) if name == "lam > 0" else (R * (1 - b) >= a),
        ],
    )


@claim(
    "redaction.central-own",
    where="Central redaction",
    statement="A mechanism of finite leakage about X_p never releases X_p: local or central, for "
    "every law of the records under which X_p has at least two possible values.",
    kind="lemma",
)
def central_own(check: Check) -> None:
    """Prove that an output that shows X_p = x has probability 0 given another value of X_p."""
    name = "as stated"
    with check.reading(name, "all laws under which X_p is not certain") as argument:
        _own(argument)
    check.near_miss(
        f"{name}: an output that does not show X_p", lambda argument: _own(argument, hidden=True)
    )
    check.near_miss(f"{name}: a certain X_p", lambda argument: _own(argument, certain=True))


def _own(argument: Argument, hidden: bool = False, certain: bool = False) -> None:
    argument.inequality(
        "its outputs",
        "u, v are the probabilities of an output that shows X_p = x, given X_p = x and given "
        "another possible value of X_p. R is the ratio of the leakage, which compares every two "
        "possible values",
        Eq(u, 0),
        [
            *([] if certain else [u <= R * v]),
            *([] if hidden else [Eq(v, 0)]),
            u >= 0,
            v >= 0,
            R >= 1,
        ],
    )


COST, STRICT, MOST = (
    "below the level e^i1(1)",
    "from the level e^i1(1) on",
    "the largest difference is 1 record",
)


@claim(
    "redaction.locality-two",
    where="Central redaction",
    statement="n = 2, a <= b: the best central mechanism releases strictly more in expectation "
    "than the best local one iff eps < i1(1), so lam is not 0. The difference is less than 1 "
    "record; at eps = 0 it is 1 - |lam| where lam is not 0, so no smaller bound holds for all "
    "a, b, eps.",
)
def locality_two(check: Check) -> None:
    """Compare the two closed forms."""
    with check.reading(COST, "all 0 < a <= b < 1 with a + b != 1, every R >= 1") as argument:
        _closed_forms(argument)
        for name in SIGNS:
            _more(argument, name)
    check.near_miss(
        f"{COST}: by a tenth of a record",
        lambda argument: _more(argument, "lam > 0", sympy.Rational(1, 10)),
    )
    with check.reading(STRICT, "all 0 < a <= b < 1, every R >= 1") as argument:
        argument.cite(
            "all records but p", "are released by a local mechanism", "massny2025.x-dim-leakage"
        )
        _whole(argument)
    check.near_miss(f"{STRICT}: X_p too", lambda argument: _whole(argument, own=True))
    with check.reading(MOST, "all 0 < a <= b < 1, every R >= 1") as argument:
        _closed_forms(argument)
        for name in SIGNS:
            _perfect(argument, name)
            _largest(argument, name)
    check.near_miss(
        f"{MOST}: 99/100", lambda argument: _largest(argument, "lam > 0", sympy.Rational(99, 100))
    )


def _closed_forms(argument: Argument) -> None:
    argument.cite("central", "min(1, U, V)", "redaction.central-two")
    argument.cite("local", "0 below e^i0(1), then pi0 (1 - q)", "redaction.two-records")


def _more(argument: Argument, name: str, least: sympy.Rational | int = 0) -> None:
    first, second, whole = bounds(name)
    negative = name == "lam < 0"
    # w = R q, from equality in the constraint of the output *
    tight = Eq(b * w, (1 - a) * q + a - R * (1 - b)) if negative else w >= b * q + 1 - b - R * a
    reach, low = (R * (1 - a), b) if negative else (R * b, 1 - a)
    below = R * (1 - b) < a if negative else R * a < 1 - b
    assumed, part = [*CHAIN, SIGNS[name], R >= 1, below], least * (a + b)
    nothing = [reach < low]
    argument.inequality(
        f"nothing local, {name}",
        "below e^i0(1) the local optimum is 0; U, V (multiplied by R) and 1 are positive",
        (first > part) & (sympy.expand(R * second) > R * part),
        [*assumed, *nothing],
    )
    partial = [*assumed, reach >= low, q >= 0, q < 1]
    argument.inequality(
        f"U and 1, {name}",
        "b (1 - q) is a + b times the local optimum from e^i0(1) on",
        (b * (1 - q) + part < first) & (b * (1 - q) + part < whole),
        partial,
    )
    if not negative:
        argument.inequality(
            f"w, {name}",
            "equality in the constraint of * is (1-a) w = b q + 1 - b - R a",
            tight,
            [Eq((1 - a) * w, b * q + 1 - b - R * a), w >= 0, *CHAIN],
        )
    argument.inequality(
        f"V, {name}",
        "multiplied by R; w = R q, q with equality in the constraint of *",
        b * (R - w) + R * part < sympy.expand(R * second),
        [*partial, tight, w >= q],
    )


def _whole(argument: Argument, own: bool = False) -> None:
    argument.inequality(
        "nothing is left",
        "N expected records of the central mechanism, M = n - 1 of the local one",
        N <= M,
        [Eq(M, 1), N <= (2 if own else 1)],
    )


def _perfect(argument: Argument, name: str) -> None:
    first, second, _ = (each.subs(R, 1) for each in bounds(name))
    size = 1 - a - b if name == "lam > 0" else a + b - 1
    argument.inequality(
        f"eps = 0, {name}",
        "the local optimum is 0 as i0(1) > 0; min(1, U, V) = 1 - |lam|, over a + b",
        Eq(first, (a + b) * (1 - size)) & Eq(second, (a + b) * (1 - size)) & (size > 0),
        [*CHAIN, SIGNS[name]],
    )


def _largest(argument: Argument, name: str, most: sympy.Rational | int = 1) -> None:
    _, second, whole = bounds(name)
    below = R * (1 - b) < a if name == "lam < 0" else R * a < 1 - b
    argument.inequality(
        f"less than 1, {name}",
        "below e^i1(1) already V < 1 (multiplied by (a+b) R), and from there on nothing is left",
        sympy.expand(R * second) < most * R * whole,
        [*CHAIN, SIGNS[name], R >= 1, below],
    )
