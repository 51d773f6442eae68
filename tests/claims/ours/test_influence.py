"""Claims on influence along chains: settled, and true of small instances by enumeration of every
sequence.
"""

from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, product
from math import inf, prod
from random import Random

import pytest
from tests.examples import TIMES

F = Fraction
SEEDS = range(8 * TIMES)


def random_row(random, count, zeros=False):
    weights = [random.randint(0 if zeros else 1, 4) for _ in range(count)]
    weights[random.randrange(count)] += 1
    return tuple(F(weight, sum(weights)) for weight in weights)


def quotient(above, below):
    return above / below if below else inf


def shown(law, rows, length, seen):
    """The joint law of the records in `seen`, by every sequence."""
    total = {}
    for path in product(range(len(law)), repeat=length):
        p = law[path[0]] * prod(rows[x][y] for x, y in pairwise(path))
        key = tuple(path[t - 1] for t in seen)
        total[key] = total.get(key, 0) + p
    return total


def pair_ratio(law, rows, length, record, others, pair):
    """The largest P(X_Q = z | X_i = v)/P(X_Q = z | X_i = w); None if v or w is impossible."""
    joint = shown(law, rows, length, (record, *others))
    mass = [sum(p for key, p in joint.items() if key[0] == value) for value in pair]
    if not all(mass):
        return None
    v, w = pair
    return max(
        quotient(joint[(v, *rest)] * mass[1], joint[(w, *rest)] * mass[0])
        for rest in product(range(len(law)), repeat=len(others))
        if joint[(v, *rest)]
    )


def ratio(law, rows, length, record, others):
    """e^e of some records on X_i."""
    pairs = [(v, w) for v, w in product(range(len(law)), repeat=2) if v != w]
    found = [pair_ratio(law, rows, length, record, others, pair) for pair in pairs]
    return max((each for each in found if each is not None), default=F(1))


def power(rows, exponent):
    states = range(len(rows))
    result = [[F(int(x == y)) for y in states] for x in states]
    for _ in range(exponent):
        result = [[sum(row[z] * rows[z][y] for z in states) for y in states] for row in result]
    return result


def on_the_left(rows, record, left, law, pair):
    """The two factors of what X_(i-a) tells of v against w: from a law, and from any (None)."""
    v, w = pair
    states = range(len(rows))
    seen, before = power(rows, record - 1 - left), power(rows, record - 1)
    laws = [law] if law else power(rows, 0)
    possible = [x for x in states if any(sum(q[z] * seen[z][x] for z in states) for q in laws)]
    steps = power(rows, left)
    near = max(quotient(steps[x][v], steps[x][w]) for x in possible if steps[x][v])
    masses = [[sum(q[z] * before[z][u] for z in states) for u in pair] for q in laws]
    return near, max(quotient(two, one) for one, two in masses if two)


@pytest.mark.parametrize("seed", SEEDS)
def test_influences_are_products_of_their_factors(seed):
    random = Random(seed)
    states, record, left, right = 2 + seed % 2, random.randint(2, 4), 1, random.randint(1, 2)
    left = random.randint(1, record - 1)
    rows = [random_row(random, states, zeros=seed % 4 > 1) for _ in range(states)]
    law = random_row(random, states, zeros=seed % 3 == 0)
    for pair in product(range(states), repeat=2):
        others = (record - left, record + right)
        found = pair_ratio(law, rows, record + right, record, others, pair)
        if found is not None and pair[0] != pair[1]:
            steps = power(rows, right)
            v, w = pair
            forward = max(quotient(a, b) for a, b in zip(steps[v], steps[w]) if a)
            assert found == prod(on_the_left(rows, record, left, law, pair)) * forward


@pytest.mark.parametrize("seed", SEEDS)
def test_any_law_of_the_first_record_comes_near_the_supremum_and_never_exceeds_it(seed):
    random = Random(100 + seed)
    states, record = 2 + seed % 2, random.randint(2, 4)
    left = random.randint(1, record - 1)
    rows = [random_row(random, states) for _ in range(states)]
    pair = random.sample(range(states), 2)
    most = prod(on_the_left(rows, record, left, None, pair))
    assert prod(on_the_left(rows, record + 1, left, None, pair)) <= most
    laws = [random_row(random, states, zeros=True) for _ in range(5)]
    near = F(1, 10**9)
    masses = [
        tuple(1 - near if z == x else near / (states - 1) for z in range(states))
        for x in range(states)
    ]
    ratios = [pair_ratio(q, rows, record, record, (record - left,), pair) for q in laws + masses]
    assert all(each <= most for each in ratios if each is not None)
    assert max(each for each in ratios if each is not None) >= most * (1 - F(1, 10**6))


@pytest.mark.parametrize("seed", SEEDS)
def test_farther_quilts_tell_less_and_boxes_bound_scores(seed):
    random = Random(200 + seed)
    states, record, length = 2 + seed % 2, 3, 5
    rows = [random_row(random, states, zeros=seed % 2 == 1) for _ in range(states)]
    law = random_row(random, states)
    known = {
        (a, b): ratio(
            law, rows, length, record, [*([3 - a] if a < 3 else []), *([3 + b] if b < 3 else [])]
        )
        for a, b in product((1, 2, 3), repeat=2)
    }
    for (a, b), near in known.items():
        for (more, further), far in known.items():
            if a <= more and b <= further:
                assert far <= near
    assert known[3, 3] == 1
    level = F(random.randint(2, 9), 2)  # ratios in place of their logarithms: both fall
    for (a, b), (most, widest) in product(known, repeat=2):
        inside = [q for q in known if a <= q[0] <= most and b <= q[1] <= widest]
        for quilt in inside:
            if known[quilt] < level:
                score = (sum(quilt) - 1) / (level - known[quilt])
                assert score >= (a + b - 1) / (level - known[most, widest])


