"""The result of a claim as plain JSON data, so that a report needs neither claims nor engines:
verdict, readings, steps with their formulas as text and MathML, counterexamples with files.
"""

from collections.abc import Mapping
from dataclasses import asdict
from fractions import Fraction
from functools import lru_cache
from numbers import Rational
from typing import Any

from pufferproof.claims.language import wording
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked.found import Argued
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.language.statements import Trial
from pufferproof.claims.language.theorems import coq_version, theorems_of
from pufferproof.claims.registry import Check, Claim, claim_named
from pufferproof.claims.run.meaning import meaning_of
from pufferproof.claims.run.pasted import lines_to_paste
from pufferproof.claims.run.replay import Formula
from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError, extras
from pufferproof.models.files.writing import framework_document, mechanism_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.proof.argument import ClaimVerdict, Step

Result = dict[str, Any]


def as_result(check: Check, seconds: float, typeset: bool = True) -> Result:
    """Return the plain data of an examined claim; formulas as text alone unless `typeset`, which
    takes longer than most steps and is for pages.
    """
    claim, verdict = check.claim, check.verdict
    literal = check.readings[0] if check.readings else None
    # whose readings the headline is
    speaking = check.readings[:1] if verdict is ClaimVerdict.REFUTED else check.readings
    scopes = (_covered(argument, verdict in _MADE) for argument in speaking)
    scope = "; ".join(dict.fromkeys(filter(None, scopes)))
    return {
        **described(claim),
        "statement": check.statement,
        "paraphrase": check.paraphrase,
        "letters": _letters(check.letters),
        "verdict": verdict.value,
        "refuted_by": literal.refuted_by if literal and verdict is ClaimVerdict.REFUTED else None,
        "trust": list(dict.fromkeys(item for argument in speaking for item in argument.trust)),
        "scope": scope,
        "checked": sum(argument.checked for argument in speaking),
        "seconds": seconds,
        "cached": False,
        "error": None,
        "weakness": check.weakness,
        "readings": [_reading(check, argument, typeset) for argument in check.readings],
        "near_misses": [_reading(check, argument, typeset) for argument in check.near_misses],
        "theorems": _theorems(claim),
        "counterexample": None if literal is None else evidence_of(literal.evidence),
    }


_MADE = (ClaimVerdict.PROVED, ClaimVerdict.DERIVED, ClaimVerdict.CHECKED)
"""Verdicts whose scope is made from what was decided."""


def _covered(argument: Proof, is_made: bool) -> str:
    """Return the scope of a reading; beside scopes that are made, words of its author in quotation
    marks.
    """
    is_words = is_made and argument.verdict not in _MADE
    return wording.quoted(argument.scope) if is_words else argument.covers


def _theorems(claim: Claim) -> list[Result]:
    """What Coq checked beside the claim; nothing where that cannot be believed, which leaves the
    claim open.
    """
    try:
        return [{**asdict(each), "coq": coq_version()} for each in theorems_of(claim.id)]
    except ModelError:
        return []


def described(claim: Claim) -> Result:
    """Return what the registry says of a claim, but for its statement, and a digest of what decides
    its meaning.
    """
    return {
        "id": claim.id,
        "paper": claim.paper,
        "where": claim.where,
        "kind": claim.kind,
        "assumes": list(claim.assumes),
        "repair": claim.repair,
        "printed": claim.printed,
        "why": claim.why,
        "notation": claim.notation,
        "meaning": meaning_of(claim),
    }


def _letters(letters: Mapping[str, Letter]) -> Result:
    return {name: {"meaning": each.meaning, "domain": each.domain_text} for name, each in letters.items()}


def failed(identifier: str, error: str) -> Result:
    """Return the result of a claim whose examination ended with an error."""
    empty: Result = {
        "trust": [],
        "scope": "",
        "checked": 0,
        "seconds": 0.0,
        "cached": False,
        "readings": [],
        "near_misses": [],
        "theorems": [],
        "weakness": None,
        "paraphrase": None,
    }
    claim = claim_named(identifier)
    return {
        **described(claim),
        "statement": claim.statement,
        "letters": _letters(claim.letters),
        "verdict": "OPEN",
        "refuted_by": None,
        **empty,
        "counterexample": None,
        "error": error,
    }


