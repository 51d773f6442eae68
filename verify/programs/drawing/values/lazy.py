"""Discrete draws that become known when they are looked at: numbers that are functions of draws
with finitely many values.

    value = table[v_1, .., v_k]    of draws 1, .., k

Sums, products and comparisons of such numbers are tables again. Where a program needs the value (a
truth, an index, text), it becomes known: a branch for each *value*, not for each of the draws, and
the draws keep their joint law given it. A loop that throws two coins until they differ has one
branch that goes on, and a draw from three values of which one is asked for has two branches.
"""

import operator
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any, Protocol

import numpy as np

from pufferproof.verify.programs.drawing.arrays import Symbol

MOST = 4096  # values of a table, and of a joint law
_PLAIN = (int, float, bool, Fraction)
_FOUND_BY_TYPE = frozenset(["__array_interface__", "__array_struct__"])


class Draws(Protocol):
    """What a number asks of the draws of which it is a table."""

    run: Any

    def known(self, lazy: "Lazy") -> Any:
        """Return the value of a number: a branch for each that it may have."""
        ...

    def summarized(self, lazy: "Lazy", other: "Lazy") -> "Lazy":
        """Return a number with few values as one new draw, to be combined with another one."""
        ...

    def sizes(self, atoms: Iterable[int]) -> list[int]:
        """Return how many values each of some draws has."""
        ...

    def fits(self, atoms: Iterable[int]) -> bool:
        """Whether draws have few enough values together."""
        ...


