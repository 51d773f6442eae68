"""What noisy queries of the records of many people leak about one of them.

The others are independent of person 1, so that what they add is one more independent number beside
the noise: the release is post-processing of that of person 1 alone, and leaks at most as much. At
an output where every coordinate is at most all values it takes, or at least all of them, what the
others add is a factor that no secret changes: there the ratio is that of person 1 alone. Where one
person's largest ratio is found at such an output, others hide nothing of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.leakage.ratio import EnclosedRatio, LargestRatio, Leakage
from pufferproof.verify.noise.accounts.corners import largest_corner, queries_of
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.ratio.blocks.joint import BlocksLeakage
from pufferproof.verify.noise.ratio.bounds import places_to_check
from pufferproof.verify.noise.ratio.listed import NoiseLeakage

RESTS_ON = ("general.post-processing", "noise.attained")


@dataclass(frozen=True)
class PeopleLeakage(EnclosedRatio):
    """What is leaked about one person among many, between the ratio at an output and what is leaked
    about that person `alone`.
    """

    closest: ClassVar[bool] = False

    alone: LargestRatio

    @property
    def closes(self) -> bool:
        """Whether both bounds are one number to nine digits."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper - lower <= lower / 10**9

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return "the records of one person, and the ends of those of all"

    @property
    def by_record(self) -> tuple[tuple[str, int, float], ...]:
        """What is told at most, by record, if it is known: prior, record, e^leakage."""
        return self.alone.by_record if isinstance(self.alone, BlocksLeakage) else ()

    @property
    def theorems(self) -> Theorems:
        """What the bound about one person alone rests on."""
        return self.alone.theorems

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: enclosures, and what is known of one person alone."""
        return tuple(dict.fromkeys((*self.alone.trust(level), "INTERVAL")))

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on, with those about one person alone."""
        return united(RESTS_ON, self.alone.rests_on(level))


def at_ends(framework: Framework, mechanism: NoisyQueries, alone: LargestRatio) -> NoiseLeakage | None:
    """Return the leakage about one person among many if it equals the leakage about that person
    alone: an output at the ends of all coordinates reaches it. Return None if none does.
    """
    if not isinstance(alone, NoiseLeakage) or alone.largest is None:
        return None
    laws = sequence_laws(framework.alone, queries_of(mechanism.alone))
    axes = {(pair.prior, pair.pair): pair.axes for pair in laws.pairs}
    for reached in alone.best:
        ends = axes[reached.prior, reached.pair]
        if all(w in (axis[0], axis[-1]) for w, axis in zip(reached.output, ends)):
            high = [w == axis[-1] != axis[0] for w, axis in zip(reached.output, ends)]
            output = _end_of(queries_of(mechanism), high)
            text = ",".join(map(text_of, output))
            witness = replace(alone.witness, prior=reached.prior, pair=reached.pair, output=text)
            claims = united(RESTS_ON, alone.claims)
            return replace(alone, witness=witness, best=(replace(reached, output=output),), claims=claims)
    return None


def _end_of(queries: Sequence[RecordQuery], high: Sequence[bool]) -> Vector:
    """Return the least or greatest number of every coordinate."""
    numbers: list[Fraction] = []
    for query in queries:
        digits, base = query.digits, query.vector([0] * len(query.digits))
        values = range(len(query.records.alphabet))
        every = [query.vector([digit[x] for digit in digits]) for x in values]
        for k, start in enumerate(base):
            adds = [vector[k] - start for vector in every]
            chosen = max(adds) if high[len(numbers)] else min(adds)
            numbers.append(start + query.size * chosen)
    return tuple(numbers)


def people_bounds(framework: Framework, mechanism: NoisyQueries, alone: LargestRatio) -> PeopleLeakage:
    """Return bounds of what is leaked about one person among many."""
    queries = queries_of(mechanism)
    places, scope = places_to_check(framework.alone)
    # The corners at which all numbers are least, or greatest, and that nearest to an output: 1 of the least, -1 of
    # the greatest
    size = sum(query.dimension for query in mechanism.alone.queries)
    least, most = (_end_of(queries_of(mechanism.alone), [high] * size) for high in (False, True))
    corners, numbers = [(1,) * size, (-1,) * size], [exact(text) for text in alone.witness.output.split(",")]
    corners.append(tuple(1 if 2 * x <= a + b else -1 for x, a, b in zip(numbers, least, most)))
    corners = list(dict.fromkeys(corners))
    corner, witness = largest_corner(framework.alone, queries, places, corners)
    return PeopleLeakage(Leakage(corner.lower, alone.leakage.upper), witness, scope, alone)
