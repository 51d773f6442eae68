"""A document as a page: every theorem with its verdict, formulas as they were parsed, and what a
user's document says is printed. What a page does not know is shown as it is written.
"""

import json
import re
from dataclasses import dataclass, replace

import pytest
from tests.reports.results import ATTACK

from pufferproof.claims import registry
from pufferproof.claims.document.parts import Code
from pufferproof.claims.document.reader import read
from pufferproof.claims.registry import load_claims
from pufferproof.reports.proofs import record
from pufferproof.reports.proofs.papers.typesetting import lines_markup
from pufferproof.reports.proofs.sections import site
from pufferproof.reports.proofs.sections.blocks import parsed
from pufferproof.reports.proofs.sections.found import _KNOWN, Section

FIELDS = {
    "print": "Section 2, Theorem 1",
    "formula": "x^2 < 9",
    "ours": "We read x as at most 3.",
    "repaired": r"x^2 \le 9",
    "cause": "The inequality is strict.",
    "breaks": "guarantee",
    "because": "The noise is too small.",
    "instead": "The converse has no repair.",
}
OWN = f"""# Two numbers {ATTACK}

Prose {ATTACK} of R >= 1.

letters:
  a, b: two numbers {ATTACK}
  0 <= r <= 1: a chance

symbols:
  Inf: ℐ

notation:
  M: the mechanism {ATTACK}

hypothesis LARGE: the number is large {ATTACK} :: u ** 2 >= 1

family ones: Ones {ATTACK}.
  u = below(2)
  give: u; v = 1

program PAIRS over ones
  given: LARGE
  needs the numbers differ {ATTACK}: u != v
  holds (most=1): u + v <= most
  not one less {ATTACK}: most = 0

linked MEAN: a mean {ATTACK}
  index x: the databases
  given p[x] >= 0: a weight
  if a bound: p <= 2
  sum M over x: p -- the sum
  then the mean: M <= 3 by a bound

let LARGEST = 3
  the largest {ATTACK}

## own.means | Section 1 | lemma

print: Section 1, the display
formula: 2 a b \\le a^2 + b^2
ours: As Inf does. See own.squares, massny2025 and own.none.
if: a > b; q < 1
then: 2*a*b < a^2 + b^2
why: A square {ATTACK}.

## own.squares | Section 2 | theorem

The square of every whole number from 0 to 3 is below 9 {ATTACK}.

{chr(10).join(f"{key}: {text}" for key, text in FIELDS.items())}
reading as stated | one counterexample
  false: three -- Take x = 3 {ATTACK}
  at: x = LARGEST; squares = [0, 1, 4, 9]
  by: square(LARGEST) >= 9
why: 3 is one of them.

```python
def square(x: int) -> int:
    \"\"\"x^2 {ATTACK}.\"\"\"
    return x * x
```
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Return the folder of the report of a user's document."""
    from pufferproof.reports import cli

    folder = tmp_path_factory.mktemp("own")
    (folder / "own.claims").write_text(OWN)
    command = ["prove", "--trust-code", "--claims", str(folder / "own.claims"), "--out", str(folder / "out")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "_CLAIMS", {**load_claims()})  # others see none of them
        assert cli._run(command) == 0
    return folder / "out"


def text_of(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html))


def test_every_theorem_has_the_verdict_of_the_json_and_links_there_and_back(report):
    page = (report / "sections" / "own.html").read_text()
    found = json.loads((report / "report.json").read_text())["claims"]
    assert [each["id"] for each in found] == ["own.means", "own.squares"]
    for each in found:
        section = page.partition(f'<h2 id="{each["id"]}">')[2].partition("</section>")[0]
        assert re.search(r'class="badge \w+[^>]*>. (\w+)', section)[1] == each["verdict"]
        assert f'href="../claims/{each["id"]}.html"' in section
        claim = (report / "claims" / f"{each['id']}.html").read_text()
        assert f'href="../sections/own.html#{each["id"]}"' in claim
    assert 'href="../sections/own.html"' in (report / "papers" / "own.html").read_text()


@pytest.mark.parametrize("page", ["sections/own.html", "claims/own.squares.html"])
def test_what_a_users_document_says_is_printed_is_shown(report, page):
    html = (report / page).read_text()
    text = text_of(html)
    for key in ("print", "cause", "because", "instead"):
        assert FIELDS[key] in text
    assert "We read x as at most 3." in text
    assert "breaks a guarantee" in text
    for formula in ("&lt;", "≤"):
        assert re.search(rf'<mo[^>]*class="differs"[^>]*>{formula}</mo>', html)


def test_symbols_and_notation_of_a_users_document_are_used(report):
    section, claim = ("sections/own.html", "claims/own.means.html")
    assert "As ℐ does." in text_of((report / section).read_text())
    assert "As ℐ does." in text_of((report / claim).read_text())


def test_no_page_has_markup_of_a_document(report):
    for path in report.rglob("*.html"):
        assert ATTACK not in path.read_text()
    page = (report / "sections" / "own.html").read_text()
    assert page.count("&lt;script&gt;") + page.count("&lt;") > 8


def test_the_counterexample_is_a_table_of_what_was_evaluated(report):
    page = (report / "sections" / "own.html").read_text()
    table = text_of(page.partition("<caption>Counterexample")[2].partition("</table>")[0])
    assert re.fullmatch(r" *x +3 +squares +0, 1, 4, 9 *", table)


