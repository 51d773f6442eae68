"""The largest likelihood ratio of a mechanism: one answer, whichever algorithm finds it.

    e^leakage = sup over theta, (s, s'), y of P(y | s, theta) / P(y | s', theta)

Its bounds, where it is reached, how much was compared, and how it stands to a level. Listed
channels need no more; the other algorithms add what only they have to say.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any, ClassVar

from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import Decision, Theorems, bases
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness

_SAFE = 2**53  # integers that every reader of JSON keeps


@dataclass(frozen=True)
class LargestRatio:
    """A leakage, the witness that reaches it, and the scope of what was compared; `claims` has what
    the algorithms rest on that found it, nothing if they enumerate what definitions say.

    >>> half = LargestRatio(Leakage.of(Fraction(2)), Witness("theta", ("s", "t"), "u"), Scope(4, 0, ()))
    >>> half.compare(Level("log(2)")), half.compare(Level("0.5")), half.additive([half], runs=2)
    (0, 1, <Decision.HOLDS: True>)
    """

    of_classes: ClassVar[bool] = False  # bounds of all chains of classes
    closest: ClassVar[bool] = True  # no other algorithm is closer

    leakage: Leakage
    witness: Witness
    scope: Scope
    claims: tuple[str, ...] = field(default=(), kw_only=True, repr=False)

    @property
    def output(self) -> Any:
        """The output of the witness, as a joint release takes it apart."""
        return self.witness.output

    @property
    def where(self) -> str:
        """At which values of its parameters a mechanism reaches it, empty where it has none."""
        return ""

    @property
    def closes(self) -> bool:
        """Whether the leakage is exact, or its bounds are as good as one number."""
        return True

    @property
    def theorems(self) -> Theorems:
        """What the upper bound rests on, if no output reaches it."""
        return Theorems()

    def exceeds(self, level: Level | None) -> bool:
        """Whether a level is exceeded, as an output shows that is evaluated."""
        return level is not None and self.compare(level) == 1

    def compare(self, level: Level) -> int | None:
        """Return the sign of the leakage minus epsilon, or None if its bounds do not tell.

        Where only an upper bound is known to be epsilon, it is 0.
        """
        return self.leakage.compare(level)

    def additive(self, single: "Sequence[LargestRatio]", runs: int) -> Decision:
        """Return whether this leakage is at most the sum of others, each counted `runs` times:
        undecided where it is too close to tell. An upper bound None beside a finite lower one is
        unknown.
        """
        alone, joint = [each.leakage for each in single], self.leakage
        least = product_of([each.lower for each in alone], runs)
        if least is None or (joint.upper is not None and joint.upper <= least):
            return Decision.HOLDS
        most = product_of([each.upper for each in alone], runs)
        if most is not None and (joint.lower is None or joint.lower > most):
            return Decision.FAILS
        return Decision.UNDECIDED

    def trust(self, level: Level | None) -> tuple[str, ...]:
        """Return what an answer at a level rests on, with arithmetic if e^epsilon is irrational."""
        exact = level is None or level.ratio is not None
        return ("EXACT",) if exact else ("EXACT", "INTERVAL")

    def rests_on(self, level: Level | None) -> tuple[str, ...]:
        """Return the claims that an answer at a level rests on, by their ids."""
        return self.claims

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats without a verdict."""
        scope = self.scope
        return {
            "leakage": self.leakage.as_json(),
            "witness": self.witness.as_json(),
            "excluded": scope.excluded,
            "never_checked": [list(pair) for pair in scope.never_checked],
            "checked": scope.checked if scope.checked <= _SAFE else None,
            "trust": list(self.trust(level)),
            "rests_on": bases(self.rests_on(level)),
        }


@dataclass(frozen=True)
class EnclosedRatio(LargestRatio):
    """A leakage between bounds, of which no output was compared one by one."""

    @property
    def compared(self) -> str:
        """What was compared, in words."""
        raise NotImplementedError

    def as_json(self, level: Level | None) -> JsonObject:
        """Return the audit object of the file formats: `checked` is null."""
        return super().as_json(level) | {"checked": None}


def most_of(ratios: Sequence[Fraction | None]) -> Fraction | None:
    """Return the largest of some ratios, or None, which is infinite, if one is None."""
    known = [ratio for ratio in ratios if ratio is not None]
    return max(known) if len(known) == len(ratios) else None


def least_of(ratios: Sequence[Fraction | None]) -> Fraction | None:
    """Return the least of some ratios, or None if all are infinite."""
    return min((ratio for ratio in ratios if ratio is not None), default=None)


def product_of(ratios: Sequence[Fraction | None], runs: int) -> Fraction | None:
    """Return a product of ratios, each so many times, or None if one is None."""
    known = [ratio for ratio in ratios if ratio is not None]
    return prod(known) ** runs if len(known) == len(ratios) else None
