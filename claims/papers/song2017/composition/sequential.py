"""Sequential composition of the Markov Quilt Mechanism: theorem III.7, inequality (26) and theorem
II.6.

For run j: n_j = card(X_N^j), K_j = e^(eps_j - e_j) and r_j = e^e_j for the influence e_j of its
active quilt, R_j = e^eps_j = K_j r_j; r belongs to the joint quilt. What is proved for exact
influences holds for any upper bounds. Source: song2017, II-D, appendix A-B.
"""

from fractions import Fraction

from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.eigengap import ASKED
from pufferproof.claims.papers.song2017.mechanism.statement import EXPLAINED
from pufferproof.claims.papers.song2017.setting.chains import chain, influence
from pufferproof.claims.papers.song2017.statements import bounds as said_bounds
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.papers.song2017.statements import runs as said_runs
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.tables import Table
from pufferproof.verify.noise.leakage import NoiseLeakage, noise_leakage

n = letter("n", "how many records are near in all runs, card(X_N)")
n_1, n_2 = letters("n_1 n_2", "how many records are near in a run, and in another one")
g, h = letters("g h", "how many of these are not near in the other run", at_least(0))
scale = letter("scale", "sigma_j of a run")
score = letter("score", "the score of the active quilt of the run")
d = letter("d", "log K_j of the run, eps_j - e_j")
k_1, k_2 = letters("k_1 k_2", "K_j of a run or of the next one, and of another")
u, v = letters("u v", "densities of an output at two values of X_N", at_least(0))
u_2, v_2 = letters("u_2 v_2", "densities of the output of another or the next run", at_least(0))
U, V = letters("U V", "products of the densities of the first runs at two values of X_N")
total = letter("total", "the sum of P(w1,w2,x_N|x_i) over the first x_N")
products = letter("products", "the sum of P(x_N|x_i) times both densities")
chance = letter("chance", "P(x_N|x_i)")
joint = letter("joint", "P(w1,w2,x_N|x_i)")
other = letter("other", "the density of the first output at the other value of X_i")

r = letter("r", "e^e of the joint quilt X_Q")
r_1, r_2 = letters("r_1 r_2", "e^e of X_Q^1 and of X_Q^2", at_least(1))
left, right = letters("left right", "e^e of the left and of the right node of X_Q", at_least(1))
far = letter("far", "e^e of the farther left node", at_least(1))
beyond = letter("beyond", "the chance of the farther record given the nearer one")
near_a, near_b = letters("near_a near_b", "chances of the nearer record given two values of X_i")
far_a, far_b = letters("far_a far_b", "chances of the farther record, sums over the nearer one")
product = letter("product", "the product of r_j over the first runs")
next_r = letter("next_r", "r_j of the next run", at_least(1))
next_joint = letter("next_joint", "e^e of the joint quilt with the next run")

L, M, R = letters("L M R", "products over the first runs of K_j, M_j and R_j = K_j M_j")
m_k, r_k = letters("m_k r_k", "M_j and R_j of the next run")
A, B = letters("A B", "densities of all outputs given x_RuQ and X_i = a, X_i = b", at_least(0))
p, q = letters("p q", "chances of x_RuQ given X_i = a, X_i = b", at_least(0))
C, D = letters("C D", "sums of A p, B q over the first x_RuQ")

