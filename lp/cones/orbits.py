"""Orbits of the ordered laws of a framework under its symmetries, with the symmetries that carry
one law to another.

A permutation of the databases that maps the laws T and the cones of columns to themselves maps
columns of mechanisms within a budget to such columns. So the ratio <mu, u o v> / <nu, u o v> has
the same maximum for all (mu, nu) of one orbit, and a certificate for one becomes one for the others
by renaming databases. This file also finds the symmetries of a framework.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pufferproof.lp.cones.columns import Columns, Cone, OrderedLaws, Vector

_MAX_SIZE = 128
_MAX_STEPS = 100_000  # of all searches together
Permutation = tuple[int, ...]  # the image of every database, by position


class Symmetries:
    """The permutations of positions that carry laws to laws and rows of cones to rows."""

    def __init__(self, laws: Sequence[OrderedLaws], cones: Sequence[Cone]) -> None:
        self.size = len(laws[0].mu)
        self.laws = [(law.mu, law.nu) for law in laws]
        self._place = {law: k for k, law in enumerate(self.laws)}
        self._shapes = [sorted(zip(*law)) for law in self.laws]
        self._steps = _MAX_STEPS
        self._rows = [frozenset(rows) for cone in dict.fromkeys(cones) for rows in (cone.inequalities, _both(cone))]
        self._invariants = self._pair_invariants() if self.size <= _MAX_SIZE else {}

    def _pair_invariants(self) -> dict[tuple[int, int], Counter[object]]:
        """Return, for any two databases, how often each pair of entries occurs at them."""
        counts: dict[tuple[int, int], Counter[object]] = {}
        lists: list[tuple[int, Sequence[object]]] = [(-1, list(zip(*law))) for law in self.laws]
        lists += [(kind, row) for kind, rows in enumerate(self._rows) for row in rows]
        for kind, entries in lists:
            support = [x for x, entry in enumerate(entries) if entry not in (0, (0, 0))]
            for x in support:
                for y in support:
                    counts.setdefault((x, y), Counter())[kind, entries[x], entries[y]] += 1
        return counts

    def orbits(self) -> list[dict[int, Permutation]]:
        """Partition the laws: each part maps its laws, the first one first, to a symmetry that
        carries the first one there.

        Symmetries that were found act on all laws, so that a search is only made for laws that none
        of them reaches.
        """
        orbits: list[dict[int, Permutation]] = []
        owner: dict[int, int] = {}
        generators: list[tuple[Permutation, list[int]]] = []
        for k in range(len(self.laws)):
            if k in owner:
                continue
            carried = next(filter(None, (self.carrying(next(iter(part)), k) for part in orbits)), None)
            if carried is None:
                owner[k] = len(orbits)
                orbits.append({k: tuple(range(self.size))})
            else:
                generators.append((carried, self._action(carried)))
            for index, part in enumerate(orbits):
                _extend(part, index, owner, generators)
        return orbits

    def _action(self, images: Permutation) -> list[int]:
        """Return where a symmetry carries every law."""
        return [self._place[moved(mu, images), moved(nu, images)] for mu, nu in self.laws]

    def carrying(self, first: int, second: int) -> Permutation | None:
        """Return a symmetry that carries one law to another, or None."""
        if self.size > _MAX_SIZE or self._shapes[first] != self._shapes[second]:
            return None
        source, target = (list(zip(*self.laws[k])) for k in (first, second))
        allowed = [[y for y in range(self.size) if source[x] == target[y]] for x in range(self.size)]
        stack: list[tuple[list[int], Iterator[int]]] = [([], iter(allowed[0]))]
        while stack and self._steps > 0:
            images, choices = stack[-1]
            image = next(choices, None)
            self._steps -= 1
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
        """Say whether the next database may go to `image` after earlier ones went to `images`."""
        x, invariants = len(images), self._invariants
        if image in images or invariants.get((x, x)) != invariants.get((image, image)):
            return False
        return all(invariants.get((x, y)) == invariants.get((image, z)) for y, z in enumerate(images))

    def _preserves(self, images: Permutation) -> bool:
        """Check that laws go to laws and rows to rows, exactly."""
        if any((moved(mu, images), moved(nu, images)) not in self._place for mu, nu in self.laws):
            return False
        return all(moved(row, images) in rows for rows in self._rows for row in rows)


def moved(vector: Sequence[int], images: Permutation) -> Vector:
    """Return the vector with its entry at x moved to images[x]."""
    result = [0] * len(vector)
    for x, entry in enumerate(vector):
        result[images[x]] = entry
    return tuple(result)


def _extend(
    part: dict[int, Permutation], index: int, owner: dict[int, int], generators: Sequence[tuple[Permutation, list[int]]]
) -> None:
    """Add to an orbit what the generators reach from it and no orbit has."""
    queue = list(part)
    for k in queue:
        for images, action in generators:
            image = action[k]
            if image not in owner:
                owner[image] = index
                part[image] = tuple(images[x] for x in part[k])
                queue.append(image)


def _both(cone: Cone) -> list[Vector]:
    """Return the equations with either sign."""
    return [*cone.equations, *(tuple(-entry for entry in row) for row in cone.equations)]


@dataclass(frozen=True)
class Orbit:
    """Ordered laws that symmetries map to each other: `images` has, for each of them, the
    permutation from `laws` to it.

    A permutation p takes the database at position x to that at p[x].
    """

    laws: OrderedLaws
    images: tuple[tuple[OrderedLaws, Permutation], ...]


def orbits(columns: Columns, cones: Sequence[Cone]) -> tuple[Orbit, ...]:
    """Partition the ordered laws of a framework by the symmetries that keep the cones.

    >>> from fractions import Fraction
    >>> from pufferproof import Framework, MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {f"x{i}={v}": (i, v) for i in (1, 2, 3) for v in "01"}
    >>> pairs = [(f"x{i}=0", f"x{i}=1") for i in (1, 2, 3)]
    >>> columns = Columns(Framework.of_records(Records(3, ("0", "1")), secrets, pairs, {"theta": chain}))
    >>> [len(orbit.images) for orbit in orbits(columns, [columns.cone(Fraction(2))])]
    [4, 2]
    """
    orbit_list = Symmetries(columns.laws, cones).orbits()
    laws = columns.laws
    return tuple(Orbit(laws[min(part)], tuple((laws[k], part[k]) for k in sorted(part))) for part in orbit_list)
