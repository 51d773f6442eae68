"""The registry of claims: published statements, each with a function that tries to prove, check and
refute it.

A claim is a function of a `Check`, in which it opens one reading per way to read the print; if it
opens none, `says` does. The first is the one that the authors would sign. Verdicts are computed
from what readings rest on: nobody writes one down. A claim whose first reading is true only with an
assumption that the paper lacks is REFUTED, and names its `repair`, a claim of its own. Its page
shows what letters mean: by `NOTATION`, a dictionary of its module, and by documents `notation` of
the packages around it.

    @claim("paper.lemma1", where="Lemma 1", statement="...", says=STATEMENT)
    def lemma1(check: Check) -> None:
        '''Why it holds: prose for readers.'''
"""

import hashlib
import importlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from operator import methodcaller
from pathlib import Path
from types import ModuleType
from typing import Any

from sympy.logic.boolalg import Boolean

from pufferproof.claims.document.finder import modules_of
from pufferproof.claims.document.lines import SUFFIX
from pufferproof.claims.document.outside import LONGEST, Outside, expect_in_time, loader_of
from pufferproof.claims.language import wording
from pufferproof.claims.language.letters import Letter, agreeing, letters_of, occurring
from pufferproof.claims.language.linked.argument import Linked
from pufferproof.claims.language.linked.found import argued
from pufferproof.claims.language.linked.program import LinkedProgram
from pufferproof.claims.language.linked.program import program as linked_program
from pufferproof.claims.language.linked.said import as_object
from pufferproof.claims.language.objects import AsObject
from pufferproof.claims.language.printed import PAPERS, Print, printed
from pufferproof.claims.language.proof import ALL_SIZES, Proof
from pufferproof.claims.language.statements import USUAL, Effort, Statement
from pufferproof.claims.language.statements.portions import Portion, joined, places, portion, tried_in_portions
from pufferproof.claims.language.theorems import theorems_of
from pufferproof.claims.vocabulary.coq.proved import fewer, is_ours, missing, needed, theorem_of
from pufferproof.claims.vocabulary.proposition import Program, Proposition
from pufferproof.claims.vocabulary.render import tex, words
from pufferproof.models.errors import ModelError, PufferproofError
from pufferproof.models.files.reading import bytes_of
from pufferproof.verify.proof.argument import DEFAULT_TIMEOUT, EXHAUST_LIMITS, HOLDS, ClaimVerdict, Whole

Said = Statement | Proposition | Linked | Any
"""A program, an object, a linked argument, or a formula (`language.formulas`)."""
STATED, ALL_REALS = "as stated", "all real numbers"
"""The name and the scope of a reading that is one formula."""
_CLAIMS: dict[str, "Claim"] = {}
_EXTRA = "extra_claims_"  # how names of modules that are files of users begin


