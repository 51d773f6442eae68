"""Check the kinds of arguments that public functions take: another kind is one line of error.

    mechanism: expected a Channel, found LocalMechanism(9 records, ..) (its channel() lists it)

A stand-in, as `read_framework` returns one, passes for its value. Integers and rationals of
other packages become Python's own, because an integer of NumPy overflows where exact numbers grow.
`Level.coerce` reads levels; the functions themselves check what their arguments contain.

A class may say which call is right where its instances are often passed by mistake:
`taken_by = {"Channel": "its channel() lists it"}`. A class that is asked for may say so of other
packages and of Python's own classes: `made_by = {"dict": "Channel.of makes one of rows"}`. Messages
do not name a class that is `unnamed`, because only the project makes its values.
"""

import collections.abc
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from math import isqrt
from numbers import Real
from operator import index
from typing import Any, ClassVar, Literal, TypeVar, Union, get_args, get_origin

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import JsonObject, shown, text_of

# Fields of frozen dataclasses: constructors that read what callers write set them, and answers give them to JSON.


def hold(instance: object, **fields: object) -> None:
    """Set the fields of a frozen dataclass that is being made; nothing else ever does.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, init=False)
    ... class Half:
    ...     value: float
    ...
    ...     def __init__(self, whole: float) -> None:
    ...         hold(self, value=whole / 2)
    >>> Half(3)
    Half(value=1.5)
    """
    for name, value in fields.items():
        object.__setattr__(instance, name, value)


class Plain:
    """A dataclass whose JSON object has its fields, or the attributes that `_json` names.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Half(Plain):
    ...     number: Fraction
    >>> Half(Fraction(1, 2)).as_json()
    {'number': '1/2'}
    """

    _json: ClassVar[tuple[str, ...]] = ()

    def as_json(self) -> JsonObject:
        """Return the JSON object of the file formats."""
        names = self._json or [field.name for field in fields(self)]  # type: ignore[arg-type]
        return {name: plain(getattr(self, name)) for name in names}


