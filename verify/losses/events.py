"""Privacy events of dp_accounting as laws of privacy losses: trees of releases, samples and
repetitions.

An event is told by the name of its class and its package, which is not imported. Numbers are the
exact values of its floats. Noise is relative to the norm of what a record adds, so that a record
that is added or removed shifts the query by 1, and one that is replaced by 2.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import non_negative
from pufferproof.verify.losses.account import Part
from pufferproof.verify.losses.laws import (
    GaussianMixtures,
    GaussianShift,
    Listed,
    LossLaw,
    Shift,
    steps_of,
    worst_of_both,
)

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


class _Reading:
    """Reads events under one relation of neighbours."""

    def __init__(self, relation: str) -> None:
        self.relation = relation
        self.count = 0
        self.shift = 1 if relation == "add-remove" else 2

    def of(self, event: Any, runs: int, where: str) -> Events:
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
        read: Callable[[Any, int, str], Events] | None = getattr(self, f"_{name}", None)
        if read is None:
            raise ModelError(f"cannot read {type(event).__name__}: it is not known", where)
        return read(event, runs, where) if runs else Events()

    def _NoOp(self, event: object, runs: int, where: str) -> Events:  # noqa: N802 - as the library
        return Events()

    def _NonPrivate(self, event: object, runs: int, where: str) -> Events:  # noqa: N802
        return _everything(where, "releases everything")

    def _SelfComposed(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
        count = _whole(event.count, f"{where}.count")
        return self.of(event.event, runs * count, f"{where}.event")

    def _Composed(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
        every = [
            self.of(each, runs, f"{where}.events[{place}]")
            for place, each in enumerate(_several(event.events, f"{where}.events"))
        ]
        return together(every)

    def _Gaussian(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
        return self._noise("gaussian", event.noise_multiplier, Fraction(1), runs, where)

    def _Laplace(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
        return self._noise("laplace", event.noise_multiplier, Fraction(1), runs, where)

    def _noise(self, kind: Any, scale: Any, rate: Fraction, runs: int, where: str) -> Events:
        size = non_negative(scale, f"{where}.noise_multiplier")
        if size == 0:
            return self._shown(rate, runs, where, "has no noise")
        return _law(Shift.of(Noise(kind, size), Fraction(self.shift), rate), runs)

    def _shown(self, rate: Fraction, runs: int, where: str, why: str) -> Events:
        """Return the laws of a record that is shown with a probability."""
        if rate == 1:
            return _everything(where, why)
        never = Fraction(0) if self.relation == "add-remove" else rate
        hidden = Listed(lambda _: [(ball(1 - rate), ball(1 - never))], rate, never)
        return _law(hidden, runs)

    def _DiscreteLaplace(  # noqa: N802
        self, event: Any, runs: int, where: str, rate: Fraction = Fraction(1)
    ) -> Events:
        parameter = non_negative(event.noise_parameter, f"{where}.noise_parameter")
        shift = self.shift * _whole(event.sensitivity, f"{where}.sensitivity")
        if shift == 0:
            return Events()
        if parameter == 0:
            raise ModelError("expected a parameter above 0, found 0", f"{where}.noise_parameter")
        noise = Noise.discrete_laplace(1 / parameter)
        return _law(steps_of(noise, rate, Fraction(shift), Fraction(0)), runs)

    def _RandomizedResponse(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
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
        return _law(Listed(lambda _: [(ball(p), ball(q)) for p, q in rows if p]), runs)

    def _PoissonSampled(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
        rate = _probability(event.sampling_probability, f"{where}.sampling_probability")
        if self.relation != "add-remove":
            raise ModelError(
                "a Poisson sample is accounted for records that are added or removed: expected "
                'neighbours by "add-remove"',
                where,
            )
        return self._sampled(event.event, rate, runs, f"{where}.event")

    def _SampledWithoutReplacement(  # noqa: N802
        self, event: Any, runs: int, where: str
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

    def _sampled(self, inner: Any, rate: Fraction, runs: int, where: str) -> Events:
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
            return _law(GaussianShift(rate, squared), runs) if squared else Events()
        if name == "NonPrivate":
            return self._shown(rate, runs, where, "releases everything")
        raise ModelError(
            f"{type(inner).__name__} on a sample is not supported: expected Gaussian, Laplace or "
            "discrete Laplace noise, or Gaussian noise several times",
            where,
        )

    def _SingleEpochTreeAggregation(  # noqa: N802
        self, event: Any, runs: int, where: str
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
            _law(GaussianShift(Fraction(1), nodes * (self.shift / size) ** 2), runs), bounded=True, notes=(note,)
        )

    def _MixtureOfGaussians(self, event: Any, runs: int, where: str) -> Events:  # noqa: N802
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
            return _law(GaussianMixtures(rows, none, sigma * sigma), runs)
        return _law(Shift.of(Noise.gaussian(sigma), moved.pop(), rate), runs)


_ROUNDING = Fraction(1, 10**9)


def together(events: "list[Events]") -> Events:
    """Return the laws of several events, equal ones once, and Gaussian noise without a sample as
    one release: the best test of several is of their weighted sum, and squared shifts add.
    """
    counts: dict[Any, int] = {}
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


def _law(law: LossLaw, runs: int) -> Events:
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


def _several(value: object, where: str) -> "list[Any]":
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
