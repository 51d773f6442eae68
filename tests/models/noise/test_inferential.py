"""GK16: influence matrices against the definition, spectral norms and row sums against floats, and
the promise against exact leakage.
"""

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from pufferproof.models.errors import ModelError
from pufferproof.models.noise.inferential import InfluenceMatrix, influences
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table


def by_definition(weights, count, values):
    """e^(2 gamma_ij): all pairs of databases that differ in record j alone."""
    mass = dict(zip(product(range(values), repeat=count), weights))

    def conditional(i, x):
        return Fraction(mass[x], sum(mass[*x[:i], v, *x[i + 1 :]] for v in range(values)))

    return [
        {
            j: ratio
            for j in range(count)
            if j != i
            and (
                ratio := max(
                    conditional(i, x) / conditional(i, (*x[:j], v, *x[j + 1 :]))
                    for x in mass
                    for v in range(values)
                )
            )
            != 1
        }
        for i in range(count)
    ]


def alphabet(values):
    return tuple("012"[:values])


@examples(60)
@given(st.sampled_from([(1, 2), (2, 2), (3, 2), (2, 3), (3, 3)]), st.data())
def test_influences_are_those_of_the_definition(size, data):
    count, values = size
    weights = data.draw(st.lists(st.integers(1, 9), min_size=values**count, max_size=values**count))
    records = Records(count, alphabet(values))
    prior = Table({x: Fraction(w, sum(weights)) for x, w in zip(records.labels(), weights)})
    assert influences(prior, records) == by_definition(weights, count, values)
    matrix = InfluenceMatrix.of(prior, records)
    floats = np.zeros((count, count))
    for i, row in enumerate(by_definition(weights, count, values)):
        for j, ratio in row.items():
            floats[i, j] = log(ratio) / 2
    lower, upper = matrix.norm
    norm = float(np.linalg.norm(floats, 2))
    assert lower <= upper
    assert float(lower) <= norm * (1 + 1e-12) <= float(upper) * (1 + 2e-12) + 1e-15
    if upper < 1:
        wanted = float(np.linalg.inv(np.eye(count) - floats).sum(axis=1).max())
        low, high = matrix.largest_sum(range(1, count + 1))
        assert low <= high
        assert float(low) == pytest.approx(wanted)
        assert float(high) == pytest.approx(wanted)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("initial", ["stationary", ["1/3", "2/3"]])
def test_a_chain_has_the_influences_of_its_law(count, initial):
    chain = MarkovChain(initial, [["3/5", "2/5"], ["1/4", "3/4"]])
    records = Records(count, ("0", "1"))
    law = chain.law(records.labels(), records)
    weights = [Fraction(w, law.total) for w in law.weights]
    table = Table(dict(zip(records.labels(), weights)))
    assert influences(chain, records) == influences(table, records)


def test_a_chain_in_the_middle_has_the_number_of_the_published_code():
    # inferentialPrivacy_cal_gamma.m at p = 3/5, q = 1/2: the largest of its four ratios
    chain = MarkovChain("stationary", [["1/2", "1/2"], ["2/5", "3/5"]])
    rows = influences(chain, Records(9, ("0", "1")))
    assert rows[4] == {3: Fraction(14, 11), 5: Fraction(14, 11)}


def test_independent_records_have_no_influence():
    matrix = InfluenceMatrix.of(Product([["1/4", "3/4"]] * 3), Records(3, ("0", "1")))
    assert matrix.norm == (0, 0)
    assert matrix.largest_sum([1, 2, 3]) == (1, 1)


@pytest.mark.parametrize(
    "prior",
    [
        Product([["1", "0"]] * 3),
        MarkovChain(["1/2", "1/2"], [["1", "0"], ["0", "1"]]),
        MarkovChain(["1", "0"], [["1/2", "1/2"], ["1/2", "1/2"]]),
        Table({"000": "1/2", "111": "1/2"}),
    ],
)
def test_what_is_impossible_has_no_row(prior):
    with pytest.raises(ModelError, match="every database is possible"):
        influences(prior, Records(3, ("0", "1")))


def test_no_row_sums_at_a_norm_of_one_or_more():
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    with pytest.raises(ModelError, match="spectral norm below 1"):
        InfluenceMatrix.of(chain, Records(5, ("0", "1"))).largest_sum([1])
