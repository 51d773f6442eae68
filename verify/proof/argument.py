"""Proof steps: an argument is a list of named steps, each discharged by one engine that says what
it trusted.

An argument is ordinary Python that reads like the proof it checks. Each method below adds one step,
which keeps the formal statement that the engine decided (the same object that a report typesets),
and returns whether it was discharged. `docs/reference/claims.md` has the table of steps, what each
trusts and what is refused. A step that is not discharged leaves the argument open: a solver's
"unknown" or time-out is never a verdict, and "no counterexample found" is never a proof.
"""

import hashlib
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

from pufferproof.models.errors import SolverError, extras
from pufferproof.verify.proof.arithmetic.enclosures import positive_on
from pufferproof.verify.proof.arithmetic.polynomials import Identity, identical
from pufferproof.verify.proof.formulas import admit, as_written, at_values, gives_value, put_in, reordered
from pufferproof.verify.proof.implication import decide_implication, refusal
from pufferproof.verify.proof.limits import OutOfTime, limited
from pufferproof.verify.proof.steps import HOLDS, ClaimVerdict, Step
from pufferproof.verify.proof.triviality import nothing_decided
from pufferproof.verify.proof.whole import decide_whole, settles

__all__ = ["DEFAULT_TIMEOUT", "HOLDS", "Argument", "ClaimVerdict", "Step"]

Instance = TypeVar("Instance")
DEFAULT_TIMEOUT = 20.0
UNLINKED = (
    "steps carry no verdict: open it with check.tried(name) and write the argument as prose in the "
    "docstring, or as a linked argument, check.linked"
)
UNSETTLED = "neither exact arithmetic nor interval arithmetic nor a certificate of the kernel settled the whole formula"
EXHAUST_LIMITS = 15  # of a step, for a whole family
_LONGEST = 60  # letters of a member of a family, where it is shown
_FRACTION = re.compile(r"(?:Fraction|mpq)\((-?\d+), ?(\d+)\)")


