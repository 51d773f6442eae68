"""Several releases of one query with noise that decays exponentially are made from a single one.

phi(n) is the product of a_j^|w_j - n| over the releases, a that of the decays a_j. For integers the
weights are

    m(x) = ((1 + a^2) phi(x) - a phi(x + 1) - a phi(x - 1)) / (1 - a^2),

for real numbers the density (rho^2 phi - phi'')/(2 rho) with rho = log(1/a), and masses at the w_j.
"""

from pufferproof.claims.ours.noise.statements import mixtures as says
from pufferproof.claims.registry import Check, claim

INTEGER, REAL, DELTA = "integer outputs", "real outputs", "deltas"


@claim(
    "noise.mixture",
    where="Noise on queries",
    statement="Let a be the product of the decays a_1, .., a_k in (0, 1). For all outputs w_1, .., "
    "w_k the product phi(n) of a_j^|w_j - n| is a mixture of a^|x - n| over numbers x with weights "
    "that are not negative: over integers if the outputs are integers, else over real numbers. The "
    "weights move with the outputs. So k releases of one query with such noise (geometric; "
    "Laplace) are made from a single one with the decay a, without the data: for every R the sum "
    "over all outputs of max(0, N - R D) is at most that of the single release.",
    kind="lemma",
    says={INTEGER: says.INTEGERS, REAL: says.REALS, DELTA: says.DELTAS},
)
def mixture(check: Check) -> None:
    """Prove it: invert the kernel a^|x - n|; log phi is concave and nowhere steeper than it.

    Integer outputs. |w - n| is convex in n and changes by at most 1 with n, so that log phi is
    concave, and nowhere steeper than a^|x - n|. With s = phi(n + 1)/phi(n), phi(n - 1)/phi(n) is at
    most 1/s, both are at least a, and (1 - a^2) m(n) = phi(n) (1 + a^2) - a phi(n + 1) - a phi(n -
    1) >= 0. Where all outputs are above n, phi(n - 1) = a phi(n) and m(n) = 0; summing from the
    left, phi(n - 1) - a phi(n) is the sum for n - 1, and likewise from the right: (1 - a^2) times
    the sum of m(x) a^|x - n| is phi(n) - a phi(n + 1) up to n, and phi(n) - a phi(n - 1) from n on,
    less the term of n.

    Real outputs. The slope of log phi is the sum of log(1/a_j) over outputs above x less that over
    outputs below, at most rho in size: between outputs phi'' = slope^2 phi, and the density, a
    multiple of rho^2 phi - phi'', is not negative. At an output phi' falls by 2 log(1/a_j) phi: the
    mass is that over 2 rho. Before n, with E = e^(rho (x - n)), E (rho phi - phi') has the
    derivative E (rho^2 phi - phi'') [lemma.mixture-before] and rises by E times the fall of phi' at
    an output; it is 0 below all outputs. After n, with E = e^(-rho (x - n)), likewise
    [lemma.mixture-behind]. At n both integrals of density and masses are left.

    Deltas. The sum of a^|x - n| over x is 1 + 2 a + 2 a^2 + .., and scale, the product of (1 -
    a_j)/(1 + a_j), times phi adds up to 1 over all outputs. Outputs that are moved together move
    their weights, so the sum of m(x) over all outputs does not depend on x: weight = m(x) scale (1
    + a)/(1 - a) adds up to 1 for each x. N - R D of k releases at their outputs is the sum of
    weight times that of the single one, never more than the sum of weight times its positive part.
    Laplace noise likewise, with integrals.
    """
