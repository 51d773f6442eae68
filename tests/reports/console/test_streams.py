"""Streams that are closed or full: an answer that is lost has exit code 2 and says so, and all else
keeps its exit code.
"""

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.models.files.test_reading import FRAMEWORK, MECHANISM

from pufferproof.reports import cli
from pufferproof.reports.console.streams import GuardedStream, answer_stream, guarded, working

BIN = Path(sys.executable).parent / "pufferproof"
TEXTBOOK = Path(__file__).parents[3] / "examples" / "textbook"
COMMANDS = {  # arguments, the exit code, whether the answer is on standard output
    "version": ("--version", 0, True),
    "no command": ("nosuch", 2, False),
    "no file": ("audit f.json absent.json", 2, False),
    "violated": ("audit f.json m.json --epsilon 0", 1, True),
    "holds, with a note": ("audit f.json m.json --epsilon 1 --normalize --certificate c.json --json", 0, True),
}
STREAMS = {  # what the shell does, whether standard output can be written
    "as ever": ("> out 2> err", True),
    "stderr full": ("> out 2> /dev/full", True),
    "stderr closed": ("> out 2>&-", True),
    "stdin closed": ("> out 2> err <&-", True),
    "stdout full": ("> /dev/full 2> err", False),
    "stdout closed": (">&- 2> err", False),
    "both full": ("> /dev/full 2> /dev/full", False),
    "all closed": ("<&- >&- 2>&-", False),
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.json").write_text(json.dumps(FRAMEWORK))
    (tmp_path / "m.json").write_text(json.dumps(MECHANISM))
    return tmp_path


FEW = ("stdout full", "all closed")
ALL = ("no command", "holds, with a note")
CASES = [  # an answer with exit code 1 is written as one with 0 is, an error as any other is
    (command, streams) for command in COMMANDS for streams in STREAMS if command in ALL or streams in FEW
]


@pytest.mark.parametrize(("command", "streams"), CASES)
def test_an_answer_that_is_lost_says_so_and_no_other_exit_code_depends_on_streams(files, command, streams):
    arguments, code, answers = COMMANDS[command]
    redirections, writable = STREAMS[streams]
    done = subprocess.run(["sh", "-c", f"'{BIN}' {arguments} {redirections}"], check=False)
    lost = answers and not writable
    assert done.returncode == (2 if lost else code)
    if (files / "err").exists() and lost:
        said = (files / "err").read_text().splitlines()[-1]
        reason = "No space left on device" if streams == "stdout full" else "it is closed"
        written = "; written: c.json" if "c.json" in arguments else ""
        assert said == f"pufferproof: standard output cannot be written: {reason}{written}"
    if (files / "out").exists():
        assert ((files / "out").read_text() != "") == answers


@pytest.mark.parametrize(("arguments", "code"), [("--help", 0), ("audit f.json m.json --epsilon 0 --table", 1)])
def test_a_reader_that_has_gone_changes_no_exit_code_and_says_nothing(files, arguments, code):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([BIN, *arguments.split(" ")], stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "--help",
        "audit --help",
        "audit f.json m.json --json",
        "audit-list list.txt",
        "check c.json",
        "check c.json --json",
        "check c.json --explain",
        "compose f.json m.json --json",
        "export c.json --coq c.v",
        "schema framework",
        "prove song2017.lem-II5 --json",
        f"ledger {TEXTBOOK} --json",
        "reproduce",
    ],
)
def test_every_command_ends_with_2_where_its_answer_is_lost(files, arguments):
    (files / "list.txt").write_text("f.json m.json\n")
    cli._run(["audit", "f.json", "m.json", "--certificate", "c.json"])
    with open("/dev/full", "w") as full:
        done = subprocess.run([BIN, *arguments.split()], stdout=full, stderr=subprocess.PIPE, check=False, text=True)
    assert done.returncode == 2
    assert "pufferproof: standard output cannot be written: No space left" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EMFILE, "audit: expected more open files (raise `ulimit -n`, or fewer --jobs)"),
        (errno.ENOSPC, "audit: expected room for temporary files (TMPDIR says where)"),
        (errno.EAGAIN, "audit: expected room for more processes (fewer --jobs)"),
        (errno.EISDIR, "internal error: IsADirectoryError"),
    ],
)
def test_what_the_machine_lacks_is_no_error_of_ours(files, monkeypatch, capfd, number, said):
    def without_room(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("pufferproof.reports.auditing.audit.command.audit_files", without_room)
    assert cli._run(["audit", "f.json", "m.json"]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert err.startswith(f"pufferproof: {said}: ")
    assert os.strerror(number) in err


def test_no_file_takes_the_place_of_a_closed_stream(files):
    """What a library prints to descriptor 1 or 2 would otherwise end up in the certificate."""
    program = (
        "import os; from pufferproof.reports.console.streams import open_missing; open_missing(); "
        "made = os.open('made', os.O_CREAT | os.O_WRONLY); os.write(1, b'x'); os.write(2, b'y'); "
        "os._exit(made)"
    )
    done = subprocess.run(["sh", "-c", f'"{sys.executable}" -c "{program}" <&- >&- 2>&-'], check=False)
    assert (done.returncode >= 3, (files / "made").read_bytes()) == (True, b"")


class Broken(io.StringIO):
    """A stream on which nothing can be written after some characters."""

    def __init__(self, room, error):
        super().__init__()
        self.room, self.error = room, error

    def write(self, text):
        self.room -= len(text)
        if self.room < 0:
            raise self.error
        return super().write(text)


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (OSError(28, "No space left on device"), "No space left on device"),
        (BrokenPipeError(32, "Broken pipe"), None),
        (ValueError("I/O operation on closed file"), "I/O operation on closed file"),
        (OSError("odd"), "odd"),
    ],
)
def test_a_stream_drops_text_from_its_first_failure_on(error, failure):
    stream = GuardedStream(Broken(5, error))
    print("1234", file=stream)
    assert (stream.failure, stream.encoding) == (None, None)
    print("and more", file=stream)
    stream._stream.room = 100
    print("and more", file=stream, flush=True)
    assert (stream._stream.getvalue(), stream.failure, stream.isatty()) == ("1234\n", failure, False)


