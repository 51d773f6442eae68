"""Counts of keys of OpenDP that a threshold hides: the tables that are read, and the library's own
draws.
"""

from collections import Counter
from math import erfc, exp, log, sqrt
from typing import Any

import pytest

import pufferproof as pp

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib")
EVEN = pp.Table({"out": "1/2", "in": "1/2"})
KEYS = pp.Framework(["out", "in"], {"s": ["out"], "t": ["in"]}, [("s", "t")], {"u": EVEN})


def space(kind: type = int, power: int = 1) -> tuple[Any, Any]:
    atom = dp.atom_domain(T=float, nan=False) if kind is float else dp.atom_domain(T=kind)
    metric = {1: dp.l01inf_distance, 2: dp.l02inf_distance}[power]
    return dp.map_domain(dp.atom_domain(T=str), atom), metric(dp.absolute_distance(T=kind))


@pytest.mark.parametrize("threshold", [0, 1, 4])
@pytest.mark.parametrize("build", ["laplace", "gaussian"])
def test_the_table_has_the_frequencies_of_the_library(build: str, threshold: int) -> None:
    make = {"laplace": dp.m.make_laplace_threshold, "gaussian": dp.m.make_gaussian_threshold}[build]
    measurement = make(*space(power=1 + (build == "gaussian")), scale=2.0, threshold=threshold)
    read = pp.as_mechanism(measurement, {"out": {}, "in": {"a": 2}}).value
    draws = 2000
    seen = Counter(str(measurement({"a": 2}).get("a", "-")) for _ in range(draws))
    room = sqrt(log(2 * len(read.outputs) * 1e9) / (2 * draws))
    assert read.probability_approx("out", "-") == 1
    for output in read.outputs:
        if not output.startswith(">="):
            share = read.probability_approx("in", output)
            assert abs(seen[output] / draws - share) < room, output


def test_a_key_at_the_threshold_is_shown_and_the_claim_leaves_it_out() -> None:
    counts = dp.t.make_count_by(
        dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    ) >> dp.m.then_laplace_threshold(scale=1.0, threshold=5)
    read = pp.as_mechanism(counts, {"out": [], "in": ["ann"]})
    epsilon, delta = counts.map(1)
    answer = pp.audit(KEYS, read, str(epsilon), delta=delta)
    assert answer.verdict is not None
    assert answer.verdict.value == "VIOLATES"
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(0.01338980, abs=1e-8)
    assert "2922" in str(read)


def test_keys_of_one_number_tell_nothing_and_others_are_joint() -> None:
    measurement = dp.m.make_laplace_threshold(*space(), scale=1.0, threshold=3)
    one = pp.as_mechanism(measurement, {"out": {"b": 2}, "in": {"a": 1, "b": 2}})
    assert one.value.outputs[0] == "-"
    two = pp.as_mechanism(measurement, {"out": {"b": 2}, "in": {"a": 1, "b": 4}})
    assert two.value.outputs[0] == "-,-"
    leaks = [pp.audit(KEYS, each, "1", delta="1/2").delta for each in (one, two)]
    assert leaks[0] is not None
    assert leaks[1] is not None
    assert leaks[1].bounds()[0] >= leaks[0].bounds()[1]
    same = pp.as_mechanism(measurement, {"out": {"b": 2}, "in": {"b": 2}})
    assert pp.audit(KEYS, same, "0").verdict is pp.Verdict.SATISFIES


def test_floats_have_a_density_above_the_threshold() -> None:
    measurement = dp.m.make_laplace_threshold(*space(float), scale=1.0, threshold=5.0)
    read = pp.as_mechanism(measurement, {"out": {}, "in": {"a": 1.0}})
    answer = pp.audit(KEYS, read, "1", delta="1/10")
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(0.0091578194)  # e^-4 / 2


def test_gaussian_noise_on_floats_has_a_density_above_the_threshold() -> None:
    measurement = dp.m.make_gaussian_threshold(*space(float, 2), scale=1.0, threshold=5.0)
    read = pp.as_mechanism(measurement, {"out": {}, "in": {"a": 1.0}})
    answer = pp.audit(KEYS, read, "1", delta="1/10")
    assert answer.leakage.infinite
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(erfc(4 / sqrt(2)) / 2)


