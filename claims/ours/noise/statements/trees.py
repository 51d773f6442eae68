"""Noise on queries of correlated bits as programs: levels per record, and queries that attain what
they allow. Decays are rational, so that a level is a power of one.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.trees import (
    Database,
    Edges,
    law_of,
    mean,
    messages,
    trees,
)

F = Fraction


def queries(draws: Draws) -> Instance:
    """A tree of one to three bits, kernels with zeros, two queries with one or two coordinates and
    values from 0 to 2, with decays 1/2 and 1/3, the second chosen by what was seen of the first,
    and an output of both.
    """
    drawn = trees(draws)
    count = len(drawn["levels"])
    whole = list(product((0, 1), repeat=count))
    tables = []
    for _ in range(2):
        size = 1 + draws.below(2)
        tables.append({x: [draws.below(3) for _ in range(size)] for x in whole})
    outputs = [[draws.below(4) for _ in next(iter(each.values()))] for each in tables]
    return {"edges": drawn["edges"], "start": drawn["start"], "tables": tables, "outputs": outputs}


DECAYS = [F(1, 2), F(1, 3)]


def changes(query: Mapping[tuple[int, ...], Sequence[int]]) -> list[int]:
    """Return by how much in L1 a query changes at most when one record does, for every record."""
    count = len(next(iter(query)))
    most = [0] * count
    for x, y in product(query, repeat=2):
        apart = [j for j in range(count) if x[j] != y[j]]
        if len(apart) == 1:
            far = sum(abs(a - b) for a, b in zip(query[x], query[y]))
            most[apart[0]] = max(most[apart[0]], far)
    return most


def _column(tables: Any, outputs: Any) -> dict[Database, F]:
    """The likelihood of the output of both for every database."""
    return {
        x: prod(
            (
                t ** abs(a - w)
                for t, query, output in zip(DECAYS, tables, outputs)
                for a, w in zip(query[x], output)
            ),
            start=ONE,
        )
        for x in tables[0]
    }


def _within(
    edges: Edges, start: Any, tables: Any, outputs: object, queries_: int = 2, factor: F = ONE
) -> bool:
    each = [changes(query) for query in tables]
    levels = [
        prod((1 / t**L for t, L in list(zip(DECAYS, some))[:queries_]), start=ONE)
        for some in zip(*each)
    ]
    u, S = _column(tables, outputs), messages(edges, levels)
    law = law_of(2, start, edges)
    zero, one = mean(law, u, 0, 0), mean(law, u, 0, 1)
    if zero is None or one is None:
        return True
    return one <= factor * S[1][0] * zero and zero <= factor * S[0][1] * one


LIPSCHITZ = Statement(
    family=queries,
    holds=_within,
    too_strong={
        "99/100 of the bound": {"factor": ALMOST},
        "the levels of the first query alone": {"queries_": 1},
    },
)
