"""A proof whose letters bring their domains along, and which a near miss may edit.

`Proof` is an `Argument` of `verify`: the same steps, engines and refusals. Every domain that a step
uses is one of its hypotheses, so that it is in the formula that engines decide, in the certificate
and on the page; if the domains contradict what is assumed, the step is not discharged.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

from pufferproof.claims.language import wording
from pufferproof.claims.language.edits import Edit, Edits
from pufferproof.claims.language.letters import Letter, domains
from pufferproof.claims.language.linked.found import Argued
from pufferproof.claims.language.objects import AsObject
from pufferproof.claims.language.refuting import OBJECT, PROGRAM, judge_of
from pufferproof.claims.language.statements import Statement, Trial
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.verify.certificates.calculation import holds, named
from pufferproof.verify.proof.argument import UNLINKED, Argument, ClaimVerdict, Step, Whole
from pufferproof.verify.proof.formulas import nothing_decided

Instance = TypeVar("Instance")
PRINTED = "as printed"
"""The name of a reading that says what the print says."""
ALL_SIZES = "all finite sizes"
"""The scope of a reading with sums of any length."""


@dataclass
class Proof(Argument):
    """An argument with letters and edits.

    `edits` are those of a near miss; `before` are the steps of the reading that it misses, by name:
    a step that no edit changes is taken from there, and no engine is asked again. `trial` is what
    came of trying the statement of the reading on instances, `said` that statement where it is an
    object. `only_tried` says that the reading has no steps: it rests on that trial. `linked` says
    that it rests on a linked argument, `argued` what was found of that. `statement` is what says
    the reading and runs, None if nothing does.
    """

    edits: Edits = field(default_factory=Edits)
    before: Mapping[str, Step] = field(default_factory=dict)
    trial: Trial | None = None
    said: AsObject | None = None
    only_tried: bool = False
    linked: bool = False
    argued: Argued | None = None
    statement: Statement | None = None

    @property
    def proved(self) -> bool:
        """Whether Coq proved the statement itself, nothing is missing, and no step stands beside
        it.
        """
        return self.said is not None and self.said.missing is None and not self.steps

    @property
    def refuted_by(self) -> str | None:
        """What says that the statement is false (`refuting`): its program or object, its formula,
        an audit of the evidence, or an expression of its author; None unless it is REFUTED.
        """
        if self.verdict is not ClaimVerdict.REFUTED:
            return None
        judges = [step.judge for step in self.steps if step.kind == "counterexample" and step.ok]
        return next(iter(judges), PROGRAM if self.said is None else OBJECT)

    @property
    def covers(self) -> str:
        """The scope of the reading: of CHECKED the family that was gone through, and behind it in
        quotation marks what its author calls that.
        """
        if self.verdict is not ClaimVerdict.CHECKED:
            return self.scope
        families = dict.fromkeys(each.members for each in self.steps if each.kind == "exhaust")
        return "; ".join([*families, *filter(None, [wording.quoted(self.scope)])])

    @property
    def trust(self) -> tuple[str, ...]:
        """What the reading rests on: Coq with its axioms where it proved the statement itself."""
        if self.said is not None and self.said.theorem is not None and self.proved:
            return (f"COQ({', '.join(_short(each) for each in self.said.theorem.axioms)})",)
        if self.argued is not None:
            return self.argued.trust
        if self.only_tried and self.verdict is not ClaimVerdict.REFUTED:
            return ("PROSE",)
        return super().trust

    @property
    def verdict(self) -> ClaimVerdict:
        """REFUTED where the statement is false at an instance, whatever the steps say; TRIED where
        it has no steps and held at every instance, DERIVED where a linked argument shows it; else
        what the steps show, which of an object is only that its own program refutes it.
        """
        if self.trial is not None and self.trial.failed is not None and not self._of_powers:
            return ClaimVerdict.REFUTED
        if self.proved:
            return ClaimVerdict.PROVED
        if self.only_tried:
            return ClaimVerdict.OPEN if self.obstacle else ClaimVerdict.TRIED
        if self.linked:
            return ClaimVerdict.OPEN if self.obstacle else ClaimVerdict.DERIVED
        shown = super().verdict
        is_open = self.said is not None and shown is not ClaimVerdict.REFUTED
        return ClaimVerdict.OPEN if is_open else shown

    @property
    def obstacle(self) -> str | None:
        """Why steps that were discharged are no argument, or why the trial of the statement says
        too little; None if neither.
        """
        if self.proved:
            return None
        if self.linked:
            return self._unlinked()
        if self.said is not None and not self.steps and not self.only_tried:
            return self.said.missing
        if self.said is not None and self.steps and not self.only_tried:
            return "its statement is an object, which no steps settle: leave them out"
        if self.only_tried and (self.trial is None or self.steps):
            return "it is opened by tried(..): it needs a statement that runs (says=), and no steps"
        trial = None if self.trial is None else self.trial.weakness
        return super().obstacle or (trial and f"the statement: {trial}")

    def _unlinked(self) -> str | None:
        """Why a linked argument shows nothing, or None."""
        if self.argued is None or self.trial is None or self.steps:
            return "it is opened by linked(..): it needs a linked argument (says=), and no steps"
        if self.trial.failed is not None:
            return "it is false with powers of 2 for exp, which does not say that it is of exp"
        return self.argued.failure or (self.trial.weakness and f"the statement: {self.trial.weakness}")

    @property
    def _of_powers(self) -> bool:
        """Whether its program speaks of powers of 2, and its statement of exp."""
        return self.argued is not None and self.argued.powers

    @property
    def evidence(self) -> Mapping[str, Any] | None:
        """The counterexample of the steps, or else the instance at which the statement is false."""
        tried = None if self.trial is None or self._of_powers else self.trial.failed
        return super().evidence or tried

    def inequality(self, name: str, sentence: str, conclusion: object, assuming: Sequence[Any] = ()) -> bool:
        """Decide that assumptions and domains imply a conclusion, and that they have a model.

        A domain that a hypothesis says, or says more of, is not repeated.
        """
        assumed = domains([conclusion, *assuming])
        domain = [each for each in assumed if not nothing_decided(each, assuming)]
        return super().inequality(name, sentence, conclusion, [*assuming, *domain])

    def exhaust(
        self,
        name: str,
        sentence: str,
        family: Iterable[Instance],
        holds: Callable[[Instance], bool],
        formula: object = "",
    ) -> Instance | None:
        """Check a property of every member of a finite family."""
        step = None if self.edits.concern(name) else self.before.get(name)
        if step is not None and step.ok and (step.kind, step.formula) == ("exhaust", formula):
            self._add(replace(step, seconds=0.0))
            return None
        family, holds = self.edits.family(name, family, holds)
        return super().exhaust(name, sentence, family, holds, formula)

    def counterexample(
        self, name: str, sentence: str, evidence: Mapping[str, Any], violated: Callable[[], bool], formula: Any = ""
    ) -> bool:
        """Evaluate the statement exactly at one instance; `violated` says whether it is false.

        A formula is a text about the numbers, rows and tables of the evidence, which says what is
        false there: it must be true as well, and Coq can compute it again. If the reading is itself
        one formula, the evidence is exact values of its letters, at which that must be false; if it
        is a program or an object, an instance at which that is false; and if the evidence is a
        framework, a mechanism and a level, an audit must say that the level is violated.

        Raises `SolverError` if its formula is not false there, or if the evidence has a float.
        """
        if (inexact := next(_floats(evidence), None)) is not None:
            raise SolverError(f'the counterexample "{name}": expected exact values, found the float {inexact}')
        if self.whole is not None and not Whole(self.whole).is_false_at(evidence):
            raise SolverError(
                f'the counterexample "{name}": expected an exact value for each letter, at which '
                f"the formula of the reading is false, found {evidence}"
            )
        judge = judge_of(self.statement, self.whole is not None, evidence)
        objection, audited = "", ""

        def fails() -> bool:
            nonlocal objection, audited
            if not _both(violated, formula, evidence):
                return False
            objection, audited = judge.finding()
            return not objection

        super().counterexample(name, sentence, evidence, fails, formula)
        made = self.steps.pop()
        said = objection or made.detail
        made = replace(made, judge=judge.name, trust=judge.trust, detail=said, audited=audited)
        return self._add(made)

    def definition(self, name: str, sentence: str, formula: object = "") -> bool:
        """Say what a word or a letter means; a letter that is defined here has no domain.

        Raises `SolverError` if it has one: the domain would be assumed of the expression.
        """
        defined = getattr(formula, "lhs", None)
        if isinstance(defined, Letter) and defined.bounds:
            raise SolverError(
                f'the letter "{defined}" is defined and has a domain, leave out '
                f"{defined.domain_text}: show it in a step"
            )
        return super().definition(name, sentence, formula)

    def __getattr__(self, name: str) -> Any:
        """Raise `ModelError` for a step of earlier versions, which says what to write instead."""
        if name in REMOVED:
            raise ModelError(f'reading "{self.name}": there is no proof.{name} any more: {UNLINKED}')
        raise AttributeError(name)


REMOVED = ("assume", "case_split", "cite", "farkas", "induction", "summed", "theorem")
"""Steps that claim files of earlier versions may call."""


class Readings(Protocol):
    """Where readings of a claim are opened, and near misses: a `Check` of the registry."""

    def reading(self, name: str, scope: str = "") -> AbstractContextManager[Proof]:
        """Open the proof of one reading."""

    def near_miss(self, name: str, build: Callable[[Proof], object]) -> None:
        """Run a proof that must fail."""


Miss = Edit | Sequence[Edit] | Callable[[Proof], object]


def proved(check: Readings, name: str, scope: str, proof: Callable[[Proof], object], /, **near_misses: Miss) -> None:
    """Open a reading, and its near misses, named after it by their keywords (spaces for `_`).

    A near miss is the same proof with an edit or several, or a proof of its own (`edited`).
    """
    with check.reading(name, scope) as argument:
        proof(argument)
    steps = {step.name: step for step in argument.steps}
    for miss, change in near_misses.items():
        build = change if callable(change) else edited(proof, *_several(change), before=steps)
        check.near_miss(f"{name}: {miss.replace('_', ' ')}", build)


def edited(
    proof: Callable[[Proof], object], *edits: Edit, before: Mapping[str, Step] | None = None
) -> Callable[[Proof], object]:
    """Return a proof with edits, which raises `SolverError` if one of them changes nothing."""

    def changed(argument: Proof) -> None:
        argument.edits, argument.before = Edits(edits), before or {}
        proof(argument)
        argument.edits.check()

    return changed


def _both(violated: Callable[[], bool], formula: str, evidence: Mapping[str, Any]) -> bool:
    """Whether a statement is false at an instance, and the formula about it true."""
    return violated() if not formula else violated() is True and holds(formula, named(evidence))


def _floats(value: object) -> Iterator[object]:
    """Yield the floats in a value, and in what it contains."""
    if isinstance(value, float | complex):
        yield value
    elif isinstance(value, Mapping):
        for each in (*value.keys(), *value.values()):
            yield from _floats(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from _floats(each)


def _several(change: Edit | Sequence[Edit]) -> Sequence[Edit]:
    return [change] if isinstance(change, Edit) else change


def _short(axiom: str) -> str:
    return axiom.rpartition(".")[2]
