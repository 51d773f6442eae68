"""Lower bounds of <mu, u_1 o ... o u_K> / <nu, u_1 o ... o u_K> over cones of columns: improve one
column at a time.

With all columns but one fixed, the largest ratio over that one is a linear-fractional program,
hence one linear program (Charnes and Cooper 1962). Repeating this from many starting columns never
lowers the ratio. HiGHS does so in floats; the last bases are solved exactly, so that the columns
returned are exact extreme rays and the ratio is their exact one: a sound lower bound, infinite
included. Not finding a larger ratio proves nothing; upper bounds are those of `relaxation`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, prod
from typing import TYPE_CHECKING

from pufferproof.lp.cones.columns import Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.exact.highs import highs
from pufferproof.models.errors import SolverError, extras
from pufferproof.models.numbers.proportions import proposing, solving
from pufferproof.verify.proof.farkas import fraction
from pufferproof.verify.proof.limits import Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("worst.linear-fractional",)
_SETTLED = 1e-9  # relative gain below which a round of improvements is the last
_TINY = 1e-9  # entries of a float column below this part of the largest are taken for zeros
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
        u[u < _TINY * u.max()] = 0.0
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
