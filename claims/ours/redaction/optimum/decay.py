"""How fast the best q of a side falls away from p: geometrically, at a rate that depends on the
chain alone.

Letters as in `optimum_shape`: r, s are s_(k-1) and s_k, W is w_(k+1), w and v are w_k = c + e/(s_k
+ u) before and after s_k is lowered by d; x, y are q_(k-1) and q_k. With c = b/(1-a), u = a/(1-a),
e = lam/(1-a)^2: g = sqrt(c u), h = sqrt(c u + e), z the rate. Source of the family: massny2025,
section IV.
"""

from functools import partial

import sympy
from sympy import And, Eq

from pufferproof.claims.ours.redaction.notation import FAMILY, NUMBERED, SETTING
from pufferproof.claims.ours.redaction.optimum.shape import MEDIUM
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

S, T, V, W = sympy.symbols("S T V W")
a, b, c, d, e, f, g, h, k, q, r, s, t, u, v, w, x, y, z = sympy.symbols(
    "a b c d e f g h k q r s t u v w x y z"
)
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
)
def exact_decay(check: Check) -> None:
    """Prove that two neighbours that fall more slowly can be exchanged for a smaller sum."""
    name = "as stated"
    with check.reading(name, MEDIUM) as argument:
        argument.cite(
            "coordinates",
            "one constraint, on s_1; q_(k-1) = s_(k-1) w_k, q_k = s_k w_(k+1), w_k = c + e/(s_k + "
            "u)",
            "redaction.exact-shape",
        )
        _rate(argument)
        _largest(argument)
        _exchange(argument)
        _sum(argument)
    check.near_miss(f"{name}: 9/10 of this rate", partial(_largest, smaller=True))
    check.near_miss(f"{name}: falling at the rate already", partial(_exchange, equal=True))
    sharp = "a = 1/10, b = 1/2, quotients near z = 1/2"
    with check.reading(sharp, "p = 1, every n >= 4, e^eps = e^i0(n-2)") as argument:
        argument.cite(
            "closed forms",
            "with l = lam^(n-2) = (2/5)^(n-2): e^i0 = (1 + l/5)/(1 - l)",
            "massny2025.prop1-closed",
        )
        argument.cite(
            "coordinates",
            "q_1 = s_1 w_2, q_2 = s_2, as w_3 = 1 at the end",
            "redaction.exact-shape",
        )
        _sharp(argument)
    check.near_miss(f"{sharp}: above 1/2", partial(_sharp, above=True))


def _rate(argument: Argument) -> None:
    argument.inequality(
        "the rate",
        "f, t = sqrt(ab), sqrt((1-a)(1-b)) are (1-a) g and (1-a) h: z = e/(g + h)^2 = (h - g)/(h + "
        "g) = (t - f)/(t + f) < 1",
        And(Eq(z * (h + g), h - g), Eq(z * (t + f), t - f), z > 0, z < 1),
        [
            Eq(c * (1 - a), b),
            Eq(u * (1 - a), a),
            Eq(g**2, c * u),
            Eq(h**2, c * u + e),
            Eq(z * (g + h) ** 2, e),
            Eq(f, (1 - a) * g),
            Eq(t, (1 - a) * h),
            g > 0,
            h > 0,
            e > 0,
            a > 0,
            b > 0,
            a < 1,
        ],
    )
    argument.inequality(
        "its roots",
        "f^2 = ab and t^2 = (1-a)(1-b), as e = lam/(1-a)^2",
        And(Eq(f**2, a * b), Eq(t**2, (1 - a) * (1 - b))),
        [
            Eq(c * (1 - a), b),
            Eq(u * (1 - a), a),
            Eq(e * (1 - a) ** 2, 1 - a - b),
            Eq(g**2, c * u),
            Eq(h**2, c * u + e),
            Eq(f, (1 - a) * g),
            Eq(t, (1 - a) * h),
            a > 0,
            b > 0,
            a + b < 1,
        ],
    )


def _largest(argument: Argument, smaller: bool = False) -> None:
    argument.identity(
        "a square",
        "c ((c s + h^2)(s + u) - s (g + h)^2) with c u = g^2",
        (c * s + h**2) * (c * s + g**2) - c * s * (g + h) ** 2,
        (c * s - g * h) ** 2,
    )
    argument.inequality(
        "-s f'(s)/f(s) <= z",
        "f(s) = c + e/(s + u): e s <= z (c (s + u) + e)(s + u)",
        e * s <= (sympy.Rational(9, 10) if smaller else 1) * z * (c * s + h**2) * (s + u),
        [
            Eq(g**2, c * u),
            Eq(h**2, c * u + e),
            Eq(z * (g + h) ** 2, e),
            Eq(c * V, (c * s - g * h) ** 2),
            Eq(V, (c * s + h**2) * (s + u) - s * (g + h) ** 2),
            V >= 0,
            c > 0,
            u > 0,
            e > 0,
            s > 0,
            g > 0,
            h > 0,
            z > 0,
        ],
    )


