"""What couplings of the laws of a query say about noise on it: moments and deltas are averages.

A coupling moves the mass g_i from the value v_i, given s, to u_i, given s'. The likelihoods N(w)
and D(w) are the sums of g_i f(w | v_i) and g_i f(w | u_i), f(w | v) that of the noise about v.
"""

from sympy import Abs

from pufferproof.claims.language import Edit, Proof, at_least, letter, letters, proved
from pufferproof.claims.ours.noise.statements import couplings as says
from pufferproof.claims.registry import Check, claim

mass = letter("mass", "g_i", at_least(0))
gap, part = letters("gap part", "f(w | v_i) - K f(w | u_i), and its positive part")
excess, bound = letters(
    "excess bound", "the sums so far of g_i times the difference, and times its positive part"
)
near, there_near = letters(
    "near there_near", "f(w | v_i) and f(w | u), the densities of an output", at_least(0)
)
growth = letter("growth", "e^(|v_i - u|/b)", at_least(0))
inside, spread_mass = letters(
    "inside spread_mass", "the sums so far of g_i f(w | v_i), and of g_i e^(|v_i - u|/b)"
)
ratio, into = letters("ratio into", "r, and the mass that comes to u", at_least(0))
likely, less = letters("likely less", "the sums so far over values u, of N(w) and of D(w)")
apart, walk, back = letters("apart walk back", "the numbers v_i, u and w")
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


@claim(
    "noise.plan-mean",
    where="Noise on queries",
    statement="Let masses g_i, moved from v_i to u_i, be a coupling of the laws of a number F "
    "given s and given s'. If for every u the mean of e^(|v_i - u|/b) over the masses that come to "
    "u is at most r, then Laplace noise of scale b has N(w) <= r D(w) at every output.",
    kind="theorem",
    says=says.PLAN_MEAN,
)
def plan_mean(check: Check) -> None:
    """Prove it: density at v_i is at most that at u times e^(|v_i - u|/b), summed twice."""
    scope = "all couplings of finite laws of a number, all b > 0"
    whole = ratio * into * there_near
    half = Edit("the mean", put={whole: whole / 2})
    proved(check, "as stated", scope, _plan_mean, half_of_the_mean=half)


def _plan_mean(proof: Proof) -> None:
    proof.inequality(
        "one mass",
        "the density at w is prop. to e^(-|w - v|/b): b times the logarithm of its ratio at v_i "
        "and at u is |w - u| - |w - v_i|",
        Abs(back - walk) - Abs(back - apart) <= Abs(apart - walk),
    )
    proof.summed(
        "the masses that come to u",
        "so that f(w | v_i) <= e^(|v_i - u|/b) f(w | u)",
        so_far=inside <= there_near * spread_mass,
        adding={inside: mass * near, spread_mass: mass * growth},
        given=[near <= growth * there_near],
    )
    proof.inequality(
        "the mean",
        "is at most r: the masses that come to u sum to its probability given s'",
        inside <= ratio * (into * there_near),
        [inside <= there_near * spread_mass, spread_mass <= ratio * into],
    )
    proof.summed(
        "all values",
        "N(w) and D(w) are the sums over u",
        so_far=likely <= ratio * less,
        adding={likely: inside, less: into * there_near},
        given=[inside <= ratio * (into * there_near)],
    )


@claim(
    "noise.plan-farthest",
    where="Noise on queries",
    statement="Let masses g_i > 0, moved from v_i to u_i, be a coupling of the laws of a number F "
    "given s and given s'. If |v_i - u_i| <= b log(r) for all i, then Laplace noise of scale b has "
    "N(w) <= r D(w) at every output: noise calibrated to the sensitivity of a transport plan keeps "
    "its level.",
    kind="corollary",
    says=says.PLAN_FARTHEST,
)
def plan_farthest(check: Check) -> None:
    """Prove it: the mean of numbers that are at most r is at most r."""
    half = Edit("the mean: base", put={ratio * mass: ratio * mass / 2})
    scope = "all couplings of finite laws of a number, all b > 0"
    proved(check, "as stated", scope, _plan_farthest, half_of_the_ratio=half)


def _plan_farthest(proof: Proof) -> None:
    proof.summed(
        "the mean",
        "e^(|v_i - u|/b) is at most r at each mass that comes to u",
        so_far=spread_mass <= ratio * into,
        adding={spread_mass: mass * growth, into: mass},
        given=[growth <= ratio],
    )
    proof.cite("means are enough", "for all values u and all outputs", "noise.plan-mean")
