"""Draws of a program that a seed determines, and their comparison with the table that a certificate
is about.

Evidence packs this file as `draw.py`, and `check.py --draw` runs it: it needs Python and NumPy
alone. `draws.json`, which the sender writes, says how the program is called, which output of the
table its outputs are, and how often each was drawn; databases and cells are those of the table.
A count k of n draws is refused if, for every probability p within the bounds of the table,

    2 m exp(-n KL(k / n, p)) < 10^-9,

with m counts in all (Chernoff 1952): of a program that follows the table less than one in 10^9.
"""

import json
import math
import os
import platform
import random
import shutil
import sys
import tempfile
import threading
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from io import StringIO
from itertools import pairwise
from statistics import NormalDist
from time import process_time
from typing import Any, NoReturn
from warnings import catch_warnings, simplefilter

import numpy as np

DRAW, DRAWS = "draw.py", "draws.json"
NUMBER, TEXT, LIST, TABLE, SET, BYTES, OTHER, RELEASES, DRAWN = range(9)
Value = tuple[int, Any]  # a kind of output, and its content in a form that is compared
Json = Mapping[str, Any]  # an object of a file
_READ = "?bhilqpnBHILQPNefdSUTO"  # types of arrays that lists hold whole
_KINDS: frozenset[object] = frozenset([type(None), bool, int, float, Fraction, str, bytes, bytearray])
_KINDS |= {list, tuple, set, frozenset, dict, Counter, OrderedDict, defaultdict}
Room = tuple[Fraction, Fraction]  # relative to a number, and beside 0
_CLOSE = Fraction(1, 10**9), Fraction(1, 10**12)  # of numbers of a law that floats round
_ROUNDED = Fraction(1, 2**48), Fraction(1, 2**52)  # 16 units in the last place
_FOLLOWS = 2.0**-40  # of a number that follows from another one
_ERROR = 1e-9
_SLACK = 1e-12  # of probabilities in floats
_SECONDS, _FEWER = 20.0, 10  # of the processor, else ten times fewer draws
_SLOW = 100.0  # seconds that the least draws may take
_TRIED = 100  # draws by which that is known
SEED = 0
_MOST, _LEAST = 100_000, 1_000  # draws of all databases, and of one
_LONG = 60  # characters of an argument that are said
_DATABASES, _TRIES = 8, 400  # of a table, beside those of a witness
_SHARES = (0.1, 0.3, 0.5, 0.7, 0.9)  # of the noise, below the edges of its cells
_KEYS = {"format", "outputs", "channel", "bounds", "query", "noise", "segment"}  # that are read
_MECHANISM = ("mechanism.", "mechanism-")  # how the names of mechanism files begin
_NAMES = ("urandom", "_urandom")  # of os.urandom in modules that import it


class Chance:
    """Sources of chance of one seed: `rng`, and all others while the body of `own` runs.

    >>> def draws():
    ...     chance = Chance([0, 7])
    ...     with chance.own():
    ...         return chance.rng.random(), np.random.random(), random.random(), os.urandom(2)
    >>> draws() == draws()
    True
    """

    def __init__(self, seed: Sequence[int]) -> None:
        self.rng = np.random.default_rng([*seed, 0])
        self._bits = np.random.MT19937([*seed, 1])
        self._bytes = np.random.default_rng([*seed, 2])
        self._random = random.Random(repr([*seed])).getstate()
        self._modules, self._places = 0, list[tuple[object, str]]()  # which have os.urandom

    @contextmanager
    def own(self) -> Iterator[None]:
        """Let all draws of this thread be of this seed, and nothing be printed. Afterwards all is
        as it was; the next body goes on with the draws that follow.
        """
        drawn: Any = np.random  # whose types leave out what keeps its state
        bits, state = drawn.get_bit_generator(), drawn.get_state(legacy=False)
        others, replaced = random.getstate(), self._replaced()
        try:
            drawn.set_bit_generator(self._bits)
            random.setstate(self._random)
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()), catch_warnings():
                simplefilter("ignore")
                yield
        finally:
            self._random = random.getstate()
            random.setstate(others)
            drawn.set_bit_generator(bits)
            drawn.set_state(state)
            for module, name, known in replaced:
                setattr(module, name, known)

    def _replaced(self) -> list[tuple[object, str, Callable[[int], bytes]]]:
        """Put bytes of this seed in the place of `os.urandom`, and return what was there."""
        known, thread, generator = os.urandom, threading.get_ident(), self._bytes

        def urandom(count: int) -> bytes:
            own = threading.get_ident() == thread  # others may draw secrets
            return generator.bytes(count) if own else known(count)

        if len(sys.modules) != self._modules:
            self._modules, self._places = (
                len(sys.modules),
                [
                    (module, name)
                    for module in list(sys.modules.values())
                    for name in _NAMES
                    if getattr(module, "__dict__", {}).get(name) is known
                ],
            )
        replaced = [(*each, known) for each in self._places]
        for module, name, _ in replaced:
            setattr(module, name, urandom)
        return replaced


