"""`report --start` links every report of a folder, says what stands in them, and replaces no other
page.
"""

import json
import re

import pytest
from tests.reports import results as synthetic

from pufferproof.models.errors import ModelError
from pufferproof.reports.page.site import FORMAT
from pufferproof.reports.page.start import PROOFS, StartPage, markdown_table
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
TABLE = (
    "# Times\n\nMeasured once.\n\n| what | time |\n|---|---|\n| `a` | 1 s |\n| <b> | 2 s |\n\nEnd\n"
)


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
        synthetic.every_kind(),
        folder / "out" / "proofs",
        catalogue={"paper": ["paper.refuted"]},
        home="../index.html",
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
    errors = sum(
        each["verdict"] == "REFUTED" and each["printed"] and each["paper"] == "paper"
        for each in claims
    )
    assert re.search(rf'data-label="Errors found: ">{errors}<', text)


def test_the_page_opens_with_the_factors_of_the_smart_meter_if_it_is_audited(tmp_path):
    def audit(framework, ratio):
        files = {"framework": framework, "mechanism": "mechanism-response.json"}
        answer = {"leakage": {"ratio": ratio}}
        return {"example": "correlated/smart-meter", "files": files, "audit": answer}

    (tmp_path / "audits").mkdir()
    found = [audit("framework-independent.json", "3"), audit("framework.json", "702/31")]
    for audits, bars in (
        (found, 2),
        (found[:1], 0),
        ([*found[:1], audit("framework.json", None)], 0),
    ):
        report = AUDITS | {"audits": audits}
        (tmp_path / "audits" / "report.json").write_text(json.dumps(report), encoding="utf-8")
        text = write_start(tmp_path).read_text(encoding="utf-8")
        assert text.count('class="bar ') == bars
        assert ("is 3-to-1 private for independent half-hours is 22.6-to-1" in text) == bool(bars)


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
    with pytest.raises(ModelError, match="exists and is no start page"):
        write_start(folder)
    assert (folder / "index.html").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "nested too deeply: write fewer lists and objects inside one another"),
        (json.dumps({**AUDITS, "summary": {}}), 'summary: missing key "audits"'),
        (json.dumps({**AUDITS, "ledger": None}), "ledger: expected a valid list, found None"),
        (
            json.dumps({"format": PROOFS, "partial": False, "summary": {"claims": "x"}}),
            "summary.claims: expected a valid integer, found 'x'",
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
