"""The Markov Quilt Mechanism on a chain keeps its level: lemma A.2, MQM with exact influences, and
MQM with Lemma II.3.

For a quilt with n = card(X_N) and influence e: sigma (eps - e) >= n. K = e^(eps-e), r = e^e, R =
e^eps = K r. The proof works with any quilt and any upper bound of its influence for which the scale
is enough (`x-any-quilt`); the estimates of Lemma II.3 are no upper bounds where its repair does not
hold. Source: song2017, II-D, appendix A-C.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import proved
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    EPSILON,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.eigengap import ASKED
from pufferproof.claims.papers.song2017.mechanism.quilts import A_QUILT
from pufferproof.claims.registry import Check, claim
from pufferproof.verify.proof.argument import Argument

a, b, d, f, j, k, n, p, q, r, s, t, u, v, w, x, y, z = sympy.symbols(
    "a b d f j k n p q r s t u v w x y z"
)
A, B, K, M, R, U, V = sympy.symbols("A B K M R U V")
eps, e = sympy.symbols("epsilon e")
NOTATION = {
    "D": "the database; in x-any-quilt the set of records that F reads, X_D these records",
    "f": "an upper bound of the influence of the quilt",
    "s": "a scale of noise",
    "n": "a number of records",
    "L": "a Lipschitz constant",
}
EXACT = (
    "all finite chains and classes of them, all 1-Lipschitz F (numbers, or vectors in the L1 "
    "norm), every eps > 0 and w"
)
BOUNDED = (
    "e_theta replaced by any upper bounds of it (as Lemma II.3 gives where 1 is a simple "
    "eigenvalue of P P*)"
)


@claim(
    "song2017.lipschitz-scaling",
    where="II-D",
    statement="Any Lipschitz function can be rescaled to a 1-Lipschitz one.",
    kind="remark",
)
def scaling(check: Check) -> None:
    """Prove it for a constant L > 0; a function with L = 0 is constant, and 1-Lipschitz as it
    is.
    """
    proved(
        check,
        "L > 0",
        "functions into the reals or a normed space",
        _scaled,
        a_smaller_divisor=partial(_scaled, less=True),
    )
    proved(
        check,
        "L = 0",
        "constant functions",
        _constant,
        L_positive=partial(_constant, positive=True),
    )


def _scaled(argument: Argument, less: bool = False) -> None:
    argument.inequality(
        "divide by L",
        "d >= 0 is the change of F, at most L for one record",
        d / s <= 1,
        [d <= a, d >= 0, a > 0, Eq(s, a / 2 if less else a)],
    )


def _constant(argument: Argument, positive: bool = False) -> None:
    argument.inequality(
        "no change", "at most 0", d <= 1, [d <= a, d >= 0, a >= 0 if positive else Eq(a, 0)]
    )


@claim(
    "song2017.x-noise",
    where="Lemma A.2, used silently",
    statement="Let F be 1-Lipschitz, n the number of records of X_N that F reads, 0 <= e < eps and "
    "sigma (eps - e) >= n. If all records but X_N are fixed, the densities of F(X) + sigma Z "
    "at any w for any two values of X_N differ by at most a factor e^(eps - e).",
    kind="lemma",
)
def noise(check: Check) -> None:
    """Prove it: F changes by at most 1 per record, the exponent by as much, in every norm."""
    proved(check, "as stated", EXACT, _noise, sigma_one_record_short=partial(_noise, short=True))


def _noise(argument: Argument, short: bool = False) -> None:
    argument.induction(
        "n records changed one after the other",
        "d is the change of F so far, n how many records were changed; t that of the next",
        base=(d <= n, [Eq(d, 0), Eq(n, 0)]),
        step=(d + t <= n + 1, [d <= n, t <= 1]),
    )
    argument.inequality(
        "one coordinate",
        "p = |w - x|, q = |w - y|: q - p <= |x - y| = s",
        q - p <= s,
        [*_absolute(p, w - x), *_absolute(q, w - y), *_absolute(s, x - y)],
    )
    argument.induction(
        "more coordinates",
        "A, B and d are the L1 norms of w - x, w - y and x - y so far",
        base=(B - A <= d, [Eq(A, p), Eq(B, q), Eq(d, s), q - p <= s]),
        step=((B + q) - (A + p) <= d + s, [B - A <= d, q - p <= s]),
    )
    argument.inequality(
        "the logarithm of the ratio, times sigma",
        "B - A <= d <= n <= sigma (eps - e); exp is increasing",
        B - A <= s * (eps - e),
        [B - A <= d, d <= n, s * (eps - e) >= (n - 1 if short else n), s > 0, eps > e, e >= 0],
    )


def _absolute(value: sympy.Symbol, of: sympy.Expr) -> list[sympy.Basic]:
    return [value >= of, value >= -of, Or(Eq(value, of), Eq(value, -of))]


@claim(
    "song2017.III7-ratio2",
    where="Appendix A-B",
    statement="P(X_RuQ=x|X_i=a)/P(X_RuQ=x|X_i=b) <= exp(e_theta(X_Q|X_i)) for a quilt X_Q with "
    "remote set R.",
    kind="proof step",
)
def ratio2(check: Check) -> None:
    """Prove it: the chance of the remote outcome given the quilt is a common factor."""
    proved(
        check,
        "as printed",
        "all finite chains, zeros included",
        _ratio2,
        R_seen_past_the_quilt=partial(_ratio2, past=True),
    )


def _ratio2(argument: Argument, past: bool = False) -> None:
    argument.cite(
        "separated",
        "u = P(X_R=x_R|X_Q=x_Q,X_i=a) is the same for all a",
        "song2017.x-separated",
        met=A_QUILT,
    )
    other = v if past else u
    argument.inequality(
        "common factor",
        "p and q are the chances of x_Q given X_i = a and X_i = b, j and k those of x_Q and x_R; a "
        "side with p = 0 or q = 0 is 0",
        j <= r * k,
        [Eq(j, u * p), Eq(k, other * q), p <= r * q, u >= 0, v >= 0, p >= 0, q >= 0, r >= 1],
    )


@claim(
    "song2017.x-any-quilt",
    where="Lemma A.2, for any quilt and together with another release",
    statement="Let F be a 1-Lipschitz function of the records of a set D, X_Q a quilt of X_i with "
    "parts X_N and X_R, n the number of records of D in X_N, f >= e_theta(X_Q|X_i), f < eps, s "
    "> 0 and s (eps - f) >= n. Then for all w, x and possible values a, b: "
    "p(F(X_D)+sZ=w,X_RuQ=x|X_i=a) <= e^eps p(same|X_i=b). The pair of F(X_D)+sZ and a "
    "mechanism with coins of its own that reads records of X_RuQ only leaks at most eps about "
    "X_i.",
    kind="lemma",
)
def any_quilt(check: Check) -> None:
    """Prove it for exact influences and for upper bounds of them alike: no score is compared
    with another one here.
    """
    proved(
        check,
        "as stated",
        EXACT,
        _any_quilt,
        without_the_influence=partial(_any_quilt, alone=True),
        an_estimate_that_is_no_bound=partial(_any_quilt, below=True),
        another_mechanism_that_reads_X_N=partial(_any_quilt, inside=True),
    )


def _any_quilt(
    argument: Argument, alone: bool = False, below: bool = False, inside: bool = False
) -> None:
    """A and B are the averages of densities over X_N given X_i = a and X_i = b, X_RuQ = x; p
    and q the chances of x.
    """
    argument.cite(
        "noise",
        "densities at two values of X_N are within K = e^(eps - f), as s (eps - f) >= n",
        "song2017.x-noise",
    )
    argument.cite(
        "averages",
        "over the laws of X_N given x and X_i, which sum to 1: A <= K B",
        "song2017.x-averages",
    )
    argument.cite("quilt", "p <= r q, r = e^e_theta", "song2017.III7-ratio2")
    argument.inequality(
        "both factors",
        "M = e^f and K M = R = e^eps; j and k are the densities of w and x given X_i = a and X_i = "
        "b",
        j <= (K if alone else R) * k,
        [
            Eq(j, A * p),
            Eq(k, B * q),
            A <= K * B,
            p <= r * q,
            r <= (2 * M if below else M),
            Eq(K * M, R),
            K > 1,
            r >= 1,
            M >= 1,
            A >= 0,
            B >= 0,
            p >= 0,
            q >= 0,
        ],
    )
    other = v if inside else u
    argument.induction(
        "the other release, and x forgotten",
        "u is the density of the other mechanism at w', which x determines. U and V sum j u and k "
        "u over the first x",
        base=(U <= R * V, [Eq(U, j * u), Eq(V, k * other), j <= R * k, u >= 0, k >= 0, R > 1]),
        step=(U + j * u <= R * (V + k * other), [U <= R * V, j <= R * k, u >= 0, k >= 0, R > 1]),
    )


@claim(
    "song2017.lem-A2",
    where="Lemma A.2",
    statement="For any pair (X_i=a,X_i=b), theta, w and x, X_Q the quilt of least score: "
    "p(F(X)+sigma_max Z=w, X_RuQ=x|X_i=a,theta) <= e^eps p(same|X_i=b,theta).",
    kind="lemma",
)
def quilt_bound(check: Check) -> None:
    """Prove it for exact influences; any upper bounds of them do as well."""
    proved(
        check, "as printed", EXACT, _quilt_bound, a_smaller_scale=partial(_quilt_bound, alone=True)
    )
    proved(
        check,
        BOUNDED,
        EXACT,
        partial(_quilt_bound, bounded=True),
        estimates_that_are_no_bounds=partial(_quilt_bound, bounded=True, below=True),
    )


def _quilt_bound(
    argument: Argument, alone: bool = False, bounded: bool = False, below: bool = False
) -> None:
    """f is the influence or its estimate in the score t of the quilt of least score, e the
    influence, s = sigma_max.
    """
    estimate = [f >= (e - 1 if below else e)] if bounded else [Eq(f, e)]
    largest = [] if alone else [s >= t]
    argument.inequality(
        "the scale is enough",
        "sigma_max is at least the least score t = n/(eps - f) of X_i, f < eps as t is finite",
        And(s * (eps - f) >= n, f >= e, f < eps),
        [*largest, Eq(t, n / (eps - f)), *estimate, eps > f, e >= 0, n >= 1, t > 0],
    )
    argument.cite(
        "any quilt", "for which the scale is enough, with D all records", "song2017.x-any-quilt"
    )


@claim(
    "song2017.mqm-private",
    where="II-D",
    statement="For 1-Lipschitz F, MQM is eps-Pufferfish in the framework of II-A (used for "
    "MQMExact and MQMApprox).",
    repair="song2017.mqm-private-repaired",
)
def private(check: Check) -> None:
    """Proved for exact influences; false for Lemma II.3 as printed, on a chain with a
    degenerate spectrum.
    """
    proved(check, "MQMExact", EXACT, _private, half_the_level=partial(_private, half=True))
    with check.reading(
        "MQMApprox, one-sided quilts by their term, {} with 0", DEGENERATE
    ) as argument:
        argument.counterexample("pairs of neighbouring bits", EXPLAINED, evidence(), leaks_more)
    name = "MQMApprox, all but two-sided quilts skipped"
    proved(
        check,
        name,
        "nothing is released: X_1 has no score",
        _silent,
        X_1_with_a_quilt=partial(_silent, allowed=True),
    )


EXPLAINED = (
    f"T = 60, e^eps = e^{EPSILON}; F counts the first bits. Lemma II.3 takes records 19 steps away "
    f"for nearly independent, and MQMApprox "
    "adds noise of scale below 41; at w -> -infinity the ratio for X_30 is E[e^(-F/sigma)|00] / "
    "E[e^(-F/sigma)|11] > e^eps"
)


def _silent(argument: Argument, allowed: bool = False) -> None:
    """Two-sided quilts of X_1 need a node X_(1-a) with a >= 1."""
    argument.inequality(
        "no quilt of X_1",
        "its score is a minimum over nothing, infinite: sigma_max is, and nothing is released",
        1 - a < 1,
        [a >= (0 if allowed else 1)],
    )


@claim(
    "song2017.mqm-private-repaired",
    where="II-D, repaired",
    statement="For 1-Lipschitz F, MQM is eps-Pufferfish in the framework of II-A if every score "
    "uses an upper bound of e_theta: the exact one, or that of Lemma II.3 if for every theta "
    "the chain is irreducible and 1 is a simple eigenvalue of P P* (infinite up to the "
    "threshold; one-sided quilts by their own term, {} with 0).",
    kind="repair of song2017.mqm-private",
)
def private_repaired(check: Check) -> None:
    """Prove it from Lemma A.2."""
    proved(check, "exact influences", EXACT, _private, half_the_level=partial(_private, half=True))
    name = "upper bounds, Lemma II.3 for a simple eigenvalue"
    proved(
        check,
        name,
        EXACT,
        partial(_private, approximate=True),
        half_the_level=partial(_private, half=True),
    )


def _private(argument: Argument, half: bool = False, approximate: bool = False) -> None:
    if approximate:
        argument.cite(
            "estimates",
            "are upper bounds then, also for one-sided quilts",
            "song2017.lem-II3-repaired",
            met=ASKED,
        )
    argument.cite(
        "given the rest",
        "a <= R b for every x: a, b are densities jointly with X_RuQ = x",
        "song2017.lem-A2",
    )
    bound = R - 1 if half else R
    argument.induction(
        "the rest forgotten",
        "A and B are the sums over the first x: A <= e^eps B for both orders of the secrets. "
        "(sigma_max is finite, as the empty quilt has the score T/eps.)",
        base=(A <= bound * B, [Eq(A, a), Eq(B, b), a <= R * b, a >= 0, b >= 0, R > 1]),
        step=(A + a <= bound * (B + b), [A <= R * B, a <= R * b, a >= 0, b >= 0, R > 1]),
    )
