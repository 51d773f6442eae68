"""Sequential composition of the Markov Quilt Mechanism: theorem III.7, inequality (26) and theorem
II.6.

For run j: n_j = card(X_N^j), K_j = e^(eps_j - e_j) and r_j = e^e_j for the influence e_j of its
active quilt, R_j = e^eps_j = K_j r_j; r belongs to the joint quilt. What is proved for exact
influences holds for any upper bounds. Source: song2017, II-D, appendix A-B.
"""

from fractions import Fraction

from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.composition.linked import AT_LEAST_AS_GOOD, STRICTLY_BETTER
from pufferproof.claims.papers.song2017.estimated.said import ESTIMATED_RUNS
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.statement import EXPLAINED
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.papers.song2017.statements import runs as said_runs
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.tables import Table
from pufferproof.verify.noise.ratio.listed import NoiseLeakage, noise_leakage


@claim(
    "song2017.III7-ratio1",
    where="Appendix A-B, up to equation (25)",
    statement="For fixed x_RuQ: P(F_1+Z_1=w1,F_2+Z_2=w2|X_RuQ,X_i=a) over the same at b is <= "
    "exp(eps_1+eps_2-e_theta(X_Q^1|X_i)-e_theta(X_Q^2|X_i)), as F_1, F_2 vary by at most "
    "card(X_N) <= min_j card(X_N^j); each is a sum over x_N of densities at w_k - F_k(a, ..).",
    kind="proof step",
    says={"the bound": said_runs.FIRST_RATIO, "the display with F_k(x_i, ..)": said_runs.DISPLAY},
)
def ratio1(check: Check) -> None:
    """The bound holds; the display is right with F_k(x_i, ..), not with F_k(a, ..) for both
    secrets.

    The bound. Size of X_N: n counts N = N^1 n N^2, g and h what is in N^1 and N^2 outside it.
    Scales: sigma_j (eps_j - e_j) >= n_j >= n. Each density: varies by at most K_j when X_N varies,
    with n for n_j [song2017.x-noise]. Their product: noises are independent: u, u_2 and v, v_2 are
    densities at two values of X_N. Averages: over the laws of X_N given a and given b, which sum to
    1 [song2017.x-averages].

    The display with F_k(x_i, ..). Total probability: densities u, v are at the same x_i: noises are
    independent of each other and of the records.
    """
    check.tried("the bound")
    check.tried("the display with F_k(x_i, ..)")
    with check.reading(
        "the display with F_k(a, ..), as printed, at X_i = b", "one counterexample"
    ) as proof:
        proof.counterexample(
            "one record",
            "Take T = 1, F = X_1, a = 0, b = 1 and w = 1. Given X_1 = b the exponent is |w - "
            "F(b)| = 0, but the display has |w - F(a)| = 1, and nothing is left to sum over",
            {"T": 1, "F": "X_1", "a": 0, "b": 1, "w": 1},
            lambda: abs(Fraction(1) - 1) != abs(Fraction(1) - 0),
            "w - b = 0 and w - a > 0",
        )


@claim(
    "song2017.ineq-26",
    where="Equation (26)",
    statement="e_theta(X_Q^1|X_i)+e_theta(X_Q^2|X_i) >= e_theta(X_Q|X_i); trivial if X_Q is one of "
    "the two, else left side >= e_theta(X_max(a^1,a^2)|X_i)+e_theta(X_min(b^1,b^2)|X_i) >= "
    "e_theta({X_max(a^1,a^2),X_min(b^1,b^2)}|X_i).",
    kind="proof step",
    says={
        "(26)": said_influence.SUM_OF_INFLUENCES,
        "the display, subscripts as positions": said_influence.POSITIONS,
        "the display, subscripts as distances from i": said_influence.DISTANCES,
    },
)
def inequality26(check: Check) -> None:
    """Proved in every reading; with distances for subscripts the last set is not X_Q, though
    the display still holds.

    (26); the display, subscripts as positions. Both sides: r <= left right [song2017.x-two-sides].
    Larger sets: the left node is in X_Q^1 or X_Q^2, so is the right one [song2017.lem-A1]. All
    cases: from the same quilt or from different ones.

    The display, subscripts as distances from i. Farther is less: given the nearer record the
    farther one does not depend on X_i; sums over the values of the nearer record. Larger sets: the
    right node and one of the left ones are in different quilts or in one [song2017.lem-A1]. First
    inequality: the nearer left node is in the quilt that the right one is not in, or the farther
    one is. Second inequality: both sides [song2017.x-two-sides].
    """
    for name in ("(26)", "the display, subscripts as positions"):
        check.tried(name)
    name = "the display, subscripts as distances from i"
    check.tried(name)


