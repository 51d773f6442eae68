"""Lower bounds on the leakage of local redaction: the influence of whatever is released.

Coordinates of the mechanism are independent given X. Source: massny2025, appendix E, lemma 1 and
corollary 3.
"""

from collections.abc import Sequence
from functools import partial

from sympy import And, Eq

from pufferproof.claims.language import (
    PRINTED,
    Edit,
    Proof,
    at_least,
    edited,
    letter,
    letters,
    proved,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    chain,
    leakage,
    local,
    released,
    set_influence,
)
from pufferproof.claims.papers.massny2025.lower import statements
from pufferproof.claims.registry import Check, claim

U, V = letters("U V", "probabilities given X_p = x, and given X_p = 1 - x")
R = letter("R", "a bound of ratios, or e^Lk", at_least(1))
k = letter("k", "the probability that the records of a set are released at given values")
f = letter("f", "1 - r_t(x_t), the probability that the next record is released")
L, M = letters("L M", "e^Lk, e^Inf of a quilt")
ALL = "all chains, every n, p, set and local mechanism"
THIRD = chain("1/3", "1/3")
OUTSIDE, INSIDE = "p not in Q", "p in Q, with infinite influence"
RANDOMISED, DETERMINISTIC = "DIM (i): any r_t(0) = r_t(1)", "DIM (ii): deterministic"


@claim(
    "massny2025.self-redaction",
    where="Appendix E",
    statement="Privacy of X_p always requires redacting X_p itself: if r_p is not (1,1) then Lk is "
    "infinite.",
    kind="remark",
    says=statements.SELF,
)
def self_redaction(check: Check) -> None:
    """Prove that a released X_p has infinite leakage."""
    allowed = Edit("no bound holds", without=U > 0, given=U >= 0)
    proved(check, PRINTED, ALL, prove_self_redaction)
    check.near_miss(f"{PRINTED}: r_p(x) = 1 allowed", edited(prove_self_redaction, allowed))


def prove_self_redaction(proof: Proof) -> None:
    """U = 1 - r_p(x) > 0 against 0."""
    proof.cite(
        "Y_p alone",
        "A bound R for Y is one for Y_p, which is a function of Y",
        "lemma.data-processing",
    )
    proof.inequality(
        "no bound holds",
        "U = Pr(Y_p=x|X_p=x) = 1 - r_p(x) > 0 and V = Pr(Y_p=x|X_p=1-x) = 0, as Y_p is X_p or *",
        U > R * V,
        [U > 0, Eq(V, 0)],
    )


@claim(
    "massny2025.lemma1",
    where="Lemma 1",
    statement="For any local redaction mechanism, Q subset of [n], and x_Q in supp(Y_Q): "
    "Lk(X_p->Y) >= i(X_p ~> X_Q=x_Q).",
    kind="lemma",
    says=statements.LEMMA1,
)
def lemma1(check: Check) -> None:
    """Prove it for sets without p, the empty one too, and for sets with p, where both sides are
    infinite.
    """
    check.stated(OUTSIDE)
    proved(check, INSIDE, ALL, _with_own)
    check.near_miss(f"{INSIDE}: X_p redacted", _redacted)


def _redacted(proof: Proof) -> None:
    proof.exhaust(
        "n = 1",
        "Y = *",
        [(1, 1)],
        lambda at: leakage(THIRD, *at, local(released(1, []))) is None,
    )


def _with_own(proof: Proof) -> None:
    """x is the value of X_p in x_Q."""
    proof.cite(
        "Y_Q alone",
        "A bound R for Y is one for Y_Q, which is a function of Y",
        "lemma.data-processing",
    )
    proof.inequality(
        "no bound holds",
        "k U is Pr(Y_Q=x_Q|X_p=x) > 0, as x_Q is in supp(Y_Q) and its part Y_p = x needs X_p = x, "
        "and U is Pr(X_Q=x_Q|X_p=x); given X_p = 1 - x both have probability V = 0. So no R bounds "
        "the ratio of Y_Q, nor that of X_Q: both sides are infinite",
        And(k * U > R * (k * V), U > R * V),
        [k * U > 0, k > 0, Eq(V, 0)],
    )


def prove_released(proof: Proof) -> None:
    """The releases of x_Q have the probabilities of x_Q times a constant."""
    proof.cite(
        "the mechanism is a constant factor",
        "Y_Q = x_Q needs X_Q = x_Q, and has then the probability k = prod over Q of (1 - "
        "r_t(x_t)), whatever the other records. So Pr(Y_Q=x_Q|X_p=v) = k Pr(X_Q=x_Q|X_p=v): the "
        "factor leaves the sum over databases",
        "lemma.finite-sums",
    )
    proof.induction(
        "it is positive",
        "f = 1 - r_t(x_t) > 0 for t in Q, as x_Q is in supp(Y_Q); k = 1 for no records",
        base=(k > 0, [Eq(k, 1)]),
        step=(k * f > 0, [k > 0, f > 0]),
    )
    proof.cite(
        "Y_Q alone",
        "A bound R for Y is one for Y_Q, which is a function of Y",
        "lemma.data-processing",
    )
    proof.inequality(
        "the factor cancels",
        "U and V are the probabilities of X_Q = x_Q given X_p = x and 1 - x, in either order",
        U <= R * V,
        [k * U <= R * (k * V), k > 0, U >= 0, V >= 0],
    )


