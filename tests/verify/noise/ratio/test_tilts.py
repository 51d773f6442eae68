"""Bounds by tilts: around exact leakages, and met by corners where one sign is best everywhere."""

from fractions import Fraction
from itertools import product
from random import Random
from warnings import catch_warnings, simplefilter

import numpy as np
import pytest
from tests import seeds
from tests.verify.noise.laws.test_chain import random_prior, random_query

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.exponential_sums import Power
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.audit import audit
from pufferproof.verify.noise.accounts.tilted import Start, TiltedSides, Tilts, tilted_ratios
from pufferproof.verify.noise.ratio.bounds import noise_bounds, with_closest_tilts, with_tilts

# Seattle's weather of 2012 to 2015 (drizzle, fog, rain, snow, sun), counted from day to day
WEATHER = [[16, 8, 15, 0, 15], [1, 252, 6, 0, 152], [16, 3, 182, 10, 48], [1, 0, 8, 10, 4], [19, 148, 48, 3, 495]]
KINDS = ("drizzle", "fog", "rain", "snow", "sun")


def weather(days, private):
    rows = [[Fraction(n, sum(row)) for n in row] for row in WEATHER]
    secrets = {kind: (private, kind) for kind in KINDS}
    chain = MarkovChain("stationary", rows)
    return Framework.of_records(Records(days, KINDS), secrets, "disjoint", {"fitted": chain})


@seeds(120)
def test_bounds_hold_the_exact_leakage(seed):
    random = Random(seed)
    alphabet = random.choice([("0", "1"), ("-1", "1/2", "3")])
    records = Records(random.randint(1, 5), alphabet)
    left, right = random.sample(alphabet, 2)
    secrets = {
        f"{name}{i}": (i, value)
        for i in {1, random.randint(1, records.count), records.count}
        for name, value in (("s", left), ("t", right))
    }
    priors = {"p": random_prior(random, len(alphabet), records.count)}
    releases = [random_query(random, records) for _ in range(random.randint(1, 2))]
    framework = Framework.of_records(records, secrets, "disjoint", priors)
    try:
        exact = audit(framework, releases).leakage
        bounds = noise_bounds(framework, *releases)
    except ModelError:
        return
    found = with_tilts(framework, releases, bounds)
    assert found.leakage.lower <= exact.upper
    if found.tilts:
        assert exact.lower <= found.tilts[0].upper
    assert found.leakage.upper is None or exact.lower <= found.leakage.upper


@seeds(60)
def test_a_ratio_is_the_largest_of_all_products_of_ends(seed):
    random = Random(seed)
    size, length = random.choice([(2, 1), (2, 4), (3, 1), (3, 3)])
    kernel = [_law(random, size) for _ in range(size)]
    up = [Fraction(random.choice([1, 2, 3]), random.choice([1, 1, 2])) for _ in range(size)]
    up = [max(r, 1 / r) for r in up]
    ends = [Fraction(random.randint(0, 2)) for _ in range(size)]
    columns = []
    for signs in product(product((1, -1), repeat=size), repeat=length):
        column = ends
        for chosen in signs:
            tilted = [m * r**sign for m, r, sign in zip(column, up, chosen)]
            column = [sum(p * m for p, m in zip(row, tilted)) for row in kernel]
        columns.append(column)
    if any(column[1] == 0 for column in columns):
        return
    best = max(column[0] / column[1] for column in columns)
    tilts = Tilts(np.array([float(r) for r in up]), np.array([float(1 / r) for r in up]))
    low, high = np.array([float(m) for m in ends]), np.array([float(m) for m in ends])
    step = np.array([[float(p) for p in row] for row in kernel])
    ratio = Fraction(float(tilted_ratios(step, [(length, tilts)], (low, high), [Start(0, 1)])[0][0]))
    assert best <= ratio <= best * (1 + Fraction(1, 10**9)) + Fraction(1, 10**9)


@seeds(60)
def test_balls_find_the_largest_of_all_products_of_ends(seed):
    random = Random(seed)
    size, length, record = random.choice([(2, 2, 1), (2, 5, 3), (3, 3, 2), (3, 4, 4), (2, 4, 1)])
    rows = [_law(random, size) for _ in range(size)]
    start = _law(random, size)
    powers = [Power.of(Fraction(random.choice([1, 2, 3])), Fraction(1)) for _ in range(size)]
    ends = [power.ends() for power in powers]
    tilts = Tilts(np.array([r for r, _ in ends]), np.array([1 / r for r, _ in ends]), tuple(powers))
    sides = TiltedSides.of(Chain.of_markov(MarkovChain(start, rows)), [(1, length, tilts)])
    ups, chances = [power.split()[0] for power in powers], start
    for _ in range(record - 1):
        chances = [sum(p * row[y] for p, row in zip(chances, rows)) for y in range(size)]
    if not (chances[0] and chances[1]):
        return
    for later, steps in ((False, record - 1), (True, length - record)):
        ratios = []
        for signs in product(product((1, -1), repeat=size), repeat=steps):
            column = [Fraction(1)] * size if later else start
            for chosen in signs:
                tilted = [m * r**sign for m, r, sign in zip(column, ups, chosen)]
                moved = rows if later else [*zip(*rows)]
                column = [sum(p * m for p, m in zip(row, tilted)) for row in moved]
            one, other = column[:2] if later else (column[v] / chances[v] for v in range(2))
            ratios.append(one / other if other else None)
        if None in ratios:
            continue
        known = max(ratios) * (1 + Fraction(1, 10**9))
        found = sides.closest(record, (0, 1), known, later)
        assert found is None or max(ratios) <= found <= max(max(ratios), 1) * (1 + Fraction(1, 10**18))
        if known > 1:
            assert found is not None


