"""Probes of powers of a chain's steps, and of what one record or two tell of another."""

from math import lcm

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import powers
from pufferproof.claims.vocabulary.entries.foundations.promise import Law
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER, listed, member, natural, table, weights
from pufferproof.claims.vocabulary.terms import Sort, Term, letter, sides

F = Fraction
A, ratio = set_named("A"), letter("ratio", NUMBER, "R")
k, a, b, c = (letter(name, NATURAL) for name in "kabc")
m, P = letter("m", weights("A")), letter("P", table("A", "A"))
v, w = letter("v", member("A")), letter("w", member("A"))


def _whole(law: Law) -> str:
    common = lcm(*(each.denominator for each in law))
    return listed(natural)([int(each * common) for each in law])


STEPS = letter("P", Sort("A -> A -> R", "steps", "list (list nat)", "steps_read {}", listed(_whole)))
"""Steps that Coq reads from natural weights, so that every row is a law."""


def chain(draws: Draws, most: int) -> Instance:
    """Two or three values, steps with zeros, a first law with zeros, and up to `most` tables of the
    records from X_0 to the last one, with a record at a distance on both sides, one or none.
    """
    size = 2 + draws.below(2)
    places = draws.among([each for each in PLACES if size ** (sum(each) + 1) <= most])
    return {
        **{"A": size, **dict(zip("kabc", places))},
        **{"m": [*draws.law(size, 3)], "P": [[*draws.law(size, 3)] for _ in range(size)]},
        **{"v": draws.below(size), "w": draws.below(size)},
    }


PLACES = [
    (0, 1, 1, 0), (1, 1, 1, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 1, 1, 1), (2, 1, 1, 0),
    (0, 0, 1, 0), (1, 0, 1, 0), (2, 0, 1, 0), (0, 0, 1, 1), (1, 0, 1, 1), (0, 0, 2, 0),
    (0, 1, 0, 0), (1, 1, 0, 0), (0, 1, 0, 1), (0, 2, 0, 0), (1, 1, 0, 1), (0, 2, 0, 1),
    (0, 0, 0, 0), (0, 0, 0, 1),
]  # fmt: skip


def told(draws: Draws, found: Instance, term: Term) -> Instance:
    """Return the instance with R, often the least of a term that says what a pair tells."""
    compared = sides(term, {**found, "ratio": F(1)})
    least = max([left / right for left, right in compared if right > 0], default=F(1))
    other = draws.among([F(0), F(1), F(3, 2), F(-1)])
    return {**found, "ratio": least * draws.among([*CLOSE]) if draws.below(6) else other}


def loose(draws: Draws) -> Instance:
    """As above, but at times weights that are no laws."""
    found = dict(chain(draws, 16))
    if rarely(draws):
        found["m"] = vector(draws, found["A"])
    if rarely(draws):
        found["P"] = [vector(draws, found["A"]) for _ in range(found["A"])]
    return told(draws, found, WITHIN)


def small(draws: Draws) -> Instance:
    """At most 27 tables, and R."""
    return told(draws, chain(draws, 27), FROM_ANY)


def entries(draws: Draws) -> Instance:
    """Small powers."""
    found = dict(chain(draws, 27))
    found["P"] = [vector(draws, found["A"]) for _ in range(found["A"])]
    return {**found, "k": draws.below(4)}


WITHIN = powers.SIDES_WITHIN(ratio, m, P, k, a, b, c, v, w, A)
FROM_ANY = powers.FROM_ANY(ratio, STEPS, k, a, b, c, v, w, A)
USING = "Chains Powers"
PROBES = [
    Probe(
        "power", powers.POWER(k, P, v, w), "A", entries, {"power": lambda t, P, x, y: powers.power(P, t)[y][x]}, USING
    ),
    Probe(
        "law of a record",
        powers.LAW_AT(k, m, P, v),
        "A",
        entries,
        {"law of a record": lambda t, m, P, x: powers.law_at(t + 1, m, P, x)},
        USING,
    ),
    Probe(
        "factor of a record",
        powers.IF_SHOWN(k, ratio),
        "",
        lambda draws: told(draws, chain(draws, 27), WITHIN),
        {"factor of a record": lambda distance, x: x},
        USING,
    ),
    Probe(
        "sides tell at most",
        WITHIN,
        "A",
        loose,
        {"sides tell at most": lambda R, m, P, k, a, b, *rest: powers.SIDES_WITHIN.value(R, m, P, k, b, a, *rest)},
        USING,
    ),
    Probe(
        "sides tell at most from any law",
        FROM_ANY,
        "A",
        small,
        {"sides tell at most from any law": lambda R, P, k, *rest: powers.FROM_ANY.value(R, P, 0, *rest)},
        USING,
    ),
]
