"""What is no part of an answer: progress, a spinner with the text of the moment on a terminal and
nothing in a pipe, and what functions of a user print, which goes to standard error.
"""

import ast
import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.models.files.test_reading import FRAMEWORK

from pufferproof.models.interface.steps import steps
from pufferproof.reports import cli
from pufferproof.reports.console import streams as progress
from pufferproof.reports.console.labels import rendered
from pufferproof.reports.console.streams import answer_stream, aside, print_lines
from pufferproof.reports.console.telling import print_rich
from pufferproof.reports.console.words import rich_table

REPORTS = Path(cli.__file__).resolve().parent
# outside of commands, or programs of their own
ALONE = {
    "auditing/samplers/bets.py",  # runs alone where evidence was unpacked
    "cli.py",
    "console/streams.py",
    "explaining/folder.py",
    "page/evidence.py",
}
MODULE = """\
import atexit, os, sys

print("NOISE import")
atexit.register(print, "NOISE end")


def noisy():
    print("NOISE call")
    sys.__stdout__.write("NOISE stream\\n")
    os.write(1, b"NOISE descriptor\\n")


def channel(database):
    noisy()
    return {"u": "1/2", "v": "1/2"}


def draw(database, rng):
    if not rng.integers(100):
        noisy()
    return "u"


def many(database, size, rng):
    noisy()
    return rng.integers(2, size=size)
"""
CALLS = ["import", "call", "stream", "descriptor", "end"]
COMMANDS = [
    "audit f.json mine:channel --trust-code --json --epsilon 1",
    "audit f.json mine:channel --trust-code --json --table",
    "audit-list list.txt --trust-code",
    "compose f.json mine:channel --runs 2 --trust-code --json",
    "conditions f.json mine:channel --runs 2 --trust-code --json",
    "reveal f.json mine:channel --runs 2 --trust-code --json",
    "partner f.json mine:channel --budget log(2) --out p.json --trust-code --json",
    "optimal f.json --epsilon 1 --loss l --compare mine:channel --out o.json --trust-code --json",
    "collapse f.json --budget log(2) --with mine:channel --out found --trust-code --json",
    "estimate f.json mine:draw --epsilon 1 --samples 2000 --trust-code --json",
    "estimate f.json mine:many --samples 2000 --independent-draws --trust-code --json",
]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def said(terminal):
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())  # without its colours