@claim(
    "song2017.III7-K",
    where="End of the proof of Theorem III.7",
    statement="The same argument holds for K runs: N the intersection, RuQ the union, X_Q from the "
    "smallest a^j and smallest b^j.",
    kind="remark",
    says={"as printed": said_influence.SAME_ARGUMENT},
)
def many(check: Check) -> None:
    """Prove it by adding a run: the nearest nodes of all runs are those of two quilts, one of
    which stands for all before.

    One more quilt: intersections, unions and nearest nodes: the quilt of the first runs and that of
    the next [song2017.III7-quilt]. (26): for these two: the influence of the new joint quilt is at
    most the sum [song2017.ineq-26]. Influences: of the joint quilt of the first runs, and of the
    joint quilt with the next run. Densities: their products are within the product L of the K_j.
    """


@claim(
    "song2017.thm-III7",
    where="Theorem III.7",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K] is (sum_k eps_k)-Pufferfish, "
    "with different quilts per run; for MQMExact and MQMApprox.",
    repair="song2017.thm-III7-repaired",
    says={"MQMExact": said.SEVERAL},
)
def linear(check: Check) -> None:
    """Proved for exact influences; for Lemma II.3 as printed one run may already leak more than
    its level.
    """
    check.stated("MQMExact")
    with check.reading("MQMApprox, Lemma II.3 as printed, K = 1", DEGENERATE) as proof:
        proof.counterexample("pairs of neighbouring bits", EXPLAINED, evidence(), leaks_more)


@claim(
    "song2017.thm-III7-repaired",
    where="Theorem III.7, repaired",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K], each with noise of its own and "
    "1-Lipschitz F_k, is (sum_k eps_k)-Pufferfish if every score uses an upper bound of "
    "e_theta: the exact one, or that of Lemma II.3 if for every theta the chain is irreducible "
    "and 1 is a simple eigenvalue of P P* (infinite up to the threshold; one-sided quilts by "
    "their own term, {} with 0).",
    kind="repair of song2017.thm-III7",
    says={
        "exact influences": said.SEVERAL,
        "upper bounds, Lemma II.3 for a simple eigenvalue": ESTIMATED_RUNS,
    },
)
def linear_repaired(check: Check) -> None:
    """Prove it for upper bounds; Lemma II.3 as repaired gives some.

    One l and one s for all chains are enough, as in song2017.mqm-private-repaired.
    Scales: of a run, its score is n_1/d; n counts the records that are near in all runs. Estimates:
    are upper bounds: M_j >= r_j [song2017.lem-II3-repaired]. First ratio: densities at two values
    of X_N are within L, the product of K_j [song2017.III7-K]. Averages: over the laws of X_N given
    x and X_i: A <= L B [song2017.x-averages]. Second ratio: p <= r q [song2017.III7-ratio2].
    Levels: products of K_j, M_j and R_j = K_j M_j, and those of the next run. Influences: r <=
    product, by III7-K; product <= M. Both ratios, and x forgotten: sums of the joint densities A p
    and B q of the outputs and x over the first x.
    """
    check.stated("exact influences")
    check.stated("upper bounds, Lemma II.3 for a simple eigenvalue")


