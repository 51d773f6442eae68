"""Whether a column can be positive at one database and zero at others: a vector of the cone, or an
inequality it must satisfy.

"Is there a u in the cone with u_x > 0 and u_Y = 0" is a linear program. Yes: such a vector. No: a
Farkas certificate, which is the inequality u_x <= sum_{y in Y} kappa_y u_y, implied by the
constraints; for a single y it is an inequality of the kind that differential privacy asks for.
Every inequality is checked from the definition before it is used. Collapse, its number of runs and
its critical budget rest on it.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import isqrt

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import JsonObject, brief, text_of
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("worst.finite-certificates",)
_LARGE = 200  # squared databases for which a program counts as one more
_COUNTED = "which is counted and not timed: a limit of seconds, if set, counts instead"


class Undecided(SolverError):  # noqa: N818 - an outcome, not a mistake
    """A search was stopped by its limit before it decided."""


PROGRAMS = 5_000
"""How many small programs a search solves unless somebody sets a limit of seconds."""

RESOURCES = 10**9
"""How much Z3 computes in a search, in its own unit, of which it does a few millions a second."""


@dataclass
class Limit:
    """What a search may take: seconds of somebody's choice, or else work that is counted, so that
    no answer depends on how busy a machine is.

    Args:
        seconds: for how long; then nothing is counted but what is said.
        programs: how many small programs it may solve, a large one counting as several; `PROGRAMS`
            if both are left out.
        resources: how much Z3 may compute in all, in its own unit.
    """

    seconds: float | None = None
    programs: int | None = None
    resources: int = RESOURCES
    _solved: int = field(default=0, init=False)
    _computed: int = field(default=0, init=False)
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = float("inf") if self.seconds is None else time.monotonic() + self.seconds
        if self.seconds is None and self.programs is None:
            self.programs = PROGRAMS

    @property
    def left(self) -> float | None:
        """The seconds that are left, None without a limit."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    @property
    def resources_left(self) -> int | None:
        """How much Z3 may still compute, at least 1, as 0 is no limit to it; None if seconds are
        the limit.
        """
        return None if self.seconds is not None else max(1, self.resources - self._computed)

    @property
    def over(self) -> str | None:
        """What a search has to stop for, or None."""
        if self._end < float("inf") and time.monotonic() > self._end:
            return f"undecided after {self.seconds:g} seconds, the limit that was set"
        if self.programs is not None and self._solved >= self.programs:
            return f"undecided after {self.programs} small linear programs' work, {_COUNTED}"
        if self.seconds is None and self._computed >= self.resources:
            return f"undecided after {self.resources:.0e} units of Z3's work, {_COUNTED}"
        return None

    def check(self, programs: int = 1) -> None:
        """Count what begins, worth so many programs, or raise `Undecided` if a limit is reached."""
        if (why := self.over) is not None:
            raise Undecided(why)
        self._solved += programs

    def spend(self, resources: int) -> None:
        """Count what Z3 has computed."""
        self._computed += resources


