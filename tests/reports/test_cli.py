"""The command line: outputs, exit codes, one line for every misuse, nothing half-written."""

import csv
import json
import os
import re
import resource
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from tests.models.files.test_reading import FRAMEWORK, MECHANISM, RECORDS, changed
from tests.reports.console.schemas import expect_valid

from pufferproof.reports.auditing.schema import json_schema
from pufferproof.reports.commands import ALSO, COMMANDS, GROUPS, REPLACED

RELEASES = {
    "format": "pufferproof-mechanism/1",
    "outputs": ["0", "1"],
    "channel": {"00": ["1", "0"], "01": ["1/4", "3/4"], "10": ["1/2", "1/2"], "11": ["0", "1"]},
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in [("f.json", FRAMEWORK), ("m.json", MECHANISM), ("r.json", RECORDS), ("k.json", RELEASES)]:
        (tmp_path / name).write_text(json.dumps(content))
    (tmp_path / "no.json").write_text("no JSON")
    return tmp_path


@pytest.fixture
def run(files, run):
    return run


def test_an_audit_prints_the_documented_object(run):
    code, out, err = run("audit", "f.json", "m.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, err, answer["verdict"]) == (0, "", None)
    assert answer["leakage"]["ratio"] == "4/3"
    assert answer["witness"] == {"prior": "theta", "pair": ["s", "t"], "output": "v"}
    assert (answer["checked"], answer["excluded"], answer["never_checked"]) == (4, 0, [])
    assert "mixtures" not in answer


@pytest.mark.parametrize(
    ("level", "code", "verdict"),
    [
        ("log(4/3)", 0, "SATISFIES"),
        ("log(1000001/750000)", 0, "SATISFIES"),
        ("log(999999/750000)", 1, "VIOLATES"),
        ("0", 1, "VIOLATES"),
        ("0.29", 0, "SATISFIES"),
        ("0.28", 1, "VIOLATES"),
    ],
)
def test_the_exit_code_follows_the_verdict(run, level, code, verdict):
    found, out, _ = run("audit", "f.json", "m.json", "--epsilon", level, "--json")
    assert (found, json.loads(out)["verdict"]) == (code, verdict)


def test_the_verdict_comes_first_on_a_terminal(run):
    assert run("audit", "f.json", "m.json", "--epsilon", "log(2)")[1].splitlines()[0] == "SATISFIES log(2)"


@pytest.mark.parametrize(("delta", "code"), [("1/8", 0), ("0.124", 1), ("1", 0)])
def test_epsilon_and_delta_are_decided_together(run, delta, code):
    found, out, _ = run("audit", "f.json", "m.json", "--epsilon", "0", "--delta", delta, "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (found, answer["delta"]["ratio"]) == (code, "1/8")


def test_the_table_and_its_csv_have_every_ordered_pair_and_output(run, files):
    _, out, _ = run("audit", "f.json", "m.json", "--table", "--csv", "t.csv", "--json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    rows = list(csv.DictReader((files / "t.csv").open()))
    assert [row["ratio"] for row in answer["table"]] == [row["ratio"] for row in rows] == ["4/5", "4/3", "5/4", "3/4"]
    assert "odds after" in run("audit", "f.json", "m.json", "--table")[1]


def test_a_certificate_is_written_checked_and_bound_to_its_files(run, files):
    for level in (
        [],
        ["--epsilon", "log(2)"],
        ["--epsilon", "log(5/4)"],
        ["--epsilon", "0.1", "--delta", "1/2"],
        ["--epsilon", "0.1", "--delta", "1/100"],
        ["--epsilon", "0.5"],
    ):
        code, out, _ = run("audit", "f.json", "m.json", *level, "--certificate", "c.json", "--replace", "--json")
        answer = json.loads(out)
        assert code in (0, 1)
        assert answer["trust"] == ["KERNEL"]
        expect_valid(json.loads((files / "c.json").read_text()), "certificate")
        code, out, _ = run("check", "c.json", "f.json", "m.json", "--json")
        assert code == 0
        expect_valid(json.loads(out), "check")
        assert json.loads(out)["accepted"] is True
        (files / "m2.json").write_text(json.dumps(MECHANISM, indent=1))
        assert run("check", "c.json", "f.json", "m2.json")[0] == 1
        (files / "--json").write_text("{}")
        assert run("check", "--", "c.json", "--json", "m.json")[0] == 1


def test_a_tampered_certificate_is_refused(run, files):
    run("audit", "f.json", "m.json", "--certificate", "c.json")
    certificate = json.loads((files / "c.json").read_text())
    certificate["claim"]["level"]["log"] = "5/4"
    (files / "c.json").write_text(json.dumps(certificate))
    code, out, err = run("check", "c.json")
    assert (code, out) == (1, "")
    assert len(err.splitlines()) == 1


def test_compose_prints_single_and_joint_leakage(run, files):
    code, out, _ = run("compose", "r.json", "k.json", "k.json", "--certificate", "c.json", "--json")
    answer = json.loads(out)
    expect_valid(answer, "compose")
    assert (code, len(answer["single"]), len(answer["witness"]["outputs"])) == (0, 2, 2)
    assert run("check", "c.json", "r.json", "k.json", "k.json")[0] == 0
    _, repeated, _ = run("compose", "r.json", "k.json", "--runs", "2", "--certificate", "c2.json", "--json")
    assert json.loads(repeated)["joint"] == answer["joint"]
    assert run("check", "c2.json", "r.json", "k.json")[0] == 0
    assert "single" in run("compose", "r.json", "k.json")[1]


def test_zero_probability_secrets_are_counted_and_named(run, files):
    framework = changed(FRAMEWORK, ["secrets"], {"s": ["a"], "t": ["b", "c"], "never": ["d"]})
    framework["databases"].append("d")
    framework["pairs"] = [["s", "never"], ["s", "t"]]
    framework["priors"]["other"] = {"table": {"a": 1}}
    (files / "f.json").write_text(json.dumps(framework))
    code, out, err = run("audit", "f.json", "m.json", "--epsilon", "log(4/3)", "--json")
    answer = json.loads(out)
    assert (code, answer["excluded"], answer["never_checked"], answer["checked"]) == (0, 3, [["s", "never"]], 4)
    assert "never checked" in err
    framework["pairs"] = [["s", "never"]]
    (files / "f.json").write_text(json.dumps(framework))
    code, out, err = run("audit", "f.json", "m.json", "--epsilon", "log(4/3)", "--json")
    assert (code, out) == (2, "")
    assert "nothing to check" in err


def test_mixtures_of_priors_are_audited_with_a_mixture_as_witness(run, files):
    framework = {
        "format": "pufferproof-framework/1",
        "databases": ["a", "b", "c", "d"],
        "secrets": {"s": ["a", "b"], "t": ["c", "d"]},
        "pairs": [["s", "t"]],
        "closure": "convex",
        "priors": {"l": {"table": {"a": "1/4", "c": "3/4"}}, "m": {"table": {"b": "3/4", "d": "1/4"}}},
    }
    rows = {"a": ["1/2", "1/2"], "b": ["1/6", "5/6"], "c": ["1/2", "1/2"], "d": ["1/6", "5/6"]}
    (files / "f.json").write_text(json.dumps(framework))
    (files / "m.json").write_text(json.dumps({**MECHANISM, "channel": rows}))
    asked = "audit f.json m.json --certificate c.json --replace"
    code, out, _ = run(f"{asked} --epsilon log(5/3) --json")
    answer = json.loads(out)
    expect_valid(answer, "audit")
    assert (code, answer["verdict"], answer["leakage"]["ratio"]) == (1, "VIOLATES", None)
    assert sum(map(Fraction, answer["witness"]["prior"]["mixture"].values())) == 1
    assert run("check", "c.json", "f.json", "m.json")[0] == 0
    assert run(f"{asked} --epsilon log(2)")[0] == 0
    assert run("check", "c.json", "f.json", "m.json")[0] == 0


def test_small_leakages_keep_their_exponent_on_a_terminal(run, files):
    big = 10**40
    rows = {"a": [f"{big + 1}/{2 * big + 1}", f"{big}/{2 * big + 1}"], "b": ["1/2", "1/2"], "c": ["1/2", "1/2"]}
    (files / "m.json").write_text(json.dumps({**MECHANISM, "channel": rows}))
    for command in (["audit", "f.json", "m.json", "--table"], ["compose", "f.json", "m.json"]):
        out = run(*command)[1]
        assert "≈ 5E-41 nats" in out
        assert "4.99999" not in out.replace("4.9999999999E-41", "")


def test_several_outputs_are_written_together_or_not_at_all(run, files):
    before = sorted(path.name for path in files.iterdir())
    everything = ["audit", "f.json", "m.json", "--certificate", "c.json", "--csv", "t.csv", "--plot"]
    for bad, message in [
        ("absent/p.svg", "cannot be written"),
        ("p.qqq", "expected a plot file"),
        ("c.json", "expected"),
        ("f.json", "expected"),
    ]:
        code, out, err = run(*everything, bad)
        assert (code, out) == (2, "")
        assert message in err
        assert sorted(path.name for path in files.iterdir()) == before
    assert run(*everything, "p.svg")[0] == 0
    assert {"c.json", "t.csv", "p.svg"} <= {path.name for path in files.iterdir()}


TWO_PRIORS = {
    "format": "pufferproof-framework/1",
    "databases": ["a", "b", "c", "d"],
    "secrets": {"s": ["a", "b"], "t": ["c", "d"]},
    "pairs": [["s", "t"]],
    "priors": {"l": {"table": {"a": "1/4", "c": "3/4"}}, "m": {"table": {"b": "3/4", "d": "1/4"}}},
}
AGAINST = {"priors": ["l", "m"], "pair": ["s", "t"]}
FREE = {"priors": None, "pair": None, "reason": None}


@pytest.mark.parametrize(
    ("changes", "mixtures", "said"),
    [
        ({}, {"free": False} | AGAINST, '"s" against "t" under "l" and "m"'),
        (
            {"m": {"table": {"b": "1/4", "d": "3/4"}}},
            {"free": True} | FREE,
            "mixtures  a level kept for these priors is kept for all their mixtures",
        ),
        (
            {"n": {"table": {"a": "1/4", "c": "3/4"}}},
            {"free": None} | AGAINST,
            'mixtures  not known to be covered; "closure": "convex" audits them',
        ),
    ],
)
def test_an_audit_says_whether_mixtures_are_free(run, files, changes, mixtures, said):
    framework = {**TWO_PRIORS, "priors": TWO_PRIORS["priors"] | changes}
    (files / "f.json").write_text(json.dumps(framework))
    even = {x: ["1/2", "1/2"] for x in "abcd"}
    (files / "m.json").write_text(json.dumps({**MECHANISM, "channel": even}))
    answer = json.loads(run("audit", "f.json", "m.json", "--json")[1])
    expect_valid(answer, "audit")
    assert mixtures.items() <= answer["mixtures"].items()
    assert said in run("audit", "f.json", "m.json")[1]
    (files / "f.json").write_text(json.dumps(framework | {"closure": "convex"}))
    assert "mixtures" not in json.loads(run("audit", "f.json", "m.json", "--json")[1])


def test_a_verdict_over_mixtures_counts_what_it_checked(run, files):
    framework = {**FRAMEWORK, "databases": ["a", "b"], "secrets": {"s": ["a"], "t": ["b"]}, "closure": "convex"}
    framework["priors"] = {"l": {"table": {"a": 1}}, "m": {"table": {"b": 1}}}
    (files / "f.json").write_text(json.dumps(framework))
    (files / "m.json").write_text(json.dumps({**MECHANISM, "channel": {"a": ["1/2", "1/2"], "b": ["1/4", "3/4"]}}))
    code, out, _ = run("audit", "f.json", "m.json", "--epsilon", "log(2)", "--json", "--certificate", "c.json")
    answer = json.loads(out)
    assert (code, answer["verdict"], answer["checked"], answer["excluded"]) == (0, "SATISFIES", 4, 2)
    assert json.loads(run("check", "c.json", "--json")[1])["checked"] == 4


def test_our_own_bug_is_exit_code_2_and_one_line(run, monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("pufferproof.reports.auditing.audit.command.audit_files", broken)
    code, out, err = run("audit", "f.json", "m.json", "--json")
    assert (code, out) == (2, "")
    assert err.startswith("pufferproof: internal error: ZeroDivisionError: a bug")
    assert len(err.splitlines()) == 1


@pytest.fixture
def little_memory():
    """Room for 100 MB more than there is."""
    limits = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 10**8, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, limits)


def test_a_file_that_takes_more_memory_than_there_is_is_named(run, files, little_memory):
    (files / "f.json").write_text(f'{{"format": [{"[]," * 10**6 * 4}0]}}')
    code, out, err = run("audit", "f.json", "m.json", "--json")
    assert (code, out) == (2, "")
    said = "expected a file that fits in memory when it is read, found too little memory"
    assert err == f"pufferproof: f.json: {said}\n"


def test_a_question_that_takes_more_memory_than_there_is_is_one_line(run, files, monkeypatch):
    def hungry(*_):
        return np.zeros(2**55)

    monkeypatch.setattr("pufferproof.reports.auditing.audit.command.audit_files", hungry)
    code, out, err = run("audit", "f.json", "m.json", "--json")
    assert (code, out) == (2, "")
    assert err.startswith("pufferproof: audit: expected a question that fits in memory, found too")
    assert "Unable to allocate 256. PiB" in err
    assert len(err.splitlines()) == 1


def test_a_library_that_does_not_fit_in_memory_is_no_bug_of_ours(run, files, monkeypatch):
    def unloaded(*_):
        raise ImportError("libx.so: failed to map segment from shared object")

    monkeypatch.setattr("pufferproof.reports.auditing.audit.command.audit_files", unloaded)
    code, out, err = run("audit", "f.json", "m.json", "--json")
    assert (code, out) == (2, "")
    said = "expected a question that fits in memory, found too little memory: a library cannot be"
    assert err.startswith(f"pufferproof: audit: {said} loaded; ask for less")


def test_a_package_of_an_extra_is_named_with_the_extra(run, files, monkeypatch):
    def lacking(*_):
        raise ModuleNotFoundError("No module named 'sympy'", name="sympy.core")

    monkeypatch.setattr("pufferproof.reports.auditing.audit.command.audit_files", lacking)
    code, out, err = run("audit", "f.json", "m.json", "--json")
    assert (code, out) == (2, "")
    said = 'expected the package sympy, which pip install "pufferproof[theory]" installs'
    assert err == f'pufferproof: audit: {said} (in a checkout: pip install ".[theory]")\n'


def test_matrices_and_priors_at_the_ends_of_the_float_range(run, files):
    np.save(files / "m.npy", np.array([[1e308] * 2, [1e308, 5e-324], [5e-324] * 2]))
    (files / "labels").write_text("a\nb\nc\n")
    code, out, _ = run("audit f.json m.npy --normalize --databases labels --json --plot p.svg")
    assert (code, json.loads(out)["verdict"]) == (0, None)
    tiny = changed(FRAMEWORK, ["priors", "theta", "table"], {"a": "1e-400", "b": "0." + "9" * 400})
    (files / "f.json").write_text(json.dumps(tiny))
    assert run("audit", "f.json", "m.json", "--plot", "p.svg", "--replace")[0] == 0


MISUSE = [
    (["audit"], "missing FRAMEWORK: framework file, JSON or TOML; see `pufferproof audit --help`"),
    (["data"], "; see `pufferproof data --help`"),
    (["audit", "f.json"], "missing "),
    (["audit", "absent.json", "m.json"], "absent.json: cannot be read"),
    (["audit", "f.json", "absent.json"], "absent.json: cannot be read"),
    (["audit", ".", "m.json"], "cannot be read"),
    (["audit", "m.json", "f.json"], "m.json: "),
    (["audit", "f.json", "m.json", "--epsilon", "-1"], "(a level is at least 0)"),
    (["audit", "f.json", "m.json", "--epsilon", "log(1/2)"], "--epsilon: expected a level"),
    (["audit", "f.json", "m.json", "--epsilon"], "--epsilon"),
    (["audit", "f.json", "m.json", "--delta", "1/2"], "--delta: needs --epsilon as well"),
    (["audit", "f.json", "m.json", "--epsilon", "1", "--delta", "2"], "--delta: expected a probability"),
    (["audit", "f.json", "m.json", "--epsilon", "1", "--delta", "x"], "--delta: expected a number"),
    (["audit", "f.json", "m.json", "--certificate", "absent/c.json"], "absent/c.json: cannot be written"),
    (["audit", "f.json", "m.json", "--csv", "absent/t.csv"], "absent/t.csv: cannot be written"),
    (["audit", "f.json", "m.json", "--databases", "f.json"], "needs a .npy matrix"),
    (["audit", "f.json", "os:getcwd"], "pass --trust-code"),
    (["audit", "f.json", "m.json", "--bogus"], "--bogus: no such option"),
    (["bogus"], '"bogus" is no command; see `pufferproof --help`'),
    (["compose", "r.json"], "missing "),
    (["compose", "r.json", "k.json", "--runs", "0"], "--runs: expected at least 1"),
    (["compose", "r.json", "k.json", "--runs", "x"], "--runs"),
    (["compose", "r.json", "k.json", "--certificate", "c.json"], "expected at least two releases"),
    (["compose", "r.json", "m.json"], "m.json: channel"),
    (["schema", "bogus"], 'unknown schema "bogus"'),
    (["collapse", "f.json", "--out", "d", "--engine", "z3", "--seconds", "inf"], "0.001 to 1000000 seconds, found inf"),
    (["worst", "f.json", "--budget", "1", "--seconds", "nan"], "expected 0.001 to 1000000 seconds, found nan"),
    (["critical", "f.json", "--seconds", "1e20"], "expected 0.001 to 1000000 seconds, found 1e+20"),
    (["check", "absent.json"], "absent.json: cannot be read: No such file or directory"),
    (["check", "."], ".: expected a folder of evidence, with checks.json"),
    (["reveal", "f.json", "m.json", "--runs", "-1"], "--runs: expected from 0 to 1000, found -1"),
    (["check"], "missing "),
    (["init", "x" * 300], "cannot be written: File name too long"),
    (["init", "a\0b"], "expected arguments without a null byte, found 'a\\x00b'"),
    (["prove", "--new", "x" * 300], "cannot be written: File name too long"),
    (["check", "absent.json", "--explain"], "absent.json: cannot be read: No such file or directory"),
    (["report", "--start", "d", "--out", "o"], "--start: needs --benchmarks"),
    (["report", "--benchmarks", "b.md"], "--benchmarks: needs --start"),
    (["report", "--start", "."], ".: has no reports; write one with `report --out ./audits`"),
    (["export", "f.json", "--coq", "o.v"], "f.json: expected a certificate, a JSON object with"),
    (["check", "no.json"], '"no.json" cannot be parsed as JSON in UTF-8: Expecting value'),
    (["check", "no.json", "--explain"], '"no.json" cannot be parsed as JSON in UTF-8: Expecting value'),
    (["explore", "absent.toml"], "absent.toml: cannot be read: No such file or directory"),
    (["reveal", "f.json", "m.json", "--runs", "x"], '--runs: expected a whole number, found "x"'),
    (["critical", "f.json", "--seconds", "x"], '--seconds: expected a number, found "x"'),
]


@pytest.mark.parametrize(
    ("arguments", "message"), MISUSE, ids=lambda value: " ".join(value) if isinstance(value, list) else ""
)
def test_misuse_is_one_line_exit_code_2_and_writes_nothing(run, files, arguments, message):
    before = sorted(path.name for path in files.iterdir())
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert message in err
    assert sorted(path.name for path in files.iterdir()) == before


@pytest.mark.parametrize("name", ["framework", "mechanism", "audit", "compose", "check", "ledger", "certificate"])
def test_schemas_are_valid_and_accept_what_is_read(run, name):
    code, out, _ = run("schema", name)
    assert code == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(out))
    if name == "framework":
        for document in (FRAMEWORK, RECORDS):
            jsonschema.validate(document, json.loads(out))
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(changed(FRAMEWORK, ["format"], ...), json.loads(out))
    if name == "mechanism":
        jsonschema.validate(MECHANISM, json.loads(out))


def test_labels_cannot_forge_lines_or_move_the_cursor(run, files):
    mechanism = {**MECHANISM, "outputs": ["\nSATISFIES log(1)\x1b[2J", "\u202e[bold]v"]}
    (files / "m.json").write_text(json.dumps(mechanism))
    code, out, _ = run("audit", "f.json", "m.json", "--epsilon", "0", "--table")
    assert (code, out.splitlines()[0]) == (1, "VIOLATES 0 nats")
    assert not {"\x1b", "\u202e"} & set(out)
    assert not [line for line in out.splitlines() if line.startswith("SATISFIES")]
    assert json.loads(run("audit", "f.json", "m.json", "--json")[1])["witness"]["output"] == mechanism["outputs"][1]


def test_help_and_version(run):
    said = run("--help")[1]
    assert run()[1] == said
    assert all(f"\n{title}:\n" in said for title in GROUPS)
    whole = " ".join(said.split())
    newer = {old: new for new, old in ALSO.items()}
    for name, place in COMMANDS.items():
        assert f"{newer.get(name, name)} {place.says}" in whole
    assert run("--version")[1].startswith("pufferproof ")


def test_help_groups_commands_as_the_documentation_does():
    text = (Path(__file__).parents[2] / "docs" / "index.md").read_text(encoding="utf-8")
    table = text.partition("| question | command | guide |")[2].partition("\n\n")[0]
    found: dict[str, set[str]] = {}
    for line in table.splitlines()[2:]:
        question, command, _ = (cell.strip() for cell in line.strip("|").split("|"))
        if not command:
            title = question.strip("*")
        found.setdefault(title, set()).update(re.findall(r"`(\w[\w-]*)", command))
    shown = {title: {ALSO.get(name, name) for name in names} for title, names in found.items()}
    assert shown == {title: {*named} for title, named in GROUPS.items()}
    assert "fit" not in found["Start"], "help and documents say data"


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_an_example_that_the_command_takes_and_a_guide_that_exists(name):
    place = COMMANDS[name]
    program, *words = shlex.split(place.example)
    assert program == name
    with place.command(name).make_context(name, words) as context:
        assert context.params
    assert (Path(__file__).parents[2] / "docs" / place.guide).is_file()
    assert f"Example:     pufferproof {place.example}\n" in place.last_words


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_what_options_take_and_shows_one_example(name):
    command = COMMANDS[name].command(name)
    with command.make_context(name, [], resilient_parsing=True) as context:
        said = command.get_help(context)
    declared = [
        re.split(r"\s\s+", line.strip())[0] for line in said.splitlines() if re.match(r"  (--|-h|\[?[A-Z])", line)
    ]
    unnamed = r"<|>|\b(TEXT|INTEGER|FLOAT|RANGE|PATH|list|str)\b"
    assert [each for each in declared if re.search(unnamed, each)] == []
    assert all(said.count(f"\n  {title}: ") == 1 for title in ("Example", "Exit codes", "Guide"))
    assert "{" not in said.splitlines()[0]


def test_quiet_leaves_answers_and_errors(run):
    line = ("audit", "f.json", "m.json", "--normalize")
    loud, hushed = run(*line), run("--quiet", *line)
    assert loud[2].startswith("pufferproof: note: ")
    assert hushed == (*loud[:2], "")
    assert run(*line, "--quiet") == run("audit", "--quiet", *line[1:]) == hushed
    assert run("-q", "audit", "nowhere.json", "m.json")[2].startswith("pufferproof: nowhere.json")
    assert run(*line) == loud


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_what_the_command_says_of_itself(name):
    place = COMMANDS[name]
    command = place.command(name)
    assert command.name == name
    assert " ".join(command.help.split("\n\n")[0].split()) == place.says


@pytest.mark.parametrize(
    ("name", "titles"), [("audit", "Decide Show Write Input"), ("audit-list", "Decide Share Input")]
)
def test_help_has_options_below_the_titles_of_their_groups(run, name, titles):
    said = run(name, "--help")[1]
    below = {
        title: set(re.findall(r"^  (--[a-z-]+)", rest.partition("\n\n")[0], re.MULTILINE))
        for title in titles.split()
        for rest in [said.partition(f"\n{title}:\n")[2]]
    }
    assert all(below.values())
    params = COMMANDS[name].command(name).params
    options = [each.opts[0] for each in params if each.param_type_name == "option"]
    grouped = [option for each in below.values() for option in each]
    rest = {"--normalize", "--json"} if name == "audit-list" else set()
    assert sorted(options) == sorted([*grouped, *rest])
    assert below["Decide"] >= {"--epsilon", "--delta", "--renyi"}


def test_every_command_that_prints_an_object_has_a_schema():
    assert json_schema("audit-line")["title"] == "AuditLine"  # of each line of `audit-list`
    for name in set(COMMANDS) - {"schema", "report", "export", "init", "audit-list"}:
        assert json_schema(name)["title"].lower() == name


@pytest.mark.parametrize("name", REPLACED)
def test_an_old_name_names_the_new_command_in_one_line(run, name):
    assert name not in COMMANDS
    for more in ((), ("--help",), ("a.json", "--json")):
        code, out, err = run(*name.split(), *more)
        assert (code, out, err) == (2, "", f"pufferproof: {name} is now `pufferproof {REPLACED[name]}`\n")
    command, *_ = REPLACED[name].split()
    options = {option for each in COMMANDS[command].command(command).params for option in each.opts}
    assert {word for word in REPLACED[name].split() if word.startswith("--")} <= options


@pytest.mark.parametrize(
    ("words", "completions"), [("pufferproof wo", {"worst"}), ("pufferproof worst --b", {"--budget"})]
)
def test_the_shell_completes_commands_and_their_options(words, completions):
    count = str(len(words.split()) - 1)
    asked = {"COMP_WORDS": words, "COMP_CWORD": count, "_PUFFERPROOF_COMPLETE": "complete_bash"}
    done = subprocess.run(
        [os.path.join(os.path.dirname(sys.executable), "pufferproof")],
        env=os.environ | asked,
        capture_output=True,
        text=True,
        check=False,
    )
    assert set(done.stdout.split()) == completions


HEAVY = {"numpy", "scipy", "networkx", "flint", "sympy", "z3", "cvxpy", "matplotlib", "pydantic", "jinja2", "pandas"}


@pytest.mark.parametrize(
    "code", ["import pufferproof; dir(pufferproof)", "from pufferproof.reports.cli import _run; _run(['--help'])"]
)
def test_importing_and_help_load_nothing_heavy(code):
    script = f"{code}\nimport sys, json; print(json.dumps(sorted(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    loaded = {name.partition(".")[0] for name in json.loads(shown.splitlines()[-1])}
    assert not loaded & HEAVY


def test_an_annotation_of_a_workflow_is_one_line_that_names_the_file(run, tmp_path):
    """Letters that would end a property or a line are escaped."""
    name = "m,1:%.json"
    (tmp_path / name).write_text((tmp_path / "m.json").read_text())
    for level, kind, expected in (("log(6/5)", "error", 1), ("log(9)", "notice", 0)):
        code, out, _ = run("audit", "f.json", name, "--epsilon", level, "--output-format", "github")
        text, _, line = out.rstrip("\n").rpartition("\n")
        verdict = text.splitlines()[0]
        assert code == expected
        assert line.startswith(f"::{kind} file=m%2C1%3A%25.json,title={verdict}::leakage")
        assert line.count("%0A") == len(text.splitlines()) - 2
    code, out, err = run("audit", "f.json", "m.json", "--json", "--output-format", "github")
    assert (code, out) == (2, "")
    assert "--output-format: cannot be combined with --json" in err
