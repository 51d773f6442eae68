"""The kernel as a program: it runs alone, speaks by exit codes, and is as short as it is said."""

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kernel import forked
from tests.kernel.bench import FAMILIES, FILES, accepted_files, kinds, read
from tests.kernel.cases import bad, given, good
from tests.kernel.reading_list import KERNEL, ROOT, path_of, readme
from tests.kernel.unpack import unpacked


def run(*arguments: str | Path, kernel: Path = KERNEL) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(kernel), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=600, check=False)


def test_accepted_with_files() -> None:
    done = run("--json", *given("leakage", "joint"))
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    found = answer["accepted"], answer["kind"], answer["inputs"]
    assert found == (True, "joint-leakage-at-most", "matched")
    assert (answer["checked"], answer["reason"]) == (6, None)


@pytest.mark.parametrize("name", ["A2-above-the-level", "C5-key-twice", "N1-nan"])
def test_refused_is_exit_code_1_with_one_line(name: str) -> None:
    done = run(unpacked() / "leakage" / "reject" / f"{name}.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("refused: ")
    assert done.stderr.count("\n") == 1


def test_refused_as_json() -> None:
    done = run("--json", bad("leakage"))
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    found = answer["accepted"], answer["kind"], answer["statement"], answer["checked"]
    assert found == (False, None, None, 0)
    assert "exceeded" in answer["reason"]


@pytest.mark.parametrize("text", [None, "", "not json", "{'a': 1}", '{"a": 1}}', "\ufeff{}"])
def test_misuse_is_exit_code_2_with_one_line_and_nothing_on_stdout(text: str | None, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run("--json", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert str(path) in done.stderr


@pytest.mark.parametrize("name", ["P2-not-json", "P2-toml-date", "P2-csv-quote"])
def test_an_input_that_cannot_be_parsed_is_named(name: str) -> None:
    certificate, framework, mechanism = given("leakage", name)
    done = run(certificate, framework, mechanism)
    assert (done.returncode, done.stdout) == (1, "")
    assert f'"{mechanism}" cannot be parsed: ' in done.stderr


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--verbose", "x"], ["-h"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage" in done.stderr


def test_a_directory_is_misuse(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 2


def test_a_file_given_with_pure_mathematics_is_misuse() -> None:
    done = run(good("algebra"), good("algebra"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("misuse: usage: ")


# --- alone ---


@pytest.mark.parametrize(("name", "families"), [("kernel", FAMILIES[:1]), ("any name", FAMILIES)])
def test_the_folder_is_enough_wherever_it_stands(name: str, families: tuple[str, ...], tmp_path: Path) -> None:
    alone = shutil.copytree(KERNEL, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for family in families:
        done = run("--json", good(family), kernel=alone)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == forked.run("--json", good(family)).stdout


def test_no_other_module_is_imported_in_its_place(tmp_path: Path) -> None:
    for name in ("kernel", "reading", "level", "leakage", "pufferproof"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    shutil.copytree(KERNEL, tmp_path / "another", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (KERNEL, tmp_path / "another"):
        done = subprocess.run(
            [sys.executable, "-B", "-W", "error", str(folder), str(good("leakage"))],
            cwd=tmp_path,
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")


def test_nothing_but_the_folder_and_the_standard_library_is_imported() -> None:
    line = "import runpy, sys; sys.argv = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name='it');"
    line += "print([m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)])"
    command = [sys.executable, "-I", "-S", "-c", line, str(KERNEL)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    library = str(Path(ast.__file__).parent)
    others = [path for path in ast.literal_eval(done.stdout) if not path.startswith(library)]
    rules = {file for file in FILES if file not in ("__init__", "__main__")}
    assert {Path(path) for path in others} == {path_of(file) for file in rules}


# --- short ---


def test_the_kernel_is_of_short_files_of_the_standard_library() -> None:
    assert {path_of(file) for file in FILES} == {*KERNEL.rglob("*.py")}
    for file in FILES:
        text = path_of(file).read_text(encoding="utf-8")
        assert text.count("\n") < (200 if file == "reading" else 400), file
        assert max(map(len, text.splitlines())) <= 120
        imported = re.findall(r"^\s*(?:import|from) (\w[\w.]*)", text, flags=re.MULTILINE)
        assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names}, file
        assert not re.search(r"\bfloat\(|^\s*assert |\bpufferproof\.|\bAny\b", text, flags=re.M)


DEFINED = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.ClassDef)


@pytest.mark.parametrize("file", [file for file in FILES if file != "__main__"])
def test_a_file_of_the_kernel_only_defines(file: str) -> None:
    first, *others = ast.parse(path_of(file).read_text(encoding="utf-8")).body
    assert isinstance(first, ast.Expr)
    assert all(isinstance(node, DEFINED) for node in others)


def test_the_readme_says_which_files_decide_a_family_as_the_kernel_imports_them() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert readme(text) == text


def test_every_kind_has_rules_and_is_of_the_family_that_accepts_it() -> None:
    text = (KERNEL / "CERTIFICATES.md").read_text(encoding="utf-8")
    assert all(re.search(rf"^##+ {kind}: |`{kind}[`:]", text, re.MULTILINE) for kind in kinds())
    for family in FAMILIES:
        found = {read(path)["kind"] for path in accepted_files(family)}
        assert found == {kind for kind, name in kinds().items() if name == family}
