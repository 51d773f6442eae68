"""The bound of Lemma A.1 on powers of a chain: the printed steps, with their signs repaired, and
the lemma itself.

Letters: l = |lam_*|^t, p = pi(x), q = pi(y), m = pi_min, D = Delta_t; X, Y entries u_i(x), u_i(y).
Two-state and three-state chains are evaluated exactly. Source: wang2016, appendices A.4 and A.5.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy
from sympy import Abs, And, Eq

from pufferproof.claims.papers.wang2016.chains.instances import (
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
from pufferproof.claims.papers.wang2016.chains.spectrum import EVEN, REVERSIBLE
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.laws import stationary_law
from pufferproof.verify.proof.argument import Argument

P, Q, U, X, Y, S, C, A, B, D, l, g, m, p, q, z = sympy.symbols("P Q U X Y S C A B D l g m p q z")
ODD = matrix("1/4 3/4", "3/4 1/4")  # eigenvalue -1/2
PATH = matrix("1/2 1/2 0", "1/4 1/2 1/4", "0 1/2 1/2")  # eigenvalues 1, 1/2, 0
NOTATION = {
    "P": "the transition matrix of a chain with states [k], P^t its powers",
    "t": "a number of steps, t >= 0; P^0 = 1 and lam^0 = 1, also for lam = 0",
    "pi": "the stationary law of P, pi_min its least probability",
    "u": "u_i is the i-th eigenvector of P, orthonormal in sum_x f(x) g(x) pi(x), and u_1 that of "
    "lam_1 = 1",
    "lam_*": "the eigenvalue other than lam_1 = 1 that is largest in absolute value; 0 if there is "
    "one state",
    "g": "the eigengap of P",
    "Delta": "Delta_t = exp(-t g_*)/pi_min",
}
WHERE = "For an irreducible, aperiodic, reversible P, all states x, y and t >= 0"


@claim(
    "wang2016.A5-cauchy",
    where="Appendix A.5",
    statement="For these chains (irreducible, aperiodic, reversible): |P^t(x,y)/pi(y)-1| = "
    "sum_{i>=2} u_i(y)lam_i^t u_i(x) <= sum_{i>=2} u_i(y)lam_*^t u_i(x) <= lam_*^t [sum_{i>=2} "
    "u_i(x)^2 sum_{i>=2} u_i(y)^2]^(1/2), lam_* the eigenvalue with second largest absolute "
    "value.",
    kind="lemma (proof step)",
    repair="wang2016.x-A5-cauchy",
)
def cauchy(check: Check) -> None:
    """Each of the three relations fails where signs differ; with absolute values they hold."""
    with check.reading(
        "first relation", "two states, eigenvalue 1/4, t = 1, x != y: the sum is P/pi - 1"
    ) as argument:
        argument.counterexample(
            "a negative sum",
            "The first relation says that an absolute value is the sum over i >= 2; but the sum, "
            "P(x,y)/pi(y) - 1, is negative for this chain of two states and x different from y. "
            "The left side is at most the sum of absolute values",
            {"P": EVEN, "x": 0, "y": 1, "sum": _rest(EVEN, 0, 1, 1)},
            lambda: abs(_rest(EVEN, 0, 1, 1)) != _rest(EVEN, 0, 1, 1),
        )
    with check.reading(
        "second relation", "three states, eigenvalues 1, 1/2, 0, t = 1, x != y"
    ) as argument:
        argument.counterexample(
            "sums of products",
            "The second relation replaces each lam_i by lam_*, although the products u_i(y) u_i(x) "
            "may be negative. For the first two states x, y of this chain of three their sum over "
            "i >= 2 is -1: lam_* = 1/2 times it is -1/2, and the left side is 0. With absolute "
            "values of all factors the relation is true",
            {
                "P": PATH,
                "x": 0,
                "y": 1,
                "left": _rest(PATH, 0, 1, 1),
                "right": Fraction(1, 2) * _rest(PATH, 0, 1, 0),
            },
            lambda: (
                _star(PATH) == Fraction(1, 2)
                and _rest(PATH, 0, 1, 1) > _star(PATH) * _rest(PATH, 0, 1, 0)
            ),
        )
    with check.reading("third relation", "two states, eigenvalue -1/2, t = 1") as argument:
        argument.counterexample(
            "a negative eigenvalue",
            "The third relation applies the inequality of Cauchy and Schwarz with the factor "
            "lam_*^t, which is negative for this chain of two states: both sums of squares are "
            "1/pi(x) - 1 = 1, so that at t = 1 the last expression is -1/2, but the one before it "
            "is 1/2 for x different from y. With |lam_*|^t the relation is true",
            {
                "P": ODD,
                "x": 0,
                "y": 1,
                "between": _star(ODD) * _rest(ODD, 0, 1, 0),
                "right": _star(ODD),
            },
            lambda: _star(ODD) * _rest(ODD, 0, 1, 0) > _star(ODD) * _rest(ODD, 0, 0, 0),
        )
    name = "with absolute values of all terms and of lam_*"
    with check.reading(name, REVERSIBLE) as argument:
        _cauchy(argument)
    check.near_miss(
        f"{name}: nine tenths of lam_*", lambda argument: _cauchy(argument, sympy.Rational(9, 10))
    )


@claim(
    "wang2016.x-A5-cauchy",
    where="Appendix A.5, repaired",
    statement=f"{WHERE}: |P^t(x,y)/pi(y)-1| <= sum_{{i>=2}} |u_i(y)||lam_i|^t|u_i(x)| <= |lam_*|^t "
    f"[sum_{{i>=2}} u_i(x)^2 "
    "sum_{i>=2} u_i(y)^2]^(1/2).",
    kind="repair of wang2016.A5-cauchy",
)
def cauchy_repaired(check: Check) -> None:
    """Triangle inequality, |lam_i|^t <= |lam_*|^t, Cauchy and Schwarz."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _cauchy(argument)
    check.near_miss(
        "as stated: nine tenths of lam_*", lambda argument: _cauchy(argument, sympy.Rational(9, 10))
    )


