"""The least noise by which all that is known of networks keeps a level: for every secret
record the lesser of what elimination of others asks for, and of what Markov quilts do.

Noise of scale b on a query that changes by at most L with one record has the level L / b for every
record. The bound that elimination has of such levels falls in b: a scale at which it exceeds the
level, and a larger one at which it does not, are closer than 10^-10. Quilts are tried only as far
as they could ask for less.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, partial
from itertools import chain
from math import isfinite, log
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.scale import Scale, quotient
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.proportions import root_approx
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.forest import Family, families_of, layout
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork
from pufferproof.models.priors.records import Records
from pufferproof.verify.decision import united
from pufferproof.verify.engines import Asked, ask
from pufferproof.verify.influence.network import NetworkQuilts
from pufferproof.verify.influence.quilts.network import NetworkScale, best_quilt, network_quilt, size_of_scale
from pufferproof.verify.noise.accounts.elimination import (
    MOST_RECORDS,
    MOST_VALUES,
    EliminationPlan,
    Met,
    cost_of,
    float_above,
    grown,
    met,
    plans,
    size_of,
)
from pufferproof.verify.noise.accounts.elimination import RESTS_ON as ELIMINATION_RESTS_ON
from pufferproof.verify.noise.classes.networks import contacts_ratio, network_ratio
from pufferproof.verify.noise.scale.calibration import enclosed

RESTS_ON = ("classes.elimination-rays", "wang2016.thm-4.4")
_BITS = 256
_FAR = 1e3  # nats, instead of infinity
_MOST_KEPT = 1 << 24  # entries of tables that are kept for all scales


@dataclass(frozen=True)
class EliminatedScale:
    """The scale that elimination asks for, the secret record, and the boundary of the ball that
    was eliminated: none, if all others were.
    """

    scale: Scale
    record: int
    boundary: tuple[int, ...] = ()
    claims: tuple[str, ...] = field(
        default=united(RESTS_ON, ELIMINATION_RESTS_ON), kw_only=True, compare=False, repr=False
    )


LeastScale = NetworkScale | EliminatedScale
Apart = Sequence[Sequence[Fraction]]


def network_scale(
    network: BayesianNetwork,
    records: Records,
    level: Level,
    places: Sequence[int] | None = None,
    lipschitz: Fraction | int = 1,
    apart: Apart | None = None,
) -> LeastScale:
    """Return the noise scale that keeps a level for some secret records or all, each by elimination
    or by a quilt, whichever asks for less; and which does for the worst record. `apart` says by how
    much the query changes between two values of a record, at most `lipschitz`.

    >>> coin, noisy = {"": ["1/2", "1/2"]}, {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> network = BayesianNetwork({"1": [], "2": ["1"], "3": ["2"]}, {"1": coin, "2": noisy, "3": noisy})
    >>> found = network_scale(network, Records(3, ("0", "1")), Level.log(36), [2])
    >>> found.scale.enclosure().upper[:15]
    '0.5034464346437'

    Raises `ModelError` as `network_quilt` does.
    """
    question = _ScaleQuestion(network, records, level, places, Fraction(lipschitz), apart)
    asked: Asked[LeastScale] = ask((_by_records, _by_quilts), question)
    return asked.expect()


@dataclass(frozen=True)
class _ScaleQuestion:
    """What is asked for the scale of a network: secret records, or all, and what they change."""

    network: BayesianNetwork
    records: Records
    level: Level
    places: Sequence[int] | None
    amount: Fraction
    apart: Apart | None


def _by_quilts(question: _ScaleQuestion) -> LeastScale:
    network, records, level = question.network, question.records, question.level
    return network_quilt(network, records, level, question.places, question.amount)


def _by_records(question: _ScaleQuestion) -> LeastScale | None:
    """Return what elimination or a quilt asks for, record by record, of few values only."""
    network, records, level = question.network, question.records, question.level
    amount, places, letters = question.amount, question.places, layout(network, records)
    few = 2 <= len(letters[0]) <= MOST_VALUES and records.count <= MOST_RECORDS
    if not few or not amount or level.ratio == 1:
        return None
    families, quilts = families_of(network, records), NetworkQuilts(network, records)
    chosen = range(1, records.count + 1) if places is None else sorted(set(places))
    worst: LeastScale | None = None
    for record in chosen:
        search = _SmallestOfRecord(families, record, level, amount, question.apart, letters)
        upper = None if worst is None else worst.scale.upper
        if upper is not None and search.keeps(upper):
            continue
        smallest = _least(quilts, search, upper or quotient(amount, level).upper or Fraction(1))
        if worst is None or size_of_scale(smallest.scale) > size_of_scale(worst.scale):
            worst = smallest
    if worst is None:
        raise ModelError("expected at least one record, found none", "records")
    return worst


def class_scale(
    box: Contacts | IntervalNetwork,
    records: Records,
    level: Level,
    places: Sequence[int] | None = None,
    lipschitz: Fraction | int = 1,
) -> EliminatedScale:
    """Return the noise scale that keeps a level above 0 for some secret records or all, under every
    network of a class, by elimination; at most that of a level for all records together.

    >>> pair = Contacts(2, [(1, 2)], ["0", "1/2"], "1/10")
    >>> class_scale(pair, Records(2, ("0", "1")), Level.log(3), [1]).scale.enclosure().upper[:8]
    '1.362328'
    """
    amount = Fraction(lipschitz)
    chosen = range(1, records.count + 1) if places is None else sorted(set(places))

    def exceeds(scale: Fraction) -> bool:
        return not all(_keeps(box, records, member, level, amount / scale) for member in chosen)

    together = quotient(amount * records.count, level)
    low, high = enclosed(exceeds, together.upper or Fraction(1))
    scale = Scale(low, high)
    if together.upper is not None and together.upper < high:
        scale = together
    worst = max(chosen, key=lambda member: not _keeps(box, records, member, level, amount / low))
    return EliminatedScale(scale, worst)


def _keeps(box: Contacts | IntervalNetwork, records: Records, record: int, level: Level, nats: Fraction) -> bool:
    """Whether elimination bounds a class by a level, at some nats for every record."""
    rates: list[Fraction | None] = [exp_bounds(nats, _BITS)[1]] * records.count

    def kept(ratio: Fraction) -> bool:
        return level.compare(ratio) <= 0

    if isinstance(box, Contacts):
        bound = contacts_ratio(box, record, rates, kept)
    else:
        bound = network_ratio(box, records, record, rates)
    return bound is not None and kept(bound)


def _least(quilts: NetworkQuilts, search: "_SmallestOfRecord", start: Fraction) -> LeastScale:
    """Return what a record asks for: by elimination, unless a quilt asks for less."""
    smallest = search.scale(start)
    most = None if smallest is None else smallest.scale.upper
    closer = best_quilt(quilts, search.record, search.level, search.amount, most)
    if closer is not None:
        return closer
    if smallest is None:
        raise ModelError(f"expected noise that keeps the level for record {search.record}, found none", "records")
    return smallest


@dataclass(frozen=True)
class _SmallestOfRecord:
    """The search for the least scale that keeps a level for a record, by elimination; `apart` says
    by how much the query changes between two values of a record, if that is known, and `letters`
    which values the axes of families stand for.
    """

    families: Sequence[Family]
    record: int
    level: Level
    amount: Fraction
    apart: Apart | None = None
    letters: Sequence[tuple[int, ...]] = ()

    @cached_property
    def plans(self) -> list[EliminationPlan]:
        """The plans by which the other records are eliminated, least work first."""
        every = plans(self.families, self.record)
        kept = [plan for plan in every if cost_of(plan.steps, self._size) <= _MOST_KEPT]
        return sorted(kept, key=lambda plan: cost_of(plan.steps, self._size))

    @property
    def _size(self) -> int:
        return size_of(self.families)

    def keeps(self, scale: Fraction) -> bool:
        """Whether some plan bounds the leakage by the level."""
        return any(
            self._keeps(self._bound(plan, self._met(plan), scale)) for plan in self.plans if self._promising(plan)
        )

    def scale(self, start: Fraction) -> EliminatedScale | None:
        """Return the least scale over all plans, enclosed, or None if there is none."""
        best: EliminatedScale | None = None
        alone = quotient(2 * self.amount, self.level).upper or Fraction(1)
        enough = len(self.families) * alone
        for plan in filter(self._promising, self.plans):
            most = enough if best is None else best.scale.lower or enough
            bound = partial(self._bound, plan, list(self._met(plan)))
            if not self._keeps(bound(most)):
                continue  # floats end, or it asks for more than another plan
            near = self._guess(bound, start if best is None else most, most)
            ends = enclosed(partial(self._exceeds, bound), near)
            best = EliminatedScale(Scale(*ends), self.record, plan.boundary)
        return best

    def _promising(self, plan: EliminationPlan) -> bool:
        """Whether the influence of a boundary leaves something of the level."""
        return self._keeps(plan.influence)

    def _met(self, plan: EliminationPlan) -> Iterable[Met | None]:
        return met(self.families, plan.steps, self.record)

    def _exceeds(self, bound: Callable[[Fraction], float], scale: Fraction) -> bool:
        return not self._keeps(bound(scale))

    def _keeps(self, bound: float) -> bool:
        return isfinite(bound) and self.level.compare(Fraction(bound)) <= 0

    def _bound(self, plan: EliminationPlan, tables: Iterable[Met | None], scale: Fraction) -> float:
        """Return the bound of a plan, at L / b for every record."""

        import numpy as np

        # Bounds of e^level of every record; of more than two values a matrix
        if self.apart is None or len(self.apart) == 2:
            rates = [float_above(exp_bounds(self.amount / scale, _BITS)[1])] * len(self.families)
        else:
            by_distance = {
                distance: float_above(exp_bounds(distance / scale, _BITS)[1]) for distance in {*chain(*self.apart)}
            }
            every = np.array([[by_distance[distance] for distance in row] for row in self.apart])
            own: dict[tuple[int, ...], Any] = {values: every[np.ix_(values, values)] for values in {*self.letters}}
            if self._size == 2:
                own = {values: float(rates[0, 1]) for values, rates in own.items()}
            rates = [own[values] for values in self.letters]
        return plan.with_influence(grown(tables, self.record, rates, self._size))

    def _guess(self, bound: Callable[[Fraction], float], start: Fraction, most: Fraction) -> Fraction:
        """Return about the scale at which a bound equals the level, given a larger scale at which it is less."""
        nats = float(self.level.enclosure().upper)

        def beyond(share: float) -> float:
            ratio = bound(Fraction(1 / share))
            return log(ratio) - nats if isfinite(ratio) else _FAR

        low, high = 1 / float(most), 2 / float(start)
        while beyond(high) <= 0:
            low, high = high, 4 * high
        root = root_approx(beyond, low, high)
        return most if root is None else Fraction(1 / root)
