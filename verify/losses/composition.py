"""What runs with fresh samples leak about one record: for which databases bounds hold, and which
databases reach them.

Given the samples of all other records, a step adds what the record adds if it is in the sample, to
a number that is known. So one step is at most its `laws`, for all databases: knowing more never
hides more. Products of such bounds bound all runs, also if later queries depend on earlier outputs.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.mechanisms.sampled import Sample, SampledQuery
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.enclosures import INFINITE, Enclosure, ball, enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.definitions.definition import Neighbours
from pufferproof.models.priors.markov import non_negative
from pufferproof.models.priors.records import Records
from pufferproof.verify.decision import Decision
from pufferproof.verify.losses import account as grid
from pufferproof.verify.losses.account import CLOSE, Bounds, LossAccount, Part
from pufferproof.verify.losses.laws import (
    GaussianMixtures,
    GaussianShift,
    Listed,
    LossLaw,
    Shift,
    steps_of,
    worst_of_both,
)

if TYPE_CHECKING:
    from pufferproof.models.files.programs import Calls
    from pufferproof.models.files.reading import Loaded
    from pufferproof.models.files.shapes import MechanismFile

# Privacy events of dp_accounting as laws of privacy losses: trees of releases, samples and repetitions.
#
# An event is told by the name of its class and its package, which is not imported. Numbers are the exact values of its
# floats. Noise is relative to the norm of what a record adds, so that a record that is added or removed shifts the
# query by 1, and one that is replaced by 2.

LIBRARY, _END = "dp_accounting", "DpEvent"
MOST_RUNS = 10**6
_DEEPEST, _MOST_EVENTS = 100, 10_000
_FIELDS = {
    "SelfComposed": ("event", "count"),
    "Composed": ("events",),
    "Gaussian": ("noise_multiplier",),
    "Laplace": ("noise_multiplier",),
    "DiscreteLaplace": ("noise_parameter", "sensitivity"),
    "RandomizedResponse": ("noise_parameter", "num_buckets"),
    "PoissonSampled": ("sampling_probability", "event"),
    "SampledWithoutReplacement": ("source_dataset_size", "sample_size", "event"),
    "SingleEpochTreeAggregation": ("noise_multiplier", "step_counts"),
    "MixtureOfGaussians": ("standard_deviation", "sensitivities", "sampling_probs"),
}
_REFUSED = {
    "Unsupported": "stands for a mechanism that has no law",
    "SampledWithReplacement": "records may be in a sample several times, and their number is not "
    "bounded by the sensitivity of one: use Poisson samples or samples without replacement",
    "RepeatAndSelect": "how often it runs is random, and only Renyi bounds of it are published",
    "TruncatedSubsampledGaussian": "other records decide whether a record is cut off: use the "
    "Poisson sample without the limit",
    "ZC": "says a Renyi bound, which is no law of losses: give the mechanism itself, such as "
    "GaussianDpEvent((1 / (2 * rho)) ** 0.5)",
}


@dataclass(frozen=True)
class Events:
    """The laws of a tree of events, each with how often it occurs.

    `private` is False if some event releases everything. Laws that are `bounded` are above what
    some databases show, so that they show no violation; `notes` say which.
    """

    parts: tuple[Part, ...] = ()
    private: bool = True
    bounded: bool = False
    notes: tuple[str, ...] = ()


def is_event(value: object) -> bool:
    """Whether an object is an event of dp_accounting."""
    package = type(value).__module__.partition(".")[0]
    return package == LIBRARY and type(value).__name__.endswith(_END)


def losses_of(event: object, relation: str, runs: int = 1) -> Events:
    """Return the laws of an event under a relation of neighbours, "add-remove" or "substitute".

    Raises `ModelError`, with the place of the event in the tree, for an event without a law, and
    for one that the relation does not suit.
    """
    return _Reading(relation).of(event, runs, "event")


class Event(Protocol):
    """The fields of events of dp_accounting: each kind has some of them."""

    event: "Event"
    count: object
    events: object
    noise_multiplier: object
    noise_parameter: object
    sensitivity: object
    num_buckets: object
    sampling_probability: object
    source_dataset_size: object
    sample_size: object
    step_counts: object
    standard_deviation: object
    sensitivities: object
    sampling_probs: object


class _Reading:
    """Reads events under one relation of neighbours."""

    def __init__(self, relation: str) -> None:
        self.relation = relation
        self.count = 0
        self.shift = 1 if relation == "add-remove" else 2

    def of(self, event: object, runs: int, where: str) -> Events:
        self.count += 1
        if self.count > _MOST_EVENTS or where.count(".") > _DEEPEST:
            raise TooLargeError(
                f"expected at most {_MOST_EVENTS} events, {_DEEPEST} deep: give equal ones once, "
                "as SelfComposedDpEvent",
                "event",
            )
        name = _name(event, where)
        if name in _REFUSED:
            raise ModelError(f"{type(event).__name__} is not supported: {_REFUSED[name]}", where)
        read: Callable[[object, int, str], Events] | None = getattr(self, f"_{name}", None)
        if read is None:
            raise ModelError(f"cannot read {type(event).__name__}: it is not known", where)
        return read(event, runs, where) if runs else Events()

    def _NoOp(self, event: object, runs: int, where: str) -> Events:  # noqa: N802 - as the library
        return Events()

    def _NonPrivate(self, event: object, runs: int, where: str) -> Events:  # noqa: N802
        return _everything(where, "releases everything")

    def _SelfComposed(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        count = _whole(event.count, f"{where}.count")
        return self.of(event.event, runs * count, f"{where}.event")

    def _Composed(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        every = [
            self.of(each, runs, f"{where}.events[{place}]")
            for place, each in enumerate(_several(event.events, f"{where}.events"))
        ]
        return together(every)

    def _Gaussian(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        return self._noise("gaussian", event.noise_multiplier, Fraction(1), runs, where)

    def _Laplace(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        return self._noise("laplace", event.noise_multiplier, Fraction(1), runs, where)

    def _noise(self, kind: Any, scale: object, rate: Fraction, runs: int, where: str) -> Events:
        size = non_negative(scale, f"{where}.noise_multiplier")
        if size == 0:
            return self._shown(rate, runs, where, "has no noise")
        return _events_of_law(Shift.of(Noise(kind, size), Fraction(self.shift), rate), runs)

    def _shown(self, rate: Fraction, runs: int, where: str, why: str) -> Events:
        """Return the laws of a record that is shown with a probability."""
        if rate == 1:
            return _everything(where, why)
        never = Fraction(0) if self.relation == "add-remove" else rate
        hidden = Listed(lambda _: [(ball(1 - rate), ball(1 - never))], rate, never)
        return _events_of_law(hidden, runs)

    def _DiscreteLaplace(  # noqa: N802
        self, event: Event, runs: int, where: str, rate: Fraction = Fraction(1)
    ) -> Events:
        parameter = non_negative(event.noise_parameter, f"{where}.noise_parameter")
        shift = self.shift * _whole(event.sensitivity, f"{where}.sensitivity")
        if shift == 0:
            return Events()
        if parameter == 0:
            raise ModelError("expected a parameter above 0, found 0", f"{where}.noise_parameter")
        noise = Noise.discrete_laplace(1 / parameter)
        return _events_of_law(steps_of(noise, rate, Fraction(shift), Fraction(0)), runs)

    def _RandomizedResponse(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        if self.relation != "substitute":
            raise ModelError(
                'answers of one person change when a record is replaced: expected neighbours by "substitute"', where
            )
        noise = _probability(event.noise_parameter, f"{where}.noise_parameter")
        count = _whole(event.num_buckets, f"{where}.num_buckets")
        if count <= 1 or noise == 1:
            return Events()
        if noise == 0:
            return _everything(where, "answers are true")
        true, other = 1 - noise + noise / count, noise / count
        rows = [(true, other), (other, true), (other * (count - 2), other * (count - 2))]
        return _events_of_law(Listed(lambda _: [(ball(p), ball(q)) for p, q in rows if p]), runs)

    def _PoissonSampled(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        rate = _probability(event.sampling_probability, f"{where}.sampling_probability")
        if self.relation != "add-remove":
            raise ModelError(
                "a Poisson sample is accounted for records that are added or removed: expected "
                'neighbours by "add-remove"',
                where,
            )
        return self._sampled(event.event, rate, runs, f"{where}.event")

    def _SampledWithoutReplacement(  # noqa: N802
        self, event: Event, runs: int, where: str
    ) -> Events:
        size = _whole(event.sample_size, f"{where}.sample_size")
        count = _whole(event.source_dataset_size, f"{where}.source_dataset_size")
        if self.relation != "substitute":
            raise ModelError(
                'a sample of fixed size is one of as many records: expected neighbours by "substitute"', where
            )
        if not 0 <= size <= count or not count:
            raise ModelError(f"expected at most {count} records, found {size}", f"{where}.sample_size")
        found = self._sampled(event.event, Fraction(size, count), runs, f"{where}.event")
        parts = tuple(part if part.law.infinite else Part(worst_of_both(part.law), part.runs) for part in found.parts)
        if size == count or not parts:
            return found
        note = f"{where}: bounds over all databases, of the larger one of both orders at each level"
        return replace(found, parts=parts, bounded=True, notes=(*found.notes, note))

    def _sampled(self, inner: Event, rate: Fraction, runs: int, where: str) -> Events:
        """Return the laws of an event on a sample that holds a record with a probability."""
        name = _name(inner, where)
        if rate == 1:
            return self.of(inner, runs, where)
        if rate == 0 or name == "NoOp":
            return Events()
        if name in ("Gaussian", "Laplace"):
            return self._noise(name.lower(), inner.noise_multiplier, rate, runs, where)
        if name == "DiscreteLaplace":
            return self._DiscreteLaplace(inner, runs, where, rate)
        if name in ("Composed", "SelfComposed"):
            squared = _squared(self.of(inner, 1, where), where)
            return _events_of_law(GaussianShift(rate, squared), runs) if squared else Events()
        if name == "NonPrivate":
            return self._shown(rate, runs, where, "releases everything")
        raise ModelError(
            f"{type(inner).__name__} on a sample is not supported: expected Gaussian, Laplace or "
            "discrete Laplace noise, or Gaussian noise several times",
            where,
        )

    def _SingleEpochTreeAggregation(  # noqa: N802
        self, event: Event, runs: int, where: str
    ) -> Events:
        size = non_negative(event.noise_multiplier, f"{where}.noise_multiplier")
        given = event.step_counts
        counts = [given] if not isinstance(given, list | tuple) else [*given]
        steps = max((_whole(each, f"{where}.step_counts") for each in counts), default=0)
        if not steps:
            return Events()
        if size == 0:
            return _everything(where, "has no noise")
        # a record is in one leaf, so in at most ceil(log2(steps + 1)) nodes: that many shifts by 1
        nodes = steps.bit_length()
        note = f"{where}: a record is counted in {nodes} nodes of its tree, the most that it can be"
        return replace(
            _events_of_law(GaussianShift(Fraction(1), nodes * (self.shift / size) ** 2), runs),
            bounded=True,
            notes=(note,),
        )

    def _MixtureOfGaussians(self, event: Event, runs: int, where: str) -> Events:  # noqa: N802
        if self.relation != "add-remove":
            raise ModelError('is about a record that is added or removed: expected neighbours by "add-remove"', where)
        sigma = non_negative(event.standard_deviation, f"{where}.standard_deviation")
        shifts = [
            non_negative(each, f"{where}.sensitivities")
            for each in _several(event.sensitivities, f"{where}.sensitivities")
        ]
        weights = [
            _probability(each, f"{where}.sampling_probs")
            for each in _several(event.sampling_probs, f"{where}.sampling_probs")
        ]
        moved = {shift for shift, weight in zip(shifts, weights) if shift and weight}
        total = sum(weights, Fraction(0))
        if abs(total - 1) > _ROUNDING or len(shifts) != len(weights):
            raise ModelError("expected probabilities that sum to 1", f"{where}.sampling_probs")
        if not moved:
            return Events()
        rate = sum((weight for shift, weight in zip(shifts, weights) if shift), Fraction(0)) / total
        if sigma == 0:
            return self._shown(rate, runs, where, "has no noise")
        if len(moved) > 1:
            rows = tuple((weight / total, shift) for shift, weight in zip(shifts, weights))
            none = ((Fraction(1), Fraction(0)),)
            return _events_of_law(GaussianMixtures(rows, none, sigma * sigma), runs)
        return _events_of_law(Shift.of(Noise.gaussian(sigma), moved.pop(), rate), runs)


_ROUNDING = Fraction(1, 10**9)


def together(events: "list[Events]") -> Events:
    """Return the laws of several events, equal ones once, and Gaussian noise without a sample as
    one release: the best test of several is of their weighted sum, and squared shifts add.
    """
    counts: dict[LossLaw, int] = {}
    squared = Fraction(0)
    for event in events:
        for law, runs in event.parts:
            if isinstance(law, GaussianShift) and law.rate == 1:
                squared += runs * law.squared
            else:
                counts[law] = counts.get(law, 0) + runs
    if squared:
        counts[GaussianShift(Fraction(1), squared)] = 1
    if (total := sum(counts.values())) > MOST_RUNS:
        raise TooLargeError(f"expected at most {MOST_RUNS} releases, found {total}", "event")
    notes = tuple(dict.fromkeys(note for event in events for note in event.notes))
    return Events(
        tuple(Part(law, runs) for law, runs in counts.items()),
        all(event.private for event in events),
        any(event.bounded for event in events),
        notes,
    )


def _events_of_law(law: LossLaw, runs: int) -> Events:
    return Events((Part(law, runs),))


def _everything(where: str, why: str) -> Events:
    return Events(private=False, notes=(f"{where}: {why}",))


def _name(event: object, where: str) -> str:
    if not is_event(event):
        raise ModelError(f"expected a DpEvent of dp_accounting, found {shown(event)}", where)
    name = type(event).__name__.removesuffix(_END)
    lost = next((each for each in _FIELDS.get(name, ()) if not hasattr(event, each)), None)
    if lost is not None:
        raise ModelError(f"{type(event).__name__} has no {lost}: this version of dp_accounting is not known", where)
    return name


def _several(value: object, where: str) -> list[object]:
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise ModelError(f"expected a list, found {shown(value)}", where)
    return [*value]


def _squared(inner: Events, where: str) -> Fraction:
    """Return the squared shift in deviations that all releases of one sample show together: the
    mean of independent outputs is sufficient, and squares add.
    """
    if not inner.private:
        raise ModelError("releases everything", where)
    total = Fraction(0)
    for law, runs in inner.parts:
        if not isinstance(law, GaussianShift) or law.rate != 1:
            raise ModelError("several releases of one sample are supported if all have Gaussian noise", where)
        total += runs * law.squared
    return total


def _probability(value: object, where: str) -> Fraction:
    number = non_negative(value, where)
    if number > 1:
        raise ModelError(f"expected a probability, found {shown(value)}", where)
    return number


def _whole(value: object, where: str) -> int:
    number = non_negative(value, where)
    if number.denominator != 1:
        raise ModelError(f"expected an integer, found {shown(value)}", where)
    return math.floor(number)


RESTS_ON = ("general.losses-of-samples",)
MISSING = (
    'fresh samples need "neighbours": {"relation": "add-remove"} or "substitute" instead of '
    '"secrets", "pairs" and "priors"'
)
FRESH = "the database only; every run draws a new sample and new noise"
_MOST_CASES = 200
_SHOWN = 3  # pairs that may be worst
_FEW = 6  # values, whose pairs are compared one by one for real noise


class Case(NamedTuple):
    """Laws of all steps under two neighbours: bounds `above` all databases, `reached` by some, or
    both.
    """

    parts: tuple[Part, ...]
    above: bool
    reached: bool
    says: str


@dataclass(frozen=True)
class SampledComposition:
    """Mechanisms that draw a fresh sample in each of `runs` runs, under neighbours by a relation.

    `cases` are the pairs of neighbours that may be worst. `private` is False if something releases
    everything.

    >>> from pufferproof import Noise, RecordQuery, Records
    >>> from pufferproof.models.mechanisms.sampled import Sample
    >>> query = RecordQuery("sum", Noise.gaussian(1), Records(100, ("0", "1")))
    >>> steps = compose_sampled("add-remove", [SampledQuery(query, Sample("1/10"))], runs=64)
    >>> lower, upper = steps.delta(1)
    >>> round(float(lower), 4), round(float(upper), 4)
    (0.1248, 0.1249)
    """

    relation: str
    runs: int
    cases: tuple[Case, ...]
    private: bool = True
    notes: tuple[str, ...] = ()

    @property
    def shared(self) -> str:
        """What runs share."""
        return FRESH

    @cached_property
    def _accounts(self) -> "list[tuple[Case, LossAccount]]":
        return [(case, LossAccount(case.parts)) for case in self.cases]

    @property
    def reached(self) -> bool:
        """Whether databases reach the bounds."""
        return all(case.reached for case in self.cases if case.above)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that bounds rest on: none where something releases everything, or nothing
        depends on a record.
        """
        return (*RESTS_ON, *grid.RESTS_ON) if self.private and self.cases else ()

    def delta(self, level: LevelLike, against: Fraction | None = None, close: Fraction = CLOSE) -> Bounds:
        """Return bounds of the smallest delta at a level: no databases have more than the upper
        one, and some have the lower one.

        Args: against: only tell delta from this number.
        """
        known = Level.coerce(level, "level")
        if not self.private:
            return Fraction(1), Fraction(1)
        found = [(case, each.delta(known, against, close)) for case, each in self._accounts]
        return _joined(found)

    def epsilon(self, delta: object, close: Fraction = CLOSE) -> "Bounds | None":
        """Return bounds of the smallest level in nats at a delta, None if every level has a larger
        delta.
        """
        bound = exact(delta)
        if not 0 < bound <= 1:
            raise ModelError(f"expected a probability above 0 for the smallest level, found {text_of(bound)}", "delta")
        found = []
        for case, account in self._accounts if self.private else ():
            known = account.epsilon(bound, close)
            if known is None:
                return None
            found.append((case, known))
        return _joined(found) if self.private else None

    def keeps(self, level: LevelLike, delta: Fraction) -> Decision:
        """Return whether all runs together keep (level, delta)."""
        lower, upper = self.delta(level, delta)
        if upper <= delta:
            return Decision.HOLDS
        return Decision.FAILS if lower > delta else Decision.UNDECIDED

    @property
    def says(self) -> str:
        """Say which databases bounds are about."""
        if not self.cases:
            return "nothing depends on a record"
        lower = [case.says for case in self.cases if case.reached]
        if len(lower) > 1:
            lower = [f"the worst of {len(lower)} pairs: {'; '.join(lower[:_SHOWN])}"]
        if self.reached:
            return f"all databases; attained by {lower[0]}"
        by = (
            f"the lower bound is that of {lower[0]}; the upper one takes the worse order of both databases in every run"
            if lower
            else "no databases are known to reach it"
        )
        return f"all databases; {by}"


