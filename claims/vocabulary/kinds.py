"""The types of terms, read from the very text that Coq reads: `D -> W -> R`, `list (D -> R)`.

A name that begins with a quote stands for any type. `level` is a real number that is known by its
exponential: `R` in Coq, and a type of its own here.
"""

import re
from dataclasses import dataclass

from pufferproof.models.errors import SolverError

WORD = re.compile(r"\s*(->|[()*]|@?'?[\w.]+)")


@dataclass(frozen=True)
class Kind:
    """A type: a name with arguments; functions are named `->`, pairs `*`."""

    name: str
    arguments: tuple["Kind", ...] = ()

    def __str__(self) -> str:
        if self.name in ("->", "*"):
            left, right = self.arguments
            return f"({left} {self.name} {right})"
        return f"({' '.join([self.name, *map(str, self.arguments)])})" if self.arguments else self.name

    @property
    def any(self) -> bool:
        """Whether it stands for any type."""
        return self.name.startswith("'")


def kind(text: str) -> Kind:
    """Read a type. Raises `SolverError` if it is none.

    >>> str(kind("nat -> list (D -> R)"))
    '(nat -> (list (D -> R)))'
    """
    words = WORD.findall(text)
    if "".join(words) != re.sub(r"\s", "", text):
        raise SolverError(f'expected a type as Coq writes it, found "{text}"')
    found, rest = _function(words)
    if rest:
        raise SolverError(f'expected a type as Coq writes it, found "{text}"')
    return found


def _function(words: list[str]) -> tuple[Kind, list[str]]:
    left, rest = _pair(words)
    if rest[:1] == ["->"]:
        right, rest = _function(rest[1:])
        return Kind("->", (left, right)), rest
    return left, rest


def _pair(words: list[str]) -> tuple[Kind, list[str]]:
    left, rest = _applied(words)
    while rest[:1] == ["*"]:
        right, rest = _applied(rest[1:])
        left = Kind("*", (left, right))
    return left, rest


def _applied(words: list[str]) -> tuple[Kind, list[str]]:
    first, rest = _atom(words)
    arguments = []
    while rest and rest[0] not in ("->", "*", ")"):
        argument, rest = _atom(rest)
        arguments.append(argument)
    return (Kind(first.name, (*first.arguments, *arguments)) if arguments else first), rest


def _atom(words: list[str]) -> tuple[Kind, list[str]]:
    if not words or words[0] in ("->", "*", ")"):
        raise SolverError("expected a type as Coq writes it, found one that ends too early")
    if words[0] != "(":
        return Kind(words[0].removeprefix("@")), words[1:]
    found, rest = _function(words[1:])
    if rest[:1] != [")"]:
        raise SolverError("expected a type as Coq writes it, found a bracket that is not closed")
    return found, rest[1:]


def unified(wanted: Kind, found: Kind, meant: dict[str, Kind]) -> bool:
    """Whether a type is one that is wanted; `meant` has and gets what quoted names stand for."""
    if wanted.any:
        return meant.setdefault(wanted.name, found) == found
    return (
        wanted.name == found.name
        and len(wanted.arguments) == len(found.arguments)
        and all(unified(w, f, meant) for w, f in zip(wanted.arguments, found.arguments))
    )


def put(wanted: Kind, meant: dict[str, Kind]) -> Kind:
    """Return a type with what its quoted names stand for."""
    if wanted.any:
        return meant.get(wanted.name, wanted)
    return Kind(wanted.name, tuple(put(each, meant) for each in wanted.arguments))
