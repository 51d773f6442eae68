"""How to split a level between the two sides of p: when one side gets nothing, when both get half,
and when neither is best.

Letters: x, y are e^eps_l, e^eps_r with x y <= E = e^eps; e, h stand for e^i0, e^i1 at a distance; w
= b/(a+b). With p, r the likelier and the other probability of value 0 at distance 1, (1-a, b) for
lam > 0 and (b, 1-a) for lam < 0: e = p/r, h = (1-r)/(1-p), and one medium record at the end of the
chain releases w (x-1)/(x p - r) of itself at best (`redaction.two- records`).
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.ours.redaction.notation import FAMILY, SETTING
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

E, F, G, U, V, W, Z = sympy.symbols("E F G U V W Z")
a, b, d, e, f, g, h, k, p, q, r, s, t, u, v, w, x, y, z = sympy.symbols(
    "a b d e f g h k p q r s t u v w x y z"
)
EVERY = "all 0 < a <= b < 1 with a + b != 1"
NOTATION = SETTING | FAMILY


@claim(
    "redaction.split-far",
    where="Splitting the level",
    statement="a <= b, lam != 0, 1 < p < n, eps < i0(p-1) + i0(n-p), budgets eps_l, eps_r >= 0 "
    "with eps_l + eps_r <= eps: no 3R mechanism releases records on both sides, so that one of "
    "the two budgets can be lowered to 0 without any loss. For n = 2p-1 and i0(p-1) <= eps < 2 "
    "i0(p-1) every 3R mechanism with the equal split eps_l = eps_r = eps/2 releases nothing, "
    "some 3R mechanism with one budget 0 does: p in the middle does not make the equal split "
    "optimal.",
)
def split_far(check: Check) -> None:
    """Prove it from the least influence on each side."""
    one, middle = "one side only", "p in the middle"
    with check.reading(one, f"{EVERY}, every n and p") as argument:
        argument.cite(
            "a record outside L",
            "has i0 <= the budget of its side, and i0 is least at the end of the side",
            "massny2025.x-regions-intervals",
        )
        _one_side(argument)
    check.near_miss(f"{one}: eps = i0(p-1) + i0(n-p)", partial(_one_side, equal=True))
    with check.reading(middle, f"{EVERY}, every n = 2p-1 >= 3") as argument:
        argument.cite("a record outside L", "as above", "massny2025.x-regions-intervals")
        _one_side(argument)
        argument.inequality(
            "the equal split",
            "x^2 <= E < e^2: neither side reaches e",
            x < e,
            [x**2 <= E, E < e**2, x >= 1, e > 1],
        )
        argument.cite(
            "the value 0", "has the ratio e or 1/e at the last record", "massny2025.prop1-closed"
        )
        _releases(argument)
    check.near_miss(f"{middle}: below i0(p-1)", partial(_releases, less=True))


def _one_side(argument: Argument, equal: bool = False) -> None:
    argument.inequality(
        "not both",
        "e = e^i0(p-1), f = e^i0(n-p): both sides release something only if x >= e and y >= f",
        Or(x < e, y < f),
        [x * y <= E, E <= e * f if equal else E < e * f, x >= 1, y >= 1, e > 1, f > 1],
    )
    argument.inequality(
        "a zero budget",
        "the other side loses nothing if its budget x is lowered to 1",
        y * 1 <= E,
        [x * y <= E, x >= 1, y >= 1],
    )


def _releases(argument: Argument, less: bool = False) -> None:
    """p, r are the likelier and the other probability of value 0 at the last record, d the
    probability of showing it.
    """
    argument.cite(
        "i1(p-1) <= eps",
        "S is not empty: with q = 1 it alone is released, which leaks i1 of its first record, at "
        "most eps",
        "massny2025.x-dim-leakage",
    )
    argument.inequality(
        "a zero split",
        "E >= p/r = e: everything redacted but the last record, its value 0 shown with a small "
        "probability d > 0. Both outputs, 0 and *, keep E",
        And(d * p <= E * d * r, 1 - d * r <= E * (1 - d * p)),
        [
            *([] if less else [E * r >= p]),
            p > r,
            r > 0,
            p < 1,
            d > 0,
            d < 1,
            E > 1,
            d * E * p <= E - 1,
        ],
    )


@claim(
    "redaction.split-three",
    where="Splitting the level",
    statement="n = 3, p = 2, a <= b, lam != 0, eps > 0: the largest utility of 3R mechanisms over "
    "all budgets eps_l, eps_r >= 0 with eps_l + eps_r <= eps and all feasible q is attained, "
    "by all of eps for one side, by half of it for each, or by i1(1) for one side and the rest "
    "of eps for the other. Below 2 i0(1) all of eps for one side is best; from 2 i0(1) to "
    "below i1(1), and from 2 i1(1) on, half for each.",
    kind="closed form",
)
def split_three(check: Check) -> None:
    """Prove it region by region; the gain of one medium record is increasing and concave in its
    budget.
    """
    name = "as stated"
    with check.reading(name, f"{EVERY}, every eps > 0") as argument:
        argument.cite(
            "one record",
            "releases 0 below e, U = w (x-1)/(x p - r) from e to h, 1 from h on",
            "redaction.two-records",
        )
        _range(argument)
        _gain(argument)
        _concave(argument)
        _regions(argument)
        _ordered(argument)
    check.near_miss(f"{name}: 19/10 of the gain", partial(_concave, less=True))
    check.near_miss(f"{name}: equal from i1(1) on", partial(_ordered, early=True))


_RATES = [p > r, r > 0, p < 1, p + r >= 1]


def _range(argument: Argument) -> None:
    argument.inequality(
        "p and r",
        "p + r >= 1 for both signs of lam, as b >= a; so w <= 1 and e <= h",
        And(p + r >= 1, p > r, p < 1, r > 0, Or(p * (1 - p) <= r * (1 - r))),
        [Or(And(Eq(p, 1 - a), Eq(r, b)), And(Eq(p, b), Eq(r, 1 - a))), p > r, a > 0, a <= b, b < 1],
    )


def _gain(argument: Argument) -> None:
    argument.inequality(
        "increasing, at most 1",
        "U = w (x-1)/(x p - r), V the same at y >= x >= e = p/r",
        And(U <= V, V <= 1, U > 0),
        [
            Eq(U * (x * p - r), w * (x - 1)),
            Eq(V * (y * p - r), w * (y - 1)),
            x <= y,
            x * r >= p,
            y * (1 - p) <= 1 - r,
            w > 0,
            w <= 1,
            *_RATES,
        ],
    )
    argument.inequality(
        "more than half of w",
        "p + r < 2: U > w/2 already at e",
        2 * (x - 1) > x * p - r,
        [x * r >= p, x > 1, *_RATES],
    )


def _concave(argument: Argument, less: bool = False) -> None:
    """u, v, s are (x-1)/(x p - r) at x, y and z; g = x + y, f = x y = z^2, so that u + v = F/G
    with F, G linear in g.
    """
    above, below = 2 * (f * p + r) - g * (p + r), f * p**2 + r**2 - g * p * r
    argument.identity(
        "the sum of two gains",
        "is F/G",
        (x - 1) / (x * p - r) + (y - 1) / (y * p - r),
        above.subs({f: x * y, g: x + y}) / below.subs({f: x * y, g: x + y}),
    )
    argument.identity(
        "against g = 2 z",
        "the value at 2 z minus that at g, times both G",
        above.subs(g, 2 * z) * below - above * below.subs(g, 2 * z),
        (p - r) * (f * p**2 - r**2) * (g - 2 * z),
    )
    argument.inequality(
        "g",
        "a square is not negative",
        g >= 2 * z,
        [Eq(g, x + y), Eq(x * y, z**2), x > 0, y > 0, z > 0],
    )
    argument.inequality(
        "signs",
        "of the factors and of both G",
        And((p - r) * (f * p**2 - r**2) >= 0, (x * p - r) * (y * p - r) > 0, (z * p - r) ** 2 > 0),
        [Eq(f, z**2), x * p > r, y * p > r, z * p > r, *_RATES],
    )
    argument.inequality(
        "concave in the budget",
        "x y = z^2: both gains u + v = U/W together are at most twice that of z, V/Z; U, V are the "
        "F and W, Z the G",
        u + v <= (sympy.Rational(19, 10) if less else 2) * s,
        [Eq((u + v) * W, U), Eq(2 * s * Z, V), V * W - U * Z >= 0, W > 0, Z > 0],
    )


def _regions(argument: Argument) -> None:
    argument.inequality(
        "both in S",
        "x, y >= h: E >= h^2, and half to each side is enough for both",
        E >= h**2,
        [x >= h, y >= h, x * y <= E, h > 1],
    )
    argument.inequality(
        "one in S, one in M",
        "x >= h: the budget z = E/h of the other side is at least y",
        y <= z,
        [x >= h, x * y <= E, Eq(z * h, E), h > 1, y >= 1],
    )
    argument.inequality(
        "both in M",
        "z = e^(eps/2), t = sqrt(x y) <= z: half to each side gives at least as much; z >= e, and "
        "if z >= h both are in S",
        And(t <= z, t >= e),
        [Eq(t**2, x * y), x * y <= E, Eq(z**2, E), x >= e, y >= e, z > 0, t > 0, e > 1],
    )
    argument.inequality(
        "one in L", "all of eps to the other side: y <= E", y <= E, [x >= 1, x * y <= E, y >= 1]
    )


def _ordered(argument: Argument, early: bool = False) -> None:
    """Z is the value of the equal split, W that of another one of the three."""
    argument.inequality(
        "below 2 i0(1)",
        "E < e^2: not both sides reach e",
        Or(x < e, y < e),
        [x * y <= E, E < e**2, x >= 1, y >= 1, e > 1],
    )
    argument.inequality(
        "from 2 i0(1) on, below i1(1)",
        "E < h: no side reaches h. The equal split gives 2 U > w, a zero split w (E-1)/(E p - r) "
        "<= w",
        Z > W,
        [Eq(Z, 2 * U), 2 * U > w, W <= (1 if early else w), w > 0, w <= 1],
    )
    if not early:
        argument.inequality(
            "at most w",
            "W = w (x-1)/(x p - r) is what a zero split gives, x = E from e to h",
            W <= w,
            [Eq(W * (x * p - r), w * (x - 1)), x * r >= p, x * (1 - p) <= 1 - r, w > 0, *_RATES],
        )
    argument.inequality(
        "from 2 i1(1) on", "both records are released", 1 + 1 >= U + V, [U <= 1, V <= 1]
    )


@claim(
    "redaction.split-example",
    where="Splitting the level",
    statement="a = 1/4, b = 1/2, n = 3, p = 2, 3R with optimal q: at e^eps = 9/4 the equal split "
    "eps_l = eps_r = eps/2 is best, with 16/15 records against 1 with one budget 0; at e^eps = "
    "49/16, where the equal split still releases on both sides, giving i1(1) to one side is "
    "better, with more than 3/2 records against less than 5/4; at e^eps = 2 it is best to have "
    "one budget 0, with 1 record against 0 of the equal split.",
    kind="example",
)
def split_example(check: Check) -> None:
    """Prove it by the closed form with numbers."""
    name = "as stated"
    with check.reading(name, "one chain, three levels") as argument:
        argument.cite(
            "the candidates", "zero, equal, or i1(1) and the rest", "redaction.split-three"
        )
        argument.cite(
            "one record", "releases w (x-1)/(x p - r) with e <= x < h", "redaction.two-records"
        )
        _numbers(argument)
    check.near_miss(
        f"{name}: 13/10 records at 49/16", partial(_numbers, bound=sympy.Rational(13, 10))
    )


def _numbers(argument: Argument, bound: sympy.Rational | None = None) -> None:
    half, chain = (
        sympy.Rational(1, 2),
        [
            Eq(p, sympy.Rational(3, 4)),
            Eq(r, sympy.Rational(1, 2)),
            Eq(w * 3, 2),
            Eq(e * r, p),
            Eq(h * (1 - p), 1 - r),
        ],
    )
    gain = [Eq(U * (x * p - r), w * (x - 1)), Eq(V * (y * p - r), w * (y - 1))]
    argument.inequality(
        "9/4",
        "x = 3/2 to each side: both in M, as e = 3/2, h = 2; E < e h, so i1(1) to one side leaves "
        "less than e, and 1 record",
        And(Eq(2 * U, sympy.Rational(16, 15)), x >= e, x < h, E < e * h, E >= h),
        [Eq(E, sympy.Rational(9, 4)), Eq(x, 3 * half), Eq(V, U), Eq(y, x), *gain, *chain],
    )
    argument.inequality(
        "49/16",
        "x = 7/4 to each side; or h = 2 to one and y = 49/32 to the other, both above e",
        And(
            2 * U < sympy.Rational(5, 4) if bound is None else 2 * U > bound,
            1 + V > 3 * half,
            x >= e,
            x < h,
            y >= e,
            y < h,
        ),
        [Eq(E, sympy.Rational(49, 16)), Eq(x**2, E), x > 0, Eq(y * h, E), *gain, *chain],
    )
    argument.inequality(
        "2",
        "E = h releases one record, sqrt(2) < e none",
        And(E >= h, x < e),
        [Eq(E, 2), Eq(x**2, E), x > 0, *chain],
    )


@claim(
    "redaction.split-length",
    where="Splitting the level",
    statement="a = 1/4, b = 1/2, e^eps = 2, p in the middle, 3R with optimal q: for n = 3 all of "
    "eps for one side is best; for n = 5 it is not: it releases 2 records, the split e^eps_l = "
    "6/5, e^eps_r = 5/3 more than 2. Which split is best depends on n.",
    kind="example",
)
def split_length(check: Check) -> None:
    """Prove it from the regions at distances 1 and 2."""
    name = "as stated"
    with check.reading(name, "one chain, one level") as argument:
        argument.cite("n = 3", "a zero split, below 2 i0(1)", "redaction.split-three")
        argument.cite("powers", "f = a_2, g = b_2", "massny2025.prop1-power")
        argument.cite("one constraint", "of the output *1 on the right", "redaction.one-constraint")
        _five(argument)
    check.near_miss(f"{name}: e^eps_r = 6/5, too", partial(_five, small=True))


def _five(argument: Argument, small: bool = False) -> None:
    chain = [
        Eq(4 * a, 1),
        Eq(2 * b, 1),
        Eq(f, (1 - a) * a + a * (1 - b)),
        Eq(g, b * (1 - a) + (1 - b) * b),
    ]
    argument.inequality(
        "a zero split",
        "i1(1) <= eps: all of one side, and i0(2) > 0: nothing on the other",
        And(1 - b <= 2 * a, 1 - f > g),
        chain,
    )
    argument.inequality("its level", "2 < e^(2 i0(1))", 2 * b**2 < (1 - a) ** 2, chain)
    argument.inequality(
        "6/5 and 5/3",
        "x y = 2. Left: i1(2) = eps_l, record 1 is released and record 2 redacted. Right: record 4 "
        "in M, as i0(1) <= eps_r < i1(1), record 5 in S; q = 1/2 keeps y s >= t for *1, s, t its "
        "likelihoods",
        And(
            x * y <= 2,
            1 - g <= x * f,
            x * b < 1 - a,
            1 - a <= y * b,
            y * a < 1 - b,
            1 - g <= y * f,
            y * s >= t,
        ),
        [
            Eq(5 * x, 6),
            Eq(5 * y, 6) if small else Eq(3 * y, 5),
            Eq(2 * q, 1),
            Eq(s, (1 - a) * q * a + a * (1 - b)),
            Eq(t, b * q * a + (1 - b) ** 2),
            *chain,
        ],
    )
    argument.inequality(
        "more than 2", "1 + 1 + w (1 - q)", 2 + w * (1 - q) > 2, [Eq(2 * q, 1), w > 0]
    )
