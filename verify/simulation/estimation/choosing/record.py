"""What is fixed before the first call that is bet on, and every call in lines that programs read.

Coins depend on what is fixed: other bets, or other calls that chose them, have other coins.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.simulation.estimation.bets.claims import Claim, asked_json
from pufferproof.verify.simulation.estimation.calls import Bundle
from pufferproof.verify.simulation.estimation.choosing.selection import Chosen
from pufferproof.verify.simulation.estimation.events import Event, LabelEvent
from pufferproof.verify.simulation.estimation.outputs import DrawnNumbers, Labels, Vectors, outputs_of

SELECTION = "selection.jsonl"


@dataclass
class Record:
    """Calls that choose the bets, and calls that are bet on; `inputs` are files by their names."""

    inputs: Mapping[str, bytes]
    selecting: list[Bundle] = field(default_factory=list)
    betting: list[Bundle] = field(default_factory=list)

    @cached_property
    def files(self) -> dict[str, bytes]:
        """The inputs, and a line for each call that chose the bets; known once they are chosen."""
        calls = ([label, _shown(value, None)] for each in self.selecting for _, label, value in each)
        return {**self.inputs, SELECTION: _lines(calls)}

    def fixed(self, framework: Framework, pair: tuple[str, str]) -> JsonObject:
        """Return what is fixed beside the bets: the databases of either secret, or None if they are
        too many to list, and hashes of files.
        """
        hashes = {name: hashlib.sha256(each).hexdigest() for name, each in self.files.items()}
        listed = None
        if not framework.by_records:
            held = [framework.secrets[name] for name in pair]
            listed = [[framework.databases[place] for place in places] for places in held]
        return {"databases": listed, "files": hashes}

    def draws(self, event: Event) -> bytes:
        """Return a line for each call that was bet on: its coin, 1 for the first secret, its
        database and its output. Of calls that the user says are independent of each other the
        order is that of the coins.
        """
        return _lines(
            [coin, label, _shown(value, event)] for bundle in self.betting for coin, label, value in _by_coins(bundle)
        )


def fixed_json(chosen: Chosen, confidence: Fraction, claim: Claim | None, beside: JsonObject) -> JsonObject:
    """Return what is fixed before the first call that is bet on."""
    asked = {"confidence": text_of(confidence), "asked": asked_json(claim)}
    return {**asked, **chosen.as_json(), **beside}


def hash_of_bets(fixed: JsonObject) -> str:
    """Return a hash of what is fixed."""
    return hashlib.sha256(json.dumps(fixed, sort_keys=True).encode()).hexdigest()


def _lines(calls: Iterable[list[Any]]) -> bytes:
    return "".join(f"{json.dumps(call)}\n" for call in calls).encode()


def _by_coins(bundle: Bundle) -> Iterator[tuple[int, str, Any]]:
    """Yield the calls of a bundle, each with its coin."""
    if not bundle.grouped or bundle.coins is None:
        yield from ((1 - bin_, label, value) for bin_, label, value in bundle)
        return
    sides: list[list[tuple[int, str, Any]]] = [[], []]
    for bin_, label, value in bundle:
        sides[bin_].append((1 - bin_, label, value))
    first, second = map(iter, sides)
    yield from (next(first if coin else second) for coin in bundle.coins.tolist())


def _shown(value: object, event: Event | None) -> Any:
    """Return an output as an event sees it: a label, a number, or a list of numbers."""
    outputs = outputs_of([value])
    if isinstance(event, LabelEvent) and isinstance(outputs, Vectors):
        outputs = outputs.labelled()
    if isinstance(outputs, Labels):
        if event is None or isinstance(event, LabelEvent):
            return next(iter(outputs.counts))
        return outputs.vectors().values[0].tolist() if outputs.width else float("-inf")
    if isinstance(outputs, DrawnNumbers):
        return outputs.values[0].item()
    return outputs.values[0].tolist()
