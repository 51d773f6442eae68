"""Frozen distributions of SciPy against its own probabilities; tables of NumPy and pandas."""

from fractions import Fraction
from math import isclose
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import scipy.stats as st
from tests.models.mechanisms.adapters.laws import COUNTS, FRAMEWORK, RECORDS, law, leakage_approx

import pufferproof as pp

DISCRETE = [
    st.bernoulli(0.3),
    st.binom(4, 0.3),
    st.binom(4, 0.3, loc=2),
    st.binom(n=3, p=1),
    st.randint(-2, 3),
    st.hypergeom(10, 4, 3),
    st.betabinom(4, 0.5, 2),
    st.boltzmann(0.7, 5),
    st.rv_discrete(values=([1, 3, 7], [0.5, 0.25, 0.25])),
    st.rv_discrete(values=([1, 3, 7], [0.5, 0.25, 0.25]))(loc=-1),
]


@pytest.mark.parametrize("distribution", DISCRETE, ids=lambda each: type(each).__name__)
def test_laws_are_those_of_scipy(distribution: Any) -> None:
    exact = law(pp.as_mechanism({"x": distribution}).value, "x")
    assert isclose(sum(exact.values()), 1)
    for output, p in exact.items():
        assert isclose(p, distribution.pmf(int(output)), rel_tol=1e-9)
    noise = pp.as_mechanism(distribution, {"x": 0, "y": 5}).value
    shifted = {str(int(output) + 5): p for output, p in exact.items()}
    found = {output: p for output, p in law(noise, "y").items() if p}
    assert found == pytest.approx({output: p for output, p in shifted.items() if p})
    assert list(noise.outputs) == sorted(noise.outputs, key=int)


@pytest.mark.parametrize(
    ("distribution", "noise"),
    [
        (st.laplace(scale=2), pp.Noise.laplace(2)),
        (st.dlaplace(0.5), pp.Noise.discrete_laplace(2)),
        (st.norm(scale=2), pp.Noise.gaussian(2)),
    ],
)
def test_noise_is_additive_noise(distribution: Any, noise: pp.Noise) -> None:
    assert pp.as_mechanism(distribution, COUNTS).value == pp.AdditiveNoise(COUNTS, noise)
    assert pp.as_mechanism(distribution, RECORDS, "sum").value.noise == noise


def test_audits_are_the_definition_in_floats() -> None:
    tilted = {x: st.binom(3, (1 + count) / 5) for x, count in COUNTS.items()}
    read = pp.as_mechanism(tilted)
    found = pp.audit(FRAMEWORK, read).leakage.enclosure()
    assert isclose(float(found.lower), leakage_approx(read.value), rel_tol=1e-9)
    cooled = pp.as_mechanism({x: st.boltzmann(1 + count, 4) for x, count in COUNTS.items()})
    found = pp.audit(FRAMEWORK, cooled).leakage.enclosure()
    assert isclose(float(found.lower), leakage_approx(cooled.value), rel_tol=1e-9)


def test_probabilities_that_miss_1_are_divided_on_request() -> None:
    thirds = st.rv_discrete(values=([0, 1, 2], [0.1, 0.2, 0.7]))
    with pytest.raises(pp.ModelError, match=r"pk: sums to 1 .*normalize=True"):
        pp.as_mechanism({"x": thirds})
    divided = pp.as_mechanism({"x": thirds}, normalize=True)
    assert sum(law(divided.value, "x").values()) == pytest.approx(1)
    assert "probabilities divided by their sum" in divided.audited


