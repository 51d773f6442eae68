"""The audit of a local mechanism against a framework on sequences too long to list: leakage,
witness, verdict.

As `pufferproof.verify.audit`, for what is never enumerated. Where exact numbers would grow long the
leakage is enclosed, and the enclosure is refined until it decides a level; a level that no
refinement decides is `UNDECIDED`.
"""

from dataclasses import dataclass, field
from typing import Any

from pufferproof.models.framework import Framework
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.level import Level, LevelLike
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import Verdict, audit_json
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness
from pufferproof.verify.sequences.leakage import KEEP, LocalLeakage, local_leakage

_PRECISIONS = (KEEP, 4 * KEEP, 16 * KEEP)


@dataclass(frozen=True, repr=False)
class LocalAudit(Readable):
    """The outcome of an audit of a local mechanism; `verdict` is None when no level was asked
    for.
    """

    framework: Framework = field(repr=False)
    mechanism: LocalMechanism = field(repr=False)
    level: Level | None
    found: LocalLeakage = field(repr=False)
    verdict: Verdict | None

    @property
    def leakage(self) -> Leakage:
        """The leakage, exact or enclosed."""
        return self.found.leakage

    @property
    def witness(self) -> Witness:
        """Where it is reached."""
        return self.found.witness

    @property
    def scope(self) -> Scope:
        """What was checked: every output, though none was listed."""
        return self.found.scope

    @property
    def trust(self) -> tuple[str, ...]:
        """What the verdict rests on: exact arithmetic, and interval arithmetic where a number
        is enclosed.
        """
        enclosed = self.leakage.lower != self.leakage.upper or (
            self.level is not None and self.level.ratio is None
        )
        return ("EXACT", "INTERVAL") if enclosed else ("EXACT",)

    def as_json(self) -> dict[str, Any]:
        """Return the audit object of the file formats; `checked` is null beyond 2^53."""
        return audit_json(self.verdict, self.leakage, self.witness, self.scope, self.trust)

    def __str__(self) -> str:
        verdict = "" if self.verdict is None else f"{self.verdict.value} {self.level}; "
        return f"{verdict}leakage {self.leakage}, {self.witness}"


@checked
def audit_local(
    framework: Framework,
    mechanism: LocalMechanism,
    epsilon: LevelLike | None = None,
) -> LocalAudit:
    """Audit a local mechanism against a framework on sequences of any length.

    >>> from pufferproof import MarkovChain, Records
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x5=0": (5, "0"), "x5=1": (5, "1")}
    >>> framework = Framework.of_records(Records(1000, ("0", "1")), secrets, "disjoint", {"theta": chain})
    >>> rows = [["1", "1"] if 3 <= record <= 7 else ["0", "0"] for record in range(1, 1001)]
    >>> found = audit_local(framework, LocalMechanism.redacting(("0", "1"), rows), "log(2)")
    >>> found.verdict, found.leakage.ratio
    (<Verdict.SATISFIES: 'SATISFIES'>, Fraction(81, 49))

    Raises `ModelError` as `local_leakage` does.
    """
    level = None if epsilon is None else Level.coerce(epsilon, "epsilon")
    for keep in _PRECISIONS:
        found = local_leakage(framework, mechanism, keep)
        verdict = None if level is None else _verdict(found.leakage, level)
        if verdict is not Verdict.UNDECIDED:
            break
    return LocalAudit(framework, mechanism, level, found, verdict)


def _verdict(leakage: Leakage, level: Level) -> Verdict:
    if leakage.lower is None or level.compare(leakage.lower) > 0:
        return Verdict.VIOLATES
    if leakage.upper is not None and level.compare(leakage.upper) <= 0:
        return Verdict.SATISFIES
    return Verdict.UNDECIDED
