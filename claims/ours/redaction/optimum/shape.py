"""The best q of a 3R mechanism on one side under its exact leakage: one constraint, and a shape
that is never constant.

Medium records of one side are numbered 1 .. N away from p, value 0 is the common one. A, B are the
probabilities that nothing nearer is released and X_k = 0 given X_p = 0 and 1, C, G those with X_k =
1; q is q_k; E = e^budget. The *last output* shows nothing of M and the value 1 at the first small
record, or nothing at all where S is empty. h0, h1 are its likelihoods given X_k. Source of the
family: massny2025, section IV.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, LAST, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

A, B, C, G, E, F, K, L, N, U, V, W, X, Y, Z = sympy.symbols("A B C G E F K L N U V W X Y Z")
a, b, c, d, e, h0, h1, j, q, r, s, t, u, v, w, x, y, z = sympy.symbols(
    "a b c d e h0 h1 j q r s t u v w x y z"
)
MEDIUM = "all a <= b with a + b < 1, every n, p and budget > 0, M not empty on this side"
CHAIN = [a > 0, b > 0, a + b < 1]
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
)
def one_constraint(check: Check) -> None:
    """Prove that ratios of value 0 fall and those of value 1 rise along M."""
    name, positive = "one constraint", "q_t > 0"
    with check.reading(name, MEDIUM) as argument:
        argument.cite(
            "events", "the nearest released record and its value, or none", "redaction.events"
        )
        _along(argument)
        _above(argument)
        _below(argument)
    check.near_miss(f"{name}: lam < 0 too", partial(_along, signed=True))
    check.near_miss(
        f"{name}: value 0 above e^budget at the first record", partial(_above, large=True)
    )
    with check.reading(positive, MEDIUM) as argument:
        argument.cite(
            "an up-set",
            "if some q with q_k = 0 were feasible, so would be the one with q_t = 1 for all other "
            "t",
            "massny2025.x-feasible-up-set",
        )
        argument.cite(
            "record k in M",
            "e^i1 = y/x > E, x and y the probabilities of X_k = 1 given X_p = 0 and 1",
            "massny2025.prop1-closed",
        )
        _never_zero(argument)
    check.near_miss(f"{positive}: a record of S", partial(_never_zero, small=True))


def _along(argument: Argument, signed: bool = False) -> None:
    zero, one = (NEXT[0], NEXT[1]), (NEXT[2], NEXT[3])
    argument.identity(
        "determinant",
        "at the next record",
        zero[0] * one[1] - zero[1] * one[0],
        q * (1 - a - b) * (A * G - B * C),
    )
    if not signed:
        argument.cite(
            "the first record of M",
            "A, B, C, G are (b + a v)/(a + b), b (1 - v)/(a + b), a (1 - v)/(a + b), (a + b v)/(a "
            "+ b), v = lam^D",
            "massny2025.prop1-power",
        )
        argument.identity(
            "determinant at the first record",
            "it is lam^D",
            "(b + a*v)/(a + b) * (a + b*v)/(a + b) - b*(1 - v)/(a + b) * a*(1 - v)/(a + b)",
            v,
        )
    argument.induction(
        "A G >= B C along M",
        "v = lam^D > 0 is the determinant at the first record; at the next record stands q lam "
        "times that of this one",
        base=(A * G >= B * C, [Eq(A * G - B * C, v), v > 0]),
        step=(
            zero[0] * one[1] >= zero[1] * one[0],
            [
                A * G >= B * C,
                Eq(zero[0] * one[1] - zero[1] * one[0], q * (1 - a - b) * (A * G - B * C)),
                q >= 0,
                a > 0,
                b > 0,
                *([a + b > 1, a < 1, b < 1] if signed else [a + b < 1]),
            ],
        ),
    )
    argument.inequality(
        "positive",
        "B, C, G > 0 and A >= 0 at every record: at the next, too",
        And(*(each > 0 for each in NEXT)),
        [A > 0, B > 0, C > 0, G > 0, q >= 0, *CHAIN],
    )
    argument.identity(
        "A/B falls",
        "A B' - A' B is b times the determinant",
        A * zero[1] - zero[0] * B,
        b * (A * G - B * C),
    )


def _above(argument: Argument, large: bool = False) -> None:
    positive = [A > 0, B > 0, C > 0, G > 0, q >= 0, q <= 1, A * G >= B * C, E > 1]
    if not large:
        argument.cite(
            "value 0 at the first record of M", "A/B = e^i0(D) <= E", "massny2025.prop1-closed"
        )
    argument.induction(
        "no output exceeds E",
        "A <= E B: for the value 0 at every record of M, and at the first of S",
        base=(A <= E * B, [A <= (2 * E * B if large else E * B), *positive]),
        step=(NEXT[0] <= E * NEXT[1], [A <= E * B, *positive, *CHAIN]),
    )
    argument.inequality(
        "the last output does not either",
        "value 1 at the first of S, or nothing",
        And(C <= E * G, q * A + C <= E * (q * B + G)),
        [A <= E * B, *positive],
    )


def _below(argument: Argument) -> None:
    positive = [A > 0, B > 0, C > 0, G > 0, q >= 0, A * G >= B * C, z > 0]
    argument.induction(
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
    argument.inequality(
        "so one constraint is left",
        "x is the ratio of some other output, z <= x <= E: with E z >= 1 it is between 1/E and E, "
        "while E z < 1 breaks the budget",
        And(x <= E, E * x >= 1),
        [x <= E, z <= x, E * z >= 1, E > 1],
    )


def _never_zero(argument: Argument, small: bool = False) -> None:
    argument.inequality(
        "the last output with q_k = 0",
        "shows that X_k = 1, and what lies beyond is a common factor f: its ratio is x/y < 1/E",
        E * x * F < y * F,
        [F > 0, x > 0, y > 0, y <= E * x if small else y > E * x],
    )


@claim(
    "redaction.exact-shape",
    where="Exact design of one side",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty, exact one-sided leakage: "
    "every optimal q has q_t = 1 for the records of M nearest to p, up to some record (perhaps "
    "for none, perhaps for all), and is strictly decreasing away from p behind it; the one "
    "constraint, P(last output | X_p=0) / P(last output | X_p=1) >= e^-budget, is an equality.",
)
def exact_shape(check: Check) -> None:
    """Prove that two neighbours in another order can be exchanged for a smaller sum, all else
    being equal.
    """
    name = "as stated"
    with check.reading(name, MEDIUM) as argument:
        _coordinates(argument)
        exchange(argument)
        _pattern(argument)
        _tight(argument)
    check.near_miss(f"{name}: at most half of the neighbour", partial(exchange, half=True))
    check.near_miss(f"{name}: q = 1 beside q = 1", partial(exchange, ones=True))


def _coordinates(argument: Argument) -> None:
    argument.cite(
        "one constraint", "that of the last output; all q_t > 0", "redaction.one-constraint"
    )
    back = ((1 - a) * q * h0 + a * h1, b * q * h0 + (1 - b) * h1)
    argument.inequality(
        "coordinates",
        "h0, h1 are the likelihoods of the last output behind record k: s = s_k = q_k h0/h1, and w "
        "= w_k = h1/h0 one record nearer to p is (b s + 1-b)/((1-a) s + a)",
        Eq(w * ((1 - a) * s + a), b * s + 1 - b),
        [Eq(w * back[0], back[1]), Eq(s * h1, q * h0), h0 > 0, h1 > 0, q > 0, *CHAIN],
    )
    argument.inequality(
        "w = c + e/(s + u)",
        "c = b/(1-a), u = a/(1-a), e = lam/(1-a)^2, all positive",
        And(Eq(w * (s + u), c * (s + u) + e), c > 0, u > 0, e > 0),
        [
            Eq(w * ((1 - a) * s + a), b * s + 1 - b),
            Eq(c * (1 - a), b),
            Eq(u * (1 - a), a),
            Eq(e * (1 - a) ** 2, 1 - a - b),
            s > 0,
            *CHAIN,
        ],
    )
    argument.identity(
        "only s_1 is constrained",
        "the last output has the likelihoods q_1 A h0 + C h1 and q_1 B h0 + G h1: multiples of A "
        "s_1 + C and B s_1 + G",
        (q * A * h0 + C * h1) * (q * B * h0 / h1 + G),
        (q * B * h0 + G * h1) * (q * A * h0 / h1 + C),
    )
    argument.inequality(
        "two q change with one s",
        "q_k = s_k w_(k+1): with a new s_k, k >= 2, q_(k-1) = s_(k-1) w_k keeps s_(k-1) and all "
        "before it, and w_(k+1) is that of the records behind",
        And(Eq(q * h0, s * h1), Eq(q, s * w)),
        [Eq(q, s * w), Eq(h1, w * h0), h0 > 0, s > 0],
    )


def exchange(argument: Argument, half: bool = False, ones: bool = False) -> None:
    """r, s are s_(k-1) and s_k, W is w_(k+1), w and v are w_k before and after s is lowered by
    d; x, y are q_(k-1) and q_k.
    """
    argument.inequality(
        "a better pair",
        "if q_k = y >= x = q_(k-1) and x < 1: for every small d > 0 the pair r v, (s - d) W is in "
        "(0, 1] and has a smaller sum",
        And(r * v <= 1, r * v > 0, (s - d) * W > 0, r * v + (s - d) * W < x + y),
        [
            Eq(x, r * w),
            Eq(y, s * W),
            (2 * y if half else y) >= x,
            x <= 1 if ones else x < 1,
            y <= 1,
            Eq(w * (s + u), c * (s + u) + e),
            Eq(v * (s - d + u), c * (s - d + u) + e),
            r > 0,
            s > 0,
            W > 0,
            c > 0,
            u > 0,
            e > 0,
            w > 0,
            v > 0,
            d > 0,
            d < u,
            d < s,
            *([] if ones else [e * r * d <= (1 - x) * (s + u) * s]),
        ],
    )


def _pattern(argument: Argument) -> None:
    argument.induction(
        "the pattern",
        "for neighbours x, y: x = 1 or y < x. So once q_t < 1 it stays below 1 and decreases: z is "
        "the first q_t < 1",
        base=(y < z, [z < 1, Or(Eq(z, 1), y < z)]),
        step=(And(y < x, y < z), [x < z, z < 1, Or(Eq(x, 1), y < x)]),
    )


def _tight(argument: Argument) -> None:
    argument.inequality(
        "tight",
        "E (x q + y) - (z q + w) > 0 is the slack, x .. w >= 0 being the parts with X_k = 0 and 1: "
        "q_k > 0 can be lowered by any small d",
        E * (x * (q - d) + y) >= z * (q - d) + w,
        [
            E * (x * q + y) > z * q + w,
            d > 0,
            d <= q,
            d * E * x <= E * (x * q + y) - (z * q + w),
            x > 0,
            z > 0,
            E > 1,
        ],
    )


@claim(
    "redaction.exact-constant",
    where="Exact design of one side",
    statement="a <= b, lam > 0, a side of budget > 0 with |M| >= 2, exact one-sided leakage: a "
    "constant q is optimal iff q = 1 is the only feasible one, which is so iff S is not empty "
    "and i1(D) of its first record is equal to the budget. Otherwise some q that is not "
    "constant is better than every constant.",
)
def exact_constant(check: Check) -> None:
    """Prove it from the shape of every optimum and from the slack at q = 1."""
    name = "as stated"
    with check.reading(name, MEDIUM.replace("M not empty", "|M| >= 2")) as argument:
        argument.cite("the shape", "an optimum that is constant is 1", "redaction.exact-shape")
        argument.inequality(
            "two records",
            "a constant below 1 is not strictly decreasing",
            sympy.Not(Or(Eq(x, 1), y < x)),
            [Eq(x, y), x < 1],
        )
        argument.cite(
            "one constraint",
            "at q = 1 the last output is X_t = 1 at the first record of S, or nothing",
            "redaction.one-constraint",
        )
        argument.cite(
            "its ratio", "is e^-i1 there, 1/F with F <= E; or 1", "massny2025.prop1-closed"
        )
        _at_one(argument)
    check.near_miss(f"{name}: nor is q = 1", partial(_at_one, never=True))


def _at_one(argument: Argument, never: bool = False) -> None:
    argument.inequality(
        "slack at q = 1",
        "E/F - 1, or E - 1: it is 0 iff F = E",
        sympy.Equivalent(E * z <= 1, Eq(z * E, 1)),
        [Or(Eq(z * F, 1), Eq(z, 1)), F <= E, F > 1, E > 1],
    )
    argument.inequality(
        "with slack",
        "q = 1 everywhere is not optimal: see `tight`; without, lowering any q_t lowers the ratio: "
        "E (x + y) = z + w, and x (z + w) > z (x + y), by the determinant",
        E * (x * (1 - d) + y) < z * (1 - d) + w,
        [
            E * (x + y) >= z + w if never else Eq(E * (x + y), z + w),
            x * (z + w) > z * (x + y),
            d > 0,
            d <= 1,
            x > 0,
            y > 0,
            z > 0,
            w > 0,
            E > 1,
        ],
    )
