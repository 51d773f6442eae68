"""The ten definitions of privacy of a published overview, each as a Pufferfish framework, with
their neighbours, pairs, levels and laws.

What a definition bounds is P(w | s) / P(w | s') of secrets s, s' under each law of a class. Where
the class is infinite, finitely many laws have the same largest ratio, and they are what is listed:
laws with weight 1/2 on either table of a pair. Tables of records are neighbours.
Source: Bai, He, Gu, Kifer and Maeng 2026 (bai2026), Table 6; deviations are said below.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import isqrt
from typing import Any, ClassVar, Literal, NamedTuple, cast, get_args

from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.interface.kinds import Number, check_type, hold_checked
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import did_you_mean, shown, text_of
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records, preview, separator
from pufferproof.models.priors.tables import Table

# Neighbours: databases that differ by a number of changes, each of them a secret of its own.
#
# A database is a sequence of records. A change adds a record or removes one ("add-remove": the insert-delete distance
# of sequences), or gives one another value ("substitute": the Hamming distance of sequences of one length). Databases
# at distance 1 to k are neighbours for k changes: group privacy. Under any prior P(output | x) of one database x is
# its row, so that one prior in which all are possible is all of them.
#
# Where a query adds something for every record, only the difference that k changes make matters, and databases need
# not be listed: `differences`.

Relation = Literal["add-remove", "substitute"]
Values = tuple[str, ...]
MOST_DATABASES = 20_000
MOST_TRIED = 3_000_000  # single changes of databases
PRIOR = "each"


class Written(NamedTuple):
    """Databases that are their own secrets, the pairs of neighbours, and a prior."""

    databases: tuple[str, ...]
    secrets: Mapping[str, Sequence[str]]
    pairs: Sequence[tuple[str, str]]
    priors: Mapping[str, Table]


@dataclass(frozen=True)
class Neighbours:
    """Which databases are neighbours: by what changes, and by how many of them at most.

    Args:
        relation: "add-remove" or "substitute".
        changes: how many records change at most: 1, or the size of a group.

    >>> Neighbours("add-remove").written(Records(1, ("0", "1"))).pairs
    (('', '0'), ('', '1'))

    Raises `ModelError` unless the relation is one of these, and there is at least 1 change.
    """

    made_by: ClassVar = {"str": 'Neighbours("add-remove") makes one'}

    relation: Relation
    changes: int = 1

    def __post_init__(self) -> None:
        known = get_args(Relation)
        if self.relation not in known:
            raise ModelError(
                f'expected "add-remove" or "substitute", found {shown(self.relation)}'
                f"{did_you_mean(str(self.relation), known)}",
                "neighbours.relation",
            )
        try:
            hold_checked(self, {"relation": str, "changes": int})
        except ModelError as error:
            raise error.within("neighbours") from None
        if self.changes < 1:
            raise ModelError(f"expected at least 1 change, found {shown(self.changes)}", "neighbours.changes")

    @classmethod
    def of(cls, value: object) -> "Neighbours":
        """Return neighbours, of one change where only a relation is given."""
        return value if isinstance(value, Neighbours) else cls(cast(Relation, value))

    def expect(self, count: int) -> None:
        """Raise `ModelError` unless databases have as many records as may change."""
        if self.changes > count:
            raise ModelError(
                f"expected at most {count} changes in databases of {count} records, found {shown(self.changes)}",
                "neighbours.changes",
            )

    def listed(self, space: Sequence[str] | Records) -> dict[str, Values]:
        """Return the records of every database by its label. Raises `TooLargeError` where they are
        too many.

        Of records, all sequences of `count` of them, or of every length up to that, none included,
        where records are added and removed. Labels join values as those of `Records` do.
        """
        if not isinstance(space, Records):
            mark = mark_of(space)
            return {label: split_label(label, mark) for label in space}
        if space.people > 1:
            raise ModelError("neighbours need one person, found several", "people")
        lengths = range(space.count + 1) if self.relation == "add-remove" else [space.count]
        size, width = 0, len(space.alphabet)
        for length in lengths:
            size += width ** min(length, 64)
            if size > MOST_DATABASES:
                raise TooLargeError(
                    f"neighbours of over {MOST_DATABASES} databases: expected fewer records, or "
                    f"noise on a sum, a count or a histogram of them, of which only differences "
                    f"matter",
                    "neighbours",
                )
        mark = separator(space.alphabet)
        every = (row for length in lengths for row in product(space.alphabet, repeat=length))
        return {mark.join(row): row for row in every}

    def written(self, space: Sequence[str] | Records) -> Written:
        """Return the databases, each a secret, with all pairs of neighbours, in their order.

        Raises `ModelError` unless there is one; `TooLargeError` where there are too many.
        """
        listed = self.listed(space)
        self.expect(max(map(len, listed.values())))
        labels = {row: label for label, row in listed.items()}
        place = {row: index for index, row in enumerate(listed.values())}
        alphabet = sorted({value for row in labels for value in row})
        pairs, tried = [], 0
        for row in place:
            reached, steps = self._reached(row, alphabet, MOST_TRIED - tried)
            tried += steps
            after = sorted(place[other] for other in reached if place.get(other, -1) > place[row])
            pairs += [(row, index) for index in after]
        if not pairs:
            raise ModelError(
                f"no two databases are neighbours ({self}): labels are read as records, one "
                f"character each, or parted by commas",
                "neighbours",
            )
        names = list(listed)
        share = Fraction(1, len(names))
        return Written(
            tuple(names),
            {name: (name,) for name in names},
            tuple((labels[row], names[index]) for row, index in pairs),
            {PRIOR: Table(dict.fromkeys(names, share))},
        )

    def _reached(self, start: Values, alphabet: Sequence[str], most: int) -> tuple[set[Values], int]:
        """Return the databases within so many changes of one, listed or not, and how many single
        changes were tried.
        """
        reached, last, tried = {start}, {start}, 0
        for _ in range(self.changes):
            tried += sum(len(row) + 1 for row in last) * len(alphabet)
            if tried > most:
                raise TooLargeError(
                    f"{self}: over {MOST_TRIED} single changes to try, expected fewer records or changes", "neighbours"
                )
            found = {other for row in last for other in self._next(row, alphabet)}
            last = found - reached
            reached |= last
        return reached, tried

    def _next(self, row: Values, alphabet: Sequence[str]) -> Iterator[Values]:
        if self.relation == "substitute":
            for i in range(len(row)):
                for value in alphabet:
                    yield (*row[:i], value, *row[i + 1 :])
            return
        for i in range(len(row)):
            yield (*row[:i], *row[i + 1 :])
        for i in range(len(row) + 1):
            for value in alphabet:
                yield (*row[:i], value, *row[i:])

    def changed(self, one: Values, other: Values) -> str:
        """Say what changes from one database to another, in as few changes as there are.

        >>> Neighbours("add-remove").changed(("0", "1"), ("0",))
        'record 2 ("1") removed'
        """
        if self.relation == "substitute":
            steps = [f'record {i}: "{a}" for "{b}"' for i, (b, a) in enumerate(zip(one, other), 1) if a != b]
            return " and ".join(steps)
        common = _common(one, other)
        gone = {i for i, _ in common}
        come = {j for _, j in common}
        steps = [f'record {i + 1} ("{x}") removed' for i, x in enumerate(one) if i not in gone]
        steps += [f'record {j + 1} ("{y}") added' for j, y in enumerate(other) if j not in come]
        return " and ".join(steps)

    def differences(self, records: Records, most: int | None = None) -> Written:
        """Return a framework of what may change: the records that do, each group a database, every
        other record left out.

        It has every difference that at most `changes` changes make in what is added up over the
        records, and no other; `most` is the number of records that are added up.
        """
        self.expect(records.count)
        changes = self.changes if most is None else min(self.changes, most)
        sizes = range(changes + 1) if self.relation == "add-remove" else [changes]
        groups: list[Values] = []
        for size in sizes:
            for row in combinations_with_replacement(records.alphabet, size):
                groups.append(row)
                if len(groups) > 2_000:
                    raise TooLargeError(
                        f"{self}: over 2000 groups of records that change, expected fewer changes or values",
                        "neighbours",
                    )
        mark = separator(records.alphabet)
        names = [mark.join(row) for row in groups]
        limit = changes if self.relation == "add-remove" else 2 * changes
        pairs = tuple(
            (names[i], names[j])
            for i in range(len(groups))
            for j in range(i + 1, len(groups))
            if len(groups[i]) + len(groups[j]) <= limit
        )
        share = Fraction(1, len(names))
        prior = Table(dict.fromkeys(names, share))
        return Written(tuple(names), {name: (name,) for name in names}, pairs, {PRIOR: prior})

    def as_json(self) -> dict[str, object]:
        """Return the relation as a framework's file has it."""
        return {"relation": self.relation, "changes": self.changes}

    def __str__(self) -> str:
        many = "1 change" if self.changes == 1 else f"up to {self.changes} changes"
        return f"{self.relation}, {many}"


