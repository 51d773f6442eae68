"""Statements on leakages and on data-independent redaction, on small random instances by their
definitions.
"""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from random import Random

import pytest
from tests.claims.redaction.sums import (
    ALWAYS,
    NEVER,
    ONE,
    given,
    influence,
    keeps,
    law,
    leak,
    local,
    random_chain,
    random_symbols,
    ratios,
    step,
    utility,
)

F = Fraction
SIGNS = ["positive", "zero", "negative", "equal"]


def test_one_record_between_two_private_ones():
    draw = Random(1)

    def instance(of, i, k, j):
        weights = law(of, j)
        given_pair = {x: given(weights, {i: x[0], j: x[1]}) for x in product((0, 1), repeat=2)}
        shows = {
            x: [sum(w for z, w in found.items() if z[k - 1] == v) for v in (0, 1)]
            for x, found in given_pair.items()
        }
        joint = max(
            one[v] / two[v] for one, two in product(shows.values(), repeat=2) for v in (0, 1)
        )
        zero = {
            (t, x): sum(w for z, w in given(weights, {t: x}).items() if not z[k - 1])
            for t in (i, j)
            for x in (0, 1)
        }
        signed = [zero[t, 0] / zero[t, 1] for t in (i, j)]
        a, b = of
        power = (1 - a - b) ** (j - i)
        factor = (1 + b / a * power) / (1 + a / b * power)
        return joint, signed, factor

    joint, signed, factor = instance((F(5, 6), F(1, 2)), 1, 3, 4)
    pointwise = prod(max(ratio, 1 / ratio) for ratio in signed)
    assert joint == 4 < pointwise * factor == F(396, 95)
    assert joint >= prod(signed) * factor
    for sign in SIGNS * 12:
        of = random_chain(draw, sign, ordered=False)
        i = draw.randrange(1, 3)
        k = i + draw.randrange(1, 4)
        joint, signed, factor = instance(of, i, k, k + draw.randrange(1, 3))
        assert joint >= prod(signed) * factor
        if sum(of) < 1 and of[0] <= of[1]:
            assert factor > 1 or of[0] == of[1]


@pytest.mark.parametrize("sign", SIGNS)
def test_leakage_of_both_sides(sign):
    draw = Random(2)
    for _ in range(15):
        of, count = random_chain(draw, sign, ordered=False), draw.randrange(1, 5)
        private = draw.randrange(1, count + 1)
        symbols = [random_symbols(draw) for _ in range(count)]
        symbols[private - 1] = local([ALWAYS])[0]
        left = ratios(of, count, private, symbols, range(1, private)) if private > 1 else [ONE, ONE]
        right = (
            ratios(of, count, private, symbols, range(private + 1, count + 1))
            if private < count
            else [ONE, ONE]
        )
        whole = max(ratios(of, count, private, symbols))
        assert whole == max(one * two for one, two in zip(left, right))
        assert max(*left, *right) <= whole <= max(left) * max(right)
        together = any(left[x] == max(left) and right[x] == max(right) for x in (0, 1))
        assert (whole == max(left) * max(right)) == together
        assert whole**2 > max(left) * max(right) or whole == 1


@pytest.mark.parametrize("sign", ["positive", "negative", "equal"])
def test_sides_together_leak_less_by_at_most_one_influence(sign):
    draw = Random(3)
    for _ in range(10):
        of, near, far = random_chain(draw, sign), draw.choice([1, 1, 2]), draw.choice([0, 1])
        private, count = near + 1, 2 * near + 1 + far
        open_rows = [tuple(F(draw.randrange(5), 4) for _ in range(2)) for _ in range(2 + far)]
        rows = [open_rows[0], *[ALWAYS] * (2 * near - 1), *open_rows[1:]]
        left = leak(of, count, private, rows, range(1, private))
        right = leak(of, count, private, rows, range(private + 1, count + 1))
        least = influence(of, near, 0)
        assert left * right / leak(of, count, private, rows) < least
        aim, little, closest = 1 + (least - 1) * F(9, 10), F(1, 10**6), ONE
        for one, two in product(*[[(1 - little, ONE), (ONE, 1 - little)]] * 2):
            rows = [one, *[ALWAYS] * (2 * near - 1), two, *[ALWAYS] * far]
            left = leak(of, count, private, rows, range(1, private))
            right = leak(of, count, private, rows, range(private + 1, count + 1))
            closest = max(closest, left * right / leak(of, count, private, rows))
        assert closest > aim


