"""Checking stored results again: what a certificate or one evaluation can show is shown anew, the
rest is taken from the cache.

Every certificate goes to the kernel. Every counterexample is evaluated: the claim's function runs
once more with engines that give the stored answers; of a family with a failure that member is
evaluated, without those before it where that is enough; and what the function says is violated is
evaluated as it was the first time. That another claim, a solver or an enumeration said yes is taken
from the store. Verdicts are computed from the steps that come out.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from pufferproof.claims.language import wording
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.language.statements import Trial
from pufferproof.claims.registry import Check, Claim
from pufferproof.models.errors import CertificateError
from pufferproof.verify.proof.argument import ClaimVerdict, Step
from pufferproof.verify.proof.farkas import accepted


class NotReproduced(Exception):  # noqa: N818
    """A stored result that was not confirmed: the claim is to be examined again."""


@dataclass(frozen=True, eq=False)
class Formula:
    """The formula of a stored step, as text and as presentation MathML (None for text); equal
    to what is written the same.
    """

    text: str
    mathml: str | None

    def __eq__(self, other: object) -> bool:
        return self.text == (other.text if isinstance(other, Formula) else wording.plain(other))

    def __hash__(self) -> int:
        return hash(self.text)


@dataclass
class Stored(Proof):
    """An argument of a stored result: of its formulas there is only the text, so that
    `hindrance` is stored as well.
    """

    hindrance: str | None = None

    @property
    def obstacle(self) -> str | None:
        """Why steps that were discharged one by one are no argument, or None."""
        return super().obstacle if self.said is not None and not self.steps else self.hindrance


def checked_again(claim: Claim, entry: Mapping[str, Any], timeout: float) -> Check:
    """Return the examined claim that an entry stores, its certificates and counterexamples checked
    again.

    Args:
        entry: `readings` and `near_misses`, each a list of arguments with `name`, `scope_given`,
            `steps`, `obstacle` and `trial`, in the shape that `run/results.py` gives results.

    Raises `NotReproduced` where something does not come out as stored, and whatever the claim's
    function raises.
    """
    readings = [_argument(each, timeout, claim.formula_of(each["name"])) for each in entry["readings"]]
    near_misses = [_argument(each, timeout) for each in entry["near_misses"]]
    for each in readings:
        if each.whole is not None and each.verdict is ClaimVerdict.PROVED and not each.is_whole:
            raise NotReproduced(f'reading "{each.name}" was of another formula')
    _try_again(claim, readings, timeout)
    for step in (step for argument in [*readings, *near_misses] for step in argument.steps):
        _check_certificate(step)
    if not any(step.kind == "counterexample" for argument in readings for step in argument.steps):
        return Check(claim, timeout, readings, near_misses).read_objects()
    try:
        return _replayed(_Replay(claim, timeout, [], near_misses, stored=readings, alone=True))
    except NotReproduced:  # a predicate may compare a member with those before it
        return _replayed(_Replay(claim, timeout, [], near_misses, stored=readings, alone=False))


def _try_again(claim: Claim, readings: Sequence[Proof], timeout: float) -> None:
    """Try the statements again that failed at an instance; the same seed draws it again."""
    if any(each.trial is not None and each.trial.failed is not None for each in readings):
        before = [each.trial for each in readings]
        Check(claim, timeout, list(readings)).try_statements()
        if [each.trial and each.trial.counts for each in readings] != [each and each.counts for each in before]:
            raise NotReproduced("the trial of the statement")


def _replayed(replay: "_Replay") -> Check:
    replay.run()
    if len(replay.readings) != len(replay.stored):
        raise NotReproduced(f"{len(replay.readings)} readings, stored {len(replay.stored)}")
    return replay.read_objects()


def _argument(stored: Mapping[str, Any], timeout: float, whole: object = None) -> Proof:
    steps = [
        Step(**{**step, "formula": Formula(**step["formula"]), "trust": tuple(step["trust"])})
        for step in stored["steps"]
    ]
    name, scope, hindrance = str(stored["name"]), str(stored["scope_given"]), stored["obstacle"]
    return Stored(
        name,
        scope,
        timeout,
        whole=whole,
        steps=steps,
        trial=None if stored["trial"] is None else Trial(**stored["trial"]),
        only_tried=bool(stored["only_tried"]),
        linked=bool(stored["linked"]),
        hindrance=hindrance,
    )


def _check_certificate(step: Step) -> None:
    """Raise `NotReproduced` unless the kernel accepts the certificate; a step that trusts the
    kernel must have one.
    """
    if step.certificate is None:
        confirmed = not (step.ok and "KERNEL" in step.trust)
    else:
        confirmed = _accepted(json.dumps(step.certificate))
    if not confirmed:
        raise NotReproduced(f'the certificate of step "{step.name}"')


@lru_cache(maxsize=4096)
def _accepted(certificate: str) -> bool:
    """Ask the kernel, once for the steps of near misses and readings that share a certificate."""
    try:
        return accepted(json.loads(certificate)).checked > 0
    except CertificateError:
        return False


@dataclass
class _Replay(Check):
    """A check whose readings take what engines said from `stored`; near misses are the stored ones.

    `alone`: failures of families are evaluated without the members before them.
    """

    stored: Sequence[Proof] = field(default_factory=list)
    alone: bool = True

    @contextmanager
    def reading(self, name: str, scope: str = "") -> Iterator[Proof]:
        number = len(self.readings)
        if number >= len(self.stored):
            raise NotReproduced(f'reading "{name}"')
        before = self.stored[number]
        argument = _Replayed(name, scope, self.timeout, before.whole, hindrance=before.obstacle)
        argument.stored, argument.alone = {step.name: step for step in before.steps}, self.alone
        argument.trial, argument.statement = before.trial, self._runs(name)
        self.readings.append(argument)
        yield argument
        if [(step.name, step.kind, step.ok) for step in argument.steps] != [
            (step.name, step.kind, step.ok) for step in before.steps
        ]:
            raise NotReproduced(f'reading "{name}"')

    def near_miss(self, name: str, build: Callable[[Proof], object]) -> None:
        """Do nothing: it is stored."""


@dataclass
class _Replayed(Stored):
    """An argument whose engines give stored answers; what can fail by an instance is evaluated."""

    stored: Mapping[str, Step] = field(default_factory=dict)
    alone: bool = True

    def _again(self, name: str) -> bool:
        if name not in self.stored:
            raise NotReproduced(f'step "{name}"')
        return self._add(self.stored[name])

    def formula(self, name: str, *_: object, **__: object) -> bool:
        return self._again(name)

    def identity(self, name: str, *_: object, **__: object) -> bool:
        return self._again(name)

    def inequality(self, name: str, *_: object, **__: object) -> bool:
        return self._again(name)

    def enclosure(self, name: str, *_: object, **__: object) -> bool:
        return self._again(name)

    def exhaust(
        self, name: str, sentence: str, family: Iterable[Any], holds: Callable[[Any], bool], *_: object, **__: object
    ) -> Any:
        """Return the stored failure of a family, evaluated again, or None if there was none."""
        before = self.stored.get(name)
        self._again(name)
        return _failure(family, holds, before.checked, self.alone) if before is not None and before.refuted else None


def _failure(family: Iterable[object], holds: Callable[[object], bool], place: int, alone: bool) -> object:
    """Return the member at a place, counted from 1, where the predicate is false, and unless
    `alone` not before it.
    """
    for number, member in enumerate(family, 1):
        failed = (number == place or not alone) and holds(member) is False
        if failed and number == place:
            return member
        if failed or number == place:
            break
    raise NotReproduced(f"the failure at place {place} of a family")
