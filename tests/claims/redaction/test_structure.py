"""The counterexample to published regions with a better split, by enumeration."""

from fractions import Fraction

import pytest
from tests.brute.redaction import largest_ratio, likelihoods
from tests.claims.examination import examined
from tests.claims.rules import evidence

from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

HIDDEN, SHOWN = (Fraction(1), Fraction(1)), (Fraction(0), Fraction(0))


@pytest.mark.claims
def test_where_the_published_coupling_fails_the_winner_is_private_by_enumeration():
    for reading, private in [(0, 1), (1, 2), (2, 2)]:
        found = evidence(examined("redaction.published-coupling"), reading)
        chain, mechanism = BinaryChain(found["a"], found["b"], 3), LocalRedaction(found["r"])
        assert largest_ratio(likelihoods(chain, mechanism, private)) <= found["R"]
        assert mechanism.utility(chain) * 3 == found["expected"] > found["3R, at most"]
