"""Enclosures, over cells of two-valued chains, of what the records before and after a record tell
of it at an output that is larger than every value of the query.

A chain has P(0, 1) = a, P(1, 0) = b with a + b <= 1, and P(X_1 = 1) = t. There the likelihood of a
database is a product: record j with value 1 counts w_j >= 1 times as much as with value 0, and

    P(y | X_i = 1) / P(y | X_i = 0) = w_i u_i v_i,
    u_j = (b + (1 - b) z) / (1 - a + a z),                 z = w_(j+1) u_(j+1),  u_T = 1,
    v_(j+1) = (1 + B_1 (z - 1)) / (1 + B_0 (z - 1)),       z = w_j v_j,          v_1 = 1,

B_x = P(X_j = 1 | X_(j+1) = x). Floats with outward rounding: an operation on positive numbers errs
by a factor of at most 1 + 2^-53, and no formula here has more than 24 of them.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.numbers.intervals import EPS, down, up
from pufferproof.verify.noise.laws.passes import walked

Floats: TypeAlias = NDArray[np.float64]

Span: TypeAlias = tuple[Floats, Floats]  # the least and the greatest value in every cell

RESTS_ON = ("classes.extremes",)
_MOST = 24  # operations of a formula
_WIDER = _MOST * EPS
_ROOM = 1 + 1e-9  # of a bound in a dozen floats
PARAMETERS = 3  # a, b and t


@dataclass(frozen=True)
class Told:
    """Spans, by cell, of u_i or v_i of a record, at least 1, and of the derivatives of its
    logarithm: arrays of three rows, in a, b and t.
    """

    value: Span
    slopes: Span


class ChainCells:
    """Cells of (a, b, t): arrays of shape (cells, 3) of least and greatest values in [0, 1].

    `weights`: spans of w_j, by record. `slopes`: whether derivatives are wanted. `alternating`: the
    steps from records 2, 4, .. have a and b exchanged.
    """

    def __init__(
        self,
        low: Floats,
        high: Floats,
        weights: Sequence[tuple[float, float]],
        slopes: bool = True,
        alternating: bool = False,
    ) -> None:
        self.weights, self.slopes = weights, slopes
        self.a, self.b, self.t = ((low[:, k], high[:, k]) for k in range(PARAMETERS))
        zero = low[:, 0] * 0
        self.zero: Span = (zero, zero)
        self.one: Span = (zero + 1, zero + 1)
        self.first = Told(self.one, _spans(*[self.zero] * PARAMETERS))
        (al, ah), (bl, bh) = self.a, self.b
        value = _down((1 - ah) - bh)
        least_zero = np.maximum(value, 0.0)
        self.memory: Span = (least_zero, _up((1 - al) - bl))
        self.turned: ChainCells | None = None
        if alternating:
            self.turned = ChainCells(low[:, [1, 0, 2]], high[:, [1, 0, 2]], weights, slopes)

    def later(self) -> Iterator[Told]:
        """Yield, from the last record to the first, what the records after one tell of it.

        Steps of one weight repeat themselves, and are taken until nothing changes.
        """
        records = range(len(self.weights) - 1, 0, -1)
        weights = [self.weights[record] for record in records]
        return walked(records, weights, self.first, self._before, _bytes_of, lambda *_: None)

    def earlier(self) -> Iterator[Told]:
        """Yield, from the first record to the last, what the records before one tell of it."""
        law = _RecordLaw(self.t, _spans(self.zero, self.zero, self.one))
        states = walked(
            range(1, len(self.weights)),
            self.weights[:-1],
            _Place(self.first, law),
            self._after,
            _bytes_of_place,
            self._settled,
        )
        return (each.odds for each in states)

    def _before(self, record: int, odds: Told) -> Told:
        """Return what is told by the step from a record."""
        weight = self.weights[record]
        with np.errstate(all="ignore"):
            if self.turned is None or record % 2:
                return self._told_before(odds, weight)
            turned = Told(odds.value, _exchanged(odds.slopes))
            exchanged = self.turned._told_before(turned, weight)
        return Told(exchanged.value, _exchanged(exchanged.slopes))

    def _after(self, record: int, place: "_Place") -> "_Place":
        """Return what is told by the step from a record, and the law of the next one."""
        weight, odds, law = self.weights[record - 1], place.odds, place.law
        with np.errstate(all="ignore"):
            if self.turned is None or record % 2:
                after = self._moved(law)
                return _Place(self._told_after(odds, weight, law, after), after)
            odds = Told(odds.value, _exchanged(odds.slopes))
            law = _RecordLaw(law.value, _exchanged(law.slopes))
            after = self.turned._moved(law)
            exchanged = self.turned._told_after(odds, weight, law, after)
        moved = _RecordLaw(after.value, _exchanged(after.slopes))
        return _Place(Told(exchanged.value, _exchanged(exchanged.slopes)), moved)

    def _settled(self, records: Sequence[int], cycle: "Sequence[_Place]") -> "list[_Place] | None":
        """Return places of a cycle, for ever: only their derivatives in t still change.

        These are s and l, of log v and of P(X_j = 1), with s' = C s + D l and l' = m l, where D is
        the cycle's, 0 <= C <= 1 and 0 <= m < 1. So 0 <= l_n <= l, and s_n lies between
        min(s, 0) and max(s, 0), widened by l / (1 - m) times the most that D falls and rises. A
        cell of which this bounds nothing may have any slopes.
        """
        if not self.slopes:
            return None
        last = cycle[-1]
        rise = fall = np.zeros_like(self.zero[0])
        for record, place in zip(records, [last, *cycle[:-1]]):
            odds = Told(place.odds.value, _with_start(place.odds.slopes, self.zero))
            law = _RecordLaw(place.law.value, _with_start(place.law.slopes, self.one))
            low, high = (side[2] for side in self._after(record, _Place(odds, law)).odds.slopes)
            rise, fall = np.maximum(rise, high), np.maximum(fall, -low)
        (low, high), most = (side[2] for side in last.odds.slopes), last.law.slopes[1][2]
        with np.errstate(all="ignore"):
            total = most / (1 - self.memory[1]) * _ROOM
            least = -(np.maximum(-low, 0) + fall * total) * _ROOM
            greatest = (np.maximum(high, 0) + rise * total) * _ROOM
        known = np.isfinite(least) & np.isfinite(greatest) & (self.memory[1] < 1)
        told = np.where(known, least, -np.inf), np.where(known, greatest, np.inf)
        laws = self.zero[0], np.where(self.memory[1] < 1, most, np.inf)
        return [
            _Place(
                replace(place.odds, slopes=_with_start(place.odds.slopes, told)),
                replace(place.law, slopes=_with_start(place.law.slopes, laws)),
            )
            for place in cycle
        ]

    def _told_before(self, odds: Told, weight: tuple[float, float]) -> Told:
        (al, ah), (bl, bh) = self.a, self.b
        zl, zh = _down(weight[0] * odds.value[0]), _up(weight[1] * odds.value[1])
        gl, gh = zl - 1, zh - 1
        value = (
            np.fmax(_down((bh + (1 - bh) * zl) / ((1 - ah) + ah * zl)), 1.0),
            _up((bl + (1 - bl) * zh) / ((1 - al) + al * zh)),
        )
        if not self.slopes:
            return Told(value, odds.slopes)
        by_a = _up(gh / (1 + al * gh)), _down(gl / (1 + ah * gl))
        by_b = _up(gh / (bh + (1 - bh) * zh)), _down(gl / (bl + (1 - bl) * zl))
        carried = self._carried(
            _up(bh * (1 - al) / zl) + _up(ah * (1 - bl) * zh), _down(bl * (1 - ah) / zh) + _down(al * (1 - bh) * zl)
        )
        own = _spans((-by_a[0], -by_a[1]), (-by_b[0], -by_b[1]), self.zero)
        return Told(value, _sum(own, _times(carried, odds.slopes)))

    def _carried(self, most: Floats, least: Floats) -> Span:
        """Return c / (ab + (1 - a)(1 - b) + rest), given bounds of the rest: in [0, 1]."""
        (al, ah), (bl, bh), (cl, ch) = self.a, self.b, self.memory
        low = _down(cl / (ah * bh + (1 - al) * (1 - bl) + most))
        high = _up(ch / (al * bl + (1 - ah) * (1 - bh) + least))
        return np.fmax(low, 0.0), np.fmin(high, 1.0)  # 0 / 0 is anything in [0, 1]

    def _moved(self, law: "_RecordLaw") -> "_RecordLaw":
        """Return the law of the next record."""
        (al, ah), (bl, bh), (ml, mh) = self.a, self.b, law.value
        value = (_down((1 - ml) * al + ml * (1 - bh)), np.minimum(_up((1 - mh) * ah + mh * (1 - bl)), 1.0))
        if not self.slopes:
            return _RecordLaw(value, law.slopes)
        own = _spans((_down(1 - mh), _up(1 - ml)), (-mh, -ml), self.zero)
        return _RecordLaw(value, _sum(own, _times(self.memory, law.slopes)))

    def _told_after(self, last: Told, weight: tuple[float, float], law: "_RecordLaw", after: "_RecordLaw") -> Told:
        (al, ah), (bl, bh), (ml, mh) = self.a, self.b, law.value
        zl, zh = _down(weight[0] * last.value[0]), _up(weight[1] * last.value[1])
        gl, gh = zl - 1, zh - 1
        one = _share(ml * (1 - bh), (1 - ml) * ah, mh * (1 - bl), (1 - mh) * al)
        none = _share(ml * bl, (1 - ml) * (1 - al), mh * bh, (1 - mh) * (1 - ah))
        value = (
            np.fmax(_down((1 + one[0] * gl) / (1 + none[1] * gl)), 1.0),
            _up((1 + one[1] * gh) / (1 + none[0] * gh)),
        )
        if not self.slopes:
            return Told(value, last.slopes)
        ones, nones = self._row_slopes(law, after)
        gain_one = _down(gl / (1 + one[1] * gl)), _up(gh / (1 + one[0] * gh))
        gain_none = _down(gl / (1 + none[1] * gl)), _up(gh / (1 + none[0] * gh))
        odds = _down(ml * zl / (1 - ml)), _up(mh * zh / (1 - mh))
        carried = self._carried(
            _up(ah * (1 - al) / odds[0]) + _up(bh * (1 - bl) * odds[1]),
            _down(al * (1 - ah) / odds[1]) + _down(bl * (1 - bh) * odds[0]),
        )
        gained = _times(gain_one, ones), _minus(_times(gain_none, nones))
        return Told(value, _sum(*gained, _times(carried, last.slopes)))

    def _row_slopes(self, law: "_RecordLaw", after: "_RecordLaw") -> tuple[Span, Span]:
        """Return spans of the derivatives in a, b and t of the rows back from values 1 and 0."""
        (al, ah), (bl, bh), (ml, mh) = self.a, self.b, law.value
        # the span of m (1 - m)
        ends = ml * (1 - ml), mh * (1 - mh)
        most = np.where((ml <= 0.5) & (mh >= 0.5), 0.25, np.maximum(*ends))
        spread = _down(np.minimum(*ends)), _up(most)
        (nl, nh) = _down(mh * bl + (1 - mh) * (1 - ah)), _up(ml * bh + (1 - ml) * (1 - al))
        over_one = _down(1 / after.value[1] ** 2), _up(1 / after.value[0] ** 2)
        over_none = _down(1 / nh**2), _up(1 / nl**2)
        in_one = _product((al, ah), (1 - bh, 1 - bl))
        in_none = _product((bl, bh), (1 - ah, 1 - al))
        own_one = _spans(_minus(_product(spread, (1 - bh, 1 - bl))), _minus(_product(spread, (al, ah))))
        own_none = _spans(_product(spread, (bl, bh)), _product(spread, (1 - ah, 1 - al)))
        ones = _with_own(own_one, _times(in_one, law.slopes))
        nones = _with_own(own_none, _times(in_none, law.slopes))
        return _times(over_one, ones), _times(over_none, nones)


@dataclass(frozen=True)
class _RecordLaw:
    """Spans of P(X_j = 1), and of its derivatives in a, b and t."""

    value: Span
    slopes: Span


@dataclass(frozen=True)
class _Place:
    """What the records before one tell of it, and its law."""

    odds: Told
    law: _RecordLaw


def _bytes_of(odds: Told) -> bytes:
    """Return what must be as it was for a step to be the same again, but for slopes in t."""
    (low, high), slopes = odds.value, odds.slopes
    return b"".join(x.tobytes() for x in (low, high, slopes[0][:2], slopes[1][:2]))


def _bytes_of_place(place: _Place) -> bytes:
    return _bytes_of(place.odds) + _bytes_of(Told(place.law.value, place.law.slopes))


def _with_start(slopes: Span, start: Span) -> Span:
    """Return spans with others of the derivative in t."""
    low, high = (np.concatenate([side[:2], one[None]]) for side, one in zip(slopes, start))
    return low, high


def _exchanged(slopes: Span) -> Span:
    """Return derivatives in b, a and t."""
    return slopes[0][[1, 0, 2]], slopes[1][[1, 0, 2]]


def _spans(*spans: Span) -> Span:
    """Return spans as rows of one."""
    return np.array([span[0] for span in spans]), np.array([span[1] for span in spans])


def _with_own(own: Span, rest: Span) -> Span:
    """Return spans with a row's own added to those in a and b."""
    low, high = _sum(own, (rest[0][:2], rest[1][:2]))
    return np.concatenate([low, rest[0][2:]]), np.concatenate([high, rest[1][2:]])


