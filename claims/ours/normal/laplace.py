"""Laplace noise on linear queries of normal records: what tells two values apart, and two windows.

All that is used of the rest R is that it does not depend on X_i.
"""

from pufferproof.claims.ours.normal import statements as says
from pufferproof.claims.registry import Check, claim

NOTATION = {"l": "l_j is a bound for record j"}


@claim(
    "normal.laplace-values",
    where="Normal records",
    statement="Let F_k = c_k X_i + R_k, R independent of X_i, and noise of decays t_k, independent "
    "in every coordinate, be added. Then the likelihood of every output given X_i = u is at most "
    "prod_k t_k^-|c_k (u - v)| times that given X_i = v. Where R has finitely many values, outputs "
    "beyond all of them reach it; where R is normal, outputs approach it as they go to infinity, "
    "each coordinate in the direction of c_k (u - v).",
    kind="theorem",
    says=says.VALUES,
)
def laplace_values(check: Check) -> None:
    """Prove it: the secret shifts every coordinate, whatever the rest is.

    One number: given R the density at w_k is t_k to the distance |y - d| for u, |y| for v, up to a
    factor that both have: |y| is at most |y - d| + |d|. One more number: given R noise is
    independent, and the densities of numbers multiply. The mean over R: whose law is the same for u
    and v: a mean keeps an inequality that holds everywhere. It is reached: beyond R, y is at least
    far = d: the distances differ by all of it. Normal R: e^(|z|/h) times the density of Laplace
    noise is bounded, and E[e^(|R|/h)] is finite for normal R: limit and mean may be exchanged.
    """


@claim(
    "normal.laplace-windows",
    where="Normal records",
    statement="Let F_k = c_k X_i + R_k, R independent of X_i, and noise of decays t_k, independent "
    "in every coordinate, be added; e^Q = prod_k t_k^-|c_k|, no value of the window s less than "
    "one of t. Then the likelihood of every output given s is at most E[e^(QX_i) | s]/E[e^(QX_i) | "
    "t] times that given t, and that given t at most E[e^(-QX_i) | t]/E[e^(-QX_i) | s] times that "
    "given s. Both are reached, or approached, as in `normal.laplace-values`.",
    kind="theorem",
    says=says.WINDOWS,
)
def laplace_windows(check: Check) -> None:
    """Prove it: between the windows lies a number x0, and from there the likelihood changes no
    faster than e^(Qx).

    A unit of X_i: f(x), the likelihood given X_i = x, has f(x) <= e^(Q |x - x'|) f(x')
    [normal.laplace-values]. Left of x0: x0 is at most all of s, and at least all of t. For x in t:
    f(x) >= f(x0) e^(Q (x - x0)); for x in s the other way, which is the line before. Means: of
    both: a mean keeps an inequality that holds everywhere. Both windows: E[f | s] <= f(x0) S, and
    E[f | t] >= f(x0) T; S/T is that of E[e^(QX_i)]. For the other order take -X_i. It is
    approached: all lines are equalities beyond R; else e^(|z|/h) times the density of Laplace noise
    is bounded, and E[e^(|R|/h)] is finite for normal R: limit and mean may be exchanged.
    """


@claim(
    "normal.levels",
    where="Normal records",
    statement="Let record j be X_j = c_j X_i + R_j, R independent of X_i. If at every record j the "
    "log-likelihood of an output changes by at most l_j |x_j - x_j'| where x and x' differ in "
    "record j alone, then the output is at most exp(sum_j l_j |c_j (u - v)|) times as likely given "
    "X_i = u as given X_i = v. Likelihoods in proportion to exp(sum_j l_j sign(c_j (u - v)) x_j) "
    "reach it.",
    kind="theorem",
    says=says.READINGS,
)
def of_levels(check: Check) -> None:
    """Prove it: given R the records move together with X_i, each by c_j (u - v).

    One more record: given R, go from the readings given v to those given u record by record: the
    next one adds its term. The mean over R: whose law is the same for u and v: a mean keeps an
    inequality that holds everywhere. It is reached: the exponent of a record given u less that
    given v is the term of the bound, for every R.
    """
