"""Plans of releases about normal records, and published ways to calibrate their noise."""

import itertools
import json
import random
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid
from tests.verify.noise.normal.test_windows import FRAMEWORK, MEAN

# Plans of releases about normal records: what `release` says is what `audit` says of all queries
# written out with weights, and the least factor keeps the budget while a smaller one does not.


POINTS = {**FRAMEWORK, "secrets": {"a": {"record": 24, "at": "1/5"}, "b": {"record": 24, "at": "7/5"}}}
NEGATIVE = {"load": {"gaussian": {"ar1": {"coefficient": "-1/2", "variance": "1/4"}}}}
PLAN = """format = "pufferproof-release/1"
framework = "f.json"
budget = "{budget}"
[[release]]
query = "mean"
noise = {{ laplace = {{ scale = "{scale}" }} }}
records = {{ first = 1, every = 12, length = {length}, times = 3 }}
[[release]]
query = "sum"
noise = {{ laplace = {{ scale = "{other}" }} }}
"""


def planned(run, save, document, budget="1", scale="1", other="30", length=12):
    save("f.json", document)
    text = PLAN.format(budget=budget, scale=scale, other=other, length=length)
    path = save("plan.toml", {})
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    code, out, err = run("release", path, "--json")
    answer = json.loads(out)
    expect_valid(answer, "release")
    return code, answer, err


@pytest.mark.parametrize("document", [POINTS, FRAMEWORK, {**POINTS, "priors": NEGATIVE}])
@pytest.mark.parametrize("length", [12, 20])
def test_all_releases_together_are_one_query(run, save, document, length):
    code, answer, err = planned(run, save, document, length=length)
    assert ("overlap" in err) == answer["overlapping"]
    assert answer["overlapping"]  # the sum is of all records
    spans = [(1 + 12 * k, 12 * k + length) for k in range(3)]
    rows = [[f"1/{length}" if a <= j <= b else "0" for j in range(1, 49)] for a, b in spans]
    files = [
        save(f"m{k}.json", {"format": "pufferproof-mechanism/1", "query": {"weights": [row]},
                            "noise": {"laplace": {"scale": scale}}})
        for k, (row, scale) in enumerate([*((row, "1") for row in rows), (["1"] * 48, "30")])
    ]  # fmt: skip
    _, out, _ = run("compose", save("f.json", document), *files, "--together", "1", "--json")
    joint = json.loads(out)
    assert joint["joint"] == answer["leakage"]
    assert joint["together"]["verdict"] == answer["verdict"]
    assert code == (0 if answer["verdict"] == "SATISFIES" else 1)
    largest = max(joint["single"][:3], key=lambda each: float(each["epsilon"]["lower"]))
    assert answer["single"] == [largest, joint["single"][3]]
    factor = float(answer["least"]["factor"]["upper"])
    for share, verdict in ((1.0001, "SATISFIES"), (0.9999, "VIOLATES")):
        scales = f"{factor * share:.9f}", f"{30 * factor * share:.9f}"
        assert planned(run, save, document, "1", *scales, length)[1]["verdict"] == verdict


def test_a_ratio_that_is_left_is_exact(run, save):
    independent = {"p": {"gaussian": {"ar1": {"coefficient": "0", "variance": "1"}}}}
    secrets = {"a": {"record": 24, "at": "0"}, "b": {"record": 24, "at": "12"}}
    document = {**POINTS, "priors": independent, "secrets": secrets}
    _, answer, _ = planned(run, save, document, "log(9)", "1/log(3)", "12/log(2)")
    assert answer["leakage"]["ratio"] == "6"  # 12/12 log 3 + 12/12 log 2
    assert answer["left"]["ratio"] == "3/2"
    assert answer["worst"]["release"] == 2


def test_what_a_plan_cannot_have_is_refused(run, save):
    save("f.json", POINTS)
    for text, said in (
        ('query = "histogram"', 'release 1: query: expected "sum" or "mean"'),
        ('query = "sum"\nrecords = {first = 40, every = 12}', "release 1: records: expected"),
    ):
        path = save("plan.toml", {})
        with open(path, "w", encoding="utf-8") as file:
            file.write(
                'format = "pufferproof-release/1"\nframework = "f.json"\n[[release]]\n'
                'noise = {laplace = {scale = "1"}}\n' + text
            )
        code, out, err = run("release", path)
        assert (code, out) == (2, "")
        assert said in err
        assert run("release", path, "--out", "d")[0] == 2


