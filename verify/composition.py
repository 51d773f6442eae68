"""The exact leakage of a joint release: several mechanisms, each run a number of times with fresh
randomness.

Unlike differential privacy, Pufferfish privacy does not compose: the joint leakage can exceed the
sum of the single ones, up to infinity (collapse). Equal runs are merged into multisets of outputs,
which changes no likelihood ratio; many runs of one mechanism are not written out at all
(`repeated.py`).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any, overload

from pufferproof.models.channel import Channel, compose, repeat
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable, listed
from pufferproof.verify.audit import Audit, audit
from pufferproof.verify.leakage.ratio import Leakage, Witness, prior_text, scope
from pufferproof.verify.leakage.repeated import multisets_of, repeated_leakage

if TYPE_CHECKING:
    from pufferproof.verify.dispatch import AnyFramework, AnyMechanism
    from pufferproof.verify.noise.audit import NoiseAudit
    from pufferproof.verify.noise.composition import NoiseComposition
    from pufferproof.verify.sequences.audit import LocalAudit
    from pufferproof.verify.sequences.composition import LocalComposition

_MANY = 1_000_000  # numbers of a joint release, times runs: more are not written out


@dataclass(frozen=True, repr=False)
class Composition(Readable):
    """Single and joint leakage of mechanisms released together, each `runs` times.

    `outputs` is the joint witness: the outputs of every release, the runs of the first mechanism
    first.
    """

    mechanisms: tuple[Channel, ...] = field(repr=False)
    runs: int
    single: tuple[Audit, ...]
    joint: Audit
    outputs: tuple[str, ...]

    @property
    def releases(self) -> tuple[int, ...]:
        """The mechanism of every release, by position in `mechanisms`."""
        return tuple(index for index in range(len(self.mechanisms)) for _ in range(self.runs))

    @property
    def additive(self) -> bool | None:
        """Whether the joint leakage is at most the sum of the leakages of its releases, exactly.

        None where irrational leakages (mixtures of priors) are too close to tell.
        """
        return is_additive(
            self.joint.leakage, [single.leakage for single in self.single], self.runs
        )

    def as_json(self) -> dict[str, Any]:
        """Return the composition object of the file formats."""
        return composition_json(
            [single.leakage for single in self.single],
            self.joint.as_json(),
            self.additive,
            self.runs,
            self.outputs,
        )

    def __str__(self) -> str:
        return composition_text(
            [each.leakage for each in self.single],
            self.joint,
            self.outputs,
            self.additive,
            self.runs,
        )


def is_additive(joint: Leakage, single: Sequence[Leakage], runs: int) -> bool | None:
    """Say whether a joint leakage is at most the sum of the single ones, each counted `runs`
    times; None: too close to tell.
    """
    if any(each.infinite for each in single):
        return True
    if joint.lower is None or joint.upper is None:
        return False
    lower = prod((each.lower or Fraction(0)) ** runs for each in single)
    upper = prod((each.upper or Fraction(0)) ** runs for each in single)
    if joint.upper <= lower:
        return True
    return False if joint.lower > upper else None


def composition_text(
    single: Sequence[Leakage],
    joint: "Audit | LocalAudit | NoiseAudit",
    outputs: Sequence[str],
    additive: bool | None,
    runs: int,
) -> str:
    """Say what releases leak together and alone, and where."""
    added = {True: "at most", False: "more than", None: "too close to tell from"}[additive]
    releases, (above, below), prior = (
        len(single) * runs,
        joint.witness.pair,
        prior_text(joint.witness.prior),
    )
    alone = listed([str(leakage) for leakage in single], quote=False) + (
        f", each {runs} times" if runs > 1 else ""
    )
    return (
        f"joint leakage {joint.leakage} of {releases} release{'s' * (releases > 1)}, {added} the "
        f"sum of the single ones ({alone}); at outputs {listed(outputs)} for {above!r} against "
        f"{below!r}, {prior}"
    )


def composition_json(
    single: Sequence[Leakage],
    joint: dict[str, Any],
    additive: bool | None,
    runs: int,
    outputs: Sequence[str],
) -> dict[str, Any]:
    """Return the composition object of the file formats, given the audit object of the joint
    release.
    """
    place = {key: value for key, value in joint["witness"].items() if key != "output"}
    return {
        "single": [each.as_json() for each in single],
        "joint": joint["leakage"],
        "additive": additive,
        "runs": runs,
        "witness": {**place, "outputs": list(outputs)},
        **{key: joint[key] for key in ("excluded", "never_checked", "checked", "trust")},
    }


@overload
def audit_composition(
    framework: Framework, mechanisms: Sequence[Channel], runs: int = 1
) -> Composition: ...
@overload
def audit_composition(
    framework: "AnyFramework", mechanisms: "Sequence[AnyMechanism]", runs: int = 1
) -> "Composition | LocalComposition | NoiseComposition": ...
def audit_composition(
    framework: "AnyFramework", mechanisms: "Sequence[AnyMechanism]", runs: int = 1
) -> "Composition | LocalComposition | NoiseComposition":
    """Audit the independent joint release of mechanisms, each run `runs` times.

    >>> from pufferproof import Channel, Framework, Table
    >>> prior = Table({"00": "1/4", "01": "1/4", "10": "1/4", "11": "1/4"})
    >>> framework = Framework(["00", "01", "10", "11"], {"s": ["00", "11"], "t": ["01", "10"]}, [("s", "t")], {"theta": prior})
    >>> bits = [Channel.of({x: {x[i]: 1} for x in framework.databases}) for i in (0, 1)]
    >>> found = audit_composition(framework, bits)
    >>> [str(single.leakage.ratio) for single in found.single], found.joint.leakage.infinite, found.additive
    (['1', '1'], True, False)

    Frameworks and mechanisms are those of `audit`; all mechanisms have noise, or none.

    Raises `ModelError` unless the mechanisms fit and the joint release is small enough to write
    out.
    """
    if not (
        isinstance(framework, Framework)
        and isinstance(mechanisms, list | tuple)
        and all(isinstance(mechanism, Channel) for mechanism in mechanisms)
        and type(runs) is int
    ):
        from pufferproof.verify.dispatch import compose_any

        return compose_any(framework, mechanisms, runs)
    aligned = [
        mechanism.aligned(framework.databases, framework.support) for mechanism in mechanisms
    ]
    if runs < 1 or not aligned:
        raise ModelError(
            f"expected at least one mechanism and one run, found {len(aligned)} and {runs}"
        )
    if len(aligned) == 1 and framework.closure == "list" and _many(aligned[0], runs):
        return _counted(framework, mechanisms[0], runs)
    joint = compose(*(repeat(mechanism, runs) for mechanism in aligned))
    single = tuple(audit(framework, mechanism) for mechanism in aligned)
    together = audit(framework, joint)
    outputs = _sequence(aligned, runs, joint.outputs.index(together.witness.output))
    return Composition(tuple(mechanisms), runs, single, together, outputs)


def _many(mechanism: Channel, runs: int) -> bool:
    """Say whether the joint release is long to write out: numbers of so many runs, for every
    multiset and database.
    """
    return runs * multisets_of(len(mechanism.outputs), runs) * len(mechanism.databases) > _MANY


def _counted(framework: Framework, mechanism: Channel, runs: int) -> Composition:
    """Audit runs by counting outputs; the channel of the joint audit tells its witness from
    every other joint output.
    """
    found, where = repeated_leakage(framework, mechanism, runs)
    outputs = tuple(
        output for output, times in zip(mechanism.outputs, where.counts) for _ in range(times)
    )
    aligned = mechanism.aligned(framework.databases, framework.support)
    orders = factorial(runs) // prod(factorial(times) for times in where.counts)
    numerators = [
        orders * prod(n**times for n, times in zip(aligned.numerators_of(x), where.counts))
        for x in range(len(aligned.databases))
    ]
    totals = [denominator**runs for denominator in aligned.denominators]
    name = json.dumps(outputs)
    rows = [[number, total - number] for number, total in zip(numerators, totals)]
    joint = Channel.of_integers(aligned.databases, (name, "any other"), rows, totals)
    checked = scope(framework, multisets_of(len(mechanism.outputs), runs))
    witness = Witness(where.prior, where.pair, name)
    together = Audit(framework, joint, None, None, found, witness, None, checked, None)
    return Composition((mechanism,), runs, (audit(framework, aligned),), together, outputs)


def _sequence(mechanisms: Sequence[Channel], runs: int, joint: int) -> tuple[str, ...]:
    """Return the outputs of every release that the joint output at a position stands for."""
    found: list[str] = []
    for mechanism in reversed(mechanisms):
        merged = list(combinations_with_replacement(mechanism.outputs, runs))
        joint, position = divmod(joint, len(merged))
        found[:0] = merged[position]
    return tuple(found)
