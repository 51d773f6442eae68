"""The Moebius recursion for records with more than two values: an upper bound, and not always
attained.

A message of a record is the matrix S(a, b) of largest ratios of E[u | value a] and E[u | value b],
u a column of per-record level R on the records below. The recursion takes the vector of means of a
child to be any that its messages allow.
"""

from pufferproof.claims.ours.worst.records.chains import CHAINS
from pufferproof.claims.ours.worst.statements.records import trees as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.moebius-upper",
    where=CHAINS,
    statement="For trees over any finite alphabet the recursion bounds the largest ratio from "
    "above: S(a, b) = R prod_c s_c(a, b), s_c(a, b) the largest sum_z P(z | a) m_z / sum_z P(z "
    "| b) m_z over m > 0 with m_z <= S_c(z, z') m_z'.",
    kind="theorem",
    says={"upper bound": says.ANY_ALPHABET_ONE_LEVEL},
)
def moebius_upper(check: Check) -> None:
    """Prove it as for bits: the vector of means of a child satisfies the inequalities of its
    messages.

    Averages are columns: The column of a leaf is a pair of numbers within a factor R. For a fixed
    value of the root and laws of the other subtrees, v = the average of u over these is a column of
    the subtree of c: sums keep u(x) <= R u(y) [lemma.mediant]. One child at a time: A is the mean
    of u(0, .) when the first children follow their laws given root = 1 and the others given root =
    0, B that given root = 0 for all: A <= M B. For the next child the mean of the column v above
    changes by at most s_c. The root: u(1, .) <= R u(0, .) at every database, and so in the mean
    given root = 1: N <= R A for A with all children changed. Means of a child: m_z = E[v | x_c = z]
    has m_z <= S_c(z, z') m_z' for all z, z' by induction, so its quotient is at most s_c.
    """
