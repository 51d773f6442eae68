"""Matrix games of outputs against databases, with logarithms that are whole numbers.

Probabilities are powers of 2, or 0, and entries are logarithms with base 2. A value is found among
the games of square submatrices, and counts only with weights that show it.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Matrix = Sequence[Sequence[Any]]
Exponents = Sequence[Sequence[int | None]]
ROWS: list[list[int | None]] = [
    [1, 1, None],
    [1, 2, 2],
    [2, 1, 2],
    [2, 2, 1],
    [None, 1, 1],
    [1, None, 1],
    [0, None, None],
    [None, None, 0],
]
"""Minus the logarithms of three probabilities, None for the probability 0."""


def exponents(draws: Draws, size: int) -> list[list[int | None]]:
    """Draw a mechanism with three outputs whose probabilities are powers of 2 or 0."""
    few = ROWS[: draws.among([4, 8])]
    return [draws.among(few) for _ in range(size)]


def mechanism(rows: Exponents) -> list[list[F]]:
    """Return the probabilities."""
    return [[ZERO if e is None else F(1, 2**e) for e in row] for row in rows]


def entry(above: int | None, below: int | None) -> int | None:
    """Return log(v_w[x]/v_w[y]) for v_w[x] > 0, None for infinity."""
    return None if below is None else below - (above or 0)


def game(rows: Exponents, x: int, columns: Sequence[int]) -> list[list[int | None]]:
    """Return the entries of the outputs that x can have, for all columns."""
    shown = [w for w, e in enumerate(rows[x]) if e is not None]
    return [[entry(rows[x][w], rows[y][w]) for y in columns] for w in shown]


def finite(G: Matrix) -> list[int]:
    """Return the columns without an infinite entry."""
    return [y for y in range(len(G[0])) if all(row[y] is not None for row in G)]


def _solve(rows: list[list[F]]) -> list[F] | None:
    """Return the solution of as many equations as unknowns, or None if it is not the only one."""
    size = len(rows)
    for n in range(size):
        pivot = next((m for m in range(n, size) if rows[m][n]), None)
        if pivot is None:
            return None
        rows[n], rows[pivot] = rows[pivot], rows[n]
        rows[n] = [a / rows[n][n] for a in rows[n]]
        for m in range(size):
            if m != n and rows[m][n]:
                rows[m] = [a - rows[m][n] * b for a, b in zip(rows[m], rows[n])]
    return [row[-1] for row in rows]


def _level(G: Matrix) -> list[F] | None:
    """Return weights of the rows at which all columns of a square game pay the same, and that."""
    size = len(G)
    equations = [[*(F(G[w][y]) for w in range(size)), -ONE, ZERO] for y in range(size)]
    return _solve([*equations, [*[ONE] * size, ZERO, ONE]])


def value(G: Matrix) -> tuple[F, list[F], list[F]] | None:
    """Return the value with weights of rows that reach it and weights of columns that keep it."""
    count, width = len(G), len(G[0])
    for size in range(1, min(count, width) + 1):
        for I, J in product(combinations(range(count), size), combinations(range(width), size)):
            rows = _level([[G[w][y] for y in J] for w in I])
            columns = _level([[G[w][y] for w in I] for y in J])
            if rows and columns:
                alpha, beta = _spread(rows, I, count), _spread(columns, J, width)
                if shows(G, rows[-1], alpha, beta):
                    return rows[-1], alpha, beta
    return None


def _spread(weights: Row, places: Sequence[int], size: int) -> list[F]:
    known = dict(zip(places, weights))
    return [known.get(n, ZERO) for n in range(size)]


def earned(G: Matrix, alpha: Row) -> list[F]:
    """Return what weights of rows earn against every column."""
    return [sum((a * row[y] for a, row in zip(alpha, G)), ZERO) for y in range(len(G[0]))]


def kept(G: Matrix, beta: Row) -> list[F]:
    """Return what weights of columns pay to every row."""
    return [sum((b * g for b, g in zip(beta, row)), ZERO) for row in G]


def shows(G: Matrix, V: F, alpha: Row, beta: Row) -> bool:
    """Whether alpha earns at least V everywhere, and beta pays at most V."""
    weights = min([*alpha, *beta]) >= 0 and sum(alpha) == sum(beta) == 1
    return weights and min(earned(G, alpha)) >= V >= max(kept(G, beta))


def outputs(draws: Draws) -> Instance:
    """A database x and one to three columns y, which may have the row of x, with three outputs of
    probabilities 0, 1/4, 1/2, 1.
    """
    return {"rows": exponents(draws, 2 + draws.below(3))}


def _reduced(rows: Exponents) -> tuple[Matrix, list[int]]:
    G = game(rows, 0, range(1, len(rows)))
    return G, finite(G)


SHARE = F(1, 1000)


def _separated(rows: Exponents, share: F = SHARE) -> bool:
    """Whether a small share of every row reaches the value of the columns that remain against all
    columns, but for a part as small, and beta keeps it; no bound where none remains.
    """
    G, remain = _reduced(rows)
    if not remain:
        return all(any(row[y] is None for row in G) for y in range(len(G[0])))
    found = value([[row[y] for y in remain] for row in G])
    if found is None:
        return False
    alpha = [(1 - share) * a + share / len(G) for a in found[1]]
    for y in range(len(G[0])):
        infinite = any(a and row[y] is None for a, row in zip(alpha, G))
        paid = sum((a * (row[y] or 0) for a, row in zip(alpha, G)), ZERO)
        lost = any(row[y] is None for row in G) and not infinite
        if lost or (not infinite and paid < found[0] - 4 * share):
            return False
    return True


SEPARATED = Statement(
    family=outputs,
    holds=_separated,
    too_strong={"without the share": {"share": ZERO}},
    always="every game of finite and infinite entries has such weights",
)


def _value_of(rows: Exponents) -> F | None:
    G, remain = _reduced(rows)
    found = value([[row[y] for y in remain] for row in G]) if remain else None
    return found[0] if found else None


REMAINS = "a column has no infinite entry"
NOT_NEGATIVE = Statement(
    family=outputs,
    given={REMAINS: lambda rows: bool(_reduced(rows)[1])},
    holds=lambda rows, strictly=False: (
        (V := _value_of(rows)) is not None and (V >= 0 and not (strictly and V == 0))
    ),
    too_strong={"positive": {"strictly": True}},
)
VALUE_0 = Statement(
    family=outputs,
    given={REMAINS: lambda rows: bool(_reduced(rows)[1])},
    holds=lambda rows, row_with_same=False: (
        ((_value_of(rows) == 0) == (rows[0] in rows[1:]))
        and (
            not row_with_same
            or (
                (_value_of(rows) == 0)
                == any([e is None for e in rows[0]] == [e is None for e in y] for y in rows[1:])
            )
        )
    ),
    too_strong={"a row with the same zeros": {"row_with_same": True}},
)


def couplings(draws: Draws) -> Instance:
    """Two x and two y, with three outputs of probabilities 1/4, 1/2 or 0, a law mu, weights beta on
    the y that no output separates from x, nu = mu beta in seven of eight cases, epsilon the least
    with the condition; weights lambda of x and outputs, and numbers g from -1 to 1.
    """
    rows = exponents(draws, 4)
    beta = []
    for x in range(2):
        G = game(rows, x, [2, 3])
        allowed = [float(y in finite(G)) for y in range(2)]
        law = draws.law(2, 2)
        single = [ONE if y in finite(G) else ZERO for y in range(2)]
        beta.append(law if all(allowed) else single)
    mu = draws.law(2, 3)
    nu = [mu[0] * beta[0][y] + mu[1] * beta[1][y] for y in range(2)]
    if draws.below(8) == 7:
        nu = draws.law(2, 3)
    shown = [(x, w) for x in range(2) for w in range(3) if rows[x][w] is not None and mu[x]]
    weights = draws.law(len(shown), 2)
    return {
        "rows": rows,
        "mu": mu,
        "nu": nu,
        "beta": beta,
        "weights": dict(zip(shown, weights)),
        "g": [F(draws.below(5) - 2, 2) for _ in range(2)],
    }


def _epsilon(rows: Exponents, mu: Row, beta: Rows) -> F | None:
    """The least level of the condition, or None if a row of beta is no law."""
    if any(mu[x] and sum(beta[x]) != 1 for x in range(2)):
        return None
    best = None
    for x in (x for x in range(2) if mu[x]):
        for w in (w for w in range(3) if rows[x][w] is not None):
            here = sum(
                (b * (entry(rows[x][w], rows[2 + y][w]) or 0) for y, b in enumerate(beta[x])), ZERO
            )
            best = here if best is None else max(best, here)
    return best


def _priced(
    rows: Exponents,
    mu: Row,
    nu: Row,
    beta: Rows,
    weights: Mapping[tuple[int, ...], F],
    g: Row,
    average: bool = False,
) -> bool:
    total = sum((n * each for n, each in zip(nu, g)), ZERO)
    for x in (x for x in range(2) if mu[x]):
        G = game(rows, x, [2, 3])
        prices = []
        for y in finite(G):
            lost = sum(
                (
                    a * (entry(rows[x][w], rows[2 + y][w]) or 0)
                    for (z, w), a in weights.items()
                    if z == x
                ),
                ZERO,
            )
            prices.append(lost - mu[x] * g[y])
        total += max(prices) if average else min(prices)
    least = _epsilon(rows, mu, beta)
    return least is None or least >= total


LAWS, COUPLED = "every x has a law beta of y that no output separates from it", "mu beta = nu"
COUPLING_LEVEL = Statement(
    family=couplings,
    given={
        LAWS: lambda rows, mu, beta, **_: _epsilon(rows, mu, beta) is not None,
        COUPLED: lambda mu, nu, beta, **_: (
            [mu[0] * beta[0][y] + mu[1] * beta[1][y] for y in range(2)] == nu
        ),
    },
    holds=_priced,
    too_strong={"the largest price": {"average": True}},
    too_weak=[COUPLED],
)
