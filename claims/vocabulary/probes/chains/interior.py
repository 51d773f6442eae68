"""Probes of what levels per record tell of a bit of a chain."""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import counts, interior
from pufferproof.claims.vocabulary.entries.foundations.logic import quotient
from pufferproof.claims.vocabulary.entries.records.regions.sides import VALUE_OF_BIT
from pufferproof.claims.vocabulary.entries.records.stationary import NUMBERS_IN_TIME
from pufferproof.claims.vocabulary.entries.streams.blocks import late
from pufferproof.claims.vocabulary.families import rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER, member
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
i, m = letter("i", NATURAL), letter("m", NATURAL)
p, P = letter("p", counts.FIRST_BIT), letter("T", counts.STEPS_OF_BITS, "P")
B, R = letter("B", counts.STEPS_OF_BITS), letter("lev", NUMBERS_IN_TIME, "R")
M, v = letter("M", interior.on_bits("i", "m", "W")), letter("v", VALUE_OF_BIT)
w, s = letter("w", member("W")), letter("s", NUMBER)
USING = "Sequences Stationary Attracted Branches"
MOST = [[F(1, 4), F(3, 4)], [F(3, 4), F(1, 4)], [F(1, 2), F(1, 2)], [F(0), F(1)], [F(1), F(0)]]


def bits(draws: Draws) -> Instance:
    """One or two bits of a chain, seldom three, steps with zeros, their steps backwards with any
    rows after what is impossible, now and then wrong; a bit; levels from 1, now and then below; a
    mechanism that is often one that reaches the worst, or close to it; a value, an output, and
    often the worst ratio.
    """
    number = 3 if draws.below(40) == 0 else 1 + draws.below(2)
    place = draws.below(number)
    after = number - 1 - place
    first = vector(draws, 2) if rarely(draws) else draws.among([*MOST[:3], *MOST])
    steps = [[draws.among(MOST), draws.among(MOST)] for _ in range(1 + draws.below(2))]
    if rarely(draws):
        steps[-1][draws.below(2)] = draws.among([[F(1, 2), F(1, 4)], [F(3, 2), F(-1, 2)]])
    back = [_turned(draws, first, steps, k) for k in range(max(1, place))]
    if draws.below(4) == 0:
        back[-1][draws.below(2)] = draws.among([*MOST, [F(1, 2), F(1, 4)]])
    levels = [draws.among([F(2), F(3), F(1), F(3, 2)]) for _ in range(1 + draws.below(number))]
    if rarely(draws):
        levels[draws.below(len(levels))] = draws.among([F(199, 200), F(1, 2), F(0), F(-1)])
    value = draws.below(2)
    found = interior.worst(steps, back, levels, place, after, value)
    return {
        **{"i": place, "m": after, "p": first, "T": steps, "B": back, "lev": levels, "v": value},
        **{"W": 2, "M": mechanism(draws, place, after, levels), "w": draws.below(2)},
        "s": found * draws.among([F(1), F(1), F(99, 100)]),
    }


def _turned(draws: Draws, first: Any, steps: Any, k: int) -> list[list[Fraction]]:
    """Return the step backwards before a record, with any law after what is impossible."""
    here, following = (interior.law_after(first, steps, each) for each in (k, k + 1))
    step = late(steps, k)
    return [
        [here[y] * step[y][x] / following[x] for y in (0, 1)] if following[x] else [*draws.among(MOST)] for x in (0, 1)
    ]


def mechanism(draws: Draws, before: int, after: int, levels: Any) -> list[list[Fraction]]:
    """Draw a mechanism that shows half a product of levels, or close to one."""
    whole = interior.tables(before, after)
    shown = [interior.half(levels, x, draws.among(whole)) for x in whole]
    if draws.below(4):
        c = draws.among(whole)
        shown = [interior.half(levels, x, c) for x in whole]
    if draws.below(3) == 0:
        place = draws.below(len(shown))
        shown[place] *= draws.among([F(201, 200), F(2), F(-1), F(199, 200)])
    return [[1 - each, each] for each in shown]


def _tied(name: str, term: Term, other: Callable[..., Any]) -> Probe:
    return Probe(name, term, "W", bits, {name: other}, USING)


V = interior
PROBES: list[Probe] = [
    _tied("rows of steps are laws", V.STEPS_LAWS(P), lambda T: V.STEPS_LAWS.value(T[:1])),
    _tied("levels of at least 1", V.AT_LEAST_1(R), lambda R: V.AT_LEAST_1.value(R[:1])),
    _tied("steps backwards", V.BACKWARDS(p, P, B, i), lambda p, T, B, i: V.BACKWARDS.value(p, B, T, i)),
    _tied("both values possible", V.BOTH_POSSIBLE(p, P, i), lambda p, T, i: V.BOTH_POSSIBLE.value(p, T, i + 1)),
    _tied("level of every bit", V.LEVELLED(R, i, m, M), lambda R, i, m, M: V.LEVELLED.value(R[:1], i, m, M)),
    Probe(
        "output given a bit",
        V.TOLD(p, P, i, m, M, V.OTHER(v), w),
        "W",
        bits,
        {
            "output given a bit": lambda p, T, i, m, M, v, w: V.TOLD.value(p, T, i, m, M, 1 - v, w),
            "other bit": lambda v: v,
        },
        USING,
    ),
    _tied("worst of a bit", V.WORST(P, B, R, i, m, v), lambda T, B, R, i, m, v: V.worst(B, T, R, i, m, v)),
    _tied(
        "worst is reached",
        V.REACHED(p, P, R, i, m, v, s),
        lambda p, T, R, i, m, v, s: V.REACHED.value(p, T, R, i, m, v, quotient(F(1), s)),
    ),
]
