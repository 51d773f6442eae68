"""Proof steps: an argument is a list of named steps, each discharged by one engine that says what it trusted.

An argument is ordinary Python that reads like the proof it checks. Each method below adds one step, which keeps the formal
statement that the engine decided (the same object that a report typesets), and returns whether it was discharged. A step that
is not discharged leaves the argument open: a solver's "unknown" or time-out is never a verdict, and "no counterexample found"
is never a proof.

| step | engine | what it establishes |
|---|---|---|
| `identity` | python-flint polynomials | two rational functions are equal wherever denominators are not zero |
| `inequality` | a certificate; Z3, cross-checked by cvc5 | assumptions over the reals imply a conclusion; they have a model |
| `farkas` | a certificate | linear assumptions imply a linear conclusion; they have a solution |
| `induction` | as `inequality`, twice | base and step; the schema of induction itself is what is trusted |
| `enclosure` | Arb with subdivision | an expression with logarithms and exponentials is positive on an interval |
| `case_split` | as `inequality` | the cases cover everything the assumptions allow |
| `exhaust` | enumeration | a property holds for every member of a finite family, counted and content-hashed |
| `counterexample` | exact arithmetic | the statement is false at one instance |
| `cite` | the registry of claims | another claim was proved; or, from the literature, is assumed |

A certificate is searched for briefly (`handelman.py`, `farkas.py`) and counts only when `kernel_algebra.py` accepted it; then
it stays with the step, which trusts KERNEL. It discharges a step on which Z3 has no answer, never one that Z3 refutes.
"""

import hashlib
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeVar

from pufferproof.models.errors import CertificateError, SolverError
from pufferproof.verify.enclosures import positive_on
from pufferproof.verify.farkas import accepted, feasible_point, search_farkas
from pufferproof.verify.formulas import admit, denominators
from pufferproof.verify.handelman import search_inequality
from pufferproof.verify.polynomials import identical
from pufferproof.verify.smt import Answer, ask, smtlib

Instance = TypeVar("Instance")
DEFAULT_TIMEOUT = 20.0
SEARCH_SECONDS = 1.0  # for a certificate that may not exist
EXHAUST_LIMITS = 15  # of a step, for a whole family


class ClaimVerdict(Enum):
    """What was found about a published claim."""

    PROVED = "PROVED"
    CHECKED = "CHECKED"
    REFUTED = "REFUTED"
    OPEN = "OPEN"
    DEFINITION = "DEFINITION"


@dataclass(frozen=True)
class Step:
    """One step of an argument.

    `formula` is what was decided, as sympy (typeset in reports) or text; `ok` whether it was discharged; `detail` what the
    engine said; `query` the SMT-LIB text where there is one; `evidence` a counterexample, or the model of the assumptions;
    `certificate` what the kernel accepted; `refuted` whether the engine found the formula false, which a near miss needs.
    """

    name: str
    kind: str
    sentence: str
    formula: Any
    ok: bool
    trust: tuple[str, ...]
    seconds: float
    detail: str = ""
    checked: int = 0
    query: str | None = None
    evidence: Mapping[str, Any] | None = None
    certificate: Mapping[str, Any] | None = None
    refuted: bool = False


@dataclass(frozen=True)
class Cited:
    """What is known of a cited claim: its verdict, and what of the literature it assumes."""

    verdict: ClaimVerdict
    assumed: tuple[str, ...] = ()


