"""Programs as mechanisms: the law of a Python function or object on the databases of a framework.

| given | becomes |
|---|---|
| `f(database)` that returns a dict | a channel |
| `f(database, rng)`, `Class(rng)` | a `ProgramMechanism`: its exact law, a channel or a table |
| anything else | itself |

Every function that takes mechanisms asks here, so that a program is one wherever a table is.
"""

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, extras
from pufferproof.models.files.programs import Program, code_of, is_code, rows_of
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, digest
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import StandIn, check_type, value_of
from pufferproof.models.interface.readable import Readable
from pufferproof.models.mechanisms.library import LibraryMechanism
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import NoisyQueries, Query
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.text import JsonObject, at_most, shown, text_of
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.programs.agreement.agrees import Agreement, checked
from pufferproof.verify.programs.agreement.programs import agreement_of
from pufferproof.verify.programs.law import MOST_PATHS, Law, Mass, ProgramError, law_of
from pufferproof.verify.programs.noise import of_records
from pufferproof.verify.programs.watching.calls import watched

_COMPARED, _CHECKED = 2, 4  # databases whose draws are compared with every law, or where asked for
_FEW_PATHS, _AGAIN = 64, 5  # laws of so few paths are found again so often
_AGREE = None, "digits"  # what ends searches that end at the same path when they are repeated
_STOPPED = {  # what ended a search, in words
    "work": "a limit that counts choices and integrals",
    "digits": "a limit that counts digits",
    "a clock": "a clock, as the program itself computes for long",
}
_DIGITS = 9  # of what is left, where it is irrational


@dataclass(eq=False)
class Comparison:
    """What draws on some databases say about a law, as far as they were compared."""

    agreement: Agreement | str | None = None
    databases: set[str] = field(default_factory=set)


@dataclass(frozen=True, repr=False, eq=False)
class ProgramMechanism(StandIn, Readable):
    """A program, and its exact law on some databases: functions that take mechanisms take it.

    `value` is the law as a mechanism, `law` has the paths behind it,
    `comparison` is with the program's own draws.
    """

    value: Channel | PowerTable | PartialTable | LocalMechanism | Query | NoisyQueries
    program: Program = field(repr=False)
    law: Law = field(repr=False)
    comparison: Comparison = field(default_factory=Comparison, repr=False)

    @property
    def derived(self) -> "ProgramMechanism":
        """This: what a file of a program has as well."""
        return self

    @property
    def listed(self) -> "ProgramMechanism":
        """The program with its output listed, if it is noise on a query: one label, with the
        density of the number. Raises `ModelError` unless there is one number with a density.
        """
        if self.law.noise is None:
            return self
        if not all(self.law.densities.values()):
            raise ModelError(
                "releases integers, several numbers, or Gaussian noise, beside a mechanism without "
                "noise: expected all with noise or none",
                self.program.name,
            )
        return replace(self, value=replace(self.law, noise=None).table())

    def compare(self, databases: Sequence[str] = ()) -> "ProgramMechanism":
        """Compare the law with draws under generators of NumPy on the first two databases and on
        others, each once, and return this. `agreement` is then what they say, or why draws are
        not compared.

        Raises `ProgramError` if the draws disagree.
        """
        draws = self.comparison
        if not self.program.compared:
            draws.agreement = "--no-agreement"
        first = self.law.databases[: _CHECKED if self.program.form == "each" else _COMPARED]
        wanted = dict.fromkeys([*first, *databases])
        new = [x for x in wanted if x in self.law.masses and x not in draws.databases]
        if not new or isinstance(draws.agreement, str):
            return self
        try:
            found = agreement_of(self.program, self.law, new)
        except ProgramError:
            raise
        except ModelError as error:  # there is no comparison with such a law
            draws.agreement = str(error)
            return self
        draws.databases.update(new)
        before = draws.agreement  # by other draws
        draws.agreement = found if before is None else before.beside(found)
        return self

    @property
    def agreement(self) -> Agreement | str | None:
        """What the program's own draws say about its law, why they are not compared, or None before
        a comparison.
        """
        return self.comparison.agreement

    @property
    def paths(self) -> int:
        """How many paths all databases have together."""
        return sum(map(len, self.law.paths.values()))

    @property
    def left(self) -> Fraction:
        """The largest probability of the paths that were not run, from above."""
        return max((_upper(each) for each in self.law.left.values()), default=Fraction(0))

    @property
    def trust(self) -> str:
        """What must be believed: that the program draws from `rng` alone, ends, and is a function
        of its draws. It has the remarks on seeds and on numbers that floats would round.
        """
        left = enclose(self.left, self.left).upper if self.left else "0"
        why = f", stopped by {_STOPPED[self.law.stopped]}" if self.law.stopped else ""
        remarks = "".join(f"; {remark}" for remark in self.law.remarks)
        drawn = ""
        if isinstance(self.agreement, str):
            drawn = f", draws not compared: {self.agreement}"
        elif self.agreement is not None:
            drawn = f", {self.agreement.draws} draws agree"
        return f"PROGRAM({self.paths} paths, {at_most(left)} left{why}{drawn}{remarks})"

    def as_json(self) -> JsonObject:
        """Return the object of the file formats."""
        known = {"paths": self.paths, "left": text_of(self.left), "sha256": self.program.sha256}
        if isinstance(self.agreement, Agreement):
            e = float(f"{math.exp(self.agreement.log_e):.3g}")
            return known | {"agreement": {"draws": self.agreement.draws, "e": e}}
        why = {} if self.agreement is None else {"not_compared": self.agreement}
        return known | {"agreement": None} | why

    def __str__(self) -> str:
        return f"{self.value!r}; the exact law of {self.program.name}, {self.trust}"


