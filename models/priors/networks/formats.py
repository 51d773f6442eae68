"""Bayesian networks in the files of other tools, by what a file begins with: BIF, XMLBIF, XDSL
(GeNIe), NET (Hugin) and UAI, plain or in gzip, with exact decimals.

    XMLBIF  <DEFINITION> <FOR>x</FOR> <GIVEN>p</GIVEN> <TABLE>0.2 0.8 ..</TABLE> </DEFINITION>
    XDSL    <cpt id="x"> <state id="yes"/> .. <parents>p</parents> <probabilities>0.2 0.8 ..
    NET     node x { states = ("yes" "no"); } potential (x | p) { data = ((0.2 0.8) ..); }
    UAI     BAYES, how many variables, how many values each, tables: their variables, and numbers

In each the values of a variable change fastest, then those of its last parent. A UAI file has no
names: variables are var_0, var_1 .., values 0, 1 .. . Two tools use other orders: pgmpy 1.1 writes
UAI with the variable's own value slowest, and aGrUM 3.3.1 XDSL and UAI with the *first* parent
faster than the last. Their files are refused where that makes a difference, and what is no table of
probabilities (decisions, utilities, noisy-or, equations) is refused by name.
"""

import re
import zlib
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.grammar import table_number
from pufferproof.models.numbers.text import quoted, shown
from pufferproof.models.priors.bayesian_network import MAX_TABLE
from pufferproof.models.priors.networks.of_prior import MAX_BYTES, BifNetwork, Key, named

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Bayesian networks in the Bayesian Interchange Format (BIF), as text files of other tools hold them, with exact
# decimals.
#
#     network NAME { ... }
#     variable rain { type discrete [ 2 ] { yes, no }; }
#     probability ( rain ) { table 0.2, 0.8; }
#     probability ( wet | rain ) { (yes) 0.9, 0.1; (no) 0.05, 0.95; }
#
# Variables become records 1 .. n in the order of the file, each with its own values, which the alphabet of the records
# must have. Comments (`//`, `/* */`) and properties are skipped. Source of the format: the BIF 0.15 grammar of
# JavaBayes. Errors name the line and show at most a few characters of the file, which may be something else than its
# name says. The `|` before parents may be left out, as JavaBayes does in its own files.

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
                self._expect("(")
                variable = self._known(self._name())
                if variable in self.network.rows:
                    raise self._error(f"variable {named(variable)} has two probability blocks")
                if self._peek() == "|":
                    self._next("|")
                above = tuple(self._known(parent) for parent in self._list(")"))
                self.network.parents[variable] = above
                self.network.rows[variable] = self._rows(variable, above)
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
                        f"expected {count[:_SHOWN]} different values of variable {named(name)}, "
                        f"found {len(values)}{different}"
                    )
        self._expect("}")
        if not values:
            raise self._error(f'expected "type discrete" of variable {named(name)}, found none')
        self.network.values[name] = values

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


_GZIP = b"\x1f\x8b"
_NEAR = Fraction(1, 1000)  # how far from 1 the sum of a row may be that tells an order
_FORMATS = {  # how files begin
    "XMLBIF": re.compile(r"\s*(<\?xml.{0,2000}?)?<(!DOCTYPE\s+)?BIF\b", re.DOTALL),
    "XDSL": re.compile(r"\s*(<\?xml[^>]{0,200}>)?(\s|<!--(?s:.*?)-->)*+<smile\b"),
    "UAI": re.compile(r"\s*(BAYES|MARKOV)\s+\d"),
    "NET": re.compile(r"(\s|%[^\n]*\n)*(net|class\s+\w+|node\s+\w+)\s*\{"),
}
# aGrUM names itself in XDSL, and in UAI the variable of each table behind "   # "
_AGRUM_XDSL = re.compile(r'created by (py)?agrum\b|\bapp\s*=\s*"(py)?agrum\b', re.IGNORECASE)
_AGRUM_UAI = re.compile(r"^\d+( \d+)+   # ", re.MULTILINE)
_NET_TOKEN = re.compile(r'\s+|%[^\n]*|(?P<text>"[^"\n]*"|[{}()=;|]|[^\s{}()=;|"%]+)')


