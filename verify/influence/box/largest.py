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
from fractions import Fraction
from functools import reduce
from math import prod
from typing import NamedTuple

from pufferproof.models.errors import ModelError
from pufferproof.models.priors.chains.box import IntervalChain, Rows, vertices
from pufferproof.models.priors.chains.gap import ChainClass, GapChains
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.arithmetic import Bounds, Name
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.box.contrast import RESTS_ON as CONTRASTS_REST_ON
from pufferproof.verify.influence.box.gap import RESTS_ON as GAPS_REST_ON
from pufferproof.verify.influence.box.gap import gap_influence
from pufferproof.verify.influence.box.limits import BoxQuilt, several_stationary, unbounded
from pufferproof.verify.influence.box.search import RESTS_ON as PRODUCTS_REST_ON
from pufferproof.verify.influence.box.search import LargestProduct
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.influence.refined import QUILTS_REST_ON, is_narrow, max_influence, short_enough

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
        return GAPS_REST_ON
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
    best = infinite or max(corners, key=_size)
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


def _size(corner: BoxSupremum) -> Fraction:
    return corner.bounds.lower or Fraction(0)


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
    bounds = LargestProduct(_boxes(quilt, effort), least).largest(quilt)
    return Bounds(bounds.lower, min((each for each in (bounds.upper, most) if each is not None), default=None))


def _boxes(quilt: BoxQuilt, effort: int) -> int:
    """Return how many boxes to try: fewer where one takes longer."""
    steps = max(quilt.record, quilt.right or 0).bit_length()
    return max(16 * effort // (quilt.box.states**4 * (1 + steps // 6)), 8)


def _at_corners(quilt: BoxQuilt) -> Fraction:
    """Return the influence at a corner of the box: the largest, or a local maximum."""
    box = quilt.box

    def value(corner: Rows) -> Fraction:
        if quilt.pair is not None:
            return _of_pair(quilt, corner)
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


def _of_pair(quilt: BoxQuilt, transition: Rows) -> Fraction:
    """Return a lower bound of the ratio of one pair at one matrix, 1 where it does not count."""
    assert quilt.pair is not None
    chain, anyone = quilt.box.chain(transition), quilt.box.initial == "any"
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
