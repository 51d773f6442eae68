"""Bets on the coins of calls, with an event or of all: how likely the wealth ever is large, summed
over all histories of samplers with a memory.
"""

from collections.abc import Callable, Sequence

from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Bets = Sequence[tuple[F, F]]  # q, and which part of the stake is bet on it
Laws = Sequence[tuple[F, F]]  # P(E | s) and P(E | s') after every history of calls
Reached = Callable[[int, int], bool]


def samplers(draws: Draws) -> Instance:
    """R from 1 to 3, one to three calls whose P(E | s') is a quarter and whose P(E | s) is a part
    of the most that is allowed, other ones after every history; two bets from rho to 1, and r.
    """
    R = draws.among([F(1), F(3, 2), F(2), F(3)])
    calls = 1 + draws.below(3)
    laws = [_law(draws, R) for _ in range((3**calls - 1) // 2)]
    rho = R / (1 + R)
    parts = draws.law(2)
    bets = [(rho + (1 - rho) * F(draws.below(5), 4), part) for part in parts]
    r = draws.rate([F(1, 2), F(1, 3), F(2, 3), F(1, 4), F(3, 5), F(9, 20), F(1, 8)])
    return {"R": R, "laws": laws, "calls": calls, "bets": bets, "r": r, "coin": F(1, 2)}


def _law(draws: Draws, R: F) -> tuple[F, F]:
    y = F(draws.below(5), 4)
    return min(ONE, R * y) * F(2 - draws.below(3), 2), y


def wealth(rho: F, bets: Bets, a: int, b: int) -> F:
    """The sum of w (q/rho)^a ((1-q)/(1-rho))^b over the bets."""
    return sum((w * (q / rho) ** a * ((1 - q) / (1 - rho)) ** b for q, w in bets), ZERO)


def _ever(laws: Laws, calls: int, coin: F, reached: Reached) -> F:
    """Return the probability that counts are reached at some time."""

    def after(history: int, left: int, a: int, b: int) -> F:
        if reached(a, b):
            return ONE
        if not left:
            return ZERO
        x, y = laws[history]
        ways = [(coin * x, a + 1, b), ((1 - coin) * y, a, b + 1), (ZERO, a, b)]
        ways[2] = (1 - ways[0][0] - ways[1][0], a, b)
        return sum(
            (
                weight * after(3 * history + 1 + place, left - 1, *counts)
                for place, (weight, *counts) in enumerate(ways)
                if weight
            ),
            ZERO,
        )

    return after(0, calls, 0, 0)


def _rich(R: F, laws: Laws, calls: int, bets: Bets, r: F, coin: F, goal: F = ONE) -> F:
    rho = R / (1 + R)
    return _ever(laws, calls, coin, lambda a, b: wealth(rho, bets, a, b) * r >= goal)


_SURE = [(ONE, ONE)] * 13
_ALL_ON_S: Instance = {
    "R": ONE,
    "laws": _SURE,
    "calls": 2,
    "bets": [(ONE, ONE)],
    "r": F(1, 2),
    "coin": F(1, 2),
}
COIN_BETS = Statement(
    family=samplers,
    given={
        "P(E | s) <= R P(E | s') at every call": lambda R, laws, **_: all(
            x <= R * y for x, y in laws
        ),
        "a fair coin": lambda coin, **_: coin == F(1, 2),
        "q >= rho": lambda R, bets, **_: all(q >= R / (1 + R) for q, _ in bets),
        "one stake": lambda bets, **_: sum(w for _, w in bets) <= 1,
    },
    edges=[
        _ALL_ON_S,
        _ALL_ON_S | {"laws": [(ONE, ZERO)] * 13},
        _ALL_ON_S | {"coin": F(3, 4)},
        _ALL_ON_S | {"laws": [(ZERO, ONE)] * 13, "bets": [(ZERO, ONE)]},
        _ALL_ON_S | {"bets": [(ONE, F(2))]},
        _ALL_ON_S | {"calls": 3, "r": F(3, 5)},
    ],
    holds=lambda R, laws, calls, bets, r, coin, divisor=1: (
        _rich(R, laws, calls, bets, r, coin) <= r / divisor
    ),
    too_strong={"half the risk": {"divisor": 2}},
    too_weak=["P(E | s) <= R P(E | s') at every call", "a fair coin", "q >= rho", "one stake"],
)


def smaller_ratios(draws: Draws) -> Instance:
    """Counts up to 5, rho and sigma from 1/8 to 7/8, three bets from 0 to 1."""
    rho = draws.rate([F(n, 8) for n in range(1, 8)])
    sigma = rho * F(4 - draws.below(4), 4)
    bets = [(F(8 - draws.below(9), 8), part) for part in draws.law(3)]
    return {"a": draws.below(6), "b": draws.below(6), "rho": rho, "sigma": sigma, "bets": bets}


def _made(at: F, bets: Bets, a: int, b: int) -> F:
    return wealth(at, [(q, w) for q, w in bets if q >= at], a, b)


COIN_BOUND = Statement(
    family=smaller_ratios,
    given={"sigma <= rho": lambda rho, sigma, **_: sigma <= rho},
    edges=[
        {
            "a": 2,
            "b": 1,
            "rho": F(1, 2),
            "sigma": F(3, 4),
            "bets": [(F(3, 4), F(1, 2)), (F(2, 3), F(1, 2))],
        }
    ],
    holds=lambda a, b, rho, sigma, bets, factor=ONE: (
        _made(rho, bets, a, b) <= 1 or _made(sigma, bets, a, b) >= factor * _made(rho, bets, a, b)
    ),
    too_strong={"a tenth more": {"factor": F(11, 10)}},
    too_weak=["sigma <= rho"],
)


Additive = Sequence[tuple[F, F, F]]  # the part of the stake, x and y


def calls_with_bets(draws: Draws) -> Instance:
    """R from 0 to 3, d from 0 to 1/2, one or two calls whose P(E | s') is a quarter and whose
    P(E | s) is a part of the most that is allowed, other ones after every history; two bets whose
    largest loss is a part of what they have, and r.
    """
    R = draws.among([F(0), F(1, 2), F(1), F(2), F(3)])
    d = draws.among([F(0), F(1, 8), F(1, 2)])
    calls = 1 + draws.below(2)
    laws = [_law_with(draws, R, d) for _ in range((4**calls - 1) // 3)]
    bets = [(part, *_stakes(draws, R, d)) for part in draws.law(2)]
    r = draws.rate([F(1, 2), F(1, 3), F(2, 3), F(1, 4), F(3, 5), F(9, 20), F(1, 8)])
    return {"R": R, "d": d, "laws": laws, "calls": calls, "bets": bets, "r": r, "coin": F(1, 2)}


def _law_with(draws: Draws, R: F, d: F) -> tuple[F, F]:
    y = F(draws.below(5), 4)
    return min(ONE, R * y + d) * F(2 - draws.below(3), 2), y


def _stakes(draws: Draws, R: F, d: F) -> tuple[F, F]:
    y = F(draws.below(5) - 2, 4)
    x = F(draws.below(5), 4) * (1 - abs(y)) / max(2 * R + d, ONE / 4)
    return x, y


def factors(R: F, d: F, x: F, y: F) -> tuple[F, F, F, F]:
    """What a bet is multiplied by after s with E, s without, s' with E, s' without."""
    return 1 + x * (2 - d) + y, 1 - x * d + y, 1 - x * (2 * R + d) - y, 1 - x * d - y


def _ever_rich(R: F, d: F, laws: Laws, calls: int, bets: Additive, goal: F, coin: F) -> F:
    """Return the probability that all bets together ever have the goal."""
    known = [factors(R, d, x, y) for _, x, y in bets]

    def after(history: int, left: int, made: Sequence[F]) -> F:
        if sum(made, ZERO) >= goal:
            return ONE
        if not left:
            return ZERO
        p, q = laws[history]
        ways = [coin * p, coin * (1 - p), (1 - coin) * q, (1 - coin) * (1 - q)]
        return sum(
            (
                weight
                * after(
                    4 * history + 1 + place,
                    left - 1,
                    [each * factor[place] for each, factor in zip(made, known)],
                )
                for place, weight in enumerate(ways)
                if weight
            ),
            ZERO,
        )

    return after(0, calls, [part for part, _, _ in bets])


_DOUBLED: Instance = {
    "R": ONE,
    "d": ZERO,
    "laws": _SURE,
    "calls": 2,
    "bets": [(ONE, F(1, 2), ZERO)],
    "r": F(1, 2),
    "coin": F(1, 2),
}
ADDITIVE_BETS = Statement(
    family=calls_with_bets,
    given={
        "P(E | s) <= R P(E | s') + d at every call": lambda R, d, laws, **_: all(
            p <= R * q + d for p, q in laws
        ),
        "a fair coin": lambda coin, **_: coin == F(1, 2),
        "x >= 0": lambda bets, **_: all(x >= 0 for _, x, _ in bets),
        "no factor below 0": lambda R, d, bets, **_: all(
            min(factors(R, d, x, y)) >= 0 for _, x, y in bets
        ),
        "one stake": lambda bets, **_: sum(part for part, _, _ in bets) <= 1,
    },
    edges=[
        _DOUBLED,
        _DOUBLED | {"laws": [(ONE, ZERO)] * 5},
        _DOUBLED | {"coin": F(3, 4)},
        _DOUBLED | {"laws": [(ZERO, ONE)] * 5, "bets": [(ONE, F(-1, 2), ZERO)]},
        _DOUBLED | {"bets": [(ONE, ZERO, F(3))], "r": F(1, 4)},
        _DOUBLED | {"bets": [(F(2), F(1, 2), ZERO)]},
    ],
    holds=lambda R, d, laws, calls, bets, r, coin, divisor=1: (
        _ever_rich(R, d, laws, calls, bets, 1 / r, coin) <= r / divisor
    ),
    too_strong={"half the risk": {"divisor": 2}},
    too_weak=[
        "P(E | s) <= R P(E | s') + d at every call",
        "a fair coin",
        "x >= 0",
        "no factor below 0",
        "one stake",
    ],
)
