"""Claims on optimal designs of redaction, compared with enumeration from the definitions on
small chains.
"""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, log, prod, sqrt
from random import Random

import pytest
from tests.claims.massny2025.rules import SIGNS

from pufferproof.claims.papers.massny2025.bound.patterns import (
    case,
    first_distance,
    instances,
    max_influence,
    optimum,
    pattern_leakage,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    NEVER,
    Chain,
    chain,
    given,
    leakage,
    local,
    output_law,
    pointwise,
)
from pufferproof.claims.papers.massny2025.influence.three_regions import (
    breakpoints,
    leaks,
    medium,
    profile,
    regions,
)
from pufferproof.lp.redaction.regions.exact import exact_side
from pufferproof.lp.redaction.regions.relaxed import relaxed_side
from pufferproof.lp.redaction.side import DesignSide
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget

F = Fraction
POSITIVE = [
    Chain(F(1, 8), F(1, 2)),
    Chain(F(1, 4), F(1, 2)),
    Chain(F(1, 20), F(3, 5)),
    Chain(F(1, 10), F(1, 5)),
]


def gain(at):
    """Z: by how much the least two-sided window is narrower than 2 D*(eps/2) - 1, wherever the
    chain ends.
    """
    half = first_distance(at.of, at.ratio, 2)
    if at.of.eigenvalue >= 0:
        return int(
            half >= 2 and max_influence(at.of, half - 1) * max_influence(at.of, half) <= at.ratio
        )
    if half >= 4 and half % 2 == 0 and pattern_leakage(at.of, half - 2, half) <= at.ratio:
        return 2
    return int(half >= 2 and pattern_leakage(at.of, half - 1, half) <= at.ratio)


def least_redacted(at):
    """The least number of redacted records by the closed form, p <= (n+1)/2."""
    which = case(at)
    if which == 0:
        return at.length
    one_sided = first_distance(at.of, at.ratio) + at.private - 1
    return (
        one_sided
        if which == 1
        else min(one_sided, 2 * first_distance(at.of, at.ratio, 2) - 1 - gain(at))
    )


@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_data_independent_optimum_and_slack(sign):
    slacks = set()
    for at in instances(7, 4, sign, "every p"):
        if 2 * at.private > at.length + 1:
            continue
        least = optimum(at)[0]
        assert least_redacted(at) == least
        if 2 * at.private <= at.length:
            half = first_distance(at.of, at.ratio, 2)
            one_sided = first_distance(at.of, at.ratio) + at.private - 1
            slack = (
                min(gain(at), max(0, one_sided - (2 * half - 1 - gain(at)))) if case(at) == 2 else 0
            )
            assert printed_bound(at) - least == slack
            slacks.add(slack)
    assert slacks == ({0} if sign == 0 else {0, 1})


def random_mechanism(draw, count, private):
    """Symbol probabilities given 0 and 1, three symbols a record; X_p says nothing."""
    rows = []
    for record in range(1, count + 1):
        one, two = ([draw.randrange(4) for _ in range(3)] for _ in range(2))
        pair = [[F(v, sum(w)) for v in w] for w in (one, two) if sum(w)]
        if record == private or len(pair) < 2:
            pair = [[F(1), F(0), F(0)]] * 2
        rows.append(list(zip(*pair)))
    return rows


def extremes(of, rows):
    """The least and largest ratio at X_p of what records at distance 1, 2, .. show, two
    candidates per symbol.
    """
    low = high = (F(1), F(1))
    for symbols in reversed(rows):
        pairs = [(k * f, j * g) for k, j in symbols if k or j for f, g in (low, high)]
        images = [((1 - of.a) * f + of.a * g, of.b * f + (1 - of.b) * g) for f, g in pairs]
        low, high = (
            min(images, key=lambda pair: pair[0] / pair[1]),
            max(images, key=lambda pair: pair[0] / pair[1]),
        )
    return low[0] / low[1], high[0] / high[1]


@pytest.mark.parametrize("sign", SIGNS)
def test_messages_against_enumeration(sign):
    of, draw = SIGNS[sign], Random(7)
    for count, private in [(1, 1), (2, 1), (3, 2), (4, 2), (4, 4)] * 3:
        rows = random_mechanism(draw, count, private)
        left, right = extremes(of, rows[: private - 1][::-1]), extremes(of, rows[private:])

        def mechanism(x, rows=rows):
            laws = [
                {str(y): pair[int(bit)] for y, pair in enumerate(row)} for bit, row in zip(x, rows)
            ]
            found = {}
            for letters in product("012", repeat=len(x)):
                chance = F(1)
                for law, letter in zip(laws, letters):
                    chance *= law[letter]
                if chance:
                    found["".join(letters)] = chance
            return found

        assert leakage(of, count, private, mechanism) == max(
            left[1] * right[1], 1 / (left[0] * right[0])
        )


