"""The checkers of redaction sort their corpora, keep limits and exit codes; no change in them
or a certificate is unnoticed.
"""

import contextlib
import hashlib
import json
import re
import shutil
import signal
import subprocess
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tests.brute.redaction import INFINITE, largest_ratio, likelihoods
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

from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

HERE = Path(__file__).parent
VERIFY = HERE.parents[1] / "verify"
FOLDER = HERE / "redaction"
CHECKER = VERIFY / "kernel_redaction.py"
REASONS = json.loads((FOLDER / "reject" / "REASONS.json").read_text(encoding="utf-8"))
ACCEPT = sorted((FOLDER / "accept").glob("*.json"))

load = partial(conftest.load, path=CHECKER)


def sorted_corpus(folder: Path) -> list[Case]:
    reasons = json.loads((folder / "reject" / "REASONS.json").read_text(encoding="utf-8"))
    cases = [
        Case(f"accept/{path.stem}", (str(path),), None)
        for path in sorted((folder / "accept").glob("*.json"))
    ]
    return cases + [
        Case(f"reject/{name}", (str(folder / "reject" / name),), why)
        for name, why in reasons.items()
    ]


def limit(path: Path, name: str, bound: int, reason: str) -> list[Case]:
    """Two cases: accepted with the limit exactly reached, refused with the limit lower by one."""
    just = Case(f"{name}={bound} {path.stem}", (str(path),), None, ((name, bound),))
    return [
        just,
        Case(f"{name}={bound - 1} {path.stem}", (str(path),), reason, ((name, bound - 1),)),
    ]


def corpus() -> list[Case]:
    exact_one, long = FOLDER / "accept" / "exact.json", FOLDER / "accept" / "long.json"
    return [
        *sorted_corpus(FOLDER),
        *limit(exact_one, "MAX_RECORDS", 2, "over 1 records"),
        *(
            case
            for name, bits in WORK.items()
            for case in limit(FOLDER / "accept" / f"{name}.json", "MAX_WORK", bits, "too large")
        ),
        *limit(long, "MIN_PRECISION", 32, "found")[:1],
        Case(
            "MIN_PRECISION=33 long",
            (str(long),),
            "expected null, or from",
            (("MIN_PRECISION", 33),),
        ),
        *limit(long, "MAX_PRECISION", 32, "expected null, or from"),
    ]


WORK = {"exact": 65_680_366, "long": 1_399_526_161}  # bit operations that accepted files take

