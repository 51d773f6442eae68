"""What a program is given for a continuous draw: a linear form over independent draws.

    constant + sum_v a_v X_v,    constant and a_v rational

Sums, differences and multiples by numbers are linear forms again. A comparison asks the path which
way it goes; rounding asks until an integer is known. Everything else (products of draws, text,
`float`, functions of NumPy) is refused: a refusal is not an `Exception`, so that an `except` of the
program does not catch it, and the path remembers it in case the program does.

A draw is a number of Python or of NumPy, as what it stands for is: an element of an array, or the
sum of a draw and a number of NumPy, compares as `numpy.bool`.
"""

import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from operator import index
from typing import NoReturn, SupportsIndex

import numpy as np
from flint import fmpq
from numpy.lib.mixins import NDArrayOperatorsMixin

from pufferproof.models.numbers.pieces import fraction
from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.verify.programs.drawing.arrays import (
    Array,
    Binary,
    Operand,
    Run,
    Symbol,
    boxed,
    exact_number,
    has_minus,
    infinite,
    is_numpys,
    known,
    settled,
)

_OF_FLOATS = frozenset(dir(float))
_OF_NUMPY = frozenset(dir(np.float64))
_OF_A_NUMBER = {"dtype": np.dtype(float), "shape": (), "ndim": 0, "size": 1}
_FUNCTIONS = frozenset(["exp", "log", "sqrt", "sin", "cos", "tan", "log1p", "expm1", "log2", "log10"])
_AFTER = "compare it, add it, or scale it by numbers"


class ControlError(BaseException):
    """Ends a run of a program from inside: not an `Exception`, which programs catch."""


def _sum(mine: int, theirs: int) -> Binary:
    return lambda draw, other: draw._plus(other, mine, theirs)


def _comparison(less: bool, equal: bool, more: bool) -> Binary:
    """Return a comparison, given its truth for less, equal and more."""
    return lambda draw, other: draw._compare(other, (less, equal, more))


