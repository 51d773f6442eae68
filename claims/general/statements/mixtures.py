"""Mixtures of priors: what they keep, what they lose, and why two priors are enough to look at."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from pufferproof.claims.general.statements import classes
from pufferproof.claims.language.instances.frameworks import (
    Prior,
    held,
    keeps,
    leakage,
    output_law,
    rows,
)
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, dot
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


_KEPT: Instance = {
    classes.POSSIBLE: classes.both_possible,
    classes.KEPT: classes.both_keep,
}


def three_priors(draws: Draws) -> Instance:
    """Up to four databases, two secrets, two priors as for mixtures and a third one, which may be
    one of these; weights of a mixture, one of them 0 at times, and a mechanism, with R its least
    level under all priors, or 1 more, or 2.
    """
    drawn = classes.mixed_priors(draws)
    s, t, M = drawn["s"], drawn["t"], drawn["M"]
    third = draws.among([drawn["eta"], draws.law(len(M))])
    priors = [drawn["theta"], third, drawn["eta"]]
    least = leakage(priors, [(s, t)], M)
    R = (least or F(2)) + draws.among([ZERO, ONE])
    return {"s": s, "t": t, "priors": priors, "weights": draws.law(3), "M": M, "R": R}


def _of_mixture(
    s: frozenset[int],
    t: frozenset[int],
    priors: Sequence[Prior],
    weights: Prior,
    M: Sequence[Prior],
) -> list[tuple[F, F]]:
    """P(y | s) and P(y | s') under the mixture, for every output y."""
    mixed = [dot(weights, column) for column in zip(*priors)]
    return list(zip(output_law(mixed, M, s) or [], output_law(mixed, M, t) or []))


def _within_odds(
    s: frozenset[int],
    t: frozenset[int],
    priors: Sequence[Prior],
    weights: Prior,
    M: Sequence[Prior],
    R: F,
    last: int = 3,
    factor: F = ONE,
) -> bool:
    """Whether a mixture keeps R Omega in both orders, and does not attain it where the odds of
    the priors that count differ.
    """
    odds = [held(each, s) / held(each, t) for each in priors[:last]]
    bound = factor * R * max(odds) / min(odds)
    both = _of_mixture(s, t, priors, weights, M)
    differ = len(set(odds)) > 1
    return all(
        a <= bound * b and not (differ and a and a == bound * b)
        for pair in both
        for a, b in (pair, pair[::-1])
    )


ALL_POSSIBLE = "all priors give both secrets positive probability"
TOLD_APART: Instance = {
    "s": frozenset([0, 1]),
    "t": frozenset([2, 3]),
    "priors": [classes.TOLD_APART["theta"], classes.TOLD_APART["eta"], classes.TOLD_APART["eta"]],
    "weights": [F(1, 2), F(1, 4), F(1, 4)],
    "M": classes.TOLD_APART["M"],
    "R": ONE,
}
MIDDLE: Instance = {
    **TOLD_APART,
    "priors": [TOLD_APART["priors"][n] for n in (0, 1, 0)],
    "weights": [F(1, 2), F(1, 2), ZERO],
}
"""The odds of the first and the last prior are equal, those of the second are not."""
ODDS_BOUND = Statement(
    family=three_priors,
    edges=[TOLD_APART, MIDDLE],
    given={
        ALL_POSSIBLE: lambda s, t, priors, **_: all(
            held(prior, each) > 0 for prior in priors for each in (s, t)
        ),
        classes.KEPT: lambda s, t, priors, weights, M, R: keeps(priors, [(s, t)], M, R),
    },
    holds=_within_odds,
    too_strong={
        "the odds of the first prior alone": {"last": 1},
        "9/10 of the bound": {"factor": F(9, 10)},
    },
    too_weak=[classes.KEPT],
)
EQUAL_ODDS = "the odds of the secrets are equal"


def same_odds(draws: Draws) -> Instance:
    """Two secrets of one or two databases, two priors mostly with equal odds, a mixture of them, a
    mechanism and R, its least level under both priors, or more, or 2.
    """
    drawn = two_laws(draws)
    odds = drawn["odds"] if draws.below(6) == 5 else drawn["odds"][:1] * 2
    theta, eta = _priors(drawn["mu"], drawn["nu"], odds)
    size = len(drawn["mu"][0])
    s, t = frozenset(range(size)), frozenset(range(size, len(theta)))
    M = rows(draws, len(theta), 2)
    least = leakage([theta, eta], [(s, t)], M)
    R = (least or F(2)) + draws.among([ZERO, ZERO, ONE])
    weight = drawn["weight"]
    return {"s": s, "t": t, "theta": theta, "eta": eta, "M": M, "R": R, "weight": weight}


ODDS_KEEP = Statement(
    family=same_odds,
    edges=[classes.TOLD_APART],
    given=_KEPT
    | {
        EQUAL_ODDS: lambda s, t, theta, eta, **_: (
            held(theta, s) * held(eta, t) == held(eta, s) * held(theta, t)
        )
    },
    holds=classes.mixture_keeps,
    too_strong={"99/100 of the level": {"factor": ALMOST}},
    too_weak=[EQUAL_ODDS],
)


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
    too_strong={
        "101/100 of R": {"factor": F(101, 100)},
    },
)


def odds_and_bounds(draws: Draws) -> Instance:
    """Probabilities of s and of s' under two priors, R from 1 to 3, c below R Omega, near it at
    times, and a bound C of 1 to 20.
    """
    p, q, p2, q2 = (F(1 + draws.below(4)) for _ in range(4))
    R = ONE + F(draws.below(5), 2)
    share = draws.among([F(1, 2), F(1, 10), F(9, 10), F(999, 1000), ONE])
    return {"priors": [(p, q), (p2, q2)], "R": R, "share": share, "C": F(1 + draws.below(20))}


