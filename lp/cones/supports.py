"""Which databases a column must keep possible: supports of the vectors of a cone, collapse, and its
smallest number of runs.

Joint leakage is infinite iff, for some (mu, nu) of T, columns u_1, .., u_K of the released
mechanisms have a common support that meets supp mu and misses supp nu. Whether a column can be
positive at x and zero on Y is decided by `separation`, which otherwise gives an implied inequality
u_x <= sum_{y in Y} kappa_y u_y. The fewest runs are a smallest cover of supp nu by zero sets, found
by branching; every "no" in it rests on an implied inequality that was checked. How large finite
leakage is, is another question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector
from pufferproof.lp.cones.separation import Implied, Supports
from pufferproof.lp.cones.separation import Limit as Limit  # callers pass one and catch the other
from pufferproof.lp.cones.separation import Undecided as Undecided

RESTS_ON = ("worst.supports", "worst.finite-equivalences", "worst.finite-certificates")


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
        cover = _cover(target, releases)
        if cover is not None:
            return CollapseNumber(len(releases), cover, target)
    return None


def _cover(target: Target, releases: Sequence[Supports]) -> tuple[Vector, ...] | None:
    """Return one vector per release, positive at the target's database, such that each needed y is
    zero in one of them.

    Branching: some y that no vector found so far excludes must be excluded by one of the releases;
    each is tried. Among equal releases that exclude nothing yet only the first is.
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


def reached(wanted: Sequence[Target], columns: Sequence[Sequence[Fraction | int]]) -> Target | None:
    """Return the first target that columns, one per release, reach."""
    for target in wanted:
        if all(u[target.database] for u in columns) and all(any(not u[y] for u in columns) for y in target.needed):
            return target
    return None
