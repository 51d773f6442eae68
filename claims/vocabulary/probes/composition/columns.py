"""Probes of mechanisms with one column or two."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import columns
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.families import framework, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, pairs, priors, table, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
D, R, t = set_named("D"), letter("ratio", NUMBER, "R"), letter("t", NUMBER, "f")
u = letter("u", weights("D"))
M, K = letter("M", mechanism("D", "W")), letter("K", table("W", "V"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")


def drawn(draws: Draws) -> Instance:
    """A framework, a column of small numbers, often twice the same and now and then negative, a
    level, and a factor that is now and then 0 or negative.
    """
    found = framework(draws)
    u = [F(draws.below(4)) for _ in range(found["D"])]
    if draws.below(3) == 2:
        u = [u[0]] * found["D"]
    if rarely(draws):
        u[0] = draws.among([F(-1), F(-1, 200)])
    t = draws.among([F(1, 6), F(1, 3), F(1, 12), F(0), F(-1)])
    return {**found, "u": u, "t": t}


USING = "Columns"
PROBES = [
    Probe(
        "column",
        KEEPS(R, columns.COLUMN(u), Q, T),
        "D",
        drawn,
        {"column": lambda u: [[each] for each in u[::-1]]},
        USING,
    ),
    Probe(
        "two columns",
        KEEPS(R, columns.TWO_COLUMNS(t, u), Q, T),
        "D",
        drawn,
        {"two columns": lambda t, u: columns.COLUMN.value(u)},
        USING,
    ),
    Probe(
        "other order",
        KEEPS(R, columns.COLUMN(u), columns.REVERSED(Q), T),
        "D",
        drawn,
        {"other order": lambda pairs: pairs},
        USING,
    ),
    Probe(
        "kernel",
        columns.KERNEL(columns.TWO_COLUMNS(t, u)),
        "D",
        drawn,
        {"kernel": lambda M: (sum(row) == 1 for row in M)},
        USING,
    ),
    Probe(
        "kernel of a table", columns.KERNEL(K), "W V", drawn, {"kernel": lambda M: (min(row) >= 0 for row in M)}, USING
    ),
    Probe(
        "tells nothing",
        columns.TELLS_NOTHING(u, Q, T),
        "D",
        drawn,
        {"tells nothing": lambda u, Q, T: columns.TELLS_NOTHING.value([abs(a) for a in u], Q, T)},
        USING,
    ),
]
