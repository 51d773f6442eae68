"""Claims on optimal designs of redaction are settled; `test_redaction_optimum_cases` compares
them with enumeration.
"""

import pytest
from tests.claims.examination import examined

from pufferproof.claims.registry import load_claims

PLACE = "pufferproof.claims.ours.redaction.optimum."
CLAIMS = [
    name for name, each in load_claims().items() if each.function.__module__.startswith(PLACE)
]


@pytest.mark.claims
def test_nothing_is_assumed():
    trusts = [item for name in CLAIMS for r in examined(name).readings for item in r.trust]
    assert not [item for item in trusts if item.startswith("ASSUMED")]
