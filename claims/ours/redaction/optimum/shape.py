"""The best q of a 3R mechanism on one side under its exact leakage: one constraint, and a shape
that is never constant.

Medium records of one side are numbered 1 .. N away from p, value 0 is the common one. The *last
output* shows nothing of M and the value 1 at the first small record, or nothing at all where S is
empty. Source of the family: massny2025, section IV.
"""

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, above, below, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import FAMILY, LAST, SETTING
from pufferproof.claims.ours.redaction.statements.sides import (
    EXACT_CONSTANT,
    EXACT_SHAPE,
    ONE_CONSTRAINT,
    POSITIVE_Q,
)
from pufferproof.claims.registry import Check, claim

E = letter("E", "e^budget", above(1))
a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)", above(0))
A, B = letters(
    "A B", "the probabilities that nothing nearer is released and X_k = 0, given X_p = 0 and 1"
)
C, G = letters(
    "C G", "the probabilities that nothing nearer is released and X_k = 1, given X_p = 0 and 1"
)
X, Y = letters("X Y", "A, B at the next record nearer to p", above(0))
U, V = letters("U V", "C, G at the next record nearer to p", above(0))
q = letter("q", "q_k")
v = letter("v", "lam^D, D the distance of the first record of M", above(0))
z = letter("z", "the ratio of the last output")
ratio = letter("ratio", "the ratio of some other output")
rare0, rare1 = letters("rare0 rare1", "P(X_k = 1 | X_p = 0), P(X_k = 1 | X_p = 1)", above(0))
behind = letter("behind", "the likelihood of what lies behind record k", above(0))
h0 = letter("h0", "the likelihood of the last output behind record k given X_k = 0", above(0))
h1 = letter("h1", "the likelihood of the last output behind record k given X_k = 1")
r, s = letters("r s", "s_(k-1), and s_k = q_k h0/h1", above(0))
w = letter("w", "w_k = h1/h0 one record nearer to p")
W = letter("W", "w_(k+1)", above(0))
changed = letter("changed", "w_k after s_k is lowered by d", above(0))
c = letter("c", "b/(1-a)")
u = letter("u", "a/(1-a)")
e = letter("e", "lam/(1-a)^2")
x, y = letters("x y", "q_(k-1), q_k")
d = letter("d", "by how much s_k, or q_k, is lowered", above(0))
first = letter("first", "the first q_t below 1", below(1))
x0 = letter("x0", "the part of the last output with X_k = 0, given X_p = 0", above(0))
x1 = letter("x1", "the part of the last output with X_k = 1, given X_p = 0")
y0 = letter("y0", "the part of the last output with X_k = 0, given X_p = 1", above(0))
y1 = letter("y1", "the part of the last output with X_k = 1, given X_p = 1")
F = letter("F", "e^i1 of the first record of S", above(1))
MEDIUM = "all a <= b with a + b < 1, every n, p and budget > 0, M not empty on this side"
CHAIN = [a + b < 1]
NEXT = (
    (1 - a) * q * A + b * C,
    (1 - a) * q * B + b * G,
    a * q * A + (1 - b) * C,
    a * q * B + (1 - b) * G,
)
"""The four probabilities at the next record."""
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
    """Prove that ratios of value 0 fall and those of value 1 rise along M."""
    name, positive = "one constraint", "q_t > 0"
    proved(
        check,
        name,
        MEDIUM,
        _constraint,
        **{
            "lam < 0 too": Edit(
                "A G >= B C along M: step", without=a + b < 1, given=[a + b > 1, a < 1, b < 1]
            ),
            "value 0 above e^budget at the first record": Edit(
                "no output exceeds E: base", without=A <= E * B, given=A <= 2 * E * B
            ),
        },
    )
    proved(
        check,
        positive,
        MEDIUM,
        _positive,
        a_record_of_S=Edit(
            "the last output with q_k = 0", without=rare1 > E * rare0, given=rare1 <= E * rare0
        ),
    )


def _constraint(proof: Proof) -> None:
    proof.cite("events", "the nearest released record and its value, or none", "redaction.events")
    _along(proof)
    _above(proof)
    _below(proof)


def _positive(proof: Proof) -> None:
    proof.cite(
        "an up-set",
        "if some q with q_k = 0 were feasible, so would be the one with q_t = 1 for all other t",
        "massny2025.x-feasible-up-set",
    )
    proof.cite(
        "record k in M",
        "e^i1 = y/x > E, x and y the probabilities of X_k = 1 given X_p = 0 and 1",
        "massny2025.prop1-closed",
    )
    _never_zero(proof)