@pytest.mark.parametrize("seed", SEEDS)
def test_laws_stay_between_their_extreme_ratios_to_the_stationary_one(seed):
    random = Random(300 + seed)
    if seed % 2:  # two cyclic classes {0, 1} and {2, 3}, and Q = P^2
        to, back = ([random_row(random, 2) for _ in range(2)] for _ in range(2))
        rows = [(0, 0, *row) for row in to] + [(*row, 0, 0) for row in back]
        chosen, kernel = (0, 1), power([[F(each) for each in row] for row in rows], 2)
    else:
        rows = [random_row(random, 3) for _ in range(3)]
        chosen, kernel = (0, 1, 2), power(rows, random.randint(1, 3))
    block = [[kernel[x][y] for y in chosen] for x in chosen]
    pi = stationary(block)
    m = random_row(random, len(chosen), zeros=True)
    moved = [sum(m[x] * block[x][y] for x in range(len(m))) for y in range(len(m))]
    ratios = [a / b for a, b in zip(m, pi)]
    assert all(min(ratios) <= each / p <= max(ratios) for each, p in zip(moved, pi))


def stationary(rows):
    """The stationary law: weights of trees towards each state, of at most three states."""
    if len(rows) == 2:
        trees = [rows[1][0], rows[0][1]]
    else:
        trees = [
            rows[y][x] * rows[z][x] + rows[y][x] * rows[z][y] + rows[z][x] * rows[y][z]
            for x, y, z in ((0, 1, 2), (1, 0, 2), (2, 0, 1))
        ]
    return [tree / sum(trees) for tree in trees]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_best_records_to_hide_are_a_block(seed):
    random = Random(400 + seed)
    states, length = 2, 5
    record = random.randint(1, length)
    rows = [random_row(random, states, zeros=seed % 2 == 1) for _ in range(states)]
    law = random_row(random, states)

    @cache
    def worth(hidden, pair):
        others = [t for t in range(1, length + 1) if t not in hidden]
        return pair_ratio(law, rows, length, record, others, pair)

    for pair in ((0, 1), (1, 0)):
        if worth((record,), pair) is None:
            continue
        for count in range(1, length):
            sets = [h for h in combinations(range(1, length + 1), count) if record in h]
            blocks = [h for h in sets if h[-1] - h[0] == count - 1]
            ends = [(h[0] - 1, h[-1] + 1) for h in blocks]
            sides = [
                prod(
                    pair_ratio(law, rows, length, record, (t,), pair)
                    for t in end
                    if 1 <= t <= length
                )
                for end in ends
            ]
            assert min(worth(h, pair) for h in sets) == min(sides)
            assert [worth(h, pair) for h in blocks] == sides


GRID = [F(k, 8) for k in (1, 2, 3, 4, 6, 7, 8)]


def largest(v, w, rows, distance):
    steps = power(rows, distance)
    return max(quotient(a, b) for a, b in zip(steps[v], steps[w]) if a)


def chain(p, r):
    return [(1 - p, p), (r, 1 - r)]


@pytest.mark.parametrize("distance", [1, 2, 3, 4])
def test_influences_of_two_values_are_monotone_on_either_side_of_no_correlation(distance):
    for p, r, v in product(GRID, GRID, (0, 1)):
        here = largest(v, 1 - v, chain(p, r), distance)
        if p + r == 1:
            assert here == 1
        for q, s in product(GRID, GRID):
            if p <= q and r <= s:
                there = largest(v, 1 - v, chain(q, s), distance)
                assert q + s > 1 or there <= here
                assert p + r < 1 or here <= there


@pytest.mark.parametrize("seed", SEEDS)
def test_two_values_from_the_stationary_law_and_from_any(seed):
    random = Random(500 + seed)
    p, r = (random.choice(GRID) for _ in range(2))
    rows, record = chain(p, r), random.randint(2, 4)
    left, right = random.randint(1, record - 1), random.randint(1, 2)
    pi = (r / (p + r), p / (p + r))
    for v, w in ((0, 1), (1, 0)):
        forward = largest(v, w, rows, right)
        others = (record - left, record + right)
        found = pair_ratio(pi, rows, record + right, record, others, (v, w))
        assert found == largest(v, w, rows, left) * forward
        if all(on_the_left(rows, record, left, None, (v, w))):
            near, start = on_the_left(rows, record, left, None, (v, w))
            factors = largest(v, w, rows, left), largest(w, v, rows, record - 1)
            assert near * start == prod(factors)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_forget_at_least_as_fast_as_sets_say(seed):
    random = Random(600 + seed)
    states, distance = 3, random.randint(1, 3)
    rows = [random_row(random, states) for _ in range(states)]
    for y in range(states):
        now = [row[y] for row in power(rows, distance)]
        after = [row[y] for row in power(rows, distance + 1)]
        spread = max(now) / min(now) - 1
        for v, w in product(range(states), repeat=2):
            masses = [
                (sum(rows[v][z] for z in chosen), sum(rows[w][z] for z in chosen))
                for size in range(states + 1)
                for chosen in combinations(range(states), size)
            ]
            most = max((1 + spread * a) / (1 + spread * b) for a, b in masses)
            assert after[v] / after[w] <= most <= 1 + spread * max(a - b for a, b in masses)
