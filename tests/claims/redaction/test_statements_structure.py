"""Statements on local redaction and on several private records, on small random instances and at
edges, by their definitions.

Edges: chains that are certain, periodic or without memory, a = b, lam < 0, levels at which a region
begins, n = 1 and 2.
"""

from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest
from tests.claims.redaction.definitions import (
    F,
    at_most,
    bits,
    given_each,
    influence,
    largest,
    leakage,
    marginal,
    outputs,
    pointwise,
    random_row,
    random_rows,
    random_step,
    released,
    sequences,
    stationary,
)
from tests.examples import seeds

HALF = F(1, 2)
HIDDEN, SHOWN = [F(1), F(1)], [F(0), F(0)]
UNEVEN = [[F(1, 4), F(1, 4), HALF], [F(1, 4), HALF, F(1, 4)], [HALF, F(1, 4), F(1, 4)]]
BACK = [[F(0), F(1)], [F(1), F(0)]]
STAY = [[F(1), F(0)], [F(0), F(1)]]


def nowhere_rising(ratios):
    return all(at_most(later, earlier) for earlier, later in pairwise(ratios))


def circulation(random, size):
    """A stationary chain: a sum of permutations, each kept by the uniform weights, made a law
    of transitions.
    """
    while True:
        flow = [[F(0)] * size for _ in range(size)]
        for _ in range(4):
            target, weight = random.sample(range(size), size), random.randint(0, 3)
            for i, j in enumerate(target):
                flow[i][j] += weight
        for i in range(size):
            flow[i][i] += random.randint(0, 3)
        law = [sum(row) for row in flow]
        if all(law):
            return [p / sum(law) for p in law], [[f / p for f in row] for row, p in zip(flow, law)]


# -- other chains


@seeds(40)
def test_the_influence_of_a_value_does_not_rise_where_every_value_of_the_record_is_possible(seed):
    random = Random(seed)
    size = random.choice([2, 3])
    step, start = (
        random.choice([random_step(random, size), random_step(random, size, zero=False)]),
        None,
    )
    while start is None or not all(start):
        start = random_row(random, size, zero=False)
    law = sequences(start, [step] * 3)
    for value in range(size):
        assert nowhere_rising([pointwise(law, 1, t, value) for t in (2, 3, 4)])
    kept, step = circulation(random, size)
    law = sequences(kept, [step] * 3)
    for value in range(size):
        assert nowhere_rising([pointwise(law, 4, t, value) for t in (3, 2, 1)])


@seeds(60)
def test_max_influence_does_not_rise_on_any_chain(seed):
    random = Random(seed)
    sizes = [random.choice([1, 2, 3]) for _ in range(4)]
    steps = [[random_row(random, m) for _ in range(n)] for n, m in pairwise(sizes)]
    law = sequences(random_row(random, sizes[0]), steps)
    assert nowhere_rising([influence(law, 1, [t]) for t in (2, 3, 4)])
    assert nowhere_rising([influence(law, 4, [t]) for t in (3, 2, 1)])


def test_the_influence_of_a_value_rises_where_a_value_of_the_record_is_impossible():
    law = sequences([HALF, HALF, F(0)], [UNEVEN] * 2)
    assert [pointwise(law, 1, t, 0) for t in (2, 3)] == [1, F(6, 5)]
    assert nowhere_rising([influence(law, 1, [t]) for t in (2, 3)])
    full = sequences([HALF, F(1, 4), F(1, 4)], [UNEVEN] * 2)
    assert nowhere_rising([pointwise(full, 1, t, 0) for t in (2, 3)])


def test_the_influence_of_a_value_rises_where_steps_differ():
    law = sequences([HALF, HALF], [bits(F(1, 4), HALF), bits(F(7, 8), F(7, 8))])
    assert [pointwise(law, 1, t, 0) for t in (2, 3)] == [F(3, 2), F(8, 5)]
    assert [influence(law, 1, [t]) for t in (2, 3)] == [2, F(8, 5)]


def two_sided(law, p, distance):
    return [
        {key: marginal(each, [p + d]) for key, each in given_each(law, [p]).items()}
        for d in (-distance, distance)
    ]