@pytest.mark.parametrize("sign", ["positive", "negative", "tie"])
def test_sum_of_sides_is_above_the_whole_by_less_than_one_influence(sign):
    of, draw, closest = SIGNS[sign], Random(3), F(1)
    for _ in range(60):
        near = draw.choice([1, 2])
        pairs = [(F(draw.randrange(9), 8), F(draw.randrange(9), 8)) for _ in range(2)]
        if draw.random() < 0.5:
            pairs = [(F(7, 8), F(1)), (F(1), F(7, 8))][:: draw.choice([1, -1])]
        redaction = [pairs[0], *[ALWAYS] * (2 * near - 1), pairs[1]]
        count, private = 2 * near + 1, near + 1
        left, right = (
            leakage(of, count, private, local(redaction), indices)
            for indices in (range(1, private), range(private + 1, count + 1))
        )
        whole = leakage(of, count, private, local(redaction))
        least = min(pointwise(of, near, 0), pointwise(of, near, 1))
        assert max(left, right) <= whole <= left * right < whole * least
        assert whole**2 > left * right or whole == 1
        closest = max(closest, left * right / whole / least) if near == 1 else closest
    assert closest > F(2, 3)


def designs(draw, of, longest=5):
    """Draw n, budget and regions for p = 1 with medium records."""
    while True:
        count = draw.randrange(2, longest + 1)
        budget = draw.choice(breakpoints(of, count, 1)) * draw.choice([F(1), F(21, 20), F(99, 100)])
        split = regions(of, count, 1, budget, budget)
        if budget > 1 and medium(split):
            return count, budget, split


@pytest.mark.parametrize("of", POSITIVE)
def test_one_constraint(of):
    draw = Random(5)
    for _ in range(12):
        count, budget, split = designs(draw, of)
        q = {t: draw.choice([F(0), F(1), F(draw.randrange(1, 8), 8)]) for t in medium(split)}
        laws = [output_law(of, count, 1, value, local(profile(split, q))) for value in (0, 1)]
        shown = "*" * medium(split)[-1] + "1" * ("S" in split)
        zero, one = (
            sum(chance for y, chance in law.items() if y.startswith(shown)) for law in laws
        )
        leak = leaks(of, 1, split, q)
        kept = leak is not None and leak <= budget
        assert kept == (budget * zero >= one)
        assert not kept or all(q.values())


@pytest.mark.parametrize("of", POSITIVE)
def test_shapes_of_exact_and_relaxed_designs(of):
    draw = Random(11)
    for _ in range(12):
        count, budget, _ = designs(draw, of, 8)
        side = DesignSide.of(BinaryChain(of.a, of.b, count), count - 1, Budget(Level.log(budget)))
        q = exact_side(side).q
        assert all(near == 1 or far < near for near, far in pairwise(q))
        if side.size < 2:
            continue
        assert (set(q) == {1}) == bool(
            side.released and side.chain.max_influence(side.small) == budget
        )
        heights = [log(budget) - log(side.delta(k)) for k in range(1, side.size + 1)]
        means = [height / k for k, height in enumerate(heights, 1)]
        assert all(far <= near + 1e-12 for near, far in pairwise(means[:-1]))
        relaxed = relaxed_side(side).q
        assert len(set(relaxed[:-1])) == 1
        assert relaxed[-1] <= relaxed[0]
        if abs(means[-1] - means[-2]) > 1e-9:
            assert (relaxed[-1] == relaxed[0]) == (means[-1] < means[-2])


def released(of, budget):
    """The best expected number of released records of a side of one record, by the closed form,
    checked by enumeration.
    """
    low, high = pointwise(of, 1, 0), pointwise(of, 1, 1)
    if budget < low:
        return F(0)
    if budget >= high:
        return F(1)
    p, r = (1 - of.a, of.b) if of.eigenvalue > 0 else (of.b, 1 - of.a)
    gained = (budget - 1) / (budget * p - r)
    assert leaks(of, 1, "LM", {2: 1 - gained}) == budget
    return of.b / (of.a + of.b) * gained


