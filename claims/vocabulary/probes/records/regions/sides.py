"""Probes of what sides of a record tell."""

from collections.abc import Callable
from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import LARGER
from pufferproof.claims.vocabulary.entries.records.regions import sides
from pufferproof.claims.vocabulary.entries.records.stationary import SHARE, i0, i1
from pufferproof.claims.vocabulary.families import rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.records.stationary import (
    USING,
    D,
    a,
    any_steps,
    b,
    chances,
    n,
    p,
    r,
    ratio,
    t,
)
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
v = letter("v", sides.VALUE_OF_BIT)
x, y = letter("x", NUMBER), letter("y", NUMBER)


def hidden(draws: Draws) -> Instance:
    """Steps, one or two records, seldom three, one of them private and nearly always replaced, and
    chances, one of which is now and then beyond 1 or below 0.
    """
    length = 3 if draws.below(20) == 19 else 1 + draws.below(2)
    private = draws.below(length)
    rows = chances(draws, length, private if draws.below(8) else None)
    if rarely(draws):
        rows[draws.below(length)][draws.below(2)] = draws.among([F(3, 2), F(-1, 2)])
    found = {**any_steps(draws), "n": length, "p": private, "r": rows, "v": draws.below(2)}
    return {**found, "t": draws.below(length)}


def first_records(draws: Draws) -> Instance:
    """Steps, one to four records, two of them, X_p and X_t, and chances that are nearly always 1
    between them and at X_p, now and then of one record more or beyond 1; X_t is now and then
    beyond the last record.
    """
    length = 1 + draws.below(4)
    private, shown = draws.below(length), draws.below(length + (not draws.below(12)))
    rows = chances(draws, length + draws.below(2), private if draws.below(8) else None)
    for k in range(min(private, shown) + 1, max(private, shown)):
        rows[k] = [F(1), draws.among([F(1), F(1), F(1), F(1, 2)])]
    if rarely(draws):
        rows[draws.below(length)][draws.below(2)] = draws.among([F(3, 2), F(-1, 2)])
    found = {"n": length, "p": private, "t": shown, "r": rows, "v": draws.below(2)}
    return {**any_steps(draws), **found}


def values(draws: Draws) -> Instance:
    """Steps, a value and a distance D from 0 to 4."""
    return {**any_steps(draws), "v": draws.below(2), "D": draws.below(5)}


def numbers(draws: Draws) -> Instance:
    """Three numbers, the last one often the product of the others; now and then below 0, or 0."""
    some = [F(1), F(2), F(3, 2), F(1, 2), F(3), F(2), F(0), F(-1)]
    found = {"x": draws.among(some), "y": draws.among(some), "ratio": draws.among(some)}
    if draws.whether():
        found["ratio"] = found["x"] * found["y"] * draws.among([F(1), F(99, 100)])
    return found


def _tied(name: str, term: Term, family: Callable[[Draws], Instance], other: Callable[..., Any]) -> Probe:
    return Probe(name, term, "", family, {name: other}, f"{USING} Sides")


V = sides
PROBES: list[Probe] = [
    _tied("larger of two", LARGER(x, y), numbers, min),
    _tied("the value 0", V.INFLUENCE(a, b, V.VALUE_0(), D), values, lambda: 1),
    _tied("the value 1", V.INFLUENCE(a, b, V.VALUE_1(), D), values, lambda: 0),
    _tied(
        "largest ratio for a value",
        V.LARGEST(a, b, n, p, r, v),
        hidden,
        lambda a, b, n, p, r, v: V.LARGEST.value(a, b, n, p, r, 1 - v),
    ),
    _tied(
        "leakage of a record", V.LEAKAGE(a, b, n, p, r), hidden, lambda a, b, n, p, r: V.LARGEST.value(a, b, n, p, r, 0)
    ),
    _tied(
        "record that is always replaced",
        V.REPLACED(t, r),
        first_records,
        lambda p, r: iter((r[min(p, len(r) - 1)][0] == 1,)),
    ),
    _tied(
        "chances on the side of a record",
        SHARE(a, b, V.SIDE_OF(p, t, r), n),
        first_records,
        lambda p, t, r: V.SIDE_OF.value(t, p, r),
    ),
    _tied(
        "first record that is not always replaced",
        V.FIRST_SHOWN(p, t, r, v),
        first_records,
        lambda p, t, r, v: V.FIRST_SHOWN.value(p, t, r, 1 - v),
    ),
    _tied(
        "influence of a value at a distance",
        V.INFLUENCE(a, b, v, D),
        values,
        lambda a, b, v, D: (i0 if v else i1)(a, b, D),
    ),
    _tied("value that is likelier", V.INFLUENCE(a, b, V.TOWARDS(a, b, v, D), D), values, lambda a, b, v, D: v),
    _tied("some number divides", V.DIVIDES(x, y, ratio), numbers, lambda x, y, R: iter((x * y <= R,))),
]
