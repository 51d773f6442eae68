"""Probes of a mechanism with four outputs, under many priors."""

from itertools import product

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import outputs
from pufferproof.claims.vocabulary.entries.composition.collapses import rest
from pufferproof.claims.vocabulary.entries.foundations.promise import KEEPS, weight
from pufferproof.claims.vocabulary.families import CLOSE, rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, priors, secret, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
D, T = set_named("D"), letter("priors", priors("D"), "Theta")
p, x = letter("p", weights("D")), letter("x", member("D"))
s, U = letter("s", secret("D")), letter("U", secret("D"))
ratio, runs = letter("ratio", NUMBER, "R"), letter("runs", NUMBER)
LT, UT, LF, UF = ENDS = tuple(letter(name, NUMBER) for name in ("LT", "UT", "LF", "UF"))
CHANCES = [F(1, 2), F(1, 3), F(2, 3), F(1, 6), F(5, 6)]


def drawn(draws: Draws) -> Instance:
    """Four or five databases, a secret and a set that split them in four kinds, or any; one to four
    priors, often with two values of P(U | s) and of P(U | not s) in all combinations; the bounds of
    these, or close to them; the level of the eight ratios, or close to it; a database and 3 runs.
    """
    size = 4 + draws.below(4) // 3
    own, chosen = frozenset({0, 1}), frozenset({0, 2})
    if rarely(draws):
        own, chosen = subset(draws, size), subset(draws, size)
    us, fs = ([draws.among(CHANCES) for _ in range(2)] for _ in range(2))
    if rarely(draws):
        us = [F(0), F(1)]
    corners = [*product(us, fs)]
    if draws.whether():
        corners = draws.several(corners) or corners[:1]
    laws = [_law(draws, size, u, f) for u, f in corners]
    if rarely(draws):
        laws[0] = vector(draws, size)
    ends = _ends(laws, own, chosen) if draws.below(6) else (min(us), max(us), min(fs), max(fs))
    if rarely(draws):
        ends = (ends[0] * F(199, 200), *ends[1:3], ends[3] + F(1, 100))
    level = _level(ends, both=bool(draws.below(4)))
    found = {"D": size, "s": own, "U": chosen, "priors": laws, "p": laws[0]}
    return {
        **found,
        **dict(zip(("LT", "UT", "LF", "UF"), ends)),
        "ratio": level * draws.among(CLOSE),
        "x": draws.below(size),
        "runs": F(3) + draws.among([F(0), F(0), F(0), F(1), F(-1, 7)]),
    }


def moved(draws: Draws) -> Instance:
    """As above, with a bound that is moved in half of the draws."""
    found = drawn(draws)
    if draws.whether():
        name = draws.among(["LT", "UT", "LF", "UF"])
        found = {**found, name: found[name] * draws.among([F(9, 10), F(11, 10)])}
    return found


def bounded(draws: Draws) -> Instance:
    """As for four outputs; in a third of the draws the first prior has a zero."""
    found = drawn(draws)
    if draws.below(3) == 0:
        first, place = [*found["priors"][0]], draws.below(found["D"])
        first[place - 1] += first[place]
        first[place] = F(0)
        found = {**found, "priors": [first, *found["priors"][1:]], "p": first}
        found |= dict(zip(("LT", "UT", "LF", "UF"), _ends(found["priors"], found["s"], found["U"])))
    return found


def _law(draws: Draws, size: int, u: Fraction, f: Fraction) -> list[Fraction]:
    first = draws.rate([F(1, 2), F(1, 3), F(2, 3)])
    masses = [first * u, first * (1 - u), (1 - first) * f, (1 - first) * (1 - f)]
    if size == 4:
        return masses
    return [*masses[:3], masses[3] / 2, masses[3] / 2]


