"""One side of a record on a Markov chain: the largest likelihood ratios of what a local mechanism
shows there.

Over all outputs of the records beyond, the likelihood vectors f(x), x in the alphabet, span a
convex cone in R^k, of which only extreme directions are kept (`directions`), and which moves one
record nearer at a time (`Cones`). Where exact integers grow long they are rounded down and the
error counted; where a side is long the sweep starts near the record, once from the law of what lies
beyond (a lower bound) and once from everything there could be (an upper bound).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from typing import TYPE_CHECKING, TypeAlias, cast

from pufferproof.models.errors import ModelError, extras
from pufferproof.models.numbers.proportions import Rounding, Vector, are_numbers, integers, proposing
from pufferproof.models.sequences.arithmetic import Rigorous
from pufferproof.models.sequences.chain import MAX_SEQUENCE, Along, Chain
from pufferproof.models.sequences.local import LocalMechanism, RecordChannel

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Extreme directions of a convex cone in R^k spanned by vectors of non-negative integers: what the others are mixtures
# of.
#
# The two outermost slopes for k = 2, the corners of a polygon for k = 3, for k > 3 what no exact combination of others
# gives. Leaving out a mixture changes no largest ratio of two coordinates, whatever positive map follows. Floats
# propose, exact integers decide. Where vectors are rounded, directions that nearly agree may be merged, and the error
# is counted.

DIRECTIONS_RESTS_ON = ("lemma.mediant",)
MAX_DIRECTIONS = 500  # extreme directions of a cone, of three values or more
TOLERANCES = (42, 34, 26, 18)  # bits that are kept where there are too many directions, one after the other
_MAX_EXACT = 200  # the same as the first, while integers are exact
_DIRECTIONS = 200

Link: TypeAlias = "tuple[int, Link] | None"  # symbol of this record, link of those beyond
Ray = tuple[Vector, Link]


class TooManyDirectionsError(ModelError):
    """A cone has more extreme directions than are followed."""


def extreme_directions(rays: list[Ray], size: int, rounding: Rounding) -> list[Ray]:
    """Return the extreme directions of a cone, and none that merely repeats another."""
    if size == 1 or len(rays) <= 1:
        return rays[:1]
    if size == 2:
        high = low = rays[0]
        for ray in rays[1:]:
            (a, b), (c, d), (e, f) = ray[0], high[0], low[0]
            if a * d > b * c:
                high = ray
            elif a * f < b * e:
                low = ray
        return [high] if high is low else [high, low]
    if rounding.tolerance is not None:
        rays = list(_merged(rays, rounding.tolerance))
    if len(rays) > 2 * size:
        coarse = rounding.tolerance if rounding.tolerance in TOLERANCES else None
        rays = _corners(rays) if size == 3 else _irreducible(rays, size, coarse)
    if len(rays) > (_MAX_EXACT if rounding.keep is None else MAX_DIRECTIONS):
        raise TooManyDirectionsError(
            f"over {MAX_DIRECTIONS} extreme directions to follow along the sequence: "
            f"expected fewer outputs, or fewer than {size} values"
        )
    return rays


def _merged(rays: list[Ray], bits: int) -> Iterator[Ray]:
    """Leave out directions equal to another one up to factors within 2^-(bits + 1) of 1."""
    groups: dict[tuple[int, ...], list[Vector]] = {}
    fineness = min(bits - 2, 40)
    for vector, link in rays:
        total = sum(vector)
        key = tuple((entry << fineness) // total for entry in vector)
        near = groups.setdefault(key, [])
        if not any(_alike(vector, other, bits) for other in near):
            near.append(vector)
            yield vector, link


def _alike(one: Vector, other: Vector, bits: int) -> bool:
    """Whether c other is one, up to factors within 2^-(bits + 1) of 1, for some c."""
    place = max(range(len(one)), key=one.__getitem__)
    a, b = one[place], other[place]
    return all(
        (entry == 0) == (twin == 0) and abs(entry * b - twin * a) << (bits + 1) <= entry * b
        for entry, twin in zip(one, other)
    )


def _corners(rays: list[Ray]) -> list[Ray]:
    """Return the corners of a convex polygon of points in homogeneous coordinates."""

    def compare(one: Ray, other: Ray) -> int:
        (a, b, c), (d, e, f) = one[0], other[0]
        total, second = a + b + c, d + e + f
        return (a * second > d * total) - (a * second < d * total) or (b * second > e * total) - (
            b * second < e * total
        )

    ordered = sorted(rays, key=cmp_to_key(compare))
    ordered = [ray for index, ray in enumerate(ordered) if not index or compare(ray, ordered[index - 1])]
    if len(ordered) < 3:
        return ordered
    return [*_turning_left(ordered)[:-1], *_turning_left(ordered[::-1])[:-1]]


def _turning_left(ordered: list[Ray]) -> list[Ray]:
    kept: list[Ray] = []
    for ray in ordered:
        while len(kept) > 1 and _turn(kept[-2][0], kept[-1][0], ray[0]) <= 0:
            kept.pop()
        kept.append(ray)
    return kept


def _turn(one: Vector, two: Vector, three: Vector) -> int:
    """Return the determinant of three vectors: positive for a turn to the left."""
    (a, b, c), (d, e, f), (g, h, i) = one, two, three
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _irreducible(rays: list[Ray], size: int, coarse: int | None) -> list[Ray]:
    """Leave out directions that are non-negative combinations of those kept, exactly or (`coarse`)
    to so many bits.

    Floats propose, exact arithmetic decides. Only what is kept counts, so that errors do not add up
    within a step.
    """
    import numpy as np

    with extras:
        from scipy.optimize import nnls

    columns = np.array([[entry / sum(vector) for entry in vector] for vector, _ in rays]).T
    kept = list(dict.fromkeys(_outlying(columns)))
    for index in range(len(rays)):
        if index in kept:
            continue
        found = proposing(nnls)(columns[:, kept], columns[:, index])
        if found is None:  # it came to no end
            kept.append(index)
            continue
        weights, distance = found
        chosen = [(kept[place], weights[place]) for place in np.argsort(-weights)[:size] if weights[place] > 0]
        vectors = [rays[other][0] for other, _ in chosen]
        if not distance <= 1e-6 or not are_numbers(weights):
            kept.append(index)
        elif coarse is None:
            if not _combines(vectors, rays[index][0]):
                kept.append(index)
        elif not _resembles(vectors, [weight for _, weight in chosen], rays[index][0], coarse):
            kept.append(index)
    return [rays[index] for index in sorted(kept)]


def _outlying(columns: "NDArray[np.float64]") -> list[int]:
    """Return the points farthest out in some directions, most corners of the hull."""
    import numpy as np

    generator = np.random.default_rng(0)
    directions = generator.standard_normal((_DIRECTIONS, len(columns)))
    return [int(index) for index in (directions @ columns).argmax(axis=1)]


def _resembles(vectors: Sequence[Vector], weights: Sequence[float], target: Vector, bits: int) -> bool:
    """Whether the coordinates of a combination of vectors, each divided by its sum, are certainly
    those of the target.

    Up to factors within 2^-(bits + 1) of 1.
    """
    scaled = [Fraction(weight) * Fraction(sum(target), sum(vector)) for vector, weight in zip(vectors, weights)]
    for place, entry in enumerate(target):
        combined = sum((scale * vector[place] for scale, vector in zip(scaled, vectors)), Fraction(0))
        if abs(combined - entry) * (1 << (bits + 1)) > entry:
            return False
    return True


def _combines(vectors: Sequence[Vector], target: Vector) -> bool:
    """Whether a vector is a non-negative combination of independent ones, exactly."""
    from flint import fmpq_mat

    size, width = len(target), len(vectors)
    table = fmpq_mat(size, width + 1, [entry for row in zip(*vectors, target) for entry in row])
    reduced, rank = table.rref()
    if rank != width or any(reduced[i, i] != 1 for i in range(width)):
        return False
    return all(reduced[i, width] >= 0 for i in range(width))


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
            # bounds from a window, found once for equal ones
            if start.fixed is None:
                reaches = self._enclosed(records, window, start, pairs, Rounding(*bits))
            else:
                key = (tuple(map(id, records[:window])), tuple(pairs), bits)
                if key not in self._windows:
                    self._windows[key] = self._enclosed(records, window, start, pairs, Rounding(*bits))
                reaches = self._windows[key]
            if all(_narrow(reach, enough) for reach in reaches.values()):
                return reaches
            window *= 4
        return self._closed(records, count, start, pairs, Rounding(*bits))

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
                symbol = next(symbol for symbol, entry in enumerate(channel[0]) if entry)
                rays = [(rays[0][0], (symbol, rays[0][1]))]
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


def _reach(rays: Sequence[Ray], pair: tuple[int, int], slack: Fraction) -> SideReach:
    """Return the largest ratio of two coordinates over some directions."""
    a, b = pair
    best: Ray | None = None
    for ray in rays:
        # whether a / b > c / d, for a, c > 0 and b, d >= 0
        if ray[0][a] and (best is None or bool(ray[0][a] * best[0][b] > ray[0][b] * best[0][a])):
            best = ray
    if best is None:
        raise AssertionError("some output is possible under every value of positive probability")
    (vector, link), symbols = best, list[int]()
    while link is not None:
        symbol, link = link
        symbols.append(symbol)
    if not vector[b]:
        return SideReach(None, None, tuple(symbols))
    ratio = Fraction(vector[a], vector[b])
    return SideReach(ratio / (1 + slack), ratio * (1 + slack), tuple(symbols))


def _narrow(reach: SideReach, bits: int) -> bool:
    if reach.lower is None:
        return True
    return reach.upper is not None and (reach.upper - reach.lower) * (1 << bits) <= reach.lower


# The laws of the records of a Markov chain one by one, and what they say of the records beyond some distance.
#
# X_t has the law start P^(t - 1), along one walk for every precision: exact, or enclosed.

Bounds = tuple[Fraction | None, Fraction | None]  # of a ratio; None is infinite
MAX_BITS = 30_000  # of exact integers


class Laws:
    """The laws of the records of a Markov chain."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.size = len(chain.start)
        self._start = integers(chain.start)
        step = integers([entry for row in chain.step for entry in row])
        self._bits = max(step).bit_length() + self.size.bit_length()
        self._walks: dict[int | None, Along] = {}
        self._known: dict[tuple[int, int | None], tuple[Vector, Fraction]] = {}

    def law(self, record: int, keep: int | None) -> tuple[Vector, Fraction]:
        """Return P(X_t = x) as integers up to a factor, and their relative error."""
        if self.chain.stationary or record == 1:
            return self._start, Fraction(0)
        if (record, keep) not in self._known:
            walk = self._walk(keep)
            arithmetic = cast("Rigorous", walk.arithmetic)
            self._known[record, keep] = arithmetic.proportions(walk.law_matrix(record))
        return self._known[record, keep]

    def bits(self, record: int) -> int:
        """Return how long exact integers of a law are, at most."""
        steps = 0 if self.chain.stationary else record - 1
        return steps * self._bits + max(self._start).bit_length()

    def support(self, record: int) -> tuple[int, ...]:
        """Return the values of positive probability."""
        return tuple(self._walk(None).possible(record))

    def ratio(self, record: int, a: int, b: int, keep: int) -> Bounds:
        """Return bounds of P(X_t = a) / P(X_t = b), equal where integers stay short."""
        vector, slack = self.law(record, None if self.bits(record) <= MAX_BITS else keep)
        value = Fraction(vector[a], vector[b])
        return value / (1 + slack), value * (1 + slack)

    def _walk(self, keep: int | None) -> Along:
        if keep not in self._walks:
            self._walks[keep] = (
                self.chain.along(MAX_SEQUENCE) if keep is None else self.chain.along(MAX_SEQUENCE, "enclosed", keep)
            )
        return self._walks[keep]


