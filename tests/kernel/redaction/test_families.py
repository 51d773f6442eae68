"""Certificates of redaction: designs of a family are accepted; what was tampered with is
refused, or is still true.
"""

import json
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.brute.redaction import INFINITE, largest_ratio, likelihoods
from tests.brute.redaction import utility as brute_utility
from tests.kernel import forked
from typer.testing import CliRunner

from pufferproof.lp.redaction.regions import sides
from pufferproof.lp.redaction.sets import CertifiedDesigns, certified_designs
from pufferproof.lp.redaction.strategies import NAMES, Design, equal_budgets, redaction_designs
from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction
from pufferproof.reports.cli import app
from pufferproof.verify import kernel
from pufferproof.verify.certificates.redaction import leakage_certificate
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

ONE = Fraction(1)
RULED = ("data-independent", "quilt", "3r-relaxed", "3r-constant", "3r-exact", "central-lp")
# alpha, beta, n, p: both signs of the eigenvalue and 0, alpha > beta, p at the ends and inside, n =
# 1 and 2
CHAINS = [
    ("1/4", "1/2", 1, 1),
    ("1/4", "1/2", 2, 2),
    ("1/2", "1/4", 3, 2),
    ("3/4", "4/5", 3, 1),
    ("9/10", "2/3", 4, 2),
    ("1/4", "3/4", 3, 2),
    ("1/10", "1/2", 6, 6),
    ("1/3", "1/10", 8, 3),
    ("1/20", "1/10", 7, 1),
    ("4/5", "3/4", 5, 3),
]


def levels(chain: BinaryChain) -> list[Level]:
    """0, a few others, and breakpoints: influences at the first distances, as the level and as
    half of it.
    """
    found = [Level.log(1), Level.log(2), Level.of_nats("0.3")]
    for value, distance in ((0, 1), (1, 2)):
        ratio = chain.influence(value, distance) or ONE
        found += [Level.log(ratio), Level.log(ratio**2)]
    return found


def certified(
    chain: BinaryChain, private: int, level: Level, names: Any = RULED
) -> tuple[tuple[Any, ...], CertifiedDesigns]:
    chosen = [name for name in names if name != "central-lp" or chain.length <= 4]
    found = redaction_designs(chain, private, level, chosen)
    return found, certified_designs(chain, private, level, found)


@pytest.mark.parametrize("case", CHAINS, ids=str)
def test_every_design_with_a_rule_is_certified_whole(case: tuple[str, str, int, int]) -> None:
    chain = BinaryChain(*case[:3])
    for level in levels(chain):
        designs, found = certified(chain, case[3], level)
        assert found.document is not None
        certified_text(found.document)
        assert found.trust == {design.name: "KERNEL" for design in designs}
        for design, entry in zip(designs, found.document["claim"]["designs"]):
            assert (entry["name"], exact(entry["utility"]["lower"])) == (design.name, design.lower)
            if design.name != "quilt":
                assert (
                    design.lower <= exact(entry["utility"]["upper"]) <= exact(enclose(design.lower, design.upper).upper)
                )


def test_strategies_without_a_rule_are_certified_without_a_bound() -> None:
    chain = BinaryChain("1/10", "1/2", 6)
    _, found = certified(chain, 3, Level.log(2), ["3r-split", "local-optimal"])
    assert found.document is not None
    assert found.trust == {"3r-split": "EXACT", "local-optimal": "EXACT"}
    assert [entry["utility"]["upper"] for entry in found.document["claim"]["designs"]] == [None, None]


def test_a_long_medium_region_is_certified() -> None:
    chain, level = BinaryChain("1/100", "1/20", 40), Level.log(2)
    assert max(side.size for side in sides(chain, 40, *equal_budgets(chain, 40, level))) > 8
    _, found = certified(chain, 40, level, ["3r-exact", "3r-constant", "3r-relaxed"])
    assert set(found.trust.values()) == {"KERNEL"}


