"""Mixtures of priors: what they keep, what they lose, and why two priors are enough to look at."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from pufferproof.claims.language.instances.frameworks import Prior, keeps
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def two_laws(draws: Draws) -> Instance:
    """Two secrets of one or two databases, two priors under which both are possible, often with
    equal odds or equal laws given one of them, R from 1 to 3, and weights of a mixture.
    """
    size, other = (1 if draws.below(6) == 5 else 2 for _ in range(2))
    mu, nu = [draws.law(size, 2) for _ in range(2)], [draws.law(other, 2) for _ in range(2)]
    odds = [draws.rate([F(n, 4) for n in range(1, 4)]) for _ in range(2)]
    return {
        "mu": mu,
        "nu": nu,
        "odds": odds,
        "R": ONE + F(draws.below(5), 2),
        "weight": draws.rate([F(n, 10) for n in range(1, 10)]),
    }


def _priors(mu: Any, nu: Any, odds: Sequence[F]) -> list[list[F]]:
    """The priors with these laws given s and s', and these probabilities of s."""
    return [
        [p * each for each in a] + [(1 - p) * each for each in b] for p, a, b in zip(odds, mu, nu)
    ]


def _lifted(laws: Sequence[Prior], aims: tuple[F, F]) -> list[F]:
    """Entries with the given means under two different laws: a base everywhere, and a step where
    the first law has more.
    """
    place = next(x for x, (p, q) in enumerate(zip(*laws)) if p > q)
    step = (aims[0] - aims[1]) / (laws[0][place] - laws[1][place])
    base = aims[1] - step * laws[1][place]
    return [base + step if x == place else base for x in range(len(laws[0]))]


def _breaking(mu: Any, nu: Any, odds: Sequence[F], R: F) -> list[list[F]]:
    """The mechanism of the proof: its first output has P(y | s) = R P(y | s') under each prior."""
    middle = 1 / (2 * (R + 1))
    far = min(max(p - q for p, q in zip(*laws)) for laws in (mu, nu))
    small = middle * far / (16 * R)
    high, low = middle + small, middle - small
    if odds[0] < odds[1]:
        high, low = low, high
    first = [*_lifted(mu, (R * high, R * low)), *_lifted(nu, (high, low))]
    return [[p, 1 - p] for p in first]


def _breaks(mu: Any, nu: object, odds: Sequence[F], R: F, weight: F, factor: F = ONE) -> bool:
    """Whether that mechanism keeps R under both priors, and breaks factor R under the mixture."""
    M = _breaking(mu, nu, odds, R)
    s, t = frozenset(range(len(mu[0]))), frozenset(range(len(mu[0]), len(M)))
    priors = _priors(mu, nu, odds)
    mixed = [weight * p + (1 - weight) * q for p, q in zip(*priors)]
    proper = all(0 <= p <= 1 for row in M for p in row)
    kept = keeps(priors, [(s, t)], M, R)
    return proper and kept and not keeps([mixed], [(s, t)], M, factor * R)


NONE_HOLDS = "p_1/q_1, mu and nu all differ"
NEEDED = Statement(
    family=two_laws,
    given={
        NONE_HOLDS: lambda mu, nu, odds, R, weight: (
            mu[0] != mu[1] and nu[0] != nu[1] and odds[0] != odds[1]
        )
    },
    holds=_breaks,
    too_strong={"101/100 of R": {"factor": F(101, 100)}},
)


def several_priors(draws: Draws) -> Instance:
    """Three priors, mostly possible for both secrets: their P(s), P(s'), and P(Y and s), P(Y and
    s') for a set Y of outputs, zeros often; weights of a mixture, a factor R and a difference d.
    """
    priors = []
    for _ in range(3):
        a, p = sorted(F(draws.below(4), 8) for _ in range(2))
        b, q = sorted(F(draws.below(4), 8) for _ in range(2))
        priors.append({"p": p, "q": q, "a": a, "b": b})
    return {
        "priors": priors,
        "weights": draws.law(3),
        "R": draws.among([ONE, F(2), F(3, 2), F(4)]),
        "d": draws.among([ZERO, F(1, 4), F(1, 2), F(3, 4)]),
    }


def _form(first: Any, second: Any, R: F, d: F) -> F:
    """The coefficient of two weights in P(Y, s) P(s') - R P(Y, s') P(s) - d P(s) P(s')."""
    return F(first["a"] * second["q"] - R * first["b"] * second["p"] - d * first["p"] * second["q"])


def _pair_kept(first: object, second: object, R: F, d: F) -> bool:
    """Whether the form is at most 0 for all weights of two priors: no term is above 0, or the
    mixed term is at most twice the mean of the others, all tried with squares.
    """
    g, h = _form(first, first, R, d), _form(second, second, R, d)
    c = _form(first, second, R, d) + _form(second, first, R, d)
    return g <= 0 and h <= 0 and (c <= 0 or c * c <= 4 * g * h)


def _mixture_kept(priors: Sequence[Mapping[str, F]], weights: Sequence[F], R: F, d: F) -> bool:
    mixed = {
        name: sum((w * each[name] for w, each in zip(weights, priors)), ZERO) for name in "pqab"
    }
    return _form(mixed, mixed, R, d) <= 0


BY_TWO = "P(Y | s) - R P(Y | s') <= d under all mixtures of two priors"


def _mixtures(possible: bool) -> Statement:
    met = "every prior allows both secrets" if possible else "the mixture allows both secrets"
    return Statement(
        family=several_priors,
        given={
            met: lambda priors, weights, R, d: (
                all(any(w * each[name] > 0 for w, each in zip(weights, priors)) for name in "pq")
                and (not possible or all(each["p"] * each["q"] > 0 for each in priors))
            ),
            BY_TWO: lambda priors, weights, R, d: all(
                _pair_kept(*each, R, d) for each in combinations(priors, 2)
            ),
        },
        holds=_mixture_kept,
        too_strong={"99/100 of R and d": lambda R, d, **_: {"R": ALMOST * R, "d": ALMOST * d}},
        too_weak=[BY_TWO],
    )


STAY_POSSIBLE, BECOME_IMPOSSIBLE = _mixtures(possible=True), _mixtures(possible=False)
