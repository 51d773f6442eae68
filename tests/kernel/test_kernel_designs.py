"""The checker of redaction designs sorts its corpus and keeps its limits; no change in it or a
certificate goes unnoticed.
"""

import json
import re
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.brute.redaction import INFINITE, largest_ratio, likelihoods, sequence_law, utility
from tests.kernel import conftest
from tests.kernel.conftest import Bench, Case, limits_restored, outcome
from tests.kernel.test_kernel_mutations import at, changes, numbers, replaced
from tests.kernel.test_kernel_redaction import (
    VERIFY,
    accepted,
    commands,
    limit,
    run,
    sorted_corpus,
    sorted_wrongly,
    stands_alone,
    survivors,
)

from pufferproof.lp.redaction.central.optimum import central_optimum
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction

FOLDER = Path(__file__).parent / "designs"
CHECKER = VERIFY / "kernel_designs.py"
NEEDED = ("kernel.py", "kernel_redaction.py", "kernel_designs.py")
REASONS = json.loads((FOLDER / "reject" / "REASONS.json").read_text(encoding="utf-8"))
ACCEPT = sorted((FOLDER / "accept").glob("*.json"))

load = partial(conftest.load, path=CHECKER)


WORK = {
    "exact": 119_935_420,
    "central": 145_044_426,
    "window": 108_075_590,
    "relaxed-nats": 216_874_609,
}  # bit operations that accepted files take


@pytest.fixture(scope="module")
def designs(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder, good = tmp_path_factory.mktemp("designs"), FOLDER / "accept" / "exact.json"
    cases = [
        *sorted_corpus(FOLDER),
        *limit(FOLDER / "accept" / "central.json", "MAX_CENTRAL", 2, "is not enumerated"),
        *limit(FOLDER / "accept" / "quilt.json", "MAX_DESIGNS", 2, "expected from 1 to"),
        *(
            case
            for name, bits in WORK.items()
            for case in limit(FOLDER / "accept" / f"{name}.json", "MAX_WORK", bits, "too large")
        ),
        Case("a file", (str(good), str(good)), "speaks of no files"),
        *commands(
            CHECKER,
            folder,
            good,
            FOLDER / "reject" / "QR8-one.json",
            [str(good), str(good), str(good)],
        ),
    ]
    return Bench(load, outcome, limits_restored, cases)


def test_every_case_of_the_bench_is_sorted_as_recorded(designs: Bench) -> None:
    assert sorted_wrongly(designs) == []


def test_every_side_condition_has_a_reject_file_and_every_reject_file_a_reason() -> None:
    text = (VERIFY / "CERTIFICATES.md").read_text(encoding="utf-8")
    assert {path.name for path in (FOLDER / "reject").glob("*.json")} == {*REASONS, "REASONS.json"}
    assert set(re.findall(r"\*\*(Q[CDWRP]\d+)\*\*", text)) == {
        name.split("-")[0] for name in REASONS
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "exact",
            "within log(3/2): the mechanism given as 3r-exact has leakage log(3/2) and utility "
            "4/15, and no 3R mechanism with both sides within equal budgets has more than 4/15\n2 "
            "checked",
        ),
        (
            "window",
            "data-independent has leakage log(2) and utility 1/2, and no mechanism that redacts "
            "each record whatever its value has more than 1/2",
        ),
        (
            "quilt",
            "quilt has leakage log(6/5) and utility 2/5, not claimed to be the best; the mechanism "
            "given as 3r-split has leakage log(2) and utility 3/5, not claimed to be the best\n10 "
            "checked",
        ),
        ("central", "no redaction mechanism, even one that sees all records, has more than 65/144"),
        ("relaxed-nats", "within nats(1/2): the mechanism given as 3r-relaxed has leakage log("),
    ],
)
def test_accepted_is_exit_code_0_and_says_what_was_proved(name: str, said: str) -> None:
    done = run(CHECKER, FOLDER / "accept" / f"{name}.json")
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout


def test_the_checker_needs_only_the_kernels_beside_it_and_the_standard_library(
    tmp_path: Path,
) -> None:
    stands_alone(CHECKER, NEEDED, FOLDER / "accept" / "central.json", tmp_path)


# --- the statements by enumeration ---


def best_window(chain: BinaryChain, private: int, level: Level) -> Fraction:
    """The largest utility of a deterministic pattern."""
    best = Fraction(0)
    for shown in product((0, 1), repeat=chain.length):
        pattern = LocalRedaction.releasing(
            [t for t, show in enumerate(shown, 1) if show], chain.length
        )
        if keeps(largest_ratio(likelihoods(chain, pattern, private)), level):
            best = max(best, Fraction(sum(shown), chain.length))
    return best


