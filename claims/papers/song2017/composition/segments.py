"""Parallel composition of MQMApprox on far segments: theorem III.3 and its steps, and which other
influences would do.

X_j in X^A has the active quilt {X_(j-a), X_(j+b)}; l and h stand for T1 and T2, T3 = c, T4 = d.
Borrowed quilts of X_i have nodes at i - a and i + b where these exist. Lemma A.2 is about the quilt
of least score of X_i, which the borrowed one need not be: what is used is `x-any-quilt`, and that
the scale is enough for the borrowed quilt. Source: song2017, theorem III.3 and appendix A-A.
"""

from functools import partial

import sympy
from sympy import And, Eq, Implies, Not, Or

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    LENGTH,
    evidence,
    leaks_more,
    scores,
    two_sided_is_active,
)
from pufferproof.claims.papers.song2017.mechanism.eigengap import ASKED
from pufferproof.claims.papers.song2017.mechanism.quilts import APART
from pufferproof.claims.papers.song2017.mechanism.statement import EXPLAINED
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, c, d, h, i, j, k, l, T = sympy.symbols("a b c d h i j k l T")
e, f, n, m, r, s, t, u, v, x, y, z = sympy.symbols("e f n m r s t u v x y z")
A, B, J, R, S, M, eps = sympy.symbols("A B J R S M epsilon")
NODES = [
    l >= 1,
    l + 1 <= h,
    h + 1 <= c,
    c + 1 <= d,
    d <= T,
    i >= l,
    i <= h,
    j >= l,
    j <= h,
    a >= 1,
    b >= 1,
]
OWN = [j - a >= l, j + b <= h]
FAR = [c - h >= h - l, c - h >= d - c]
INDICES = "all T1 < T2 < T3 < T4, i, j, a, b; quilts inside the own segment"
SOUND = (
    "estimates that bound e_theta (1 a simple eigenvalue of P P* for every theta), quilts inside "
    "the own segment"
)
PRINTED_BOUND = "Lemma II.3 as printed"
END = 2 * LENGTH + LENGTH - 1
LONGER = 100


@claim(
    "song2017.III3-cases",
    where="Appendix A-A",
    statement="For X_i in X^A exactly three cases: i-a>=1, i+b<=T2 (Q={X_(i-a),X_(i+b)}); i-a>=1, "
    "i+b>T2 (the same Q); i-a<=0, i+b<=T2 (Q={X_(i+b)}), with N between the nodes of Q and R "
    "beyond them, up to T2.",
    kind="proof step",
)
def cases(check: Check) -> None:
    """Proved for quilts inside the own segment, from a + b <= T2 - T1; quilts of the whole
    chain leave a fourth case.
    """
    for name, first in (("index 1 literal", sympy.Integer(1)), ("1 stands for T1", l)):
        proved(
            check,
            name,
            INDICES,
            partial(_cases, first=first),
            quilts_one_node_wider=partial(_cases, first=first, wide=True),
        )
    with check.reading("quilts searched inside the whole chain", "one counterexample") as argument:
        argument.counterexample(
            "both nodes of the borrowed quilt outside the segment",
            "Pairs of bits that change with probability 1/100, eps = 1, T = 100, X^A = X_1..X_22, "
            "X^B = X_43..X_64: the active quilt of X_22 is {X_3, X_40}, that of X_50 has the same "
            "distances; for i = 19, i - a = 0 and i + b = 37 > T2",
            {
                "T": LONGER,
                "T1": 1,
                "T2": 22,
                "T3": 43,
                "T4": 64,
                "j": 22,
                "a": 19,
                "b": 18,
                "i": 19,
            },
            lambda: (
                scores(22, LONGER)[1] == scores(50, LONGER)[1] == (19, 18)
                and 19 - 19 <= 0
                and 19 + 18 > 22
            ),
        )


