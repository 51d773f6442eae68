"""Every refuted reading has a file for Coq that states what is false, or a reason why not; and a
badge stands only where Coq accepted such a file in the run that wrote the page.
"""

import re
import shutil
import tarfile
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tests.claims.examination import recorded

from pufferproof.claims.language.refuting import AUDIT, AUTHOR, FORMULA, OBJECT, PROGRAM
from pufferproof.claims.language.statements import Effort
from pufferproof.claims.registry import examine
from pufferproof.claims.run import as_result
from pufferproof.reports import cli
from pufferproof.reports.proofs.counterexamples import again
from pufferproof.reports.proofs.counterexamples.again import STATED, STATES, counted, coverage, reasons, sanity, states
from pufferproof.reports.proofs.counterexamples.shown import asked
from pufferproof.reports.proofs.site import write_proof_report

ROOT = Path(__file__).parents[3]
coq = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed")
JUDGES = {PROGRAM, OBJECT, FORMULA, AUDIT, AUTHOR}
FEW = ("massny2025.fn2", "massny2025.minmax", "wang2016.A5-power")


@cache
def recorded_states():
    """What Coq can prove again of every refuted reading, as it is recorded."""
    found = {}
    for claim, entry in recorded().items():
        for (name, verdict), rests in zip(entry["by_name"].items(), entry.get("rests", [])):
            judge, state, *_ = *rests.split(), "", ""
            assert (verdict == "REFUTED") == (judge in JUDGES and state in STATES), (claim, name)
            if verdict == "REFUTED":
                found.setdefault(claim, {})[name] = state
    return found


def test_every_refuted_reading_is_in_the_record_of_what_coq_can_prove():
    false = {name for name, entry in recorded().items() if "REFUTED" in entry["readings"]}
    assert recorded_states().keys() == false


def test_what_has_no_statement_has_a_reason_and_no_other_reason_is_there():
    without = {claim for claim, each in recorded_states().items() if set(each.values()) - set(STATED)}
    assert set(reasons()) == without


def test_most_refuted_readings_have_a_file_that_states_what_is_false():
    counts = Counter(each for entry in recorded_states().values() for each in entry.values())
    assert counts["promise"] + counts["calculation"] > 3 * (counts["leakage"] + counts["nothing"])


def test_theorems_that_stand_for_a_refutation_exist_and_the_readings_are_refuted():
    for (claim, reading), theorem in sanity().items():
        file, name = theorem.split(".")
        (path,) = (ROOT / "formal" / "sanity").rglob(f"{file}.v")
        text = path.read_text(encoding="utf-8")
        assert re.search(rf"^Example {name}\b", text, re.M)
        assert reading in recorded_states()[claim]


@pytest.fixture(scope="module")
def results():
    return [as_result(examine(name, effort=Effort(20, "few")), 0.0) for name in FEW]


def test_states_are_those_of_the_record(results):
    assert states(results) == {name: recorded_states()[name] for name in FEW}
    assert sum(count for count, _ in counted(coverage(results))) == len(coverage(results))


def test_a_formula_that_is_false_at_the_counterexample_refutes_nothing():
    from pufferproof.claims.language.proof import Proof

    for formula, ok in (("x > 1", True), ("x > 3", False), ("", True)):
        proof = Proof("as printed")
        assert proof.counterexample("two", "x = 2", {"x": 2}, lambda: True, formula) is ok


def page(out, claim):
    return (out / "claims" / f"{claim}.html").read_text(encoding="utf-8")


def test_no_badge_where_coq_was_not_asked(results, tmp_path):
    write_proof_report(results, tmp_path / "out")
    for name in FEW:
        assert "re-proved in Coq" not in page(tmp_path / "out", name)
        assert "refutation-" in page(tmp_path / "out", name)
    index = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "What Coq can prove again of what is false" in index


@pytest.mark.coq
@coq
def test_a_badge_and_a_link_where_coq_accepted(results, tmp_path):
    refused = []
    write_proof_report(results, tmp_path / "out", refused=refused)
    assert refused == []
    for name in FEW:
        shown = page(tmp_path / "out", name)
        file = re.search(r">(refutation-[^<]*\.calculation\.v)<", shown)[1]
        assert re.search(r"re-proved in Coq \d+\.\d+", shown)
        archive = tmp_path / "out" / "files" / f"{name.partition('.')[0]}.tar.xz"
        with tarfile.open(archive) as packed:
            assert f"{name}/{file}" in packed.getnames()
    write_proof_report(results, tmp_path / "out")  # Coq is not asked now, and no page says it was
    assert all("re-proved in Coq" not in page(tmp_path / "out", name) for name in FEW)


@pytest.mark.coq
@coq
def test_no_badge_where_coq_refuses(results, tmp_path, monkeypatch):
    written = again.calculated

    def wrong(*given):
        return f"{written(*given)}\nGoal 2 + 2 = 5. Proof. reflexivity. Qed.\n"

    monkeypatch.setattr(again, "calculated", wrong)
    refused = []
    write_proof_report(results[:1], tmp_path / "out", refused=refused)
    assert len(refused) == 1
    assert "coqc refused" in refused[0]
    assert "re-proved in Coq" not in page(tmp_path / "out", FEW[0])
    assert "Coq refused it." in page(tmp_path / "out", FEW[0])


def test_what_a_mechanism_leaks_has_no_badge():
    bits = {"databases": ["0", "1"], "secrets": {"zero": ["0"], "one": ["1"]}, "closure": "list"}
    prior = {"even": {"table": {"0": "1/2", "1": "1/2"}}}
    framework = {"format": "f", **bits, "pairs": [["zero", "one"]], "priors": prior}
    mechanism = {"outputs": ["u", "v"], "channel": {"0": ["2/3", "1/3"], "1": ["1/3", "2/3"]}}
    evidence = {"framework": framework, "mechanism": mechanism}
    for more, state in (({}, "leakage"), ({"epsilon": "log(3/2)"}, "promise")):
        (theorem,) = again.theorems(evidence | more, "", "x")
        assert theorem.state == state
        assert asked(theorem)["badge"] is (state in STATED)
    (kept,) = again.theorems(evidence | {"epsilon": "log(3)"}, "", "x")
    assert (kept.state, kept.says) == ("leakage", "that the mechanism leaks at most log(3)")


def test_coq_is_asked_for_pages_only(capsys):
    code = cli._run(["prove", "lemma.mediant", "--coq"])
    assert code == 2
    assert "needs --out DIR as well" in capsys.readouterr().err
