"""The kernel sorts the corpus, keeps its limits, compares input files and speaks by exit codes."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
KERNEL = HERE.parents[1] / "verify" / "kernel.py"


def test_every_case_of_the_bench_is_sorted_as_recorded(bench: Any) -> None:
    module, wrong = bench.load(), []
    for case in [case for case in bench.cases if not case.command]:
        with bench.restored(module, case):
            found = bench.outcome(module, case)
        expected = (
            found[0] == "accepted" if case.expected is None else found == ("refused", True, 0)
        )
        wrong += [] if expected else [(case.name, found)]
    assert wrong == []


def test_every_reject_file_has_a_recorded_reason() -> None:
    recorded = json.loads((HERE / "reject" / "REASONS.json").read_text(encoding="utf-8"))
    assert {path.name for path in (HERE / "reject").glob("*.json")} == {*recorded, "REASONS.json"}


def test_every_side_condition_of_the_format_has_a_reject_file() -> None:
    text = (KERNEL.parent / "CERTIFICATES.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"\*\*([A-Z]\d)\*\*", text))
    cases = json.loads((HERE / "inputs" / "CASES.json").read_text(encoding="utf-8"))
    names = [path.name for path in (HERE / "reject").glob("*-*.json")]
    names += [case["certificate"] for case in cases if case["refused"] is not None]
    assert stated == {name.split("-")[0] for name in names}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(KERNEL), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


def test_accepted_is_exit_code_0_on_a_bare_interpreter() -> None:
    done = run(HERE / "accept" / "at-most-attained.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(
        "accepted: leakage of mechanisms [0] over 1 priors, 1 pairs in both orders is equal to "
        "log(3)"
    )
    assert done.stdout.count("\n") == 2


def test_accepted_with_files() -> None:
    done = run(
        "--json",
        *[
            HERE / "inputs" / name
            for name in ("joint.certificate.json", "table.json", "response.json")
        ],
    )
    assert done.returncode == 0
    answer = json.loads(done.stdout)
    assert (answer["accepted"], answer["kind"], answer["inputs"]) == (
        True,
        "joint-leakage-at-most",
        "matched",
    )
    assert (answer["checked"], answer["reason"]) == (6, None)


@pytest.mark.parametrize("name", ["A2-above-the-level", "C5-key-twice", "N1-nan"])
def test_refused_is_exit_code_1_with_one_line(name: str) -> None:
    done = run(HERE / "reject" / f"{name}.json")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("refused: ")
    assert done.stderr.count("\n") == 1


def test_refused_as_json() -> None:
    done = run("--json", HERE / "reject" / "A2-above-the-level.json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert (answer["accepted"], answer["kind"], answer["statement"], answer["checked"]) == (
        False,
        None,
        None,
        0,
    )
    assert "exceeded" in answer["reason"]


@pytest.mark.parametrize("text", [None, "", "not json", "{'a': 1}", '{"a": 1}}', "\ufeff{}"])
def test_misuse_is_exit_code_2_with_one_line_and_nothing_on_stdout(
    text: str | None, tmp_path: Path
) -> None:
    path = tmp_path / "certificate.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = run("--json", path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["--json"], ["--verbose", "x"], ["-h"]])
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage" in done.stderr


def test_a_directory_is_misuse(tmp_path: Path) -> None:
    assert run(tmp_path).returncode == 2


def test_a_number_longer_than_python_converts_is_exact(tmp_path: Path, kernel: Any) -> None:
    base = json.loads((HERE / "accept" / "at-most-attained.json").read_text(encoding="utf-8"))
    digits = "3" * 49_000
    base["claim"]["level"]["log"] = f"{digits}/{'1' * 49_000}"
    path = tmp_path / "long.json"
    path.write_text(json.dumps(base), encoding="utf-8")
    assert kernel.check(str(path)).checked == 4
    base["claim"]["level"]["log"] = f"{digits[:-1]}4/{'1' * 49_000}"
    path.write_text(json.dumps(base), encoding="utf-8")
    with pytest.raises(kernel.Refused, match="not attained"):
        kernel.check(str(path))
    base["claim"] = {"level": {"log": digits[:-1] + "2/" + "1" * 49_000}, "attained": None}
    path.write_text(json.dumps(base), encoding="utf-8")
    with pytest.raises(kernel.Refused, match="exceeded"):
        kernel.check(str(path))


def test_the_kernel_is_one_file_of_the_standard_library_under_900_lines() -> None:
    text = KERNEL.read_text(encoding="utf-8")
    assert text.count("\n") < 900
    imported = re.findall(r"^(?:import|from) ([\w.]+)", text, flags=re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names, "__future__"}
    assert not re.search(r"\bfloat\(|^\s*assert |\bpufferproof\.", text, flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ({"nats": "0." + "0" * 98 + "3e99"}, "at most nats(3)"),
        ({"log": "2." + "0" * 97 + "e2"}, "at most log(200)"),
        ({"log": "2" + "1" * 300}, "at most log(2111"),
        ({"nats": "1" * 5000}, "at most nats(a very long number)"),
    ],
)
def test_the_statement_shows_the_level_that_was_decided_and_never_a_prefix_of_it(
    bench: Any, tmp_path: Path, level: dict[str, str], said: str
) -> None:
    certificate = json.loads((HERE / "accept" / "at-most.json").read_text())
    certificate["claim"] = {"level": level, "attained": None}
    path = tmp_path / "c.json"
    path.write_text(json.dumps(certificate))
    assert said in bench.load().check(str(path)).statement
