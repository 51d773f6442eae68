"""The checker of rates sorts its corpus, keeps its limits and exit codes; no change in it or a
certificate goes unnoticed.
"""

import contextlib
import json
import math
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

from pufferproof.models.numbers.grammar import log_bounds

HERE = Path(__file__).parent / "rates"
INPUTS = Path(__file__).parent / "inputs"
CHECKER = HERE.parents[2] / "verify" / "kernel_rates.py"
ACCEPT = sorted((HERE / "accept").glob("*.json"))
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
    nothing = (str(HERE / "accept" / "nfc-zero.json"),)
    return [
        *cases,
        Case("a sum of nothing, enclosed", nothing, "undecided", (("MAX_POWER", -1),)),
        *(
            case
            for name, bits in WORK.items()
            for case in limit("MAX_WORK", bits, name, "too large")
        ),
        *limit("MAX_PRECISION", 7, "nfc-violation-thirty-digits", "undecided"),
        *limit("MAX_POWER", 20, "nfc-tie-of-powers", "undecided"),
    ]


WORK = {
    "nfc": 242_755_690,
    "nfc-mixtures": 278_909_207,
    "nfc-tie-of-powers": 242_670_672,
    "rate": 275_349_613,
    "nfc-violation-thirty-digits": 492_441_884,
}  # bit operations


def with_files(folder: Path) -> list[Case]:
    """The certificate of a rate of a mechanism file, with its files, with others, and with rows
    that were divided.
    """
    chain = json.loads((INPUTS / "table.certificate.json").read_text(encoding="utf-8"))
    base = json.loads((HERE / "accept" / "rate.json").read_text(encoding="utf-8"))
    base |= {
        "framework": chain["framework"],
        "mechanisms": chain["mechanisms"],
        "inputs": chain["inputs"],
    }
    good = folder / "files.certificate.json"
    good.write_text(json.dumps(base), encoding="utf-8")
    divided = folder / "divided.certificate.json"
    base["inputs"] |= {"normalized": [True]}
    divided.write_text(json.dumps(base), encoding="utf-8")
    files = next(
        case["files"]
        for case in json.loads((INPUTS / "CASES.json").read_text(encoding="utf-8"))
        if case["certificate"] == "table.certificate.json"
    )
    paths = tuple(str(INPUTS / name) for name in files)
    return [
        Case("files", (str(good), *paths), None),
        Case("divided", (str(divided), *paths), None),
        Case("framework alone", (str(good), paths[0]), "expected a framework file and"),
        Case("too many files", (str(good), *paths, paths[1]), "expected a framework file and"),
        Case("other files", (str(good), paths[0], paths[0]), "has "),
    ]


def commands(folder: Path) -> list[Case]:
    good, bad = str(ACCEPT[0]), str(HERE / "reject" / "RA4-tie.json")
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
    lines += [["--json", str(folder / "text.json")], [str(folder / "none.json")], [good, good]]
    return [Case(f"command {i}", tuple(line), None, command=True) for i, line in enumerate(lines)]