def _joined(found: Sequence[tuple[Case, Bounds]]) -> Bounds:
    lower = max((low for case, (low, _) in found if case.reached), default=Fraction(0))
    upper = max((high for case, (_, high) in found if case.above), default=Fraction(0))
    return lower, max(lower, upper)


def enclosed(bounds: "Bounds | None") -> Enclosure:
    """Return bounds as decimals, infinite ones for None."""
    return INFINITE if bounds is None else enclose(*bounds)


def is_sampled(mechanisms: object) -> bool:
    """Whether some mechanisms draw fresh samples, or are events of dp_accounting."""
    every = mechanisms if isinstance(mechanisms, list | tuple) else [mechanisms]
    return any(isinstance(each, SampledQuery) or is_event(each) for each in every)


def compose_sampled(neighbours: object, mechanisms: Sequence[object], runs: int = 1) -> SampledComposition:
    """Return what mechanisms with fresh samples leak together, each run `runs` times.

    Args:
        neighbours: how two of them differ, in one record: "add-remove", "substitute", `Neighbours`,
            or a framework that has such.
        mechanisms: `SampledQuery`s of the same records, or events of dp_accounting.

    Raises `ModelError` unless these are one kind, and suit the relation.
    """
    relation = _relation(neighbours, mechanisms)
    if not 1 <= runs <= MOST_RUNS:
        raise ModelError(f"expected 1 to {MOST_RUNS} runs, found {runs}", "runs")
    if not mechanisms:
        raise ModelError("expected at least one mechanism, found none", "mechanisms")
    if all(is_event(each) for each in mechanisms):
        known = together([losses_of(each, relation, runs) for each in mechanisms])
        case = Case(known.parts, True, not known.bounded, "the worst case of the events")
        return SampledComposition(relation, runs, (case,), known.private, known.notes)
    queries = [each for each in mechanisms if isinstance(each, SampledQuery)]
    if len(queries) < len(mechanisms):
        raise ModelError("expected all with a fresh sample or none, or events of dp_accounting alone", "mechanisms")
    records = queries[0].query.records
    if any(each.query.records != records for each in queries):
        raise ModelError("expected queries of the same records", "mechanisms")
    make = _added if relation == "add-remove" else _substituted
    cases = tuple(dict.fromkeys(make(queries, runs)))
    if len(cases) > _MOST_CASES:
        raise TooLargeError(f"{len(cases)} pairs of values may be worst: expected at most {_MOST_CASES}", "records")
    return SampledComposition(relation, runs, cases)


