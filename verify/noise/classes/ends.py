"""What noisy numbers of two-valued records leak under classes of chains, to 1e-6.

Where a + b <= 1, a = P(0, 1) and b = P(1, 0), the law of the records of a chain is TP2, and the
largest ratio is that of an output at one end of the query, where likelihoods are products
(classes.extremes). The stationary chains of a box leak most at its corner of the least a and b
(classes.corner); for other starts the box is searched. At the other end the same holds with the
two values exchanged. Where a + b > 1, what one record leaks is a bound, and where that is not
reached, all outputs are searched (`turning`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import exp_bounds
from pufferproof.models.numbers.intervals import Interval
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.chains.gap import ChainClass, GapChains
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import Contacts, IntervalNetwork
from pufferproof.verify.decision import Theorems, united
from pufferproof.verify.leakage.largest import EnclosedRatio, LargestRatio, least_of
from pufferproof.verify.leakage.ratio import Leakage, Witness, nothing_to_check
from pufferproof.verify.noise.accounts.corners import ends_of, largest_corner, queries_of, weight_of, weights_of
from pufferproof.verify.noise.classes.bounds import member_json
from pufferproof.verify.noise.classes.gap import search_gap_approx
from pufferproof.verify.noise.classes.search import EndsQuestion, FoundChain
from pufferproof.verify.noise.classes.turning import outputs_of, search_turned_approx
from pufferproof.verify.noise.classes.worst import Decided, least, member_near, named, search_box_approx, turns
from pufferproof.verify.noise.ratio.bounds import places_to_check

if TYPE_CHECKING:
    from pufferproof.verify.noise.classes.bounds import ClassBounds

RESTS_ON = ("classes.extremes", "classes.corner", "classes.turning", "classes.columns")
MOST_RECORDS = 20_000
_BITS = 256  # working precision of balls
_PATIENCE = 200_000  # records times cells that are looked at whatever the level
_LEAST = Fraction(1, 10**6)  # stationary probability of a class that is searched
_WIDE = 2e-6  # of bounds, in nats, that are tried in another way
_FAR_APART = Fraction(3, 10**6)  # of a bound that was not reached
_ROOM = 1e-9  # between a level and a bound in floats that decides it
Ratio = Callable[[Framework, NoisyQueries], LargestRatio]
Chosen = dict[str, dict[str, MarkovChain]]  # chains of every class, by what they are


@dataclass(frozen=True)
class ClassRatio(EnclosedRatio):
    """What is leaked under the classes `of` a framework: `framework` has the chains that leak the
    lower bound in their place, and no chain of `cells` that cover them leaks more than the upper
    one.
    """

    of_classes = True

    of: Framework
    framework: Framework
    cells: int
    upper: Theorems

    @property
    def theorems(self) -> Theorems:
        """What the upper bound rests on."""
        return self.upper

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        return f"{self.cells} parts of the class" if self.cells else "the worst corner of the class"

    @property
    def member(self) -> MarkovChain | None:
        """The chain of the witness, or None if it is no chain of a class."""
        prior = self.framework.priors[str(self.witness.prior)]
        return prior if isinstance(prior, MarkovChain) else None

    @property
    def ends_tell(self) -> bool:
        """Whether the worst outputs are at the two ends, as none of the chains has a + b > 1."""
        chains = [x for x in self.framework.priors.values() if isinstance(x, MarkovChain)]
        rows = [chain.transition for chain in chains if len(chain.transition) == 2]
        return all(a + b <= 1 for (_, a), (b, _) in rows)

    @property
    def wide(self) -> bool:
        """Whether bounds are further apart than a search leaves them where it ends."""
        lower, upper = self.leakage.lower, self.leakage.upper
        return lower is not None and upper is not None and upper > lower * (1 + _FAR_APART)

    def narrowed(self, bounds: "ClassBounds") -> "ClassRatio":
        """Return the same with the upper bound of accounts or trees, if that is closer."""
        upper = bounds.bounded
        lower, high = self.leakage.lower, self.leakage.upper
        if upper is None or lower is None or high is None or upper >= high:
            return self
        return replace(
            self, leakage=Leakage(lower, max(lower, upper)), upper=bounds.theorems, claims=bounds.upper_claims
        )

    def beside(self, framework: Framework, chain: LargestRatio) -> "ClassRatio":
        """Return the same with the leakage of one more chain of `framework`, if it leaks more."""
        lower, more, upper = self.leakage.lower, chain.leakage.lower, self.leakage.upper
        if lower is None or more is None or upper is None or more <= lower:
            return self
        leakage = Leakage(more, max(more, upper))
        return replace(self, leakage=leakage, witness=chain.witness, framework=framework)

    def met(self, other: "ClassRatio") -> "ClassRatio":
        """Return the closer bounds of two, with the chain of the larger lower one."""
        (low, high), (least, most) = ((x.leakage.lower, x.leakage.upper) for x in (self, other))
        best = self if low is None or (least is not None and low >= least) else other
        leakage = Leakage(best.leakage.lower, least_of([high, most]))
        return replace(best, leakage=leakage, cells=other.cells)

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer rests on: of a chain that breaks a level, enclosures alone."""
        return ("INTERVAL",) if self.exceeds(level) else ("INTERVAL", *self.theorems.trust)

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer rests on: of a chain that breaks a level, none."""
        return () if self.exceeds(level) else self.claims

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats, the witness with its `member`."""
        answer = super().as_json(level)
        answer["witness"] |= member_json(self.member)
        return answer | {"cells": self.cells}


