"""The Markov Quilt Mechanism on a chain keeps its level: lemma A.2, MQM with exact influences, and
MQM with Lemma II.3.

For a quilt with n = card(X_N) and influence e: sigma (eps - e) >= n. The proof works with any quilt
and any upper bound of its influence for which the scale is enough (`x-any-quilt`); the estimates of
Lemma II.3 are no upper bounds where its repair does not hold. Source: song2017, II-D, appendix A-C.
"""

from functools import partial

import sympy
from sympy import And, Eq, Or

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    EPSILON,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.eigengap import ASKED
from pufferproof.claims.papers.song2017.mechanism.quilts import A_QUILT
from pufferproof.claims.papers.song2017.statements import bounds as said_bounds
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.papers.song2017.statements import noise as said_noise
from pufferproof.claims.registry import Check, claim

L = letter("L", "a Lipschitz constant")
divisor = letter("divisor", "what F is divided by")
change = letter("change", "the change of F, if one record changes", at_least(0))
eps = letter("epsilon", "the level")
e = letter("e", "the influence of the quilt")
f = letter("f", "an upper bound of the influence of the quilt")
sigma = letter("sigma", "the scale of the noise")
n = letter("n", "a number of records")
score = letter("score", "the least score of X_i")
distance = letter("distance", "how far the left node of a quilt is from X_i")

d = letter("d", "the L1 norm of the change of F so far: over records, or over coordinates")
more = letter("more", "the change of F by the next record")
w_j, x_j, y_j = letters("w_j x_j y_j", "a coordinate of an output, and of F at two databases")
off_x, off_y, move = letters("off_x off_y move", "|w_j - x_j|, |w_j - y_j|, |x_j - y_j|")
norm_x, norm_y = letters("norm_x norm_y", "sums of |w_j - x_j|, |w_j - y_j| over the first j")

r = letter("r", "e to the influence of the quilt", at_least(1))
u = letter("u", "P(X_R=x_R|X_Q=x_Q,X_i=a); or the density of the other release", at_least(0))
v = letter("v", "the same as u, for another secret")
q_a, q_b = letters("q_a q_b", "P(X_Q=x_Q|X_i=a), P(X_Q=x_Q|X_i=b)", at_least(0))
rq_a, rq_b = letters("rq_a rq_b", "P(X_RuQ=x|X_i=a), P(X_RuQ=x|X_i=b)")
K, M, R = letters("K M R", "e^(eps - f), e^f and e^eps")
A, B = letters("A B", "densities of w given x and X_i = a, X_i = b, averages over X_N", at_least(0))
p, q = letters("p q", "chances of x given X_i = a, X_i = b", at_least(0))
j, k = letters("j k", "densities of w and x given X_i = a, X_i = b")
U, V = letters("U V", "sums over the first x of j u, k u; or of j, k")
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
    says={"L > 0": said_noise.SCALED, "L = 0": said_noise.CONSTANT},
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
        a_smaller_divisor=Edit("divide by L", without=Eq(divisor, L), given=Eq(divisor, L / 2)),
    )
    positive = Edit("no change", without=Eq(L, 0), given=L >= 0)
    proved(check, "L = 0", "constant functions", _constant, L_positive=positive)


def _scaled(proof: Proof) -> None:
    proof.inequality(
        "divide by L",
        "the change of F is at most L for one record",
        change / divisor <= 1,
        [change <= L, L > 0, Eq(divisor, L)],
    )


def _constant(proof: Proof) -> None:
    proof.inequality("no change", "at most 0", change <= 1, [change <= L, Eq(L, 0)])


@claim(
    "song2017.x-noise",
    where="Lemma A.2, used silently",
    statement="Let F be 1-Lipschitz, n the number of records of X_N that F reads, 0 <= e < eps and "
    "sigma (eps - e) >= n. If all records but X_N are fixed, the densities of F(X) + sigma Z "
    "at any w for any two values of X_N differ by at most a factor e^(eps - e).",
    kind="lemma",
    says=said_noise.NOISE,
)
def noise(check: Check) -> None:
    """Prove it: F changes by at most 1 per record, the exponent by as much, in every norm."""
    short = Edit(
        "the logarithm of the ratio, times sigma",
        without=sigma * (eps - e) >= n,
        given=sigma * (eps - e) >= n - 1,
    )
    proved(check, "as stated", EXACT, _noise, sigma_one_record_short=short)


