"""Cases that are no files of a corpus: limits, exactly reached and lowered by one, and commands."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.kernel.bench import Case, at_limit, corpus, paths, read
from tests.kernel.unpack import entries, unpacked

GOOD = {
    "leakage": "at-most",
    "rates": "nfc",
    "optima": "lp-corner",
    "algebra": "square",
    "redaction": "exact",
    "designs": "exact",
    "noise": "at-most",
}
BAD = {
    "leakage": "A2-above-the-level",
    "rates": "RA4-tie",
    "optima": "OL3-row-below",
    "algebra": "AF6-smaller-bound",
    "redaction": "QL2-at-most",
    "designs": "QR8-one",
    "noise": "NL3-below",
}
MATCHED = {"leakage": "chain-json", "rates": "rate", "optima": "worst", "redaction": "matched"}
MATCHED |= {"noise": "matched"}


def good(family: str) -> Path:
    return accepted(family, GOOD[family])


def bad(family: str) -> Path:
    return unpacked() / family / "reject" / f"{BAD[family]}.json"


def accepted(family: str, name: str) -> Path:
    return unpacked() / family / "accept" / f"{name}.json"


def given(family: str, name: str) -> tuple[Path, ...]:
    """Return a certificate with its files."""
    return paths(family, f"inputs/{name}.certificate.json")


def cases(family: str, folder: Path) -> list[Case]:
    """Return all cases of a family; what they need and is no file of a corpus goes to a folder."""
    work = [
        case
        for name, entry in entries(family).items()
        if "work" in entry
        for case in at_limit("reading.MAX_WORK", entry["work"], paths(family, name), "too large")
    ]
    return [*corpus(family), *limits(family, folder), *work, *commands(family, folder)]


def limits(family: str, folder: Path) -> Iterator[Case]:
    for name, bound, file, reason in LIMITS[family]:
        yield from at_limit(name, bound, (accepted(family, file),), reason)
    for name, file, reason, values in PATCHED[family]:
        yield Case(f"{values} {name}", (str(accepted(family, file)),), reason, values)
    if family == "leakage":
        yield from sizes(folder)


LIMITS: dict[str, list[tuple[str, int, str, str]]] = {
    "leakage": [
        ("files.MAX_BYTES", good("leakage").stat().st_size, "at-most", "bytes"),
        ("reading.MAX_DIGITS", 7, "convex-tie", "expected a number"),
        ("space.MAX_SIZE", 3, "at-most", "different databases"),
        ("leakage.MAX_RELEASES", 3, "joint-thrice", "expected 2 to"),
    ],
    "rates": [
        ("rates.MAX_PRECISION", 7, "nfc-violation-thirty-digits", "undecided"),
        ("rates.MAX_POWER", 20, "nfc-tie-of-powers", "undecided"),
    ],
    "optima": [("optima.MAX_DATABASES", 2, "worst", "over 1 databases")],
    "algebra": [
        ("files.MAX_BYTES", good("algebra").stat().st_size, "square", "bytes"),
        ("reading.MAX_DIGITS", 4, "exp-upper", "expected a number"),
        ("algebra.MAX_POWER", 100, "hundredth-power", "a power is over"),
        ("algebra.MAX_PRECISION", 7, "log", "undecided"),
    ],
    "redaction": [
        ("designs.redaction.MAX_RECORDS", 2, "exact", "over 1 records"),
        ("designs.redaction.MAX_PRECISION", 32, "long", "expected null, or from"),
    ],
    "designs": [
        ("designs.__init__.MAX_CENTRAL", 2, "central", "is not enumerated"),
        ("designs.__init__.MAX_DESIGNS", 2, "quilt", "expected from 1 to"),
    ],
    "noise": [
        ("noise.model.MOST_LENGTH", 3, "at-most", "expected 1 to"),
        ("noise.model.MOST_BITS", 64, "at-most", "expected 32 to"),
        ("noise.laws.MOST_TERMS", 4, "at-most", "values of a sum"),
        ("noise.delta.MOST_NATS", 1, "delta-nats", "expected at most"),
    ],
}
Patched = tuple[str, str, str | None, tuple[tuple[str, int], ...]]  # name, file, reason, limits
PATCHED: dict[str, list[Patched]] = {family: [] for family in LIMITS} | {
    "leakage": [
        ("undecided", "at-most-nats-thirty-digits", "undecided", (("level.MAX_PRECISION", 6),)),
        ("decided", "at-most-nats-thirty-digits", None, (("level.MAX_PRECISION", 7),)),
    ],
    "rates": [("a sum of nothing", "nfc-zero", "undecided", (("rates.MAX_POWER", -1),))],
    "redaction": [
        ("as few bits", "long", None, (("designs.redaction.MIN_PRECISION", 32),)),
        ("fewer", "long", "expected null, or from", (("designs.redaction.MIN_PRECISION", 33),)),
    ],
}


def sizes(folder: Path) -> Iterator[Case]:
    """Limits of what a framework may have, reached by files that are made here."""
    half = ["1/2", "1/2"]
    base = read(good("leakage"))
    base["framework"] |= {"databases": ["a", "b"], "priors": {"theta": {"a": "1/2", "b": "1/2"}}}
    base["framework"] |= {"secrets": {"1": ["a"], "2": ["b"], "3": ["a"], "4": ["b"]}}
    base["framework"]["pairs"] = "disjoint"
    base["mechanisms"] = [{"outputs": ["u", "v"], "channel": {"a": half, "b": half}}]
    base["claim"]["level"] = {"log": "9"}
    (folder / "pairs.json").write_text(json.dumps(base), encoding="utf-8")
    yield from at_limit("space.MAX_SIZE", 6, (folder / "pairs.json",), "pairs: over")
    chain = given("leakage", "chain-json")
    yield from at_limit("space.MAX_ALPHABET", 2, chain, "stationary")
    word = ["no", "yes"]
    yield records(folder, "records 8 of 8", (3, word), 8, "rows")
    yield records(folder, "records 8 of 7", (3, word), 7, "records: expected")
    yield records(folder, "endless", (999_999_999, word), 1_000_000, "records: expected")
    yield records(folder, "records of one value", (9, ["no"]), 9, "expected one of")
    yield records(folder, "too many of one value", (9, ["no"]), 8, "records: expected")


def records(folder: Path, name: str, shape: tuple[int, list[str]], size: int, reason: str) -> Case:
    """A case about the number of databases that a file's records expand to, with its hash."""
    inputs = unpacked() / "leakage" / "inputs"
    top: Any = read(inputs / "words.json")
    top["records"] = dict(zip(("count", "alphabet"), shape))
    text, base = json.dumps(top), read(inputs / "words-json-normalized.certificate.json")
    base["inputs"]["framework"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    certificate, framework = folder / f"{name}.certificate.json", folder / f"{name}.json"
    certificate.write_text(json.dumps(base), encoding="utf-8")
    framework.write_text(text, encoding="utf-8")
    paths = (str(certificate), str(framework), str(inputs / "words.csv"))
    return Case(name, paths, reason, (("space.MAX_SIZE", size),))


def commands(family: str, folder: Path) -> Iterator[Case]:
    """Command lines, whose exit codes and texts must not change with a mutant."""
    texts = {"text.json": b"hello", "latin.json": b'{"a": "\xe9"}', "deep.json": b"[" * 200_000}
    for name, text in (texts | {"table.csv": b"database,u\na,1\n"}).items():
        (folder / name).write_bytes(text)
    yes, no, none = str(good(family)), str(bad(family)), str(folder / "none.json")
    files, text = list[str](), str(folder / "text.json")
    if family in MATCHED:
        files = [*map(str, given(family, MATCHED[family]))]
    lines = [[], ["--json"], ["--help", yes], ["-q"], [yes], ["--json", yes], [yes, "--json"]]
    lines += [[no], ["--json", no], [yes, yes], [yes, yes, yes], ["--json", text], [none]]
    lines += [
        ["--work", "9", yes],
        [yes, "--work"],
        [yes, "--work", "0"],
        [yes, "--work", "9" * 31],
    ]
    lines += [[str(folder)], *([str(folder / name)] for name in (*texts, "table.csv"))]
    if files:
        lines += [files, ["--json", *files], files[:2], [*files, files[-1]], [*files[:-1], none]]
        lines += [[*files[:-1], "package.module:function"], [*files[:-1], "none.npy"]]
    for i, line in enumerate(lines):
        yield Case(f"command {i}", tuple(line), None, command=True)
