"""Normal records that are not truncated, at the commands: closed forms, verdicts, and what is
refused.
"""

import json
from copy import deepcopy
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof.models.numbers.text import text_of

FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 3},
    "secrets": {"low": {"record": 2, "at": "0"}, "high": {"record": 2, "at": "1"}},
    "pairs": "disjoint",
    "priors": {"theta": {"gaussian": {"ar1": {"coefficient": "1/2", "variance": "4"}}}},
}
LAPLACE = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "4"}}}
GAUSSIAN = LAPLACE | {"noise": {"gaussian": {"sigma": "2"}}}


@pytest.fixture
def run(run, save):
    def called(command, what, *options, **mechanisms):
        documents = {"F": what, "M": LAPLACE, "G": GAUSSIAN, **mechanisms}
        names = {name: save(f"{name}.json", each) for name, each in documents.items()}
        return run(command, *(names.get(str(each), each) for each in options))

    return called


def changed(path, value):
    found = deepcopy(FRAMEWORK)
    place = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return found


def test_laplace_noise_on_a_sum_leaks_the_sum_of_slopes_over_the_scale(run):
    code, out, err = run("audit", FRAMEWORK, "F", "M", "--epsilon", "0.5", "--json")
    found = json.loads(out)
    expect_valid(found, "audit")
    assert (code, err, found["verdict"]) == (0, "", "SATISFIES")
    assert found["leakage"]["epsilon"] == {"lower": "0.5", "upper": "0.5"}
    assert found["witness"] == {"prior": "theta", "pair": ["low", "high"], "output": "-inf"}
    assert run("audit", FRAMEWORK, "F", "M", "--epsilon", "0.499")[0] == 1
    assert "leakage   1/2 = 0.5 nats" in run("audit", FRAMEWORK, "F", "M")[1]


def test_gaussian_noise_keeps_no_level_and_has_a_delta_and_a_divergence(run):
    code, out, _ = run("audit", FRAMEWORK, "F", "G", "--epsilon", "3")
    assert code == 1
    # c = 2, Cov(R) = 4 (3 + 2 + 1/2) - 4 * 4 = 6, D^2 = 4 / (6 + 4)
    assert "infinite" in out
    assert "at outputs below -14.000" in out  # 1 - 3 * 10 / 2
    code, out, _ = run("audit", FRAMEWORK, "F", "G", "--epsilon", "3", "--renyi", "2", "--json")
    found = json.loads(out)
    expect_valid(found, "audit")
    assert (code, found["renyi"]["epsilon"]["upper"]) == (0, "0.4")
    for delta, code in (("1e-8", 1), ("1e-6", 0), ("0", 1), ("1", 0)):
        options = ("--epsilon", "3", "--delta", delta, "--json")
        found = run("audit", FRAMEWORK, "F", "G", *options)
        expect_valid(json.loads(found[1]), "audit")
        assert found[0] == code, found


def test_the_least_laplace_scale_keeps_the_level_and_its_file_is_audited(run, tmp_path):
    out = str(tmp_path / "made.json")
    asked = ("--mechanism", "wasserstein", "--query", "sum", "--epsilon", "1")
    code, printed, err = run("calibrate", FRAMEWORK, "F", *asked, "--out", out, "--json")
    found = json.loads(printed)
    expect_valid(found, "calibrate")
    assert (code, err, found["exact"], found["distance"]) == (0, "", "2", "2")
    assert found["leakage"]["epsilon"] == {"lower": "1", "upper": "1"}
    made = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))
    assert run("audit", FRAMEWORK, "F", "B", "--epsilon", "1", B=made)[0] == 0
    assert run("audit", FRAMEWORK, "F", "B", "--epsilon", "0.99999", B=made)[0] == 1
    logarithm = (*asked[:-1], "log(4)")
    assert "2/log(4)" in run("calibrate", FRAMEWORK, "F", *logarithm)[1]


@pytest.mark.parametrize("kind", [("--delta", "1e-5"), ("--renyi", "4")])
def test_the_least_sigma_keeps_the_promise_and_a_smaller_one_does_not(run, kind):
    asked = ("--query", "sum", "--epsilon", "0.5", *kind)
    code, printed, _ = run("calibrate", FRAMEWORK, "F", *asked, "--json")
    found = json.loads(printed)
    expect_valid(found, "calibrate")
    row, _ = found["sigmas"]
    assert code == 0
    for end, kept in (("upper", 0), ("lower", 1)):
        noise = {"noise": {"gaussian": {"sigma": row["sigma"][end]}}}
        options = ("--epsilon", "0.5", *kind)
        assert run("audit", FRAMEWORK, "F", "B", *options, B=LAPLACE | noise)[0] == kept