@claim(
    "song2017.x-upper-bounds",
    where="Theorem III.7, for any estimates",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K], each with noise of its own and "
    "1-Lipschitz F_k, is (sum_k eps_k)-Pufferfish if every score uses an upper bound of "
    "e_theta, whichever of the quilts of Lemma II.5 each run searches, as long as every X_i has a "
    "finite score.",
    kind="theorem",
    says={"any upper bounds": said.SEVERAL},
)
def upper_bounds(check: Check) -> None:
    """Coq takes the nearest quilt records of all releases, whose influence is that of two."""


@claim(
    "song2017.thm-II6",
    where="Theorem II.6",
    statement="F_k Lipschitz, M_k MQM for F_k at eps_k with fixed quilt sets S_Q,i: "
    "(M_1(D),..,M_K(D)) is K max_k eps_k-Pufferfish; the text adds that the same quilts are "
    "needed.",
    assumes=["scores use e_theta or upper bounds of it; F_k scaled to be 1-Lipschitz"],
    says={"any quilts, levels of at most eps": said.AT_ONE_LEVEL},
)
def same_quilts(check: Check) -> None:
    """Coq needs no common quilts: whatever they are, the levels add up."""


@claim(
    "song2017.III7-vs-II6",
    where="After Theorem III.7",
    statement="Theorem III.7 gives a better guarantee than II.6 under weaker conditions: sum_k "
    "eps_k instead of K max_k eps_k.",
    kind="remark",
    says={
        "at least as good": AT_LEAST_AS_GOOD,
        "strictly better when two levels differ": STRICTLY_BETTER,
    },
)
def better(check: Check) -> None:
    """Prove <= always, and < if two levels differ: the gaps below the largest level add up."""


@claim(
    "song2017.III7-slack",
    where="End of the proof of Theorem III.7",
    statement="At most two of the K influence terms are needed, so the bound is not tight and gets "
    "further from tight with more runs.",
    kind="remark",
    says={
        "at most two terms are needed": said_influence.TWO_ARE_ENOUGH,
        "what the derivation drops never shrinks with K": said_influence.NEVER_SHRINKS,
    },
)
def slack(check: Check) -> None:
    """Two terms are enough and what is dropped never shrinks; yet the bound itself may be
    attained for every K.

    At most two terms are needed. As in song2017.ineq-26.

    What the derivation drops never shrinks with K. One more run: next_joint <= r next_r
    [song2017.ineq-26]. Never less: product next_r / next_joint >= product / r.
    """
    check.tried("at most two terms are needed")
    name = "what the derivation drops never shrinks with K"
    check.tried(name)
    with check.reading("sum_k eps_k is not attained", "one counterexample, K = 3") as proof:
        proof.counterexample(
            "one record",
            "With T = 1 and F = X_1, a fair bit, MQM has the empty quilt alone, n = 1 and e = 0: "
            "the scale is 1/eps_k. Three runs with the levels log 2, log 3 and log 5 leak exactly "
            "log 30 together, the sum of their levels, at the outputs 0, 0, 0",
            {
                "T": 1,
                "F": "X_1",
                "q": "1/2 1/2",
                "levels": "log(2), log(3), log(5)",
                "joint leakage": "log(30)",
            },
            lambda: _one_record(2, 3, 5).compare(Level.log(30)) == 0,
        )


def _one_record(*ratios: int) -> NoiseLeakage:
    """Return the exact joint leakage of runs of MQM with levels log(ratio) on one fair bit."""
    of = Framework(
        ("0", "1"),
        {"x=0": ["0"], "x=1": ["1"]},
        [("x=0", "x=1")],
        {"theta": Table({"0": "1/2", "1": "1/2"})},
    )
    return noise_leakage(
        of, *(AdditiveNoise({"0": 0, "1": 1}, Noise.laplace(f"1/log({ratio})")) for ratio in ratios)
    )
