"""The checker of optima sorts its corpus, keeps its limits and exit codes; no change in it or a
certificate goes unnoticed.
"""

import contextlib
import json
import re
import shutil
import signal
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.brute.rays import worst
from tests.kernel import conftest
from tests.kernel.conftest import Bench, Case, limits_restored, outcome
from tests.kernel.test_kernel_mutations import (
    at,
    changes,
    mutants,
    numbers,
    replaced,
    ring,
    survives,
)

from pufferproof import Framework, Records, Table
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.program import Program, Row, solve_exact
from pufferproof.models.numbers.grammar import exact

HERE = Path(__file__).parent / "optima"
CHECKER = HERE.parents[2] / "verify" / "kernel_optima.py"
ACCEPT = sorted((HERE / "accept").glob("*.json"))
INPUTS = json.loads((HERE / "inputs" / "CASES.json").read_text(encoding="utf-8"))
REASONS = json.loads((HERE / "reject" / "REASONS.json").read_text(encoding="utf-8"))


load = partial(conftest.load, path=CHECKER)


def limit(name: str, bound: int, certificate: str, reason: str) -> list[Case]:
    """Two cases: accepted with the limit exactly reached, refused with the limit lower by one."""
    path = (str(HERE / "accept" / f"{certificate}.json"),)
    just = Case(f"{name}={bound} {certificate}", path, None, ((name, bound),))
    return [just, Case(f"{name}={bound - 1} {certificate}", path, reason, ((name, bound - 1),))]


def corpus() -> list[Case]:
    cases = [Case(f"accept/{path.stem}", (str(path),), None) for path in ACCEPT]
    cases += [
        Case(f"reject/{name}", (str(HERE / "reject" / name),), reason)
        for name, reason in REASONS.items()
    ]
    for case in INPUTS:
        paths = tuple(str(HERE / "inputs" / name) for name in (case["certificate"], *case["files"]))
        cases.append(Case(f"inputs/{case['certificate']}", paths, case["refused"]))
    return [
        *cases,
        *limit("MAX_DATABASES", 2, "worst", "over 1 databases"),
        *(
            case
            for name, bits in WORK.items()
            for case in limit("MAX_WORK", bits, name, "too large")
        ),
    ]


WORK = {
    "lp-free": 198_646_162,
    "worst": 455_122_058,
    "worst-records": 615_868_468,
    "worst-exact": 557_783_258,
}  # bit operations that accepted files take


FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/3", "b": "2/3"}}},
}


def files(folder: Path) -> list[Case]:
    """Cases with a framework file, the right one and others, and with files that the
    certificate cannot speak of.
    """
    import hashlib

    text = json.dumps(FRAMEWORK)
    (folder / "framework.json").write_text(text, encoding="utf-8")
    (folder / "other.json").write_text(text + " ", encoding="utf-8")
    base = json.loads((HERE / "accept" / "worst.json").read_text(encoding="utf-8"))
    base["inputs"]["framework"] = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
    (folder / "certificate.json").write_text(json.dumps(base), encoding="utf-8")
    base["framework"]["priors"]["theta"] = {"a": "1/2", "b": "1/2"}
    (folder / "differs.json").write_text(json.dumps(base), encoding="utf-8")
    good, framework = str(folder / "certificate.json"), str(folder / "framework.json")
    program = str(HERE / "accept" / "lp-corner.json")
    return [
        Case("matched", (good, framework), None),
        Case("without the file", (good,), None),
        Case("OC4 other hash", (good, str(folder / "other.json")), "the certificate says"),
        Case(
            "OC4 other priors",
            (str(folder / "differs.json"), framework),
            "differ from the certificate",
        ),
        Case("OC3 a mechanism file", (good, framework, framework), "speaks of no mechanisms"),
        Case("OC3 a framework for a program", (program, framework), "speaks of no framework"),
    ]


def commands(folder: Path) -> list[Case]:
    good, bad = str(HERE / "accept" / "lp-corner.json"), str(HERE / "reject" / "OL3-row-below.json")
    matched = [str(folder / "certificate.json"), str(folder / "framework.json")]
    (folder / "text.json").write_text("hello", encoding="utf-8")
    lines = [
        [],
        ["--json"],
        ["-q"],
        ["--help", good],
        [good],
        ["--json", good],
        [good, "--json"],
        [bad],
        ["--json", bad],
    ]
    lines += [
        matched,
        ["--json", *matched],
        [*matched, good],
        [str(folder / "text.json")],
        [str(folder / "none.json")],
    ]
    return [Case(f"command {i}", tuple(line), None, command=True) for i, line in enumerate(lines)]


