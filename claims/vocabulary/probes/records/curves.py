"""Probes of influence curves of cells."""

from itertools import product
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP, LEVEL_TIMES
from pufferproof.claims.vocabulary.entries.foundations.promise import Rows, weight
from pufferproof.claims.vocabulary.entries.records import curves
from pufferproof.claims.vocabulary.entries.records.curves import distance, hidden_sets, shown
from pufferproof.claims.vocabulary.families import CLOSE, rarely, signed, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL, NUMBER, cells, mechanism, member, pairs, priors
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
I, D = set_named("I"), set_named("D")
X, b = letter("X", cells("D", "I", "V")), letter("b", NATURAL)
ratio, factor = letter("ratio", NUMBER, "R"), letter("factor", NUMBER, "A")
M, eps = letter("M", mechanism("D", "W")), letter("eps", LEVEL)
x, y = letter("x", member("D", "a table in D")), letter("y", member("D", "a table in D"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
SHAPES = [(2,), (2, 2), (2, 2), (3,), (2, 3)]
CHANCES = [F(1, 2), F(1, 4), F(1), F(1, 8), F(0)]


def level(X: curves.Cells, rows: Rows) -> Fraction:
    """Return the least level for one cell, or 2 if there is none."""
    found = [F(1)]
    for x, y in product(range(len(rows)), repeat=2):
        if distance(X, x, y) == 1:
            found += [a / c if c > 0 else F(2) for a, c in zip(rows[x], rows[y]) if a > 0]
    return max(found)


def star(X: curves.Cells, most: int, both: Any, laws: object) -> Fraction:
    """Return the least factor of the point of a curve, or 2 if there is none."""
    found = [F(1)]
    for s, t in both:
        some = [_factor(X, hidden, s, t, laws) for hidden in hidden_sets(X, most)]
        found.append(min((each for each in some if each is not None), default=F(2)))
    return max(found)


def _factor(X: curves.Cells, hidden: Any, s: Any, t: Any, laws: Any) -> Fraction | None:
    found = [F(1)]
    for p in laws:
        if weight(p, s) > 0 and weight(p, t) > 0:
            for part in shown(X, hidden):
                here, there = (weight(p, each & part) / weight(p, each) for each in (s, t))
                if here > 0 and there <= 0:
                    return None
                found += [here / there] if here > 0 else []
    return max(found)


def drawn(draws: Draws) -> Instance:
    """All tables of one or two cells with two or three values, or some of them; one or two priors,
    with zeros and now and then negative; a pair of secrets, often values of a cell, and perhaps its
    other order; a mechanism with two outputs, now and then negative; the number of hidden cells,
    and factors that are often the least.
    """
    shape = draws.among(SHAPES)
    tables = [*product(*map(range, shape))]
    if not draws.below(3):
        tables = draws.several(tables) or tables
    size = len(tables)
    X = [[x[i] for x in tables] for i in range(len(shape))]
    laws = signed(draws, [[*draws.law(size, 3)] for _ in range(1 + draws.below(2))])
    s, t = (frozenset(x for x in range(size) if X[0][x] == v) for v in (0, 1))
    if not draws.below(3):
        s, t = subset(draws, size), subset(draws, size)
    both, most = [(s, t), *[(t, s)] * draws.below(2)], draws.below(len(shape) + 1)
    rows = signed(draws, [[draws.among(CHANCES) for _ in range(2)] for _ in tables])
    R, A = level(X, rows), star(X, most, both, laws)
    return {
        **{"I": len(shape), "D": size, "V": 3, "W": 2, "X": X, "b": most, "M": rows},
        **{"pairs": both, "priors": laws, "ratio": R * draws.among(CLOSE)},
        "factor": draws.among([F(1, 2), F(1)]) if rarely(draws) else A * draws.among(CLOSE),
    }


def scattered(draws: Draws) -> Instance:
    """One to four tables of two cells with three values, and a number of changes."""
    tables = [(draws.below(3), draws.below(3)) for _ in range(1 + draws.below(4))]
    X = [[x[i] for x in tables] for i in range(2)]
    return {"I": 2, "D": len(tables), "V": 3, "X": X, "b": draws.below(3)}


def two_tables(draws: Draws) -> Instance:
    """As above, with two tables and a level."""
    found = scattered(draws) if draws.whether() else drawn(draws)
    x, y = (draws.below(found["D"]) for _ in range(2))
    return {**found, "x": x, "y": y, "eps": Log(F(2)), "V": 3}


PROBES = [
    Probe(
        "per entry",
        curves.PER_ENTRY(ratio, X, M),
        "I D V W",
        drawn,
        {"per entry": lambda R, X, M: ((a, R * c) for x in M for y in M for a, c in zip(x, y))},
        "Curves",
    ),
    Probe(
        "joined", curves.JOINED(b, X), "I D V", scattered, {"joined": lambda b, X: curves.JOINED.value(1, X)}, "Curves"
    ),
    Probe(
        "all tables", curves.PRODUCT(X), "I D V", drawn, {"all tables": lambda X: curves.PRODUCT.value(X[:1])}, "Curves"
    ),
    Probe(
        "on the curve",
        curves.ON_CURVE(b, factor, X, Q, T),
        "I D V",
        drawn,
        {"on the curve": lambda b, A, X, Q, T: curves.ON_CURVE.value(b, A, X, [(t, s) for s, t in Q], T)},
        "Curves",
    ),
    Probe(
        "cells apart",
        EXP(LEVEL_TIMES(curves.APART(X, x, y), eps)),
        "I D V",
        two_tables,
        {"cells apart": lambda X, x, y: curves.APART.value(X[:1], x, y)},
        "Curves",
    ),
    Probe(
        "changes lead",
        curves.CHANGED(b, X, x, y),
        "I D V",
        two_tables,
        {"changes lead": lambda b, X, x, y: iter((curves.APART.value(X, x, y) <= b,))},
        "Curves",
    ),
]
