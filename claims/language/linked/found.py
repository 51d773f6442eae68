"""What is found of a linked argument: every implication decided, and all of it read again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy

from pufferproof.claims.language.letters import domains
from pufferproof.claims.language.linked.argument import Lemma, Linked
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.second import read_again
from pufferproof.claims.language.linked.trees import UnlinkedError
from pufferproof.claims.language.linked.words import coq
from pufferproof.claims.language.theorems import theorem_named
from pufferproof.models.errors import ModelError
from pufferproof.verify.proof.formulas import Step, denominators
from pufferproof.verify.proof.smt import ask, smtlib

AT_ONCE = 0.5
"""Seconds for Z3 to show that a fact is not needed."""
PARTS = ("nothing yet", "one more", "it applies", "its terms", "no divisor is 0")
"""The implications of a fact that has several."""


@dataclass(frozen=True)
class Argued:
    """A linked argument with what engines say.

    `data` is the argument as plain data, `steps` what the first reader asked, `again` how many
    implications the second one found to hold; `failure` is the first thing that is wrong, or None.
    """

    data: Mapping[str, Any]
    steps: Sequence[Step]
    again: int
    failure: str | None

    @property
    def powers(self) -> bool:
        """Whether it speaks of exp, for which its program takes powers of 2."""
        return any("exp(" in each.get("is", "") for each in self.data["definitions"])

    @property
    def trust(self) -> tuple[str, ...]:
        """The engines that its implications rest on, and the theorems of Coq that are put in."""
        return tuple(dict.fromkeys(item for step in self.steps for item in step.trust))


@cache
def argued(argument: Linked, limit: float) -> Argued:
    """Decide a linked argument, and those whose statements it puts in as lemmas."""
    data, failure, again = plain(argument), None, 0
    steps = [*argument.steps(limit)]
    for lemma in argument.lemmas():
        theorem, said = _lemma(lemma, limit)
        steps += theorem
        failure = failure or said
    failure = failure or needless(argument)
    failed = [step for step in steps if not step.ok]
    if failed:
        failure = f'"{failed[0].name}" is not decided: {failed[0].detail}'
    if failure is None:
        try:
            again = read_again(data)
        except UnlinkedError as error:
            failure = f"the second reader refuses it: {error}"
    return Argued(data, steps, again, failure)


def needless(argument: Linked) -> str | None:
    """Say which fact is used where nothing needs it, as Z3 finds at once; None if none is."""
    for fact in argument.facts.values():
        mine = [
            (conclusion, assumed)
            for name, conclusion, assumed in argument.queries
            if name in (fact.name, *(f"{fact.name}: {part}" for part in PARTS))
        ]
        for use in fact.uses:
            formula = argument.facts[use].formula
            said = (formula, argument.so_far(fact, formula))
            if mine and all(_without(said, *each) for each in mine):
                return f'"{fact.name}" does not need "{use}": leave it out'
        if fact.rule == "attained" and all(_without(each[1][:1], *each) for each in mine):
            return f'"{fact.name}" does not need that {fact.of} is attained: make it a step'
    return None


def _without(said: Sequence[Any], conclusion: Any, assumed: Sequence[Any]) -> bool:
    """Whether an implication holds without one of its assumptions, and nothing divides by 0."""
    rest = [each for each in assumed if each not in said]
    nonzero = [sympy.Ne(each, 0) for each in denominators(conclusion, *rest)]
    query = smtlib(rest, sympy.And(conclusion, *nonzero, evaluate=False))
    return ask("z3", query, AT_ONCE).status == "unsat"


def _lemma(lemma: Lemma, limit: float) -> tuple[list[Step], str | None]:
    """Return what a lemma rests on, and why it does not hold, or None."""
    if isinstance(lemma.source, Linked):
        found = argued(lemma.source, limit)
        return list(found.steps), found.failure
    try:
        known = theorem_named(lemma.source).statement
    except ModelError as error:
        return [], str(error)
    if (mine := in_coq(lemma)) != " ".join(known.split()):
        return [], f'{lemma.source} says "{known}", and not "{mine}"'
    trust = (f"COQ({lemma.source})",)
    return [Step(lemma.name, "theorem", "", known, True, trust, 0.0)], None


def in_coq(lemma: Lemma) -> str:
    """Write a lemma as Coq states it; its hypotheses are arrows, those of domains first."""
    names = " ".join(each.name for each in lemma.letters)
    given = [*domains(lemma.letters), *lemma.given.values()]
    arrows = "".join(f"{coq(each)} -> " for each in given)
    return f"forall {names} : R, {arrows}{coq(lemma.then)}"
