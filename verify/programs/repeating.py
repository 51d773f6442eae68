"""Draws of a program that a seed determines, and their comparison with the table that a certificate
is about.

Evidence packs this file as `draw.py`, and `check.py --draw` runs it: it needs Python and NumPy
alone. In evidence, `draws.json` says how the program is called, which output of the table its
outputs are, and how often each was drawn. A count k of n draws is refused if, for every probability
p within the bounds of the table,

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
from time import process_time
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

DRAWS = "draws.json"
NUMBER, TEXT, LIST, TABLE, SET, BYTES, OTHER, RELEASES, DRAWN = range(9)
Value = tuple[int, Any]
_READ = "?bhilqpnBHILQPNefdSUTO"  # types of arrays that lists hold whole
_KINDS: frozenset[Any] = frozenset([type(None), bool, int, float, Fraction, str, bytes, bytearray])
_KINDS |= {list, tuple, set, frozenset, dict, Counter, OrderedDict, defaultdict}
_FOLLOWS = 1e-6  # of a number that follows from another one
_CLOSE, _CLOSE_TO_0 = Fraction(1, 10**9), Fraction(1, 10**12)  # of numbers that floats round
_ERROR = 1e-9
_SLACK = 1e-12  # of probabilities in floats
_SECONDS, _FEWER = 20.0, 10  # of the processor, else ten times fewer draws
_TRIED = 100  # draws by which that is known
_MOST, _LEAST = 100_000, 100  # draws of all databases
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
        self._modules, self._places = 0, list[tuple[Any, str]]()  # which have os.urandom

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

    def _replaced(self) -> list[tuple[Any, str, Any]]:
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
    before: Callable[[Any], Value | None] = lambda output: None,
    refuse: Callable[[str], Any] | None = None,
) -> Value:
    """Return an output in the form in which outputs are compared; `before` is asked first, of all
    parts of it. Calls `refuse`, or raises `ValueError`, for what can be no output.
    """
    if (found := before(output)) is not None:
        return found
    if (why := _unread(output)) is not None:
        if refuse is None:
            raise ValueError(why)
        refused: Value = refuse(why)
        return refused
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


def _has_names(output: Any) -> bool:
    """Whether an output is a named tuple, and nothing else."""
    kind = output.__class__
    plain = kind.__base__ is tuple and not hasattr(output, "__dict__")
    return plain and hasattr(kind, "_fields")


def number_of(value: Any) -> Any:
    """Return a number in a form that is equal for equal ones."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    exact = Fraction(value)
    return exact.numerator if exact.denominator == 1 else exact


def numbers_in(output: Value, drawn: Value) -> list[int | float] | None:
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
        room = max(abs(content), abs(given)) * _CLOSE + _CLOSE_TO_0
        return [] if abs(content - given) <= room else None
    if kind == SET:
        same = all(any(numbers_in(a, b) == [] for b in given) for a in content)
        return [] if same and len(content) == len(given) else None
    if kind not in (LIST, RELEASES, TABLE):
        return [] if content == given else None
    if kind == TABLE:  # keys and values
        content, given = ([part for pair in each for part in pair] for each in (content, given))
    if len(content) != len(given):
        return None
    parts = [numbers_in(one, two) for one, two in zip(content, given)]
    return None if None in parts else [number for part in parts for number in part or ()]


def value_json(value: Value) -> Any:
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


def value_from(known: Any) -> Value:
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


def caller(function: Any, call: Mapping[str, Any]) -> Callable[[str, Any], Value]:
    """Return a function of (database, rng): the output of one run of a program, as `call` says that
    it is called.
    """
    alphabet, form, own = call["alphabet"], call["records"], call["arguments"]
    arguments = {name: _argument(*given) for name, given in own.items()}

    read = {"int": int, "float": float, "str": str}[call["read"]]

    def argument(database: str) -> Any:
        if form == "text":
            return database
        joint = separator(alphabet)
        values = list(map(read, database.split(joint) if joint else database))
        return np.array(values) if form == "array" else values

    def run(given: Any, rng: Any) -> list[Any]:
        own = arguments | ({"rng": rng} if call["named"] else {})
        rest = [] if call["named"] else [rng]
        if call["sized"]:
            return [_only(function(given, 1, rng, **arguments))]
        if not call["class"]:
            return [function(given, *rest, **own)]
        made = function(*rest, **own)
        return [made.release(given) for _ in range(call["runs"])]

    def called(database: str, rng: Any) -> Value:
        given = argument(database)
        if form == "each":
            return RELEASES, tuple(value_of(run(each, rng)[0]) for each in given)
        outputs = run(given, rng)
        if call["runs"] > 1:
            return RELEASES, tuple(map(value_of, outputs))
        return value_of(outputs[0])

    return called


