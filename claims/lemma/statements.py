"""The library lemmas as programs over short lists of small fractions."""

from itertools import product
from math import prod

from pufferproof.claims.language.instances.laws import ALMOST, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.language.statements.rationals import listed

SIGNED = listed("0 1 -1 2 1/2 -1/2 -3 3")
F = Fraction
ONE = Fraction(1)


def signed(draws: Draws, size: int) -> list[F]:
    """Draw numbers of any sign."""
    return [draws.among(SIGNED) for _ in range(size)]


def weights(draws: Draws, size: int) -> list[F]:
    """Draw numbers that are not negative."""
    return [abs(each) for each in signed(draws, size)]


def matrices(draws: Draws) -> Instance:
    """A matrix r of one to three rows and columns, with numbers m and k for its rows and columns,
    all of any sign, zeros and ties often.
    """
    rows, columns = 1 + draws.below(3), 1 + draws.below(3)
    return {
        "m": signed(draws, rows),
        "k": signed(draws, columns),
        "r": [signed(draws, columns) for _ in range(rows)],
    }


def _by_rows(m: list[F], k: list[F], r: list[list[F]]) -> F:
    return dot(m, [dot(row, k) for row in r])


def _by_columns(m: list[F], k: list[F], r: list[list[F]]) -> F:
    return dot(k, [dot(m, [row[y] for row in r]) for y in range(len(k))])


FINITE_SUMS = Statement(
    family=matrices,
    holds=lambda m, k, r, without_last_row=False: (
        _by_rows(m, k, r)
        == _by_columns((m[:-1] if without_last_row else m), k, (r[:-1] if without_last_row else r))
    ),
    always="finite sums of any numbers may be exchanged",
    too_strong={"without the last row": {"without_last_row": True}},
)


