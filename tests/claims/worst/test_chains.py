"""Claims on chains and trees under per-record differential privacy: settled; the numbers stand
in tests/lp/translation/test_trees.py.
"""

import pytest
from tests.brute.worst import claims_of, settled
from tests.claims.examination import examined

from pufferproof.verify.proof.argument import ClaimVerdict

CLAIMS = claims_of("records.chains", "records.infinite_chains", "collapse.alphabets")


@pytest.mark.claims
@pytest.mark.parametrize("name", CLAIMS)
def test_claims_are_settled(name):
    settled(name)


@pytest.mark.claims
def test_what_is_false_is_that_the_recursion_is_exact_for_all_alphabets():
    refuted = [name for name in CLAIMS if examined(name).verdict is ClaimVerdict.REFUTED]
    assert refuted == ["worst.moebius-larger-alphabet"]
