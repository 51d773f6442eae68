"""What noise leaves above a level, as programs: the integral between two values by sums from below
and above, and zeros counted by Sturm's theorem.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
PIECES = 40
DIGITS = 10**20
SMALL = F(1, 10**12)


def one_step(draws: Draws) -> Instance:
    """Numbers x and y from 0 to 3 in halves, two signs and a decay t from 1/4 to 3/4: A = x^2 and B
    = y^2/t, with these signs, or the two exchanged, so that the root is a fraction.
    """
    t = draws.rate([F(1, 2), F(1, 4), F(3, 4), F(1, 3)])
    A, B = (F(draws.below(7), 2) ** 2 * draws.among([1, -1]) for _ in range(2))
    return {"t": t, **({"A": A, "B": B / t} if draws.whether() else {"A": B / t, "B": A})}


def _root(x: F) -> F:
    """Return the root of a fraction, rounded down to twenty digits where it is none."""
    return F(isqrt(x.numerator * x.denominator * DIGITS**2), x.denominator * DIGITS)


def _closed(A: F, B: F, t: F, crossing: int = 2) -> F:
    """Twice the integral between two values, by its cases."""
    above, below = max(A, B), -min(A, B)
    if below <= above * t:
        return (A + B) * (1 - t)
    if above <= below * t:
        return ZERO
    return above + below * t - crossing * _root(above * below * t)


def _integral(A: F, B: F, t: F, factor: F = ONE, crossing: int = 2) -> bool:
    """Whether this is between sums of the positive part of A t/s^2 + B, s from t to 1, which is
    monotone in s: with s = e^(-rho y), twice h dy is as much ds.
    """
    if not 0 < t < 1:
        return False
    width = (1 - t) / PIECES
    parts = [max(ZERO, A * t / (t + k * width) ** 2 + B) for k in range(PIECES + 1)]
    ends = sorted([sum(parts[1:], ZERO) * width, sum(parts[:-1], ZERO) * width])
    return ends[0] <= factor * _closed(A, B, t, crossing) <= ends[1]


STEP = Statement(
    family=one_step,
    holds=_integral,
    too_strong={"half of it": {"factor": F(1, 2)}, "the root once": {"crossing": 1}},
    always="the integral is what it is",
)


def two_steps(draws: Draws) -> Instance:
    """A step as above, and one with A and B more by 0, 1 or 2, and t less by 0 or a quarter."""
    drawn = one_step(draws)
    return {
        **drawn,
        "A_more": F(draws.below(3)),
        "B_more": F(draws.below(3)),
        "t_less": draws.among([ZERO, drawn["t"] / 4]),
    }


def _rises(A: F, B: F, t: F, A_more: F, B_more: F, t_less: F, strictly: bool = False) -> bool:
    one, two = _closed(A, B, t), _closed(A + A_more, B + B_more, t - t_less)
    return one < two - SMALL if strictly else one <= two + SMALL


NO_LESS = "A and B do not fall, and t does not grow"
MONOTONE = Statement(
    family=two_steps,
    given={
        NO_LESS: lambda A, B, t, A_more, B_more, t_less: (
            min(A_more, B_more, t_less) >= 0 < t - t_less
        )
    },
    holds=_rises,
    too_strong={"strictly": {"strictly": True}},
    too_weak=[NO_LESS],
    edges=[
        {"A": F(4), "B": F(-2), "t": F(1, 2), "A_more": F(-1), "B_more": ZERO, "t_less": ZERO},
        {"A": F(4), "B": F(-2), "t": F(1, 4), "A_more": ZERO, "B_more": ZERO, "t_less": F(-1, 4)},
    ],
)


def sums_of_bells(draws: Draws) -> Instance:
    """Coefficients from -4 to 4 of up to six values 0, 1, .. in any unit, zeros often, and e^(-1/2
    sigma^2) as 1/2, 2/3 or 9/10; in the variable z = e^(w/sigma^2) the sum is a polynomial, up to a
    factor.
    """
    signs = [draws.among([0, 1, -1]) for _ in range(1 + draws.below(6))]
    return {
        "c": [s * F(1 + draws.below(8), 2) for s in signs],
        "root": draws.rate([F(1, 2), F(2, 3), F(9, 10)]),
    }


def _changes(numbers: Sequence[F]) -> int:
    known = [x > 0 for x in numbers if x]
    return sum(x != y for x, y in pairwise(known))


def _without_ends(p: Sequence[F]) -> list[F]:
    """Return the coefficients of a polynomial, from the lowest, without zeros at either end."""
    known = [n for n, x in enumerate(p) if x]
    return [*p[known[0] : known[-1] + 1]] if known else []


def _rest(p: list[F], q: list[F]) -> list[F]:
    """Return the remainder of a division of polynomials, its leading zeros left out."""
    left = [*p]
    while len(left) >= len(q):
        quotient, shift = left[-1] / q[-1], len(left) - len(q)
        for n, x in enumerate(q):
            left[shift + n] -= quotient * x
        left.pop()
    while left and not left[-1]:
        left.pop()
    return left


def _positive_roots(p: Sequence[F]) -> int | None:
    """Count positive roots by Sturm's theorem; None if every number is one."""
    chain = [_without_ends(p)]
    if not chain[0]:
        return None
    following = [n * x for n, x in enumerate(chain[0])][1:]
    while following:
        chain.append(following)
        following = [-x for x in _rest(chain[-2], chain[-1])]
    return _changes([q[0] for q in chain]) - _changes([q[-1] for q in chain])


def _few_zeros(c: Sequence[F], root: F, less: int = 0, exactly: bool = False) -> bool:
    """Whether the sum of c_n e^(-(w - n)^2 / 2 sigma^2) has so few real zeros."""
    zeros = _positive_roots([x * root ** (n * n) for n, x in enumerate(c)])
    if zeros is None:
        return False
    return zeros == _changes(c) if exactly else zeros <= _changes(c) - less


SOME = "not all coefficients are 0"
ZEROS = Statement(
    family=sums_of_bells,
    given={SOME: lambda c, root: any(c)},
    holds=_few_zeros,
    too_strong={"one less": {"less": 1}, "just as many": {"exactly": True}},
    too_weak=[SOME],
)
