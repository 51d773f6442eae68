"""A box of stationary chains of bits: the worst case over the whole class is that of one of two
corners.

With a = P11 and b = P01 a box has a and b each between two numbers. The recursion takes a child
with messages S and D to the larger of two ends, g(S) and g(1/D), with g(t) = (1 + a (t - 1))/(1 + b
(t - 1)), and to the larger of 1/g(1/D) and 1/g(S). Each of these is (1 + A x)/(1 + B x), x = S - 1
or D - 1, A and B among a, b, 1 - a, 1 - b.
"""

from pufferproof.claims.ours.worst.records.chains import CHAINS
from pufferproof.claims.ours.worst.statements.records import boxes as says
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "a, b": "P11 and P01: the probabilities of 1 after 1, and after 0",
    "rising, falling": "a >= b, and a <= b",
}


@claim(
    "worst.box-of-bits",
    where=CHAINS,
    statement="Take all chains of bits whose matrix has a in [a1, a2] and b in [b1, b2], 0 < b1, "
    "a2 < 1, 0 < a1 and b2 < 1, each with its stationary law; or, for the first bit, each with "
    "one law for all of them. At levels R_j >= 1 per bit the largest ratio about bit i, in either "
    "order, over all these chains and all mechanisms is that of a = a2 and b = b1, or that of a = "
    "a1 and b = b2.",
    says=says.BOX,
)
def box_of_bits(check: Check) -> None:
    """Prove that each step of the recursion grows toward a corner.

    The stationary law has P(X_j = 0, X_(j+1) = 1) equal to that of 1 and then 0: the reversed
    kernels are the matrix itself, and both sides are trees of the same kernel. The first bit has
    one side, whatever its law. The larger end is up g(S) and down 1/g(1/D) for a chain that rises,
    a >= b, and up g(1/D) and down 1/g(S) for one that falls: in all four (A x + 1)/(B x + 1) with A
    >= B, where the other end has A <= B, and is at most 1. A rising chain goes with the corner a2,
    b1, a falling one with a1, b2: A <= A2 and B2 <= B. Where the messages of the corner are at
    least those of the chain they are so one step on; a leaf has the same. The worst case is R_i
    times both sides, both largest at the same corner, a chain of the box
    [worst.record-levels-interior].
    """
