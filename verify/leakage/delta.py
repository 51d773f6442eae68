"""The (epsilon, delta) variant of Pufferfish, exactly: for a level, the smallest delta, and the
privacy profile.

    delta(epsilon) = max over theta, (s, s') of
        sum over outputs of max(0, P(y | s, theta) - e^epsilon P(y | s', theta)).

For the outputs where the difference is positive (decided exactly) the sum is alpha - e^epsilon beta
with rational alpha and beta, so delta is exact whenever e^epsilon is rational and enclosed to any
accuracy otherwise.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.ratio import nothing_to_check
from pufferproof.verify.leakage.runs.bounded import BoundedDelta, DeltaPlace, KnownDelta, runs_bounds
from pufferproof.verify.leakage.runs.parts import RESTS_ON as RUNS_REST_ON
from pufferproof.verify.leakage.runs.parts import CountedRuns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_CHUNK_ENTRIES = 2_000_000


@dataclass(frozen=True, repr=False)
class Delta(KnownDelta):
    """The number alpha - e^epsilon * beta at a level, and where it is reached.

    `outputs` are those with P(y | pair[0]) > e^epsilon P(y | pair[1]); none means delta = 0.
    """

    level: Level
    alpha: Fraction
    beta: Fraction
    prior: str
    pair: Pair
    outputs: tuple[str, ...]
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

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
            if (upper - lower) * 2**60 < lower:
                return lower, upper
            accuracy *= 2


def smallest_delta(framework: Framework, channel: Channel, level: LevelLike, runs: int = 1) -> Delta | BoundedDelta:
    """Return the exact smallest delta for which the channel is (epsilon, delta)-Pufferfish over the
    listed priors, or that of several independent `runs` of it released together.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> channel = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> smallest_delta(framework, channel, "log(2)").value
    Fraction(1, 4)
    >>> smallest_delta(framework, channel, "50", runs=1000).bounds()[0] > Fraction(99, 100)
    True

    Of several runs `outputs` is one text in words, as there are too many sequences. Where their
    counts are too many to sum, and every secret has one row, the answer is a `BoundedDelta`. Over
    mixtures of priors it is in `pufferproof.verify.leakage.mixtures`. Raises `ModelError` unless
    there is something to check, and `TooLargeError` where runs of secrets of several rows have too
    many counts.
    """
    framework = check_type(framework, Framework, "framework")
    channel = check_type(channel, Channel, "channel")
    runs = check_type(runs, int, "runs")
    level = Level.coerce(level, "level")
    if runs == 1:
        return delta_of(framework, channel, level)
    channel = channel.aligned(framework.databases, framework.support)
    return _delta_of_runs(framework, channel, level, runs)


def delta_of(framework: Framework, channel: Channel, level: Level) -> Delta:
    """Return the exact smallest delta of one release."""
    channel = channel.aligned(framework.databases, framework.support)
    best: Delta | None = None
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        rows = _ExactRows(laws, level)
        for pair in _candidates(laws, list(ordered_pairs(framework, prior)), level):
            delta = rows.delta(pair)
            if best is None or level.sign(delta.alpha - best.alpha, delta.beta - best.beta) > 0:
                best = delta
    if best is None:
        raise nothing_to_check()
    return best


def privacy_profile_approx(framework: Framework, channel: Channel, epsilons: Sequence[float]) -> "NDArray[np.float64]":
    """Return delta(epsilon) in float64 at every epsilon from 0 to 700 nats, for plots; absolute
    error below 1e-9.
    """
    import numpy as np

    channel = channel.aligned(framework.databases, framework.support)
    best = np.zeros(len(epsilons))
    factors = np.exp(np.asarray(epsilons))[:, None]
    for prior in framework.priors:
        laws = ConditionalLaws(framework, channel, prior)
        rows = laws.probabilities_approx()
        for left, right in ordered_pairs(framework, prior):
            excess = rows[laws.row[left]] - factors * rows[laws.row[right]]
            best = np.maximum(best, np.maximum(excess, 0).sum(axis=1))
    return best


def _candidates(laws: ConditionalLaws, pairs: list[Pair], level: Level) -> Iterator[Pair]:
    """Yield the ordered pairs whose delta could be the largest under one prior, by a float pass;
    more is harmless.

    A sum of m positive parts has an absolute error of at most tolerance * (1 + e^epsilon): each
    probability has a relative error of at most tolerance / 2, the parts are at most their
    probabilities, and these sum to 1.
    """
    import numpy as np

    low, high = level.filter_bounds()
    if not laws.reliable or high is None or high > 2**40 or len(pairs) < 2:
        yield from pairs
        return
    factor, rows = float(low), laws.floats_approx
    step = max(1, _CHUNK_ENTRIES // rows.shape[1])
    parts = []
    for start in range(0, len(pairs), step):
        chunk = pairs[start : start + step]
        left, right = (rows[[laws.row[pair[side]] for pair in chunk]] for side in (0, 1))
        parts.append(np.maximum(left - factor * right, 0).sum(axis=1))
    approximate = np.concatenate(parts)
    error = 4 * (laws.tolerance + rows.shape[1] * 2.0**-52) * (1 + factor)
    for position in np.flatnonzero(approximate >= approximate.max() - 2 * error).tolist():
        yield pairs[position]


class _ExactRows:
    """Exact sums of positive parts under one prior: int64 over outputs if they fit."""

    def __init__(self, laws: ConditionalLaws, level: Level) -> None:
        self.laws = laws
        self.level = level
        self.low, self.high = level.filter_bounds()
        self._rows: dict[str, tuple[NDArray[Any], int]] = {}

    def delta(self, pair: Pair) -> Delta:
        """Return the sum of the positive parts for an ordered pair, and their outputs."""
        import numpy as np

        (above, above_scale), (below, below_scale) = self._row(pair[0]), self._row(pair[1])
        surely = np.zeros(len(above), dtype=np.bool_)
        if self.high is not None:
            surely = self._exceeds(above, above_scale, below, below_scale, self.high)
        maybe = surely if self.low == self.high else self._exceeds(above, above_scale, below, below_scale, self.low)
        positive = surely.copy()
        for output in np.flatnonzero(maybe & ~surely).tolist():
            left, right = (Fraction(int(above[output]), above_scale), Fraction(int(below[output]), below_scale))
            positive[output] = self.level.sign(left, right) > 0
        chosen = np.flatnonzero(positive).tolist()
        return Delta(
            self.level,
            Fraction(sum(above[positive].tolist()), above_scale),
            Fraction(sum(below[positive].tolist()), below_scale),
            self.laws.prior,
            pair,
            tuple(self.laws.channel.outputs[output] for output in chosen),
        )

    @staticmethod
    def _exceeds(
        above: "NDArray[Any]", above_scale: int, below: "NDArray[Any]", below_scale: int, ratio: Fraction
    ) -> "NDArray[np.bool_]":
        """Say where above / above_scale > ratio * below / below_scale."""
        import numpy as np

        left, right = below_scale * ratio.denominator, above_scale * ratio.numerator
        if above_scale * below_scale * max(ratio.as_integer_ratio()) >= 2**63:
            above, below = above.astype(object), below.astype(object)
        return np.asarray(above * left > below * right, dtype=np.bool_)

    def _row(self, secret: str) -> "tuple[NDArray[Any], int]":
        import numpy as np

        if secret not in self._rows:
            numerators, denominator = self.laws.exact_row(secret)
            kind = np.int64 if denominator < 2**63 else object
            self._rows[secret] = np.array(numerators, dtype=kind), denominator
        return self._rows[secret]


def _delta_of_runs(framework: Framework, channel: Channel, level: Level, runs: int) -> Delta | BoundedDelta:
    """Return the smallest delta of independent runs, by the laws of how often outputs occur."""
    if runs < 1:
        raise ModelError(f"expected at least 1 run, found {runs}", "runs")
    counted = {prior: CountedRuns(framework, channel, prior, runs) for prior in framework.priors}
    every = [(prior, pair) for prior in counted for pair in ordered_pairs(framework, prior)]
    beyond = [counted[prior].beyond_counting(pair) for prior, pair in every]
    best: Delta | None = None
    said = f"all {runs} together that are more than e^epsilon times as likely"
    for (prior, pair), law in zip(every, beyond):
        if law is None:
            alpha, beta = counted[prior].positive_parts(pair, level)
            if best is None or level.sign(alpha - best.alpha, beta - best.beta) > 0:
                shown = (said,) if alpha else ()
                best = Delta(level, alpha, beta, prior, pair, shown, claims=RUNS_REST_ON)
    places = {
        tuple(law): DeltaPlace(prior, pair, partial(runs_bounds, law, level, runs))
        for (prior, pair), law in reversed([*zip(every, beyond)])
        if law is not None
    }
    if places:
        exact = [] if best is None else [_exactly(best)]
        return BoundedDelta.of(level, [*reversed(places.values()), *exact], (said,))
    if best is None:
        raise nothing_to_check()
    return best


def expect_few_runs(framework: Framework, channel: Channel, runs: int) -> None:
    """Raise `TooLargeError` where the smallest delta of so many runs is refused."""
    channel = channel.aligned(framework.databases, framework.support)
    for prior in framework.priors:
        counted = CountedRuns(framework, channel, prior, runs)
        for pair in ordered_pairs(framework, prior):
            counted.beyond_counting(pair)


def _exactly(delta: Delta) -> DeltaPlace:
    bounds = delta.bounds()
    return DeltaPlace(delta.prior, delta.pair, lambda close, bound: bounds)