def _cases(argument: Argument, first: sympy.Expr, wide: bool = False) -> None:
    quilts = [j - a >= l - 1, j + b <= h + 1] if wide else OWN
    left, right = i - a >= first, i + b <= h
    argument.case_split(
        "the cases cover everything",
        "a + b = (j+b) - (j-a) <= T2 - T1",
        [And(left, right), And(left, Not(right)), And(Not(left), right)],
        [*NODES, *quilts],
    )
    argument.inequality(
        "and exclude each other",
        "by i - a and i + b",
        Not(And(And(left, right), Or(Not(left), Not(right)))),
        NODES,
    )
    argument.inequality(
        "X_(i+b) is a node",
        "i + b <= T2 + (T2 - T1) - 1 < T3",
        i + b < c,
        [*NODES, *quilts, *FAR],
    )
    argument.cite(
        "quilts", "nodes beyond i - a and i + b are separated from X_i", "song2017.II5-nearby"
    )
    argument.inequality(
        "parts",
        "k up to T2 is in N, Q or R, as case 1 and 3 list them; in case 2 nothing lies beyond i + "
        "b",
        Or(
            And(k > i - a, k < i + b),
            Eq(k, i - a),
            Eq(k, i + b),
            And(k >= 1, k < i - a),
            And(k > i + b, k <= h),
        ),
        [k >= 1, k <= h, *NODES],
    )


@claim(
    "song2017.III3-scores",
    where="Appendix A-A",
    statement="sigma_max >= sigma_j = card(X_N,j)/(eps-e(X_Q,j|X_j)); cases 1, 2: the same score "
    "for X_i; case 3: e and card are at most those of X_j, hence the score. So Lap(sigma_max) "
    "protects X_i.",
    kind="proof step",
)
def borrowed(check: Check) -> None:
    """Scores are as said; that they protect X_i needs estimates that bound e_theta."""
    name = "sizes and scores"
    proved(
        check,
        name,
        INDICES,
        _scores,
        case_3_with_the_left_node=partial(_scores, wrong=True),
        a_quilt_that_is_not_active=partial(_scores, idle=True),
    )
    name = "protection, estimates that bound e_theta"
    proved(
        check, name, SOUND, _protected, a_quilt_that_is_not_active=partial(_protected, idle=True)
    )
    _refuted(check, f"protection, {PRINTED_BOUND}")


def _refuted(check: Check, name: str) -> None:
    with check.reading(name, DEGENERATE) as argument:
        argument.counterexample(
            "pairs of neighbouring bits, X^A = X_1..X_60",
            f"{EXPLAINED}. What holds for all x of RuQ and all w_B holds for the sum over them",
            evidence(),
            leaks_more,
        )


def _scores(argument: Argument, wrong: bool = False, idle: bool = False) -> None:
    """n, m are sizes for X_j and X_i, e, f the estimates; x = 2 log(..a..) >= 0 and y =
    log(..b..) >= 0 the two terms.
    """
    argument.inequality(
        "cases 1 and 2",
        "a + b - 1 nodes between and the terms of a and b, whatever i is",
        And(Eq(m, n), Eq(f, e)),
        [Eq(n, (j + b) - (j - a) - 1), Eq(m, (i + b) - (i - a) - 1), Eq(e, x + y), Eq(f, x + y)],
    )
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
    _enough(argument, idle)


def _enough(argument: Argument, idle: bool = False) -> None:
    """t = sigma_j is the score of the active quilt of X_j, s = sigma_max."""
    argument.inequality(
        "the scale is enough",
        "s >= t = n/(eps - e), since the least score of X_j is that of its active quilt and is "
        "finite: no more near records and no larger estimate than for X_j ask for no larger scale",
        And(s * (eps - f) >= m, f < eps),
        [
            *([] if idle else [s >= t]),
            Eq(t * (eps - e), n),
            e < eps,
            m <= n,
            f <= e,
            f >= 0,
            m >= 1,
            s > 0,
        ],
    )


def _protected(argument: Argument, idle: bool = False) -> None:
    _scores(argument, idle=idle)
    argument.cite(
        "estimates",
        "bound e_theta, also the term of one side alone",
        "song2017.lem-II3-repaired",
        met=ASKED,
    )
    argument.cite(
        "Lemma A.2 for the borrowed quilt",
        "with the estimate f, the scale s and m near records",
        "song2017.x-any-quilt",
    )


@claim(
    "song2017.III3-separation",
    where="Appendix A-A",
    statement="X_mid and X_out, the nodes of RuQ beyond and before i: as listed per case; "
    "condition (2) gives X_(i+b) not in X^B, X_mid disjoint from X^B; X_mid separates X^B from "
    "X^A. So P(F_A+Z_A=w,X_out,X_mid|X_i) P(F_B+Z_B=w'|X_mid) at a and b differ by at most "
    "e^eps_A.",
    kind="proof step",
)
def separation(check: Check) -> None:
    """The sets are as listed and separated; the ratio needs estimates that bound e_theta."""
    proved(check, "sets and separation", INDICES, _sets, half_the_gap=partial(_sets, half=True))
    proved(
        check,
        "the ratio, estimates that bound e_theta",
        SOUND,
        _ratio,
        w_B_given_X_i=partial(_ratio, dependent=True),
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
    argument.inequality(
        "disjoint from X^B",
        "nodes of X_mid are at most T2 or i + b",
        And(k < c, i + b < c),
        [Or(k <= h, Eq(k, i + b)), *NODES, *OWN, *gap],
    )
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
        [
            l + 1 <= h,
            h + 1 <= c,
            c + 1 <= d,
            i >= c,
            i <= d,
            j - a >= c,
            j + b <= d,
            j <= d,
            a >= 1,
            b >= 1,
            *gap,
        ],
    )