def plain(value: object) -> object:
    """Return a value as JSON has it: fractions as text, names and tuples as what they hold."""
    if isinstance(value, Fraction):
        return text_of(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.as_json() if hasattr(value, "as_json") else value


# Checked arguments of the mechanism constructors: ratios and rational powers.

Number = str | int | Fraction


def checked_ratio(ratio: Number, where: str = "ratio") -> Fraction:
    """Return a ratio e^epsilon as a rational. Raises `ModelError` unless it is above 1."""
    try:
        value = exact(ratio)
    except ModelError as error:
        raise error.within(where) from None
    if value <= 1:
        raise ModelError(f"expected a ratio e^epsilon above 1, found {text_of(value)}", where)
    return value


def rational_root(value: Fraction, where: str = "ratio") -> Fraction:
    """Return the square root of a non-negative rational. Raises `ModelError` unless it is
    rational.
    """
    root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
    if root * root != value:
        raise ModelError(f"expected the square of a rational, found {text_of(value)}", where)
    return root


T = TypeVar("T")
_NUMBERS = {bool: "True or False", float: "a number", Fraction: "a number", int: "an integer"}
_NAMES = {Any: "anything", object: "anything", str: "text", **_NUMBERS}
_ANY, _WRITTEN = (Any, object), frozenset([str, int, float, Fraction, Decimal])
_PLURALS = {"text": "texts", "anything": "values", "a number": "numbers", "an integer": "integers"}


Unchecked = Any  # the value of an argument


class _OtherKindError(Exception):
    """A value, or what is at some place inside it, is of another kind."""

    def __init__(self, kind: object, value: object, place: str = "") -> None:
        super().__init__(place)
        self.kind, self.value, self.place = kind, value, place


def check_type(value: T, kind: object, name: str) -> T:
    """Return the value of an argument, of the kind that its annotation names.

    >>> from collections.abc import Sequence
    >>> check_type(4, int, "runs"), check_type(["u", "v"], Sequence[str], "outputs")
    (4, ['u', 'v'])
    >>> check_type("4", int | None, "runs")
    Traceback (most recent call last):
    pufferproof.models.errors.ModelError: runs: expected an integer, found '4'
    >>> check_type(True, int, "runs")
    Traceback (most recent call last):
    pufferproof.models.errors.ModelError: runs: expected an integer, found True

    A kind is a class, `Literal`, a union, a mapping, an iterable or a sequence. Items are checked
    if they are written out, not those of an iterable.

    Raises `ModelError` for a value of another kind: it says what was expected and found, and which
    call is right.
    """
    plainly, read = _known(kind)
    if type(value) in plainly:
        return value
    try:
        result: T = read(value)
        return result
    except _OtherKindError as error:
        wanted, other, place = error.kind, value_of(error.value), error.place
        if hint := _right_call(kind, value_of(value)):  # about the whole, not about an item
            wanted, other, place = kind, value_of(value), ""
        hint = hint or _right_call(wanted, other)
        text, its = shown(other), type(other).__name__  # its type is named unless it is plain to see
        if not (other is None or isinstance(other, str | bool) or its in text):
            text = f"{_article(its)}: {text}"
        said = f"expected {_name(wanted)}, found {text}{hint and f' ({hint})'}"
        raise ModelError(said, name + place) from None


def hold_checked(instance: object, kinds: Mapping[str, object]) -> None:
    """Check fields of a frozen dataclass that have just been set."""
    read = {kind: check_type(getattr(instance, kind), kinds[kind], kind) for kind in kinds}
    hold(instance, **read)


@cache
def _known(kind: object) -> tuple[frozenset[type], Callable[[Unchecked], Any]]:
    """Return what is taken as it is, and what reads anything else: a kind is looked at once."""
    return _plain(kind), _reader(kind)


@cache
def _plain(kind: object) -> frozenset[type]:
    """Return classes whose instances are taken as they are, so that long lists cost little."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        written = _WRITTEN if _written(parts) else frozenset[type]()
        return written.union(*map(_plain, parts))
    if origin is None:
        return frozenset([kind] if isinstance(kind, type) and kind is not object else [])
    if not isinstance(origin, type) or parts[-1] not in _ANY:
        return frozenset()
    if issubclass(origin, Mapping):
        return frozenset([dict])
    return frozenset([list, tuple] if issubclass(origin, Iterable) else [])


@cache
def _reader(kind: object) -> Callable[[Unchecked], object]:
    """Return what reads a value of a kind."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is None:
        return _class_reader(kind)
    if origin in (Union, types.UnionType):
        return partial(_any_of, kind, [(_gate(part), _reader(part)) for part in parts], _written(parts))
    if origin is Literal:
        return lambda value: _expect(type(value) is str and value in parts, value, kind)
    if origin is collections.abc.Callable:
        return lambda value: _expect(callable(value) and not isinstance(value, type), value, kind)
    if issubclass(origin, Mapping):
        return partial(_mapping, kind, parts[1])
    if issubclass(origin, Sequence):
        same = len(set(parts)) == 1 or parts[1:] == (...,)
        return partial(_sequence, kind, parts[0] if same else object)
    return lambda value: _expect(_is_iterable(value), value, kind)


def _class_reader(kind: Unchecked) -> Callable[[Unchecked], object]:
    if kind in _ANY:
        return lambda value: value
    if kind in _NUMBERS:
        return partial(_number, kind)
    if not getattr(kind, "_is_protocol", False):
        return lambda value: _expect(isinstance(given := value_of(value), kind), given, kind)
    methods = [name for name, each in vars(kind).items() if callable(each) and name[0] != "_"]
    return lambda value: _expect(all(hasattr(value_of(value), each) for each in methods), value_of(value), kind)


def _gate(kind: Unchecked) -> type:
    """Return the class whose instances alone can be of a kind, `object` if there may be others."""
    origin = get_origin(kind)
    if origin is None and isinstance(kind, type) and not getattr(kind, "_is_protocol", False):
        return object if kind in _ANY or kind in _NUMBERS else kind
    return Mapping if isinstance(origin, type) and issubclass(origin, Mapping) else object


def _expect(fits: bool, value: object, kind: object) -> object:
    if not fits:
        raise _OtherKindError(kind, value)
    return value


def _number(kind: object, value: Unchecked) -> object:
    if isinstance(value, bool) is not (kind is bool):
        raise _OtherKindError(kind, value)
    try:
        if kind is int:
            return index(value)
        if kind is Fraction:
            return exact(value)
        if kind is float:
            return float(value if isinstance(value, Real | Decimal) else "")
    except (ModelError, OverflowError, TypeError, ValueError):
        raise _OtherKindError(kind, value) from None
    return value


def _any_of(
    kind: object, parts: Sequence[tuple[type, Callable[[object], object]]], written: bool, value: object
) -> object:
    if written and isinstance(value, str | Real | Decimal) and not isinstance(value, bool):
        return value  # read later, as `exact` does
    closest, given = None, value_of(value)
    for gate, read in parts:
        if isinstance(given, gate):
            try:
                return read(value)
            except _OtherKindError as error:
                closest = error if error.place else closest
    raise closest or _OtherKindError(kind, given)


def _written(parts: Sequence[object]) -> bool:
    """Whether a union means numbers, as text as well."""
    return Fraction in parts and (str in parts or float in parts)


def _sequence(kind: object, item: object, value: Unchecked) -> object:
    if type(value) in (list, tuple) and (item in _ANY or _plain(item).issuperset(map(type, value))):
        return value
    if isinstance(value, str):
        return _expect(item is str, value, kind)  # each letter is a text
    if hasattr(value, "to_numpy"):  # a table of pandas: its values, not its labels
        value = value.to_numpy()
    sized = _is_iterable(value) and hasattr(value, "__len__")
    _expect(sized and not isinstance(value, set | frozenset), value, kind)
    if not isinstance(value, Sequence):  # arrays, keys of a dict
        value = value.tolist() if hasattr(value, "tolist") else tuple(value)
    if item in _ANY or not isinstance(value, list | tuple | range):
        return value
    if _plain(item).issuperset(map(type, value)):
        return value
    items = _items(enumerate(value), item, "[{}]")
    return value if all(new is old for new, old in zip(items, value)) else tuple(items)


def _mapping(kind: object, item: object, value: Unchecked) -> object:
    _expect(isinstance(value, Mapping), value, kind)
    if item in _ANY or _plain(item).issuperset(map(type, value.values())):
        return value
    items = dict(zip(value, _items(value.items(), item, ".{}")))
    return value if all(items[key] is each for key, each in value.items()) else items


def _items(placed: Iterable[tuple[object, object]], kind: object, place: str) -> list[object]:
    """Read items at their places; an error says where."""
    items, read = [], _reader(kind)
    for key, value in placed:
        try:
            items.append(read(value))
        except _OtherKindError as error:
            raise _OtherKindError(error.kind, error.value, place.format(key) + error.place) from None
    return items


def _is_iterable(value: object) -> bool:
    return not isinstance(value, str | bytes | Mapping) and isinstance(value, Iterable)


def _right_call(kind: object, value: object) -> str:
    """Return the call that takes or reads a value of another kind, or an empty text."""
    given = {cls.__name__ for cls in type(value).__mro__} | {type(value).__module__.split(".")[0]}
    classes = _classes(kind)
    if type(value) is not str and (type(value), True) in classes:
        return "one alone is a list as well: [it]"
    for cls, _ in classes:
        made_by: Mapping[str, str] = getattr(cls, "made_by", {})
        taken_by: Mapping[str, str] = getattr(value, "taken_by", {})
        if call := next((say for each, say in made_by.items() if each in given), ""):
            return call
        if call := taken_by.get(getattr(cls, "__name__", ""), ""):
            return call
    return ""


def _classes(kind: object, several: bool = False) -> list[tuple[object, bool]]:
    """Return the classes that a kind names, and whether a sequence of them is asked for."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return [each for part in parts for each in _classes(part, several)]
    return _classes(parts[0], True) if origin is Sequence else [(kind, several)]


def _name(kind: object) -> str:
    """Say a kind in words."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _NAMES:
        return _NAMES[kind]
    if origin is Literal:
        return _or([f'"{part}"' for part in parts])
    if origin in (Union, types.UnionType):
        known = [part for part in parts if part is not type(None) and not getattr(part, "unnamed", False)]
        if _written(parts):
            known = [Fraction, *(part for part in known if part not in (str, int, float, Fraction))]
        return _or(list(dict.fromkeys(map(_name, known))))
    if origin is collections.abc.Callable:
        return "a function"
    if origin is None:
        return _article(getattr(kind, "__name__", ""))
    if issubclass(origin, Mapping):
        return "a mapping such as a dict"
    item = _name(parts[0] if len(set(parts)) == 1 or parts[1:] == (...,) else object)
    return f"a sequence of {_PLURALS[item]}" if item in _PLURALS else f"a sequence, each {item}"


def _article(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _or(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


class StandIn:
    """A value with a word on where it is from: a file, or an object of another library.

    >>> from pufferproof.models.files.reading import Loaded
    >>> issubclass(Loaded, StandIn)
    True
    """

    value: object


def value_of(given: object) -> object:
    """Return what a stand-in stands for, and anything else as it is.

    >>> value_of(3)
    3
    """
    return given.value if isinstance(given, StandIn) else given
