"""Probes of sets of outputs and regions in the plane."""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.streams import regions
from pufferproof.claims.vocabulary.families import Rows, rarely, signed, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, neighbours, worlds
from pufferproof.claims.vocabulary.terms import Entry, letter

F = Fraction
M, ratio, delta = (letter("M", mechanism("D", "W")), letter("ratio", NUMBER), letter("delta", NUMBER))
N, C = letter("N", neighbours("D")), letter("C", worlds("D"))


def _rows(draws: Draws, size: int, outputs: int) -> Rows:
    """Draw laws, one row in eight with another sum."""
    return [vector(draws, outputs) if rarely(draws) else [*draws.law(outputs, 3)] for _ in range(size)]


def tables(draws: Draws) -> Instance:
    """1 to 3 databases, 1 to 3 outputs, none to three pairs of neighbours, R of 0 to 3; delta is
    the least one for which these pairs keep the promise in both orders, or a number from 0 to 1;
    rows now and then have another sum, or a negative entry.
    """
    size, outputs = 1 + draws.below(3), 1 + draws.below(3)
    rows = [vector(draws, outputs) if rarely(draws) else [*draws.law(outputs, 3)] for _ in range(size)]
    if rarely(draws):
        rows = signed(draws, rows)
    pairs = [(draws.below(size), draws.below(size)) for _ in range(draws.below(4))]
    ratio = draws.among([F(1), F(2), F(3, 2), F(3), F(0), F(1, 2)])
    least = _least_shift(ratio, [(rows[x], rows[y]) for x, y in pairs])
    return {
        "D": size,
        "W": outputs,
        "M": rows,
        "ratio": ratio,
        "delta": draws.among([least, least, F(0), F(1, 4), F(1)]),
        "neighbours": pairs,
    }


def _least_shift(ratio: Fraction, pairs: list[tuple[list[Fraction], list[Fraction]]]) -> Fraction:
    both = [*pairs, *((Q, P) for P, Q in pairs)]
    return max([F(0), *(a - b for P, Q in both for a, b in regions.near(ratio, F(0), P, Q))])


def two_worlds(draws: Draws) -> Instance:
    """2 or 3 databases, 1 to 3 outputs, none to two triples of a law with zeros, an alternative and
    an event, R of 0 to 3; delta is often the least one for a triple in both orders; rows now and
    then have another sum.
    """
    size, outputs = 2 + draws.below(2), 1 + draws.below(3)
    rows = [vector(draws, outputs) if rarely(draws) else [*draws.law(outputs, 3)] for _ in range(size)]
    triples = [([*draws.law(size, 3)], _rows(draws, size, size), subset(draws, size)) for _ in range(draws.below(3))]
    ratio = draws.among([F(1), F(2), F(3, 2), F(3), F(0)])
    found = {"D": size, "W": outputs, "M": rows, "ratio": ratio, "worlds": triples}
    compared = regions.COUPLED.value(rows, ratio, F(0), triples)
    least = max([F(0), *(a - b for a, b in compared)])
    return {**found, "delta": draws.among([least, least, F(0), F(1, 4), F(1)])}


def _pairs(draws: Draws) -> Instance:
    """As above, with at least one pair, and a shift that is the least one or just below."""
    found = tables(draws)
    pairs = found["neighbours"] or [(0, found["D"] - 1)]
    below = draws.among([F(0), F(0), F(1, 4), F(1, 50)])
    return {**found, "N": pairs, "delta": found["delta"] - below}


def _triples(draws: Draws) -> Instance:
    found = two_worlds(draws)
    below = draws.among([F(0), F(0), F(1, 4), F(1, 50)])
    return {**found, "C": found["worlds"], "delta": found["delta"] - below}


def _first_order(entry: Entry) -> Callable[..., object]:
    """The same at the first pair or triple alone."""
    return lambda M, ratio, delta, listed: entry.value(M, ratio, delta, listed[:1])


def _tied(entry: Entry, family: Any, listed: Any) -> Probe:
    term = entry(M, ratio, delta, listed)
    return Probe(entry.name, term, "D W", family, {entry.name: _first_order(entry)}, USING)


USING = "Planes"
PROBES = [
    Probe(
        "rows of sum 1",
        regions.ROWS_TOTAL(M),
        "D W",
        tables,
        {"rows of sum 1": lambda M: ((sum(M[0], F(0)), F(1)) for _ in M)},
        USING,
    ),
    Probe(
        "both ways",
        regions.APPROXIMATE(M, ratio, delta, regions.BOTH_WAYS(N)),
        "D W",
        _pairs,
        {"both ways": lambda pairs: pairs},
        USING,
    ),
    Probe(
        "alternatives of sum 1",
        regions.ALTERNATIVES_TOTAL(C),
        "D",
        _triples,
        {"alternatives of sum 1": lambda worlds: regions.ALTERNATIVES_TOTAL.value(worlds[:1])},
        USING,
    ),
    *(
        _tied(each, _pairs, N)
        for each in (
            regions.APPROXIMATE,
            regions.INEQUALITIES,
            regions.ONE_INEQUALITY,
            regions.POSITIVE_PARTS,
            regions.REGIONS_ALLOWED,
            regions.HULL_ALLOWED,
            regions.SQUARE_ALLOWED,
        )
    ),
    *(_tied(each, _triples, C) for each in (regions.COUPLED, regions.INEQUALITIES_GIVEN)),
]
