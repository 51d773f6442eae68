"""The worst joint leakage over all mechanisms within given budgets, with the mechanisms that reach
it.

One release per budget. Mechanisms may differ, may have any number of outputs, and later ones may
depend on earlier outputs: none of this adds anything. The value is that of `worst_at_ratios`;
extreme rays are columns of mechanisms with two outputs, and the joint leakage is computed again
from those. A budget of decimally many nats has an irrational R, which is put between two rationals:
mechanisms at the lower one keep the budget, and the value at the upper one bounds all that do. For
classes of chains, mechanisms are looked for at some chains and audited against all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

from pufferproof.lp.cones.columns import Columns, Cone, Vector, columns_rest_on, require_private
from pufferproof.lp.cones.rays import MAX_RAYS
from pufferproof.lp.cones.separation import SUPPORTS_RESTS_ON, Limit, Undecided, collapse_number, simplest
from pufferproof.lp.worst.at_ratios import (
    METHODS_REST_ON,
    RECORD_BOUND_RESTS_ON,
    Limits,
    Worst,
    determined,
    is_one_pair,
    reached_from,
    worst_at,
)
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Bar, Readable, bars, listed
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import Composition, compose
from pufferproof.verify.decision import Decision, bases, united
from pufferproof.verify.leakage.ratio import Leakage, Scope, scope
from pufferproof.verify.proof.smt import Work

# Mechanisms within budgets for classes of Markov chains: looked for at some chains, and proved for all.
#
# Whoever keeps a budget for a class keeps it for chains of it. So mechanisms are looked for that keep it for some
# chains, at corners and in the middle, and then audited against the whole class. If that does not prove the budget, a
# smaller one is tried. What is proved leaks under the class at least what it leaks under one of its chains.
#
# That there is no collapse carries over to the class where every chain of it has the possible databases of one of
# these.

SHARES = (Fraction(1), Fraction(31, 32), Fraction(7, 8), Fraction(1, 2))
_BLENDS = (Fraction(1, 16), Fraction(1, 4))
_CHAINS = 8
UNPROVED = "which was not proved for all chains"


def members_of(framework: Framework) -> Framework:
    """Return the framework of some chains of every class: corners, and one for every set of values
    with which a chain of the class can begin. Raises `ModelError` for a class that is no box.
    """
    _ = framework.boxes
    return framework.of_members(_CHAINS, supports=True)


def is_covered(framework: Framework) -> bool:
    """Whether every chain of the classes has the possible databases of one of `members_of`: a class
    whose chains have several stationary laws has no such chain.
    """
    members = members_of(framework).priors
    return all(
        box.one_support and all(framework.member(name, at) in members for at in box.supports())
        for name, box in framework.boxes.items()
    )


def keep(framework: Framework, mechanisms: Sequence[Channel], budgets: Sequence[Level]) -> bool:
    """Whether every mechanism is proved to keep its budget for all chains of the classes."""
    asked = {(id(one), str(level)): (one, level) for one, level in zip(mechanisms, budgets)}
    return all(audit(framework, *each).kept is Decision.HOLDS for each in asked.values())


def smaller(budgets: Sequence[Level]) -> Iterator[tuple[Level, ...]]:
    """Yield the budgets, and then smaller ones: shares of e^epsilon - 1."""
    for share in SHARES if any(_ratio(level) > 1 for level in budgets) else SHARES[:1]:
        if share == 1:
            yield tuple(budgets)
        else:
            yield tuple(Level.log(1 + (_ratio(level) - 1) * share) for level in budgets)


def thinned(mechanism: Channel, budget: Level) -> Channel:
    """Return a mechanism whose output "v" is so likely that it keeps the budget whatever the prior:
    the others are said less often.

    >>> channel = Channel.of({"a": {"w": 1}, "b": {"v": 1}})
    >>> thinned(channel, Level("log(2)")).probability("a", "w")
    Fraction(1, 2)
    """
    if "v" not in mechanism.outputs:
        return mechanism
    most = 1 - min(mechanism.probability(x, "v") for x in mechanism.databases)
    seldom = 1 - 1 / _ratio(budget)
    if not seldom or most <= seldom:
        return mechanism
    rows = {}
    for x in mechanism.databases:
        rows[x] = {y: seldom / most * mechanism.probability(x, y) for y in mechanism.outputs}
        rows[x]["v"] += 1 - seldom / most
    return Channel.of(rows)


def blended(mechanism: Channel, budget: Level, per_record: Level | None = None) -> Iterator[Channel]:
    """Yield mechanisms that say "w" more and more evenly, the last one keeping the budget whatever
    the prior: for budget 0 a fair coin. All keep the level per record that the mechanism keeps.
    """
    # outputs "v" are at most that much likelier on one database than on another
    ratio = min(map(_ratio, [budget] if per_record is None else [budget, per_record]))
    seldom = 1 - 1 / ratio
    if not seldom:
        yield Channel.of({x: {"w": Fraction(1, 2), "v": Fraction(1, 2)} for x in mechanism.databases})
        return
    most = max(mechanism.probability(x, "w") for x in mechanism.databases)
    for even in (*(share for share in _BLENDS if share < 1 / ratio), 1 / ratio):
        rows = {}
        for x in mechanism.databases:
            says = seldom * (even + (1 - even) * mechanism.probability(x, "w") / most)
            rows[x] = {"w": says, "v": 1 - says}
        yield Channel.of(rows)


def reached(members: Framework, mechanisms: Sequence[Channel]) -> tuple[Fraction | None, str, Pair]:
    """Return how much likelier all outputs "w" are at most given one secret than given another,
    None for infinitely, and where.
    """
    said = [[mechanism.probability(x, "w") for x in members.databases] for mechanism in mechanisms]
    column = [Fraction(prod(together)) for together in zip(*said)]
    best: tuple[bool, Fraction, str, Pair] | None = None
    for name, law in members.laws.items():
        for stated in members.pairs:
            for pair in members.orders(stated):
                masses = [members.mass(name, secret) for secret in pair]
                if not all(masses):
                    continue
                above, below = (
                    sum((law.weights[x] * column[x] for x in members.secrets[secret]), Fraction(0)) / mass
                    for secret, mass in zip(pair, masses)
                )
                times = above / below if below else Fraction(0)
                reached_by = (not below and bool(above), times)
                if best is None or reached_by > best[:2]:
                    best = (*reached_by, name, pair)
    if best is None:
        raise AssertionError("a framework with nothing to check was taken")
    return (None if best[0] else best[1]), best[2], best[3]


def _ratio(level: Level) -> Fraction:
    return level.bounds()[0]


RESTS_ON = ("worst.vertices", "worst.two-outputs", "worst.adaptivity", "worst.general-outputs")
_WIDTH = Fraction(1, 10**15)  # relative, of the bounds of a joint ratio and of its logarithm
_ACCURACIES = (64, 128, 256)
_AUDITED_ENTRIES = 2_000_000
_NUMBER_PROGRAMS = 20_000  # linear programs, for the collapse number
# of the time, for the worst case; the rest is for single releases and the collapse number
_SEARCH_SHARE = 0.9


@dataclass(frozen=True, repr=False)
class WorstComposition(Readable, Tabular):
    """The worst joint leakage within `budgets`, one release each, and `per_record` differential
    privacy on top.

    `lower` is the ratio e^leakage that `mechanisms` reach (None: infinite), `upper` what no
    mechanisms exceed (None: infinite or unknown). `single` is what one release within each budget
    can leak at most: less than the budget where per-record privacy or other secrets keep it
    smaller. `columns` are the likelihoods over `databases` of the outputs "w". `together`, for
    equal budgets: one mechanism with K + 1 outputs that reaches the same in K runs, or None if
    there is none at hand. `collapse_number`: the fewest releases at the largest budget that can
    leak everything; None if none can or it is unknown. `stopped`: what ended a search that did not
    decide, "work" (counted, not timed), "rays" (too many) or "seconds" (a limit that was given);
    None if it decided, or looked at everything.
    """

    _named = ("release",)

    framework: Framework = field(repr=False)
    budgets: tuple[Level, ...]
    per_record: Level | None
    lower: Fraction | None
    upper: Fraction | None
    single: tuple[Leakage, ...]
    prior: str
    pair: Pair
    databases: tuple[str, ...] = field(repr=False)
    columns: tuple[Vector, ...] = field(repr=False)
    mechanisms: tuple[Channel, ...] = field(repr=False)
    together: Channel | None = field(repr=False)
    method: str
    rays: tuple[int, ...]
    finite_for_all_runs: Decision
    collapse_number: int | None
    scope: Scope = field(repr=False)
    stopped: str | None = None

    @property
    def decided(self) -> bool:
        """Whether the worst case is infinite, or enclosed to the width of irrational budgets."""
        return self.lower is None or _close(self.lower, self.upper)

    @property
    def finite(self) -> Decision:
        """Whether joint leakage within these budgets is always finite."""
        if self.lower is None:
            return Decision.FAILS
        few = self.collapse_number is not None and len(self.budgets) < self.collapse_number
        if self.upper is not None or few or self.finite_for_all_runs is Decision.HOLDS:
            return Decision.HOLDS
        return Decision.UNDECIDED

    @property
    def joint(self) -> Leakage:
        """The worst joint leakage: exact, or its bounds; where finiteness is unknown the upper
        bound is None.
        """
        return Leakage(self.lower, self.upper)

    @property
    def trust(self) -> tuple[str, ...]:
        """What the answer rests on: exact arithmetic, and interval arithmetic where a level is
        irrational.
        """
        return (
            ("EXACT",)
            if all(level is None or level.ratio for level in (*self.budgets, self.per_record))
            else ("EXACT", "INTERVAL")
        )

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on: of the method, and of how soon all can leak."""
        lasting = SUPPORTS_RESTS_ON if self.finite_for_all_runs is not Decision.UNDECIDED else ()
        records = () if self.per_record is None else RECORD_BOUND_RESTS_ON
        cones = columns_rest_on(self.framework)
        return united(RESTS_ON, METHODS_REST_ON[self.method], records, lasting, cones)

    def composition(self) -> Composition:
        """Return the audit of the joint release of `mechanisms`. Raises `ModelError` unless it
        is small enough to write out.
        """
        return compose(self.framework, self.mechanisms)

    def entries(self) -> list[Entry]:
        """Return a row for every release alone, at most, and one for the worst of all together."""
        alone = [
            {"release": str(place), "budget": str(budget)} | nats(each.enclosure())
            for place, (budget, each) in enumerate(zip(self.budgets, self.single), 1)
        ]
        together = nats(self.joint.enclosure())
        return [*alone, {"release": "together", "budget": None} | together]

    def _picture(self) -> str:
        """Draw the most that each release leaks alone, and all together."""
        alone = [
            Bar(f"release {place}, {budget}", each.enclosure())
            for place, (budget, each) in enumerate(zip(self.budgets, self.single), 1)
        ]
        return bars([*alone, Bar("worst, together", self.joint.enclosure())])

    def as_json(self) -> JsonObject:
        """Return the worst-case object of the file formats (without file names and `inputs`)."""
        joint = self.joint.as_json()
        if self.lower is not None and self.upper is None:
            joint["epsilon"] = {"lower": Leakage.of(self.lower).enclosure().lower, "upper": "inf"}
        bounds = [None if value is None else text_of(value) for value in (self.lower, self.upper)]
        return {
            "joint": joint,
            "decided": self.decided,
            "stopped": self.stopped,
            "bounds": None if self.decided else {"lower": bounds[0], "upper": bounds[1] or "inf"},
            "finite": self.finite.value,
            "finite_for_all_runs": self.finite_for_all_runs.value,
            "collapse_number": self.collapse_number,
            "budgets": [str(level) for level in self.budgets],
            "per_record_dp": None if self.per_record is None else str(self.per_record),
            "single": [leakage.as_json() for leakage in self.single],
            "witness": {"prior": self.prior, "pair": list(self.pair), "outputs": ["w"] * len(self.budgets)},
            "method": self.method,
            "rays": list(self.rays) or None,
            "excluded": self.scope.excluded,
            "never_checked": [list(pair) for pair in self.scope.never_checked],
            "trust": list(self.trust),
            "rests_on": bases(self.rests_on),
        }

    def __str__(self) -> str:
        above, below = self.pair
        budgets = listed([str(level) for level in self.budgets], quote=False)
        record = "" if self.per_record is None else f" and {self.per_record} per record"
        releases = f"{len(self.budgets)} release{'s' * (len(self.budgets) > 1)}"
        sure = "" if self.decided else f"undecided{_after(self.stopped)}: "
        return (
            f"{sure}worst joint leakage {self.joint} of {releases} within {budgets}{record}, "
            f"for {above!r} against {below!r}, prior {self.prior!r}"
        )


