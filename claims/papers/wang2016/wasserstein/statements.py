"""Statements on the infinity Wasserstein distance, the noise calibrated to it, and presence.

Values of queries are integers and e^(epsilon/W) is a rational r, so that the density of
F + Lap(W/epsilon) at an integer is, up to a factor, the sum of P(F = t) r^-|w - t|: its ratios are
most extreme at values of F, where they have their kinks, and beyond them.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    between_neighbours,
    distance,
    held,
    keeps,
    rows,
    secrets,
)
from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most, subsets
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Line = Mapping[int, F]
Coupling = Mapping[tuple[int, int], F]
RATES = [F(2), F(3, 2), F(5), F(11, 10)]


def line_law(draws: Draws, size: int = 3) -> dict[int, F]:
    """Draw a law of up to three integers from -3 to 3."""
    law: dict[int, F] = {}
    for p in draws.law(1 + draws.below(size)):
        t = draws.among([0, 1, -1, 2, -2, 3, -3])
        law[t] = law.get(t, ZERO) + p
    return {t: p for t, p in law.items() if p}


def w_inf(p: Line, q: Line) -> int:
    """Return the least d for which a coupling has no pairs further apart: by the theorem of Hall
    for masses it exists iff every set of values has at most the mass of what is within d of it.
    """
    distances = sorted({abs(s - t) for s, t in product(p, q)})
    sets = [(A, sum(p[s] for s in A)) for A in subsets(p)]
    return next(
        d
        for d in distances
        if all(w <= sum(q[t] for t in q if any(abs(s - t) <= d for s in A)) for A, w in sets)
    )


def two_laws(draws: Draws) -> Instance:
    """Two laws of up to three integers from -3 to 3, often the same."""
    p = line_law(draws)
    return {"p": p, "q": p if draws.below(8) == 7 else line_law(draws)}


def by_quantiles(p: Line, q: Line, backwards: bool = False) -> Coupling:
    """Return the coupling that fills both laws in order; backwards, one of them from its end."""
    left, right = sorted(p.items()), sorted(q.items(), reverse=backwards)
    coupling: dict[tuple[int, int], F] = {}
    masses = [dict(left), dict(right)]
    for s, t in product(masses[0], masses[1]):
        weight = min(masses[0][s], masses[1][t])
        if weight:
            coupling[s, t] = weight
            masses[0][s], masses[1][t] = masses[0][s] - weight, masses[1][t] - weight
    return coupling


def reach(coupling: Coupling) -> int:
    """Return the largest distance of a pair of positive mass."""
    return max(abs(s - t) for s, t in coupling)


QUANTILES = Statement(
    family=two_laws,
    holds=lambda p, q, one_law_from=False: (
        reach(by_quantiles(p, q, True) if one_law_from else by_quantiles(p, q)) == w_inf(p, q)
    ),
    too_strong={"one law from its end": {"one_law_from": True}},
)


def density(law: Line, r: F, w: int) -> F:
    """Return the density of F + Laplace noise at w, up to a factor that all laws share."""
    return sum((p * r ** -abs(w - t) for t, p in law.items()), ZERO)


def _summed(coupling: Coupling, r: F, w: int, place: int) -> F:
    """The sum over a coupling of its mass times the noise at one of its two values."""
    return sum((m * r ** -abs(w - pair[place]) for pair, m in coupling.items()), ZERO)


def coupled(draws: Draws) -> Instance:
    """Two laws of integers, a coupling of them that attains W, or one time in four fills them in
    opposite orders, r = e^(epsilon/W), and a point w from -6 to 6.
    """
    drawn = two_laws(draws)
    coupling = by_quantiles(drawn["p"], drawn["q"], draws.below(4) == 3)
    w = draws.among([0, 1, -1, 2, -2, 3, -3, 6, -6])
    return drawn | {"coupling": coupling, "r": draws.among(RATES), "w": w}


def _quotient(p: Line, q: Line, coupling: Coupling, r: F, w: int, swapped: bool = False) -> bool:
    """Whether the ratio of densities is that of the sums over the coupling, each over pairs within
    W of each other.
    """
    W = w_inf(p, q)
    within = all(abs(s - t) <= W for s, t in coupling)
    sums = _summed(coupling, r, w, int(swapped)) * density(q, r, w) == density(p, r, w) * _summed(
        coupling, r, w, 1 - int(swapped)
    )
    return within and sums


ATTAINED = "the coupling attains W"


def _attains(p: Line, q: Line, coupling: Coupling, r: F, w: int) -> bool:
    return reach(coupling) == w_inf(p, q)


COUPLING = Statement(
    family=coupled,
    given={ATTAINED: _attains},
    holds=_quotient,
    too_strong={"s and t exchanged": {"swapped": True}},
    too_weak=[ATTAINED],
)


def queries(draws: Draws) -> Instance:
    """Up to four databases, two secrets that may overlap, one or two priors with zeros, a query
    with integer values from -3 to 3, ties often, and r = e^(epsilon/W).
    """
    size = 1 + draws.below(4)
    s, t = secrets(draws, size)
    return {
        "priors": [draws.law(size) for _ in range(1 + draws.below(2))],
        "s": s,
        "t": t,
        "query": [draws.among([0, 1, -1, 2, -3]) for _ in range(size)],
        "r": draws.among(RATES),
    }


def _answer(prior: Prior, secret: Secret, query: Sequence[int]) -> dict[int, F] | None:
    """The law of the query given a secret, or None if that is impossible."""
    total, law = held(prior, secret), dict[int, F]()
    for x in secret:
        if prior[x]:
            law[query[x]] = law.get(query[x], ZERO) + prior[x] / total
    return law or None


def _pairs(
    priors: Sequence[Prior], s: Secret, t: Secret, query: Sequence[int]
) -> list[tuple[dict[int, F], dict[int, F]]]:
    both = [(_answer(prior, s, query), _answer(prior, t, query)) for prior in priors]
    return [(p, q) for p, q in both if p and q]


def _private(instance: Any, less: int = 0, first: bool = False) -> bool:
    """Whether F + Lap(W/epsilon) keeps epsilon at all integers from -6 to 6, W the largest distance
    over priors at which both secrets are possible.
    """
    r = instance["r"]
    laws = _pairs(*(instance[each] for each in ("priors", "s", "t", "query")))
    W = max((w_inf(p, q) for p, q in laws[: 1 if first else None]), default=0)
    R = r ** max(0, W - less)
    return all(
        density(p, r, w) <= R * density(q, r, w) and density(q, r, w) <= R * density(p, r, w)
        for p, q in laws
        for w in range(-6, 7)
    )


WASSERSTEIN = Statement(
    family=queries,
    holds=lambda less=0, first=False, **instance: _private(instance, less=less, first=first),
    too_strong={"for W - 1": {"less": 1}, "W of the first prior": {"first": True}},
)
Table = tuple[int, ...]


def people(draws: Draws) -> Instance:
    """One or two people with two or three values, 0 for absence, a query with integer values from
    -3 to 3, and a law for each person.
    """
    count, size = draws.among([(1, 2), (1, 3), (2, 2), (2, 3)])
    tables = list(product(range(size), repeat=count))
    query = {x: draws.among([0, 1, -1, 2, -3]) for x in tables}
    return {"query": query, "margins": draws.rows(count, size, 2)}


def product_laws(margins: Sequence[Sequence[F]], tables: Sequence[Table]) -> list[list[F]]:
    """Return product laws of given and even margins and of people who are certain."""
    size = len(margins[0])
    sure = [[F(i == v) for i in range(size)] for v in range(size)]
    each = [[margin, [F(1, size)] * size, *sure] for margin in margins]
    return [
        [prod((margin[v] for margin, v in zip(chosen, x)), start=ONE) for x in tables]
        for chosen in product(*each)
    ]


@lru_cache(maxsize=16)
def presence_pairs(tables: tuple[Table, ...]) -> list[tuple[Secret, Secret]]:
    """Return the pairs (X_i = x, X_i is absent)."""
    found = []
    for i, v in product(range(len(tables[0])), {v for x in tables for v in x if v}):
        sets = [frozenset(n for n, x in enumerate(tables) if x[i] == each) for each in (v, 0)]
        found.append((sets[0], sets[1]))
    return found


def presence_neighbours(x: Table, y: Table) -> bool:
    """Whether two tables differ in the presence of one person."""
    different = [(v, w) for v, w in zip(x, y) if v != w]
    return len(different) == 1 and 0 in different[0]


def _distance(query: Mapping[Table, int], margins: Sequence[Sequence[F]], sure: bool = True) -> int:
    """W over these product laws."""
    tables = (*query,)
    laws = product_laws(margins, tables)
    values = [query[x] for x in tables]
    found = [
        w_inf(p, q)
        for prior in (laws if sure else laws[:1])
        for s, t in presence_pairs(tables)
        for p, q in _pairs([prior], s, t, values)
    ]
    return max(found, default=0)


def _sensitivity(query: Mapping[Table, int], presence: bool) -> int:
    """GS for tables that differ in the presence of one person, or in one person's value."""
    pairs = [
        (x, y)
        for x, y in product(query, repeat=2)
        if (presence_neighbours(x, y) if presence else sum(map(int.__ne__, x, y)) == 1)
    ]
    return max(abs(query[x] - query[y]) for x, y in pairs)


