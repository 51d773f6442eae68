"""Deciding an implication over the reals: by Z3 and cvc5 on one query, and by a certificate where
one is found.

What counts: the assumptions have a model, no denominator can vanish where they hold, and the
conclusion follows. A certificate counts only when the kernel accepted it; it discharges a
step on which Z3 has no answer, never one that Z3 refutes.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from pufferproof.models.errors import CertificateError, SolverError, extras
from pufferproof.verify.proof.farkas import accepted
from pufferproof.verify.proof.formulas import admit, denominators
from pufferproof.verify.proof.handelman import search_inequality
from pufferproof.verify.proof.smt import Answer, ask, smtlib
from pufferproof.verify.proof.steps import Step

if TYPE_CHECKING:
    from sympy import Basic

search_once = cache(search_inequality)  # near misses of a claim ask for its other steps again

SEARCH_SECONDS = 1.0  # for a certificate that may not exist
CONFIRMING_SECONDS = 2.0  # for cvc5, where the kernel and Z3 have said that it follows


@dataclass(frozen=True)
class _Answers:
    """What engines say of one implication: of what follows, of a model, and of denominators."""

    first: Answer
    second: Answer
    model: Answer
    defined: Answer

    @property
    def refuted(self) -> bool:
        return "sat" in (self.first.status, self.defined.status)

    def follows(self, certificate: Mapping[str, object] | None) -> bool:
        """Whether the conclusion follows, something is meant, and nothing is divided by 0."""
        proved = self.first.status == "unsat" or certificate is not None
        return proved and self.model.status == "sat" and self.defined.status == "unsat"

    def text(self) -> str:
        text = (
            f"z3: {self.first.words}, cvc5: {self.second.words}; assumptions "
            f"{satisfiable(self.model)}"
        )
        if self.defined.status == "unsat":
            return text
        doubt = f"(z3: {self.defined.words})"
        return f"{text}; a denominator is not shown to be other than 0 {doubt}"


def decide_implication(
    name: str,
    kind: str,
    sentence: str,
    conclusion: object,
    assuming: Sequence[object],
    timeout: float,
    patience: float = SEARCH_SECONDS,
) -> Step:
    """Decide an implication by both solvers; not discharged where a denominator may vanish or
    nothing is meant. A search may take `patience` seconds to find a certificate.
    """
    start = time.perf_counter()
    admit(conclusion, *assuming)
    divided = denominators(conclusion, *assuming)
    query = smtlib(assuming, conclusion)
    first, certificate = ask("z3", query, timeout), None
    if first.status != "sat" and not divided:
        seconds = min(patience, timeout)
        certificate = accepted_certificate(search_once(conclusion, tuple(assuming), seconds))
    second = _second(name, query, first, certificate, timeout)
    answers = _asked(first, second, divided, assuming, timeout)
    formula, trust = (
        implication(conclusion, assuming),
        _trust(conclusion, assuming, answers, certificate),
    )
    ok, elapsed = answers.follows(certificate), time.perf_counter() - start
    step = Step(name, kind, sentence, formula, ok, trust, elapsed, answers.text(), 0, query)
    evidence = dict(answers.first.model) if answers.first.status == "sat" else None
    return replace(step, evidence=evidence, certificate=certificate, refuted=answers.refuted)


def _second(
    name: str, query: str, first: Answer, certificate: Mapping[str, object] | None, timeout: float
) -> Answer:
    """Ask cvc5 whether what Z3 says is so: not for long where a certificate shows it."""
    if first.status != "unsat":
        return Answer("cvc5", "not asked")
    limit = timeout if certificate is None else min(timeout, CONFIRMING_SECONDS)
    second = ask("cvc5", query, limit)
    if second.status == "sat":
        raise SolverError(f'Z3 and cvc5 disagree on step "{name}"')
    if certificate is not None and second.status in ("timeout", "limit"):  # nothing depends on it
        return Answer("cvc5", f"no answer in {limit:g} s")
    return second


def _asked(
    first: Answer,
    second: Answer,
    divided: "Sequence[Basic]",
    assuming: "Sequence[Basic]",
    timeout: float,
) -> _Answers:
    """Ask Z3 for a model and of denominators, beside what solvers say of the conclusion."""
    with extras:
        import sympy

    if first.status == "sat" and not divided:  # that is a model of the assumptions
        return _Answers(first, second, first, Answer("z3", "unsat"))
    model, defined = Answer("z3", "sat"), Answer("z3", "unsat")
    nonzero = [sympy.Ne(each, 0) for each in divided]
    if nonzero:
        defined = ask("z3", smtlib(assuming, sympy.And(*nonzero)), timeout)
    if assuming or nonzero:
        model = ask("z3", smtlib([*assuming, *nonzero], sympy.false), timeout)
    return _Answers(first, second, model, defined)


def _trust(
    conclusion: object,
    assuming: Sequence[object],
    answers: _Answers,
    certificate: Mapping[str, object] | None,
) -> tuple[str, ...]:
    """Return whom to believe: a certificate needs no solver but for a model of assumptions."""
    with extras:
        import sympy

    if conclusion is sympy.true:
        return ("SYMPY",)
    engines = {
        "KERNEL": certificate is not None,
        "Z3": answers.first.status == "unsat" or certificate is None or len(assuming) > 0,
        "CVC5": answers.second.status == "unsat",
    }
    return tuple(engine for engine, used in engines.items() if used)


def implication(conclusion: object, assuming: Sequence[object] = ()) -> object:
    """Return the formula of a step: the conclusion, or that the assumptions imply it."""
    return _implied(conclusion, tuple(assuming)) if assuming else conclusion


@lru_cache(maxsize=1000)
def _implied(conclusion: object, assuming: tuple[object, ...]) -> "Basic":
    """Return an implication, made once: a reading, its near misses and steps ask for it again."""
    with extras:
        import sympy

    return sympy.Implies(sympy.And(*assuming), conclusion, evaluate=False)


def refusal(
    name: str, kind: str, sentence: str, conclusion: object, assuming: Sequence[object], reason: str
) -> Step:
    """Return a step that is not discharged, whatever engines would say: it decides nothing."""
    admit(conclusion, *assuming)
    return Step(
        name,
        kind,
        sentence,
        implication(conclusion, assuming),
        False,
        (),
        0.0,
        f"refused: {reason}",
    )


def accepted_certificate(certificate: Mapping[str, object] | None) -> Mapping[str, object] | None:
    """Return the certificate if there is one and the kernel accepts it."""
    try:
        return None if certificate is None or not accepted(certificate).checked else certificate
    except CertificateError:
        return None


def satisfiable(model: Answer) -> str:
    if model.status != "sat":
        return f"not shown to be satisfiable ({model.solver}: {model.words})"
    values = ", ".join(
        f"{name} = {'irrational' if value is None else value}" for name, value in model.model
    )
    return f"hold at {values}" if values else "none"