def worst_composition(
    framework: Framework,
    budgets: Sequence[LevelLike],
    per_record: LevelLike | None = None,
    seconds: float | None = None,
    max_rays: int = MAX_RAYS,
    share: float = 1.0,
) -> WorstComposition:
    """Compute the worst joint leakage of one release per budget, over all mechanisms within the
    budgets.

    Every joint output has a likelihood u_1 o .. o u_K (entry by entry) with u_k in the cone C_(R_k)
    of columns that budget k allows, adaptive or not (worst.adaptivity).

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> worst = worst_composition(framework, ["log(2)", "log(2)"])
    >>> worst.finite, worst.collapse_number, worst.columns
    (<Decision.FAILS: False>, 2, ((1, 2, 0), (1, 0, 2)))

    Args:
        framework: without convex closure.
        budgets: one level per release.
        per_record: a level of per-record differential privacy that every release keeps on top.
        seconds: when to settle for certified bounds; without it work is counted, about a minute or
            two, so that the answer is the same on every machine.
        max_rays: how many extreme rays may be held before settling for bounds.
        share: the part of the usual work after which to settle for bounds.

    Returns the exact worst case, or a certified interval (`decided` False): always so for classes
    of chains unless everything can leak, `mechanisms` keep the budgets for all chains, `framework`
    is about some of them, and an upper bound is known of one release, which leaks at most its
    budget, and with `per_record`, by which any two databases have likelihoods near each other.

    Raises `ModelError` unless there is a budget, and as `Columns` and its `cone` do.
    """
    framework = check_type(framework, Framework, "framework")
    seconds = check_type(seconds, float | None, "seconds")
    levels = Level.coerce_all(budgets, "budgets")
    if not levels:
        raise ModelError("expected at least one budget, found none", "budgets")
    side = None if per_record is None else Level.coerce(per_record, "per_record")
    require_private([*levels, side], "budgets")
    max_rays = check_type(max_rays, int, "max_rays")
    share = check_type(share, float, "share")
    work = Work(seconds=seconds)
    if framework.classes:
        return _of_classes(framework, levels, side, seconds, max_rays, share)
    columns = Columns(framework)
    search = _Bracketed(columns, levels, side, Limits(max_rays, work, share))
    worst, upper = search.enclosed()
    cones = [columns.cone(ratio, search.side.lower) for ratio in search.lower]
    sides = [search.side.lower] * len(cones)
    mechanisms = tuple(map(columns.two_output_mechanism, cones, worst.columns, sides))
    number, finite = search.number(worst)
    answer = WorstComposition(
        framework,
        levels,
        side,
        worst.ratio,
        upper,
        search.single(),
        *worst.laws.places[0],
        columns.labels,
        worst.columns,
        mechanisms,
        _together(columns, cones, worst.columns, search.side.lower),
        worst.method,
        worst.rays,
        finite,
        number,
        scope(framework, 1),
        worst.stopped,
    )
    _check(answer)
    return replace(answer, stopped=None) if answer.decided else answer