@seeds(30)
def test_both_sides_agree_on_reversible_chains_and_on_stationary_bits(seed):
    random = Random(seed)
    size = random.choice([2, 3])
    weights = [[random.randint(0, 3) for _ in range(size)] for _ in range(size)]
    flow = [[weights[min(i, j)][max(i, j)] for j in range(size)] for i in range(size)]
    laws = []
    if all(map(sum, flow)):
        start = [F(sum(row), sum(map(sum, flow))) for row in flow]
        laws.append(sequences(start, [[[F(f, sum(row)) for f in row] for row in flow]] * 4))
    a, b = (F(random.randint(0, 4), 4) for _ in range(2))
    if a + b:
        laws.append(stationary(a, b, 5))
    laws.append(sequences(random_row(random, 2), [STAY] * 4))
    for law in laws:
        for distance in (1, 2):
            left, right = two_sided(law, 3, distance)
            assert left == right


def test_both_sides_differ_without_reversibility_and_from_another_initial_law():
    step, start = (
        [[F(1, 4), F(1, 4), HALF], [F(1, 4), F(1, 4), HALF], [F(1, 4), HALF, F(1, 4)]],
        [F(1, 4), F(7, 20), F(2, 5)],
    )
    law = sequences(start, [step] * 2)
    assert marginal(law, [1]) == marginal(law, [2]) == marginal(law, [3])
    assert [influence(law, 2, [t]) for t in (1, 3)] == [F(16, 7), 2]
    law = sequences([F(3, 4), F(1, 4)], [bits(F(1, 4), F(1, 4))] * 2)
    assert [influence(law, 2, [t]) for t in (1, 3)] == [5, 3]


@seeds(40)
def test_influences_of_two_sides_add_up_to_at_least_the_joint_one(seed):
    random = Random(seed)
    size = random.choice([2, 3])
    law = sequences(
        random_row(random, size), [random_step(random, size, zero=seed % 2) for _ in range(3)]
    )
    for left, p, right in [(1, 2, 3), (1, 2, 4), (1, 3, 4)]:
        one, other = influence(law, p, [left]), influence(law, p, [right])
        assert at_most(
            influence(law, p, [left, right]), None if None in (one, other) else one * other
        )


def test_influences_of_two_sides_do_not_add_up_with_three_values():
    step, start = (
        [[HALF, F(1, 4), F(1, 4)], [F(1, 4), HALF, F(1, 4)], [F(1, 5), F(1, 5), F(3, 5)]],
        [F(4, 13), F(4, 13), F(5, 13)],
    )
    law = sequences(start, [step] * 3)
    assert all(
        start[i] * step[i][j] == start[j] * step[j][i] for i, j in product(range(3), repeat=2)
    )
    assert (
        influence(law, 2, [1, 4])
        == F(725, 216)
        < influence(law, 2, [1]) * influence(law, 2, [4])
        == F(92, 27)
    )
    step, start = (
        [[F(1, 4), F(1, 4), HALF], [F(1, 4), HALF, F(1, 4)], [F(1, 4), HALF, F(1, 4)]],
        [F(1, 4), F(7, 16), F(5, 16)],
    )
    law = sequences(start, [step] * 2)
    assert marginal(law, [1]) == marginal(law, [3])
    assert (
        influence(law, 2, [1, 3])
        == F(7, 2)
        < influence(law, 2, [1]) * influence(law, 2, [3])
        == F(28, 5)
    )


def test_max_influence_is_not_convex_with_three_values():
    step = [[F(each, 40) for each in row] for row in ([1, 38, 1], [1, 35, 4], [18, 3, 19])]
    law = sequences([F(1, 3)] * 3, [step] * 3)
    first, second, third = (influence(law, 1, [t]) for t in (2, 3, 4))
    assert first == 19
    assert first * third < second**2


# -- shapes of local mechanisms


@seeds(40)
def test_more_redaction_never_raises_the_leakage_whatever_the_law(seed):
    random = Random(seed)
    size, n = random.choice([(2, 3), (3, 2), (3, 3)])
    weights = random_row(random, size**n)
    law = {x: p for x, p in zip(product(range(size), repeat=n), weights) if p}
    rows = random_rows(random, n, random.choice([(), (1,), (1, n)]), size)
    more = [[r + (1 - r) * random.choice([0, F(1, 3), 1]) for r in row] for row in rows]
    for private in ([1], [1, n], [2]):
        assert at_most(leakage(law, more, private), leakage(law, rows, private))


