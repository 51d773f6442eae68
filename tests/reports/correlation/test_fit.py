"""The command `fit`: what it prints and writes, what other commands do with it, and its errors."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from tests.reports.console.schemas import expect_valid

import pufferproof as pp

DAYS = Path(__file__).parents[3] / "examples" / "correlated" / "seattle-weather" / "wet-days.csv"
COIN = {"format": "pufferproof-mechanism/1", "outputs": ["0", "1"], "local": [[["3/4", "1/4"], ["1/4", "3/4"]]] * 4}


@pytest.fixture
def run(run, save):
    save("days.csv", DAYS.read_text(encoding="utf-8"))
    save("coin.json", COIN)
    return run


def answer(run, *options):
    code, out, err = run("fit", "days.csv", "--column", "day", "--out", "f.json", "--replace", *options, "--json")
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
        ("calibrate", "f.json", "--mechanism", "wasserstein", "--query", "histogram", "--epsilon", 1),
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
    assert "on these values, the same in every sequence,\n" in out
    assert "and the length was fixed without looking at the values" in out
    assert "framework f.json: 10 records, all private; any law of the first record" in out
    _, out, _ = run(*command, "--json", "--initial", "counted", "--smoothing", "1")
    found = json.loads(out)
    assert (found["counts"], found["length"]) == ([[0, 15], [12, 0]], 10)
    assert pp.read_framework(tmp_path / "f.json").value.priors["fitted"].initial == (Fraction(4, 5), Fraction(1, 5))


@pytest.mark.parametrize("more", [[], ["--gaussian", "ar1", "--at", "1", "--at", "2"]])
def test_without_a_file_to_write_nothing_is_written(run, tmp_path, more):
    (tmp_path / "g.csv").write_text("v\n" + "1\n2\n2\n1\n3\n1\n" * 3)
    before = sorted(tmp_path.iterdir())
    code, out, _ = run("data", "g.csv", "--length", "5", "--private", "2", *more)
    assert (code, "framework not written (--out FILE): 5 records" in out) == (0, True)
    found = json.loads(run("data", "g.csv", "--length", "5", "--private", "2", *more, "--json")[1])
    expect_valid(found, "fit")
    assert found["framework"] is None
    assert sorted(tmp_path.iterdir()) == before


def test_an_office_file_is_read_by_either_name(run, tmp_path):
    """Semicolons, decimal commas, an hour that summer time leaves out, a gap, a missing value."""
    hours = [f"2026-03-29 {h:02d}:00+0{1 if h < 2 else 2}:00" for h in range(24) if h not in (2, 7)]
    cells = [f"{0.3 + h % 3 / 2:.2f}".replace(".", ",") for h in range(len(hours))]
    cells[9] = ""
    lines = ["Zeit;kWh", *map(";".join, zip(hours, cells))]
    (tmp_path / "g.csv").write_text("\n".join(lines) + "\n", encoding="utf-16")
    options = ("--column", "kWh", "--decimal", ",", "--classes", "0.5,1", "--replace")
    for command in ("fit", "data"):
        said = (command, "g.csv", *options, "--time", "Zeit", "--out", "f.json")
        code, out, err = run(*said)
        assert (code, out) == (2, "")
        assert 'line 11: column "kWh": expected a value' in err
        code, out, _ = run(*said, "--missing", "split", "--json")
        assert code == 0
        found = json.loads(out)
        expect_valid(found, "fit")
        assert (found["read"], found["missing"]) == ("CSV in UTF-16, separated by semicolons", 1)
        assert found["time"]["step"] == "1:00:00"
        assert (found["time"]["gaps"], found["sequences"]) == (1, 3)
        assert found["classes"] == {"limits": ["0.5", "1"], "quantiles": False}
        assert found["states"] == ["below 0.5", "0.5 to 1", "from 1"]
        assert "whether a value is missing does not depend" in found["assumed"][1]
        assert sum(map(sum, found["counts"])) == found["records"] - found["sequences"]
    found = json.loads(run(*said, "--missing", "split", "--classes", "3", "--json")[1])
    assert found["classes"]["quantiles"]
    code, out, _ = run(*said, "--missing", "split")
    assert code == 0
    assert "gaps      1 step of another length" in out
    assert "missing   1 value" in out
    normal = ("--gaussian", "ar1", "--at", "1", "--at", "2", "--length", "3", "--json")
    options = [option for option in said if option not in ("--classes", "0.5,1")]
    code, out, err = run(*options, "--missing", "split", *normal)
    found = json.loads(out)
    expect_valid(found, "fit")
    assert (found["series"], found["missing"]) == (3, 1)
    assert "independent" in found["assumed"][-1]


def test_what_smoothing_invents_is_said_everywhere(run, tmp_path):
    (tmp_path / "g.csv").write_text("v\na\nb\na\nb\nd\n")
    command = ("fit", "g.csv", "--column", "v", "--out", "f.json", "--smoothing", "1")
    code, out, err = run(*command)
    assert code == 0
    assert 'note: nothing follows "d" in the data' in err
    assert 'doubt     nothing follows "d"' in out
    assert 'assumed   what follows "d" is as smoothing says, which no data support' in out
    found = json.loads(run(*command, "--replace", "--json")[1])
    assert [doubt["about"] for doubt in found["doubts"]] == ["rows", "smoothing"]
    assert 'what follows "d"' in found["assumed"][-1]


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
        doubts = [doubt["about"] for doubt in found["doubts"]]
        assert (code, found["absorbing"], doubts) == (0, ["dead"], [] if more else ["rows"])
        assert found["transition"][0] == ["1", "0", "0"]
        assert found["box"] is None or found["box"]["lower"][0] == ["1", "0", "0"]
    code, _, err = run(*command, "--absorbing", "ill", "--replace")
    assert (code, '--absorbing: "ill" is followed by' in err) == (2, True)


def test_steps_that_never_occur_are_kept_in_frameworks_and_boxes(run, tmp_path):
    (tmp_path / "s.csv").write_text("\n".join(["v", *"aabcaabbcabcaaabcc"]) + "\n")
    command = ("fit", "s.csv", "--never", "b,a", "--never", "c,b", "--out", "f.json", "--replace")
    found = json.loads(run(*command, "--smoothing", "1", "--json")[1])
    expect_valid(found, "fit")
    assert found["never"] == [["b", "a"], ["c", "b"]]
    assert found["transition"] == [["5/11", "5/11", "1/11"], ["0", "2/7", "5/7"], ["2/3", "0", "1/3"]]
    assert found["never_seen"] == [["a", "c"]]
    assert 'steps that never occur, as was declared: "b" to "a", "c" to "b"' in found["assumed"]
    for more in ((), ("--kinds", "pooled"), ("--stopping", "any")):
        box = json.loads(run(*command, "--confidence", "90%", *more, "--json")[1])["box"]
        assert (box["upper"][1][0], box["upper"][2][1]) == ("0", "0")
        assert box["upper"][0][2] != "0"
    (tmp_path / "g.csv").write_text("w,v\n" + "".join(f"{w},{v}\n" for w in "12" for v in "aabcab"))
    for kinds in ("each", "box", "2"):
        asked = ("--column", "v", "--group", "w", "--kinds", kinds, "--smoothing", "1", "--json")
        assert run("fit", "g.csv", *asked, "--never", "b,a", "--out", "g.json", "--replace")[0] == 0
        for prior in json.loads((tmp_path / "g.json").read_text())["priors"].values():
            rows = prior["markov"].get("transition") or prior["markov"]["transition_upper"]
            assert rows[1][0] == "0"


BAD = [
    (["--column", "day", "--never", "wet,dry"], '--never: "wet" is followed by "dry" at value'),
    (["--column", "day", "--never", "wet"], "--never: expected two values, FROM and TO, found"),
    (["--column", "day", "--never", "wet,fog"], '--never: expected one of "dry", "wet", found'),
    (["--column", "day", "--never", "wet,dry", "--order", "2"], "--never: needs order 1"),
    (["--column", "rain"], 'days.csv: expected a column "rain", found "date", "day"'),
    (["--column", "date"], 'days.csv: column "date": expected at most 256 different values'),
    (["--column", "day", "--group", "no"], 'expected a column "no", found "date", "day"'),
    (["--column", "day", "--group", "date"], "--order: expected a sequence of more than 1 values"),
    (["--column", "day", "--order", "0"], "--order: expected at least 1, found 0"),
    (["--column", "day", "--smoothing", "-1"], "--smoothing: expected a number of at least 0"),
    (["--column", "day", "--confidence", "95"], "--confidence: expected a share between 0 and 1"),
    (["--column", "day", "--confidence", "95%", "--order", "2"], "--confidence: a box is of chains"),
    (["--column", "day", "--initial", "any"], '--initial: expected "stationary" or "counted"'),
    (["--column", "day", "--private", "x"], '--private: expected a record from 1 on, found "x"'),
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
    (["--column", "day", "--absorbing", "dry", "--order", "2"], "--absorbing: needs order 1"),
    (["--column", "date", "--gaussian", "ar1", "--absorbing", "1"], "needs chains"),
    ([], 'days.csv: expected one column beside groups and times, found "date", "day": --column'),
    (["--column", "day", "--classes", "4"], 'line 3: column "day": expected a number such as'),
    (["--column", "day", "--classes", "1"], "--classes: expected 2 to 256 classes, found 1"),
    (["--column", "day", "--classes", "2,1"], "--classes: expected 1 to 255 limits in ascending"),
    (["--column", "day", "--classes", "a"], '--classes: expected a number such as "3/4"'),
    (["--column", "day", "--decimal", ";"], '--decimal: expected "." or ",", found'),
    (["--column", "day", "--separator", "ab"], "--separator: expected one character such as"),
    (["--column", "day", "--separator", ";"], 'expected a column "day", found "date,day"'),
    (["--column", "day", "--states", "dry", "--classes", "2"], "--states: classes name the values"),
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
    assert (code, "is already read or written by this command" in err) == (2, True)
    assert (tmp_path / "days.csv").read_text(encoding="utf-8").startswith("# vega_datasets")


def test_a_covariance_takes_no_series_with_gaps(run, save):
    save("gaps.csv", "person,v\na,\na,1\na,2\nb,3\nb,5\nb,\nc,4\nc,1\nc,\n")
    options = ("--column", "v", "--group", "person", "--missing", "split", "--at", "1", "--at", "2")
    code, out, err = run("fit", "gaps.csv", *options, "--gaussian", "covariance")
    assert (code, out) == (2, "")
    assert "a covariance needs every reading of every series, found gaps" in err
    assert run("fit", "gaps.csv", *options, "--gaussian", "ar1")[0] == 0
