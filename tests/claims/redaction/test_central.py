"""Claims on redaction, by programs and enumeration."""

from fractions import Fraction
from itertools import product
from random import Random

import pytest
from tests.brute import redaction as brute
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
)
from pufferproof.lp.redaction.central.optimum import central_optimum
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

# Claims on central redaction and several private records, compared with the linear program and
# with enumeration.


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


def test_no_level_bounds_the_joint_leakage():
    level, large = Fraction(2), Fraction(50)
    of = Chain(Fraction(1, 4) / (4 * large), Fraction(1, 2))
    mechanism = local([ALWAYS, (Fraction(1, 2), Fraction(1)), ALWAYS])
    assert max(leakage(of, 3, p, mechanism) for p in (1, 3)) <= level
    assert joint_ratio(of, 3, (1, 3), mechanism) > large


# The counterexample to published regions with a better split, by enumeration.


HIDDEN, SHOWN = (Fraction(1), Fraction(1)), (Fraction(0), Fraction(0))


@pytest.mark.claims
def test_where_the_published_coupling_fails_the_winner_is_private_by_enumeration():
    for reading, private in [(0, 1), (1, 2), (2, 2)]:
        found = evidence(examined("redaction.published-coupling"), reading)
        chain, mechanism = BinaryChain(found["a"], found["b"], 3), LocalRedaction(found["r"])
        assert brute.largest_ratio(brute.likelihoods(chain, mechanism, private)) <= found["R"]
        assert mechanism.utility(chain) * 3 == found["expected"] > found["3R, at most"]
