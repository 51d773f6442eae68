"""Upper bounds of <mu, u o v> / <nu, u o v> over two cones of columns, by one linear program in W =
u v^T.

Let B1, B2 be the rows of the two cones, B1 u >= 0 and B2 v >= 0, the unit rows among them:

    max <diag(mu), W>  subject to  B1 W B2^T >= 0,  <diag(nu), W> = 1.

HiGHS solves it in floats, with the violated rows added as they are found; its multipliers are
rounded to rationals, and the identity that they are (below) is checked exactly, or solved for
exactly at the final basis. When both cones are equal W may be taken symmetric. Its value can be
larger than the largest ratio. Rows of large ones are those an interior point proposes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, lcm
from typing import TYPE_CHECKING, Any

from pufferproof.lp.cones.columns import Cone, OrderedLaws, Vector, primitive
from pufferproof.lp.exact.proposals import highs
from pufferproof.models.errors import extras
from pufferproof.models.interface.steps import one_thread
from pufferproof.models.numbers.proportions import are_numbers, proposing
from pufferproof.verify.proof.farkas import fraction
from pufferproof.verify.proof.smt import Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

    Floats = NDArray[np.float64]

# Identities that prove a bound L of <mu, u o v> / <nu, u o v> for all u, v of two cones of columns.
#
#     diag(L nu - mu) - B1^T S B2  has no negative entry,
#
# with B1, B2 the rows of the cones, B1 u >= 0 and B2 v >= 0, and a matrix S >= 0 of multipliers. Everything here is
# exact. A cone may be cut by splits, which add rows to it: an identity about one part says nothing about the others.

IDENTITIES_RESTS_ON = ("worst.identities",)
Rows = tuple[Vector, ...]
Multipliers = Mapping[tuple[int, int], Fraction]


@dataclass(frozen=True)
class ConeHalf:
    """One half of a cut of a cone: u_above >= factor u_below if `larger`, else u_above <= factor
    u_below.

    `side` is 0 for the cone of u, 1 for the cone of v.
    """

    side: int
    above: int
    below: int
    factor: Fraction
    larger: bool

    def row(self, dimension: int) -> Vector:
        """Return the row whose product with u is not negative on this half."""
        values = [Fraction(0)] * dimension
        sign = 1 if self.larger else -1
        values[self.above] += sign
        values[self.below] -= sign * self.factor
        return primitive(values)


def cone_rows(cone: Cone, splits: Sequence[ConeHalf] = ()) -> Rows:
    """Return all rows of a cone: units, inequalities, equations in both directions, splits."""
    size = cone.dimension
    units = [tuple(int(i == j) for j in range(size)) for i in range(size)]
    turned = [tuple(-c for c in row) for row in cone.equations]
    return (*units, *cone.inequalities, *cone.equations, *turned, *(split.row(size) for split in splits))


@dataclass(frozen=True)
class Certified:
    """A proved upper bound L: diag(L nu - mu) - B1^T S B2 has no negative entry, S =
    `multipliers` >= 0 (i, j) by row.
    """

    bound: Fraction
    multipliers: Multipliers

    def proves(self, laws: OrderedLaws, rows: tuple[Rows, Rows]) -> bool:
        """Check the identity exactly."""
        if any(value < 0 for value in self.multipliers.values()):
            return False
        above, below = self.bound.numerator, self.bound.denominator
        unit, matrix = _product(rows, self.multipliers, lcm(below * laws.nu_total, laws.mu_total))
        plus, minus = unit // (below * laws.nu_total), unit // laws.mu_total  # without remainder
        for x, (m, n) in enumerate(zip(laws.mu, laws.nu)):
            matrix[x][x] -= above * plus * n - minus * m
        return all(entry <= 0 for line in matrix for entry in line)  # worst.identities


def _product(rows: tuple[Rows, Rows], multipliers: Multipliers, multiple: int) -> tuple[int, list[list[int]]]:
    """Return an integer, a multiple of `multiple`, and that many times B1^T S B2, in integers."""
    from flint import fmpz_mat

    unit = lcm(multiple, *{value.denominator for value in multipliers.values()})
    size, places = len(rows[0][0]), [dict.fromkeys(side) for side in zip(*multipliers)]
    if not places:
        return unit, [[0] * size for _ in range(size)]
    whole = [
        value.numerator * (unit // value.denominator) if (value := multipliers.get((i, j))) else 0
        for i in places[0]
        for j in places[1]
    ]
    first, second = (fmpz_mat([rows[k][i] for i in side]) for k, side in enumerate(places))
    product = first.transpose() * fmpz_mat(len(places[0]), len(places[1]), whole) * second
    return unit, [[int(entry) for entry in line] for line in product.tolist()]


# Upper bounds of <mu, u o v> / <nu, u o v> by an interior point: the program above with all pairs of rows at once,
# for cones of some 32 columns.
#
#     max <diag(mu), W>  subject to  R = B1 W B2^T >= 0,  <diag(nu), W> = 1.
#
# A step solves (sum_ij D_ij b_i b_i^T (x) b_j b_j^T) dw = .. with D = S / R; rows are products, and so is this sum of
# their squares: three products of small matrices. Steps are predictors, correctors and further correctors of what is
# off the central path. Floats only propose: multipliers that matter little are dropped, the others rounded, and
# `Certified` proves the bound exactly. Worst case of budgets log 2 and log 3 on a chain of five bits, after a minute:
# ratios at both ends differ by 0.01 %, and by 550 % where the simplex method alone is taken.

INTERIOR_RESTS_ON = ("worst.relaxation", "worst.identities")
_LIFT = 5e-7  # room of every entry of the identity, for the multipliers that are dropped
GAP, FINE_GAP = 1e-4, 1e-6  # relative, between both sides of the program, at which it is taken
_STEPS = 60
_WIDE = 0.5  # relative gap from which on points are kept, of which the last may prove a bound
_KEPT, _REPAIRS = 12, 3
_FIRST = 1e-3  # every multiplier in the beginning
_SLACK = 0.05  # what a row is in the beginning, at least
_CORRECTORS = 2
_SHORT = 0.99  # of the way to the boundary
_LEAST, _MOST = 1e-13, 1e-5  # part of the diagonal that is added so that a matrix has a factor
_ACTIVE = 1e-4  # of the largest multiplier: what one of an active pair of rows has
_MANY = 2  # pairs of rows to begin with, for each entry of W
_FEW = 5000  # multipliers, where fewer can be had by going on
_INTERIOR_DIGITS = 12  # decimals of the rounded multipliers, for rows with entries of at most 1


@dataclass(frozen=True)
class _Point:
    """W as `entries`, the slacks R of all pairs of rows, their multipliers S, and the value L."""

    entries: "Floats"
    slack: "Floats"
    multipliers: "Floats"
    value: float

    def after(self, step: "_Point", first: float, second: float) -> "_Point":
        """Return what parts of a step lead to, of W and R and of S and L."""
        return _Point(
            self.entries + first * step.entries,
            self.slack + first * step.slack,
            self.multipliers + second * step.multipliers,
            self.value + second * step.value,
        )

    def room(self, step: "_Point") -> tuple[float, float]:
        """Return which parts of a step, of R and of S, nothing becomes negative by."""
        return _longest(self.slack, step.slack), _longest(self.multipliers, step.multipliers)


class _FloatProgram:
    """The program in floats: its rows, its objective and where the entries of W stand."""

    def __init__(self, laws: OrderedLaws, rows: tuple[Rows, Rows], symmetric: bool) -> None:
        import numpy as np

        size = len(laws.mu)
        self.laws, self.exact_rows, self.symmetric, self.size = laws, rows, symmetric, size
        self.tops = [[max(abs(c) for c in row) or 1 for row in side] for side in rows]
        self.rows = [
            np.array([[c / top for c in row] for row, top in zip(side, tops)]) for side, tops in zip(rows, self.tops)
        ]
        upper = np.triu_indices(size)
        place = np.zeros((size, size), dtype=int)
        place[upper] = place.T[upper] = np.arange(len(upper[0]))
        every = np.indices((size, size)).reshape(2, -1)
        x, y = upper if symmetric else (every[0], every[1])
        self.x: NDArray[Any] = x
        self.y: NDArray[Any] = y
        self.squares = [side[:, upper[0]] * side[:, upper[1]] for side in self.rows]
        self.spots = [(place[x[:, None], x], place[y[:, None], y])]
        if symmetric:
            self.spots.append((place[x[:, None], y], place[y[:, None], x]))
        self.mu, self.nu = (
            np.diag([w / total for w in weights])
            for weights, total in ((laws.mu, laws.mu_total), (laws.nu, laws.nu_total))
        )
        self.cost, self.unit = self.down(self.mu + _LIFT), self.down(self.nu)

    @property
    def step_work(self) -> float:
        """Multiplications of a step: of the sum of squares, and of its factor."""
        (first, pairs), (second, _), width = *(side.shape for side in self.squares), len(self.x)
        return float(pairs * second * (first + pairs) + width**3 // 3)

    def down(self, matrix: "Floats") -> "Floats":
        """Return <matrix, W> as weights of the entries of W."""
        once: Floats = matrix[self.x, self.y]
        return (once + matrix[self.y, self.x]) * self._halved() if self.symmetric else once

    def _halved(self) -> "Floats":
        import numpy as np

        return np.where(self.x == self.y, 0.5, 1.0)

    def matrix(self, entries: "Floats") -> "Floats":
        """Return W."""
        import numpy as np

        w = np.zeros((self.size, self.size))
        w[self.x, self.y] = entries
        if self.symmetric:
            w[self.y, self.x] = entries
        return w

    def across(self, entries: "Floats") -> "Floats":
        """Return B1 W B2^T."""
        first, second = self.rows
        products: Floats = first @ self.matrix(entries) @ second.T
        return products

    def back(self, multipliers: "Floats") -> "Floats":
        """Return B1^T S B2 as weights of the entries of W."""
        first, second = self.rows
        return self.down(first.T @ multipliers @ second)

    def off_dual(self, at: _Point) -> "Floats":
        """Return L diag(nu) - diag(mu) - lift - B1^T S B2, 0 where the multipliers prove L."""
        return at.value * self.unit - self.cost - self.back(at.multipliers)

    def is_dual(self, at: _Point) -> bool:
        """Whether what the multipliers are off is well within the lift."""
        return float(abs(self.off_dual(at)).max()) < _LIFT / 10

    def squared(self, weights: "Floats") -> "Floats":
        """Return sum_ij D_ij (b_i (x) b_j) (b_i (x) b_j)^T over entries of W."""
        first, second = self.squares
        products = first.T @ (weights @ second)
        found: Floats = sum(products[spots] for spots in self.spots)
        if self.symmetric:
            half = self._halved()
            found *= 2 * half[:, None] * half
        return found

    def first(self) -> _Point:
        """Return the point to begin with: W = 1 is inside of cones without splits."""
        import numpy as np

        entries = np.ones(len(self.x)) / self.nu.sum()
        slack = np.maximum(self.across(entries), _SLACK)
        return _Point(entries, slack, np.full_like(slack, _FIRST), 1.0)


class _Newton:
    """The linear equations of a step at a point."""

    def __init__(self, program: _FloatProgram, at: _Point) -> None:
        self.program, self.at = program, at
        self.weights = at.multipliers / at.slack
        self.factor = _factor(program.squared(self.weights))
        self.off = (at.slack - program.across(at.entries), program.off_dual(at), 1 - float(program.unit @ at.entries))
        self.along = self.solve(program.unit)

    def solve(self, right: "Floats") -> "Floats":
        """Solve for entries of W, and once more for what the factor was off."""
        with extras:
            from scipy.linalg import cho_solve

        program = self.program
        solution: Floats = cho_solve(self.factor, right, check_finite=False)
        there = program.back(self.weights * program.across(solution))
        again: Floats = cho_solve(self.factor, right - there, check_finite=False)
        return solution + again

    def step(self, products: "Floats", feasible: bool = False) -> _Point:
        """Return the step that changes S o R by `products`; one that stays `feasible` changes
        nothing else.
        """
        program, at = self.program, self.at
        slack, costs, unit = (0.0, 0.0, 0.0) if feasible else self.off
        right = program.back((products + at.multipliers * slack) / at.slack) - costs
        direction = self.solve(right)
        value = (program.unit @ direction - unit) / (program.unit @ self.along)
        entries = direction - value * self.along
        slacks = program.across(entries) - slack
        multipliers = (products - at.multipliers * slacks) / at.slack
        return _Point(entries, slacks, multipliers, float(value))


@dataclass(frozen=True)
class Inside:
    """What an interior point proves of a relaxation, its W, the multipliers of the pairs of rows,
    before any was dropped, and the `value` <diag(mu), W> in floats, which the bound is above by
    the lift.
    """

    certified: Certified
    matrix: "Floats"
    multipliers: "Floats"
    value: float

    def active(self, symmetric: bool) -> list[tuple[int, int]]:
        """Return the pairs of rows that are active near an optimum, and others that float
        multipliers do not tell from these; each pair of a `symmetric` program once.
        """
        import numpy as np

        size = len(self.matrix)
        weights = self.multipliers.copy()
        weights[:size, :size] = 0  # units times units are what is left of the identity
        count = _MANY * size * size
        least = max(
            _ACTIVE * float(weights.max()),
            (float(-np.sort(-weights, axis=None)[count]) if count < weights.size else 0.0),
        )
        pairs = np.argwhere(weights > least).tolist()
        return [(i, j) for i, j in pairs if not symmetric or i <= j]


def interior_bound(
    laws: OrderedLaws,
    rows: tuple[Rows, Rows],
    symmetric: bool,
    work: Work,
    enough: Fraction = Fraction(1),
    gap: float = GAP,
) -> Inside | None:
    """Return a proved bound of a relaxation; None if an interior point did not get there, or
    not with the work that is left.

    Args:
        work: what may be computed.
        enough: a bound that is small enough, so that a smaller one is not looked for.
        gap: relative, between both sides of the program, at which it is taken.
    """
    with one_thread():
        return _bounded(_FloatProgram(laws, rows, symmetric), work, enough, gap)


def _bounded(program: _FloatProgram, work: Work, enough: Fraction, gap: float) -> Inside | None:
    import numpy as np

    at, last = program.first(), list[_Point]()
    for _ in range(_STEPS):
        if work.over:
            break
        work.spend(program.step_work)
        near = float((at.slack * at.multipliers).sum()) < gap * max(1.0, abs(at.value))
        if near or (at.value < enough and program.is_dual(at)):
            proved = _proved(program, at, at.slack.size if near or at.value < 1 else _FEW)
            if proved is not None and (near or proved.bound <= enough):
                return _inside(program, at, proved)
            if near:
                break
        try:
            with np.errstate(all="ignore"):
                if float((at.slack * at.multipliers).sum()) < _WIDE * at.value:
                    last = [at, *last[: _KEPT - 1]]
                at = _improved(program, at)
        except np.linalg.LinAlgError:
            break
        if not (np.isfinite(at.value) and np.isfinite(at.multipliers).all()):
            break
    return _of_the_last(program, last)


def _of_the_last(program: _FloatProgram, last: list[_Point]) -> Inside | None:
    """Return the bound and W that the last point proves before floats fail or time is up."""
    import numpy as np

    for at in last:
        try:
            restored = _restored(program, at)
        except np.linalg.LinAlgError:
            continue
        proved = _rounded(program, restored.multipliers) if program.is_dual(restored) else None
        if proved is not None:
            return _inside(program, at, proved)
    return None


def _restored(program: _FloatProgram, at: _Point) -> _Point:
    """Return the nearest point, in the measure of a step, whose multipliers prove its value."""
    import numpy as np

    if program.is_dual(at):
        return at
    newton = _Newton(program, at)
    for _ in range(_REPAIRS):
        more = newton.weights * program.across(newton.solve(program.off_dual(at)))
        at = replace(at, multipliers=np.maximum(at.multipliers + more, 0.0))
        if program.is_dual(at):
            break
    return at


def _inside(program: _FloatProgram, at: _Point, proved: Certified) -> Inside:
    matrix = program.matrix(at.entries)
    value = float((program.mu * matrix).sum() / (program.nu * matrix).sum())
    return Inside(proved, matrix, at.multipliers, value)


def _improved(program: _FloatProgram, at: _Point) -> _Point:
    """Go one step: Mehrotra's predictor and corrector, then Gondzio's correctors."""
    import numpy as np

    newton = _Newton(program, at)
    products = at.slack * at.multipliers
    mean = float(products.mean())
    guess = newton.step(-products)
    there = at.after(guess, *at.room(guess))
    aim = mean * float((there.slack * there.multipliers).mean() / mean) ** 3
    step = newton.step(aim - products - guess.slack * guess.multipliers)
    room = at.room(step)
    for _ in range(_CORRECTORS):
        there = at.after(step, *(min(1.0, 1.08 * part + 0.08) for part in room))
        reached = there.slack * there.multipliers
        wanted = np.maximum(np.clip(reached, aim / 10, 10 * aim) - reached, -10 * aim)
        better = step.after(newton.step(wanted, feasible=True), 1.0, 1.0)
        if sum(at.room(better)) < sum(room) + 0.02:
            break
        step, room = better, at.room(better)
    first, second = (part if part == 1 else _SHORT * part for part in room)
    return at.after(step, first, second)


def _factor(matrix: "Floats") -> Any:
    """Return a Cholesky factor of a matrix that may be singular in floats."""
    import numpy as np

    with extras:
        from scipy.linalg import cho_factor

    diagonal, places, part = matrix.diagonal().copy(), np.arange(len(matrix)), _LEAST
    while True:
        matrix[places, places] = diagonal * (1 + part)
        try:
            return cho_factor(matrix, lower=True, check_finite=False)
        except np.linalg.LinAlgError:
            part *= 100
            if part > _MOST:
                raise


def _longest(values: "Floats", step: "Floats") -> float:
    falling = step < 0
    return float(min(1.0, (-values[falling] / step[falling]).min(initial=1.0)))


def _proved(program: _FloatProgram, at: _Point, most: int) -> Certified | None:
    """Return the bound that the fewest of the most active rows prove, or None."""
    import numpy as np

    size = program.size
    weight = at.multipliers / at.slack
    weight[:size, :size] = 0  # units times units are what is left of the identity
    ordered = np.sort(weight.ravel())[::-1]
    count = len(program.x)
    while count < most + most // 2:
        least = ordered[min(count, weight.size - 1)]
        kept = np.where(weight > least, at.multipliers, 0.0)
        certified = _rounded(program, kept)
        if certified is not None:
            return certified
        count += count // 2
    return None


def _rounded(program: _FloatProgram, multipliers: "Floats") -> Certified | None:
    """Return the bound that these multipliers prove once they are rational, None if none."""
    import numpy as np

    first, second = program.rows
    total = first.T @ multipliers @ second + program.mu
    below = program.nu.diagonal() > 0
    value = float((total.diagonal()[below] / program.nu.diagonal()[below]).max())
    bound = max(Fraction(1), Fraction(ceil(value * 10**9) + 1, 10**9))  # less where W must vanish
    if ((total - value * program.nu) > _LIFT / 2).any():
        return None
    scale, found = 10**_INTERIOR_DIGITS, dict[tuple[int, int], Fraction]()
    for i, j in np.argwhere(multipliers > 0).tolist():
        tops = program.tops[0][i] * program.tops[1][j]
        found[i, j] = Fraction(round(float(multipliers[i, j]) * scale), scale * tops)
    certified = Certified(bound, found)
    return certified if certified.proves(program.laws, program.exact_rows) else None


RESTS_ON = ("worst.relaxation", "worst.relaxation-simplicial", "worst.identities")
_LIFTS = (1e-10, 1e-8)  # every entry of the identity gets this much room, which pays for what rounding loses
_DIGITS = 14  # decimals of the rounded multipliers, for rows with entries of at most 1
_EXACT_ENTRIES = 300  # of W, up to which the identity may be solved for exactly
_LARGE = 25  # databases, from which on an interior point says what to begin with
_GAP = 1e-4  # relative, between both sides of a program, at which it is taken
_NEAR = 1e-5  # of the largest multiplier: what one that matters has there
_AROUND, _MORE = (2.0, 1e-3)  # times an entry of W, and the largest one, that is not exceeded at first
_ROUNDING = 1e-9  # relative, of what rounding adds to a bound, and more
_STRATEGIES = (1, 4)  # of HiGHS: the dual simplex method, and the primal one
_PIVOTS = 10  # of a strategy in a round, for each entry of W
_PIVOT = 150  # multiplications of a pivot, for each row and column
_ROOM = 1e-9  # by how much a row is violated before it is added


@dataclass(frozen=True)
class Start:
    """What a solved relaxation hands on to the next one: its active pairs of rows, and the
    state of its columns.
    """

    symmetric: bool
    active: tuple[tuple[int, int], ...]
    columns: Any


class Relaxation:
    """The program of one ordered pair of laws and two cones, solved on `solve`.

    Every W = u v^T satisfies B1 W B2^T >= 0. The dual looks for the smallest L with diag(L nu - mu)
    = N + B1^T S B2 for matrices N, S >= 0: such an identity proves u^T diag(L nu - mu) v >= 0 by
    itself (worst.identities).

    Args:
        rows: the rows of both cones, see `cone_rows`.
        symmetric: whether both cones are the same, so that W may be taken symmetric.
        lift: added to every coefficient of the objective; the identity then has room for rounding.
    """

    def __init__(self, laws: OrderedLaws, rows: tuple[Rows, Rows], symmetric: bool, lift: float) -> None:
        with extras:
            import highspy
        import numpy as np

        self.laws, self.rows, self.symmetric = laws, rows, symmetric
        self.size = size = len(laws.mu)
        self.floats = [_normalised(side) for side in rows]
        index = np.arange(size * size).reshape(size, size)
        if symmetric:
            upper = np.triu_indices(size)
            index = np.zeros((size, size), dtype=int)
            index[upper] = index.T[upper] = np.arange(len(upper[0]))
        self.index = index
        self.width = int(index.max()) + 1
        costs = np.bincount(index.ravel(), weights=np.full(size * size, lift))
        costs[np.diagonal(index)] += np.array([m / laws.mu_total for m in laws.mu])
        self.solver = solver = highs(dual_feasibility_tolerance=1e-10)
        solver.addVars(self.width, np.zeros(self.width), np.full(self.width, highspy.kHighsInf))
        solver.changeColsCost(self.width, np.arange(self.width, dtype=np.int32), (-costs).astype(np.float64))
        support = [x for x in range(size) if laws.nu[x]]
        places = np.diagonal(index)[support].astype(np.int32)
        solver.addRow(1.0, 1.0, len(support), places, np.array([laws.nu[x] / laws.nu_total for x in support]))
        self.complete, self.limited, self.dual = False, False, list[float]()
        self.pairs: list[tuple[int, int]] = []
        self.known: set[tuple[int, int]] = set()

    def add(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Add the constraints (B1)_i W (B2)_j^T >= 0."""
        with extras:
            import highspy
        import numpy as np

        starts, places, values = list[int](), list[Any](), list[Any]()
        filled = 0
        for i, j in pairs:
            (left, a), (right, b) = self.floats[0][1][i], self.floats[1][1][j]
            spots = self.index[left[:, None], right].ravel()
            spots_of = np.flatnonzero(np.bincount(spots))
            starts.append(filled)
            places.append(spots_of)
            values.append(np.bincount(spots, weights=(a[:, None] * b).ravel())[spots_of])
            filled += len(spots_of)
        if not pairs:
            return
        count = len(pairs)
        flat = np.concatenate(places).astype(np.int32), np.concatenate(values)
        low, high = np.zeros(count), np.full(count, highspy.kHighsInf)
        self.solver.addRows(count, low, high, filled, np.array(starts, dtype=np.int32), *flat)
        self.pairs += pairs
        self.known.update(pairs)

    def begin(
        self, start: Start | None, fresh: tuple[Sequence[int], Sequence[int]], work: Work, inside: Inside | None = None
    ) -> None:
        """Add first rows: the active ones of `start` with their basis, then unit rows times the
        rows `fresh` of each side.

        Without a `start`, a few rows that may give a first bound are solved before. Large programs
        begin with the rows that an interior point proposes, whatever `start` has; so do all with
        those that are active at a point `inside`. Entries of W are kept near that point until no
        row is violated: a few rows alone may leave the value unbounded.
        """
        if inside is not None:
            self.add(inside.active(self.symmetric))
            self._limit_entries(inside.matrix)
            return
        if is_large(self.laws) and (near := self._near(work)):
            self.add(near)
            return
        if start is None:
            self._quick_round(work)
        else:
            both = start.symmetric and not self.symmetric
            turned = [(j, i) for i, j in start.active] if both else []
            self.add([*dict.fromkeys([*start.active, *turned])])
            if start.symmetric == self.symmetric:
                self._set_basis(start)
        units = range(self.size)
        first = [(x, j) for j in fresh[1] for x in units if j >= self.size]
        second = [(i, y) for i in fresh[0] for y in units if i >= self.size and not self.symmetric]
        self.add([pair for pair in (*first, *second) if pair not in self.known])

    def _limit_entries(self, matrix: "NDArray[Any] | None") -> None:
        """Keep entries of W near a matrix, or let them be as large as rows allow."""
        with extras:
            import highspy
        import numpy as np

        self.limited = matrix is not None
        most = np.full(self.width, highspy.kHighsInf)
        if matrix is not None:
            most[self.index.ravel()] = (_AROUND * matrix + _MORE * matrix.max()).ravel()
        places = np.arange(self.width, dtype=np.int32)
        self.solver.changeColsBounds(self.width, places, np.zeros(self.width), most)

    def _quick_round(self, work: Work) -> None:
        """Bound by u_x v_x <= b u_y v_x and u_y v_x <= d u_y v_y alone, wherever u_x <= b u_y and
        v_x <= d v_y are rows.

        Entries of W in no such row are kept at 0 meanwhile: the lift would make them infinite.
        """
        with extras:
            import highspy
        import numpy as np

        pairs, used = dict[tuple[int, int], None](), set[int]()
        for k, side in enumerate(self.floats):
            for i, (places, values) in enumerate(side[1]):
                if len(places) == 2 and values[0] * values[1] < 0:
                    # x for the first kind of row, y for the second
                    unit = int(places[int((values[0] > 0) == (k == 0))])
                    pairs[(i, unit) if k == 0 and not self.symmetric else (unit, i)] = None
                    used.update(int(self.index[(p, unit) if k == 0 else (unit, p)]) for p in places)
        used.update(int(place) for place in np.diagonal(self.index))
        idle = np.array([k for k in range(self.width) if k not in used], dtype=np.int32)
        zeros = np.zeros(len(idle))
        self.add([*pairs])
        self.solver.changeColsBounds(len(idle), idle, zeros, zeros)
        self._round(work)
        self.solver.changeColsBounds(len(idle), idle, zeros, np.full(len(idle), highspy.kHighsInf))

    def solve(self, work: Work, enough: float = 0.0) -> bool:
        """Solve, adding violated rows until there are none, or the value is at most `enough`; say
        whether there are none.

        Whenever it stops, `rounded` proves the bound of the last round that was solved, if any was.
        """
        import numpy as np

        while self._round(work):
            if self.value <= enough and not self.limited:
                return False
            products = self.floats[0][0] @ self.matrix @ self.floats[1][0].T
            if self.symmetric:
                products = np.triu(products)
            i, j = np.nonzero(products < -_ROOM)
            order = np.argsort(products[i, j], kind="stable")
            violated = [pair for k in order if (pair := (int(i[k]), int(j[k]))) not in self.known]
            if not violated and not self.limited:
                self.complete = True
                return True
            if not violated:
                self._limit_entries(None)
            self.add(violated[: 2 * self.width])
        return False

    def _round(self, work: Work) -> bool:
        """Solve the program of the present rows and keep its optimum; say whether it has one."""
        with extras:
            import highspy
        import numpy as np

        solver = self.solver
        for strategy in _STRATEGIES:  # the dual simplex method, at times, turns about an optimum
            each = _PIVOT * (self.width + len(self.pairs))
            most = int(min(_PIVOTS * self.width, work.left / each)) + 1
            solver.setOptionValue("time_limit", solver.getRunTime() + work.seconds_left + 0.01)
            solver.setOptionValue("simplex_strategy", strategy)
            solver.setOptionValue("simplex_iteration_limit", most)
            solver.run()
            work.spend(each * max(solver.getInfo().simplex_iteration_count, 1))
            if solver.getModelStatus() != highspy.HighsModelStatus.kIterationLimit:
                break
        if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return False
        solution = solver.getSolution()
        value = -float(solver.getInfo().objective_function_value)
        if not are_numbers([value, *solution.col_value, *solution.row_dual]):
            return False
        self.value, self.dual = value, list(solution.row_dual)
        self.matrix: NDArray[Any] = np.array(solution.col_value)[self.index]
        return True

    def _near(self, work: Work) -> list[tuple[int, int]]:
        """Return the pairs of rows with multipliers near an optimum, or none if not reached."""
        with extras:
            import highspy
        import numpy as np

        options = {"solver": "ipm", "run_crossover": "off", "ipm_optimality_tolerance": _GAP}
        program = highs(**options)
        program.passModel(self.solver.getLp())
        pairs, rows = self._all_rows()
        low, high = np.zeros(len(pairs)), np.full(len(pairs), highspy.kHighsInf)
        places = rows.indptr[:-1].astype(np.int32), rows.indices.astype(np.int32)
        program.addRows(len(pairs), low, high, rows.nnz, *places, rows.data)
        each = rows.nnz**2 / max(len(pairs), 1) + self.width**3 / 3
        program.setOptionValue("ipm_iteration_limit", int(min(work.left / each, 1e6)) + 1)
        program.setOptionValue("time_limit", work.seconds_left + 0.01)
        program.run()
        work.spend(each * max(program.getInfo().ipm_iteration_count, 1))
        dual = np.abs(program.getSolution().row_dual[1:])
        if len(dual) != len(pairs) or not are_numbers(dual.tolist()):
            return []
        return [pairs[k] for k in np.flatnonzero(dual > _NEAR * dual.max(initial=0))]

    def _all_rows(self) -> "tuple[list[tuple[int, int]], csr_matrix]":
        """Return all pairs of rows but those of units, and their constraints on W."""
        import numpy as np

        with extras:
            from scipy.sparse import csr_matrix, kron

        left, right = (csr_matrix(side[0]) for side in self.floats)
        i, j = (part.ravel() for part in np.indices((left.shape[0], right.shape[0])))
        chosen = (i >= self.size) | (j >= self.size)
        if self.symmetric:
            chosen &= i <= j
        entries = self.size**2
        folded = csr_matrix((np.ones(entries), self.index.ravel(), np.arange(entries + 1)))
        rows = kron(left, right, format="csr")[chosen] @ folded
        return list(zip(i[chosen].tolist(), j[chosen].tolist())), rows

    def start(self) -> Start:
        """Return what a relaxation with more rows can begin with."""
        basis = self.solver.getBasis()
        return Start(self.symmetric, tuple(self.pairs[k] for k in self._active(basis)), list(basis.col_status))

    def rounded(self) -> Certified | None:
        """Return a proved bound from the float multipliers, None if there are none or rounding
        broke the identity.
        """
        if not self.dual:
            return None
        scale = 10**_DIGITS
        multipliers: dict[tuple[int, int], Fraction] = {}
        for (i, j), value in zip(self.pairs, self.dual[1:]):
            number = round(abs(value) * scale)
            if number:
                tops = self.floats[0][2][i] * self.floats[1][2][j]
                _add(multipliers, (i, j), Fraction(number, scale * tops), self.symmetric)
        certified = Certified(Fraction(ceil(self.value * 10**11) + 10, 10**11), multipliers)
        return certified if certified.proves(self.laws, self.rows) else None

    @proposing
    def exact(self) -> Certified | None:
        """Return the bound at the final basis, without the lift, solved for exactly; None if
        too large or not dual feasible.
        """
        with extras:
            import highspy

        if self.width > _EXACT_ENTRIES:
            return None
        basis = self.solver.getBasis()
        columns = [k for k, s in enumerate(basis.col_status) if s == highspy.HighsBasisStatus.kBasic]
        active = self._active(basis)
        if len(columns) != len(active) + 1:
            return None
        try:
            from flint import fmpq, fmpq_mat

            laws = self.laws
            entries = [fmpq(laws.mu[x] * (x == y), laws.mu_total) for x, y in self._spots(columns)]
            solved = self._matrix(columns, active).solve(fmpq_mat(len(columns), 1, entries))
        except ZeroDivisionError:
            return None
        numbers = [fraction(solved[k, 0]) for k in range(len(columns))]
        multipliers: dict[tuple[int, int], Fraction] = {}
        for k, value in zip(active, numbers[1:]):
            if value:
                _add(multipliers, self.pairs[k], -value, self.symmetric)
        certified = Certified(numbers[0], multipliers)
        return certified if certified.proves(self.laws, self.rows) else None

    def _matrix(self, columns: Sequence[int], active: Sequence[int]) -> Any:
        """Return the basis matrix: rows are entries of the product, columns the active rows."""
        from flint import fmpq, fmpq_mat

        laws, entries = self.laws, list[Any]()
        for x, y in self._spots(columns):
            entries.append(fmpq(laws.nu[x] * (x == y), laws.nu_total))
            for i, j in (self.pairs[k] for k in active):
                a, b = self.rows[0][i], self.rows[1][j]
                turned = a[y] * b[x] if self.symmetric and x != y else 0
                entries.append(fmpq(a[x] * b[y] + turned))
        return fmpq_mat(len(columns), len(columns), entries)

    def _spots(self, columns: Sequence[int]) -> list[tuple[int, int]]:
        """Return the entries (x, y) of the product that variables of the program stand for."""
        spots = {k: (x, y) for x, line in enumerate(self.index.tolist()) for y, k in enumerate(line)}
        return [spots[k] for k in columns]

    def _active(self, basis: Any) -> list[int]:
        with extras:
            import highspy

        basic = highspy.HighsBasisStatus.kBasic
        return [k for k, status in enumerate(list(basis.row_status)[1:]) if status != basic]

    def _set_basis(self, start: Start) -> None:
        with extras:
            import highspy

        basis = highspy.HighsBasis()
        basis.col_status = start.columns
        basis.row_status = [highspy.HighsBasisStatus.kLower] * (1 + len(self.pairs))
        self.solver.setBasis(basis)


