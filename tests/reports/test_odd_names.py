"""Names of files, labels and options are anybody's: none of them is read as a formula, and none
ends in an internal error.
"""

import json
import os
import re
from pathlib import Path

import pytest

from pufferproof.claims import registry
from pufferproof.models.errors import ModelError

ODD = ["$\\frac{$", "$x$", "a_b^", "%d {0}", "<b>&", "[red]", "\u202ex", "é", "_"]
LABEL = "$\\frac{$"


def framework(left, right):
    return {
        "format": "pufferproof-framework/1",
        "databases": [left, right],
        "secrets": {LABEL: [left], "t$": [right]},
        "pairs": [[LABEL, "t$"]],
        "priors": {"$p": {"table": {left: "1/2", right: "1/2"}}},
    }


def mechanism(left, right, outputs):
    return {
        "format": "pufferproof-mechanism/1",
        "outputs": outputs,
        "channel": {left: ["3/4", "1/4"], right: ["1/4", "3/4"]},
    }


@pytest.mark.parametrize("name", ODD)
def test_every_plot_shows_names_as_they_are(save, run, name):
    save(f"f{name}.json", framework("a", "b"))
    save(f"m{name}.json", mechanism("a", "b", [name, f"{name}$"]))
    files = [f"f{name}.json", f"m{name}.json"]
    for command in (
        ["audit", *files, "--epsilon", "log(3)", "--plot", "o.svg"],
        ["reveal", *files, "--plot", "o.svg"],
        ["compose", *files, "--runs", "3", "--plot", "o.svg"],
    ):
        code, _, err = run(*command)
        assert (code, err) == (0, "")
        with open("o.svg", encoding="utf-8") as file:
            drawn = file.read()
        os.remove("o.svg")
    assert "frac" not in name or "$\\frac{$.json" in drawn


def test_a_report_shows_names_as_they_are(save, run, tmp_path):
    home = tmp_path / "examples" / "odd"
    home.mkdir(parents=True)
    (home / f"f{LABEL}.json").write_text(json.dumps(framework("a", "b")))
    (home / f"m{LABEL}.json").write_text(json.dumps(mechanism("a", "b", [LABEL, "v"])))
    name = LABEL.replace("\\", "\\\\")
    case = f'framework = "f{name}.json"\nmechanism = "m{name}.json"\nshows = "x"\nepsilon = "log(3)"\n'
    joint = f'framework = "f{name}.json"\nmechanisms = ["m{name}.json", "m{name}.json"]\nshows = "y"\n'
    (home / "example.toml").write_text(f'title = "{name}"\n[[audit]]\n{case}[[compose]]\n{joint}')
    code, _, err = run("report", str(home.parent), "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    page = (tmp_path / "out" / "index.html").read_text()
    assert len(re.findall(r">m\$\\frac\{\$\.json, alone<", page)) == 2


def test_logarithmic_axes_have_numbers_and_no_formulas(save, run):
    chain = {"markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/4", "3/4"]]}}
    secrets = {"s": {"record": 1, "value": "0"}, "t": {"record": 1, "value": "1"}}
    space = {"format": "pufferproof-framework/1", "records": {"count": 30, "alphabet": ["0", "1"]}}
    save("f.json", space | {"secrets": secrets, "pairs": [["s", "t"]], "priors": {"p": chain}})
    for options in ([], ["--curve"]):
        assert run("influence", "f.json", *options, "--plot", "o.svg", "--replace")[0] == 0
        with open("o.svg", encoding="utf-8") as file:
            drawn = re.findall(r">([^<>]*)</text>", file.read())
        assert "0.01" in drawn
        assert not [text for text in drawn if "$" in text or "mathdefault" in text]


LONG = "x" * 300


@pytest.mark.parametrize(
    "command",
    [
        ["audit", "f.json", "m.json", "--certificate", LONG],
        ["audit", "f.json", "m.json", "--csv", f"{LONG}.csv"],
        ["audit", "f.json", "m.json", "--plot", f"{LONG}.svg"],
        ["audit", LONG, "m.json"],
        ["audit", "f.json", LONG],
        ["calibrate", "f.json", "--mechanism", "wasserstein", "--query", LONG, "--epsilon", "1"],
        ["check", LONG],
        ["worst", "f.json", "--budget", "log(2)", "--budget", "log(2)", "--out", LONG],
        ["ledger", LONG],
        ["report", LONG],
        ["report", "examples", "--out", LONG],
        ["report", "examples", "--out", "loop"],
        ["report", "examples", "--out", "dangling"],
        ["audit", "f.json", "m.json", "--certificate", "loop"],
        ["audit", "f.json", "m.json", "--certificate", "dangling"],
        ["audit", "loop", "m.json"],
        ["ledger", "loop"],
    ],
)
def test_names_too_long_and_links_to_nowhere_are_one_line(save, run, tmp_path, command):
    save("f.json", framework("a", "b"))
    save("m.json", mechanism("a", "b", ["u", "v"]))
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "dangling").symlink_to("nowhere/at/all")
    (tmp_path / "examples" / "one").mkdir(parents=True)
    (tmp_path / "examples" / "one" / "example.toml").write_text("title = ")
    before = sorted(tmp_path.rglob("*"))
    code, out, err = run(*command)
    assert code == 2
    assert "internal error" not in err
    assert err.count("\n") == 1
    assert out == ""
    assert sorted(tmp_path.rglob("*")) == before


def test_a_name_of_claims_may_be_too_long():
    with pytest.raises(ModelError, match="no such file or folder of claims"):
        registry._files(Path(LONG))
