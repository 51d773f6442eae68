"""Two coordinates of noise that decays exponentially, the second an affine function of the first,
as linked arguments: together they leak what the first does at a larger rate of decay.
"""

from typing import Any

from sympy import Abs, And, Eq, Max, Min, Or

from pufferproof.claims.language import at_least, letter, letters, other_than
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, POSITIVE, X, Y, Z
from pufferproof.claims.ours.noise.linked import mixed
from pufferproof.claims.ours.noise.linked.mixed import (
    A,
    B,
    D,
    N,
    a,
    d,
    gamma,
    m,
    o,
    p,
    phi,
    q,
    rho,
    v,
    w,
    x,
    xs,
)

r = letter("r", "the factor of coordinate l, which is h + r v", other_than(0), real=True)
h = letter("h", "the constant of coordinate l", real=True)
l = letter("l", "the rate of decay of coordinate l", at_least(0), real=True)
s = letter("s", "coordinate l of an output", real=True)
b = letter("bl", "the rate of decay of coordinate l in units of coordinate k", real=True)
z = letter("zl", "the value of coordinate k that belongs to s", real=True)
j = letter("ex", "the exponent of the noise at x and h + r x, about v", real=True)
J = letter("kx", "the density there, without its constant", real=True)
P, Q = letters("Nx Dx", "the likelihood of the output of x and h + r x, given s or s'", real=True)
e = letter("el", "the exponent of the noise of coordinate l", real=True)
E = letter("kl", "its density, without its constant", real=True)
g = letter("gk", "the exponent of the noise of coordinate k", real=True)
G = letter("kk", "its density, without its constant", real=True)
R, S = letters("R S", "the likelihood of w alone, given s or s'", real=True)


def _slopes(part: Any, place: Any) -> Any:
    """A part is at most (1 - slope / rho)/2, of the slope of the exponent behind a place."""
    whole = 2 * rho * part
    return And(
        whole <= rho + a + b,
        Or(place >= w, whole <= rho - a + b),
        Or(place >= z, whole <= rho + a - b),
        Or(place >= w, place >= z, whole <= rho - a - b),
    )


def _exponent(place: Any) -> Any:
    return -a * Abs(w - place) - b * Abs(z - place)


def _parallel() -> Linked:
    one = Linked(
        "two coordinates k and l, the second h + r times the first",
        {"i": "the outputs but the last, in ascending order", "j": "the values of F"},
        {
            **dict.fromkeys((p, q, v), "j"),
            d: "i",
            **dict.fromkeys((o, a, l, r, h, w, s, rho, m), ""),
        },
        near={
            rho: a + l * Abs(r),
            v: mixed.FIRST_OR_LAST,
            w: Min(xs, o + mixed.FAR * Max(0, l - a)),
            s: h + r * Max(o, Min(xs, o + mixed.FAR * r)),
            m: mixed.LARGEST,
        },
    )
    mixed.outputs(one)
    one.let(gamma, -a * Abs(w - v) - l * Abs(s - h - r * v))
    one.let(phi, exp(gamma))
    one.sum(A, "j", p * phi)
    one.sum(B, "j", q * phi)
    one.let(j, -a * Abs(x - v) - l * Abs(h + r * x - h - r * v))
    one.let(J, exp(j))
    one.sum(P, "j", p * J)
    one.sum(Q, "j", q * J)
    one.given("rates", Eq(rho, a + l * Abs(r)))
    mixed.hypotheses(one)
    return one


def _in_units(one: Linked) -> None:
    """Put the rate and the output of coordinate l in units of coordinate k."""
    one.let(b, l * Abs(r))
    one.let(z, (s - h) / r)
    one.step("no faster", Eq(rho, a + b), "rates", "let bl")
    one.step("bl >= 0", b >= 0, "let bl")
    same = Eq(gamma, -a * Abs(w - v) - b * Abs(z - v))
    one.step("in units of k", same, "let gamma", "let bl", "let zl")
    rise = mixed.b
    rises = And(
        rise <= (a + b) * d,
        Or(x < w, rise <= (b - a) * d),
        Or(x < z, rise <= (a - b) * d),
        Or(x < w, x < z, rise <= -(a + b) * d),
    )
    mixed.mixed(one, _exponent, _slopes, rises, "in units of k", ("bl >= 0",))


def _reached() -> Linked:
    one, zero = _parallel(), mixed.zero
    _in_units(one)
    one.by("both at x", ADDS, {X: j, Y: mixed.e, Z: zero})
    one.step("exponent of both", Eq(j, mixed.e), "let ex", "let e", "rates")
    uses = "both at x", "exponent of both", "let zero", "O"
    one.step("density of both", Eq(J, mixed.k), *uses)
    one.along("of both", "j", And(Eq(P, N), Eq(Q, D)), "density of both")
    return one.conclude("both", And(A <= m * B, Eq(P, N), Eq(Q, D)), "A", "of both")


PARALLEL = _reached()
"""At every output, both are within what the first is alone at a rate of a + l |r|; and where they
belong to one value, they are as likely.
"""


def _constant() -> Linked:
    one = Linked(
        "two coordinates k and l, the second constant",
        {"j": "the values of F"},
        {p: "j", q: "j", v: "j", a: "", l: "", h: "", w: "", s: ""},
    )
    one.let(gamma, -a * Abs(w - v) - l * Abs(s - h))
    one.let(phi, exp(gamma))
    one.sum(A, "j", p * phi)
    one.sum(B, "j", q * phi)
    one.let(g, -a * Abs(w - v))
    one.let(G, exp(g))
    one.let(e, -l * Abs(s - h))
    one.let(E, exp(e))
    one.sum(R, "j", p * G)
    one.sum(S, "j", q * G)
    one.by("a factor", ADDS, {X: gamma, Y: g, Z: e}, "let gamma", "let gk", "let el")
    one.by("above 0", POSITIVE, {X: e})
    one.along("all values", "j", And(Eq(A, E * R), Eq(B, E * S)), "a factor")
    both = And(Eq(A, E * R), Eq(B, E * S), E > 0)
    return one.conclude("the same ratio", both, "all values", "above 0")


CONSTANT = _constant()
"""A constant coordinate multiplies all likelihoods of an output by one number above 0."""
