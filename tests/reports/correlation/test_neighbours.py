"""Commands about correlation of records refuse frameworks of neighbours by name."""

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
