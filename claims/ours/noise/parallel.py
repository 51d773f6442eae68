"""Coordinates that are affine functions of one another: what several noisy releases of one query
tell together.
"""

from pufferproof.claims.ours.noise.linked.mixed import MONOTONE
from pufferproof.claims.ours.noise.linked.parallel import CONSTANT, PARALLEL
from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.registry import Check, claim


@claim(
    "noise.parallel",
    where="Noise on queries",
    statement="If coordinate l of a query is c + r times coordinate k under every secret, then "
    "with exponentially decaying noise (Laplace; geometric, where values are integers) the two "
    "leak exactly as coordinate k alone does with decay t_k t_l^|r|, whatever the others are; "
    "c and r are any reals, r = 0 included.",
    kind="theorem",
    says={"r != 0": PARALLEL, "r = 0": CONSTANT},
)
def parallel(check: Check) -> None:
    """Prove that two likelihoods are a sum of single ones with weights that are not negative; a
    constant coordinate apart.

    R != 0. As a function of a value, the exponent of both is concave and nowhere steeper than that
    of one at the rate log(1/t_k) + |r| log(1/t_l), so that weights are not negative, by the
    inequality of means. The outputs are any that all values are among, those of geometric noise
    too; other coordinates are part of the weights p and q.

    R = 0. The likelihood of a constant coordinate is a common factor.
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


@claim("noise.monotone", where="Noise on queries", kind="corollary", says=MONOTONE)
def monotone(check: Check) -> None:
    """Prove it: noise of a larger scale is a sum of that of a smaller one with weights that are not
    negative. Coordinates are taken one after another, the others being part of the weights p and q.
    """
