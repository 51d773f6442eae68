"""The largest log ratio of E[L | X_i = s] to E[L | X_j = t] over a box of chains, by branch and
bound over cells of matrices (`cells`, `means`).

A cell is bounded by the quotient of the two spans, and by the mean value form

    log f(P) <= log f(M) + sum_x max { sum_y g(x, y) (p_y - m_y) : p in the row x of the cell },

M the middle of the cell, g the slopes in the whole cell: at most, by duality,

    sum_y max((g_y - c) (u_y - m_y), (c - g_y) (m_y - l_y))    for any number c.

Cells are cut in the middle of the entry that weighs most there, those with the largest bound first,
and lose what is nowhere the largest (`cells.faces`). No step depends on how many are to come, so
that more work leaves no bound larger.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.numbers.intervals import Interval, dot, mean_over_simplex, median, others, part
from pufferproof.verify.influence.box.contrast import trees
from pufferproof.verify.noise.classes.rows.diagram import THIN, Diagram, around, faces, halves, middle, tight, vertex

# Enclosures, over cells of matrices, of what outputs tell of one record: E[L | X_i = s] of their likelihoods L,
# backwards along the decision diagram of the mechanism.
#
#     after X_i:   C_j(x, n) = sum_y P(x, y) C_(j+1)(y, n'),              n' the point after n and y
#     before it:   C_j(x, n) = sum_y B_j(x, y) C_(j+1)(y, n'),
#                  B_j(x, y) = P(x, y) D_(j+1)(y) / D_j(x),    D_j(x) = P(X_i = s | X_j = x)
#
# Bounds of means of numbers F over {l <= p <= u, sum(p) = 1} are those of duality, for any number c:
#
#     c + sum_y (l_y (F_y - c)+ - u_y (c - F_y)+) <= sum_y p_y F_y.
#
# Where a chain gives X_i = s no probability, bounds say nothing of it.

MeansFloats = NDArray[np.float64]

MeansPlaces = NDArray[np.intp]

MOST_ROOTED = 5  # values whose stationary laws are bounded, by spanning trees


@dataclass(frozen=True)
class RecordValue:
    """Value s of record i, both from 1 and from 0."""

    record: int
    value: int


class MatrixCells:
    """Cells of matrices with a first law: arrays of shape (cells, values + 1, values).

    `stationary`: the first law is that of each matrix, and the last row is not used.
    """

    def __init__(self, low: MeansFloats, high: MeansFloats, stationary: bool) -> None:
        values = low.shape[-1]
        self.rows = Interval(low[:, :values], high[:, :values])
        self.first = Interval(low[:, values:], high[:, values:])
        self.stationary = stationary
        if stationary:
            self.first = self.weights[:, None]

    @cached_property
    def weights(self) -> Interval:
        """The stationary law, up to a factor: sums over spanning trees."""
        values = self.rows.shape[-1]
        return Interval.stack([self._sum(_edges(values, z)) for z in range(values)], axis=1)

    @cached_property
    def steep(self) -> Interval:
        """The derivatives of these weights, of shape (cells, z, x, y)."""
        values = self.rows.shape[-1]
        entries = [
            self._sum(_edges(values, z, (x, y))) for z in range(values) for x in range(values) for y in range(values)
        ]
        return Interval.stack(entries, axis=1).reshape(-1, values, values, values)

    def _sum(self, edges: MeansPlaces) -> Interval:
        """Return sums over trees, of shape (trees, edges, 2), of products of their entries."""
        whole = Interval.point(np.ones((self.rows.shape[0], len(edges))))
        for edge in np.moveaxis(edges, 1, 0):
            whole = whole * self.rows[:, edge[:, 0], edge[:, 1]]
        return whole.sum(axis=1)


@cache
def _edges(values: int, root: int, less: tuple[int, int] | None = None) -> MeansPlaces:
    """Return the trees towards a root as edges (x, y); `less` one edge, those that have it."""
    kept = [tree for tree in trees(values, root) if less is None or less in tree]
    count = values - 1 - (less is not None)
    edges = [[edge for edge in tree if edge != less] for tree in kept]
    return np.array(edges, dtype=np.intp).reshape(len(kept), count, 2)


class SecretMeans:
    """What outputs tell of a secret over cells: `value`, of shape (cells, outputs)."""

    def __init__(self, cells: MatrixCells, diagram: Diagram, secret: RecordValue) -> None:
        self.cells, self.diagram, self.secret = cells, diagram, secret
        # D_i, .., D_1 by level 1 .. i.
        one = np.zeros(self.cells.rows.shape[::2])
        one[:, self.secret.value] = 1
        levels = [Interval.point(one)]
        for _ in range(self.secret.record - 1):
            levels.append(mean_over_simplex(self.cells.rows, levels[-1][:, :, None])[..., 0])
        self.reached = levels[::-1]
        self._before: dict[int, Interval] = {}
        # C of all levels, of shape (cells, x, points, outputs)
        cell_count, values, _ = self.cells.rows.shape
        count = self.diagram.records
        last = self.diagram.terminals.broadcast_to((cell_count, values, *self.diagram.terminals.shape))
        self.levels: list[Interval] = [last] * (count + 1)
        self._known(count)
        for level in range(count - 1, -1, -1):
            rows = self.cells.rows if level >= self.secret.record else self.before(level)
            ahead = self.ahead(level)
            means = mean_over_simplex(rows, ahead.reshape(cell_count, values, -1))
            self.levels[level] = means.reshape(cell_count, -1, *ahead.shape[2:])
            self._known(level)
        self.value: Interval = self.levels[0][:, 0, 0]

    def before(self, level: int) -> Interval:
        """Return B of a level before the secret, of shape (cells, x, y)."""
        if level not in self._before:
            rows = self.cells.first if level == 0 else self.cells.rows
            scaled = self.cells.stationary and level == 0
            self._before[level] = tilted(rows, self.reached[level], scaled)
        return self._before[level]

    def ahead(self, level: int) -> Interval:
        """Return the values of C after a level by next record, of shape (cells, y, points, ..)."""
        children = self.diagram.children[level]
        values = np.arange(children.shape[1])[:, None]
        return self.levels[level + 1][:, values, children.T]

    def _known(self, level: int) -> None:
        """At the record of the secret, leave its value only."""
        if level == self.secret.record:
            whole, value = self.levels[level], self.secret.value
            self.levels[level] = whole[:, value : value + 1].broadcast_to(whole.shape)


def tilted(rows: Interval, reached: Interval, scaled: bool = False) -> Interval:
    """Return bounds of p_y D_y / sum_z p_z D_z, of shape (cells, x, y); anything from 0 to 1 where
    the sum may be 0. `scaled`: p is a law up to a factor.
    """
    own = rows * reached[:, None]
    rest = others(own)
    if not scaled and rows.shape[-1] > 1:
        # The least and the greatest D of all other values, by value
        size = reached.shape[-1]
        apart = [[z for z in range(size) if z != y] for y in range(size)]
        low = np.stack([reached.low[:, places].min(axis=-1) for places in apart], axis=-1)
        high = np.stack([reached.high[:, places].max(axis=-1) for places in apart], axis=-1)
        rest = rest.meet((1 - rows) * Interval(low, high)[:, None])
    share = part(own, rest)
    possible = (own.high > 0) | ~(own.high > 0).any(axis=-1, keepdims=True)
    return tight(Interval(share.low, np.where(possible, share.high, 0)))


class Slopes:
    """The derivatives of log E[L | X_i = s] in all entries, up to a number per row: `value`, of
    shape (cells, values + 1, values, outputs).

        after X_i:  sum_n b_j(x, n) C_(j+1)(y, n') / C
        before it:  sum_n b_j(x, n) D_(j+1)(y) / D_j(x) (C_(j+1)(y, n') - C) / C,

    b_j(x, n) being P(X_j = x, n | X_i = s).
    """

    def __init__(self, means: SecretMeans) -> None:
        self.means, self.cells, self.diagram = means, means.cells, means.diagram
        cells, values, _ = self.cells.rows.shape
        weight = Interval.point(np.ones((cells, 1, 1)))
        shape = cells, values, values, self.diagram.outputs
        rows, first = (Interval.point(np.zeros((cells, n, *shape[2:]))) for n in (values, 1))
        for level in range(self.diagram.records):
            past = level < self.means.secret.record
            if level == 0 and self.cells.stationary:
                # sum_z (dt_z / dP(x, y)) D_1(z) (C_1(z) - C) / sum_z t_z D_1(z), of t_z the stationary weights, of
                # which the sum is t_s
                differences = self.means.ahead(0)[:, :, 0] - self.means.value[:, None]
                differences = differences * self.means.reached[0][..., None]
                whole = (differences[:, :, None, None] * self.cells.steep[..., None]).sum(axis=1)
                rows = whole / self.cells.weights[:, self.means.secret.value][:, None, None, None]
            elif level == 0:
                first = self._told(level, weight, past)
            else:
                rows = rows + self._told(level, weight, past)
            entries = self.means.before(level) if past else self.cells.rows
            weight = self._moved(level, weight, entries)
        self.value = Interval.concatenate([rows, first], axis=1) / self.means.value[:, None, None]

    def _told(self, level: int, weight: Interval, past: bool) -> Interval:
        """Return the sums of one level, of shape (cells, x, y, outputs)."""
        ahead = self.means.ahead(level)
        cells, values, points, outputs = ahead.shape
        if past:
            ahead = ahead - self.means.value[:, None, None]
        else:
            ahead = ahead - median((ahead.low + ahead.high) / 2, axis=1)
        moves = dot(weight, ahead.moveaxis(1, 2).reshape(cells, points, -1))
        moves = moves.reshape(cells, -1, values, outputs)
        return moves * self._ratios(level) if past else moves

    def _ratios(self, level: int) -> Interval:
        """Return D_(j+1)(y) / D_j(x), at most 1 / P(x, y), of shape (cells, x, y, 1)."""
        then = self.means.reached[level]
        if level == 0:
            rows = self.cells.first
            now = mean_over_simplex(rows, then[:, :, None])[..., 0]
        else:
            rows, now = self.cells.rows, self.means.reached[level - 1]
        ratio = then[:, None] / now[:, :, None]
        high = np.minimum(ratio.high, (1 / rows).high)
        never = then.high[:, None] == 0
        return Interval(ratio.low, np.where(never, 0, high))[..., None]

    def _moved(self, level: int, weight: Interval, rows: Interval) -> Interval:
        """Return b of the next level, of shape (cells, y, points)."""
        points = int(self.diagram.children[level].max()) + 1
        shape = rows.shape[0], rows.shape[-1], points
        moves = Interval(np.zeros(shape), np.zeros(shape))
        for y, merged in enumerate(self.diagram.merging[level]):
            come = (rows[:, :, y, None] * weight).sum(axis=1)[:, merged.order].runs(merged.starts)
            moves.low[:, y, merged.places] = come.low
            moves.high[:, y, merged.places] = come.high
        return moves.within(0, 1)


Floats: TypeAlias = NDArray[np.float64]

Span: TypeAlias = tuple[Floats, Floats]

Places: TypeAlias = NDArray[np.intp]

CLOSE = 9e-7  # in nats, of a bound to the best chain
_BETTER = 1e-8  # in nats, by which a chain is better than the best one so far
_BATCH = 256  # cells at a time: fewer if arrays of them are large
_MOST_ENTRIES = 400_000  # of a batch at many outputs: bounds of 6 MB
_MOST_NUMBERS = 1_500_000  # of a batch at few: bounds of 24 MB
_FEW_OUTPUTS = 64  # that climbs look at all of
_LOG_ERROR = 1e-11  # of a logarithm in floats
_STARTS, _STEPS = 5, 8  # of climbs
_SHARES = (1.0, 0.5, 0.25, 0.1, 0.03, 0.01)
Decided = Callable[[float, float], bool]  # of a lower and an upper bound in nats


@dataclass(frozen=True)
class BoxQuestion:
    """One ordered pair of secrets of a box: `low`, `high` are its entries, of shape (values + 1,
    values); `edges`: of any first law, those with two values, which are enough.
    """

    name: str
    low: Floats
    high: Floats
    stationary: bool
    pair: tuple[RecordValue, RecordValue]
    edges: bool = False

    def cells(self, low: Floats, high: Floats) -> MatrixCells:
        """Return cells of the chains."""
        return MatrixCells(low, high, self.stationary)

    @property
    def roots(self) -> list[Span]:
        """The cells that cover the box."""
        size = self.low.shape[1]
        if not self.edges or size == 2:
            return [(self.low, self.high)]
        cells = []
        for a in range(size):
            for b in range(a + 1, size):
                high = self.high.copy()
                high[-1, [x for x in range(size) if x not in (a, b)]] = 0
                cells.append((self.low, high))
        return cells


@dataclass
class FoundMatrices:
    """The best chain and its question, its approximate leakage, the upper bound of all chains, the
    number of cells, and the work.
    """

    best: float
    upper: float
    question: BoxQuestion | None = None
    member: Floats | None = None
    cells: int = 0
    work: int = 0


@dataclass
class _Open:
    """Cells of a question that are not done, with their bounds and the outputs that count."""

    question: BoxQuestion
    low: Floats
    high: Floats
    uppers: Floats
    alive: NDArray[np.bool_]
    bounded: bool = False
    climbed: bool = False

    @property
    def upper(self) -> float:
        return float(self.uppers.max(initial=float("-inf")))


@dataclass
class WorstChain:
    """Branch and bound over all questions together."""

    diagram: Diagram
    floor: float
    found: FoundMatrices = field(default_factory=lambda: FoundMatrices(0.0, 0.0))

    def run(self, questions: Sequence[BoxQuestion], decided: Decided, enough: float, most: int) -> None:
        """Search until every bound is near the best chain or below `enough`, a level is decided, or
        `most` work is done.
        """
        left = []
        for question in questions:
            roots = question.roots
            low, high = (np.array([root[side] for root in roots]) for side in (0, 1))
            alive = np.ones((len(roots), self.diagram.outputs), dtype=bool)
            left.append(_Open(question, low, high, np.full(len(roots), np.inf), alive))
        while self.found.work < most and left:
            floor = max(self.best + CLOSE, enough)
            every, left = left, []
            for one in every:  # leave out the cells whose bounds are small
                open_ = one.uppers > floor
                done = float(one.uppers[~open_].max(initial=-np.inf))
                self.found.upper = max(self.found.upper, done)
                for name in ("low", "high", "uppers", "alive"):
                    setattr(one, name, getattr(one, name)[open_])
                if len(one.low):
                    left.append(one)
            if not left or decided(self.best, max(self.found.upper, *(x.upper for x in left))):
                break
            self._refined(max(left, key=lambda one: one.upper))
        self.found.upper = max([self.found.upper, *(one.upper for one in left)])

    @property
    def best(self) -> float:
        """What is leaked by the best chain, or by those known before."""
        return max(self.floor, self.found.best)

    def _refined(self, one: _Open) -> None:
        """Bound the first cells of a question, and put what is left of them in their place."""
        if one.bounded and not one.climbed:
            self._climb(one.question)
        one.bounded, one.climbed = True, one.bounded
        order = np.argsort(-one.uppers, kind="stable")
        # How many of the first cells to look at together, by the outputs that count
        if self.diagram.outputs <= _FEW_OUTPUTS:
            batch = max(1, min(_BATCH, _MOST_NUMBERS // self.diagram.work))
        else:
            counting = np.logical_or.accumulate(one.alive[order[:_BATCH]]).sum(axis=1)
            entries = np.arange(1, len(counting) + 1) * counting * (self.diagram.work / self.diagram.outputs)
            batch = max(1, int((entries <= _MOST_ENTRIES).sum()))
        chosen, rest = order[:batch], order[batch:]
        outputs = np.flatnonzero(one.alive[chosen].any(axis=0))
        # Bounds of these cells; keep the best of their middles
        low, high = one.low[chosen], one.high[chosen]
        diagram = self.diagram.of_outputs(outputs)
        self.found.cells += len(low)
        self.found.work += len(low) * diagram.work
        thin = middle(low, high)
        point, _ = self._told(one.question, thin, diagram, False)
        self._improve(one.question, (thin[0] + thin[1]) / 2, point.low)
        value, slopes = self._told(one.question, (low, high), diagram, True)
        assert slopes is not None
        weights = _weights(slopes, (high - thin[0], thin[1] - low), high > low)
        with np.errstate(all="ignore"):
            form = point.high + weights.sum(axis=2).sum(axis=1) * (1 + 1e-12)
            form = np.where(np.isnan(form), np.inf, form)
        upper = np.minimum(value.high, form) + _LOG_ERROR
        bounds = _MatrixCellBounds(upper, slopes.low, slopes.high, weights)
        uppers = np.minimum(bounds.upper.max(axis=1), one.uppers[chosen])
        # The faces or halves of the chosen cells that are not done
        floor = self.best + CLOSE
        open_ = uppers > floor
        self.found.upper = max(self.found.upper, float(uppers[~open_].max(initial=-np.inf)))
        low, high = one.low[chosen][open_], one.high[chosen][open_]
        live = bounds.upper[open_] > floor
        alive = np.zeros((len(low), one.alive.shape[1]), dtype=bool)
        alive[:, outputs] = live
        uppers = uppers[open_]
        counted = live[:, None, None]
        least = np.where(counted, bounds.low[open_], 0)
        most = np.where(counted, bounds.high[open_], 0)
        smaller_low, smaller_high, shrunk = faces(low, high, least, most)
        rows, values, stuck = _axis(low, high, np.where(counted, bounds.weights[open_], 0))
        stuck &= ~shrunk
        self.found.upper = max(self.found.upper, float(uppers[stuck].max(initial=-np.inf)))
        cut = ~shrunk & ~stuck
        two_low, two_high = halves(low[cut], high[cut], rows[cut], values[cut])
        parts = {
            "low": np.concatenate([smaller_low[shrunk], two_low]),
            "high": np.concatenate([smaller_high[shrunk], two_high]),
            "uppers": np.concatenate([uppers[shrunk], uppers[cut], uppers[cut]]),
            "alive": np.concatenate([alive[shrunk], alive[cut], alive[cut]]),
        }
        for name, part_of in parts.items():
            setattr(one, name, np.concatenate([getattr(one, name)[rest], part_of]))

    def _told(
        self, question: BoxQuestion, cells: Span, diagram: Diagram, steep: bool
    ) -> tuple[Interval, Interval | None]:
        """Return log ratios, of shape (cells, outputs), and slopes if wanted."""
        at = question.cells(*cells)
        one, other = (SecretMeans(at, diagram, secret) for secret in question.pair)
        ratio = (one.value / other.value).log()
        value = Interval(ratio.low, np.where(one.value.high > 0, ratio.high, -np.inf))
        return value, Slopes(one).value - Slopes(other).value if steep else None

    def _improve(self, question: BoxQuestion, points: Floats, values: Floats) -> None:
        """Keep the best chain."""
        tops = values.max(axis=1)
        place = int(tops.argmax())
        if tops[place] > self.best + _BETTER:
            self.found.best = float(tops[place])
            self.found.question, self.found.member = question, points[place].copy()

    def _climb(self, question: BoxQuestion) -> None:
        """Look for good chains: from some, move towards the vertex that slopes point to; of
        many outputs those that tell most at some of them.
        """
        roots = question.roots
        points = np.concatenate([_starts(*root) for root in roots])
        low, high = (np.repeat([x[side] for x in roots], _STARTS, axis=0) for side in (0, 1))
        diagram = self.diagram
        if diagram.outputs > _FEW_OUTPUTS:
            self.found.work += len(points) * diagram.work
            tops = []
            for k in range(len(points)):
                thin = around(points[k : k + 1], low[k : k + 1], high[k : k + 1])
                tops.append(int(self._told(question, thin, diagram, False)[0].low.argmax()))
            diagram = diagram.of_outputs(np.unique(tops))
        for _ in range(_STEPS):
            self.found.work += (2 + len(_SHARES)) * len(points) * diagram.work
            value, slopes = self._told(question, around(points, low, high), diagram, True)
            assert slopes is not None
            self._improve(question, points, value.low)
            before = self.best
            points = self._moved(question, points, (low, high), value.low, slopes, diagram)
            if self.best <= before:
                break

    def _moved(
        self, question: BoxQuestion, points: Floats, box: Span, values: Floats, slopes: Interval, diagram: Diagram
    ) -> Floats:
        """Return better points: of the way to the vertex, the best share."""
        top = values.argmax(axis=1)
        every = np.arange(len(points))
        with np.errstate(all="ignore"):
            worth = (slopes.low + slopes.high)[every, :, :, top]
        worth = np.nan_to_num(worth, nan=0.0, posinf=0.0, neginf=0.0)
        goal = vertex(box[0], box[1], worth)
        tried = np.concatenate([points + share * (goal - points) for share in _SHARES])
        low, high = (np.concatenate([side] * len(_SHARES)) for side in box)
        value, _ = self._told(question, around(tried, low, high), diagram, False)
        self._improve(question, tried, value.low)
        tops = value.low.max(axis=1).reshape(len(_SHARES), -1)
        best = np.concatenate([values.max(axis=1)[None], tops]).argmax(axis=0)
        whole = np.concatenate([points, tried]).reshape(len(_SHARES) + 1, *points.shape)
        moved: Floats = whole[best, every]
        return moved


@dataclass(frozen=True)
class _MatrixCellBounds:
    """Upper bounds of log ratios, of shape (cells, outputs); bounds of slopes, and what entries
    weigh in the mean value form, of shape (cells, rows, values, outputs).
    """

    upper: Floats
    low: Floats
    high: Floats
    weights: Floats


def _weights(slopes: Interval, room: Span, wide: NDArray[np.bool_]) -> Floats:
    """Return what entries weigh, of the number c that leaves their sum least, by row."""
    low, high = slopes.low, slopes.high
    above, below = (np.maximum(x, 0)[..., None] for x in room)
    best = sums = None
    with np.errstate(all="ignore"):
        between = np.clip((low + high) / 2, -1e200, 1e200)
        between = np.where(np.isnan(between), 0, between)
        for y in range(low.shape[2]):
            c = between[:, :, y : y + 1]
            weight = np.maximum((high - c) * above, (c - low) * below) * (1 + 1e-13)
            weight = np.where(wide[..., None], weight, 0)
            weight = np.where(np.isnan(weight), np.inf, weight)
            whole = weight.sum(axis=2, keepdims=True)
            if best is None or sums is None:
                best, sums = weight, whole
            else:
                best, sums = np.where(whole < sums, weight, best), np.minimum(whole, sums)
    assert best is not None
    return best


def _axis(low: Floats, high: Floats, weights: Floats) -> tuple[Places, Places, NDArray[np.bool_]]:
    """Return rows and values of the entries that weigh most, and which cells have none to cut."""
    width = np.where(high - low > THIN, high - low, 0)
    worth = np.minimum(weights.max(axis=-1), 1e9 * width) + 1e-9 * width
    worth = np.where(width > 0, worth, -1).reshape(len(low), low[0].size if len(low) else 1)
    place = worth.argmax(axis=1)
    stuck = worth[np.arange(len(low)), place] < 0
    return place // low.shape[2], place % low.shape[2], stuck


def _starts(low: Floats, high: Floats) -> Floats:
    """Return the middle of a box and some vertices."""
    draws = np.random.default_rng(1).standard_normal((_STARTS - 1, *low.shape))
    many = np.broadcast_to(low, draws.shape), np.broadcast_to(high, draws.shape)
    ends = vertex(*many, draws)
    center = middle(low[None], high[None])
    return np.concatenate([(center[0] + center[1]) / 2, ends])
