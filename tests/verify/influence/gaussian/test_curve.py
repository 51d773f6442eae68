"""Curves of truncated Gaussian priors: against quadrature, symmetries, monotonicity, edges."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.verify.influence.gaussian import quadrature as brute

from pufferproof import ModelError
from pufferproof.models.priors.continuous.normal import TruncatedGaussian
from pufferproof.models.priors.continuous.points import Between, GaussianFramework
from pufferproof.verify.influence.gaussian.definition import (
    LargestDifference,
    PairCurve,
    WindowQuestion,
    gaussian_curve,
)
from pufferproof.verify.influence.gaussian.law import GaussianLaw, recipe

F = Fraction
NEGATIVE = [["1", "-3/5", "1/5"], ["-3/5", "1", "-1/2"], ["1/5", "-1/2", "2"]]


def framework(count, secrets, box=5, pairs="disjoint", **law):
    prior = TruncatedGaussian(box if isinstance(box, list) else [-box, box], **law)
    return GaussianFramework(count, secrets, pairs, {"theta": prior})


def ends(count, record, box=5, **law):
    high = (record, F(box) * F(49, 50), box)
    low = (record, -F(box), -F(box) * F(49, 50))
    return framework(count, {"s": high, "t": low}, box, **law)


@pytest.mark.parametrize(
    ("law", "sigma", "record"),
    [
        ({"length": "1"}, brute.squared_exponential(3, 1), 1),
        ({"length": "3"}, brute.squared_exponential(3, 3), 2),
        *(({"covariance": NEGATIVE}, np.array([[float(F(x)) for x in row] for row in NEGATIVE]), k) for k in (1, 2)),
    ],
)
def test_three_records_against_quadrature(law, sigma, record):
    secrets = {"s": (record, "1/2", "1"), "t": (record, "-3/4", "1/4")}
    found = gaussian_curve(framework(3, secrets, 1, **law))
    curves = [
        brute.curve(sigma, record - 1, one, other, (-1, 1))
        for one, other in (((0.5, 1), (-0.75, 0.25)), ((-0.75, 0.25), (0.5, 1)))
    ]
    expected = [max(one, other) for one, other in zip(*curves)]
    assert len(expected) == 2
    for point, value in zip(found.points[1:3], expected):
        assert point.upper - point.lower <= 1e-6 * point.upper
        assert point.lower - 1e-9 <= value <= point.upper + 1e-9


@pytest.mark.parametrize("length", ["1/2", "1", "5"])
def test_two_records_in_closed_form(length):
    """Nothing is hidden but x_1: with mirrored windows the ratio is that of two normal windows."""
    from scipy.stats import norm

    rho = float(np.exp(-1 / float(F(length))))
    mean, deviation = 5 * rho, np.sqrt(1 - rho**2)
    window = [
        norm.logsf((a - mean) / deviation)
        + np.log1p(-np.exp(norm.logsf((a + 0.1 - mean) / deviation) - norm.logsf((a - mean) / deviation)))
        for a in (4.9,)
    ]
    low = norm.logcdf((-4.9 - mean) / deviation) + np.log1p(
        -np.exp(norm.logcdf((-5 - mean) / deviation) - norm.logcdf((-4.9 - mean) / deviation))
    )
    point = gaussian_curve(ends(2, 1, length=length)).points[1]
    assert point.lower == pytest.approx(window[0] - low, rel=1e-7)
    assert point.upper - point.lower < 1e-9 * point.upper


def test_no_place_of_a_grid_exceeds_a_supremum_and_inner_ones_are_found():
    """Six records of length 5: with five hidden the supremum is inside the box."""
    law = GaussianLaw(TruncatedGaussian([-5, 5], length="5"), 6)
    windows = (F(49, 10), F(5)), (F(-5), F(-49, 10))
    question = WindowQuestion(law, 2, *windows, (0, 1, 2, 3, 4), 1e-8)
    found = LargestDifference(question, lambda value: 1e-4 * value, 2000).run([(F(5),)])
    assert 0 < found.place[0] < 5
    assert found.upper - found.lower <= 1e-3
    for step in range(-5, 6):
        assert question.difference((F(step),)) <= found.upper


@pytest.mark.parametrize("hidden", [(0, 1), (1, 2), (1,)])
def test_which_side_of_a_level_a_supremum_is_on_agrees_with_its_enclosure(hidden):
    """Without a search for the largest place, and with far fewer cells."""
    law = GaussianLaw(TruncatedGaussian([-1, 1], length="1"), 3)
    windows = Between(2, (F(9, 10), F(1))), Between(2, (F(-1), F(-9, 10)))
    curve = PairCurve({"theta": law}, ("s", "t"), *windows, 1e-3, 200)
    known = curve.of_set(hidden, float("inf"))
    for factor in (F(1, 2), F(99, 100), F(101, 100), F(2)):
        level = known.upper * float(factor)
        found = curve.of_set(hidden, level, level)
        assert found.lower <= known.upper
        assert found.upper >= known.lower
        assert (found.upper < level, found.lower > level) == (factor > 1, factor < 1)


def test_bounds_of_cells_hold_at_random_places():
    random = np.random.default_rng(1)
    law = GaussianLaw(TruncatedGaussian([-2, 2], length="2"), 4)
    question = WindowQuestion(law, 1, (F(1), F(2)), (F(-1), F(0)), (1, 2), 1e-9)
    search = LargestDifference(question, lambda value: 0.0, 10)
    search.offer((F(2), F(2)))
    for _ in range(20):
        sides = [sorted(F(int(x), 8) for x in random.integers(-16, 17, 2)) for _ in range(2)]
        cell = tuple((a, b if b > a else b + F(1, 8)) for a, b in sides)
        bound = search.bound(cell).upper
        for u, v in product((F(0), F(1, 3), F(1, 2), F(1)), repeat=2):
            place = tuple(a + (b - a) * t for (a, b), t in zip(cell, (u, v)))
            assert question.difference(place) <= bound + 1e-8


def test_windows_shrink_to_points():
    narrow = {"s": (2, "1", "1.0001"), "t": (2, "-0.5", "-0.4999")}
    known = framework(3, narrow, 2, length="1")
    points = gaussian_curve(known, at_points=True).points
    for point, window in zip(points[1:3], gaussian_curve(known).points[1:3]):
        assert point.upper == pytest.approx(window.upper, rel=1e-3)


def test_tiny_and_huge_lengths():
    tiny = gaussian_curve(ends(3, 2, length="1/100")).points[1]  # of size 10^-40: its width says so
    assert 0 <= tiny.lower <= tiny.upper < 1e-9
    huge = gaussian_curve(ends(3, 2, length="1000")).points
    assert 0 < huge[1].upper - huge[1].lower <= 1e-6 * huge[1].upper
    assert 0 <= huge[2].lower <= huge[2].upper <= huge[1].upper


def test_the_recipe_is_too_small_and_too_large():
    law = GaussianLaw(TruncatedGaussian([-5, 5], length="1"), 3)
    sigma = brute.squared_exponential(3, 1)
    windows = (F(49, 10), F(5)), (F(-5), F(-49, 10))
    printed = float(recipe(law, 1, *windows, (0, 1)).mid())
    assert printed == pytest.approx(21.0400592)
    at_wall = brute.log_ratio(sigma, 1, (4.9, 5), (-5, -4.9), (0, 1), (-5, 5), {2: 5.0})
    assert at_wall == pytest.approx(21.0471579)
    one, other = (Between(2, window) for window in windows)
    four = {"theta": GaussianLaw(TruncatedGaussian([-5, 5], length="5"), 4)}
    least = PairCurve(four, ("s", "t"), one, other, 1e-6, 100).least(3)
    assert least.upper < 26.41 < 27.83 < float(recipe(four["theta"], 1, *windows, (0, 1, 2)).mid())


BAD = [
    ({"covariance": [[1, 2], [2, 1]]}, 2, "positive definite matrix, found the variance -3"),
    ({"covariance": [[1, "1/2"], ["1/3", 1]]}, 2, "expected a symmetric matrix"),
    ({"covariance": [[1, 0]]}, 2, "expected 1 entries, found 2"),
    ({"covariance": [[1]]}, 2, "expected 2 rows, one per record, found 1"),
    ({"length": 0}, 2, "expected a length above 0, found 0"),
    ({"length": "1", "box": [1, 1]}, 2, "gaussian.box: expected low < high"),
    ({"length": "1", "box": [-1, 4]}, 2, "secrets.t.between: expected a window inside the box"),
    ({"length": "1"}, 11, "records.count: expected 1 to 10 records"),
]


def test_bad_laws_are_refused():
    for law, count, message in BAD:
        secrets = {"s": (1, 0, 1), "t": (1, -5, -4)}
        with pytest.raises(ModelError) as caught:
            framework(count, secrets, **({"box": [-5, 5]} | law))
        assert message in str(caught.value)


@pytest.mark.parametrize(
    ("secrets", "message"),
    [
        ({"s": (1, 0, 2), "t": (1, 1, 3)}, "expected windows that do not overlap"),
        ({"s": (1, 0, 1), "t": (2, 2, 3)}, "expected two secrets about one record"),
        ({"s": (1, 1, 1), "t": (1, 2, 3)}, "secrets.s.between: expected low < high"),
        ({"s": (3, 0, 1), "t": (1, 2, 3)}, "secrets.s.record: expected a record from 1 to 2"),
        ({"s": (1, 0, 6), "t": (1, -2, -1)}, "secrets.s.between: expected a window inside the box"),
    ],
)
def test_bad_secrets_are_refused(secrets, message):
    with pytest.raises(ModelError) as caught:
        framework(2, secrets, pairs=[("s", "t")], length="1")
    assert message in str(caught.value)


def test_windows_may_touch():
    known = framework(2, {"s": (1, 0, 1), "t": (1, -1, 0), "u": (2, 0, 1)}, length="1")
    assert list(known.pairs) == [("s", "t")]


def test_windows_of_opposite_sign_are_alike_in_a_centred_box_only():
    secrets = {"a": (1, 1, 2), "b": (1, -4, -3), "c": (3, -2, -1), "d": (3, 3, 4)}
    last = {name: secret for name, secret in secrets.items() if secret[0] == 3}
    for box, alike in (([-4, 4], True), ([-4, 9], False)):
        found = gaussian_curve(framework(3, secrets, box, length="2")).by_record
        alone = gaussian_curve(framework(3, last, box, length="2")).points
        assert [each.lower for each in found[3]] == [each.lower for each in alone]
        assert (found[1][1].lower == found[3][1].lower) is alike


def test_mirrored_and_reversed_pairs_leak_as_much():
    secrets = {
        "s": (1, "4", "5"), "t": (1, "-1", "1/2"),
        "u": (3, "-5", "-4"), "v": (3, "-1/2", "1"),
    }  # fmt: skip
    curves = [
        gaussian_curve(framework(3, secrets, pairs=[pair], length="2")).points for pair in (("s", "t"), ("u", "v"))
    ]
    for one, other in zip(*curves):
        assert one.lower <= other.upper
        assert other.lower <= one.upper
    both = gaussian_curve(framework(3, secrets, pairs=[("s", "t"), ("u", "v")], length="2"))
    assert both.by_record[1] == both.by_record[3] == both.points
