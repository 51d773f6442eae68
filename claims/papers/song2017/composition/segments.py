"""Parallel composition of MQMApprox on far segments: theorem III.3 and its steps, and which other
influences would do.

X_j in X^A has the active quilt {X_(j-a), X_(j+b)}. Borrowed quilts of X_i have nodes at i - a and
i + b where these exist. Lemma A.2 is about the quilt of least score of X_i, which the borrowed one
need not be: what is used is `x-any-quilt`, and that the scale is enough for the borrowed quilt.
Source: song2017, theorem III.3 and appendix A-A.
"""

from functools import partial

import sympy
from sympy import And, Eq, Implies, Not, Or

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
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
from pufferproof.claims.papers.song2017.statements import far as said_far
from pufferproof.claims.registry import Check, claim

T = letter("T", "the number of records")
T1 = letter("T1", "the index of the first record of Alice's segment")
T2 = letter("T2", "the index of the last record of Alice's segment, above T1")
T3 = letter("T3", "the index of the first record of Bob's segment, above T2")
T4 = letter("T4", "the index of the last record of Bob's segment, above T3")
i, j = letters("i j", "indices of a record, and of the record whose quilt it borrows")
k = letter("k", "the index of any record")
a, b = letters("a b", "the distances of the nodes of the quilt {X_(j-a), X_(j+b)} from X_j")
n, m = letters("n m", "how many records are near X_j with its quilt, and X_i with the borrowed one")
estimate_j, estimate_i = letters("estimate_j estimate_i", "the estimates for X_j and for X_i")
x, y, z = letters("x y z", "the estimates E(a,.), E(.,b), E(a,b) by distance")
s = letter("s", "sigma_max, the scale of the noise")
longest = letter("longest", "max{T2-T1, T4-T3}")
score = letter("score", "sigma_j, the score of the active quilt of X_j; a score")
eps = letter("epsilon", "the level of the mechanism")

R, S = letters("R S", "e^eps_A, e^eps_B", at_least(1))
M = letter("M", "the larger of R and S")
J = letter("J", "a ratio of both outputs")
own, own_b = letters(
    "own own_b", "densities of w_A, x_out and x_mid given two values of X_i", at_least(0)
)
u, v = letters("u v", "densities of w_B given x_mid, and given another value", at_least(0))
both, both_b = letters(
    "both both_b", "densities of w_A, w_B, x_out and x_mid given two values of X_i"
)

pimin = letter("pimin", "the least probability under pi")
decay = letter("decay", "exp(-g a/2)")
law, pi = letters("law pi", "P(X_t = z), pi(z)")
entry, entry_b = letters("entry entry_b", "entries of powers of P")
sum_law, sum_pi = letters("sum_law sum_pi", "sums over z of P(X_t=z) P(z,w), pi(z) P(z,w)")
three_i, three_j = letters(
    "three_i three_j", "P(X_(i-a),X_i,X_(i+b)) and P(X_(j-a),X_j,X_(j+b)) at the same values"
)
chance_i, chance_j = letters("chance_i chance_j", "the chances of these values of X_i, X_j")
r = letter("r", "e^-eps")
one, two = letters("one two", "e^eps, e^(2 eps)")

