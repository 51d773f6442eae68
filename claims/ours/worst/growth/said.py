"""Conditions on single mechanisms and games, each theorem said once."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.papers.bai2026.composition import drawn
from pufferproof.claims.papers.bai2026.composition import said as composition
from pufferproof.claims.vocabulary.entries.composition.conditions import (
    MECHANISMS_OF,
    PRODUCT_OF_LEVELS,
    RELEASES,
)
from pufferproof.claims.vocabulary.entries.composition.games import VALUE_BETWEEN
from pufferproof.claims.vocabulary.entries.foundations.logic import ONE, at, every, total
from pufferproof.claims.vocabulary.entries.foundations.promise import (
    INSIDE,
    KEEPS_AT,
    P,
    inside,
    weight,
)
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.composition.games import A, B, g, game
from pufferproof.claims.vocabulary.proposition import Proposition, set_named
from pufferproof.claims.vocabulary.sorts import member, table, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
D, E = set_named("D"), set_named("E")
x, y = letter("x", member("D")), letter("y", member("E"))
mu, nu, beta = (
    letter("mu", weights("D")),
    letter("nu", weights("E")),
    letter("beta", table("D", "E")),
)


def moved(draws: Draws) -> Instance:
    """Laws on one to three databases each, weights with rows that mostly sum to 1, and nu, which is
    often where they carry mu, or above or below that.
    """
    size, other = 1 + draws.below(3), 1 + draws.below(3)
    mu = [*draws.law(size, 3)]
    beta = [[*draws.law(other, 3)] for _ in range(size)]
    if rarely(draws):
        place = draws.below(size)
        beta[place] = [a * draws.among([F(2), F(1, 2)]) for a in beta[place]]
    nu = [sum((m * row[z] for m, row in zip(mu, beta)), F(0)) for z in range(other)]
    off = draws.below(4)
    if off == 1:
        nu = [*draws.law(other, 3)]
    elif off > 1:
        nu[draws.below(other)] += draws.among([F(1), F(-1), F(1, 200), F(-1, 200)])
    return {"D": size, "E": other, "mu": mu, "nu": nu, "beta": beta}


MOVED = total(x, at(mu, x) * at(beta, x, y), D)
ONLY = Proposition(
    "composition.Bounds.only_couplings",
    "D E",
    [mu, nu, beta],
    [
        every(x, total(y, at(beta, x, y), E).equals(ONE()), D),
        every(y, MOVED <= at(nu, y), E),
        total(y, at(nu, y), E) <= total(x, at(mu, x), D),
    ],
    every(y, MOVED.equals(at(nu, y)), E),
    moved,
)
W, Y = set_named("W"), set_named("Y")
v, z = letter("v", member("W")), letter("z", member("Y"))
GAME_VALUE = Proposition(
    "composition.Values.game_value",
    "W Y",
    [letter("w", member("W")), letter("y", member("Y")), g, A, B],
    [every(v, every(z, A <= at(g, v, z), Y), W), every(v, every(z, at(g, v, z) <= B, Y), W)],
    VALUE_BETWEEN(g, A, B),
    game,
    survivors={
        "hypothesis 1, for some, not for all [for all]": "superfluous: one row with such entries "
        "is enough"
    },
)


def carried(draws: Draws) -> Instance:
    """As for couplings; C is often the least constant of the weights, or close to it."""
    found = dict(drawn.pair(draws))
    p, s, t, beta = (found[name] for name in ("p", "s", "t", "beta"))
    least = F(1)
    for l in range(found["D"]):
        moved = sum((inside(p, s, x) * row[l] for x, row in enumerate(beta)), F(0))
        law = weight(p, s) * inside(p, t, l)
        least = max(least, moved * weight(p, t) / law) if law > 0 else least
    return {**found, "C": least * draws.among([*CLOSE])}


p, s, t, by, C = composition.p, composition.s, composition.t, composition.by, composition.C
a, l = composition.x, composition.l
RUNS, levelled = composition.RUNS[:-1], composition.levelled_
CARRIED = total(a, INSIDE(p, s, a) * at(by, a, l), composition.D)
CONSTANT = Proposition(
    "composition.Constants.constant_levels",
    "D W",
    [p, s, t, by, levelled, C, composition.ws],
    [*RUNS, every(l, CARRIED * P(p, t) <= C * P(p, s) * INSIDE(p, t, l), composition.D)],
    KEEPS_AT(
        PRODUCT_OF_LEVELS(levelled) * C, p, RELEASES(MECHANISMS_OF(levelled)), s, t, composition.ws
    ),
    carried,
    edges=drawn.PAIRS,
    survivors={"hypothesis 4, 101/100 of the right side [at most]": composition.SIGN},
)
