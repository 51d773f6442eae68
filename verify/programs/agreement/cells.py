"""Cells of a law, fixed before the draws, and the questions that are asked of them.

Cells of noise lie between points near its quantiles, and at single integers around 0. A question
joins cells: sixteenths of the law, its sign, its distance from the middle, its tails, single
outputs, even against odd ones.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pufferproof.models.numbers.text import text_of
from pufferproof.verify.programs.agreement.noise import BITS
from pufferproof.verify.programs.agreement.questions import Question

if TYPE_CHECKING:
    from flint import arb

_PARTS = 16
_SINGLES = 10  # outputs that have a question of their own
_OUTER = (1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 64)  # shares outside, of the distance from the middle
_TAILS = (1 / 8, 1 / 64, 1 / 1024)
Grouping = list[int]


@dataclass(frozen=True)
class Cells:
    """The cells of one law, from the least to the largest output.

    `chances` are their probabilities, enclosed; `names` what is in them; `singles` the number that
    is alone in a cell, or None.
    """

    chances: "Sequence[arb]"
    names: Sequence[str]
    singles: Sequence[int | None]

    def middles(self) -> list[float]:
        """Return for every cell the probability of less, and half its own."""
        middles, below = [], 0.0
        for chance in self.chances:
            share = float(chance.mid())
            middles.append(below + share / 2)
            below += share
        return middles


@dataclass(frozen=True)
class Asked:
    """A question, and which of its cells a cell of the law is part of."""

    question: Question
    grouping: Grouping


def groupings(cells: Cells) -> dict[str, tuple[list[str], Grouping]]:
    """Return the questions for a law: text -> names of the joined cells, and the cell of each."""
    middles, found = cells.middles(), {}
    found["sixteenth of the law"] = _by(middles, lambda m: min(int(_PARTS * m), _PARTS - 1))
    found["distance from the middle"] = _by(middles, lambda m: sum(2 * min(m, 1 - m) < outer for outer in _OUTER))
    for tail in _TAILS:
        found[f"tails of {tail:g}"] = _by(middles, partial(_tail, tail))
    found["half"] = _by(middles, lambda m: int(m > 1 / 2))
    numbers = [each for each in cells.singles if each is not None]
    if len(numbers) > 2:
        parities = [2 if each is None else each % 2 for each in cells.singles]
        found["even or odd"] = ["even", "odd", "elsewhere"], parities
        if 0 in numbers:
            at = list(cells.singles).index(0)
            signs = [(place >= at) + (place > at) for place in range(len(middles))]
            found["sign"] = ["below 0", "0", "above 0"], signs
    likely = sorted(range(len(middles)), key=lambda place: -float(cells.chances[place].mid()))
    for place in likely[:_SINGLES]:
        name = cells.names[place]
        found[f"output {name}"] = ([f"not {name}", name], [int(x == place) for x in range(len(middles))])
    if len(middles) <= 2 * _PARTS:
        found["output"] = list(cells.names), list(range(len(middles)))
    return {text: (names, cell_of) for text, (names, cell_of) in found.items() if len(set(cell_of)) > 1}


def _tail(share: float, middle: float) -> int:
    """Return whether a cell lies below, between or above the tails of a share."""
    return (middle > share) + (middle > 1 - share)


def _by(middles: list[float], part: Callable[[float], int]) -> tuple[list[str], Grouping]:
    """Join the cells by a number that the probability of less gives, and name the joined cells."""
    parts = [part(middle) for middle in middles]
    numbers = sorted(set(parts))
    grouping = [numbers.index(each) for each in parts]
    names = []
    for group in range(len(numbers)):
        inside = [place for place, each in enumerate(grouping) if each == group]
        names.append(f"{group + 1} of {len(numbers)}" if len(inside) > 1 else f"cell {inside[0]}")
    return names, grouping


def asked(
    laws: Mapping[Hashable, Cells],
    where: str,
    wanted: Sequence[str] | None = None,
    scaled: Mapping[str, Any] | None = None,
) -> list[Asked]:
    """Return the questions for pooled laws that have the same cells, grouped as the first one is.

    Args:
        where: which draws are pooled, for people.
        wanted: beginnings of the texts of the questions; all if None.
        scaled: other laws on the cells by name, asked as a question of their own.
    """
    first = next(iter(laws.values()))
    found = []
    for text, (names, grouping) in groupings(first).items():
        if wanted is None or any(text.startswith(each) for each in wanted):
            grouped = {key: joined_chances(cells.chances, grouping, len(names)) for key, cells in laws.items()}
            found.append(Asked(Question(f"{text} {where}", names, grouped), grouping))
    if scaled:
        whole = list(range(len(first.chances)))
        chances = {key: cells.chances for key, cells in laws.items()}
        question = Question(f"scale {where}", first.names, chances, list(scaled.values()), named=list(scaled))
        found.append(Asked(question, whole))
    return found


def joined_chances(chances: "Sequence[arb]", grouping: Grouping, count: int) -> "list[arb]":
    """Return the probabilities of joined cells."""
    from flint import arb, ctx

    with ctx.workprec(BITS):
        joined = [arb(0) for _ in range(count)]
        for chance, group in zip(chances, grouping):
            joined[group] += chance
        return joined


def between(edges: Sequence[Fraction], at_least: "Callable[[Fraction], arb]", whole: bool) -> Cells:
    """Return the cells between edges, of a law given by P(X >= x), on integers if `whole`."""
    from flint import arb, ctx

    with ctx.workprec(BITS):
        above = [arb(1), *map(at_least, edges), arb(0)]
        chances = [max_zero(one - other) for one, other in pairwise(above)]
    texts = [f"{float(edge):.6g}" for edge in edges]
    names = [f"below {texts[0]}", *(f"{a} to {b}" for a, b in pairwise(texts)), f"{texts[-1]} or more"]
    singles: list[int | None] = [None] * (len(edges) + 1)
    if whole:
        for place, (one, other) in enumerate(pairwise(edges), start=1):
            if other == one + 1:
                singles[place], names[place] = int(one), text_of(one)
    return Cells(chances, names, singles)


def max_zero(chance: "arb") -> "arb":
    """Return a probability, exactly 0 if it is only known to be below the precision."""
    from flint import arb

    return arb(0) if not chance > 0 else chance
