"""What noise tells about one of many people, beside tables of all sequences of all of them."""

import random
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest
from tests import seeds

from pufferproof import (
    AdditiveNoise,
    Framework,
    MarkovChain,
    ModelError,
    Noise,
    RecordQuery,
    Records,
    Table,
    audit,
    compose,
)
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.verify.audit import largest_ratio
from pufferproof.verify.noise.largest import people_bounds
from pufferproof.verify.noise.ratio.blocks.joint import blocks_leakage

Chain = tuple[list[Fraction], list[list[Fraction]]]


def law(rng: random.Random, size: int) -> list[Fraction]:
    weights = [rng.choice([0, 1, 2, 5]) for _ in range(size)]
    weights[0] += not any(weights)
    return [Fraction(each, sum(weights)) for each in weights]


def drawn(rng: random.Random) -> tuple[Framework, list[RecordQuery], Chain]:
    """A framework of two or three people, and one or two queries of their records."""
    size = rng.choice((2, 2, 3))
    people = 2 if size == 3 else rng.choice((2, 3))
    records = Records(rng.randint(1, 2 if people == 3 else 3), ("0", "1", "3")[:size], people)
    start, rows = law(rng, size), [law(rng, size) for _ in range(size)]
    record = rng.randint(1, records.count)
    secrets = {f"s{value}": (record, value) for value in records.alphabet}
    texts = [[str(x) for x in row] for row in (start, *rows)]
    prior = MarkovChain(texts[0], texts[1:])
    framework = Framework.of_records(records, secrets, "disjoint", {"theta": prior})
    queries = [query(rng, records) for _ in range(rng.choice((1, 1, 2)))]
    return framework, queries, (start, rows)


def query(rng: random.Random, records: Records) -> RecordQuery:
    name = rng.choice(("sum", "mean", "histogram", "count"))
    first = rng.randint(1, records.count)
    ends = rng.choice((None, (first, rng.randint(first, records.count))))
    noise = rng.choice((Noise.laplace("1"), Noise.laplace("1/log(3)"), Noise.geometric("1/2")))
    if name == "mean" and noise.kind == "geometric":
        noise = Noise.laplace("1/4")
    return RecordQuery(name, noise, records, ends, "1" if name == "count" else None)


def listed(framework: Framework, queries: list[RecordQuery], chain: Chain) -> tuple[Framework, list[AdditiveNoise]]:
    """All sequences of all people, one by one."""
    space = framework.expect_records()
    start, rows = chain
    one = list(product(range(len(space.alphabet)), repeat=space.count))
    masses = {x: start[x[0]] * prod(rows[a][b] for a, b in pairwise(x)) for x in one}
    every = list(product(one, repeat=space.people))
    labels = {x: "|".join("".join(map(str, own)) for own in x) for x in every}
    secrets = {
        name: [labels[x] for x in every if x[0][record - 1] == value]
        for name, (record, value) in framework.places.items()
    }
    table = Table({labels[x]: str(prod(masses[own] for own in x)) for x in every})
    tables = []
    for each in queries:
        first, last = each.segment or (1, space.count)
        values = {labels[x]: value_of(each, [v for own in x for v in own[first - 1 : last]]) for x in every}
        tables.append(AdditiveNoise(values, each.noise))
    pairs = list(framework.pairs)
    return Framework([*labels.values()], secrets, pairs, {"theta": table}), tables


def value_of(asked: RecordQuery, chosen: list[int]) -> list[Fraction] | Fraction:
    alphabet = asked.records.alphabet
    if asked.query == "histogram":
        return [Fraction(chosen.count(v)) for v in range(len(alphabet))]
    if asked.query == "count":
        return Fraction(sum(alphabet[v] == asked.counted for v in chosen))
    total = sum((Fraction(alphabet[v]) for v in chosen), Fraction(0))
    return total / len(chosen) if asked.query == "mean" else total


@seeds(60)
def test_many_people_leak_what_tables_of_all_their_sequences_do(seed: int) -> None:
    framework, queries, chain = drawn(random.Random(seed))
    space, tables = listed(framework, queries, chain)
    try:
        exact = audit(space, tables)
    except ModelError:
        with pytest.raises(ModelError):
            audit(framework, queries)
        return
    found = audit(framework, queries)
    one, other = (each.leakage.enclosure() for each in (exact, found))
    assert Fraction(one.lower) <= Fraction(other.upper)
    assert Fraction(other.lower) <= Fraction(one.upper)
    assert (exact.leakage.ratio is None) == (found.leakage.ratio is None)
    mechanism = NoisyQueries(tuple(queries))
    alone = largest_ratio(mechanism.alone, framework.alone, None)
    bounds = people_bounds(framework, mechanism, alone).leakage
    assert bounds.lower is not None
    assert bounds.upper is not None
    assert exact.leakage.upper is not None
    assert exact.leakage.lower is not None
    assert bounds.lower <= exact.leakage.upper
    assert exact.leakage.lower <= bounds.upper