@pytest.fixture(scope="module")
def rates(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("rates")
    return Bench(
        load, outcome, limits_restored, [*corpus(), *with_files(folder), *commands(folder)]
    )


def test_every_case_of_the_bench_is_sorted_as_recorded(rates: Bench) -> None:
    module, wrong = rates.load(), []
    for case in [case for case in rates.cases if not case.command]:
        with rates.restored(module, case):
            found = rates.outcome(module, case)
        expected = (
            found[0] == "accepted" if case.expected is None else found == ("refused", True, 0)
        )
        wrong += [] if expected else [(case.name, found)]
    assert wrong == []


def test_every_side_condition_has_a_reject_file_and_every_reject_file_a_reason() -> None:
    stated = set(
        re.findall(
            r"\*\*(R[CWLBPAR]\d)\*\*",
            (CHECKER.parent / "CERTIFICATES.md").read_text(encoding="utf-8"),
        )
    )
    assert {path.name for path in (HERE / "reject").glob("*.json")} == {*REASONS, "REASONS.json"}
    # RR2 and RR3 refer to conditions with files of their own, and are met by the files of RR2 and
    # RR3
    assert stated == {name.split("-")[0] for name in REASONS}


def run(checker: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(checker), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "nfc-two-mechanisms",
            "NfC holds for mechanisms [0, 1] at log(3/2), log(1) over 1 priors, 1 pairs in both "
            "orders\n",
        ),
        (
            "nfc-violation",
            'NfC fails for mechanisms [0] at log(10/9), at ["theta", ["s", "t"], "a"] over',
        ),
        (
            "rate-wide",
            "the composition rate of mechanism 0 is at least nats(2/5) and at most nats(41/100) "
            "over 1 priors",
        ),
        ("rate-infinite", "the composition rate of mechanism 0 is infinite, at"),
        ("nfc-mixtures", "over 3 priors and their mixtures, 1 pairs in both orders"),
    ],
)
def test_accepted_is_exit_code_0_and_says_what_was_proved(
    name: str, said: str, tmp_path: Path
) -> None:
    for file in ("kernel.py", "kernel_rates.py"):  # two files in any folder are enough
        shutil.copyfile(CHECKER.with_name(file), tmp_path / file)
    done = run(tmp_path / "kernel_rates.py", HERE / "accept" / f"{name}.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_the_statement_says_when_rows_were_divided(rates: Bench) -> None:
    module = rates.load()
    divided = next(case for case in rates.cases if case.name == "divided")
    assert rates.outcome(module, divided)[2].endswith("; rows of mechanism 0 divided by their sums")


def test_refused_is_exit_code_1_with_one_line_and_misuse_2(tmp_path: Path) -> None:
    done = run(CHECKER, HERE / "reject" / "RA4-tie.json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert run(CHECKER, tmp_path / "none.json").returncode == run(CHECKER).returncode == 2


def test_the_checker_is_one_file_of_the_standard_library_under_450_lines() -> None:
    text = CHECKER.read_text(encoding="utf-8")
    assert text.count("\n") < 450
    imported = re.findall(r"^\s*(?:import|from) ([\w.]+)", text, flags=re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names, "__future__"}
    assert not re.search(r"\bfloat\(|^\s*assert |\bpufferproof\.", text, flags=re.MULTILINE)


def test_enclosures_of_logarithms_are_sound_and_tight() -> None:
    module = load()
    for n in [*range(2, 300), 3 * 2**80, 3 * 2**80 - 1, 2**200, 2**200 - 1, 10**60 + 7]:
        for bits in (64, 256):
            low, high = module.logarithm(n, bits)
            lower, upper = log_bounds(Fraction(n), bits + 40)
            assert Fraction(low, 1 << bits) <= lower
            assert upper <= Fraction(high, 1 << bits)
            assert high - low <= 3, n
    assert module.logarithm(1, 64)[0] <= 0 <= module.logarithm(1, 64)[1] <= 1


def test_signs_of_sums_agree_with_products_of_powers() -> None:
    module = load()
    for a in range(1, 12):
        for b in range(1, 12):
            terms = [(2, Fraction(a)), (-3, Fraction(b))]
            expected = (a**2 > b**3) - (a**2 < b**3)
            assert module.sign_of(terms, Fraction(0)) == expected
            module.MAX_POWER = 0
            if expected:
                assert module.sign_of(terms, Fraction(0)) == expected
            module.MAX_POWER = 1 << 17
            nats = Fraction(round(1000 * (2 * math.log(a) - 3 * math.log(b))), 1000) + Fraction(
                1, 300
            )
            assert module.sign_of(terms, -nats) == -1


# --- mutants of certificates ---


def still_true(certificate: Any, place: tuple[Any, ...]) -> bool:
    """Say, by a computation of its own in floats, whether a changed claim is true with some
    room to spare.
    """
    kind, claim = certificate["kind"], certificate["claim"]
    channels = [
        {x: [float(Fraction(str(n))) for n in row] for x, row in m["channel"].items()}
        for m in certificate["mechanisms"]
    ]

    def level(value: Any) -> float:
        return (
            math.log(Fraction(str(value["log"])))
            if "log" in value
            else float(Fraction(str(value["nats"])))
        )

    levels = (
        [level(claim["upper"])] if kind == "rate" else [level(value) for value in claim["levels"]]
    )
    for entry in claim.get("betas", []):
        for bound, rows in zip(levels, channels):
            for w, p in enumerate(rows[entry["database"]]):
                means = sum(
                    float(Fraction(str(n))) * math.log(rows[y][w])
                    for y, n in entry["beta"].items()
                    if p
                )
                if p and math.log(p) > bound + means + 1e-12:
                    return False
    if kind == "nfc":
        return True
    x, others = claim["database"], certificate["framework"]["secrets"][claim["pair"][1]]
    bounds = [level(claim["lower"])] if kind == "rate" else levels
    for y in others:
        total = 0.0
        for bound, part, rows, m in zip(
            bounds, claim["alpha"], channels, certificate["mechanisms"]
        ):
            for output, n in part.items():
                w = m["outputs"].index(output)
                ratio = math.log(rows[x][w] / rows[y][w]) if rows[y][w] else math.inf
                total += float(Fraction(str(n))) * (ratio - bound)
        if total < -1e-12:
            return False
    return True


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
    for place in found:
        for new in changes(at(certificate, place)):
            mutant = replaced(certificate, place, new)
            draft.write_text(json.dumps(mutant), encoding="utf-8")
            with contextlib.suppress(module.Refused):
                module.check(str(draft))
                assert still_true(mutant, place), f"{place} changed to {new} was accepted"


# --- mutants of the checker ---

# Mutants that compute the same answers, as the mutated line then reads, with the reason.
EQUIVALENT = [
    "low >= 0",  # the second time it is asked, one bound is not 0 and the other one has its sign
    "n >= 0",  # no coefficient is 0: weights are positive
    "n >= 0",
    "n >= 0",
]


def test_the_corpus_notices_every_mutant_of_the_checker(rates: Bench) -> None:
    module, expected = rates.load(), []
    for case in rates.cases:
        with rates.restored(module, case):
            expected.append((case, rates.outcome(module, case)))
    expected.sort(key=lambda pair: pair[0].name.startswith("command"))
    before, survivors, total = signal.signal(signal.SIGALRM, ring), [], 0
    try:
        for line, source in mutants(CHECKER.read_text(encoding="utf-8")):
            total += 1
            if survives(source, rates, expected):
                survivors.append(line)
    finally:
        signal.signal(signal.SIGALRM, before)
    print(f"{total} mutants, {len(survivors)} equivalent")
    assert total > 60
    assert sorted(survivors) == sorted(EQUIVALENT), "\n".join(survivors)
