"""What measurements of OpenDP claim stands beside every answer, in its own measure of privacy."""

from math import sqrt
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import FRAMEWORK, RECORDS

import pufferproof as pp

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib", "honest-but-curious")
NUMBER = dp.atom_domain(T=int), dp.absolute_distance(T=int)
FLOAT = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
LAPLACE = dp.m.make_laplace(*NUMBER, scale=1.0)
GAUSSIAN = dp.m.make_gaussian(*FLOAT, scale=2.0)
LISTS = dp.vector_domain(dp.atom_domain(T=int, bounds=(0, 10)), size=3)
TOTAL = (LISTS, dp.symmetric_distance()) >> dp.t.then_sum() >> dp.m.then_laplace(scale=5.0)
VECTORS = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)


@pytest.mark.parametrize(
    ("measurement", "query", "d_in"),
    [
        (LAPLACE, "sum", 1),
        (GAUSSIAN, "mean", 1 / 3),
        (TOTAL, None, 2),
        (dp.m.make_randomized_response_bool(prob=0.75), None, 1),
        (dp.m.make_gaussian(*VECTORS, scale=2.0), "histogram", sqrt(2)),
    ],
)
def test_the_claim_is_the_map_at_one_record_changed(measurement: Any, query: Any, d_in: float) -> None:
    claim = pp.as_mechanism(measurement, RECORDS, query).claim
    assert claim.d_in == pytest.approx(d_in, rel=1e-15)
    assert claim.d_in >= d_in
    assert claim.value == measurement.map(claim.d_in)
    assert "(one record changed)" in str(claim)


def test_a_claim_stands_beside_what_leaks() -> None:
    answer = pp.audit(FRAMEWORK, pp.as_mechanism(LAPLACE, RECORDS, "sum"), "1")
    said = f"claimed 1 at d_in=1 (one record changed), leaks {answer.leakage}"
    assert said in str(answer)
    assert said in answer.as_json()["source"]
    assert answer.verdict.value == "VIOLATES"


@pytest.mark.parametrize(
    ("measurement", "asked", "said"),
    [
        (GAUSSIAN, {}, "claimed rho 0.125 at d_in=1 (one record changed), asked was a pure level"),
        (
            GAUSSIAN,
            {"delta": "1/100"},
            "claimed rho 0.125 at d_in=1 (one record changed), asked was a level with a delta",
        ),
        (
            dp.c.make_zCDP_to_approxDP(GAUSSIAN),
            {"delta": "1/100"},
            "claimed (1.128931082901368, 1/100) at d_in=1 (one record changed)",
        ),
        (
            dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(GAUSSIAN), 1e-6),
            {"renyi": 2},
            "claimed (2.4190931768671953, 1e-06) at d_in=1 (one record changed), asked was a Renyi",
        ),
        (
            dp.c.make_zCDP_to_approxDP(GAUSSIAN),
            {},
            "claimed a privacy profile at d_in=1 (one record changed), asked was a pure level",
        ),
    ],
)
def test_a_claim_in_another_measure_says_which_question_was_asked(measurement: Any, asked: Any, said: str) -> None:
    answer = pp.audit(FRAMEWORK, pp.as_mechanism(measurement, RECORDS, "sum"), "1", **asked)
    assert said in answer.source


def test_a_claimed_rho_stands_beside_the_smallest_one() -> None:
    numbers = {"a": 0, "b": 1}
    pair = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, "disjoint", {"even": pp.Table({"a": "1/2", "b": "1/2"})})
    answer = pp.audit(pair, pp.as_mechanism(GAUSSIAN, numbers, d_in=1.0), zcdp="1/8")
    assert answer.verdict.value == "SATISFIES"
    assert answer.source.endswith("; claimed rho 0.125 at d_in=1")
    pure = pp.audit(pair, pp.as_mechanism(LAPLACE, numbers, d_in=1), zcdp=True)
    assert "claimed 1 at d_in=1, asked was the rho of z" in pure.source
    hidden = pp.as_mechanism(GAUSSIAN >> (lambda value: 0.0), numbers)
    with pytest.raises(pp.ModelError, match="zcdp: needs listed outputs and noise"):
        pp.audit(pair, hidden, zcdp="1/100")


def test_a_distance_may_be_given_and_a_table_of_arguments_has_none() -> None:
    inputs = {"a": 0, "b": 3}
    assert pp.as_mechanism(LAPLACE, inputs).claim is None
    assert str(pp.as_mechanism(LAPLACE, inputs, d_in=3).claim) == "claimed 3 at d_in=3"
    with pytest.raises(pp.ModelError, match=r"d_in: the map of OpenDP does not take 1\.5: inferred type"):
        pp.as_mechanism(LAPLACE, inputs, d_in=1.5)
    with pytest.raises(pp.ModelError, match="d_in: needs a measurement of opendp"):
        pp.as_mechanism([[1.0]], ["a"], d_in=1)
    with pytest.raises(pp.ModelError, match="d_in: needs mechanisms of other libraries"):
        pp.as_mechanism(lambda database: {"u": 1}, ["a"], d_in=1)
