"""The (epsilon, delta) variant of Pufferfish, exactly: for a level, the smallest delta, and the privacy profile.

    delta(epsilon) = max over theta, (s, s') of sum over outputs of max(0, P(y | s, theta) - e^epsilon P(y | s', theta)).

For the outputs where the difference is positive (decided exactly) the sum is alpha - e^epsilon beta with rational alpha and
beta, so delta is exact whenever e^epsilon is rational and enclosed to any accuracy otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework, Pair
from pufferproof.models.level import Level
from pufferproof.models.numbers import enclose, text_of
from pufferproof.verify.laws import ConditionalLaws, included
from pufferproof.verify.leakage import nothing_to_check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Delta:
    """The number alpha - e^epsilon * beta at a level, and where it is reached.

    `outputs` are those with P(y | pair[0]) > e^epsilon P(y | pair[1]); none means delta = 0.
    """

    level: Level
    alpha: Fraction
    beta: Fraction
    prior: str
    pair: Pair
    outputs: tuple[str, ...]

    def compare(self, bound: Fraction) -> int:
        """Return the sign of delta - bound, exactly."""
        return self.level.sign(self.alpha - bound, self.beta)

    @property
    def value(self) -> Fraction | None:
        """Delta when it is a known rational, else None."""
        if self.level.ratio is not None:
            return self.alpha - self.level.ratio * self.beta
        return self.alpha if self.beta == 0 else None

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Return rational bounds with relative width at most 2^-60."""
        if self.value is not None:
            return self.value, self.value
        accuracy = 96
        while True:
            low, high = self.level.bounds(accuracy)
            lower, upper = self.alpha - high * self.beta, self.alpha - low * self.beta
            if lower > 0 and (upper - lower) * 2**60 < lower:
                return lower, upper
            accuracy *= 2

    def as_json(self) -> dict[str, Any]:
        """Return `{"ratio", "lower", "upper", "witness"}`: the value, an enclosure, and where it is reached."""
        return {
            "ratio": None if self.value is None else text_of(self.value),
            **enclose(*self.bounds()).as_json(),
            "witness": {"prior": self.prior, "pair": list(self.pair), "outputs": list(self.outputs)},
        }


def smallest_delta(framework: Framework, channel: Channel, level: Level) -> Delta:
    """Return the exact smallest delta for which the channel is (epsilon, delta)-Pufferfish over the listed priors.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> channel = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> smallest_delta(framework, channel, Level.log(2)).value
    Fraction(1, 4)

    Mixtures of priors are in `pufferproof.verify.mixtures`. Raises `ModelError` unless there is something to check.
    """
    channel = channel.aligned(framework.databases, framework.support)
    best: Delta | None = None
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        for pair in _ordered_pairs(framework, prior):
            found = _delta(laws, pair, level)
            if best is None or level.sign(found.alpha - best.alpha, found.beta - best.beta) > 0:
                best = found
    if best is None:
        raise nothing_to_check()
    return best


def privacy_profile_approx(framework: Framework, channel: Channel, epsilons: Sequence[float]) -> "NDArray[np.float64]":
    """Return delta(epsilon) in float64 at every epsilon from 0 to 700 nats, for plots; absolute error below 1e-9."""
    import numpy as np

    channel = channel.aligned(framework.databases, framework.support)
    best = np.zeros(len(epsilons))
    factors = np.exp(np.asarray(epsilons))[:, None]
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        rows = laws.floats_approx
        for left, right in _ordered_pairs(framework, prior):
            excess = rows[laws.row[left]] - factors * rows[laws.row[right]]
            best = np.maximum(best, np.maximum(excess, 0).sum(axis=1))
    return best


def _ordered_pairs(framework: Framework, prior: str) -> Iterator[Pair]:
    for pair in framework.pairs:
        if included(framework, prior, pair):
            yield from [pair] if framework.one_sided else [pair, (pair[1], pair[0])]


def _delta(laws: ConditionalLaws, pair: Pair, level: Level) -> Delta:
    above, above_scale = laws.exact_row(pair[0])
    below, below_scale = laws.exact_row(pair[1])
    chosen = [
        output
        for output, (numerator, denominator) in enumerate(zip(above, below))
        if level.sign(Fraction(numerator, above_scale), Fraction(denominator, below_scale)) > 0
    ]
    return Delta(
        level,
        Fraction(sum(above[output] for output in chosen), above_scale),
        Fraction(sum(below[output] for output in chosen), below_scale),
        laws.prior,
        pair,
        tuple(laws.channel.outputs[output] for output in chosen),
    )
