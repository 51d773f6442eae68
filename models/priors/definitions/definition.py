"""The ten definitions of privacy of a published overview, each as a Pufferfish framework.

What a definition bounds is P(w | s) / P(w | s') of secrets s, s' under each law of a class. Where
the class is infinite, finitely many laws have the same largest ratio, and they are what is listed:
laws with weight 1/2 on either table of a pair. Tables of records are `neighbours`.
Source: Bai, He, Gu, Kifer and Maeng 2026 (bai2026), Table 6; deviations are said below.

This file also has laws of dependent records that definitions ask about.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.arguments import Number
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.priors.definitions.neighbours import (
    Edge,
    Tables,
    Values,
    along_edges,
    differing_in_one,
    expect_edges,
    expect_records,
    in_blocks,
    minimal,
    values_of,
)
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Table

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
        return _of_tables("differential privacy", records, differing_in_one(records))

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
        return cls("pufferfish", records, tuple(pairs), dict(secrets), _tables(laws))

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
        edges = _near(records, _radius(radius))
        return _of_laws("conditional-inference", records, laws, edges)

    @classmethod
    def partial_knowledge(cls, records: Records, priors: Mapping[str, Prior], record: int) -> "Definition":
        """The value of one record is secret, under laws that factor into one of this record and
        one of all others (Desfontaines and others, 2020): here the two marginals of each prior.
        """
        record = check_type(record, int, "record")
        laws = independent_of_rest(records, laws_of(records, priors), _record(records, record))
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
    return Definition(name, records, pairs, secrets, _tables(laws))


def _tables(laws: Laws) -> dict[str, Table]:
    return {name: Table(weights) for name, weights in laws.items()}


def _expect_few(entries: int) -> None:
    if entries > MOST_ENTRIES:
        raise ModelError(f"its laws have more than {MOST_ENTRIES} entries: take fewer records", "records")


def _record(records: Records, record: int) -> int:
    return expect_records(records, [record], "record")[0]


def _radius(radius: Number) -> Fraction:
    try:
        distance = exact(radius)
    except ModelError as error:
        raise error.within("radius") from None
    if distance <= 0:
        raise ModelError("expected a radius above 0", "radius")
    return distance


def _near(records: Records, radius: Fraction) -> list[Edge]:
    """Return the pairs of places at most so far apart."""
    places = {value: _place(value) for value in records.alphabet}
    near = [
        (one, other)
        for n, one in enumerate(records.alphabet)
        for other in records.alphabet[n + 1 :]
        if _squared(places[one], places[other]) <= radius**2
    ]
    if not near:
        raise ModelError("no two places are this near", "radius")
    return near


def _place(value: str) -> list[Fraction]:
    try:
        return [exact(part) for part in value.split(":")]
    except ModelError as error:
        raise error.within(f'place "{value}"') from None


def _squared(one: Iterable[Fraction], other: Iterable[Fraction]) -> Fraction:
    try:
        return sum(((a - b) ** 2 for a, b in zip(one, other, strict=True)), Fraction(0))
    except ValueError:
        raise ModelError("expected places with equally many coordinates", "records") from None
