"""Central redaction about a record at the end of the chain: where the bound record by record seems
to be attained.

Checked on small chains, not proved. Expected numbers of released records; R = e^eps. Source of the
setting: massny2025.
"""

from collections.abc import Iterator
from fractions import Fraction

from pufferproof.claims.language import Edit, Proof, proved
from pufferproof.claims.ours.redaction.structure.central import two_record_optimum
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chains, pointwise
from pufferproof.claims.registry import Check, claim
from pufferproof.lp.redaction.central.optimum import central_optimum
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain

END = "p = 1, eps >= i0(1)"


@claim(
    "redaction.central-end",
    where="Central redaction",
    statement="p = 1, a <= b, eps >= i0(1), n >= 2: the bound redaction.central-bound is attained: "
    "some central mechanism releases the sum over t > 1 of the two-record optimum "
    "(redaction.central-two) of the chain P^(t-1), in expectation.",
    kind="conjecture",
    unsaid="No construction of a mechanism that attains the bound is known, only a linear program "
    "for each chain and level; the family that is gone through is the statement on small chains.",
)
def central_end(check: Check) -> None:
    """Check it on small chains by the exact program of redaction.central-pairing."""
    scope = (
        "n = 3 and denominators up to 7, n = 4 and up to 4; up to six levels from i0(1) on for "
        "each chain"
    )
    smaller = Edit("small chains", family=_levels(least=False))
    proved(check, END, scope, _small_chains, smaller_eps=smaller)


def _small_chains(proof: Proof) -> None:
    proof.exhaust(
        "small chains",
        "the exact optimum is the sum of the two-record optima",
        _levels(least=True),
        _attained,
    )


def _levels(least: bool) -> Iterator[tuple[Chain, int, Fraction]]:
    for count, largest in [(3, 7), (4, 4)]:
        for of in (each for each in chains(largest) if each.eigenvalue):
            start = pointwise(of, 1, 0)
            levels = {
                start,
                start * Fraction(5, 4),
                start**2,
                pointwise(of, 2, 0),
                pointwise(of, 2, 1),
                pointwise(of, 1, 1),
            }
            for level in sorted(levels):
                if (level >= start) is least:
                    yield of, count, level


def _attained(instance: tuple[Chain, int, Fraction]) -> bool:
    of, count, level = instance
    found = central_optimum(BinaryChain(of.a, of.b, count), 1, Level.log(level))
    powers = [of.power(distance) for distance in range(1, count)]
    bound = sum(two_record_optimum(Chain(rows[0][1], rows[1][0]), level) for rows in powers)
    return found.lower * count == found.upper * count == bound
