"""Masses of one step on a grid of privacy losses, and their products, over a power of two.

Two laws A, B are above P, Q if the integral of (a - t b)_+ is at least that of (p - t q)_+ for
every t >= 0. This is kept in products: with any third pair R, S,

    integral of (a r - t b s)_+ = integral of r(z) H(t s(z) / r(z)) dz,  H that of A and B,

which grows with H (Zhu, Dong and Wang 2022, Theorem 10, also for outputs that later steps see).
Total masses may be below 1 here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from flint import arb, fmpz_poly

    from pufferproof.verify.losses.laws import LossLaw

RESTS_ON = ("general.losses-of-steps", "general.losses-on-a-grid")
_CUT = 4  # of what may be missing is cut off at one end


@dataclass(frozen=True)
class Scale:
    """What a product rounds to: masses are integers over 2^bits, and at most about `tail` of all
    runs is left out.
    """

    bits: int
    tail: float

    @property
    def unit(self) -> int:
        return 1 << self.bits


class Masses(NamedTuple):
    """Integers over a power of two, at the points from `first` on."""

    first: int
    poly: "fmpz_poly"


class Step(NamedTuple):
    """One step on the grid: masses of P spread over two points, P at the nearer one, and Q there,
    each times e^loss of the point, over their sum `weight`.
    """

    spread: Masses
    above: Masses
    below: Masses
    weight: "arb"


def step_on_grid(law: "LossLaw", start: "arb", step: "arb", scale: Scale) -> Step:
    """Return the masses of a step on the grid start + i step.

    `spread` is above: a loss between two points is divided between both so that p and q keep their
    sums (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022). Merging the points gives P and Q
    back, so that by Jensen's inequality it is above. What rounding down misses of 1 counts in full.

    `above` and `below` are below: every output is named after a point, one in no bin has no name,
    and the sum of names is compared with a threshold, which is a test of P against Q: delta is at
    least P(test) - e^epsilon Q(test). Q is small where P is large, so that its masses are tilted by
    e^loss before they are rounded down; what that misses counts in full.
    """
    first, above, below, wide = law.bins(start, step, scale.tail)
    last = max([first + len(above), *(high for _, high, _, _ in wide)])
    begin = min([first, *(low for low, _, _, _ in wide)])
    spread, named = ([0] * (last - begin + 1) for _ in range(2))
    tilted = [0 * step] * (last - begin + 1)
    narrow = ((place, place + 1, p, q) for place, (p, q) in enumerate(zip(above, below), first))
    back = -(-step).expm1()
    for low, high, p, q in (*narrow, *wide):
        # p = lower + beyond, q = lower / r + beyond / (r e^(h distance)), r at the lower point
        ratio = (start + low * step).exp()
        beyond = (p - ratio * q) / (back if high == low + 1 else -((low - high) * step).expm1())
        spread[high - begin] += _rounded(beyond, scale.bits)
        spread[low - begin] += _rounded(p - beyond, scale.bits)
        name = high if beyond > p / 2 else low
        named[name - begin] += _rounded(p, scale.bits)
        tilted[name - begin] += (start + name * step).exp() * q
    weight = sum(tilted, 0 * step)
    shares = [_rounded(mass / weight, scale.bits) if mass > 0 else 0 for mass in tilted]
    return Step(_masses(begin, spread), _masses(begin, named), _masses(begin, shares), weight)


def _rounded(mass: "arb", bits: int) -> int:
    """Return the largest integer over 2^bits that is certainly at most a mass, at least 0."""
    least = mass.lower()
    if not least > 0:
        return 0
    return int((least * 2**bits).floor().unique_fmpz())


def _masses(first: int, row: Sequence[int]) -> Masses:
    from flint import fmpz_poly

    return Masses(first, fmpz_poly(row))


def power(one: Masses, runs: int, scale: Scale, share: float) -> Masses:
    """Return the masses of so many runs; `share` is that of one run in what may be missing."""
    found, count = one, 1
    for bit in f"{runs:b}"[1:]:
        found, count = product(found, found, scale, 2 * count * share), 2 * count
        if bit == "1":
            found, count = product(found, one, scale, (count + 1) * share), count + 1
    return found


def product(one: Masses, other: Masses, scale: Scale, share: float) -> Masses:
    """Return the masses of two parts together, rounded down, without small ends."""
    from flint import fmpz_poly

    masses = ((one.poly * other.poly) // scale.unit).coeffs()
    most = int(Fraction(share * scale.tail / _CUT) * scale.unit)
    left, right = (_small(ends, most) for ends in (masses, masses[::-1]))
    return Masses(one.first + other.first + left, fmpz_poly(masses[left : len(masses) - right]))


def _small(masses: Sequence[Any], most: int) -> int:
    """Return how many of the first masses add up to at most so much."""
    total = 0
    for place, mass in enumerate(masses):
        total += mass
        if total > most:
            return place
    return len(masses)
