"""The search for quilts on chains as programs: Algorithms 1 to 3 run for fractions pi, e^-g and
e^eps.
"""

from functools import cache

from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.wang2016.quilts.instances import (
    INFINITE,
    NOTHING,
    Chain,
    Score,
    UndefinedError,
    Variant,
    basic,
    fast,
    find_best,
    least_score,
)

F = Fraction


def small_chains(draws: Draws) -> Instance:
    """n from 1 to 9, pi in {1/2, 1/3, 1/10}, e^-g in {1/2, 1/4, 3/4, 1/10}, e^eps from 5/4 to
    400; a node i and another start of the search.
    """
    n = 1 + draws.below(9)
    at = Chain(
        n,
        draws.rate([F(1, 2), F(1, 3), F(1, 10)]),
        draws.rate([F(1, 2), F(1, 4), F(3, 4), F(1, 10)]),
        draws.among([F(40), F(3), F(400), F(9), F(5, 4)]),
    )
    return {"at": at, "i": 1 + draws.below(n), "start": 1 + draws.below(n)}


HARD = [
    {"at": Chain(n, F(pi), F(q), F(ratio)), "i": (n + 1) // 2, "start": n}
    for pi, q, ratio in (
        ("1/2", "1/2", 2),
        ("1/2", "2/5", 9),
        ("1/2", "2/5", 40),
        ("1/3", "1/2", 100),
        ("1", "1/2", 3),
    )
    for n in (1, 2, 5, 8)
]
"""Bounds at the level, ties of scores, distances at the threshold, a class with pi = 1."""


@cache
def _basic(at: Chain) -> Score:
    return basic(at)


@cache
def _fast(at: Chain) -> tuple[Score, list[int]] | None:
    """None if the search leaves the chain."""
    try:
        return fast(at)
    except UndefinedError:
        return None


@cache
def _walk(at: Chain, start: int) -> tuple[Score, bool]:
    """The largest score from another start, and whether only nodes were visited."""
    largest, visited, i = NOTHING, list[int](), start
    while i not in visited:
        if not 1 <= i <= at.n:
            return largest, False
        visited.append(i)
        sigma, a, b = find_best(at, i)
        largest = max(largest, sigma)
        if (i - a == 0) == (i + b == at.n + 1):
            break
        i += 1 if i - a == 0 else -1
    return largest, True


TWO_NODES = "n >= 2"


def _two(at: Chain, **_: object) -> bool:
    return at.n >= 2


def _agrees(at: Chain, start: int) -> bool:
    found = _fast(at)
    return found is not None and found[0] == _basic(at) and _walk(at, start) == (_basic(at), True)


SAME_SCALE = Statement(
    family=small_chains,
    edges=HARD,
    given={TWO_NODES: _two},
    holds=lambda at, i, start, one_node_enough=False: (
        (_agrees(at, start)) and (not one_node_enough or (find_best(at, start)[0] == _basic(at)))
    ),
    too_strong={"one node is enough": {"one_node_enough": True}},
    too_weak=[TWO_NODES],
)


def _score(at: Chain, i: int, a: int, b: int) -> Score:
    """The score of {X_(i-a), X_(i+b)}; a = i and b = n+1-i are no nodes."""
    influence = F(1)
    for t, power in ((a, 2 * (a < i)), (b, int(b < at.n + 1 - i))):
        if power:
            side = at.bound(t) if at.far(t) else None
            if side is None:
                return INFINITE
            influence *= side**power
    return Score(a + b - 1, at.ratio / influence) if influence < at.ratio else INFINITE


AS_SAID = Variant()


def _finds(at: Chain, i: int, how: Variant) -> bool:
    try:
        sigma, a, b = find_best(at, i, how)
        return sigma == least_score(at, i) == _score(at, i, a, b)
    except UndefinedError:
        return False


LEAST_SCORE = Statement(
    family=small_chains,
    edges=HARD,
    holds=lambda at, i, start, how=AS_SAID: _finds(at, i, how),
    too_strong={
        "the third test as printed": {"how": Variant(misprint=True)},
        "the threshold for imaginary nodes too": {"how": Variant(imaginary=True)},
    },
)


@cache
def _end(at: Chain) -> tuple[int, int, int] | None:
    """The node where Fast ends, a and b."""
    found = _fast(at)
    return None if found is None else (found[1][-1], *find_best(at, found[1][-1])[1:])


def _two_sided(at: Chain, **_: object) -> bool:
    end = _end(at)
    return end is not None and end[0] - end[1] >= 1 and end[0] + end[2] <= at.n


@cache
def _cases(at: Chain) -> bool:
    """The three cases of every node j, and sigma_max = sigma_i >= sigma_j."""
    found, end = _fast(at), _end(at)
    if found is None or end is None:
        return False
    i, a, b = end
    sigma = find_best(at, i)[0]
    for j in range(1, at.n + 1):
        left, right = j - a >= 1, j + b <= at.n
        score = _score(at, j, a if left else j, b if right else at.n + 1 - j)
        if not (left or right) or least_score(at, j) > sigma:
            return False
        if not (score == sigma if left and right else score < sigma):
            return False
    return found[0] == sigma


TWO_SIDED = "Fast ends at a quilt with two nodes"
CASES = Statement(
    family=small_chains,
    edges=HARD,
    given={TWO_NODES: _two, TWO_SIDED: _two_sided},
    holds=lambda at, i, start, has_same_least=False: (
        (_cases(at)) and (not has_same_least or (least_score(at, i) == _basic(at)))
    ),
    too_strong={"X_i has the same least score": {"has_same_least": True}},
    too_weak=[TWO_SIDED],
)