@dataclass(frozen=True)
class Claim:
    """A published statement: where it stands, what it says and assumes, and the function that
    examines it.

    `kind` is "theorem", "lemma", "proof step", "remark", "definition", ...; `repair` the id of a
    corrected claim; `formula` the statement itself, where it is one formula about real numbers:
    then `statement` is that formula in words. If the first reading is an object or a formula, its
    words are the statement (`Check.statement`), and a sentence here is a paraphrase; it may be "".
    `says` has the executable statement of readings, by their names, and `formulas` the formula of
    those that are one, `order` the names of both; "" is the first reading.
    `unsaid` has the reason why a reading has none, by its name; the one named "" is the reason of
    all that are not named. `print` is what a paper prints of it, None if that is not written down.
    """

    id: str
    where: str
    statement: str
    kind: str
    assumes: tuple[str, ...]
    repair: str | None
    function: "Callable[[Check], None]"
    formula: Any = None
    says: Mapping[str, Statement] = field(default_factory=dict)
    formulas: Mapping[str, Any] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    unsaid: Mapping[str, str] = field(default_factory=dict)
    print: Print | None = None

    def formula_of(self, reading: str) -> Any:
        """The formula that a reading is, as the whole claim or of its own; None if it is none."""
        return self.formulas.get(reading, self.formula)

    @property
    def paper(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    @property
    def own(self) -> bool:
        """Whether a file of this package has the claim, and not a file of a user."""
        return self.function.__module__.startswith(f"{__package__}.")

    @property
    def printed(self) -> bool:
        """Whether the statement stands in a paper: what it prints there is written down, or it is
        no library lemma, no question of ours (`x-...`) and no repair.
        """
        if self.print is not None:
            return True
        if self.paper in OWN or self.id.partition(".")[2].startswith("x-"):
            return False
        if self.own and not _is_repair(self.id):
            load_family(self.paper)  # which may have the claim that this one repairs
        return not _is_repair(self.id)

    @property
    def why(self) -> str:
        """Why it holds or fails: the docstring of its function, prose for readers."""
        return inspect.getdoc(self.function) or ""

    @property
    def words(self) -> list[str]:
        """The sentences that verdicts may stand beside: its statement, and of each reading the
        words that are made from its formula or its object.
        """
        made = [*map(wording.formula, self.formulas.values())]
        for each in self.says.values():
            if isinstance(each, LinkedProgram):
                made.append(as_object(each.linked).words)
            elif isinstance(each, Program):
                made.append(each.said.words)
        return [self.statement, *made]

    @property
    def notation(self) -> dict[str, str]:
        """What the letters of the statement mean: `notation:` of the claim's document, and of the
        documents `notation` in the packages around it.
        """
        name = self.function.__module__
        modules: list[str] = []
        while "." in name:
            name = name.rpartition(".")[0]
            modules.append(f"{name}.notation")
        merged: dict[str, str] = {}
        for each in reversed(modules):
            merged |= getattr(_loaded(each), "NOTATION", {})
        return merged | self.table("NOTATION")

    def table(self, name: str) -> dict[str, str]:
        """Texts by names that the claim's file has: its `NOTATION`, or its `SYMBOLS`."""
        return dict(self.function.__globals__.get(name, {}))

    @property
    def letters(self) -> dict[str, Letter]:
        """The letters of formulas, by name: those that the file of the claim declares or
        imports.
        """
        return {each.name: each for each in letters_of(self.function.__globals__)}


@dataclass
class Check:
    """What a claim's function works with: it opens readings, and near misses that must not come
    out proved.
    """

    claim: Claim
    timeout: float = DEFAULT_TIMEOUT
    readings: list[Proof] = field(default_factory=list)
    near_misses: list[Proof] = field(default_factory=list)
    effort: Effort = USUAL
    portions: Mapping[str, Portion] = field(default_factory=dict)

    @contextmanager
    def reading(self, name: str, scope: str = "") -> Iterator[Proof]:
        """Open the argument for one reading of the statement; the first reading is the one that
        the authors would sign.
        """
        argument = self._proof(name, scope)
        argument.whole = self.claim.formula_of(name)
        argument.statement = self._runs(name)
        self.readings.append(argument)
        yield argument

    def stated(self, name: str) -> None:
        """Open a reading whose statement, in `says`, is an object that Coq proves."""
        with self.reading(name):
            pass

    def tried(self, name: str) -> None:
        """Open a reading that rests on its program in `says`: it is TRIED, on the instances that
        the family of the program draws. Why it holds stands in the docstring of the claim's
        function, as prose for readers, without a verdict.
        """
        with self.reading(name) as argument:
            argument.only_tried = True

    def linked(self, name: str) -> None:
        """Open a reading whose statement, in `says`, is a linked argument (`language.linked`)."""
        with self.reading(name) as argument:
            argument.linked = True

    def formula(self, name: str = STATED) -> None:
        """Open a reading that is one formula, in `says`, or that of a claim that is itself one. An
        engine decides the formula as it stands; near misses are made from it: the sides exchanged
        or 99/100 of one, and each hypothesis dropped. Each must be false, so that a formula that
        says nothing is OPEN. Raises `ModelError` if the reading is no formula.
        """
        said = self.claim.formula_of(name)
        if said is None:
            raise ModelError(f'the reading "{name}" of {self.claim.id} is no formula (says=)')
        with self.reading(name, ALL_REALS) as argument:
            argument.formula("the formula", "", said)
        for change, miss in Whole(said).near_misses():
            build = methodcaller("formula", change, "", miss)
            self.near_miss(f"{name}: {change}", build)

    def open(self, name: str, scope: str = "") -> None:
        """Open a reading by the kind of what says it: a formula, a linked argument, an object or a
        program. Raises `ModelError` if nothing in `says` has this name.
        """
        statement = self.claim.says.get(name)
        if statement is None:
            self.formula(name)
        elif isinstance(statement, LinkedProgram):
            self.linked(name or STATED)
        elif isinstance(statement, Program):
            self.stated(name or STATED)
        else:
            self.tried(name or STATED)
        self.readings[-1].scope = scope or self.readings[-1].scope

    def near_miss(self, name: str, build: Callable[[Proof], object]) -> None:
        """Run an argument for a statement that is slightly too strong: it must be neither
        proved nor checked.
        """
        argument = self._proof(name, "near miss")
        build(argument)
        self.near_misses.append(argument)

    def run(self) -> None:
        """Run the function of the claim. If it opens no reading, open one for each statement in
        `says`, in their order and by their kind, or the one of a claim that is a formula.
        """
        self.claim.function(self)
        if self.readings:
            return
        if self.claim.formula is not None:
            self.formula()
        for name in self.claim.order:
            self.open(name)

    def _runs(self, name: str) -> Statement | None:
        """Return what says a reading and runs, before the reading is opened; None if nothing
        does.
        """
        unnamed = None if self.readings else self.claim.says.get("")
        return self.claim.says.get(name, unnamed)

    def _proof(self, name: str, scope: str) -> Proof:
        return Proof(name, scope, self.timeout)

    def try_statements(self) -> None:
        """Try the statement of every reading that has one. Raises `ModelError` if a statement is
        that of no reading, or if a reading has two.
        """
        says, unsaid = self._keys, self.claim.unsaid.keys() - {""}
        if twice := says.keys() & self.claim.formulas.keys():
            raise ModelError(
                f'the reading "{min(twice)}" of {self.claim.id} has two statements, a formula and another one: keep one'
            )
        named = says.keys() | self.claim.formulas.keys() | unsaid
        if unknown := named - {each.name for each in self.readings}:
            raise ModelError(f'{self.claim.id} has no reading "{min(unknown)}"')
        if both := (says.keys() | self.claim.formulas.keys()) & unsaid:
            raise ModelError(
                f'the reading "{min(both)}" of {self.claim.id} has a statement that runs or is one '
                f"formula, and a reason why it has none"
            )
        for reading in self.readings:
            if (key := says.get(reading.name)) is not None:
                statement = self.claim.says[key]
                shown = self._argued(statement, reading)
                reading.trial = tried_in_portions(
                    statement,
                    f"{self.claim.id}: {reading.name}",
                    fewer(self.effort) if shown else needed(statement, self.effort),
                    EXHAUST_LIMITS * self.timeout,
                    partial(self._further, key),
                )

    def _argued(self, statement: Statement, reading: Proof) -> bool:
        """Have engines discharge a linked argument, once, before it is tried; whether they did."""
        if not (reading.linked and isinstance(statement, LinkedProgram)):
            return False
        reading.argued = reading.argued or argued(statement.linked, self.timeout)
        return reading.argued.failure is None

    def read_objects(self) -> "Check":
        """Let readings say their scope, and what Coq says of their object, after their trial.
        Raises `ModelError` if two of them are one proposition.
        """
        keys, known = self._keys, dict[str, str]()
        for reading in self.readings:
            if reading.name in keys:
                statement = self.claim.says[keys[reading.name]]
                reading.scope = reading.scope or statement.drawn
                reading.said = self._as_object(statement, reading)
                self._argued(statement, reading)
            words = self.words(reading) or reading.name
            if (other := known.setdefault(words, reading.name)) != reading.name:
                raise ModelError(f'the readings "{other}" and "{reading.name}" are one proposition')
            if reading.proved or reading.argued is not None:
                reading.scope = ALL_SIZES  # what else it covers, its words say
            elif reading.whole is not None and reading.verdict is ClaimVerdict.PROVED:
                reading.scope = ALL_REALS
        if self.readings and not self.statement:
            raise ModelError("its first reading is no object, so that the claim needs a statement")
        return self

    def _as_object(self, statement: Statement, reading: Proof) -> AsObject | None:
        """Return the statement of a reading, if it is an object, with what Coq says of it."""
        made = object_of(statement)
        if made is None or not isinstance(statement, Program):
            return made
        said, claim = statement.said, self.claim
        if not claim.own and not is_ours(said):
            raise ModelError(
                f'"{said.name}" is no object of this package, so that its words are those of the '
                f"file: give a program or a linked argument as says="
            )
        lacking = missing(said, reading.trial)
        if not lacking and claim.own and claim.printed and claim.print is None:
            lacking = "its place and its printed formula are not written down"
        return replace(made, theorem=None if lacking else theorem_of(said), missing=lacking)

    def words(self, reading: Proof) -> str | None:
        """The words of a reading that are made from what is decided, an object or a formula; None
        if it is neither.
        """
        if reading.said is not None:
            return reading.said.words
        if reading.name in self.claim.formulas:
            return wording.formula(self.claim.formulas[reading.name])
        return None if self.claim.formula is None else self.claim.statement

    @property
    def statement(self) -> str:
        """What the verdict stands on: the words of the first reading that are made from what is
        decided; else what the claim says.
        """
        made = self.words(self.readings[0]) if self.readings else None
        return made or self.claim.statement

    @property
    def paraphrase(self) -> str | None:
        """The sentence that the file gives beside an object: nothing compares them."""
        mine = self.claim.statement
        return mine if mine and mine != self.statement else None

    def _further(self, key: str) -> Portion:
        """Return what came of the instances behind the usual ones, which others may have tried."""
        if key in self.portions:
            return self.portions[key]
        each = partial(portion_of, self.claim, key, effort=self.effort, timeout=self.timeout)
        return joined(map(each, places(self.effort)))

    @property
    def _keys(self) -> dict[str, str]:
        """The names of readings whose statement runs, and those under which the claim has it."""
        names = {"": self.readings[0].name} if self.readings else {}
        return {names.get(key, key): key for key in self.claim.says}

    def unsaid(self, reading: Proof) -> str | None:
        """Why a reading has no statement that runs, where the claim says so; None if it has one,
        or is one formula.
        """
        if reading.name in self._keys or self.claim.formula_of(reading.name) is not None:
            return None
        return self.claim.unsaid.get(reading.name, self.claim.unsaid.get(""))

    @property
    def unexplained(self) -> list[str]:
        """The readings that hold with neither a statement that runs nor a reason why not; a claim
        that is itself a formula needs neither. A reason is enough only where steps go through
        instances (CHECKED).
        """
        return [
            each.name
            for each in self.readings
            if self.claim.formula_of(each.name) is None
            and each.verdict is ClaimVerdict.CHECKED
            and each.name not in self._keys
            and not self.unsaid(each)
        ]

    @property
    def occurring(self) -> list[Letter]:
        """The letters in the formulas of its steps, which may come with proofs of other files."""
        steps = (step for each in (*self.readings, *self.near_misses) for step in each.steps)
        return occurring(step.formula for step in steps)

    @property
    def letters(self) -> dict[str, Letter]:
        """The letters of the claim's file and of the formulas of its steps, by name."""
        return self.claim.letters | {each.name: each for each in self.occurring}

    @property
    def weakness(self) -> str | None:
        """Why what was discharged does not count: it is no argument, or near misses do not fail
        as they should.
        """
        if not self.readings:
            return "it says nothing that can be decided: write then: .., or reading NAME :: .."
        for argument in self.readings:
            if argument.whole is not self.claim.formula_of(argument.name):
                return f'reading "{argument.name}": its formula is not the statement of the claim'
            if argument.obstacle and argument.verdict is not ClaimVerdict.REFUTED:
                return f'reading "{argument.name}": {argument.obstacle}'
        if not any(argument.verdict in HOLDS for argument in self.readings):
            return None
        try:
            theorems_of(self.claim.id)
        except ModelError as error:
            return str(error)
        argued = [
            each
            for each in self.readings
            if each.verdict in HOLDS and not (each.proved or each.only_tried or each.argued is not None)
        ]
        if argued and not self.near_misses:
            return "there is no near miss"
        for argument in self.near_misses:
            if argument.verdict in HOLDS:
                return (
                    f'the near miss "{argument.name}" came out {argument.verdict.value}: the argument proves too much'
                )
            if not any(step.refuted for step in argument.steps):
                is_dropped = ": without " in argument.name
                hint = ": leave out hypotheses that are not needed" if is_dropped else ""
                return f'the near miss "{argument.name}" was not found false, only not proved{hint}'
        if self.unexplained:
            return (
                f'reading "{self.unexplained[0]}": it has no statement that runs (says=), and no '
                f"reason why it has none (unsaid=) that is enough"
            )
        return None

    @property
    def verdict(self) -> ClaimVerdict:
        """The headline: REFUTED if the first reading is false, and OPEN if it is open; DEPENDS if
        it holds and others are false; OPEN if another is open.

        Else the weakest of the readings. A claim with a `weakness` stays OPEN.
        """
        verdicts = [argument.verdict for argument in self.readings]
        if not verdicts:
            return ClaimVerdict.OPEN
        if verdicts[0] is ClaimVerdict.REFUTED:
            return ClaimVerdict.REFUTED
        if self.weakness is not None or verdicts[0] is ClaimVerdict.OPEN:
            return ClaimVerdict.OPEN
        if ClaimVerdict.REFUTED in verdicts:
            return ClaimVerdict.DEPENDS
        if ClaimVerdict.OPEN in verdicts:
            return ClaimVerdict.OPEN
        if verdicts[0] is ClaimVerdict.DEFINITION:  # the print only defines; what else holds is shown beside it
            return ClaimVerdict.DEFINITION
        weakest_first = [verdict for verdict in reversed(HOLDS) if verdict in verdicts]
        return weakest_first[0] if weakest_first else ClaimVerdict.DEFINITION


def _is_repair(identifier: str) -> bool:
    """Whether a claim that is loaded names this one as its repair."""
    return any(each.repair == identifier for each in _CLAIMS.values())


OWN = ("classes", "general", "influence", "lemma", "noise", "normal", "redaction", "worst")
"""Families of claims that no paper prints."""


def claim(
    identifier: str,
    *,
    where: str,
    statement: Any = None,
    kind: str = "theorem",
    assumes: Sequence[str] = (),
    repair: str | None = None,
    says: Said | Mapping[str, Said] | None = None,
    unsaid: str | Mapping[str, str] | None = None,
    prints: Mapping[str, str] | None = None,
) -> "Callable[[Callable[[Check], None]], Callable[[Check], None]]":
    """Register the function that examines a published statement, a sentence or one formula about
    all real numbers. If the first reading is an object, its words are the statement: then leave the
    sentence out, or give it as a paraphrase, which is shown as not checked.

    A formula is a relation, or `Implies(assumptions, conclusion)`. A reading that a kernel accepts
    as exactly that formula is PROVED, since formula and statement cannot differ. `says` is the
    statement as a program over finite instances, or one for each reading that has one, or is one
    formula; `unsaid` the reason why a reading that holds has none: one for all that have none, or
    one for each by name; `prints` has the fields of a document that say what a paper prints.
    Raises `ModelError` if the id is taken or names a family of this package from another file, if a
    claim is its own repair, if there is neither a sentence nor an object, or if a field of `prints`
    is not as it must be.
    """

    def register(function: Callable[[Check], None]) -> Callable[[Check], None]:
        _refuse_name(identifier, function)
        if repair == identifier:
            raise ModelError(f'claim "{identifier}" names itself as its repair')
        known = _CLAIMS.get(identifier)
        if known is not None and _other(known.function, function):
            said = f'claim "{identifier}" is registered twice, also at {_line_of(known.function)}'
            raise ModelError(said, _line_of(function))
        by_name: Mapping[str, Said] = says if isinstance(says, Mapping) else {"": says}
        by_name = {name: each for name, each in by_name.items() if each is not None}
        formulas = {name: each for name, each in by_name.items() if isinstance(each, Boolean)}
        _refuse_statement(identifier, statement, by_name)
        programs = {x: _program(each) for x, each in by_name.items() if x not in formulas}
        formula = None if isinstance(statement, str) else statement
        words = statement or "" if formula is None else wording.formula(formula)
        objects = (Program, LinkedProgram)
        made = [each for each in programs.values() if isinstance(each, objects)]
        if statement is None and not (made or formulas):
            raise ModelError(f'claim "{identifier}" needs a statement, or an object as says')
        _CLAIMS[identifier] = Claim(
            identifier,
            where,
            words,
            kind,
            tuple(assumes),
            repair,
            function,
            formula,
            programs,
            formulas,
            tuple(by_name),
            {"": unsaid} if isinstance(unsaid, str) else unsaid or {},
            printed(identifier, prints, _line_of(function)) if prints else None,
        )
        return function

    return register


def _line_of(function: Callable[[Check], None]) -> str:
    """Return the file and the line of a function."""
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"


def _program(each: Said) -> Statement:
    """Return a statement as what runs: of an object what is made from it, whatever is given."""
    if isinstance(each, LinkedProgram):
        each = each.linked
    if isinstance(each, Program):
        each = each.said
    if isinstance(each, Linked):
        return linked_program(each)
    if isinstance(each, Proposition):
        return each.program()
    if not isinstance(each, Statement):
        raise ModelError(f"says= expects a program, an object or a formula, found {each!r:.60}")
    return each


def _refuse_statement(identifier: str, statement: Any, by_name: "Mapping[str, Said]") -> None:
    """Refuse a statement that is neither a sentence nor a formula, and two of one reading."""
    formulas = [name for name, each in by_name.items() if isinstance(each, Boolean)]
    if "" in formulas or (formulas and not isinstance(statement, str | None)):
        raise ModelError(f'claim "{identifier}": give its one formula as statement=')
    if not isinstance(statement, str | Boolean | None):
        raise ModelError(
            f'claim "{identifier}": statement= expects a sentence, or formula(..), found {statement!r:.60}'
        )
    if isinstance(statement, Boolean) and len(formulas) < len(by_name):
        raise ModelError(
            f'claim "{identifier}" has two statements, the formula of statement= and that of '
            f"says=: keep one, or give each in says= by the name of its own reading"
        )


_ID = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")


def _refuse_name(identifier: str, function: "Callable[[Check], None]") -> None:
    """Refuse an id that reads as more than a name, or that says that a user's claim is ours."""
    if not _ID.fullmatch(identifier):
        raise ModelError(
            f"claim {identifier!r}: an id has letters, digits, - and _, in parts with dots between "
            f'them, such as "mine.lemma-1"'
        )
    family = identifier.partition(".")[0]
    ours = family in OWN or (family.isidentifier() and (PAPERS / family).is_dir())
    if ours and not function.__module__.startswith(f"{__package__}."):
        raise ModelError(f'claim "{identifier}": "{family}" is a family of pufferproof: give yours another name')


def _other(known: "Callable[[Check], None]", function: "Callable[[Check], None]") -> bool:
    """Whether two functions are not one that was imported again. A file of a user that is imported
    again has new globals, so that two functions with the same ones stand in it.
    """
    same_file = known.__globals__ is function.__globals__
    twice = same_file and function.__module__.startswith(_EXTRA)
    return twice or _place(known) != _place(function)


def _loaded(name: str) -> ModuleType | None:
    """Return a module of this package, imported if need be, or of a user; None if there is none."""
    if name.startswith(f"{__package__}.") and importlib.util.find_spec(name) is not None:
        return importlib.import_module(name)
    return sys.modules.get(name)


def _place(function: "Callable[[Check], None]") -> tuple[str, str]:
    return function.__module__, function.__qualname__


def portion_of(claim: Claim, key: str, place: int, effort: Effort, timeout: float) -> Portion:
    """Try a statement of a claim on a portion of the instances behind the usual ones."""
    limit = EXHAUST_LIMITS * timeout
    return portion(claim.says[key], f"{claim.id}: {key}", effort, place, limit)


def claim_named(identifier: str) -> Claim:
    """Return a claim, after importing its module if need be. Raises `ModelError` if there is no
    such claim.
    """
    load_named(identifier)
    if identifier not in _CLAIMS:
        raise ModelError(f'unknown claim "{identifier}"')
    return _CLAIMS[identifier]


def examine(
    identifier: str,
    timeout: float = DEFAULT_TIMEOUT,
    effort: Effort = USUAL,
    portions: Mapping[str, Portion] | None = None,
) -> Check:
    """Run the function of a claim, after importing its module if need be, and try its statement;
    `portions` has what others found on all instances behind the usual ones, by the names of
    statements. Raises `ModelError` if there is no such claim.
    """
    check = Check(claim_named(identifier), timeout, effort=effort, portions=portions or {})
    check.run()
    check.try_statements()
    check.read_objects()
    _one_meaning_each(check)
    return check


def _one_meaning_each(check: Check) -> None:
    """Raise `ModelError` if a letter means two things in the claim's file, or in the formulas
    of its steps.
    """
    agreeing((*letters_of(check.claim.function.__globals__), *check.occurring))


def load_claims(
    extra: Sequence[str | Path] = (),
    names: Iterable[str] | None = None,
    trust_code: bool = False,
    seconds: float | None = DEFAULT_TIMEOUT,
) -> dict[str, Claim]:
    """Import every module of claims, or those of the claims and families that are named, and extra
    files or folders of them, as `load_extra` does. Return all claims that are loaded by id, in
    order of the modules of this package; those of files follow in order of loading.
    """
    if names is None:
        _load_all()
    for name in names or ():
        load_named(name)
    load_extra(extra, trust_code, seconds)

    def place(claim: Claim) -> tuple[bool, list[str]]:
        """As `walk_packages` goes: by names, and a package before what stands in it."""
        return not claim.own, claim.function.__module__.split(".") if claim.own else []

    return {claim.id: claim for claim in sorted(_CLAIMS.values(), key=place)}


def paper_given(name: str) -> Mapping[str, object] | None:
    """Return `PAPER` of a file that has claims of this paper: its title, authors, year and place;
    None if there is none among the claims that are loaded.
    """
    mine = (each.function.__globals__ for each in _CLAIMS.values() if each.paper == name)
    return next((module["PAPER"] for module in mine if "PAPER" in module), None)


@cache
def _load_all() -> None:
    """Import every module of claims; once, as going through the folders takes a while."""
    import pufferproof.claims as home

    for module in modules_of(home):
        importlib.import_module(module)


def load_extra(extra: Sequence[str | Path], trust_code: bool = False, seconds: float | None = DEFAULT_TIMEOUT) -> None:
    """Import files and folders of claims that are not of this package.

    Args:
        extra: their paths.
        trust_code: whether Python in them may run. Without it a document has arithmetic and the
            functions of plain data alone, and this is known of all before any of it runs.
        seconds: how long a document may take of the processor; None if that is known already.

    Raises `ModelError` if a file cannot be imported, needs trust, takes too long or too much
    memory, or names a repair that is no claim.
    """
    paths = [each for path in extra for each in _files(Path(path))]
    files = [(each, loader_of(_name_of(each), each, trust_code)) for each in paths]
    for work in (_compiled, _import_file):
        for path, loader in files:
            if loader is not None and seconds is not None:
                said = f"{work.__name__} {trust_code}"
                expect_in_time(path, said, partial(work, path, loader), seconds)
            work(path, loader)
    for each in [each for each in _CLAIMS.values() if each.repair and not each.own]:
        load_named(each.repair or "")
        if each.repair not in _CLAIMS:
            said = f'the repair "{each.repair}" of "{each.id}" is no claim: write its id, or leave'
            raise ModelError(f"{said} it out", _line_of(each.function))


def load_family(family: str) -> None:
    """Import the claims whose ids begin with a family's name, which is that of its module or
    package; others are left alone.
    """
    for name in _homes(family):
        package = importlib.import_module(name)
        for module in modules_of(package):
            importlib.import_module(module)


def load_named(name: str) -> None:
    """Import a claim, with the modules of its family whose sources have its id in quotes or at the
    head of a paragraph; the whole family where none of these registers it, or where the name is
    that of a family.
    """
    if name in _CLAIMS:
        return
    family = name.partition(".")[0]
    for module, source in _sources(family).items() if name != family else ():
        if f'"{name}"' in source or f"## {name} |" in source:
            importlib.import_module(module)
    if name not in _CLAIMS:
        load_family(family)


def object_of(statement: Statement) -> AsObject | None:
    """Return the statement of a reading if it is an object; what Coq says of it is not asked."""
    if isinstance(statement, LinkedProgram):
        return as_object(statement.linked)
    if not isinstance(statement, Program):
        return None
    said = statement.said
    given = [(words(each), tex(each)) for each in said.given]
    made = said.lets, given, (words(said.then), tex(said.then)), said.coq
    return AsObject(*made, None, None, said.survivors, said.meanings)


def _homes(family: str) -> Iterator[str]:
    """Yield the names of the modules or packages that have the claims of a family."""
    for shelf in ("", "papers.", "ours."):
        name = f"pufferproof.claims.{shelf}{family}"
        if family.isidentifier() and importlib.util.find_spec(name) is not None:
            yield name


@cache
def _sources(family: str) -> Mapping[str, str]:
    """Return the sources of the modules of a family by their names; nothing is imported."""
    found: dict[str, str] = {}
    for name in _homes(family):
        spec = importlib.util.find_spec(name)
        places = [*map(Path, spec.submodule_search_locations or ())] if spec else []
        for place in places:
            for path in sorted((*place.rglob("*.py"), *place.rglob(f"*{SUFFIX}"))):
                inner = path.relative_to(place).with_suffix("").parts
                module = ".".join([name, *inner]).removesuffix(".__init__")
                found[module] = bytes_of(path, LONGEST).decode("utf-8")
    return found


def _files(path: Path) -> list[Path]:
    if not os.path.exists(path):
        raise ModelError("no such file or folder of claims", str(path))
    return sorted((*path.rglob("*.py"), *path.rglob(f"*{SUFFIX}"))) if path.is_dir() else [path]


def _name_of(path: Path) -> str:
    return f"{_EXTRA}{path.stem}_{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:8]}"


def _compiled(path: Path, loader: Outside | None) -> None:
    """Compile a document, and run nothing of it."""
    if loader is not None:
        with _naming(path):
            loader.get_code(loader.name)


def _import_file(path: Path, loader: Outside | None) -> None:
    spec = importlib.util.spec_from_file_location(_name_of(path), path, loader=loader)
    if spec is None or spec.loader is None:
        raise ModelError("cannot be imported as Python", str(path))
    module = importlib.util.module_from_spec(spec)
    with _naming(path):
        spec.loader.exec_module(module)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Let errors name a file of claims, and its line."""
    try:
        yield
    except SystemExit as error:
        said = f"cannot be imported: it ends the program by sys.exit({error.code!r})"
        raise ModelError(said, str(path)) from error
    except Exception as error:
        if str(error).startswith(f"{path}:"):  # it names its line
            raise
        raise ModelError(*_said(error, str(path))) from error


def _said(error: Exception, path: str) -> tuple[str, str]:
    """Return what went wrong in a file, and its last line that was being run."""
    lines = [x.lineno for x in traceback.extract_tb(error.__traceback__) if x.filename == path]
    place = f"{path}:{lines[-1]}" if lines else path
    if isinstance(error, NameError) and path.endswith(SUFFIX):  # names without a meaning are known
        return f'"{error.name}" is used above the line that says what it is: move that up', place
    said = str(error) or type(error).__name__
    plain = lines and isinstance(error, PufferproofError)
    return said if plain else f"cannot be imported: {said}", place