@pytest.fixture(scope="module")
def optima(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("optima")
    return Bench(load, outcome, limits_restored, [*corpus(), *files(folder), *commands(folder)])


def test_every_case_of_the_bench_is_sorted_as_recorded(optima: Bench) -> None:
    module, wrong = optima.load(), []
    for case in [case for case in optima.cases if not case.command]:
        with optima.restored(module, case):
            found = optima.outcome(module, case)
        expected = (
            found[0] == "accepted" if case.expected is None else found == ("refused", True, 0)
        )
        wrong += [] if expected else [(case.name, found)]
    assert wrong == []


def test_every_side_condition_has_a_reject_file_and_every_reject_file_a_reason() -> None:
    text = (CHECKER.parent / "CERTIFICATES.md").read_text(encoding="utf-8")
    stated = set(re.findall(r"\*\*(O[CLW]\d+)\*\*", text))
    assert {path.name for path in (HERE / "reject").glob("*.json")} == {*REASONS, "REASONS.json"}
    refused = [*REASONS, *(case["certificate"] for case in INPUTS if case["refused"])]
    assert stated == {name.split("-")[0] for name in refused}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "lp-corner",
            'the maximum of 1 "x" + 1 "y" subject to 1 "x" + 2 "y" <= 4 and 3 "x" + 1 "y" <= 6 and '
            "all >= 0 is 14/5\n4 checked",
        ),
        (
            "lp-free",
            'subject to 1 "x" + 1 "y" >= -1 and -1 "x" = -1/2 and 1 "y" <= 7 and all but "y" >= 0 '
            "is 2\n5 checked",
        ),
        ("lp-many-free", 'subject to 1 "x" = 3 and all but "x0", "x1",'),
        ("lp-many-free", ', "x19", ... 1 more >= 0 is 3'),
        (
            "lp-odd-name",
            'maximum of 1 "x <= 1 and all >= 0 is 9\\n" subject to 1 "x <= 1 and all >= 0 is 9\\n" '
            "<= 2 and all",
        ),
        ("lp-all-free", 'the maximum of 2 "x" subject to 1 "x" = 3 is 6\n3 checked'),
        ("lp-no-rows", 'the maximum of -1 "x" subject to all >= 0 is 0\n2 checked'),
        ("lp-many", '1 "x19" + ... 1 more subject to 1 "x0" <= 1 and'),
        ("lp-many", '1 "x19" <= 1 and ... 1 more rows and all >= 0 is 21'),
        ("lp-twenty", '1 "x19" <= 1 and all >= 0 is 20'),
        (
            "worst-exact",
            "log(3/2) and log(7/5), also when the second depends on the first output, is equal to "
            "log(21/10)",
        ),
        (
            "worst-records",
            "log(5) and log(7/5), release 0 with per-record level log(2), databases being 2 "
            'records of ["0", "1"], also',
        ),
        ("worst-split", "is at most log(21/10)\n3 checked"),
    ],
)
def test_accepted_is_exit_code_0_and_says_what_was_proved(name: str, said: str) -> None:
    done = run(HERE / "accept" / f"{name}.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_refused_is_exit_code_1_with_one_line_and_misuse_2(tmp_path: Path) -> None:
    done = run(HERE / "reject" / "OW8-smaller-level.json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert run(tmp_path / "none.json").returncode == run().returncode == 2


def test_the_checker_needs_only_the_kernel_beside_it_and_the_standard_library(
    tmp_path: Path,
) -> None:
    text = CHECKER.read_text(encoding="utf-8")
    assert text.count("\n") < 500
    imported = re.findall(r"^(?:import|from) ([\w.]+)", text, flags=re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names, "__future__"}
    assert not re.search(r"\bfloat\(|^\s*assert |\bpufferproof\.", text, flags=re.MULTILINE)
    for name in ("kernel.py", "kernel_optima.py"):
        shutil.copy(CHECKER.with_name(name), tmp_path / name)
    line = [
        sys.executable,
        "-I",
        "-S",
        str(tmp_path / "kernel_optima.py"),
        str(HERE / "accept" / "worst.json"),
    ]
    assert subprocess.run(line, capture_output=True, timeout=60, check=False).returncode == 0


def test_a_deep_tree_takes_no_copies_of_the_rows(tmp_path: Path) -> None:
    import tracemalloc

    certificate = json.loads((HERE / "accept" / "worst.json").read_text(encoding="utf-8"))
    certificate["claim"]["rows"][0] += [{"database": "a"}] * 5000
    peaks, module, law = [], load(), certificate["claim"]["laws"][0]
    module.kernel.MAX_BYTES = 1_000_000  # else the buffer that a file is read into hides everything
    for depth in (1, 400):
        law["tree"] = leaf = {"multipliers": []}
        cut = {"release": 0, "above": "a", "below": "b", "factor": "1"}
        for _ in range(depth):
            law["tree"] = {"split": cut, "above": leaf, "below": law["tree"]}
        (tmp_path / "c.json").write_text(json.dumps(certificate), encoding="utf-8")
        tracemalloc.start()
        with pytest.raises(module.Refused, match="negative entries"):
            module.check(str(tmp_path / "c.json"))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.5 * peaks[0]


# --- mutants of certificates ---


def true_program(claim: Any) -> bool:
    """Solve the program of a claim, and compare."""
    place = {name: j for j, name in enumerate(claim["variables"])}
    rows = [
        Row(
            {place[k]: exact(c) for k, c in row["coefficients"].items()},
            row["relation"],
            exact(row["bound"]),
        )
        for row in claim["rows"]
    ]
    objective = {place[k]: exact(c) for k, c in claim["objective"].items()}
    program = Program(objective, rows, len(place), {place[name] for name in claim["free"]})
    return solve_exact(program).value == exact(claim["value"])


def true_bound(certificate: Any) -> bool:
    """Compute the worst ratio of a claim from all extreme rays, and compare."""
    space, claim = certificate["framework"], certificate["claim"]
    priors = {name: Table(law) for name, law in space["priors"].items()}
    if claim["records"] is None:
        framework = Framework(space["databases"], space["secrets"], [("s", "t")], priors)
    else:
        records = Records(claim["records"]["count"], tuple(claim["records"]["alphabet"]))
        framework = Framework.of_records(records, space["secrets"], [("s", "t")], priors)
    columns = Columns(framework)
    levels = [None if level is None else exact(level["log"]) for level in claim["per_record"]]
    cones = [
        columns.cone(exact(budget["log"]), level) for budget, level in zip(claim["budgets"], levels)
    ]
    ratio, bound = worst(columns, cones), exact(claim["level"]["log"])
    return ratio is not None and (ratio <= bound if claim["attained"] is None else ratio == bound)


@pytest.mark.parametrize("path", ACCEPT, ids=lambda path: path.stem)
def test_a_changed_number_is_refused_or_the_statement_is_still_true(
    path: Path, tmp_path: Path
) -> None:
    certificate, module, draft = (
        json.loads(path.read_text(encoding="utf-8")),
        load(),
        tmp_path / "mutant.json",
    )
    found = list(numbers(certificate))
    assert found
    refused = 0
    for place in found:
        for new in [*changes(at(certificate, place)), 0]:
            mutant = replaced(certificate, place, new)
            draft.write_text(json.dumps(mutant), encoding="utf-8")
            try:
                module.check(str(draft))
            except module.Refused:
                refused += 1
            else:
                fine = (
                    true_program(mutant["claim"])
                    if mutant["kind"] == "lp-optimum"
                    else true_bound(mutant)
                )
                assert fine, f"{place} changed to {new} was accepted"
    assert refused


# --- mutants of the checker ---

# Mutants that compute the same answers, keyed by the mutated line as it then reads, with the
# reason.
EQUIVALENT: dict[str, str] = {}


def test_the_corpus_notices_every_mutant_of_the_checker(optima: Bench) -> None:
    module, expected = optima.load(), []
    for case in optima.cases:
        with optima.restored(module, case):
            expected.append((case, optima.outcome(module, case)))
    expected.sort(key=lambda pair: pair[0].name.startswith("command"))
    before, survivors, total = signal.signal(signal.SIGALRM, ring), [], 0
    try:
        for line, source in mutants(CHECKER.read_text(encoding="utf-8")):
            total += 1
            with contextlib.redirect_stderr(None):
                if survives(source, optima, expected):
                    survivors.append(line)
    finally:
        signal.signal(signal.SIGALRM, before)
    print(f"{total} mutants, {len(survivors)} equivalent")
    assert total > 60
    assert sorted(survivors) == sorted(EQUIVALENT), survivors


def test_the_oracles_tell_a_false_statement() -> None:
    program = json.loads((HERE / "accept" / "lp-corner.json").read_text(encoding="utf-8"))["claim"]
    assert true_program(program)
    assert not true_program(program | {"value": "3"})
    bound = json.loads((HERE / "accept" / "worst-records.json").read_text(encoding="utf-8"))
    assert true_bound(bound)
    bound["claim"]["level"]["log"] = str(Fraction(28, 5) - Fraction(1, 100))
    assert not true_bound(bound)
