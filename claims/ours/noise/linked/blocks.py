"""What outputs of blocks of a Markov chain show, as linked arguments: sums of few vectors stay sums
of as many through one block more, and bounds at these vectors are bounds at every output.
"""

from sympy import Eq

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked import Linked

M = letter("M", "P(w, X_last = y|X_first = x), for the output w of a block", real=True)
S = letter("S", "P(X_first = x|the record before it is z)", real=True)
a = letter("a", "the weight of k in what later blocks show", at_least(0), real=True)
b = letter("b", "the weight of h in what earlier blocks show", at_least(0), real=True)
r = letter("r", "the vector k of K", real=True)
l = letter("l", "the vector h of the left", real=True)
v = letter("v", "the likelihood of the outputs of later blocks, given X_last = y", real=True)
u = letter("u", "the likelihood of the outputs of earlier blocks and of X_first = x", real=True)
f = letter("f", "what x adds", real=True)
F = letter("F", "the likelihood of w and the outputs of later blocks, given z", real=True)
B = letter("B", "the matrix times the vector k", real=True)
G = letter("G", "the vector M r, moved by the step before the block", real=True)
T = letter("T", "the sum of these vectors, with the weights a", real=True)

K = letter("K", "P(w, X_last = y, X_i = s|X_first = x)", real=True)
L = letter("L", "P(w, X_last = y, X_i = s'|X_first = x)", real=True)
s = letter("s", "P(X_i = s)", above(0), real=True)
t = letter("t", "P(X_i = s')", above(0), real=True)
m = letter("m", "a bound of ratios", real=True)
n, d = letters("n d", "what x adds to the likelihood, with s or s'", real=True)
N, D = letters("N D", "the likelihood of all outputs and s, or s'", real=True)
P, Q = letters("P Q", "the likelihood of all outputs, given s or s'", real=True)
i, j = letters("i j", "what x adds at the vectors h and k, with s or s'", real=True)
I, J = letters("I J", "the likelihood of w with the vectors h and k, and s or s'", real=True)
U, V = letters("U V", "the likelihood of w with the vectors h and k, given s or s'", real=True)
c = letter("c", "t K - m s L", real=True)
e = letter("e", "t N - m s D", real=True)
g = letter("g", "t I - m s J", real=True)
o = letter("o", "the sum of l A over x", real=True)
A = letter("A", "the matrix times v", real=True)
C, E, H, O, R, W, X, Y, Z, p, q = letters(
    "C E H O R W X Y Z p q", "a sum in one order or another", real=True
)


def _sums_of(one: Linked, matrix: Letter) -> None:
    """The matrix times v is the sum of a times the matrix times r."""
    one.sum(A, "y", matrix * v)
    one.sum(C, "k", a * matrix * r)
    one.sum(E, "y", C)
    one.sum(O, "y", a * matrix * r)
    one.sum(R, "k", O)
    one.along("v at y", "k", Eq(C, matrix * v))
    one.along("all y", "y", Eq(E, A), "v at y")
    one.along("one vector", "y", Eq(O, a * B))
    one.swap("either order", E, R)


def _more() -> Linked:
    one = Linked(
        "an output of one block more",
        {
            "z": "the values of the record before the block",
            "x": "the values of X_first",
            "y": "the values of X_last",
            "k": "the vectors of K",
        },
        {S: "z x", M: "x y", a: "k", r: "k y"},
    )
    one.sum(v, "k", a * r)
    one.sum(f, "y", S * M * v)
    one.sum(F, "x", f)
    one.sum(B, "y", M * r)
    one.sum(G, "x", S * B)
    one.sum(T, "k", a * G)
    return one


