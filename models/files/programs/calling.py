"""Whether trusted code may run, and how it is called."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.remembered import ExactFloat
from pufferproof.models.numbers.text import quoted

Form = Literal["text", "list", "array", "each"]
FORMS: tuple[Form, ...] = ("text", "list", "array", "each")
MAX_RELEASES = 1000  # of one object
_WORDS: Mapping[str, object] = {
    **{"true": True, "false": False, "none": None},
    **{"inf": inf, "infinity": inf, "-inf": -inf, "-infinity": -inf},
}


@dataclass(frozen=True)
class Calls:
    """Whether code may run, and how it is called: the form of the records, arguments beside the
    database and `rng`, how often an object releases, and how long paths are run. Modules are
    imported from `folder`, if there is one, before the working directory.
    """

    trusted: bool = False
    records: Form = "text"
    arguments: Mapping[str, object] = field(default_factory=dict)
    runs: int = 1
    effort: int = 1
    folder: str | None = None
    compared: bool = True  # draws of programs, with their laws


UNTRUSTED = Calls()


def arguments_of(texts: Iterable[str], option: str = "--with") -> dict[str, object]:
    """Read arguments of a program, `NAME=VALUE`: numbers are integers where they can be, and else
    floats that remember the exact number; `true`, `false`, `none` and `inf` are Python's, and
    anything else is text.

    >>> found = arguments_of(["epsilon=1/10", "limit=3", "how=index"])
    >>> found, found["epsilon"].exact
    ({'epsilon': 0.1, 'limit': 3, 'how': 'index'}, Fraction(1, 10))

    Raises `ModelError` unless names are names, each given once, and no value is NaN.
    """
    found: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier():
            raise ModelError(f"expected NAME=VALUE such as epsilon=1/2, found {quoted(text)}", option)
        if name in found:
            raise ModelError(f"{quoted(name)} is given twice: expected one value", option)
        if value.lower() == "nan":
            raise ModelError(f"expected a number or text for {name}, found {quoted(value)}", option)
        found[name] = _value(value)
    return found


def _value(text: str) -> object:
    word = text.lower().removeprefix("+")
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = exact(text)
    except ModelError:
        return text
    if number.denominator == 1:
        return int(number)
    try:
        return ExactFloat(number)
    except OverflowError:
        return number