ORDER = [T1 + 1 <= T2, T2 + 1 <= T3, T3 + 1 <= T4]
IN_A = [i >= T1, i <= T2, j >= T1, j <= T2]
NODES = [T1 >= 1, *ORDER, T4 <= T, *IN_A, a >= 1, b >= 1]
MIRROR = [*ORDER, i >= T3, i <= T4, j - a >= T3, j + b <= T4, a >= 1, b >= 1]
OWN = [j - a >= T1, j + b <= T2]
WIDER = [j - a >= T1 - 1, j + b <= T2 + 1]
FAR = [T3 - T2 >= T2 - T1, T3 - T2 >= T4 - T3]
HALF = [2 * (T3 - T2) >= T2 - T1, 2 * (T3 - T2) >= T4 - T3]
LONGEST = [longest >= T2 - T1, longest >= T4 - T3]
ROOM = [T3 - T2 >= T2 - T1 - 1, T3 - T2 >= T4 - T3 - 1]
SHORT = [T3 - T2 >= T2 - T1 - 2, T3 - T2 >= T4 - T3 - 2]
FIRST_INDEX = {"index 1 literal": sympy.Integer(1), "1 stands for T1": T1}
IDLE = Edit("the scale is enough", without=s >= score)
HALF_THE_GAP = Edit("the gap is enough", without=T3 - T2 >= longest, given=2 * (T3 - T2) >= longest)
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
    says={"index 1 literal": said_far.CASES, "1 stands for T1": said_far.CASES_FROM_T1},
)
def cases(check: Check) -> None:
    """Proved for quilts inside the own segment, from a + b <= T2 - T1; quilts of the whole
    chain leave a fourth case.
    """
    wider = [
        Edit(step, without=OWN, given=WIDER)
        for step in ("the cases cover everything", "X_(i+b) is a node")
    ]
    for name, first in FIRST_INDEX.items():
        proved(check, name, INDICES, partial(_cases, first=first), quilts_one_node_wider=wider)
    with check.reading("quilts searched inside the whole chain", "one counterexample") as proof:
        proof.counterexample(
            "both nodes of the borrowed quilt outside the segment",
            "Pairs of bits that change with probability 1/100, eps = 1, T = 100, X^A = X_1..X_22, "
            "X^B = X_43..X_64: the active quilt of X_22 is {X_3, X_40}, that of X_50 has the same "
            "distances; for i = 19, i - a = 0 and i + b = 37 > T2",
            {
                **{"T": LONGER, "T1": 1, "T2": 22, "T3": 43, "T4": 64},
                **{"j": 22, "a": 19, "b": 18, "i": 19},
            },
            lambda: (
                scores(22, LONGER)[1] == scores(50, LONGER)[1] == (19, 18)
                and 19 - 19 <= 0
                and 19 + 18 > 22
            ),
        )


def _cases(proof: Proof, first: sympy.Expr) -> None:
    left, right = i - a >= first, i + b <= T2
    proof.case_split(
        "the cases cover everything",
        "a + b = (j+b) - (j-a) <= T2 - T1",
        [And(left, right), And(left, Not(right)), And(Not(left), right)],
        [*NODES, *OWN],
    )
    proof.inequality(
        "and exclude each other",
        "by i - a and i + b",
        Not(And(And(left, right), Or(Not(left), Not(right)))),
        NODES,
    )
    proof.inequality(
        "X_(i+b) is a node",
        "i + b <= T2 + (T2 - T1) - 1 < T3",
        i + b < T3,
        [*NODES, *OWN, *FAR],
    )
    proof.cite(
        "quilts", "nodes beyond i - a and i + b are separated from X_i", "song2017.II5-nearby"
    )
    _parts(proof)


def _parts(proof: Proof) -> None:
    proof.inequality(
        "parts",
        "k up to T2 is in N, Q or R, as case 1 and 3 list them; in case 2 nothing lies beyond i + "
        "b",
        Or(
            And(k > i - a, k < i + b),
            Eq(k, i - a),
            Eq(k, i + b),
            And(k >= 1, k < i - a),
            And(k > i + b, k <= T2),
        ),
        [k >= 1, k <= T2, *NODES],
    )