@pytest.mark.parametrize("length", [1_000, 20_000])
def test_long_chains_are_certified(length: int) -> None:
    chain = BinaryChain("1/10", "3/10", length)
    _, found = certified(chain, length // 2, Level.of_nats(1), ["data-independent", "quilt", "3r-relaxed"])
    assert set(found.trust.values()) == {"KERNEL"}
    assert len(json.dumps(found.document)) < 5_000


def test_the_best_q_cannot_be_bounded_below_what_it_is() -> None:
    chain, level = BinaryChain("1/20", "1/5", 8), Level.log(2)
    designs, found = certified(chain, 8, level, ["3r-exact"])
    assert found.document is not None
    entry = found.document["claim"]["designs"][0]
    worse = LocalRedaction(
        [[ONE, ONE] if r == ONE else [(r + ONE) / 2 if r else r, s] for r, s in designs[0].mechanism.rows]
    )
    leak = redaction_leakage(chain, worse, 8).leakage
    assert leak.ratio is not None
    tampered = entry | {
        "redaction": [[1, *map(str, row)] for row in worse.rows],
        "leakage": [str(leak.ratio)] * 2,
        "utility": {"lower": str(worse.utility(chain)), "upper": str(worse.utility(chain))},
    }
    with pytest.raises(CertificateError, match="not excluded"):
        certified_text(found.document | {"claim": found.document["claim"] | {"designs": [tampered]}})


# --- leakages ---

PROBABILITIES = [Fraction(0), ONE, ONE, ONE, Fraction(1, 2), Fraction(1, 3), Fraction(3, 7)]
NUMBERS = [Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10), Fraction(1, 10)]
INITIAL: list[Any] = ["stationary", ("1/3", "2/3"), (1, 0), (0, 1)]


def draw(random: Random) -> tuple[BinaryChain, LocalRedaction, int] | None:
    length = random.randint(1, 4)
    chain = BinaryChain(random.choice(NUMBERS), random.choice(NUMBERS), length, random.choice(INITIAL))
    private = random.randint(1, length)
    rows = [[random.choice(PROBABILITIES), random.choice(PROBABILITIES)] for _ in range(length)]
    if random.random() < 0.8:
        rows[private - 1] = [ONE, ONE]
    return None if 0 in chain.law(private) else (chain, LocalRedaction(rows), private)


def test_leakages_equal_enumeration_and_rounded_ones_enclose_it() -> None:
    random, seen = Random(5), 0
    while seen < 150:
        drawn = draw(random)
        if drawn is None:
            continue
        chain, mechanism, private = drawn
        seen += 1
        ratio = largest_ratio(likelihoods(chain, mechanism, private))
        certificate = leakage_certificate(chain, mechanism, private)
        assert certificate["claim"]["level"] == ("inf" if ratio is INFINITE else {"log": str(ratio)})
        certified_text(certificate)
        if ratio is not INFINITE:
            for relation, factor in (("<=", "1001/1000"), (">=", "999/1000")):
                level = {"log": str(max(ONE, ratio * Fraction(factor)))}
                claim = {"relation": relation, "level": level, "output": None}
                certified_text(certificate | {"precision": 16, "claim": claim})


def test_leakages_against_a_level() -> None:
    chain, mechanism = BinaryChain("1/4", "1/2", 2), LocalRedaction([["1", "1"], ["1/8", "1"]])
    for level, relation in ((Level.log("18/11"), "<="), (Level.of_nats("0.5"), "<="), (Level.log("17/11"), ">")):
        certificate = leakage_certificate(chain, mechanism, 1, level)
        assert certificate["claim"]["relation"] == relation
        certified_text(certificate)


def test_a_long_profile_is_certified_against_a_level_with_few_bits() -> None:
    chain = BinaryChain("1/1000", "1/500", 20_000)
    mechanism = LocalRedaction([["1", "1"]] * 19_999 + [["1", "1/2"]])
    certificate = leakage_certificate(chain, mechanism, 1, Level.log("1001/1000"))
    assert certificate["precision"] == 256
    certified_text(certificate)


