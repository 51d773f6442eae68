"""Statements on differential privacy as a special case, and on global sensitivity."""

from collections.abc import Mapping, Sequence
from itertools import product

from pufferproof.claims.language.instances.frameworks import Rows, Secret, between_neighbours, keeps
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.wang2016.wasserstein.statements import (
    Table,
    one_person,
    product_laws,
    releases,
)

F = Fraction
VALUES = [F(0), F(1), F(-1), F(2), F(1, 2)]


def _secrets(tables: Sequence[Table]) -> list[tuple[Secret, Secret]]:
    """All pairs of S x S: any two people, any values."""
    sets = [
        frozenset(n for n, x in enumerate(tables) if x[i] == v)
        for i in range(len(tables[0]))
        for v in sorted({x[i] for x in tables})
    ]
    return [(s, t) for s, t in product(sets, repeat=2) if s != t]


def _pufferfish(tables: Sequence[Table], M: Rows, R: F, margins: Rows) -> bool:
    return keeps(product_laws(margins, tables), _secrets(tables), M, R)


PUFFERFISH = "M is epsilon-Pufferfish for Q = S x S"
BRINGS_DP = Statement(
    family=releases,
    given={PUFFERFISH: _pufferfish},
    holds=lambda tables, M, R, margins, factor=ONE: at_most(
        between_neighbours(tables, M, one_person), max(ONE, factor * R)
    ),
    too_strong={"at 99/100 of e^epsilon": {"factor": ALMOST}},
    too_weak=[PUFFERFISH],
)


Point = tuple[F, ...]


def answers(draws: Draws) -> Instance:
    """One or two people with two or three values, a query with one or two real entries, ties often,
    and an output w.
    """
    count, size = draws.among([(1, 2), (2, 2), (1, 3)])
    entries = 1 + draws.below(2)

    def point() -> Point:
        return tuple(draws.among(VALUES) for _ in range(entries))

    return {"query": {x: point() for x in product(range(size), repeat=count)}, "w": point()}


def _apart(x: Point, y: Point) -> F:
    return sum((abs(a - b) for a, b in zip(x, y)), ZERO)


def _neighbours(query: Mapping[Table, Point]) -> list[tuple[Point, Point]]:
    return [(query[x], query[y]) for x, y in product(query, repeat=2) if one_person(x, y)]


def _keeps(query: Mapping[Table, Point], w: Point, share: F = ONE) -> bool:
    """Whether the densities exp(-epsilon |w - F(D)|/GS) keep epsilon at w, and at F(D) of every
    D: the exponents differ by at most epsilon.
    """
    GS = share * max(_apart(x, y) for x, y in _neighbours(query))
    return all(
        _apart(at, y) - _apart(at, x) <= GS
        for at in [w, *query.values()]
        for x, y in _neighbours(query)
    )


GLOBAL_SENSITIVITY = Statement(
    family=answers,
    given={"GS(F) > 0": lambda query, w: any(_apart(x, y) for x, y in _neighbours(query))},
    holds=_keeps,
    too_strong={"with 99/100 of GS": {"share": ALMOST}},
    always="the triangle inequality, of all answers",
)


def counts(draws: Draws) -> Instance:
    """One to three people or entries with one of one to three values."""
    return {"n": 1 + draws.below(3), "bins": 1 + draws.below(3)}


def _norms(n: int, bins: int, count: int = 1) -> bool:
    """Whether GS is 1 for the number of ones of n bits, and 2 for histograms with two bins or
    more.
    """
    bits: dict[Table, Point] = {x: (F(sum(x)),) for x in product((0, 1), repeat=n)}
    histograms: dict[Table, Point] = {
        x: tuple(F(x.count(v)) for v in range(bins)) for x in product(range(bins), repeat=n)
    }
    one, two = (
        max((_apart(x, y) for x, y in _neighbours(each)), default=ZERO)
        for each in (bits, histograms)
    )
    return one == count and two == 2


SEVERAL_BINS = "at least two bins"
COUNT_AND_HISTOGRAM = Statement(
    family=counts,
    given={SEVERAL_BINS: lambda n, bins: bins >= 2},
    holds=_norms,
    too_strong={"GS = n for the count": lambda n, **_: {"count": n}},
    too_weak=[SEVERAL_BINS],
)
