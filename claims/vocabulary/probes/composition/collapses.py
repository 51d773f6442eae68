"""Probes of mechanisms that hide a secret in one run and tell it in a few."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import collapses
from pufferproof.claims.vocabulary.families import rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NATURAL, NUMBER, member, secret, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
p, s = letter("p", weights("D")), letter("s", secret("D"))
x, k = letter("x", member("D")), letter("k", NATURAL)
m, most, chance = (letter(name, NUMBER) for name in ("m", "most", "chance"))


def drawn(draws: Draws) -> Instance:
    """Three to five databases, a law with zeros and ties, often even, now and then none; a secret,
    often of every second database; a database, often a possible one; the number of a run, and its
    chance, often right; the most of a database in its secret, and the number of runs, or close.
    """
    size = draws.among([4, 4, 4, 5, 3])
    law = vector(draws, size) if rarely(draws) else [*draws.law(size, 3)]
    if draws.below(3) == 0:
        law = [F(1, size)] * size
    own = frozenset(range(0, size, 2)) if draws.below(3) else subset(draws, size)
    found = {"D": size, "p": law, "s": own, "x": draws.below(size), "k": draws.below(5)}
    large = [law[y] / total for y in range(size) if (total := _total(found, y)) > 0]
    top = max([F(0), *large])
    runs = _right(found)
    return {
        **found,
        "m": draws.among([top, top, top, top * F(199, 200), (1 + top) / 2, F(1)]),
        "most": runs * draws.among([F(1), F(1), F(9, 10), F(11, 10), F(99, 100)]),
        "chance": _chance(found) + draws.among([F(0), F(0), F(0), F(1), F(-1, 7)]),
    }


def scaled(draws: Draws) -> Instance:
    """As above, in a quarter of the draws with a law that sums to 2 or to 1/2."""
    found = drawn(draws)
    scale = draws.among([F(1)] * 6 + [F(2), F(1, 2)])
    return {**found, "p": [scale * each for each in found["p"]]}


def _total(at: Instance, y: int) -> Fraction:
    own = at["s"] if y in at["s"] else collapses.rest(at["p"], at["s"])
    return sum((at["p"][z] for z in own), F(0))


def _right(at: Instance) -> Fraction:
    """The expected number of runs, or 3 where it is none."""
    found: Fraction
    ((found, most),) = collapses.RUNS_AT_MOST.value(at["p"], at["s"], at["x"], F(3))
    return found if found != most + 1 else F(3)


def _chance(at: Instance) -> Fraction:
    found: Fraction = collapses.TOLD_LAW.value(at["p"], at["s"], at["x"], at["k"])
    return found


PROBES = [
    Probe(
        "both possible",
        collapses.BOTH_POSSIBLE(p, s),
        "D",
        drawn,
        {"both possible": lambda p, s: iter(((F(0), sum(p[x] for x in s)),))},
        "Examples",
    ),
    Probe(
        "decoys hide",
        collapses.HIDE(p, s),
        "D",
        scaled,
        {"decoys hide": lambda p, s: [*collapses.HIDE.value(p, s)][:2]},
        "Examples",
    ),
    Probe(
        "two possible databases each",
        collapses.TWO_EACH(p, s, x),
        "D",
        drawn,
        {
            "two possible databases each": lambda p, s, x: collapses.TWO_EACH.value(
                p, s, next(y for y, a in enumerate(p) if a > 0)
            )
        },
        "Examples",
    ),
    Probe(
        "expected runs of decoys",
        collapses.RUNS_AT_MOST(p, s, x, most),
        "D",
        drawn,
        {"expected runs of decoys": lambda p, s, x, most: collapses.RUNS_AT_MOST.value(p, s, x, most + F(1, 2))},
        "Examples",
    ),
    Probe(
        "run that tells",
        collapses.TOLD_AT(p, s, x, k, chance),
        "D",
        drawn,
        {"run that tells": lambda p, s, x, k, chance: collapses.TOLD_AT.value(p, s, x, k + 1, chance)},
        "Examples",
    ),
    Probe(
        "law of the run that tells",
        collapses.TOLD_LAW(p, s, x, k),
        "D",
        drawn,
        {"law of the run that tells": lambda p, s, x, k: collapses.TOLD_LAW.value(p, s, x, k + 1)},
        "Examples",
    ),
    Probe(
        "at most of its secret",
        collapses.MOST(p, s, m),
        "D",
        drawn,
        {"at most of its secret": lambda p, s, m: ((a, m) for a in p)},
        "Examples",
    ),
    Probe(
        "inverse of the rest",
        collapses.REST(m),
        "",
        lambda draws: {"m": draws.among([F(1), F(1, 2), F(1, 3), F(2), F(0)])},
        {"inverse of the rest": lambda m: 1 / m if m else F(0)},
        "Examples",
    ),
]
