"""Data-independent mechanisms as programs: exact leakage, the bounds of theorem 2, the optimum.

Patterns are evaluated as `patterns` says, or by enumeration of all databases and outputs.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Statement
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    Pattern,
    case,
    expected,
    first_distance,
    optimum,
    pattern_leakage,
    patterns,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.influence.families import (
    ALMOST,
    LEVELS,
    any_chain,
    chain_and_distance,
    e1,
    independent_of_data,
    place,
    shown,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    ALWAYS,
    Chain,
    Redaction,
    chain,
    leakage,
    local,
    pointwise,
)

F = Fraction
NOT_NEGATIVE, NEGATIVE, ZERO_SIGN = "lam >= 0", "lam < 0", "lam = 0"
PRIVATE, FIRST_HALF, POSITIVE_LEVEL = "the DIM is eps-private", "p <= n/2", "eps > 0"
REDACTED = "X_p is redacted"


def distances(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b and distances l, r from 1 to 7 with l + r even, in either order."""
    l, k = 1 + draws.below(4), 1 + draws.below(4)
    k = max(k, (l + 1) // 2 + (l % 2 == 0))
    pair = (l, 2 * k - l) if draws.whether() else (2 * k - l, l)
    return {"of": any_chain(draws), "l": pair[0], "r": pair[1], "k": k}


def _balanced(of: Chain, l: int, r: int, k: int, farther: int = 0, strictly: bool = False) -> bool:
    left, right = e1(of, l) * e1(of, r), e1(of, k + farther) ** 2
    return left > right if strictly else left >= right


def _balance(words: str, given: Callable[..., bool], farther: int = 0) -> Statement:
    return Statement(
        family=distances,
        given={words: given},
        holds=lambda **at: _balanced(**at, farther=farther) and _balanced(**at, farther=1),
        too_strong={
            "one record nearer": lambda **at: (
                _balanced(**at, farther=farther - 1)
                if at["k"] + farther > 1
                else _balanced(**at, farther=farther, strictly=True)
            )
        },
    )


BALANCED = {
    "lam >= 0, or lam < 0 with l, r and k even": _balance(
        "lam >= 0, or lam < 0 with l, r and k even",
        lambda of, l, r, k: of.eigenvalue >= 0 or (l % 2 == r % 2 == k % 2 == 0),
    ),
    "lam < 0, l, r and k odd": _balance(
        "lam < 0, l, r and k odd",
        lambda of, l, r, k: of.eigenvalue < 0 and l % 2 == r % 2 == k % 2 == 1,
    ),
    "lam < 0, l and r odd, k even": _balance(
        "lam < 0, l and r odd, k even",
        lambda of, l, r, k: of.eigenvalue < 0 and l % 2 == r % 2 == 1 and k % 2 == 0,
    ),
    "lam < 0, l and r even, k odd: k + 1": _balance(
        "lam < 0, l and r even, k odd",
        lambda of, l, r, k: of.eigenvalue < 0 and l % 2 == r % 2 == 0 and k % 2 == 1,
        farther=1,
    ),
}


def mechanisms(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b of one to four records and a data-independent mechanism, randomised or
    not; X_p is seldom released.
    """
    of, (n, p) = any_chain(draws), place(draws, 4)
    return {"of": of, "p": p, "r": independent_of_data(draws, n, p, hidden=draws.below(8) < 7)}


def two_sided_mechanisms(draws: Draws) -> dict[str, Any]:
    """A data-independent mechanism on three or four records that redacts all between two distances,
    seldom not X_p, and releases the records there, randomised or not; a <= b.
    """
    of, n = any_chain(draws), draws.among([4, 4, 4, 3])
    p = 2 + draws.below(n - 2)
    left, right = 1 + draws.below(p - 1), 1 + draws.below(n - p)
    r = [*independent_of_data(draws, n, p, hidden=draws.below(8) < 7)]
    for t in range(1, n + 1):
        if t != p and p - left < t < p + right:
            r[t - 1] = ALWAYS
        if t in (p - left, p + right):
            r[t - 1] = draws.among([(ZERO, ZERO), (F(1, 2), F(1, 2))])
    return {"of": of, "p": p, "r": r}


def _nearest(p: int, r: Redaction) -> tuple[int | None, int | None]:
    """The distances of the nearest released records left and right of p."""
    left = min((p - t for t in shown(r) if t < p), default=None)
    return left, min((t - p for t in shown(r) if t > p), default=None)


def _closed(of: Chain, p: int, r: Redaction) -> F:
    left, right = _nearest(p, r)
    if left is None or right is None:
        return e1(of, left or right or 1) if left or right else ONE
    if of.eigenvalue >= 0 or (left + right) % 2 == 0:
        return e1(of, left) * e1(of, right)
    ends = [(left, right), (right, left)]
    return max(e1(of, one) * pointwise(of, other, 0) for one, other in ends)


def _sum(of: Chain, p: int, r: Redaction) -> F:
    """The sum of the max-influences, whatever the parity."""
    left, right = _nearest(p, r)
    return (e1(of, left) if left else ONE) * (e1(of, right) if right else ONE)


def _leaks(of: Chain, p: int, r: Redaction) -> F | None:
    return leakage(of, len(r), p, local(r))


def _same_sign(of: Chain, p: int, r: Redaction) -> bool:
    return of.eigenvalue >= 0 or sum(each or 0 for each in _nearest(p, r)) % 2 == 0


def _both(p: int, r: Redaction, **_: Any) -> bool:
    return None not in _nearest(p, r)


HIDDEN: dict[str, Callable[..., bool]] = {REDACTED: lambda p, r, **_: r[p - 1] == ALWAYS}
BOTH_SIDES, PARITY = "records on both sides are released", "lam >= 0 or l + r is even"
LEAKAGE = {
    "both sides, lam >= 0 or l + r even": Statement(
        family=two_sided_mechanisms,
        given={**HIDDEN, BOTH_SIDES: _both, PARITY: _same_sign},
        holds=lambda of, p, r: _leaks(of, p, r) == _sum(of, p, r) == _closed(of, p, r),
        too_strong={
            "99/100 of the sum": lambda of, p, r: at_most(
                _leaks(of, p, r), max(ONE, ALMOST * _sum(of, p, r))
            )
        },
        too_weak=[REDACTED],
    ),
    "both sides, lam < 0 and l + r odd": Statement(
        family=two_sided_mechanisms,
        given={
            BOTH_SIDES: _both,
            "lam < 0 and l + r is odd": lambda of, p, r: not _same_sign(of, p, r),
            **HIDDEN,
        },
        holds=lambda of, p, r: _leaks(of, p, r) == _closed(of, p, r),
        too_strong={"the sum": lambda of, p, r: _leaks(of, p, r) == _sum(of, p, r)},
        too_weak=[REDACTED],
    ),
    "one side": Statement(
        family=mechanisms,
        given={"nothing is released on a side": lambda of, p, r: not _both(p, r), **HIDDEN},
        holds=lambda of, p, r: _leaks(of, p, r) == _closed(of, p, r),
        too_strong={
            "i0 of the distance": lambda of, p, r: (
                _leaks(of, p, r) == pointwise(of, next((d for d in _nearest(p, r) if d), 1), 0)
            )
        },
        too_weak=[REDACTED],
    ),
}


def mechanisms_and_distances(draws: Draws) -> dict[str, Any]:
    """As for the leakage, with a distance D from 1 to 6."""
    return mechanisms(draws) | {"D": chain_and_distance(draws)["D"]}


def _next(of: Chain, p: int, r: Redaction, D: int) -> bool:
    """i1(D+1) <= i0(D), and the two bounds on the leakage for l + r odd."""
    left, right = _nearest(p, r)
    falls = e1(of, D + 1) <= pointwise(of, D, 0)
    if not left or not right or (left + right) % 2 == 0 or r[p - 1] != ALWAYS:
        return falls
    bounds = e1(of, left) * e1(of, right + 1), e1(of, left + 1) * e1(of, right)
    return falls and at_most(max(bounds), _leaks(of, p, r))


IS_NEGATIVE: dict[str, Callable[..., bool]] = {NEGATIVE: lambda of, **_: of.eigenvalue < 0}
IS_NOT_NEGATIVE: dict[str, Callable[..., bool]] = {NOT_NEGATIVE: lambda of, **_: of.eigenvalue >= 0}
NEXT = Statement(
    family=mechanisms_and_distances,
    given=IS_NEGATIVE,
    holds=_next,
    too_strong={
        "i1(D) <= i0(D)": lambda of, p, r, D: e1(of, D) <= pointwise(of, D, 0),
    },
    too_weak=[NEGATIVE],
)


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
    """As above with four to eight records, two distances and p at most n/2."""
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
    return r[p - 1] == 1 and pattern_leakage(of, *_nearest(p, pairs)) <= R


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
    "first and third case, every lam, p <= n/2": Statement(
        family=levelled,
        given={**IS_FIRST_HALF, **IS_PRIVATE},
        holds=lambda **at: _bounded([0, 1], 1, **at),
        too_strong={"one record more": lambda **at: _bounded([0, 1], 1, more=1, **at)},
        too_weak=[PRIVATE, FIRST_HALF],
    ),
    "lam = 0, p <= n/2": Statement(
        family=levelled,
        given={
            ZERO_SIGN: lambda of, **_: of.eigenvalue == 0,
            **IS_FIRST_HALF,
            **IS_PRIVATE,
        },
        holds=lambda **at: _bounded([0, 1, 2], 1, **at),
        too_strong={"one record more": lambda **at: _bounded([0, 1, 2], 1, more=1, **at)},
        too_weak=[PRIVATE],
    ),
}


def _repaired(sign: dict[str, Callable[..., bool]], slack: int) -> Statement:
    return Statement(
        family=levelled,
        edges=[TWO_SIDED],
        given={**sign, **IS_FIRST_HALF, **IS_PRIVATE},
        holds=lambda **at: _bounded([0, 1, 2], slack, **at),
        too_strong={"one record more": lambda **at: _bounded([0, 1, 2], slack - 1, **at)},
        too_weak=[PRIVATE, FIRST_HALF],
    )


THM2_REPAIRED = {
    NOT_NEGATIVE: _repaired(IS_NOT_NEGATIVE, 2),
    NEGATIVE: _repaired(IS_NEGATIVE, 3),
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
    left, right = _nearest(p, [(each, each) for each in r])
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
            BOTH_SIDES: lambda of, p, r, R: _both(p, [(each, each) for each in r]),
            **IS_PRIVATE,
        },
        holds=lambda **at: bounded(**at, less=slack),
        too_strong={"one record more": lambda **at: bounded(**at, less=slack - 1)},
        too_weak=[PRIVATE],
    )


BELOW, NOT_BOTH = "eps < e0", "eps < e0 + e1"
CASES = {
    "case 0: nu = 0 if eps < e0": Statement(
        family=levelled,
        given={
            **IS_FIRST_HALF,
            BELOW: lambda of, p, r, R: R < _ends(of, p, r)[0],
            **IS_PRIVATE,
        },
        holds=lambda r, **_: sum(r) == len(r),
        too_weak=[BELOW, PRIVATE],
    ),
    "case 1: one side is redacted, and nu <= 1 - (p+D*-1)/n": Statement(
        family=levelled,
        given={
            **IS_FIRST_HALF,
            "e0 <= eps": lambda of, p, r, R: _ends(of, p, r)[0] <= R,
            NOT_BOTH: _below_both,
            **IS_PRIVATE,
        },
        holds=_one_side_redacted,
        too_strong={"one record more": lambda **at: _one_side_redacted(**at, more=1)},
        too_weak=[NOT_BOTH, PRIVATE],
    ),
    "(9) >= (10) iff t_p(eps) >= 0": Statement(
        family=levelled,
        given={POSITIVE_LEVEL: lambda R, **_: R > 1},
        holds=lambda of, p, r, R: _choice(of, p, R, 0),
        too_strong={"t_p(eps) > 0": lambda of, p, r, R: _choice(of, p, R, 1)},
    ),
    "n(1-nu) >= Dl+Dr+1": Statement(
        family=levelled,
        given={REDACTED: lambda of, p, r, R: r[p - 1] == 1},
        holds=lambda of, p, r, R: sum(r) >= sum(_radii(p, r)) + 1,
        too_strong={"one record more": lambda of, p, r, R: sum(r) >= sum(_radii(p, r)) + 2},
    ),
}
CASES_REPAIRED = {
    **CASES,
    "two-sided, lam >= 0": _two_sided(IS_NOT_NEGATIVE, 3),
    "two-sided, lam < 0": _two_sided(IS_NEGATIVE, 4),
}


def _choice(of: Chain, p: int, R: F, least: int) -> bool:
    whole, half = first_distance(of, R), first_distance(of, R, 2)
    return (p + whole - 2 >= 2 * half - 2) == (p + whole - 2 * half >= least)


def one_sided(draws: Draws) -> dict[str, Any]:
    """A chain with a <= b of one to six records, p = 1, a level R > 1 as above, and the distance of
    the nearest released record of a data-independent mechanism, or none.
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
    family=one_sided,
    holds=_least_radius,
    too_strong={"D*(eps_r) - 2": lambda **at: _least_radius(**at, less=1)},
)


def optima(draws: Draws) -> dict[str, Any]:
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
    holds=lambda at: any(_shaped(*each) for each in optimum(at)[1]),
    too_strong={"every optimal pattern": lambda at: all(_shaped(*each) for each in optimum(at)[1])},
    too_weak=[NOT_NEGATIVE, FIRST_HALF],
)
OPTIMUM = {
    "no fewer": Statement(
        family=optima,
        given={**AT_NOT_NEGATIVE, **AT_FIRST_HALF},
        holds=lambda at: optimum(at)[0] >= expected(at),
        too_strong={"one more": lambda at: optimum(at)[0] > expected(at)},
        too_weak=[NOT_NEGATIVE, FIRST_HALF],
    ),
    "attained": Statement(
        family=optima,
        given={**AT_NOT_NEGATIVE, **AT_FIRST_HALF},
        holds=lambda at: optimum(at)[0] <= expected(at),
        too_strong={"one fewer": lambda at: optimum(at)[0] < expected(at)},
    ),
}
