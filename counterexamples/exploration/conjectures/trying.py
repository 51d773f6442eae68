"""Fresh members, which no grid has, and the simplest counterexample among all of a family.

A member is simpler than another by (sum of numerators and denominators, the values themselves). A
fresh one has parameters between the least and the largest value that the file lists and hypotheses
on one parameter allow: integers where all listed values are, and else rationals with denominators
up to 12, or 24, 48, .. until there are 40; the corners come first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import islice, product
from math import ceil, floor
from random import Random
from typing import Any

from pufferproof.counterexamples.exploration.conjectures.quantities import (
    RATIO,
    Parameters,
    Quantity,
    QuantityName,
    Relation,
    Value,
)
from pufferproof.counterexamples.exploration.family import Family
from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject

_DENOMINATORS, _FEWEST, _DRAWS_EACH = 12, 40, 50
_CORNERS = 16
_WIDEST = 1_000  # from the least value of a parameter to the largest
MOST_TRIED = 2_000  # simpler members, of one counterexample
TOGETHER = 20
Ask = Callable[[Sequence[Parameters]], Sequence[Value]]


@dataclass(frozen=True)
class Axis:
    """The values that a parameter may have: integers, or rationals, from one to another."""

    least: Fraction
    most: Fraction
    whole: bool

    @classmethod
    def of(cls, values: Sequence[Fraction]) -> "Axis":
        """Return the range of listed values."""
        return cls(min(values), max(values), all(value.denominator == 1 for value in values))

    def choices(self) -> list[Fraction]:
        """Return the values that may be drawn, the simplest first."""
        if self.least == self.most:
            return [self.least]
        if self.most - self.least > _WIDEST:
            raise ModelError(f"expected parameters at most {_WIDEST:,} apart, found more")
        most, numbers = 1 if self.whole else _DENOMINATORS, self._up_to(1)
        while most > 1 and len(numbers := self._up_to(most)) < _FEWEST:
            most *= 2
        return sorted(numbers, key=lambda value: (size_of(value), value))

    def _up_to(self, most: int) -> set[Fraction]:
        """Return both ends, and what lies between them with denominators up to a number."""
        return {
            Fraction(above, below)
            for below in range(1, most + 1)
            for above in range(ceil(self.least * below), floor(self.most * below) + 1)
        } | {self.least, self.most}

    def sized(self, size: int) -> list[Fraction]:
        """Return the values whose numerator and denominator add up to a number."""
        if self.least == self.most:
            return [self.least] if size_of(self.least) == size else []
        every = (Fraction(sign * (size - d), d) for d in range(1, size + 1) for sign in (1, -1))
        return sorted(
            {
                each
                for each in every
                if size_of(each) == size
                and self.least <= each <= self.most
                and (each.denominator == 1 or not self.whole)
            }
        )


def size_of(value: Fraction) -> int:
    """Return how much it takes to write a number down."""
    return abs(value.numerator) + value.denominator


@dataclass(frozen=True)
class Ground:
    """The members of a family that a conjecture is about: those at which `where` holds."""

    family: Family
    where: tuple[Relation, ...] = ()

    @property
    def axes(self) -> dict[str, list[Fraction]]:
        """The values of every parameter, and of R, that hypotheses on it alone allow. Raises
        `ModelError` for irrational ones, and where none is left.
        """
        every = self.family.axes | {RATIO: [_ratio(level, self.family.key) for level in self.family.levels]}
        return {name: self._allowed(name, values) for name, values in every.items()}

    def expect_names(self) -> None:
        """Raise `ModelError` if a hypothesis names something else than a parameter or R."""
        known = [*self.family.axes, RATIO]
        for each in self.where:
            for name in sorted(each.names.difference(known)):
                raise ModelError(f'expected one of {", ".join(known)}, found "{name}"', f'where: "{each}"')

    def _allowed(self, name: str, values: Sequence[Fraction]) -> list[Fraction]:
        alone = [each for each in self.where if each.names == {name}]
        left = [value for value in values if all(each.holds({name: value}) for each in alone)]
        if not left:
            raise ModelError(f"no value of {name} that the file lists meets the hypotheses")
        return left

    @property
    def ranges(self) -> dict[str, Axis]:
        """Between what the parameters of a fresh member lie; R need not be an integer."""
        axes = {name: Axis.of(values) for name, values in self.axes.items()}
        ratio = axes[RATIO]
        return axes | {RATIO: Axis(ratio.least, ratio.most, whole=False)}

    def listed(self, numbers: Sequence[int]) -> list[Parameters]:
        """Return the members of some numbers."""
        points = (self.family.point(number) for number in numbers)
        places = [point.values | {RATIO: _ratio(point.level, self.family.key)} for point in points]
        return [place for place in places if self.has(place)]

    def fresh(self, many: int, seed: int, known: Sequence[Parameters]) -> list[Parameters]:
        """Return members that are not among some known ones: corners, then drawn ones."""
        ranges, random, places = self.ranges, Random(seed), []
        seen = {tuple(place.values()) for place in known}
        for place in self._candidates(ranges, random, many):
            key = tuple(place.values())
            if key not in seen and self.has(place):
                seen.add(key)
                places.append(place)
        return places[:many]

    def _candidates(self, ranges: Mapping[str, Axis], random: Random, many: int) -> Iterator[Parameters]:
        ends = ((axis.least, axis.most) for axis in ranges.values())
        for corner in islice(product(*ends), _CORNERS):
            yield dict(zip(ranges, corner))
        values = {name: axis.choices() for name, axis in ranges.items()}
        for _ in range(_DRAWS_EACH * many):
            yield {name: random.choice(some) for name, some in values.items()}

    def has(self, place: Parameters) -> bool:
        """Whether a member meets the hypotheses. Raises `ModelError`."""
        return all(each.holds(place) is True for each in self.where)

    def simpler(self, place: Parameters) -> Iterator[Parameters]:
        """Yield all members that are simpler than one, the simplest first."""
        return (each for each in simpler(self.ranges, place) if self.has(each))


def simpler(ranges: Mapping[str, Axis], place: Parameters) -> Iterator[Parameters]:
    """Yield all values of parameters that are simpler than some, the simplest first."""
    for size in range(len(ranges), total_size(place) + 1):
        for values in sorted(_of_size(list(ranges.values()), size)):
            found = dict(zip(ranges, values))
            if found == place:
                return
            yield found


def total_size(place: Parameters) -> int:
    """Return how much it takes to write the parameters of a member down."""
    return sum(map(size_of, place.values()))


def _of_size(axes: Sequence[Axis], size: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield the values of parameters whose sizes add up to a number."""
    axis, *others = axes
    if not others:
        yield from ((value,) for value in axis.sized(size))
        return
    for own in range(1, size):
        values = axis.sized(own)
        if values:
            for rest in _of_size(others, size - own):
                yield from ((value, *rest) for value in values)


