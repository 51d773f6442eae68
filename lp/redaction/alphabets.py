"""Redaction on a stationary Markov chain of any number of values, with one private record.

With i(X_t = x) = log max P(X_t = x | X_p = a) / P(X_t = x | X_p = b) over pairs a, b, a record is
redacted where every value has i > eps' (L), released where none has (S), and else redacted at these
values and with probability q at the others (M). Leakage is exact, by the nearest record shown on
either side. Every design keeps the level; only `data-independent` is proved to be an optimum.

Source: massny2025, Section IV; more than two values are its future work, and the reading is ours.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations, product

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.binary import Budget, Threshold
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("massny2025.thm1-privacy",)
Row = tuple[Fraction, ...]
Profile = tuple[Row, ...]
Ratios = dict[tuple[int, int], Fraction | None]  # of pairs of values of X_p; None is infinite
NAMES = ("data-independent", "3r-constant", "3r-values")
_MOST_RECORDS, _MOST_VALUES, _MOST_GRID = 40, 8, 256
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, repr=False)
class AlphabetDesign(Readable):
    """A redaction that keeps the level: r_t(x) of every record and value, the expected share of
    records that are released, and what is leaked about X_p.
    """

    name: str
    utility: Fraction
    leakage: Leakage
    rows: Profile
    claims: tuple[str, ...] = field(default=RESTS_ON, kw_only=True, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.name}: utility {float(self.utility):.6g}, leakage {self.leakage}"


def alphabet_redactions(
    chain: MarkovChain, length: int, private: int, epsilon: LevelLike, names: Sequence[str] = NAMES, grid: int = 16
) -> tuple[AlphabetDesign, ...]:
    """Design redaction of a stationary Markov chain of any number of values.

    `data-independent`: the best pattern that is blind to values. `3r-constant`: three regions, with
    half of the level for either side (all of it at an end) and the least q = j/grid with which
    both sides together keep the level. `3r-values`: single r_t(x), one after the other, lowered to
    the least multiple of 1/grid that keeps the level, from either of these designs.

    >>> walk = [["1/2", "1/2", 0], ["1/4", "1/2", "1/4"], [0, "1/2", "1/2"]]
    >>> designs = alphabet_redactions(MarkovChain("stationary", walk), 7, 1, "log(2)")
    >>> [round(float(each.utility), 3) for each in designs]
    [0.571, 0.607, 0.607]

    Raises `ModelError` unless the chain is stationary with at most 8 values, all of them possible,
    there are at most 40 records, one of them private, and strategies are known.
    """
    chain = check_type(chain, MarkovChain, "chain")
    length = check_type(length, int, "length")
    private = check_type(private, int, "private")
    names = check_type(names, Sequence[str], "names")
    grid = check_type(grid, int, "grid")
    task = _PrivacyTask.of(chain, length, private, Level.coerce(epsilon, "epsilon"), grid)
    for name in names:
        if name not in NAMES:
            raise ModelError(f'expected {", ".join(NAMES)}, found "{shown(name)}"', "names")
    made: dict[str, Callable[[], AlphabetDesign]] = dict(zip(NAMES, (task.blind, task.constant, task.values)))
    return tuple(made[name]() for name in names)


@dataclass(frozen=True)
class _SideLaws:
    """The records on one side of X_p, nearest first: the law of a step away from it."""

    step: tuple[Row, ...]
    size: int

    def influences(self) -> Iterator[Sequence[Sequence[Fraction]]]:
        """Yield P(X_t = z | X_p = x), nearest first."""
        law = _identity(len(self.step))
        for _ in range(self.size):
            law = _times(law, self.step)
            yield law

    def ratios(self, rows: Sequence[Row]) -> Ratios:
        """Return the largest P(event | X_p = a) / P(event | X_p = b) of what is shown next."""
        values, law = range(len(self.step)), _identity(len(self.step))
        found: Ratios = dict.fromkeys(permutations(values, 2), _ONE)
        for row in rows:
            law = _times(law, self.step)
            for z in values:
                if row[z] < 1:
                    _raise_to(found, [law[x][z] for x in values])
            law = [[law[x][z] * row[z] for z in values] for x in values]
        _raise_to(found, [sum(each, _ZERO) for each in law])
        return found


@dataclass(frozen=True)
class _PrivacyTask:
    """What is to be kept private."""

    chain: MarkovChain
    law: Row
    length: int
    private: int
    level: Level
    grid: int
    sides: tuple[_SideLaws, _SideLaws]

    @classmethod
    def of(cls, chain: MarkovChain, length: int, private: int, level: Level, grid: int) -> "_PrivacyTask":
        """Read what is asked. Raises `ModelError` unless it is a task."""
        forward, law = chain.transition, tuple(chain.initial_law())
        _expect("chain", len(law), 2, _MOST_VALUES, "values")
        _expect("length", length, 1, _MOST_RECORDS, "records")
        _expect("private", private, 1, length, "")
        _expect("grid", grid, 1, _MOST_GRID, "")
        after = _times([list(law)], forward)[0]
        if list(law) != list(after):
            raise ModelError("expected a chain that starts in its stationary law", "chain")
        if not all(law):
            raise ModelError("expected every value to be possible, found one that is not", "chain")
        k = range(len(law))
        backward = tuple(tuple(law[z] * forward[z][x] / law[x] for z in k) for x in k)
        sides = _SideLaws(backward, private - 1), _SideLaws(forward, length - private)
        return cls(chain, law, length, private, level, grid, sides)

    def blind(self) -> AlphabetDesign:
        """Return the shortest window around X_p outside of which all records may be released: the
        first of those, from the left. What is shown beyond the nearest says no more.
        """
        ones, zeros = (tuple([each] * len(self.law)) for each in (_ONE, _ZERO))
        windows = product(*(range(side.size + 1) for side in self.sides))
        for left, right in sorted(windows, key=sum):
            counts = zip((left, right), self.sides)
            halves = [[ones] * n + [zeros] * (side.size - n) for n, side in counts]
            if self.keeps(*halves):
                return self.design("data-independent", *halves)
        raise AssertionError("everything redacted leaks nothing")

    def constant(self) -> AlphabetDesign:
        """Return three regions with the least q = j/grid that keeps the level."""
        at_end = self.private in (1, self.length)
        budget = Budget(self.level, Fraction(1, 1 if at_end else 2))
        for j in range(self.grid + 1):
            q = Fraction(j, self.grid)
            halves = [self.regions(side, budget, q) for side in self.sides]
            if self.keeps(*halves):
                return self.design("3r-constant", *halves)
        raise AssertionError("q = 1 keeps the budgets of either side")

    def regions(self, side: _SideLaws, budget: Threshold, q: Fraction) -> list[Row]:
        """Return r_t by regions: 1 above the budget, q for others, 0 where no value is above."""
        rows = []
        for law in side.influences():
            above = [self.is_above([each[z] for each in law], budget) for z in range(len(law))]
            if any(above):
                rows.append(tuple(_ONE if each or all(above) else q for each in above))
            else:
                rows.append(tuple([_ZERO] * len(above)))
        return rows

    def is_above(self, column: Sequence[Fraction], budget: Threshold) -> bool:
        """Whether the influence on a value is above the budget."""
        return not min(column) or budget.compare(max(column) / min(column)) > 0

    def values(self) -> AlphabetDesign:
        """Return the better of what either design becomes as single r_t(x) are lowered."""
        lowered = [self.lowered(each) for each in (self.blind(), self.constant())]
        return max(lowered, key=lambda each: each.utility)

    def lowered(self, start: AlphabetDesign) -> AlphabetDesign:
        """Lower r_t(x) to the least multiple within the level, common values first."""
        p = self.private - 1
        halves = [list(start.rows[:p][::-1]), list(start.rows[p + 1 :])]
        sizes = [(side, t) for side, half in enumerate(halves) for t in range(len(half))]
        places = [(side, t, x) for side, t in sizes for x in range(len(self.law))]
        for side, t, x in sorted(places, key=lambda place: (-self.law[place[2]], -place[1])):
            other = self.sides[1 - side].ratios(halves[1 - side])
            before = halves[side][t]
            for j in range(self.grid):
                lower = Fraction(j, self.grid)
                if lower >= before[x]:
                    break
                halves[side][t] = (*before[:x], lower, *before[x + 1 :])
                if self.is_within(self.sides[side].ratios(halves[side]), other):
                    break
                halves[side][t] = before
        return replace(self.design("3r-values", *halves), name="3r-values")

    def keeps(self, left: Sequence[Row], right: Sequence[Row]) -> bool:
        """Whether the level is kept."""
        return self.is_within(self.sides[0].ratios(left), self.sides[1].ratios(right))

    def is_within(self, left: Ratios, right: Ratios) -> bool:
        worst = _together(left, right)
        return worst is not None and self.level.compare(worst) <= 0

    def design(self, name: str, left: Sequence[Row], right: Sequence[Row]) -> AlphabetDesign:
        """Return the design of r_t on either side, nearest first, with X_p redacted."""
        rows = (*left[::-1], tuple([_ONE] * len(self.law)), *right)
        kept = (p * (1 - r) for row in rows for p, r in zip(self.law, row))
        worst = _together(self.sides[0].ratios(left), self.sides[1].ratios(right))
        return AlphabetDesign(name, sum(kept, _ZERO) / self.length, Leakage.of(worst), rows)


def _together(left: Ratios, right: Ratios) -> Fraction | None:
    """Return the largest product of one pair's ratios: given X_p the sides are independent."""
    worst = _ONE
    for pair, one in left.items():
        other = right[pair]
        if one is None or other is None:
            return None
        worst = max(worst, one * other)
    return worst


def _raise_to(found: Ratios, likely: Sequence[Fraction]) -> None:
    """Raise the ratios to those of an event with these probabilities; 0/0 is none."""
    for (a, b), known in found.items():
        if likely[a] and not likely[b]:
            found[a, b] = None
        elif likely[a] and known is not None:
            found[a, b] = max(known, likely[a] / likely[b])


def _identity(size: int) -> list[list[Fraction]]:
    return [[Fraction(x == z) for z in range(size)] for x in range(size)]


def _times(law: Sequence[Sequence[Fraction]], step: Sequence[Sequence[Fraction]]) -> list[list[Fraction]]:
    columns = list(zip(*step))
    return [[sum((a * b for a, b in zip(row, z)), _ZERO) for z in columns] for row in law]


def _expect(where: str, found: int, least: int, most: int, what: str) -> None:
    if isinstance(found, bool) or not least <= found <= most:
        said = f"expected from {least} to {most} {what}".rstrip()
        raise ModelError(f"{said}, found {shown(found)}", where)
