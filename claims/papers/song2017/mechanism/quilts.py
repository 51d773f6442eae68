"""Markov quilts of a chain: which are minimal (lemma II.5), what lies near, and the quilt of
several releases.

A node k is separated from X_i by X_Q if a node of Q lies strictly between them. Source: song2017,
definition II.4, lemma II.5 and appendix A-B.
"""

from collections.abc import Iterator
from itertools import combinations, product

import sympy
from sympy import And, Eq, Implies, Not, Or

from pufferproof.claims.language import Edit, Proof, letter, letters, proved
from pufferproof.claims.papers.song2017.statements import quilts as said_quilts
from pufferproof.claims.registry import Check, claim

T = letter("T", "the number of records")
i, k = letters("i k", "indices of a record and of another one, a node")
l, r = letters("l r", "the nodes of Q next to i, 0 and T + 1 for a side without one")
g, h = letters("g h", "the same for another quilt")
m, n = letters("m n", "those of l, g and of r, h that are nearest to i")
s = letter("s", "a node of Q")
f = letter("f", "the nearest node on the right of i outside N; the node of another Q next to i")

upto, after = letters("upto after", "weights of a path up to X_t = v, and from there on")
U, V = letters("U V", "sums of the weights of whole paths: over ends, over beginnings too")
F, G = letters("F G", "sums of the weights up to X_t = v: of paths with X_L = x, of all paths")
H, K = letters("H K", "sums of the weights from X_t = v on: of paths with X_R = y, of all paths")
back_2 = letter("back_2", "the weight of a path, if steps looked two records back")
p_xyv, p_xv, p_yv, p_v = letters(
    "p_xyv p_xv p_yv p_v", "P(X_L=x,X_R=y,X_t=v), P(X_L=x,X_t=v), P(X_R=y,X_t=v), P(X_t=v)"
)
c, d = letters("c d", "P(X_l,X_i,X_r) for two values of X_i")
u, v = letters("u v", "chances of X_R, X_Q beyond l given X_l, and beyond r given X_r")
q_l, q_r = letters("q_l q_r", "chances of X_Q alone beyond l given X_l, and beyond r given X_r")
u_near = letter("u_near", "the chance that u is for another value of X_i")
rq_c, rq_d = letters("rq_c rq_d", "P(X_R,X_Q,X_i) for two values of X_i")
q_c, q_d = letters("q_c q_d", "P(X_Q,X_i) for two values of X_i")
sum_rq, sum_q = letters("sum_rq sum_q", "sums of rq_c and q_c over the first values of X_i")
same, differ = letters("same differ", "chances to be at the same value as X_i, at the other one")
power = letter("power", "3^-n, n the number of steps")
p, q = letters("p q", "the chances of X_r = 0 given X_Q and X_i = 0, and given X_Q and X_i = 1")
z, y = letters("z y", "the weights of what is known of X_Q beyond r, if X_r is 0 and if it is 1")

ALL = "all T, i, k and all chains; zeros included"
APART = "i is not in Q, and R and Q have no common node"
A_QUILT = {APART: "N, Q and R are disjoint, and i is in N"}
Nodes = frozenset[int]


@claim(
    "song2017.x-markov",
    where="Definition II.4, used throughout",
    statement="On every chain, for a node t, a set L of nodes before t, a set R of nodes after t "
    "and a value v with P(X_t=v) > 0: P(X_L=x,X_R=y|X_t=v) = P(X_L=x|X_t=v) P(X_R=y|X_t=v) for "
    "all x and y.",
    kind="lemma",
    says=said_quilts.MARKOV,
)
def markov(check: Check) -> None:
    """Prove it from P(X=x) = q(x_1) P(x_1,x_2) .. P(x_(T-1),x_T)."""
    two = Edit("paths after t: step", instead=Eq(U + back_2, upto * (H + after)))
    proved(check, "as stated", ALL, _markov, steps_that_look_two_records_back=two)


