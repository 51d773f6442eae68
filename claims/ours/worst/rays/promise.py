"""Columns of mechanisms as linked arguments: the promise at one output, and one more release."""

from sympy import And, Eq, Implies

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked

theta = letter("theta", "the probability of the database under this prior", at_least(0), real=True)
i = letter("i", "1 if the secret s holds of the database, else 0", at_least(0), real=True)
j = letter("j", "1 if the secret s' holds of the database, else 0", at_least(0), real=True)
u = letter("u", "P(w | x), the entry of the column of w", at_least(0), real=True)
R = letter("R", "e to the level", real=True)
S, T = letters("S T", "the probability of the secret", real=True)
k, h = letters("k h", "1 over the probability of the secret", real=True)
mu = letter("mu", "the probability of x given s", real=True)
nu = letter("nu", "the probability of x given s'", real=True)
A, B = letters("A B", "the probability of w and the secret", real=True)
M = letter("M", "<mu, u>", real=True)
N = letter("N", "<nu, u>", real=True)

p = letter("p", "the probability of these coins", real=True)
q = letter("q", "the probability of these coins of the next release", real=True)
f = letter("f", "1 if the releases so far have the outputs y_1 .. y_k at x, else 0", real=True)
g = letter(
    "g", "1 if the next release, chosen by y_1 .. y_k, has the output y at x, else 0", real=True
)
U = letter("U", "the entry of the column of y_1 .. y_k", real=True)
V = letter("V", "the entry of the column of y", real=True)
with_next = letter("C", "the probability that these coins come with y_1 .. y_k, y", real=True)
J = letter("J", "the entry of the column of y_1 .. y_k, y", real=True)


def _promise() -> Linked:
    one = Linked(
        "the promise",
        {
            "x": "the databases",
            "w": "the outputs",
            "t": "the priors with ordered pairs s, s' of which both have positive probability",
        },
        {theta: "t x", i: "t x", j: "t x", u: "w x", R: ""},
        near={R: A * T / (B * S)},
        spare={
            "s is possible": "otherwise nothing is P(w | s)",
            "s' is possible": "otherwise nothing is P(w | s')",
        },
    )
    one.sum(S, "x", i * theta)
    one.sum(T, "x", j * theta)
    one.given("s is possible", S > 0)
    one.given("s' is possible", T > 0)
    one.let(k, 1 / S)
    one.let(h, 1 / T)
    one.let(mu, i * theta * k)
    one.let(nu, j * theta * h)
    one.sum(A, "x", i * theta * u)
    one.sum(B, "x", j * theta * u)
    one.sum(M, "x", mu * u)
    one.sum(N, "x", nu * u)
    one.along("given s", "x", Eq(M, A * k), "let mu")
    one.along("given s'", "x", Eq(N, B * h), "let nu")
    promise, inside = A / S <= R * (B / T), M <= R * N
    both = And(
        Implies(promise, inside, evaluate=False),
        Implies(inside, promise, evaluate=False),
        evaluate=False,
    )
    one.step("P(w | s)", Eq(A / S, M), "given s", "let k", "s is possible")
    one.step("P(w | s')", Eq(B / T, N), "given s'", "let h", "s' is possible")
    uses = "P(w | s)", "P(w | s')", "s is possible", "s' is possible"
    return one.conclude("the same inequality", both, *uses)


def _joint() -> Linked:
    one = Linked(
        "one more release",
        {
            "x": "the databases",
            "c": "the coins of all releases so far",
            "d": "the coins of the next release, which are independent of these",
        },
        {p: "c", q: "d", f: "c x", g: "d x"},
    )
    one.sum(with_next, "d", p * q * f * g)
    one.sum(J, "c", with_next)
    one.sum(U, "c", p * f)
    one.sum(V, "d", q * g)
    one.along("the next coins", "d", Eq(with_next, p * f * V))
    one.along("all coins", "c", Eq(J, U * V), "the next coins")
    return one.conclude("the product of columns", Eq(J, U * V), "all coins")


PROMISE, JOINT = _promise(), _joint()
