"""What `audit` answers about normal records that are not truncated, as an object and as lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.enclosures import Enclosure, enclose
from pufferproof.models.numbers.grammar import exact as exact_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import brief, outward, rounded, text_of
from pufferproof.reports.auditing.points.reading import PointFiles
from pufferproof.reports.console.words import counted, level_nats, trust_line
from pufferproof.reports.schemas.audit import Audit as AuditAnswer
from pufferproof.verify.audit import Verdict
from pufferproof.verify.decision import Decision
from pufferproof.verify.noise.gaussian.between import delta_of
from pufferproof.verify.noise.gaussian.points import (
    PointDelta,
    PointLeakage,
    Shift,
    farthest,
    shifts,
)
from pufferproof.verify.noise.gaussian.windows import leakage_of

CLAIM = "PROSE"


@dataclass(frozen=True)
class PointQuestion:
    """The level that is decided, with a delta or a Renyi order if there is one."""

    level: Level | None = None
    delta: Fraction | None = None
    order: Fraction | None = None


@dataclass(frozen=True)
class PointAudit:
    """The audit of linear queries that are released together, `runs` times each."""

    found: Sequence[Shift]
    question: PointQuestion

    @classmethod
    def of(cls, files: PointFiles, question: PointQuestion) -> "PointAudit":
        """Audit all queries of the files together."""
        queries = [each.value for each in files.mechanisms]
        return cls(shifts(files.framework.value, queries), question)

    @cached_property
    def leakage(self) -> PointLeakage:
        """The largest leakage over priors and pairs."""
        return leakage_of(self.found)

    @cached_property
    def delta(self) -> PointDelta | None:
        """The smallest delta at the level, where one is asked for."""
        question = self.question
        if question.delta is None or question.level is None:
            return None
        try:
            return delta_of(self.found, question.level)
        except ModelError as error:
            raise error.within("--delta") from None

    @cached_property
    def renyi(self) -> Fraction | None:
        """The Renyi divergence in nats, where an order is asked for."""
        if self.question.order is None:
            return None
        if not self._pointwise:
            raise ModelError(
                'goes with secrets "at" numbers: between windows, expected --delta, or none',
                "--renyi",
            )
        try:
            return self.question.order * (farthest(self.found).squared or Fraction(0)) / 2
        except ModelError as error:
            raise error.within("--renyi") from None

    @cached_property
    def kept(self) -> Decision | None:
        """Whether the level is kept, None where none was asked for."""
        question = self.question
        if question.level is None:
            return None
        if self.delta is not None and question.delta is not None:
            return Decision.at_most(self.delta.compare(question.delta))
        if self.renyi is not None:
            return Decision.at_most(-compared_nats(question.level, self.renyi))
        return Decision.at_most(self.leakage.compare(question.level))

    @property
    def verdict(self) -> str | None:
        """The word for it."""
        return None if self.kept is None else Verdict.of(self.kept).value

    @property
    def trust(self) -> list[str]:
        """What the answer rests on."""
        level, leakage = self.question.level, self.leakage
        enclosed = not leakage.rational or (self.delta is not None and any(leakage.shift.slopes))
        if enclosed and not self._pointwise:
            return ["INTERVAL", CLAIM]
        exact = level is None or (level.nats is not None and leakage.rational)
        return ["EXACT", *([] if exact and self.delta is None else ["INTERVAL"]), CLAIM]

    @property
    def _pointwise(self) -> bool:
        return all(shift.pointwise for shift in self.found)

    def answer(self, files: PointFiles) -> AuditAnswer:
        """Return what is printed with `--json`."""
        shift, inputs = (
            self.leakage.shift,
            hashes(framework=files.framework, mechanism=files.mechanisms[0]),
        )
        known: dict[str, Any] = {
            "verdict": self.verdict,
            "leakage": self.leakage.as_json(),
            "witness": {
                "prior": shift.prior,
                "pair": list(shift.pair),
                "output": shift.output,
            },
            "excluded": 0,
            "never_checked": [],
            "checked": 2 * len(self.found),
            "trust": self.trust,
        }
        if self.delta is not None:
            known["delta"] = self.delta.as_json()
        if self.renyi is not None and self.question.order is not None:
            known["renyi"] = self._renyi_json(self.question.order, self.renyi)
        return AuditAnswer.model_validate(known | {"inputs": inputs})

    def _renyi_json(self, order: Fraction, nats: Fraction) -> dict[str, Any]:
        shift = farthest(self.found)
        return {
            "alpha": text_of(order),
            "moment": None if nats else "1",
            "epsilon": nats_of(nats).as_json(),
            "witness": {"prior": shift.prior, "pair": list(shift.pair)},
        }

    @property
    def lines(self) -> list[str]:
        """What is printed on a terminal."""
        count = counted(2 * len(self.found), "ordered pair")
        return [
            *self._verdict_lines(),
            f"leakage   {leakage_words(self.leakage)}",
            *witness_words(self.leakage, self.question.level),
            *self._delta_lines(),
            *self._renyi_lines(),
            f"checked   {count} of laws, in closed form",
            trust_line(self.trust),
        ]

    def _verdict_lines(self) -> list[str]:
        question = self.question
        if self.verdict is None:
            return []
        bound = "" if question.delta is None else f", delta {text_of(question.delta)}"
        order = "" if question.order is None else f" at order {text_of(question.order)}"
        return [f"{self.verdict} {level_nats(question.level)}{bound}{order}"]

    def _delta_lines(self) -> list[str]:
        if self.delta is None:
            return []
        return [delta_words(self.delta)]

    def _renyi_lines(self) -> list[str]:
        if self.renyi is None or self.question.order is None:
            return []
        (above, below), prior = farthest(self.found).pair, farthest(self.found).prior
        order = text_of(self.question.order)
        return [
            f"Renyi     {rounded(nats_of(self.renyi).upper)} nats, the divergence of order {order}",
            f'          "{above}" against "{below}" under "{prior}"',
        ]


def delta_words(delta: PointDelta) -> str:
    """Say what the smallest delta at a level is."""
    ends = enclose(*delta.bounds())
    low, high = outward(ends.lower, ends.upper)
    about = f"≈ {rounded(ends.lower)}"
    shown = about if rounded(ends.lower) == rounded(ends.upper) else f"between {low} and {high}"
    return f"delta     {shown}, the smallest at {level_nats(delta.level)}"


def leakage_words(leakage: PointLeakage) -> str:
    """Say a leakage in a phrase."""
    if leakage.infinite:
        return "infinite"
    ends = leakage.enclosure()
    if ends.upper == "0":
        return "0 (nothing leaks)"
    shown = rounded(ends.upper)
    nats, ratio = leakage.exact or "", "" if leakage.ratio is None else brief(leakage.ratio)
    if nats == shown:
        return f"{shown} nats"
    if nats and (text := brief(exact_number(nats))) == nats:
        return f"{text} {'=' if exact_number(shown) == exact_number(nats) else '≈'} {shown} nats"
    return f"log({ratio}) ≈ {shown} nats" if ratio[:1].isdigit() else f"≈ {shown} nats"


def witness_words(leakage: PointLeakage, level: Level | None) -> list[str]:
    """Say where outputs go as the ratio rises, and of Gaussian noise on one number from where on it
    exceeds the level.
    """
    shift = leakage.shift
    (above, below), output = shift.pair, shift.output
    if leakage.enclosure().upper == "0":
        return []
    where = f'witness   output {output}, prior "{shift.prior}"'
    if not leakage.infinite:
        return [where, f'          likelier under "{above}" than under "{below}", in the limit']
    lines = [where, f'          "{above}" becomes likelier than "{below}" without bound']
    if level is not None and (place := shift.exceeds(level)) is not None:
        side = "above" if output == "inf" else "below"
        times = f"more than e^epsilon times, at outputs {side} {_far(place, side)}"
        lines.append(f"          {times}")
    return lines


def _far(place: Fraction, side: str) -> str:
    """Write a place with a few digits, farther out than it is."""
    unit = Fraction(1, 1000)
    steps = -(-place // unit) if side == "above" else place // unit
    return text_of_decimal(steps * unit)


def text_of_decimal(value: Fraction) -> str:
    """Write a number of at most three decimals."""
    return f"{float(value):.3f}"


def nats_of(value: Fraction) -> Enclosure:
    """Return a rational number of nats as an enclosure."""
    return enclose(value, value)


def compared_nats(level: Level, nats: Fraction) -> int:
    """Return the sign of epsilon minus a rational number of nats, exactly."""
    if level.nats is not None:
        return (level.nats > nats) - (level.nats < nats)
    if not nats:
        return int((level.ratio or Fraction(1)) > 1)
    return Level.of_nats(nats).compare(level.ratio or Fraction(1))
