"""Levels of records, paths of tables and what is shown, as linked arguments."""

from sympy import And, Eq, Or

from pufferproof.claims.language import Letter, at_least, between, letter, letters
from pufferproof.claims.language.linked import Linked

R = letter("R", "e to the level", at_least(1))
a = letter("a", "P(y | D) of the first table of the path", at_least(0))
f = letter("f", "P(y | D) of the table after the change", at_least(0))
b = letter("b", "P(y | D) of the table before the change")
z = letter("z", "P(y | D) of the last table of the path")
T = letter("T", "e to k levels, k the number of changes")
s, t = letters("s t", "the probability of the report of a bit that is the bit, and of the other")
S, U = letters("S U", "the probability of a report of k bits that is right in all, and in none")

o = letter("o", "1 if both tables differ in this cell, 0 if not", between(0, 1))
v = letter("v", "R if both tables differ in this cell, 1 if not")
H = letter("H", "R to the number of cells that differ")

A = letter("A", "e to the influence", at_least(0))
r = letter("r", "e to the level for the record", at_least(0))
p = letter("p", "P(x_L = l, x_H = h | s)", at_least(0))
q = letter("q", "P(x_L = l, x_H = g | s')", at_least(0))
m = letter("m", "P(w | x) of the table with x_L = l and x_H = h", at_least(0))
n = letter("n", "P(w | x) of the table with x_L = l and x_H = g", at_least(0))
c = letter("c", "P(w | x), the records of H up to this one being those of g", at_least(0))
d = letter("d", "P(w | x), the records of H before this one being those of g")
e = letter("e", "P(w | x), all records of H being those of g")
k = letter("kappa", "e to the level of the release for all of H")
M, N = letters("M N", "P(w | x) of all releases, the product")
K = letter("K", "e to the levels of all releases for all of H")
P, Q = letters("P Q", "the probability of x_L = l given the secret")
X, Y = letters("X Y", "the probability of x_L = l and w given the secret")
V, W = letters("V W", "P(w | s) and P(w | s')")
E = letter("E", "e to the promise that the release keeps alone")
B = letter("B", "e to the sum of these promises")
C = letter("C", "e to as many influences as there are releases")
RECORDS = {
    "l": "the values of the records L that are shown",
    "h": "the values of the hidden records H, given s",
    "g": "the values of the hidden records H, given s'",
}
NEAR = {A: P / Q, r: d / c, n: e}


def _path() -> Linked:
    one = Linked("tables joined by a path", {"j": "the changes of a path"}, {R: "", a: "", f: "j"})
    one.chain(z, "j", a, f)
    one.before(b, z)
    one.product(T, "j", R)
    one.given("one change", b <= R * f)
    one.along("all changes", "j", And(a <= T * z, T >= 0), "one change")
    return one.conclude("the path", a <= T * z, "all changes")


def _cells() -> Linked:
    one = Linked(
        "tables with all values in every cell",
        {"j": "the cells, copied from the last table into the first, one after the other"},
        {R: "", a: "", f: "j", o: "j"},
        {f: a},
    )
    one.chain(z, "j", a, f)
    one.before(b, z)
    one.let(v, 1 + o * (R - 1))
    one.product(H, "j", v)
    one.given("a cell", Or(And(Eq(o, 0), Eq(f, b)), And(Eq(o, 1), b <= R * f)))
    one.step("one cell", And(v >= 1, b <= v * f), "a cell", "let v")
    one.along("all cells", "j", And(a <= H * z, H >= 0), "one cell")
    return one.conclude("both tables", a <= H * z, "all cells")


def _attained() -> Linked:
    one = Linked("randomised response", {"j": "the bits"}, {R: ""})
    one.let(s, R / (R + 1))
    one.let(t, 1 / (R + 1))
    one.product(S, "j", s)
    one.product(U, "j", t)
    one.product(T, "j", R)
    one.step("one bit", And(Eq(s, R * t), Eq(s + t, 1)), "let s", "let t")
    one.along("all bits", "j", Eq(S, T * U), "one bit")
    then = And(Eq(S, T * U), Eq(s, R * t), Eq(s + t, 1))
    return one.conclude("attained", then, "all bits", "one bit")


def _begun(about: str, more: dict[str, str], of: str) -> Linked:
    """Begin with what is shown: its influence, and the likelihoods of tables on a path."""
    given = {A: "", p: "l h", q: "l g", r: f"{of}j", m: f"{of}l h", n: f"{of}l g"}
    one = Linked(about, {**RECORDS, **more}, {**given, c: f"{of}l h g j"}, NEAR)
    one.sum(P, "h", p)
    one.sum(Q, "g", q)
    one.chain(e, "j", m, c)
    one.before(d, e)
    one.given("what is shown", P <= A * Q)
    one.given("one record", d <= r * c)
    one.given("all records", e <= n)
    one.product(k, "j", r)
    one.along("so far", "j", And(m <= k * e, k >= 0), "one record")
    one.step("hidden", And(m <= k * n, k >= 0), "so far", "all records")
    return one


def _averaged(one: Linked, left: Letter, right: Letter, level: Letter, *hidden: str) -> str:
    """Average what is hidden; return the fact that P(w | s) <= A level P(w | s')."""
    one.sum(X, "h", p * left)
    one.sum(Y, "g", q * right)
    one.sum(V, "l", X)
    one.sum(W, "l", Y)
    one.along("one value", "g", p * left * Q <= level * p * Y, hidden[0])
    one.along("all values", "h", X * Q <= level * P * Y, "one value")
    one.along("or none", "h", And(P >= 0, Or(Eq(X, 0), P > 0)))
    one.along("of s'", "g", And(Q >= 0, Y >= 0), *hidden[1:])
    facts = "all values", "or none", "of s'", "what is shown", hidden[0]
    one.step("given what is shown", X <= A * level * Y, *facts)
    one.along("everything", "l", V <= A * level * W, "given what is shown")
    return "everything"


def _translate() -> Linked:
    one = _begun("a promise from levels of records", {"j": "the records of H"}, "")
    return one.conclude("the promise", V <= A * k * W, _averaged(one, m, n, k, "hidden"))


PATH, CELLS, ATTAINED = _path(), _cells(), _attained()
TRANSLATE = _translate()
