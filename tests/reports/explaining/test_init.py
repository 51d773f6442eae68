"""`init` writes files that every line of a first session takes, and replaces nothing."""

import re
from pathlib import Path

import pytest

from pufferproof import read_framework
from pufferproof.reports.explaining.init import DEFINITIONS
from pufferproof.verify.kernel import check


def test_what_is_written_is_audited_and_certified(save, run):
    code, out, err = run("init", "mine")
    assert (code, err) == (0, "")
    framework, mechanism = "mine/framework.toml", "mine/mechanism.toml"
    assert f'pufferproof audit {framework} {mechanism} --epsilon "log(3)"' in out
    line = ("audit", framework, mechanism, "--epsilon", "log(3)", "--certificate", "c.json")
    code, out, _ = run(*line)
    assert code == 1
    assert "leakage   log(34992/961)" in out
    assert check("c.json").kind == "leakage-witness"


def test_independent_days_keep_the_level_that_the_comment_says(save, run):
    run("init", ".")
    file = Path("framework.toml")
    text = file.read_text(encoding="utf-8")
    start, end = text.index("[priors.spells"), text.index("[priors.independent]")
    file.write_text(text[:start] + text[end:], encoding="utf-8")
    code, out, _ = run("audit", "framework.toml", "mechanism.toml", "--epsilon", "log(3)")
    assert (code, out.splitlines()[1]) == (0, "leakage   log(3) ≈ 1.09861228867 nats")


def test_nothing_is_replaced(save, run):
    save("mechanism.toml", "mine")
    code, out, err = run("init")
    assert (code, out) == (2, "")
    assert err == "pufferproof: mechanism.toml: exists already; choose another folder\n"
    assert not Path("framework.toml").exists()


def test_every_setting_has_a_comment_before_it(save, run):
    run("init")
    for name in ("framework.toml", "mechanism.toml"):
        paragraphs = Path(name).read_text(encoding="utf-8").strip().split("\n\n")
        assert all(paragraph.startswith("#") for paragraph in paragraphs)


LINE = """format = "pufferproof-framework/1"
pairs = [["a", "b"]]
secrets = {a = {record = 1, value = "0"}, b = {record = 1, value = "2"}}
records = {count = 2, alphabet = ["0", "1", "2"]}
[priors.walk.markov]
initial = "stationary"
transition = [["1/2", "1/2", "0"], ["1/4", "1/2", "1/4"], ["0", "1/2", "1/2"]]
"""
OWN = {
    "dependent": ("--block", "1,2"),
    "blowfish": ("--edge", "0,1", "--edge", "1,2", "--allowed", "00", "--allowed", "11"),
    "conditional-inference": ("--radius", "1"),
    "partial-knowledge": ("--record", "2"),
}


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_is_written_and_audited(save, run, name):
    Path("line.toml").write_text(LINE, encoding="utf-8")
    alphabet = "012_" if name == "distribution" else "012"
    rows = {a + b: ["1/2" if a == b else "1/4"] for a in alphabet for b in alphabet}
    for row in rows.values():
        row.append("1/2" if row[0] == "1/2" else "3/4")
    form = {"format": "pufferproof-mechanism/1", "outputs": ["same", "not"]}
    save("mechanism.json", form | {"channel": rows})
    line = ("init", "mine", "--definition", name, "--from", "line.toml", *OWN.get(name, ()))
    code, out, err = run(*line)
    path = f"mine/{name}.json"
    assert (code, err) == (0, "")
    assert out.startswith(f"framework {path}: ")
    assert f"next      pufferproof audit {path} MECHANISM" in out
    assert read_framework(path).value.records.count == 2
    code, out, err = run("audit", path, "mechanism.json")
    assert code == 0
    assert "leakage" in out
    assert run(*line)[2].endswith("exists already; choose another folder\n")


