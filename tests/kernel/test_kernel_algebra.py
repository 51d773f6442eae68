"""The second checker sorts its corpus, keeps its limits and exit codes; no change in it or in a
certificate goes unnoticed.
"""

import contextlib
import io
import json
import re
import signal
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import mpmath
import pytest
from tests.kernel import conftest
from tests.kernel.conftest import Bench, Case, limit, limits_restored
from tests.kernel.test_kernel_mutations import (
    at,
    changes,
    mutants,
    numbers,
    replaced,
    ring,
    survives,
)

HERE = Path(__file__).parent / "algebra"
CHECKER = HERE.parents[2] / "verify" / "kernel_algebra.py"
ACCEPT = sorted((HERE / "accept").glob("*.json"))
REASONS = json.loads((HERE / "reject" / "REASONS.json").read_text(encoding="utf-8"))


load = partial(conftest.load, path=CHECKER)


def outcome(checker: ModuleType, case: Case) -> tuple[Any, ...]:
    """Return what the checker does with a case, in a form that can be compared."""
    for name, value in case.limits:
        setattr(checker, name, value)
    if case.command:
        streams = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]):
            code = checker.main([*case.arguments])
        return "exit", code, streams[0].getvalue(), streams[1].getvalue()
    try:
        found = checker.check(case.arguments[0])
    except checker.Refused as refusal:
        return (
            "refused",
            case.expected is not None and case.expected in str(refusal),
            str(refusal).count("\n"),
        )
    except checker.NotJSON:
        return ("not JSON",)
    return "accepted", found.kind, found.statement, found.checked, found.inputs


def corpus() -> list[Case]:
    cases = [Case(f"accept/{path.stem}", (str(path),), None) for path in ACCEPT]
    cases += [
        Case(f"reject/{name}", (str(HERE / "reject" / name),), reason)
        for name, reason in REASONS.items()
    ]
    square = HERE / "accept" / "square.json"
    return [
        *cases,
        *limit("MAX_BYTES", square.stat().st_size, "algebra/accept/square.json", "bytes"),
        *limit("MAX_DIGITS", 4, "algebra/accept/exp-upper.json", "expected a number"),
        *limit("MAX_POWER", 100, "algebra/accept/hundredth-power.json", "a power is over"),
        *(
            case
            for name, bits in WORK.items()
            for case in limit("MAX_WORK", bits, f"algebra/accept/{name}.json", "too large")
        ),
        Case(
            "undecided", (str(HERE / "accept" / "log.json"),), "undecided", (("MAX_PRECISION", 6),)
        ),
        Case("decided", (str(HERE / "accept" / "log.json"),), None, (("MAX_PRECISION", 7),)),
    ]


WORK = {
    "square": 110_631_546,
    "exp-upper": 36_020_381,
    "farkas-equation": 118_401_778,
}  # bit operations that accepted files take


def commands(folder: Path) -> list[Case]:
    good, bad = str(ACCEPT[0]), str(HERE / "reject" / "AF6-smaller-bound.json")
    (folder / "text.json").write_text("hello", encoding="utf-8")
    (folder / "latin.json").write_bytes(b'{"a": "\xe9"}')
    (folder / "deep.json").write_text("[" * 200_000, encoding="utf-8")
    lines = [
        [],
        ["--json"],
        ["-q"],
        ["--help", good],
        [good],
        ["--json", good],
        [good, "--json"],
        [good, good],
        [bad],
    ]
    lines += [
        ["--json", bad],
        *([str(folder / name)] for name in ("text.json", "latin.json", "deep.json", "none.json")),
    ]
    return [Case(f"command {i}", tuple(line), None, command=True) for i, line in enumerate(lines)]


