"""Noise whose density decays exponentially, and likelihoods that decay no faster: a bound of ratios
at outputs of the first, in ascending order and all values among them, bounds those of the second.

With f the second likelihood about a number, e^g at an output x and e^g1 at the next one, x + d, and
k the density at the rate rho, f is at the values a sum of k about the outputs, with weights that
are not negative: sums of lam = (f - t f1)/(1 - t^2) and of -t lam, t = e^(-rho d).
"""

from collections.abc import Callable
from typing import Any

from sympy import Abs, And, Eq, Max, Min, Not, Or, S

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, POSITIVE, TANGENT, X, Y, Z

p = letter(
    "p",
    "the probability of a value given s, times the likelihoods of the other coordinates",
    at_least(0),
    real=True,
)
q = letter("q", "the same given s'", at_least(0), real=True)
v = letter("v", "this coordinate of a value of F", real=True)
o = letter("o", "the first output", real=True)
d = letter("d", "how far the next output is", above(0), real=True)
rho = letter("rho", "the rate of decay", above(0), real=True)
a = letter("a", "a rate of decay", at_least(0), real=True)
w = letter("w", "this coordinate of an output", real=True)
m = letter("m", "a bound of the ratios", real=True)

x = letter("x", "an output", real=True)
xs = letter("X", "the last output", real=True)
e0, e, e1, E = letters("e0 e e1 E", "the exponent of the noise at an output, about v", real=True)
k0, k, k1, K = letters("k0 k k1 K", "the density there, without its constant", real=True)
N0, N, N1, NX = letters("N0 N N1 NX", "the likelihood of an output given s", real=True)
D0, D, D1, DX = letters("D0 D D1 DX", "the likelihood of an output given s'", real=True)
g0, g, g1, G = letters(
    "g0 g g1 G", "the exponent of the second likelihood, about an output", real=True
)
f0, f, f1, F = letters("f0 f f1 F", "e to this exponent", real=True)
gamma = letter("gamma", "the exponent of the noise at w, about v", real=True)
phi = letter("phi", "the density at w, without its constant", real=True)
A, B = letters("A B", "the likelihood of w, given s or s'", real=True)

tau, ups = letters("tau ups", "the exponent of the noise at a distance", real=True)
t = letter("t", "the density at the distance of two outputs", real=True)
u = letter("u", "its square", real=True)
y, z, yi, zi = letters("y z yi zi", "an exponent between two outputs", real=True)
H, I, Hi, Ii = letters("H I Hi Ii", "e to an exponent between two outputs", real=True)
b, c = letters("b c", "what g rises by, or falls", real=True)
L, M = letters("L M", "f1 by f, or f by f1", real=True)
up = letter("up", "the exponent of 1 by u", real=True)
U = letter("U", "1 by u", real=True)
zero = letter("zero", "the exponent 0", real=True)
one_ = letter("O", "e to the exponent 0", real=True)
theta = letter("theta", "the part of f that has to do with later outputs", real=True)
before = letter("T", "the same of the gap before", real=True)
thetas = letter("TX", "the same at the end", real=True)
lam = letter("lam", "(f - t f1)/(1 - u)", real=True)
kaps = letter("kaps", "t lam of the last gap", real=True)
T = letter("W", "f at v, but for the last output", real=True)
C, R, Q, V = letters("C R Q V", "a sum of products, in one order or another", real=True)

FAR = 30  # mostly beyond the last output
FIRST_OR_LAST = Min(xs, o + FAR * Min(p, q))
LARGEST = Max(N / D, NX / DX)
Slopes = Callable[[Any, Any], Any]


def outputs(one: Linked) -> None:
    """Outputs in ascending order, the density and likelihoods at each, and hypotheses."""
    one.chain(xs, "i", o, xs + d)
    one.before(x, xs)
    for place, exponent, density, left, right in (
        (o, e0, k0, N0, D0),
        (x, e, k, N, D),
        (x + d, e1, k1, N1, D1),
        (xs, E, K, NX, DX),
    ):
        one.let(exponent, -rho * Abs(place - v))
        one.let(density, exp(exponent))
        one.sum(left, "j", p * density)
        one.sum(right, "j", q * density)


def hypotheses(one: Linked) -> None:
    one.given("values are outputs", Or(v <= x, v >= x + d))
    one.given("none below", v >= o)
    one.given("none above", v <= xs)
    one.given("at outputs", N <= m * D)
    one.given("at the last output", NX <= m * DX)


