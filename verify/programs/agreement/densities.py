"""Draws of tables in which some output is a number with a density: other outputs by their labels,
numbers in cells between quantiles, whose probabilities are exact integrals.

Where some of a table is left, which may be at any output, every cell has it added: bets against
more than the probability of a cell win no more on average.
"""

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.tables.densities import NUMBER
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import row_of
from pufferproof.models.noise.tables.shaped import cell_of
from pufferproof.models.numbers.enclosures import least
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.pieces import Piecewise, fraction, rational
from pufferproof.verify.programs.agreement.cells import Asked, Cells, asked, max_zero
from pufferproof.verify.programs.agreement.drawing import expect_no_dict, label_of
from pufferproof.verify.programs.agreement.noise import BITS

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SHARES = sorted({k / 32 for k in range(1, 32)} | {x for k in (6, 8, 10) for x in (2.0**-k, 1 - 2.0**-k)})
_SCALES = (0.5, 0.8, 0.9, 0.95, 0.98, 1.02, 1.05, 1.1, 1.25, 2.0)
_SHIFTS = (-0.5, -0.1, -0.02, 0.02, 0.1, 0.5)  # parts of the distance between quartiles
_ROUNDED = 2.0**-45  # of the larger end: how far floats may lie outside
_ELSEWHERE = "elsewhere"
_OWN = ("distance", "half", "tails of 0.125", "output")  # questions for a database by itself


class DensityLaw:
    """The cells of one row: labels, cells of the number, and what is elsewhere.

    A table of staircase noise has all steps beyond its values in one, of the width `step`.
    """

    def __init__(self, form: PartialTable, label: str, step: float | None = None) -> None:
        from flint import ctx

        if set(form.densities) - {NUMBER}:
            raise ModelError(
                "draws are not compared with numbers inside of outputs, expected numbers alone", "mechanism"
            )
        row = row_of(form, label)
        known = form.densities[NUMBER][row] if form.densities else Piecewise(())
        self.quantiles = Quantiles(known) if known.segments else None
        self.edges = self.quantiles.edges() if self.quantiles else []
        atoms = [output for output in form.outputs if output not in form.densities]
        bins = bins_of(self.edges) if self.quantiles else []
        with ctx.workprec(BITS):
            whole, left = form.total(row).ball(), _ball(form.left[row])
            chances = [(_ball(form.entries[row][form.outputs.index(output)]) + left) / whole for output in atoms]
            chances += [max_zero((mass_of(known, *ends) + left) / whole) for ends in bins]
            chances += [left / whole] if form.left[row].terms else []
        names = [*atoms, *(between(*ends) for ends in bins)]
        names += [_ELSEWHERE] if form.left[row].terms else []
        self.atoms = {output: place for place, output in enumerate(atoms)}
        self.step = step if self.quantiles else None
        self._possible = [bool(chance > 0) for chance in chances]
        self.cells = Cells(chances, names, [None] * len(names))

    @property
    def shape(self) -> object:
        """Rows of one shape are pooled."""
        return tuple(self.atoms), len(self.edges), len(self.cells.names)

    def others(self) -> "dict[str, NDArray[Any]]":
        """Return the law with the number stretched around its middle, or moved, in floats."""
        import numpy as np

        if self.quantiles is None or not self.edges:
            return {}
        cdf, (low, middle, high) = self.quantiles.cdf, self.quantiles.quartiles
        laws = {f"{f:g} times": [cdf(middle + (x - middle) / f) for x in self.edges] for f in _SCALES}
        for part in _SHIFTS:
            move = part * (high - low)
            laws[f"moved by {move:.3g}"] = [cdf(x - move) for x in self.edges]
        own = np.array([float(each.mid()) for each in self.cells.chances])
        place = slice(len(self.atoms), len(self.atoms) + len(self.edges) + 1)
        found = {}
        for name, below in laws.items():
            law = own.copy()
            law[place] = np.maximum(np.diff([0.0, *below, 1.0]), 1e-9) * own[place].sum()
            found[name] = law / law.sum() * (1 - 1e-12)
        return found

    def sort(self, outputs: Sequence[Any]) -> "tuple[NDArray[Any], list[Any]]":
        """Return how many outputs are in each cell, and the first that cannot be, if there is one.

        Outputs are sorted together if all are numbers in the support, and there are no labels.
        """
        import numpy as np

        counts = np.zeros(len(self.cells.names), dtype=np.int64)
        outputs = outputs if self.step is None else list(map(self._folded, outputs))
        if not self.atoms and self.quantiles and all(isinstance(y, float) for y in outputs):
            numbers = np.array(outputs)
            if self.quantiles.holds(numbers.min()) and self.quantiles.holds(numbers.max()):
                places = np.searchsorted(self.edges, numbers, side="right")
                counts += np.bincount(places, minlength=len(counts))
                return counts, [y for y, x in zip(outputs, places) if not self._possible[x]][:1]
        for output, count in Counter(map(_plain, outputs)).items():
            place = self._place(output)
            if place is None or not self._possible[place]:
                return counts, [output]
            counts[place] += count
        return counts, []

    def _folded(self, number: float) -> float:
        """Return where a table of staircase noise has a number."""
        assert self.quantiles is not None
        assert self.step is not None
        low, high = self.quantiles.low + self.step, self.quantiles.high - self.step
        if number > high:
            return high + (number - high) % self.step
        return low - (low - number) % self.step if number < low else number

    def _place(self, output: Any) -> int | None:
        real = isinstance(output, int | float) and not isinstance(output, bool)
        whole = real and math.isfinite(output) and output == int(output)
        if self.atoms and (label := label_of(output, self.atoms)) in self.atoms:
            return self.atoms[label]
        if whole and (cell := cell_of(self.atoms, int(output))) in self.atoms:
            return self.atoms[cell]
        if self.quantiles is not None and real and self.quantiles.holds(output):
            return len(self.atoms) + bisect_right(self.edges, output)
        return len(self.cells.names) - 1 if self.cells.names[-1] == _ELSEWHERE else None


