"""How fast the best q of a side falls away from p: geometrically, at a rate that depends on the
chain alone.

Source of the family: massny2025, section IV.
"""

import sympy
from sympy import And, Eq

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.redaction.notation import FAMILY, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.optimum.shape import MEDIUM
from pufferproof.claims.ours.redaction.statements.sides import (
    EXACT_DECAY,
    QUOTIENTS,
)
from pufferproof.claims.registry import Check, claim

a, b = letters("a b", "P(X_(t+1) = 1 | X_t = 0), P(X_(t+1) = 0 | X_t = 1)", above(0))
c = letter("c", "b/(1-a)")
u = letter("u", "a/(1-a)")
e = letter("e", "lam/(1-a)^2")
g, h = letters("g h", "the square roots of c u and of c u + e")
low_root, high_root = letters("low_root high_root", "the square roots of ab and of (1-a)(1-b)")
z = letter("z", "the rate", above(0))
square = letter("square", "(c s - g h)^2/c", at_least(0))
r = letter("r", "s_(k-1)")
s = letter("s", "s_k", above(0))
w, v = letters("w v", "w_k before and after s_k is lowered or changed")
W = letter("W", "w_(k+1)")
d = letter("d", "by how much s_k is lowered")
T = letter("T", "c (s + u) + e", above(0))
gain = letter("gain", "W (s + u)^2 - r e, the gain of the first order")
x = letter("x", "q_(k-1)")
S = letter("S", "the sum of q behind the ones so far")
q = letter("q", "the last q so far", above(0))
y = letter("y", "the next q, or q_k")
l = letter("l", "lam^(n-2)", above(0))
E = letter("E", "e^i0(n-2)")
t = letter("t", "another value of s_2", above(0))
NOTATION = SETTING | FAMILY | NUMBERED


@claim(
    "redaction.exact-decay",
    where="Exact design of one side",
    statement="a <= b, lam > 0, a side of budget > 0 with M not empty, exact one-sided leakage: at "
    "every optimal q, q_(k+1) <= z q_k for neighbours in M with q_k < 1, where z = "
    "(sqrt((1-a)(1-b)) - sqrt(ab)) / (sqrt((1-a)(1-b)) + sqrt(ab)) < 1, for every budget. So "
    "the records behind those with q = 1 contribute at most 1/(1-z) to the sum of q, however "
    "many there are. For a = 1/10, b = 1/2, where z = 1/2, quotients as close to z as one "
    "likes occur.",
    says={
        "as stated": EXACT_DECAY,
        "a = 1/10, b = 1/2, quotients near z = 1/2": QUOTIENTS,
    },
)
def exact_decay(check: Check) -> None:
    """Prove that two neighbours that fall more slowly can be exchanged for a smaller sum."""
    name = "as stated"
    proved(
        check,
        name,
        MEDIUM,
        _decay,
        **{
            "9/10 of this rate": Edit("-s f'(s)/f(s) <= z", put={z: sympy.Rational(9, 10) * z}),
            "falling at the rate already": Edit(
                "first order", without=s * W > z * r * w, given=s * W >= z * r * w
            ),
        },
    )
    sharp = "a = 1/10, b = 1/2, quotients near z = 1/2"
    proved(
        check,
        sharp,
        "p = 1, every n >= 4, e^eps = e^i0(n-2)",
        _quotients,
        **{
            "above 1/2": Edit("the quotient", put={sympy.Rational(1, 2) + -l: sympy.Rational(1, 2)})
        },
    )


def _decay(proof: Proof) -> None:
    proof.cite(
        "coordinates",
        "one constraint, on s_1; q_(k-1) = s_(k-1) w_k, q_k = s_k w_(k+1), w_k = c + e/(s_k + u)",
        "redaction.exact-shape",
    )
    _rate(proof)
    _largest(proof)
    _exchange(proof)
    _sum(proof)


def _quotients(proof: Proof) -> None:
    proof.cite(
        "closed forms",
        "with l = lam^(n-2) = (2/5)^(n-2): e^i0 = (1 + l/5)/(1 - l)",
        "massny2025.prop1-closed",
    )
    proof.cite(
        "coordinates",
        "q_1 = s_1 w_2, q_2 = s_2, as w_3 = 1 at the end",
        "redaction.exact-shape",
    )
    _sharp(proof)


def _rate(proof: Proof) -> None:
    proof.inequality(
        "the rate",
        "low_root, high_root = sqrt(ab), sqrt((1-a)(1-b)) are (1-a) g and (1-a) h: z = e/(g + "
        "h)^2 = (h - g)/(h + g) = (high_root - low_root)/(high_root + low_root) < 1",
        And(
            Eq(z * (h + g), h - g),
            Eq(z * (high_root + low_root), high_root - low_root),
            z > 0,
            z < 1,
        ),
        [
            Eq(c * (1 - a), b),
            Eq(u * (1 - a), a),
            Eq(g**2, c * u),
            Eq(h**2, c * u + e),
            Eq(z * (g + h) ** 2, e),
            Eq(low_root, (1 - a) * g),
            Eq(high_root, (1 - a) * h),
            g > 0,
            h > 0,
            e > 0,
            a < 1,
        ],
        for_any=[z],
    )
    _roots(proof)


def _roots(proof: Proof) -> None:
    proof.inequality(
        "its roots",
        "low_root^2 = ab and high_root^2 = (1-a)(1-b), as e = lam/(1-a)^2",
        And(Eq(low_root**2, a * b), Eq(high_root**2, (1 - a) * (1 - b))),
        [
            Eq(c * (1 - a), b),
            Eq(u * (1 - a), a),
            Eq(e * (1 - a) ** 2, 1 - a - b),
            Eq(g**2, c * u),
            Eq(h**2, c * u + e),
            Eq(low_root, (1 - a) * g),
            Eq(high_root, (1 - a) * h),
            a + b < 1,
        ],
    )


