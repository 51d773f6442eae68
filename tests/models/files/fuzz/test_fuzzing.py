"""What an edited file is: read, or refused in one line that names it."""

import io
import json
import sys
from itertools import count
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.kernel.fuzz import trying
from tests.models.files.fuzz import __main__ as fuzz
from tests.models.files.fuzz import commands, formats, units
from tests.models.files.fuzz.edits import corpus, edited

from pufferproof.models.files.reading import in_file
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.interface.sweeps.store import Store


@pytest.mark.parametrize("name", formats.FORMATS)
def test_files_of_the_corpus_are_read_and_edited_ones_read_or_refused(name):
    bases, computes = units.bases(name), formats.FORMATS[name].computes
    some = bases[:: 1 + len(bases) // 6] if computes else bases
    assert {units.verdict(name, *base) for base in some} == {"read"}
    found = units.inputs(name, "test", 0, 10 if computes else 25, units.sources())
    assert found["found"] == []
    assert found["counts"]["refused"] > 0


def test_every_file_of_the_corpus_is_of_a_format():
    names = {file.partition(".")[0] for file in corpus()}
    assert names == {name for name, form in formats.FORMATS.items() if form.bases is None}


def far_away():
    """A table with a day that Python has no date for."""
    into = io.BytesIO()
    pq.write_table(pa.table({"state": pa.array([2**30], pa.date32())}), into)
    return into.getvalue()


def deep_family():
    """A family whose framework is nested as deeply as JSON may be read."""
    text = next(data for ending, data in units.bases("family") if ending == "json")
    document = json.loads(text)
    document["framework"]["records"] = "HERE"
    nested = b'{"x":' * 600 + b"1" + b"}" * 600
    return json.dumps(document).encode().replace(b'"HERE"', nested)


def unnamed():
    """A store in which the name of an index is no text."""
    ((_, data),) = units.bases("store")
    return data.replace(b"sqlite_autoindex_answers", b"sqlite_autoindex_\xffnswers", 1)


@pytest.mark.parametrize(
    ("name", "suffix", "data"),
    [
        ("parquet", "parquet", far_away()),
        ("store", "db", unnamed()),
        ("days", "csv", b"date,weather\n2012-01-01\n2013-01-01,sun\n"),
        ("certificate", "json", b"[" * 100_000),
        ("certificate", "json", b'{"kind": []}'),
        ("days", "csv", b'date,"' + b"x" * 200_000),
        ("family", "json", deep_family()),
        ("batch", "csv", b'a,"' + b"x" * 200_000),
        ("record", "json", b"[1]"),
        ("record", "json", b'{"a": {"verdict": "OPEN"}}'),
        ("record", "json", b"\xff"),
        ("record", "json", b"[" * 100_000),
        ("utility", "toml", b'"a\\rb" = 1'),
        ("framework", "json", json.dumps({"\u2028": "\x85"}).encode()),
        ("mechanism", "json", b'{"format": "pufferproof-mechanism/1", "a\\nb": 1}'),
    ],
)
def test_what_was_not_refused_before_is(name, suffix, data):
    assert units.verdict(name, suffix, data) == "refused"


def test_a_store_of_the_corpus_has_answers_and_one_that_lies_is_told(monkeypatch):
    ((_, data),) = units.bases("store")
    assert b"fuzzed" in data
    carried_out, asked = formats.Squares.submit, []

    def noted(self, units, limit):
        asked.extend(unit.arguments for unit in units)
        return carried_out(self, units, limit)

    monkeypatch.setattr(formats.Squares, "submit", noted)
    assert units.verdict("store", "db", data) == "read"
    assert asked == ["[8]", "[9]", "[10]", "[11]"]
    told = Store.answer
    monkeypatch.setattr(Store, "answer", lambda self, unit: told(self, unit) and "17")
    assert "changed answers" in units.verdict("store", "db", data)


def damaged(**changes):
    """A run of the corpus with some entries changed, a path each."""
    document = json.loads(corpus()["estimate.labels.json"])
    for path, value in changes.items():
        *inner, last = path.split("_")
        place = document
        for key in inner:
            place = place[int(key) if key.isdigit() else key]
        place[last] = value
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    "changes",
    [
        {"best_seen": [61, "16"]},
        {"best_seen": [95, 16]},
        {"best_event": 0.5},
        {"best_event": 2},
        {"width": -1},
        {"parts": [{"samples": [60], "seen": [[3, 40], [5, 10]]}]},
        {"expected": [[2, 0], [9, 3]]},
        {"events_0_outputs": ["yes", 1]},
        {"events": ["outputs"]},
        {"parts_0_samples": [10**400, 1]},
        {"selected": -1},
        {"lost": -1},
        {"attempts": "5"},
        {"seeded": 1},
        {"runs": []},
        {"runs_0_coins": None},
        {"runs_1_attempts": -1},
        {"pair": ["s", 1]},
        {"prior": None},
    ],
)
def test_a_run_that_was_kept_and_damaged_is_refused(changes):
    assert units.verdict("estimate", "json", damaged()) == "read"
    assert units.verdict("estimate", "json", damaged(**changes)) == "refused"


