"""Arguments of public functions, checked by their annotations where they enter: another kind is one
line of error.

    mechanism: expected a Channel, found LocalMechanism(9 records, ..) (its channel() lists it)

What `read_framework`, `read_mechanism` and `as_mechanism` return stands for its value. Integers and
rationals of other packages become Python's own, because a NumPy integer overflows where exact
numbers grow. Levels are left to `Level.coerce`, the contents of what was passed to the functions
themselves: only kinds are checked here, of the items of lists and tuples as well.
"""

import collections.abc
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, wraps
from inspect import Parameter, signature
from numbers import Real
from operator import index
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.fields import hold
from pufferproof.models.interface.stand_in import StandIn, value_of
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.numbers.text import shown

P = ParamSpec("P")
R = TypeVar("R")
Read = Callable[[Any], Any]

_CALLS = {
    (
        "Channel",
        "RecordQuery",
    ): "audit, assert_pufferfish and compose take queries with noise",
    (
        "Channel",
        "AdditiveNoise",
    ): "audit, assert_pufferfish and compose take queries with noise",
    ("Channel", "LocalMechanism"): "its channel() lists it",
    ("Channel", "HiddenMarkovMechanism"): "its channel() lists it",
    ("Channel", "ParametricMechanism"): "at(values) has no parameters, and its channel() lists it",
    ("Channel", "PowerTable"): "its probabilities are not rational: audit and compose take it",
    ("Channel", "LocalRedaction"): "its channel() lists it",
    ("Channel", "dict"): "Channel.of makes one of rows",
    ("Channel", "ndarray"): "Channel.from_array makes one of a matrix",
    ("Channel", "str"): "read_mechanism reads a file",
    ("Channel", "PosixPath"): "read_mechanism reads a file",
    ("Channel", "function"): "Channel.of makes one of rows; estimate draws from a function",
    ("Framework", "BinaryChain"): "Framework.of_binary(chain, record) keeps a record private",
    (
        "Framework",
        "PointFramework",
    ): "normal records: audit and compose take it",
    ("Framework", "dict"): "read_framework reads a file",
    ("Framework", "str"): "read_framework reads a file",
    ("Framework", "PosixPath"): "read_framework reads a file",
    (
        "LocalRedaction",
        "LocalMechanism",
    ): "LocalRedaction(mechanism.redaction) is for binary chains",
    ("BinaryChain", "MarkovChain"): "BinaryChain.of(chain, length) is one of two values",
    ("MarkovChain", "BinaryChain"): "its prior() is one",
    ("Prior", "dict"): "Table(...) makes one of probabilities",
    ("Loss", "dict"): "Loss.of(outputs, table) makes one",
    ("Noise", "str"): 'Noise("laplace", scale) makes one',
}


_MECHANISMS = ("diffprivlib", "opendp", "pandas", "scipy")  # libraries that have some
_PRIORS = ("hmmlearn", "pandas", "pgmpy")


@dataclass(frozen=True)
class Kind:
    """What an annotation asks for: its name in a message, and how a value is read; that raises
    `_OtherKindError`. Values whose type is one of `plain` are taken as they are, and lists and
    tuples of values whose types are all in `listed`.
    """

    name: str
    read: Read
    plain: frozenset[type] | set[type] = frozenset()
    listed: frozenset[type] | set[type] = frozenset()

    def takes(self, values: Iterable[Any]) -> bool:
        """Whether all of some values are plain to see, and taken as they are."""
        if self.plain and self.plain.issuperset(map(type, values)):
            return True
        if not self.listed:
            return False
        for value in values:
            if type(value) not in _LISTED or not self.listed.issuperset(map(type, value)):
                return False
        return True


