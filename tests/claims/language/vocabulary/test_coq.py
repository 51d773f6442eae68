"""What Coq says of statement objects is believed only of the objects and entries as they are."""

import json
import shutil
from dataclasses import replace
from functools import cache

import pytest

from pufferproof.claims.general import said
from pufferproof.claims.language.statements.trial import USUAL, Effort, tried
from pufferproof.claims.language.theorems import FORMAL
from pufferproof.claims.vocabulary.coq import proved, tie, written
from pufferproof.claims.vocabulary.coq.proved import missing, needed
from pufferproof.claims.vocabulary.probe import NUMBERED, drifted
from pufferproof.claims.vocabulary.terms import NAMED
from pufferproof.models.errors import SolverError
from pufferproof.verify.certificates.formal import NotChecked, building, record, sources

POST = said.POST_PROCESSING
BUILT = FORMAL / building.BUILD
coq = pytest.mark.skipif(
    not (shutil.which("coqc") and (BUILT / building.WHOLE).exists()), reason="nothing was compiled by Coq here"
)


@cache
def trial():
    return tried(POST.program(), "general.post-processing: randomised processing")


def edited(folder, change):
    """Write CHECKED.json again with a change, with the right digest of itself."""
    content = json.loads((folder / record.NAME).read_text())
    change(content)
    theorems = [record.AcceptedTheorem(**each) for each in content["theorems"]]
    ties = [record.Tie(**each) for each in content["ties"]]
    checked = record.Checked(content["coq"], content["files"], theorems, ties)
    (folder / record.NAME).write_text(record.text(checked))
    return folder


def replaced(path, old, new):
    path.write_text(path.read_text().replace(old, new))


def test_what_is_written_for_coq_is_what_the_objects_say_byte_for_byte():
    assert written.stale(FORMAL) == []
    assert missing(POST, trial()) is None


def test_every_entry_that_an_object_uses_is_tied():
    tied = tie.entries_tied(record.read(FORMAL).ties)
    for each in written.propositions().values():
        assert each.entries <= tied.keys(), each.name


def test_ties_are_of_the_vocabulary_as_it_is():
    """What Python says at their instances is compared where claims are checked."""
    ties = record.read(FORMAL).ties
    assert {each.name for each in ties} == {*tie.probes()}
    for each in ties:
        assert each.instances >= 1000
        assert tie.FEWEST <= each.true <= each.instances - tie.FEWEST
        assert min(each.noticed.values()) > 0


def test_only_what_coq_proved_is_tried_on_fewer_instances(folder):
    program = POST.program()
    assert needed(program, USUAL).instances == proved.FEWEST < USUAL.instances
    assert [needed(program, Effort(n)).instances for n in (20, 1001)] == [20, 1001]
    other = replace(POST, name="foundations.Laws.no_such").program()
    assert needed(other, USUAL) == USUAL
    edited(folder, lambda content: content["theorems"].pop(0))
    assert needed(program, USUAL, folder) == USUAL


def test_a_record_and_a_statement_that_were_edited_by_hand_prove_nothing(folder):
    replaced(folder / "statements/foundations/Laws.v", "0 <= K u_ v_", "0 <= K u_ v_ + 0")
    assert "changed since" in missing(POST, trial(), folder)
    replaced(folder / record.NAME, f"Proved.{POST.name}", "Proved.foundations.Laws.other")
    assert "was edited" in missing(POST, trial(), folder)


def test_a_theorem_that_is_not_there_or_of_another_type_proves_nothing(folder, monkeypatch):
    def another(content):
        name = f"Proved.{POST.name}"
        next(each for each in content["theorems"] if each["name"] == name)["statement"] = "True"

    other = replace(POST, name="foundations.Laws.other")
    assert "has no theorem Proved.foundations.Laws.other" in missing(other, trial())
    found = missing(POST, trial(), edited(folder, another))
    assert "not of the type Said.foundations.Laws.post" in found
    text = "Definition post_processing : Prop := True."  # the statement is in a comment there
    monkeypatch.setattr(proved, "_text", lambda area: text)
    assert "not what the statement says now" in missing(POST, trial())


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"then": replace(POST.then, some=True)}, "expected entries as they are"),
        ({"then": replace(POST.then, entry=replace(POST.then.head, words="no"))}, "as they are"),
        ({"given": [*POST.given, POST.given[0]]}, "two hypotheses have the same words"),
    ],
)
def test_what_coq_would_read_otherwise_is_no_statement(monkeypatch, change, reason):
    wrong = replace(POST, name="foundations.Laws.wrong", **change)
    monkeypatch.setattr(said, "WRONG", wrong, raising=False)
    with pytest.raises(SolverError, match=reason):
        written.propositions.__wrapped__()


