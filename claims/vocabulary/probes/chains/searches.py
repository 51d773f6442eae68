"""Probes of searches for quilts of chains with a gap, and how searches are drawn."""

from collections.abc import Sequence
from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps, searches
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts import chains
from pufferproof.claims.vocabulary.entries.quilts.chains import Release
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.gaps import chain, low, n, r
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m, ratio
from pufferproof.claims.vocabulary.probes.quilts.chains import query
from pufferproof.claims.vocabulary.sorts import NATURAL
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
i, a, b = (letter(name, NATURAL) for name in "iab")
find = letter("find", searches.SEARCH, "S")
RELEASE = replace(
    chains.release("A", "n"), words="a query F_k of tables of n members of A, with a level eps_k and a scale sigma_k"
)
run = letter("run", RELEASE, "k")
SOME, FEW = [(3, 2), (2, 2), (4, 1), (2, 2), (3, 1)], [(2, 1), (1, 1), (2, 2)]
BOTH_SIDES = [(3, 1), (3, 1), (4, 1)]
"""How many records there are of two values, and of three."""
RHO = (F(1, 2), F(3, 4), F(9, 10), F(99, 100))


def needed(found: Instance, rho: Fraction, i: int, a: int, b: int) -> Fraction | None:
    """Return the least e^level at which the noise is enough for a quilt, or None."""
    low, r, n = (found[name] for name in ("low", "r", "n"))
    at = (low, r, n, i - a, i + b - 1, i - 1)
    return gaps.told(*at) / rho ** (a + b - 1) if all(gaps.FAR.value(*at)) else None


def a_search(draws: Draws, found: Instance, rho: Fraction) -> list[tuple[int, int]]:
    """Draw a quilt of each record: that of the least score, or one time in four any."""
    n, some = found["n"], list[tuple[int, int]]()
    for i in range(1, n + 1):
        every = [(a, b) for a in range(1, i + 1) for b in range(1, n + 2 - i)]
        useful = {each: told for each in every if (told := needed(found, rho, i, *each))}
        best = min(useful, key=lambda each: useful[each], default=every[-1])
        some.append(draws.among([*useful, best]) if draws.below(4) == 3 else best)
    return some


def searched(draws: Draws, sizes: Sequence[tuple[int, int]] = SOME) -> Instance:
    """Two or three values, a stationary law with steps that are often reversible, r that often
    bounds eigenvalues, a lower bound of the law, a first law, and up to four records; a query that
    is often 1-Lipschitz; a search that often finds quilts of least score, one of its records and
    quilts; and a level that is often the least for the scores.
    """
    found = dict(chain(draws))
    if rarely(draws):
        signs = [F(-1), F(2), *[F(0)] * (found["A"] - 2)]
        found["m"] = draws.among([vector(draws, found["A"]), signs])
    found["n"] = n = draws.among(sizes)[found["A"] - 2]
    numerators, rho = query(draws, found["A"], n), draws.among([*RHO])
    if rarely(draws):
        numerators[draws.below(len(numerators))] += 2
    some = a_search(draws, found, rho)
    met = draws.among([searches.visited(n, some), [*range(1, n + 1)]])
    i = draws.among([*met, *range(n + 2)]) if rarely(draws) else draws.among(met)
    a, b = searches.found_for(some, i)
    if draws.below(4) == 3:
        met, a, b = [i], 1 + draws.below(i + 1), 1 + draws.below(n + 1)
    quilts = [(j, *searches.found_for(some, j)) for j in met] if draws.below(3) else [(i, a, b)]
    asked = [needed(found, rho, *each) for each in quilts if each[1] <= each[0]]
    least = max([F(1), *(each for each in asked if each)])
    level = least * draws.among([*CLOSE])
    if rarely(draws):
        level = draws.among([F(3, 2), F(4)])
    release = Release(1, numerators, level, rho)
    return {**found, "run": release, "find": some, "i": i, "a": a, "b": b}


def two_sided(draws: Draws) -> Instance:
    """As above; with two values there are three or four records, and the quilt often has one on
    both sides, and a level that is often the least for it.
    """
    found = dict(searched(draws, BOTH_SIDES))
    n = found["n"]
    if n > 2 and not rarely(draws):
        i = 2 + draws.below(n - 2)
        quilt = (i, 1 + draws.below(i - 1), 1 + draws.below(n - i))
        least = max(F(1), needed(found, found["run"].rho, *quilt) or F(1))
        found |= dict(zip(("i", "a", "b"), quilt))
        found["run"] = found["run"]._replace(ratio=least * draws.among([*CLOSE]))
    return found


def promised(draws: Draws) -> Instance:
    """As above, of few records, with R, often the least that the query with noise keeps."""
    found = searched(draws, FEW)
    at = (chains.NOISY.value(found["run"]), chains.values_of(found["n"], found["A"]))
    priors = searches.LAW_FROM.value(found["m"], found["P"], found["n"], found["A"])
    compared = KEEPS.value(F(1), *at, priors)
    least = max([F(1), *(left / right for left, right in compared if right > 0)])
    return {**found, "ratio": least * draws.among([F(1), F(5, 4), F(199, 200), F(2, 3)])}


KEPT = KEEPS(ratio, chains.NOISY(run), chains.VALUES(n, A), searches.LAW_FROM(m, P, n, A))
USING = "Chains Segments Tables Powers Spectra Searches"
PROBES = [
    Probe(
        "score of a quilt",
        searches.SCORED(low, r, n, run, i, a, b),
        "A",
        searched,
        {"score of a quilt": lambda low, r, n, run, i, a, b: searches.scored(low, r, n, run, i, a, b + 1)},
        USING,
    ),
    Probe(
        "scores of all records",
        searches.EVERY_SCORE(low, r, n, run, find),
        "A",
        searched,
        {"scores of all records": lambda low, r, n, run, find: searches.every_score(low, r, n, run, find[::-1])},
        USING,
    ),
    Probe(
        "scores of the faster search",
        searches.FAST_SCORES(low, r, n, run, find),
        "A",
        searched,
        {"scores of the faster search": searches.every_score},
        USING,
    ),
    Probe(
        "law of one chain",
        KEPT,
        "A",
        promised,
        {"law of one chain": lambda m, P, n, A: searches.LAW_FROM.value(P[0], P, n, A)},
        USING,
    ),
    Probe(
        "at least two",
        searches.AT_LEAST_2(n),
        "",
        searched,
        {"at least two": lambda number: iter((number >= 3,))},
        USING,
    ),
]
