"""Which databases a column must keep possible: supports of the vectors of a cone, collapse, and its smallest number of runs.

Joint leakage is infinite iff, for some (mu, nu) of T, columns u_1, .., u_K of the released mechanisms have a common support
that meets supp mu and misses supp nu: some x in supp mu is possible under all of them, each y in supp nu impossible under one.
"Is there a u in the cone with u_x > 0 and u_Y = 0" is a linear program. Yes: such a vector. No: a Farkas certificate, which is
the inequality u_x <= sum_{y in Y} kappa_y u_y, implied by the constraints; for a single y it is an inequality of the kind that
differential privacy asks for. Hence, for one cone, these are equivalent: joint leakage is finite for every number of runs; it
is finite for max |supp nu| runs; every (mu, nu) and x in supp mu has such an inequality for one y in supp nu.

The fewest runs are a smallest cover of supp nu by zero sets, found by branching; every "no" in it rests on an implied
inequality that was checked. Nothing here needs more than supports: how large finite leakage is, is another question.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.lp.cones import Columns, Cone, OrderedLaws, Vector, dot, primitive
from pufferproof.lp.exact_lp import Program, Row, solve_exact
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers import text_of


class Undecided(SolverError):  # noqa: N818 - an outcome, not a mistake
    """A search was stopped by its limit before it decided."""


@dataclass
class Limit:
    """How long a search may take; `None` for as long as it needs."""

    seconds: float | None = None
    _end: float = field(init=False)

    def __post_init__(self) -> None:
        self._end = float("inf") if self.seconds is None else time.monotonic() + self.seconds

    @property
    def left(self) -> float | None:
        """The seconds that are left, None without a limit."""
        return None if self.seconds is None else max(0.0, self._end - time.monotonic())

    def check(self) -> None:
        """Raise `Undecided` once the time is over."""
        if time.monotonic() > self._end:
            raise Undecided(f"undecided after {self.seconds} seconds")


@dataclass(frozen=True)
class Implied:
    """u_x <= sum_y kappa_y u_y for every u of a cone, with the multipliers that prove it.

    `multipliers` has one number per inequality and then per equation of the cone: kappa - e_x - sum_j multipliers_j row_j >= 0
    entry by entry, the multipliers of inequalities being >= 0.
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

    def certificate(self, cone: Cone) -> dict[str, Any]:
        """Return the statement as a "farkas" certificate for the kernel, u<i> being database i of the cone."""
        size = range(cone.dimension)
        rows = [[[str(-c) for c in row], "0", "<="] for row in cone.inequalities]
        rows += [[[str(-c) for c in row], "0", "="] for row in cone.equations]
        rows += [[[str(-int(i == j)) for j in size], "0", "<="] for i in size]
        goal = [Fraction(i == self.x) - self.kappa.get(i, 0) for i in size]
        held = [
            -sum(m * row[i] for m, row in zip(self.multipliers, (*cone.inequalities, *cone.equations))) for i in size
        ]
        rest = [h - g for h, g in zip(held, goal)]
        claim = {
            "variables": [f"u{i}" for i in size],
            "rows": rows,
            "conclusion": {"row": [text_of(g) for g in goal], "bound": "0", "relation": "<="},
            "multipliers": [text_of(Fraction(m)) for m in (*self.multipliers, *rest)],
        }
        return {"format": "pufferproof-certificate/1", "kind": "farkas", "claim": claim}