def _cauchy(argument: Argument, share: sympy.Rational | int = 1) -> None:
    argument.cite("the sum", "P^t(x,y)/pi(y) - 1 is the sum over i >= 2", "wang2016.x-A5-expansion")
    argument.induction(
        "powers",
        "q = |lam_i|^t and l = |lam_*|^t, 0 <= |lam_i| = p <= m = |lam_*|: the next are p q and m "
        "l",
        base=(q <= l, [Eq(q, 1), Eq(l, 1)]),
        step=(p * q <= m * l, [q <= l, p >= 0, p <= m, q >= 0]),
    )
    argument.induction(
        "term by term",
        "S is the sum of X Y lam_i^t so far, C that of |X| q |Y| with q = |lam_i^t| <= l, and A "
        "that of |X Y|; with one state all of them are empty",
        base=(And(Abs(S) <= C, C <= share * l * A), [Eq(S, 0), Eq(C, 0), Eq(A, 0)]),
        step=(
            And(
                Abs(S + X * Y * U) <= C + Abs(X) * q * Abs(Y),
                C + Abs(X) * q * Abs(Y) <= share * l * (A + Abs(X * Y)),
            ),
            [Abs(S) <= C, C <= share * l * A, Eq(q, Abs(U)), q <= l],
        ),
    )
    argument.cite(
        "Cauchy and Schwarz",
        "A^2 <= B D for the sums B of all X^2 and D of all Y^2",
        "lemma.hoelder",
    )
    argument.inequality(
        "together",
        "the squares: the first sum is at most l times the root of B D",
        And(S**2 <= C**2, C**2 <= l**2 * (B * D)),
        [Abs(S) <= C, C <= l * A, A**2 <= B * D, A >= 0, l >= 0],
    )


