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

    The law. By independence the first k runs are all of the kind with probability q, and the next
    is not, with q^k (1 - q). The events for different kinds exclude each other [lemma.finite-sums].

    The expectation. s, the sum of j q^(j-1) (1 - q) over j = 2 .. k, has s (1 - q) = q (2 - q) -
    q^k (k + 1 - k q). With d = 1/q - 1 > 0, q^-k >= 1 + k d + k (k-1)/2 d^2, so that the remainder
    is at most e for k - 1 >= 2 (1 + d)/(e d^2). So the sum over all k >= 2 is q (2 - q)/(1 - q) = q
    + q/(1 - q) for each kind; the q sum to 1, and the limit of finitely many sums is the sum of
    their limits.
    """