def cut(rows, p, t):
    """Release t and every record beyond it, seen from p."""
    return [SHOWN if (s - t) * (t - p) >= 0 else row for s, row in enumerate(rows, 1)]


@seeds(60)
def test_full_release_behind_a_record_that_shows_both_values(seed):
    random = Random(seed)
    n = random.randint(2, 4)
    law = sequences(random_row(random, 2), [random_step(random, 2) for _ in range(n - 1)])
    p = random.randint(1, n)
    rows = random_rows(random, n, (p,))
    for t in range(1, n + 1):
        if t != p and (max(rows[t - 1]) < 1 or 0 in rows[t - 1]):
            assert at_most(leakage(law, cut(rows, p, t), [p]), leakage(law, rows, [p]))


def test_full_release_behind_a_record_that_shows_one_value_can_raise_the_leakage():
    law, rows = stationary(F(1, 4), HALF, 2), [HIDDEN, [HALF, F(1)]]
    assert leakage(law, rows, [1]) < leakage(law, cut(rows, 1, 2), [1])


def candidates(rows, p):
    """Releases of everything from some distance on, on either side."""
    n = len(rows)
    for left, right in product([None, *range(1, p)], [None, *range(p + 1, n + 1)]):
        found = rows if left is None else cut(rows, p, left)
        yield found if right is None else cut(found, p, right)


def regions(side):
    """The rows of a side, from p on, without the (1,1) first and the (0,0) last."""
    middle = [list(row) for row in side]
    while middle and middle[0] == HIDDEN:
        middle.pop(0)
    while middle and middle[-1] == SHOWN:
        middle.pop()
    return middle


def of_the_form(side, changes):
    """Whether a side has the three regions; changes[d] says whether the shown value changes at
    the step to distance d + 1.
    """
    middle = regions(side)
    first = next((d for d, row in enumerate(side) if list(row) != HIDDEN), 0)
    value = None
    for d, (zero, one) in enumerate(middle, first):
        if not (zero > 0 and one > 0 and 1 in (zero, one)):
            return False
        if value is not None and changes[d]:
            value = 1 - value
        if zero < 1 or one < 1:
            shown = 0 if zero < 1 else 1
            if value not in (None, shown):
                return False
            value = shown
    return True


def sides(rows, p):
    return list(reversed(rows[: p - 1])), rows[p:]


@seeds(60)
def test_some_mechanism_of_three_regions_releases_more_and_leaks_no_more(seed):
    random = Random(seed)
    n = random.randint(1, 5)
    p = random.randint(1, n)
    a, b = (F(random.randint(1, 7), 8) for _ in range(2))
    law, rows = stationary(a, b, n), random_rows(random, n, (p,))
    level, changes = leakage(law, rows, [p]), [a + b > 1] * n
    found = [each for each in candidates(rows, p) if at_most(leakage(law, each, [p]), level)]
    assert any(all(of_the_form(side, changes) for side in sides(each, p)) for each in found)
    if a + b == 1:
        assert any(not regions(side) for each in found for side in sides(each, p))


@seeds(60)
def test_three_regions_where_steps_differ(seed):
    random = Random(seed)
    n = random.randint(2, 4)
    p = random.randint(1, n)
    steps = [random_step(random, 2, zero=False) for _ in range(n - 1)]
    law = sequences(random_row(random, 2, zero=False), steps)
    signs = [step[0][0] * step[1][1] - step[0][1] * step[1][0] for step in steps]
    rows = random_rows(random, n, (p,))
    level = leakage(law, rows, [p])
    for t, sign in enumerate(signs, 1):
        if sign == 0:
            beyond = t + 1 if t >= p else t
            assert at_most(leakage(law, cut(rows, p, beyond), [p]), level)
    if 0 not in signs:
        changes = (
            [sign < 0 for sign in reversed(signs[: p - 1])],
            [sign < 0 for sign in signs[p - 1 :]],
        )
        found = [each for each in candidates(rows, p) if at_most(leakage(law, each, [p]), level)]
        assert any(all(map(of_the_form, sides(each, p), changes)) for each in found)


def thresholds(a, b, level):
    """D0 and D1, the first distances at which the influences are at most the level."""
    found, power, distance = {}, bits(a, b), 1
    while len(found) < 2:
        for value in (0, 1):
            ratios = power[0][value] / power[1][value]
            if max(ratios, 1 / ratios) <= level:
                found.setdefault(value, distance)
        power = [[sum(row[k] * bits(a, b)[k][j] for k in (0, 1)) for j in (0, 1)] for row in power]
        distance += 1
    return found[0], found[1]


