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
    too_strong={"at the smallest slope": {"level": min}},
)