class Quantiles:
    """Quantiles of a density in floats, of which nothing is proved, and its support."""

    def __init__(self, density: Piecewise) -> None:
        self._parts = []
        for low, high, f in density.segments:
            whole = f.antiderivative(0)
            start = whole.limit(0, -1) if low is None else whole.at(0, [rational(0), low])
            mass = Piecewise(((low, high, f),)).mass().approx()
            ends = [None if end is None else float(fraction(end)) for end in (low, high)]
            self._parts.append((ends[0], ends[1], whole, start.approx(), mass))
        masses = [mass for *_, mass in self._parts]
        self._below = [0.0, *accumulate(masses)]
        self.low = -math.inf if self._parts[0][0] is None else self._parts[0][0]
        self.high = math.inf if self._parts[-1][1] is None else self._parts[-1][1]
        self.quartiles = tuple(self.at(share) for share in (0.25, 0.5, 0.75))

    def cdf(self, x: float) -> float:
        """Return about P(X < x)."""
        total = self._below[-1]
        for below, (low, high, whole, start, _) in zip(self._below, self._parts):
            if low is not None and x <= low:
                return below / total
            if high is None or x < high:
                return min(max((below + whole.approx(x) - start) / total, 0.0), 1.0)
        return 1.0

    def at(self, share: float) -> float:
        """Return an x with about this share below."""
        place = bisect_right(self._below, share * self._below[-1]) - 1
        low, high, *_ = self._parts[min(place, len(self._parts) - 1)]
        width = 1.0
        while low is None or high is None:
            near = low if low is not None else high
            end = (near or 0.0) + (width if low is not None else -width)
            inside = self.cdf(end) >= share if low is not None else self.cdf(end) <= share
            if inside or width > 1e300:
                low, high = (low, end) if low is not None else (end, high)
            width *= 2
        return least(lambda x: self.cdf(x) >= share, (low, high), 0.0, 1e-12)[1]

    def edges(self) -> list[float]:
        """Return points between which the number has cells, in order."""
        return sorted(x for x in {self.at(share) for share in _SHARES} if self.low < x < self.high)

    def holds(self, number: float) -> bool:
        """Whether a number lies in the support, or outside by no more than floats are rounded."""
        ends = [abs(end) for end in (self.low, self.high) if math.isfinite(end)]
        room = max(ends, default=0.0) * _ROUNDED
        return math.isfinite(number) and self.low - room <= number <= self.high + room


def asked_of(laws: Sequence[tuple[str, DensityLaw]]) -> dict[str, list[Asked]]:
    """Return the questions of every database: those of rows of one shape are pooled."""
    pools: dict[object, list[tuple[str, DensityLaw]]] = defaultdict(list)
    for label, law in laws:
        pools[law.shape].append((label, law))
    found: dict[str, list[Asked]] = {}
    for pool in pools.values():
        label, first = pool[0]
        where = f'of "{label}"' if len(pool) == 1 else "of all"
        together = asked({name: law.cells for name, law in pool}, where, None, first.others())
        for name, law in pool:
            own = asked({name: law.cells}, f'of "{name}"', _OWN) if len(pool) > 1 else []
            found[name] = together + own
    return found


def _plain(output: object) -> Any:
    """Return an output as plain Python has it, and lists as texts."""
    found = output.tolist() if hasattr(output, "tolist") else output
    expect_no_dict(found)
    return str(found) if isinstance(found, list) else found


def _ball(value: ExponentialSum) -> Any:
    from flint import arb

    return value.ball() if value.terms else arb(0)


def bins_of(edges: Sequence[float]) -> list[tuple[float, float]]:
    """Return the intervals between some points."""
    return list(pairwise([-math.inf, *edges, math.inf]))


def mass_of(density: Piecewise, low: float, high: float) -> Any:
    """Enclose the integral of a density between two floats."""
    ends = [rational(Fraction(end)) if math.isfinite(end) else None for end in (low, high)]
    return _ball(density.clipped(*ends).total())


def between(low: float, high: float) -> str:
    """Name an interval."""
    if low == -math.inf:
        return f"below {high:.6g}" if high < math.inf else NUMBER
    return f"{low:.6g} or more" if high == math.inf else f"{low:.6g} to {high:.6g}"