@claim(
    "song2017.III3-scores",
    where="Appendix A-A",
    statement="sigma_max >= sigma_j = card(X_N,j)/(eps-e(X_Q,j|X_j)); cases 1, 2: the same score "
    "for X_i; case 3: e and card are at most those of X_j, hence the score. So Lap(sigma_max) "
    "protects X_i.",
    kind="proof step",
    says={
        "sizes and scores": said_far.SCORES,
        "protection, estimates that bound e_theta": said_far.PROTECTION,
    },
)
def borrowed(check: Check) -> None:
    """Scores are as said; that they protect X_i needs estimates that bound e_theta."""
    left_too = [
        Edit(
            f"case 3, {name}",
            without=[Eq(m, i + b - start), j >= T1],
            given=[Eq(m, i + b - start + 1), i - a >= start - 1],
        )
        for name, start in FIRST_INDEX.items()
    ]
    proved(
        check,
        "sizes and scores",
        INDICES,
        _scores,
        case_3_with_the_left_node=left_too,
        a_quilt_that_is_not_active=IDLE,
    )
    name = "protection, estimates that bound e_theta"
    proved(check, name, SOUND, _protected, a_quilt_that_is_not_active=IDLE)
    _refuted(check, f"protection, {PRINTED_BOUND}")


def _refuted(check: Check, name: str) -> None:
    with check.reading(name, DEGENERATE) as proof:
        proof.counterexample(
            "pairs of neighbouring bits, X^A = X_1..X_60",
            f"{EXPLAINED}. What holds for all x of RuQ and all w_B holds for the sum over them",
            evidence(),
            leaks_more,
        )


def _scores(proof: Proof) -> None:
    """x = 2 log(..a..) >= 0 and y = log(..b..) >= 0 are the two terms."""
    proof.inequality(
        "cases 1 and 2",
        "a + b - 1 nodes between and the terms of a and b, whatever i is",
        And(Eq(m, n), Eq(estimate_i, estimate_j)),
        [
            Eq(n, (j + b) - (j - a) - 1),
            Eq(m, (i + b) - (i - a) - 1),
            Eq(estimate_j, x + y),
            Eq(estimate_i, x + y),
        ],
    )
    for name, start in FIRST_INDEX.items():
        proof.inequality(
            f"case 3, {name}",
            "start..i+b-1 are near, start >= i - a + 1",
            And(m <= n, estimate_i <= estimate_j),
            [
                Eq(n, a + b - 1),
                Eq(m, i + b - start),
                i - a <= start - 1,
                j >= T1,
                Eq(estimate_j, x + y),
                Eq(estimate_i, y),
                x >= 0,
                y >= 0,
            ],
        )
    _enough(proof)


def _enough(proof: Proof) -> None:
    proof.inequality(
        "the scale is enough",
        "s >= score = n/(eps - estimate_j), since the least score of X_j is that of its active "
        "quilt and is finite: no more near records and no larger estimate than for X_j ask for no "
        "larger scale",
        And(s * (eps - estimate_i) >= m, estimate_i < eps),
        [
            s >= score,
            Eq(score * (eps - estimate_j), n),
            estimate_j < eps,
            m <= n,
            estimate_i <= estimate_j,
            estimate_i >= 0,
            m >= 1,
            s > 0,
        ],
    )


def _protected(proof: Proof) -> None:
    _scores(proof)
    proof.cite(
        "estimates",
        "bound e_theta, also the term of one side alone",
        "song2017.lem-II3-repaired",
        met=ASKED,
    )
    proof.cite(
        "Lemma A.2 for the borrowed quilt",
        "with the estimate for X_i, the scale s and m near records",
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
    says={
        "sets and separation": said_far.SETS,
        "the ratio, estimates that bound e_theta": said_far.RATIO,
    },
)
def separation(check: Check) -> None:
    """The sets are as listed and separated; the ratio needs estimates that bound e_theta."""
    half = [
        Edit(step, without=FAR, given=HALF)
        for step in ("disjoint from X^B", "between", "the mirror image")
    ]
    proved(check, "sets and separation", INDICES, _sets, half_the_gap=half)
    proved(
        check,
        "the ratio, estimates that bound e_theta",
        SOUND,
        _ratio,
        w_B_given_X_i=Edit(
            "one common factor", without=Eq(both_b, own_b * u), given=Eq(both_b, own_b * v)
        ),
    )
    _refuted(check, f"the ratio, {PRINTED_BOUND}")


