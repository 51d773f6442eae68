"""Markov quilts of a chain: which are minimal (lemma II.5), what lies near, and the quilt of
several releases.

A node k is separated from X_i by X_Q if a node of Q lies strictly between them. Source: song2017,
definition II.4, lemma II.5 and appendix A-B.
"""

from collections.abc import Iterator
from itertools import combinations, product

from pufferproof.claims.language import letters
from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.mechanism.said import MINIMAL_PIECES, MINIMAL_QUILTS
from pufferproof.claims.papers.song2017.statements import quilts as said_quilts
from pufferproof.claims.registry import Check, claim

p, q = letters("p q", "the chances of X_r = 0 given X_Q and X_i = 0, and given X_Q and X_i = 1")

APART = "i is not in Q, and R and Q have no common node"
Nodes = frozenset[int]


@claim(
    "song2017.x-markov",
    where="Definition II.4, used throughout",
    kind="lemma",
    says={"as stated": said.MARKOV},
)
def markov(check: Check) -> None:
    """Give each path of the chain its weight, P(X_1=x_1) times its steps, and sum over beginnings
    and ends. Divided by P(X_t=v)^2: P(X_L=x,X_R=y|X_t=v) = P(X_L=x|X_t=v) P(X_R=y|X_t=v), for sets
    L up to t and R from t on.
    """
    check.stated("as stated")


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
    """Prove "if" by independence at the nodes of Q next to i, "only if" by one chain.

    Separated nodes. R lies beyond l and r: k is a node of R, s one of Q between. Nodes beyond l,
    and beyond r: given X_l, or X_r, they are independent of all the others [song2017.x-markov]. One
    ratio for all values of X_i: joint chances are products of what is said beyond l, beyond r, and
    of X_l, X_i and X_r. And without X_i: P(X_R|X_Q) = sum_rq/sum_q in the end, and rq_c/q_c for
    every value.

    A node that is not separated. N steps: one more step goes to the other value with chance 1/3.
    X_r depends on X_i: n = |r - i| steps lie between. The weights z and y are positive like all
    weights here. If p and q differ so do the laws of X_R, of which they are sums.
    """


FORMS = "forms whose own indices exist"


@claim(
    "song2017.lem-II5",
    where="Lemma II.5, equation (4)",
    kind="lemma",
    repair="song2017.lem-II5-repaired",
    says={
        f"{FORMS}, any labelling, (2) for every chain": MINIMAL_QUILTS,
        f"{FORMS}, N the piece that holds i": MINIMAL_PIECES,
    },
)
def minimal(check: Check) -> None:
    """Decide five readings: of the set-builder, of "partitions" and of the condition (2).

    Forms whose own indices exist, any labelling, (2) for every chain. Separation: (2) for every
    chain says: each node of R has one of Q between it and i [song2017.x-separated]. The nodes
    nearest to i outside N belong to Q: if one of them were in R, a node of Q would lie between, but
    nodes there are in N. These two, as far as there are such, separate all else, so that they are
    enough.

    Forms whose own indices exist, N the piece that holds i. Separation: all other pieces are
    separated, so that (2) holds on every chain [song2017.x-separated]. The nodes next to the piece
    are in Q, and are enough.
    """
    check.stated(f"{FORMS}, any labelling, (2) for every chain")
    check.stated(f"{FORMS}, N the piece that holds i")
    with check.reading(
        f"{FORMS}, any labelling, (2) for the chain at hand", "one counterexample"
    ) as proof:
        proof.counterexample(
            "independent records",
            "Take T = 2 and i = 1. With X_N = {X_1} and X_R = {X_2} the empty set is a quilt as "
            "well, and {X_2} is not minimal",
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
            "Take T = 4 and i = 1. Deleting {X_2, X_4} leaves the pieces {X_1} and {X_3}, both in "
            "X_N, and no other set leaves these pieces",
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
    kind="repair of song2017.lem-II5",
    says={
        "any labelling, (2) for every chain": MINIMAL_QUILTS,
        "N the piece that holds i": MINIMAL_PIECES,
    },
)
def minimal_repaired(check: Check) -> None:
    """Prove it: the nodes nearest to i outside N belong to every quilt with that N, and are one.

    As in song2017.lem-II5; each form is present whenever its own indices exist, and {} always.
    """
    check.stated("any labelling, (2) for every chain")
    check.stated("N the piece that holds i")


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
    says={"all four forms": said_quilts.NEARBY},
)
def nearby(check: Check) -> None:
    """Prove that these are the pieces of i, and that all else is separated.

    No node of Q between: s is l or r: the nodes between l and r form a piece with i. All else is in
    Q or beyond a node of Q: l or r is a node, 1 <= l or r <= T, and lies between k and i. So it is
    remote: in the sense of (2) [song2017.x-separated]. The empty quilt: l = 0 and r = T + 1: all
    nodes are near.
    """


@claim(
    "song2017.III7-quilt",
    where="Appendix A-B",
    statement="For active quilts with N^j, R^j put X_RuQ = union of R^j u Q^j, N = intersection of "
    "N^j, Q = {X_(i-min a^j), X_(i+min b^j)}: Q is a quilt of X_i with nearby set N and remote "
    "set RuQ minus Q.",
    kind="proof step",
    says={"one- and two-sided and empty quilts": said_quilts.JOINT_QUILT},
)
def joint_quilt(check: Check) -> None:
    """Prove it for two quilts of any form; a side on which no run has a node stays without one.

    N: is what lies between m and n. X_i is in it: m < i < n. The rest: is in the union of R^j u
    Q^j, and is m or n, or beyond one of them that is a node. So Q is a quilt: nodes beyond m or n
    are separated from i [song2017.x-separated].
    """
