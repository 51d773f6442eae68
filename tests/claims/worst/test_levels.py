"""Levels for each record: a counterexample to levels that are split, evaluated afresh."""

from fractions import Fraction
from itertools import product

import pytest
from tests.claims.examination import examined
from tests.claims.rules import assert_reproducible, evidence


@pytest.mark.claims
def test_a_parity_is_worse_than_one_mechanism_for_each_bit():
    found = examined("worst.levels-split")
    assert_reproducible(found)
    assert evidence(found)["largest ratio of the first"] == Fraction(5, 4)
    columns = [
        {x: f[int(x[0])] * g[int(x[1])] for x in ("00", "01", "10", "11")}
        for f, g in product([(1, 2), (2, 1), (1, 1)], repeat=2)
    ]
    odds = [Fraction(u["00"] + u["11"], u["01"] + u["10"]) for u in columns]
    assert max(max(each, 1 / each) for each in odds) == Fraction(5, 4)
