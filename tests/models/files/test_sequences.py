"""Files of mechanisms given record by record: short ones are written out, long ones audited,
everything bad refused.
"""

import json
from pathlib import Path

import pytest
from tests.models.files.test_reading import FRAMEWORK, RECORDS, changed
from tests.reports.console.schemas import expect_valid
from tests.reports.test_cli import RELEASES

from pufferproof import Channel, ModelError, audit, compose, read_framework, read_mechanism
from pufferproof.models.sequences.local import MAX_EXPANDED

CHANNEL = [["3/4", 0.25], ["1/4", "3/4"]]
LOCAL = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1"], "local": [CHANNEL, [[1, 0], ["0", "1"]]]}
REDACTION = {"format": "pufferproof-mechanism/1", "redaction": [["1", "1"], ["3/4", 1]]}
LONG = 50
LONG_RECORDS = changed(RECORDS, ["records", "count"], LONG)
LONG_LOCAL = changed(LOCAL, ["local"], [CHANNEL] * LONG)
LONG_REDACTION = changed(
    REDACTION, ["redaction"], [["1", "1"] if t < 3 else ["1/2", "1"] if t < 6 else ["0", "0"] for t in range(LONG)]
)


def refused(run, save, framework, mechanism, message, *options):
    save("f.json", framework)
    save("m.json", mechanism)
    code, out, err = run("audit", "f.json", "m.json", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_rows_are_divided_by_their_sums_on_request(save):
    framework = read_framework(save("f.json", RECORDS)).value
    weights = changed(LOCAL, ["local", 0], [["3", "1"], ["1/8", "3/8"]])
    found = read_mechanism(save("w.json", weights), framework, normalize=True).value
    assert found == read_mechanism(save("l.json", LOCAL), framework).value
    assert found.normalized


BAD_SHORT = [
    (LOCAL, ["local"], [CHANNEL], "local: expected 2 entries, one per record, found 1"),
    (LOCAL, ["local"], [], "local: expected an entry for every record, found none"),
    (LOCAL, ["local"], {}, "local: "),
    (LOCAL, ["local", 1], CHANNEL[:1], "local[1]: expected 2 rows, one per value, found 1"),
    (LOCAL, ["local", 1], "01", "local[1]: expected 2 rows, one per value, found '01'"),
    (LOCAL, ["local", 1], None, "local[1]: expected 2 rows, one per value, found None"),
    (LOCAL, ["local", 1, 0], ["1"], "local[1][0]: expected 2 entries, one per output, found 1"),
    (LOCAL, ["local", 1, 0], "10", "local[1][0]: expected 2 entries, one per output, found '10'"),
    (LOCAL, ["local", 1, 0], ["1/2", "1/4"], "local[1][0]: sums to 3/4, expected 1 ("),
    (LOCAL, ["local", 1, 0], ["3/2", "-1/2"], "local[1][0][0]: expected a probability, found 3/2"),
    (LOCAL, ["local", 1, 0], ["1/2", "-1/2"], "local[1][0][1]: expected a probability, found -1/2"),
    (LOCAL, ["local", 1, 0, 1], "half", 'local[1][0][1]: expected a number such as "3/4"'),
    (LOCAL, ["local", 1, 0, 1], True, "local[1][0][1]: expected a number"),
    (LOCAL, ["local", 1, 0, 1], None, "local[1][0][1]: expected a number"),
    (LOCAL, ["local", 1, 0, 1], [], "local[1][0][1]: expected a number"),
    (LOCAL, ["local", 1, 0, 1], "1e999999999", "local[1][0][1]: expected a number"),
    (LOCAL, ["local", 1, 0, 1], 10**4000, "local[1][0][1]: expected a probability"),
    (LOCAL, ["outputs"], ["0", "0"], 'outputs: output "0" occurs twice'),
    (LOCAL, ["outputs"], [], "outputs: expected at least one output"),
    (LOCAL, ["outputs"], ["0", "1", "2"], "local[0][0]: expected 3 entries, one per output, found 2"),
    (LOCAL, ["outputs"], ..., 'missing key "outputs"'),
    (
        LOCAL,
        ["redaction"],
        [],
        'expected one of "channel", "local", "redaction", "query", "hidden_markov", "show", found "local", "redaction"',
    ),
    (LOCAL, ["channel"], {}, 'found "channel", "local"'),
    (LOCAL, ["extra"], 1, 'unknown key "extra"'),
    (REDACTION, ["redaction"], [["1", "1"]] * 3, "redaction: expected 2 entries, one per record, found 3"),
    (REDACTION, ["redaction", 1], ["1"], "redaction[1]: expected 2 probabilities, one per value, found 1"),
    (REDACTION, ["redaction", 1], "11", "redaction[1]: expected 2 probabilities, one per value, found '11'"),
    (REDACTION, ["redaction", 1], {}, "redaction[1]: expected 2 probabilities, one per value, found {}"),
    (REDACTION, ["redaction", 1, 0], "5/4", "redaction[1][0]: expected a probability, found 5/4"),
    (REDACTION, ["redaction", 1, 0], "-1/4", "redaction[1][0]: expected a probability, found -1/4"),
    (REDACTION, ["redaction", 1, 0], "*", "redaction[1][0]: expected a number"),
    (REDACTION, ["outputs"], ["0", "1"], 'outputs: expected "0", "1", "*", found "0", "1"'),
]


@pytest.mark.parametrize(("mechanism", "path", "value", "message"), BAD_SHORT, ids=range(len(BAD_SHORT)))
def test_a_bad_mechanism_is_refused(save, run, mechanism, path, value, message):
    bad = changed(mechanism, path, value)
    refused(run, save, RECORDS, bad, message)
    framework = read_framework("f.json").value
    with pytest.raises(ModelError) as caught:
        read_mechanism("m.json", framework)
    assert str(caught.value).startswith("m.json: ")
    assert message in str(caught.value)


BAD_LONG = [
    (["redaction"], [["1", "1"]] * 49, "m.json: redaction: expected 50 entries, one per record, found 49"),
    (["redaction", 49], ["1", "7"], "m.json: redaction[49][1]: expected a probability, found 7"),
    (["redaction", 17, 1], False, "m.json: redaction[17][1]: expected a number"),
    (["outputs"], ["0", "1", "-"], 'm.json: outputs: expected "0", "1", "*"'),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD_LONG)
def test_a_bad_long_mechanism_is_refused(save, run, path, value, message):
    refused(run, save, LONG_RECORDS, changed(LONG_REDACTION, path, value), message)


TABLE = {"table": {"0" * LONG: "1"}}
BAD_FRAMEWORKS = [
    (["records", "count"], 10**9, "f.json: records.count: expected at most 10000000 records, found 1000000000"),
    (["records", "count"], 0, "f.json: records.count: expected at least 1 record"),
    (["records", "alphabet"], ["0", "*"], 'expected an alphabet without "*"'),
    (["closure"], "convex", "f.json: closure: mixtures of priors need databases and outputs that can be listed"),
    (["secrets", "x1=0"], ["0" * LONG], "f.json: secrets.x1=0: a list of databases, which are too many"),
    (["secrets", "x1=0", "record"], 51, "f.json: secrets.x1=0: record: expected a record from 1 to 50, found 51"),
    (["secrets", "x1=0", "value"], "2", 'f.json: secrets.x1=0: value: expected one of "0", "1"'),
    (["secrets", "x1=0", "record"], 2, "f.json: pairs: expected two secrets with no database in common, found none"),
    (["pairs"], [], "f.json: pairs: expected at least one pair"),
    (["pairs"], [["x1=0", "z"]], 'f.json: pairs[0]: unknown secret "z"'),
    (["pairs"], [["x1=0", "x1=0"]], "expected two different secrets, found"),
    (["priors"], {}, "f.json: priors: expected at least one prior"),
    (["priors", "theta"], TABLE, "f.json: priors.theta: a table lists databases"),
    (
        ["priors", "theta"],
        {"product": [["1/2", "1/2"]]},
        "f.json: priors.theta: expected 50 rows, one per record, found 1",
    ),
    (["priors", "theta", "markov", "initial"], ["1"], "f.json: priors.theta: initial: expected 2 entries"),
    (["priors", "theta", "markov", "transition", 0], ["1", "1"], "f.json: priors.theta: transition[0]: sums to 2"),
    (["priors", "theta", "markov", "transition"], [["1", "0"], ["0", "1"]], 'initial: "stationary" expects a chain'),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD_FRAMEWORKS, ids=range(len(BAD_FRAMEWORKS)))
def test_a_bad_long_framework_is_refused(save, run, path, value, message):
    mechanism = LONG_REDACTION
    if path == ["records", "count"] and value == 10**9:
        mechanism = LONG_LOCAL
        message = "expected 1000000000 entries, one per record, found 50"
    refused(run, save, changed(LONG_RECORDS, path, value), mechanism, message)


def test_mechanisms_and_frameworks_of_other_forms_do_not_go_together(save, run):
    refused(run, save, FRAMEWORK, LOCAL, 'needs a framework with "records"')
    refused(run, save, LONG_RECORDS, RELEASES, "records: 2^50 databases: expected at most")
    refused(run, save, LONG_RECORDS, LONG_LOCAL, "--databases: needs what can be listed", "--databases", "f.json")


@pytest.mark.parametrize(
    "options", [("--table",), ("--csv", "t.csv"), ("--plot", "p.svg"), ("--epsilon", "1", "--delta", "0")]
)
def test_what_needs_a_list_is_refused_for_long_ones(save, run, tmp_path, options):
    name = options[-2] if len(options) == 4 else options[0]
    message = f"{name}: needs what can be listed, and there are 3^50 outputs: expected at most {MAX_EXPANDED}"
    refused(run, save, LONG_RECORDS, LONG_REDACTION, message, *options)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.json", "m.json"]


@pytest.mark.parametrize("mechanism", [LONG_LOCAL, LONG_REDACTION], ids=["local", "redaction"])
def test_a_long_audit_prints_the_documented_object(save, run, mechanism):
    save("f.json", LONG_RECORDS)
    save("m.json", mechanism)
    code, out, err = run("audit", "f.json", "m.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, err, answer["verdict"], answer["excluded"]) == (0, "", None, 0)
    assert answer["checked"] == (2**51 if "local" in mechanism else None)
    assert len(answer["witness"]["output"]) == LONG
    ratio = answer["leakage"]["ratio"]
    assert run("audit", "f.json", "m.json", "--epsilon", f"log({ratio})")[0] == 0
    above, below = map(int, ratio.split("/"))
    code, out, _ = run("audit", "f.json", "m.json", "--epsilon", f"log({above - 1}/{below})")
    assert (code, out.splitlines()[0][:8]) == (1, "VIOLATES")


def test_pairs_that_are_never_checked_are_named(save, run):
    certain = {"markov": {"initial": ["1", "0"], "transition": [["1", "0"], ["1/2", "1/2"]]}}
    secrets = {f"x{t}={value}": {"record": t, "value": value} for t in (1, 2) for value in "01"}
    mixed = {"markov": {"initial": ["1", "0"], "transition": [["1/2", "1/2"], ["1/2", "1/2"]]}}
    framework = changed(changed(LONG_RECORDS, ["secrets"], secrets), ["priors"], {"certain": certain, "mixed": mixed})
    save("f.json", framework)
    save("m.json", LONG_LOCAL)
    code, out, err = run("audit", "f.json", "m.json", "--json")
    answer = json.loads(out)
    assert (code, answer["excluded"], answer["never_checked"]) == (0, 3, [["x1=0", "x1=1"]])
    assert 'pair "x1=0", "x1=1" was never checked' in err
    refused(run, save, changed(framework, ["priors"], {"certain": certain}), LONG_LOCAL, "nothing to check")


def test_a_short_one_takes_every_option_and_a_certificate(save, run):
    save("f.json", RECORDS)
    save("m.json", LOCAL)
    code, out, _ = run("audit f.json m.json --json --table --csv t.csv --certificate c.json")
    assert (code, json.loads(out)["trust"]) == (0, ["KERNEL"])
    assert run("check", "c.json")[0] == 0
    assert run("check", "c.json", "f.json", "m.json")[0] == 0
    code, out, _ = run("compose", "f.json", "m.json", "m.json", "--json")
    assert code == 0
    framework = read_framework("f.json").value
    single = audit(framework, read_mechanism("m.json", framework).value).leakage
    assert json.loads(out)["single"][0] == single.as_json()


@pytest.mark.parametrize(("mechanisms", "runs"), [(["m.json"] * 2, 1), (["m.json"], 3)])
def test_short_ones_are_composed_as_the_command_does(save, run, mechanisms, runs):
    """Each is written out, their joint release of 65536 outputs and more is not."""
    transition = [["1/2", "1/4", "1/4"]] * 3
    chain = {"markov": {"initial": ["1/3"] * 3, "transition": transition}}
    framework = {
        "format": "pufferproof-framework/1",
        "records": {"count": 4, "alphabet": ["0", "1", "2"]},
        "secrets": {f"s{value}": {"record": 1, "value": value} for value in "012"},
        "pairs": "disjoint",
        "priors": {"theta": chain},
    }
    save("f.json", framework)
    save("m.json", changed(REDACTION, ["redaction"], [["1/2", "1/2", "1/3"]] * 4))
    space = read_framework("f.json")
    read = {path: read_mechanism(path, space) for path in mechanisms}
    assert all(isinstance(each.value, Channel) for each in read.values())
    found = compose(space, [read[path] for path in mechanisms], runs).as_json()
    code, out, _ = run("compose", "f.json", *mechanisms, "--runs", str(runs), "--json")
    answer = json.loads(out)
    assert code == 0
    assert {key: answer[key] for key in found} == found


@pytest.mark.parametrize(("level", "code"), [(None, 0), ("log(9)", 0), ("0.001", 1)])
def test_long_redaction_of_two_values_is_certified_with_its_files(save, run, level, code):
    save("f.json", LONG_RECORDS)
    save("m.json", LONG_REDACTION)
    options = [] if level is None else ["--epsilon", level]
    found, out, err = run("audit", "f.json", "m.json", *options, "--certificate", "c.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (found, err, answer["trust"], answer["certificate"]) == (code, "", ["KERNEL"], "c.json")
    code, out, _ = run("check", "c.json", "f.json", "m.json")
    assert (code, "input files matched" in out) == (0, True)
    save("m.json", changed(LONG_REDACTION, ["redaction", 40], ["1", "0"]))
    assert run("check", "c.json", "f.json", "m.json")[0] == 1


def test_what_the_kernel_has_no_rule_for_is_not_certified(save, run, tmp_path):
    message = "the kernel has a rule only for redaction of two values"
    two = changed(LONG_RECORDS, ["priors", "other"], RECORDS["priors"]["theta"])
    for framework, mechanism in [(LONG_RECORDS, LONG_LOCAL), (two, LONG_REDACTION)]:
        refused(run, save, framework, mechanism, message, "--certificate", "c.json")
    save("f.json", LONG_RECORDS)
    save("m.json", LONG_REDACTION)
    assert run("audit", "f.json", "m.json", "--certificate", "m.json")[0] == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f.json", "m.json"]


def test_the_mechanisms_in_the_documentation_are_read(save, run):
    text = (Path(__file__).parents[3] / "docs" / "reference" / "formats.md").read_text(encoding="utf-8")
    section = text.partition("### Sequences, record by record")[2].partition("\n##")[0]
    blocks = [block.partition("```")[0] for block in section.split("```json\n")[1:]]
    save("f.json", changed(RECORDS, ["records", "count"], 3))
    ratios = []
    for block in blocks:
        save("m.json", block)
        code, out, _ = run("audit", "f.json", "m.json", "--json")
        assert code == 0
        ratios.append(json.loads(out)["leakage"]["ratio"])
    assert ratios == ["198/17", "9/2", "8"]


@pytest.mark.parametrize("runs", ["1", "2"])
def test_long_and_short_compositions_agree(save, run, runs):
    """One more record that is redacted for certain changes no leakage, but makes the joint
    release too long to list.
    """
    answers = []
    for count in (3, 9):
        save("f.json", changed(RECORDS, ["records", "count"], count))
        save("m.json", changed(LOCAL, ["local"], [CHANNEL] * 3 + [[["1/2", "1/2"]] * 2] * (count - 3)))
        save(
            "r.json",
            changed(REDACTION, ["redaction"], [["1", "1"], ["1/2", "1"], ["1/3", "1/4"]] + [["1", "1"]] * (count - 3)),
        )
        code, out, _ = run("compose", "f.json", "m.json", "r.json", "--runs", runs, "--json")
        assert code == 0
        answers.append(json.loads(out))
    short, long = answers
    assert (short["rate"] is None, long["rate"] is None) == (False, True)
    for key in ("single", "joint", "additive", "runs", "excluded", "never_checked", "trust"):
        assert short[key] == long[key]
    assert short["witness"]["pair"] == long["witness"]["pair"]


@pytest.mark.parametrize("option", ["--plot", "--certificate", "--rate-certificate"])
def test_what_a_long_composition_cannot_do_is_refused(save, run, option):
    save("f.json", LONG_RECORDS)
    save("m.json", LONG_LOCAL)
    code, out, err = run("compose", "f.json", "m.json", "--runs", "2", option, "x.svg")
    assert (code, out) == (2, "")
    assert f"{option}: needs what can be listed, and there are 2^50 outputs" in err
    code, _, err = run("compose", "f.json", "m.json", "--runs", "20")
    assert code == 2
    assert "a joint release of 20 symbols of every record: expected at most 1000 combinations" in err
    code, _, err = run("compose", "f.json", "m.json", "--runs", str(10**9))
    assert code == 2
    assert "expected 1 to 1000 runs, found 1000000000" in err


def test_mechanisms_are_read_for_classes_of_chains(tmp_path):
    """In Python as by the command: rows are needed for what some chain makes possible."""
    rows = {"transition_lower": [["1/2", "1/4"], ["1/4", "1/2"]]}
    rows["transition_upper"] = [["3/4", "1/2"], ["1/2", "3/4"]]
    document = {
        "format": "pufferproof-framework/1",
        "records": {"count": 2, "alphabet": ["0", "1"]},
        "secrets": {"no": {"record": 1, "value": "0"}, "yes": {"record": 1, "value": "1"}},
        "pairs": "disjoint",
        "priors": {"unsure": {"markov": {"initial": "any"} | rows}},
    }
    (tmp_path / "framework.json").write_text(json.dumps(document))
    framework = read_framework(tmp_path / "framework.json")
    shown = {"format": "pufferproof-mechanism/1", "redaction": [["1", "1"], ["0", "0"]]}
    (tmp_path / "mechanism.json").write_text(json.dumps(shown))
    mechanism = read_mechanism(tmp_path / "mechanism.json", framework)
    assert audit(framework, mechanism, "log(3)").leakage.ratio == 3
