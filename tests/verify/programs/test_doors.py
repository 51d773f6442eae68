"""Programs at every door: each command takes a program as it takes the table of its law."""

import hashlib
import json
import re
import zipfile
from fractions import Fraction
from math import e, log

import numpy as np
import pytest
from tests.reports.console.schemas import expect_valid

import pufferproof as pp
from pufferproof.models.errors import ModelError
from pufferproof.reports import cli
from pufferproof.verify.programs import mechanism as of_programs

FRAMEWORK = {
    "format": "pufferproof-framework/1",
    "records": {"count": 2, "alphabet": ["0", "1"]},
    "secrets": {"zero": {"record": 1, "value": "0"}, "one": {"record": 1, "value": "1"}},
    "pairs": [["zero", "one"]],
    "priors": {"theta": {"product": [["1/2", "1/2"], ["1/2", "1/2"]]}},
}
EIGHT = "PROGRAM(8 paths, 0 left)"
CODE = '''
def row(database):
    first = {"0": "3/4", "1": "1/4"}[database[0]]
    return {"u": first, "v": "1/4" if first == "3/4" else "3/4"}

def response(database, rng, p=0.75):
    """The first record, or the other value with probability 1 - p."""
    return database[0] if rng.random() < p else str(1 - int(database[0]))

def many(database, size, rng):
    return [response(database, rng) for _ in range(size)]

def ahead(database, rng, epsilon=1):
    return bool(sum(map(int, database)) + rng.laplace(scale=1 / epsilon) > 1)

def ahead_twice(database, rng):
    return ahead(database, rng), ahead(database, rng)

def waits(database, rng):
    count = 0
    while rng.random() < 0.5:
        count += 1
    return min(count, 2) + int(database[0]) * (rng.random() < 0.5)

def reveals(database, rng):
    return database[0] if rng.laplace() > 1 else "no"

def shifted(database, rng):
    noisy = int(database[0]) + rng.exponential()
    return noisy if noisy < 3 else None

def perhaps(database, rng):
    return int(database[0]) + rng.laplace() if rng.random() < 0.5 else None

def noisy(database, rng):
    return database.count("1") + rng.laplace()

def total(database, rng):
    return bool(sum(database) + rng.laplace() > 1)

class Memory:
    """Answers the first time, and repeats the answer ever after."""

    def __init__(self, rng):
        self.rng, self.kept = rng, {}

    def release(self, database):
        if database not in self.kept:
            self.kept[database] = response(database, self.rng)
        return self.kept[database]

class Words(Memory):
    def release(self, database):
        return "yes" if super().release(database) == "1" else "no"

def forgets(database):
    return "u"
'''
TABLE = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["0", "1"],
    "channel": {x: ["3/4", "1/4"] if x[0] == "0" else ["1/4", "3/4"] for x in ["00", "01", "10", "11"]},
}
SHA256 = f"sha256:{hashlib.sha256(CODE.encode()).hexdigest()}"


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.json").write_text(json.dumps(FRAMEWORK))
    (tmp_path / "m.json").write_text(json.dumps(TABLE))
    (tmp_path / "asked_code.py").write_text(CODE)
    monkeypatch.delitem(__import__("sys").modules, "asked_code", raising=False)

    def invoke(*arguments):
        code = cli._run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return invoke


def undrawn(text):
    """Return a text without how many draws agree with the law of a program."""
    return re.sub(r", \d+ draws agree\)", ")", text)


def answered(run, *words):
    code, out, err = run(*words, "--json")
    assert err == "" or err.startswith(("pufferproof: note", "pufferproof: warning")), err
    return code, json.loads(out)


def test_an_audit_says_which_program_it_is_of(run):
    code, answer = answered(run, "audit", "f.json", "asked_code:response", "--trust-code")
    expect_valid(answer, "audit")
    assert code == 0
    assert answer["leakage"]["ratio"] == "3"
    assert answer["program"].pop("agreement").keys() == {"draws", "e"}
    assert answer["program"] == {"paths": 8, "left": "0", "sha256": SHA256}
    assert answer["inputs"]["mechanism"] == SHA256
    assert (answer["trust"][0], undrawn(answer["trust"][1])) == ("EXACT", EIGHT)
    said = run("audit", "f.json", "asked_code:response", "--trust-code")[1]
    assert f"{EIGHT} (the program draws from rng alone" in undrawn(said)


