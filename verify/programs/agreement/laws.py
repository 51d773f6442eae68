"""What the outputs of every database should look like by a reading, and how draws are sorted."""

import importlib
import math
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise, product
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel, joined
from pufferproof.models.errors import ModelError
from pufferproof.models.mechanisms.library import Bounds, Named
from pufferproof.models.noise.additive import AdditiveNoise, Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.noise.tables.densities import NUMBER
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable, row_of
from pufferproof.models.noise.tables.shaped import cell_of
from pufferproof.models.numbers.enclosures import ball, least
from pufferproof.models.numbers.exponential_sums import ExponentialSum
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.pieces import Piecewise, fraction, rational
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.programs.agreement.cells import BITS, Asked, Cells, asked, max_zero

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

# Outputs that another library's object draws, many at a time, and the labels that they have.
#
# OpenDP draws from the operating system and takes no seed; a composition of a measurement with itself returns many of
# its outputs in one call. An object of diffprivlib is copied with its generator, so that the generator of the caller
# stays where it is. SciPy gets a generator of its own.

Source = Any  # an object of another library, what it takes and what it gives
Draws = Callable[[int], Sequence[Source]]
NOTHING = object()  # the argument of an object that holds its own
_TOGETHER = 100  # outputs of a composition


class Sampling:
    """Draws that are independent of each other: one generator, or copy, for all databases."""

    def __init__(self) -> None:
        import numpy as np

        self.generator = np.random.default_rng(0)
        self._copies: dict[int, tuple[object, object]] = {}

    def draws_of(self, source: Source, argument: object) -> Draws:
        """Return the function count -> outputs of an object on an argument.

        Raises `ModelError` unless it is of a library whose objects draw.
        """
        library = type(source).__module__.partition(".")[0]
        if library not in _DRAWN:
            raise ModelError(
                f"has no draws to compare, found {shown(source)}: expected an object of {', '.join(_DRAWN)}",
                "mechanism",
            )
        return _DRAWN[library](self, source, argument)

    def copy_of(self, source: Source) -> Source:
        """Return the one copy of an object, or the object if its generator has no state."""
        if id(source) not in self._copies:
            try:
                copy = deepcopy(source)
            except NotImplementedError:  # a generator of the operating system
                copy = source
            self._copies[id(source)] = source, copy
        return self._copies[id(source)][1]


def takes_list(source: object) -> bool:
    """Whether an object takes a list of records."""
    return str(getattr(source, "input_carrier_type", "")).startswith("Vec<")


def handed(source: object, value: str | Fraction) -> object:
    """Return the text of a record, or a number, as the object takes it."""
    kind = str(getattr(source, "input_carrier_type", ""))
    kind = kind.removeprefix("Vec<").removesuffix(">")
    if kind == "bool":
        return str(value) in ("1", "True")
    if kind in ("", "String"):
        if isinstance(value, str):
            return value
        return value.numerator if value.denominator == 1 else float(value)
    number = Fraction(value)
    return float(number) if kind.startswith("f") else number.numerator


def expect_no_dict(output: object) -> None:
    """Raise `ModelError` for an output that is a dict, which has no label."""
    if isinstance(output, dict):
        raise ModelError(
            "draws that are dicts of keys are compared with what as_mechanism read of their own object alone", "reading"
        )


def label_of(output: object, known: Collection[str]) -> str:
    """Return the label of an output: that of the law if one of its texts is a label there.

    >>> label_of(True, {"0", "1"}), label_of(2.0, {"2"}), label_of(["a", 1], {"a,1"})
    ('1', '2', 'a,1')
    """
    expect_no_dict(output)
    return next((text for text in _texts(output) if text in known), str(output))


def _texts(output: object) -> Iterator[str]:
    if hasattr(output, "tolist"):
        output = output.tolist()
    if isinstance(output, bool):
        yield str(int(output))
    if isinstance(output, float) and output == output and abs(output) != float("inf"):
        yield text_of(Fraction(output))
    if isinstance(output, bytes):
        yield output.hex()
    if isinstance(output, list | tuple):
        parts = [next(_texts(each)) for each in output]
        yield separator(parts).join(parts)
        yield joined([tuple(parts)])[0]
    yield str(output)


