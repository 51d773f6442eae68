"""Symmetries of a framework: permutations of the databases that permute the laws T and leave cones of columns as they are.

If such a permutation carries (mu, nu) to (mu', nu') then the worst cases of both are equal, so that one ordered pair of laws
per orbit is enough. For a stationary chain of bits that treats 0 and 1 alike, these are the flip of all bits and the reversal.

Permutations are found by backtracking along invariants of pairs of databases, and checked exactly. One that is missed costs
time, never correctness.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from pufferproof.lp.cones import Cone, OrderedLaws, Vector

_MAX_SIZE = 128
_MAX_STEPS = 20_000
Permutation = tuple[int, ...]  # the image of every database, by position


class Symmetries:
    """The permutations of positions that carry laws to laws, and rows of each cone to rows of it."""

    def __init__(self, laws: Sequence[OrderedLaws], cones: Sequence[Cone]) -> None:
        self.size = len(laws[0].mu)
        self.laws = [(law.mu, law.nu) for law in laws]
        self._known = frozenset(self.laws)
        self._rows = [frozenset(rows) for cone in dict.fromkeys(cones) for rows in (cone.inequalities, _both(cone))]
        self._invariants = self._pair_invariants() if self.size <= _MAX_SIZE else {}

    def _pair_invariants(self) -> dict[tuple[int, int], Counter[object]]:
        """Return, for any two databases, how often which two entries occur at them in a law or a row."""
        found: dict[tuple[int, int], Counter[object]] = {}
        lists: list[tuple[int, Sequence[object]]] = [(-1, list(zip(*law))) for law in self.laws]
        lists += [(kind, row) for kind, rows in enumerate(self._rows) for row in rows]
        for kind, entries in lists:
            support = [x for x, entry in enumerate(entries) if entry not in (0, (0, 0))]
            for x in support:
                for y in support:
                    found.setdefault((x, y), Counter())[kind, entries[x], entries[y]] += 1
        return found

    def carrying(self, first: int, second: int) -> Permutation | None:
        """Return a symmetry that carries one law to another, None if there is none or the search for one is too long."""
        if self.size > _MAX_SIZE:
            return None
        source, target = (list(zip(*self.laws[k])) for k in (first, second))
        allowed = [[y for y in range(self.size) if source[x] == target[y]] for x in range(self.size)]
        stack: list[tuple[list[int], Iterator[int]]] = [([], iter(allowed[0]))]
        steps = 0
        while stack and steps < _MAX_STEPS:
            images, choices = stack[-1]
            image = next(choices, None)
            steps += 1
            if image is None:
                stack.pop()
            elif self._fits(images, image):
                extended = [*images, image]
                if len(extended) < self.size:
                    stack.append((extended, iter(allowed[len(extended)])))
                elif self._preserves(tuple(extended)):
                    return tuple(extended)
        return None

    def _fits(self, images: list[int], image: int) -> bool:
        """Say whether the next database may go to `image`, those before it having gone to `images`."""
        x, held = len(images), self._invariants
        if image in images or held.get((x, x)) != held.get((image, image)):
            return False
        return all(held.get((x, y)) == held.get((image, z)) for y, z in enumerate(images))

    def _preserves(self, images: Permutation) -> bool:
        """Check that laws go to laws and rows to rows, exactly."""
        if any((moved(mu, images), moved(nu, images)) not in self._known for mu, nu in self.laws):
            return False
        return all(moved(row, images) in rows for rows in self._rows for row in rows)


def moved(vector: Sequence[int], images: Permutation) -> Vector:
    """Return the vector with its entry at x moved to images[x]."""
    result = [0] * len(vector)
    for x, entry in enumerate(vector):
        result[images[x]] = entry
    return tuple(result)


def _both(cone: Cone) -> list[Vector]:
    """Return the equations with either sign."""
    return [*cone.equations, *(tuple(-entry for entry in row) for row in cone.equations)]
