"""Finite laws as dictionaries from values to probabilities."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import chain, combinations
from operator import itemgetter
from typing import Any, TypeVar

from pufferproof.claims.language.statements.rationals import Fraction

Value = TypeVar("Value", bound=Hashable)
Image = TypeVar("Image", bound=Hashable)
Law = Mapping[Value, Fraction]
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
ALMOST = Fraction(99, 100)
"""A factor that makes a bound slightly too small: most near misses have it."""


def given(law: Law[Value], event: Callable[[Value], bool]) -> dict[Value, Fraction] | None:
    """Return the law given an event, or None if that has probability 0."""
    inside = {x: p for x, p in law.items() if p and event(x)}
    total = sum(inside.values(), ZERO)
    return {x: p / total for x, p in inside.items()} if inside else None


def push(law: Law[Value], function: Callable[[Value], Image]) -> dict[Image, Fraction]:
    """Return the law of a function of a value."""
    image: dict[Image, Fraction] = {}
    for x, p in law.items():
        if p:
            y = function(x)
            before = image.get(y)
            image[y] = p if before is None else before + p
    return image


def entries(places: Sequence[int]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """Return what takes the entries at some places, counted from 0, of a sequence."""
    if len(places) > 1:
        return itemgetter(*places)
    return (lambda x, i=places[0]: (x[i],)) if places else (lambda x: ())  # type: ignore[misc]


def largest_ratio(laws: Iterable[Law[Value]]) -> Fraction | None:
    """Return the largest p(x)/q(x) of two of the laws, in either order: None if it is
    infinite, 1 for a single law.
    """
    largest = least = ONE
    for p, q in combinations(laws, 2):
        for x, weight in p.items():
            other = q.get(x)
            if weight and other:
                quotient = weight / other
                if quotient > largest:
                    largest = quotient
                elif quotient < least:
                    least = quotient
            elif weight or other:
                return None
        if any(weight and x not in p for x, weight in q.items()):
            return None
    return max(largest, 1 / least)


def largest_quotient(pairs: Iterable[tuple[Sequence[Fraction], Sequence[Fraction]]]) -> Fraction | None:
    """Return the largest quotient of two entries at the same place of two rows, at least 1; None
    where it is infinite, and 0/0 is left out.
    """
    best = ONE
    for above, below in pairs:
        for p, q in zip(above, below):
            if p and not q:
                return None
            if q and (quotient := p / q) > best:
                best = quotient
    return best


def at_most(ratio: Fraction | None, bound: Fraction | None) -> bool:
    """Compare ratios, None being infinite."""
    return bound is None or (ratio is not None and ratio <= bound)


def times(*ratios: Fraction | None) -> Fraction | None:
    """Multiply ratios, None being infinite."""
    found = ONE
    for each in ratios:
        if each is None:
            return None
        found *= each
    return found


def dot(weights: Iterable[Fraction], values: Iterable[Fraction | int]) -> Fraction:
    """Return the sum of the products of two lists, entry by entry."""
    return sum([p * x for p, x in zip(weights, values) if p and x], ZERO)


def renyi(p: Sequence[Fraction], q: Sequence[Fraction], alpha: int) -> Fraction | None:
    """Return the sum of p^alpha q^(1 - alpha), e^((alpha - 1) D_alpha); None if infinite."""
    if any(a and not b for a, b in zip(p, q)):
        return None
    return sum((a**alpha / b ** (alpha - 1) for a, b in zip(p, q) if b), ZERO)


def subsets(items: Iterable[Value]) -> list[tuple[Value, ...]]:
    """Return all subsets, the empty one first."""
    things: Sequence[Value] = list(items)
    sizes = range(len(things) + 1)
    return list(chain.from_iterable(combinations(things, size) for size in sizes))