@dataclass(frozen=True)
class Counterexample:
    """A member at which a conjecture is false; `simplest`: every simpler one was tried, and none
    has a value that was not found.
    """

    place: Parameters
    value: Value
    simplest: bool


@dataclass(frozen=True)
class Tried:
    """What came of members: at how many a conjecture held, how many values were infinite, how many
    had none, or were such that it says nothing of them.
    """

    held: int
    infinite: int
    silent: int
    counterexample: Counterexample | None


def tried(conjecture: Relation, ground: Ground, places: Sequence[Parameters], ask: Ask) -> Tried:
    """Try a conjecture on members; of those at which it is false, find the simplest."""
    values = ask(places)
    finite = [(place, value) for place, value in zip(places, values) if value.finite]
    said = [(place, value, conjecture.holds(place, value)) for place, value in finite]
    failed = [(place, value) for place, value, held in said if held is False]
    held = sum(held is True for _, _, held in said)
    infinite = sum(value.infinite for value in values)
    silent = len(places) - held - infinite - len(failed)
    best = min(failed, key=lambda each: (total_size(each[0]), tuple(each[0].values()))) if failed else None
    found = None if best is None else _shrunk(conjecture, ground, best, ask)
    return Tried(held, infinite, silent, found)


def _shrunk(conjecture: Relation, ground: Ground, failed: tuple[Parameters, Value], ask: Ask) -> Counterexample:
    """Return the first of all simpler members that fails, as far as they are tried."""
    simpler, every = ground.simpler(failed[0]), True
    for _ in range(MOST_TRIED // TOGETHER):
        places = list(islice(simpler, TOGETHER))
        for place, value in zip(places, ask(places) if places else []):
            if value.finite and conjecture.holds(place, value) is False:
                return Counterexample(place, value, every)
            every = every and not value.unknown
        if len(places) < TOGETHER:
            return Counterexample(*failed, every)
    return Counterexample(*failed, False)


def _ratio(level: str, key: str) -> Fraction:
    ratio = Level.parse(level).ratio
    if ratio is None:
        raise ModelError(f'expected levels such as "log(2)", whose e^level is rational, found "{level}"', key)
    return ratio


# A conjecture as a statement that runs: a file of claims that `explore --formula` writes imports it.
#
# Members are chosen between the least and the largest value that the family lists, the simplest first; the value of
# each is computed once. It is computed by this package: who proves the claim writes a program from definitions in its
# place.


@dataclass(frozen=True)
class Stated:
    """A relation between the parameters of a family, R = e^level and a quantity.

    Args:
        family: the family's file.
        quantity: the name of what is computed of every member.
        says: the relation.
        where: hypotheses, relations between parameters and R.
        runs, delta_at, budgets: as of a `Quantity`.
    """

    family: JsonObject
    quantity: QuantityName
    says: str
    where: Sequence[str] = ()
    runs: int = 2
    delta_at: str = "1"
    budgets: Sequence[str] = ()

    @cached_property
    def relation(self) -> Relation:
        """What is said."""
        return Relation.of(self.says, self.quantity)

    @cached_property
    def asked(self) -> Quantity:
        """What is computed of every member, with all that it depends on."""
        return Quantity(self.quantity, self.runs, self.delta_at, self.budgets)

    @cached_property
    def ground(self) -> Ground:
        """The members that it is said of."""
        return Ground(Family(self.family), tuple(Relation.of(text) for text in self.where))

    @cached_property
    def choices(self) -> dict[str, list[Fraction]]:
        """The values of every parameter, and of R, that members are chosen from."""
        return {name: axis.choices() for name, axis in self.ground.ranges.items()}

    @cached_property
    def _values(self) -> Any:
        family, quantity = self.ground.family, self.asked
        return cache(lambda *items: quantity.at(family, dict(items)))

    def value(self, place: Parameters) -> Value:
        """Return the exact value of a member."""
        values: Value = self._values(*((name, Fraction(each)) for name, each in place.items()))
        return values

    def meant(self, /, **place: Fraction) -> bool:
        """Whether the hypotheses hold at a member, and its value is finite."""
        return self.ground.has(place) and self.value(place).finite

    def holds(self, /, **place: Any) -> bool:
        """Whether what is said holds, or divides by zero; or, with an argument that has no name
        of a parameter, whether slightly more holds.
        """
        if place.pop("by more", False):
            return self.relation.nearly(place, self.value(place))
        return self.relation.holds(place, self.value(place)) is not False

    def fails(self, /, **place: Fraction) -> bool:
        """Whether a member that it is said of shows it to be false."""
        return self.meant(**place) and not self.holds(**place)
