"""What the tests of claims on the Markov Quilt paper share: the claims of modules, and what
each must obey.
"""

from tests.claims.examination import examined
from tests.claims.rules import assert_sound

from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.argument import ClaimVerdict


def claims_of(*modules):
    """List the claims that are defined in these modules."""
    places = {f"pufferproof.claims.papers.wang2016.{module}" for module in modules}
    claims = load_claims().items()
    return sorted(name for name, claim in claims if claim.function.__module__ in places)


def decided(name):
    """Sound, no reading open, and what is refuted has a repair that is proved."""
    check = examined(name)
    assert_sound(check)
    assert all(reading.verdict is not ClaimVerdict.OPEN for reading in check.readings)
    if any(reading.verdict is ClaimVerdict.REFUTED for reading in check.readings):
        assert check.claim.repair is not None
        assert examined(check.claim.repair).verdict is ClaimVerdict.DERIVED


def by_verdict(names, verdict):
    """The claims with this verdict, without the name of the paper."""
    return {name.partition(".")[2] for name in names if examined(name).verdict.value == verdict}
