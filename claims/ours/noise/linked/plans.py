"""What couplings of the laws of a query say about noise on it, as linked arguments: deltas are
averages, and Laplace noise is within the mean of what its mass moves.
"""

from typing import Any

from sympy import Abs, Eq, Or

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import GROWS, POSITIVE, X, Y, Z

g = letter("g", "the mass that the coupling moves from v to u", at_least(0), real=True)
v = letter("v", "this value of F given s", real=True)
u = letter("u", "this value of F given s'", real=True)
w = letter("w", "an output", real=True)
b = letter("b", "the scale of the noise", above(0), real=True)
r = letter("r", "a bound", real=True)
x = letter("x", "the exponent of the noise about v", real=True)
y = letter("y", "the exponent of the noise about u", real=True)
z = letter("z", "how far mass moves, by the scale", real=True)
k = letter("k", "the density of the noise about v, without its constant", real=True)
h = letter("h", "the density of the noise about u, without its constant", real=True)
e = letter("e", "e to how far mass moves, by the scale", real=True)
p = letter("p", "the probability of v given s", real=True)
q = letter("q", "the probability of u given s'", real=True)
m = letter("m", "the sum of g e over the masses that come to u", real=True)
N, D = letters("N D", "the likelihood of the output given s, or s'", real=True)
S, T = letters("S T", "a sum over the masses that come to one value", real=True)
A, B = letters("A B", "a sum over the coupling", real=True)
t = letter("t", "a level", real=True)
R = letter("R", "e to the level", real=True)

E = letter("E", "a sum over the masses that come from one value", real=True)
F = letter("F", "a sum over the coupling, in the other order", real=True)


def _coupling(about: str, more: dict[Any, str], near: dict[Any, Any]) -> Linked:
    """A coupling, Laplace noise at an output, and its likelihoods."""
    one = Linked(
        about,
        {"i": "the values of F given s", "j": "the values of F given s'"},
        {g: "i j", v: "i", u: "j", w: "", b: "", **more},
        near={v: u, **near},
    )
    one.let(x, -Abs(w - v) / b)
    one.let(y, -Abs(w - u) / b)
    one.let(k, exp(x))
    one.let(h, exp(y))
    one.sum(p, "j", g)
    one.sum(q, "i", g)
    one.sum(N, "i", p * k)
    one.sum(D, "j", q * h)
    return one


def _mean() -> Linked:
    one = _coupling("a mean of what mass moves", {r: ""}, {})
    one.let(z, Abs(v - u) / b)
    one.let(e, exp(z))
    one.sum(m, "i", g * e)
    one.given("the mean", m <= r * q)
    one.sum(S, "j", g * k)
    one.sum(A, "i", S)
    one.sum(T, "i", g * k)
    one.sum(B, "j", T)
    one.by("exp grows", GROWS, {X: x, Y: y, Z: z})
    one.by("h > 0", POSITIVE, {X: y})
    one.step("exponents", x <= y + z, "let x", "let y", "let z")
    one.step("one mass", g * k <= g * e * h, "exponents", "exp grows")
    one.along("that come to u", "i", T <= m * h, "one mass")
    one.step("their mean", T <= r * q * h, "that come to u", "the mean", "h > 0")
    one.along("all values", "j", B <= r * D, "their mean")
    one.along("from v", "j", Eq(S, p * k))
    one.along("given s", "i", Eq(A, N), "from v")
    one.swap("in either order", A, B)
    return one.conclude("the level", N <= r * D, "all values", "given s", "in either order")


MEAN = _mean()
"""If the mean of e^(|v - u|/b) over the masses that come to u is at most r, for every u, then the
likelihoods of every output are within r.
"""


def _farthest() -> Linked:
    one = _coupling("the farthest that mass moves", {t: ""}, {t: Abs(v - u) / b})
    one.let(R, exp(t))
    one.given("the farthest", Or(Eq(g, 0), Abs(v - u) <= b * t))
    one.sum(S, "j", g * k)
    one.sum(A, "i", S)
    one.sum(T, "i", g * h)
    one.sum(B, "j", T)
    one.sum(E, "j", g * h)
    one.sum(F, "i", E)
    one.by("exp grows", GROWS, {X: x, Y: y, Z: t})
    one.step("exponents", Or(Eq(g, 0), x <= y + t), "the farthest", "let x", "let y")
    one.step("one mass", g * k <= R * g * h, "exponents", "exp grows")
    one.along("one value", "j", S <= R * E, "one mass")
    one.along("all values", "i", A <= R * F, "one value")
    one.along("from v", "j", Eq(S, p * k))
    one.along("given s", "i", Eq(A, N), "from v")
    one.along("to u", "i", Eq(T, q * h))
    one.along("given s'", "j", Eq(B, D), "to u")
    one.swap("in either order", F, B)
    uses = "all values", "given s", "given s'", "in either order"
    return one.conclude("the level", N <= R * D, *uses)


FARTHEST = _farthest()
"""If no mass moves farther than b t, the likelihoods of every output are within e^t."""
