"""Influence curves of classes of chains against matrices and initial laws of them."""

from fractions import Fraction
from random import Random

import pytest
from tests import seeds
from tests.brute import influence as brute
from tests.brute.influence import sequence_law
from tests.verify.influence.curves.test_along import orders_of, pairs_of

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.chains import IntervalChain, vertices
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.tables import Product
from pufferproof.verify.influence.curves.chains import chain_points
from pufferproof.verify.influence.curves.classes import class_points
from pufferproof.verify.influence.curves.point import ChainStart

NEAR = Fraction(1, 10**8)


def random_box(random, size, start, free=3):
    """A box of which so many rows are free, and the others known."""
    lower, upper = [], []
    for x in range(size):
        weights = [random.randint(1, 6) for _ in range(size)]
        margin = Fraction(1, random.choice([10, 20, 40])) if x < free else Fraction(0)
        row = [Fraction(weight, sum(weights)) for weight in weights]
        lower.append([max(Fraction(1, 100), p - margin) for p in row])
        upper.append([min(Fraction(1), p + margin) for p in row])
    return IntervalChain(start, lower, upper)


def random_row(random, low, high):
    corners = vertices(low, high)
    weights = [random.randint(0, 4) for _ in corners]
    weights[0] += not sum(weights)
    return tuple(
        sum(Fraction(weight, sum(weights)) * corner[x] for weight, corner in zip(weights, corners))
        for x in range(len(low))
    )


def laws_of(random, box, count):
    """Laws of the class: corners and others, from their stationary or nearly every initial law."""
    corners = box.corners()
    matrices = random.sample(corners, min(len(corners), 4))
    matrices += [tuple(map(lambda a, b: random_row(random, a, b), box.lower, box.upper))]
    laws = []
    for matrix in matrices:
        starts = [box.chain(matrix).initial_law()]
        if box.initial == "any":
            rest = 1 - (box.states - 1) * NEAR
            starts = [[rest if x == most else NEAR for x in range(box.states)] for most in range(box.states)]
        laws += [sequence_law(start, matrix, count) for start in starts]
    return laws


@seeds(12)
def test_no_chain_of_a_class_has_more(seed):
    random = Random(seed)
    size = seed % 2 + 2
    count = random.randint(2, 5 if size == 2 else 3)
    start = ["any", "stationary", [Fraction(1, size)] * size][seed % 3]
    box = random_box(random, size, start)
    record = random.randint(1, count)
    most = min(count, 3)
    points = class_points({"theta": box}, count, orders_of([record], size), most)
    below = brute.curve(laws_of(random, box, count), pairs_of([record], size), count, most)
    for point, known in zip(points, below):
        assert point.upper is None or known <= point.upper
    if size == 2 and start == "stationary":  # all four corners are among the laws
        assert [point.ratio.upper for point in points] == below
    if size == 2:
        for point, known in zip(points[1:], below[1:]):
            assert start not in ("any", "stationary") or point.exact
            assert known * (1 + 10**6 * NEAR) >= point.lower or start != "any"


@pytest.mark.parametrize("seed", [0, 1, 3, 4])  # two and three states, either start
def test_short_curves_of_all_records_stand_for_every_record(seed):
    random = Random(seed)
    size = seed % 2 + 2
    box = random_box(random, size, ["any", "stationary"][seed // 3], free=2)
    records, most = range(1, 4), seed % 2 + 1
    points = class_points({"theta": box}, 3, orders_of(records, size), most)
    below = brute.curve(laws_of(random, box, 3), pairs_of(records, size), 3, most)
    for point, known in zip(points, below):
        assert point.upper is None or known <= point.upper


def test_lower_ends_are_reached():
    """One matrix of a box is no more than the box, and its curve at most that of the box."""
    random = Random(1)
    box = random_box(random, 3, "stationary", free=2)
    points = class_points({"theta": box}, 5, orders_of([3], 3), 3)
    for corner in box.corners()[:2]:
        chain = ChainStart(MarkovChain("stationary", corner))
        for point, known in zip(points, chain_points([chain], 5, orders_of([3], 3), 3)):
            assert point.upper is None or known.upper <= point.upper
    for point in points[1:]:
        assert point.lower <= point.upper < point.lower * 2


def test_a_class_of_one_matrix_is_a_chain():
    matrix = [["3/4", "1/4"], ["1/2", "1/2"]]
    box = IntervalChain("any", matrix, matrix)
    chain = ChainStart(MarkovChain(["1/2", "1/2"], matrix), anywhere=True)
    orders = orders_of([2, 4], 2)
    expected = chain_points([chain], 6, orders, 6)
    assert class_points({"theta": box}, 6, orders, 6) == expected


def test_beside_a_class_chains_and_independent_records_count():
    random = Random(3)
    box = random_box(random, 3, "stationary", free=2)
    chain = MarkovChain("stationary", [["9/10", "1/10", 0], [0, "9/10", "1/10"], ["1/10", 0, "9/10"]])
    classes = {"box": box, "chain": ChainStart(chain), "product": Product([["1/3"] * 3] * 4)}
    orders = orders_of([2], 3)
    points = class_points(classes, 4, orders, 3)
    for point, known in zip(points, chain_points([ChainStart(chain)], 4, orders, 3)):
        assert point.infinite or known.infinite or point.upper >= known.lower
    assert points[1].infinite


def test_a_stationary_class_that_comes_near_a_zero_is_infinite():
    box = IntervalChain("stationary", [["1/2", 0], ["1/4", "1/2"]], [[1, "1/2"], ["1/2", "3/4"]])
    points = class_points({"theta": box}, 4, orders_of([2], 2), 4)
    assert [point.infinite for point in points] == [True] * 4 + [False]
    assert points[4].upper == 1


def test_classes_without_one_stationary_law_are_refused():
    box = IntervalChain("stationary", [[1, 0], [0, "1/2"]], [[1, 0], ["1/2", 1]])
    with pytest.raises(ModelError, match="one recurrent class"):
        class_points({"theta": box}, 4, orders_of([2], 2), 2)
    wide = IntervalChain("any", [["0"] * 11] * 11, [["1"] * 11] * 11)
    with pytest.raises(ModelError, match="at most 10 states, found 11"):
        class_points({"theta": wide}, 4, orders_of([2], 11)[:2], 2)
