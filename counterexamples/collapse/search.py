"""Composition collapse: mechanisms that each keep a privacy budget, and together reveal a secret
with certainty.

Given budgets, one per release, or one budget for as few releases as possible, a search asks which
zero patterns columns within the budgets can have. Three engines answer: linear programs with
learned inequalities (`lp`), the list of all extreme rays (`rays`), and one formula of linear
arithmetic over real-valued columns (`z3`). What they find is untrusted: the mechanisms are
rational, each is audited, and the kernel checks the certificate of infinite joint leakage.
`Impossible` is only said when an engine that is complete has finished, `z3` with the consent of
cvc5. How much leaks when it is finite is not asked here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import Literal, Protocol

from pufferproof.lp.cones import separation
from pufferproof.lp.cones.columns import Columns, Cone, Vector
from pufferproof.lp.cones.rays import MAX_RAYS, TooManyRaysError, extreme_rays
from pufferproof.lp.cones.rays import RESTS_ON as RAYS_RESTS_ON
from pufferproof.lp.cones.separation import CollapseNumber, Limit, Target, Undecided, largest_ratio, simplest, targets
from pufferproof.lp.worst.composition import SHARES, UNPROVED, is_covered, keep, members_of, smaller, thinned
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, listed
from pufferproof.models.listing import Pair
from pufferproof.models.mechanisms.releases import post_process
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.certificates.writing import Inputs, composition_certificate
from pufferproof.verify.decision import Decision, united
from pufferproof.verify.leakage.ratio import Leakage, Witness

# Collapse by extreme rays: whether rays of the cones share a support that meets supp mu and misses supp nu.
#
# A column that is positive at x and zero on Y is a sum of extreme rays, all zero on Y and one positive at x: rays
# suffice. Per database x only their largest zero sets matter. The list of rays is complete or the search is given up.

ZERO_SETS_RESTS_ON = ("worst.supports", "worst.rays-span")
ZeroSets = dict[frozenset[int], Vector]


def collapses_by_rays(
    columns: Columns, cones: Sequence[Cone], given: Mapping[str, Sequence[Fraction | int]] | None, limit: Limit
) -> CollapseNumber | None:
    """Return rays, one per cone, whose entrywise product leaks everything; None if that is proved
    impossible.

    Raises `TooManyRaysError` when there are too many rays or no time is left.
    """
    distinct = dict.fromkeys(cones)
    rays = {cone: extreme_rays(cone, limit=MAX_RAYS, seconds=limit.left) for cone in distinct}
    for target in targets(columns, given):
        limit.check()
        sets = {cone: _largest_zero_sets(vectors, target) for cone, vectors in rays.items()}
        cover = _cover(target.needed, [sets[cone] for cone in cones], [None] * len(cones))
        if cover is not None:
            return CollapseNumber(len(cones), cover, target)
    return None


def _largest_zero_sets(rays: Sequence[Vector], target: Target) -> ZeroSets:
    """Return the largest zero sets, among needed databases, of rays positive at the target's."""
    zero_sets = {frozenset(y for y in target.needed if not ray[y]): ray for ray in rays if ray[target.database]}
    return {zeros: ray for zeros, ray in zero_sets.items() if not any(zeros < other for other in zero_sets)}


def _cover(
    needed: frozenset[int], releases: Sequence[ZeroSets], chosen: Sequence[Vector | None]
) -> tuple[Vector, ...] | None:
    """Choose one set per release so that their union holds all that is needed."""
    if not all(releases):
        return None
    left = [y for y in needed if all(ray is None or ray[y] for ray in chosen)]
    if not left:
        return tuple(ray or next(iter(release.values())) for ray, release in zip(chosen, releases))
    free = [i for i, ray in enumerate(chosen) if ray is None]
    ways = [i for i in free if not any(releases[j] is releases[i] for j in free if j < i)]
    for i in ways:
        for zeros, ray in releases[i].items():
            if left[0] in zeros:
                cover = _cover(needed, releases, [ray if j == i else other for j, other in enumerate(chosen)])
                if cover is not None:
                    return cover
    return None


