"""The kernel sorts the corpora of all families as recorded, and no change in it goes unnoticed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kernel import forked
from tests.kernel.bench import (
    FAMILIES,
    FILES,
    HERE,
    KERNEL,
    Case,
    Loaded,
    outcome,
    read,
    reasons,
    recorded,
    with_files,
)
from tests.kernel.cases import accepted, bad, cases
from tests.kernel.equivalent import EQUIVALENT
from tests.kernel.mutants import Judge, judges_of, survivors

CONDITIONS = {  # of CERTIFICATES.md, by the letters that their names begin with
    "leakage": r"[A-Z]\d",
    "rates": r"R[CWLBPAR]\d",
    "optima": r"O[CLW]\d+",
    "algebra": r"A[CPFE]\d",
    "redaction": r"Q[CLF]\d+",
    "designs": r"Q[CDWRP]\d+",
}


@pytest.fixture(scope="module")
def all_cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    return {family: cases(family, tmp_path_factory.mktemp(family)) for family in FAMILIES}


@pytest.fixture(scope="module")
def all_judges(all_cases: dict[str, list[Case]]) -> dict[str, list[Judge]]:
    return {family: judges_of(cases) for family, cases in all_cases.items()}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_is_sorted_as_recorded(family: str, all_cases: dict[str, list[Case]]) -> None:
    kernel, wrong = Loaded(), []
    for case in all_cases[family]:
        actual = outcome(kernel, case)
        if not case.command and not recorded(case, actual):
            wrong.append((case.name, actual))
    assert wrong == []


@pytest.mark.parametrize("family", FAMILIES)
def test_every_side_condition_has_a_reject_file_and_every_one_a_reason(family: str) -> None:
    text = (KERNEL / "CERTIFICATES.md").read_text(encoding="utf-8")
    stated = set(re.findall(rf"\*\*({CONDITIONS[family]})\*\*", text))
    files = {path.name for path in (HERE / family / "reject").glob("*.json")}
    assert files == {*reasons(family), "REASONS.json"}
    refused = [case["certificate"] for case in with_files(family) if case["refused"] is not None]
    of_files = {name.split("-")[0] for name in refused} & stated
    assert stated == {name.split("-")[0] for name in reasons(family)} | of_files


@pytest.mark.parametrize("file", FILES)
def test_every_mutant_of_the_kernel_is_noticed(
    file: str, all_judges: dict[str, list[Judge]]
) -> None:
    judges = [each for family in FILES[file] for each in all_judges[family]]
    total, unnoticed = survivors(file, judges)
    print(f"{file}: {total} mutants, {len(unnoticed)} equivalent")
    assert total >= 3
    assert sorted(unnoticed) == sorted(line for line, _ in EQUIVALENT.get(file, [])), unnoticed


# --- as a program ---


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(KERNEL), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


SAID = {family: read(HERE / family / "SAID.json") for family in FAMILIES}


@pytest.mark.parametrize(
    ("family", "name"), [(family, name) for family, said in SAID.items() for name in said]
)
def test_accepted_is_exit_code_0_and_says_what_was_proved(family: str, name: str) -> None:
    done = forked.run(accepted(family, name))
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 2)
    for text in SAID[family][name]:
        assert text in done.stdout


@pytest.mark.parametrize("family", FAMILIES)
def test_refused_is_exit_code_1_with_one_line_and_misuse_2(family: str, tmp_path: Path) -> None:
    done = run(bad(family))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("refused: ")
    for misused in ([tmp_path / "none.json"], []):
        assert forked.run(*misused).returncode == 2
