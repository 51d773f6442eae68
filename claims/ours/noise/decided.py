"""Why a level is always decided for noise that decays exponentially: normal forms of
exponential sums.
"""

from pufferproof.claims.language import Edit, Proof, letter, letters, proved
from pufferproof.claims.ours.noise.statements import decided as says
from pufferproof.claims.registry import Check, claim

T = letter("T", "e^(1/m), or t^k")
c, e = letters("c e", "coefficients of an exponential sum")
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
    """
    wrongly = Edit("one number", put={T**3: T**4})
    scope = "all rational values, probabilities and scales"
    proved(check, RATIONAL, scope, _rational, exponents_added_wrongly=wrongly)
    half = Edit("rational likelihoods", instead="(1/(1/T))**3")
    scope = "all rational values and probabilities, all k and r > 1"
    proved(check, LOGARITHM, scope, _logarithm, half_a_step=half)


def _rational(proof: Proof) -> None:
    proof.identity(
        "one number",
        "All exponents are multiples of 1/m: with T = e^(1/m) the sum N - e^epsilon D, times a "
        "power of T, is a polynomial in T with rational coefficients; terms with the same exponent "
        "are added",
        (c * T**2 + e / T) * T,
        c * T**3 + e,
    )
    proof.assume(
        "T is transcendental",
        "e to a rational power other than 0 is no root of a polynomial with rational "
        "coefficients, except the "
        "zero polynomial: the sum is 0 iff all coefficients are",
        "Lindemann 1882; Weierstrass 1885",
    )


def _logarithm(proof: Proof) -> None:
    proof.identity(
        "rational likelihoods",
        "t^k = 1/r: a difference of j k has t^(j k) = r^(-j), here j = 2 and T = t^k",
        "T**2",
        "(1/(1/T))**2",
    )
    proof.assume(
        "fractional powers are independent",
        "products of powers of different primes with exponents in [0, 1) are linearly independent "
        "over the rationals, and powers of e with different rational exponents over the algebraic "
        "numbers",
        "Besicovitch 1940; Lindemann 1882; Weierstrass 1885",
    )
