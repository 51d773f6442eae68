"""Statements on central mechanisms, which choose the set of released records given all of them.

A mechanism is a law for every database: the probability of every set of shown records.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from pufferproof.claims.language.instances.chains import Path, given_values
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most, largest_ratio
from pufferproof.claims.language.instances.redaction import (
    ORDERED,
    STAR,
    Bits,
    bits,
    is_ordered,
    pointwise,
    stationary,
    stepped,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.redaction.statements.optima import level, near

F = Fraction
Law = Mapping[Path, F]
Shown = tuple[int, ...]
Central = Mapping[Path, Mapping[Shown, F]]


def central_leakage(law: Law, mechanism: Central, p: int) -> F | None:
    """Return e^Lk about X_p of the database with * for what is not shown; None for infinite."""
    laws = []
    for part in given_values(law, p).values():
        found: dict[Path, F] = {}
        for x, weight in part.items():
            for shown, chance in mechanism[x].items():
                y = tuple(v if t in shown else STAR for t, v in enumerate(x, 1))
                if chance:
                    found[y] = found.get(y, ZERO) + weight * chance
        laws.append(found)
    return largest_ratio(laws)


def central_shows(law: Law, mechanism: Central, p: int | None = None) -> F:
    """Return the expected number of records that are shown, or the probability that X_p is."""
    return sum(
        (
            weight * chance * (len(shown) if p is None else p in shown)
            for x, weight in law.items()
            for shown, chance in mechanism[x].items()
        ),
        ZERO,
    )


def any_central(draws: Draws) -> Instance:
    """Any law of one or two records of two or three values, with zeros and certain records, a
    private record, and a central mechanism, or a local one, that shows it now and then.
    """
    size, n = draws.among([(2, 1), (3, 1), (2, 2)])
    paths = list(product(range(size), repeat=n))
    law = {x: q for x, q in zip(paths, draws.law(len(paths), 2)) if q}
    p, sets = 1 + draws.below(n), [(), (1,), (2,), (1, 2)][: 2**n]
    often = [shown for shown in sets if p not in shown] if draws.below(3) else sets
    if draws.whether():
        mechanism = {x: dict(zip(often, draws.law(len(often), 2))) for x in law}
    else:
        rows = [[draws.among([ONE, ZERO, F(1, 2)]) for _ in range(size)] for _ in range(n)]
        mechanism = {x: _coins([1 - row[v] for row, v in zip(rows, x)]) for x in law}
    return {"law": law, "mechanism": mechanism, "p": p}


def _coins(chances: Sequence[F]) -> dict[Shown, F]:
    """The law of the set of records, each shown by itself."""
    law: dict[Shown, F] = {(): ONE}
    for t, chance in enumerate(chances, 1):
        shown = {(*old, t): weight * chance for old, weight in law.items()}
        law = {old: weight * (1 - chance) for old, weight in law.items()} | shown
    return law


UNCERTAIN, FINITE = "X_p has at least two possible values", "the leakage is finite"
CENTRAL_OWN = Statement(
    family=any_central,
    given={
        UNCERTAIN: lambda law, mechanism, p: len(given_values(law, p)) > 1,
        FINITE: lambda law, mechanism, p: central_leakage(law, mechanism, p) is not None,
    },
    holds=lambda law, mechanism, p, other=False: (
        not central_shows(law, mechanism, len(next(iter(law))) + 1 - p if other else p)
    ),
    too_strong={"nor the other of two records": {"other": True}},
    too_weak=[UNCERTAIN, FINITE],
)


def two_outputs(draws: Draws) -> Instance:
    """A stationary chain of two bits, mostly a <= b, any eigenvalue, a level at, between or near
    the influences, and a central mechanism about X_1 that never shows X_1: drawn, or near the best.
    """
    of = bits(draws)
    R = level(draws, of)
    share = draws.among([ONE, ALMOST, F(1, 2)])
    best = draws.among(_candidates(of, R))
    drawn = [F(draws.below(5), 4) for _ in range(4)]
    chances = drawn if draws.below(3) == 2 else [share * each for each in best]
    return {"of": of, "R": R, "chances": chances}


def _step(of: Bits) -> list[F]:
    return [each for row in stepped(of, 1) for each in row]


def _central_two(of: Bits, chances: Sequence[F]) -> Central:
    """The mechanism that shows X_2 with a chance for each value of X_1, X_2."""
    return {
        x: {(2,): chance, (): 1 - chance} for x, chance in zip(product((0, 1), repeat=2), chances)
    }


def _candidates(of: Bits, R: F) -> list[list[F]]:
    """Chances at which each bound is attained, where they are probabilities: P(X_2 = v shown | X_1
    = u) is R times or once the smaller one of the two, or all but what makes * just private.
    """
    (a, b), one = of, 1
    points = [
        [R * b, a, b, R * a],
        [one - (1 - b) / R, a, b, R * a],
        [one - a, R * (1 - b), R * (1 - a), 1 - b],
        [one - a, R * (1 - b), 1 - a / R, 1 - b],
    ]
    found = [[shown / p for shown, p in zip(point, _step(of))] for point in points]
    return [[ONE] * 4, *(each for each in found if all(0 <= c <= 1 for c in each))]


def bound(of: Bits, R: F) -> F:
    """Return min(1, U, V), and 1 for lam = 0."""
    (a, b), total = of, sum(of)
    if total == 1:
        return ONE
    if total < 1:
        U = R * (a**2 + b**2) + 2 * a * b
        V = b * (1 + a - (1 - b) / R) + a * (b + R * a)
    else:
        U = b * (1 - a + R * (1 - b)) + a * (R * (1 - a) + 1 - b)
        V = b * (1 - a + R * (1 - b)) + a * (2 - b - a / R)
    return min(ONE, U / total, V / total)


def _kept(of: Bits, R: F, chances: Sequence[F]) -> F | None:
    """What the mechanism shows if it keeps R."""
    law, mechanism = stationary(of, 2), _central_two(of, chances)
    kept = at_most(central_leakage(law, mechanism, 1), R)
    return central_shows(law, mechanism) if kept else None


def _best_shown(of: Bits, R: F) -> F:
    """What the best of the candidates shows."""
    return max(_kept(of, R, chances) or ZERO for chances in _candidates(of, R))


def _optimal(of: Bits, R: F, chances: Sequence[F], share: F = ONE) -> bool:
    shown = _kept(of, R, chances)
    return (shown is None or shown <= share * bound(of, R)) and _best_shown(of, R) == bound(of, R)


POSITIVE, NEGATIVE = "lam > 0", "lam < 0"
CENTRAL_POSITIVE = Statement(
    family=two_outputs,
    given={ORDERED: is_ordered, POSITIVE: lambda of, R, chances: sum(of) < 1},
    holds=_optimal,
    too_strong={"99/100 of it": {"share": ALMOST}},
    too_weak=[ORDERED],
)
CENTRAL_NEGATIVE = Statement(
    family=two_outputs,
    given={ORDERED: is_ordered, NEGATIVE: lambda of, R, chances: sum(of) > 1},
    holds=_optimal,
    too_strong={"99/100 of it": {"share": ALMOST}},
    too_weak=[ORDERED],
)


def local_best(of: Bits, R: F) -> F:
    """Return what the best local mechanism for X_2 shows about X_1: a value with an influence above
    R never, one alone as often as * allows, both always.
    """
    allowed = [v for v in (0, 1) if at_most(pointwise(of, 1, v), R)]
    if len(allowed) != 1:
        return F(len(allowed), 2)
    (v,), rows = allowed, stepped(of, 1)
    least = ZERO  # P(*|x) = P(v|x) q + P(1-v|x) is affine in q
    for x in (0, 1):
        low = R * rows[1 - x][1 - v] - rows[x][1 - v]
        slope = R * rows[1 - x][v] - rows[x][v]
        if low < 0:
            least = max(least, -low / slope)
    a, b = of
    return (b, a)[v] / (a + b) * (1 - least)


def _more(of: Bits, R: F, chances: Sequence[F], lead: F = ZERO) -> bool:
    return _best_shown(of, R) > local_best(of, R) + lead


BELOW, REACHED = "eps < i1(1)", "eps >= i1(1)"
LOCALITY_BELOW = Statement(
    family=two_outputs,
    given={ORDERED: is_ordered, BELOW: lambda of, R, chances: R < near(of)[1]},
    holds=lambda of, R, chances, record=False: (
        (_more(of, R, chances) and sum(of) != 1)
        and (not record or (_more(of, R, chances, F(1, 10))))
    ),
    too_strong={
        "by 1/10 of a record": {"record": True},
    },
    too_weak=[ORDERED, BELOW],
)
LOCALITY_REACHED = Statement(
    family=two_outputs,
    given={ORDERED: is_ordered, REACHED: lambda of, R, chances: R >= near(of)[1]},
    holds=lambda of, R, chances, strictly=False: (
        ((_kept(of, R, chances) or ZERO) <= local_best(of, R))
        and (not strictly or ((_kept(of, R, chances) or ZERO) < local_best(of, R)))
    ),
    too_strong={
        "strictly": {"strictly": True},
    },
    too_weak=[REACHED],
)


def _difference(of: Bits, R: F, chances: Sequence[F], most: F = ONE) -> bool:
    """Whether the difference is below 1 record, at eps = 0 1 - |lam|, and above 99/100 for a small
    eigenvalue.
    """
    shown = max(_kept(of, R, chances) or ZERO, _best_shown(of, R))
    lam, perfect = abs(1 - of[0] - of[1]), _best_shown(of, ONE) - local_best(of, ONE)
    small = of[1] * F(999, 1000), 1 - of[1]
    return (
        shown - local_best(of, R) < most
        and (not lam or perfect == 1 - lam)
        and _best_shown(small, ONE) - local_best(small, ONE) > ALMOST
    )


MOST_DIFFERENCE = Statement(
    family=two_outputs,
    given={ORDERED: is_ordered},
    holds=_difference,
    too_strong={"below 3/4": {"most": F(3, 4)}},
)
