"""Coordinates that are affine functions of one another: what several noisy releases of one query
tell together.
"""

from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.ours.noise.statements import said
from pufferproof.claims.registry import Check, claim


@claim("noise.parallel", where="Noise on queries", kind="theorem", says=said.PARALLEL)
def parallel(check: Check) -> None:
    """Coq writes both likelihoods as a sum of single ones with weights that are not negative: as a
    function of a value, their exponent is concave and nowhere steeper than that of the one scale.
    Geometric noise of integers leaks as Laplace noise does [noise.discrete].
    """


@claim(
    "noise.runs",
    where="Noise on queries",
    statement="K independent releases of one query with Laplace noise of scale b leak exactly as "
    "one release of scale b/K; a histogram of two values with scale b leaks as the count of "
    "one of them with scale b/2.",
    kind="corollary",
    says={"K releases": says.RUNS, "a histogram of two values": says.HISTOGRAM},
)
def runs(check: Check) -> None:
    """Prove it by merging coordinate after coordinate: rates 1/b add.

    K releases. Two coordinates: equal ones: c = 0, r = 1, and the decays multiply [noise.parallel].
    Rates add: total = K/scale is the rate of K releases merged, one more has rate 1/scale.

    A histogram of two values. Two counts: n - k and k: c = n, r = -1 [noise.parallel]. The rate:
    1/scale + |-1|/scale.
    """


@claim("noise.monotone", where="Noise on queries", kind="corollary", says=said.LARGER_SCALES)
def monotone(check: Check) -> None:
    """Coq writes noise of a larger scale as a sum of that of a smaller one with weights that are
    not negative, one coordinate after another.
    """