@lru_cache(maxsize=2)
def network_in(content: bytes) -> BifNetwork:
    """Return the network that a file holds.

    >>> network_in(b"BAYES 1 2 1 1 0 2 0.25 0.75").rows
    {'var_0': {(): (Fraction(1, 4), Fraction(3, 4))}}

    Raises `ModelError` unless the format is one of these, and the file has a table for every
    variable.
    """
    if not content.startswith(_GZIP):
        unpacked = content
    else:
        packed = zlib.decompressobj(wbits=31)
        try:
            data = packed.decompress(content, MAX_BYTES + 1)
        except zlib.error:
            raise ModelError("expected a gzip archive, found a damaged one") from None
        if len(data) > MAX_BYTES:
            raise ModelError(f"expected at most {MAX_BYTES} bytes in the gzip archive, found more")
        if not packed.eof:
            raise ModelError("expected a gzip archive, found one that is cut off")
        if packed.unused_data:
            raise ModelError("expected a gzip archive of one file, found more behind it")
        unpacked = data
    text = bif_text(unpacked)
    readers = {"XMLBIF": _of_xmlbif, "XDSL": _of_xdsl, "UAI": _of_uai, "NET": _of_net}
    for name, beginning in _FORMATS.items():
        if beginning.match(text):
            return readers[name](text)
    return read_bif(text)


