"""Bayesian networks in the Bayesian Interchange Format (BIF), as text files of other tools hold
them, with exact decimals.

    network NAME { ... }
    variable rain { type discrete [ 2 ] { yes, no }; }
    probability ( rain ) { table 0.2, 0.8; }
    probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.05, 0.95; }

Variables become records 1 .. n in the order of the file, each with its own values, which the
alphabet of the records must have. Comments (`//`, `/* */`) and properties are skipped. Source of
the format: the BIF 0.15 grammar of JavaBayes. Errors name the line and show at most a few
characters of the file, which may be something else than its name says. The `|` before parents may
be left out, as JavaBayes does in its own files.
"""

import re
from collections.abc import Container, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import table_number
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.elimination import MAX_TABLE
from pufferproof.models.priors.networks.of_prior import BifNetwork, Key, named

_TOKEN = re.compile(r"\s+|//[^\n]*|/\*.*?\*/|(?P<text>\"[^\"\n]*\"|[{}()\[\];,|]|[^\s{}()\[\];,|\"]+)", re.DOTALL)
_MARKS = set("{}()[];,|")
_SHOWN, _NAMED = 12, 24  # characters of what was not expected, and of values, in an error
_OTHER = ", which begins no BIF, XMLBIF, XDSL, NET or UAI: save the network as one of these"


def read_bif(text: str) -> BifNetwork:
    """Read the text of a BIF file.

    >>> read_bif("variable a { type discrete [2] { y, n }; } probability ( a ) { table 0.2, 0.8; }").rows
    {'a': {(): (Fraction(1, 5), Fraction(4, 5))}}

    Raises `ModelError`, naming the line, unless every variable has values, one probability block,
    and every row once. Files of other tools are read by `formats.network_in`.
    """
    return _TokenReader(text).read()


