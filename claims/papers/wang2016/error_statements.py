"""Statements on the error of released histograms as programs: moments of noise term by term, and
the scale of Algorithm 1 by trying every quilt.

Powers of e are rational here, as in `quilts/instances.py`; the integral of z^m e^(-z/c)/c over
z >= 0 is m! c^m.
"""

from collections.abc import Mapping, Sequence
from itertools import product
from math import factorial, prod

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement
from pufferproof.claims.papers.wang2016.quilts.instances import Chain, Score, least_score

F = Fraction
GAPS = [F(1, 2), F(1, 4), F(3, 4), F(1, 10), F(2, 3)]
MASSES = [F(1, 2), F(1, 3), F(1, 10), F(1, 4)]
LEVELS = [F(5, 4), F(3), F(9), F(40), F(400)]


def noisy_runs(draws: Draws) -> Instance:
    """k from 1 to 3, T from 1 to 9, sigma_max from 1/2 to 4, and one or two runs; coordinates and
    runs have noise of their own, or in one of four draws all have the same.
    """
    return {
        "k": 1 + draws.below(3),
        "T": 1 + draws.below(9),
        "sigma": F(1 + draws.below(8), 2),
        "runs": 1 + draws.below(2),
        "own": draws.below(4) < 3,
    }


def _moments(scale: F, count: int, own: bool) -> tuple[F, F]:
    """Mean and second moment of the sum of |noise| over some coordinates, multiplied out."""

    def expected(chosen: Sequence[int]) -> F:
        powers = [chosen.count(each) for each in set(chosen)] if own else [len(chosen)]
        return prod((factorial(m) * scale**m for m in powers), start=ONE)

    return tuple(  # type: ignore[return-value]
        sum((expected(each) for each in product(range(count), repeat=m)), ZERO) for m in (1, 2)
    )


def _error(k: int, T: int, sigma: F, runs: int, own: bool, factor: F = ONE) -> bool:
    """Whether mean and variance of one run are as stated, and the mean of the runs has the variance
    of one over their number.
    """
    scale = 2 * sigma / T
    mean, square = _moments(scale, k, own)
    total, total_square = _moments(scale, k * runs, own)
    over_runs = (total_square - total**2) / runs**2
    variance = square - mean**2
    stated = mean == 2 * k * sigma / T and variance == factor * k * scale**2
    return stated and over_runs == variance / runs


OWN_NOISE = "coordinates and runs have noise of their own"
ERROR = Statement(
    family=noisy_runs,
    given={OWN_NOISE: lambda own, **_: bool(own)},
    holds=_error,
    too_strong={"99/100 of the variance": {"factor": ALMOST}},
    too_weak=[OWN_NOISE],
)


def small_data(draws: Draws) -> Instance:
    """One to three people or entries, two or three values, epsilon from 1/2 to 3, mostly 1."""
    return {
        "n": 1 + draws.below(3),
        "values": 2 + draws.below(2),
        "epsilon": draws.among([ONE, ONE, F(1, 2), F(2), F(3)]),
    }


def _variances(n: int, values: int, epsilon: F) -> tuple[F, F]:
    """The variances of Lap(GS/epsilon) for the number of ones of n bits, and for a histogram: the
    second moment of both halves of the density.
    """
    bits, tables = (list(product(range(size), repeat=n)) for size in (2, values))
    count = _sensitivity({x: [sum(x)] for x in bits})
    bins = _sensitivity({x: [x.count(v) for v in range(values)] for x in tables})
    return factorial(2) * (count / epsilon) ** 2, factorial(2) * (bins / epsilon) ** 2


def _sensitivity(query: Mapping[tuple[int, ...], Sequence[int]]) -> F:
    return F(
        max(
            sum(abs(a - b) for a, b in zip(query[x], query[y]))
            for x, y in product(query, repeat=2)
            if sum(a != b for a, b in zip(x, y)) == 1
        )
    )


def _intro(n: int, values: int, epsilon: F) -> bool:
    return _variances(n, values, epsilon) == (F(2), F(8))


def _between(n: int, values: int, epsilon: F, most: int = 3) -> bool:
    """Whether both deviations are from 1/epsilon to `most`/epsilon, compared as squares."""
    return all(1 <= each * epsilon**2 <= most**2 for each in _variances(n, values, epsilon))