class _Tables:
    """A network while it is read: the values of variables, then a table each."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self.network = BifNetwork({name: tuple(row) for name, row in values.items()})
        self.size = 0
        if not values:
            raise ModelError("expected at least one variable, found none")
        for name, row in self.network.values.items():
            if not row or len(set(row)) < len(row):
                raise ModelError(
                    f"expected different values of variable {quoted(name)}, at least one, found {shown(list(row))}"
                )

    def add(self, name: str, above: Sequence[str], numbers: Sequence[str]) -> None:
        """Add the table of a variable, its own values fastest. Raises `ModelError` unless it has
        one number for each combination of values.
        """
        values, where = self.network.values, f"variable {quoted(name)}"
        for each in (name, *above):
            if each not in values:
                raise ModelError(f"expected a variable of the file, found {quoted(each)}", where)
        if name in self.network.rows:
            raise ModelError("has two tables", where)
        if len({name, *above}) < len(above) + 1:
            raise ModelError(f"expected different parents, found {shown(list(above))}", where)
        width, self.size = len(values[name]), self.size + len(numbers)
        wanted = prod((len(values[each]) for each in above), start=width)
        if len(numbers) != wanted or self.size > MAX_TABLE:
            limit = "" if len(numbers) != wanted else f", and {MAX_TABLE} in all"
            raise ModelError(f"expected {wanted} probabilities{limit}, found {len(numbers)}", where)
        read = []
        for text in numbers:
            try:
                read.append(table_number(text))
            except ModelError:
                raise ModelError(f'expected a number such as "0.25" or 1, found {shown(text)}', where) from None
        keys = product(*(values[each] for each in above))
        rows = {key: tuple(read[k * width : (k + 1) * width]) for k, key in enumerate(keys)}
        self.network.parents[name], self.network.rows[name] = tuple(above), rows

    def whole(self) -> BifNetwork:
        """Return the network. Raises `ModelError` unless every variable has a table."""
        for name in self.network.values:
            if name not in self.network.rows:
                raise ModelError("has no table", f"variable {quoted(name)}")
        return self.network


def _expect_one_order(network: BifNetwork, kind: str) -> None:
    """Raise `ModelError` for a network of aGrUM if its rows are others in the order that aGrUM
    writes, in which the values of the first parent are faster than those of the last.
    """
    for name, rows in network.rows.items():
        sizes = [range(len(network.values[each])) for each in network.parents[name]]
        turned = [key[::-1] for key in product(*reversed(sizes))]
        tables = dict(zip(product(*sizes), rows.values()))
        if [tables[key] for key in turned] != [*tables.values()]:
            raise ModelError(
                f"is {kind} of aGrUM, which has the first parent's values fastest where {kind} has "
                "the last parent's: save the network as BIF or NET",
                f"variable {quoted(name)}",
            )


# --- XML ---


def _xml(text: str, name: str) -> "Element":
    """Return the first element. Raises `ModelError` unless the text is XML without entities."""
    from xml.etree import ElementTree

    if "<!ENTITY" in text:
        raise ModelError(f"expected {name} without entities of its own, found <!ENTITY")
    try:
        return ElementTree.fromstring(text.encode())
    except ElementTree.ParseError as error:
        raise ModelError(f"expected {name}: {error}") from None
    except (LookupError, ValueError):
        raise ModelError(f"expected {name} in UTF-8") from None


def _text(element: "Element", tag: str, where: str) -> str:
    """Return the text of the one child with a tag."""
    found = element.findall(tag)
    if len(found) != 1 or not (text := "".join(found[0].itertext()).strip()):
        raise ModelError(f"expected one <{tag}>, found {len(found)}", where)
    return text


def _of_xmlbif(text: str) -> BifNetwork:
    root = _xml(text, "XMLBIF")
    networks = root.findall("NETWORK")
    if len(networks) != 1:
        raise ModelError(f"expected one <NETWORK>, found {len(networks)}")
    values: dict[str, list[str]] = {}
    for variable in networks[0].findall("VARIABLE"):
        name = _text(variable, "NAME", "<VARIABLE>")
        if (kind := variable.get("TYPE", "nature")) in ("decision", "utility"):
            raise ModelError(f"expected a variable of nature, found a {kind}", quoted(name))
        if name in values:
            raise ModelError("occurs twice", f"variable {quoted(name)}")
        values[name] = ["".join(each.itertext()).strip() for each in variable.findall("OUTCOME")]
    tables = _Tables(values)
    for one in networks[0].findall("DEFINITION"):
        name = _text(one, "FOR", "<DEFINITION>")
        above = ["".join(each.itertext()).strip() for each in one.findall("GIVEN")]
        tables.add(name, above, _text(one, "TABLE", f"variable {quoted(name)}").split())
    return tables.whole()


def _of_xdsl(text: str) -> BifNetwork:
    root = _xml(text, "XDSL")
    nodes = root.find("nodes")
    if nodes is None:
        raise ModelError("expected <nodes>, found none")
    if root.find("dynamic") is not None or any("dynamic" in node.attrib for node in nodes):
        raise ModelError("expected a static network, found a dynamic one: unroll it in GeNIe first")
    for node in nodes:
        if node.tag != "cpt" or node.find("probabilities") is None:
            raise ModelError(
                "expected nodes with a table of probabilities (<cpt>), found "
                f"<{node.tag}>: save the network with tables, which GeNIe makes of others",
                f"node {quoted(node.get('id', ''))}",
            )
    values: dict[str, list[str]] = {}
    for node in nodes:
        if (name := node.get("id", "")) in values:
            raise ModelError("occurs twice", f"variable {quoted(name)}")
        values[name] = [state.get("id", "") for state in node.findall("state")]
    tables = _Tables(values)
    for node in nodes:
        above = "" if node.find("parents") is None else _text(node, "parents", "<cpt>")
        name = node.get("id", "")
        numbers = _text(node, "probabilities", f"variable {quoted(name)}")
        tables.add(name, above.split(), numbers.split())
    network = tables.whole()
    if _AGRUM_XDSL.search(text):
        _expect_one_order(network, "XDSL")
    return network


# --- UAI ---


def _of_uai(text: str) -> BifNetwork:
    words = re.sub(r"#[^\n]*", "", text).split()
    if words[0] != "BAYES":
        raise ModelError("expected a Bayesian network (BAYES), found a Markov network (MARKOV)")
    left = iter(words[1:])
    sizes = [_whole(left, "values") for _ in range(_whole(left, "variables"))]
    if max(sizes, default=0) > MAX_TABLE:
        raise ModelError(f"expected at most {MAX_TABLE} values, found {max(sizes)}")
    count = _whole(left, "tables")
    scopes = [
        [_whole(left, "the variables of a table") for _ in range(_whole(left, "variables"))] for _ in range(count)
    ]
    numbers = [[next(left, "") for _ in range(_whole(left, "numbers"))] for _ in range(count)]
    if (more := next(left, None)) is not None:
        raise ModelError(f"expected the end of the file, found {shown(more)}")
    values = {f"var_{k}": [str(value) for value in range(size)] for k, size in enumerate(sizes)}
    tables = _Tables(values), _Tables(values)  # the variable's own value fastest, or slowest
    for scope, row in zip(scopes, numbers):
        if not scope:
            raise ModelError("expected tables of variables, found one of none")
        *above, name = (f"var_{k}" for k in scope)
        size = sizes[scope[-1]] if scope[-1] < len(sizes) else 1
        for known, ordered in zip(tables, (row, _slowest(row, size))):
            known.add(name, above, ordered)
    standard, turned = (known.whole() for known in tables)
    if _near(turned) and standard.rows != turned.rows:
        beside = " as well" if _near(standard) else ""
        raise ModelError(
            f"rows sum to 1 with the variable's own value slowest{beside}, as pgmpy writes them, "
            "with the parents in the opposite order; in UAI it is fastest: save the network as BIF"
        )
    if _AGRUM_UAI.search(text):
        _expect_one_order(standard, "UAI")
    return standard


def _slowest(numbers: Sequence[str], size: int) -> Sequence[str]:
    """Return numbers in which a variable's own value is slowest with it fastest."""
    width = len(numbers) // size if size else 0
    if not width or width * size != len(numbers):
        return numbers  # too few or too many, which is said of the table
    return [numbers[value * width + key] for key in range(width) for value in range(size)]