def mark_of(labels: Sequence[str]) -> str:
    """Return what parts the records in labels: a comma where one occurs, else nothing."""
    return "," if any("," in label for label in labels) else ""


def split_label(label: str, mark: str) -> Values:
    """Return the records of a database by its label, the empty one none."""
    if not label:
        return ()
    return tuple(label.split(mark)) if mark else tuple(label)


def _common(one: Values, other: Values) -> list[tuple[int, int]]:
    """Return the places of a longest common subsequence."""
    rows, columns = len(one), len(other)
    length = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in reversed(range(rows)):
        for j in reversed(range(columns)):
            longest = max(length[i + 1][j], length[i][j + 1])
            length[i][j] = length[i + 1][j + 1] + 1 if one[i] == other[j] else longest
    i, j, places = 0, 0, []
    while i < rows and j < columns:
        if one[i] == other[j]:
            places.append((i, j))
            i, j = i + 1, j + 1
        elif length[i + 1][j] >= length[i][j + 1]:
            i += 1
        else:
            j += 1
    return places


# Pairs of tables that a definition compares: those that differ in one record, in one block of records, or minimally
# among tables that satisfy public constraints.
#
# Source of the last: He, Machanavajjhala and Ding, "Blowfish privacy", SIGMOD 2014, Definition 4.1.

