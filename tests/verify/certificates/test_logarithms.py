"""Hints for sums of logarithms: they enclose, they agree with powers, and what is too close is
refused.
"""

import json
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.kernel.cases import accepted

from pufferproof.models.errors import CertificateError
from pufferproof.verify.certificates.export.exponentials import looked
from pufferproof.verify.certificates.export.logarithms import Sum, enclosed, hints
from pufferproof.verify.certificates.export.writing import exported
from pufferproof.verify.kernel.rates import logarithm

BITS = 256


@pytest.mark.parametrize("precision", [40, 80])
@pytest.mark.parametrize("q", [2, 3, 4, 7, 1000, 2**61 - 1, 10**40])
def test_an_enclosure_holds_the_kernels_logarithm(q, precision):
    found = enclosed([q], precision)
    (low, high), (least, most) = found.table[q], logarithm(q, BITS)
    assert low << BITS < least * found.scale
    assert most * found.scale < high << BITS
    assert high - low < 8


terms = st.lists(st.tuples(st.integers(-6, 6), st.integers(1, 30)), min_size=1, max_size=5)


@examples(200)
@given(terms, st.booleans())
def test_a_table_says_no_more_than_powers(parts, strict):
    above = below = 1
    for n, q in parts:
        above, below = above * q ** max(n, 0), below * q ** max(-n, 0)
    true = above < below or (above == below and not strict)
    one, found = Sum(parts, Fraction(0), strict), enclosed(range(2, 31), 40)
    if above != below:  # products this short are told apart
        assert one.by_table(found.scale, found.table) == true
    elif any(n and q > 1 for n, q in parts):
        assert not one.by_table(found.scale, found.table)


def test_equal_powers_are_compared_as_powers_however_long():
    tie = Sum([(1200, 2), (-600, 4)], Fraction(0), strict=False)
    found = hints([tie])
    assert tie.bits() < found.limit
    assert not found.table


def test_a_level_too_close_to_the_mean_is_not_exported():
    data = json.loads(accepted("rates", "nfc-violation-nats").read_bytes())
    with localcontext() as context:
        context.prec = 90
        close = (Decimal(4) / 3).ln() / 2
        data["claim"]["levels"] = [{"nats": str(close - Decimal("1e-80"))}]
    with pytest.raises(CertificateError, match="too close to their bounds"):
        exported(json.dumps(data).encode(), "close")


def test_bounds_of_exponentials_are_found_on_both_sides():
    e = Fraction("2.718281828")
    assert looked(Fraction(1), e, above=True).coq().startswith("(Looked 1 1 ")
    assert looked(Fraction(-1), 1 / e, above=False).halvings > 0
    with pytest.raises(CertificateError, match="too close"):
        looked(Fraction(1), e, above=False)
