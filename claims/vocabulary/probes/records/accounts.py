"""Probes of releases one after the other, their levels for records and what other records tell."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS_AT
from pufferproof.claims.vocabulary.entries.records import accounts
from pufferproof.claims.vocabulary.entries.records.accounts import Chosen, differ, tables_of
from pufferproof.claims.vocabulary.families import CLOSE, Rows, rarely, signed, subset
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import (
    NATURAL,
    NUMBER,
    PAIRS_OF_TABLES,
    PRIORS_OF_TABLES,
    TABLE,
    naturals,
    row,
    sequence,
)
from pufferproof.claims.vocabulary.terms import Sort, letter

F = Fraction
A, W, n = set_named("A"), set_named("W"), letter("n", NATURAL)
H = letter("hidden", accounts.records(), "H")
Ms = letter("Ms", accounts.chosen("A", "W"), "M")
E, B = letter("factor", NUMBER, "E"), letter("budget", NUMBER, "B")
pairs, priors = letter("pairs", PAIRS_OF_TABLES, "Q"), letter("priors", PRIORS_OF_TABLES, "Theta")
p = letter("p", Sort(f"{TABLE} -> R", "weights of tables", "list Q", "law_of_tables {}", row))
SET = Sort(f"@Pufferfish.secret ({TABLE})", "a set of tables", "list nat", "set_of_tables {}", naturals)
s, t = letter("s", SET), letter("t", SET)
ws = letter("ws", sequence("W", "a list of outputs in W"))
CHANCES = [F(1, 2), F(1, 4), F(1), F(1, 8), F(0)]


def least(tables: list[Rows], size: int, number: int, j: int) -> Fraction:
    """Return the least level of mechanisms for a record, at least 1, or 2 if there is none."""
    found = [F(1)]
    every = [*enumerate(tables_of(size, number))]
    for M in tables:
        for x, here in every:
            for y, there in every:
                if differ(here, there, j):
                    found += [_ratio(a, b) for a, b in zip(M[x], M[y]) if a > 0]
    return max(found)


def told(hidden: Any, both: Any, laws: Any, size: int, number: int) -> Fraction:
    """Return the least factor by which other records tell, or 2 if there is none."""
    found = [F(1, 2)]
    for left, right in accounts.TELL.value(F(1), hidden, both, laws, size, number):
        if left > 0:
            found.append(_ratio(left, right))
    return max(found)


def _ratio(left: Fraction, right: Fraction) -> Fraction:
    return left / right if right > 0 else F(2)


def _release(draws: Draws, size: int, number: int) -> Chosen:
    many = [
        signed(draws, [[draws.among(CHANCES) for _ in range(2)] for _ in range(size**number)])
        for _ in range(draws.among([1, 1, 2, 3]))
    ]
    off = draws.among(CLOSE)
    apart = [[each] for each in many] if draws.below(3) else [many]
    return Chosen(many, [[least(each, size, number, j) * off for j in range(number)] for each in apart])


def spends(hidden: Any, releases: Any, number: int) -> Fraction:
    """Return the largest product of levels of hidden records over outputs."""
    products: list[tuple[Fraction, Fraction]] = [*accounts.SPENT.value(hidden, releases, F(0), number)]
    return max(left for left, _ in products)


def drawn(draws: Draws) -> Instance:
    """One or two records with two values, or one with three, some of which are hidden, at times one
    more that there is not; one or two releases with two outputs, the second chosen by the first
    output at times, now and then negative, with levels that are often the least, of all tables or
    of each; a budget that is often what they come to; one or two priors, with zeros and now and
    then negative; two secrets, often values of a record, and perhaps their other order; a factor
    that is often the least.
    """
    size, number = draws.among([(2, 1), (2, 2), (2, 2), (3, 1)])
    tables = tables_of(size, number)
    hidden = {k for k in range(number) if draws.below(3)} | ({number} if rarely(draws) else set())
    laws = signed(draws, [[*draws.law(len(tables), 3)] for _ in range(1 + draws.below(2))])
    own = [frozenset(x for x, each in enumerate(tables) if each[0] == v) for v in (0, 1)]
    first, second = own if draws.below(3) else [subset(draws, len(tables)) for _ in range(2)]
    both = [(first, second), *[(second, first)] * draws.below(2)]
    releases = [_release(draws, size, number) for _ in range(1 + draws.below(2))]
    off = draws.among(CLOSE)
    return {
        **{"A": size, "n": number, "W": 2, "hidden": frozenset(hidden), "priors": laws},
        **{"Ms": releases, "budget": spends(hidden, releases, number) * draws.among(CLOSE)},
        **{"pairs": both, "factor": told(hidden, both, laws, size, number) * off},
        **{"p": laws[0], "s": first, "t": second},
        "ws": [draws.below(2) for _ in range(draws.among([1, 1, 2, 2, 2, 0, 3]))],
    }


def _first_table(releases: Any) -> Any:
    return accounts.ADAPTIVE.value([each._replace(tables=each.tables[:1]) for each in releases])


def _of_first_levels(hidden: Any, releases: Any, budget: Fraction, number: int) -> Any:
    first = [each._replace(levels=each.levels[:1]) for each in releases]
    return accounts.SPENT.value(hidden, first, budget, number)


PROBES = [
    Probe(
        "levels of releases",
        accounts.GOOD(H, Ms, A, n),
        "A W",
        drawn,
        {"levels of releases": lambda H, Ms, A, n: accounts.GOOD.value([0], Ms[:1], A, n)},
        "Sequences Records Accounts",
    ),
    Probe(
        "other records tell",
        accounts.TELL(E, H, pairs, priors, A, n),
        "A",
        drawn,
        {"other records tell": lambda E, H, Q, T, A, n: accounts.TELL.value(E, {k + 1 for k in H}, Q, T, A, n)},
        "Sequences Records Accounts",
    ),
    Probe(
        "releases one after the other",
        KEEPS_AT(E, p, accounts.ADAPTIVE(Ms), s, t, ws),
        "A W",
        drawn,
        {"releases one after the other": _first_table},
        "Sequences Records Accounts",
    ),
    Probe(
        "levels spent",
        accounts.SPENT(H, Ms, B, n),
        "A W",
        drawn,
        {"levels spent": _of_first_levels},
        "Sequences Records Accounts",
    ),
]
