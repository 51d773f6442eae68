"""The Markov quilt mechanism on classes of chains: any first record, two-state boxes, against
class-wide influences.
"""

from fractions import Fraction
from math import inf, log
from random import Random

import pytest
from tests.brute.quilts import all_quilts

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.verify.influence.box.largest import class_influence
from pufferproof.verify.influence.quilts.exact import markov_quilt_of_class

ROWS = (("9/10", "1/10"), ("1/5", "4/5"))


def brute(box, length, epsilon):
    found = {}
    for record in range(1, length + 1):
        scores = {}
        for left, right, nearby in all_quilts(length, record):
            ratio = 1 if left is right is None else class_influence(box, length, record, left, right).upper
            e = inf if ratio is None else log(ratio)
            scores[left, right] = nearby / (epsilon - e) if e < epsilon else inf
        found[record] = scores
    return found


def agrees(found, scores):
    expected = max(min(each.values()) for each in scores.values())
    assert float(found.scale.lower) == pytest.approx(expected, rel=1e-9)
    assert float(found.scale.upper) == pytest.approx(expected, rel=1e-9)
    quilt = found.quilt
    assert scores[quilt.record][quilt.left, quilt.right] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("states", [2, 3])
def test_any_first_record(states):
    random = Random(states)
    for _ in range(5):
        weights = [[random.randint(0, 4) for _ in range(states)] for _ in range(states)]
        rows = [[Fraction(w + (x == y), sum(row) + 1) for y, w in enumerate(row)] for x, row in enumerate(weights)]
        box, length = IntervalChain("any", rows, rows), random.randint(1, 9)
        for epsilon in (Fraction(1, 2), Fraction(3)):
            agrees(markov_quilt_of_class(box, length, Level.of_nats(epsilon)), brute(box, length, float(epsilon)))


@pytest.mark.parametrize("initial", ["any", "stationary"])
@pytest.mark.parametrize("upper", [(("9/10", "1/5"), ("3/10", "4/5")), (("9/10", "4/5"), ("9/10", "4/5"))])
def test_boxes_of_two_states(initial, upper):
    lower = [[1 - Fraction(upper[0][1]), "1/10"], ["1/5", 1 - Fraction(upper[1][0])]]
    box = IntervalChain(initial, lower, upper)
    for length in (1, 6, 11):
        agrees(markov_quilt_of_class(box, length, Level.of_nats(2)), brute(box, length, 2.0))


@pytest.mark.parametrize(
    ("box", "message"),
    [(IntervalChain("any", [["1/2", "0"]] * 2, [["1", "1/2"]] * 2), "positive probabilities of change")],
)
def test_what_is_not_covered(box, message):
    with pytest.raises(ModelError, match=message):
        markov_quilt_of_class(box, 9, Level.of_nats(1))