def test_a_certificate_proves_the_table_and_trusts_the_program(run):
    words = ["f.json", "asked_code:response", "--trust-code", "--epsilon", "log(3)"]
    code, answer = answered(run, "audit", *words, "--certificate", "c.json")
    assert (code, answer["verdict"]) == (0, "SATISFIES")
    assert (answer["trust"][0], undrawn(answer["trust"][1])) == ("KERNEL", EIGHT)
    assert answer["rests_on"] == []
    with open("c.json", encoding="utf-8") as file:
        assert json.load(file)["inputs"]["mechanisms"] == [SHA256]
    assert run("check", "c.json")[0] == 0


@pytest.mark.parametrize("name", ["asked_code:response", "asked_code:many", "asked_code:Memory"])
def test_every_kind_of_program_has_the_law_of_its_table(run, name):
    wanted = answered(run, "audit", "f.json", "m.json")[1]
    answer = answered(run, "audit", "f.json", name, "--trust-code")[1]
    assert answer["leakage"] == wanted["leakage"]
    assert answer["witness"] == wanted["witness"]


@pytest.mark.parametrize(
    "words",
    [
        ["compose", "f.json", "MECHANISM", "--runs", "3"],
        ["partner", "f.json", "MECHANISM", "--budget", "log(3)", "--out", "p.json", "--replace"],
        ["reveal", "f.json", "MECHANISM", "--runs", "4"],
        ["conditions", "f.json", "MECHANISM"],
        ["collapse", "f.json", "--with", "MECHANISM", "--out", "d", "--replace"],
        ["audit", "f.json", "MECHANISM", "--epsilon", "1", "--delta", "1/10"],
        ["audit", "f.json", "MECHANISM", "--corners"],
        ["audit", "f.json", "MECHANISM", "--renyi", "2"],
        ["audit", "f.json", "MECHANISM", "--table"],
        ["audit", "f.json", "MECHANISM", "--profile"],
    ],
    ids=lambda words: " ".join(words[:1] + words[3:]),
)
def test_a_command_answers_of_a_program_as_of_its_table(run, words):
    answers = []
    for mechanism, more in (("m.json", []), ("asked_code:response", ["--trust-code"])):
        code, answer = answered(run, *(mechanism if w == "MECHANISM" else w for w in words), *more)
        expect_valid(answer, words[0])
        for key in ("inputs", "program", "trust"):
            answer.pop(key, None)
        answers.append((code, answer))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("kind", ["profile", "loss", "trade-off", "region", "odds", "outputs"])
def test_a_program_is_drawn_as_its_table_is(run, tmp_path, kind):
    for mechanism, more in (("m.json", []), ("asked_code:response", ["--trust-code"])):
        words = "--plot", f"{mechanism[0]}.svg", "--draw", kind
        assert run("audit", "f.json", mechanism, *more, *words)[0] == 0
    assert (tmp_path / "m.svg").read_bytes() == (tmp_path / "a.svg").read_bytes()
    words = "--plot", "i.svg", "--draw", kind
    assert run("audit", "f.json", "asked_code:ahead", "--trust-code", *words)[0] == 0


@pytest.mark.parametrize("name", ["ahead", "waits", "perhaps"])
def test_what_has_no_rational_law_has_a_profile(run, tmp_path, name):
    """Between bounds that hold the smallest delta."""
    words = "audit", "f.json", f"asked_code:{name}", "--trust-code"
    asked = answered(run, *words, "--epsilon", "1/2", "--delta", "1/4")[1]["delta"]
    shown = answered(run, *words, "--epsilon", "1/2", "--profile")[1]
    expect_valid(shown, "audit")
    (same,) = [each["delta"] for each in shown["profile"] if each["level"]["lower"] == "0.5"]
    assert same == asked
    assert run(*words, "--plot", "p.svg")[0] == 0
    assert "delta" in (tmp_path / "p.svg").read_text()
    for option in ("--corners", "--table"):
        code, out, err = run(*words, option)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert option in err
    renyi = run(*words, "--renyi", "2")
    assert renyi[0] == (2 if name == "perhaps" else 0)
    if name != "ahead":
        code, out, err = run(*words, "--plot", "q.svg", "--draw", "loss")
        assert "--draw profile draws bounds" in err


