"""Statements on optimal designs of redaction with three regions, on small random instances by
their definitions.
"""

from fractions import Fraction
from itertools import combinations, pairwise
from math import exp, log, prod, sqrt
from random import Random

import pytest
from tests.claims.redaction.sums import (
    ALWAYS,
    ONE,
    family,
    given,
    influence,
    keeps,
    law,
    local,
    medium,
    random_chain,
    regions,
    shown,
    step,
    utility,
)

F = Fraction
SIGNS = ["positive", "zero", "negative", "equal"]


def breakpoints(of, longest):
    """Levels where a region changes, and others around them."""
    found = sorted({influence(of, d, v) for d in range(1, longest + 1) for v in (0, 1)})
    between = [(low + high) / 2 for low, high in pairwise(found)]
    return [level for level in {*found, *between, (1 + found[0]) / 2, found[-1] + 1} if level > 1]


def sides(draw, sign="positive", longest=5, least=1):
    """A chain, its length, p = 1, a budget and the regions, with enough records in M."""
    while True:
        of, count = random_chain(draw, sign), draw.randrange(2, longest + 1)
        budget = draw.choice(sorted(breakpoints(of, count - 1)) or [F(2)])
        split = regions(of, count, 1, ONE, budget)
        if len(medium(split)) >= least:
            return of, count, budget, split


def one_record(of, count, private, split, budget, records, place):
    """The least feasible q of one record by its linear constraints, every other row as it is;
    None if there is none.
    """
    ends = []
    for q in (F(0), ONE):
        rows = family(split, {place: q})
        laws = [shown(given(law(of, count), {private: x}), local(rows), records) for x in (0, 1)]
        ends.append(laws)
    low, high = F(0), ONE
    for y in {y for laws in ends for found in laws for y in found}:
        for x in (0, 1):
            over = [laws[x].get(y, F(0)) - budget * laws[1 - x].get(y, F(0)) for laws in ends]
            if over[0] > 0 >= over[1]:
                low = max(low, over[0] / (over[0] - over[1]))
            elif over[1] > 0 >= over[0]:
                high = min(high, over[0] / (over[0] - over[1]))
            elif min(over) > 0:
                return None
    return low if low <= high else None


def last_output(of, count, split, q, value, values=False):
    """P(last output | X_1 = value), or its parts by the values of the medium records."""
    rows, records = local(family(split, q)), medium(split)
    until = split.index("S") + 1 if "S" in split else count
    parts = {}
    for x, w in given(law(of, count), {1: value}).items():
        if "S" in split and not x[until - 1]:
            continue
        chance = w * prod(rows[t - 1][x[t - 1]]["*"] for t in records)
        key = tuple(x[t - 1] for t in records)
        parts[key] = parts.get(key, F(0)) + chance
    return parts if values else sum(parts.values())


@pytest.mark.parametrize("sign", ["positive", "negative"])
def test_single_medium_records(sign):
    draw, found = Random(5), 0
    while found < 20:
        of, count, budget, split = sides(draw, sign)
        if len(medium(split)) > 1:
            assert sign == "positive"
            continue
        found += 1
        t, (a, b) = medium(split)[0], of
        zero = [
            sum(w for x, w in given(law(of, t), {1: first}).items() if not x[-1])
            for first in (0, 1)
        ]
        more, less = max(zero), min(zero)
        factor = max(b / (1 - a), (1 - b) / a) if "S" in split else 1
        bound = factor * (1 - less - budget * (1 - more)) / (budget * more - less)
        assert one_record(of, count, 1, split, budget, range(2, count + 1), t) == bound > 0
        assert keeps(of, count, 1, family(split, {t: ONE}), budget)


def test_one_constraint_is_left():
    draw, kept = Random(12), set()
    for _ in range(60):
        of, count, budget, split = sides(draw)
        q = {t: draw.choice([F(0), ONE, ONE, F(draw.randrange(1, 8), 8)]) for t in medium(split)}
        inside = keeps(of, count, 1, family(split, q), budget)
        zero, one = (last_output(of, count, split, q, value) for value in (0, 1))
        assert inside == (budget * zero >= one)
        assert not inside or all(q.values())
        kept.add((inside, "S" in split))
    assert len(kept) == 4