def _relation(given: object, mechanisms: Sequence[object]) -> str:
    """Return how neighbours differ. Raises `ModelError` unless it is known, and by one record."""
    found: object = given
    if isinstance(given, Framework):
        found, records = given.neighbours, given.sized or given.records
        if found is None:
            raise ModelError(MISSING, "framework")
        for each in mechanisms:
            if isinstance(each, SampledQuery):
                each.query.expect_of(records)
    known = Neighbours.of(found)
    if known.changes != 1:
        raise ModelError(
            f"fresh samples are accounted for one changed record, found {known.changes}: "
            "ask for 1; if that keeps (E, P), k changes keep (k E, P (e^(k E) - 1) / (e^E - 1))",
            "neighbours.changes",
        )
    return known.relation


def _added(mechanisms: list[SampledQuery], runs: int) -> list[Case]:
    """Return one record against none, for the values that add most.

    No record against one record v has exactly the `laws` of a step. A larger |v| is above a smaller
    one: noise is symmetric with a concave logarithm, so that the best tests of Z + v against Z are
    half-lines, whose power grows with |v|; and mixing both sides with Z keeps the order.
    """
    if any(each.sample.fixed is not None for each in mechanisms):
        raise ModelError(
            'a sample of fixed size needs neighbours by "substitute": databases of different '
            "sizes have different rates",
            "sample.fixed",
        )
    values = mechanisms[0].query.records.alphabet
    added = {value: tuple(abs(each.added[value]) for each in mechanisms) for value in values}
    cases = []
    for value in _largest(added):
        laws = [
            steps_of(each.query.noise, rate, size, Fraction(0))
            for each, size in zip(mechanisms, added[value])
            if size and (rate := each.sample.poisson)
        ]
        cases.append(Case(_counted(laws, runs), True, True, f'one record "{value}" against none'))
    return [case for case in cases if case.parts]


