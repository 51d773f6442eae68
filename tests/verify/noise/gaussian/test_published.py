"""Published ways to calibrate noise on normal records, beside the least: none adds less, and each
keeps its level.
"""

import json
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid
from tests.verify.noise.gaussian.test_windows import FRAMEWORK, MEAN

POINTS = {
    **FRAMEWORK,
    "secrets": {"a": {"record": 24, "at": "1/5"}, "b": {"record": 24, "at": "7/5"}},
}
NEGATIVE = {"load": {"gaussian": {"ar1": {"coefficient": "-1/2", "variance": "1/4"}}}}


@pytest.mark.parametrize("document", [POINTS, FRAMEWORK, {**POINTS, "priors": NEGATIVE}])
def test_no_published_laplace_noise_is_less_than_the_least(run, save, document):
    framework = save("f.json", document)
    code, out, _ = run("calibrate", framework, "--compare", "--query", "mean", "--epsilon", "1/2",
                       "--json")  # fmt: skip
    assert code == 2  # a level is a decimal
    code, out, _ = run("calibrate", framework, "--compare", "--query", "mean", "--epsilon", "0.5",
                       "--json")  # fmt: skip
    found = json.loads(out)
    expect_valid(found, "calibrate")
    rows = {row["mechanism"]: row for row in found["comparison"]}
    assert code == 0
    least = float(rows["tight"]["scale"]["lower"])
    for name in ("wasserstein", "pufferfish-laplace"):
        assert float(rows[name]["scale"]["upper"]) >= least * (1 - 1e-9)
        assert float(rows[name]["leakage"]["epsilon"]["upper"]) <= 0.5 + 1e-9
        noise = {"laplace": {"scale": rows[name]["scale"]["upper"]}}
        mechanism = save("m.json", {**MEAN, "noise": noise})
        assert run("audit", framework, mechanism, "--epsilon", "0.5")[0] == 0
    for name in ("markov-quilt", "gk16", "group-dp"):
        assert rows[name]["scale"] is None
        assert rows[name]["reason"]
    if document["priors"] == NEGATIVE:  # signs cancel in the query, not in all levels
        one, other = (
            float(rows[name]["scale"]["upper"]) for name in ("wasserstein", "pufferfish-laplace")
        )
        assert other > 2 * one


@pytest.mark.parametrize("document", [POINTS, FRAMEWORK])
@pytest.mark.parametrize("asked", [("--delta", "1/100"), ("--renyi", "2")])
def test_gaussian_noise_for_the_distance_is_more_than_the_least(run, save, document, asked):
    framework = save("f.json", document)
    code, out, _ = run(
        "calibrate", framework, "--query", "mean", "--epsilon", "1", *asked, "--json"
    )
    if document is FRAMEWORK and asked[0] == "--renyi":
        assert code == 2
        return
    found = json.loads(out)
    expect_valid(found, "calibrate")
    least, published = found["sigmas"]
    assert (least["rule"], published["rule"]) == ("exact", "wasserstein")
    assert float(published["sigma"]["upper"]) > float(least["sigma"]["upper"])
    most = 0.01 if asked[0] == "--delta" else 1
    assert float(published["measured"]["upper"]) < most
    assert Fraction(published["where"]["distance_squared"]) > 0
