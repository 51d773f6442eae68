"""Which instances a family draws, as its draws show: what it draws is never refused, and what
breaks one of its rules is.
"""

from fractions import Fraction
from random import Random

import pytest

from pufferproof.claims.language.statements import Draws, Statement
from pufferproof.claims.language.statements.membership import outside


def spread(draws):
    """A whole number below 10,000, one that is at least as large, and the next number."""
    n = draws.below(10_000)
    return {"n": n, "m": n + draws.below(10_000), "next": n + 1}


def chain(draws):
    """A law, rows of transitions, distinct places in order, a rate and the rest of it, a word."""
    size = 2 + draws.below(3)
    rate = draws.rate([Fraction(1, 2), Fraction(1, 3), Fraction(1, 5)])
    return {
        "size": size,
        "law": draws.positive_law(size),
        "rows": draws.rows(size, size),
        "places": draws.several(range(5)),
        "rate": rate,
        "rest": 1 - rate,
        "word": draws.among(("left", "right")),
        "flag": draws.whether(),
    }


def table(draws):
    """Even numbers and a sum of two, by name."""
    a, b = 2 * draws.below(8), draws.below(9)
    return {"at": {"a": a, "b": b}, "a": a, "b": b, "c": a + b, "pair": (a, None)}


def of(family, **more):
    return Statement(family, lambda **_: False, too_strong={"": lambda **_: False}, **more)


@pytest.mark.parametrize("family", [spread, chain, table])
def test_what_a_family_draws_is_never_refused(family):
    random, statement = Random(7), of(family)
    for place in range(20):
        drawn = family(Draws(random, hard=bool(place % 2)))
        assert outside(statement, drawn) == "", drawn


CHAIN = {
    "size": 2,
    "law": [Fraction(1, 2), Fraction(1, 2)],
    "rows": [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1, 2)]],
    "places": [0, 3],
    "rate": Fraction(1, 3),
    "rest": Fraction(2, 3),
    "word": "left",
    "flag": True,
}
TABLE = {"at": {"a": 4, "b": 1}, "a": 4, "b": 1, "c": 5, "pair": (4, None)}
SPREAD = {"n": 4321, "m": 8765, "next": 4322}


@pytest.mark.parametrize(
    ("family", "right", "change"),
    [
        *((spread, SPREAD, each) for each in ({"n": -1}, {"n": 10_000}, {"n": Fraction(9, 2)})),
        *((spread, SPREAD, each) for each in ({"m": 4320}, {"next": 4321}, {"n": True})),
        (chain, CHAIN, {"size": 3}),
        (chain, CHAIN, {"size": Fraction(5, 2)}),
        (chain, CHAIN, {"law": [Fraction(0), Fraction(1)]}),
        (chain, CHAIN, {"law": [Fraction(1, 2), Fraction(1, 4)]}),
        (chain, CHAIN, {"law": [Fraction(1, 4)] * 4}),
        (chain, CHAIN, {"law": [Fraction(3, 2), Fraction(-1, 2)]}),
        (chain, CHAIN, {"rows": [[Fraction(1), Fraction(0)], [Fraction(1, 2), Fraction(1)]]}),
        (chain, CHAIN, {"rows": [[Fraction(1), Fraction(0)]]}),
        (chain, CHAIN, {"rows": [Fraction(1), Fraction(0)]}),
        (chain, CHAIN, {"places": [3, 0]}),
        (chain, CHAIN, {"places": [3, 3]}),
        (chain, CHAIN, {"places": [5]}),
        (chain, CHAIN, {"rate": Fraction(2, 3), "rest": Fraction(2, 3)}),
        (chain, CHAIN, {"rate": Fraction(-1, 3), "rest": Fraction(4, 3)}),
        (chain, CHAIN, {"word": "up"}),
        (chain, CHAIN, {"flag": 1}),
        (chain, CHAIN, {"flag": None}),
        (table, TABLE, {"a": 3, "c": 4}),
        (table, TABLE, {"c": 6}),
        (table, TABLE, {"at": {"a": 4}}),
        (table, TABLE, {"at": {"a": 4, "b": 1, "d": 1}}),
        (table, TABLE, {"at": [4, 1]}),
        (table, TABLE, {"pair": (4, 4)}),
        (table, TABLE, {"pair": (4,)}),
    ],
)
def test_what_breaks_a_rule_of_a_family_is_refused(family, right, change):
    assert outside(of(family), right) == ""
    assert outside(of(family), right | change).startswith("the family draws no such instance: ")


def test_what_is_computed_from_other_entries_is_only_what_was_drawn():
    assert "computes next from other entries" in outside(of(spread, computed=["next"]), SPREAD)


def test_whole_numbers_may_be_written_as_quotients():
    assert outside(of(table), TABLE | {"b": Fraction(1)}) == ""