def _sets(proof: Proof) -> None:
    """k is a node of R u Q: outside N, up to T2, or i + b in case 2."""
    proof.inequality(
        "X_mid and X_out",
        "k > i iff k >= i + b, k < i iff k <= i - a",
        And(Implies(k > i, k >= i + b), Implies(k < i, k <= i - a)),
        [Not(And(k > i - a, k < i + b)), *NODES],
    )
    proof.inequality(
        "disjoint from X^B",
        "nodes of X_mid are at most T2 or i + b",
        And(k < T3, i + b < T3),
        [Or(k <= T2, Eq(k, i + b)), *NODES, *OWN, *FAR],
    )
    proof.inequality(
        "between",
        "k in X^A is in X_mid or before X_(i+b), which is in X_mid and before all of X^B",
        And(Or(And(k >= i + b, k <= T2), k < i + b), i + b < T3),
        [k >= T1, k <= T2, *NODES, *OWN, *FAR],
    )
    proof.inequality(
        "the mirror image",
        "for X_i in X^B and a quilt of X_j in X^B, i - a is after T2",
        i - a > T2,
        [*MIRROR, j <= T4, *FAR],
    )


def _ratio(proof: Proof) -> None:
    _sets(proof)
    _enough(proof)
    proof.cite("estimates", "in the scores bound e_theta", "song2017.lem-II3-repaired", met=ASKED)
    proof.cite(
        "protection", "own <= R own_b, by Lemma A.2 for the borrowed quilt", "song2017.x-any-quilt"
    )
    proof.cite(
        "separated",
        "Bob's density u = P(F_B+Z_B=w'|X_mid) is the same given X_i",
        "song2017.x-separated",
        met_by={APART: "disjoint from X^B"},
    )
    proof.inequality(
        "one common factor",
        "joint densities are products",
        both <= R * both_b,
        [Eq(both, own * u), Eq(both_b, own_b * u), own <= R * own_b],
    )


@claim(
    "song2017.thm-III3",
    where="Theorem III.3",
    statement="Alice and Bob run MQMApprox on X^A and X^B. If (1) for every theta some X_i in X^A "
    "and X_j in X^B have two-sided active quilts and (2) T3-T2 >= max{T2-T1, T4-T3}, the pair "
    "is max(eps_A,eps_B)-Pufferfish.",
    repair="song2017.thm-III3-repaired",
    says={f"quilts inside the own segment, {SOUND.split(',')[0]}": said_far.APPROXIMATE},
)
def theorem(check: Check) -> None:
    """False where Lemma II.3 is; with estimates that bound e_theta it holds."""
    for name, search in (
        ("quilts inside the own segment", LENGTH),
        ("quilts inside the whole chain", END),
    ):
        with check.reading(f"{name}, {PRINTED_BOUND}", DEGENERATE) as proof:
            proof.counterexample(
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
        half_the_gap=HALF_THE_GAP,
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
    says=said_far.APPROXIMATE,
)
def theorem_repaired(check: Check) -> None:
    """Prove it: borrowed quilts keep to the near half of the gap."""
    proved(check, "as stated", SOUND, _theorem, half_the_gap=HALF_THE_GAP)