@seeds(60)
def test_one_side_starts_with_the_value_0_at_d0_and_is_full_from_d1_on_at_the_earliest(seed):
    random = Random(seed)
    n, (a, b) = random.randint(2, 5), sorted(F(random.randint(1, 7), 8) for _ in range(2))
    if a + b == 1:
        b += F(1, 16)
    law, rows = stationary(a, b, n), random_rows(random, n, (1,))
    level = leakage(law, rows, [1])
    if level == 1:
        assert all(row == HIDDEN for row in rows)
        return
    near, far = thresholds(a, b, level)

    def allowed(side):
        """Not shown below D0; full release from D1 on, if at all; value 0 first in between."""
        middle = regions(side)
        shown = next((d for d, row in enumerate(side, 1) if list(row) != HIDDEN), n)
        full = next((d for d in range(1, n) if all(list(row) == SHOWN for row in side[d - 1 :])), n)
        first = middle and (middle[0][0] < 1)
        return (
            of_the_form(side, [a + b > 1] * n)
            and shown >= min(near, n)
            and full >= min(far, n)
            and (not middle or first)
        )

    found = [each for each in candidates(rows, 1) if at_most(leakage(law, each, [1]), level)]
    assert any(allowed(sides(each, 1)[1]) for each in found)


# -- sides, boxes and levels


def extreme(law, rows, p, seen):
    """The largest and the smallest ratio of outputs given X_p = 0 and X_p = 1."""
    zero, one = (marginal(outputs(given_each(law, [p])[(x,)], rows), seen) for x in (0, 1))
    ratios = [zero[y] / one[y] for y in zero]
    return max(ratios), min(ratios)


def with_regions(random, n, p, negative, value=None):
    """A mechanism of three regions that shows something on each side that has records."""
    rows = [list(HIDDEN) for _ in range(n)]
    for side in (range(p - 2, -1, -1), range(p, n)):
        if side:
            first, shown = (
                random.randrange(len(side)),
                random.randint(0, 1) if value is None else value,
            )
            last = random.randint(first + 1, len(side) + 1)
            for d in range(first, len(side)):
                if d >= last:
                    rows[side[d]] = list(SHOWN)
                else:
                    rows[side[d]][shown ^ (negative and (d - first) % 2)] = random.choice(
                        [F(1, 8), HALF, F(3, 4)]
                    )
    return rows


@seeds(60)
def test_the_first_value_that_can_be_shown_is_extreme_on_its_side(seed):
    random = Random(seed)
    n, (a, b) = random.randint(2, 5), (F(random.randint(1, 7), 8) for _ in range(2))
    if a + b == 1:
        a += F(1, 16)
    law, p = stationary(a, b, n), random.randint(1, n)
    rows = with_regions(random, n, p, a + b > 1)
    for seen in (range(p - 1, 0, -1), range(p + 1, n + 1)):
        t = next((t for t in seen if rows[t - 1] != HIDDEN), None)
        for v in (0, 1):
            if t is not None and rows[t - 1][v] < 1:
                largest_, smallest = extreme(law, rows, p, seen)
                zero, one = (marginal(given_each(law, [p])[(x,)], [t])[(v,)] for x in (0, 1))
                assert (largest_ if zero > one else smallest) == zero / one
                assert pointwise(law, p, t, v) == max(zero / one, one / zero)


@seeds(30)
def test_the_level_is_one_condition_on_distances_and_one_split_of_the_smallest_ratios(seed):
    random = Random(seed)
    n, a = random.randint(3, 5), F(random.randint(1, 6), 8)
    b = F(random.randint(1, 7 - int(8 * a)), 8)
    law, p = stationary(a, b, n), random.randint(2, n - 1)
    rows = with_regions(random, n, p, False, 0)
    left, right = range(p - 1, 0, -1), range(p + 1, n + 1)
    first = [next(t for t in seen if rows[t - 1] != HIDDEN) for seen in (left, right)]
    near = pointwise(law, p, first[0], 0) * pointwise(law, p, first[1], 0)
    far = 1 / (extreme(law, rows, p, left)[1] * extreme(law, rows, p, right)[1])
    assert leakage(law, rows, [p]) == max(near, far)


