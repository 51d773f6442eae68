"""The recorded verdicts of all claims, `claims/EXPECTED.json`, and how results differ from them;
the sentences they are verdicts on, `claims/catalogue/sentences.json`; and what Coq can prove again
of refuted readings, `claims/catalogue/refuted.json`; and the evidence of readings that rest on one,
`claims/catalogue/evidence.json`.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import Result
from pufferproof.claims.run.spare import unexplained
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of, in_file
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.reports.proofs.counterexamples.coverage import states

RECORD = Path(__file__).resolve().parents[2] / "claims" / "EXPECTED.json"
CATALOGUE = RECORD.parent / "catalogue"


def verdicts(results: Sequence[Result]) -> JsonObject:
    """Return what is recorded of results: the verdict of every claim and of its readings."""
    return {
        result["id"]: {
            "verdict": result["verdict"],
            "readings": {reading["name"]: reading["verdict"] for reading in result["readings"]},
        }
        for result in results
    }


def refuted_record(at: Path | None = None) -> Path:
    """Return where it is recorded what Coq can prove again of refuted readings."""
    return (at or RECORD).parent / "catalogue" / "refuted.json"


def sentences_record(at: Path | None = None) -> Path:
    """Return where it is recorded on which sentences the verdicts are."""
    return (at or RECORD).parent / "catalogue" / "sentences.json"


def evidence_record(at: Path | None = None) -> Path:
    """Return where it is recorded on what evidence readings rest."""
    return (at or RECORD).parent / "catalogue" / "evidence.json"


def beside(path: str) -> Path:
    """Return where verdicts on the claims of a file or a folder that is not of this package are
    recorded: in a folder beside it, NAME.record.
    """
    return Path(f"{Path(path).with_suffix('')}.record", RECORD.name)


def paths(at: Path | None = None) -> list[Path]:
    """Return what `record` writes."""
    return [at or RECORD, refuted_record(at), sentences_record(at), evidence_record(at)]


def sentences(results: Sequence[Result]) -> dict[str, str]:
    """Return a digest of what claims and their readings say by hand, of those that were examined;
    where all readings have words that are made from what is decided, nobody can write other ones.
    """
    return {
        result["id"]: _digest(
            [
                _by_hand(result),
                *(reading["name"] for reading in result["readings"]),
            ]
        )
        for result in results
        if not result["error"] and not all(reading["statement"] for reading in result["readings"])
    }


def _by_hand(result: Result) -> str:
    """Return the sentence of a claim that no object makes, or nothing."""
    made = any(reading.get("said") for reading in result["readings"][:1])
    return str(result["paraphrase"] or ("" if made else result["statement"]))


def evidence(results: Sequence[Result]) -> dict[str, dict[str, str]]:
    """Return a digest of the evidence of readings that rest on some: counterexamples, and the
    members of families that were gone through.
    """
    digests = {
        result["id"]: {reading["name"]: _of_evidence(reading) for reading in result["readings"]}
        for result in results
        if not result["error"]
    }
    some = {name: {at: each for at, each in by.items() if each} for name, by in digests.items()}
    return {name: by for name, by in some.items() if by}


def _of_evidence(reading: JsonObject) -> str:
    rested = [
        [step["kind"], step["name"], step["detail"], step["evidence"]]
        for step in reading["steps"]
        if step["kind"] in ("counterexample", "exhaust")
    ]
    return _digest(rested) if rested else ""


def _digest(texts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]


def open_where_reworded(results: Sequence[Result], at: Path | None = None) -> list[Result]:
    """Return results in which claims are OPEN that say another sentence than was recorded.

    Whether a program says what a sentence says, only a reader can tell: whoever changes the words
    reads both again and records the verdict.
    """
    old, new = recorded(sentences_record(at)), sentences(results)
    changed = {name for name, digest in new.items() if old.get(name, digest) != digest}
    return [_opened(result) if result["id"] in changed else result for result in results]


def _opened(result: Result) -> Result:
    readings = [{**reading, "verdict": "OPEN"} for reading in result["readings"]]
    return {
        **result,
        "verdict": "OPEN",
        "readings": readings,
        "weakness": "its words are not those recorded: read them beside its program and its steps, "
        "then record the verdict with prove --record",
    }


def recorded(path: Path | None = None) -> JsonObject:
    """Read the recorded verdicts, or another record, by claims; nothing where there is no file.
    Raises `ModelError` unless the file holds an object.
    """
    place = path or RECORD
    if not place.exists():
        return {}
    try:
        with in_file(place):
            document = document_of("", place.read_bytes())
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", str(place)) from None
    if not isinstance(document, dict):
        raise ModelError(f"expected an object, found {shown(document)}", str(place))
    return document


def recorded_verdicts(at: Path | None = None) -> JsonObject:
    """Read the recorded verdicts. Raises `ModelError` unless they are as `verdicts` has them."""
    document = recorded(at)
    for name, entry in document.items():
        said = entry if isinstance(entry, dict) else {}
        readings = said.get("readings")
        texts = [
            said.get("verdict"),
            *(readings if isinstance(readings, dict) else {0: 0}).values(),
        ]
        if not all(isinstance(text, str) for text in texts):
            place = f"{at or RECORD}: {shown(name)}"
            raise ModelError(f'expected "verdict" and "readings", found {shown(entry)}', place)
    return document


def record(results: Sequence[Result], at: Path | None = None) -> None:
    """Write the verdicts of these results into the record, or that at a place of its own, and what
    Coq can prove again of those that are refuted, keeping those of other claims that still exist.
    """
    registered, refuted = load_claims(), states(results)
    results_of = {result["id"] for result in results}
    path = refuted_record(at)
    others = {name: each for name, each in recorded(path).items() if name not in results_of}
    path.parent.mkdir(exist_ok=True, parents=True)
    _write(at or RECORD, {**recorded(at), **verdicts(results)}, registered)
    _write(path, {**others, **refuted}, registered)
    path, failed = sentences_record(at), {result["id"] for result in results if result["error"]}
    others = {
        name: each for name, each in recorded(path).items() if name not in results_of - failed
    }
    _write(path, {**others, **sentences(results)}, registered)
    path, rested = evidence_record(at), evidence(results)
    others = {name: each for name, each in recorded(path).items() if name not in results_of}
    _write(path, {**others, **rested}, registered)


def _write(path: Path, entries: JsonObject, known: JsonObject) -> None:
    kept = {name: entry for name, entry in entries.items() if name in known}
    text = json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False)
    write_atomically(path, text + "\n")


def differences(results: Sequence[Result], at: Path | None = None) -> list[str]:
    """Say in one line each how results differ from the recorded verdicts, which claims could not
    be examined, and which hypotheses no instance needs without a reason.
    """
    old = recorded_verdicts(at)
    lines = [
        f"{result['id']}: not examined: {result['error']}" for result in results if result["error"]
    ]
    for name, entry in verdicts(results).items():
        expected = old.get(name)
        if expected is None:
            lines.append(f"{name}: {entry['verdict']}, not recorded")
        elif expected["verdict"] != entry["verdict"]:
            lines.append(f"{name}: {entry['verdict']}, recorded {expected['verdict']}")
        elif expected != entry:
            lines.append(f"{name}: {_changed_readings(expected['readings'], entry['readings'])}")
    spare = unexplained(results) if at is None else []  # reasons of files of users have no table
    unread = _words_not_recorded(results, at)
    others = [*_weaker(results, at), *_other_evidence(results, at)]
    return [*lines, *unread, *_weak(results), *others, *spare]


def _words_not_recorded(results: Sequence[Result], at: Path | None) -> list[str]:
    """Say which claims have a verdict that is recorded, and words of a person that are not."""
    path, known = sentences_record(at), recorded(at)
    missing = sentences(results).keys() - recorded(path).keys()
    return [f"{name}: its words are not in {path.name}" for name in sorted(missing & known.keys())]


def _weak(results: Sequence[Result]) -> list[str]:
    """Say of which refuted claims another reading holds by what does not count: their verdict
    does not show it, as that of other claims does. A reading that is OPEN holds by nothing.
    """
    return [
        f"{result['id']}: {result['weakness']}"
        for result in results
        if result["verdict"] == "REFUTED" and result["weakness"] and not _open_readings(result)
    ]


def _open_readings(result: Result) -> bool:
    return "OPEN" in {reading["verdict"] for reading in result["readings"]}


def _weaker(results: Sequence[Result], at: Path | None) -> list[str]:
    """Say of which refuted readings Coq can prove another thing again than is recorded."""
    path = refuted_record(at)
    old, new = recorded(path), states(results)
    verdicts_known = recorded(at)
    return [
        f"{result['id']}: what Coq can prove again of it differs from {path.name}"
        for result in results
        if result["id"] in verdicts_known and new.get(result["id"]) != old.get(result["id"])
    ]


def _other_evidence(results: Sequence[Result], at: Path | None) -> list[str]:
    """Say of which readings the evidence is not the one that is recorded."""
    path = evidence_record(at)
    old, new, examined = recorded(path), evidence(results), recorded(at)
    return [
        f'{result["id"]}: the evidence of "{name}" is not what {path.name} has'
        for result in results
        if result["id"] in examined and not result["error"]
        for name in sorted(_differing(old, new, result["id"]))
    ]


def _differing(old: JsonObject, new: Mapping[str, Any], claim: str) -> set[str]:
    one, other = old.get(claim, {}), new.get(claim, {})
    if not isinstance(one, dict):
        raise ModelError(f"expected an object for {claim}, found {shown(one)}", "evidence.json")
    return {name for name in {*one, *other} if one.get(name) != other.get(name)}


def catalogue() -> dict[str, list[str]]:
    """Return the ids of every catalogue of claims, by paper."""
    return {
        path.stem: path.read_text(encoding="utf-8").split()
        for path in sorted(CATALOGUE.glob("*.txt"))
    }


def _changed_readings(expected: Mapping[str, str], readings: Mapping[str, str]) -> str:
    names = sorted({*expected, *readings})
    changed = [
        f'"{name}" {readings.get(name)}, recorded {expected.get(name)}'
        for name in names
        if expected.get(name) != readings.get(name)
    ]
    return "; ".join(changed)
