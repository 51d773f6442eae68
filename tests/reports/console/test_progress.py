"""Progress: a spinner with the text of the moment on a terminal, nothing in a pipe."""

import io
import re
import sys
import time

import pytest

from pufferproof.reports.console import progress
from pufferproof.reports.console.telling import print_rich
from pufferproof.reports.console.words import rich_table


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


def test_a_pipe_shows_nothing(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    with progress.working("calibrating") as say:
        say("calibrating: step 7")
        time.sleep(0.02)
    assert pipe.getvalue() == ""


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_table_loses_nothing_on_a_narrow_terminal(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    row = [f"{number}.{number}69314718056" for number in range(1, 9)]
    print_rich(rich_table([f"column {number}" for number in range(1, 9)], [row], left=2))
    lines = said(terminal).splitlines()
    assert {len(line) for line in lines} <= set(range(columns + 1))
    cells = [line.strip("│").split("│") for line in lines if line.startswith("│")]
    assert ["".join(part.strip() for part in parts) for parts in zip(*cells)] == row


def test_a_table_in_a_file_is_as_wide_as_it_is(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stdout", pipe)
    print_rich(rich_table(["one", "two"], [["a" * 300, "b"]], left=2))
    assert "a" * 300 in pipe.getvalue()
    assert "\x1b" not in pipe.getvalue()
