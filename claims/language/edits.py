"""Near misses as edits: what is changed at one named step of a proof, which must then fail there.

An edit that names no step of the proof, or changes nothing there, is an error: the near miss would
be the proof itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy

from pufferproof.models.errors import SolverError


@dataclass(frozen=True)
class Edit:
    """A change at the step `at`: the name of an induction means both its base and its step.

    `put` puts one expression for another in what is concluded (of an identity: in its right side);
    `instead` is concluded in its place (of an identity: the right side, or an equation of both; of
    a case split: the list of cases).
    `without` are hypotheses or domains that are forgotten, `given` are hypotheses that are added.
    `family`, `holds` replace those of an exhaustion, `interval` the one of an enclosure.
    """

    at: str
    put: Mapping[object, object] = field(default_factory=dict)
    instead: object = None
    without: Any = ()
    given: Any = ()
    family: Iterable[Any] | None = None
    holds: Callable[[Any], bool] | None = None
    interval: tuple[Fraction | int, Fraction | int] | None = None


class Edits:
    """The edits of one near miss while its proof runs, with what each has not changed yet."""

    def __init__(self, edits: Sequence[Edit] = ()) -> None:
        for edit in edits:
            if not (changes := _changes(edit)):
                raise SolverError(f'expected a change at the step "{edit.at}", found none')
            if changes & {"family", "holds"} and changes - {"family", "holds"}:
                raise SolverError(f'expected one kind of step for the edit at "{edit.at}"')
        self._edits = list(edits)
        self._open = [_changes(edit) for edit in edits]
        self._run = [False for _ in edits]

    def conclusion(self, step: str, formula: object) -> Any:
        """Return what a step concludes: a formula, or the list of cases."""
        for number, edit in self._at(step):
            changed = formula if edit.instead is None else edit.instead
            self._compare(number, "instead", formula, changed)
            formula = self._put(number, edit, changed)
        return formula

    def equation(self, step: str, left: object, right: object) -> tuple[Any, Any]:
        """Return the sides of an identity."""
        for number, edit in self._at(step):
            before = (left, right)
            if isinstance(edit.instead, sympy.Eq):
                left, right = edit.instead.args
            elif edit.instead is not None:
                right = edit.instead
            self._compare(number, "instead", before, (left, right))
            right = self._put(number, edit, right)
        return left, right

    def hypotheses(self, step: str, written: Sequence[object]) -> list[object]:
        """Return the hypotheses that are written at a step."""
        kept = self._without(step, written)
        for number, edit in self._at(step):
            for each in _listed(edit.given):
                if each not in kept:
                    self._open[number].discard(f"given {each}")
                    kept.append(each)
        return kept

    def domain(self, step: str, domain: Sequence[object]) -> list[Any]:
        """Return what a step assumes of the domains of letters."""
        return self._without(step, domain)

    def _without(self, step: str, formulas: Sequence[object]) -> list[object]:
        kept = list(formulas)
        for number, edit in self._at(step):
            for each in _listed(edit.without):
                if each in kept:
                    self._open[number].discard(f"without {each}")
                    kept = [other for other in kept if other != each]
        return kept

    def interval(self, step: str, low: object, high: object) -> tuple[Any, Any]:
        """Return the interval of an enclosure."""
        for number, edit in self._at(step):
            if edit.interval is not None:
                self._compare(number, "interval", (low, high), edit.interval)
                low, high = edit.interval
        return low, high

    def family(
        self, step: str, family: Iterable[Any], holds: Callable[[Any], bool]
    ) -> tuple[Iterable[Any], Callable[[Any], bool]]:
        """Return the family and the predicate of an exhaustion."""
        for number, edit in self._at(step):
            self._open[number] -= {"family", "holds"}
            family = family if edit.family is None else edit.family
            holds = edit.holds or holds
        return family, holds

    def concern(self, step: str) -> bool:
        """Say whether some edit is at this step."""
        return any(True for _ in self._at(step))

    def check(self) -> None:
        """Raise `SolverError` unless every edit met its step and changed it in all that it says."""
        for edit, run, rest in zip(self._edits, self._run, self._open):
            if not run:
                raise SolverError(f'no step "{edit.at}" was run that could be edited')
            if rest:
                raise SolverError(f'the edit at "{edit.at}" changes nothing by: {min(rest)}')

    def _at(self, step: str) -> list[tuple[int, Edit]]:
        """Return the edits at a step, or at the induction that it is a part of, numbered."""
        names = {step, step.removesuffix(": base"), step.removesuffix(": step")}
        return [(number, edit) for number, edit in enumerate(self._edits) if edit.at in names]

    def ran(self, step: str) -> None:
        """Note that a step which can be edited is run."""
        for number, _ in self._at(step):
            self._run[number] = True

    def _put(self, number: int, edit: Edit, formula: object) -> object:
        for old, new in edit.put.items():
            if _replaced(formula, {old: new}) != formula:
                self._open[number].discard(f"put {old}")
        return _replaced(formula, edit.put) if edit.put else formula

    def _compare(self, number: int, change: str, before: object, after: object) -> None:
        if before != after:
            self._open[number].discard(change)


def _changes(edit: Edit) -> set[str]:
    """Return what an edit says it changes, in words."""
    single = ("instead", "family", "holds", "interval")
    return {
        *(f"put {old}" for old in edit.put),
        *(f"without {each}" for each in _listed(edit.without)),
        *(f"given {each}" for each in _listed(edit.given)),
        *(name for name in single if getattr(edit, name) is not None),
    }


def _listed(formulas: object) -> list[Any]:
    """Return one formula, or several, as a list."""
    return list(formulas) if isinstance(formulas, list | tuple) else [formulas]


def _replaced(formula: object, put: Mapping[object, object]) -> object:
    """Return a formula, or a list of formulas, with all replacements at once."""
    if isinstance(formula, list | tuple):
        return [_replaced(each, put) for each in formula]
    exact = {sympy.sympify(old): sympy.sympify(new) for old, new in put.items()}
    return sympy.sympify(formula).xreplace(exact)
