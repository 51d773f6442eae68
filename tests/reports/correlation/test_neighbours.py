"""Commands about single records refuse frameworks of neighbours by name."""

import pytest


@pytest.mark.parametrize(
    "arguments",
    [
        ["influence"],
        ["calibrate", "--mechanism", "wasserstein", "--query", "sum", "--epsilon", "1"],
        ["calibrate", "--mechanism", "markov-quilt", "--query", "sum", "--epsilon", "1"],
    ],
)
@pytest.mark.parametrize("priors", [{}, {"priors": {"theta": {"product": [["1/2", "1/2"]] * 2}}}])
def test_that_neighbours_are_refused_by_name(run, save, arguments, priors):
    content = {
        "format": "pufferproof-framework/1",
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "neighbours": {"relation": "substitute"},
        **priors,
    }
    name, *rest = arguments
    code, out, err = run(name, save("f.json", content), *rest)
    assert (code, out) == (2, "")
    assert "f.json: neighbours: " in err


@pytest.mark.parametrize("relation", ["add-remove", "substitute"])
@pytest.mark.parametrize("count", [2, 300])
def test_that_releases_and_translations_refuse_neighbours_by_name(run, save, relation, count):
    content = {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": ["0", "1"]},
        "neighbours": {"relation": relation},
    }
    plan = """format = "pufferproof-release/1"
framework = "f.json"
[[release]]
query = "sum"
noise = { laplace = { scale = "1" } }
"""
    framework = save("f.json", content)
    tries = [
        ["release", save("plan.toml", plan)],
        ["translate", framework, "--per-record-dp", "log(2)"],
        ["worst", framework, "--budget", "log(8)", "--per-record-dp", "log(2)"],
    ]
    if relation == "substitute" and count == 2:  # databases of as many records, which differ in one
        assert [run(*arguments)[0] for arguments in tries[1:]] == [0, 0]
        tries = tries[:1]
    for arguments in tries:
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert "neighbours: " in err
