"""Intervals and boxes of recorded chains: how likely a time comes at which they miss, summed over
all histories.
"""

from collections.abc import Callable
from math import comb

from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Counts = tuple[tuple[int, ...], ...]
Fails = Callable[[int, int, F, F], bool]  # successes, failures, p, r


def recordings(draws: Draws) -> Instance:
    """A chain of two or three states, zeros among its entries, its first state, up to six steps
    (four of three states), and r from 1/16 to 15/16.
    """
    size = 2 + draws.below(2)
    rows = draws.rows(size, size)
    steps = 1 + draws.below(6 if size == 2 else 4)
    return {
        "P": rows,
        "first": draws.below(size),
        "steps": steps,
        "r": draws.rate([F(n, 16) for n in range(1, 16)]),
    }


def entries(draws: Draws) -> Instance:
    """The same, and an entry of the matrix."""
    drawn = recordings(draws)
    size = len(drawn["P"])
    return drawn | {"x": draws.below(size), "y": draws.below(size)}


def outside(k: int, m: int, p: F, r: F) -> bool:
    """p^k (1-p)^m < r Q(k, m)."""
    mixture = F(comb(2 * k, k) * comb(2 * m, m), 4 ** (k + m) * comb(k + m, k))
    return p**k * (1 - p) ** m < r * mixture


def _stepped(P: Rows, going: dict[tuple[int, Counts], F]) -> dict[tuple[int, Counts], F]:
    """Return the probabilities of states with counts after one more step."""
    after: dict[tuple[int, Counts], F] = {}
    for (x, counts), weight in going.items():
        for y, p in enumerate(P[x]):
            row = (*counts[x][:y], counts[x][y] + 1, *counts[x][y + 1 :])
            reached = y, (*counts[:x], row, *counts[x + 1 :])
            after[reached] = after.get(reached, ZERO) + weight * p
    return after


def _ever(P: Rows, first: int, steps: int, missed: Callable[[Counts], bool]) -> F:
    """Return the probability that counts are missed at some time, step by step; histories with
    the same counts and the same last state go on alike.
    """
    size = len(P)
    going = {(first, ((0,) * size,) * size): ONE}
    total = ZERO
    for _ in range(steps):
        after = _stepped(P, going)
        stopped = {each for each, weight in after.items() if weight and missed(each[1])}
        total += sum((after[each] for each in stopped), ZERO)
        going = {each: w for each, w in after.items() if w and each not in stopped}
    return total


def _entry(P: Rows, first: int, steps: int, r: F, x: int, y: int, fails: Fails = outside) -> F:
    return _ever(P, first, steps, lambda c: fails(c[x][y], sum(c[x]) - c[x][y], P[x][y], r))


def _any_entry(P: Rows, first: int, steps: int, r: F) -> F:
    places = [(x, y) for x in range(len(P)) for y in range(len(P))]
    return _ever(
        P,
        first,
        steps,
        lambda c: any(outside(c[x][y], sum(c[x]) - c[x][y], P[x][y], r) for x, y in places),
    )


def in_tail(k: int, m: int, p: F, r: F, above: bool) -> bool:
    """Whether so many successes or more, or so many or fewer, have a probability of at most r."""
    reached = range(k, k + m + 1) if above else range(k + 1)
    return sum((comb(k + m, j) * p**j * (1 - p) ** (k + m - j) for j in reached), ZERO) <= r


def _at_end(P: Rows, first: int, steps: int, missed: Callable[[Counts], bool]) -> F:
    """Return the probability that counts are missed after the last step."""
    size = len(P)
    going = {(first, ((0,) * size,) * size): ONE}
    for _ in range(steps):
        going = {each: weight for each, weight in _stepped(P, going).items() if weight}
    return sum((weight for (_, counts), weight in going.items() if missed(counts)), ZERO)


def _tail(
    P: Rows, first: int, steps: int, r: F, x: int, y: int, above: bool, anytime: bool = False
) -> F:
    walked = _ever if anytime else _at_end
    p = P[x][y]
    return walked(P, first, steps, lambda c: in_tail(c[x][y], sum(c[x]) - c[x][y], p, r, above))


ONCE_EVEN: Instance = {
    "P": [[F(1, 2)] * 2] * 2,
    "first": 0,
    "steps": 1,
    "r": F(1, 2),
    "x": 0,
    "y": 0,
}
"""A fair coin: half the histories miss for r = 1/2."""
FIXED_LENGTH = Statement(
    family=entries,
    edges=[ONCE_EVEN, ONCE_EVEN | {"steps": 6}],
    holds=lambda r, divisor=1, anytime=False, **rest: all(
        _tail(r=r, above=above, anytime=anytime, **rest) <= r / divisor for above in (True, False)
    ),
    too_strong={
        "half the risk": {"divisor": 2},
        "whenever the recording ends": {"anytime": True},
    },
)
INTERVAL = Statement(
    family=entries,
    holds=lambda r, divisor=1, **rest: _entry(r=r, **rest) <= r / divisor,
    too_strong={"half the risk": {"divisor": 2}},
)
TWO_EVEN: Instance = {"P": [[F(1, 2)] * 2] * 2, "first": 0, "steps": 6, "r": F(11, 16)}
"""Both rows miss with probability 1/2 after two departures: more than r together."""
THREE_AROUND: Instance = {
    "P": [[F(19 if y == (x + 1) % 3 else F(1, 2), 20) for y in range(3)] for x in range(3)],
    "first": 0,
    "steps": 12,
    "r": F(51, 1000),
}
"""Three states in a circle, each left rarely for another than the next: more than 3 r together."""
BOX = Statement(
    family=recordings,
    edges=[TWO_EVEN, THREE_AROUND],
    holds=lambda P, r, half_risk_one=False, risk_one_interval=False, states=False, **rest: (
        (_any_entry(P=P, r=r, **rest) <= (2 * r if len(P) == 2 else len(P) ** 2 * r))
        and (not half_risk_one or (_any_entry(P=P, r=r, **rest) <= r / 2))
        and (not risk_one_interval or (len(P) > 2 or _any_entry(P=P, r=r, **rest) <= r))
        and (not states or (_any_entry(P=P, r=r, **rest) <= len(P) * r))
    ),
    too_strong={
        "half the risk of one interval": {"half_risk_one": True},
        "the risk of one interval, for two states": {"risk_one_interval": True},
        "s r for s states": {"states": True},
    },
)