def _of_classes(
    framework: Framework,
    budgets: tuple[Level, ...],
    per_record: Level | None,
    seconds: float | None,
    max_rays: int,
    share: float,
) -> WorstComposition:
    """Return what mechanisms within the budgets for all chains of the classes leak at least."""
    members, part = members_of(framework), None if seconds is None else seconds / len(SHARES)
    lasting = Decision.UNDECIDED
    for levels in smaller(budgets):
        case = worst_composition(members, levels, per_record, part, max_rays, share / len(SHARES))
        if levels == budgets and (per_record is not None or is_covered(framework)):
            lasting = case.finite_for_all_runs
        chosen = tuple(thinned(*each) for each in zip(case.mechanisms, budgets))
        if kept := keep(framework, chosen, budgets):
            break
    if not kept:
        chosen = _kept_blends(framework, case.mechanisms, budgets, per_record)
    ratio, prior, pair = reached(members, chosen)
    finite = Decision.UNDECIDED if lasting is Decision.FAILS else lasting
    return replace(
        case,
        framework=members,
        budgets=budgets,
        lower=ratio,
        upper=None if ratio is None else _upper_of_classes(framework, budgets, per_record),
        single=tuple(Leakage(*level.bounds()) for level in budgets),
        prior=prior,
        pair=pair,
        mechanisms=chosen,
        together=None,
        method="members",
        rays=(),
        finite_for_all_runs=Decision.FAILS if ratio is None else finite,
        collapse_number=None,
    )