class Draw(Symbol):
    """A linear form over the draws of a path, which behaves as a float where it can."""

    __slots__ = ("constant", "of_numpy", "parts", "path", "side")
    __array_priority__ = 1000

    def __init__(self, path: Run, constant: fmpq, parts: dict[int, fmpq], of_numpy: bool = False) -> None:
        self.path, self.constant, self.parts, self.of_numpy = path, constant, parts, of_numpy
        self.side: Draw | None = None  # of a zero: what has its sign, if it may be -0.0

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return np.float64 if self.of_numpy else float

    def as_kind(self, of_numpy: bool) -> "Draw":
        if self.of_numpy == of_numpy:
            return self
        same = Draw(self.path, self.constant, self.parts, of_numpy)
        same.side = self.side
        return same

    def __array__(self, dtype: Operand = None, copy: object = None) -> Array:
        array = boxed(self.as_kind(of_numpy=True))
        return array if dtype is None else array.astype(dtype)

    def _plus(self, other: object, mine: int, theirs: int) -> Operand:
        """Return mine * self + theirs * other."""
        other = known(other)
        value = exact_number(other, self.path)
        if value is NotImplemented:
            return value
        constant = self.constant if mine > 0 else -self.constant
        parts = dict(self.parts) if mine > 0 else {v: -a for v, a in self.parts.items()}
        of_numpy = self.of_numpy or is_numpys(other)
        if type(value) is not Draw:
            total = Draw(self.path, constant + theirs * value, parts, of_numpy)
            if value and parts:
                self.path.note_size(parts, total.constant)
            if self.side is not None and other == 0 and has_minus(theirs * float(other)):  # else 0.0
                total.side = self.side._times(fmpq(mine))
            return total
        for v, a in value.parts.items():
            parts[v] = parts.get(v, fmpq(0)) + theirs * a
            if not parts[v]:
                del parts[v]
        total = Draw(self.path, constant + theirs * value.constant, parts, of_numpy)
        if self.side is not None and value.side is not None and total.is_zero():
            minus = self._times(fmpq(mine)).minus() and value._times(fmpq(theirs)).minus()
            total.side = Draw(self.path, fmpq(-1), {}) if minus else None
        return total

    __add__ = __radd__ = _sum(1, 1)
    __sub__, __rsub__ = _sum(1, -1), _sum(-1, 1)

    def __neg__(self) -> "Draw":
        return self._times(fmpq(-1))

    def __pos__(self) -> "Draw":
        return self

    conjugate = __copy__ = __pos__
    real = property(__pos__)
    imag = 0.0

    def _times(self, factor: fmpq, of_numpy: bool = False, minus: bool | None = None) -> "Draw":
        """Return the draw times a number, of which 0 may be -0.0."""
        parts = {v: a * factor for v, a in self.parts.items()} if factor else {}
        product = Draw(self.path, self.constant * factor, parts, self.of_numpy or of_numpy)
        if product.is_zero():
            negative = factor < 0 if minus is None else minus
            positive = self.side or Draw(self.path, fmpq(1), {})
            sign = fmpq(-1 if negative else 1)
            product.side = (positive if self.is_zero() else self)._times(sign)
        return product

    def __mul__(self, other: object) -> Operand:
        other = known(other)
        value = exact_number(other, self.path)
        if value is NotImplemented:
            return value
        if type(value) is not Draw:
            return self._times(value, is_numpys(other), None if value else has_minus(other))
        if value.parts and self.parts:
            self.path.refuse("it multiplies two draws")
        form, number = (value, self) if value.parts else (self, value)
        minus = number.minus() if number.is_zero() else None
        return form._times(number.constant, number.of_numpy, minus)

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Operand:
        other = known(other)
        value = exact_number(other, self.path)
        if value is NotImplemented:
            return value
        if type(value) is Draw:
            if value.parts:
                self.path.refuse("it divides by a draw")
            value = value.constant
        if not value:
            self.path.refuse("it divides a draw by 0")
        return self._times(1 / value, is_numpys(other))

    def __rtruediv__(self, other: object) -> Operand:
        other = known(other)
        value = exact_number(other, self.path)
        if value is NotImplemented:
            return value
        if self.parts or not self.constant:
            self.path.refuse("it divides by a draw")
        inverse = Draw(self.path, 1 / self.constant, {}, self.of_numpy)
        return inverse * other

    def __abs__(self) -> Operand:
        if self.is_zero():
            return Draw(self.path, self.constant, {}, self.of_numpy)
        if len(self.parts) == 1:
            return Absolute(self)
        return self if self >= 0 else -self

    def __bool__(self) -> bool:
        return not self.is_zero()

    def is_zero(self) -> bool:
        return not self.parts and not self.constant

    def minus(self) -> bool:
        return self.side is not None and bool(self.side < 0)

    def _sign(self) -> int:
        """Return the sign, which is not 0 but for a constant."""
        if not self.parts:
            return bool(self.constant > 0) - bool(self.constant < 0)
        return 1 if self.path.decide(self.parts, self.constant) else -1

    def _compare(self, other: object, truth: tuple[object, object, object]) -> Operand:
        """Return the truth of a comparison, given for less, equal and more."""
        other = known(other)
        if isinstance(other, np.ndarray) and other.shape:
            return NotImplemented  # NumPy compares with each element
        if self.of_numpy or is_numpys(other):
            truth = np.bool(truth[0]), np.bool(truth[1]), np.bool(truth[2])
        if (end := infinite(other)) is not None:
            if end != end:  # which libraries order in ways of their own
                self.path.refuse("it compares a draw with NaN")
            return truth[(end < 0) - (end > 0) + 1]
        difference = self - (Fraction(other) if isinstance(other, Decimal) else other)
        if difference is NotImplemented:
            return difference
        if len(difference.parts) == 1 and self.path.later(difference.parts):
            return self.path.truth(difference, (truth[0], truth[2]))
        return truth[difference._sign() + 1]

    __lt__, __le__ = _comparison(True, False, False), _comparison(True, True, False)
    __gt__, __ge__ = _comparison(False, False, True), _comparison(False, True, True)

    def __eq__(self, other: object) -> Operand:
        other = known(other)
        if isinstance(other, np.ndarray) and other.shape:
            return NotImplemented
        kind = np.bool if self.of_numpy or is_numpys(other) else bool
        if infinite(other) is not None:
            return kind(False)
        difference = self._plus(Fraction(other) if isinstance(other, Decimal) else other, 1, -1)
        return difference if difference is NotImplemented else kind(difference.is_zero())

    def __ne__(self, other: object) -> Operand:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else type(equal)(not equal)

    def __floor__(self) -> Operand:
        """Return the integer below, which is looked for outwards from that of the constant."""
        start = math.floor(fraction(self.constant))
        return self.path.counts.floor(self, start) if self.parts else start

    def __ceil__(self) -> Operand:
        return -math.floor(-self)

    def __trunc__(self) -> Operand:
        return math.floor(self) if self >= 0 else -math.floor(-self)

    def __int__(self) -> int:
        return int(self.__trunc__())

    def __round__(self, digits: int | None = None) -> Operand:
        """Round; of a constant as Python does, of a draw, where ties have probability 0."""
        if not self.parts:
            return round(self.value(), digits)
        scale = fmpq(10) ** (digits or 0)
        whole = math.floor(self * scale + Fraction(1, 2))
        if digits is None:
            return whole
        near = self._near(int(whole) / fraction(scale))
        return np.float64(near) if self.of_numpy else near

    def _near(self, whole: object) -> float:
        """Return what the draw is rounded to: 0.0 or -0.0, whose texts differ, by its sign."""
        number = known(whole)
        if number:
            return float(number)
        minus = self < 0 if self.parts or self.constant else self.minus()
        return -0.0 if minus else 0.0

    def value(self) -> float:
        return np.float64(float(self)) if self.of_numpy else float(self)

    def round(self, decimals: int = 0) -> Operand:
        return settled(round(self, decimals))

    def rint(self) -> Operand:
        return self.round(0)

    def floor(self) -> Operand:
        return settled(self._near(math.floor(self)))  # 0 of what is positive

    def ceil(self) -> Operand:
        return settled(self._near(math.ceil(self)))

    def trunc(self) -> Operand:
        return settled(self._near(math.trunc(self)))

    def item(self) -> "Draw":
        return self.as_kind(of_numpy=False)

    def clip(self, low: Operand = None, high: Operand = None, **_: object) -> Operand:
        value: Operand = self
        if low is not None and value < low:
            value = low
        value = high if high is not None and value > high else value
        return settled(value if isinstance(value, Symbol) else float(value))

    def log(self) -> Operand:
        return self.path.logarithm(self.parts, self.constant) if self.parts else math.log(self)

    def log1p(self) -> Operand:
        """Return log(1 + x), of a draw x for which 1 + x is uniform between 0 and 1."""
        return (1 + self).log()

    def is_integer(self) -> bool:
        """Whether the value is whole, which has probability 0 but for a constant."""
        return not self.parts and int(self.constant.q) == 1

    def __float__(self) -> float:
        if self.parts:
            self.path.refuse(f"it turns a draw into a float: {_AFTER}, and collect draws in a list")
        if self.is_zero():
            return self._near(0)
        return int(self.constant.p) / int(self.constant.q)

    def __hash__(self) -> int:
        if self.parts:
            self.path.refuse("it uses a draw as a key, or puts it into a set")
        return hash(fraction(self.constant))

    def __str__(self) -> str:
        if self.parts:
            self.path.refuse("it turns a draw into text")
        return str(self.value())

    def __repr__(self) -> str:
        return self.__str__() if self.parts else repr(self.value())

    def __format__(self, how: str) -> str:
        return format(self.value(), how) if not self.parts else self.__str__()

    def __getattr__(self, name: str) -> Operand:
        known = name in _OF_FLOATS or name in _FUNCTIONS or (self.of_numpy and name in _OF_NUMPY)
        # whether the value is asked for: libraries look at `dtype` and others
        wanted = name in _FUNCTIONS or self.path.asked_directly(2)
        if self.of_numpy and name in _OF_A_NUMBER:
            return _OF_A_NUMBER[name] if wanted or name != "dtype" else np.dtype(object)
        if name.startswith("__") or not known or not wanted:
            raise AttributeError(f"'float' object has no attribute '{name}'")
        return self.path.refuse(f"it calls {name} on a draw: {_AFTER}")

    def __getitem__(self, at: object) -> "Draw":
        """Return the draw, which is an array without axes if it is a number of NumPy."""
        if not self.of_numpy or at not in ((), Ellipsis):
            raise TypeError("'float' object is not subscriptable")
        return self

    def _refused(self, *_: object) -> NoReturn:
        self.path.refuse(f"it takes a power, a remainder or an integer of a draw: {_AFTER}")

    __index__ = __complex__ = __pow__ = __rpow__ = __mod__ = __rmod__ = _refused
    __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _refused

    def __deepcopy__(self, _: object) -> "Draw":
        return self

    def __reduce_ex__(self, _: object) -> NoReturn:
        self.path.refuse("it pickles a draw")


