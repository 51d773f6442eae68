"""Reports replace reports and nothing else, and what killed runs leave behind is removed by the
next run and nothing else.
"""

import errno
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.outputs import write_all_atomically, write_atomically
from pufferproof.reports.console.staging import hashes_in, manifest, own_files, replacing
from pufferproof.reports.page.evidence import copy_kernel

FORM = "form/1"


def write(out, content="page"):
    with replacing(out, FORM) as staging:
        (staging / "deep").mkdir()
        (staging / "empty").mkdir()
        (staging / "index.html").write_text(content)
        (staging / "deep" / "table.csv").write_text("1,2")


def tree(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() and not path.is_symlink() else None
        for path in folder.rglob("*")
    }


@pytest.fixture
def out(tmp_path):
    write(tmp_path / "out")
    return tmp_path / "out"


def test_a_report_lists_its_files_with_their_hashes_and_has_no_empty_folders(out):
    assert sorted(tree(out)) == ["deep", "deep/table.csv", "files.json", "index.html"]
    stated = json.loads((out / "files.json").read_text())
    assert stated["format"] == FORM
    assert set(stated["files"]) == {"deep/table.csv", "index.html"}
    assert own_files(out, FORM) == {"deep/table.csv", "index.html", "files.json"}
    assert own_files(out, "other/1") == set()


def test_a_report_as_it_was_written_is_replaced_also_if_files_are_missing(out):
    (out / "deep" / "table.csv").unlink()
    write(out, "again")
    assert (out / "index.html").read_text() == "again"
    assert sorted(path.name for path in out.parent.iterdir()) == ["out"]


def added_file(out):
    (out / "deep" / "thesis.tex").write_text("mine")


def changed_file(out):
    (out / "index.html").write_text("mine")


def changed_manifest(out):
    stated = json.loads((out / "files.json").read_text())
    (out / "files.json").write_text(json.dumps(stated | {"note": "mine"}))


def added_folder(out):
    (out / "notes").mkdir()


def added_link(out):
    (out / "link").symlink_to(out.parent)


def file_replaced_by_a_link_to_the_same(out):
    (out.parent / "kept").write_text((out / "index.html").read_text())
    (out / "index.html").unlink()
    (out / "index.html").symlink_to(out.parent / "kept")


def added_pipe(out):
    os.mkfifo(out / "pipe")


def planted_manifest(out):
    (out / "thesis.tex").write_text("mine")
    stated = json.loads((out / "files.json").read_text())["files"]
    (out / "files.json").write_bytes(manifest(FORM, stated | {"thesis.tex": "sha256:" + "0" * 64}))


def no_manifest(out):
    (out / "files.json").unlink()


@pytest.mark.parametrize(
    "change",
    [
        added_file,
        changed_file,
        changed_manifest,
        added_folder,
        added_link,
        file_replaced_by_a_link_to_the_same,
        added_pipe,
        planted_manifest,
        no_manifest,
    ],
)
def test_what_no_report_has_written_is_kept(out, change):
    change(out)
    before = tree(out)
    with pytest.raises(ModelError, match=r'found ".*" in it, which no report has written so'):
        write(out)
    assert tree(out) == before
    assert not [path for path in out.parent.iterdir() if path.name.endswith(".partial")]


def test_what_appears_while_a_report_is_written_is_kept(out):
    def write_while_something_appears():
        with replacing(out, FORM) as staging:
            (staging / "index.html").write_text("new")
            (out / "mine.txt").write_text("mine")

    with pytest.raises(ModelError, match=r'found "mine.txt" in it'):
        write_while_something_appears()
    assert (out / "mine.txt").read_text() == "mine"
    assert (out / "index.html").read_text() == "page"


def test_a_manifest_that_names_files_outside_deletes_none_of_them(out):
    thesis = out.parent / "thesis.tex"
    thesis.write_text("mine")
    digest = hashes_in(out.parent)["thesis.tex"]
    (out / "up").symlink_to(out.parent)
    for name in ("../thesis.tex", str(thesis), "up/thesis.tex"):
        (out / "files.json").write_bytes(manifest(FORM, hashes_in(out) | {name: digest}))
        assert name not in own_files(out, FORM)
    assert thesis.exists()


def test_a_planted_report_json_deletes_nothing(tmp_path):
    from pufferproof.reports.page.site import FORMAT, write_report

    (tmp_path / "u3").mkdir()
    (tmp_path / "u3" / "thesis.tex").write_text("mine")
    (tmp_path / "u3" / "report.json").write_text(json.dumps({"format": FORMAT, "files": ["thesis.tex"]}))
    with pytest.raises(ModelError, match="which no report has written so"):
        write_report(None, tmp_path / "u3")
    assert (tmp_path / "u3" / "thesis.tex").read_text() == "mine"


# --- runs that end early ---

SLOW = """
import sys, time
from pathlib import Path
from pufferproof.reports.console.staging import replacing
with replacing(Path(sys.argv[1]), "form/1") as staging:
    (staging / "index.html").write_text("half")
    print("started", flush=True)
    time.sleep(1000)
"""


def started(out):
    """Start a run that stays in the middle of its report."""
    run = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(out)],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )
    assert run.stdout.readline() == "started\n"
    return run


def ended(run, number):
    run.send_signal(number)
    run.wait(timeout=500)
    run.stdout.close()
    return run.returncode