def before(laws: Laws, private: int) -> WindowStart:
    """Return what is known of the records left of X_p, beyond the d nearest: the law of X_(p-d)."""
    return WindowStart(
        lambda window, keep: laws.law(private - window, keep),
        lambda window: laws.bits(private - window),
        lambda window: laws.support(private - window),
        laws.law(1, None)[0] if laws.chain.stationary else None,
    )


def after(size: int) -> WindowStart:
    """Return what is known beyond the d nearest records right of X_p: all ones."""
    ones = (1,) * size
    return WindowStart(lambda window, keep: (ones, Fraction(0)), lambda window: 1, lambda window: range(size), ones)


# Outputs of a local mechanism on a Markov chain: completing one from a few symbols, and its likelihood ratio,
# evaluated anew.
#
# The evaluation walks outward from the record, away from where `local_sides` comes from: with M the product of D_z and
# steps met so far, P(y | X_p = a) / P(y | X_p = b) lies between the least and the largest quotient of rows a and b of
# M, and the walk ends where these agree as far as was asked, or at the end of the sequence.

OUTPUTS_RESTS_ON = ("lemma.mediant",)
_MAX_OUTPUT_BITS = 4_000  # of exact integers of an evaluation


def completed(
    chain: Chain,
    mechanism: LocalMechanism,
    private: int,
    pair: tuple[int, int],
    symbols: tuple[Sequence[int], int, Sequence[int]],
    keep: int,
) -> list[int]:
    """Return an output that is possible given X_p = a, with these symbols left of p, at p and right
    of it, nearest first.

    Farther records show what speaks most for a against b; from where nothing changes the ratio any
    more (to 2^-(keep / 2)) a symbol that all values can show, or the first that is possible.
    """
    left, own, right = symbols
    channels = mechanism.records
    output, laws = [own] * mechanism.length, None if chain.rows is not None else Laws(chain)
    sides = zip(_walks(chain, mechanism, private, pair[0]), _ways(mechanism, private), (left, right), (True, False))
    for walk, records, shown, backwards in sides:
        outward = None if laws is None else _Outward(chain, backwards, pair, keep, Rounding(keep))
        for distance, t in enumerate(records):
            channel, symbol = channels[t], shown[distance] if distance < len(shown) else None
            if outward is not None and laws is not None:
                outward.move()
                if symbol is None:
                    symbol = outward.likeliest(channel, laws.law(t + 1, keep)[0] if backwards else None)
            output[t] = walk.step(t, channel, symbol)
            if outward is not None:
                outward.show(channel, output[t])
                outward = None if outward.settled((1 << outward.size) - 1) is not None else outward
    return output