def _ratio(argument: Argument, dependent: bool = False) -> None:
    """j, k are the densities of w_A, w_B, x_out and x_mid given two values of X_i, A and B
    those without w_B.
    """
    _sets(argument)
    _enough(argument)
    argument.cite(
        "estimates", "in the scores bound e_theta", "song2017.lem-II3-repaired", met=ASKED
    )
    argument.cite(
        "protection", "A <= R B, by Lemma A.2 for the borrowed quilt", "song2017.x-any-quilt"
    )
    argument.cite(
        "separated",
        "Bob's density u = P(F_B+Z_B=w'|X_mid) is the same given X_i",
        "song2017.x-separated",
        met_by={APART: "disjoint from X^B"},
    )
    argument.inequality(
        "one common factor",
        "joint densities are products",
        j <= R * k,
        [
            Eq(j, A * u),
            Eq(k, B * (v if dependent else u)),
            A <= R * B,
            A >= 0,
            B >= 0,
            u >= 0,
            v >= 0,
            R >= 1,
        ],
    )


@claim(
    "song2017.thm-III3",
    where="Theorem III.3",
    statement="Alice and Bob run MQMApprox on X^A and X^B. If (1) for every theta some X_i in X^A "
    "and X_j in X^B have two-sided active quilts and (2) T3-T2 >= max{T2-T1, T4-T3}, the pair "
    "is max(eps_A,eps_B)-Pufferfish.",
    repair="song2017.thm-III3-repaired",
)
def theorem(check: Check) -> None:
    """False where Lemma II.3 is; with estimates that bound e_theta it holds."""
    for name, search in (
        ("quilts inside the own segment", LENGTH),
        ("quilts inside the whole chain", END),
    ):
        with check.reading(f"{name}, {PRINTED_BOUND}", DEGENERATE) as argument:
            argument.counterexample(
                "pairs of neighbouring bits",
                "X^A = X_1..X_60, X^B = X_120..X_179, T = 179, the same F, eps_A = eps_B = 1: X_30 "
                "(and X_149) have two-sided active quilts, T3 - T2 = 60 >= 59. Alice's release "
                "alone leaks more than 1, hence so does the pair. " + EXPLAINED,
                {**evidence(), "T": END, "quilts searched up to": search},
                partial(_alone, search),
            )
    proved(
        check,
        f"quilts inside the own segment, {SOUND.split(',')[0]}",
        SOUND,
        _theorem,
        half_the_gap=partial(_theorem, half=True),
    )