def hungry(path):
    with in_file(path):
        return bytes(2 * units.MEMORY)


def test_crashes_hangs_and_what_is_read_as_another_are_told_apart(monkeypatch):
    def slow(path):
        while True:
            pass

    def elsewhere(path):
        raise units.PufferproofError("of another file", "elsewhere")

    monkeypatch.setattr(units, "SECONDS", 0.05)
    kinds = {
        "crashed": formats.Format(lambda path: 1 // 0),
        "hung": formats.Format(slow),
        "unsaid": formats.Format(elsewhere),
        "differs": formats.Format(id, lambda found, _: str(found)),
    }
    for kind, form in kinds.items():
        monkeypatch.setitem(formats.FORMATS, "bits", form)
        assert units.verdict("bits", "txt", b"01").partition(":")[0] == kind
    with monkeypatch.context() as patch:
        patch.setattr(trying, "peak", count(0, 10**6).__next__)
        assert units.verdict("levels", "txt", b"0.5").startswith("hungry: ")
    for read in (lambda path: bytes(2 * units.MEMORY), hungry):
        monkeypatch.setitem(formats.FORMATS, "bits", formats.Format(read))
        assert units.verdict("bits", "txt", b"01").startswith("crashed: ")


LEFT = Path(".found.json.abcdefgh.partial")
DONE_WRONG = {
    "an error of ours": lambda: print("pufferproof: internal error: x", file=sys.stderr) or 2,
    "an exit code of nobody": lambda: 4,
    "something left behind": lambda: LEFT.write_text("{}") and print("{}"),
    "inputs written over": lambda: Path("f.json").write_text("{}") and print("{}"),
    "no JSON": lambda: print("answer") or 0,
    "an answer beside an error": lambda: print("{}") or print("pufferproof: x", file=sys.stderr) or 2,
    "several lines": lambda: print("pufferproof: x\ny", file=sys.stderr) or 2,
    "something written": lambda: print("pufferproof: x", file=sys.stderr) or (Path("new").touch() or 2),
}


@pytest.mark.parametrize("wrong", DONE_WRONG)
def test_what_no_command_should_do_is_told(wrong, monkeypatch):
    asked = json.dumps({"words": ["audit", "--json"], "files": {"f.json": "1"}}).encode()
    monkeypatch.setattr(commands, "_run", lambda words: print("{}") or 0)
    assert units.verdict("command", "json", asked) == "read"
    monkeypatch.setattr(commands, "_run", lambda words: DONE_WRONG[wrong]() or 0)
    told = units.verdict("command", "json", asked)
    assert told.startswith("crashed")
    assert f"['{wrong}']" in told


def test_words_of_commands_lead_to_no_other_folder():
    words = ["/dev/null", "--out=/etc/x", "../../../../x", "a b//c", "//x", "../x"]
    found = ["dev/null", "--out=etc/x", "../../x", "a b//c", "x", "../x"]
    assert [commands.inside(word) for word in words] == found
    assert [commands.plain(name) for name in ("a/b", "..", "", "f.json")] == ["other.json"] * 3 + ["f.json"]


def test_the_same_words_are_the_same_input_and_a_run_says_what_is_wrong(capsys, monkeypatch):
    once, again = (edited(units.bases("bif"), Random("bif 0 7")) for _ in range(2))
    assert once == again
    few = fuzz.Fraction(3 * len(formats.FORMATS), units.INPUTS)
    assert fuzz.fuzzed(["levels"], "0", 10 * few, Sharing(jobs=1)) == 0
    monkeypatch.setitem(formats.FORMATS, "levels", formats.Format(lambda path: 1 // 0))
    assert fuzz.fuzzed(["levels"], "0", few, Sharing(jobs=1)) == 1
    assert "CRASHED levels 0 2" in capsys.readouterr().out
    assert fuzz.main(["--again", "levels", "0", "0"]) == 1
    with pytest.raises(ValueError, match="worker with the tests"):
        units.inputs("levels", "0", 0, 1, "others")