Edge = tuple[str, str]
Change = tuple[int, str, str]  # a record, and its two values
Tables = Iterable[tuple[str, str]]
_MOST_ALLOWED = 200  # tables: all triples of them are compared


def values_of(records: Records) -> dict[str, Values]:
    """Return the values of every table, by its label."""
    return dict(zip(records.labels(), product(records.alphabet, repeat=records.count)))


def expect_edges(records: Records, edges: Sequence[Edge] | None) -> list[Edge]:
    """Return edges between values, all of them if left out. Raises `ModelError` unless each joins
    two values.
    """
    if edges is None:
        return list(combinations(records.alphabet, 2))
    for edge in edges:
        for value in edge:
            if value not in records.alphabet:
                raise ModelError(f'expected one of {preview(records.alphabet)}, found "{shown(value)}"', "edges")
        if len(edge) != 2 or edge[0] == edge[1]:
            found = preview([str(each) for each in edge])
            raise ModelError(f"expected two values, found {found}", "edges")
    if not edges:
        raise ModelError("expected at least one edge, found none", "edges")
    distinct: dict[frozenset[str], Edge] = {}
    for edge in edges:
        distinct.setdefault(frozenset(edge), edge)
    return list(distinct.values())


def expect_records(records: Records, chosen: Sequence[int], where: str) -> list[int]:
    """Return records. Raises `ModelError` unless each is from 1 to their number."""
    for record in chosen:
        if not 1 <= record <= records.count:
            raise ModelError(f"expected a record from 1 to {records.count}, found {shown(record)}", where)
    return list(chosen)


def along_edges(records: Records, edges: Sequence[Edge]) -> Iterator[tuple[str, str]]:
    """Yield tables that differ in one record, along an edge."""
    tables = values_of(records)
    labels = {values: label for label, values in tables.items()}
    for label, values in tables.items():
        for place, (one, other) in product(range(records.count), edges):
            if values[place] == one:
                yield label, labels[(*values[:place], other, *values[place + 1 :])]