def _along(proof: Proof) -> None:
    zero, one = (NEXT[0], NEXT[1]), (NEXT[2], NEXT[3])
    proof.identity(
        "determinant",
        "at the next record",
        zero[0] * one[1] - zero[1] * one[0],
        q * (1 - a - b) * (A * G - B * C),
    )
    proof.cite(
        "the first record of M",
        "A, B, C, G are (b + a v)/(a + b), b (1 - v)/(a + b), a (1 - v)/(a + b), (a + b v)/(a "
        "+ b), v = lam^D",
        "massny2025.prop1-power",
    )
    proof.identity(
        "determinant at the first record",
        "it is lam^D",
        "(b + a*v)/(a + b) * (a + b*v)/(a + b) - b*(1 - v)/(a + b) * a*(1 - v)/(a + b)",
        "v",
    )
    proof.induction(
        "A G >= B C along M",
        "v = lam^D > 0 is the determinant at the first record; at the next record stands q lam "
        "times that of this one",
        base=(A * G >= B * C, [Eq(A * G - B * C, v)]),
        step=(
            zero[0] * one[1] >= zero[1] * one[0],
            [
                A * G >= B * C,
                Eq(zero[0] * one[1] - zero[1] * one[0], q * (1 - a - b) * (A * G - B * C)),
                q >= 0,
                a + b < 1,
            ],
        ),
    )
    _ratios_fall(proof)


def _ratios_fall(proof: Proof) -> None:
    proof.inequality(
        "positive",
        "B, C, G > 0 and A >= 0 at every record: at the next, too",
        And(*(each > 0 for each in NEXT)),
        [A > 0, B > 0, C > 0, G > 0, q >= 0, *CHAIN],
    )
    proof.identity(
        "A/B falls",
        "A B' - A' B is b times the determinant",
        A * NEXT[1] - NEXT[0] * B,
        b * (A * G - B * C),
    )


def _above(proof: Proof) -> None:
    positive = [A > 0, B > 0, C > 0, G > 0, q >= 0, q <= 1, A * G >= B * C]
    proof.cite("value 0 at the first record of M", "A/B = e^i0(D) <= E", "massny2025.prop1-closed")
    proof.induction(
        "no output exceeds E",
        "A <= E B: for the value 0 at every record of M, and at the first of S",
        base=(A <= E * B, [A <= E * B, *positive]),
        step=(NEXT[0] <= E * NEXT[1], [A <= E * B, *positive, *CHAIN]),
    )
    proof.inequality(
        "the last output does not either",
        "value 1 at the first of S, or nothing",
        And(C <= E * G, q * A + C <= E * (q * B + G)),
        [A <= E * B, *positive],
    )


def _below(proof: Proof) -> None:
    positive = [A > 0, B > 0, C > 0, G > 0, q >= 0, A * G >= B * C, z > 0]
    proof.induction(
        "the last output has the least ratio",
        "z is its ratio C/G at the first record of S, or (q A + C)/(q B + G) at the last of M: z "
        "<= A/B at that record. Then back along M: X, Y, U, V are A, B, C, G at the next record "
        "nearer to p, and z <= X/Y there",
        base=(z * B <= A, [Or(Eq(C, z * G), Eq(q * A + C, z * (q * B + G))), *positive]),
        step=(
            z * Y <= X,
            [
                z * B <= A,
                Eq(A, (1 - a) * q * X + b * U),
                Eq(B, (1 - a) * q * Y + b * V),
                X * V >= Y * U,
                *(each > 0 for each in (X, Y, U, V, z)),
                q >= 0,
                *CHAIN,
            ],
        ),
    )
    proof.inequality(
        "so one constraint is left",
        "ratio is the ratio of some other output, z <= ratio <= E: with E z >= 1 it is between "
        "1/E and E, while E z < 1 breaks the budget",
        And(ratio <= E, E * ratio >= 1),
        [ratio <= E, z <= ratio, E * z >= 1],
    )


