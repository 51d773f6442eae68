"""The best bound of parallel composition that follows from two levels and the kernel between the
segments, and who attains it.

A set Y of values of X_T3 stands for "likely given w_B". Source: asked beyond song2017, theorem
III.1.
"""

from sympy import And, Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.papers.song2017.statements import segments as said_segments
from pufferproof.claims.registry import Check, claim

R = letter("R", "e^eps_A", at_least(1))
S = letter("S", "e^eps_B", at_least(1))
kappa = letter("kappa", "the largest quotient that the statement defines", at_least(1))
F = letter("F", "e^e(X_T3|X_T2)", at_least(1))
x, y = letters("x y", "P_v(Y), P_w(Y)")
p = letter("p", "the chance of a value of X_T3 given X_T2 = v; or of the first flag")
likelihood = letter("likelihood", "of w_B given this value, divided by the least such likelihood")
above_1 = letter("above_1", "likelihood - 1, the sum of d over the sets Y that have this value")
sum_pu, sum_p, sum_d = letters(
    "sum_pu sum_p sum_d", "sums of p likelihood, p, p above_1 over the first values"
)
d = letter("d", "the difference of a likelihood and the next smaller one", at_least(0))
D = letter("D", "the sum of d so far")
sum_dx, sum_dy = letters("sum_dx sum_dy", "sums of d x, d y so far")
own_v, own_w = letters(
    "own_v own_w", "likelihoods of the own output given two secrets", at_least(0)
)
other_v, other_w = letters("other_v other_w", "likelihoods of the other output", at_least(0))
both_v, both_w = letters("both_v both_w", "likelihoods of both outputs", at_least(0))
t = letter("t", "the chance of the flag outside Y", above(0))

ALL = (
    "all finite chains (zeros included) with at least two possible values of X_T2, all finite "
    "levels"
)
NOTATION = {
    "R": "e^eps_A",
    "S": "e^eps_B",
    "P_v": "the law of X_T3 given X_T2 = v",
    "P_w": "the law of X_T3 given X_T2 = w",
    "Y": "a set of values of X_T3",
    "kappa": "the largest quotient that the statement defines",
    "v": "a possible value of X_T2",
    "w": "a possible value of X_T2",
}


@claim(
    "song2017.x-III1-tight",
    where="Theorem III.1, asked beyond it",
    statement="Let kappa be the maximum over possible values v, w of X_T2 and sets Y of values of "
    "X_T3 of (1+(S-1)P_v(Y))/(1+(S-1)P_w(Y)). For secrets of A and all M_A, M_B with the "
    "levels eps_A, eps_B the joint ratio is at most R kappa; flags of X_T2 = v and of X_T3 in "
    "Y have these levels and attain it; and kappa <= min{S, e^e(X_T3|X_T2)}.",
    kind="theorem",
    assumes=[
        "X_T2 has at least two possible values (a certain X_T2 has no pair of secrets, and kappa = "
        "1)"
    ],
    says={
        "no mechanisms leak more": said_segments.NO_MORE,
        "flags attain it": said_segments.ATTAINED,
        "kappa <= min{S, e^e(X_T3|X_T2)}": said_segments.BELOW,
    },
)
def tight(check: Check) -> None:
    """Prove that flags are the extremes, and that they keep their levels on their whole
    segments.
    """
    apart = Edit("all sets", without=D <= S - 1, given=D <= 2 * S - 1)
    proved(check, "no mechanisms leak more", ALL, _largest, likelihoods_apart_by_more=apart)
    often = Edit("a mechanism with the level", without=t <= 1 / (S + 1), given=t <= 2 / (S + 1))
    proved(check, "flags attain it", ALL, _attained, a_frequent_flag=often)
    half = [
        Edit("by the influence", instead=2 * (1 + (S - 1) * x) <= F * (1 + (S - 1) * y)),
        Edit("by the level", instead=2 * (1 + (S - 1) * x) <= S * (1 + (S - 1) * y)),
    ]
    proved(check, "kappa <= min{S, e^e(X_T3|X_T2)}", ALL, _below, half_of_it=half)


