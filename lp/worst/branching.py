"""Certified bounds of <mu, u o v> / <nu, u o v> over two cones of columns, by branch and bound on
the relaxation in W = u v^T.

A node restricts both cones by splits u_x >= theta u_y or u_x <= theta u_y; its bound is that of
`relaxation`, proved exactly. The node with the largest bound is split next, where the columns of
its W disagree most about the ratio of two entries. With equal cones a split is made on both sides
at once, and of the two mixed quarters, which are transposes of each other, one is solved. Lower
bounds come from alternating programs. The nodes left at a limit still prove an upper bound.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from heapq import heappop, heappush
from itertools import count
from math import inf, prod
from typing import TYPE_CHECKING

from pufferproof.lp.cones.columns import Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.exact.proposals import highs
from pufferproof.lp.worst.relaxation import (
    FINE_GAP,
    GAP,
    Certified,
    ConeHalf,
    Inside,
    Rows,
    Start,
    cone_rows,
    interior_bound,
    is_large,
    relax,
)
from pufferproof.models.errors import SolverError, extras
from pufferproof.models.interface.steps import in_order
from pufferproof.models.numbers.proportions import proposing, solving
from pufferproof.verify.proof.farkas import fraction
from pufferproof.verify.proof.smt import Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Lower bounds of <mu, u_1 o ... o u_K> / <nu, u_1 o ... o u_K> over cones of columns: improve one column at a time.
#
# With all columns but one fixed, the largest ratio over that one is a linear-fractional program, hence one linear
# program (Charnes and Cooper 1962). Repeating this from many starting columns never lowers the ratio. HiGHS does so in
# floats; the last bases are solved exactly, so that the columns returned are exact extreme rays and the ratio is their
# exact one: a sound lower bound, infinite included. Not finding a larger ratio proves nothing; upper bounds are those
# of `relaxation`.

ALTERNATING_RESTS_ON = ("worst.linear-fractional",)
_SETTLED = 1e-9  # relative gain below which a round of improvements is the last
_NEGLIGIBLE = 1e-9  # entries of a float column below this part of the largest are taken for zeros
_PENALTY = 1e4  # on <nu, .> when columns are looked for that avoid it


@dataclass(frozen=True)
class ColumnRelease:
    """Columns of a joint release, one of each cone, and their exact ratio, None if infinite."""

    ratio: Fraction | None
    columns: tuple[Vector, ...]
    laws: OrderedLaws

    def beats(self, other: "ColumnRelease | None") -> bool:
        """Say whether this ratio is larger."""
        if other is None or other.ratio is None:
            return other is None
        return self.ratio is None or self.ratio > other.ratio


class ColumnProgram:
    """The largest <a, u> / <b, u> over one cone in floats, for changing weights a, b >= 0.

    Maximise <a, u> subject to <b, u> = 1, u in the cone, with a = mu o rest, b = nu o rest
    (worst.linear-fractional).
    """

    @solving("HiGHS")
    def __init__(self, cone: Cone) -> None:
        with extras:
            import highspy
        import numpy as np

        self.cone, self.size = cone, cone.dimension
        self.solver = solver = highs()
        self.places = np.arange(self.size, dtype=np.int32)
        free = highspy.kHighsInf
        solver.addVars(self.size, np.zeros(self.size), np.full(self.size, free))
        solver.addRow(1.0, 1.0, self.size, self.places, np.ones(self.size))
        self.rows = (*cone.inequalities, *cone.equations)
        for rows, top in ((cone.inequalities, free), (cone.equations, 0.0)):
            for row in rows:
                support = [x for x, c in enumerate(row) if c]
                largest = max(map(abs, row))
                values = np.array([row[x] / largest for x in support])
                solver.addRow(0.0, top, len(support), np.array(support, dtype=np.int32), values)

    def best(self, above: "Floats", below: "Floats") -> "tuple[float, Floats]":
        """Return the largest <above, u> / <below, u> and u; infinity, and a u that may show it,
        if there is no optimum.
        """
        with extras:
            import highspy
        import numpy as np

        for wanted, weights in ((above, below), (above - _PENALTY * below, np.ones(self.size))):
            scale = weights.max() or 1.0
            self.solver.changeColsCost(self.size, self.places, -wanted / scale)
            for x in range(self.size):
                self.solver.changeCoeff(0, x, float(weights[x] / scale))
            self.solver.run()
            if self.solver.getModelStatus() == highspy.HighsModelStatus.kOptimal:
                break
        else:
            raise SolverError("a linear program over a cone of columns of sum 1 came to no end")
        u = np.array(self.solver.getSolution().col_value)
        u[u < _NEGLIGIBLE * u.max()] = 0.0
        return -float(self.solver.getInfo().objective_function_value) if weights is below else inf, u

    def vertex(self) -> Vector | None:
        """Return the extreme ray at the basis of the last program exactly, None if that is no
        point of the cone.
        """
        with extras:
            import highspy
        from flint import fmpq, fmpq_mat

        basis, basic = self.solver.getBasis(), highspy.HighsBasisStatus.kBasic
        columns = [x for x, status in enumerate(basis.col_status) if status == basic]
        active = [i for i, status in enumerate(list(basis.row_status)[1:]) if status != basic]
        if len(columns) != len(active) + 1:
            return None
        # the active rows leave a single ray; any weights that are positive on it pick a point of it
        entries = [fmpq(1) for _ in columns] + [fmpq(self.rows[i][x]) for i in active for x in columns]
        size = len(columns)
        try:
            solved = fmpq_mat(size, size, entries).solve(fmpq_mat(size, 1, [1] + [0] * (size - 1)))
        except ZeroDivisionError:
            return None
        u = [Fraction(0)] * self.size
        for k, x in enumerate(columns):
            u[x] = fraction(solved[k, 0])
        return primitive(u) if self.cone.holds(u) else None


class Alternation:
    """Alternating programs over several cones, from seeded random and structured starting columns.

    The best release found is `best`; every answer is exact.
    """

    def __init__(self, cones: Sequence[Cone], seed: int = 0) -> None:
        import numpy as np

        self.cones = tuple(cones)
        programs: dict[Cone, ColumnProgram] = {}
        for cone in cones:
            programs.setdefault(cone, ColumnProgram(cone))
        self.programs = [programs[cone] for cone in cones]
        self.random = np.random.default_rng(seed)
        self.best: ColumnRelease | None = None

    @proposing
    def search(self, laws: OrderedLaws, starts: range, work: Work) -> None:
        """Improve from columns of these numbers, of which the first single out one database each
        and the others are random, until there is no work left; once in any case.
        """
        import numpy as np

        size = len(laws.mu)
        nu = _weights(laws)[1]
        single = [x for x in range(size) if laws.mu[x]]
        for k in starts:
            late = work.over and (k > starts[0] or self.best is not None)
            if late or (self.best is not None and self.best.ratio is None):
                return
            columns = []
            for program in self.programs[1:]:
                above, below = (self.random.exponential(size=size), self.random.exponential(size=size))
                if k < len(single):  # much weight on one database of the first secret, little on the second secret
                    above, below = np.eye(size)[single[k]], nu + 1e-3 * below
                columns.append(program.best(above, below)[1])
            self.improve(laws, [np.zeros(size), *columns])

    @proposing
    def improve(self, laws: OrderedLaws, columns: "Sequence[Floats]") -> None:
        """Improve float columns one by one, the first one first, and keep the result if it
        beats the best one.
        """
        mu, nu = _weights(laws)
        now, value, stale, turn = list(columns), 0.0, 0, 0
        while stale < len(now) and value < inf:
            rest = _others(now, turn)
            new, now[turn] = self.programs[turn].best(mu * rest, nu * rest)
            stale = 0 if new > value * (1 + _SETTLED) else stale + 1  # not a number is no gain
            value, turn = max(value, new), (turn + 1) % len(now)
        reached = self.best.ratio if self.best is not None else Fraction(0)
        if reached is not None and value > reached * (1 + Fraction(_SETTLED)):
            self._keep(laws, now, turn)

    def _keep(self, laws: OrderedLaws, columns: "Sequence[Floats]", turn: int) -> None:
        """Replace float columns by extreme rays from `turn` on; keep them if they are best."""
        import numpy as np

        mu, nu = _weights(laws)
        now, rays = list(columns), dict[int, Vector]()
        for k in (*range(turn, len(now)), *range(turn)):
            rest = _others(now, k)
            self.programs[k].best(mu * rest, nu * rest)
            ray = self.programs[k].vertex()
            if ray is None:
                return
            top = max(ray)
            rays[k], now[k] = ray, np.array([c / top for c in ray])
        factors = tuple(rays[k] for k in range(len(now)))
        release = ColumnRelease(laws.ratio([prod(entries) for entries in zip(*factors)]), factors, laws)
        if release.ratio != 0 and release.beats(self.best):
            self.best = release


@proposing
def improved_from(columns: Sequence[Vector], laws: OrderedLaws, cones: Sequence[Cone]) -> ColumnRelease | None:
    """Return the release of extreme rays of these cones that improving columns one by one leads
    to, from columns that need not be in the cones; None if no ray was found.
    """
    import numpy as np

    alternation = Alternation(cones)
    alternation.improve(laws, [np.array([c / max(u) for c in u]) for u in columns])
    return alternation.best


def _weights(laws: OrderedLaws) -> "tuple[Floats, Floats]":
    import numpy as np

    return np.array(laws.mu, dtype=float) / laws.mu_total, np.array(laws.nu, dtype=float) / laws.nu_total


def _others(columns: "Sequence[Floats]", turn: int) -> "Floats":
    """Return the product of all columns but one, each divided by its largest entry."""
    import numpy as np

    rest = [u / u.max() for k, u in enumerate(columns) if k != turn and u.max() > 0]
    return np.asarray(np.prod(rest, axis=0)) if rest else np.ones(len(columns[0]))


RESTS_ON = ("worst.relaxation", "worst.identities")
_CLOSE = 1e-5  # relative distance to the lower bound at which a bound is solved for exactly
_DISAGREE = 1e-9  # part of the largest possible score below which the columns of W agree
_UNSEEN = 1e-6
# of the work that is left, at most, for the lower bound of each pair of laws before its upper bound
_LOWER_SHARE = 0.1
_FEW_STARTS = 12  # columns to improve before the first bound, which often meets what they reach
_EACH_STEP = 6  # more of them before every step, where programs are small
_SIMPLE = 24  # largest denominator of a split
_TINY = 8  # databases, up to which the simplex method alone is quicker
_INSIDE = 40  # databases, up to which an interior point has room for its matrices
_AT_ONCE = 6  # nodes that are split before large programs are solved side by side


@dataclass
class Node:
    """A part of the product of both cones, and what is proved about it for one ordered pair of
    laws.

    `certified` is None while no bound is known (the ratio may be infinite). Either `branch` is set,
    or this is a leaf; a `mirror` is the transpose of another node and has no bound of its own.
    """

    laws: OrderedLaws
    splits: tuple[ConeHalf, ...] = ()
    certified: Certified | None = None
    branch: "tuple[ConeHalf, Node, Node] | None" = None
    mirror: "Node | None" = None
    start: Start | None = field(default=None, repr=False)
    matrix: "NDArray[np.float64] | None" = field(default=None, repr=False)

    @property
    def bound(self) -> float:
        """The proved bound as a float, only to order nodes by."""
        return float("inf") if self.certified is None else float(self.certified.bound)


@dataclass(frozen=True)
class _Relaxed:
    """What a relaxation proves, the rows, W and exact solver to go on with, and the work done."""

    certified: Certified
    start: Start | None
    matrix: "NDArray[np.float64]"
    exact: Callable[[], Certified | None] | None
    done: float = 0.0


class BestNode:
    """Branch and bound over all given ordered pairs of laws at once, so that one upper bound covers
    them all.

    Args:
        classes: the ordered pairs of laws to bound.
        progress: called with (lower, upper, solved nodes) after every split; floats, infinite while
            unknown.
        target: bounds at most this are good enough.
    """

    def __init__(
        self,
        cones: tuple[Cone, Cone],
        classes: Sequence[OrderedLaws],
        progress: Callable[[float, float, int], None] | None = None,
        target: Fraction | None = None,
    ) -> None:
        self.cones, self.progress, self.target = cones, progress, target
        self.alternation = Alternation(cones)
        self.roots = [Node(laws) for laws in classes]
        self.nodes = 0
        self._queue: list[tuple[float, int, Node]] = []
        self._numbers = count()

    @property
    def lower(self) -> Fraction | None:
        """The largest exact ratio found, None if infinite."""
        return Fraction(1) if self.alternation.best is None else self.alternation.best.ratio

    @property
    def enough(self) -> Fraction | None:
        """A part with this bound is settled: the larger one of `lower` and the target; None if
        the ratio is infinite.
        """
        return None if self.lower is None else max(self.lower, self.target or self.lower)

    @property
    def upper(self) -> Fraction | None:
        """The largest proved bound, at least `lower`; None if a part has no bound."""
        bounds = [node.certified.bound if node.certified else None for _, _, node in self._queue]
        if self.enough is None or None in bounds:
            return None
        return max([self.enough, *(bound for bound in bounds if bound is not None)])

    def run(self, starts: int, work: Work) -> None:
        """Search until the bounds meet or no work is left; `starts` columns to improve for
        each pair of laws, of which small programs may end the search before they are needed.
        """
        self._queue = [(0.0, next(self._numbers), root) for root in self.roots]
        self._from_columns(self.roots, range(min(starts, _FEW_STARTS)), work)
        self._solve_roots(self.roots, work)
        self._order()
        left = range(_FEW_STARTS, starts)
        size = len(left) if self._large else _EACH_STEP
        while self._queue and self.enough is not None and not work.over:
            now, left = left[:size], left[size:]
            # improve columns of open pairs of laws, and solve exactly those that come close
            before = self.enough
            unsettled = [root for root in self.roots if not self._settled(root)]
            self._from_columns(unsettled, now, work)
            if self.enough != before:
                whole = [root for root in unsettled if root.branch is None]
                self._solve_roots(list(filter(self._close, whole)), work)
            self._order()
            if self._queue and not self._step(work) and not left:
                break
            self._order()
            self._report()
        self._order()

    def _step(self, work: Work) -> bool:
        """Split the nodes with the largest bounds, and bound their parts; say if there were any."""
        taken = [heappop(self._queue)[2] for _ in range(min(self._most, len(self._queue)))]
        nodes = [node for node in taken if not self._settled(node)]
        cut_short = [node for node in nodes if node.matrix is None or (node.start is None and not self._inside)]
        self._solve_all([(node, None) for node in cut_short], work)
        parts = [(node, self._split(node)) for node in nodes]
        for node, children in parts:
            for child in children or [node]:  # the bound of one that cannot be split stays
                heappush(self._queue, (-child.bound, next(self._numbers), child))
        self._solve_all([(child, node) for node, each in parts for child in each], work)
        for node, children in parts:
            if children:
                node.start = node.matrix = None
        return not nodes or any(children for _, children in parts)

    def _from_columns(self, roots: Sequence[Node], starts: range, work: Work) -> None:
        """Improve the columns of these numbers for each pair of laws, in a share of the work."""
        for root in roots:
            self.alternation.search(root.laws, starts, work.part(_LOWER_SHARE))

    def _solve_roots(self, roots: Sequence[Node], work: Work) -> None:
        """Bound pairs of laws, in equal shares of the work and one to spare."""
        for left, root in zip(range(len(roots), 0, -1), roots):
            if self.enough is not None and not work.over:
                self._solve_all([(root, None)], work.part(1 / (left + 1)))
                self._report()

    def _close(self, node: Node) -> bool:
        """Whether the bound of a node may be, before it was rounded up, what is enough."""
        bound = None if node.certified is None else node.certified.bound
        enough = self.enough
        return enough is not None and bound is not None and enough < bound <= enough * (1 + Fraction(_CLOSE))

    def _settled(self, node: Node) -> bool:
        return self.enough is not None and node.certified is not None and node.certified.bound <= self.enough

    def _order(self) -> None:
        """Order the queue by what is known now, without the parts that are settled."""
        left, self._queue = sorted(self._queue, key=lambda entry: entry[1]), []
        for _, number, node in left:
            if not self._settled(node):
                heappush(self._queue, (-node.bound, number, node))

    def _report(self) -> None:
        if self.progress is not None:
            lower, upper = (float("inf") if bound is None else float(bound) for bound in (self.lower, self.upper))
            self.progress(lower, upper, self.nodes)

    @property
    def _large(self) -> bool:
        return is_large(self.roots[0].laws)

    @property
    def _inside(self) -> bool:
        """Whether an interior point solves relaxations, large ones alone, others unless they may
        have to be solved exactly. Small ones of equal cones have half as many entries, and the
        simplex method is as quick.
        """
        size = len(self.roots[0].laws.mu)
        smallest = _TINY if self.cones[0] != self.cones[1] or self._large else _INSIDE
        return smallest < size <= _INSIDE

    def _worth(self, inside: Inside) -> bool:
        """Whether the value that an interior point is near to may be what is enough."""
        enough = self.enough
        if enough is None:
            return True
        return inside.certified.bound > enough and inside.value <= float(enough) * (1 + _CLOSE)

    @property
    def _most(self) -> int:
        """How many nodes are split at a time."""
        return _AT_ONCE if self._large else 1

    def _solve_all(self, nodes: "Sequence[tuple[Node, Node | None]]", work: Work) -> None:
        """Bound nodes, each with its parent, by their relaxations; one keeps its parent's bound
        where no better one is proved at a limit. Large ones are solved by several processes.
        """
        if not self._large:
            for node, parent in nodes:
                if not work.over:
                    self._take(node, self._relaxed(node, parent, work))
            return

        def bounded(each: "tuple[Node, Node | None]") -> _Relaxed | None:
            alone = work.apart()
            solved = None if alone.over else self._relaxed(*each, alone)
            return None if solved is None else replace(solved, exact=None, done=alone.done)

        # what one computes is counted after all, so that no other is stopped by it
        done = [(node, solved) for (node, _), solved in zip(nodes, in_order(bounded, nodes))]
        for node, solved in done:
            work.spend(0.0 if solved is None else solved.done)
            self._take(node, solved)

    def _relaxed(self, node: Node, parent: Node | None, work: Work) -> "_Relaxed | None":
        """Solve the relaxation of a node, from where its parent's ended."""
        rows, start = self._rows(node), parent.start if parent is not None else None
        inside = None
        if self._inside:
            enough, both = self.enough or Fraction(1), self._symmetric(node)
            gap = GAP if self._large else FINE_GAP
            inside = interior_bound(node.laws, rows, both, work, enough, gap)
            if inside is not None and (self._large or not self._worth(inside)):
                return _Relaxed(inside.certified, None, inside.matrix, None)
        fresh = range(len(rows[0])), range(len(rows[1]))
        if parent is not None and start is not None:
            known = self._rows(parent)
            fresh = range(len(known[0]), len(rows[0])), range(len(known[1]), len(rows[1]))
        both, most = self._symmetric(node), self.enough
        solved = relax(node.laws, rows, both, work, start, fresh, most, inside)
        if solved is None and (start is not None or inside is not None):  # a bad start
            solved = relax(node.laws, rows, both, work, enough=most)
        if solved is None:
            return None if inside is None else _Relaxed(inside.certified, None, inside.matrix, None)
        program, proved = solved
        after = proposing(program.start)() if program.complete else None
        return _Relaxed(proved, after, program.matrix, program.exact)

    def _take(self, node: Node, solved: "_Relaxed | None") -> None:
        """Take what the relaxation of a node proves, and better columns that it leads to."""
        self.nodes += 1
        if solved is None:
            return
        proved = solved.certified
        # start alternating programs from the columns of W that weigh most in the objective
        import numpy as np

        weights = np.diagonal(solved.matrix) * np.array(node.laws.mu, dtype=float)
        for y in np.argsort(-weights, kind="stable")[:2]:
            self.alternation.improve(node.laws, [np.zeros(len(solved.matrix)), solved.matrix[:, y]])
        enough = self.enough
        near = enough is not None and enough < proved.bound <= enough * (1 + Fraction(_CLOSE))
        if near and solved.exact is not None:
            proved = solved.exact() or proved
        if node.certified is None or proved.bound <= node.certified.bound:
            node.certified = proved
        node.start, node.matrix = solved.start, solved.matrix

    def _rows(self, node: Node) -> tuple[Rows, Rows]:
        one, two = (cone_rows(cone, [s for s in node.splits if s.side == k]) for k, cone in enumerate(self.cones))
        return one, two

    def _symmetric(self, node: Node) -> bool:
        """Say whether both sides of a node are the same cone, so that W may be taken symmetric."""
        one, two = ([(s.above, s.below, s.factor, s.larger) for s in node.splits if s.side == k] for k in (0, 1))
        return self.cones[0] == self.cones[1] and one == two

    def _split(self, node: Node) -> list[Node]:
        """Split a node in two, or three and a mirror if symmetric; W may show no place to."""
        cut = self._cut(node)
        if cut is None:
            return []

        def half(of: Node, side: int, larger: bool) -> Node:
            split = replace(cut, side=side, larger=larger)
            return Node(of.laws, (*of.splits, split), node.certified)

        if not self._symmetric(node):
            parts = half(node, cut.side, True), half(node, cut.side, False)
            node.branch = (cut, *parts)
            return [*parts]
        large, small = half(node, 0, True), half(node, 0, False)
        quarters = [half(part, 1, larger) for part in (large, small) for larger in (True, False)]
        quarters[2].mirror = quarters[1]
        other = replace(cut, side=1)
        large.branch, small.branch = ((other, quarters[0], quarters[1]), (other, quarters[2], quarters[3]))
        node.branch = (replace(cut, side=0), large, small)
        return [quarters[0], quarters[1], quarters[3]]

    def _cut(self, node: Node) -> ConeHalf | None:
        """Return the larger half of a split where the columns of W disagree most."""
        import numpy as np

        if node.matrix is None:
            return None
        mu, nu = (
            np.array(w, dtype=float) / t
            for w, t in [(node.laws.mu, node.laws.mu_total), (node.laws.nu, node.laws.nu_total)]
        )
        matters = mu + float(self.enough or 1) * nu  # in <mu, u o v> - L <nu, u o v>
        best: tuple[float, int, int, int] | None = None
        for side in (0,) if self._symmetric(node) else (0, 1):
            columns = (node.matrix if side == 0 else node.matrix.T) * matters
            totals = columns.sum(axis=1)
            shares = columns / np.where(totals > 0, totals, 1)[:, None]
            # of u_x / u_y around the mean ratio
            spread = np.abs(shares[:, None, :] - shares[None, :, :]).sum(axis=2)
            # what an entry counts for, and a little for those that do not count at all
            weight = np.sqrt(matters * np.diagonal(node.matrix) + _UNSEEN * totals)
            score = np.triu(spread * weight[:, None] * weight, 1)
            x, y = divmod(int(score.argmax()), len(totals))
            if score[x, y] > _DISAGREE * weight.max() ** 2 and (best is None or score[x, y] > best[0]):
                best = float(score[x, y]), side, x, y
        if best is None:
            return None
        _, side, x, y = best
        totals = (node.matrix if side == 0 else node.matrix.T) @ matters
        factor = Fraction(float(totals[x] / totals[y])).limit_denominator(_SIMPLE)
        return ConeHalf(side, x, y, factor, True)
