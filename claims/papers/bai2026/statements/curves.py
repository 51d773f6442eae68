"""Section 6: influence curves by trying all sets of cells, what per-entry privacy promises by them,
and how the promises compose.

An ordered pair of secrets is a list of the laws of the table given each of them, one for every
prior that allows both. Levels are ratios; None is infinite.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.frameworks import Rows, Table
from pufferproof.claims.language.instances.laws import (
    ONE,
    ZERO,
    at_most,
    entries,
    given,
    push,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Sparse = Mapping[Table, F]
Pair = Sequence[tuple[Sparse, Sparse]]
SHAPES = [(2,), (2, 2), (2, 2), (2, 3), (3,)]


def one_way(p: Mapping[Any, F], q: Mapping[Any, F]) -> F | None:
    """Return the largest p(x)/q(x) over the x with p(x) > 0, None for infinite."""
    found = []
    for x, weight in p.items():
        if weight:
            if not (other := q.get(x)):
                return None
            found.append(weight / other)
    return max(found)


def dagger(pair: Pair, L: Sequence[int]) -> F | None:
    """Return e^a_dagger(L) of an ordered pair, 1 without a prior that allows both."""
    return _most(_shown(pair, L))


def _shown(pair: Pair, L: Sequence[int]) -> Pair:
    cells = entries(L)
    return [(push(mu, cells), push(nu, cells)) for mu, nu in pair]


def _most(laws: Pair) -> F | None:
    return largest([ONE, *(one_way(mu, nu) for mu, nu in laws)])


def shown_sets(n: int, b: int) -> Iterator[tuple[int, ...]]:
    """Yield every set of cells that leaves at most b of n out."""
    for size in range(max(0, n - b), n + 1):
        yield from combinations(range(n), size)


def star(pair: Pair, n: int, b: int) -> F | None:
    """Return e^a*(b) of an ordered pair."""
    return _least(dagger(pair, L) for L in shown_sets(n, b))


def _least(ratios: Iterable[F | None]) -> F | None:
    return min((each for each in ratios if each is not None), default=None)


def larger_star(pair: Pair, n: int, b: int) -> F | None:
    """Return the larger e^a*(b) of a pair in both orders."""
    laws = [_shown(pair, L) for L in shown_sets(n, b)]
    return largest([_least(map(_most, laws)), _least(_most(swapped(each)) for each in laws)])


def largest(ratios: Sequence[F | None]) -> F | None:
    """Return the largest of some ratios."""
    known = [each for each in ratios if each is not None]
    return max(known, default=ONE) if len(known) == len(ratios) else None


def swapped(pair: Pair) -> list[tuple[Sparse, Sparse]]:
    """Return the pair in the other order."""
    return [(nu, mu) for mu, nu in pair]


def pair_of(draws: Draws, U: Sequence[Table]) -> list[tuple[Sparse, Sparse]]:
    """Draw a pair of secrets, two values of a cell or two sets of tables that may overlap, and one
    or two priors.
    """
    if draws.below(4) < 3:
        i = draws.below(len(U[0]))
        sets = [{x for x in U if x[i] == value} for value in draws.among([(0, 1), (1, 0)])]
    else:
        sets = [set(draws.several(U)) or {U[0]}, set(draws.several(U)) or {U[-1]}]
    found: list[tuple[Sparse, Sparse]] = []
    for _ in range(1 + draws.below(4) // 3):
        weights = draws.positive_law(len(U), 3) if draws.below(3) else draws.law(len(U), 2)
        law = dict(zip(U, weights))
        first, second = (given(law, lambda x, each=each: x in each) for each in sets)  # type: ignore[misc]
        if first and second:
            found.append((first, second))
    return found


def curves(draws: Draws) -> Instance:
    """All tables of one or two cells of two or three values, rarely of three bits; an ordered pair
    of secrets under one or two priors with zeros at times; b, from 0 to the number of cells.
    """
    shape = (2, 2, 2) if draws.below(32) == 31 else draws.among(SHAPES)
    U = list(product(*map(range, shape)))
    return {"n": len(shape), "pair": pair_of(draws, U), "b": draws.below(len(shape) + 1)}


AT_LEAST_ZERO = Statement(
    family=curves,
    holds=lambda n, pair, b, other=False: (
        (all(each is None or each >= 1 for each in [star(pair, n, b)]) and star(pair, n, n) == 1)
        and (not other or (b == 0 or star(pair, n, b) == 1))
    ),
    too_strong={"a*(b) = 0 for b >= 1": {"other": True}},
)
EXCLUDES = "the first secret allows a table that the second excludes"
INFINITE_AT_ZERO = Statement(
    family=curves,
    given={
        EXCLUDES: lambda n, pair, b: any(
            any(p and not nu.get(x) for x, p in mu.items()) for mu, nu in pair
        )
    },
    holds=lambda n, pair, b, b_2=0: star(pair, n, b_2) is None,
    too_strong={"a*(1) too": {"b_2": 1}},
    too_weak=[EXCLUDES],
)


def _falls(n: int, pair: Pair, b: int, strictly: bool = False) -> bool:
    """Whether a* of the pair, and the largest of both orders, do not grow from b to b + 1."""
    for pairs in ([pair], [pair, swapped(pair)]):
        here, after = (largest([star(each, n, c) for each in pairs]) for c in (b, b + 1))
        if not at_most(after, here) or (strictly and after == here):
            return False
    return True


MONOTONE = Statement(
    family=curves,
    holds=_falls,
    too_strong={"strictly": {"strictly": True}},
    always="a*(b + 1) is the least of more sets, for all numbers in the place of probabilities",
)


def drawn_curves(draws: Draws) -> Instance:
    """All tables of one or two cells of two or three values, rarely of three bits; an ordered pair
    of secrets under one or two priors with zeros at times; b, from 0 to the number of cells; and a
    curve: for each b the largest a* of both orders times 1, 2 or 3.
    """
    drawn = curves(draws)
    n, pair = drawn["n"], drawn["pair"]
    least = [larger_star(pair, n, b) for b in range(n + 1)]
    curve = [None if each is None else each * (1 + draws.below(3)) for each in least]
    return {"least": least, "curve": curve}


def _below(first: F | None, second: F | None) -> F | None:
    return second if at_most(second, first) else first


def _running(least: Sequence[F | None], curve: Sequence[F | None], itself: bool = False) -> bool:
    running = curve if itself else [reduce(_below, curve[: b + 1]) for b in range(len(curve))]
    kept = all(at_most(each, value) for each, value in zip(least, running))
    return kept and all(at_most(b, a) for rows in (least, running) for a, b in pairwise(rows))


RUNNING = Statement(
    family=drawn_curves, holds=_running, too_strong={"the curve itself": {"itself": True}}
)


def domain(n: int, pair: Pair) -> list[Table]:
    """Return all tables over the values that the laws have, at least two for each cell."""
    used = [x for laws in pair for law in laws for x in law]
    return list(product(*(range(max([2, *(x[j] + 1 for x in used)])) for j in range(n))))


def leaks(pair: Pair, U: Sequence[Table], M: Rows) -> F | None:
    """Return the largest P(w | s_i)/P(w | s_j), None for infinite."""
    rows = dict(zip(U, M))
    best = ONE
    for laws in pair:
        outputs = [
            {w: sum((p * rows[x][w] for x, p in law.items()), ZERO) for w in range(len(M[0]))}
            for law in laws
        ]
        found = one_way(*outputs)
        if found is None:
            return None
        best = max(best, found)
    return best


def curve_points(draws: Draws) -> Instance:
    """One to four points a_l of the curve of an ordered pair, where finite."""
    drawn = curves(draws)
    n, pair = drawn["n"], drawn["pair"]
    found = [star(pair, n, b) for b in range(n + 1)]
    known = [each for each in found if each is not None]
    return {"A": [draws.among(known[::-1]) for _ in range(1 + draws.below(4))]}


GAP_REPAIRED = Statement(
    family=curve_points,
    holds=lambda A, iff_all_positive=False: (
        max(A) <= prod(A)
        and (max(A) < prod(A)) == (min(A) > 1 if iff_all_positive else sum(a > 1 for a in A) >= 2)
    ),
    too_strong={"iff all are positive": {"iff_all_positive": True}},
)
