"""The two sides of a record of a chain as linked arguments: they are independent given its value,
and their influences add up.
"""

from sympy import Eq

from pufferproof.claims.language import at_least, letter
from pufferproof.claims.language.linked import Linked

p = letter("p", "a factor of this path: P(X_1 = x_1), or a step up to X_t = v", at_least(0))
q = letter("q", "a factor of this path: a step from X_t = v on", at_least(0))
c = letter("c", "1 if this path has X_L = x, else 0", real=True)
d = letter("d", "1 if this path has X_R = y, else 0", real=True)
f = letter("f", "the weight of the path up to X_t = v", real=True)
g = letter("g", "the weight of the path from X_t = v on", real=True)
W = letter("W", "the probability of the whole path", real=True)
F = letter("F", "all paths up to X_t = v", real=True)
A = letter("A", "those with X_L = x", real=True)
G = letter("G", "all paths from X_t = v on", real=True)
B = letter("B", "those with X_R = y", real=True)
U = letter("U", "the probability of this path up to X_t = v", real=True)
S = letter("S", "that of this path and X_R = y", real=True)
V = letter("V", "P(X_t=v)", real=True)
L = letter("L", "P(X_L=x, X_t=v)", real=True)
R = letter("R", "P(X_t=v, X_R=y)", real=True)
J = letter("J", "P(X_L=x, X_t=v, X_R=y)", real=True)


def _markov() -> Linked:
    one = Linked(
        "both sides of a record of a chain",
        {
            "i": "the paths up to X_t = v",
            "j": "the paths from X_t = v on",
            "s": "the factors of a path up to X_t = v",
            "r": "the steps of a path from X_t = v on, or a factor 1 if t is the last record",
        },
        {p: "i s", q: "j r", c: "i", d: "j"},
    )
    one.product(f, "s", p)
    one.product(g, "r", q)
    one.chain(W, "r", f, W * q)
    one.sum(U, "j", W)
    one.sum(S, "j", d * W)
    one.sum(V, "i", U)
    one.sum(L, "i", c * U)
    one.sum(R, "i", S)
    one.sum(J, "i", c * S)
    one.sum(F, "i", f)
    one.sum(A, "i", c * f)
    one.sum(G, "j", g)
    one.sum(B, "j", d * g)
    one.along("a path", "r", Eq(W, f * g))
    one.along("one beginning", "j", Eq(U, f * G), "a path")
    one.along("one beginning and y", "j", Eq(S, f * B), "a path")
    one.along("v", "i", Eq(V, F * G), "one beginning")
    one.along("x and v", "i", Eq(L, A * G), "one beginning")
    one.along("v and y", "i", Eq(R, F * B), "one beginning and y")
    one.along("x, v and y", "i", Eq(J, A * B), "one beginning and y")
    uses = "v", "x and v", "v and y", "x, v and y"
    return one.conclude("independent", Eq(J * V, L * R), *uses)


MARKOV = _markov()
"""Given X_t = v, what the records before it show is independent of what those after it show."""
