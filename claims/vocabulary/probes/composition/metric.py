"""Probes of levels of metric privacy."""

from typing import Any

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import metric
from pufferproof.claims.vocabulary.families import CLOSE, rarely
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import NUMBER, NUMBERS, distances, neighbours, weights
from pufferproof.claims.vocabulary.terms import letter

F = Fraction
N, d = letter("neighbours", neighbours("D"), "N"), letter("d", distances("D"))
Rs, P, L = letter("Rs", NUMBERS, "R"), letter("P", NUMBER), letter("L", NUMBER)
mu, nu = letter("mu", weights("D")), letter("nu", weights("D"))


def metrics(draws: Draws) -> Instance:
    """Two or three databases, a path of neighbours or some of them, in both orders but for one in
    eight, with distances 0 to 2, symmetric but for one in eight, up to two levels, now and then
    none or one below 1, laws, and often the least bound of columns, or close to it.
    """
    size = 2 + draws.below(2)
    N = [(x, x + 1) for x in range(size - 1) if draws.below(4)]
    both = [*N, *((y, x) for x, y in N)]
    if rarely(draws):
        both = N
    steps = [[draws.among([1, 1, 1, 2, 0]) for _ in range(size)] for _ in range(size)]
    d = [[steps[min(x, y)][max(x, y)] for y in range(size)] for x in range(size)]
    if rarely(draws):
        d[0][1] += 1
    Rs = [draws.among([F(2), F(3), F(3, 2), F(1)]) for _ in range(1 + draws.below(2))]
    if rarely(draws):
        Rs = draws.among([[], [F(1, 2)], [F(2), F(199, 200)]])
    found = {"D": size, "neighbours": both, "d": d, "Rs": Rs, "P": metric.PRODUCT.value(Rs)}
    laws = {"mu": [*draws.law(size, 3)], "nu": [*draws.law(size, 3)]}
    return {**found, **laws, "L": _least(found, laws) * draws.among([*CLOSE])}


def _least(found: Any, laws: Any) -> Fraction:
    """The least bound of columns, but for rays that have none."""
    at = metric.compared(found["neighbours"], found["d"], found["P"], laws["mu"], laws["nu"])
    return max([a / b for a, b in at if b > 0], default=F(1))


USING = "Metric"
PROBES = [
    Probe("product of a list", metric.PRODUCT(Rs), "", metrics, {"product of a list": lambda Rs: sum(Rs, F(0))}, USING),
    Probe(
        "not empty",
        metric.NONEMPTY(Rs),
        "",
        lambda draws: {"Rs": [F(1)] * draws.below(3)},
        {"not empty": lambda Rs: iter((len(Rs) == 1,))},
        USING,
    ),
    Probe(
        "symmetric distance",
        metric.SYMMETRIC(N, d),
        "D",
        metrics,
        {"symmetric distance": lambda N, d: ((y, x) in N for x, y in N)},
        USING,
    ),
    Probe(
        "bounds columns of a level",
        metric.COLUMNS_BOUNDED(N, d, P, mu, nu, L),
        "D",
        metrics,
        {"bounds columns of a level": lambda N, d, P, mu, nu, L: metric.COLUMNS_BOUNDED.value(N[:1], d, P, mu, nu, L)},
        USING,
    ),
    Probe(
        "bounds mechanisms of levels",
        metric.MECHANISMS_BOUNDED(N, d, Rs, mu, nu, L),
        "D",
        metrics,
        {
            "bounds mechanisms of levels": lambda N, d, Rs, mu, nu, L: metric.MECHANISMS_BOUNDED.value(
                N, d, Rs[:1], mu, nu, L
            )
        },
        USING,
    ),
]