RESTS_ON = ("worst.supports", "worst.two-outputs")
EngineName = Literal["lp", "rays", "z3"]
_ENGINES_REST_ON: dict[EngineName, tuple[str, ...]] = {
    "lp": united(RESTS_ON, separation.SUPPORTS_RESTS_ON, separation.RESTS_ON),
    "rays": united(RESTS_ON, ZERO_SETS_RESTS_ON, RAYS_RESTS_ON),
    "z3": RESTS_ON,
}
_ACCURACIES = (8, 64, 256, 1024)  # bits of e^epsilon; few first, for short numbers in mechanisms
_MOST_BITS = 2048  # of e^epsilon, for inequalities that somebody may read
_ALL, _ELSE = "all", "else"


@dataclass(frozen=True, repr=False)
class Collapse(Readable):
    """Mechanisms that each keep their budget and jointly leak everything.

    `mechanisms` has one per release that was built, equal ones repeated; `given` is a mechanism
    released on top. Under `prior`, the joint output `outputs` (the given mechanism's first) is
    possible for `database`, in which pair[0] holds, and for no database in which pair[1] holds.
    `fewest` says whether fewer releases are proved not to do; `per_record` is the level of
    differential privacy that was asked for on top. That fewer do not rests on the claims
    `rests_on`; that a single one does not, on none.
    """

    framework: Framework = field(repr=False)
    budgets: tuple[Level, ...]
    mechanisms: tuple[Channel, ...] = field(repr=False)
    given: Channel | None = field(repr=False)
    prior: str
    pair: Pair
    database: str
    outputs: tuple[str, ...]
    fewest: bool
    per_record: Level | None = None
    rests_on: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    @property
    def releases(self) -> tuple[Channel, ...]:
        """The mechanism of every release, the given one first."""
        return self.mechanisms if self.given is None else (self.given, *self.mechanisms)

    @property
    def runs(self) -> int:
        """How many releases there are, the given mechanism's included."""
        return len(self.releases)

    def composition(self) -> Composition:
        """Return the joint release, its output "all of `outputs`" against the rest, audited: its
        leakage is infinite.

        Merging all other outputs is post-processing, which adds no leakage, and keeps the joint
        release small.
        """
        framework = self.framework
        aligned = [mechanism.aligned(framework.databases, framework.support) for mechanism in self.releases]
        parts = [_told_apart(mechanism, output) for mechanism, output in zip(aligned, self.outputs)]
        joint = parts[0]
        for part in parts[1:]:
            joint = _told_apart(joint.beside(part), f"{_ALL},{_ALL}")
        together = audit(framework, joint)
        place = Witness(self.prior, self.pair, _ALL)
        told = replace(together, largest=replace(together.largest, witness=place))
        single = tuple(audit(framework, mechanism) for mechanism in self.releases)
        return Composition(self.releases, 1, single, told, self.outputs)

    def certificate(self, inputs: Inputs | None = None) -> JsonObject:
        """Return the certificate of infinite joint leakage, for `certified_text`."""
        composition = self.composition()
        return composition_certificate(composition, inputs or Inputs(None, (None,) * self.runs))

    def __str__(self) -> str:
        (above, below), fewest = self.pair, ", the fewest" if self.fewest else ""
        within = listed([str(level) for level in self.budgets], quote=False)
        return (
            f"{self.runs} releases within {within} leak everything{fewest}: outputs "
            f"{listed(self.outputs)} are possible for {self.database!r} of {above!r} and for no "
            f"database of {below!r}, prior {self.prior!r}"
        )


@dataclass(frozen=True, repr=False)
class Impossible(Readable):
    """A proof that no mechanisms within the budgets leak everything: in `releases` releases, None
    for any number.

    `bounds`, where the engine gives reasons: u(x) <= sum of kappa u(y) for every column u within
    the budget, as (x, {y: kappa}). The proof rests on the claims `rests_on`.
    """

    releases: int | None
    engine: EngineName
    bounds: tuple[tuple[str, Mapping[str, Fraction]], ...] = field(default=(), compare=False, repr=False)
    rests_on: tuple[str, ...] = field(default=(), kw_only=True, compare=False, repr=False)

    def __str__(self) -> str:
        many = (
            "any number of releases" if self.releases is None else f"{self.releases} release{'s' * (self.releases > 1)}"
        )
        return f"proved impossible for {many} within the budget, engine {self.engine!r}"