def in_blocks(records: Records, blocks: Sequence[Sequence[int]]) -> Iterator[tuple[str, str]]:
    """Yield tables that differ within one block. Raises `ModelError` unless the blocks have every
    record once.
    """
    listed = [record for block in blocks for record in block]
    if sorted(listed) != list(range(1, records.count + 1)):
        raise ModelError(f"expected every record from 1 to {records.count} once, found {listed}", "blocks")
    tables = values_of(records)
    for block in blocks:
        outside = [place for place in range(records.count) if place + 1 not in block]
        alike: dict[Values, list[str]] = {}
        for label, values in tables.items():
            alike.setdefault(tuple(values[place] for place in outside), []).append(label)
        for labels in alike.values():
            yield from combinations(labels, 2)


def minimal(records: Records, edges: Sequence[Edge], allowed: Sequence[str]) -> list[tuple[str, str]]:
    """Return the neighbours among allowed tables, each pair once: T(x, y) is the set of records
    that an edge joins in x and y, with their values.

    x and y are neighbours if T(x, y) is not empty and no allowed z has a smaller T(x, z), not
    empty, or the same with changes x to z that are fewer of those from x to y.
    """
    tables = _expect_allowed(records, allowed)
    joined = {pair for one, other in edges for pair in ((one, other), (other, one))}
    found: dict[frozenset[str], tuple[str, str]] = {}
    for x, values in tables.items():
        changes = {
            y: frozenset((place, a, b) for place, (a, b) in enumerate(zip(values, other)) if a != b)
            for y, other in tables.items()
        }
        secrets = {y: frozenset(c for c in change if c[1:] in joined) for y, change in changes.items()}
        for y in tables:
            if secrets[y] and not _smaller(y, changes, secrets):
                found.setdefault(frozenset((x, y)), (x, y))
    return list(found.values())


def _smaller(y: str, changes: dict[str, frozenset[Change]], secrets: dict[str, frozenset[Change]]) -> bool:
    return any(
        secrets[z] < secrets[y] or (secrets[z] == secrets[y] and changes[z] < changes[y]) for z in secrets if secrets[z]
    )


def _expect_allowed(records: Records, allowed: Sequence[str]) -> dict[str, Values]:
    tables = values_of(records)
    for label in allowed:
        if label not in tables:
            raise ModelError(f'unknown table "{shown(label)}", expected one of {preview(list(tables))}', "allowed")
    if len(set(allowed)) > _MOST_ALLOWED:
        raise ModelError(f"expected at most {_MOST_ALLOWED} tables, found {len(set(allowed))}", "allowed")
    return {label: tables[label] for label in dict.fromkeys(allowed)}


# Levels of pairs by a metric: the level of two secrets is their distance times the level of a unit.
#
#     e^(level of s, t) = e^(per d(s, t))
#
# Metric privacy, with geo-indistinguishability for positions in the plane. A level log(r) a unit is log(r^d) at a
# distance d, which is a rational where r^d is one; other distances take a level in nats.
#
# Source: Andres, Bordenabe, Chatzikokolakis and Palamidessi, "Geo-indistinguishability", CCS 2013.

Distance = Literal["l1", "l2", "max"]
LeveledPair = tuple[str, str, Any]  # two secrets and a level
_LONGEST = 10_000  # bits of r^d