def test_a_terminal_shows_the_text_of_the_moment(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    with progress.working("calibrating") as say:
        say("calibrating: step 7")
        until = time.monotonic() + 300
        while "step 7 0:0" not in said(terminal) and time.monotonic() < until:
            time.sleep(0.01)
    assert "step 7 0:0" in said(terminal)  # with the time that has passed


def test_a_terminal_shows_how_far_a_loop_is_and_how_much_of_a_limit_has_passed(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    shown = ("designing: 1 of 2 strategies 0:0", "% of at most 9000 s")
    with progress.working("designing", 9000):
        for done in steps("ab", "strategies"):
            until = time.monotonic() + 300
            while not all(each in said(terminal) for each in shown) and time.monotonic() < until:
                if done == "a":
                    break
                time.sleep(0.01)
    assert all(each in said(terminal) for each in shown)


def test_a_pipe_shows_nothing(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    with progress.working("calibrating") as say:
        say("calibrating: step 7")
        time.sleep(0.02)
    assert pipe.getvalue() == ""


@pytest.mark.parametrize("columns", [60, 80, 140])
def test_a_table_loses_nothing_on_a_narrow_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    row = [f"{number}.{number}69314718056" for number in range(1, 9)]
    titles = [f"column {number}" for number in range(1, 9)]
    print_rich(rich_table(titles, [row, row], left=2))
    lines = said(terminal).splitlines()
    assert {len(line) for line in lines} <= set(range(columns + 1))
    if columns < 140:  # no number breaks, so that every row is a paragraph
        cells = [f"{title} {cell}" for title, cell in zip(titles, row)]
        assert " ".join(line.strip("- ") for line in lines) == " ".join(["; ".join(cells)] * 2)
    else:
        rows = [line.strip("│").split("│") for line in lines if line.startswith("│")]
        assert [[cell.strip() for cell in cells] for cells in rows] == [row, row]


def test_cells_of_a_table_break_between_words_alone(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    words = "databases of the other secret are post-processed by 0.693147180560"
    print_rich(rich_table(["condition", "nats", "means"], [["coupling", "1", words]], left=3))
    lines = said(terminal).splitlines()
    assert {len(line) for line in lines} == {60}
    cells = [line.strip("│").split("│") for line in lines if line.startswith("│")]
    assert " ".join(cell[2].strip() for cell in cells) == words


def test_lines_break_between_words_on_a_terminal_alone(monkeypatch):
    text = "means     " + " ".join(str(number) for number in range(60))
    for stream, widths in ((Terminal(), {80}), (io.StringIO(), {len(text)})):
        monkeypatch.setenv("COLUMNS", "80")
        monkeypatch.setattr(sys, "stdout", stream)
        print_lines(text)
        lines = stream.getvalue().splitlines()
        assert max(map(len, lines)) in (widths | {78, 79} if len(lines) > 1 else widths)
        assert [line[:10].strip() for line in lines] == ["means", *[""] * (len(lines) - 1)]
        assert " ".join(line[10:] for line in lines) == text[10:]


def test_a_table_in_a_file_is_as_wide_as_it_is(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stdout", pipe)
    print_rich(rich_table(["one", "two"], [["a" * 300, "b"]], left=2))
    assert "a" * 300 in pipe.getvalue()
    assert "\x1b" not in pipe.getvalue()


@pytest.fixture
def files(tmp_path):
    loss = {database: [0, 1] for database in FRAMEWORK["databases"]}
    losses = {"format": "pufferproof-loss/1", "outputs": ["u", "v"], "loss": loss}
    for name, given in {"f.json": FRAMEWORK, "l": losses}.items():
        (tmp_path / name).write_text(json.dumps(given))
    (tmp_path / "mine.py").write_text(MODULE)
    (tmp_path / "list.txt").write_text("f.json mine:channel\n" * 3)
    return tmp_path


def run(folder, *words):
    done = subprocess.run(
        [sys.executable, "-m", "pufferproof", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert "internal error" not in done.stderr
    return done


@pytest.mark.parametrize("command", COMMANDS)
def test_what_functions_print_goes_to_standard_error(files, command):
    done = run(files, *command.split())
    assert done.returncode in (0, 1, 3), done.stderr
    for line in done.stdout.splitlines():
        assert isinstance(json.loads(line), dict)
    for call in CALLS:
        assert f"NOISE {call}" in done.stderr


def test_errors_leave_standard_output_empty(files):
    done = run(files, "audit", "f.json", "mine:noisy", "--trust-code", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "NOISE import" in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_claims_print_goes_to_standard_error(files, jobs):
    prints = (
        "reading printed\n  call: say()\nwhy: With fresh",
        '```python\nprint("NOISE import")\n\n\ndef say(proof):\n    print("NOISE claim")\n```\n',
    )
    draft = rendered("proofs/sections/draft.claims.j2", {"name": "noisy"})
    noisy = draft.replace("why: With fresh", prints[0])
    assert noisy != draft
    (files / "noisy.claims").write_text(f"{noisy}\n{prints[1]}")
    command = ["prove", "noisy.claims", "--trust-code", "--no-cache", "--jobs", jobs, "--json"]
    done = run(files, *command)
    assert done.returncode in (0, 1, 3), done.stderr
    assert isinstance(json.loads(done.stdout), dict)
    assert {"NOISE import", "NOISE claim"} <= {*done.stderr.splitlines()}


def test_only_answers_are_printed_where_standard_output_was(capsys):
    before = sys.stdout
    with aside():
        print("one")
        print("two", file=answer_stream())
        with aside():
            print("three", file=answer_stream())
    assert sys.stdout is answer_stream() is before
    assert capsys.readouterr() == ("two\n", "one\nthree\n")


def test_no_command_prints_its_answer_by_chance():
    """Every call of `print` in a command says where, and not by the name of a stream that user
    code has as well.
    """
    for path in REPORTS.rglob("*.py"):
        if path.relative_to(REPORTS).as_posix() in ALONE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print":
                assert "file" in {each.arg for each in node.keywords}, f"{path}:{node.lineno}"
            assert ast.unparse(node) != "sys.stdout", f"{path}:{getattr(node, 'lineno', 0)}"
