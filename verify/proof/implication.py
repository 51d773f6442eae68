"""Deciding an implication over the reals: by Z3 and cvc5 on one query, and by a certificate where
one is found.

What counts: the assumptions have a model, no denominator can vanish where they hold, and the
conclusion follows. A certificate counts only when the kernel accepted it; it discharges a
step on which Z3 has no answer, never one that Z3 refutes.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pufferproof.models.errors import CertificateError, SolverError
from pufferproof.verify.proof.farkas import accepted
from pufferproof.verify.proof.formulas import admit, denominators
from pufferproof.verify.proof.handelman import search_inequality
from pufferproof.verify.proof.smt import Answer, ask, smtlib
from pufferproof.verify.proof.steps import Step

SEARCH_SECONDS = 1.0  # for a certificate that may not exist


def decide_implication(
    name: str, kind: str, sentence: str, conclusion: Any, assuming: Sequence[Any], timeout: float
) -> Step:
    """Decide an implication by both solvers; not discharged where a denominator may vanish or
    nothing is meant.
    """
    import sympy

    start = time.perf_counter()
    admit(conclusion, *assuming)
    formula = implication(conclusion, assuming)
    query = smtlib(assuming, conclusion)
    first = ask("z3", query, timeout)
    second = ask("cvc5", query, timeout) if first.status == "unsat" else Answer("cvc5", "not asked")
    if {first.status, second.status} == {"sat", "unsat"}:
        raise SolverError(f'Z3 and cvc5 disagree on step "{name}"')
    divided = [sympy.Ne(each, 0) for each in denominators(conclusion, *assuming)]
    defined = (
        ask("z3", smtlib(assuming, sympy.And(*divided)), timeout)
        if divided
        else Answer("z3", "unsat")
    )
    model = Answer("z3", "sat")
    if assuming or divided:
        model = ask("z3", smtlib([*assuming, *divided], sympy.false), timeout)
    search = first.status != "sat" and not divided
    certificate = (
        accepted_certificate(search_inequality(conclusion, assuming, min(SEARCH_SECONDS, timeout)))
        if search
        else None
    )
    ok = (
        (first.status == "unsat" or certificate is not None)
        and model.status == "sat"
        and defined.status == "unsat"
    )
    if conclusion is sympy.true:
        trust: tuple[str, ...] = ("SYMPY",)
    else:  # Z3 has the model of the assumptions
        needed = first.status == "unsat" or certificate is None or len(assuming) > 0
        engines = {
            "KERNEL": certificate is not None,
            "Z3": needed,
            "CVC5": second.status == "unsat",
        }
        trust = tuple(engine for engine, used in engines.items() if used)
    step = Step(
        name,
        kind,
        sentence,
        formula,
        ok,
        trust,
        time.perf_counter() - start,
        _said(first, second, model, defined),
        0,
        query,
    )
    refuted = "sat" in (first.status, defined.status)
    evidence = dict(first.model) if first.status == "sat" else None
    return replace(step, evidence=evidence, certificate=certificate, refuted=refuted)


def implication(conclusion: Any, assuming: Sequence[Any] = ()) -> Any:
    """Return the formula of a step: the conclusion, or that the assumptions imply it."""
    import sympy

    return (
        sympy.Implies(sympy.And(*assuming), conclusion, evaluate=False) if assuming else conclusion
    )


def refusal(
    name: str, kind: str, sentence: str, conclusion: Any, assuming: Sequence[Any], reason: str
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


def accepted_certificate(certificate: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the certificate if there is one and the kernel accepts it."""
    try:
        return None if certificate is None or not accepted(certificate).checked else certificate
    except CertificateError:
        return None


def satisfiable(model: Answer) -> str:
    if model.status != "sat":
        return f"not shown to be satisfiable ({model.solver}: {model.status})"
    values = ", ".join(
        f"{name} = {'irrational' if value is None else value}" for name, value in model.model
    )
    return f"hold at {values}" if values else "none"


def _said(first: Answer, second: Answer, model: Answer, defined: Answer) -> str:
    text = f"z3: {first.status}, cvc5: {second.status}; assumptions {satisfiable(model)}"
    return (
        text
        if defined.status == "unsat"
        else f"{text}; a denominator is not shown to be other than 0 (z3: {defined.status})"
    )