# outputs by value


def value_of(
    output: Any,
    before: Callable[[object], Value | None] = lambda output: None,
    refuse: Callable[[str], NoReturn] | None = None,
) -> Value:
    """Return an output in the form in which outputs are compared; `before` is asked first, of all
    parts of it. Calls `refuse`, or raises `ValueError`, for what can be no output.
    """
    if (found := before(output)) is not None:
        return found
    if (why := _unread(output)) is not None:
        if refuse is None:
            raise ValueError(why)
        return refuse(why)
    if isinstance(output, np.ndarray | np.generic):
        return value_of(output.tolist(), before, refuse)  # numbers of NumPy as Python's own
    if _has_names(output):
        output = dict(zip(output._fields, output, strict=True))
    if output is None or isinstance(output, bool):
        return (OTHER, output)
    if isinstance(output, int | float | Fraction):
        return (NUMBER, number_of(output))
    if isinstance(output, str):
        return (TEXT, output)
    if isinstance(output, bytes | bytearray):
        return (BYTES, bytes(output))
    if isinstance(output, Mapping):
        pairs = [[value_of(part, before, refuse) for part in pair] for pair in output.items()]
        return (TABLE, tuple(map(tuple, pairs)))
    parts = (value_of(part, before, refuse) for part in output)
    return (SET, frozenset(parts)) if isinstance(output, set | frozenset) else (LIST, tuple(parts))


def _unread(output: Any) -> str | None:
    """Say why an output is none that is read whole, with its names, order and shape; None if it is.

    >>> _unread(np.zeros((0, 2)))
    'its output is an array of shape (0, 2): return a list or a dict of text and numbers'
    """
    kind, what = output.__class__, ""
    if kind is np.ndarray or issubclass(kind, np.generic):
        if output.dtype.char not in _READ:
            what = f"an array of type {output.dtype}" if output.shape else f"a {kind.__name__}"
        elif 0 in output.shape[:-1]:  # [] has no second dimension
            what = f"an array of shape {output.shape}"
    elif getattr(output, "__dict__", None) or (kind not in _KINDS and not _has_names(output)):
        package = kind.__module__.partition(".")[0]
        what = f"of type {kind.__name__}" + (f" of {package}" if package != "builtins" else "")
    return f"its output is {what}: return a list or a dict of text and numbers" if what else None


def _has_names(output: object) -> bool:
    """Whether an output is a named tuple, and nothing else."""
    kind = output.__class__
    plain = kind.__base__ is tuple and not hasattr(output, "__dict__")
    return plain and hasattr(kind, "_fields")