class Absolute(Draw):
    """|X| of a draw X, whose sign is not asked for as long as the size is compared with numbers."""

    __slots__ = ("_inner", "_known")

    def __init__(self, inner: Draw) -> None:
        self.path, self.of_numpy, self.side = inner.path, inner.of_numpy, None
        self._inner = inner
        self._known: Draw | None = None

    def resolved(self) -> Draw:
        if self._known is None:
            self._known = self._inner if self._inner >= 0 else -self._inner
        return self._known

    def as_kind(self, of_numpy: bool) -> Draw:
        return Absolute(self._inner.as_kind(of_numpy))

    @property
    def constant(self) -> fmpq:  # type: ignore[override]
        return self.resolved().constant

    @property
    def parts(self) -> dict[int, fmpq]:  # type: ignore[override]
        return self.resolved().parts

    def _compare(self, other: object, truth: tuple[object, object, object]) -> Operand:
        other = known(other)
        plain = self._known is None and not isinstance(other, Decimal) and infinite(other) is None
        size = exact_number(other, self.path) if plain else None
        if type(size) is not fmpq:
            return super()._compare(other, truth)
        if self.of_numpy or is_numpys(other):
            truth = np.bool(truth[0]), np.bool(truth[1]), np.bool(truth[2])
        form = self._inner
        less = size > 0 and self.path.within(form.parts, form.constant, size)
        return truth[0 if less else 2]


