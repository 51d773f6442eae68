"""Gaussian noise, continuous or discrete, that is rounded, clamped or shown from a threshold on, or
whose sigma depends on the database, as a table.

    clamped to few outputs:  all of them have exact probabilities (`tails`), a `PowerTable`
    else a `NormalTable`:    the law of every database, a value and sigma^2; some intervals of the
                             noisy number are one output each (`cells`), and in the gaps between
                             these the number is shown: itself, or rounded

As a partial table a `NormalTable` has lower bounds of its listed outputs, and all else is left: of
rounded noise at most 2^-190, of a number with a density all of it. What it leaks is in
`pufferproof.verify.noise.ratio.shaped`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from math import ceil, floor
from operator import add

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.noise.tables.lattice import deviations
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, table_of
from pufferproof.models.noise.tables.tails import gaussian_tail
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum
from pufferproof.models.numbers.text import text_of

HIDDEN = "-"  # the output of a key that is not shown
NUMBER = "number"
_MOST_CELLS = 20_000
_BITS, _REACH = 256, 192  # working precision, and the bits of what is left beyond listed outputs
_LEAST = 20_000  # bits of the smallest probability that is listed
_MOST_NATS = 500_000  # of a density at an end, in a table of exact probabilities
_NOTHING = ExponentialSum([])
_WHOLE = ExponentialSum([(1, ONE)])

NormalLaw = tuple[Fraction, Fraction] | None  # a value and sigma^2; None has no number
Ends = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True, eq=False, repr=False)
class NormalTable(PartialTable):
    """A number with Gaussian noise, of which some intervals are one output each.

    Args:
        laws: for every row the value and sigma^2, None if its key is hidden.
        cells: output -> the noisy numbers that become it, in ascending order.
        rounded: whether numbers in the gaps are rounded; else they have a density.
        on_integers: whether noise is discrete Gaussian.
    """

    laws: tuple[NormalLaw, ...] = ()
    cells: Mapping[str, Ends] = field(default_factory=dict, repr=False)
    rounded: bool = False
    on_integers: bool = False

    @property
    def gaps(self) -> tuple[Ends, ...]:
        """The intervals of numbers that are in no cell."""
        cells = list(self.cells.values())
        if not cells:
            return ((None, None),)
        first, last = cells[0][0], cells[-1][1]
        between = ((low, high) for (_, low), (high, _) in pairwise(cells))
        inner = [(low, high) for low, high in between if low != high]
        before: list[Ends] = [] if first is None else [(None, first)]
        after: list[Ends] = [] if last is None else [(last, None)]
        return (*before, *inner, *after)

    def mass(self, row: int, output: str) -> ExponentialSum:
        """Return the exact probability of a cell."""
        return mass(self.laws[row], output, self.cells[output], self.on_integers)

    def expect_joint(self) -> None:
        """Raise `ModelError` for a number with a density."""
        if not self.rounded:
            raise ModelError(
                "Gaussian noise that is clamped, hidden below a threshold, or of its own for every "
                'database is audited alone, once: expected "round": true for a joint release',
                "mechanisms",
            )

    def plain(self) -> PartialTable:
        """Return the table of the listed outputs alone."""
        return PartialTable(self.databases, self.outputs, self.entries, self.left)

    def listing(self, least: float) -> PartialTable:
        """Return the listed outputs that are likely enough, as a partial table."""
        return self.plain().listing(least)


def mass(law: NormalLaw, output: str, ends: Ends, on_integers: bool) -> ExponentialSum:
    """Return the probability that a number with Gaussian noise lies between two ends."""
    if law is None:
        return _WHOLE if output == HIDDEN else _NOTHING
    value, variance = law
    low, high = ends
    above = _WHOLE if low is None else gaussian_tail(variance, low - value, on_integers)
    beyond = _NOTHING if high is None else gaussian_tail(variance, high - value, on_integers)
    return above - beyond


def is_far(laws: Mapping[str, NormalLaw], low: Fraction, high: Fraction) -> bool:
    """Whether a density at an end is too small to be written out."""
    known = [law for law in laws.values() if law is not None]
    return any((end - value) ** 2 > 2 * variance * _MOST_NATS for value, variance in known for end in (low, high))


def whole_table(laws: Mapping[str, NormalLaw], cells: Mapping[str, Ends], on_integers: bool) -> Channel | PowerTable:
    """Return the table of cells that cover the line, with exact probabilities.

    >>> law = {"a": (Fraction(0), Fraction(1)), "b": (Fraction(1), Fraction(1))}
    >>> half = Fraction(1, 2)
    >>> table = whole_table(law, {"0": (None, half), "1": (half, None)}, False)
    >>> round(table.probability_approx("a", "0"), 6)
    0.691462
    """
    rows = {
        label: {name: mass(law, name, ends, on_integers) for name, ends in cells.items()} for label, law in laws.items()
    }
    return table_of(rows, list(cells))


def with_density(
    laws: Mapping[str, NormalLaw], threshold: Fraction | None, bounds: tuple[Fraction, Fraction] | None
) -> NormalTable:
    """Return the table of a number that is clamped, or shown from a threshold on."""
    cells: dict[str, Ends] = {}
    if threshold is not None:
        cells[HIDDEN] = (None, threshold)
    elif bounds is not None:
        low, high = bounds
        cells = {text_of(low): (None, low), text_of(high): (high, None)}
    return _table(laws, cells, False, False)


def listed_cells(
    laws: Mapping[str, NormalLaw],
    grid: Fraction,
    threshold: Fraction | None,
    bounds: tuple[Fraction, Fraction] | None,
    on_integers: bool,
) -> NormalTable:
    """Return the table of a number that is rounded, with the outputs that are likely enough."""
    known = [law for law in laws.values() if law is not None]
    reach = max((deviations(variance, _REACH) for _, variance in known), default=0)
    values = [value for value, _ in known] or [Fraction(0)]
    first, last = floor((min(values) - reach) / grid), ceil((max(values) + reach) / grid)
    half, cells = grid / 2, dict[str, Ends]()  # ends are between integers where noise is
    if bounds is not None:
        lowest, highest = floor(bounds[0] / grid) + 1, ceil(bounds[1] / grid) - 1
        cells[text_of(bounds[0])] = None, lowest * grid - half
        first, last = max(first, lowest), min(last, highest)
    elif threshold is not None:
        first = ceil(threshold / grid)
        cells[HIDDEN] = None, first * grid - half
    if last - first > _MOST_CELLS:
        raise ModelError(
            f"{last - first + 1} outputs of rounded noise are likely: expected at most "
            f"{_MOST_CELLS}, or noise that is not rounded",
            "noise",
        )
    cells |= {text_of(k * grid): (k * grid - half, k * grid + half) for k in range(first, last + 1)}
    if bounds is not None:
        cells[text_of(bounds[1])] = highest * grid + half, None
    return _table(laws, cells, True, on_integers)


def _table(laws: Mapping[str, NormalLaw], cells: Mapping[str, Ends], rounded: bool, on_integers: bool) -> NormalTable:
    entries, left = [], []
    for law in laws.values():
        row = [_at_least(mass(law, name, at, on_integers)) for name, at in cells.items()]
        left.append(_WHOLE - reduce(add, row, _NOTHING))
        entries.append(tuple(row) if rounded else (_NOTHING, *row))
    outputs = tuple(cells) if rounded else (NUMBER, *cells)
    return NormalTable(
        tuple(laws),
        outputs,
        tuple(entries),
        tuple(left),
        laws=tuple(laws.values()),
        cells=cells,
        rounded=rounded,
        on_integers=on_integers,
    )


def _at_least(share: ExponentialSum) -> ExponentialSum:
    """Return a rational lower bound of a probability: 0 where others have too many digits."""
    from flint import arb, ctx

    if share.rational is not None:
        return share
    with ctx.workprec(_BITS):
        least = share.ball().lower()
        return ExponentialSum([(dyadic(least), ONE)]) if least > arb(2) ** -_LEAST else _NOTHING