def number_of(value: str | float | Fraction) -> str | int | Fraction:
    """Return a number in a form that is equal for equal ones."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


def numbers_in(output: Value, drawn: Value, close: Room = _CLOSE) -> list[int | float] | None:
    """Return the numbers that a generator drew where an output of a law has numbers with a density;
    None if it is another output. Other numbers are equal up to rounding.

    >>> numbers_in((LIST, ((TEXT, "a"), (DRAWN, "number"))), value_of(["a", 0.5]))
    [0.5]
    >>> numbers_in((NUMBER, Fraction(1, 3)), value_of(1 / 3))
    []
    """
    (kind, content), (other, given) = output, drawn
    if kind == DRAWN and other == NUMBER and not isinstance(given, str):
        return [given if isinstance(given, int) else float(given)]
    if kind != other:
        return None
    if kind == NUMBER and str not in (type(content), type(given)):  # texts are not finite
        room = max(abs(content), abs(given)) * close[0] + close[1]
        return [] if abs(content - given) <= room else None
    if kind == SET:
        same = all(any(numbers_in(a, b, close) == [] for b in given) for a in content)
        return [] if same and len(content) == len(given) else None
    if kind not in (LIST, RELEASES, TABLE):
        return [] if content == given else None
    if kind == TABLE:  # keys and values
        content, given = ([part for pair in each for part in pair] for each in (content, given))
    if len(content) != len(given):
        return None
    parts = [numbers_in(one, two, close) for one, two in zip(content, given)]
    return None if None in parts else [number for part in parts for number in part or ()]


def written(output: Value, drawn: Value) -> Value:
    """Return what was drawn without the numbers that have a density in an output of a law.

    >>> written((LIST, ((TEXT, "a"), (DRAWN, "number"))), value_of(["a", 0.5]))
    (2, ((1, 'a'), (8, 'number')))
    """
    (kind, content), (_, given) = output, drawn
    if kind == DRAWN:
        return output
    if kind in (LIST, RELEASES):
        return kind, tuple(map(written, content, given))
    if kind == TABLE:
        return kind, tuple(tuple(map(written, *pairs)) for pairs in zip(content, given))
    return drawn


def value_json(value: Value) -> list[object]:
    """Return an output as JSON has it."""
    kind, content = value
    if kind in (LIST, RELEASES):
        return [kind, [value_json(part) for part in content]]
    if kind == TABLE:
        return [kind, [[value_json(part) for part in pair] for pair in content]]
    if kind == SET:
        return [kind, sorted((value_json(part) for part in content), key=json.dumps)]
    if kind == NUMBER:
        return [kind, str(content)]
    return [kind, content.hex() if kind == BYTES else content]


def value_from(known: Sequence[Any]) -> Value:
    """Return an output from JSON.

    >>> value = value_of({"a": [0.5, None], "b": {b"x", float("inf")}})
    >>> value_from(value_json(value)) == value
    True
    """
    kind, content = known
    if kind in (LIST, RELEASES):
        return kind, tuple(map(value_from, content))
    if kind == TABLE:
        return kind, tuple(tuple(map(value_from, pair)) for pair in content)
    if kind == SET:
        return kind, frozenset(map(value_from, content))
    if kind == NUMBER:
        finite = content not in ("inf", "-inf", "nan")
        return kind, number_of(Fraction(content)) if finite else content
    return kind, bytes.fromhex(content) if kind == BYTES else content


# the call


def caller(function: Any, call: Json) -> Callable[[str, object], Value]:
    """Return a function of (database, rng): the output of one run of a program, as `call` says that
    it is called.
    """
    form = call["records"]
    read: dict[str, Callable[[str], object]] = {"json": json.loads, "float": float, "fraction": Fraction}
    arguments = {name: read[kind](text) for name, (kind, text) in call["arguments"].items()}

    def run(given: object, rng: object) -> list[object]:
        own = arguments | ({"rng": rng} if call["named"] else {})
        rest = [] if call["named"] else [rng]
        if call["sized"]:
            outputs = function(given, 1, rng, **arguments)
            if not isinstance(outputs, list | tuple | np.ndarray):  # others have names of their own
                raise ValueError(f"expected a list or an array, found {type(outputs).__name__}")
            return [outputs[0]]
        if not call["class"]:
            return [function(given, *rest, **own)]
        made = function(*rest, **own)
        return [made.release(given) for _ in range(call["runs"])]

    def called(database: str, rng: object) -> Value:
        given = database_of(call, database)
        if form == "each":
            return RELEASES, tuple(value_of(run(each, rng)[0]) for each in given)
        outputs = run(given, rng)
        if call["runs"] > 1:
            return RELEASES, tuple(map(value_of, outputs))
        return value_of(outputs[0])

    return called


def database_of(call: Json, database: str) -> Any:
    """Return what a program gets for the label of a database."""
    if call["records"] == "text":
        return database
    joint, read = separator(call["alphabet"]), {"int": int, "float": float, "str": str}
    values = list(map(read[call["read"]], database.split(joint) if joint else database))
    return np.array(values) if call["records"] == "array" else values


def called_as(program: Json, database: str) -> str:
    """Write the call of a program for a database."""
    call, name = program["call"], program["name"]
    given = repr(database_of(call, database))
    given = given if len(given) <= _LONG else f"{given[:_LONG]}.."
    given = f"each of {given}" if call["records"] == "each" else given
    rest = ", ".join(["rng", *(f"{key}={text}" for key, (_, text) in call["arguments"].items())])
    if not call["class"]:
        return f"{name}({given}, {rest})"
    return f"{name}({rest}).release({given})" + (f" {call['runs']} times" if call["runs"] > 1 else "")


def separator(alphabet: Sequence[str]) -> str:
    """Return what stands between the records of a database."""
    return "" if all(len(value) == 1 for value in alphabet) else ","


# the table, and the counts


class Table:
    """The cells of a mechanism file, with bounds of their probabilities on each database.

    `certificates` say which databases there are, and which side of an event is bounded. Raises
    `Differs` if outputs of the program are joined, unless all certificates show a leakage, and
    `Unread` for a file that is not read here.
    """

    def __init__(self, document: Json, program: Json, certificates: Sequence[Json]) -> None:
        self._document, self._program = document, program
        self._framework = certificates[0].get("framework", {})
        self.noise = "query" in document
        if others := sorted({*document} - _KEYS):
            raise Unread(f"{DRAW} does not read {others[0]!r} of {program['mechanism']}")
        show = all(each["kind"].endswith("-witness") for each in certificates)
        self._second = _second(certificates) if program["event"] else None
        self._known = {value_from(value): (output,) for value, output in program["outputs"]}
        self._parts = [(value_from(value), *rest) for value, *rest in program["parts"]]
        self._pattern = value_from(program["pattern"]) if self.noise else None
        self._cells: dict[Value, tuple[str, ...]] = {}
        self._drawn: dict[Value, Value] = {}  # what was drawn of a listed output
        self._offsets = _offsets(document) if self.noise else []
        self._edges: dict[str, list[list[float]]] = {}
        self._expect_apart(show)

    def _expect_apart(self, show: bool) -> None:
        """Refuse outputs of the program that are one in the table: it would hide what they tell.
        What has no lower bound anywhere may be several, as the kernel counts it.
        """
        names = [output for (output,) in self._known.values()]
        joined = len({*names}) < len(names) or bool(self._parts) or self._second is not None
        rest = self._program["rest"]
        if rest is not None and "bounds" in self._document:
            place = self._document["outputs"].index(rest)
            rows = self._document["bounds"].values()
            joined |= rest in names or any(float(Fraction(row[place][0])) > 0 for row in rows)
        elif rest is not None:
            joined = True
        if joined and not show:
            raise Differs("has outputs that are one in the table, which may hide what they tell")

    @property
    def _rows(self) -> Json:
        query = self._document.get("query")
        listed = isinstance(query, dict) and "count" not in query
        rows = query if listed else self._document.get("channel") or self._document.get("bounds")
        return dict(rows or {})

    def databases(self, seed: int) -> list[str]:
        """Return all databases of a table, or some that a seed chooses among many."""
        chance, rows = random.Random(seed), sorted(self._rows)
        if rows:
            return sorted(chance.sample(rows, min(len(rows), _DATABASES)))
        chosen = set[str]()
        for _ in range(_TRIES):
            chosen |= {_possible(self._framework, chance)} if len(chosen) < _DATABASES else set()
        return sorted(chosen)

    def expect_databases(self, databases: Sequence[str], seed: int) -> None:
        """Raise `Unread` unless these are databases, with those of a seed, and the program is given
        another argument for each.
        """
        rows, wanted = self._rows, {*self.databases(seed)}
        if not wanted <= {*databases} or not (not rows or {*databases} <= {*rows}):
            raise Unread(f"{DRAWS} has other databases than the table asks for")
        alphabet = self._framework.get("records", {}).get("alphabet")
        if alphabet not in (None, self._program["call"]["alphabet"]):
            raise Unread("the program is given records of another alphabet")
        every = [*rows] or databases
        if len({repr(database_of(self._program["call"], x)) for x in every}) < len(every):
            raise Unread("the program is given one argument for several databases")

    def cells(self, database: str, value: Value) -> tuple[str, ...]:
        """Return the cells in which an output lies: one, or one for each number with noise. Raises
        `Differs` for an output that the table has not.
        """
        if self._pattern is not None:
            numbers = numbers_in(self._pattern, value, _ROUNDED)
            if numbers is None:
                raise Differs(f"drew {value[1]!r} on database {database!r}, which it has not")
            self._expect_one(self._pattern, value)
            own = []
            for number, way in zip(numbers, self._program["following"], strict=True):
                if way is None:
                    own.append(number)
                    continue
                parts = numbers[way[0]] * way[1], way[2]
                if abs(sum(parts) - number) > _FOLLOWS * max(1, abs(number), *map(abs, parts)):
                    raise Differs(f"drew {numbers} on database {database!r}, which the table rules out")
            edges = self._edges_of(database)
            places = [sum(edge <= number for edge in row) for number, row in zip(own, edges, strict=True)]
            return tuple(_named(k, place) for k, place in enumerate(places)) + tuple(
                _named(k, *pair) for k, pair in enumerate(pairwise(places))
            )
        found = self._cells.get(value)
        return self._place(database, value) if found is None else found

    def _edges_of(self, database: str) -> list[list[float]]:
        if database not in self._edges:
            self._edges[database] = [
                sorted({centre + offset for offset in self._offsets}) for centre in self._centres(database)
            ]
        return self._edges[database]

    def _place(self, database: str, value: Value) -> tuple[str, ...]:
        near = (known for known in self._known if numbers_in(known, value, _ROUNDED) == [])
        listed = value if value in self._known else next(near, None)
        if listed is not None:
            self._expect_one(listed, value)
            self._cells[value] = self._known[listed]
            return self._cells[value]
        for known, low, high, output in self._parts:
            numbers = numbers_in(known, value, _ROUNDED)
            if numbers and (low is None or low < numbers[0]) and (high is None or numbers[0] < high):
                self._expect_one(known, value)
                return (output,)
        if self._program["rest"] is None:
            raise Differs(f"drew {value[1]!r} on database {database!r}, which it has not")
        return (self._program["rest"],)

    def _expect_one(self, listed: Value, value: Value) -> None:
        """Raise `Differs` if two values are drawn that are one output up to rounding: the last
        digits may tell the database.
        """
        own = written(listed, value)
        before = self._drawn.setdefault(listed, own)
        if before != own:
            both = " and ".join(json.dumps(value_json(each)[1]) for each in (before, own))
            raise Differs(f"drew {both}, which are one output in the table: round them")

    def bounds(self, database: str) -> dict[str, tuple[float, float]]:
        """Return the bounds of all cells of a database."""
        if self.noise:
            return self._of_noise(database)
        rows = self._document.get("channel") or self._document["bounds"]
        found: dict[str, tuple[float, float]] = {}
        for output, given in zip(self._document["outputs"], rows[database], strict=True):
            ends = given if isinstance(given, list) else [given, given]
            low, high = (float(Fraction(str(end))) for end in ends)
            if self._second is not None:  # what the first output has at least, the rest at most
                at_least = (not self._second(database)) != bool(found)
                low, high = (low, 1.0) if at_least else (0.0, high)
            found[output] = low, high
        return found

    def _of_noise(self, database: str) -> dict[str, tuple[float, float]]:
        kind, parameter = _noise(self._document)
        below, laws = BELOW[kind], []
        for centre, row in zip(self._centres(database), self._edges_of(database), strict=True):
            ends = [0.0, *(below(edge - centre, parameter) for edge in row), 1.0]
            laws.append([high - low for low, high in pairwise(ends)])
        found = {_named(k, i): p for k, law in enumerate(laws) for i, p in enumerate(law)}
        for k, (law, other) in enumerate(pairwise(laws)):  # noise is of each alone
            found |= {_named(k, i, j): p * q for i, p in enumerate(law) for j, q in enumerate(other)}
        return {cell: (p, p) for cell, p in found.items()}

    def _centres(self, database: str) -> list[float]:
        query = self._document["query"]
        if isinstance(query, dict) and "count" not in query:
            given = query[database]
            return [float(Fraction(str(x))) for x in (given if isinstance(given, list) else [given])]
        alphabet = _records(self._framework)["alphabet"]
        values = _values(database, alphabet)
        if "segment" in self._document:
            first, last = self._document["segment"]
            values = values[first - 1 : last]
        if query == "histogram":
            return [float(values.count(each)) for each in alphabet]
        if isinstance(query, dict):
            if "of" in query:
                raise Unread(f"{DRAW} does not read 'of' of a query")
            return [float(values.count(query["count"]))]
        total = sum(map(Fraction, values))
        return [float(total / len(values) if query == "mean" else total)]


def _noise(document: Json) -> tuple[str, float]:
    ((kind, parameters),) = document["noise"].items()
    if kind not in BELOW or len(parameters) != 1:
        raise Unread(f"{DRAW} does not read noise {kind!r}")
    (parameter,) = parameters.values()
    return kind, float(Fraction(str(parameter)))


def _offsets(document: Json) -> list[float]:
    """Return quantiles of a noise, up to rounding."""
    kind, size = _noise(document)
    if kind == "gaussian":
        return [NormalDist().inv_cdf(share) * size for share in _SHARES]
    if kind == "laplace":
        return [math.copysign(size * math.log(2 * min(share, 1 - share)), share - 0.5) for share in _SHARES]
    tails = [math.log((1 - share) * (1 + size)) / math.log(size) for share in _SHARES[2:]]
    above = [max(1, math.ceil(tail)) for tail in tails]  # q^k / (1 + q) <= 1 - share
    return sorted([*(float(1 - k) for k in above), *map(float, above)])


def _records(framework: Json) -> Json:
    """Return the records of the framework that a certificate is about."""
    records = framework.get("records")
    if not isinstance(records, dict):
        raise Unread(f"{DRAW} does not read the databases of the certificate")
    return records


def _values(database: str, alphabet: Sequence[str]) -> list[str]:
    joint = separator(alphabet)
    return database.split(joint) if joint else list(database)


def _possible(framework: Json, chance: random.Random) -> str:
    """Return a database of records that has a positive probability under a prior."""
    records = _records(framework)
    alphabet, places = records["alphabet"], list[int]()
    prior = framework["priors"][chance.choice(sorted(framework["priors"]))]
    if {*prior} != {"markov"}:
        raise Unread(f"{DRAW} does not read the priors of the certificate")
    law, start = prior["markov"], prior["markov"]["initial"]
    for k in range(records["count"]):
        row = law["transition"][places[-1]] if k else start
        if isinstance(row, str):  # stationary
            row = [1] * len(alphabet)
        places.append(chance.choice([i for i, p in enumerate(row) if Fraction(str(p)) > 0]))
    return separator(alphabet).join(alphabet[place] for place in places)


def _second(certificates: Sequence[Json]) -> Callable[[str], bool]:
    """Return whether a database is of the second secret of a pair, given which an event has at most
    its probability in the table.
    """
    pairs = {tuple(each["claim"].get("pair", ())) for each in certificates}
    if len(pairs) != 1 or () in pairs:
        raise Unread("an event of the table is of one pair of secrets, and there are several")
    framework, ((_, second),) = certificates[0]["framework"], pairs
    secret = framework["secrets"][second]
    if not isinstance(secret, dict):
        return frozenset(secret).__contains__
    alphabet, place, value = framework["records"]["alphabet"], secret["record"] - 1, secret["value"]
    return lambda database: _values(database, alphabet)[place] == value


def _named(number: int, *cells: int) -> str:
    """Name a cell of one number, or of two."""
    numbers = " and ".join(str(number + k + 1) for k in range(len(cells)))
    return f"number {numbers}, cell {' and '.join(map(str, cells))}"


def _below_geometric(z: float, ratio: float) -> float:
    """P(Z < z) = 1 - q^k / (1 + q) for the least integer k >= z that is at least 1."""
    k = math.ceil(z)
    return 1 - ratio**k / (1 + ratio) if k >= 1 else ratio ** (1 - k) / (1 + ratio)


BELOW: dict[str, Callable[[float, float], float]] = {  # P(Z < z), given z and the parameter
    "laplace": lambda z, scale: math.exp(z / scale) / 2 if z < 0 else 1 - math.exp(-z / scale) / 2,
    "gaussian": lambda z, sigma: math.erfc(-z / sigma / math.sqrt(2)) / 2,
    "geometric": _below_geometric,
}


class Differs(Exception):  # noqa: N818
    """What a program drew is not what a table has; the text says what."""


class Unread(Exception):  # noqa: N818
    """Draws do not show the table of a program; the text says why."""


def compared(table: Table, counts: Mapping[str, Mapping[str, int]], draws: int) -> str | None:
    """Say which count the bounds of a table rule out, None if there is none."""
    bounds = {database: table.bounds(database) for database in counts}
    every = sum(map(len, bounds.values()))
    worst, said = 0.0, None
    for database, cells in bounds.items():
        for cell, (low, high) in cells.items():
            count = counts[database].get(cell, 0)
            room = _SLACK if 0 < low < 1 or low < high else 0.0
            nearest = min(max(count / draws, low - room), high + room)
            log = -draws * _divergence(count / draws, min(max(nearest, 0.0), 1.0))
            if log < worst and log + math.log(2 * every) < math.log(_ERROR):
                ends = f"{low:.6g}" if low == high else f"between {low:.6g} and {high:.6g}"
                worst = log
                said = (
                    f"on database {database!r}, output {cell!r} was drawn {count} times in "
                    f"{draws}, its probability in the table is {ends}"
                )
    return said


def _divergence(x: float, p: float) -> float:
    """Return x log(x / p) + (1 - x) log((1 - x) / (1 - p))."""
    parts = [(x, p), (1 - x, 1 - p)]
    return sum((math.inf if q <= 0 else a * math.log(a / q)) for a, q in parts if a > 0)


# the evidence


def counted(folder: str, program: Json, databases: Sequence[str], seed: int, draws: int) -> dict[str, dict[str, int]]:
    """Return how often every cell of a table was drawn, with so many draws of each database, by the
    files of a program in a folder.
    """
    table, place = _table(folder, program), program["module"].replace(".", "/")
    if not {f"{place}.py", f"{place}/__init__.py"} & {*program["files"]}:
        raise Unread("is in no file that is packed")
    with _alone(folder, program["files"]):
        function = getattr(import_module(program["module"]), program["name"])
        call = caller(function, program["call"])
        counts = {}
        for place, database in enumerate(databases):
            chance, found = Chance([seed, place]), Counter[str]()
            with chance.own():
                for _ in range(draws):
                    found.update(table.cells(database, call(database, chance.rng)))
            counts[database] = dict(sorted(found.items()))
    return counts


@contextmanager
def _alone(folder: str, files: Sequence[str]) -> Iterator[None]:
    """Let modules be imported from a copy of some files, in which nothing else lies."""
    path, here = sys.path[:], os.getcwd()
    with tempfile.TemporaryDirectory() as place:
        for name in files:
            target = os.path.join(place, *name.split("/"))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(os.path.join(folder, *name.split("/")), target)
        sys.path.insert(0, place)
        os.chdir(place)
        try:
            yield
        finally:
            os.chdir(here)
            sys.path[:] = path


def package(name: str) -> dict[str, str | None]:
    """Return version and hash of an installed package: of the lines of its RECORD that have a hash
    and name a file of the package itself. Raises `PackageNotFoundError`.
    """
    found = distribution(name)
    lines = sorted(
        f"{each},{each.hash.mode}={each.hash.value}"
        for each in found.files or ()
        if each.hash is not None and ".." not in each.parts and ".dist-info" not in each.parts[0]
    )
    digest = sha256("\n".join(lines).encode()).hexdigest() if lines else None
    return {"version": found.version, "sha256": digest and f"sha256:{digest}"}


def other_packages(packages: Json) -> list[str]:
    """Say which packages are not here as they were, and whether Python is another one."""
    said = []
    for name, known in packages.items():
        try:
            here = {"version": python(), "sha256": None} if name == "Python" else package(name)
        except PackageNotFoundError:
            said.append(f"{name} {known['version']} is not installed")
            continue
        if here["version"] != known["version"]:
            said.append(f"{name} is {here['version']} here and was {known['version']}")
        elif here["sha256"] != known["sha256"]:
            said.append(f"{name} {known['version']} has other files here")
    return said


def python() -> str:
    return ".".join(platform.python_version_tuple()[:2])


def repeated(folder: str, known: Json, seed: int | None = None) -> Json:
    """Repeat the draws of all programs in a folder: return whether they `agree`, None if that is
    not known, and lines that say so, the gravest last. With another seed counts are compared with
    the tables alone.
    """
    if known["why"] is not None:
        return {"agree": None, "lines": [f"draws NOT REPEATED: {known['why']}"]}
    others = other_packages(known["packages"])
    answers: list[tuple[bool | None, str]] = [(None, f"NOT THE SAME: {each}") for each in others]
    left = {name for name in os.listdir(folder) if name.startswith(_MECHANISM)} - {
        each["mechanism"] for each in known["programs"]
    }
    said = f"draws NOT REPEATED: {DRAWS} has no program for it"
    answers += [(None, f"{name}: {said}") for name in sorted(left)]
    for program in known["programs"]:
        name, mechanism = f"{program['module']}:{program['name']}", program["mechanism"]
        agree, said = _repeated(folder, program, seed, bool(others))
        if agree is None:
            said = f"draws NOT REPEATED: {name} {said}"
        elif not agree:
            said = f"NOT THE LAW of {name}: {said}"
        answers.append((agree, f"{mechanism}: {said}"))
    answers = answers or [(None, "draws NOT REPEATED: there is no mechanism file")]
    answers.sort(key=lambda answer: (True, None, False).index(answer[0]))
    return {"agree": answers[-1][0], "lines": [line for _, line in answers]}


def _repeated(folder: str, program: Json, seed: int | None, others: bool) -> tuple[bool | None, str]:
    """Return whether draws of a program are as its table and its counts have it, and why not."""
    own = program["seed"] if seed is None else seed
    try:
        table = _table(folder, program)
        databases = sorted(program["databases"]) if seed is None else table.databases(seed)
        table.expect_databases(databases, own)
        if seed is None:
            _expect_recorded(program)
        draws = _pace(folder, program, databases)
        number = program["draws"] if seed is None else draws
        counts = counted(folder, program, databases, own, number)
        said = compared(table, counts, number)
        if said is None and number < draws:  # the list has fewer than there may be
            more = counted(folder, program, databases, own + 1, draws)
            said = compared(table, more, draws)
    except Differs as difference:
        return False, str(difference)
    except Unread as reason:
        return None, str(reason)
    except (Exception, SystemExit) as error:
        if others and isinstance(error, ImportError):  # of a package that is not here
            return None, f"cannot be imported: {error}"
        return False, f"it raised {type(error).__name__}: {error}"
    if said is not None:
        return False, said
    recorded = {x: each["counts"] for x, each in program["databases"].items()}
    if seed is None and not others and counts != recorded:  # others give other counts
        return False, f"seed {own} gives other counts than {DRAWS} has"
    name, call = f"{program['module']}:{program['name']}", called_as(program, databases[0])
    number = max(number, draws) * len(databases)
    said = f"called as {call} for database {databases[0]!r}"
    return True, f"{number} draws of {name} agree with it, {said}"


def _expect_recorded(program: Json) -> None:
    """Raise `Unread` unless a list has the seed and as many draws as it must have."""
    if program["draws"] < _LEAST:
        raise Unread(f"has {program['draws']} draws of a database: expected {_LEAST} or more")
    if program["seed"] != SEED:
        raise Unread(f"has the seed {program['seed']}: expected {SEED}, or --draw SEED of your own")


def _pace(folder: str, program: Json, databases: Sequence[str]) -> int:
    """Return how often each database is drawn: less often if a draw takes long."""
    begin, draws = process_time(), max(_MOST // min(len(databases), 2 * _DATABASES), _LEAST)
    counted(folder, program, databases, SEED, _TRIED)
    pace = (process_time() - begin) / _TRIED
    while pace * draws > _SECONDS and draws > _LEAST:
        draws = max(draws // _FEWER, _LEAST)
    if pace * draws > _SLOW:
        raise Unread(f"{draws} of a database take more than {_SLOW:.0f} seconds")
    return draws


def _table(folder: str, program: Json) -> Table:
    names = [each for each in os.listdir(folder) if each.startswith("certificate")]
    certificates = [
        _read(folder, name) for name in sorted(names, key=lambda name: (len(name), name)) if name.endswith(".json")
    ]
    if program["mechanism"] not in os.listdir(folder) or not program["mechanism"].startswith(_MECHANISM):
        raise Unread(f"is compared with {program['mechanism']}, which is no mechanism file")
    return Table(_read(folder, program["mechanism"]), program, certificates)


def _read(folder: str, name: str) -> Json:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return dict(json.load(file, parse_float=str))


def main(folder: str) -> int:
    """Print the counts that belong into the list of a folder: of fewer draws if these take long."""
    programs = _read(folder, DRAWS)["programs"]
    print(json.dumps([_first(folder, program) for program in programs]))
    return 0


def _first(folder: str, program: Json) -> Json:
    """Return the counts of a program, and how they differ from its table, if they do, or `why` they
    would show nothing.
    """
    answer = {"draws": 0, "counts": {}, "differs": None, "why": None}
    try:
        table = _table(folder, program)
        databases = sorted({*table.databases(SEED), *program["databases"]})
        table.expect_databases(databases, SEED)
        draws = _pace(folder, program, databases)
        counts = counted(folder, program, databases, SEED, draws)
        return answer | {"draws": draws, "counts": counts, "differs": compared(table, counts, draws)}
    except Differs as difference:
        return answer | {"differs": str(difference)}
    except Unread as reason:
        return answer | {"why": str(reason)}


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.abspath(__file__))))
