"""Two closed forms of one quantity, of which the larger holds everywhere, or the smaller.

Worst cases are maxima, so that one form seldom holds of a whole family. Each form is fitted to a
part of the members: the first to those within a range of each parameter, some eighths of its
values from either end, larger parts first; the second to all at which the first does not hold. What
is found is a relation that holds at every member; the place where one form takes over from the
other need not be known, or be a value of one parameter.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from pufferproof.counterexamples.exploration.conjectures.fitting import Formula, Known, fitted
from pufferproof.counterexamples.exploration.conjectures.relations import Relation
from pufferproof.models.errors import ModelError

_MOST_PARTS = 300  # that are tried for the first form
_EIGHTHS = ((0, 8), *((0, end) for end in range(1, 8)), *((start, 8) for start in range(1, 8)))


@dataclass(frozen=True)
class Pieces:
    """A relation between the quantity and two forms, and how many terms these have together."""

    relation: Relation
    unknowns: int


def in_two_pieces(known: Known, quantity: str, degree: int, algebraic: int) -> Pieces | None:
    """Return two forms whose larger or smaller one holds at all members, None if none is found.

    Args: as `fitted`.
    """
    seen: set[str] = set()
    for part in _parts(known):
        first = _form(part, quantity, degree, algebraic)
        if first is None or str(first) in seen:
            continue
        seen.add(str(first))
        rest = [each for each in known if first.holds(*each) is not True]
        second = _form(rest, quantity, degree, algebraic)
        pieces = None if second is None else _together(known, quantity, first, second)
        if pieces is not None:
            return pieces
    return None


def _parts(known: Known) -> Iterator[Known]:
    """Yield members within a range of each parameter, larger parts first, but not all."""
    names = list(known[0][0]) if known else []
    values = {name: sorted({place[name] for place, _ in known}) for name in names}
    parts = {}
    for cuts in product(_EIGHTHS, repeat=len(names)):
        allowed = {
            name: set(values[name][len(values[name]) * a // 8 : -(-len(values[name]) * b // 8)])
            for name, (a, b) in zip(names, cuts)
        }
        places = tuple(at for at, (place, _) in enumerate(known) if all(place[n] in allowed[n] for n in names))
        if len(places) < len(known):
            parts[places] = [known[at] for at in places]
    yield from sorted(parts.values(), key=len, reverse=True)[:_MOST_PARTS]


def _form(part: Known, quantity: str, degree: int, algebraic: int) -> Formula | None:
    """Return a form of some members, or None if there is none or they are too few to tell."""
    try:
        return fitted(part, quantity, degree, algebraic)
    except ModelError:
        return None


def _together(known: Known, quantity: str, first: Formula, second: Formula) -> Pieces | None:
    one, other = (Relation.of(str(each), quantity) for each in (first, second))
    if one.left != other.left or one.left not in (quantity, f"{quantity}_squared"):
        return None  # a form that is an equation of the second degree has no value to compare
    for word in ("max", "min"):
        both = Relation(one.left, "==", f"{word}({one.right}, {other.right})", quantity)
        said = [both.holds(*each) for each in known]
        if False not in said and True in said:
            return Pieces(both, first.unknowns + second.unknowns)
    return None
