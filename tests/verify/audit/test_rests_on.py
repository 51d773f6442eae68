"""What answers rest on: the claims of the algorithms that found them, and none if they enumerate
what definitions say or the kernel proved the answer again.
"""

import json
import re
from pathlib import Path

import pytest

from pufferproof import (
    AdditiveNoise,
    Channel,
    Framework,
    LocalMechanism,
    MarkovChain,
    Noise,
    RecordQuery,
    Records,
    Table,
    audit,
    compose,
)
from pufferproof.models.noise.tables.powers import table_of
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power
from pufferproof.verify import decision

ROOT = Path(__file__).parents[3]
ABOUT_NOISE = ("noise.attained", "noise.decided")
CHAIN = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])


def listed(**options):
    prior = {"theta": Table({"a": "1/2", "b": "1/2"})}
    if options:
        prior["other"] = Table({"a": "1/4", "b": "3/4"})
    return Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], prior, **options)


def records(count, prior=CHAIN, alphabet=("0", "1")):
    secrets = {f"x1={value}": (1, value) for value in alphabet}
    return Framework.of_records(Records(count, alphabet), secrets, [("x1=0", "x1=1")], {"theta": prior})


def coin():
    return Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, ["u", "v"])


def number(noise, *values):
    return AdditiveNoise({"a": values[0], "b": values[1]}, noise)


def exponentials():
    one, e = (ExponentialSum([(1, Power.exp(k))]) for k in (0, 1))
    return table_of({"a": {"a": e, "b": one}, "b": {"a": one, "b": e}})


def redaction(alphabet):
    rows = [["1"] * len(alphabet), *[["1/8", *["1"] * (len(alphabet) - 1)]] * 2]
    return LocalMechanism.redacting(alphabet, rows)


@pytest.mark.parametrize("options", [{}, {"epsilon": "1"}, {"epsilon": "1", "delta": "1/2"}])
def test_what_is_enumerated_from_the_definitions_rests_on_no_claim(options):
    assert audit(listed(), coin(), **options).rests_on == ()
    assert compose(listed(), [coin(), coin()]).rests_on == ()


def test_mixtures_of_priors_rest_on_those_of_two():
    found = audit(listed(closure="convex"), coin(), "1")
    assert found.rests_on == ("general.mixtures-of-two", "general.two-weights")


@pytest.mark.parametrize(
    ("mechanism", "claims"),
    [
        (number(Noise.laplace(2), 0, 1), ABOUT_NOISE),
        (number(Noise.geometric("1/2"), 0, 1), (*ABOUT_NOISE, "noise.discrete")),
        (number(Noise.laplace(2), (0, 0), (1, 2)), (*ABOUT_NOISE, "noise.parallel", "noise.runs")),
        (number(Noise.gaussian(2), 0, 1), ("noise.gaussian-finite", "noise.law", "noise.gaussian-line")),
        (exponentials(), ("noise.decided",)),
    ],
)
def test_noise_rests_on_where_its_largest_ratio_is(mechanism, claims):
    assert audit(listed(), mechanism).rests_on == claims


@pytest.mark.parametrize(
    ("noise", "claim"), [(Noise.laplace(2), "noise.delta-step"), (Noise.gaussian(2), "noise.sign-changes")]
)
def test_a_delta_of_noise_rests_on_how_it_is_enclosed(noise, claim):
    assert claim in audit(listed(), number(noise, 0, 1), "0.1", "1/10").rests_on
    assert claim not in audit(listed(), number(noise, 0, 1), "0.1").rests_on


def test_laws_along_a_chain_rest_on_the_markov_property():
    found = audit(records(3), RecordQuery("sum", Noise.laplace(1), Records(3, ("0", "1"))))
    assert found.rests_on == ("song2017.x-markov", *ABOUT_NOISE)


def test_many_runs_rest_on_columns():
    wide = Channel.of({"a": ["1/2", "1/4", "1/4"], "b": ["1/4", "1/4", "1/2"]}, ["u", "v", "w"])
    assert compose(listed(), [wide], 200).rests_on == ("worst.columns",)


def test_bounds_rest_on_theorems_unless_an_output_exceeds_the_level():
    long = records(10**6)
    query = RecordQuery("sum", Noise.laplace(10), Records(10**6, ("0", "1")))
    found = audit(long, query)
    claims = found.rests_on
    assert claims
    assert found.largest.rests_on(found.level) == claims
    assert audit(long, query, "0.0001").rests_on in ((), claims)


def test_every_claim_that_an_answer_names_is_that_of_an_algorithm():
    declared = {
        claim
        for floor in ("models", "verify", "lp")
        for path in (ROOT / floor).rglob("*.py")
        for claim in re.findall(r'"([a-z0-9_]+\.[\w-]+)"', path.read_text(encoding="utf-8"))
    }
    for mechanism in (coin(), number(Noise.laplace(2), (0, 0), (1, 2)), exponentials()):
        assert set(audit(listed(), mechanism).rests_on) <= declared


def test_the_weakest_basis_comes_first_and_each_once(monkeypatch):
    verdicts = {"a": "PROVED", "b": "TRIED", "c": "OPEN", "d": "DERIVED", "e": "CHECKED"}
    record = {claim: {"verdict": verdict} for claim, verdict in verdicts.items()}
    monkeypatch.setattr(decision, "_recorded", lambda: record)
    found = decision.bases(["a", "b", "c", {"claim": "d"}, "e", "b"])
    assert [each["claim"] for each in found] == ["c", "b", "e", "d", "a"]
    assert [each["verdict"] for each in found] == ["OPEN", "TRIED", "CHECKED", "DERIVED", "PROVED"]


def test_a_claim_without_a_record_is_an_error():
    with pytest.raises(KeyError):
        decision.bases(["no.such-claim"])


def test_json_has_the_recorded_verdicts():
    record = json.loads((ROOT / "claims" / "EXPECTED.json").read_text(encoding="utf-8"))
    found = audit(listed(), number(Noise.laplace(2), 0, 1), "1").as_json()["rests_on"]
    assert {each["claim"]: each["verdict"] for each in found} == {
        claim: record[claim]["verdict"] for claim in ABOUT_NOISE
    }