def _only(outputs: Any) -> Any:
    if not isinstance(outputs, list | tuple | np.ndarray):  # others have names of their own
        raise ValueError(f"expected a list or an array, found {type(outputs).__name__}")
    return outputs[0]


def _argument(kind: str, text: str) -> Any:
    if kind == "json":
        return json.loads(text)
    return {"float": float, "fraction": Fraction}[kind](text)


def separator(alphabet: Sequence[str]) -> str:
    """Return what stands between the records of a database."""
    return "" if all(len(value) == 1 for value in alphabet) else ","


# the table, and the counts


class Table:
    """The cells of a mechanism file, with bounds of their probabilities on each database.

    Raises `Differs` if outputs of the program are joined, unless certificates `show` a leakage.
    """

    def __init__(
        self, document: Mapping[str, Any], program: Mapping[str, Any], show: bool = False
    ) -> None:
        self._document, self._program = document, program
        self.noise = "query" in document
        self._known: dict[Value, tuple[str, ...]] = {
            value_from(value): (output,) for value, output in program["outputs"]
        }
        self._parts = [(value_from(value), *rest) for value, *rest in program["parts"]]
        self._pattern = value_from(program["pattern"]) if self.noise else None
        self._expect_apart(show)

    def _expect_apart(self, show: bool) -> None:
        """Refuse outputs of the program that are one in the table: it would hide what they tell.
        What has no lower bound anywhere may be several, as the kernel counts it.
        """
        names = [output for (output,) in self._known.values()]
        sides = [each.get("side", "both") for each in self._program["databases"].values()]
        joined = len({*names}) < len(names) or bool(self._parts) or {*sides} != {"both"}
        rest = self._program["rest"]
        if rest is not None and "bounds" in self._document:
            place = self._document["outputs"].index(rest)
            rows = self._document["bounds"].values()
            joined |= rest in names or any(float(Fraction(row[place][0])) > 0 for row in rows)
        elif rest is not None:
            joined = True
        if joined and not show:
            raise Differs("has outputs that are one in the table, which may hide what they tell")

    def cells(self, database: str, value: Value) -> tuple[str, ...]:
        """Return the cells in which an output lies: one, or one for each number with noise. Raises
        `Differs` for an output that the table has not.
        """
        if self._pattern is not None:
            numbers = numbers_in(self._pattern, value)
            if numbers is None:
                raise Differs(f"drew {value[1]!r} on database {database!r}, which it has not")
            return self._noisy_cells(database, numbers)
        found = self._known.get(value)
        return self._nearest(database, value) if found is None else found

    def _noisy_cells(self, database: str, numbers: Sequence[float]) -> tuple[str, ...]:
        """Return the cell of each number that has noise of its own, and of two in a row."""
        own = []
        for number, way in zip(numbers, self._program["following"], strict=True):
            if way is None:
                own.append(number)
            elif abs(numbers[way[0]] * way[1] + way[2] - number) > _FOLLOWS * max(1, abs(number)):
                raise Differs(f"drew {numbers} on database {database!r}, which the table rules out")
        edges = self._program["databases"][database]["edges"]
        places = [
            sum(float(edge) <= number for edge in row)
            for number, row in zip(own, edges, strict=True)
        ]
        return tuple(_named(k, place) for k, place in enumerate(places)) + tuple(
            _named(k, *pair) for k, pair in enumerate(pairwise(places))
        )

    def _nearest(self, database: str, value: Value) -> tuple[str, ...]:
        for known, cells in self._known.items():
            if numbers_in(known, value) == []:  # equal up to rounding
                self._known[value] = cells
                return cells
        for known, low, high, output in self._parts:
            numbers = numbers_in(known, value)
            if (
                numbers
                and (low is None or low < numbers[0])
                and (high is None or numbers[0] < high)
            ):
                return (output,)
        if self._program["rest"] is None:
            raise Differs(f"drew {value[1]!r} on database {database!r}, which it has not")
        return (self._program["rest"],)

    def bounds(self, database: str) -> dict[str, tuple[float, float]]:
        """Return the bounds of all cells of a database."""
        if self.noise:
            return self._of_noise(database)
        rows = self._document.get("channel") or self._document["bounds"]
        side = self._program["databases"][database]["side"]
        found: dict[str, tuple[float, float]] = {}
        for output, given in zip(self._document["outputs"], rows[database], strict=True):
            ends = given if isinstance(given, list) else [given, given]
            low, high = (float(Fraction(str(end))) for end in ends)
            if side != "both":  # what the first output has at least, the rest has at most
                low, high = (low, 1.0) if (side == "at least") != bool(found) else (0.0, high)
            found[output] = low, high
        return found

    def _of_noise(self, database: str) -> dict[str, tuple[float, float]]:
        ((kind, parameters),) = self._document["noise"].items()
        (parameter,) = (float(Fraction(str(each))) for each in parameters.values())
        below, laws = BELOW[kind], []
        edges = self._program["databases"][database]["edges"]
        for centre, row in zip(self._centres(database), edges, strict=True):
            ends = [0.0, *(below(float(edge) - centre, parameter) for edge in row), 1.0]
            laws.append([high - low for low, high in pairwise(ends)])
        found = {_named(k, i): p for k, law in enumerate(laws) for i, p in enumerate(law)}
        for k, (law, other) in enumerate(pairwise(laws)):  # noise is of each alone
            found |= {
                _named(k, i, j): p * q for i, p in enumerate(law) for j, q in enumerate(other)
            }
        return {cell: (p, p) for cell, p in found.items()}

    def _centres(self, database: str) -> list[float]:
        """Return the query of a database, by its definition."""
        query = self._document["query"]
        if isinstance(query, dict) and "count" not in query:
            given = query[database]
            return [
                float(Fraction(str(x))) for x in (given if isinstance(given, list) else [given])
            ]
        alphabet = self._program["call"]["alphabet"]
        joint = separator(alphabet)
        values = database.split(joint) if joint else list(database)
        if "segment" in self._document:
            first, last = self._document["segment"]
            values = values[first - 1 : last]
        if query == "histogram":
            return [float(values.count(each)) for each in alphabet]
        if isinstance(query, dict):
            if "of" in query:
                raise KeyError("of")
            return [float(values.count(query["count"]))]
        total = sum(map(Fraction, values))
        return [float(total / len(values) if query == "mean" else total)]