def _near(network: BifNetwork) -> bool:
    """Whether all rows nearly sum to 1."""
    tables = network.rows.values()
    return all(abs(sum(row, Fraction(-1))) <= _NEAR for table in tables for row in table.values())


def _whole(words: Iterator[str], what: str) -> int:
    word = next(words, "")
    if not (word.isascii() and word.isdecimal() and len(word) < 9):
        raise ModelError(f"expected a number of {what}, found {shown(word)}")
    return int(word)


# --- NET ---


def _of_net(text: str) -> BifNetwork:
    reader = _NetReader(text)
    reader.read()
    tables = _Tables(reader.values)
    for name, above, numbers in reader.tables:
        tables.add(name, above, numbers)
    return tables.whole()


class _NetReader:
    """The nodes and potentials of a Hugin NET file."""

    def __init__(self, text: str) -> None:
        self.left = _net_tokens(text)
        self.values: dict[str, list[str]] = {}
        self.tables: list[tuple[str, list[str], list[str]]] = []

    def read(self) -> None:
        """Read all blocks; those of the network itself say nothing of it."""
        readers: dict[str, Callable[[], None]] = {"node": self._node, "potential": self._potential}
        inside = False
        for kind in self.left:
            if kind in readers:
                readers[kind]()
            elif kind == "net":
                self._expect("{")
                dict(self._fields())
            elif kind == "class" and not inside:
                inside = next(self.left, "") != "" and next(self.left, "") == "{"
            elif kind == "}" and inside:
                inside = False
            elif kind in ("discrete", "decision", "utility", "continuous", "function"):
                if kind != "discrete":
                    raise ModelError(f"expected discrete nodes, found {kind} node")
            else:
                raise ModelError(f"expected node or potential, found {shown(kind)}")

    def _node(self) -> None:
        name = self._next("a name")
        self._expect("{")
        for key, words in self._fields():
            if key == "states":
                if name in self.values:
                    raise ModelError("occurs twice", f"variable {quoted(name)}")
                self.values[name] = [word.strip('"') for word in words if word not in "()"]
        if name not in self.values:
            raise ModelError('has no "states"', f"variable {quoted(name)}")

    def _potential(self) -> None:
        self._expect("(")
        words = []
        while (word := self._next(")")) != ")":
            words.append(word)
        owned = words[: words.index("|")] if "|" in words else words
        if len(owned) != 1:
            raise ModelError(f"expected a potential of one variable, found {shown(owned)}")
        self._expect("{")
        fields = dict(self._fields())
        where = f"variable {quoted(owned[0])}"
        if other := [key for key in fields if key.startswith("model_")]:
            raise ModelError(f'expected a table in "data", found {quoted(other[0])}', where)
        if "data" not in fields:
            raise ModelError('has no "data"', where)
        numbers = [word for word in fields["data"] if word not in "()"]
        self.tables.append((owned[0], words[len(owned) + 1 :], numbers))

    def _fields(self) -> Iterator[tuple[str, list[str]]]:
        """Yield keys and the words of their values, up to the end of the block. Raises
        `ModelError` where a key that says something of the network comes twice.
        """
        seen = set()
        while (key := self._next("}")) != "}":
            if key in seen and key in ("states", "data"):
                raise ModelError(f"expected one {quoted(key)} in a block, found another")
            seen.add(key)
            self._expect("=")
            words = []
            while (word := self._next(";")) != ";":
                words.append(word)
            yield key, words

    def _expect(self, mark: str) -> None:
        if (word := self._next(mark)) != mark:
            raise ModelError(f"expected {mark}, found {shown(word)}")

    def _next(self, expected: str) -> str:
        word = next(self.left, None)
        if word is None:
            raise ModelError(f"expected {expected}, found the end of the file")
        return word


def _net_tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        match = _NET_TOKEN.match(text, at)
        if match is None:
            line = text.count("\n", 0, at) + 1
            raise ModelError(f"expected NET, found {shown(text[at : at + 12])}", f"line {line}")
        at = match.end()
        if match["text"]:
            yield match["text"]