@pytest.mark.parametrize("named", [{}, {"outputs": ["0", "1", "*"]}])
def test_the_kernel_reads_the_files_of_an_audit_again(named: dict[str, Any], tmp_path: Path) -> None:
    import hashlib

    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/2", "1/2"]]}}},
    }
    mechanism = {"format": "pufferproof-mechanism/1", "redaction": [["1", "1"], ["1/8", "1"]], **named}
    paths = [tmp_path / "framework.json", tmp_path / "mechanism.json"]
    for path, content in zip(paths, (framework, mechanism)):
        path.write_text(json.dumps(content), encoding="utf-8")
    hashes = ["sha256:" + hashlib.sha256(path.read_bytes()).hexdigest() for path in paths]
    profile = LocalRedaction([["1", "1"], ["1/8", "1"]])
    certificate = leakage_certificate(BinaryChain("1/4", "1/2", 2), profile, 1, None, Inputs(hashes[0], (hashes[1],)))
    (tmp_path / "c.json").write_text(certified_text(certificate), encoding="utf-8")
    assert kernel.check(str(tmp_path / "c.json"), str(paths[0]), [str(paths[1])]).inputs == "matched"
    paths[1].write_text(json.dumps(mechanism | {"redaction": [["1", "1"], ["1/4", "1"]]}), encoding="utf-8")
    with pytest.raises(kernel.Refused):
        kernel.check(str(tmp_path / "c.json"), str(paths[0]), [str(paths[1])])


