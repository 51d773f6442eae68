"""The infinity-Wasserstein distance against its definition: the least t with a coupling, found
by Hall's condition.
"""

from fractions import Fraction
from itertools import chain, combinations
from random import Random

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.distance import line_distance, vector_distance


def brute(left, right, apart):
    """The least distance t such that every set of left values has no more mass than what lies
    within t of it (Hall).
    """
    distances = sorted({apart(x, y) for x in left for y in right})
    subsets = list(
        chain.from_iterable(combinations(left, size) for size in range(1, len(left) + 1))
    )
    for t in distances:
        if all(
            sum(left[x] for x in chosen)
            <= sum(p for y, p in right.items() if any(apart(x, y) <= t for x in chosen))
            for chosen in subsets
        ):
            return t
    raise AssertionError("the largest distance always has a coupling")


def random_law(random, points):
    chosen = random.sample(points, random.randint(1, min(5, len(points))))
    weights = [random.randint(1, 4) for _ in chosen]
    return {point: Fraction(weight, sum(weights)) for point, weight in zip(chosen, weights)}


def test_on_the_line_it_is_the_definition():
    random = Random(1)
    points = [Fraction(n, 2) for n in range(-4, 9)]
    for _ in range(80):
        left, right = random_law(random, points), random_law(random, points)
        expected = brute(left, right, lambda x, y: abs(x - y))
        assert line_distance(left, right) == line_distance(right, left) == expected
        assert (
            vector_distance({(x,): p for x, p in left.items()}, {(x,): p for x, p in right.items()})
            == expected
        )


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


def test_values_of_probability_zero_do_not_count():
    assert line_distance({0: 1, 100: 0}, {0: 1, -100: 0}) == 0
    assert vector_distance({(0, 0): 1, (9, 9): 0}, {(0, 0): 1}) == 0


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