@dataclass
class Argument:
    """The steps that check or refute one reading of a claim, or prove it as one formula.

    It has one basis: the members of a finite family (CHECKED), a counterexample (REFUTED), or one
    formula that is the whole statement and that a kernel accepted (PROVED). Formulas that are true
    one by one say nothing of a statement, so that they carry no verdict.

    `scope` says for which parameters the reading is settled: "all finite sizes", or the family that
    was exhausted. `whole` is the statement itself where it is one formula about real numbers.
    """

    name: str
    scope: str = ""
    timeout: float = DEFAULT_TIMEOUT
    whole: Any = None
    steps: list[Step] = field(default_factory=list)

    @property
    def verdict(self) -> ClaimVerdict:
        """REFUTED by a counterexample, what the steps show if all are discharged, or OPEN."""
        kinds = {step.kind for step in self.steps}
        if any(step.kind == "counterexample" and step.ok for step in self.steps):
            return ClaimVerdict.REFUTED
        if not self.steps or not all(step.ok for step in self.steps) or self.obstacle:
            return ClaimVerdict.OPEN
        if kinds == {"definition"}:
            return ClaimVerdict.DEFINITION
        if "exhaust" in kinds:
            return ClaimVerdict.CHECKED
        return ClaimVerdict.PROVED

    @property
    def obstacle(self) -> str | None:
        """Why steps carry no verdict, or None: they may be true, and say nothing of a statement.
        No finite family and no definition settles a formula about all real numbers.
        """
        kinds = {step.kind for step in self.steps} - {"definition"}
        if not self.steps or "counterexample" in kinds or self.is_whole:
            return None
        if self.whole is None and kinds <= {"exhaust"}:
            return None
        if self.whole is not None:
            return f"{UNSETTLED}: {self.steps[0].detail or 'it is not the formula of a step'}"
        return UNLINKED

    @property
    def is_whole(self) -> bool:
        """Whether one formula is the whole statement, and an engine settled it."""
        return len(self.steps) == 1 and settles(self.steps[0], self.whole)

    @property
    def trust(self) -> tuple[str, ...]:
        """All that discharged steps trust, each once, and PROSE if sentences carry something."""
        items = dict.fromkeys(item for step in self.steps if step.ok for item in step.trust)
        evaluated = {step.kind for step in self.steps} <= {"exhaust", "counterexample"}
        if self.verdict is ClaimVerdict.CHECKED and not evaluated:
            items["PROSE"] = None
        return tuple(items)

    @property
    def checked(self) -> int:
        """How many instances were checked exactly."""
        return sum(step.checked for step in self.steps)

    @property
    def evidence(self) -> Mapping[str, Any] | None:
        """The counterexample, if there is one."""
        counterexamples = [step.evidence for step in self.steps if step.kind == "counterexample" and step.ok]
        return counterexamples[0] if counterexamples else None

    def formula(self, name: str, sentence: str, formula: Any) -> bool:
        """Decide a formula as it stands, hypotheses and all."""
        step = decide_whole(name, sentence, formula, self.timeout)
        return self._add(step)

    def identity(
        self,
        name: str,
        sentence: str,
        left: object,
        right: object,
        at: Mapping[Any, Fraction | int | str] | None = None,
    ) -> bool:
        """Decide that two rational functions are equal wherever their denominators are not zero.

        A side may be text, "(a/p)/(b/q)": it is read as it stands, so that the report shows what
        was decided and not what sympy makes of it on the way. `at` evaluates both sides at exact
        values of letters; the formula shows them. Refused if both sides are the same thing as
        given.
        """
        with extras:
            import sympy

        start = time.perf_counter()
        sides = [as_written(left), as_written(right)]
        admit(*sides)
        formula = sympy.Eq(*sides, evaluate=False)
        if at is not None:
            formula = at_values(formula, at)
        step = Step(name, "identity", sentence, formula, False, (), _since(start))
        if reordered(sides[0]) == reordered(sides[1]) or gives_value(sides, at or {}):
            refused = "refused: both sides are the same"
            return self._add(replace(step, seconds=_since(start), detail=refused))
        step = replace(step, trust=("EXACT",), detail="timeout")
        with suppress(OutOfTime), limited(self.timeout):
            equality = identical(*(put_in(side, at or {}) for side in sides))
            detail = _where(equality)
            step = replace(step, ok=equality.holds, detail=detail, refuted=not equality.holds)
        return self._add(replace(step, seconds=_since(start)))

    def inequality(self, name: str, sentence: str, conclusion: object, assuming: Sequence[Any] = ()) -> bool:
        """Decide that assumptions imply a conclusion for all reals, and that the assumptions have a
        model.

        Refused if the conclusion is one of the assumptions up to rearrangement, or with a number
        to spare.
        """
        return self._add(self._deciding(name, "inequality", sentence, conclusion, assuming))

    def enclosure(
        self, name: str, sentence: str, expression: Any, symbol: Any, low: Fraction | int, high: Fraction | int
    ) -> bool:
        """Decide that an expression in one variable is positive on [low, high], by interval
        arithmetic with subdivision.
        """
        with extras:
            import sympy

        start = time.perf_counter()
        admit(expression, symbol)
        formula = sympy.Implies(sympy.And(symbol >= low, symbol <= high), expression > 0, evaluate=False)
        step = Step(name, "enclosure", sentence, formula, False, ("INTERVAL",), _since(start), "timeout")
        with suppress(OutOfTime), limited(self.timeout):
            positivity = positive_on(expression, symbol, Fraction(low), Fraction(high))
            step = replace(
                step,
                ok=positivity.holds,
                detail=f"{positivity.pieces} intervals"
                if positivity.holds
                else f"not positive or not decided near {positivity.near}",
                checked=positivity.pieces,
                refuted=positivity.refuted,
            )
        return self._add(replace(step, seconds=_since(start)))

    def exhaust(
        self,
        name: str,
        sentence: str,
        family: Iterable[Instance],
        holds: Callable[[Instance], bool],
        formula: object = "",
    ) -> Instance | None:
        """Check a property of every member of a finite family; return the first member without it,
        or None.

        A family lists its members from the simplest on, so the first failure is a smallest
        counterexample. An empty family is not discharged, nor one that takes longer than 15 times
        the limit of a step. Follow a failure with `counterexample`. Raises `SolverError` unless
        `holds` returns True or False.
        """
        start, count, digest = time.perf_counter(), 0, hashlib.sha256()
        failure: Instance | None = None
        finished, first, last = False, "", ""
        with suppress(OutOfTime), limited(EXHAUST_LIMITS * self.timeout):
            for instance in family:
                count, last = count + 1, repr(instance)
                first = first or last
                digest.update(last.encode())
                if not _truth(holds(instance), name):
                    failure = instance
                    break
            finished = failure is None
        ok = finished and count > 0
        detail = f"{count} instances, content {digest.hexdigest()[:16]}"
        if failure is not None:
            detail += "; fails"
        elif not ok:
            detail += "; none" if finished else "; timeout"
        step = Step(name, "exhaust", sentence, formula, ok, ("EXACT",), _since(start), detail, count)
        members = f"{count} members: {_shown(first)} .. {_shown(last)}"
        members = f"1 member: {_shown(first)}" if count == 1 else members
        self._add(replace(step, refuted=failure is not None, members=members))
        return failure

    def counterexample(
        self,
        name: str,
        sentence: str,
        evidence: Mapping[str, object],
        violated: Callable[[], bool],
        formula: object = "",
    ) -> bool:
        """Evaluate the statement exactly at an instance; `violated` says if it is false there."""
        start = time.perf_counter()
        fails, detail = False, "timeout"
        with suppress(OutOfTime), limited(EXHAUST_LIMITS * self.timeout):
            fails, detail = _truth(violated(), name), ""
        step = Step(name, "counterexample", sentence, formula, fails, ("EXACT",), _since(start), detail)
        return self._add(replace(step, checked=1, evidence=evidence))

    def definition(self, name: str, sentence: str, formula: object = "") -> bool:
        """Say what a word or a letter means.

        Alone it records that there is nothing to decide. Beside other steps it may define and not
        argue: the formula is an equation of a letter that is new with an expression, Eq(letter,
        expression), or the argument stays open.
        """
        return self._add(Step(name, "definition", sentence, formula, True, (), 0.0))

    def _add(self, step: Step) -> bool:
        if any(earlier.name == step.name for earlier in self.steps):
            raise SolverError(f'expected step names to differ, found "{step.name}" twice in "{self.name}"')
        self.steps.append(step)
        return step.ok

    def _deciding(self, name: str, kind: str, sentence: str, conclusion: object, assuming: Sequence[object]) -> Step:
        """Decide an implication that says something; one that does not is refused."""
        if reason := nothing_decided(conclusion, assuming):
            return refusal(name, kind, sentence, conclusion, assuming, reason)
        return decide_implication(name, kind, sentence, conclusion, assuming, self.timeout)


def _where(equality: Identity) -> str:
    """Say where two sides are the same, if they are."""
    if not equality.holds:
        return "the two sides are different rational functions"
    divisors = ", ".join(equality.denominators)
    return f"where {divisors} are not 0" if divisors else "everywhere"


def _shown(text: str) -> str:
    """Return the text of a member of a family for a line: fractions as people write them, cut."""
    text = _FRACTION.sub(r"\1/\2", " ".join(text.split()))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _truth(value: object, name: str) -> bool:
    if value is not True and value is not False:
        raise SolverError(f'expected True or False from the predicate of step "{name}", found {type(value).__name__}')
    return value


def _since(start: float) -> float:
    return time.perf_counter() - start