@dataclass
class Argument:
    """The steps that prove, check or refute one reading of a claim.

    `scope` says for which parameters the reading is settled: "all finite sizes", or the family that was exhausted.
    """

    name: str
    scope: str = ""
    timeout: float = DEFAULT_TIMEOUT
    cited: "Callable[[str], Cited] | None" = None
    steps: list[Step] = field(default_factory=list)

    @property
    def verdict(self) -> ClaimVerdict:
        """REFUTED by an exact counterexample; else PROVED or CHECKED if every step was discharged; else OPEN."""
        kinds = {step.kind for step in self.steps}
        if any(step.kind == "counterexample" and step.ok for step in self.steps):
            return ClaimVerdict.REFUTED
        if not self.steps or not all(step.ok for step in self.steps):
            return ClaimVerdict.OPEN
        if "exhaust" in kinds:
            return ClaimVerdict.CHECKED
        if kinds == {"assume"}:
            return ClaimVerdict.OPEN  # nothing was checked here
        return ClaimVerdict.DEFINITION if kinds == {"definition"} else ClaimVerdict.PROVED

    @property
    def trust(self) -> tuple[str, ...]:
        """Everything the discharged steps trusted, each once."""
        return tuple(dict.fromkeys(item for step in self.steps if step.ok for item in step.trust))

    @property
    def checked(self) -> int:
        """How many instances were checked exactly."""
        return sum(step.checked for step in self.steps)

    @property
    def evidence(self) -> Mapping[str, Any] | None:
        """The counterexample, if there is one."""
        found = [step.evidence for step in self.steps if step.kind == "counterexample" and step.ok]
        return found[0] if found else None

    def identity(self, name: str, sentence: str, left: Any, right: Any) -> bool:
        """Decide that two rational functions are equal wherever their denominators are not zero."""
        import sympy

        start = time.perf_counter()
        admit(sympy.sympify(left), sympy.sympify(right))
        formula = sympy.Eq(left, right, evaluate=False)
        try:
            with _limited(self.timeout):
                found = identical(sympy.sympify(left), sympy.sympify(right))
        except _OutOfTime:
            return self._add(Step(name, "identity", sentence, formula, False, ("EXACT",), _since(start), "timeout"))
        where = f"where {', '.join(found.denominators)} are not 0" if found.denominators else "everywhere"
        detail = where if found.holds else "the two sides are different rational functions"
        step = Step(name, "identity", sentence, formula, found.holds, ("EXACT",), _since(start), detail)
        return self._add(replace(step, refuted=not found.holds))

    def inequality(self, name: str, sentence: str, conclusion: Any, assuming: Sequence[Any] = ()) -> bool:
        """Decide that assumptions imply a conclusion for all reals, and that the assumptions have a model."""
        return self._add(self._implication(name, "inequality", sentence, conclusion, assuming))

    def farkas(self, name: str, sentence: str, conclusion: Any, assuming: Sequence[Any]) -> bool:
        """Decide by a certificate that linear assumptions imply a linear inequality and can hold.

        With `sympy.false` as the conclusion: that the assumptions never hold together.

        Raises `SolverError` unless all are linear with rational coefficients.
        """
        import sympy

        start, refuting = time.perf_counter(), conclusion is sympy.false
        admit(conclusion, *assuming)
        if divisors := denominators(conclusion, *assuming):
            raise SolverError(f"expected linear relations, found a division by {divisors[0]}")
        formula = sympy.Implies(sympy.And(*assuming, evaluate=False), conclusion, evaluate=False)
        certificate = _accepted(search_farkas(conclusion, assuming, self.timeout))
        point = {} if refuting else feasible_point(assuming, self.timeout)
        detail = "no certificate found" if certificate is None else "certificate accepted"
        if not refuting:
            model = Answer("exact", "unknown" if point is None else "sat", tuple((point or {}).items()))
            detail += f"; assumptions {_satisfiable(model)}"
        ok = certificate is not None and point is not None
        refuted = not ok and ask("z3", smtlib(assuming, conclusion), self.timeout).status == "sat"
        step = Step(name, "farkas", sentence, formula, ok, ("KERNEL",), _since(start), detail)
        return self._add(replace(step, certificate=certificate, refuted=refuted))

    def induction(
        self, name: str, sentence: str, base: tuple[Any, Sequence[Any]], step: tuple[Any, Sequence[Any]]
    ) -> bool:
        """Decide the base and the step of an induction, each as (conclusion, assumptions) over the reals.

        The step's assumptions contain the hypothesis for n, its conclusion is the statement for n + 1.
        """
        first = self._add(self._implication(f"{name}: base", "induction", f"{sentence} (base)", *base))
        second = self._add(self._implication(f"{name}: step", "induction", f"{sentence} (step)", *step))
        return first and second

    def case_split(self, name: str, sentence: str, cases: Sequence[Any], assuming: Sequence[Any] = ()) -> bool:
        """Decide that at least one of the cases holds wherever the assumptions do."""
        import sympy

        return self._add(self._implication(name, "case_split", sentence, sympy.Or(*cases, evaluate=False), assuming))

    def enclosure(
        self, name: str, sentence: str, expression: Any, symbol: Any, low: Fraction | int, high: Fraction | int
    ) -> bool:
        """Decide that an expression in one variable is positive on [low, high], by interval arithmetic with subdivision."""
        import sympy

        start = time.perf_counter()
        admit(expression, symbol)
        formula = sympy.Implies(sympy.And(symbol >= low, symbol <= high), expression > 0, evaluate=False)
        try:
            with _limited(self.timeout):
                found = positive_on(expression, symbol, Fraction(low), Fraction(high))
        except _OutOfTime:
            return self._add(Step(name, "enclosure", sentence, formula, False, ("INTERVAL",), _since(start), "timeout"))
        detail = f"{found.pieces} intervals" if found.holds else f"not positive or not decided near {found.near}"
        step = Step(
            name, "enclosure", sentence, formula, found.holds, ("INTERVAL",), _since(start), detail, found.pieces
        )
        return self._add(replace(step, refuted=found.refuted))

    def exhaust(
        self, name: str, sentence: str, family: Iterable[Instance], holds: Callable[[Instance], bool], formula: Any = ""
    ) -> Instance | None:
        """Check a property of every member of a finite family; return the first member without it, or None.

        A family lists its members from the simplest on, so the first failure is a smallest counterexample. An empty family
        is not discharged, nor one that takes longer than 15 times the limit of a step. Follow a failure with
        `counterexample`. Raises `SolverError` unless `holds` returns True or False.
        """
        start, count, digest = time.perf_counter(), 0, hashlib.sha256()
        failure: Instance | None = None
        finished = False
        with suppress(_OutOfTime), _limited(EXHAUST_LIMITS * self.timeout):
            for instance in family:
                count += 1
                digest.update(repr(instance).encode())
                if not _truth(holds(instance), name):
                    failure = instance
                    break
            finished = failure is None
        ok = finished and count > 0
        detail = f"{count} instances, content {digest.hexdigest()[:16]}" + (
            "" if ok else "; fails" if failure is not None else "; none" if finished else "; timeout"
        )
        step = Step(name, "exhaust", sentence, formula, ok, ("EXACT",), _since(start), detail, count)
        self._add(replace(step, refuted=failure is not None))
        return failure

    def counterexample(
        self, name: str, sentence: str, evidence: Mapping[str, Any], violated: Callable[[], bool], formula: Any = ""
    ) -> bool:
        """Evaluate the statement exactly at one instance; `violated` returns True or False: whether it is false there."""
        start = time.perf_counter()
        found, detail = False, "timeout"
        with suppress(_OutOfTime), _limited(EXHAUST_LIMITS * self.timeout):
            found, detail = _truth(violated(), name), ""
        step = Step(name, "counterexample", sentence, formula, found, ("EXACT",), _since(start), detail)
        return self._add(replace(step, checked=1, evidence=evidence))

    def cite(self, name: str, sentence: str, claim: str) -> bool:
        """Use another claim of the registry; discharged only if that claim is proved, with all that it assumes."""
        start = time.perf_counter()
        found = Cited(ClaimVerdict.OPEN) if self.cited is None else self.cited(claim)
        ok, trust = found.verdict is ClaimVerdict.PROVED, (f"CITED({claim})", *found.assumed)
        step = Step(name, "cite", sentence, claim, ok, trust, _since(start), f"{claim} is {found.verdict.value}")
        return self._add(replace(step, refuted=found.verdict is ClaimVerdict.REFUTED))

    def assume(self, name: str, sentence: str, source: str) -> bool:
        """Use a result of the literature that was not checked here: shown as assumed wherever the claim is shown."""
        return self._add(Step(name, "assume", sentence, source, True, (f"ASSUMED({name})",), 0.0, "not checked here"))

    def definition(self, name: str, sentence: str, formula: Any = "") -> bool:
        """Record that there is nothing to decide."""
        return self._add(Step(name, "definition", sentence, formula, True, (), 0.0))

    def _add(self, step: Step) -> bool:
        if any(earlier.name == step.name for earlier in self.steps):
            raise SolverError(f'expected step names to differ, found "{step.name}" twice in "{self.name}"')
        self.steps.append(step)
        return step.ok

    def _implication(self, name: str, kind: str, sentence: str, conclusion: Any, assuming: Sequence[Any]) -> Step:
        """Decide an implication by both solvers; not discharged where a denominator may vanish or nothing is meant."""
        import sympy

        start = time.perf_counter()
        admit(conclusion, *assuming)
        formula = sympy.Implies(sympy.And(*assuming), conclusion, evaluate=False) if assuming else conclusion
        query = smtlib(assuming, conclusion)
        first = ask("z3", query, self.timeout)
        second = ask("cvc5", query, self.timeout) if first.status == "unsat" else Answer("cvc5", "not asked")
        if {first.status, second.status} == {"sat", "unsat"}:
            raise SolverError(f'Z3 and cvc5 disagree on step "{name}" of "{self.name}"')
        divided = [sympy.Ne(each, 0) for each in denominators(conclusion, *assuming)]
        defined = ask("z3", smtlib(assuming, sympy.And(*divided)), self.timeout) if divided else Answer("z3", "unsat")
        model = Answer("z3", "sat")
        if assuming or divided:
            model = ask("z3", smtlib([*assuming, *divided], sympy.false), self.timeout)
        search = first.status != "sat" and not divided
        certificate = (
            _accepted(search_inequality(conclusion, assuming, min(SEARCH_SECONDS, self.timeout))) if search else None
        )
        ok = (
            (first.status == "unsat" or certificate is not None) and model.status == "sat" and defined.status == "unsat"
        )
        if conclusion is sympy.true:
            trust: tuple[str, ...] = ("SYMPY",)
        else:  # Z3 has the model of the assumptions
            needed = first.status == "unsat" or certificate is None or len(assuming) > 0
            engines = {"KERNEL": certificate is not None, "Z3": needed, "CVC5": second.status == "unsat"}
            trust = tuple(engine for engine, used in engines.items() if used)
        step = Step(
            name, kind, sentence, formula, ok, trust, _since(start), _said(first, second, model, defined), 0, query
        )
        refuted = "sat" in (first.status, defined.status) or model.status == "unsat"
        evidence = dict(first.model) if first.status == "sat" else None
        return replace(step, evidence=evidence, certificate=certificate, refuted=refuted)


