"""A run in a file, so that it can be resumed: what was chosen, the counts, and the best evidence.

The file is replaced as a whole, never written into. It says which framework, sampler, seed and
confidence it is about; a run with others is refused. Its counts are believed: so it has the user's
seal, and one without is refused unless it is trusted. It is written before a block is drawn: with
the number of the block, which is not drawn again, and with its calls as lost. The secret of the
coins is in it once the run has ended, and only a hash of it before.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import MAX_BYTES, bytes_of
from pufferproof.models.files.reading import document_of
from pufferproof.models.files.writing import framework_document
from pufferproof.models.framework import Framework
from pufferproof.models.interface.fields import Plain
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.interface.sealing import is_sealed, seal
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.simulation.estimation.betting import Evidence, nats_approx
from pufferproof.verify.simulation.estimation.calls import Coins
from pufferproof.verify.simulation.estimation.events import event_of
from pufferproof.verify.simulation.estimation.selection import Chosen
from pufferproof.verify.simulation.estimation.tallies import EventCounts, Tallies

FORMAT = "pufferproof-estimate/3"
_EARLIER = ("pufferproof-estimate/1", "pufferproof-estimate/2")


@dataclass(frozen=True)
class Subject(Plain):
    """What a run is about."""

    framework: str
    sampler: str
    seed: int
    confidence: Fraction
    independent_draws: bool = False

    def as_json(self) -> JsonObject:
        """Return it as the file has it."""
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
        """How many outputs were drawn."""
        return self.selected + self.tallies.samples


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
        "prior": chosen.prior,
        "pair": list(chosen.pair),
        "events": [event.as_json() for event in chosen.events],
        "expected": [list(each) for each in chosen.seen],
        "selected": state.selected,
        "seeded": state.seeded,
        "attempts": state.attempts,
        "runs": coins,
        "lost": tallies.lost,
        "width": tallies.width,
        "parts": [_counts_json(each) for each in tallies.parts],
        "best": None if tallies.best is None else _best_json(tallies.best),
    }
    document["seal"] = seal(key, *_sealed(document))
    write_atomically(path, json.dumps(document, indent=1) + "\n")


def _sealed(document: Mapping[str, object]) -> tuple[str, bytes]:
    """Return the name and the bytes that are sealed: all but the seal, with decimals as texts."""
    held = {name: value for name, value in document.items() if name != "seal"}
    read = json.loads(json.dumps(held), parse_float=str)
    return FORMAT, json.dumps(read, sort_keys=True).encode()


def read_state(path: str, subject: Subject, key: bytes | None) -> State | None:
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
        return _state(document, 1 - subject.confidence)
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
            raise ModelError(
                f'is about another run: expected "{value}", found "{document.get(key)}"', key
            )


def _state(document: JsonObject, risk: Fraction) -> State:
    events = tuple(map(event_of, document["events"]))
    left, right = document["pair"]
    expected = tuple(_two(each, least=1) for each in document["expected"])
    chosen = Chosen(document["prior"], (left, right), events, expected)
    if not all(isinstance(each, str) for each in (chosen.prior, left, right)):
        raise ModelError("expected the names of a prior and two secrets", "pair")
    parts = [_counts(each, len(events)) for each in document["parts"]]
    if len(expected) != len(events) or not events or not parts:
        raise ModelError("expected what was seen of every event", "expected")
    tallies = Tallies(max(1, _count(document["width"])), parts, _count(document["lost"]))
    if (best := document["best"]) is not None:
        calls, seen, event = _two(best["samples"]), _two(best["seen"]), _count(best["event"])
        total = tallies.counts
        if not all(0 <= x <= y <= z for x, y, z in zip(seen, calls, total.calls)):
            raise ModelError("expected what was seen of an event", "best")
        part = risk / len(events)
        tallies.best = Evidence(event, seen, calls, expected[event], part)
        tallies.nats_approx = nats_approx(seen, expected[event], part)
    selected, attempts = _count(document["selected"]), _count(document["attempts"])
    return State(
        chosen, selected, tallies, _truth(document["seeded"]), attempts, runs=_runs(document)
    )


def _runs(document: JsonObject) -> tuple[tuple[int, Coins], ...]:
    found = [(_count(each["attempts"]), each["coins"]) for each in document["runs"]]
    if not found or not all(isinstance(coins, str) for _, coins in found):
        raise ModelError("expected the coins of every start, or a hash", "runs")
    return tuple((attempts, Coins(coins)) for attempts, coins in found)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"expected true or false, found {shown(value)}")
    return value


def _best_json(best: Evidence) -> JsonObject:
    return {"event": best.event, "seen": list(best.seen), "samples": list(best.calls)}


def _counts_json(counts: EventCounts) -> JsonObject:
    return {"samples": list(counts.calls), "seen": [list(each) for each in counts.seen]}


def _counts(found: JsonObject, events: int) -> EventCounts:
    calls = _two(found["samples"])
    left, right = (tuple(map(_count, each)) for each in found["seen"])
    for seen, most in zip((left, right), calls):
        if len(seen) != events or max(seen) > most:
            raise ModelError("expected a count per event, of at most all samples", "seen")
    return EventCounts(calls, (left, right))


def _two(found: Any, least: int = 0) -> tuple[int, int]:
    first, second = map(_count, found)
    if min(first, second) < least:
        raise ModelError(f"expected counts of at least {least}, found {shown(found)}")
    return first, second


def _count(value: object) -> int:
    """Return a count as it was written. Raises `TypeError` unless it is one that can be drawn."""
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise TypeError(f"expected a count, found {shown(value)}")
    return value