def _noise(proof: Proof) -> None:
    proof.induction(
        "n records changed one after the other",
        "F changes by at most 1 with each record",
        base=(d <= n, [Eq(d, 0), Eq(n, 0)]),
        step=(d + more <= n + 1, [d <= n, more <= 1]),
    )
    proof.inequality(
        "one coordinate",
        "|w_j - y_j| - |w_j - x_j| <= |x_j - y_j|",
        off_y - off_x <= move,
        [*_absolute(off_x, w_j - x_j), *_absolute(off_y, w_j - y_j), *_absolute(move, x_j - y_j)],
    )
    proof.summed(
        "more coordinates",
        "of the L1 norms of all differences",
        so_far=norm_y - norm_x <= d,
        adding={norm_x: off_x, norm_y: off_y, d: move},
        given=[off_y - off_x <= move],
    )
    proof.inequality(
        "the logarithm of the ratio, times sigma",
        "d <= n <= sigma (eps - e); exp is increasing",
        norm_y - norm_x <= sigma * (eps - e),
        [norm_y - norm_x <= d, d <= n, sigma * (eps - e) >= n, sigma > 0, eps > e, e >= 0],
    )


def _absolute(value: sympy.Symbol, of: sympy.Expr) -> list[sympy.Basic]:
    return [value >= of, value >= -of, Or(Eq(value, of), Eq(value, -of))]


@claim(
    "song2017.III7-ratio2",
    where="Appendix A-B",
    statement="P(X_RuQ=x|X_i=a)/P(X_RuQ=x|X_i=b) <= exp(e_theta(X_Q|X_i)) for a quilt X_Q with "
    "remote set R.",
    kind="proof step",
    says=said_influence.REMOTE_RATIO,
)
def ratio2(check: Check) -> None:
    """Prove it: the chance of the remote outcome given the quilt is a common factor."""
    past = Edit("common factor", without=Eq(rq_b, u * q_b), given=[Eq(rq_b, v * q_b), v >= 0])
    proved(
        check,
        "as printed",
        "all finite chains, zeros included",
        _ratio2,
        R_seen_past_the_quilt=past,
    )


def _ratio2(proof: Proof) -> None:
    proof.cite(
        "separated",
        "u = P(X_R=x_R|X_Q=x_Q,X_i=a) is the same for all a",
        "song2017.x-separated",
        met=A_QUILT,
    )
    proof.inequality(
        "common factor",
        "a side with q_a = 0 or q_b = 0 is 0",
        rq_a <= r * rq_b,
        [Eq(rq_a, u * q_a), Eq(rq_b, u * q_b), q_a <= r * q_b],
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
    says=said_noise.ANY_QUILT,
)
def any_quilt(check: Check) -> None:
    """Prove it for exact influences and for upper bounds of them alike: no score is compared
    with another one here.
    """
    name = "the other release, and x forgotten"
    proved(
        check,
        "as stated",
        EXACT,
        _any_quilt,
        without_the_influence=Edit("both factors", instead=j <= K * k),
        an_estimate_that_is_no_bound=Edit("both factors", without=r <= M, given=r <= 2 * M),
        another_mechanism_that_reads_X_N=[
            Edit(f"{name}: base", instead=j * u <= R * k * v),
            Edit(f"{name}: step", put={k * u: k * v}),
        ],
    )


def _any_quilt(proof: Proof) -> None:
    proof.cite(
        "noise",
        "densities at two values of X_N are within K = e^(eps - f), as s (eps - f) >= n",
        "song2017.x-noise",
    )
    proof.cite(
        "averages",
        "over the laws of X_N given x and X_i, which sum to 1: A <= K B",
        "song2017.x-averages",
    )
    proof.cite("quilt", "p <= r q, r = e^e_theta", "song2017.III7-ratio2")
    proof.inequality(
        "both factors",
        "densities of w and x are products",
        j <= R * k,
        [
            Eq(j, A * p),
            Eq(k, B * q),
            A <= K * B,
            p <= r * q,
            r <= M,
            Eq(K * M, R),
            K > 1,
            M >= 1,
        ],
    )
    proof.summed(
        "the other release, and x forgotten",
        "u is the density of the other mechanism at w', which x determines",
        so_far=U <= R * V,
        adding={U: j * u, V: k * u},
        given=[j <= R * k, k >= 0, R > 1],
    )


@claim(
    "song2017.lem-A2",
    where="Lemma A.2",
    statement="For any pair (X_i=a,X_i=b), theta, w and x, X_Q the quilt of least score: "
    "p(F(X)+sigma_max Z=w, X_RuQ=x|X_i=a,theta) <= e^eps p(same|X_i=b,theta).",
    kind="lemma",
    says={"as printed": said_noise.LEMMA_A2, BOUNDED: said_noise.LEMMA_A2_BOUNDS},
)
def quilt_bound(check: Check) -> None:
    """Prove it for exact influences; any upper bounds of them do as well."""
    proved(
        check,
        "as printed",
        EXACT,
        partial(_quilt_bound, estimate=Eq(f, e)),
        a_smaller_scale=Edit("the scale is enough", without=sigma >= score),
    )
    proved(
        check,
        BOUNDED,
        EXACT,
        partial(_quilt_bound, estimate=f >= e),
        estimates_that_are_no_bounds=Edit("the scale is enough", without=f >= e, given=f >= e - 1),
    )


