"""Bounds of two releases as linked arguments: the relaxation, and identities that bound a pair of
columns.

Rows and columns of a square matrix have indices of their own, x and y. `E` says which entries are
on the diagonal: it is the identity matrix there, and what follows holds for every matrix.
"""

from sympy import And, Eq

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

X, Y = "the databases", "the databases once more"
u = letter("u", "the entry of the first column", at_least(0), real=True)
v = letter("v", "the entry of the second column", at_least(0), real=True)
mu, nu = letters("mu nu", "the probability of x under one of two laws", at_least(0), real=True)
L = letter("L", "a number", real=True)
E = letter("E", "1 where x = y, else 0, or the entry of any other matrix", real=True)
S = letter("S", "the entry of the matrix S for this pair of rows", at_least(0), real=True)
B = letter("B", "the entry of the row of B_1", real=True)
C = letter("C", "the entry of the row of B_2", real=True)
a = letter("a", "the value of the inequality at u", real=True)
b = letter("b", "the value of the inequality at v", real=True)
T = letter("T", "the entry of B_1' S B_2", real=True)
V = letter("V", "v at x, for the identity matrix", real=True)
M = letter("M", "<mu, u o v>", real=True)
N = letter("N", "<nu, u o v>", real=True)
one_entry = letter("one_entry", "the part of an entry in the sum of products", real=True)
row, row_k, of_k, column_k, all_x, all_xk, all_k = letters(
    "row row_k of_k column_k all_x all_xk all_k", "a sum of these parts", real=True
)

A1 = letter("A_1", "the entry of the row of A_1", real=True)
A2 = letter("A_2", "the entry of the row of A_2", real=True)
W = letter("W", "the entry of the matrix u v'", real=True)
first = letter("A_1W", "the entry of A_1 W", real=True)
second = letter("WA_2", "the entry of W A_2'", real=True)
third = letter("A_1WA_2", "the entry of A_1 W A_2'", real=True)
d = letter("d", "the entry on the diagonal of W, for the identity matrix", real=True)
P = letter("P", "<mu, diag W>", real=True)
Q = letter("Q", "<nu, diag W>", real=True)


def _identities() -> Linked:
    one = Linked(
        "identities",
        {"x": X, "y": Y, "k": "the pairs of a row of B_1 and a row of B_2"},
        {u: "x", v: "y", mu: "x", nu: "x", L: "", S: "k", B: "k x", C: "k y", E: "x y"},
        near={B: u, C: v, E: T / (L * nu - mu)},
    )
    one.sum(a, "x", B * u)
    one.sum(b, "y", C * v)
    one.given("u in its cone", a >= 0)
    one.given("v in its cone", b >= 0)
    one.sum(T, "k", S * B * C)
    one.given("entries", E * (L * nu - mu) - T >= 0)
    one.sum(V, "y", E * v)
    one.sum(M, "x", mu * u * V)
    one.sum(N, "x", nu * u * V)
    part = S * B * C * u * v
    one.sum(one_entry, "k", part)
    one.sum(row, "y", one_entry)
    one.sum(of_k, "y", part)
    one.sum(row_k, "k", of_k)
    one.sum(all_x, "x", row)
    one.sum(all_xk, "x", row_k)
    one.sum(column_k, "x", of_k)
    one.sum(all_k, "k", column_k)
    one.along("times u v", "k", Eq(one_entry, T * u * v))
    one.step("one entry", one_entry <= E * (L * nu - mu) * u * v, "entries", "times u v")
    one.along("one row", "y", row <= (L * nu - mu) * u * V, "one entry")
    one.along("every row", "x", all_x <= L * N - M, "one row")
    one.swap("y or k first", row, row_k)
    one.along("every x", "x", Eq(all_x, all_xk), "y or k first")
    one.swap("x or k first", all_xk, all_k)
    one.along("v", "y", Eq(of_k, S * B * u * b))
    one.along("u", "x", Eq(column_k, S * a * b), "v")
    one.step("one product", column_k >= 0, "u", "u in its cone", "v in its cone")
    one.along("products", "k", all_k >= 0, "one product")
    uses = "every row", "every x", "x or k first", "products"
    return one.conclude("the bound", M <= L * N, *uses)


def _relaxation() -> Linked:
    one = Linked(
        "the relaxation",
        {"x": X, "y": Y, "i": "the rows of A_1", "j": "the rows of A_2"},
        {u: "x", v: "y", mu: "x", nu: "x", A1: "i x", A2: "j y", E: "x y"},
        near={A1: -u, A2: -v},
    )
    one.sum(a, "x", A1 * u)
    one.sum(b, "y", A2 * v)
    one.given("u in its cone", a <= 0)
    one.given("v in its cone", b <= 0)
    one.let(W, u * v)
    one.sum(first, "x", A1 * W)
    one.sum(second, "y", A2 * W)
    one.sum(third, "x", A1 * second)
    one.sum(d, "y", E * W)
    one.sum(P, "x", mu * d)
    one.sum(Q, "x", nu * d)
    one.sum(V, "y", E * v)
    one.sum(M, "x", mu * u * V)
    one.sum(N, "x", nu * u * V)
    one.step("W >= 0", W >= 0, "let W")
    one.along("A_1 W", "x", Eq(first, a * v), "let W")
    one.along("W A_2'", "y", Eq(second, u * b), "let W")
    one.along("A_1 W A_2'", "x", Eq(third, a * b), "W A_2'")
    one.along("the diagonal", "y", Eq(d, u * V), "let W")
    one.along("mu", "x", Eq(P, M), "the diagonal")
    one.along("nu", "x", Eq(Q, N), "the diagonal")
    feasible = And(W >= 0, first <= 0, second <= 0, third >= 0)
    uses = "W >= 0", "A_1 W", "W A_2'", "A_1 W A_2'", "u in its cone", "v in its cone", "mu", "nu"
    return one.conclude("feasible", And(feasible, Eq(P, M), Eq(Q, N)), *uses)


IDENTITIES, RELAXATION = _identities(), _relaxation()