def _markov(proof: Proof) -> None:
    proof.induction(
        "paths after t",
        "the weight of a path is a product: of q(x_1) and all steps up to X_t = v, and of all "
        "steps from there on. Sums over the ends",
        base=(Eq(U, upto * H), [Eq(U, upto * after), Eq(H, after)]),
        step=(Eq(U + upto * after, upto * (H + after)), [Eq(U, upto * H)]),
    )
    proof.induction(
        "paths before t",
        "sums over the beginnings: the weight of all paths with X_L = x, X_t = v and X_R = y is "
        "F H",
        base=(Eq(V, F * H), [Eq(V, upto * H), Eq(F, upto)]),
        step=(Eq(V + upto * H, (F + upto) * H), [Eq(V, F * H)]),
    )
    proof.inequality(
        "given X_t = v",
        "sums over paths, each of a beginning and an end",
        Eq(p_xyv / p_v, (p_xv / p_v) * (p_yv / p_v)),
        [Eq(p_xyv, F * H), Eq(p_xv, F * K), Eq(p_yv, G * H), Eq(p_v, G * K), p_v > 0],
    )


@claim(
    "song2017.x-separated",
    where="Definition II.4, used throughout",
    statement="Let i be outside Q and let R and Q have no common node. Then "
    "P(X_R=x_R|X_Q=x_Q,X_i=a) = P(X_R=x_R|X_Q=x_Q) on every chain and for all x_R, x_Q and a "
    "with P(X_Q=x_Q,X_i=a) > 0 iff every node of R has a node of Q strictly between it and i.",
    kind="lemma",
    assumes=[APART],
    says={
        "separated nodes": said_quilts.SEPARATED_NODES,
        "a node that is not separated": said_quilts.UNSEPARATED_NODE,
    },
)
def separated(check: Check) -> None:
    """Prove "if" by independence at the nodes of Q next to i, "only if" by one chain."""
    near = [
        Edit("R lies beyond l and r", without=BETWEEN),
        Edit(
            "one ratio for all values of X_i",
            without=Eq(rq_d, u * d * v),
            given=Eq(rq_d, u_near * d * v),
        ),
    ]
    proved(check, "separated nodes", ALL, _separated, a_node_on_the_near_side=near)
    blind = Edit("X_r depends on X_i", without=power > 0, given=power >= 0)
    proved(
        check,
        "a node that is not separated",
        "the chain P = 2/3 1/3; 1/3 2/3 from any positive law",
        _visible,
        independent_records=blind,
    )


BETWEEN = Or(And(k < s, s < i), And(i < s, s < k))


def _separated(proof: Proof) -> None:
    proof.inequality(
        "R lies beyond l and r",
        "k is a node of R, s one of Q between",
        Or(k < l, k > r),
        [BETWEEN, Or(s <= l, s >= r), l < i, i < r],
    )
    proof.cite(
        "nodes beyond l, and beyond r",
        "given X_l, or X_r, they are independent of all the others",
        "song2017.x-markov",
    )
    proof.inequality(
        "one ratio for all values of X_i",
        "joint chances are products of what is said beyond l, beyond r, and of X_l, X_i and X_r",
        Eq(rq_c * q_d, rq_d * q_c),
        [
            Eq(rq_c, u * c * v),
            Eq(q_c, q_l * c * q_r),
            Eq(rq_d, u * d * v),
            Eq(q_d, q_l * d * q_r),
        ],
    )
    one_value = Eq(rq_c * q_d, rq_d * q_c)
    proof.induction(
        "and without X_i",
        "P(X_R|X_Q) = sum_rq/sum_q in the end, and rq_c/q_c for every value",
        base=(Eq(sum_rq * q_d, rq_d * sum_q), [Eq(sum_rq, rq_c), Eq(sum_q, q_c), one_value]),
        step=(
            Eq((sum_rq + rq_c) * q_d, rq_d * (sum_q + q_c)),
            [Eq(sum_rq * q_d, rq_d * sum_q), one_value],
        ),
    )


def _visible(proof: Proof) -> None:
    """r is a node of R without a node of Q between it and i, perhaps i itself."""
    third = sympy.Rational(1, 3)
    law = And(Eq(same, (1 + power) / 2), Eq(differ, (1 - power) / 2), power > 0, power <= 1)
    further = And(
        Eq(2 * third * same + third * differ, (1 + power / 3) / 2),
        Eq(third * same + 2 * third * differ, (1 - power / 3) / 2),
    )
    proof.induction(
        "n steps",
        "one more step goes to the other value with chance 1/3",
        base=(law, [Eq(same, 1), Eq(differ, 0), Eq(power, 1)]),
        step=(And(further, power / 3 > 0, power / 3 <= 1), [law]),
    )
    proof.inequality(
        "X_r depends on X_i",
        "n = |r - i| steps lie between. The weights z and y are positive like all weights here. If "
        "p and q differ so do the laws of X_R, of which they are sums",
        sympy.Ne(p, q),
        [
            Eq(p * ((1 + power) * z + (1 - power) * y), (1 + power) * z),
            Eq(q * ((1 - power) * z + (1 + power) * y), (1 - power) * z),
            power > 0,
            power <= 1,
            z > 0,
            y > 0,
        ],
    )


