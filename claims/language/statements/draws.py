"""The choices that make an instance: drawn from a seed, or replayed, so that any instance can be
made smaller without knowing what it is.

A family asks for choices among finitely many things, the simplest first. What was chosen is a list
of small integers; a shorter list of smaller integers is a simpler instance of the same family
(the method of Hypothesis, MacIver and Donaldson 2020).

The first choice says whether the instance is hard: then laws, rows, parts of a list and rates are
often those of `hard.py`, or the one before once more.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import TypeVar

from pufferproof.claims.language.statements import hard
from pufferproof.claims.language.statements.rationals import Fraction

Thing = TypeVar("Thing")

_FEW = 24
"""A choice of a hard instance that is at most this is lowered to every smaller one."""


class Draws:
    """Choices from a generator of random numbers, after those that are replayed.

    `taken` lists what was chosen, each as an integer from 0 on: first whether the instance is hard.
    Without a generator the choices after the replayed ones are all 0, the simplest. `known` is
    whether anything was chosen of which the library has hard edges.
    """

    def __init__(self, random: Random | None, replayed: Sequence[int] = (), hard: bool = False) -> None:
        self._next = None if random is None else random.random
        self._replayed, self._given = replayed, len(replayed)
        self.hard = bool(replayed[0]) if replayed else hard
        self.taken: list[int] = [int(self.hard)]
        self.known = False
        self._before: dict[object, object] = {}
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

    def many(self, number: int, times: int) -> list[int]:
        """Choose so many integers from 0 to number - 1, one after another."""
        following = self._next
        if following is None or self._given:
            return [self.below(number) for _ in range(times)]
        chosen = [int(following() * number) for _ in range(times)]
        self.taken += chosen
        return chosen

    def among(self, things: Sequence[Thing]) -> Thing:
        """Choose one of several things, listed from the simplest on."""
        return things[self.below(len(things))]

    def whether(self) -> bool:
        """Choose False or True."""
        return self.below(2) == 1

    def several(self, things: Sequence[Thing]) -> list[Thing]:
        """Choose some of the things, possibly none or all."""
        if self.hard and self.below(2):
            return list(self.among(hard.parts(things)))
        return [each for each, taken in zip(things, self.many(2, len(things))) if taken]

    def rate(self, usual: Sequence[Fraction]) -> Fraction:
        """Choose a probability strictly between 0 and 1, such as that of noise or of a change: one
        of those listed; in hard instances one near an end too.
        """
        return self.either(usual, hard.RATES)

    def either(self, usual: Sequence[Thing], edges: Sequence[Thing]) -> Thing:
        """Choose one of the things, in hard instances one of their edges too."""
        if self.hard:
            self.known = True
            if self.below(2):
                return self.among(edges)
        return self.among(usual)

    def law(self, size: int, largest: int = 4) -> list[Fraction]:
        """Choose a probability vector: weights from 0 to `largest` over their sum.

        Zeros and ties are frequent; where all weights are 0 the first value is certain.
        """
        if self.hard and size and (edge := self._edge(("law", size), hard.laws(size))):
            return [*edge]
        weights = self.many(largest + 1, size)
        if not any(weights):
            weights[0] = 1
        return [*_normed(*weights)]

    def positive_law(self, size: int, largest: int = 4) -> list[Fraction]:
        """Choose a probability vector without zeros."""
        if self.hard and size:
            positive = [law for law in hard.laws(size) if all(law)]
            if edge := self._edge(("positive law", size), positive):
                return [*edge]
        return [*_normed(*[1 + each for each in self.many(largest, size)])]

    def rows(self, number: int, size: int, largest: int = 4) -> list[list[Fraction]]:
        """Choose a stochastic matrix."""
        if self.hard and number and size and (edge := self.edge_rows(number, size)):
            return edge
        return [self.law(size, largest) for _ in range(number)]

    def edge_rows(self, number: int, size: int) -> list[list[Fraction]] | None:
        """Choose a stochastic matrix of the library, or one with two rows of a level, each where it
        is chosen; None for a usual one.
        """
        if size > 1 and self.below(4) == 1:
            ratio = self.among((Fraction(2), Fraction(10), Fraction(100)))
            two = [hard.response(ratio, place, size) for place in (0, 1)]
            return [[*two[self.below(2)]] for _ in range(number)]
        edge = self._edge(("rows", number, size), hard.kernels(number, size))
        return None if edge is None else [[*row] for row in edge]

    def _edge(self, kind: object, library: Sequence[Thing]) -> Thing | None:
        """Choose None, which stands for a usual one, the one before of the kind, or another."""
        self.known = True
        how = self.below(4)
        if not how or not library:
            return None
        if how == 1 and kind in self._before:
            return self._before[kind]  # type: ignore[return-value]
        self._before[kind] = edge = self.among(library)
        return edge


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
    hard_ones = bool(taken and taken[0])  # a list of edges has no order that halving could follow
    for place, chosen in enumerate(taken):
        all_lower = hard_ones and chosen <= _FEW
        some = sorted({0, chosen // 2, chosen - 1} - {chosen, -1})
        for lower in range(chosen) if all_lower else some:
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