# --- tampering ---


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values of a certificate that are not objects or lists, and of all lists
    and objects.
    """
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, entry in inner for place in places(entry, (*path, key)))]


def tampered(value: Any, random: Random) -> Any:
    """Change one value of a certificate, or several."""
    changed = json.loads(json.dumps(value))
    for _ in range(random.choice((1, 1, 2, 3))):
        path = random.choice(places(changed)[1:])
        here = changed
        for key in path[:-1]:
            here = here[key]
        other = random.choice(places(changed)[1:])
        there = changed
        for key in other:
            there = there[key]
        old = here[path[-1]]
        made = [None, "0", "1", "2", 1, 2, 3, "1/2", "-1", "3/2", "1e4000", {}, [], json.loads(json.dumps(there))]
        if re.fullmatch(r"\d+(/\d+)?", str(old)):
            made += [str(exact(str(old)) * Fraction(k, 1000)) for k in (999, 1001, 500, 2000)] * 4
        here[path[-1]] = random.choice(made)
    return changed


def statement_holds(certificate: Any) -> bool:
    """The claims about the mechanisms themselves, and that no bound is below what designs are
    known to reach.
    """
    of = certificate["chain"]
    chain, private = (
        BinaryChain(exact(of["alpha"]), exact(of["beta"]), int(of["length"])),
        int(certificate["private"]),
    )
    stated = certificate["claim"]["level"]
    level = Level.log(exact(stated["log"])) if "log" in stated else Level.of_nats(exact(stated["nats"]))
    for entry in certificate["claim"]["designs"]:
        rows = [[exact(r) for r in row[1:]] for row in entry["redaction"] for _ in range(int(row[0]))]
        mechanism = LocalRedaction(rows)
        ratio = largest_ratio(likelihoods(chain, mechanism, private))
        low, high = map(exact, entry["leakage"])
        if ratio is INFINITE or level.compare(ratio) > 0 or not low <= ratio <= high:
            return False
        if brute_utility(chain, mechanism) != exact(entry["utility"]["lower"]):
            return False
        if entry["utility"]["upper"] is not None:
            best = redaction_designs(chain, private, level, [entry["name"]])[0]
            if isinstance(best, Design) and exact(entry["utility"]["upper"]) < best.lower:
                return False
    return True


@pytest.mark.parametrize(
    ("case", "text"),
    [
        (("1/4", "1/2", 3, 2), "log(2)"),
        (("1/10", "1/2", 4, 4), "log(2)"),
        (("3/4", "4/5", 3, 1), "log(5/4)"),
        (("1/2", "1/4", 3, 1), "log(3/2)"),
        (("1/10", "3/10", 4, 1), "0.7"),
    ],
)
def test_what_was_tampered_with_is_refused_or_still_true(case: Any, text: str, tmp_path: Path) -> None:
    chain, level = BinaryChain(*case[:3]), Level.parse(text)
    _, found = certified(chain, case[3], level, [name for name in RULED if name != "central-lp"])
    random, draft, refused = Random(str(case)), tmp_path / "c.json", 0
    for _ in range(45):
        mutant = tampered(found.document, random)
        draft.write_text(json.dumps(mutant), encoding="utf-8")
        try:
            kernel.check(str(draft))
        except kernel.Refused:
            refused += 1
        else:
            assert statement_holds(mutant), mutant
    assert refused > 25


BOMBS: list[tuple[tuple[str, ...], Any]] = [
    (("chain", "length"), "999999999"),
    (("chain", "length"), 10**30),
    (("chain", "alpha"), "1/" + "9" * 99_000),
    (("chain",), None),
    (("redaction",), [[999_999_999, "1", "1"]]),
    (("redaction",), [[1, "1", "1"]] * 200_000),
    (("redaction",), [[1, "1", "1"], [1, "1/" + "7" * 99_000, "1"]]),
    (("claim", "level"), {"log": "1e9999"}),
    (("claim", "level"), {"nats": "1e9999"}),
    (("claim", "level"), {"log": "9" * 99_999}),
    (("claim", "output"), "*" * 1_000_000),
    (("private",), "1"),
    (("precision",), 10**9),
    (("inputs",), []),
]


@pytest.mark.parametrize(("path", "value"), BOMBS)
def test_bombs_and_malformed_files_end_quickly(path: Any, value: Any, tmp_path: Path) -> None:
    mechanism = LocalRedaction([["1", "1"], ["1/8", "1"]])
    certificate = leakage_certificate(BinaryChain("1/4", "1/2", 2), mechanism, 1)
    here = certificate
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    draft = tmp_path / "c.json"
    draft.write_text(json.dumps(certificate), encoding="utf-8")
    done = forked.run(draft)
    assert (done.returncode in (1, 2), done.stderr.count("\n"), "Traceback" in done.stderr) == (True, 1, False)


def test_a_chain_too_long_for_exact_numbers_is_refused(tmp_path: Path) -> None:
    certificate = leakage_certificate(BinaryChain("1/4", "1/2", 2), LocalRedaction([["1", "1"], ["1/8", "1"]]), 1)
    chain = {
        "alpha": "1/1" + "0" * 299 + "1",
        "beta": "1/1" + "0" * 299 + "7",
        "length": 6_000,
        "initial": "stationary",
    }
    draft = tmp_path / "c.json"
    draft.write_text(json.dumps(certificate | {"chain": chain, "redaction": [[6_000, "9/10", "1"]]}), encoding="utf-8")
    with pytest.raises(kernel.Refused, match="output"):
        kernel.check(str(draft))
    certificate["claim"]["output"] = None
    draft.write_text(json.dumps(certificate | {"chain": chain, "redaction": [[6_000, "9/10", "1"]]}), encoding="utf-8")
    with pytest.raises(kernel.Refused, match="too large"):
        kernel.check(str(draft), work=4 * 10**11)  # a tenth of the default


# --- the command line ---


CHAIN = ("--alpha", "1/4", "--beta", "1/2", "--length", "3", "--epsilon", "log(2)")


def test_redact_writes_a_certificate_and_check_accepts_it(tmp_path: Path) -> None:
    out = tmp_path / "designs.json"
    done = CliRunner().invoke(app, ["redact", *CHAIN, "--private", "2", "--certificate", str(out), "--json"])
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    trust = {design["name"]: design["trust"] for design in answer["strategies"]}
    assert answer["certificate"] == str(out)
    assert list(trust) == list(NAMES)
    assert {trust[name][0] for name in RULED} == {"KERNEL"}
    assert trust["3r-split"] == ["EXACT"]
    assert json.loads(out.read_text(encoding="utf-8"))["kind"] == "redaction-designs"
    done = CliRunner().invoke(app, ["check", str(out)])
    assert done.exit_code == 0
    assert all(name in done.stdout for name in NAMES)
    out.write_text(out.read_text(encoding="utf-8").replace('"log": "2"', '"log": "3/2"'), encoding="utf-8")
    assert CliRunner().invoke(app, ["check", str(out)]).exit_code == 1


def test_without_a_certificate_trust_is_exact_and_several_records_have_none(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["redact", *CHAIN, "--strategy", "quilt", "--private", "2", "--json"])
    assert json.loads(done.stdout)["strategies"][0]["trust"] == ["EXACT"]
    out = tmp_path / "c.json"
    done = CliRunner().invoke(
        app, ["redact", *CHAIN, "--strategy", "quilt", "--private", "1,2", "--certificate", str(out)]
    )
    assert (done.exit_code != 0, out.exists()) == (True, False)
