"""MQMApprox on a chain whose eigen-gap is 1 by a degenerate spectrum: its noise, and what it leaks,
enclosed.

States are the pairs (X_t, X_(t+1)) of a chain of bits that changes with probability delta: pi =
(1-delta, delta, delta, 1-delta)/2, P P* has the eigenvalues 1, 1, 0, 0, hence g = 1. F counts pairs
whose first bit is 1. Balls (Arb) enclose all; a verdict is drawn only from bounds. Source:
song2017, algorithm 1 and lemma II.3.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING

from pufferproof.claims.language.instances.matrices import eigenvalues, settled
from pufferproof.claims.papers.song2017.mechanism.eigengap import ball, reversed_product, term
from pufferproof.claims.papers.song2017.setting.chains import Rows
from pufferproof.models.errors import SolverError

if TYPE_CHECKING:
    from flint import arb

DELTA = Fraction(1, 100)
LENGTH = 60
EPSILON = 1
DEGENERATE = (
    "one counterexample, from pairs of symmetric chains of bits with delta 1/20 .. 1/1000, T = 50 .. 100, eps 1, 2, 4"
)
Quilt = tuple[int | None, int | None]
_LAW = tuple(x / 2 for x in (1 - DELTA, DELTA, DELTA, 1 - DELTA))
_COUNTED = (0, 0, 1, 1)


def pairs_of_bits() -> Rows:
    """P on the pairs 00, 01, 10, 11."""
    stay, change = 1 - DELTA, DELTA
    zero = Fraction(0)
    to_zero, to_one = (stay, change, zero, zero), (zero, zero, change, stay)
    return (to_zero, to_one, to_zero, to_one)


def quilts(record: int, length: int) -> Iterator[tuple[Quilt, int]]:
    """Yield every quilt of a record as (a, b) with the size of its nearby set."""
    for a in [None, *range(1, record)]:
        for b in [None, *range(1, length - record + 1)]:
            yield (a, b), (a or record) + (b or length - record + 1) - 1


@cache
def scores(record: int, length: int) -> "tuple[arb, Quilt]":
    """Enclose the least score of a record, one-sided quilts by their own term, and name the
    active quilt.
    """
    from flint import arb

    best: tuple[arb, Quilt] = (arb(length) / EPSILON, (None, None))
    for (a, b), size in quilts(record, length):
        left = arb(0) if a is None else 2 * _log_term(a)
        right = arb(0) if b is None else _log_term(b)
        room = EPSILON - left - right
        if not (room > 0 or room <= 0):
            raise SolverError(f"the score of the quilt {(a, b)} of record {record} is not decided")
        if room > 0:
            least = best[0].min(arb(size) / room)
            best = (least, (a, b) if arb(size) / room < best[0] else best[1])
    return best


@cache
def _log_term(distance: int) -> "arb":
    from flint import arb

    ratio = term(distance, min(_LAW), Fraction(1))
    return ratio.log() if ratio.is_finite() else arb(EPSILON)


def scale(records: range, length: int) -> "arb":
    """Enclose sigma_max over some records."""
    best = scores(records[0], length)[0]
    for record in records[1:]:
        found = scores(record, length)[0]
        best = best.max(found)
    return best


def left_tail_ratio(sigma: "arb", record: int, length: int) -> "arb":
    """Enclose E[e^(-F/sigma)|X_i=00] / E[e^(-F/sigma)|X_i=11], the ratio of densities for all w
    <= 0.
    """
    weights = [(-count / sigma).exp() for count in _COUNTED]
    step = [[ball(entry) for entry in row] for row in pairs_of_bits()]
    before = [ball(p) for p in _LAW]
    for _ in range(record - 1):
        before = [sum((before[x] * weights[x] * step[x][y] for x in range(4)), 0 * sigma) for y in range(4)]
    after = [0 * sigma + 1] * 4
    for _ in range(length - record):
        after = [sum((step[x][y] * weights[y] * after[y] for y in range(4)), 0 * sigma) for x in range(4)]
    likelihoods = [before[x] * weights[x] * after[x] / ball(_LAW[x]) for x in range(4)]
    ratio: arb = likelihoods[0] / likelihoods[3]
    return ratio


def leaks_more(search: int = LENGTH) -> bool:
    """Say whether the release of records 1 .. 60 exceeds its level; quilts are searched in 1 ..
    `search`.
    """
    from flint import arb, ctx

    with ctx.workprec(128):
        spectrum = eigenvalues(reversed_product(pairs_of_bits(), _LAW))
        valid = settled(pairs_of_bits()) and spectrum == [(Fraction(1), 2), (Fraction(0), 2)]
        sigma = scale(range(1, LENGTH + 1), search)
        return valid and bool(left_tail_ratio(sigma, LENGTH // 2, LENGTH) > arb(EPSILON).exp())


def two_sided_is_active(record: int = LENGTH // 2, search: int = LENGTH) -> bool:
    """Say whether the active quilt of a record has a node on either side."""
    return None not in scores(record, search)[1]


def evidence() -> dict[str, object]:
    """What a reader needs to repeat it."""
    from flint import ctx

    with ctx.workprec(128):
        sigma = scale(range(1, LENGTH + 1), LENGTH)
        ratio = left_tail_ratio(sigma, LENGTH // 2, LENGTH)
        return {
            "states": "00, 01, 10, 11",
            "P": "pairs of bits that change with probability 1/100",
            "q": "stationary",
            "T": LENGTH,
            "epsilon of MQMApprox": EPSILON,
            "sigma_max": sigma.str(12, radius=False),
            "g": 1,
            "active quilt of X_30 (a, b)": list(scores(LENGTH // 2, LENGTH)[1]),
            "leakage at least": ratio.log().str(12, radius=False),
        }
