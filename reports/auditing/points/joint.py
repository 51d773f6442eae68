"""What `compose` answers about normal records that are not truncated: several linear queries of the
same records, each with noise of its own.

They are one query with all coordinates: leakages of Laplace noise add up pair by pair. Distances of
Gaussian noise do not, as releases share their records.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import text_of
from pufferproof.reports.auditing.points.answer import (
    PointAudit,
    PointQuestion,
    delta_words,
    leakage_words,
    witness_words,
)
from pufferproof.reports.auditing.points.reading import PointFiles
from pufferproof.reports.console.words import counted, level_nats, trust_line
from pufferproof.reports.schemas.composition import Compose
from pufferproof.verify.decision import Decision
from pufferproof.verify.noise.gaussian.points import PointLeakage, shifts

_ADDITIVE = {
    True: "the joint leakage is at most the sum of the single ones",
    False: "the joint leakage exceeds the sum of the single ones: these releases do not compose",
    None: "not told: the joint leakage and the sum of the single ones are too close",
}


@dataclass(frozen=True)
class PointComposition:
    """Joint releases: every mechanism `runs` times, the levels claimed for the mechanisms, if any,
    and what is asked of all together.
    """

    files: PointFiles
    runs: int
    levels: Sequence[Level]
    together: PointQuestion

    @cached_property
    def joint(self) -> PointAudit:
        """All releases, at the level asked for."""
        queries = [each.value for each in self.files.mechanisms]
        return PointAudit(shifts(self.files.framework.value, queries, self.runs), self.together)

    @cached_property
    def single(self) -> list[PointAudit]:
        """Every mechanism released once, at the level claimed for it."""
        framework = self.files.framework.value
        asked: Sequence[Level | None] = self.levels or [None] * len(self.files.mechanisms)
        return [
            PointAudit(shifts(framework, [each.value]), PointQuestion(level))
            for each, level in zip(self.files.mechanisms, asked)
        ]

    @property
    def leakage(self) -> PointLeakage:
        """The joint leakage."""
        return self.joint.leakage

    @property
    def decisions(self) -> list[Decision | None]:
        """What was decided, None where nothing was asked."""
        return [*(each.kept for each in self.single), self.joint.kept]

    @property
    def trust(self) -> list[str]:
        """What the answer rests on."""
        every = [*self.single, self.joint]
        return list(dict.fromkeys(word for each in every for word in each.trust))

    def answer(self) -> Compose:
        """Return what is printed with `--json`."""
        shift, files = self.leakage.shift, self.files
        known: dict[str, Any] = {
            "single": [each.leakage.as_json() for each in self.single],
            "joint": self.leakage.as_json(),
            "additive": self.additive,
            "runs": self.runs,
            "witness": {
                "prior": shift.prior,
                "pair": list(shift.pair),
                "outputs": self._outputs,
            },
            "excluded": 0,
            "never_checked": [],
            "checked": 2 * len(self.joint.found),
            "trust": self.trust,
            "rate": None,
            "inputs": hashes(framework=files.framework, mechanisms=files.mechanisms),
        }
        if self.levels:
            known["claimed"] = [
                {"level": str(level), "verdict": each.verdict}
                for level, each in zip(self.levels, self.single)
            ]
        if self.together.level is not None:
            known["together"] = {
                "level": str(self.together.level),
                "verdict": self.joint.verdict,
            }
        if self.joint.delta is not None:
            known["together"]["delta"] = self.joint.delta.as_json()
        return Compose.model_validate(known)

    @cached_property
    def additive(self) -> bool | None:
        """Whether the joint leakage is at most the sum of the single ones, None where enclosures do
        not tell. Between values both are equal, or infinite; between windows they need not be.
        """
        if len(self.files.mechanisms) * self.runs == 1 or self.leakage.infinite:
            return True
        if all(shift.pointwise for shift in self.joint.found):
            return True
        joint, singles = (
            self.leakage.enclosure(),
            [each.leakage.enclosure() for each in self.single],
        )
        if exact(joint.upper) <= self.runs * sum(exact(each.lower) for each in singles):
            return True
        most = self.runs * sum(exact(each.upper) for each in singles)
        return False if exact(joint.lower) > most else None

    @property
    def _outputs(self) -> list[str]:
        """Where the outputs of every release go, mechanism by mechanism in its runs."""
        numbers, found = self.leakage.shift.output.split(","), []
        for each in self.files.mechanisms:
            size = each.value.dimension
            found += [",".join(numbers[:size])] * self.runs
            numbers = numbers[size:]
        return found

    @property
    def lines(self) -> list[str]:
        """What is printed on a terminal."""
        paths = [each.path for each in self.files.mechanisms]
        releases = counted(len(paths) * self.runs, "release")
        pairs = counted(2 * len(self.joint.found), "ordered pair")
        return [
            *self._together_lines(),
            *(
                f"{each.verdict} {level_nats(level)}  {path}, released once"
                for level, each, path in zip(self.levels, self.single, paths)
            ),
            *(
                f"single    {leakage_words(each.leakage)}  {p}"
                for each, p in zip(self.single, paths)
            ),
            f"joint     {leakage_words(self.leakage)}  ({releases})",
            *witness_words(self.leakage, None),
            f"additive  {_ADDITIVE[self.additive]}",
            f"checked   {pairs} of laws, in closed form",
            trust_line(self.trust),
        ]

    def _together_lines(self) -> list[str]:
        asked = self.together
        if asked.level is None:
            return []
        bound = "" if asked.delta is None else f", delta {text_of(asked.delta)}"
        head = f"{self.joint.verdict} {level_nats(asked.level)}{bound}  all releases together"
        delta = self.joint.delta
        if delta is None:
            return [head]
        apart = [_distance(self)] if all(shift.pointwise for shift in self.joint.found) else []
        return [head, delta_words(delta), *apart]


def _distance(composition: PointComposition) -> str:
    """Say that distances do not add up: what the sum of those of single releases would be."""
    joint = composition.joint.delta
    singles = [each.found for each in composition.single]
    added = composition.runs * sum(
        (max(shift.squared or Fraction(0) for shift in found) for found in singles), Fraction(0)
    )
    square = Fraction(0) if joint is None else joint.squared
    return (
        f"distance  D^2 = {float(square):.6g} of all releases, which share their records; those of "
        f"single ones add up to {float(added):.6g}"
    )
