"""What Coq said of sources as they are, kept beside what it compiled, so that a changed source is
asked about again with those that use it, and no other.

A source is known by its name and the digest of its text, of all that it uses, and of the version of
Coq. Who can write in the folder can write an answer too, as in CHECKED.json: continuous integration
begins without the folder.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from . import NotChecked
from .record import AcceptedTheorem

NAME, USES = "answers.json", ".build.mk.d"
COMPILED = re.compile(r"^(\S+)\.vo .*?: \1\.v(.*)$", re.MULTILINE)


@dataclass
class Answers:
    """What Coq said: by the digest of a source its theorems, if coqchk passed it; by the digest of
    a probe its truth value at each instance.
    """

    place: Path
    theorems: dict[str, list[AcceptedTheorem]] = field(default_factory=dict)
    probes: dict[str, str] = field(default_factory=dict)

    def keep(self) -> None:
        """Write them."""
        text = json.dumps({
            "theorems": {key: [*map(asdict, some)] for key, some in self.theorems.items()},
            "probes": self.probes,
        })  # fmt: skip
        new = self.place / f"{NAME}.new"
        new.write_text(text, encoding="utf-8")
        new.replace(self.place / NAME)


def answers(place: Path) -> Answers:
    """Return what was kept in a folder: nothing, if it cannot be read."""
    try:
        content: dict[str, Any] = json.loads((place / NAME).read_text(encoding="utf-8"))
        theorems = {key: [AcceptedTheorem(**each) for each in some] for key, some in content["theorems"].items()}
        return Answers(place, theorems, dict(content["probes"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Answers(place)


def uses(place: Path) -> dict[str, list[str]]:
    """Return the sources that each source requires itself, by what Coq's `coqdep` says."""
    text = (place / USES).read_text(encoding="utf-8")
    return {
        f"{name}.v": [word.removesuffix("o") for word in rest.split() if word.endswith(".vo")]
        for name, rest in COMPILED.findall(text)
    }


def keys(place: Path, coq: str, digests: Mapping[str, str]) -> dict[str, str]:
    """Return the digest of each source with all that it uses."""
    used = uses(place)
    if missing := sorted(digests.keys() - used.keys()):
        raise NotChecked(f"{USES}: expected what {missing[0]} uses")

    @cache
    def key(file: str) -> str:
        within = [file, digests[file], *(key(each) for each in used[file] if each in digests)]
        return hashlib.sha256(" ".join([coq, *within]).encode()).hexdigest()

    return {file: key(file) for file in digests}
