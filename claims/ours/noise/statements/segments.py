"""Noisy counts of disjoint segments of a sequence of two values: all sequences are listed, and the
odds of both sides are pairs of likelihoods, so that 1 : 0 is one of them.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from pufferproof.claims.language.instances.chains import Path, chain, sequences
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Pair = tuple[F, F]
Matrix = Mapping[tuple[int, int], F]
Segment = tuple[int, int, F]  # first and last record, and the root of the decay of the noise
CUTS = [[(0, 0), (2, 3)], [(0, 1), (2, 2)], [(1, 1), (2, 2), (3, 3)], [(1, 2), (3, 3)], [(0, 3)]]


def counted(draws: Draws) -> Instance:
    """A chain of four bits, zeros and ties at times, in one of eight cases a chain of three values,
    of which two count as one, and in one of eight any law without zeros; one to three disjoint
    segments, each with noise of the decay 1/4 or 1/9; a record.
    """
    case = draws.below(8)
    if case == 7:
        weights = draws.positive_law(16, 2)
        law = dict(zip(product((0, 1), repeat=4), weights))
    elif case == 6:
        rows = [draws.positive_law(3) for _ in range(4)]
        law = {}
        for path, p in sequences(rows[0], rows[1:], 4).items():
            merged = tuple(min(x, 1) for x in path)
            law[merged] = law.get(merged, ZERO) + p
    else:
        law = sequences(*chain(draws, 2, draws.below(4) == 3), 4)
    cuts = draws.among(CUTS)
    return {
        "law": law,
        "segments": [(first, last, F(1, 2 + draws.below(2))) for first, last in cuts],
        "record": draws.below(4),
    }


def _steps(law: Mapping[Path, F]) -> Sequence[Matrix]:
    """Return P(X_(t+1) = y | X_t = x) for every t; of values that are impossible a law at will."""
    steps = []
    for t in range(3):
        both = {(x, y): ZERO for x in (0, 1) for y in (0, 1)}
        for path, p in law.items():
            both[path[t], path[t + 1]] += p
        masses = [both[x, 0] + both[x, 1] for x in (0, 1)]
        steps.append({(x, y): p / masses[x] if masses[x] else F(y) for (x, y), p in both.items()})
    return steps


def _shown(steps: Sequence[Matrix], segment: Segment, w: int, record: int, value: int) -> Matrix:
    """Return the likelihood of w by first and last value of a segment, with a record's value."""
    first, last, t = segment
    found = {(x, y): ZERO for x in (0, 1) for y in (0, 1)}
    for path in product((0, 1), repeat=last - first + 1):
        if first <= record <= last and path[record - first] != value:
            continue
        p = t ** (2 * abs(w - sum(path)))
        for k, (x, y) in enumerate(pairwise(path)):
            p *= steps[first + k][x, y]
        found[path[0], path[-1]] += p
    return found


def _ends(pairs: Sequence[Pair]) -> list[Pair]:
    """Return the least and the largest odds."""
    in_order = sorted(pairs, key=lambda pair: pair[1] / (pair[0] + pair[1]))
    return [in_order[0], in_order[-1]]


def _moved(row: Pair, matrix: Matrix) -> Pair:
    low, high = (row[0] * matrix[0, y] + row[1] * matrix[1, y] for y in (0, 1))
    return low, high


def _back(matrix: Matrix, column: Pair) -> Pair:
    low, high = (matrix[x, 0] * column[0] + matrix[x, 1] * column[1] for x in (0, 1))
    return low, high


def _with_record(segments: Sequence[Segment], record: int) -> tuple[list[Segment], int]:
    """Return the segments in order, a record of none of them as one that shows nothing, and the
    place of that of the record.
    """
    known = [*segments]
    if not any(first <= record <= last for first, last, _ in known):
        known = sorted([*known, (record, record, ONE)])
    return known, [first <= record <= last for first, last, _ in known].index(True)


