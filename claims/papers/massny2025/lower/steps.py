"""The steps of the printed proof of lemma 1: two displays mix ratios with logarithms, and one
leaves out Y_p.

The value x maximises the ratio of X_Q. Source: massny2025, appendix E, equations (11) and (12).
"""

from fractions import Fraction

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    released,
    set_influence,
)
from pufferproof.claims.papers.massny2025.lower import statements
from pufferproof.claims.registry import Check, claim

COIN = chain("1/2", "1/2")
WITNESS = "some y in supp(Y) makes the Y_R ratio at least 1"


@claim(
    "massny2025.lemma1-steps",
    where="Appendix E, proof of Lemma 1",
    statement="For y with y_Q=x_Q, R = [n] without Q and without p: Pr(Y=y|X_p=x) = "
    "Pr(Y_R=y_R|X_p=x,X_Q=y_Q) Pr(X_Q=y_Q|X_p=x) Pr(Y_Q=y_Q|X_Q=y_Q). Some y in supp(Y) makes "
    "the Y_R ratio at least 1. In general max_x Pr(X_Q=y_Q|X_p=x)/Pr(X_Q=y_Q|X_p=1-x) < "
    "Inf(X_p~>X_Q). Lk >= min over y_Q of max_x Pr(X_Q=y_Q|X_p=x)/Pr(X_Q=y_Q|X_p=1-x).",
    kind="proof steps",
    repair="massny2025.lemma1-steps-repaired",
    says={WITNESS: statements.WITNESS},
)
def lemma1_steps(check: Check) -> None:
    """Refute three displays as printed; prove the step that needs an argument.

    If there were none: A and B sum u = Pr(Y_R=y_R|X_p=x,X_Q=y_Q) and v, given 1 - x, over the first
    y_R, each with u = 0 or u < v. Contradiction: A = 1 over all y_R, and then B is not 1.
    """
    for name, proof in (
        ("the displayed conclusion", _ratio_for_logarithm),
        ("the strict inequality with Inf", _not_strict),
        ("the factors, any mechanism", _left_out),
    ):
        proved(check, name, "one counterexample", proof)
    check.tried(WITNESS)


INDEPENDENT = {"a": COIN.a, "b": COIN.b, "n": 2, "p": 1, "Q": [2]}


def _ratio_for_logarithm(proof: Proof) -> None:
    proof.counterexample(
        "independent records",
        "Take a = b = 1/2, n = 2, p = 1 and Q = {2}, and release X_2. The display says that Lk is "
        "at least the smallest of the largest ratios, but ratios stand where logarithms are "
        "meant. X_2 says nothing about X_1, so that Lk = 0, and every ratio is 1. As log r < r, a "
        "release that attains the minimum always fails",
        {**INDEPENDENT, "e^Lk": Fraction(1), "least largest ratio": Fraction(1)},
        lambda: (
            leakage(COIN, 2, 1, local(released(2, [2]))) == 1
            and set_influence(COIN, 2, 1, [2]) == 1
        ),
        f"{influence(1)} = 1 and least_largest_ratio > 0",
    )


def _not_strict(proof: Proof) -> None:
    proof.counterexample(
        "independent records, with and without logarithms",
        "Take a = b = 1/2, n = 2, p = 1 and Q = {2}. The display says that the ratio is below "
        "Inf(X_p~>X_Q). Every ratio is 1 and Inf = 0: neither 1 < 0 nor log 1 < 0. Where Inf > 0 "
        "the x_Q that attains it gives equality of the logarithms",
        {**INDEPENDENT, "ratio": Fraction(1), "e^Inf": Fraction(1)},
        lambda: set_influence(COIN, 2, 1, [2]) == 1,
        f"{influence(1)} = 1",
    )


def _left_out(proof: Proof) -> None:
    half = (Fraction(1, 2), Fraction(1, 2))
    proof.counterexample(
        "Y_p is left out",
        "Take n = 1, p = 1, Q empty, y = * and r_1 = (1/2, 1/2). The display says that "
        "Pr(Y=y|X_p=x) is the product of three factors, none of which concerns Y_p. Here "
        "Pr(Y=*|X_1=0) = 1/2, but the product is empty and equals 1. The display is true if X_p "
        "is always redacted",
        {"n": 1, "p": 1, "Q": [], "r_1": half, "left side": half[0], "right side": Fraction(1)},
        lambda: local([half])("0")["*"] != 1,
        "item(r_1, 0) != 1",
    )


@claim(
    "massny2025.lemma1-steps-repaired",
    where="Appendix E, proof of Lemma 1, repaired",
    statement="Let Q be without p, R = [n] without Q and without p, and x_Q in supp(Y_Q). If r_p = "
    "(1,1): Pr(Y=y|X_p=x) = Pr(Y_R=y_R|X_p=x,X_Q=x_Q) Pr(X_Q=x_Q|X_p=x) Pr(Y_Q=x_Q|X_Q=x_Q) "
    "for y with y_Q=x_Q and y_p=*. For each x some y_R has Pr(Y_R=y_R|X_p=x,X_Q=x_Q) > 0 and "
    "at least Pr(Y_R=y_R|X_p=1-x,X_Q=x_Q). i(X_p~>X_Q=x_Q) <= Inf(X_p~>X_Q), with equality for "
    "some x_Q. Lk(X_p->Y) >= i(X_p~>X_Q=x_Q), hence at least the minimum over x_Q in supp(Y_Q).",
    kind="repair of massny2025.lemma1-steps",
    says=statements.STEPS,
)
def lemma1_steps_repaired(check: Check) -> None:
    """Prove the three steps in their order.

    The factors, X_p redacted. Pr(Y=y|X_p=x) sums over x_R Pr(x_R|X_p=x,x_Q) Pr(x_Q|X_p=x) times the
    mechanism on R, on Q and on p (probability 1): what does not depend on x_R leaves the sum
    [lemma.finite-sums].

    Some y in supp(Y) makes the Y_R ratio at least 1. As in massny2025.lemma1-steps.

    The conclusion with a logarithm, for released Q. If no such y_R were possible, every y_R with
    Pr(Y_R=y_R|X_p=x,X_Q=x_Q) > 0 would have less than given 1 - x, and the two laws could not both
    sum to 1. The factors of the witness are s >= t, s > 0: a bound on the ratio of Pr(Y=y|.) bounds
    that of X_Q = x_Q, and the minimum over all x_Q is at most that.
    """