def _upper(left: Mass) -> Fraction:
    """Return a probability, or a decimal just above it if it is irrational."""
    if left.rational is not None:
        return left.rational
    above = left.bounds()[1]
    return Fraction(at_most(enclose(above, above).upper, _DIGITS))


def _law(program: Program, databases: Sequence[str]) -> Law:
    """Return the law of a program, found several times where it has few paths: draws from places
    that nobody watches make it another. A law whose search work or a clock ended is found once:
    calls are counted in the first runs alone, so that another search may end elsewhere.
    """
    paths = MOST_PATHS << (program.effort - 1)
    with watched(program) as call:
        law = law_of(call, databases, paths=paths, name=program.name)
        if sum(map(len, law.paths.values())) <= _FEW_PATHS and law.stopped in _AGREE:
            for _ in range(_AGAIN if law.whole else 1):
                again = law_of(call, databases, paths=paths, name=program.name)
                same = (again.masses, again.noise) == (law.masses, law.noise)
                if not same and again.stopped in _AGREE:
                    raise ProgramError(
                        "it is not a function of its draws: run again, its outputs are others "
                        "(estimate bounds its leakage from samples)",
                        program.name,
                    )
    return law


def law_alone(program: Program) -> ProgramMechanism:
    """Return a program that takes records one by one as a mechanism given record by record: its law
    of one record, with a run of its own for each. Raises `ModelError` unless that is rational.
    """
    records = program.records
    if records is None:
        raise ModelError("expected records", program.name)
    law = _law(program, records.alphabet)
    table = law.table()
    if not isinstance(table, Channel):
        raise ModelError(
            "its probabilities are not rational: records are taken one by one where they are", program.name
        )
    rows = [[table.probability(x, y) for y in table.outputs] for x in records.alphabet]
    local = LocalMechanism.of(records.alphabet, table.outputs, [rows] * records.count)
    return ProgramMechanism(local, program, law)


def lawful(framework: Any, mechanism: object, effort: int = 1) -> Any:
    """Return a mechanism with its law on the databases of a framework, if it is a program or a
    function, and else as it is. Raises `ModelError` unless it has one.
    """
    given = value_of(mechanism)
    if not is_code(given):
        return mechanism
    space = check_type(framework, Framework, "framework")
    code = _code_of(given)
    if isinstance(code, Program) and effort > code.effort:
        code = replace(code, effort=effort)
    if isinstance(code, Program) and code.form == "each":
        return law_alone(code)
    databases = _support(space)
    if not isinstance(code, Program):
        return rows_of(code, databases)
    law = _law(code, databases)
    made = ProgramMechanism(law.table(), code, law)
    if isinstance(made.value, AdditiveNoise):
        return replace(made, value=of_records(made.value, space))
    return made


def _code_of(function: Any) -> Program | Callable[[str], object]:
    if isinstance(function, Program):
        return function
    return code_of(function, _name_of(function), _hash_of(_inside(function)))


def _inside(function: object) -> Any:
    while isinstance(function, partial):
        function = function.func
    return function


def _name_of(function: object) -> str:
    inner = _inside(function)
    name = getattr(inner, "__qualname__", type(inner).__qualname__)
    return f"{getattr(inner, '__module__', '')}:{name}"


def _hash_of(function: Any) -> str | None:
    """Return the hash of the file in which a function stands, or of its lines where it is in none,
    or None if there is no source.
    """
    try:
        file = inspect.getsourcefile(function) or ""
        if Path(file).is_file():
            return digest(bytes_of(file, MAX_BYTES))
        return digest(inspect.getsource(function).encode())
    except (OSError, TypeError, ModelError):
        return None