def _theorem(proof: Proof) -> None:
    """x = 2 log(..a..) and y = log(..b..) are the terms of Lemma II.3."""
    proof.inequality(
        "the gap is enough",
        "for quilts that begin and end at T1 <= .. <= T2, or T3 <= .. <= T4: one record less "
        "would do",
        And(*ROOM),
        [*NODES, *OWN, T3 - T2 >= longest, *LONGEST],
    )
    proof.cite(
        "estimates",
        "are upper bounds at every record of the chain, whatever the law of X_1",
        "song2017.lem-II3-repaired",
        met=ASKED,
    )
    proof.inequality(
        "estimates by distance",
        "a term is the logarithm of at least 1. So the estimate of one side, x or y, is at most "
        "that of both, x + y",
        And((pimin + decay) / (pimin - decay) >= 1, x <= estimate_j, y <= estimate_j),
        [pimin > decay, decay > 0, Eq(estimate_j, x + y), x >= 0, y >= 0],
    )
    proof.cite(
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
    says={
        "estimates by distance": said_far.BY_DISTANCE,
        "exact influences, X_1 stationary": said_far.STATIONARY_NUMBERS,
    },
)
def estimates(check: Check) -> None:
    """Prove it by the quilt of X_j, moved to X_i: the scale of X_j is enough for it."""
    proved(
        check,
        "estimates by distance",
        INDICES,
        _by_distance,
        a_gap_one_shorter=[Edit(step, without=ROOM, given=SHORT) for step in (QUILT, MIRROR_QUILT)],
        estimates_by_position=[
            Edit(SIZES, without=_sizes(Eq(estimate_i, estimate_j)), given=_sizes()),
            Edit(
                MIRROR_SIZES,
                without=_mirror_sizes(Eq(estimate_i, estimate_j)),
                given=_mirror_sizes(),
            ),
        ],
        a_quilt_that_is_not_active=IDLE,
        a_larger_estimate_of_one_side=[
            Edit(step, without=[y <= z, x <= z]) for step in (SIZES, MIRROR_SIZES)
        ],
    )
    proved(
        check,
        "exact influences, X_1 stationary",
        "all finite chains with a stationary X_1",
        _stationary,
        another_start=[
            Edit(step, without=Eq(law, pi)) for step in ("the next record", "three records")
        ],
    )


QUILT = "which quilt X_i borrows"


MIRROR_QUILT = "the mirror image: which quilt"


SIZES = "no more near records, no larger estimate"


MIRROR_SIZES = "the mirror image: near records"


def _sizes(*same: sympy.Basic) -> sympy.Basic:
    """Two nodes, where the estimate is the same, or one node, for X_i in X^A."""
    return Or(
        And(i - a >= 1, Eq(m, (i + b) - (i - a) - 1), *same),
        And(i - a <= 0, Eq(m, i + b - 1), Eq(estimate_i, y)),
    )


def _mirror_sizes(*same: sympy.Basic) -> sympy.Basic:
    """Two nodes, where the estimate is the same, or one node, for X_i in X^B."""
    return Or(
        And(i + b <= T, Eq(m, (i + b) - (i - a) - 1), *same),
        And(i + b >= T + 1, Eq(m, T4 - (i - a)), Eq(estimate_i, x)),
    )


def _by_distance(proof: Proof) -> None:
    """X_j in X^A has the active quilt {X_(j-a), X_(j+b)}; the mirror image has X_i, X_j in X^B."""
    _in_a(proof)
    _in_b(proof)
    _enough(proof)
    proof.cite(
        "Lemma A.2 for the borrowed quilt, with the other release",
        "for every theta: J <= R = e^eps_A for a secret of X^A, J <= S = e^eps_B for one of X^B, J "
        "a ratio of both outputs",
        "song2017.x-any-quilt",
    )
    proof.inequality(
        "both segments",
        "M = max(R, S)",
        J <= M,
        [Or(J <= R, J <= S), M >= R, M >= S],
        for_any=[R, S],
    )


def _in_a(proof: Proof) -> None:
    proof.case_split(
        QUILT,
        "that at i - a and i + b, or that at i + b alone if i - a is no record: all of X^B is in R "
        "u Q",
        [And(i - a >= 1, i + b <= T3), And(i - a < 1, i + b <= T2)],
        [*NODES, *OWN, *ROOM],
    )
    proof.inequality(
        SIZES,
        "both nodes: as many records between, and the same distances. One node: the records before "
        "i + b and E(.,b)",
        And(m <= n, estimate_i <= estimate_j),
        [
            Eq(n, (j + b) - (j - a) - 1),
            Eq(estimate_j, z),
            y <= z,
            x <= z,
            _sizes(Eq(estimate_i, estimate_j)),
        ],
    )