def test_what_is_not_read_is_refused() -> None:
    negative = dp.m.make_laplace_threshold(*space(), scale=1.0, threshold=-1)
    with pytest.raises(pp.ModelError, match="threshold of at least 0"):
        pp.as_mechanism(negative, {"out": {}, "in": {"a": 1}})
    plain = dp.m.make_laplace_threshold(*space(), scale=1.0, threshold=1)
    with pytest.raises(pp.ModelError, match="dict of key -> number"):
        pp.as_mechanism(plain, {"out": 0, "in": 1})
    with pytest.raises(pp.ModelError, match="database -> "):
        pp.as_mechanism(plain, pp.Records(2, ("0", "1")), query="sum")


@pytest.mark.parametrize(
    ("kind", "power", "inputs"),
    [
        (int, 1, {"out": {"a": 1}, "in": {"a": 1, "b": 4}}),
        (int, 1, {"out": {"a": 1}, "in": {"a": 2, "b": 4}}),
        (int, 2, {"out": {"a": 1}, "in": {"a": 1, "b": 4}}),
        (float, 1, {"out": {"a": 1.0}, "in": {"a": 1.0, "b": 4.0}}),
    ],
)
def test_draws_of_keys_are_compared_with_their_law(kind: type, power: int, inputs: Any) -> None:
    make = {1: dp.m.make_laplace_threshold, 2: dp.m.make_gaussian_threshold}[power]
    right, wider, lower = (
        make(*space(kind, power), scale=scale, threshold=kind(threshold))
        for scale, threshold in ((1.0, 3), (2.0, 3), (1.0, 2))
    )
    read = pp.as_mechanism(right, inputs)
    assert pp.agrees(right, read, draws=2_000).verdict == "nothing found"
    for other in (wider, lower):
        assert pp.agrees(other, read, inputs, draws=20_000, seconds=60.0).verdict == "disagrees"
    with pytest.raises(pp.ModelError, match="read of their own object alone"):
        pp.agrees(right, read.value, inputs)


def test_keys_of_one_number_are_checked_and_a_density_of_gaussian_noise_is_not() -> None:
    measurement = dp.m.make_gaussian_threshold(*space(float, 2), scale=1.0, threshold=3.0)
    same = {"out": {"a": 4.0}, "in": {"a": 4.0}}
    assert "nothing found" in pp.as_mechanism(measurement, same, check=True).notes[-1]
    with pytest.raises(pp.ModelError, match="density of Gaussian noise"):
        pp.as_mechanism(measurement, {"out": {"a": 4.0}, "in": {}}, check=True)


def test_compositions_of_keys_have_the_delta_of_all_pairs_of_outputs() -> None:
    measurement = dp.m.make_gaussian_threshold(*space(int, 2), scale=1.0, threshold=2)
    twice = dp.c.make_composition([measurement, measurement])
    inputs = {"out": {"a": 3}, "in": {"a": 4}}
    found = pp.audit(KEYS, pp.as_mechanism(twice, inputs), "1", delta="1/2").delta
    assert found is not None
    noise = [exp(-k * k / 2) for k in range(-30, 31)]
    laws = []
    for number in (3, 4):
        law = Counter[int]()
        for k, weight in enumerate(noise, -30):
            law[max(number + k, 1)] += weight / sum(noise)
        laws.append(law)
    one, other = laws
    expected = max(
        sum(max(0, p[x] * p[y] - exp(1) * q[x] * q[y]) for x in p | q for y in p | q)
        for p, q in ((one, other), (other, one))
    )
    assert float(found.bounds()[0]) == pytest.approx(expected, abs=1e-9)
    floats = dp.m.make_laplace_threshold(*space(float), scale=1.0, threshold=2.0)
    numbers = {"out": {"a": 3.0}, "in": {"a": 4.0}}
    with pytest.raises(pp.ModelError, match="both release numbers"):
        pp.as_mechanism(dp.c.make_composition([floats, floats]), numbers)
