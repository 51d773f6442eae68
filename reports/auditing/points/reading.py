"""Reads a framework of normal priors that are not truncated, and linear queries of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import points_of
from pufferproof.models.files.mechanisms import given_in, linear_of
from pufferproof.models.files.reading import MAX_BYTES, Loaded, bytes_of, in_file, read_loaded
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.noise.additive import LinearQuery
from pufferproof.models.priors.continuous.points import PointFramework

_EVIDENCE = ("--certificate", "--evidence", "--out")


@dataclass(frozen=True)
class PointFiles:
    """A framework of normal priors, and linear queries of it with noise."""

    framework: Loaded[PointFramework]
    mechanisms: tuple[Loaded[LinearQuery], ...]

    @property
    def queries(self) -> tuple[LinearQuery, ...]:
        """The queries."""
        return tuple(mechanism.value for mechanism in self.mechanisms)


def read_point_framework(path: str) -> Loaded[PointFramework] | None:
    """Read a framework of normal priors that are not truncated, None if it is another one."""
    with in_file(path):
        if b"gaussian" not in bytes_of(path, MAX_BYTES):  # then nothing else is read twice
            return None
    loaded = read_loaded(path, FrameworkFile)
    if not loaded.value.pointwise:
        return None
    with in_file(path):
        return loaded.holding(points_of(loaded.value))


def read_points(framework: str, mechanisms: Sequence[str]) -> PointFiles | None:
    """Read a framework of normal priors that are not truncated, and linear queries of it; None if
    the framework is another one.
    """
    loaded = read_point_framework(framework)
    if loaded is None:
        return None
    queries = tuple(linear_of(given_in(path), loaded.value) for path in mechanisms)
    return PointFiles(loaded, queries)


def refuse_at_points(options: Mapping[str, object]) -> None:
    """Raise `ModelError` for the first option that has a value: it does not go with normal records
    that are not truncated.
    """
    option = next((name for name, value in options.items() if value), None)
    if option in _EVIDENCE:
        raise ModelError(
            'answers about "gaussian" priors without "box" have no certificate: their trust names '
            "the theorem that they rest on, and `pufferproof prove` shows it",
            option,
        )
    if option is not None:
        raise ModelError('needs databases that can be listed, not "gaussian" priors without "box"', option)