def _largest(sizes: dict[str, tuple[Fraction, ...]]) -> list[str]:
    """Return the names whose sizes no other name exceeds in all mechanisms, one of equal ones."""
    names: list[str] = []
    for name, size in sizes.items():
        others = [other for key, other in sizes.items() if other != size]
        first = all(sizes[each] != size for each in names)
        if first and not any(all(x <= y for x, y in zip(size, other)) for other in others):
            names.append(name)
    return names


def _substituted(mechanisms: list[SampledQuery], runs: int) -> list[Case]:
    """Return one value against another, for all pairs of values that differ.

    A Poisson sample reaches the laws of values a and b where no other record adds anything: there
    is one record alone, or a value that adds 0. Laplace noise on values a, b that both add
    something has another bound, by advanced joint convexity (Balle, Barthe and Gaboardi 2018,
    Theorem 2): with t' = 1 + (t - 1) / q, b' = t / t', and E_t the integral of (p - t q)_+ for t at
    least 1,

        E_t(P || Q) = q E_t'(Z + a || (1 - b') Z + b' (Z + b)) <= q E_t'(Z + R || Z),

    where R is the largest of |a|, |b| and |a - b|: `WorstOfBoth` is above. A sample of fixed size
    has the record, or in its place another one of some value c, given all others; then R is the
    largest difference of values.
    """
    records = mechanisms[0].query.records
    silent = records.count == 1 or any(not any(each.added[value] for each in mechanisms) for value in records.alphabet)
    cases: list[Case] = []
    bounds: dict[str, tuple[Fraction, ...]] = {}
    few = len(records.alphabet) <= _FEW
    for one, other in _worst_pairs(mechanisms):
        changed = [each for each in mechanisms if each.added[one] != each.added[other] and _rate(each)]
        if not changed:
            continue
        laws = [_law(each, one, other, few) for each in changed]
        fixed = any(each.sample.fixed is not None and _rate(each) < 1 for each in changed)
        says = f'records "{one}" and "{other}"'
        known = [law for law in laws if law is not None]
        if len(known) == len(laws) and (silent or not fixed):
            reached = f"{says} where no other record adds anything" if records.count > 1 else says
            cases.append(Case(_counted(known, runs), not fixed, silent, reached))
        if len(known) < len(laws) or fixed:
            bounds[says] = tuple(_reach(each, one, other) for each in mechanisms)
    for says in _largest(bounds):
        worst = [
            worst_of_both(steps_of(each.query.noise, rate, size, Fraction(0)))
            for each, size in zip(mechanisms, bounds[says])
            if size and (rate := _rate(each))
        ]
        cases.append(Case(_counted(worst, runs), True, False, says))
    return [case for case in cases if case.parts]