@pytest.mark.parametrize("sign", SIGNS)
def test_sides_of_data_independent_mechanisms(sign):
    draw = Random(4)
    for _ in range(10):
        of, count = random_chain(draw, sign), 5
        private = draw.randrange(2, 5)
        chances = [draw.choice([F(0), F(1, 2), F(1), F(1)]) for _ in range(count)]
        chances[private - 1] = ONE
        lefts = [private - t for t in range(1, private) if chances[t - 1] < 1]
        rights = [t - private for t in range(private + 1, count + 1) if chances[t - 1] < 1]
        if not lefts or not rights:
            continue
        rows, near = [(r, r) for r in chances], (min(lefts), min(rights))
        parts = [
            leak(of, count, private, rows, side)
            for side in (range(1, private), range(private + 1, count + 1))
        ]
        gap = min(influence(of, d, 1) / influence(of, d, 0) for d in near)
        odd = sign != "zero" and sum(of) > 1 and sum(near) % 2
        assert prod(parts) / leak(of, count, private, rows) == (gap if odd else 1)


def released_leak(of, count, private, released):
    return leak(
        of,
        count,
        private,
        [NEVER if t in released else ALWAYS for t in range(1, count + 1)],
        released or [private],
    )


def first(of, level, share):
    return next(k for k in range(1, 12) if influence(of, k, 1) ** share <= level)


def closed_form(of, count, private, level):
    """The least number of redacted records, the printed bound, its case and Z, as stated."""
    inf, zero = (lambda d: influence(of, d, 1)), (lambda d: influence(of, d, 0))
    if private == count or level < inf(count - private):
        return count, count, 1, 0
    distance, half = first(of, level, 1), first(of, level, 2)
    one_sided, z = distance + private - 1, 0
    if sum(of) <= 1:
        z = int(half >= 2 and inf(half - 1) * inf(half) <= level)
    elif half >= 4 and half % 2 == 0 and inf(half - 2) * inf(half) <= level:
        z = 2
    elif half >= 2 and max(inf(half - 1) * zero(half), zero(half - 1) * inf(half)) <= level:
        z = 1
    if private > 1 and level >= inf(private - 1) * inf(count - private):
        return min(one_sided, 2 * half - 1 - z), min(one_sided, 2 * half - 1), 2, z
    return one_sided, one_sided, 3, z