def metric_pairs(positions: Mapping[str, object], per: LevelLike, distance: Distance = "l2") -> list[LeveledPair]:
    """Return all pairs of secrets with their levels, for `Framework(pairs=...)`.

    Args:
        positions: secret -> where it is: a number, or a list of coordinates.
        per: the level of a unit of distance.
        distance: "l2" (Euclidean), "l1" or "max"; the same on a line.

    >>> metric_pairs({"a": 0, "b": 1, "c": 2}, "log(3)")[1]
    ('a', 'c', Level('log(9)'))

    Raises `ModelError` unless there are two positions that differ, of one dimension, and every
    level is known exactly: e^level rational, or a rational number of nats.
    """
    level = Level.coerce(per, "metric.per")
    if distance not in get_args(Distance):
        hint = did_you_mean(str(distance), get_args(Distance))
        raise ModelError(f'expected "l1", "l2" or "max", found {shown(distance)}{hint}', "metric.distance")
    places = {}
    for name, place in positions.items():
        coordinates = place if isinstance(place, Sequence) and not isinstance(place, str) else [place]
        try:
            found = tuple(map(exact, coordinates))
        except ModelError as error:
            raise error.within(f"metric.positions.{name}") from None
        if not found:
            raise ModelError("expected a coordinate, found none", f"metric.positions.{name}")
        places[name] = found
    if len(places) < 2:
        raise ModelError(f"expected two positions or more, found {len(places)}", "metric.positions")
    if len({len(place) for place in places.values()}) > 1:
        raise ModelError("expected positions with equally many coordinates", "metric.positions")
    return [
        (one, other, _times(level, _apart(places[one], places[other], distance, (one, other))))
        for one, other in combinations(places, 2)
    ]


def levels_of(pairs: object) -> tuple[tuple[tuple[str, str], Level], ...]:
    """Return pairs with their levels, none where no pair has one.

    Raises `ModelError` unless all pairs have a level or none, and no pair has two.
    """
    if not isinstance(pairs, Collection):  # an iterator would lose a pair here
        return ()
    if not any(isinstance(pair, list | tuple) and len(pair) == 3 for pair in pairs):
        return ()
    found: dict[frozenset[str], tuple[tuple[str, str], Level]] = {}
    for index, pair in enumerate(pairs):
        where = f"pairs[{index}]"
        if not isinstance(pair, list | tuple) or len(pair) != 3:
            raise ModelError("expected a level as third entry of every pair, or of none", where)
        one, other, level = pair
        if not (isinstance(one, str) and isinstance(other, str)):
            raise ModelError("expected the names of two secrets, and a level", where)
        if frozenset((one, other)) in found:
            raise ModelError(f'"{one}" and "{other}" have a level already', where)
        found[frozenset((one, other))] = (one, other), Level.coerce(level, f"{where}[2]")
    return tuple(found.values())


def _apart(one: Sequence[Fraction], other: Sequence[Fraction], distance: str, names: tuple[str, str]) -> Fraction:
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    if not any(gaps):
        raise ModelError(
            f'"{names[0]}" and "{names[1]}" are at one place: expected positions that differ', "metric.positions"
        )
    if distance == "max" or len(gaps) == 1:
        return max(gaps)
    if distance == "l1":
        return sum(gaps, Fraction(0))
    squared = sum((gap * gap for gap in gaps), Fraction(0))
    root = Fraction(isqrt(squared.numerator), isqrt(squared.denominator))
    if root * root != squared:
        raise ModelError(
            f'"{names[0]}" and "{names[1]}" are sqrt({text_of(squared)}) apart, expected a '
            f'rational distance: "distance": "l1" or "max", or a level as third entry of each pair',
            "metric.positions",
        )
    return root


def _times(level: Level, distance: Fraction) -> Level:
    """Return a multiple of a level. Raises `ModelError` unless it is known exactly."""
    if level.nats is not None:
        return Level(nats=level.nats * distance)
    ratio = level.ratio or Fraction(1)
    power = ratio.numerator.bit_length() * distance.numerator
    parts = [_root(part, distance.denominator) for part in ratio.as_integer_ratio()]
    if power > _LONGEST:
        raise ModelError(
            f"{level} times a distance is log(r), r of over {_LONGEST} bits: "
            f"expected shorter distances, or a level in nats",
            "metric.per",
        )
    if None in parts:
        raise ModelError(
            f"{level} times {text_of(distance)} is not log(r) of a rational r: expected distances "
            f"that are integers, or a level in nats",
            "metric.per",
        )
    above, below = (part or 1 for part in parts)
    return Level(ratio=Fraction(above, below) ** distance.numerator)


def _root(number: int, degree: int) -> int | None:
    """Return the integer root of a degree, None if there is none."""
    if degree == 1 or number == 1:
        return number
    if degree > number.bit_length():
        return None
    from flint import fmpz

    root = int(fmpz(number).root(degree))
    return root if root**degree == number else None


