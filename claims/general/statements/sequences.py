"""Levels that differ, one order of a pair, and releases chosen by earlier ones."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any

from pufferproof.claims.general.statements import classes
from pufferproof.claims.language.instances.frameworks import (
    Rows,
    between_neighbours,
    distance,
    framework,
    keeps,
    leakage,
    rows,
)
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
NEAR = F(1, 10**6)


def coin_with_levels(draws: Draws) -> Instance:
    """One or two priors, secrets and one to three mechanisms as for mixtures, each with its least
    level, or 2 where that is infinite, and a hidden coin of positive weights.
    """
    drawn = framework(draws, mechanisms=1 + draws.below(3))
    width = max(len(each[0]) for each in drawn["mechanisms"])
    padded = [[[*row, *[ZERO] * (width - len(row))] for row in M] for M in drawn["mechanisms"]]
    pair = [(drawn["s"], drawn["t"])]
    levels = [leakage(drawn["priors"], pair, each) or F(2) for each in padded]
    return drawn | {"mechanisms": padded, "levels": levels, "coin": draws.positive_law(len(padded))}


def _coin_keeps(instance: Any, R: F) -> bool:
    mechanisms, coin = instance["mechanisms"], instance["coin"]
    mixed = [
        [sum((w * M[x][y] for w, M in zip(coin, mechanisms)), ZERO) for y in range(len(row))]
        for x, row in enumerate(mechanisms[0])
    ]
    return keeps(instance["priors"], [(instance["s"], instance["t"])], mixed, R)


EACH_LEVEL = "M_i is epsilon_i-Pufferfish"
LARGEST_LEVEL = Statement(
    family=coin_with_levels,
    given={
        EACH_LEVEL: lambda priors, s, t, mechanisms, levels, coin: all(
            keeps(priors, [(s, t)], M, R) for M, R in zip(mechanisms, levels)
        )
    },
    holds=lambda last_level=False, largest=False, **instance: (
        (_coin_keeps(instance, max(instance["levels"])))
        and (not last_level or (_coin_keeps(instance, instance["levels"][-1])))
        and (not largest or (_coin_keeps(instance, max(ONE, ALMOST * max(instance["levels"])))))
    ),
    too_strong={"the last level": {"last_level": True}, "99/100 of the largest": {"largest": True}},
    too_weak=[EACH_LEVEL],
)


Release = Sequence[Rows]


def near_releases(draws: Draws) -> Instance:
    """One or two records of two values; a mechanism with two outputs and another one for each of
    these; their least levels for tables that differ in one record, or 2 where these are infinite;
    a law for each record.
    """
    return _two_releases(draws, 1)


def far_releases(draws: Draws) -> Instance:
    """One or two records of two values; a mechanism with two outputs and another one for each of
    these; their least levels for tables that differ in any records, or 2 where these are infinite;
    a law for each record.
    """
    return _two_releases(draws, 2)


def _two_releases(draws: Draws, far: int) -> Instance:
    count = 1 + (draws.below(4) == 3)
    tables = list(product(range(2), repeat=count))
    first, *then = [_rows(draws, len(tables)) for _ in range(3)]
    levels = [_level(tables, each, far) for each in (first, *then)]
    return {
        "tables": tables,
        "first": first,
        "then": then,
        "R": (levels[0] or F(2), max(each or F(2) for each in levels[1:])),
        "margins": draws.rows(count, 2),
    }


def _rows(draws: Draws, size: int) -> list[list[F]]:
    """A mechanism with two outputs, mostly without zeros, ties often."""
    if draws.below(8) == 7:
        return rows(draws, size, 2)
    some = [draws.positive_law(2, 3) for _ in range(2)]
    return [draws.among(some) for _ in range(size)]


def _level(tables: list[tuple[int, ...]], M: Rows, far: int) -> F | None:
    return between_neighbours(tables, M, lambda x, y: 0 < distance(x, y) <= far)


def _together(first: Rows, then: Release) -> list[list[F]]:
    return [[p * q for w, p in enumerate(row) for q in then[w][x]] for x, row in enumerate(first)]


EACH_KEPT = "each release keeps its level, whatever the outputs before it"


def _composition(family: Any, class_of_priors: Any) -> Statement:
    def kept(
        tables: list[tuple[int, ...]], first: Rows, then: Release, R: tuple[F, ...], margins: Rows
    ) -> bool:
        return class_of_priors(tables, first, R[0], margins) and all(
            class_of_priors(tables, each, R[1], margins) for each in then
        )

    def joint(instance: Any, bound: F) -> bool:
        M = _together(instance["first"], instance["then"])
        return bool(class_of_priors(instance["tables"], M, bound, instance["margins"]))

    return Statement(
        family=family,
        given={EACH_KEPT: kept},
        holds=lambda last_level_left=False, bound=False, **instance: (
            (joint(instance, prod(instance["R"])))
            and (not last_level_left or (joint(instance, instance["R"][0])))
            and (not bound or (joint(instance, max(ONE, ALMOST * prod(instance["R"])))))
        ),
        too_strong={
            "the last level left out": {"last_level_left": True},
            "99/100 of the bound": {"bound": True},
        },
        too_weak=[EACH_KEPT],
    )


COMPOSE_PRODUCTS = _composition(near_releases, classes.under_products)
COMPOSE_ALL = _composition(far_releases, classes.under_any)


def nearly_certain(size: int, sure: Sequence[int], eta: F) -> list[F]:
    """Return the law that is even on some values and gives each value at least eta/size."""
    even = F(1, len(sure))
    return [(1 - eta) * (even if v in sure else ZERO) + eta / size for v in range(size)]


def _full_products(
    tables: list[tuple[int, ...]], M: Rows, R: F, margins: Rows, eta: F = NEAR
) -> bool:
    """Under product priors of full support: every record nearly certain of a value, nearly even
    on all, or with its law made positive.
    """
    size = len(margins[0])
    choices = [
        [
            *(
                nearly_certain(size, pair, eta)
                for pair in combinations_with_replacement(range(size), 2)
            ),
            [(p + eta) / (1 + size * eta) for p in margin],
        ]
        for margin in margins
    ]
    priors = [
        [prod((margin[v] for margin, v in zip(chosen, x)), start=ONE) for x in tables]
        for chosen in product(*choices)
    ]
    return keeps(priors, classes.values_of_records(tables), M, R)


def _per_record(tables: list[tuple[int, ...]], M: Rows, R: F) -> bool:
    return classes.is_private(tables, M, R, lambda x, y: distance(x, y) == 1)


FULL_PRODUCTS = Statement(
    family=classes.records,
    holds=lambda tables, M, R, margins, laws_far_from=False: (
        (_full_products(tables, M, R, margins) == _per_record(tables, M, R))
        and (
            not laws_far_from
            or (_full_products(tables, M, R, margins, F(1, 2)) == _per_record(tables, M, R))
        )
    ),
    too_strong={"laws far from certain": {"laws_far_from": True}},
)


def _full_pairs(tables: list[tuple[int, ...]], M: Rows, R: F, eta: F = NEAR) -> bool:
    """Under priors of full support that are nearly even on two tables."""
    indices = range(len(tables))
    priors = [nearly_certain(len(tables), pair, eta) for pair in combinations(indices, 2)]
    return keeps(priors, classes.values_of_records(tables), M, R)


def _any_two(tables: list[tuple[int, ...]], M: Rows, R: F) -> bool:
    return classes.is_private(tables, M, R, lambda x, y: x != y)


FULL_PRIORS = Statement(
    family=classes.records,
    holds=lambda tables, M, R, margins, by=_any_two: _full_pairs(tables, M, R) == by(tables, M, R),
    too_strong={"for tables that differ in one record": {"by": _per_record}},
)