def _named(number: int, *cells: int) -> str:
    """Name a cell of one number, or of two."""
    numbers = " and ".join(str(number + k + 1) for k in range(len(cells)))
    return f"number {numbers}, cell {' and '.join(map(str, cells))}"


def _below_laplace(z: float, scale: float) -> float:
    return math.exp(z / scale) / 2 if z < 0 else 1 - math.exp(-z / scale) / 2


def _below_gaussian(z: float, sigma: float) -> float:
    return math.erfc(-z / sigma / math.sqrt(2)) / 2


def _below_geometric(z: float, ratio: float) -> float:
    """P(Z < z) = 1 - q^k / (1 + q) for the least integer k >= z that is at least 1."""
    k = math.ceil(z)
    return 1 - ratio**k / (1 + ratio) if k >= 1 else ratio ** (1 - k) / (1 + ratio)


BELOW: dict[str, Callable[[float, float], float]] = {
    "laplace": _below_laplace,
    "gaussian": _below_gaussian,
    "geometric": _below_geometric,
}


class Differs(Exception):  # noqa: N818
    """What a program drew is not what a table has; the text says what."""


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


def counted(
    folder: str, program: Mapping[str, Any], seed: int, draws: int
) -> dict[str, dict[str, int]]:
    """Return how often every cell of a table was drawn, with so many draws of each database, by the
    files of a program in a folder.
    """
    table = _table(folder, program)
    with _alone(folder, program["files"]):
        function = getattr(import_module(program["module"]), program["name"])
        call = caller(function, program["call"])
        counts = {}
        for place, database in enumerate(program["databases"]):
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