def _omega(priors: Any) -> F:
    (p, q), (p2, q2) = priors
    return F(max(p / q, p2 / q2) / min(p / q, p2 / q2))


def _mixture_ratio(priors: Any, R: F, c: F) -> F | None:
    """The level of the mechanism of the proof under a mixture with weights that come near c; None
    if its level is not R for each of the priors.

    Databases 0, 2 under the prior with larger odds, 1, 3 under the other; s = {0, 1}.
    """
    (p, q), (p2, q2) = sorted(priors, key=lambda each: each[1] / each[0])
    total, other = p + q, p2 + q2
    first, second = [p / total, ZERO, q / total, ZERO], [ZERO, p2 / other, ZERO, q2 / other]
    x = R / (R + 1)
    M = [[x, 1 - x], [ZERO, ONE], [1 - x, x], [ZERO, ONE]]
    s, t = frozenset([0, 1]), frozenset([2, 3])
    if not keeps([first, second], [(s, t)], M, R):
        return None
    top = R * _omega(priors)
    weight = (top - c) / (c * (p / p2)) * total / other
    mixed = [weight * a + b for a, b in zip(first, second)]
    level = [sum((mixed[d] * M[d][0] for d in each), ZERO) / held(mixed, each) for each in (s, t)]
    ratio: F = level[0] / level[1]
    return ratio


def _approaches(priors: object, R: F, c: F) -> bool:
    ratio = _mixture_ratio(priors, R, c)
    return ratio is not None and c <= ratio <= R * _omega(priors)


BELOW = "c < R Omega"
NO_SMALLER = Statement(
    family=odds_and_bounds,
    given={BELOW: lambda priors, R, share, C: share < 1},
    holds=lambda priors, R, share, C, omega_reached=False: (
        (_approaches(priors, R, share * R * _omega(priors)))
        and (
            not omega_reached
            or (_mixture_ratio(priors, R, share * R * _omega(priors)) == R * _omega(priors))
        )
    ),
    too_strong={"R Omega is reached": {"omega_reached": True}},
)


def _exceeds(R: F, C: F, more: F = ONE) -> bool:
    """Whether theta_1(s) = C/(C + 1) and theta_2(s) = 1/(C + 2) have a mixture and a mechanism
    that keeps R for each, with a ratio above R C.
    """
    priors = [(C, ONE), (ONE, C + 1)]
    ratio = _mixture_ratio(priors, R, R * (C + _omega(priors)) / 2)
    return ratio is not None and ratio > more * R * C


UNBOUNDED = Statement(
    family=odds_and_bounds,
    holds=lambda priors, R, share, C, any_odds=False, factor=False: (
        (_exceeds(R, C))
        and (not any_odds or (R * _omega(priors) > R * C))
        and (not factor or (_exceeds(R, C, C + 1)))
    ),
    too_strong={
        "any odds": {"any_odds": True},
        "by a factor C + 1": {"factor": True},
    },
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


def forms(draws: Draws) -> Instance:
    """Numbers g, h and c from -3 to 3, with c^2 = 4 g h often, and x, z >= 0."""
    g, h = -F(draws.below(4)), -F(draws.below(4))
    if draws.below(4) == 3:
        g, h = F(draws.below(4) - 1), F(draws.below(4) - 1)
    c = draws.among([ZERO, ONE, F(2), -ONE, F(4), F(3)])
    if draws.whether():
        g, h, c = -ONE * draws.below(3) ** 2, -ONE * draws.below(3) ** 2, F(2)
        c *= F(int((g * h) ** F(1, 2)))
    return {"g": g, "h": h, "c": c, "x": F(draws.below(4)), "z": F(draws.below(4))}


def _at(g: F, h: F, c: F, x: F, z: F) -> F:
    return g * x * x + c * x * z + h * z * z


def _below(g: F, h: F, c: F, **_: object) -> bool:
    return g <= 0 and h <= 0 and (c <= 0 or c * c <= 4 * g * h)


CONDITIONS = "g <= 0, h <= 0, and c <= 0 or c^2 <= 4 g h"
BARELY: Instance = {"g": F(-1), "h": F(-2), "c": F(3), "x": F(3), "z": F(2)}
"""c^2 is 9/8 of 4 g h, and the form is above 0 at x and z."""
ENOUGH = Statement(
    family=forms,
    edges=[BARELY],
    given={CONDITIONS: _below},
    holds=lambda g, h, c, x, z, below=False: (
        (_at(g, h, c, x, z) <= 0) and (not below or (_at(g, h, c, x, z) < 0))
    ),
    too_strong={"below 0": {"below": True}},
    too_weak=[CONDITIONS],
)


def _somewhere(g: F, h: F, c: F, x: F, z: F) -> bool:
    """Whether the form is above 0 at one of the places of the proof."""
    places = [(ONE, ZERO), (ZERO, ONE), (c, -2 * g)]
    places += [((1 - h) / c, ONE), (ONE, (1 - g) / c)] if c else []
    return any(_at(g, h, c, *place) > 0 for place in places if min(place) >= 0)


NEEDED_CONDITIONS = Statement(
    family=forms,
    given={"the conditions fail": lambda **instance: not _below(**instance)},
    holds=lambda g, h, c, x, z, at=False: (
        _somewhere(g, h, c, x, z) and (not at or (_at(g, h, c, ONE, ONE) > 0))
    ),
    too_strong={"at x = z = 1": {"at": True}},
    too_weak=["the conditions fail"],
)
