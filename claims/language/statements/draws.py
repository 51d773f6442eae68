"""The choices that make an instance: drawn from a seed, or replayed, so that any instance can be
made smaller without knowing what it is.

A family asks for choices among finitely many things, the simplest first. What was chosen is a list
of small integers; a shorter list of smaller integers is a simpler instance of the same family
(the method of Hypothesis, MacIver and Donaldson 2020).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TypeVar

from pufferproof.claims.language.statements.rationals import Fraction

Thing = TypeVar("Thing")


class Draws:
    """Choices from a generator of random numbers, after those that are replayed.

    `taken` lists what was chosen, each as an integer from 0 on. Without a generator the choices
    after the replayed ones are all 0, the simplest.
    """

    def __init__(self, random: Random | None, replayed: Sequence[int] = ()) -> None:
        self._next = None if random is None else random.random
        self._replayed, self._given = replayed, len(replayed)
        self.taken: list[int] = []
        if self._next is not None and not replayed:
            self.below = _choosing(self._next, self.taken.append)  # type: ignore[assignment, method-assign]

    def below(self, number: int) -> int:
        """Choose an integer from 0 to number - 1."""
        place = len(self.taken)
        if place < self._given:
            chosen = min(self._replayed[place], number - 1)
        else:
            chosen = 0 if self._next is None else int(self._next() * number)
        self.taken.append(chosen)
        return chosen

    def among(self, things: Sequence[Thing]) -> Thing:
        """Choose one of several things, listed from the simplest on."""
        return things[self.below(len(things))]

    def whether(self) -> bool:
        """Choose False or True."""
        return self.below(2) == 1

    def several(self, things: Sequence[Thing]) -> list[Thing]:
        """Choose some of the things, possibly none or all."""
        return [each for each in things if self.whether()]

    def law(self, size: int, largest: int = 4) -> list[Fraction]:
        """Choose a probability vector: weights from 0 to `largest` over their sum.

        Zeros and ties are frequent; where all weights are 0 the first value is certain.
        """
        below, number = self.below, largest + 1
        weights = [below(number) for _ in range(size)]
        if not any(weights):
            weights[0] = 1
        return [*_normed(*weights)]

    def positive_law(self, size: int, largest: int = 4) -> list[Fraction]:
        """Choose a probability vector without zeros."""
        below = self.below
        return [*_normed(*[1 + below(largest) for _ in range(size)])]

    def rows(self, number: int, size: int, largest: int = 4) -> list[list[Fraction]]:
        """Choose a stochastic matrix."""
        return [self.law(size, largest) for _ in range(number)]


def _choosing(following: Callable[[], float], taken: Callable[[int], None]) -> Callable[[int], int]:
    """Return `below` of choices of which none is replayed, which most are: it asks nothing else."""

    def below(number: int) -> int:
        chosen = int(following() * number)
        taken(chosen)
        return chosen

    return below


@lru_cache(maxsize=5000)
def _normed(*weights: int) -> tuple[Fraction, ...]:
    """Return weights over their sum: few of them occur, again and again."""
    total = sum(weights)
    return tuple(Fraction(weight, total) for weight in weights)


def smaller(taken: Sequence[int]) -> Iterator[list[int]]:
    """Yield choices simpler than those taken: shorter ones first, then with a lower choice."""
    for length in (8, 4, 2, 1):
        for start in range(len(taken) - length, -1, -1):
            yield [*taken[:start], *taken[start + length :]]
    for place, chosen in enumerate(taken):
        for lower in sorted({0, chosen // 2, chosen - 1} - {chosen, -1}):
            yield [*taken[:place], lower, *taken[place + 1 :]]


def smallest(taken: Sequence[int], fails: Callable[[Draws], bool], steps: int = 2000) -> list[int]:
    """Return the simplest choices that could be reached from some at which `fails` is true.

    Choices are compared by their number, then one by one; at most `steps` are tried, so the result
    is one that cannot be simplified by a single step, or the best when steps ran out.
    """
    best, left = list(taken), steps
    simplified = True
    while simplified and left > 0:
        simplified = False
        for candidate in smaller(best):
            left -= 1
            draws = Draws(None, candidate)
            if fails(draws) and (len(draws.taken), draws.taken) < (len(best), best):
                best, simplified = draws.taken, True
                break
            if left <= 0:
                break
    return best
