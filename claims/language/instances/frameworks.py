"""Frameworks and mechanisms on up to five databases, and Pufferfish privacy by its definition.

A prior is a list of probabilities, a secret a set of databases, a mechanism a list of rows: the
probability of each output for each database.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import cycle, islice, product
from operator import ne

from pufferproof.claims.language.instances.laws import ONE, ZERO, largest_quotient
from pufferproof.claims.language.statements import hard
from pufferproof.claims.language.statements.draws import Draws
from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.language.statements.statement import Instance

Prior = Sequence[Fraction]
Row = Sequence[Fraction]
Rows = Sequence[Row]
Secret = frozenset[int]
Table = tuple[int, ...]


def held(prior: Prior, secret: Secret) -> Fraction:
    """Return P(s)."""
    return sum([prior[x] for x in secret], ZERO)


def output_law(prior: Prior, rows: Rows, secret: Secret) -> list[Fraction] | None:
    """Return P(M = w | s) for every output w, or None if s has probability 0."""
    weighed = [(p, rows[x]) for x in secret if (p := prior[x])]
    if len(weighed) < 2:
        return [ONE * q for q in weighed[0][1]] if weighed else None
    total = sum([p for p, _ in weighed], ZERO)
    columns = zip(*[[p * q for q in row] for p, row in weighed])
    return [sum(column, ZERO) / total for column in columns]


def keeps(priors: Iterable[Prior], pairs: Iterable[tuple[Secret, Secret]], rows: Rows, ratio: Fraction) -> bool:
    """Whether P(M = w | s) <= ratio P(M = w | t) for all priors, all pairs in both orders and
    all outputs, wherever both secrets are possible.
    """
    pairs = list(pairs)
    for prior in priors:
        for s, t in pairs:
            left = output_law(prior, rows, s)
            if left and (right := output_law(prior, rows, t)):
                for p, q in zip(left, right):
                    if p > ratio * q or q > ratio * p:
                        return False
    return True


def leakage(priors: Iterable[Prior], pairs: Iterable[tuple[Secret, Secret]], rows: Rows) -> Fraction | None:
    """Return the least ratio that `keeps` allows, at least 1, or None if there is none."""
    pairs, laws = list(pairs), list[tuple[list[Fraction], list[Fraction]]]()
    for prior in priors:
        for s, t in pairs:
            left, right = output_law(prior, rows, s), output_law(prior, rows, t)
            if left and right:
                laws += [(left, right), (right, left)]
    return largest_quotient(laws)


def side_by_side(first: Rows, second: Rows) -> list[list[Fraction]]:
    """Return the mechanism that releases both outputs, drawn independently given the database."""
    return [[p * q for p, q in product(a, b)] for a, b in zip(first, second)]


def processed(rows: Rows, kernel: Rows) -> list[list[Fraction]]:
    """Return the mechanism whose output goes through a kernel."""
    outputs = range(len(kernel[0]))
    return [[sum((p * k[z] for p, k in zip(row, kernel)), ZERO) for z in outputs] for row in rows]


def distance(x: Table, y: Table) -> int:
    """Return in how many records two tables differ."""
    return sum(map(ne, x, y))


@lru_cache(maxsize=200)
def neighbours(tables: tuple[Table, ...]) -> list[tuple[int, int]]:
    """Return the places of tables that differ in one record, in both orders."""
    places = range(len(tables))
    return [(i, j) for i in places for j in places if distance(tables[i], tables[j]) == 1]


def between_neighbours(tables: Sequence[Table], M: Rows, near: Callable[[Table, Table], bool]) -> Fraction | None:
    """Return the largest ratio of the rows of tables that are near each other; None if infinite."""
    both = product(zip(tables, M), repeat=2)
    return largest_quotient((p, q) for (x, p), (y, q) in both if near(x, y))


def secrets(draws: Draws, size: int) -> tuple[Secret, Secret]:
    """Draw two non-empty secrets: complements, disjoint, overlapping, nested or equal."""
    s = frozenset(draws.several(range(size))) or frozenset([0])
    rest = frozenset(range(size)) - s
    t = draws.among([rest, frozenset(draws.several(range(size))), frozenset(draws.several([*rest]))])
    return s, t or frozenset([size - 1])


def rows(draws: Draws, size: int, outputs: int) -> list[list[Fraction]]:
    """Draw a mechanism; half of the rows repeat the one before, so that ties are frequent."""
    if draws.hard and draws.below(2):
        return draws.rows(size, outputs)
    drawn = [draws.law(outputs)]
    while len(drawn) < size:
        drawn.append(drawn[-1] if draws.whether() else draws.law(outputs))
    return drawn


def framework(draws: Draws, priors: int = 2, mechanisms: int = 1) -> Instance:
    """Draw up to four databases, two secrets, up to `priors` priors with zeros, and mechanisms with
    up to three outputs.
    """
    if draws.hard and draws.below(4) == 3:
        return _of_releases(draws, 1 + draws.below(priors), mechanisms)
    size = 1 + draws.below(4)
    s, t = secrets(draws, size)
    return {
        "priors": [draws.law(size) for _ in range(1 + draws.below(priors))],
        "s": s,
        "t": t,
        "mechanisms": [rows(draws, size, 1 + draws.below(3)) for _ in range(mechanisms)],
    }


def _of_releases(draws: Draws, priors: int, mechanisms: int) -> Instance:
    """Draw a framework of which several releases show what fewer do not."""
    edge = draws.among(hard.releases())
    rows = islice(cycle(edge.mechanisms), mechanisms)
    return {
        "priors": [[*edge.prior] for _ in range(priors)],
        "s": edge.secrets[0],
        "t": edge.secrets[1],
        "mechanisms": [[[*row] for row in each] for each in rows],
    }
