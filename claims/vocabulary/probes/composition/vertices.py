"""Probes of the worst joint ratio of mechanisms within their levels."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import vertices
from pufferproof.claims.vocabulary.entries.composition.bounds import Pairs
from pufferproof.claims.vocabulary.entries.composition.vertices import Levels
from pufferproof.claims.vocabulary.families import CLOSE, rarely, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, NUMBERS, law_pairs
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
T, Rs = letter("T", law_pairs("D")), letter("Rs", NUMBERS, "R")
L = letter("L", NUMBER)


def releases(draws: Draws) -> Instance:
    """Two databases with one or two pairs of laws with zeros, or three with one, in one order or in
    both, now and then numbers that are no law; up to two levels, often equal, now and then below 1;
    and often the least bound at rays, or close to it.
    """
    size = draws.among([2, 2, 2, 3])
    law = vector if rarely(draws) else _law
    T = [(law(draws, size), law(draws, size)) for _ in range(1 + draws.below(4 - size))]
    if draws.whether():
        T += [(nu, mu) for mu, nu in T]
    levels = [F(1), F(2), F(3, 2), F(4, 3), F(2)]
    Rs = [draws.among(levels) for _ in range(1 + draws.below(2))]
    if rarely(draws):
        Rs[0] = draws.rate([F(1, 2), F(199, 200)])
    return {"D": size, "T": T, "Rs": Rs, "L": _least(T, Rs) * draws.among([*CLOSE])}


def apart(draws: Draws) -> Instance:
    """As above, and half of the time three databases and a pair of laws, mostly without a common
    database, in one order or in both, now and then with numbers that are no law, and two levels.
    """
    found = dict(releases(draws))
    if draws.whether():
        p = [F(1 + draws.below(2)) for _ in range(3)]
        nu = [F(0), p[1] / (p[1] + p[2]), p[2] / (p[1] + p[2])]
        mu = draws.among([[F(1), F(0), F(0)], [F(1), F(0), F(0)], [F(1, 2), F(1, 2), F(0)]])
        if rarely(draws):
            nu[0] = F(-1)
        T = [(mu, nu), (nu, mu)] if draws.whether() else [(mu, nu)]
        Rs = [draws.among([F(1), F(2), F(3)]) for _ in range(2)]
        found |= {"D": 3, "T": T, "Rs": Rs, "L": _least(T, Rs) * draws.among([*CLOSE])}
    return found


def _least(T: Pairs, Rs: Levels) -> Fraction:
    """The least bound at rays, but for tuples that have none."""
    compared = vertices.at_rays(T, Rs, F(1))
    return max([a / b for a, b in compared if b > 0], default=F(1))


def _law(draws: Draws, size: int) -> list[Fraction]:
    return [*draws.law(size, 2)]


USING = "Vertices"
PROBES = [
    Probe(
        "pairs of laws",
        vertices.PAIRS_OF_LAWS(T),
        "D",
        releases,
        {"pairs of laws": lambda T: (sum(mu) == 1 for mu, _ in T)},
        USING,
    ),
    Probe(
        "bounds mechanisms",
        vertices.BOUNDED(T, Rs, L),
        "D",
        releases,
        {"bounds mechanisms": lambda T, Rs, L: vertices.BOUNDED.value(T, Rs[:1], L)},
        USING,
    ),
    Probe(
        "bounds chosen mechanisms",
        vertices.ADAPTIVE(T, Rs, L),
        "D",
        releases,
        {"bounds chosen mechanisms": lambda T, Rs, L: vertices.ADAPTIVE.value(T, Rs[:1], L)},
        "Vertices Adaptive",
    ),
    Probe(
        "bounds rays",
        vertices.AT_RAYS(T, Rs, L),
        "D",
        releases,
        {"bounds rays": lambda T, Rs, L: vertices.AT_RAYS.value(T[:1], Rs, L)},
        USING,
    ),
    Probe(
        "no bound of mechanisms",
        vertices.UNBOUNDED(T, Rs),
        "D",
        apart,
        {"no bound of mechanisms": lambda T, Rs: vertices.UNBOUNDED.value(T, Rs[:1])},
        USING,
    ),
    Probe(
        "supports of rays",
        vertices.RAYS_SPLIT(T, Rs),
        "D",
        apart,
        {"supports of rays": lambda T, Rs: vertices.RAYS_SPLIT.value(T, Rs[:1])},
        USING,
    ),
]
