"""Statements on other chains: influences on any alphabet, both sides of a record, boxes, trees."""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from pufferproof.claims.language.instances.chains import (
    Path,
    chain,
    given_values,
    influence,
    marginal,
    sequences,
    varying,
)
from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, at_most, largest_quotient
from pufferproof.claims.language.instances.redaction import (
    CHANCES,
    SHARES,
    Bits,
    leakage,
    local,
    outputs,
    pointwise,
    stationary,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Law = Mapping[Path, F]


def _value(law: Law, p: int, t: int, value: int) -> F | None:
    """e^i of X_t = value about X_p."""
    found = [(each.get((value,), ZERO),) for each in _given(law, p, t)]
    return largest_quotient((one, other) for one in found for other in found)


def _given(law: Law, p: int, t: int) -> list[dict[Path, F]]:
    return [marginal(each, [t]) for each in given_values(law, p).values()]


def _falls(ratios: Sequence[F | None], strictly: bool = False) -> bool:
    return all(
        at_most(later, earlier) and not (strictly and earlier == later != 1)
        for earlier, later in pairwise(ratios)
    )


def one_matrix(draws: Draws) -> Instance:
    """The law of two to four records of a chain of two or three values with one transition matrix
    (zeros, deterministic, periodic, absorbing and not reversible ones often) and any start, in half
    of the cases the stationary one, and a side of p: p is the first record, or the last one.
    """
    start, step = chain(draws)
    if draws.whether():
        start, step = circulation(draws, len(start))
    if draws.whether():
        start = [F(1, len(start))] * len(start)
    n = 2 + draws.below(3)
    return {"law": sequences(start, step, n), "size": len(start), "n": n, "left": draws.whether()}


def circulation(draws: Draws, size: int) -> tuple[list[F], list[list[F]]]:
    """Draw a stationary law and its matrix: cycles and exchanges of values, with weights."""
    flow = [[F(draws.below(3)) if i == j else ZERO for j in range(size)] for i in range(size)]
    cycle, weight = draws.among([1, size - 1]), 1 + draws.below(3)
    for i in range(size):
        flow[i][(i + cycle) % size] += weight
    extra = draws.below(3)
    flow[0][1], flow[1][0] = flow[0][1] + extra, flow[1][0] + extra
    total = sum(map(sum, flow))
    return [F(sum(row)) / total for row in flow], [[f / sum(row) for f in row] for row in flow]


def _every_value(law: Law, size: int, n: int, left: bool, strictly: bool = False) -> bool:
    order = range(n - 1, 0, -1) if left else range(2, n + 1)
    return all(
        _falls([_value(law, n if left else 1, t, value) for t in order], strictly)
        for value in range(size)
    )


POSSIBLE = "every value of X_p is possible"
STATIONARY = "left of p: the chain is stationary"
EVERY_VALUE = Statement(
    family=one_matrix,
    edges=[
        {
            "law": sequences(
                [HALF, HALF, ZERO],
                [[F(1, 4), F(1, 4), HALF], [F(1, 4), HALF, F(1, 4)], [HALF, F(1, 4), F(1, 4)]],
                3,
            ),
            "size": 3,
            "n": 3,
            "left": False,
        }
    ],
    given={
        POSSIBLE: lambda law, size, n, left: len(given_values(law, n if left else 1)) == size,
        STATIONARY: lambda law, size, n, left: (
            not left or all(marginal(law, [t]) == marginal(law, [1]) for t in range(2, n + 1))
        ),
    },
    holds=_every_value,
    too_strong={"it falls strictly unless it is 1": {"strictly": True}},
    too_weak=[POSSIBLE, STATIONARY],
)


def any_chain(draws: Draws) -> Instance:
    """The law of two to four records of a chain with one to three values each, whose steps differ,
    zeros often, and a side of p: p is the first record, or the last one.
    """
    n = 2 + draws.below(3)
    sizes = [1 + draws.below(3) for _ in range(n)]
    steps = [draws.rows(rows, size, 2) for rows, size in pairwise(sizes)]
    return {"law": varying(draws.law(sizes[0]), steps), "n": n, "left": draws.whether()}


def _largest_falls(law: Law, n: int, left: bool, strictly: bool = False) -> bool:
    order = range(n - 1, 0, -1) if left else range(2, n + 1)
    return _falls([influence(law, n if left else 1, [t]) for t in order], strictly)


MAX_INFLUENCE = Statement(
    family=any_chain,
    holds=_largest_falls,
    too_strong={
        "it falls strictly unless it is 1": {"strictly": True},
    },
)


def reversible(draws: Draws) -> Instance:
    """A stationary chain of two or three values, reversible or, one time in three, not, and a
    distance of 1 or 2.
    """
    size, D = 2 + draws.below(2), 1 + draws.below(2)
    if draws.below(3) == 2:
        start, step = circulation(draws, size)
    else:
        weights = [[F(draws.below(3)) for _ in range(size)] for _ in range(size)]
        flow = [[weights[min(i, j)][max(i, j)] for j in range(size)] for i in range(size)]
        flow = [row if any(row) else [F(i == j) for j in range(size)] for i, row in enumerate(flow)]
        total = sum(map(sum, flow))
        start = [F(sum(row)) / total for row in flow]
        step = [[f / sum(row) for f in row] for row in flow]
    return {"start": start, "step": step, "D": D}


def _agree(start: Sequence[F], step: Rows, D: int, shift: int = 0) -> bool:
    law = sequences(start, step, 2 * D + 1 + shift)
    both = given_values(law, D + 1)
    return all(marginal(each, [1]) == marginal(each, [2 * D + 1 + shift]) for each in both.values())


BALANCED = "it is reversible"
SIDES_AGREE = Statement(
    family=reversible,
    given={
        BALANCED: lambda start, step, D: (
            len(start) == 2
            or all(
                start[i] * step[i][j] == start[j] * step[j][i]
                for i, j in product(range(len(start)), repeat=2)
            )
        )
    },
    holds=_agree,
    too_strong={
        "at distances D and D + 1": {"shift": 1},
    },
    too_weak=[BALANCED],
)


def around(draws: Draws) -> Instance:
    """The law of three or four records of a chain of two or three values, whose steps may differ,
    with zeros often, and records l < p < r.
    """
    size, n = 2 + draws.below(2), 3 + draws.below(2)
    steps = [draws.rows(size, size, 3)]
    while len(steps) < n - 1:
        steps.append(steps[-1] if draws.whether() else draws.rows(size, size, 3))
    p = 2 + draws.below(n - 2)
    return {
        "law": varying(draws.law(size), steps),
        "l": 1 + draws.below(p - 1),
        "p": p,
        "r": p + 1 + draws.below(n - p),
    }


def _sum(law: Law, l: int, p: int, r: int) -> F | None:
    one, other = influence(law, p, [l]), influence(law, p, [r])
    return None if one is None or other is None else one * other


SUBADD = Statement(
    family=around,
    holds=lambda law, l, p, r, equality=False, at_most_larger=False: (
        (at_most(influence(law, p, [l, r]), _sum(law, l, p, r)))
        and (not equality or (influence(law, p, [l, r]) == _sum(law, l, p, r)))
        and (
            not at_most_larger
            or (any(at_most(influence(law, p, [l, r]), influence(law, p, [t])) for t in (l, r)))
        )
    ),
    too_strong={
        "equality": {"equality": True},
        "at most the larger one": {"at_most_larger": True},
    },
)


def boxes(draws: Draws) -> Instance:
    """Ends a1 <= a2, b1 <= b2 in (0, 1), often with a + b <= 1 or >= 1 throughout, one to three
    records, a private record, redacted at seven of eight, and a local mechanism.
    """
    n = 1 + draws.below(3)
    p = 1 + draws.below(n)
    a, b = ([draws.among(SHARES), draws.among(SHARES)] for _ in range(2))
    side = draws.below(3)
    if side:
        a, b = [each / 2 for each in a], [each / 2 for each in b]
    if side == 2:
        a, b = [1 - each for each in a], [1 - each for each in b]
    rows = local(draws, n, [p] if draws.below(8) < 7 else [])
    return {"a": sorted(a), "b": sorted(b), "p": p, "rows": rows}


def _measures(of: Bits, p: int, rows: Rows) -> list[F | None]:
    """The leakage, and the influences of both values at distances 1 and 2."""
    near = [pointwise(of, D, v) for D in (1, 2) for v in (0, 1)]
    return [leakage(stationary(of, len(rows)), rows, [p]), *near]


def _moved(instance: Any, rising: bool) -> bool:
    """Whether no measure rises (or falls) from the first corner of the box to the others."""
    (a1, a2), (b1, b2), p, rows = (instance[each] for each in ("a", "b", "p", "rows"))
    low, high = _measures((a1, b1), p, rows), _measures((a2, b2), p, rows)
    for between in ((a1, b2), (a2, b1)):
        found = _measures(between, p, rows)
        first, last = (low, high) if rising else (high, low)
        if not all(at_most(x, y) and at_most(y, z) for x, y, z in zip(first, found, last)):
            return False
    return True


BELOW, ABOVE = "a + b <= 1 in the whole box", "a + b >= 1 in the whole box"
POSITIVE_BOX = Statement(
    family=boxes,
    given={BELOW: lambda a, b, p, rows: a[1] + b[1] <= 1},
    holds=lambda rising=False, **instance: _moved(instance, rising=rising),
    too_strong={"it does not fall either": {"rising": True}},
    too_weak=[BELOW],
)
NEGATIVE_BOX = Statement(
    family=boxes,
    given={ABOVE: lambda a, b, p, rows: a[0] + b[0] >= 1},
    holds=lambda rising=True, **instance: _moved(instance, rising=rising),
    too_strong={"it does not rise either": {"rising": False}},
    too_weak=[ABOVE],
)


def _corners(instance: Any, number: int = 2) -> bool:
    """Whether each measure is largest at one of the two corners, on a grid of four chains and the
    middle.
    """
    a, b, p, rows = (instance[each] for each in ("a", "b", "p", "rows"))
    middle = (a[0] + a[1]) / 2, (b[0] + b[1]) / 2
    corners = [_measures(of, p, rows) for of in zip(a, b)][:number]
    return all(
        any(at_most(each, corner) for corner in several)
        for of in [*product(a, b), middle]
        for each, *several in zip(_measures(of, p, rows), *corners)
    )


BOX = Statement(
    family=boxes,
    holds=lambda number=2, **instance: _corners(instance, number=number),
    too_strong={"at (a1, b1)": {"number": 1}},
)
TREES = [(0, 1), (0,), (0, 1, 1), (0, 0, 1), (0, 1, 0)]


def trees(draws: Draws) -> Instance:
    """The law of a tree of two to four records of two or three values with zeros often; record 1
    is p, record 2 its child c; a local mechanism that redacts p and often shows every value.
    """
    parents = draws.among(TREES)
    sizes = [2 + draws.below(2) if t < 2 else 2 for t in range(len(parents) + 1)]
    law: dict[Path, F] = {(x,): p for x, p in enumerate(draws.law(sizes[0], 2)) if p}
    for t, parent in enumerate(parents, 1):
        step = draws.rows(sizes[parent], sizes[t], 2)
        law = {(*x, y): p * q for x, p in law.items() for y, q in enumerate(step[x[parent]]) if q}
    rows = [[draws.among([HALF, ZERO, *CHANCES[:4]]) for _ in range(size)] for size in sizes]
    behind = [2, *(t for t, parent in enumerate(parents, 2) if parent == 1)]
    return {"law": law, "rows": [[ONE] * sizes[0], *rows[1:]], "behind": behind}


def _full(law: Law, rows: Rows, behind: Sequence[int], most: Sequence[int]) -> bool:
    full = [[ZERO] * len(row) if t in most else row for t, row in enumerate(rows, 1)]
    return at_most(leakage(law, full, [1]), leakage(law, rows, [1]))


def _every_value_shown(law: Law, rows: Rows, behind: Sequence[int]) -> bool:
    shown = {v: {*outputs(each, rows, behind)} for v, each in given_values(law, 2).items()}
    return all(
        each - {y for w, other in shown.items() if w != v for y in other}
        for v, each in shown.items()
    )


BEHIND = Statement(
    family=trees,
    holds=lambda law, rows, behind, last_node_behind=False: at_most(
        leakage(law, rows, [1], behind),
        influence(law, 1, [(behind[-1] if last_node_behind else 2)]),
    ),
    too_strong={
        "of the last node behind it": {"last_node_behind": True},
    },
)
EVERY_SHOWN = "each possible value of X_c is shown by an output that only it has"
FULL_BEHIND = Statement(
    family=trees,
    given={EVERY_SHOWN: _every_value_shown},
    holds=lambda law, rows, behind, releasing_other_child=False: _full(
        law, rows, behind, (range(2, len(rows) + 1) if releasing_other_child else behind)
    ),
    too_strong={
        "releasing p's other child, too": {"releasing_other_child": True},
    },
    too_weak=[EVERY_SHOWN],
)
