"""Noisy queries on sequences of any length: a sum, mean or histogram of all records or of a
segment, never enumerated.

A query adds something for every record of its segment, which depends on that record's value alone,
so that its law along a chain follows from one polynomial per value
(`pufferproof.verify.noise.laws.of_records`). To that end what a record adds is an integer: several
coordinates, and several releases, are digits of one integer to bases that no digit can reach.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise, product
from typing import ClassVar

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import hold, hold_checked
from pufferproof.models.noise.additive import AdditiveNoise, Noise, Vector, value_weights
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.proportions import common_step
from pufferproof.models.numbers.text import did_you_mean, shown, text_of
from pufferproof.models.priors.records import Records, preview


@dataclass(frozen=True)
class RecordQuery:
    """A built-in query, "sum", "mean" or "histogram", of the records of a segment, with noise on
    every coordinate.

    Args:
        query: "sum" or "mean" of the values read as numbers, "histogram" of how often each value
            occurs, or "count" of how often the value `counted` does.
        noise: the law of the noise of each coordinate.
        records: the space of sequences.
        segment: first and last record of the segment, from 1; all records if None.
        of: instead of a segment the records of which "count" counts, by name or number. Unless they
            follow one another, priors are Bayesian networks, or databases can be listed.

    >>> RecordQuery("sum", Noise.laplace(1), Records(10, ("0", "2")), (3, 5)).vector((4,))
    (Fraction(8, 1),)

    Raises `ModelError` unless the query is known, values are numbers where needed, and the segment
    lies in the sequence.
    """

    taken_by: ClassVar = {"Channel": "audit, assert_pufferfish and compose take queries with noise"}

    query: str
    noise: Noise
    records: Records
    segment: tuple[int, int] | None = None
    counted: str | None = None
    of: tuple[int | str, ...] | None = None

    def __post_init__(self) -> None:
        kinds: dict[str, object] = {"query": str, "noise": Noise, "records": Records}
        kinds |= {"segment": tuple[int, int] | None, "counted": str | None, "of": tuple[int | str, ...] | None}
        hold_checked(self, kinds)
        self._take_chosen()
        if (self.query == "count") != (self.counted is not None):
            raise ModelError('expected a value beside "count", and beside no other query', "counted")
        if self.counted is not None and self.counted not in self.records.alphabet:
            alphabet = preview(self.records.alphabet)
            hint = did_you_mean(self.counted, self.records.alphabet)
            raise ModelError(f"expected one of {alphabet}, found {shown(self.counted)}{hint}", "counted")
        if self.query not in ("histogram", "count"):
            value_weights(self.query, self.records)
        ends = (1, self.records.count) if self.segment is None else tuple(self.segment)
        if len(ends) != 2 or not 1 <= ends[0] <= ends[1] <= self.records.count:
            wanted = f"expected 1 <= first <= last <= {self.records.count}"
            found_ends = " to ".join(map(str, ends))
            raise ModelError(f"{wanted}, found {found_ends}", "segment")
        if self.noise.on_integers and self.query != "histogram":
            # all values of the query are this plus multiples of the grain
            least = self.size * self.least
            fractional = next((w for w in (least, self.grain) if w.denominator != 1), None)
            if fractional is not None:
                raise ModelError(f"{self.noise.kind} noise needs integers, found {text_of(fractional)}", "query")

    def _take_chosen(self) -> None:
        """Hold chosen records by their numbers, in order; those of a segment as a segment."""
        if self.of is None:
            return
        if self.query != "count" or self.segment is not None:
            found = "a segment" if self.query == "count" else f'"{self.query}"'
            raise ModelError(f'expected {{"count": VALUE}} beside chosen records, found {found}', "of")
        if not self.of:
            raise ModelError("expected at least one record, found none", "of")
        numbers = sorted(self.records.number(record, "of") for record in self.of)
        if twice := next((a for a, b in pairwise(numbers) if a == b), None):
            raise ModelError(f"{self.records.called(twice)} occurs twice", "of")
        for record in numbers:
            self.records.expect_number(record, "of")
        if not any(self.counted in self.records.own(record) for record in numbers):
            known = dict.fromkeys(value for each in numbers for value in self.records.own(each))
            raise ModelError(
                f"no chosen record has value {shown(self.counted)}, they have "
                f"{preview(list(known))}{did_you_mean(str(self.counted), known)}",
                "counted",
            )
        first, last = numbers[0], numbers[-1]
        together = last - first + 1 == len(numbers)
        hold(self, segment=(first, last) if together else None, of=None if together else tuple(numbers))

    @property
    def ends(self) -> tuple[int, int]:
        """The first and last record of the segment.

        Raises `ModelError` of chosen records that do not follow one another.
        """
        if self.of is not None:
            raise ModelError(
                "records that do not follow one another are counted under Bayesian networks alone, "
                "or where databases can be listed: expected these, or records in a row",
                "query.of",
            )
        return self.segment or (1, self.records.count)

    def expect_of(self, records: Records | None) -> None:
        """Raise `ModelError` unless the query is about these records."""
        if self.records != records:
            wanted = "a list of databases" if records is None else _said(records)
            raise ModelError(
                f"expected a query of the framework's records ({wanted}), found one of {_said(self.records)}", "query"
            )

    @property
    def asked(self) -> tuple[str, str | None, tuple[int | str, ...]]:
        """What is asked, without the noise: equal for releases of one query."""
        chosen = self.ends if self.of is None else (0, *self.of)  # no segment begins at 0
        return self.query, self.counted, chosen

    @property
    def size(self) -> int:
        """The number of records in the segment, or of those chosen, of all people."""
        if self.of is not None:
            return self.records.people * len(self.of)
        first, last = self.ends
        return self.records.people * (last - first + 1)

    def covers(self, record: int) -> bool:
        """Whether a record, from 1, is in the segment, or chosen."""
        if self.of is not None:
            return record in self.of
        return self.segment is None or self.segment[0] <= record <= self.segment[1]

    @cached_property
    def _weights(self) -> list[Fraction]:
        if self.query == "count":
            return [Fraction(value == self.counted) for value in self.records.alphabet]
        weights = value_weights("sum", self.records)
        return [weight / self.size for weight in weights] if self.query == "mean" else weights

    @cached_property
    def least(self) -> Fraction:
        """The least that one record adds to a sum or mean."""
        return min(self._weights)

    @cached_property
    def grain(self) -> Fraction:
        """The greatest number of which all differences of weights are multiples, 1 if all are
        equal.
        """
        return common_step(weight - self.least for weight in self._weights) or Fraction(1)

    @property
    def digits(self) -> list[list[int]]:
        """What a record with each value adds, as integers: one row per counted coordinate.

        A sum is counted in units of `grain` above `size` times `least`; a histogram counts all
        values but the first.
        """
        if self.query == "histogram":
            values = range(len(self.records.alphabet))
            return [[int(x == counted) for x in values] for counted in values[1:]]
        return [[int((weight - self.least) / self.grain) for weight in self._weights]]

    def vector(self, counts: Sequence[int]) -> Vector:
        """Return the value of the query from its counted coordinates."""
        if self.query == "histogram":
            return tuple(Fraction(count) for count in (self.size - sum(counts), *counts))
        return (self.size * self.least + self.grain * counts[0],)

    @property
    def dimension(self) -> int:
        """The number of coordinates of the query."""
        return len(self.records.alphabet) if self.query == "histogram" else 1

    @property
    def alone(self) -> "RecordQuery":
        """The query of one person's records that differs from this one by what the others add, and
        by a factor that its noise has as well.
        """
        people = self.records.people
        scaled = self.query == "mean" and people > 1
        noise = self.noise.times(Fraction(people)) if scaled else self.noise
        return replace(self, records=self.records.alone, noise=noise)

    def written_out(self) -> AdditiveNoise:
        """Return the query as a table of all databases. Raises `ModelError` unless they can be
        listed.
        """
        labels, values = self.records.labels(), {}
        for label, row in zip(labels, product(range(len(self.records.alphabet)), repeat=self.records.count)):
            inside = [x for t, x in enumerate(row, 1) if self.covers(t)]
            values[label] = self.vector([sum(digit[x] for x in inside) for digit in self.digits])
        return AdditiveNoise(values, self.noise)


def _said(records: Records) -> str:
    people = "" if records.people == 1 else f" of each of {records.people} people"
    return f"{records.count}{people} with values {preview(records.alphabet)}"


def windows_of(
    count: int,
    first: int = 1,
    length: int | None = None,
    every: int | None = None,
    times: int = 1,
    where: str = "windows",
    hint: str = "",
) -> Iterator[tuple[int, int]]:
    """Yield the first and last record of every window: `times` windows of `length` records, by
    default `every`, or up to the last record; they begin at record `first`, `every` apart.

    >>> list(windows_of(10, first=2, every=4, times=2))
    [(2, 5), (6, 9)]

    Raises `ModelError` unless they lie in so many records.
    """
    length = every if length is None else length
    length = count - first + 1 if length is None else length
    every = length if every is None else every
    numbers = {"first": first, "length": length, "every": every, "times": times}
    for name, value in numbers.items():
        if value < 1:
            given = "every" if name == "length" and value == numbers["every"] else name
            raise ModelError(f"expected at least 1, found {shown(value)}", f"{where}.{given}")
    last = first + (times - 1) * every + length - 1
    if last > count:
        found = f"found one that ends at record {last}{hint and f' ({hint})'}"
        raise ModelError(f"expected windows within {count} records, {found}", where)
    for k in range(times):
        begin = first + k * every
        yield begin, begin + length - 1


# Queries with noise that are released together: one query whose coordinates are those of all.

Query = AdditiveNoise | RecordQuery


@dataclass(frozen=True)
class NoisyQueries:
    """Queries with noise, released together with independent noise; often only one.

    >>> from pufferproof.models.noise.additive import Noise
    >>> bit = NoisyQueries((AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2)),))
    >>> bit.beside(bit).parts("0,1")
    ('0', '1')
    """

    unnamed: ClassVar = True

    queries: tuple[Query, ...]

    def beside(self, *others: "NoisyQueries") -> "NoisyQueries":
        """Return the independent joint release."""
        return NoisyQueries(tuple(query for each in (self, *others) for query in each.queries))

    @property
    def alone(self) -> "NoisyQueries":
        """The queries of the records of one person."""
        return NoisyQueries(tuple(query.alone if isinstance(query, RecordQuery) else query for query in self.queries))

    def parts(self, output: str) -> tuple[str, ...]:
        """Return the output of every query, given the numbers of all."""
        numbers, shown = output.split(","), []
        for query in self.queries:
            shown.append(",".join(numbers[: query.dimension]))
            numbers = numbers[query.dimension :]
        return tuple(shown)


# Lipschitz constants: how much a query changes at most, in L1, when one record changes and the others stay.
#
# A mechanism published for 1-Lipschitz queries adds L times its noise. Source: wang2016, Definition 4.1 and the remark
# on rescaling; for vectors the L1 distance (Section 4.3). The histogram of all records has L = 2.


def lipschitz_of_records(query: RecordQuery) -> Fraction:
    """Return the constant of a sum, mean or histogram.

    >>> from pufferproof.models.noise.additive import Noise
    >>> lipschitz_of_records(RecordQuery("mean", Noise.laplace(1), Records(10, ("0", "5"))))
    Fraction(1, 2)
    """
    if query.query == "histogram":
        return Fraction(2 if len(query.records.alphabet) > 1 else 0)
    (row,) = query.digits
    return query.grain * max(row)


def lipschitz_of_table(query: AdditiveNoise, records: Records) -> Fraction:
    """Return the constant of a query given by the value of every database.

    Raises `ModelError` unless databases can be listed, and each has a value.
    """
    labels = records.labels()
    values: list[Vector] = []
    for label in labels:
        if label not in query.values:
            raise ModelError(f'expected a value for every database, found none for "{label}"', "query")
        values.append(query.values[label])
    size, largest, block = len(records.alphabet), Fraction(0), len(labels)
    for _ in range(records.count):
        block //= size
        for start in range(0, len(labels), block * size):
            for offset in range(start, start + block):
                largest = max(largest, spread(values[offset : offset + block * size : block]))
    return largest


def distance(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    """Return the L1 distance of two values.

    >>> distance([Fraction(0), Fraction(3)], [Fraction(1), Fraction(1)])
    Fraction(3, 1)
    """
    return sum((abs(x - y) for x, y in zip(one, other)), Fraction(0))


def spread(values: Sequence[Vector]) -> Fraction:
    """Return the largest L1 distance of two of some values, at least one.

    >>> spread([(Fraction(0), Fraction(3)), (Fraction(1), Fraction(1)), (Fraction(1), Fraction(2))])
    Fraction(3, 1)
    """
    if len(values[0]) == 1:
        return max(values)[0] - min(values)[0]
    return max((distance(a, b) for a, b in combinations(values, 2)), default=Fraction(0))


# Built-in queries with noise where pairs are neighbours: as a table of databases of every length, or, where these are
# too many, of what may change alone.
#
# Noise is added to the value of a query, so that P(output | x) against P(output | y) depends on F(x) - F(y) alone. A
# sum, a count and a histogram add something for every record: their differences are those of the records that change.


def on_neighbours(framework: Framework, query: RecordQuery) -> tuple[Framework, AdditiveNoise]:
    """Return a query as a table, with the framework whose databases it is about.

    >>> from pufferproof import Framework, Noise, Records
    >>> bits = Records(10**6, ("0", "1"))
    >>> wide = Framework(bits, neighbours="substitute")
    >>> on_neighbours(wide, RecordQuery("sum", Noise.laplace(1), bits))[1].values
    {'0': (Fraction(0, 1),), '1': (Fraction(1, 1),)}

    Raises `ModelError` unless pairs are neighbours, the query is about their records, and it has a
    value for every database.
    """
    if framework.neighbours is None:
        raise ModelError('expected a framework with "neighbours"', "framework")
    query.expect_of(framework.sized or framework.records)
    added = framework.sized is not None
    if added and (query.segment or query.of) is not None:
        raise ModelError(
            "a segment, or chosen records, need records that keep their places, found records "
            "that are added and removed",
            "segment",
        )
    if framework.too_many is not None:
        if query.query == "mean" and added:
            raise framework.too_many
        changing = framework.changing(query.size)
        return changing, _table(changing, query, query.size)
    return framework, _table(framework, query) if added else query.written_out()


def _table(framework: Framework, query: RecordQuery, size: int | None = None) -> AdditiveNoise:
    """Return the value of every database; a mean is over `size` records, or all it has."""
    values: dict[str, object] = {}
    for label in framework.databases:
        row = framework.row(label)
        if query.query == "histogram":
            values[label] = tuple(Fraction(row.count(value)) for value in query.records.alphabet)
            continue
        total = Fraction(row.count(query.counted or ""))
        if query.query != "count":
            total = sum(map(parse_number, row), Fraction(0))
        if query.query == "mean":
            records = len(row) if size is None else size
            if not records:
                raise ModelError(
                    '"mean" has no value where there are no records: expected "sum", or a table that has one for the '
                    'database ""',
                    "query",
                )
            total /= records
        values[label] = (total,)
    return AdditiveNoise(values, query.noise)
