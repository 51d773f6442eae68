"""Probes of what mechanisms can leak together of one pair."""

from math import prod

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import logic, pairs
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Secret
from pufferproof.claims.vocabulary.families import rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, NUMBERS, member, secret, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
D, p = set_named("D"), letter("p", weights("D"))
s, t = letter("s", secret("D")), letter("t", secret("D"))
x, y = letter("x", member("D")), letter("y", member("D"))
Rs, L = letter("Rs", NUMBERS, "R"), letter("L", NUMBER)
LEVELS = [F(1), F(2), F(3, 2)]


def drawn(draws: Draws) -> Instance:
    """2 to 5 databases, a law with zeros, two secrets that are disjoint but for one in eight, the
    levels of up to three mechanisms, and often their product, or that over what is least probable.
    """
    size = 2 + draws.below(4)
    p = vector(draws, size) if rarely(draws) else [*draws.law(size, 3)]
    s = subset(draws, size)
    t = subset(draws, size) if rarely(draws) else frozenset(range(size)) - s
    if not draws.below(3):  # one possible database of t, or of both
        p = [each if x not in t or x == min(t) else F(0) for x, each in enumerate(p)]
        p = [each / (sum(p) or 1) for each in p]
    Rs = [draws.among(LEVELS) for _ in range(draws.among([0, 1, 2, 2, 3]))]
    if rarely(draws):
        Rs = [F(199, 200), *Rs[1:]]
    product = prod(Rs, start=F(1))
    L = draws.among([product, product, pairs.RATIO_ONE_WAY.value(p, s, Rs), max(Rs, default=F(2))])
    return {"D": size, "p": p, "s": s, "t": t, "Rs": Rs, "L": L}


def sized(draws: Draws) -> Instance:
    """One to five databases, and two of them, often the same one."""
    size = 1 + draws.below(5)
    return {"D": size, "x": draws.below(size), "y": draws.below(size)}


def _possible(p: Law, s: Secret) -> int:
    return sum(p[x] > 0 for x in s)


USING = "Pairs Metric"
PROBES = [
    Probe(
        "not, of single",
        logic.NOT(pairs.SINGLE(p, s)),
        "D",
        drawn,
        {"not": lambda a: iter((a,)), "single": lambda p, s: iter((_possible(p, s) <= 1,))},
        "Pairs",
    ),
    Probe(
        "one pair",
        pairs.ONE_PAIR(p, s, t),
        "D",
        drawn,
        {"one pair": lambda p, s, t: iter((not s & t, sum(p) == 1))},
        "Pairs",
    ),
    Probe(
        "collapses",
        pairs.COLLAPSES(p, s, t),
        "D",
        drawn,
        {
            "collapses": lambda p, s, t: iter(
                (all(pairs.ONE_PAIR.value(p, s, t)), _possible(p, s) > 1 < _possible(p, t))
            )
        },
        "Pairs",
    ),
    Probe(
        "unbounded together",
        pairs.UNBOUNDED(p, s, t, Rs),
        "D",
        drawn,
        {"unbounded together": lambda p, s, t, Rs: pairs.COLLAPSES.value(p, s, t)},
        USING,
    ),
    Probe(
        "largest together",
        pairs.LARGEST(p, s, t, Rs, L),
        "D",
        drawn,
        {"largest together": lambda p, s, t, Rs, L: pairs.LARGEST.value(p, s, t, [L], L)},
        USING,
    ),
    Probe(
        "unbounded one way",
        pairs.UNBOUNDED_ONE_WAY(p, s, t, Rs),
        "D",
        drawn,
        {"unbounded one way": lambda p, s, t, Rs: pairs.UNBOUNDED.value(p, s, t, Rs)},
        USING,
    ),
    Probe(
        "largest one way",
        pairs.LARGEST_ONE_WAY(p, s, t, Rs, L),
        "D",
        drawn,
        {"largest one way": lambda p, s, t, Rs, L: pairs.LARGEST.value(p, s, t, Rs, L)},
        USING,
    ),
    Probe(
        "ratio one way",
        pairs.RATIO_ONE_WAY(p, s, Rs),
        "D",
        drawn,
        {"ratio one way": lambda p, s, Rs: prod(Rs, start=F(1))},
        USING,
    ),
    Probe("several", pairs.SEVERAL(Rs), "D", drawn, {"several": lambda Rs: iter((bool(Rs),))}, USING),
    Probe("differ", pairs.DIFFER(x, y), "D", sized, {"differ": lambda x, y: iter((x < y,))}, "Neighbours"),
    Probe(
        "three databases",
        pairs.THREE(D),
        "D",
        sized,
        {"three databases": lambda size: iter((size >= 2,))},
        "Neighbours",
    ),
    Probe(
        "some mechanism collapses",
        pairs.SOME_COLLAPSE(D, x, y),
        "D",
        sized,
        {"some mechanism collapses": lambda size, x, y: iter((size >= 3,))},
        "Neighbours",
    ),
]
