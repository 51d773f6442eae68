"""Influences over boxes of transition matrices: no chain of the box exceeds the bounds, and
corners attain them.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from tests.brute import influence as brute

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import stationary_law
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.verify.influence.box.contrast import (
    ONE,
    BoxPowers,
    BoxQuilt,
    Contrast,
    PointPowers,
    several_stationary,
    unbounded,
)
from pufferproof.verify.influence.box.largest import class_influence, two_state_corner
from pufferproof.verify.influence.chain import max_influence

HALF = Fraction(1, 2)
LENGTH = 6
QUILTS = [(2, 1, None), (3, None, 2), (3, 2, 1), (4, 1, 2), (4, 3, 1), (1, None, 1), (2, 1, 2)]


def two_states(initial, p, r):
    """The box of P(0, 1) in p and P(1, 0) in r."""
    (p0, p1), (r0, r1) = ((Fraction(a), Fraction(b)) for a, b in (p, r))
    return IntervalChain(initial, [[1 - p1, p0], [r0, 1 - r1]], [[1 - p0, p1], [r1, 1 - r0]])


def matrices(box, steps):
    """A grid of matrices in a two-state box, its corners among them."""
    spans = [(box.lower[0][1], box.upper[0][1]), (box.lower[1][0], box.upper[1][0])]
    grid = [[low + (high - low) * Fraction(step, steps) for step in range(steps + 1)] for low, high in spans]
    return [((1 - p, p), (r, 1 - r)) for p, r in product(*grid)]


def brute_influence(initial, transition, record, left, right):
    """By enumeration of all sequences, for a law of X_1 or the stationary one."""
    others = [record + step for step in (-(left or 0), right or 0) if step]
    if initial == "stationary":
        return brute.influence(stationary_law(transition), transition, LENGTH, record, others)
    return brute.influence(initial, transition, LENGTH, record, others)


def of_chain(box, transition, record, left, right):
    return max_influence(box.chain(transition), LENGTH, record, left, right, any_start=box.initial == "any")


BOXES = [
    (("1/4", "1/2"), ("1/8", "1/2")),  # c > 0
    (("1/2", "3/4"), ("3/4", "7/8")),  # c < 0
    (("1/4", "3/4"), ("1/3", "2/3")),  # both
    (("1/4", "1/4"), ("1/8", "5/8")),  # an edge
    (("1/3", "1/3"), ("1/5", "1/5")),  # a point
    (("1/3", "1/2"), ("2/3", "1")),  # touching 1
    (("1/2", "1/2"), ("1/2", "1/2")),  # independent records
    (("2/5", "1/2"), ("1/2", "3/5")),  # c = 0 at a corner of each sign
]
STARTS = ["any", "stationary", ["1/3", "2/3"], [1, 0], [0, 1]]


@pytest.mark.parametrize("initial", STARTS, ids=str)
@pytest.mark.parametrize(("p", "r"), BOXES)
def test_no_chain_of_a_two_state_box_exceeds_the_supremum_and_a_corner_attains_it(initial, p, r):
    box = two_states(initial, p, r)
    for quilt in QUILTS:
        found = class_influence(box, LENGTH, *quilt)
        assert found.lower == found.upper
        values = [of_chain(box, transition, *quilt).lower for transition in matrices(box, 2)]
        if None in values:
            assert found == Bounds.infinite()
        elif initial == [0, 1] and r[1] == "1":  # at r = 1 record 2 has one value: the supremum may only be approached
            assert max(values) <= found.lower
        else:
            assert max(values) == found.lower


@pytest.mark.parametrize("initial", ["stationary", ["1/3", "2/3"]], ids=str)
def test_enumerated_chains_stay_below(initial):
    for p, r in BOXES[:3]:
        box = two_states(initial, p, r)
        for quilt in QUILTS[:4]:
            found = class_influence(box, LENGTH, *quilt)
            assert max(brute_influence(box.initial, each, *quilt) for each in matrices(box, 2)) <= found.upper


def test_the_corner_attains_the_supremum():
    for initial, (p, r) in product(("any", "stationary"), BOXES):
        box = two_states(initial, p, r)
        found = two_state_corner(box, LENGTH, 3, 2, 1)
        assert box.holds(found.transition)
        assert of_chain(box, found.transition, 3, 2, 1) == found.bounds


def test_the_largest_record_is_the_first_from_any_law():
    box = two_states("any", *BOXES[0])
    assert class_influence(box, 100, None, 2, 1) == class_influence(box, 100, 3, 2, 1)
    assert class_influence(box, 100, 4, 2, 1).upper < class_influence(box, 100, 3, 2, 1).lower
    still = two_states("stationary", *BOXES[0])
    assert class_influence(still, 100, None, 2, 1) == class_influence(still, 100, 57, 2, 1)


def test_all_records_from_a_given_law():
    box = two_states(["1/5", "4/5"], *BOXES[0])
    single = [class_influence(box, 8, record, 1, 1) for record in range(2, 8)]
    assert class_influence(box, 8, None, 1, 1).lower == max(each.lower for each in single)
    long = class_influence(box, 10**6, None, 1, 1)
    assert long.lower == long.upper >= max(each.lower for each in single)


def test_long_distances_are_enclosed():
    for initial in STARTS[:3]:
        found = class_influence(two_states(initial, *BOXES[0]), 10**6, 400_000, 500, 700)
        assert 1 < found.lower <= found.upper
        assert (found.upper - found.lower) * 10**14 < found.lower - 1


ZERO = [
    ("any", ("0", "1/2"), ("1/4", "1/2"), (3, 1, None)),  # P(0, 1) = 0: attained
    ("any", ("0", "0"), ("1/4", "1/2"), (3, None, 1)),
    ("any", ("1/2", "1"), ("1/2", "1"), (3, 1, 1)),  # the periodic corner
    ("stationary", ("0", "1/2"), ("1/4", "1/2"), (3, 1, None)),  # approached
    ("stationary", ("1/2", "1"), ("1/2", "1"), (3, None, 1)),
    ("stationary", ("0", "1"), ("0", "1"), (3, 1, 1)),
    (["0", "1"], ("1/4", "1/2"), ("0", "1/4"), (2, None, 3)),  # approached: X_2 = 0 gets impossible
    (["1/2", "1/2"], ("0", "1/2"), ("1/4", "1/2"), (2, None, 1)),
]


def test_zeros_make_the_supremum_infinite():
    for initial, p, r, quilt in ZERO:
        assert class_influence(two_states(initial, p, r), LENGTH, *quilt) == Bounds.infinite()


def test_an_infinite_supremum_is_approached():
    near = [Fraction(1, 10**step) for step in (1, 2, 3)]
    values = [brute_influence([0, 1], ((HALF, HALF), (r, 1 - r)), 2, None, 3) for r in near]
    assert values[0] < values[1] < values[2]
    assert values[2] > 50


def test_several_stationary_laws_are_refused_where_they_matter():
    with pytest.raises(ModelError, match='initial: "stationary" expects chains with one recurrent class'):
        class_influence(two_states("stationary", ("0", "1/2"), ("0", "0")), LENGTH, 3, 1, 1)
    assert several_stationary(two_states("stationary", ("0", "1/2"), ("0", "1/2")))
    assert not several_stationary(two_states("stationary", ("0", "1/2"), ("1/8", "1/2")))
    lower, upper = (
        [["1/2", 0, 0], ["1/4", 0, 0], [0, 0, "1/2"]],
        [[1, "1/2", 0], ["1/2", "1/2", "1/2"], [0, "1/2", 1]],
    )
    assert several_stationary(IntervalChain("stationary", lower, upper))


def three_states(initial, radius):
    rows = [["1/2", "3/10", "1/5"], ["1/5", "3/5", "1/5"], ["1/4", "1/4", "1/2"]]
    low = [[Fraction(value) - radius for value in row] for row in rows]
    return IntervalChain(initial, low, [[value + 2 * radius for value in row] for row in low])


def random_row(generator, lower, upper):
    row, rest = list(lower), 1 - sum(lower)
    for u in generator.sample(range(len(row)), len(row)):
        part = min(rest, (upper[u] - lower[u]) * Fraction(generator.randint(0, 4), 4))
        row[u], rest = row[u] + part, rest - part
    for u, high in enumerate(upper):
        part = min(rest, high - row[u])
        row[u], rest = row[u] + part, rest - part
    return tuple(row)


@pytest.mark.parametrize("initial", ["any", "stationary", ["1/4", "1/4", "1/2"]], ids=str)
def test_no_chain_of_a_three_state_box_exceeds_the_bounds(initial):
    generator = random.Random(7)
    for radius, quilt in product((Fraction(1, 100), Fraction(1, 8)), [(2, None, 1), (3, 1, 1), (4, 2, 2)]):
        box = three_states(initial, radius)
        found = class_influence(box, LENGTH, *quilt, effort=100)
        assert found.lower <= found.upper
        chains = [tuple(random_row(generator, *bounds) for bounds in zip(box.lower, box.upper)) for _ in range(25)]
        assert all(box.holds(chain) for chain in chains)
        assert max(of_chain(box, chain, *quilt).lower for chain in chains) <= found.upper
        if radius < HALF / 10:
            assert found.lower == found.upper


def test_powers_of_a_box_hold_those_of_its_chains():
    generator = random.Random(3)
    box = three_states("any", Fraction(1, 8))
    powers = BoxPowers(box.lower, box.upper)
    for distance in (0, 1, 2, 3, 7):
        value, contrast = powers.power(distance).value, Contrast(powers)
        for _ in range(10):
            chain = tuple(random_row(generator, *bounds) for bounds in zip(box.lower, box.upper))
            power = PointPowers(chain).power(distance)
            for x, y in product(range(3), repeat=2):
                assert value.lower[x][y] <= power[x][y] * ONE <= value.upper[x][y]
                ratios = [Fraction(power[u][y], power[x][y]) for u in range(3) if distance and u != x]
                assert all(ratio * ONE <= contrast.most(distance, y, None, x) for ratio in ratios)


def test_far_rows_agree():
    box = three_states("any", Fraction(1, 50))
    contrast = Contrast(BoxPowers(box.lower, box.upper))
    found = [contrast.most(distance, 0, None, None) for distance in (1, 2, 32, 33, 100)]
    assert found == sorted(found, reverse=True)
    assert found[-1] - ONE < ONE >> 60


def test_unbounded_ways_are_found():
    assert unbounded(BoxQuilt(two_states("stationary", ("0", "1/2"), ("1/4", "1/2")), 3, 1, None))
    assert not unbounded(BoxQuilt(two_states("stationary", ("1/8", "1/2"), ("1/4", "1/2")), 3, 1, None))
    assert not unbounded(BoxQuilt(two_states([0, 1], ("1/4", "3/4"), ("0", "1")), 3, 2, None))


def test_quilts_and_sizes_are_checked():
    box = two_states("any", *BOXES[0])
    for record, left, right in ((2, 2, None), (5, 1, 2), (None, 3, 3), (0, None, 1), (7, None, 1)):
        with pytest.raises(ModelError, match="quilt: expected distances that"):
            class_influence(box, LENGTH, record, left, right)
    with pytest.raises(ModelError, match="left: expected a distance of at least 1, found 0"):
        class_influence(box, LENGTH, 3, 0, None)
    assert class_influence(box, LENGTH, 3) == Bounds.none()
    with pytest.raises(ModelError, match="stationary laws over a box: expected at most 5 states, found 6"):
        class_influence(IntervalChain("stationary", [["1/8"] * 6] * 6, [["1/2"] * 6] * 6), LENGTH, 3, 1)
    with pytest.raises(ModelError, match="expected a box of at most 10 states, found 11"):
        class_influence(IntervalChain("any", [["1/20"] * 11] * 11, [["1/2"] * 11] * 11), LENGTH, 3, 1)
