"""What couplings of the laws of a query say about noise on it: moments and deltas are averages.

A coupling moves the mass g_i from the value v_i, given s, to u_i, given s'. The likelihoods N(w)
and D(w) are the sums of g_i f(w | v_i) and g_i f(w | u_i), f(w | v) that of the noise about v.
"""

from pufferproof.claims.ours.noise.linked.plans import FARTHEST, MEAN
from pufferproof.claims.ours.noise.statements import said
from pufferproof.claims.registry import Check, claim


@claim("noise.coupling", where="Noise on queries", kind="lemma", says=said.COUPLING)
def coupling(check: Check) -> None:
    """Coq adds up tangents of a power, and positive parts: both functions are jointly convex.

    The g_i are the masses of a coupling of the laws of F given s and given s', A_i and C_i the laws
    of the noise about the values v_i and u_i that it pairs; so N is the sum of g_i A_i, and D that
    of g_i C_i. W may be one output: so it holds at each output, and for densities the integrals
    over all outputs compare as well.
    """


@claim("noise.plan-mean", where="Noise on queries", kind="theorem", says=MEAN)
def plan_mean(check: Check) -> None:
    """Prove it: the density about v is at most e^(|v - u|/b) times that about u, summed twice."""


@claim("noise.plan-farthest", where="Noise on queries", kind="corollary", says=FARTHEST)
def plan_farthest(check: Check) -> None:
    """Prove it: noise calibrated to the sensitivity of a transport plan keeps its level t."""
