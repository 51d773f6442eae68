"""What says that a counterexample refutes a statement: the statement itself, an audit, or its
author.

A reading whose statement runs, or is a formula, is refuted by that at the evidence, or not at all.
If the evidence is a framework, a mechanism and a level, an audit must say VIOLATES: it shows that
the promise is broken, and not that the words of the statement make this promise. Whatever else says
that a statement is false is an expression of its author, which nothing compares with the statement.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pufferproof.claims.language.linked.program import LinkedProgram
from pufferproof.claims.language.statements import Draws, Statement
from pufferproof.claims.language.statements.membership import outside
from pufferproof.models.channel import Channel
from pufferproof.models.errors import PufferproofError
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.level import Level
from pufferproof.verify.decision import Decision

PROGRAM, OBJECT, FORMULA, AUDIT, AUTHOR = "program", "object", "formula", "audit", "author"
NUMBER = re.compile(r"-?[0-9]+(?:/[0-9]+)?")
_LEVELS = ("epsilon", "level")
_LONGEST = 200  # letters of what an error says


@dataclass(frozen=True)
class Judge:
    """What decides whether evidence refutes a statement: its name, and a function that returns ""
    if it does, and else what was found; beside it what an audit says, with its level.
    """

    name: str
    finding: Callable[[], tuple[str, str]] = lambda: ("", "")

    @property
    def trust(self) -> tuple[str, ...]:
        """What one trusts: exact arithmetic, or the author of the claim."""
        return ("AUTHOR",) if self.name == AUTHOR else ("EXACT",)


def judge_of(statement: Statement | None, whole: bool, evidence: Mapping[str, Any]) -> Judge:
    """Return what decides whether evidence refutes a reading: its statement if that runs, its
    formula, which a counterexample always asks, an audit of the evidence, or else its author.
    """
    if statement is not None:
        made = hasattr(statement, "proposition") or isinstance(statement, LinkedProgram)
        return Judge(OBJECT if made else PROGRAM, lambda: (_held(statement, evidence), ""))
    if whole:
        return Judge(FORMULA)
    level, parties = level_in(evidence), _parties(evidence)
    if level is None or parties is None:
        return Judge(AUTHOR)
    return Judge(AUDIT, lambda: _kept(parties, level, delta_in(evidence)))


def _held(statement: Statement, evidence: Mapping[str, Any]) -> str:
    """Say why a statement that runs is not false at evidence, or ""."""
    if isinstance(statement, LinkedProgram) and statement.speaks_of_exp:
        return "its program has powers of 2 for exp, so that it refutes nothing about exp"
    try:
        entries = statement.family(Draws(None)).keys()
        instance = {name: evidence[name] for name in entries if name in evidence}
        if missing := sorted(map(str, entries - instance.keys())):
            return f"its program needs the entries {', '.join(missing)}"
        if not statement.meant(instance):
            return "a hypothesis of its statement does not hold there"
        if statement.concludes(instance):
            return "its statement holds there"
        return outside(statement, instance)
    except Exception as error:  # a value may be of another kind than those of the family
        said = " ".join(str(error).split()) or type(error).__name__
        return f"its program fails there: {said:.{_LONGEST}}"


def _kept(parties: tuple[Any, Any], level: str, delta: Fraction) -> tuple[str, str]:
    """Return what an audit says unless it is VIOLATES, then "", and what it says of which level."""
    from pufferproof.verify.audit import audit

    try:
        framework, mechanism = _read(*parties)
        answer = audit(framework, mechanism, level, delta or None)
    except PufferproofError as error:
        return f"expected that audit says VIOLATES {level}, found: {error!s:.{_LONGEST}}", ""
    if answer.kept is not Decision.FAILS:
        return f"audit says {answer}", ""
    asked = f"{level} with delta {delta}" if delta else level
    return "", f"VIOLATES {asked}, leakage {answer.leakage}"


def _parties(evidence: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Return the framework and the mechanism of evidence, objects or documents, or None."""
    parties = evidence.get("framework"), evidence.get("mechanism")
    kinds = (Framework, Channel)
    fit = (isinstance(x, kind) or _is_document(x) for x, kind in zip(parties, kinds))
    return parties if all(fit) else None


def _is_document(value: object) -> bool:
    return isinstance(value, Mapping) and str(value.get("format", "")).startswith("pufferproof-")


def _read(framework: Any, mechanism: Any) -> tuple[Any, Any]:
    """Return objects as they are; if one is a document, what a command reads of both files."""
    if isinstance(framework, Framework) and isinstance(mechanism, Channel):
        return framework, mechanism
    from pufferproof.models.files.question import read

    if isinstance(framework, Framework):
        framework = framework_document(framework)
    if isinstance(mechanism, Channel):
        mechanism = mechanism_document(mechanism)
    with TemporaryDirectory() as folder:
        files = [Path(folder, f"{name}.json") for name in ("framework", "mechanism")]
        for file, document in zip(files, (framework, mechanism)):
            file.write_text(json.dumps(document, default=str), encoding="utf-8")
        question = read(files[0], [files[1]])
    return question.framework, question.mechanisms[0]


def level_text(value: object) -> str | None:
    """Return a level as the command line reads it, None if the value is none: `log(p/q)`,
    decimals, and 3/10 as 0.3.

    >>> level_text("log(3/2)"), level_text(Fraction(3, 10)), level_text("often")
    ('log(3/2)', '0.3', None)
    """
    text = str(value).replace(" ", "")
    try:
        if NUMBER.fullmatch(text):
            number = Fraction(text)
            power = next((power for power in range(20) if (number * 10**power).denominator == 1), None)
            if power is None:
                return None
            digits = str(int(number * 10**power)).rjust(power + 1, "0")
            text = f"{digits[:-power]}.{digits[-power:]}" if power else digits
        Level.parse(text)
        return text
    except (PufferproofError, ValueError, ZeroDivisionError):
        return None


def level_in(evidence: Mapping[str, Any]) -> str | None:
    """Return the level that evidence is about, as the command line reads it."""
    levels = (level_text(evidence[key]) for key in _LEVELS if key in evidence)
    return next((level for level in levels if level is not None), None)


def delta_in(evidence: Mapping[str, Any]) -> Fraction:
    """Return the delta that evidence is about, 0 if it has none."""
    text = str(evidence.get("delta"))
    return Fraction(text) if NUMBER.fullmatch(text) else Fraction(0)
