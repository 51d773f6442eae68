"""A conjecture as a statement that runs: a file of claims that `explore --formula`
writes imports it.

Members are chosen between the least and the largest value that the family lists, the simplest
first; the value of each is computed once. It is computed by this package: who proves the claim
writes a program from definitions in its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from pufferproof.counterexamples.exploration.conjectures.quantities import Parameters, Quantity, QuantityName, Value
from pufferproof.counterexamples.exploration.conjectures.relations import Relation
from pufferproof.counterexamples.exploration.conjectures.trying import Ground
from pufferproof.counterexamples.exploration.family import Family
from pufferproof.models.numbers.text import JsonObject


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
