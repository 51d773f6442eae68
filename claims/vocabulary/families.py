"""How letters are drawn: laws with zeros and ties, wrong now and then.

That a hypothesis is needed is seen only where it is broken and nothing else is.
"""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance

F = Fraction
Rows = list[list[Fraction]]
CLOSE = (F(1), F(1), F(1), F(5, 4), F(199, 200))
"""Factors of a level that is the least: exactly, above, and just below."""


def rarely(draws: Draws) -> bool:
    """One time in eight."""
    return draws.below(8) == 7


def vector(draws: Draws, size: int) -> list[Fraction]:
    """Draw a law; one in eight sums to something else, one in eight has a negative entry."""
    weights = [draws.below(4) for _ in range(size)]
    weights[draws.below(size)] += 1
    total = sum(weights)
    if rarely(draws):
        total += draws.among([1, 2, -1])
    if rarely(draws):
        weights[draws.below(size)] -= 4
    return [F(each, total or 1) for each in weights]


def channel(draws: Draws, databases: int, outputs: int) -> Rows:
    """Draw a mechanism, a law for each database."""
    return [[*draws.law(outputs, 3)] for _ in range(databases)]


def signed(draws: Draws, rows: Rows) -> Rows:
    """Make an entry negative now and then: by far, or by 1/200 where it is 0."""
    if rarely(draws):
        rows[draws.below(len(rows))][0] -= 2
    if rarely(draws):
        place = draws.below(len(rows))
        rows[place] = [each or F(-1, 200) for each in rows[place]]
    return rows


def subset(draws: Draws, size: int) -> frozenset[int]:
    """Draw a subset."""
    return frozenset(x for x in range(size) if draws.whether())


def onehot(size: int, place: int) -> list[Fraction]:
    """Return the law that is certain of a place."""
    return [F(int(x == place)) for x in range(size)]


def framework(draws: Draws) -> Instance:
    """2 to 4 databases, 2 or 3 outputs, one or two priors, a pair of secrets and perhaps its other
    order, several mechanisms, a kernel and weights of a coin; entries are now and then negative.
    """
    size, outputs, images, sides = 2 + draws.below(3), 2 + draws.below(2), 2, 1 + draws.below(3)
    s, t = subset(draws, size), subset(draws, size)
    Ms = [channel(draws, size, outputs) for _ in range(sides)]
    if rarely(draws):
        Ms = [signed(draws, rows) for rows in Ms]
    K = signed(draws, [vector(draws, images) for _ in range(outputs)])
    c = vector(draws, sides)
    if rarely(draws):
        c = [each or F(-1, 200) for each in c]
    return {
        "D": size,
        "W": outputs,
        "V": images,
        "C": sides,
        "priors": [draws.law(size, 3) for _ in range(1 + draws.below(2))],
        "pairs": [(s, t), *[(t, s)] * draws.below(2)],
        "M": Ms[0],
        "Ms": Ms,
        "K": K,
        "c": c,
        "ratio": draws.among([F(1), F(3, 2), F(2), F(3)]),
    }


def one_output(draws: Draws) -> Instance:
    """A framework; in half of the draws two databases, one for each secret, in one order or both,
    and a level that is exactly that of a random one of the outputs.
    """
    found = dict(framework(draws))
    if rarely(draws):
        found["priors"] = [vector(draws, found["D"]), *found["priors"][draws.below(2) :]]
    if rarely(draws):
        found["ratio"] = draws.among([F(0), F(-1), F(1, 2)])
    if draws.whether():
        M = signed(draws, channel(draws, 2, 2))
        a, b = M[0][0], M[1][0]
        found |= {"D": 2, "W": 2, "M": M, "priors": [[F(1, 2)] * 2]}
        found |= {"pairs": [(frozenset({0}), frozenset({1}))]}
        found["ratio"] = a / b if b and a > 0 and draws.below(4) else found["ratio"]
    return found