def second(one: Linked, exponent: Callable[[Any], Any]) -> None:
    """The second likelihood about an output, as a function of the output."""
    for place, here, density in ((o, g0, f0), (x, g, f), (x + d, g1, f1), (xs, G, F)):
        one.let(here, exponent(place))
        one.let(density, exp(here))
    one.moving(
        xs,
        x,
        {
            E: (e0, e, e1),
            K: (k0, k, k1),
            NX: (N0, N, N1),
            DX: (D0, D, D1),
            G: (g0, g, g1),
            F: (f0, f, f1),
        },
    )


def _gaps(one: Linked) -> None:
    """What two neighbouring outputs are to each other."""
    one.let(tau, -rho * d)
    one.let(ups, 2 * tau)
    one.let(up, -ups)
    one.let(b, g1 - g)
    one.let(c, -b)
    one.let(y, tau + b)
    one.let(z, tau + c)
    one.let(yi, -y)
    one.let(zi, -z)
    one.let(zero, S.Zero)
    for power, exponent in (
        (t, tau),
        (u, ups),
        (U, up),
        (L, b),
        (M, c),
        (H, y),
        (I, z),
        (Hi, yi),
        (Ii, zi),
        (one_, zero),
    ):
        one.let(power, exp(exponent))
    one.by("u", ADDS, {X: ups, Y: tau, Z: tau}, "let ups")
    one.by("1 by u", ADDS, {X: zero, Y: ups, Z: up})
    one.by("e^0", ADDS, {X: zero, Y: zero, Z: zero}, "let zero")
    one.by("O > 0", POSITIVE, {X: zero})
    one.step("O", Eq(one_, 1), "e^0", "O > 0")
    one.by("U", TANGENT, {X: up})
    uses: tuple[str, ...] = "U", "1 by u", "O", "let zero", "let up", "let ups", "let tau"
    one.step("u < 1", u < 1, *uses)
    one.let(lam, (f - t * f1) / (1 - u), "u < 1")
    one.let(theta, (rho * d - b) / (2 * rho * d))


def _means(one: Linked, signs: tuple[str, ...]) -> None:
    """The inequality of means, with the weights theta and 1 - theta."""
    one.by("u by y and z", ADDS, {X: ups, Y: y, Z: z})
    one.by("1 by y", ADDS, {X: zero, Y: y, Z: yi})
    one.by("1 by z", ADDS, {X: zero, Y: z, Z: zi})
    for name, exponent in (("y", y), ("z", z), ("-y", yi), ("-z", zi)):
        one.by(f"above {name}", TANGENT, {X: exponent})
    one.by("H > 0", POSITIVE, {X: y})
    one.by("I > 0", POSITIVE, {X: z})
    lets = "let ups", "let tau", "let y", "let z", "let b", "let c", "let theta"
    one.step("y", And(Eq(y, theta * ups), Eq(z, (1 - theta) * ups)), *lets[:4], *lets[5:])
    one.step(
        "theta",
        And(theta >= 0, theta <= 1),
        "let theta",
        "let b",
        "let g",
        "let g1",
        "no faster",
        *signs,
    )
    both = "y", "theta", "u by y and z", "O", "let zero"
    uses: tuple[str, ...] = "1 by y", "above z", "above -y", "let yi", "H > 0"
    one.step("mean y", H <= 1 - theta + theta * u, *both, *uses)
    uses = "1 by z", "above y", "above -z", "let zi", "I > 0"
    one.step("mean z", I <= theta + (1 - theta) * u, *both, *uses)


def _weights(one: Linked) -> None:
    """How large lam is, and t lam."""
    one.by("f > 0", POSITIVE, {X: g})
    one.by("f1 > 0", POSITIVE, {X: g1})
    one.by("f1 by f", ADDS, {X: g1, Y: g, Z: b}, "let b")
    one.by("f by f1", ADDS, {X: g, Y: g1, Z: c}, "let b", "let c")
    one.by("H", ADDS, {X: y, Y: tau, Z: b}, "let y")
    one.by("I", ADDS, {X: z, Y: tau, Z: c}, "let z")
    uses: tuple[str, ...] = "let lam", "u < 1", "u"
    one.step("lam", lam >= f * theta, "mean y", "f1 by f", "H", "f > 0", "let lam", "u < 1")
    one.step("t lam", t * lam <= f1 * theta, "mean z", "f by f1", "I", "f1 > 0", *uses)