@seeds(12)
def test_a_delta_about_one_among_many_is_that_of_tables_and_at_most_that_alone(seed: int) -> None:
    rng = random.Random(seed)
    framework, _, chain = drawn(rng)
    noise = rng.choice((Noise.geometric("1/2"), Noise.laplace("2"), Noise.gaussian("2")))
    queries = [RecordQuery("sum", noise, framework.expect_records())]
    space, tables = listed(framework, queries, chain)
    try:
        exact = audit(space, tables, "0.1", delta="1/2").delta
    except ModelError:
        return
    found = audit(framework, queries, "0.1", delta="1/2").delta
    alone = audit(framework.alone, [queries[0].alone], "0.1", delta="1/2").delta
    assert exact is not None
    assert found is not None
    assert alone is not None
    (low, high), (least, most) = exact.bounds(), found.bounds()
    assert low <= most
    assert least <= high
    assert low <= alone.bounds()[1]


def crowd(people: int, count: int = 365) -> Framework:
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    records = Records(count, ("0", "1"), people)
    secrets = {"off": (min(100, count), "0"), "on": (min(100, count), "1")}
    return Framework.of_records(records, secrets, "disjoint", {"theta": chain})


def _means(count: int, people: int) -> tuple[Noise, Noise]:
    return Noise.laplace(Fraction(10, count)), Noise.laplace(Fraction(10, count * people))


def test_windows_of_many_people_leak_together_what_those_of_one_do() -> None:
    many = crowd(50, 70)
    weeks = [RecordQuery("sum", Noise.laplace(4), many.expect_records(), (k, k + 6)) for k in range(1, 70, 7)]
    alone = NoisyQueries(tuple(weeks)).alone
    known = blocks_leakage(many.alone, alone.queries)
    found = audit(many, weeks).leakage
    assert known is not None
    assert found.upper == known.leakage.upper
    assert abs(found.lower - known.leakage.lower) < known.leakage.lower / 10**12
    assert compose(many, weeks[:2]).additive is not None


def test_what_is_known_of_one_person_only_refuses_several() -> None:
    many = crowd(2, 3)
    for view in ("chains", "listed", "networks"):
        with pytest.raises(ModelError, match="2 people: expected one"):
            getattr(many, view)
    with pytest.raises(ModelError, match="expected a record and its value"):
        Framework(
            Records(2, ("0", "1"), 2),
            {"s": ["00"], "t": ["11"]},
            [("s", "t")],
            {"theta": MarkovChain("stationary", [["1/2", "1/2"], ["1/2", "1/2"]])},
        )
    for people in (0, -1, 10**9):
        with pytest.raises(ModelError, match="people"):
            Records(2, ("0", "1"), people)


def test_weekly_histograms_of_many_people_tell_what_those_of_one_do() -> None:
    """The largest ratio of one person is near the corners of all weeks."""
    rows = [["1/10", "6/10", "3/10"], ["5/10", "1/10", "4/10"], ["2/10", "7/10", "1/10"]]
    found = []
    for people in (1, 5):
        records = Records(28, ("0", "1", "2"), people)
        secrets = {"a": (12, "0"), "b": (12, "2")}
        chain = MarkovChain("stationary", rows)
        framework = Framework.of_records(records, secrets, "disjoint", {"t": chain})
        weeks = [RecordQuery("histogram", Noise.laplace(5), records, (k, k + 6)) for k in (1, 8, 15, 22)]
        found.append(audit(framework, weeks).leakage)
    alone, many = found
    assert many.lower is not None
    assert many.upper is not None
    assert alone.upper is not None
    assert many.upper == alone.upper
    assert many.upper / many.lower < 1 + Fraction(1, 10**6)


def test_others_hide_nothing_of_what_is_told_at_the_ends() -> None:
    one, many = crowd(1), crowd(1000)
    for name, noises in (("sum", (Noise.laplace(10),) * 2), ("mean", _means(365, 1000))):
        single = audit(one, RecordQuery(name, noises[0], one.expect_records()))
        among = audit(many, RecordQuery(name, noises[1], many.expect_records()))
        assert single.leakage.enclosure() == among.leakage.enclosure()
        assert among.witness.output == {"sum": "365000", "mean": "1"}[name]
