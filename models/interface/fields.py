"""Fields of frozen dataclasses: constructors that read what callers write set them, and answers
give them to JSON.
"""

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from typing import ClassVar

from pufferproof.models.numbers.text import JsonObject, text_of


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
