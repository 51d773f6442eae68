"""Coordinates that are affine functions of one another: what several noisy releases of one query
tell together.

With outputs 0 and n >= 0 of two coordinates that are equal, h(x) = exp(-b|x| - a|n - x|) is the
product of the likelihoods given F = x, and exp(-rho|x - y|), rho = a + b, that of a single release
with output y. Claimed: h is a mixture of these over 0 <= y <= n, with the density 4ab h(y) inside
and the masses 2b h(0) and 2a h(n) at the ends, all divided by 2 rho: the measure (rho^2 h - h'')/(2
rho). Values may be any reals. Letters: H = h(0) = exp(-a n); X, Y, Z exponentials at x, as each
step says.
"""

import sympy
from sympy import Abs, Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

H, X, Y, Z, U, V, N, D, T, m, n, w, x, c, r, k = sympy.symbols("H X Y Z U V N D T m n w x c r k")
a, b, d, K, rate, total = sympy.symbols("a b d K rate total")
ALL = "all laws of the query with finitely many values, all decays in (0, 1)"


@claim(
    "noise.parallel",
    where="Noise on queries",
    statement="If coordinate l of a query is c + r times coordinate k under every secret, then "
    "with exponentially decaying noise (Laplace; geometric, where values are integers) the two "
    "leak exactly as coordinate k alone does with decay t_k t_l^|r|, whatever the others are; "
    "c and r are any reals, r = 0 included.",
    kind="theorem",
)
def parallel(check: Check) -> None:
    """Prove that two likelihoods are a mixture of single ones, by integrating exponentials; a
    constant coordinate apart.
    """
    for name, build in (("r != 0", _mixture), ("r = 0", _constant)):
        with check.reading(name, ALL) as argument:
            build(argument)
    check.near_miss(
        "r != 0: the decay of coordinate k alone", lambda argument: _mixture(argument, wrong=True)
    )
    check.near_miss(
        "r = 0: with the decay of both coordinates",
        lambda argument: _constant(argument, wrong=True),
    )


def _mixture(argument: Argument, wrong: bool = False) -> None:
    rho = b if wrong else a + b
    argument.inequality(
        "one coordinate for both",
        "t_l^|w - c - r x| with w the output of l is the decay T = t_l^|r| per unit of |k - x|, k "
        "= (w - c)/r: with d = log(1/t_l), a = d |r|",
        Eq(d * Abs(w - c - r * x), a * Abs(k - x)),
        [Eq(r * k, w - c), Eq(a, d * Abs(r)), d > 0, Abs(r) > 0],
    )
    argument.identity(
        "antiderivatives",
        "E = exp(v y + const) has the derivative v E, so that E/v has E: used with v = 2a, 2b",
        "(2*a)*(X/(2*a)) + (2*b)*(Y/(2*b))",
        "X + Y",
    )
    argument.identity(
        "0 <= x <= n",
        "In units of H, X = exp((a-b)x) = h(x)/H, Y = exp(-rho x), Z = exp(rho x - 2 b n) = "
        "exp(-rho(n-x)) h(n)/H: exp(-rho|x-y|) h(y)/H has the integrals (X - Y)/(2a) up to x and "
        "(X - Z)/(2b) from x on",
        4 * a * b * ((X - Y) / (2 * a) + (X - Z) / (2 * b)) + 2 * b * Y + 2 * a * Z,
        2 * rho * X,
    )
    argument.identity(
        "x < 0",
        "X = exp(rho x) = h(x)/H and U = exp(-2 b n): the integral is X (1 - U)/(2b), the ends "
        "have X and X U",
        4 * a * b * X * (1 - U) / (2 * b) + 2 * b * X + 2 * a * X * U,
        2 * rho * X,
    )
    argument.identity(
        "x > n",
        "Y = exp(-rho x) and V = exp(2 a n), h(x)/H = Y V: the integral is Y (V - 1)/(2a), the "
        "ends have Y and Y V",
        4 * a * b * Y * (V - 1) / (2 * a) + 2 * b * Y + 2 * a * Y * V,
        2 * rho * Y * V,
    )
    argument.inequality(
        "weights are positive",
        "X = h(n); n < 0 is the mirror image",
        (4 * a * b * H > 0) & (2 * b * H > 0) & (2 * a * X > 0),
        [a > 0, b > 0, H > 0, X > 0],
    )
    argument.cite(
        "single releases",
        "for every real output y the ratio is at most the largest one, m, which is at a value of "
        "coordinate k, an output of geometric noise too; other coordinates are weights of values",
        "noise.attained",
    )
    argument.assume(
        "order of integrals",
        "N_y <= m D_y for every y: so are their integrals over y with weights that are not "
        "negative",
        "calculus",
    )
    argument.identity(
        "reached",
        "n = 0, where both outputs belong to one value, w = c + r k: the exponents b|x| and a|x| "
        "add up to rho|x|",
        b * X + a * X,
        rho * X,
    )


