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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeVar

from pufferproof.models.errors import SolverError, extras
from pufferproof.verify.proof.formulas import (
    HOLDS,
    ClaimVerdict,
    Step,
    admit,
    as_written,
    at_values,
    denominators,
    gives_value,
    identical,
    is_name,
    nothing_decided,
    positive_on,
    put_in,
    reordered,
)
from pufferproof.verify.proof.implication import decide_implication, implication, refusal
from pufferproof.verify.proof.smt import OutOfTime, limited

if TYPE_CHECKING:
    from sympy import Basic

# One formula about real numbers as a whole statement: the engine that decides it, and near misses.
#
# What is decided is the formula itself, hypotheses and all, so that no domain can be hidden. It is settled by exact
# polynomial arithmetic (an identity, its hypotheses are that its denominators are not 0), by interval arithmetic (one
# letter between two numbers, with exp or log), or by a certificate that the kernel accepts (polynomial relations). A
# solver's yes settles nothing.

SETTLING = {"identity": "EXACT", "enclosure": "INTERVAL"}
"""The engines that settle a formula without a certificate, by the kind of their step."""


@dataclass(frozen=True)
class Whole:
    """A formula: hypotheses, and the conclusion that they imply."""

    formula: "Basic"

    @property
    def then(self) -> "Basic":
        """What the formula concludes."""
        return self.formula.args[1] if self._implies else self.formula

    @property
    def given(self) -> "tuple[Basic, ...]":
        """What the formula assumes, one by one."""
        with extras:
            import sympy

        if not self._implies:
            return ()
        first = self.formula.args[0]
        return first.args if isinstance(first, sympy.And) else (first,)

    @property
    def _implies(self) -> bool:
        with extras:
            import sympy

        return isinstance(self.formula, sympy.Implies)

    @cached_property
    def kind(self) -> str:
        """Which engine decides it: "identity", "enclosure" or "inequality"."""
        with extras:
            import sympy

        if self.formula.has(sympy.exp, sympy.log):
            return "enclosure"
        if isinstance(self.then, sympy.Eq) and set(self.given) == set(self.defined):
            return "identity"
        return "inequality"

    @property
    def defined(self) -> "tuple[Basic, ...]":
        """The hypotheses that no denominator of the conclusion is 0."""
        return defined(self.then)

    def interval(self) -> "tuple[Basic, Fraction, Fraction]":
        """Return the letter of an enclosure and the ends between which its hypotheses put it.

        Raises `SolverError` unless there is one letter, and an interval that is not empty.
        """
        with extras:
            import sympy

        if len(self.formula.free_symbols) != 1:
            raise SolverError(f"expected one letter beside exp or log, found {self.formula}")
        (letter,) = self.formula.free_symbols
        ends: dict[str, list[Fraction]] = {"low": [], "high": []}
        for each in self.given:
            plain = each.reversed if each.rhs == letter else each
            sides = {sympy.Ge: ["low"], sympy.Le: ["high"], sympy.Eq: ["low", "high"]}
            if plain.lhs != letter or type(plain) not in sides or not plain.rhs.is_Rational:
                raise SolverError(f"expected bounds of {letter} that it may reach, found {each}")
            for side in sides[type(plain)]:
                ends[side].append(Fraction(int(plain.rhs.p), int(plain.rhs.q)))
        if [len(end) for end in ends.values()] != [1, 1]:
            raise SolverError(f"expected both ends of the interval of {letter}, each once")
        (low,), (high,) = ends.values()
        if low > high:
            raise SolverError(f"expected an interval of {letter}, found that {low} exceeds {high}")
        return letter, low, high

    def is_false_at(self, values: Mapping[str, object]) -> bool:
        """Whether the formula is false where its letters, by their names, have exact values: it
        divides by 0 nowhere there, what it assumes is true, and what it concludes is not.
        """
        with extras:
            import sympy

        put = {
            x: sympy.Rational(int(each.numerator), int(each.denominator))
            for x in self.formula.free_symbols
            if isinstance(each := values.get(x.name), Rational) and not isinstance(each, bool)
        }
        if put.keys() != self.formula.free_symbols:
            return False
        if any(denominator.subs(put).is_zero is not False for denominator in denominators(self.formula)):
            return False
        assumed = all(each.subs(put) == sympy.true for each in self.given)
        return assumed and bool(self.then.subs(put) == sympy.false)

    def near_misses(self) -> "Iterator[tuple[str, Basic]]":
        """Yield formulas that say too much, with what was changed: one that is true as well shows
        that the formula says nothing, or has a hypothesis that nothing needs.
        """
        with extras:
            import sympy

        if isinstance(self.then, sympy.Eq):
            left, right = self.then.args
            less = sympy.Mul(sympy.Rational(99, 100), right, evaluate=False)
            yield "99/100 of the right side", self._concluding(sympy.Eq(left, less, evaluate=False))
        else:
            turned = self.then.func(*reversed(self.then.args), evaluate=False)
            yield "the sides exchanged", self._concluding(turned)
        if self.kind == "inequality":
            for each in self.given:
                rest = [other for other in self.given if other != each]
                yield f"without {each}", implication(self.then, rest)

    def _concluding(self, conclusion: object) -> "Basic":
        return implication(conclusion, self.given)