def _said(first: Answer, second: Answer, model: Answer, defined: Answer) -> str:
    text = f"z3: {first.status}, cvc5: {second.status}; assumptions {_satisfiable(model)}"
    return (
        text
        if defined.status == "unsat"
        else f"{text}; a denominator is not shown to be other than 0 (z3: {defined.status})"
    )


class _OutOfTime(Exception):  # noqa: N818
    """A step took longer than its limit."""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise `_OutOfTime` in the body after a time: only in the main thread, where a worker examines its claims."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(*_: object) -> None:
        raise _OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _truth(value: object, name: str) -> bool:
    if value is not True and value is not False:
        raise SolverError(f'expected True or False from the predicate of step "{name}", found {type(value).__name__}')
    return value


def _accepted(certificate: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the certificate if there is one and the kernel accepts it."""
    try:
        return None if certificate is None or not accepted(certificate).checked else certificate
    except CertificateError:
        return None


def _satisfiable(model: Answer) -> str:
    if model.status != "sat":
        return f"not shown to be satisfiable ({model.solver}: {model.status})"
    values = ", ".join(f"{name} = {'irrational' if value is None else value}" for name, value in model.model)
    return f"hold at {values}" if values else "none"


def _since(start: float) -> float:
    return time.perf_counter() - start