@dataclass(frozen=True)
class Implied:
    """u_x <= sum_y kappa_y u_y for every u of a cone, with the multipliers that prove it.

    `multipliers` has one number per inequality and then per equation of the cone: kappa - e_x -
    sum_j multipliers_j row_j >= 0 entry by entry, the multipliers of inequalities being >= 0.
    """

    x: int
    kappa: Mapping[int, Fraction]
    multipliers: tuple[Fraction, ...]

    def proves(self, cone: Cone) -> bool:
        """Check the certificate against the cone, from the definition alone."""
        if any(value < 0 for value in self.multipliers[: len(cone.inequalities)]):
            return False
        slack = [Fraction(self.kappa.get(y, 0)) - (y == self.x) for y in range(cone.dimension)]
        for value, row in zip(self.multipliers, (*cone.inequalities, *cone.equations), strict=True):
            if value:
                slack = [s - value * c for s, c in zip(slack, row)]
        return min(slack) >= 0

    def certificate(self, cone: Cone) -> JsonObject:
        """Return the statement as a "farkas" certificate, u<i> being database i of the cone."""
        size = range(cone.dimension)
        rows = [[[str(-c) for c in row], "0", "<="] for row in cone.inequalities]
        rows += [[[str(-c) for c in row], "0", "="] for row in cone.equations]
        rows += [[[str(-int(i == j)) for j in size], "0", "<="] for i in size]
        goal = [Fraction(i == self.x) - self.kappa.get(i, 0) for i in size]
        sums = [
            -sum(m * row[i] for m, row in zip(self.multipliers, (*cone.inequalities, *cone.equations))) for i in size
        ]
        rest = [h - g for h, g in zip(sums, goal)]
        claim = {
            "variables": [f"u{i}" for i in size],
            "rows": rows,
            "conclusion": {"row": [text_of(g) for g in goal], "bound": "0", "relation": "<="},
            "multipliers": [text_of(Fraction(m)) for m in (*self.multipliers, *rest)],
        }
        return {"format": "pufferproof-certificate/1", "kind": "farkas", "claim": claim}


