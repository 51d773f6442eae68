"""What couplings of the laws of a query say about noise on it: moments and deltas are averages.

A coupling moves the mass g_i from the value v_i, given s, to u_i, given s'. The likelihoods N(w)
and D(w) are the sums of g_i f(w | v_i) and g_i f(w | u_i), f(w | v) that of the noise about v.
"""

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.ours.noise.statements import couplings as says
from pufferproof.claims.registry import Check, claim

mass = letter("mass", "g_i", at_least(0))
gap, part = letters("gap part", "f(w | v_i) - K f(w | u_i), and its positive part")
excess, bound = letters(
    "excess bound", "the sums so far of g_i times the difference, and times its positive part"
)
delta, average = letters(
    "delta average", "the sums so far over outputs of max(0, N - K D), and of these bounds"
)
moment, pairs = letters(
    "moment pairs", "the sums so far over outputs of N^alpha D^(1 - alpha), and of the averages"
)
here, there = letters("here there", "N^alpha D^(1 - alpha) at one output, and the average there")
largest, most = letters("largest most", "max(0, N - K D) at one output, and the bound there")


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
    """Prove it by joint convexity: Hoelder's inequality, and positive parts of sums."""
    half = Edit("pairs", put={mass * part: mass * part / 2})
    scope = "all couplings of finite laws, all noise with finitely many outputs"
    proved(check, "as stated", scope, _coupling, half_of_a_part=half)


def _coupling(proof: Proof) -> None:
    proof.cite(
        "moments at an output",
        "alpha = m/n, p_i = g_i f(w | v_i) and q_i = g_i f(w | u_i): N^alpha D^(1 - alpha) is at "
        "most the sum of p_i^alpha q_i^(1 - alpha), which is g_i times that of the likelihoods. "
        "A p_i > 0 with q_i = 0 makes the right side infinite",
        "lemma.hoelder",
    )
    proof.summed(
        "moments",
        "over outputs",
        so_far=moment <= pairs,
        adding={moment: here, pairs: there},
        given=[here <= there],
    )
    proof.summed(
        "pairs",
        "N - K D is the sum of the differences, each at most its positive part",
        so_far=excess <= bound,
        adding={excess: mass * gap, bound: mass * part},
        given=[gap <= part],
    )
    proof.summed(
        "never negative",
        "so that the bound is at least max(0, N - K D)",
        so_far=0 <= bound,
        adding={bound: mass * part},
        given=[0 <= part],
    )
    proof.summed(
        "deltas",
        "over outputs",
        so_far=delta <= average,
        adding={delta: largest, average: most},
        given=[largest <= most],
    )