def _upper_of_classes(framework: Framework, budgets: Sequence[Level], per_record: Level | None) -> Fraction | None:
    """Return what no mechanisms exceed under any chain, or None if no bound is known."""
    bounds = [budgets[0].bounds()[1]] if len(budgets) == 1 else []
    if per_record is not None:
        bounds.append(per_record.bounds()[1] ** (framework.expect_records().count * len(budgets)))
    return min(bounds, default=None)


def _kept_blends(
    framework: Framework, mechanisms: Sequence[Channel], budgets: Sequence[Level], per_record: Level | None
) -> tuple[Channel, ...]:
    """Return the first mechanisms, more and more even, that keep the budgets for all chains."""
    tried = [list(blended(*each, per_record)) for each in zip(mechanisms, budgets)]
    most = max(map(len, tried))  # those of a large budget are even sooner
    every = (tuple(each[min(k, len(each) - 1)] for each in tried) for k in range(most))
    return next(each for each in every if keep(framework, each, budgets))


@dataclass(frozen=True)
class _Bracket:
    """Rational bounds of e^level, equal when it is rational; both None without a level."""

    lower: Fraction | None
    upper: Fraction | None


def _bracket(level: Level | None, accuracy: int) -> _Bracket:
    """Return short rationals around e^level, relative distance about 2^-accuracy."""
    if level is None:
        return _Bracket(None, None)
    lower, upper = level.bounds(accuracy + 4)
    if lower == upper:
        return _Bracket(lower, upper)
    if lower <= 1:  # a level that close to 0 needs more digits
        return _bracket(level, 2 * accuracy)
    room = (lower - 1) / 2**accuracy
    return _Bracket(simplest(lower - room, lower), simplest(upper, upper + room))