def _of_opendp(sampling: Sampling, measurement: Source, argument: Source) -> Draws:
    together: Source = None
    combinators = importlib.import_module("opendp.combinators")
    if hasattr(combinators, "make_composition"):
        try:
            together = combinators.make_composition([measurement] * _TOGETHER)
            together(argument)
        except Exception:  # of several kinds: no composition of its privacy measure
            together = None

    def draw(count: int) -> list[object]:
        found: list[object] = []
        while together is not None and count - len(found) >= _TOGETHER:
            found += together(argument)
        return found + [measurement(argument) for _ in range(count - len(found))]

    return draw


def _of_diffprivlib(sampling: Sampling, mechanism: object, argument: object) -> Draws:
    own = sampling.copy_of(mechanism)
    given: Sequence[object] = () if argument is NOTHING else (argument,)
    return lambda count: [own.randomise(*given) for _ in range(count)]


def _of_tumult(sampling: Sampling, measurement: Source, argument: Source) -> Draws:
    whole = type(measurement).__name__ in ("AddDiscreteGaussianNoise", "AddGeometricNoise")
    value = int(argument) if whole else float(argument)
    return lambda count: [measurement(value) for _ in range(count)]


def _of_scipy(sampling: Sampling, distribution: Source, argument: Source) -> Draws:
    start = 0 if argument is NOTHING else argument

    def draw(count: int) -> list[object]:
        values: Source = start + distribution.rvs(size=count, random_state=sampling.generator)
        return list(values.tolist())

    return draw


_DRAWN: dict[str, Callable[[Sampling, Source, Source], Draws]] = {
    "diffprivlib": _of_diffprivlib,
    "opendp": _of_opendp,
    **dict.fromkeys(
        ("pipeline_dp", "pydp"),  # of Google: noise on integers is rounded
        lambda _, mechanism, argument: lambda count: [mechanism.add_noise(float(argument)) for _ in range(count)],
    ),
    "scipy": _of_scipy,
    "snsql": lambda _, mechanism, argument: lambda count: list(mechanism.release([argument] * count)),
    "tmlt": _of_tumult,
}


# Draws of tables in which some output is a number with a density: other outputs by their labels, numbers in cells
# between quantiles, whose probabilities are exact integrals.
#
# Where some of a table is left, which may be at any output, every cell has it added: bets against more than the
# probability of a cell win no more on average.

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
        bins = list(pairwise([-math.inf, *self.edges, math.inf])) if self.quantiles else []
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

    def others(self) -> "dict[str, NDArray[np.float64]]":
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

    def sort(self, outputs: Sequence[Source]) -> "tuple[NDArray[np.int64], list[Source]]":
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
        for output, count in Counter(map(_plain_of_densities, outputs)).items():
            place = self._place(output)
            if place is None or not self._possible[place]:
                return counts, [output]
            counts[place] += count
        return counts, []

    def _folded(self, number: float) -> float:
        assert self.quantiles is not None
        assert self.step is not None
        low, high = self.quantiles.low + self.step, self.quantiles.high - self.step
        if number > high:
            return high + (number - high) % self.step
        return low - (low - number) % self.step if number < low else number

    def _place(self, output: Source) -> int | None:
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


def _plain_of_densities(output: object) -> object:
    found = output.tolist() if hasattr(output, "tolist") else output
    expect_no_dict(found)
    return str(found) if isinstance(found, list) else found


def _ball(value: ExponentialSum) -> "arb":
    from flint import arb

    return value.ball() if value.terms else arb(0)


def mass_of(density: Piecewise, low: float, high: float) -> "arb":
    """Enclose the integral of a density between two floats."""
    ends = [rational(Fraction(end)) if math.isfinite(end) else None for end in (low, high)]
    return _ball(density.clipped(*ends).total())


def between(low: float, high: float) -> str:
    """Name an interval."""
    if low == -math.inf:
        return f"below {high:.6g}" if high < math.inf else NUMBER
    return f"{low:.6g} or more" if high == math.inf else f"{low:.6g} to {high:.6g}"


Table = Channel | PowerTable | PartialTable
Clamped = Sequence[Bounds | None]  # of the queries that are released together
_MOST = 16  # databases that are drawn from
_LISTED = 4096  # databases of records that are listed


@dataclass(frozen=True)
class Coordinate:
    """Noise on a value, clamped at bounds if there are any."""

    noise: Noise
    value: Fraction
    within: Bounds | None = None


@dataclass(frozen=True)
class Case:
    """One database: the argument of the object, and the law of its output: listed cells, noise on
    numbers, or a number with a density.
    """

    label: str
    source: Source
    argument: object
    cells: Cells | None = None
    outputs: Sequence[str] = ()
    coordinates: Sequence[Coordinate] = ()
    drawn: DensityLaw | None = None
    each: bool = field(default=False)  # the object gets the parts of the argument one by one
    named: Named | None = None  # which output a draw is part of
    draws: Draws | None = None  # count -> outputs, where no object of a library draws them


