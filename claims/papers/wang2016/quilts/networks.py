"""The setting of Bayesian networks: Lipschitz queries, max-influence and quilts; what their remarks
assert.

Source: wang2016, sections 4.1 and 4.2 (Definitions 4.1 to 4.3).
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING

from pufferproof.claims.language import PRINTED, Edit, Proof, letters, proved
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.papers.song2017.mechanism.linked import RESCALED
from pufferproof.claims.papers.wang2016.linked import DIVERGENCE
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.influence.network import is_quilt

if TYPE_CHECKING:
    import networkx as nx

j, k = letters("j k", "P(X_R=x,X_i=a), P(X_R=x,X_i=b)")
Arrows = tuple[tuple[int, int], ...]
NOTATION = {
    "a": "a value of X_i; in Definition 4.3 (a), (b) and (c) are the parts of its first condition",
    "b": "a value of X_i, or part (b) of a condition",
    "p_a": "P(X_i=a)",
    "p_b": "P(X_i=b)",
    "r": "P(X_R=x), where X_R and X_i are independent",
    "c": "part (c) of a condition",
    "R": "the indices of the remote nodes of a quilt; in X_R of max-influence any set of nodes "
    "without i",
}
LISTED = (
    "The step lists the networks that the reading speaks of, and evaluates both conditions of the "
    "definition on each."
)


@claim(
    "wang2016.setting-bn",
    where="section 4.1",
    statement="X = {X_1..X_n} with values in DOM; secrets s^i_a: X_i = a; pairs (s^i_a, s^i_b) for "
    "all i, a, b; every theta factorises over one known network G, with parameters of its own.",
    kind="definition",
)
def setting(check: Check) -> None:
    with check.reading(PRINTED) as proof:
        proof.definition("pairs", "two values of one node; a = b adds nothing")
        proof.definition("domain", "DOM is finite where maxima are taken")


@claim(
    "wang2016.def-lipschitz",
    where="Definition 4.1 and the remark before it",
    statement="F is 1-Lipschitz iff |F(..X_i..) - F(..X_i'..)| <= 1 for all i and pairs of values; "
    "every Lipschitz function can be scaled to be 1-Lipschitz.",
    kind="definition and remark",
    says={"F/L is 1-Lipschitz": RESCALED},
)
def lipschitz(check: Check) -> None:
    """Divide by the constant; if it is 0, F does not change."""


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
    says={
        "the largest max-divergence over all sets of outcomes": DIVERGENCE,
        "0 if independent": formula("J_a*p_b = J_b*p_a", given="J_a = r*p_a, J_b = r*p_b"),
    },
)
def max_influence(check: Check) -> None:
    """The remarks: events are no worse than points; equal laws have ratio 1.

    0 if independent. J_a = P(X_R=x,X_i=a) is P(X_R=x) p_a = r p_a, and likewise for b, so that
    J_a/p_a and J_b/p_b have the ratio 1, of logarithm 0.
    """


@claim(
    "wang2016.def-quilt",
    where="Definition 4.3",
    statement="X_Q is a Markov quilt for X_i iff deleting it splits G into X_N and X_R with (a) X "
    "= X_N u X_Q u X_R, (b) X_i in X_N, (c) no edge between X_R and X_N; and P(X_R|X_Q,X_i) = "
    "P(X_R|X_Q). A node can have many quilts.",
    kind="definition and remark",
    unsaid=LISTED,
)
def quilt(check: Check) -> None:
    """Two readings of condition 2; the Markov blanket is a quilt, and one of several."""
    for name in ("condition 2 for all theta in Theta", "condition 2 for all laws over G"):
        with check.reading(name) as proof:
            proof.definition("condition 2", f"{name}; X_R may be empty")
    bare = Edit("blankets", holds=_is_a_quilt(_parents_and_children))
    proved(
        check,
        "the Markov blanket is a quilt, the nodes outside being remote",
        "all DAGs of up to 4 nodes, every node; condition 2 for all laws over G",
        _blankets,
        **{"without the children's other parents": bare},
    )
    proved(
        check,
        "a node can have many quilts",
        "chains of 3 to 6 nodes, every node",
        lambda proof: proof.exhaust(
            "at least four", "sets Q with some labelling", range(3, 7), _many
        ),
        **{"chains of 1 node": lambda proof: proof.exhaust("at least two", "sets Q", [1], _many)},
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


def _blankets(proof: Proof) -> None:
    proof.exhaust(
        "blankets",
        "Q is the Markov blanket, N = {X_i}, R the rest",
        _dags(4),
        _is_a_quilt(_blanket),
    )


def _is_a_quilt(of: Callable[[Arrows, int], set[int]]) -> Callable[[tuple[int, Arrows, int]], bool]:
    """Return whether a set of nodes is a quilt of a node of a network, the rest being remote."""

    def holds(instance: tuple[int, Arrows, int]) -> bool:
        count, arrows, node = instance
        nodes = of(arrows, node)
        rest = set(range(1, count + 1)) - nodes - {node}
        return not is_quilt(_graph(count, arrows), node, sorted(nodes), [node], sorted(rest))

    return holds


def _parents_and_children(arrows: Arrows, node: int) -> set[int]:
    return {head for tail, head in arrows if tail == node} | {
        tail for tail, head in arrows if head == node
    }


def _blanket(arrows: Arrows, node: int) -> set[int]:
    """The parents, the children and their other parents."""
    children = {head for tail, head in arrows if tail == node}
    spouses = {tail for tail, head in arrows if head in children} - {node}
    return _parents_and_children(arrows, node) | spouses


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
