"""How pairs of columns and inequalities at them are drawn."""

from collections.abc import Sequence

from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance
from pufferproof.claims.vocabulary.entries.composition.bounds import inner
from pufferproof.claims.vocabulary.families import rarely

F = Fraction
Row = Sequence[F]
SMALL = [F(0), F(0), F(0), F(0), F(1, 200), F(-1, 200)]


def coins(draws: Draws) -> Instance:
    """One or two coins of each kind with probabilities, and what is shown at one or two databases:
    numbers that are often 0 or 1; their columns, now and then with another entry.
    """
    sizes = {name: 1 + draws.below(2) for name in ("C", "E", "D")}
    shown = [
        [[F(draws.among([0, 1, 1, 2, -1])) for _ in range(sizes["D"])] for _ in range(sizes[of])] for of in ("C", "E")
    ]
    p, q = ([F(draws.below(4), 2) for _ in range(sizes[of])] for of in ("C", "E"))
    U, V = ([inner(law, each) for each in zip(*rows)] for law, rows in zip((p, q), shown))
    found = {"U": U, "V": V, "J": [a * b for a, b in zip(U, V)]}
    for column in found.values():
        if rarely(draws):
            column[0] += draws.among([F(1), F(-1)])
    return {**sizes, "p": p, "q": q, "f": shown[0], "g": shown[1], **found}


def _column(draws: Draws, size: int) -> list[F]:
    u = [F(draws.below(3)) for _ in range(size)]
    if rarely(draws):
        u[draws.below(size)] = draws.among([F(-1), F(-1, 200)])
    return u


def _rows(draws: Draws, u: Row, count: int, sign: int) -> list[list[F]]:
    """Rows that often have the sign at u, or nearly 0; now and then any rows."""
    found = []
    for _ in range(count):
        row = [F(draws.below(5) - 2) for _ in u]
        value = inner(row, u)
        place = next((x for x, a in enumerate(u) if a), None)
        if place is not None and draws.whether():
            row[place] -= (value + draws.among(SMALL)) / u[place]
        elif value * sign < 0 and not rarely(draws):
            row = [-a for a in row]
        found.append(row)
    return found


def _laws(draws: Draws, size: int) -> tuple[list[F], list[F]]:
    mu, nu = ([F(draws.below(4)) for _ in range(size)] for _ in range(2))
    return mu, nu


def program(draws: Draws) -> Instance:
    """One to three databases, a column that is now and then negative, another one, two laws up to
    scale, one or two inequalities, mostly met at the column, and a scale t, mostly the right one.
    """
    size = 1 + draws.below(3)
    u, r = _column(draws, size), [F(draws.below(3)) for _ in range(size)]
    mu, nu = _laws(draws, size)
    for each in (nu, mu, r):
        if rarely(draws):
            each[0] = F(-2)
    below = inner(nu, [a * b for a, b in zip(r, u)])
    t = 1 / below if below else F(1)
    t *= draws.among([F(1), F(1), F(1), F(1), F(1, 2)])
    count = 1 + draws.below(2)
    sizes = {"D": size, "I": count}
    return {**sizes, "A": _rows(draws, u, count, -1), "u": u, "r": r, "mu": mu, "nu": nu, "t": t}


def two_columns(draws: Draws) -> Instance:
    """One to three databases, two columns that are now and then negative, inequalities, mostly met
    at them, two laws up to scale, and their products as a matrix, now and then with another entry.
    """
    size = 1 + draws.below(3)
    u, v = _column(draws, size), _column(draws, size)
    mu, nu = _laws(draws, size)
    rows, others = 1 + draws.below(2), 1 + draws.below(2)
    W = [[a * b for b in v] for a in u]
    if not draws.below(4):
        W[draws.below(size)][draws.below(size)] -= draws.among([F(1), F(1, 200), F(-1)])
    sizes = {"D": size, "I": rows, "J": others}
    A, B = _rows(draws, u, rows, -1), _rows(draws, v, others, -1)
    return {**sizes, "A": A, "B": B, "u": u, "v": v, "W": W, "mu": mu, "nu": nu}


def combined(draws: Draws) -> Instance:
    """One to three databases, two columns that are now and then negative, one or two pairs of
    inequalities, mostly met at them, with weights, and mu, mostly the largest that the identities
    allow on the diagonal; off the diagonal products are mostly at most 0.
    """
    size, count = 1 + draws.below(3), 1 + draws.below(2)
    u, v = _column(draws, size), _column(draws, size)
    B, C = _rows(draws, u, count, 1), _rows(draws, v, count, 1)
    S = [F(draws.below(3)) for _ in range(count)]
    if rarely(draws):
        S[0] = draws.among([F(-1), F(-1, 200)])
    nu = [F(draws.below(4)) for _ in range(size)]
    L = draws.among([F(1), F(2), F(3, 2), F(-1)])
    T = [[sum((s * b[x] * c[y] for s, b, c in zip(S, B, C)), F(0)) for y in range(size)] for x in range(size)]
    mu = [L * nu[x] - T[x][x] - draws.among(SMALL) for x in range(size)]
    sizes = {"D": size, "I": count}
    return {**sizes, "L": L, "mu": mu, "nu": nu, "S": S, "B": B, "C": C, "u": u, "v": v}