@pytest.mark.parametrize("sign", SIGNS)
def test_no_value_is_always_shown(sign):
    draw, seen = Random(13), 0
    for _ in range(20):
        of, count = random_chain(draw, sign), draw.randrange(2, 5)
        private, budgets = draw.randrange(1, count + 1), breakpoints(of, count - 1) or [F(2)]
        left, right = draw.choice(budgets), draw.choice(budgets)
        split = regions(of, count, private, left, right)
        for zero in medium(split):
            q = {t: F(draw.randrange(5), 4) for t in medium(split)} | {zero: F(0)}
            side, budget = (
                (range(1, private), left)
                if zero < private
                else (range(private + 1, count + 1), right)
            )
            assert not keeps(of, count, private, family(split, q), budget, side)
            seen += 1
    assert bool(seen) == (sign not in ("zero", "equal"))


def least_far(of, count, budget, split, first):
    """The least feasible q of the second medium record, given that of the first; None if there
    is none.
    """
    near, far = medium(split)
    over = []
    for q in (F(0), ONE):
        zero, one = (
            last_output(of, count, split, {near: first, far: q}, value) for value in (0, 1)
        )
        over.append(one - budget * zero)
    if over[1] > 0:
        return None
    least = over[0] / (over[0] - over[1])
    assert keeps(of, count, 1, family(split, {near: first, far: least}), budget)
    assert not keeps(of, count, 1, family(split, {near: first, far: least * F(999, 1000)}), budget)
    return least


def test_shape_and_decay_of_two_medium_records():
    draw, seen = Random(14), set()
    for _ in range(14):
        of, count, budget, split = sides(draw, longest=4, least=2)
        while len(medium(split)) != 2:
            of, count, budget, split = sides(draw, longest=4, least=2)
        g, h = sqrt(of[0] * of[1]), sqrt((1 - of[0]) * (1 - of[1]))
        rate, ones = (h - g) / (h + g), least_far(of, count, budget, split, ONE)
        only = "S" in split and influence(of, split.index("S"), 1) == budget
        assert only == (ones == 1)
        assert only == (least_far(of, count, budget, split, F(10**6 - 1, 10**6)) is None)
        for first in [F(k, 12) for k in range(1, 12)]:
            second = least_far(of, count, budget, split, first)
            if second is None:
                continue
            if second > rate * first * (
                1 + 1e-9
            ):  # falls too slowly, or is constant: a larger q of the first is better
                more = first + F(1, 10**9)
                assert more + least_far(of, count, budget, split, more) < first + second
            seen.add(second > rate * first)
    assert seen == {False, True}


def relaxed_heights(of, split, budget):
    """f_1 .. f_N as ratios, p = 1."""
    records = medium(split)
    following = [
        influence(of, t, {"M": 0, "S": 1}[split[t]]) if t < len(split) else ONE for t in records
    ]
    return [budget / each for each in following]


def test_relaxed_designs_take_two_values():
    draw, seen = Random(15), set()
    for _ in range(25):
        of, count, budget, split = sides(draw, longest=6, least=2)
        heights = relaxed_heights(of, split, budget)
        size = len(heights)
        assert all(heights[k] ** k <= heights[k - 1] ** (k + 1) for k in range(1, size - 1))
        f = [log(height) for height in heights]
        constant = heights[-1] ** (size - 1) <= heights[-2] ** size
        if "S" not in split:
            assert constant == (budget >= influence(of, count - 1, 0) ** size)
        y = (
            [f[-1] / size] * size
            if constant
            else [f[-2] / (size - 1)] * (size - 1) + [f[-1] - f[-2]]
        )
        assert all(sum(y[:k]) <= f[k - 1] + 1e-9 for k in range(1, size + 1))
        assert constant or y[-1] > y[0]
        total = sum(exp(-each) for each in y)
        for _ in range(50):
            other, spent = [], 0.0
            for k in range(size):
                other.append(draw.random() * max(0.0, min(f[k:]) - spent))
                spent += other[-1]
            assert sum(exp(-each) for each in other) >= total - 1e-9
        seen.add((constant, "S" in split))
    assert len(seen) > 2


