"""Formulas on a page: safe, faithful to what was decided, and laid out as assumptions and
conclusion.
"""

import re

import pytest

from pufferproof.reports.proofs.sentences import formula_markup


@pytest.mark.parametrize(
    ("mathml", "text"),
    [
        ("<mi><script>alert(1)</script></mi>", "<script>alert(1)</script>"),
        ("<mi></mi><mo>+</mo><mi></mi>", "</mi><mo>+</mo><mi>"),
        ("<mi>a</mrow>", "a"),
        ("<mi>&lt;b&gt;</mi>", "&lt;b&gt;"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x__2"),
        ("<mrow><mi>p</mi><mo>(</mo><mi>x</mi><mo>)</mo></mrow>", "P(x)"),
        ("<mrow>loose<mi>x</mi></mrow>", "x"),
        ("<mi>a\u202eb</mi>", "a\u202eb"),
        (None, "x"),
    ],
)
def test_a_formula_that_cannot_be_typeset_faithfully_is_shown_as_text(mathml, text):
    assert formula_markup(mathml, text) is None


def test_sums_keep_their_parentheses_and_attributes_are_dropped():
    minus = '<mrow><mo>-</mo><mrow><mi onclick="x">a</mi><mo>+</mo><mi>b</mi></mrow></mrow>'
    shown = str(formula_markup(minus, "-(a + b)").rows[0][1][0])
    assert re.sub("<[^>]*>", "", shown) == "−(a+b)"
    assert "onclick" not in shown


def test_implications_are_laid_out_in_rows():
    import sympy
    from sympy.printing.mathml import mathml

    a, b, c = sympy.symbols("a b c")
    inner = sympy.Implies(c > 0, sympy.And(a > c, b > c), evaluate=False)
    formula = sympy.Implies(sympy.And(a > 0, b > 0), inner, evaluate=False)
    rows = formula_markup(mathml(formula, printer="presentation"), str(formula)).rows
    assert [(word, len(parts)) for word, parts in rows] == [("If", 2), ("and if", 1), ("then all of", 2)]


def shown(mathml, text):
    return str(formula_markup(mathml, text).rows[0][1][0])


def test_rows_that_show_nothing_are_left_out_and_those_that_group_stay():
    sums = "<mrow><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mo>=</mo><mi>c</mi></mrow>"
    assert "mrow" not in shown(sums, "a + b = c")
    fenced = "<mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow>"
    assert fenced in shown(f"<mrow><mi>c</mi><mo>=</mo>{fenced}</mrow>", "c = (a)")
    signed = "<mrow><mo>-</mo><mi>a</mi></mrow>"
    kept = "<mrow><mo>−</mo><mi>a</mi></mrow>"
    assert kept in shown(f"<mrow><mi>c</mi><mo>=</mo>{signed}</mrow>", "c = -a")
    fraction = "<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac>"
    assert shown(fraction, "(a + 1)/2") == f"<math>{fraction}</math>"


def test_factors_stand_side_by_side_but_digits_are_kept_apart():
    times = "<mo>\u2062</mo>"
    assert shown(f"<mrow><mi>a</mi>{times}<mi>b</mi></mrow>", "a b") == ("<math><mi>a</mi><mi>b</mi></math>")
    power = "<msup><mn>2</mn><mi>k</mi></msup>"
    assert shown(f"<mrow><mn>3</mn>{times}{power}</mrow>", "3 2^k".replace("^", "**")) == (
        f"<math><mn>3</mn><mo>·</mo>{power}</math>"
    )


@pytest.mark.parametrize(("letters", "wide"), [(8, False), (18, False), (21, True)])
def test_a_formula_wider_than_a_phone_is_reached_by_keyboard(letters, wide):
    """Some 15 pixels a letter, of which a phone shows 330."""
    sums = "<mo>+</mo>".join(["<mi>x</mi>"] * (letters // 2 + letters % 2))
    assert formula_markup(f"<mrow>{sums}</mrow>", "x").is_wide is wide
