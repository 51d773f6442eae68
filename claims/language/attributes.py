"""Attributes in documents that nobody has read: those of plain data, fractions, draws and programs,
looked up while the document runs, by the type of the value and the name together.
"""

import sys
from numbers import Rational
from typing import Any

from pufferproof.claims.document.expressions.plain import DRAWS, METHODS
from pufferproof.claims.language.statements import Draws, Statement
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError

_KINDS: tuple[tuple[type, tuple[str, ...]], ...] = (
    *METHODS.items(),
    (Rational, ("denominator", "numerator")),
    (Draws, DRAWS),
    (Statement, ("fails",)),
)


def attribute(value: Any, name: str) -> Any:
    """Return an attribute of a value. Raises `ModelError`, with the line, for one that needs trust.

    >>> attribute({"a": 1}, "get")("a"), attribute(Channel, "of") == Channel.of
    (1, True)
    """
    kinds = (names for kind, names in _KINDS if issubclass(type(value), kind))
    if any(name in names for names in kinds) or (value is Channel and name == "of"):
        return getattr(value, name)
    code = sys._getframe(1)
    said = f"has Python at line {code.f_lineno} (.{name} of {type(value).__name__})"
    raise ModelError(f"{said}: read it, then pass --trust-code", code.f_code.co_filename)
