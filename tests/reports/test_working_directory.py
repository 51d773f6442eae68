"""No command runs code of the working directory: files there that are named like modules are
imported by no process.
"""

import ast
import os
import shutil
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from pufferproof.models.interface.sweeps.executors import without_working_directory
from pufferproof.verify.proof.smt import SolverProcess

BIN = Path(sys.executable).parent
EXAMPLES = Path(__file__).parents[2] / "examples"
CLAIM = """
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import claim


@claim("here.squares", where="w", statement=formula("2*x*y <= x**2 + y**2"))
def squares(check):
    check.formula()
"""
COMMANDS = [
    ("prove here --no-cache --jobs 1 --trust-code --claims ../claim.py", 0),
    ("worst ../examples/pair/framework.json --budget log(2) --budget log(2) --out mechanisms", 0),
    ("collapse ../examples/pair/framework.json --engine z3 --out found-z3", 1),
    ("collapse ../examples/pair/framework.json --engine rays --out found-rays", 1),
    ("redact --alpha 1/4 --beta 1/2 --length 2 --private 1 --epsilon log(3/2) --strategy 3r-relaxed", 0),
    ("calibrate ../bits.json --mechanism wasserstein --query sum --epsilon 1", 0),
    ("report ../examples --out report", 0),
    ("explore ../family.toml --jobs 2", 0),
]
SOLVERS = ["z3", "cvc5", "multiprocessing", "struct", "sympy", "typing", "typer", "json"]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A working directory with a file for every module there is, each of which says that it
    ran, in the file RAN beside it.
    """
    folder = tmp_path_factory.mktemp("planted")
    (folder / "here").mkdir()
    modules = {*sys.stdlib_module_names, *packages_distributions(), "pufferproof", "sitecustomize"}
    for name in sorted(name for name in modules if name.isidentifier()):
        plant(folder / "here", name)
    (folder / "claim.py").write_text(CLAIM)
    shutil.copytree(EXAMPLES / "limits" / "collapse-pair", folder / "examples" / "pair")
    shutil.copyfile(EXAMPLES / "families" / "chains.toml", folder / "family.toml")
    shutil.copyfile(EXAMPLES / "limits" / "collapse-bits" / "framework.json", folder / "bits.json")
    return folder


def plant(folder, name):
    mark = folder.parent / "RAN"
    code = f"with open({str(mark)!r}, 'a') as mark:\n    mark.write({name!r} + ' ')\nraise ImportError('planted')\n"
    (folder / f"{name}.py").write_text(code)


def start(command, folder, **more):
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONSAFEPATH")}
    return subprocess.run(command, cwd=folder, env=environment | more, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("command", "code"), COMMANDS, ids=[command.partition(" --out")[0] for command, _ in COMMANDS])
def test_no_command_imports_from_the_working_directory(place, command, code):
    done = start([BIN / "pufferproof", *command.split(" ")], place / "here")
    assert (done.returncode, (place / "RAN").exists()) == (code, False), done.stderr
    assert not command.startswith("prove") or done.stdout.startswith("PROVED")


def test_python_m_imports_from_the_working_directory_only_what_python_itself_does(tmp_path):
    """`-m` puts it first on the path; what this package imports comes after that is undone, and
    with -P nothing is run.
    """
    (tmp_path / "here").mkdir()
    for name in set(SOLVERS) - {"typing"}:
        plant(tmp_path / "here", name)
    framework = str(EXAMPLES / "limits" / "collapse-bits" / "framework.json")
    for flags in ([], ["-P"]):
        done = start([sys.executable, *flags, "-m", "pufferproof", "critical", framework], tmp_path / "here")
        assert (done.returncode, (tmp_path / "RAN").exists()) == (0, False), done.stderr


def test_a_solver_process_imports_nothing_from_the_working_directory(place, monkeypatch):
    monkeypatch.chdir(place / "here")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert SolverProcess("import json", "print(json.dumps([text]))").ask("said", 20.0) == '["said"]\n'
    assert not (place / "RAN").exists()


@pytest.mark.parametrize("before", [None, "", "1"])
def test_the_environment_is_as_it_was_once_workers_have_started(monkeypatch, before):
    if before is None:
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    else:
        monkeypatch.setenv("PYTHONSAFEPATH", before)
    with without_working_directory():
        assert os.environ["PYTHONSAFEPATH"] == "1"
    assert os.environ.get("PYTHONSAFEPATH") == before


def test_every_interpreter_that_is_started_has_a_safe_path():
    """Lists that begin with `sys.executable` are command lines: -P or -I is among what follows."""
    folders = ("models", "verify", "lp", "counterexamples", "claims", "reports", "examples")
    files = [path for folder in folders for path in (EXAMPLES.parent / folder).rglob("*.py")]
    commands = [(path.name, command) for path in files for command in interpreters(path)]
    assert {"smt.py", "evidence.py"} <= {name for name, _ in commands}
    assert [name for name, texts in commands if not texts & {"-P", "-I"}] == []


def interpreters(path):
    """The texts of every command line that starts an interpreter; some may stand in a tuple
    with a name.
    """
    text = path.read_text(encoding="utf-8")
    if "sys.executable" not in text:
        return
    tree = ast.parse(text)
    named = {ast.unparse(each.targets[0]): each.value for each in tree.body if isinstance(each, ast.Assign)}
    for node in ast.walk(tree):
        if isinstance(node, ast.List) and node.elts and ast.unparse(node.elts[0]) == "sys.executable":
            starred = [ast.unparse(each.value) for each in node.elts if isinstance(each, ast.Starred)]
            parts = [*node.elts, *(named[name] for name in starred if name in named)]
            yield {each.value for part in parts for each in ast.walk(part) if isinstance(each, ast.Constant)}
