"""Infinite chains of bits: limits of the messages of the Moebius recursion, as roots of quadratics.

S and D are the messages up and down of the first bit, P the kernel to the next one, all kernels
being equal; R = e^level. With a = P11 and b = P01 the step is S -> R g(S), g(t) = (a t + 1 - a)/(b
t + 1 - b), as long as g does not decrease.

Prior art: the supremum of this recursion for any number of values is in cao2017 and cao2018.
"""

from pufferproof.claims.ours.worst.records.chains import CHAINS
from pufferproof.claims.ours.worst.statements.records import growing as says
from pufferproof.claims.registry import Check, claim


@claim(
    "worst.infinite-chain",
    where=CHAINS,
    statement="For the end of a chain of bits with one kernel P, P11 >= P01 and P01, P10 > 0, and "
    "R >= 1, the message up of k bits does not decrease with k and tends to the positive root "
    "S of P01 S^2 + (P00 - R P11) S - R P10 = 0, its distance to S shrinking by the factor "
    "(P11 - P01)/P11 at least; likewise down, with 0 and 1 exchanged. For a symmetric chain "
    "with P00 = P11 = p: (1 - p) S^2 + (1 - R) p S - R (1 - p) = 0, and the largest ratio of "
    "an inner bit tends to R g(S)^2.",
    says=says.LIMIT,
)
def infinite_chain(check: Check) -> None:
    """Prove monotone convergence to the only positive fixed point of S -> R g(S).

    g is increasing, for a = P11 >= b = P01, so that the larger end is t = S. The form q(t) = b t^2
    + (1 - b - R a) t - R (1 - a) has one positive root S [lemma.infinite-chain-root]: q(t) < 0 for
    t < S and > 0 for t > S; S >= R, as q(R) = R (b - a)(R - 1) <= 0 [lemma.endless-root-bound]. The
    message of one bit more is v = R g(t): q(t) = t B - R A <= 0 below S says t <= v, and v <= S. (S
    - v) B C = S (a - b)(S - t) [lemma.infinite-chain-order], B >= 1 and C >= a S: a (S - v) <= (a -
    b)(S - t). The symmetric chain: a = p, b = 1 - p. An inner bit: both sides are infinite chains;
    a stationary chain of two values is its own reverse [worst.chain-interior].
    """
    name = "limit"
    check.tried(name)


@claim(
    "worst.infinite-chain-alternating",
    where=CHAINS,
    statement="For P11 < P01, not both P00 = P11 = 0, and R >= 1, the messages of k bits from the "
    "end of a chain with one kernel P do not decrease with k and tend to limits S, D, and S is "
    "the positive root of (P11 + R P00) P01 S^2 + (P10 P01 + R P00^2 - R P11^2 - R^2 P10 P01) "
    "S - R P10 (P11 + R P00) = 0. For P00 = P11 = 0 they are R^k.",
    says={"limit": says.ALTERNATING, "P00 = P11 = 0": says.FLIPS},
)
def infinite_chain_alternating(check: Check) -> None:
    """Prove that both messages increase and are bounded, and eliminate one from the two
    equations of their limits.

    Limit. g decreases, so the larger ends are g(1/D) = (P11 + P10 D)/(P01 + P00 D) and 1/g(S).
    Messages of two bits are not smaller than R, those of one, and larger messages make larger ones.
    They are bounded: S (P01 + P00 D) = R (P11 + P10 D) gives P00 S <= R, and D (P11 S + P10) = R
    (P01 S + P00) gives P11 D <= R: one of them is bounded, then the other by S P01 <= R (1 + D), D
    P10 <= R (1 + S). D of the second equation put into the first is the quadratic; its first
    coefficient is positive and the last negative: one positive root.

    P00 = P11 = 0. A chain that flips every bit: g(t) = 1/t: S = R D and D = R S of one bit fewer.
    """
    name = "limit"
    check.tried(name)
    name = "P00 = P11 = 0"
    check.tried(name)
