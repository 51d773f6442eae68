"""The steps of the printed proof of lemma 1: two displays mix ratios with logarithms, and one
leaves out Y_p.

Letters: p, q are probabilities given X_p = x and X_p = 1 - x, x the maximiser of the ratio of X_Q.
Source: massny2025, appendix E, equations (11) and (12).
"""

from fractions import Fraction

import sympy
from sympy import Eq, Implies, Or

from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    released,
    set_influence,
)
from pufferproof.claims.papers.massny2025.lower.statement import ALL
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, p, q, s, t, k, R = sympy.symbols("A B p q s t k R")
COIN = chain("1/2", "1/2")
FACTORS = "the factors, X_p redacted"
WITNESS = "some y in supp(Y) makes the Y_R ratio at least 1"
LOGARITHM = "the conclusion with a logarithm, for released Q"


@claim(
    "massny2025.lemma1-steps",
    where="Appendix E, proof of Lemma 1",
    statement="For y with y_Q=x_Q, R = [n] without Q and without p: Pr(Y=y|X_p=x) = "
    "Pr(Y_R=y_R|X_p=x,X_Q=y_Q) Pr(X_Q=y_Q|X_p=x) Pr(Y_Q=y_Q|X_Q=y_Q). Some y in supp(Y) makes "
    "the Y_R ratio at least 1. In general max_x Pr(X_Q=y_Q|X_p=x)/Pr(X_Q=y_Q|X_p=1-x) < "
    "Inf(X_p~>X_Q). Lk >= min over y_Q of max_x Pr(X_Q=y_Q|X_p=x)/Pr(X_Q=y_Q|X_p=1-x).",
    kind="proof steps",
    repair="massny2025.lemma1-steps-repaired",
)
def lemma1_steps(check: Check) -> None:
    """Refute three displays as printed; prove the step that needs an argument."""
    with check.reading("the displayed conclusion", "one counterexample") as argument:
        argument.counterexample(
            "independent records",
            "a = b = 1/2, n = 2, p = 1, Q = {2}, X_2 released. The display says Lk >= the least of "
            "the largest ratios: ratios stand where logarithms are meant. X_2 says nothing about "
            "X_1, so that Lk = 0, and every ratio is 1. As log r < r, a release that attains the "
            "minimum always fails",
            {
                "a": COIN.a,
                "b": COIN.b,
                "n": 2,
                "p": 1,
                "Q": [2],
                "e^Lk": Fraction(1),
                "least largest ratio": Fraction(1),
            },
            lambda: (
                leakage(COIN, 2, 1, local(released(2, [2]))) == 1
                and set_influence(COIN, 2, 1, [2]) == 1
            ),
        )
    with check.reading("the strict inequality with Inf", "one counterexample") as argument:
        argument.counterexample(
            "independent records, with and without logarithms",
            "a = b = 1/2, n = 2, p = 1, Q = {2}. The display says that the ratio is below "
            "Inf(X_p~>X_Q). Every ratio is 1 and Inf = 0: neither 1 < 0 nor log 1 < 0. Where Inf > "
            "0 the x_Q that attains it gives equality of the logarithms",
            {
                "a": COIN.a,
                "b": COIN.b,
                "n": 2,
                "p": 1,
                "Q": [2],
                "ratio": Fraction(1),
                "e^Inf": Fraction(1),
            },
            lambda: set_influence(COIN, 2, 1, [2]) == 1,
        )
    half = (Fraction(1, 2), Fraction(1, 2))
    with check.reading("the factors, any mechanism", "one counterexample") as argument:
        argument.counterexample(
            "Y_p is left out",
            "n = 1, p = 1, Q empty, y = *, r_1 = (1/2, 1/2). The display says that Pr(Y=y|X_p=x) "
            "is the product of three factors, none of which concerns Y_p. Here Pr(Y=*|X_1=0) = "
            "1/2, and the product is empty, 1. It is true if X_p is always redacted",
            {"n": 1, "p": 1, "Q": [], "r_1": half, "left side": half[0], "right side": Fraction(1)},
            lambda: local([half])("0")["*"] != 1,
        )
    with check.reading(WITNESS, ALL) as argument:
        _witness(argument)
    check.near_miss(f"{WITNESS}: above 1", lambda argument: _witness(argument, strict=True))


