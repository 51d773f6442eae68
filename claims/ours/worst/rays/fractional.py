"""The linear-fractional program of a ray as a linked argument: scaling identifies both programs."""

from sympy import And, Eq

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

u = letter("u", "the entry of a column", at_least(0), real=True)
mu, nu = letters("mu nu", "the probability of x under one of two laws", at_least(0), real=True)
a = letter("a", "the value of the inequality at u", real=True)
r = letter("r", "the entry of the column that is fixed", at_least(0), real=True)
A = letter("A", "the coefficient of an inequality of the cone", real=True)
m = letter("M", "<mu, r o u>", real=True)
n = letter("N", "<nu, r o u>", real=True)
t = letter("t", "the scale", real=True)
w = letter("v", "u scaled", real=True)
a_w = letter("a_v", "the value of the inequality at v", real=True)
m_w = letter("M_v", "<mu, r o v>", real=True)
n_w = letter("N_v", "<nu, r o v>", real=True)


def _program() -> Linked:
    one = Linked(
        "the linear-fractional program",
        {"x": "the databases", "i": "the inequalities of the cone"},
        {u: "x", r: "x", mu: "x", nu: "x", A: "i x"},
        near={A: -u},
        spare={"<nu, r o u> > 0": "where it is 0 there is no v, and the ratio is infinite or 0/0"},
    )
    one.sum(a, "x", A * u)
    one.given("u in its cone", a <= 0)
    one.sum(m, "x", mu * r * u)
    one.sum(n, "x", nu * r * u)
    one.given("<nu, r o u> > 0", n > 0)
    one.let(t, 1 / n)
    one.let(w, t * u)
    one.sum(a_w, "x", A * w)
    one.sum(m_w, "x", mu * r * w)
    one.sum(n_w, "x", nu * r * w)
    one.step("the scale", And(t > 0, Eq(t * n, 1)), "let t", "<nu, r o u> > 0")
    one.step("not negative", w >= 0, "let v", "the scale")
    one.along("inequality", "x", Eq(a_w, t * a), "let v")
    one.along("numerator", "x", Eq(m_w, t * m), "let v")
    one.along("denominator", "x", Eq(n_w, t * n), "let v")
    uses = "not negative", "the scale", "inequality", "u in its cone", "numerator", "denominator"
    value = And(w >= 0, a_w <= 0, Eq(n_w, 1), Eq(m_w, m / n))
    return one.conclude("the value of v", value, *uses)


PROGRAM = _program()