def test_weighted_and_condensed_programs():
    draw, kept = Random(16), set()
    for _ in range(40):
        of, count, budget, split = sides(draw)
        records, ones = medium(split), dict.fromkeys(medium(split), ONE)
        reference = draw.choice([ones, {t: F(draw.randrange(1, 9), 8) for t in records}])
        parts = last_output(of, count, split, reference, 0, values=True)
        at = sum(parts.values())
        weights = [sum(c for z, c in parts.items() if not z[k]) / at for k in range(len(records))]
        assert all(0 < w < 1 for w in weights)
        q = {t: F(draw.randrange(1, 17), 16) for t in records}
        spent = -sum(w * log(q[t] / reference[t]) for w, t in zip(weights, records))
        inside = keeps(of, count, 1, family(split, q), budget)
        if log(last_output(of, count, split, q, 1) / at) + spent <= log(budget) - 1e-9:
            assert inside
            kept.add("condensed")
        if reference == ones:
            delta = last_output(of, count, split, ones, 1) / at
            assert delta == (influence(of, split.index("S"), 1) if "S" in split else 1)
            if log(delta) + spent <= log(budget) - 1e-9:
                assert inside
                kept.add("weighted")
            heights = relaxed_heights(of, split, budget)
            if all(
                prod(q[t] for t in records[:k]) * heights[k - 1] >= 1
                for k in range(1, len(records) + 1)
            ):
                assert log(delta) + spent < log(budget) or q == ones
                kept.add("published")
    assert kept == {"condensed", "weighted", "published"}


def test_the_weighted_program_is_solved_by_one_number():
    draw = Random(17)
    for _ in range(20):
        weights = [draw.random() for _ in range(draw.randrange(1, 4))]
        room, low, high = draw.random() * 3, 1e-9, 2 / min(weights)
        for _ in range(200):
            mu = (low + high) / 2
            low, high = (
                (mu, high) if sum(-w * log(min(1, mu * w)) for w in weights) > room else (low, mu)
            )
        least = sum(min(1, high * w) for w in weights)
        for _ in range(60):
            y = [draw.random() for _ in weights]
            scale = draw.random() * room / sum(w * v for w, v in zip(weights, y))
            assert sum(exp(-scale * v) for v in y) >= least - 1e-9


def best_of_side(of, budget):
    """The largest utility of the one record next to p, with the published regions of the budget."""
    split = regions(of, 2, 1, ONE, budget)
    if split[1] != "M":
        return F(split[1] == "S")
    return utility(of, [(one_record(of, 2, 1, split, budget, [2], 2), ONE)])


def best_local(of, level):
    """The largest utility of n = 2 local mechanisms of a level: corners of the polygon of all
    (r(0), r(1)).
    """
    lines = [((1, 0), F(0)), ((1, 0), F(1)), ((0, 1), F(0)), ((0, 1), F(1))]
    rows = step(of)
    lines += [(tuple(rows[x][v] - level * rows[1 - x][v] for v in (0, 1)), F(0)) for x in (0, 1)]
    corners = set()
    for (first, one), (second, two) in combinations(lines, 2):
        if det := first[0] * second[1] - first[1] * second[0]:
            corners.add(
                ((one * second[1] - two * first[1]) / det, (first[0] * two - second[0] * one) / det)
            )
    inside = [each for each in corners if all(0 <= r <= 1 for r in each)]
    return max(utility(of, [row]) for row in inside if keeps(of, 2, 1, [ALWAYS, row], level))


@pytest.mark.parametrize("sign", ["positive", "negative", "equal"])
def test_jumps_for_two_records(sign):
    draw = Random(18)
    for _ in range(12):
        a, b = of = random_chain(draw, sign)
        low, high, common = influence(of, 1, 0), influence(of, 1, 1), b / (a + b)
        assert best_local(of, (1 + low) / 2) == 0
        assert best_local(of, high) == best_local(of, high + 1) == 1
        if a == b:
            assert low == high
            assert b / ((a + b) * (1 + b - a)) + a / (a + b) == 1
            continue
        assert best_local(of, low) == b / ((a + b) * (1 + b - a))
        levels = [low + (high - low) * F(k, 8) for k in range(8)]
        values = [best_local(of, level) for level in levels]
        assert values == sorted(set(values))
        assert values[-1] < common
        near = best_local(of, high - (high - low) / 10**9)
        assert common * (1 - F(1, 10**6)) < near < common
        for level in (*levels, high):  # continuous from the right
            assert (
                best_local(of, level)
                <= best_local(of, level + F(1, 10**9))
                < best_local(of, level) + F(1, 10**6)
            )
        assert [best_of_side(of, level) for level in levels] == values
        assert best_of_side(of, low - F(1, 10**6)) == 0 <= values[0] <= 1 == best_of_side(of, high)