@pytest.mark.parametrize("name", ["ahead", "waits", "perhaps"])
@pytest.mark.parametrize("delta", [(), ("--delta", "1/100")])
def test_evidence_that_a_level_is_violated_needs_no_rational_law(run, tmp_path, name, delta):
    words = "audit", "f.json", f"asked_code:{name}", "--trust-code"
    asked = *words, "--epsilon", "1/10", *delta
    code, answer = answered(run, *asked, "--evidence", "e.zip")
    assert (code, answer["verdict"]) == (1, "VIOLATES")
    assert answer["trust"][0] == "KERNEL"
    assert answer["trust"][1].startswith("PROGRAM(")
    assert run("check", "e.zip")[0] == 0
    with zipfile.ZipFile(tmp_path / "e.zip") as pack:
        assert "bounds the law of asked_code.py" in pack.read("explain.txt").decode()
    assert run(*asked, "--certificate", "c.json")[0] == 1
    assert run("check", "c.json", "--explain")[0] == 0
    kept = run(*words, "--epsilon", "400", *delta, "--evidence", "d.zip")
    if name == "ahead" or delta == ("--delta", "1/100"):
        assert kept[0] == (2 if name == "perhaps" else run("check", "d.zip")[0])
    if kept[0] == 2:
        assert "only that a level" in kept[2]
    else:
        with zipfile.ZipFile(tmp_path / "d.zip") as pack:
            assert "every probability is between its two numbers" in pack.read("explain.txt").decode()


def test_a_secret_that_is_ruled_out_is_told_of_an_irrational_law(run):
    """Its witness is no quotient of probabilities."""
    words = "audit", "f.json", "asked_code:reveals", "--trust-code"
    assert answered(run, *words)[1]["leakage"]["ratio"] == "inf"
    assert "= 0" in run(*words)[1]
    assert run(*words, "--evidence", "e.zip")[0] == run("check", "e.zip")[0] == 0
    words = "audit", "f.json", "asked_code:shifted", "--trust-code", "--epsilon", "1/10"
    for number, delta in enumerate([(), ("--delta", "1/100")]):
        assert run(*words, *delta, "--evidence", f"s{number}.zip")[0] == 1
        assert run("check", f"s{number}.zip")[0] == 0


def test_irrational_laws_are_audited_and_composed(run):
    words = ["asked_code:ahead", "--trust-code"]
    alone = answered(run, "audit", "f.json", *words)[1]
    # P(1 + Z > 1) = 1/2, P(Z > 1) = 1/2e, P(2 + Z > 1) = 1 - 1/2e
    high, low = (0.5 + 1 - e**-1 / 2) / 2, (e**-1 / 2 + 0.5) / 2
    leakage = max(log(high / low), log((1 - low) / (1 - high)))
    assert float(alone["leakage"]["epsilon"]["lower"]) == pytest.approx(leakage, abs=1e-12)
    assert alone["trust"][-1].startswith("PROGRAM(")
    twice = answered(run, "compose", "f.json", *words, "--runs", "2")[1]
    assert float(twice["joint"]["epsilon"]["upper"]) <= 2 * leakage + 1e-9
    assert twice["trust"][-1].startswith("PROGRAM(")
    code, out, err = run("partner", "f.json", *words, "--budget", "1", "--out", "p.json")
    assert (code, out) == (2, "")
    assert "its probabilities are not rational: audit and compose take it" in err


