"""Theorem III.3 as repaired, said once: two queries on disjoint segments of chains with a gap."""

from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.papers.song2017.said import T1, T2, T3, T4, other_ends
from pufferproof.claims.vocabulary.entries.chains import gaps
from pufferproof.claims.vocabulary.entries.chains.mechanisms import GAPS, LAWS_AT_REST
from pufferproof.claims.vocabulary.entries.chains.segments import (
    LARGER_LEVEL,
    QUERY_READS,
    SCORED_INSIDE,
)
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP, NATURAL_LESS
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    LEVEL_OF,
    MOVES,
    NOISY,
    Release,
    tables_of,
)
from pufferproof.claims.vocabulary.entries.quilts.segments import EITHER, TOGETHER, VALUES_IN
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.chains.gaps import GRID, flows, low
from pufferproof.claims.vocabulary.probes.chains.mechanisms import C, rate
from pufferproof.claims.vocabulary.probes.chains.segments import part
from pufferproof.claims.vocabulary.probes.quilts.chains import RHO, A, n, run
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.terms import Sort, Term, letter

F = Fraction
APART, NEIGHBOURS = (0, 2, 4, 6), (0, 2, 3, 5)
SHARED, SAME = (0, 2, 2, 4), (0, 2, 0, 2)


def two_queries(draws: Draws) -> Instance:
    """A chain of bits that is often memoryless, two segments of three records, with a record
    between them or none, or one time in eight with some in both, and a query of each, which one
    time in eight reads all records or moves too much; its level is often the least for which a
    quilt inside scores.
    """
    ends = draws.among([APART, NEIGHBOURS, NEIGHBOURS])
    if rarely(draws):
        ends = draws.among([SHARED, SAME])
    pi, P = ([F(1, 2)] * 2, [[F(1, 2)] * 2] * 2) if draws.whether() else flows(draws, 2)
    shrinks = next((r for r in GRID[:-1] if min(pi) > 0 and gaps.shrinks(pi, P, r)), GRID[-2])
    found: Instance = {
        **{"A": 2, "n": max(ends) + 1, "class": [(pi, ([*draws.law(2, 3)], P))]},
        **{"r": F(0) if rarely(draws) else shrinks, "low": min(pi) * draws.among([F(1), F(1, 2)])},
        **dict(zip(("T1", "T2", "T3", "T4"), ends)),
    }
    return {
        **found,
        **{"alice": _asked(draws, found, *ends[:2]), "bob": _asked(draws, found, *ends[2:])},
    }


def _asked(draws: Draws, at: Instance, first: int, last: int) -> Release:
    start, end = (0, at["n"] - 1) if rarely(draws) else (first, last)
    times = 1 + rarely(draws)
    numerators = [each * times for each in part(draws, start, end, at["n"])]
    found = Release(1, numerators, F(4), draws.among([*RHO]))
    inside = SCORED_INSIDE.value(found, at["low"], at["r"], at["n"], first, last)
    [(least, _)] = inside
    return found._replace(ratio=least * draws.among([*CLOSE]))


def _query(name: str, shown: str) -> Term:
    sort = run.sort or Sort("", "")
    words = sort.words.replace("_r", f"_{shown}")
    return letter(name, replace(sort, words=words), shown)


def _of_one(k: int, parts: int, steps: int, rho: Fraction) -> Release:
    """Return a query of one of six bits, with the level for a quilt of its neighbours alone."""
    numerators = [steps * table[k] for table in tables_of(2, 6)]
    return Release(parts, numerators, 1 / rho**parts, rho)


FAIR_BITS: Instance = {
    **{"A": 2, "n": 6, "class": [([F(1, 2)] * 2, ([F(1, 2)] * 2, [[F(1, 2)] * 2] * 2))]},
    **{"r": F(0), "low": F(1, 2), "T1": 0, "T2": 2, "T3": 3, "T4": 5},
}
STEEP = [
    {**FAIR_BITS, "alice": _of_one(1, 100, 101, F(99, 100)), "bob": _of_one(4, 1, 1, F(1, 2))},
    {**FAIR_BITS, "alice": _of_one(1, 1, 1, F(1, 2)), "bob": _of_one(4, 100, 101, F(99, 100))},
]
"""A query that changes by 101/100."""
ALICE, BOB = _query("alice", "a"), _query("bob", "b")
SEGMENTS = VALUES_IN(T1, T2, A, n), VALUES_IN(T3, T4, A, n)
FAR_SEGMENTS = Proposition(
    "chains.FarSegments.estimated_segments",
    "A",
    [n, T1, T2, T3, T4, C, low, rate, ALICE, BOB],
    [
        *(GAPS(C, low, rate), MOVES(ALICE), MOVES(BOB)),
        *(QUERY_READS(ALICE, T1, T2, A, n), QUERY_READS(BOB, T3, T4, A, n)),
        NATURAL_LESS(T2, T3),
        SCORED_INSIDE(ALICE, low, rate, n, T1, T2),
        SCORED_INSIDE(BOB, low, rate, n, T3, T4),
    ],
    KEEPS(
        EXP(LARGER_LEVEL(LEVEL_OF(ALICE), LEVEL_OF(BOB))),
        TOGETHER(NOISY(ALICE), NOISY(BOB)),
        EITHER(*SEGMENTS),
        LAWS_AT_REST(C, n, A),
    ),
    two_queries,
    STEEP,
    decidable="A",
    survivors={
        **dict.fromkeys(
            (
                f"hypothesis {k}, for some, not for all [a quilt inside a segment scores]"
                for k in (7, 8)
            ),
            "equivalent: it is one inequality",
        ),
        **other_ends(
            "equivalent: a quilt that scores is borrowed by every record of the chain",
            {
                own: (
                    f"{own} + 1",
                    *(each for each in ("n", "T1", "T2", "T3", "T4") if each != own),
                )
                for own in ("T1", "T2", "T3", "T4")
            },
        ),
    },
)