FORMS = "forms whose own indices exist"


@claim(
    "song2017.lem-II5",
    where="Lemma II.5, equation (4)",
    statement="The set of minimal quilts of X_i in X_1..X_T is {{X_(i-a),X_(i+b)}, {X_(i-a)}, "
    "{X_(i+b)}, {} : 1<=a<=i-1, 1<=b<=T-i}.",
    kind="lemma",
    repair="song2017.lem-II5-repaired",
    says={
        f"{FORMS}, any labelling, (2) for every chain": said_quilts.MINIMAL_QUILTS,
        f"{FORMS}, N the piece that holds i": said_quilts.MINIMAL_PIECES,
    },
)
def minimal(check: Check) -> None:
    """Decide five readings: of the set-builder, of "partitions" and of the condition (2)."""
    name = f"{FORMS}, any labelling, (2) for every chain"
    proved(check, name, ALL, _minimal, a_node_further_away=FURTHER_AWAY)
    name = f"{FORMS}, N the piece that holds i"
    proved(check, name, ALL, _pieces, a_node_further_away=ANOTHER_PIECE)
    with check.reading(
        f"{FORMS}, any labelling, (2) for the chain at hand", "one counterexample"
    ) as proof:
        proof.counterexample(
            "independent records",
            "T = 2, i = 1: with X_N = {X_1} the empty set is a quilt as well, X_R = {X_2}; {X_2} "
            "is not minimal",
            {
                "T": 2,
                "i": 1,
                "P": "1/2 1/2; 1/2 1/2",
                "minimal quilts": ["{}"],
                "printed set": ["{}", "{2}"],
            },
            lambda: found(2, 1, "any", independent=True) == {frozenset()} != printed_forms(2, 1),
        )
    with check.reading(
        f"{FORMS}, N and R unions of the pieces left", "one counterexample"
    ) as proof:
        quilt = frozenset({2, 4})
        proof.counterexample(
            "a far piece called near",
            "T = 4, i = 1: deleting {X_2, X_4} leaves the pieces {X_1} and {X_3}, both in X_N; no "
            "other set leaves these pieces",
            {"T": 4, "i": 1, "Q": [2, 4], "N": [1, 3]},
            lambda: quilt in found(4, 1, "unions") and quilt not in printed_forms(4, 1),
        )
    with check.reading("set-builder over pairs (a, b)", "one counterexample") as proof:
        proof.counterexample(
            "T = 1",
            "There is no pair (a, b), so that the set has no member; the empty set is a quilt of "
            "X_1 with X_N = {X_1}. The same happens for i = 1 and i = T of every chain",
            {"T": 1, "i": 1, "minimal quilts": ["{}"], "printed set": []},
            lambda: found(1, 1, "any") == {frozenset()} and printed_pairs(1, 1) == set(),
        )


@claim(
    "song2017.lem-II5-repaired",
    where="Lemma II.5, repaired",
    statement="The set of minimal quilts of X_i in X_1..X_T is {{X_(i-a),X_(i+b)}, {X_(i-a)}, "
    "{X_(i+b)}, {}}, with each form present whenever its own indices exist, 1<=a<=i-1 and "
    "1<=b<=T-i, and {} always: if condition (2) of Definition II.4 is asked of every chain, "
    "for any labelling of the other records as N or R; and if N is the piece that holds i, on "
    "any chain.",
    kind="repair of song2017.lem-II5",
    says={
        "any labelling, (2) for every chain": said_quilts.MINIMAL_QUILTS,
        "N the piece that holds i": said_quilts.MINIMAL_PIECES,
    },
)
def minimal_repaired(check: Check) -> None:
    """Prove it: the nodes nearest to i outside N belong to every quilt with that N, and are one."""
    name = "any labelling, (2) for every chain"
    proved(check, name, ALL, _minimal, a_node_further_away=FURTHER_AWAY)
    proved(check, "N the piece that holds i", ALL, _pieces, a_node_further_away=ANOTHER_PIECE)