RESTS_ON = ("bai2026.table6-repaired",)
Secret = tuple[int, str] | Sequence[str]  # a record and its value, or the tables
ABSENT = "_"
MOST_ENTRIES = 200_000  # of all priors together
_HALF = Fraction(1, 2)
Weights = dict[str, Fraction]
Laws = dict[str, Weights]


def laws_of(records: Records, priors: Mapping[str, Prior]) -> Laws:
    """Return the probability of every table under every prior, zeros left out. Raises `ModelError`
    unless there is one, and each is a law on few enough tables.
    """
    records = check_type(records, Records, "records")
    priors = check_type(priors, Mapping[str, Prior], "priors")
    if not priors:
        raise ModelError("expected at least one prior, found none", "priors")
    labels, laws = records.labels(), {}
    for name, prior in priors.items():
        try:
            law = prior.law(labels, records)
        except ModelError as error:
            raise error.within(f"priors.{name}") from None
        laws[name] = {labels[x]: Fraction(law.weights[x], law.total) for x in law.support}
    return laws


def conditioned(records: Records, laws: Laws, most: int) -> Laws:
    """Return every law given the values of every proper subset of the records.

    Raises `ModelError` where they have more than so many entries.
    """
    values, found, entries = values_of(records), {}, 0
    places = range(records.count)
    for name, weights in laws.items():
        for known in (each for size in places for each in combinations(places, size)):
            parts = _split(weights, values, known)
            entries += len(weights)
            if entries > most:
                raise ModelError(f"more than {most} entries: take fewer records", "records")
            for at, part in parts.items():
                said = "".join(f", x{i + 1}={value}" for i, value in zip(known, at))
                found[f"{name}{said}"] = _normalized(part)
    return found


def independent_of_rest(records: Records, laws: Laws, record: int) -> Laws:
    """Return the law of the record times that of all others, of every prior."""
    values, place = values_of(records), record - 1
    rest = tuple(other for other in range(records.count) if other != place)
    found: Laws = {}
    for name, weights in laws.items():
        alone, others = (
            {at: sum(part.values(), Fraction(0)) for at, part in parts.items()}
            for parts in (_split(weights, values, (place,)), _split(weights, values, rest))
        )
        found[name] = {
            label: alone[(value[place],)] * others[tuple(value[i] for i in rest)]
            for label, value in values.items()
            if (value[place],) in alone and tuple(value[i] for i in rest) in others
        }
    return found


def with_absent(records: Records, wider: Records, laws: Laws, absent: str) -> Laws:
    """Return, for every law, record and value, that law given the value, half of it with the
    record taken out.
    """
    values = values_of(records)
    labels = {each: label for label, each in values_of(wider).items()}
    found: Laws = {}
    for name, weights in laws.items():
        for place in range(records.count):
            for (value,), part in _split(weights, values, (place,)).items():
                mixed: Weights = {}
                for label, weight in _normalized(part).items():
                    each = values[label]
                    mixed[labels[each]] = weight * _HALF
                    mixed[labels[(*each[:place], absent, *each[place + 1 :])]] = weight * _HALF
                found[f"{name}, x{place + 1}={value} or absent"] = mixed
    return found


def _split(weights: Weights, values: Mapping[str, Values], known: tuple[int, ...]) -> dict[Values, Weights]:
    """Return the tables of a law by the values of known records."""
    parts: dict[Values, Weights] = {}
    for label, weight in weights.items():
        parts.setdefault(tuple(values[label][i] for i in known), {})[label] = weight
    return parts


def _normalized(weights: Weights) -> Weights:
    total = sum(weights.values(), Fraction(0))
    return {label: weight / total for label, weight in weights.items()}


