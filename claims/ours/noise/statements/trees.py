"""Noise on queries of correlated bits as programs: levels per record, and queries that attain what
they allow. Decays are rational, so that a level is a power of one.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.laws import ALMOST, ONE
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.growing import chain_messages
from pufferproof.claims.ours.worst.statements.records.trees import (
    Database,
    Edges,
    both_possible,
    has,
    kernel,
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
    return {
        "edges": drawn["edges"],
        "start": drawn["start"],
        "tables": tables,
        "outputs": outputs,
    }


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


def exponents(draws: Draws) -> Instance:
    """A tree of one to three bits, kernels with zeros and eigenvalues of any sign, levels 2^r_j
    with r_j from 0 to 2.
    """
    drawn = trees(draws)
    return {
        "edges": drawn["edges"],
        "start": drawn["start"],
        "r": [draws.below(3) for _ in drawn["levels"]],
    }


def signs(edges: Edges) -> list[int]:
    """Return a_j: 1 at the root, at a child that of its parent, times -1 if P11 < P01."""
    a = [1] + [0] * len(edges)
    for child in sorted(edges):
        parent, k = edges[child]
        a[child] = a[parent] * (-1 if k[1][1] < k[0][1] else 1)
    return a


def _reached(edges: Edges, start: Sequence[F], r: Sequence[int], signed: bool = True) -> bool:
    """Whether the query with these signs has the levels, and its outputs reach S and D."""
    a = signs(edges) if signed else [1] * len(r)
    law, S = law_of(2, start, edges), messages(edges, [F(2**e) for e in r])
    ratios = []
    for w in range(-sum(r), sum(r) + 1):
        u = {
            x: F(1, 2 ** abs(w - sum(s * e * b for s, e, b in zip(a, r, x))))
            for x in product((0, 1), repeat=len(r))
        }
        if not has(u, [F(2**e) for e in r]):
            return False
        ratios.append((mean(law, u, 0, 1) or ONE) / (mean(law, u, 0, 0) or ONE))
    return max(ratios) == S[1][0] and 1 / min(ratios) == S[0][1]


POSSIBLE = "both values of the root are possible"
SIGNED = Statement(
    family=exponents,
    given={POSSIBLE: lambda edges, start, r: both_possible(start=start)},
    holds=_reached,
    too_strong={"the count for all kernels": {"signed": False}},
)


def endless(draws: Draws) -> Instance:
    """p in tenths from 1/2 to 9/10, or 1 - p for it, the root S from 1 to 4 and the E that has it;
    one to five bits on either side.
    """
    p = draws.rate([F(n, 10) for n in range(5, 10)])
    S = 1 + F(1 + draws.below(6), 2)
    return {
        "p": p,
        "S": S,
        "turned": draws.whether(),
        "sides": (draws.below(5), draws.below(5)),
    }


def _level(p: F, S: F) -> tuple[F, F]:
    """E, of which S is the root, and R = S^2/E."""
    E = (p * S**2 + (1 - p) * S) / ((1 - p) * S + p)
    return E, S**2 / E


def _inner(p: F, R: F, sides: tuple[int, int], turned: bool) -> F:
    """The largest ratio of a bit with so many bits on either side, all of level R."""
    stay = 1 - p if turned else p
    kernel_ = [[stay, 1 - stay], [1 - stay, stay]]
    found = R
    for count in sides:
        if count:
            S, D = chain_messages(kernel_, R, count)[-1]
            found *= max((stay * t + 1 - stay) / ((1 - stay) * t + stay) for t in (S, 1 / D))
    return found


def _endless(p: F, S: F, turned: bool, sides: Any, more: F = ONE) -> bool:
    """Whether no bit leaks more than E at R, and some bit of a long chain does at R and a fifth."""
    E, R = _level(p, S)
    long_ = _inner(p, R * F(6, 5), (30, 30), turned) > E
    return _inner(p, more * R, sides, turned) <= E and long_


ENDLESS = Statement(
    family=endless,
    given={"p >= 1/2": lambda p, **_: p >= F(1, 2)},
    holds=_endless,
    too_strong={"at 11/10 of R": {"more": F(11, 10)}},
)


def positive_trees(draws: Draws) -> Instance:
    """A tree of one to three bits whose kernels have positive entries, levels 1 to 100."""
    count = 1 + draws.below(3)
    edges = {
        c: (draws.below(c), [draws.positive_law(2, 3) for _ in range(2)]) for c in range(1, count)
    }
    if draws.below(6) == 5:
        edges = {c: (q, kernel(draws, 2)) for c, (q, _) in edges.items()}
    return {"edges": edges, "R": [draws.among([F(2), ONE, F(100), F(3, 2)]) for _ in range(count)]}


def _paid(edges: Edges, R: Sequence[F], factor: F = ONE) -> bool:
    bound = factor * R[0]
    for parent, k in edges.values():
        if parent == 0:
            quotients = [(k[1][1], k[0][1]), (k[0][0], k[1][0])]
            bound *= max(max(a / b, b / a) for a, b in quotients if a and b)
    S = messages(edges, R)
    return S[1][0] <= bound and S[0][1] <= bound


POSITIVE = "kernels have positive entries"
PAID_ONCE = Statement(
    family=positive_trees,
    given={POSITIVE: lambda edges, R: all(p for _, k in edges.values() for row in k for p in row)},
    holds=lambda edges, R, factor=ONE: _paid(edges, R, factor=factor),
    too_strong={"9/10 of the bound": {"factor": F(9, 10)}},
)
