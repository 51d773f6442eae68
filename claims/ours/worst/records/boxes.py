"""A box of stationary chains of bits: the worst case over the whole class is that of one of two
corners.

With a = P11 and b = P01 a box has a and b each between two numbers. The recursion takes a child
with messages S and D to the larger of two ends, g(S) and g(1/D), with g(t) = (1 + a (t - 1))/(1 + b
(t - 1)), and to the larger of 1/g(1/D) and 1/g(S). Each of these is (1 + A x)/(1 + B x), x = S - 1
or D - 1, A and B among a, b, 1 - a, 1 - b.
"""

from sympy import Eq

from pufferproof.claims.language import (
    Edit,
    Proof,
    at_least,
    between,
    letter,
    letters,
    proved,
)
from pufferproof.claims.ours.worst.records.chains import CHAINS
from pufferproof.claims.ours.worst.statements.records import boxes as says
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "P11 and P01 of a chain of the box", between(0, 1))
A, B = letters("A B", "two of a, b, 1 - a, 1 - b of a chain of the box", between(0, 1))
A2, B2 = letters("A2 B2", "the same of a corner", between(0, 1))
x = letter("x", "a message of the chain, less 1", at_least(0))
y = letter("y", "that of the corner, less 1", at_least(0))
S, D = letters("S D", "the messages up and down of a child", at_least(1))
p, q = letters("p q", "the stationary probabilities of 1 and of 0", at_least(0))
c = letter("c", "P(X_j = 0 | X_(j+1) = 1) times P(X_(j+1) = 1)")
R = letter("R", "R_i", at_least(1))
left, right = letters("left right", "the sides of the chain", at_least(0))
left2, right2 = letters("left2 right2", "the sides of the corner", at_least(0))

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
    """Prove that each step of the recursion grows toward a corner."""
    proved(
        check,
        "as stated",
        "every number of bits, every box inside 0 and 1, all levels R_j >= 1",
        _corners,
        a_corner_that_falls_where_the_chain_rises=Edit("one step", without=B2 <= A2),
        a_corner_with_b_larger=Edit("one step", without=B2 <= B),
        a_law_that_is_not_stationary=Edit("turned round", without=Eq(p * a + q * b, p)),
    )


def _corners(proof: Proof) -> None:
    _four_quotients(proof)
    _grow(proof)
    proof.cite(
        "the worst case of one chain",
        "the sides of the recursion, levels as they are",
        "worst.record-levels-interior",
    )


def _four_quotients(proof: Proof) -> None:
    """Bring both sides of a stationary chain, and each end of a step, to one form."""
    proof.inequality(
        "turned round",
        "the stationary law has p a + q b = p. So P(X_j = 0, X_(j+1) = 1) = q b is p (1 - a), that "
        "of 1 and then 0: the reversed kernels are the matrix itself, and both sides are trees of "
        "the same kernel. The first bit has one side, whatever its law",
        Eq(c, p * (1 - a)),
        [Eq(c, q * b), Eq(p * a + q * b, p)],
    )
    proof.identity(
        "up, by the end S",
        "g(S), with A = a, B = b and x = S - 1",
        (a * S + 1 - a) / (b * S + 1 - b),
        (1 + a * (S - 1)) / (1 + b * (S - 1)),
    )
    proof.identity(
        "up, by the end 1/D",
        "g(1/D), with A = 1 - a, B = 1 - b and x = D - 1",
        (a / D + 1 - a) / (b / D + 1 - b),
        (1 + (1 - a) * (D - 1)) / (1 + (1 - b) * (D - 1)),
    )


def _grow(proof: Proof) -> None:
    """Show that both sides are largest at the same corner."""
    proof.inequality(
        "which end",
        "the larger end is up g(S) and down 1/g(1/D) for a chain that rises, a >= b: A >= B in "
        "both; for one that falls it is up g(1/D) and down 1/g(S), with A >= B again. The other "
        "end has A <= B, and is at most 1",
        (1 + B * x <= 1 + A * x) & (1 + B * y <= 1 + A * y),
        [B <= A],
    )
    proof.inequality(
        "one step",
        "A rising chain goes with the corner a2, b1, which rises, a falling one with a1, b2. Then "
        "A <= A2 and B2 <= B in each of the four, and B2 <= A2. Where the messages of the corner "
        "are at least those of the chain, x <= y, so they are one step on. A leaf has the same "
        "messages, and the recursion at the corner takes at least this end",
        (1 + A * x) * (1 + B2 * y) <= (1 + A2 * y) * (1 + B * x),
        [A <= A2, B2 <= B, B2 <= A2, x <= y],
    )
    proof.inequality(
        "both sides",
        "the worst case is R_i times both sides, and both are largest at the same corner, which is "
        "a chain of the box",
        R * left * right <= R * left2 * right2,
        [left <= left2, right <= right2],
    )
