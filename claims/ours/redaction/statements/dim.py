"""Statements on data-independent mechanisms: the least number of redacted records, and how far the
printed bound is from it.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product

from pufferproof.claims.language.instances.laws import HALF, ONE, ZERO, at_most
from pufferproof.claims.language.instances.redaction import (
    HIDDEN,
    ORDERED,
    SHOWN,
    Bits,
    bits,
    is_ordered,
    leakage,
    pointwise,
    reached,
    stationary,
    stepped,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


@cache
def _pair(of: Bits, l: int, r: int) -> F:
    """e^Lk about X_p of two released records at distances l and r on its sides."""
    best = ONE
    for u, v in product((0, 1), repeat=2):
        zero, one = (stepped(of, l)[x][u] * stepped(of, r)[x][v] for x in (0, 1))
        best = max(best, zero / one, one / zero)
    return best


def distances(draws: Draws) -> Instance:
    """A stationary chain of bits, mostly a <= b, a negative eigenvalue at seven of eight, k of 2 to
    5, and a distance l below 2k.
    """
    of, k = bits(draws, "-------+"), 2 + draws.below(4)
    return {"of": of, "k": k, "l": 1 + draws.below(2 * k - 2)}


def _odd(of: Bits, k: int, l: int, share: F = ONE) -> bool:
    return _pair(of, l, 2 * k - 1 - l) >= _pair(of, k - 1, k) * share


NEGATIVE = "lam < 0"
ODD_PAIRS = Statement(
    family=distances,
    given={ORDERED: is_ordered, NEGATIVE: lambda of, k, l: sum(of) > 1},
    holds=_odd,
    too_strong={"101/100 of it": {"share": F(101, 100)}},
)


def _even(of: Bits, k: int, l: int, strictly: bool = False) -> bool:
    one, best = _pair(of, l, 2 * k - l), _pair(of, k - 1, k + 1)
    return one > best if strictly else one >= best


EVEN, THIRD = "l is even", "k is odd"
EVEN_PAIRS = Statement(
    family=distances,
    given={
        ORDERED: is_ordered,
        NEGATIVE: lambda of, k, l: sum(of) > 1,
        EVEN: lambda of, k, l: l % 2 == 0,
        THIRD: lambda of, k, l: k % 2 == 1,
    },
    holds=_even,
    too_strong={"strictly more": {"strictly": True}},
    too_weak=[THIRD],
)


def independent(draws: Draws) -> Instance:
    """A stationary chain of one to five bits, mostly a <= b, any eigenvalue, a private record,
    mostly p <= (n + 1)/2, a data-independent mechanism that redacts it, and its level, or a little
    more; 11/10 where it leaks nothing.
    """
    of, n = bits(draws, "+--0"), 1 + draws.below(5)
    p = 1 + draws.below((n + 1) // 2 if draws.below(8) < 7 else n)
    chances = [ONE if t == p else draws.among([ONE, ZERO, ONE, HALF]) for t in range(1, n + 1)]
    least = leakage(_law(of, n), [[r, r] for r in chances], [p]) or ONE
    R = least * draws.among([ONE, ONE, F(101, 100)])
    return {"of": of, "p": p, "chances": chances, "R": R if R > 1 else F(11, 10)}


_law = cache(stationary)
NEARER = "p <= (n+1)/2"


def _nearer(p: int, chances: Sequence[F], **_: object) -> bool:
    return 2 * p <= len(chances) + 1


def _i(of: Bits, D: int, value: int = 1) -> F:
    """e^i of a value, as large as no level for D = 0."""
    return pointwise(of, D, value) or F(10**30)


def _smaller(of: Bits, H: int, R: F) -> int:
    """Return Z."""
    if sum(of) <= 1:
        return int(H >= 2 and _i(of, H - 1) * _i(of, H) <= R)
    if H >= 4 and H % 2 == 0 and _i(of, H - 2) * _i(of, H) <= R:
        return 2
    both = _i(of, H - 1) * _i(of, H, 0), _i(of, H - 1, 0) * _i(of, H)
    return int(H >= 2 and max(both) <= R)


def _case(of: Bits, n: int, p: int, R: F) -> int:
    if R < _i(of, n - p):
        return 1
    return 2 if p > 1 and R >= _i(of, p - 1) * _i(of, n - p) else 3


def _number(of: Bits, n: int, p: int, R: F, printed: bool = False) -> int:
    """Return the least number of redacted records as stated, or the printed bound, Z = 0."""
    case, H = _case(of, n, p, R), reached(of, 1, R, power=2)
    if case == 1:
        return n
    R1 = reached(of, 1, R) + p - 1
    Z = 0 if printed else _smaller(of, H, R)
    return min(R1, 2 * H - 1 - Z) if case == 2 else R1


@cache
def _least(of: Bits, n: int, p: int, R: F) -> int:
    """The least number of redacted records of all choices of released ones."""
    least, law = n, _law(of, n)
    for kept in product((False, True), repeat=n):
        rows = [SHOWN if each else HIDDEN for each in kept]
        if n - sum(kept) < least and not kept[p - 1] and at_most(leakage(law, rows, [p]), R):
            least = n - sum(kept)
    return least


def _no_fewer(of: Bits, p: int, chances: Sequence[F], R: F, printed: bool = False) -> bool:
    rows = [[r, r] for r in chances]
    kept = at_most(leakage(_law(of, len(rows)), rows, [p]), R)
    return not kept or sum(chances, ZERO) >= _number(of, len(rows), p, R, printed)


def _wide() -> Instance:
    """a = 4/5, b = 14/15: the records at distances 2 and 4 leak less than those at 3 and 3."""
    of, p, n = (F(4, 5), F(14, 15)), 4, 8
    chances = [ZERO if t - p in (-3, -2, 4) else ONE for t in range(1, n + 1)]
    return {"of": of, "p": p, "chances": chances, "R": _pair(of, 2, 4)}


NOT_NEGATIVE = "lam >= 0"
NO_FEWER = Statement(
    family=independent,
    given={
        ORDERED: is_ordered,
        NEARER: _nearer,
        NOT_NEGATIVE: lambda of, p, chances, R: sum(of) <= 1,
    },
    holds=_no_fewer,
    too_strong={"with Z = 0": {"printed": True}},
    too_weak=[NEARER],
)
NO_FEWER_NEGATIVE = Statement(
    family=independent,
    edges=[_wide()],
    given={ORDERED: is_ordered, NEARER: _nearer, NEGATIVE: lambda of, p, chances, R: sum(of) > 1},
    holds=_no_fewer,
    too_strong={"with Z = 0": {"printed": True}},
    too_weak=[NEARER],
)


def _attained(of: Bits, p: int, chances: Sequence[F], R: F, fewer: int = 0) -> bool:
    n = len(chances)
    return _least(of, n, p, R) <= _number(of, n, p, R) - fewer


DIM_ATTAINED = Statement(
    family=independent,
    given={ORDERED: is_ordered, NEARER: _nearer},
    edges=[_wide()],
    holds=_attained,
    too_strong={"one fewer": {"fewer": 1}},
    too_weak=[ORDERED],
)