class Supports:
    """The zero patterns of one cone's vectors, by exact linear programs whose answers are kept and used again."""

    def __init__(self, cone: Cone, limit: Limit | None = None) -> None:
        self.cone = cone
        self.limit = limit or Limit()
        self.programs = 0
        self._vectors: list[tuple[frozenset[int], Vector]] = []
        self._implied: dict[int, list[tuple[frozenset[int], Implied]]] = {}

    def separate(self, x: int, zeros: frozenset[int]) -> Vector | Implied:
        """Return a u of the cone with u_x > 0 and u_y = 0 for y in `zeros`, or the inequality that forbids it."""
        known = self.known(x, zeros)
        if known is not None:
            return known
        found = self._solved(x, zeros)
        if isinstance(found, Implied):
            self._implied.setdefault(x, []).append((frozenset(found.kappa), found))
        else:
            self._vectors.append((frozenset(y for y, c in enumerate(found) if not c), found))
        return found

    def learn(self, smaller: "Supports | None", larger: "Supports | None") -> None:
        """Take over what holds here too: vectors of a cone inside this one, inequalities on a cone around it."""
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

    def _solved(self, x: int, zeros: frozenset[int]) -> Vector | Implied:
        self.limit.check()
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
        solved = solve_exact(Program({place[x]: 1}, [*stated, Row({place[x]: 1}, "<=", 1)], len(kept)), self.limit.left)
        if solved.value:
            values = [Fraction(0)] * self.cone.dimension
            for y, value in zip(kept, solved.x):
                values[y] = value
            return primitive(values)
        multipliers = tuple(-value for value in solved.dual[:-1])
        sums = {y: sum((m * row[y] for m, row in zip(multipliers, self._rows) if m), Fraction(0)) for y in zeros}
        implied = Implied(x, {y: total for y, total in sums.items() if total > 0}, multipliers)
        if not implied.proves(self.cone):
            raise SolverError("an implied inequality failed its own check")
        return implied

    def tightest(self, x: int, others: Sequence[int]) -> Implied | None:
        """Return u_x <= kappa (the sum of u_y over `others`) with the least kappa, None if no kappa is large enough."""
        self.limit.check()
        rows = [
            Row({y: c for y, c in enumerate(row) if c}, ">=" if i < len(self.cone.inequalities) else "=")
            for i, row in enumerate(self._rows)
        ]
        bounded = Row(dict.fromkeys(others, 1), "<=", 1)
        solved = solve_exact(Program({x: 1}, [*rows, bounded], self.cone.dimension), self.limit.left)
        if solved.value is None:
            return None
        implied = Implied(x, dict.fromkeys(others, solved.value), tuple(-value for value in solved.dual[:-1]))
        if not implied.proves(self.cone):
            raise SolverError("an implied inequality failed its own check")
        return implied

    @property
    def _rows(self) -> tuple[Vector, ...]:
        return (*self.cone.inequalities, *self.cone.equations)


@dataclass(frozen=True)
class Target:
    """One way to leak everything: `database` possible under every release, each of `needed` impossible under one.

    `output` is the output of a mechanism that is released anyway, where there is one.
    """

    law: OrderedLaws
    database: int
    needed: frozenset[int]
    output: str | None = None


@dataclass(frozen=True)
class CollapseNumber:
    """The fewest releases that can leak everything; `number` is None when none can, whatever their number.

    `columns` has one vector of the cone per release: all positive at `database`, each y in supp nu of `law` zero in one.
    Without a collapse, `implied` has an inequality for every target, which rules it out for every number of releases; it is
    empty when the search was told to stop earlier, or nothing is to be ruled out.
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

    Finite: `implied` has, for every (mu, nu) and x in supp mu, an inequality u_x <= kappa u_y with y in supp nu. Not finite:
    `columns` separate x = `target.database` from every y in supp nu.
    """

    finite: bool
    implied: tuple[Implied, ...] = ()
    target: Target | None = None
    columns: tuple[Vector, ...] = ()


def targets(columns: Columns, given: Mapping[str, Sequence[Fraction]] | None = None) -> list[Target]:
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
                    known = best.setdefault(x, [])
                    if not any(target.needed <= below for target in known):
                        known[:] = [target for target in known if not below <= target.needed]
                        known.append(Target(law, x, below, output))
    return [target for known in best.values() for target in known]


def finite_for_all_runs(columns: Columns, cone: Cone, limit: Limit | None = None) -> Finiteness:
    """Decide whether joint leakage stays finite for every number of releases within one budget.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> columns = Columns(Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta}))
    >>> found = finite_for_all_runs(columns, columns.cone(Fraction(1)))
    >>> found.finite, found.columns
    (False, ((1, 0, 2), (1, 2, 0)))

    Raises `Undecided` when the limit ends the search.
    """
    supports = Supports(cone, limit)
    implied = []
    for target in targets(columns):
        found = _bounded(supports, target)
        if not isinstance(found, Implied):
            return Finiteness(False, target=target, columns=found)
        implied.append(found)
    return Finiteness(True, tuple(implied))


