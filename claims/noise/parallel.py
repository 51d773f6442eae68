"""Coordinates that are affine functions of one another: what several noisy releases of one query tell together.

On a common grid of the values, with outputs a = 0 and b = n of two coordinates that are equal, h_n(x) = t^|x| s^|n-x| is the
product of the likelihoods given F = x, and g_n(x) = r^|n-x|, r = s t, that of a single release. Claimed: h_n is a mixture of
g_0 .. g_n with weights that are not negative. U = t^n; c is the weight of g_(n+1) in h_(n+1).
"""

import sympy
from sympy import Eq

from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof import Argument

s, t, U, c, m, y, H, G = sympy.symbols("s t U c m y H G")
a, b, d, K, rate, total = sympy.symbols("a b d K rate total")
ALL = "all laws of the query with finitely many values, all decays in (0, 1)"
RATES = [s > 0, s < 1, t > 0, t < 1]


@claim(
    "noise.parallel",
    where="Noise on queries",
    statement="If coordinate l of a query is c + r times coordinate k under every secret, then with exponentially "
    "decaying noise "
    "(Laplace, geometric) the two leak exactly as coordinate k alone does with decay t_k t_l^|r|, whatever the others are.",
    kind="theorem",
)
def parallel(check: Check) -> None:
    """Prove by induction on the distance of the two outputs that two likelihoods are a mixture of single ones."""
    with check.reading("as stated", ALL) as argument:
        _mixture(argument)
    check.near_miss("as stated: the decay of coordinate k alone", lambda argument: _mixture(argument, wrong=True))


def _mixture(argument: Argument, wrong: bool = False) -> None:
    r = t if wrong else s * t
    top = t * U * (1 - s**2) / (1 - r**2)
    double, alone = (s * t, t) if wrong else (y, y)  # the near miss looks at x = n + 2
    argument.cite(
        "outputs on the grid", "both outputs can be taken at values; the second one, w_l, as b = (w_l - c)/r, which is "
        "a value of coordinate k, with the decay t_l^|r| per unit of it", "noise.attained",
    )  # fmt: skip
    argument.identity(
        "one step to the right, x <= n", "h_(n+1)(x) = s h_n(x) and g_(n+1)(x) = r g_n(x): with H = h_n(x) and G = g_n(x), "
        "h_(n+1) = s h_n + c (g_(n+1) - r g_n)", s * H, s * H + top * (r * G - r * G),
    )  # fmt: skip
    argument.identity(
        "one step to the right, x > n", "y = r^(x-n-1): h_(n+1)(x) = t^x s^(x-n-1) = t U y, h_n(x) = s t U y, g_(n+1)(x) = y, "
        "g_n(x) = r y, and again h_(n+1) = s h_n + c (g_(n+1) - r g_n) with c = t U (1-s^2)/(1-r^2)",
        t * U * double, s * (s * t * U * double) + top * (alone - r * (r * alone)),
    )  # fmt: skip
    argument.inequality(
        "weights, first step", "h_0 = g_0: in h_1 the weights are c of g_1 and s - c r of g_0",
        (c > 0) & (s - c * s * t > 0), [*RATES, Eq(c * (1 - s**2 * t**2), t * (1 - s**2))],
    )  # fmt: skip
    argument.inequality(
        "weights, later steps", "m = U (1-s^2)/(1-r^2) is the weight of g_n in h_n: in h_(n+1) it is s m - c r; all others are "
        "multiplied by s, and c is new",
        (c > 0) & (s * m - c * s * t > 0),
        [*RATES, U > 0, Eq(c * (1 - s**2 * t**2), t * U * (1 - s**2)), Eq(m * (1 - s**2 * t**2), U * (1 - s**2))],
    )  # fmt: skip
    argument.cite(
        "the ratio of mixtures", "is at most the largest ratio of what is mixed; the same weights stand above and below, and "
        "other coordinates are weights of values", "lemma.mediant",
    )  # fmt: skip
    argument.identity("on the line", "at equal outputs the product of the two is one release: H = t^|a-x|, G = s^|a-x|",
                      H * G, G * H)  # fmt: skip


@claim(
    "noise.runs",
    where="Noise on queries",
    statement="K independent releases of one query with Laplace noise of scale b leak exactly as one release of scale b/K; a "
    "histogram of two values with scale b leaks as the count of one of them with scale b/2.",
    kind="corollary",
)
def runs(check: Check) -> None:
    """Prove it by merging coordinate after coordinate: rates 1/b add."""
    for name, build in (("K releases", _runs), ("a histogram of two values", _histogram)):
        with check.reading(name, ALL) as argument:
            build(argument)
    check.near_miss("K releases: rates as K^2", lambda argument: _runs(argument, 2))
    check.near_miss("a histogram of two values: the scale of the count", lambda argument: _histogram(argument, 1))


def _runs(argument: Argument, power: int = 1) -> None:
    argument.cite("two coordinates", "equal ones: c = 0, r = 1, and the decays multiply", "noise.parallel")
    argument.induction(
        "rates add", "total = K/b is the rate of K releases merged, one more has rate 1/b",
        base=(Eq(rate, total), [Eq(rate * b, 1), Eq(total * b, 1), b > 0]),
        step=(Eq((total + rate) * b, (K + 1) ** power), [Eq(total * b, K**power), Eq(rate * b, 1), b > 0, K >= 1]),
    )  # fmt: skip


def _histogram(argument: Argument, sum_of_rates: int = 2) -> None:
    argument.cite("two counts", "n - k and k: c = n, r = -1", "noise.parallel")
    argument.inequality(
        "the rate", "1/b + |-1|/b", Eq(total * b, sum_of_rates), [Eq(total, rate + rate), Eq(rate * b, 1), b > 0]
    )


@claim(
    "noise.monotone",
    where="Noise on queries",
    statement="The leakage of Laplace noise never grows with its scale, nor that of geometric noise with its ratio.",
    kind="corollary",
)
def monotone(check: Check) -> None:
    """Prove it: a smaller scale is a second release of the same query, and dropping a release leaks no more."""
    with check.reading("as stated", ALL) as argument:
        _monotone(argument)
    check.near_miss("as stated: in both directions", lambda argument: _monotone(argument, both=True))


def _monotone(argument: Argument, both: bool = False) -> None:
    argument.inequality(
        "a second release", "a < b: noise of scale a has the rate 1/a = 1/b + 1/d for a scale d > 0",
        d > 0, [*([] if both else [a < b]), a > 0, b > 0, Eq(d * (b - a), a * b)],
    )  # fmt: skip
    argument.identity("its rate", "1/b + 1/d with d = a b/(b - a)", 1 / b + (b - a) / (a * b), 1 / a)
    argument.cite("together", "releases of scale b and d leak as one of scale a", "noise.parallel")
    argument.cite(
        "dropping one",
        "the likelihood of the first output alone is the sum, or a limit of sums, of joint ones",
        "lemma.mediant",
    )