def keeps(ratio: Fraction | None, level: Level) -> bool:
    return ratio is not INFINITE and level.compare(ratio) <= 0


def is_true(certificate: Any, windows: dict[str, Fraction]) -> bool:
    """Whether leakage, utility and the bound are true; a 3R bound is held against what the
    optimum is known to be at least.
    """
    of, claim = certificate["chain"], certificate["claim"]
    chain, private = (
        BinaryChain(exact(of["alpha"]), exact(of["beta"]), of["length"]),
        certificate["private"],
    )
    level = (
        Level.log(exact(claim["level"]["log"]))
        if "log" in claim["level"]
        else Level.of_nats(claim["level"]["nats"])
    )
    for design in claim["designs"]:
        rows, released = design["redaction"], exact(design["utility"]["lower"])
        if isinstance(rows, dict):
            ratio, found = central_truth(chain, private, rows)
        else:
            profile = LocalRedaction(
                [[exact(r) for r in row[1:]] for row in rows for _ in range(row[0])]
            )
            ratio, found = (
                largest_ratio(likelihoods(chain, profile, private)),
                utility(chain, profile),
            )
        low, high = map(exact, design["leakage"])
        if ratio is INFINITE or not (
            keeps(ratio, level) and low <= ratio <= high and found == released
        ):
            return False
        if design["utility"]["upper"] is not None:
            least = found
            key = f"{of}{private}{level}{design['name'] in ('central-lp', 'local-optimal')}"
            if design["name"] == "data-independent":
                least = windows.setdefault(key, best_window(chain, private, level))
            elif design["name"] in ("central-lp", "local-optimal"):
                least = windows.setdefault(key, central_optimum(chain, private, level).lower)
            if exact(design["utility"]["upper"]) < least:
                return False
    return True


def central_truth(chain: BinaryChain, private: int, rows: Any) -> tuple[Fraction | None, Fraction]:
    sums: dict[str, list[Fraction]] = {}
    released, law = Fraction(0), sequence_law(chain)
    for x, weight in law.items():
        for y, share in rows["".join(map(str, x))].items():
            sums.setdefault(y, [Fraction(0), Fraction(0)])[x[private - 1]] += (
                weight * exact(share) / chain.law(private)[x[private - 1]]
            )
            released += weight * exact(share) * (chain.length - y.count("*"))
    return largest_ratio(
        {y: (zero, one) for y, (zero, one) in sums.items()}
    ), released / chain.length


SHORT = [
    path for path in ACCEPT if json.loads(path.read_text(encoding="utf-8"))["chain"]["length"] <= 4
]


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.stem)
def test_a_changed_number_is_refused_or_the_statement_is_still_true(
    path: Path, tmp_path: Path
) -> None:
    certificate, module, refused = json.loads(path.read_text(encoding="utf-8")), load(), 0
    windows: dict[str, Fraction] = {}
    assert is_true(certificate, windows)
    for place in numbers(certificate):
        for new in [*changes(at(certificate, place)), 0]:
            mutant = replaced(certificate, place, new)
            if accepted(module, mutant, tmp_path / "mutant.json"):
                assert is_true(mutant, windows), f"{place} changed to {new} was accepted"
            else:
                refused += 1
    assert refused


def test_the_oracle_tells_a_false_statement() -> None:
    for name, path, value in (
        ("window", "upper", "2/5"),
        ("central", "upper", "2/5"),
        ("exact", "lower", "1/5"),
    ):
        certificate = json.loads((FOLDER / "accept" / f"{name}.json").read_text(encoding="utf-8"))
        assert not is_true(
            replaced(certificate, ("claim", "designs", 0, "utility", path), value), {}
        )


# Mutants that compute the same answers, keyed by the mutated line as it then reads, with the
# reason.
EQUIVALENT = {
    "chain.alpha >= chain.beta": "where the two are equal, exchanging the values changes nothing",
    "chain.alpha + chain.beta >= 1": "where it is 1 every record is small: no medium one has a "
    "slope to be moved",
    "bottom <= top": "no room is left only where every q would have to be 1",
    "ratio[0] * worst[1] >= worst[0] * ratio[1]": "where the two are equal, both are the same "
    "ratio",
    "size <= 2": "a negative eigenvalue leaves at most one medium record; the kernel does not rely "
    "on it",
}


def test_the_corpus_notices_every_mutant_of_the_checker(designs: Bench) -> None:
    total, found = survivors(CHECKER, designs)
    assert total > 60
    assert sorted(found) == sorted(EQUIVALENT), found
