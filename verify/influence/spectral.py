"""The sharper bound of influence along a Markov chain: second singular value and stationary law.

With pi_min the least stationary probability, sigma^2 the second largest eigenvalue of P P* and D =
sigma^t/pi_min < 1 at the distance t, for all x and all possible v, w:

    P(X_(i+t) = x | v) <= B P(X_(i+t) = x | w)    B = (1 + D sqrt(2 - D^2))/(1 - D^2)
    P(X_(i-t) = x | v) <= C P(X_(i-t) = x | w)    C = 1/(1 - D)^2, and B from the stationary law

A side left out has no term, and D >= 1 no bound. Chains are irreducible and 1 is a simple
eigenvalue of P P*; they need not be reversible. Where the published ones of
`pufferproof.verify.influence.bounds` hold it is at most these.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.markov import stationary_law
from pufferproof.models.priors.structure import Matrix, expect_structure, unreachable
from pufferproof.models.sequences.arithmetic import Spectrum, reversed_spectrum
from pufferproof.verify.influence.bounds import Distance, RatioBounds

if TYPE_CHECKING:
    from flint import arb

RESTS_ON = ("general.spectral-influence", "song2017.x-two-sides")
_BITS, _MOST_BITS = 128, 8192


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
        from flint import arb, ctx

        bits = _BITS
        while bits <= _MOST_BITS:
            with ctx.workprec(bits):
                sides = [self._decay(each) for each in (left, right) if each is not None]
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

    def _decay(self, distance: int) -> "arb":
        """Enclose D."""
        from flint import arb, fmpq

        least = arb(fmpq(self.least.numerator, self.least.denominator))
        return (self.square() ** distance).sqrt() / least


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
