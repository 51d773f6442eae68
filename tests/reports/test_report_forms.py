"""Reports and ledgers take files of every form; the kernel gets those it reads again, and the
page says where it gets none.
"""

import json
import re
import shlex
import subprocess
import sys

import pytest

from pufferproof import ModelError
from pufferproof.models.files.question import read
from pufferproof.reports import cli
from pufferproof.reports.auditing.any_form import audit_files, audited_at
from pufferproof.reports.page import runs
from pufferproof.reports.page.examples import load_examples
from pufferproof.reports.page.ledger import ledger_entries
from pufferproof.reports.page.site import write_report

CHAIN = {"chain": {"markov": {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/3", "2/3"]]}}}
EMISSION = [["9/10", "1/10"], ["1/5", "4/5"]]
HIDDEN = {"initial": "stationary", "transition": [["3/4", "1/4"], ["1/4", "3/4"]], "emission": EMISSION}
BIF = """variable a { type discrete [ 2 ] { 0, 1 }; } variable b { type discrete [ 2 ] { 0, 1 }; }
probability ( a ) { table 0.5, 0.5; } probability ( b | a ) { (0) 0.75, 0.25; (1) 0.25, 0.75; }"""
COIN = [["3/4", "1/4"], ["1/4", "3/4"]]


def framework(priors, count=2):
    return {
        "format": "pufferproof-framework/1",
        "records": {"count": count, "alphabet": ["0", "1"]},
        "secrets": {"x1=0": {"record": 1, "value": "0"}, "x1=1": {"record": 1, "value": "1"}},
        "pairs": [["x1=0", "x1=1"]],
        "priors": priors,
    }


def mechanism(**form):
    return {"format": "pufferproof-mechanism/1"} | form


LAST = mechanism(outputs=["u", "v"], channel={x: COIN[int(x[1])] for x in ("00", "01", "10", "11")})
FILES = {
    "local": {"f.json": framework(CHAIN), "m.json": mechanism(outputs=["0", "1"], local=[COIN] * 2), "c.json": LAST},
    "long": {
        "f.json": framework(CHAIN, 200),
        "m.json": mechanism(outputs=["0", "1"], local=[COIN] * 200),
        "r.json": mechanism(redaction=[["1", "1"], *[["1/2", "1/2"]] * 199]),
    },
    "redaction": {"f.json": framework(CHAIN), "r.json": mechanism(redaction=[["1", "1"], ["1", "1/2"]])},
    "network": {
        "f.json": framework({"net": {"bayes_net": {"bif": "two bits.bif"}}}),
        "h.json": framework({"hmm": {"hidden_markov": HIDDEN}}),
        "m.json": LAST,
        "two bits.bif": BIF,
    },
    "noise": {
        "f.json": framework(CHAIN),
        "l.json": framework({"p": {"table": {"00": "1/2", "10": "1/2"}}}),
        "s.json": mechanism(query="sum", noise={"laplace": {"scale": "1"}}),
        "g.json": mechanism(query="sum", segment=[2, 2], noise={"gaussian": {"sigma": "2"}}),
    },
}
CASES = {
    "local": [("f.json", "m.json", "log(3)"), ("f.json", ["m.json", "c.json"], None)],
    "long": [("f.json", "m.json", "0.5"), ("f.json", "r.json", None), ("f.json", ["m.json", "r.json"], None)],
    "redaction": [("f.json", "r.json", "log(3)"), ("f.json", ["r.json", "r.json"], None)],
    "network": [("f.json", "m.json", "log(3)"), ("h.json", "m.json", None)],
    "noise": [
        ("f.json", "s.json", "1"),
        ("l.json", "s.json", "1"),
        ("f.json", "g.json", None),
        ("f.json", ["s.json", "s.json"], None),
    ],
}


def write_example(home, files, cases):
    home.mkdir(parents=True)
    for name, content in files.items():
        (home / name).write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    lines = ['title = "An example"']
    for space, released, level in cases:
        if isinstance(released, list):
            lines += ["[[compose]]", f'framework = "{space}"', f"mechanisms = {released}", 'shows = "together"']
        else:
            lines += ["[[audit]]", f'framework = "{space}"', f'mechanism = "{released}"', 'shows = "alone"']
            lines += [f'epsilon = "{level}"', f'claimed = "{level}"', 'source = "us"'] if level else []
    (home / "example.toml").write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("forms") / "examples"
    for name, files in FILES.items():
        write_example(folder / name, files, CASES[name])
    return folder


@pytest.fixture(scope="module")
def report(examples):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "CURVE_RUNS", 3)
        page, refused = write_report(str(examples), examples.parent / "out")
    assert refused == 0
    return page.parent


@pytest.fixture(scope="module")
def answer(report):
    return json.loads((report / "report.json").read_text(encoding="utf-8"))


def statements(answer, example):
    return [each for each in answer["audits"] + answer["composes"] if each["example"] == example]


def test_every_form_has_a_place_in_the_report_and_no_certificate_is_refused(answer):
    assert answer["summary"]["refused"] == 0
    assert answer["summary"]["accepted"] == answer["summary"]["certificates"] > 0
    assert {name: len(statements(answer, name)) for name in CASES} == {name: len(CASES[name]) for name in CASES}


def test_the_kernel_gets_the_files_exactly_where_it_reads_their_form(answer):
    unread = {name: [each["unread"] for each in statements(answer, name)] for name in CASES}
    assert unread == {
        "local": [[], []],
        "long": [[], [], []],  # no certificate, read again, no certificate
        "redaction": [[], []],
        "network": [['"bayes_net" of f.json'], ['"hidden_markov" of h.json']],
        "noise": [[], [], [], []],
    }
    for name in CASES:
        for each in statements(answer, name):
            assert each["kernel"] is None or ("inputs/" in each["commands"][1]) == (not each["unread"])


def test_the_page_says_what_the_kernel_has_not_read(report):
    sentence = 'The kernel does not read "bayes_net" of f.json, so it checked only the certificate'
    page = (report / "index.html").read_text(encoding="utf-8").replace("&#34;", '"')
    assert sentence in page
    text = (report / "report.md").read_text(encoding="utf-8").replace("\\", "")
    assert sentence in text


def test_noise_and_long_sequences_say_why_they_have_no_certificate_and_what_is_trusted(answer):
    chain, table, normal, together = statements(answer, "noise")
    for each in (chain, together):
        assert each["no_certificate"] is None
        assert (each.get("audit") or each["compose"])["trust"] == ["KERNEL"]
    assert "found other priors" in table["no_certificate"]
    assert "rule for the delta of normal noise" in normal["no_certificate"]
    assert table["audit"]["trust"] == ["EXACT", "INTERVAL"]
    local, redacted, together = statements(answer, "long")
    assert "too long to list" in local["no_certificate"]
    assert redacted["audit"]["trust"] == ["KERNEL"]
    assert "too long to list" in together["no_certificate"]


def test_copied_commands_print_the_same_objects_and_leave_nothing_behind(report, answer, monkeypatch, capsys):
    monkeypatch.chdir(report)
    before = sorted(path.as_posix() for path in report.rglob("*"))
    for each in answer["audits"] + answer["composes"]:
        command, *check = each["commands"]
        with pytest.raises(SystemExit) as ended:
            cli.main([*shlex.split(command)[1:], "--json"])
        assert ended.value.code in (0, 1, None)
        printed = json.loads(capsys.readouterr().out)
        found = each.get("audit") or each["compose"]
        same = {"trust", "certificate", "rests_on"} if each["certificate"] else set()
        assert {k: v for k, v in found.items() if k not in same} == {k: v for k, v in printed.items() if k not in same}
        for line in check:
            done = subprocess.run([sys.executable, *shlex.split(line)[1:]], capture_output=True, text=True, check=True)
            assert done.stdout.startswith("accepted")
    assert sorted(path.as_posix() for path in report.rglob("*")) == before


def test_files_that_a_framework_names_are_copied_and_listed(report, answer):
    assert (report / "inputs" / "network" / "two bits.bif").read_text() == BIF
    page = (report / "index.html").read_text(encoding="utf-8")
    assert 'href="inputs/network/two%20bits.bif"' in page
    links = re.findall(r'href="([^"#]+)"', page)
    assert [link for link in links if not (report / link.replace("%20", " ")).is_file()] == []
    assert statements(answer, "network")[0]["audit"]["inputs"]["files"][0]["name"] == "two bits.bif"


@pytest.mark.parametrize("command", ["audit", "compose", "reveal"])
def test_inputs_come_in_the_order_of_the_command_and_files_they_name_last(examples, capsys, command):
    files = [str(examples / "network" / name) for name in ("f.json", "m.json")]
    assert cli._run([command, *files, "--json"]) == 0
    mechanism = "mechanisms" if command == "compose" else "mechanism"
    inputs = json.loads(capsys.readouterr().out)["inputs"]
    assert list(inputs) == ["framework", mechanism, "files"]


def test_frameworks_that_cannot_be_listed_have_no_worst_case(answer):
    (left_out,) = [each for each in answer["worst"] if each["example"] == "long"]
    assert left_out["left_out"] == "its databases are too many to list"


def test_the_ledger_takes_every_form_and_tells_equality_from_slack(examples):
    found = {(entry.example, entry.framework): entry.finding for entry in ledger_entries(load_examples(str(examples)))}
    assert found == {
        ("local", "f.json"): "broken",
        ("long", "f.json"): "broken",
        ("redaction", "f.json"): "holds, with slack",
        ("network", "f.json"): "holds, with slack",
        ("noise", "f.json"): "broken",  # the neighbour adds to what the record tells
        ("noise", "l.json"): "holds, exactly",  # e is the ratio, and 1 the level
    }


def test_an_undecided_claim_is_not_called_broken(tmp_path):
    sigma = mechanism(query={"00": "0", "10": "1"}, noise={"gaussian": {"sigma": "1"}})
    table = {"format": "pufferproof-framework/1", "databases": ["00", "10"], "secrets": {"s": ["00"], "t": ["10"]}}
    table |= {"pairs": [["s", "t"]], "priors": {"p": {"table": {"00": "1/2", "10": "1/2"}}}}
    write_example(tmp_path / "one" / "two", {"f.json": table, "m.json": sigma}, [("f.json", "m.json", "1")])
    (entry,) = ledger_entries(load_examples(str(tmp_path / "one")))
    assert entry.finding == "broken"
    from dataclasses import replace

    from pufferproof.verify.decision import Decision

    undecided = replace(entry, audit=replace(entry.audit, kept=Decision.UNDECIDED))
    assert (undecided.finding, undecided.holds) == ("undecided", False)


def test_levels_are_compared_strictly_for_every_form(examples):
    from pufferproof import Level

    files = read(examples / "long" / "f.json", [examples / "long" / "r.json"])
    found = audit_files(files, None)
    exact = Level.log(found.leakage.ratio)
    above = Level.log(found.leakage.ratio + 1)
    assert audited_at(found, exact).largest.compare(exact) == 0
    assert audited_at(found, above).largest.compare(above) == -1


def test_mechanisms_of_different_kinds_are_refused_by_name(tmp_path):
    files = FILES["noise"] | {"c.json": LAST}
    write_example(tmp_path / "ex" / "mixed", files, [("f.json", ["s.json", "c.json"], None)])
    with pytest.raises(ModelError, match=r'^example "mixed": .*c.json: has no noise'):
        write_report(str(tmp_path / "ex"), tmp_path / "out")
