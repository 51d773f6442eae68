"""What an estimate says: a lower bound of the leakage, how sure it is, and what shows it."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular
from pufferproof.models.numbers.enclosures import Enclosure, enclose_log
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import percent, text_of
from pufferproof.verify.audit import Verdict
from pufferproof.verify.simulation.estimation.events import Event
from pufferproof.verify.simulation.estimation.tallies import Evidence


@dataclass(frozen=True)
class EventWitness:
    """The event that shows a bound: how often it came given either secret of the ordered pair, and
    the bounds of its probabilities.
    """

    prior: str
    pair: tuple[str, str]
    event: Event
    evidence: Evidence

    def as_json(self) -> dict[str, Any]:
        """Return it as the file formats have it."""
        low, high = self.evidence.low, self.evidence.high
        return {
            "prior": self.prior,
            "pair": list(self.pair),
            "event": self.event.as_json(),
            "seen": list(self.evidence.seen),
            "samples": self.evidence.samples,
            "at_least": f"{float(low):.6g}",
            "at_most": f"{float(high):.6g}",
        }

    def __str__(self) -> str:
        left, right = self.evidence.seen
        return (
            f'{self.event}: {left} times given "{self.pair[0]}" and {right} times given '
            f'"{self.pair[1]}", of {self.evidence.samples} each, prior "{self.prior}"'
        )


@dataclass(frozen=True, repr=False)
class Estimate(Readable, Tabular):
    """A lower confidence bound of the leakage of a sampler.

    `ratio` is the bound of e^leakage, exactly; it is larger than e^leakage with probability at most
    1 - `confidence`. It is 1 where nothing was shown, and `witness` is then None. `stopped` is
    "samples" (all were drawn), "violated" (the level is) or "interrupted". `seeded` says whether
    the same seed gives the same answer.
    """

    _named, _drawn, _axis = ("secret",), ("at_least", "at_most"), "probability of the event"

    ratio: Fraction
    confidence: Fraction
    samples: int
    seed: int
    seeded: bool
    witness: EventWitness | None
    level: Level | None
    stopped: str
    events: int = field(default=0)

    @property
    def lower(self) -> Enclosure:
        """The bound in nats, enclosed."""
        return enclose_log(self.ratio)

    @property
    def verdict(self) -> Verdict | None:
        """VIOLATES where the bound exceeds the level, else UNDECIDED: samples show no privacy."""
        if self.level is None:
            return None
        return Verdict.VIOLATES if self.level.compare(self.ratio) > 0 else Verdict.UNDECIDED

    def as_json(self) -> dict[str, Any]:
        """Return the object of the file formats, without `inputs`."""
        return {
            "lower": self.lower.as_json(),
            "confidence": text_of(self.confidence),
            "samples": self.samples,
            "seed": self.seed,
            "seeded": self.seeded,
            "witness": None if self.witness is None else self.witness.as_json(),
            "events": self.events,
            "stopped": self.stopped,
            "verdict": None if self.verdict is None else self.verdict.value,
        }

    def entries(self) -> list[Entry]:
        """Return a row for either secret of the witness: how often its event came, and the bounds
        of its probability that hold with the confidence; none where nothing was shown.

        The first has a lower bound and the second an upper one: their quotient is `ratio`.
        """
        if self.witness is None:
            return []
        evidence = self.witness.evidence
        ends = ((evidence.low, Fraction(1)), (Fraction(0), evidence.high))
        return [
            {
                "prior": self.witness.prior,
                "secret": secret,
                "event": str(self.witness.event),
                "seen": seen,
                "samples": evidence.samples,
                "at_least": Fraction(low),
                "at_most": Fraction(high),
            }
            for secret, seen, (low, high) in zip(self.witness.pair, evidence.seen, ends)
        ]

    def __str__(self) -> str:
        verdict = "" if self.verdict is None else f"{self.verdict.value} {self.level}; "
        sure = f"with confidence {percent(self.confidence)}, from {self.samples} samples"
        if self.witness is None:
            return f"{verdict}no leakage shown, {sure}"
        return f"{verdict}leakage at least {nats(self)} nats {sure}; {self.witness}"


def nats(answer: Estimate) -> str:
    """Write the bound, rounded down, so that it stays one."""
    from pufferproof.models.numbers.text import outward

    return outward(answer.lower.lower, answer.lower.upper, 6)[0]
