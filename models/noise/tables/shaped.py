"""Noise on one number that is rounded, clamped or shown from a threshold on, or whose scale depends
on the database, as a table: exactly, as post-processing with atoms.

    clamped:     min(max(F(x) + Z, low), high): a density inside, an atom at either end
    rounded:     the nearest multiple of a grid: what lies beyond all values is one output an end,
                 since the ratio of any two databases is the same there
    threshold T: F(x) + Z if that is at least T, else "-"; a database without the key shows "-"

Laplace noise has densities (`pufferproof.models.numbers.pieces`) and atoms that are sums of powers
of e; geometric noise has atoms alone. Gaussian noise is in `normal`. What they leak, and the delta,
is that of the table.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor
from typing import cast

from pufferproof.models.channel import Channel, joined
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.tables.normal import HIDDEN, is_far, listed_cells, whole_table, with_density
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, table_of
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.models.numbers.pieces import Piecewise, rational
from pufferproof.models.numbers.text import text_of

_NUMBER = "number"
_MOST_OUTPUTS = 2_000
_NOTHING = ExponentialSum([])
_WHOLE = ExponentialSum([(1, ONE)])
_PROGRAM = "write it as a program, f(database, rng), which audit takes with --trust-code"


@dataclass(frozen=True)
class Shape:
    """What happens to a number after noise was added: it is rounded to multiples of `grid`, then
    clamped to `bounds`; or shown only from a `threshold` on.

    Raises `ModelError` unless these are numbers that go together.
    """

    grid: Fraction | None = None
    bounds: tuple[Fraction, Fraction] | None = None
    threshold: Fraction | None = None

    def __post_init__(self) -> None:
        if self.grid is not None and self.grid <= 0:
            raise ModelError(f"expected a grid above 0, found {text_of(self.grid)}", "round")
        if self.bounds is not None and not self.bounds[0] < self.bounds[1]:
            raise ModelError("expected [low, high] with low < high", "clamp")
        if self.threshold is not None and (self.grid is not None or self.bounds is not None):
            raise ModelError("expected a threshold alone, without round and clamp", "threshold")


def shaped(
    values: Mapping[str, Fraction | None], noises: Mapping[str, Noise], shape: Shape
) -> Channel | PowerTable | PartialTable:
    """Return noise of its own for every database, shaped afterwards, as a table.

    Args:
        values: database -> the number, None if it has none, which a threshold hides.
        noises: database -> its noise, of one kind for all: Laplace of a rational scale, geometric,
            discrete Laplace, Gaussian or discrete Gaussian.
        shape: what is done with the noisy number.

    >>> table = shaped(
    ...     {"a": Fraction(0), "b": Fraction(1)},
    ...     dict.fromkeys("ab", Noise.geometric("1/2")),
    ...     Shape(bounds=(Fraction(0), Fraction(1))),
    ... )
    >>> table.probability("a", "1")
    Fraction(1, 3)

    Raises `ModelError` for other noise, `TooLargeError` for more than 2,000 outputs.
    """
    kinds = {noise.kind for noise in noises.values()}
    if shape.threshold is None and None in values.values():
        raise ModelError("expected a number for every database, found none", "query")
    if kinds == {"laplace"}:
        return _on_reals(values, noises, shape)
    if kinds <= {"geometric", "discrete_laplace"}:
        return _on_integers(values, noises, shape)
    if kinds in ({"discrete_gaussian"}, {"gaussian"}):
        return _gaussian(values, noises, shape)
    raise ModelError(
        "noise of several kinds has no table: expected laplace, gaussian or discrete_gaussian "
        f"noise for all databases, or geometric and discrete_laplace noise; or {_PROGRAM}",
        "noise",
    )


# --- Laplace noise ---


def _on_reals(
    values: Mapping[str, Fraction | None], noises: Mapping[str, Noise], shape: Shape
) -> Channel | PowerTable | PartialTable:
    densities = {
        label: None if value is None else Piecewise.laplace(_scale(noises[label])).moved(rational(1), rational(value))
        for label, value in values.items()
    }
    if shape.grid is not None:
        cells = dict(_cells(values, noises, shape.grid, shape.bounds))
        rows = {
            label: {name: _between(density, *ends) for name, ends in cells.items()}
            for label, density in densities.items()
        }
        return table_of(rows, list(next(iter(rows.values()))))
    low, high = shape.bounds or (shape.threshold, None)
    atoms: dict[str, tuple[Fraction | None, Fraction | None]] = {}
    if shape.threshold is not None:
        atoms[HIDDEN] = (None, low)
    elif shape.bounds is not None:
        atoms = {text_of(shape.bounds[0]): (None, low), text_of(shape.bounds[1]): (high, None)}
    ends = [None if end is None else rational(end) for end in (low, high)]
    inside = {
        label: Piecewise(()) if density is None else density.clipped(*ends) for label, density in densities.items()
    }
    entries = tuple(
        (
            inside[label].total() if inside[label].segments else _NOTHING,
            *(_WHOLE if density is None else _between(density, *place) for place in atoms.values()),
        )
        for label, density in densities.items()
    )
    outputs = (_NUMBER, *atoms)
    left = (_NOTHING,) * len(values)
    return PartialTable(tuple(values), outputs, entries, left, {_NUMBER: tuple(inside.values())})


def _between(density: Piecewise | None, low: Fraction | None, high: Fraction | None) -> ExponentialSum:
    """Return the probability between two ends, None for an infinite one."""
    if density is None:
        return _NOTHING
    ends = [None if end is None else rational(end) for end in (low, high)]
    part = density.clipped(*ends)
    return part.total() if part.segments else _NOTHING


def _scale(noise: Noise) -> Fraction:
    decay = noise.decay
    if decay is None or decay.primes:
        raise ModelError(f"expected a rational scale where noise is shaped, found {noise.text}", "noise")
    return -1 / decay.nats


def _cells(
    values: Mapping[str, Fraction | None],
    noises: Mapping[str, Noise],
    grid: Fraction,
    bounds: tuple[Fraction, Fraction] | None,
) -> Iterator[tuple[str, tuple[Fraction | None, Fraction | None]]]:
    """Yield every output of rounded noise and the numbers that are rounded to it: multiples of the
    grid, and bounds, to which they are clamped.
    """
    numbers = [value for value in values.values() if value is not None]
    half = grid / 2
    if bounds is not None:
        low, high = bounds
        inner = range(floor(low / grid) + 1, ceil(high / grid))
        first, last = text_of(low), text_of(high)
    else:
        if len(set(noises.values())) > 1:
            raise ModelError("noise of several scales is rounded between bounds: expected clamp beside round", "round")
        least, most = floor(min(numbers) / grid) - 1, ceil(max(numbers) / grid) + 1
        inner = range(least + 1, most)
        first, last = f"<={text_of(least * grid)}", f">={text_of(most * grid)}"
    if len(inner) + 2 > _MOST_OUTPUTS and len(set(noises.values())) == 1:
        # cells at one side of all values have one ratio for any two databases
        least, most = floor((min(numbers) - half) / grid) + 1, ceil((max(numbers) + half) / grid)
        start = min(max(least, inner.start), inner.stop - 1)
        stop = max(min(most, inner.stop), start + 1)
        first = first if start == inner.start else f"{first}..{text_of((start - 1) * grid)}"
        last = last if stop == inner.stop else f"{text_of(stop * grid)}..{last}"
        inner = range(start, stop)
    if len(inner) + 2 > _MOST_OUTPUTS:
        raise TooLargeError(f"{len(inner) + 2} outputs of rounded noise: expected at most {_MOST_OUTPUTS}", "round")
    if inner:
        below, above = inner[0] * grid - half, inner[-1] * grid + half
    else:
        # no multiple between: with low >= k grid and high <= (k + 1) grid, half way between these multiples
        assert bounds is not None
        below = above = (floor(bounds[0] / grid) + Fraction(1, 2)) * grid
    yield first, (None, below)
    for k in inner:
        yield text_of(k * grid), (k * grid - half, k * grid + half)
    yield last, (above, None)


# --- noise on integers ---


def _on_integers(
    values: Mapping[str, Fraction | None], noises: Mapping[str, Noise], shape: Shape
) -> Channel | PowerTable | PartialTable:
    numbers = {label: _integer(value) for label, value in values.items()}
    if shape.grid is not None and shape.grid != 1:
        raise ModelError("noise on integers is rounded already: leave round out", "round")
    known = [value for value in numbers.values() if value is not None]
    first, last = HIDDEN, ""
    if shape.threshold is not None:
        low = ceil(shape.threshold) - 1
        high = max([*known, low + 1]) + 1
    elif shape.bounds is not None:
        low, high = (_integer(bound) or 0 for bound in shape.bounds)
        first, last = str(low), str(high)
    else:
        raise ModelError("noise on integers of several scales has no table: expected clamp, or one scale", "noise")
    if shape.threshold is not None and len(set(noises.values())) > 1:
        raise ModelError("expected noise of one scale with a threshold", "threshold")
    starts = _starts(low, high, known, shape, len(set(noises.values())) == 1)
    names = _names(first, starts, last, shape)
    rows = {}
    for label, value in numbers.items():
        if value is None:
            rows[label] = {name: _WHOLE if name == HIDDEN else _NOTHING for name in names}
            continue
        decay = noises[label].decay or ONE
        tails = [_tail(decay, k - value) for k in starts]
        whole = _sum(decay, 0) + _sum(decay, 1)
        masses = [before - after for before, after in zip([whole, *tails], [*tails, _NOTHING])]
        rows[label] = dict(zip(names, masses))
    return table_of(rows, list(next(iter(rows.values()))))


def _starts(low: int, high: int, known: Sequence[int], shape: Shape, one_scale: bool) -> Sequence[int]:
    """Return the first integer of every output but the first: of all integers, or, if these are too
    many, with those at one side of all values together, which have one ratio for any two databases.
    """
    starts = range(low + 1, high + 1)
    if len(starts) >= _MOST_OUTPUTS and known and one_scale:
        least, most = min(known), max(known)
        between = range(max(low + 1, least + 1), min(high, most) + 1)
        if len(between) < _MOST_OUTPUTS:
            # the first output has all from -inf to low, the last one all from high on
            ends = {low + 1} if shape.threshold is not None or low >= least else set[int]()
            ends |= {high} if high <= most else set[int]()
            return sorted({*between, *ends})
    if len(starts) >= _MOST_OUTPUTS:
        raise TooLargeError(f"{len(starts)} outputs: expected at most {_MOST_OUTPUTS}", "noise")
    return starts


def _names(first: str, starts: Sequence[int], last: str, shape: Shape) -> list[str]:
    """Return the names of outputs by the first integer of every one but the first."""
    if not starts:
        return [f"{first}..{last}"]
    low = None if shape.bounds is None else int(shape.bounds[0])
    names = [first if low in (None, starts[0] - 1) else f"{first}..{starts[0] - 1}"]
    names += [str(k) if after == k + 1 else f"{k}..{after - 1}" for k, after in pairwise(starts)]
    final = str(starts[-1])
    if shape.threshold is not None:
        return [*names, f">={final}"]
    return [*names, final if final == last else f"{final}..{last}"]


def _integer(value: Fraction | None) -> int | None:
    if value is not None and value.denominator != 1:
        raise ModelError(f"noise on integers needs integers, found {text_of(value)}", "query")
    return None if value is None else int(value)


def _tail(decay: Power, distance: int) -> ExponentialSum:
    """Return P(Z >= distance) times 1 + decay."""
    if distance >= 1:
        return _sum(decay, distance)
    return _sum(decay, 0) + _sum(decay, 1) - _sum(decay, 1 - distance)


def _sum(decay: Power, exponent: int) -> ExponentialSum:
    return ExponentialSum([(1, decay.to(Fraction(exponent)))])


# --- Gaussian noise ---


def _gaussian(
    values: Mapping[str, Fraction | None], noises: Mapping[str, Noise], shape: Shape
) -> Channel | PowerTable | PartialTable:
    on_integers = any(noise.on_integers for noise in noises.values())
    if on_integers:
        if shape.grid not in (None, 1):
            raise ModelError("noise on integers is rounded already: leave round out", "round")
        for value in values.values():
            _integer(value)
    variances = {label: cast(Fraction, noise.sigma2 or noise.variance) for label, noise in noises.items()}
    laws = {label: None if value is None else (value, variances[label]) for label, value in values.items()}
    if not on_integers and shape.grid is None:
        return with_density(laws, shape.threshold, shape.bounds)
    grid = shape.grid or Fraction(1)
    if shape.bounds is not None:
        low, high = shape.bounds
        if (high - low) / grid <= _MOST_OUTPUTS - 2 and not is_far(laws, low, high):
            return whole_table(laws, dict(_cells(values, noises, grid, shape.bounds)), on_integers)
    return listed_cells(laws, grid, shape.threshold, shape.bounds, on_integers)


# Noisy numbers of keys that are shown from a threshold on: a table for every key whose number differs between
# databases. Others tell nothing.

_SEVERAL = re.compile(r">=(-?\d+)|(-?\d+)\.\.(-?\d+)")
Tables = Mapping[object, Channel | PowerTable | PartialTable]


def tables_of_keys(counts: Mapping[str, Mapping[object, Fraction]], noise: Noise, threshold: Fraction) -> Tables:
    """Return what every key shows, in the order of their texts.

    Args:
        counts: database -> key -> number; a key that is missing is hidden.
        noise: on every number.
        threshold: the least noisy number that is shown.

    >>> counts = {"a": {"u": Fraction(2), "v": Fraction(3)}, "b": {"u": Fraction(2)}}
    >>> tables_of_keys(counts, Noise.geometric("1/2"), Fraction(3))["v"].outputs
    ('-', '3', '>=4')
    """
    found = {}
    for key in sorted({key for row in counts.values() for key in row}, key=str):
        values = {label: row.get(key) for label, row in counts.items()}
        if len(set(values.values())) > 1:
            found[key] = shaped(values, dict.fromkeys(values, noise), Shape(threshold=threshold))
    return found


def output_of(tables: Tables, drawn: Mapping[object, int]) -> str | int:
    """Return the output that a draw is part of, key -> noisy number: of several tables the joint
    one, of one table with numbers the number.

    >>> counts = {"a": {"u": Fraction(2), "v": Fraction(3)}, "b": {"u": Fraction(1)}}
    >>> tables = tables_of_keys(counts, Noise.geometric("1/2"), Fraction(3))
    >>> output_of(tables, {"v": 9}), output_of({}, {"v": 9})
    ('-,>=4', '-')
    """
    shown = [(table, drawn.get(key)) for key, table in tables.items()]
    if not shown:
        return HIDDEN
    if len(shown) == 1 and isinstance(shown[0][0], PartialTable):
        return HIDDEN if shown[0][1] is None else shown[0][1]
    names = (HIDDEN if number is None else cell_of(table.outputs, number) for table, number in shown)
    return joined([tuple(names)])[0]


def cell_of(outputs: Iterable[str], number: int) -> str:
    """Return the output that an integer is in: itself, or such as "4..7" or ">=8".

    >>> [cell_of(["-", "3", "4..7", ">=8"], number) for number in (3, 5, 9, 1)]
    ['3', '4..7', '>=8', '1']
    """
    for output in outputs:
        if found := _SEVERAL.fullmatch(output):
            least, first, last = (None if each is None else int(each) for each in found.groups())
            if least is not None and number >= least:
                return output
            if first is not None and last is not None and first <= number <= last:
                return output
    return str(number)
