"""One question has one answer, whichever way it is asked: on the command line, in a list of
files, in Python, in a test, in an account, beside other releases, on a page.
"""

import json
from pathlib import Path

import pytest

import pufferproof as pp
from pufferproof.reports import cli
from pufferproof.reports.page.examples import load_examples
from pufferproof.reports.page.runs import run_audit

TWO = [["9/10", "1/10"], ["1/5", "4/5"]]
THREE = [["4/5", "1/10", "1/10"], ["1/10", "4/5", "1/10"], ["1/10", "1/10", "4/5"]]
LISTED = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c"],
    "secrets": {"s": ["a"], "t": ["b", "c"]},
    "pairs": [["s", "t"]],
    "priors": {"theta": {"table": {"a": "1/2", "b": "1/4", "c": "1/4"}}},
}
NETWORK = {"parents": {"1": [], "2": ["1"]}}
TABLES = {"1": {"": ["1/2", "1/2"]}, "2": {"0": ["2/3", "1/3"], "1": ["1/4", "3/4"]}}


def records(count, prior, alphabet="01", **more):
    place = (count + 1) // 2
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": list(alphabet)},
        "secrets": {f"x={v}": {"record": place, "value": v} for v in alphabet[:2]},
        "pairs": "disjoint",
        "priors": {"theta": prior},
        **more,
    }


def chain(transition=TWO, initial="stationary"):
    return {"markov": {"initial": initial, "transition": transition}}


def noisy(query="sum", noise=None, **more):
    noise = noise or {"laplace": {"scale": "4"}}
    return {"format": "pufferproof-mechanism/1", "query": query, "noise": noise, **more}


COIN = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["u", "v"],
    "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/2", "1/2"]},
}
LOCAL = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["0", "1"],
    "local": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 5,
}
REDACTED = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["0", "1", "*"],
    "redaction": [["1/2", "1/4"]] * 5,
}
BOX = {
    "initial": "stationary",
    "transition_lower": [["17/20", "1/20"], ["1/10", "7/10"]],
    "transition_upper": [["19/20", "3/20"], ["3/10", "9/10"]],
}
GEOMETRIC = {"geometric": {"ratio": "1/2"}}
QUESTIONS = {
    "a coin": (LISTED, COIN, "1"),
    "a coin at its level": (LISTED, COIN, "log(12/5)"),
    "a table with noise": (LISTED, noisy({"a": "0", "b": "1", "c": "2"}), "0.5"),
    "normal noise": (
        LISTED,
        noisy({"a": "0", "b": "1", "c": "2"}, {"gaussian": {"sigma": "2"}}),
        "1",
    ),
    "answers in turn": (records(5, chain()), LOCAL, "log(4)"),
    "redacted": (records(5, chain()), REDACTED, "1"),
    "a short sum": (records(5, chain()), noisy(), "0.5"),
    "a short sum, geometric": (records(5, chain()), noisy(noise=GEOMETRIC), "log(5)"),
    "a mean": (records(9, chain()), noisy("mean"), "0.5"),
    "a year": (records(365, chain()), noisy(), "1"),
    "a year of histograms": (records(365, chain()), noisy("histogram"), "1"),
    "three values": (records(20, chain(THREE), "012"), noisy("histogram"), "2"),
    "a day of three values": (records(336, chain(THREE), "012"), noisy("histogram"), "6"),
    "a million records": (records(10**6, chain()), noisy(), "1"),
    "a segment": (records(2000, chain()), noisy(segment=[900, 1100]), "1"),
    "independent records": (
        records(4, {"product": [["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"], ["1", "0"]]}),
        noisy(),
        "0.25",
    ),
    "a network": (records(2, {"bayes_net": {**NETWORK, "cpt": TABLES}}), noisy(), "0.25"),
    "a class": (records(20, {"markov": BOX}), noisy(), "3"),
    "many people": (records(336, chain(), people=500), noisy(), "1"),
    "two values, two priors": (
        records(30, chain()) | {"priors": {"a": chain(), "b": chain(initial=["1", "0"])}},
        noisy(noise={"discrete_laplace": {"scale": "3"}}),
        "1",
    ),
}


@pytest.fixture
def files(tmp_path, monkeypatch, request):
    framework, mechanism, level = QUESTIONS[request.param]
    folder = tmp_path / "case"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("framework.json").write_text(json.dumps(framework), encoding="utf-8")
    Path("mechanism.json").write_text(json.dumps(mechanism), encoding="utf-8")
    return level


@pytest.mark.parametrize("files", QUESTIONS, indirect=True)
def test_every_door_gives_the_same_verdict_and_digits(files, capsys, tmp_path):
    known = Doors(files, capsys)
    answer = known.of_command("audit", "framework.json", "mechanism.json", "--epsilon", files)
    wanted = answer["verdict"], answer["leakage"]
    assert known.of_list() == wanted
    assert known.of_python() == wanted
    assert known.of_composition() == wanted[1]
    assert known.of_page(tmp_path) == wanted
    assert known.in_test(answer)
    assert known.of_account() == wanted[1]


class Doors:
    """The same two files, asked about in different ways."""

    def __init__(self, level, capsys):
        self.level, self.capsys = level, capsys
        self.framework = pp.read_framework("framework.json")
        self.mechanism = pp.read_mechanism("mechanism.json", self.framework)

    def of_command(self, *arguments):
        cli._run([*arguments, "--json"])
        return json.loads(self.capsys.readouterr().out)

    def of_list(self):
        line = {"framework": "framework.json", "mechanism": "mechanism.json", "epsilon": self.level}
        Path("list.jsonl").write_text(json.dumps(line), encoding="utf-8")
        cli._run(["audit", "--batch", "list.jsonl"])
        found = json.loads(self.capsys.readouterr().out)["audit"]
        return found["verdict"], found["leakage"]

    def of_python(self):
        found = pp.audit(self.framework, self.mechanism, self.level)
        return found.verdict.value, found.leakage.as_json()

    def of_composition(self):
        (found,) = self.of_command("compose", "framework.json", "mechanism.json")["single"]
        return found

    def of_page(self, folder):
        text = 'title = "t"\norder = 1\n[[audit]]\nframework = "framework.json"\n'
        text += f'mechanism = "mechanism.json"\nepsilon = "{self.level}"\nshows = "s"\n'
        Path("example.toml").write_text(text, encoding="utf-8")
        (example,) = load_examples(str(folder))
        for name in ("certificates", "tables"):
            (folder / "out" / name).mkdir(parents=True)
        found = run_audit(example, 0, folder / "out").answer
        return found["verdict"], found["leakage"]

    def in_test(self, answer):
        """Whether `assert_pufferfish` says no more and no less than the answer."""
        try:
            pp.assert_pufferfish(self.framework, self.mechanism, self.level)
        except AssertionError as error:
            found = str(pp.audit(self.framework, self.mechanism, self.level).leakage)
            return str(error).startswith(f"{answer['verdict']} ") and found in str(error)
        return answer["verdict"] == "SATISFIES"

    def of_account(self):
        """What the account says of the release itself; it has other bounds, which may be lower."""
        account = pp.Accountant(self.framework)
        account.spend(self.mechanism)
        (found,) = [each.leakage for each in account.bounds() if each.name == "joint"]
        least = account.epsilon()
        assert found.upper is None or (least.upper is not None and least.upper <= found.upper)
        return found.as_json()