class _Bracketed:
    """The values at rational budgets below and above the ones asked for.

    The cones grow with R, so does the value; it jumps to infinity only at algebraic R, hence at no
    e^epsilon, and closer rationals decide.
    """

    def __init__(self, columns: Columns, budgets: Sequence[Level], per_record: Level | None, limits: Limits) -> None:
        self.columns, self.budgets, self.per_record, self.limits = (columns, budgets, per_record, limits)
        self._between(_ACCURACIES[0])

    def _between(self, accuracy: int) -> None:
        brackets = [_bracket(level, accuracy) for level in self.budgets]
        self.lower = [bracket.lower for bracket in brackets if bracket.lower is not None]
        self.upper = [bracket.upper for bracket in brackets if bracket.upper is not None]
        self.side = _bracket(self.per_record, accuracy)
        self.rational = self.lower == self.upper and self.side.lower == self.side.upper

    def enclosed(self) -> tuple[Worst, Fraction | None]:
        """Return what is reached within the budgets, and what is not exceeded."""
        limits = self.limits.part(_SEARCH_SHARE)
        for accuracy in _ACCURACIES:
            self._between(accuracy)
            if self.rational:
                worst = worst_at(self.columns, self.lower, self.side.lower, limits)
                return worst, worst.upper
            above = worst_at(self.columns, self.upper, self.side.upper, limits.part(0.5))
            near = reached_from(self.columns, above, self.lower, self.side.lower)
            if near is not None and near.ratio is not None and _close(near.ratio, above.upper):
                return near, above.upper
            worst = worst_at(self.columns, self.lower, self.side.lower, limits)
            if worst.ratio is None:
                return worst, None
            if _close(worst.ratio, above.upper) or not (worst.exact and above.exact):
                break
        return replace(worst, stopped=worst.stopped or above.stopped), above.upper

    def single(self) -> tuple[Leakage, ...]:
        """Return what one release within each budget can leak at most."""
        leakages: dict[tuple[Fraction, Fraction], Leakage] = {}
        for lower, upper in zip(self.lower, self.upper):
            if (lower, upper) not in leakages:
                bounds = [self._alone(lower, self.side.lower)]
                bounds.append(bounds[0] if self.rational else self._alone(upper, self.side.upper))
                leakages[lower, upper] = Leakage(bounds[0], bounds[1])
        return tuple(leakages[bounds] for bounds in zip(self.lower, self.upper))

    def _alone(self, ratio: Fraction, side: Fraction | None) -> Fraction | None:
        return worst_at(self.columns, [ratio], side, self.limits).upper

    def number(self, worst: Worst) -> tuple[int | None, Decision]:
        """Return the collapse number at the largest budget, and whether leakage stays finite
        for all runs, as far as known.
        """
        if self.side.lower is None and is_one_pair(self.columns.laws):
            splits = any(sum(map(bool, law.nu)) > 1 for law in self.columns.laws)
            return (2, Decision.FAILS) if splits else (None, Decision.HOLDS)
        if determined(self.columns.laws) or self.per_record is not None:  # every database stays possible
            return None, Decision.HOLDS
        limit = Limit(self.limits.work.patience(), self.limits.counted(_NUMBER_PROGRAMS))
        try:
            number = collapse_number(self.columns, self.columns.cone(max(self.lower), self.side.lower), limit).number
            if not self.rational:
                above = self.columns.cone(max(self.upper), self.side.upper)
                if collapse_number(self.columns, above, limit).number != number:
                    return None, Decision.UNDECIDED if number is None else Decision.FAILS
        except Undecided:
            return None, Decision.FAILS if worst.ratio is None else Decision.UNDECIDED
        return number, Decision(number is None)


