"""Probes of chains, queries with noise and scores of quilts, and how these are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import logic
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts import chains
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, Release, tables_of
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL, NUMBER
from pufferproof.claims.vocabulary.terms import Log, letter, value

A, n = set_named("A"), letter("n", NATURAL)
C = letter("class", chains.chains("A"), "C")
run = letter("run", chains.release("A", "n"), "r")
runs = letter("runs", chains.releases("A", "n"), "F")
F = Fraction
RHO = (F(1, 2), F(1, 3), F(2, 3), F(3, 4))


def chain(draws: Draws, size: int) -> ChainOf:
    """Draw a chain whose steps may differ, with zeros."""
    steps = [[[*draws.law(size, 3)] for _ in range(size)] for _ in range(1 + draws.below(2))]
    return ChainOf([*draws.law(size, 3)], steps)


def query(draws: Draws, size: int, number: int) -> list[int]:
    """Draw a sum of a number for each record that moves by at most 1, or any such query."""
    tables = tables_of(size, number)
    signs = [draws.below(3) - 1 for _ in range(number)]
    marked = [draws.below(size) for _ in range(number)]
    if draws.whether():
        return [int(any(map(int.__eq__, table, marked))) for table in tables]
    return [sum(sign * (x == mark) for sign, x, mark in zip(signs, table, marked)) for table in tables]


def sized(draws: Draws, most: int = 8) -> tuple[int, int]:
    """Draw a set of two or three values, and a number of records."""
    return draws.among([pair for pair in SIZES if pair[0] ** pair[1] <= most])


SIZES = ((2, 1), (2, 2), (2, 2), (2, 3), (3, 1), (3, 2))


def scored(draws: Draws, found: Release, of: list[ChainOf], number: int, size: int) -> Release:
    """Return a release whose level is often the least that its scale is enough for."""
    needed = [left for left, _ in chains.SCORES.value(found, of, number, size)]
    close = max(needed) * draws.among([*CLOSE])
    return found._replace(ratio=close if 0 < close and draws.below(5) else found.ratio)


def drawn(draws: Draws, most: int = 8) -> Instance:
    """One or two chains on two or three values, one to three records, one or two queries that are
    1-Lipschitz but for one in eight, with a level that is often the least for the scale.
    """
    size, number = sized(draws, most)
    of = [chain(draws, size) for _ in range(1 + draws.below(2))]
    some = []
    for _ in range(1 + draws.below(1 + (size**number <= 4))):
        numerators = query(draws, size, number)
        if rarely(draws):
            numerators[draws.below(len(numerators))] += 2
        ratio = draws.among([F(3, 2), F(2), F(3), F(4)])
        found = Release(1, numerators, ratio, draws.among([*RHO]))
        some.append(scored(draws, found, of, number, size))
    levels = [each.ratio for each in some]
    return {
        "A": size,
        "n": number,
        "class": of,
        "run": some[0],
        "runs": some,
        "eps": Log(max(levels) * draws.among([F(1), F(1), F(5, 4), F(199, 200)])),
    }


def small(draws: Draws) -> Instance:
    """Few tables, and a ratio that is often the least."""
    at = drawn(draws, 4)
    needed = F(1)
    for term in (NOISY, SEVERAL) if draws.whether() else (NOISY,):
        pairs = term.head.value(*[value(each, {**at, "ratio": F(1)}) for each in term.arguments])
        needed = max([needed, *(left / right for left, right in pairs if right > 0)])
    return {**at, "ratio": needed * draws.among([F(1), F(5, 4), F(199, 200), F(2, 3)])}


def few(draws: Draws) -> Instance:
    """Few tables, but for one in thirty."""
    return drawn(draws, 4 if draws.below(30) else 8)


def loose(draws: Draws) -> Instance:
    """Weights that may be no laws."""
    size = 2
    of = [chain(draws, size) for _ in range(1 + draws.below(2))]
    if draws.whether():
        rows = of[0].steps[-1]
        of[0] = of[0]._replace(steps=[*of[0].steps[:-1], [[F(1), F(draws.below(2))], rows[1]]])
    if draws.below(3) == 2:
        of[-1] = of[-1]._replace(first=[F(3, 2), F(-1, 2)])
    return {"A": size, "class": of}


ratio, eps = letter("ratio", NUMBER, "R"), letter("eps", LEVEL)
VALUES, LAWS = chains.VALUES(n, A), chains.LAWS(C, n, A)
NOISY = KEEPS(ratio, chains.NOISY(run), VALUES, LAWS)
SEVERAL = KEEPS(ratio, chains.RELEASES(runs), VALUES, LAWS)
PROBES = [
    Probe(
        "chains only",
        chains.CHAINS(letter("class", chains.loose_chains("A"))),
        "A",
        loose,
        {"chains only": lambda of: (sum(each.first) == 1 for each in of)},
        "Chains",
    ),
    Probe(
        "1-Lipschitz",
        chains.MOVES(run),
        "A",
        drawn,
        {"1-Lipschitz": lambda found: iter(((max(found.numerators), found.parts + 1),))},
        "Chains",
    ),
    Probe(
        "scores",
        chains.SCORES(run, C, n, A),
        "A",
        few,
        {"scores": lambda found, of, n, A: iter(((1 / found.rho, found.ratio),))},
        "Chains",
    ),
    Probe(
        "query with noise",
        NOISY,
        "A",
        small,
        {
            "query with noise": lambda found: chains.NOISY.value(found._replace(rho=F(1, 2))),
            "values of one record": lambda n, A: chains.values_of(n, A)[:2],
            "laws of chains": lambda of, n, A: [chains.law_of_chain(of[0], n)],
        },
        "Chains",
    ),
    Probe(
        "queries with noise",
        SEVERAL,
        "A",
        small,
        {"queries with noise": lambda some: chains.NOISY.value(some[0])},
        "Chains",
    ),
    Probe(
        "levels of queries",
        chains.LEVEL_AT_MOST(chains.LEVEL_OF(run), eps),
        "A",
        drawn,
        {"level of": lambda found: Log(1 / found.ratio), "at most, of levels": lambda a, b: iter(((b.of, a.of),))},
        "Chains",
    ),
    Probe(
        "sum of levels of queries",
        logic.EXP(chains.LEVELS_OF(runs)),
        "A",
        drawn,
        {"sum of the levels of": lambda some: Log(some[0].ratio)},
        "Chains",
    ),
]
