"""Single mechanisms whose columns satisfy NfC, and what their joint releases leak, as linked
arguments. A column is e^r where it is not 0; the geometric mean is e to the mean of the logarithms.
"""

from typing import Any

from sympy import Eq, Ge, Or

from pufferproof.claims.language import above, at_least, at_most, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.lemmas import ADDS, GROWS, POSITIVE, TANGENT, X, Y, Z

u = letter("u", "the column of release k at x", at_least(0), real=True)
v = letter("v", "the same column at y", at_least(0), real=True)
r = letter("r", "the logarithm of u where u is not 0", real=True)
s = letter("s", "the logarithm of v where v is not 0", real=True)
rho = letter("rho", "the level of a release", real=True)
b = letter("b", "a weight", at_least(0), real=True)
mu = letter("mu", "the probability of x given s", at_least(0), real=True)
nu = letter("nu", "the probability of y given s'", above(0), real=True)

T = letter("T", "the sum of these weights", real=True)
t = letter("t", "1 by this sum", real=True)
beta = letter("beta", "the weight of y for x, where those of one x sum to 1", real=True)
E = letter("E", "u where it is not 0", real=True)
F = letter("F", "v where it is not 0", real=True)
R = letter("R", "e to the level of a release", real=True)
P = letter("P", "the product of e to the levels", real=True)
m = letter("m", "the logarithm of the geometric mean of the column", real=True)
U = letter("U", "the joint column at x", real=True)
V = letter("V", "the joint column at y", real=True)
N = letter("N", "the likelihood of the joint output given s", real=True)
D = letter("D", "the likelihood of the joint output given s'", real=True)
M = letter("M", "mu beta at y", real=True)
q = letter("q", "mu beta by nu at y", real=True)
c = letter("c", "the constant", real=True)

kappa = letter("kappa", "the likelihood of a new output given w", at_least(0), real=True)
NN, DD = letters("NN DD", "the likelihood of the new output, given s or s'", real=True)

theta = letter("theta", "the probability of s'", above(0), at_most(1), real=True)
p = letter("p", "the prior probability of y", real=True)
low = letter("low", "the least prior probability of these databases", real=True)
l = letter("l", "the least nu", real=True)
total = letter("total", "the sum of mu", real=True)
whole = letter("whole", "the sum of nu", real=True)
rest = letter("rest", "what of nu is not of mu beta", real=True)

g, h = letters("g h", "a joint column where it is not 0", real=True)
S = letter("S", "the sum of the levels", real=True)
Q = letter("Q", "e to the sum of the levels", real=True)
a, e = letters("a e", "the logarithm of a joint column where it is not 0", real=True)
G, H = letters("G H", "e to the logarithm of a joint column", real=True)
W = letter("W", "the logarithm of the geometric mean of the joint column", real=True)
J = letter("J", "the geometric mean of the joint column", real=True)
d = letter("d", "how far a logarithm is above their mean", real=True)
O = letter("O", "e to this", real=True)
A = letter("A", "what y adds to the mean of the logarithms", real=True)
B = letter("B", "the mean of the logarithms, in the other order", real=True)
L = letter("L", "the sum of the weights beta", real=True)
f = letter("f", "the mean of the joint column where it is not 0", real=True)
n = letter("n", "the mean of the joint column", real=True)
C = letter("C", "what x adds", real=True)
K = letter("K", "what y adds", real=True)
I, I2 = letters("I I2", "the sum over both databases", real=True)


def _columns(one: Linked) -> None:
    """Columns at their levels, weights, and the joint column."""
    one.sum(T, "y", b)
    one.given("weights", T > 0)
    one.let(t, 1 / T)
    one.let(beta, b * t)
    one.let(E, exp(r))
    one.let(F, exp(s))
    one.let(R, exp(rho))
    one.sum(m, "y", beta * s)
    one.given("logarithms at x", Or(Eq(u, 0), Eq(u, E)))
    one.given("logarithms at y", Or(Eq(v, 0), Eq(v, F)))
    one.given("levels", Or(Eq(u, 0), r <= rho + m))
    one.given("supports", Or(Eq(u, 0), Eq(b, 0), v > 0))
    one.product(U, "k", u)
    one.product(V, "k", v)
    one.product(P, "k", R)
    one.sum(N, "x", mu * U)
    one.sum(D, "y", nu * V)
    one.sum(M, "x", mu * beta)


def _means(one: Linked) -> None:
    """The joint column at x is at most P times the mean of it by the weights of x."""
    _logarithms(one)
    _joint(one)
    _inequality(one)


