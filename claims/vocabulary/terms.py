"""Terms over letters: what statements are made of. An entry of the vocabulary has words, LaTeX, Coq
and an exact value side by side; a term is an entry applied to terms, and is typed.

A proposition's value is no truth: it yields pairs (left, right), and its `relation` says how they
are compared. So strictness, 99/100 and "some, not all" are made from outside, without a second
function.
"""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from operator import itemgetter
from typing import Any

from pufferproof.claims.language.statements.rationals import Fraction
from pufferproof.claims.vocabulary.kinds import Kind, kind, put, unified
from pufferproof.models.errors import SolverError

PROP = Kind("Prop")
TYPE = Kind("Type")
PLACE = re.compile(r"\[(\d)\]")
"""In the type of a result: the letter that is an argument."""
AS_IT_IS, NOT_MOVED = Fraction(1), Fraction(0)
NAMED: dict[str, "Entry"] = {}
"""Every entry of the vocabulary, by its name."""


@dataclass(frozen=True)
class Log:
    """The real number ln(of), of a positive rational: what a level is at an instance."""

    of: Fraction

    def __add__(self, other: "Log") -> "Log":
        return Log(self.of * other.of)

    def __rmul__(self, times: int) -> "Log":
        return Log(self.of**times)

    def __le__(self, other: "Log") -> bool:
        return self.of <= other.of

    def __lt__(self, other: "Log") -> bool:
        return self.of < other.of


@dataclass(frozen=True)
class Sort:
    """What a letter can be: its type in Coq, and what it is in words.

    `raw`, `read` and `show` say how Coq reads it at an instance: the type of the table that is
    written, the function of it (`{}` is the table), and how Python writes one. `meaning` is a
    sentence that explains `words`, once in a statement.
    """

    coq: str
    words: str
    raw: str = ""
    read: str = "{}"
    show: Callable[[Any], str] = str
    meaning: str = ""

    @property
    def kind(self) -> Kind:
        """Its type."""
        return kind(self.coq)

    @property
    def in_coq(self) -> str:
        """Its type as Coq has it: a level is a real number, and so is a scale."""
        return re.sub(r"\b(level|scale)\b", "R", self.coq)


