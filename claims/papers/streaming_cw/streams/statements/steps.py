"""Statements on one output: laws P0(.|z) and P1(.|z), their slopes, shifts and growth."""

from collections.abc import Sequence

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.streaming_cw.plane.planar import Pmf, events, hockey_stick, mass

F = Fraction
Laws = Sequence[Pmf]
SUPPORTS = "Assumption 1"
AT_LEAST_1 = "eq. (1) for every outcome: P0(y|z) >= P1(y|z) for all y in W and all z"


def one_step(draws: Draws) -> Instance:
    """Laws P0(.|z) and P1(.|z) on one to three outcomes for one or two values z: mostly positive on
    a set W and 0 elsewhere, equal to each other half of the time; one instance in eight has any
    laws. R, for statements on all slopes, is a number from -1 to 3.
    """
    size, anything = 1 + draws.below(3), draws.below(8) == 7
    W = draws.several(range(size)) or [0]
    P0, P1 = [], []
    for _ in range(1 + draws.below(2)):
        P0.append(_law(draws, size, W, anything))
        P1.append(P0[-1] if draws.whether() else _law(draws, size, W, anything))
    R = draws.among([ONE, F(2), F(1, 2), ZERO, F(-1), F(3), F(3, 2)])
    return {"W": W, "P0": P0, "P1": P1, "R": R}


def _law(draws: Draws, size: int, W: Sequence[int], anything: bool) -> Pmf:
    if anything:
        return tuple(draws.law(size))
    weights = dict(zip(W, draws.positive_law(len(W))))
    return tuple(weights.get(y, ZERO) for y in range(size))


def supported(W: Sequence[int], P0: Laws, P1: Laws, **_: object) -> bool:
    """Whether all laws are positive on W and 0 elsewhere."""
    return all((p > 0) == (y in W) for law in (*P0, *P1) for y, p in enumerate(law))


def _at_least_1(W: Sequence[int], P0: Laws, P1: Laws, **_: object) -> bool:
    return all(p[y] >= q[y] for p, q in zip(P0, P1) for y in W)


def slopes(p: Pmf, q: Pmf, least: F = ZERO) -> list[F]:
    """Return P0(y|z)/P1(y|z) of every outcome at which it is finite and at least `least`."""
    return [a / b for a, b in zip(p, q) if b and a / b >= least]


def _pairs(p: Pmf, q: Pmf, least: F) -> list[tuple[F, F]]:
    return [(R, hockey_stick(p, q, R)) for R in slopes(p, q, least)]


def _bounds(p: Pmf, q: Pmf, R: F, delta: F) -> bool:
    return all(mass(p, S) <= R * mass(q, S) + delta for S in events(len(p)))


def _own_pairs(P0: Laws, P1: Laws, least: F = ZERO, less: F = ZERO, **_: object) -> bool:
    return all(
        _bounds(p, q, R, delta - less) for p, q in zip(P0, P1) for R, delta in _pairs(p, q, least)
    )


def _pairs_reversed(P0: Laws, P1: Laws, least: F = ZERO, **_: object) -> bool:
    return all(_bounds(q, p, R, delta) for p, q in zip(P0, P1) for R, delta in _pairs(p, q, least))


def _pairs_everywhere(P0: Laws, P1: Laws, least: F = ZERO, **_: object) -> bool:
    listed = [pair for p, q in zip(P0, P1) for pair in _pairs(p, q, least)]
    return all(_bounds(p, q, R, delta) for p, q in zip(P0, P1) for R, delta in listed)


def _own_z(least: F) -> Statement:
    return Statement(
        family=one_step,
        given={SUPPORTS: supported},
        holds=lambda less=ZERO, by=_own_pairs, **instance: by(least=least, **instance, less=less),
        too_strong={
            "a shift smaller by 1/100": {"less": F(1, 100)},
            "P1 against P0": {"by": _pairs_reversed},
            "at every z": {"by": _pairs_everywhere},
        },
        always="a shift is the largest of the differences that it bounds, for all numbers",
    )


LISTED_PAIRS_PRIVATE, PAIRS_PRIVATE = _own_z(ONE), _own_z(ZERO)
EQUAL_PAIRS_PRIVATE = Statement(
    family=one_step,
    given={SUPPORTS: supported, AT_LEAST_1: _at_least_1},
    holds=lambda shift_smaller=False, **instance: (
        (
            _pairs_everywhere(**instance)
            and _pairs_everywhere(P0=instance["P1"], P1=instance["P0"])
            and _pairs_reversed(**instance)
        )
        and (not shift_smaller or (_own_pairs(less=F(1, 100), **instance)))
    ),
    too_strong={"a shift smaller by 1/100": {"shift_smaller": True}},
    too_weak=[AT_LEAST_1],
)


