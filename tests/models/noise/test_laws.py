"""What the noise of a query rests on: distances and plans of its laws, and influence matrices."""

from fractions import Fraction
from itertools import chain, combinations, product
from math import exp, log
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.distance import line_distance, vector_distance
from pufferproof.models.noise.inferential import InfluenceMatrix, influences
from pufferproof.models.noise.scale import margin
from pufferproof.models.noise.transport import farthest, mean_scale, quantile_plan
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws
from pufferproof.verify.noise.scale.calibration import LaplaceLevel

# The infinity-Wasserstein distance against its definition: the least t with a coupling, found by
# Hall's condition.


def brute(left, right, apart):
    """The least distance t such that every set of left values has no more mass than what lies
    within t of it (Hall).
    """
    distances = sorted({apart(x, y) for x in left for y in right})
    subsets = list(chain.from_iterable(combinations(left, size) for size in range(1, len(left) + 1)))
    for t in distances:
        if all(
            sum(left[x] for x in chosen) <= sum(p for y, p in right.items() if any(apart(x, y) <= t for x in chosen))
            for chosen in subsets
        ):
            return t
    raise AssertionError("the largest distance always has a coupling")


def random_law(random, points):
    chosen = random.sample(points, random.randint(1, min(5, len(points))))
    weights = [random.randint(1, 4) for _ in chosen]
    return {point: Fraction(weight, sum(weights)) for point, weight in zip(chosen, weights)}


def test_of_vectors_it_is_the_definition():
    random = Random(2)
    points = [(Fraction(x), Fraction(y)) for x in range(3) for y in range(3)]
    for _ in range(60):
        left, right = random_law(random, points), random_law(random, points)
        expected = brute(left, right, lambda x, y: abs(x[0] - y[0]) + abs(x[1] - y[1]))
        assert vector_distance(left, right) == expected


def test_it_is_a_distance():
    random = Random(3)
    points = list(range(7))
    for _ in range(100):
        a, b, c = (random_law(random, points) for _ in range(3))
        assert line_distance(a, a) == 0
        assert line_distance(a, c) <= line_distance(a, b) + line_distance(b, c)
        shifted = {x + 3: p for x, p in a.items()}
        assert line_distance(a, shifted) == 3


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        ({0: "1/2"}, {0: 1}, "sums to 1/2, expected 1"),
        ({}, {0: 1}, "sums to 0, expected 1"),
        ({"x": 1}, {0: 1}, "expected a"),
        ({0: "3/2", 1: "-1/2"}, {0: 1}, "expected a probability"),
    ],
)
def test_what_is_no_law_is_refused(left, right, message):
    with pytest.raises(ModelError, match=message):
        line_distance(left, right)


def test_vectors_of_different_lengths_are_refused():
    with pytest.raises(ModelError, match="vectors of one length"):
        vector_distance({(0, 0): 1}, {(0,): 1})


# Transport plans of laws of a number, and the scales that they ask for, against floats and exact
# leakage.


@st.composite
def laws(draw):
    values = draw(st.lists(st.integers(0, 6), min_size=1, max_size=4, unique=True))
    weights = draw(st.lists(st.integers(1, 5), min_size=len(values), max_size=len(values)))
    return {Fraction(v): Fraction(w, sum(weights)) for v, w in zip(values, weights)}


@examples(200)
@given(laws(), laws())
def test_the_plan_of_quantiles_is_a_coupling_and_its_farthest_move_is_w_inf(first, second):
    plan = quantile_plan(first, second)
    for place, law in ((0, first), (1, second)):
        sums = {v: sum(each.mass for each in plan if each[place] == v) for v in law}
        assert sums == law
    assert sum(each.mass for each in plan) == 1
    assert farthest(plan) == line_distance(first, second)


def means_approx(plan, scale):
    """The largest mean of e^(|x - y| / b) over what leaves a value, or comes to one."""
    found = []
    for place in (0, 1):
        for value in {each[place] for each in plan}:
            some = [each for each in plan if each[place] == value]
            total = sum(float(each.mass) for each in some)
            grown = sum(float(each.mass) * exp(abs(each.x - each.y) / scale) for each in some)
            found.append(grown / total)
    return max(found)


@examples(100)
@given(laws(), laws(), st.sampled_from(["0.5", "1", "log(2)", "log(9)"]))
def test_the_means_reach_the_level_and_the_noise_keeps_it(first, second, epsilon):
    level, plan = Level.parse(epsilon), quantile_plan(first, second)
    scale = mean_scale(plan, level)
    if not farthest(plan):
        assert scale.upper == 0
        return
    assert scale.lower <= scale.upper <= scale.lower * Fraction(100001, 100000)
    bound = exp(float(level.enclosure().upper))
    assert means_approx(plan, float(scale.upper)) <= bound * (1 + 1e-9)
    assert means_approx(plan, float(scale.lower) * (1 - 1e-6)) > bound
    assert float(scale.upper) <= float(farthest(plan)) / float(level.enclosure().lower) * (1 + 1e-9)
    pairs = [({(v,): p for v, p in law.items()}) for law in (first, second)]
    both = [LawPair("theta", ("s", "t"), *pairs), LawPair("theta", ("t", "s"), *pairs[::-1])]
    known = QueryLaws((Noise.laplace(1),), tuple(both), 0, ())
    assert not LaplaceLevel(known, level).exceeds(scale.upper)