@dataclass(frozen=True, repr=False)
class NotFound(Readable):
    """Nothing is decided: what was searched, and why it stopped."""

    searched: str

    def __str__(self) -> str:
        return f"undecided: {self.searched}"


class Engine(Protocol):
    """Decides whether releases, one cone each, can leak everything."""

    def __call__(
        self,
        columns: Columns,
        cones: Sequence[Cone],
        given: Mapping[str, Sequence[Fraction | int]] | None,
        limit: Limit,
    ) -> CollapseNumber | None: ...


def search_collapse(
    framework: Framework,
    budgets: LevelLike | Sequence[LevelLike],
    with_mechanism: Channel | None = None,
    engine: EngineName = "lp",
    runs_limit: int | None = None,
    seconds: float | None = None,
    per_record: LevelLike | None = None,
) -> Collapse | Impossible | NotFound:
    """Search for mechanisms that each keep their budget and together have infinite leakage, or
    prove that there are none.

    A collapse is a point that all columns allow while each database of the other secret is excluded
    by one (worst.supports). Decimal budgets have an irrational e^epsilon: what is found at a
    rational below it holds, what is impossible at a rational above it is impossible.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta})
    >>> collapse = search_collapse(framework, "log(1)")
    >>> collapse.runs, collapse.composition().joint.leakage.infinite
    (2, True)

    Args:
        budgets: one per release; a single one, alone or in a sequence, asks for the fewest
            releases, all within it.
        with_mechanism: a mechanism that is released too. A single budget then asks for one partner,
            unless `runs_limit`.
        runs_limit: with a single budget, how many releases to try at most, the given mechanism
            included.
        seconds: when to stop; without it work is counted, not timed.
        per_record: level of per-record differential privacy that built mechanisms keep on top.

    Raises `ModelError` unless there is a budget, and the framework's closure is "list".
    """
    framework = check_type(framework, Framework, "framework")
    with_mechanism = check_type(with_mechanism, Channel | None, "with_mechanism")
    engine = check_type(engine, EngineName, "engine")
    runs_limit = check_type(runs_limit, int | None, "runs_limit")
    seconds = check_type(seconds, float | None, "seconds")
    levels = Level.coerce_all(budgets, "budgets", or_one=True)
    if not levels:
        raise ModelError("expected at least one budget, found none", "budget")
    if runs_limit is not None and runs_limit < 1 + (with_mechanism is not None):
        raise ModelError(f"expected at least {1 + (with_mechanism is not None)}, found {runs_limit}", "runs limit")
    record = None if per_record is None else Level.coerce(per_record, "per_record")
    if framework.classes:
        budgets_of = partial(
            search_collapse,
            members_of(framework),
            with_mechanism=with_mechanism,
            engine=engine,
            runs_limit=runs_limit,
            seconds=None if seconds is None else seconds / len(SHARES),
            per_record=per_record,
        )
        return _of_classes(framework, levels, budgets_of)
    search = _CollapseAt(Columns(framework), levels, with_mechanism, engine, runs_limit, record, Limit(seconds))
    try:
        return search.run()
    except (Undecided, TooManyRaysError) as stopped:
        return NotFound(f'engine "{engine}", {search.described()}: {stopped}')


def _of_classes(
    framework: Framework,
    levels: tuple[Level, ...],
    search: Callable[[Sequence[Level]], Collapse | Impossible | NotFound],
) -> Collapse | Impossible | NotFound:
    """Return a collapse at some chain by mechanisms that keep the budgets for all chains."""
    for within in smaller(levels):
        outcome = search(within)
        if not isinstance(outcome, Collapse):
            break
        budgets = levels if len(levels) > 1 else levels * len(outcome.mechanisms)
        chosen = tuple(thinned(*each) for each in zip(outcome.mechanisms, budgets))
        if keep(framework, chosen, budgets):
            fewest = outcome.fewest and within == levels and is_covered(framework)
            claims = outcome.rests_on if fewest else ()
            kept = replace(outcome, budgets=budgets, mechanisms=chosen)
            return replace(kept, fewest=fewest, rests_on=claims)
    whole = within == levels
    if isinstance(outcome, Collapse):
        many = f"{outcome.runs} releases leak everything under a chain of the classes"
        return NotFound(f"{many}, within the budgets for some chains, {UNPROVED}")
    if whole and isinstance(outcome, Impossible) and not is_covered(framework):
        return NotFound("impossible for some chains of the classes, others allow other databases")
    if whole:
        return outcome
    return NotFound(f"found within the budgets for some chains of the classes, {UNPROVED}")


