"""Which audit answers for which framework and mechanism, alone or released together.

| framework | mechanism | audited by |
|---|---|---|
| `Framework` | `Channel` | `audit`, `audit_composition` |
| `Framework` | `LocalMechanism`, `LocalRedaction` | the same, after it is written out as a channel |
| `Framework` | `LocalMechanism`, `LocalRedaction` | `audit_local`, `audit_local_composition` |
| either | `AdditiveNoise`, `RecordQuery`, or a list of them | `audit_noise`, `audit_noise_composition` |

What `read_framework` and `read_mechanism` return stands for the value read, and the two may come in
either order.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import Loaded
from pufferproof.models.framework import Framework
from pufferproof.models.interface.arguments import Number
from pufferproof.models.interface.signatures import checked
from pufferproof.models.noise.additive import AdditiveNoise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import LevelLike
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.verify.noise.audit import NoiseAudit, Release, audit_noise
from pufferproof.verify.noise.composition import NoiseComposition, audit_noise_composition
from pufferproof.verify.sequences.audit import LocalAudit, audit_local
from pufferproof.verify.sequences.composition import LocalComposition, audit_local_composition

if TYPE_CHECKING:
    from pufferproof.verify.audit import Audit
    from pufferproof.verify.composition import Composition

Mechanism = Channel | LocalMechanism | LocalRedaction | Release
AnyFramework = Framework | Loaded[Framework]
AnyMechanism = (
    Mechanism
    | Loaded[Channel]
    | Loaded[AdditiveNoise]
    | Loaded[RecordQuery]
    | Loaded[LocalMechanism]
)


def audit_any(
    framework: Any, mechanism: Any, epsilon: LevelLike | None, delta: Number | None
) -> "Audit | LocalAudit | NoiseAudit":
    """Audit any mechanism against any framework; see this file's head. Raises `ModelError`
    unless they go together.
    """
    return _audited(*_in_order(framework, mechanism), epsilon, delta)


def compose_any(
    framework: Any, mechanisms: Any, runs: int
) -> "Composition | LocalComposition | NoiseComposition":
    """Audit the joint release of any mechanisms. Raises `ModelError` unless they are of one
    kind and fit the framework.
    """
    return _together(*_in_order(framework, mechanisms), runs)


def _in_order(framework: Any, mechanism: Any) -> tuple[Any, Any]:
    first, second = (
        each.value if isinstance(each, Loaded) else each for each in (framework, mechanism)
    )
    return (
        (second, first)
        if isinstance(second, Framework) and not isinstance(first, Framework)
        else (first, second)
    )


@checked
def _audited(
    framework: Framework,
    mechanism: Mechanism | Sequence[Release],
    epsilon: LevelLike | None,
    delta: Number | None,
) -> "Audit | LocalAudit | NoiseAudit":
    from pufferproof.verify.audit import audit

    found = _fitting(framework, mechanism) if isinstance(mechanism, Mechanism) else mechanism
    if isinstance(found, Channel):
        return audit(framework, found, epsilon, delta)
    if delta is not None:
        raise ModelError(
            "goes with mechanisms whose outputs are listed, found queries or sequences that are "
            "not",
            "delta",
        )
    if isinstance(found, LocalMechanism):
        return audit_local(framework, found, epsilon)
    return audit_noise(framework, found, epsilon)


@checked
def _together(
    framework: Framework, mechanisms: Sequence[Mechanism], runs: int
) -> "Composition | LocalComposition | NoiseComposition":
    from pufferproof.verify.composition import audit_composition

    found = [_fitting(framework, mechanism) for mechanism in mechanisms]
    noisy = [each for each in found if isinstance(each, Release)]
    if noisy and len(noisy) == len(found):
        return audit_noise_composition(framework, noisy, runs)
    if noisy:
        raise ModelError("expected all with noise or none, found both", "mechanisms")
    local = [each for each in mechanisms if isinstance(each, LocalMechanism)]
    if len(local) == len(mechanisms) and not _written_out(framework, local, runs):
        return audit_local_composition(framework, local, runs)
    return audit_composition(framework, [each for each in found if isinstance(each, Channel)], runs)


def _fitting(framework: Framework, mechanism: Mechanism) -> "Channel | LocalMechanism | Release":
    """Return a mechanism in the form that the audit of a framework takes."""
    if isinstance(mechanism, LocalRedaction):
        mechanism = LocalMechanism.redacting(("0", "1"), mechanism.rows)
    if isinstance(mechanism, LocalMechanism):
        if framework.records is None:
            raise ModelError(
                "a mechanism given record by record needs a framework of records", "framework"
            )
        mechanism.fits(framework.records)
        return mechanism.channel() if _written_out(framework, [mechanism]) else mechanism
    return mechanism


def _written_out(framework: Framework, mechanisms: Sequence[LocalMechanism], runs: int = 1) -> bool:
    """Whether local mechanisms are audited as channels: where they are short, and where there are
    no chains to follow.
    """
    short = framework.expect_records().enumerable and writable(mechanisms, runs)
    return short or not framework.along_records
