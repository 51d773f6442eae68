"""What queries of blocks of any chain leak together, beside the exact leakage of all outputs."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from tests import seeds

from pufferproof import Framework, HiddenMarkovModel, MarkovChain, ModelError, Noise, RecordQuery, Records, audit
from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.verify.noise.queries import queries_leakage
from pufferproof.verify.noise.ratio.blocks import joint as around
from pufferproof.verify.noise.ratio.blocks.cones import Cone, covered, thinned
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage, Laws, blocks_leakage

NOISES = (Noise.laplace("2"), Noise.laplace("1/2"), Noise.geometric("1/2"))


def law(rng: random.Random, size: int) -> list[str]:
    weights = [rng.choice([0, 1, 1, 2, 5]) for _ in range(size)]
    weights[0] += not any(weights)
    return [str(Fraction(each, sum(weights))) for each in weights]


def prior(rng: random.Random, values: int) -> Any:
    hidden = rng.random() < 0.4
    states = rng.randint(2, 3) if hidden else values
    rows = [law(rng, states) for _ in range(states)]
    if rng.random() < 0.2:
        rows = [rows[0]] * states
    start = law(rng, states)
    if not hidden:
        return MarkovChain(start, rows)
    return HiddenMarkovModel(start, rows, [law(rng, values) for _ in range(states)])


def drawn(rng: random.Random) -> tuple[Framework, list[RecordQuery]]:
    """A framework of few records with some secrets, and queries of segments that may overlap."""
    values = rng.choice([2, 3, 3, 4])
    records = Records(rng.randint(1, 5 if values < 4 else 3), tuple("0132"[:values]))
    count = records.count
    secrets, pairs = dict[str, tuple[int, str]](), []
    for record in rng.sample(range(1, count + 1), min(count, 2)):
        one, other = rng.sample(records.alphabet, 2)
        secrets |= {f"x{record}={value}": (record, value) for value in (one, other)}
        pairs.append((f"x{record}={one}", f"x{record}={other}"))
    queries = []
    for _ in range(rng.randint(1, 3) if values < 4 else 2):
        ends = tuple(sorted(rng.choices(range(1, count + 1), k=2)))
        noise = rng.choice(NOISES)
        query = rng.choice(["sum", "count"] + ["mean"] * (not noise.on_integers))
        query = "histogram" if len(queries) == 0 and rng.random() < 0.3 else query
        counted = records.alphabet[1] if query == "count" else None
        queries.append(RecordQuery(query, noise, records, (ends[0], ends[1]), counted))
    priors = {f"p{k}": prior(rng, values) for k in range(rng.randint(1, 2))}
    return Framework.of_records(records, secrets, pairs, priors), queries


@seeds(60)
def test_cones_give_the_exact_leakage(seed: int) -> None:
    framework, queries = drawn(random.Random(seed))
    try:
        exact = queries_leakage(framework, NoisyQueries(tuple(queries)))
    except ModelError:
        with pytest.raises(ModelError, match=r"nothing to check|probability 0"):
            blocks_leakage(framework, queries)
        return
    try:
        found = blocks_leakage(framework, queries)
    except TooLargeError:
        assert len(queries) > 2
        return
    assert found is not None
    lower, upper = found.leakage.lower, found.leakage.upper
    assert lower is not None
    assert upper is not None
    assert exact.leakage.lower is not None
    assert exact.leakage.upper is not None
    near = 1 + Fraction(1, 10**18)
    assert lower <= exact.leakage.upper * near
    assert exact.leakage.lower <= upper * near
    assert upper <= lower * (1 + Fraction(1, 10**6))
    assert found.scope.excluded == exact.scope.excluded
    assert found.scope.never_checked == exact.scope.never_checked


def weeks(records: Records, query: str, noise: Noise, days: int = 7) -> list[RecordQuery]:
    return [RecordQuery(query, noise, records, (first, first + days - 1)) for first in range(1, records.count, days)]


def test_weaker_noise_beside_stronger_noise_leaves_no_wider_odds() -> None:
    """What later blocks leave may shrink from block to block: as far as it does, it is followed."""
    records = Records(8, ("0", "1"))
    chain = MarkovChain("stationary", [["99/100", "1/100"], ["1/2", "1/2"]])
    framework = Framework.of_records(records, {"a": (2, "0"), "b": (2, "1")}, [("a", "b")], {"t": chain})
    scales = (20, 20, 20, 20, 2, 20, 2, 2)
    queries = [RecordQuery("sum", Noise.laplace(scale), records, (day, day)) for day, scale in enumerate(scales, 1)]
    exact = queries_leakage(framework, NoisyQueries(tuple(queries))).leakage
    found = blocks_leakage(framework, queries)
    assert found is not None
    assert found.leakage.enclosure().lower[:14] == exact.enclosure().lower[:14]
    assert found.leakage.enclosure().upper[:14] == exact.enclosure().upper[:14]


def test_laws_are_kept_for_other_noise() -> None:
    records = Records(40, ("0", "1", "2"))
    chain = MarkovChain("stationary", UNEVEN)
    framework = Framework.of_records(records, {"a": (9, "0"), "b": (9, "2")}, [("a", "b")], {"t": chain})
    laws: Laws = {}
    for scale in (3, 5):
        queries = weeks(records, "sum", Noise.laplace(scale), 4)
        assert blocks_leakage(framework, queries, laws) == blocks_leakage(framework, queries)
        assert len(laws) == 1


@pytest.mark.parametrize(("digits", "refused"), [(1600, False), (6000, True)])
def test_probabilities_that_floats_do_not_hold_are_refused(digits: int, refused: bool) -> None:
    rare = Fraction(1, 10**digits)
    records = Records(9, ("0", "1"))
    chain = MarkovChain(["1", "0"], [[1 - rare, rare], ["1/2", "1/2"]])
    framework = Framework.of_records(records, {"a": (2, "0"), "b": (2, "1")}, [("a", "b")], {"t": chain})
    queries = weeks(records, "sum", Noise.laplace(1), 3)
    if refused:
        with pytest.raises(TooLargeError, match="too small for floats"):
            blocks_leakage(framework, queries)
        return
    exact = queries_leakage(framework, NoisyQueries(tuple(queries))).leakage
    found = blocks_leakage(framework, queries)
    assert found is not None
    assert found.leakage.enclosure().lower[:14] == exact.enclosure().lower[:14]


def test_too_many_secret_records_are_refused_before_any_ratio(monkeypatch: pytest.MonkeyPatch) -> None:
    records = Records(21, ("0", "1"))
    chain = MarkovChain(["1/2", "1/2"], [["9/10", "1/10"], ["1/5", "4/5"]])
    secrets = {"a": (4, "0"), "b": (4, "1"), "c": (18, "0"), "d": (18, "1")}
    framework = Framework.of_records(records, secrets, [("a", "b"), ("c", "d")], {"t": chain})
    monkeypatch.setattr(around, "_MOST_WORK", 5)
    monkeypatch.setattr(around.ChainOfBlocks, "_largest", None)
    with pytest.raises(TooLargeError, match=r"2 pairs of values .* expected at most 5, of fewer"):
        blocks_leakage(framework, weeks(records, "sum", Noise.laplace(5)))


UNEVEN = [["1/10", "6/10", "3/10"], ["5/10", "1/10", "4/10"], ["2/10", "7/10", "1/10"]]


def test_gaussian_noise_long_alphabets_and_pairs_of_records_have_no_cones() -> None:
    records = Records(9, ("0", "1"))
    chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    secrets = {"a": (4, "0"), "b": (4, "1")}
    framework = Framework.of_records(records, secrets, [("a", "b")], {"t": chain})
    assert blocks_leakage(framework, [RecordQuery("sum", Noise.gaussian(2), records)]) is None
    seven = Records(9, tuple("0123456"))
    even = MarkovChain("stationary", [["1/7"] * 7] * 7)
    many = Framework.of_records(seven, {"a": (4, "0"), "b": (4, "1")}, [("a", "b")], {"t": even})
    assert blocks_leakage(many, [RecordQuery("sum", Noise.laplace(2), seven)]) is None
    long = Records(10**6, ("0", "1"))
    whole = Framework.of_records(long, secrets, [("a", "b")], {"t": chain})
    with pytest.raises(TooLargeError, match="products: expected at most 2000000000, of"):
        blocks_leakage(whole, [RecordQuery("sum", Noise.laplace(2), long)])


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_what_is_kept_of_points_covers_all_of_them(size: int) -> None:
    drawn = np.random.default_rng(size)
    points = drawn.uniform(0.1, 1, (150, size)).astype(np.longdouble)
    kept, slack = thinned(points)
    weights = covered(points, points[kept])
    weights[kept] = 0
    assert weights.max() <= slack + 1e-12
    one = Cone.of([1] * size)
    rows = drawn.uniform(0.1, 1, (5, size, size)).astype(np.longdouble)
    image = one.image(rows, 0.0)
    for matrix in rows:
        assert covered((matrix @ one.rays[0])[None], image.rays)[0] <= image.slack + 1e-12


def test_a_value_that_changes_nothing_leaves_one_ray() -> None:
    records = Records(6, ("0", "1", "2"))
    chain = MarkovChain(["1/3", "1/3", "1/3"], [["1/2", "1/4", "1/4"]] * 3)
    framework = Framework.of_records(records, {"a": (3, "0"), "b": (3, "2")}, [("a", "b")], {"t": chain})
    found = blocks_leakage(framework, weeks(records, "sum", Noise.laplace(2), 2))
    assert found is not None
    # one record tells e^(2 / 2), whatever the others are
    assert found.leakage.enclosure().lower[:6] in ("1.0000", "0.9999")


def test_a_year_of_weeks_of_three_values_is_closed() -> None:
    """Windows around the record alone leave 0.2927 to 0.3039 nats."""
    records = Records(364, ("0", "1", "2"))
    secrets = {f"x={v}": (180, v) for v in records.alphabet}
    chain = MarkovChain("stationary", UNEVEN)
    framework = Framework.of_records(records, secrets, "disjoint", {"t": chain})
    found = audit(framework, weeks(records, "sum", Noise.laplace(5)), "0.3")
    assert isinstance(found.largest, BlocksLeakage)
    assert found.leakage.enclosure().lower[:8] == found.leakage.enclosure().upper[:8] == "0.293854"
    assert found.verdict is not None
    assert found.verdict.value == "SATISFIES"
