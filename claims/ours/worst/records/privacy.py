"""Differential privacy alone, and on top of Pufferfish: families closed under powers, rays of the
cube, and finite leakage.

Per-record differential privacy bounds u_x <= S u_y for databases that differ in one record, metric
privacy u_x <= R^d(x, y) u_y. For real exponents the letters a, c, r are logarithms of positive
entries and levels.
"""

from fractions import Fraction

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.priors.laws import Records, Table
from pufferproof.verify.proof.argument import Argument

R, S, M, N, L, m, n, a, c, r, s, d, t, u, v, w, x, y = sympy.symbols(
    "R S M N L m n a c r s d t u v w x y"
)


@claim(
    "worst.power-closed",
    where="With differential privacy on top: power-closed families",
    statement="For the columns u_x <= R^d(x, y) u_y (d on some pairs: per-record or group "
    "differential privacy, metric privacy), and for NfC columns u_D <= R prod_l u_l^beta_Dl, "
    "the largest joint ratio of mechanisms of levels R_1 .. R_K is the largest <mu, u>/<nu, u> "
    "over the family of level R_1 .. R_K: it depends on the product only.",
    assumes=[
        "no further constraint: not Pufferfish on top; d > 0 and symmetric",
        "for NfC some R_k > 1: at level 1 vectors of the family, such as 0 at D and 1 at l, need "
        "not be columns",
    ],
)
def power_closed(check: Check) -> None:
    """Prove that products and fractional powers stay in the families, and that their columns
    occur.
    """
    name = "metric privacy"
    with check.reading(name, "all finite sizes, any number of releases, real levels") as argument:
        _metric(argument)
        _shares(argument)
        _occurs_metric(argument)
    check.near_miss(
        f"{name}: sums instead of products", lambda argument: _metric(argument, sums=True)
    )
    check.near_miss(f"{name}: shares that exceed 1", lambda argument: _shares(argument, extra=True))
    name = "NfC"
    with check.reading(
        name, "all finite sizes, any number of releases, real levels and weights"
    ) as argument:
        _nfc(argument)
        _shares(argument, some=True)
        _occurs_nfc(argument)
    check.near_miss(f"{name}: a level left out", lambda argument: _nfc(argument, dropped=True))
    check.near_miss(f"{name}: all levels 1", lambda argument: _occurs_nfc(argument, flat=True))


def _metric(argument: Argument, sums: bool = False) -> None:
    b, e, q = sympy.symbols("b e q")
    argument.induction(
        "products",
        "a and c are log u_x and log u_y for the product so far, of level r = log R: a - c <= d r; "
        "b, e for the next, level q",
        base=(b - e <= d * q, [b - e <= d * q, d > 0, q >= 0]),
        step=(
            (a + b) - (c + e) <= d * (r if sums else r + q),
            [a - c <= d * r, b - e <= d * q, d > 0, r >= 0, q >= 0],
        ),
    )
    argument.inequality(
        "powers",
        "u^t, t >= 0, has level t r: t a - t c <= d t r",
        t * a - t * c <= d * t * r,
        [a - c <= d * r, t >= 0, d > 0, r >= 0],
    )
    argument.inequality(
        "entries that are 0",
        "u_x <= R^d u_y = 0 forces u_x = 0: zeros have zeros as neighbours in every factor, and "
        "0^t = 0 for t > 0; for t = 0 the constant column 1 is taken",
        Eq(u, 0),
        [u <= m * v, Eq(v, 0), u >= 0, m >= 1],
    )


def _shares(argument: Argument, extra: bool = False, some: bool = False) -> None:
    T = sympy.Symbol("T")
    argument.induction(
        "shares of the level",
        "r = log(R_1 .. R_K) > 0 and t_k = log(R_k)/r: T, the sum of the first t_k, is s/r with s "
        "the sum of their logarithms; so it is 1 at the end, and the product of the u^t_k, of "
        "levels R_k, is u",
        base=(Eq(t * r, d), [Eq(t * r, d), r > 0, d >= 0]),
        step=(
            Eq((T + t) * r, s + d + (1 if extra else 0)),
            [Eq(T * r, s), Eq(t * r, d), r > 0, d >= 0],
        ),
    )
    argument.inequality(
        "R_k = 1 among others",
        "has the share 0 and the constant column 1",
        Eq(t, 0),
        [Eq(t * r, d), Eq(d, 0), r > 0],
    )
    if some:
        return
    argument.inequality(
        "no level at all",
        "If r = 0 all R_k are 1: u and constant columns have the product u",
        Eq(u * v, u),
        [Eq(v, 1), u >= 0],
    )


