"""Section 6.4, Appendices A and B of "Composition for Pufferfish Privacy": verdicts by reading, and
mechanisms, algorithms and rows of the table judged from the definitions.
"""

import random
from fractions import Fraction
from itertools import product
from math import exp, inf

import pytest
from tests.brute import definitions as brute
from tests.brute.families import distance
from tests.claims.examination import examined
from tests.claims.rules import (
    evidence,
    evidence_of,
)

from pufferproof.claims.registry import Check


def of_paper(name: str) -> Check:
    return examined(f"bai2026.{name}")


def tables(size):
    return ["".join(bits) for bits in product("01", repeat=size)]


def steps(names):
    return [(x, y) for x, y in product(names, repeat=2) if distance(x, y) == 1]


@pytest.mark.claims
def test_laplace_noise_has_the_level_and_jumps_where_tables_are_missing():
    rng = random.Random(1)
    for _ in range(50):
        names = tables(rng.choice([1, 2]))
        query = {x: (rng.randrange(-3, 4), rng.randrange(-3, 4)) for x in names}
        far = {(x, y): sum(abs(a - b) for a, b in zip(query[x], query[y])) for x, y in steps(names)}
        constant = max(1, *far.values())
        for w in product(range(-4, 5), repeat=2):
            cost = {x: sum(abs(a - b) for a, b in zip(w, query[x])) for x in names}
            for x, y in steps(names):
                assert cost[y] - cost[x] <= constant
    found = evidence(of_paper("laplace"), 5)
    jump = abs(found["F"]["00"] - found["F"]["11"])
    assert not steps(found["U"])
    assert jump == found["log ratio in units of eps_DP"] > found["b"]


@pytest.mark.claims
def test_a_smaller_scale_than_the_curve_gives_keeps_the_promise():
    found = evidence_of(of_paper("laplace"), "best utility among all")
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


def exponential(scores, half):
    """P(r | x) with weights half^(u/Delta_u)."""
    return {
        x: [half**u / sum(half**each for each in row) for u in row] for x, row in scores.items()
    }


@pytest.mark.claims
def test_the_exponential_mechanism_has_the_level_and_the_counterexamples_have_their_ratios():
    rng = random.Random(2)
    for _ in range(60):
        names = tables(2)
        scores = {x: [rng.randrange(3) for _ in range(3)] for x in names}
        most = max(max(abs(a - b) for a, b in zip(scores[x], scores[y])) for x, y in steps(names))
        if most:
            rows = exponential(scores, Fraction(2))
            level = Fraction(2) ** (2 * most)
            assert all(p <= level * q for x, y in steps(names) for p, q in zip(rows[x], rows[y]))
    for name, ratio, promise in (
        ("neighbours differ in one cell, U connected", Fraction(9, 2), 4),
        ("neighbours differ in one cell, a curve that counts records", Fraction(5, 2), 2),
        ("neighbours add", Fraction(5, 2), 2),
    ):
        found = evidence_of(of_paper("expmech"), name)
        assert found["ratio"] == ratio > promise
        assert brute.leakage(found["framework"], found["mechanism"])[0] == ratio


def algorithm(points, eps, cells):
    """The loop as printed."""
    level = inf
    for a, b in points:
        level = min(level, eps / cells if a >= eps else (eps - a) / b)
    return level


def repaired(points, eps, cells):
    return max([eps / cells, *((eps - a) / b for a, b in points if a < eps and b)])


@pytest.mark.claims
def test_the_algorithms_are_safe_on_collections_and_choose_the_least_level():
    rng = random.Random(3)
    for _ in range(300):
        cells = rng.randrange(1, 5)
        curve = sorted((Fraction(rng.randrange(6), 2) for _ in range(cells - 1)), reverse=True)
        whole = [(a, b + 1) for b, a in enumerate([*curve, Fraction(0)])]
        points = rng.sample(whole, rng.randrange(len(whole) + 1))
        eps = Fraction(rng.randrange(1, 7), 2)
        printed, best = algorithm(points, eps, cells), repaired(points, eps, cells)
        assert min(b * best + a for a, b in whole) <= eps
        if points:
            assert min(b * printed + a for a, b in whole) <= eps
            assert printed <= best
        else:
            assert printed == inf
    assert algorithm([(0, 1), (0, 2)], Fraction(1), 2) == Fraction(1, 2)
    assert repaired([(0, 1), (0, 2)], Fraction(1), 2) == 1
    found = evidence_of(of_paper("alg1"), "the tightest")
    assert found["eps_DP"] == Fraction(1, 2)
    assert exp(found["eps_DP"]) < exp(1)


@pytest.mark.claims
def test_two_parities_are_harmless_alone_and_reveal_a_bit_together():
    found = evidence_of(of_paper("table6"), "noiseless, det")
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
    found = evidence_of(of_paper("table6"), "dependent DP and Blowfish")
    assert brute.leakage(found["framework"], found["mechanism"])[0] is brute.INFINITE
