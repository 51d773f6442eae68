"""Probes of segments of the records of a chain, and of what one record tells of another."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, P
from pufferproof.claims.vocabulary.entries.quilts import segments
from pufferproof.claims.vocabulary.entries.quilts.chains import (
    LAWS,
    LEVEL_AT_MOST,
    ChainOf,
    chains,
    law_of_chain,
    tables_of,
)
from pufferproof.claims.vocabulary.families import CLOSE, framework, rarely, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.quilts.chains import chain
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL, NUMBER, mechanism, member, pairs, priors
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction
A, n, t = set_named("A"), letter("n", NATURAL), letter("t", NATURAL)
C = letter("class", chains("A"), "C")
theta = letter("theta", segments.one_chain("A"))
first, last = letter("first", NATURAL), letter("last", NATURAL)
k, j, level = letter("k", NATURAL), letter("j", NATURAL), letter("level", LEVEL)
s, u = (letter(name, segments.set_of_tables("A")) for name in "su")
v = letter("v", member("A", "a member of A"))
M = letter("M", segments.reader("A", "W"))
ratio = letter("ratio", NUMBER, "R")
a, b, c, f, g = (letter(name, LEVEL) for name in "abcfg")
FINITE = letter("M", mechanism("D", "W")), letter("N", mechanism("D", "V"))
Q, more, T = letter("pairs", pairs("D")), letter("more", pairs("D")), letter("priors", priors("D"))
CHANCES = [F(1, 2), F(1, 4), F(1), F(1, 8), F(0)]


def depending(draws: Draws, seen: Any, size: int, number: int) -> frozenset[int]:
    """Draw a set of tables that depends on what is seen of them, but for one in four."""
    inside: dict[object, bool] = {}
    if not draws.below(4):
        return subset(draws, size**number)
    for table in tables_of(size, number):
        inside.setdefault(seen(table), draws.whether())
    every = enumerate(tables_of(size, number))
    return frozenset(place for place, table in every if inside[seen(table)])


def sides(draws: Draws) -> Instance:
    """Weights of one to three records with two values or of two with three, which one time in eight
    are those of no chain; a record t, which at times there is not, and a value; two sets of tables,
    three in four of which depend on the records up to t, or on those from it on.
    """
    size, number = draws.among([(2, 1), (2, 2), (2, 3), (2, 3), (3, 2)])
    place = draws.below(number + rarely(draws))
    found = chain(draws, size)
    if rarely(draws):
        found = ChainOf([each - F(1, 2) for each in found.first], found.steps)
    return {
        **{"A": size, "n": number, "t": place, "theta": found, "v": draws.below(size)},
        "s": depending(draws, lambda table: table[: place + 1], size, number),
        "u": depending(draws, lambda table: table[place:], size, number),
    }


def ranges(draws: Draws) -> Instance:
    """One or two chains of one to three records with two values, a range of records, which at times
    there are not, two records, and a mechanism with two outputs that depends on the range in three
    of four; factors are often the least.
    """
    number = 1 + draws.below(3)
    low, high = draws.below(number), draws.below(number + 1)
    of = [chain(draws, 2) for _ in range(1 + draws.below(2))]
    rows: dict[object, list[Fraction]] = {}
    odd = not draws.below(4)
    for table in tables_of(2, number):
        seen = table if odd else table[low : high + 1]
        rows.setdefault(seen, [draws.among(CHANCES), draws.among(CHANCES)])
    read = [rows[x if odd else x[low : high + 1]] for x in tables_of(2, number)]
    pair = [draws.below(number + rarely(draws)) for _ in range(2)]
    laws = [law_of_chain(each, number) for each in of]
    secret = segments.VALUES_IN.value(low, high, 2, number)
    return {
        **{"A": 2, "W": 2, "n": number, "class": of, "first": low, "last": high, "M": read},
        **{"k": pair[0], "j": pair[1]},
        "ratio": least(KEEPS.value(F(1), read, secret, laws)) * draws.among([*CLOSE]),
        "level": Log(least(segments.TOLD.value(Log(F(1)), of, *pair, number, 2)) * draws.among([*CLOSE])),
    }


def least(compared: Any) -> Fraction:
    """Return the least factor of the right sides, or 4 if there is none, but at least 1/8."""
    found = [F(1, 8)]
    for left, right in compared:
        if left > 0:
            found.append(left / right if right > 0 else F(4))
    return max(found)


def levels(draws: Draws) -> Instance:
    """Five levels."""
    return {name: Log(draws.among([F(1), F(2), F(1, 2), F(3)])) for name in "abcfg"}


def two(draws: Draws) -> Instance:
    """Two mechanisms, and two sets of pairs."""
    at = dict(framework(draws))
    size = at["D"]
    at["N"] = [[*draws.law(at["V"], 3)] for _ in range(size)]
    at["more"] = [(subset(draws, size), subset(draws, size))]
    return at


USING = "Chains Segments"
PROBES = [
    Probe(
        "reads a segment",
        segments.READS(first, last, M, A, n),
        "A W",
        ranges,
        {"reads a segment": lambda i, j, M, A, n: segments.READS.value(i + 1, j, M, A, n)},
        USING,
    ),
    Probe(
        "depends on the records up to",
        segments.UP_TO(t, s, A, n),
        "A",
        sides,
        {"depends on the records up to": lambda t, s, A, n: segments.FROM.value(t, s, A, n)},
        USING,
    ),
    Probe(
        "depends on the records from",
        segments.FROM(t, u, A, n),
        "A",
        sides,
        {"depends on the records from": lambda t, u, A, n: segments.UP_TO.value(t, u, A, n)},
        USING,
    ),
    Probe(
        "values of the records of a segment",
        KEEPS(ratio, M, segments.VALUES_IN(first, last, A, n), LAWS(C, n, A)),
        "A W",
        ranges,
        {"values of the records of a segment": lambda i, j, A, n: segments.VALUES_IN.value(i, i, A, n)},
        USING,
    ),
    Probe(
        "values of the record",
        KEEPS(ratio, M, segments.VALUES_OF(first, A, n), LAWS(C, n, A)),
        "A W",
        ranges,
        {"values of the record": lambda i, A, n: segments.VALUES_IN.value(i, n, A, n)},
        USING,
    ),
    Probe(
        "told of a record",
        segments.TOLD(level, C, k, j, n, A),
        "A",
        ranges,
        {"told of a record": lambda e, C, k, j, n, A: segments.TOLD.value(e, C, j, k, n, A)},
        USING,
    ),
    Probe(
        "pairs of either",
        KEEPS(ratio, FINITE[0], segments.EITHER(Q, more), T),
        "D W",
        two,
        {"pairs of either": lambda some, more: some},
        USING,
    ),
    Probe(
        "two releases",
        KEEPS(ratio, segments.TOGETHER(*FINITE), Q, T),
        "D W V",
        two,
        {"two releases": lambda M, N: M},
        USING,
    ),
    Probe(
        "level of both segments",
        LEVEL_AT_MOST(segments.OF_BOTH(a, b, f, g), c),
        "",
        levels,
        {"level of both segments": lambda a, b, f, g: segments.OF_BOTH.value(a, b, g, f)},
        USING,
    ),
    Probe(
        "weights of a chain",
        P(segments.LAW_OF_CHAIN(theta, n), segments.MEET(s, segments.VALUE_IS(t, v, A, n))),
        "A",
        sides,
        {
            "law of a chain": lambda chain, number: law_of_chain(ChainOf(chain.steps[0][0], chain.steps), number),
            "meet": lambda s, t: s | t,
            "value of a record": lambda i, x, A, n: segments.having(i, 0, A, n),
        },
        USING,
    ),
]