NEAREST = "the nearest records of a set on both sides of p, or on one"


@claim(
    "massny2025.x-nearest-quilt",
    where="Appendix D, used silently",
    statement="Two records tl < p < tr are a Markov quilt for X_p with everything between them "
    "nearby and everything beyond remote; so is one record other than X_p, with everything on "
    "the side of p nearby and everything beyond it remote.",
    kind="lemma",
    says=statements.NEAREST_QUILT,
)
def nearest_quilt(check: Check) -> None:
    """Prove it from the factors of the chain."""
    scope = "all chains, every n, p, tl and tr"
    proved(check, NEAREST, scope, _nearest_quilt, a_factor_across_the_quilt=_across)


def _across(proof: Proof) -> None:
    """u and v are the factors of a step from N to R, given two values of X_N."""
    proof.identity(
        FACTORS, "the remote records depend on X_N", "(g*c*h*v)/(c*(G*H*u))", "(g*S*h)/(G*S*H)"
    )


FACTORS = "the same given X_Q, X_N and given X_Q"


def _nearest_quilt(proof: Proof) -> None:
    proof.cite(
        "sums of products",
        "Steps of the chain up to tl have the product g, from tl to tr c, from tr on h. With x_Q "
        "fixed, g depends on the records left of tl only, c on those between, h on those right of "
        "tr; G, S, H are their sums, and a sum over two or three of these groups of records is a "
        "product of sums. With one record of Q there is no g, or no h: it is 1",
        "lemma.finite-sums",
    )
    proof.identity(
        FACTORS,
        "Pr(x_R|x_Q,x_N) is the joint probability g c h over its sum over x_R, Pr(x_R|x_Q) the sum "
        "of g c h over x_N, over the sum of that over x_R",
        "(g*c*h)/(c*(G*H))",
        "(g*S*h)/(G*S*H)",
    )


@claim(
    "massny2025.cor3",
    where="Corollary 3",
    statement="For a DIM and Q subset of R_rel: Lk >= Inf(X_p~>X_Q). If Q is a Markov quilt whose "
    "nearby set N has N n R_rel empty, equality holds.",
    kind="corollary",
    says=statements.COR3,
)
def cor3(check: Check) -> None:
    """Prove both parts for both meanings of data-independent; the quilt lies in R_rel, as the
    first sentence asks.
    """
    outside = Edit("every x_Q is possible: step", without=f > 0, given=f >= 0)
    randomised = partial(_cor3, chance=[f > 0, f <= 1])
    proved(check, RANDOMISED, ALL, randomised)
    proved(check, DETERMINISTIC, ALL, partial(_cor3, chance=[Eq(f, 1)]))
    check.near_miss(f"{RANDOMISED}: Q not in R_rel", edited(randomised, outside))
    check.near_miss(f"{DETERMINISTIC}: equality for a quilt outside R_rel", _outside)
    check.near_miss(f"{DETERMINISTIC}: equality with a nearby record released", _nearby)


def _cor3(proof: Proof, chance: Sequence[object]) -> None:
    proof.induction(
        "every x_Q is possible",
        "f = 1 - r_t for t in Q, k their product, the same for all x_Q",
        base=(k > 0, [Eq(k, 1)]),
        step=(k * f > 0, [k > 0, *chance]),
    )
    proof.cite(
        "lower bound",
        "Lk >= i(X_p~>X_Q=x_Q) for every x_Q, so for the largest",
        "massny2025.lemma1",
    )
    proof.cite(
        "the remote records",
        "w = Pr(X_R=x_R|X_Q=x_Q,X_N=x_N) does not depend on x_N: summed over the x_N with x_p = v, "
        "Pr(x_R,x_Q|X_p=v) = w Pr(x_Q|X_p=v)",
        "lemma.finite-sums",
    )
    proof.cite(
        "processing of X_Q",
        "Y_N is all *, and Y_Q, Y_R depend on X_Q, X_R: Pr(Y=y|X_p=v) = sum over x_Q of K(y|x_Q) "
        "Pr(x_Q|X_p=v) with K(y|x_Q) = sum over x_R of w times the mechanism, the same for both v. "
        "So Lk <= Inf(X_p~>X_Q)",
        "lemma.data-processing",
    )
    proof.inequality("equality", "each is at most the other", Eq(L, M), [L >= M, L <= M])


def _outside(proof: Proof) -> None:
    proof.exhaust(
        "everything redacted",
        "n = 2, p = 1, Q = {2}: Lk = 0",
        [(2, 1)],
        lambda at: leakage(THIRD, *at, local(released(2, []))) == set_influence(THIRD, *at, [2]),
    )


def _nearby(proof: Proof) -> None:
    proof.exhaust(
        "a record before the quilt",
        "n = 3, p = 1, Q = {3}, records 2 and 3 released",
        [(3, 1)],
        lambda at: (
            leakage(THIRD, *at, local(released(3, [2, 3]))) == set_influence(THIRD, *at, [3])
        ),
    )
