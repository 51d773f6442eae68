"""Upper bounds of <mu, u o v> / <nu, u o v> by an interior point: the program of `relaxation` with
all pairs of rows at once, for cones of some 32 columns.

    max <diag(mu), W>  subject to  R = B1 W B2^T >= 0,  <diag(nu), W> = 1.

A step solves (sum_ij D_ij b_i b_i^T (x) b_j b_j^T) dw = .. with D = S / R; rows are products, and
so is this sum of their squares: three products of small matrices. Steps are predictors, correctors
and further correctors of what is off the central path. Floats only propose: multipliers that matter
little are dropped, the others rounded, and `identities` proves the bound exactly.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

from pufferproof.lp.cones.columns import OrderedLaws
from pufferproof.lp.worst.identities import Certified, Rows
from pufferproof.models.errors import extras
from pufferproof.models.interface.one_thread import one_thread
from pufferproof.verify.proof.limits import Work

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Worst case of budgets log 2 and log 3 on a chain of five bits, after a minute: ratios at both ends
# differ by 0.01 %, and by 550 % where the simplex method alone solves `relaxation`.
RESTS_ON = ("worst.relaxation", "worst.identities")
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
_DIGITS = 12  # decimals of the rounded multipliers, for rows with entries of at most 1


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
        least = max(_ACTIVE * float(weights.max()), _most(weights, _MANY * size * size))
        pairs = np.argwhere(weights > least).tolist()
        return [(i, j) for i, j in pairs if not symmetric or i <= j]


def _most(weights: "Floats", count: int) -> float:
    """Return the least weight of so many, 0 if there are fewer."""
    import numpy as np

    return float(-np.sort(-weights, axis=None)[count]) if count < weights.size else 0.0


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
    scale, found = 10**_DIGITS, dict[tuple[int, int], Fraction]()
    for i, j in np.argwhere(multipliers > 0).tolist():
        tops = program.tops[0][i] * program.tops[1][j]
        found[i, j] = Fraction(round(float(multipliers[i, j]) * scale), scale * tops)
    certified = Certified(bound, found)
    return certified if certified.proves(program.laws, program.exact_rows) else None
