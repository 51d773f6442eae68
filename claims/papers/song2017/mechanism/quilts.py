"""Markov quilts of a chain: which are minimal (lemma II.5), what lies near, and the quilt of
several releases.

A node k is separated from X_i by X_Q if a node of Q lies strictly between them. l and r stand for
the quilt's nodes on either side of i, 0 and T+1 for a side without one. Source: song2017,
definition II.4, lemma II.5 and appendix A-B.
"""

from collections.abc import Iterator
from functools import partial
from itertools import combinations, product

import sympy
from sympy import And, Eq, Not, Or

from pufferproof.claims.language import proved
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

i, k, l, r, T, d, f, s, t, u, v, y, z = sympy.symbols("i k l r T d f s t u v y z")
c, e, g, h, j, m, n, p, q = sympy.symbols("c e g h j m n p q")
F, G, H, J, K, N, U, V = sympy.symbols("F G H J K N U V")
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
)
def markov(check: Check) -> None:
    """Prove it from P(X=x) = q(x_1) P(x_1,x_2) .. P(x_(T-1),x_T)."""
    proved(
        check,
        "as stated",
        ALL,
        _markov,
        steps_that_look_two_records_back=partial(_markov, two=True),
    )


def _markov(argument: Argument, two: bool = False) -> None:
    """F, H: sums over the paths before t with X_L = x, and after t with X_R = y; G, K: over all
    of them.
    """
    weight = z if two else f * h
    argument.induction(
        "paths after t",
        "f is the product of q(x_1) and all steps up to X_t = v, h that of all steps from there "
        "on. U sums the weights of the paths with one f over the first h, and H sums these h",
        base=(Eq(U, f * H), [Eq(U, f * h), Eq(H, h)]),
        step=(Eq(U + weight, f * (H + h)), [Eq(U, f * H)]),
    )
    argument.induction(
        "paths before t",
        "V sums f H over the first f, and F sums these f: the weight of all paths with X_L = x, "
        "X_t = v and X_R = y is F H",
        base=(Eq(V, F * H), [Eq(V, f * H), Eq(F, f)]),
        step=(Eq(V + f * H, (F + f) * H), [Eq(V, F * H)]),
    )
    argument.inequality(
        "given X_t = v",
        "j, l, m and n are P(X_L=x,X_R=y,X_t=v), P(X_L=x,X_t=v), P(X_R=y,X_t=v) and P(X_t=v)",
        Eq(j / n, (l / n) * (m / n)),
        [Eq(j, F * H), Eq(l, F * K), Eq(m, G * H), Eq(n, G * K), n > 0],
    )


@claim(
    "song2017.x-separated",
    where="Definition II.4, used throughout",
    statement="Let i be outside Q and let R and Q have no common node. Then "
    "P(X_R=x_R|X_Q=x_Q,X_i=a) = P(X_R=x_R|X_Q=x_Q) on every chain and for all x_R, x_Q and a "
    "with P(X_Q=x_Q,X_i=a) > 0 iff every node of R has a node of Q strictly between it and i.",
    kind="lemma",
    assumes=[APART],
)
def separated(check: Check) -> None:
    """Prove "if" by independence at the nodes of Q next to i, "only if" by one chain."""
    proved(
        check,
        "separated nodes",
        ALL,
        _separated,
        a_node_on_the_near_side=partial(_separated, near=True),
    )
    proved(
        check,
        "a node that is not separated",
        "the chain P = 2/3 1/3; 1/3 2/3 from any positive law",
        _visible,
        independent_records=partial(_visible, blind=True),
    )


def _separated(argument: Argument, near: bool = False) -> None:
    """Joint chances for two values of X_i: j and k with X_R = x_R, n and m without."""
    between = [] if near else [Or(And(k < s, s < i), And(i < s, s < k))]
    argument.inequality(
        "R lies beyond l and r",
        "l and r are the nodes of Q next to i, 0 and T + 1 for a side without one; k is a node of "
        "R, s one of Q between",
        Or(k < l, k > r),
        [*between, Or(s <= l, s >= r), l < i, i < r],
    )
    argument.cite(
        "nodes beyond l, and beyond r",
        "given X_l, or X_r, they are independent of all the others",
        "song2017.x-markov",
    )
    argument.inequality(
        "one ratio for all values of X_i",
        "c and d are P(X_l,X_i,X_r) for two values of X_i; u and v are the chances of what is said "
        "of X_R and X_Q beyond l given X_l and beyond r given X_r, s and t the chances of what is "
        "said of X_Q alone",
        Eq(j * m, k * n),
        [Eq(j, u * c * v), Eq(n, s * c * t), Eq(k, (e if near else u) * d * v), Eq(m, s * d * t)],
    )
    argument.induction(
        "and without X_i",
        "J and N are the sums of j and n over the first values of X_i: P(X_R|X_Q) = J/N in the "
        "end, and j/n for every value",
        base=(Eq(J * m, k * N), [Eq(J, j), Eq(N, n), Eq(j * m, k * n)]),
        step=(Eq((J + j) * m, k * (N + n)), [Eq(J * m, k * N), Eq(j * m, k * n)]),
    )