@pytest.mark.parametrize(
    "change", [{"instances": 999}, {"noticed": {"process": 0}}, {"digest": "0" * 64}, {"true": 0}, None]
)
def test_an_entry_without_a_strong_tie_proves_nothing(folder, change):
    def weaker(content):
        for each in [each for each in content["ties"] if "process" in each["noticed"]]:
            content["ties"].remove(each)
            content["ties"] += [] if change is None else [{**each, **change}]

    found = missing(POST, trial(), edited(folder, weaker))
    assert '"process" of the vocabulary is not tied' in found


def test_a_drift_is_of_an_entry_that_its_probe_has():
    for probe in tie.probes().values():
        assert probe.drifts.keys() <= NAMED.keys() & probe.stated.entries, probe.name


def test_a_drift_of_python_is_seen_without_coq(monkeypatch, folder):
    probe = tie.probes()["process"]
    term = drifted(probe.term, "process", probe.drifts["process"])
    monkeypatch.setattr(tie, "probes", lambda: {"process": replace(probe, term=term)})
    monkeypatch.setattr(tie, "DIGESTS", {})
    assert not proved._holds("process", proved._ties(folder))


def test_what_python_wrote_is_mended_by_writing_again(folder):
    (folder / "statements" / "foundations" / "Laws.v").unlink()
    (folder / "statements" / "Gone.v").write_text("")
    assert written.stale(folder) == ["statements/Gone.v", "statements/foundations/Laws.v"]
    written.write(folder)
    assert written.stale(folder) == []


def tied(probe):
    drawn = probe.instances()
    return tie._tied(probe, drawn, *tie.decided(BUILT, [(probe, [at for at, _ in drawn])]))


def test_an_answer_about_a_probe_counts_for_the_sources_that_it_names():
    text = "From Pufferproof Require Sums Laws.\nFrom Tied Require Import Decide."
    files = {"Pufferproof.foundations.Sums": "a", "Pufferproof.foundations.Laws": "b"}
    files |= {"Tied.Decide": "c", "Said.foundations.Laws": "d", "Pufferproof.noise.Noise": "e"}
    key = tie._key(text, files)
    changed = [name for name in files if tie._key(text, {**files, name: "new"}) != key]
    assert changed == [*files][:3]
    assert tie._key(text + "\n", files) != key


def test_a_letter_is_not_taken_for_the_number_that_a_probe_is_compared_with():
    number = NUMBERED.name
    with pytest.raises(SolverError, match=f"has a letter '{number}': rename it"):
        replace(tie.probes()["P"], term=NUMBERED).stated  # noqa: B018


@coq
def test_coq_and_python_agree_on_an_entry_and_a_drift_is_refused():
    probe = tie.probes()["P"]
    assert tied(probe).noticed["P"] > 0
    drift = replace(probe, term=drifted(probe.term, "P", probe.drifts["P"]))
    with pytest.raises(NotChecked, match="Coq and Python differ"):
        tied(drift)


@coq
def test_a_probe_that_is_nearly_always_true_or_notices_nothing_is_refused():
    probe = tie.probes()["P"]
    with pytest.raises(NotChecked, match="does not notice a drift of 'P'"):
        tied(replace(probe, drifts={"P": NAMED["P"].value}))
    certain = replace(probe, term=probe.term <= probe.term, drifts={})
    with pytest.raises(NotChecked, match="is true at 1000 of 1000"):
        tied(certain)


@coq
def test_a_theorem_of_another_type_is_refused(tmp_path):
    """A file of `claims/` that proves something else than the constant of its name."""
    place = tmp_path / "built"
    shutil.copytree(BUILT, place)
    file = place / "claims" / "foundations" / "Laws.v"
    name, exact = "foundations.Laws.post_processing", "exact @Pufferproof."
    wrong = file.read_text().replace(
        f"post_processing : Said.{name}.\nProof. {exact}{name}. Qed.", "post_processing : True.\nProof. exact I. Qed."
    )
    assert wrong != file.read_text()
    file.write_text(wrong)
    files = sources.files(place)
    building._run(["coqc", "-q", *building._paths(place), "claims/foundations/Laws.v"], place)
    used = ["claims/foundations/Laws.v", "statements/foundations/Laws.v"]
    with pytest.raises(NotChecked):
        building.theorems(place, [file for file in files if file in used], used[:1])
