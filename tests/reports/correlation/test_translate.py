"""The command `translate`: its answer, the mechanism that it writes, and its errors."""

import json
from fractions import Fraction

import pytest
from tests.reports.console.schemas import expect_valid

from pufferproof import Framework, MarkovChain, Records, audit, read_mechanism

STAY = [["9/10", "1/10"], ["1/10", "9/10"]]


def document(count, transition=STAY, alphabet=("0", "1"), record=None):
    record = record or (count + 1) // 2
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": list(alphabet)},
        "secrets": {f"v{v}": {"record": record, "value": v} for v in alphabet[:2]},
        "pairs": [[f"v{v}" for v in alphabet[:2]]],
        "priors": {"theta": {"markov": {"initial": "stationary", "transition": transition}}},
    }


@pytest.fixture
def run(run, save):
    def called(shape, *options):
        return run("translate", save("f.json", shape), *options)

    return called


def answer(run, shape, *options):
    code, out, err = run(shape, *options, "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    expect_valid(found, "translate")
    return found


@pytest.mark.parametrize("stay", ["9/10", "1/10"])
def test_what_it_writes_leaks_as_much(run, tmp_path, stay):
    rows = [[stay, str(1 - Fraction(stay))], [str(1 - Fraction(stay)), stay]]
    options = ["--per-record-dp", "log(2)", "--per-record-dp", "log(3/2)", "--out", "m.json"]
    found = answer(run, document(6, rows), *options)
    assert found["attained"] == ("count" if stay == "9/10" else "alternating count")
    chain = MarkovChain("stationary", rows)
    framework = Framework.of_records(
        Records(6, ("0", "1")), {"v0": (3, "0"), "v1": (3, "1")}, "disjoint", {"theta": chain}
    )
    leakage = audit(framework, read_mechanism(tmp_path / "m.json", framework)).leakage
    assert found["exact"]["ratio"] == str(leakage.ratio)


def test_an_endless_chain_and_a_domain_without_paths(run):
    found = answer(run, document(3), "--per-record-dp", "log(2)", "--infinite")
    assert (found["records"], found["bounds"], found["attained"]) == ("infinite", [], None)
    assert found["exact"]["epsilon"]["lower"].startswith("3.7489")
    fair = document(3)
    fair["priors"]["theta"]["markov"]["initial"] = ["1/3", "2/3"]
    code, out, err = run(fair, "--per-record-dp", "log(2)", "--infinite")
    assert (code, out) == (2, "")
    assert "priors.theta.initial: expected the stationary law" in err
    copies = document(2, [["1", "0"], ["0", "1"]], record=1)
    copies["priors"]["theta"]["markov"]["initial"] = ["1/2", "1/2"]
    found = answer(run, copies, "--per-record-dp", "log(2)", "--domain", "possible")
    assert (found["exact"]["ratio"], found["bounds"]) == ("inf", [])
    assert answer(run, copies, "--per-record-dp", "log(2)")["exact"]["ratio"] == "4"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--per-record-dp: expected the level of a release"),
        (["--per-record-dp", "-1"], "--per-record-dp: expected a level"),
        (["--per-record-dp", "1", "--runs", "0"], "--runs: expected at least 1, found 0"),
        (["--levels", "none.txt"], "none.txt: cannot be read"),
        (["--levels", "short.txt"], "short.txt: expected 3 levels, one per record, found 1"),
        (["--levels", "wrong.txt"], "wrong.txt: line 2: expected a level"),
        (["--levels", "wrong.json"], "wrong.json: expected levels"),
        (["--levels", "empty.txt"], "empty.txt: expected at least one level"),
        (["--per-record-dp", "1", "--infinite", "--out", "m.json"], "--out: no mechanism attains"),
        (["--per-record-dp", "1", "--out", "f.json"], "f.json"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(run, tmp_path, options, message):
    files = {"short.txt": "1\n", "wrong.txt": "1\nx\n1\n", "wrong.json": "[[1]]", "empty.txt": "\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    code, out, err = run(document(3), *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert not (tmp_path / "m.json").exists()
    assert json.loads((tmp_path / "f.json").read_text()) == document(3)


def network(parents, tables, record=1):
    count = len(parents)
    return document(count, record=record) | {"priors": {"net": {"bayes_net": {"parents": parents, "cpt": tables}}}}


NOISY = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
COIN = {"": ["1/2", "1/2"]}


def test_a_network_with_loops_is_bounded_by_elimination(run, tmp_path):
    parents = {str(i): [str(j) for j in (i - 1, i - 2) if j > 0] for i in range(1, 31)}
    rows = {"": ["1/2", "1/2"], "0": ["2/5", "3/5"], "1": ["3/5", "2/5"]}
    rows |= {"00": ["1/3", "2/3"], "01": ["1/2", "1/2"], "10": ["1/2", "1/2"], "11": ["2/3", "1/3"]}
    keys = {0: [""], 1: ["0", "1"], 2: ["00", "01", "10", "11"]}
    tables = {i: {key: rows[key] for key in keys[len(above)]} for i, above in parents.items()}
    found = answer(run, network(parents, tables, 15), "--per-record-dp", "0.1", "--out", "m.json")
    assert (found["exact"], found["attained"]) == (None, None)
    assert found["claims"] == ["worst.power-closed", "classes.elimination-rays"]
    bounds = {bound["name"]: float(bound["epsilon"]["upper"]) for bound in found["bounds"]}
    assert bounds["best"] == bounds["published"] or bounds["best"] < bounds["published"]
    assert 0.146 < float(found["at_least"]["epsilon"]["lower"]) < 0.147
    assert 0.1 < bounds["best"] < 2
    assert 0.147 < bounds["elimination"] < bounds["best"]
    many = {str(i): [str(j) for j in (i - 1, i - 2) if j > 0] for i in range(1, 2_101)}
    tables = {i: {key: rows[key] for key in keys[len(above)]} for i, above in many.items()}
    found = answer(run, network(many, tables, 15), "--per-record-dp", "0.1")
    assert 0.1 < float(found["bounds"][-1]["epsilon"]["upper"]) < 2
    assert 0.0999 < float(found["at_least"]["epsilon"]["lower"]) < 0.147