def test_no_noise_is_needed_where_the_rest_hides_the_record_or_nothing_is_said(run):
    generous = ("--query", "mean", "--epsilon", "2", "--delta", "1/2")
    assert "kept without noise" in run("calibrate", FRAMEWORK, "F", *generous)[1]
    other = changed(["priors", "theta", "gaussian"], {"covariance": [[1, 0], [0, 1]]})
    other["records"] = {"count": 2}
    weights = {"weights": [["1", "0"]]}
    asked = ("--query", "W", "--epsilon", "1")
    laplace = run("calibrate", other, "F", *asked, "--mechanism", "wasserstein", W=weights)
    assert laplace[0] == 0
    assert "scale     0" in laplace[1]
    assert "kept without noise" in run("calibrate", other, "F", *asked, "--renyi", "2", W=weights)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--mechanism", "markov-quilt"), "expected wasserstein"),
        (("--compare", "--plot", "x.svg"), "--plot: needs databases that can be listed"),
        (("--mechanism", "wasserstein", "--certificate", "c"), "--certificate: answers about"),
        (("--mechanism", "wasserstein", "--all-records"), "--all-records: needs"),
        (("--delta", "1e-5", "--noise", "laplace"), "--noise: expected gaussian"),
        (("--mechanism", "wasserstein", "--epsilon", "0"), "at level 0 no finite noise"),
        (("--renyi", "2", "--epsilon", "0"), "at level 0 no finite noise"),
        (("--mechanism", "wasserstein", "--query", "histogram"), "expected one of sum, mean"),
    ],
)
def test_what_calibrate_has_no_answer_for_is_refused(run, options, message):
    asked = ("--query", "sum", "--epsilon", "1", *options)
    code, out, err = run("calibrate", FRAMEWORK, "F", *asked)
    assert (code, out) == (2, "")
    assert message in err


BAD = [
    (["secrets", "low", "at"], "x", "expected a number"),
    (["secrets", "low", "at"], "1", "at least one pair of secrets"),
    (["secrets", "low", "record"], 4, "expected a record from 1 to 3, found 4"),
    (["secrets", "low"], {"record": 2, "value": "0"}, 'without "box" expected a record "at"'),
    (["secrets", "low"], {"record": 2, "between": ["0", "1"]}, 'expected all secrets "at" a number'),
    (["secrets", "low"], ["a"], 'without "box" expected a record "at" a number'),
    (["records", "alphabet"], ["0"], 'expected {"count": n}, {"names": [..]}'),
    (["priors", "theta", "normalize"], True, "a density has no rows"),
    (["priors", "theta", "gaussian", "mean"], ["1"], "expected 3 numbers"),
    (["priors", "theta", "gaussian", "ar1", "coefficient"], "1", "between -1 and 1, found 1"),
    (["priors", "theta", "gaussian", "ar1", "variance"], "0", "a variance above 0"),
    (["priors", "theta", "gaussian"], {"covariance": [["1"]]}, "expected 3 rows"),
    (["priors", "theta", "gaussian", "box"], ["0", "1"], '"ar1" cannot be combined with "box"'),
    (["priors", "other"], {"product": [["1"]]}, "priors.other: beside a"),
    (
        ["priors", "other"],
        {"gaussian": {"covariance": [["1"]], "box": ["0", "1"]}},
        'expected all priors with "box", or none',
    ),
    (["people"], 2, "people"),
    (["closure"], "convex", "a mixture of normal laws is not a normal law"),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD)
def test_bad_frameworks(run, path, value, message):
    code, out, err = run("audit", changed(path, value), "F", "M")
    assert (code, out) == (2, "")
    assert message in err


@pytest.mark.parametrize(
    ("mechanism", "message"),
    [
        ({"query": "histogram"}, 'expected "sum", "mean" or {"weights": [[..]]}'),
        ({"query": {"count": "1"}}, 'expected "query" that is "sum"'),
        ({"query": {"weights": [["1"]]}}, "query.weights[0]: expected 3 weights"),
        ({"query": {"weights": []}}, "query"),
        ({"query": "sum", "segment": [2, 4]}, "expected 1 <= first <= last <= 3"),
        ({"noise": {"geometric": {"ratio": "1/2"}}}, "geometric noise needs integers"),
    ],
)
def test_bad_mechanisms(run, mechanism, message):
    code, out, err = run("audit", FRAMEWORK, "F", "B", B=LAPLACE | mechanism)
    assert (code, out) == (2, "")
    assert message in err


def test_a_channel_is_refused(run):
    channel = {"format": "pufferproof-mechanism/1", "outputs": ["u"], "channel": {"a": ["1"]}}
    code, _, err = run("audit", FRAMEWORK, "F", "B", B=channel)
    assert code == 2
    assert 'expected "query" that is "sum"' in err


@pytest.mark.parametrize(
    "options", [("--table",), ("--profile",), ("--csv", "x.csv"), ("--plot", "x.svg"), ("--length", "3")]
)
def test_options_of_listed_databases_are_refused(run, options):
    code, out, err = run("audit", FRAMEWORK, "F", "M", *options)
    assert (code, out) == (2, "")
    assert f"{options[0]}: needs databases that can be listed" in err


