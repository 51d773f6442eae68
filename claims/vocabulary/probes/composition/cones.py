"""Probes of the cone of functions whose ratios are bounded, and of its extreme rays."""

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import cones
from pufferproof.claims.vocabulary.entries.composition.bounds import inner
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, table, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
C, B = letter("C", table("Y", "Y")), letter("B", NUMBER)
A, u = letter("A", table("Z", "D")), letter("u", weights("D"))
p, q, r = (letter(name, weights("Y")) for name in "pqr")


def ratios(draws: Draws, size: int) -> list[list[Fraction]]:
    """Draw bounds of ratios, 1 on the diagonal, half of the time with the triangle inequality."""
    some = [F(1), F(1, 2), F(2), F(3), F(3, 2)]
    found = [[F(1) if a == b else draws.among(some) for b in range(size)] for a in range(size)]
    if draws.whether():
        for b in range(size):
            for a in range(size):
                found[a] = [min(old, found[a][b] * new) for old, new in zip(found[a], found[b])]
        for a in range(size):
            found[a][a] = max(found[a][a], F(1))
    if rarely(draws):
        found[0][draws.below(size)] *= draws.among([F(201, 200), F(199, 200), F(-1)])
    return found


def cone(draws: Draws) -> Instance:
    """Two or three values, bounds of ratios, a function that is often an extreme ray or a sum of
    two, weights p and q, now and then negative, and B, often the least.
    """
    size = draws.among([2, 3, 3])
    C = ratios(draws, size)
    rays = [[F(x) for x in each] for each in cones.rays_of(C)]
    found = {name: [F(draws.below(4), 2) for _ in range(size)] for name in "pq"}
    if rarely(draws):
        found["q"][0] = F(-1, 2)
    r = [F(draws.below(4)) for _ in range(size)]
    if rays and draws.below(5):
        r = draws.among(rays)
        if not draws.below(4):
            r = [a + b for a, b in zip(r, draws.among(rays))]
    means = [(inner(found["p"], each), inner(found["q"], each)) for each in rays]
    least = max((a / b for a, b in means if b > 0), default=F(1))
    return {"Y": size, "C": C, "r": r, **found, "B": least * draws.among([*CLOSE])}


def inequalities(draws: Draws) -> Instance:
    """Two or three databases, one to three inequalities with coefficients from -2 to 2, and a
    vector of small numbers, now and then negative; most of the inequalities hold at it.
    """
    size = 2 + draws.below(2)
    u = [F(draws.below(3)) for _ in range(size)]
    if rarely(draws):
        u[draws.below(size)] = F(-1, 200)
    A = [[F(draws.below(5) - 2) for _ in range(size)] for _ in range(1 + draws.below(3))]
    if draws.below(4):
        A = [[-each for each in row] if inner(row, u) > 0 else row for row in A]
    return {"Z": len(A), "D": size, "A": A, "u": u}


USING = "Pairs RayEquations"
PROBES = [
    Probe(
        "means of rays grow",
        cones.GROW(C, p, q, B),
        "Y",
        cone,
        {"means of rays grow": lambda C, p, q, B: [*cones.GROW.value(C, p, q, B)][:1]},
        USING,
    ),
    Probe(
        "extreme ray of bounded ratios",
        cones.RAY(C, r),
        "Y",
        cone,
        {"extreme ray of bounded ratios": lambda C, r: [*cones.RAY.value(C, r)][:2]},
        USING,
    ),
    Probe(
        "equations from one side",
        cones.ONE_SIDE(C, r),
        "Y",
        cone,
        {"equations from one side": lambda C, r: iter((cones.connected(C, r),))},
        USING,
    ),
    Probe(
        "spanned by rays",
        cones.SPANNED(A, u),
        "Z D",
        inequalities,
        {"spanned by rays": lambda A, u: cones.SPANNED.value(A[1:], u)},
        USING,
    ),
]