def excluding_record(
    chain: Chain, mechanism: LocalMechanism, private: int, value: int, symbols: Sequence[int]
) -> int | None:
    """Return the nearest record where X_p = value makes an output impossible, or None."""
    channels = mechanism.records
    if not channels[private - 1][value][symbols[private - 1]]:
        return private
    excluding = []
    for walk, records in zip(_walks(chain, mechanism, private, value), _ways(mechanism, private)):
        for t in records:
            if not walk.possible(t, channels[t], symbols[t]):
                excluding.append(t + 1)
                break
            walk.step(t, channels[t], symbols[t])
    return min(excluding, key=lambda record: (abs(record - private), record), default=None)


def _ways(mechanism: LocalMechanism, private: int) -> tuple[range, range]:
    """Return the positions of the records left and right of p, nearest first."""
    return range(private - 2, -1, -1), range(private, mechanism.length)


def _walks(chain: Chain, mechanism: LocalMechanism, private: int, value: int) -> "tuple[_ValueWalk, _ValueWalk]":
    """Return the walks to the left and to the right of X_p = value."""
    allowed = _supports(chain, mechanism, private)
    if chain.rows is not None:
        anything = ((Fraction(1),) * len(mechanism.alphabet),) * len(mechanism.alphabet)
        return _ValueWalk(anything, 1 << value, allowed), _ValueWalk(anything, 1 << value, allowed)
    return _ValueWalk(tuple(zip(*chain.step)), 1 << value, allowed), _ValueWalk(chain.step, 1 << value, None)


