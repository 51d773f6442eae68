"""Claims examined once in a run of the tests: what one worker has examined, the others read.

Examinations are kept in a folder that the run makes for itself and deletes (`tests/conftest.py`):
none of another run, hence of other sources, is ever there to be read. Two workers that need a claim
at the same moment both examine it.
"""

import os
import pickle
import tempfile
from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any

import sympy
from tests.claims.run import permission

from pufferproof.claims import registry
from pufferproof.claims.language.proof import Proof
from pufferproof.claims.language.statements import Effort
from pufferproof.claims.registry import Check, Claim, load_claims

TRIED = Effort(20)
"""Statements are tried on few instances, and on more until each near miss is seen false:
`pufferproof prove` tries them on all.
"""


def examined(name: str) -> Check:
    """Examine a claim, unless this run has done so."""
    assert permission.MARKED, "expected a test marked claims, which make claims runs"
    return known(name)


@cache
def known(name: str) -> Check:
    """The examination of a claim."""
    load_claims()  # what is the repair of what
    path = Path(os.environ[permission.FOLDER]) / f"{name}.pickle"
    if path.exists():
        return restored(path.read_bytes())
    check = registry.examine(name, effort=TRIED)
    if any(map(weak, check.readings)):
        check = registry.examine(name)  # a few instances did not show what all of them do
    assert changed_bytes() == []
    keep(path, check)
    return check


def weak(reading: Proof) -> bool:
    """Whether too few instances were tried for a verdict, or there is none for another reason."""
    few = reading.trial is not None and reading.trial.weakness is not None
    return few or reading.obstacle is not None


def changed_bytes() -> list[int]:
    """The bytes whose object, which all of Python shares, has been written to: what reads digits
    in compiled code can do that, and nothing that compares bytes is right any more.
    """
    every = bytes(range(256))
    return [value for value in every if every[value : value + 1][0] != value]


def keep(path: Path, known: Check) -> None:
    """Keep an examination that can be read as it is; the others every worker does for itself."""
    try:
        content = kept(known)
    except (AttributeError, TypeError, pickle.PicklingError):  # functions of its own
        return
    if formulas(restored(content)) != formulas(known):
        return
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as unfinished:
        unfinished.write(content)
    os.replace(unfinished.name, path)  # whole, or not there for other workers


def kept(known: Check) -> bytes:
    stream = BytesIO()
    Pickler(stream, known.claim).dump(known)
    return stream.getvalue()


def restored(content: bytes) -> Check:
    with sympy.evaluate(False):  # or what was left as it is printed would be simplified
        known: Check = Unpickler(BytesIO(content)).load()
    return known


def formulas(check: Check) -> list[object]:
    """The formulas of all steps."""
    arguments = (*check.readings, *check.near_misses)
    return [step.formula for argument in arguments for step in argument.steps]


class Pickler(pickle.Pickler):
    """Claims go by their ids; so does the formula that a claim is: identity is what counts."""

    def __init__(self, stream: BytesIO, claim: Claim) -> None:
        super().__init__(stream)
        self.claim = claim

    def persistent_id(self, value: Any) -> tuple[str, str] | None:
        if isinstance(value, Claim):
            return "claim", value.id
        if value is not None and value is self.claim.formula:
            return "formula", self.claim.id
        return None

    def reducer_override(self, value: Any) -> Any:
        """Say how a view of a dictionary, which frameworks have, is made again."""
        if isinstance(value, MappingProxyType):
            return view, (dict(value),)
        return NotImplemented


def view(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)


class Unpickler(pickle.Unpickler):
    def persistent_load(self, reference: tuple[str, str]) -> Any:
        part, name = reference
        claim = registry._CLAIMS[name]
        return claim if part == "claim" else claim.formula
