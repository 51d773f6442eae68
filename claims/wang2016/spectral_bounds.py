"""The bound of Lemma A.1 on powers of a chain: the printed steps, with their signs repaired, and the lemma itself.

Letters: l = |lam_*|^t, p = pi(x), q = pi(y), m = pi_min, D = Delta_t; X, Y entries u_i(x), u_i(y). Two-state and three-state
chains are evaluated exactly. Source: wang2016, appendices A.4 and A.5.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy
from sympy import Abs, And, Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.claims.wang2016.chain_instances import (
    Matrix,
    deviation,
    eigenvalues,
    exceeds,
    matrices,
    matrix,
    power,
    rational,
    reversible,
    settled,
)
from pufferproof.claims.wang2016.spectral import EVEN, REVERSIBLE
from pufferproof.models.priors import stationary_law
from pufferproof.verify.proof import Argument

P, Q, U, X, Y, S, C, A, B, l, g, m, p, q, D = sympy.symbols("P Q U X Y S C A B l g m p q D")  # noqa: E741
ODD = matrix("1/4 3/4", "3/4 1/4")  # eigenvalue -1/2
PATH = matrix("1/2 1/2 0", "1/4 1/2 1/4", "0 1/2 1/2")  # eigenvalues 1, 1/2, 0


@claim(
    "wang2016.A5-cauchy",
    where="Appendix A.5",
    statement="|P^t(x,y)/pi(y)-1| = sum_{i>=2} u_i(y)lam_i^t u_i(x) <= sum_{i>=2} u_i(y)lam_*^t u_i(x) <= lam_*^t [sum_{i>=2} "
    "u_i(x)^2 sum_{i>=2} u_i(y)^2]^(1/2), lam_* the eigenvalue with second largest absolute value.",
    kind="lemma (proof step)",
    repair="wang2016.x-A5-cauchy",
)
def cauchy(check: Check) -> None:
    """Each of the three relations fails where signs differ; with absolute values they hold."""
    with check.reading("first relation", "two states, eigenvalue 1/4, t = 1, x != y: the sum is P/pi - 1") as argument:
        argument.counterexample(
            "a negative sum", "the left side is not negative, the sum is",
            {"P": EVEN, "x": 0, "y": 1, "sum": _rest(EVEN, 0, 1, 1)},
            lambda: abs(_rest(EVEN, 0, 1, 1)) != _rest(EVEN, 0, 1, 1),
        )  # fmt: skip
    with check.reading("second relation", "three states, eigenvalues 1, 1/2, 0, t = 1, x != y") as argument:
        argument.counterexample(
            "sums of products", "the sum without eigenvalues is -1 for x != y: lam_* times it is -1/2, the left side is 0",
            {"P": PATH, "x": 0, "y": 1, "left": _rest(PATH, 0, 1, 1), "right": Fraction(1, 2) * _rest(PATH, 0, 1, 0)},
            lambda: _star(PATH) == Fraction(1, 2) and _rest(PATH, 0, 1, 1) > _star(PATH) * _rest(PATH, 0, 1, 0),
        )  # fmt: skip
    with check.reading("third relation", "two states, eigenvalue -1/2, t = 1") as argument:
        argument.counterexample(
            "a negative eigenvalue", "the sums of squares are 1/pi(x) - 1 = 1: the last expression is -1/2, the first is not "
            "negative, and the one between is 1/2 for x != y",
            {"P": ODD, "x": 0, "y": 1, "between": _star(ODD) * _rest(ODD, 0, 1, 0), "right": _star(ODD)},
            lambda: _star(ODD) * _rest(ODD, 0, 1, 0) > _star(ODD) * _rest(ODD, 0, 0, 0),
        )  # fmt: skip
    name = "with absolute values of all terms and of lam_*"
    with check.reading(name, REVERSIBLE) as argument:
        _cauchy(argument)
    check.near_miss(f"{name}: nine tenths of lam_*", lambda argument: _cauchy(argument, sympy.Rational(9, 10)))


@claim(
    "wang2016.x-A5-cauchy",
    where="Appendix A.5, repaired",
    statement="|P^t(x,y)/pi(y)-1| <= sum_{i>=2} |u_i(y)||lam_i|^t|u_i(x)| <= |lam_*|^t [sum_{i>=2} u_i(x)^2 sum_{i>=2} "
    "u_i(y)^2]^(1/2).",
    kind="repair of wang2016.A5-cauchy",
)
def cauchy_repaired(check: Check) -> None:
    """Triangle inequality, |lam_i|^t <= |lam_*|^t, Cauchy and Schwarz."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _cauchy(argument)
    check.near_miss("as stated: nine tenths of lam_*", lambda argument: _cauchy(argument, sympy.Rational(9, 10)))