def _by_odds(law: Mapping[Path, F], segments: Any, record: int, one_end: bool = False) -> F:
    """Return the largest ratio of likelihoods of a record, by the odds of both sides."""
    steps = _steps(law)
    known, own = _with_record(segments, record)
    left = [_alone(law, known[0][0])]
    for one, two in pairwise(known[: own + 1]):
        left = _ends([_across(p, steps, one, two, w) for p in left for w in _outputs(one)])
    right = [(ONE, ONE)]
    for one, two in reversed([*pairwise(known[own:])]):
        right = _ends([_against(q, steps, one, two, w) for q in right for w in _outputs(two)])
    masses = _alone(law, record)
    best = ONE
    for p, q, w in product(left[:1] if one_end else left, right, _outputs(known[own])):
        given = [
            sum(p[x] * m * q[y] for (x, y), m in _shown(steps, known[own], w, record, v).items())
            / masses[v]
            for v in (0, 1)
        ]
        best = max(best, given[0] / given[1], given[1] / given[0])
    return best


def _alone(law: Mapping[Path, F], record: int) -> Pair:
    ones = sum([p for path, p in law.items() if path[record]], ZERO)
    return 1 - ones, ones


def _outputs(segment: Segment) -> range:
    return range(segment[1] - segment[0] + 2)


def _across(p: Pair, steps: Any, one: Segment, two: Segment, w: int) -> Pair:
    """Move what a segment and those before it show to the first record of the next one."""
    p = _moved(p, _shown(steps, one, w, -1, 0))
    for t in range(one[1], two[0]):
        p = _moved(p, steps[t])
    return p


def _against(q: Pair, steps: Any, one: Segment, two: Segment, w: int) -> Pair:
    """Move what a segment and those after it show to the last record of the one before."""
    q = _back(_shown(steps, two, w, -1, 0), q)
    for t in reversed(range(one[1], two[0])):
        q = _back(steps[t], q)
    return q


def _by_definition(law: Mapping[Path, F], segments: Sequence[Segment], record: int) -> F:
    """Return the largest ratio over outputs at halves, beyond the values as well."""
    counts: list[dict[Any, F]] = [{}, {}]
    for path, p in law.items():
        known = tuple(sum(path[first : last + 1]) for first, last, _ in segments)
        here = counts[path[record]]
        here[known] = here.get(known, ZERO) + p
    masses, best = _alone(law, record), ONE
    axes = [range(-1, 2 * (last - first) + 4) for first, last, _ in segments]
    for outputs in product(*axes):
        both = []
        for v in (0, 1):
            total = ZERO
            for n, p in counts[v].items():
                for (_, _, t), w, x in zip(segments, outputs, n):
                    p = p * t ** abs(w - 2 * x)
                total += p
            both.append(total / masses[v])
        best = max(best, both[0] / both[1], both[1] / both[0])
    return best


def _same(factor: F = ONE, one_end: bool = False, **instance: Any) -> bool:
    if not all(_alone(instance["law"], instance["record"])):
        return False
    return bool(factor * _by_definition(**instance) == _by_odds(**instance, one_end=one_end))


def _independent(law: Mapping[Path, F], **_: object) -> bool:
    """Whether records are independent of earlier ones given the one before them."""
    steps = _steps(law)
    for path in product((0, 1), repeat=4):
        p = _alone(law, 0)[path[0]]
        for t, (x, y) in enumerate(pairwise(path)):
            p *= steps[t][x, y]
        if p != law.get(path, ZERO):
            return False
    return True


MARKOV = "given a record, later ones are independent of earlier ones"
SEGMENTS = Statement(
    family=counted,
    given={
        "both values are possible": lambda law, segments, record: all(_alone(law, record)),
        MARKOV: _independent,
    },
    holds=_same,
    too_strong={
        "99/100 of it": {"factor": ALMOST},
        "at the lower end of what the left leaves": {"one_end": True},
    },
    too_weak=[MARKOV],
)