class _ValueWalk:
    """Which values are possible, as bits, record by record away from the private one."""

    def __init__(self, step: Sequence[Sequence[Fraction]], values: int, allowed: Sequence[int] | None) -> None:
        self.values, self.allowed = values, allowed
        self._next = [sum(1 << x for x, entry in enumerate(row) if entry) for row in step]
        self._known: dict[tuple[int, int, int, int | None], tuple[int, int]] = {}

    def step(self, t: int, channel: RecordChannel, symbol: int | None) -> int:
        """Move to the record at t, which shows `symbol`, or a symbol chosen and returned."""
        key = (self.values, id(channel), -1 if self.allowed is None else self.allowed[t], symbol)
        if key not in self._known:
            reached = self._reached(t)
            shows = [sum(1 << x for x, entry in enumerate(column) if entry) for column in zip(*channel)]
            possible = [z for z in (range(len(shows)) if symbol is None else (symbol,)) if reached & shows[z]]
            if not possible:
                raise AssertionError("an output that was found is possible")
            chosen = next((z for z in possible if shows[z] == (1 << len(channel)) - 1), possible[0])
            self._known[key] = chosen, reached & shows[chosen]
        chosen, self.values = self._known[key]
        return chosen

    def possible(self, t: int, channel: RecordChannel, symbol: int) -> bool:
        """Whether the record at position t can show a symbol."""
        return any(row[symbol] for x, row in enumerate(channel) if self._reached(t) >> x & 1)

    def _reached(self, t: int) -> int:
        reached = 0
        for x, following in enumerate(self._next):
            reached |= following if self.values >> x & 1 else 0
        return reached if self.allowed is None else reached & self.allowed[t]


