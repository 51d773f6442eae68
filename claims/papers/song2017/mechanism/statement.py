"""The Markov Quilt Mechanism on a chain keeps its level: lemma A.2, MQM with exact influences, and
MQM with Lemma II.3.

For a quilt with n = card(X_N) and influence e: sigma (eps - e) >= n. The proof works with any quilt
and any upper bound of its influence for which the scale is enough (`x-any-quilt`); the estimates of
Lemma II.3 are no upper bounds where its repair does not hold. Source: song2017, II-D, appendix A-C.
"""

from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.mechanism.any_quilt import ANY_QUILT
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    EPSILON,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.linked import NOISE
from pufferproof.claims.papers.song2017.statements import bounds as said_bounds
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.papers.song2017.statements import noise as said_noise
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "D": "the database; in x-any-quilt the set of records that F reads, X_D these records",
    "f": "an upper bound of the influence of the quilt",
    "s": "a scale of noise",
    "n": "a number of records",
    "L": "a Lipschitz constant",
}
BOUNDED = (
    "e_theta replaced by any upper bounds of it (as Lemma II.3 gives where 1 is a simple "
    "eigenvalue of P P*)"
)

ONE_COORDINATE = "one coordinate, densities at an output"
BOTH_OUTPUTS = "one coordinate, densities at both outputs"


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

    L > 0. Divide by L: the change of F is at most L for one record.

    L = 0. No change: at most 0.
    """
    check.tried("L > 0")
    check.tried("L = 0")


@claim(
    "song2017.x-noise",
    where="Lemma A.2, used silently",
    statement="Let F be 1-Lipschitz, n the number of records of X_N that F reads, 0 <= e < eps and "
    "sigma (eps - e) >= n. If all records but X_N are fixed, the densities of F(X) + sigma Z "
    "at any w for any two values of X_N differ by at most a factor e^(eps - e).",
    kind="lemma",
    says={"as stated": said_noise.NOISE, ONE_COORDINATE: NOISE},
)
def noise(check: Check) -> None:
    """Prove it: F changes by at most 1 per record, the exponent by as much, in every norm.

    N records changed one after the other: F changes by at most 1 with each record. One coordinate:
    |w_j - y_j| - |w_j - x_j| <= |x_j - y_j|. More coordinates: of the L1 norms of all differences.
    The logarithm of the ratio, times sigma: d <= n <= sigma (eps - e); exp is increasing.
    """
    check.tried("as stated")
    check.linked(ONE_COORDINATE)


@claim(
    "song2017.III7-ratio2",
    where="Appendix A-B",
    statement="P(X_RuQ=x|X_i=a)/P(X_RuQ=x|X_i=b) <= exp(e_theta(X_Q|X_i)) for a quilt X_Q with "
    "remote set R.",
    kind="proof step",
    says=said_influence.REMOTE_RATIO,
)
def ratio2(check: Check) -> None:
    """Prove it: the chance of the remote outcome given the quilt is a common factor.

    Separated: u = P(X_R=x_R|X_Q=x_Q,X_i=a) is the same for all a [song2017.x-separated]. Common
    factor: a side with q_a = 0 or q_b = 0 is 0.
    """
    check.tried("as printed")


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
    says={"as stated": said_noise.ANY_QUILT, BOTH_OUTPUTS: ANY_QUILT},
)
def any_quilt(check: Check) -> None:
    """Prove it for exact influences and for upper bounds of them alike: no score is compared
    with another one here.

    Noise: densities at two values of X_N are within K = e^(eps - f), as s (eps - f) >= n
    [song2017.x-noise]. Averages: over the laws of X_N given x and X_i, which sum to 1: A <= K B
    [song2017.x-averages]. Quilt: p <= r q, r = e^e_theta [song2017.III7-ratio2]. Both factors:
    densities of w and x are products. The other release, and x forgotten: u is the density of the
    other mechanism at w', which x determines.
    """
    check.tried("as stated")
    check.linked(BOTH_OUTPUTS)


@claim(
    "song2017.lem-A2",
    where="Lemma A.2",
    statement="For any pair (X_i=a,X_i=b), theta, w and x, X_Q the quilt of least score: "
    "p(F(X)+sigma_max Z=w, X_RuQ=x|X_i=a,theta) <= e^eps p(same|X_i=b,theta).",
    kind="lemma",
    says={"as printed": said_noise.LEMMA_A2, BOUNDED: said_noise.LEMMA_A2_BOUNDS},
)
def quilt_bound(check: Check) -> None:
    """Prove it for exact influences; any upper bounds of them do as well.

    The scale is enough: sigma_max is at least the least score n/(eps - f) of X_i, f < eps as it is
    finite. Any quilt: for which the scale is enough, with D all records [song2017.x-any-quilt].
    """
    check.tried("as printed")
    check.tried(BOUNDED)


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

    No quilt of X_1: its score is a minimum over nothing, infinite: sigma_max is, and nothing is
    released.
    """
    check.stated("MQMExact")
    with check.reading("MQMApprox, one-sided quilts by their term, {} with 0", DEGENERATE) as proof:
        proof.counterexample(
            "pairs of neighbouring bits", f"T = 60, {EXPLAINED}", evidence(), leaks_more
        )
    check.tried("MQMApprox, all but two-sided quilts skipped")


EXPLAINED = (
    f"e^eps = e^{EPSILON}; F counts the first bits. Lemma II.3 takes records 19 steps away "
    f"for nearly independent, and MQMApprox "
    "adds noise of scale below 41; at w -> -infinity the ratio for X_30 is E[e^(-F/sigma)|00] / "
    "E[e^(-F/sigma)|11] > e^eps"
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
    """Coq proves it for any upper bounds; those of Lemma II.3 are some.

    Estimates: are upper bounds then, also for one-sided quilts [song2017.lem-II3-repaired]. Given
    the rest: j <= R k for every x: densities jointly with X_RuQ = x [song2017.lem-A2]. The rest
    forgotten: sums over the first x, for both orders of the secrets. (sigma_max is finite, as the
    empty quilt has the score T/eps.).
    """
    check.stated("exact influences")
    name = "upper bounds, Lemma II.3 for a simple eigenvalue"
    check.tried(name)
