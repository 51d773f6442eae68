"""Probes of walks over tilts of the records of a chain."""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import tilts
from pufferproof.claims.vocabulary.entries.foundations.logic import ZERO
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER, member
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
P, r = letter("P", tilts.steps_in_time("A")), letter("r", tilts.tilts_in_time("A"))
n, u, b = letter("n", NATURAL), letter("u", tilts.column("A", "n")), letter("b", NUMBER)
v, w = letter("v", member("A")), letter("w", member("A"))
FACTORS = [F(1), F(2), F(3, 2), F(3), F(1), F(2)]


def walks(draws: Draws) -> Instance:
    """A step for one or two records of two values, or for one of three, with zeros and now and then
    negative; tilts, often 1 for a value and now and then below 1; a column that is often a product
    of tilts, or close to one; two values; and b, often the ratio of a product, or close to it.
    """
    number = draws.among([2, 1, 2, 0]) if rarely(draws) else 1 + draws.below(2)
    size = 2 if number == 2 else 2 + draws.below(2)
    P = [[[*draws.law(size, 3)] for _ in range(size)] for _ in range(1 + draws.below(2))]
    if rarely(draws):
        P[-1][0][0] -= draws.among([F(1, 200), F(1)])
    r = [[draws.among(FACTORS) for _ in range(size)] for _ in range(1 + draws.below(2))]
    if rarely(draws):
        r[-1][0] = draws.among([F(199, 200), F(1, 2), F(-1), F(0)])
    known = [*tilts.products(r, number)]
    v, w = draws.below(size), draws.below(size)
    ratios = [_ratio(P, number, m, v, w) for m in known]
    best = draws.among([max(ratios), max(ratios), draws.among(ratios)])
    u = known[ratios.index(best)] if draws.below(3) else draws.among(known)
    if draws.below(3) == 0:
        place = draws.below(len(u))
        u = [*u[:place], u[place] * draws.among([F(201, 200), F(2), F(-1)]), *u[place + 1 :]]
    b = best * draws.among([F(1), F(1), F(1), F(101, 100), F(99, 100)])
    return {"A": size, "P": P, "r": r, "n": number, "u": u, "v": v, "w": w, "b": b}


def _ratio(P: tilts.Steps, number: int, m: Any, v: int, w: int) -> Fraction:
    one, other = (tilts.mean(P, number, m, x) for x in (v, w))
    return one / other if other else F(1)


def _first_alone(P: tilts.Steps, r: Any, n: int, v: int, w: int, b: Fraction) -> Fraction:
    return tilts.walk(P, [r[0], [F(1)] * len(r[0])], n, v, w, b)


def _tied(name: str, term: Term, other: Callable[..., Any]) -> Probe:
    return Probe(name, term, "A", walks, {name: other}, "Sequences Records Tilted")


PROBES: list[Probe] = [
    _tied("no step negative", tilts.NONNEGATIVE(P), lambda P: ((ZERO, row[-1]) for step in P for row in step)),
    _tied("no tilt below 1", tilts.AT_LEAST_ONE(r), lambda r: ((F(1), each) for each in late(r, 0))),
    _tied(
        "column within tilts", tilts.TILTED(r, n, u), lambda r, n, u: tilts.TILTED.value([row[::-1] for row in r], n, u)
    ),
    _tied("end of the walk", tilts.WALK_END(P, r, n, v, w, b), _first_alone),
    _tied("mean after a value", tilts.MEAN(P, n, u, v), lambda P, n, u, x: tilts.mean(P[:1], n, u, x)),
    _tied(
        "products told apart",
        tilts.PRODUCTS_TOLD(P, r, n, v, w, b),
        lambda P, r, n, v, w, b: tilts.PRODUCTS_TOLD.value(P, r, n, w, v, b),
    ),
]