def _rate(mechanism: SampledQuery) -> Fraction:
    return mechanism.sample.rate(mechanism.query.records.count)


def _worst_pairs(mechanisms: list[SampledQuery]) -> list[tuple[str, str]]:
    """Return all pairs of values, but of those in which one adds nothing those alone in which the
    other one adds most.
    """
    values = mechanisms[0].query.records.alphabet
    added = {value: tuple(abs(each.added[value]) for each in mechanisms) for value in values}
    silent = [value for value in values if not any(added[value])]
    loud = {value: size for value, size in added.items() if any(size)}
    alone = [(silent[0], value) for value in _largest(loud)] if silent else []
    return [*alone, *combinations(loud, 2)]


def _law(mechanism: SampledQuery, one: str, other: str, few: bool) -> LossLaw | None:
    """Return the law of one value against another where no other record adds anything, None if it
    is not known, or takes long and there are not few.
    """
    rate, left, right = _rate(mechanism), mechanism.added[one], mechanism.added[other]
    noise = mechanism.query.noise
    if noise.on_integers or not left or not right or rate == 1:
        return steps_of(noise, rate, left, right)
    if noise.variance is None or not few:
        return None
    rows = [((1 - rate, Fraction(0)), (rate, shift)) for shift in (left, right)]
    return GaussianMixtures(rows[0], rows[1], noise.variance)


