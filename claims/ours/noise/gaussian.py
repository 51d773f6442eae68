"""What Gaussian noise leaks: when it is finite, and why values on a line are scalars.

N(w) = sum_v p_v c_v V_v with c_v = exp(-v^2 / 2 sigma^2) > 0 and V_v = exp(w v / sigma^2), D the
same with q_v.
"""

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
    check.tried(BEYOND)
    check.tried(WITHIN)


@claim(
    "noise.gaussian-line",
    where="Noise on queries",
    statement="If the values of a query lie on a line, v + tau d, Gaussian noise of variances "
    "sigma_k leaks exactly as Gaussian noise of variance 1/P on tau, P = sum_k d_k^2 / sigma_k.",
    kind="theorem",
    says=says.LINE,
)
def gaussian_line(check: Check) -> None:
    """Prove it by completing the square, coordinate after coordinate.

    One more coordinate: The exponent is -1/2 times P tau^2 - 2 Q tau + S: it starts from 0, and a
    coordinate with w - v = y adds (y - tau d)^2 / sigma. Completing the square: the output w acts
    as the output Q/P of the query tau; the rest is the same for all values. Every output of tau
    occurs: at w = v + place d the coordinates have y = place d, hence Q = place P.

    Engines prove its formulas [lemma.line-one-more], [lemma.line-square].
    """
    check.tried("as stated")
