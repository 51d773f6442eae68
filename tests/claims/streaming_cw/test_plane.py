"""Sections 1.1 and 1.2 of the streaming paper: counterexamples by brute force."""

from fractions import Fraction
from itertools import chain, combinations

import pytest
from tests.claims.examination import evidence, examined

pytestmark = pytest.mark.claims
F = Fraction
HALF = F(1, 2)


def subsets(count):
    return list(chain.from_iterable(combinations(range(count), size) for size in range(count + 1)))


def probability(row, event):
    return sum((row[y] for y in event), F(0))


def private(p, q, ratio, delta):
    """P(S) <= R Q(S) + delta for all S."""
    return all(probability(p, s) <= ratio * probability(q, s) + delta for s in subsets(len(p)))


def points(p, q):
    return [(probability(p, s), 1 - probability(q, s)) for s in subsets(len(p))]


def least_delta(p, q, ratio):
    return sum((max(F(0), a - ratio * b) for a, b in zip(p, q)), F(0))


def in_region(point, p, q):
    """Solve (P . alpha, Q . (1 - alpha)) = point, greedily for the least b and the most."""
    order = sorted(zip(p, q), key=lambda pair: (pair[1] == 0, pair[0] / (pair[1] or 1)))

    def least(a):
        b = F(0)
        for here, there in order:
            share = min(F(1), a / here) if here else F(1)
            a -= share * here
            b += (1 - share) * there
        return b

    a, b = point
    return 0 <= a <= 1 and least(a) <= b <= 1 - least(1 - a)


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("thm1", "an equivalence for each"),
        ("cw-two-row-mechanism", "one M' per (D, priv, alt, v, z), its rows neighbours in one"),
        ("slopes-complete", "M is (epsilon_i"),
        ("tangent-gives-pair", "a line from below touching"),
    ],
)
def test_one_order_does_not_bring_the_other(name, reading):
    found = evidence(f"streaming_cw.{name}", reading)
    p, q, ratio, delta = found["P"], found["Q"], found["R"], found["delta"]
    assert (p, q, ratio, delta) == ((1, 0), (HALF, HALF), 2, 0)
    assert private(p, q, ratio, delta)
    assert not private(q, p, ratio, delta)


@pytest.mark.parametrize("reading", ["R(M) is convex, neighbours", "R(M) is convex, each"])
def test_the_union_of_regions_has_a_dent(reading):
    found = evidence("streaming_cw.regions-convex", reading)
    (a, b), (c, d) = found["ends"]
    x, y = found["between"]
    assert (c - a) * (y - b) == (d - b) * (x - a)
    assert min(a, c) <= x <= max(a, c)
    for end in found["ends"]:
        assert any(end in points(*rows) for rows in found["pairs"])
    assert not any(in_region(found["between"], *rows) for rows in found["pairs"])


def test_a_vertical_tangent_is_no_boundary_line():
    for reading, touching in (("any supporting line", 1), ("any line along an edge", 2)):
        found = evidence("streaming_cw.tangent-gives-pair", reading)
        heights = [found["u"] * a + found["v"] * b for a, b in set(points(found["P"], found["Q"]))]
        assert min(heights) == found["c"]
        assert heights.count(found["c"]) >= touching
        assert 0 in (found["u"], found["v"])


def test_a_line_is_two_boundary_lines_once_epsilon_may_be_negative():
    found = evidence("streaming_cw.tangent-gives-pair", "with negative epsilon")
    (ratio, delta), (inverse, other) = found["first"], found["second"]
    assert (ratio * inverse, (1 - delta) * inverse) == (1, 1 - other)
    assert least_delta(found["P"], found["Q"], ratio) == delta


REGION = "streaming_cw.region-is-intersection"


@pytest.mark.parametrize("reading", ["equality in the", "equality inside", "the intersection in"])
def test_no_printed_region_bounds_from_above(reading):
    found = evidence(REGION, reading)
    a, b = found["point"]
    assert found["P"] == found["Q"] == (1,)
    assert all(a + r * b >= 1 - d and r * a + b >= 1 - d for r, d in found["slopes_and_shifts"])
    assert not in_region((a, b), found["P"], found["Q"])


@pytest.mark.parametrize("convention", ["the plane", "the unit square"])
def test_a_region_without_slopes_is_not_everything(convention):
    reading = f"rows without a slope, whose empty intersection is {convention}"
    found = evidence(REGION, reading)
    assert not any(b > 0 and a >= b for a, b in zip(found["P"], found["Q"]))
    assert not in_region(found["point"], found["P"], found["Q"])
    assert convention == "the plane" or all(0 <= each <= 1 for each in found["point"])


