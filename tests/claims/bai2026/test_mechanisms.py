"""Section 6.4, appendices A and B: mechanisms and rows of the table, from the definitions."""

from fractions import Fraction
from itertools import product

import pytest
from tests.brute.families import distance
from tests.claims.examination import evidence

pytestmark = pytest.mark.claims


def test_laplace_noise_jumps_where_tables_are_missing():
    found = evidence("bai2026.laplace", "L bounds what one cell changes, U any set")
    jump = abs(found["F"]["00"] - found["F"]["11"])
    assert not any(distance(x, y) == 1 for x, y in product(found["U"], repeat=2))
    assert jump == found["log ratio in units of eps_DP"] > found["b"]


def test_a_smaller_scale_than_the_curve_gives_keeps_the_promise():
    found = evidence("bai2026.laplace", "best utility among all")
    stay = {"00": Fraction(3, 4), "01": Fraction(1, 4)}
    away = {"10": Fraction(1, 4), "11": Fraction(3, 4)}
    ratios = []
    for w in range(-3, 6):
        noise = {x: Fraction(1, 2) ** abs(w - x.count("1")) for x in {**stay, **away}}
        p, q = (sum(c * noise[x] for x, c in law.items()) for law in (stay, away))
        ratios += [p / q, q / p]
    assert max(ratios) == found["kept"] == Fraction(14, 5) < min(2 * 3, 4)


def test_two_parities_are_harmless_alone_and_reveal_a_bit_together():
    labels = ["".join(bits) for bits in product("01", repeat=3)]
    alone = [[x.count("1") % 2 for x in labels], [x[1:].count("1") % 2 for x in labels]]
    for shown in alone:
        for place, bit in product(range(3), "01"):
            values = [n for x, n in zip(labels, shown) if x[place] == bit]
            assert sum(values) * 2 == len(values)
    told = {(*pair, x[0]) for x, *pair in zip(labels, *alone)}
    assert len(told) == len({pair[:2] for pair in told})