def _alone(search: int) -> bool:
    return (
        two_sided_is_active(LENGTH // 2, search)
        and leaks_more(search)
        and 2 * LENGTH - LENGTH >= LENGTH - 1
    )


@claim(
    "song2017.thm-III3-repaired",
    where="Theorem III.3, repaired",
    statement="Let every theta be irreducible with 1 a simple eigenvalue of P P*, and let Alice "
    "and Bob search quilts inside their own segments, with the terms of Lemma II.3 as "
    "estimates (infinite up to the threshold; one-sided quilts by their own term, {} with 0). "
    "If (1) for every theta some X_i in X^A and some X_j in X^B have two-sided active quilts "
    "and (2) T3-T2 >= max{T2-T1, T4-T3}, then the pair is max(eps_A,eps_B)-Pufferfish in (S_A "
    "u S_B, Q_A u Q_B, Theta).",
    kind="repair of song2017.thm-III3",
)
def theorem_repaired(check: Check) -> None:
    """Prove it: borrowed quilts keep to the near half of the gap."""
    proved(check, "as stated", SOUND, _theorem, half_the_gap=partial(_theorem, half=True))


def _theorem(argument: Argument, half: bool = False, other: bool = False) -> None:
    """x = 2 log(..a..) and y = log(..b..) are the terms of Lemma II.3."""
    gap = [2 * (c - h) >= h - l, 2 * (c - h) >= d - c] if half else FAR
    argument.inequality(
        "the gap is enough",
        "for quilts that begin and end at T1 <= .. <= T2, or T3 <= .. <= T4",
        And(c - h >= h - l - 1, c - h >= d - c - 1),
        [*NODES, *OWN, *gap],
    )
    argument.cite(
        "estimates",
        "are upper bounds at every record of the chain, whatever the law of X_1",
        "song2017.lem-II3-repaired",
        met=ASKED,
    )
    argument.inequality(
        "estimates by distance",
        "u = exp(-g a/2) and m = pimin: a term is the logarithm of at least 1. So the estimate of "
        "one side, x or y, is at most that of both, e = x + y",
        And((m + u) / (m - u) >= 1, x <= e, y <= e),
        [m > u, u > 0, Eq(e, x + y), *([] if other else [x >= 0, y >= 0])],
    )
    argument.cite(
        "for such estimates", "in the scores of both mechanisms", "song2017.x-III3-estimates"
    )


@claim(
    "song2017.x-III3-estimates",
    where="Theorem III.3, asked beyond it",
    statement="Let the scores use numbers E(a,b), E(a,.) and E(.,b) for every theta, and 0 for {}, "
    "such that the influence on X_i of its nodes at these distances is at most that number for "
    "every record i of the chain that has these nodes, and E(a,.), E(.,b) <= E(a,b). If quilts "
    "are searched inside the own segments, (1) holds and T3-T2 >= max{T2-T1, T4-T3} - 1 then "
    "the pair is max(eps_A,eps_B)-Pufferfish. If X_1 has a stationary law, the exact "
    "influences are such numbers.",
    kind="theorem",
)
def estimates(check: Check) -> None:
    """Prove it by the quilt of X_j, moved to X_i: the scale of X_j is enough for it."""
    proved(
        check,
        "estimates by distance",
        INDICES,
        _by_distance,
        a_gap_one_shorter=partial(_by_distance, short=True),
        estimates_by_position=partial(_by_distance, placed=True),
        a_quilt_that_is_not_active=partial(_by_distance, idle=True),
        a_larger_estimate_of_one_side=partial(_by_distance, larger=True),
    )
    proved(
        check,
        "exact influences, X_1 stationary",
        "all finite chains with a stationary X_1",
        _stationary,
        another_start=partial(_stationary, other=True),
    )


def _by_distance(
    argument: Argument,
    short: bool = False,
    placed: bool = False,
    idle: bool = False,
    larger: bool = False,
) -> None:
    """X_j in X^A has the active quilt {X_(j-a), X_(j+b)}; the mirror image has X_i, X_j in X^B.

    n, m are the sizes of the near sets of X_j and X_i; e, f their estimates; x, y, z = E(a,.),
    E(.,b), E(a,b). `placed`: numbers that depend on the record as well.
    """
    room = 2 if short else 1
    gap = [c - h >= h - l - room, c - h >= d - c - room]
    same, one = ([] if placed else [Eq(f, e)]), ([] if larger else [y <= z, x <= z])
    mirror = [
        l + 1 <= h,
        h + 1 <= c,
        c + 1 <= d,
        d <= T,
        i >= c,
        i <= d,
        j - a >= c,
        j + b <= d,
        a >= 1,
        b >= 1,
    ]
    argument.case_split(
        "which quilt X_i borrows",
        "that at i - a and i + b, or that at i + b alone if i - a is no record: all of X^B is in R "
        "u Q",
        [And(i - a >= 1, i + b <= c), And(i - a < 1, i + b <= h)],
        [*NODES, *OWN, *gap],
    )
    argument.inequality(
        "no more near records, no larger estimate",
        "both nodes: as many records between, and the same distances. One node: the records before "
        "i + b and E(.,b)",
        And(m <= n, f <= e),
        [
            Eq(n, (j + b) - (j - a) - 1),
            Eq(e, z),
            *one,
            Or(
                And(i - a >= 1, Eq(m, (i + b) - (i - a) - 1), *same),
                And(i - a <= 0, Eq(m, i + b - 1), Eq(f, y)),
            ),
        ],
    )
    argument.case_split(
        "the mirror image: which quilt",
        "at i - a and i + b, or at i - a alone if i + b is no record: all of X^A is in R u Q",
        [And(i - a >= h, i + b <= T), And(i - a >= c, i + b > T)],
        [*mirror, *gap],
    )
    argument.inequality(
        "the mirror image: near records",
        "of X^B, whose records after i - a are near if there is one node",
        And(m <= n, f <= e),
        [
            Eq(n, (j + b) - (j - a) - 1),
            Eq(e, z),
            *one,
            i <= d,
            d <= T,
            Or(
                And(i + b <= T, Eq(m, (i + b) - (i - a) - 1), *same),
                And(i + b >= T + 1, Eq(m, d - (i - a)), Eq(f, x)),
            ),
        ],
    )
    _enough(argument, idle)
    argument.cite(
        "Lemma A.2 for the borrowed quilt, with the other release",
        "for every theta: J <= R = e^eps_A for a secret of X^A, J <= S = e^eps_B for one of X^B, J "
        "a ratio of both outputs",
        "song2017.x-any-quilt",
    )
    argument.inequality(
        "both segments", "M = max(R, S)", J <= M, [Or(J <= R, J <= S), M >= R, M >= S]
    )


def _stationary(argument: Argument, other: bool = False) -> None:
    """x and y are P(X_t = z) and pi(z) for one z, u and v entries of powers of P."""
    same = [] if other else [Eq(x, y)]
    argument.induction(
        "the next record",
        "A and B sum P(X_t=z) P(z,w) and pi(z) P(z,w) over the first z, u = P(z,w). In the end "
        "they are P(X_(t+1)=w) and pi(w): the law of X_t is pi for every t",
        base=(Eq(A, B), [Eq(A, x * u), Eq(B, y * u), *same]),
        step=(Eq(A + x * u, B + y * u), [Eq(A, B), *same]),
    )
    argument.inequality(
        "three records",
        "m and n are P(X_(i-a),X_i,X_(i+b)) and P(X_(j-a),X_j,X_(j+b)) at the same values, s and t "
        "the chances of X_i and X_j: their conditional chances agree, and so do the influences; "
        "the same without a third record",
        Eq(m / s, n / t),
        [Eq(m, x * u * v), Eq(n, y * u * v), *same, Eq(s, t), s > 0],
    )
    argument.cite(
        "one side", "the influence of one node is at most that of both", "song2017.lem-A1"
    )


@claim(
    "song2017.x-III3-exact",
    where="Theorem III.3, asked beyond it",
    statement="With MQMExact in place of MQMApprox (1) and (2) do not keep the pair from leaking 2 "
    "eps: T = 7, T1 = 1, T2 = 3, T3 = 5, T4 = 7, eps_A = eps_B = eps > 0, X_1, X_2, X_3, X_6 "
    "and X_7 independent fair bits, X_3 = X_4 = X_5, F_A and F_B the sums of the bits of "
    "either segment. (As a chain with one P its values are the pairs (t, bit).)",
    kind="theorem",
)
def exact(check: Check) -> None:
    """Prove it: quilts of influence 0 with one near record give the scale 1/eps, and both
    releases tell X_3 = X_5.
    """
    proved(
        check,
        "as stated",
        "one chain, every eps > 0",
        _frozen,
        X_5_drawn_again=partial(_frozen, fresh=True),
    )


def _frozen(argument: Argument, fresh: bool = False) -> None:
    """t is a score; r = e^-eps."""
    argument.inequality(
        "sigma = 1/eps",
        "{X_1, X_3} is a quilt of X_2, {X_2} one of X_1 and of X_3, the same in X_5, X_6, X_7: one "
        "near record, influence 0, score 1/eps, and no score is lower. So {X_1, X_3} and {X_5, "
        "X_7} are active, and T3 - T2 = 2 is T2 - T1 = T4 - T3",
        t >= 1 / eps,
        [Eq(t * (eps - e), n), n >= 1, e >= 0, e < eps, eps > 0],
    )
    other = "((1 + r)^3/8)" if fresh else "(r*(1 + r)^2/4)"
    given_0 = "((1 + r)^3/8)" if fresh else "((1 + r)^2/4)"
    argument.identity(
        "both outputs at 0",
        "Up to the same factor the density of one output at 0 is (1 + r)^2/4 given X_3 = 0 and r "
        "(1 + r)^2/4 given X_3 = 1",
        f"(((1 + r)^2/4)*{given_0})/((r*(1 + r)^2/4)*{other})".replace("^", "**"),
        "1/r**2",
    )
    argument.inequality(
        "more than one level",
        "the ratio is e^(2 eps) = R > e^eps = S",
        R > S,
        [Eq(S * r, 1), Eq(R * r**2, 1), r > 0, r < 1],
    )