def _one_more() -> Linked:
    one = _more()
    _sums_of(one, M)
    one.sum(H, "k", S * O)
    one.sum(W, "x", H)
    one.sum(X, "x", S * O)
    one.sum(Y, "k", X)
    one.along("x", "y", Eq(f, S * A))
    one.along("sum at x", "k", Eq(H, S * R))
    one.step("of x", Eq(f, H), "x", "all y", "either order", "sum at x")
    one.along("all x", "x", Eq(F, W), "of x")
    one.swap("vectors first", W, Y)
    one.along("moved", "x", Eq(X, a * G), "one vector")
    one.along("all vectors", "k", Eq(Y, T), "moved")
    return one.conclude("a sum of vectors", Eq(F, T), "all x", "vectors first", "all vectors")


MORE = _one_more()
"""What an output and later ones show is a sum of the vectors M r that are moved by a step, with the
weights of what later ones show.
"""


def _within() -> Linked:
    one = Linked(
        "a record of a block",
        {
            "x": "the values of X_first",
            "y": "the values of X_last",
            "h": "the vectors of the left",
            "k": "the vectors of the right",
        },
        {b: "h", l: "h x", a: "k", r: "k y", L: "x y", s: "", t: "", m: "", K: "x y"},
        near={K: m * L * s / t},
    )
    one.sum(u, "h", b * l)
    one.sum(v, "k", a * r)
    for total, part, matrix in ((N, n, K), (D, d, L)):
        one.sum(part, "y", u * matrix * v)
        one.sum(total, "x", part)
    for total, part, matrix in ((I, i, K), (J, j, L)):
        one.sum(part, "y", l * matrix * r)
        one.sum(total, "x", part)
    for given, total, mass in ((P, N, s), (Q, D, t), (U, I, s), (V, J, t)):
        one.let(given, total / mass)
    one.given("at the vectors", U <= m * V)
    return one


def _record() -> Linked:
    one = _within()
    one.let(c, K * t - m * L * s)
    one.sum(B, "y", c * r)
    _sums_of(one, c)
    one.sum(e, "x", u * A)
    one.sum(g, "x", l * B)
    one.sum(o, "x", l * A)
    one.sum(H, "h", b * l * A)
    one.sum(W, "x", H)
    one.sum(X, "x", b * l * A)
    one.sum(Y, "h", X)
    one.sum(Z, "k", l * O)
    one.sum(f, "x", Z)
    one.sum(p, "x", l * O)
    one.sum(q, "k", p)
    one.along("x", "y", Eq(n * t - m * d * s, u * A), "let c")
    one.along("all outputs", "x", Eq(N * t - m * D * s, e), "x")
    one.along("x, at vectors", "y", Eq(i * t - m * j * s, l * B), "let c")
    one.along("at vectors", "x", Eq(I * t - m * J * s, g), "x, at vectors")
    uses = "at the vectors", "at vectors", "let U", "let V"
    one.step("below 0", g <= 0, *uses)
    one.along("right at x", "k", Eq(Z, l * R))
    one.step("right", Eq(Z, l * A), "right at x", "either order", "all y")
    one.along("right, all x", "x", Eq(f, o), "right")
    one.swap("right, vectors first", f, q)
    one.along("right, one vector", "x", Eq(p, a * g), "one vector")
    one.step("right below 0", p <= 0, "right, one vector", "below 0")
    one.along("right, all vectors", "k", q <= 0, "right below 0")
    one.along("left at x", "h", Eq(H, u * A))
    one.along("left, all x", "x", Eq(W, e), "left at x")
    one.swap("left, vectors first", W, Y)
    one.along("left, one vector", "x", Eq(X, b * o))
    uses = "left, one vector", "right, all x", "right, vectors first", "right, all vectors"
    one.step("left below 0", X <= 0, *uses)
    one.along("left, all vectors", "h", Y <= 0, "left below 0")
    uses = "all outputs", "left, all x", "left, vectors first", "left, all vectors"
    return one.conclude("the outputs", P <= m * Q, *uses, "let P", "let Q")


RECORD = _record()
"""A bound of ratios at the vectors of both sides is one at all outputs."""
