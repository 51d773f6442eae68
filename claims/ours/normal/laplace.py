"""Laplace noise on linear queries of normal records: what tells two values apart, and two windows.

All that is used of the rest R is that it does not depend on X_i.
"""

from sympy import Abs, And, Eq, Or

from pufferproof.claims.language import Edit, Proof, above, at_least, letter, letters, proved
from pufferproof.claims.ours.normal import statements as says
from pufferproof.claims.registry import Check, claim

y, d = letters("y d", "w_k - c_k v - R_k, and c_k (u - v)")
far = letter("far", "c_k (u - v), outputs going its way", at_least(0))
one, two = letters("one two", "the densities of w given R, and u or v, of the numbers so far")
bound = letter("bound", "the product of t_k^-|c_k (u - v)| so far", above(0))
more, less = letters("more less", "the densities of the next number given R, and u or v")
step = letter("step", "t_k^-|c_k (u - v)| of the next number", above(0))
f, f0 = letters("f f0", "f at x and at x0", at_least(0))
up, down = letters("up down", "e^(Q (x - x0)) and e^(Q (x0 - x))", above(0))
S, T = letters("S T", "E[e^(Q (X_i - x0)) | s] and E[e^(Q (X_i - x0)) | t]", above(0))
given_s, given_t = letters("given_s given_t", "E[f | s] and E[f | t]", at_least(0))
near, mid, far_on = letters(
    "near mid far_on", "likelihoods at x, at k records of x' and at k + 1 of them", above(0)
)
times, step_on = letters("times step_on", "exp of the sum so far, and of the next term", above(0))
l, sign, c, r, u, v = letters("l sign c r u v", "l_j, the sign, c_j, R_j, and two values of X_i")
SIGN = Or(And(Eq(sign, 1), c * (u - v) >= 0), And(Eq(sign, -1), c * (u - v) <= 0))
ORDER = "a mean keeps an inequality that holds everywhere"
LIMIT = (
    "e^(|z|/h) times the density of Laplace noise is bounded, and E[e^(|R|/h)] is finite for "
    "normal R: limit and mean may be exchanged"
)


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
    """Prove it: the secret shifts every coordinate, whatever the rest is."""
    proved(
        check,
        "as stated",
        "all laws of R, any number of coordinates, all decays in (0, 1)",
        _values,
        half_of_the_shift=Edit("one number", put={Abs(d): Abs(d) / 2}),
        an_output_between=Edit("it is reached", without=y >= far),
        a_next_number_without_a_bound=Edit("one more number", without=more <= step * less),
    )


def _values(proof: Proof) -> None:
    proof.inequality(
        "one number",
        "given R the density at w_k is t_k to the distance |y - d| for u, |y| for v, up to a "
        "factor that both have: |y| is at most |y - d| + |d|",
        Abs(y) <= Abs(y - d) + Abs(d),
    )
    proof.inequality(
        "one more number",
        "given R noise is independent, and the densities of numbers multiply",
        one * more <= bound * step * (two * less),
        [one <= bound * two, more <= step * less, one >= 0, two >= 0, more >= 0, less >= 0],
    )
    proof.assume("the mean over R", f"whose law is the same for u and v: {ORDER}", "Lebesgue 1902")
    proof.inequality(
        "it is reached",
        "beyond R, y is at least far = d: the distances differ by all of it",
        Eq(Abs(y), Abs(y - far) + far),
        [y >= far],
    )
    proof.assume("normal R", LIMIT, "Lebesgue 1902")


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
    """
    proved(
        check,
        "as stated",
        "all laws of X_i and of R, any number of coordinates, all decays in (0, 1)",
        _windows,
        a_likelihood_that_falls_faster=Edit("left of x0", without=f0 <= f * down),
        a_window_that_is_not_left_of_it=Edit("both windows", without=given_t >= f0 * T),
    )


def _windows(proof: Proof) -> None:
    proof.cite(
        "a unit of X_i",
        "f(x), the likelihood given X_i = x, has f(x) <= e^(Q |x - x'|) f(x')",
        "normal.laplace-values",
    )
    proof.inequality(
        "left of x0",
        "x0 is at most all of s, and at least all of t. For x in t: f(x) >= f(x0) e^(Q (x - x0)); "
        "for x in s the other way, which is the line before",
        f >= f0 * up,
        [f0 <= f * down, Eq(up * down, 1)],
    )
    proof.assume("means", f"of both: {ORDER}", "Lebesgue 1902")
    proof.inequality(
        "both windows",
        "E[f | s] <= f(x0) S, and E[f | t] >= f(x0) T; S/T is that of E[e^(QX_i)]. For the other "
        "order take -X_i",
        given_s * T <= given_t * S,
        [given_s <= f0 * S, given_t >= f0 * T],
    )
    proof.assume(
        "it is approached", f"all lines are equalities beyond R; else {LIMIT}", "Lebesgue 1902"
    )


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
    """Prove it: given R the records move together with X_i, each by c_j (u - v)."""
    proved(
        check,
        "as stated",
        "all laws of R, any number of records, all levels",
        _of_levels,
        a_record_without_a_level=Edit("one more record", without=far_on <= step_on * mid),
        other_signs=Edit("it is reached", without=SIGN),
    )


def _of_levels(proof: Proof) -> None:
    proof.inequality(
        "one more record",
        "given R, go from the readings given v to those given u record by record: the next one "
        "adds its term",
        far_on <= step_on * times * near,
        [far_on <= step_on * mid, mid <= times * near],
    )
    proof.assume("the mean over R", f"whose law is the same for u and v: {ORDER}", "Lebesgue 1902")
    proof.inequality(
        "it is reached",
        "the exponent of a record given u less that given v is the term of the bound, for every R",
        Eq(l * sign * (c * u + r) - l * sign * (c * v + r), l * Abs(c * (u - v))),
        [SIGN],
    )
