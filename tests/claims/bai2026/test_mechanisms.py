"""Section 6.4, Appendices A and B of "Composition for Pufferfish Privacy": verdicts by reading, and
mechanisms, algorithms and rows of the table judged from the definitions.
"""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance
from tests.claims.examination import evidence


def tables(size):
    return ["".join(bits) for bits in product("01", repeat=size)]


def steps(names):
    return [(x, y) for x, y in product(names, repeat=2) if distance(x, y) == 1]


@pytest.mark.claims
def test_laplace_noise_jumps_where_tables_are_missing():
    found = evidence("bai2026.laplace", "L bounds what one cell changes, U any set")
    jump = abs(found["F"]["00"] - found["F"]["11"])
    assert not steps(found["U"])
    assert jump == found["log ratio in units of eps_DP"] > found["b"]


@pytest.mark.claims
def test_a_smaller_scale_than_the_curve_gives_keeps_the_promise():
    found = evidence("bai2026.laplace", "best utility among all")
    stay = {"00": Fraction(3, 4), "01": Fraction(1, 4)}
    away = {"10": Fraction(1, 4), "11": Fraction(3, 4)}
    worst = Fraction(0)
    for w in range(-3, 6):
        likelihood = [
            sum(c * Fraction(1, 2) ** abs(w - x.count("1")) for x, c in law.items())
            for law in (stay, away)
        ]
        worst = max(worst, likelihood[0] / likelihood[1], likelihood[1] / likelihood[0])
    assert worst == found["kept"] == Fraction(14, 5)
    assert worst < min(2 * Fraction(3), Fraction(4))


@pytest.mark.claims
def test_counterexamples_to_the_exponential_mechanism_have_their_ratios():
    for name, ratio, promise in (
        ("neighbours differ in one cell, U connected", Fraction(9, 2), 4),
        ("neighbours differ in one cell, a curve that counts records", Fraction(5, 2), 2),
        ("neighbours add", Fraction(5, 2), 2),
    ):
        found = evidence("bai2026.expmech", name)
        assert found["ratio"] == ratio > promise
        assert brute.leakage(found["framework"], found["mechanism"])[0] == ratio


@pytest.mark.claims
def test_two_parities_are_harmless_alone_and_reveal_a_bit_together():
    found = evidence("bai2026.table6", "noiseless, det")
    labels = tables(3)
    alone = [[x.count("1") % 2 for x in labels], [x[1:].count("1") % 2 for x in labels]]
    for shown in alone:
        for place, bit in product(range(3), "01"):
            values = [n for x, n in zip(labels, shown) if x[place] == bit]
            assert sum(values) * 2 == len(values)
    told = {(*pair, x[0]) for x, *pair in zip(labels, *alone)}
    assert len(told) == len({pair[:2] for pair in told})
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE


@pytest.mark.claims
def test_one_prior_with_a_dependence_relation_collapses():
    found = evidence("bai2026.table6", "dependent DP and Blowfish")
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE
