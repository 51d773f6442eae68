"""Sequential composition of the Markov Quilt Mechanism: theorem III.7, inequality (26) and theorem
II.6.

For run j: n_j = card(X_N^j), K_j = e^(eps_j - e_j) and r_j = e^e_j for the influence e_j of its
active quilt, R_j = e^eps_j = K_j r_j; r belongs to the joint quilt. What is proved for exact
influences holds for any upper bounds. Source: song2017, II-D, appendix A-B.
"""

from fractions import Fraction
from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.eigengap import ASKED
from pufferproof.claims.papers.song2017.mechanism.statement import EXPLAINED
from pufferproof.claims.papers.song2017.setting.chains import chain, influence
from pufferproof.claims.registry import Check, claim
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.laws import Table
from pufferproof.verify.noise.leakage import NoiseLeakage, noise_leakage
from pufferproof.verify.proof.argument import Argument

a, b, d, f, g, h, n, p, q, r, s, t, u, v, w, x, y = sympy.symbols(
    "a b d f g h n p q r s t u v w x y"
)
A, B, C, D, K, L, M, N, R, S, T, U, V = sympy.symbols("A B C D K L M N R S T U V")
ALL = "all finite chains and classes of them (zeros included), one- and two-sided and empty quilts"
EXACT = f"{ALL}, all 1-Lipschitz F_k, levels and K"


@claim(
    "song2017.III7-ratio1",
    where="Appendix A-B, up to equation (25)",
    statement="For fixed x_RuQ: P(F_1+Z_1=w1,F_2+Z_2=w2|X_RuQ,X_i=a) over the same at b is <= "
    "exp(eps_1+eps_2-e_theta(X_Q^1|X_i)-e_theta(X_Q^2|X_i)), as F_1, F_2 vary by at most "
    "card(X_N) <= min_j card(X_N^j); each is a sum over x_N of densities at w_k - F_k(a, ..).",
    kind="proof step",
)
def ratio1(check: Check) -> None:
    """The bound holds; the display is right with F_k(x_i, ..), not with F_k(a, ..) for both
    secrets.
    """
    proved(check, "the bound", EXACT, _ratio1, nearby_sets_united=partial(_ratio1, united=True))
    proved(
        check,
        "the display with F_k(x_i, ..)",
        EXACT,
        _display,
        F_at_the_other_value=partial(_display, other=True),
    )
    with check.reading(
        "the display with F_k(a, ..), as printed, at X_i = b", "one counterexample"
    ) as argument:
        argument.counterexample(
            "one record",
            "T = 1, F = X_1, a = 0, b = 1, w = 1: given X_1 = b the exponent is |w - F(b)| = 0, "
            "the display has |w - F(a)| = 1; nothing is left to sum over",
            {"T": 1, "F": "X_1", "a": 0, "b": 1, "w": 1},
            lambda: abs(Fraction(1) - 1) != abs(Fraction(1) - 0),
        )


def _ratio1(argument: Argument, united: bool = False) -> None:
    argument.inequality(
        "size of X_N",
        "k counts in N = N^1 n N^2, g and h in N^1 and N^2 outside it",
        And(n <= a, n <= b),
        [Eq(a + g, n) if united else Eq(n + g, a), Eq(n + h, b), n >= 1, g >= 0, h >= 0],
    )
    argument.inequality(
        "scales",
        "sigma_j (eps_j - e_j) >= n_j >= n: s is sigma_j, d = eps_j - e_j",
        s * d >= n,
        [s * d >= a, a >= n],
    )
    argument.cite(
        "each density", "varies by at most K_j when X_N varies, with n for n_j", "song2017.x-noise"
    )
    argument.inequality(
        "their product",
        "noises are independent: u, v and x, y are densities at two values of X_N, K = K_1, L = "
        "K_2",
        u * v <= K * L * x * y,
        [u <= K * x, v <= L * y, *[each >= 0 for each in (u, v, x, y, K, L)]],
    )
    argument.cite(
        "averages",
        "over the laws of X_N given a and given b, which sum to 1",
        "song2017.x-averages",
    )


def _display(argument: Argument, other: bool = False) -> None:
    argument.induction(
        "total probability",
        "A sums d = P(w1,w2,x_N|x_i) over the first x_N, B sums P(x_N|x_i) times both densities "
        "u, v at the same x_i: noises are independent of each other and of the records, p = "
        "P(x_N|x_i)",
        base=(Eq(A, B), [Eq(A, d), Eq(B, p * (x if other else u) * v), Eq(d, p * u * v)]),
        step=(Eq(A + d, B + p * (x if other else u) * v), [Eq(A, B), Eq(d, p * u * v)]),
    )