def _up(value: Floats) -> Floats:
    return up(value, _MOST)


def _down(value: Floats) -> Floats:
    return down(value, _MOST)


def _minus(span: Span) -> Span:
    return -span[1], -span[0]


def _product(one: Span, other: Span) -> Span:
    """Return a product of spans of numbers >= 0; 0 times infinity is anything."""
    low, high = _down(one[0] * other[0]), _up(one[1] * other[1])
    return np.fmax(low, 0.0), np.fmin(high, np.inf)


def _sum(*terms: Span) -> Span:
    """Return a sum of spans of any sign."""
    low, high = (np.add.reduce([term[side] for term in terms]) for side in (0, 1))
    wide = np.add.reduce([np.maximum(abs(term[0]), abs(term[1])) for term in terms]) * _WIDER
    return np.fmax(low - wide, -np.inf), np.fmin(high + wide, np.inf)


def _times(factor: Span, slope: Span) -> Span:
    """Return a product of a span of numbers >= 0 and one of any sign."""
    low = np.where(slope[0] >= 0, factor[0], factor[1]) * slope[0]
    high = np.where(slope[1] >= 0, factor[1], factor[0]) * slope[1]
    return np.fmax(low - abs(low) * _WIDER, -np.inf), np.fmin(high + abs(high) * _WIDER, np.inf)


