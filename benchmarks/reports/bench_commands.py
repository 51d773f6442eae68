"""The commands of README, each in a process of its own as a shell starts it.

Times are taken by pytest-benchmark, all in one run; each row of the table is in its `extra_info`.
Nothing here asserts a time.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ pufferproof (.*)$", README, re.MULTILINE)


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.split()[0])
def test_command_of_readme(benchmark, tmp_path, line):
    folder = tmp_path / "once"
    command = [sys.executable, "-m", "pufferproof", *shlex.split(line)]

    def fresh():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(ROOT / "examples", folder / "examples")

    run = lambda: subprocess.run(command, cwd=folder, capture_output=True)  # noqa: E731
    assert benchmark.pedantic(run, setup=fresh, rounds=2).returncode in (0, 1)
    options = re.sub(r"examples/\S*/", "", line)
    benchmark.extra_info |= {
        "what": f"README: `{options}`, start of the process included",
        "target": "under 2 s",
    }
