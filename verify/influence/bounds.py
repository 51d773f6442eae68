"""Published bounds of the influence of a Markov chain through stationary law and eigengap, exactly
as printed.

With pi the least stationary probability, g the eigengap, h(t) = log[(pi + exp(-g t)) / (pi - exp(-g
t))]: e <= h(b) + 2 h(a) for {X_(i-a), X_(i+b)}, 2 h(a) for {X_(i-a)} and h(b) for {X_(i+b)}, for
distances beyond a threshold: wang2016, Lemma 4.7, for classes of chains, and song2017, Lemma II.3,
for one. Whether these are bounds is not claimed: the registry's claims on both papers decide it.
Numbers are enclosed by Arb; the threshold is decided by refining, and at it, which rational pi
never meets, the bound would be infinite.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.text import brief
from pufferproof.models.priors.markov import Matrix, expect_structure, stationary_law, unreachable
from pufferproof.models.sequences.arithmetic import Spectrum, own_spectrum, reversed_spectrum

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("wang2016.lem-4.7", "song2017.lem-II3-repaired")
_BITS, _MOST_BITS = 128, 8192
Distance = int | None


@dataclass(frozen=True)
class RatioBounds:
    """Rational bounds of e^bound."""

    lower: Fraction
    upper: Fraction


@dataclass(frozen=True)
class EigengapBound:
    """A bound h of a class of chains: least stationary probability, spectra whose least gap counts,
    and g's divisor.

    >>> chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 5), Fraction(4, 5)))
    >>> bound = wang_bound([chain])
    >>> bound.at(1, 1), round(float(bound.at(9, 9).upper), 6)
    (None, 3.409283)
    """

    least: Fraction
    spectra: tuple[Spectrum, ...]
    divisor: int

    def at(self, left: Distance, right: Distance) -> RatioBounds | None:
        """Return e^bound for a quilt with these distances, or None below the threshold."""
        if any(self._below(distance) for distance in (left, right) if distance is not None):
            return None
        from flint import arb, ctx, fmpq

        bits = _BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                ratio, least = arb(1), arb(fmpq(self.least.numerator, self.least.denominator))
                for distance in (left, left, right):
                    if distance is not None:
                        decay = (-self._rate() * distance).exp()
                        ratio *= (least + decay) / (least - decay)  # e^h(t) of both lemmas
                if ratio.is_finite() and ratio.rel_accuracy_bits() > 64:
                    return RatioBounds(dyadic(ratio.lower()), dyadic(ratio.upper()))
            bits *= 2
        raise ModelError("the eigengap bound is not enclosed at 8,192 bits", "transition")

    def threshold(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds of the least distance, log(1/pi) / g in units of the paper."""
        from flint import arb, ctx, fmpq

        with ctx.workprec(2 * _BITS):
            value = -arb(fmpq(self.least.numerator, self.least.denominator)).log() / self._rate()
            return dyadic(value.lower()), dyadic(value.upper())

    def _rate(self) -> "arb":
        gap = self.spectra[0].gap()
        for spectrum in self.spectra[1:]:
            gap = gap.min(spectrum.gap())
        return gap / self.divisor

    def _below(self, distance: int) -> bool:
        """Decide distance < log(1/pi) / g, that is pi < exp(-g distance)."""
        from flint import arb, ctx, fmpq

        if self.least == 1:
            return False
        bits = _BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                apart = arb(fmpq(self.least.numerator, self.least.denominator)).log() + self._rate() * distance
                if apart > 0:
                    return False
                if apart < 0:
                    return True
            bits *= 2
        raise ModelError("the threshold of the eigengap bound is not decided at 8,192 bits", "transition")


def wang_bound(chains: Sequence[Matrix]) -> EigengapBound:
    """Return the bound of wang2016, Lemma 4.7, of a class of chains.

    The distances are at least log(1/pi) / g; g is that of P itself, chains irreducible, aperiodic
    and reversible, pi and g the least over all chains of the class.

    Raises `ModelError`, naming what fails, unless every chain is irreducible, aperiodic and
    reversible.
    """
    for chain in chains:
        expect_structure(chain, "aperiodic", "reversible")
    least = min(min(stationary_law(chain)) for chain in chains)
    return EigengapBound(least, tuple(own_spectrum(chain) for chain in chains), 1)


