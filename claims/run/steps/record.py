"""Claims are run with a proof that writes down its steps and answers without an engine.

Two versions of a claim of which the same is written ask the same questions, up to what the code of
functions does elsewhere than at the instances at which it was asked. So the form of files of claims
can be changed, and what they do compared. No verdict comes of it.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from inspect import signature
from itertools import islice
from typing import Any

from pufferproof.claims.language.letters import Letter, occurring
from pufferproof.claims.language.linked.program import LinkedProgram
from pufferproof.claims.language.linked.said import as_object
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.registry import Check, Claim
from pufferproof.claims.run.results import evidence_of
from pufferproof.claims.run.steps import statements
from pufferproof.claims.run.texts import digest, lines, short, text_of
from pufferproof.claims.vocabulary.proposition import Program

MEMBERS = 200
"""Of a finite family so many members are looked at."""
_FORMULAS = ("formula", "left", "right", "conclusion", "assuming", "expression", "symbol", "at")


def written(claims: Iterable[Claim]) -> bytes:
    """Return what claims do as JSON: the lines of each by its id, the same bytes in every run."""
    found = {each.id: steps_of(each) for each in claims}
    return (json.dumps(found, sort_keys=True, indent=0, ensure_ascii=False) + "\n").encode()


def steps_of(claim: Claim) -> list[str]:
    """Return what a claim says and does, line by line."""
    check, error = Noting(claim), ""
    try:
        check.run()
    except (Exception, SystemExit) as raised:  # what a claim does is written down, whatever it is
        error = type(raised).__name__
    return [
        *_described(check),
        *statements.said(claim),
        *(line for each in check.readings for line in _reading(check, each)),
        *(line for each in check.near_misses for line in _near_miss(each)),
        *lines("raises", error),
        *lines("why", claim.why),
    ]


def _described(check: "Noting") -> Iterator[str]:
    """Yield what stands in the head of a claim, and what its paper prints."""
    claim = check.claim
    yield from lines("where", claim.where)
    yield from lines("kind", claim.kind)
    yield from lines("statement", check.statement)
    yield from lines("paraphrase", check.paraphrase or "")
    yield from lines("formula", "" if claim.formula is None else text_of(claim.formula))
    yield from (f"assumes: {each}" for each in claim.assumes)
    yield from lines("repair", claim.repair or "")
    for name, reason in claim.unsaid.items():
        yield from lines(f"unsaid {name}".rstrip(), reason)
    yield from (f"notation {name}: {meaning}" for name, meaning in sorted(claim.notation.items()))
    formulas = [claim.formula, *claim.formulas.values(), *check.formulas]
    letters: dict[str, Letter] = claim.letters | {each.name: each for each in occurring(formulas)}
    for name, each in sorted(letters.items()):
        yield f"letter {name}: {each.meaning} | {each.domain_text} | {text_of(each)}"
    if claim.print is not None:
        for name, text in asdict(claim.print).items():
            yield from lines(f"print {name}", text)


def _reading(check: Check, reading: "Noted") -> Iterator[str]:
    yield f"reading {reading.name} | {reading.scope} | {reading.rests_on}"
    yield from lines("unsaid", check.unsaid(reading) or "", "  ")
    yield from reading.lines


def _near_miss(reading: "Noted") -> Iterator[str]:
    yield f"near miss {reading.name}"
    for each in reading.edits.edits:
        parts = [name for name in ("family", "holds") if getattr(each, name) is not None]
        yield f"  edit at {each.at}: {' and '.join(parts)}"
    yield from reading.lines


@dataclass
class Noted(Proof):
    """A proof that writes down its steps as lines, and says that each is discharged."""

    lines: list[str] = field(default_factory=list)
    formulas: list[object] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)

    @property
    def rests_on(self) -> str:
        """How the reading was opened, and what it rests on."""
        if self.only_tried or self.linked:
            return "tried" if self.only_tried else "linked"
        if not self.kinds:
            return "stated"
        return "formula" if self.whole is not None and {*self.kinds} == {"formula"} else "steps"

    def formula(self, *given: Any, **named: Any) -> bool:
        """Note a formula that is to be decided."""
        return self._note("formula", given, named)

    def identity(self, *given: Any, **named: Any) -> bool:
        """Note an equality of rational functions."""
        return self._note("identity", given, named)

    def inequality(self, *given: Any, **named: Any) -> bool:
        """Note an implication."""
        return self._note("inequality", given, named)

    def enclosure(self, *given: Any, **named: Any) -> bool:
        """Note an expression that is positive on an interval."""
        return self._note("enclosure", given, named)

    def definition(self, *given: Any, **named: Any) -> bool:
        """Note a definition."""
        return self._note("definition", given, named)

    def counterexample(self, *given: Any, **named: Any) -> bool:
        """Note an instance, and whether the statement is false there."""
        return self._note("counterexample", given, named)

    def exhaust(self, *given: Any, **named: Any) -> Any:
        """Note the first members of a family; return the first of them without the property."""
        step = self._arguments("exhaust", given, named)
        family, holds = self.edits.family(step["name"], step.pop("family"), step["holds"])
        members = [*islice(family, MEMBERS + 1)]
        first = members[:MEMBERS]
        failing = next((at for at, each in enumerate(first) if not holds(each)), None)
        self._written("exhaust", step | {"holds": holds})
        many = "more than " * (len(members) > MEMBERS) + str(len(first))
        until = "all of these" if failing is None else f"the first {failing}, not the next"
        said = f"{many}, {digest(map(text_of, first))}; it holds for {until}"
        self.lines.append(f"    family: {said}")
        return None if failing is None else first[failing]

    def _note(self, kind: str, given: tuple[Any, ...], named: Mapping[str, Any]) -> bool:
        self._written(kind, self._arguments(kind, given, named))
        return True

    def _arguments(self, kind: str, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments of a step by name, with those that are left out."""
        bound = signature(getattr(Proof, kind)).bind(self, *given, **named)
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        del arguments["self"]
        return arguments

    def _written(self, kind: str, arguments: dict[str, Any]) -> None:
        """Write a step with its arguments."""
        self.kinds.append(kind)
        self.lines.append(f"  {kind} {arguments.pop('name')}")
        for name, value in arguments.items():
            if name in _FORMULAS:
                self.formulas += value if isinstance(value, list | tuple) else [value]
            self.lines += lines(name, _shown(name, value), "    ")
            if name == "violated":
                self.lines.append(f"    it says: {value()}")