# GK16: influence matrices against the definition, spectral norms and row sums against floats, and
# the promise against exact leakage.


def by_definition(weights, count, values):
    """e^(2 gamma_ij): all pairs of databases that differ in record j alone."""
    mass = dict(zip(product(range(values), repeat=count), weights))

    def conditional(i, x):
        return Fraction(mass[x], sum(mass[*x[:i], v, *x[i + 1 :]] for v in range(values)))

    return [
        {
            j: ratio
            for j in range(count)
            if j != i
            and (
                ratio := max(
                    conditional(i, x) / conditional(i, (*x[:j], v, *x[j + 1 :])) for x in mass for v in range(values)
                )
            )
            != 1
        }
        for i in range(count)
    ]


def alphabet(values):
    return tuple("012"[:values])


@examples(60)
@given(st.sampled_from([(1, 2), (2, 2), (3, 2), (2, 3), (3, 3)]), st.data())
def test_influences_are_those_of_the_definition(size, data):
    count, values = size
    weights = data.draw(st.lists(st.integers(1, 9), min_size=values**count, max_size=values**count))
    records = Records(count, alphabet(values))
    prior = Table({x: Fraction(w, sum(weights)) for x, w in zip(records.labels(), weights)})
    assert influences(prior, records) == by_definition(weights, count, values)
    matrix = InfluenceMatrix.of(prior, records)
    floats = np.zeros((count, count))
    for i, row in enumerate(by_definition(weights, count, values)):
        for j, ratio in row.items():
            floats[i, j] = log(ratio) / 2
    lower, upper = matrix.norm
    norm = float(np.linalg.norm(floats, 2))
    assert lower <= upper
    assert float(lower) <= norm * (1 + 1e-12) <= float(upper) * (1 + 2e-12) + 1e-15
    if upper < 1:
        wanted = float(np.linalg.inv(np.eye(count) - floats).sum(axis=1).max())
        low, high = matrix.largest_sum(range(1, count + 1))
        assert low <= high
        assert float(low) == pytest.approx(wanted)
        assert float(high) == pytest.approx(wanted)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("initial", ["stationary", ["1/3", "2/3"]])
def test_a_chain_has_the_influences_of_its_law(count, initial):
    chain = MarkovChain(initial, [["3/5", "2/5"], ["1/4", "3/4"]])
    records = Records(count, ("0", "1"))
    law = chain.law(records.labels(), records)
    weights = [Fraction(w, law.total) for w in law.weights]
    table = Table(dict(zip(records.labels(), weights)))
    assert influences(chain, records) == influences(table, records)


def test_a_chain_in_the_middle_has_the_number_of_the_published_code():
    # inferentialPrivacy_cal_gamma.m at p = 3/5, q = 1/2: the largest of its four ratios
    chain = MarkovChain("stationary", [["1/2", "1/2"], ["2/5", "3/5"]])
    rows = influences(chain, Records(9, ("0", "1")))
    assert rows[4] == {3: Fraction(14, 11), 5: Fraction(14, 11)}


def test_independent_records_have_no_influence():
    matrix = InfluenceMatrix.of(Product([["1/4", "3/4"]] * 3), Records(3, ("0", "1")))
    assert matrix.norm == (0, 0)
    assert matrix.largest_sum([1, 2, 3]) == (1, 1)


@pytest.mark.parametrize(
    "prior",
    [
        Product([["1", "0"]] * 3),
        MarkovChain(["1/2", "1/2"], [["1", "0"], ["0", "1"]]),
        MarkovChain(["1", "0"], [["1/2", "1/2"], ["1/2", "1/2"]]),
        Table({"000": "1/2", "111": "1/2"}),
    ],
)
def test_what_is_impossible_has_no_row(prior):
    with pytest.raises(ModelError, match="every database is possible"):
        influences(prior, Records(3, ("0", "1")))


def test_no_row_sums_at_a_norm_of_one_or_more():
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    with pytest.raises(ModelError, match="spectral norm below 1"):
        InfluenceMatrix.of(chain, Records(5, ("0", "1"))).largest_sum([1])


def test_a_level_less_a_logarithm_is_enclosed_with_bits_to_spare():
    low, high = margin(Level.parse("3"), Fraction(1100, 243))
    assert abs(low - (3 - log(1100 / 243))) < 1e-15
    assert 0 < high - low <= low / 2**136
