"""What an estimate says: a lower bound of the leakage, how sure it is, and what shows it."""

from dataclasses import dataclass, field
from fractions import Fraction

from pufferproof.models.interface.readable import Bar, Readable, bars
from pufferproof.models.interface.tabular import Entry, Tabular
from pufferproof.models.numbers.enclosures import Enclosure, enclose, enclose_log
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, outward, percent, text_of
from pufferproof.verify.decision import Verdict, bases
from pufferproof.verify.simulation.estimation.bets.additive import RESTS_ON as CLAIMS_REST_ON
from pufferproof.verify.simulation.estimation.bets.additive import ClaimEvidence
from pufferproof.verify.simulation.estimation.bets.claims import Claim
from pufferproof.verify.simulation.estimation.bets.coins import RESTS_ON as BETS_REST_ON
from pufferproof.verify.simulation.estimation.bets.coins import Evidence
from pufferproof.verify.simulation.estimation.choosing.selection import Chosen
from pufferproof.verify.simulation.estimation.events import Event


@dataclass(frozen=True)
class EventWitness:
    """The event that shows a bound, and the secret under which it happened."""

    prior: str
    pair: tuple[str, str]
    event: Event
    evidence: Evidence | ClaimEvidence

    def as_json(self) -> JsonObject:
        """Return it as the file formats have it."""
        share = self.evidence.share if isinstance(self.evidence, Evidence) else None
        enclosed = None if share is None else enclose(share, share)
        return {
            "prior": self.prior,
            "pair": list(self.pair),
            "event": self.event.as_json(),
            "seen": list(self.evidence.seen),
            "samples": list(self.evidence.calls),
            "share_at_least": None if enclosed is None else outward(enclosed.lower, enclosed.upper, 6)[0],
        }

    def __str__(self) -> str:
        seen, calls = self.evidence.seen, self.evidence.calls
        return (
            f'{self.event}: {seen[0]} of {calls[0]} times given "{self.pair[0]}" and {seen[1]} of '
            f'{calls[1]} times given "{self.pair[1]}", prior "{self.prior}"'
        )


@dataclass(frozen=True)
class Searched:
    """Which neighbours were tried: of so many unordered pairs, each by at most so many changes."""

    relation: str
    changes: int
    pairs: int

    def as_json(self) -> JsonObject:
        """Return it as the file formats have it."""
        return {"relation": self.relation, "changes": self.changes, "pairs": self.pairs}

    def __str__(self) -> str:
        how = {"add-remove": "adding or removing", "substitute": "substituting"}[self.relation]
        records = "1 record" if self.changes == 1 else f"at most {self.changes} records"
        return f"by {how} {records}, the worst of {self.pairs:,} pairs that were tried"