def _printed_shift(p: Pmf, q: Pmf, y: int, R: F) -> F:
    """The maximum over S of sums over S whose summands are those of y, whatever the member."""
    return max(len(S) * p[y] - R * len(S) * q[y] for S in events(len(p)))


def _printed_is_shift(P0: Laws, P1: Laws, W: Sequence[int], more: F = ZERO, **_: object) -> bool:
    return all(
        _printed_shift(p, q, y, p[y] / q[y] + more) == hockey_stick(p, q, p[y] / q[y])
        for p, q in zip(P0, P1)
        for y in W
    )


PRINTED_SHIFT = Statement(
    family=one_step,
    given={SUPPORTS: supported, AT_LEAST_1: _at_least_1},
    holds=_printed_is_shift,
    too_strong={"at a slope smaller by 1/2": {"more": F(-1, 2)}},
    too_weak=[AT_LEAST_1],
)


def _shift_is_sum(P0: Laws, P1: Laws, R: F, part: F = ONE, above: bool = True, **_: object) -> bool:
    for p, q in zip(P0, P1):
        total = part * sum((max(ZERO, a - R * b) for a, b in zip(p, q)), ZERO)
        chosen = [y for y in range(len(p)) if (p[y] >= R * q[y]) == above]
        if not hockey_stick(p, q, R) == total == mass(p, chosen) - R * mass(q, chosen):
            return False
    return True


SHIFT_IS_SUM = Statement(
    family=one_step,
    holds=_shift_is_sum,
    too_strong={
        "half of the sum": {"part": F(1, 2)},
        "attained by the other outcomes": {"above": False},
    },
    always="the maximum of a sum over sets is that of its positive terms, for all numbers",
)


def _ends(P0: Laws, P1: Laws, W: Sequence[int], printed: bool, strictly: bool) -> bool:
    """Whether at every z the smallest shift is at the largest slope, the largest at the smallest;
    strictly: and they differ where slopes do.
    """
    for p, q in zip(P0, P1):
        found = [
            (p[y] / q[y], _printed_shift(p, q, y, p[y] / q[y]) if printed else None) for y in W
        ]
        shifts = [(R, hockey_stick(p, q, R) if each is None else each) for R, each in found]
        first, last = min(shifts), max(shifts)
        if last[1] != min(each for _, each in shifts):
            return False
        if first[1] != max(each for _, each in shifts):
            return False
        if strictly and first[0] < last[0] and first[1] == last[1]:
            return False
    return True


PRINTED_ENDS = Statement(
    family=one_step,
    given={SUPPORTS: supported},
    holds=lambda W, P0, P1, R, strictly=False: _ends(P0, P1, W, printed=True, strictly=strictly),
    too_strong={
        "strictly": {"strictly": True},
    },
    always="the maximum of a sum over sets is that of its positive terms, for all numbers",
)
SHIFT_ENDS = Statement(
    family=one_step,
    given={SUPPORTS: supported},
    holds=lambda W, P0, P1, R, shift_smallest_at=False: (
        (_ends(P0, P1, W, printed=False, strictly=False))
        and (
            not shift_smallest_at
            or (
                all(
                    hockey_stick(p, q, min(slopes(p, q))) <= hockey_stick(p, q, max(slopes(p, q)))
                    for p, q in zip(P0, P1)
                )
            )
        )
    ),
    too_strong={
        "a shift that is smallest at the smallest slope": {"shift_smallest_at": True},
    },
)
MIN_SHIFT_ZERO = Statement(
    family=one_step,
    given={SUPPORTS: supported},
    holds=lambda W, P0, P1, R, level=max, at_smallest_slope=False: all(
        hockey_stick(
            p, q, level(slopes(p, q) if at_smallest_slope else (p[y] / q[y] for y in W if q[y]))
        )
        == 0
        for p, q in zip(P0, P1)
    ),
    too_strong={
        "at the smallest slope": {"level": min, "at_smallest_slope": True},
    },
)


def any_laws(draws: Draws) -> Instance:
    """Any two laws P0 and P1 of one output given z, on one to three outcomes, with zeros and ties,
    equal or on disjoint outcomes at times.
    """
    size = 1 + draws.below(3)
    P0 = tuple(draws.law(size))
    return {"P0": P0, "P1": tuple(draws.law(size)) if draws.below(8) else P0}


def _possible(P0: Pmf, P1: Pmf) -> F:
    return sum((p for p, q in zip(P0, P1) if q), ZERO)


ONE_MINUS_SHIFT = Statement(
    family=any_laws,
    given={"there is a finite slope at z": lambda P0, P1: any(slopes(P0, P1))},
    holds=lambda P0, P1, level=max: (
        _possible(P0, P1) == 1 - hockey_stick(P0, P1, level(slopes(P0, P1)))
    ),
    too_strong={
        "at the smallest slope": {"level": min},
    },
)
