"""Claims that tests write themselves, instances that are drawn, and theorems to be edited."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pufferproof.claims import registry
from pufferproof.claims.language.statements import Draws
from pufferproof.claims.language.theorems import FORMAL
from pufferproof.claims.registry import Check, claim, examine


def only_tried(check: Check) -> None:
    check.tried("as stated")


@pytest.fixture
def claimed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Check]]:
    """Return a function that registers a claim for one test, without theorems, and examines it."""
    monkeypatch.setattr(registry, "theorems_of", lambda *_: ())
    names = set()

    def of(says: Any, function: Any = only_tried, name: str = "x.tried", **more: Any) -> Check:
        registry._CLAIMS.pop(name, None)
        names.add(name)
        given = {"where": "nowhere", "statement": "..", "says": says, **more}
        timeout = given.pop("timeout", 20.0)
        claim(name, **given)(function)
        return examine(name, timeout)

    yield of
    for name in names:
        registry._CLAIMS.pop(name, None)


@pytest.fixture
def draws(seed: int) -> Draws:
    return Draws(Random(seed))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the theorems, to be changed."""
    hidden = shutil.ignore_patterns(".build")
    return Path(shutil.copytree(FORMAL, tmp_path / "formal", ignore=hidden))
