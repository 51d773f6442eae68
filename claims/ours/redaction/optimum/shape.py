"""The best q of a 3R mechanism on one side under its exact leakage: one constraint, and a shape
that is never constant.

Medium records of one side are numbered 1 .. N away from p, value 0 is the common one. The *last
output* shows nothing of M and the value 1 at the first small record, or nothing at all where S is
empty. Source of the family: massny2025, section IV.
"""

from pufferproof.claims.ours.redaction.notation import FAMILY, LAST, SETTING
from pufferproof.claims.ours.redaction.statements.sides import (
    EXACT_CONSTANT,
    EXACT_SHAPE,
    ONE_CONSTRAINT,
    POSITIVE_Q,
)
from pufferproof.claims.registry import Check, claim

NOTATION = SETTING | FAMILY | LAST


@claim(
    "redaction.one-constraint",
    where="Exact design of one side",
    statement="Let a <= b and lam > 0, let a side have a budget > 0 and M be not empty, and let "
    "0 <= q_t <= 1. The side leaks at most its budget iff P(last output | X_p=0) / P(last "
    "output | X_p=1) >= e^-budget, where the last output redacts all of M and shows 1 at the "
    "first record of S, or shows nothing at all if S is empty. Then all q_t > 0.",
    kind="lemma",
    says={"one constraint": ONE_CONSTRAINT, "q_t > 0": POSITIVE_Q},
)
def one_constraint(check: Check) -> None:
    """Prove that ratios of value 0 fall and those of value 1 rise along M.

    One constraint. The events are the nearest released record and its value, or none
    [redaction.events]. At the first record of M A, B, C, G are (b + a v)/(a + b), b (1 - v)/(a +
    b), a (1 - v)/(a + b), (a + b v)/(a + b), v = lam^D [massny2025.prop1-power], of determinant
    lam^D > 0 [lemma.one-constraint-start]; at the next record stands q lam times that of this one
    [lemma.one-constraint]: A G >= B C along M, with B, C, G > 0. So A/B falls from e^i0(D) <= E
    [massny2025.prop1-closed], and no output exceeds E. The last output has the least ratio: z, its
    ratio C/G at the first record of S, or (q A + C)/(q B + G) at the last of M, is at most A/B at
    that record, and then back along M. With E z >= 1 every ratio is between 1/E and E, while E z <
    1 breaks the budget.

    Q_t > 0. If some q with q_k = 0 were feasible, so would be the one with q_t = 1 for all other t
    [massny2025.x-feasible-up-set]. Record k in M has e^i1 > E; the last output with q_k = 0 shows
    that X_k = 1, and what lies beyond is a common factor: its ratio is below 1/E.
    """
    name, positive = "one constraint", "q_t > 0"
    check.tried(name)
    check.tried(positive)


@claim(
    "redaction.exact-shape",
    where="Exact design of one side",
    statement="Let a <= b and lam > 0, and let a side have a budget > 0 and M be not empty. For "
    "the exact one-sided leakage every optimal q has q_t = 1 for the records of M nearest to p, "
    "up to some record (perhaps for none, perhaps for all), and is strictly decreasing away "
    "from p behind it; the one constraint, P(last output | X_p=0) / P(last output | X_p=1) >= "
    "e^-budget, is an equality.",
    says=EXACT_SHAPE,
)
def exact_shape(check: Check) -> None:
    """Prove that two neighbours in another order can be exchanged for a smaller sum, all else
    being equal.

    One constraint, that of the last output; all q_t > 0 [redaction.one-constraint]. h0, h1 are the
    likelihoods of the last output behind record k: s_k = q_k h0/h1, and w = h1/h0 one record nearer
    to p is (b s + 1-b)/((1-a) s + a) = c + e/(s + u), c, u, e > 0. Only s_1 is constrained. With a
    new s_k, k >= 2, q_(k-1) = s_(k-1) w_k keeps s_(k-1) and all before it. If q_k = y >= x =
    q_(k-1) and x < 1: for every small d > 0 the pair with s - d is in (0, 1] and has a smaller sum.
    So for neighbours x, y: x = 1 or y < x: once q_t < 1 it stays below 1 and decreases. Tight: if
    the constraint had slack, q_k > 0 could be lowered by any small d.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.exact-constant",
    where="Exact design of one side",
    statement="Let a <= b and lam > 0, and let a side have a budget > 0 and |M| >= 2. For the "
    "exact one-sided leakage a constant q is optimal iff q = 1 is the only feasible one, which "
    "is so iff S is not empty and i1(D) of its first record is equal to the budget. Otherwise "
    "some q that is not constant is better than every constant.",
    says=EXACT_CONSTANT,
)
def exact_constant(check: Check) -> None:
    """Prove it from the shape of every optimum and from the slack at q = 1.

    The shape: an optimum that is constant is 1: below 1 it strictly decreases, and M has two
    records [redaction.exact-shape]. One constraint: at q = 1 the last output is X_t = 1 at the
    first record of S, or nothing [redaction.one-constraint]. Its ratio: is e^-i1 there, 1/F with F
    <= E; or 1 [massny2025.prop1-closed]. Slack at q = 1: E/F - 1, or E - 1: it is 0 iff F = E. With
    slack: q = 1 everywhere is not optimal: see `tight`; without, lowering any q_t lowers the ratio:
    E (x0 + x1) = y0 + y1, and x0 (y0 + y1) > y0 (x0 + x1), by the determinant.
    """
    name = "as stated"
    check.tried(name)