def _cauchy(argument: Argument, share: sympy.Rational | int = 1) -> None:
    argument.cite("the sum", "P^t(x,y)/pi(y) - 1 is the sum over i >= 2", "wang2016.x-A5-expansion")
    argument.induction(
        "powers", "q = |lam_i|^t and l = |lam_*|^t, 0 <= |lam_i| = p <= m = |lam_*|: the next are p q and m l",
        base=(q <= l, [Eq(q, 1), Eq(l, 1)]), step=(p * q <= m * l, [q <= l, p >= 0, p <= m, q >= 0]),
    )  # fmt: skip
    argument.induction(
        "term by term", "S is the sum of X Y lam^t so far and A that of |X Y|: |S| <= l A",
        base=(Abs(S) <= share * l * A, [Eq(S, X * Y * q), Eq(A, Abs(X * Y)), Abs(q) <= l]),
        step=(Abs(S + X * Y * q) <= l * (A + Abs(X * Y)), [Abs(S) <= l * A, Abs(q) <= l]),
    )  # fmt: skip
    argument.cite("Cauchy and Schwarz", "(sum |X Y|)^2 <= sum X^2 sum Y^2", "lemma.hoelder")


@claim(
    "wang2016.A5-final",
    where="Appendix A.5",
    statement="sum_{i>=2} u_i(x)^2 <= sum_i u_i(x)^2 <= 1/pi(x), because pi(x) = pi(x)^2 sum_i u_i(x)^2; then "
    "|P^t(x,y)/pi(y)-1| <= lam_*^t/sqrt(pi(x)pi(y)) <= e^(-(1-lam_*)t)/pi_min = e^(-g t)/pi_min, g = 1-lam_*.",
    kind="lemma (proof step)",
    repair="wang2016.x-A5-final",
)
def final(check: Check) -> None:
    """False for negative lam_*, with lam_*^t as printed and with g = 1 - lam_*; right with |lam_*|."""
    with check.reading("signs as printed", "two states, eigenvalue -1/2, t = 1") as argument:
        argument.counterexample(
            "a negative bound", "lam_*^t/sqrt(pi(x)pi(y)) = -1",
            {"P": ODD, "t": 1, "left": deviation(ODD, 1), "bound": 2 * _star(ODD)},
            lambda: deviation(ODD, 1) > 2 * _star(ODD) and stationary_law(ODD) == (Fraction(1, 2), Fraction(1, 2)),
        )  # fmt: skip
    with check.reading("|lam_*|^t, but g = 1 - lam_*", "two states, eigenvalue -1/2, t = 1") as argument:
        argument.counterexample(
            "too large a gap", "The left side is 1/2 for every x, y, above 2 e^(-3/2)", {"P": ODD, "t": 1, "g": Fraction(3, 2)},
            lambda: reversible(ODD) and exceeds(ODD, 1, signed=True),
        )  # fmt: skip
    name = "with |lam_*| for lam_*"
    with check.reading(name, REVERSIBLE) as argument:
        _final(argument)
    check.near_miss(f"{name}: a third of the bound on sums of squares", lambda argument: _final(argument, 3))
    name = "lam_* >= 0, as printed"
    with check.reading(name, REVERSIBLE) as argument:
        argument.cite("the repaired form", "|lam_*| = lam_*", "wang2016.x-A5-final")
    check.near_miss(f"{name}: and lam_* < 0", lambda argument: argument.exhaust(
        "t = 1", "deviation and lam_*/pi_min", [EVEN, ODD],
        lambda rows: deviation(rows, 1) * min(stationary_law(rows)) <= _star(rows),
    ))  # fmt: skip