FRAMEWORK: dict[str, Any] = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["a", "b"]},
    "secrets": {
        "s": {"record": 1, "value": "a"},
        "t": {"record": 1, "value": "b"},
        "u": {"record": 1, "value": "b"},
    },
    "pairs": [["t", "s"]],
    "priors": {
        "theta": {
            "markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}
        }
    },
}
MECHANISM: dict[str, Any] = {
    "format": "pufferproof-mechanism/1",
    "redaction": [["1", "1"], ["0.125", "1"]],
}
MARKOV = {"initial": ["2/3", "1/3"], "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}
OTHER_SECRETS = {"s": {"record": 1, "value": "a"}, "t": {"record": 2, "value": "b"}}
ONE_FIRST = {"s": {"record": 1, "value": "1"}, "t": {"record": 1, "value": "0"}}


def values_of(*alphabet: str) -> dict[str, Any]:
    """Records with values that may not be told from a redacted record, which is shown as `*`."""
    held = {name: {"record": 1, "value": value} for name, value in zip("st", alphabet)}
    return {
        "records": {"count": 2, "alphabet": [*alphabet]},
        "secrets": held,
        "pairs": [["s", "t"]],
    }


FILES: list[tuple[str, dict[str, Any], dict[str, Any], str | None]] = [  # parts to replace
    ("matched", {}, {}, None),
    ("two secrets", {"secrets": {name: FRAMEWORK["secrets"][name] for name in "st"}}, {}, None),
    ("closure", {"closure": "convex"}, {}, None),
    ("disjoint", {"pairs": "disjoint"}, {}, None),
    ("initial law", {"priors": {"theta": {"markov": MARKOV}}}, {}, None),
    ("QF2 more keys", {"more": 1}, {}, "expected the keys"),
    (
        "QF2 three values",
        {"records": {"count": 2, "alphabet": ["a", "b", "c"]}},
        {},
        "expected two values",
    ),
    ("QF2 records", {"records": {"count": 3, "alphabet": ["a", "b"]}}, {}, "expected 2 records"),
    ("QF2 closure", {"closure": "open"}, {}, "expected one of"),
    ("QF3 another record", {"secrets": OTHER_SECRETS}, {}, "expected record 1"),
    ("QF3 no such value", {"secrets": {"s": {"record": 1, "value": "c"}}}, {}, "expected one of"),
    ("QF3 the same value", {"pairs": [["t", "u"]]}, {}, "expected pairs of both values"),
    ("QF3 an unknown secret", {"pairs": [["t", "x"]]}, {}, "expected pairs of both values"),
    ("QF3 three secrets", {"pairs": [["s", "t", "u"]]}, {}, "expected pairs of both values"),
    ("QF3 no pair", {"pairs": []}, {}, "expected pairs of both values"),
    (
        "QF3 nothing disjoint",
        {"pairs": "disjoint", "secrets": {"s": {"record": 1, "value": "a"}}},
        {},
        "expected pairs",
    ),
    (
        "QF4 two priors",
        {"priors": {"x": {"markov": MARKOV}, "y": {"markov": MARKOV}}},
        {},
        "expected one prior",
    ),
    ("QF4 a table", {"priors": {"x": {"table": {"aa": 1}}}}, {}, "expected the keys"),
    (
        "QF4 initial",
        {"priors": {"x": {"markov": MARKOV | {"initial": ["1/3", "2/3"]}}}},
        {},
        "initial law differs",
    ),
    (
        "QF4 transition",
        {"priors": {"x": {"markov": MARKOV | {"transition": [["1/2", "1/2"], ["1/2", "1/2"]]}}}},
        {},
        "transition probabilities differ",
    ),
    ("QF5 other numbers", {}, {"redaction": [["1", "1"], ["1/8", "7/8"]]}, "probabilities differ"),
    ("QF5 fewer records", {}, {"redaction": [["1", "1"]]}, "probabilities differ"),
    (
        "QF5 three numbers",
        {},
        {"redaction": [["1", "1"], ["1/8", "1", "1"]]},
        "expected two numbers",
    ),
    ("outputs", {}, {"outputs": ["a", "b", "*"]}, None),
    (
        "values named otherwise",
        {"records": {"count": 2, "alphabet": ["1", "0"]}, "secrets": ONE_FIRST},
        {},
        None,
    ),
    ("QF5 more keys", {}, {"segment": [1, 2]}, "expected the keys"),
    ("QF6 a redacted value", values_of("a", "*"), {}, "not be told apart"),
    ("QF6 a redacted value first", values_of("*", "a"), {}, "not be told apart"),
    ("QF6 a comma", values_of("*,*", "a"), {}, "not be told apart"),
    ("QF6 a comma and a long value", values_of(",", "aa"), {}, "not be told apart"),
    ("a comma and one character", values_of(",", "a"), {}, None),
    ("long values", values_of("no", ""), {}, None),
    ("QF7 outputs in another order", {}, {"outputs": ["b", "a", "*"]}, "expected the outputs"),
    ("QF7 outputs without *", {}, {"outputs": ["a", "b"]}, "expected the outputs"),
    ("QF7 more outputs", {}, {"outputs": ["a", "b", "*", "c"]}, "expected the outputs"),
    ("QF7 an output twice", {}, {"outputs": ["a", "b", "*", "*"]}, "occurs twice"),
    ("QF7 outputs of the certificate", {}, {"outputs": ["0", "1", "*"]}, "expected the outputs"),
    ("QF7 outputs null", {}, {"outputs": None}, 'found "NoneType"'),
]


def files(folder: Path) -> list[Case]:
    """Cases with a framework and a mechanism file, with right hashes unless the case says
    otherwise.
    """
    base, found = json.loads((FOLDER / "accept" / "exact.json").read_text(encoding="utf-8")), []
    for i, (name, framework, mechanism, reason) in enumerate(FILES):
        paths = [folder / f"{i}.{form}.json" for form in ("certificate", "framework", "mechanism")]
        for path, content in zip(paths[1:], (FRAMEWORK | framework, MECHANISM | mechanism)):
            path.write_text(json.dumps(content), encoding="utf-8")
        hashes = ["sha256:" + hashlib.sha256(path.read_bytes()).hexdigest() for path in paths[1:]]
        paths[0].write_text(
            json.dumps(base | {"inputs": dict(zip(("framework", "mechanism"), hashes))}),
            encoding="utf-8",
        )
        found.append(Case(name, tuple(map(str, paths)), reason))
    good, framework, mechanism = found[0].arguments
    plain = str(FOLDER / "accept" / "exact.json")
    return [
        *found,
        Case("without files", (good,), None),
        Case(
            "QF1 no mechanism", (good, framework), "expected a framework file and a mechanism file"
        ),
        Case(
            "QF1 two mechanisms",
            (good, framework, mechanism, mechanism),
            "expected a framework file and a mechanism file",
        ),
        Case("QF1 exchanged", (good, mechanism, framework), "the certificate says"),
        Case("QF1 no hash", (plain, framework, mechanism), "the certificate says"),
    ]


def commands(checker: Path, folder: Path, good: Path, bad: Path, matched: list[str]) -> list[Case]:
    (folder / "text.json").write_text("hello", encoding="utf-8")
    lines = [
        [],
        ["--json"],
        ["-q"],
        [str(good)],
        ["--json", str(good)],
        [str(bad)],
        ["--json", str(bad)],
        matched,
    ]
    lines += [[str(folder / "text.json")], [str(folder / "none.json")]]
    return [Case(f"command {i}", tuple(line), None, command=True) for i, line in enumerate(lines)]


@pytest.fixture(scope="module")
def leakages(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("redaction")
    with_files = files(folder)
    bad = FOLDER / "reject" / "QL2-at-most.json"
    line = commands(
        CHECKER, folder, FOLDER / "accept" / "exact.json", bad, list(with_files[0].arguments)
    )
    return Bench(load, outcome, limits_restored, [*corpus(), *with_files, *line])


def sorted_wrongly(bench: Bench) -> list[Any]:
    module, wrong = bench.load(), []
    for case in [case for case in bench.cases if not case.command]:
        with bench.restored(module, case):
            found = bench.outcome(module, case)
        expected = (
            found[0] == "accepted" if case.expected is None else found == ("refused", True, 0)
        )
        wrong += [] if expected else [(case.name, found)]
    return wrong


def test_every_case_of_the_bench_is_sorted_as_recorded(leakages: Bench) -> None:
    assert sorted_wrongly(leakages) == []


def test_every_side_condition_has_a_reject_file_and_every_reject_file_a_reason() -> None:
    text = (VERIFY / "CERTIFICATES.md").read_text(encoding="utf-8")
    assert {path.name for path in (FOLDER / "reject").glob("*.json")} == {*REASONS, "REASONS.json"}
    named = {name.split("-")[0] for name in REASONS} | {
        name.split()[0] for name, *_ in FILES if " " in name and name[0] == "Q"
    }
    assert set(re.findall(r"\*\*(Q[CLF]\d+)\*\*", text)) == named | {"QF1"}


def test_with_files_the_statement_says_what_they_call_0_and_1(tmp_path: Path) -> None:
    said = {
        case.name: load().check(case.arguments[0], case.arguments[1], case.arguments[2:]).statement
        for case in files(tmp_path)
        if case.expected is None and len(case.arguments) == 3
    }
    assert said["matched"].endswith(
        ', at the output "**", where 0 and 1 are ["a", "b"] in this order'
    )
    assert said["values named otherwise"].endswith(
        ', at the output "**", where 0 and 1 are ["1", "0"] in this order'
    )


def run(checker: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-I", "-S", str(checker), *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "exact",
            "about record 1 of a stationary binary chain of 2 records with P(1 after 0) = 1/4, P(0 "
            "after 1) = 1/2 is "
            'equal to log(18/11), at the output "**"\n2 checked, input files not given',
        ),
        ("at-most", "is at most log(18/11)\n"),
        ("more", 'is more than log(17/11), at the output "**"\n'),
        ("initial", "about record 3 of a binary chain of 3 records"),
        ("infinite-one", 'is at least infinity, at the output "1*"'),
    ],
)
def test_accepted_is_exit_code_0_and_says_what_was_proved(name: str, said: str) -> None:
    done = run(CHECKER, FOLDER / "accept" / f"{name}.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_refused_is_exit_code_1_with_one_line_and_misuse_2(tmp_path: Path) -> None:
    done = run(CHECKER, FOLDER / "reject" / "QL2-at-most.json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert run(CHECKER, tmp_path / "none.json").returncode == run(CHECKER).returncode == 2


def stands_alone(checker: Path, needed: tuple[str, ...], good: Path, folder: Path) -> None:
    """The checker and the files it needs are short, use no package and no floats, and run in
    any folder.
    """
    text = checker.read_text(encoding="utf-8")
    assert text.count("\n") < 600
    imported = re.findall(r"^(?:import|from) ([\w.]+)", text, flags=re.MULTILINE)
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names, "__future__"}
    assert not re.search(r"\bfloat\(|^\s*assert |\bpufferproof\.", text, flags=re.MULTILINE)
    for name in needed:
        shutil.copy(VERIFY / name, folder / name)
    assert run(folder / checker.name, good).returncode == 0


def test_the_checker_needs_only_the_kernel_beside_it_and_the_standard_library(
    tmp_path: Path,
) -> None:
    stands_alone(CHECKER, ("kernel.py", CHECKER.name), FOLDER / "accept" / "exact.json", tmp_path)


# --- mutants of certificates ---


def ratio_of(certificate: Any, rows: Any, output: str | None) -> Fraction | None:
    """e^leakage, or the ratio of one output, by enumeration; None where it is infinite."""
    of = certificate["chain"]
    start = of["initial"] if of["initial"] == "stationary" else [exact(x) for x in of["initial"]]
    chain = BinaryChain(exact(of["alpha"]), exact(of["beta"]), of["length"], start)
    profile = LocalRedaction([[exact(r) for r in row[1:]] for row in rows for _ in range(row[0])])
    found = likelihoods(chain, profile, certificate["private"])
    return largest_ratio(found if output is None else {output: found[output]})


def level_of(stated: Any) -> Level | None:
    return (
        None
        if stated == "inf"
        else Level.log(exact(stated["log"]))
        if "log" in stated
        else Level.of_nats(exact(stated["nats"]))
    )


def is_true(certificate: Any) -> bool:
    """Whether the statement of a certificate holds."""
    claim = certificate["claim"]
    level, relation = level_of(claim["level"]), claim["relation"]
    sides = {"<=": (-1, 0), "=": (0,), ">=": (0, 1), ">": (1,)}[relation]
    for output in {None, claim["output"]} if relation == "=" else {claim["output"]}:
        ratio = ratio_of(certificate, certificate["redaction"], output)
        sign = (
            (1 if level is not None else 0)
            if ratio is INFINITE
            else -1
            if level is None
            else level.compare(ratio)
        )
        if sign not in sides:
            return False
    return True


def accepted(module: ModuleType, certificate: Any, draft: Path) -> bool:
    draft.write_text(json.dumps(certificate), encoding="utf-8")
    try:
        module.check(str(draft))
    except module.Refused:
        return False
    return True


SHORT = [path for path in ACCEPT if not path.stem.startswith("long")]


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_changed_number_is_refused_or_the_statement_is_still_true(
    path: Path, tmp_path: Path
) -> None:
    certificate, module, refused = json.loads(path.read_text(encoding="utf-8")), load(), 0
    assert is_true(certificate)
    for place in numbers(certificate):
        for new in [*changes(at(certificate, place)), 0]:
            mutant = replaced(certificate, place, new)
            if accepted(module, mutant, tmp_path / "mutant.json"):
                assert is_true(mutant), f"{place} changed to {new} was accepted"
            else:
                refused += 1
    assert refused


def test_the_oracle_tells_a_false_statement() -> None:
    certificate = json.loads((FOLDER / "accept" / "exact.json").read_text(encoding="utf-8"))
    assert not is_true(replaced(certificate, ("claim", "level", "log"), "17/11"))


# --- mutants of the checkers ---

# Mutants that compute the same answers, keyed by the mutated line as it then reads, with the
# reason.
EQUIVALENT = {
    "s * u > t * v": "where the two are equal, both are the same ratio",
    "a * d > b * c": "where the two are equal, all slopes are moved to one",
    "{*output} < {None, *'01*'}": "an output is either nothing but None, or has no None",
}


def survivors(checker: Path, bench: Bench) -> tuple[int, list[str]]:
    """Return how many mutants of a checker there are, and the changed lines of those that no
    case notices.
    """
    module, expected = bench.load(), []
    for case in bench.cases:
        with bench.restored(module, case):
            expected.append((case, bench.outcome(module, case)))
    expected.sort(key=lambda pair: pair[0].name.startswith("command"))
    before, found, total = signal.signal(signal.SIGALRM, ring), [], 0
    try:
        for line, source in mutants(checker.read_text(encoding="utf-8")):
            total += 1
            with contextlib.redirect_stderr(None):
                if survives(source, bench, expected):
                    found.append(line)
    finally:
        signal.signal(signal.SIGALRM, before)
    return total, found


def test_the_corpus_notices_every_mutant_of_the_checker(leakages: Bench) -> None:
    total, found = survivors(CHECKER, leakages)
    assert total > 60
    assert sorted(found) == sorted(EQUIVALENT), found