def as_mechanism(
    source: object,
    inputs: object = None,
    query: str | None = None,
    exactly: Mapping[str, object] | None = None,
    normalize: bool = False,
    check: bool = False,
    d_in: object = None,
    windows: object = None,
) -> LibraryMechanism | ProgramMechanism:
    """Return another library's object, or a Python function or class, as a mechanism for `audit`
    and others.

    Args:
        source: an OpenDP measurement, a diffprivlib mechanism, or a frozen SciPy distribution, as
            noise; a dict of database -> mechanism or distribution, where every database has its
            own; a matrix or a DataFrame. A function of (database) that returns a dict, a program of
            (database, rng), or a class whose objects are made of `rng` and have a method
            `release(database)`.
        inputs: what the mechanism gets: a dict of database -> argument, or `Records`: then every
            record is handed to the mechanism alone, or the query of them. Of a function or a
            matrix, the databases, or a framework.
        query: of `Records`: "sum", "mean" or "histogram".
        exactly: parameter -> the number that was meant by a float: `{"epsilon": "log(3)"}`.
        normalize: divide the rows of a table by their sums.
        check: compare the law with the object's own draws, for one second: see `agrees`; with those
            of a program on four databases, under generators of NumPy.
        d_in: the distance between arguments at which an OpenDP measurement is asked for its claim;
            of records that of one record changed, where it is known.
        windows: of `Records`, or a framework of records: the first and last record of every window,
            as a list of pairs, or as `{"first": 1, "every": 336, "times": 52}`. The query of each
            gets noise of its own: the object may add noise, and do nothing else.

    A float stands for its exact binary value. The result says what is audited: the mathematics, not
    the program that draws floats.

    >>> table = as_mechanism([[0.5, 0.5], [0.25, 0.75]], ["a", "b"])
    >>> table.value.probability("b", "1")
    Fraction(3, 4)
    >>> def response(database, rng):
    ...     return database if rng.random() < 0.75 else "01"[rng.integers(2)]
    >>> as_mechanism(response, ["0", "1"]).value.probability("0", "0")
    Fraction(7, 8)

    Raises `ModelError` unless the object is one of these, and suits what it gets; and if its draws
    disagree with the law.
    """
    check = check_type(check, bool, "check")
    if not is_code(source):
        if check and windows is not None:
            raise ModelError("takes no windows: expected one query of Records", "check")
        with extras:
            from pufferproof.models.mechanisms.adapters.entry import as_mechanism as of_library
        read = of_library(source, inputs, query, exactly, normalize, d_in, windows)
        return checked(source, read) if check else read
    options = {"query": query, "exactly": exactly, "normalize": normalize}
    for name, option in {**options, "d_in": d_in, "windows": windows}.items():
        if option:
            raise ModelError("needs mechanisms of other libraries, found a function", name)
    _expect_own(source)
    code = _code_of(source)
    given = value_of(inputs)
    if isinstance(given, Records):
        if not isinstance(code, Program):
            raise ModelError("expected a program of (record, rng)", "mechanism")
        alone = law_alone(replace(code, form="each", records=given))
        return alone.compare() if check else alone
    handed = inputs if isinstance(inputs, Mapping) else None
    databases = _labels(inputs)
    if isinstance(code, Program):
        program = replace(code, handed=handed)
        law = _law(program, databases)
        made = ProgramMechanism(law.table(), program, law)
        return made.compare(databases[-_CHECKED // 2 :]) if check else made
    if check:
        raise ModelError("a function of (database) gives its own law, and draws nothing", "check")
    rows = code if handed is None else lambda database: code(handed[database])
    return LibraryMechanism(rows_of(rows, databases), _name_of(source), table=True)


def _expect_own(source: object) -> None:
    function = getattr(source, "func", source)
    if str(getattr(function, "__module__", "")).partition(".")[0] == "diffprivlib":
        name = getattr(function, "__name__", type(function).__name__)
        raise ModelError(
            f"cannot read the tool {name} of diffprivlib: estimate bounds it from its own draws, "
            "with neighbours that are added or removed for histograms, and substituted for means; "
            "its mechanisms are read",
            "mechanism",
        )


def _labels(inputs: object) -> Sequence[str]:
    given = value_of(inputs)
    if isinstance(given, Framework):
        return _support(given)
    if inputs is None or isinstance(given, str):
        raise ModelError(
            "expected the databases of a function: labels, a framework, Records, or a dict of "
            f"database -> argument, found {shown(given)}",
            "inputs",
        )
    listed: Any = tuple(given) if isinstance(given, Mapping) else given
    labels: Sequence[str] = check_type(listed, Sequence[str], "inputs")
    if not labels or len(set(labels)) < len(labels):
        raise ModelError(f"expected different databases, found {preview(labels)}", "inputs")
    return labels


def _support(framework: Framework) -> list[str]:
    """Return the labels of the databases that some prior makes possible."""
    space = framework.of_laws()
    return [space.databases[index] for index in sorted(space.support)]