def hidden(folder):
    return sorted(path for path in folder.iterdir() if path.name.startswith("."))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_run_that_is_told_to_end_cleans_up_and_ends_by_that_signal(out, number):
    assert ended(started(out), number) == -number
    assert hidden(out.parent) == []
    assert (out / "index.html").read_text() == "page"


def test_what_a_killed_run_left_is_removed_by_the_next_and_a_live_run_is_left_alone(out):
    assert ended(started(out), signal.SIGKILL) == -signal.SIGKILL
    (left,) = hidden(out.parent)
    live = started(out)
    try:
        (kept,) = set(hidden(out.parent)) - {left}  # the live run has removed what was left
        assert hidden(out.parent) == [kept]
        write(out, "mine")
        assert hidden(out.parent) == [kept]
        assert (kept / "new" / "index.html").read_text() == "half"
    finally:
        ended(live, signal.SIGKILL)
    write(out, "last")
    assert hidden(out.parent) == []
    assert (out / "index.html").read_text() == "last"


def test_a_report_returns_if_a_run_was_killed_while_it_was_swapped_out(out):
    partial = out.parent / ".out.abcd1234.partial"
    partial.mkdir()
    (partial / "owner.json").write_text(json.dumps({"format": "pufferproof-partial/1", "target": "out"}) + "\n")
    (partial / "new").mkdir()
    (partial / "new" / "index.html").write_text("half")
    out.rename(partial / "old")
    with pytest.raises(RuntimeError), replacing(out, FORM):
        raise RuntimeError
    assert (out / "index.html").read_text() == "page"
    assert hidden(out.parent) == []


def test_a_full_disk_is_said_with_its_reason_and_leaves_nothing(tmp_path, monkeypatch):
    """The folder of the kernel is many files: the first that finds no room is the reason."""

    def full(source, target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(source))

    monkeypatch.setattr(shutil, "copyfile", full)
    with (
        pytest.raises(ModelError, match="x: cannot be written: No space left on device"),
        replacing(tmp_path / "x", "f/1") as staging,
    ):
        copy_kernel(staging)
    assert list(tmp_path.iterdir()) == []


def test_hidden_folders_of_others_are_kept(out):
    mark = json.dumps({"format": "pufferproof-partial/1", "target": "out"}) + "\n"
    other = json.dumps({"format": "pufferproof-partial/1", "target": "other"}) + "\n"
    for name, owner in [
        (".out.abcd1234.partial", None),
        (".out.abcd1235.partial", other),
        (".out.abcd1236.partial", "mine"),
        (".out.mine.partial", mark),
        (".other.abcd1234.partial", mark),
    ]:
        (out.parent / name).mkdir()
        (out.parent / name / "thesis.tex").write_text("mine")
        if owner is not None:
            (out.parent / name / "owner.json").write_text(owner)
    # an old report in which somebody has put something
    swapped = out.parent / ".out.abcd1237.partial"
    (swapped / "old").mkdir(parents=True)
    (swapped / "owner.json").write_text(mark)
    (swapped / "old" / "thesis.tex").write_text("mine")
    before = tree(out.parent)
    write(out)
    assert tree(out.parent) == before


def test_runs_at_the_same_time_leave_a_whole_report(out):
    code = SLOW.replace("time.sleep(1000)", "time.sleep(0.2)")
    runs = [subprocess.Popen([sys.executable, "-c", code, str(out)], stdout=subprocess.DEVNULL) for _ in range(2)]
    assert {run.wait(timeout=500) for run in runs} == {0}
    assert own_files(out, FORM) == {"files.json", "index.html"}
    assert hidden(out.parent) == []


# --- files ---


def test_hidden_files_of_killed_runs_are_removed_if_nothing_is_lost_with_them(tmp_path):
    beginning, other, locked = (tmp_path / f".c.json.abcd123{k}.partial" for k in range(3))
    beginning.write_text("evi")
    other.write_text("thesis")
    locked.write_text("evi")
    (tmp_path / ".c.json.abcd1239.partial").symlink_to(beginning)
    with locked.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        write_atomically(tmp_path / "c.json", "evidence")
    assert hidden(tmp_path) == sorted([other, locked, tmp_path / ".c.json.abcd1239.partial"])


@pytest.mark.parametrize("length", [1, 100, 250, 255])
def test_names_may_be_as_long_as_names_can_be(tmp_path, length):
    path = tmp_path / ("n" * length)
    write_atomically(path, "text")
    assert path.read_text() == "text"
    assert hidden(tmp_path) == []


@pytest.mark.parametrize("name", ["n" * 300, "a\0b", "x/" * 3_000])
def test_names_that_cannot_be_are_refused_in_one_line(tmp_path, name):
    with pytest.raises(ModelError, match="cannot be written"):
        write_all_atomically({str(tmp_path / "good"): b"x", str(tmp_path / name): b"x"})
    assert list(tmp_path.iterdir()) == []


def test_a_write_that_is_told_to_end_leaves_nothing(tmp_path):
    code = (
        "import os, signal, sys\n"
        "from pufferproof.models.interface import outputs\n"
        "def stop(*_):\n    print('stopping', flush=True); os.kill(os.getpid(), signal.SIGTERM)\n"
        "outputs.os.replace = stop\n"
        "outputs.write_atomically(sys.argv[1], 'text')\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c.json")], capture_output=True, check=False)
    assert done.returncode == -signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