@dataclass(frozen=True)
class Definition:
    """A definition of privacy for records of a given form, as secrets, pairs and laws.

    A mechanism keeps it at level epsilon (in nats) if P(w | s, theta) <= e^epsilon P(w | t, theta)
    for every output w, every pair {s, t} in both orders, and every law theta under which s and t
    have positive probability. The class methods, such as `Definition.differential_privacy`, make
    the published definitions and name their sources; `Framework.of_definition` makes a framework.

    Args:
        name: the name of the definition.
        records: how many records there are, and their values.
        pairs: the pairs of secrets that nobody may tell apart, each listed once.
        secrets: name -> values of records.
        priors: name -> law of the whole table of records. If the definition has infinitely many
            laws, these are finitely many under which every mechanism leaks as much as under all.

    >>> dp = Definition.differential_privacy(Records(2, ("0", "1")))
    >>> len(dp.pairs), len(dp.priors)
    (2, 4)
    """

    name: str
    records: Records
    pairs: tuple[tuple[str, str], ...]
    secrets: Mapping[str, Secret] = field(repr=False)
    priors: Mapping[str, Table] = field(repr=False)

    @classmethod
    def differential_privacy(cls, records: Records) -> "Definition":
        """Every value of every record is secret, under every law with independent records.

        The list: for tables x, y that differ in one record, weight 1/2 on either. P(w | x_i = a) of
        independent records averages P(w | x) over the other records, so no law has a larger ratio.
        """
        records = check_type(records, Records, "records")
        return _of_tables(
            "differential privacy", records, along_edges(records, list(combinations(records.alphabet, 2)))
        )

    @classmethod
    def dependent(cls, records: Records, blocks: Sequence[Sequence[int]]) -> "Definition":
        """The same secrets, under every law whose `blocks` of records are independent of one
        another: dependent differential privacy (Liu, Chakraborty and Mittal, 2016), the relation R
        being a partition. The list: tables that differ within one block.

        Raises `ModelError` unless the blocks have every record once.
        """
        records = check_type(records, Records, "records")
        blocks = check_type(blocks, Sequence[Sequence[int]], "blocks")
        return _of_tables("dependent", records, in_blocks(records, blocks))

    @classmethod
    def noiseless(cls, records: Records, priors: Mapping[str, Prior]) -> "Definition":
        """The same secrets, under one known law of the data (Bhaskar and others, 2011).

        Raises `ModelError` unless there is one law.
        """
        laws = laws_of(records, priors)
        if len(laws) != 1:
            raise ModelError(f"expected the one law that is known, found {len(laws)}", "priors")
        return _of_laws("noiseless", records, laws)

    @classmethod
    def blowfish(
        cls, records: Records, edges: Sequence[Edge] | None = None, allowed: Sequence[str] | None = None
    ) -> "Definition":
        """Pairs of values that an edge joins, for tables that satisfy public constraints: Blowfish
        (He, Machanavajjhala and Ding, 2014, Definition 4.1). With edges between values that differ
        in one attribute: attribute privacy of a tuple.

        `edges`: all pairs of values if left out. `allowed`: the tables that are possible, all if
        left out. The list: neighbours x, y, which differ along an edge while no allowed table
        changes fewer secrets, or else fewer records, of x.
        """
        records = check_type(records, Records, "records")
        edges = check_type(edges, Sequence[Edge] | None, "edges")
        allowed = check_type(allowed, Sequence[str] | None, "allowed")
        chosen = expect_edges(records, edges)
        tables = along_edges(records, chosen) if allowed is None else minimal(records, chosen, allowed)
        return _of_tables("blowfish", records, tables, chosen)

    @classmethod
    def pufferfish(
        cls,
        records: Records,
        secrets: Mapping[str, Secret],
        pairs: Sequence[tuple[str, str]],
        priors: Mapping[str, Prior],
    ) -> "Definition":
        """Secrets, pairs and laws of one's own (Kifer and Machanavajjhala, 2014)."""
        secrets = check_type(secrets, Mapping[str, Secret], "secrets")
        pairs = check_type(pairs, Sequence[tuple[str, str]], "pairs")
        laws = laws_of(records, priors)
        return cls(
            "pufferfish", records, tuple(pairs), dict(secrets), {name: Table(weights) for name, weights in laws.items()}
        )

    @classmethod
    def inferential(cls, records: Records, priors: Mapping[str, Prior]) -> "Definition":
        """Every value of every record is secret, under laws of one's own (Ghosh and Kleinberg,
        2017).
        """
        return _of_laws("inferential", records, laws_of(records, priors))

    @classmethod
    def conditional_inference(cls, records: Records, priors: Mapping[str, Prior], radius: Number) -> "Definition":
        """Two places within `radius` of each other, at one time, under laws of how somebody moves
        (Meehan and Chaudhuri, 2021). Values are places: numbers, or "x:y".

        Raises `ModelError` unless they are, and two of them are that near.
        """
        laws = laws_of(records, priors)
        try:
            distance = exact(radius)
        except ModelError as error:
            raise error.within("radius") from None
        if distance <= 0:
            raise ModelError("expected a radius above 0", "radius")
        places = {}
        for value in records.alphabet:
            try:
                places[value] = [exact(part) for part in value.split(":")]
            except ModelError as error:
                raise error.within(f'place "{value}"') from None
        if len(set(map(len, places.values()))) > 1:
            raise ModelError("expected places with equally many coordinates", "records")
        edges = [
            (one, other)
            for one, other in combinations(records.alphabet, 2)
            if sum((a - b) ** 2 for a, b in zip(places[one], places[other])) <= distance**2
        ]
        if not edges:
            raise ModelError("no two places are this near", "radius")
        return _of_laws("conditional-inference", records, laws, edges)

    @classmethod
    def partial_knowledge(cls, records: Records, priors: Mapping[str, Prior], record: int) -> "Definition":
        """The value of one record is secret, under laws that factor into one of this record and
        one of all others (Desfontaines and others, 2020): here the two marginals of each prior.
        """
        record = check_type(record, int, "record")
        laws = independent_of_rest(records, laws_of(records, priors), expect_records(records, [record], "record")[0])
        return _of_laws("partial-knowledge", records, laws, only=record)

    @classmethod
    def bayesian(cls, records: Records, priors: Mapping[str, Prior]) -> "Definition":
        """Every value of every record is secret from those who know any other records, which may
        depend on it (Yang, Sato and Nakagawa, 2015).

        The list: each law given X_K = x_K, for every proper subset K of the records and all values.
        """
        laws = conditioned(records, laws_of(records, priors), MOST_ENTRIES)
        return _of_laws("bayesian", records, laws)

    @classmethod
    def distribution(cls, records: Records, priors: Mapping[str, Prior]) -> "Definition":
        """A record with a value against the same data without it (Bassily and others, 2013).

        The value `_` stands for a record that is absent. The list: for each law, record i and value
        a, weight 1/2 on the law given x_i = a, and 1/2 on that law with record i taken out.
        """
        records = check_type(records, Records, "records")
        if ABSENT in records.alphabet:
            raise ModelError(f'"{ABSENT}" stands for an absent record: name it otherwise', "records")
        wider = Records(records.count, (*records.alphabet, ABSENT))
        laws = with_absent(records, wider, laws_of(records, priors), ABSENT)
        edges = [(value, ABSENT) for value in records.alphabet]
        return _of_laws("distribution", wider, laws, edges)


