"""The Markov Quilt Mechanism on a chain keeps its level: lemma A.2, MQM with exact influences, and
MQM with Lemma II.3.

For a quilt with n = card(X_N) and influence e: sigma (eps - e) >= n. The proof works with any quilt
and any upper bound of its influence for which the scale is enough (`x-any-quilt`); the estimates of
Lemma II.3 are no upper bounds where its repair does not hold. Source: song2017, II-D, appendix A-C.
"""

from pufferproof.claims.papers.song2017 import said
from pufferproof.claims.papers.song2017.estimated import said as estimated
from pufferproof.claims.papers.song2017.mechanism.approximate import (
    DEGENERATE,
    EPSILON,
    evidence,
    leaks_more,
)
from pufferproof.claims.papers.song2017.mechanism.linked import CONSTANT, NOISE, RESCALED
from pufferproof.claims.papers.song2017.mechanism.said import JOINT
from pufferproof.claims.papers.song2017.statements import influence as said_influence
from pufferproof.claims.registry import Check, claim

NOTATION = {
    "n": "a number of records",
    "L": "a Lipschitz constant",
}


@claim(
    "song2017.lipschitz-scaling",
    where="II-D",
    statement="Any Lipschitz function can be rescaled to a 1-Lipschitz one.",
    kind="remark",
    says={"L > 0": RESCALED, "L = 0": CONSTANT},
)
def scaling(check: Check) -> None:
    """Divide by L > 0; a function with L = 0 is constant, and 1-Lipschitz as it is."""


@claim("song2017.x-noise", where="Lemma A.2, used silently", kind="lemma", says=NOISE)
def noise(check: Check) -> None:
    """Add up the changes of all records and coordinates: F changes by at most 1 with each record,
    in L1, and the exponents by as much.
    """


@claim(
    "song2017.III7-ratio2",
    where="Appendix A-B",
    statement="P(X_RuQ=x|X_i=a)/P(X_RuQ=x|X_i=b) <= exp(e_theta(X_Q|X_i)) for a quilt X_Q with "
    "remote set R.",
    kind="proof step",
    says={"as printed": said_influence.REMOTE_RATIO},
)
def ratio2(check: Check) -> None:
    """Prove it: the chance of the remote outcome given the quilt is a common factor.

    Separated: u = P(X_R=x_R|X_Q=x_Q,X_i=a) is the same for all a [song2017.x-separated]. Common
    factor: a side with q_a = 0 or q_b = 0 is 0.
    """


@claim(
    "song2017.x-any-quilt",
    where="Lemma A.2, for any quilt and together with another release",
    kind="lemma",
    says={"as stated": said.ANY_QUILT},
)
def any_quilt(check: Check) -> None:
    """Bound the densities at two values of X_N, average, and add the influence: no scores are
    compared. The other release N reads records of X_RuQ only, with coins of its own, so that these
    determine the density of its output. If F reads n records of X_N and is 1-Lipschitz, m = n.
    """
    check.stated("as stated")


@claim(
    "song2017.lem-A2",
    where="Lemma A.2",
    kind="lemma",
    says={"as printed": JOINT},
)
def quilt_bound(check: Check) -> None:
    """Use that sigma_max is at least the least score of X_i, m/(eps - e), which is the score of the
    quilt of the print; the lemma holds for every quilt with a score of at most sigma_max. Any upper
    bound of the influence does for e.
    """
    check.stated("as printed")


@claim(
    "song2017.mqm-private",
    where="II-D",
    statement="For 1-Lipschitz F, MQM is eps-Pufferfish in the framework of II-A (used for "
    "MQMExact and MQMApprox).",
    repair="song2017.mqm-private-repaired",
    says={
        "MQMExact": said.ALONE,
        "MQMApprox, all but two-sided quilts skipped: no finite scale": estimated.UNSCORED,
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
    check.stated("MQMApprox, all but two-sided quilts skipped: no finite scale")


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
        "upper bounds, Lemma II.3 for a simple eigenvalue": estimated.ESTIMATED_ONCE,
    },
)
def private_repaired(check: Check) -> None:
    """Coq proves it for any upper bounds; those of Lemma II.3 are some.

    Coq has one l and one s for all chains of the class; as a promise is kept prior by prior, it
    is enough to take a class of one chain, with its own pimin and gap.

    Estimates: are upper bounds then, also for one-sided quilts [song2017.lem-II3-repaired]. Given
    the rest: j <= R k for every x: densities jointly with X_RuQ = x [song2017.lem-A2]. The rest
    forgotten: sums over the first x, for both orders of the secrets. (sigma_max is finite, as the
    empty quilt has the score T/eps.).
    """
    check.stated("exact influences")
    check.stated("upper bounds, Lemma II.3 for a simple eigenvalue")
