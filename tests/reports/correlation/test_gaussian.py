"""`influence --curve` on truncated Gaussian priors, and the other commands, which refuse them."""

import json
from copy import deepcopy

import pytest

SMOOTH = {"kernel": {"squared_exponential": {"length": "1"}}, "box": ["-5", "5"]}
FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 3},
    "secrets": {"high": {"record": 2, "between": ["4.9", "5"]}, "low": {"record": 2, "between": ["-5", "-4.9"]}},
    "pairs": "disjoint",
    "priors": {"smooth": {"gaussian": SMOOTH}},
}
MECHANISM = {"format": "pufferproof-mechanism/1", "query": "sum", "noise": {"laplace": {"scale": "1"}}}


@pytest.fixture
def run(run, save):
    def called(command, what, *options):
        names = {"FRAMEWORK": save("framework.json", what), "MECHANISM": save("mechanism.json", MECHANISM)}
        return run(command, *(names.get(str(each), each) for each in options))

    return called


def changed(path, value):
    found = deepcopy(FRAMEWORK)
    place = found
    for key in path[:-1]:
        place = place[key]
    if value is ...:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return found


def test_text_and_plot(run, tmp_path):
    path = tmp_path / "curve.svg"
    code, out, err = run("influence", FRAMEWORK, "FRAMEWORK", "--curve", "--plot", path)
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split()[:3] == ["1", "48.6584", "48.6584"]
    assert b"</svg>" in path.read_bytes()


def test_a_covariance_is_read(run):
    law = {"covariance": [[1, "-1/2", 0], ["-1/2", 1, "1/4"], [0, "1/4", 2]], "box": [-5, 5]}
    what = changed(["priors", "smooth"], {"gaussian": law})
    code, out, _ = run("influence", what, "FRAMEWORK", "--curve", "--json")
    assert code == 0
    assert json.loads(out)["curve"][1]["hidden"] == [2]


OTHERS = [
    ("audit", ["FRAMEWORK", "MECHANISM"]),
    ("compose", ["FRAMEWORK", "MECHANISM", "MECHANISM"]),
    ("calibrate", ["FRAMEWORK", "--mechanism", "wasserstein", "--query", "sum", "--epsilon", "1"]),
    ("calibrate", ["FRAMEWORK", "--mechanism", "markov-quilt", "--query", "sum", "--epsilon", "1"]),
    ("worst", ["FRAMEWORK", "--budget", "1", "--budget", "1"]),
    ("collapse", ["FRAMEWORK", "--budget", "1", "--out", "found"]),
    ("critical", ["FRAMEWORK"]),
    ("reveal", ["FRAMEWORK", "MECHANISM"]),
]


@pytest.mark.parametrize(("command", "options"), OTHERS)
def test_other_commands_refuse(run, command, options):
    code, out, err = run(command, FRAMEWORK, *options)
    assert (code, out) == (2, "")
    assert "a truncated Gaussian has no databases to list" in err, err
    assert len(err.splitlines()) == 1


BAD = [
    ([], ["--record", 2], "--curve: a gaussian prior has an influence curve only"),
    ([], [], "--curve: a gaussian prior has an influence curve only"),
    ((["priors", "smooth", "gaussian", "box"], ["-4", "4"]), None, "inside the box [-4, 4]"),
    ((["priors", "smooth", "gaussian", "box"], ["-4"]), None, "priors.smooth.gaussian.box"),
    ((["priors", "smooth", "gaussian", "covariance"], [[1]]), None, 'one of "kernel", "covar'),
    ((["priors", "smooth", "normalize"], True), None, "nothing to divide"),
    ((["secrets", "low", "between"], ["4.8", "4.95"]), None, "at least one pair of secrets"),
    ((["pairs"], [["low", "low"]]), None, "expected windows that do not overlap"),
    ((["secrets", "low"], {"record": 2, "value": "0"}), None, 'a record "between" two numbers'),
    ((["records", "alphabet"], ["0", "1"]), None, 'expected {"count": n}, {"names": [..]}'),
    ((["closure"], "convex"), None, 'expected "list", found "convex"'),
    ((["priors", "table"], {"product": [[1]]}), None, 'beside a "gaussian" prior, expected another one'),
]


@pytest.mark.parametrize(("change", "options", "message"), BAD)
def test_bad_input(run, change, options, message):
    what = changed(*change) if change else FRAMEWORK
    code, out, err = run("influence", what, "FRAMEWORK", *(["--curve"] if options is None else options))
    assert (code, out) == (2, "")
    assert message in err, err
    assert len(err.splitlines()) == 1


def test_windows_and_missing_alphabets_of_other_priors(run):
    even = {"product": [["1/2", "1/2"]] * 3}
    code, _, err = run("audit", changed(["priors"], {"even": even}), "FRAMEWORK", "MECHANISM")
    assert code == 2
    assert '"between" needs "gaussian" priors' in err
    what = changed(["priors"], {"even": even})
    what["secrets"] = {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}}
    code, _, err = run("audit", what, "FRAMEWORK", "MECHANISM")
    assert code == 2
    assert 'records: missing key "alphabet"' in err