def estimated_bound(least: Fraction, gap: Fraction) -> EigengapBound:
    """Return the bound of wang2016, Lemma 4.7, with estimates of pi and g that are at most those of
    the class.

    >>> bound = estimated_bound(Fraction(1, 20), Fraction(1, 10))
    >>> bound.at(29, None), bound.at(30, None) is None
    (None, False)

    Raises `ModelError` unless 0 < pi < 1 and 0 < g <= 1.
    """
    for name, value, inside in (("pi", least, 0 < least < 1), ("g", gap, 0 < gap <= 1)):
        if not inside:
            raise ModelError(
                f"expected a number above 0 and below 1 (an eigengap may be 1), found {brief(value)}", name
            )
    return EigengapBound(least, (Spectrum(((1 - gap,),)),), 1)  # the spectrum {1 - g}, of gap g


def song_bound(chain: Matrix) -> EigengapBound:
    """Return the bound of song2017, Lemma II.3, of one chain.

    g/2 replaces g, distances are at least 2 log(1/pi) / g, and g is that of P P*; chains
    irreducible and aperiodic, one at a time. Printed for two-sided quilts only; one side has its
    own term here.

    Raises `ModelError`, naming what fails, unless the chain is irreducible and aperiodic.
    """
    expect_structure(chain, "aperiodic")
    return EigengapBound(min(stationary_law(chain)), (reversed_spectrum(chain),), 2)


def published_bound(make: Callable[[], EigengapBound], left: Distance, right: Distance) -> RatioBounds | str:
    """Return a published bound, or why there is none and from which distance there is."""
    try:
        bound = make()
        ratio = bound.at(left, right)
    except ModelError as error:
        return str(error)
    return ratio if ratio is not None else f"none below distance {ceil(bound.threshold()[1])}"


# The sharper bound of influence along a Markov chain: second singular value and stationary law.
#
# With pi_min the least stationary probability, sigma^2 the second largest eigenvalue of P P* and D = sigma^t/pi_min <
# 1 at the distance t, for all x and all possible v, w:
#
#     P(X_(i+t) = x | v) <= B P(X_(i+t) = x | w)    B = (1 + D sqrt(2 - D^2))/(1 - D^2)
#     P(X_(i-t) = x | v) <= C P(X_(i-t) = x | w)    C = 1/(1 - D)^2, and B from the stationary law
#
# A side left out has no term, and D >= 1 no bound. Chains are irreducible and 1 is a simple eigenvalue of P P*; they
# need not be reversible. Where the published ones of `pufferproof.verify.influence.bounds` hold it is at most these.

SPECTRAL_RESTS_ON = ("general.spectral-influence", "song2017.x-two-sides")


@dataclass(frozen=True)
class SpectralBound:
    """The bound of one chain, from its stationary law or from any law of X_1.

    >>> chain = ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 5), Fraction(4, 5)))
    >>> bound = spectral_bound(chain, stationary=True)
    >>> bound.at(3, 3), round(float(bound.at(9, 9).upper), 6)
    (None, 1.411316)
    """

    least: Fraction
    spectrum: Spectrum
    stationary: bool

    def at(self, left: Distance, right: Distance) -> RatioBounds | None:
        """Return e^bound for a quilt with these distances, or None if D is not below 1."""
        from flint import arb, ctx, fmpq

        bits = _BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                least = arb(fmpq(self.least.numerator, self.least.denominator))
                # D at every distance
                sides = [(self.square() ** each).sqrt() / least for each in (left, right) if each is not None]
                if any(decay >= 1 for decay in sides):
                    return None
                ratio = arb(1)
                if right is not None:
                    ratio *= _forward(sides[-1])
                if left is not None:
                    ratio *= _forward(sides[0]) if self.stationary else 1 / (1 - sides[0]) ** 2
                if ratio.is_finite() and ratio.rel_accuracy_bits() > 64:
                    return RatioBounds(dyadic(ratio.lower()), dyadic(ratio.upper()))
            bits *= 2
        return None  # D is 1, or so near that no level up to thousands of nats would be kept

    def square(self) -> "arb":
        """Enclose sigma^2 at the present working precision."""
        return 1 - self.spectrum.gap()


def _forward(decay: "arb") -> "arb":
    square = decay**2
    return (1 + decay * (2 - square).sqrt()) / (1 - square)  # B of general.spectral-influence


def spectral_bound(chain: Matrix, stationary: bool) -> SpectralBound:
    """Return the bound of a chain whose first record has the stationary law, or any law.

    Raises `ModelError`, naming states, unless the chain is irreducible and 1 is a simple eigenvalue
    of P P*: one class of states, each linked with those that have a next state in common with it.
    """
    expect_structure(chain)
    spectrum = reversed_spectrum(chain)
    if (apart := unreachable(spectrum.matrix)) is not None:
        x, y = sorted(apart)
        raise ModelError(
            f"expected 1 to be a simple eigenvalue of P P*, but no states that have next states in "
            f"common link {x} with {y}",
            "transition",
        )
    return SpectralBound(min(stationary_law(chain)), spectrum, stationary)
