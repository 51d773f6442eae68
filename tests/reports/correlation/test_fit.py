"""The command `fit`: what it prints and writes, what other commands do with it, and its errors."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.reports.console.schemas import expect_valid

import pufferproof as pp

DAYS = Path(__file__).parents[3] / "examples" / "correlated" / "seattle-weather" / "wet-days.csv"
COIN = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["0", "1"],
    "local": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 4,
}


@pytest.fixture
def run(run, save):
    save("days.csv", DAYS.read_text(encoding="utf-8"))
    save("coin.json", COIN)
    return run


def answer(run, *options):
    code, out, err = run(
        "fit", "days.csv", "--column", "day", "--out", "f.json", "--replace", *options, "--json"
    )
    assert code == 0, err
    found = json.loads(out)
    expect_valid(found, "fit")
    return found


@pytest.mark.parametrize("options", [[], ["--order", "2"], ["--smoothing", "1/2"]])
def test_what_is_written_is_what_other_commands_read(run, options):
    answer(run, "--length", "4", "--private", "2", *options)
    for command in (
        ("audit", "f.json", "coin.json", "--epsilon", "log(9)"),
        ("compose", "f.json", "coin.json", "coin.json"),
        ("worst", "f.json", "--budget", "log(2)", "--budget", "log(2)"),
        ("translate", "f.json", "--per-record-dp", "log(2)"),
        (
            "calibrate",
            "f.json",
            "--mechanism",
            "wasserstein",
            "--query",
            "histogram",
            "--epsilon",
            1,
        ),
        ("influence", "f.json", "--curve"),
    ):
        code, out, err = run(*command)
        assert code in (0, 1), (command, err)
        assert out


def test_the_kernel_reads_a_fitted_framework(run, tmp_path):
    answer(run, "--length", "4", "--private", "2")
    labels = pp.Records(4, ("dry", "wet")).labels()
    rows = {label: ["3/4", "1/4"] if "dry" in label else ["1/4", "3/4"] for label in labels}
    document = {"format": "pufferproof-mechanism/1", "outputs": ["u", "v"], "channel": rows}
    (tmp_path / "m.json").write_text(json.dumps(document), encoding="utf-8")
    assert run("audit", "f.json", "m.json", "--certificate", "c.json")[0] == 0
    assert run("check", "c.json", "f.json", "m.json")[0] == 0


def test_sequences_are_counted_by_groups(run, tmp_path):
    rows = "".join(f"{place % 3},{'ab'[place // 3 % 2]}\n" for place in range(30))
    (tmp_path / "g.csv").write_text("who,v\n" + rows)
    command = ("fit", "g.csv", "--column", "v", "--group", "who", "--out", "f.json", "--replace")
    code, out, err = run(*command, "--confidence", "90%")
    assert (code, err) == (0, "")
    assert out.startswith("records   30 in 3 sequences, 2 values: a, b\n")
    assert "on these values, the same in every sequence, whenever" in out
    assert "framework f.json: 10 records, all private; any law of the first record" in out
    _, out, _ = run(*command, "--json", "--initial", "counted", "--smoothing", "1")
    found = json.loads(out)
    assert (found["counts"], found["length"]) == ([[0, 15], [12, 0]], 10)
    assert pp.read_framework(tmp_path / "f.json").value.priors["fitted"].initial == (
        Fraction(4, 5),
        Fraction(1, 5),
    )


def test_absorbing_values_are_kept_in_frameworks_and_boxes(run, tmp_path):
    states = ["well", "ill", "well", "well", "ill"]
    rows = [f"{who},{state}" for who in range(9) for state in states[who % 3 :]]
    rows += ["0,dead", "4,dead"]
    (tmp_path / "g.csv").write_text("\n".join(["who,v", *rows]) + "\n")
    command = ("fit", "g.csv", "--column", "v", "--group", "who", "--out", "f.json")
    code, _, err = run(*command)
    assert (code, "--absorbing dead" in err, err.count("\n")) == (2, True, 1)
    for more in ((), ("--confidence", "90%")):
        code, out, _ = run(*command, "--absorbing", "dead", *more, "--json", "--replace")
        found = json.loads(out)
        expect_valid(found, "fit")
        assert (code, found["absorbing"], found["doubts"]) == (0, ["dead"], [])
        assert found["transition"][0] == ["1", "0", "0"]
        assert found["box"] is None or found["box"]["lower"][0] == ["1", "0", "0"]
    code, _, err = run(*command, "--absorbing", "ill")
    assert (code, '--absorbing: "ill" is followed by' in err) == (2, True)


BAD = [
    (["--column", "rain"], 'days.csv: expected a column "rain", found "date", "day"'),
    (["--column", "date"], 'days.csv: column "date": expected at most 50 different values, found'),
    (["--column", "day", "--group", "no"], 'expected a column "no", found "date", "day"'),
    (["--column", "day", "--group", "date"], "--order: expected a sequence of more than 1 values"),
    (["--column", "day", "--order", "0"], "--order: expected at least 1, found 0"),
    (["--column", "day", "--smoothing", "-1"], "--smoothing: expected a number of at least 0"),
    (["--column", "day", "--confidence", "95"], "--confidence: expected a share between 0 and 1"),
    (
        ["--column", "day", "--confidence", "95%", "--order", "2"],
        "--confidence: a box is of chains",
    ),
    (["--column", "day", "--initial", "any"], '--initial: expected "stationary" or "counted"'),
    (["--column", "day", "--private", "x"], "--private: expected a record from 1 on, found x"),
    (["--column", "day", "--private", "1462"], "--private: expected a record from 1 to 1461"),
    (["--column", "day", "--length", "0"], "--length: expected at least 1 record, found 0"),
    (["--column", "day", "--length", "20000"], "--private: expected the private records"),
    (["--column", "day", "--states", "dry"], "states: expected one of \"dry\", found 'wet'"),
    (["--column", "day", "--states", "dry,wet,fog"], 'days.csv: nothing follows "fog"'),
    (["--column", "day", "--plot", "p.gif"], "expected a plot file ending in .svg, .png, .pdf"),
    (["--column", "day", "--time", "no"], 'expected a column "no", found "date", "day"'),
    (["--column", "day", "--time", "day"], 'line 3: column "day": expected an ISO date and time'),
    (["--column", "day", "--absorbing", "fog"], "--absorbing: expected one of"),
    (["--column", "day", "--absorbing", "dry"], '--absorbing: "dry" is followed by "wet"'),
    (["--column", "day", "--absorbing", "dry", "--order", "2"], "--absorbing: goes with order 1"),
    (
        ["--column", "date", "--gaussian", "ar1", "--absorbing", "1"],
        "goes with chains",
    ),
    ([], "Missing option '--column'"),
]


@pytest.mark.parametrize(("options", "said"), BAD)
def test_bad_input_is_one_line_and_nothing_is_written(run, tmp_path, options, said):
    code, out, err = run("fit", "days.csv", "--out", "f.json", *options)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "f.json").exists()


def test_the_data_are_not_written_over(run, tmp_path):
    code, _, err = run("fit", "days.csv", "--column", "day", "--out", "days.csv")
    assert (code, "is read or written by this command already" in err) == (2, True)
    assert (tmp_path / "days.csv").read_text(encoding="utf-8").startswith("# vega_datasets")
