"""The bounds of theorem 2 and the optimum as programs. Patterns are evaluated as in `patterns`."""

from collections.abc import Callable, Sequence
from typing import Any

from pufferproof.claims.language.formulas import formula
from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Statement
from pufferproof.claims.papers.massny2025.bound.leakage_statements import (
    BOTH_SIDES,
    IS_NEGATIVE,
    IS_NOT_NEGATIVE,
    NOT_NEGATIVE,
    REDACTED,
    nearest,
    on_both_sides,
)
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    Pattern,
    case,
    first_distance,
    optimum,
    pattern_leakage,
    patterns,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.families import (
    FALLING,
    IS_ORDERED,
    LEVELS,
    ORDERED,
    any_chain,
    e1,
)
from pufferproof.claims.papers.massny2025.influence.instances import Chain, chain

F = Fraction
ZERO_SIGN = "lam = 0"
PRIVATE, FIRST_HALF, POSITIVE_LEVEL = "the DIM is eps-private", "p <= n/2", "eps > 0"


def levelled(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b of two to eight records, p at most n/2 most often, the probabilities r_t
    of a data-independent mechanism that redacts all between two distances, and releases beyond
    them, not always; X_p is released seldom. A level R, often the leakage of those distances, or
    1, or an influence.
    """
    n = 2 + draws.below(7)
    first = draws.among([n // 2, 1 + draws.below(n // 2)])
    p = first if draws.below(8) else 1 + draws.below(n)
    return _windowed(draws, n, p, draws.among(patterns(n, p)))


def levelled_on_both_sides(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b of four to eight records, p at most n/2, the probabilities r_t of a
    data-independent mechanism that redacts all between two distances, one on each side, and
    releases beyond them, not always; X_p is released seldom. A level R, often the leakage of those
    distances, or 1, or an influence.
    """
    n = 4 + draws.below(5)
    p = 2 + draws.below(n // 2 - 1)
    both = [each for each in patterns(n, p) if None not in each]
    return _windowed(draws, n, p, draws.among(both))


def _windowed(draws: Draws, n: int, p: int, distances: Pattern) -> dict[str, Any]:
    of, (left, right) = any_chain(draws), distances
    free = draws.among([[ZERO], [ZERO], [ZERO, F(1, 2), ONE]])
    r = [ONE] * n
    for t in range(1, n + 1):
        if (left and p - t >= left) or (right and t - p >= right):
            r[t - 1] = draws.among(free)
    if draws.below(16) == 15:
        r[p - 1] = ZERO
    exact = pattern_leakage(of, left, right)
    R = draws.among([exact, exact, exact, e1(of, 1 + draws.below(n)), *LEVELS[:4], ONE])
    return {"of": of, "p": p, "r": r, "R": R}


def _private(of: Chain, p: int, r: Sequence[F], R: F) -> bool:
    pairs = [(each, each) for each in r]
    return r[p - 1] == 1 and pattern_leakage(of, *nearest(p, pairs)) <= R


def _at(of: Chain, p: int, r: Sequence[F], R: F) -> Instance:
    return Instance(of, len(r), p, R)


def _bounded(which: Sequence[int], slack: int, more: int = 0, **at: Any) -> bool:
    """Whether n (1 - nu) is at least the number of the theorem, in these cases."""
    instance = _at(**at)
    if case(instance) not in which:
        return True
    return bool(sum(at["r"]) >= min(len(at["r"]), printed_bound(instance, slack) + more))


FAR = chain("4/5", "14/15")
TWO_SIDED = {
    "of": FAR,
    "p": 6,
    "r": [*[ZERO] * 4, *[ONE] * 5, *[ZERO] * 3],
    "R": pattern_leakage(FAR, 2, 4),
}
"""Five records redacted, for lam < 0."""
IS_PRIVATE: dict[str, Callable[..., bool]] = {PRIVATE: _private}
IS_FIRST_HALF: dict[str, Callable[..., bool]] = {FIRST_HALF: lambda p, r, **_: 2 * p <= len(r)}
THM2 = {
    "lam = 0, p <= n/2": Statement(
        family=levelled,
        given={ZERO_SIGN: lambda of, **_: of.eigenvalue == 0, **IS_FIRST_HALF, **IS_PRIVATE},
        holds=lambda more=0, **at: _bounded([0, 1, 2], 1, **at, more=more),
        too_strong={"one record more": {"more": 1}},
        too_weak=[PRIVATE],
    ),
}


def _ends(of: Chain, p: int, r: Sequence[F]) -> tuple[F, F | None]:
    """e^e0 and e^e1."""
    return e1(of, len(r) + 1 - p), e1(of, p - 1) if p > 1 else None


def _one_side_redacted(of: Chain, p: int, r: Sequence[F], R: F, more: int = 0) -> bool:
    redacted_fully = all(each == 1 for each in r[:p]) or all(each == 1 for each in r[p - 1 :])
    return redacted_fully and sum(r) >= p + first_distance(of, R) - 1 + more


def _below_both(of: Chain, p: int, r: Sequence[F], R: F) -> bool:
    e0, other = _ends(of, p, r)
    return other is None or R < e0 * other


def _radii(p: int, r: Sequence[F]) -> tuple[int, int]:
    left, right = nearest(p, [(each, each) for each in r])
    return (left or p) - 1, (right or len(r) - p + 1) - 1


def _two_sided(sign: dict[str, Callable[..., bool]], slack: int) -> Statement:
    def bounded(of: Chain, p: int, r: Sequence[F], R: F, less: int) -> bool:
        return sum(_radii(p, r)) >= 2 * first_distance(of, R, 2) - less

    return Statement(
        family=levelled_on_both_sides,
        edges=[TWO_SIDED],
        given={
            **sign,
            POSITIVE_LEVEL: lambda R, **_: R > 1,
            BOTH_SIDES: lambda of, p, r, R: on_both_sides(p, [(each, each) for each in r]),
            **IS_PRIVATE,
        },
        holds=lambda less=0, **at: bounded(**at, less=(slack - less)),
        too_strong={"one record more": {"less": 1}},
        too_weak=[PRIVATE],
    )


BELOW, NOT_BOTH = "eps < e0", "eps < e0 + e1"
CASES = {
    "case 0: nu = 0 if eps < e0": Statement(
        family=levelled,
        given={**IS_FIRST_HALF, BELOW: lambda of, p, r, R: R < _ends(of, p, r)[0], **IS_PRIVATE},
        holds=lambda r, **_: sum(r) == len(r),
        too_weak=[BELOW, PRIVATE],
    ),
    "case 1: one side is redacted, and nu <= 1 - (p+D*-1)/n": Statement(
        family=levelled,
        edges=[{"of": FALLING, "p": 1, "r": [ONE, ONE], "R": F(22, 21)}],
        given={
            **IS_ORDERED,
            **IS_FIRST_HALF,
            "e0 <= eps": lambda of, p, r, R: _ends(of, p, r)[0] <= R,
            NOT_BOTH: _below_both,
            **IS_PRIVATE,
        },
        holds=_one_side_redacted,
        too_strong={"one record more": {"more": 1}},
        too_weak=[ORDERED, NOT_BOTH, PRIVATE],
    ),
    "(9) less (10) is t_p(eps)": formula("(p + De - 2) - (2*Dh - 2) = p + De - 2*Dh"),
    "n(1-nu) >= Dl+Dr+1": Statement(
        family=levelled,
        given={REDACTED: lambda of, p, r, R: r[p - 1] == 1},
        holds=lambda of, p, r, R, number=1: sum(r) >= sum(_radii(p, r)) + number,
        too_strong={"one record more": {"number": 2}},
    ),
}
CASES_REPAIRED = {
    **CASES,
    "two-sided, lam >= 0": _two_sided(IS_NOT_NEGATIVE, 3),
    "two-sided, lam < 0": _two_sided(IS_NEGATIVE, 4),
}


def one_sided(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b of one to six records, p = 1, a level R > 1, an influence often, and the
    distance of the nearest released record of a data-independent mechanism, or none.
    """
    of, n = any_chain(draws), 1 + draws.below(6)
    nearest = draws.among([*range(1, n), None])
    R = draws.among([e1(of, 1 + draws.below(n)), *LEVELS[:6]])
    return {"of": of, "n": n, "nearest": nearest, "R": R if R > 1 else F(2)}


def _least_radius(of: Chain, n: int, nearest: int | None, R: F, less: int = 0) -> bool:
    """The window of D* - 1, cut off at n, is private, and a private one is not smaller."""
    Dr = min(first_distance(of, R) - 1 - less, n - 1)
    own = nearest - 1 if nearest else n - 1
    window = Dr + 1 if Dr < n - 1 else None
    private = Dr >= 0 and pattern_leakage(of, None, window) <= R
    return private and (own >= Dr or pattern_leakage(of, None, nearest) > R)


ONE_SIDED = Statement(
    family=one_sided, holds=_least_radius, too_strong={"D*(eps_r) - 2": {"less": 1}}
)


def optima(draws: Draws) -> dict[str, Instance]:
    """A chain with a <= b, n from 1 to 8, p at most n/2 most often, and a level R > 1, often the
    leakage of a pattern.
    """
    drawn = levelled(draws)
    R = drawn["R"] if drawn["R"] > 1 else F(2)
    return {"at": Instance(drawn["of"], len(drawn["r"]), drawn["p"], R)}


def _shaped(left: int | None, right: int | None) -> bool:
    return left is None or (right is not None and abs(left - right) <= 1)


UNEVEN = {"at": Instance(FAR, 10, 5, pattern_leakage(FAR, 2, 4))}
AT_NOT_NEGATIVE: dict[str, Callable[..., bool]] = {NOT_NEGATIVE: lambda at: at.of.eigenvalue >= 0}
AT_FIRST_HALF: dict[str, Callable[..., bool]] = {FIRST_HALF: lambda at: 2 * at.private <= at.length}
SHAPE = Statement(
    family=optima,
    edges=[UNEVEN],
    given={**AT_NOT_NEGATIVE, **AT_FIRST_HALF},
    holds=lambda at, level=any: level(_shaped(*each) for each in optimum(at)[1]),
    too_strong={"every optimal pattern": {"level": all}},
    too_weak=[NOT_NEGATIVE, FIRST_HALF],
)
