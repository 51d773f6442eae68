"""Coordinates that are affine functions of one another: what several noisy releases of one query
tell together.

With outputs 0 and n >= 0 of two coordinates that are equal, h(x) = exp(-b|x| - a|n - x|) is the
product of the likelihoods given F = x, and exp(-rho|x - y|), rho = a + b, that of a single release
with output y. Claimed: h is a mixture of these over 0 <= y <= n, with the density 4ab h(y) inside
and the masses 2b h(0) and 2a h(n) at the ends, all divided by 2 rho: the measure (rho^2 h - h'')/(2
rho). Values may be any reals.
"""

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
    says={"r != 0": says.PARALLEL, "r = 0": says.CONSTANT},
)
def parallel(check: Check) -> None:
    """Prove that two likelihoods are a mixture of single ones, by integrating exponentials; a
    constant coordinate apart.

    R != 0. t_l^|w - c - r x| is the decay T = t_l^|r| per unit of |point - x|, point = (w - c)/r.
    The product h of both decays is a mixture of exp(-rho|x - y|): an integral of exp(-rho|x-y|)
    h(y) over y in [0, n] and both ends, inside by [lemma.parallel-inside] and outside by
    [lemma.parallel-before], with weights that are not negative; n < 0 is the mirror image. For
    every real y the ratio is at most the largest one, m, which is at a value of coordinate k, an
    output of geometric noise too; other coordinates are weights of values [noise.attained]. N_y <=
    m D_y for every y: so are their integrals, all continuous in y
    [textbook.Integrals.integrals_keep_order]. Reached: n = 0, where both outputs belong to one
    value, w = c + r k.

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


@claim(
    "noise.monotone",
    where="Noise on queries",
    statement="The leakage of Laplace noise never grows with its scale, nor that of geometric "
    "noise with its ratio.",
    kind="corollary",
    says=says.MONOTONE,
)
def monotone(check: Check) -> None:
    """Prove it: a smaller scale is a second release of the same query, and dropping a release
    leaks no more.

    A second release: small < scale: noise of the small scale has the rate 1/small = 1/scale +
    1/other for another scale, other > 0. Its rate: 1/scale + 1/other with other = small
    scale/(scale - small). Together: releases of the scales scale and other leak as one of the small
    scale [noise.parallel]. Dropping one: the likelihood of the first output alone is the sum, or a
    limit of sums, of joint ones [lemma.mediant].
    """
