"""Printed formulas on pages and in letters: nothing of LaTeX is left, lines may end, and what
differs from a repair is marked. Names of claims, and the records of counterexamples.
"""

from xml.etree import ElementTree

import pytest
from tests.claims.examination import prints_of

from pufferproof.claims.language.printed import PAPERS, symbols_of
from pufferproof.claims.registry import load_claims
from pufferproof.reports.proofs.counterexamples.shown import records_drawings
from pufferproof.reports.proofs.papers.shown import WIDTH, formula_lines
from pufferproof.reports.proofs.papers.titles import is_numbered, title_of
from pufferproof.reports.proofs.papers.typesetting import differing, lines_markup, parts_of, tree_of

WRITTEN = sorted(path.parent.name for path in PAPERS.glob("*/notation.claims"))


@pytest.mark.parametrize("paper", WRITTEN)
def test_every_printed_formula_is_text_and_markup_without_latex(paper):
    for printed in prints_of(paper).values():
        for latex in filter(None, (printed.formula, printed.repaired)):
            lines = formula_lines(latex)
            assert not any(sign in line for line in lines for sign in "\\$")
            assert max(map(len, lines)) <= WIDTH + 8
            for part in parts_of(latex):
                shown = str(lines_markup(part)).replace("<wbr>", "")
                whole = "".join(ElementTree.fromstring(f"<p>{shown}</p>").itertext())
                said = "".join(tree_of(part).itertext())
                assert "".join(whole.split()) == "".join(said.split())


@pytest.mark.parametrize("paper", WRITTEN)
def test_a_formula_and_its_repair_differ_where_they_are_marked_and_nowhere_else(paper):
    for printed in prints_of(paper).values():
        if not printed.repaired:
            continue
        one, other = differing(printed.formula, printed.repaired)
        if not any(one) and not any(other):
            continue
        kept = [
            [
                (leaf.text or "").strip()
                for part, marked in zip(parts_of(latex), marks, strict=True)
                for number, leaf in enumerate(leaves(part))
                if number not in marked
            ]
            for latex, marks in ((printed.formula, one), (printed.repaired, other))
        ]
        assert kept[0] == kept[1]


def leaves(part):
    names = ("mi", "mn", "mo", "mtext")
    return [each for each in tree_of(part).iter() if each.tag.rpartition("}")[2] in names]


def test_signs_that_differ_are_underlined_in_text_and_marked_on_pages():
    printed, repaired = r"R = \min\{a, 2 b - 1\}", r"R = \min\{a, 2 b - 2\}"
    one, other = differing(printed, repaired)
    assert formula_lines(printed, one) == ["R = min{a, 2b − 1}", " " * 16 + "^"]
    assert formula_lines(repaired, other) == ["R = min{a, 2b − 2}", " " * 16 + "^"]
    assert '<mn class="differs">1</mn>' in lines_markup(printed, one[0])
    assert differing(printed, r"x \in \Theta")[0] == (frozenset(),)
    assert differing(printed, "") == ((frozenset(),), ())


@pytest.mark.parametrize(
    ("latex", "lines"),
    [
        (r"\frac{a + 1}{2 b} \le \sqrt{c}", ["(a + 1)/2b ≤ √c"]),
        (r"a > 0 \implies |x| < P(y | z)", ["If a > 0", "then |x| < P(y | z)"]),
        (r"\begin{cases} 0 & a < 1, \\ 1 & \text{otherwise} \end{cases}", ["{ 0 if a < 1;", "    1 otherwise }"]),
        (r"\log \frac{a}{b} \quad \hat{x}_{t+1}^2", ["log (a/b)", "x\u0302ₜ₊₁²"]),
        (r"\unknown{x}", [r"\unknown{x}"]),
    ],
)
def test_a_formula_is_written_in_lines(latex, lines):
    assert formula_lines(latex) == lines


def test_claims_are_called_by_their_numbers_or_places():
    claims, named = load_claims(), dict[str, list[str]]()
    for paper in WRITTEN:
        for name, printed in prints_of(paper).items():
            claim = claims[name]
            title = title_of(claim.where, printed.place, claim.kind)
            if is_numbered(title):
                named.setdefault(f"{paper} {title}", []).append(name)
    assert named["massny2025 Theorem 2"] == ["massny2025.thm2"]
    assert [names for names in named.values() if len(names) > 1] == []


def test_symbols_are_those_of_the_paper():
    assert symbols_of("massny2025")["D*"] == "Δ⋆"
    assert symbols_of("nobody") == symbols_of("../massny2025") == {}


@pytest.mark.parametrize("n", range(2, 8))
def test_as_many_records_are_drawn_as_redacted_as_distances_say(n):
    for p in range(1, n + 1):
        for left in range(1, n):
            for right in range(1, n):
                evidence = {"n": n, "p": p, "l, r": [left, right]}
                (drawing,) = records_drawings(evidence, "massny2025.thm2")
                hidden = [t for t in range(1, n + 1) if p - left < t < p + right]
                assert str(drawing["svg"]).count("∗</text>") == len(hidden)


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        ({"n": 3, "p": 1, "l, r": [None, 1]}, "massny2025.thm2"),
        ({"n": 3, "p": "9/10", "l, r": [1, 1]}, "massny2025.thm2"),
        ({"n": 3, "p": 4, "l, r": [1, 1]}, "massny2025.thm2"),
        ({"n": 99, "p": 4, "l, r": [1, 1]}, "massny2025.thm2"),
        ({"n": 3, "p": 1, "l, r": [1, 1]}, "mine.thm2"),
        ({"n": 3, "p": 1, "regions": "LX"}, "massny2025.thm2"),
        ({}, "massny2025.thm2"),
    ],
)
def test_no_records_are_drawn_where_evidence_does_not_say_enough(evidence, claim):
    assert records_drawings(evidence, claim) == []