@pytest.mark.parametrize("sign", ["positive", "negative", "tie"])
def test_best_split_of_three_records(sign):
    of = SIGNS[sign]
    low, high = pointwise(of, 1, 0), pointwise(of, 1, 1)
    roots = {low, high, (low + high) / 2, (1 + low) / 2, high + 1, (low * 9 + high) / 10}
    for root in roots:
        level = root**2
        splits = {level * F(k, 40) for k in range(1, 41)} | {
            low,
            high,
            root,
            level / high,
            level / low,
        }
        values = {x: released(of, x) + released(of, level / x) for x in splits if 1 <= x <= level}
        best = max(values.values())
        candidates = [level, root, *([high] if high <= level else [])]
        assert max(values[x] for x in candidates) == best
        if level < low**2:
            assert values[level] == best
        elif level < high or level >= high**2:
            assert values[root] == best


def test_split_example():
    of = chain("1/4", "1/2")
    assert 2 * released(of, F(3, 2)) == F(16, 15)
    assert 2 * released(of, F(7, 4)) < F(5, 4) < F(3, 2) < 1 + released(of, F(49, 32))


def best(of, count, budget):
    side = DesignSide.of(BinaryChain(of.a, of.b, count), count - 1, Budget(Level.log(budget)))
    return side.released + of.b / (of.a + of.b) * (side.size - exact_side(side).total)


def test_published_regions_are_not_monotone_in_the_level():
    of = chain("1/8", "1/2")
    assert pointwise(of, 2, 1) == F(20, 11)
    assert best(of, 3, F(9, 5)) > 1 == best(of, 3, F(20, 11))
    assert leaks(of, 1, "LMM", {2: F(1, 2), 3: F(11, 50)}) <= F(9, 5)


@pytest.mark.parametrize("sign", SIGNS)
def test_exchanges_of_values_and_of_order(sign):
    of, draw = SIGNS[sign], Random(1)
    for count, private in [(1, 1), (2, 2), (3, 1), (4, 2)]:
        rows = [(F(draw.randrange(5), 4), F(draw.randrange(5), 4)) for _ in range(count)]
        rows[private - 1] = ALWAYS
        leak = leakage(of, count, private, local(rows))
        assert (
            leakage(Chain(of.b, of.a), count, private, local([row[::-1] for row in rows])) == leak
        )
        assert leakage(of, count, count + 1 - private, local(rows[::-1])) == leak


def test_level_zero_and_eigenvalue_zero():
    for sign, of in SIGNS.items():
        for place, row in product(
            (0, 2, 3), [(F(1, 2), F(1)), (F(1), F(1, 2)), NEVER, (F(0), F(1))]
        ):
            rows = [row if t == place else ALWAYS for t in range(4)]
            assert (leakage(of, 4, 2, local(rows)) == 1) == (sign == "zero")


@pytest.mark.parametrize("sign", SIGNS)
def test_q_zero_is_never_feasible(sign):
    of = SIGNS[sign]
    for count in (2, 3, 4):
        for budget in breakpoints(of, count, 1):
            split = regions(of, count, 1, budget, budget)
            for zero in medium(split):
                leak = leaks(of, 1, split, {t: F(t != zero) for t in medium(split)})
                assert leak is None or leak > budget


def last_output(of, count, split, q, value):
    """The law of the medium records' values and the last output, given X_1 = value: values to
    probability.
    """
    found = {}
    for x, weight in given(of, count, 1, value).items():
        values = "".join(x[t - 1] for t in medium(split))
        shown = "S" not in split or x[split.index("S")] == "1"
        chance = prod(q[t] for t in medium(split) if x[t - 1] == "0")
        found[values] = found.get(values, F(0)) + weight * chance * shown
    return found


@pytest.mark.parametrize("of", POSITIVE)
def test_weighted_and_condensed_constraints_keep_the_budget(of):
    draw, kept = Random(2), 0
    for _ in range(40):
        count, budget, split = designs(draw, of)
        records = medium(split)
        reference = (
            dict.fromkeys(records, F(1))
            if draw.random() < 0.5
            else {t: F(draw.randrange(1, 9), 8) for t in records}
        )
        at = last_output(of, count, split, reference, 0)
        weights = [
            sum(chance for z, chance in at.items() if z[k] == "0") / sum(at.values())
            for k in range(len(records))
        ]
        assert all(0 < w < 1 for w in weights)
        q = {t: F(draw.randrange(1, 17), 16) for t in records}
        above = sum(last_output(of, count, split, q, 1).values())
        value = log(above / sum(at.values())) - sum(
            w * log(q[t] / reference[t]) for w, t in zip(weights, records)
        )
        if value > log(budget) - 1e-12:
            continue
        kept += 1
        assert leaks(of, 1, split, q) <= budget
    assert kept


