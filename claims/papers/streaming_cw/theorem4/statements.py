"""Theorem 4, the steps of its proof and what stands beside it, as programs over short streams."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.streaming_cw.streams.statements.sliding import (
    APART,
    BLOCKS,
    FRESH,
    ONE,
    SAME_LAWS,
    SUPPORTS,
    ZERO,
    Law,
    Stream,
    Window,
    drawn_apart,
    equal_laws,
    fresh,
    growths,
    independent,
    joint,
    outputs,
    possible,
    steps,
    stream,
    supported,
    tuples,
)

F = Fraction
MOSTLY_APART = ["apart"] * 6 + ["coin", "one"]


def theorem_streams(draws: Draws) -> Instance:
    """Streams of one to four bits with one law, windows of two blocks, seldom one or three, at one
    to three steps; a mechanism with two or three outcomes; alternatives drawn for each window on
    its own, or in one of four draws with one coin for all; often in a way that keeps the laws of
    single outputs. One in twelve streams is given that a sum of blocks is even.
    """
    return {"s": stream(draws, MOSTLY_APART, calm=True)}


def any_laws(draws: Draws) -> Instance:
    """Streams of one to four bits with one law, with a law of its own for every block, or given the
    value of one block, at times a sum of two or three modulo 2; windows of two blocks, seldom one
    or three, at one to three steps; a mechanism with two or three outcomes; alternatives drawn for
    each window on its own, or in one of four draws with one coin for all; often in a way that keeps
    the laws of single outputs. One in twelve streams is given that a sum of blocks is even.
    """
    more = draws.among([{}, {"each": True}, {"secret": True}])
    return {"s": stream(draws, MOSTLY_APART, calm=True, **more)}


def with_zeros(draws: Draws) -> Instance:
    """Streams of one to four bits with one law, zero probabilities often, windows of two blocks,
    seldom one or three, at one to three steps; a mechanism with two or three outcomes; alternatives
    drawn for each window on its own, or in one of four draws with one coin for all. One in twelve
    streams is given that a sum of blocks is even.
    """
    return {"s": stream(draws, MOSTLY_APART, plain=False)}


def _stick(top: Law, bottom: Law, R: F) -> F:
    """The largest P^0(S) - R P^1(S) over all sets S of tuples, that of positive differences."""
    each = [p - R * bottom.get(y, ZERO) for y, p in top.items()]
    return sum([difference for difference in each if difference > 0], ZERO)


def _shift(p: Sequence[F], q: Sequence[F], R: F) -> F:
    """The largest P0(S) - R P1(S) over all sets S of outcomes."""
    sums = [ZERO]  # over all sets of the outcomes so far
    for a, b in zip(p, q):
        difference = a - R * b
        sums += [each + difference for each in sums]
    return max(sums)


def _one_step_pairs(s: Stream) -> list[tuple[list[F], list[F]]]:
    return [(top[z], bottom[z]) for top, bottom in steps(s) for z in top]


def _slopes(p: Sequence[F], q: Sequence[F], least: F = ZERO) -> list[F]:
    return [slope for a, b in zip(p, q) if b and (slope := a / b) >= least]


@lru_cache(maxsize=16)
def _level(s: Stream, least: F = ZERO, fewer: int = 1) -> tuple[F, F, F]:
    """e^{eps_max}, e^{(t-fewer) gamma} and delta_max, with slopes of at least `least` listed."""
    pairs = _one_step_pairs(s)
    E = max(max(_slopes(p, q)) for p, q in pairs)
    growth = max(max(each[y] for y in possible(s)) for each in growths(s))
    delta = max(_shift(p, q, min(_slopes(p, q, least))) for p, q in pairs)
    return E, growth ** max(0, s.t - fewer), delta


def _composed(s: Stream, least: F = ONE, both: bool = True, **options: Any) -> bool:
    """Whether P^0(S|z) <= e^{eps_max + (t-1) gamma} P^1(S|z) + t delta_max, and exchanged."""
    E, Q, delta = _level(s, least, options.get("fewer", 1))
    R, shift = options.get("factor", ONE) * E * Q, s.t * delta
    top, bottom = joint(s, 0), joint(s, 1)
    return all(
        _stick(top[z], bottom[z], R) <= shift
        and (not both or _stick(bottom[z], top[z], R) <= shift)
        for z in top
    )


_APART = {APART: drawn_apart, BLOCKS: independent, FRESH: fresh, SUPPORTS: supported}


THEOREM_4 = Statement(
    family=any_laws,
    given={**_APART, SAME_LAWS: equal_laws},
    holds=_composed,
    too_strong={"99/100 of the factor": {"factor": ALMOST}, "one gamma fewer": {"fewer": 2}},
    too_weak=[APART, SAME_LAWS, BLOCKS, FRESH],
)
ONE_DIRECTION = Statement(
    family=theorem_streams,
    given=_APART,
    holds=lambda s, both=False, **options: (
        _composed(s, ONE, both, **options) and _composed(s, ZERO, both, **options)
    ),
    too_strong={
        "99/100 of the factor": {"factor": ALMOST},
        "one gamma fewer": {"fewer": 2},
        "both directions": {"both": True},
    },
    too_weak=[APART, BLOCKS, FRESH],
)


def _largest_slope(s: Stream, factor: F = ONE, eps: bool = True) -> bool:
    """Whether the largest slope of G at every z is at most e^{eps_max + (t-1) gamma}, and its
    shift at most t delta_max, also with ratios of at least 1 listed only.
    """
    E, Q, delta = _level(s, ONE)
    top, bottom = joint(s, 0), joint(s, 1)
    for z in top:
        if any(not bottom[z].get(y) for y in tuples(s)):
            return False
        R = max(top[z].get(y, ZERO) / bottom[z][y] for y in tuples(s))
        if R > factor * (E if eps else ONE) * Q or _stick(top[z], bottom[z], R) > s.t * delta:
            return False
    return True


LARGEST_SLOPE = Statement(
    family=theorem_streams,
    given=_APART,
    holds=_largest_slope,
    too_strong={"99/100 of the factor": {"factor": ALMOST}, "eps_max left out": {"eps": False}},
    too_weak=[APART, BLOCKS, FRESH],
)


def some_steps(number: int) -> Any:
    """The family of streams of so many steps."""

    def family(draws: Draws) -> Instance:
        kinds = MOSTLY_APART if number > 1 else ["apart"]
        return {"s": stream(draws, kinds, t=number, plain=False)}

    coin = ", or in one of four draws with one coin" * (number > 1)
    family.__doc__ = f"""Streams of bits with one law, windows of two blocks, seldom one or three,
    at {number} steps, zero probabilities often; a mechanism with two or three outcomes;
    alternatives drawn for each window on its own{coin}. One in twelve streams is given that a sum
    of blocks is even."""
    return family


def _no_sign(number: int) -> Statement:
    return Statement(
        family=some_steps(number),
        given=_APART,
        holds=lambda s, least=ZERO: _composed(s, least),
        too_strong={"delta_max for slopes of at least 1 only": {"least": ONE}},
        too_weak=[APART, BLOCKS, FRESH] if number > 1 else [],
    )


ONE_STEP, TWO_STEPS = _no_sign(1), _no_sign(2)


def _unsupported(top: Law, bottom: Law) -> F:
    return sum((p for y, p in top.items() if not bottom.get(y)), ZERO)


def _shift_there(s: Stream, factor: F = ONE, everywhere: bool = True) -> bool:
    """Whether the shift at the largest finite slope R of G at z, and at that over all z, is the
    probability of what P^1 makes impossible, one minus that of S_t.
    """
    top, bottom = joint(s, 0), joint(s, 1)
    largest = {z: max(top[z].get(y, ZERO) / q for y, q in bottom[z].items() if q) for z in top}
    for z in top:
        inside = sum((p for y, p in top[z].items() if bottom[z].get(y)), ZERO)
        for R in {largest[z], max(largest.values())} if everywhere else {largest[z]}:
            stick = _stick(top[z], bottom[z], factor * R)
            if not stick == _unsupported(top[z], bottom[z]) == 1 - inside:
                return False
    return True


SLOPE_AND_SHIFT = Statement(
    family=theorem_streams,
    given=_APART,
    holds=lambda s, bound=False, shift_at_slope=False: (
        (_largest_slope(s) and _shift_there(s, everywhere=False))
        and (not bound or (_largest_slope(s, ALMOST)))
        and (not shift_at_slope or (_shift_there(s, ALMOST, everywhere=False)))
    ),
    too_strong={
        "99/100 of the bound": {"bound": True},
        "the shift at 99/100 of the slope": {"shift_at_slope": True},
    },
    too_weak=[APART, BLOCKS, FRESH],
)


def any_scrub(draws: Draws) -> Instance:
    """Streams of one to four bits, zero probabilities often, windows of two blocks, seldom one or
    three, at one to three steps; a mechanism with two or three outcomes; alternatives drawn apart,
    with one coin, or by scrubbing the stream once. One in twelve streams is given that a sum of
    blocks is even.
    """
    return {"s": stream(draws, ["apart", "coin", "one", "blocks"], plain=False)}


SHIFT_ONLY = Statement(
    family=any_scrub, holds=_shift_there, too_strong={"99/100 of the slope": {"factor": ALMOST}}
)


def _past(s: Stream, k: int) -> dict[Window, Law]:
    """The law of the outputs before t given [z*,z]_up."""
    return outputs(s, k, tuple(range(1, s.t)), s.up(s.t))


def _now(s: Stream, k: int) -> dict[Window, Law]:
    """The law of the output at t given X_t."""
    return outputs(s, k, (s.t,), tuple(range(s.t, s.t + s.B)))


def _possible(law: Law) -> list[Window]:
    return [y for y, p in law.items() if p]


def _oldest(s: Stream) -> list[tuple[int, F]]:
    """The values z* of positive probability of the oldest block of X_t."""
    return [(b, p) for b, p in enumerate(s.laws[s.t - 1]) if p]


def _products(s: Stream, equality: bool = False) -> bool:
    """Whether the products of V_{t-1|z*} and V_{t|z*} are in S_t, whose probability is at least
    the sum over them.
    """
    top, bottom = joint(s, 0), joint(s, 1)
    for z in top:
        total = ZERO
        for first, p in _oldest(s):
            given = (first, *z)
            before, now = _past(s, 0)[given[:-1]], _now(s, 0)[given]
            for y, o in product(_possible(_past(s, 1)[given[:-1]]), _possible(_now(s, 1)[given])):
                if not bottom[z].get((*y, *o)):
                    return False
                total += before.get(y, ZERO) * now.get(o, ZERO) * p
        inside = sum((p for y, p in top[z].items() if bottom[z].get(y)), ZERO)
        if inside < total or (equality and inside != total):
            return False
    return True


PRODUCT_SUPPORT = Statement(
    family=with_zeros,
    given={APART: drawn_apart, BLOCKS: independent, FRESH: fresh},
    holds=_products,
    too_strong={"equality": {"equality": True}},
    too_weak=[APART, FRESH],
)


def _earlier_mass(s: Stream, whole: bool, more: F = ZERO) -> bool:
    """Whether the sum over V_{t-1|z#} of P^0(..|[z#,z]_up) is at least 1 - (t-1) delta_max, or 1
    if `whole`, for all [z#,z]_up.
    """
    least = ONE if whole else 1 - (s.t - 1) * _level(s, ONE)[2]
    for given, law in _past(s, 0).items():
        mass = sum((p for y, p in law.items() if _past(s, 1)[given].get(y)), ZERO)
        if mass < least + more or (whole and mass != 1):
            return False
    return True


WINDOWS = list(product((0, 1), repeat=2))
EVEN_SUM = Stream(
    B=2,
    t=3,
    laws=[(F(1, 2), F(1, 2))] * 4,
    M={(a, b): (ONE, ZERO) if a != b else (F(1, 2), F(1, 2)) for a, b in WINDOWS},
    kind="apart",
    alt=[{(a, b): [(ONE, (1 - a, b))] for a, b in WINDOWS}] * 3,
    secret=((1, 2, 3), 0),
)
"""The sum of three blocks is even, the oldest block of each window is flipped."""


def _mass_statement(whole: bool) -> Statement:
    return Statement(
        family=with_zeros,
        edges=[{"s": EVEN_SUM}],
        given=_APART,
        holds=lambda s, more=ZERO: _earlier_mass(s, whole, more=more),
        too_strong={"1/100 more": {"more": F(1, 100)}},
        too_weak=[APART, BLOCKS, SUPPORTS, FRESH] if whole else [APART, BLOCKS, FRESH],
    )


EARLIER_MASS, WHOLE_MASS = _mass_statement(whole=False), _mass_statement(whole=True)


def _sums(s: Stream, z: Window) -> tuple[F, F]:
    """The sum over z# and V_{t|z#} of P^0(y_t|X_t=[z#,z]) p(z#), and that over V_t of P0(y_t|z)."""
    parts = ZERO
    for first, p in _oldest(s):
        now = _now(s, 0)[(first, *z)]
        parts += p * sum((now.get(y, ZERO) for y in _possible(_now(s, 1)[(first, *z)])), ZERO)
    top, bottom = steps(s)[-1]
    return parts, sum((p for p, q in zip(top[z], bottom[z]) if q), ZERO)


def _factor(s: Stream) -> F:
    """1 - (t-1) delta_max, with no sign condition on slopes: the least that it can be."""
    return 1 - (s.t - 1) * max(_shift(p, q, min(_slopes(p, q))) for p, q in _one_step_pairs(s))


def _at_most(s: Stream, factor: bool, sign: int = 1) -> bool:
    weight = sign * (_factor(s) if factor else ONE)
    pairs = [_sums(s, z) for z in joint(s, 0)]
    return all(weight * parts <= weight * whole for parts, whole in pairs)


LOW = "(t-1) delta_max <= 1"
VT_WITH_FACTOR = Statement(
    family=with_zeros,
    given={BLOCKS: independent, LOW: lambda s: _factor(s) >= 0},
    holds=lambda s, equality=False: (
        (_at_most(s, factor=True))
        and (not equality or (all(a == b for a, b in (_sums(s, z) for z in joint(s, 0)))))
    ),
    too_strong={"equality": {"equality": True}},
    too_weak=[LOW],
)
VT = Statement(
    family=with_zeros,
    given={BLOCKS: independent},
    holds=lambda s, sign=1: _at_most(s, factor=False, sign=sign),
    too_strong={">= instead": {"sign": -1}},
)


def _same_supports(s: Stream) -> bool:
    """Whether V_{t|z#} = V_t for every z and every z# of positive probability."""
    bottom = steps(s)[-1][1]
    return all(
        {y for (y,) in _possible(_now(s, 1)[(first, *z)])} == {y for y, q in enumerate(law) if q}
        for z, law in bottom.items()
        for first, _ in _oldest(s)
    )


SAME_SUPPORTS = "V_{t|z#} = V_t for every z# with p(z#) > 0"
VT_EQUAL = Statement(
    family=with_zeros,
    given={BLOCKS: independent, SAME_SUPPORTS: _same_supports},
    holds=lambda s: all(a == b for a, b in (_sums(s, z) for z in joint(s, 0))),
    too_weak=[SAME_SUPPORTS],
)


def _on_supports(s: Stream) -> bool:
    """Whether P^0(.|z) and P^1(.|z) are positive on W^t and 0 elsewhere, for every z."""
    inside = set(tuples(s))
    return all(set(_possible(law)) == inside for k in (0, 1) for law in joint(s, k).values())


ON_SUPPORTS = Statement(
    family=with_zeros,
    given=_APART,
    holds=lambda s, all_tuples=False: (
        _on_supports(s)
        and (
            not all_tuples
            or (all(len(_possible(law)) == len(s.outcomes) ** s.t for law in joint(s, 0).values()))
        )
    ),
    too_strong={"all tuples": {"all_tuples": True}},
    too_weak=[SUPPORTS, APART, BLOCKS, FRESH],
)