def test_a_closed_stream_is_a_failure_only_once_something_was_said():
    stream = GuardedStream(None)
    stream.flush()
    print("", end="", file=stream)
    assert (stream.failure, stream.isatty(), stream.encoding) == (None, False, "utf-8")
    print("an answer", file=stream)
    assert stream.failure == "it is closed"
    with pytest.raises(io.UnsupportedOperation):
        stream.fileno()
    with pytest.raises(AttributeError):
        stream.buffer  # noqa: B018


def test_streams_are_put_back_whatever_happens(capsys):
    before = sys.stdout, sys.stderr

    def fail():
        with guarded():
            print("said")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert (sys.stdout, sys.stderr) == before
    assert capsys.readouterr().out == "said\n"


def test_progress_needs_no_standard_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with working("auditing"):
        done = True
    assert done


def test_an_internal_error_leaves_nothing_on_standard_output(files, monkeypatch, capfd):
    def broken(*_):
        print("half an answer", file=answer_stream())
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("pufferproof.reports.auditing.audit.command.audit_files", broken)
    assert cli._run(["audit", "f.json", "m.json"]) == 2
    out, err = capfd.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)


IMPORTING = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "MODULE":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv = ["pufferproof", "--version"]
from pufferproof.__main__ import main
main()
"""


@pytest.mark.parametrize("module", ["pufferproof.reports.cli", "typer", "pufferproof.models.errors"])
def test_ctrl_c_while_modules_are_imported_is_one_line(module):
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING.replace("MODULE", module)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "pufferproof: interrupted\n")


def test_ctrl_c_behind_another_error_is_ctrl_c(monkeypatch, capsys):
    """Python 3.11 says so where a class is made."""

    def wrapped(*_, **__):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise RuntimeError("Error calling __set_name__") from error

    monkeypatch.setattr(cli, "app", wrapped)
    assert cli._run(["--version"]) == 130
    assert capsys.readouterr().err == "pufferproof: interrupted\n"
