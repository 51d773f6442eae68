"""Statements on leakages: messages and events of one side."""

from collections.abc import Sequence
from itertools import pairwise, product
from math import prod

from pufferproof.claims.language.instances.frameworks import Rows
from pufferproof.claims.language.instances.laws import ONE, ZERO
from pufferproof.claims.language.instances.redaction import (
    CHANCES,
)
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Step = Sequence[Sequence[F]]
Pair = tuple[F, F]


def several_steps(draws: Draws) -> Instance:
    """One to three steps of a chain of bits, which often differ, with probabilities in (0, 1) and
    determinants of either sign and 0, and for each record a row of up to three symbols for each
    value, with zeros; they are the records behind a record, near ones first. One time in eight an
    entry of a step is 0.
    """
    number = 1 + draws.below(3)
    steps: list[Step] = []
    while len(steps) < number:
        law = draws.law if draws.below(8) == 7 else draws.positive_law
        steps.append(steps[-1] if steps and draws.whether() else [law(2, 3), law(2, 3)])
    size = 1 + draws.below(3)
    return {"steps": steps, "shown": [draws.rows(2, size, 3) for _ in range(number)]}


def _behind(steps: Sequence[Step], shown: Sequence[Rows]) -> list[Pair]:
    """P(y | X = 0), P(y | X = 1) for every output y of the records behind X, all paths summed."""
    pairs = []
    for y in product(range(len(shown[0][0])) if shown else (), repeat=len(steps)):
        pair = []
        for start in (0, 1):
            total = ZERO
            for path in product((0, 1), repeat=len(steps)):
                total += prod(
                    step[u][v] * rows[v][symbol]
                    for step, rows, symbol, (u, v) in zip(steps, shown, y, pairwise((start, *path)))
                )
            pair.append(total)
        pairs.append((pair[0], pair[1]))
    return pairs


def _ratios(pairs: Sequence[Pair]) -> list[F]:
    return [one / other for one, other in pairs if one and other]


def _passed(steps: Sequence[Step], shown: Sequence[Rows], signed: bool = False) -> bool:
    """Whether both extremes at a record are images of the extremes at the next one, under its
    symbols; `signed`: in the same order.
    """
    extremes = [ONE]
    for place in range(len(steps) - 1, -1, -1):
        step, rows = steps[place], shown[place]
        every = _ratios(_behind(steps[place:], shown[place:]))
        images = [
            [(step[u][0] * rows[0][s] * ratio + step[u][1] * rows[1][s]) for u in (0, 1)]
            for s in range(len(rows[0]))
            if rows[0][s] or rows[1][s]
            for ratio in ([max(extremes)] if signed else extremes)
        ]
        found = _ratios([(one, other) for one, other in images])
        if not found or max(found) != max(every) or (not signed and min(found) != min(every)):
            return False
        extremes = [min(every), max(every)]
    return True


POSITIVE = "every transition probability is in (0, 1)"
MESSAGES = Statement(
    family=several_steps,
    given={
        POSITIVE: lambda steps, shown: all(p > 0 for step in steps for row in step for p in row)
    },
    holds=_passed,
    too_strong={"the largest is the image of the largest for lam < 0, too": {"signed": True}},
)


def one_side(draws: Draws) -> Instance:
    """The step of a chain of two or three values with zeros, one to three records of a side with
    the probabilities r_d(z) that they are redacted, and two values of X_p.
    """
    size, number = 2 + draws.below(2), 1 + draws.below(3)
    step = draws.rows(size, size, 3)
    hidden = [[draws.among(CHANCES) for _ in range(size)] for _ in range(number)]
    x = draws.below(size)
    return {"step": step, "hidden": hidden, "x": x, "z": (x + 1 + draws.below(size - 1)) % size}


def _outputs(step: Step, hidden: Rows, x: int) -> dict[tuple[int, ...], F]:
    """P(y | X_p = x) for every output y of the side, -1 for *."""
    law: dict[tuple[int, tuple[int, ...]], F] = {(x, ()): ONE}
    for row in hidden:
        following: dict[tuple[int, tuple[int, ...]], F] = {}
        for (u, y), p in law.items():
            for v, q in enumerate(step[u]):
                for symbol, chance in ((-1, row[v]), (v, 1 - row[v])):
                    key = (v, (*y, symbol))
                    following[key] = following.get(key, ZERO) + p * q * chance
        law = following
    found: dict[tuple[int, ...], F] = {}
    for (_, y), p in law.items():
        found[y] = found.get(y, ZERO) + p
    return found


def _events(step: Step, hidden: Rows, x: int, reset: bool = False) -> list[F]:
    """The probabilities of the events (d, z) and of nothing, by M_1 = P, M_(d+1) = M_d diag(r_d)
    P.
    """
    row, found, size = list(step[x]), [], len(step)
    for d, chances in enumerate(hidden):
        found += [row[z] * (1 - chances[z]) for z in range(size)]
        kept = [row[z] * (ONE if reset else chances[z]) for z in range(size)]
        if d == len(hidden) - 1:
            found.append(sum(kept, ZERO))
        row = [sum((kept[u] * step[u][z] for u in range(size)), ZERO) for z in range(size)]
    return found


def _quotients(left: Sequence[F], right: Sequence[F]) -> set[F | None]:
    return {p / q if q else None for p, q in zip(left, right) if p or q}


def _same(step: Step, hidden: Rows, x: int, z: int, reset: bool = False) -> bool:
    one, other = _outputs(step, hidden, x), _outputs(step, hidden, z)
    keys = [*one, *(y for y in other if y not in one)]
    outputs = _quotients(*([law.get(y, ZERO) for y in keys] for law in (one, other)))
    return outputs == _quotients(_events(step, hidden, x, reset), _events(step, hidden, z, reset))


EVENTS = Statement(
    family=one_side,
    holds=_same,
    too_strong={"without the factors r_d": {"reset": True}},
    always="both sides are sums over the same paths, an identity of their entries",
)
