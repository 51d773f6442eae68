"""Does a program draw by the law that was computed? Its own draws under generators of NumPy, as an
e-value: the bets of `agrees`, on databases that are fixed before the draws.

Every output is a cell, a number with a density lies between quantiles of it, and noise on a query
is compared number by number. Of a law with outputs that are not read, only forms are compared. What
is left to paths that were not run may be anywhere.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import inf, isinf
from time import thread_time
from typing import TYPE_CHECKING

from pufferproof.models.files.programs import Program
from pufferproof.models.numbers.pieces import Piecewise, fraction
from pufferproof.models.numbers.text import shown
from pufferproof.verify.programs.agreement.agrees import Agreement, ImpossibleError, Watch, count_in, noisy_watches, run
from pufferproof.verify.programs.agreement.cells import BITS, Asked, Cells, asked, max_zero
from pufferproof.verify.programs.agreement.laws import Case, Coordinate, Draws, Quantiles, Sampling, between, mass_of
from pufferproof.verify.programs.law import Law, ProgramError
from pufferproof.verify.programs.noise import Following, following, has_numbers, meet, value_of_drawn
from pufferproof.verify.programs.paths import place_of, words_of
from pufferproof.verify.programs.repeating import Chance, Value, numbers_in
from pufferproof.verify.programs.watching.calls import ONE, importable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ERROR = Fraction(1, 10**9)  # probability that a law that is right is refused, at most
_EACH = 1, 4, 20, 100, 500, 2_500  # draws of a database, as many as its time allows
_SECONDS = 0.5  # of the processor, for a database
_SEED = 0
_CLOSE = 1e-6  # of a number that follows from another one


def agreement_of(program: Program, law: Law, databases: Sequence[str]) -> Agreement:
    """Compare a law with draws of its program on some databases, 2,500 of each: fewer if these take
    more than half a second of the processor.

    Raises `ProgramError` where draws disagree, which a law that is right does with probability at
    most 10^-9, and where the program raises; `ModelError` where draws cannot be compared.
    """
    values = {value: has_numbers(value) for value in law.values}
    draws = {x: _Drawing(program, x, place).draws for place, x in enumerate(databases)}
    watches: Sequence[Watch]
    if law.noise is not None:
        watches = noisy_watches(_noisy_cases(law, draws), Sampling())
    else:
        watches = [_ProgramWatch(_Row(law, x, values), draws[x]) for x in databases]
    seconds, stops = _SECONDS * len(databases), [count * len(databases) for count in _EACH]
    found = run(watches, thread_time(), seconds, stops[-1], ERROR, thread_time, stops)
    if found.verdict == "disagrees":
        own = [each for each in watches if isinstance(each, _ProgramWatch)]
        far = max(own, key=lambda each: each.distances().max(), default=None)
        tells = found.tells if far is None or isinf(found.log_e) else far.tells()
        raise ProgramError(
            f"does not draw by the law that was computed: {tells}; e-value {found.e} after "
            f"{found.draws} draws under NumPy's own generators, refused from 10^9 on (estimate "
            "bounds its leakage from samples)",
            program.name,
        )
    return found


class _Drawing:
    """A program on one database, under generators of NumPy that a seed determines."""

    def __init__(self, program: Program, database: str, place: int) -> None:
        self._program, self._database = program.as_run, database
        self._chance = Chance([_SEED, place])

    def draws(self, count: int) -> list[Value]:
        rng = self._chance.rng
        with ONE, importable(), self._chance.own():
            try:
                return [value_of_drawn(self._program(self._database, rng)) for _ in range(count)]
            except (KeyboardInterrupt, MemoryError):
                raise
            except BaseException as error:
                where = place_of(error)
                raise ProgramError(
                    f"raises {words_of(error)} with generators of NumPy, on database "
                    f"{self._database!r}, where its law has an output",
                    f"{self._program.name}, {where}" if where else self._program.name,
                ) from error


class _Row:
    """The cells of a law on one database, and in which of them an output is."""

    def __init__(self, law: Law, database: str, values: dict[Value, bool]) -> None:
        from flint import arb, ctx

        self.database = database
        masses, densities = law.masses[database], law.densities[database]
        self._places: dict[Value, int] = {}
        self._numbers: list[tuple[Value, Quantiles, list[float], int]] = []
        self._forms: list[tuple[Value, int]] = []
        names, chances = list[str](), list[arb]()
        with ctx.workprec(BITS):
            left = law.left[database].ball() if law.remains(database) else arb(0)
            over = law.below(database).ball()
            for value, label in law.values.items():
                known = densities.get(label, Piecewise(()))
                if law.unread:  # an integer that is drawn may be one that is written
                    alike = [text for other, text in law.values.items() if meet(value, other, True)]
                    self._forms.append((value, len(names)))
                    mass = sum((masses[text].ball() for text in alike if text in masses), arb(0))
                    chances.append(mass + left)
                    names.append(f"output {shown(label)}")
                elif not values[value]:
                    self._places[value] = len(names)
                    chances.append((masses[label].ball() if label in masses else arb(0)) + left)
                    names.append(f"output {shown(label)}")
                elif known.segments:
                    quantiles = Quantiles(known)
                    edges = quantiles.edges()
                    self._numbers.append((value, quantiles, edges, len(names)))
                    ends = list(pairwise([-inf, *edges, inf]))
                    chances += [max_zero(mass_of(known, *each) / over + left) for each in ends]
                    names += [f"output {shown(label)}, {between(*each)}" for each in ends]
            self._elsewhere = len(names) if left > 0 else None
            if self._elsewhere is not None:
                names.append("another output")
                chances.append(left)
        self.cells = Cells(chances, names, [None] * len(names))
        self._possible = [bool(chance > 0) for chance in chances]

    def place(self, value: Value) -> int:
        """Return the cell of an output. Raises `ImpossibleError` for one that the law rules out."""
        found = self._places.get(value)
        if found is None:
            found = self._nearest(value)
        if found is None or not self._possible[found]:
            raise ImpossibleError(
                f"on database {shown(self.database)} it drew {shown(value[1])}, which has probability 0 there"
            )
        return found

    def _nearest(self, value: Value) -> int | None:
        for own, place in self._places.items():
            if numbers_in(own, value) == []:  # equal up to rounding
                self._places[value] = place
                return place
        drawn = [(numbers_in(form, value), place) for form, place in self._forms]
        if forms := [(len(numbers), place) for numbers, place in drawn if numbers is not None]:
            return min(forms)[1]  # with most of it written
        for own, quantiles, edges, start in self._numbers:
            numbers = numbers_in(own, value)
            if numbers is not None and quantiles.holds(numbers[0]):
                return start + bisect_right(edges, numbers[0])
        return self._elsewhere


class _ProgramWatch(Watch):
    """Outputs of a program that are listed, or have a number with a density in them."""

    def __init__(self, row: _Row, draws: Draws) -> None:
        import numpy as np

        self._row, self._draw = row, draws
        self._counts = np.zeros(len(row.cells.names), dtype=np.int64)
        self._chances = np.array([min(float(each.mid()), 1.0) for each in row.cells.chances])
        self.asked: list[Asked] = asked({row.database: row.cells}, f"of {shown(row.database)}")

    def draw(self, count: int) -> None:
        import numpy as np

        places = [self._row.place(value) for value in self._draw(count)]
        counts = np.bincount(places, minlength=len(self._counts))
        self._counts += counts
        count_in(self.asked, self._row.database, counts)

    def distances(self) -> "NDArray[np.float64]":
        """Return how far the counts of cells are from what is expected, in deviations."""
        import numpy as np

        expected = self._counts.sum() * self._chances
        room = np.sqrt(np.maximum(expected * (1 - self._chances), 1e-9))
        return np.asarray(np.abs(self._counts - expected) / room)

    def tells(self) -> str:
        """Say which cell is farthest from what was expected."""
        worst = int(self.distances().argmax())
        return (
            f"on database {shown(self._row.database)}, {self._row.cells.names[worst]} was drawn "
            f"{self._counts[worst]} times in {self._counts.sum()}, its computed probability is "
            f"{self._chances[worst]:.6g}"
        )


def _noisy_cases(law: Law, draws: Mapping[str, Draws]) -> list[Case]:
    """Return the noise of all numbers that tell something themselves, on some databases."""
    (output,), after = law.values, following(law.numbers)
    cases = []
    for x, drawn in draws.items():
        own = [number for number, way in zip(law.numbers[x], after) if way is None]
        coordinates = tuple(
            Coordinate(number.noise, Fraction(fraction(number.centre))) for number in own if number.noise is not None
        )
        rows = partial(_rows, output, x, drawn, after)
        cases.append(Case(x, None, None, coordinates=coordinates, draws=rows))
    return cases


def _rows(
    output: Value, database: str, draws: Draws, after: Sequence[Following | None], count: int
) -> list[list[int | float]]:
    """Return the numbers that tell something themselves, of so many outputs. Raises
    `ImpossibleError` unless the others follow from them.
    """
    rows = []
    for value in draws(count):
        row = numbers_in(output, value)
        if row is None or not all(
            way is None or _follows(row[way.place], row[place], way) for place, way in enumerate(after)
        ):
            raise ImpossibleError(
                f"on database {shown(database)} it drew {shown(value[1])}, which has probability 0 there"
            )
        rows.append([number for number, way in zip(row, after) if way is None])
    return rows


def _follows(number: float, other: float, way: Following) -> bool:
    expected = float(way.times) * number + float(way.shift)
    return abs(other - expected) <= _CLOSE * max(1.0, abs(other), abs(expected))
