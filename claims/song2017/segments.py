"""Parallel composition of MQMApprox on far segments: theorem III.3 and its steps, as index arguments and by Lemma A.2.

X_j in X^A has the active quilt {X_(j-a), X_(j+b)}; l and h stand for T1 and T2, T3 = c, T4 = d. Borrowed quilts of X_i have
nodes at i - a and i + b where these exist. Source: song2017, theorem III.3 and appendix A-A.
"""

from functools import partial

import sympy
from sympy import And, Eq, Implies, Not, Or

from pufferproof.claims.bai2026.readings import decide
from pufferproof.claims.registry import Check, claim
from pufferproof.claims.song2017.approximate import (
    DEGENERATE,
    LENGTH,
    evidence,
    leaks_more,
    scores,
    two_sided_is_active,
)
from pufferproof.claims.song2017.mechanism import EXPLAINED
from pufferproof.verify.proof import Argument

a, b, c, d, h, i, j, k, l, T = sympy.symbols("a b c d h i j k l T")  # noqa: E741
e, f, n, m, s, t, u, v, x, y = sympy.symbols("e f n m s t u v x y")
A, B, R, S, M, eps = sympy.symbols("A B R S M epsilon")
NODES = [l >= 1, l + 1 <= h, h + 1 <= c, c + 1 <= d, d <= T, i >= l, i <= h, j >= l, j <= h, a >= 1, b >= 1]
OWN = [j - a >= l, j + b <= h]
FAR = [c - h >= h - l, c - h >= d - c]
INDICES = "all T1 < T2 < T3 < T4, i, j, a, b; quilts inside the own segment"
SOUND = "estimates that bound e_theta (1 a simple eigenvalue of P P* for every theta), quilts inside the own segment"
PRINTED_BOUND = "Lemma II.3 as printed"
END = 2 * LENGTH + LENGTH - 1
LONGER = 100


@claim(
    "song2017.III3-cases",
    where="Appendix A-A",
    statement="For X_i in X^A exactly three cases: i-a>=1, i+b<=T2 (Q={X_(i-a),X_(i+b)}); i-a>=1, i+b>T2 (the same Q); i-a<=0, "
    "i+b<=T2 (Q={X_(i+b)}), with N between the nodes of Q and R beyond them, up to T2.",
    kind="proof step",
)
def cases(check: Check) -> None:
    """Proved for quilts inside the own segment, from a + b <= T2 - T1; quilts of the whole chain leave a fourth case."""
    for name, first in (("index 1 literal", sympy.Integer(1)), ("1 stands for T1", l)):
        decide(
            check,
            name,
            INDICES,
            partial(_cases, first=first),
            quilts_one_node_wider=partial(_cases, first=first, wide=True),
        )
    with check.reading("quilts searched inside the whole chain", "one counterexample") as argument:
        argument.counterexample(
            "both nodes of the borrowed quilt outside the segment",
            "Pairs of bits that change with probability 1/100, eps = 1, T = 100, X^A = X_1..X_22, X^B = X_43..X_64: the active "
            "quilt of X_22 is {X_3, X_40}, that of X_50 has the same distances; for i = 19, i - a = 0 and i + b = 37 > T2",
            {"T": LONGER, "T1": 1, "T2": 22, "T3": 43, "T4": 64, "j": 22, "a": 19, "b": 18, "i": 19},
            lambda: scores(22, LONGER)[1] == scores(50, LONGER)[1] == (19, 18) and 19 - 19 <= 0 and 19 + 18 > 22,
        )


def _cases(argument: Argument, first: sympy.Expr, wide: bool = False) -> None:
    quilts = [j - a >= l - 1, j + b <= h + 1] if wide else OWN
    left, right = i - a >= first, i + b <= h
    argument.case_split("the cases cover everything", "a + b = (j+b) - (j-a) <= T2 - T1",
                        [And(left, right), And(left, Not(right)), And(Not(left), right)], [*NODES, *quilts])  # fmt: skip
    argument.inequality("and exclude each other", "by i - a and i + b", Not(And(And(left, right), Or(Not(left), Not(right)))),
                        NODES)  # fmt: skip
    argument.inequality(
        "X_(i+b) is a node", "i + b <= T2 + (T2 - T1) - 1 < T3", i + b < c, [*NODES, *quilts, *FAR],
    )  # fmt: skip
    argument.cite("quilts", "nodes beyond i - a and i + b are separated from X_i", "song2017.II5-nearby")
    argument.inequality(
        "parts",
        "k up to T2 is in N, Q or R, as case 1 and 3 list them; in case 2 nothing lies beyond i + b",
        Or(And(k > i - a, k < i + b), Eq(k, i - a), Eq(k, i + b), And(k >= 1, k < i - a), And(k > i + b, k <= h)),
        [k >= 1, k <= h, *NODES],
    )