def spread(labels: Sequence[str], key: Callable[[str], object]) -> list[str]:
    """Return some labels of different keys, the first and the last one among them."""
    distinct = list({key(label): label for label in labels}.values())
    if len(distinct) <= _MOST:
        return distinct
    return [distinct[place * (len(distinct) - 1) // (_MOST - 1)] for place in range(_MOST)]


def listed(
    label: str, source: Source, argument: object, form: Table, row: str, each: bool = False, named: Named | None = None
) -> Case:
    """Return the case of a row of a table."""
    if isinstance(form, PartialTable):
        if isinstance(form, NormalTable) and not form.rounded:
            raise ModelError(
                "draws are not compared with a density of Gaussian noise beside an atom: check "
                "noise of the same sigma without a threshold",
                "check",
            )
        staircase = type(source).__name__ == "Staircase"  # of diffprivlib
        law = DensityLaw(form, row, float(source.sensitivity) if staircase else None)
        return Case(label, source, argument, drawn=law, each=each, named=named)
    return Case(label, source, argument, _row(form, row), form.outputs, each=each, named=named)


def of_local(form: LocalMechanism, source: object, handed: Callable[[str], object]) -> list[Case]:
    """Return a case for every value of a record."""
    rows = form.records[0]
    return [
        Case(f"record {value}", source, handed(value), _cells(form.outputs, row), form.outputs)
        for value, row in zip(form.alphabet, rows)
    ]


def coordinates_of(form: object, label: str, records: Records | None, clamped: Clamped) -> tuple[Coordinate, ...]:
    """Return the noise and the value of every coordinate of a noisy query on a database."""
    if isinstance(form, NoisyQueries):
        bounds = clamped or [None] * len(form.queries)
        return tuple(
            coordinate
            for query, within in zip(form.queries, bounds, strict=True)
            for coordinate in coordinates_of(query, label, records, [within])
        )
    within = clamped[0] if clamped else None
    if isinstance(form, AdditiveNoise):
        if label not in form.values:
            raise ModelError(f'the law has no value for "{label}"', "inputs")
        return tuple(Coordinate(form.noise, value, within) for value in form.values[label])
    if isinstance(form, RecordQuery) and records is not None:
        values = values_of(form.query, label, records)
        return tuple(Coordinate(form.noise, value, within) for value in values)
    raise ModelError(
        f"draws are not compared with a {type(form).__name__}: expected noise on a query, or a table of probabilities",
        "mechanism",
    )


def values_of(query: str, label: str, records: Records) -> list[Fraction]:
    """Return a built-in query of a database by its definition."""
    values = split(label, records)
    if query == "histogram":
        return [Fraction(values.count(value)) for value in records.alphabet]
    total = sum((parse_number(value) for value in values), Fraction(0))
    return [total / records.count if query == "mean" else total]


def split(label: str, records: Records) -> list[str]:
    """Return the values of the records of a database."""
    if len(label) == records.count and all(len(value) == 1 for value in records.alphabet):
        return list(label)
    return label.split(",")


def databases_of(records: Records) -> list[str]:
    """Return the databases of records, if these are many only those of one or two values, in
    halves.
    """
    if len(records.alphabet) ** min(records.count, 64) <= _LISTED:
        return list(records.labels())
    between = "" if all(len(value) == 1 for value in records.alphabet) else ","
    half = records.count // 2
    return [
        between.join([one] * half + [other] * (records.count - half))
        for one, other in product(records.alphabet, repeat=2)
    ]


def _row(form: Channel | PowerTable, label: str) -> Cells:
    from flint import ctx

    if isinstance(form, Channel):
        return _cells(form.outputs, [form.probability(label, each) for each in form.outputs])
    place = row_of(form, label)
    with ctx.workprec(BITS):
        whole = form.totals[place].ball()
        chances = [each.ball() / whole if each.terms else ball(0) for each in form.entries[place]]
    return Cells(chances, form.outputs, _numbers(form.outputs))


def _cells(outputs: Sequence[str], chances: Sequence[Fraction]) -> Cells:
    from flint import ctx

    with ctx.workprec(BITS):
        return Cells([ball(each) for each in chances], outputs, _numbers(outputs))


def _numbers(outputs: Sequence[str]) -> list[int | None]:
    return [int(each) if each.lstrip("-").isdecimal() else None for each in outputs]