@pytest.mark.parametrize("of", POSITIVE)
def test_optimum_of_the_weighted_program(of):
    draw = Random(4)
    for _ in range(6):
        count, budget, split = designs(draw, of)
        records, ones = medium(split), dict.fromkeys(medium(split), F(1))
        at, other = (last_output(of, count, split, ones, value) for value in (0, 1))
        weights = [
            float(sum(c for z, c in at.items() if z[k] == "0") / sum(at.values()))
            for k in range(len(records))
        ]
        room = log(budget) - log(sum(other.values()) / sum(at.values()))
        low, high = 1e-9, 2 / min(weights)
        for _ in range(200):
            mu = (low + high) / 2
            spent = sum(-w * log(min(1, mu * w)) for w in weights)
            low, high = (mu, high) if spent > room else (low, mu)
        least = sum(min(1, high * w) for w in weights)
        for _ in range(200):
            y = [draw.random() for _ in weights]
            scale = room / sum(w * v for w, v in zip(weights, y))
            assert sum(exp(-scale * v) for v in y) >= least - 1e-9
        relaxed = DesignSide.of(
            BinaryChain(of.a, of.b, count), count - 1, Budget(Level.log(budget))
        )
        total = float(relaxed_side(relaxed).total)
        assert least < total or total > len(weights) - 1e-12


def test_supremum_over_budgets_is_not_attained():
    of = chain("1/8", "1/2")
    budgets = [F(7, 5), F(7, 4), F(9, 5), F(181, 100), F(2000, 1101), F(20, 11)]
    values = [best(of, 3, budget) for budget in budgets]
    assert values[:-1] == sorted(set(values[:-1]))
    assert values[-1] == 1 < values[2]


def test_best_split_depends_on_the_length():
    of = chain("1/4", "1/2")
    assert best(of, 2, F(2)) == 1
    assert released(of, F(2)) > 2 * released(of, F(7, 5)) == 0
    assert best(of, 3, F(2)) == 2 < best(of, 3, F(6, 5)) + best(of, 3, F(5, 3))


def test_sum_of_sides_of_data_independent_mechanisms():
    for of in SIGNS.values():
        for left, right in product(range(1, 4), repeat=2):
            ends = [(pointwise(of, d, 0), pointwise(of, d, 1)) for d in (left, right)]
            opposite = of.eigenvalue < 0 and (left + right) % 2
            gap = min(one / zero for zero, one in ends) if opposite else 1
            assert ends[0][1] * ends[1][1] / pattern_leakage(of, left, right) == gap


@pytest.mark.parametrize("of", POSITIVE)
def test_decay_of_exact_designs(of):
    draw = Random(6)
    g, h = sqrt(of.a * of.b), sqrt((1 - of.a) * (1 - of.b))
    for _ in range(15):
        count, budget, _ = designs(draw, of, 9)
        side = DesignSide.of(BinaryChain(of.a, of.b, count), count - 1, Budget(Level.log(budget)))
        q = exact_side(side).q
        pairs = [(near, far) for near, far in pairwise(q) if near < 1]
        assert all(far <= near * (h - g) / (h + g) + 1e-12 for near, far in pairs)
        assert sum(value for value in q if value < 1) <= (h + g) / (2 * g)


@pytest.mark.parametrize("of", [*POSITIVE, Chain(F(2, 3), F(3, 4)), Chain(F(1, 2), F(9, 10))])
def test_single_medium_records(of):
    for count in range(2, 6):
        for budget in breakpoints(of, count, 1):
            split = regions(of, count, 1, budget, budget)
            if len(records := medium(split)) != 1:
                continue
            rows = of.power(records[0] - 1)
            more, less = sorted((rows[0][0], rows[1][0]), reverse=True)
            factor = max(of.b / (1 - of.a), (1 - of.b) / of.a) if "S" in split else F(1)
            least = factor * (1 - less - budget * (1 - more)) / (budget * more - less)
            assert 0 < least <= 1
            for q in (least, (1 + least) / 2, least * F(99, 100)):
                assert (leaks(of, 1, split, {records[0]: q}) <= budget) == (q >= least)


@pytest.mark.parametrize("count", [4, 5, 8])
def test_the_rate_of_decay_is_approached(count):
    of = BinaryChain("1/10", "1/2", count)
    side = DesignSide.of(of, count - 1, Budget(Level.log(of.influence(0, count - 2))))
    near, far = exact_side(side).q
    assert F(1, 2) - F(2, 5) ** (count - 2) <= far / near < F(1, 2)