# Published ways to calibrate noise on normal records, beside the least: none adds less, and each
# keeps its level.


@pytest.mark.parametrize("document", [POINTS, FRAMEWORK, {**POINTS, "priors": NEGATIVE}])
def test_no_published_laplace_noise_is_less_than_the_least(run, save, document):
    framework = save("f.json", document)
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
        one, other = (float(rows[name]["scale"]["upper"]) for name in ("wasserstein", "pufferfish-laplace"))
        assert other > 2 * one


@pytest.mark.parametrize("document", [POINTS, FRAMEWORK])
@pytest.mark.parametrize("asked", [("--delta", "1/100"), ("--renyi", "2")])
def test_gaussian_noise_for_the_distance_is_more_than_the_least(run, save, document, asked):
    framework = save("f.json", document)
    code, out, _ = run("calibrate", framework, "--query", "mean", "--epsilon", "1", *asked, "--json")
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


def of_records(covariance, record=1, values=("0", "2")):
    rows = [[str(s) for s in row] for row in covariance]
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": len(covariance)},
        "secrets": {v: {"record": record, "at": v} for v in values},
        "pairs": "disjoint",
        "priors": {"t": {"gaussian": {"covariance": rows}}},
    }


BDP = "--mechanism", "bdp-gaussian", "--epsilon", "1/2", "--json"


def test_the_bound_by_correlations_keeps_its_level(run, save):
    rng, held = random.Random(59), 0
    for _ in range(40):
        m, alone = rng.randint(1, 5), rng.randint(0, 1)
        largest = Fraction(rng.randint(1, 9), 10 * max(1, m - 2))
        rows = [[Fraction(9 * (j == k)) for k in range(m + alone)] for j in range(m + alone)]
        for j, k in itertools.combinations(range(m), 2):
            rows[j][k] = rows[k][j] = 9 * largest * Fraction(rng.randint(-4, 4), 4)
        if alone:
            rows[m][m] = Fraction(4)  # of another group: any variance
        framework = save("f.json", of_records(rows, rng.randint(1, m)))
        weights = [str(rng.randint(-3, 3)) for _ in rows]
        query = save("q.json", {"weights": [weights]})
        code, out, err = run("calibrate", framework, "--query", query, *BDP)
        if code == 2:
            assert "positive semidefinite" in err or "no finite" in err, err
            continue
        found = json.loads(out)
        expect_valid(found, "calibrate")
        if found["leakage"] is not None:
            assert float(found["leakage"]["epsilon"]["upper"]) <= 0.5 + 1e-9
        held += 1
    assert held > 20


def test_the_bound_by_correlations_as_its_code_has_it(run, save):
    m, rho = 3, Fraction(1, 4)
    rows = [[Fraction(4) if j == k else 4 * rho for k in range(m)] for j in range(m)]
    found = json.loads(run("calibrate", save("f.json", of_records(rows)), "--query", "sum", *BDP)[1])
    factor = (m**2) / (4 * (1 / float(rho) - m + 2)) + 1  # sum_bdp_gaussian_bound
    assert Fraction(found["exact"]) == Fraction(factor) * 2 / Fraction(1, 2)
    assert found["assumed"][0].startswith('3 records under "t" depend on one another')


@pytest.mark.parametrize(
    ("covariance", "said"),
    [
        ([[1, 1], [1, 4]], "found 1 of record 1 and 4 of record 2"),
        ([["1" if j == k else "1/2" for j in range(4)] for k in range(4)], "below 1/2, as 4 "),
    ],
)
def test_the_bound_by_correlations_says_where_it_does_not_apply(run, save, covariance, said):
    framework = save("f.json", of_records(covariance))
    code, _, err = run("calibrate", framework, "--query", "sum", *BDP)
    assert code == 2
    assert said in err
    windows = save("f.json", FRAMEWORK)
    code, _, err = run("calibrate", windows, "--query", "mean", *BDP)
    assert code == 2
    assert 'expected secrets "at" numbers' in err