def at_class_ends(
    framework: Framework, mechanism: object, level: Level | None, listed: Ratio, effort: int = 1
) -> ClassRatio | None:
    """Return what noisy numbers leak under classes of two-valued chains, or None unless the ends of
    the query tell it: a + b <= 1 in every box, noise with a decay, secrets about one record each.

    `listed` gives what a mechanism leaks under priors that are no classes. With a level, bounds
    may be wider than 1e-6 where that decides it and the search is long. `effort`: bounds that stay
    wide are searched again, so many times less one, each time with twice the work.
    """
    ratio = _at_class_ends(framework, mechanism, level, listed, 1)
    for more in range(2, effort + 1):
        if ratio is None or not ratio.wide:
            break
        if level is not None and ratio.compare(level) is not None:
            break
        again = _at_class_ends(framework, mechanism, level, listed, more)
        ratio = ratio if again is None else ratio.met(again)
    return ratio


def _at_class_ends(
    framework: Framework, mechanism: object, level: Level | None, listed: Ratio, effort: int
) -> ClassRatio | None:
    alone = framework.alone
    if not isinstance(mechanism, NoisyQueries) or not _fits(alone, mechanism):
        return None
    weights = weights_of(alone, mechanism)
    if weights is None:
        return None
    chosen: Chosen = {}
    inside: Chosen = {}
    upper, cells, decided = 0.0, 0, _decided(level, len(weights))
    for name, box in alone.chain_classes.items():
        records = _records(alone, box)
        turned = _turned(mechanism) if turns(box) else 0.0
        asked = EndsQuestion(weights, records, effort=effort)
        floor = upper, turned
        at_ends = _searched(box, asked, floor, decided) if records else []
        more = _turning(alone, mechanism, box, floor, at_ends, level, effort) if records else None
        bounded = bool(more) or isinstance(box, GapChains)  # of chains with a + b > 1, as well
        chains = [*at_ends, *(more or [])]
        bound = max([0.0 if bounded else turned, *(chain.upper for chain in chains)])
        if at_ends and bound > max([upper, *(chain.best for chain in chains)]) + _WIDE:
            whole = _everywhere(alone, mechanism, box, (upper, bound), at_ends, level, effort)
            bound = min(bound, max((chain.upper for chain in whole), default=bound))
            more = [*(more or []), *whole]
        upper = max(upper, bound)
        cells += _cells(at_ends) + _cells(more or [])
        ends = [member_near(box, chain.member, 1 in records) for chain in at_ends]
        chosen[name] = {named(member): member for member in ends}
        inner = [chain.member for chain in more or []]
        if records and not ends and not inner:
            inner = [(a, b, 0.5) for a, b in _corners(box)]
        others = [member_near(box, chain, 1 in records) for chain in inner]
        inside[name] = {named(member): member for member in others}
    return _answer(framework, mechanism, (chosen, inside), (upper, cells), listed)


