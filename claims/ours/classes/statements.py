"""Noise on increasing queries of two-valued chains as programs: every sequence is listed, and the
decay of the noise is rational.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from math import prod
from typing import Any

from pufferproof.claims.language.instances.chains import Path, given_values, varying
from pufferproof.claims.language.instances.frameworks import Row, Rows
from pufferproof.claims.language.instances.laws import ALMOST, HALF, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction


def _row(draws: Draws, below: int = 5) -> F:
    """Return one of 0, 1/4, .., 1."""
    return F(draws.below(below), 4)


def increasing(draws: Draws) -> Instance:
    """A chain of one to four bits from any start, steps that change, most of them with P(1, 1) >=
    P(0, 1); what each record counts, from -1 to 2; a decay; a record.
    """
    count = 1 + draws.below(4)
    steps = []
    for _ in range(count - 1):
        low, high = _row(draws), _row(draws)
        if draws.below(4):
            low, high = min(low, high), max(low, high)
        steps.append([[1 - low, low], [1 - high, high]])
    counted = []
    for _ in range(count):
        first, second = draws.below(3) - 1, draws.below(4) - 1
        if draws.below(4):
            first, second = min(first, second), max(first, second)
        counted.append((first, second))
    return {
        "start": draws.law(2),
        "steps": steps,
        "counted": counted,
        "decay": draws.rate([HALF, F(1, 3)]),
        "record": 1 + draws.below(count),
    }


def _mean(law: Mapping[Path, F], counted: Any, of: Any) -> F:
    values = ((p, sum(each[v] for each, v in zip(counted, x))) for x, p in law.items())
    return sum((p * of(value) for p, value in values), ZERO)


def likelihoods(
    law: Mapping[Path, F], counted: object, decay: F, record: int, outputs: Sequence[int]
) -> list[tuple[F, F]]:
    """Return the likelihoods of outputs given value 0 and given 1 of a record, [] if one of these
    is impossible.
    """
    parts = given_values(law, record)
    if len(parts) < 2:
        return []
    return [
        (
            _mean(parts[0], counted, lambda v, w=w: decay ** abs(w - v)),
            _mean(parts[1], counted, lambda v, w=w: decay ** abs(w - v)),
        )
        for w in outputs
    ]


def boxes(draws: Draws) -> Instance:
    """Ends of a and b, and a chain between them, most of them with a + b <= 1; what each of one to
    four records counts, 0 to 2 for value 1; a decay; a record.
    """
    eighths = [F(n, 8) for n in range(1, 8)]
    a, b = draws.among(eighths), draws.among(eighths)
    if draws.below(4):
        a, b = a / 2, b / 2
    count = 1 + draws.below(4)
    return {
        "least": (a * draws.among([HALF, ONE]), b * draws.among([HALF, ONE])),
        "chain": (a, b),
        "counted": [(0, draws.below(3)) for _ in range(count)],
        "decay": draws.rate([HALF, F(1, 3)]),
        "record": 1 + draws.below(count),
    }


POSITIVE = "a + b <= 1"


def ratio(chain: tuple[F, F], counted: Any, decay: F, record: int, start: Any = None) -> F:
    """Return e to the leakage of a chain, its start stationary unless one is given."""
    a, b = chain
    law = [b / (a + b), a / (a + b)] if start is None else start
    steps = [[[1 - a, a], [b, 1 - b]]] * (len(counted) - 1)
    most = sum(max(each) for each in counted)
    found = likelihoods(varying(law, steps), counted, decay, record, range(most + 1))
    return max((max(zero / one, one / zero) for zero, one in found), default=ONE)


def _at_corner(
    least: tuple[F, F], chain: tuple[F, F], counted: object, decay: F, record: int, factor: F = ONE
) -> bool:
    corner = ratio(least, counted, decay, record)
    return ratio(chain, counted, decay, record) <= factor * corner


CORNER = Statement(
    family=boxes,
    given={POSITIVE: lambda chain, **_: sum(chain) <= 1},
    holds=_at_corner,
    too_strong={"99/100 of the ratio": {"factor": ALMOST}},
    too_weak=[POSITIVE],
)


CHANGES = "P(1, 1) <= P(0, 1) in every step"


def changing(draws: Draws) -> Instance:
    """A chain of one to four bits from any start, steps that change, most of them with P(1, 1) <=
    P(0, 1); one to three disjoint segments with decays; a record.
    """
    found = increasing(draws)
    count = len(found["counted"])
    steps = [step[::-1] for step in found["steps"]]
    ends = [0, *sorted({1 + draws.below(count) for _ in range(3)})]
    segments = [
        (first, last, draws.rate([HALF, F(1, 3)]))
        for first, last in pairwise(ends)
        if draws.below(4)
    ]
    known = {"start": found["start"], "steps": steps, "record": found["record"]}
    return {**known, "segments": segments or [(0, count, HALF)]}


def _alone(
    start: Row,
    steps: Sequence[Rows],
    record: int,
    segments: Sequence[tuple[int, int, F]],
    factor: F = ONE,
    own: bool = False,
) -> bool:
    """Whether likelihoods are within the product of the decays of all segments; `own`, of that of
    the record.
    """
    parts = given_values(varying(start, steps), record)
    if len(parts) < 2:
        return True
    covering = [t for first, last, t in segments if not own or first < record <= last]
    bound = factor / prod(covering, start=ONE)
    for w in product(*(range(last - first + 1) for first, last, _ in segments)):

        def likelihood(x: Path, w: Sequence[int] = w) -> F:
            return prod((t ** abs(n - sum(x[a:b])) for n, (a, b, t) in zip(w, segments)), start=ONE)

        zero, one = (sum((p * likelihood(x) for x, p in parts[v].items()), ZERO) for v in (0, 1))
        if one > bound * zero or zero > bound * one:
            return False
    return True


TURNING = Statement(
    family=changing,
    given={CHANGES: lambda steps, **_: all(step[1][1] <= step[0][1] for step in steps)},
    holds=_alone,
    too_strong={"99/100 of it": {"factor": ALMOST}, "of the segment of X_i": {"own": True}},
    too_weak=[CHANGES],
)
