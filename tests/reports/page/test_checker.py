"""The page that checks certificates: it says of every file what the program says, in its colour,
and nothing of it runs if a letter is another one.
"""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from tests.kernel.unpack import unpacked

from pufferproof.reports import cli
from pufferproof.reports.explaining.checker import checker_page
from pufferproof.verify.certificates.formal import extracting

CORPORA = unpacked()
GOOD = "leakage/accept/at-most-attained.json"
SHOWN = {  # the class of a card, and how its answer begins
    GOOD: ("card accepted", "accepted: the leakage of the mechanism"),
    "leakage/reject/A2-above-the-level.json": ("card refused", "refused: "),
    "noise/accept/at-most.json": ("card accepted", "accepted: the leakage of 1 number"),
    "noise/accept/twice.json": ("card", "no answer: no rule for"),
    "redaction/accept/exact.json": ("card accepted", "accepted: "),
    "algebra/accept/farkas-equation.json": ("card accepted", "accepted: "),
}
HOSTILE = {
    "nan.json": '{"format": NaN}',
    "proto.json": '{"__proto__": {"kind": "leakage-at-most"}, "constructor": 1}',
    "script.json": '{"format": "</script><img src=x onerror=alert(1)>"}',
    "digits.json": '{"format": ' + "9" * 200_000 + "}",
    "nested.json": "[" * 100_000,
    "empty.json": "",
    "twice.json": '{"kind": "nfc", "kind": "rate"}',
}


def test_the_page_is_one_small_file_without_a_network():
    page = checker_page()
    assert len(page.encode()) < 200_000
    assert not re.search(r"(?:src|href)\s*=|https?:|@import|fetch\(|XMLHttp", _own(page))
    assert "unsafe" not in page.partition(">\n<title")[0]


def _own(page):
    """The page without the program that is extracted."""
    program = (Path(cli.__file__).parents[1] / "formal/browser/verified.js").read_text()
    assert program in page
    return page.replace(program, "")


def test_the_command_writes_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli._run(["check", "--page", "c.html"]) == 0
    assert (tmp_path / "c.html").read_text(encoding="utf-8") == checker_page()
    for words in (["x.json", "--page", "c.html"], ["--page", "d.html", "--json"], []):
        assert cli._run(["check", *words]) == 2
    assert not (tmp_path / "d.html").exists()


@pytest.fixture
def asked(start, tmp_path):
    """Return what the cards of the page say of files, newest last."""

    def said(paths, change=lambda page: page):
        browser = start()
        page = tmp_path / "checker.html"
        page.write_text(change(checker_page()), encoding="utf-8")
        browser.get(page.as_uri())
        chosen = browser.find_element("id", "files")
        chosen.send_keys("\n".join(map(str, paths)))
        script = "return [...document.querySelectorAll('.card')].map(c => [c.className, c.innerText])"
        for _ in range(200):
            cards = browser.execute_script(script)
            if len(cards) == len(paths):
                break
            browser.execute_async_script("setTimeout(arguments[0], 20)")
        return cards[::-1]

    return said


@pytest.mark.pages
def test_answers_have_their_colours(asked):
    cards = asked([CORPORA / name for name in SHOWN])
    for (found, text), (wanted, begins) in zip(cards, SHOWN.values(), strict=True):
        assert found == wanted
        assert text.partition("\n")[2].lstrip().startswith(begins)


@pytest.mark.pages
def test_hostile_files_are_answered_and_never_accepted(asked, tmp_path):
    for name, text in HOSTILE.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    cards = asked([tmp_path / name for name in HOSTILE])
    assert len(cards) == len(HOSTILE)
    assert not any("accepted" in found for found, _ in cards)


@pytest.mark.pages
def test_nothing_is_green_on_a_page_whose_program_was_altered(asked):
    def forged(page):
        return page.replace('"accepted: "', '"accepted:  "', 1)

    assert forged(checker_page()) != checker_page()
    assert asked([CORPORA / GOOD], forged) == []


@pytest.mark.pages
def test_certificates_in_the_page_are_checked_at_a_click(start, tmp_path):
    """Whatever their labels are; nothing has a colour before."""
    good = (CORPORA / GOOD).read_text(encoding="utf-8")
    label = good.replace('"u"', '"</script><b>"')
    bad = (CORPORA / "leakage/reject/A2-above-the-level.json").read_text(encoding="utf-8")
    page = tmp_path / "checker.html"
    texts = {"good": good, "label": label, "bad": bad, "long": good + " " * 70_000}
    page.write_text(checker_page(texts), encoding="utf-8")
    browser = start()
    browser.get(page.as_uri())
    script = "return [...document.querySelectorAll('.embedded')].map(card => card.className)"
    assert browser.execute_script(script) == ["card embedded"] * 4
    browser.find_element("id", "all").click()
    counted = browser.find_element("id", "counted")
    for _ in range(200):
        if counted.text.endswith("answer."):
            break
        browser.execute_async_script("setTimeout(arguments[0], 20)")
    assert counted.text == "2 accepted, 1 refused, 0 no answer."
    every = "return [...document.querySelectorAll('.card')].map(card => card.className)"
    assert browser.execute_script(every) == ["card accepted", "card accepted", "card refused", "card embedded"]


def test_a_report_has_a_page_with_its_certificates(tmp_path):
    examples = Path(cli.__file__).parents[1] / "examples" / "textbook"
    shutil.copytree(examples / "randomized-response", tmp_path / "in" / "randomized-response")
    options = ["--out", str(tmp_path / "out"), "--self-checking"]
    assert cli._run(["report", str(tmp_path / "in"), *options]) == 0
    page = (tmp_path / "out" / "checker.html").read_text(encoding="utf-8")
    for path in (tmp_path / "out" / "certificates").rglob("*.json"):
        assert f"certificates/{path.name}</strong>" in page
    shown = re.sub("<script.*?</script>", "", page, flags=re.DOTALL)
    part = shown.partition("Certificates of this report")[2].partition("What an answer says")[0]
    assert "not checked in this page" in part
    assert "accepted" not in part
    assert 'href="checker.html"' in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")


def test_what_is_shipped_is_what_its_sources_were():
    """Who changes a source writes the program again: EXTRACT=record make extract."""
    formal = Path(cli.__file__).parents[1] / "formal"
    built = json.loads((formal / "browser" / "BUILT.json").read_text(encoding="utf-8"))
    program = (formal / "browser" / "verified.js").read_bytes()
    assert built["program"] == hashlib.sha256(program).hexdigest()
    made = extracting.made_of(formal)
    assert {name: built[name] for name in made} == made
    assert set(built) == {"program", "tools", *made}