@dataclass(frozen=True)
class Entry:
    """An entry of the vocabulary: words, LaTeX and Coq with a place `[0]`, `[1]` .. for each
    argument (`[b1]` is the letter that the argument binds, `[t1]` its type), the types of arguments
    and result, and the exact value.

    `precedence` is that of the Coq text: 0 an atom, 10 an application, 40 *, 50 +, 70 <=, 99 ->,
    200 forall. `relation` says how the pairs that `value` yields are compared; "truth" if it yields
    truths, "" if it is no proposition. `infix` is the side on which brackets may be left out,
    `meaning` a sentence that explains the words, once in a statement.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    words: str
    tex: str
    coq: str
    value: Callable[..., Any]
    precedence: int = 10
    relation: str = ""
    infix: str = ""
    meaning: str = ""

    def __call__(self, *arguments: "Term") -> "Term":
        """Apply it. Raises `SolverError` if the arguments are not of its types."""
        meant: dict[str, Kind] = {}
        if len(arguments) != len(self.takes):
            raise SolverError(f'"{self.name}" takes {len(self.takes)} arguments, found {len(arguments)}')
        for number, (wanted, argument) in enumerate(zip(self.takes, arguments), 1):
            if not isinstance(argument, Term):
                raise SolverError(f'"{self.name}" is of terms, found {argument!r:.40}')
            if not unified(kind(wanted), argument.kind, meant):
                raise SolverError(
                    f'"{self.name}" expects {put(kind(wanted), meant)} as argument {number}, found '
                    f'"{argument.name or argument.head.name}" of type {argument.kind}'
                )
        gives = PLACE.sub(lambda place: arguments[int(place[1])].name, self.gives)
        return Term(put(kind(gives), meant), self, arguments)


def entry(
    name: str,
    *,
    takes: tuple[str, ...],
    gives: str = "Prop",
    words: str,
    tex: str,
    coq: str,
    value: Callable[..., object],
    precedence: int = 10,
    relation: str = "",
    infix: str = "",
    meaning: str = "",
) -> Entry:
    """Add an entry to the vocabulary, a proposition unless it `gives` something else. Raises
    `SolverError` if there is one of this name.
    """
    if name in NAMED:
        raise SolverError(f'the vocabulary has an entry "{name}"')
    NAMED[name] = Entry(name, takes, gives, words, tex, coq, value, precedence, relation, infix, meaning)
    return NAMED[name]


@dataclass(frozen=True)
class Term:
    """A letter, an entry applied to terms, or a term under a letter that it binds.

    `scale`, `shift`, `relation` and `some` are what a near miss changes here: the right side times
    `scale` plus `shift`, another relation, some pairs instead of all.
    """

    kind: Kind
    entry: Entry | None = None
    arguments: tuple["Term", ...] = ()
    name: str = ""
    sort: Sort | None = None
    shown: str = ""
    scale: Fraction = AS_IT_IS
    shift: Fraction = NOT_MOVED
    relation: str = ""
    some: bool = False

    @property
    def head(self) -> Entry:
        """The entry that is applied."""
        if self.entry is None:
            raise SolverError(f'"{self.name}" is a letter, and no entry of the vocabulary')
        return self.entry

    @property
    def binds(self) -> bool:
        """Whether it is a term under a letter."""
        return self.name == BOUND

    def under(self, bound: "Term") -> "Term":
        """Return it as a function of a letter."""
        return Term(Kind("->", (bound.kind, self.kind)), None, (self, bound), BOUND)

    def __bool__(self) -> bool:
        """Refuse to be true or false, as in the chain `a <= b <= c`."""
        raise SolverError("a term is neither true nor false: write one term for each comparison")

    def __mul__(self, other: "Term") -> "Term":
        return NAMED["times"](self, other)

    def __add__(self, other: "Term") -> "Term":
        return NAMED["plus"](self, other)

    def __le__(self, other: "Term") -> "Term":
        return NAMED["at most"](self, other)

    def __lt__(self, other: "Term") -> "Term":
        return NAMED["less"](self, other)

    def equals(self, other: "Term") -> "Term":
        """Return that both are equal."""
        return NAMED["equal"](self, other)

    @property
    def changed(self) -> bool:
        """Whether it or a term in it is of a near miss, or of an entry that is not that named."""
        as_it_is = Term(self.kind, self.entry, self.arguments, self.name, self.sort, self.shown)
        if self.entry is not None and NAMED.get(self.entry.name) is not self.entry:
            return True
        return self != as_it_is or any(each.changed for each in self.arguments)

    @property
    def entries(self) -> set[str]:
        """The names of the entries in it."""
        below = set[str]().union(*(each.entries for each in self.arguments))
        return below if self.entry is None else {self.entry.name, *below}


BOUND = "\\"
COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {"<=": operator.le, "<": operator.lt, "=": operator.eq}


def letter(name: str, sort: Sort, shown: str = "") -> Term:
    """Return a letter; `shown` is what readers see in its place."""
    return Term(sort.kind, None, (), name, sort, shown or name)


def value(term: Term, at: Mapping[str, Any]) -> Any:
    """Return the exact value of a term at an instance; of a proposition whether it is true."""
    return evaluated(term)(at)


def evaluated(term: Term) -> Callable[[Mapping[str, Any]], Any]:
    """Return the value of a term as a function of an instance, read once for all instances."""
    if term.entry is None:
        if not term.binds:
            return itemgetter(term.name)
        return _bound(evaluated(term.arguments[0]), term.arguments[1].name)
    found = _applied(term.entry.value, [evaluated(each) for each in term.arguments])
    if not term.entry.relation:
        return found
    truth = _truth(term)
    return lambda at: truth(found(at))


def _bound(body: Callable[[Any], Any], name: str) -> Callable[[Mapping[str, Any]], Any]:
    """Return the value of a body as a function of a letter; all calls share one copy of the
    instance.
    """

    def of(at: Mapping[str, Any]) -> Callable[[Any], Any]:
        inner = {**at}

        def found(value: Any) -> Any:
            inner[name] = value
            return body(inner)

        return found

    return of


def _applied(of: Callable[..., Any], parts: Sequence[Any]) -> Callable[[Mapping[str, Any]], Any]:
    """Return what a function says of the values of some terms; most have one or two."""
    match parts:
        case [one]:
            return lambda at: of(one(at))
        case [one, other]:
            return lambda at: of(one(at), other(at))
        case [one, other, third]:
            return lambda at: of(one(at), other(at), third(at))
    return lambda at: of(*[part(at) for part in parts])


def sides(term: Term, at: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Return the pairs that a proposition compares at an instance."""
    return [*term.head.value(*[value(each, at) for each in term.arguments])]


def _truth(term: Term) -> Callable[[Iterable[Any]], bool]:
    """Return how what the value of a proposition yields becomes a truth."""
    relation, judged = term.relation or term.head.relation, any if term.some else all
    if relation == "truth":
        return judged
    compared, scale, shift = COMPARED[relation], term.scale, term.shift
    if scale == 1 and not shift:
        return lambda found: judged(starmap(compared, found))
    return lambda found: judged(compared(a, b * scale + shift) for a, b in found)