def _turning(
    framework: Framework,
    mechanism: NoisyQueries,
    box: ChainClass,
    bounds: tuple[float, float],
    at_ends: Sequence[FoundChain],
    level: Level | None,
    effort: int,
) -> list[FoundChain] | None:
    """Return the worst chains of a box with a + b >= 1, or None if they are not searched: their
    bound is what one record leaks, or another chain reaches it.
    """
    upper, turned = bounds
    best = max([upper, *(chain.best for chain in at_ends)])
    if not isinstance(box, IntervalChain) or turned <= best:
        return None
    return _at_outputs(framework, mechanism, box, (best, turned), level, True, effort)


def _everywhere(
    framework: Framework,
    mechanism: NoisyQueries,
    box: ChainClass,
    bounds: tuple[float, float],
    at_ends: Sequence[FoundChain],
    level: Level | None,
    effort: int,
) -> list[FoundChain]:
    """Return the worst chains of a box by all outputs, where the ends leave a gap: none of too many
    outputs, or stationary chains, of which the corner is known.
    """
    if not isinstance(box, IntervalChain) or box.initial == "stationary":
        return []
    best = max(bounds[0], *(chain.best for chain in at_ends))
    return _at_outputs(framework, mechanism, box, (best, bounds[1]), level, False, effort) or []


def _at_outputs(
    framework: Framework,
    mechanism: NoisyQueries,
    box: IntervalChain,
    bounds: tuple[float, float],
    level: Level | None,
    turning: bool,
    effort: int,
) -> list[FoundChain] | None:
    outputs = outputs_of(queries_of(mechanism.alone), framework.expect_records().count)
    if outputs is None:
        return None
    records, deciding = _records(framework, box), partial(_decided, level)
    return search_turned_approx(box, outputs, records, bounds, deciding, turning, effort)


def _cells(chains: Sequence[FoundChain]) -> int:
    return sum(chain.cells for chain in chains)


def _fits(framework: Framework, mechanism: NoisyQueries) -> bool:
    """Whether classes are of two values with a + b <= 1 or known by their corner, and queries and
    secrets of records.
    """
    records = framework.expect_records()
    if len(records.alphabet) != 2 or records.count > MOST_RECORDS:
        return False
    for query in mechanism.queries:
        if not isinstance(query, RecordQuery) or query.noise.decay is None:
            return False
    for box in framework.classes.values():
        if isinstance(box, IntervalNetwork | Contacts):
            return False
        if isinstance(box, GapChains):
            if box.pi_min < _LEAST:
                return False
            continue
        most = box.upper[0][1], box.upper[1][0]
        if box.initial == "stationary" and not any(least(box)) and not all(most):
            return False
    place = framework.places
    return all(place[one][0] == place[other][0] for one, other in framework.pairs)


def _corners(box: ChainClass) -> list[tuple[float, float]]:
    """Return a and b at the corners of a box."""
    if not isinstance(box, IntervalChain):
        return []
    low, high = box.lower, box.upper
    return [(float(a), float(b)) for a in (low[0][1], high[0][1]) for b in (low[1][0], high[1][0])]


def _remembers(box: ChainClass) -> bool:
    """Whether some chain of a class has a + b < 1, or none has a + b > 1."""
    return not (isinstance(box, IntervalChain) and sum(least(box)) >= 1 and turns(box))


def _records(framework: Framework, box: ChainClass) -> list[int]:
    """Return the records that pairs are about, and both of whose values are possible."""
    wanted = {framework.places[one][0] for one, _ in framework.pairs}
    return sorted(record for record in wanted if len(box.possible(record)) == 2)


def _turned(mechanism: NoisyQueries) -> float:
    """Return what noisy numbers leak at most under chains with a + b > 1: as much as of one record
    that all queries cover.
    """
    from flint import ctx

    with ctx.workprec(_BITS):
        _, high = weight_of(mechanism, [True] * len(queries_of(mechanism)))
    return float(Interval.point(high).log().high)


def _decided(level: Level | None, records: int) -> Decided:
    """Return whether bounds of the leakage, and the cells behind them, are enough for a level."""
    nats = None if level is None else float(level.enclosure().lower)

    def enough(lower: float, upper: float, cells: int) -> bool:
        if nats is None or cells * records < _PATIENCE:
            return False
        return lower > nats + _ROOM or upper < nats - _ROOM

    return enough