def _ends(laws: list[list[Fraction]], own: frozenset[int], chosen: frozenset[int]) -> tuple[Fraction, ...]:
    """Return the bounds of both fractions, 1/2 where there is none."""
    found = []
    for each in (own, rest(laws[0], own)):
        parts = [
            weight(law, each & chosen) / weight(law, each)
            for law in laws
            if weight(law, own) > 0 and weight(law, rest(law, own)) > 0
        ]
        found += [min(parts, default=F(1, 2)), max(parts, default=F(1, 2))]
    return tuple(found)


def _level(ends: tuple[Fraction, ...], both: bool) -> Fraction:
    quotients = [F(1)]
    for a, c in outputs.eight(*ends):
        if a > 0 and c > 0:
            quotients += [a / c, c / a] if both else [a / c]
    return max(quotients)


def _swapped(size: int, s: frozenset[int], U: frozenset[int]) -> list[list[Fraction]]:
    return [row[::-1] for row in outputs.four(size, s, U)]


PROBES = [
    Probe(
        "four outputs keep",
        KEEPS(ratio, outputs.FOUR(D, s, U), outputs.BOTH_WAYS(D, s), T),
        "D",
        drawn,
        {
            "four outputs": lambda size, s, U: outputs.four(size, U, s),
            "secret and its negation": lambda size, s: outputs.ONE_WAY.value(size, s),
        },
        "Examples",
    ),
    Probe(
        "four outputs keep one order",
        KEEPS(ratio, outputs.FOUR(D, s, U), outputs.ONE_WAY(D, s), T),
        "D",
        drawn,
        {"secret before its negation": lambda size, s: outputs.BOTH_WAYS.value(size, s)},
        "Examples",
    ),
    Probe(
        "keeps some level",
        outputs.SOME_LEVEL(outputs.FOUR(D, s, U), outputs.BOTH_WAYS(D, s), T),
        "D",
        bounded,
        {"keeps some level": lambda M, pairs, priors: outputs.SOME_LEVEL.value(M, pairs[:1], priors[:1])},
        "Dependent Examples Levels",
    ),
    Probe(
        "fractions of a secret",
        outputs.FRACTIONS(T, s, U, *ENDS),
        "D",
        moved,
        {"fractions of a secret": lambda T, s, U, LT, UT, LF, UF: outputs.FRACTIONS.value(T, s, U, LF, UF, LT, UT)},
        "Examples",
    ),
    Probe(
        "eight ratios and their inverses",
        outputs.EIGHT(ratio, *ENDS),
        "",
        drawn,
        {"eight ratios and their inverses": outputs.PRINTED.value},
        "Examples",
    ),
    Probe("eight ratios", outputs.PRINTED(ratio, *ENDS), "", drawn, {"eight ratios": outputs.EIGHT.value}, "Examples"),
    Probe(
        "corners",
        outputs.CORNERS(T, s, U, *ENDS),
        "D",
        drawn,
        {"corners": lambda T, s, U, LT, UT, LF, UF: [*outputs.CORNERS.value(T, s, U, LT, UT, LF, UF)][:2]},
        "Examples",
    ),
    Probe(
        "intervals of four ratios",
        outputs.INTERVALS(T, s, U, *ENDS),
        "D",
        moved,
        {"intervals of four ratios": lambda T, s, U, LT, UT, LF, UF: outputs.INTERVALS.value(T, s, U, LF, UF, LT, UT)},
        "Examples",
    ),
    Probe(
        "four kinds of databases",
        outputs.KINDS(p, s, U, x),
        "D",
        drawn,
        {"four kinds of databases": lambda p, s, U, x: outputs.KINDS.value(p, s, frozenset(range(len(p))), x)},
        "Examples",
    ),
    Probe(
        "expected runs of four outputs",
        outputs.FOUR_RUNS(p, s, U, x, runs),
        "D",
        drawn,
        {"expected runs of four outputs": lambda p, s, U, x, runs: outputs.FOUR_RUNS.value(p, s, U, x, runs + 1)},
        "Examples",
    ),
    Probe("3", outputs.THREE() <= runs, "", drawn, {"3": lambda: F(4)}, "Examples"),
]
