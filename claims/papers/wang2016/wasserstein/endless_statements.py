"""The Wasserstein mechanism for a query with infinitely many values as a program: laws on the whole
numbers from 0 on that end in geometric tails, so that all sums are fractions.
"""

from math import isqrt

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.language.statements.rationals import listed

F = Fraction


def endless(draws: Draws) -> Instance:
    """Two laws of a query, each with up to two whole numbers before a geometric tail with one ratio
    of 1/2 or 1/3 (in one of eight draws two ratios) from 0, 1 or 2 on; the root t of noise, e^-eps
    = t^W, and a released number, whole or half.
    """
    ratio = draws.rate([F(1, 2), F(1, 3)])
    other = ratio if draws.below(8) < 7 else F(1, 2) + F(1, 3) - ratio
    return {
        "laws": [_law(draws, each) for each in (ratio, other)],
        "t": draws.either(listed("4/9 9/16 1/4"), listed("1/100 81/100")),
        "w": F(draws.below(12) - 2, 2),
    }


def _law(draws: Draws, ratio: F) -> tuple[list[F], F]:
    """The probabilities of 0, 1, .. up to that from which each is the one before times a ratio."""
    head = [F(draws.below(3)) for _ in range(draws.below(3))] + [F(1 + draws.below(2))]
    total = sum(head[:-1], ZERO) + head[-1] / (1 - ratio)
    return [each / total for each in head], ratio


def _probability(law: tuple[list[F], F], j: int) -> F:
    head, ratio = law
    if j < 0:
        return ZERO
    return head[j] if j < len(head) else head[-1] * ratio ** (j - len(head) + 1)


def _above(law: tuple[list[F], F], j: int) -> F:
    """The probability of more than j."""
    return 1 - sum((_probability(law, i) for i in range(j + 1)), ZERO)


def _distance(first: tuple[list[F], F], second: tuple[list[F], F]) -> int | None:
    """W_inf, the essential supremum: the least W with P(F > j + W) <= Q(F > j) and the converse for
    all j. From a number on both sides fall alike, if tails have one ratio; else there is none.
    """
    if first[1] != second[1]:
        return None
    for W in range(8):
        pairs = [(first, second), (second, first)]
        if all(_above(p, j + W) <= _above(q, j) for p, q in pairs for j in range(-1, 5)):
            return W
    return None


def _density(law: tuple[list[F], F], t: F, w: F) -> F:
    """The sum of P(F = j) t^|w - j| over all j: a geometric series from the tail on, beyond w."""
    last = max(len(law[0]), int(w) + 1, 0)
    found = sum((_probability(law, j) * _power(t, abs(w - j)) for j in range(last)), ZERO)
    return found + _probability(law, last) * _power(t, last - w) / (1 - law[1] * t)


def _power(t: F, distance: F) -> F:
    """t to a multiple of 1/2: t is a square."""
    twice = int(2 * distance)
    return F(isqrt(t.numerator), isqrt(t.denominator)) ** twice


def _keeps(laws: list[tuple[list[F], F]], t: F, w: F, less: int = 0, factor: F = ONE) -> bool:
    """Whether the densities at w keep e^eps = t^(-W), in both orders."""
    W = _distance(*laws)
    if W is None:
        return False
    bound = factor / t ** max(0, W - less)
    p, q = (_density(law, t, w) for law in laws)
    return p <= bound * q and q <= bound * p


FINITE = "W is finite"
ENDLESS = Statement(
    family=endless,
    computed=["t"],
    given={FINITE: lambda laws, **_: _distance(*laws) is not None},
    holds=_keeps,
    too_strong={"W - 1": {"less": 1}, "99/100 of e^eps": {"factor": ALMOST}},
    too_weak=[FINITE],
)
