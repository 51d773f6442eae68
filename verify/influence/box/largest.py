"""Max-influence over a class of Markov chains: transition matrices in a box, and all laws of X_1
where these are asked for.

For two values, from the stationary law or any law of X_1, the supremum is at one of two corners of
the box, and rational. Otherwise by branch and bound (`pufferproof.verify.influence.box.search`):
exact where the maximum is at a corner that derivatives lead to, else between bounds, as narrow as
the effort permits. Over all records the largest is at i = a + 1 if X_1 has any law; from a given
law the first records are taken one by one, and those that follow have at most the influence of the
next one from any law.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from math import inf, isqrt, prod
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.enclosures import log_approx, rounded_down
from pufferproof.models.priors.chains import ChainClass, GapChains, IntervalChain, Rows, vertices
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds, Name, PrecisionError
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.box.contrast import RESTS_ON as CONTRASTS_REST_ON
from pufferproof.verify.influence.box.contrast import BoxQuilt, several_stationary, unbounded
from pufferproof.verify.influence.box.search import RESTS_ON as PRODUCTS_REST_ON
from pufferproof.verify.influence.box.search import LargestProduct
from pufferproof.verify.influence.chain import QUILTS_REST_ON, ChainInfluence, is_narrow, max_influence, short_enough

# Max-influence over all reversible chains with bounds of the stationary law and the eigengap.
#
# With p = pi_min, r = 1 - eigengap, a distance t and two values:
#
#     c > 0:         e^e = 1 + r^t / (p (1 - r^t)),   of the chain with pi = p and c = r,
#     c < 0, t odd:  e^e = 1 / (1 - r^t / (q (1 + r^t))),   q = max(p, r / (1 + r)).
#
# More values, D = r^t / p: the value for c > 0 is reached. At even t, M = P^t - 1 pi' is positive, and <M f, g> <= r^t
# (|f| |g| + <f, g>) / 2 gives e^e <= R = 1 + D (1 + sqrt(1 + R^2)) / 2; at odd t |M| gives R = 1 + D sqrt(1 + R^2), or
# that of t - 1. Sides multiply.

GAP_RESTS_ON = ("influence.gap", "song2017.x-two-sides")
_BITS = 128
_LONG = 400  # bits of a power that is kept exactly


def gap_influence(chains: GapChains, left: int | None, right: int | None) -> Bounds:
    """Return bounds of e^e of {X_(i-a), X_(i+b)}, the supremum over the class; both None if it
    is infinite, the upper one where no bound is known.

    >>> gap_influence(GapChains(2, "1/20", "1/10"), None, 30).lower.limit_denominator(1000)
    Fraction(1661, 881)
    >>> known = gap_influence(GapChains(3, "1/20", "1/10"), None, 30)
    >>> [f"{float(end):.4f}" for end in (known.lower, known.upper)]
    ['1.8854', '2.6079']
    """
    sides = [distance for distance in (left, right) if distance is not None]
    lower, upper = Fraction(1), Fraction(1)
    for distance in sides:
        below, above = _power(chains.memory, distance)
        lower *= 1 + below / (chains.pi_min * (1 - below))
        upper *= 1 + above / (chains.pi_min * (1 - above))
    if chains.states == 2:
        return _two_values(chains, sides, lower, upper)
    bounds = [_bound(chains, distance) for distance in sides]
    most: Fraction | None = Fraction(1)
    for bound in bounds:
        most = None if most is None or bound is None else most * bound
    return Bounds(lower, most if most is None else max(most, upper))


def _two_values(chains: GapChains, sides: list[int], lower: Fraction, upper: Fraction) -> Bounds:
    # the largest of the bounds for c > 0, and what c < 0 has at most: there every even distance counts as for c > 0
    if 1 in sides and _turned(chains, chains.memory) is None:
        return Bounds.infinite()
    turned: Fraction | None = Fraction(1)
    least = Fraction(1)
    for distance in sides:
        ends = _power(chains.memory, distance)
        if distance % 2 == 0:
            found: Fraction | None = 1 + ends[1] / (chains.pi_min * (1 - ends[1]))
        else:
            found = _turned(chains, ends[1])
            least = max(least, _turned(chains, ends[0]) or least)
        turned = None if turned is None or found is None else turned * found
    return Bounds(max(lower, least), None if turned is None else max(upper, turned))


def _turned(chains: GapChains, power: Fraction) -> Fraction | None:
    """Return e^e at an odd distance for c < 0, None for infinite."""
    r = chains.memory
    least = max(chains.pi_min, r / (1 + r))
    rest = 1 - power / (least * (1 + power))
    return 1 / rest if rest > 0 else None


def _bound(chains: GapChains, distance: int) -> Fraction | None:
    """Return a bound of e^e of one side for more than two values, or None if none is known."""
    found = []
    even = _power(chains.memory, distance - distance % 2)[1] / chains.pi_min
    if even == 0:
        return Fraction(1)
    if even < 2:
        k = 2 / even
        found.append((k * (k + 1) + _root(2 * k * (k + 1))) / ((k - 1) * (k + 1)))
    odd = _power(chains.memory, distance)[1] / chains.pi_min
    if odd < 1:
        rest = 1 - odd**2
        found.append((1 + _root(1 - rest**2)) / rest)
    return min(found, default=None)


def _power(base: Fraction, exponent: int) -> tuple[Fraction, Fraction]:
    """Return bounds of a power, equal while it is short."""
    if exponent == 1 or exponent * max(base.denominator.bit_length(), 1) <= _LONG:
        return base**exponent, base**exponent
    below, above = Fraction(1), Fraction(1)
    for bit in bin(exponent)[2:]:
        below, above = below * below, above * above
        if bit == "1":
            below, above = below * base, above * base
        below, above = rounded_down(below, _BITS), -rounded_down(-above, _BITS)
    return below, above


def _root(value: Fraction) -> Fraction:
    """Return a bound of a square root from above."""
    scale = 1 << 2 * _BITS
    whole = -((-value.numerator * scale) // value.denominator)
    return Fraction(isqrt(whole) + 1, 1 << _BITS)


RESTS_ON = ("influence.two-states", "influence.any-start")
SEARCH_RESTS_ON = (*PRODUCTS_REST_ON, *CONTRASTS_REST_ON, *QUILTS_REST_ON)
MOST_STATES = 10
EFFORT = 4000
_FIRST, _SHARES = 32, 8  # records that are taken one by one, and the part of the effort for each
_MOST_CORNERS = 64


class BoxSupremum(NamedTuple):
    """The supremum over a two-state box, and a matrix that attains it, or None."""

    bounds: Bounds
    transition: Rows | None


def class_influence(
    box: ChainClass,
    length: int,
    record: int | None,
    left: int | None = None,
    right: int | None = None,
    effort: int = EFFORT,
) -> Bounds:
    """Return bounds of e^e of {X_(i-a), X_(i+b)}, the supremum over a class of chains (and over i
    where it is None).

    Both bounds are None if it is infinite. Only the upper one is None if no finite bound was
    found within the effort, about the number of boxes that are tried for two states; fewer are for
    more. Chains with several stationary laws are no part of a stationary class.

    >>> box = IntervalChain("any", [["1/2", "1/4"], ["1/8", "1/2"]], [["3/4", "1/2"], ["1/2", "7/8"]])
    >>> class_influence(box, 100, None, 1, 1)
    <Bounds: 126>

    Raises `ModelError` unless the quilt is on the chain, stationary laws are unique or the supremum
    infinite, and states few.
    """
    expect_quilt(length, record, left, right)
    if left is None and right is None:
        return Bounds.none()
    if isinstance(box, GapChains):
        return gap_influence(box, left, right)
    if box.single:
        return _of_matrix(box, box.lower, length, record, left, right)
    if box.states == 2 and isinstance(box.initial, str):
        return two_state_corner(box, length, record, left, right).bounds
    expect_few_states(box)
    if record is None and not isinstance(box.initial, str):
        return _over_records(box, length, left, right, effort)
    return _searched(BoxQuilt(box, (left or 0) + 1 if record is None else record, left, right), effort)


def class_rests_on(box: ChainClass) -> tuple[str, ...]:
    """Return the claims that an influence over a class rests on, by the way it is found."""
    if isinstance(box, GapChains):
        return GAP_RESTS_ON
    if box.single:
        return QUILTS_REST_ON
    two = box.states == 2 and isinstance(box.initial, str)
    return (*RESTS_ON, *(QUILTS_REST_ON if two else SEARCH_RESTS_ON))


def pair_influence(quilt: BoxQuilt, effort: int = EFFORT) -> Bounds:
    """Return bounds of the supremum over a class of chains of the ratio of one ordered pair of
    values, as `class_influence` does of the largest of all pairs.

    >>> box = IntervalChain(["1/2", "1/2"], [["1/2", "1/4"], ["1/8", "1/2"]], [["3/4", "1/2"], ["1/2", "7/8"]])
    >>> (pair_influence(BoxQuilt(box, 1, None, 1, (0, 1))), pair_influence(BoxQuilt(box, 1, None, 1, (1, 0))))
    (<Bounds: 6>, <Bounds: 7/2>)

    Raises `ModelError` unless stationary laws are unique or the supremum infinite, and states few.
    """
    if quilt.left is None and quilt.right is None:
        return Bounds.none()
    expect_few_states(quilt.box)
    return _searched(quilt, effort)


def expect_few_states(box: IntervalChain) -> None:
    """Raise `ModelError` where a box has too many states to be searched."""
    if box.states > MOST_STATES:
        raise ModelError(f"expected a box of at most {MOST_STATES} states, found {box.states}", "transition_lower")


def corner_matrices(box: IntervalChain) -> list[Rows]:
    """Return the two corners of a box of two-state matrices at one of which every influence is
    largest: least and most changes.
    """
    stay, move = box.lower, box.upper  # least p and r are with the largest P(0, 0) and P(1, 1)
    least = ((move[0][0], stay[0][1]), (stay[1][0], move[1][1]))
    return [least, ((stay[0][0], move[0][1]), (move[1][0], stay[1][1]))]


def two_state_corner(
    box: IntervalChain, length: int, record: int | None, left: int | None, right: int | None
) -> BoxSupremum:
    """Return the supremum for two states from any law or the stationary one, and a matrix that
    attains it (influence.two-states).

    Only where p or r is 0 at the corner of least changes the stationary law has a zero there: then
    the supremum is infinite, attained from any law of X_1, approached from the stationary one.

    >>> box = IntervalChain("stationary", [["1/2", "1/4"], ["1/8", "1/2"]], [["3/4", "1/2"], ["1/2", "7/8"]])
    >>> corner = two_state_corner(box, 100, 50, 1, 1)
    >>> corner.bounds.lower, corner.transition[0][1], corner.transition[1][0]
    (Fraction(36, 1), Fraction(1, 4), Fraction(1, 8))

    Raises `ModelError` unless stationary laws are unique, or the supremum infinite.
    """
    least, most = corner_matrices(box)
    matrices = []
    if least[0][1] + least[1][0] < 1:
        if box.initial == "stationary" and 0 in (least[0][1], least[1][0]):
            if most[0][1] and most[1][0]:
                return BoxSupremum(Bounds.infinite(), None)
            if least[0][1] == least[1][0] == 0:
                raise several()
        else:
            matrices.append(least)
    if most[0][1] + most[1][0] > 1:
        matrices.append(most)
    corners = [BoxSupremum(_of_matrix(box, matrix, length, record, left, right), matrix) for matrix in matrices]
    if not corners:
        return BoxSupremum(Bounds.none(), least)
    infinite = next((corner for corner in corners if corner.bounds == Bounds.infinite()), None)
    best = infinite or max(corners, key=lambda corner: corner.bounds.lower or 0)
    return BoxSupremum(reduce(larger, [corner.bounds for corner in corners]), best.transition)


def expect_quilt(length: int, record: int | None, left: int | None, right: int | None) -> None:
    """Raise `ModelError` unless distances are at least 1 and some record, or this one, has them
    on the chain.
    """
    for name, distance in (("left", left), ("right", right)):
        if distance is not None and distance < 1:
            raise ModelError(f"expected a distance of at least 1, found {distance}", name)
    first, last = (left or 0) + 1, length - (right or 0)
    if first > last or (record is not None and not first <= record <= last):
        where = "some record" if record is None else f"record {record}"
        raise ModelError(f"expected distances that {where} of {length} has, found {left} and {right}", "quilt")


def _of_matrix(
    box: IntervalChain, transition: Rows, length: int, record: int | None, left: int | None, right: int | None
) -> Bounds:
    chain: MarkovChain = box.chain(transition)
    anything = box.initial == "any"
    place = (left or 0) + 1 if anything and record is None else record
    short = short_enough(chain, length, place, left, right)
    return max_influence(chain, length, place, left, right, "exact" if short else "enclosed", anything)


def several() -> ModelError:
    """Return the error for a box of which some chains have several stationary laws."""
    return ModelError(
        '"stationary" expects chains with one recurrent class, but some in the box have several', "initial"
    )


def _searched(quilt: BoxQuilt, effort: int) -> Bounds:
    box = quilt.box
    if unbounded(quilt):
        return Bounds.infinite()
    if box.initial == "stationary" and several_stationary(box):
        raise several()
    least, most = _at_corners(quilt), None
    if box.states == 2:
        anyone = IntervalChain("any", box.lower, box.upper)
        most = two_state_corner(anyone, quilt.last, quilt.record, quilt.left, quilt.right).bounds.upper
    known = Bounds(least, most)
    if most is not None and is_narrow(known):
        return known
    steps = max(quilt.record, quilt.right or 0).bit_length()
    boxes = max(16 * effort // (quilt.box.states**4 * (1 + steps // 6)), 8)
    bounds = LargestProduct(boxes, least).largest(quilt)
    return Bounds(bounds.lower, min((each for each in (bounds.upper, most) if each is not None), default=None))


def _at_corners(quilt: BoxQuilt) -> Fraction:
    """Return the influence at a corner of the box: the largest, or a local maximum."""
    box = quilt.box

    def value(corner: Rows) -> Fraction:
        if quilt.pair is not None:
            # a lower bound of the ratio of one pair at one matrix, 1 where it does not count

            chain, anyone = quilt.box.chain(corner), quilt.box.initial == "any"
            place = quilt.record, quilt.left, quilt.right
            name: Name = "exact" if short_enough(chain, quilt.last, *place) else "enclosed"
            known = ChainInfluence(Along(chain, quilt.last, name))
            if anyone:
                values, factors = known.values_of_any_start(place[0]), known.factors_of_any_start(*place)
            else:
                values, factors = known.laws.possible(place[0]), known.factors(*place)
            infinite = any(factor.logs[quilt.pair] == math.inf for factor in factors)
            if not set(quilt.pair) <= set(values) or infinite:
                return Fraction(1)
            found = known.arithmetic.bounds(known.product(factors, *quilt.pair)).lower
            return max(found or Fraction(1), Fraction(1))
        bounds = _of_matrix(box, corner, quilt.last, quilt.record, quilt.left, quilt.right)
        return bounds.lower or Fraction(1)

    rows = [vertices(low, high) for low, high in zip(box.lower, box.upper)]
    if prod(map(len, rows)) <= _MOST_CORNERS:
        return max(map(value, box.corners()))
    best, known = tuple(row[0] for row in rows), Fraction(0)
    while (now := value(best)) > known:
        known = now
        for x, choices in enumerate(rows):
            best = max(((*best[:x], row, *best[x + 1 :]) for row in choices), key=value)
    return known


def _over_records(box: IntervalChain, length: int, left: int | None, right: int | None, effort: int) -> Bounds:
    """Return bounds of the supremum over records from a given initial law."""
    anyone = IntervalChain("any", box.lower, box.upper)
    first, last = (left or 0) + 1, length - (right or 0)
    best, most = Bounds(Fraction(1), Fraction(1)), _FIRST if box.states == 2 else _FIRST // 4
    for record in range(first, last + 1):
        bounds = _searched(BoxQuilt(box, record, left, right), effort // _SHARES)
        best = larger(best, bounds)
        if best == Bounds.infinite() or record == last:
            return best
        if (record - first + 1) & (record - first) == 0 or record - first >= most:
            tail = class_influence(anyone, length, record + 1, left, right, effort // _SHARES)
            known = larger(best, Bounds(Fraction(1), tail.upper))
            if (known.upper is not None and (known == best or is_narrow(known))) or record - first >= most:
                return known
    return best


def larger(one: Bounds, other: Bounds) -> Bounds:
    """Return bounds of the larger of two numbers."""
    if one.lower is None or other.lower is None:
        return Bounds.infinite()
    uppers = [each.upper for each in (one, other) if each.upper is not None]
    return Bounds(max(one.lower, other.lower), max(uppers) if len(uppers) == 2 else None)


# Quilts of a class of chains, and the Markov quilt mechanism on boxes of any number of states.
#
# The influence over the class of a quilt at distances a and b is bounded once for all records that have it
# (`class_influence` without a record), so that a bound, and a scale, take some dozens of influences however many
# records are private. Distances are those of `WIDTHS`: any quilt is sound, and a better one may be between them.

QUILTS_RESTS_ON = ("general.quilt-account", "wang2016.thm-4.4")
WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
QUILT_EFFORT = 100  # boxes tried for the influence of a quilt of more than two states
Quilt = tuple[int | None, int | None]  # distances to the left and to the right


@dataclass(frozen=True)
class ClassQuilts:
    """The quilts that are tried for records of a class of chains, with bounds of their influence.

    >>> from pufferproof.models.priors.chains import IntervalChain
    >>> steady = [["7/10", "1/10"], ["1/10", "7/10"]], [["9/10", "3/10"], ["3/10", "9/10"]]
    >>> quilts = ClassQuilts(IntervalChain("any", *steady), 9)
    >>> quilts.influence((1, None)), len(list(quilts.around(1))), len(list(quilts.around(5)))
    (<Bounds: 81>, 7, 19)
    """

    box: ChainClass
    length: int
    _known: dict[Quilt, Bounds] = field(default_factory=dict, repr=False)

    def around(self, record: int) -> Iterator[Quilt]:
        """Yield the quilts of a record: none, one side near an end, and two similar sides."""
        lefts = [width for width in WIDTHS if width < record]
        rights = [width for width in WIDTHS if width <= self.length - record]
        yield None, None
        if not WIDTHS[-1] < record <= self.length - WIDTHS[-1]:
            yield from ((left, None) for left in lefts)
            yield from ((None, right) for right in rights)
        for place, left in enumerate(lefts):
            yield from ((left, right) for right in rights[max(0, place - 1) : place + 2])

    def influence(self, quilt: Quilt) -> Bounds:
        """Return bounds of e^e of a quilt of any record, the upper one None if none is known."""
        if quilt not in self._known:
            try:
                known = class_influence(self.box, self.length, None, *quilt, QUILT_EFFORT)
            except PrecisionError:
                known = Bounds(Fraction(1), None)
            self._known[quilt] = known
        return self._known[quilt]

    def best(self, record: int, cost: Callable[[Quilt, float], float]) -> Quilt:
        """Return the quilt of a record whose cost is least, the first of several.

        `cost` is that of a quilt with an influence of so many nats, in floats, and grows with it.
        """
        chosen: tuple[float, Quilt] = (inf, (None, None))
        for least, quilt in sorted(
            ((cost(quilt, 0.0), quilt) for quilt in self.around(record)), key=lambda known: known[0]
        ):
            if least >= chosen[0]:
                break
            upper = self.influence(quilt).upper
            value = inf if upper is None else cost(quilt, log_approx(upper))
            if value < chosen[0]:
                chosen = (value, quilt)
        return chosen[1]

    def places(self, records: Sequence[int] | None) -> list[int]:
        """Return records, all if None, but of those far from both ends one only: they have the
        same quilts, with as many records nearby.

        Raises `ModelError` unless there are some, all on the chain.
        """
        chosen = range(1, self.length + 1) if records is None else sorted(set(records))
        if not chosen:
            raise ModelError("expected at least one record, found none", "records")
        for record in (chosen[0], chosen[-1]):
            if not 1 <= record <= self.length:
                raise ModelError(f"expected a record from 1 to {self.length}, found {record}", "records")
        inner = [record for record in chosen if WIDTHS[-1] < record <= self.length - WIDTHS[-1]]
        return sorted({*chosen} - {*inner}) + inner[:1]


@lru_cache(maxsize=16)
def quilts_of(box: ChainClass, length: int) -> ClassQuilts:
    """Return the quilts of a class, with the influences that were bounded before."""
    return ClassQuilts(box, length)


def nearby(record: int, quilt: Quilt, length: int) -> tuple[int, int]:
    """Return the first and the last record that a quilt leaves nearby."""
    left, right = quilt
    return (1 if left is None else record - left + 1, length if right is None else record + right - 1)