@claim(
    "wang2016.A5-final",
    where="Appendix A.5",
    statement="For these chains (irreducible, aperiodic, reversible): sum_{i>=2} u_i(x)^2 <= sum_i "
    "u_i(x)^2 <= 1/pi(x), because pi(x) = pi(x)^2 sum_i u_i(x)^2; then |P^t(x,y)/pi(y)-1| <= "
    "lam_*^t/sqrt(pi(x)pi(y)) <= e^(-(1-lam_*)t)/pi_min = e^(-g t)/pi_min, g = 1-lam_*.",
    kind="lemma (proof step)",
    repair="wang2016.x-A5-final",
)
def final(check: Check) -> None:
    """False for negative lam_*, with lam_*^t as printed and with g = 1 - lam_*; right with
    |lam_*|.
    """
    with check.reading("signs as printed", "two states, eigenvalue -1/2, t = 1") as argument:
        argument.counterexample(
            "a negative bound",
            "This chain of two states has lam_* = -1/2. At t = 1 the printed bound "
            "lam_*^t/sqrt(pi(x)pi(y)) is -1, but the left side is 1/2, as absolute values are "
            "never negative. With |lam_*|^t the bound is true",
            {"P": ODD, "t": 1, "left": deviation(ODD, 1), "bound": 2 * _star(ODD)},
            lambda: (
                deviation(ODD, 1) > 2 * _star(ODD)
                and stationary_law(ODD) == (Fraction(1, 2), Fraction(1, 2))
            ),
        )
    with check.reading(
        "|lam_*|^t, but g = 1 - lam_*", "two states, eigenvalue -1/2, t = 1"
    ) as argument:
        argument.counterexample(
            "too large a gap",
            "This chain of two states has lam_* = -1/2, so that g = 1 - lam_* is 3/2. At t = 1 the "
            "left side is 1/2 for all x, y, but the printed bound e^(-g t)/pi_min is 2 e^(-3/2) < "
            "1/2. With g = 1 - |lam_*| = 1/2 it is true",
            {"P": ODD, "t": 1, "g": Fraction(3, 2), "left": deviation(ODD, 1)},
            lambda: reversible(ODD) and exceeds(ODD, 1, signed=True),
        )
    name = "with |lam_*| for lam_*"
    with check.reading(name, REVERSIBLE) as argument:
        _final(argument)
    check.near_miss(
        f"{name}: a third of the bound on sums of squares", lambda argument: _final(argument, 3)
    )
    name = "lam_* >= 0, as printed"
    with check.reading(name, REVERSIBLE) as argument:
        _positive(argument)
    check.near_miss(f"{name}: and lam_* < 0", lambda argument: _positive(argument, negative=True))


def _positive(argument: Argument, negative: bool = False) -> None:
    argument.inequality(
        "no absolute value is needed",
        "z = lam_*, g = 1 - |lam_*|: the printed z and 1 - z are |z| and g",
        And(Eq(z, Abs(z)), Eq(1 - z, g)),
        [Eq(g, 1 - Abs(z)), z < 0 if negative else z >= 0],
    )
    argument.cite("the repaired form", "with |lam_*|^t and g = 1 - |lam_*|", "wang2016.x-A5-final")