def test_the_formula_shown_is_the_one_that_was_parsed(report):
    page = (report / "sections" / "own.html").read_text()
    for formula in ("a > b", "q < 1", "2*a*b < a^2 + b^2"):
        (latex,) = parsed(formula)
        assert str(lines_markup(latex)) in page


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("not (a = b) and c < 1", r"\left(\neg \left(a = b\right)\right) \wedge c < 1"),
        ("(a < 1 and b < 1) or c < 1", r"\left(a < 1 \wedge b < 1\right) \vee c < 1"),
        ("a < 1 implies b = 2", r"a < 1 \implies b = 2"),
        ("(a = b implies b < c) and c < 1", r"\left(a = b \implies b < c\right) \wedge c < 1"),
        ("a - (b - c) = -(a*b)", r"a - \left(b - c\right) = -\left(a b\right)"),
        ("(a + b)^2 <= c/4", r"\left(a + b\right)^{2} \le \frac{c}{4}"),
        ("a*(b*c) != 2*3", r"a \left(b c\right) \ne 2 \cdot 3"),
        ("(a^b)^c = (-x)^2", r"\left(a^{b}\right)^{c} = \left(-x\right)^{2}"),
        ("ratio*x_1 = exp(-t)", r"\mathrm{ratio} \cdot x_{1} = \exp\left(-t\right)"),
    ],
)
def test_formulas_have_the_brackets_with_which_they_were_parsed(text, latex):
    assert parsed(text) == [latex]
    assert lines_markup(latex) is not None


def shown(document, text):
    return Section(document, text, {}).view()["parts"]


def test_an_unknown_block_and_an_unknown_field_are_shown_as_they_are_written():
    @dataclass(frozen=True)
    class Other:
        line: int

    document = read(OWN)
    fence = next(each for each in document.parts if isinstance(each, Code))
    others = [Other(each.line - 1) if each is fence else each for each in document.parts]
    last = shown(replace(document, parts=tuple(others)), OWN)[-1]
    assert (last["kind"], last["source"][:23]) == ("unknown", "```python\ndef square(x:")

    claim = [*document.claims][1]
    inside = replace(claim, readings=(*claim.readings, Other(claim.readings[0].line)))
    (part,) = shown(replace(document, parts=(inside,)), OWN)
    assert part["body"][-1]["source"].startswith("reading as stated")
    assert part["body"][-1]["source"].endswith(">= 9")
    more = replace(claim, prints={**claim.prints, "later": "something"})
    assert "## own.squares" in shown(replace(document, parts=(more,)), OWN)[0]["written"]


def test_code_keeps_its_blank_lines_and_is_folded(pages):
    html = "".join(piece["html"] for piece in pages["song2017.mechanism.quilts"]["pieces"])
    assert "\n\ndef labellings" in html
    assert all("<details" in each for each in re.split("<pre", html)[:-1])


def test_every_field_that_is_said_to_be_shown_is_one():
    for kind, names in _KNOWN.items():
        assert {*names.split()} <= {*kind.__dataclass_fields__}


def test_a_block_is_shown_as_what_it_says_beside_its_source():
    found = {each["title"]: each for each in shown(read(OWN), OWN) if each["kind"] == "block"}
    rows = {
        title: {word: [(x["words"], x["code"] or x["formula"]["latex"]) for x in cells]}
        for title, each in found.items()
        for word, cells in each["rows"]
        if word in ("if", "is", "gives")
    }
    assert rows == {
        "Hypothesis LARGE": {"is": [("", "u^{2} \\ge 1")]},
        "Family ones": {"gives": [("", "u; v = 1")]},
        "Program PAIRS": {
            "if": [(f"the number is large {ATTACK}", "u^{2} \\ge 1"), (f"the numbers differ {ATTACK}", "u \\ne v")]
        },
        "Argument MEAN": {"if": [("a bound", "p_{x} \\le 2")]},
    }
    assert all(each["source"].startswith(("hyp", "fam", "pro", "lin")) for each in found.values())


def test_claims_and_papers_that_prose_names_are_links(report):
    html = (report / "sections" / "own.html").read_text()
    said = html.partition("About our words")[2].partition("</p>")[0]
    assert '<a href="../claims/own.squares.html">own.squares</a>' in said
    assert '<a href="https://arxiv.org/abs/' in said
    assert "own.none" in said
    assert said.count("<a ") == 2


@pytest.fixture(scope="module")
def pages():
    return {page["name"]: page for page in site.pages()}


def test_the_site_has_every_claim_of_a_document_with_the_recorded_verdict(pages):
    known, seen = record.recorded(), []
    for page in pages.values():
        for piece in page["pieces"][1:]:
            badge = re.search(r'class="badge [\w -]+">. (\w+)', piece["html"])
            verdict = known[piece["anchor"]]["verdict"]
            assert badge[1] == verdict, piece["anchor"]
            seen.append(piece["anchor"])
    own = {each.id for each in load_claims().values() if each.function.__code__ and each.own}
    files = {each: load_claims()[each].function.__code__.co_filename for each in own}
    assert sorted(seen) == sorted(name for name in own if files[name].endswith(".claims"))


def test_what_the_site_has_of_a_document_is_its_statements_and_reasons(pages):
    document = pages["song2017.mechanism.quilts"]
    html = "".join(piece["html"] for piece in document["pieces"])
    assert "Decide five readings" in html
    assert "Python: printed_pairs, labellings" in html
    assert '<a href="song2017.mechanism.quilts.html#song2017.lem-II5-repaired">' in html
    assert html.count("<caption>Counterexample</caption>") == 3


def test_a_print_field_of_a_user_that_is_wrong_is_refused_by_name(tmp_path, capfd):
    from pufferproof.reports import cli

    path = tmp_path / "wrong.claims"
    path.write_text(OWN.replace("own.", "wrong.").replace("breaks: guarantee", "breaks: all"))
    assert cli._run(["prove", "--trust-code", "--claims", str(path)]) == 2
    said = capfd.readouterr().err
    assert '"wrong.squares": expected breaks of guarantee, theorem,' in said
    assert f"{path}:" in said