def _supports(chain: Chain, mechanism: LocalMechanism, private: int) -> list[int]:
    """Return the possible values of records 1 .. p, of all if independent, as bits."""
    if chain.rows is not None:
        known = {id(row): sum(1 << x for x, entry in enumerate(row) if entry) for row in chain.rows}
        return [known[id(row)] for row in chain.rows]
    supports = [sum(1 << x for x, entry in enumerate(chain.start) if entry)]
    following = [sum(1 << x for x, entry in enumerate(row) if entry) for row in chain.step]
    images: dict[int, int] = {}
    for _ in range(private - 1):
        now = supports[-1]
        if now not in images:
            images[now] = 0
            for x, reached in enumerate(following):
                images[now] |= reached if now >> x & 1 else 0
        supports.append(images[now])
    return supports


def output_ratio(
    chain: Chain, mechanism: LocalMechanism, private: int, pair: tuple[int, int], symbols: Sequence[int], keep: int
) -> Bounds:
    """Return bounds of P(symbols | X_p = a) / P(symbols | X_p = b), for a, b of positive
    probability; None is infinite.

    Exact while integers are short, else to about 2^-(keep / 2). Raises `ValueError` where a side is
    impossible under both.
    """
    a, b = pair
    own = mechanism.records[private - 1]
    parts: list[Bounds] = [_quotient(own[a][symbols[private - 1]], own[b][symbols[private - 1]])]
    if chain.rows is None:
        laws, (left, right) = Laws(chain), _ways(mechanism, private)
        beyond = 0
        for mask in _supports(chain, mechanism, private):
            beyond |= mask
        ends = ((left, laws.law(1, None)[0], beyond), (right, (1,) * laws.size, (1 << laws.size) - 1))
        for backwards, (records, last, support) in zip((True, False), ends):
            outward = _Outward(chain, backwards, pair, keep, Rounding(None))
            parts.append(_followed(outward, mechanism, symbols, records, last, support))
        if left:
            parts.append(laws.ratio(private, b, a, keep))
    if any(part[0] is None for part in parts):
        return None, None
    lower, upper = Fraction(1), Fraction(1)
    for least, most in parts:
        lower, upper = lower * (least or 0), upper * (most or 0)
    return lower, upper


