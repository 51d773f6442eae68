"""Pages are written again exactly where what they show has changed, and never where a page would
show something else.
"""

import copy
import json
import os

import pytest
from tests.reports import results as synthetic

from pufferproof import ModelError
from pufferproof.reports.console.staging import files_in
from pufferproof.reports.proofs import site as sites
from pufferproof.reports.proofs.files import archives as kept
from pufferproof.reports.proofs.files.archives import _pointing, page_marks, pointed_at, timeless
from pufferproof.reports.proofs.pages import claim_views
from pufferproof.reports.proofs.papers.shown import Paper
from pufferproof.reports.proofs.site import write_proof_report


@pytest.fixture(scope="module")
def results():
    return json.loads(json.dumps(synthetic.every_kind()))


@pytest.fixture
def rendered(monkeypatch):
    """Which pages of claims are made, in this order."""
    made, fill = [], sites.rendered

    def record(template, context):
        if "claim" in context:
            made.append(context["claim"]["id"])
        return fill(template, context)

    monkeypatch.setattr(sites, "rendered", record)
    return made


def contents(folder):
    return {name: (folder / name).read_bytes() for name in files_in(folder)}


def test_a_report_of_the_same_results_is_left_as_it_is(results, tmp_path, rendered):
    out = tmp_path / "out"
    write_proof_report(results, out)
    before = {name: os.stat(out / name).st_mtime_ns for name in files_in(out)}
    rendered.clear()
    write_proof_report([each | {"cached": True, "seconds": 1.5} for each in results], out)
    assert rendered == []
    assert before == {name: os.stat(out / name).st_mtime_ns for name in files_in(out)}


@pytest.mark.parametrize("change", ["statement", "verdict", "sentence"])
def test_pages_are_as_if_written_anew_after_a_change(results, tmp_path, rendered, change):
    out, fresh = tmp_path / "out", tmp_path / "fresh"
    write_proof_report(results, out)
    for number, each in list(enumerate(results))[::4]:  # each takes a moment
        changed = copy.deepcopy(results)
        if change == "sentence" and each["readings"] and each["readings"][0]["steps"]:
            changed[number]["readings"][0]["steps"][0]["sentence"] = "Another sentence."
        elif change != "sentence":
            changed[number][change] = "OPEN" if change == "verdict" else "Another statement."
        write_proof_report(results, out)
        rendered.clear()
        write_proof_report(changed, out)
        assert len(rendered) < len(results)
        write_proof_report(changed, fresh)
        assert contents(out) == contents(fresh)


def test_a_page_that_was_removed_is_written_again_and_one_that_was_edited_is_refused(results, tmp_path, rendered):
    out = tmp_path / "out"
    write_proof_report(results, out)
    before = contents(out)
    name = "claims/lemma.solvers.html"
    (out / name).unlink()
    rendered.clear()
    write_proof_report(results, out)
    assert (rendered, contents(out)) == (["lemma.solvers"], before)
    (out / name).write_text("mine")
    with pytest.raises(ModelError, match=r"lemma\.solvers\.html"):
        write_proof_report(results, out)
    assert (out / name).read_text() == "mine"


def test_a_list_that_was_forged_is_not_believed(results, tmp_path, rendered):
    out = tmp_path / "out"
    write_proof_report(results, out)
    (out / "pages.json").unlink()
    rendered.clear()
    write_proof_report(results, out)
    assert len(rendered) == len(results)


def test_another_title_of_a_paper_is_shown(results, tmp_path, monkeypatch):
    out = tmp_path / "out"
    for title in ("One title", "Another title"):
        paper = Paper("paper", title, ("A, B",), "2026", "a shelf")
        monkeypatch.setattr(sites, "paper_of", lambda name, paper=paper: paper)
        monkeypatch.setattr(sites, "said_by_claims", lambda name, title=title: title)
        write_proof_report(results, out)
        for name in ("index.html", "papers/paper.html"):
            assert title in (out / name).read_text()
    assert "2026, a shelf." in (out / "papers" / "paper.html").read_text()


def test_another_program_writes_all_pages_again(results, tmp_path, rendered, monkeypatch):
    out = tmp_path / "out"
    write_proof_report(results, out)
    rendered.clear()
    monkeypatch.setattr(kept, "_program", lambda: "another")
    write_proof_report(results, out)
    assert len(rendered) == len(results)


class Read(dict):
    """Results that record which of them were looked up, and what of each."""

    def __init__(self, results):
        self.read = set()
        super().__init__((each["id"], One(each, self.read)) for each in results)


class One(dict):
    def __init__(self, values, read):
        super().__init__(values)
        self._read = read

    def __getitem__(self, key):
        self._read.add((super().__getitem__("id"), key))
        return super().__getitem__(key)


def test_a_page_reads_no_more_than_its_mark_says(results, monkeypatch):
    from pufferproof.reports.proofs import pages

    plain = [timeless(each) for each in results]
    pointing = _pointing(plain)
    for each in plain:
        known = Read(plain)
        pages._claim(each, known)
        others = {(name, key) for name, key in known.read if name != each["id"]}
        scanned = {(name, key) for name, key in others if key not in ("repair", "id")}
        assert {name for name, _ in scanned} <= pointed_at(each["id"], pointing)
        assert {key for _, key in others} <= set(kept._BRIEF)


def test_marks_are_of_the_order_too(results):
    plain = [timeless(each) for each in results]
    swapped = [*plain[1:], plain[0]]
    assert page_marks(plain) != page_marks(swapped)
    assert len(claim_views(plain)) == len(page_marks(plain))


def test_a_place_without_links_is_written_all_the_same(results, tmp_path, rendered, monkeypatch):
    def refused(*_):
        raise OSError("no links")

    monkeypatch.setattr(os, "link", refused)
    out = tmp_path / "out"
    write_proof_report(results, out)
    rendered.clear()
    write_proof_report(results[:-1], out)
    assert len(rendered) == 1  # the last one, which has none after it now
