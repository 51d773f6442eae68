"""Statements on the programs for q of one side: the published one, and two that keep more of it.

Where exponents are weights, q are powers of 1/2, and numbers are compared with 2^s, s a fraction.
"""

from collections.abc import Sequence
from math import prod

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.instances.redaction import (
    ORDERED,
    Bits,
    bits,
    is_ordered,
    pointwise,
    regions,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.ours.redaction.statements.sides import SEVERAL

F = Fraction


def heights(of: Bits, n: int, R: F) -> list[F]:
    """Return e^f_k, f_k = budget - delta_k, for the records of M."""
    split = regions(of, n, 1, R, R)
    found = []
    for t, letter in enumerate(split, 1):
        if letter == "M":
            value = 1 if split[t : t + 1] == "S" else 0
            found.append(R / ((pointwise(of, t, value) or ONE) if t < n else ONE))
    return found


def program(draws: Draws) -> Instance:
    """A stationary chain of three to eight bits, mostly a <= b, often with few ones, lam > 0, p =
    1, and a budget at or above an influence.
    """
    of, n = bits(draws, "+"), 3 + draws.below(6)
    of = of[0] / draws.among([1, 1, 10, 100]), of[1]
    D = 1 + draws.below(n - 1)
    R = (pointwise(of, D, 0) or ONE) * draws.among([ONE, F(5, 4), F(101, 100), F(2), F(4)])
    return {"of": of, "n": n, "R": R, "part": F(draws.below(5), 4), "D": D}


def _root(x: F, power: int) -> F:
    """A fraction of at least x^(1/power), by at most 10^-6."""
    low, high = 0, 10**6
    while low < high:
        middle = (low + high) // 2
        if F(middle, 10**6) ** power >= x:
            high = middle
        else:
            low = middle + 1
    return F(low, 10**6)


def _candidate(f: Sequence[F], part: F) -> list[F] | None:
    """q_1 = .. = q_(N-1) a little above a share of the way from the two-value optimum to 1, q_N as
    small as the last constraint allows; None if it is not feasible.
    """
    N = len(f)
    start = max(_root(1 / f[k - 1], k) for k in range(1, N))
    first = start + part * (1 - start) / 2
    q = [first] * (N - 1) + [min(ONE, max(F(1, 10**9), 1 / (f[-1] * first ** (N - 1))))]
    return q if _allowed(f, q) else None


def _allowed(f: Sequence[F], q: Sequence[F]) -> bool:
    return all(f[k - 1] * prod(q[:k], start=ONE) >= 1 for k in range(1, len(f) + 1))


def _flat(f: Sequence[F]) -> bool:
    """f_N/N <= f_(N-1)/(N-1)."""
    return f[-1] ** (len(f) - 1) <= f[-2] ** len(f)


def _stated(f: Sequence[F], flat: bool) -> bool:
    """Whether the q stated is feasible: powers of roots are compared as powers."""
    N = len(f)
    last = N if flat else N - 1
    constraints = all(f[k - 1] ** last >= f[last - 1] ** k for k in range(1, last + 1))
    falls = flat or (f[-2] / f[-1]) ** (N - 1) * f[-2] < 1
    return constraints and falls


def _at_least(f: Sequence[F], q: Sequence[F], flat: bool) -> bool:
    """Whether the sum of q is at least that of the q stated."""
    N, total = len(f), sum(q, ZERO)
    if flat:
        return (total / N) ** N * f[-1] >= 1
    rest = total - f[-2] / f[-1]
    return rest > 0 and (rest / (N - 1)) ** (N - 1) * f[-2] >= 1


def _two_values(of: Bits, n: int, R: F, part: F, D: int, always: bool = False) -> bool:
    f = heights(of, n, R)
    N, flat, q = len(f), always or _flat(f), _candidate(f, part)
    slopes = all(f[k - 1] ** (k + 1) >= f[k] ** k for k in range(1, N - 1))
    constant = max(_root(1 / f[k - 1], k) for k in range(1, N + 1))
    others = [each for each in (q, [constant] * N) if each is not None]
    optimal = all(_at_least(f, each, flat) for each in others)
    return slopes and optimal and _stated(f, flat)


def _several(of: Bits, n: int, R: F, part: F, D: int) -> bool:
    return len(heights(of, n, R)) >= 2


TWO_VALUES = Statement(
    family=program,
    given={ORDERED: is_ordered, SEVERAL: _several},
    holds=_two_values,
    too_strong={"the constant, always": {"always": True}},
)
