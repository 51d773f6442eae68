"""`compose --ledger`: releases of different days add up, nothing is lost, and an error spends
nothing.
"""

import json
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import Accountant, read_framework

CHAIN = {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"], ["1/10", "9/10"]]}}
HEAD = {"format": "pufferproof-mechanism/1"}
COUNT = HEAD | {"query": "sum", "segment": [1, 3], "noise": {"laplace": {"scale": "5/log(2)"}}}
LATER = HEAD | {"query": "sum", "segment": [4, 6], "noise": {"laplace": {"scale": "3"}}}
GAUSS = HEAD | {"query": "sum", "noise": {"gaussian": {"sigma": "2"}}}
COIN = HEAD | {"outputs": ["u", "v"], "local": [[["2/3", "1/3"], ["1/3", "2/3"]]] * 6}
REVEAL = HEAD | {"redaction": [["1", "1"], ["0", "1/2"]] * 3}


def framework(**changes):
    secrets = {f"x={value}": {"record": 3, "value": value} for value in "01"}
    known = {"format": "pufferproof-framework/1", "records": {"count": 6, "alphabet": ["0", "1"]}}
    return known | {"secrets": secrets, "pairs": "disjoint", "priors": {"theta": CHAIN}} | changes


@pytest.fixture
def run(run, save):
    documents = {"f": framework(), "count": COUNT, "later": LATER, "gauss": GAUSS}
    documents |= {"coin": COIN, "reveal": REVEAL}
    for name, content in documents.items():
        save(f"{name}.json", content)

    def called(*arguments):
        return run("compose", *(f"{x}.json" if x in {*documents} else x for x in arguments))

    return called


def answered(run, *arguments):
    code, out, err = run(*arguments, "--ledger", "day.json", "--json")
    assert (code, err) == (0, "")
    answer = json.loads(out)
    expect_valid(answer, "compose")
    expect_valid(json.loads(Path("day.json").read_text()), "ledger-file")
    return answer


def test_python_and_the_command_share_a_ledger(run):
    answered(run, "f", "coin", "--runs", "2")
    space = read_framework("f.json")
    account = Accountant.load("day.json", space)
    assert [(each.name, each.runs) for each in account.releases] == [("coin.json", 2)]
    account.spend("log(2)", records=(2, 3), name="somebody").save("day.json")
    answer = answered(run, "f", "count")
    assert (answer["ledger"]["before"], answer["ledger"]["now"]) == (3, 1)
    assert (answer["joint"], answer["single"]) == (None, [None])
    assert answer["ledger"]["at_most"] == Accountant.load("day.json", space).epsilon().as_json()
    joint, worst, *_ = answer["ledger"]["bounds"]
    assert joint["at_most"] is None
    assert "only levels" in joint["how"]
    assert worst["at_most"] == answer["ledger"]["at_most"]


@pytest.mark.parametrize("kind", ["coin", "reveal", "gauss"])
def test_every_kind_is_entered(run, kind):
    answer = answered(run, "f", kind)
    assert answer["joint"] == answer["single"][0] == answer["ledger"]["at_most"]
    known = {bound["name"]: bound["at_most"] for bound in answer["ledger"]["bounds"]}
    assert (known["worst"] is None) == (kind != "coin")


def test_kinds_may_differ_from_day_to_day(run):
    answered(run, "f", "coin")
    answer = answered(run, "f", "count")
    assert answer["joint"] is None
    assert "noise" in answer["ledger"]["bounds"][0]["how"]
    assert answer["ledger"]["at_most"]["epsilon"]["upper"] != "inf"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("f", "count", "--adaptive"), "--adaptive: needs --ledger"),
        (("f", "coin", "--epsilon", "1", "--ledger", "day.json"), "--epsilon: cannot be combined with --ledger"),
        (
            ("f", "coin", "--certificate", "c.json", "--ledger", "day.json"),
            "--certificate: cannot be combined with --ledger",
        ),
        (("f", "coin", "--runs", "0", "--ledger", "day.json"), "--runs"),
        (("f", "coin", "--ledger", "coin.json"), "is a mechanism, expected a ledger"),
        (("f", "coin", "--ledger", "."), "expected a regular file or none"),
        (("f", "coin", "--ledger", "none/day.json"), "cannot be written"),
        (("f", "count", "coin", "--ledger", "day.json"), "expected all mechanisms of one kind"),
        (("f", "f", "--ledger", "day.json"), "is a framework, expected a mechanism"),
    ],
)
def test_misuse_is_one_line_and_spends_nothing(run, arguments, message):
    answered(run, "f", "count")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.parametrize("content", ["", "{", '{"format": "pufferproof-ledger/1"}', "[1]"])
def test_a_damaged_ledger_is_refused_and_left(run, content):
    Path("day.json").write_text(content)
    code, out, err = run("f", "count", "--ledger", "day.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("pufferproof: day.json: ")
    assert Path("day.json").read_text() == content


def test_a_ledger_of_another_framework_is_refused_and_left(run):
    answered(run, "f", "count")
    before = Path("day.json").read_text()
    Path("f.json").write_text(json.dumps(framework(pairs=[["x=0", "x=1"]])))
    code, out, err = run("f", "count", "--ledger", "day.json")
    assert (code, out) == (2, "")
    assert "a ledger of another framework: expected sha256:" in err
    assert Path("day.json").read_text() == before


def test_an_interrupted_run_leaves_a_whole_ledger(run, tmp_path):
    """Interrupts at any time: the ledger is the one before, or the one after."""
    answered(run, "f", "count")
    command = [sys.executable, "-m", "pufferproof", "compose", "f.json", "later.json"]
    for wait in (0.3, 0.8, 1.2):
        known = len(json.loads(Path("day.json").read_text())["releases"])
        process = subprocess.Popen(
            [*command, "--ledger", "day.json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        with suppress(subprocess.TimeoutExpired):
            process.wait(wait)
        process.send_signal(signal.SIGINT)
        process.wait()
        assert len(json.loads(Path("day.json").read_text())["releases"]) in (known, known + 1)
    assert not list(tmp_path.glob(".*partial"))
