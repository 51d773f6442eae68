"""Max-influence over all reversible chains with bounds of the stationary law and the eigengap.

With p = pi_min, r = 1 - eigengap, a distance t and two values:

    c > 0:         e^e = 1 + r^t / (p (1 - r^t)),   of the chain with pi = p and c = r,
    c < 0, t odd:  e^e = 1 / (1 - r^t / (q (1 + r^t))),   q = max(p, r / (1 + r)).

More values, D = r^t / p: the value for c > 0 is reached. At even t, M = P^t - 1 pi' is positive,
and <M f, g> <= r^t (|f| |g| + <f, g>) / 2 gives e^e <= R = 1 + D (1 + sqrt(1 + R^2)) / 2; at odd t
|M| gives R = 1 + D sqrt(1 + R^2), or that of t - 1. Sides multiply.
"""

from fractions import Fraction
from math import isqrt

from pufferproof.models.numbers.enclosures import rounded_down
from pufferproof.models.priors.chains.gap import GapChains
from pufferproof.models.sequences.arithmetic import Bounds

RESTS_ON = ("influence.gap", "song2017.x-two-sides")
_BITS = 128
_LONG = 400  # bits of a power that is kept exactly


def gap_influence(chains: GapChains, left: int | None, right: int | None) -> Bounds:
    """Return bounds of e^e of {X_(i-a), X_(i+b)}, the supremum over the class; both None if it
    is infinite, the upper one where no bound is known.

    >>> gap_influence(GapChains(2, "1/20", "1/10"), None, 30).lower.limit_denominator(1000)
    Fraction(1661, 881)
    >>> known = gap_influence(GapChains(3, "1/20", "1/10"), None, 30)
    >>> [f"{float(end):.4f}" for end in (known.lower, known.upper)]
    ['1.8854', '2.6079']
    """
    sides = [distance for distance in (left, right) if distance is not None]
    lower, upper = Fraction(1), Fraction(1)
    for distance in sides:
        below, above = _power(chains.memory, distance)
        lower *= 1 + below / (chains.pi_min * (1 - below))
        upper *= 1 + above / (chains.pi_min * (1 - above))
    if chains.states == 2:
        return _two_values(chains, sides, lower, upper)
    bounds = [_bound(chains, distance) for distance in sides]
    most: Fraction | None = Fraction(1)
    for bound in bounds:
        most = None if most is None or bound is None else most * bound
    return Bounds(lower, most if most is None else max(most, upper))


def _two_values(chains: GapChains, sides: list[int], lower: Fraction, upper: Fraction) -> Bounds:
    """Return the largest of the bounds for c > 0, and what c < 0 has at most: there every even
    distance counts as for c > 0. One side is exact.
    """
    if 1 in sides and _turned(chains, chains.memory) is None:
        return Bounds.infinite()
    turned: Fraction | None = Fraction(1)
    least = Fraction(1)
    for distance in sides:
        ends = _power(chains.memory, distance)
        if distance % 2 == 0:
            found: Fraction | None = 1 + ends[1] / (chains.pi_min * (1 - ends[1]))
        else:
            found = _turned(chains, ends[1])
            least = max(least, _turned(chains, ends[0]) or least)
        turned = None if turned is None or found is None else turned * found
    return Bounds(max(lower, least), None if turned is None else max(upper, turned))


def _turned(chains: GapChains, power: Fraction) -> Fraction | None:
    """Return e^e at an odd distance for c < 0, None for infinite."""
    r = chains.memory
    least = max(chains.pi_min, r / (1 + r))
    rest = 1 - power / (least * (1 + power))
    return 1 / rest if rest > 0 else None


def _bound(chains: GapChains, distance: int) -> Fraction | None:
    """Return a bound of e^e of one side for more than two values, or None if none is known."""
    found = []
    even = _power(chains.memory, distance - distance % 2)[1] / chains.pi_min
    if even == 0:
        return Fraction(1)
    if even < 2:
        k = 2 / even
        found.append((k * (k + 1) + _root(2 * k * (k + 1))) / ((k - 1) * (k + 1)))
    odd = _power(chains.memory, distance)[1] / chains.pi_min
    if odd < 1:
        rest = 1 - odd**2
        found.append((1 + _root(1 - rest**2)) / rest)
    return min(found, default=None)


def _power(base: Fraction, exponent: int) -> tuple[Fraction, Fraction]:
    """Return bounds of a power, equal while it is short."""
    if exponent == 1 or exponent * max(base.denominator.bit_length(), 1) <= _LONG:
        return base**exponent, base**exponent
    below, above = Fraction(1), Fraction(1)
    for bit in bin(exponent)[2:]:
        below, above = below * below, above * above
        if bit == "1":
            below, above = below * base, above * base
        below, above = rounded_down(below, _BITS), -rounded_down(-above, _BITS)
    return below, above


def _root(value: Fraction) -> Fraction:
    """Return a bound of a square root from above."""
    scale = 1 << 2 * _BITS
    whole = -((-value.numerator * scale) // value.denominator)
    return Fraction(isqrt(whole) + 1, 1 << _BITS)
