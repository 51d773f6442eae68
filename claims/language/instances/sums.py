"""Sums, products and largest quotients that programs would add up in loops: laws of functions of
several draws, laws after steps of a chain, rankings, and levels of many pairs of numbers.

Numbers are exact. A ratio stands for e^level, and None is infinite.
"""

from collections.abc import Hashable, Iterable, Sequence
from itertools import repeat
from typing import TypeVar

from pufferproof.claims.language.instances.laws import ONE, ZERO, dot
from pufferproof.claims.language.statements.rationals import Fraction

Key = TypeVar("Key", bound=Hashable)
Given = TypeVar("Given", bound=Hashable)


def summed(pairs: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """Return the sum of the numbers of every key, keys in the order in which they come.

    >>> summed([("u", 1), ("v", 2), ("u", 3)])
    {'u': 4, 'v': 2}
    """
    found: dict[Key, Fraction] = {}
    for key, number in pairs:
        before = found.get(key)
        found[key] = number if before is None else before + number
    return found


def laws_given(masses: Iterable[tuple[tuple[Given, Key], Fraction]]) -> dict[Given, dict[Key, Fraction]]:
    """Return the law of y given every x that is possible, of the masses of pairs x, y."""
    parts: dict[Given, dict[Key, Fraction]] = {}
    for (x, y), mass in summed(masses).items():
        parts.setdefault(x, {})[y] = mass
    totals = {x: sum(part.values()) for x, part in parts.items()}
    return {x: {y: p / totals[x] for y, p in part.items()} for x, part in parts.items() if totals[x]}


def largest_of(pairs: Iterable[tuple[Fraction, Fraction]], least: Fraction = ONE) -> Fraction | None:
    """Return the largest a/b of pairs, or `least` if that is larger; None if one is infinite, and
    0/0 is left out.
    """
    ratios = (above / below if below else None for above, below in pairs if above or below)
    return most_of(ratios, least)


def most_of(ratios: Iterable[Fraction | None], least: Fraction = ONE) -> Fraction | None:
    """Return the largest of ratios, or `least` if that is larger; None if one is infinite."""
    best = least
    for each in ratios:
        if each is None:
            return None
        best = max(best, each)
    return best


def moved(law: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], steps: int = 1) -> list[Fraction]:
    """Return the law after steps of a chain: sum over x of law_x rows_x(y), so many times."""
    columns, now = list(zip(*rows)), list(law)
    for _ in repeat(None, steps):
        now = [dot(now, column) for column in columns]
    return now


def without_replacement(weights: Sequence[Fraction | int], order: Iterable[int]) -> Fraction:
    """Return the probability that draws without replacement, in proportion to weights, give these
    places in this order.
    """
    left, chance = sum(weights, ZERO), ONE
    for place in order:
        chance *= Fraction(weights[place], left)
        left -= weights[place]
    return chance


def ranked_by_noise(rates: Sequence[Fraction | int], order: Sequence[int]) -> Fraction:
    """Return the probability that noisy scores rank so, and all others are below: the integral over
    v_1 > v_2 > .. of the densities rate v^(rate - 1) of v = exp(-e^(-x)) at a score x.
    """
    exponent = sum([rate for place, rate in enumerate(rates) if place not in order], ZERO)
    chance = ONE
    for place in reversed(order):
        # the density of a score is rate v^(rate - 1); what is below it is chance v^exponent
        exponent += rates[place]
        chance *= Fraction(rates[place], exponent)
    return chance


def hockey_stick(p: Sequence[Fraction], q: Sequence[Fraction], ratio: Fraction) -> Fraction:
    """Return the largest P(S) - ratio Q(S), by enumerating the sets S of outcomes."""
    sums = [ZERO]  # over all sets of the outcomes so far
    for a, b in zip(p, q):
        difference = a - ratio * b
        sums += [each + difference for each in sums]
    return max(sums)