class Supports:
    """The zero patterns of one cone's vectors, by exact linear programs, kept."""

    def __init__(self, cone: Cone, limit: Limit | None = None) -> None:
        self.cone = cone
        self.limit = limit or Limit()
        self.programs = 0
        self._vectors: list[tuple[frozenset[int], Vector]] = []
        self._implied: dict[int, list[tuple[frozenset[int], Implied]]] = {}

    def separate(self, x: int, zeros: frozenset[int]) -> Vector | Implied:
        """Return u in the cone, u_x > 0 and u_y = 0 for y in `zeros`, or what forbids it."""
        answer = self.known(x, zeros)
        if answer is not None:
            return answer
        separation = self._by_one_row(x, zeros) or self._solved(x, zeros)
        if isinstance(separation, Implied):
            self._implied.setdefault(x, []).append((frozenset(separation.kappa), separation))
        else:
            self._vectors.append((frozenset(y for y, c in enumerate(separation) if not c), separation))
        return separation

    def learn(self, smaller: "Supports | None", larger: "Supports | None") -> None:
        """Take over vectors of a cone inside this one, and inequalities of one around it."""
        if smaller is not None:
            self._vectors += smaller._vectors
        if larger is not None:
            for x, implied in larger._implied.items():
                self._implied.setdefault(x, []).extend(implied)

    def known(self, x: int, zeros: frozenset[int]) -> Vector | Implied | None:
        """Return the answer of `separate` if earlier programs already give it."""
        for nought, vector in self._vectors:
            if x not in nought and zeros <= nought:
                return vector
        return next((implied for core, implied in self._implied.get(x, ()) if core <= zeros), None)

    def _by_one_row(self, x: int, zeros: frozenset[int]) -> Implied | None:
        """Return the inequality of a single row, if its positive entries are all in `zeros`."""
        count = len(self.cone.inequalities)
        for i, row in enumerate(self._rows):
            for sign in (1, -1) if i >= count else (1,):
                if sign * row[x] < 0 and all(sign * c <= 0 or y in zeros for y, c in enumerate(row)):
                    weight = Fraction(-1, row[x])  # of the sign of the row that is used
                    kappa = {y: weight * c for y, c in enumerate(row) if sign * c > 0}
                    multipliers = [Fraction(0)] * len(self._rows)
                    multipliers[i] = weight
                    implied = Implied(x, kappa, tuple(multipliers))
                    if not implied.proves(self.cone):
                        raise SolverError("an implied inequality failed its own check")
                    return implied
        return None

    def _solved(self, x: int, zeros: frozenset[int]) -> Vector | Implied:
        self.limit.check(1 + self.cone.dimension**2 // _LARGE)
        self.programs += 1
        if x in zeros:
            return Implied(x, {x: Fraction(1)}, (Fraction(0),) * len(self._rows))
        kept = [y for y in range(self.cone.dimension) if y not in zeros]
        place = {y: j for j, y in enumerate(kept)}
        count = len(self.cone.inequalities)
        stated = [
            Row({place[y]: c for y, c in enumerate(row) if c and y in place}, ">=" if i < count else "=")
            for i, row in enumerate(self._rows)
        ]
        program = Program({place[x]: 1}, [*stated, Row({place[x]: 1}, "<=", 1)], len(kept))
        try:
            solved = solve_exact(program, self.limit.left, resources=self.limit.resources_left)
        except SolverError as error:
            raise Undecided(str(error)) from None
        if solved.value:
            values = [Fraction(0)] * self.cone.dimension
            for y, value in zip(kept, solved.x):
                values[y] = value
            return primitive(values)
        return self._inequality(x, zeros, tuple(-value for value in solved.dual[:-1]))

    def _inequality(self, x: int, zeros: frozenset[int], multipliers: tuple[Fraction, ...]) -> Implied:
        """Return the inequality that multipliers of the rows prove."""
        sums = {y: sum((m * row[y] for m, row in zip(multipliers, self._rows) if m), Fraction(0)) for y in zeros}
        implied = Implied(x, {y: total for y, total in sums.items() if total > 0}, multipliers)
        if not implied.proves(self.cone):
            raise SolverError("an implied inequality failed its own check")
        return implied

    def tightest(self, x: int, others: Sequence[int]) -> Implied | None:
        """Return u_x <= kappa (the sum of u_y over `others`) with least kappa, or None."""
        self.limit.check(1 + self.cone.dimension**2 // _LARGE)
        rows = [
            Row({y: c for y, c in enumerate(row) if c}, ">=" if i < len(self.cone.inequalities) else "=")
            for i, row in enumerate(self._rows)
        ]
        bounded = Row(dict.fromkeys(others, 1), "<=", 1)
        solved = solve_exact(
            Program({x: 1}, [*rows, bounded], self.cone.dimension), self.limit.left, resources=self.limit.resources_left
        )
        if solved.value is None:
            return None
        implied = Implied(x, dict.fromkeys(others, solved.value), tuple(-value for value in solved.dual[:-1]))
        if not implied.proves(self.cone):
            raise SolverError("an implied inequality failed its own check")
        return implied

    @property
    def _rows(self) -> tuple[Vector, ...]:
        return (*self.cone.inequalities, *self.cone.equations)


# Which databases a column must keep possible: supports of the vectors of a cone, collapse, and its smallest number of
# runs.
#
# Joint leakage is infinite iff, for some (mu, nu) of T, columns u_1, .., u_K of the released mechanisms have a common
# support that meets supp mu and misses supp nu. Whether a column can be positive at x and zero on Y is decided
# as above, which otherwise gives an implied inequality u_x <= sum_{y in Y} kappa_y u_y. The fewest runs are a
# smallest cover of supp nu by zero sets, found by branching; every "no" in it rests on an implied inequality that was
# checked. How large finite leakage is, is another question.

SUPPORTS_RESTS_ON = ("worst.supports", "worst.finite-equivalences", "worst.finite-certificates")


@dataclass(frozen=True)
class Target:
    """One way to leak everything: `database` possible under every release, each of `needed`
    impossible under one.

    `output` is the output of a mechanism that is released anyway, where there is one.
    """

    law: OrderedLaws
    database: int
    needed: frozenset[int]
    output: str | None = None


@dataclass(frozen=True)
class CollapseNumber:
    """The fewest releases that can leak everything; `number` is None when none can, whatever their
    number.

    `columns` has one vector of the cone per release: all positive at `database`, each y in supp nu
    of `law` zero in one. Without a collapse, `implied` has an inequality for every target, which
    rules it out for every number of releases; it is empty when the search was told to stop earlier,
    or nothing is to be ruled out.
    """

    number: int | None
    columns: tuple[Vector, ...] = ()
    target: Target | None = None
    implied: tuple[Implied, ...] = ()

    @property
    def law(self) -> OrderedLaws | None:
        """The (mu, nu) that the columns separate."""
        return None if self.target is None else self.target.law

    @property
    def database(self) -> int | None:
        """The position in `Columns.databases` that stays possible."""
        return None if self.target is None else self.target.database


@dataclass(frozen=True)
class Finiteness:
    """Whether joint leakage is finite for every number of runs, with the evidence.

    Finite: `implied` has, for every (mu, nu) and x in supp mu, an inequality u_x <= kappa u_y with
    y in supp nu. Not finite: `columns` separate x = `target.database` from every y in supp nu.
    """

    finite: bool
    implied: tuple[Implied, ...] = ()
    target: Target | None = None
    columns: tuple[Vector, ...] = ()


def targets(columns: Columns, given: Mapping[str, Sequence[Fraction | int]] | None = None) -> list[Target]:
    """Return the ways to leak everything, leaving out those that are no easier than another one.

    Args:
        given: the columns, by output, of a mechanism that is released anyway.
    """
    best: dict[int, list[Target]] = {}
    for output, fixed in (given or {None: None}).items():  # type: ignore[dict-item]
        for law in columns.laws:
            below = frozenset(y for y, n in enumerate(law.nu) if n and (fixed is None or fixed[y]))
            for x, m in enumerate(law.mu):
                if m and (fixed is None or fixed[x]):
                    databases = best.setdefault(x, [])
                    if not any(target.needed <= below for target in databases):
                        databases[:] = [target for target in databases if not below <= target.needed]
                        databases.append(Target(law, x, below, output))
    return [target for databases in best.values() for target in databases]


def finite_for_all_runs(columns: Columns, cone: Cone, limit: Limit | None = None) -> Finiteness:
    """Decide whether joint leakage stays finite for every number of releases within one budget.

    For one cone these are equivalent (worst.finite-equivalences): joint leakage is finite for every
    number of runs; it is finite for max |supp nu| runs; every (mu, nu) and x in supp mu has an
    implied inequality u_x <= kappa u_y for a single y in supp nu.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> columns = Columns(Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta}))
    >>> finiteness = finite_for_all_runs(columns, columns.cone(Fraction(1)))
    >>> finiteness.finite, finiteness.columns
    (False, ((1, 0, 2), (1, 2, 0)))

    Raises `Undecided` when the limit ends the search.
    """
    supports = Supports(cone, limit)
    implied = []
    for target in targets(columns):
        bounded = _bounded(supports, target)
        if not isinstance(bounded, Implied):
            return Finiteness(False, target=target, columns=bounded)
        implied.append(bounded)
    return Finiteness(True, tuple(implied))


def _bounded(supports: Supports, target: Target) -> Implied | tuple[Vector, ...]:
    """Return an inequality u_x <= kappa u_y, or a column for each y where there is none."""
    separating: dict[Vector, None] = {}
    for y in sorted(target.needed):
        answer = supports.separate(target.database, frozenset([y]))
        if isinstance(answer, Implied):
            return answer
        separating[answer] = None
    return tuple(separating)


def collapse_number(
    columns: Columns,
    cone: Cone,
    limit: Limit | None = None,
    given: Mapping[str, Sequence[Fraction | int]] | None = None,
    at_most: int | None = None,
) -> CollapseNumber:
    """Return the fewest releases within one budget whose joint leakage can be infinite, and their
    columns.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> columns = Columns(Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta}))
    >>> collapse_number(columns, columns.cone(Fraction(1))).number
    2

    Args:
        given: columns of a mechanism released on top, not counted.
        at_most: search no further; then `number` None without `implied` says only that more
            releases would be needed.

    Raises `Undecided` when the limit ends the search: nothing is then known but what was found
    before.
    """
    supports, left = Supports(cone, limit), targets(columns, given)
    largest = max((len(target.needed) for target in left), default=0)
    last = largest if at_most is None else min(at_most, largest)
    implied: list[Implied] = []
    for count in range(0 if given is not None else min(2, largest), last + 1):  # one release alone is within its budget
        cover = first_cover(left, [supports] * count)
        if cover is not None:
            return cover
        if count == min(2, largest):  # most collapses need two releases: only now ask which targets are out of reach
            bounds = [_bounded(supports, target) for target in left]
            implied = [bound for bound in bounds if isinstance(bound, Implied)]
            left = [target for target, bound in zip(left, bounds) if not isinstance(bound, Implied)]
    return CollapseNumber(None, implied=() if left else tuple(implied))


def collapses(
    columns: Columns,
    cones: Sequence[Cone],
    limit: Limit | None = None,
    given: Mapping[str, Sequence[Fraction | int]] | None = None,
) -> CollapseNumber | None:
    """Return columns, one per cone, whose joint release leaks everything; None if that is proved
    impossible.

    Raises `Undecided` when the limit ends the search.
    """
    supports: dict[Cone, Supports] = {}
    for cone in cones:
        supports.setdefault(cone, Supports(cone, limit))
    return first_cover(targets(columns, given), [supports[cone] for cone in cones])


def first_cover(wanted: Sequence[Target], releases: Sequence[Supports]) -> CollapseNumber | None:
    """Return vectors, one per release, for the first target that can be reached, or None."""
    for target in wanted:
        # one vector per release, positive at the target's database, such that each needed y is
        # zero in one of them.
        # Branching: some y that no vector found so far excludes must be excluded by one of the
        # releases; each is tried. Among equal releases that exclude nothing yet only the first
        # is.
        x = target.database
        start: list[frozenset[int]] = [frozenset()] * len(releases)
        first = [supports.separate(x, frozenset()) for supports in releases]
        if any(isinstance(vector, Implied) for vector in first):
            cover = None
        else:
            cover = _extended(target, releases, start, [vector for vector in first if not isinstance(vector, Implied)])
        if cover is not None:
            return CollapseNumber(len(releases), cover, target)
    return None


def _extended(
    target: Target, releases: Sequence[Supports], zeros: list[frozenset[int]], vectors: list[Vector]
) -> tuple[Vector, ...] | None:
    left = [y for y in sorted(target.needed) if all(vector[y] for vector in vectors)]
    if not left:
        return tuple(vectors)
    ways: dict[int, list[int]] = {}
    for y in left:
        ways[y] = [
            i
            for i, supports in enumerate(releases)
            if (zeros[i] or not any(not zeros[j] and releases[j] is supports for j in range(i)))
            and not isinstance(supports.known(target.database, zeros[i] | {y}), Implied)
        ]
    y = min(left, key=lambda y: len(ways[y]))
    for i in ways[y]:
        vector = releases[i].separate(target.database, zeros[i] | {y})
        if isinstance(vector, Implied):
            continue
        more, others = list(zeros), list(vectors)
        more[i], others[i] = zeros[i] | {y}, vector
        cover = _extended(target, releases, more, others)
        if cover is not None:
            return cover
    return None


def reached(wanted: Sequence[Target], columns: Sequence[Sequence[Fraction | int]]) -> Target | None:
    """Return the first target that columns, one per release, reach."""
    for target in wanted:
        if all(u[target.database] for u in columns) and all(any(not u[y] for u in columns) for y in target.needed):
            return target
    return None


# The critical budget: the smallest e^epsilon at which a number of releases within the same budget can leak everything.
#
# The cone of columns grows with the budget, so collapse is monotone in it. The threshold is enclosed by bisection over
# rational budgets, each decided exactly (above): no collapse at the lower end, collapse at the upper end. A
# simple rational, or the root of one, in between is named as a candidate; the rational one is then decided itself.
# That the threshold *is* the candidate is not proved here.

CRITICAL_RESTS_ON = ("worst.supports",)
WIDTH = Fraction(1, 10**12)
_SIMPLE = 10**4
_FINE = 10**40


@dataclass(frozen=True, repr=False)
class CriticalRatio(Readable):
    """Where collapse starts: none at e^epsilon = `lower`, collapse at `upper` with `columns`; equal
    ends are the threshold 1.

    `power`, `candidate`: the only simple number r that the ends allow, threshold^power = r; None
    where nothing simple fits.
    """

    runs: int
    lower: Fraction
    upper: Fraction
    columns: CollapseNumber
    power: int | None = None
    candidate: Fraction | None = None

    def __str__(self) -> str:
        if self.lower == self.upper == 1:
            return f"{self.runs} releases can leak everything at every budget, even 0"
        root = "" if self.candidate is None else f", where log({brief(self.candidate)}){'/2' * (self.power == 2)} lies"
        low, high = (Leakage.of(end).enclosure() for end in (self.lower, self.upper))
        ends = between(Fraction(low.lower), Fraction(high.upper))
        return f"{self.runs} releases can leak everything from a budget on that is {ends} nats{root}"


def critical_rests_on(columns: Columns) -> tuple[str, ...]:
    """Return the claims that a critical budget rests on, and that there is none."""
    return united(CRITICAL_RESTS_ON, columns.rests_on, SUPPORTS_RESTS_ON, RESTS_ON)


def critical_ratio(
    framework: Framework | Columns,
    runs: int,
    per_record: LevelLike | None = None,
    width: Fraction = WIDTH,
    limit: Limit | float | None = None,
) -> CriticalRatio | None:
    """Enclose the smallest e^epsilon at which `runs` releases within that budget can leak
    everything; None: there is none.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> secrets = {name: [name] for name in "abc"}
    >>> framework = Framework(["a", "b", "c"], secrets, "disjoint", {"theta": theta})
    >>> critical_ratio(framework, 2) is None
    True

    Args:
        framework: without convex closure.
        per_record: a level log(N/M) of per-record differential privacy that every release keeps on
            top.
        width: how far apart the ends may be.
        limit: how many seconds the search may take, or a `Limit` that it shares; without it work is
            counted, not timed.

    Raises `ModelError` unless there is a run, and as `Columns` and its `cone` do; `Undecided` when
    the limit ends the search.
    """
    framework = check_type(framework, Framework | Columns, "framework")
    runs = check_type(runs, int, "runs")
    width = check_type(width, Fraction, "width")
    limit = check_type(limit, Limit | float | None, "limit")
    if runs < 1:
        raise ModelError(f"expected at least 1 run, found {runs}", "runs")
    if width <= 0:
        raise ModelError(f"expected a width above 0, found {text_of(width)}", "width")
    columns = framework if isinstance(framework, Columns) else Columns(framework)
    ratio = None if per_record is None else _ratio(Level.coerce(per_record, "per_record"))
    search = _BudgetDecider(columns, runs, ratio, limit if isinstance(limit, Limit) else Limit(limit))
    lowest = search.at(Fraction(1))
    if lowest is not None:
        return CriticalRatio(runs, Fraction(1), Fraction(1), lowest, 1, Fraction(1))
    lower, upper = Fraction(1), largest_ratio(columns)
    collapse = search.at(upper)
    if collapse is None:
        return None
    narrow = _narrowed(search, CriticalRatio(runs, lower, upper, collapse), width)
    return narrow if narrow.upper - narrow.lower > width else _recognised(search, narrow)


def _narrowed(search: "_BudgetDecider", wide: CriticalRatio, width: Fraction) -> CriticalRatio:
    """Return the enclosure with its ends at most `width` apart, or as the limit leaves it."""
    tried: set[Fraction] = set()
    while wide.upper - wide.lower > width:
        # points close on either side to a simple threshold that the ends allow
        points = []
        for power in (1, 2):
            guess = simplest(wide.lower**power, wide.upper**power)
            if guess.denominator <= _SIMPLE:
                root = guess if power == 1 else Fraction(isqrt(int(guess * _FINE**2)), _FINE)
                points += [root - width / 3, root + width / 3]
        around = [point for point in points if wide.lower < point < wide.upper]
        untried = [point for point in around if point not in tried]
        point = untried[0] if untried else _between(wide.lower, wide.upper)
        tried.add(point)
        try:
            wide = _divided(search, wide, point)
        except Undecided:  # both ends are decided: the answer is wider, not wrong
            break
    return wide


def _divided(search: "_BudgetDecider", wide: CriticalRatio, point: Fraction) -> CriticalRatio:
    """Return the part of an enclosure below or above a point, where the threshold is."""
    collapse = search.at(point)
    return replace(wide, lower=point) if collapse is None else replace(wide, upper=point, columns=collapse)


def _recognised(search: "_BudgetDecider", narrow: CriticalRatio) -> CriticalRatio:
    """Return the enclosure with a simple number in it, itself or its square, if there is one."""
    for power in (1, 2):
        candidate = simplest(narrow.lower**power, narrow.upper**power)
        if candidate.denominator <= _SIMPLE and candidate.numerator <= _SIMPLE:
            at = _divided(search, narrow, candidate) if power == 1 else narrow
            return replace(at, power=power, candidate=candidate)
    return narrow


def _ratio(level: Level) -> Fraction:
    if level.ratio is None:
        raise ModelError(f'expected a level such as "log(2)", whose e^level is rational, found {level}', "per_record")
    return level.ratio


class _BudgetDecider:
    """Decides one budget after another, with what budgets below and above have shown."""

    def __init__(self, columns: Columns, runs: int, per_record: Fraction | None, limit: Limit | None) -> None:
        self.columns, self.runs, self.per_record, self.limit = columns, runs, per_record, limit
        self.targets = targets(columns)
        self._below: Supports | None = None
        self._above: Supports | None = None

    def at(self, ratio: Fraction) -> CollapseNumber | None:
        supports = Supports(self.columns.cone(ratio, self.per_record), self.limit)
        supports.learn(self._below, self._above)
        collapse = first_cover(self.targets, [supports] * self.runs)
        if collapse is None:
            self._below = supports
        else:
            self._above = supports
            self.targets.sort(key=lambda target: target != collapse.target)
        return collapse


def _between(lower: Fraction, upper: Fraction) -> Fraction:
    """Return a short rational near the middle."""
    third = (upper - lower) / 3
    return simplest(lower + third, upper - third)


def simplest(lower: Fraction, upper: Fraction) -> Fraction:
    """Return the rational of smallest denominator with lower <= r <= upper, both positive.

    >>> simplest(Fraction(31, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    # convergents p / q of the continued fraction that both ends begin with
    p, q = 1, 0
    last_p, last_q = 0, 1
    while (whole := -(-lower.numerator // lower.denominator)) > upper:
        below = whole - 1
        p, last_p, q, last_q = below * p + last_p, p, below * q + last_q, q
        lower, upper = 1 / (upper - below), 1 / (lower - below)
    return Fraction(whole * p + last_p, whole * q + last_q)


def largest_ratio(columns: Columns) -> Fraction:
    """Return an e^epsilon beyond which no further zero patterns appear.

    A support S is that of some column at some budget iff S meets supp nu whenever it meets supp mu;
    then its indicator is a column at max 1 / min nu.
    """
    return max(Fraction(law.nu_total, min(n for n in law.nu if n)) for law in columns.laws)