def _share(one: Floats, two: Floats, more: Floats, less: Floats) -> Span:
    """Return the span of p / (p + q) from its least p, with its q, and its greatest."""
    low, high = _down(one / (one + two)), _up(more / (more + less))
    return np.fmax(low, 0.0), np.fmin(high, 1.0)


# The largest of some numbers over a box of two-valued chains, by branch and bound: of w_i u_i v_i over records
# (`steps`), or of likelihood ratios at outputs (`outputs`).
#
# Of `steps` chains with a + b <= 1 are searched: all numbers are w_i on that line, and cells that reach over it are
# bounded from their corner. A cell of (a, b, t) is bounded by the span of the number, and by the mean value form
#
#     log f(theta) <= log f(middle) + sum_k r_k max |d log f / d theta_k|,
#
# r its radii. A parameter in which all numbers that could be the largest rise, or all fall, makes the cell its face.
# The largest bound is cut first, until none is 1e-6 above the best middle, or a level is decided.

SearchFloats = NDArray[np.float64]

Ends = tuple[float, ...]

CLOSE = 1e-6  # in nats, of a bound to the best chain
_BATCH, MOST_CELLS = 256, 40_000
_MOST_WORK = 4_000_000  # cells times records
_FEWEST_CELLS = 64
_MOST_ENTRIES = 400_000  # of a batch, times records that are secret
_THIN = 1e-13  # of a side that is not cut
_LOG_ERROR = 1e-12  # of a logarithm in floats, generously
Decided = Callable[[float, float, int], bool]  # of a lower and an upper bound in nats, and cells


