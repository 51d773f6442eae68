"""Statements on the shapes of local mechanisms: full release behind a record, three
regions on each side.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import at_most
from pufferproof.claims.language.instances.redaction import (
    HIDDEN,
    SHOWN,
    bits,
    leakage,
    local,
    stationary,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def cut(rows: Rows, p: int, t: int) -> Rows:
    """Release t and every record beyond it, seen from p."""
    return [SHOWN if (s - t) * (t - p) >= 0 else row for s, row in enumerate(rows, 1)]


def _cuts(rows: Rows, p: int) -> Iterator[Rows]:
    """Mechanisms that release everything from some distance on, on either side, else as before."""
    for left, right in product([None, *range(1, p)], [None, *range(p + 1, len(rows) + 1)]):
        found = rows if left is None else cut(rows, p, left)
        yield found if right is None else cut(found, p, right)


def middle(side: Rows) -> Rows:
    """Return the rows of a side, from p on, without the (1,1) first and the (0,0) last."""
    rows = [list(row) for row in side]
    while rows and rows[0] == HIDDEN:
        rows.pop(0)
    while rows and rows[-1] == SHOWN:
        rows.pop()
    return rows


def three_regions(side: Rows, changes: Sequence[bool]) -> bool:
    """Whether a side is (1,1), then shows one value of each record, q > 0, then is (0,0);
    changes[d] says whether that value changes at the step to distance d + 1.
    """
    start = next((d for d, row in enumerate(side) if [*row] != HIDDEN), 0)
    value = None
    for d, (zero, one) in enumerate(middle(side), start):
        if not (zero > 0 and one > 0 and 1 in (zero, one)):
            return False
        if value is not None and changes[d]:
            value = 1 - value
        if min(zero, one) < 1:
            if value not in (None, shown_value := int(zero == 1)):
                return False
            value = shown_value
    return True


def sides(rows: Rows, p: int) -> tuple[Rows, Rows]:
    """Return the rows of both sides, from p on."""
    return [*reversed(rows[: p - 1])], rows[p:]


def _some(
    law: Mapping[tuple[int, ...], F],
    rows: Rows,
    p: int,
    changes: tuple[Sequence[bool], Sequence[bool]],
) -> bool:
    """Whether some of the cuts has three regions on both sides and leaks no more."""
    level = leakage(law, rows, [p])
    return any(
        all(map(three_regions, sides(each, p), changes)) and at_most(leakage(law, each, [p]), level)
        for each in _cuts(rows, p)
    )


def mechanism(draws: Draws, signs: str = "+-+-0", ordered: bool = False) -> Instance:
    """A stationary chain of one to four bits with any eigenvalue, a and b in any order and a = b
    often, a private record, redacted at seven of eight, and a local mechanism.
    """
    of, n = bits(draws, signs, ordered), 1 + draws.below(4)
    p = 1 + draws.below(n)
    return {"of": of, "p": p, "rows": local(draws, n, [p] if draws.below(8) < 7 else [])}


def _shaped(of: Any, p: int, rows: Rows, alternates: bool = True) -> bool:
    changes = [alternates and sum(of) > 1] * len(rows)
    return _some(stationary(of, len(rows)), rows, p, (changes, changes))


THREE_REGIONS = Statement(
    family=mechanism,
    holds=_shaped,
    too_strong={"the same value for lam < 0, too": {"alternates": False}},
)


def _without_middle(of: Any, p: int, rows: Rows) -> bool:
    law = stationary(of, len(rows))
    level = leakage(law, rows, [p])
    return any(
        not any(middle(side) for side in sides(each, p)) and at_most(leakage(law, each, [p]), level)
        for each in _cuts(rows, p)
    )


NO_MEMORY = "lam = 0"
NO_MIDDLE = Statement(
    family=mechanism,
    given={NO_MEMORY: lambda of, p, rows: sum(of) == 1},
    holds=_without_middle,
    too_weak=[NO_MEMORY],
)
