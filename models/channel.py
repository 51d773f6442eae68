"""Mechanisms as channels: exact row-stochastic matrices, and their joint release.

`rows[x][y] = P(output y | database x)`. A channel stores integer numerators with one denominator
per row, so that the vectorised float pass and the exact arithmetic read the same data:

- `int64` when every numerator fits,
- `float64` for matrices of binary floats (their values times `scales[x]` are the integer
  numerators: exact, and no larger than the matrix they came from),
- Python integers otherwise.

Of few integers the array is made when it is asked for: lists cost less.
"""

import json
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations_with_replacement, islice
from math import comb, lcm
from typing import TYPE_CHECKING, Any, ClassVar

from pufferproof.models.errors import ModelError, SumError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact, integers_of, over_common
from pufferproof.models.numbers.means import binary_scales, row_shares, scaled, scaled_integers, scaled_sums
from pufferproof.models.numbers.text import brief, shown, sum_text
from pufferproof.models.priors.records import preview

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table as RichTable

    Array = NDArray[Any]

MAX_ENTRIES = 5_000_000
MAX_BITS = 4_000_000_000
FEW_ENTRIES = 1024  # of a channel, which lists hold
MAX_RUNS = 100_000  # labels name every output, and powers are exact
_INT64 = 2**63 - 1
RELEASE_SEPARATOR = ","
_ROWS, _OUTPUTS = Mapping[str, Mapping[str, Any] | Sequence[Any]], Sequence[str] | None  # kinds, made once


class Rows(list[list[int]]):
    """The numerators of a channel of few entries, row by row."""


