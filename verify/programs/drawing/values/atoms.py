"""The discrete draws of a run, and what is known of them: a value that was looked at leaves a joint
law of the draws that it is made of.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NoReturn, Protocol

from flint import fmpq

from pufferproof.verify.programs.drawing.values.lazy import MOST, Lazy

_LONG = 32  # values of a table that is summarized
_NAMED = 4  # values of a draw that are named in words
_NAN = float("nan")


class Chooser(Protocol):
    """What lazy draws ask of a run."""

    weight: Any
    noted: list[Any]

    def choose(self, asked: Any, weigh: Callable[[], tuple[Any, ...]]) -> int:
        """Return the answer to a choice, given its weights, shares, words and effects."""
        ...

    @property
    def effect(self) -> Any:
        """What the last choice has as its effects."""
        ...

    def end_for_truths(self) -> NoReturn:
        """End the run: the program is to be run with truths that are known at once."""
        ...

    def differs(self) -> NoReturn:
        """End the run: it makes another choice than one before."""
        ...


Row = tuple[tuple[int, ...], Any]  # places of values, and the probability


@dataclass(frozen=True, eq=False)
class Joint:
    """The law of some draws together: places of their values, and how probable they are."""

    atoms: tuple[int, ...]
    rows: tuple[Row, ...]


class Atoms:
    """The discrete draws of a run, and what is known of them."""

    def __init__(self, run: Chooser) -> None:
        self.run = run
        self.values: list[tuple[Any, ...]] = []
        self._weights: list[tuple[Any, ...]] = []
        self._words: list[str | Sequence[str]] = []
        self._joints: dict[int, Joint] = {}
        self._summary: dict[int, int] = {}  # of a draw that is part of another one now
        self._parts: dict[int, tuple[tuple[int, ...], list[list[Row]]]] = {}

    def draw(self, values: Sequence[Any], weights: Sequence[Any], words: str | Sequence[str]) -> Lazy:
        """Return a new draw from values with rational weights that sum to 1, called by its name or
        by words for every value.
        """
        self.values.append(tuple(values))
        self._weights.append(tuple(weights))
        self._words.append(words)
        self.run.noted.append((tuple(map(key_of, values)), tuple(weights)))
        return Lazy(self, (len(self.values) - 1,), tuple(values))

    def sizes(self, atoms: Iterable[int]) -> list[int]:
        """Return how many values each of some draws has."""
        return [len(self.values[atom]) for atom in atoms]

    def known(self, lazy: Lazy) -> Any:
        """Return the value of a number: a branch for each that it may have."""
        if len(lazy.atoms) > 1 and not self.fits(lazy.atoms):
            for atom in lazy.atoms:
                self.known(Lazy(self, (atom,), self.values[atom]))
        answer = self.run.choose(("value", lazy.atoms), lambda: self._classes(lazy))
        table, values, joints, weights = self.run.effect
        if table is not lazy.table and [*map(key_of, table)] != [*map(key_of, lazy.table)]:
            self.run.differs()
        self.run.weight *= weights[answer]
        self._joints.update(dict.fromkeys(joints[answer].atoms, joints[answer]))
        return values[answer]

    def _classes(self, lazy: Lazy) -> tuple[Any, ...]:
        joint = self._joint(lazy.atoms)
        groups = self._grouped(lazy, joint)
        values = [value for _, value, _ in groups]
        weights = [sum((w for _, w in rows), fmpq(0)) for rows in groups.values()]
        joints = [
            Joint(joint.atoms, tuple((row, w / whole) for row, w in rows))
            for whole, rows in zip(weights, groups.values())
        ]
        words = self._said(lazy, joint, groups)
        effect = (lazy.table, values, joints, weights)
        return tuple(weights), tuple(map(float, weights)), words.__getitem__, effect

    def _said(self, lazy: Lazy, joint: Joint, groups: Mapping[Any, Sequence[Row]]) -> list[str]:
        """Say for every value of a number what its draw is then, which may be something else."""
        if len(lazy.atoms) > 1:
            return [f"value of draws: {value}" for _, value, _ in groups]
        (atom,) = lazy.atoms
        at, words, values = joint.atoms.index(atom), self._words[atom], self.values[atom]
        said = []
        for rows in groups.values():
            places = sorted({row[at] for row, _ in rows})
            each = [values[k] if isinstance(words, str) else words[k] for k in places[:_NAMED]]
            listed = " or ".join(map(str, each)) + (" or .." if len(places) > _NAMED else "")
            said.append(f"{words}: {listed}" if isinstance(words, str) else listed)
        return said

    def _grouped(self, lazy: Lazy, joint: Joint) -> dict[Any, list[Row]]:
        """Group the rows of a joint law by the value of a number, with its type."""
        places = [joint.atoms.index(atom) for atom in lazy.atoms]
        sizes, groups = self.sizes(lazy.atoms), dict[Any, list[Row]]()
        for row, weight in joint.rows:
            at = 0
            for place, size in zip(places, sizes):
                at = at * size + row[place]
            value = lazy.table[at]
            groups.setdefault(key_of(value), []).append((row, weight))
        return groups

    def _joint(self, atoms: Sequence[int]) -> Joint:
        """Return the joint law of draws, and of those that depend on them."""
        joints: dict[int, Joint] = {}
        for atom in atoms:
            self._open(atom)
            joint = self._joints.get(atom) or self._alone(atom)
            joints[joint.atoms[0]] = joint
        rows: list[Row] = [((), fmpq(1))]
        for joint in joints.values():
            rows = [(row + more, w * v) for row, w in rows for more, v in joint.rows]
        return Joint(tuple(a for joint in joints.values() for a in joint.atoms), tuple(rows))

    def _alone(self, atom: int) -> Joint:
        return Joint((atom,), tuple(((i,), w) for i, w in enumerate(self._weights[atom]) if w))

    def summarized(self, lazy: Lazy, other: Lazy) -> Lazy:
        """Return a number with few values as one new draw, to be combined with another one that
        is independent of it: a sum of n coins has n + 1 values, not 2^n.
        """
        few = len(set(map(key_of, lazy.table)))
        if len(lazy.table) < _LONG or 2 * few > len(lazy.table):
            return lazy
        joint = self._joint(lazy.atoms)
        if set(joint.atoms) & set(self._joint(other.atoms).atoms):
            return lazy
        groups = self._grouped(lazy, joint)
        weights = [sum((w for _, w in rows), fmpq(0)) for rows in groups.values()]
        summary = self.draw([value for _, value, _ in groups], weights, "value of draws")
        (place,) = summary.atoms
        rows = [[(row, w / whole) for row, w in g] for g, whole in zip(groups.values(), weights)]
        self._parts[place] = joint.atoms, rows
        self._summary.update(dict.fromkeys(joint.atoms, place))
        return summary

    def _open(self, atom: int) -> None:
        """Make a draw that is part of another one a draw of its own again."""
        if atom not in self._summary:
            return
        place = self._summary[atom]
        self._open(place)
        joint = self._joints.get(place) or self._alone(place)
        parts, classes = self._parts[place]
        at = joint.atoms.index(place)
        rows = tuple((row + own, w * v) for row, w in joint.rows for own, v in classes[row[at]])
        whole = Joint(joint.atoms + parts, rows)
        self._joints.update(dict.fromkeys(whole.atoms, whole))
        for part in parts:
            del self._summary[part]

    def fits(self, atoms: Iterable[int]) -> bool:
        """Whether draws have few enough values together, with those that depend on them."""
        for atom in atoms:
            self._open(atom)
        joints = {(j.atoms if j else (a,)): j for a in atoms for j in [self._joints.get(a)]}
        counts = [len(j.rows) if j else len(self.values[key[0]]) for key, j in joints.items()]
        return prod(counts) <= MOST


def key_of(value: object) -> tuple[Any, ...]:
    """Return a value in a form that is equal for what a program cannot tell apart."""
    if value != value:
        return type(value), _NAN, False  # one NaN, which is no other number
    return type(value), value, not value and str(value)  # 0.0 and -0.0
