"""All product priors, all priors, mixtures: what a class of priors asks of a mechanism."""

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

from pufferproof.claims.language.instances.frameworks import (
    Prior,
    Rows,
    Secret,
    Table,
    between_neighbours,
    distance,
    framework,
    held,
    keeps,
    leakage,
    output_law,
    rows,
)
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def records(draws: Draws) -> Instance:
    """One or two records of two values, or one of three; a mechanism with two outputs and zeros; R
    its largest ratio for tables that differ in a record, or 2, or 3/2 or more; a law for each
    record.
    """
    count, size = draws.among([(1, 2), (2, 2), (1, 3)])
    tables = list(product(range(size), repeat=count))
    M = rows(draws, len(tables), 2)
    exact = between_neighbours(tables, M, lambda x, y: distance(x, y) == 1)
    level = draws.among([exact or F(2), F(3, 2) + F(draws.below(4), 2)])
    return {"tables": tables, "M": M, "R": level, "margins": draws.rows(count, size)}


def is_private(
    tables: Sequence[Table], M: Rows, R: F, neighbours: Callable[[Table, Table], bool]
) -> bool:
    least = between_neighbours(tables, M, neighbours)
    return least is not None and least <= R


def values_of_records(tables: Sequence[Table]) -> list[tuple[Secret, Secret]]:
    """All pairs of different values of a record."""
    pairs = []
    for i in range(len(tables[0])):
        sets = {x[i]: frozenset(n for n, y in enumerate(tables) if y[i] == x[i]) for x in tables}
        pairs += [(sets[v], sets[w]) for v in sets for w in sets if v < w]
    return pairs


def products(tables: Sequence[Table], margins: Rows, certain: bool) -> list[list[F]]:
    """Product priors of given and even margins, and unless not `certain` those with records that
    have one value.
    """
    size = len(margins[0])
    sure = [[F(i == v) for i in range(size)] for v in range(size)]
    each = [[margin, [F(1, size)] * size, *(sure if certain else [])] for margin in margins]
    return [
        [prod([margin[v] for margin, v in zip(chosen, x)], start=ONE) for x in tables]
        for chosen in product(*each)
    ]


def apart(x: Table, y: Table) -> bool:
    return distance(x, y) > 0


def one_apart(x: Table, y: Table) -> bool:
    return distance(x, y) == 1


def under_products(
    tables: Sequence[Table], M: Rows, R: F, margins: Rows, certain: bool = True
) -> bool:
    return keeps(products(tables, margins, certain), values_of_records(tables), M, R)


def under_pairs(tables: Sequence[Table], M: Rows, R: F) -> bool:
    """Under all priors that are even on two tables."""
    size = len(tables)
    priors = [
        [HALF * (n in (i, j)) for n in range(size)] for i in range(size) for j in range(i + 1, size)
    ]
    return keeps(priors, values_of_records(tables), M, R)


def under_any(tables: Sequence[Table], M: Rows, R: F, margins: Rows) -> bool:
    """Under these, product priors, and one that no product is."""
    tied = [F(len(set(x)) == 1) for x in tables]
    priors = [*products(tables, margins, certain=True), [each / sum(tied) for each in tied]]
    return under_pairs(tables, M, R) and keeps(priors, values_of_records(tables), M, R)


ALL_PRIORS = Statement(
    family=records,
    holds=lambda tables, M, R, margins, neighbours=apart: (
        under_any(tables, M, R, margins) == is_private(tables, M, R, neighbours)
    ),
    too_strong={"for tables that differ in one record alone": {"neighbours": one_apart}},
)


def mixed_priors(draws: Draws) -> Instance:
    """Up to four databases, two secrets, two priors and a mixture of them, and a mechanism, with R
    its least level under both, or more, or 2. Often the priors share their law given s or given
    s', or the odds of the secrets.
    """
    drawn = framework(draws, priors=1)
    size = len(drawn["priors"][0])
    s, t = drawn["s"], frozenset(range(size)) - drawn["s"]
    (first,), second = drawn["priors"], draws.law(size)
    kind = draws.below(5)
    inside = [
        first[x] if (kind == 1 and x in s) or (kind == 2 and x in t) else second[x]
        for x in range(size)
    ]
    odds = {**dict.fromkeys(s, held(first, s)), **dict.fromkeys(t, held(first, t))}
    within = {**dict.fromkeys(s, held(second, s)), **dict.fromkeys(t, held(second, t))}
    if kind == 3 and all(within.values()):
        inside = [odds[x] * second[x] / within[x] for x in range(size)]
    total = sum(inside)
    second = [each / total for each in inside] if total else first
    (M,) = drawn["mechanisms"]
    least = leakage([first, second], [(s, t)], M)
    weight = draws.rate([F(n, 4) for n in range(1, 4)])
    level = (least or F(2)) + draws.among([F(0), F(1)])
    return {"s": s, "t": t, "theta": first, "eta": second, "M": M, "R": level, "weight": weight}


def _mixed(theta: Prior, eta: Prior, weight: F) -> list[F]:
    return [weight * p + (1 - weight) * q for p, q in zip(theta, eta)]


def both_possible(s: Secret, t: Secret, theta: Prior, eta: Prior, **_: object) -> bool:
    return all(held(each, secret) > 0 for each in (theta, eta) for secret in (s, t))


def both_keep(s: Secret, t: Secret, theta: Prior, eta: Prior, M: Rows, R: F, weight: F) -> bool:
    return keeps([theta, eta], [(s, t)], M, R)


def _odds(s: Secret, t: Secret, theta: Prior, eta: Prior) -> list[F]:
    return [held(each, s) / held(each, t) for each in (theta, eta)]


def _free(s: Secret, t: Secret, theta: Prior, eta: Prior, **_: object) -> bool:
    """Equal odds of the secrets, or equal laws given one of them."""
    if not both_possible(s, t, theta, eta):
        return True
    p, q = _odds(s, t, theta, eta)
    identity = [[F(x == y) for y in range(len(theta))] for x in range(len(theta))]
    same = (output_law(theta, identity, each) == output_law(eta, identity, each) for each in (s, t))
    return p == q or any(same)


def mixture_keeps(
    s: Secret, t: Secret, theta: Prior, eta: Prior, M: Rows, R: F, weight: F, factor: F = ONE
) -> bool:
    return keeps([_mixed(theta, eta, weight)], [(s, t)], M, max(ONE, factor * R))


POSSIBLE = "both priors give both secrets positive probability"
KEPT = "M keeps the level under both priors"
FREE = "the odds of the secrets are equal, or the laws given one of them"
TOLD_APART = {
    "s": frozenset([0, 1]),
    "t": frozenset([2, 3]),
    "theta": [HALF, ZERO, HALF, ZERO],
    "eta": [ZERO, F(3, 4), ZERO, F(1, 4)],
    "M": [[ONE, ZERO], [ZERO, ONE]] * 2,
    "R": ONE,
    "weight": HALF,
}
"""The output tells which prior it was, and nothing else; the mixture tells of the secret."""
CONDITIONS_SUFFICE = Statement(
    family=mixed_priors,
    edges=[TOLD_APART],
    given={POSSIBLE: both_possible, KEPT: both_keep, FREE: _free},
    holds=mixture_keeps,
    too_strong={"99/100 of the level": {"factor": ALMOST}},
    too_weak=[KEPT, FREE],
)