# Parameters of draws: numbers, or arrays of them, which are broadcast as NumPy does.

_ONE = frozenset([int, float, bool, Fraction, ExactFloat])  # what is one number, as most parameters are


class Parameters:
    """What draws of all kinds have in common: a run, numbers, and shapes."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def _number(self, value: object) -> Operand:
        number = exact_number(value, self._run)
        if number is NotImplemented:
            raise TypeError(f"expected a number, found {value!r}")
        if type(number) is Draw and not number.parts:
            return number.constant
        return number

    def _scale(self, value: object) -> Fraction:
        scale = self._number(value)
        if type(scale) is Draw:
            self._run.refuse("a scale is a draw")
        if scale < 0:
            raise ValueError("scale < 0")
        return fraction(scale)

    def _each(self, draw: Callable[..., object], size: object, *parameters: Operand) -> Operand:
        """Draw once, or once for each place of an array."""
        if size is None and all(map(_is_one, parameters)):
            plain = (p.item() if type(p) not in _ONE and hasattr(p, "dtype") else p for p in parameters)
            return self._run.shown(draw(*plain))
        shapes = [np.shape(p) if not isinstance(p, Draw) else () for p in parameters]
        shape = np.broadcast_shapes(*shapes)
        if size is not None:
            shape = shape_of(size)
            np.broadcast_shapes(shape, *shapes)
        grids = [np.broadcast_to(_objects(p), shape) for p in parameters]
        out = np.empty(shape, dtype=object)
        for at in np.ndindex(*shape):
            out[at] = known(draw(*(grid[at] for grid in grids)))
        drawn = any(isinstance(x, Symbol) for x in out.flat)
        return settled(out) if drawn else np.array(out.tolist()).reshape(shape)


def _is_one(value: Operand) -> bool:
    return type(value) in _ONE or isinstance(value, Draw) or not np.shape(value)


def _objects(value: object) -> Array:
    """Return a parameter as an array of objects, numbers of NumPy as Python's own."""
    return boxed(value) if isinstance(value, Draw) else np.asarray(value, dtype=object)


def shape_of(size: object) -> tuple[int, ...]:
    shape = tuple(map(index, size if np.iterable(size) else [size]))
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