def test_frames_are_channels() -> None:
    frame = pd.DataFrame({"no": [0.75, 0.5], "yes": [0.25, 0.5]}, index=["a", "b"])
    expected = pp.Channel.of({"a": ["3/4", "1/4"], "b": ["1/2", "1/2"]}, ["no", "yes"])
    read = pp.as_mechanism(frame)
    assert read.value == expected
    assert "the table of DataFrame of pandas" in str(read)
    assert pp.as_mechanism(frame.map(str)).value == expected
    levels = pd.MultiIndex.from_tuples([(0, 1), (1, 1)])
    assert pp.as_mechanism(frame.set_axis(levels)).value.databases == ("01", "11")
    long = pd.MultiIndex.from_tuples([("10", "1"), ("1", "1")])
    assert pp.as_mechanism(frame.set_axis(long)).value.databases == ("10,1", "1,1")


def test_crosstabs_are_divided_on_request() -> None:
    data = pd.DataFrame({"x": list("aaabbbb"), "y": list("uvvuuuv")})
    shares = pd.crosstab(data["x"], data["y"], normalize="index")
    counts = pd.crosstab(data["x"], data["y"])
    with pytest.raises(pp.ModelError, match="normalize=True"):
        pp.as_mechanism(shares)
    assert pp.as_mechanism(counts, normalize=True).value.probability("a", "u") * 3 == 1
    assert "rows divided by their sums" in str(pp.as_mechanism(shares, normalize=True))


def test_tables_take_no_query_and_no_parameters() -> None:
    with pytest.raises(pp.ModelError, match="query: a table has a row"):
        pp.as_mechanism(np.eye(8), RECORDS, "sum")
    with pytest.raises(pp.ModelError, match='unknown parameter "epsilon"'):
        pp.as_mechanism(np.eye(8), RECORDS, exactly={"epsilon": "1"})


def test_matrices_are_channels() -> None:
    matrix = np.array([[0.75, 0.25], [0.5, 0.5]])
    expected = pp.Channel.from_array(matrix, ["a", "b"])
    for source in (matrix, scipy.sparse.csr_matrix(matrix), matrix.tolist()):
        assert pp.as_mechanism(source, ["a", "b"]).value == expected
    bit = pp.as_mechanism(matrix, pp.Records(1, ("0", "1")))
    assert bit.value.databases == ("0", "1")


def test_frames_are_priors() -> None:
    steps = pd.DataFrame([[0.75, 0.25], [0.5, 0.5]], index=["0", "1"], columns=["0", "1"])
    assert pp.as_prior(steps) == pp.MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    series = pd.Series({"a": 1, "b": 3})
    assert pp.as_prior(series, normalize=True) == pp.Table({"a": "1/4", "b": "3/4"})


def test_labels_of_transitions_are_put_in_the_order_of_the_alphabet() -> None:
    named = pd.DataFrame([[9, 1], [2, 8]], index=["well", "sick"], columns=["well", "sick"])
    chain = pp.as_prior(named, order=["sick", "well"], normalize=True)
    assert chain == pp.MarkovChain("stationary", [["4/5", "1/5"], ["1/10", "9/10"]])
    same = pp.as_prior(named, order=["well", "sick"], normalize=True)
    assert same == pp.MarkovChain("stationary", [["9/10", "1/10"], ["1/5", "4/5"]])
    swapped = named.set_axis([1, 0]).set_axis([1, 0], axis=1)
    for table, order in [(named, None), (swapped, None), (named, ["well"]), (named, ["well"] * 2)]:
        with pytest.raises(pp.ModelError, match="order: expected the labels"):
            pp.as_prior(table, order=order, normalize=True)


@pytest.mark.parametrize("index", [["a", "a"], [1, "1"], [np.nan, "nan"]])
def test_labels_that_are_one_text_are_refused(index: list[object]) -> None:
    steps = pd.DataFrame(np.eye(2), index=index, columns=index)
    for table in (pd.Series([1, 3], index=index), steps):
        with pytest.raises(pp.ModelError, match="labels that differ"):
            pp.as_prior(table, order=None, normalize=True)


