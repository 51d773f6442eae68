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
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np
from flint import fmpq

from pufferproof.models.numbers.pieces import fraction
from pufferproof.verify.programs.drawing.arrays import Run, Symbol, settled
from pufferproof.verify.programs.drawing.numbers import (
    exact_number,
    has_minus,
    infinite,
    is_array,
    is_numpys,
    known,
    negative_zero,
)

_OF_FLOATS = frozenset(dir(float))
_OF_NUMPY = frozenset(dir(np.float64))
_OF_A_NUMBER = {"dtype": np.dtype(float), "shape": (), "ndim": 0, "size": 1}
_FUNCTIONS = frozenset(["exp", "log", "sqrt", "sin", "cos", "tan", "log1p", "expm1", "log2", "log10"])
_AFTER = "compare it, add it, or scale it by numbers"


class ControlError(BaseException):
    """Ends a run of a program from inside: not an `Exception`, which programs catch."""


class Draw(Symbol):
    """A linear form over the draws of a path, which behaves as a float where it can."""

    __slots__ = ("constant", "of_numpy", "parts", "path", "side")
    __array_priority__ = 1000

    def __init__(self, path: Run, constant: Any, parts: dict[int, Any], of_numpy: bool = False) -> None:
        self.path, self.constant, self.parts, self.of_numpy = path, constant, parts, of_numpy
        self.side: Draw | None = None  # of a zero: what has its sign, if it may be -0.0

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """`isinstance(draw, float)` holds, as of what NumPy draws."""
        return np.float64 if self.of_numpy else float

    def as_kind(self, of_numpy: bool) -> "Draw":
        """Return this draw as a number of NumPy, or as one of Python."""
        if self.of_numpy == of_numpy:
            return self
        same = Draw(self.path, self.constant, self.parts, of_numpy)
        same.side = self.side
        return same

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = np.empty((), dtype=object)
        array[()] = self.as_kind(of_numpy=True)
        return array if dtype is None else array.astype(dtype)

    def _plus(self, other: object, mine: int, theirs: int) -> Any:
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
            if self.side is not None and negative_zero(other, theirs):  # else 0.0
                total.side = self.side._times(fmpq(mine))
            return total
        for v, a in value.parts.items():
            total = parts[v] + theirs * a if v in parts else theirs * a
            if total:
                parts[v] = total
            else:
                del parts[v]
        total = Draw(self.path, constant + theirs * value.constant, parts, of_numpy)
        if self.side is not None and value.side is not None and total.is_zero():
            minus = self._times(fmpq(mine)).minus() and value._times(fmpq(theirs)).minus()
            total.side = Draw(self.path, fmpq(-1), {}) if minus else None
        return total

    def __add__(self, other: Any) -> Any:
        return self._plus(other, 1, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return self._plus(other, 1, -1)

    def __rsub__(self, other: Any) -> Any:
        return self._plus(other, -1, 1)

    def __neg__(self) -> "Draw":
        return self._times(fmpq(-1))

    def __pos__(self) -> "Draw":
        return self

    def _times(self, factor: Any, of_numpy: bool = False, minus: bool | None = None) -> "Draw":
        """Return the draw times a number, of which 0 may be -0.0."""
        parts = {v: a * factor for v, a in self.parts.items()} if factor else {}
        product = Draw(self.path, self.constant * factor, parts, self.of_numpy or of_numpy)
        if product.is_zero():
            negative = factor < 0 if minus is None else minus
            positive = self.side or Draw(self.path, fmpq(1), {})
            sign = fmpq(-1 if negative else 1)
            product.side = (positive if self.is_zero() else self)._times(sign)
        return product

    def __mul__(self, other: Any) -> Any:
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

    def __truediv__(self, other: Any) -> Any:
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

    def __rtruediv__(self, other: Any) -> Any:
        other = known(other)
        value = exact_number(other, self.path)
        if value is NotImplemented:
            return value
        if self.parts or not self.constant:
            self.path.refuse("it divides by a draw")
        inverse = Draw(self.path, 1 / self.constant, {}, self.of_numpy)
        return inverse * other

    def __abs__(self) -> Any:
        if self.is_zero():
            return Draw(self.path, self.constant, {}, self.of_numpy)
        if len(self.parts) == 1:
            return self.path.absolute(self)
        return self if self >= 0 else -self

    def __bool__(self) -> bool:
        return not self.is_zero()

    def is_zero(self) -> bool:
        """Whether the value is 0, which has probability 0 but for a constant."""
        return not self.parts and not self.constant

    def minus(self) -> bool:
        """Whether a zero is -0.0."""
        return self.side is not None and bool(self.side < 0)

    def _sign(self) -> int:
        """Return the sign, which is not 0 but for a constant."""
        if not self.parts:
            return bool(self.constant > 0) - bool(self.constant < 0)
        return 1 if self.path.decide(self.parts, self.constant) else -1

    def _compare(self, other: object, truth: tuple[Any, ...]) -> Any:
        """Return the truth of a comparison, given for less, equal and more."""
        other = known(other)
        if is_array(other):
            return NotImplemented  # NumPy compares with each element
        if self.of_numpy or is_numpys(other):
            truth = tuple(map(np.bool, truth))
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

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, (True, False, False))

    def __le__(self, other: Any) -> Any:
        return self._compare(other, (True, True, False))

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, (False, False, True))

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, (False, True, True))

    def __eq__(self, other: object) -> Any:
        other = known(other)
        if is_array(other):
            return NotImplemented
        kind = np.bool if self.of_numpy or is_numpys(other) else bool
        if infinite(other) is not None:
            return kind(False)
        difference = self._plus(Fraction(other) if isinstance(other, Decimal) else other, 1, -1)
        return difference if difference is NotImplemented else kind(difference.is_zero())

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else type(equal)(not equal)

    def __floor__(self) -> Any:
        """Return the integer below, which is looked for outwards from that of the constant."""
        start = math.floor(fraction(self.constant))
        return self.path.counts.floor(self, start) if self.parts else start

    def __ceil__(self) -> Any:
        return -math.floor(-self)

    def __trunc__(self) -> Any:
        return math.floor(self) if self >= 0 else -math.floor(-self)

    def __int__(self) -> int:
        return int(self.__trunc__())

    def __round__(self, digits: int | None = None) -> Any:
        """Round; of a constant as Python does, of a draw, where ties have probability 0."""
        if not self.parts:
            return round(self.value(), digits)
        scale = fmpq(10) ** (digits or 0)
        whole = math.floor(self * scale + Fraction(1, 2))
        if digits is None:
            return whole
        return self._as_kind(self._near(int(whole) / fraction(scale)))

    def _near(self, whole: object) -> float:
        """Return what the draw is rounded to: 0.0 or -0.0, whose texts differ, by its sign."""
        number = known(whole)
        if number:
            return float(number)
        minus = self < 0 if self.parts or self.constant else self.minus()
        return -0.0 if minus else 0.0

    def _as_kind(self, number: float) -> float:
        return np.float64(number) if self.of_numpy else number

    def value(self) -> float:
        """Return a constant as the number that it stands for."""
        return self._as_kind(float(self))

    def round(self, decimals: int = 0) -> Any:
        """Round, as NumPy asks for it."""
        return settled(round(self, decimals))

    def rint(self) -> Any:
        """Round to an integer, as NumPy asks for it."""
        return self.round(0)

    def floor(self) -> Any:
        """Round down, as NumPy asks for it."""
        return settled(self._near(math.floor(self)))  # 0 of what is positive

    def ceil(self) -> Any:
        """Round up, as NumPy asks for it."""
        return settled(self._near(math.ceil(self)))

    def trunc(self) -> Any:
        """Round towards 0, as NumPy asks for it."""
        return settled(self._near(math.trunc(self)))

    def item(self) -> "Draw":
        """Return the draw, as an array of one number is asked for it."""
        return self.as_kind(of_numpy=False)

    def clip(self, low: Any = None, high: Any = None, **_: Any) -> Any:
        """Return the draw between two bounds."""
        value: Any = self
        if low is not None and value < low:
            value = low
        value = high if high is not None and value > high else value
        return settled(value if isinstance(value, Symbol) else float(value))

    def log(self) -> Any:
        """Return the logarithm, of a draw that is uniform between 0 and 1."""
        return self.path.logarithm(self.parts, self.constant) if self.parts else math.log(self)

    def log1p(self) -> Any:
        """Return log(1 + x), of a draw x for which 1 + x is uniform between 0 and 1."""
        return (1 + self).log()

    def conjugate(self) -> "Draw":
        """Return the draw, which is real."""
        return self

    @property
    def real(self) -> "Draw":
        """The draw, which is real."""
        return self

    @property
    def imag(self) -> float:
        """The imaginary part."""
        return 0.0

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

    def __getattr__(self, name: str) -> Any:
        known = name in _OF_FLOATS or name in _FUNCTIONS or (self.of_numpy and name in _OF_NUMPY)
        wanted = self._wanted(name)
        if self.of_numpy and name in _OF_A_NUMBER:
            return _OF_A_NUMBER[name] if wanted or name != "dtype" else np.dtype(object)
        if name.startswith("__") or not known or not wanted:
            raise AttributeError(f"'float' object has no attribute '{name}'")
        return self.path.refuse(f"it calls {name} on a draw: {_AFTER}")

    def __getitem__(self, at: Any) -> "Draw":
        """Return the draw, which is an array without axes if it is a number of NumPy."""
        if not self.of_numpy or at not in ((), Ellipsis):
            raise TypeError("'float' object is not subscriptable")
        return self

    def _wanted(self, name: str) -> bool:
        """Whether an attribute is asked for its value: libraries look at `dtype` and others."""
        return name in _FUNCTIONS or self.path.asked_directly(3)

    def _refused(self, *_: Any) -> NoReturn:
        self.path.refuse(f"it takes a power, a remainder or an integer of a draw: {_AFTER}")

    __index__ = __complex__ = __pow__ = __rpow__ = __mod__ = __rmod__ = _refused
    __floordiv__ = __rfloordiv__ = __divmod__ = __rdivmod__ = _refused
    __copy__ = __pos__

    def __deepcopy__(self, _: Any) -> "Draw":
        return self

    def __reduce_ex__(self, _: Any) -> NoReturn:
        self.path.refuse("it pickles a draw")
