"""From a failure of NfC to runs that break linear composition: outputs collected in the proportions
that alpha names.

The runs are found by rounding r alpha for growing r; their joint ratio is exact and is compared
with the sum of the levels exactly. Then every multiset of outputs of 1, 2, .. runs is tried, as
long as there are not too many: only when all smaller ones were tried is the number called the
minimum. It does not look for the largest joint leakage, and says nothing when NfC holds or is
undecided.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from pufferproof.lp.rates.nfc import NfC
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.certificates.writing import Inputs, level_json, statement
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.leakage.runs.repeated import Multisets, RatioPlace, all_counts, multisets_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESTS_ON = ("worst.rate-lower", "bai2026.nfc-steps-repaired")
MAX_RUNS = 1 << 14
MAX_TRIED = 400_000  # multisets of outputs of all smaller numbers of runs together
_CHUNK = 1000  # numbers of runs that are tried at a time


@dataclass(frozen=True)
class Breaking:
    """Runs whose joint leakage exceeds the sum of their levels.

    `outputs` are (mechanism, output, times); `leakage` is the log of their joint ratio, more than
    `level`, the sum over all. `minimum`: every multiset of fewer runs was tried, and none exceeds
    its levels.
    """

    framework: Framework = field(repr=False)
    mechanisms: tuple[Channel, ...] = field(repr=False)
    levels: tuple[Level, ...]
    prior: str
    pair: Pair
    outputs: tuple[tuple[int, str, int], ...]
    leakage: Leakage
    level: Level
    minimum: bool

    @property
    def runs(self) -> int:
        """How many releases there are."""
        return sum(times for _, _, times in self.outputs)

    def as_json(self) -> JsonObject:
        """Return runs, outputs with their number of times, the joint leakage, and the sum of
        the levels in nats.
        """
        return {
            "runs": self.runs,
            "minimum": self.minimum,
            "prior": self.prior,
            "pair": list(self.pair),
            "outputs": [{"mechanism": i, "output": output, "times": times} for i, output, times in self.outputs],
            "leakage": self.leakage.as_json(),
            "levels": self.level.enclosure().as_json(),
        }


def search_breaking(nfc: NfC) -> Breaking | None:
    """Return runs that break linear composition at the levels of a failed NfC, the fewest that the
    search could try.

    >>> from pufferproof import Channel, Framework, Table
    >>> from pufferproof.lp.rates.nfc import check_nfc
    >>> prior = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": prior})
    >>> rows = {"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]}
    >>> breaking = search_breaking(check_nfc(framework, Channel.of(rows, ["u", "v"]), "0"))
    >>> breaking.runs, breaking.minimum, str(breaking.leakage.ratio)
    (2, True, '4/3')

    None when no number of runs up to the limits was enough: that proves nothing.

    Raises `ModelError` unless NfC fails, prior by prior, and not only in the limit of mixtures.
    """
    if nfc.answer is not Decision.FAILS or nfc.place is None:
        raise ModelError("expected a failure of NfC", "from_failure")
    if nfc.place.priors[0] != nfc.place.priors[1]:
        raise ModelError(
            "expected a failure under a prior of the list, found one in the limit of mixtures", "from_failure"
        )
    search = _JointCounts(nfc)
    first = search.in_proportion()
    if first is None:
        return None
    smaller, all_tried = search.fewest(sum(first[1]))
    return search.breaking(*(smaller or first), all_tried)


def breaking_certificate(breaking: Breaking, inputs: Inputs) -> JsonObject:
    """Return the certificate of the joint leakage above the sum of the levels.

    Raises `CertificateError` as `statement` does. The kernel reads at most 100 releases.
    """
    used = sorted({i for i, _, _ in breaking.outputs})
    kept = Inputs(inputs.framework, tuple(inputs.mechanisms[i] for i in used))
    mechanisms = [breaking.mechanisms[i] for i in used]
    kind = "leakage-witness" if breaking.runs == 1 else "joint-leakage-witness"
    # what is claimed of the mechanisms: by one output, or by those of all releases
    place = {"prior": breaking.prior, "pair": list(breaking.pair)}
    releases = [used.index(i) for i, _, times in breaking.outputs for _ in range(times)]
    names = [output for _, output, times in breaking.outputs for _ in range(times)]
    shown = {"output": names[0]} if len(names) == 1 else {"releases": releases, "outputs": names}
    claim = {**place, **shown, "exceeds": level_json(breaking.level)}
    return statement(kind, claim, breaking.framework, mechanisms, kept)


class _JointCounts:
    """Exact joint ratios of counts over joint outputs, against the sum of the levels."""

    def __init__(self, nfc: NfC) -> None:
        import numpy as np

        self.nfc = nfc
        self.outputs = [(i, output) for i, channel in enumerate(nfc.mechanisms) for output in channel.outputs]
        self.multisets = Multisets(nfc.framework, nfc.mechanisms)
        self.levels = [nfc.levels[i] for i, _ in self.outputs]
        self.nats = np.array([float(level.enclosure().upper) for level in self.levels])
        place = (nfc.place.priors[0], nfc.place.pair) if nfc.place else ()
        self.place = next(each for each in self.multisets.places if (each.prior, each.pair) == place)
        weights = {(i, output): weight for i, output, weight in nfc.alpha}
        self.alpha = [weights.get(output, Fraction(0)) for output in self.outputs]

    def in_proportion(self) -> tuple[RatioPlace, tuple[int, ...]] | None:
        """Return counts in proportion to alpha that exceed the levels: the fewest runs of those
        that are rounded so.

        If sum_w alpha_w log(P(w|x) / P(w|y)) exceeds the levels against every y, by a margin m > 0,
        then r runs in proportion to alpha have a joint ratio of at least mu_x e^(r (level + m)):
        more than e^(r level) once r > log(1 / mu_x) / m (worst.rate-lower).
        """
        import numpy as np

        runs = self._enough()
        for start in range(1, runs + 1, _CHUNK):
            table = [_rounded(self.alpha, r) for r in range(start, min(start + _CHUNK, runs + 1))]
            if first := self._first([self.place], np.array(table)):
                return first
        return None

    def _enough(self) -> int:
        """Return a power of two of runs, as alpha says, that exceed the levels, or 0 if none do."""
        import numpy as np

        runs = 1
        while runs <= MAX_RUNS:
            if self._first([self.place], np.array([_rounded(self.alpha, runs)])):
                return runs
            runs *= 2
        return 0

    def fewest(self, below: int) -> tuple[tuple[RatioPlace, tuple[int, ...]] | None, bool]:
        """Try all multisets of fewer runs, unless there are too many: the first that exceeds,
        and whether all were tried.
        """
        size, tried = len(self.outputs), 0
        for runs in range(1, below):
            tried += multisets_of(size, runs)
            if tried > MAX_TRIED:
                return None, False
            if first := self._first(self.multisets.places, all_counts(size, runs)):
                return first, True
        return None, True

    def _first(
        self, places: Sequence[RatioPlace], counts: "NDArray[np.int64]"
    ) -> tuple[RatioPlace, tuple[int, ...]] | None:
        """Return the first place and row of counts with a joint ratio above the levels, exactly."""
        import numpy as np

        slack = self.multisets.error(int(counts.sum(axis=1).max())) * (1 + float(self.nats.max()))
        for place, ratios in self.multisets.log_ratios(counts, places):
            for i in np.flatnonzero(ratios - counts @ self.nats > -slack).tolist():
                row = tuple(counts[i].tolist())
                if self.exceeds(*self.multisets.exact(place, row), row):
                    return place, row
        return None

    def exceeds(self, above: int, below: int, counts: Sequence[int]) -> bool:
        """Decide above / below > product of e^level over the counts."""
        if below == 0:
            return above > 0
        ratio, nats = self.total(counts)
        return Level.of_nats(nats).compare(Fraction(above, below) / ratio) > 0

    def total(self, counts: Sequence[int]) -> tuple[Fraction, Fraction]:
        """Return the sum of the levels as log of a rational, and nats."""
        ratio = prod(((level.ratio or Fraction(1)) ** c for level, c in zip(self.levels, counts)), start=Fraction(1))
        return ratio, sum((c * (level.nats or Fraction(0)) for level, c in zip(self.levels, counts)), Fraction(0))

    def breaking(self, place: RatioPlace, counts: tuple[int, ...], minimum: bool) -> Breaking:
        above, below = self.multisets.exact(place, counts)
        leakage = Leakage.of(Fraction(above, below) if below else None)
        outputs = tuple((i, output, c) for (i, output), c in zip(self.outputs, counts) if c)
        nfc, level = self.nfc, self._level(leakage, counts)
        return Breaking(
            nfc.framework, nfc.mechanisms, nfc.levels, place.prior, place.pair, outputs, leakage, level, minimum
        )

    def _level(self, leakage: Leakage, counts: Sequence[int]) -> Level:
        """Return the sum of the levels, or a rational between e^sum and the joint ratio."""
        ratio, nats = self.total(counts)
        if nats == 0 or ratio == 1:
            return Level.log(ratio) if nats == 0 else Level.of_nats(nats)
        accuracy = 64
        while leakage.ratio is not None and leakage.ratio <= ratio * exp_bounds(nats, accuracy)[1]:
            accuracy *= 2
        return Level.log(ratio * exp_bounds(nats, accuracy)[1])


def _rounded(alpha: Sequence[Fraction], runs: int) -> list[int]:
    """Return counts near runs * alpha that sum to runs: at least 1 for a positive weight, if there
    are as many runs.

    A tiny weight may be what separates a database; the counts are rounded down, then up where the
    most is missing.
    """
    least = int(runs >= sum(weight > 0 for weight in alpha))
    counts = [max(math.floor(runs * weight), least * (weight > 0)) for weight in alpha]
    while (left := runs - sum(counts)) != 0:
        missing = [runs * weight - count for weight, count in zip(alpha, counts)]
        counts[missing.index(max(missing)) if left > 0 else counts.index(max(counts))] += 1 if left > 0 else -1
    return counts