@pytest.mark.parametrize("option", ["--certificate", "--evidence", "--out"])
def test_answers_about_normal_records_have_no_certificate(run, option):
    code, out, err = run("audit", FRAMEWORK, "F", "M", option, "new")
    assert (code, out) == (2, "")
    assert f"{option}: answers about" in err
    assert "the theorem that they rest on" in err


@pytest.mark.parametrize("option", ["--delta", "--renyi"])
def test_a_delta_of_laplace_noise_is_refused(run, option):
    value = {"--delta": "1e-6", "--renyi": "2"}[option]
    code, _, err = run("audit", FRAMEWORK, "F", "M", "--epsilon", "1", option, value)
    assert code == 2
    assert f"{option}: needs gaussian noise" in err


@pytest.mark.parametrize(
    "words",
    [
        ("influence", "F"),
        ("influence", "F", "--curve"),
        ("worst", "F", "--budget", "1"),
        ("reveal", "F", "M"),
        ("collapse", "F", "--budget", "1", "--out", "d"),
        ("critical", "F", "--runs", "2"),
        ("conditions", "F", "M"),
        ("partner", "F", "M", "--budget", "1", "--out", "p.json"),
        ("optimal", "F", "--epsilon", "1", "--loss", "M", "--out", "b.json"),
    ],
)
def test_other_commands_refuse_it_and_say_what_takes_it(run, words):
    code, out, err = run(words[0], FRAMEWORK, *words[1:])
    assert (code, out) == (2, "")
    if words[0] != "optimal":
        assert "audit, compose, calibrate" in err


def test_weights_are_for_records_that_are_numbers(run):
    listed = FRAMEWORK | {
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}},
        "priors": {"p": {"product": [["1/2", "1/2"], ["1/2", "1/2"]]}},
    }
    weights = LAPLACE | {"query": {"weights": [["1", "1"]]}}
    code, _, err = run("audit", listed, "F", "B", B=weights)
    assert code == 2
    assert '"weights" need "gaussian" priors' in err
    asked = ("F", "--mechanism", "wasserstein", "--query", "B", "--epsilon", "1")
    code, _, err = run("calibrate", listed, *asked, B=weights)
    assert code == 2
    assert '"weights" need "gaussian" priors' in err


def test_distances_of_gaussian_releases_are_joint(run):
    numpy = pytest.importorskip("numpy")
    other = GAUSSIAN | {"query": {"weights": [["1", "0", "-1"]]}, "noise": {"gaussian": {"sigma": "1"}}}
    asked = ["F", "G", "N", "--together", "1", "--delta", "1/2", "--json"]
    code, out, err = run("compose", FRAMEWORK, *asked, N=other)
    assert (code, err) == (0, "")
    found = json.loads(out)
    expect_valid(found, "compose")
    law = numpy.array([[4, 2, 1], [2, 4, 2], [1, 2, 4]], dtype=float)
    rows = numpy.array([[1, 1, 1], [1, 0, -1]], dtype=float)
    slope = rows @ law[:, 1] / 4
    spread = rows @ law @ rows.T - 4 * numpy.outer(slope, slope) + numpy.diag([4, 1])
    square = slope @ numpy.linalg.solve(spread, slope)
    text = run("compose", FRAMEWORK, *asked[:-1], N=other)[1]
    assert f"D^2 = {square:.6g} of all releases" in text
    assert found["together"]["verdict"] == "SATISFIES"


def test_releases_between_values_have_the_least_factor_that_keeps_the_budget(run, save, tmp_path):
    """Between windows no formula gives it: it is the root of a falling function."""
    windows = {"low": {"record": 2, "between": ["0", "1"]}}
    windows["high"] = {"record": 2, "between": ["2", "3"]}
    save("f.json", changed(["secrets"], windows))
    plan = (
        'format = "pufferproof-release/1"\nframework = "f.json"\nbudget = "1"\n[[release]]\n'
        'query = "sum"\nnoise = {{ laplace = {{ scale = "{}" }} }}\n'
        "records = {{ first = 1, length = 2, every = 1, times = 2 }}\n"
    )

    def released(scale):
        (tmp_path / "plan.toml").write_text(plan.format(scale), encoding="utf-8")
        code, out, _ = run("release", FRAMEWORK, "plan.toml", "--json")
        expect_valid(json.loads(out), "release")
        return code, json.loads(out)

    code, found = released("1")
    assert code == 1
    lower, upper = (Fraction(found["least"]["factor"][end]) for end in ("lower", "upper"))
    assert 1 < lower <= upper <= lower * (1 + Fraction(1, 10**6))
    assert released(text_of(upper))[0] == 0
    assert released(text_of(lower * Fraction(999_999, 1_000_000)))[0] == 1


def test_a_ledger_of_normal_records_is_refused(run, tmp_path):
    code, _, err = run("compose", FRAMEWORK, "F", "M", "--ledger", tmp_path / "ledger.json")
    assert code == 2
    assert "--ledger: needs databases that can be listed" in err
    assert not (tmp_path / "ledger.json").exists()
