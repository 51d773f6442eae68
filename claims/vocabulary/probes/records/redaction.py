"""Probes of kinds of redaction of a stationary chain of bits."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import NATURAL_EQUAL
from pufferproof.claims.vocabulary.entries.records import redaction
from pufferproof.claims.vocabulary.entries.records.stationary import NUMBERS_IN_TIME, SHARE, i0, i1
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records.stationary import (
    D,
    a,
    any_steps,
    b,
    n,
    p,
    r,
    ratio,
    share,
    steps,
    tied_by,
)
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
rho, q = letter("rho", NUMBERS_IN_TIME), letter("qs", NUMBERS_IN_TIME, "q")
E, G = letter("El", NUMBER, "E"), letter("Er", NUMBER, "F")
Dl, Dr, De, Dh = (letter(name, NATURAL) for name in ("Dl", "Dr", "De", "Dh"))
SOME = [F(1), F(1), F(1), F(0), F(1, 2)]


def patterns(draws: Draws) -> Instance:
    """Steps of a chain, nearly always with a <= b, one to five records with a private one, a radius
    of redaction around it, and chances 0, 1 or 1/2 beyond it, for one record more than there are. A
    chance is now and then beyond 1 or below 0, or the radius another.
    """
    length = draws.among([1, 2, 3, 4, 4, 5])
    private = draws.below(length)
    left, right = draws.below(private + 1), draws.below(length - private)
    rho = [draws.among(SOME) for _ in range(length + 1)]
    for k in (private - left - 1, private + right + 1):
        if k >= 0:
            rho[k] = draws.among([F(0), F(1, 2)])
    rho[private - left : private + right + 1] = [F(1)] * (left + right + 1)
    if rarely(draws):
        rho[draws.below(length)] = draws.among([F(-1, 2), F(3, 2)])
    if rarely(draws):
        left, right = draws.below(length + 1), draws.below(length + 1)
    found = {"n": length, "p": private, "rho": rho, "Dl": left, "Dr": right}
    return {**steps(draws), **found}


def levels(draws: Draws) -> Instance:
    """Steps, a level R, often that of an influence or the square of one, distances from 0 to 4, and
    a place among one to six records.
    """
    of = any_steps(draws)
    there = i1(of["a"], of["b"], 1 + draws.below(4))
    level = draws.among([there, there**2, there * F(9, 8), there * F(9, 10), F(2)])
    found = {name: draws.below(5) for name in ("D", "De", "Dh")}
    return {**of, "ratio": level, **found, "n": 1 + draws.below(6), "p": draws.below(3)}


def three_regions(draws: Draws) -> Instance:
    """Steps, one to four records with a private one, budgets of both sides, often an influence of
    the value 0 or 1, and q in [0, 1].
    """
    of = steps(draws)
    length = 1 + draws.below(4)
    budgets = {
        name: draws.among([i0, i1])(of["a"], of["b"], 1 + draws.below(3)) * draws.among([F(1), F(1), F(9, 8), F(9, 10)])
        for name in ("El", "Er")
    }
    qs = [draws.among([F(1), F(1, 2), F(3, 4), F(1, 4), F(0)]) for _ in range(length)]
    return {**of, "n": length, "p": draws.below(length), "qs": qs, **budgets}


def halves(draws: Draws) -> Instance:
    """A share with a place p."""
    return {**share(draws), "p": draws.below(3)}


def _other(value: Any, *places: int) -> Any:
    """Return a value with arguments exchanged: a drift."""
    return lambda *given: value(*(given[place] for place in places))


V = redaction
OF_3R = V.THREE_R(a, b, E, G, q, p)
PROBES: list[Probe] = [
    tied_by("shares", V.SHARES(rho), patterns, lambda rho: (each <= 1 for each in rho)),
    tied_by("chance 1", SHARE(a, b, V.THREE_R(a, b, E, G, V.ALWAYS(), p), n), three_regions, lambda: [F(1, 2)]),
    tied_by(
        "data-independent chances", SHARE(a, b, V.DIM(rho), n), patterns, lambda rho: [[each, F(1)] for each in rho]
    ),
    tied_by(
        "share that a data-independent mechanism shows",
        V.DIM_SHARE(rho, n),
        patterns,
        lambda rho, n: V.DIM_SHARE.value(rho[:1], n),
    ),
    tied_by("chances up to a record", SHARE(a, b, V.UP_TO(p, r), n), halves, lambda p, r: V.UP_TO.value(p + 1, r)),
    tied_by(
        "chances from a record on", SHARE(a, b, V.FROM_ON(p, r), n), halves, lambda p, r: V.FROM_ON.value(p + 1, r)
    ),
    tied_by(
        "chances of a 3R mechanism", SHARE(a, b, OF_3R, n), three_regions, _other(V.THREE_R.value, 0, 1, 3, 2, 4, 5)
    ),
    tied_by(
        "share that a 3R mechanism shows",
        V.THREE_R_SHARE(a, b, E, G, q, n, p),
        three_regions,
        _other(V.THREE_R_SHARE.value, 1, 0, 2, 3, 4, 5, 6),
    ),
    tied_by("radius of redaction", V.RADIUS(rho, n, p, Dl, Dr), patterns, _other(V.RADIUS.value, 0, 1, 2, 4, 3)),
    tied_by("radius even or to one side", V.PARITY(p, Dl, Dr), patterns, lambda p, Dl, Dr: iter(((Dl + Dr) % 2 == 0,))),
    tied_by(
        "influences of the nearest records",
        V.OF_RADIUS(a, b, n, p, Dl, Dr),
        patterns,
        _other(V.OF_RADIUS.value, 0, 1, 2, 3, 5, 4),
    ),
    tied_by("leakage of a radius", V.EXACTLY(a, b, n, p, Dl, Dr), patterns, V.OF_RADIUS.value),
    tied_by(
        "least distance for a level",
        V.FIRST(a, b, ratio, D),
        levels,
        lambda a, b, R, D: iter((D >= 1 and i1(a, b, D) <= R,)),
    ),
    tied_by("least distance for half of a level", V.FIRST_OF_HALF(a, b, ratio, D), levels, V.FIRST.value),
    tied_by("in the first half", V.HALF(p, n), levels, lambda p, n: iter((2 * p <= n,))),
    tied_by("number of records after", NATURAL_EQUAL(V.AFTER(n, p), D), levels, lambda n, p: max(n - p, 0)),
    tied_by("level below both ends", V.BELOW_BOTH(a, b, ratio, n, p), levels, lambda a, b, R, n, p: iter((p == 0,))),
    tied_by("bound of one side", V.ONE_SIDED(De, p, n), levels, lambda De, p, n: V.ONE_SIDED.value(De + 1, p, n)),
    tied_by("bound of two sides", V.TWO_SIDED(De, Dh, p, n), levels, V.ANY_TWO_SIDED.value),
    tied_by("bound of two sides, any chain", V.ANY_TWO_SIDED(De, Dh, p, n), levels, V.TWO_SIDED.value),
]
