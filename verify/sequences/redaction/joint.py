"""Exact leakage of a local redaction mechanism about several records of a binary Markov chain
together, in linear time.

    e^leakage = max over outputs y and values a != a' of P(Y = y | X_A = a) / P(Y = y | X_A = a'),

for a set A of private records. Given X_A the stretches between neighbouring private records are
independent, and in each only the outermost released records matter (`_events`). The largest ratio
is then a largest product along A. Source of the setting: massny2025, footnote 1, which asks for one
mechanism for several records.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable, listed
from pufferproof.models.numbers.proportions import integers
from pufferproof.models.sequences.binary import BinaryChain, Pair, private_records
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.sequences.redaction.leakage import (
    NearRatio,
    completed_output,
    larger,
    left_side,
    right_side,
    toward,
)
from pufferproof.verify.sequences.redaction.sides import SideRatios, exceeds

RESTS_ON = ("song2017.x-markov",)
Matrix = tuple[tuple[int, ...], tuple[int, ...]]
Ends = tuple[int, int]  # (x, x'): a private record's value above and below the fraction bar
Reached = tuple[Fraction, dict[int, str]]  # a ratio, and what is shown where it is reached
# by last ends, and whether values differ yet
Paths = dict[tuple[Ends, bool], tuple[list[Ends], Fraction, dict[int, str]]]
# above, below, and which (distance, value) are released
Event = tuple[int, int, tuple[tuple[int, int], ...]]
_ENDS: tuple[Ends, ...] = ((0, 0), (0, 1), (1, 0), (1, 1))


@dataclass(frozen=True, repr=False)
class JointRedactionLeakage(Readable):
    """What a local redaction mechanism leaks about the records `private` together.

    `output` is where P(output | X_A = likelier) / P(output | X_A = other) is the leakage ratio.
    """

    private: tuple[int, ...]
    leakage: Leakage
    likelier: tuple[int, ...]
    other: tuple[int, ...]
    output: str

    def __str__(self) -> str:
        records = listed([str(record) for record in self.private], quote=False)
        given = (
            f"values {listed([str(v) for v in self.likelier], False)} against "
            f"{listed([str(v) for v in self.other], False)}"
        )
        return f"leakage {self.leakage} about records {records}, at output {listed([self.output])} for {given}"


def joint_redaction_leakage(
    chain: BinaryChain, mechanism: LocalRedaction, private: int | Iterable[int]
) -> JointRedactionLeakage:
    """Return the leakage about X_A, the largest over all pairs of different values of all of A, and
    where it is reached.

    >>> chain = BinaryChain("1/4", "1/2", 3)
    >>> largest = joint_redaction_leakage(chain, LocalRedaction([[1, 1], [0, 0], [1, 1]]), [1, 3])
    >>> largest.leakage.ratio, largest.likelier, largest.other, largest.output
    (Fraction(11, 3), (1, 1), (0, 0), '*1*')

    Raises `ModelError` unless sizes fit and both values of every private record have positive
    probability.
    """
    chain = check_type(chain, BinaryChain, "chain")
    mechanism = check_type(mechanism, LocalRedaction, "mechanism")
    chosen = private_records(private, chain.length)
    mechanism.fits(chain)
    for record in chosen:
        if 0 in chain.law(record):
            raise ModelError(f"nothing to check: a value of record {record} has probability 0", "private")
        if min(mechanism.rows[record - 1]) < 1:
            value = 0 if mechanism.rows[record - 1][0] < 1 else 1
            likelier = tuple(value if p == record else 0 for p in chosen)
            other = tuple(1 - value if p == record else 0 for p in chosen)
            shown = {p: "*" if mechanism.rows[p - 1][0] else "0" for p in chosen} | {record: str(value)}
            return JointRedactionLeakage(
                chosen, Leakage.of(None), likelier, other, completed_output(chain, mechanism.rows, shown)
            )
    left = left_side(chain, mechanism.rows, chosen[0], None)
    right = right_side(chain, mechanism.rows, chosen[-1], None)
    best: Paths = {(ends, ends[0] != ends[1]): ([ends], *_outside(left, ends, chosen[0], -1)) for ends in _ENDS}
    for near, far in pairwise(chosen):
        best = _extended(best, _stretches(chain, mechanism.rows, near, far))
    paths = []
    for (ends, different), (values, ratio, shown) in best.items():
        if different:
            last, seen = _outside(right, ends, chosen[-1], 1)
            paths.append((ratio * last, values, shown | seen))
    ratio, values, shown = max(paths, key=lambda path: path[0])
    joint = NearRatio(ratio, max(left.slacks)).times(NearRatio(Fraction(1), max(right.slacks)))
    output = completed_output(chain, mechanism.rows, shown)
    above, below = zip(*values)
    return JointRedactionLeakage(chosen, larger(joint), above, below, output)


def _outside(side: SideRatios, ends: Ends, private: int, direction: int) -> Reached:
    """Return the largest ratio beyond the first or last private record, given its two values."""
    reach = side.smallest if ends == (1, 0) else side.largest
    ratio = Fraction(1) if ends[0] == ends[1] else toward(side, ends[0]).ratio
    return ratio, {private + direction * reach[2][0]: str(reach[2][1])} if reach[2] else {}


def _extended(best: Paths, stretches: dict[tuple[Ends, Ends], Reached]) -> Paths:
    """Extend the best paths by one stretch."""
    longer: Paths = {}
    for ((ends, different), (values, ratio, shown)), following in product(best.items(), _ENDS):
        step, seen = stretches[ends, following]
        key = following, different or following[0] != following[1]
        if key not in longer or ratio * step > longer[key][1]:
            longer[key] = [*values, following], ratio * step, shown | seen
    return longer


def _stretches(chain: BinaryChain, rows: Sequence[Pair], near: int, far: int) -> dict[tuple[Ends, Ends], Reached]:
    """Return the largest ratio of P(Y between | x, x') over outputs, for two values at an end."""
    between = rows[near : far - 1]
    before, silent = _redacted(chain, between)
    after = [_transposed(matrix) for matrix in reversed(_redacted(chain, between[::-1], backwards=True)[0])]
    bridge = chain.power(far - near)
    largest = {}
    for start, end in product(_ENDS, repeat=2):
        best: Event | None = None
        for event in _events(between, before, after, silent, start, end):
            if best is None or exceeds((*event[:2], None), (*best[:2], None)):
                best = event
        if best is None:
            raise AssertionError("every stretch has an event")
        correction = bridge[start[1]][end[1]] / bridge[start[0]][end[0]]
        shown = {near + distance: str(value) for distance, value in best[2]}
        largest[start, end] = Fraction(best[0], best[1]) * correction, shown
    return largest


def _redacted(chain: BinaryChain, rows: Sequence[Pair], backwards: bool = False) -> tuple[list[Matrix], Matrix]:
    """Return P D_1 P .. D_(d-1) P for d = 1 .. count as integers, and the whole product."""
    a, b, c, d = integers([entry for row in chain.transition for entry in row])
    step: Matrix = ((a, b), (c, d))
    matrix = step = _transposed(step) if backwards else step
    matrices = []
    for row in rows:
        matrices.append(matrix)
        zero, one = integers(row)
        weighted = (zero * step[0][0], zero * step[0][1]), (one * step[1][0], one * step[1][1])
        matrix = _times(matrix, weighted)
    return matrices, matrix


def _events(
    rows: Sequence[Pair], before: list[Matrix], after: list[Matrix], silent: Matrix, start: Ends, end: Ends
) -> Iterator[Event]:
    """Yield every event of a stretch with its two likelihoods, up to the probabilities of the
    ends.

    The likelihood of a stretch is a product of a part that depends on its left end and one that
    depends on its right end, or, if at most one record is released, one number for each pair of
    ends.
    """
    (x, other_x), (y, other_y) = start, end
    if silent[0][0]:
        yield silent[x][y], silent[other_x][other_y], ()
    first: Event | None = None
    for distance, (row, head, tail) in enumerate(zip(rows, before, after), 1):
        values = [value for value in (0, 1) if row[value] < 1]
        if first is not None and tail[0][0]:
            for value in values:
                shown = (*first[2], (distance, value))
                yield first[0] * tail[value][y], first[1] * tail[value][other_y], shown
        for value in values if head[0][0] else ():
            event = head[x][value], head[other_x][value], ((distance, value),)
            if tail[0][0]:
                yield event[0] * tail[value][y], event[1] * tail[value][other_y], event[2]
            if first is None or exceeds((*event[:2], None), (*first[:2], None)):
                first = event


def _transposed(matrix: Matrix) -> Matrix:
    return (matrix[0][0], matrix[1][0]), (matrix[0][1], matrix[1][1])


def _times(left: Matrix, right: Matrix) -> Matrix:
    columns = _transposed(right)
    first, second = (tuple(row[0] * column[0] + row[1] * column[1] for column in columns) for row in left)
    return first, second