def _occurs_metric(argument: Argument) -> None:
    argument.inequality(
        "columns occur, R > 1",
        "m = R^d > 1: 1 - t u keeps the level for small t > 0, as in the cone of Pufferfish "
        "columns",
        1 - t * u <= m * (1 - t * v),
        [t * m * v <= m - 1, t > 0, u >= 0, v >= 0, m > 1],
    )
    argument.inequality(
        "columns occur, R = 1",
        "Both orders make u_x = u_y, and the same for 1 - t u",
        (1 - t * u <= 1 - t * v) & (1 - t * v <= 1 - t * u),
        [u <= v, v <= u, t > 0],
    )


def _nfc(argument: Argument, dropped: bool = False) -> None:
    b, e, q, g, B, C, G = sympy.symbols("b e q g B C G")
    argument.induction(
        "products",
        "a <= r + c with a = log u_D and c = sum_l beta_l log u_l for the product so far; b <= q + "
        "e for the next",
        base=(b <= q + e, [b <= q + e, q >= 0]),
        step=(
            a + b <= (r if dropped else r + q) + (c + e),
            [a <= r + c, b <= q + e, q >= 0, r >= 0],
        ),
    )
    argument.inequality(
        "powers", "t a <= t r + t c", t * a <= t * r + t * c, [a <= r + c, t >= 0, r >= 0]
    )
    argument.induction(
        "the mean of powers and of products",
        "sum_l beta_l (g_l + h_l) = sum beta g + sum beta h: G, C, B the sums so far of beta (g + "
        "e), beta g, beta e",
        base=(Eq(b * (g + e), b * g + b * e), [b >= 0]),
        step=(Eq(G + b * (g + e), (C + b * g) + (B + b * e)), [Eq(G, C + B), b >= 0]),
    )


def _occurs_nfc(argument: Argument, flat: bool = False) -> None:
    G = sympy.Symbol("G")
    argument.inequality(
        "columns occur, R > 1",
        "v is the largest u_l, and t v <= 1 - 1/R: the 1 - t u_l are at least 1 - t v >= 1/R, so "
        "their geometric mean G is at least 1 - t v too: 1 - t u_D <= 1 <= R G",
        1 - t * u <= R * G,
        [
            G >= 1 - t * v,
            t > 0,
            u >= 0,
            v >= 0,
            t * v <= 1,
            *([R >= 1] if flat else [t * v * R <= R - 1, R > 1]),
        ],
    )
    argument.cite(
        "means of constants",
        "geometric means are homogeneous and superadditive, so monotone",
        "bai2026.x-cone",
    )
    argument.inequality(
        "entries that are 0",
        "u_l = 0 with beta_l > 0 makes the mean G 0 and forces u_D = 0, in products and in powers "
        "with t > 0 too",
        Eq(u, 0),
        [u <= R * G, Eq(G, 0), u >= 0, R >= 1],
    )


@claim(
    "worst.dp-rays-colourings",
    where="With differential privacy on top: rays",
    statement="For R > 1 the extreme rays of {u : u_x <= R u_y for databases of {0,1}^n that "
    "differ in one bit} are u = R^f with integer f and |f(x) - f(y)| = 1 for neighbours; there "
    "are as many as proper 3-colourings of the cube divided by 3.",
    assumes=["n >= 1; at R = 1 the constant vector is the only ray"],
)
def dp_rays(check: Check) -> None:
    """Prove that tight edges connect the cube, that parity makes all of them tight, and that
    colourings lift.
    """
    name = "the rays"
    with check.reading(name, "every n, every R > 1") as argument:
        _tight_edges(argument)
        _parity(argument)
    check.near_miss(f"{name}: R = 1", lambda argument: _tight_edges(argument, flat=True))
    check.near_miss(
        f"{name}: differences of half an integer", lambda argument: _parity(argument, even=True)
    )
    name = "the number"
    with check.reading(name, "every n") as argument:
        _lift(argument)
    check.near_miss(f"{name}: four colours", lambda argument: _square(argument, colours=4))


