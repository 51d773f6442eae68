"""Probabilities and scales beyond the range of floats: an exact answer or one line of error."""

import json
import warnings

import pytest

from pufferproof.reports import cli

TINY, REST = "1e-400", "0." + "9" * 400
PAIR = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b"],
    "secrets": {"s": ["a"], "t": ["b"]},
    "pairs": "disjoint",
    "priors": {"p": {"table": {"a": "1/2", "b": "1/2"}}},
}
RARE = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": {"a": ["3/4", "1/4"], "b": [TINY, REST]}}
CLASS = {"markov": {"initial": "stationary", "pi_min": "1/20", "eigengap": "1/10"}}
CHAIN = {"markov": {"initial": ["1/2", "1/2"], "transition": [[TINY, REST], ["1/5", "4/5"]]}}


def records(prior):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": 3, "alphabet": ["0", "1"]},
        "secrets": {"a": {"record": 2, "value": "0"}, "b": {"record": 2, "value": "1"}},
        "pairs": "disjoint",
        "priors": {"c": prior},
    }


def noise(**law):
    return {"format": "pufferproof-mechanism/1", "query": "sum", "noise": law}


LAPLACE, NARROW = (noise(laplace={"scale": scale}) for scale in ("5", TINY))
SHARP = noise(gaussian={"sigma": TINY})


@pytest.mark.parametrize(
    ("framework", "mechanism", "words", "code"),
    [
        (PAIR, RARE, "audit F M --epsilon log(3) --evidence e.zip", 1),
        (PAIR, RARE, "audit F M --plot o.svg --draw odds", 0),
        (records(CHAIN), LAPLACE, "compose F M --runs 2 --together 1", 0),
        (records(CHAIN), LAPLACE, "compose F M --runs 2", 0),
        (records(CLASS), NARROW, "audit F M --epsilon 1", 2),
        (records(CHAIN), SHARP, "audit F M --epsilon 1 --delta 1/10", 1),
    ],
)
def test_numbers_beyond_floats_are_no_internal_error(framework, mechanism, words, code, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, document in (("F", framework), ("M", mechanism)):
        (tmp_path / name).write_text(json.dumps(document))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cli._run(words.split())
    err = capsys.readouterr().err
    assert "internal" not in err
    assert found == code, err
    assert len(err.splitlines()) <= 1
