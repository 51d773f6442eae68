"""Levels of pairs: every pair at its own, by hand; and what else is asked beside them."""

import json

import pytest

from pufferproof import AdditiveNoise, Channel, Framework, Noise, Table, audit, compose
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_framework
from pufferproof.models.priors.definitions.definition import metric_pairs

SECRETS = {name: [name] for name in ("p0", "p1", "p2")}
PRIOR = {"u": Table(dict.fromkeys(SECRETS, "1/3"))}
GEO = Channel.of(
    {"p0": ["4/7", "2/7", "1/7"], "p1": ["1/3", "1/3", "1/3"], "p2": ["1/7", "2/7", "4/7"]}, ["a", "b", "c"]
)


def leveled(*pairs):
    return Framework([*SECRETS], SECRETS, pairs, PRIOR)


@pytest.mark.parametrize(
    ("levels", "verdicts"),
    [
        (("log(7/3)", "log(7/3)", "log(4)"), ("SATISFIES", "SATISFIES", "SATISFIES")),
        (("log(7/3)", "0.8", "log(4)"), ("SATISFIES", "VIOLATES", "SATISFIES")),
        (("log(7/3)", "log(7/3)", "log(399/100)"), ("SATISFIES", "SATISFIES", "VIOLATES")),
    ],
)
def test_every_pair_is_decided_at_its_own_level(levels, verdicts):
    places = ("p0", "p1"), ("p1", "p2"), ("p0", "p2")
    answer = audit(leveled(*((*pair, level) for pair, level in zip(places, levels))), GEO)
    assert tuple(each.verdict.value for each in answer.pairs) == verdicts
    whole = "VIOLATES" if "VIOLATES" in verdicts else "SATISFIES"
    assert (answer.verdict.value, answer.leakage.ratio) == (whole, 4)
    assert [each["verdict"] for each in answer.as_json()["pairs"]] == list(verdicts)
    alone = [audit(leveled((*pair, "1")), GEO).leakage.ratio for pair in places]
    assert [each.audit.leakage.ratio for each in answer.pairs] == alone


def test_no_pair_is_lost_of_an_iterator():
    pairs = [("p0", "p1", "log(2)"), ("p1", "p2", "9"), ("p0", "p2", "9")]
    for once in (iter(pairs), zip(*zip(*pairs)), (pair for pair in pairs)):
        with pytest.raises(ModelError, match=r"^pairs: expected a sequence"):
            Framework([*SECRETS], SECRETS, once, PRIOR)
    assert audit(leveled(*pairs), GEO).verdict.value == "VIOLATES"  # of the first pair alone


def test_a_metric_has_levels_in_proportion_to_distances():
    pairs = metric_pairs({"p0": 0, "p1": 1, "p2": 2}, "log(7/3)")
    assert [str(level) for *_, level in pairs] == ["log(7/3)", "log(49/9)", "log(7/3)"]
    assert audit(leveled(*pairs), GEO).verdict.value == "SATISFIES"
    assert audit(leveled(*metric_pairs({"p0": 0, "p2": 2}, "log(2)")), GEO).kept.value
    assert not audit(leveled(*metric_pairs({"p0": 0, "p2": 2}, "0.69")), GEO).kept.value
    assert str(metric_pairs({"a": [0, 0], "b": [3, 4]}, "0.5")[0][2]) == "2.5"
    assert str(metric_pairs({"a": [0, 0], "b": [3, 4]}, "0.5", "max")[0][2]) == "2"
    assert str(metric_pairs({"a": [0, 0], "b": [3, 4]}, "0.5", "l1")[0][2]) == "3.5"
    assert str(metric_pairs({"a": "0", "b": "3/2"}, "log(4/9)" and "log(9/4)")[0][2]) == "log(27/8)"


def test_nothing_else_takes_levels_of_pairs():
    framework = leveled(("p0", "p1", "1"))
    for asked in ({"epsilon": 1}, {"epsilon": 1, "delta": "1/10"}, {"renyi": 2}):
        with pytest.raises(ModelError, match="a level of its own"):
            audit(framework, GEO, **asked)
    with pytest.raises(ModelError, match="only audit decides"):
        compose(framework, [GEO], runs=2)
    with pytest.raises(ModelError, match="only audit decides"):
        _ = framework.pairs


def test_bad_levels_are_refused():
    for pairs, said in [
        ([("p0", "p1", "1"), ("p1", "p2")], "of every pair, or of none"),
        ([("p0", "p1", "1"), ("p1", "p0", "2")], "have a level already"),
        ([("p0", "p1", "-1")], "a level is at least 0"),
        ([("p0", "p1", "1,5")], 'did you mean "1.5"'),
        ([("p0", "p1", None)], "expected a level"),
        ([("p0", "x", "1")], "unknown secret"),
    ]:
        with pytest.raises(ModelError) as error:
            leveled(*pairs)
        assert said in str(error.value)


def test_bad_positions_are_refused():
    for positions, per, said in [
        ({"a": 0, "b": "1/2"}, "log(2)", "not log"),
        ({"a": [0, 0], "b": [1, 1]}, "1", "sqrt"),
        ({"a": 0, "b": 0}, "1", "at one place"),
        ({"a": 0}, "1", "two positions"),
        ({"a": 0, "b": [1, 2]}, "1", "equally many"),
        ({"a": 0, "b": 10**9}, "log(2)", "over 10000 bits"),
        ({"a": "x", "b": 1}, "1", "positions.a"),
    ]:
        with pytest.raises(ModelError) as error:
            metric_pairs(positions, per)
        assert said in str(error.value)


def test_a_file_has_levels_of_pairs(tmp_path):
    document = {
        "format": "pufferproof-framework/1",
        "databases": [*SECRETS],
        "secrets": SECRETS,
        "pairs": [["p0", "p1", "log(7/3)"], ["p1", "p2", 1]],
        "priors": {"u": {"table": dict.fromkeys(SECRETS, "1/3")}},
    }
    path = tmp_path / "framework.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    answer = audit(read_framework(path), GEO)
    assert [str(each.level) for each in answer.pairs] == ["log(7/3)", "1"]
    assert answer.verdict.value == "SATISFIES"


def test_an_excess_that_digits_hide_is_shown():
    two = Framework(["a", "b"], neighbours="substitute")
    tenth = AdditiveNoise({"a": 0, "b": 0.1}, Noise.laplace(1))
    answer = audit(two, tenth, "0.1")
    assert str(answer).startswith("VIOLATES 0.1 by 5.6e-18 nats; leakage ≈ 0.1 nats")
    assert answer.as_json()["excess"] == "5.6e-18 nats"
    assert audit(two, tenth, "0.09").excess == audit(two, tenth, "0.11").excess == ""
    coin = Channel.of({"a": [0.1, 0.9], "b": ["0", 1]}, ["u", "v"], normalize=True)
    assert audit(two, coin, epsilon=0, delta="0.1").excess.endswith("of delta")
