"""A float that remembers the number that was meant: `epsilon = 1/10` of an argument.

| written | what it is |
|---|---|
| `2 * x`, `x + 1`, `1 / x`, `-x`, `abs(x)`, `x ** 2` | exact, with integers, fractions and floats |
| a comparison with a draw, a parameter of a draw | that of the exact number |
| `numpy.exp(x)`, `math.sqrt(x)`, `float(x)`, an array | a float, by its exact binary value |
| `x < 0.2`, `x == 0.1`, `hash(x)`, `str(x)` | that of the float |
"""

import operator
from collections.abc import Callable
from fractions import Fraction
from math import isfinite
from typing import Any, cast

_EXACT = (int, bool, float, Fraction)
_MOST = 64  # a power whose fraction stays short


class ExactFloat(float):
    """The float next to a rational number, which it remembers.

    >>> x = ExactFloat(Fraction(1, 10))
    >>> x, (3 * x).exact, x + 0.2 == 0.3, float(x).as_integer_ratio()[1] == 2**55
    (0.1, Fraction(3, 10), True, True)
    """

    exact: Fraction

    def __new__(cls, exact: Fraction) -> "ExactFloat":
        """Raises `OverflowError` if no float is near."""
        made = super().__new__(cls, exact)
        made.exact = exact
        return made

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """It is a float to a program that asks for its type."""
        return float

    def __reduce__(self) -> tuple[type["ExactFloat"], tuple[Fraction]]:
        return ExactFloat, (self.exact,)

    def __copy__(self) -> "ExactFloat":
        return self

    def __deepcopy__(self, _: object) -> "ExactFloat":
        return self

    def as_integer_ratio(self) -> tuple[int, int]:
        """Return the number that is remembered, as `Fraction(x)` asks for it."""
        return self.exact.as_integer_ratio()

    def __neg__(self) -> float:
        return _kept(float.__neg__(self), -self.exact)

    def __pos__(self) -> "ExactFloat":
        return self

    def __abs__(self) -> float:
        return _kept(float.__abs__(self), abs(self.exact))

    def __pow__(self, power: Any, modulus: Any = None) -> Any:
        if type(power) is int and abs(power) <= _MOST and modulus is None and self:
            return _kept(float.__pow__(self, power), self.exact**power)
        return float.__pow__(self, power, modulus)


def exactly(value: object) -> Any:
    """Return the number that a float remembers; any other value as it is."""
    return value.exact if type(value) is ExactFloat else value


def plain(value: Any) -> Any:
    """Return a value without what its floats remember, also in lists, tuples and dicts.

    >>> plain({"x": [ExactFloat(Fraction(1, 10))]})["x"][0].as_integer_ratio()[1] == 2**55
    True
    """
    if type(value) is ExactFloat:
        return float(value)
    if type(value) in (list, tuple):
        return type(value)(map(plain, value))
    return {key: plain(each) for key, each in value.items()} if type(value) is dict else value


def _kept(near: float, exact: Fraction) -> float:
    """Return a result with its exact value, unless the float is 0, infinite, or no number."""
    if not near or not isfinite(near):
        return near
    try:
        return ExactFloat(exact) if exact else near
    except OverflowError:
        return near


def _operation(name: str) -> tuple[Callable[[ExactFloat, object], object], Callable[[ExactFloat, object], object]]:
    function = getattr(operator, name)
    forward = getattr(float, f"__{name}__")
    backward = getattr(float, f"__r{name}__")

    def computed(near: float, first: object, second: object) -> float:
        return _kept(near, function(*(Fraction(exactly(each)) for each in (first, second))))

    def ahead(self: ExactFloat, other: object) -> object:
        if type(other) not in _EXACT and type(other) is not ExactFloat:
            return NotImplemented
        number = cast(float, other)
        near = forward(float(self), float(number))
        return computed(near, self, other) if isfinite(number) else near

    def behind(self: ExactFloat, other: object) -> object:
        if type(other) not in _EXACT:
            return NotImplemented
        number = cast(float, other)
        near = backward(float(self), float(number))
        return computed(near, other, self) if isfinite(number) else near

    return ahead, behind


for _name in ("add", "sub", "mul", "truediv"):
    for _prefix, _method in zip(("", "r"), _operation(_name)):
        setattr(ExactFloat, f"__{_prefix}{_name}__", _method)
