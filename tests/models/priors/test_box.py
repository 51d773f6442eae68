"""Boxes of transition matrices: their bounds are tightened, their vertices listed, and what
holds no chain is refused.
"""

import json
from fractions import Fraction
from itertools import product

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import class_of, read_framework
from pufferproof.models.files.reading import read_shape
from pufferproof.models.files.shapes import FrameworkFile
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.sequences.chain import Along

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def numbers(*values):
    return tuple(Fraction(value) for value in values)


def test_possible_values_follow_the_zeros():
    swap = [[0, 1], [1, 0]]
    assert [IntervalChain([1, 0], swap, swap).possible(t) for t in (1, 2, 3, 10**6)] == [[0], [1], [0], [1]]
    assert IntervalChain("any", swap, swap).possible(5) == [0, 1]
    assert IntervalChain([1, 0], [[0, 0], [0, 1]], [[1, "1/2"], [0, 1]]).possible(2) == [0, 1]


BAD = [
    ("any", [["1/2", 0]], [["1/2", 1]], r"transition_lower\[0\]: expected 1 entries, one per row, found 2"),
    ("any", [], [], "transition_lower: expected at least one row, found none"),
    ("any", [[0, 0], [0, 0]], [[1, 1]], "transition_upper: expected 2 rows as in transition_lower, found 1"),
    (
        "any",
        [["1/2", 0], [0, 0]],
        [["1/4", 1], [1, 1]],
        r"transition_lower\[0\]\[0\]: expected at most .* 1/4, found 1/2",
    ),
    (
        "any",
        [["3/4", "1/2"], [0, 0]],
        [[1, 1], [1, 1]],
        r"transition_lower\[0\]: no row .* sum to 5/4, expected at most 1",
    ),
    (
        "any",
        [[0, 0], [0, 0]],
        [[1, 1], ["1/4", "1/4"]],
        r"transition_upper\[1\]: no row .* sum to 1/2, expected at least 1",
    ),
    ("any", [[0, "-1/4"], [0, 0]], [[1, 1], [1, 1]], r"transition_lower\[0\]\[1\]: expected a bound from 0 to 1"),
    ("any", [[0, 0], [0, 0]], [[1, 2], [1, 1]], r"transition_upper\[0\]\[1\]: expected a bound from 0 to 1, found 2"),
    ("some", [[1]], [[1]], 'initial: expected a list of probabilities, "stationary" or "any", found "some"'),
    (["1/2", "1/4"], [[0, 0], [0, 0]], [[1, 1], [1, 1]], "initial: sums to 3/4"),
    ([1], [[0, 0], [0, 0]], [[1, 1], [1, 1]], "initial: expected 2 entries, one per value, found 1"),
]


@pytest.mark.parametrize(("initial", "lower", "upper", "message"), BAD, ids=range(len(BAD)))
def test_a_box_without_chains_is_refused(initial, lower, upper, message):
    with pytest.raises(ModelError, match=message):
        IntervalChain(initial, lower, upper)


def framework(markov):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": 3, "alphabet": ["0", "1"]},
        "secrets": {"x=0": {"record": 2, "value": "0"}, "x=1": {"record": 2, "value": "1"}},
        "pairs": "disjoint",
        "priors": {"theta": {"markov": markov}},
    }


@pytest.fixture
def save(tmp_path):
    def written(markov):
        path = tmp_path / "framework.json"
        path.write_text(json.dumps(framework(markov)), encoding="utf-8")
        return path

    return written


LOWER, UPPER = [["1/2", "0"], ["1/4", "1/2"]], [["1", "1/4"], ["1/2", "1"]]
BOX = {"initial": "stationary", "transition_lower": LOWER, "transition_upper": UPPER}


def test_a_class_of_chains_has_no_law(save):
    framework = read_framework(save(BOX)).value
    assert framework.classes == {"theta": IntervalChain("stationary", LOWER, UPPER)}
    with pytest.raises(
        ModelError, match=r"priors.theta: not supported: a box of priors is only for audit, compose, wor"
    ):
        _ = framework.laws


BAD_FILES = [
    ({"initial": "any"}, 'priors.theta.markov: missing key "transition"'),
    ({"initial": "any", "transition_lower": LOWER}, 'expected "transition_lower" and "transition_upper" together'),
    ({**BOX, "transition": LOWER}, 'expected "transition" or "transition_lower", found both'),
    ({**BOX, "transition_middle": LOWER}, 'unknown key "transition_middle"'),
]


@pytest.mark.parametrize(("markov", "message"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_a_file_with_no_box_is_refused(save, markov, message):
    with pytest.raises(ModelError, match=message):
        read_shape(save(markov), FrameworkFile)


def test_rows_of_a_file_are_checked(save):
    shape = read_shape(save({**BOX, "transition_upper": LOWER}), FrameworkFile)
    with pytest.raises(ModelError, match=r"priors.theta: transition_upper\[0\]: no row within the bounds sums to 1"):
        class_of("theta", shape.priors["theta"])
    shape = read_shape(save({"initial": "any", "transition": [["1", "1"], ["1", "0"]]}), FrameworkFile)
    with pytest.raises(ModelError, match=r"priors.theta: transition\[0\]: sums to 2"):
        class_of("theta", shape.priors["theta"])
    with pytest.raises(ModelError, match="expected 3 rows, one per value, found 2"):
        IntervalChain("any", LOWER, UPPER).expect(Records(2, ("a", "b", "c")))


def test_tightened_bounds_are_those_of_a_grid():
    steps = [Fraction(n, 6) for n in range(7)]
    for lower, upper in product(product(steps[:3], repeat=3), repeat=2):
        upper = tuple(low + high for low, high in zip(lower, upper))
        rows = [(a, b, 1 - a - b) for a in steps for b in steps if a + b <= 1]
        inside = [row for row in rows if all(low <= p <= high for low, p, high in zip(lower, row, upper))]
        if inside:
            box = IntervalChain("any", [lower] * 3, [upper] * 3)
            assert box.lower[0] == tuple(map(min, zip(*inside)))
            assert box.upper[0] == tuple(map(max, zip(*inside)))


def test_values_of_a_stationary_class_are_those_of_a_chain_inside_it():
    """Every pattern of zeros of three states: the law of a matrix with all other entries
    positive, if there is one law.
    """
    rows = [tuple(Fraction(int(x), sum(row)) for x in row) for row in product((0, 1), repeat=3) if any(row)]
    for matrix in product(rows, repeat=3):
        bounds = [[(0, min(1, 2 * value)) for value in row] for row in matrix]
        box = IntervalChain("stationary", *([[bound[side] for bound in row] for row in bounds] for side in (0, 1)))
        try:
            known = Along(MarkovChain("stationary", matrix), 3).possible(2)
        except ModelError:  # several stationary laws
            continue
        assert box.possible(2) == known