def _tight_edges(argument: Argument, flat: bool = False) -> None:
    level = R >= 1 if flat else R > 1
    argument.inequality(
        "one direction can be tight",
        "u_x = R u_y and u_y = R u_x with R > 1 would make both 0; a column with a 0 is 0 "
        "everywhere, as neighbours are",
        sympy.Not(Eq(u, R * v) & Eq(v, R * u)),
        [u > 0, v > 0, level],
    )
    argument.inequality(
        "connected tight edges: extreme",
        "If u = v + w in the cone and an edge is tight at u it is at v and w: values along a path "
        "of tight edges fix v up to scale",
        Eq(v - R * m, 0) & Eq(w - R * n, 0),
        [Eq((v + w) - R * (m + n), 0), v <= R * m, w <= R * n, R > 1],
    )
    argument.inequality(
        "otherwise not extreme",
        "If the tight edges leave a set A and its complement unconnected, multiply u on A by 1 + t "
        "and by 1 - t: edges inside stay as they are, those between are slack, R v - u = m > 0, "
        "and stay so for small t; u is half the sum of two others",
        (u * (1 + t) <= R * v)
        & (u <= R * v * (1 + t))
        & (u * (1 - t) <= R * v)
        & (u <= R * v * (1 - t)),
        [Eq(R * v - u, m), m > 0, t > 0, t * u <= m, t * R * v <= m, u > 0, v > 0, R > 1],
    )


def _parity(argument: Argument, even: bool = False) -> None:
    k = sympy.Symbol("k")
    argument.induction(
        "f is an integer with the parity of the number of ones",
        "Along tight edges f changes by s = 1 or -1 and the number of ones by t = 1 or -1: their "
        "difference m, even so far (m = 2 k), changes by 0 or 2 in size",
        base=(Eq(m, 2 * k), [Eq(m, 0), Eq(k, 0)]),
        step=(
            sympy.Or(Eq(m + s - t, 2 * k), Eq(m + s - t, 2 * (k + 1)), Eq(m + s - t, 2 * (k - 1))),
            [Eq(m, 2 * k), Eq(s**2, 1), Eq(t**2, 1)],
        ),
    )
    argument.inequality(
        "every edge is tight",
        "Neighbours differ by one in the number of ones, so d = f(x) - f(y) = 2 k + 1 for an "
        "integer k (k >= 0 or k <= -1), and |d| <= 1",
        Eq(d**2, 1),
        [Eq(d, 2 * k if even else 2 * k + 1), d <= 1, d >= -1, sympy.Or(k >= 0, k <= -1)],
    )


def _lift(argument: Argument) -> None:
    e, f, g, h = sympy.symbols("e f g h")
    _square(argument)
    argument.induction(
        "from the n-cube to the (n + 1)-cube",
        "A colouring is a set of steps s = 1, -1 mod 3 along edges, and f adds them up. On both "
        "halves it lifts, to f and g; shift g so that it fits at one x: then it does at each "
        "neighbour y, where h = f(y), e = g(y), as steps around the square sum to 0; so "
        "everywhere, the half being connected. Base: one edge",
        base=(Eq(g, f + s), [Eq(g - f, s)]),
        step=(Eq(e, h + t), [Eq(g, f + s), Eq(h, f + u), Eq(e, g + w), Eq(u + t - w - s, 0)]),
    )
    argument.inequality(
        "three colourings for each f up to constants",
        "f is determined up to a constant; adding c changes the colouring by c mod 3, and u = R^f "
        "by a factor: colourings with colour 0 at 0..0 are the rays with f = 0 there; conversely "
        "steps of 1 change the colour",
        sympy.Ne(x, y),
        [Eq(x, y + s), Eq(s**2, 1)],
    )


def _square(argument: Argument, colours: int = 3) -> None:
    steps = (s, t, u, w)
    k = sympy.Symbol("k")
    argument.inequality(
        "steps around a square sum to 0",
        "s + t - u - w is a multiple of 3, of size at most 4, and even: k = -1, 0 or 1",
        Eq(s + t - u - w, 0),
        [*(Eq(step**2, 1) for step in steps), Eq(s + t - u - w, colours * k), Eq(k**3, k)],
    )


