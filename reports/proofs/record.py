"""The recorded verdicts of all claims, `claims/EXPECTED.json`, a line each, and how results differ
from them. Readings stand in the order of the document, which has their names. Beside their verdicts
are digests of what only a reader can compare with them, so that a change is seen: of the words that
somebody wrote, with what readings are made of; and of the evidence and the scopes of readings, with
what Coq can prove again of it.
"""

import hashlib
import json
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from pufferproof.claims.registry import load_claims
from pufferproof.claims.run import Result
from pufferproof.claims.run.spare import unexplained
from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import MAX_BYTES, beginning, document_of, in_file
from pufferproof.models.interface.outputs import write_atomically
from pufferproof.models.numbers.text import JsonObject, shown
from pufferproof.reports.proofs.counterexamples.again import states

RECORD = Path(__file__).resolve().parents[2] / "claims" / "EXPECTED.json"


def verdicts(results: Sequence[Result]) -> JsonObject:
    """Return the verdict of every claim and of its readings."""
    return {
        result["id"]: {"verdict": result["verdict"], "readings": [reading["verdict"] for reading in result["readings"]]}
        for result in results
    }


def beside(path: str) -> Path:
    """Return where verdicts on the claims of a file or a folder that is not of this package are
    recorded: in a folder beside it, NAME.record.
    """
    return Path(f"{Path(path).with_suffix('')}.record", RECORD.name)


def entries(results: Sequence[Result]) -> JsonObject:
    """Return what is recorded of results: verdicts, a digest of words, and what readings rest on.
    Of a claim that could not be examined the verdict alone is known.
    """
    proved, found = states(results), verdicts(results)
    for result in results:
        if not result["error"]:
            found[result["id"]]["words"] = words(result)
            # what each reading rests on: what refutes it, what Coq can prove again of that, and a digest of its
            # counterexamples, of the families that were gone through, and of the scope that the file gives it
            again = proved.get(result["id"], {})
            rests = [
                " ".join(
                    filter(None, [each["refuted_by"], again.get(each["name"]), _of_evidence(each), scope_of(each)])
                )
                for each in result["readings"]
            ]
            found[result["id"]] |= {"rests": rests} if any(rests) else {}
    return found


def words(result: Result) -> str:
    """Return a digest of what a claim says by hand, of the names of its readings, and of what they
    are made of (`claims.run.meaning`); where all readings have words that are made from what is
    decided, nobody can write other ones.
    """
    made = all(reading["statement"] for reading in result["readings"])
    names = (reading["name"] for reading in result["readings"])
    # the sentence of a claim that no object makes
    said = any(reading.get("said") for reading in result["readings"][:1])
    by_hand = str(result["paraphrase"] or ("" if said else result["statement"]))
    return _digest(["" if made else by_hand, *names, result.get("meaning", "")])


def judges(entry: JsonObject) -> list[str | None]:
    """Return what refutes each reading of a claim that is recorded; of others, None."""
    rests = entry.get("rests", [])
    return [
        rest.partition(" ")[0] if verdict == "REFUTED" else None
        for verdict, rest in zip_longest(entry["readings"], rests, fillvalue="")
    ]


def _of_evidence(reading: JsonObject) -> str:
    rested = [
        [step["kind"], step["name"], step["detail"], step["evidence"]]
        for step in reading["steps"]
        if step["kind"] in ("counterexample", "exhaust")
    ]
    return _digest(rested) if rested else ""


def scope_of(reading: JsonObject) -> str:
    """Return a digest of the scope that a file gives a reading; "" if its words are made."""
    given = reading["scope_given"]
    return _digest([given]) if given and not reading["statement"] else ""


def _digest(texts: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:16]


def open_where_reworded(results: Sequence[Result], at: Path | None = None) -> list[Result]:
    """Return results in which claims are OPEN that say another sentence than was recorded.

    Whether a program says what a sentence says, only a reader can tell: whoever changes the words
    reads both again and records the verdict.
    """
    old = recorded(at)
    return [
        result
        if result["error"] or old.get(result["id"], {}).get("words") in (None, words(result))
        else _opened(result)
        for result in results
    ]


