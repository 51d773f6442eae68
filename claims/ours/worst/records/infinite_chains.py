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

    G is increasing: for a = P11 >= b = P01, so that the larger end is t = S; with A, C = a t + 1 -
    a at t and S, B, E = b t + 1 - b. The form q(t) = b t^2 + (1 - b - R a) t - R (1 - a) below a
    root S: S q(t) - t q(S) is a product: q(S) = 0 gives q(t) < 0 for 0 <= t < S and > 0 for t > S,
    so S is the only positive root. There is one, and S >= R: q(R) = R (b - a)(R - 1) <= 0 and q(t)
    > 0 at b t = R (a + 1). Below the fixed point: t is the message of k bits, t = R <= S for one, v
    = R g(t) = R A/B that of k + 1; S = R g(S) = R C/E: v <= S. Increasing: q(t) = t B - R A <= 0
    below S: t <= v. C B - A E: is (a - b)(S - t). The distance, exactly: v B = R A, S E = R C: (S -
    v) B C = S (C B - A E) = S (a - b)(S - t) = S d. It shrinks by the factor (a - b)/a at least: B
    >= 1, as t >= 1, and C >= a S: a (S - v) <= d = (a - b)(S - t). The symmetric chain: a = p, b =
    1 - p. An inner bit: both sides are infinite chains; a stationary chain of two values is its own
    reverse [worst.chain-interior].

    Engines prove its formulas [lemma.infinite-chain-root], [lemma.infinite-chain-order],
    [lemma.endless-root-bound].
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

    Limit. G decreases, so the larger ends are t = 1/D and t = S: g(1/D) = (P11 + P10 D)/(P01 + P00
    D) increases with D, and 1/g(S) = (P01 S + P00)/(P11 S + P10) with S. Messages of two bits are
    not smaller than those of one: S = R and D = R for one bit, R g(1/R) >= R and R/g(R) >= R for
    two. Larger messages make larger ones: t = R A/B and v = R C/E are messages made of a smaller
    and a larger one, whose quotients compare as A E <= C B: so, by induction, messages do not
    decrease with the number of bits. They are bounded: S (P01 + P00 D) = R (P11 + P10 D) gives P00
    S <= R, and D (P11 S + P10) = R (P01 S + P00) gives P11 D <= R, D and S being messages, of
    different numbers of bits: one of them is bounded, then the other by S P01 <= R (1 + D), D P10
    <= R (1 + S). Two messages, one quadratic: S (P01 + P00 D) = R (P11 + P10 D), which the limits
    satisfy, with D = R (P01 S + P00)/(P11 S + P10), multiplied out. One positive root: The first
    coefficient is positive and the last negative: the roots have a negative product.

    P00 = P11 = 0. A chain that flips every bit: g(t) = 1/t: S = R g(1/D) = R D and D = R S of one
    bit fewer; power = R^k.
    """
    name = "limit"
    check.tried(name)
    name = "P00 = P11 = 0"
    check.tried(name)
