"""Statements on chains as programs: separation, influence, mechanisms on two segments.

Laws of all records are written out, influence is a quotient of sums, mechanisms are tables.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.chains import (
    Path,
    chain,
    given_values,
    influence,
    marginal,
    sequences,
)
from pufferproof.claims.language.instances.frameworks import rows
from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Statement

F = Fraction
ALMOST = F(99, 100)
Law = Mapping[Path, F]


def two_sides(draws: Draws) -> dict[str, Any]:
    """The law of one to four records of a chain of two or three values (deterministic, periodic,
    absorbing and non-reversible ones often), a record t, sets of records before and after it; one
    law in eight is that of a chain in which the next record depends on the last two.
    """
    start, step = chain(draws)
    length = 1 + draws.below(4)
    t = 1 + draws.below(length)
    law = sequences(start, step, length)
    longer = draws.below(8) == 7
    if longer:
        law = {x: p for x, p in law.items() if len(x) < 3 or len(set(x)) > 1} or law
        total = sum(law.values(), ZERO)
        law = {x: p / total for x, p in law.items()}
    return {
        "law": law,
        "t": t,
        "before": draws.several(range(1, t)),
        "after": draws.several(range(t + 1, length + 1)),
        "markov": not longer,
    }


def _independent_given(law: Law, t: int, before: list[int], after: list[int]) -> bool:
    for each in given_values(law, t).values():
        left, right = marginal(each, before), marginal(each, after)
        both = marginal(each, [*before, *after])
        for x, y in product(left, right):
            if both.get((*x, *y), ZERO) != left[x] * right[y]:
                return False
    return True


CHAIN = "the records are a Markov chain"
MARKOV = Statement(
    family=two_sides,
    given={CHAIN: lambda markov, **_: bool(markov)},
    holds=lambda law, t, before, after, markov: _independent_given(law, t, before, after),
    too_strong={
        "without the value of the record between": lambda law, t, before, after, markov: all(
            marginal(law, [*before, *after]).get((*x, *y), ZERO) == p * q
            for x, p in marginal(law, before).items()
            for y, q in marginal(law, after).items()
        )
    },
    too_weak=[CHAIN],
)


def quilts(draws: Draws) -> dict[str, Any]:
    """The law of three to five records of a chain, as above, a record i inside it, a record before
    and one after it.
    """
    start, step = chain(draws, states=2 + draws.below(2))
    length = 3 + draws.below(3 if len(start) == 2 else 2)
    i = 2 + draws.below(length - 2)
    return {
        "law": sequences(start, step, length),
        "i": i,
        "left": 1 + draws.below(i - 1),
        "right": i + 1 + draws.below(length - i),
    }


def _times(p: F | None, q: F | None) -> F | None:
    return None if p is None or q is None else p * q


TWO_SIDES = Statement(
    family=quilts,
    holds=lambda law, i, left, right: at_most(
        influence(law, i, [left, right]),
        _times(influence(law, i, [left]), influence(law, i, [right])),
    ),
    too_strong={
        "of the larger side alone": lambda law, i, left, right: any(
            at_most(influence(law, i, [left, right]), influence(law, i, [each]))
            for each in (left, right)
        ),
    },
)


def nested(draws: Draws) -> dict[str, Any]:
    """The law of one to four records of a chain, as above, a record i, a set of records R and a
    subset S of it; either may contain i or be empty.
    """
    start, step = chain(draws)
    length = 1 + draws.below(4)
    R = draws.several(range(1, length + 1))
    return {
        "law": sequences(start, step, length),
        "i": 1 + draws.below(length),
        "R": R,
        "S": draws.several(R),
    }


INFLUENCE_OF_MORE = Statement(
    family=nested,
    holds=lambda law, i, R, S: at_most(influence(law, i, S), influence(law, i, R)),
    too_strong={
        "equality": lambda law, i, R, S: influence(law, i, S) == influence(law, i, R),
    },
)


def two_segments(draws: Draws) -> dict[str, Any]:
    """Two to four records of a chain of two values, as above, split into X_1..X_T2 and X_T3..X_T
    with a gap that may be empty; mechanisms with two outputs on either, with their least levels for
    the secrets of their own segment, where these are finite.
    """
    start, step = chain(draws, states=2)
    length = 2 + draws.below(3)
    T2 = 1 + draws.below(length - 1)
    T3 = T2 + 1 + draws.below(length - T2)
    law = sequences(start, step, length)
    first, second = list(range(1, T2 + 1)), list(range(T3, length + 1))
    M_A, M_B = (
        dict(zip(paths, rows(draws, len(paths), 2)))
        for paths in (sorted(marginal(law, each)) for each in (first, second))
    )
    return {"law": law, "T2": T2, "T3": T3, "first": first, "second": second, "A": M_A, "B": M_B}


Table = Mapping[Path, Sequence[F]]
Release = tuple[Table, Sequence[int]]


def _released(law: Law, releases: Sequence[Release]) -> dict[tuple[int, ...], F]:
    """The law of all outputs, each drawn with coins of its own."""
    outputs: dict[tuple[int, ...], F] = {}
    for x, p in law.items():
        drawn = [table[tuple(x[j - 1] for j in records)] for table, records in releases]
        for w in product(*(range(len(each)) for each in drawn)):
            weight = p
            for row, output in zip(drawn, w):
                weight *= row[output]
            outputs[w] = outputs.get(w, ZERO) + weight
    return outputs


def _level(law: Law, secrets: Sequence[int], releases: Sequence[Release]) -> F | None:
    """The largest ratio of an output's probability given two values of a record."""
    best: F | None = ONE
    for i in secrets:
        laws = [_released(each, releases) for each in given_values(law, i).values()]
        for p, q in product(laws, repeat=2):
            for w, weight in p.items():
                if weight and not q.get(w):
                    return None
                if weight and best is not None:
                    best = max(best, weight / q[w])
    return best


