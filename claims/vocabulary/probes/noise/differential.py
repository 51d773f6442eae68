"""Probes of levels between neighbours and of exponential mechanisms."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition.conditions import (
    MECHANISMS_OF,
    PRODUCT_OF_LEVELS,
    RELEASES,
    Joint,
)
from pufferproof.claims.vocabulary.entries.noise import differential
from pufferproof.claims.vocabulary.entries.noise.differential import scores
from pufferproof.claims.vocabulary.entries.records.curves import distance
from pufferproof.claims.vocabulary.families import CLOSE, Rows, channel, rarely, signed
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records import curves
from pufferproof.claims.vocabulary.sorts import LEVEL, NUMBER, levelled, mechanism, neighbours, tables
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
ratio, N = letter("ratio", NUMBER, "R"), letter("neighbours", neighbours("D"), "N")
M, Ns = letter("M", mechanism("D", "W")), letter("Ns", tables("W", "D", "V"), "K")
Es = letter("Es", levelled("D", "W"), "M")
u, eps = letter("u", scores("D", "W")), letter("eps", LEVEL)
CHANCES = [F(1, 2), F(1, 4), F(1), F(1, 8), F(0)]
WEIGHTS = [F(1), F(2), F(4), F(3), F(1, 2)]


def least(rows: Rows, pairs: list[tuple[int, int]]) -> Fraction:
    """Return the least ratio at neighbours, or 2 if there is none."""
    found = [F(1, 8)]
    for x, y in pairs:
        found += [a / b if b > 0 else F(2) for a, b in zip(rows[x], rows[y]) if a > 0]
    return max(found)


def _rows(draws: Draws, size: int) -> Rows:
    rows = [[draws.among(CHANCES) for _ in range(2)] for _ in range(size)]
    return rows if draws.below(3) else [[*rows[0]] for _ in rows]


def drawn(draws: Draws) -> Instance:
    """One to three databases with pairs of neighbours, often few; one or two mechanisms with two
    outputs, zeros and ties often, now and then negative, each with its least ratio or close to it;
    two mechanisms that the output of the first chooses from, with one ratio; a processing.
    """
    size, count = 1 + draws.below(3), 1 + draws.below(2)
    every = [(x, y) for x in range(size) for y in range(size)]
    pairs = draws.several(every) or every[:1]
    Ms = [signed(draws, _rows(draws, size)) for _ in range(count)]
    seconds = [signed(draws, _rows(draws, size)) for _ in range(2)]
    factors = [draws.among(CLOSE) for _ in range(3)]
    levels = [least(each, pairs) * off for each, off in zip(Ms, factors)]
    return {
        **{"D": size, "W": 2, "V": 2, "neighbours": pairs, "M": Ms[0], "ratio": levels[0]},
        **{"Es": [*zip(Ms, levels)], "Ns": seconds, "K": signed(draws, channel(draws, 2, 2))},
        "second": max(least(each, pairs) for each in seconds) * factors[2],
    }


def scored(draws: Draws) -> Instance:
    """The tables, priors and pairs of a curve; two outputs with scores ln 1/2 to ln 4, often the
    same for all tables; neighbours, mostly the tables that differ in one cell, or more, or fewer;
    twice the most that these change a score, or close to it.
    """
    found = curves.drawn(draws)
    size, X = found["D"], found["X"]
    rows = [[draws.among(WEIGHTS) for _ in range(2)] for _ in range(size)]
    rows = rows if draws.below(4) else [[*rows[0]] for _ in rows]
    every = [(x, y) for x in range(size) for y in range(size)]
    near = [(x, y) for x, y in every if distance(X, x, y) == 1]
    pairs = draws.among([near, near, near, [(x, y) for x, y in every if x != y]])
    if rarely(draws):
        pairs = draws.several(every)
    changes = [(a / b) ** 2 for x, y in pairs for a, b in zip(rows[x], rows[y])]
    changes += [(b / a) ** 2 for x, y in pairs for a, b in zip(rows[x], rows[y])]
    level = Log(max([F(1), *changes]) * draws.among(CLOSE))
    return {**found, "neighbours": pairs, "u": [[Log(each) for each in row] for row in rows], "eps": level}


PROBES = [
    Probe(
        "close at neighbours",
        differential.CLOSE(ratio, M, N),
        "D W",
        drawn,
        {"close at neighbours": lambda R, M, N: differential.CLOSE.value(R, M, [(y, x) for x, y in N])},
        "Neighbours",
    ),
    Probe(
        "close at neighbours, together",
        differential.CLOSE(PRODUCT_OF_LEVELS(Es), RELEASES(MECHANISMS_OF(Es)), N),
        "D W",
        drawn,
        {"releases": lambda Ms: Joint([*Ms, *Ms])},
        "Neighbours",
    ),
    Probe(
        "chosen by the first output",
        differential.CLOSE(ratio, differential.CHOSEN(M, Ns), N),
        "D W V",
        drawn,
        {"chosen by the first output": lambda M, Ns: differential.CHOSEN.value(M, Ns[::-1])},
        "Neighbours",
    ),
    Probe(
        "exponential mechanism",
        differential.CLOSE(ratio, differential.EXPONENTIAL(u), N),
        "D W",
        lambda draws: _with_ratio(draws, scored(draws)),
        {"exponential mechanism": lambda u: [[each.of for each in row] for row in u]},
        "Neighbours",
    ),
    Probe(
        "sensitivity of scores",
        differential.SENSITIVE(eps, u, N),
        "D W",
        scored,
        {"sensitivity of scores": lambda eps, u, N: ((a.of, eps.of * b.of) for x, y in N for a, b in zip(u[x], u[y]))},
        "Neighbours",
    ),
    Probe(
        "tables that differ in one cell",
        differential.ONE_CELL(curves.X, N),
        "I D V",
        scored,
        {"tables that differ in one cell": lambda X, N: differential.ONE_CELL.value(X[:1], N)},
        "Neighbours Curves",
    ),
]


def _with_ratio(draws: Draws, found: Instance) -> Instance:
    """Add a ratio that is the least of the exponential mechanism, or close to it."""
    rows = differential.EXPONENTIAL.value(found["u"])
    return {**found, "ratio": least(rows, found["neighbours"]) * draws.among(CLOSE)}
