"""One side of a record on a Markov chain: the largest likelihood ratios of what a local mechanism
shows there.

Over all outputs of the records beyond, the likelihood vectors f(x), x in the alphabet, span a
convex cone in R^k, of which only extreme directions are kept (`directions`), and which moves one
record nearer at a time (`Cones`). Where exact integers grow long they are rounded down and the
error counted; where a side is long the sweep starts near the record, once from the law of what lies
beyond (a lower bound) and once from everything there could be (an upper bound).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pufferproof.models.numbers.proportions import Rounding, Vector, integers
from pufferproof.models.sequences.local import RecordChannel
from pufferproof.verify.sequences.directions import TOLERANCES, Link, Ray, TooManyDirectionsError, extreme_directions

RESTS_ON = ("song2017.x-markov", "lemma.mediant")
_MAX_BITS = 30_000  # of exact integers: what can be written down in our numbers
_MAX_BITS_MANY = 4_000  # the same for more than two values
_MAX_WORK = 3_000_000_000  # bits of exact integers, over all records asked for
_FIRST_WINDOW = 32

Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class SideReach:
    """The largest f(a) / f(b) on one side: rational bounds (None: infinite), and the symbols
    that reach it, nearest first.
    """

    lower: Fraction | None
    upper: Fraction | None
    symbols: tuple[int, ...]


Place = tuple[int, int]  # (a, b)
Sides = dict[Place, SideReach]
ONE = SideReach(Fraction(1), Fraction(1), ())


@dataclass(frozen=True)
class WindowStart:
    """What is known of the records beyond a window of the d nearest ones, on one side.

    `law(d, keep)` is the direction of their vector, outputs summed over, as integers with a bound
    of its relative error, exact for keep None; `exact_up_to(d)` the bits this takes; `support(d)`
    the values that are possible there. `fixed` is the direction when it is the same at every
    distance.
    """

    law: Callable[[int, int | None], tuple[Vector, Fraction]]
    exact_up_to: Callable[[int], int]
    support: Callable[[int], Sequence[int]]
    fixed: Vector | None


class Cones:
    """Moving cones along a chain, one record at a time: A D_z for every channel that occurs, found
    once.

    One record nearer, the cone is spanned by A D_z f over its outputs z, with D_z = diag P(z | x)
    and A the transition matrix (right of the record; its transpose on the left, where f are joint
    probabilities). A ratio f(a) / f(b) is largest in an extreme direction, so that only these are
    kept.

    Args:
        step: A, entry [x][x'] being the weight of value x' one record farther.
        channels: every different channel of a record that occurs.
        times: how many sides will be asked for.
    """

    def __init__(self, step: Sequence[Sequence[Fraction]], channels: Sequence[RecordChannel], times: int) -> None:
        self.times = times
        self._windows: dict[tuple[tuple[int, ...], tuple[Place, ...], tuple[int, int]], Sides] = {}
        self.size = len(step)
        flat = integers([entry for row in step for entry in row])
        self.step: Matrix = tuple(flat[i * self.size : (i + 1) * self.size] for i in range(self.size))
        self.moves = {id(channel): [self._move(column) for column in zip(*channel)] for channel in channels}
        self.flat = {id(channel) for channel in channels if all(row == channel[0] for row in channel)}
        largest = [max(map(sum, move)) for moves in self.moves.values() for move in moves if move is not None]
        self.releasing = any(sum(map(bool, column)) == 1 for channel in channels for column in zip(*channel))
        self.bits = max(largest).bit_length()  # exact integers grow by no more with every record

    def reaches(self, records: Sequence[RecordChannel], start: WindowStart, pairs: Sequence[Place], keep: int) -> Sides:
        """Return the largest ratio of every pair over one side: exact where integers stay short,
        else to about 2^-(keep / 2).

        `records` are the channels of the side, nearest first. Raises `ModelError` where there are
        too many directions.
        """
        count = len(records)
        try:
            exact = self._exactly(records, count, start, pairs)
        except TooManyDirectionsError:
            exact = None
        if exact is not None:
            return exact
        for tolerance in (keep - 4, *TOLERANCES):
            try:
                return self._nearly(records, count, start, pairs, (keep, tolerance))
            except TooManyDirectionsError as error:
                failure = error
        raise failure

    def _nearly(
        self,
        records: Sequence[RecordChannel],
        count: int,
        start: WindowStart,
        pairs: Sequence[Place],
        bits: tuple[int, int],
    ) -> Sides:
        """Return enclosed ratios from the nearest records, if those beyond hardly matter."""
        window, enough = _FIRST_WINDOW, min(bits[0] // 2, bits[1] - 16)
        while window < count:
            reaches = self._seen(records, window, start, pairs, bits)
            if all(_narrow(reach, enough) for reach in reaches.values()):
                return reaches
            window *= 4
        return self._closed(records, count, start, pairs, Rounding(*bits))

    def _seen(
        self,
        records: Sequence[RecordChannel],
        window: int,
        start: WindowStart,
        pairs: Sequence[Place],
        bits: tuple[int, int],
    ) -> Sides:
        """Return bounds from a window, found once for equal ones."""
        if start.fixed is None:
            return self._enclosed(records, window, start, pairs, Rounding(*bits))
        key = (tuple(map(id, records[:window])), tuple(pairs), bits)
        if key not in self._windows:
            self._windows[key] = self._enclosed(records, window, start, pairs, Rounding(*bits))
        return self._windows[key]

    def _exactly(
        self, records: Sequence[RecordChannel], count: int, start: WindowStart, pairs: Sequence[Place]
    ) -> Sides | None:
        """Return exact ratios: from all records where these are few, or from the nearest ones where
        no others matter.

        The latter happens where some output tells the value of its record, beyond which nothing
        more is learnt.
        """
        longest = _MAX_BITS if self.size == 2 else _MAX_BITS_MANY
        length = count * self.bits + start.exact_up_to(count)
        if length <= longest and count * length * self.times <= _MAX_WORK:
            return self._closed(records, count, start, pairs, Rounding(None))
        window = _FIRST_WINDOW
        while self.releasing and window < count and window * self.bits + start.exact_up_to(window) <= longest:
            reaches = self._enclosed(records, window, start, pairs, Rounding(None))
            if all(reach.lower is None or reach.lower == reach.upper for reach in reaches.values()):
                return reaches
            window *= 4
        return None

    def _closed(
        self,
        records: Sequence[RecordChannel],
        window: int,
        start: WindowStart,
        pairs: Sequence[Place],
        rounding: Rounding,
    ) -> Sides:
        """Return what the records within a window show, given the law of what lies beyond."""
        vector, slack = start.law(window, rounding.keep)
        rays = self._swept([(vector, None)], records, window, rounding, start.fixed)
        total = rounding.slack + slack + rounding.slack * slack
        return {pair: _reach(rays, pair, total) for pair in pairs}

    def _enclosed(
        self,
        records: Sequence[RecordChannel],
        window: int,
        start: WindowStart,
        pairs: Sequence[Place],
        rounding: Rounding,
    ) -> Sides:
        """Return bounds from a window, given the law or the worst of what lies beyond."""
        below = self._closed(records, window, start, pairs, rounding)
        rounding = Rounding(rounding.keep, rounding.tolerance)
        units = [tuple(int(x == i) for x in range(self.size)) for i in start.support(window)]
        rays = self._swept([(unit, None) for unit in units], records, window, rounding, None)
        above = {pair: _reach(rays, pair, rounding.slack) for pair in pairs}
        return {pair: SideReach(below[pair].lower, above[pair].upper, below[pair].symbols) for pair in pairs}

    def _swept(
        self, rays: list[Ray], records: Sequence[RecordChannel], window: int, rounding: Rounding, fixed: Vector | None
    ) -> list[Ray]:
        """Move a cone from beyond a window up to the record itself."""
        for index in range(window - 1, -1, -1):
            channel = records[index]
            if id(channel) in self.flat and len(rays) == 1 and rays[0][0] == fixed:
                rays = [(rays[0][0], (_any_symbol(channel), rays[0][1]))]
                continue
            images: dict[Vector, Link] = {}
            for symbol, matrix in enumerate(self.moves[id(channel)]):
                for vector, link in rays if matrix is not None else ():
                    moved = rounding([sum(map(int.__mul__, row, vector)) for row in matrix or ()])
                    if moved not in images and any(moved):
                        images[moved] = (symbol, link)
            rounding.steps += 1
            rays = extreme_directions(list(images.items()), self.size, rounding)
        return rays

    def _move(self, weights: Sequence[Fraction]) -> Matrix | None:
        """Return A D_z as integers up to a factor, None for an output that is impossible."""
        if not any(weights):
            return None
        scale = integers(weights)
        return tuple(tuple(entry * weight for entry, weight in zip(row, scale)) for row in self.step)


def _any_symbol(channel: RecordChannel) -> int:
    return next(symbol for symbol, entry in enumerate(channel[0]) if entry)


def _reach(rays: Sequence[Ray], pair: tuple[int, int], slack: Fraction) -> SideReach:
    """Return the largest ratio of two coordinates over some directions."""
    a, b = pair
    best: Ray | None = None
    for ray in rays:
        if ray[0][a] and (best is None or _exceeds(ray[0][a], ray[0][b], best[0][a], best[0][b])):
            best = ray
    if best is None:
        raise AssertionError("some output is possible under every value of positive probability")
    symbols = _unlinked(best[1])
    if not best[0][b]:
        return SideReach(None, None, symbols)
    ratio = Fraction(best[0][a], best[0][b])
    return SideReach(ratio / (1 + slack), ratio * (1 + slack), symbols)


def _exceeds(a: int, b: int, c: int, d: int) -> bool:
    """Whether a / b > c / d, for a, c > 0 and b, d >= 0."""
    return bool(a * d > b * c)


def _unlinked(link: Link) -> tuple[int, ...]:
    symbols = []
    while link is not None:
        symbol, link = link
        symbols.append(symbol)
    return tuple(symbols)


def _narrow(reach: SideReach, bits: int) -> bool:
    if reach.lower is None:
        return True
    return reach.upper is not None and (reach.upper - reach.lower) * (1 << bits) <= reach.lower