def test_a_delta_of_irrational_laws_together_is_that_of_one_program(run):
    """The same two answers, of one program."""
    words = "--epsilon", "1", "--delta", "1/4"
    asked = run("audit", "f.json", "asked_code:ahead_twice", "--trust-code", "--json", *words)[1]
    words = "--runs", "2", "--together", "1", "--delta", "1/4"
    code, out, _ = run("compose", "f.json", "asked_code:ahead", "--trust-code", "--json", *words)
    delta, together = json.loads(asked)["delta"], json.loads(out)["together"]
    assert code == (together["verdict"] == "VIOLATES")
    assert (delta["lower"], delta["upper"]) == (together["delta"]["lower"], together["delta"]["upper"])


@pytest.mark.parametrize("name", ["response", "ahead", "noisy"])
@pytest.mark.parametrize("runs", ["1", "2"])
def test_a_composition_trusts_each_program_once(run, name, runs):
    words = "compose", "f.json", f"asked_code:{name}", "--trust-code", "--runs", runs
    trust = answered(run, *words)[1]["trust"]
    assert [each.partition("(")[0] for each in trust].count("PROGRAM") == 1


def test_runs_are_releases_of_one_object(run):
    once = answered(run, "audit", "f.json", "asked_code:Memory", "--trust-code")[1]
    again = answered(run, "audit", "f.json", "asked_code:Memory", "--trust-code", "--runs", "4")[1]
    assert once["leakage"] == again["leakage"]  # it repeats its answer
    assert {again["witness"]["output"], once["witness"]["output"]} == {"0000", "0"}
    words = answered(run, "audit", "f.json", "asked_code:Words", "--trust-code", "--runs", "2")[1]
    assert words["witness"]["output"] in ("no,no", "yes,yes")
    fresh = answered(run, "compose", "f.json", "asked_code:Memory", "--trust-code", "--runs", "4")
    assert fresh[1]["joint"]["ratio"] == "81"


def test_arguments_and_forms_of_records_reach_the_program(run):
    for p, ratio in (("0.9", "9"), ("3/5", "3/2"), ("1/2", "1")):
        words = ["audit", "f.json", "asked_code:response", "--trust-code", "--with", f"p={p}"]
        assert answered(run, *words)[1]["leakage"]["ratio"] == ratio
    text = answered(run, "audit", "f.json", "asked_code:ahead", "--trust-code")[1]
    for form in ("list", "array"):
        words = ["audit", "f.json", "asked_code:total", "--trust-code", "--records", form]
        assert answered(run, *words)[1]["leakage"] == text["leakage"]
    words = ["collapse", "f.json", "--with", "asked_code:response", "--with", "p=9/10"]
    answer = answered(run, *words, "--trust-code", "--out", "d")[1]
    assert answer["given"]["ratio"] == "9"


def test_the_same_program_is_sampled(run):
    for name, more in (
        ("asked_code:response", ["--with", "p=0.9"]),
        ("asked_code:total", ["--records", "list"]),
        ("asked_code:Memory", ["--runs", "2"]),
    ):
        words = ["f.json", name, "--trust-code", *more]
        bound = answered(run, "estimate", *words, "--samples", "2000")[1]["lower"]["lower"]
        exact = answered(run, "audit", *words)[1]["leakage"]["epsilon"]["upper"]
        assert 0 < float(bound) < float(exact)


def test_a_list_of_audits_takes_programs(run, tmp_path):
    (tmp_path / "l.txt").write_text("f.json asked_code:response log(3)\nf.json m.json log(3)\n")
    code, out, _ = run("audit-list", "l.txt", "--trust-code")
    lines = [json.loads(line)["audit"] for line in out.splitlines()]
    assert code == 0
    assert [each["verdict"] for each in lines] == ["SATISFIES", "SATISFIES"]
    assert [each["program"] is not None for each in lines if "program" in each] == [True]