def _never_zero(proof: Proof) -> None:
    proof.inequality(
        "the last output with q_k = 0",
        "shows that X_k = 1, and what lies beyond is a common factor behind: its ratio is "
        "rare0/rare1 < 1/E",
        E * rare0 * behind < rare1 * behind,
        [rare1 > E * rare0],
        for_any=[E],
    )


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
    """
    name = "as stated"
    proved(
        check,
        name,
        MEDIUM,
        _shape,
        **{
            "at most half of the neighbour": Edit(
                "a better pair", without=y >= x, given=2 * y >= x
            ),
            "q = 1 beside q = 1": Edit(
                "a better pair", without=[x < 1, e * r * d <= (1 - x) * (s + u) * s], given=x <= 1
            ),
        },
    )


def _shape(proof: Proof) -> None:
    _coordinates(proof)
    exchange(proof)
    _pattern(proof)
    _tight(proof)


def _coordinates(proof: Proof) -> None:
    proof.cite("one constraint", "that of the last output; all q_t > 0", "redaction.one-constraint")
    back = ((1 - a) * q * h0 + a * h1, b * q * h0 + (1 - b) * h1)
    proof.inequality(
        "coordinates",
        "h0, h1 are the likelihoods of the last output behind record k: s = s_k = q_k h0/h1, and w "
        "= w_k = h1/h0 one record nearer to p is (b s + 1-b)/((1-a) s + a)",
        Eq(w * ((1 - a) * s + a), b * s + 1 - b),
        [Eq(w * back[0], back[1]), Eq(s * h1, q * h0), h1 > 0, q > 0, *CHAIN],
        for_any=[s],
    )
    proof.inequality(
        "w = c + e/(s + u)",
        "c = b/(1-a), u = a/(1-a), e = lam/(1-a)^2, all positive",
        And(Eq(w * (s + u), c * (s + u) + e), c > 0, u > 0, e > 0),
        [
            Eq(w * ((1 - a) * s + a), b * s + 1 - b),
            Eq(c * (1 - a), b),
            Eq(u * (1 - a), a),
            Eq(e * (1 - a) ** 2, 1 - a - b),
            *CHAIN,
        ],
    )
    proof.identity(
        "only s_1 is constrained",
        "the last output has the likelihoods q_1 A h0 + C h1 and q_1 B h0 + G h1: multiples of A "
        "s_1 + C and B s_1 + G",
        (q * A * h0 + C * h1) * (q * B * h0 / h1 + G),
        (q * B * h0 + G * h1) * (q * A * h0 / h1 + C),
    )
    proof.inequality(
        "two q change with one s",
        "q_k = s_k w_(k+1): with a new s_k, k >= 2, q_(k-1) = s_(k-1) w_k keeps s_(k-1) and all "
        "before it, and w_(k+1) is that of the records behind",
        And(Eq(q * h0, s * h1), Eq(q, s * w)),
        [Eq(q, s * w), Eq(h1, w * h0)],
    )


def exchange(proof: Proof) -> None:
    """r, s are s_(k-1) and s_k, W is w_(k+1), w and v are w_k before and after s is lowered by
    d; x, y are q_(k-1) and q_k.
    """
    proof.inequality(
        "a better pair",
        "if q_k = y >= x = q_(k-1) and x < 1: for every small d > 0 the pair r changed, (s - d) W "
        "is in (0, 1] and has a smaller sum",
        And(r * changed <= 1, r * changed > 0, (s - d) * W > 0, r * changed + (s - d) * W < x + y),
        [
            Eq(x, r * w),
            Eq(y, s * W),
            y >= x,
            x < 1,
            y <= 1,
            Eq(w * (s + u), c * (s + u) + e),
            Eq(changed * (s - d + u), c * (s - d + u) + e),
            c > 0,
            u > 0,
            e > 0,
            w > 0,
            d < u,
            d < s,
            e * r * d <= (1 - x) * (s + u) * s,
        ],
    )


def _pattern(proof: Proof) -> None:
    proof.induction(
        "the pattern",
        "for neighbours x, y: x = 1 or y < x. So once q_t < 1 it stays below 1 and decreases: "
        "first is the first q_t < 1",
        base=(y < first, [Or(Eq(first, 1), y < first)]),
        step=(And(y < x, y < first), [x < first, Or(Eq(x, 1), y < x)]),
    )


def _tight(proof: Proof) -> None:
    proof.inequality(
        "tight",
        "E (x0 q + x1) - (y0 q + y1) > 0 is the slack, x0 .. y1 >= 0 being the parts with X_k = 0 "
        "and 1: q_k > 0 can be lowered by any small d",
        E * (x0 * (q - d) + x1) >= y0 * (q - d) + y1,
        [E * (x0 * q + x1) > y0 * q + y1, d <= q, d * E * x0 <= E * (x0 * q + x1) - (y0 * q + y1)],
    )


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
    """Prove it from the shape of every optimum and from the slack at q = 1."""
    name = "as stated"
    proved(
        check,
        name,
        MEDIUM.replace("M not empty", "|M| >= 2"),
        _constant,
        **{
            "nor is q = 1": Edit(
                "with slack", without=Eq(E * (x0 + x1), y0 + y1), given=E * (x0 + x1) >= y0 + y1
            )
        },
    )


def _constant(proof: Proof) -> None:
    proof.cite(
        "the shape",
        "an optimum that is constant is 1: below 1 it strictly decreases, and M has two records",
        "redaction.exact-shape",
    )
    proof.cite(
        "one constraint",
        "at q = 1 the last output is X_t = 1 at the first record of S, or nothing",
        "redaction.one-constraint",
    )
    proof.cite("its ratio", "is e^-i1 there, 1/F with F <= E; or 1", "massny2025.prop1-closed")
    _at_one(proof)


def _at_one(proof: Proof) -> None:
    proof.inequality(
        "slack at q = 1",
        "E/F - 1, or E - 1: it is 0 iff F = E",
        sympy.Equivalent(E * z <= 1, Eq(z * E, 1)),
        [Or(Eq(z * F, 1), Eq(z, 1)), F <= E],
    )
    proof.inequality(
        "with slack",
        "q = 1 everywhere is not optimal: see `tight`; without, lowering any q_t lowers the "
        "ratio: E (x0 + x1) = y0 + y1, and x0 (y0 + y1) > y0 (x0 + x1), by the determinant",
        E * (x0 * (1 - d) + x1) < y0 * (1 - d) + y1,
        [Eq(E * (x0 + x1), y0 + y1), x0 * (y0 + y1) > y0 * (x0 + x1), d <= 1, x1 > 0, y1 > 0],
    )