class _OtherKindError(Exception):
    """A value is of another kind than the annotation asks for, or a value at some place inside
    it.
    """

    def __init__(self, place: str = "", wanted: str = "", value: object = None) -> None:
        super().__init__(place)
        self.place, self.wanted, self.value = place, wanted, value


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function check the kinds of its arguments by its annotations.

    >>> @checked
    ... def doubled(number: int) -> int:
    ...     return 2 * number
    >>> doubled(4)
    8
    >>> doubled("4")
    Traceback (most recent call last):
    pufferproof.models.errors.ModelError: number: expected an integer, found '4'

    Callers see a `ModelError` for an argument of another kind, and Python's own `TypeError` where
    one is missing or unknown.
    """

    inside: Any = function

    @wraps(function)
    def entered(*args: P.args, **kwargs: P.kwargs) -> R:
        known, others = _kinds(function)
        values = [
            value if kind is _ANY or type(value) in kind.plain else _read(name, kind, value)
            for (name, kind), value in zip(known.items(), args)
        ]
        if len(args) > len(known):
            further = args[len(known) :]
            values += further if others is None else [_read(*others, each) for each in further]
        for name, value in kwargs.items():
            if name in known:
                kwargs[name] = _read(name, known[name], value)
        answer: R = inside(*values, **kwargs)
        return answer

    return entered


def check_fields(instance: object) -> None:
    """Check the kinds of the fields of a frozen dataclass that has just been set, and put what
    was read in their place.
    """
    cls: object = type(instance)
    for name, kind in _fields(cls):
        hold(instance, **{name: _read(name, kind, getattr(instance, name))})


@cache
def _kinds(function: Callable[..., object]) -> tuple[dict[str, Kind], tuple[str, Kind] | None]:
    """Return the kinds of the parameters in order, and that of `*args` if there are any."""
    kinds, others = {}, None
    for parameter in signature(function).parameters.values():
        named = parameter.name, _kind(_resolved(parameter.annotation, function.__globals__))
        if parameter.kind is Parameter.VAR_POSITIONAL:
            others = named
        else:
            kinds[named[0]] = named[1]
    return kinds, others


@cache
def _fields(cls: object) -> list[tuple[str, Kind]]:
    names = vars(sys.modules[cls.__module__])
    return [
        (name, _kind(_resolved(annotation, names)))
        for name, annotation in cls.__annotations__.items()
    ]


def _resolved(annotation: object, names: Mapping[str, object]) -> object:
    """Return what an annotation written as text stands for; names that only type checkers
    import may be anything.
    """
    if annotation is Parameter.empty:
        return Any
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, dict(names))
    except NameError:
        return Any


def _read(name: str, kind: Kind, value: Any) -> object:
    if type(value) in kind.plain:
        return value
    if kind.listed and type(value) in _LISTED and kind.listed.issuperset(map(type, value)):
        return value
    try:
        return kind.read(value)
    except _OtherKindError as error:
        place, wanted, other = (
            (error.place, error.wanted, error.value)
            if error.place and not _reader_of(kind.name, value)
            else ("", kind.name, value_of(value))
        )
        raise ModelError(
            f"expected {wanted}, found {_found(other)}{_right_call(wanted, other)}", name + place
        ) from None


def _found(value: object) -> str:
    """Show a value and, unless it is plain to see, its type."""
    text, kind = shown(value), type(value).__name__
    return (
        text
        if value is None or isinstance(value, str | bool) or kind in text
        else f"{_article(kind)}: {text}"
    )


def _reader_of(wanted: str, value: object) -> str:
    """Return the function that reads an object of another library as what is wanted, or none."""
    library, words = type(value).__module__.partition(".")[0], wanted.replace(",", "").split()
    readers = (("Channel", "as_mechanism", _MECHANISMS), ("Prior", "as_prior", _PRIORS))
    return next((call for word, call, held in readers if word in words and library in held), "")


def _right_call(wanted: str, value: object) -> str:
    words = wanted.replace(",", "").split()
    if reader := _reader_of(wanted, value):
        return f" ({reader} reads it)"
    if words[:2] == ["a", "sequence"] and type(value).__name__ in words:
        return " (one alone is a list as well: [it])"
    for (asked, given), call in _CALLS.items():
        if type(value).__name__ == given and asked in words:
            return f" ({call})"
    return ""


@cache
def _kind(annotation: object) -> Kind:
    origin, parts = get_origin(annotation), get_args(annotation)
    if annotation is None or annotation is type(None):
        return Kind("None", _only(None), frozenset([type(None)]))
    if origin is Literal:
        return Kind(_or([f'"{part}"' for part in parts]), _only(*parts))
    if origin in (Union, types.UnionType):
        return _either(parts)
    if origin is tuple:
        item = _kind(parts[0]) if len(set(parts)) == 1 or parts[1:] == (...,) else _ANY
        return Kind(_sequence_of(item), _several(item, ordered=True), _lists_of(item), item.plain)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        item = _kind(parts[1])
        plain = frozenset([dict]) if item is _ANY else frozenset()
        return Kind("a mapping such as a dict", _mapping(item), plain)
    if isinstance(origin, type) and issubclass(origin, collections.abc.Iterable):
        item, ordered = _kind(parts[0]), origin is collections.abc.Sequence
        items = item.plain if ordered else frozenset[type]()
        return Kind(_sequence_of(item), _several(item, ordered), _lists_of(item), items)
    if origin is collections.abc.Callable:
        return Kind("a function", _where(callable))
    return _plain(annotation if origin is None else origin)


def _lists_of(item: Kind) -> frozenset[type]:
    return frozenset([list, tuple]) if item is _ANY else frozenset()


def _plain(annotation: object) -> Kind:
    if annotation in _NUMBERS:
        return _NUMBERS[annotation]
    if annotation in (Any, object) or not isinstance(annotation, type):  # type variables, ...
        return _ANY
    name = _article(annotation.__name__)
    if getattr(annotation, "_is_protocol", False):
        members = [member for member in vars(annotation) if not member.startswith("_")]
        return _of_members(name, members)
    return Kind(name, _where(lambda value: isinstance(value, annotation)), frozenset([annotation]))


def _of_members(name: str, members: Sequence[str]) -> Kind:
    """Return the kind of what has some members. Types that have them are remembered as plain."""
    seen: set[type] = set()

    def fits(value: object) -> bool:
        if all(hasattr(type(value), member) for member in members):
            seen.add(type(value))
            return True
        return all(hasattr(value, member) for member in members)

    return Kind(name, _where(fits), seen)


def _either(parts: Sequence[object]) -> Kind:
    if Level in parts:
        name, reads = 'a level such as "log(2)", "0.5" or 0.5', [_where(_level_like)]
        plain = _LEVELS
        rest = [part for part in parts if part not in get_args(LevelLike)]
    elif Fraction in parts and (str in parts or float in parts):
        name, reads = (
            "a number",
            [_where(lambda value: isinstance(value, str) or _is_number(value))],
        )
        plain = _WRITTEN
        rest = [part for part in parts if part not in (str, int, float, Fraction)]
    else:
        name, reads, rest, plain = "", [], list(parts), frozenset()
    others = [_kind(part) for part in rest]
    names = [name] * bool(name) + [kind.name for kind in others if kind.name not in _UNTOLD]
    read = _first([*reads, *(kind.read for kind in others)])
    plain = plain.union(*(kind.plain for kind in others))
    lists = [kind.listed for kind in others if kind.listed]  # of several, one may read another's
    listed = lists[0] if len(lists) == 1 else frozenset[type]()
    return Kind(_or(list(dict.fromkeys(names))), _at_once(_classes(rest), read), plain, listed)


def _classes(parts: Sequence[object]) -> tuple[type, ...]:
    """Return the alternatives whose instances are taken as they are: classes that are no numbers,
    and None.
    """
    plain = [type(None) if part is None else part for part in parts]
    return tuple(
        part
        for part in plain
        if isinstance(part, type)
        and part not in _NUMBERS
        and get_origin(part) is None
        and not getattr(part, "_is_protocol", False)
    )


def _at_once(classes: tuple[type, ...], read: Read) -> Read:
    """Return a reader that takes instances of classes without trying one alternative after the
    other, which costs an exception each.
    """
    if not classes:
        return read
    return lambda value: value if isinstance(value, classes) else read(value)


def _first(reads: Sequence[Read]) -> Read:
    def read(value: object) -> object:
        closest = _OtherKindError()
        for each in reads:
            try:
                return each(value)
            except _OtherKindError as error:
                closest = error if error.place else closest
        raise closest

    return read


def _only(*values: object) -> Read:
    return _where(
        lambda value: any(
            value is each or (isinstance(value, str) and value == each) for each in values
        )
    )


def _where(fits: Callable[[object], bool]) -> Read:
    """Return a reader of what fits, or stands for what fits."""

    def read(value: object) -> object:
        if fits(value):
            return value
        if isinstance(value, StandIn) and fits(value.value):
            return value.value
        raise _OtherKindError

    return read


def _several(item: Kind, ordered: bool) -> Read:
    """Return a reader of several values; a text is only several texts where their order counts:
    "01" is the values 0 and 1.

    Items are read where they are listed, not those of an iterable, or of a sequence that is not
    written out.
    """

    def read(value: object) -> object:
        if isinstance(value, str) and item is _TEXT and ordered:
            return value
        if not (ordered and type(value) in _LISTED):
            value = _as_sequence(value) if ordered else _iterable(value)
        if item is _ANY or not ordered or not isinstance(value, _WRITTEN_OUT):
            return value
        if item.takes(value):
            return value
        items = _items(item, enumerate(value), "[{}]")
        return value if all(new is old for new, old in zip(items, value)) else tuple(items)

    return read


def _iterable(value: object) -> object:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, collections.abc.Iterable):
        raise _OtherKindError
    return value


def _as_sequence(value: Any) -> object:
    if hasattr(value, "to_numpy"):  # a table of pandas: its values, not its labels
        value = value.to_numpy()
    _iterable(value)
    if isinstance(value, set | frozenset) or not hasattr(value, "__len__"):
        raise _OtherKindError
    if isinstance(value, Sequence):
        return value
    # arrays, keys of a dict
    return value.tolist() if hasattr(value, "tolist") else tuple(value)


def _mapping(item: Kind) -> Read:
    def read(value: object) -> object:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise _OtherKindError
        if item is _ANY or item.takes(value.values()):
            return value
        items = dict(zip(value, _items(item, value.items(), ".{}")))
        return value if all(items[key] is each for key, each in value.items()) else items

    return read


def _items(kind: Kind, placed: Iterable[tuple[object, object]], place: str) -> list[object]:
    """Read items at their places; an error says where."""
    items = []
    for key, value in placed:
        try:
            items.append(kind.read(value))
        except _OtherKindError as error:
            wanted, given = (error.wanted, error.value) if error.place else (kind.name, value)
            raise _OtherKindError(place.format(key) + error.place, wanted, given) from None
    return items


def _level_like(value: object) -> bool:
    return isinstance(value, Level | str) or _is_number(value)


def _is_number(value: object) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _integer(value: Any) -> int:
    if isinstance(value, bool):
        raise _OtherKindError
    try:
        return index(value)
    except TypeError:
        raise _OtherKindError from None


def _rational(value: object) -> Fraction:
    try:
        return value if isinstance(value, Fraction) else exact(value)
    except ModelError:
        raise _OtherKindError from None


def _float(value: Any) -> float:
    try:
        return float(value if _is_number(value) else "")
    except (OverflowError, ValueError):
        raise _OtherKindError from None


def _article(name: str) -> str:
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _or(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _sequence_of(item: Kind) -> str:
    return (
        f"a sequence of {_PLURALS[item.name]}"
        if item.name in _PLURALS
        else f"a sequence, each {item.name}"
    )


_PLURALS = {"text": "texts", "anything": "values", "a number": "numbers", "an integer": "integers"}
_UNTOLD = (
    "None",
    "a Loaded",
    "a LibraryMechanism",
    "a NoisyQueries",
    "a PowerTable",
    "a RecordLaws",
)  # kinds that stand for others
_ANY = Kind("anything", lambda value: value)
_TEXT = Kind("text", _where(lambda value: isinstance(value, str)), frozenset([str]))
_NUMBERS: dict[object, Kind] = {
    bool: Kind("True or False", _where(lambda value: isinstance(value, bool)), frozenset([bool])),
    float: Kind("a number", _float, frozenset([float])),
    Fraction: Kind("a number", _rational, frozenset([Fraction])),
    int: Kind("an integer", _integer, frozenset([int])),
    str: _TEXT,
}
_WRITTEN = frozenset([str, int, float, Fraction, Decimal])
_LEVELS = _WRITTEN | {Level}
_LISTED = (list, tuple)
_WRITTEN_OUT = (list, tuple, range)