def _lazily(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    function = getattr(operator, name)

    def forward(self: "Lazy", other: Any) -> Any:
        return self._with(other, function, False)

    def reflected(self: "Lazy", other: Any) -> Any:
        return self._with(other, function, True)

    return forward, reflected


def _known(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    function = getattr(operator, name)

    def forward(self: "Lazy", other: Any) -> Any:
        return function(self.resolved(), other)

    def reflected(self: "Lazy", other: Any) -> Any:
        return function(other, self.resolved())

    return forward, reflected


@lru_cache(maxsize=256)
def _layout(places: tuple[int, ...], sizes: tuple[int, ...]) -> list[int]:
    """Return, for all values of some draws, where they stand in a table over those at places."""
    layout = [0]
    for place, size in enumerate(sizes):
        step = prod(sizes[p] for p in places[places.index(place) + 1 :]) if place in places else 0
        layout = [at + i * step for at in layout for i in range(size)]
    return layout


class Lazy(Symbol):
    """A number that is a table of the values of discrete draws, until it is looked at."""

    __slots__ = ("atoms", "draws", "table")

    def __init__(self, draws: Draws, atoms: tuple[int, ...], table: tuple[Any, ...]) -> None:
        self.draws, self.atoms, self.table = draws, atoms, table

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance` holds as of the values."""
        kinds = set(map(type, self.table))
        return kinds.pop() if len(kinds) == 1 else type(self.resolved())

    def resolved(self) -> Any:
        """Return the value, from now on known."""
        return self.draws.known(self)

    def _with(self, other: object, function: Callable[[Any, Any], Any], swapped: bool) -> Any:
        mine = self.tabled()
        if isinstance(other, Lazy):
            other = other.tabled()
        if not isinstance(mine, Lazy):
            return function(*(mine, other)[:: -1 if swapped else 1])
        return mine._combined(other, function, swapped)

    def _combined(self, other: object, function: Callable[[Any, Any], Any], swapped: bool) -> Any:
        if isinstance(other, Lazy):
            first = self.draws.summarized(self, other)
            second = self.draws.summarized(other, first)
            joined = first._beside(second)
            if joined is None:
                return function(*(self.resolved(), other)[:: -1 if swapped else 1])
            atoms, mine, theirs = joined
        elif type(other) in _PLAIN or isinstance(other, np.generic):
            atoms, mine, theirs = self.atoms, list(self.table), [other] * len(self.table)
        else:
            return function(*(self.resolved(), other)[:: -1 if swapped else 1])
        pairs = zip(theirs, mine) if swapped else zip(mine, theirs)
        try:
            return Lazy(self.draws, atoms, tuple(function(a, b) for a, b in pairs))
        except Exception:  # of a value that need not be the one: the program meets its own
            return function(*(self.resolved(), other)[:: -1 if swapped else 1])

    def _beside(self, other: "Lazy") -> tuple[tuple[int, ...], list[Any], list[Any]] | None:
        """Return the draws of both numbers, and both tables over all of their values."""
        atoms = tuple(sorted({*self.atoms, *other.atoms}))
        sizes = self.draws.sizes(atoms)
        if prod(sizes) > MOST or not self.draws.fits(atoms):
            return None
        sides = [self._over(each, atoms, tuple(sizes)) for each in (self, other)]
        return atoms, sides[0], sides[1]

    def _over(self, number: "Lazy", atoms: tuple[int, ...], sizes: tuple[int, ...]) -> list[Any]:
        """Return the table of a number over all values of more draws."""
        layout = _layout(tuple(map(atoms.index, number.atoms)), sizes)
        return [number.table[at] for at in layout]

    def tabled(self) -> Any:
        """Return this number as a table, or its value."""
        return self

    def _of(self, function: Callable[[Any], Any]) -> Any:
        mine = self.tabled()
        if not isinstance(mine, Lazy):
            return function(mine)
        return Lazy(mine.draws, mine.atoms, tuple(map(function, mine.table)))

    def __neg__(self) -> Any:
        return self._of(operator.neg)

    def __pos__(self) -> Any:
        return self._of(operator.pos)

    def __abs__(self) -> Any:
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
    __truediv__, __rtruediv__ = _known("truediv")
    __floordiv__, __rfloordiv__ = _known("floordiv")
    __mod__, __rmod__ = _known("mod")
    __pow__, __rpow__ = _known("pow")
    __lshift__, __rlshift__ = _known("lshift")
    __rshift__, __rrshift__ = _known("rshift")

    def __divmod__(self, other: Any) -> Any:
        return divmod(self.resolved(), other)

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(other, self.resolved())

    def __invert__(self) -> Any:
        return self._of(operator.invert)

    def __bool__(self) -> bool:
        return bool(self._of(bool).resolved())

    def __index__(self) -> int:
        if bool in map(type, self.table):
            self.draws.run.end_for_truths()
        return operator.index(self.resolved())

    def __int__(self) -> int:
        return int(self.resolved())

    def __float__(self) -> float:
        return float(self.resolved())

    def __round__(self, *digits: Any) -> Any:
        return round(self.resolved(), *digits)

    def __trunc__(self) -> Any:
        return self.resolved().__trunc__()

    def __floor__(self) -> Any:
        return self.resolved().__floor__()

    def __ceil__(self) -> Any:
        return self.resolved().__ceil__()

    def __hash__(self) -> int:
        return hash(self.resolved())

    def __str__(self) -> str:
        return str(self.resolved())

    def __repr__(self) -> str:
        return repr(self.resolved())

    def __format__(self, how: str) -> str:
        return format(self.resolved(), how)

    def __array__(self, *kind: Any, **options: Any) -> Any:
        return np.array(self.resolved(), *kind)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        apart = method == "__call__" and not options and ufunc.nout == 1
        if apart and len(inputs) == 1:
            return self._of(ufunc)
        if apart and all(isinstance(x, Lazy | np.generic) or type(x) in _PLAIN for x in inputs):
            swapped = not isinstance(inputs[0], Lazy)
            return inputs[swapped]._with(inputs[not swapped], ufunc, swapped)
        plain = [x.resolved() if isinstance(x, Lazy) else x for x in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __copy__(self) -> "Lazy":
        return self

    def __deepcopy__(self, _: Any) -> "Lazy":
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.resolved().__reduce_ex__(protocol)

    def __getattr__(self, name: str) -> Any:
        if name in _FOUND_BY_TYPE:
            raise AttributeError(name)
        return getattr(self.resolved(), name)