def powers_and_factors(draws: Draws) -> Instance:
    """A number r of any sign, n from 0 to 5, d from 0 to 2 and n factors, often exactly 1 - d, in
    one of eight cases smaller.
    """
    n, r, d = draws.below(6), draws.among(SIGNED), F(draws.below(5), draws.among([4, 2]))
    less = F(draws.below(8) // 7, 4)
    factors = [1 - d - less + F(draws.below(4), 4) for _ in range(n)]
    return {"n": n, "r": r, "d": d, "factors": factors}


def _bernoulli(n: int, r: F, d: F, factors: list[F], more: int = 0) -> bool:
    return r**n >= 1 + (n + more) * (r - 1) and prod(factors, start=F(1)) >= max(F(0), 1 - n * d)


BERNOULLI = Statement(
    family=powers_and_factors,
    given={
        "r >= 0": lambda n, r, d, factors: r >= 0,
        "0 <= d <= 1": lambda n, r, d, factors: 0 <= d <= 1,
        "every factor is at least 1 - d": lambda n, r, d, factors: all(
            each >= 1 - d for each in factors
        ),
    },
    holds=_bernoulli,
    too_strong={"slope n + 1": {"more": 1}},
    too_weak=["r >= 0", "0 <= d <= 1", "every factor is at least 1 - d"],
)


def counted_numbers(draws: Draws) -> Instance:
    """One to three numbers x >= 0, zeros and ties often, each with a count k of 1 to 3."""
    size = 1 + draws.below(3)
    return {"x": weights(draws, size), "k": [1 + draws.below(3) for _ in range(size)]}


def _product(x: list[F], k: list[int]) -> F:
    return prod((each**count for each, count in zip(x, k)), start=F(1))


def _below_mean(x: list[F], k: list[int], factor: F = ONE) -> bool:
    total = sum(k)
    mean = sum((count * each for each, count in zip(x, k)), F(0)) / total
    return _product(x, k) <= (factor * mean) ** total


AM_GM = Statement(
    family=counted_numbers, holds=_below_mean, too_strong={"9/10 of the mean": {"factor": F(9, 10)}}
)


def counted_sequences(draws: Draws) -> Instance:
    """One or two sequences a_j of length 1 to 3, with counts k_j of 1 or 2, whose entries are
    N-th powers of fractions, so that every c_i is a fraction.
    """
    number, length = 1 + draws.below(2), 1 + draws.below(3)
    k = [1 + draws.below(2) for _ in range(number)]
    roots = [weights(draws, length) for _ in range(number)]
    return {"k": k, "roots": roots}


def _hoelder(k: list[int], roots: list[list[F]], factor: F = ONE) -> bool:
    total, length = sum(k), len(roots[0])
    c = [_product([each[i] for each in roots], k) for i in range(length)]
    sums = [sum((each**total for each in row), F(0)) for row in roots]
    return sum(c, F(0)) ** total <= factor * _product(sums, k)


HOELDER = Statement(
    family=counted_sequences,
    holds=_hoelder,
    too_strong={"99/100 of the product": {"factor": ALMOST}},
)


def stepwise_laws(draws: Draws) -> Instance:
    """Two laws of one to three bits, by conditional laws with zeros and ties, so that events are
    impossible under one of them; R_k is the least bound, or that and a quarter.
    """
    size = 1 + draws.below(3)
    histories = [each for n in range(size) for each in product((0, 1), repeat=n)]
    p = {each: draws.law(2, 3) for each in histories}
    q = {each: draws.law(2, 3) for each in histories}
    return {"p": p, "q": q, "more": F(draws.below(2), 4)}


def _joint(steps: dict[tuple[int, ...], list[F]], y: tuple[int, ...]) -> F:
    return prod((steps[y[:n]][y[n]] for n in range(len(y))), start=F(1))


def _bounds(p: dict[tuple[int, ...], list[F]], q: dict[tuple[int, ...], list[F]]) -> list[F] | None:
    """The least R_k that the hypotheses allow, or None if there is none."""
    bounds = []
    for n in range(max(map(len, p)) + 1):
        least = F(0)
        for y in product((0, 1), repeat=n + 1):
            a, b = p[y[:n]][y[n]], q[y[:n]][y[n]]
            if _joint(p, y[:n]) and _joint(q, y[:n]) and a:
                if not b:
                    return None
                least = max(least, a / b)
        bounds.append(least)
    return bounds


def _multiplied(
    p: dict[tuple[int, ...], list[F]], q: dict[tuple[int, ...], list[F]], more: F, factor: F = ONE
) -> bool:
    bound = factor * prod((each + more for each in _bounds(p, q) or []), start=F(1))
    outcomes = product((0, 1), repeat=max(map(len, p)) + 1)
    return all(_joint(p, y) <= bound * _joint(q, y) for y in outcomes)


CHAIN_RULE = Statement(
    family=stepwise_laws,
    given={
        "conditional probabilities have finite ratios": lambda p, q, more: _bounds(p, q) is not None
    },
    holds=_multiplied,
    too_strong={"99/100 of the bound": {"factor": ALMOST}},
    too_weak=["conditional probabilities have finite ratios"],
)


def processed_laws(draws: Draws) -> Instance:
    """Two laws on one to three outputs, with zeros and ties, and a stochastic matrix K to one or
    two outputs, or one with entries of any sign; R is the least ratio, or 1, or a half more.
    """
    size = 1 + draws.below(3)
    p, q = draws.law(size), draws.law(size)
    width = 1 + draws.below(2)
    rows = [signed(draws, width) if draws.below(5) == 4 else draws.law(width) for _ in range(size)]
    return {"P": p, "Q": q, "K": rows, "R": _least(p, q) + F(draws.below(2), 2)}


def _least(p: list[F], q: list[F]) -> F:
    return max([F(1), *(a / b for a, b in zip(p, q) if b)])


def _processed(P: list[F], Q: list[F], K: list[list[F]], R: F) -> bool:
    columns = [[row[z] for row in K] for z in range(len(K[0]))]
    return all(dot(each, P) <= R * dot(each, Q) for each in columns)


DATA_PROCESSING = Statement(
    family=processed_laws,
    given={
        "P(y) <= R Q(y)": lambda P, Q, K, R: all(a <= R * b for a, b in zip(P, Q)),
        "K(z|y) >= 0": lambda P, Q, K, R: all(min(row) >= 0 for row in K),
    },
    holds=_processed,
    too_strong={
        "99/100 of R": lambda R, **_: {"R": ALMOST * R},
        "at R - 1/2": lambda R, **_: {"R": R - F(1, 2)},
    },
    too_weak=["P(y) <= R Q(y)", "K(z|y) >= 0"],
)
