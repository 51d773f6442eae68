"""Standard output of a process is the answer and nothing else, whatever libraries write there."""

import json
import subprocess
import sys

import pytest
from tests.project.outside.commands import ROOT, WITH_JSON, WITHOUT_JSON, prepared, ran

from pufferproof.reports.commands import COMMANDS

WRONG = {  # of what reads no file, and else runs in an empty folder
    "init": ["--block", "no"],
    "redact": ["--alpha", "2"],
    "reproduce": ["none"],
    "prove": ["none.*"],
    "schema": ["none"],
}
# A library in C that writes on descriptor 1 while a command runs.
LOUD = """
import os
from pufferproof.reports import cli

run = cli._run
def loud(arguments):
    os.write(1, b"written by a library\\n")
    return run(arguments)
cli._run = loud
cli.main()
"""
# A solver that prints as it is made: the first of a process, as from HiGHS 1.16 on.
LOUD_SOLVER = """
import os
import highspy

made = highspy.Highs.__init__
def loud(self, *arguments):
    if not hasattr(highspy, "greeted"):
        highspy.greeted = os.write(1, b"Running HiGHS\\n")
    made(self, *arguments)
highspy.Highs.__init__ = loud

import pufferproof as pp
framework = pp.Framework(
    ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"fair": pp.Table({"a": "1/2", "b": "1/2"})}
)
response = pp.Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, outputs=["u", "v"])
print(pp.worst_partner(framework, response, "log(2)"), hasattr(highspy, "greeted"))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return prepared(tmp_path_factory.mktemp("commands"))


def test_every_command_is_run_here():
    assert {*WITH_JSON, *WITHOUT_JSON} == {*COMMANDS}
    assert not {*WITH_JSON} & {*WITHOUT_JSON}


@pytest.mark.parametrize("name", WITH_JSON)
def test_json_is_one_object_and_nothing_else(name, folder):
    done = ran(folder, name, *WITH_JSON[name], "--json", program=("-c", LOUD))
    assert done.returncode in (0, 1, 3), done.stderr
    assert done.stdout.count("\n") == 1
    assert isinstance(json.loads(done.stdout), dict)
    assert "written by a library" in done.stderr


@pytest.mark.parametrize("name", WITHOUT_JSON)
def test_what_has_no_json_prints_only_its_lines(name, folder):
    done = ran(folder, name, *WITHOUT_JSON[name], program=("-c", LOUD))
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert "written by a library" not in done.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_bad_input_prints_one_line_on_standard_error_only(name, tmp_path):
    words = WRONG.get(name) or (WITH_JSON | WITHOUT_JSON)[name]
    json_too = ["--json"] if name in WITH_JSON else []
    done = ran(tmp_path, name, *words, *json_too)  # in a folder without the files
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("pufferproof: ")
    assert done.stderr.count("\n") == 1


def test_a_solver_that_prints_as_it_is_made_does_not_reach_programs_in_python():
    done = subprocess.run([sys.executable, "-c", LOUD_SOLVER], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("joint leakage log(6)")
    assert done.stdout.endswith("against 't' True\n")


def test_one_function_makes_solvers_of_highs():
    floors = ("models", "verify", "lp", "counterexamples", "claims", "reports")
    sources = [path for floor in floors for path in (ROOT / floor).rglob("*.py")]
    found = {path.name for path in sources if "Highs()" in path.read_text(encoding="utf-8")}
    assert found == {"proposals.py"}
