"""What `calibrate` is asked: a framework, a query and a level, and the laws of the query where they
can be had.

Queries of records that a chain, hidden or not, or a product law describes are never listed; other
priors and queries from files need databases few enough to list. Mechanisms are in
`reports/correlation/calibrate/task.py`.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from math import lcm, prod
from typing import Any, NamedTuple

from pufferproof.models.errors import CertificateError, ModelError, TooLargeError
from pufferproof.models.files.frameworks import class_of, framework_of, listed_of, records_of, sequences_of
from pufferproof.models.files.mechanisms import WEIGHTS_OF_NUMBERS, read_query
from pufferproof.models.files.reading import Loaded, digest, in_file, read_loaded
from pufferproof.models.files.shapes import CountShape, FrameworkFile, RecordSecret, WeightsShape
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import QUERIES, AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery, lipschitz_of_records, lipschitz_of_table
from pufferproof.models.noise.scale import NO_NOISE, Scale, quotient
from pufferproof.models.noise.transport import RESTS_ON as PLANS_REST_ON
from pufferproof.models.noise.transport import Moved, farthest, mean_scale, quantile_plan
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, about, did_you_mean, shown, text_of
from pufferproof.models.priors.chains import ChainClass, GapChains, IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain, Matrix, is_irreducible, stationary_law
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork, PriorClass
from pufferproof.models.priors.networks.of_prior import network_of
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.chain import Chain, SequencePrior
from pufferproof.verify.audit import audit, listed_ratio
from pufferproof.verify.certificates.noise import noise_certificate
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.decision import united
from pufferproof.verify.influence.bounds import estimated_bound, song_bound, spectral_bound, wang_bound
from pufferproof.verify.influence.curves.framework import influence_curve
from pufferproof.verify.influence.curves.point import CurvePoint
from pufferproof.verify.influence.network import Quilt
from pufferproof.verify.influence.quilts.exact import markov_quilt, markov_quilt_of_class
from pufferproof.verify.influence.quilts.network import NetworkScale, network_quilt
from pufferproof.verify.influence.quilts.worst_record import (
    ActiveQuilt,
    QuiltScale,
    markov_quilt_approx,
    markov_quilt_spectral,
)
from pufferproof.verify.leakage.ratio import LargestRatio, Leakage
from pufferproof.verify.noise.accounts.elimination import MOST_VALUES
from pufferproof.verify.noise.accounts.likelihoods import apart
from pufferproof.verify.noise.classes.ends import ClassRatio
from pufferproof.verify.noise.largest import noisy_ratio
from pufferproof.verify.noise.laws.of_framework import QueryLaws, table_laws
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.scale.between import BETWEEN_RESTS_ON, factor_at_ends, leakage_between, scale_between
from pufferproof.verify.noise.scale.between import RESTS_ON as ENDS_REST_ON
from pufferproof.verify.noise.scale.calibration import (
    SMALLEST_RESTS_ON,
    Progress,
    leakage_at,
    leakage_rests_on,
    smallest_scale,
    wasserstein_scale,
)
from pufferproof.verify.noise.scale.networks import EliminatedScale, class_scale, network_scale

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
        # the ratios that the exact leakage about every record looks at
        values = len(self.records.alphabet)
        ratios = values * (values - 1) * (size // self.records.count) * self.records.count
        if self.every_record and ratios > MOST_RATIOS:
            return f"{about(ratios)} ratios of all records together, expected at most {MOST_RATIOS}"
        return None

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
            if not self._on_networks or not exact(scale.upper):
                of_networks = None
            else:
                mechanism = NoisyQueries((self.mechanism(scale),))
                of_networks = noisy_ratio(self.framework, mechanism, None, soon=True)
            known = of_networks or self._between(exact(scale.upper))
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


# What `calibrate` finds: the noise scale of a published mechanism for a framework and a query.
#
# The Wasserstein mechanism and the Markov quilt mechanism, with exact influences or bounds of them. What the noise
# really leaks is for `Task.leakage` of `reports/correlation/calibrate/task.py`: it is exact, where it can be had.

BOUNDS = {
    "song2017": "song2017, Lemma II.3, one-sided quilts with the term of their side",
    "wang2016": "wang2016, Lemma 4.7, stationary law and eigengap the least over the priors",
    "sharp": "claim general.spectral-influence, second singular value and stationary law",
}
_ELIMINATED = (
    "for every record of a network, the smaller bound of quilts and elimination (claim classes.elimination-rays)"
)
_TRIVIAL = "note: epsilon is so small that only the trivial quilt helps, {}, with all records nearby"


AnyScale = QuiltScale | NetworkScale | EliminatedScale
NetworkClass = Contacts | IntervalNetwork


@dataclass(frozen=True)
class Calibration:
    """A scale, the quilt or the pair that asks for it, and what the mechanism takes for granted."""

    scale: Scale
    assumed: list[str]
    quilt: ActiveQuilt | Quilt | None = None
    details: JsonObject = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    eliminated: int | None = None  # the record whose bound by elimination asks for the scale
    claims: tuple[str, ...] = ()  # that the scale rests on

    def enclosure(self) -> Enclosure:
        """Return the scale as decimals."""
        return self.scale.enclosure()

    @property
    def quilt_json(self) -> JsonObject | None:
        """The quilt of the output: distances on a chain, records of a network."""
        if isinstance(self.quilt, Quilt):
            return {"record": self.quilt.record, "nodes": list(self.quilt.quilt)}
        if self.quilt is None:
            return None
        return {"record": self.quilt.record, "left": self.quilt.left, "right": self.quilt.right}


def wasserstein(task: Task) -> Calibration:
    """Calibrate the Wasserstein mechanism."""
    if task.classes:
        with in_file(task.loaded.path):
            raise ModelError("expected one prior, found a class of priors", f"priors.{task.classes[0]}")
    largest = wasserstein_scale(task.laws, task.level)
    details = {"distance": text_of(largest.distance), "prior": largest.prior, "pair": list(largest.pair)}
    assumed = ["only the priors listed"]
    return Calibration(largest.scale, assumed, None, details, claims=largest.claims)


def kantorovich(task: Task) -> Calibration:
    """Calibrate by the sensitivity of the plan that matches quantiles, which is W_inf."""
    plans = task.plans
    plan = max(plans, key=farthest)
    assumed = ["only the priors listed", "the plan of quantiles, which has the least mean distance"]
    return Calibration(quotient(farthest(plan), task.level), assumed, claims=PLANS_REST_ON)


def plan_mean(task: Task) -> Calibration:
    """Calibrate by the means of e^(distance / scale) over that plan, a condition of our own."""
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0", "--epsilon")
    scales = [mean_scale(plan, task.level) for plan in task.plans]
    assumed = ["only the priors listed", "means over the plan of quantiles, claim noise.plan-mean"]
    largest = max(scales, key=lambda scale: scale.upper or 0)
    return Calibration(largest, assumed, claims=PLANS_REST_ON)


def exact_quilts(task: Task) -> Calibration:
    """Calibrate the Markov quilt mechanism with the exact influence of every prior, the largest
    scale over the priors.
    """
    bounded = any(isinstance(prior, GapChains) for prior in task.priors.values())
    bound_words = "at most bounds over the class (an argument in words)" if bounded else "exact"
    return over_priors(task, _exact_scale, [f"influences: {bound_words}"])


def least_of_records(task: Task) -> Calibration:
    """Calibrate as `exact_quilts`, but in networks by elimination of all other records
    where that asks for less noise.
    """
    classes = any(isinstance(prior, NetworkClass) for prior in task.priors.values())
    networks = any(
        network_of(prior, task.records)
        for prior in task.priors.values()
        if not isinstance(prior, PriorClass | MarkovChain | Product)
    )
    size = len(task.records.alphabet)
    if not (networks or classes) or not 2 <= size <= (2 if classes else MOST_VALUES):
        return exact_quilts(task)
    return over_priors(task, _least_scale, ["influences: exact", _ELIMINATED])


def approximate_quilts(task: Task, bound: str) -> Calibration:
    """Calibrate the Markov quilt mechanism with a bound instead of influence: "song2017" or
    "wang2016" as published, or "sharp".
    """
    if bound not in BOUNDS:
        raise ModelError(f"expected one of {', '.join(BOUNDS)}, found {shown(bound)}", "--bound")
    if bound != "wang2016" and any(isinstance(each, GapChains) for each in task.priors.values()):
        raise ModelError("a class by pi_min and eigengap has that of wang2016 only", "--bound")
    matrices = {name: _matrix(prior) for name, prior in task.priors.items()}
    chains = [matrix for matrix in matrices.values() if matrix is not None]

    def scale_of(task: Task, prior: Prior | ChainClass, records: list[int] | None) -> QuiltScale | NetworkScale:
        if isinstance(prior, GapChains):
            prior.expect(task.records)
            made = estimated_bound(prior.pi_min, prior.eigengap)
            return markov_quilt_approx(made, task.records.count, task.level, records, task.lipschitz)
        matrix = _matrix(prior)
        if matrix is None:
            return _exact_scale(task, prior, records)
        if isinstance(prior, MarkovChain):
            prior.parts(task.records)
        elif isinstance(prior, ChainClass):
            prior.expect(task.records)
        asked = task.records.count, task.level, records, task.lipschitz
        if bound == "sharp":
            return markov_quilt_spectral(spectral_bound(matrix, _stationary(prior)), *asked)
        made = wang_bound(chains) if bound == "wang2016" else song_bound(matrix)
        return markov_quilt_approx(made, *asked)

    assumed = [f"influences: at most the bound of {BOUNDS[bound]}", "quilts nearer than its threshold: left out"]
    if bound == "sharp":
        names = [name for name, prior in task.priors.items() if _matrix(prior) is not None and not _stationary(prior)]
        assumed += [f"records before: by its bound for any law of the first, under {name}" for name in names]
    return over_priors(task, scale_of, assumed)


def _stationary(prior: Prior | ChainClass) -> bool:
    """Whether the first record of a chain has the stationary law, by name or by its numbers."""
    if isinstance(prior, MarkovChain):
        chain = prior.transition
        return is_irreducible(chain) and prior.initial_law() == stationary_law(chain)
    return isinstance(prior, ChainClass) and prior.initial == "stationary"


def _matrix(prior: Prior | ChainClass) -> Matrix | None:
    """Return the transition matrix of a prior, or of a class that has one, else None."""
    if isinstance(prior, GapChains):
        return None
    if isinstance(prior, ChainClass) and not prior.single:
        raise ModelError("a box of matrices needs --mechanism markov-quilt", "priors")
    if isinstance(prior, MarkovChain):
        return prior.transition
    return prior.lower if isinstance(prior, IntervalChain) else None


def over_priors(
    task: Task, scale_of: Callable[[Task, Prior | ChainClass, list[int] | None], AnyScale], assumed: list[str]
) -> Calibration:
    """Calibrate a Markov quilt mechanism: the largest scale over the priors, the first prior of
    several with it.
    """
    if task.level.ratio == 1:
        raise ModelError("expected a level above 0: at level 0 no finite noise is enough", "--epsilon")
    lipschitz, records = task.lipschitz, task_records(task)
    details: JsonObject = {"lipschitz": text_of(lipschitz)}
    changes = f"the query changes by at most {text_of(lipschitz)} (L1) when one record does"
    assumed = [*assumed, changes]
    if not lipschitz:
        note = "note: the query does not depend on the records, so it needs no noise"
        return Calibration(NO_NOISE, assumed, None, details, [note])
    scales: dict[str, AnyScale] = {}
    for name, prior in task.priors.items():
        try:
            scales[name] = scale_of(task, prior, records)
        except ModelError as error:
            with in_file(task.loaded.path):
                raise error.within(f"priors.{name}") from None
    claims = united(*(scale.claims for scale in scales.values()))
    name, largest = max(scales.items(), key=lambda item: item[1].scale.upper or 0)
    if isinstance(largest, EliminatedScale):
        details |= {"prior": name}
        details |= {"around": list(largest.boundary)}
        record = largest.record
        return Calibration(largest.scale, assumed, None, details, eliminated=record, claims=claims)
    if isinstance(largest, NetworkScale) and not largest.complete:
        assumed.append("quilts: of at most two records, and boundaries of balls")
    left_out = sum(scale.left_out for scale in scales.values() if isinstance(scale, NetworkScale))
    if left_out:
        assumed.append(f"quilts: {left_out} left out, too large to tabulate; a smaller scale may be enough")
    trivial = largest.trivial and task.records.count > 1
    nearby = largest.quilt.nearby
    nearby = nearby if isinstance(nearby, int) else len(nearby)
    details |= {"prior": name, "nearby": nearby}
    notes = [_TRIVIAL] if trivial else []
    return Calibration(largest.scale, assumed, largest.quilt, details, notes, claims=claims)


def task_records(task: Task) -> list[int] | None:
    """Return the records that pairs of secrets speak of, None for all.

    Raises `ModelError` unless secrets speak of single records.
    """
    if task.every_record:
        return None
    with in_file(task.loaded.path):
        for name, secret in task.loaded.value.secrets.items():
            if isinstance(secret, list):
                wanted = 'expected {"record": i, "value": v}: quilts are those of single records'
                raise ModelError(f"{wanted}, found a list of databases", f"secrets.{name}")
        places = task.loaded.value.secrets
        return sorted({places[name].number for pair in task.pairs for name in pair})  # type: ignore[union-attr]


def _least_scale(task: Task, prior: Prior | PriorClass, records: list[int] | None) -> AnyScale:
    """Return the lesser scale of elimination and quilts for a network, the former of a class."""
    network = None
    if isinstance(prior, NetworkClass):
        prior.expect(task.records)
        return class_scale(prior, task.records, task.level, records, task.lipschitz)
    if not isinstance(prior, PriorClass | MarkovChain | Product):
        network = network_of(prior, task.records)
    if network is None:
        return _exact_scale(task, prior, records)
    distances = None  # by how much a built-in query changes between two values of a record
    if isinstance(task.query, str):
        values = range(len(task.records.alphabet))
        distances = [[apart(task.record_query, u, v) for v in values] for u in values]
    return network_scale(network, task.records, task.level, records, task.lipschitz, distances)


def _exact_scale(task: Task, prior: Prior | ChainClass, records: list[int] | None) -> QuiltScale | NetworkScale:
    if isinstance(prior, Product):
        prior.factors(task.records)
        return independent_scale(task, records)
    if isinstance(prior, MarkovChain):
        prior.parts(task.records)
        return markov_quilt(prior, task.records.count, task.level, records, task.lipschitz)
    if isinstance(prior, ChainClass):
        prior.expect(task.records)
        return markov_quilt_of_class(prior, task.records.count, task.level, records, task.lipschitz)
    network = network_of(prior, task.records)
    if network is not None:
        return network_quilt(network, task.records, task.level, records, task.lipschitz)
    raise ModelError('expected a "markov", "product" or "bayes_net" prior')


def independent_scale(task: Task, records: list[int] | None) -> QuiltScale:
    """Return the scale for independent records, where the nearest records are a quilt without
    influence.
    """
    scale = quotient(task.lipschitz, task.level)
    record = records[0] if records else 1
    sides = 1 if record > 1 else None, 1 if record < task.records.count else None
    return QuiltScale(scale, ActiveQuilt(record, *sides, 1, Bounds.none()), 1)