def test_masked_entries_are_refused() -> None:
    matrix = np.ma.array([[0.5, 0.5], [0.25, 0.75]], mask=[[0, 0], [0, 0]])
    assert pp.as_mechanism(matrix, ["a", "b"]).value.probability("b", "0") == Fraction(1, 4)
    matrix.mask[1, 0] = True
    with pytest.raises(pp.ModelError, match="without masked entries"):
        pp.as_mechanism(matrix, ["a", "b"])


class Never(type(st.binom)):  # type: ignore[misc]
    """It draws 0, and has the name of a distribution of SciPy."""

    def _rvs(self, n: Any, p: Any, size: Any = None, random_state: Any = None) -> Any:
        return np.zeros(size)


class Wide(st.rv_continuous):  # type: ignore[misc]
    def _pdf(self, x: Any) -> Any:
        return np.exp(-abs(x)) / 2


@pytest.mark.parametrize(
    ("source", "inputs"), [({"x": Never(name="binom")(2, 0.5)}, None), (Wide(name="laplace")(scale=2), {"x": 1})]
)
def test_subclasses_with_names_of_scipy_are_refused(source: Any, inputs: Any) -> None:
    with pytest.raises(pp.ModelError, match="cannot read scipy subclass"):
        pp.as_mechanism(source, inputs)


def test_changed_probabilities_are_refused() -> None:
    coin = st.rv_discrete(values=([0, 1], [0.25, 0.75]))
    coin.pk = np.array([0.5, 0.5])  # it still draws 1 three times in four
    with pytest.raises(pp.ModelError, match="pk: is not what it was made with"):
        pp.as_mechanism({"x": coin})


FRAME = pd.DataFrame({"no": [0.75, 0.5], "yes": [0.25, 0.5]}, index=["a", "b"])


@pytest.mark.parametrize(
    ("source", "inputs", "message"),
    [
        (st.gamma(2), COUNTS, "cannot read scipy gamma as noise, expected one of: bernoulli"),
        ({"x": st.norm()}, None, "cannot read scipy norm as the law of an output"),
        ({"x": st.gamma(2)}, None, r'mechanism\["x"\].*: cannot read scipy gamma'),
        ({}, None, "row for every database"),
        (st.laplace(scale=np.nan), COUNTS, "scale: expected a finite number"),
        (st.binom(3, 1.5), COUNTS, "a probability, found 3/2"),
        (st.binom(3, np.nan), COUNTS, "p: expected a finite number"),
        (st.binom(2.5, 0.5), COUNTS, "an integer, found 5/2"),
        (st.binom(10**6, 0.5), COUNTS, "from 0 to 10000"),
        (st.hypergeom(3, 4, 1), COUNTS, "at most M"),
        (st.boltzmann(-1, 4), COUNTS, "above 0"),
        (st.randint(3, 3), COUNTS, "values below high"),
        (FRAME.replace(0.25, np.nan), None, "finite probability, found nan"),
        (FRAME - 0.6, None, "finite probability, found -0.35"),
        (FRAME.set_axis(["a", "a"]), None, "occurs twice"),
        (FRAME, ["a", "b"], "the index has the databases: leave these out"),
        (FRAME["no"], None, "cannot read a pandas Series"),
        (FRAME.to_numpy(), None, "databases of the rows"),
        (FRAME.to_numpy(), ["a"], "expected"),
        (object(), COUNTS, "cannot read builtins.object"),
        (st.norm, COUNTS, r"expected norm with its parameters, as norm\(..\), found norm itself"),
        (lambda database: 1, COUNTS, "a function that draws outputs takes"),
        (np.random.default_rng(0), ["a"], "a function that draws outputs is bounded by estimate"),
    ],
)
def test_what_cannot_be_read_is_one_line(source: Any, inputs: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(source, inputs)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("source", [FRAME, 3, st.binom(3, 0.5), np.eye(2)])
def test_what_is_no_prior_is_one_line(source: Any) -> None:
    with pytest.raises(pp.ModelError, match="expected one of: "):
        pp.as_prior(source)