levels = letter("levels", "the sum of the first levels")
count = letter("count", "how many levels there are in the sum")
level = letter("level", "one more level")
top, next_top = letters("top next_top", "bounds of the levels so far, and of the next one too")
ALL = "all finite chains and classes of them (zeros included), one- and two-sided and empty quilts"
EXACT = f"{ALL}, all 1-Lipschitz F_k, levels and K"


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
    """
    united = Edit("size of X_N", without=Eq(n + g, n_1), given=Eq(n_1 + g, n))
    proved(check, "the bound", EXACT, _ratio1, nearby_sets_united=united)
    with_other = Eq(products, chance * other * v)
    proved(
        check,
        "the display with F_k(x_i, ..)",
        EXACT,
        _display,
        F_at_the_other_value=[
            Edit(
                "total probability: base",
                without=Eq(products, chance * u * v),
                given=with_other,
            ),
            Edit("total probability: step", put={chance * u * v: chance * other * v}),
        ],
    )
    with check.reading(
        "the display with F_k(a, ..), as printed, at X_i = b", "one counterexample"
    ) as proof:
        proof.counterexample(
            "one record",
            "T = 1, F = X_1, a = 0, b = 1, w = 1: given X_1 = b the exponent is |w - F(b)| = 0, "
            "the display has |w - F(a)| = 1; nothing is left to sum over",
            {"T": 1, "F": "X_1", "a": 0, "b": 1, "w": 1},
            lambda: abs(Fraction(1) - 1) != abs(Fraction(1) - 0),
            "w - b = 0 and w - a > 0",
        )


def _ratio1(proof: Proof) -> None:
    proof.inequality(
        "size of X_N",
        "n counts N = N^1 n N^2, g and h what is in N^1 and N^2 outside it",
        And(n <= n_1, n <= n_2),
        [Eq(n + g, n_1), Eq(n + h, n_2), n >= 1],
    )
    proof.inequality(
        "scales",
        "sigma_j (eps_j - e_j) >= n_j >= n",
        scale * d >= n,
        [scale * d >= n_1, n_1 >= n],
    )
    proof.cite(
        "each density", "varies by at most K_j when X_N varies, with n for n_j", "song2017.x-noise"
    )
    proof.inequality(
        "their product",
        "noises are independent: u, u_2 and v, v_2 are densities at two values of X_N",
        u * u_2 <= k_1 * k_2 * v * v_2,
        [u <= k_1 * v, u_2 <= k_2 * v_2, k_1 >= 0, k_2 >= 0],
    )
    proof.cite(
        "averages",
        "over the laws of X_N given a and given b, which sum to 1",
        "song2017.x-averages",
    )


def _display(proof: Proof) -> None:
    proof.induction(
        "total probability",
        "densities u, v are at the same x_i: noises are independent of each other and of the "
        "records",
        base=(
            Eq(total, products),
            [
                Eq(total, joint),
                Eq(products, chance * u * v),
                Eq(joint, chance * u * v),
            ],
        ),
        step=(
            Eq(total + joint, products + chance * u * v),
            [Eq(total, products), Eq(joint, chance * u * v)],
        ),
        for_any=[u, v],
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
    """
    for name in ("(26)", "the display, subscripts as positions"):
        proved(check, name, ALL, _nearest, half_the_left_side=ONE_TERM)
    name = "the display, subscripts as distances from i"
    nearer = Edit("first inequality", without=far <= left, given=left <= far)
    proved(check, name, ALL, _distances, a_nearer_record=nearer)
    of = chain("1/3 2/3", "2/3 1/3;1/3 2/3", 4)
    check.near_miss(
        f"{name}: that its last set bounds e_theta(X_Q)",
        lambda proof: proof.exhaust(
            "i = 3, a = 1 and 2, b = 1",
            "X_Q = {X_2, X_4}, the last set is {X_1, X_4}",
            [of],
            lambda at: (influence(at, 3, [2, 4]) or 0) <= (influence(at, 3, [1, 4]) or 0),
        ),
    )


ONE_TERM = Edit("all cases", put={r_1 * r_2: r_1})


def _nearest(proof: Proof) -> None:
    """e^e of a node that X_Q does not have is 1."""
    proof.cite("both sides", "r <= left right", "song2017.x-two-sides")
    proof.cite(
        "larger sets", "the left node is in X_Q^1 or X_Q^2, so is the right one", "song2017.lem-A1"
    )
    proof.inequality(
        "all cases",
        "from the same quilt or from different ones",
        r <= r_1 * r_2,
        [
            r <= left * right,
            Or(
                And(left <= r_1, right <= r_2),
                And(left <= r_2, right <= r_1),
                r <= r_1,
                r <= r_2,
            ),
        ],
    )


def _distances(proof: Proof) -> None:
    """The farther left node, at max(a^1, a^2), and the nearer right one."""
    proof.summed(
        "farther is less",
        "given the nearer record the farther one does not depend on X_i; sums over the values of "
        "the nearer record",
        so_far=far_a <= left * far_b,
        adding={far_a: near_a * beyond, far_b: near_b * beyond},
        given=[near_a <= left * near_b, beyond >= 0],
        for_any=[left],
    )
    proof.cite(
        "larger sets",
        "the right node and one of the left ones are in different quilts or in one",
        "song2017.lem-A1",
    )
    proof.inequality(
        "first inequality",
        "the nearer left node is in the quilt that the right one is not in, or the farther one is",
        far * right <= r_1 * r_2,
        [
            Or(And(far <= r_1, right <= r_2), And(left <= r_1, right <= r_2)),
            far <= left,
        ],
    )
    proof.cite("second inequality", "both sides", "song2017.x-two-sides")