def test_without_a_framework_it_is_about_the_one_that_init_writes(save, run):
    code, out, _ = run("init", "--definition", "bayesian")
    assert (code, out.splitlines()[0]) == (0, "framework bayesian.json: 10 secrets, 5 pairs, 422 laws")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--definition", "zero"), "--definition: expected one of differential-privacy, dep"),
        (("--radius", "1"), "--radius: needs --definition"),
        (("--from", "line.toml"), "--from: needs --definition"),
        (("--definition", "bayesian", "--edge", "0,1"), "--edge: needs --definition blowfish"),
        (("--definition", "blowfish", "--edge", "0"), "--edge: expected two values"),
        (("--definition", "blowfish", "--edge", "0,5"), 'edges: expected one of "0", "1"'),
        (("--definition", "dependent", "--block", "x"), "--block: expected records such as"),
        (("--definition", "dependent", "--block", "1,2"), "blocks: expected every record from 1"),
        (("--definition", "noiseless"), "priors: expected the one law that is known, found 2"),
        (("--definition", "partial-knowledge", "--record", "9"), "record: expected a record from"),
        (("--definition", "conditional-inference", "--radius", "x"), "radius"),
        (("--definition", "bayesian", "--from", "table.json"), "--from: expected a framework of r"),
    ],
)
def test_what_is_no_definition_is_one_line(save, run, options, said):
    save(
        "table.json",
        {
            "format": "pufferproof-framework/1",
            "databases": ["a", "b"],
            "secrets": {"s": ["a"], "t": ["b"]},
            "pairs": [["s", "t"]],
            "priors": {"p": {"table": {"a": "1/2", "b": "1/2"}}},
        },
    )
    code, out, err = run("init", "mine", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not Path("mine").exists()


TABLES = {  # of what somebody else wrote: its rows, and what the records are
    "bits": (["00", "01", "10", "11"], "2 records with values 0, 1"),
    "words": (["b,aa", "aa,b", "aa,aa", "b,b"], "2 records with values aa, b"),
    "three": (["a", "b", "ä😀"], "1 record with values a, b, ä😀"),
    "some": (["00", "01", "11"], "1 record with values 00, 01, 11"),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_has_a_framework_that_fits_it(run, monkeypatch, tmp_path, name):
    monkeypatch.chdir(tmp_path)
    labels, said = TABLES[name]
    rows = [f'"{label}",0.25,0.75' for label in labels]
    Path("table.csv").write_text("\n".join(["database,u,v", *rows]), encoding="utf-8")
    code, out, err = run("init", "mine", "--table", "table.csv")
    assert (code, err) == (0, "")
    assert f"framework mine/framework.toml: {said}\n" in out
    assert [path.name for path in Path("mine").iterdir()] == ["framework.toml"]
    (line,) = re.findall("next +pufferproof (.*)", out)
    code, out, _ = run(*line.split())
    assert (code, out.splitlines()[0]) == (0, "SATISFIES 1 nat")
    assert out.splitlines()[1] == "leakage   0 (nothing leaks)"
    paragraphs = Path("mine/framework.toml").read_text(encoding="utf-8").strip().split("\n\n")
    assert all(paragraph.startswith("#") for paragraph in paragraphs)


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        ("database,u\n0,1", (), "expected at least two databases, found 1"),
        ("database;u\n0;1", (), "expected at least two databases, found 1"),
        ("database,u\n0,1\n1,1", ("--edge", "0,1"), "--edge: needs --definition"),
        ("database,u\n0,1\n1,1", ("--definition", "bayesian"), "--table: cannot be combined with --def"),
    ],
)
def test_what_is_no_table_to_start_from_is_one_line(run, monkeypatch, tmp_path, text, options, said):
    monkeypatch.chdir(tmp_path)
    Path("table.csv").write_text(text, encoding="utf-8")
    code, out, err = run("init", "mine", "--table", "table.csv", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert not Path("mine").exists()


def test_only_a_csv_table_has_a_framework(run):
    code, out, err = run("init", "mine", "--table", "mechanism.json")
    assert (code, out) == (2, "")
    assert err == "pufferproof: mechanism.json: expected a CSV table with a row for each database\n"