@pytest.mark.parametrize("order", ["in the order", "of both orders joined"])
def test_the_intersection_cuts_off_a_generating_point(order):
    found = evidence(REGION, f"the region lies in the intersection, slopes {order}")
    (a, b), ratio, delta = found["point"], found["R"], found["delta"]
    assert (a, b) in points(found["P"], found["Q"])
    assert least_delta(found["P"], found["Q"], ratio) == delta
    assert ratio * a + b < 1 - delta


@pytest.mark.parametrize("joined", [False, True])
def test_equal_sets_of_slopes_and_shifts_of_different_mechanisms(joined):
    def recipe(p, q):
        return {(a / b, least_delta(p, q, a / b)) for a, b in zip(p, q) if b > 0 and a >= b}

    chosen = [
        argument
        for argument in examined("streaming_cw.slopes-complete").readings
        if "first" in (argument.evidence or {}) and ("joined" in argument.name) == joined
    ]
    assert len(chosen) == (2 if joined else 3)
    for argument in chosen:
        sets, curves, corners = [], [], []
        for p, q in (argument.evidence["first"], argument.evidence["second"]):
            sets.append(recipe(p, q) | (recipe(q, p) if joined else set()))
            orders = [(p, q), (q, p)][: 1 + joined]
            at = [F(k, 2) for k in range(2, 9)]
            curves.append([max(least_delta(*rows, ratio) for rows in orders) for ratio in at])
            corners.append(set(points(p, q)))
        assert sets[0] == sets[1] == set(argument.evidence["slopes_and_shifts"])
        assert "non-empty" not in argument.name or sets[0]
        assert curves[0] != curves[1] if "delta" in argument.name else corners[0] != corners[1]


def test_slopes_are_not_derivatives():
    for reading in ("R_i is the coefficient in R a", "R_i is db/da", "R_i is |db/da|"):
        found = evidence("streaming_cw.slope-orientation", reading)
        (da, db), ratio = found["edge"], found["R"]
        assert (da, -db) in zip(found["P"], found["Q"])
        assert ratio == da / -db
        wrong = {"R_i is db/da": db / da != ratio, "R_i is |db/da|": abs(db / da) != ratio}
        assert wrong.get(reading, ratio * da + db != 0)


def rows_given(found, value, law=None):
    """The laws of M(X) and M(alt(X)) given priv(X) = value, or unconditional if value is None."""
    law = law or found["law of X"]
    kept = [x for x in range(len(law)) if law[x] and (value is None or found["priv"][x] == value)]
    total, outputs = sum(law[x] for x in kept), range(len(found["M"][0]))

    def seen(alt):
        return tuple(sum(law[x] * found["M"][alt[x]][y] for x in kept) / total for y in outputs)

    return seen(range(len(law))), seen(found["alt"])


def test_privacy_for_delta_is_not_privacy_for_all_laws():
    found = evidence("streaming_cw.thm3", "D over all laws")
    p, q = rows_given(found, None)
    assert p == q
    other = rows_given(found, None, found["other_law"])
    assert not private(*other, found["R"], found["delta"])


def test_another_simulator_helps():
    found = evidence("streaming_cw.thm3", "D over Delta, any Sim")
    p, q = rows_given(found, None)
    assert p == found["Sim"]
    assert not (private(p, q, 1, 0) and private(q, p, 1, 0))


@pytest.mark.parametrize(
    ("name", "reading"),
    [
        ("cw-rows", "f_D and f'_D unconditional"),
        ("thm3", "D over Delta, probabilities averaged"),
        ("cw-two-row-mechanism", "one M' per D"),
        ("cw-two-row-mechanism", "one M' per (D, priv, alt), rows"),
        ("cw-everything-follows", "the inclusion test, one M' per D, rows"),
    ],
)
def test_unconditional_rows_hide_what_conditional_rows_show(name, reading):
    found = evidence(f"streaming_cw.{name}", reading)
    same = [p == q for p, q in (rows_given(found, value) for value in (None, 0))]
    assert same == [True, False]


def test_rows_near_the_ends_of_the_stream():
    found = evidence("streaming_cw.row-presence", "every row")
    count, steps = found["blocks per window"], found["t"]
    windows = [range(i, i + count) for i in range(1, steps + 1)]
    assert any(sum(row in each for each in windows) != count for row in range(1, steps + count))