@pytest.mark.parametrize("sign", SIGNS)
def test_best_data_independent_mechanisms(sign):
    draw, seen = Random(6), set()
    for _ in range(12):
        of, count = random_chain(draw, sign), draw.randrange(1, 7)
        while sum(of) != 1 and abs(1 - sum(of)) > F(3, 5):
            of = random_chain(draw, sign)
        private = draw.randrange(1, (count + 1) // 2 + 1)
        distances = range(1, max(count, 2))
        pairs = {
            influence(of, left, 1) * influence(of, r, v)
            for left in distances
            for r in distances
            for v in (0, 1)
        }
        levels = sorted(level for level in pairs if level > 1) or [F(2)]
        others = [t for t in range(1, count + 1) if t != private]
        subsets = [set(s) for size in range(count) for s in combinations(others, size)]
        leaks = {frozenset(s): released_leak(of, count, private, sorted(s)) for s in subsets}
        for level in {
            draw.choice(levels),
            draw.choice(levels) * F(101, 100),
            max(F(101, 100), min(levels) * F(99, 100)),
        }:
            least, printed, case, z = closed_form(of, count, private, level)
            assert least == min(count - len(s) for s, found in leaks.items() if found <= level)
            if 2 * private <= count:
                half, one_sided = first(of, level, 2), first(of, level, 1) + private - 1
                fewer = min(z, max(0, one_sided - (2 * half - 1 - z))) if case == 2 else 0
                assert printed - least == fewer <= (1 if sum(of) <= 1 else 2)
            seen.add(case)
    assert len(seen) > 1


def test_two_records_fewer_for_a_negative_eigenvalue():
    of, count, private = (F(4, 5), F(14, 15)), 8, 4
    level = influence(of, 2, 1) * influence(of, 4, 1)
    least, _, case, z = closed_form(of, count, private, level)
    assert (case, z) == (2, 2)
    windows = product([*range(1, private), None], [*range(1, count - private + 1), None])
    numbers = []
    for left, right in windows:
        released = [
            t for d, t in ((left, private - (left or 0)), (right, private + (right or 0))) if d
        ]
        if released_leak(of, count, private, released) <= level:
            numbers.append((left or private) + (right or count - private + 1) - 1)
    assert least == min(numbers)


def test_pairs_of_released_records():
    draw = Random(7)
    for _ in range(6):
        of = random_chain(draw, "negative")
        found = {}
        for left, right in product(range(1, 6), repeat=2):
            weights = law(of, 6)
            rows = [
                [
                    [
                        sum(w for x, w in given(weights, {1: first}).items() if x[d] == v)
                        for v in (0, 1)
                    ]
                    for first in (0, 1)
                ]
                for d in (left, right)
            ]
            quotients = [
                rows[0][0][u] * rows[1][0][v] / (rows[0][1][u] * rows[1][1][v])
                for u, v in product((0, 1), repeat=2)
            ]
            found[left, right] = max(max(ratio, 1 / ratio) for ratio in quotients)
        for (left, right), ratio in found.items():
            k, odd = divmod(left + right + 1, 2)
            if not odd:
                assert ratio >= found[k - 1, k] or k < 2
            elif k % 2 and left % 2 == 0:
                assert ratio >= found[k - 1, k + 1]


@pytest.mark.parametrize("sign", SIGNS)
def test_messages_on_chains_whose_steps_differ(sign):
    draw = Random(8)
    for _ in range(8):
        steps = [step(random_chain(draw, sign, ordered=False)) for _ in range(draw.randrange(1, 4))]
        symbols = [random_symbols(draw) for _ in steps]
        pairs, extremes = [(ONE, ONE)], {ONE}
        for rows, laws in zip(reversed(steps), reversed(symbols)):

            def through(pair, symbol, rows=rows, laws=laws):
                return tuple(
                    sum(row[v] * laws[v][symbol] * pair[v] for v in (0, 1)) for row in rows
                )

            shows = [s for s in range(3) if laws[0][s] or laws[1][s]]
            pairs = [through(pair, s) for pair in pairs for s in shows]
            images = [through((ratio, ONE), s) for ratio in extremes for s in shows]
            every = [one / two for one, two in pairs]
            candidates = [one / two for one, two in images]
            assert len(candidates) <= 2 * 3
            extremes = {min(candidates), max(candidates)}
            assert extremes == {min(every), max(every)}


def test_events_on_any_alphabet():
    draw = Random(9)
    for _ in range(20):
        size, count = draw.choice([2, 3]), draw.randrange(1, 4)
        rows = []
        while len(rows) < size:
            row = [draw.randrange(4) for _ in range(size)]
            if sum(row):
                rows.append([F(v, sum(row)) for v in row])
        hidden = [[F(draw.randrange(5), 4) for _ in range(size)] for _ in range(count)]
        first_value, second = draw.sample(range(size), 2)
        outputs = {}
        for x in product(range(size), repeat=count):
            for y in product(*[(v, "*") for v in x]):
                chance = prod(
                    (
                        hidden[d][v] if s == "*" else 1 - hidden[d][v]
                        for d, (v, s) in enumerate(zip(x, y))
                    ),
                    start=ONE,
                )
                for number, begin in enumerate((first_value, second)):
                    weight = chance * prod(
                        (rows[u][v] for u, v in pairwise((begin, *x))), start=ONE
                    )
                    outputs.setdefault(y, [F(0), F(0)])[number] += weight
        matrix, events = rows, []
        for d in range(count):
            events += [
                (
                    matrix[first_value][z] * (1 - hidden[d][z]),
                    matrix[second][z] * (1 - hidden[d][z]),
                )
                for z in range(size)
            ]
            kept = [[row[z] * hidden[d][z] for z in range(size)] for row in matrix]
            if d == count - 1:
                events.append((sum(kept[first_value]), sum(kept[second])))
            matrix = [
                [sum(row[u] * rows[u][z] for u in range(size)) for z in range(size)] for row in kept
            ]

        def quotients(pairs):
            return {one / two if two else None for one, two in pairs if one or two}

        assert quotients(outputs.values()) == quotients(events)


@pytest.mark.parametrize("sign", SIGNS)
def test_exchanged_values_and_order(sign):
    draw = Random(10)
    for _ in range(8):
        of, count = random_chain(draw, sign, ordered=False), draw.randrange(1, 5)
        private = draw.randrange(1, count + 1)
        rows = [(F(draw.randrange(5), 4), F(draw.randrange(5), 4)) for _ in range(count)]
        found, value = leak(of, count, private, rows), utility(of, rows)
        swapped = [row[::-1] for row in rows]
        assert (leak(of[::-1], count, private, swapped), utility(of[::-1], swapped)) == (
            found,
            value,
        )
        assert (leak(of, count, count + 1 - private, rows[::-1]), utility(of, rows[::-1])) == (
            found,
            value,
        )


@pytest.mark.parametrize("sign", SIGNS)
def test_level_zero(sign):
    draw = Random(11)
    for _ in range(10):
        of, count = random_chain(draw, sign, ordered=False), draw.randrange(1, 5)
        private = draw.randrange(1, count + 1)
        rows = [
            tuple(draw.choice([F(0), F(1, 2), ONE, ONE]) for _ in range(2)) for _ in range(count)
        ]
        hides = rows[private - 1] == ALWAYS
        nothing = all(row == ALWAYS for row in rows)
        assert keeps(of, count, private, rows, ONE) == (hides if sign == "zero" else nothing)