def _constant(argument: Argument, wrong: bool = False) -> None:
    """Coordinate l is c: its likelihood T = t_l^|w-c| is the same for every value, and t_l^0 =
    1.
    """
    argument.induction(
        "a common factor",
        "N and D are the sums of p_v X_v under s and under s' so far, X_v the likelihood of the "
        "rest: with T, the ratio is the same; U and V are the sums with T",
        base=(Eq(U, T * N), [Eq(U, X * T), Eq(N, X)]),
        step=(Eq(U + X * T, T * (N + X)), [Eq(U, T * N)]),
    )
    argument.inequality(
        "the ratio",
        "for every output, so also the largest one",
        sympy.Equivalent(U <= m * V, N <= m * T * D if wrong else N <= m * D),
        [Eq(U, T * N), Eq(V, T * D), T > 0, D > 0],
    )


@claim(
    "noise.runs",
    where="Noise on queries",
    statement="K independent releases of one query with Laplace noise of scale b leak exactly as "
    "one release of scale b/K; a histogram of two values with scale b leaks as the count of "
    "one of them with scale b/2.",
    kind="corollary",
)
def runs(check: Check) -> None:
    """Prove it by merging coordinate after coordinate: rates 1/b add."""
    for name, build in (("K releases", _runs), ("a histogram of two values", _histogram)):
        with check.reading(name, ALL) as argument:
            build(argument)
    check.near_miss("K releases: rates as K^2", lambda argument: _runs(argument, 2))
    check.near_miss(
        "a histogram of two values: the scale of the count",
        lambda argument: _histogram(argument, 1),
    )


def _runs(argument: Argument, power: int = 1) -> None:
    argument.cite(
        "two coordinates", "equal ones: c = 0, r = 1, and the decays multiply", "noise.parallel"
    )
    argument.induction(
        "rates add",
        "total = K/b is the rate of K releases merged, one more has rate 1/b",
        base=(Eq(rate, total), [Eq(rate * b, 1), Eq(total * b, 1), b > 0]),
        step=(
            Eq((total + rate) * b, (K + 1) ** power),
            [Eq(total * b, K**power), Eq(rate * b, 1), b > 0, K >= 1],
        ),
    )


def _histogram(argument: Argument, sum_of_rates: int = 2) -> None:
    argument.cite("two counts", "n - k and k: c = n, r = -1", "noise.parallel")
    argument.inequality(
        "the rate",
        "1/b + |-1|/b",
        Eq(total * b, sum_of_rates),
        [Eq(total, rate + rate), Eq(rate * b, 1), b > 0],
    )


@claim(
    "noise.monotone",
    where="Noise on queries",
    statement="The leakage of Laplace noise never grows with its scale, nor that of geometric "
    "noise with its ratio.",
    kind="corollary",
)
def monotone(check: Check) -> None:
    """Prove it: a smaller scale is a second release of the same query, and dropping a release
    leaks no more.
    """
    with check.reading("as stated", ALL) as argument:
        _monotone(argument)
    check.near_miss(
        "as stated: in both directions", lambda argument: _monotone(argument, both=True)
    )


def _monotone(argument: Argument, both: bool = False) -> None:
    argument.inequality(
        "a second release",
        "a < b: noise of scale a has the rate 1/a = 1/b + 1/d for a scale d > 0",
        d > 0,
        [*([] if both else [a < b]), a > 0, b > 0, Eq(d * (b - a), a * b)],
    )
    argument.identity(
        "its rate", "1/b + 1/d with d = a b/(b - a)", 1 / b + (b - a) / (a * b), 1 / a
    )
    argument.cite("together", "releases of scale b and d leak as one of scale a", "noise.parallel")
    argument.cite(
        "dropping one",
        "the likelihood of the first output alone is the sum, or a limit of sums, of joint ones",
        "lemma.mediant",
    )
