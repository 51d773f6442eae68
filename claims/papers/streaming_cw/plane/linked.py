"""Lines below the region of a mechanism, and what they bound in both orders of neighbours."""

from sympy import And, Eq, Or

from pufferproof.claims.language import above, letter
from pufferproof.claims.language.linked import Linked

p = letter("p", "P(S)", real=True)
q = letter("q", "Q(S)", real=True)
u = letter("u", "the first coefficient of the line u a + v b = c", above(0), real=True)
v = letter("v", "the second coefficient of this line", above(0), real=True)
c = letter("c", "its right-hand side", real=True)
R = letter("R", "e^epsilon", real=True)
delta = letter("delta", "the shift", real=True)


def _below_both_orders() -> Linked:
    """The point of (x, x') at S is (p, 1 - q), that of (x', x) at S' is (1 - q, p)."""
    one = Linked(
        "a line below the region of a mechanism",
        {"S": "the sets of outcomes of neighbours, with their complements"},
        {p: "S", q: "S", u: "", v: "", c: "", R: "", delta: ""},
        near={v: R * u, c: (1 - delta) * u, q: p},
    )
    first, second = (And(Eq(y, R * x), Eq(c, (1 - delta) * x)) for x, y in ((u, v), (v, u)))
    one.given("a boundary line of R(epsilon, delta)", Or(first, second))
    one.given("below the point of (x, x')", u * p + v * (1 - q) >= c)
    one.given("below the point of (x', x)", u * (1 - q) + v * p >= c)
    bounds = And(1 - p <= R * (1 - q) + delta, q <= R * p + delta)
    return one.conclude("both orders", bounds, *one.facts)


BELOW_BOTH_ORDERS = _below_both_orders()