def _of_tables(name: str, records: Records, found: Tables, edges: Sequence[Edge] | None = None) -> "Definition":
    laws: dict[str, Weights] = {}
    for one, other in found:
        laws[f"{one} or {other}"] = {one: _HALF, other: _HALF}
        _expect_few(2 * len(laws))
    return _of_laws(name, records, laws, edges)


def _of_laws(
    name: str, records: Records, laws: Laws, edges: Sequence[Edge] | None = None, only: int | None = None
) -> "Definition":
    """Make every value of every record secret, or of one; pairs are edges, all if left out."""
    places = range(1, records.count + 1) if only is None else [only]
    secrets: dict[str, Secret] = {f"x{i}={value}": (i, value) for i in places for value in records.alphabet}
    chosen = expect_edges(records, edges)
    pairs = tuple((f"x{i}={one}", f"x{i}={other}") for i in places for one, other in chosen)
    if not laws:
        raise ModelError("every two tables may be told apart, so nothing is secret", name)
    _expect_few(sum(map(len, laws.values())))
    return Definition(name, records, pairs, secrets, {name: Table(weights) for name, weights in laws.items()})


def _expect_few(entries: int) -> None:
    if entries > MOST_ENTRIES:
        raise ModelError(f"its laws have more than {MOST_ENTRIES} entries: take fewer records", "records")