@pytest.fixture(scope="module")
def algebra(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(
        load, outcome, limits_restored, [*corpus(), *commands(tmp_path_factory.mktemp("algebra"))]
    )


def test_every_case_of_the_bench_is_sorted_as_recorded(algebra: Bench) -> None:
    module, wrong = algebra.load(), []
    for case in [case for case in algebra.cases if not case.command]:
        with algebra.restored(module, case):
            found = algebra.outcome(module, case)
        expected = (
            found[0] == "accepted" if case.expected is None else found == ("refused", True, 0)
        )
        wrong += [] if expected else [(case.name, found)]
    assert wrong == []


def test_every_side_condition_has_a_reject_file_and_every_reject_file_a_reason() -> None:
    stated = set(
        re.findall(
            r"\*\*(A[CPFE]\d)\*\*", (CHECKER.parent / "CERTIFICATES.md").read_text(encoding="utf-8")
        )
    )
    assert {path.name for path in (HERE / "reject").glob("*.json")} == {*REASONS, "REASONS.json"}
    assert stated == {name.split("-")[0] for name in REASONS}


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(CHECKER), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "strict-product",
            "for all real x, y: if 1 x > 0 and 1 y >= 0 then 1 x^2 + 3/2 x y + 1 x > 0\n3 checked",
        ),
        ("contradiction", "for all real x: never 1 x + (-1) >= 0 and (-1) x > 0\n3 checked"),
        (
            "farkas-equation",
            "if 1 x + 0 y <= 1 and 0 x + 1 y < 2 and 1 x + (-1) y = 1/2 then 0 x + 1 y <= 1/2\n2 "
            "checked",
        ),
        ("farkas-infeasible", "for all real x: never 1 x <= 1 and (-1) x <= (-2)\n2 checked"),
        ("exp-negative-bound", "e^((-3)) >= (-1) and e^((-3)) <= 1\n2 checked"),
        ("log-one-sided", "log(2) <= 1\n1 checked"),
        ("many-parts", "1 x^38 + ... 1 more >= 0\n21 checked"),
    ],
)
def test_accepted_is_exit_code_0_and_says_what_was_proved(name: str, said: str) -> None:
    done = run(HERE / "accept" / f"{name}.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_refused_is_exit_code_1_with_one_line_and_misuse_2(tmp_path: Path) -> None:
    done = run(HERE / "reject" / "AF6-smaller-bound.json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert run(tmp_path / "none.json").returncode == run(ACCEPT[0], ACCEPT[0]).returncode == 2


def test_the_checker_is_one_file_of_the_standard_library_under_600_lines() -> None:
    text = CHECKER.read_text(encoding="utf-8")
    assert text.count("\n") < 600
    imported = re.findall(r"^(?:import|from) ([\w.]+)", text, flags=re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names, "__future__"}
    assert not re.search(r"\bfloat\(|^\s*assert |\bpufferproof\.", text, flags=re.MULTILINE)


def test_hostile_arithmetic_is_refused_in_bounded_work(tmp_path: Path) -> None:
    module, path = load(), tmp_path / "hostile.json"
    module.MAX_WORK = 10_000_000_000  # type: ignore[attr-defined]
    long = [["1" * 20_000 + "/" + "7" * 19_999, [i]] for i in range(50)]
    many = [[i + 1, [i]] for i in range(1000)]
    for polynomial in (long, many):
        power = {"coefficient": 1, "powers": [100], "square": None}
        given = [{"polynomial": polynomial, "relation": ">="}]
        claim = {"variables": ["x"], "assumptions": given, "conclusion": None, "proof": [power]}
        base = {
            "format": "pufferproof-certificate/1",
            "kind": "polynomial-inequality",
            "claim": claim,
        }
        path.write_text(json.dumps(base), encoding="utf-8")
        with pytest.raises(module.Refused, match="too large"):
            module.check(str(path))


# --- mutants of certificates ---


def still_true(kind: str, claim: Any, place: tuple[Any, ...]) -> bool:
    """Say, by a computation of its own, whether a changed claim still follows as its
    certificate says.
    """
    if kind == "farkas":
        rows, factors = claim["rows"], [Fraction(str(y)) for y in claim["multipliers"]]
        goal = claim["conclusion"] or {
            "row": ["0"] * len(claim["variables"]),
            "bound": 0,
            "relation": "<",
        }
        right = [y >= 0 or row[2] == "=" for y, row in zip(factors, rows)]
        for j, coefficient in enumerate(goal["row"]):
            right.append(
                sum(y * Fraction(str(row[0][j])) for y, row in zip(factors, rows))
                == Fraction(str(coefficient))
            )
        slack = Fraction(str(goal["bound"])) - sum(
            y * Fraction(str(row[1])) for y, row in zip(factors, rows)
        )
        strict = goal["relation"] == "<=" or any(
            y > 0 and row[2] == "<" for y, row in zip(factors, rows)
        )
        return all(right) and (slack > 0 or (slack == 0 and strict))
    if kind == "exp-enclosure":
        with mpmath.workdps(60):
            value = (
                mpmath.mpf(1) * Fraction(str(claim.get("exponent", claim.get("log_of")))).numerator
            )
            value /= Fraction(str(claim.get("exponent", claim.get("log_of")))).denominator
            exact = mpmath.exp(value) if "exponent" in claim else mpmath.log(value)
            bounds = [
                None if claim[side] is None else Fraction(str(claim[side]))
                for side in ("lower", "upper")
            ]
            low, high = (
                None if b is None else mpmath.mpf(b.numerator) / b.denominator for b in bounds
            )
            return bool((low is None or low <= exact) and (high is None or exact <= high))
    if place[1] == "assumptions":  # one that no term uses
        return all(term["powers"][place[2]] == 0 for term in claim["proof"])
    return (
        place[-2] == 1 and str(at(claim, (*place[1:-2], 0))) == "0"
    )  # an exponent of a monomial with the coefficient 0


@pytest.mark.parametrize("path", ACCEPT, ids=lambda path: path.stem)
def test_a_changed_number_is_refused_or_the_statement_is_still_true(
    path: Path, tmp_path: Path
) -> None:
    certificate, module = json.loads(path.read_text(encoding="utf-8")), load()
    found = list(numbers(certificate))
    assert found
    for place in found:
        for new in changes(at(certificate, place)):
            mutant = replaced(certificate, place, new)
            with contextlib.suppress(module.Refused):
                module.check_bytes(json.dumps(mutant).encode())
                assert still_true(mutant["kind"], mutant["claim"], place), (
                    f"{place} changed to {new} was accepted"
                )


# --- mutants of the checker ---

# Mutants that compute the same answers, keyed by the mutated line as it then reads, with the
# reason.
EQUIVALENT = {
    "q <= 0": "0 was answered before",
    "q > r.numerator.bit_length()": "where the two are equal, the enclosure of e^q gives the same "
    "answer",
    "x * r.denominator >= r.numerator * unit": "a bound of e^q that is equal to r decides as well, "
    "since e^q is not",
}


def test_the_corpus_notices_every_mutant_of_the_checker(algebra: Bench) -> None:
    module, expected = algebra.load(), []
    for case in algebra.cases:
        with algebra.restored(module, case):
            expected.append((case, algebra.outcome(module, case)))
    expected.sort(key=lambda pair: pair[0].name.startswith("command"))
    before, survivors, total = signal.signal(signal.SIGALRM, ring), [], 0
    try:
        for line, source in mutants(CHECKER.read_text(encoding="utf-8")):
            total += 1
            if survives(source, algebra, expected):
                survivors.append(line)
    finally:
        signal.signal(signal.SIGALRM, before)
    print(f"{total} mutants, {len(survivors)} equivalent")
    assert total > 60
    assert sorted(survivors) == sorted(EQUIVALENT), survivors