def _reach(mechanism: SampledQuery, one: str, other: str) -> Fraction:
    """Return the largest shift that a step above both values has."""
    added = mechanism.added
    if added[one] == added[other]:
        return Fraction(0)
    if mechanism.sample.fixed is not None:
        return max(added.values()) - min(added.values())
    return max(abs(added[one]), abs(added[other]), abs(added[one] - added[other]))


def _counted(laws: Sequence[LossLaw], runs: int) -> tuple[Part, ...]:
    """Return laws with how often they occur, equal ones once."""
    counts: dict[LossLaw, int] = {}
    for law in laws:
        counts[law] = counts.get(law, 0) + runs
    return tuple(Part(law, count) for law, count in counts.items())


# Mechanisms with fresh samples, and events of dp_accounting, from their files, with the relation of neighbours that the
# framework names. Readers of files are imported where a file is read: what composes objects needs none.


class SampledFiles(NamedTuple):
    """A relation of neighbours, and what runs release."""

    framework: "Loaded[Neighbours]"
    mechanisms: "tuple[Loaded[object], ...]"


def read_sampled(framework: str, mechanisms: Sequence[str], calls: "Calls") -> SampledFiles | None:
    """Return what runs with fresh samples release, None if no mechanism draws one.

    Raises `ModelError` unless all do, and the framework names a relation of neighbours.
    """
    from pufferproof.models.files.frameworks import records_of
    from pufferproof.models.files.reading import in_file, read_loaded
    from pufferproof.models.files.shapes import FrameworkFile

    try:
        given = [_given(path, calls) for path in mechanisms]
    except ModelError:
        read_loaded(framework, FrameworkFile)  # whose errors are told first
        raise
    if not any(map(_fresh, given)):
        return None
    for each in given:
        if not _fresh(each):
            where = each if isinstance(each, str) else each.path
            raise ModelError("draws no sample, and another mechanism does: compose one kind", where)
    space = read_loaded(framework, FrameworkFile)
    with in_file(framework):
        if space.value.neighbours is None:
            raise ModelError(MISSING, "neighbours")
        if space.value.priors:
            raise ModelError("each database stands for itself here: leave them out", "priors")
        records = None if space.value.records is None else records_of(space.value)
    loaded = tuple(_sampled_of(each, records, framework) for each in given if not isinstance(each, str))
    return SampledFiles(space.holding(space.value.neighbours.of()), loaded)


