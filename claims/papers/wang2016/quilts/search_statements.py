"""The search for quilts on chains as programs: Algorithms 1 to 3 run for fractions pi, e^-g and
e^eps, and what is released at the scale that they find.

A scale c/log(r) is rho = r^(1/c), taken from below to a thousandth: that is no more leakage, since
more Laplace noise is less of it with other noise added. e^-g is taken from above, which is a class
with a smaller g.
"""

from collections.abc import Callable, Mapping
from functools import cache
from math import ceil

from pufferproof.claims.language.instances.chains import Path, sequences
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.song2017.statements.bounds import CHAINS, exp_minus, stationary
from pufferproof.claims.papers.song2017.statements.noise import Query, leaks, query
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
THOUSAND = 1000


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


@cache
def _no_more(at: Chain, strictly: bool = False) -> bool:
    found = _fast(at)
    if found is None:
        return False
    scores = [find_best(at, i)[0] for i in found[1]]
    return found[0] == max(scores) and (
        found[0] < _basic(at) or (not strictly and found[0] == _basic(at))
    )


FEWER_NODES = Statement(
    family=small_chains,
    edges=HARD,
    given={TWO_NODES: _two},
    holds=lambda at, i, start, strictly=False: _no_more(at, strictly=strictly),
    too_strong={"less": {"strictly": True}},
    too_weak=[TWO_NODES],
)


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


def _root(score: Score, less: int = 1) -> F | None:
    """rho for a scale, from below, or for a part of it; None if it is infinite."""
    if score.ratio is None:
        return None
    count, ratio = score.count, score.ratio
    low, high = THOUSAND, int(ratio * THOUSAND) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if F(middle, THOUSAND) ** count <= ratio else (low, middle)
    return F(low, THOUSAND) ** less


def mechanisms(draws: Draws) -> Instance:
    """A class of one irreducible aperiodic chain of one to five bits (two values: reversible), any
    law of X_1, stationary often, a 1-Lipschitz function with integers for values, and e^eps from 2
    to 3,000.
    """
    n = [2, 3, 4, 5, 1][draws.below(5)]
    P = draws.among(CHAINS[:-2])
    pi = stationary(P) or (F(1, 2), F(1, 2))
    q = pi if draws.whether() else tuple(draws.law(2))
    lam = abs(P[0][0] + P[1][1] - 1)
    decay = F(ceil(exp_minus(1 - lam)[1] * 1000), 1000)
    R = draws.among([F(9), F(2), F(400), F(3000), F(40)])
    return {
        "law": sequences(q, P, n),
        "at": Chain(n, min(pi), decay, R),
        "F": query(draws, 2, n, range(1, n + 1)),
        "stationary": tuple(q) == tuple(pi),
    }


Law = Mapping[Path, F]
Search = Callable[[Chain], Score | None]


def _private(law: Law, at: Chain, table: Query, search: Search, less: int = 1) -> bool:
    """Whether every node keeps the level at the scale that was found, not certainly more."""
    score = search(at)
    rho = None if score is None else _root(score, less)
    if score is None:
        return False
    return rho is None or leaks([law], at.n, [(table, rho)]) <= at.ratio


def _by_fast(at: Chain) -> Score | None:
    found = _fast(at)
    return None if found is None else found[0]


def _private_by(search: Search, **given: Callable[..., bool]) -> Statement:
    return Statement(
        family=mechanisms,
        given={words.replace("_", " "): each for words, each in given.items()},
        holds=lambda law, at, F, stationary, less=1: _private(law, at, F, search, less=less),
        too_strong={"half of the noise": {"less": 2}},
    )


BASIC_PRIVATE = _private_by(_basic)
FAST_PRIVATE = _private_by(_by_fast, at_least_two_nodes=_two)


def far_mechanisms(draws: Draws) -> Instance:
    """A class of one chain of four or five nearly independent bits, any law of X_1, stationary
    often, a 1-Lipschitz function with integers for values, and e^eps from 400 to 30,000, where
    quilts with two nodes are found.
    """
    P, n = draws.among(CHAINS[:2]), 4 + draws.below(2)
    pi = stationary(P) or (F(1, 2), F(1, 2))
    decay = F(ceil(exp_minus(1 - abs(P[0][0] + P[1][1] - 1))[1] * 1000), 1000)
    R = draws.among([F(3000), F(400), F(30000)])
    return {
        "law": sequences(draws.among([pi, (F(1, 10), F(9, 10))]), P, n),
        "at": Chain(n, min(pi), decay, R),
        "F": query(draws, 2, n, range(1, n + 1)),
    }


TWO_SIDED_PRIVATE = Statement(
    family=far_mechanisms,
    given={TWO_SIDED: _two_sided},
    holds=lambda law, at, F, less=1: _private(law, at, F, _by_fast, less=less),
    too_strong={"a twentieth of the noise": {"less": 20}},
)