def _bounded(supports: Supports, target: Target) -> Implied | tuple[Vector, ...]:
    """Return an inequality u_x <= kappa u_y, or a column for each y where there is none."""
    separating: dict[Vector, None] = {}
    for y in sorted(target.needed):
        found = supports.separate(target.database, frozenset([y]))
        if isinstance(found, Implied):
            return found
        separating[found] = None
    return tuple(separating)


def collapse_number(
    columns: Columns,
    cone: Cone,
    limit: Limit | None = None,
    given: Mapping[str, Sequence[Fraction]] | None = None,
    at_most: int | None = None,
) -> CollapseNumber:
    """Return the fewest releases within one budget whose joint leakage can be infinite, and their columns.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> columns = Columns(Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": theta}))
    >>> collapse_number(columns, columns.cone(Fraction(1))).number
    2

    Args:
        given: columns of a mechanism released on top, not counted.
        at_most: search no further; then `number` None without `implied` says only that more releases would be needed.

    Raises `Undecided` when the limit ends the search: nothing is then known but what was found before.
    """
    supports, left = Supports(cone, limit), targets(columns, given)
    largest = max((len(target.needed) for target in left), default=0)
    last = largest if at_most is None else min(at_most, largest)
    implied: list[Implied] = []
    for count in range(0 if given is not None else min(2, largest), last + 1):  # one release alone is within its budget
        found = first_cover(left, [supports] * count)
        if found is not None:
            return found
        if count == min(2, largest):  # most collapses need two releases: only now ask which targets are out of reach
            bounds = [_bounded(supports, target) for target in left]
            implied = [bound for bound in bounds if isinstance(bound, Implied)]
            left = [target for target, bound in zip(left, bounds) if not isinstance(bound, Implied)]
    return CollapseNumber(None, implied=() if left else tuple(implied))


def collapses(
    columns: Columns,
    cones: Sequence[Cone],
    limit: Limit | None = None,
    given: Mapping[str, Sequence[Fraction]] | None = None,
) -> CollapseNumber | None:
    """Return columns, one per cone, whose joint release leaks everything; None if that is proved impossible.

    Raises `Undecided` when the limit ends the search.
    """
    supports: dict[Cone, Supports] = {}
    for cone in cones:
        supports.setdefault(cone, Supports(cone, limit))
    return first_cover(targets(columns, given), [supports[cone] for cone in cones])


def first_cover(wanted: Sequence[Target], releases: Sequence[Supports]) -> CollapseNumber | None:
    """Return vectors, one per release, that reach the first target that can be reached; None if none can."""
    for target in wanted:
        cover = _cover(target, releases)
        if cover is not None:
            return CollapseNumber(len(releases), cover, target)
    return None


def _cover(target: Target, releases: Sequence[Supports]) -> tuple[Vector, ...] | None:
    """Return one vector per release, positive at the target's database, such that each needed y is zero in one of them.

    Branching: some y that no vector found so far excludes must be excluded by one of the releases; each is tried. Among equal
    releases that exclude nothing yet only the first is.
    """
    x = target.database
    start: list[frozenset[int]] = [frozenset()] * len(releases)
    first = [supports.separate(x, frozenset()) for supports in releases]
    if any(isinstance(vector, Implied) for vector in first):
        return None
    return _extended(target, releases, start, [vector for vector in first if not isinstance(vector, Implied)])


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


def reached(wanted: Sequence[Target], found: Sequence[Sequence[Fraction | int]]) -> Target | None:
    """Return the first target that columns, one per release, reach."""
    for target in wanted:
        if all(u[target.database] for u in found) and all(any(not u[y] for u in found) for y in target.needed):
            return target
    return None


def separates(columns: Sequence[Sequence[Fraction | int]], law: OrderedLaws) -> bool:
    """Say whether the entrywise product of columns is positive somewhere on supp mu and zero on supp nu, exactly."""
    possible = [x for x in range(len(law.mu)) if all(column[x] for column in columns)]
    return dot(law.mu, [int(x in possible) for x in range(len(law.mu))]) > 0 and not any(law.nu[x] for x in possible)