def _visible(argument: Argument, blind: bool = False) -> None:
    """r is a node of R without a node of Q between it and i, perhaps i itself."""
    third = sympy.Rational(1, 3)
    law = And(Eq(s, (1 + u) / 2), Eq(d, (1 - u) / 2), u > 0, u <= 1)
    further = And(
        Eq(2 * third * s + third * d, (1 + u / 3) / 2),
        Eq(third * s + 2 * third * d, (1 - u / 3) / 2),
    )
    argument.induction(
        "n steps",
        "s and d are the chances to be at the same value, and at the other one, u = 3^-n",
        base=(law, [Eq(s, 1), Eq(d, 0), Eq(u, 1)]),
        step=(And(further, u / 3 > 0, u / 3 <= 1), [law]),
    )
    argument.inequality(
        "X_r depends on X_i",
        "n = |r - i| steps lie between. z and y are the weights of what is known of X_Q beyond r "
        "if X_r is 0 and if it is 1, positive like all weights here; p and q are the chances of "
        "X_r = 0 given X_Q and X_i = 0, and given X_Q and X_i = 1. If they differ so do the laws "
        "of X_R, of which they are sums",
        sympy.Ne(p, q),
        [
            Eq(p * ((1 + u) * z + (1 - u) * y), (1 + u) * z),
            Eq(q * ((1 - u) * z + (1 + u) * y), (1 - u) * z),
            u >= 0 if blind else u > 0,
            u <= 1,
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
)
def minimal(check: Check) -> None:
    """Decide five readings: of the set-builder, of "partitions" and of the condition (2)."""
    with check.reading("set-builder over pairs (a, b)", "one counterexample") as argument:
        argument.counterexample(
            "T = 1",
            "There is no pair (a, b), so that the set has no member; the empty set is a quilt of "
            "X_1 with X_N = {X_1}. The same happens for i = 1 and i = T of every chain",
            {"T": 1, "i": 1, "minimal quilts": ["{}"], "printed set": []},
            lambda: found(1, 1, "any") == {frozenset()} and printed_pairs(1, 1) == set(),
        )
    proved(
        check,
        f"{FORMS}, any labelling, (2) for every chain",
        ALL,
        _minimal,
        a_node_further_away=partial(_minimal, wrong=True),
    )
    proved(
        check,
        f"{FORMS}, N the piece that holds i",
        ALL,
        _pieces,
        a_node_further_away=partial(_pieces, wrong=True),
    )
    with check.reading(
        f"{FORMS}, any labelling, (2) for the chain at hand", "one counterexample"
    ) as argument:
        argument.counterexample(
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
    ) as argument:
        quilt = frozenset({2, 4})
        argument.counterexample(
            "a far piece called near",
            "T = 4, i = 1: deleting {X_2, X_4} leaves the pieces {X_1} and {X_3}, both in X_N; no "
            "other set leaves these pieces",
            {"T": 4, "i": 1, "Q": [2, 4], "N": [1, 3]},
            lambda: quilt in found(4, 1, "unions") and quilt not in printed_forms(4, 1),
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
)
def minimal_repaired(check: Check) -> None:
    """Prove it: the nodes nearest to i outside N belong to every quilt with that N, and are one."""
    proved(
        check,
        "any labelling, (2) for every chain",
        ALL,
        _minimal,
        a_node_further_away=partial(_minimal, wrong=True),
    )
    proved(
        check,
        "N the piece that holds i",
        ALL,
        _pieces,
        a_node_further_away=partial(_pieces, wrong=True),
    )


def _minimal(argument: Argument, wrong: bool = False) -> None:
    """f is the nearest node outside N on the right of i; the left side is its mirror image."""
    argument.cite(
        "separation",
        "(2) for every chain says: each node of R has one of Q between it and i",
        "song2017.x-separated",
        met=A_QUILT,
    )
    argument.inequality(
        "f belongs to Q",
        "if f were in R, a node s of Q would lie between; but these are in N",
        Not(And(s > i, s < f)),
        [Or(s <= i, s >= (f - 1 if wrong else f)), f > i],
    )
    argument.inequality(
        "f separates the rest of that side",
        "a node k of R on the right is not in N, nor f",
        And(i < f, f < k),
        [k > i, Or(k <= i, k >= f), sympy.Ne(k, f), f > i],
    )
    argument.inequality(
        "every form is taken",
        "N = all nodes between l and r: the nearest outside N are l and r, if they are nodes",
        And(Or(k <= l, k >= r), l < i, i < r),
        [Not(And(k > l, k < r)), l < i, r > i],
    )


def _pieces(argument: Argument, wrong: bool = False) -> None:
    """l and r are the nodes of Q next to i: the piece of i is what lies between."""
    argument.cite(
        "separation",
        "all other pieces are separated, so that (2) holds on every chain",
        "song2017.x-separated",
        met=A_QUILT,
    )
    argument.inequality(
        "the piece of i",
        "another node r' = f of Q next to i with the same piece is the same: r is not in it",
        Eq(f, r),
        [f > i, r > i, Not(And(r < f)), *([] if wrong else [Not(And(f < r))])],
    )
    argument.inequality(
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
)
def nearby(check: Check) -> None:
    """Prove that these are the pieces of i, and that all else is separated."""
    proved(
        check, "all four forms", ALL, _nearby, the_quilt_counted_as_near=partial(_nearby, wide=True)
    )


def _nearby(argument: Argument, wide: bool = False) -> None:
    sides = [l >= 0, l < i, r > i, r <= T + 1, k >= 1, k <= T]
    inside = And(k >= l, k <= r) if wide else And(k > l, k < r)
    argument.inequality(
        "no node of Q between",
        "s is l or r: the nodes between l and r form a piece with i",
        Not(Or(And(s > k, s < i), And(s > i, s < k), Eq(s, k))),
        [inside, Or(Eq(s, l), Eq(s, r)), *sides],
    )
    argument.inequality(
        "all else is in Q or beyond a node of Q",
        "l or r is a node, 1 <= s <= T, and lies between k and i",
        Or(
            And(Eq(k, l), l >= 1),
            And(Eq(k, r), r <= T),
            And(k < l, l < i, l >= 1),
            And(k > r, r > i, r <= T),
        ),
        [Not(And(k > l, k < r)), *sides],
    )
    argument.cite("so it is remote", "in the sense of (2)", "song2017.x-separated", met=A_QUILT)
    argument.inequality(
        "the empty quilt",
        "l = 0 and r = T + 1: all nodes are near",
        And(k > l, k < r),
        [Eq(l, 0), Eq(r, T + 1), *sides],
    )


@claim(
    "song2017.III7-quilt",
    where="Appendix A-B",
    statement="For active quilts with N^j, R^j put X_RuQ = union of R^j u Q^j, N = intersection of "
    "N^j, Q = {X_(i-min a^j), X_(i+min b^j)}: Q is a quilt of X_i with nearby set N and remote "
    "set RuQ minus Q.",
    kind="proof step",
)
def joint_quilt(check: Check) -> None:
    """Prove it for two quilts of any form; a side on which no run has a node stays without one."""
    proved(
        check,
        "one- and two-sided and empty quilts",
        ALL,
        _joint,
        the_farther_node=partial(_joint, farther=True),
    )


def _joint(argument: Argument, farther: bool = False) -> None:
    sides = [l >= 0, g >= 0, l < i, g < i, r > i, h > i, r <= T + 1, h <= T + 1, k >= 1, k <= T]
    nearest = [Or(Eq(m, l), Eq(m, g)), Or(Eq(n, r), Eq(n, h))]
    order = [m <= l, m <= g, n >= r, n >= h] if farther else [m >= l, m >= g, n <= r, n <= h]
    given = [*sides, *nearest, *order]
    both = And(k > l, k < r, k > g, k < h)
    argument.inequality(
        "N",
        "l, r and g, h are the sides of the two quilts, m, n those nearest to i: N is what lies "
        "between m and n",
        sympy.Equivalent(both, And(k > m, k < n)),
        given,
    )
    argument.inequality("X_i is in it", "m < i < n", And(m < i, i < n), given)
    argument.inequality(
        "the rest",
        "is in the union of R^j u Q^j, and is m or n, or beyond one of them that is a node",
        Or(
            both,
            And(Eq(k, m), m >= 1),
            And(Eq(k, n), n <= T),
            And(k < m, m >= 1),
            And(k > n, n <= T),
        ),
        given,
    )
    argument.cite(
        "so Q is a quilt",
        "nodes beyond m or n are separated from i",
        "song2017.x-separated",
        met_by={APART: "X_i is in it"},
    )