AT_ONE = "epsilon = 1"
INTRO = Statement(
    family=small_data,
    given={AT_ONE: lambda epsilon, **_: bool(epsilon == 1)},
    holds=lambda both=False, **instance: (
        _intro(**instance) and (not both or (_variances(**instance) == (F(2), F(2))))
    ),
    too_strong={"2 for both": {"both": True}},
    too_weak=[AT_ONE],
)
MAGNITUDE = Statement(
    family=small_data,
    holds=_between,
    too_strong={"at most 2/epsilon": {"most": 2}},
    always="the variances are the same numbers for all tables of two or more values",
)


def two_parameters(draws: Draws) -> Instance:
    """A chain of 1 to 9 records with pi, e^-g and e^eps among a few fractions, and other values of
    these, mostly none smaller for eps, pi and g.
    """
    n = 1 + draws.below(9)
    both = [
        [draws.among(some) for _ in range(2)] if draws.whether() else [draws.among(some)] * 2
        for some in (MASSES, GAPS, LEVELS)
    ]
    ordered = [sorted(some, reverse=place == 1) for place, some in enumerate(both)]
    some = ordered if draws.below(6) else both
    at, other = (Chain(n, *(each[place] for each in some)) for place in range(2))
    return {"at": at, "other": other}


def _largest(at: Chain) -> Score:
    """sigma_max, by every quilt of every record."""
    return max(least_score(at, i) for i in range(1, at.n + 1))


NOT_SMALLER = "eps, pi_est and g_est are not smaller"


def _not_larger(at: Chain, other: Chain, strictly: bool = False) -> bool:
    """Whether the largest score of one chain is not above that of another; below it, where they
    are two.
    """
    if strictly and at != other:
        return bool(_largest(other) < _largest(at))
    return not _largest(at) < _largest(other)


MONOTONE = Statement(
    family=two_parameters,
    given={
        NOT_SMALLER: lambda at, other: bool(
            at.pi <= other.pi and at.q >= other.q and at.ratio <= other.ratio
        )
    },
    holds=_not_larger,
    too_strong={"strictly": {"strictly": True}},
    too_weak=[NOT_SMALLER],
)


def _bounded(at: Chain, other: Chain, count: int = 2, less: int = 1) -> bool:
    """Whether sigma_max is at most (2 t - 1)/(eps - 3 h(t)) for every T, at the first t with 3 h(t)
    < eps: divided by T it tends to 0.
    """
    t = 1
    while at.q**t >= at.pi or (at.bound(t) or ZERO) ** 3 >= at.ratio:
        t += 1
    side = at.bound(t) or ONE
    return not Score(count * t - less, at.ratio / side**3) < _largest(at)


VANISHES = Statement(
    family=two_parameters,
    holds=_bounded,
    too_strong={"t - 1 for 2 t - 1": {"count": 1}, "2 t - 2": {"less": 2}},
    always="the bound holds at all chains of the form that an instance can have",
)
BOTH = Statement(
    family=two_parameters,
    given=MONOTONE.given,
    holds=lambda at, other, strictly=False, **how: (
        _not_larger(at, other, strictly) and _bounded(at, other, **how)
    ),
    too_strong={**MONOTONE.too_strong, **VANISHES.too_strong},
    too_weak=[NOT_SMALLER],
)


def raised_parameters(draws: Draws) -> Instance:
    """pi and e^-g among a few fractions, t from 1 to 6, and by what factor 1 + 1/m the gap g, or
    pi, is raised.
    """
    return {
        "pi": draws.among([*MASSES, F(9, 20)]),
        "q": draws.among(GAPS),
        "t": 1 + draws.below(6),
        "m": 1 + draws.below(4),
    }


def _less(pi: F, q: F, t: int, m: int, power: int = 1) -> bool:
    """Whether Delta_t = q^t/pi falls by more when g is raised by the factor than when pi is: e to
    the m-fold logarithms of what it is divided by are compared.
    """
    return (1 / q) ** (t * power) > (1 + F(1, m)) ** m


ABOVE, SMALL = "t is above the threshold", "pi <= 1/e"
MATTERS_LESS = Statement(
    family=raised_parameters,
    edges=[{"pi": F(1, 2), "q": F(7, 10), "t": 2, "m": 4}],
    given={
        ABOVE: lambda pi, q, t, m: bool(q**t < pi),
        SMALL: lambda pi, q, t, m: bool(pi <= F(367879, 10**6)),
    },
    holds=lambda pi, q, t, m, times_as_much=False: (
        _less(pi, q, t, m)
        and (not times_as_much or ((1 / q) ** t > F(272, 100) * (1 + F(1, m)) ** m))
    ),
    too_strong={"by e times as much": {"times_as_much": True}},
    too_weak=[ABOVE, SMALL],
)
