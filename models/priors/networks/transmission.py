"""People who infect their contacts with one transmission, as a Bayesian network that needs no table
of all that the contacts of somebody can be.

    P(healthy | k of the contacts before are ill) = (1 - a) (1 - b)^k

With y_j whether the base a or one of the first j contacts infects somebody, y_j depends on y_(j-1)
and on the j-th contact alone, and whether the last of them does is whether somebody is ill.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, product
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.fields import hold
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.elimination import Factor
from pufferproof.models.priors.records import Records, separator

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Table = NDArray[np.object_]

MOST_BEFORE = 16  # contacts of a person who were there before, in a table
_MOST_LISTED = 10_000  # rows of all tables that are written out
_FEW_BEFORE = 3  # contacts, of which a table is no larger than those of the y_j
Row = tuple[Fraction, Fraction]


class ContactNetwork(BayesianNetwork):
    """The network of people with `before`, the earlier contacts of each from the first person;
    tables are made when they are asked for.

    >>> people = ContactNetwork([[], [1]], Fraction(1, 10), Fraction(1, 2), ("0", "1"))
    >>> people.marginal(2, Records(2, ("0", "1")))
    [Fraction(171, 200), Fraction(29, 200)]
    """

    base: Fraction
    transmission: Fraction
    letters: tuple[str, ...]

    def __init__(
        self, before: Sequence[Sequence[int]], base: Fraction, transmission: Fraction, letters: tuple[str, ...]
    ) -> None:
        hold(self, base=base, transmission=transmission, letters=letters)
        known: dict[int, tuple[tuple[str, tuple[Fraction, ...]], ...]] = {}
        for above in before:
            if (size := len(above)) > MOST_BEFORE:  # what rows are made of, instead of them
                known[size] = (("contacts", (base, transmission)),)
            elif size not in known:
                known[size] = tuple(contact_rows(size, base, transmission, letters).items())
        parents = tuple(map(tuple, before))
        cpt = tuple(known[len(above)] for above in parents)
        hold(self, parents=parents, cpt=cpt, normalized=False, values=None)

    def expect(self, records: Records) -> None:
        """Raise `ModelError` unless these are the records."""
        if records.count != self.length or records.alphabet != self.letters:
            values = ", ".join(self.letters)
            raise ModelError(
                f"expected {self.length} people of the values {values}, found "
                f"{shown(records.count)} records of {shown(list(records.alphabet))}",
                "contacts",
            )

    def positive(self, records: Records, chosen: Iterable[int]) -> bool:
        """Whether everybody can be healthy and ill, whatever the others are."""
        return 0 < self.base < 1 and self.transmission < 1

    @property
    def small(self) -> bool:
        """Whether all tables can be written out."""
        return sum(1 << len(above) for above in self.parents) <= _MOST_LISTED

    def tables(self, records: Records) -> list[tuple[tuple[int, ...], "Table"]]:
        """Return the table of everybody. Raises `TooLargeError`, naming the person, if somebody has
        more than 16 contacts before.
        """
        return self._tables

    @cached_property
    def _tables(self) -> list[tuple[tuple[int, ...], "Table"]]:
        sizes = [len(above) for above in self.parents]
        if (size := max(sizes)) > MOST_BEFORE:
            raise TooLargeError(
                f"person {sizes.index(size) + 1} has {size} contacts before, a table of 2^{size} "
                f"rows: expected at most {MOST_BEFORE} here; audit of sums and counts takes more",
                "edges",
            )
        by_size = {size: self._table_of(size) for size in {*sizes}}
        return [(above, by_size[len(above)]) for above in self.parents]

    def _table_of(self, size: int) -> "Table":
        import numpy as np

        rows = contact_rows(size, self.base, self.transmission, self.letters).values()
        return np.array(list(rows), dtype=object).reshape((2,) * (size + 1))

    def sizes(self, records: Records) -> dict[int, int]:
        """Return how many values everybody has, and the y_j."""
        return dict.fromkeys(range(1, self._links[-1] + 1), 2)

    @cached_property
    def _links(self) -> list[int]:
        """The number that the y_j of everybody come after, and of all."""
        counts = [max(0, len(above) - _FEW_BEFORE) for above in self.parents]
        return [*accumulate(counts, initial=self.length)]

    def factors(self, records: Records, chosen: Iterable[int] | None = None) -> list[Factor]:
        """Return factors whose product, summed over the y_j, is that of the tables."""
        wanted = range(1, self.length + 1) if chosen is None else sorted(chosen)
        return [factor for person in wanted for factor in self._factors_of(person)]

    def _factors_of(self, person: int) -> list[Factor]:
        above, start = self.parents[person - 1], self._links[person - 1] + 1
        first, later = above[:_FEW_BEFORE], above[_FEW_BEFORE:]
        links = [*range(start, start + len(later)), person]
        tables, step = self._pieces
        factors = [Factor((*first, links[0]), tables[len(first)])]
        return factors + [Factor(scope, step) for scope in zip(links, later, links[1:])]

    @cached_property
    def _pieces(self) -> tuple[list["Table"], "Table"]:
        """The tables of few contacts, by number, and of y_j given y_(j-1) and contact j."""
        import numpy as np

        zero, one, b = Fraction(0), Fraction(1), self.transmission
        step = [[[one, zero], [1 - b, b]], [[zero, one], [zero, one]]]
        tables = [self._table_of(size) for size in range(_FEW_BEFORE + 1)]
        return tables, np.array(step, dtype=object)


def contact_rows(size: int, base: Fraction, transmission: Fraction, letters: Sequence[str]) -> dict[str, Row]:
    """Return the rows of a table of somebody with so many contacts before."""
    joint = separator(letters)
    well = [(1 - base) * (1 - transmission) ** ill for ill in range(size + 1)]
    return {
        joint.join(letters[x] for x in each): (well[sum(each)], 1 - well[sum(each)])
        for each in product((0, 1), repeat=size)
    }
