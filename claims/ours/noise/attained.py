"""Where the largest ratio of likelihoods is, and two bounds of it, for noise whose density decays
exponentially.
"""

from pufferproof.claims.ours.noise.linked.law import CONSTANTS, SPREAD
from pufferproof.claims.ours.noise.statements import said
from pufferproof.claims.registry import Check, claim

FARTHEST, REACHED = "no value farther than G", "two constants at distance G"


@claim("noise.attained", where="Noise on queries", kind="theorem", says=said.LARGEST)
def attained(check: Check) -> None:
    """Coq moves one coordinate of an output after another to a value: between two values a density
    is a sum of those at both, beyond them it has another factor. Geometric noise is no exception
    [noise.discrete].
    """


@claim("noise.discrete", where="Noise on queries", kind="theorem", says=said.GEOMETRIC)
def discrete(check: Check) -> None:
    """Coq shows that both have the same likelihoods at integers, up to a constant, and that they
    leak most there.
    """


@claim("noise.law", where="Noise on queries", kind="lemma", says=said.ANY_NOISE)
def law(check: Check) -> None:
    """Coq sums over the values: p and q are the probabilities of a value given two secrets, K(v, w)
    the density of the output w about v.
    """


@claim(
    "noise.spread",
    where="Noise on queries",
    statement="Laplace noise leaks at most G/b if no value of F given s is farther than G (in L1) "
    "from one given s'; exactly G/b if F is constant given either secret, at distance G.",
    kind="theorem",
    says={FARTHEST: SPREAD, REACHED: CONSTANTS},
)
def spread(check: Check) -> None:
    """Prove the bound by the triangle inequality, and that two constants reach it at the output f,
    the only value given s.
    """
