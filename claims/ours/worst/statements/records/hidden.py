"""Hidden bits that records show, and releases whose levels per record multiply."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.worst.statements.records.trees import (
    POSSIBLE,
    Database,
    Edges,
    Law,
    both_possible,
    factors,
    has,
    kernel,
    law_of,
    least_levels,
    messages,
    reached,
    seen_from,
    trees,
)

F = Fraction


def two_releases(draws: Draws) -> Instance:
    """Two records of two values, some of the four databases, a mechanism with two outputs without
    zeros, and one after each of them; the levels of both are the least ones for every record, those
    of the second in one of four cases after the first output alone.
    """
    whole = list(product((0, 1), repeat=2))
    U = draws.several(whole) or whole
    first, *after = [{x: draws.positive_law(2, 2 + draws.below(3)) for x in U} for _ in range(3)]
    blind = draws.below(4) == 3
    levels = [_of(first), _largest([_of(each) for each in (after[:1] if blind else after)])]
    return {"first": first, "after": after, "levels": levels}


def _of(rows: Mapping[tuple[int, ...], Row]) -> list[F]:
    return _largest([least_levels({x: row[y] for x, row in rows.items()}) for y in range(2)])


def _largest(lists: Rows) -> list[F]:
    return [max(each) for each in zip(*lists)]


def _multiply(
    first: Mapping[Database, Row],
    after: Sequence[Mapping[Database, Row]],
    levels: Rows,
    last: bool = True,
) -> bool:
    bounds = [a * (b if last else 1) for a, b in zip(*levels)]
    return all(
        least <= bound
        for y, z in product(range(2), repeat=2)
        for least, bound in zip(
            least_levels({x: row[y] * after[y][x][z] for x, row in first.items()}), bounds
        )
    )


WHATEVER = "the second mechanism has its levels whatever the first output was"
MULTIPLY = Statement(
    family=two_releases,
    given={
        WHATEVER: lambda first, after, levels: all(
            a <= b for each in after for a, b in zip(_of(each), levels[1])
        )
    },
    holds=_multiply,
    too_strong={"the last release left out": {"last": False}},
    too_weak=[WHATEVER],
)


def splits(draws: Draws) -> Instance:
    """A tree of one to three bits, as above, and levels R_kj of two releases, 1, 2 or 3/2."""
    drawn = trees(draws)
    count = len(drawn["levels"])
    levels = [[draws.among([ONE, F(2), F(3, 2)]) for _ in range(count)] for _ in range(2)]
    return {"edges": drawn["edges"], "start": drawn["start"], "levels": levels}


def _split(edges: Edges, start: Row, levels: Rows, releases: int = 2) -> bool:
    S = messages(edges, [a * b for a, b in zip(*levels)])
    each = [factors(R) for R in levels[:releases]]
    columns = [{x: prod(u[x] for u in some) for x in some[0]} for some in zip(*each)]
    allowed = all(has(u, R) for R, some in zip(levels, each) for u in some)
    return allowed and reached(law_of(2, start, edges), S, columns)


SPLIT = Statement(
    family=splits,
    given={POSSIBLE: both_possible},
    holds=_split,
    too_strong={"by the first release": {"releases": 1}},
)


def hidden(draws: Draws) -> Instance:
    """One or two hidden bits, each with a record of two values, or one with a record of three, laws
    of records with zeros, levels 1, 2, 3/2, 3, and a column of the records, whose least levels may
    be those levels.
    """
    count, values = draws.among([(1, 2), (2, 2), (1, 3), (2, 2)])
    edges = {c: (draws.below(c), kernel(draws, 2)) for c in range(1, count)}
    levels = [draws.among([F(2), ONE, F(3, 2), F(3)]) for _ in range(count)]
    whole = list(product(range(values), repeat=count))
    u = {x: F(2 + draws.below(3), 2) for x in whole}
    return {
        "bits": law_of(2, draws.law(2, 3), edges),
        "edges": edges,
        "shown": [draws.rows(2, values, 2) for _ in range(count)],
        "u": u,
        "levels": least_levels(u) if draws.whether() else levels,
    }


def joint_law(bits: Law, shown: Sequence[Rows], at: int) -> dict[tuple[int, Database], F]:
    """Return the law of a hidden bit and of all records."""
    law: dict[tuple[int, Database], F] = {}
    for x in product(range(len(shown[0][0])), repeat=len(shown)):
        for h, p in bits.items():
            weight = p * prod(s[b][v] for s, b, v in zip(shown, h, x))
            law[h[at], x] = law.get((h[at], x), ZERO) + weight
    return law


def sets(shown: Sequence[Rows], levels: Row) -> list[dict[Database, F]]:
    """Return all columns that are R_j on a set of values of record j, else 1."""
    values = range(len(shown[0][0]))
    chosen = product(product((0, 1), repeat=len(values)), repeat=len(levels))
    return [
        {
            x: prod((R if c[v] else ONE for R, c, v in zip(levels, some, x)), start=ONE)
            for x in product(values, repeat=len(levels))
        }
        for some in chosen
    ]


def tells(emission: Rows, R: F) -> tuple[F, F]:
    """Return e and f: the largest quotients of what a record with factors 1 or R tells."""
    sums = [
        [sum((p * m for p, m in zip(row, some)), ZERO) for row in emission]
        for some in product((ONE, R), repeat=len(emission[0]))
    ]
    return max(one / zero for zero, one in sums), max(zero / one for zero, one in sums)


def up_and_down(edges: Edges, shown: Any, levels: Any, at: int, own: bool = True) -> list[F]:
    """Return S and D of a bit, without what its own record tells if asked."""
    found = list(tells(shown[at], levels[at])) if own else [ONE, ONE]
    for child, (parent, k) in edges.items():
        if parent == at:
            S, D = up_and_down(edges, shown, levels, child)
            ends = [(k[1][1] * t + k[1][0]) / (k[0][1] * t + k[0][0]) for t in (S, 1 / D)]
            found = [found[0] * max(ends), found[1] * max(1 / g for g in ends)]
    return found


def _given(law: Any, values: Sequence[int], of: Any) -> list[dict[Database, F]]:
    """The law of the records given every value of a function of bit and records."""
    parts: list[dict[Database, F]] = [{} for _ in values]
    for key, p in law.items():
        if p:
            part = parts[of(key)]
            part[key[1]] = part.get(key[1], ZERO) + p
    totals = [sum(part.values(), ZERO) for part in parts]
    return [{x: p / total for x, p in part.items()} for part, total in zip(parts, totals)]


def _by_bit(law: object) -> list[dict[Database, F]]:
    return _given(law, range(2), lambda key: key[0])


def _by_record(law: object, values: Sequence[int], at: int) -> list[dict[Database, F]]:
    return _given(law, values, lambda key: key[1][at])


def _means(laws: Any, u: Any) -> list[F | None]:
    """E[u] under several laws of the records, or None if that is impossible."""
    return [sum([p * u[x] for x, p in law.items()], ZERO) if law else None for law in laws]


def _quotients(by_bit: object, u: object) -> list[F]:
    """E[u | bit = 1]/E[u | bit = 0] and its inverse; 1 if a value is impossible."""
    zero, one = _means(by_bit, u)
    return [one / zero, zero / one] if zero and one else [ONE, ONE]


def _secret_record(bits: Law, shown: Any, levels: Any, edges: Edges, at: int) -> list[list[F]]:
    """R_root times the larger of gamma at both ends, for every two possible values of the record;
    1 where a value is impossible.
    """
    up, down = up_and_down(edges, shown, levels, at, own=False)
    chances = [_chance(bits, shown, at, v) for v in range(len(shown[at][0]))]
    return [
        [
            levels[at] * max((a[1] * t + a[0]) / (b[1] * t + b[0]) for t in (up, 1 / down))
            if a and b and v != w
            else ONE
            for w, b in enumerate(chances)
        ]
        for v, a in enumerate(chances)
    ]


def _chance(bits: Law, shown: Sequence[Rows], at: int, v: int) -> list[F] | None:
    """P(bit = 0 | x_at = v), P(bit = 1 | x_at = v), or None if v is impossible."""
    masses = [
        sum((p * shown[at][b][v] for h, p in bits.items() if h[at] == b), ZERO) for b in (0, 1)
    ]
    total = sum(masses)
    return [m / total for m in masses] if total else None


def _ratios(by_record: object, u: object) -> list[list[F]]:
    """E[u | x_at = v]/E[u | x_at = w] for possible values; 1 for others and for equal ones."""
    means = _means(by_record, u)
    return [
        [a / b if a and b and v != w else ONE for w, b in enumerate(means)]
        for v, a in enumerate(means)
    ]


def _hidden_upper(
    bits: Law, edges: Edges, shown: Any, u: object, levels: object, at: int = 0, factor: F = ONE
) -> bool:
    law, values = joint_law(bits, shown, at), range(len(shown[at][0]))
    bounds = up_and_down(edges, shown, levels, at)
    records = _secret_record(bits, shown, levels, edges, at)
    return all(a <= factor * b for a, b in zip(_quotients(_by_bit(law), u), bounds)) and all(
        a <= factor * b or a == 1
        for row, limits in zip(_ratios(_by_record(law, values, at), u), records)
        for a, b in zip(row, limits)
    )


def _hidden_attained(
    bits: Law,
    edges: Edges,
    shown: Sequence[Rows],
    levels: Row,
    at: int = 0,
    drop: int = -1,
    **_: object,
) -> bool:
    used = [ONE if j == drop else R for j, R in enumerate(levels)]
    law, columns = joint_law(bits, shown, at), sets(shown, levels)
    values, by_bit = range(len(shown[at][0])), _by_bit(law)
    quotients, by_record = [_quotients(by_bit, u) for u in columns], _by_record(law, values, at)
    ratios = [_ratios(by_record, u) for u in columns]
    most = [[max(each[v][w] for each in ratios) for w in values] for v in values]
    return [max(each) for each in zip(*quotients)] == up_and_down(
        edges, shown, used, at
    ) and most == _secret_record(bits, shown, used, edges, at)


def _possible(bits: Law, at: int = 0, **_: object) -> bool:
    return len({h[at] for h in bits}) == 2


def _levels(u: Mapping[tuple[int, ...], F], levels: Row, **_: object) -> bool:
    return all(a <= b for a, b in zip(least_levels(u), levels))


HAS = "the column has the levels R_j"
HIDDEN_UPPER = Statement(
    family=hidden,
    given={POSSIBLE: _possible, HAS: _levels},
    holds=_hidden_upper,
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
    too_weak=[HAS],
)
HIDDEN_ATTAINED = Statement(
    family=hidden,
    given={POSSIBLE: _possible},
    holds=_hidden_attained,
    too_strong={"the level of the root left out": {"drop": 0}},
)


def hidden_chains(draws: Draws) -> Instance:
    """A hidden chain of two or three states of two values, seen from any record, two values for
    each record, levels 1, 2, 3/2, 3; any kernel after a value that cannot occur.
    """
    count = draws.among([2, 3, 2, 2, 2, 2])
    forward = {c: (c - 1, kernel(draws, 2)) for c in range(1, count)}
    bits = law_of(2, draws.law(2, 3), forward)
    at, fill = draws.below(count), draws.rows(2, 2, 1)
    return {
        "bits": bits,
        "edges": seen_from(bits, [(c - 1, c) for c in forward], at, fill),
        "forward": {c: forward[max(c, c + (c < at))] for c in range(count) if c != at},
        "shown": [draws.rows(2, 2, 2) for _ in range(count)],
        "levels": [draws.among([F(2), ONE, F(3, 2), F(3)]) for _ in range(count)],
        "at": at,
    }


def _with_forward(edges: Edges, forward: Edges, **_: object) -> dict[str, Edges]:
    return {"edges": {c: (q, forward[c][1]) for c, (q, _) in edges.items()}}


HIDDEN_CHAINS = Statement(
    family=hidden_chains,
    given={POSSIBLE: _possible},
    holds=_hidden_attained,
    too_strong={"the forward kernels on both sides": _with_forward},
)