def _followed(
    outward: "_Outward", mechanism: LocalMechanism, symbols: Sequence[int], records: range, last: Vector, support: int
) -> Bounds:
    """Return the ratio of one side, given its end and the values possible on it."""
    channels = mechanism.records
    for t in records:
        outward.move()
        outward.show(channels[t], symbols[t])
        ratio = outward.settled(support)
        if ratio is not None:
            return ratio
    return outward.total(last) if records else (Fraction(1), Fraction(1))


class _Outward:
    """P(y | X_p = a) and P(y | X_p = b) on one side, walking away from p: rows a and b of the
    product of steps and D_z.

    On the left entry x is P(y, X_p = a | X_t = x), on the right P(y, X_t = x | X_p = a), both up to
    a common factor.
    """

    def __init__(self, chain: Chain, backwards: bool, pair: tuple[int, int], keep: int, rounding: Rounding) -> None:
        step = chain.step if backwards else tuple(zip(*chain.step))
        self.size, self.keep = len(step), keep
        flat = integers([entry for row in step for entry in row])
        self._matrix = [flat[i * self.size : (i + 1) * self.size] for i in range(self.size)]
        self._rows = [[int(x == value) for x in range(self.size)] for value in pair]
        self._rounding = rounding
        self._weights: dict[tuple[int, int], Vector] = {}

    def move(self) -> None:
        """Go on to the next record."""
        self._rows = [[sum(map(int.__mul__, row, vector)) for row in self._matrix] for vector in self._rows]

    def show(self, channel: RecordChannel, symbol: int) -> None:
        """Take in what the record shows."""
        key = (id(channel), symbol)
        if key not in self._weights:
            self._weights[key] = integers([row[symbol] for row in channel])
        weights, size = self._weights[key], self.size
        both = self._rounding([weight * entry for vector in self._rows for weight, entry in zip(weights, vector)])
        self._rounding.steps += 1
        self._rows = [list(both[:size]), list(both[size:])]
        if self._rounding.keep is None and max(map(int.bit_length, both)) > _MAX_OUTPUT_BITS:
            self._rounding = Rounding(self.keep)

    def likeliest(self, channel: RecordChannel, law: Vector | None) -> int:
        """Return the symbol that speaks most for a, what follows summed over."""
        totals = []
        for symbol in range(len(channel[0])):
            weights = integers([row[symbol] for row in channel]) if any(row[symbol] for row in channel) else (0,)
            weights = tuple(map(int.__mul__, weights, law)) if law is not None else weights
            totals.append([sum(map(int.__mul__, weights, vector)) for vector in self._rows])
        best = -1
        for symbol, (a, b) in enumerate(totals):
            if a and (best < 0 or a * totals[best][1] > b * totals[best][0]):
                best = symbol
        return best

    def settled(self, support: int) -> Bounds | None:
        """Return bounds of the ratio when it no longer matters, to 2^-(keep / 2), what follows;
        None while it does.
        """
        columns = [(a, b) for x, (a, b) in enumerate(zip(*self._rows)) if support >> x & 1 and (a or b)]
        if not columns:
            raise ValueError("an output that is impossible under both values has no ratio")
        if any(b == 0 for _, b in columns):
            return (None, None) if all(b == 0 for _, b in columns) else None
        a, b = columns[0]
        if any(abs(c * b - a * d) << (self.keep // 2) > a * d for c, d in columns):
            return None
        values = [Fraction(c, d) for c, d in columns]
        return _widened((min(values), max(values)), self._rounding.slack)

    def total(self, last: Vector) -> Bounds:
        """Return the ratio at the end of the sequence."""
        above, below = (Fraction(sum(map(int.__mul__, last, vector))) for vector in self._rows)
        return _widened(_quotient(above, below), self._rounding.slack)


def _quotient(above: Fraction, below: Fraction) -> Bounds:
    if not above and not below:
        raise ValueError("an output that is impossible under both values has no ratio")
    value = above / below if below else None
    return value, value


def _widened(bounds: Bounds, slack: Fraction) -> Bounds:
    lower, upper = bounds
    return (None, None) if lower is None or upper is None else (lower / (1 + slack), upper * (1 + slack))
