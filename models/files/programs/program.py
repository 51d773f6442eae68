"""A Python function or class that draws from `rng`, and what it gets for a database."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs.calling import Form
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.remembered import plain
from pufferproof.models.priors.records import Records, separator

RNG, RELEASE = "rng", "release"
_ARRAYS = ("numpy", "pufferproof.verify.programs.drawing.arrays")


class Releases(tuple[Any, ...]):
    """What one object released, call by call: one output."""


@dataclass(frozen=True, eq=False)
class Program:
    """A Python function or class that draws from `rng`, and how it is called.

    `arguments` are those beside the database and `rng`; `named` says that `rng` is passed by name,
    `sized` that a call draws several outputs. `form` is how the `records` of a database are handed
    over: of `each`, records come one by one, with a run for each. `handed` has the argument of
    every database if these are given. A class makes an object for each run: its `runs` releases are
    one output. `sha256` is the hash of the file that it stands in, None of code that is in no file.
    Each step of `effort` doubles how many paths are run, and for how long.
    """

    taken_by: ClassVar = {"Channel": "as_mechanism(function, databases) has its law"}
    unnamed: ClassVar = True

    function: Callable[..., Any]
    name: str
    sha256: str | None = None
    arguments: Mapping[str, object] = field(default_factory=dict)
    named: bool = False
    sized: bool = False
    form: Form = "text"
    records: Records | None = None
    runs: int = 1
    effort: int = 1
    handed: Mapping[str, object] | None = None
    compared: bool = True  # whether its draws are compared with its law before a verdict

    @property
    def is_class(self) -> bool:
        """Whether an object is made for each run."""
        return inspect.isclass(self.function)

    @property
    def as_run(self) -> "Program":
        """The program as everybody runs it: floats of its arguments remember no other number."""
        return replace(self, arguments=plain(self.arguments), handed=plain(self.handed))

    def on(self, records: Records | None, sized: Records | None = None) -> "Program":
        """Return the program on databases of records, or of every number of records up to those of
        `sized`. Raises `ModelError` if it takes a list or an array of them and there are none, or
        one record at a time and databases have different lengths.
        """
        if self.form == "text":
            return self
        if records is None and sized is None:
            raise ModelError(
                'databases are not made of records: expected a framework with "records", or --records text', "--records"
            )
        if records is None and self.form == "each":
            raise ModelError(
                "databases have different numbers of records: expected --records list or array", "--records"
            )
        return replace(self, records=records or sized)

    def argument(self, database: str) -> object:
        """Return what the program gets for the label of a database, anew at each call."""
        if self.handed is not None:
            return deepcopy(self.handed[database])
        if self.form == "text" or self.records is None:
            return database
        alphabet = self.records.alphabet
        read = _reader(alphabet)
        joint = separator(alphabet) if database or "" in alphabet else ""  # "" has no records
        values = list(map(read, database.split(joint) if joint else database))
        if self.form in ("list", "each"):
            return values
        import numpy as np

        kinds = values or [read(value) for value in alphabet]  # no record has a type of its own
        return np.array(values, dtype=np.array(kinds).dtype)

    def __call__(self, database: str, rng: Any) -> Any:
        """Run the program once: its output, or `Releases` of several runs of an object."""
        return self.applied(self.argument(database), rng)

    def applied(self, argument: Any, rng: Any) -> Any:
        """Run the program once on what it gets for a database."""
        if self.form == "each":
            return Releases(self._run(record, rng) for record in argument)
        return self._run(argument, rng)

    def _run(self, argument: object, rng: object) -> Any:
        given = [] if self.named else [rng]
        if self.sized:
            outputs = self._drawn(argument, 1, rng)
            if not (isinstance(outputs, list | tuple) or type(outputs).__module__ in _ARRAYS):
                kind = type(outputs).__name__  # may have names of its own
                raise ModelError(f"expected a list or an array of outputs, found {kind}", self.name)
            return outputs[0]
        if not self.is_class:
            return self.function(argument, *given, **self._keywords(rng))
        made = self.function(*given, **self._keywords(rng))
        if self.runs == 1:
            return made.release(argument)
        return Releases(made.release(argument) for _ in range(self.runs))

    def draws(self, database: str, size: int, rng: Any) -> Any:
        """Draw several outputs of a program that is `sized`. Raises `ModelError` unless there are
        as many.
        """
        return self._drawn(self.argument(database), size, rng)

    def _drawn(self, argument: object, size: int, rng: object) -> Any:
        values = self.function(argument, size, rng, **self.arguments)
        if isinstance(values, str | bytes | dict) or not hasattr(values, "__len__"):
            kind = type(values).__name__
            raise ModelError(f"expected an array of {size} outputs (size), found {kind}")
        if len(values) != size:
            raise ModelError(f"expected {size} outputs (size), found {len(values)}")
        return values

    def _keywords(self, rng: object) -> Mapping[str, object]:
        return {**self.arguments, RNG: rng} if self.named else self.arguments

    def __repr__(self) -> str:
        return f"Program({self.name})"


def _reader(alphabet: Sequence[str]) -> Callable[[str], object]:
    """Return how a value of a record is read: as an integer or a number where all values are."""
    try:
        numbers = {exact(value) for value in alphabet}
    except ModelError:
        return str
    if len(numbers) < len(alphabet):
        return str
    whole = all(number.denominator == 1 for number in numbers)
    return (lambda value: int(exact(value))) if whole else float
