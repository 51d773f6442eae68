"""README keeps its word: every command in it runs, and prints what is shown."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.strip()]
SHOWN = [block.removeprefix("$ ").partition("\n")[::2] for block in blocks("console")]


def run(command, folder):
    words = shlex.split(command)
    words[0] = str(BIN / words[0]) if (BIN / words[0]).exists() else words[0]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path):
    """A folder that looks like the checkout, in which commands may write."""
    for name in ("examples", "verify"):
        (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def test_commands_of_readme_run_in_order(checkout):
    direct = [command for command in COMMANDS if not command.startswith("make ")]
    assert len(direct) >= 4
    for command in direct:
        done = run(command, checkout)
        assert done.returncode == 0, (command, done.stderr)
        assert done.stdout


@pytest.mark.parametrize(("command", "output"), SHOWN)
def test_the_terminal_shows_what_readme_shows(checkout, command, output):
    done = run(command, checkout)
    assert done.stdout == output
    assert done.returncode == (1 if output.startswith("VIOLATES") else 0)


def test_one_true_and_one_false_claim_are_shown():
    assert [output.split()[0] for _, output in SHOWN] == ["SATISFIES", "VIOLATES"]


def test_the_two_make_commands_come_first_and_do_what_they_say(tmp_path):
    assert COMMANDS[:2] == ["make report", "make test"]
    recipes = {}
    for target in ("report", "test"):
        done = subprocess.run(
            ["make", "--no-print-directory", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True
        )
        recipes[target] = done.stdout.splitlines()
    assert recipes["report"][-2:] == [
        ".venv/bin/pufferproof report --out reports/out",
        ".venv/bin/pufferproof prove --out reports/out-proofs --summary",
    ]
    assert any(line.startswith(".venv/bin/pytest") for line in recipes["test"])
    done = run(f"pufferproof report --out {tmp_path}/out", ROOT)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path / "out" / "index.html") in done.stdout


def test_the_python_of_readme_runs():
    (code,) = blocks("python")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("SATISFIES log(3); leakage log(3)")


def test_every_link_of_readme_exists():
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert links
    assert [link for link in links if not os.path.exists(ROOT / link)] == []
