"""The setting of Bayesian networks: Lipschitz queries, max-influence and quilts; what their remarks
assert.

Source: wang2016, sections 4.1 and 4.2 (Definitions 4.1 to 4.3).
"""

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING

import sympy
from sympy import Abs, Eq

from pufferproof.claims.language import PRINTED
from pufferproof.claims.registry import Check, claim
from pufferproof.models.influence.network import is_quilt
from pufferproof.verify.proof.argument import Argument

if TYPE_CHECKING:
    import networkx as nx

f, h, L, R, A, B, p, q = sympy.symbols("f h L R A B p q")
Arrows = tuple[tuple[int, int], ...]
NOTATION = {
    "a": "a value of X_i; in Definition 4.3 (a), (b) and (c) are the parts of its first condition",
    "b": "a value of X_i, or part (b) of a condition",
    "c": "part (c) of a condition",
    "R": "the indices of the remote nodes of a quilt; in X_R of max-influence any set of nodes "
    "without i",
}


@claim(
    "wang2016.setting-bn",
    where="section 4.1",
    statement="X = {X_1..X_n} with values in DOM; secrets s^i_a: X_i = a; pairs (s^i_a, s^i_b) for "
    "all i, a, b; every theta factorises over one known network G, with parameters of its own.",
    kind="definition",
)
def setting(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition("pairs", "two values of one node; a = b adds nothing")
        argument.definition("domain", "DOM is finite where maxima are taken")


@claim(
    "wang2016.def-lipschitz",
    where="Definition 4.1 and the remark before it",
    statement="F is 1-Lipschitz iff |F(..X_i..) - F(..X_i'..)| <= 1 for all i and pairs of values; "
    "every Lipschitz function can be scaled to be 1-Lipschitz.",
    kind="definition and remark",
)
def lipschitz(check: Check) -> None:
    """Division by the constant."""
    name = "F/L is 1-Lipschitz"
    with check.reading(
        name, "every F with constant L > 0; L = 0 makes F constant, hence 1-Lipschitz"
    ) as argument:
        _scaled(argument)
    check.near_miss(f"{name}: divided by L/2", lambda argument: _scaled(argument, 2))


def _scaled(argument: Argument, factor: int = 1) -> None:
    argument.inequality(
        "one coordinate",
        "f and h are values of F that differ in one coordinate",
        Abs(factor * f / L - factor * h / L) <= 1,
        [Abs(f - h) <= L, L > 0],
    )
    argument.inequality("L = 0", "F does not change", Abs(f - h) <= 1, [Abs(f - h) <= L, Eq(L, 0)])


@claim(
    "wang2016.def-maxinf",
    where="Definition 4.2",
    statement="e(X_R|X_i) = max over a, b, sup over theta, max over x_R of "
    "log[Pr(X_R=x_R|X_i=a,theta)/Pr(X_R=x_R|X_i=b,theta)]. It is the largest max-divergence "
    "over a, b, theta, and 0 when X_R and X_i are independent.",
    kind="definition and remarks",
    assumes=[
        "0/0 is left out, c/0 infinite; values of X_i that are impossible under theta are left out "
        "under theta"
    ],
)
def max_influence(check: Check) -> None:
    """The remarks: events are no worse than points; equal laws have ratio 1."""
    name = "the largest max-divergence over all sets of outcomes"
    with check.reading(name, "finite domains, every class") as argument:
        _divergence(argument)
    check.near_miss(
        f"{name}: one of its points has a smaller ratio",
        lambda argument: _divergence(argument, below=True),
    )
    name = "0 if independent"
    with check.reading(
        name, "every class under which X_R and X_i are independent; the class is one number"
    ) as argument:
        _independent(argument)
    check.near_miss(
        f"{name}: nearly independent", lambda argument: _independent(argument, close=True)
    )


def _divergence(argument: Argument, below: bool = False) -> None:
    argument.induction(
        "sets of outcomes",
        "A and B are the probabilities of the first outcomes of a set given a and given b, each "
        "with ratio at most R: so is the ratio of the set; a set of one outcome attains the "
        "largest",
        base=(p <= R * q, [p <= R * q]),
        step=(
            A + p < R * (B + q) if below else A + p <= R * (B + q),
            [A <= R * B, p <= R * q, p >= 0, q >= 0, R >= 1],
        ),
    )


def _independent(argument: Argument, close: bool = False) -> None:
    j, k, m, n, r, s = sympy.symbols("j k m n r s")
    argument.inequality(
        "every ratio is 1",
        "j = P(X_R=x,X_i=a) = r m with r = P(X_R=x) > 0 and m = P(X_i=a), and k, n the same for b, "
        "as both are independent: p = P(X_R=x|X_i=a) = j/m and q = P(X_R=x|X_i=b) = k/n have p/q = "
        "1, of logarithm 0",
        Eq(p / q, 1),
        [
            Eq(p * m, j),
            Eq(q * n, k),
            Eq(j, r * m),
            Eq(k, (s if close else r) * n),
            r > 0,
            m > 0,
            n > 0,
            q > 0,
        ],
    )


@claim(
    "wang2016.def-quilt",
    where="Definition 4.3",
    statement="X_Q is a Markov quilt for X_i iff deleting it splits G into X_N and X_R with (a) X "
    "= X_N u X_Q u X_R, (b) X_i in X_N, (c) no edge between X_R and X_N; and P(X_R|X_Q,X_i) = "
    "P(X_R|X_Q). A node can have many quilts.",
    kind="definition and remark",
)
def quilt(check: Check) -> None:
    """Two readings of condition 2; the Markov blanket is a quilt, and one of several."""
    for name in ("condition 2 for all theta in Theta", "condition 2 for all laws over G"):
        with check.reading(name) as argument:
            argument.definition("condition 2", f"{name}; X_R may be empty")
    name = "the Markov blanket is a quilt, the nodes outside being remote"
    with check.reading(
        name, "all DAGs of up to 4 nodes, every node; condition 2 for all laws over G"
    ) as argument:
        _blankets(argument)
    check.near_miss(
        f"{name}: without the children's other parents",
        lambda argument: _blankets(argument, spouses=False),
    )
    name = "a node can have many quilts"
    with check.reading(name, "chains of 3 to 6 nodes, every node") as argument:
        argument.exhaust("at least four", "sets Q with some labelling", range(3, 7), _many)
    check.near_miss(
        f"{name}: chains of 1 node",
        lambda argument: argument.exhaust("at least two", "sets Q", [1], _many),
    )


@claim(
    "wang2016.x-quilt-conditions",
    where="Definition 4.3, beyond",
    statement="Neither condition of Definition 4.3 implies the other.",
    kind="remark",
)
def conditions(check: Check) -> None:
    """A collider separates without making independent; on a chain, nearby and remote nodes may
    touch unused arrows.
    """
    name = "separation without independence"
    with check.reading(
        name, "1 -> 2 <- 3, Q = {2}: the first DAG of this kind among all of up to 3 nodes"
    ) as argument:
        argument.exhaust(
            "1 without 2", "X_1 nearby, X_3 remote", [((1, 2), (3, 2))], _only_second_fails
        )
    check.near_miss(
        f"{name}: a chain",
        lambda a: a.exhaust("1 without 2", "the same", [((1, 2), (2, 3))], _only_second_fails),
    )
    name = "independence without separation"
    with check.reading(name, "1 and 2 -> 3, Q empty, X_1 and X_2 nearby, X_3 remote") as argument:
        argument.exhaust("2 without 1", "X_3 is independent of X_1", [((2, 3),)], _only_first_fails)
    check.near_miss(
        f"{name}: no arrow",
        lambda argument: argument.exhaust("2 without 1", "the same", [()], _only_first_fails),
    )


def _only_second_fails(arrows: Arrows) -> bool:
    return is_quilt(_graph(3, arrows), 1, [2], [1], [3]).startswith("2")


def _only_first_fails(arrows: Arrows) -> bool:
    graph = _graph(3, arrows)
    return is_quilt(graph, 1, [], [1, 2], [3]).startswith("1(c)") and not is_quilt(
        graph, 1, [], [1], [2, 3]
    )


def _graph(count: int, arrows: Arrows) -> "nx.DiGraph":
    import networkx as nx

    graph = nx.DiGraph(arrows)
    graph.add_nodes_from(range(1, count + 1))
    return graph


def _dags(most: int) -> Iterator[tuple[int, Arrows, int]]:
    """Every DAG up to renaming of nodes, arrows going upwards, with one of its nodes."""
    for count in range(1, most + 1):
        possible = [(i, j) for i in range(1, count + 1) for j in range(i + 1, count + 1)]
        for chosen in product((False, True), repeat=len(possible)):
            for node in range(1, count + 1):
                yield count, tuple(arrow for arrow, taken in zip(possible, chosen) if taken), node


def _blankets(argument: Argument, spouses: bool = True) -> None:
    def holds(instance: tuple[int, Arrows, int]) -> bool:
        count, arrows, node = instance
        children = {head for tail, head in arrows if tail == node}
        found = children | {tail for tail, head in arrows if head == node}
        if spouses:
            found |= {tail for tail, head in arrows if head in children} - {node}
        rest = set(range(1, count + 1)) - found - {node}
        return not is_quilt(_graph(count, arrows), node, sorted(found), [node], sorted(rest))

    argument.exhaust("blankets", "Q is the Markov blanket, N = {X_i}, R the rest", _dags(4), holds)


def _many(count: int) -> bool:
    """Whether every node of a chain has at least four sets Q (two on shorter chains) that are
    quilts with some N and R.
    """
    arrows = tuple((i, i + 1) for i in range(1, count))
    return all(
        len(_quilts(count, arrows, node)) >= (4 if count > 2 else 2) for node in range(1, count + 1)
    )


def _quilts(count: int, arrows: Arrows, node: int) -> set[tuple[int, ...]]:
    found, graph = set(), _graph(count, arrows)
    for labels in product("QNR", repeat=count):
        parts = [[i for i, label in enumerate(labels, 1) if label == kind] for kind in "QNR"]
        if not is_quilt(graph, node, *parts):
            found.add(tuple(parts[0]))
    return found
