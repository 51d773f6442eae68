"""Certified bounds of the worst joint leakage of two releases, where extreme rays are many.

For two cones of columns, those of all mechanisms within two budgets, the worst joint ratio is

    L*_2 = max over (mu, nu) in T, u in C1, v in C2 of <mu, u o v> / <nu, u o v>.

`bound_two` encloses it: from below by alternating linear programs (exact columns), from above by
branch and bound on a linear relaxation (exact identities, which the kernel checks, see
`worst_certificate`). Whenever it is stopped, the interval is certified; with time enough the two
ends often meet. `bound_many` encloses the worst case of more releases, more coarsely.

A missing upper bound means that none was proved, not that the ratio is infinite: that is known only
when `lower` is None.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector
from pufferproof.lp.cones.orbits import Orbit, orbits
from pufferproof.lp.worst.alternating import Alternation
from pufferproof.lp.worst.branching import BestNode, Node
from pufferproof.verify.proof.limits import Work

RESTS_ON = ("worst.relaxation", "worst.linear-fractional")
_STARTS = 60  # columns that the alternating programs start from, for each ordered pair of laws
_MOST = 4e10  # multiplications of floats: about a minute
_LOWER_SHARE = 0.1  # of the work, at most, for the first lower bound of more than two releases

Progress = Callable[[float, float, int], None]


@dataclass(frozen=True)
class ProvedWorst:
    """What is proved about the worst joint ratio e^leakage: lower <= L* <= upper.

    `lower` is None if the worst joint leakage is infinite, which `columns` show; `upper` is None if
    it is infinite or no bound was proved. `columns` are exact points of the cones whose ratio for
    `laws` is `lower`. `orbits` and `roots` hold the proof of the upper bound: a tree for one
    representative of each orbit. `stopped` says what ended the search before that: "work" or
    "seconds".
    """

    lower: Fraction | None
    upper: Fraction | None
    columns: tuple[Vector, ...]
    laws: OrderedLaws
    nodes: int
    cones: tuple[Cone, ...] = field(repr=False)
    orbits: tuple[Orbit, ...] = field(default=(), repr=False)
    roots: tuple[Node, ...] = field(default=(), repr=False)
    stopped: str | None = None

    @property
    def infinite(self) -> bool:
        """Whether the worst joint leakage is proved to be infinite."""
        return self.lower is None

    @property
    def exact(self) -> bool:
        """Whether the worst case is known exactly."""
        return self.infinite or self.lower == self.upper


def bound_two(
    columns: Columns,
    cones: tuple[Cone, Cone],
    limit: Work | float | None = None,
    progress: Progress | None = None,
    target: Fraction | None = None,
) -> ProvedWorst:
    """Enclose the worst joint ratio of two releases, whose columns lie in the two cones.

    >>> from pufferproof import Framework, Table
    >>> theta = Table({"a": "1/2", "b": "1/4", "c": "1/4"})
    >>> framework = Framework("abc", {"s": ["a"], "t": ["b"], "w": ["c"]}, "disjoint", {"theta": theta})
    >>> columns = Columns(framework)
    >>> cone = columns.cone(Fraction(3, 2))
    >>> bounds = bound_two(columns, (cone, cone))
    >>> bounds.lower, bounds.upper
    (Fraction(9, 4), Fraction(9, 4))

    Args:
        cones: made by `columns.cone`.
        limit: seconds after which the bounds proved so far are returned, or how much is computed;
            about a minute of work if left out, counted and not timed.
        progress: called with (lower, upper, solved programs) as floats, infinite while unknown.
        target: a ratio; bounds at most this are good enough, and it counts as an upper bound once
            all are.

    Returns bounds that are the same on every run that is not cut short by a limit of seconds.
    """
    work = _allowed(limit)
    all_orbits = orbits(columns, cones)
    search = BestNode(cones, [orbit.laws for orbit in all_orbits], progress, target)
    search.run(_STARTS, work)
    best = search.alternation.best
    ones = (1,) * len(columns.databases)
    pair, laws = (best.columns, best.laws) if best is not None else ((ones, ones), columns.laws[0])
    return ProvedWorst(
        search.lower, search.upper, pair, laws, search.nodes, cones, all_orbits, tuple(search.roots), work.stopped
    )


def _allowed(limit: Work | float | None) -> Work:
    """Return what a search may compute: as counted, or for as long as somebody said."""
    return limit if isinstance(limit, Work) else usual_work(limit)


def usual_work(seconds: float | None = None, share: float = 1.0) -> Work:
    """Return seconds of somebody's choice, or else a share of what bounds may compute."""
    return Work(_MOST * share) if seconds is None else Work(seconds=seconds)


def bound_many(
    columns: Columns,
    budgets: Sequence[Fraction],
    per_record: Fraction | None,
    limit: Work | float | None = None,
    progress: Progress | None = None,
) -> ProvedWorst:
    """Enclose the worst joint ratio of K >= 2 releases within the budgets (ratios e^epsilon), one
    per release.

    From below all K columns are improved in turn. From above releases are grouped: if u o v never
    has a larger ratio than L for the first two, then it lies in the cone of budget L (and of the
    product of the per-record levels), and the third release meets that cone, and so on. This is
    sound and coarse. The limit is that of `bound_two`.
    """
    work = _allowed(limit)
    cones = tuple(columns.cone(budget, per_record) for budget in budgets)
    if len(cones) == 2:
        return bound_two(columns, (cones[0], cones[1]), work, progress)
    alternation, first = Alternation(cones), work.part(_LOWER_SHARE)
    for orbit in orbits(columns, cones):
        alternation.search(orbit.laws, range(_STARTS), first)
    best = alternation.best
    if best is not None and best.ratio is None:
        return ProvedWorst(None, None, best.columns, best.laws, 0, cones)
    upper, nodes = _grouped(columns, budgets, per_record, work, progress)
    if best is None:
        return ProvedWorst(
            Fraction(1),
            upper,
            ((1,) * len(columns.databases),) * len(cones),
            columns.laws[0],
            nodes,
            cones,
            stopped=work.stopped,
        )
    return ProvedWorst(best.ratio, upper, best.columns, best.laws, nodes, cones, stopped=work.stopped)


def _grouped(
    columns: Columns, budgets: Sequence[Fraction], per_record: Fraction | None, work: Work, progress: Progress | None
) -> tuple[Fraction | None, int]:
    """Return an upper bound of the joint ratio, two releases at a time, and its programs."""
    joint, nodes = budgets[0], 0
    for k, budget in enumerate(budgets[1:], start=1):
        pair = (columns.cone(joint, None if per_record is None else per_record**k), columns.cone(budget, per_record))
        bounds = bound_two(columns, pair, work.part(1 / (len(budgets) - k)), progress)
        nodes += bounds.nodes
        if bounds.upper is None:
            return None, nodes
        joint = bounds.upper
    return joint, nodes