@claim(
    "wang2016.x-A5-final",
    where="Appendix A.5, repaired",
    statement=f"{WHERE}: |P^t(x,y)/pi(y)-1| <= |lam_*|^t/sqrt(pi(x)pi(y)) <= e^(-g t)/pi_min with "
    f"g = 1 - |lam_*|.",
    kind="repair of wang2016.A5-final",
)
def final_repaired(check: Check) -> None:
    """Sums of squares, square roots as squares, and 1 - g <= e^-g."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _final(argument)
    check.near_miss(
        "as stated: a third of the bound on sums of squares", lambda argument: _final(argument, 3)
    )


def _final(argument: Argument, less: int = 1) -> None:
    argument.cite("Cauchy and Schwarz", "|P^t/pi - 1|^2 <= l^2 A B", "wang2016.x-A5-cauchy")
    argument.cite("t = 0 and x = y", "pi(x) S = 1 for S = sum_i u_i(x)^2", "wang2016.x-A5-power")
    argument.inequality(
        "sums of squares",
        "U = u_1(x)^2 is left out",
        less * (S - U) <= 1 / p,
        [Eq(p * S, 1), U >= 0, p > 0],
    )
    argument.inequality(
        "squares",
        "m = pi_min: the square of the left side is at most l^2/(p q) <= (l/m)^2",
        And(C**2 * p * q <= l**2, C**2 * m**2 <= l**2),
        [C**2 <= l**2 * A * B, A * p <= 1, B * q <= 1, A >= 0, B >= 0, p >= m, q >= m, m > 0],
    )
    argument.cite(
        "1 - g <= e^-g",
        "e^-g is the limit of (1 - g/n)^n, each of which is at least 1 - g",
        "lemma.bernoulli",
    )
    argument.induction(
        "(1 - g)^t <= e^(-g t)",
        "l and q are the powers so far, Q = e^-g",
        base=(l <= q, [Eq(l, 1), Eq(q, 1)]),
        step=(l * (1 - g) <= q * Q, [l <= q, 1 - g <= Q, g >= 0, g <= 1, l >= 0, Q > 0]),
    )


@claim(
    "wang2016.lemA1",
    where="Lemma A.1",
    statement="Let P be a k-state transition matrix with eigengap g_*, pi stationary, pi_min = min "
    "pi(x), t >= 0. Then |P^t(x,y)/pi(y) - 1| <= exp(-t g_*)/pi_min; equivalently "
    "(1-Delta_t)pi(y) <= P^t(x,y) <= (1+Delta_t)pi(y), Delta_t = exp(-t g_*)/pi_min.",
    kind="lemma",
    repair="wang2016.x-lemA1",
)
def lemma(check: Check) -> None:
    """False without reversibility, and with g = 1 - lam_*; right under Condition 4.6 with g = 1
    - |lam_*|.
    """
    scope = (
        "irreducible, aperiodic chains of 2 and 3 states with entries in halves and rational "
        "eigenvalues, t <= 8"
    )
    with check.reading("hypotheses as printed in the lemma", scope) as argument:
        _search(argument, reversibly=False)
    scope = "irreducible, aperiodic, reversible chains of 2 states with entries in quarters, t <= 8"
    with check.reading("Condition 4.6, g_* = 1 - lam_*", scope) as argument:
        _search(argument, reversibly=True)
    name = "Condition 4.6, g_* = 1 - |lam_*|"
    with check.reading(name, REVERSIBLE) as argument:
        _lemma(argument)
    check.near_miss(
        f"{name}: Delta_t without 1/pi_min", lambda argument: _lemma(argument, small=True)
    )


def _search(argument: Argument, reversibly: bool) -> None:
    def family() -> Iterator[tuple[int, Matrix]]:
        for steps in range(1, 9):
            for states, parts in ((2, 4),) if reversibly else ((2, 2), (3, 2)):
                for rows in matrices(states, parts):
                    if (reversible if reversibly else settled)(rows) and rational(rows):
                        yield steps, rows

    found = argument.exhaust(
        "smallest failure",
        "fewest steps first",
        family(),
        lambda at: not exceeds(at[1], at[0], signed=reversibly),
    )
    if found is not None:
        steps, rows = found
        gap = 1 - min(
            (value for value, _ in eigenvalues(rows) if value != 1), key=lambda v: -abs(v)
        )
        how = (
            f"irreducible, aperiodic and reversible; lam_* is negative, and g_* = 1 - lam_* = "
            f"{gap}. With g_* = 1 - |lam_*| the "
            "lemma is true under Condition 4.6"
            if reversibly
            else "irreducible and aperiodic, but not reversible, which the lemma does not ask. "
            "With g_* = 1 - |lam_*| the lemma is true for reversible chains"
        )
        argument.counterexample(
            "the first",
            f"The lemma says that |P^t(x,y)/pi(y) - 1| is at most exp(-t g_*)/pi_min for all x, y. "
            f"This chain of {len(rows)} states has the largest left side {deviation(rows, steps)} "
            f"at t = {steps}, which is more. It is {how}",
            {
                "P": rows,
                "t": steps,
                "pi": stationary_law(rows),
                "eigenvalues": eigenvalues(rows),
                "left": deviation(rows, steps),
            },
            lambda: settled(rows) and exceeds(rows, steps, signed=reversibly),
        )


@claim(
    "wang2016.x-lemA1",
    where="Lemma A.1, repaired",
    statement=f"{WHERE}: |P^t(x,y)/pi(y) - 1| <= Delta_t, which says (1-Delta_t)pi(y) <= P^t(x,y) "
    f"<= (1+Delta_t)pi(y), with "
    "Delta_t = exp(-t g_*)/pi_min and g_* = 1 - |lam_*| (lam_* = 0 for one state).",
    kind="repair of wang2016.lemA1",
)
def lemma_repaired(check: Check) -> None:
    """From the repaired last step."""
    with check.reading("as stated", REVERSIBLE) as argument:
        _lemma(argument)
    check.near_miss(
        "as stated: Delta_t without 1/pi_min", lambda argument: _lemma(argument, small=True)
    )


def _lemma(argument: Argument, small: bool = False) -> None:
    argument.cite("the bound", "|P^t(x,y)/pi(y) - 1| <= e^(-g t)/pi_min", "wang2016.x-A5-final")
    argument.inequality(
        "two-sided",
        "P = P^t(x,y), q = pi(y), D = Delta_t = l/m with l = e^(-g t)",
        sympy.Equivalent(Abs(P / q - 1) <= l / m, And((1 - D) * q <= P, P <= (1 + D) * q)),
        [Eq(D, l) if small else Eq(D * m, l), q > 0, m > 0, m <= 1, l > 0],
    )


def _rest(rows: Matrix, x: int, y: int, steps: int) -> Fraction:
    """sum_{i>=2} u_i(y) lam_i^t u_i(x) = P^t(x,y)/pi(y) - 1."""
    return power(rows, steps)[x][y] / stationary_law(rows)[y] - 1


def _star(rows: Matrix) -> Fraction:
    """The eigenvalue with the second largest absolute value."""
    return max((value for value, _ in eigenvalues(rows) if value != 1), key=abs)
