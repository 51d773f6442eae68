"""The exact leakage of a joint release of local mechanisms on sequences too long to list.

Released together, independently, local mechanisms are one local mechanism: every record shows a
symbol of each.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.signatures import checked
from pufferproof.models.sequences.local import MAX_SYMBOLS, LocalMechanism, joint_local
from pufferproof.verify.composition import composition_json, composition_text, is_additive
from pufferproof.verify.sequences.audit import LocalAudit, audit_local


@dataclass(frozen=True, repr=False)
class LocalComposition(Readable):
    """Single and joint leakage of local mechanisms released together, each `runs` times.

    `outputs` is the joint witness: the outputs of every release, the runs of the first mechanism
    first.
    """

    mechanisms: tuple[LocalMechanism, ...] = field(repr=False)
    runs: int
    single: tuple[LocalAudit, ...]
    joint: LocalAudit
    outputs: tuple[str, ...] = field(repr=False)

    @property
    def additive(self) -> bool | None:
        """Whether the joint leakage is at most the sum of the leakages of its releases; None
        where that is too close.
        """
        return is_additive(self.joint.leakage, [each.leakage for each in self.single], self.runs)

    def as_json(self) -> dict[str, Any]:
        """Return the composition object of the file formats."""
        single = [each.leakage for each in self.single]
        return composition_json(
            single, self.joint.as_json(), self.additive, self.runs, self.outputs
        )

    def __str__(self) -> str:
        return composition_text(
            [each.leakage for each in self.single],
            self.joint,
            self.outputs,
            self.additive,
            self.runs,
        )


@checked
def audit_local_composition(
    framework: Framework, mechanisms: Sequence[LocalMechanism], runs: int = 1
) -> LocalComposition:
    """Audit the independent joint release of local mechanisms, each run `runs` times.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
    >>> framework = Framework.of_records(Records(1, ("0", "1")), secrets, "disjoint", {"theta": chain})
    >>> coin = LocalMechanism.of("01", "01", [[["3/4", "1/4"], ["1/4", "3/4"]]])
    >>> audit_local_composition(framework, [coin], 3).joint.leakage.ratio
    Fraction(27, 1)

    Raises `ModelError` as `audit_local` does, and unless a record of the joint release has few
    enough symbols.
    """
    if not mechanisms:
        raise ModelError("expected at least one mechanism, found none", "mechanisms")
    if not 1 <= runs <= MAX_SYMBOLS:
        raise ModelError(f"expected 1 to {MAX_SYMBOLS} runs, found {runs}", "runs")
    releases = [mechanism for mechanism in mechanisms for _ in range(runs)]
    joint = audit_local(framework, joint_local(*releases))
    single = {id(mechanism): audit_local(framework, mechanism) for mechanism in mechanisms}
    outputs = _separated(releases, joint.found.symbols)
    return LocalComposition(
        tuple(mechanisms), runs, tuple(single[id(each)] for each in mechanisms), joint, outputs
    )


def _separated(releases: Sequence[LocalMechanism], symbols: Sequence[int]) -> tuple[str, ...]:
    """Return the output of every release, given the symbols of the joint one."""
    found = []
    for mechanism in reversed(releases):
        symbols, mine = zip(*(divmod(symbol, len(mechanism.outputs)) for symbol in symbols))
        found.append(mechanism.label(mine))
    return tuple(reversed(found))
