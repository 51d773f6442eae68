"""How instances of the theorems on two segments of a chain are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts import segments
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, law_of_chain, tables_of
from pufferproof.claims.vocabulary.families import CLOSE, Rows, rarely
from pufferproof.claims.vocabulary.probes.quilts.chains import chain
from pufferproof.claims.vocabulary.probes.quilts.segments import least
from pufferproof.claims.vocabulary.terms import Log

F = Fraction
CHANCES = [F(1, 2), F(1, 4), F(1), F(1, 8), F(3, 4)]


def two_segments(draws: Draws) -> Instance:
    """One or two chains of two to four records with two values, two segments of records, which one
    time in eight are any, mechanisms with two outputs that depend on them, but for one in eight,
    and least levels and influences, or others close to these; weights of a first record and of a
    mechanism are now and then negative.
    """
    number = draws.among([2, 2, 3, 3, 4])
    ends = sorted(draws.below(number) for _ in range(4))
    ends = [min(ends[0], ends[1]), ends[1], max(ends[1] + 1, ends[2]), max(ends[1] + 1, ends[3])]
    if rarely(draws) or ends[3] >= number:
        ends = [draws.below(number + 1) for _ in range(4)]
    of = [chain(draws, 2) for _ in range(1 + draws.below(2))]
    if rarely(draws):
        of[0] = ChainOf([F(3, 2), F(-1, 2)], of[0].steps)
    T1, T2, T3, T4 = ends
    M, N = reading(draws, T1, T2, number), reading(draws, T3, T4, number)
    return {
        **{"A": 2, "W": 2, "V": 2, "n": number, "class": of, "M": M, "N": N},
        **{"T1": T1, "T2": T2, "T3": T3, "T4": T4},
        **{"eps_A": kept(draws, M, of, ends[:2], number)},
        **{"eps_B": kept(draws, N, of, ends[2:], number)},
        **{"f": told(draws, of, T2, T3, number), "g": told(draws, of, T3, T2, number)},
    }


def reading(draws: Draws, first: int, last: int, number: int) -> Rows:
    """Draw a mechanism with two outputs that depends on a segment, but for one in eight."""
    rows: dict[object, list[Fraction]] = {}
    odd = rarely(draws)
    seen = [table if odd else table[first : last + 1] for table in tables_of(2, number)]
    for each in seen:
        rows.setdefault(each, [draws.among(CHANCES), draws.among(CHANCES)])
    if rarely(draws):
        rows[seen[-1]] = [F(-1, 200), draws.among(CHANCES)]
    return [rows[each] for each in seen]


def kept(draws: Draws, M: Rows, of: list[ChainOf], ends: list[int], number: int) -> Log:
    """Return the least level of a mechanism for the values of a segment, or one close to it."""
    secrets = segments.VALUES_IN.value(*ends, 2, number)
    laws = [law_of_chain(each, number) for each in of]
    return Log(least(KEEPS.value(F(1), M, secrets, laws)) * draws.among([*CLOSE]))


def told(draws: Draws, of: list[ChainOf], k: int, j: int, number: int) -> Log:
    """Return the least bound of what a record tells of another one, or one close to it."""
    return Log(least(segments.TOLD.value(Log(F(1)), of, k, j, number, 2)) * draws.among([*CLOSE]))


def exact(chain: ChainOf, number: int, flags: Rows) -> Instance:
    """Return an instance with a flag on the first record, one on the last, and their exact levels,
    each flag by its chances at the two values of its record.
    """
    end, of = number - 1, [chain]
    every = tables_of(2, number)
    M, N = ([[flags[place][table[-place]]] for table in every] for place in (0, 1))
    laws = [law_of_chain(chain, number)]
    levels = [
        Log(least(KEEPS.value(F(1), rows, segments.VALUES_IN.value(k, k, 2, number), laws)))
        for rows, k in ((M, 0), (N, end))
    ]
    tell = [Log(least(segments.TOLD.value(Log(F(1)), of, k, end - k, number, 2))) for k in (0, end)]
    return {
        **{"A": 2, "W": 1, "V": 1, "n": number, "class": of, "M": M, "N": N},
        **{"T1": 0, "T2": 0, "T3": end, "T4": end},
        **{"eps_A": levels[0], "eps_B": levels[1], "f": tell[0], "g": tell[1]},
    }


def rare(first: Fraction, *steps: Rows) -> ChainOf:
    """Return a chain of bits by the chance of a first 1 and its steps."""
    return ChainOf([1 - first, first], steps)


SELDOM = [[F(9999, 10000), F(1, 10000)], [F(1, 2), F(1, 2)]]
"""A 1 after a 0 is rare: the first record tells much more of the second than the other way."""
ONES = F(98, 10000 * 100) + F(1, 100)
TURNED = [
    [F(98, 100) * F(9999, 10000) / (1 - ONES), F(1, 100) / (1 - ONES)],
    [F(98, 1000000) / ONES, F(1, 100) / ONES],
]
ONE_WAY = [[F(1), F(0)], [F(9999, 10000), F(1, 10000)]], [[F(99, 100), F(1, 100)], [F(0), F(1)]]
EXTREME = [
    exact(rare(F(1, 50), SELDOM), 2, [[F(1, 1000), F(1)], [F(1, 10000), F(1)]]),
    exact(rare(ONES, TURNED), 2, [[F(1, 10000), F(1)], [F(1, 1000), F(1)]]),
    exact(rare(F(1, 100), *ONE_WAY), 3, [[F(1, 2), F(1)], [F(1, 2), F(1)]]),
    exact(
        rare(F(1, 8), [[F(1, 8), F(7, 8)], [F(3, 4), F(1, 4)]]),
        2,
        [[F(1, 200), F(3, 16)], [F(19, 20), F(1, 80)]],
    ),
    exact(
        rare(F(2, 3), [[F(2, 3), F(1, 3)], [F(19, 20), F(1, 20)]]),
        2,
        [[F(1, 2), F(1, 80)], [F(1, 80), F(2, 3)]],
    ),
]
"""Chains whose records tell more in one direction, or more of a record between them than of each
other.
"""