@proposing
def relax(
    laws: OrderedLaws,
    rows: tuple[Rows, Rows],
    symmetric: bool,
    work: Work,
    start: Start | None = None,
    fresh: tuple[Sequence[int], Sequence[int]] | None = None,
    enough: Fraction | None = None,
    inside: Inside | None = None,
) -> tuple[Relaxation, Certified] | None:
    """Solve one relaxation, as far as work allows or until its bound is at most `enough`, and prove
    it; None if it has none, or none was proved before.

    Args:
        work: what may be computed.
        start: of a relaxation whose rows are the first of these; `fresh`: the rows that are new, on
            each side.
        inside: a point to begin with, whatever `start` has.
    """
    news = fresh or (range(len(rows[0])), range(len(rows[1])))
    for lift in (*_LIFTS, 0.0):
        program = Relaxation(laws, rows, symmetric, lift)
        program.begin(start, news, work, inside)
        solved = program.solve(work, float(enough or 0) * (1 - _ROUNDING))
        exact = program.exact() if solved and not lift else None
        proved = program.rounded() if lift else exact
        if proved is not None:
            return program, proved
        if work.over:
            return None
    return None


def is_large(laws: OrderedLaws) -> bool:
    """Whether relaxations for these laws have so many columns that each takes seconds."""
    return len(laws.mu) >= _LARGE


def _add(multipliers: dict[tuple[int, int], Fraction], pair: tuple[int, int], value: Fraction, symmetric: bool) -> None:
    """Enter a multiplier; in a symmetric program a pair and its transpose share a row."""
    for one in (pair, pair[::-1]) if symmetric else (pair,):
        multipliers[one] = multipliers.get(one, Fraction(0)) + (value / 2 if symmetric else value)


def _normalised(rows: Rows) -> tuple[Any, list[tuple[Any, Any]], list[int]]:
    """Return rows over their largest entries in floats, their non-zero parts, these entries."""
    import numpy as np

    tops = [max(abs(c) for c in row) or 1 for row in rows]
    dense = np.array([[c / top for c in row] for row, top in zip(rows, tops)])
    return dense, [(support := np.flatnonzero(line), line[support]) for line in dense], tops
