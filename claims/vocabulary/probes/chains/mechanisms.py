"""Probes of classes of chains with a gap and of scores by their estimates, and how these are
drawn.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps, mechanisms
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS
from pufferproof.claims.vocabulary.entries.quilts.chains import VALUES, Release
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.gaps import GRID, flows, low
from pufferproof.claims.vocabulary.probes.quilts.chains import RHO, A, n, query, run
from pufferproof.claims.vocabulary.probes.quilts.segments import CHANCES, M, least, ratio
from pufferproof.claims.vocabulary.sorts import NUMBER
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
rate = letter("r", NUMBER, "s")
C = letter("class", mechanisms.resting_chains("A"), "C")
SIZES = ((2, 1), (2, 2), (2, 2), (2, 3), (3, 1), (3, 2))


def resting(draws: Draws) -> Instance:
    """One or two chains of one to three records with two values, or of up to two with three, with
    their stationary laws, r in a grid, often the least that bounds eigenvalues of all, and a lower
    bound of the laws, often their least entry; one or two queries that are 1-Lipschitz but for one
    in eight, whose level is often the least for which quilts score.
    """
    size, number = draws.among([*SIZES])
    drawn = [flows(draws, size) for _ in range(1 + draws.below(2))]
    shrinks = next((r for r in GRID[:-1] if all(min(pi) > 0 and gaps.shrinks(pi, P, r) for pi, P in drawn)), GRID[-2])
    lowest = min(min(pi) for pi, _ in drawn)
    found: Instance = {
        **{"A": size, "n": number, "r": draws.among([shrinks] * 3 + [draws.among(GRID)])},
        "low": lowest * draws.among([F(1), F(1), F(1, 2), F(3, 2)]),
        "class": [(pi, ([*draws.law(size, 3)], P)) for pi, P in drawn],
    }
    runs = [_run(draws, found) for _ in range(1 + draws.below(1 + (size**number <= 4)))]
    return {**found, "run": runs[0], "runs": runs}


def _run(draws: Draws, at: Instance) -> Release:
    numerators = query(draws, at["A"], at["n"])
    if rarely(draws):
        numerators[draws.below(len(numerators))] += 2
    found = Release(1, numerators, draws.among([F(3, 2), F(2), F(4), F(8)]), draws.among([*RHO]))
    needed = mechanisms.ESTIMATED.value(found, at["low"], at["r"], at["n"])
    close = max(left for left, _ in needed) * draws.among([*CLOSE])
    return found._replace(ratio=close) if draws.below(5) else found


def loose(draws: Draws) -> Instance:
    """As above, but at times weights and steps that are no laws, and odd numbers; a mechanism with
    two outputs, and R, often its least.
    """
    found = dict(resting(draws))
    size, number = found["A"], found["n"]
    pi, (first, steps) = found["class"][-1]
    if rarely(draws):
        pi = vector(draws, size)
    if rarely(draws):
        first = vector(draws, size)
    if rarely(draws):
        steps = [vector(draws, size) for _ in range(size)]
    if rarely(draws):
        found["r"] = F(-1, 4)
    found["class"] = [*found["class"][:-1], (pi, (first, steps))]
    rows = [[draws.among(CHANCES), draws.among(CHANCES)] for _ in range(size**number)]
    laws = mechanisms.LAWS_AT_REST.value(found["class"], number, size)
    compared = KEEPS.value(F(1), rows, VALUES.value(number, size), laws)
    return {**found, "W": 2, "M": rows, "ratio": least(compared) * draws.among([*CLOSE])}


def few(draws: Draws) -> Instance:
    """As above, but with none to three records, an index, and a rate that is often small."""
    found = {**resting(draws), "r": draws.among([F(0), F(1, 16), F(1, 8), F(1, 2)])}
    return {**found, "low": F(1, 2 + draws.below(2)), "n": draws.below(4), "i": draws.below(3)}


USING = "Chains Segments Powers Spectra Mechanisms"
PROBES = [
    Probe(
        "chains with gaps",
        mechanisms.GAPS(C, low, rate),
        "A",
        loose,
        {"chains with gaps": lambda C, low, s: mechanisms.GAPS.value(C, low, s * s)},
        USING,
    ),
    Probe(
        "laws of chains with gaps",
        KEEPS(ratio, M, VALUES(n, A), mechanisms.LAWS_AT_REST(C, n, A)),
        "A W",
        loose,
        {
            "laws of chains with gaps": lambda C, n, A: mechanisms.LAWS_AT_REST.value(
                [(pi, (pi, P)) for pi, (_, P) in C], n, A
            )
        },
        USING,
    ),
    Probe(
        "scores by estimates",
        mechanisms.ESTIMATED(run, low, rate, n),
        "A",
        resting,
        {"scores by estimates": lambda run, low, s, n: mechanisms.ESTIMATED.value(run, low, s * s, n)},
        USING,
    ),
    Probe(
        "scores by two-sided estimates",
        mechanisms.TWO_SIDED(run, low, rate, n),
        "A",
        few,
        {"scores by two-sided estimates": lambda run, low, s, n: mechanisms.ESTIMATED.value(run, low, s, n)},
        USING,
    ),
]