def _opened(result: Result) -> Result:
    is_open = {"verdict": "OPEN", "refuted_by": None}
    readings = [{**reading, **is_open} for reading in result["readings"]]
    return {
        **result,
        **is_open,
        "readings": readings,
        "weakness": "what it says is not what is recorded: read it beside its program and its "
        "steps, then record the verdict with prove --record",
    }


def recorded(at: Path | None = None) -> JsonObject:
    """Read what is recorded, by claims; nothing where there is no file. Raises `ModelError` unless
    it is as `entries` has it.
    """
    place = at or RECORD
    if not place.exists():
        return {}
    try:
        with in_file(place):
            with place.open("rb") as file:  # not kept: it may be written, and read again
                data = beginning(file, MAX_BYTES)
            if len(data) > MAX_BYTES:
                raise ModelError(f"expected at most {MAX_BYTES} bytes")
            document = document_of("", data)
    except OSError as error:
        raise ModelError(f"cannot be read: {error.strerror}", str(place)) from None
    if not isinstance(document, dict):
        raise ModelError(f"expected an object, found {shown(document)}", str(place))
    for name, entry in document.items():
        # what is recorded of a claim has this shape
        known = entry if isinstance(entry, dict) else {}
        lists = [known.get("readings"), known.get("rests", [])]
        if not (
            isinstance(known.get("verdict"), str)
            and all(
                isinstance(each, list) and all(isinstance(text, str) for text in each)
                for each in (*lists, [known.get("words", "")])
            )
        ):
            expected = f'expected "verdict" and a list of "readings", found {shown(entry)}'
            again = "delete this file, then prove --record"
            raise ModelError(f"{expected}: {again}", f"{place}: {shown(name)}")
    return document


def record(results: Sequence[Result], at: Path | None = None) -> None:
    """Write what is found of these results into the record, or that at a place of its own, keeping
    other claims that still exist, and the words of those that could not be examined.
    """
    known, registered = recorded(at), load_claims()
    for name, entry in entries(results).items():
        kept = {key: each for key, each in known.get(name, {}).items() if key == "words"}
        known[name] = {**kept, **entry}
    lines = [
        f"{json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}"
        for name, entry in sorted(known.items())
        if name in registered
    ]
    place = at or RECORD
    place.parent.mkdir(exist_ok=True, parents=True)
    write_atomically(place, "{\n" + ",\n".join(lines) + "\n}\n")


def differences(results: Sequence[Result], at: Path | None = None) -> list[str]:
    """Say in one line each how results differ from what is recorded, which claims could not be
    examined, and which hypotheses no instance needs without a reason.
    """
    old, new = recorded(at), entries(results)
    lines = [f"{result['id']}: not examined: {result['error']}" for result in results if result["error"]]
    for result in results:
        name = result["id"]
        lines += [f"{name}: {each}" for each in _differing(result, old.get(name), new[name])]
    spare = unexplained(results) if at is None else []  # reasons of files of users have no table
    return [
        *lines,
        *[
            f"{result['id']}: {result['weakness']}"
            for result in results
            if result["verdict"] == "REFUTED"
            and result["weakness"]
            and "OPEN" not in {reading["verdict"] for reading in result["readings"]}
        ],
        *spare,
    ]


def _differing(result: Result, old: JsonObject | None, new: JsonObject) -> list[str]:
    """Say how one result differs from what is recorded of it: first its verdict, then those of its
    readings, then what they rest on.
    """
    if old is None:
        return [f"{new['verdict']}, not recorded: prove --record does so first"]
    if old["verdict"] != new["verdict"]:
        return [f"{new['verdict']}, recorded {old['verdict']}"]
    if result["error"]:
        return []
    names = [reading["name"] for reading in result["readings"]]
    unread = [] if "words" in old else ["its words are not recorded"]
    if changed := _changed(names, old["readings"], new["readings"]):
        return [*unread, changed]
    changed = _changed(names, old.get("rests", []), new.get("rests", []))
    return [*unread, *([f"readings rest on {changed}"] if changed else [])]


def _changed(names: Sequence[str], old: Sequence[str], new: Sequence[str]) -> str:
    return "; ".join(
        f'"{name}" {found or "nothing"}, recorded {expected or "nothing"}'
        for name, expected, found in zip_longest(names, old, new, fillvalue="")
        if found != expected
    )