def test_what_is_misused_is_told_in_one_line(run):
    for words, message in [
        (["asked_code:response"], "pass --trust-code"),
        (["asked_code:forgets", "--trust-code"], "takes (database, rng)"),
        (["asked_code:response", "--trust-code", "--with", "q=1"], 'has no parameter "q"'),
        (["asked_code:response", "--trust-code", "--with", "databas=1"], 'did you mean "database"?'),
        (["asked_code:response", "--trust-code", "--with", "p"], "--with: expected NAME=VALUE"),
        (["asked_code:response", "--trust-code", "--records", "set"], "expected text"),
        (["asked_code:response", "--trust-code", "--runs", "2"], "compose --runs joins"),
        (["asked_code:Memory", "--trust-code", "--runs", "0"], "--runs: expected 1 to"),
        (["m.json", "--with", "p=1"], "--with: needs module:function"),
        (["m.json", "--records", "list"], "--records: needs module:function"),
        (["m.json", "--runs", "2"], "--runs: needs module:function"),
        (["asked_code:absent", "--trust-code"], "cannot be imported"),
    ]:
        code, out, err = run("audit", "f.json", *words)
        assert (code, out) == (2, "")
        assert message in err
        assert len(err.splitlines()) == 1


def test_functions_are_mechanisms_in_python(run, assert_pufferfish):
    framework = pp.read_framework("f.json").value

    def response(database, rng):
        return database[0] if rng.random() < 0.75 else str(1 - int(database[0]))

    read = pp.as_mechanism(response, framework.databases)
    assert read.value.probability("00", "0") == pp.as_mechanism(
        lambda database: {database[0]: "3/4", str(1 - int(database[0])): "1/4"}, framework
    ).value.probability("00", "0")
    assert pp.audit(framework, response).leakage.ratio == pp.audit(framework, read).leakage.ratio == 3
    assert pp.compose(framework, [response, read]).joint.leakage.ratio == 9
    assert "PROGRAM(" in str(pp.audit(framework, response))
    assert_pufferfish(framework, response, "log(3)")
    with pytest.raises(AssertionError, match=r"VIOLATES log\(2\)"):
        assert_pufferfish(framework, response, "log(2)")
    (answer, missing) = pp.audit_many([(framework, response), (framework, lambda: 1)])
    assert answer.leakage.ratio == 3
    assert isinstance(missing, ModelError)
    handed = pp.as_mechanism(lambda total, rng: bool(rng.random() < total), {"a": 0.25, "b": 0.5})
    assert handed.value.probability("b", "True") == handed.value.probability("b", "False")
    given = pp.as_mechanism(lambda rows, rng: bool(rng.random() < np.mean(rows)), {"a": np.zeros(2), "b": np.ones(2)})
    assert given.value.probability("b", "True") == 1


@pytest.mark.parametrize(
    ("inputs", "message"),
    [(None, "labels, a framework"), ("ab", "labels, a framework"), ([], "different"), (["a", "a"], "different")],
)
def test_a_function_needs_its_databases(inputs, message):
    with pytest.raises(ModelError, match=message):
        pp.as_mechanism(lambda database, rng: 1, inputs)


def test_read_mechanism_reads_a_program(run):
    framework = pp.read_framework("f.json")
    read = pp.read_mechanism("asked_code:response", framework, trust_code=True)
    assert pp.audit(framework, read).leakage.ratio == 3
    with pytest.raises(ModelError, match="as_mechanism"):
        list(pp.leakage_table(framework.value, read))


def test_paths_are_told_with_their_probabilities(run):
    words = ["audit", "f.json", "asked_code:response", "--trust-code", "--paths"]
    answer = answered(run, *words)[1]
    expect_valid(answer, "audit")
    assert len(answer["paths"]) == answer["program"]["paths"] == 8
    of_one = [each for each in answer["paths"] if each["database"] == "10"]
    assert {each["output"]: each["probability"]["ratio"] for each in of_one} == {"1": "3/4", "0": "1/4"}
    assert [each["went"] for each in of_one[0]["choices"]] == ["uniform < 3/4"]
    assert of_one[0]["choices"][0]["at"].startswith("asked_code.py:")
    assert [each["secret"] for each in answer["runs"]] == answer["witness"]["pair"]
    assert {each["path"]["output"] for each in answer["runs"]} == {answer["witness"]["output"]}
    lines = run(*words)[1].splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("paths"))
    assert lines[first].split(maxsplit=1)[1] == 'database "00", 2 paths'
    assert lines[first + 1].split()[1:] == ["uniform", "<", "3/4", "3/4", "->", "'0'"]
    assert any(line.startswith("runs ") and 'given "one"' in line for line in lines)


