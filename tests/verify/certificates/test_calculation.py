"""Formulas about counterexamples: what they read, how they are evaluated, and that Coq agrees.

Words are compared with `brute` definitions written here; files for Coq that were changed must be
refused.
"""

import re
import shutil
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pufferproof.models.errors import CertificateError
from pufferproof.verify.certificates.calculation import WORDS, calculated, holds, named
from pufferproof.verify.certificates.formal import NotChecked
from pufferproof.verify.certificates.formal.exported import proved

coq = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed")
EVIDENCE = {
    "P": [["3/4", "1/4"], ["1/5", "4/5"]],
    "law of X_1": {"0": "1/3", "1": "2/3"},
    "e^eps": Fraction(3, 2),
    "step": "1/2 1/2; 0 1",
    "n": 3,
    "name": "no number",
    "yes": True,
}
TRUE = (
    "largest_ratio(power(P, 2)) < largest_ratio(P) = 15/4 and e_eps^2 = 9/4",
    "entry(times(P, bits(1/2, 1/3)), 0, 1) = 3/4*1/2 + 1/4*2/3",
    "item(after(law_of_X_1, P), 0) = 1/3*3/4 + 2/3*1/5",
    "dot(row(P, 0), column(P, 1)) = 3/4*1/4 + 1/4*4/5 and sum(row(step, 0)) = 1",
    "excess(row(P, 0), row(P, 1), 2) = 3/4 - 2/5 and product(law_of_X_1) = 2/9",
    "entry(backwards(law_of_X_1, P), 0, 1)*(1/3*3/4 + 2/3*1/5) = 2/3*1/5",
    "largest_ratio(both(P, P)) = (3/4)^2/(1/5)^2 and least(law_of_X_1) = 1/3",
    "ratio_of_column(rows(columns(P), 2), 0) = 3",
    "largest(pointwise(row(P, 0), row(P, 1))) = 1/5",
    "-n/e_eps <= -2 != 1 > 0",
)
FALSE = ("e_eps > 2", "largest_ratio(P) < 3", "n = 3 and n = 4")


def test_a_true_formula_holds():
    for formula in TRUE:
        assert holds(formula, named(EVIDENCE))


@pytest.mark.parametrize("formula", FALSE)
def test_a_false_formula_does_not_hold_and_has_no_file(formula):
    assert not holds(formula, named(EVIDENCE))
    with pytest.raises(CertificateError, match="the formula is false"):
        calculated(formula, named(EVIDENCE), "x")


def test_what_is_no_formula_is_refused_in_one_line():
    for formula, words in [
        ("n", "expected a comparison"),
        ("n = ", "expected a formula"),
        ("n < 4 or n > 5", "expected a comparison"),
        ("m = 1", "no value of the counterexample"),
        ("name = 1", "no value of the counterexample"),
        ("yes = 1", "no value of the counterexample"),
        ("1/(n - 3) = 1", "division by 0"),
        ("P = 1", "expected a number"),
        ("largest(P) = 1", "expected a row"),
        ("open(n) = 1", "expected one of sum"),
        ("n.real = 1", "expected one of sum"),
        ("entry(P, 0) = 1", "expected 3 arguments"),
        ("entry(P, 2, 0) = 1", "index out of range"),
        ("n^(1/2) = 1", "expected 0, 1"),
        ("n^100000 > 1", "expected 0, 1"),
        ("n % 2 = 1", "expected [+]"),
        ("'n' = 1", "expected one of sum"),
        ("n = " + "1 + " * 2000 + "1", "at most"),
    ]:
        with pytest.raises(CertificateError, match=words) as refusal:
            holds(formula, named(EVIDENCE))
        assert "\n" not in str(refusal.value)


rows = st.lists(st.fractions(Fraction(1, 9), 3, max_denominator=9), min_size=2, max_size=2)
tables = st.lists(rows, min_size=2, max_size=2)


@given(tables, tables, rows)
def test_words_are_what_their_definitions_say(left, right, law):
    one, other = (tuple(map(tuple, each)) for each in (left, right))
    pairs = list(product(range(2), repeat=2))
    squared = WORDS["times"].means(one, other)
    assert all(squared[i][j] == sum(one[i][k] * other[k][j] for k in (0, 1)) for i, j in pairs)
    largest = max(one[i][j] / one[k][j] for i, j in pairs for k in (0, 1))
    assert WORDS["largest_ratio"].means(one) == largest
    joint = WORDS["both"].means(one, other)
    assert all(list(joint[i]) == [x * y for x in one[i] for y in other[i]] for i in (0, 1))
    back = WORDS["backwards"].means(tuple(law), one)
    assert all(back[y][x] * sum(law[k] * one[k][y] for k in (0, 1)) == law[x] * one[x][y] for x, y in pairs)
    events = [[x for x in (0, 1) if code >> x & 1] for code in range(4)]
    most = max(sum(one[0][y] - 2 * one[1][y] for y in event) for event in events)
    assert WORDS["excess"].means(one[0], one[1], Fraction(2)) == most
    assert WORDS["power"].means(one, 3) == WORDS["times"].means(WORDS["times"].means(one, one), one)


@coq
def test_coq_computes_every_true_formula(tmp_path):
    text = calculated(" and ".join(TRUE), named(EVIDENCE), "x")
    assert all(f"{word} " in text for word in WORDS)
    assert proved(tmp_path, text, tmp_path) == []


@coq
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(3 # 2)", "(2 # 1)"),  # a value of the evidence
        ("(15 # 4)", "(14 # 4)"),
        ("(largest_ratio the_P)", "(largest_ratio (power the_P 0%nat))"),
        ("fold_right smaller (hd 0 v) v", "hd 0 v"),  # a word that means another thing
    ],
)
def test_coq_refuses_a_file_that_was_changed(tmp_path, old, new):
    text = calculated(TRUE[0], named(EVIDENCE), "x")
    assert old in text
    with pytest.raises(NotChecked, match="coqc refused"):
        proved(tmp_path, text.replace(old, new, 1), tmp_path)


@coq
def test_coq_does_not_take_division_by_0_for_a_number(tmp_path):
    text = calculated("n/e_eps > 1", named(EVIDENCE), "x")
    changed = re.sub(r"the_e_eps : Q := .*", "the_e_eps : Q := 0.", text).replace("1 # 1", "-1 # 1")
    with pytest.raises(NotChecked, match="coqc refused"):
        proved(tmp_path, changed, tmp_path)
