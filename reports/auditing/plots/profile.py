"""The privacy profile as a table: the smallest delta at levels from 0 to 10 nats, and at the level
asked for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.readable import between
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.audit import Audit
from pufferproof.verify.leakage.delta import Delta, delta_of
from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta, noise_delta
from pufferproof.verify.noise.ratio.bounds import NoiseBounds
from pufferproof.verify.noise.ratio.partial import PartialDelta, partial_delta

_LEVELS = ("0", "0.01", "0.1", "0.2", "0.5", "1", "2", "5", "10")


@dataclass(frozen=True)
class ProfilePoint:
    """A level and the smallest delta there."""

    level: Level
    delta: Delta | NoiseDelta | PartialDelta

    def as_json(self) -> JsonObject:
        """Return the entry of the answer."""
        return {"level": self.level.enclosure().as_json(), "delta": self.delta.as_json()}


def profile_points(audit: Audit) -> list[ProfilePoint]:
    """Return the profile of listed outputs, or of queries with noise.

    Raises `ModelError` over the convex hull of priors, and where a delta of noise is not computed.
    """
    if audit.framework.closure == "convex":
        raise ModelError('needs listed priors, found "closure": "convex"', "--profile")
    if isinstance(audit.largest, NoiseBounds):
        raise ModelError(f"not computed: {audit.largest.reason}", "--profile")
    levels = [Level(text) for text in _LEVELS]
    if audit.level is not None and audit.level not in levels:
        levels = sorted([*levels, audit.level], key=lambda level: float(level.enclosure().upper))
    return [ProfilePoint(level, _delta(audit, level)) for level in levels]


def _delta(audit: Audit, level: Level) -> Delta | NoiseDelta | PartialDelta:
    if isinstance(audit.mechanism, PowerTable | PartialTable):
        return partial_delta(audit.framework, audit.mechanism, level)
    if isinstance(audit.mechanism, NoisyQueries):
        return noise_delta(audit.framework, audit.mechanism, level, audit.largest)
    return delta_of(audit.framework, audit.channel, level)


def profile_lines(points: Iterable[ProfilePoint]) -> Iterator[str]:
    """Yield a line per level."""
    head = "profile"
    for point in points:
        level = "0" if point.level.ratio == 1 else str(point.level)
        yield f"{head:9} {level:10}  delta {between(*point.delta.bounds())}"
        head = ""
