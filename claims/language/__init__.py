"""How a claim is written down: letters with a meaning and a domain, and families with near misses.

    n = letter("n", "how many records", at_least(1))
    stronger = Edit("every member", holds=lambda each: each.value < 1)
    proved(check, "as printed", "up to four records", gone_through, a_smaller_bound=stronger)

Read `letters.py` first, then `edits.py`, then `proof.py`, where both meet the engines. What a claim
says as a program is in `statements/`, an argument of several facts in `linked/`.
"""

from pufferproof.claims.language.edits import Edit
from pufferproof.claims.language.letters import (
    Letter,
    above,
    at_least,
    at_most,
    below,
    between,
    letter,
    letters,
    other_than,
)
from pufferproof.claims.language.proof import ALL_SIZES, PRINTED, Proof, Readings, edited, proved

__all__ = [
    "ALL_SIZES",
    "PRINTED",
    "Edit",
    "Letter",
    "Proof",
    "Readings",
    "above",
    "at_least",
    "at_most",
    "below",
    "between",
    "edited",
    "letter",
    "letters",
    "other_than",
    "proved",
]
