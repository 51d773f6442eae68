"""Statements on the shapes of local mechanisms: more redaction, full release behind a record, three
regions on each side.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from pufferproof.claims.language.instances.chains import Step, varying
from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import ONE, at_most
from pufferproof.claims.language.instances.redaction import (
    HIDDEN,
    SHOWN,
    bits,
    leakage,
    local,
    pointwise,
    quotients,
    stationary,
    stepped,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def any_steps(draws: Draws, zeros: bool = True) -> Instance:
    """One to four bits of a chain whose steps may differ, with zeros, ties and steps of
    determinant 0, a private record, which is redacted at seven of eight, and a local mechanism.
    """
    n = 1 + draws.below(4)
    law = draws.law if zeros else draws.positive_law
    steps: list[Step] = []
    while len(steps) < n - 1:
        steps.append(steps[-1] if steps and draws.whether() else [law(2), law(2)])
    p = 1 + draws.below(n)
    return {
        "law": varying(law(2), steps),
        "steps": steps,
        "rows": local(draws, n, [p] if draws.below(8) < 7 else []),
        "p": p,
    }


def cut_at(draws: Draws) -> Instance:
    """One to four bits of a chain whose steps may differ, with zeros, ties and steps of
    determinant 0, a private record p, which is redacted at seven of eight, a local mechanism and
    another record t, if there is one.
    """
    drawn = any_steps(draws)
    del drawn["steps"]
    others = [t for t in range(1, len(drawn["rows"]) + 1) if t != drawn["p"]]
    return drawn | {"t": draws.among(others) if others else drawn["p"]}


def cut(rows: Rows, p: int, t: int) -> Rows:
    """Release t and every record beyond it, seen from p."""
    return [SHOWN if (s - t) * (t - p) >= 0 else row for s, row in enumerate(rows, 1)]


BOTH = "r_t(0), r_t(1) < 1, or one of them is 0"
CUT = Statement(
    family=cut_at,
    edges=[
        {"law": stationary((F(1, 4), F(1, 2)), 2), "rows": [HIDDEN, [F(1, 2), ONE]], "p": 1, "t": 2}
    ],
    given={
        "t is not p": lambda law, rows, p, t: t != p,
        BOTH: lambda law, rows, p, t: max(rows[t - 1]) < 1 or 0 in rows[t - 1],
    },
    holds=lambda law, rows, p, t, releasing_records_between=False: at_most(
        leakage(law, cut(rows, p, _beside(p, t) if releasing_records_between else t), [p]),
        leakage(law, rows, [p]),
    ),
    too_strong={"releasing the records between, too": {"releasing_records_between": True}},
    too_weak=[BOTH],
)


def _beside(p: int, t: int) -> int:
    """The record next to p, on the side of t."""
    return p + 1 if t > p else p - 1


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


def with_regions(draws: Draws) -> Instance:
    """A stationary chain of two to five bits with an eigenvalue other than 0, a and b in any order,
    a private record, and a mechanism that has three regions on each side; s, the share of the level
    at which the leakage is compared.
    """
    of, n = bits(draws, "++-", ordered=False), 2 + draws.below(4)
    p = 1 + draws.below(n)
    rows = [HIDDEN for _ in range(n)]
    value = draws.below(2)
    for side in (range(p - 2, -1, -1), range(p, n)):
        first, last, shown = draws.below(3), draws.below(4), value
        for d, place in enumerate(side):
            if d >= first:
                q = draws.among([F(1, 2), F(1, 8), F(3, 4), ONE if d > first else F(1, 2)])
                row = [ONE, q] if shown else [q, ONE]
                rows[place] = SHOWN if d > first + last else row
                shown ^= sum(of) > 1
    R = leakage(stationary(of, n), rows, [p])
    return {"of": of, "p": p, "rows": rows, "R": (R or ONE) * draws.among([ONE, F(9, 10), F(2)])}


def _near(rows: Rows, seen: Sequence[int]) -> int | None:
    return next((t for t in seen if [*rows[t - 1]] != HIDDEN), None)


def _extreme(of: Any, p: int, rows: Rows, factor: F = ONE) -> bool:
    """Whether on each side the ratio is most extreme, in the direction of that of the first value
    that can be shown, exactly at e^i of this value.
    """
    law = stationary(of, len(rows))
    for seen in (range(p - 1, 0, -1), range(p + 1, len(rows) + 1)):
        t = _near(rows, seen)
        for v in (0, 1):
            if t is None or rows[t - 1][v] == 1:
                continue
            zero, one = (row[v] for row in stepped(of, abs(t - p)))
            direction = ((0,), (1,)) if zero > one else ((1,), (0,))
            influence = pointwise(of, abs(t - p), v)
            found = quotients(law, rows, [p], seen)[direction]
            if influence is None or found != factor * influence:
                return False
    return True


def _levels(of: Any, p: int, rows: Rows, R: F, published: bool = False) -> bool:
    """Whether R is kept iff the two conditions hold, where both sides show the value 0 first;
    the published family asks for more.
    """
    sides = (range(p - 1, 0, -1), range(p + 1, len(rows) + 1))
    first = [_near(rows, seen) for seen in sides]
    if sum(of) > 1 or [*rows[p - 1]] != HIDDEN or None in first:
        return True
    if not all(t is not None and rows[t - 1][0] < 1 == rows[t - 1][1] for t in first):
        return True
    law = stationary(of, len(rows))
    near = [pointwise(of, abs((t or p) - p), 0) or ONE for t in first]
    far = [quotients(law, rows, [p], seen)[(1,), (0,)] or ONE for seen in sides]
    if published:
        far = [max(pair) for pair in zip(near, far)]
    kept = at_most(leakage(law, rows, [p]), R)
    return kept == (near[0] * near[1] <= R and far[0] * far[1] <= R)


SIDE_LEVELS = Statement(
    family=with_regions,
    holds=lambda of, p, rows, R, by=_levels, at=False: (
        _extreme(of, p, rows) and by(of, p, rows, (F(99, 100) if at else R))
    ),
    too_strong={"at 99/100 of e^i": {"by": _extreme, "at": True}},
)
