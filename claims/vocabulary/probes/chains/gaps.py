"""Probes of chains with a gap, and how such chains are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.chains import gaps
from pufferproof.claims.vocabulary.families import rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.chains.powers import A, P, m, ratio, told, v, w
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
pi, low, r = letter("pi", weights("A")), letter("low", NUMBER, "l"), letter("r", NUMBER)
n, lo, hi, i = (letter(name, NATURAL) for name in ("n", "lo", "hi", "i"))
t = letter("t", NATURAL)
GRID = [F(0), F(1, 16), F(1, 12), F(1, 8), F(1, 4), F(1, 3), F(1, 2), F(3, 4), F(7, 8), F(1)]


def flows(draws: Draws, size: int) -> tuple[list[Fraction], list[list[Fraction]]]:
    """Draw a stationary law and steps: flows between values, as large one way as the other, or with
    a circle added; each value is then often drawn anew.
    """
    flow = [[F(0)] * size for _ in range(size)]
    product = draws.below(3) == 0
    parts = [1 + draws.below(3) for _ in range(size)]
    for x in range(size):
        for y in range(x + 1):
            flow[x][y] = flow[y][x] = F(parts[x] * parts[y] if product else draws.below(4))
    if size > 2 and not product and draws.below(3) == 0:
        for x in range(size):
            flow[x][(x + 1) % size] += 1
    for x in range(size):
        flow[x][x] += not sum(flow[x])
    totals = [sum(row, F(0)) for row in flow]
    whole = sum(totals, F(0))
    law, share = [each / whole for each in totals], draws.among([F(1), F(1, 2), F(1, 4), F(1, 8)])
    return law, [[share * a / each + (1 - share) * p for a, p in zip(row, law)] for row, each in zip(flow, totals)]


def chain(draws: Draws) -> Instance:
    """Two or three values, a stationary law with steps that are often reversible, r in a grid,
    often the least that bounds eigenvalues; a lower bound of the law, often its least entry; a law
    of the first record, up to four records, two of which are beside a third one.
    """
    size = 2 + draws.below(2)
    law, steps = flows(draws, size)
    least = next((r for r in GRID[:-1] if min(law) > 0 and gaps.shrinks(law, steps, r)), GRID[-2])
    n = 1 + draws.below(4 if size == 2 else 3)
    i = draws.below(n)
    return {
        **{"A": size, "pi": law, "P": steps, "m": [*draws.law(size, 3)]},
        "r": draws.among([least, least, least, draws.among(GRID)]),
        "low": min(law) * draws.among([F(1), F(1), F(1, 2), F(3, 2)]),
        **{"n": n, "i": i, "lo": draws.below(i + 1), "hi": i + 1 + draws.below(n - i)},
        **{"t": draws.below(6), "v": draws.below(size), "w": draws.below(size)},
    }


def loose(draws: Draws) -> Instance:
    """As above, but at times weights that are no laws, places in any order, and odd numbers."""
    found = dict(chain(draws))
    if rarely(draws):
        found["pi"] = vector(draws, found["A"])
    if rarely(draws):
        found["P"] = [vector(draws, found["A"]) for _ in range(found["A"])]
    if rarely(draws):
        found["m"] = vector(draws, found["A"])
    if rarely(draws):
        found["r"] = F(-1, 4)
    if rarely(draws):
        found |= {name: draws.below(5) for name in ("lo", "hi", "i")}
    return found


def nearly(draws: Draws) -> Instance:
    """As above, with R, often the least by which powers are close to the law."""
    found = loose(draws)
    compared = gaps.close(F(0), found["pi"], found["P"], found["t"])
    least = max([left / right - 1 for left, right in compared if right > 0], default=F(1))
    return {**found, "ratio": least * draws.among([F(1), F(5, 4), F(9, 10)])}


def bounded(draws: Draws) -> Instance:
    """As above, with R."""
    return told(draws, loose(draws), WITHIN)


def chain_with_rate(draws: Draws) -> Instance:
    """Two or three values, a stationary law with steps that are often reversible, r, often the
    least of a grid that bounds eigenvalues, a lower bound of the law, a law of the first record, at
    times with a negative entry, and up to four records, two of which are beside a third one.
    """
    found = dict(chain(draws))
    if rarely(draws):
        found["m"] = [F(-1), F(2), *[F(0)] * (found["A"] - 2)]
    if rarely(draws):
        found["low"] = draws.among([F(-1), F(0)])
    steps = draws.below(4)
    return {
        **found,
        **{"x": draws.below(found["A"]), "y": draws.below(found["A"])},
        "t": 1 + draws.below(2) if steps else draws.below(6),
    }


def rare(share: Fraction, rate: Fraction) -> Instance:
    """Two rare values and a common one, with eigenvalues rate and -rate, from the rare ones."""
    stay, cross = share * (1 + rate), share - rate * (1 - share)
    out = 1 - stay - cross
    back = share * out / (1 - 2 * share)
    return {
        **{"A": 3, "pi": [share, share, 1 - 2 * share], "m": [F(1, 100), F(99, 100), F(0)]},
        "P": [[stay, cross, out], [cross, stay, out], [back, back, 1 - 2 * back]],
        **{"r": rate, "low": share, "n": 2, "i": 0, "lo": 0, "hi": 1},
        **{"t": 1, "x": 0, "y": 0, "v": 0, "w": 1},
    }


NEVER: Instance = {**rare(F(1, 200), F(1, 199)), "low": F(101, 20000)}
"""One rare value never leads to the other, and the bound of the law is a little too large."""
SELDOM: Instance = rare(F(1, 1000), F(9, 10000))
"""Close to that."""
EDGES = [NEVER, SELDOM, {**SELDOM, "i": 1, "lo": 1, "hi": 2}]


WITHIN = gaps.QUILT_WITHIN(ratio, m, P, n, lo, hi, i, v, w, A)
USING = "Chains Powers Spectra"
FARTHER = "true and weaker: a record that is farther away tells no more"
NONE = "true and weaker: there is no such record, and the bound is at least 1"
SURVIVORS = {
    "conclusion, pi for m [a quilt tells at most]": "true and weaker: pi is a law",
    "conclusion, lo for n [a quilt tells at most]": NONE,
    "conclusion, hi for n [a quilt tells at most]": NONE,
    "conclusion, i for n [a quilt tells at most]": NONE,
    "conclusion, hi + 1 for hi [a quilt tells at most]": FARTHER,
    "conclusion, n for hi [a quilt tells at most]": NONE,
    "conclusion, n for i [a quilt tells at most]": NONE,
    "conclusion, w for v [a quilt tells at most]": "true and weaker: the bound is at least 1",
    "conclusion, v for w [a quilt tells at most]": "true and weaker: the bound is at least 1",
}
"""Near misses of a quilt that no instance shows to be false."""
PROBES = [
    Probe("power of a number", gaps.NUMBER_POWER(r, t), "", loose, {"power of a number": lambda r, t: r * t}, USING),
    Probe(
        "ratio of sum and difference",
        gaps.OVER(low, r),
        "",
        loose,
        {"ratio of sum and difference": lambda low, x: low / x if x else F(0)},
        USING,
    ),
    Probe("part", gaps.PART(low, r), "", loose, {"part": lambda low, x: x * low}, USING),
    Probe(
        "close to a law",
        gaps.CLOSE(ratio, pi, P, t),
        "A",
        nearly,
        {"close to a law": lambda d, pi, P, t: gaps.close(d, pi, P, t + 1)},
        USING,
    ),
    Probe(
        "lower bound of a law",
        gaps.LOWEST(low, pi),
        "A",
        loose,
        {"lower bound of a law": lambda low, pi: ((low, each) for each in pi[1:])},
        USING,
    ),
    Probe(
        "gap of both ways",
        gaps.GAP(pi, P, r),
        "A",
        loose,
        {"gap of both ways": lambda pi, P, r: gaps.GAP.value(pi, P, r * r)},
        USING,
    ),
    Probe(
        "gap of a reversible chain",
        gaps.REVERSIBLE(pi, P, r),
        "A",
        loose,
        {"gap of a reversible chain": lambda pi, P, r: gaps.GAP.value(pi, P, r)},
        USING,
    ),
    Probe(
        "far",
        gaps.FAR(low, r, n, lo, hi, i),
        "",
        loose,
        {"far": lambda low, r, n, lo, hi, i: gaps.FAR.value(low, r, n, lo, hi, i + 1)},
        USING,
    ),
    Probe(
        "told at most",
        gaps.TOLD(low, r, n, lo, hi, i),
        "",
        loose,
        {"told at most": lambda low, r, n, lo, hi, i: gaps.told(low, r, n, 0, hi, i)},
        USING,
    ),
    Probe(
        "a quilt tells at most",
        WITHIN,
        "A",
        bounded,
        {
            "a quilt tells at most": lambda R, m, P, n, lo, hi, i, v, w, size: gaps.QUILT_WITHIN.value(
                R, m, P, n, 0, hi, i, v, w, size
            )
        },
        USING,
    ),
]