def _shown(name: str, value: Any) -> str:
    """Return an argument of a step as text."""
    if isinstance(value, str):
        return value
    if name == "evidence":
        return json.dumps(evidence_of(value), ensure_ascii=False)
    return short(text_of(value)) if callable(value) else text_of(value)


class Noting(Check):
    """A check whose proofs are noted."""

    readings: list[Noted]  # type: ignore[assignment]
    near_misses: list[Noted]  # type: ignore[assignment]

    @property
    def formulas(self) -> list[object]:
        """The formulas of all steps."""
        every = (*self.readings, *self.near_misses)
        return [formula for each in every for formula in each.formulas]

    def near_miss(self, name: str, build: Callable[[Proof], object]) -> None:
        """Run an argument for a statement that is slightly too strong."""
        argument = self._proof(name, "near miss")
        self.near_misses.append(argument)
        build(argument)

    def words(self, reading: Proof) -> str | None:
        """The words of a reading that are made from what is decided, without asking Coq."""
        key = self._keys.get(reading.name)
        statement = None if key is None else self.claim.says[key]
        if isinstance(statement, LinkedProgram):
            return as_object(statement.linked).words
        if isinstance(statement, Program):
            return statement.said.words
        return super().words(reading)

    def _proof(self, name: str, scope: str) -> Noted:
        return Noted(name, scope, self.timeout)
