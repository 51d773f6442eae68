"""Progress: a spinner with the text of the moment on a terminal, nothing in a pipe."""

import io
import re
import sys
import time

from pufferproof.reports.console import progress


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
        until = time.monotonic() + 10
        while "step 7 0:00:0" not in said(terminal) and time.monotonic() < until:
            time.sleep(0.01)
    assert "step 7 0:00:0" in said(terminal)  # with the time that has passed


def test_a_pipe_shows_nothing(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    with progress.working("calibrating") as say:
        say("calibrating: step 7")
        time.sleep(0.02)
    assert pipe.getvalue() == ""