@dataclass(frozen=True, eq=False)
class Channel:
    """A mechanism with finitely many outputs: P(y | x) = numerator(x, y) / denominators[x].

    Build one with `Channel.of` (labelled rows) or `Channel.from_array` (a matrix). Of a joint
    release, `releases` has the outputs of every mechanism and how often it was run.

    >>> Channel.of({"0": {"u": "3/4", "v": "1/4"}, "1": {"u": "1/4", "v": "3/4"}})
    Channel(2 databases, 2 outputs)
    """

    made_by: ClassVar = {
        **dict.fromkeys(("diffprivlib", "opendp", "pandas", "scipy"), "as_mechanism reads it"),
        "dict": "Channel.of makes one of rows",
        "ndarray": "Channel.from_array makes one of a matrix",
        "function": "Channel.of makes one of rows; estimate draws from a function",
        "str": "read_mechanism reads a file",
        "Path": "read_mechanism reads a file",
    }

    databases: tuple[str, ...]
    outputs: tuple[str, ...]
    held: "Array | Rows" = field(repr=False)
    denominators: tuple[int, ...] = field(repr=False)
    scales: tuple[int, ...] | None = field(default=None, repr=False)
    normalized: bool = False
    releases: tuple[tuple[tuple[str, ...], int], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if type(self.held) is not Rows and not hasattr(self.held, "dtype"):
            raise ModelError("expected Channel.of for rows, or Channel.from_array for a matrix", "channel")

    @classmethod
    def of(
        cls,
        rows: Mapping[str, Mapping[str, Any] | Sequence[Any]],
        outputs: Sequence[str] | None = None,
        normalize: bool = False,
    ) -> "Channel":
        """Build a channel from one row per database, each a list in the order of `outputs` or a
        dict by output.

        With dict rows, `outputs` defaults to all keys in order of first appearance and a missing
        output has probability 0. `normalize` divides every row by its sum.

        Raises `ModelError` unless entries are non-negative and every row sums to exactly 1 (a
        positive sum if normalizing).
        """
        rows = check_type(rows, _ROWS, "rows")
        outputs = check_type(outputs, _OUTPUTS, "outputs")
        normalize = check_type(normalize, bool, "normalize")
        if outputs is None:
            if not all(isinstance(row, Mapping) for row in rows.values()):
                raise ModelError("rows given as lists need the names of the outputs", "outputs")
            outputs = list(dict.fromkeys(output for row in rows.values() for output in row))
        names = _distinct_outputs(outputs)
        integers, denominators = [], []
        for label, row in rows.items():
            entries = _entries(label, row, names)
            numbers, scale = integers_of(entries) or over_common(_values(label, entries, names))
            integers.append(numbers)
            if (least := min(numbers)) < 0:
                raise ModelError(
                    f"expected non-negative entries, found {brief(Fraction(least, scale))}", f'channel row "{label}"'
                )
            denominators.append(_denominator(label, sum(numbers), scale, normalize))
        if not integers:
            raise ModelError("expected a row for every database, found none", "channel")
        if len(integers) * len(names) <= FEW_ENTRIES:
            return cls(tuple(rows), names, Rows(integers), tuple(denominators), None, normalize)
        return cls.of_integers(tuple(rows), names, integers, denominators, normalized=normalize)

    @classmethod
    def by_value(
        cls, values: Mapping[str, Hashable], row: Callable[[Any], Sequence[object]], outputs: Sequence[str]
    ) -> "Channel":
        """Build a channel whose rows depend on a value of the database: one row for each value.

        >>> parity = {"00": 0, "01": 1, "10": 1, "11": 0}
        >>> rows = {0: ["3/4", "1/4"], 1: ["1/4", "3/4"]}
        >>> Channel.by_value(parity, rows.get, ["even", "odd"]).probability("10", "odd")
        Fraction(3, 4)

        Raises `ModelError` as `of`.
        """
        values = check_type(values, Mapping[str, Hashable], "values")
        row = check_type(row, Callable[..., object], "row")
        outputs = check_type(outputs, Sequence[str], "outputs")
        first: dict[object, str] = {}
        for database, value in values.items():
            first.setdefault(value, database)
        few = cls.of({database: row(value) for value, database in first.items()}, outputs)
        chosen = [few.position[first[value]] for value in values.values()]
        denominators = tuple(few.denominators[i] for i in chosen)
        return cls(tuple(values), few.outputs, few.numerators[chosen], denominators)

    @classmethod
    def of_integers(
        cls,
        databases: Sequence[str],
        outputs: Sequence[str],
        numerators: Sequence[Sequence[int]],
        denominators: Sequence[int],
        normalized: bool = False,
    ) -> "Channel":
        """Build a channel from integer numerators and row denominators that are known to be
        consistent.
        """
        labels, names, totals = tuple(databases), tuple(outputs), tuple(denominators)
        if len(labels) * len(names) <= FEW_ENTRIES:
            rows: Array | Rows = Rows(list(map(int, row)) for row in numerators)
        else:
            rows = _integers(numerators, totals, (len(labels), len(names)))
        return cls(labels, names, rows, totals, None, normalized)

    @classmethod
    def from_array(
        cls,
        matrix: "Array | Sequence[Sequence[object]]",
        databases: Sequence[str],
        outputs: Sequence[str] | None = None,
        normalize: bool = False,
    ) -> "Channel":
        """Build a channel from a matrix, an array or a list of rows: floats stand for their exact
        binary values, so most need `normalize`.

        Outputs default to "0", "1", ... Raises `ModelError` as `of`, and unless the shape fits the
        labels.
        """
        databases = check_type(databases, Sequence[str], "databases")
        outputs = check_type(outputs, Sequence[str] | None, "outputs")
        normalize = check_type(normalize, bool, "normalize")
        import numpy as np

        if not isinstance(matrix, np.ndarray):
            try:
                array = np.asarray(matrix)
            except ValueError:  # rows of several lengths
                raise ModelError(f"expected rows of one length, found {shown(matrix)}", "channel") from None
            matrix = array if array.dtype.kind in "fiu" else np.array(matrix, dtype=object)
        if len(matrix.shape) != 2 or matrix.shape[0] != len(databases) or 0 in matrix.shape:
            raise ModelError(f"expected a matrix with {len(databases)} rows, found shape {matrix.shape}", "channel")
        names = _distinct_outputs(outputs if outputs is not None else list(map(str, range(matrix.shape[1]))))
        if len(names) != matrix.shape[1]:
            raise ModelError(f"expected {matrix.shape[1]} outputs, one per column, found {len(names)}", "outputs")
        labels = tuple(databases)
        if len(set(labels)) < len(labels):
            raise ModelError("a database occurs twice", "channel")
        if matrix.dtype.kind in "iu" and (sums := _sums_of_integers(matrix, normalize)):
            return cls(labels, names, matrix.astype(np.int64), sums, None, normalize)
        if matrix.dtype.kind != "f" or matrix.dtype.itemsize > 8:
            return cls.of(dict(zip(labels, matrix.tolist())), names, normalize)
        values = np.array(matrix, dtype=np.float64)
        values.setflags(write=False)
        scales = _scales_of_floats(values, labels)
        sums_of_scaled = zip(labels, scaled_sums(values, scales), scales)
        denominators = tuple(_denominator(label, total, scale, normalize) for label, total, scale in sums_of_scaled)
        return cls(labels, names, values, denominators, scales, normalize)

    @cached_property
    def numerators(self) -> "Array":
        """The numerators as an array; of floats what is made integers by `scales`."""
        if not isinstance(self.held, Rows):
            return self.held
        return _integers(self.held, self.denominators, (len(self.databases), len(self.outputs)))

    def numerator(self, database: int, output: int) -> int:
        """Return the integer numerator of P(output | database)."""
        value = self.held[database][output]
        return int(value) if self.scales is None else scaled(float(value), self.scales[database])

    def numerators_of(self, database: int) -> list[int]:
        """Return the integer numerators of one row."""
        row: Any = self.held[database]
        if isinstance(row, list):
            return list(row)
        if self.scales is None:
            values: list[int] = row.tolist()
            return values if row.dtype.kind in "iu" else [int(value) for value in values]
        return scaled_integers(row, self.scales[database])

    def numerators_at(self, databases: Sequence[int], output: int) -> list[int]:
        """Return the numerators of an output for some databases, not made integers by `scales`."""
        if isinstance(self.held, Rows):
            return [self.held[x][output] for x in databases]
        column: list[int] = self.held[list(databases), output].tolist()
        return column

    def probability(self, database: str, output: str) -> Fraction:
        """Return P(output | database) exactly. Raises `ModelError` unless the channel has both."""
        database = check_type(database, str, "database")
        output = check_type(output, str, "output")
        try:
            row, column = self.position[database], self.outputs.index(output)
        except (KeyError, ValueError):
            unknown, known = ("output", self.outputs) if database in self.position else ("database", self.databases)
            label = output if unknown == "output" else database
            raise ModelError(f'unknown {unknown} "{label}", expected one of {preview(known)}', "channel") from None
        return Fraction(self.numerator(row, column), self.denominators[row])

    @cached_property
    def position(self) -> dict[str, int]:
        """The row index of every database."""
        return {label: index for index, label in enumerate(self.databases)}

    @cached_property
    def floats_approx(self) -> "NDArray[np.float64]":
        """The matrix in float64: each positive entry within a relative error of 4 * 2^-53
        unless it underflows.
        """
        import numpy as np

        if self.scales is not None:
            return row_shares(self.numerators, self.denominators, self.scales)
        if self.numerators.dtype == np.int64:
            return np.asarray(self.numerators / np.array(self.denominators, dtype=np.float64)[:, None])
        return np.array([[n / d for n in row] for row, d in zip(self.numerators, self.denominators)], dtype=np.float64)

    @cached_property
    def positive(self) -> "NDArray[np.bool_]":
        """Where P(y | x) > 0, exactly."""
        import numpy as np

        return np.asarray(self.numerators > 0, dtype=np.bool_)

    @cached_property
    def least_positive_approx(self) -> float:
        """The smallest entry of `floats_approx` where P(y | x) > 0: zero or denormal where an
        entry underflowed.
        """
        least = float(self.floats_approx.min(initial=1.0))  # positive where every entry is
        return least or float(self.floats_approx.min(where=self.positive, initial=1.0))

    def aligned(self, databases: Sequence[str], needed: frozenset[int]) -> "Channel":
        """Return the channel with its rows in the order of `databases`.

        A database outside `needed` (indices into `databases`) may have no row: it gets the first
        row, which nothing reads. Raises `ModelError` when a needed row is missing or a row names an
        unknown database.
        """
        if self.databases == tuple(databases):
            return self
        labels = set(databases)
        for label in self.databases:
            if label not in labels:
                raise ModelError(f'unknown database "{label}", expected one of {preview(databases)}', "channel")
        for index, label in enumerate(databases):
            if label not in self.position and index in needed:
                raise ModelError(f'no row for database "{label}", which has positive probability', "channel")
        order = [self.position.get(label, 0) for label in databases]
        scales = None if self.scales is None else tuple(self.scales[index] for index in order)
        denominators = tuple(self.denominators[index] for index in order)
        rows = Rows(map(self.held.__getitem__, order)) if isinstance(self.held, Rows) else None
        return Channel(
            tuple(databases),
            self.outputs,
            self.numerators[order] if rows is None else rows,
            denominators,
            scales,
            self.normalized,
            self.releases,
        )

    def followed_by(self, then: Mapping[str, "Channel"]) -> "Channel":
        """Return the release of this mechanism and of `then[y]`, chosen by its output y: see
        `adaptive_compose`.
        """
        followers = []
        for output in self.outputs:
            if output not in then:
                raise ModelError(f'no mechanism to follow output "{output}"', "adaptive_compose")
            same_databases(self, then[output])
            followers.append(then[output].aligned(self.databases, frozenset(range(len(self.databases)))))
        outputs = joined(
            [(output, after) for output, follower in zip(self.outputs, followers) for after in follower.outputs]
        )
        limit_entries(len(self.databases), len(outputs))
        numerators, denominators = [], []
        for x in range(len(self.databases)):
            head = self.numerators_of(x)
            rows = {id(follower): follower.numerators_of(x) for follower in followers}
            common = lcm(*{follower.denominators[x] for follower in followers})
            numerators.append(
                [
                    start * after * (common // follower.denominators[x])
                    for start, follower in zip(head, followers)
                    for after in rows[id(follower)]
                ]
            )
            denominators.append(self.denominators[x] * common)
        return Channel.of_integers(self.databases, outputs, numerators, denominators)

    def beside(self, *others: "Channel") -> "Channel":
        """Return the joint release of this mechanism and independent others on the same database.

        P(y_1, .., y_k | x) = prod_i P_i(y_i | x); outputs are labelled `y_1,..,y_k`, the last
        changing fastest.

        >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
        >>> coin.beside(coin).probability("a", "u,v")
        Fraction(3, 16)

        Raises `ModelError` unless all have the same databases (in any order).
        """
        others = tuple(check_type(each, Channel, "others") for each in others)
        joint = self
        for other in others:
            joint = joint.followed_by(dict.fromkeys(joint.outputs, other))
        together = [run for channel in (self, *others) for run in (channel.releases or ((channel.outputs, 1),))]
        return replace(joint, releases=tuple(together))

    def parts(self, output: str) -> tuple[str, ...]:
        """Return what every release showed, given an output of a joint one.

        >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
        >>> from pufferproof import repeat
        >>> repeat(coin, 2).beside(coin).parts("u,v,u")
        ('u', 'v', 'u')
        """
        position = self.outputs.index(output)
        shown: list[str] = []
        for outputs, runs in reversed(self.releases or ((self.outputs, 1),)):
            position, place = divmod(position, comb(len(outputs) + runs - 1, runs))
            shown[:0] = next(islice(combinations_with_replacement(outputs, runs), place, None))
        return tuple(shown)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Channel) or self.databases != other.databases or self.outputs != other.outputs:
            return False
        return all(
            mine * other.denominators[row] == theirs * self.denominators[row]
            for row in range(len(self.databases))
            for mine, theirs in zip(self.numerators_of(row), other.numerators_of(row))
        )

    def __hash__(self) -> int:
        return hash((self.databases, self.outputs))

    def __repr__(self) -> str:
        return f"Channel({len(self.databases)} databases, {len(self.outputs)} outputs)"

    def __rich__(self) -> "RichTable":
        """Show the matrix (its first 20 rows and 12 columns)."""
        from rich.table import Table as RichTable

        view = RichTable(title=repr(self))
        view.add_column("database")
        shown = self.outputs[:12]
        for output in shown:
            view.add_column(output, justify="right")
        for row, label in enumerate(self.databases[:20]):
            numbers = self.numerators_of(row)[: len(shown)]
            view.add_row(label, *(brief(Fraction(number, self.denominators[row]), 12) for number in numbers))
        return view


def joined(releases: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Label joint outputs by joining theirs with a comma, or as JSON lists where commas inside
    labels make two alike.
    """
    labels = tuple(RELEASE_SEPARATOR.join(release) for release in releases)
    return labels if len(set(labels)) == len(labels) else tuple(json.dumps(release) for release in releases)


def limit_entries(databases: int, outputs: int) -> None:
    if databases * outputs > MAX_ENTRIES:
        raise ModelError(
            f"a joint release with {outputs} outputs on {databases} databases: expected at most {MAX_ENTRIES} entries"
        )


def same_databases(first: Channel, other: Channel) -> None:
    if first.databases != other.databases and set(first.databases) != set(other.databases):
        raise ModelError("expected mechanisms on the same databases")


def _integers(rows: Sequence[Sequence[int]], denominators: Sequence[int], shape: tuple[int, int]) -> "Array":
    """Return rows as an array: of 64 bits where every numerator fits, of Python integers else."""
    import numpy as np

    if max(denominators, default=0) <= _INT64:
        return np.array(rows, np.int64)
    matrix = np.empty(shape, dtype=object)
    for index, row in enumerate(rows):
        matrix[index, :] = row
    return matrix


def _distinct_outputs(outputs: Sequence[str]) -> tuple[str, ...]:
    if not outputs:
        raise ModelError("expected at least one output, found none", "outputs")
    names = tuple(outputs)
    if len(set(names)) < len(names):
        twice = next(output for place, output in enumerate(names) if output in names[:place])
        raise ModelError(f'output "{twice}" occurs twice', "outputs")
    return names


def _entries(label: str, row: Mapping[str, object] | Sequence[object], outputs: Sequence[str]) -> list[object]:
    if not isinstance(row, list) and isinstance(row, Mapping):
        if not row.keys() <= (names := set(outputs)):
            output = next(output for output in row if output not in names)
            raise ModelError(f'unknown output "{output}", expected one of {preview(outputs)}', f'channel row "{label}"')
        entries = [row.get(output, 0) for output in outputs]
    else:
        entries = list(row)
    if len(entries) != len(outputs):
        raise ModelError(
            f"expected {len(outputs)} entries, one per output, found {len(entries)}", f'channel row "{label}"'
        )
    return entries


def _values(label: str, entries: Sequence[object], outputs: Sequence[str]) -> list[Fraction]:
    where, values = f'channel row "{label}"', []
    for output, entry in zip(outputs, entries):
        try:
            values.append(exact(entry))
        except ModelError as error:
            raise error.within(f'{where}, output "{output}"') from None
    return values


def _denominator(label: str, total: int, scale: int, normalize: bool) -> int:
    """Return the denominator of a row whose entries over `scale` have this sum."""
    if normalize and total > 0:
        return total
    if total != scale:
        where = f'channel row "{label}"'
        mass = Fraction(total, scale)
        if normalize:
            raise ModelError(f"sums to {brief(mass)}, expected a positive sum", where)
        raise SumError(f"sums to {sum_text(mass)}, expected 1", where)
    return scale


def _scales_of_floats(values: "NDArray[np.float64]", labels: tuple[str, ...]) -> tuple[int, ...]:
    """Return what makes rows of floats integers. Raises `ModelError` for what is no probability."""
    import numpy as np

    if not (values.min() >= 0 and values.max() < np.inf):  # a NaN is neither
        row, column = np.argwhere(~(np.isfinite(values) & (values >= 0)))[0]
        raise ModelError(
            f"expected a finite probability, found {values[row, column]}", f'channel row "{labels[row]}"[{column}]'
        )
    return binary_scales(values)


def _sums_of_integers(matrix: "Array", normalize: bool) -> tuple[int, ...] | None:
    """Return the sums of integer rows, or None unless all are or become laws of 64 bits."""
    import numpy as np

    if int(matrix.min()) < 0:
        return None
    if int(matrix.max()) * matrix.shape[1] <= _INT64:
        sums = tuple(matrix.sum(axis=1, dtype=np.int64).tolist())
    else:
        halves = [matrix.astype(np.uint64) >> 32, matrix.astype(np.uint64) & 0xFFFFFFFF]
        high, low = (half.sum(axis=1).tolist() for half in halves)
        sums = tuple((above << 32) + below for above, below in zip(high, low))
    fits = 0 < min(sums) and max(sums) <= _INT64
    return sums if fits and (normalize or set(sums) == {1}) else None
