"""The audit of one mechanism against one framework: exact leakage, witness, verdict.

`SATISFIES` and `VIOLATES` are decided by exact arithmetic (python-flint's Arb encloses e^epsilon
where it is irrational, and is refined until it decides). Without a level there is a leakage and no
verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.arguments import Number
from pufferproof.models.interface.readable import Readable, between
from pufferproof.models.numbers.grammar import brief, exact, text_of
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.verify.leakage.delta import Delta, smallest_delta
from pufferproof.verify.leakage.mixtures import (
    MixtureDelta,
    as_leakage,
    compare,
    mixture_delta,
    mixture_leakage,
)
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness, leakage, scope

if TYPE_CHECKING:
    from pufferproof.models.noise.additive import AdditiveNoise
    from pufferproof.models.noise.records import RecordQuery
    from pufferproof.verify.dispatch import AnyFramework, AnyMechanism
    from pufferproof.verify.noise.audit import NoiseAudit
    from pufferproof.verify.sequences.audit import LocalAudit


_SAFE = 2**53  # integers that every reader of JSON keeps


class Verdict(Enum):
    """What an audit against a level found.

    >>> [verdict.value for verdict in Verdict]
    ['SATISFIES', 'VIOLATES', 'UNDECIDED']
    """

    SATISFIES = "SATISFIES"
    VIOLATES = "VIOLATES"
    UNDECIDED = "UNDECIDED"


def audit_json(
    verdict: Verdict | None, found: Leakage, witness: Witness, scope: Scope, trust: Sequence[str]
) -> dict[str, Any]:
    """Return the audit object of the file formats (without `inputs`); `checked` is null beyond
    2^53.
    """
    return {
        "verdict": None if verdict is None else verdict.value,
        "leakage": found.as_json(),
        "witness": witness.as_json(),
        "excluded": scope.excluded,
        "never_checked": [list(pair) for pair in scope.never_checked],
        "checked": scope.checked if scope.checked <= _SAFE else None,
        "trust": list(trust),
    }


@dataclass(frozen=True, repr=False)
class Audit(Readable):
    """The outcome of an audit.

    `leakage` is exact; `witness` is where it is reached (for mixtures of priors: approached).
    `verdict` is None when no level was asked for. `delta` is set when a delta was asked for, and
    then the verdict is about (epsilon, delta).

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> found = audit(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]))
    >>> found.leakage.ratio, found.witness.output, found.verdict
    (Fraction(3, 1), 'u', None)
    """

    framework: Framework = field(repr=False)
    channel: Channel = field(repr=False)
    level: Level | None
    delta_bound: Fraction | None
    leakage: Leakage
    witness: Witness
    delta: Delta | MixtureDelta | None
    scope: Scope
    verdict: Verdict | None

    @property
    def trust(self) -> tuple[str, ...]:
        """What the verdict rests on: exact arithmetic, and interval arithmetic where e^epsilon
        is irrational.
        """
        return (
            ("EXACT", "INTERVAL")
            if self.level is not None and self.level.ratio is None
            else ("EXACT",)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the audit object of the file formats (without `inputs`, which a reader of
        files adds).
        """
        found = audit_json(self.verdict, self.leakage, self.witness, self.scope, self.trust)
        if self.delta is not None:
            found["delta"] = self.delta.as_json()
        return found

    def __str__(self) -> str:
        bound = "" if self.delta_bound is None else f", delta {brief(self.delta_bound)}"
        smallest = "" if self.delta is None else f"smallest delta {between(*self.delta.bounds())}; "
        verdict = (
            "" if self.verdict is None else f"{self.verdict.value} {self.level}{bound}; {smallest}"
        )
        return f"{verdict}leakage {self.leakage}, {self.witness}"


