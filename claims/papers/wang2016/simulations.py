"""The simulations: the histogram, its noise and the average error, and what is observed about its
dependence on parameters.

The error of one release is the sum of k absolute values of Laplace variables of scale 2
sigma_max/T: its mean has a closed form, and the observations become statements about sigma_max.
Letters: D = Delta_t, l = exp(-g t), p = pi, H = (1+D)/(1-D), T the length, s = sigma_max. Source:
wang2016, section 5 and Figure 2.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy
from sympy import Abs, And, Eq, Min, Rational

from pufferproof.claims.language import PRINTED
from pufferproof.claims.papers.wang2016.quilts.instances import Chain, Score, basic
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

k, T, s, t, c, d, u, v, w, x, y, p, l, D, H, A, B = sympy.symbols(
    "k T s t c d u v w x y p l D H A B"
)
LEVELS = (
    "the basic search with the bounds of Lemma 4.7, n from 2 to 12, pi in {1/2, 1/3}, e^-g in "
    "{1/2, 2/5}, eight levels"
)
NOTATION = {
    "k": "the number of states",
    "T": "the number of records",
    "t": "a time",
    "P": "the transition matrix",
    "q": "the law of X_1",
    "F": "the histogram of state frequencies, divided by its Lipschitz constant",
    "pi_gen, g_gen": "bounds from below on pi and g of the chain that generates the data",
    "pi_est, g_est": "the values that the mechanism uses for pi and g",
    "a, b, c": "the three panels of the figure",
}


@claim(
    "wang2016.sim-lipschitz",
    where="section 5",
    statement="The histogram of state frequencies over t = 1..T is 2/T-Lipschitz in L1.",
    kind="lemma",
)
def lipschitz(check: Check) -> None:
    """One record leaves a bin and enters another."""
    with check.reading(PRINTED, "every T and k") as argument:
        _lipschitz(argument, 2)
    check.near_miss(f"{PRINTED}: 1/T", lambda argument: _lipschitz(argument, 1))


def _lipschitz(argument: Argument, bound: int) -> None:
    argument.inequality(
        "two bins",
        "x and y counts of the old and the new value: both change by 1, all others by 0",
        Abs((x - 1) / T - x / T) + Abs((y + 1) / T - y / T) <= bound / T,
        [T >= 1, x >= 1, y >= 0],
    )
    argument.inequality(
        "the same value",
        "no bin changes: u is the new count",
        Abs(u / T - x / T) <= bound / T,
        [T >= 1, Eq(u, x)],
    )


@claim(
    "wang2016.sim-setup",
    where="section 5, Figure 2",
    statement="k = 5, pi_gen = 0.05, g_gen = 0.1; P irreducible, aperiodic, reversible with at "
    "least these, q uniform on the simplex; the mechanism knows pi_est <= pi_gen, g_est <= "
    "g_gen; F the histogram over its constant 2/T; error the L1 distance; 100 runs.",
    kind="experiment",
)
def setup(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition(
            "not said",
            "how P is drawn; the values of pi_est, g_est, T and eps; what is done with negative "
            "frequencies",
        )
        argument.definition(
            "estimates",
            "smaller pi_est and g_est give larger bounds on influence, so that P is in the class",
        )


@claim(
    "wang2016.fig2",
    where="Figure 2",
    statement="Averaged L1 distance of private and non-private histograms against log(eps); lines: "
    "(a) pi_est, (b) g_est, (c) T.",
    kind="experiment",
)
def figure2(check: Check) -> None:
    with check.reading(PRINTED) as argument:
        argument.definition(
            "values",
            "parameters of the lines are in the figure only; each curve is 2 k sigma_max/T in the "
            "mean",
        )


@claim(
    "wang2016.x-error",
    where="section 5, beyond",
    statement="If negative frequencies are left as they are, the L1 error of the histogram has "
    "mean 2 k sigma_max/T and variance k (2 sigma_max/T)^2, whatever P, q and the data; the "
    "mean of 100 independent runs has a tenth of the standard deviation.",
    kind="closed form",
)
def error(check: Check) -> None:
    """Means add up; variances too, as coordinates and runs are independent."""
    with check.reading("as stated", "every k, T and sigma_max") as argument:
        prove_error(argument)
    check.near_miss("as stated: variance twice as large", lambda argument: prove_error(argument, 2))


def prove_error(argument: Argument, factor: int = 1) -> None:
    """Mean and variance of a sum of absolute values of Laplace variables."""
    argument.cite(
        "one coordinate",
        "|Lap(c)| has mean c, its square has mean 2 c^2",
        "wang2016.x-laplace-deviation",
    )
    argument.identity(
        "variance of |Lap(c)|",
        "its second moment, the variance 2 c^2 of Lap(c), less the square of its mean c",
        "2*c**2 - c**2",
        f"{factor}*c**2",
    )
    argument.induction(
        "k coordinates",
        "A and B are mean and variance of the sum over k coordinates",
        base=(And(Eq(A, k * c), Eq(B, k * c**2)), [Eq(A, c), Eq(B, c**2), Eq(k, 1)]),
        step=(
            And(Eq(A + c, (k + 1) * c), Eq(B + c**2, (k + 1) * c**2)),
            [Eq(A, k * c), Eq(B, k * c**2)],
        ),
    )
    argument.inequality(
        "the scale",
        "F is the histogram over 2/T, released with noise s Lap(1), and multiplied by 2/T after "
        "that: c = 2 s/T",
        And(Eq(A, 2 * k * s / T), Eq(B, k * (2 * s / T) ** 2)),
        [Eq(A, k * c), Eq(B, k * c**2), Eq(c * T, 2 * s), T >= 1],
    )
    argument.induction(
        "runs",
        "x is the variance of the sum of the errors of n = u independent runs, each of variance B",
        base=(Eq(x, u * B), [Eq(x, B), Eq(u, 1)]),
        step=(Eq(x + B, (u + 1) * B), [Eq(x, u * B)]),
    )
    argument.inequality(
        "100 runs",
        "y and d are the standard deviations of one run and of the mean of u = 100: d^2 = x/100^2",
        Eq(d, y / 10),
        [Eq(x, u * B), Eq(u, 100), Eq(y**2, B), Eq(d**2, x / 100**2), y >= 0, d >= 0],
    )


@claim(
    "wang2016.sim-observations",
    where="section 5",
    statement="Other parameters fixed, utility improves with larger eps, larger pi_est, larger "
    "g_est; pi_est matters less than g_est; larger T gives more accurate output.",
    kind="remark",
    repair="wang2016.x-sim-observations",
)
def observations(check: Check) -> None:
    """In the mean: not strictly, and not for every T; but never worse with eps, pi, g, and
    better in the end with T.
    """
    with check.reading("for all parameters, strictly", "T = 2, eps = log 2, pi = 1/2") as argument:
        _no_change(argument)
    with check.reading(
        "larger T never makes the mean error larger", f"{LEVELS}; T and T - 1, smallest T first"
    ) as argument:
        _longer(argument)
    name = "larger eps, pi_est and g_est never make the mean error larger"
    with check.reading(name, "every chain length, k and parameters") as argument:
        _monotone(argument)
    check.near_miss(f"{name}: but smaller ones", lambda argument: _monotone(argument, swapped=True))
    name = "the mean error tends to 0 as T grows"
    with check.reading(name, "every eps > 0, pi_est, g_est > 0 and k") as argument:
        _vanishes(argument)
    check.near_miss(
        f"{name}: at any T at least 1", lambda argument: _vanishes(argument, early=True)
    )
    name = "pi_est matters less than g_est: relative changes of Delta_t, pi <= 1/e"
    with check.reading(name, "all t above the threshold; k >= 3 gives pi <= 1/3 < 1/e") as argument:
        _elasticity(argument)
    check.near_miss(
        f"{name}: below the threshold too", lambda argument: _elasticity(argument, anywhere=True)
    )


@claim(
    "wang2016.x-sim-observations",
    where="section 5, repaired",
    statement="If sigma_max is found by Algorithm 1, with the bounds of Lemma 4.7 and all quilts "
    "of S_{Q,i}, the empty one among them, the mean error 2 k sigma_max/T never grows with "
    "eps, pi_est or g_est, and tends to 0 as T grows.",
    kind="repair of wang2016.sim-observations",
)
def observations_repaired(check: Check) -> None:
    """Scores fall and candidates are added; the scale stays bounded."""
    with check.reading("as stated", "every k and parameters") as argument:
        argument.cite("the mean", "is 2 k sigma_max/T", "wang2016.x-error")
        _monotone(argument)
        _vanishes(argument)
    check.near_miss(
        "as stated: smaller parameters", lambda argument: _monotone(argument, swapped=True)
    )


def _no_change(argument: Argument) -> None:
    small, large = (Chain(2, Fraction(1, 2), Fraction(q), Fraction(2)) for q in ("1/2", "2/5"))
    argument.counterexample(
        "the empty quilt is best",
        "Two records, eps = log 2 and pi = 1/2. For e^-g = 1/2 and for e^-g = 2/5, a larger g, no "
        "quilt node is far enough away to be of use, so that the empty quilt is best: sigma_max = "
        "2/eps for both. The claim is "
        "that a larger g_est improves utility; here the mean error is the same, so it is true only "
        'without "strictly"',
        {"T": 2, "pi": small.pi, "e^-g": [small.q, large.q], "sigma_max": "2/log(2)"},
        lambda: basic(small) == basic(large) == Score(2, Fraction(2)),
    )


def _family() -> Iterator[Chain]:
    for n in range(2, 13):
        for pi in ("1/2", "1/3"):
            for q in ("1/2", "2/5"):
                for level in ("5/4", "3/2", "2", "3", "4", "9", "16", "40"):
                    yield Chain(n, Fraction(pi), Fraction(q), Fraction(level))


def _no_worse(at: Chain) -> bool:
    """sigma_max(T)/T <= sigma_max(T-1)/(T-1), scores c/log r compared as (T-1) c/log r."""
    before, now = basic(replace(at, n=at.n - 1)), basic(at)
    return not replace(before, count=before.count * at.n) < replace(
        now, count=now.count * (at.n - 1)
    )


def _longer(argument: Argument) -> None:
    found = argument.exhaust(
        "smallest failure", "the mean error is 2 k sigma_max/T", _family(), _no_worse
    )
    if found is not None:
        before, now = basic(replace(found, n=found.n - 1)), basic(found)
        argument.counterexample(
            "one record more",
            "The claim is that a larger T gives a smaller mean error 2 k sigma_max/T. With T - 1 "
            "records the record of the largest score has a one-sided quilt, of T - 2 nearby "
            "records. With T records one near the middle is too close to both ends: its best quilt "
            "is the empty one, and sigma_max has grown by a larger factor than T. Only in the end "
            "the error tends to 0",
            {
                "T": found.n,
                "pi": found.pi,
                "e^-g": found.q,
                "e^eps": found.ratio,
                "sigma_max for T - 1": f"{before.count}/log({before.ratio})",
                "sigma_max for T": f"{now.count}/log({now.ratio})",
            },
            lambda: not _no_worse(found),
        )


def _monotone(argument: Argument, swapped: bool = False) -> None:
    order = [d >= c] if not swapped else [d <= c]
    argument.inequality(
        "eps",
        "x (c - u) = card = y (d - u): a score at eps = c, and at d >= c",
        y <= x,
        [Eq(x * (c - u), y * (d - u)), c > u, d > u, x > 0, y > 0, *order],
    )
    argument.inequality(
        "pi",
        "H falls: (v + l)/(v - l) <= (p + l)/(p - l) for pi = v >= p, and thresholds l < pi are "
        "met earlier",
        And((v + l) * (p - l) <= (p + l) * (v - l), l < v),
        [v >= p, p > l, l > 0],
    )
    argument.inequality(
        "g",
        "l = e^(-g t) falls to w <= l",
        And((p + w) * (p - l) <= (p + l) * (p - w), w < p),
        [w <= l, p > l, w > 0],
    )
    argument.inequality(
        "bounds",
        "a smaller bound u' = v <= u, smaller score: y (c - v) = x (c - u)",
        y <= x,
        [Eq(x * (c - u), y * (c - v)), v <= u, c > u, x > 0, y > 0],
    )
    argument.induction(
        "least and largest",
        "x and y are minima over candidates, each of the second below its counterpart, with more "
        "of them",
        base=(y <= x, [y <= x]),
        step=(And(Min(y, u) <= Min(x, v), sympy.Max(y, u) <= sympy.Max(x, v)), [y <= x, u <= v]),
    )


def _vanishes(argument: Argument, early: bool = False) -> None:
    argument.inequality(
        "a distance t with 3 h(t) < eps",
        "e^h = H = (1+D)/(1-D) <= 1 + 4 D; with D as small as (e^(eps/3) - 1)/5, x = e^(eps/3)",
        H < x,
        [Eq(H * (1 - D), 1 + D), D > 0, D <= Rational(1, 2), 5 * D <= x - 1, x > 1],
    )
    argument.cite(
        "D gets as small as needed", "1/D = pi e^(g t) >= pi (1 + t (e^g - 1))", "lemma.bernoulli"
    )
    argument.inequality(
        "all nodes",
        "i <= t has {X_{i+t}} with i + t - 1 nodes, others {X_{i-t}} or {X_{i-t}, X_{i+t}}: at "
        "most 2 t - 1 nodes, influence at most 3 h(t) = eps - d",
        And(x + t - 1 <= 2 * t - 1, T - y + t <= 2 * t - 1, t + t - 1 <= 2 * t - 1),
        [x <= t, y + t >= T + 1, t >= 1],
    )
    length = [T >= 1] if early else [T * u >= 2 * k * c]
    argument.inequality(
        "the error",
        "s <= c = (2 t - 1)/d for every T: the error is at most u once T u >= 2 k c",
        2 * k * s <= u * T,
        [s <= c, k >= 1, u > 0, T > 0, *length],
    )


def _elasticity(argument: Argument, anywhere: bool = False) -> None:
    g, a, b = sympy.symbols("g a b")
    above = [] if anywhere else [t * g > b]
    argument.inequality(
        "log Delta_t = -t g + log(1/pi)",
        "raising g by the factor 1 + a takes a t g away, raising log pi by a takes a: b = "
        "log(1/pi) >= 1 as pi <= 1/e, and log(1 + a) <= a",
        a * t * g > a,
        [*above, b >= 1, a > 0, t > 0, g > 0],
    )
    argument.enclosure("1/3 < 1/e", "so k >= 3 is enough", 3 - sympy.exp(x), x, 1, 1)