@claim(
    "song2017.III3-scores",
    where="Appendix A-A",
    statement="sigma_max >= sigma_j = card(X_N,j)/(eps-e(X_Q,j|X_j)); cases 1, 2: the same score for X_i; case 3: e and card "
    "are at most those of X_j, hence the score. So Lap(sigma_max) protects X_i.",
    kind="proof step",
)
def borrowed(check: Check) -> None:
    """Scores are as said; that they protect X_i needs estimates that bound e_theta."""
    name = "sizes and scores"
    decide(check, name, INDICES, _scores, case_3_with_the_left_node=partial(_scores, wrong=True))
    name = "protection, estimates that bound e_theta"
    decide(check, name, SOUND, _protected, a_smaller_scale=partial(_protected, small=True))
    _refuted(check, f"protection, {PRINTED_BOUND}")


def _refuted(check: Check, name: str) -> None:
    with check.reading(name, DEGENERATE) as argument:
        argument.counterexample(
            "pairs of neighbouring bits, X^A = X_1..X_60",
            f"{EXPLAINED}. What holds for all x of RuQ and all w_B holds for the sum over them",
            evidence(),
            leaks_more,
        )


def _scores(argument: Argument, wrong: bool = False) -> None:
    """n, m sizes for X_j and X_i; e, f estimates; x = 2 log(..a..) >= 0 and y = log(..b..) >= 0 the two terms."""
    argument.inequality("cases 1 and 2", "a + b - 1 nodes between and the terms of a and b, whatever i is",
    And(Eq(m, n), Eq(f, e)),
                        [Eq(n, (j + b) - (j - a) - 1), Eq(m, (i + b) - (i - a) - 1), Eq(e, x + y), Eq(f, x + y)])  # fmt: skip
    for name, start in (("index 1 literal", sympy.Integer(1)), ("1 stands for T1", l)):
        argument.inequality(
            f"case 3, {name}",
            "start..i+b-1 are near, start >= i - a + 1",
            And(m <= n, f <= e),
            [
                Eq(n, a + b - 1),
                Eq(m, i + b - start + (1 if wrong else 0)),
                i - a <= start - 1,
                i - a >= start - 1 if wrong else j >= l,
                Eq(e, x + y),
                Eq(f, y),
                x >= 0,
                y >= 0,
            ],
        )
    argument.inequality("fewer near records", "x = eps - e > 0", m * x <= n * x, [m <= n, x > 0])
    argument.inequality("a smaller estimate", "y = eps - f >= x: with the step before m/y <= n/x", n * x <= n * y,
                        [x <= y, x > 0, n >= 1])  # fmt: skip
    argument.inequality("the scale is enough", "s = sigma_max: s x >= n gives s y >= m", s * y >= m,
                        [s * x >= n, s * y >= s * x, m <= n])  # fmt: skip


def _protected(argument: Argument, small: bool = False) -> None:
    _scores(argument)
    argument.cite("estimates", "bound e_theta, also the term of one side alone", "song2017.lem-II3-repaired")
    argument.cite(
        "Lemma A.2", "for any quilt with sigma (eps - f) >= m, f an upper bound of e_theta", "song2017.lem-A2"
    )
    argument.inequality("what it needs", "s = sigma_max", s * (eps - f) >= m,
                        [s * (eps - f) >= (m - 1 if small else m), eps > f, f >= 0, m >= 1])  # fmt: skip


@claim(
    "song2017.III3-separation",
    where="Appendix A-A",
    statement="X_mid and X_out, the nodes of RuQ beyond and before i: as listed per case; condition (2) gives X_(i+b) not in "
    "X^B, X_mid disjoint from X^B; X_mid separates X^B from X^A. So P(F_A+Z_A=w,X_out,X_mid|X_i) P(F_B+Z_B=w'|X_mid) at a and "
    "b differ by at most e^eps_A.",
    kind="proof step",
)
def separation(check: Check) -> None:
    """The sets are as listed and separated; the ratio needs estimates that bound e_theta."""
    decide(check, "sets and separation", INDICES, _sets, half_the_gap=partial(_sets, half=True))
    decide(
        check, "the ratio, estimates that bound e_theta", SOUND, _ratio, w_B_given_X_i=partial(_ratio, dependent=True)
    )
    _refuted(check, f"the ratio, {PRINTED_BOUND}")