def _reading(check: Check, argument: Proof, typeset: bool) -> Result:
    return {
        "name": argument.name,
        "statement": check.words(argument),
        "verdict": argument.verdict.value,
        "refuted_by": argument.refuted_by,
        "trust": list(argument.trust),
        "scope": argument.covers,
        "scope_given": argument.scope,
        "checked": argument.checked,
        "obstacle": argument.obstacle,
        "only_tried": argument.only_tried,
        "linked": argument.linked,
        "steps": [step_result(step, typeset) for step in argument.steps],
        "trial": None if argument.trial is None else _trial(argument.trial),
        "unsaid": check.unsaid(argument),
        "paste": lines_to_paste(check, argument, _plain),
        "said": None if argument.said is None else asdict(argument.said),
        "counterexample": evidence_of(argument.evidence),
        "argument": None if argument.argued is None else _argued(argument.argued),
    }


def _argued(argued: Argued) -> Result:
    """Return a linked argument as data: its facts, and what engines say of its implications."""
    asked = [
        {"name": each.name, "ok": each.ok, "trust": list(each.trust), "detail": each.detail}
        | {"query": each.query, "certificate": each.certificate}
        for each in argued.steps
    ]
    return {**argued.data, "asked": asked, "again": argued.again, "failure": argued.failure}


def _trial(trial: Trial) -> Result:
    return vars(trial) | {
        "failed": evidence_of(trial.failed),
        "denied": evidence_of(trial.denied),
        "missed": {words: evidence_of(each) for words, each in trial.missed.items()},
    }


def step_result(step: Step, typeset: bool = True) -> Result:
    """Return a step as data; its formula with MathML if it is to be typeset."""
    mathml = _mathml(step.formula) if typeset else None
    return {
        "name": step.name,
        "kind": step.kind,
        "sentence": step.sentence,
        "formula": {"text": _plain(step.formula), "mathml": mathml},
        "ok": step.ok,
        "trust": list(step.trust),
        "seconds": step.seconds,
        "detail": step.detail,
        "checked": step.checked,
        "query": step.query,
        "evidence": evidence_of(step.evidence),
        "certificate": step.certificate,
        "refuted": step.refuted,
        "members": step.members,
        "judge": step.judge,
        "audited": step.audited,
    }


def _plain(formula: object) -> str:
    if isinstance(formula, str | Formula):
        return formula if isinstance(formula, str) else formula.text
    return _printed(formula)


@lru_cache(maxsize=1000)
def _printed(formula: object) -> str:
    """Return a formula as text, made once: near misses have most steps of their reading."""
    return wording.plain(formula)


def _mathml(formula: object) -> str | None:
    """Return presentation MathML of a sympy formula, None for text."""
    if isinstance(formula, str | Formula):
        return None if isinstance(formula, str) else formula.mathml
    return _typeset(formula)


@lru_cache(maxsize=1000)
def _typeset(formula: object) -> str:
    with extras:
        from sympy.printing.mathml import mathml

    return str(mathml(formula, printer="presentation")).replace("<mo><</mo>", "<mo>&lt;</mo>")


def evidence_of(values: Mapping[str, object] | None) -> Result | None:
    """Return a counterexample as plain data: frameworks and mechanisms as documents, numbers as
    exact text.
    """
    return None if values is None else {str(key): _value(value) for key, value in values.items()}


def _value(value: object) -> Any:
    if isinstance(value, Framework):
        document = framework_document(value)
        if value.one_sided:  # no file can say so: shown, but not offered as a file to audit
            return {"one_sided": True, **{key: each for key, each in document.items() if key != "format"}}
        return document
    if isinstance(value, Channel):
        return mechanism_document(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, Rational):  # of either kind of fractions
        return text_of(Fraction(value))
    if isinstance(value, Mapping):
        return {_key(key): _value(each) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_value(each) for each in value), key=str)
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return str(value)


def _key(key: object) -> str:
    return ",".join(map(str, key)) or "()" if isinstance(key, tuple) else str(key)