@seeds(40)
def test_over_a_box_of_chains_the_leakage_is_largest_at_one_of_two_corners(seed):
    random = Random(seed)
    n = random.randint(1, 4)
    p = random.randint(1, n)
    (a1, a2), (b1, b2) = (sorted(F(random.randint(1, 15), 16) for _ in range(2)) for _ in range(2))
    rows = random_rows(random, n, (p,) if seed % 8 else ())
    inside = [
        (a1 + (a2 - a1) * F(i, 3), b1 + (b2 - b1) * F(j, 3)) for i, j in product(range(4), repeat=2)
    ]
    measures = [lambda law: leakage(law, rows, [p])]
    if n > 1:
        t, v = random.choice([t for t in range(1, n + 1) if t != p]), random.randint(0, 1)
        measures.append(lambda law: pointwise(law, p, t, v))
    for measure in measures:
        found = {(a, b): measure(stationary(a, b, n)) for a, b in inside}
        corners = found[a1, b1], found[a2, b2]
        assert all(any(at_most(each, corner) for corner in corners) for each in found.values())
        for (a, b), (c, d) in product(inside, repeat=2):
            if a <= c and b <= d and c + d <= 1:
                assert at_most(found[c, d], found[a, b])
            if a <= c and b <= d and a + b >= 1:
                assert at_most(found[a, b], found[c, d])


# -- trees


def tree_law(random, parents, zero):
    """The law of a tree of records; parents[t] < t is the parent of record t, counted from 0."""
    sizes = [random.choice([2, 3]) if t < 3 else 2 for t in range(len(parents) + 1)]
    start = random_row(random, sizes[0], zero)
    steps = [
        [random_row(random, sizes[t], zero) for _ in range(sizes[parent])]
        for t, parent in enumerate(parents, 1)
    ]
    law = {}
    for x in product(*map(range, sizes)):
        weight = start[x[0]]
        for t, parent in enumerate(parents, 1):
            weight *= steps[t - 1][x[parent]][x[t]]
        if weight:
            law[x] = weight
    return law, sizes


@seeds(40)
def test_what_lies_behind_a_node_of_a_tree_leaks_at_most_the_influence_of_the_node(seed):
    random = Random(seed)
    parents = random.choice([(0, 1), (0, 1, 1), (0, 0, 1), (0, 1, 0)])
    law, sizes = tree_law(random, parents, zero=seed % 2)
    behind = [2, *(t + 1 for t, parent in enumerate(parents, 1) if parent == 1)]
    rows = [
        [F(1)] * sizes[0],
        *([random.choice([F(0), HALF, F(1)]) for _ in range(size)] for size in sizes[1:]),
    ]
    whole = influence(law, 1, [2])
    assert at_most(leakage(law, rows, [1], behind), whole)
    given = {
        key[0]: marginal(outputs(each, rows), behind) for key, each in given_each(law, [2]).items()
    }
    shown = all(
        any(
            p and not any(other.get(y) for w, other in given.items() if w != v)
            for y, p in each.items()
        )
        for v, each in given.items()
    )
    if shown:
        full = [[F(0)] * len(row) if t in behind else row for t, row in enumerate(rows, 1)]
        assert at_most(leakage(law, full, [1]), leakage(law, rows, [1]))


def test_two_leaves_behind_one_node_leak_more_than_each():
    step = bits(F(1, 4), F(1, 4))
    law = {}
    for p, c, left, right in product((0, 1), repeat=4):
        law[p, c, left, right] = HALF * step[p][c] * step[c][left] * step[c][right]
    rows = [HIDDEN, HIDDEN, SHOWN, SHOWN]
    assert influence(law, 1, [2]) == 3 > influence(law, 1, [3]) == influence(law, 1, [4]) == F(5, 3)
    assert leakage(law, rows, [1]) == F(7, 3)


# -- several private records


@seeds(40)
def test_an_interval_of_private_records_keeps_twice_the_level(seed):
    random = Random(seed)
    n = random.randint(1, 4)
    i = random.randint(1, n)
    j = random.randint(i, n)
    a, b = (F(random.randint(1, 7), 8) for _ in range(2))
    private = list(range(i, j + 1))
    law, rows = stationary(a, b, n), random_rows(random, n, private)
    level, whole = max(leakage(law, rows, [p]) for p in private), leakage(law, rows, private)
    assert whole <= level**2
    if i in (1, j) or j == n:
        assert whole <= level