def defined(*parts: object) -> "tuple[Basic, ...]":
    """Return the hypotheses that no denominator is 0: none of its factors is."""
    with extras:
        import sympy

    factors = dict.fromkeys(
        factor for denominator in denominators(*parts) for factor in _factors(denominator) if factor.free_symbols
    )
    return tuple(sympy.Ne(factor, 0, evaluate=False) for factor in factors)


def _factors(part: "Basic") -> "Iterator[Basic]":
    """Yield what a product or a power is 0 with, or divides by."""
    if part.is_Mul or (part.is_Pow and part.exp.is_Integer):
        for each in part.args if part.is_Mul else part.args[:1]:
            yield from _factors(each)
    else:
        yield part


def decide_whole(name: str, sentence: str, formula: "Basic", timeout: float) -> Step:
    """Decide a formula as it stands, by the engine of its kind.

    Raises `SolverError` if no engine decides formulas of its kind.
    """
    start, whole = time.perf_counter(), Whole(formula)
    admit(formula)
    if not formula.free_symbols:
        raise SolverError(f"expected a formula with letters, found {formula}")
    if strange := sorted(symbol.name for symbol in formula.free_symbols if not is_name(symbol.name)):
        raise SolverError(f'expected letters with names of ASCII letters, found "{strange[0]}"')
    if whole.kind == "inequality":
        then, given = whole.then, whole.given
        if divisors := denominators(whole.formula):
            raise SolverError(
                f"expected polynomials, found a division by {divisors[0]}: multiply by it, and write "
                f"its sign as a hypothesis"
            )
        if reason := nothing_decided(then, given):
            return refusal(name, "inequality", sentence, then, given, reason)
        return decide_implication(name, "inequality", sentence, then, given, timeout, timeout)
    blank = Step(name, whole.kind, sentence, formula, False, (), 0.0, "timeout")
    step = replace(blank, trust=(SETTLING[whole.kind],))
    with suppress(OutOfTime), limited(timeout):
        step = _equal(step, whole) if whole.kind == "identity" else _enclosed(step, whole)
    return replace(step, seconds=time.perf_counter() - start)


def settles(step: Step, formula: object) -> bool:
    """Whether a step decided all that a formula says, by an engine that may: the kernel, exact
    arithmetic wherever the formula says that its denominators are not 0, or enclosures.
    """
    if formula is None or not step.ok or step.formula != formula:
        return False
    if step.kind == "inequality":
        return step.certificate is not None
    return step.kind in SETTLING and step.kind == Whole(formula).kind


def _equal(step: Step, whole: Whole) -> Step:
    left, right = whole.then.args
    if reordered(left) == reordered(right):
        return replace(step, trust=(), detail="refused: both sides are the same")
    holds = identical(left, right).holds
    detail = "equal as rational functions" if holds else "the two sides are different"
    return replace(step, ok=holds, refuted=not holds, detail=detail)


def _enclosed(step: Step, whole: Whole) -> Step:
    with extras:
        import sympy

    letter, low, high = whole.interval()
    signs = {sympy.Gt: 1, sympy.Ge: 1, sympy.Lt: -1, sympy.Le: -1}
    if type(whole.then) not in signs:
        raise SolverError(f"expected an inequality, found {whole.then}")
    left, right = whole.then.args if signs[type(whole.then)] > 0 else whole.then.args[::-1]
    # nothing cancels: what is not defined stays in it
    difference = sympy.Add(left, sympy.Mul(-1, right, evaluate=False), evaluate=False)
    positivity = positive_on(difference, letter, low, high)
    holds, pieces = positivity.holds, positivity.pieces
    detail = f"{pieces} intervals" if holds else "false or not decided on the interval"
    return replace(step, ok=holds, refuted=positivity.refuted, detail=detail, checked=pieces)


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
    whole: "Basic | None" = None
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

    def formula(self, name: str, sentence: str, formula: "Basic") -> bool:
        """Decide a formula as it stands, hypotheses and all."""
        step = decide_whole(name, sentence, formula, self.timeout)
        return self._add(step)

    def identity(
        self,
        name: str,
        sentence: str,
        left: object,
        right: object,
        at: "Mapping[Basic, Fraction | int | str] | None" = None,
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
            if not equality.holds:
                detail = "the two sides are different rational functions"
            else:
                divisors = ", ".join(equality.denominators)
                detail = f"where {divisors} are not 0" if divisors else "everywhere"
            step = replace(step, ok=equality.holds, detail=detail, refuted=not equality.holds)
        return self._add(replace(step, seconds=_since(start)))

    def inequality(self, name: str, sentence: str, conclusion: object, assuming: "Sequence[Basic]" = ()) -> bool:
        """Decide that assumptions imply a conclusion for all reals, and that the assumptions have a
        model.

        Refused if the conclusion is one of the assumptions up to rearrangement, or with a number
        to spare.
        """
        if reason := nothing_decided(conclusion, assuming):
            return self._add(refusal(name, "inequality", sentence, conclusion, assuming, reason))
        return self._add(decide_implication(name, "inequality", sentence, conclusion, assuming, self.timeout))

    def enclosure(
        self, name: str, sentence: str, expression: "Basic", symbol: "Basic", low: Fraction | int, high: Fraction | int
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
