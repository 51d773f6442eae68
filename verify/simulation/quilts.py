"""The synthetic experiment of the Markov quilt mechanism: the error of noisy histograms of long
chains, simulated and exact.

    b Z to every frequency,  b = sigma_max 2 / T,  Z Laplace of scale 1,

sigma_max by the bound of wang2016, Lemma 4.7, which knows only estimates of pi and g
(`pufferproof.models.influence.quilts.published`). The L1 error is a sum of k exponentials of mean b
whatever the sequence is, which gives exact confidence bounds of its mean k b. Frequencies cut to
[0, 1] have smaller errors, which do depend on the sequences. Source: wang2016, section 5 (no
cutting is mentioned there).

Derived: wang2016.x-error, wang2016.x-sigma-enough.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.influence.bounds import estimated_bound
from pufferproof.models.influence.quilts.published import markov_quilt_approx
from pufferproof.models.influence.quilts.worst_record import QuiltScale
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.simulation.chains import laplace_noise, state_counts
from pufferproof.verify.simulation.draws import Words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Setting:
    """What the mechanism is told: estimates of pi and g, and the length T."""

    least: Fraction
    gap: Fraction
    length: int

    def scale(self, level: Level) -> QuiltScale:
        """Return b, with the quilt that asks for it."""
        bound = estimated_bound(self.least, self.gap)
        return markov_quilt_approx(bound, self.length, level, lipschitz=Fraction(2, self.length))


@dataclass(frozen=True)
class Point:
    """One level: the scale b with its quilt, k b, and the mean L1 error of the repetitions with
    confidence bounds of k b.

    `cut` is the mean with frequencies cut to [0, 1].
    """

    level: Level
    scale: QuiltScale
    expected: Enclosure
    mean: float
    band: tuple[float, float]
    cut: float

    @property
    def inside(self) -> bool:
        """Whether the band holds the exact expectation."""
        return (
            self.band[0] <= float(self.expected.upper)
            and float(self.expected.lower) <= self.band[1]
        )

    def as_json(self) -> dict[str, Any]:
        """Return the point object of the file formats."""
        quilt = self.scale.quilt
        return {
            "epsilon": str(self.level),
            "scale": self.scale.scale.enclosure().as_json(),
            "quilt": {"record": quilt.record, "left": quilt.left, "right": quilt.right},
            "expected": self.expected.as_json(),
            "mean": self.mean,
            "band": list(self.band),
            "cut": self.cut,
        }


@dataclass(frozen=True)
class Line:
    """What was simulated in one setting, at increasing levels."""

    setting: Setting
    points: tuple[Point, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the line object of the file formats."""
        told = {
            "pi": text_of(self.setting.least),
            "g": text_of(self.setting.gap),
            "length": self.setting.length,
        }
        return told | {"points": [point.as_json() for point in self.points]}


def simulated_line(
    chain: MarkovChain,
    setting: Setting,
    levels: Sequence[Level],
    repetitions: int,
    words: Words,
    miss: float,
) -> Line:
    """Simulate the mechanism at every level, each time on new sequences.

    `miss` is the probability with which the band of one point may miss the expectation.

    >>> coin = MarkovChain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]])
    >>> setting = Setting(Fraction(1, 4), Fraction(1, 2), 1000)
    >>> (point,) = simulated_line(coin, setting, [Level.of_nats(1)], 200, Words(1), 0.001).points
    >>> point.scale.quilt.left, point.scale.quilt.right, point.expected.lower[:7], point.inside
    (10, 9, '0.08963', True)

    Raises `ModelError` as `markov_quilt_approx` does.
    """
    import numpy as np

    scales = [setting.scale(level) for level in levels]
    states = len(chain.transition)
    counts = state_counts(chain, setting.length, len(levels) * repetitions, words)
    exact = (counts / setting.length).reshape(len(levels), repetitions, states)
    noise = laplace_noise(exact.shape, words)
    points = []
    for level, scale, frequencies, drawn in zip(levels, scales, exact, noise):
        bounds = scale.scale.enclosure()
        expected = enclose(states * Fraction(bounds.lower), states * Fraction(bounds.upper))
        noisy = frequencies + float(bounds.upper) * drawn
        mean, cut = _error(noisy, frequencies), _error(np.clip(noisy, 0, 1), frequencies)
        points.append(
            Point(level, scale, expected, mean, _band(mean, repetitions * states, miss), cut)
        )
    return Line(setting, tuple(points))


def _error(noisy: "NDArray[np.float64]", exact: "NDArray[np.float64]") -> float:
    """Return the mean over repetitions of the L1 distance."""
    import numpy as np

    return float(np.abs(noisy - exact).sum(axis=1).mean())


def _band(mean: float, shape: int, miss: float) -> tuple[float, float]:
    """Return bounds of k b: mean * R k / (k b) is a gamma variable of shape R k.

    The L1 error of one release is a sum of k exponentials of mean b, as a histogram of the k
    frequencies of X_1 .. X_T changes by at most 2 / T (in L1) with one record; its expectation is
    exactly k b, and R repetitions sum to b times a gamma variable of shape R k.
    """
    from scipy.stats import gamma

    low, high = gamma.ppf([miss / 2, 1 - miss / 2], shape)
    return mean * shape / float(high), mean * shape / float(low)