FURTHER_AWAY = Edit("f belongs to Q", without=Or(s <= i, s >= f), given=Or(s <= i, s >= f - 1))


ANOTHER_PIECE = Edit("the piece of i", without=Not(And(f < r)))


def _minimal(proof: Proof) -> None:
    """The left side is the mirror image."""
    proof.cite(
        "separation",
        "(2) for every chain says: each node of R has one of Q between it and i",
        "song2017.x-separated",
        met=A_QUILT,
    )
    proof.inequality(
        "f belongs to Q",
        "if f were in R, a node s of Q would lie between i and f; but nodes there are in N, and "
        "those of Q to the right of i are at f or beyond it",
        s >= f,
        [s > i, Or(s <= i, s >= f), f > i],
    )
    proof.inequality(
        "f separates the rest of that side",
        "a node k of R on the right is not in N, nor f",
        And(i < f, f < k),
        [k > i, Or(k <= i, k >= f), sympy.Ne(k, f), f > i],
    )
    proof.inequality(
        "every form is taken",
        "N = all nodes between l and r: a node k outside N is at l or r or beyond them, so these "
        "are the nearest, if they are nodes",
        And(Implies(k < i, k <= l), Implies(k > i, k >= r)),
        [Not(And(k > l, k < r)), l < i, r > i],
    )


def _pieces(proof: Proof) -> None:
    """The piece of i is what lies between l and r."""
    proof.cite(
        "separation",
        "all other pieces are separated, so that (2) holds on every chain",
        "song2017.x-separated",
        met=A_QUILT,
    )
    proof.inequality(
        "the piece of i",
        "another node f of Q next to i with the same piece is the same: r is not in it",
        Eq(f, r),
        [f > i, r > i, Not(And(r < f)), Not(And(f < r))],
    )
    proof.inequality(
        "{l, r} is enough",
        "every node outside the piece is l or r or beyond one of them",
        Or(Eq(k, l), Eq(k, r), k < l, k > r),
        [Not(And(k > l, k < r))],
    )


def printed_forms(length: int, node: int) -> set[Nodes]:
    """S_Q,i with every form whose own indices exist."""
    lefts = [[], *([at] for at in range(1, node))]
    rights = [[], *([at] for at in range(node + 1, length + 1))]
    return {frozenset([*left, *right]) for left in lefts for right in rights}


def printed_pairs(length: int, node: int) -> set[Nodes]:
    """S_Q,i as a set-builder over pairs (a, b)."""
    pairs = product(range(1, node), range(node + 1, length + 1))
    return {frozenset(q) for a, b in pairs for q in ([a, b], [a], [b], [])}


def labellings(
    length: int, node: int, kind: str, independent: bool = False
) -> Iterator[tuple[Nodes, Nodes]]:
    """Yield every quilt as (Q, N): (2) for every chain, or for independent records, which
    satisfy it always.
    """
    others = [at for at in range(1, length + 1) if at != node]
    for size in range(length):
        for chosen in combinations(others, size):
            cut = frozenset(chosen)
            rest = [at for at in others if at not in cut]
            far = {at for at in rest if any(min(at, node) < q < max(at, node) for q in cut)}
            for remote in _remote(rest, far, cut, kind):
                if independent or remote <= far:
                    yield cut, frozenset({*rest, node} - remote)


def _remote(rest: list[int], far: set[int], cut: Nodes, kind: str) -> Iterator[set[int]]:
    if kind == "piece":
        yield far
        return
    pieces = [{at} for at in rest]
    if kind == "unions":
        keys = {at: sum(q < at for q in cut) for at in rest}
        pieces = [
            {at for at in rest if keys[at] == key and at in far}
            for key in sorted({keys[at] for at in far})
        ]
    for size in range(len(pieces) + 1):
        for chosen in combinations(pieces, size):
            yield set().union(*chosen)