def _sets(argument: Argument, half: bool = False) -> None:
    """k is a node of R u Q: outside N, up to T2, or i + b in case 2."""
    gap = [2 * (c - h) >= h - l, 2 * (c - h) >= d - c] if half else FAR
    argument.inequality(
        "X_mid and X_out",
        "k > i iff k >= i + b, k < i iff k <= i - a",
        And(Implies(k > i, k >= i + b), Implies(k < i, k <= i - a)),
        [Not(And(k > i - a, k < i + b)), *NODES],
    )
    argument.inequality("disjoint from X^B", "nodes of X_mid are at most T2 or i + b", And(k < c, i + b < c),
                        [Or(k <= h, Eq(k, i + b)), *NODES, *OWN, *gap])  # fmt: skip
    argument.inequality(
        "between",
        "k in X^A is in X_mid or before X_(i+b), which is in X_mid and before all of X^B",
        And(Or(And(k >= i + b, k <= h), k < i + b), i + b < c),
        [k >= l, k <= h, *NODES, *OWN, *gap],
    )
    argument.inequality(
        "the mirror image",
        "for X_i in X^B and a quilt of X_j in X^B, i - a is after T2",
        i - a > h,
        [l + 1 <= h, h + 1 <= c, c + 1 <= d, i >= c, i <= d, j - a >= c, j + b <= d, j <= d, a >= 1, b >= 1, *gap],
    )


def _ratio(argument: Argument, dependent: bool = False) -> None:
    _sets(argument)
    argument.cite(
        "protection", "A <= R B: Alice's densities jointly with X_out, X_mid given a and given b", "song2017.lem-A2"
    )
    argument.cite("estimates", "in the scores bound e_theta", "song2017.lem-II3-repaired")
    argument.cite("separated", "Bob's density given X_mid is the same for a and b", "song2017.x-separated")
    argument.inequality("one common factor", "u = P(F_B+Z_B=w'|X_mid)", A * u <= R * B * (v if dependent else u),
                        [A <= R * B, A >= 0, B >= 0, u >= 0, v >= 0, R >= 1])  # fmt: skip


@claim(
    "song2017.thm-III3",
    where="Theorem III.3",
    statement="Alice and Bob run MQMApprox on X^A and X^B. If (1) for every theta some X_i in X^A and X_j in X^B have "
    "two-sided active quilts and (2) T3-T2 >= max{T2-T1, T4-T3}, the pair is max(eps_A,eps_B)-Pufferfish.",
    repair="song2017.thm-III3-repaired",
)
def theorem(check: Check) -> None:
    """False where Lemma II.3 is; with estimates that bound e_theta it holds."""
    for name, search in (("quilts inside the own segment", LENGTH), ("quilts inside the whole chain", END)):
        with check.reading(f"{name}, {PRINTED_BOUND}", DEGENERATE) as argument:
            argument.counterexample(
                "pairs of neighbouring bits",
                "X^A = X_1..X_60, X^B = X_120..X_179, T = 179, the same F, eps_A = eps_B = 1: X_30 (and X_149) have two-sided "
                "active quilts, T3 - T2 = 60 >= 59. Alice's release alone leaks more than 1, hence so does the pair. "
                + EXPLAINED,
                {**evidence(), "T": END, "quilts searched up to": search},
                partial(_alone, search),
            )
    decide(
        check,
        f"quilts inside the own segment, {SOUND.split(',')[0]}",
        SOUND,
        _theorem,
        half_the_gap=partial(_theorem, half=True),
    )


def _alone(search: int) -> bool:
    return two_sided_is_active(LENGTH // 2, search) and leaks_more(search) and 2 * LENGTH - LENGTH >= LENGTH - 1


@claim(
    "song2017.thm-III3-repaired",
    where="Theorem III.3, repaired",
    statement="With quilts searched inside the own segment and 1 a simple eigenvalue of P P* for every theta, (1) and (2) "
    "imply that the pair is max(eps_A,eps_B)-Pufferfish.",
    kind="repair of song2017.thm-III3",
    assumes=["estimates of Lemma II.3, with the matching term for one-sided quilts"],
)
def theorem_repaired(check: Check) -> None:
    """Prove it: borrowed quilts keep to the near half of the gap."""
    decide(check, "as stated", SOUND, _theorem, half_the_gap=partial(_theorem, half=True))


def _theorem(argument: Argument, half: bool = False) -> None:
    first = [a + b <= h - l]
    argument.case_split("a quilt to borrow for every X_i", "its right node is before X^B, or it needs none on the left",
                        [And(i - a >= 1, i + b < c), And(i - a < 1, i + b <= h)],
                        [*NODES, *first, *OWN, *([2 * (c - h) >= h - l] if half else FAR)])  # fmt: skip
    argument.cite("estimates", "bound e_theta", "song2017.lem-II3-repaired")
    argument.cite("given the rest", "Lemma A.2 with the borrowed quilt: A <= R B", "song2017.lem-A2")
    argument.cite("separated", "Bob's density u given X_mid does not depend on X_i", "song2017.x-separated")
    argument.inequality(
        "one term", "joint with X_out and X_mid", A * u <= R * B * u, [A <= R * B, A >= 0, B >= 0, u >= 0, R >= 1]
    )
    argument.cite("sums", "over x_out and x_mid keep the bound", "lemma.mediant")
    argument.inequality("both segments", "M = max(R, S): secrets of A have x <= R, those of B x <= S", x <= M,
                        [Or(x <= R, x <= S), M >= R, M >= S])  # fmt: skip