@dataclass
class _CollapseAt:
    columns: Columns
    levels: tuple[Level, ...]
    given: Channel | None
    engine: EngineName
    runs_limit: int | None
    record: Level | None
    limit: Limit

    def described(self) -> str:
        names = ", ".join(map(str, self.levels))
        return f"{len(self.columns.databases)} databases, budget{'s' * (len(self.levels) > 1)} {names}"

    def run(self) -> Collapse | Impossible | NotFound:
        exact = all(level.ratio is not None for level in (*self.levels, *filter(None, [self.record])))
        for accuracy in _ACCURACIES:
            low = self._decided(accuracy, 0)
            high = low if exact else self._decided(accuracy, 1)
            agreed = low == high if low is None or high is None else low.number == high.number
            if agreed:
                break
        if low is not None:
            return self._collapse(low, accuracy, agreed)
        if agreed:
            bounds = self._bounds(accuracy)
            # how many releases an impossibility speaks of: any number for a single budget
            extra = int(self.given is not None)
            scope = self.runs_limit
            if len(self.levels) > 1:
                scope = len(self.levels) + extra
            elif scope is None and extra:
                scope = 1 + extra
            return Impossible(scope, self.engine, bounds, rests_on=self._claims())
        return NotFound(f"{self.described()}: undecided at {_ACCURACIES[-1]} bits of e^epsilon")

    def _claims(self) -> tuple[str, ...]:
        return united(_ENGINES_REST_ON[self.engine], self.columns.rests_on)

    def _bounds(self, accuracy: int) -> tuple[tuple[str, Mapping[str, Fraction]], ...]:
        """Return the inequalities, found by linear programs, that bound leakage for all runs."""
        if self.engine != "lp" or self.given is not None or len(self.levels) > 1:
            return ()
        # the whole budget: inequalities of a smaller one would be false
        ratio = ratio_near(self.levels[0], accuracy, 1)
        if ratio.numerator.bit_length() > _MOST_BITS:
            return ()
        record = None if self.record is None else ratio_near(self.record, accuracy, 1)
        cone = self.columns.cone(ratio, record)
        implied = separation.finite_for_all_runs(self.columns, cone, self.limit).implied
        inequalities = {(each.x, *sorted(each.kappa)): each for each in implied}
        labels = self.columns.labels
        return tuple(
            (labels[key[0]], {labels[y]: k for y, k in inequalities[key].kappa.items()}) for key in sorted(inequalities)
        )

    def _cone(self, level: Level, accuracy: int, end: int) -> Cone:
        record = None if self.record is None else ratio_near(self.record, accuracy, end)
        beyond = largest_ratio(self.columns) + 1  # larger budgets allow no further zero patterns
        return self.columns.cone(min(ratio_near(level, accuracy, end), beyond), record)

    def _decided(self, accuracy: int, end: int) -> CollapseNumber | None:
        """Return a collapse at one end of the enclosed budgets, or None if it is impossible."""
        cones = [self._cone(level, accuracy, end) for level in self.levels]
        given = None if self.given is None else given_columns(self.columns, self.given)
        decide = _engine(self.engine)
        if len(cones) > 1:
            return decide(self.columns, cones, given, self.limit)
        # how many mechanisms to build at most, by default one partner of a given one
        if self.given is None:
            at_most = self.runs_limit
        else:
            at_most = 1 if self.runs_limit is None else self.runs_limit - 1
        if self.engine == "lp" and given is None:
            fewest = separation.collapse_number(self.columns, cones[0], self.limit, at_most=at_most)
            return None if fewest.number is None else fewest
        needed = [len(target.needed) for target in separation.targets(self.columns, given)]
        enough = max([1, *needed])
        last = enough if at_most is None else min(at_most, enough)
        first = 1 if given is not None else 2  # one mechanism alone keeps its budget
        return self._first(decide, cones[0], given, (first, last)) if first <= last else None

    def _first(
        self, decide: Engine, cone: Cone, given: Mapping[str, Sequence[Fraction | int]] | None, ends: tuple[int, int]
    ) -> CollapseNumber | None:
        """Return the collapse in the fewest releases from the first number to the last: the first
        is tried, then whether the last has any, and only then those between.
        """
        first, last = ends
        most = None
        for count in dict.fromkeys([first, last, *range(first, last)]):
            collapse = decide(self.columns, [cone] * count, given, self.limit)
            if count == last:
                most = collapse
            elif collapse is not None:
                return collapse
            if count == last and most is None:
                return None
        return most

    def _collapse(self, number: CollapseNumber, accuracy: int, fewest: bool) -> Collapse:
        target = number.target
        if target is None:
            raise SolverError("a collapse came without its target")
        levels = self.levels if len(self.levels) > 1 else self.levels * len(number.columns)
        # a mechanism per release and its output; equal levels share a mechanism
        record = None if self.record is None else ratio_near(self.record, accuracy, 0)
        built: dict[Level, tuple[Channel, list[Vector]]] = {}
        for level in dict.fromkeys(levels):
            wanted = list(dict.fromkeys(u for u, own in zip(number.columns, levels) if own == level))
            cone = self._cone(level, accuracy, 0)
            built[level] = self.columns.mechanism_with(cone, wanted, record), wanted
        pairs = [(built[level][0], built[level][1].index(u)) for u, level in zip(number.columns, levels)]
        mechanisms = tuple(channel for channel, _ in pairs)
        outputs = tuple(channel.outputs[place] for channel, place in pairs)
        prior, pair = target.law.places[0]
        first = () if target.output is None else (target.output,)
        labels = self.columns.labels
        result = Collapse(
            self.columns.framework,
            levels,
            mechanisms,
            self.given,
            prior,
            pair,
            labels[target.database],
            (*first, *outputs),
            fewest,
            self.record,
            rests_on=self._claims() if fewest and (self.given or len(levels) > 2) else (),
        )
        verify_collapse(result)
        return result