def found(length: int, node: int, kind: str, independent: bool = False) -> set[Nodes]:
    """The minimal quilts by enumeration of all labellings; `kind` is "any", "unions" or "piece"."""
    sizes, quilts = dict[Nodes, int](), list(labellings(length, node, kind, independent))
    for cut, near in quilts:
        sizes[near] = min(sizes.get(near, len(cut)), len(cut))
    return {cut for cut, near in quilts if len(cut) == sizes[near]}


@claim(
    "song2017.II5-nearby",
    where="After Lemma II.5; proof of Theorem III.7",
    statement="Nearby sets: i-a<k<i+b for {X_(i-a),X_(i+b)}; i-a+1..T for {X_(i-a)}; 1..i+b-1 for "
    "{X_(i+b)}; the whole chain for {}, whose remote set is empty.",
    kind="remark",
    says=said_quilts.NEARBY,
)
def nearby(check: Check) -> None:
    """Prove that these are the pieces of i, and that all else is separated."""
    wide = Edit("no node of Q between", without=And(k > l, k < r), given=And(k >= l, k <= r))
    proved(check, "all four forms", ALL, _nearby, the_quilt_counted_as_near=wide)


SIDES = [l >= 0, l < i, r > i, r <= T + 1, k >= 1, k <= T]


def _nearby(proof: Proof) -> None:
    proof.inequality(
        "no node of Q between",
        "s is l or r: the nodes between l and r form a piece with i",
        Not(Or(And(s > k, s < i), And(s > i, s < k), Eq(s, k))),
        [And(k > l, k < r), Or(Eq(s, l), Eq(s, r)), *SIDES],
    )
    proof.inequality(
        "all else is in Q or beyond a node of Q",
        "l or r is a node, 1 <= l or r <= T, and lies between k and i",
        Or(
            And(Eq(k, l), l >= 1),
            And(Eq(k, r), r <= T),
            And(k < l, l < i, l >= 1),
            And(k > r, r > i, r <= T),
        ),
        [Not(And(k > l, k < r)), *SIDES],
    )
    proof.cite("so it is remote", "in the sense of (2)", "song2017.x-separated", met=A_QUILT)
    proof.inequality(
        "the empty quilt",
        "l = 0 and r = T + 1: all nodes are near",
        And(k > l, k < r),
        [Eq(l, 0), Eq(r, T + 1), *SIDES],
    )


@claim(
    "song2017.III7-quilt",
    where="Appendix A-B",
    statement="For active quilts with N^j, R^j put X_RuQ = union of R^j u Q^j, N = intersection of "
    "N^j, Q = {X_(i-min a^j), X_(i+min b^j)}: Q is a quilt of X_i with nearby set N and remote "
    "set RuQ minus Q.",
    kind="proof step",
    says=said_quilts.JOINT_QUILT,
)
def joint_quilt(check: Check) -> None:
    """Prove it for two quilts of any form; a side on which no run has a node stays without one."""
    farther = [
        Edit(step, without=NEARER, given=[m <= l, m <= g, n >= r, n >= h])
        for step in ("N", "X_i is in it", "the rest")
    ]
    proved(check, "one- and two-sided and empty quilts", ALL, _joint, the_farther_node=farther)


NEARER = [m >= l, m >= g, n <= r, n <= h]


NEAREST = [
    *[l >= 0, g >= 0, l < i, g < i, r > i, h > i, r <= T + 1, h <= T + 1, k >= 1, k <= T],
    Or(Eq(m, l), Eq(m, g)),
    Or(Eq(n, r), Eq(n, h)),
    *NEARER,
]


def _joint(proof: Proof) -> None:
    both = And(k > l, k < r, k > g, k < h)
    proof.inequality(
        "N",
        "is what lies between m and n",
        sympy.Equivalent(both, And(k > m, k < n)),
        NEAREST,
    )
    proof.inequality("X_i is in it", "m < i < n", And(m < i, i < n), NEAREST)
    proof.inequality(
        "the rest",
        "is in the union of R^j u Q^j, and is m or n, or beyond one of them that is a node",
        Or(
            both,
            And(Eq(k, m), m >= 1),
            And(Eq(k, n), n <= T),
            And(k < m, m >= 1),
            And(k > n, n <= T),
        ),
        NEAREST,
    )
    proof.cite(
        "so Q is a quilt",
        "nodes beyond m or n are separated from i",
        "song2017.x-separated",
        met_by={APART: "X_i is in it"},
    )
