"""Sentences are set as mathematics sets them, on pages and in letters, and nothing else changes."""

import pytest

from pufferproof.reports.proofs.files.letter import say
from pufferproof.reports.proofs.papers.typesetting import plain, typeset

SYMBOLS = {"D*": "Δ⋆", "Inf": "ℐ", "R1": "R_1"}


def i(text):
    return f"<i>{text}</i>"


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("theta in Theta, pimin and pi", "θ in Θ, pimin and π"),
        ("eps_k of sum_k eps_k", f"ϵ<sub>{i('k')}</sub> of ∑<sub>{i('k')}</sub> ϵ<sub>{i('k')}</sub>"),
        ("e^(-F/sigma)", f"{i('e')}<sup>−{i('F')}/σ</sup>"),
        ("X_{i-1} - 1", f"{i('X')}<sub>{i('i')}−1</sub> − 1"),
        ("L*_K, x_", f"{i('L')}*<sub>{i('K')}</sub>, x_"),
        ("e^(max_i b)", f"{i('e')}<sup>max<sub>{i('i')}</sub> {i('b')}</sup>"),
        ("e^eps_B", f"{i('e')}<sup>ϵ<sub>{i('B')}</sub></sup>"),
        ("sum_{i in M_t} q", f"∑<sub>{i('i')} ∈ {i('M')}<sub>{i('t')}</sub></sub> {i('q')}"),
        ("<b>_x & 1", f"&lt;{i('b')}&gt;_x &amp; 1"),
        ("a mechanism, a = 1, e.g. I", f"a mechanism, {i('a')} = 1, e.g. I"),
        ("real R, a, b: R*a", f"real {i('R')}, {i('a')}, {i('b')}: {i('R')}·{i('a')}"),
        ("R*(w*b + (1 - w)*d)", f"{i('R')}·({i('w')}·{i('b')} + (1 − {i('w')})·{i('d')})"),
        ("the paper's Appendix A-B, Section IV-B", "the paper's Appendix A-B, Section IV-B"),
        ("scaled_change, one-hot, 1-Lipschitz", "scaled_change, one-hot, 1-Lipschitz"),
        ("2D*(eps/2)-1 and R1", f"2Δ⋆(ϵ/2)−1 and {i('R')}<sub>1</sub>"),
        ("X_p~>X_n", f"{i('X')}<sub>{i('p')}</sub> ⇝ {i('X')}<sub>{i('n')}</sub>"),
    ],
)
def test_a_sentence_is_typeset_where_it_is_plain(text, markup):
    assert str(typeset(text, SYMBOLS)) == markup


@pytest.mark.parametrize("text", ["x_{", "^2", "_", "x^(", "x_{a", "e^{}", "∑_", "a^b^c_d_{e}", "\x00<u>"])
def test_odd_text_is_shown_and_nothing_in_it_is_markup(text):
    shown = str(typeset(text))
    assert "<u>" not in shown
    assert shown.count("<") == shown.count(">")
    assert "\x00" not in shown
    assert isinstance(plain(text), str)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("X_p~>X_n, eps <= R1 - 2^t", "Xₚ ⇝ Xₙ, ϵ ≤ R₁ − 2ᵗ"),
        ("X_A of *bold* and `code`", r"X_A of \*bold\* and \`code\`"),
        ("<script> and [a](b), [0, 1]", r"\<script> and [a\](b), [0, 1]"),
        ("sum_{t in M} q_t, prod_A q", "∑[t ∈ M] qₜ, ∏[A] q"),
    ],
)
def test_a_letter_has_mathematics_in_unicode_and_escapes_what_markdown_reads(text, shown):
    assert say(text, SYMBOLS) == shown