def _in_b(proof: Proof) -> None:
    proof.case_split(
        MIRROR_QUILT,
        "at i - a and i + b, or at i - a alone if i + b is no record: all of X^A is in R u Q",
        [And(i - a >= T2, i + b <= T), And(i - a >= T3, i + b > T)],
        [*MIRROR, T4 <= T, *ROOM],
    )
    proof.inequality(
        MIRROR_SIZES,
        "of X^B, whose records after i - a are near if there is one node",
        And(m <= n, estimate_i <= estimate_j),
        [
            Eq(n, (j + b) - (j - a) - 1),
            Eq(estimate_j, z),
            y <= z,
            x <= z,
            i <= T4,
            T4 <= T,
            _mirror_sizes(Eq(estimate_i, estimate_j)),
        ],
    )


def _stationary(proof: Proof) -> None:
    proof.summed(
        "the next record",
        "sums over the first z. In the end they are P(X_(t+1)=w) and pi(w): the law of X_t is pi "
        "for every t",
        so_far=Eq(sum_law, sum_pi),
        adding={sum_law: law * entry, sum_pi: pi * entry},
        given=[Eq(law, pi)],
    )
    proof.inequality(
        "three records",
        "the conditional chances agree, and so do the influences; the same without a third record",
        Eq(three_i / chance_i, three_j / chance_j),
        [
            Eq(three_i, law * entry * entry_b),
            Eq(three_j, pi * entry * entry_b),
            Eq(law, pi),
            Eq(chance_i, chance_j),
            chance_i > 0,
        ],
    )
    proof.cite("one side", "the influence of one node is at most that of both", "song2017.lem-A1")


@claim(
    "song2017.x-III3-exact",
    where="Theorem III.3, asked beyond it",
    statement="With MQMExact in place of MQMApprox (1) and (2) do not keep the pair from leaking 2 "
    "eps: T = 7, T1 = 1, T2 = 3, T3 = 5, T4 = 7, eps_A = eps_B = eps > 0, X_1, X_2, X_3, X_6 "
    "and X_7 independent fair bits, X_3 = X_4 = X_5, F_A and F_B the sums of the bits of "
    "either segment. (As a chain with one P its values are the pairs (t, bit).)",
    kind="theorem",
    says=said_far.FROZEN,
)
def exact(check: Check) -> None:
    # both outputs have the factor (1 + r)^3/8 then, whatever X_3 is
    """Prove it: quilts of influence 0 with one near record give the scale 1/eps, and both
    releases tell X_3 = X_5.
    """
    again = Edit("both outputs at 0", instead=Eq(1 / r, 1 / r**2))
    proved(check, "as stated", "one chain, every eps > 0", _frozen, X_5_drawn_again=again)


def _frozen(proof: Proof) -> None:
    proof.inequality(
        "sigma = 1/eps",
        "{X_1, X_3} is a quilt of X_2, {X_2} one of X_1 and of X_3, the same in X_5, X_6, X_7: one "
        "near record, influence 0, score 1/eps, and no score is lower. So {X_1, X_3} and {X_5, "
        "X_7} are active, and T3 - T2 = 2 is T2 - T1 = T4 - T3",
        score >= 1 / eps,
        [Eq(score * (eps - estimate_j), n), n >= 1, estimate_j >= 0, estimate_j < eps, eps > 0],
    )
    proof.identity(
        "both outputs at 0",
        "Up to the same factor the density of one output at 0 is (1 + r)^2/4 given X_3 = 0 and r "
        "(1 + r)^2/4 given X_3 = 1",
        "(((1 + r)**2/4)*((1 + r)**2/4))/((r*(1 + r)**2/4)*(r*(1 + r)**2/4))",
        "1/r**2",
    )
    proof.inequality(
        "more than one level",
        "the ratio is e^(2 eps) > e^eps",
        two > one,
        [Eq(one * r, 1), Eq(two * r**2, 1), r > 0, r < 1],
    )
