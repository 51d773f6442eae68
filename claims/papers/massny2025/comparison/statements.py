"""3R mechanisms against the Markov quilt mechanism and all data-independent ones, as programs.

"Some 3R mechanism" is sampled by those with q_t = 1, which release S: with all of eps on one side,
half on each, or what an influence leaves.
"""

from collections.abc import Callable, Iterator, Sequence

from pufferproof.claims.language.instances.laws import ONE, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.papers.massny2025.bound.leakage_statements import (
    IS_NOT_NEGATIVE,
    NOT_NEGATIVE,
)
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    first_distance,
    max_influence,
    pattern_leakage,
)
from pufferproof.claims.papers.massny2025.bound.statements import (
    FIRST_HALF,
    IS_FIRST_HALF,
    IS_PRIVATE,
    PRIVATE,
    TWO_SIDED,
    levelled,
)
from pufferproof.claims.papers.massny2025.influence.families import chain_and_distance
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    chain,
    leakage,
    local,
    pointwise,
)
from pufferproof.claims.papers.massny2025.quilt.statements import placed
from pufferproof.claims.papers.massny2025.quilt.windows import released_by, window

F = Fraction
Budgets = tuple[F, F, int]
"""R_l, R_r and a power: e^eps_l and e^eps_r are roots of that power of R_l and R_r; 1 for a side
that is redacted."""


def _released(at: Instance, budgets: Budgets) -> int | None:
    """How many records S has, or None if the release of S does not keep the budgets."""
    left, right, power = budgets
    sides = ((at.private - 1, left), (at.length - at.private, right))
    kept = [
        [D for D in range(1, length + 1) if R > 1 and max_influence(at.of, D) ** power <= R]
        for length, R in sides
    ]
    for side, (_, R) in zip(kept, sides):
        if side and pattern_leakage(at.of, None, min(side)) ** power > R:
            return None
    nearest = [min(side, default=None) for side in kept]
    if pattern_leakage(at.of, nearest[0], nearest[1]) > at.ratio:
        return None
    return sum(len(side) for side in kept)


def _most(at: Instance, budgets: Iterator[Budgets]) -> int:
    counts = [_released(at, each) for each in budgets]
    return max(each for each in counts if each is not None)


def _one_side(at: Instance) -> Iterator[Budgets]:
    """All of eps on one side, half on each."""
    yield from ((ONE, at.ratio, 1), (at.ratio, ONE, 1), (at.ratio, at.ratio, 2))


def _positive(at: Instance) -> Iterator[Budgets]:
    """Half on each side, or on the right the largest influence below eps."""
    yield at.ratio, at.ratio, 2
    influences = [max_influence(at.of, D) for D in range(1, at.length + 1)]
    below = [each for each in influences if 1 < each < at.ratio]
    right = max(below, default=(1 + at.ratio) / 2)
    yield at.ratio / right, right, 1


def _any(at: Instance) -> Iterator[Budgets]:
    """All of eps on one side, half on each, or an influence on one side and the rest on the
    other.
    """
    yield from _one_side(at)
    for D in range(1, at.length):
        level = max_influence(at.of, D)
        if level <= at.ratio:
            yield level, at.ratio / level, 1
            yield at.ratio / level, level, 1


def _outperforms(at: Instance, budgets: Callable[[Instance], Iterator[Budgets]], more: int) -> bool:
    _, left, right = window(at)
    return _most(at, budgets(at)) >= released_by(at, left, right) + more


AT_FIRST_HALF: dict[str, Callable[..., bool]] = {FIRST_HALF: lambda at: 2 * at.private <= at.length}
REACHES = "D*(eps) <= n - p"
QUILT_PRINTED = {
    "some 3R is at least as good, eps_l = 0 allowed": Statement(
        family=placed,
        given=AT_FIRST_HALF,
        holds=lambda at, budgets=_one_side, more=0: _outperforms(at, budgets, more),
        too_strong={"better by one record": {"budgets": _any, "more": 1}},
    ),
    "some 3R is at least as good, eps_l > 0": Statement(
        family=placed,
        given=AT_FIRST_HALF,
        holds=lambda at, more=0: _outperforms(at, _positive, more),
        too_strong={"better by one record": {"more": 1}},
    ),
}
QUILT = {
    **QUILT_PRINTED,
    "some 3R is better by 1/n if D*(eps) <= n-p, eps_l = 0 allowed": Statement(
        family=placed,
        given={
            **AT_FIRST_HALF,
            REACHES: lambda at: first_distance(at.of, at.ratio) <= at.length - at.private,
        },
        holds=lambda at, budgets=_one_side, more=1: _outperforms(at, budgets, more),
        too_strong={"by two records": {"budgets": _any, "more": 2}},
        too_weak=[REACHES],
    ),
}