SENSITIVITY = Statement(
    family=people,
    holds=lambda query, margins, one_law=False, presence=True: (
        (_distance(query, margins, sure=False) if one_law else _distance(query, margins))
        == _sensitivity(query, presence=presence)
    ),
    too_strong={
        "for one law": {"one_law": True},
        "GS for any two values of a person": {"presence": False},
    },
)
BETWEEN = Statement(
    family=people,
    holds=lambda query, margins, gs=False: (
        (
            _distance(query, margins)
            <= _sensitivity(query, presence=False)
            <= 2 * _distance(query, margins)
        )
        and (not gs or (2 * _sensitivity(query, presence=False) <= 3 * _distance(query, margins)))
    ),
    too_strong={"GS <= 3 W/2": {"gs": True}},
    always="the triangle inequality, of all queries",
)


def releases(draws: Draws) -> Instance:
    """One or two people with two or three values, 0 for absence, a mechanism with two outputs, R
    its largest ratio for tables that differ in one person, or in presence, or 3/2 or more, and a
    law for each person.
    """
    count, size = draws.among([(1, 2), (2, 2), (1, 3)])
    tables = list(product(range(size), repeat=count))
    M = rows(draws, len(tables), 2)
    either, presence = (
        between_neighbours(tables, M, each) or F(2) for each in (one_person, presence_neighbours)
    )
    R = draws.among([either, presence, F(3, 2) + F(draws.below(4), 2)])
    return {"tables": tables, "M": M, "R": R, "margins": draws.rows(count, size, 2)}


def one_person(x: Table, y: Table) -> bool:
    """Whether two tables differ in one person."""
    return distance(x, y) == 1


def _presence(
    tables: Sequence[Table],
    M: Rows,
    R: F,
    margins: Rows,
    dp: Callable[[Sequence[int], Sequence[int]], bool],
) -> bool:
    kept = keeps(product_laws(margins, tables), presence_pairs(tuple(tables)), M, R)
    return kept == at_most(between_neighbours(tables, M, dp), R)


PRESENCE_IS_DP = Statement(
    family=releases,
    holds=lambda tables, M, R, margins, dp=presence_neighbours: _presence(
        tables, M, R, margins, dp
    ),
    too_strong={
        "for any two values of a person": {"dp": one_person},
        "for any two tables": {"dp": lambda x, y: x != y},
    },
)
