"""The questions of README by both doors: the command in a process of its own, as a shell starts it,
and the call from Python, in a process that has done it before, files read inside the clock.

Each row of the table is in `extra_info`. Nothing here asserts a time.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.peers.beside import timed

import pufferproof as pp

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ pufferproof (.*)$", README, re.MULTILINE)
EXAMPLES = ROOT / "examples"
METER, COUNT = EXAMPLES / "correlated" / "smart-meter", EXAMPLES / "correlated" / "chain-count"
NUMPY = [sys.executable, "-c", "import numpy"]


def audited(framework):
    space = pp.read_framework(METER / framework)
    return pp.audit(space, pp.read_mechanism(METER / "mechanism-response.json", space), "log(3)")


def worst():
    budgets = ["log(2)", "log(2)"]
    return pp.worst_composition(pp.read_framework(METER / "framework.json"), budgets, per_record="log(2)")


def collapsed():
    path = EXAMPLES / "limits" / "collapse-pair" / "framework.json"
    return pp.collapse(pp.read_framework(path), "log(1)")


def redacted():
    chain = pp.BinaryChain("1/4", "1/2", 2)
    return pp.redaction_designs(chain, 1, "log(3/2)", ["quilt", "3r-relaxed", "3r-exact"])


def counted():
    space = pp.read_framework(COUNT / "framework.json")
    return pp.audit(space, pp.read_mechanism(COUNT / "mechanism.json", space), "1")


CALLS = {
    "`audit` of the smart meter": lambda: audited("framework.json"),
    "`audit` of it, records independent": lambda: audited("framework-independent.json"),
    "`audit` of a noisy count of a chain": counted,
    "`worst_composition` of the smart meter": worst,
    "`collapse` of a pair": collapsed,
    "`redaction_designs` of two records": redacted,
}


@pytest.mark.parametrize("line", COMMANDS, ids=lambda line: line.split()[0])
def test_command_of_readme(benchmark, tmp_path, line):
    folder = tmp_path / "once"
    command = [sys.executable, "-m", "pufferproof", *shlex.split(line)]

    def fresh():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(EXAMPLES, folder / "examples")

    run = lambda: subprocess.run(command, cwd=folder, capture_output=True)  # noqa: E731
    assert benchmark.pedantic(run, setup=fresh, rounds=3).returncode in (0, 1)
    seconds, _ = timed(lambda: subprocess.run(NUMPY, check=True), 3)
    options = re.sub(r"examples/\S*/", "", line)
    benchmark.extra_info |= {
        "what": f"command: `{options}`, start of the process included",
        "compared": f"`import numpy` in a process of its own, {seconds * 1000:.0f} ms",
        "ratio": f"{benchmark.stats.stats.median / seconds:.1f} x the time",
        "target": "under 2 s",
    }


def test_start_of_an_audit(benchmark):
    """The call in a process of its own, from the start to the verdict."""
    code = (
        "import sys; from pufferproof import audit, read_framework, read_mechanism;"
        "space = read_framework(sys.argv[1]);"
        "print(audit(space, read_mechanism(sys.argv[2], space), 'log(3)').verdict.value)"
    )
    paths = [str(METER / name) for name in ("framework.json", "mechanism-response.json")]
    command = [sys.executable, "-c", code, *paths]
    run = lambda: subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: E731
    alone, _ = timed(lambda: subprocess.run(NUMPY, check=True), 5)
    seconds, done = timed(run, 5)
    assert benchmark.pedantic(run, rounds=1).stdout == done.stdout == "VIOLATES\n"
    benchmark.extra_info |= {
        "what": "Python: start of an audit in a process of its own, two files read",
        "seconds": seconds,
        "compared": f"`import numpy` in a process of its own, {alone * 1000:.0f} ms",
        "ratio": f"{seconds / alone:.1f} x the time",
        "target": "at most 3 x",
    }


@pytest.mark.parametrize("what", CALLS)
def test_call_of_the_same_question(benchmark, what):
    benchmark.pedantic(CALLS[what], rounds=5, warmup_rounds=1)
    benchmark.extra_info |= {"what": f"Python: {what}, files read"}
