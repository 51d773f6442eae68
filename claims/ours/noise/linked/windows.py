"""What a window of records bounds, as linked arguments: the likelihood of an output is a sum over
the records right before and after the window, and over what the records inside and outside add.
"""

from sympy import Eq, Max

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

a = letter("a", "P(these ends, F = n|X_i = v)", at_least(0), real=True)
b = letter("b", "P(these ends, F = n|X_i = v')", at_least(0), real=True)
c = letter("c", "P(R = r|these ends)", at_least(0), real=True)
p = letter(
    "p", "P(these ends, F = n, R = r|X_i = v), R being independent given the ends", real=True
)
q = letter(
    "q", "P(these ends, F = n, R = r|X_i = v'), R being independent given the ends", real=True
)
k = letter("k", "the density of the noise at the output less n + r", at_least(0), real=True)
m = letter("m", "a bound of ratios", real=True)
N, D = letters("N D", "the likelihood of the output less r and of these ends", real=True)
S, T = letters("S T", "the likelihood of the output, of these ends and of R = r", real=True)
U, V = letters("U V", "the likelihood of the output and of these ends", real=True)
f, g = letters("f g", "the likelihood of the output given v, or v'", real=True)


K = letter("K", "a ratio", at_least(0), real=True)
h = letter("h", "the density of the noise at w less n + r", at_least(0), real=True)
I = letter("I", "the sum of the positive parts of G over all outputs, moved or not", real=True)
o = letter("o", "the weight of R = r given the ends", at_least(0), real=True)
O = letter("O", "the weight of these ends", real=True)
t = letter("t", "1 by the weight of these ends", real=True)
L = letter("L", "P(R = any value|these ends)", real=True)
C = letter("C", "P(R = r|these ends)", real=True)
P = letter(
    "P", "P(these ends, F = n, R = r|X_i = v), R being independent given the ends", real=True
)
Q = letter("Q", "the same given v'", real=True)
G = letter("G", "within the window, at the output w less r", real=True)
M = letter("M", "the sum of the positive parts of G over outputs that are moved by r", real=True)
A, B = letters("A B", "the likelihood of w, of these ends and of R = r, given v or v'", real=True)
X, Y = letters("X Y", "the likelihood of w and of these ends, given v or v'", real=True)
x, y = letters("x y", "the likelihood of w, given v or v'", real=True)
E1, E2, E3, E4, E5, E6, E7 = letters("E1 E2 E3 E4 E5 E6 E7", "a sum of positive parts", real=True)
Z = letter("Z", "what the query leaves above the ratio", real=True)
J = letter("J", "what the window leaves above the ratio, summed over its ends", real=True)


def _window() -> Linked:
    one = Linked(
        "a window",
        {
            "e": "the records right before and after the window, or the hidden states",
            "n": "the values of F",
            "r": "the values of R",
        },
        {b: "e n", c: "e r", k: "n r", m: "", a: "e n"},
        near={a: m * b},
    )
    one.let(p, a * c)
    one.let(q, b * c)
    one.sum(N, "n", a * k)
    one.sum(D, "n", b * k)
    one.sum(S, "n", p * k)
    one.sum(T, "n", q * k)
    one.sum(U, "r", S)
    one.sum(V, "r", T)
    one.sum(f, "e", U)
    one.sum(g, "e", V)
    one.given("the window", N <= m * D)
    one.along("S", "n", Eq(S, c * N), "let p")
    one.along("T", "n", Eq(T, c * D), "let q")
    one.step("one value", S <= m * T, "S", "T", "the window")
    one.along("all values", "r", U <= m * V, "one value")
    one.along("all ends", "e", f <= m * g, "all values")
    return one.conclude("the output", f <= m * g, "all ends")


WINDOW = _window()
"""A bound of ratios within the window, at all its ends, bounds the whole sequence."""


def _above() -> Linked:
    """Hypotheses and definitions."""
    one = Linked(
        "a window above a ratio",
        {
            "e": "the records right before and after the window, or the hidden states",
            "n": "the values of F",
            "r": "the values of R",
            "w": "the outputs",
        },
        {b: "e n", a: "e n", o: "e r", h: "n r w", K: "", I: "e"},
        near={a: K * b, I: E4},
        spare={"the ends": "where the ends are impossible nothing is said"},
    )
    one.sum(O, "r", o)
    one.given("the ends", O > 0)
    one.let(t, 1 / O)
    one.let(C, o * t)
    one.let(P, a * C)
    one.let(Q, b * C)
    one.sum(A, "n", P * h)
    one.sum(B, "n", Q * h)
    one.sum(X, "r", A)
    one.sum(Y, "r", B)
    one.sum(x, "e", X)
    one.sum(y, "e", Y)
    one.sum(Z, "w", Max(0, x - K * y))
    one.sum(G, "n", (a - K * b) * h)
    one.sum(M, "w", Max(0, G))
    one.sum(J, "e", I)
    one.given("moved outputs", M <= I)
    return one


def _delta() -> Linked:
    one = _above()
    one.sum(E1, "r", C * Max(0, G))
    one.sum(E2, "e", E1)
    one.sum(E3, "w", E2)
    one.sum(E5, "w", E1)
    one.sum(E6, "e", E5)
    one.sum(E7, "w", C * Max(0, G))
    one.sum(E4, "r", E7)
    one.sum(L, "r", C)
    one.step("no less than 0", C >= 0, "let C", "let t", "the ends")
    one.along("one value of R", "n", Eq(A - K * B, C * G), "let P", "let Q")
    part = Max(0, A - K * B) <= C * Max(0, G)
    one.step("its positive part", part, "one value of R", "no less than 0")
    one.along("all values of R", "r", Max(0, X - K * Y) <= E1, "its positive part")
    one.along("all ends", "e", Max(0, x - K * y) <= E2, "all values of R")
    one.along("all outputs", "w", Z <= E3, "all ends")
    one.swap("ends first", E3, E6)
    one.swap("values of R first", E5, E4)
    one.along("outputs moved by r", "w", Eq(E7, C * M))
    one.step("at most I", E7 <= C * I, "outputs moved by r", "moved outputs", "no less than 0")
    one.along("their mean", "r", E4 <= L * I, "at most I")
    one.along("all of R", "r", Eq(L, t * O), "let C")
    one.step(
        "given the ends",
        E5 <= I,
        "values of R first",
        "their mean",
        "all of R",
        "let t",
        "the ends",
    )
    one.along("each end", "e", E6 <= J, "given the ends")
    return one.conclude("the query", Z <= J, "all outputs", "ends first", "each end")


DELTA = _delta()