@overload
def audit(
    framework: Framework,
    mechanism: Channel,
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
) -> Audit: ...
@overload
def audit(
    framework: "AnyFramework",
    mechanism: "AnyMechanism | Sequence[AdditiveNoise | RecordQuery]",
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
) -> "Audit | LocalAudit | NoiseAudit": ...
def audit(
    framework: "AnyFramework",
    mechanism: "AnyMechanism | Sequence[AdditiveNoise | RecordQuery]",
    epsilon: LevelLike | None = None,
    delta: Number | None = None,
) -> "Audit | LocalAudit | NoiseAudit":
    """Audit a mechanism against a framework.

    Args: framework: what must be protected, and what an adversary may believe: a `Framework`,
            listed or of long sequences.
        mechanism: a channel with a row for every database of positive probability; a local
            mechanism; a query with noise, or a list of them that are released together.
        epsilon: the level to decide: `"log(3/2)"`, nats as text or a number, or None for the
        leakage alone. delta: with `epsilon`, decide (epsilon, delta)-Pufferfish instead.

    Framework and mechanism may be what `read_framework` and `read_mechanism` return, and stand in
    either order.

    Returns: an `Audit`; a `LocalAudit` of a local mechanism on sequences; a `NoiseAudit` of queries
    with noise.

    Raises `ModelError` unless the mechanism fits, there is something to check, and delta is in [0,
    1].

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> print(audit(framework, Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]), epsilon="log(3)"))
    SATISFIES log(3); leakage log(3) ≈ 1.098612 nats, at output 'u' for 's' against 't', prior 'theta'
    """
    if not isinstance(framework, Framework) or not isinstance(mechanism, Channel):
        from pufferproof.verify.dispatch import audit_any

        return audit_any(framework, mechanism, epsilon, delta)
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    bound = None if delta is None else _delta_bound(delta)
    if bound is not None and level is None:
        raise ModelError("a delta needs a level: expected epsilon as well", "delta")
    found, witness, pure = _pure(framework, mechanism, level)
    sign: int | None = pure
    smallest: Delta | MixtureDelta | None = None
    if level is not None and bound is not None:
        smallest, sign = _approximate(framework, mechanism, level, bound)
    checked = scope(framework, len(mechanism.outputs))
    verdict = None if level is None else verdict_of(sign)
    return Audit(framework, mechanism, level, bound, found, witness, smallest, checked, verdict)


def assert_pufferfish(
    mechanism: "AnyMechanism | Sequence[AdditiveNoise | RecordQuery]",
    framework: "AnyFramework",
    epsilon: LevelLike,
) -> None:
    """Raise `AssertionError`, with the witness, unless the mechanism is epsilon-Pufferfish (for
    test suites).

    Takes what `audit` takes.

    >>> from pufferproof import Channel, Framework, Table
    >>> framework = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    >>> assert_pufferfish(Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"]), framework, "log(3)")
    """
    result = audit(framework, mechanism, Level.coerce(epsilon, "epsilon"))
    if result.verdict is not Verdict.SATISFIES:
        raise AssertionError(str(result))


def _pure(
    framework: Framework, mechanism: Channel, level: Level | None
) -> tuple[Leakage, Witness, int]:
    """Return the leakage, its witness and the sign of leakage - level."""
    if framework.closure == "convex":
        supremum, witness = mixture_leakage(framework, mechanism, level)
        return as_leakage(supremum), witness, 0 if level is None else compare(supremum, level)
    found, witness = leakage(framework, mechanism)
    return (
        found,
        witness,
        0 if level is None else 1 if found.ratio is None else level.compare(found.ratio),
    )


def _approximate(
    framework: Framework, mechanism: Channel, level: Level, bound: Fraction
) -> tuple[Delta | MixtureDelta, int | None]:
    """Return the smallest delta at a level and the sign of delta - bound, None if undecided."""
    if framework.closure == "convex":
        return mixture_delta(framework, mechanism, level, bound)
    smallest = smallest_delta(framework, mechanism, level)
    return smallest, smallest.compare(bound)


def verdict_of(sign: int | None) -> Verdict:
    """Return the verdict on a leakage, or delta, whose sign minus the one asked for is known;
    None: it is not.
    """
    if sign is None:
        return Verdict.UNDECIDED
    return Verdict.VIOLATES if sign > 0 else Verdict.SATISFIES


def _delta_bound(value: Number) -> Fraction:
    try:
        bound = exact(value)
    except ModelError as error:
        raise error.within("delta") from None
    if not 0 <= bound <= 1:
        raise ModelError(f"expected a probability, found {text_of(bound)}", "delta")
    return bound
