"""Where the largest ratio of likelihoods is, and two bounds of it, for noise whose density decays
exponentially.
"""

from pufferproof.claims.ours.noise.linked.attained import ATTAINED
from pufferproof.claims.ours.noise.linked.discrete import DISCRETE
from pufferproof.claims.ours.noise.linked.law import CONSTANTS, LAW, SPREAD
from pufferproof.claims.ours.noise.statements import queries as says
from pufferproof.claims.registry import Check, claim

ONE = "one coordinate, the others fixed"
MANY = "several coordinates, also of several releases"
FARTHEST, REACHED = "no value farther than G", "two constants at distance G"


@claim(
    "noise.attained",
    where="Noise on queries",
    statement="Laplace noise on a query with finitely many values: the largest ratio of "
    "likelihoods is attained where every coordinate of the output is a value that this "
    "coordinate of the query takes under s or s'. Independent releases are one vector; "
    "geometric noise on integers is no exception.",
    kind="theorem",
    says={ONE: ATTAINED, MANY: says.SEVERAL},
)
def attained(check: Check) -> None:
    """Prove it: between neighbouring values the ratio is (A x + B)/(C x + D), beyond them it is
    constant.

    One coordinate, the others fixed. Likelihoods of the other coordinates are part of the weights
    p and q. Outputs may be any numbers, so that integers are no exception where values are
    integers.

    Several coordinates. Each is moved in turn to one of its values without lowering the ratio.
    """


@claim("noise.discrete", where="Noise on queries", kind="theorem", says=DISCRETE)
def discrete(check: Check) -> None:
    """Prove it: both noises have their largest ratio at values of the query, where constants
    cancel. Other coordinates are part of the weights p and q, so that each may have either noise.
    """


@claim("noise.law", where="Noise on queries", kind="lemma", says=LAW)
def law(check: Check) -> None:
    """Prove it term by term."""


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
