"""Fuzzing tells what crashes, hangs and is false, and some of its inputs."""

import json
from itertools import chain, repeat
from random import Random

import pytest
from tests.kernel.bench import FAMILIES, Loaded, accepted_files, read
from tests.kernel.cases import accepted, good
from tests.kernel.fuzz import __main__ as fuzz
from tests.kernel.fuzz import trying, units
from tests.kernel.fuzz.edits import EDITS, edited
from tests.kernel.fuzz.statements import Unjudged, holds
from tests.kernel.slow.beside import beside

from pufferproof.models.interface.sweeps.opening import Sharing


@pytest.mark.parametrize("family", FAMILIES)
def test_no_edited_certificate_is_accepted_falsely_crashes_or_hangs(family):
    found = units.inputs(family, "test", 0, 60, units.sources())
    assert found["found"] == []
    assert found["counts"]["refused"] > 20


@pytest.mark.parametrize(("family", "count"), [("noise", 100), ("leakage", 300), ("redaction", 300)])
def test_no_statement_beside_the_truth_is_accepted_falsely(family, count):
    """Those just above the truth are accepted: the slow kernel finds some of them true."""
    found = units.inputs(f"forged-{family}", "test", 0, count, units.sources())
    assert found["found"] == []
    assert found["counts"]["refused"] > count // 3
    assert found["counts"]["true"] > count // 20


def test_forging_finds_two_units_in_one_comparison(monkeypatch):
    """Where rounded numbers of histograms lose the power of 2 that they are over."""
    broken = Loaded()
    broken["noise.counts"].Numbers.__iter__ = lambda numbers: ((m, 0) for m in numbers.numbers)
    monkeypatch.setattr(units, "kernel", lambda: broken)
    found = units.inputs("forged-noise", "0", 0, 60, units.sources())
    assert found["counts"]["false"] >= 1


def test_judges_say_of_every_accepted_file_that_it_is_true_or_nothing():
    said = []
    for family in FAMILIES:
        for path in accepted_files(family)[::4]:
            try:
                said.append(holds(path.read_bytes()))
            except Unjudged:
                said.append(None)
    assert False not in said
    assert said.count(True) > 30


FALSE = [
    ("leakage", "at-most", ("claim", "level", "log"), "2"),
    ("leakage", "witness", ("claim", "exceeds", "log"), "3"),
    ("leakage", "delta-at-most", ("claim", "delta"), "1/5"),
    ("leakage", "joint-witness", ("claim", "exceeds", "log"), "9"),
    ("leakage", "at-most", ("framework", "priors", "theta", "a"), "1/4"),
    ("algebra", "square", ("claim", "conclusion", "polynomial", 1, 0), -3),
    ("algebra", "farkas-equation", ("claim", "conclusion", "bound"), "-9"),
    ("redaction", "exact", ("claim", "level", "log"), "17/11"),
]


@pytest.mark.parametrize(("family", "name", "place", "value"), FALSE)
def test_judges_tell_a_false_statement(family, name, place, value):
    certificate = read(accepted(family, name))
    assert holds(json.dumps(certificate).encode())
    inner = certificate
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    assert not holds(json.dumps(certificate).encode())


def test_a_test_fails_where_the_kernel_accepts_what_is_false():
    certificate = read(good("leakage"))
    accepts = beside(lambda path, data, paths: "accepted")
    assert accepts("", json.dumps(certificate).encode(), []) == "accepted"
    certificate["claim"]["level"]["log"] = "2"
    with pytest.raises(AssertionError, match="finds false"):
        accepts("", json.dumps(certificate).encode(), [])


class Broken:
    """A kernel that accepts everything, or breaks."""

    class Refused(Exception):  # noqa: N818
        pass

    NotJSON = TooLarge = Refused

    def __init__(self, error=None):
        self.error = error

    def __getitem__(self, name):
        return self

    def check_bytes(self, data, work):
        if self.error is not None:
            raise self.error


def test_what_is_wrong_with_a_kernel_is_told(monkeypatch):
    certificate = read(good("leakage"))
    true = json.dumps(certificate).encode()
    certificate["claim"]["level"]["log"] = "2"
    false = json.dumps(certificate).encode()
    assert units.verdict(Broken(), true) == "true"
    assert units.verdict(Broken(), false) == "false"
    assert units.verdict(Broken(KeyError("x")), true).startswith("crashed: KeyError('x')")
    assert units.verdict(Broken(units.TooLong()), true) == "hung"
    assert units.verdict(Broken(), b"{}").startswith("judge failed: ")
    monkeypatch.setattr(units, "kernel", Broken)
    assert units.inputs("leakage", "0", 0, 30, units.sources())["found"]
    with pytest.raises(ValueError, match="the tests of this machine"):
        units.inputs("leakage", "0", 0, 1, "others")


def test_memory_is_measured_of_the_process_and_too_much_is_told(monkeypatch):
    """Of a body that takes more than the process had before; a kernel that does so is told."""
    assert min(trying.resident(), trying.peak()) > 1
    true = good("leakage").read_bytes()
    for room, said in ((899, "hungry: 900 MB"), (900, "true")):
        monkeypatch.setattr(trying, "ROOM", room)
        monkeypatch.setattr(trying, "resident", lambda: 100.0)
        monkeypatch.setattr(trying, "peak", chain([500.0], repeat(1000.0)).__next__)
        assert units.verdict(Broken(), true) == said
    found = trying.counted(["a b 1"], lambda words: "hungry: 900 MB", units.BAD)
    assert found == {"counts": {"hungry": 1}, "found": ["HUNGRY a b 1 900 MB"], "peak": 1000}


def test_every_edit_edits_and_the_same_words_are_the_same_input():
    bases = units.bases("leakage")
    for edit in {*EDITS}:
        changed = 0
        for number in range(6):
            value = json.loads(json.dumps(bases[0]))
            edit(value, Random(number), bases)
            changed += json.dumps(value) != json.dumps(bases[0])
        assert changed > 0, edit
    once, again = (edited(bases, Random("leakage 0 7")) for _ in range(2))
    assert once == again


def test_a_run_goes_on_where_it_stopped(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(units, "EACH", 20)
    sharing = Sharing(jobs=1, resume=str(tmp_path / "kept"))
    few = fuzz.Fraction(3 * 6, units.INPUTS)
    assert fuzz.fuzzed(["rates"], "1", 20 * few, sharing) == 0
    first = capsys.readouterr().out
    monkeypatch.setattr(units, "kernel", Broken)
    assert fuzz.fuzzed(["rates"], "1", 20 * few, sharing) == 0
    assert capsys.readouterr().out == first
    assert fuzz.main(["--again", "rates", "1", "0"]) in (0, 1)
