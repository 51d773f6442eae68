"""The synthetic experiment of the Markov quilt mechanism: the error of noisy histograms of long
chains, simulated and exact.

    b Z to every frequency,  b = sigma_max 2 / T,  Z Laplace of scale 1,

sigma_max by the bound of wang2016, Lemma 4.7, which knows only estimates of pi and g
(`pufferproof.verify.influence.quilts.worst_record`). The L1 error is a sum of k exponentials of mean b
whatever the sequence is, which gives exact confidence bounds of its mean k b. Frequencies cut to
[0, 1] have smaller errors, which do depend on the sequences. Source: wang2016, section 5 (no
cutting is mentioned there).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from pufferproof.examples.reproduce.simulation.chains import laplace_noise, state_counts
from pufferproof.models.errors import extras
from pufferproof.models.interface.sweeps.units import Unit
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.influence.bounds import estimated_bound
from pufferproof.verify.influence.quilts.worst_record import QuiltScale, markov_quilt_approx
from pufferproof.verify.simulation.draws import WordStream

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("wang2016.x-error", "wang2016.x-sigma-enough")


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


class Quilt(NamedTuple):
    """The record that asks for the noise, and how far away its quilt begins on both sides."""

    record: int
    left: int | None
    right: int | None


@dataclass(frozen=True)
class Point:
    """One level: the scale b with its quilt, k b, and the mean L1 error of the repetitions with
    confidence bounds of k b.

    `cut` is the mean with frequencies cut to [0, 1].
    """

    level: Level
    scale: Enclosure
    quilt: Quilt
    expected: Enclosure
    mean: float
    band: tuple[float, float]
    cut: float

    @property
    def inside(self) -> bool:
        """Whether the band holds the exact expectation."""
        return self.band[0] <= float(self.expected.upper) and float(self.expected.lower) <= self.band[1]

    def as_json(self) -> JsonObject:
        """Return the point object of the file formats."""
        return {
            "epsilon": str(self.level),
            "scale": self.scale.as_json(),
            "quilt": self.quilt._asdict(),
            "expected": self.expected.as_json(),
            "mean": self.mean,
            "band": list(self.band),
            "cut": self.cut,
        }

    @classmethod
    def read(cls, level: Level, said: JsonObject) -> "Point":
        """Return the point of a level from its object."""
        scale, expected = Enclosure(**said["scale"]), Enclosure(**said["expected"])
        low, high = said["band"]
        quilt = Quilt(**said["quilt"])
        return cls(level, scale, quilt, expected, said["mean"], (low, high), said["cut"])


@dataclass(frozen=True)
class Line:
    """What was simulated in one setting, at increasing levels."""

    setting: Setting
    points: tuple[Point, ...]

    def as_json(self) -> JsonObject:
        """Return the line object of the file formats."""
        told = {"pi": text_of(self.setting.least), "g": text_of(self.setting.gap), "length": self.setting.length}
        return told | {"points": [point.as_json() for point in self.points]}


def simulated_line(
    chain: MarkovChain, setting: Setting, levels: Sequence[Level], repetitions: int, words: WordStream, miss: float
) -> Line:
    """Simulate the mechanism at every level, each time on new sequences.

    `miss` is the probability with which the band of one point may miss the expectation.

    >>> coin = MarkovChain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]])
    >>> setting = Setting(Fraction(1, 4), Fraction(1, 2), 1000)
    >>> words = WordStream(1)
    >>> (point,) = simulated_line(coin, setting, [Level.of_nats(1)], 200, words, 0.001).points
    >>> point.quilt.left, point.quilt.right, point.expected.lower[:7], point.inside
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
        bounds, quilt = scale.scale.enclosure(), scale.quilt
        expected = enclose(states * Fraction(bounds.lower), states * Fraction(bounds.upper))
        noisy = frequencies + float(bounds.upper) * drawn
        mean, cut = _error(noisy, frequencies), _error(np.clip(noisy, 0, 1), frequencies)
        band = _band(mean, repetitions * states, miss)
        active = Quilt(quilt.record, quilt.left, quilt.right)
        points.append(Point(level, bounds, active, expected, mean, band, cut))
    return Line(setting, tuple(points))


def unit_of(
    chain: MarkovChain, setting: Setting, levels: Sequence[Level], repetitions: int, seed: Sequence[int], miss: float
) -> Unit:
    """Return `simulated_line` as a unit of a sweep, on the stream of a seed."""
    law = [text_of(value) for value in chain.initial_law()]
    rows = [[text_of(value) for value in row] for row in chain.transition]
    told = [text_of(setting.least), text_of(setting.gap), setting.length]
    nats = [str(level) for level in levels]
    return Unit.of(points_of, law, rows, told, nats, repetitions, list(seed), miss)


def points_of(
    initial: list[str],
    transition: list[list[str]],
    told: list[Any],
    levels: list[str],
    repetitions: int,
    seed: list[int],
    miss: float,
) -> list[dict[str, object]]:
    """Return the points of a line as objects of the file formats."""
    least, gap, length = told
    setting = Setting(Fraction(least), Fraction(gap), length)
    chain, nats = MarkovChain(initial, transition), [Level.of_nats(level) for level in levels]
    line = simulated_line(chain, setting, nats, repetitions, WordStream(seed), miss)
    return [point.as_json() for point in line.points]


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
    with extras:
        from scipy.stats import gamma

    low, high = gamma.ppf([miss / 2, 1 - miss / 2], shape)
    return mean * shape / float(high), mean * shape / float(low)
