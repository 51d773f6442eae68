"""Discrete draws that become known when they are looked at: numbers that are functions of draws
with finitely many values.

    value = table[v_1, .., v_k]    of draws 1, .., k

Sums, products and comparisons of such numbers are tables again. Where a program needs the value (a
truth, an index, text), it becomes known: a branch for each *value*, not for each of the draws, and
the draws keep their joint law given it. A loop that throws two coins until they differ has one
branch that goes on, and a draw from three values of which one is asked for has two branches.
"""

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod

import numpy as np
from flint import fmpq

from pufferproof.verify.programs.drawing.arrays import Binary, Late, Operand, Run, Symbol, operations
from pufferproof.verify.programs.drawing.draws import Draw

MOST = 4096  # values of a table, and of a joint law
_PLAIN = (int, float, bool, Fraction)


def _lazily(name: str) -> tuple[Binary, Binary]:
    """Return an operation with another number as a table, and with both swapped."""
    function = getattr(operator, name)
    return (lambda lazy, other: lazy._with(other, function, False)), (
        lambda lazy, other: lazy._with(other, function, True)
    )


@lru_cache(maxsize=256)
def _layout(places: tuple[int, ...], sizes: tuple[int, ...]) -> list[int]:
    """Return, for all values of some draws, where they stand in a table over those at places."""
    layout = [0]
    for place, size in enumerate(sizes):
        step = prod(sizes[p] for p in places[places.index(place) + 1 :]) if place in places else 0
        layout = [at + i * step for at in layout for i in range(size)]
    return layout


class Lazy(Late):
    """A number that is a table of the values of discrete draws, until it is looked at."""

    __slots__ = ("atoms", "draws", "table")
    __hash__ = Late.__hash__

    def __init__(self, draws: "Atoms", atoms: tuple[int, ...], table: tuple[Operand, ...]) -> None:
        self.draws, self.atoms, self.table = draws, atoms, table

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        kinds = set(map(type, self.table))
        return kinds.pop() if len(kinds) == 1 else type(self.resolved())

    def resolved(self) -> Operand:
        return self.draws.known(self)

    def _with(self, other: object, function: Binary, swapped: bool) -> Operand:
        """Return function(value, other), or function(other, value), as a table if both have few values."""
        if swapped:
            return self._with(other, lambda a, b: function(b, a), False)
        mine = self.tabled()
        other = other.tabled() if isinstance(other, Lazy) else other
        if not isinstance(mine, Lazy):
            return function(mine, other)
        atoms, pairs = mine.atoms, None
        if isinstance(other, Lazy):
            first = mine.draws.summarized(mine, other)
            second = mine.draws.summarized(other, first)
            atoms = tuple(sorted({*first.atoms, *second.atoms}))
            sizes = tuple(mine.draws.sizes(atoms))
            if prod(sizes) <= MOST and mine.draws.fits(atoms):
                layouts = [_layout(tuple(map(atoms.index, each.atoms)), sizes) for each in (first, second)]
                pairs = [(first.table[at], second.table[place]) for at, place in zip(*layouts)]
        elif type(other) in _PLAIN or isinstance(other, np.generic):
            pairs = [(value, other) for value in mine.table]
        if pairs is not None:
            with suppress(Exception):  # of a value that need not be the one: the program meets its own
                return Lazy(mine.draws, atoms, tuple(function(a, b) for a, b in pairs))
        return function(mine.resolved(), other)

    def tabled(self) -> Operand:
        return self

    def _of(self, function: Callable[[Operand], Operand]) -> Operand:
        mine = self.tabled()
        if not isinstance(mine, Lazy):
            return function(mine)
        return Lazy(mine.draws, mine.atoms, tuple(map(function, mine.table)))

    def __neg__(self) -> Operand:
        return self._of(operator.neg)

    def __pos__(self) -> Operand:
        return self._of(operator.pos)

    def __abs__(self) -> Operand:
        return self._of(abs)

    __add__, __radd__ = _lazily("add")
    __sub__, __rsub__ = _lazily("sub")
    __mul__, __rmul__ = _lazily("mul")
    __and__, __rand__ = _lazily("and_")
    __or__, __ror__ = _lazily("or_")
    __xor__, __rxor__ = _lazily("xor")
    __lt__, __gt__ = _lazily("lt")[0], _lazily("gt")[0]
    __le__, __ge__ = _lazily("le")[0], _lazily("ge")[0]
    __eq__, __ne__ = _lazily("eq")[0], _lazily("ne")[0]
    __truediv__, __rtruediv__ = operations(operator.truediv)
    __floordiv__, __rfloordiv__ = operations(operator.floordiv)
    __mod__, __rmod__ = operations(operator.mod)
    __pow__, __rpow__ = operations(operator.pow)
    __lshift__, __rlshift__ = operations(operator.lshift)
    __rshift__, __rrshift__ = operations(operator.rshift)
    __divmod__, __rdivmod__ = operations(divmod)

    def __invert__(self) -> Operand:
        return self._of(operator.invert)

    def __bool__(self) -> bool:
        return bool(self._of(bool).resolved())

    def __index__(self) -> int:
        if bool in map(type, self.table):
            self.draws.run.end_for_truths()
        return operator.index(self.resolved())

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Operand, **options: Operand) -> Operand:
        apart = method == "__call__" and not options and ufunc.nout == 1
        if apart and len(inputs) == 1:
            return self._of(ufunc)
        if apart and all(isinstance(x, Lazy | np.generic) or type(x) in _PLAIN for x in inputs):
            swapped = not isinstance(inputs[0], Lazy)
            return inputs[swapped]._with(inputs[not swapped], ufunc, swapped)
        plain = [x.resolved() if isinstance(x, Lazy) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **options)


