"""Releases of blocks of a sequence of two or three values: all sequences are listed, and what the
outputs of later and of earlier blocks can show is thinned to its extreme rays.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from pufferproof.claims.language.instances.chains import Path, chain, sequences
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Vector = tuple[F, ...]
Matrix = Sequence[Sequence[F]]
Block = tuple[int, int]  # the first record, and one after the last
CUTS = [[(0, 1), (1, 4)], [(0, 2), (2, 4)], [(0, 1), (1, 2), (2, 4)], [(0, 2), (2, 3), (3, 4)]]


def released(draws: Draws) -> Instance:
    """A chain of four records of two or three values, zeros and ties at times, in one of six cases
    any law of bits; two or three blocks, each with two outputs, or three, of any likelihoods; a
    record.
    """
    if draws.below(6) == 5:
        size, law = 2, dict(zip(product((0, 1), repeat=4), draws.positive_law(16, 2)))
    else:
        start, step = chain(draws, 3, draws.below(4) == 3)
        size, law = len(start), sequences(start, step, 4)
    blocks = draws.among(CUTS)
    outputs = [
        [
            {path: F(1 + draws.below(4)) for path in product(range(size), repeat=last - first)}
            for _ in range(2 + draws.below(2))
        ]
        for first, last in blocks
    ]
    record = draws.below(4)
    return {"law": law, "size": size, "blocks": blocks, "outputs": outputs, "record": record}


def _steps(law: Mapping[Path, F], size: int) -> list[Matrix]:
    """Return P(X_(t+1) = y | X_t = x) for every t; of values that are impossible a law at will."""
    steps: list[Matrix] = []
    for t in range(3):
        both = [[ZERO] * size for _ in range(size)]
        for path, p in law.items():
            both[path[t]][path[t + 1]] += p
        steps.append([[p / sum(row) if sum(row) else F(1, size) for p in row] for row in both])
    return steps


def _shown(
    steps: Sequence[Matrix], block: Block, likely: Mapping[Path, F], fixed: Sequence[int] | None
) -> Matrix:
    """Return the likelihood of an output by first and last value of a block; `fixed`: the place in
    it of the record, and its value.
    """
    size = len(steps[0])
    found = [[ZERO] * size for _ in range(size)]
    for path, p in likely.items():
        if fixed is None or path[fixed[0]] == fixed[1]:
            for k, (x, y) in enumerate(pairwise(path)):
                p *= steps[block[0] + k][x][y]
            found[path[0]][path[-1]] += p
    return found


def _back(matrix: Matrix, column: Vector) -> Vector:
    return tuple(sum((p * q for p, q in zip(row, column)), ZERO) for row in matrix)


def _moved(row: Vector, matrix: Matrix) -> Vector:
    return _back([*zip(*matrix)], row)


def _form(row: Vector, matrix: Matrix, column: Vector) -> F:
    return sum((p * q for p, q in zip(row, _back(matrix, column))), ZERO)


def _rays(vectors: Sequence[Vector]) -> list[Vector]:
    """Return vectors of which all are sums with weights that are not negative: of two numbers the
    two ends, of three the corners of the hull in a plane.
    """
    points = sorted({tuple(x / sum(each) for x in each) for each in vectors})
    if len(points) < 3 or len(points[0]) == 2:
        return [points[0], points[-1]] if len(points) > 1 else points
    return [*_side(points)[:-1], *_side(points[::-1])[:-1]]


def _side(points: Sequence[Vector]) -> list[Vector]:
    kept: list[Vector] = []
    for x in points:
        while len(kept) > 1 and _turn(kept[-2], kept[-1], x) <= 0:
            kept.pop()
        kept.append(x)
    return kept


def _turn(a: Vector, b: Vector, c: Vector) -> F:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _masses(law: Mapping[Path, F], size: int, record: int) -> Vector:
    return tuple(sum((p for x, p in law.items() if x[record] == v), ZERO) for v in range(size))


def _largest(given: Sequence[F]) -> F:
    return max(given) / min(given)


def _by_rays(
    law: Mapping[Path, F], size: int, blocks: Any, outputs: Any, record: int, dropped: bool = False
) -> F:
    """Return the largest ratio at rays of both sides; `dropped`, without the first of the right."""
    steps, masses = _steps(law, size), _masses(law, size, record)
    own = next(k for k, (first, last) in enumerate(blocks) if first <= record < last)
    left = [_masses(law, size, 0)]
    for block, seen in zip(blocks[:own], outputs):
        maps = [_shown(steps, block, each, None) for each in seen]
        left = _rays([_moved(_moved(a, m), steps[block[1] - 1]) for a in left for m in maps])
    right: list[Vector] = [(ONE,) * size]
    for block, seen in zip(blocks[:own:-1], outputs[:own:-1]):
        maps = [_shown(steps, block, each, None) for each in seen]
        right = _rays([_back(steps[block[0] - 1], _back(m, b)) for b in right for m in maps])
    best, first = ONE, blocks[own][0]
    for seen in outputs[own]:
        known = {
            v: _shown(steps, blocks[own], seen, (record - first, v))
            for v in range(size)
            if masses[v]
        }
        for a, b in product(left, right[1:] if dropped else right):
            best = max(best, _largest([_form(a, m, b) / masses[v] for v, m in known.items()]))
    return best


def _by_definition(
    law: Mapping[Path, F],
    size: int,
    blocks: Sequence[Block],
    outputs: Sequence[Sequence[Mapping[Path, F]]],
    record: int,
) -> F:
    """Return the largest ratio over all outputs, by the law of the sequence."""
    masses, best = _masses(law, size, record), ONE
    for chosen in product(*outputs):
        given = [ZERO] * size
        for x, p in law.items():
            for (first, last), likely in zip(blocks, chosen):
                p = p * likely[x[first:last]]
            given[x[record]] += p
        best = max(best, _largest([p / m for p, m in zip(given, masses) if m]))
    return best


def _same(factor: F = ONE, dropped: bool = False, **instance: Any) -> bool:
    return bool(factor * _by_definition(**instance) == _by_rays(**instance, dropped=dropped))


def _independent(law: Mapping[Path, F], size: int, **_: object) -> bool:
    """Whether records are independent of earlier ones given the one before them."""
    steps, start = _steps(law, size), _masses(law, size, 0)
    for path in product(range(size), repeat=4):
        p = start[path[0]]
        for t, (x, y) in enumerate(pairwise(path)):
            p *= steps[t][x][y]
        if p != law.get(path, ZERO):
            return False
    return True


MARKOV = "given a record, later ones are independent of earlier ones"
BLOCKS = Statement(
    family=released,
    given={MARKOV: _independent},
    holds=_same,
    too_strong={
        "99/100 of it": {"factor": ALMOST},
        "without a ray of the right": {"dropped": True},
    },
    too_weak=[MARKOV],
)
