"""What Gaussian noise leaks: when it is finite, and why values on a line are scalars.

N(w) = sum_v p_v c_v V_v with c_v = exp(-v^2 / 2 sigma^2) > 0 and V_v = exp(w v / sigma^2), D the
same with q_v.
"""

from pufferproof.claims.ours.noise.linked.line import LINE
from pufferproof.claims.ours.noise.statements import gaussian as says
from pufferproof.claims.registry import Check, claim

BEYOND, WITHIN = "a value beyond all of the other secret", "the same extreme values"


@claim(
    "noise.gaussian-finite",
    where="Noise on queries",
    statement="Gaussian noise on a query with finitely many real values leaks a finite amount iff "
    "the query has the same smallest and the same largest value given either secret.",
    kind="theorem",
    says={BEYOND: says.FINITE, WITHIN: says.FINITE},
)
def gaussian_finite(check: Check) -> None:
    """Prove both directions: an extreme value dominates, and values in between are dominated.

    A value beyond all of the other secret. Above any m: V = V_v for the largest value v given s', D
    <= b V for w >= 0, b the sum of the q c; a larger value given s has beyond V growth in N, growth
    = exp(w g / sigma^2) for the gap g between the two: it exceeds m b/beyond.

    The same extreme values. Between the extremes: M = V_v for a value v between the smallest, L =
    V_l, and the largest, H = V_h: powers of one number, in order or in reverse. One term: term is
    its p c, and both of q c at the extremes are at least the least. All terms: N is their sum, at
    most m D with m the sum of term/least [lemma.mediant].
    """


@claim("noise.gaussian-line", where="Noise on queries", kind="theorem", says=LINE)
def gaussian_line(check: Check) -> None:
    """Prove it by completing the square: the output w acts as the output Q/P of tau with noise of
    variance 1/P, and what is left is the same for all values. Engines prove its formulas alone
    [lemma.line-one-more], [lemma.line-square].
    """
