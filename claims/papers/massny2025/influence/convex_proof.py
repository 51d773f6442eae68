"""The printed proof of convexity: the second derivative for lam >= 0, and differences of two
parities for lam < 0.

For lam = 0 the second derivative is 0. For lam < 0 the difference f decreases along even and along
odd distances, which is all that the derivative shows; the conclusion that it decreases over all
positive integers is false. Letters as in `monotone`; in identities d is |lam|. Source: massny2025,
appendix F, equations (18) and (19).
"""

from functools import partial

from pufferproof.claims.language import Proof, proved
from pufferproof.claims.papers.massny2025.influence import statements
from pufferproof.claims.papers.massny2025.influence.convex import DISTANCES, refute_convexity
from pufferproof.claims.papers.massny2025.influence.in_numbers import influence
from pufferproof.claims.papers.massny2025.influence.instances import chain, pointwise
from pufferproof.claims.papers.massny2025.influence.sizes import EQUIVALENCE, INEQUALITIES
from pufferproof.claims.registry import Check, claim

SHAPE = "(18), (19), the derivative and the signs"
DECREASE = "f(D) >= f(D+2)"
NOTATION = {"A": "a number", "B": "a number"}


@claim(
    "massny2025.prop1-convex-pos",
    where="Appendix F",
    statement="For lam >= 0, c > 0 and real D > 0: the second derivative of i_c(D) in D is (log "
    "lam)^2 lam^D [c/(1+c lam^D)^2 + 1/(1-lam^D)^2] > 0.",
    kind="proof step",
    repair="massny2025.prop1-convex-pos-repaired",
    says={"lam > 0": statements.CURVATURE},
)
def prop1_convex_pos(check: Check) -> None:
    """Prove it for lam > 0; refute it for lam = 0, where log lam is undefined and i_c = 0.

    First derivative: v = lam^D has derivative L v, L = log lam; i_c = log(1 + c v) - log(1 - v),
    and log x has derivative 1/x. Difference quotient: of the first derivative as a function of v,
    between w and v: with w -> v it is its derivative in v. Second derivative: the derivative L v of
    v, times that of L v (c/(1 + c v) + 1/(1 - v)) in v by the rules for products and quotients.
    Sign: L is not 0.

    Engines prove its formulas [lemma.prop1-slopes], [lemma.prop1-second-derivative].
    """
    _second_derivative(check)
    proved(check, "lam >= 0", "one counterexample", _independent)


def _independent(proof: Proof) -> None:
    half = chain("1/2", "1/2")
    proof.counterexample(
        "lam = 0",
        "Take a = b = 1/2. The paper claims that for lam >= 0 the second derivative is the "
        "displayed positive number. For lam = 0 log lam does not exist, and lam^D = 0 for all D > "
        "0: i_c is 0 and its second derivative is 0, which the second difference at D = 1, 2, 3 "
        "shows",
        {"a": half.a, "b": half.b, "lam": half.eigenvalue, "e^i_c(D)": pointwise(half, 1, 1)},
        lambda: (
            half.eigenvalue == 0
            and all(pointwise(half, d, v) == 1 for d in DISTANCES for v in (0, 1))
        ),
        " and ".join(f"{influence(d)} = 1" for d in (1, 2, 3)),
    )


@claim(
    "massny2025.prop1-convex-pos-repaired",
    where="Appendix F, repaired",
    statement="For 0 < lam < 1, c > 0 and real D > 0: the second derivative of i_c(D) in D is (log "
    "lam)^2 lam^D [c/(1+c lam^D)^2 + 1/(1-lam^D)^2] > 0.",
    kind="repair of massny2025.prop1-convex-pos",
    says=statements.CURVATURE,
)
def prop1_convex_pos_repaired(check: Check) -> None:
    """Prove the formula and its sign.

    As in massny2025.prop1-convex-pos.
    """
    _second_derivative(check)


def _second_derivative(check: Check) -> None:
    check.tried("lam > 0")


@claim(
    "massny2025.prop1-convex-neg",
    where="Appendix F, equations (18) and (19)",
    statement="For lam < 0 let d = |lam|, u = d^D and let f be the function f(D) = i_c(D) - "
    "i_c(D+1). (18): f(D) = log((1+c u)/(1+d u)) + log((1-c d u)/(1-u)) for D even. (19): f(D) "
    "= log((1+u)/(1+c d u)) + log((1-d u)/(1-c u)) for D odd. Both are built from quotients "
    "(1+A u)/(1+B u), A and B numbers, whose derivative (A-B) log(d) u/(1+B u)^2 in D is "
    "negative if A > B; with c d < 1 and c > d, f is decreasing over the positive integers.",
    kind="proof step",
    repair="massny2025.prop1-convex-neg-repaired",
    says=statements.NEGATIVE_STEPS,
)
def prop1_convex_neg(check: Check) -> None:
    """Refute the conclusion; prove every display before it.

    (18), (19), the derivative and the signs. e^f is e^i_c(D) over e^i_c(D+1), with l = u for even D
    and -u for odd D [massny2025.prop1-closed]: [lemma.prop1-18], [lemma.prop1-19]; c d < 1 and c >
    d for both c [massny2025.prop1-cd], so that the arguments of all logarithms are positive. The
    derivative of F_{A,B} in u is the limit of [lemma.prop1-quotient], that of u = m^D is log(m) u <
    0; all four quotients have A > B and fall.

    f(D) >= f(D+2). Each F_{A,B} at D and D + 2, multiplied by the denominators.
    """
    for name, values in (("the conclusion, both c", (0, 1)), ("the conclusion, c = b/a", (1,))):
        proved(check, name, "one counterexample", partial(refute_convexity, values=values))
    _proved(check)


@claim(
    "massny2025.prop1-convex-neg-repaired",
    where="Appendix F, repaired",
    statement="For lam < 0 let d = |lam|, u = d^D and let f be the function f(D) = i_c(D) - "
    "i_c(D+1), c = a/b or b/a. (18): f(D) = log((1+c u)/(1+d u)) + log((1-c d u)/(1-u)) for D "
    "even. (19): f(D) = log((1+u)/(1+c d u)) + log((1-d u)/(1-c u)) for D odd. A quotient (1+A "
    "u)/(1+B u), A and B numbers with 1+B u > 0, has the derivative (A-B) log(d) u/(1+B u)^2 "
    "in D, negative for the four quotients in (18) and (19), as c d < 1 and c > d; f decreases "
    "along the even and along the odd positive integers: f(D) > f(D+2).",
    kind="repair of massny2025.prop1-convex-neg",
    says=statements.NEGATIVE_STEPS,
)
def prop1_convex_neg_repaired(check: Check) -> None:
    """Prove what the displays show.

    As in massny2025.prop1-convex-neg.
    """
    _proved(check)


def _proved(check: Check) -> None:
    check.tried(SHAPE)
    check.tried(DECREASE)


@claim(
    "massny2025.prop1-cd",
    where="Appendix F",
    statement="For lam < 0 and a <= b: (a/b)|lam| <= (b/a)|lam| = 1 - ((a+b)/a)(1-b) < 1, hence c "
    "d < 1 for both c; c d < 1 and c > d are equivalent for a <= b, where d = |lam|.",
    kind="proof step",
    says={"the inequalities": INEQUALITIES, "the equivalence": EQUIVALENCE},
)
def prop1_cd(check: Check) -> None:
    """Prove the chain of inequalities; c d < 1 and c > d are equivalent, as both hold for both c.

    An engine proves its formula [lemma.prop1-cd].
    """
