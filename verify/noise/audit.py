"""The audit of queries with noise: leakage, witness, verdict, for one release or several
independent ones together.

As `pufferproof.verify.audit`, for noise on a query: on listed databases, or along sequences that
are never listed. Laplace, geometric and discrete Laplace noise are always decided; Gaussian noise
is `UNDECIDED` at a level that enclosures do not tell from its leakage. There is no delta here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.signatures import checked
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.audit import Verdict, audit_json, verdict_of
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness
from pufferproof.verify.noise.chain import sequence_laws
from pufferproof.verify.noise.gaussian.lines import GaussianLeakage, largest_gaussian_ratio
from pufferproof.verify.noise.laws import QueryLaws, table_laws
from pufferproof.verify.noise.leakage import NoiseLeakage, largest_ratio

Release = AdditiveNoise | RecordQuery


@dataclass(frozen=True, repr=False)
class NoiseAudit(Readable):
    """The outcome of an audit of queries with noise; `verdict` is None when no level was asked
    for.
    """

    framework: Framework = field(repr=False)
    releases: tuple[Release, ...] = field(repr=False)
    level: Level | None
    found: NoiseLeakage | GaussianLeakage = field(repr=False)
    verdict: Verdict | None

    @property
    def leakage(self) -> Leakage:
        """The leakage, exact or enclosed."""
        return self.found.leakage

    @property
    def witness(self) -> Witness:
        """Where it is reached: the numbers of the output, or the limit in which Gaussian noise
        approaches it.
        """
        return self.found.witness

    @property
    def scope(self) -> Scope:
        """How many outputs were compared (for Gaussian noise: pairs of laws), and what was left
        out.
        """
        return self.found.scope

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on: exact arithmetic, and enclosures where they sorted outputs
        or decided a level.
        """
        gaussian, rational = (
            isinstance(self.found, GaussianLeakage),
            self.level is None or self.level.ratio is not None,
        )
        exact = self.leakage.infinite or (self.leakage.ratio is not None and rational)
        return ("EXACT",) if gaussian and exact else ("EXACT", "INTERVAL")

    def as_json(self) -> dict[str, Any]:
        """Return the audit object of the file formats."""
        return audit_json(self.verdict, self.leakage, self.witness, self.scope, self.trust)

    def __str__(self) -> str:
        verdict = "" if self.verdict is None else f"{self.verdict.value} {self.level}; "
        return f"{verdict}leakage {self.leakage}, {self.witness}"


@checked
def audit_noise(
    framework: Framework,
    release: Release | Sequence[Release],
    epsilon: LevelLike | None = None,
) -> NoiseAudit:
    """Audit a query with noise, or several independent ones released together.

    Args: framework: any for built-in queries of records, one that can be listed for tables of
        values. release: `AdditiveNoise` or `RecordQuery`, or a sequence of them. epsilon: the
        level to decide, as `audit` takes it.

    >>> from pufferproof import Table
    >>> from pufferproof.models.noise.additive import Noise
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> print(audit_noise(framework, AdditiveNoise({"a": 0, "b": 1}, Noise.laplace("1/log(2)")), "log(2)"))
    SATISFIES log(2); leakage log(2) ≈ 0.6931472 nats, at output '0' for 's' against 't', prior 'theta'

    Raises `ModelError` unless queries fit the framework, and as `noise_leakage` and
    `largest_gaussian_ratio` do.
    """
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    releases = (release,) if isinstance(release, AdditiveNoise | RecordQuery) else tuple(release)
    found = query_leakage(_laws(framework, releases))
    return NoiseAudit(
        framework,
        releases,
        level,
        found,
        None if level is None else verdict_of(found.compare(level)),
    )


def query_leakage(laws: QueryLaws) -> NoiseLeakage | GaussianLeakage:
    """Return the largest ratio of likelihoods that the laws of a query and its noise have."""
    if any(noise.variance is not None for noise in laws.noises):
        return largest_gaussian_ratio(laws)
    return largest_ratio(laws.noises, laws.pairs, laws.excluded, laws.never)


def _laws(framework: Framework, releases: Sequence[Release]) -> QueryLaws:
    if not releases:
        raise ModelError("expected at least one query with noise, found none")
    queries = [release for release in releases if isinstance(release, RecordQuery)]
    if framework.along_records and len(queries) == len(releases):
        return sequence_laws(framework, queries)
    tables = [
        release if isinstance(release, AdditiveNoise) else release.written_out()
        for release in releases
    ]
    return table_laws(framework, tables)
