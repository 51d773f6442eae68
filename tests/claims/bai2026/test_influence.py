"""Sections 6.1 to 6.3: counterexamples to curves and closed forms, by enumeration."""

from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod

import pytest
from tests.brute.families import distance
from tests.claims.examination import evidence

pytestmark = pytest.mark.claims
HALF = Fraction(1, 2)
INFINITE = None


def curve_of(mu, nu, hidden):
    """e^a*(b) of one ordered pair and one prior, None for infinite."""
    size, found = len(next(iter(mu))), []
    for count in range(hidden + 1):
        for covered in combinations(range(size), count):
            sums = {}
            for place, law in enumerate((mu, nu)):
                for x, chance in law.items():
                    key = "".join(bit for i, bit in enumerate(x) if i not in covered)
                    sums.setdefault(key, [Fraction(0), Fraction(0)])[place] += chance
            if all(low or not high for high, low in sums.values()):
                found.append(max(high / low for high, low in sums.values() if low))
    return min(found) if found else INFINITE


def test_a_curve_of_one_prior_is_below_another_one_that_rises():
    half = {"00": HALF, "01": HALF}
    found = evidence("bai2026.ab-monotone")
    assert curve_of(half, {"10": HALF, "11": HALF}, 1) == 1 < found["e^a(b)"]["2"]


def test_the_counterexamples_to_the_translation_by_hand():
    for name in ("U any", "U connected", "D_L possible"):
        found = evidence("bai2026.translate", name)
        channel = found["mechanism"]
        rows = {x: [channel.probability(x, y) for y in channel.outputs] for x in channel.databases}
        if name == "U connected":
            assert found["U"] == ["00", "02", "12", "11"]
            assert all(distance(x, y) == 1 for x, y in pairwise(found["U"]))
        ends = zip(rows["00"], rows["11"])
        worst = max(max(p, q) / min(p, q) if min(p, q) else 10**9 for p, q in ends)
        assert worst > found["e^eps_DP"] ** found["b"]


def test_leakages_add_up_to_more_than_their_sum():
    found = evidence("bai2026.compose-gap", "sub-additive in what")
    single = (HALF * Fraction(2, 3) + HALF * Fraction(1, 3)) / Fraction(1, 3)
    joint = (HALF * Fraction(4, 9) + HALF * Fraction(1, 9)) / Fraction(1, 9)
    assert (found["ratio of one run"], found["ratio of two runs"]) == (single, joint)
    assert joint > single**2


def chain_pair(p, q, length, record):
    """The laws of a stationary chain given that the record is 0, and 1."""
    start = (1 - q) / (2 - p - q)
    step = {"00": p, "01": 1 - p, "10": 1 - q, "11": q}
    laws = [{}, {}]
    for x in map("".join, product("01", repeat=length)):
        steps = [step[one + other] for one, other in pairwise(x)]
        laws[int(x[record - 1])][x] = prod(steps, start=start if x[0] == "0" else 1 - start)
    totals = [sum(law.values()) for law in laws]
    return [{x: c / total for x, c in law.items()} for law, total in zip(laws, totals)]


def chain_star(p, q, length, hidden, orders=("01", "10")):
    values = []
    for record in range(1, length + 1):
        pair = chain_pair(p, q, length, record)
        values += [curve_of(pair[int(o[0])], pair[int(o[1])], hidden) for o in orders]
    return max(values)


def closed_form(p, q, hidden):
    stay, half = (1 - q) / (2 - p - q), (hidden + 1) // 2
    return prod(term(p + q - 1, stay if q > p else 1 - stay, d) for d in (half, hidden + 1 - half))


def term(lam, z, d):
    ratio = (z + lam**d * (1 - z)) / (z - lam**d * z)
    return max(ratio, 1 / ratio)


CHANCES = [Fraction(x) for x in ("1/2", "1/3", "2/3", "1/5", "4/5", "3/4")]


def test_the_smallest_chain_on_which_the_closed_form_fails():
    found = evidence("bai2026.chain")
    p, q = found["p"], found["q"]
    assert (found["T"], found["b"], p, q) == (5, 2, HALF, Fraction(1, 3))
    assert chain_star(p, q, 5, 2) == found["e^a*"] == Fraction(63, 40)
    assert closed_form(p, q, 2) == found["formula"] == Fraction(8, 5)
    short = evidence("bai2026.chain", "every T")
    assert chain_star(short["p"], short["q"], 1, 1) == 1 < closed_form(short["p"], short["q"], 1)
    ordered = evidence("bai2026.chain", "lam >= 0, the order")
    assert chain_star(ordered["p"], ordered["q"], 3, 1, ["01"]) == ordered["e^a*"]
    assert chain_star(ordered["p"], ordered["q"], 3, 1) == ordered["formula"] > ordered["e^a*"]


def test_the_terms_are_not_convex_and_the_even_split_is_not_best_for_a_negative_eigenvalue():
    found = evidence("bai2026.chain-steps", "convex")
    p, q, lam = found["p"], found["q"], found["p"] + found["q"] - 1
    z = min((1 - q) / (2 - p - q), (1 - p) / (2 - p - q))
    terms = [term(lam, z, d) for d in (2, 3, 4)]
    assert found["k"] == 2
    assert terms == found["ratios at k, k + 1, k + 2"]
    assert terms[0] * terms[2] < terms[1] ** 2


def test_figures_of_the_figure():
    alone = evidence("bai2026.chain-fig", "p or q alone")
    values = [chain_star(p, Fraction(2, 3), 2, 1) for p in (HALF, Fraction(1, 3))]
    assert values == [alone["e^a* at p = 1/2"], alone["at p = 1/3"]]
    mirrored = evidence("bai2026.chain-fig", "1 - p and 1 - q")
    values = [chain_star(HALF, q, 4, 3) for q in (Fraction(1, 3), Fraction(2, 3))]
    assert values == [mirrored["e^a*"], mirrored["of 1 - p, 1 - q"]]
    assert values[0] != values[1]
    for p, q in product(CHANCES, repeat=2):
        assert chain_star(p, q, 3, 1) == chain_star(q, p, 3, 1)


def test_entries_that_act_indirectly():
    pair = chain_pair(Fraction(3, 4), Fraction(3, 4), 3, 1)
    found = evidence("bai2026.special", "(ii) k - 1 entries depend on it d")["e^a*(2)"]
    assert curve_of(*pair, 2) == found > 1
