"""The page on the architecture: every file that a walk names is entered by its command, and every
command has a subject.
"""

import re
import sys
from pathlib import Path

import pytest

from pufferproof.reports.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "examples" / "textbook" / "randomized-response"
CHAIN = """\
format = "pufferproof-framework/1"
pairs = "disjoint"
[records]
count = 2
alphabet = ["0", "1"]
[secrets]
low = {record = 1, value = "0"}
high = {record = 1, value = "1"}
[priors.day.markov]
initial = "stationary"
transition = [["9/10", "1/10"], ["1/10", "9/10"]]
"""
FLIP = """\
def flip(database, rng):
    return database[0] if rng.random() < 0.75 else "?"
"""
FILES = {
    "framework.toml": CHAIN,
    "coin_of_a_walk.py": FLIP,
    "recording.csv": "home\n" + "\n".join("0110100110010110" * 8),
}
WALKS = {  # the heading, and the command as it is run
    "What happens when you type `audit`": [
        *("audit", EXAMPLE / "framework.toml", EXAMPLE / "mechanism.csv", "--epsilon", "log(3)")
    ],
    "What happens with a program": [
        *("audit", "framework.toml", "coin_of_a_walk:flip", "--trust-code")
    ],
    "What happens when you type `data`": [
        *("data", "recording.csv", "--column", "home", "--epsilon", "1")
    ],
}


def section(heading):
    return PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("heading", WALKS)
def test_every_file_of_a_walk_is_entered(heading, run, tmp_path, monkeypatch):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    entered = set()
    sys.setprofile(lambda frame, event, _: entered.add(frame.f_code.co_filename))
    try:
        code, _, err = run(*map(str, WALKS[heading]))
    finally:
        sys.setprofile(None)
    assert code == 0, err
    known = {Path(file).resolve() for file in entered if not file.startswith("<")}
    named = [ROOT / each for each in re.findall(r"`([\w/]+\.py)`", section(heading))]
    assert len(named) >= 7
    assert [str(path.relative_to(ROOT)) for path in named if path not in known] == []


def test_every_command_has_a_subject():
    table = section("Subjects and their rooms")
    assert [name for name in COMMANDS if f"`{name}" not in table] == []