def _segments(instance: Any, exchanged: bool = False, factor: F = ONE) -> bool:
    law, T2, T3 = (instance[each] for each in ("law", "T2", "T3"))
    A, B = (instance["A"], instance["first"]), (instance["B"], instance["second"])
    a, b = _level(law, A[1], [A]), _level(law, B[1], [B])
    forward, backward = influence(law, T2, [T3]), influence(law, T3, [T2])
    if exchanged:
        forward, backward = backward, forward
    options = [_times(a, b), _times(a, forward)], [_times(b, a), _times(b, backward)]
    least = [min((each for each in some if each is not None), default=None) for some in options]
    bound = None if None in least else factor * max(each for each in least if each is not None)
    return at_most(_level(law, [*A[1], *B[1]], [A, B]), bound)


_PAIRS = list(product(range(2), repeat=2))
START_MATTERS = {
    "law": sequences([F(3, 4), F(1, 4)], [[F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)]], 4),
    "T2": 2,
    "T3": 3,
    "first": [1, 2],
    "second": [3, 4],
    "A": {x: [F(19, 20), F(1, 20)] if x[1] else [F(1, 20), F(19, 20)] for x in _PAIRS},
    "B": {x: [F(19, 20), F(1, 20)] if x[0] else [F(1, 5), F(4, 5)] for x in _PAIRS},
}
"""Not stationary, so that X_2 tells more of X_3 than X_3 of X_2."""
TWO_SEGMENTS = Statement(
    family=two_segments,
    edges=[START_MATTERS],
    holds=lambda **instance: _segments(instance),
    too_strong={
        "99/100 of the bound": lambda **instance: _segments(instance, factor=ALMOST),
        "the influences exchanged": lambda **instance: _segments(instance, exchanged=True),
        "the larger level alone": lambda **instance: at_most(
            _level(
                instance["law"],
                [*instance["first"], *instance["second"]],
                [(instance["A"], instance["first"]), (instance["B"], instance["second"])],
            ),
            _largest(instance),
        ),
    },
)


def _largest(instance: Any) -> F | None:
    levels = [
        _level(instance["law"], instance[records], [(instance[name], instance[records])])
        for name, records in (("A", "first"), ("B", "second"))
    ]
    return None if None in levels else max(each for each in levels if each is not None)
