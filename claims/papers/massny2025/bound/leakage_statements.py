"""The leakage of data-independent mechanisms as programs: its closed form, and how it falls when
the two nearest released records are balanced. Leakage is evaluated by enumeration.
"""

from collections.abc import Callable

from pufferproof.claims.language.instances.laws import ONE, ZERO, at_most
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.massny2025.influence.families import (
    IS_ORDERED,
    ORDERED,
    STEEP,
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
    leakage,
    local,
    pointwise,
)

F = Fraction
NOT_NEGATIVE, NEGATIVE = "lam >= 0", "lam < 0"
REDACTED = "X_p is redacted"


def distances(draws: Draws) -> Instance:
    """A chain with a <= b and distances l, r from 1 to 7 with l + r even, in either order."""
    l, k = 1 + draws.below(4), 1 + draws.below(4)
    k = max(k, (l + 1) // 2 + (l % 2 == 0))
    pair = (l, 2 * k - l) if draws.whether() else (2 * k - l, l)
    return {"of": any_chain(draws), "l": pair[0], "r": pair[1], "k": k}


def _balanced(of: Chain, l: int, r: int, k: int, farther: int = 0, strictly: bool = False) -> bool:
    left, right = e1(of, l) * e1(of, r), e1(of, k + farther) ** 2
    return left > right if strictly else left >= right


def _balance(
    words: str, given: Callable[..., bool], farther: int = 0, **falling: object
) -> Statement:
    """Where an instance with a > b is given, a <= b is needed."""
    return Statement(
        family=distances,
        edges=[falling] if falling else [],
        given={words: given, **IS_ORDERED},
        holds=lambda one_record_nearer=False, **at: (
            (_balanced(**at, farther=farther) and _balanced(**at, farther=1))
            and (
                not one_record_nearer
                or (
                    _balanced(**at, farther=farther - 1)
                    if at["k"] + farther > 1
                    else _balanced(**at, farther=farther, strictly=True)
                )
            )
        ),
        too_strong={"one record nearer": {"one_record_nearer": True}},
        too_weak=[ORDERED] if falling else [],
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
        of=STEEP,
        l=3,
        r=1,
        k=2,
    ),
    "lam < 0, l and r even, k odd: k + 1": _balance(
        "lam < 0, l and r even, k odd",
        lambda of, l, r, k: of.eigenvalue < 0 and l % 2 == r % 2 == 0 and k % 2 == 1,
        farther=1,
    ),
}


def mechanisms(draws: Draws) -> Instance:
    """A chain with a <= b of one to four records and a data-independent mechanism, randomised or
    not; X_p is seldom released.
    """
    of, (n, p) = any_chain(draws), place(draws, 4)
    return {"of": of, "p": p, "r": independent_of_data(draws, n, p, hidden=draws.below(8) < 7)}


def two_sided_mechanisms(draws: Draws) -> Instance:
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


def nearest(p: int, r: Redaction) -> tuple[int | None, int | None]:
    """The distances of the nearest released records left and right of p."""
    left = min((p - t for t in shown(r) if t < p), default=None)
    return left, min((t - p for t in shown(r) if t > p), default=None)


def _closed(of: Chain, p: int, r: Redaction) -> F:
    left, right = nearest(p, r)
    if left is None or right is None:
        return e1(of, left or right or 1) if left or right else ONE
    if of.eigenvalue >= 0 or (left + right) % 2 == 0:
        return e1(of, left) * e1(of, right)
    ends = [(left, right), (right, left)]
    return max(e1(of, one) * pointwise(of, other, 0) for one, other in ends)


def _sum(of: Chain, p: int, r: Redaction) -> F:
    """The sum of the max-influences, whatever the parity."""
    left, right = nearest(p, r)
    return (e1(of, left) if left else ONE) * (e1(of, right) if right else ONE)


def _leaks(of: Chain, p: int, r: Redaction) -> F | None:
    return leakage(of, len(r), p, local(r))


def _same_sign(of: Chain, p: int, r: Redaction) -> bool:
    return of.eigenvalue >= 0 or sum(each or 0 for each in nearest(p, r)) % 2 == 0


def on_both_sides(p: int, r: Redaction, **_: object) -> bool:
    return None not in nearest(p, r)


HIDDEN: dict[str, Callable[..., bool]] = {REDACTED: lambda p, r, **_: r[p - 1] == ALWAYS}
BOTH_SIDES, PARITY = "records on both sides are released", "lam >= 0 or l + r is even"


def mechanisms_and_distances(draws: Draws) -> Instance:
    """A chain with a <= b of one to four records and a data-independent mechanism, randomised or
    not, where X_p is seldom released; a distance D from 1 to 6.
    """
    return mechanisms(draws) | {"D": chain_and_distance(draws)["D"]}


def _next(of: Chain, p: int, r: Redaction, D: int) -> bool:
    """i1(D+1) <= i0(D), and the two bounds on the leakage for l + r odd."""
    left, right = nearest(p, r)
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
    holds=lambda of, p, r, D, other=False: (
        _next(of, p, r, D) and (not other or (e1(of, D) <= pointwise(of, D, 0)))
    ),
    too_strong={"i1(D) <= i0(D)": {"other": True}},
    too_weak=[NEGATIVE],
)
