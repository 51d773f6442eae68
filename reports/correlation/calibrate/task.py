"""What `calibrate` is asked: a framework, a query and a level, and the laws of the query where they
can be had.

Queries of records that a chain, hidden or not, or a product law describes are never listed; other
priors and queries from files need databases few enough to list. Mechanisms are in
`reports/correlation/calibrate/answer.py`.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from math import lcm, prod
from typing import Any, NamedTuple

from pufferproof.models.errors import CertificateError, ModelError, TooLargeError
from pufferproof.models.files.frameworks import class_of, framework_of, listed_of, records_of, sequences_of
from pufferproof.models.files.mechanisms import WEIGHTS_OF_NUMBERS
from pufferproof.models.files.queries import read_query
from pufferproof.models.files.reading import Loaded, digest, in_file, read_loaded
from pufferproof.models.files.shapes import CountShape, FrameworkFile, RecordSecret, WeightsShape
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import QUERIES, AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery, lipschitz_of_records, lipschitz_of_table
from pufferproof.models.noise.transport import Moved, quantile_plan
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, about, did_you_mean
from pufferproof.models.priors.chains.gap import ChainClass
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import PriorClass
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.chain import Chain, SequencePrior
from pufferproof.verify.audit import audit, listed_ratio
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.influence.curves.framework import influence_curve
from pufferproof.verify.influence.curves.point import CurvePoint
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.largest import noisy_ratio
from pufferproof.verify.noise.laws.of_framework import QueryLaws, table_laws
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.scale.between import BETWEEN_RESTS_ON as BETWEEN_RESTS_ON
from pufferproof.verify.noise.scale.between import RESTS_ON as ENDS_REST_ON
from pufferproof.verify.noise.scale.between import factor_at_ends, leakage_between, scale_between
from pufferproof.verify.noise.scale.calibration import (
    SMALLEST_RESTS_ON,
    Progress,
    leakage_at,
    leakage_rests_on,
    smallest_scale,
)

# records times values of the query, beyond which laws along a chain take longer than a minute
MOST_WORK = 5_000_000
MOST_STEPS = 6 * 10**10  # bits that go through states, beyond which laws take more than a second
MOST_RATIOS = 1_000_000
MOST_SECRETS = 4_000  # secrets of all records together
MOST_BOUNDED = 40  # records with secrets whose leakage is looked for between bounds
_MOST_AT_ENDS = 700_000  # coordinates times cube of the values, beyond which bounds take minutes
_COUNT = "count="  # of records with a value
_ANY_NOISE = Noise.laplace(1)  # laws of queries do not depend on it


class Leaked(NamedTuple):
    """What noise leaks, or why it is not computed; `between` bounds of a window that meet closely,
    where the exact law takes long. It rests on `claims`.
    """

    leakage: Leakage | None
    reason: str | None = None
    between: bool = False
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Task:
    """A framework, a query and a level for which noise is calibrated."""

    loaded: Loaded[FrameworkFile]
    query: str | JsonObject
    level: Level
    every_record: bool
    normalize: bool = False
    query_file: Loaded[Any] | None = None
    counted: str | None = None
    of: tuple[int | str, ...] | None = None

    @classmethod
    def read(
        cls, framework: str, query: str, level: Level, every_record: bool = False, normalize: bool = False
    ) -> "Task":
        """Read both, and divide rows of priors that need it by their sums if asked to.

        Raises `ModelError` unless priors are a list, and the query is known or a file.
        """
        loaded = read_loaded(framework, FrameworkFile)
        if loaded.value.closure != "list":
            with in_file(framework):
                raise ModelError('noise is calibrated for listed priors: expected "list"', "closure")
        named, value = query in QUERIES, query.removeprefix(_COUNT)
        count = value != query and not os.path.exists(query)
        if not (named or count or os.path.exists(query)):
            raise ModelError(
                f'expected one of {", ".join(QUERIES)}, {_COUNT}VALUE, or a file, found "{query}"'
                f"{did_you_mean(query, QUERIES)}",
                "--query",
            )
        file = None if named or count else read_query(query)
        asked: Any = query if file is None else file.value
        if count:
            asked = CountShape(count=value)
        if isinstance(asked, WeightsShape):
            raise ModelError(WEIGHTS_OF_NUMBERS, f"{query}: query.weights")
        counted = asked.count if isinstance(asked, CountShape) else None
        of = asked.of if isinstance(asked, CountShape) else None
        form = asked if counted is None else "count"
        chosen = None if of is None else tuple(of)
        task = cls(loaded, form, level, every_record, normalize, file, counted, chosen)
        if isinstance(task.query, str) or every_record:
            _ = task.records
        if count:
            try:
                _ = task.record_query
            except ModelError as error:
                raise ModelError(error.what, "--query") from None
        return task

    def at(self, level: Level) -> "Task":
        """Return the same task at another level: what is known of framework and query stays."""
        other = replace(self, level=level)
        vars(other).update({name: var for name, var in vars(self).items() if name != "level"})
        return other

    @cached_property
    def records(self) -> Records:
        """The records. Raises `ModelError` unless databases are made of records."""
        with in_file(self.loaded.path):
            if self.loaded.value.records is None:
                raise ModelError('expected databases made of records ("records"), found a list', "databases")
            return records_of(self.loaded.value)

    @cached_property
    def priors(self) -> dict[str, Prior | PriorClass]:
        """The priors, and classes of chains, by name. Raises `ModelError` unless there is one."""
        with in_file(self.loaded.path):
            if self.loaded.value.neighbours is not None:
                raise ModelError(
                    "noise is calibrated to secrets and priors that are written: expected these "
                    'instead of neighbours, or "audit" of a noise that you choose',
                    "neighbours",
                )
            if not self.loaded.value.priors:
                raise ModelError("expected at least one prior, found none", "priors")
            return {name: class_of(name, shape, self.normalize) for name, shape in self.loaded.value.priors.items()}

    @cached_property
    def sequences(self) -> Framework:
        """The framework, not listed. Raises `ModelError` unless secrets speak of single records
        and priors are chains.
        """
        with in_file(self.loaded.path):
            if not self.every_record:
                return sequences_of(self.loaded.value, self.normalize)
            return Framework.of_records(self.records, self._every_secret, "disjoint", self._single_priors)

    @cached_property
    def listed(self) -> Framework:
        """The framework with its databases listed. Raises `ModelError` unless they are few
        enough.
        """
        with in_file(self.loaded.path):
            if self.every_record:
                return Framework.of_records(self.records, self._every_secret, "disjoint", self._single_priors)
            return listed_of(self.loaded.value, self.normalize)

    @cached_property
    def framework(self) -> Framework:
        """The framework, its databases listed or not. Raises `ModelError` unless databases are made
        of records, and priors are no classes of chains.
        """
        _ = self.records
        with in_file(self.loaded.path):
            if self.classes:
                raise ModelError("expected one prior, found a class of priors", f"priors.{self.classes[0]}")
            if not self.every_record:
                return framework_of(self.loaded.value, self.normalize)
            return Framework.of_records(self.records, self._every_secret, "disjoint", self._single_priors)

    def curve(self, most: int) -> list[CurvePoint]:
        """Return the points b = 0 .. `most` of the influence curve."""
        if most >= len(self._points):
            with in_file(self.loaded.path):
                self._points[:] = influence_curve(self.framework, most)
        return self._points[: most + 1]

    @cached_property
    def _points(self) -> list[CurvePoint]:
        return []

    @property
    def classes(self) -> list[str]:
        """The names of classes of chains among the priors."""
        return [name for name, prior in self.priors.items() if isinstance(prior, PriorClass)]

    @property
    def _single_priors(self) -> dict[str, Prior]:
        return {name: prior for name, prior in self.priors.items() if not isinstance(prior, PriorClass)}

    @property
    def _every_secret(self) -> dict[str, tuple[int, str]]:
        count, letters = self.records.count, self.records.alphabet
        if count * len(letters) > MOST_SECRETS:
            raise ModelError(f"{count * len(letters)} secrets: expected at most {MOST_SECRETS}", "records")
        own = ((t, value) for t in range(1, count + 1) for value in self.records.own(t))
        return {f"x{t}={value}": (t, value) for t, value in own}

    @property
    def pairs(self) -> Sequence[Pair]:
        """The pairs of secrets about single records. Raises `ModelError` unless they are
        disjoint.
        """
        shape, size = self.loaded.value, len(self.records.alphabet)
        pairs: Any = shape.pairs if isinstance(shape.pairs, str) else [(left, right) for left, right in shape.pairs]
        secrets = {
            name: (secret.number, secret.value)
            for name, secret in shape.secrets.items()
            if isinstance(secret, RecordSecret)
        }
        even = [Fraction(1, size)] * size  # pairs do not depend on priors
        records = replace(self.records, values=None)
        return Framework.of_records(records, secrets, pairs, {"even": MarkovChain(even, [even] * size)}).pairs

    @property
    def along_records(self) -> bool:
        """Whether the query and the priors need no list of databases."""
        simple = all(isinstance(prior, SequencePrior) for prior in self.priors.values())
        secrets = self.loaded.value.secrets.values()
        return isinstance(self.query, str) and simple and not any(isinstance(secret, list) for secret in secrets)

    @cached_property
    def record_query(self) -> RecordQuery:
        """The built-in query, with some noise."""
        with in_file(self.loaded.path):
            asked = str(self.query)
            return RecordQuery(asked, _ANY_NOISE, self.records, None, self.counted, self.of)

    @cached_property
    def table(self) -> AdditiveNoise:
        """The query as a table of databases, with some noise."""
        if isinstance(self.query, str):
            return self.record_query.written_out()
        return AdditiveNoise(self.query, _ANY_NOISE)

    @cached_property
    def laws(self) -> QueryLaws:
        """The laws of the query given each secret. Raises `ModelError` unless they can be had."""
        if self.along_records:
            return sequence_laws(self.sequences, [self.record_query])
        if not self.records_listed() and self._network_laws is not None:
            return self._network_laws
        return table_laws(self.listed, [self.table])

    @cached_property
    def plans(self) -> list[list[Moved]]:
        """The plan of every pair of laws. Raises `ModelError` unless the query is a number."""
        if self.classes:
            with in_file(self.loaded.path):
                raise ModelError("expected one prior, found a class of priors", f"priors.{self.classes[0]}")
        laws = self.laws
        if len(laws.noises) > 1:
            raise ModelError("plans need a query that is one number; this query is a vector", "--query")
        if not laws.pairs:
            raise ModelError("under every prior each pair has a secret of probability 0", "priors")
        plans = {}
        for pair in laws.pairs:
            one, other = ({v: p for (v,), p in law.items() if p} for law in (pair.above, pair.below))
            both = frozenset((frozenset(one.items()), frozenset(other.items())))
            if both not in plans:
                plans[both] = quantile_plan(one, other)
        return list(plans.values())

    @property
    def _on_networks(self) -> bool:
        """Whether some prior is a network with few secret records and many databases."""
        known = isinstance(self.query, str) and not self.classes and not self.along_records
        if not known or self.records_listed() or not self.framework.by_records:
            return False
        return len({record for record, _ in self.framework.places.values()}) <= MOST_BOUNDED

    @cached_property
    def _network_laws(self) -> QueryLaws | None:
        """The laws of the query on networks that are not listed, None if tables are too large."""
        if not self._on_networks:
            return None
        try:
            return sequence_laws(self.framework, [self.record_query])
        except TooLargeError:
            return None

    @cached_property
    def lipschitz(self) -> Fraction:
        """How much the query changes at most, in L1, when one record changes."""
        if isinstance(self.query, str):
            return lipschitz_of_records(self.record_query)
        return lipschitz_of_table(self.table, self.records)

    def unknown(self) -> str | None:
        """Return why the leakage is not computed, nor the least scale; None if they are."""
        if self.classes and self._least_of_class(Fraction(1)) is not None:
            return None
        return self.too_long()

    @cached_property
    def _with_classes(self) -> Framework:
        """The framework, with classes among its priors."""
        with in_file(self.loaded.path):
            if not self.every_record:
                return framework_of(self.loaded.value, self.normalize)
            return Framework.of_records(self.records, self._every_secret, "disjoint", self.priors)

    def _of_class(self, scale: Fraction) -> LargestRatio | None:
        """Return what noise of a scale leaks under the classes, or None if only bounded."""
        if not isinstance(self.query, str) or not scale:
            return None
        noisy = replace(self.record_query, noise=Noise.laplace(scale))
        largest = audit(self._with_classes, noisy).largest
        chains = all(isinstance(self.priors[name], ChainClass) for name in self.classes)
        return largest if isinstance(largest, ClassRatio) or not chains else None

    def _least_of_class(self, start: Fraction, progress: Progress | None = None) -> tuple[Fraction, Fraction] | None:
        """Return the least scale that keeps the level under the classes, or None if unknown."""
        if not isinstance(self.query, str):
            return None
        noisy = NoisyQueries((replace(self.record_query, noise=Noise.laplace(start)),))
        listed = partial(listed_ratio, self.level)
        factor = factor_at_ends(self._with_classes, noisy, self.level, listed, progress)
        return None if factor is None else (factor[0] * start, factor[1] * start)

    def too_long(self) -> str | None:
        """Return why the exact leakage is not computed, None if it is."""
        if self.classes:
            return f'"{self.classes[0]}" is a class of priors, not one law'
        if not self.along_records:
            listed_laws = self.records_listed() or self._network_laws is not None
            return None if listed_laws else "databases are too many to list"
        size = self.records.count
        for row in self.record_query.digits:
            size *= 1 + self.records.count * max(row)
        if size > MOST_WORK:
            return f"{about(size)} records times values of the query, expected at most {MOST_WORK}"
        if self.every_record and self.records.count * len(self.records.alphabet) > MOST_SECRETS:
            return f"expected at most {MOST_SECRETS} secrets of all records together"
        if self.every_record and (ratios := self._ratios(size // self.records.count)) > MOST_RATIOS:
            return f"{about(ratios)} ratios of all records together, expected at most {MOST_RATIOS}"
        return None

    def _ratios(self, outputs: int) -> int:
        """Return how many ratios the exact leakage about every record looks at."""
        values = len(self.records.alphabet)
        return self.records.count * values * (values - 1) * outputs

    def records_listed(self) -> bool:
        """Whether databases can be listed."""
        return self.loaded.value.records is None or self.records.enumerable

    def leakage(self, scale: Enclosure) -> Leaked:
        """Return the leakage of Laplace noise with the upper end of a scale, exactly or, where that
        takes long, between close bounds; or why it is not computed.
        """
        reason = self.too_long()
        if self.classes and (known := self._of_class(exact(scale.upper))) is not None:
            return Leaked(known.leakage, claims=known.rests_on(None))
        if reason is not None or self._takes_long:
            known = self._of_networks(scale) or self._between(exact(scale.upper))
            if known is not None:
                return Leaked(known.leakage, None, True, known.rests_on(None))
            if reason is not None:
                return Leaked(None, reason)
        laws, upper = self.laws, exact(scale.upper)
        try:
            return Leaked(leakage_at(laws, upper), claims=leakage_rests_on(laws, upper))
        except ModelError as error:
            if error.where not in ("noise", "query"):  # too little noise, or too many outputs: all else is bad input
                raise
            return Leaked(None, error.what)

    def _of_networks(self, scale: Enclosure) -> LargestRatio | None:
        """Return bounds of what noise leaks on networks whose tables are too large for its law."""
        if not self._on_networks or not exact(scale.upper):
            return None
        mechanism = NoisyQueries((self.mechanism(scale),))
        return noisy_ratio(self.framework, mechanism, None, soon=True)

    def mechanism(self, scale: Enclosure) -> AdditiveNoise | RecordQuery:
        """Return the query with Laplace noise of the upper end of a scale."""
        released = self.record_query if isinstance(self.query, str) else self.table
        return replace(released, noise=Noise.laplace(scale.upper))

    def certificate(self, scale: Enclosure, file: bytes | None) -> bytes:
        """Return the certificate that noise of a scale keeps the level, or exceeds it, with the
        hash of the mechanism's file. Raises `CertificateError` where there is none.
        """
        if not isinstance(self.query, str):
            raise CertificateError("the kernel has a rule for sums, means and histograms")
        framework = self._with_classes if self.classes else self.framework
        audited = audit(framework, self.mechanism(scale), self.level)
        own = None if self.every_record else self.loaded.sha256
        inputs = Inputs(own, (None if file is None else digest(file),))
        return certified_text(noise_certificate(audited, inputs)).encode()

    @property
    def _takes_long(self) -> bool:
        """Whether laws along a chain take more than about a second, by values and bits."""
        if not self.along_records or self.classes:
            return False
        count = self.records.count
        values = prod(1 + count * max(row) for row in self.record_query.digits)
        bits = max(map(_step_bits, self.sequences.chains.values()))
        return count * count * values * bits > MOST_STEPS

    def tight(self, scale: Enclosure, progress: Progress | None = None) -> Enclosure:
        """Enclose the least scale of Laplace noise that keeps the level."""
        start = exact(scale.upper) or Fraction(1)
        if self.classes:
            with in_file(self.loaded.path):
                least = self._least_of_class(start, progress)
                if least is None:
                    raise ModelError("no least scale is known for these classes", "priors")
                return enclose(*least)
        if self.too_long() is None:
            return enclose(*smallest_scale(self.laws, self.level, start, progress))
        return self.between(scale, progress)

    def between(self, scale: Enclosure, progress: Progress | None = None) -> Enclosure:
        """Enclose the least scale between bounds, which take no law of the query."""
        with in_file(self.loaded.path):
            query, start = self.record_query, exact(scale.upper) or Fraction(1)
            space = self.framework if self._on_networks else self.sequences
            return enclose(*scale_between(space, query, self.level, start, progress))

    @property
    def tight_rests_on(self) -> tuple[str, ...]:
        """The claims that the least scale rests on, beside those of what noise leaks."""
        if self.classes:
            return ENDS_REST_ON
        return SMALLEST_RESTS_ON if self.too_long() is None else BETWEEN_RESTS_ON

    def _between(self, scale: Fraction) -> LargestRatio | None:
        """Return close bounds of the leakage along a long sequence, or None."""
        bounded = self.along_records and not self.classes and not self.every_record
        if not bounded or not scale or not self.sequences.along_records:
            return None
        if len({record for record, _ in self.sequences.places.values()}) > MOST_BOUNDED:
            return None
        if self.record_query.dimension * len(self.records.alphabet) ** 3 > _MOST_AT_ENDS:
            return None
        return leakage_between(self.sequences, self.record_query, scale)


def _step_bits(chain: Chain) -> int:
    """Return how many bits the numbers of a step have, for all states before and after it."""
    common = lcm(*(p.denominator for row in chain.step for p in row))
    return common.bit_length() * max(1, len(chain.step)) ** 2