def _largest(proof: Proof) -> None:
    proof.identity(
        "a square",
        "c ((c s + h^2)(s + u) - s (g + h)^2) with c u = g^2",
        (c * s + h**2) * (c * s + g**2) - c * s * (g + h) ** 2,
        (c * s - g * h) ** 2,
    )
    proof.inequality(
        "-s f'(s)/f(s) <= z",
        "f(s) = c + e/(s + u): e s <= z (c (s + u) + e)(s + u)",
        e * s <= z * (c * s + h**2) * (s + u),
        [
            Eq(g**2, c * u),
            Eq(h**2, c * u + e),
            Eq(z * (g + h) ** 2, e),
            Eq(c * square, (c * s - g * h) ** 2),
            Eq(square, (c * s + h**2) * (s + u) - s * (g + h) ** 2),
            c > 0,
            u > 0,
            e > 0,
            g > 0,
            h > 0,
        ],
    )


def _exchange(proof: Proof) -> None:
    proof.inequality(
        "first order",
        "if q_k = s W > z r w = z q_(k-1) then W (s + u)^2 > r e",
        W * (s + u) ** 2 > r * e,
        [
            Eq(w * (s + u), T),
            s * W > z * r * w,
            e * s <= z * T * (s + u),
            r > 0,
            u > 0,
            e > 0,
            W > 0,
            w > 0,
        ],
    )
    proof.inequality(
        "a better pair",
        "for small d > 0: q_k falls by W d, q_(k-1) rises by r (v - w) = r e d/((s + u)(s - d + "
        "u)), which is less",
        r * (v - w) < W * d,
        [
            Eq((v - w) * (s + u) * (s - d + u), e * d),
            W * (s + u) * (s - d + u) > r * e,
            d > 0,
            d < s,
            r > 0,
            u > 0,
            e > 0,
            W > 0,
        ],
    )
    _small_enough(proof)


def _small_enough(proof: Proof) -> None:
    proof.inequality(
        "small d",
        "gain = W (s + u)^2 - r e > 0 and d W (s + u) < gain: W (s + u)(s - d + u) > r e",
        W * (s + u) ** 2 - d * W * (s + u) > r * e,
        [Eq(gain, W * (s + u) ** 2 - r * e), d * W * (s + u) < gain],
        for_any=[s],
    )
    proof.inequality(
        "q_(k-1) stays at most 1",
        "x = r w < 1 is q_(k-1), and r v what it becomes, for d < u with d r e <= (1 - x)(s + u) s",
        r * v <= 1,
        [
            Eq(x, r * w),
            x < 1,
            Eq((v - w) * (s + u) * (s - d + u), e * d),
            d * r * e <= (1 - x) * (s + u) * s,
            d > 0,
            d < u,
            r > 0,
            e > 0,
        ],
    )


def _sum(proof: Proof) -> None:
    proof.induction(
        "the sum",
        "S is the sum of q behind the ones so far, q the last of them: (1 - z) S + z q <= 1, so S "
        "<= 1/(1-z)",
        base=((1 - z) * S + z * q <= 1, [Eq(S, q), q <= 1, z < 1]),
        step=(
            (1 - z) * (S + y) + z * y <= 1,
            [(1 - z) * S + z * q <= 1, y <= z * q, y > 0, z < 1],
        ),
    )


def _sharp(proof: Proof) -> None:
    """D = n - 2 is the distance of the first medium record; r, s are s_1 and s_2."""
    powers = [25 * l <= 4, Eq(E * (1 - l), 1 + l / 5)]
    proof.inequality(
        "the regions",
        "M = {n-1, n}, S is empty: e^eps < e^i1(n-1) = (1 + 2 l)/(1 - 2 l/5); nearer records have "
        "larger i0",
        E * (1 - 2 * l / 5) < 1 + 2 * l,
        powers,
    )
    proof.inequality(
        "s_1",
        "(G - E C)/(E A - B) with 6 A, 6 B, 6 C, 6 G = 5 + l, 5 - 5 l, 1 - l, 1 + 5 l: just below "
        "2/5",
        And(r > sympy.Rational(2, 5) - l / 2, r < sympy.Rational(2, 5)),
        [*powers, Eq(r * (E * (5 + l) - (5 - 5 * l)), (1 + 5 * l) - E * (1 - l))],
    )
    _near_the_rate(proof)


def _near_the_rate(proof: Proof) -> None:
    proof.inequality(
        "the only optimum",
        "r f(t) + t exceeds r f(s) + s for every other t where r e = (s + u)^2; v, w are f(t), "
        "f(s)",
        r * v + t > r * w + s,
        [
            Eq(v * (t + u), c * (t + u) + e),
            Eq(w * (s + u), c * (s + u) + e),
            Eq(r * e, (s + u) ** 2),
            sympy.Ne(s, t),
            r > 0,
            u > 0,
            e > 0,
            c > 0,
        ],
    )
    proof.inequality(
        "the quotient",
        "x = q_1 = r (c + e/(s + u)) < 1, y = q_2 = s: y/x is above 1/2 - l",
        And(y >= (sympy.Rational(1, 2) - l) * x, x < 1, y < 1, y > 0),
        [
            25 * l <= 4,
            r > sympy.Rational(2, 5) - l / 2,
            r < sympy.Rational(2, 5),
            Eq(9 * c, 5),
            Eq(81 * e, 40),
            Eq(9 * u, 1),
            Eq(r * e, (s + u) ** 2),
            Eq(x * (s + u), r * (c * (s + u) + e)),
            Eq(y, s),
        ],
    )
