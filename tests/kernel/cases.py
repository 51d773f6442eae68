"""Cases that are no files of a corpus: limits, exactly reached and lowered by one, and commands."""

import hashlib
import json
from collections.abc import Iterator
from itertools import combinations, product
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
        yield from at_limit("space.MAX_SIZE", 9, given(family, "local"), "at most 8 outputs")
        yield from sizes(folder)
        yield from neighbours(folder)


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


def neighbours(folder: Path) -> Iterator[Case]:
    """Files of neighbours, and certificates whose pairs are found by comparing all databases."""
    bits: dict[str, Any] = {"records": {"count": 2, "alphabet": ["0", "1"]}}
    words: dict[str, Any] = {"databases": ["a,b", "a", "b", "", "a,a", "c,d"]}
    plain: dict[str, Any] = {"databases": ["", "0", "00", "11", "010"]}
    own = {"p": {"table": {"": "1/2", "0": "1/4", "00": "1/4", "11": "0", "010": "0"}}}
    accepted: list[tuple[str, dict[str, Any], Any]] = [
        ("neighbours by name", bits, "add-remove"),
        ("neighbours by substitution", bits, {"relation": "substitute"}),
        ("as many changes as records", bits, {"relation": "substitute", "changes": 2}),
        ("two changes", bits, {"relation": "add-remove", "changes": 2}),
        ("neighbours that are listed", words, {"relation": "add-remove", "changes": 1}),
        ("words that are substituted", words, {"relation": "substitute", "changes": 1}),
        ("as many changes as words", words, {"relation": "substitute", "changes": 2}),
        ("neighbours with priors", plain | {"priors": own, "closure": "convex"}, "add-remove"),
        ("neighbours of three", plain, {"relation": "add-remove", "changes": 3}),
    ]
    for name, space, said in accepted:
        yield neighbouring(folder, name, space, said, None)
    refused: list[tuple[str, Any, str]] = [
        ("no changes", {"relation": "substitute", "changes": 0}, "expected 1 to 2 changes"),
        ("too many changes", {"relation": "substitute", "changes": 3}, "expected 1 to 2 changes"),
        ("no relation", "other", "expected one of"),
    ]
    for name, said, reason in refused:
        yield neighbouring(folder, name, bits, said, reason)
    yield neighbouring(folder, "other pairs", bits, "substitute", "differ", "add-remove")


def neighbouring(
    folder: Path, name: str, space: dict[str, Any], said: Any, reason: str | None, told: Any = None
) -> Case:
    """A certificate with every database as a secret, and its file of neighbours."""
    whole = {"format": "pufferproof-framework/1", **space, "neighbours": said}
    inner = (said if told is None else told) if reason != "expected one of" else "substitute"
    inner = inner if isinstance(inner, dict) else {"relation": inner}
    grows, most = inner["relation"] == "add-remove", inner.get("changes", 1)
    if "records" in space:
        count, alphabet = space["records"]["count"], space["records"]["alphabet"]
        lengths = range(count + 1) if grows else [count]
        labels = ["".join(row) for n in lengths for row in product(alphabet, repeat=n)]
    else:
        labels = space["databases"]
    comma = any("," in label for label in labels)
    rows = [tuple(label.split(",")) if comma and label else tuple(label) for label in labels]
    pairs = [
        [labels[i], labels[j]] for i, j in combinations(range(len(rows)), 2) if apart(rows[i], rows[j], grows) <= most
    ]
    even = {"each": {"table": {label: f"1/{len(labels)}" for label in labels}}}
    priors = {key: law["table"] for key, law in space.get("priors", even).items()}
    half = {label: ["1/2", "1/2"] for label in labels}
    framework, mechanism = folder / f"{name}.json", folder / f"{name}.mechanism.json"
    framework.write_text(json.dumps(whole), encoding="utf-8")
    table = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": half}
    mechanism.write_text(json.dumps(table), encoding="utf-8")
    base = read(good("leakage"))
    base["framework"] = {
        "databases": labels,
        "secrets": {label: [label] for label in labels},
        "pairs": pairs,
        "priors": priors,
        "closure": space.get("closure", "list"),
    }
    base["mechanisms"] = [{"outputs": ["u", "v"], "channel": half}]
    hashes = ["sha256:" + hashlib.sha256(path.read_bytes()).hexdigest() for path in (framework, mechanism)]
    base["inputs"] |= {"framework": hashes[0], "mechanisms": hashes[1:]}
    certificate = folder / f"{name}.certificate.json"
    certificate.write_text(json.dumps(base), encoding="utf-8")
    return Case(name, (str(certificate), str(framework), str(mechanism)), reason)


def apart(one: tuple[str, ...], other: tuple[str, ...], grows: bool) -> float:
    """Return the fewest changes between two sequences."""
    if not grows:
        same = len(one) == len(other)
        return sum(x != y for x, y in zip(one, other)) if same else float("inf")
    if not one or not other:
        return len(one) + len(other)
    if one[0] == other[0]:
        return apart(one[1:], other[1:], grows)
    return 1 + min(apart(one[1:], other, grows), apart(one, other[1:], grows))


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
    lines += [["--work", "9", yes], [yes, "--work"], [yes, "--work", "0"], [yes, "--work", "9" * 31]]
    lines += [[str(folder)], *([str(folder / name)] for name in (*texts, "table.csv"))]
    if files:
        lines += [files, ["--json", *files], files[:2], [*files, files[-1]], [*files[:-1], none]]
        lines += [[*files[:-1], "package.module:function"], [*files[:-1], "none.npy"]]
    for i, line in enumerate(lines):
        yield Case(f"command {i}", tuple(line), None, command=True)