def bif_text(content: bytes) -> str:
    """Return the text of a BIF file. Raises `ModelError` unless it is UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        told = f"{error.reason} at position {error.start}"
        raise ModelError(f"expected UTF-8 text: {told} (save the network as UTF-8)") from None


class _TokenReader:
    """A reader of tokens that knows the line of each."""

    def __init__(self, text: str) -> None:
        self.tokens = list(_tokens(text))
        self.at = 0
        self.size = 0
        self.network = BifNetwork({})

    def read(self) -> BifNetwork:
        """Read all blocks."""
        while self.at < len(self.tokens):
            kind = self._next("network, variable or probability")
            if kind == "network":
                while self._peek() != "{":
                    self._next("{")
                self._expect("{")
                while self._next("}") != "}":
                    pass
            elif kind == "variable":
                self._variable()
            elif kind == "probability":
                self._probability()
            else:
                other = "" if self.at > 1 else _OTHER
                raise self._error(f"expected network, variable or probability, found {_found(kind)}{other}")
        if not self.network.values:
            raise ModelError("expected at least one variable, found none")
        for name in self.network.values:
            if name not in self.network.rows:
                raise ModelError(f"variable {named(name)} has no probability block")
        return self.network

    def _variable(self) -> None:
        name = self._name()
        if name in self.network.values:
            raise self._error(f"variable {named(name)} occurs twice")
        self._expect("{")
        values: tuple[str, ...] = ()
        while self._peek() != "}":
            start = self._next("type, property or }")
            if start == "property":
                self._skip_statement()
            elif start != "type" or values:
                raise self._error(f"expected {'' if values else 'type, '}property or }}, found {_found(start)}")
            else:
                values = self._values(name)
        self._expect("}")
        if not values:
            raise self._error(f'expected "type discrete" of variable {named(name)}, found none')
        self.network.values[name] = values

    def _values(self, name: str) -> tuple[str, ...]:
        if self._peek() == "continuous":
            raise self._error(
                f'expected discrete values of variable {named(name)}, found "continuous" (normal '
                'numbers are a "gaussian" prior with a "network")'
            )
        for mark in ("discrete", "["):
            self._expect(mark)
        count = self._next("the number of values")
        if not count.isdecimal():
            raise self._error(f"expected the number of values, found {_found(count)}")
        for mark in ("]", "{"):
            self._expect(mark)
        values = tuple(self._list("}"))
        self._expect(";")
        distinct = len(set(values))
        if str(len(values)) != count or distinct < len(values):
            different = f", {distinct} different ones" if distinct < len(values) else ""
            raise self._error(
                f"expected {count[:_SHOWN]} different values of variable {named(name)}, found {len(values)}{different}"
            )
        return values

    def _probability(self) -> None:
        self._expect("(")
        name = self._known(self._name())
        if name in self.network.rows:
            raise self._error(f"variable {named(name)} has two probability blocks")
        if self._peek() == "|":
            self._next("|")
        above = tuple(self._known(parent) for parent in self._list(")"))
        self.network.parents[name] = above
        self.network.rows[name] = self._rows(name, above)

    def _combinations(self, name: str, above: Key) -> dict[Key, None]:
        """Return the parents' combinations of values, in order, unless there are too many."""
        self.size += prod(len(self.network.values[variable]) for variable in (*above, name))
        if self.size > MAX_TABLE:
            raise self._error(f"expected at most {MAX_TABLE} probabilities in all, found {self.size}")
        return dict.fromkeys(product(*(self.network.values[parent] for parent in above)))

    def _rows(self, name: str, above: Key) -> dict[Key, tuple[Fraction, ...]]:
        """Read the rows of a probability block, each once: alone, in a table, or by default."""
        combinations = self._combinations(name, above)
        rows: dict[Key, tuple[Fraction, ...]] = {}
        default: tuple[Fraction, ...] | None = None
        self._expect("{")
        while self._peek() != "}":
            start = self._next("a row, table, default, property or }")
            if start == "table":
                if rows:
                    raise self._error(f"the row of {_values_text(next(iter(rows)))} occurs twice, once in a table")
                rows = self._table(name, combinations)
            elif start == "default":
                if default is not None:
                    raise self._error("default occurs twice")
                default = self._row(name)
            elif start == "(":
                key = self._key(above, combinations, rows)
                rows[key] = self._row(name)
            elif start == "property":
                self._skip_statement()
            else:
                raise self._error(f"expected a row, table, default, property or }}, found {_found(start)}")
        self._expect("}")
        for key in combinations:
            if key not in rows and default is None:
                raise self._error(f"variable {named(name)} has no row for {_values_text(key)}")
        return {key: rows.get(key, default or ()) for key in combinations}

    def _key(self, above: Key, combinations: Container[Key], rows: Container[Key]) -> Key:
        """Read the values of the parents that a row is for, one that is not there yet."""
        key = tuple(self._list(")"))
        if key not in combinations:
            raise self._error(f"expected values of {_values_text(above)}, found {_values_text(key)}")
        if key in rows:
            raise self._error(f"the row of {_values_text(key)} occurs twice")
        return key

    def _table(self, name: str, combinations: dict[Key, None]) -> dict[Key, tuple[Fraction, ...]]:
        """Read `table`: the variable's values change slowest, the last parent's fastest."""
        numbers, width = self._numbers(), len(combinations)
        size = len(self.network.values[name])
        if len(numbers) != size * width:
            raise self._error(
                f"expected {size} x {width} probabilities of variable {named(name)}, found {len(numbers)}"
            )
        return {
            key: tuple(numbers[value * width + index] for value in range(size))
            for index, key in enumerate(combinations)
        }

    def _row(self, name: str) -> tuple[Fraction, ...]:
        numbers, size = self._numbers(), len(self.network.values[name])
        if len(numbers) != size:
            raise self._error(f"expected {size} probabilities of variable {named(name)}, found {len(numbers)}")
        return tuple(numbers)

    def _numbers(self) -> list[Fraction]:
        numbers = []
        for text in self._list(";"):
            try:
                numbers.append(table_number(text))
            except ModelError:
                raise self._error(f'expected a number such as "3/4", "0.25" or 1, found {_found(text)}') from None
        return numbers

    def _list(self, end: str) -> list[str]:
        """Read names separated by commas (or by nothing) up to a mark, which is read too."""
        words = []
        while (token := self._next(end)) != end:
            if token in _MARKS - {","}:
                raise self._error(f"expected {end}, found {token}")
            if token != ",":
                words.append(token)
        return words

    def _known(self, name: str) -> str:
        if name not in self.network.values:
            raise self._error(f"expected a variable declared before, found {named(name)}")
        return name

    def _name(self) -> str:
        name = self._next("a name")
        if name in _MARKS:
            raise self._error(f"expected a name, found {name}")
        return name

    def _skip_statement(self) -> None:
        while self._next(";") != ";":
            pass

    def _peek(self) -> str | None:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else None

    def _expect(self, mark: str) -> None:
        if (token := self._next(mark)) != mark:
            raise self._error(f"expected {mark}, found {_found(token)}")

    def _next(self, expected: str) -> str:
        if self.at == len(self.tokens):
            raise self._error(f"expected {expected}, found the end of the file")
        self.at += 1
        return self.tokens[self.at - 1][0]

    def _error(self, message: str) -> ModelError:
        line = self.tokens[min(self.at, len(self.tokens)) - 1][1] if self.tokens else 1
        return ModelError(message, f"line {line}")


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    line, at = 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise ModelError(f"expected a token, found {_found(text[at : at + _SHOWN])}", f"line {line}")
        if (token := match["text"]) is not None:
            if token.startswith("/*"):
                raise ModelError("expected a comment that ends, found none", f"line {line}")
            yield token.strip('"'), line
        line += match[0].count("\n")
        at = match.end()


def _found(token: str) -> str:
    return shown(token, _SHOWN)


def _values_text(key: Sequence[str]) -> str:
    return shown(list(key), _NAMED)
