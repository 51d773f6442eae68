"""The order of an array of draws, of which a place becomes known when it is looked at.

`np.argsort(-noisy)[:k]` asks for the k largest of n draws, which is a branch for each of
n (n - 1) .. (n - k + 1) ways, not for each of n! orders: the largest, the largest of the rest, and
so on, from the end that is nearer.
"""

from collections.abc import Iterator
from math import isfinite
from typing import Any, NoReturn

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from pufferproof.verify.programs.drawing.arrays import Run, Symbol
from pufferproof.verify.programs.drawing.draws import Draw

_WRITING = frozenset(["sort", "partition", "fill", "put", "resize", "setfield", "setflags"])


def ordered(values: list[Any]) -> "Places | None":
    """Return the places of numbers in ascending order, or None unless they are draws and finite
    numbers of which no two are equal.
    """
    draws = [x for x in values if type(x) is Draw]
    numbers = [x for x in values if type(x) is not Draw]
    if not all(x.parts for x in draws) or not all(_plain(x) for x in numbers):
        return None
    forms = {(x.constant, frozenset(x.parts.items())) for x in draws}
    if not draws or len(forms) < len(draws) or len({*numbers}) < len(numbers):
        return None
    places = Places(_Order(values, draws[0].path), np.arange(len(values)))
    shown: Places = draws[0].path.shown(places)
    return shown


def _plain(value: object) -> bool:
    return not isinstance(value, Symbol) and isinstance(value, float) and isfinite(value)


class _Order:
    """Numbers, and what is known of their order."""

    def __init__(self, values: list[Any], path: Run) -> None:
        self.values, self.path = values, path
        self.rest = list(range(len(values)))
        self.ends: tuple[list[int], list[int]] = ([], [])  # the smallest, and the largest

    def at(self, rank: int) -> int:
        """Return the place of the number of a rank, 0 being the smallest."""
        ranks = rank, len(self.values) - 1 - rank
        while len(self.rest) > 1:
            ahead = [own - len(end) for own, end in zip(ranks, self.ends)]
            side = int(ahead[1] < ahead[0])
            if ahead[0] < 0 or ahead[1] < 0:
                break
            self._take(side)
        for own, end in zip(ranks, self.ends):
            if own < len(end):
                return end[own]
        return self.rest[0]

    def _take(self, side: int) -> None:
        left = [self.values[i] if side else -self.values[i] for i in self.rest]
        words = f"place {{}} is the {('smallest', 'largest')[side]}"
        places = list(self.rest)
        found = self.path.largest(left, lambda i: words.format(places[i]))
        self.ends[side].append(self.rest.pop(found))


class Places(NDArrayOperatorsMixin):
    """An array of integers: places in an order."""

    def __init__(self, order: _Order, ranks: Any) -> None:
        self._order, self._ranks = order, ranks

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance(places, np.ndarray)` holds."""
        return np.ndarray

    def resolved(self) -> Any:
        """Return the places, from now on known."""
        known = [self._order.at(int(rank)) for rank in self._ranks.flat]
        return np.array(known, dtype=np.int64).reshape(self._ranks.shape)

    def __getitem__(self, at: Any) -> Any:
        ranks = self._ranks[at]
        if isinstance(ranks, np.ndarray):
            return Places(self._order, ranks)
        return np.int64(self._order.at(int(ranks)))

    def __setitem__(self, at: Any, value: Any) -> NoReturn:
        self._refuse()

    def _refuse(self) -> NoReturn:
        self._order.path.refuse("it writes into an order of draws: copy it first")

    def _fixed(self) -> Any:
        """Return the places as an array that nothing is written into: it would not be seen here."""
        places = self.resolved()
        places.setflags(write=False)
        return places

    def __len__(self) -> int:
        return len(self._ranks)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    @property
    def dtype(self) -> Any:
        """The type of places."""
        return np.dtype(np.int64)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        shape: tuple[int, ...] = self._ranks.shape
        return shape

    @property
    def ndim(self) -> int:
        """How many axes the array has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many places there are."""
        return int(self._ranks.size)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(self.resolved() if copy else self._fixed(), dtype)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if any(type(x) is Places for x in options.get("out", ())):
            self._refuse()
        plain = [x.resolved() if type(x) is Places else x for x in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __getattr__(self, name: str) -> Any:
        if name in ("__array_interface__", "__array_struct__"):
            raise AttributeError(name)
        if name in _WRITING:
            self._refuse()
        return getattr(self._fixed(), name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.resolved().__reduce_ex__(protocol)


def _resolving(name: str) -> Any:
    def method(self: Places, *given: Any) -> Any:
        return getattr(self.resolved(), name)(*given)

    return method


for _name in ("bool", "int", "index", "float", "str", "repr", "format"):
    setattr(Places, f"__{_name}__", _resolving(f"__{_name}__"))