def _as_good(of: Chain, p: int, r: Sequence[F], R: F, less: int = 0, more: int = 0) -> bool:
    at = Instance(of, len(r), p, R)
    return bool(_most(at, _any(at)) >= len(r) - sum(r) - less + more)


POSITIVE = "eps > 0"
IS_POSITIVE: dict[str, Callable[..., bool]] = {POSITIVE: lambda R, **_: R > 1}
DIMS = {
    "for every DIM some 3R is at least as good, every n, lam >= 0, eps_l = 0 allowed": Statement(
        family=levelled,
        edges=[TWO_SIDED],
        given={**IS_POSITIVE, **IS_NOT_NEGATIVE, **IS_PRIVATE},
        holds=_as_good,
        too_strong={"one record more": {"more": 1}},
        too_weak=[NOT_NEGATIVE, PRIVATE],
    ),
    "for every DIM some 3R has nu_3R >= nu_DIM - 2/n, every lam, eps_l = 0 allowed": Statement(
        family=levelled,
        edges=[TWO_SIDED],
        given={**IS_POSITIVE, **IS_FIRST_HALF, **IS_PRIVATE},
        holds=lambda less=2, **at: _as_good(**at, less=less),
        too_strong={"nu_3R >= nu_DIM": {"less": 0}},
        too_weak=[PRIVATE],
    ),
}
EXAMPLE = {"of": chain("1/4", "1/2"), "D": 1}


def _strong_but_released(of: Chain, D: int) -> bool:
    """At eps = i0(D) > 0: i1(D) > eps, and releasing X_t = 0 with probability 1 - e^-eps is
    private, for p = 1 and t = 1 + D.
    """
    R = pointwise(of, D, 0)
    r = [ALWAYS] * D + [(1 / R, ONE)]
    private = at_most(leakage(of, D + 1, 1, local(r)), R)
    return R > 1 and pointwise(of, D, 1) > R and private


def near_distances(draws: Draws) -> dict[str, object]:
    """A chain with a <= b, of any sign of lam, and a distance D from 1 to 3."""
    drawn = chain_and_distance(draws)
    return drawn | {"D": min(drawn["D"], 3)}


def _no_level(of: Chain, D: int) -> bool:
    """No eps has i0(D) <= eps < i1(D), as a release needs by Lemma 1."""
    return pointwise(of, D, 0) >= pointwise(of, D, 1)


DIFFERENT, DEPENDENT = "a < b", "lam is not 0"
REGION = {
    "for some chain, distance and eps: i1 > eps, and a private mechanism releases X_t "
    "sometimes": Statement(
        family=near_distances,
        edges=[EXAMPLE],
        given={DIFFERENT: lambda of, D: of.a < of.b, DEPENDENT: lambda of, D: of.eigenvalue != 0},
        holds=_strong_but_released,
        too_weak=[DIFFERENT, DEPENDENT],
    ),
    "for every chain and distance: for some eps iff a < b and lam is not 0": Statement(
        family=near_distances,
        edges=[EXAMPLE],
        holds=lambda of, D, iff=False, iff_lam_not=False: (
            (
                _strong_but_released(of, D)
                if of.a < of.b and of.eigenvalue != 0
                else _no_level(of, D)
            )
            and (not iff or (_strong_but_released(of, D) == (of.a < of.b)))
            and (not iff_lam_not or (_strong_but_released(of, D) == (of.eigenvalue != 0)))
        ),
        too_strong={"iff a < b": {"iff": True}, "iff lam is not 0": {"iff_lam_not": True}},
    ),
}