@claim(
    "worst.budgets-add-with-dp",
    where="With differential privacy on top: Pufferfish and DP together",
    statement="Mechanisms that are epsilon_k-Pufferfish and have per-record differential privacy "
    "compose linearly: the joint release is (sum epsilon_k)-Pufferfish.",
    repair="worst.pufferfish-and-dp",
)
def budgets_add(check: Check) -> None:
    """Refute it by one record of three values, at epsilon = 0 and per-record level log 2."""
    with check.reading("as stated", "one counterexample") as argument:
        _do_not_add(argument)


def one_record() -> tuple[Framework, Channel]:
    """Return one record with values 0, 1, 2, secrets {0} and {1, 2}, and a zero-leakage
    mechanism of per-record level 2.
    """
    prior = Table({"0": Fraction(1, 2), "1": Fraction(1, 4), "2": Fraction(1, 4)})
    framework = Framework.of_records(
        Records(1, ("0", "1", "2")), {"s": ["0"], "t": ["1", "2"]}, [("s", "t")], {"theta": prior}
    )
    rows: dict[str, list[Fraction]] = {
        label: [Fraction(k, 6), Fraction(6 - k, 6)] for label, k in (("0", 3), ("1", 2), ("2", 4))
    }
    return framework, Channel.of(rows, ["u", "v"])


def _do_not_add(argument: Argument) -> None:
    framework, channel = one_record()
    joint = channel.beside(channel)

    def law(mechanism: Channel, output: str) -> tuple[Fraction, Fraction]:
        entries = [mechanism.probability(label, output) for label in "012"]
        return entries[0], (entries[1] + entries[2]) / 2

    def violated() -> bool:
        single = all(
            law(channel, output)[0] == law(channel, output)[1] for output in channel.outputs
        )
        entries = [
            [channel.probability(label, output) for label in "012"] for output in channel.outputs
        ]
        private = all(p <= 2 * q for column in entries for p in column for q in column)
        return (
            single
            and private
            and any(p != q for p, q in (law(joint, output) for output in joint.outputs))
        )

    argument.counterexample(
        "two releases of level 0",
        "Each has level 0 and per-record level log 2; together they have level log(9/8): (u, v) "
        "has 3 x 3 = 9 against 8, the mean of 2 x 4 and 4 x 2. For disjoint secrets three "
        "databases are the fewest, as with one for each levels add",
        {
            "framework": framework,
            "mechanism": joint,
            "epsilon": "log(1)",
            "each mechanism": channel,
            "S": Fraction(2),
        },
        violated,
    )


@claim(
    "worst.pufferfish-and-dp",
    where="With differential privacy on top: Pufferfish and DP together",
    statement="On a product space of n records, mechanisms that are epsilon-Pufferfish and have "
    "per-record level log S have columns in a polyhedral cone with u_x <= S^n u_y for all x, "
    "y: L*_K is attained at extreme rays and finite for every K.",
)
def pufferfish_and_dp(check: Check) -> None:
    """Prove the implied inequalities along a path of records; the rest is as without
    differential privacy.
    """
    name = "as stated"
    with check.reading(name, "all finite sizes, any number of releases") as argument:
        _path(argument)
        argument.cite(
            "finite",
            "inequalities u_x <= kappa u_y bound joint leakage for every K",
            "worst.finite-equivalences",
        )
        argument.cite(
            "attained",
            "the proof uses only that the cone is polyhedral and that columns occur",
            "worst.vertices",
        )
        _occurs(argument)
    check.near_miss(
        f"{name}: u_x <= S u_y for all x, y", lambda argument: _path(argument, short=True)
    )


def _path(argument: Argument, short: bool = False) -> None:
    P = sympy.Symbol("P")
    argument.induction(
        "one record at a time",
        "P = S^k, u_x <= P v for the database with k records replaced by those of y; the next one "
        "has the entry w with v <= S w",
        base=(u <= P * v, [Eq(P, S), u <= S * v, S >= 1]),
        step=(u <= (P if short else P * S) * w, [u <= P * v, v <= S * w, P >= 1, S >= 1, w >= 0]),
    )


def _occurs(argument: Argument) -> None:
    argument.inequality(
        "columns occur",
        "For S > 1 a small multiple leaves room in u_x <= S u_y too; for S = 1 both orders are "
        "equations. If R = 1 < S, both orders of the secrets are equations, which t u and 1 - t u "
        "satisfy",
        1 - t * u <= S * (1 - t * v),
        [t * S * v <= S - 1, t > 0, u >= 0, v >= 0, S > 1],
    )