def _logarithms(one: Linked) -> None:
    """Logarithms of joint columns and of their geometric means."""
    one.product(g, "k", E)
    one.product(h, "k", F)
    one.sum(S, "k", rho)
    one.let(Q, exp(S))
    one.sum(a, "k", r)
    one.sum(e, "k", s)
    one.let(G, exp(a))
    one.let(H, exp(e))
    one.sum(W, "k", m)
    one.let(J, exp(W))
    one.let(d, e - W)
    one.let(O, exp(d))
    one.sum(A, "k", beta * s)
    one.sum(B, "y", A)
    one.sum(L, "y", beta)
    one.sum(f, "y", beta * H)
    one.sum(n, "y", beta * V)


def _joint(one: Linked) -> None:
    """What the joint column satisfies, as each does."""
    one.exponentials("joint column at x", G, g)
    one.exponentials("joint column at y", H, h)
    one.exponentials("levels add", Q, P)
    one.along("0, or e to a sum", "k", Or(Eq(U, 0), Eq(U, g)), "logarithms at x")
    one.along("joint level", "k", Or(Eq(U, 0), a <= S + W), "levels")
    support = Or(Eq(U, 0), Eq(b, 0), Eq(V, h))
    one.along("joint support", "k", support, "supports", "logarithms at y")
    one.along("V >= 0", "k", V >= 0)
    one.step("beta >= 0", beta >= 0, "let beta", "let t", "weights")
    one.along("weights add", "y", Eq(L, t * T), "let beta")
    one.step("to 1", Eq(L, 1), "weights add", "let t", "weights")
    one.along("y in the mean", "k", Eq(A, beta * e))
    one.swap("mean of logarithms", W, B)


def _inequality(one: Linked) -> None:
    """The geometric mean of the joint column is at most its mean."""
    one.by("tangent", TANGENT, {X: d})
    one.by("e^d", ADDS, {X: e, Y: W, Z: d})
    one.by("J > 0", POSITIVE, {X: W})
    one.by("Q > 0", POSITIVE, {X: S})
    one.by("e grows", GROWS, {X: a, Y: S, Z: W})
    uses: tuple[str, ...] = "tangent", "e^d", "let d", "J > 0", "beta >= 0", "y in the mean"
    one.step("at y", Ge(beta * H, J * (beta + A - beta * W)), *uses)
    one.along("at all y", "y", Ge(f, J * (L + B - L * W)), "at y")
    one.step("means", J <= f, "at all y", "to 1", "mean of logarithms")
    uses = "joint support", "joint column at y", "let beta"
    one.step("0 or h", Or(Eq(U, 0), Eq(beta * H, beta * V)), *uses)
    one.along("columns", "y", Or(Eq(U, 0), Eq(f, n)), "0 or h")
    one.along("n >= 0", "y", n >= 0, "beta >= 0", "V >= 0")
    uses = "0, or e to a sum", "joint column at x", "joint level", "e grows", "levels add", "Q > 0"
    one.step("one x", U <= P * n, *uses, "means", "columns", "n >= 0")


def _averaged(one: Linked) -> None:
    """N is at most P times the sum of mu beta V."""
    one.sum(C, "y", mu * beta * V)
    one.sum(I, "x", C)
    one.sum(K, "x", mu * beta * V)
    one.sum(I2, "y", K)
    one.along("at x", "y", Eq(C, mu * n))
    one.along("all x", "x", N <= P * I, "one x", "at x")
    one.swap("either order", I, I2)
    one.along("mu beta", "x", Eq(K, M * V))


WEIGHTED = {"weights": "weights that are all 0 have no sum to divide by"}


def _begun(about: str, its: str = "", more: dict[Any, str] | None = None) -> Linked:
    """Columns, one for each release, or one for each joint output too."""
    indices = {"k": "the releases", "x": "the databases of s", "y": "the databases of s'"}
    if its:
        indices = {its: "the joint outputs", **indices}
    letters_ = {u: f"{its} k x", v: f"{its} k y", r: f"{its} k x", s: f"{its} k y"}
    one = Linked(
        about,
        indices,
        {**letters_, b: "x y", mu: "x", nu: "y", **(more or {rho: "k"})},
        near={rho: r - m, u: E, v: F, **({nu: M} if its else {})},
        spare=WEIGHTED,
    )
    _columns(one)
    return one


def _constant() -> Linked:
    one = _begun("joint releases of mechanisms that satisfy NfC")
    one.let(q, M / nu)
    one.largest(c, "y", q)
    _means(one)
    _averaged(one)
    one.term("constant", c)
    one.step("times nu", M <= c * nu, "constant", "let q")
    one.along("all y", "y", I2 <= c * D, "mu beta", "times nu", "V >= 0")
    uses: tuple[str, ...] = "all x", "either order", "all y", "levels add", "Q > 0"
    return one.conclude("the ratio", N <= P * c * D, *uses)


CONSTANT = _constant()
"""Joint ratios are at most the product of the levels times the largest (mu beta)_y/nu_y."""
