"""Claims on central redaction, several private records and other chains: settled, and compared
with enumeration.
"""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests.claims.examination import examined
from tests.claims.rules import evidence

from pufferproof.claims.ours.redaction.records.several import joint_law
from pufferproof.claims.ours.redaction.structure.central import two_record_optimum
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    largest_ratio,
    leakage,
    local,
    released,
)
from pufferproof.lp.redaction.central.optimum import central_optimum
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain


def chains(seed, number, denominator=8):
    draw = Random(seed)
    for _ in range(number):
        yield (
            draw,
            *sorted(Fraction(draw.randint(1, denominator - 1), denominator) for _ in range(2)),
        )


def test_central_optimum_for_two_records_is_that_of_the_program():
    for draw, a, b in chains(1, 40, 12):
        level = draw.choice([Fraction(1), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(5)])
        found = central_optimum(BinaryChain(a, b, 2), draw.choice([1, 2]), Level.log(level))
        assert 2 * found.lower == 2 * found.upper == two_record_optimum(Chain(a, b), level)


def test_perfect_privacy_is_that_of_the_program():
    for draw, a, b in chains(2, 8):
        count = draw.randint(2, 4)
        private = draw.randint(1, count)
        found = central_optimum(BinaryChain(a, b, count), private, Level.log(1))
        expected = sum(
            1 - abs(1 - a - b) ** abs(t - private) for t in range(1, count + 1) if t != private
        )
        assert count * found.lower == count * found.upper == expected


def test_the_bound_record_by_record_holds_for_three_records():
    for draw, a, b in chains(3, 10):
        level, private = draw.choice([Fraction(3, 2), Fraction(3)]), draw.choice([1, 2])
        powers = [Chain(a, b).power(abs(t - private)) for t in (1, 2, 3) if t != private]
        bound = sum(two_record_optimum(Chain(rows[0][1], rows[1][0]), level) for rows in powers)
        assert 3 * central_optimum(BinaryChain(a, b, 3), private, Level.log(level)).lower <= bound


@pytest.mark.claims
def test_the_program_of_the_counterexample_has_that_optimum():
    found = evidence(examined("redaction.central-bound-tight"))
    chain = BinaryChain(found["a"], found["b"], 3)
    assert (
        3 * central_optimum(chain, 1, Level.log(found["R"])).upper
        == found["optimum"]
        < found["bound"]
    )


def joint_ratio(of, count, private, mechanism):
    """The largest ratio of joint laws given any two values of the private records, None if
    infinite.
    """
    values = [dict(zip(private, bits)) for bits in product((0, 1), repeat=len(private))]
    ratios = [
        largest_ratio(joint_law(of, count, left, mechanism), joint_law(of, count, right, mechanism))
        for left in values
        for right in values
    ]
    return None if None in ratios else max(ratios)


def test_private_intervals_leak_the_product_of_their_ends_at_most():
    for draw, a, b in chains(4, 25):
        of, private = Chain(a, b), draw.choice([(2, 3), (2,), (1, 2)])
        entries = [Fraction(0), Fraction(1, 2), Fraction(1)]
        rows = [
            ALWAYS if t in private else (draw.choice(entries), draw.choice(entries))
            for t in range(1, 5)
        ]
        alone = [leakage(of, 4, p, local(rows)) for p in private]
        whole = joint_ratio(of, 4, private, local(rows))
        assert None not in (*alone, whole)
        assert whole <= max(alone) ** (2 if private == (2, 3) else 1)


def test_the_joint_ratio_of_one_record_between_has_the_stated_factor():
    for _, a, b in chains(5, 20):
        of = Chain(a, b)
        decay, (zero, one) = of.eigenvalue**2, of.power(1)
        product_ = (zero[0] / one[0]) ** 2 * (1 + b / a * decay) / (1 + a / b * decay)
        laws = [joint_law(of, 3, {1: value, 3: value}, local(released(3, [2]))) for value in (0, 1)]
        assert laws[0]["*0*"] / laws[1]["*0*"] == product_


def test_no_level_bounds_the_joint_leakage():
    level, large = Fraction(2), Fraction(50)
    of = Chain(Fraction(1, 4) / (4 * large), Fraction(1, 2))
    mechanism = local([ALWAYS, (Fraction(1, 2), Fraction(1)), ALWAYS])
    assert max(leakage(of, 3, p, mechanism) for p in (1, 3)) <= level
    assert joint_ratio(of, 3, (1, 3), mechanism) > large
