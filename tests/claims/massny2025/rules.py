"""Redaction of a chain of bits by its definitions, on small cases that tests compare claims
with.
"""

from fractions import Fraction
from itertools import combinations, product
from random import Random

from tests.brute.worst import SETTLED
from tests.claims.examination import examined

from pufferproof.claims.papers.massny2025.influence.instances import Chain
from pufferproof.claims.registry import load_claims
from pufferproof.verify.proof.argument import ClaimVerdict

PROBABILITIES = [Fraction(k, 4) for k in range(5)]
SIGNS = {
    "positive": Chain(Fraction(1, 4), Fraction(1, 2)),
    "zero": Chain(Fraction(1, 3), Fraction(2, 3)),
    "negative": Chain(Fraction(2, 3), Fraction(3, 4)),
    "tie": Chain(Fraction(3, 4), Fraction(3, 4)),
}


def claims_of(*modules):
    """List the claims of the paper that are defined in these modules."""
    places = {f"pufferproof.claims.papers.massny2025.{module}" for module in modules}
    claims = load_claims().items()
    return sorted(name for name, claim in claims if claim.function.__module__ in places)


def decided(name):
    """Every reading is decided, each proof has a near miss that is found false, what is refuted
    has a proved repair.
    """
    check = examined(name)
    assert check.weakness is None
    for reading in check.readings:
        assert reading.verdict is not ClaimVerdict.OPEN, reading.name
        if reading.verdict in SETTLED:
            assert any(miss.name.startswith(f"{reading.name}: ") for miss in check.near_misses), (
                reading.name
            )
        for step in reading.steps:
            if step.query is not None:
                assert "KERNEL" in step.trust or {"Z3", "CVC5"} <= {*step.trust}, (
                    reading.name,
                    step.name,
                )
    assert all(step.ok for miss in check.near_misses for step in miss.steps if step.kind == "cite")
    if any(reading.verdict is ClaimVerdict.REFUTED for reading in check.readings):
        assert check.claim.repair is not None
        assert examined(check.claim.repair).verdict is ClaimVerdict.DERIVED


def verdicts(names):
    """Return the headline of each claim that is not DERIVED."""
    found = {name.partition(".")[2]: examined(name).verdict.value for name in names}
    return {name: verdict for name, verdict in found.items() if verdict != "DERIVED"}


def subsets(indices):
    indices = list(indices)
    return [each for size in range(len(indices) + 1) for each in combinations(indices, size)]


def random_redaction(seed, count, private, *, hidden=True):
    """Draw r_t(x) from quarters; X_p always redacted unless `hidden` is False."""
    draw = Random(seed)
    pairs = [(draw.choice(PROBABILITIES), draw.choice(PROBABILITIES)) for _ in range(count)]
    if hidden:
        pairs[private - 1] = (Fraction(1), Fraction(1))
    return pairs


def cells(largest):
    """Yield (sign, chain, n, p)."""
    for (sign, of), count in product(SIGNS.items(), range(1, largest + 1)):
        for private in range(1, count + 1):
            yield sign, of, count, private