def _searched(box: ChainClass, asked: EndsQuestion, bounds: tuple[float, float], decided: Decided) -> list[FoundChain]:
    """Return the worst chains of a class with a + b < 1 at both ends of the query, given bounds of
    the leakage of other chains, and of those with a + b > 1. A class without such chains gives
    none.
    """
    floor, turned = bounds
    if isinstance(box, GapChains):
        worst = search_gap_approx(box, asked.weights, asked.records, floor, turned)
        a, b, start = worst.member
        return [worst, replace(worst, member=(b, a, 1 - start), cells=0)]
    if not _remembers(box):
        return []
    both = steps((False, True), "ends of the numbers")
    return [search_box_approx(box, asked, swapped, floor, decided) for swapped in both]


def _answer(
    framework: Framework,
    mechanism: NoisyQueries,
    members: tuple[Chosen, Chosen],
    upper_and_cells: tuple[float, int],
    listed: Ratio,
) -> ClassRatio | None:
    """Return the ratio of chains, of the first ones at the ends, and the upper bound of all."""
    chains = {name: {**members[0][name], **members[1][name]} for name in members[0]}
    if not any(chains.values()) and len(chains) == len(framework.priors):
        raise nothing_to_check()
    whole = framework.alone.of_members(chosen=chains)
    places, scope = places_to_check(whole)
    ratios = _at_ends(framework, mechanism, members[0])
    nats, cells = upper_and_cells
    of_all = exp_bounds(Fraction(nats), _BITS)[1]
    upper = max([of_all, *(ratio.upper or Fraction(1) for ratio, _ in ratios)])
    inside, beside = _priors_of(framework, members[1]), []
    if inside and {place for place, _ in places} & set(inside):
        beside.append(listed(framework.with_priors(inside), mechanism))
        ratios.append((beside[-1].leakage, beside[-1].witness))
    if not ratios:
        return None
    others = {name: prior for name, prior in whole.priors.items() if name in framework.priors}
    if others:
        apart = listed(framework.with_priors(others), mechanism)
        if apart.leakage.upper is None or apart.leakage.lower is None:
            return None
        upper = max(upper, apart.leakage.upper)
        ratios.append((apart.leakage, apart.witness))
        beside.append(apart)
    least, witness = max(ratios, key=lambda one: one[0].lower or Fraction(1))
    lower = least.lower or Fraction(1)
    leaked, rests = Leakage(lower, max(lower, upper)), _theorems(framework, mechanism)
    claims = united(rests.claims, *(ratio.claims for ratio in beside))
    return ClassRatio(leaked, witness, scope, framework, whole, cells, rests, claims=claims)


def _priors_of(framework: Framework, chosen: Chosen) -> dict[str, Prior]:
    """Return the chains of classes by the names that they have as priors."""
    if not any(chosen.values()):
        return {}
    priors = framework.alone.of_members(chosen=chosen).priors
    return {name: prior for name, prior in priors.items() if name not in framework.priors}


def _at_ends(framework: Framework, mechanism: NoisyQueries, chosen: Chosen) -> list[tuple[Leakage, Witness]]:
    """Return the largest ratio of chains at the two ends, or nothing without a chain to check."""
    ours = _priors_of(framework, chosen)
    if not ours:
        return []
    members = framework.alone.with_priors(ours)
    places, _ = places_to_check(members)
    return [largest_corner(members, queries_of(mechanism), places, ends_of(mechanism))]


def _theorems(framework: Framework, mechanism: NoisyQueries) -> Theorems:
    """Return what the upper bound rests on. Claims prove it for one number; an argument in words
    covers several coordinates, and boxes where a + b > 1.
    """
    boxes = framework.chain_classes.values()
    remembering = [box for box in boxes if _remembers(box)]
    claims = ["classes.extremes"] if remembering else []
    if any(box.initial == "stationary" for box in remembering):
        claims.append("classes.corner")
    if any(isinstance(box, GapChains) for box in boxes):
        claims += ["classes.turning", "classes.columns"]
    turned = any(turns(box) for box in boxes if not isinstance(box, GapChains))
    several = sum(query.dimension for query in queries_of(mechanism)) != 1
    return Theorems(tuple(claims), in_words=turned or several)
