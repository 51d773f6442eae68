"""The simulations: the histogram, its noise and the average error, and what is observed about its
dependence on parameters.

The error of one release is the sum of k absolute values of Laplace variables of scale 2
sigma_max/T: its mean has a closed form, and the observations become statements about sigma_max.
Source: wang2016, section 5 and Figure 2.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from pufferproof.claims.language import PRINTED, Proof, letter, proved
from pufferproof.claims.papers.wang2016 import error_statements as says
from pufferproof.claims.papers.wang2016.quilts.instances import Chain, Score, basic
from pufferproof.claims.papers.wang2016.said import LIPSCHITZ
from pufferproof.claims.registry import Check, claim

k = letter("k", "the number of states")
T = letter("T", "the number of records")
t = letter("t", "a time")

pi = letter("pi", "a value of pi_est")
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
    kind="lemma",
    says={PRINTED: LIPSCHITZ},
)
def lipschitz(check: Check) -> None:
    """One record leaves a bin and enters another: two counts change by 1, all others by 0."""


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
    """Means add up; variances too, as coordinates and runs are independent.

    One coordinate: |Lap(c)| has mean c, its square has mean 2 c^2 [wang2016.x-laplace-deviation].
    Variance of |Lap(c)|: its second moment, the variance 2 c^2 of Lap(c), less the square of its
    mean c. K coordinates: mean and variance of the sum over k coordinates. The scale: F is the
    histogram over 2/T, released with noise s Lap(1), and multiplied by 2/T after that: c = 2 s/T.
    Runs: the variance of the sum of the errors of independent runs, each of the same variance. 100
    runs: the mean of 100 runs has the variance sum_variance/100^2.
    """


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

    Larger eps, pi_est and g_est never make the mean error larger. H = (pi + fall)/(pi - fall) does
    not rise, as fall = e^(-g t) does not, and thresholds are met earlier: each candidate has a
    smaller bound and score, and there are more of them.

    The mean error tends to 0 as T grows. A distance t with 3 h(t) < eps: 1/D = pi e^(g t) >= pi (1
    + t (e^g - 1)) [lemma.bernoulli] makes D as small as (e^(eps/3) - 1)/5, and H <= 1 + 4 D. i <= t
    has {X_{i+t}} with i + t - 1 nodes, others {X_{i-t}} or {X_{i-t}, X_{i+t}}. The error: sigma_max
    <= (2 t - 1)/(eps - 3 h(t)) for every T.

    Pi_est matters less than g_est: relative changes of Delta_t, pi <= 1/e. Log Delta_t = -t g +
    log(1/pi): raising g by the factor 1 + raised takes raised t g away, raising pi takes log(1 +
    raised) <= raised; log(1/pi) >= 1. k >= 3 is enough, as 1/3 < 1/e.
    """
    check.tried("larger eps, pi_est and g_est never make the mean error larger")
    check.tried("the mean error tends to 0 as T grows")
    check.tried("pi_est matters less than g_est: relative changes of Delta_t, pi <= 1/e")
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
    """Scores fall and candidates are added; the scale stays bounded.

    The mean: is 2 k sigma_max/T [wang2016.x-error]. Eps: card(X_N) is score (eps - bound), at
    either level. Pi: H falls: it is (pi + fall)/(pi - fall), and thresholds fall < pi are met
    earlier. G: e^(-g t) falls. Bounds: a smaller bound, a smaller score. Least and largest: over
    candidates, each after the change below its counterpart, with more of them. From "A distance t
    with 3 h(t) < eps" to "The error": as in wang2016.sim-observations.
    """


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