@claim(
    "massny2025.lemma1-steps-repaired",
    where="Appendix E, proof of Lemma 1, repaired",
    statement="Let Q be without p, R = [n] without Q and without p, and x_Q in supp(Y_Q). If r_p = "
    "(1,1): Pr(Y=y|X_p=x) = Pr(Y_R=y_R|X_p=x,X_Q=x_Q) Pr(X_Q=x_Q|X_p=x) Pr(Y_Q=x_Q|X_Q=x_Q) "
    "for y with y_Q=x_Q and y_p=*. For each x some y_R has Pr(Y_R=y_R|X_p=x,X_Q=x_Q) > 0 and "
    "at least Pr(Y_R=y_R|X_p=1-x,X_Q=x_Q). i(X_p~>X_Q=x_Q) <= Inf(X_p~>X_Q), with equality for "
    "some x_Q. Lk(X_p->Y) >= i(X_p~>X_Q=x_Q), hence at least the minimum over x_Q in supp(Y_Q).",
    kind="repair of massny2025.lemma1-steps",
)
def lemma1_steps_repaired(check: Check) -> None:
    """Prove the three steps in their order."""
    with check.reading(FACTORS, ALL) as argument:
        _factors(argument)
    check.near_miss(f"{FACTORS}: not always", lambda argument: _factors(argument, always=False))
    with check.reading(WITNESS, ALL) as argument:
        _witness(argument)
    check.near_miss(f"{WITNESS}: above 1", lambda argument: _witness(argument, strict=True))
    with check.reading(LOGARITHM, ALL) as argument:
        _witness(argument)
        _conclusion(argument)
    check.near_miss(
        f"{LOGARITHM}: the other order of x", lambda argument: _conclusion(argument, other=True)
    )


def _factors(argument: Argument, always: bool = True) -> None:
    r = sympy.Symbol("r")
    argument.cite(
        "sums",
        "Pr(Y=y|X_p=x) = sum over x_R of Pr(x_R|X_p=x,x_Q) Pr(x_Q|X_p=x) times the mechanism on R, "
        "on Q and on p: what does not depend on x_R leaves the sum",
        "lemma.finite-sums",
    )
    argument.inequality(
        "Y_p",
        "p, q, k are the printed factors and r = r_p(x) the probability of y_p = *",
        Eq(p * q * k * r, p * q * k),
        [Eq(r, 1) if always else r <= 1, p > 0, q > 0, k > 0, r > 0],
    )


def _witness(argument: Argument, strict: bool = False) -> None:
    smaller = Or(Eq(p, 0), p <= q if strict else p < q)
    argument.induction(
        "if there were none",
        "A and B sum p = Pr(Y_R=y_R|X_p=x,X_Q=y_Q) and q, given 1 - x, over the first y_R, each "
        "with p = 0 or p < q",
        base=((A <= B) & Implies(A > 0, A < B), [Eq(A, 0), Eq(B, 0)]),
        step=(
            (A + p <= B + q) & Implies(A + p > 0, A + p < B + q),
            [A <= B, Implies(A > 0, A < B), p >= 0, q >= 0, smaller],
        ),
    )
    argument.inequality(
        "contradiction",
        "A = 1 over all y_R, and then B is not 1",
        B > 1,
        [Eq(A, 1), Implies(A > 0, A < B)],
    )


def _conclusion(argument: Argument, other: bool = False) -> None:
    argument.inequality(
        "Lk is at least the logarithm",
        "s, t are the Y_R probabilities of the witness, s >= t, s > 0; p, q those of X_Q = x_Q; k "
        "> 0 of releasing it. A bound R on the ratio of Pr(Y=y|.) bounds p/q",
        (q <= R * p) if other else (p <= R * q),
        [s * p * k <= R * (t * q * k), s >= t, s > 0, t >= 0, k > 0, p >= 0, q >= 0, R >= 1],
    )
    argument.inequality(
        "the minimum",
        "A is the least of the ratios over all x_Q, B the one of x_Q, both at most R",
        A <= R,
        [A <= B, B <= R],
    )
