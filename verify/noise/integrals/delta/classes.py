"""The smallest delta over classes of chains, between bounds: some chains have the lower one, with a
witness; none has more than the upper one.

A search bounds one noisy number of two-valued chains of one matrix (`cells`). Otherwise a class
that leaks at most L has at most the delta of randomised response,

    delta <= (e^L - e^epsilon) / (e^L + 1),    epsilon <= L.

For let P <= e^L Q and Q <= e^L P. On the outputs with P > e^epsilon Q, of masses p and q,
p <= e^L q and 1 - q <= e^L (1 - p), of which p - e^epsilon q is largest where both are equalities.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.models.framework import Framework
from pufferproof.models.noise.queries import NoisyQueries
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.classes.bounds import member_json
from pufferproof.verify.noise.classes.worst import member_near, named
from pufferproof.verify.noise.integrals.delta.cells import searched_delta_approx
from pufferproof.verify.noise.integrals.delta.region import DeltaRegion, Evaluate
from pufferproof.verify.noise.integrals.delta.smallest import NoiseDelta


@dataclass(frozen=True, repr=False)
class ClassDelta(NoiseDelta):
    """The smallest delta over classes at a level, between bounds; `member` has the lower one."""

    member: Prior | None = None
    cells: int | None = field(default=None)

    def compare(self, bound: Fraction) -> int | None:
        """Return the sign of delta - bound, 0 where delta is at most it; None between bounds."""
        lower, upper = self.bounds()
        if upper <= bound:
            return 0
        return 1 if lower > bound else None

    def trust(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return what a decision about delta rests on, beside the largest ratio."""
        trust = largest.trust(None)
        return trust if "PROSE" in trust else (*trust, "PROSE")

    def rests_on(self, largest: LargestRatio) -> tuple[str, ...]:
        """Return the claims that it rests on, with all of the bounds of the largest ratio."""
        return united(self.claims, largest.rests_on(None))

    def as_json(self) -> JsonObject:
        """Return the delta of the file formats, the witness with its `member`."""
        answer = super().as_json()
        answer["witness"] |= member_json(self.member)
        return answer


@dataclass(frozen=True)
class SearchedDelta:
    """What no chain of the classes exceeds, the worst chains, and how many cells show it."""

    upper: Fraction
    members: dict[str, Prior]
    cells: int


def searched_delta(framework: Framework, form: object, level: Level) -> SearchedDelta | None:
    """Return the largest delta over the classes of a framework by a search, None unless all its
    priors are boxes of two-valued chains and one noisy number is released.
    """
    query = _single(framework, form)
    boxes = list(_boxes(framework))
    if query is None or len(boxes) != len(framework.priors):
        return None
    upper, members, cells, ratio = 0.0, {}, 0, level.bounds()[0]
    for name, box in boxes:
        wanted = {framework.places[one][0] for one, _ in framework.pairs}
        records = sorted(r for r in wanted if len(box.possible(r)) == 2)
        found = searched_delta_approx(box, query, records, ratio)
        if found is None:
            return None
        for each in found:
            chain = member_near(box, each.member, 1 in records)
            members[framework.member(name, named(chain))] = chain
            upper, cells = max(upper, each.upper), cells + each.cells
    return SearchedDelta(Fraction(upper), dict(members), cells)


def _single(framework: Framework, form: object) -> RecordQuery | None:
    """Return the query of one noisy number of two values of one person, None of anything else."""
    if not isinstance(form, NoisyQueries) or len(form.queries) != 1 or framework.people != 1:
        return None
    query = form.queries[0]
    two = framework.records is not None and len(framework.records.alphabet) == 2
    if not isinstance(query, RecordQuery) or query.noise.decay is None or query.dimension != 1:
        return None
    return query if two else None


def _boxes(framework: Framework) -> Iterator[tuple[str, IntervalChain]]:
    for name, box in framework.classes.items():
        if isinstance(box, IntervalChain):
            yield name, box


def class_delta(
    some: Any, member: Prior | None, leaked: Leakage, searched: SearchedDelta | None, level: Level
) -> ClassDelta:
    """Return the smallest delta over classes, given that of some chains, the bounds of what all of
    them leak, and what a search found.
    """
    lower, upper = some.bounds()[0], Fraction(1)
    ratio, least = leaked.upper, level.bounds()[0]
    if ratio is not None:
        upper = max(Fraction(0), (ratio - least) / (ratio + 1))
    if searched is not None:
        upper = min(upper, searched.upper)
    outputs = some.region.outputs if isinstance(some, NoiseDelta) else some.outputs
    region = DeltaRegion(lower, max(lower, upper), outputs)
    cells = None if searched is None else searched.cells
    tied: tuple[Evaluate, ...] = (lambda bits: region,)
    prior, pair = str(some.prior), some.pair
    claims = some.claims if isinstance(some, NoiseDelta) else ()
    return ClassDelta(level, None, region, prior, pair, tied, (), member, cells, claims=claims)