def _exchange(argument: Argument, equal: bool = False) -> None:
    """T = (c (s + u) + e), so that w (s + u) = T; S = W (s + u)^2 - r e is the gain of the
    first order.
    """
    argument.inequality(
        "first order",
        "if q_k = s W > z r w = z q_(k-1) then W (s + u)^2 > r e",
        W * (s + u) ** 2 > r * e,
        [
            Eq(w * (s + u), T),
            s * W >= z * r * w if equal else s * W > z * r * w,
            e * s <= z * T * (s + u),
            r > 0,
            s > 0,
            u > 0,
            e > 0,
            W > 0,
            w > 0,
            z > 0,
            T > 0,
        ],
    )
    argument.inequality(
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
            s > 0,
            u > 0,
            e > 0,
            W > 0,
        ],
    )
    argument.inequality(
        "small d",
        "S = W (s + u)^2 - r e > 0 and d W (s + u) < S: W (s + u)(s - d + u) > r e",
        W * (s + u) ** 2 - d * W * (s + u) > r * e,
        [Eq(S, W * (s + u) ** 2 - r * e), d * W * (s + u) < S],
    )
    argument.inequality(
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
            s > 0,
            r > 0,
            e > 0,
        ],
    )


def _sum(argument: Argument) -> None:
    argument.induction(
        "the sum",
        "S is the sum of q behind the ones so far, q the last of them: (1 - z) S + z q <= 1, so S "
        "<= 1/(1-z)",
        base=((1 - z) * S + z * q <= 1, [Eq(S, q), q <= 1, q > 0, z > 0, z < 1]),
        step=(
            (1 - z) * (S + y) + z * y <= 1,
            [(1 - z) * S + z * q <= 1, y <= z * q, y > 0, q > 0, z > 0, z < 1],
        ),
    )


def _sharp(argument: Argument, above: bool = False) -> None:
    """l is lam^D, D = n - 2 the distance of the first medium record, E = e^i0(D); r, s are s_1
    and s_2.
    """
    l, E = sympy.symbols("l E")
    powers = [l > 0, 25 * l <= 4, Eq(E * (1 - l), 1 + l / 5)]
    argument.inequality(
        "the regions",
        "M = {n-1, n}, S is empty: e^eps < e^i1(n-1) = (1 + 2 l)/(1 - 2 l/5); nearer records have "
        "larger i0",
        E * (1 - 2 * l / 5) < 1 + 2 * l,
        powers,
    )
    argument.inequality(
        "s_1",
        "(G - E C)/(E A - B) with 6 A, 6 B, 6 C, 6 G = 5 + l, 5 - 5 l, 1 - l, 1 + 5 l: just below "
        "2/5",
        And(r > sympy.Rational(2, 5) - l / 2, r < sympy.Rational(2, 5)),
        [*powers, Eq(r * (E * (5 + l) - (5 - 5 * l)), (1 + 5 * l) - E * (1 - l))],
    )
    argument.inequality(
        "the only optimum",
        "r f(t) + t exceeds r f(s) + s for every other t where r e = (s + u)^2; v, w are f(t), "
        "f(s)",
        r * v + t > r * w + s,
        [
            Eq(v * (t + u), c * (t + u) + e),
            Eq(w * (s + u), c * (s + u) + e),
            Eq(r * e, (s + u) ** 2),
            sympy.Ne(s, t),
            s > 0,
            t > 0,
            r > 0,
            u > 0,
            e > 0,
            c > 0,
        ],
    )
    argument.inequality(
        "the quotient",
        "x = q_1 = r (c + e/(s + u)) < 1, y = q_2 = s: y/x is above 1/2 - l",
        And(y >= (sympy.Rational(1, 2) + (0 if above else -l)) * x, x < 1, y < 1, y > 0),
        [
            l > 0,
            25 * l <= 4,
            r > sympy.Rational(2, 5) - l / 2,
            r < sympy.Rational(2, 5),
            Eq(9 * c, 5),
            Eq(81 * e, 40),
            Eq(9 * u, 1),
            Eq(r * e, (s + u) ** 2),
            s > 0,
            Eq(x * (s + u), r * (c * (s + u) + e)),
            Eq(y, s),
        ],
    )