def test_no_smaller_multiple_will_do_for_an_interval():
    """Releasing records 1 and 4 of a chain with a = b and small lam: log of the joint ratio is
    nearly twice that of either.
    """
    for m in (2, 3, 4):
        a = (1 - F(1, 2 * m)) / 2
        law, rows = stationary(a, a, 4), [SHOWN, HIDDEN, HIDDEN, SHOWN]
        level, whole = leakage(law, rows, [2]), leakage(law, rows, [2, 3])
        assert level == leakage(law, rows, [3]) == influence(law, 2, [1]) * influence(law, 2, [4])
        assert whole ** (m + 1) > level ** (2 * m)


@seeds(40)
def test_the_joint_leakage_of_one_record_between_two_is_at_least_a_product_of_three(seed):
    random = Random(seed)
    a, b = (F(random.randint(1, 11), 12) for _ in range(2))
    i, k, j = random.choice([(1, 2, 3), (1, 2, 4), (1, 3, 4), (2, 3, 5)])
    law = stationary(a, b, j)
    decay = (1 - a - b) ** (j - i)
    whole = leakage(law, [SHOWN if t == k else HIDDEN for t in range(1, j + 1)], [i, j])

    def signed(p):
        zero, one = (marginal(given_each(law, [p])[(x,)], [k])[(0,)] for x in (0, 1))
        return zero / one

    factor = (1 + b / a * decay) / (1 + a / b * decay)
    assert whole >= signed(i) * signed(j) * factor
    if a <= b and a + b < 1:
        assert factor >= 1
        assert (factor > 1) == (a < b)


def test_the_joint_leakage_can_be_below_the_product_with_pointwise_influences():
    """For lam < 0 a pointwise influence can be the inverse of the quotient of likelihoods that
    the product needs.
    """
    a, b = F(5, 6), HALF
    law, decay = stationary(a, b, 4), (1 - a - b) ** 3
    product_ = (
        pointwise(law, 1, 3, 0)
        * pointwise(law, 4, 3, 0)
        * (1 + b / a * decay)
        / (1 + a / b * decay)
    )
    assert leakage(law, [HIDDEN, HIDDEN, SHOWN, HIDDEN], [1, 4]) == 4 < product_ == F(396, 95)


@pytest.mark.parametrize(("level", "large"), [(F(2), 50), (F(11, 10), 10), (F(5), 1000)])
def test_no_level_for_each_of_two_records_bounds_the_joint_leakage(level, large):
    b = 1 / level
    a = min((1 - b) ** 2 / (4 * large * level), F(1, 5) * b)
    law, rows = stationary(a, b, 3), [HIDDEN, [1 / level, F(1)], HIDDEN]
    alone = [HIDDEN, rows[1], [F(1), F(1)]]
    assert max(leakage(law, rows, [p]) for p in (1, 3)) <= level
    assert leakage(law, alone, [1]) <= level
    assert pointwise(law, 1, 2, 0) <= level < min(pointwise(law, 1, 2, 1), pointwise(law, 1, 3, 1))
    ratio = largest([outputs(given_each(law, [1, 3])[x, x], rows) for x in (0, 1)])
    assert ratio > large


def test_a_product_of_levels_does_not_bound_the_joint_leakage():
    law, rows = stationary(F(1, 20), HALF, 3), [HIDDEN, [HALF, F(1)], HIDDEN]
    assert max(leakage(law, rows, [p]) for p in (1, 3)) <= 2
    assert leakage(law, rows, [1, 3]) >= F(3971, 371) > 4


def test_the_most_conservative_of_two_can_release_nothing_where_something_is_private():
    law, level = stationary(F(1, 8), HALF, 3), Fraction(20, 11)
    for q in [F(k, 16) for k in range(1, 17)]:
        assert at_most(leakage(law, [HIDDEN, [q, F(1)], SHOWN], [1]), level) == (q == 1)
        assert at_most(leakage(law, [SHOWN, [q, F(1)], HIDDEN], [3]), level) == (q == 1)
    rows = [HIDDEN, [F(1, 4), F(1)], HIDDEN]
    assert max(leakage(law, rows, [p]) for p in (1, 3)) <= level
    assert released(law, rows) == F(3, 5)
