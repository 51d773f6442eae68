"""Statements on central mechanisms, which choose the set of released records given all of them.

A mechanism is a law for every database: the probability of every set of shown records.
"""

from collections.abc import Mapping, Sequence
from itertools import product

from pufferproof.claims.language.instances.chains import Path, given_values
from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most, largest_ratio
from pufferproof.claims.language.instances.redaction import STAR, Bits, pointwise, stepped
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

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