@claim(
    "song2017.ineq-26",
    where="Equation (26)",
    statement="e_theta(X_Q^1|X_i)+e_theta(X_Q^2|X_i) >= e_theta(X_Q|X_i); trivial if X_Q is one of "
    "the two, else left side >= e_theta(X_max(a^1,a^2)|X_i)+e_theta(X_min(b^1,b^2)|X_i) >= "
    "e_theta({X_max(a^1,a^2),X_min(b^1,b^2)}|X_i).",
    kind="proof step",
)
def inequality26(check: Check) -> None:
    """Proved in every reading; with distances for subscripts the last set is not X_Q, though
    the display still holds.
    """
    proved(check, "(26)", ALL, _nearest, half_the_left_side=partial(_nearest, single=True))
    proved(
        check,
        "the display, subscripts as positions",
        ALL,
        _nearest,
        half_the_left_side=partial(_nearest, single=True),
    )
    name = "the display, subscripts as distances from i"
    proved(check, name, ALL, _distances, a_nearer_record=partial(_distances, nearer=True))
    of = chain("1/3 2/3", "2/3 1/3;1/3 2/3", 4)
    check.near_miss(
        f"{name}: that its last set bounds e_theta(X_Q)",
        lambda argument: argument.exhaust(
            "i = 3, a = 1 and 2, b = 1",
            "X_Q = {X_2, X_4}, the last set is {X_1, X_4}",
            [of],
            lambda at: (influence(at, 3, [2, 4]) or 0) <= (influence(at, 3, [1, 4]) or 0),
        ),
    )


def _nearest(argument: Argument, single: bool = False) -> None:
    """r = e^e(X_Q), u and v = e^e of its left and right node (1 if it has none); R, S those of
    X_Q^1 and X_Q^2.
    """
    argument.cite("both sides", "r <= u v", "song2017.x-two-sides")
    argument.cite(
        "larger sets", "the left node is in X_Q^1 or X_Q^2, so is the right one", "song2017.lem-A1"
    )
    argument.inequality(
        "all cases",
        "from the same quilt or from different ones",
        r <= (R if single else R * S),
        [
            r <= u * v,
            Or(And(u <= R, v <= S), And(u <= S, v <= R), r <= R, r <= S),
            u >= 1,
            v >= 1,
            R >= 1,
            S >= 1,
        ],
    )


def _distances(argument: Argument, nearer: bool = False) -> None:
    """The farther left node, at max(a^1, a^2), and the nearer right one: u and v, w the
    influence of the nearer left one.
    """
    argument.induction(
        "farther is less",
        "given the nearer record the farther one, of which y is a value, does not depend on X_i: d "
        "is its chance. A and B sum p d and q d over the first values of the nearer record, p and "
        "q their chances given two values of X_i",
        base=(A <= w * B, [Eq(A, p * d), Eq(B, q * d), p <= w * q, d >= 0]),
        step=(A + p * d <= w * (B + q * d), [A <= w * B, p <= w * q, d >= 0]),
    )
    argument.cite(
        "larger sets",
        "the right node and one of the left ones are in different quilts or in one",
        "song2017.lem-A1",
    )
    argument.inequality(
        "first inequality",
        "w belongs to the quilt that v does not, or the farther one does",
        u * v <= R * S,
        [
            Or(And(u <= R, v <= S), And(w <= R, v <= S)),
            w <= u if nearer else u <= w,
            u >= 1,
            v >= 1,
            w >= 1,
            R >= 1,
            S >= 1,
        ],
    )
    argument.cite("second inequality", "both sides", "song2017.x-two-sides")


@claim(
    "song2017.III7-K",
    where="End of the proof of Theorem III.7",
    statement="The same argument holds for K runs: N the intersection, RuQ the union, X_Q from the "
    "smallest a^j and smallest b^j.",
    kind="remark",
)
def many(check: Check) -> None:
    """Prove it by adding a run: the nearest nodes of all runs are those of two quilts, one of
    which stands for all before.
    """
    proved(check, "as printed", EXACT, _many, one_run_not_counted=partial(_many, short=True))