@claim(
    "wang2016.x-A5-final",
    where="Appendix A.5, repaired",
    statement="|P^t(x,y)/pi(y)-1| <= |lam_*|^t/sqrt(pi(x)pi(y)) <= e^(-g t)/pi_min with g = 1 - |lam_*|.",
    kind="repair of wang2016.A5-final",
)
def final_repaired(check: Check) -> None:
    """Sums of squares, square roots as squares, and 1 - g <= e^-g."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _final(argument)
    check.near_miss("as stated: a third of the bound on sums of squares", lambda argument: _final(argument, 3))


def _final(argument: Argument, less: int = 1) -> None:
    argument.cite("Cauchy and Schwarz", "|P^t/pi - 1|^2 <= l^2 A B", "wang2016.x-A5-cauchy")
    argument.inequality(
        "sums of squares", "S = sum_i u_i(x)^2 and U = u_1(x)^2: the rows of V have length 1, so pi(x) S = 1",
        less * (S - U) <= 1 / p, [Eq(p * S, 1), U >= 0, p > 0],
    )  # fmt: skip
    argument.inequality(
        "squares", "m = pi_min: the square of the left side is at most l^2/(p q) <= (l/m)^2",
        And(C**2 * p * q <= l**2, C**2 * m**2 <= l**2),
        [C**2 <= l**2 * A * B, A * p <= 1, B * q <= 1, A >= 0, B >= 0, p >= m, q >= m, m > 0],
    )  # fmt: skip
    argument.cite(
        "1 - g <= e^-g", "e^-g is the limit of (1 - g/n)^n, each of which is at least 1 - g", "lemma.bernoulli"
    )
    argument.induction(
        "(1 - g)^t <= e^(-g t)", "l and q are the powers so far, Q = e^-g", base=(l <= q, [Eq(l, 1), Eq(q, 1)]),
        step=(l * (1 - g) <= q * Q, [l <= q, 1 - g <= Q, g >= 0, g <= 1, l >= 0, Q > 0]),
    )  # fmt: skip


@claim(
    "wang2016.lemA1",
    where="Lemma A.1",
    statement="P a k-state transition matrix with eigengap g_*, pi stationary, pi_min = min pi(x): |P^t(x,y)/pi(y) - 1| <= "
    "exp(-t g_*)/pi_min; equivalently (1-Delta_t)pi(y) <= P^t(x,y) <= (1+Delta_t)pi(y), Delta_t = exp(-t g_*)/pi_min.",
    kind="lemma",
    repair="wang2016.x-lemA1",
)
def lemma(check: Check) -> None:
    """False without reversibility, and with g = 1 - lam_*; right under Condition 4.6 with g = 1 - |lam_*|."""
    scope = "irreducible, aperiodic chains of 2 and 3 states with entries in halves and rational eigenvalues, t <= 8"
    with check.reading("hypotheses as printed in the lemma", scope) as argument:
        _search(argument, reversibly=False)
    scope = "irreducible, aperiodic, reversible chains of 2 states with entries in quarters, t <= 8"
    with check.reading("Condition 4.6, g_* = 1 - lam_*", scope) as argument:
        _search(argument, reversibly=True)
    name = "Condition 4.6, g_* = 1 - |lam_*|"
    with check.reading(name, REVERSIBLE) as argument:
        _lemma(argument)
    check.near_miss(f"{name}: Delta_t without 1/pi_min", lambda argument: _lemma(argument, small=True))


def _search(argument: Argument, reversibly: bool) -> None:
    def family() -> Iterator[tuple[int, Matrix]]:
        for steps in range(1, 9):
            for states, parts in ((2, 4),) if reversibly else ((2, 2), (3, 2)):
                for rows in matrices(states, parts):
                    if (reversible if reversibly else settled)(rows) and rational(rows):
                        yield steps, rows

    found = argument.exhaust(
        "smallest failure", "fewest steps first", family(), lambda at: not exceeds(at[1], at[0], signed=reversibly)
    )
    if found is not None:
        steps, rows = found
        argument.counterexample(
            "the first", "pi_min times the left side is above exp(-t g)",
            {"P": rows, "t": steps, "pi": stationary_law(rows), "eigenvalues": eigenvalues(rows),
             "left": deviation(rows, steps)},
            lambda: settled(rows) and exceeds(rows, steps, signed=reversibly),
        )  # fmt: skip


@claim(
    "wang2016.x-lemA1",
    where="Lemma A.1, repaired",
    statement="P irreducible, aperiodic and reversible, g_* = 1 - |lam_*|: |P^t(x,y)/pi(y) - 1| <= exp(-t g_*)/pi_min, and the "
    "equivalent two-sided bound.",
    kind="repair of wang2016.lemA1",
)
def lemma_repaired(check: Check) -> None:
    """From the repaired last step."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _lemma(argument)
    check.near_miss("as stated: Delta_t without 1/pi_min", lambda argument: _lemma(argument, small=True))


def _lemma(argument: Argument, small: bool = False) -> None:
    argument.cite("the bound", "|P^t(x,y)/pi(y) - 1| <= e^(-g t)/pi_min", "wang2016.x-A5-final")
    argument.inequality(
        "two-sided", "P = P^t(x,y), q = pi(y), D = Delta_t = l/m with l = e^(-g t)", 
        sympy.Equivalent(Abs(P / q - 1) <= l / m, And((1 - D) * q <= P, P <= (1 + D) * q)),
        [Eq(D, l) if small else Eq(D * m, l), q > 0, m > 0, m < 1, l > 0],
    )  # fmt: skip


def _rest(rows: Matrix, x: int, y: int, steps: int) -> Fraction:
    """sum_{i>=2} u_i(y) lam_i^t u_i(x) = P^t(x,y)/pi(y) - 1."""
    return power(rows, steps)[x][y] / stationary_law(rows)[y] - 1


def _star(rows: Matrix) -> Fraction:
    """The eigenvalue with the second largest absolute value."""
    return max((value for value, _ in eigenvalues(rows) if value != 1), key=abs)
