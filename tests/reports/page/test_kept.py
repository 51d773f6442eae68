"""A report is written as before only while nothing has changed that it could depend on."""

import json
import sys
from dataclasses import dataclass

import pytest
from tests.reports.page.test_report import example

from pufferproof import ModelError
from pufferproof.models.interface.sweeps import portions as unchanged
from pufferproof.reports import cli
from pufferproof.reports.console.staging import files_in
from pufferproof.reports.page import site as sites
from pufferproof.reports.page.sections import Runs
from pufferproof.reports.page.site import KeptReport, write_report


@dataclass(frozen=True)
class Worst:
    """As much of a worst case as a page needs that shows none."""

    example: object = None
    evidence: object = None

    def as_json(self):
        return {}


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    for name in ("cache", "state", "config"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))
    monkeypatch.delenv("MATPLOTLIBRC", raising=False)
    monkeypatch.delenv("MPLCONFIGDIR", raising=False)


@pytest.fixture
def folder(tmp_path):
    return example(tmp_path)


@pytest.fixture
def audited(monkeypatch):
    """How often examples are audited: here without an audit, which takes long; and as if the
    package were one file.
    """
    times = []

    def run(examples, staging, with_gallery):
        times.append(len(examples))
        (staging / "inputs" / "law.npy").write_bytes(bytes(range(256)))
        return Runs([], [], [Worst()], [])

    monkeypatch.setattr(sites, "_run", run)
    monkeypatch.setattr(unchanged, "files_under", lambda home: iter(["1 package.py"]))
    return times


@pytest.fixture
def kept(folder, audited, tmp_path):
    """A folder of examples of which a report was kept."""
    write(folder, tmp_path / "out")
    assert is_kept(folder)
    return folder


def write(folder, out, **options):
    report = KeptReport(str(folder))
    write_report(str(folder), out, kept=report, **options)
    return report.was_kept


def is_kept(folder, home=None):
    return KeptReport(str(folder), home).kept() is not None


def contents(folder):
    return {name: (folder / name).read_bytes() for name in files_in(folder)}


def test_what_is_taken_from_the_cache_has_the_same_bytes(kept, audited, tmp_path):
    before = contents(tmp_path / "out")
    assert before["inputs/law.npy"] == bytes(range(256))
    for out in (tmp_path / "out", tmp_path / "new"):
        assert write(kept, out)
        assert contents(out) == before
    assert len(audited) == 1
    write_report(str(kept), tmp_path / "out")
    assert contents(tmp_path / "out") == before
    assert len(audited) == 2


def test_no_file_of_an_example_can_change_unnoticed(kept):
    files = sorted(path for path in kept.rglob("*") if path.is_file())
    assert len(files) > 4
    for path in files:
        before = path.read_bytes()
        path.write_bytes(before + b" ")
        assert not is_kept(kept)
        path.write_bytes(before)
    assert is_kept(kept)
    for name in ("bits/.law.npy", "bits/more/law.csv", "more/example.toml", "a/b/example.toml"):
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        (kept / name).write_text("")
        assert not is_kept(kept)
        (kept / name).unlink()
        assert is_kept(kept)


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        (sys, "version", "3.99"),
        (sys, "platform", "elsewhere"),
        (sys, "path", [*sys.path, "/elsewhere"]),
        (unchanged, "packages", lambda: "python-flint 999"),
        (unchanged, "files_under", lambda home: iter(["2 package.py"])),
        (sites, "FORMAT", "pufferproof-report/999"),
    ],
)
def test_another_package_interpreter_or_platform_is_noticed(kept, monkeypatch, place, name, value):
    monkeypatch.setattr(place, name, value)
    assert not is_kept(kept)


@pytest.mark.parametrize("name", ["jinja2.py", "matplotlib/__init__.py", "flint.py", "a.pth", "jinja2-999.dist-info"])
def test_what_stands_before_a_module_is_noticed(kept, tmp_path, monkeypatch, name):
    place = tmp_path / "place"
    (place / name).parent.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [str(place), *sys.path])
    write(kept, tmp_path / "out")
    assert is_kept(kept)
    (place / name).write_text("planted = True")
    assert not is_kept(kept)


def test_settings_of_plots_are_noticed(kept, tmp_path, monkeypatch):
    settings = tmp_path / "config" / "matplotlib" / "matplotlibrc"
    settings.parent.mkdir(parents=True)
    settings.write_text("lines.linewidth: 9")
    assert not is_kept(kept)
    settings.unlink()
    assert is_kept(kept)
    monkeypatch.setenv("MATPLOTLIBRC", str(tmp_path / "place"))
    assert not is_kept(kept)


def test_another_question_is_another_report(kept, tmp_path):
    assert not is_kept(kept, "../index.html")
    (tmp_path / "other").symlink_to(kept)
    assert not is_kept(tmp_path / "other")
    assert is_kept(kept)


def test_an_entry_that_was_edited_moved_or_sealed_with_another_key_is_not_used(kept, tmp_path):
    [path] = (tmp_path / "cache").rglob("report-*.json")
    data = path.read_bytes()
    seal, _, payload = data.partition(b"\n")
    entry = json.loads(payload)
    forged = json.dumps(entry | {"files": {"index.html": ""}}).encode()
    for changed in (seal + b"\n" + forged, data[:-9], data[:100], b"", b"0" * 64 + b"\n" + payload):
        path.write_bytes(changed)
        assert not is_kept(kept)
    path.write_bytes(data)
    assert is_kept(kept)
    other = KeptReport(str(kept), "../index.html")
    path.with_name(other._name).write_bytes(data)
    assert other.kept() is None
    (tmp_path / "state" / "pufferproof" / "cache-key").unlink()
    assert not is_kept(kept)


def test_what_was_refused_or_changed_meanwhile_is_not_kept(folder, audited, tmp_path, monkeypatch):
    summary = sites.summary
    monkeypatch.setattr(sites, "summary", lambda runs: summary(runs) | {"refused": 1})
    write(folder, tmp_path / "out")
    assert not is_kept(folder)
    monkeypatch.setattr(sites, "summary", summary)
    report = KeptReport(str(folder))
    (folder / "bits" / "new.json").write_text("{}")
    write_report(str(folder), tmp_path / "out", kept=report)
    assert not is_kept(folder)
    monkeypatch.setattr(unchanged, "_LARGEST", 100)
    write(folder, tmp_path / "out")
    assert not is_kept(folder)


def test_a_folder_of_somebody_else_is_refused_as_ever(kept, tmp_path):
    (tmp_path / "out" / "own.txt").write_text("mine")
    with pytest.raises(ModelError, match=r"own\.txt"):
        write(kept, tmp_path / "out")
    assert (tmp_path / "out" / "own.txt").read_text() == "mine"


def test_the_command_says_what_is_cached_and_can_do_without(kept, audited, tmp_path, capsys):
    asked = ["report", str(kept), "--out", str(tmp_path / "out")]
    for more, said in ([], "(cached)"), (["--no-cache"], ""):
        assert cli._run([*asked, *more]) == 0
        assert capsys.readouterr().out.strip().endswith(said or "index.html")
    assert len(audited) == 2