def other_packages(packages: Mapping[str, Any]) -> list[str]:
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
    """Return the version of Python that decides what its modules draw."""
    return ".".join(platform.python_version_tuple()[:2])


def repeated(folder: str, known: Mapping[str, Any], seed: int | None = None) -> dict[str, Any]:
    """Repeat the draws of all programs in a folder: return whether they `agree`, None if that is
    not known, and lines that say so. With another seed counts are compared with the tables alone.
    """
    if known["why"] is not None:
        return {"agree": None, "lines": [f"draws NOT REPEATED: {known['why']}"]}
    others = other_packages(known["packages"])
    lines, agree = [f"NOT THE SAME: {each}" for each in others], None if others else True
    for program in known["programs"]:
        name, mechanism = f"{program['module']}:{program['name']}", program["mechanism"]
        try:
            said = _repeated(folder, program, seed, bool(others))
        except ImportError as error:  # of a package that is not here
            lines.append(f"{mechanism}: draws NOT REPEATED: {name} cannot be imported: {error}")
            continue
        if said is None:
            count = program["draws"] * len(program["databases"])
            lines.append(f"{mechanism}: {count} draws of {name} agree with it")
        else:
            agree = False
            lines.append(f"{mechanism}: NOT THE LAW of {name}: {said}")
    return {"agree": agree, "lines": lines}


def _repeated(
    folder: str, program: Mapping[str, Any], seed: int | None, others: bool
) -> str | None:
    """Say what of the draws of a program is not as its table and its counts have it, or None."""
    draws, own = program["draws"], program["seed"] if seed is None else seed
    try:
        if seed is not None:
            program = _others(folder, program, seed)
        counts = counted(folder, program, own, draws)
        said = compared(_table(folder, program), counts, draws)
    except Differs as difference:
        return str(difference)
    except (Exception, SystemExit) as error:
        if others and isinstance(error, ImportError):
            raise
        return f"it raised {type(error).__name__}: {error}"
    if said is not None or seed is not None or others:  # which gives other counts
        return said
    if counts != {x: each["counts"] for x, each in program["databases"].items()}:
        return f"seed {own} gives other counts than {DRAWS} has"
    return said


def _others(folder: str, program: Mapping[str, Any], seed: int) -> Mapping[str, Any]:
    """Return a program with other databases, which a seed chooses, where a table lists them all."""
    document = _read(folder, program["mechanism"])
    rows = sorted(document.get("channel") or document.get("bounds") or ())
    sides = [each.get("side") for each in program["databases"].values()]
    if not rows or {*sides} != {"both"}:
        return program
    chosen = random.Random(seed).sample(rows, min(len(rows), len(sides)))
    return {**program, "databases": {x: {"side": "both"} for x in chosen}}


def _table(folder: str, program: Mapping[str, Any]) -> Table:
    kinds = [
        _read(folder, name)["kind"]
        for name in os.listdir(folder)
        if name.startswith("certificate") and name.endswith(".json")
    ]
    show = all(kind.endswith("-witness") for kind in kinds)
    return Table(_read(folder, program["mechanism"]), program, show)


def _read(folder: str, name: str) -> dict[str, Any]:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return dict(json.load(file, parse_float=str))


def main(folder: str) -> int:
    """Print the counts that belong into the list of a folder: of fewer draws if these take long."""
    programs = _read(folder, DRAWS)["programs"]
    print(json.dumps([_first(folder, program) for program in programs]))
    return 0


def _first(folder: str, program: Mapping[str, Any]) -> dict[str, Any]:
    """Return the counts of a program, and how they differ from its table, if they do."""
    seed, begin, draws = program["seed"], process_time(), _MOST // len(program["databases"])
    try:
        counted(folder, program, seed, _TRIED)
        pace = (process_time() - begin) / _TRIED
        while pace * draws > _SECONDS and draws > _LEAST:
            draws //= _FEWER
        counts = counted(folder, program, seed, draws)
        differs = compared(_table(folder, program), counts, draws)
    except Differs as difference:
        return {"draws": draws, "counts": {}, "differs": str(difference)}
    return {"draws": draws, "counts": counts, "differs": differs}


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.abspath(__file__))))