def _after(stopped: str | None) -> str:
    """Say what ended a search that did not decide."""
    said = {"work": "its allowance of work", "rays": "too many rays", "seconds": "the time given"}
    return "" if stopped is None else f" after {said[stopped]}"


def _close(lower: Fraction, upper: Fraction | None) -> bool:
    """Say whether the bounds of a ratio are so close that their logarithms are, too."""
    if upper is None:
        return False
    return lower == upper or (lower > 1 and upper - lower <= _WIDTH * (lower - 1))


def _together(
    columns: Columns, cones: Sequence[Cone], chosen: Sequence[Vector], side: Fraction | None
) -> Channel | None:
    """Return a mechanism with an output for every column and a rest, for equal budgets."""
    if len(cones) < 2 or len(set(cones)) > 1 or len(columns.databases) < len(columns.framework.databases):
        return None
    scaled = [[Fraction(entry, max(column)) for entry in column] for column in chosen]
    total = [sum(entries) for entries in zip(*scaled)]
    both = columns.two_output_mechanism(cones[0], total, side)
    rows = {}
    for x, label in enumerate(columns.labels):
        likelihood = both.probability(label, "w")
        rows[label] = {
            f"w{k}": likelihood * column[x] / total[x] if total[x] else 0 for k, column in enumerate(scaled, start=1)
        }
        rows[label]["v"] = both.probability(label, "v")
    return Channel.of(rows)


def _check(answer: WorstComposition) -> None:
    """Audit the mechanisms found; raise `SolverError` unless they leak what is promised."""
    if 2 ** len(answer.budgets) * len(answer.framework.databases) > _AUDITED_ENTRIES:
        return
    composition = answer.composition()
    within = all(
        single.leakage.ratio is not None and level.compare(single.leakage.ratio) <= 0
        for single, level in zip(composition.single, answer.budgets)
    )
    reached = composition.joint.leakage.lower
    if not within or not (
        reached == answer.lower if answer.decided else reached is None or reached >= (answer.lower or 0)
    ):
        raise SolverError("the mechanisms of a worst case failed their own audit")