def _quilt_bound(proof: Proof, estimate: sympy.Basic) -> None:
    """f is the influence or its estimate in the score of the quilt of least score."""
    proof.inequality(
        "the scale is enough",
        "sigma_max is at least the least score n/(eps - f) of X_i, f < eps as it is finite",
        And(sigma * (eps - f) >= n, f >= e, f < eps),
        [
            sigma >= score,
            Eq(score, n / (eps - f)),
            estimate,
            eps > f,
            e >= 0,
            n >= 1,
            score > 0,
        ],
    )
    proof.cite(
        "any quilt", "for which the scale is enough, with D all records", "song2017.x-any-quilt"
    )


HALF = Edit("the rest forgotten", put={R: R - 1})


@claim(
    "song2017.mqm-private",
    where="II-D",
    statement="For 1-Lipschitz F, MQM is eps-Pufferfish in the framework of II-A (used for "
    "MQMExact and MQMApprox).",
    repair="song2017.mqm-private-repaired",
    says={
        "MQMExact": said.ALONE,
        "MQMApprox, all but two-sided quilts skipped": said_noise.NOTHING_RELEASED,
    },
)
def private(check: Check) -> None:
    """Proved for exact influences; false for Lemma II.3 as printed, on a chain with a
    degenerate spectrum.
    """
    check.stated("MQMExact")
    with check.reading("MQMApprox, one-sided quilts by their term, {} with 0", DEGENERATE) as proof:
        proof.counterexample("pairs of neighbouring bits", EXPLAINED, evidence(), leaks_more)
    proved(
        check,
        "MQMApprox, all but two-sided quilts skipped",
        "nothing is released: X_1 has no score",
        _silent,
        X_1_with_a_quilt=Edit("no quilt of X_1", without=distance >= 1, given=distance >= 0),
    )


EXPLAINED = (
    f"T = 60, e^eps = e^{EPSILON}; F counts the first bits. Lemma II.3 takes records 19 steps away "
    f"for nearly independent, and MQMApprox "
    "adds noise of scale below 41; at w -> -infinity the ratio for X_30 is E[e^(-F/sigma)|00] / "
    "E[e^(-F/sigma)|11] > e^eps"
)


def _silent(proof: Proof) -> None:
    """Two-sided quilts of X_1 need a node X_(1-a) with a >= 1."""
    proof.inequality(
        "no quilt of X_1",
        "its score is a minimum over nothing, infinite: sigma_max is, and nothing is released",
        1 - distance < 1,
        [distance >= 1],
    )


@claim(
    "song2017.mqm-private-repaired",
    where="II-D, repaired",
    statement="For 1-Lipschitz F, MQM is eps-Pufferfish in the framework of II-A if every score "
    "uses an upper bound of e_theta: the exact one, or that of Lemma II.3 if for every theta "
    "the chain is irreducible and 1 is a simple eigenvalue of P P* (infinite up to the "
    "threshold; one-sided quilts by their own term, {} with 0).",
    kind="repair of song2017.mqm-private",
    says={
        "exact influences": said.ALONE,
        "upper bounds, Lemma II.3 for a simple eigenvalue": said_bounds.APPROXIMATE,
    },
)
def private_repaired(check: Check) -> None:
    """Coq proves it for any upper bounds; those of Lemma II.3 are some."""
    check.stated("exact influences")
    name = "upper bounds, Lemma II.3 for a simple eigenvalue"
    proved(check, name, EXACT, _approximate, half_the_level=HALF)


def _approximate(proof: Proof) -> None:
    proof.cite(
        "estimates",
        "are upper bounds then, also for one-sided quilts",
        "song2017.lem-II3-repaired",
        met=ASKED,
    )
    _private(proof)


def _private(proof: Proof) -> None:
    proof.cite(
        "given the rest",
        "j <= R k for every x: densities jointly with X_RuQ = x",
        "song2017.lem-A2",
    )
    proof.summed(
        "the rest forgotten",
        "sums over the first x, for both orders of the secrets. (sigma_max is finite, as the empty "
        "quilt has the score T/eps.)",
        so_far=U <= R * V,
        adding={U: j, V: k},
        given=[j <= R * k, j >= 0, k >= 0, R > 1],
    )
