"""Probes of a stationary chain of bits and of its redaction."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import NATURAL_EQUAL
from pufferproof.claims.vocabulary.entries.records import stationary
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
x, y = letter("x", NUMBER), letter("y", NUMBER)
a, b, ratio = letter("a", NUMBER), letter("b", NUMBER), letter("ratio", NUMBER, "R")
n, p, t, D = (letter(name, NATURAL) for name in ("n", "p", "t", "D"))
r = letter("r", stationary.CHANCES_OF_BITS)
STEPS = [
    (F(1, 4), F(1, 2)),
    (F(1, 3), F(1, 3)),
    (F(1, 2), F(1, 2)),
    (F(4, 5), F(14, 15)),
    (F(2, 3), F(3, 4)),
    (F(1, 10), F(4, 5)),
    (F(1, 5), F(1, 4)),
    (F(9, 10), F(9, 10)),
    (F(1, 2), F(3, 4)),
    (F(1, 3), F(2, 3)),
    (F(1, 2), F(2, 3)),
]
"""Steps of chains with 0 < a <= b < 1 and every sign of lam, a = b among them."""
NO_CHAINS = [
    (F(1, 2), F(1, 4)),
    (F(4, 5), F(1, 3)),
    (F(14, 15), F(4, 5)),
    (F(1), F(1)),
    (F(1, 2), F(5, 4)),
    (F(-1, 4), F(1, 2)),
    (F(-1, 4), F(-1, 4)),
    (F(5, 4), F(5, 4)),
    (F(0), F(1, 2)),
    (F(1, 2), F(0)),
    (F(1, 4), F(1)),
]
STEEP = [
    (F(4, 5), F(14, 15)),
    (F(14, 17), F(16, 17)),
    (F(3, 4), F(9, 10)),
    (F(5, 6), F(9, 10)),
    (F(3, 5), F(19, 20)),
    (F(7, 10), F(4, 5)),
]
"""Steps of chains with lam < 0 and different steps."""
SOME = [F(1), F(0), F(1), F(0), F(1, 2), F(1, 4), F(3, 4)]


def steps(draws: Draws) -> Instance:
    """Steps a and b of a chain with a <= b; in one of eight draws a > b, or they are no chances."""
    of = draws.among(NO_CHAINS if rarely(draws) else STEPS)
    return {"a": of[0], "b": of[1]}


def any_steps(draws: Draws) -> Instance:
    """Steps a and b of a chain, or such that are none, half of the time each."""
    of = draws.among(NO_CHAINS if draws.whether() else STEPS)
    return {"a": of[0], "b": of[1]}


def distances(draws: Draws) -> Instance:
    """Steps, a distance D from 0 to 4, and two records from 0 to 4."""
    found = {"D": draws.below(5), "p": draws.below(5), "t": draws.below(5)}
    return {**any_steps(draws), **found}


def steep(draws: Draws) -> Instance:
    """Steps, half of the time such that influences are not convex at some distance, and a distance
    D from 0 to 4.
    """
    of = draws.among(STEEP if draws.whether() else STEPS)
    return {**distances(draws), "a": of[0], "b": of[1]}


def signs(draws: Draws) -> Instance:
    """Two numbers, each negative, 0 or positive."""
    return {name: draws.among([F(-2), F(-1, 3), F(0), F(1, 3), F(2)]) for name in ("x", "y")}


def chances(draws: Draws, length: int, hidden: int | None) -> list[list[Fraction]]:
    """Draw the chances of both values of each record, 1 at a record that is hidden."""
    rows = [[draws.among(SOME), draws.among(SOME)] for _ in range(length)]
    if hidden is not None:
        rows[hidden] = [F(1), F(1)]
    return rows


def redactions(draws: Draws) -> Instance:
    """Steps, one or two records, seldom three, one of them private and nearly always replaced,
    and chances, one of which is now and then beyond 1 or below 0. R is often the least level.
    """
    length = 3 if draws.below(20) == 19 else 1 + draws.below(2)
    private = draws.below(length)
    rows = chances(draws, length, private if draws.below(6) else None)
    if rarely(draws):
        rows[draws.below(length)][draws.below(2)] = draws.among([F(3, 2), F(-1, 2)])
    found = {**any_steps(draws), "n": length, "p": private + (draws.below(12) == 11), "r": rows}
    return {**found, "ratio": least(draws, found)}


def least(draws: Draws, at: Instance) -> Fraction:
    """Draw a level, often the least that holds, or close to it."""
    (zero, one), outputs = stationary.told(at["a"], at["b"], at["n"], at["p"], at["r"])
    pairs = [(x * one, zero * y) for x, y in outputs] + [(y * zero, one * x) for x, y in outputs]
    needed = [left / right for left, right in pairs if right > 0]
    if needed and draws.below(5):
        return max(needed) * draws.among([*CLOSE])
    return draws.among([F(1), F(3, 2), F(2), F(4)])


def share(draws: Draws) -> Instance:
    """Steps, one to four records, and chances for the first one, two or three of them."""
    length = 1 + draws.below(3)
    return {**any_steps(draws), "n": 1 + draws.below(4), "r": chances(draws, length, None)}


USING = "Sequences Records Stationary"


def tied_by(name: str, term: Term, family: Callable[[Draws], Instance], other: Callable[..., Any]) -> Probe:
    """Return a probe of one entry, with another value of it as a drift."""
    return Probe(name, term, "", family, {name: other}, USING)


def tied_with_quilts(name: str, term: Term, family: Callable[[Draws], Instance], other: Callable[..., Any]) -> Probe:
    """Return a probe of one entry that needs the ties of QuiltRedaction.v too."""
    found = tied_by(name, term, family, other)
    return replace(found, using=f"{USING} QuiltRedaction")


PROBES = [
    tied_by("steps in order", stationary.ORDERED(a, b), any_steps, lambda a, b: iter((a > 0, b < 1))),
    tied_by("steps inside", stationary.INSIDE(a, b), any_steps, lambda a, b: iter((a > 0, b < 1))),
    tied_by("influence of 0 at a distance", stationary.I0(a, b, D), distances, stationary.i1),
    tied_by("influence of 1 at a distance", stationary.I1(a, b, D), distances, stationary.i0),
    tied_by(
        "influences fall", stationary.FALLS(a, b, D), distances, lambda a, b, D: iter(((F(1), stationary.i0(a, b, D)),))
    ),
    tied_by("influences convex", stationary.CONVEX(a, b, D), distances, stationary.CONVEX_BY_TWO.value),
    tied_by("influence of 0 convex", stationary.CONVEX_0(a, b, D), distances, stationary.CONVEX_1.value),
    tied_by("influence of 1 convex", stationary.CONVEX_1(a, b, D), distances, stationary.CONVEX_0.value),
    tied_by("influences convex by two steps", stationary.CONVEX_BY_TWO(a, b, D), distances, stationary.CONVEX.value),
    tied_with_quilts("convexity of the influence of 0", stationary.BEND_0(a, b, D), steep, stationary.BEND_1.value),
    tied_with_quilts("convexity of the influence of 1", stationary.BEND_1(a, b, D), steep, stationary.BEND_0.value),
    tied_with_quilts(
        "condition for convexity",
        stationary.CONDITION(a, b, D, b, a),
        steep,
        lambda a, b, D, x, y: stationary.CONDITION.value(a, b, D, y, x),
    ),
    tied_with_quilts("same sign", stationary.SAME_SIGN(x, y), signs, lambda x, y: iter(((x < 0) == (y < 0),))),
    tied_by(
        "influence on the value 0",
        stationary.ON_0(a, b, p, t),
        distances,
        lambda a, b, p, t: stationary.on_value(a, b, p, t, 1),
    ),
    tied_by(
        "influence on the value 1",
        stationary.ON_1(a, b, p, t),
        distances,
        lambda a, b, p, t: stationary.on_value(a, b, p, t, 0),
    ),
    tied_by("distance", NATURAL_EQUAL(stationary.DISTANCE(p, t), D), distances, lambda p, t: max(p - t, 0)),
    tied_by("odd", stationary.ODD(D), distances, lambda D: iter((D % 3 == 1,))),
    tied_by("even", stationary.EVEN(D), distances, lambda D: iter((D % 3 == 0,))),
    tied_by("chances", stationary.CHANCES(r), redactions, lambda r: (each <= 1 for row in r for each in row)),
    tied_by(
        "leakage of a record at most",
        stationary.LEAKS(ratio, a, b, n, p, r),
        redactions,
        lambda R, a, b, n, p, r: stationary.LEAKS.value(R, a, b, n, p, [r[0]]),
    ),
    tied_by(
        "share that is shown",
        stationary.SHARE(a, b, r, n),
        share,
        lambda a, b, r, n: stationary.SHARE.value(b, a, r, n),
    ),
]
