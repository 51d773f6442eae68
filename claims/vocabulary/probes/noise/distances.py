"""Probes of distances of laws of a query, and how these are drawn."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.foundations.logic import EXP
from pufferproof.claims.vocabulary.entries.noise import distances, queries
from pufferproof.claims.vocabulary.families import rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.probes.noise.queries import F, Q, T, b, f, kept_by
from pufferproof.claims.vocabulary.terms import letter

d = letter("d", queries.AN_INTEGER)
ROOTS = (F(1, 2), F(2, 3), F(3, 4))


def moved(draws: Draws) -> Instance:
    """Two to four databases, a query of integers from 0 to 3, one or two priors, now and then no
    laws, a pair of secrets with perhaps its other order, a scale, and a distance that is often the
    least.
    """
    size = 2 + draws.below(3)
    one, two = subset(draws, size), subset(draws, size)
    if draws.below(4):
        two = frozenset(range(size)) - one
    values = [draws.below(4) for _ in range(size)]
    laws = [vector(draws, size) for _ in range(1 + draws.below(2))]
    pairs = [(one, two), *[(two, one)] * draws.below(2)]
    found = [left for left, _ in distances.DISTANCE.value(values, 0, pairs, laws)]
    least = max(found, default=0)
    return {
        **{"D": size, "f": values, "b": draws.among([*ROOTS]), "priors": laws, "pairs": pairs},
        "d": draws.below(4) if rarely(draws) else least + draws.among([0, 0, 0, 1, -1]),
        "ratio": draws.among([F(1), F(2), F(4), F(9)]),
    }


PROBES = [
    Probe(
        "distance of laws",
        distances.DISTANCE(f, d, Q, T),
        "D",
        moved,
        {
            "distance of laws": lambda f, d, pairs, priors: (
                (abs(min(f[x] for x in s) - min(f[x] for x in t)), d) for s, t in pairs if s and t
            )
        },
        "Chains Noises Distances",
    ),
    Probe(
        "one query",
        kept_by(distances.ALONE(f, b)),
        "D",
        moved,
        {"one query": lambda f, root: [(f, F(1, 3))]},
        "Chains Noises",
    ),
    Probe(
        "distance by scale",
        EXP(distances.BY_SCALE(d, b)),
        "",
        moved,
        {"distance by scale": lambda d, root: distances.BY_SCALE.value(abs(d), root * root)},
        "Chains Noises Distances",
    ),
]
