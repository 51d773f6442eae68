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
from pufferproof.verify.decision import Decision

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
LOCAL = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1"], "local": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 5}
REDACTED = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1", "*"], "redaction": [["1/2", "1/4"]] * 5}
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
    "normal noise": (LISTED, noisy({"a": "0", "b": "1", "c": "2"}, {"gaussian": {"sigma": "2"}}), "1"),
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


def normal(secrets, prior=None):
    prior = prior or {"mean": "1", "ar1": {"coefficient": "1/2", "variance": "4"}}
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": 3},
        "secrets": {name: {"record": 2, **held} for name, held in secrets.items()},
        "pairs": "disjoint",
        "priors": {"theta": {"gaussian": prior}},
    }


VALUES = normal({"low": {"at": "0"}, "high": {"at": "1"}, "beyond": {"at": "7/3"}})
WINDOWS = normal({"low": {"between": ["-1", "0"]}, "high": {"between": ["1/2", "3"]}})
UNIT = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]
NORMAL_NOISE = {"gaussian": {"sigma": "2"}}
NORMAL = {
    "values": (VALUES, noisy(), "1.5", {}),
    "values, an irrational scale": (VALUES, noisy(noise={"laplace": {"scale": "2/log(3)"}}), "1", {}),
    "values, a level that is violated": (VALUES, noisy("mean"), "log(1)", {}),
    "one value that shows nothing": (
        normal({"low": {"at": "0"}, "high": {"at": "1"}}, {"covariance": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
        noisy({"weights": [["1", "0", "2"]]}),
        "0",
        {},
    ),
    "windows": (WINDOWS, noisy(), "1", {}),
    "two numbers": (WINDOWS, noisy({"weights": [["1", "0", "2"], ["0", "1", "-1"]]}), "2", {}),
    "no level of normal noise": (VALUES, noisy(noise=NORMAL_NOISE), "1", {}),
    "a delta": (VALUES, noisy(noise=NORMAL_NOISE), "1", {"delta": "1/10"}),
    "a delta of windows": (WINDOWS, noisy(noise=NORMAL_NOISE), "0.5", {"delta": "1/10"}),
    "an order": (VALUES, noisy(noise=NORMAL_NOISE), "2", {"renyi": "2"}),
}


@pytest.fixture
def files(tmp_path, monkeypatch, request):
    framework, mechanism, level = {**QUESTIONS, **NORMAL}[request.param][:3]
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


@pytest.mark.parametrize("files", NORMAL, indirect=True)
def test_every_door_that_takes_normal_records_gives_the_same_answer(files, capsys, request):
    options = NORMAL[request.node.callspec.params["files"]][3]
    known = Doors(files, capsys)
    named = [word for name, text in options.items() for word in (f"--{name}", text)]
    asked = "framework.json", "mechanism.json", "--epsilon", files, *named
    answer = known.of_command("audit", *asked)
    answer.pop("inputs")
    found = pp.audit(known.framework, known.mechanism, files, **options)
    assert found.as_json() == answer
    (line,) = pp.audit_many([(known.framework, known.mechanism)], files)
    assert line.leakage.as_json() == answer["leakage"] == known.of_composition()
    assert options or known.of_list() == (answer["verdict"], answer["leakage"])
    assert options or known.in_test(answer)


@pytest.mark.parametrize("files", NORMAL, indirect=True)
def test_joint_releases_of_normal_records_are_the_same_at_both_doors(files, capsys):
    known = Doors(files, capsys)
    answer = known.of_command("compose", "framework.json", *["mechanism.json"] * 2, "--runs", "2")
    found = pp.compose(known.framework, [known.mechanism] * 2, runs=2)
    known_parts = {key: answer[key] for key in found.as_json()}
    assert found.as_json() == known_parts
    if found.additive is Decision.HOLDS:
        pp.assert_composes(known.framework, [known.mechanism] * 2, runs=2)
    else:
        with pytest.raises(AssertionError, match="the sum of the single leakages: joint leakage"):
            pp.assert_composes(known.framework, [known.mechanism] * 2, runs=2)
    level = pp.Level.parse(files)
    text = ["--together", files]
    told = known.of_command("compose", "framework.json", *["mechanism.json"] * 2, *text)
    kept = pp.compose(known.framework, [known.mechanism] * 2).keeps(level)
    assert told["together"]["verdict"] == pp.Verdict.of(kept).value


RESTS_ON = {
    "values": ["EXACT", "CITED(normal.laplace-values)"],
    "windows": ["INTERVAL", "CITED(normal.laplace-windows)"],
    "no level of normal noise": ["EXACT", "CITED(normal.gaussian-values)"],
    "a delta": ["EXACT", "INTERVAL", "CITED(normal.gaussian-values)"],
    "an order": ["EXACT", "CITED(normal.gaussian-values)"],
}


@pytest.mark.parametrize("files", RESTS_ON, indirect=True)
def test_the_trust_of_normal_records_names_the_theorem(files, request):
    asked = request.node.callspec.params["files"]
    framework = pp.read_framework("framework.json")
    mechanism = pp.read_mechanism("mechanism.json", framework)
    found = pp.audit(framework, mechanism, files, **NORMAL[asked][3])
    assert list(found.trust) == RESTS_ON[asked]


@pytest.mark.parametrize("files", ["values"], indirect=True)
def test_no_theorem_is_named_for_noise_of_both_kinds(files):
    framework = pp.read_framework("framework.json")
    given = noisy(), noisy(noise=NORMAL_NOISE)
    for name, document in zip("ab", given):
        Path(f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
    both = [pp.read_mechanism(f"{name}.json", framework) for name in "ab"]
    assert pp.compose(framework, both).joint.trust == ("EXACT", "PROSE")


@pytest.mark.parametrize("files", ["windows"], indirect=True)
def test_what_does_not_go_with_normal_records_is_said_in_python(files):
    framework = pp.read_framework("framework.json")
    mechanism = pp.read_mechanism("mechanism.json", framework)
    for asked, said in [
        (lambda: pp.audit(framework, mechanism, "1", delta="1/10"), "delta: needs gaussian"),
        (lambda: pp.audit(framework, mechanism, renyi=2), 'renyi: needs secrets "at" numbers'),
        (lambda: pp.audit(framework, mechanism, delta="1/10"), "delta: a delta needs a level"),
        (lambda: pp.audit(framework, mechanism, "1", "1/10", 2), "renyi: expected a delta or an"),
        (lambda: pp.audit(framework, []), "mechanism: expected at least one mechanism"),
        (lambda: pp.audit(mechanism, framework), "framework: expected the framework first"),
        (lambda: pp.audit(framework, 1), "mechanism: expected a LinearQuery"),
        (lambda: pp.compose(framework, [mechanism], runs=0), "runs: expected at least one run"),
        (lambda: pp.compose(framework, []), "mechanisms: expected at least one mechanism"),
        (lambda: pp.Accountant(framework), "expected a Framework, found PointFramework"),
        (lambda: pp.translate(framework, ["1"]), "expected a Framework, found PointFramework"),
    ]:
        with pytest.raises(pp.ModelError) as caught:
            asked()
        assert said in str(caught.value), str(caught.value)
        assert len(str(caught.value).splitlines()) == 1


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
        cli._run(["audit-list", "list.jsonl"])
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