def _many(argument: Argument, short: bool = False) -> None:
    argument.cite(
        "one more quilt",
        "intersections, unions and nearest nodes: the quilt of the first runs and that of the next",
        "song2017.III7-quilt",
    )
    argument.cite(
        "(26)",
        "for these two: the influence of the new joint quilt is at most the sum",
        "song2017.ineq-26",
    )
    argument.induction(
        "influences",
        "r is e^e of the joint quilt of the first runs, A the product of r_j; s and t belong to "
        "the next run and joint quilt",
        base=(r <= A, [Eq(r, s), Eq(A, s), s >= 1]),
        step=(t <= (A if short else A * s), [r <= A, t <= r * s, r >= 1, s >= 1]),
    )
    argument.induction(
        "densities",
        "u, v products of the densities of the first runs at two values of X_N, L of K_j: u <= L v",
        base=(u <= L * v, [Eq(u, x), Eq(v, y), Eq(L, K), x <= K * y]),
        step=(
            u * x <= L * K * v * y,
            [u <= L * v, x <= K * y, u >= 0, v >= 0, x >= 0, y >= 0, K >= 1, L >= 1],
        ),
    )


@claim(
    "song2017.thm-III7",
    where="Theorem III.7",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K] is (sum_k eps_k)-Pufferfish, "
    "with different quilts per run; for MQMExact and MQMApprox.",
    repair="song2017.thm-III7-repaired",
)
def linear(check: Check) -> None:
    """Proved for exact influences; for Lemma II.3 as printed one run may already leak more than
    its level.
    """
    proved(check, "MQMExact", EXACT, _linear, one_level_left_out=partial(_linear, short=True))
    with check.reading("MQMApprox, Lemma II.3 as printed, K = 1", DEGENERATE) as argument:
        argument.counterexample("pairs of neighbouring bits", EXPLAINED, evidence(), leaks_more)


@claim(
    "song2017.thm-III7-repaired",
    where="Theorem III.7, repaired",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K], each with noise of its own and "
    "1-Lipschitz F_k, is (sum_k eps_k)-Pufferfish if every score uses an upper bound of "
    "e_theta: the exact one, or that of Lemma II.3 if for every theta the chain is irreducible "
    "and 1 is a simple eigenvalue of P P* (infinite up to the threshold; one-sided quilts by "
    "their own term, {} with 0).",
    kind="repair of song2017.thm-III7",
)
def linear_repaired(check: Check) -> None:
    """Prove it for upper bounds; Lemma II.3 as repaired gives some."""
    proved(
        check, "exact influences", EXACT, _linear, one_level_left_out=partial(_linear, short=True)
    )
    name = "upper bounds, Lemma II.3 for a simple eigenvalue"
    proved(
        check,
        name,
        EXACT,
        partial(_linear, approximate=True),
        one_level_left_out=partial(_linear, short=True),
    )


@claim(
    "song2017.x-upper-bounds",
    where="Theorem III.7, for any estimates",
    statement="Releasing MQM(X,F_k,eps_k,(S,Q,Theta)) for k in [K], each with noise of its own and "
    "1-Lipschitz F_k, is (sum_k eps_k)-Pufferfish if every score uses an upper bound of "
    "e_theta, whatever sets of quilts of X_i each run searches, as long as every X_i has a "
    "finite score.",
    kind="theorem",
)
def upper_bounds(check: Check) -> None:
    """Prove it without asking where the upper bounds come from."""
    proved(
        check, "any upper bounds", EXACT, _linear, one_level_left_out=partial(_linear, short=True)
    )


def _linear(argument: Argument, short: bool = False, approximate: bool = False) -> None:
    """A and B: joint densities of all outputs given X_i = a, X_RuQ = x and given X_i = b; p and q
    the chances of x.

    For run j: M_j is e to the estimate in the score of its active quilt, K_j = e^(eps_j)/M_j, and
    R_j = K_j M_j.
    """
    argument.inequality(
        "scales",
        "of run j: s is its scale, t = g/d the score of its active quilt with g near records, d = "
        "log K_j; n counts the records that are near in all runs",
        s * d >= n,
        [s >= t, Eq(t * d, g), g >= n, d > 0],
    )
    if approximate:
        argument.cite(
            "estimates", "are upper bounds: M_j >= r_j", "song2017.lem-II3-repaired", met=ASKED
        )
    argument.cite(
        "first ratio",
        "densities at two values of X_N are within L, the product of K_j",
        "song2017.III7-K",
    )
    argument.cite(
        "averages", "over the laws of X_N given x and X_i: A <= L B", "song2017.x-averages"
    )
    argument.cite("second ratio", "p <= r q", "song2017.III7-ratio2")
    argument.induction(
        "levels",
        "L, M and R are the products of K_j, M_j and R_j = K_j M_j over the first runs, K, S and T "
        "those of the next",
        base=(Eq(L * M, R), [Eq(L, K), Eq(M, S), Eq(R, T), Eq(K * S, T)]),
        step=(Eq(L * K * M * S, R * T), [Eq(L * M, R), Eq(K * S, T)]),
    )
    argument.induction(
        "influences",
        "r <= u, the product of r_j, by III7-K; u <= M",
        base=(u <= M, [Eq(u, v), Eq(M, S), v <= S]),
        step=(u * v <= M * S, [u <= M, v <= S, u >= 1, v >= 1]),
    )
    bound = L if short else R
    given = [A <= L * B, p <= r * q, r <= u, u <= M, Eq(L * M, R), L > 1, M >= 1, r >= 1]
    argument.induction(
        "both ratios, and x forgotten",
        "C and D sum the joint densities A p and B q of the outputs and x over the first x",
        base=(C <= bound * D, [Eq(C, A * p), Eq(D, B * q), *given, A >= 0, B >= 0, p >= 0, q >= 0]),
        step=(
            C + A * p <= bound * (D + B * q),
            [C <= R * D, *given, A >= 0, B >= 0, p >= 0, q >= 0],
        ),
    )