# The order of an array of draws, of which a place becomes known when it is looked at.
#
# `np.argsort(-noisy)[:k]` asks for the k largest of n draws, which is a branch for each of n (n - 1) .. (n - k + 1)
# ways, not for each of n! orders: the largest, the largest of the rest, and so on, from the end that is nearer.

_WRITING = frozenset(["sort", "partition", "fill", "put", "resize", "setfield", "setflags"])


def ordered(values: list[Operand]) -> "Places | None":
    """Return the places of numbers in ascending order, or None unless they are draws and finite
    numbers of which no two are equal.
    """
    draws = [x for x in values if type(x) is Draw]
    numbers = [x for x in values if type(x) is not Draw]
    if not all(x.parts for x in draws) or not all(
        (not isinstance(x, Symbol) and isinstance(x, float) and isfinite(x)) for x in numbers
    ):
        return None
    forms = {(x.constant, frozenset(x.parts.items())) for x in draws}
    if not draws or len(forms) < len(draws) or len({*numbers}) < len(numbers):
        return None
    places = Places(_Order(values, draws[0].path), np.arange(len(values)))
    shown: Places = draws[0].path.shown(places)
    return shown


class _Order:
    """Numbers, and what is known of their order."""

    def __init__(self, values: list[Operand], path: Run) -> None:
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
            left = [self.values[i] if side else -self.values[i] for i in self.rest]
            words = [f"place {i} is the {('smallest', 'largest')[side]}" for i in self.rest]
            self.ends[side].append(self.rest.pop(self.path.largest(left, words.__getitem__)))
        for own, end in zip(ranks, self.ends):
            if own < len(end):
                return end[own]
        return self.rest[0]


class Places(NDArrayOperatorsMixin):
    """An array of integers: places in an order."""

    _order: _Order
    _ranks: Array

    def __init__(self, order: _Order, ranks: Array) -> None:
        known = {"dtype": np.dtype(np.int64), "shape": ranks.shape, "ndim": ranks.ndim, "size": ranks.size}
        vars(self).update(known, _order=order, _ranks=ranks)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return np.ndarray

    def resolved(self) -> Array:
        known = [self._order.at(int(rank)) for rank in self._ranks.flat]
        return np.array(known, dtype=np.int64).reshape(self._ranks.shape)

    def __getitem__(self, at: Operand) -> "Places | np.int64":
        ranks = self._ranks[at]
        if isinstance(ranks, np.ndarray):
            return Places(self._order, ranks)
        return np.int64(self._order.at(int(ranks)))

    def _refuse(self, *_: object) -> NoReturn:
        self._order.path.refuse("it writes into an order of draws: copy it first")

    __setitem__ = __setattr__ = __delattr__ = _refuse  # NumPy reshapes an array whose shape is set

    def _fixed(self) -> Array:
        """Return the places as an array that nothing is written into: it would not be seen here."""
        places = self.resolved()
        places.setflags(write=False)
        return places

    def __len__(self) -> int:
        return len(self._ranks)

    def __iter__(self) -> Iterator["Places | np.int64"]:
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype: Operand = None, copy: object = None) -> Array:
        return np.asarray(self.resolved() if copy else self._fixed(), dtype)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: object, **options: Operand) -> Operand:
        if any(type(x) is Places for x in options.get("out", ())):
            self._refuse()
        plain = [x.resolved() if type(x) is Places else x for x in inputs]
        return getattr(ufunc, method)(*plain, **options)

    def __getattr__(self, name: str) -> Operand:
        if name in ("__array_interface__", "__array_struct__"):
            raise AttributeError(name)
        if name in _WRITING:
            self._refuse()
        return getattr(self._fixed(), name)

    def __reduce_ex__(self, protocol: SupportsIndex) -> Operand:
        return self.resolved().__reduce_ex__(protocol)


def _resolving(name: str) -> Callable[..., object]:
    def method(self: Places, *given: object) -> object:
        return getattr(self.resolved(), name)(*given)

    return method


for _name in ("bool", "int", "index", "float", "str", "repr", "format"):
    setattr(Places, f"__{_name}__", _resolving(f"__{_name}__"))
