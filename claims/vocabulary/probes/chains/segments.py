"""Probes of queries on segments of chains with a gap, and how these are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import segments
from pufferproof.claims.vocabulary.entries.quilts.chains import LEVEL_AT_MOST, Release, tables_of
from pufferproof.claims.vocabulary.families import CLOSE
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.gaps import low
from pufferproof.claims.vocabulary.probes.chains.mechanisms import rate
from pufferproof.claims.vocabulary.probes.quilts.chains import RHO, A, n, run
from pufferproof.claims.vocabulary.probes.quilts.segments import a, b, c, first, last, levels

F = Fraction


def part(draws: Draws, first: int, last: int, number: int) -> list[int]:
    """Draw the sum of some records of a segment of bits, or the value of one."""
    some = draws.several(range(first, min(last + 1, number)))
    if draws.whether():
        some = some[:1]
    return [sum(table[k] for k in some) for table in tables_of(2, number)]


def segment(draws: Draws) -> Instance:
    """Two to five bits, a segment of them, which may be empty, a query of it or of all of them, and
    a rate that is often small; the level of the query is often the least for which a quilt inside
    scores.
    """
    number = 2 + draws.below(4)
    ends = draws.below(2), number - 1 - draws.below(2)
    asked = ends if draws.below(3) else (0, number - 1)
    found = Release(1, part(draws, *asked, number), draws.among([F(2), F(4)]), draws.among([*RHO]))
    lowest, r = F(1, 2 + draws.below(2)), draws.among([F(0), F(1, 16), F(1, 8), F(1, 2)])
    [(least, _)] = segments.SCORED_INSIDE.value(found, lowest, r, number, *ends)
    if draws.below(5):
        found = found._replace(ratio=least * draws.among([*CLOSE]))
    return {**{"A": 2, "n": number, "run": found, "low": lowest, "r": r}, **{"first": ends[0], "last": ends[1]}}


USING = "Chains Segments Powers Spectra Mechanisms FarSegments"
PROBES = [
    Probe(
        "a query reads a segment",
        segments.QUERY_READS(run, first, last, A, n),
        "A",
        segment,
        {"a query reads a segment": lambda run, i, j, A, n: segments.QUERY_READS.value(run, i + 1, j, A, n)},
        USING,
    ),
    Probe(
        "a quilt inside a segment scores",
        segments.SCORED_INSIDE(run, low, rate, n, first, last),
        "A",
        segment,
        {
            "a quilt inside a segment scores": lambda run, low, s, n, i, j: segments.SCORED_INSIDE.value(
                run, low, s * s, n, i, j
            )
        },
        USING,
    ),
    Probe(
        "larger of two levels",
        LEVEL_AT_MOST(segments.LARGER_LEVEL(a, b), c),
        "",
        levels,
        {"larger of two levels": lambda a, b: a},
        USING,
    ),
]
