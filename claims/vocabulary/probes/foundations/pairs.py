"""Probes of what two mechanisms can leak together of one pair."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations import logic, pairs
from pufferproof.claims.vocabulary.entries.foundations.promise import Law, Secret
from pufferproof.claims.vocabulary.families import rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.proposition import set_named
from pufferproof.claims.vocabulary.sorts import NUMBER, member, secret, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
D, p = set_named("D"), letter("p", weights("D"))
s, t = letter("s", secret("D")), letter("t", secret("D"))
x, y = letter("x", member("D")), letter("y", member("D"))
A, B, L = (letter(name, NUMBER) for name in "ABL")
LEVELS = [F(1), F(2), F(3, 2), F(1), F(199, 200)]


def drawn(draws: Draws) -> Instance:
    """2 to 5 databases, a law with zeros, two secrets that are disjoint but for one in eight, the
    levels of two mechanisms, and often their product.
    """
    size = 2 + draws.below(4)
    p = vector(draws, size) if rarely(draws) else [*draws.law(size, 3)]
    s = subset(draws, size)
    t = subset(draws, size) if rarely(draws) else frozenset(range(size)) - s
    a, b = draws.among(LEVELS), draws.among(LEVELS)
    most = a * b if draws.below(4) else max(a, b)
    return {"D": size, "p": p, "s": s, "t": t, "A": a, "B": b, "L": most}


def sized(draws: Draws) -> Instance:
    """One to five databases, and two of them, often the same one."""
    size = 1 + draws.below(5)
    return {"D": size, "x": draws.below(size), "y": draws.below(size)}


def _possible(p: Law, s: Secret) -> int:
    return sum(p[x] > 0 for x in s)


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
        pairs.UNBOUNDED(p, s, t, A, B),
        "D",
        drawn,
        {"unbounded together": lambda p, s, t, A, B: pairs.COLLAPSES.value(p, s, t)},
        "Pairs",
    ),
    Probe(
        "largest together",
        pairs.LARGEST(p, s, t, A, B, L),
        "D",
        drawn,
        {"largest together": lambda p, s, t, A, B, L: pairs.LARGEST.value(p, s, t, A, B, A * B)},
        "Pairs",
    ),
    Probe(
        "differ",
        pairs.DIFFER(x, y),
        "D",
        sized,
        {"differ": lambda x, y: iter((x < y,))},
        "Neighbours",
    ),
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
