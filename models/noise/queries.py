"""Queries with noise that are released together: one query whose coordinates are those of all."""

from dataclasses import dataclass
from typing import ClassVar

from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import RecordQuery

Query = AdditiveNoise | RecordQuery


@dataclass(frozen=True)
class NoisyQueries:
    """Queries with noise, released together with independent noise; often only one.

    >>> from pufferproof.models.noise.additive import Noise
    >>> bit = NoisyQueries((AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2)),))
    >>> bit.beside(bit).parts("0,1")
    ('0', '1')
    """

    unnamed: ClassVar = True

    queries: tuple[Query, ...]

    def beside(self, *others: "NoisyQueries") -> "NoisyQueries":
        """Return the independent joint release."""
        return NoisyQueries(tuple(query for each in (self, *others) for query in each.queries))

    @property
    def alone(self) -> "NoisyQueries":
        """The queries of the records of one person."""
        return NoisyQueries(tuple(query.alone if isinstance(query, RecordQuery) else query for query in self.queries))

    def parts(self, output: str) -> tuple[str, ...]:
        """Return the output of every query, given the numbers of all."""
        numbers, shown = output.split(","), []
        for query in self.queries:
            shown.append(",".join(numbers[: query.dimension]))
            numbers = numbers[query.dimension :]
        return tuple(shown)
