"""What the corpora of all families are made with: edited certificates, files, recorded reasons."""

import hashlib
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def edited(base: Json, path: str, value: Any) -> Json:
    """The certificate with the value at a dotted path replaced, or removed where it is `...`."""
    changed = deepcopy(base)
    *parents, last = path.split(".")
    here: Any = changed
    for key in parents:
        here = here[int(key) if isinstance(here, list) else key]
    key = int(last) if isinstance(here, list) else last
    if value is ...:
        del here[key]
    else:
        here[key] = value
    return changed


@dataclass(frozen=True)
class Given:
    """A certificate that is checked together with files, whose hashes it gets."""

    name: str
    certificate: Json
    files: list[tuple[str, str]]  # names and contents, the framework first
    refused: str | None = None  # a fragment of the reason
    paths: tuple[str, ...] | None = None  # what the kernel gets, if that is not these files


def hashed(certificate: Json, texts: list[str]) -> Json:
    """The certificate with the hashes of its framework and of each mechanism, from the last on."""
    hashes: list[Any] = ["sha256:" + hashlib.sha256(text.encode()).hexdigest() for text in texts]
    framework, *others = hashes or [None]
    if "mechanism" in certificate["inputs"]:
        inputs = {"framework": framework, "mechanism": others[0] if others else None}
    else:
        count = len(certificate["mechanisms"])
        others = [*others, *hashes[-1:] * (count - len(others))][:count]
        inputs = certificate["inputs"] | {"framework": framework, "mechanisms": others}
    return certificate | {"inputs": inputs}


def write_inputs(folder: Path, cases: list[Given], more: list[Json] | None = None) -> None:
    """Write certificates with their files, and CASES.json; `more` are entries of that."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*"):
        old.unlink()
    entries = []
    for case in cases:
        certificate = f"{case.name}.certificate.json"
        for name, text in case.files:
            write(folder / name, text)
        write(folder / certificate, hashed(case.certificate, [text for _, text in case.files]))
        paths = [name for name, _ in case.files] if case.paths is None else case.paths
        entries.append({"certificate": certificate, "files": [*paths], "refused": case.refused})
    write(folder / "CASES.json", [*entries, *(more or [])])


def write_corpus(
    folder: Path, accept: Mapping[str, Any], reject: Mapping[str, tuple[Any, str]]
) -> None:
    """Write certificates that are accepted, those that are refused, and the reasons for that."""
    contents = {"accept": accept, "reject": {name: value for name, (value, _) in reject.items()}}
    for part, files in contents.items():
        (folder / part).mkdir(exist_ok=True)
        for old in (folder / part).glob("*.json"):
            old.unlink()
        for name, value in files.items():
            write(folder / part / f"{name}.json", value)
    reasons = {f"{name}.json": reason for name, (_, reason) in reject.items()}
    write(folder / "reject" / "REASONS.json", reasons)


def write(path: Path, value: Any) -> None:
    """Write a value as JSON, or a text as it is."""
    text = value if isinstance(value, str) else json.dumps(value, indent=1) + "\n"
    path.write_text(text, encoding="utf-8", newline="")
