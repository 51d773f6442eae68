"""What the sides of a record leak together, and what the first shown record of a side tells."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import (
    BOTH,
    EITHER,
    IFF,
    LARGER,
    NATURAL_LESS,
    ONE,
)
from pufferproof.claims.vocabulary.entries.records.redaction import FROM_ON, UP_TO
from pufferproof.claims.vocabulary.entries.records.regions import sides
from pufferproof.claims.vocabulary.entries.records.stationary import (
    CHANCES,
    DISTANCE,
    I0,
    INSIDE,
    LEAKS,
)
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probes.records.regions.sides import first_records, v
from pufferproof.claims.vocabulary.probes.records.stationary import (
    NO_CHAINS,
    STEPS,
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
from pufferproof.claims.vocabulary.proposition import Proposition
from pufferproof.claims.vocabulary.sorts import NATURAL
from pufferproof.claims.vocabulary.terms import Term, letter

F = Fraction
LEFT, RIGHT = UP_TO(p, r), FROM_ON(p, r)
RECORD = [INSIDE(a, b), NATURAL_LESS(p, n), CHANCES(r), sides.REPLACED(p, r)]


def _lk(of: Term) -> Term:
    return sides.LEAKAGE(a, b, n, p, of)


def _q(of: Term, value: Term) -> Term:
    return sides.LARGEST(a, b, n, p, of, value)


NOT_THERE = "superfluous: of a record that is not there all is 0"
PLACE = {
    "without: p < n": NOT_THERE,
    "hypothesis 2, <= for < [less, of natural numbers]": NOT_THERE,
}


def numbered(words: str, reason: str, *places: int) -> dict[str, str]:
    """Return a reason for near misses that have the same words, by their numbers."""
    return {words if k == 1 else f"{words} ({k})": reason for k in places}


WRONG = [[F(-1, 2), F(1)], [F(1), F(-1, 2)], [F(3, 2), F(1, 2)], [F(1, 2), F(3, 2)]]


def redactions(draws: Draws) -> Instance:
    """Steps, one to three records, one of them private and nearly always replaced, and chances, now
    and then of one record more; a chance is now and then beyond 1 or below 0. p is now and then
    beyond the last record.
    """
    length = draws.among([1, 2, 3, 3])
    private = draws.below(length)
    rows = chances(draws, length + draws.below(2), private)
    if rarely(draws):
        rows[private] = draws.among([[F(3, 4), F(1)], [F(1), F(1, 2)]])
    if rarely(draws):
        rows = [row if k == private else draws.among(WRONG) for k, row in enumerate(rows)]
    found = {**any_steps(draws), "n": length, "r": rows}
    return {**found, "p": private if draws.below(12) else length}


BOTH_0 = _q(LEFT, sides.VALUE_0()) * _q(RIGHT, sides.VALUE_0())
BOTH_1 = _q(LEFT, sides.VALUE_1()) * _q(RIGHT, sides.VALUE_1())
ALIKE = "equivalent: records after X_p are replaced"
HIDDEN = "equivalent: X_p is always replaced"
NONE = "true and weaker: of a record that is not there all is 0"
MORE = "true and weaker: one record more leaks no less"
NO_MORE = "true and weaker: what is shown up to X_p tells less of the next record"
NOTHING_SHOWN = "true and weaker: then nothing is shown"


def _record(*rows: list[Fraction], a: Fraction, b: Fraction) -> Instance:
    """Three records, of which the middle one is private."""
    return {"a": a, "b": b, "n": 3, "p": 1, "r": [*rows]}


ALWAYS = [F(1), F(1)]
EXACT = Proposition(
    "records.BothSides.exactly",
    "",
    [a, b, n, p, r],
    RECORD,
    _lk(r).equals(LARGER(BOTH_0, BOTH_1)),
    redactions,
    edges=[_record([F(1), F(-1, 2)], ALWAYS, [F(-1), F(1)], a=F(9, 10), b=F(9, 10))],
    survivors={
        **PLACE,
        **numbered("conclusion, n + 1 for n [largest ratio for a value]", ALIKE, 1, 3),
        **numbered("conclusion, p + 1 for p [chances from a record on]", HIDDEN, 1, 2),
    },
)
BOUNDS = Proposition(
    "records.BothSides.between",
    "",
    [a, b, n, p, r],
    RECORD,
    BOTH(_lk(LEFT) <= _lk(r), BOTH(_lk(RIGHT) <= _lk(r), _lk(r) <= _lk(LEFT) * _lk(RIGHT))),
    redactions,
    edges=[
        _record([F(0), F(1)], ALWAYS, [F(2), F(1)], a=F(1, 10), b=F(4, 5)),
        _record([F(1, 2), F(1)], [F(3, 4), F(1)], [F(1, 2), F(1)], a=F(1, 5), b=F(1, 4)),
    ],
    survivors={
        **PLACE,
        **numbered("conclusion, n + 1 for n [leakage of a record]", ALIKE, 1, 6),
        **numbered("conclusion, n + 1 for n [leakage of a record]", MORE, 2, 4, 7),
        **numbered("conclusion, p for n [leakage of a record]", NONE, 1, 3, 5),
        **numbered("conclusion, n for p [leakage of a record]", NONE, 1, 3, 5),
        **numbered("conclusion, p + 1 for p [leakage of a record]", NO_MORE, 1),
        **numbered("conclusion, p + 1 for p [chances up to a record]", MORE, 2),
        **numbered("conclusion, p + 1 for p [chances from a record on]", HIDDEN, 1, 2),
        **numbered("conclusion, n for p [chances from a record on]", NOTHING_SHOWN, 1),
        "conclusion, p + 1 for p [chances up to a record]": "true and weaker: records are "
        "replaced beyond the next one, which leaks no more than r",
        **numbered(
            "conclusion, n for p [chances up to a record]",
            "true and weaker: all records are up to the last one",
            1,
            2,
        ),
    },
)
EQUALITY = Proposition(
    "records.BothSides.all_of_it",
    "",
    [a, b, n, p, r],
    RECORD,
    IFF(
        _lk(r).equals(_lk(LEFT) * _lk(RIGHT)),
        EITHER(
            BOTH(
                _q(LEFT, sides.VALUE_0()).equals(_lk(LEFT)),
                _q(RIGHT, sides.VALUE_0()).equals(_lk(RIGHT)),
            ),
            BOTH(
                _q(LEFT, sides.VALUE_1()).equals(_lk(LEFT)),
                _q(RIGHT, sides.VALUE_1()).equals(_lk(RIGHT)),
            ),
        ),
    ),
    redactions,
    edges=[_record([F(-1, 2), F(3, 2)], ALWAYS, [F(-1), F(3, 2)], a=F(1, 5), b=F(1, 4))],
    survivors={
        **PLACE,
        **numbered("conclusion, n + 1 for n [leakage of a record]", ALIKE, 2, 4, 6),
        **numbered("conclusion, n + 1 for n [largest ratio for a value]", ALIKE, 1, 3),
        **numbered("conclusion, p + 1 for p [chances from a record on]", HIDDEN, 1, 2, 3, 4, 5),
    },
)
FACTOR = "true and weaker: both factors are at least 1"
HALF = Proposition(
    "records.BothSides.more_than_half",
    "",
    [a, b, n, p, r],
    [*RECORD, ONE() < _lk(LEFT) * _lk(RIGHT)],
    _lk(LEFT) * _lk(RIGHT) < _lk(r) * _lk(r),
    redactions,
    edges=[
        _record([F(3, 2), F(1)], ALWAYS, [F(1), F(2)], a=F(1, 2), b=F(2, 3)),
        _record([F(1, 15), F(1)], ALWAYS, [F(0), F(1)], a=F(1, 2), b=F(1)),
    ],
    survivors={
        **PLACE,
        **numbered("conclusion, n + 1 for n [leakage of a record]", ALIKE, 1),
        **numbered("conclusion, n + 1 for n [leakage of a record]", MORE, 3, 4),
        **numbered("conclusion, p for n [leakage of a record]", NONE, 1, 2),
        **numbered("conclusion, n for p [leakage of a record]", NONE, 1, 2),
        **numbered("conclusion, p + 1 for p [leakage of a record]", NO_MORE, 1),
        **numbered("conclusion, p + 1 for p [chances from a record on]", HIDDEN, 1),
        **numbered("conclusion, n for p [chances from a record on]", NOTHING_SHOWN, 1),
        "conclusion, without e^Lk(r of records up to p)": FACTOR,
        "conclusion, without e^Lk(r of records from p on)": FACTOR,
    },
)
AWAY = DISTANCE(p, t)
SHOWN, ONES = [F(0), F(0)], [F(0), F(1)]
THIRD, FLIPPING = {"a": F(1, 3), "b": F(1, 3)}, {"a": F(9, 10), "b": F(9, 10)}
SAME_SIDE = "equivalent: it is on the same side of X_p"
NOT_P = "equivalent: neither X_t nor X_u is X_p"
EXTREME = Proposition(
    "records.SideLevels.first_is_extreme",
    "",
    [a, b, n, p, t, r, v],
    [*RECORD, NATURAL_LESS(t, n), sides.FIRST_SHOWN(p, t, r, v)],
    _q(sides.SIDE_OF(p, t, r), sides.TOWARDS(a, b, v, AWAY)).equals(sides.INFLUENCE(a, b, v, AWAY)),
    first_records,
    edges=[{**THIRD, "n": 1, "p": 0, "t": 1, "r": [ALWAYS, SHOWN], "v": 0}],
    survivors={
        **PLACE,
        "conclusion, n + 1 for n [largest ratio for a value]": "equivalent: records beyond X_t do "
        "not matter",
        "conclusion, t + 1 for t [chances on the side of a record]": SAME_SIDE,
    },
)
u = letter("u", NATURAL)


def both_first(draws: Draws) -> Instance:
    """Steps of a chain, nearly always with lam > 0, three or four records t < p < u, and chances
    that are nearly always 1 between t and u, now and then of one record more or beyond 1. The three
    are now and then in another order, or X_u beyond the last record. R is often the least level, or
    close to it.
    """
    of = draws.among([each for each in STEPS if each[0] + each[1] < 1])
    if rarely(draws):
        of = draws.among([*STEPS, *NO_CHAINS])
    length = draws.among([3, 3, 3, 4])
    t, p, u = draws.among([(0, 1, 2), (0, 1, length - 1), (0, length - 2, length - 1)])
    rows = chances(draws, length + draws.below(2), p)
    for k in range(t + 1, u):
        rows[k] = [F(1), draws.among([F(1), F(1), F(1), F(1, 2)])]
    if rarely(draws):
        t, p, u = draws.among([(0, 0, 1), (u, p, t), (u, t, u), (t, p, length), (u, p, u)])
        rows[p] = [F(1), F(1)]
    if rarely(draws):
        rows[draws.below(length)][draws.below(2)] = draws.among([F(3, 2), F(-1, 2)])
    if rarely(draws):
        rows[p] = draws.among([[F(3, 4), F(1)], [F(1), F(1, 2)]])
    found = {"a": of[0], "b": of[1], "n": length, "t": t, "p": p, "u": u, "r": rows}
    least = sides.leakage(*of, length, p, rows)
    return {**found, "ratio": least * draws.among([*CLOSE])}


def _places(t: int, p: int, u: int) -> Instance:
    return {"t": t, "p": p, "u": u}


LEVELS = Proposition(
    "records.SideLevels.both_levels",
    "",
    [ratio, a, b, n, t, p, u, r],
    [
        INSIDE(a, b),
        a + b < ONE(),
        NATURAL_LESS(t, p),
        NATURAL_LESS(p, u),
        NATURAL_LESS(u, n),
        CHANCES(r),
        sides.REPLACED(p, r),
        sides.FIRST_SHOWN(p, t, r, sides.VALUE_0()),
        sides.FIRST_SHOWN(p, u, r, sides.VALUE_0()),
    ],
    IFF(
        LEAKS(ratio, a, b, n, p, r),
        BOTH(
            I0(a, b, AWAY) * I0(a, b, DISTANCE(p, u)) <= ratio,
            sides.DIVIDES(
                _q(sides.SIDE_OF(p, t, r), sides.VALUE_1()),
                _q(sides.SIDE_OF(p, u, r), sides.VALUE_1()),
                ratio,
            ),
        ),
    ),
    both_first,
    edges=[
        {**THIRD, **_places(0, 1, 0), "n": 2, "r": [SHOWN, ALWAYS], "ratio": F(2)},
        {**THIRD, **_places(0, 1, 2), "n": 2, "r": [SHOWN, ALWAYS, SHOWN], "ratio": F(2)},
        {**FLIPPING, **_places(0, 1, 3), "n": 4, "r": [ONES, ALWAYS, ALWAYS, ONES], "ratio": F(41)},
    ],
    survivors={
        "hypothesis 2, <= for < [less]": "superfluous: lam = 0 is no exception",
        "hypothesis 3, <= for < [less, of natural numbers]": NOT_P,
        "hypothesis 4, <= for < [less, of natural numbers]": NOT_P,
        "conclusion, n + 1 for n [largest ratio for a value]": ALIKE,
        "conclusion, u for n [largest ratio for a value]": ALIKE,
        "conclusion, t for p [chances on the side of a record]": "equivalent: records between X_t "
        "and X_p are replaced",
        **{
            f"conclusion, {words} [chances on the side of a record]": SAME_SIDE
            for words in ("t + 1 for t", "p for t", "u + 1 for u", "n for u")
        },
    },
)
