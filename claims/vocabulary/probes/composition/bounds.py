"""Probes of cones of columns."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import bounds
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.families import framework, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named, tightened
from pufferproof.claims.vocabulary.sorts import NUMBER, mechanism, member, pairs, priors
from pufferproof.claims.vocabulary.terms import letter

D, W, R = set_named("D"), set_named("W"), letter("ratio", NUMBER, "R")
M, w = letter("M", mechanism("D", "W")), letter("w", member("W"))
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
x, y = letter("x", member("D")), letter("y", member("D"))


def negative(draws: Draws) -> Instance:
    """A framework and a mechanism, of which an entry is negative now and then; an output."""
    found = dict(framework(draws))
    if rarely(draws):
        found["M"] = [[*row] for row in found["M"]]
        place = draws.below(found["D"])
        found["M"][place][0] = draws.among([Fraction(-1, 200), Fraction(-1)])
    return {**found, "w": draws.below(found["W"])}


drawn = tightened(negative, [KEEPS(R, M, Q, T)], "ratio")


def places(draws: Draws) -> Instance:
    """Two members of a set of up to three."""
    size = 1 + draws.below(3)
    return {"D": size, "x": draws.below(size), "y": draws.below(size)}


USING = "Bounds"
PROBES = [
    Probe(
        "cone of columns",
        bounds.IN_CONE(R, bounds.LAWS_GIVEN(Q, T), bounds.COLUMN_OF(M, w)),
        "D W",
        drawn,
        {
            "laws given secrets": lambda Q, T: bounds.LAWS_GIVEN.value(Q, T[:1]),
            "in the cone": lambda R, T, u: bounds.IN_CONE.value(R, T, [abs(a) for a in u]),
            "column of": lambda M, w: [row[0] for row in M],
        },
        USING,
    ),
    Probe(
        "identity matrix",
        bounds.SAME(x, y),
        "D",
        places,
        {"identity matrix": lambda x, y: Fraction(int(x <= y))},
        USING,
    ),
]
