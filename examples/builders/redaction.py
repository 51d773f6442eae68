"""A sequence too long to list: a meter in one home, of which one half-hour is redacted well enough
to stay private.

1,000 records along a Markov chain, and a mechanism given record by record: around the private
record it redacts every 1 and some of the 0, elsewhere it shows what is there (the 3R family of
massny2025). Such files are audited without being expanded.
"""

from fractions import Fraction
from typing import Any

from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain, Budget, regions
from pufferproof.models.sequences.redaction import LocalRedaction, three_regions

FOLDER = "redaction"
LEVEL = Level.log(2)
CHAIN = BinaryChain("1/100", "4/5", 1_000)
PRIVATE = 500
NEXT_TO_IT, FARTHER = Fraction(3, 4), Fraction(5, 8)  # P(redacted) of a 0 in the medium region


def mechanism() -> LocalRedaction:
    """Return the 3R mechanism with half of the level for either side."""
    half = Budget(LEVEL, Fraction(1, 2))
    medium = regions(CHAIN, PRIVATE, half).medium
    nearest = min(abs(record - PRIVATE) for record in medium)
    q = {record: NEXT_TO_IT if abs(record - PRIVATE) == nearest else FARTHER for record in medium}
    return three_regions(CHAIN, PRIVATE, half, half, q)


def documents() -> dict[str, dict[str, Any]]:
    """Return the framework and the mechanism as they are written in files, by name."""
    secrets = {f"x{PRIVATE}={value}": {"record": PRIVATE, "value": value} for value in "01"}
    transition = [["99/100", "1/100"], ["4/5", "1/5"]]
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": CHAIN.length, "alphabet": ["0", "1"]},
        "secrets": secrets,
        "pairs": [list(secrets)],
        "priors": {"meter": {"markov": {"initial": "stationary", "transition": transition}}},
    }
    redaction = {"format": "pufferproof-mechanism/1", "redaction": mechanism().as_json()}
    return {"framework.json": framework, "mechanism.json": redaction}
