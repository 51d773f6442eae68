"""A run in a file, so that it can be resumed: what was chosen, the counts, and the best evidence.

The file is replaced as a whole, never written into. It says which framework, sampler, seed and
confidence it is about; a run with others is refused, because its samples would not be the same.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pufferproof.models.errors import ModelError
from pufferproof.models.files.inputs import bytes_of
from pufferproof.models.files.outputs import write_atomically
from pufferproof.models.files.reading import document_of
from pufferproof.models.files.writing import framework_document
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.text import shown, text_of
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.simulation.estimation.events import event_of
from pufferproof.verify.simulation.estimation.selection import Chosen
from pufferproof.verify.simulation.estimation.tallies import Counts, Evidence, Tallies

FORMAT = "pufferproof-estimate/1"


@dataclass(frozen=True)
class Subject:
    """What a run is about; `meant` is how many samples of either secret it was meant to draw."""

    framework: str
    sampler: str
    seed: int
    confidence: Fraction

    def as_json(self) -> dict[str, Any]:
        """Return it as the file has it."""
        return {
            "format": FORMAT,
            "framework": self.framework,
            "sampler": self.sampler,
            "seed": self.seed,
            "confidence": text_of(self.confidence),
        }


@dataclass
class State:
    """A run after its selection: how many samples that took, and what was counted since."""

    chosen: Chosen
    selected: int
    meant: int
    tallies: Tallies

    @property
    def samples(self) -> int:
        """How many outputs were drawn."""
        return self.selected + 2 * self.tallies.samples


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
        return [repr(network.parents), repr(network.cpt)]
    prior: Any = framework.priors[name]
    chain = Chain.of(prior, framework.expect_records())
    return [repr((chain.rows, chain.start, chain.step, chain.emission))]


def write_state(path: str, subject: Subject, state: State) -> None:
    """Write a run, whole or not at all."""
    chosen, best = state.chosen, state.tallies.best
    document = subject.as_json() | {
        "prior": chosen.prior,
        "pair": list(chosen.pair),
        "events": [event.as_json() for event in chosen.events],
        "selected": state.selected,
        "meant": state.meant,
        "samples": state.tallies.samples,
        "seen": [list(state.tallies.counts.left), list(state.tallies.counts.right)],
        "best": None if best is None else _evidence_json(best),
    }
    write_atomically(path, json.dumps(document, indent=1) + "\n")


def read_state(path: str, subject: Subject) -> State | None:
    """Read a run, None where there is no file yet. Raises `ModelError` unless it is about the
    same.
    """
    if not os.path.lexists(path):
        return None
    try:
        document = document_of(path, bytes_of(path))
        _expect_same(document, subject)
        return _state(document)
    except ModelError as error:
        raise error.within(path) from None
    except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        raise ModelError(f"expected a run that was kept: {error!r}", path) from None


def _expect_same(document: Any, subject: Subject) -> None:
    if not isinstance(document, Mapping) or document.get("format") != FORMAT:
        raise ModelError(f'expected the format "{FORMAT}"')
    for key, value in subject.as_json().items():
        if document.get(key) != value:
            raise ModelError(
                f'is about another run: expected "{value}", found "{document.get(key)}"', key
            )


def _state(document: Mapping[str, Any]) -> State:
    events = tuple(map(event_of, document["events"]))
    left, right = document["pair"]
    chosen = Chosen(document["prior"], (left, right), events)
    seen = [tuple(map(_count, each)) for each in document["seen"]]
    samples, best = _count(document["samples"]), document["best"]
    if not all(isinstance(each, str) for each in (chosen.prior, left, right)):
        raise ModelError("expected the names of a prior and two secrets", "pair")
    if [len(each) for each in seen] != [len(events)] * 2 or not all(
        count <= samples for each in seen for count in each
    ):
        raise ModelError("expected a count per event, of at most all samples", "seen")
    found = None if best is None else _evidence(best, len(events))
    tallies = Tallies(Counts(samples, seen[0], seen[1]), found)
    return State(chosen, _count(document["selected"]), _count(document["meant"]), tallies)


def _evidence_json(best: Evidence) -> dict[str, Any]:
    return {
        "event": best.event,
        "seen": list(best.seen),
        "samples": best.samples,
        "low": text_of(best.low),
        "high": text_of(best.high),
    }


def _evidence(found: Mapping[str, Any], events: int) -> Evidence:
    left, right = map(_count, found["seen"])
    event, samples = _count(found["event"]), _count(found["samples"])
    low, high = parse_number(found["low"]), parse_number(found["high"])
    if not (event < events and 0 < low <= 1 and 0 < high <= 1):
        raise ModelError("expected bounds of probabilities of an event", "best")
    return Evidence(event, (left, right), samples, low, high)


def _count(value: Any) -> int:
    """Return a count as it was written. Raises `TypeError` unless it is one that can be drawn."""
    if type(value) is not int or not 0 <= value < 1 << 62:
        raise TypeError(f"expected a count, found {shown(value)}")
    return value