@dataclass(frozen=True)
class FoundChain:
    """The best chain, its approximate leakage, the upper bound of all chains, and the number of cells."""

    best: float
    member: tuple[float, float, float]
    upper: float
    cells: int


@dataclass(frozen=True)
class CellBounds:
    """Of a batch of cells, by cell and number: bounds of log f; least and greatest slopes by
    parameter; the best log f of the member in every cell.
    """

    upper: SearchFloats
    low: SearchFloats
    high: SearchFloats
    middle: SearchFloats
    members: SearchFloats


class Searched(Protocol):
    """Numbers over cells of parameters."""

    @property
    def batch(self) -> int:
        """How many cells are looked at together."""

    @property
    def work(self) -> int:
        """About how much work a cell is."""

    @property
    def most_work(self) -> int:
        """How much is done of all cells."""

    @property
    def most_cells(self) -> int:
        """How many cells are looked at."""

    def enclosed(self, low: SearchFloats, high: SearchFloats) -> CellBounds:
        """Return bounds of all numbers over cells."""

    def values(self, points: SearchFloats) -> SearchFloats:
        """Return about the largest log f at points."""


@dataclass(frozen=True)
class EndsQuestion:
    """What is searched at ends: spans of the weights, the records that are secret. `alternating`:
    of chains whose every second step is with the values exchanged. `effort`: each step doubles the
    work.
    """

    weights: Sequence[tuple[float, float]]
    records: Sequence[int]
    alternating: bool = False
    effort: int = 1

    @property
    def batch(self) -> int:
        """How many cells are looked at together."""
        return max(1, min(_BATCH, _MOST_ENTRIES // len(self.records)))

    @property
    def work(self) -> int:
        """About how much work a cell is."""
        return len(self.weights)

    @property
    def most_work(self) -> int:
        """How much is done of all cells."""
        return _MOST_WORK << (self.effort - 1)

    @property
    def most_cells(self) -> int:
        """How many cells are looked at."""
        return MOST_CELLS << (self.effort - 1)

    def cells(self, low: SearchFloats, high: SearchFloats, slopes: bool) -> ChainCells:
        """Return cells of the chains."""
        return ChainCells(low, high, self.weights, slopes, self.alternating)

    def enclosed(self, low: SearchFloats, high: SearchFloats) -> CellBounds:
        """Return bounds of log f of all records."""
        value, slopes = told_of(self, self.cells(low, high, True))
        over, beyond = _over(high), _over(low)
        middle = np.where(over[:, None], low, (low + high) / 2)
        radius = (np.maximum(high - middle, middle - low) * (1 + 1e-15)).T[:, :, None]
        least, most = slopes[:, 0], slopes[:, 1]
        point, _ = told_of(self, self.cells(middle, middle, False))
        with np.errstate(all="ignore"):
            steep = np.maximum(abs(least), abs(most))
            slack = np.where(radius > 0, radius * steep, 0).sum(axis=0) * (1 + 1e-14)
            own, form = np.log(value[1]), np.log(point[1]) + slack
            upper = np.fmin(own, np.where(np.isnan(form), np.inf, form))
            upper = np.where(np.isnan(upper), np.inf, upper) + _LOG_ERROR
            best = np.log(point[0]).max(axis=1)
        upper[beyond], best[beyond] = -np.inf, -np.inf
        return CellBounds(upper, least, most, best, middle)

    def values(self, points: SearchFloats) -> SearchFloats:
        """Return about the largest log f of all records, by point."""
        # about the largest log f of all records, by point
        value, _ = told_of(self, self.cells(points, points, False))
        logs: SearchFloats = np.where(_over(points), -np.inf, np.log(value[0]).max(axis=1))
        return logs


def search_approx(searched: Searched, box: tuple[Ends, Ends], floor: float, decided: Decided) -> FoundChain:
    """Return the largest of numbers over a box of (a, b, t), `upper` being a bound: it is at most
    the larger of `floor` and the best, plus 1e-6, unless cells ran out or a level was decided
    before.
    """
    low, high = np.array([box[0]]), np.array([box[1]])
    uppers = np.array([np.inf])
    axes = [np.unique([a, (a + b) / 2, b]) for a, b in zip(low[0], high[0])]
    points = np.array(np.meshgrid(*axes)).reshape(PARAMETERS, -1).T
    values = searched.values(points)
    best, member = float(values.max()), points[values.argmax()]
    cells, done = 0, -np.inf
    most = min(searched.most_cells, max(_FEWEST_CELLS, searched.most_work // searched.work))
    while len(low) and cells < most:
        order = np.argsort(-uppers, kind="stable")
        chosen, left = order[: searched.batch], order[searched.batch :]
        batch_low, batch_high = low[chosen], high[chosen]
        bounds = searched.enclosed(batch_low, batch_high)
        cells += len(chosen)
        if bounds.middle.max() > best:
            place = bounds.middle.argmax()
            best, member = float(bounds.middle[place]), bounds.members[place]
        parts = _parts(bounds, batch_low, batch_high, max(best, floor) + CLOSE)
        done = max(done, parts.done)
        low, high = np.concatenate([low[left], parts.low]), np.concatenate([high[left], parts.high])
        uppers = np.concatenate([uppers[left], parts.uppers])
        open_ = uppers > max(best, floor) + CLOSE
        done = max(done, uppers[~open_].max(initial=-np.inf))
        low, high, uppers = low[open_], high[open_], uppers[open_]
        if decided(best, max(done, uppers.max(initial=-np.inf)), cells):
            break
    upper = max(best, done, float(uppers.max(initial=-np.inf))) + _LOG_ERROR
    return FoundChain(best, (float(member[0]), float(member[1]), float(member[2])), upper, cells)


@dataclass(frozen=True)
class _CellsLeft:
    """Cells that are left of a batch, with their bounds, and the largest bound of the others."""

    low: SearchFloats
    high: SearchFloats
    uppers: SearchFloats
    done: float


def _parts(bounds: CellBounds, low: SearchFloats, high: SearchFloats, floor: float) -> _CellsLeft:
    """Return the faces or halves of the cells whose bounds are above a floor."""
    uppers = bounds.upper.max(axis=1)
    open_ = uppers > floor
    done = float(uppers[~open_].max(initial=-np.inf))
    low, high, uppers, alive = low[open_], high[open_], uppers[open_], bounds.upper[open_] > floor
    least, most = bounds.low[:, open_], bounds.high[:, open_]
    wide = (high - low).T > 0
    rises = (~alive | (least >= 0)).all(axis=2) & wide
    falls = (~alive | (most <= 0)).all(axis=2) & wide & ~rises
    low, high = np.where(rises.T, high, low), np.where(falls.T, low, high)
    faces = (rises | falls).any(axis=0)
    steep = np.where(alive, np.maximum(abs(least), abs(most)), 0).max(axis=2)
    widths = np.where(high - low > _THIN, high - low, 0)
    axis = (widths * np.minimum(steep.T, 1e9) + 1e-9 * widths).argmax(axis=1)
    every = np.arange(len(low))
    stuck = ~faces & (widths[every, axis] == 0)
    done = max(done, float(uppers[stuck].max(initial=-np.inf)))
    cut = ~faces & ~stuck
    left_high, right_low = high[cut].copy(), low[cut].copy()
    rows, axis = np.arange(len(left_high)), axis[cut]
    middle = (low[cut] + high[cut])[rows, axis] / 2
    left_high[rows, axis] = right_low[rows, axis] = middle
    return _CellsLeft(
        np.concatenate([low[faces], low[cut], right_low]),
        np.concatenate([high[faces], left_high, high[cut]]),
        np.concatenate([uppers[faces], uppers[cut], uppers[cut]]),
        done,
    )


def _over(points: SearchFloats) -> NDArray[np.bool_]:
    """Whether a + b > 1, by point."""
    over: NDArray[np.bool_] = (1 - points[:, 0]) - points[:, 1] < 0
    return over


def told_of(question: EndsQuestion, cells: ChainCells) -> tuple[SearchFloats, SearchFloats]:
    """Return spans of f, of shape (2, cells, records), and of its slopes in front of them."""
    places = {record: k for k, record in enumerate(question.records)}
    count, first, last = len(question.weights), min(places), max(places)
    size = len(cells.a[0]), len(places)
    value = np.ones((2, *size))
    slopes = np.zeros((PARAMETERS, 2, *size))
    walks = (zip(range(count, first - 1, -1), cells.later()), zip(range(1, last + 1), cells.earlier()))
    for walk in walks:
        for record, odds in walk:
            if record in places:
                k = places[record]
                for side in (0, 1):
                    value[side, :, k] *= odds.value[side]
                    slopes[:, side, :, k] += odds.slopes[side]
    weights = np.array([question.weights[record - 1] for record in question.records]).T
    value *= weights[:, None, :]
    value *= np.array([1 - 1e-14, 1 + 1e-14])[:, None, None]
    wide = abs(slopes).max(axis=1) * 1e-14
    signs = slopes[:, 0] >= 0, slopes[:, 1] <= 0  # floats add two numbers with the right sign
    slopes[:, 0] -= np.where(signs[0], np.minimum(wide, slopes[:, 0]), wide)
    slopes[:, 1] += np.where(signs[1], np.minimum(wide, -slopes[:, 1]), wide)
    slopes = np.where(np.isnan(slopes), np.array([-np.inf, np.inf])[:, None, None], slopes)
    return value, slopes
