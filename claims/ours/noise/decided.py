"""Why a level is always decided for noise that decays exponentially: normal forms of
exponential sums.
"""

from pufferproof.claims.ours.noise.statements import decided as says
from pufferproof.claims.registry import Check, claim

RATIONAL, LOGARITHM = "rational scales", "scales k / log(r)"


@claim(
    "noise.decided",
    where="Noise on queries",
    statement="Let a query with finitely many rational values, in any number of coordinates, have "
    "noise that decays exponentially, all its scales rational, or all of the form k/log(r) "
    "with integers k >= 1 and rational r > 1, and let the priors be rational. Then each "
    "likelihood at a value of the query is a sum of rational multiples of rational powers of "
    "Euler's number, or of roots of rationals; and a ratio of two of them equals e^epsilon, "
    "for epsilon rational or log of a rational, iff the coefficients of the normal forms of "
    "both sides agree. With scale k/log(r) the leakage is the logarithm of a rational if k "
    "divides all differences of values.",
    kind="theorem",
    says={RATIONAL: says.RATIONAL, LOGARITHM: says.LOGARITHM},
)
def decided(check: Check) -> None:
    """Reduce equality to a polynomial in one number that no polynomial has as a root, or to
    independent roots.

    Rational scales. All exponents are multiples of 1/m: with T = e^(1/m) the sum N - e^epsilon D,
    times a power of T, is a polynomial in T with rational coefficients. T is transcendental: the
    sum is 0 iff all coefficients are, terms with the same exponent added.

    Scales k / log(r). t^k = 1/r: exponents become rational numbers and roots of them. Products of
    powers of different primes with exponents in [0, 1) are linearly independent over the rationals,
    and powers of e with different rational exponents over the algebraic numbers.
    """
