"""A simpler member where a bound is nearly as far from the truth, which the file need not list: its
parameters lie between the least and the largest listed, and the level is that of the farthest.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from pufferproof.counterexamples.exploration.conjectures.trying import Axis, simpler
from pufferproof.counterexamples.exploration.family import Family
from pufferproof.counterexamples.exploration.gaps import CLOSE, BoundName, quotient_approx
from pufferproof.counterexamples.exploration.instances import TOGETHER, MemberRow
from pufferproof.models.numbers.text import fraction_of, text_of

Ask = Callable[[list[list[Any]]], Sequence[MemberRow]]


def shrunk(family: Family, farthest: Sequence[MemberRow], bound: BoundName, most: int, ask: Ask) -> MemberRow | None:
    """Return the simplest member whose quotient is within one percent of the largest, or None if
    `most` simpler ones than the last of the farthest show none.

    Args:
        farthest: members as `worst_of` returns them, one at least.
        ask: finds what there is to know of members, by values and level.
    """
    largest, last = quotient_approx(farthest[0], bound) or 0.0, farthest[-1]
    axes = {name: Axis.of(values) for name, values in family.axes.items()}
    start = {name: fraction_of(text) for name, text in last["parameters"].items()}
    places = islice(simpler(axes, start), most) if axes else iter(())
    while some := list(islice(places, TOGETHER)):
        values = [{name: text_of(each) for name, each in place.items()} for place in some]
        for row in ask([[value, last["level"]] for value in values]):
            if (quotient_approx(row, bound) or 0.0) >= CLOSE * largest:
                return row
    return None
