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
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty, 0 <= q_t <= 1: the side "
    "leaks at most its budget iff P(last output | X_p=0) / P(last output | X_p=1) >= "
    "e^-budget, where the last output redacts all of M and shows 1 at the first record of S, "
    "or shows nothing at all if S is empty. Then all q_t > 0.",
    kind="lemma",
    says={
        "one constraint": ONE_CONSTRAINT,
        "q_t > 0": POSITIVE_Q,
    },
)
def one_constraint(check: Check) -> None:
    """Prove that ratios of value 0 fall and those of value 1 rise along M.

    One constraint. Events: the nearest released record and its value, or none [redaction.events].
    Determinant: at the next record. The first record of M: A, B, C, G are (b + a v)/(a + b), b (1 -
    v)/(a + b), a (1 - v)/(a + b), (a + b v)/(a + b), v = lam^D [massny2025.prop1-power].
    Determinant at the first record: it is lam^D. A G >= B C along M: v = lam^D > 0 is the
    determinant at the first record; at the next record stands q lam times that of this one.
    Positive: B, C, G > 0 and A >= 0 at every record: at the next, too. A/B falls: A B' - A' B is b
    times the determinant. Value 0 at the first record of M: A/B = e^i0(D) <= E
    [massny2025.prop1-closed]. No output exceeds E: A <= E B: for the value 0 at every record of M,
    and at the first of S. The last output does not either: value 1 at the first of S, or nothing.
    The last output has the least ratio: z is its ratio C/G at the first record of S, or (q A +
    C)/(q B + G) at the last of M: z <= A/B at that record. Then back along M: X, Y, U, V are A, B,
    C, G at the next record nearer to p, and z <= X/Y there. So one constraint is left: ratio is the
    ratio of some other output, z <= ratio <= E: with E z >= 1 it is between 1/E and E, while E z <
    1 breaks the budget.

    Q_t > 0. An up-set: if some q with q_k = 0 were feasible, so would be the one with q_t = 1 for
    all other t [massny2025.x-feasible-up-set]. Record k in M: e^i1 = y/x > E, x and y the
    probabilities of X_k = 1 given X_p = 0 and 1 [massny2025.prop1-closed]. The last output with q_k
    = 0: shows that X_k = 1, and what lies beyond is a common factor behind: its ratio is
    rare0/rare1 < 1/E.

    Engines prove its formulas [lemma.one-constraint], [lemma.one-constraint-start].
    """
    name, positive = "one constraint", "q_t > 0"
    check.tried(name)
    check.tried(positive)


@claim(
    "redaction.exact-shape",
    where="Exact design of one side",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty, exact one-sided leakage: "
    "every optimal q has q_t = 1 for the records of M nearest to p, up to some record (perhaps "
    "for none, perhaps for all), and is strictly decreasing away from p behind it; the one "
    "constraint, P(last output | X_p=0) / P(last output | X_p=1) >= e^-budget, is an equality.",
    says=EXACT_SHAPE,
)
def exact_shape(check: Check) -> None:
    """Prove that two neighbours in another order can be exchanged for a smaller sum, all else
    being equal.

    One constraint: that of the last output; all q_t > 0 [redaction.one-constraint]. Coordinates:
    h0, h1 are the likelihoods of the last output behind record k: s = s_k = q_k h0/h1, and w = w_k
    = h1/h0 one record nearer to p is (b s + 1-b)/((1-a) s + a). W = c + e/(s + u): c = b/(1-a), u =
    a/(1-a), e = lam/(1-a)^2, all positive. Only s_1 is constrained: the last output has the
    likelihoods q_1 A h0 + C h1 and q_1 B h0 + G h1: multiples of A s_1 + C and B s_1 + G. Two q
    change with one s: q_k = s_k w_(k+1): with a new s_k, k >= 2, q_(k-1) = s_(k-1) w_k keeps
    s_(k-1) and all before it, and w_(k+1) is that of the records behind. A better pair: if q_k = y
    >= x = q_(k-1) and x < 1: for every small d > 0 the pair r changed, (s - d) W is in (0, 1] and
    has a smaller sum. The pattern: for neighbours x, y: x = 1 or y < x. So once q_t < 1 it stays
    below 1 and decreases: first is the first q_t < 1. Tight: E (x0 q + x1) - (y0 q + y1) > 0 is the
    slack, x0 .. y1 >= 0 being the parts with X_k = 0 and 1: q_k > 0 can be lowered by any small d.
    """
    name = "as stated"
    check.tried(name)


@claim(
    "redaction.exact-constant",
    where="Exact design of one side",
    statement="a <= b, lam > 0, a side of budget > 0 with |M| >= 2, exact one-sided leakage: a "
    "constant q is optimal iff q = 1 is the only feasible one, which is so iff S is not empty "
    "and i1(D) of its first record is equal to the budget. Otherwise some q that is not "
    "constant is better than every constant.",
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
