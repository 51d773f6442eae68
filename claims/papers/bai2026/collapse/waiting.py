"""How many independent runs it takes to see two different kinds of result: the law behind the
revealing times of Section 4.

Each run is of kind D with probability q_D > 0; N is the first run of another kind than the first
run. The kinds are the decoys of Example 1, the types of Example 2, the two outputs that a database
has in Example 3.
"""

from pufferproof.claims.papers.bai2026.statements import collapse
from pufferproof.claims.registry import Check, claim

TWO_KINDS = "runs are independent and of kind D with probability q_D, 0 < q_D < 1, sum_D q_D = 1"
"""What the law of the revealing time assumes."""
NOTATION = {
    "D": "a kind of result of a run, one of finitely many",
    "q_D": "the probability that a run is of kind D",
    "N": "the number of the first run whose kind is not that of the first run",
    "E N": "the expectation of N",
}


@claim(
    "bai2026.x-two-kinds",
    where="Section 4 (a question of ours: the exact law of the revealing time)",
    statement="Let N be the number of the first run whose kind differs from that of the first run. "
    "Then P(N = k) = sum_D q_D^(k-1) (1 - q_D) for every k >= 2, and E N = 1 + sum_D q_D / (1 "
    "- q_D), which is finite.",
    assumes=[TWO_KINDS],
    says={"the law": collapse.TWO_KINDS_LAW, "the expectation": collapse.TWO_KINDS_MEAN},
)
def two_kinds(check: Check) -> None:
    """The law term by term; the expectation by closed partial sums and a remainder that tends
    to 0.

    The law. The first k runs are all of one kind: By independence v = q^k is the probability that
    the first k runs are of the kind with probability q, and turn the probability that they are and
    the next is not: turn = v (1 - q). One more run of that kind multiplies both by q. Over all
    kinds: The events for different kinds of the first run exclude each other: P(N = k) is the sum
    of their probabilities [lemma.finite-sums].

    The expectation. Closed partial sums: s is the sum of j q^(j-1) (1 - q) over j = 2 .. k, for one
    kind, and v = q^k: s (1 - q) = q (2 - q) - v (k + 1 - k q). Powers grow faster than squares:
    With d = 1/q - 1 > 0, power = (1 + d)^k is at least 1 + k d + k (k-1)/2 d^2. Far enough: For any
    e > 0 let k - 1 be at least 2 (1 + d)/(e d^2). The remainder: v = q^k = 1/power and q = 1/(1 +
    d), so that the remainder v (k + 1 - k q) = v (1 + k d/(1 + d)) is at most v (1 + k d), hence e.
    Over all kinds: So the sum over all k >= 2 is q (2 - q)/(1 - q) for each kind. total is the sum
    of these numbers over the first kinds, Q of q and B of q/(1 - q): total = Q + B; in the end Q =
    1. The limit of finitely many sums is the sum of their limits.
    """
    check.tried("the law")
    check.tried("the expectation")
