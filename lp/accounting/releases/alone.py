"""What each window of a plan leaks on its own.

On a stationary chain a window leaks the same wherever it stands, and of records outside of it most
about the nearest, since what X_t shows of a window is a mean over the next record. Windows that are
nearest to the secrets are audited, under classes only a few. Of another one it is known that it
leaks at most what all leak together, of which it is a part.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf
from typing import Any

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.verify.audit import audit
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.ratio.blocks.joint import Laws, blocks_leakage
from pufferproof.verify.noise.ratio.blocks.segments import segments_of
from pufferproof.verify.noise.ratio.people import people_bounds

RESTS_ON = ("general.post-processing",)
_SHORT = 400  # records of all people in a window, whose joint law is computed
_ALIKE = 200  # windows that are audited one by one
_FEW = 3  # of these under classes
Told = Callable[[int], Any]


def alone(
    framework: Framework, group: Sequence[RecordQuery], joint: Leakage, told: Told = lambda done: None
) -> list[Leakage]:
    """Return what each window of a group leaks on its own, given what all leak together: bounds of
    those that are farther from the secrets than many others. `told` hears how many are done.
    """
    near, most = _Near(framework), _FEW if framework.classes else _ALIKE
    leakages: dict[Any, Leakage] = {}
    laws: Laws = {}  # windows of one length, whose secrets stand alike in them, have one
    for done, query in enumerate(sorted(group, key=near.distance)):
        key = near.key(query)
        if key not in leakages and len(leakages) < most:
            told(done)
            leakages[key] = _leakage(near.framework(query), query, laws)
    audited = [(query, leakages[near.key(query)]) for query in group if near.key(query) in leakages]
    return [leakages.get(near.key(query)) or _at_most(near, query, audited, joint) for query in group]


def _at_most(
    near: "_Near", query: RecordQuery, audited: Sequence[tuple[RecordQuery, Leakage]], joint: Leakage
) -> Leakage:
    """Return a bound of a window: what all leak together, or a window alike that is nearer."""
    uppers = [found.upper for other, found in audited if near.farther(query, other)]
    return Leakage(Fraction(1), min((each for each in [*uppers, joint.upper] if each), default=None))


def _leakage(framework: Framework, query: RecordQuery, laws: Laws) -> Leakage:
    """Return what one window leaks. Of many people, whose joint law is long, it is enclosed between
    what an output at the ends of all counts shows and what is leaked about one person alone.
    """
    few = framework.people > 1 and query.size <= _SHORT
    if framework.classes or few:
        return audit(framework, [query]).leakage
    person, one = framework.alone, query.alone
    counted = segments_of(person, [one]) is not None
    leakage = blocks_leakage(person, [one], laws) if counted else None
    if leakage is None:
        return audit(framework, [query]).leakage
    if framework.people == 1:
        return leakage.leakage
    return people_bounds(framework, NoisyQueries((query,)), leakage).leakage


class _Near:
    """The secrets that matter of a window: those inside it, and the nearest ones beside it, of a
    chain of two values; all of them else.
    """

    def __init__(self, framework: Framework) -> None:
        self.whole = framework
        paired = [name for pair in framework.pairs for name in pair]
        self.records = sorted({framework.places[name][0] for name in paired})
        alone = framework.alone
        chains = list(alone.chains.values()) if alone.along_records else []
        self.stationary = bool(chains) and all(chain.stationary for chain in chains)
        if framework.classes:
            starts = [getattr(prior, "initial", None) for prior in alone.priors.values()]
            self.stationary = all(start == "stationary" for start in starts)
        markov = all(chain.rows is None and chain.emission is None for chain in chains)
        two = len(framework.expect_records().alphabet) == 2
        self.few = two and markov and self.stationary
        self.known: dict[tuple[int, ...], Framework] = {}

    def inside(self, query: RecordQuery) -> tuple[int, ...]:
        """Return the records whose secrets matter."""
        if not self.few:
            return tuple(self.records)
        first, last = query.ends
        low, high = bisect_left(self.records, first), bisect_right(self.records, last)
        return tuple(self.records[max(low - 1, 0) : high + 1])

    def farther(self, query: RecordQuery, other: RecordQuery) -> bool:
        """Whether a window beside the secrets stands farther from them than another, on a
        stationary chain of two values.
        """
        if not self.few or not self._beside(query) or not self._beside(other):
            return False
        return all(far >= near for far, near in zip(self._sides(query), self._sides(other)))

    def _beside(self, query: RecordQuery) -> bool:
        return self.distance(query) > 0

    def _sides(self, query: RecordQuery) -> tuple[float, float]:
        """Return how far the nearest secret records before and after a window are."""
        first, last = query.ends
        before = [first - record for record in self.records if record < first]
        after = [record - last for record in self.records if record > last]
        return min(before, default=inf), min(after, default=inf)

    def distance(self, query: RecordQuery) -> int:
        """Return how far the nearest secret record is, 0 if it is in the window."""
        first, last = query.ends
        return min(max(first - record, record - last, 0) for record in self.records)

    def key(self, query: RecordQuery) -> Any:
        """Return what windows that leak the same have in common."""
        first, last = query.ends
        shift = first if self.stationary else 0
        places = tuple(record - shift for record in self.inside(query))
        return query.noise, query.query, query.counted, last - shift, first - shift, places

    def framework(self, query: RecordQuery) -> Framework:
        """Return the framework with these secrets only, or a class of chains as it is."""
        kept = self.inside(query)
        if self.whole.classes or len(kept) == len(self.records):
            return self.whole
        if kept not in self.known:
            self.known[kept] = restricted(self.whole, set(kept))
        return self.known[kept]


def restricted(framework: Framework, records: set[int]) -> Framework:
    """Return a framework with the secrets about some records only."""
    space = framework.expect_records()
    names = {name for name, (record, _) in framework.places.items() if record in records}
    secrets = {
        name: (record, space.alphabet[value]) for name, (record, value) in framework.places.items() if name in names
    }
    pairs = [pair for pair in framework.pairs if names.issuperset(pair)]
    return Framework(space, secrets, pairs, framework.priors, framework.closure)