def _given(path: str, calls: "Calls") -> "str | Loaded[Any]":
    """Return a mechanism file, an event, or the name of another mechanism."""
    from pufferproof.models.files.mechanisms import given_in
    from pufferproof.models.files.programs import is_callable, named_of
    from pufferproof.models.files.reading import in_file

    if not is_callable(path):
        return given_in(path)
    if not calls.trusted:
        return path  # what reads it says how code is trusted
    with in_file(path):
        found = named_of(path, calls)
    return found if is_event(found.value) else path


def _fresh(given: "str | Loaded[Any]") -> bool:
    if isinstance(given, str):
        return False
    return is_event(given.value) or given.value.sample is not None


def _sampled_of(given: "Loaded[Any]", records: Records | None, framework: str) -> "Loaded[object]":
    """Return a mechanism of records, or an event as it is."""
    from pufferproof.models.files.mechanisms import record_query_of
    from pufferproof.models.files.reading import in_file

    if is_event(given.value):
        return given
    shape: MechanismFile = given.value
    if records is None:
        raise ModelError('expected "records", whose values the query adds', framework)
    with in_file(given.path):
        assert shape.sample is not None
        if shape.sample.poisson is None and shape.sample.fixed is None:
            raise ModelError('expected {"poisson": RATE} or {"fixed": SIZE}', "sample")
        sample = Sample(shape.sample.poisson, shape.sample.fixed)
        return given.holding(SampledQuery(record_query_of(shape, records), sample))