def test_balls_tell_records_apart_whose_laws_are_the_same_floats():
    """The chain comes to its limit more slowly than a walk decides."""
    rows = [["9/10", "1/20", "1/20"], ["1/10", "17/20", "1/20"], ["1/20", "1/20", "9/10"]]
    chain, records = MarkovChain(["1/100", "1/100", "98/100"], rows), Records(300, ("0", "1", "2"))
    query, upper = RecordQuery("sum", Noise.laplace("1/4"), records), []
    for private in ((290,), (230,), (230, 290)):
        secrets = {f"{value}{record}": (record, value) for record in private for value in ("0", "2")}
        pairs = [(f"0{record}", f"2{record}") for record in private]
        framework = Framework.of_records(records, secrets, pairs, {"theta": chain})
        bounds = with_tilts(framework, [query], noise_bounds(framework, query))
        upper.append(with_closest_tilts(framework, [query], bounds).leakage.upper)
    assert upper[1] < upper[0] == upper[2]


def _law(random, size):
    weights = [random.randint(0, 3) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return [Fraction(weight, sum(weights)) for weight in weights]


def test_a_month_of_weather_is_known_to_one_in_a_hundred():
    query = RecordQuery("histogram", Noise.laplace(10), Records(30, KINDS))
    found = audit(weather(30, 15), query)
    low, high = found.leakage.enclosure().lower, found.leakage.enclosure().upper
    assert (low[:8], high[:8]) == ("1.694286", "1.704614")
    signs = [found.largest.compare(Level(level)) for level in ("1.8", "1.7", "1.69")]
    assert (signs, "worst.tilts" in found.largest.rests_on(None)) == ([-1, None, 1], True)


@pytest.mark.parametrize("days", [365, 10**6])
def test_strong_tilts_meet_a_corner(days):
    query = RecordQuery("histogram", Noise.laplace(1), Records(days, KINDS))
    framework = weather(days, days // 2)
    found = with_tilts(framework, [query], noise_bounds(framework, query))
    assert (found.near, found.leakage.enclosure().lower[:9]) == (True, "13.588716")


def test_records_at_the_ends_and_segments_have_sides_of_their_own():
    records = Records(40, KINDS)
    query = RecordQuery("histogram", Noise.laplace(5), records, (10, 20))
    for private in (1, 9, 10, 21, 40):
        found = with_tilts(weather(40, private), [query], noise_bounds(weather(40, private), query))
        parts = (getattr(found.tilts[0], part).upper for part in ("own", "before", "after"))
        silent = tuple(part < 1 + Fraction(1, 10**9) for part in parts)
        assert silent == (private not in range(10, 21), private < 11, private > 19)
        assert found.leakage.upper <= found.leakage.lower * Fraction(103, 100)


def test_hidden_chains_networks_and_rare_steps_keep_their_bounds():
    rare = [["1", "0"], ["1e-300", "0." + "9" * 300]]
    records = Records(5, ("0", "1"))
    framework = Framework.of_records(
        records, {"a": (2, "0"), "b": (2, "1")}, "disjoint", {"p": MarkovChain(["1/2"] * 2, rare)}
    )
    query = RecordQuery("histogram", Noise.laplace(5), records)
    bounds = noise_bounds(framework, query)
    assert with_tilts(framework, [query], bounds) is bounds


def test_values_too_rare_for_floats_have_no_bound_and_warn_of_nothing():
    rare = [["1", "0"], ["0." + "9" * 190, "1e-190"]]
    records = Records(5, ("0", "1"))
    prior = MarkovChain(["0", "1"], rare)
    secrets = {"a": (5, "0"), "b": (5, "1")}
    framework = Framework.of_records(records, secrets, "disjoint", {"p": prior})
    query = RecordQuery("sum", Noise.laplace(1000), records)
    with catch_warnings():
        simplefilter("error")
        assert not with_tilts(framework, [query], noise_bounds(framework, query)).tilts
