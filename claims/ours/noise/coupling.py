"""What couplings of the laws of a query say about noise on it: moments and deltas are averages.

A coupling moves the mass g_i from the value v_i, given s, to u_i, given s'. The likelihoods N(w)
and D(w) are the sums of g_i f(w | v_i) and g_i f(w | u_i), f(w | v) that of the noise about v.
"""

from pufferproof.claims.ours.noise.linked.plans import FARTHEST, MEAN
from pufferproof.claims.ours.noise.statements import couplings as says
from pufferproof.claims.registry import Check, claim


@claim(
    "noise.coupling",
    where="Noise on queries",
    statement="Let masses g_i, moved from v_i to u_i, be a coupling of the laws of F given s and "
    "given s'. For noise with finitely many outputs, rational alpha > 1 and K >= 0, the sum of "
    "N^alpha D^(1 - alpha) over outputs is at most the sum of g_i times that for the values v_i "
    "and u_i alone, and so is the sum of max(0, N - K D).",
    kind="lemma",
    says=says.COUPLING,
)
def coupling(check: Check) -> None:
    """Prove it by joint convexity: Hoelder's inequality, and positive parts of sums.

    Moments at an output: alpha = m/n, p_i = g_i f(w | v_i) and q_i = g_i f(w | u_i): N^alpha D^(1 -
    alpha) is at most the sum of p_i^alpha q_i^(1 - alpha), which is g_i times that of the
    likelihoods. A p_i > 0 with q_i = 0 makes the right side infinite [lemma.hoelder]. Moments: over
    outputs. Pairs: N - K D is the sum of the differences, each at most its positive part. Never
    negative: so that the bound is at least max(0, N - K D). Deltas: over outputs.
    """


@claim("noise.plan-mean", where="Noise on queries", kind="theorem", says=MEAN)
def plan_mean(check: Check) -> None:
    """Prove it: the density about v is at most e^(|v - u|/b) times that about u, summed twice."""


@claim("noise.plan-farthest", where="Noise on queries", kind="corollary", says=FARTHEST)
def plan_farthest(check: Check) -> None:
    """Prove it: noise calibrated to the sensitivity of a transport plan keeps its level t."""
