"""A run in a file, so that it can be resumed: what was chosen, the counts, and the best evidence.

The file is replaced as a whole, never written into. It says which framework, sampler, seed and
confidence it is about; a run with others is refused. Its counts are believed: so it has the user's
seal, and one without is refused unless it is trusted. It is written before a block is drawn: with
the number of the block, which is not drawn again, and with its calls as lost. The secret of the
coins is in it once the run has ended, and only a hash of it before.
"""

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from operator import add
from typing import Annotated, Any

from pydantic import BaseModel, Field, PlainValidator, StrictBool, StrictInt, StrictStr

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import MAX_BYTES, bytes_of, document_of, validated
from pufferproof.models.files.writing import framework_document
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import Plain
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.readable import Bar, Readable, bars, is_sealed, seal
from pufferproof.models.interface.tabular import Entry, Tabular
from pufferproof.models.numbers.enclosures import Enclosure, enclose, enclose_log
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, outward, percent, text_of
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.decision import Verdict, bases
from pufferproof.verify.simulation.estimation.bets import ADDITIVE_RESTS_ON as CLAIMS_REST_ON
from pufferproof.verify.simulation.estimation.bets import RESTS_ON as BETS_REST_ON
from pufferproof.verify.simulation.estimation.bets import (
    Bet,
    Claim,
    ClaimEvidence,
    Evidence,
    counted,
    nats_approx,
    value_approx,
)
from pufferproof.verify.simulation.estimation.choosing import Chosen
from pufferproof.verify.simulation.estimation.outputs import Event, event_of
from pufferproof.verify.simulation.estimation.samplers import Coins

# What an estimate says: a lower bound of the leakage, how sure it is, and what shows it.


@dataclass(frozen=True)
class EventWitness:
    """The event that shows a bound, and the secret under which it happened."""

    prior: str
    pair: tuple[str, str]
    event: Event
    evidence: Evidence | ClaimEvidence

    def as_json(self) -> JsonObject:
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


FORMAT = "pufferproof-estimate/3"
_EARLIER = ("pufferproof-estimate/1", "pufferproof-estimate/2")
_PARTS = 8  # of the samples that are meant to be drawn, so that the first can be held to the last
_CHANCE = 1e-3  # that a sampler whose law stays is said to drift, about

Sides = tuple[int, int]


@dataclass(frozen=True)
class EventCounts:
    """How many calls had either secret, and in how many of these each event happened."""

    calls: Sides
    seen: tuple[tuple[int, ...], tuple[int, ...]]

    def __add__(self, other: "EventCounts") -> "EventCounts":
        left, right = (tuple(map(sum, zip(*each))) for each in zip(self.seen, other.seen))
        calls = self.calls[0] + other.calls[0], self.calls[1] + other.calls[1]
        return EventCounts(calls, (left, right))