def _one_value(one: Linked, gammas: str) -> None:
    """At a value v, f is the sum over outputs, up to what is left at the last one."""
    one.by("v behind", ADDS, {X: e, Y: tau, Z: e1})
    one.by("v before", ADDS, {X: e1, Y: tau, Z: e})
    sides = Or(And(v >= x + d, Eq(e, tau + e1)), And(v <= x, Eq(e1, tau + e)))
    one.step("exponents", sides, "values are outputs", "let e", "let e1", "let tau")
    term = lam * (k - t * k1)
    gap = Or(And(v >= x + d, Eq(term, 0)), And(v <= x, Eq(term, f * k - f1 * k1)))
    uses: tuple[str, ...] = "exponents", "v behind", "v before", "let lam", "u", "u < 1"
    one.step("one gap", gap, *uses)
    for place, there, output, density, name in (
        (e, g, x, f * k, "x"),
        (E, G, xs, F * K, "the end"),
    ):
        one.by(f"no distance at {name}", ADDS, {X: place, Y: zero, Z: zero})
        one.by(f"same at {name}", ADDS, {X: there, Y: gamma, Z: zero})
        uses = f"no distance at {name}", f"same at {name}", f"let {place}", f"let {there}"
        at = Or(Not(Eq(v, output)), Eq(density, phi))
        one.step(f"v at {name}", at, *uses, gammas, "let zero", "O")
    one.sum(T, "i", term)
    so_far = Or(And(v >= xs, Eq(T, 0)), And(v <= xs, Eq(T, phi - F * K)))
    one.along("so far", "i", so_far, "one gap", "v at x", "none below")
    one.step("one value", Eq(phi, T + F * K), "so far", "v at the end", "none above")


def _all_values(one: Linked) -> None:
    """The difference of A and m B as a sum over outputs."""
    term = (p - m * q) * lam * (k - t * k1)
    one.sum(R, "i", term)
    one.sum(C, "j", R)
    one.sum(Q, "j", term)
    one.sum(V, "i", Q)
    one.swap("either order", C, V)
    one.along("all gaps", "i", Eq(R, (p - m * q) * T))
    one.along("all values", "j", Eq(A - m * B, C + F * (NX - m * DX)), "one value", "all gaps")
    at = Eq(Q, lam * (N - m * D - t * (N1 - m * D1)))
    one.along("at one gap", "j", at)


def mixed(
    one: Linked,
    exponent: Callable[[Any], Any],
    slopes: Slopes,
    rises: Any,
    gammas: str = "let gamma",
    signs: tuple[str, ...] = (),
) -> None:
    """Show that A <= m B. The exponent is that of the second likelihood about a number; `slopes`
    says that a part is at most (1 - slope / rho)/2, of the slope of the exponent behind a number,
    and `rises` that up to the next output the exponent rises by no more than this slope.
    """
    second(one, exponent)
    _gaps(one)
    _means(one, signs)
    _weights(one)
    _one_value(one, gammas)
    _all_values(one)
    one.chain(thetas, "i", S.Zero, theta)
    one.before(before, thetas)
    one.chain(kaps, "i", S.Zero, t * lam)
    own = "let b", "let g", "let g1", *signs
    one.step("slope behind", slopes(theta, x + d), "let theta", *own)
    one.step("rises", rises, *own)
    falls = Or(Not(slopes(before, x)), before <= theta)
    one.step("slopes fall", falls, "let theta", "rises")
    far = And(slopes(thetas, xs), kaps <= F * thetas, V + kaps * (NX - m * DX) <= 0)
    uses: tuple[str, ...] = (
        "slope behind",
        "slopes fall",
        "lam",
        "t lam",
        "f > 0",
        "at one gap",
        "at outputs",
        "no faster",
        *signs,
    )
    one.along("all outputs", "i", far, *uses)
    one.by("F > 0", POSITIVE, {X: G})
    uses = "all outputs", "F > 0", "either order", "all values", "at the last output", "no faster"
    one.step("A", A - m * B <= 0, *uses)


def _monotone() -> Linked:
    one = Linked(
        "noise of a larger scale",
        {"i": "the outputs but the last, in ascending order", "j": "the values of F"},
        {p: "j", q: "j", v: "j", o: "", d: "i", rho: "", a: "", m: "", w: ""},
        near={v: FIRST_OR_LAST, w: Min(xs, o + FAR * Max(0, a - rho / 2)), m: LARGEST},
    )
    outputs(one)
    one.let(gamma, -a * Abs(w - v))
    one.let(phi, exp(gamma))
    one.sum(A, "j", p * phi)
    one.sum(B, "j", q * phi)
    one.given("no faster", a <= rho)
    hypotheses(one)

    def slopes(part: Any, place: Any) -> Any:
        return And(2 * rho * part <= rho + a, Or(place >= w, 2 * rho * part <= rho - a))

    rises = And(b <= a * d, Or(x < w, b <= -a * d))
    mixed(one, lambda place: -a * Abs(w - place), slopes, rises)
    return one.conclude("the output w", A <= m * B, "A")


MONOTONE = _monotone()
"""A bound of ratios at outputs, all values among them, bounds them everywhere at a smaller rate of
decay, which is a larger scale, or a larger ratio of geometric noise.
"""
