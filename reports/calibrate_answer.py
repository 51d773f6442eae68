"""What `calibrate` finds: the noise scale of a published mechanism for a framework and a query, and what it really leaks.

Queries of records that a chain or product law describes are never listed; other priors and queries from files need databases
few enough to list. The leakage is that of Laplace noise with the upper end of the scale, exact, where it can be had.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from pufferproof.models.bayesian_network import BayesianNetwork
from pufferproof.models.errors import ModelError
from pufferproof.models.files import Loaded, framework_of, in_file, prior_of, read_loaded
from pufferproof.models.framework import Framework
from pufferproof.models.influence import NONE
from pufferproof.models.influence_bounds import song_bound, wang_bound
from pufferproof.models.level import Level
from pufferproof.models.mechanisms.lipschitz import lipschitz_of_records, lipschitz_of_table
from pufferproof.models.mechanisms.markov_quilt import markov_quilt
from pufferproof.models.mechanisms.markov_quilt_approx import markov_quilt_approx
from pufferproof.models.mechanisms.network_quilt import NetworkScale, network_quilt
from pufferproof.models.mechanisms.noise_scale import NO_NOISE, Scale, quotient
from pufferproof.models.mechanisms.worst_record import ActiveQuilt, QuiltScale
from pufferproof.models.network_quilts import Quilt
from pufferproof.models.noise import QUERIES, AdditiveNoise, Noise
from pufferproof.models.numbers import Enclosure, enclose, exact, shown, text_of
from pufferproof.models.priors import MarkovChain, Prior, Product, Records
from pufferproof.models.query_files import read_query
from pufferproof.models.record_query import RecordQuery
from pufferproof.models.schema import FrameworkFile
from pufferproof.models.sequence_files import sequences_of
from pufferproof.models.sequences import SequenceFramework
from pufferproof.verify.calibration import leakage_at, smallest_scale, wasserstein_scale
from pufferproof.verify.leakage import Leakage
from pufferproof.verify.noise_chain import sequence_laws
from pufferproof.verify.noise_laws import QueryLaws, table_laws

MOST_WORK = 5_000_000  # records times values of the query, beyond which laws along a chain take longer than a minute
MOST_SECRETS = 4_000  # secrets of all records together
BOUNDS = {
    "song2017": "song2017, Lemma II.3, one-sided quilts with the term of their side",
    "wang2016": "wang2016, Lemma 4.7, stationary law and eigengap the least over the priors",
}
_ANY_NOISE = Noise.laplace(1)  # laws of queries do not depend on it


@dataclass(frozen=True)
class Calibration:
    """A scale, the quilt or the pair that asks for it, and what the mechanism takes for granted."""

    scale: Scale
    assumed: list[str]
    quilt: ActiveQuilt | Quilt | None = None
    found: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def enclosure(self) -> Enclosure:
        """Return the scale as decimals."""
        return self.scale.enclosure()

    @property
    def quilt_json(self) -> dict[str, Any] | None:
        """The quilt of the output: distances on a chain, records of a network."""
        if isinstance(self.quilt, Quilt):
            return {"record": self.quilt.record, "nodes": list(self.quilt.quilt)}
        if self.quilt is None:
            return None
        return {"record": self.quilt.record, "left": self.quilt.left, "right": self.quilt.right}


@dataclass(frozen=True)
class Task:
    """A framework, a query and a level for which noise is calibrated."""

    loaded: Loaded[FrameworkFile]
    query: str | dict[str, Any]
    level: Level
    every_record: bool

    @classmethod
    def read(cls, framework: str, query: str, level: Level, every_record: bool = False) -> "Task":
        """Read both. Raises `ModelError` unless priors are a list, and the query is known or a file."""
        loaded = read_loaded(framework, FrameworkFile)
        if loaded.value.closure != "list":
            with in_file(framework):
                raise ModelError('noise is calibrated for listed priors: expected "list"', "closure")
        if query not in QUERIES and not Path(query).exists():
            raise ModelError(f'expected one of {", ".join(QUERIES)}, or a file, found "{query}"', "--query")
        task = cls(loaded, query if query in QUERIES else read_query(query), level, every_record)
        if isinstance(task.query, str) or every_record:
            _ = task.records
        return task

    @cached_property
    def records(self) -> Records:
        """The records. Raises `ModelError` unless databases are made of records."""
        with in_file(self.loaded.path):
            shape = self.loaded.value.records
            if shape is None:
                raise ModelError('expected databases made of records ("records"), found a list', "databases")
            return Records(shape.count, tuple(shape.alphabet))

    @cached_property
    def priors(self) -> dict[str, Prior]:
        """The priors by name. Raises `ModelError` unless there is one."""
        with in_file(self.loaded.path):
            if not self.loaded.value.priors:
                raise ModelError("expected at least one prior, found none", "priors")
            return {name: prior_of(name, shape) for name, shape in self.loaded.value.priors.items()}

    @cached_property
    def sequences(self) -> SequenceFramework:
        """The framework, not listed. Raises `ModelError` unless secrets speak of single records and priors are chains."""
        with in_file(self.loaded.path):
            found = sequences_of(self.loaded.value, self.records)
            if not self.every_record:
                return found
            return SequenceFramework(self.records, self._every_secret, "disjoint", self.priors)

    @cached_property
    def listed(self) -> Framework:
        """The framework with its databases listed. Raises `ModelError` unless they are few enough."""
        with in_file(self.loaded.path):
            if self.every_record:
                return Framework.of_records(self.records, self._every_secret, "disjoint", self.priors)
            return framework_of(self.loaded.value)

    @property
    def _every_secret(self) -> dict[str, tuple[int, str]]:
        count, letters = self.records.count, self.records.alphabet
        if count * len(letters) > MOST_SECRETS:
            raise ModelError(f"{count * len(letters)} secrets: expected at most {MOST_SECRETS}", "records")
        return {f"x{t}={value}": (t, value) for t in range(1, count + 1) for value in letters}

    @property
    def along_records(self) -> bool:
        """Whether the query and the priors need no list of databases."""
        simple = all(isinstance(prior, MarkovChain | Product) for prior in self.priors.values())
        held = self.loaded.value.secrets.values()
        return isinstance(self.query, str) and simple and not any(isinstance(each, list) for each in held)

    @cached_property
    def record_query(self) -> RecordQuery:
        """The built-in query, with some noise."""
        with in_file(self.loaded.path):
            return RecordQuery(str(self.query), _ANY_NOISE, self.records)

    @cached_property
    def table(self) -> AdditiveNoise:
        """The query as a table of databases, with some noise."""
        if isinstance(self.query, str):
            return AdditiveNoise.of_records(self.query, self.records, _ANY_NOISE)
        return AdditiveNoise(self.query, _ANY_NOISE)

    @cached_property
    def laws(self) -> QueryLaws:
        """The laws of the query given each secret. Raises `ModelError` unless they can be had."""
        if self.along_records:
            return sequence_laws(self.sequences, [self.record_query])
        return table_laws(self.listed, [self.table])

    @cached_property
    def lipschitz(self) -> Fraction:
        """How much the query changes at most, in L1, when one record changes."""
        if isinstance(self.query, str):
            return lipschitz_of_records(self.record_query)
        return lipschitz_of_table(self.table, self.records)

    def too_long(self) -> str | None:
        """Return why the exact leakage is not computed, None if it is."""
        if not self.along_records:
            return None if self.records_listed() else "databases are too many to list"
        size = self.records.count
        for row in self.record_query.digits:
            size *= 1 + self.records.count * max(row)
        if size > MOST_WORK:
            return f"{size} records times values of the query, expected at most {MOST_WORK}"
        if self.every_record and self.records.count * len(self.records.alphabet) > MOST_SECRETS:
            return f"expected at most {MOST_SECRETS} secrets of all records together"
        return None

    def records_listed(self) -> bool:
        """Whether databases can be listed."""
        return self.loaded.value.records is None or self.records.enumerable

    def leakage(self, scale: Enclosure) -> Leakage:
        """Return the exact leakage of Laplace noise with the upper end of a scale."""
        return leakage_at(self.laws, exact(scale.upper))

    def tight(self, scale: Enclosure) -> Enclosure:
        """Enclose the least scale of Laplace noise that keeps the level."""
        return enclose(*smallest_scale(self.laws, self.level, exact(scale.upper) or Fraction(1)))


def wasserstein(task: Task) -> Calibration:
    """Calibrate the Wasserstein mechanism."""
    found = wasserstein_scale(task.laws, task.level)
    told = {"distance": text_of(found.distance), "prior": found.prior, "pair": list(found.pair)}
    return Calibration(found.scale, ["priors: those listed"], None, told)


def exact_quilts(task: Task) -> Calibration:
    """Calibrate the Markov quilt mechanism with the exact influence of every prior, the largest scale over the priors."""
    return over_priors(task, _exact_scale, ["influences: exact"])


def approximate_quilts(task: Task, bound: str) -> Calibration:
    """Calibrate the Markov quilt mechanism with a published bound in place of influence, "song2017" or "wang2016"."""
    if bound not in BOUNDS:
        raise ModelError(f"expected one of {', '.join(BOUNDS)}, found {shown(bound)}", "--bound")
    chains = [prior.transition for prior in task.priors.values() if isinstance(prior, MarkovChain)]

    def scale_of(task: Task, prior: Prior, records: list[int] | None) -> QuiltScale | NetworkScale:
        if not isinstance(prior, MarkovChain):
            return _exact_scale(task, prior, records)
        prior.parts(task.records)
        made = wang_bound(chains) if bound == "wang2016" else song_bound(prior.transition)
        return markov_quilt_approx(made, task.records.count, task.level, records, task.lipschitz)

    told = [f"influences: at most the bound of {BOUNDS[bound]}", "quilts nearer than its threshold: left out"]
    return over_priors(task, scale_of, told)


def over_priors(
    task: Task, scale_of: Callable[[Task, Prior, list[int] | None], QuiltScale | NetworkScale], assumed: list[str]
) -> Calibration:
    """Calibrate a Markov quilt mechanism: the largest scale over the priors, the first prior of several with it."""
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "--epsilon")
    lipschitz, records = task.lipschitz, task_records(task)
    told = {"lipschitz": text_of(lipschitz)}
    assumed = [*assumed, f"the query changes by at most {text_of(lipschitz)} (L1) when one record does"]
    if not lipschitz:
        return Calibration(NO_NOISE, assumed, None, told, ["note: the query does not depend on the records: no noise"])
    best: tuple[str, QuiltScale | NetworkScale] | None = None
    for name in task.priors:
        try:
            found = scale_of(task, task.priors[name], records)
        except ModelError as error:
            with in_file(task.loaded.path):
                raise error.within(f"priors.{name}") from None
        if best is None or (found.scale.upper or 0) > (best[1].scale.upper or 0):
            best = name, found
    assert best is not None
    name, found = best
    notes, nearby = [], found.quilt.nearby
    nearby = nearby if isinstance(nearby, int) else len(nearby)
    if isinstance(found, NetworkScale) and not found.complete:
        assumed.append("quilts: of at most two records, and boundaries of balls")
    if found.trivial and task.records.count > 1:
        notes.append("note: epsilon is too small for any other quilt to help: the trivial one, {}, all records nearby")
    return Calibration(found.scale, assumed, found.quilt, told | {"prior": name, "nearby": nearby}, notes)


def task_records(task: Task) -> list[int] | None:
    """Return the records that pairs of secrets speak of, None for all.

    Raises `ModelError` unless secrets speak of single records.
    """
    if task.every_record:
        return None
    with in_file(task.loaded.path):
        for name, held in task.loaded.value.secrets.items():
            if isinstance(held, list):
                wanted = 'expected {"record": i, "value": v}: quilts are those of single records'
                raise ModelError(f"{wanted}, found a list of databases", f"secrets.{name}")
        secrets = sequences_of(task.loaded.value, task.records) if task.along_records else task.listed
        places = task.loaded.value.secrets
        return sorted({places[name].record for pair in secrets.pairs for name in pair})  # type: ignore[union-attr]


def _exact_scale(task: Task, prior: Prior, records: list[int] | None) -> QuiltScale | NetworkScale:
    if isinstance(prior, Product):
        prior.factors(task.records)
        return independent_scale(task, records)
    if isinstance(prior, MarkovChain):
        prior.parts(task.records)
        return markov_quilt(prior, task.records.count, task.level, records, task.lipschitz)
    if isinstance(prior, BayesianNetwork):
        return network_quilt(prior, task.records, task.level, records, task.lipschitz)
    raise ModelError('expected a "markov", "product" or "bayes_net" prior', "prior")


def independent_scale(task: Task, records: list[int] | None) -> QuiltScale:
    """Return the scale for independent records, where the nearest records are a quilt without influence."""
    scale = quotient(task.lipschitz, task.level)
    record = records[0] if records else 1
    sides = 1 if record > 1 else None, 1 if record < task.records.count else None
    return QuiltScale(scale, ActiveQuilt(record, *sides, 1, NONE), 1)