def test_probabilities_of_paths_are_enclosed(run):
    answer = answered(run, "audit", "f.json", "asked_code:ahead", "--trust-code", "--paths")[1]
    for each in answer["paths"]:
        drawn = each["probability"]
        assert float(drawn["lower"]) <= float(drawn["upper"]) <= 1
        assert (drawn["ratio"] is None) == (each["database"] in ("00", "11"))
    for database in ("00", "11"):
        masses = [each for each in answer["paths"] if each["database"] == database]
        total = sum(float(each["probability"]["upper"]) for each in masses)
        assert total == pytest.approx(1, abs=1e-12)


def test_a_table_has_no_paths(run):
    code, out, err = run("audit", "f.json", "m.json", "--paths")
    assert (code, out) == (2, "")
    assert "--paths: needs a program" in err
    code, out, err = run("audit", "f.json", "asked_code:row", "--trust-code", "--paths")
    assert (code, out) == (2, "")


@pytest.mark.parametrize("name", ["response", "row"])
def test_evidence_has_the_table_and_the_source(run, tmp_path, name):
    words = ["f.json", f"asked_code:{name}", "--trust-code", "--epsilon", "log(3)"]
    assert run("audit", *words, "--evidence", "e.zip")[0] == 0
    assert run("check", "e.zip")[0] == 0
    with zipfile.ZipFile(tmp_path / "e.zip") as pack:
        assert pack.read("asked_code.py").decode() == CODE
        table = json.loads(pack.read("mechanism.json"))["channel"]
        page, text = (pack.read(each).decode() for each in ("index.html", "explain.txt"))
    assert set(table) == {"00", "01", "10", "11"}
    if name == "response":
        assert "How the program ran" in page
        assert EIGHT in undrawn(text)
        assert "the kernel does not read programs" in text
    twice = ["f.json", f"asked_code:{name}", "--trust-code", "--runs", "2"]
    assert run("compose", *twice, "--evidence", "t.zip")[0] == 0
    assert run("check", "t.zip")[0] == 0


@pytest.mark.parametrize(
    "words",
    [
        ["partner", "f.json", "asked_code:response", "--budget", "log(3)", "--out", "p.json"],
        ["reveal", "f.json", "asked_code:response"],
        ["conditions", "f.json", "asked_code:response"],
        ["collapse", "f.json", "--with", "asked_code:response", "--out", "d"],
        ["compose", "f.json", "asked_code:response", "--runs", "2"],
    ],
    ids=lambda words: words[0],
)
def test_every_answer_about_a_program_says_so(run, words):
    answer = answered(run, *words, "--trust-code")[1]
    assert undrawn(answer["trust"][-1]) == EIGHT
    assert "rng alone" in run(*words, "--trust-code", *(["--replace"] * ("--out" in words)))[1]


