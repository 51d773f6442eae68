"""The audit of a mechanism whose outputs an unknown function changes before they are shown.

No function of the outputs adds to a leakage, a delta or a divergence, and it may take all of it
away: what the mechanism before it keeps is kept, and nothing is ever violated.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from pufferproof.models.interface.readable import between
from pufferproof.models.mechanisms.releases import PostProcessed
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.audit.answer import Audit
from pufferproof.verify.decision import Decision, united
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage

RESTS_ON = ("general.post-processing",)


@dataclass(frozen=True)
class ProcessedRatio(LargestRatio):
    """Bounds of what a function of the outputs tells: nothing, and what `before` tells without it.

    The witness is that of the mechanism before the function.
    """

    closest: ClassVar[bool] = False

    before: Audit = field(repr=False)

    @property
    def where(self) -> str:
        """What the bounds are."""
        return f"at most {self.before.leakage} before post-processing"

    @property
    def closes(self) -> bool:
        """False: nothing is known of the function."""
        return False

    def compare(self, level: Level) -> int | None:
        """Return the sign of the upper bound minus epsilon, None if it is above: a function may
        hide all of it.
        """
        sign = self.before.largest.compare(level)
        return None if sign is None or sign > 0 else sign

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what the audit before the function rests on; that a function adds nothing to a
        delta or a divergence is an argument in words.
        """
        before = self.before
        in_words = before.delta is not None or before.renyi is not None
        return united(before.trust, ("PROSE",) if in_words else ())

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that the bound rests on."""
        return united(self.before.rests_on, RESTS_ON)

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats, with the audit before the function."""
        return super().as_json(level) | {"before": self.before.as_json()}


def processed(mechanism: PostProcessed, before: Audit) -> Audit:
    """Return what the audit before a function of the outputs says of them.

    >>> from pufferproof import Channel, Framework, Table, audit
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> coin = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])
    >>> [audit(framework, PostProcessed(coin), level).verdict.value for level in ("log(3)", "1")]
    ['SATISFIES', 'UNDECIDED']
    """
    given: Any = mechanism  # what an audit has been of, beside the forms that are decided
    most = before.leakage.upper
    largest = ProcessedRatio(Leakage(Fraction(1), most), before.witness, before.scope, before=before)
    kept = Decision.UNDECIDED if before.kept is Decision.FAILS else before.kept
    return Audit(
        before.framework, given, before.level, largest, kept, before.delta_bound, source=_source(before), of=before.of
    )


def _source(before: Audit) -> str:
    """Say what is known of a delta, or of a divergence, and in which sense a level is undecided."""
    said = []
    if before.delta is not None:
        said.append(f"the smallest delta is {between(*before.delta.bounds())}")
    if before.renyi is not None:
        said.append(str(before.renyi))
    if before.kept is Decision.FAILS:
        said.append("it exceeds what was asked")
    if not said:
        return ""
    return f"before post-processing {' and '.join(said)}; what the function hides is not known"
