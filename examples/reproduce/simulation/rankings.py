"""Rankings of the K most frequent labels by noisy counts, many runs and queries at a time, and how
good they are.

A ranking is what the largest noisy counts are, in order. Gumbel noise of scale 2 K / level gives
the law of peeling, K exponential draws of level / K each (general.gumbel-top-k); Laplace noise is
of any scale. Uniform numbers are NumPy's PCG64 for the seed: the same seed gives the same runs.

Source: bai2026, section 7.1.5, for the metrics.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pufferproof.models.interface.sweeps.units import Unit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Codes = NDArray[np.int64]

Law = Literal["gumbel", "laplace"]
_LEAST = 2.0**-54  # instead of a uniform number 0
_VALUES = 2_000_000  # noisy counts at a time


@dataclass(frozen=True)
class Quality:
    """Means over queries and runs: `right` per rank, `hits`, `gain` (NDCG), `error` (L1); `spread`
    are their standard errors over runs, in this order.
    """

    right: tuple[float, ...]
    hits: float
    gain: float
    error: float
    spread: tuple[float, ...]

    @classmethod
    def read(cls, said: Sequence[Any]) -> "Quality":
        """Return what a unit said of it."""
        right, hits, gain, error, spread = said
        return cls(tuple(right), hits, gain, error, tuple(spread))


class Query:
    """The counts of queries and their true top K; of labels with equal counts the first is
    ranked higher.
    """

    def __init__(self, counts: "Codes", size: int) -> None:
        import numpy as np

        self.counts, self.size = counts, size
        self.truth = np.argsort(-counts, axis=1, kind="stable")[:, :size]
        self._discount = 1 / np.log2(np.arange(size) + 2.0)
        self._true_counts = np.take_along_axis(counts, self.truth, axis=1)
        self._ideal = (self._true_counts * self._discount).sum(axis=1)

    def scores(self, predicted: "Codes") -> "Floats":
        """Return Acc@1 .. Acc@K, hit rate, NDCG and L1 of predictions (runs x queries x K), as
        means over queries: runs x (K + 3).

        A query without any record has NDCG 1: every ranking of it is ideal.
        """
        import numpy as np

        right = (predicted == self.truth).mean(axis=1)
        hit = (predicted[..., None] == self.truth[None, :, None, :]).any(axis=3).mean(axis=(1, 2))
        queries = np.arange(len(self.counts))[None, :, None]
        found = self.counts[queries, predicted]
        gains = (found * self._discount).sum(axis=2)
        ideal = np.where(self._ideal > 0, self._ideal, 1.0)
        gain = np.where(self._ideal > 0, gains / ideal, 1.0).mean(axis=1)
        error = np.abs(found - self._true_counts).sum(axis=2).mean(axis=1)
        return np.column_stack([right, hit, gain, error])

    def quality(self, runs: "Floats") -> Quality:
        """Return means and standard errors of what `scores` returned, over all runs."""
        import numpy as np

        mean = [float(value) for value in runs.mean(axis=0)]
        spread = runs.std(axis=0, ddof=1) / np.sqrt(len(runs)) if len(runs) > 1 else 0 * runs[0]
        *right, hits, gain, error = mean
        return Quality(tuple(right), hits, gain, error, tuple(float(value) for value in spread))


def simulated(query: Query, law: Law, scale: float, runs: int, seed: Sequence[int]) -> Quality:
    """Return the quality of the K largest counts after noise of a law and scale, over
    independent runs.

    >>> import numpy as np
    >>> query = Query(np.array([[9, 5, 1]]), 2)
    >>> simulated(query, "laplace", 1e-6, 3, [1]).right
    (1.0, 1.0)
    """
    import numpy as np

    draws = np.random.Generator(np.random.PCG64(list(seed)))
    step, found = max(1, _VALUES // query.counts.size), []
    for start in range(0, runs, step):
        shape = (min(step, runs - start), *query.counts.shape)
        noisy = query.counts + scale * _noise(law, np.maximum(draws.random(shape), _LEAST))
        found.append(query.scores(largest(noisy, query.size)))
    return query.quality(np.concatenate(found))


def unit_of(query: Query, law: Law, scales: Sequence[float], runs: int, seeds: Sequence[Sequence[int]]) -> Unit:
    """Return `simulated` at several scales, each with its seed, as a unit of a sweep."""
    streams = [list(seed) for seed in seeds]
    return Unit.of(qualities_of, query.counts.tolist(), query.size, law, list(scales), runs, streams)


def qualities_of(
    counts: list[list[int]], size: int, law: Law, scales: list[float], runs: int, seeds: list[list[int]]
) -> list[list[object]]:
    """Return the quality at every scale, as `Quality.read` takes it."""
    import numpy as np

    query = Query(np.array(counts, dtype=np.int64), size)
    found = [simulated(query, law, scale, runs, seed) for scale, seed in zip(scales, seeds)]
    return [[[*each.right], each.hits, each.gain, each.error, [*each.spread]] for each in found]


def largest(values: "Floats", size: int) -> "Codes":
    """Return where the largest entries of the last axis are, the largest first."""
    import numpy as np

    part = np.argpartition(-values, size - 1, axis=-1)[..., :size]
    order = np.argsort(-np.take_along_axis(values, part, axis=-1), axis=-1)
    return np.take_along_axis(part, order, axis=-1)


def _noise(law: Law, uniform: "Floats") -> "Floats":
    """Return noise of scale 1 by the inverse of its distribution function."""
    import numpy as np

    if law == "gumbel":
        gumbel: Floats = -np.log(-np.log(uniform))
        return gumbel
    centred = uniform - 0.5
    laplace: Floats = -np.sign(centred) * np.log1p(-2 * np.abs(centred))
    return laplace


def guessed(query: Query, guess: Sequence[int]) -> Quality:
    """Return the quality of one ranking given to every query."""
    import numpy as np

    predicted = np.broadcast_to(np.asarray(guess), (1, len(query.counts), query.size))
    return query.quality(query.scores(predicted))
