"""How a claim is written down: letters with a meaning and a domain, sums, near misses as edits.

    L = letter("L", "the largest ratio of a term", at_least(1))
    M, N = letters("M N", "the sums so far: M above, N below", at_least(0))
    m, n = letters("m n", "the next terms of M, N", at_least(0))

    def bounded(proof: Proof) -> None:
        proof.summed("one more term", "m <= L n",
                     so_far=M <= L * N, adding={M: m, N: n}, given=[m <= L * n])

    proved(check, "as printed", "all sizes", bounded,
           a_smaller_bound=Edit("one more term", put={L: L - 1}))

Read `letters.py` first, then `edits.py`, then `proof.py`, where both meet the engines. What a claim
says as a program is in `statements/`.
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