@pytest.mark.parametrize("name", ["response", "ahead"])
def test_paths_are_drawn(run, tmp_path, name):
    words = ["audit", "f.json", f"asked_code:{name}", "--trust-code", "--plot", "p.svg"]
    assert run(*words, "--draw", "paths")[0] == 0
    picture = (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert "has probability" in picture
    code, out, err = run("audit", "f.json", "m.json", "--plot", "q.svg", "--draw", "paths")
    assert (code, out) == (2, "")
    assert "draws the paths of a program" in err


LONG = FRAMEWORK | {
    "records": {"count": 300, "alphabet": ["0", "1"]},
    "priors": {"theta": {"markov": {"initial": "stationary", "transition": [["9/10", "1/10"]] * 2}}},
}
LONG["priors"]["theta"]["markov"]["transition"] = [["9/10", "1/10"], ["1/5", "4/5"]]
LOCAL = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1"], "local": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 300}
OF_ONE = """
def told(record, rng, p=0.75):
    return record if rng.random() < p else 1 - record

class Told:
    def __init__(self, rng):
        self.rng = rng

    def release(self, record):
        return told(record, self.rng)

def noisy(record, rng):
    return record + rng.laplace() > 0
"""


@pytest.fixture
def alone(run, tmp_path, monkeypatch):
    (tmp_path / "long.json").write_text(json.dumps(LONG))
    (tmp_path / "local.json").write_text(json.dumps(LOCAL))
    (tmp_path / "short.json").write_text(json.dumps(LONG | {"records": {"count": 3, "alphabet": ["0", "1"]}}))
    (tmp_path / "short_local.json").write_text(json.dumps(LOCAL | {"local": LOCAL["local"][:3]}))
    (tmp_path / "code_of_one.py").write_text(OF_ONE)
    monkeypatch.delitem(__import__("sys").modules, "code_of_one", raising=False)
    return run


EACH = ["--trust-code", "--records", "each"]


@pytest.mark.parametrize("name", ["told", "Told"])
@pytest.mark.parametrize(("framework", "mechanism"), [("long.json", "local.json"), ("short.json", "short_local.json")])
@pytest.mark.parametrize("words", [["audit"], ["compose", "--runs", "2"]], ids=["audit", "compose"])
def test_a_program_of_one_record_is_a_local_mechanism(alone, name, framework, mechanism, words):
    command, *options = words
    answers = []
    for given in ([mechanism], [f"code_of_one:{name}", *EACH]):
        answer = answered(alone, command, framework, *given, *options)[1]
        expect_valid(answer, command)
        trust = answer.pop("trust")
        answers.append({k: v for k, v in answer.items() if k not in ("inputs", "program")})
    assert answers[0] == answers[1]
    assert undrawn(trust[-1]) == "PROGRAM(4 paths, 0 left)"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["long.json", "code_of_one:told", "--trust-code"], "pass --records each"),
        (["long.json", "code_of_one:noisy", *EACH], "its probabilities are not rational"),
        (["short.json", "code_of_one:told", *EACH, "--paths"], "needs whole databases"),
        (["short.json", "code_of_one:Told", *EACH, "--runs", "2"], "needs whole databases"),
        (["short.json", "asked_code:row", *EACH], "needs a program of (record, rng)"),
        (["short.json", "short_local.json", "--records", "each"], "needs module:function"),
    ],
)
def test_what_takes_records_one_by_one_is_refused_in_one_line(alone, words, message):
    code, out, err = alone("audit", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


def test_records_are_handed_over_one_by_one_in_python():
    def told(record, rng):
        return record if rng.random() < 0.75 else 1 - record

    read = pp.as_mechanism(told, pp.Records(3, ("0", "1")))
    assert read.value.channel().probability("010", "011") == pp.Level("log(9)").ratio / 64


def test_a_level_that_rounding_exceeds_is_told_so(run):
    words = ["audit", "f.json", "asked_code:response", "--trust-code", "--epsilon"]
    code, answer = answered(run, *words, "log(9)", "--with", "p=0.9")
    assert (code, answer["verdict"], answer.get("source")) == (0, "SATISFIES", None)

    def nine(database, rng):
        return database[0] if rng.random() < 0.9 else str(1 - int(database[0]))

    framework = pp.read_framework("f.json").value
    found = pp.audit(framework, nine, "log(9)")
    assert found.verdict.value == "VIOLATES"
    assert "exceeded by" in found.source
    assert "as a Fraction" in found.source
    assert not pp.audit(framework, nine, "log(8)").source


def test_effort_is_how_many_paths_are_run(run, monkeypatch):
    monkeypatch.setattr(of_programs, "MOST_PATHS", 4)

    def tosses(database, rng):
        count = 0
        while rng.random() < 0.5:
            count += 1
        return count

    framework = pp.read_framework("f.json").value
    left = [pp.audit(framework, tosses, effort=k).programs[0].left for k in (1, 2)]
    assert left == [Fraction(1, 2**3), Fraction(1, 2**7)]
    assert run("audit", "f.json", "asked_code:response", "--trust-code", "--effort", "2")[0] == 0
    code, out, err = run("audit", "f.json", "m.json", "--effort", "2")
    assert (code, out) == (2, "")
    assert "--effort" in err
