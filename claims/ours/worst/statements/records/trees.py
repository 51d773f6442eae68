"""Levels per record on chains and trees: the recursion, against laws written out and all columns
that are products of one factor for each record.

A tree has for each child its parent and its kernel; the law of all records is listed, a column is a
table over all databases.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import lcm, prod
from operator import mul
from typing import Any

from pufferproof.claims.language.instances.chains import EDGES
from pufferproof.claims.language.instances.frameworks import Row
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.instances.rays import rays
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Database = tuple[int, ...]
Law = Mapping[Database, F]
Kernel = Sequence[Sequence[F]]
Edges = Mapping[int, tuple[int, Kernel]]
Messages = list[list[F]]


def law_of(values: int, start: Row, edges: Edges) -> dict[Database, F]:
    """Return the law of all records: the root is 0, and parents come before children."""
    law = {}
    for x in product(range(values), repeat=1 + len(edges)):
        p = start[x[0]] * prod((k[x[q]][x[c]] for c, (q, k) in edges.items()), start=ONE)
        if p:
            law[x] = p
    return law


def mean(law: Law, u: Mapping[Database, F], record: int, value: int) -> F | None:
    """Return E[u | X_record = value], or None if that is impossible."""
    inside = [(p, u[x]) for x, p in law.items() if x[record] == value]
    mass = sum([p for p, _ in inside], ZERO)
    return sum([p * entry for p, entry in inside], ZERO) / mass if mass else None


def least_levels(u: Mapping[Database, F]) -> list[F]:
    """Return the least level R_j of every record."""
    levels = []
    for j in range(len(next(iter(u)))):
        alike: dict[Database, list[F]] = {}
        for x, entry in u.items():
            alike.setdefault(x[:j] + x[j + 1 :], []).append(entry)
        levels.append(max(max(each) / min(each) for each in alike.values()))
    return levels


def messages(edges: Edges, levels: Row, values: int = 2, at: int = 0) -> Messages:
    """Return S(x, y) of a record, by the recursion of the statements; for two values the larger of
    two ends, for more the largest quotient over the rays of what the messages allow.
    """
    found = [[levels[at]] * values for _ in range(values)]
    for child, (parent, kernel) in edges.items():
        if parent == at:
            below = messages(edges, levels, values, child)
            vectors = _ends(below) if values == 2 else _allowed(below)
            for x, y in product(range(values), repeat=2):
                found[x][y] *= max(_dot(kernel[x], m) / _dot(kernel[y], m) for m in vectors)
    return found


def _dot(row: Row, m: Sequence[Any]) -> F:
    return sum((p * z for p, z in zip(row, m)), ZERO)


def _ends(below: Messages) -> list[list[F]]:
    """Means at 0 and 1 with the quotient S, and with 1/D."""
    return [[ONE, below[1][0]], [below[0][1], ONE]]


def _allowed(below: Messages) -> list[tuple[int, ...]]:
    size = len(below)
    rows = [
        [(z == x) - below[x][y] * (z == y) for z in range(size)]
        for x, y in product(range(size), repeat=2)
        if x != y
    ]
    return rays(rows, size)


def factors(levels: Row, values: int = 2) -> list[dict[Database, F]]:
    """Return all columns that are products of R_j where x_j = c_j, else 1."""
    whole = list(product(range(values), repeat=len(levels)))
    found = []
    for c in whole:
        entries = [ONE]
        for R, b in zip(levels, c):
            entries = [each * R if a == b else each for each in entries for a in range(values)]
        found.append(dict(zip(whole, entries)))
    return found


def table(draws: Draws, count: int, values: int) -> dict[Database, F]:
    """Draw a column: a product of factors 1, 2 or 3/2, or entries from 1 to 3."""
    whole = list(product(range(values), repeat=count))
    if draws.whether():
        each = [[draws.among([ONE, F(2), F(3, 2)]) for _ in range(values)] for _ in range(count)]
        return {x: prod((each[j][v] for j, v in enumerate(x)), start=ONE) for x in whole}
    return {x: F(1 + draws.below(3)) for x in whole}


def kernel(draws: Draws, values: int) -> list[list[F]]:
    """Draw a kernel: that of a chain with eigenvalue 0, 1 or -1 often, else any, with zeros."""
    if values == 2 and draws.below(3) == 0:
        return draws.among([each for start, each in EDGES if len(start) == 2])
    return [draws.law(values, 3) for _ in range(values)]


def trees(draws: Draws, values: int = 2, most: int = 3) -> Instance:
    """One to three records of two values on a tree, kernels with zeros, with eigenvalues of any
    sign and 0; the law of the root, which may be certain; a column; levels, the least ones of it.
    """
    count = 1 + draws.below(most)
    edges = {c: (draws.below(c), kernel(draws, values)) for c in range(1, count)}
    u = table(draws, count, values)
    start = draws.law(values, 3)
    return {"edges": edges, "start": start, "u": u, "levels": least_levels(u)}


def both_possible(start: Row, **_: object) -> bool:
    return all(start)


def _bounded(law: Law, u: Any, S: Messages, at: int = 0, factor: F = ONE) -> bool:
    """Whether the means of u given two values of a record have at most the ratio S."""
    means = [mean(law, u, at, v) for v in range(len(S))]
    return all(
        a is None or b is None or a <= factor * S[x][y] * b or x == y
        for x, a in enumerate(means)
        for y, b in enumerate(means)
    )


def reached(law: Law, S: Messages, columns: Sequence[Law], at: int = 0) -> bool:
    """Whether the largest ratios of means of some columns are S."""
    means = [[mean(law, u, at, v) or ONE for v in range(2)] for u in columns]
    return S[1][0] == max(m[1] / m[0] for m in means) and S[0][1] == max(m[0] / m[1] for m in means)


def extremes(law: Law, levels: Row, at: int = 0) -> tuple[F, F] | None:
    """Return the least and the largest E[u | X_at = 1]/E[u | X_at = 0] over the columns of
    `factors`, for two values, or None if one is impossible. In integers: law and columns times a
    number.
    """
    scale, places = lcm(*(p.denominator for p in law.values())), product((0, 1), repeat=len(levels))
    whole = [(x, int(law.get(x, ZERO) * scale)) for x in places]
    masses = [[p if x[at] == v else 0 for x, p in whole] for v in (0, 1)]
    totals, found = [sum(each) for each in masses], []
    if not all(totals):
        return None
    for c, _ in whole:
        column = [1]
        for R, b in zip(levels, c):
            each = (R.numerator, R.denominator)[:: 1 - 2 * b]
            column = [entry * factor for entry in column for factor in each]
        zero, one = (sum(map(mul, each, column)) for each in masses)
        found.append(F(one * totals[0], zero * totals[1]))
    return min(found), max(found)


def attained(law: Law, S: Messages, levels: Row, at: int = 0) -> bool:
    """Whether the largest ratios of means of the columns of `factors` are S."""
    found = extremes(law, levels, at)
    if found is None:
        return reached(law, S, factors(levels), at)
    return (S[1][0], 1 / S[0][1]) == found[::-1]


def _upper(
    edges: Edges,
    start: Row,
    u: object,
    levels: Row,
    values: int = 2,
    factor: F = ONE,
    root: bool = True,
) -> bool:
    used = levels if root else [ONE, *levels[1:]]
    S = messages(edges, used, values)
    return _bounded(law_of(values, start, edges), u, S, factor=factor)


def one_level(draws: Draws) -> Instance:
    """One to three records of two values on a tree, kernels with zeros, with eigenvalues of any
    sign and 0; the law of the root, which may be certain; a column; one level for all records, the
    largest of its least levels or 2.
    """
    drawn = trees(draws)
    R = max(drawn["levels"]) if draws.whether() else F(2)
    return {**drawn, "levels": [R] * len(drawn["levels"])}


POSSIBLE, HAS = "both values of the root are possible", "the column has the levels R_j"


def has(u: Any, levels: Row, **_: object) -> bool:
    return all(least <= R for least, R in zip(least_levels(u), levels))


STRONGER: Instance = {
    "99/100 of the bound": {"factor": ALMOST},
    "the level of the root left out": {"root": False},
}
LEVELS_UPPER = Statement(
    family=trees, given={POSSIBLE: both_possible, HAS: has}, holds=_upper, too_strong=STRONGER
)
TREE_UPPER = Statement(
    family=one_level,
    given={POSSIBLE: both_possible, HAS: has},
    holds=_upper,
    too_strong=STRONGER,
    too_weak=[HAS],
)


def _attained(edges: Edges, start: Row, levels: Row, root: bool = True, **_: object) -> bool:
    S = messages(edges, levels if root else [ONE, *levels[1:]])
    return attained(law_of(2, start, edges), S, levels)


ROOT_LEFT_OUT: Instance = {"the level of the root left out": {"root": False}}
LEVELS_ATTAINED = Statement(
    family=trees, given={POSSIBLE: both_possible}, holds=_attained, too_strong=ROOT_LEFT_OUT
)
TREE_ATTAINED = Statement(
    family=one_level, given={POSSIBLE: both_possible}, holds=_attained, too_strong=ROOT_LEFT_OUT
)


def larger_alphabets(draws: Draws) -> Instance:
    """One to three records of two values, or one or two of three, on a tree, kernels with zeros; a
    column and its least levels.
    """
    values = 2 + draws.below(2)
    return {**trees(draws, values, 5 - values), "values": values}


def larger_alphabets_one_level(draws: Draws) -> Instance:
    """One to three records of two values, or one or two of three, on a tree, kernels with zeros; a
    column, and one level for all records, the largest of its least levels.
    """
    drawn = larger_alphabets(draws)
    return {**drawn, "levels": [max(drawn["levels"])] * len(drawn["levels"])}


ANY_ALPHABET = Statement(family=larger_alphabets, holds=_upper, too_strong=STRONGER)
ANY_ALPHABET_ONE_LEVEL = Statement(
    family=larger_alphabets_one_level, holds=_upper, too_strong=STRONGER
)


def seen_from(
    law: Law, neighbours: Sequence[tuple[int, int]], at: int, fill: Kernel
) -> dict[int, tuple[int, Kernel]]:
    """Return the tree of the records joined to one, with that for the root and the kernels
    P(child | parent) of the law, `fill` after values that cannot occur.
    """
    edges: dict[int, tuple[int, Kernel]] = {}
    reached = [at]
    for here in reached:
        for pair in neighbours:
            if here in pair:
                other = pair[1 - pair.index(here)]
                if other not in reached:
                    edges[other] = (here, _kernel(law, here, other, fill))
                    reached.append(other)
    return edges


def _kernel(law: Law, given: int, of: int, fill: Kernel) -> Kernel:
    rows = []
    for v in range(2):
        masses = [
            sum((p for x, p in law.items() if (x[given], x[of]) == (v, w)), ZERO) for w in range(2)
        ]
        total = sum(masses)
        rows.append([p / total for p in masses] if total else fill[v])
    return rows


def networks(draws: Draws) -> Instance:
    """One to three bits in a Bayesian network, each with at most one parent, a record i; kernels
    with zeros; levels 1, 2, 3/2; a column whose levels they may be, and any kernel for what is
    impossible.
    """
    count = 1 + draws.below(3)
    names = draws.among([list(range(count)), list(range(count))[::-1]])
    arrows: list[tuple[int, int]] = []
    law: dict[Database, F] = {(): ONE}
    for c in range(count):
        parent = draws.below(c + 1)
        k = kernel(draws, 2) if parent < c else [draws.law(2, 3)] * 2
        law = {
            (*x, v): p * k[x[parent] if parent < c else 0][v]
            for x, p in law.items()
            for v in range(2)
        }
        arrows += [(names[parent], names[c])] if parent < c else []
    placed = {tuple(x[names.index(j)] for j in range(count)): p for x, p in law.items() if p}
    u = table(draws, count, 2)
    return {
        "law": placed,
        "arrows": arrows,
        "i": draws.below(count),
        "levels": least_levels(u) if draws.whether() else [F(2), ONE, F(3, 2)][:count],
        "u": u,
        "fill": draws.rows(2, 2, 1),
    }


def _record(
    law: Law,
    arrows: Sequence[tuple[int, int]],
    i: int,
    levels: Row,
    u: Law,
    fill: Kernel,
    drop: Sequence[int] = (),
) -> bool:
    """Whether both ratios at record i are those of the tree seen from it."""
    used = [ONE if j in drop else R for j, R in enumerate(levels)]
    S = messages(seen_from(law, arrows, i, fill), used, at=i)
    bounded = not has(u, levels) or _bounded(law, u, S, at=i)
    return bounded and attained(law, S, levels, i)


def _values(law: Law, i: int, **_: object) -> bool:
    return len({x[i] for x in law}) == 2


RECORD_POSSIBLE = "both values of X_i are possible"
TURNED: Instance = {"the level of X_i left out": lambda i, **_: {"drop": [i]}}
NETWORK = Statement(
    family=networks, given={RECORD_POSSIBLE: _values}, holds=_record, too_strong=TURNED
)