@claim(
    "song2017.III7-K",
    where="End of the proof of Theorem III.7",
    statement="The same argument holds for K runs: N the intersection, RuQ the union, X_Q from the "
    "smallest a^j and smallest b^j.",
    kind="remark",
    says=said_influence.SAME_ARGUMENT,
)
def many(check: Check) -> None:
    """Prove it by adding a run: the nearest nodes of all runs are those of two quilts, one of
    which stands for all before.
    """
    short = Edit("influences: step", put={product * next_r: product})
    proved(check, "as printed", EXACT, _many, one_run_not_counted=short)


def _many(proof: Proof) -> None:
    proof.cite(
        "one more quilt",
        "intersections, unions and nearest nodes: the quilt of the first runs and that of the next",
        "song2017.III7-quilt",
    )
    proof.cite(
        "(26)",
        "for these two: the influence of the new joint quilt is at most the sum",
        "song2017.ineq-26",
    )
    proof.induction(
        "influences",
        "of the joint quilt of the first runs, and of the joint quilt with the next run",
        base=(r <= product, [Eq(r, next_r), Eq(product, next_r)]),
        step=(
            next_joint <= product * next_r,
            [r <= product, next_joint <= r * next_r, r >= 1],
        ),
    )
    proof.induction(
        "densities",
        "their products are within the product L of the K_j",
        base=(U <= L * V, [Eq(U, u_2), Eq(V, v_2), Eq(L, k_1), u_2 <= k_1 * v_2]),
        step=(
            U * u_2 <= L * k_1 * V * v_2,
            [
                U <= L * V,
                u_2 <= k_1 * v_2,
                *[each >= 0 for each in (U, V, u_2, v_2)],
                k_1 >= 1,
                L >= 1,
            ],
        ),
        for_any=[u_2, v_2],
    )


LEFT_OUT = Edit("both ratios, and x forgotten", put={R: L})


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
        "upper bounds, Lemma II.3 for a simple eigenvalue": said_bounds.APPROXIMATE_RUNS,
    },
)
def linear_repaired(check: Check) -> None:
    """Prove it for upper bounds; Lemma II.3 as repaired gives some."""
    check.stated("exact influences")
    name = "upper bounds, Lemma II.3 for a simple eigenvalue"
    proved(check, name, EXACT, _approximate, one_level_left_out=LEFT_OUT)


@claim(
    "song2017.x-upper-bounds",
    where="Theorem III.7, for any estimates",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K], each with noise of its own and "
    "1-Lipschitz F_k, is (sum_k eps_k)-Pufferfish if every score uses an upper bound of "
    "e_theta, whatever sets of quilts of X_i each run searches, as long as every X_i has a "
    "finite score.",
    kind="theorem",
    says=said.SEVERAL,
)
def upper_bounds(check: Check) -> None:
    """Coq takes the nearest quilt records of all releases, whose influence is that of two."""
    check.stated("any upper bounds")


def _approximate(proof: Proof) -> None:
    """For run j: M_j is e to the estimate in the score of its active quilt, K_j = e^(eps_j)/M_j,
    and R_j = K_j M_j.
    """
    _scales(proof)
    proof.cite("estimates", "are upper bounds: M_j >= r_j", "song2017.lem-II3-repaired", met=ASKED)
    _ratios(proof)


def _scales(proof: Proof) -> None:
    proof.inequality(
        "scales",
        "of a run, its score is n_1/d; n counts the records that are near in all runs",
        scale * d >= n,
        [scale >= score, Eq(score * d, n_1), n_1 >= n, d > 0],
    )


