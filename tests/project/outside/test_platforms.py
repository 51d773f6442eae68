"""Commands where fork, timers and locks are missing, as on Windows: they answer, or name what they
need.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.project.outside.commands import ROOT, WITH_JSON, WITHOUT_JSON, prepared, ran

from pufferproof.models.errors import PufferproofError
from pufferproof.models.interface import outputs
from pufferproof.verify.proof.smt import SolverProcess, limited

HIDDEN = str(Path(__file__).with_name("hidden.py"))
NEED_UNIX = ("prove",)
METER = "examples/correlated/smart-meter"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return prepared(tmp_path_factory.mktemp("commands"))


@pytest.mark.parametrize("name", [name for name in WITH_JSON if name not in NEED_UNIX])
def test_commands_answer(name, folder):
    done = ran(folder, name, *WITH_JSON[name], "--json", program=(HIDDEN,))
    assert done.returncode in (0, 1, 3), done.stderr
    assert isinstance(json.loads(done.stdout), dict)


@pytest.mark.parametrize("name", WITHOUT_JSON)
def test_commands_write(name, folder):
    for _ in range(2 if name == "report" else 1):  # the second replaces what the first wrote
        done = ran(folder, name, *WITHOUT_JSON[name], program=(HIDDEN,))
        assert done.returncode == 0, done.stderr
    assert not [path for path in folder.iterdir() if path.name.endswith(".partial")]


@pytest.mark.parametrize("name", NEED_UNIX)
def test_a_command_that_needs_more_says_so(name, folder):
    done = ran(folder, name, *WITH_JSON[name], program=(HIDDEN,))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"pufferproof: {name}: expected Linux or macOS, found ")
    assert done.stderr.count("\n") == 1


def test_a_sampler_that_is_a_program_answers(folder):
    (folder / "draw.py").write_text("import sys\nfor line in sys.stdin: print(line.count('1'))\n")
    words = [f"{METER}/framework.json", f"{sys.executable} draw.py", "--samples", "300"]
    done = ran(folder, "estimate", *words, "--trust-code", "--json", program=(HIDDEN,))
    assert done.returncode == 0, done.stderr


def test_a_ledger_is_extended(folder):
    framework, mechanism = f"{METER}/framework.json", f"{METER}/mechanism-response.json"
    for count in (1, 2):
        words = ["compose", framework, mechanism, "--ledger", "ledger.json"]
        done = ran(folder, *words, "--json", program=(HIDDEN,))
        assert done.returncode == 0, done.stderr
        assert len(json.loads((folder / "ledger.json").read_text())["releases"]) == count


def test_the_package_is_imported_without_them():
    program = "import sys; sys.modules['fcntl'] = None; import pufferproof as pp; "
    program += "[getattr(pp, name) for name in pp.__all__]"
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)


def test_formulas_and_limits_on_time_name_what_they_need(monkeypatch):
    monkeypatch.delattr(os, "fork")
    with pytest.raises(PufferproofError, match="solvers of formulas: expected Linux or macOS"):
        SolverProcess("import z3", "").ask("", 1)
    with pytest.raises(PufferproofError, match="time of a step: expected Linux"), limited(1):
        pass


def test_a_file_is_closed_before_it_is_replaced_where_nothing_can_be_locked(tmp_path, monkeypatch):
    """Windows replaces no file that is open."""
    replaced = []

    def replace(source, target):
        opened = {os.path.realpath(each) for each in Path("/proc/self/fd").iterdir()}
        replaced.append(os.path.realpath(source) in opened)

    monkeypatch.setattr(outputs.os, "replace", replace)
    for locks in (True, False):
        monkeypatch.setattr(outputs, "LOCKS", locks)
        outputs.write_atomically(tmp_path / "file", "text")
    assert replaced == [True, False]
