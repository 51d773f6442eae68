"""A second reader of certificates, by hand: no `json`, no `re`, no `Decimal`, nothing shared.

It says what a text means where the kernel's reader says so, and nothing where that refuses.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

DIGITS = "0123456789"
ESCAPED = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t'))
CONSTANTS = {"true": True, "false": False, "null": None}


class UnreadableError(Exception):
    """The text is no JSON, or has a key twice."""


@dataclass(frozen=True)
class Number:
    """A JSON number, as it is written."""

    text: str


class Text:
    """A text, and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0

    @property
    def next(self) -> str:
        return self.text[self.place : self.place + 1]

    def take(self, expected: str) -> None:
        if not self.text.startswith(expected, self.place):
            raise UnreadableError(f"expected {expected!r} at {self.place}")
        self.place += len(expected)

    def skip(self, characters: str) -> str:
        start = self.place
        while self.next and self.next in characters:
            self.place += 1
        return self.text[start : self.place]


def parsed(data: bytes) -> Any:
    """Return the value of a JSON text in UTF-8."""
    try:
        text = Text(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableError from error
    value = value_of(text)
    if text.next:
        raise UnreadableError("more follows")
    return value


def value_of(text: Text) -> Any:
    text.skip(" \t\n\r")
    value = {"{": members, "[": elements, '"': string}.get(text.next, word)(text)
    text.skip(" \t\n\r")
    return value


def members(text: Text) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in separated(text, "{", "}"):
        key = string(text)
        text.skip(" \t\n\r")
        text.take(":")
        if key in found:
            raise UnreadableError(f"{key} twice")
        found[key] = value_of(text)
    return found


def elements(text: Text) -> list[Any]:
    return [value_of(text) for _ in separated(text, "[", "]")]


def separated(text: Text, first: str, last: str) -> Any:
    """Yield before every element between two brackets."""
    text.take(first)
    text.skip(" \t\n\r")
    if text.next == last:
        text.take(last)
        return
    while True:
        yield
        text.skip(" \t\n\r")
        if text.next == last:
            text.take(last)
            return
        text.take(",")
        text.skip(" \t\n\r")


def string(text: Text) -> str:
    text.take('"')
    out = ""
    while text.next != '"':
        character = text.next
        if not character or character < " ":
            raise UnreadableError("a string without an end, or with a control character")
        text.place += 1
        out += escaped(text) if character == "\\" else character
    text.take('"')
    return out.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def escaped(text: Text) -> str:
    character = text.next
    text.place += 1
    if character != "u":
        if character not in ESCAPED or not character:
            raise UnreadableError("an unknown escape")
        return ESCAPED[character]
    digits = text.text[text.place : text.place + 4]
    text.place += 4
    if len(digits) < 4 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        raise UnreadableError("an escape without four digits")
    return chr(int(digits, 16))


def word(text: Text) -> Any:
    """Read a number, or a constant: those that are no JSON are numbers that nothing takes."""
    for name in ("NaN", "Infinity", "-Infinity"):
        if text.text.startswith(name, text.place):
            text.take(name)
            return Number(name)
    for name, value in CONSTANTS.items():
        if text.text.startswith(name, text.place):
            text.take(name)
            return value
    start = text.place
    text.skip("-")
    whole = text.skip(DIGITS)
    if text.next == ".":
        text.take(".")
        whole = whole if text.skip(DIGITS) else ""
    if text.next and text.next in "eE":
        text.place += 1
        text.place += text.next in ("+", "-")
        whole = whole if text.skip(DIGITS) else ""
    shown = text.text[start : text.place]
    if not whole or (len(whole) > 1 and whole[0] == "0") or shown.startswith("--"):
        raise UnreadableError(f"no value at {start}")
    return Number(shown)


def number(text: str) -> Fraction | None:
    """Return the number of a text: -?D+, -?D+/D+, or -?D+.D+ and -?D+ with an exponent."""
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text)
    over, slash, under = rest.partition("/")
    if slash:
        whole = over.isascii() and over.isdigit() and under.isascii() and under.isdigit()
        return Fraction(sign * int(over), int(under)) if whole and int(under) else None
    mantissa, exponent = rest, "0"
    for letter in "eE":
        if letter in mantissa:
            mantissa, _, exponent = mantissa.partition(letter)
    digits, point, decimals = mantissa.partition(".")
    size = exponent.removeprefix("-") if exponent.startswith("-") else exponent.removeprefix("+")
    parts = [digits, size, *[decimals] * bool(point)]
    if not all(part.isascii() and part.isdigit() for part in parts) or len(size) > 4:
        return None
    power = int(size) * (-1 if exponent.startswith("-") else 1) - len(decimals)
    value = Fraction(sign * int(digits + decimals))
    return value * 10**power if power >= 0 else value / 10**-power