@dataclass
class Tallies:
    """Counts of each part of the run, of about `width` calls, and the best evidence at any time.

    `lost` are calls without a known output, each of which counts as one with the second secret and
    with every event. A bet (q/rho)^a ((1-q)/(1-rho))^b with q >= rho grows in a and falls in b, so
    that it is at most what it would be, whatever these calls gave.
    """

    width: int
    parts: list[EventCounts]
    lost: int = 0
    best: Evidence | ClaimEvidence | None = None
    value_approx: float = 0.0

    @classmethod
    def of(cls, events: int, meant: int) -> "Tallies":
        """Return those of no samples, of a run that is meant to draw so many."""
        return cls(-(-meant // _PARTS), [EventCounts((0, 0), ((0,) * events, (0,) * events))])

    @property
    def counts(self) -> EventCounts:
        """All of them, with those that are lost."""
        known, lost = reduce(add, self.parts), self.lost
        calls, (left, right) = known.calls, known.seen
        return EventCounts((calls[0], calls[1] + lost), (left, tuple(seen + lost for seen in right)))

    @property
    def samples(self) -> int:
        return sum(self.counts.calls)

    def add(self, more: EventCounts) -> None:
        """Count more calls."""
        if sum(self.parts[-1].calls) < self.width:
            self.parts = [*self.parts[:-1], self.parts[-1] + more]
            return
        if len(self.parts) >= 2 * _PARTS:
            self.width *= 2
            self.parts = [one + other for one, other in zip(self.parts[::2], self.parts[1::2])]
        self.parts = [*self.parts, more]

    def bound(self, chosen: Chosen, risk: Fraction, claim: Claim | None) -> None:
        """Bound what is asked of every event in floats, and keep what shows the largest bound of
        all times. Each event has an equal part of the risk, for all times.
        """
        counts = self.counts
        for event, seen in enumerate(zip(*counts.seen)):
            made = evidence_of(chosen, event, (seen, counts.calls, self.lost), risk, claim)
            if (value := _approx(made)) > self.value_approx:
                self.value_approx, self.best = value, made

    @property
    def drift(self) -> bool:
        """Whether an event came more often, or less, in the last half of the calls with a secret
        than in the first, by more than chance explains. Of no consequence for the bound.
        """
        half = len(self.parts) // 2
        if not half:
            return False
        first, last = reduce(add, self.parts[:half]), reduce(add, self.parts[len(self.parts) - half :])
        events = len(first.seen[0])
        return any(
            _differ_approx((before, after), (first.calls[side], last.calls[side]), 2 * events)
            for side in (0, 1)
            for before, after in zip(first.seen[side], last.seen[side])
        )


def evidence_of(
    chosen: Chosen, event: int, counts: tuple[Sides, Sides, int], risk: Fraction, claim: Claim | None
) -> Evidence | ClaimEvidence:
    """Return what calls show: how often an event was seen, of how many calls, and how many of these
    are lost.
    """
    (seen, calls, lost), part = counts, risk / len(chosen.events)
    if claim is None:
        return Evidence(event, seen, calls, chosen.seen[event], part)
    return ClaimEvidence(event, seen, calls, lost, claim, chosen.bets[event], part)


def _approx(evidence: Evidence | ClaimEvidence) -> float:
    if isinstance(evidence, Evidence):
        return nats_approx(evidence.seen, evidence.prior, evidence.risk)
    counts = counted(evidence.seen, evidence.calls, evidence.lost)
    return value_approx(evidence.claim, evidence.bets, counts, evidence.risk)


def _differ_approx(seen: Sides, calls: Sides, comparisons: int) -> bool:
    """Whether two shares differ: their angles arcsin sqrt are about normal."""
    if 0 in calls:
        return False
    one, other = (math.asin(math.sqrt(each / total)) for each, total in zip(seen, calls))
    spread = math.sqrt(1 / (4 * calls[0]) + 1 / (4 * calls[1]))
    return math.erfc(abs(one - other) / spread / math.sqrt(2)) < _CHANCE / comparisons


@dataclass(frozen=True)
class Subject(Plain):
    """What a run is about."""

    framework: str
    sampler: str
    seed: int
    confidence: Fraction
    independent_draws: bool = False
    claim: str | None = None

    def as_json(self) -> JsonObject:
        return {"format": FORMAT, **super().as_json()}


@dataclass
class State:
    """A run after its selection: how many samples that took, and what was counted since.

    `runs` has every start, with the number of attempts to draw a block before and its coins.
    """

    chosen: Chosen
    selected: int
    tallies: Tallies
    seeded: bool
    attempts: int = 0
    runs: tuple[tuple[int, Coins], ...] = field(kw_only=True)

    @property
    def samples(self) -> int:
        return self.selected + self.tallies.samples


_Count = Annotated[StrictInt, Field(ge=0, lt=1 << 62)]
_Some = Annotated[_Count, Field(ge=1)]
_One = Field(min_length=1)


class _KeptCounts(BaseModel):
    samples: tuple[_Count, _Count]
    seen: tuple[tuple[_Count, ...], tuple[_Count, ...]]


class _KeptBest(BaseModel):
    event: _Count
    samples: tuple[_Count, _Count]
    seen: tuple[_Count, _Count]
    lost: _Count = 0


class _KeptStart(BaseModel):
    attempts: _Count
    coins: StrictStr  # or a hash of them


class _KeptRun(BaseModel):
    """What a file keeps, beside its subject and its seal."""

    prior: StrictStr
    pair: tuple[StrictStr, StrictStr]
    events: Annotated[tuple[Annotated[Event, PlainValidator(event_of)], ...], _One]
    expected: tuple[tuple[_Some, _Some], ...]
    bets: tuple[tuple[Annotated[Bet, PlainValidator(Bet.of)], ...], ...] = ()
    selected: _Count
    seeded: StrictBool
    attempts: _Count
    runs: Annotated[tuple[_KeptStart, ...], _One]
    lost: _Count
    width: _Count
    parts: Annotated[tuple[_KeptCounts, ...], _One]
    best: _KeptBest | None


def hash_of(framework: Framework) -> str:
    """Return a hash of what a framework says, however it was written."""
    document: Any
    if framework.along_records:
        secrets = [[name, *place] for name, place in framework.places.items()]
        pairs, chains = list(map(list, framework.pairs)), framework.chains
        document = [repr(framework.records), secrets, pairs, sorted(map(repr, chains.items()))]
        document += [repr((chain.rows, chain.emission)) for chain in chains.values()]
    elif framework.records is not None and not framework.records.enumerable:
        secrets = [[name, *place] for name, place in framework.places.items()]
        document = [repr(framework.records), secrets, list(map(list, framework.pairs))]
        document += [[name, *_prior_texts(framework, name)] for name in framework.priors]
    else:
        document = framework_document(framework)
    text = json.dumps(document, sort_keys=True)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _prior_texts(framework: Framework, name: str) -> list[str]:
    """Return all that a prior says which goes record by record: a network, or a chain."""
    if name in framework.networks:
        network = framework.networks[name]
        own = [] if network.values is None else [repr(network.values)]
        return [repr(network.parents), repr(network.cpt), *own]
    prior: Any = framework.priors[name]
    chain = Chain.of(prior, framework.expect_records())
    return [repr((chain.rows, chain.start, chain.step, chain.emission))]


def write_state(path: str, subject: Subject, state: State, key: bytes, ended: bool) -> None:
    """Write a run, sealed with a key, whole or not at all; unless it has `ended`, the coins of the
    last start are not told.
    """
    chosen, tallies = state.chosen, state.tallies
    coins = [{"attempts": attempts, "coins": each.secret} for attempts, each in state.runs]
    if not ended:
        coins[-1]["coins"] = state.runs[-1][1].commitment
    document = subject.as_json() | {
        **chosen.as_json(),
        "selected": state.selected,
        "seeded": state.seeded,
        "attempts": state.attempts,
        "runs": coins,
        "lost": tallies.lost,
        "width": tallies.width,
        "parts": [{"samples": part.calls, "seen": part.seen} for part in tallies.parts],
        "best": None,
    }
    if (best := tallies.best) is not None:
        document["best"] = {"event": best.event, "seen": best.seen, "samples": best.calls}
        if isinstance(best, ClaimEvidence):
            document["best"] |= {"lost": best.lost}
    document["seal"] = seal(key, *_sealed(document))
    write_atomically(path, json.dumps(document, indent=1) + "\n")


def _sealed(document: Mapping[str, object]) -> tuple[str, bytes]:
    """Return the name and the bytes that are sealed: all but the seal, with decimals as texts."""
    held = {name: value for name, value in document.items() if name != "seal"}
    read = json.loads(json.dumps(held), parse_float=str)
    return FORMAT, json.dumps(read, sort_keys=True).encode()


def read_state(path: str, subject: Subject, key: bytes | None, claim: Claim | None = None) -> State | None:
    """Read a run, or None if there is no file yet; without a key the file is trusted. Raises
    `ModelError` unless it is about the same, and sealed with the key.
    """
    if not os.path.lexists(path):
        return None
    try:
        document = document_of(path, bytes_of(path, MAX_BYTES))
        _expect_same(document, subject)
        if key is not None and not is_sealed(key, *_sealed(document), document.get("seal")):
            raise ModelError(
                "is not sealed by you: it was edited, or kept by another user or machine; "
                "--trust-store believes it, or begin a new file"
            )
        return _state(document, 1 - subject.confidence, claim)
    except ModelError as error:
        raise error.within(path) from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise ModelError(f"expected a run that was kept: {error!r}", path) from None


def _expect_same(document: object, subject: Subject) -> None:
    known = document.get("format") if isinstance(document, Mapping) else None
    if known in _EARLIER:
        raise ModelError("a run of an earlier version draws its coins again: begin a new file")
    if not isinstance(document, Mapping) or known != FORMAT:
        raise ModelError(f'expected the format "{FORMAT}"')
    for key, value in subject.as_json().items():
        if document.get(key) != value:
            raise ModelError(f'is about another run: expected "{value}", found "{document.get(key)}"', key)


def _state(document: object, risk: Fraction, claim: Claim | None) -> State:
    kept = validated(_KeptRun, document)
    chosen = Chosen(kept.prior, kept.pair, kept.events, kept.expected, kept.bets)
    events = len(kept.events)
    if len(kept.expected) != events:
        raise ModelError("expected what was seen of every event", "expected")
    if len(kept.bets) != (0 if claim is None else events) or any(map(_overspent, kept.bets)):
        raise ModelError("expected bets of every event, with parts of at most 1 together", "bets")
    for part in kept.parts:
        for seen, most in zip(part.seen, part.samples):
            if len(seen) != events or max(seen) > most:
                raise ModelError("expected a count per event, of at most all samples", "seen")
    parts = [EventCounts(part.samples, part.seen) for part in kept.parts]
    tallies = Tallies(max(1, kept.width), parts, kept.lost)
    if (best := kept.best) is not None:
        if not all(x <= y <= z for x, y, z in zip(best.seen, best.samples, tallies.counts.calls)):
            raise ModelError("expected what was seen of an event", "best")
        counts = best.seen, best.samples, best.lost
        tallies.best = evidence_of(chosen, best.event, counts, risk, claim)
        tallies.value_approx = _approx(tallies.best)
    runs = tuple((start.attempts, Coins(start.coins)) for start in kept.runs)
    return State(chosen, kept.selected, tallies, kept.seeded, kept.attempts, runs=runs)


def _overspent(bets: Sequence[Bet]) -> bool:
    return not bets or sum(bet.part for bet in bets) > 1
