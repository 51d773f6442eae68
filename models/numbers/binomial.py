"""Bounds of a probability from counts: Clopper and Pearson's, certified by Arb.

Of n independent trials k succeed, each with probability p. With X binomial (n, p), the lower bound
is the largest number whose tail P(X >= k) is at most `risk`: it exceeds p with probability at most
`risk`, whatever p is; the upper bound likewise. Floats propose an end, which is moved outward until
an enclosure of the tail, the incomplete beta function

    P(X >= k) = I_p(k, n - k + 1),  P(X <= k) = I_(1-p)(n - k, k + 1),

proves it; so no rounding weakens what is said. Source: Clopper and Pearson, "The use of confidence
or fiducial limits illustrated in the case of the binomial", Biometrika 1934.
"""

from fractions import Fraction

from pufferproof.models.numbers.enclosures import ball

_STEP = Fraction(1, 1 << 30)  # how far from the proposal the first attempt is, relatively
_BITS = (96, 192, 384)  # of the enclosures, in turn


def at_least(seen: int, trials: int, risk: Fraction) -> Fraction:
    """Return a number that exceeds the probability of success with probability at most `risk`.

    >>> round(float(at_least(70, 100, Fraction(1, 40))), 4)
    0.6002
    >>> at_least(0, 100, Fraction(1, 40))
    Fraction(0, 1)
    """
    if seen == 0:
        return Fraction(0)
    proposal, step = Fraction(at_least_approx(seen, trials, risk)), _STEP
    while step < 1:
        bound = proposal * (1 - step)
        if _tail_at_most(bound, seen, trials - seen + 1, risk):
            return bound
        step *= 2
    return Fraction(0)


def at_most(seen: int, trials: int, risk: Fraction) -> Fraction:
    """Return a number that the probability of success exceeds with probability at most `risk`.

    >>> round(float(at_most(70, 100, Fraction(1, 40))), 4)
    0.7876
    >>> at_most(100, 100, Fraction(1, 40))
    Fraction(1, 1)
    """
    if seen == trials:
        return Fraction(1)
    proposal, step = Fraction(at_most_approx(seen, trials, risk)), _STEP
    while (bound := proposal * (1 + step)) < 1:
        if _tail_at_most(1 - bound, trials - seen, seen + 1, risk):
            return bound
        step *= 2
    return Fraction(1)


def at_least_approx(seen: int, trials: int, risk: Fraction) -> float:
    """Return the lower bound in floats, of which nothing is proved."""
    from scipy.special import betaincinv

    return float(betaincinv(seen, trials - seen + 1, float(risk))) if seen else 0.0


def at_most_approx(seen: int, trials: int, risk: Fraction) -> float:
    """Return the upper bound in floats, of which nothing is proved."""
    from scipy.special import betainccinv

    return float(betainccinv(seen + 1, trials - seen, float(risk))) if seen < trials else 1.0


def _tail_at_most(point: Fraction, left: int, right: int, risk: Fraction) -> bool:
    """Whether I_point(left, right) <= risk is proved; the function increases with the point."""
    from flint import arb, ctx

    if not 0 < point < 1:
        return point <= 0
    for bits in _BITS:
        with ctx.workprec(bits):
            allowed = ball(risk)
            tail = ball(point).beta_lower(arb(left), arb(right), True)
            if tail <= allowed:
                return True
            if tail > allowed:
                return False
    return False
