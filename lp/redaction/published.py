"""The published upper bound on the utility of data-independent redaction about one private record
of a binary chain.

As printed, to be set beside what is reached. The print is false by one record, by two where the
eigenvalue is negative: the claim `massny2025.thm2` has counterexamples, `massny2025.thm2-repaired`
the repair, and `redaction_patterns` the exact optimum. Source: Massny, Bitar, Ye and El Rouayheb
2025 (massny2025), Theorem 2.
"""

from fractions import Fraction

from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget, private_records

RESTS_ON = ("massny2025.thm2-repaired",)


def published_bound(chain: BinaryChain, private: int, level: Level) -> Fraction:
    """Return the bound of Theorem 2 on the expected fraction of released records, exactly as
    printed.

        0          if eps < i1(n - p),
        1 - R2/n   if eps >= i1(p - 1) + i1(n - p),
        1 - R1/n   otherwise;     R1 = D*(eps) + p - 1,  R2 = min{R1, 2 D*(eps/2) - 1}.

    D*(eps) is the least distance with i1(D) <= eps, and i1(0) is infinite. The print wants p <=
    n/2: beyond the middle the chain is mirrored, and the middle of an odd chain is taken as it is.

    >>> published_bound(BinaryChain("1/100", "4/5", 10), 1, Level.of_nats(1))
    Fraction(7, 10)

    Raises `ModelError` unless the chain is stationary and 1 <= p <= n.
    """
    (private,) = private_records(private, chain.length)
    chain.expect_stationary()
    length, rare = chain.length, 1 - chain.common_value
    near = min(private, length + 1 - private)
    far = length - near
    if far == 0 or chain.compare_influences(level, (rare, far)) > 0:
        return Fraction(0)
    redacted = chain.first_distance(rare, level, length) + near - 1
    if near > 1 and chain.compare_influences(level, (rare, near - 1), (rare, far)) <= 0:
        redacted = min(redacted, 2 * chain.first_distance(rare, Budget(level, Fraction(1, 2)), length) - 1)
    return 1 - Fraction(redacted, length)
