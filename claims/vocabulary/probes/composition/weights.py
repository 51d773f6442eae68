"""Probes of mechanisms that compose up to a constant, and of weights."""

from dataclasses import replace

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition import weights
from pufferproof.claims.vocabulary.families import Rows, rarely, subset, vector
from pufferproof.claims.vocabulary.probe import Probe
from pufferproof.claims.vocabulary.sorts import LEVEL, listed, pairs, priors, tables
from pufferproof.claims.vocabulary.terms import Log, letter

F = Fraction


def coded(number: Fraction) -> str:
    """Write 0, a power of 2 or minus one for Coq: its sign and its exponent."""
    sign = (number > 0) - (number < 0)
    return f"(({sign})%Z, ({weights.exponent(abs(number)) if sign else 0})%Z)"


POWERS = replace(
    tables("I", "D", "W"),
    raw="list (list (list (Z * Z)))",
    read="(fun j x w => coded (nth (rank w) (nth (rank x) (nth (rank j) {} []) []) (0, 0)%Z))",
    show=listed(listed(listed(coded))),
)
POWER = replace(LEVEL, raw="Z", read="two {}", show=lambda e: f"({weights.exponent(e.of)})%Z")
Ms, eps = letter("Ms", POWERS, "M"), letter("eps", POWER)
Q, T = letter("pairs", pairs("D"), "Q"), letter("priors", priors("D"), "Theta")
ENTRIES = [F(1), F(1, 2), F(1, 2), F(1, 4), F(1, 8), F(2)]


def drawn(draws: Draws) -> Instance:
    """2 to 4 databases, one or two mechanisms with two outputs, or one with three or four, entries
    2, 1 to 1/8, now and then 0 or negative, half the time such that means are needed; one or two
    priors that are now and then no laws, a pair of secrets and perhaps its other order; a level
    from -1 to 2 in powers of 2.
    """
    size, shape = 2 + draws.below(3), draws.among([(1, 2), (2, 2), (1, 4), (1, 3)])
    s, t = subset(draws, size) | {0}, subset(draws, size) | {size - 1}
    if draws.whether():
        s, t = frozenset({0}), frozenset(range(1, size))
    some = ENTRIES + [F(0)] * draws.below(3)
    found = [[[draws.among(some) for _ in range(shape[1])] for _ in range(size)] for _ in range(shape[0])]
    level = draws.among([0, 1, 1, 1, 2, 2, -1])
    if draws.whether():
        found, level = [turned(draws, size, shape[1]) for _ in range(shape[0])], 0
    if rarely(draws):
        found[0][draws.below(size)][0] = draws.among([F(-1), F(-1, 128)])
    laws = [vector(draws, size) if rarely(draws) else [*draws.law(size, 3)] for _ in range(1 + draws.below(2))]
    return {
        **{"I": shape[0], "D": size, "W": shape[1], "Ms": found, "priors": laws},
        **{"pairs": [(s, t), *[(t, s)] * (not draws.below(3))]},
        "eps": Log(F(2) ** level),
    }


def turned(draws: Draws, size: int, outputs: int) -> Rows:
    """A row of 1/2, and rows of 1 with one or two entries 1/4."""
    rows = [[F(1, 2)] * outputs]
    for _ in range(size - 1):
        low = {draws.below(outputs) for _ in range(1 + draws.below(2))}
        rows.append([F(1, 4) if w in low else F(1) for w in range(outputs)])
    return rows


def one_alone(rows: weights.Gaps) -> bool:
    """Return another value: one database alone has all the weight."""
    return any(max(row, default=0) <= 0 for row in rows)


PROBES = [
    Probe(
        "composing",
        weights.COMPOSING(eps, Ms, Q, T),
        "I D W",
        drawn,
        {"composing": lambda eps, Ms, Q, T: weights.COMPOSING.value(eps, Ms[:1], Q, T)},
        "Dependent Weighed",
    ),
    Probe(
        "has weights",
        weights.HAS_WEIGHTS(eps, Ms, Q, T),
        "I D W",
        drawn,
        {"has weights": lambda eps, Ms, Q, T: (one_alone(rows) for rows in weights.each_gap(eps, Ms, Q, T))},
        "Weighed",
    ),
]
