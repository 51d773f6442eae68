"""`report --start` links every report of a folder, says what stands in them, and replaces no other
page; `prove --start` shows on it how far the check is.
"""

import json
import re

import pytest
from tests.reports import results as synthetic

from pufferproof.models.errors import ModelError
from pufferproof.reports.page.site import FORMAT
from pufferproof.reports.page.start import PROOFS, StartPage, markdown_table
from pufferproof.reports.proofs import record, running
from pufferproof.reports.proofs.files import watching
from pufferproof.reports.proofs.files.watching import Watched
from pufferproof.reports.proofs.site import write_proof_report

COUNTS = (
    "audits",
    "satisfied",
    "violated",
    "no_level",
    "composes",
    "not_composing",
    "accepted",
    "certificates",
    "refused",
)
AUDITS = {
    "format": FORMAT,
    "summary": {name: number for number, name in enumerate(COUNTS, 10)},
    "gallery": [{}, {}],
    "ledger": [{}],
}
TABLE = "# Times\n\nMeasured once.\n\n| what | time |\n|---|---|\n| `a` | 1 s |\n| <b> | 2 s |\n\nEnd\n"


def write_start(folder, benchmarks=None):
    return StartPage.of(folder, benchmarks).write()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a folder with both reports: what `report` tells programs, and synthetic claims. The
    browser has a real one (tests/reports/page).
    """
    folder = tmp_path_factory.mktemp("reports")
    audits = folder / "out" / "audits"
    audits.mkdir(parents=True)
    (audits / "report.json").write_text(json.dumps(AUDITS), encoding="utf-8")
    for name in ("index.html", "gallery.html"):
        (audits / name).write_text("", encoding="utf-8")
    write_proof_report(
        synthetic.every_kind(), folder / "out" / "proofs", catalogue={"paper": ["paper.refuted"]}, home="../index.html"
    )
    return folder / "out"


@pytest.fixture
def folder(made):
    """Return these reports without a start page."""
    (made / "index.html").unlink(missing_ok=True)
    return made


def test_every_link_leads_somewhere_and_back(folder):
    page = write_start(folder)
    links = re.findall(r'href="(?!data:)([^"]*)"', page.read_text(encoding="utf-8"))
    files = {link.partition("#")[0] for link in links} - {""}
    assert {"audits/index.html", "proofs/index.html", "proofs/papers/paper.html"} <= files
    assert [each for each in files if not (folder / each).is_file()] == []
    assert {"audits/gallery.html", "audits/index.html#ledger"} <= {*links}
    assert 'href="../index.html"' in (folder / "proofs/index.html").read_text(encoding="utf-8")


def test_the_page_counts_what_the_reports_found(folder):
    text = write_start(folder).read_text(encoding="utf-8")
    said = "11 satisfy the level asked for, 12 violate it, and 13 were audited without a level."
    assert f"reveals most: {said}" in text
    assert "The kernel refused 18 of 17 certificates" in text
    claims = synthetic.every_kind()
    verdicts = [each["verdict"] for each in claims]
    assert f"{len(claims)} claims: " in text
    assert f"{verdicts.count('REFUTED')} refuted" in text
    errors = sum(each["verdict"] == "REFUTED" and each["printed"] and each["paper"] == "paper" for each in claims)
    assert re.search(rf'data-label="Errors found: ">{errors}<', text)


def test_the_page_opens_with_the_factors_of_the_smart_meter_if_it_is_audited(tmp_path):
    def audit(framework, ratio):
        files = {"framework": framework, "mechanism": "mechanism-response.json"}
        answer = {"leakage": {"ratio": ratio}}
        return {"example": "correlated/smart-meter", "files": files, "audit": answer}

    (tmp_path / "audits").mkdir()
    found = [audit("framework-independent.json", "3"), audit("framework.json", "702/31")]
    for audits, bars in ((found, 2), (found[:1], 0), ([*found[:1], audit("framework.json", None)], 0)):
        report = AUDITS | {"audits": audits}
        (tmp_path / "audits" / "report.json").write_text(json.dumps(report), encoding="utf-8")
        text = write_start(tmp_path).read_text(encoding="utf-8")
        assert text.count('class="bar ') == bars
        said = "is 3-to-1 private if half-hours are independent is 22.65-to-1"
        assert (said in text) == bool(bars)


def test_the_same_reports_give_the_same_bytes_and_benchmarks_are_escaped(folder, tmp_path):
    (tmp_path / "times.md").write_text(TABLE, encoding="utf-8")
    first = write_start(folder).read_bytes()
    assert write_start(folder).read_bytes() == first
    text = write_start(folder, tmp_path / "times.md").read_text(encoding="utf-8")
    assert "The table, 2 rows" in text
    assert "Measured once." in text
    assert "&lt;b&gt;" in text
    assert re.findall(r"https?://|<script", text) == []


def test_another_page_and_a_folder_without_reports_are_refused(folder, tmp_path):
    with pytest.raises(ModelError, match="has no reports; write one with"):
        write_start(tmp_path)
    (folder / "index.html").write_text("mine", encoding="utf-8")
    with pytest.raises(ModelError, match="exists and is not a start page"):
        write_start(folder)
    assert (folder / "index.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nested too deeply: write fewer lists and objects inside one another"),
        (json.dumps({**AUDITS, "summary": {}}), 'summary: missing key "audits"'),
        (json.dumps({**AUDITS, "ledger": None}), "ledger: expected a list in [ ], found null"),
        (
            json.dumps({"format": PROOFS, "partial": False, "summary": {"claims": "x"}}),
            'summary.claims: expected a whole number, found "x"',
        ),
    ],
)
def test_a_damaged_report_is_refused_by_name(text, said, tmp_path, run):
    (tmp_path / "audits").mkdir()
    (tmp_path / "audits" / "report.json").write_text(text, encoding="utf-8")
    code, out, err = run("report", "--start", str(tmp_path))
    assert (code, out) == (2, "")
    assert err == f"pufferproof: {tmp_path / 'audits' / 'report.json'}: {said}\n"
    assert not (tmp_path / "index.html").exists()


def test_a_file_without_a_table_is_refused(tmp_path):
    (tmp_path / "none.md").write_text("# No table\n", encoding="utf-8")
    with pytest.raises(ModelError, match="expected a table"):
        markdown_table(tmp_path / "none.md")
    with pytest.raises(ModelError, match="cannot be read"):
        markdown_table(tmp_path / "missing.md")


def test_the_command_says_where_the_page_is(folder, run):
    code, out, err = run("report", "--start", str(folder))
    assert (code, err) == (0, "")
    assert out == f"start: {folder.resolve() / 'index.html'}\n"


NAMED = {"bai2026.ab": "DEFINITION", "bai2026.lem2": "TRIED", "lemma.one": "PROVED"}


@pytest.fixture
def recorded(monkeypatch):
    """Return results of three claims whose verdicts are recorded."""
    (first, *_) = synthetic.every_kind()
    results = [first | {"id": name, "verdict": verdict} for name, verdict in NAMED.items()]
    monkeypatch.setattr(record, "recorded", lambda at=None: record.verdicts(results))
    return results


def text_of(page):
    return " ".join(page.read_text(encoding="utf-8").split())


def test_while_claims_are_checked_the_page_has_what_is_recorded_and_how_far_the_check_is(folder, recorded, monkeypatch):
    monkeypatch.setattr(watching, "_SECONDS", 0)
    watched = Watched(str(folder), None, f"{folder}/proofs", [])
    text = text_of(watched.write())
    assert re.search(r"when this page was written, at \d\d:\d\d:\d\d \S+ on \d\d \S+ \d{4}\.", text)
    assert "The recorded verdicts are 1 proved, 1 tried, 1 definition." in text
    assert 'Recorded as refuted: ">0<' in text
    assert 'Recorded claims: ">2<' in text
    assert 'An earlier run left <a href="proofs/index.html">its report</a>' in text
    assert "Errors found" not in text
    watched.done(recorded[0], 3)
    text = text_of(folder / "index.html")
    assert "1 of 3 were done, all with the recorded verdict" in text
    watched.done(recorded[1] | {"verdict": "OPEN"}, 3)
    text = text_of(folder / "index.html")
    assert "2 of 3 were done, and 1 differed from the record (bai2026.lem2)" in text
    text = text_of(write_start(folder))
    assert "being checked" not in text
    assert "Errors found" in text
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


def test_only_what_is_asked_for_counts_as_recorded(folder, recorded):
    text = text_of(Watched(str(folder), None, f"{folder}/proofs", ["bai2026"]).write())
    assert "The recorded verdicts are 1 tried, 1 definition." in text


def test_the_page_is_not_written_for_every_claim(folder, recorded, monkeypatch):
    watched = Watched(str(folder), None, f"{folder}/proofs", [])
    watched.write()
    before = text_of(folder / "index.html")
    watched.done(recorded[0], 3)
    assert text_of(folder / "index.html") == before
    watched.done(recorded[1], 3)
    watched.done(recorded[2], 3)
    assert "3 of 3 were done" in text_of(folder / "index.html")


@pytest.mark.parametrize("interrupted", [False, True])
def test_prove_keeps_the_page_and_an_interrupted_run_leaves_a_true_one(tmp_path, run, monkeypatch, interrupted):
    (tmp_path / "audits").mkdir()
    (tmp_path / "audits" / "report.json").write_text(json.dumps(AUDITS), encoding="utf-8")
    seen = []

    def run_claims(claims, *, done, **_):
        seen.append(text_of(tmp_path / "index.html"))
        done(found := synthetic.every_kind()[0] | {"id": claims[0].id})
        if interrupted:
            raise KeyboardInterrupt
        return [found]

    monkeypatch.setattr(running, "run_claims", run_claims)
    folder = str(tmp_path)
    command = ["prove", "bai2026.ab", "--no-cache", "--summary", "--start", folder]
    code, out, _ = run(*command, "--out", f"{folder}/proofs")
    page = (tmp_path / "index.html").resolve()
    assert f"start: {page} (claims are being checked)\n" in out
    assert f"\nstart: {page}\n" in out
    assert "Claims were being checked" in seen[0]
    assert "1 definition" in seen[0]
    assert code == (130 if interrupted else 0)
    text = text_of(page)
    assert "being checked" not in text
    assert "1 claim: " in text
    assert ("incomplete because the run was interrupted" in text) == interrupted


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--start", "."], "--start: needs --out DIR, a folder inside it, as well"),
        (["--start", "a", "--out", "b"], "--start: expected the folder that --out b is in"),
        (["--benchmarks", "b.md", "--out", "b"], "--benchmarks: needs --start"),
        (["--start", ".", "--out", "b", "--claims", "mine.py"], "--start: expected claims of this"),
    ],
)
def test_a_start_page_elsewhere_is_refused_before_anything_runs(run, options, said):
    code, out, err = run("prove", "bai2026.ab", *options)
    assert (code, out) == (2, "")
    assert said in err


def test_a_table_of_benchmarks_without_an_end_is_refused_before_it_is_read(folder):
    with pytest.raises(ModelError, match="/dev/zero: expected at most 10000000 bytes"):
        write_start(folder, "/dev/zero")
