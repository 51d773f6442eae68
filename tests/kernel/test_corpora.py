"""The kernel sorts the corpora of all families as recorded."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.kernel import forked
from tests.kernel.bench import FAMILIES, Case, Loaded, kinds, outcome, recorded
from tests.kernel.cases import bad, cases
from tests.kernel.reading_list import KERNEL
from tests.kernel.unpack import entries, listed, record, source, unpack, unpacked


@pytest.fixture(scope="module")
def all_cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Case]]:
    return {family: cases(family, tmp_path_factory.mktemp(family)) for family in FAMILIES}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_is_sorted_as_recorded(family: str, all_cases: dict[str, list[Case]]) -> None:
    kernel, wrong = Loaded(), []
    for case in all_cases[family]:
        actual = outcome(kernel, case)
        if not case.command and not recorded(case, actual):
            wrong.append((case.name, actual))
    assert wrong == []


def conditions(family: str) -> set[str]:
    """Return the conditions of CERTIFICATES.md that belong to a family: those under the heading
    of a kind of it, and those under no kind's heading in a chapter that has such a heading.
    """
    found = set[str]()
    text = (KERNEL / "CERTIFICATES.md").read_text(encoding="utf-8")
    for chapter in re.split("^# ", text, flags=re.MULTILINE):
        sections = re.split("^##+ ", chapter, flags=re.MULTILINE)
        of = [kinds().get(section.partition(":")[0]) for section in sections]
        for section, one in zip(sections, of):
            if one == family or (one is None and family in of):
                found |= {*re.findall(r"\*\*([A-Z]+\d+)\*\*", section)}
    return found


def test_every_condition_belongs_to_a_family() -> None:
    text = (KERNEL / "CERTIFICATES.md").read_text(encoding="utf-8")
    stated = {*re.findall(r"\*\*([A-Z]+\d+)\*\*", text)}
    assert len(stated) > 100
    assert set[str]().union(*map(conditions, FAMILIES)) == stated


@pytest.mark.parametrize("family", FAMILIES)
def test_every_side_condition_is_broken_by_a_case_that_is_named_after_it(family: str) -> None:
    refused = {re.split("[/-]", name)[1] for name in listed(family, "reject")}
    of_files = {re.split("[/-]", name)[1] for name in listed(family, "inputs")}
    stated = conditions(family)
    assert stated == refused | (of_files & stated)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_case_says_why_it_is_there_and_every_other_file_is_given_with_one(family: str) -> None:
    given = set[str]()
    for folder, refused in (("accept", {False}), ("reject", {True}), ("inputs", {False, True})):
        for name, case in listed(family, folder).items():
            given |= {*case.get("files", [])}
            words, repeated = ({*re.findall("[a-z]+", x.lower())} for x in (case["why"], name))
            assert len(words - repeated) >= 3, name
            assert ("refused" in case) in refused, name
    assert {name for name, entry in entries(family).items() if "why" not in entry} <= given


@pytest.mark.parametrize("family", FAMILIES)
def test_what_a_corpus_records_is_what_the_kernel_says_and_counts(family: str) -> None:
    assert record(family) == source(family).read_text(encoding="utf-8")


def test_the_files_of_a_corpus_can_be_written_for_another_kernel(tmp_path: Path) -> None:
    unpack(tmp_path)
    files = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.*")}
    assert files >= {f"{family}/{name}" for family in FAMILIES for name in listed(family, "accept")}
    text = (tmp_path / "leakage" / "inputs" / "table.certificate.json").read_text(encoding="utf-8")
    assert len(json.loads(text)["inputs"]["framework"]) == len("sha256:") + 64


# --- as a program ---


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(KERNEL), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=600, check=False)


SAID = [(family, name) for family in FAMILIES for name, entry in listed(family, "accept").items() if "said" in entry]


@pytest.mark.parametrize(("family", "name"), SAID)
def test_accepted_is_exit_code_0_and_says_what_was_proved(family: str, name: str) -> None:
    done = forked.run(unpacked() / family / name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == entries(family)[name]["said"]


@pytest.mark.parametrize("family", FAMILIES)
def test_refused_is_exit_code_1_with_one_line_and_misuse_2(family: str, tmp_path: Path) -> None:
    done = run(bad(family))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith("refused: ")
    for misused in ([tmp_path / "none.json"], []):
        assert forked.run(*misused).returncode == 2