def _largest(proof: Proof) -> None:
    """The likelihoods of w_B given possible values of X_T3, in order, divided by the least: 1 = u_1
    <= u_2 <= .. <= S.

    d = u_m - u_(m-1), Y the values with at least the likelihood u_m.
    """
    _sets(proof)
    proof.cite(
        "given X_T2",
        "both outputs are independent, and so are w_B and the secret",
        "song2017.x-markov",
    )
    proof.inequality(
        "secrets at T2",
        "likelihoods of both outputs are products",
        both_v <= R * kappa * both_w,
        [
            Eq(both_v, own_v * other_v),
            Eq(both_w, own_w * other_w),
            own_v <= R * own_w,
            other_v <= kappa * other_w,
        ],
        for_any=[both_v, both_w],
    )
    proof.cite(
        "averages",
        "for a secret before T2 the joint likelihoods are sums over X_T2 of P(own "
        "output,X_T2|secret) times P(w_B|X_T2)",
        "song2017.x-averages",
    )
    proof.inequality(
        "secrets before T2",
        "if own_w = 0 then own_v = 0 and both_v = 0",
        both_v <= R * kappa * both_w,
        [both_v * own_w <= kappa * own_v * both_w, own_v <= R * own_w, both_v <= own_v],
    )


def _sets(proof: Proof) -> None:
    proof.cite("sums", "over values and over sets may be exchanged", "lemma.finite-sums")
    proof.induction(
        "likelihoods as sums over sets",
        "sums over the first values of X_T3: P_v(w_B) = 1 + sum_Y d P_v(Y) in the end",
        base=(
            Eq(sum_pu, sum_p + sum_d),
            [
                Eq(sum_pu, p * likelihood),
                Eq(sum_p, p),
                Eq(sum_d, p * above_1),
                Eq(above_1, likelihood - 1),
            ],
        ),
        step=(
            Eq(sum_pu + p * likelihood, (sum_p + p) + (sum_d + p * above_1)),
            [Eq(sum_pu, sum_p + sum_d), Eq(above_1, likelihood - 1)],
        ),
    )
    _one_by_one(proof)


def _one_by_one(proof: Proof) -> None:
    proof.induction(
        "one set after the other",
        "1 + (S-1) x <= kappa (1 + (S-1) y) for every set, by definition of kappa",
        base=(
            D + (S - 1) * sum_dx <= kappa * (D + (S - 1) * sum_dy),
            [Eq(D, 0), Eq(sum_dx, 0), Eq(sum_dy, 0)],
        ),
        step=(
            (D + d) + (S - 1) * (sum_dx + d * x) <= kappa * ((D + d) + (S - 1) * (sum_dy + d * y)),
            [
                D + (S - 1) * sum_dx <= kappa * (D + (S - 1) * sum_dy),
                1 + (S - 1) * x <= kappa * (1 + (S - 1) * y),
            ],
        ),
        for_any=[S, kappa],
    )
    proof.inequality(
        "all sets",
        "D is now the largest likelihood minus 1, at most S - 1: P_v(w_B) <= kappa P_w(w_B). (If S "
        "= 1 both are 1.)",
        1 + sum_dx <= kappa * (1 + sum_dy),
        [D + (S - 1) * sum_dx <= kappa * (D + (S - 1) * sum_dy), D <= S - 1, S > 1],
    )


def _attained(proof: Proof) -> None:
    """The flag goes up with chance t S in Y and t elsewhere; t = 1/(S+1) is small enough."""
    proof.inequality(
        "a mechanism with the level",
        "chances are at most 1, and without the flag 1 - t and 1 - t S are within S",
        And(t * S < 1, 1 - t <= S * (1 - t * S)),
        [t <= 1 / (S + 1)],
    )
    proof.cite(
        "other records of the segment",
        "see averages of both likelihoods, which are as close",
        "song2017.x-averages",
    )
    proof.cite("given X_T2", "both flags are independent", "song2017.x-markov")
    proof.identity(
        "both flags up",
        "with the chance p R given X_T2 = v and p given X_T2 = w the first goes up; x = P_v(Y), y "
        "= P_w(Y)",
        "(p*R*(t*S*x + t*(1 - x)))/(p*(t*S*y + t*(1 - y)))",
        "R*((1 + (S - 1)*x)/(1 + (S - 1)*y))",
    )


def _below(proof: Proof) -> None:
    proof.inequality(
        "by the influence",
        "x = P_v(Y) <= F P_w(Y)",
        1 + (S - 1) * x <= F * (1 + (S - 1) * y),
        [x <= F * y, x >= 0, y >= 0],
    )
    proof.inequality(
        "by the level",
        "x <= 1",
        1 + (S - 1) * x <= S * (1 + (S - 1) * y),
        [x <= 1, x >= 0, y >= 0],
    )
