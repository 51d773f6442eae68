"""One formula about real numbers as a whole statement: the engine that decides it, and near misses.

What is decided is the formula itself, hypotheses and all, so that no domain can be hidden. It is
settled by exact polynomial arithmetic (an identity, its hypotheses are that its denominators are
not 0), by interval arithmetic (one letter between two numbers, with exp or log), or by a
certificate that the kernel accepts (polynomial relations). A solver's yes settles nothing.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from typing import Any

from pufferproof.models.errors import SolverError, extras
from pufferproof.verify.proof.arithmetic.enclosures import positive_on
from pufferproof.verify.proof.arithmetic.polynomials import identical
from pufferproof.verify.proof.formulas import admit, denominators, is_name, reordered
from pufferproof.verify.proof.implication import decide_implication, implication, refusal
from pufferproof.verify.proof.limits import OutOfTime, limited
from pufferproof.verify.proof.steps import Step
from pufferproof.verify.proof.triviality import nothing_decided

SETTLING = {"identity": "EXACT", "enclosure": "INTERVAL"}
"""The engines that settle a formula without a certificate, by the kind of their step."""


@dataclass(frozen=True)
class Whole:
    """A formula: hypotheses, and the conclusion that they imply."""

    formula: Any

    @property
    def then(self) -> Any:
        """What the formula concludes."""
        return self.formula.args[1] if self._implies else self.formula

    @property
    def given(self) -> tuple[Any, ...]:
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
    def defined(self) -> tuple[Any, ...]:
        """The hypotheses that no denominator of the conclusion is 0."""
        return defined(self.then)

    def interval(self) -> tuple[Any, Fraction, Fraction]:
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

    def near_misses(self) -> Iterator[tuple[str, Any]]:
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

    def _concluding(self, conclusion: object) -> Any:
        return implication(conclusion, self.given)


def defined(*parts: object) -> tuple[Any, ...]:
    """Return the hypotheses that no denominator is 0: none of its factors is."""
    with extras:
        import sympy

    factors = dict.fromkeys(
        factor for denominator in denominators(*parts) for factor in _factors(denominator) if factor.free_symbols
    )
    return tuple(sympy.Ne(factor, 0, evaluate=False) for factor in factors)


def _factors(part: Any) -> Iterator[Any]:
    """Yield what a product or a power is 0 with, or divides by."""
    if part.is_Mul or (part.is_Pow and part.exp.is_Integer):
        for each in part.args if part.is_Mul else part.args[:1]:
            yield from _factors(each)
    else:
        yield part


def decide_whole(name: str, sentence: str, formula: Any, timeout: float) -> Step:
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
        return _implied(name, sentence, whole, timeout)
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


def _implied(name: str, sentence: str, whole: Whole, timeout: float) -> Step:
    then, given = whole.then, whole.given
    if divisors := denominators(whole.formula):
        raise SolverError(
            f"expected polynomials, found a division by {divisors[0]}: multiply by it, and write "
            f"its sign as a hypothesis"
        )
    if reason := nothing_decided(then, given):
        return refusal(name, "inequality", sentence, then, given, reason)
    return decide_implication(name, "inequality", sentence, then, given, timeout, timeout)
