"""Claims as tests of them see them: each is examined once by a process that runs tests.

Tests that call this are marked `claims`: `make claims` runs them.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pufferproof.claims as home
from pufferproof import ModelError
from pufferproof.claims import registry
from pufferproof.claims.document.module import module_of
from pufferproof.claims.document.reader import read
from pufferproof.claims.language.printed import Print
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.language.statements import Effort
from pufferproof.claims.registry import Check
from pufferproof.claims.run import KEPT, as_result

TRIED = Effort(20)
"""Statements are tried on few instances, and on more until each near miss is seen false:
`pufferproof prove` tries them on all.
"""


@cache
def named() -> dict[str, list[str]]:
    """The names of the readings of every claim of the package, as documents have them."""
    return {
        each.id: [reading.name for reading in each.readings] or [registry.STATED]
        for place in Path(home.__path__[0]).rglob("*.claims")
        for each in read(place.read_text("utf-8"), str(place)).claims
    }


@cache
def recorded() -> dict[str, dict[str, Any]]:
    """What is recorded of every claim, and the verdicts of its readings by their names."""
    text = Path(home.__path__[0], "EXPECTED.json").read_text("utf-8")
    return {
        name: each | {"by_name": dict(zip(named()[name], each["readings"], strict=True))}
        for name, each in json.loads(text).items()
    }


@cache
def examined(name: str) -> Check:
    """Examine a claim, on all instances where few of them did not show what all do."""
    registry.load_claims()  # what is the repair of what
    check = registry.examine(name, effort=TRIED)
    return registry.examine(name) if any(map(weak, check.readings)) else check


def weak(reading: Proof) -> bool:
    """Whether too few instances were tried for a verdict, or there is none for another reason."""
    few = reading.trial is not None and reading.trial.weakness is not None
    return few or reading.obstacle is not None


def names_of(text: str) -> dict[str, Any]:
    """Return what a document of this text declares."""
    names: dict[str, Any] = {"__file__": "own.claims"}
    exec(compile(module_of(text, "own.claims"), "own.claims", "exec"), names)
    return names


def refusal(text: str) -> str:
    """Return the line at which a document of this text is refused, and why."""
    with pytest.raises(ModelError) as error:
        names_of(text)
    assert str(error.value).startswith("own.claims:")
    return str(error.value).removeprefix("own.claims")


def prints_of(paper: str) -> dict[str, Print]:
    """Return what a paper prints, by the ids of its claims."""
    claims = registry.load_claims().values()
    return {each.id: each.print for each in claims if each.paper == paper and each.print}


def evidence(name: str, reading: int | str = 0) -> Any:
    """The counterexample of a reading, by its place or the first that begins so."""
    readings = examined(name).readings
    if isinstance(reading, str):
        readings, reading = [each for each in readings if each.name.startswith(reading)], 0
    found = readings[reading].evidence
    assert found is not None
    return found


def stored(check: Check) -> dict[str, Any]:
    """Return what the cache keeps of a claim that was examined."""
    result = json.loads(json.dumps(as_result(check, 1.0)))
    parts = ("readings", "near_misses")
    return {key: [{part: each[part] for part in KEPT} for each in result[key]] for key in parts}


def without(result: Any, *keys: str) -> Any:
    """Return a result without what two runs may find otherwise, such as "seconds"."""
    if isinstance(result, dict):
        return {key: without(each, *keys) for key, each in result.items() if key not in keys}
    several = isinstance(result, list | tuple)
    return [without(each, *keys) for each in result] if several else result
