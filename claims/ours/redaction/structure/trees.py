"""What of local redaction survives where the records form a tree: one side of p may branch.

p is a node, edges carry transition laws; records behind c, seen from p, depend on X_p through X_c
alone. Source of the setting: massny2025, for chains of bits.
"""

from pufferproof.claims.language import Proof, at_least, letters, proved
from pufferproof.claims.ours.redaction.statements.chains import (
    BEHIND,
    FULL_BEHIND,
)
from pufferproof.claims.ours.redaction.structure.alphabets import influence, rows, times
from pufferproof.claims.registry import Check, claim

x, y = letters(
    "x y",
    "probabilities of X_c = c, and of outputs elsewhere, given two values of X_p",
    at_least(0),
)
CUT, LEAF = "behind one record", "full release behind a record"


@claim(
    "redaction.tree-cut",
    where="Trees",
    statement="On a tree of records, whatever its shape and finite alphabet, let r be a local "
    "mechanism and c a node other than p. The outputs of c and of all nodes behind it, seen "
    "from p, leak at most Inf(X_p ~> X_c) about X_p together; and if each possible value of "
    "X_c is shown by some output of these nodes, one that has a positive probability for this "
    "value of X_c only, then always releasing them all does not raise the leakage.",
    kind="repair of redaction.tree-radius",
    says={"behind one record": BEHIND, "full release behind a record": FULL_BEHIND},
)
def tree_cut(check: Check) -> None:
    """Prove that what is behind c is processed from X_c.

    Behind one record. Sum over the values of X_c: x, y = P(X_c = c | X_p) for two values of X_p, u
    = P(outputs behind | X_c = c), the same for both; M, N sum the products so far.

    Full release behind a record. Likelihoods behind c cancel: x, y: probabilities of X_c = c and
    the outputs elsewhere given two values of X_p; u > 0 the likelihood of outputs from c on that
    show c, v of any others that do.
    """
    check.tried(CUT)
    check.tried(LEAF)


@claim(
    "redaction.tree-radius",
    where="Trees",
    statement="On a tree of bits with the same stationary step along every edge, releasing exactly "
    "the records of max-influence at most eps is eps-private if all records but p lie behind "
    "one neighbour of p.",
    repair="redaction.tree-cut",
)
def tree_radius(check: Check) -> None:
    """Refute it with four records: two leaves behind the redacted neighbour of p."""

    proved(check, "four records", "one counterexample", _tree_radius)


def _tree_radius(proof: Proof) -> None:
    step = rows("3/4 1/4", "1/4 3/4")

    def exceeded() -> bool:
        """Say whether the output (0, 0) of the two leaves has a larger ratio than one leaf's
        influence.
        """
        pair = [
            sum(step[start][middle] * step[middle][0] ** 2 for middle in (0, 1)) for start in (0, 1)
        ]
        return pair[0] / pair[1] > influence(times(step, step))

    proof.counterexample(
        "two witnesses",
        "p has one neighbour, with two leaves behind it, a = b = 1/4, eps = log(5/3): the "
        "neighbour has e^Inf = 3, a leaf 5/3, so both leaves are released. That they both show "
        "0 is 7/3 times as likely for X_p = 0 as for X_p = 1, more than 5/3: this is not "
        "eps-private. On a chain, where nothing branches, it is",
        {"P": step},
        exceeded,
        f"{_both_leaves(0)} > largest_ratio(power(P, 2)) * ({_both_leaves(1)})",
    )


def _both_leaves(value: int) -> str:
    """Write the probability that two leaves behind one neighbour are 0, given a value of X_p."""
    return " + ".join(f"entry(P, {value}, {x})*entry(P, {x}, 0)^2" for x in (0, 1))
