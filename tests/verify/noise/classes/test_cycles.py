"""A step that repeats itself is not taken again, and every answer stays what it was."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import log
from typing import Any

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.verify.noise.accounts import corners
from pufferproof.verify.noise.classes.steps import EndsQuestion, _Place, _RecordLaw, _with_start, search_approx, told_of
from pufferproof.verify.noise.laws import passes as cycles
from pufferproof.verify.noise.laws.passes import walked

NEVER = 10**9


@pytest.fixture
def by_steps(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], Any]:
    """Return what a function returns if every step is taken."""

    def called(function: Callable[[], Any]) -> Any:
        with monkeypatch.context() as patched:
            patched.setattr(cycles, "PERIOD", NEVER)
            return function()

    return called


def weights_of(levels: list[float], lengths: list[int]) -> list[tuple[float, float]]:
    return [(level, level * (1 + 1e-15)) for level, length in zip(levels, lengths) for _ in range(length)]


@pytest.mark.parametrize("alternating", [False, True])
@pytest.mark.parametrize(
    ("levels", "lengths"), [([1.2], [900]), ([1.2, 1.0, 1.4], [300, 250, 320]), ([1.05, 1.3], [7, 11]), ([3.0], [400])]
)
def test_spans_are_those_of_all_steps(levels, lengths, alternating, by_steps):
    random = np.random.default_rng(len(lengths))
    low = np.column_stack([random.uniform(0.05, 0.3, (9, 2)), random.uniform(0, 0.5, 9)])
    high = low + random.uniform(0, 0.02, (9, 3))
    count = sum(lengths)
    question = EndsQuestion(weights_of(levels, lengths), [1, 2, count // 2, count // 2 + 1, count], alternating)
    value, slopes = told_of(question, question.cells(low, high, True))
    same, steps = by_steps(lambda: told_of(question, question.cells(low, high, True)))
    assert np.array_equal(value, same)
    assert np.array_equal(slopes[:2], steps[:2])
    assert (slopes[2][0] <= steps[2][0] + 1e-30).all()  # of t, which is forgotten: an enclosure
    assert (slopes[2][1] >= steps[2][1] - 1e-30).all()
    assert np.allclose(slopes[2], steps[2], rtol=0, atol=1e-12)


@pytest.mark.parametrize("record", [1, 60, 200, 399, 400])
def test_searches_find_the_same_chain(record, by_steps):
    question = EndsQuestion(weights_of([1.2], [400]), [record])
    box = (0.14, 0.08, 0.0), (0.18, 0.12, 1.0)

    def searched():
        return search_approx(question, box, 0.0, lambda *_: False)

    assert searched() == by_steps(searched)


def test_plans_under_classes_leak_the_same(by_steps):
    records = pp.Records(240, ("0", "1"))
    box = pp.IntervalChain("any", [["4/5", "1/10"], ["1/20", "4/5"]], [["9/10", "1/5"], ["1/5", "19/20"]])
    secrets = {f"x120={value}": (120, value) for value in "01"}
    framework = pp.Framework.of_records(records, secrets, "disjoint", {"theta": box})
    noise = pp.Noise.discrete_laplace("6.5")
    queries = [pp.RecordQuery("sum", noise, records, (first, first + 59)) for first in range(1, 241, 60)]

    def released():
        return pp.release(framework, queries, "1").as_json()

    assert released() == by_steps(released)


def test_steps_go_on_where_the_weight_changes():
    weights = [1] * 40 + [2] * 40

    def move(record, state):
        return min(state + weights[record], 10 * weights[record])

    def seen(settled):
        states = walked(range(80), weights, 0, move, lambda state: str(state).encode(), settled)
        return list(states)

    expected, state = [0], 0
    for record in range(80):
        state = move(record, state)
        expected.append(state)
    assert seen(lambda *_: None) == expected
    asked = []
    assert seen(lambda records, cycle: asked.append(records)) == expected
    assert [len(each) for each in asked] == [12, 12]


def test_a_cell_without_bounds_leaves_those_of_others():
    low, high = np.array([[0.1, 0.1, 0.2]] * 2), np.array([[0.2, 0.2, 0.6]] * 2)
    cells = EndsQuestion(weights_of([1.2], [40]), [1]).cells(low, high, True)
    cycle = [_place_with_slopes(cells, [-1.0, -np.inf], [1.0, np.inf])] * 12
    for place in cells._settled(range(1, 13), cycle):
        least, greatest = (side[2] for side in place.odds.slopes)
        assert -np.inf < least[0] <= -1
        assert 1 <= greatest[0] < np.inf
        assert least[1] == -np.inf
        assert greatest[1] == np.inf


def _place_with_slopes(cells, least, greatest):
    place = cells._after(1, _Place(cells.first, _RecordLaw(cells.t, cells.first.slopes)))
    slopes = _with_start(place.odds.slopes, (np.array(least), np.array(greatest)))
    return replace(place, odds=replace(place.odds, slopes=slopes))


@pytest.mark.parametrize(("scale", "lifted"), [("1/100", True), ("1/690", False)])
def test_strong_noise_is_searched_where_floats_hold_it(scale, lifted):
    records = pp.Records(6, ("0", "1"))
    least = "1/1000000000"
    box = pp.IntervalChain("any", [[0, least], [least, 0]], [[1, "1/3"], ["1/3", 1]])
    secrets = {f"x3={value}": (3, value) for value in "01"}
    framework = pp.Framework.of_records(records, secrets, "disjoint", {"theta": box})
    query = pp.RecordQuery("sum", pp.Noise.laplace(scale), records)
    assert (corners.weights_of(framework, NoisyQueries((query,))) is not None) == lifted
    leaked = pp.audit(framework, query).as_json()["leakage"]["epsilon"]
    own, step = 1 / Fraction(scale), Fraction(log(10**9 - 1))
    stationary = own + 2 * step - Fraction(1, 10**9)  # nats of one of the chains
    assert leaked["upper"] is None or Fraction(leaked["upper"]) > stationary
    assert Fraction(leaked["lower"]) < own + 3 * step