@claim(
    "song2017.thm-II6",
    where="Theorem II.6",
    statement="F_k Lipschitz, M_k MQM for F_k at eps_k with fixed quilt sets S_Q,i: "
    "(M_1(D),..,M_K(D)) is K max_k eps_k-Pufferfish; the text adds that the same quilts are "
    "needed.",
    assumes=["scores use e_theta or upper bounds of it; F_k scaled to be 1-Lipschitz"],
)
def same_quilts(check: Check) -> None:
    """Prove it from theorem III.7, whose proof needs no common quilts and any search sets that
    give finite scores.
    """
    for name in ("same search sets", "same active quilts"):
        proved(check, name, EXACT, _largest, average_for_max=partial(_largest, average=True))


def _largest(argument: Argument, average: bool = False) -> None:
    argument.cite("sum of the levels", "whatever the quilts are", "song2017.x-upper-bounds")
    _sum(argument, average)


def _sum(argument: Argument, average: bool = False) -> None:
    """S is the sum of the first n levels, M their maximum."""
    top = [S <= n * M, x >= M - 1, Eq(y, M)] if average else [S <= n * M, x <= y, M <= y]
    argument.induction(
        "levels",
        "S sums the first n of them, M and y are bounds of n and of n + 1, x is the next",
        base=(S <= n * M, [Eq(n, 1), S <= M]),
        step=(S + x <= (n + 1) * y, [*top, n >= 1, M >= 0, x >= 0]),
    )


@claim(
    "song2017.III7-vs-II6",
    where="After Theorem III.7",
    statement="Theorem III.7 gives a better guarantee than II.6 under weaker conditions: sum_k "
    "eps_k instead of K max_k eps_k.",
    kind="remark",
)
def better(check: Check) -> None:
    """Prove <= always, < iff levels differ."""
    proved(
        check,
        "at least as good",
        "all K and levels",
        _sum,
        a_level_above_the_maximum=partial(_sum, average=True),
    )
    proved(
        check,
        "strictly better when two levels differ",
        "all K and levels",
        _strict,
        equal_levels=partial(_strict, equal=True),
    )


def _strict(argument: Argument, equal: bool = False) -> None:
    argument.inequality(
        "one level below the maximum",
        "x < y is one of K = n + 1 levels, S sums the others, all at most y",
        S + x < (n + 1) * y,
        [S <= n * y, x <= y if equal else x < y, n >= 1, x >= 0],
    )


@claim(
    "song2017.III7-slack",
    where="End of the proof of Theorem III.7",
    statement="At most two of the K influence terms are needed, so the bound is not tight and gets "
    "further from tight with more runs.",
    kind="remark",
)
def slack(check: Check) -> None:
    """Two terms are enough and what is dropped never shrinks; yet the bound itself may be
    attained for every K.
    """
    proved(
        check,
        "at most two terms are needed",
        EXACT,
        _nearest,
        one_term=partial(_nearest, single=True),
    )
    proved(
        check,
        "what the derivation drops never shrinks with K",
        EXACT,
        _dropped,
        it_grows=partial(_dropped, strict=True),
    )
    with check.reading("sum_k eps_k is not attained", "one counterexample, K = 3") as argument:
        argument.counterexample(
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


def _dropped(argument: Argument, strict: bool = False) -> None:
    """A/r is e to what is dropped by K runs, A the product of r_j; s and t belong to the next
    run and the new joint quilt.
    """
    argument.cite("one more run", "t <= r s", "song2017.ineq-26")
    argument.inequality(
        "never less",
        "A s / t >= A / r",
        (A * s * r > A * t) if strict else (A * s * r >= A * t),
        [t <= r * s, A >= 1, r >= 1, s >= 1, t >= 1],
    )
