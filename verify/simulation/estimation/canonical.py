"""One text of an output that is no plain number or text: bytes, dicts, sets, dataclasses, lists.

Outputs that are equal have one text: dicts are in the order of their keys' texts, and sets in that
of their members'. Numbers inside that are not whole are rounded down, as the texts would else all
differ. What has no such text, such as an object that is known by its address, is refused by name.
"""

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from numbers import Real
from typing import Any

from pufferproof.models.errors import ModelError

SUPPORTED = "a number, text, a truth value, bytes, None, or a list, tuple, array, dict, set or dataclass of these"


def kind_of(cls: type) -> str | None:
    """Return what outputs of a type are, None for `None`. Raises `ModelError` for other types."""
    if cls is type(None):
        return None
    for known, kind in _KINDS:
        if issubclass(cls, known):
            return kind
    if cls.__name__ == "ndarray":
        return "lists"
    if is_dataclass(cls):
        return "dataclasses"
    module = "" if cls.__module__ == "builtins" else f"{cls.__module__}."
    raise ModelError(
        f"expected {SUPPORTED}, found {module}{cls.__qualname__}: return what is released "
        "of it, such as str(..) if that has no address in it"
    )


_KINDS: tuple[tuple[Any, str], ...] = (
    (bool, "truth values"),
    (str | Enum, "text"),
    (Real | Decimal, "numbers"),
    (bytes | bytearray | memoryview, "bytes"),
    (Mapping, "dicts"),
    (set | frozenset, "sets"),
    (list | tuple, "lists"),
)


def named_entries(value: object) -> tuple[str, dict[str, Any]] | None:
    """Return the name of a dataclass, or "" of a dict, and what is in it by the texts of its keys,
    in order; None for other outputs.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__, {
            each.name: getattr(value, each.name) for each in sorted(fields(value), key=lambda each: each.name)
        }
    if not isinstance(value, Mapping):
        return None
    texts = {text_of(key): held for key, held in value.items()}
    if len(texts) < len(value):
        raise ModelError("a dict has two keys with one text, expected keys that differ in it")
    return "", dict(sorted(texts.items()))


def text_of(value: Any) -> str:
    """Return the text of an output. Raises `ModelError` for NaN, and what is not supported.

    >>> text_of({"b": 2.5, "a": b"x"}), text_of({3, 1}), text_of(("x", [1, None]))
    ("{a: b'x', b: 2}", '{1, 3}', '(x,(1,None))')
    """
    kind = kind_of(type(value))
    if kind == "numbers":
        return _number(value)
    if kind == "bytes":
        return repr(bytes(value))
    if kind == "sets":
        return "{" + ", ".join(sorted(map(text_of, value))) + "}"
    if kind == "lists":
        return "(" + ",".join(map(text_of, value)) + ")"
    if (known := named_entries(value)) is not None:
        name, held = known
        return entries_text(name, {key: text_of(each) for key, each in held.items()})
    return str(value)


def entries_text(name: str, texts: Mapping[str, str]) -> str:
    """Return the text of a dict or a dataclass of texts."""
    return f"{name}{{{', '.join(f'{key}: {text}' for key, text in texts.items())}}}"


def _number(value: Any) -> str:
    if isinstance(value, int):
        return str(value)
    if value != value:
        raise ModelError("an output is NaN, expected numbers")
    return str(math.floor(value)) if math.isfinite(value) else str(float(value))