def _ratios(proof: Proof) -> None:
    proof.cite(
        "first ratio",
        "densities at two values of X_N are within L, the product of K_j",
        "song2017.III7-K",
    )
    proof.cite("averages", "over the laws of X_N given x and X_i: A <= L B", "song2017.x-averages")
    proof.cite("second ratio", "p <= r q", "song2017.III7-ratio2")
    proof.induction(
        "levels",
        "products of K_j, M_j and R_j = K_j M_j, and those of the next run",
        base=(Eq(L * M, R), [Eq(L, k_1), Eq(M, m_k), Eq(R, r_k), Eq(k_1 * m_k, r_k)]),
        step=(Eq(L * k_1 * M * m_k, R * r_k), [Eq(L * M, R), Eq(k_1 * m_k, r_k)]),
    )
    proof.induction(
        "influences",
        "r <= product, by III7-K; product <= M",
        base=(product <= M, [Eq(product, next_r), Eq(M, m_k), next_r <= m_k]),
        step=(
            product * next_r <= M * m_k,
            [product <= M, next_r <= m_k, product >= 1, next_r >= 1],
        ),
        for_any=[next_r],
    )
    _both_ratios(proof)


def _both_ratios(proof: Proof) -> None:
    proof.summed(
        "both ratios, and x forgotten",
        "sums of the joint densities A p and B q of the outputs and x over the first x",
        so_far=C <= R * D,
        adding={C: A * p, D: B * q},
        given=[
            A <= L * B,
            p <= r * q,
            r <= product,
            product <= M,
            Eq(L * M, R),
            L > 1,
            M >= 1,
            r >= 1,
        ],
    )


SAME = ("same search sets", "same active quilts")
AVERAGE = Edit(
    "levels: step",
    without=[level <= next_top, top <= next_top],
    given=[level >= top - 1, Eq(next_top, top)],
)


@claim(
    "song2017.thm-II6",
    where="Theorem II.6",
    statement="F_k Lipschitz, M_k MQM for F_k at eps_k with fixed quilt sets S_Q,i: "
    "(M_1(D),..,M_K(D)) is K max_k eps_k-Pufferfish; the text adds that the same quilts are "
    "needed.",
    assumes=["scores use e_theta or upper bounds of it; F_k scaled to be 1-Lipschitz"],
    says=dict.fromkeys(SAME, said.AT_ONE_LEVEL),
)
def same_quilts(check: Check) -> None:
    """Coq needs no common quilts: whatever they are, the levels add up."""
    for name in SAME:
        check.stated(name)


def _sum(proof: Proof) -> None:
    proof.induction(
        "levels",
        "the sum of the first ones is at most their number times a bound, and so with the next",
        base=(levels <= count * top, [Eq(count, 1), levels <= top]),
        step=(
            levels + level <= (count + 1) * next_top,
            [
                levels <= count * top,
                level <= next_top,
                top <= next_top,
                count >= 1,
                top >= 0,
                level >= 0,
            ],
        ),
    )


@claim(
    "song2017.III7-vs-II6",
    where="After Theorem III.7",
    statement="Theorem III.7 gives a better guarantee than II.6 under weaker conditions: sum_k "
    "eps_k instead of K max_k eps_k.",
    kind="remark",
    says={
        "at least as good": said_runs.AT_LEAST_AS_GOOD,
        "strictly better when two levels differ": said_runs.STRICTLY_BETTER,
    },
)
def better(check: Check) -> None:
    """Prove <= always, < iff levels differ."""
    proved(
        check,
        "at least as good",
        "all K and levels",
        _sum,
        a_level_above_the_maximum=AVERAGE,
    )
    equal = Edit("one level below the maximum", without=level < top, given=level <= top)
    proved(
        check,
        "strictly better when two levels differ",
        "all K and levels",
        _strict,
        equal_levels=equal,
    )


def _strict(proof: Proof) -> None:
    proof.inequality(
        "one level below the maximum",
        "level < top is one of K = count + 1 levels, the sum is that of the others, all at most "
        "top",
        levels + level < (count + 1) * top,
        [levels <= count * top, level < top, count >= 1, level >= 0],
    )


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
    """
    proved(check, "at most two terms are needed", EXACT, _nearest, one_term=ONE_TERM)
    grows = Edit("never less", instead=product * next_r * r > product * next_joint)
    name = "what the derivation drops never shrinks with K"
    proved(check, name, EXACT, _dropped, it_grows=grows)
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


def _dropped(proof: Proof) -> None:
    """product/r is e to what is dropped."""
    proof.cite("one more run", "next_joint <= r next_r", "song2017.ineq-26")
    proof.inequality(
        "never less",
        "product next_r / next_joint >= product / r",
        product * next_r * r >= product * next_joint,
        [next_joint <= r * next_r, product >= 1, r >= 1, next_joint >= 1],
    )
