"""The simulations: the histogram, its noise and the average error, and what is observed about its
dependence on parameters.

The error of one release is the sum of k absolute values of Laplace variables of scale 2
sigma_max/T: its mean has a closed form, and the observations become statements about sigma_max.
Source: wang2016, section 5 and Figure 2.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import sympy
from sympy import Abs, And, Eq, Max, Min, Or, Rational

from pufferproof.claims.language import PRINTED, Edit, Proof, letter, letters, proved
from pufferproof.claims.papers.wang2016 import error_statements as says
from pufferproof.claims.papers.wang2016.quilts.instances import Chain, Score, basic
from pufferproof.claims.papers.wang2016.statements import (
    LIPSCHITZ,
)
from pufferproof.claims.registry import Check, claim

k = letter("k", "the number of states")
T = letter("T", "the number of records")
t = letter("t", "a time")
s = letter("s", "sigma_max")
old, new = letters("old new", "the counts of the value that a record leaves, and of that it takes")
after = letter("after", "the first of these counts, if the record keeps its value")
c = letter("c", "the scale of the noise of a coordinate")
mean, variance = letters("mean variance", "of the error of one run, or of its first coordinates")
runs = letter("runs", "the number of runs")
sum_variance = letter("sum_variance", "the variance of the sum of the errors of these runs")
sd, sd_mean = letters("sd sd_mean", "standard deviations of one run and of the mean of the runs")

eps, more_eps = letters("epsilon more_epsilon", "a level, and a larger one")
bound, less_bound = letters("bound less_bound", "a bound of the influence, and a smaller one")
score, score_2 = letters("score score_2", "the scores before and after the change")
pi, more_pi = letters("pi more_pi", "values of pi_est")
fall, more_fall = letters("fall more_fall", "e^(-g t), and the same for a larger g")
x, y = letters("x y", "the least or largest of the first candidates, before and after the change")
u, v = letters("u v", "the next candidate after the change, and before it")
D = letter("D", "Delta_t")
H = letter("H", "e^h(t) = (1+D)/(1-D)")
third = letter("third", "e^(eps/3)")
early, late = letters("early late", "indices of records near the start, and near the end")
nearby = letter("nearby", "how many records are nearby")
enough = letter("enough", "(2 t - 1)/(eps - 3 h(t))")
error_bound = letter("error_bound", "a mean error above 0")
g = letter("g", "the gap")
raised = letter("raised", "by what factor g, or log pi, is raised, less 1")
log_pi = letter("log_pi", "log(1/pi)")
one = letter("one", "the number 1")
LEVELS = (
    "the basic search with the bounds of Lemma 4.7, n from 2 to 12, pi in {1/2, 1/3}, e^-g in "
    "{1/2, 2/5}, eight levels"
)
NOTATION = {
    "k": k.meaning,
    "T": T.meaning,
    "t": t.meaning,
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
    says=LIPSCHITZ,
)
def lipschitz(check: Check) -> None:
    """One record leaves a bin and enters another."""
    half = Edit("two bins", put={2 / T: 1 / T})
    proved(check, PRINTED, "every T and k", _lipschitz, **{"1/T": half})


def _lipschitz(proof: Proof) -> None:
    proof.inequality(
        "two bins",
        "counts of the old and the new value: both change by 1, all others by 0",
        Abs((old - 1) / T - old / T) + Abs((new + 1) / T - new / T) <= 2 / T,
        [T >= 1, old >= 1, new >= 0],
    )
    proof.inequality(
        "the same value",
        "no bin changes",
        Abs(after / T - old / T) <= 2 / T,
        [T >= 1, Eq(after, old)],
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
    with check.reading(PRINTED) as proof:
        proof.definition(
            "not said",
            "how P is drawn; the values of pi_est, g_est, T and eps; what is done with negative "
            "frequencies",
        )
        proof.definition(
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
    with check.reading(PRINTED) as proof:
        proof.definition(
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
    says=says.ERROR,
)
def error(check: Check) -> None:
    """Means add up; variances too, as coordinates and runs are independent."""
    twice = Edit("variance of |Lap(c)|", instead="2*c**2")
    proved(check, "as stated", "every k, T and sigma_max", _error, variance_twice_as_large=twice)


def _error(proof: Proof) -> None:
    """Mean and variance of a sum of absolute values of Laplace variables."""
    proof.cite(
        "one coordinate",
        "|Lap(c)| has mean c, its square has mean 2 c^2",
        "wang2016.x-laplace-deviation",
    )
    proof.identity(
        "variance of |Lap(c)|",
        "its second moment, the variance 2 c^2 of Lap(c), less the square of its mean c",
        "2*c**2 - c**2",
        "c**2",
    )
    proof.induction(
        "k coordinates",
        "mean and variance of the sum over k coordinates",
        base=(
            And(Eq(mean, k * c), Eq(variance, k * c**2)),
            [Eq(mean, c), Eq(variance, c**2), Eq(k, 1)],
        ),
        step=(
            And(Eq(mean + c, (k + 1) * c), Eq(variance + c**2, (k + 1) * c**2)),
            [Eq(mean, k * c), Eq(variance, k * c**2)],
        ),
    )
    proof.inequality(
        "the scale",
        "F is the histogram over 2/T, released with noise s Lap(1), and multiplied by 2/T after "
        "that: c = 2 s/T",
        And(Eq(mean, 2 * k * s / T), Eq(variance, k * (2 * s / T) ** 2)),
        [Eq(mean, k * c), Eq(variance, k * c**2), Eq(c * T, 2 * s), T >= 1],
    )
    _runs(proof)


def _runs(proof: Proof) -> None:
    proof.induction(
        "runs",
        "the variance of the sum of the errors of independent runs, each of the same variance",
        base=(
            Eq(sum_variance, runs * variance),
            [Eq(sum_variance, variance), Eq(runs, 1)],
        ),
        step=(
            Eq(sum_variance + variance, (runs + 1) * variance),
            [Eq(sum_variance, runs * variance)],
        ),
    )
    proof.inequality(
        "100 runs",
        "the mean of 100 runs has the variance sum_variance/100^2",
        Eq(sd_mean, sd / 10),
        [
            Eq(sum_variance, runs * variance),
            Eq(runs, 100),
            Eq(sd**2, variance),
            Eq(sd_mean**2, sum_variance / 100**2),
            sd >= 0,
            sd_mean >= 0,
        ],
    )


SMALLER = Edit("eps", without=more_eps >= eps, given=more_eps <= eps)


@claim(
    "wang2016.sim-observations",
    where="section 5",
    statement="Other parameters fixed, utility improves with larger eps, larger pi_est, larger "
    "g_est; pi_est matters less than g_est; larger T gives more accurate output.",
    kind="remark",
    repair="wang2016.x-sim-observations",
    says={
        "larger eps, pi_est and g_est never make the mean error larger": says.MONOTONE,
        "the mean error tends to 0 as T grows": says.VANISHES,
        "pi_est matters less than g_est: relative changes of Delta_t, pi <= 1/e": (
            says.MATTERS_LESS
        ),
    },
)
def observations(check: Check) -> None:
    """In the mean: never worse with eps, pi, g, and better in the end with T; but not for every
    T, and not strictly.
    """
    proved(
        check,
        "larger eps, pi_est and g_est never make the mean error larger",
        "every chain length, k and parameters",
        _monotone,
        but_smaller_ones=SMALLER,
    )
    early_on = Edit("the error", without=T * error_bound >= 2 * k * enough, given=T >= 1)
    proved(
        check,
        "the mean error tends to 0 as T grows",
        "every eps > 0, pi_est, g_est > 0 and k",
        _vanishes,
        at_any_T_at_least_1=early_on,
    )
    proved(
        check,
        "pi_est matters less than g_est: relative changes of Delta_t, pi <= 1/e",
        "all t above the threshold; k >= 3 gives pi <= 1/3 < 1/e",
        _elasticity,
        below_the_threshold_too=Edit("log Delta_t = -t g + log(1/pi)", without=t * g > log_pi),
    )
    name = "larger T never makes the mean error larger"
    proved(check, name, f"{LEVELS}; T and T - 1, smallest T first", _longer)
    name, scope = "for all parameters, strictly", "T = 2, eps = log 2, pi = 1/2"
    proved(check, name, scope, _no_change)


@claim(
    "wang2016.x-sim-observations",
    where="section 5, repaired",
    statement="If sigma_max is found by Algorithm 1, with the bounds of Lemma 4.7 and all quilts "
    "of S_{Q,i}, the empty one among them, the mean error 2 k sigma_max/T never grows with "
    "eps, pi_est or g_est, and tends to 0 as T grows.",
    kind="repair of wang2016.sim-observations",
    says=says.BOTH,
)
def observations_repaired(check: Check) -> None:
    """Scores fall and candidates are added; the scale stays bounded."""
    proved(check, "as stated", "every k and parameters", _repaired, smaller_parameters=SMALLER)


def _repaired(proof: Proof) -> None:
    proof.cite("the mean", "is 2 k sigma_max/T", "wang2016.x-error")
    _monotone(proof)
    _vanishes(proof)


def _no_change(proof: Proof) -> None:
    small, large = (Chain(2, Fraction(1, 2), Fraction(q), Fraction(2)) for q in ("1/2", "2/5"))
    proof.counterexample(
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


def _longer(proof: Proof) -> None:
    found = proof.exhaust(
        "smallest failure", "the mean error is 2 k sigma_max/T", _family(), _no_worse
    )
    if found is not None:
        before, now = basic(replace(found, n=found.n - 1)), basic(found)
        proof.counterexample(
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


def _monotone(proof: Proof) -> None:
    proof.inequality(
        "eps",
        "card(X_N) is score (eps - bound), at either level",
        score_2 <= score,
        [
            Eq(score * (eps - bound), score_2 * (more_eps - bound)),
            eps > bound,
            more_eps > bound,
            score > 0,
            score_2 > 0,
            more_eps >= eps,
        ],
    )
    proof.inequality(
        "pi",
        "H falls: it is (pi + fall)/(pi - fall), and thresholds fall < pi are met earlier",
        And((more_pi + fall) * (pi - fall) <= (pi + fall) * (more_pi - fall), fall < more_pi),
        [more_pi >= pi, pi > fall, fall > 0],
    )
    proof.inequality(
        "g",
        "e^(-g t) falls",
        And((pi + more_fall) * (pi - fall) <= (pi + fall) * (pi - more_fall), more_fall < pi),
        [more_fall <= fall, pi > fall, more_fall > 0],
    )
    _scores(proof)


def _scores(proof: Proof) -> None:
    proof.inequality(
        "bounds",
        "a smaller bound, a smaller score",
        score_2 <= score,
        [
            Eq(score * (eps - bound), score_2 * (eps - less_bound)),
            less_bound <= bound,
            eps > bound,
            score > 0,
            score_2 > 0,
        ],
    )
    proof.induction(
        "least and largest",
        "over candidates, each after the change below its counterpart, with more of them",
        base=(y <= x, [y <= x]),
        step=(And(Min(y, u) <= Min(x, v), Max(y, u) <= Max(x, v)), [y <= x, u <= v]),
    )


def _vanishes(proof: Proof) -> None:
    proof.inequality(
        "a distance t with 3 h(t) < eps",
        "H <= 1 + 4 D; with D as small as (e^(eps/3) - 1)/5",
        H < third,
        [Eq(H * (1 - D), 1 + D), D > 0, D <= Rational(1, 2), 5 * D <= third - 1, third > 1],
    )
    proof.cite(
        "D gets as small as needed", "1/D = pi e^(g t) >= pi (1 + t (e^g - 1))", "lemma.bernoulli"
    )
    proof.inequality(
        "all nodes",
        "i <= t has {X_{i+t}} with i + t - 1 nodes, others {X_{i-t}} or {X_{i-t}, X_{i+t}}: at "
        "most 2 t - 1 nodes, influence at most 3 h(t)",
        nearby <= 2 * t - 1,
        [
            Or(
                And(early <= t, Eq(nearby, early + t - 1)),
                And(late + t >= T + 1, Eq(nearby, T - late + t)),
                Eq(nearby, t + t - 1),
            ),
            t >= 1,
        ],
    )
    proof.inequality(
        "the error",
        "sigma_max <= (2 t - 1)/(eps - 3 h(t)) for every T: the error is small once T is large",
        2 * k * s <= error_bound * T,
        [s <= enough, k >= 1, error_bound > 0, T > 0, T * error_bound >= 2 * k * enough],
    )


def _elasticity(proof: Proof) -> None:
    proof.inequality(
        "log Delta_t = -t g + log(1/pi)",
        "raising g by the factor 1 + raised takes raised t g away, raising log pi takes raised: "
        "log(1/pi) >= 1 as pi <= 1/e, and log(1 + raised) <= raised",
        raised * t * g > raised,
        [t * g > log_pi, log_pi >= 1, raised > 0, t > 0, g > 0],
    )
    proof.enclosure("1/3 < 1/e", "so k >= 3 is enough", 3 - sympy.exp(one), one, 1, 1)