@pytest.mark.parametrize("sign", ["positive", "negative", "equal"])
def test_best_split_of_three_records(sign):
    draw = Random(19)
    for _ in range(4):
        of = random_chain(draw, sign)
        low, high = influence(of, 1, 0), influence(of, 1, 1)
        for root in {low, high, (low + high) / 2, (1 + low) / 2, high + 1}:
            level = root**2
            budgets = {1 + (level - 1) * F(k, 12) for k in range(13)} | {low, high, root}
            values = {
                x: best_of_side(of, x) + best_of_side(of, level / x)
                for x in budgets
                if 1 <= x <= level
            }
            candidates = [level, root, *([high] if high <= level else [])]
            assert max(values[x] for x in candidates) == max(values.values())
            if level < low**2:
                assert values[level] == max(values.values())
            elif level < high or level >= high**2:
                assert values[root] == max(values.values())


@pytest.mark.parametrize("sign", ["positive", "negative", "equal"])
def test_far_ends_are_not_released_on_both_sides(sign):
    draw = Random(20)
    for _ in range(10):
        of, private = random_chain(draw, sign), draw.randrange(2, 4)
        count = private + draw.randrange(1, 3)
        left, right = influence(of, private - 1, 0), influence(of, count - private, 0)
        level = 1 + (left * right - 1) * F(draw.randrange(1, 100), 100)
        for k in range(13):
            budget = 1 + (level - 1) * F(k, 12)
            split = regions(of, count, private, budget, level / budget)
            assert set(split[:private]) == {"L"} or set(split[private:]) == {"L"}
        assert "M" not in regions(of, count, private, ONE, ONE)
        level = left + (left**2 - left) * F(draw.randrange(10), 10)
        middle, root = 2 * private - 1, (left + level / left) / 2
        assert root**2 >= level
        if root < left:  # above the square root of the level
            assert set(regions(of, middle, private, root, root)) == {"L"}
        split = regions(of, middle, private, ONE, level)
        assert split[-1] in "MS"
        q = dict.fromkeys(medium(split), ONE) | {middle: F(999999, 1000000)}
        while split[-1] == "M" and not keeps(of, middle, private, family(split, q), level):
            q[middle] = (1 + q[middle]) / 2
        assert utility(of, family(split, q)) > 0
        assert keeps(of, middle, private, family(split, q), level)


def test_examples_of_splits_and_levels():
    of = (F(1, 4), F(1, 2))
    assert 2 * best_of_side(of, F(3, 2)) == F(16, 15)
    assert 2 * best_of_side(of, F(7, 4)) < F(5, 4) < F(3, 2) < 1 + best_of_side(of, F(49, 32))
    assert best_of_side(of, F(2)) == 1
    assert 2 * best_of_side(of, F(3, 2) - F(1, 100)) == 0
    split = regions(of, 5, 3, F(6, 5), F(5, 3))
    assert split == "SLLMS"
    rows = family(split, {4: F(1, 2)})
    assert keeps(of, 5, 3, rows, F(6, 5), [1, 2])
    assert keeps(of, 5, 3, rows, F(5, 3), [4, 5])
    assert utility(of, rows) > 2
    assert regions(of, 5, 3, ONE, F(2)) == "LLLSS"
    of = (F(1, 8), F(1, 2))
    below, at = F(9, 5), F(20, 11)
    assert influence(of, 2, 1) == at
    rows = family(regions(of, 3, 1, ONE, below), {2: F(1, 2), 3: F(11, 50)})
    assert keeps(of, 3, 1, rows, below)
    assert utility(of, rows) > 1
    for level in (
        F(7, 4),
        below,
        F(181, 100),
    ):  # every budget below is worse than a larger one: some q can be lowered
        more, split = (level + at) / 2, regions(of, 3, 1, ONE, level)
        assert split == regions(of, 3, 1, ONE, more) == "LMM"
        for first in [F(k, 10) for k in range(1, 11)]:
            second = least_far(of, 3, level, split, first)
            assert second is None or least_far(of, 3, more, split, first) < second
    split = regions(of, 3, 1, ONE, at)
    assert split == "LMS"
    assert one_record(of, 3, 1, split, at, [2, 3], 2) == 1


def test_more_level_never_hurts_where_regions_stay():
    draw = Random(21)
    for _ in range(25):
        of, count, budget, split = sides(draw)
        more = budget * F(1001, 1000)
        if regions(of, count, 1, ONE, more) != split:
            continue
        q = {t: F(draw.randrange(1, 9), 8) for t in medium(split)}
        assert not keeps(of, count, 1, family(split, q), budget) or keeps(
            of, count, 1, family(split, q), more
        )