class Truth(Lazy):
    """The truth of a comparison of a draw with a number, until it is looked at: a program that
    does so at once chooses a branch, and one that computes with it has a discrete draw.
    """

    __slots__ = ("_form", "_made", "_sides", "path")

    def __init__(self, form: Draw, sides: tuple[object, object]) -> None:
        self._form, self._sides = form, sides
        self._made: object = None
        self.path = form.path

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance(truth, bool)` holds, unless its draw is a number of NumPy."""
        return type(self._sides[0])

    def resolved(self) -> Operand:
        if self._made is None:
            self._made = self._sides[self._form._sign() > 0]
        return self._made.resolved() if isinstance(self._made, Symbol) else self._made

    def tabled(self) -> Operand:
        """Return a discrete draw, or the truth if it has no rational probability."""
        if self._made is None:
            self._made = self._form.path.event(self._form.parts, self._form.constant, self._sides)
        return self._made if isinstance(self._made, Symbol) else self.resolved()

    def __bool__(self) -> bool:
        return bool(self.resolved())

    def __index__(self) -> int:
        if type(self._sides[0]) is bool:
            self.path.end_for_truths()
        raise TypeError("'numpy.bool' object cannot be interpreted as an integer")


# The discrete draws of a run, and what is known of them: a value that was looked at leaves a joint law of the draws
# that it is made of.

_LONG = 32  # values of a table that is summarized
_NAMED = 4  # values of a draw that are named in words
_NAN = float("nan")


Key = tuple[type, object, object]  # a value with its type
Row = tuple[tuple[int, ...], fmpq]  # places of values, and the probability


@dataclass(frozen=True, eq=False)
class Joint:
    """The law of some draws together: places of their values, and how probable they are."""

    atoms: tuple[int, ...]
    rows: tuple[Row, ...]


class Atoms:
    """The discrete draws of a run, and what is known of them."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.values: list[tuple[Operand, ...]] = []
        self._weights: list[tuple[fmpq, ...]] = []
        self._words: list[str | Sequence[str]] = []
        self._joints: dict[int, Joint] = {}
        self._summary: dict[int, int] = {}  # of a draw that is part of another one now
        self._parts: dict[int, tuple[tuple[int, ...], list[list[Row]]]] = {}

    def draw(self, values: Sequence[object], weights: Sequence[fmpq], words: str | Sequence[str]) -> Lazy:
        """Return a new draw from values with rational weights that sum to 1, called by its name or
        by words for every value.
        """
        self.values.append(tuple(values))
        self._weights.append(tuple(weights))
        self._words.append(words)
        self.run.noted.append((tuple(map(key_of, values)), tuple(weights)))
        return Lazy(self, (len(self.values) - 1,), tuple(values))

    def sizes(self, atoms: Iterable[int]) -> list[int]:
        return [len(self.values[atom]) for atom in atoms]

    def known(self, lazy: Lazy) -> Operand:
        """Return the value of a number: a branch for each that it may have."""
        if len(lazy.atoms) > 1 and not self.fits(lazy.atoms):
            for atom in lazy.atoms:
                self.known(Lazy(self, (atom,), self.values[atom]))
        asked = "value", lazy.atoms
        if (answer := self.run.replay(asked)) is None:
            joint = self._joint(lazy.atoms)
            groups = self._grouped(lazy, joint)
            values = [value for _, value, _ in groups]
            weights = [sum((w for _, w in rows), fmpq(0)) for rows in groups.values()]
            joints = [
                Joint(joint.atoms, tuple((row, w / whole) for row, w in rows))
                for whole, rows in zip(weights, groups.values())
            ]
            words = self._said(lazy, joint, groups)
            effect = lazy.table, values, joints, weights
            answer = self.run.branch(asked, tuple(weights), tuple(map(float, weights)), words.__getitem__, effect)
        table, values, joints, weights = self.run.effect
        if table is not lazy.table and [*map(key_of, table)] != [*map(key_of, lazy.table)]:
            self.run.differs()
        self.run.weight *= weights[answer]
        self._joints.update(dict.fromkeys(joints[answer].atoms, joints[answer]))
        return values[answer]

    def _said(self, lazy: Lazy, joint: Joint, groups: Mapping[Key, Sequence[Row]]) -> list[str]:
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

    def _grouped(self, lazy: Lazy, joint: Joint) -> dict[Key, list[Row]]:
        places = [joint.atoms.index(atom) for atom in lazy.atoms]
        sizes, groups = self.sizes(lazy.atoms), dict[Key, list[Row]]()
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


def key_of(value: object) -> Key:
    """Return a value in a form that is equal for what a program cannot tell apart."""
    if value != value:
        return type(value), _NAN, False  # one NaN, which is no other number
    return type(value), value, not value and str(value)  # 0.0 and -0.0
