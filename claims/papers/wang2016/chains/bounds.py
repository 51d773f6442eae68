"""The bound of Lemma A.1 on powers of a chain: the printed steps, with their signs repaired, and
the lemma itself.

Two-state and three-state chains are evaluated exactly. Source: wang2016, appendices A.4 and A.5.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.language.instances.matrices import Matrix, eigenvalues, power, settled
from pufferproof.claims.papers.wang2016.chains import said
from pufferproof.claims.papers.wang2016.chains import statements as said_chains
from pufferproof.claims.papers.wang2016.chains.instances import (
    deviation,
    exceeds,
    matrices,
    matrix,
    rational,
    reversible,
)
from pufferproof.claims.papers.wang2016.chains.spectrum import EVEN
from pufferproof.claims.registry import Check, claim
from pufferproof.models.priors.markov import stationary_law

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
    says={"with absolute values of all terms and of lam_*": said_chains.CAUCHY},
)
def cauchy(check: Check) -> None:
    """Each of the three relations fails where signs differ; with absolute values they hold.

    The sum: P^t(x,y)/pi(y) - 1 is the sum over i >= 2 [wang2016.x-A5-expansion]. Powers: 0 <=
    |lam_i| <= |lam_*|. Term by term: |lam_i^t| <= |lam_*|^t; with one state all sums are empty.
    Cauchy and Schwarz: A^2 is at most the sum of all X^2 times that of all Y^2 [lemma.hoelder].
    Together: the squares: the first sum is at most |lam_*|^t times the root of both sums of
    squares.
    """
    proved(
        check,
        "first relation",
        "two states, eigenvalue 1/4, t = 1, x != y: the sum is P/pi - 1",
        _negative_sum,
    )
    proved(
        check, "second relation", "three states, eigenvalues 1, 1/2, 0, t = 1, x != y", _products
    )
    proved(check, "third relation", "two states, eigenvalue -1/2, t = 1", _negative_eigenvalue)
    name = "with absolute values of all terms and of lam_*"
    check.tried(name)


def _negative_sum(proof: Proof) -> None:
    proof.counterexample(
        "a negative sum",
        "The first relation says that an absolute value is the sum over i >= 2; but the sum, "
        "P(x,y)/pi(y) - 1, is negative for this chain of two states and x different from y. "
        "The left side is at most the sum of absolute values",
        {"P": EVEN, "x": 0, "y": 1, "sum": _rest(EVEN, 0, 1, 1)},
        lambda: abs(_rest(EVEN, 0, 1, 1)) != _rest(EVEN, 0, 1, 1),
        "entry(P, x, y)/(2/3) - 1 = sum < 0",
    )


def _products(proof: Proof) -> None:
    proof.counterexample(
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
        "entry(P, x, y)/(1/2) - 1 = left > right = 1/2*(entry(power(P, 0), x, y)/(1/2) - 1)",
    )


def _negative_eigenvalue(proof: Proof) -> None:
    proof.counterexample(
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
        "-1/2*(entry(power(P, 0), x, y)/(1/2) - 1) = between > right = -1/2*(1/(1/2) - 1)",
    )


@claim(
    "wang2016.x-A5-cauchy",
    where="Appendix A.5, repaired",
    statement=f"{WHERE}: |P^t(x,y)/pi(y)-1| <= sum_{{i>=2}} |u_i(y)||lam_i|^t|u_i(x)| <= |lam_*|^t "
    f"[sum_{{i>=2}} u_i(x)^2 "
    "sum_{i>=2} u_i(y)^2]^(1/2).",
    kind="repair of wang2016.A5-cauchy",
    says=said_chains.CAUCHY,
)
def cauchy_repaired(check: Check) -> None:
    """Triangle inequality, |lam_i|^t <= |lam_*|^t, Cauchy and Schwarz.

    As in wang2016.A5-cauchy.
    """


@claim(
    "wang2016.A5-final",
    where="Appendix A.5",
    statement="For these chains (irreducible, aperiodic, reversible): sum_{i>=2} u_i(x)^2 <= sum_i "
    "u_i(x)^2 <= 1/pi(x), because pi(x) = pi(x)^2 sum_i u_i(x)^2; then |P^t(x,y)/pi(y)-1| <= "
    "lam_*^t/sqrt(pi(x)pi(y)) <= e^(-(1-lam_*)t)/pi_min = e^(-g t)/pi_min, g = 1-lam_*.",
    kind="lemma (proof step)",
    repair="wang2016.x-A5-final",
    says={
        "with |lam_*| for lam_*": said_chains.FINAL,
        "lam_* >= 0, as printed": said_chains.FINAL_NOT_NEGATIVE,
    },
)
def final(check: Check) -> None:
    """False for negative lam_*, with lam_*^t as printed and with g = 1 - lam_*; right with
    |lam_*|.

    With |lam_*| for lam_*. Cauchy and Schwarz: |P^t/pi - 1|^2 is at most |lam_*|^(2t) times both
    sums of squares [wang2016.x-A5-cauchy]. T = 0 and x = y: pi(x) S = 1 for S = sum_i u_i(x)^2
    [wang2016.x-A5-power]. Sums of squares: u_1(x)^2 is left out. Squares: the square of the left
    side is at most |lam_*|^(2t)/(pi(x) pi(y)) <= (|lam_*|^t/pi_min)^2. 1 - g <= e^-g: e^-g is the
    limit of (1 - g/n)^n, each of which is at least 1 - g [lemma.bernoulli]. (1 - g)^t <= e^(-g t):
    one more step multiplies by 1 - g and by e^-g.

    Lam_* >= 0, as printed. No absolute value is needed: the printed lam_* and 1 - lam_* are |lam_*|
    and g. The repaired form: with |lam_*|^t and g = 1 - |lam_*| [wang2016.x-A5-final].
    """
    with check.reading("signs as printed", "two states, eigenvalue -1/2, t = 1") as proof:
        proof.counterexample(
            "a negative bound",
            "This chain of two states has lam_* = -1/2. At t = 1 the printed bound "
            "lam_*^t/sqrt(pi(x)pi(y)) is -1, but the left side is 1/2, as absolute values are "
            "never negative. With |lam_*|^t the bound is true",
            {"P": ODD, "t": 1, "left": deviation(ODD, 1), "bound": 2 * _star(ODD)},
            lambda: (
                deviation(ODD, 1) > 2 * _star(ODD)
                and stationary_law(ODD) == (Fraction(1, 2), Fraction(1, 2))
            ),
            "entry(P, 0, 1)/(1/2) - 1 = left > bound",
        )
    with check.reading(
        "|lam_*|^t, but g = 1 - lam_*", "two states, eigenvalue -1/2, t = 1"
    ) as proof:
        proof.counterexample(
            "too large a gap",
            "This chain of two states has lam_* = -1/2, so that g = 1 - lam_* is 3/2. At t = 1 the "
            "left side is 1/2 for all x, y, but the printed bound e^(-g t)/pi_min is 2 e^(-3/2) < "
            "1/2. With g = 1 - |lam_*| = 1/2 it is true",
            {"P": ODD, "t": 1, "g": Fraction(3, 2), "left": deviation(ODD, 1)},
            lambda: reversible(ODD) and exceeds(ODD, 1, signed=True),
        )
    name = "with |lam_*| for lam_*"
    check.tried(name)
    name = "lam_* >= 0, as printed"
    check.tried(name)


@claim(
    "wang2016.x-A5-final",
    where="Appendix A.5, repaired",
    statement=f"{WHERE}: |P^t(x,y)/pi(y)-1| <= |lam_*|^t/sqrt(pi(x)pi(y)) <= e^(-g t)/pi_min with "
    f"g = 1 - |lam_*|.",
    kind="repair of wang2016.A5-final",
    says=said_chains.FINAL,
)
def final_repaired(check: Check) -> None:
    """Sums of squares, square roots as squares, and 1 - g <= e^-g.

    As in wang2016.A5-final.
    """


@claim(
    "wang2016.lemA1",
    where="Lemma A.1",
    statement="Let P be a k-state transition matrix with eigengap g_*, pi stationary, pi_min = min "
    "pi(x), t >= 0. Then |P^t(x,y)/pi(y) - 1| <= exp(-t g_*)/pi_min; equivalently "
    "(1-Delta_t)pi(y) <= P^t(x,y) <= (1+Delta_t)pi(y), Delta_t = exp(-t g_*)/pi_min.",
    kind="lemma",
    repair="wang2016.x-lemA1",
    says={"Condition 4.6, g_* = 1 - |lam_*|": said.NEAR_STATIONARY},
)
def lemma(check: Check) -> None:
    """Right under Condition 4.6 with g = 1 - |lam_*|, the eigengap of Section 4.3; false without
    reversibility, and with g = 1 - lam_*, as the proof has it.

    The bound: |P^t(x,y)/pi(y) - 1| <= e^(-g t)/pi_min [wang2016.x-A5-final]. Two-sided: D = Delta_t
    = e^(-g t)/pi_min.
    """
    check.stated("Condition 4.6, g_* = 1 - |lam_*|")
    scope = (
        "irreducible, aperiodic chains of 2 and 3 states with entries in halves and rational "
        "eigenvalues, t <= 8"
    )
    with check.reading("hypotheses as printed in the lemma", scope) as proof:
        _search(proof, reversibly=False)
    scope = "irreducible, aperiodic, reversible chains of 2 states with entries in quarters, t <= 8"
    with check.reading("Condition 4.6, g_* = 1 - lam_*", scope) as proof:
        _search(proof, reversibly=True)


def _search(proof: Proof, reversibly: bool) -> None:
    failure = proof.exhaust(
        "smallest failure",
        "fewest steps first",
        _family(reversibly),
        lambda at: not exceeds(at[1], at[0], signed=reversibly),
    )
    if failure is not None:
        _first(proof, *failure, reversibly)


def _family(reversibly: bool) -> Iterator[tuple[int, Matrix]]:
    """Yield reversible chains of two states, or any settled ones of two and three states."""
    for steps in range(1, 9):
        for states, parts in ((2, 4),) if reversibly else ((2, 2), (3, 2)):
            for rows in matrices(states, parts):
                if (reversible if reversibly else settled)(rows) and rational(rows):
                    yield steps, rows


def _first(proof: Proof, steps: int, rows: Matrix, reversibly: bool) -> None:
    gap = 1 - min((value for value, _ in eigenvalues(rows) if value != 1), key=lambda v: -abs(v))
    how = (
        f"irreducible, aperiodic and reversible; lam_* is negative, and g_* = 1 - lam_* = "
        f"{gap}. With g_* = 1 - |lam_*| the "
        "lemma is true under Condition 4.6"
        if reversibly
        else "irreducible and aperiodic, but not reversible, which the lemma does not ask. "
        "With g_* = 1 - |lam_*| the lemma is true for reversible chains"
    )
    proof.counterexample(
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
    says={"every chain with such a gap": said.NEAR_STATIONARY},
)
def lemma_repaired(check: Check) -> None:
    """By the contraction of what has mean 0 [textbook.Eigenvalues.contraction]."""
    check.stated("every chain with such a gap")


def _rest(rows: Matrix, x: int, y: int, steps: int) -> Fraction:
    """sum_{i>=2} u_i(y) lam_i^t u_i(x) = P^t(x,y)/pi(y) - 1."""
    return power(rows, steps)[x][y] / stationary_law(rows)[y] - 1


def _star(rows: Matrix) -> Fraction:
    """The eigenvalue with the second largest absolute value."""
    return max((value for value, _ in eigenvalues(rows) if value != 1), key=abs)
