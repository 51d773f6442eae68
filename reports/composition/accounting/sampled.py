"""`pufferproof compose` of mechanisms that draw a fresh sample in every run, and of the events of
dp_accounting: delta at a level, or the level at a delta, between proved bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.interface.readable import between
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.reports.console.options import parsed_level
from pufferproof.reports.console.words import counted, level_nats
from pufferproof.reports.schemas.composition import ComposeSampled
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.noise.losses.account import Bounds
from pufferproof.verify.noise.losses.composition import compose_sampled, enclosed
from pufferproof.verify.noise.losses.reading import SampledFiles


@dataclass(frozen=True)
class SampledAnswer:
    """What runs with fresh samples leak: `delta` at a level, or the level at `bound`."""

    files: SampledFiles
    runs: int
    level: Level | None
    bound: Fraction | None

    @classmethod
    def of(
        cls, files: SampledFiles, runs: int, levels: list[str], delta: str | None
    ) -> "SampledAnswer":
        """Read what is asked. Raises `ModelError` unless something is."""
        if len(levels) > 1:
            raise ModelError(f"expected one, of all runs, found {len(levels)}", "--epsilon")
        level = levels[0] if levels else None
        bound = None if delta is None else probability(delta, "--delta")
        if level is None and bound is None:
            raise ModelError(
                "expected --delta for the smallest level, --epsilon for the smallest delta, or "
                "both for a verdict",
                "--delta",
            )
        return cls(files, runs, parsed_level(level), bound)

    @cached_property
    def _steps(self):  # type: ignore[no-untyped-def]
        every = [each.value for each in self.files.mechanisms]
        return compose_sampled(self.files.framework.value, every, self.runs)

    @cached_property
    def _delta(self) -> Bounds | None:
        return None if self.level is None else self._steps.delta(self.level, self.bound)

    @cached_property
    def _epsilon(self) -> Bounds | None:
        return None if self.bound is None else self._steps.epsilon(self.bound)

    @cached_property
    def kept(self) -> Decision | None:
        """Whether all runs keep (epsilon, delta), None if it was not asked."""
        if self._delta is None or self.bound is None:
            return None
        lower, upper = self._delta
        if upper <= self.bound:
            return Decision.HOLDS
        return Decision.FAILS if lower > self.bound else Decision.UNDECIDED

    @property
    def shown(self) -> ComposeSampled:
        """The object that --json prints."""
        delta = None if self._delta is None else enclosed(self._delta).as_json()
        alone = self.bound is not None and self.level is None
        fields: JsonObject = {
            "verdict": None if self.kept is None else Verdict.of(self.kept).value,
            "level": None if self.level is None else str(self.level),
            "bound": None if self.bound is None else text_of(self.bound),
            "delta": None if delta is None else {"ratio": None, **delta},
            "epsilon": enclosed(self._epsilon).as_json() if alone else None,
            "runs": self.runs,
            "neighbours": {
                "relation": self._steps.relation,
                "changes": self.files.framework.value.changes,
            },
            "shared": self._steps.shared,
            "about": self._steps.says,
            "reached": self._steps.reached,
            "notes": list(self._steps.notes),
            "trust": ["INTERVAL", "PROSE"],
            "rests_on": self._steps.rests_on,
            "inputs": hashes(framework=self.files.framework, mechanisms=self.files.mechanisms),
        }
        return ComposeSampled.model_validate(fields)

    def lines(self) -> list[str]:
        """Render it for a terminal."""
        relation, steps = self._steps.relation, self._steps
        lines = []
        if self.kept is not None and self.level is not None and self.bound is not None:
            verdict = Verdict.of(self.kept).value
            lines.append(f"{verdict} {level_nats(self.level)}, delta {text_of(self.bound)}")
        if self._delta is not None and self.level is not None:
            level = level_nats(self.level)
            lines.append(f"delta     {between(*self._delta)}, the smallest at {level}")
        if self.level is None and self.bound is not None:
            known = self._epsilon
            nats = "infinite" if known is None else f"{between(*known)} nats"
            lines.append(f"epsilon   {nats}, the smallest level at delta {text_of(self.bound)}")
        times = counted(self.runs, "run")
        lines += [
            f"runs      {times} of {counted(len(self.files.mechanisms), 'mechanism')}",
            f"shared    {steps.shared}",
            f"about     one record, neighbours by {relation}: {steps.says}",
        ]
        return [*lines, *(f"note      {note}" for note in steps.notes)]


def refuse_with_samples(options: Mapping[str, object]) -> None:
    """Raise `ModelError` for options that do not go with fresh samples."""
    option = next((name for name, value in options.items() if value), None)
    if option == "--ledger":
        raise ModelError(
            "fresh samples and events of dp_accounting are accounted in one command: leave it out, "
            "and name every mechanism as often as it was released, or use --runs",
            option,
        )
    if option is not None:
        raise ModelError("cannot be combined with fresh samples or events of dp_accounting", option)