@dataclass(frozen=True, repr=False)
class Estimate(Readable, Tabular):
    """A lower confidence bound of the leakage of a sampler, or of what a claim says of it.

    `ratio` is the bound of e^leakage, exactly; it is larger than e^leakage with probability at most
    1 - `confidence`. It is 1 where nothing was shown, and `witness` is then None. With a `claim`
    the bound is `value`: of delta, rho or mu, and `ratio` is 1. `stopped` is
    "samples" (all were drawn), "violated" (the level is) or "interrupted". `seeded` says whether
    the sampler gave the same outputs twice with one seed, and `drift` whether outputs given the
    same secret differ between the first and the last part of the run, which is a warning alone.
    `searched` says by which relation the secrets of a pair are neighbours, if they are databases.
    `lost` calls have no known output, and count against the bound. `coins` has, for every start of
    the run, the number of blocks attempted before and the secret of its coins and databases.
    """

    _named, _drawn, _axis = ("secret",), ("share", "share"), "share of the calls with the event"

    ratio: Fraction
    confidence: Fraction
    samples: int
    seed: int
    seeded: bool
    witness: EventWitness | None
    level: Level | None
    stopped: str
    events: int = 0
    drift: bool = False
    lost: int = 0
    coins: tuple[tuple[int, str], ...] = ()
    claim: Claim | None = None
    value: Fraction = Fraction(0)
    chosen: Chosen | None = field(default=None, repr=False, compare=False)
    searched: Searched | None = None

    @property
    def lower(self) -> Enclosure:
        """The bound of the leakage in nats, enclosed; 0 if a claim was asked about instead."""
        return enclose_log(self.ratio)

    @property
    def verdict(self) -> Verdict | None:
        """VIOLATES where the bound exceeds the level, else UNDECIDED: samples show no privacy. Of a
        claim, VIOLATES where what is claimed is refuted.
        """
        if self.claim is not None:
            refuted = self.witness is not None and self.value >= self.claim.value
            return Verdict.VIOLATES if refuted else Verdict.UNDECIDED
        if self.level is None:
            return None
        return Verdict.VIOLATES if self.level.compare(self.ratio) > 0 else Verdict.UNDECIDED

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the bound rests on: none if nothing was shown."""
        if self.witness is None:
            return ()
        return BETS_REST_ON if self.claim is None else CLAIMS_REST_ON

    def as_json(self) -> JsonObject:
        """Return the object of the file formats, without `inputs`."""
        claimed: JsonObject = {}
        if self.claim is not None:
            claimed[self.claim.kind] = {
                "lower": enclose(self.value, self.value).lower,
                "claimed": text_of(self.claim.value),
            }
        return {
            "lower": None if claimed else self.lower.as_json(),
            **claimed,
            "confidence": text_of(self.confidence),
            "samples": self.samples,
            "seed": self.seed,
            "seeded": self.seeded,
            "witness": None if self.witness is None else self.witness.as_json(),
            "events": self.events,
            "stopped": self.stopped,
            "drift": self.drift,
            "lost": self.lost,
            "coins": [{"attempts": before, "secret": secret} for before, secret in self.coins],
            "verdict": None if self.verdict is None else self.verdict.value,
            "rests_on": bases(self.rests_on),
            **({} if self.searched is None else {"neighbours": self.searched.as_json()}),
        }

    def _picture(self) -> str:
        """Draw the bound beside the level."""
        if self.claim is not None:
            return ""
        level = None if self.level is None else Bar(f"level {self.level}", self.level.enclosure())
        return bars([Bar("leaks at least", self.lower)], level)

    def entries(self) -> list[Entry]:
        """Return a row for either secret of the witness: how often its event was `seen` in so many
        `samples`, and its share of all calls with the event; none where nothing was shown.
        """
        if self.witness is None:
            return []
        evidence = self.witness.evidence
        return [
            {
                "prior": self.witness.prior,
                "secret": secret,
                "event": str(self.witness.event),
                "seen": seen,
                "samples": calls,
                "share": Fraction(seen, sum(evidence.seen)),
            }
            for secret, seen, calls in zip(self.witness.pair, evidence.seen, evidence.calls)
        ]

    def __str__(self) -> str:
        verdict = "" if self.verdict is None else f"{self.verdict.value} {self.asked}; "
        sure = f"with confidence {percent(self.confidence)}, from {self.samples} samples"
        drift = "; outputs drift during the run" if self.drift else ""
        if self.witness is None:
            return f"{verdict}no leakage shown, {sure}{drift}"
        searched = "" if self.searched is None else f", {self.searched}"
        return f"{verdict}{bound_text(self)} {sure}; {self.witness}{searched}{drift}"

    @property
    def asked(self) -> str:
        """The level or the claim, in words."""
        return str(self.level if self.claim is None else self.claim)


_NAMES = {"delta": "delta", "zcdp": "rho", "gdp": "mu"}


def bound_text(answer: Estimate) -> str:
    """Say the bound, rounded down, so that it stays one."""
    if answer.claim is None:
        return f"leakage at least {outward(answer.lower.lower, answer.lower.upper, 6)[0]} nats"
    lower = enclose(answer.value, answer.value)
    return f"{_NAMES[answer.claim.kind]} at least {outward(lower.lower, lower.upper, 6)[0]}"