def given_columns(columns: Columns, given: Channel) -> dict[str, tuple[int, ...]]:
    """Return the zero patterns of a mechanism's columns (1 where an output is possible), by the
    first output that has each.
    """
    channel = given.aligned(columns.framework.databases, columns.framework.support)
    possible = channel.positive[list(columns.databases)].T.tolist()
    patterns: dict[tuple[int, ...], str] = {}
    for output, column in zip(channel.outputs, possible):
        patterns.setdefault(tuple(map(int, column)), output)
    return {output: pattern for pattern, output in patterns.items()}


def ratio_near(level: Level, accuracy: int, end: int) -> Fraction:
    """Return e^level, or a rational within 2^-accuracy of it, below (`end` 0) or above (1)."""
    low, high = level.bounds(accuracy + 64)
    if low == high:
        return low
    low, step = max(low, Fraction(1)), Fraction(1, 2**accuracy)
    return simplest(max(low * (1 - step), Fraction(1)), low) if end == 0 else simplest(high, high * (1 + step))


def verify_collapse(collapse: Collapse) -> None:
    """Audit what was found, exactly.

    Raises `SolverError` unless every mechanism keeps its budget and the joint leakage is infinite.
    """
    for mechanism, level in zip(collapse.mechanisms, collapse.budgets, strict=True):
        single = audit(collapse.framework, mechanism, level)
        if single.kept is not Decision.HOLDS:
            raise SolverError(f"a mechanism that was built does not keep its budget: {single}")
    joint: Audit = collapse.composition().joint
    if joint.leakage != Leakage.of(None):
        raise SolverError("the joint leakage of the mechanisms that were built is not infinite")


def _told_apart(mechanism: Channel, output: str) -> Channel:
    """Return the mechanism that only says whether the output occurred."""
    rows = {name: {_ALL: int(name == output), _ELSE: int(name != output)} for name in mechanism.outputs}
    return post_process(mechanism, Channel.of(rows, [_ALL, _ELSE]))


def _engine(name: EngineName) -> Engine:
    if name == "lp":
        return lambda columns, cones, given, limit: separation.collapses(columns, cones, limit, given)
    if name == "rays":
        return collapses_by_rays
    if name == "z3":
        from pufferproof.counterexamples.collapse.threshold import collapses_by_z3

        return collapses_by_z3
    raise ModelError(f'expected "lp", "rays" or "z3", found "{name}"', "engine")
