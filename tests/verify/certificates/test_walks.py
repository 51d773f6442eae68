"""Slopes along a chain, as they are hinted to Coq, against full enumeration."""

from fractions import Fraction
from random import Random

import pytest
from tests.brute.redaction import largest_ratio, likelihoods

from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.certificates.export.chains.redaction import Redaction
from pufferproof.verify.certificates.export.chains.walks import ANY, Walk, largest, least
from pufferproof.verify.certificates.redaction import chain_json, runs_json

STEPS = [Fraction(k, 10) for k in range(1, 10)] + [Fraction(1, 97)]
CHANCES = [Fraction(0), Fraction(1, 3), Fraction(100, 101), Fraction(1), Fraction(1)]
FIRST = ["stationary", ("1/3", "2/3"), (1, 0)]


def instance(seed):
    """A chain, a mechanism and its private record, hidden four times out of five."""
    random = Random(seed)
    length = random.randint(1, 4)
    private = random.randint(1, length)
    first = random.choice(FIRST) if private > 1 else "stationary"
    rows = [[random.choice(CHANCES), random.choice(CHANCES)] for _ in range(length)]
    if random.randint(0, 4):
        rows[private - 1] = [Fraction(1), Fraction(1)]
    chain = BinaryChain(random.choice(STEPS), random.choice(STEPS), length, first)
    return chain, LocalRedaction(rows), private


@pytest.mark.parametrize("seed", range(40))
def test_slopes_are_those_of_full_enumeration(seed):
    chain, mechanism, private = instance(seed)
    found = Redaction(chain_json(chain), private, runs_json(mechanism.rows))
    every, worst = [ANY] * chain.length, found.worst()
    table = likelihoods(chain, mechanism, private)
    leakage = largest_ratio(table)
    for bits in (0, 16):
        walk = Walk(found.steps, bits)
        prior = walk.prior(found.rows)
        above = largest(walk.cone(found.rows, every, strict=False), prior)
        below = least(walk.cone(found.rows, worst, strict=True), prior)
        if bits == 0 or leakage is None:
            assert above == below == leakage
        else:
            assert below is not None
            assert above is not None
            assert below <= leakage <= above


@pytest.mark.parametrize("seed", range(10))
def test_the_slope_of_every_output_is_that_of_full_enumeration(seed):
    chain, mechanism, private = instance(seed)
    found = Redaction(chain_json(chain), private, runs_json(mechanism.rows))
    walk = Walk(found.steps, 0)
    prior = walk.prior(found.rows)
    for output, (zero, one) in likelihoods(chain, mechanism, private).items():
        if zero or one:
            ratio = max(zero, one) / min(zero, one) if zero and one else None
            assert least(walk.cone(found.rows, output, strict=True), prior) == ratio
