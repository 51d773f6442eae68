"""What exists already is written over with `--replace` alone, whichever command writes it."""

import pytest
from tests.reports.explaining.test_pack import COIN, LONG, PLAN, TABLE

FILES = [
    ("audit f.json m.json --certificate OUT", "c.json"),
    ("audit f.json m.json --plot OUT", "p.svg"),
    ("audit f.json m.json --csv OUT", "t.csv"),
    ("audit f.json m.json --evidence OUT", "e.zip"),
    ("compose f.json m.json --runs 2 --certificate OUT", "c.json"),
    ("compose f.json m.json --runs 2 --evidence OUT", "e.zip"),
    ("compose f.json m.json --rate-certificate OUT", "r.json"),
    ("partner f.json m.json --budget log(2) --out OUT", "m2.json"),
    ("worst f.json --budget log(2) --budget log(2) --certificate OUT", "w.json"),
    ("check --page OUT", "page.html"),
    ("export kept.json --coq OUT", "c.v"),
    ("fit x.csv --column v --out OUT", "fitted.json"),
    ("release plan.toml --evidence OUT", "year.zip"),
]


@pytest.fixture(autouse=True)
def inputs(save, tmp_path, run):
    save("f.json", TABLE)
    save("m.json", COIN)
    save("long.json", LONG | {"records": {"count": 10, "alphabet": ["0", "1"]}})
    (tmp_path / "x.csv").write_text("v\n" + "a\nb\na\na\nb\nb\n" * 9)
    (tmp_path / "plan.toml").write_text(PLAN.format("2").replace("f.json", "long.json"))
    (tmp_path / "plan.toml").write_text(
        (tmp_path / "plan.toml").read_text().replace("every = 5, times = 4", "every = 5, times = 2")
    )


@pytest.mark.parametrize(("line", "name"), FILES)
def test_a_file_is_kept_unless_it_is_to_be_replaced(run, tmp_path, line, name):
    if "kept.json" in line:
        assert run("audit", "f.json", "m.json", "--certificate", "kept.json")[0] == 0
    words, path = line.replace("OUT", name).split(), tmp_path / name
    path.write_bytes(b"mine")
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert err == f"pufferproof: {name}: exists already; --replace overwrites it\n"
    assert path.read_bytes() == b"mine"
    code, _, err = run(*words, "--replace")
    assert code in (0, 1), err
    written = path.read_bytes()
    assert written != b"mine"
    assert run(*words)[0] == 2
    path.unlink()
    assert run(*words)[0] == code
    assert path.read_bytes()[:20] == written[:20]


def test_a_folder_counts_by_the_files_that_are_written(run, tmp_path):
    line = "worst", "f.json", "--budget", "log(2)", "--out", "w"
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "notes.txt").write_text("mine")
    assert run(*line)[0] == 0
    code, _, err = run(*line)
    assert (code, "w/m1.json: exists already; --replace overwrites it" in err) == (2, True)
    assert run(*line, "--replace")[0] == 0
    assert (tmp_path / "w" / "notes.txt").read_text() == "mine"


def test_evidence_replaces_earlier_evidence_and_nothing_else(run, tmp_path):
    line = "audit", "f.json", "m.json", "--epsilon", "1", "--out", "d"
    assert run(*line)[0] == 1
    assert (tmp_path / "d" / "certificate-2.json").exists()
    code, _, err = run(*line)
    assert (code, "d: is not empty" in err) == (2, True)
    assert run("audit", "f.json", "m.json", "--out", "d", "--replace")[0] == 0
    assert not (tmp_path / "d" / "certificate-2.json").exists()
    (tmp_path / "d" / "notes.txt").write_text("mine")
    code, _, err = run(*line, "--replace")
    assert (code, "holds more than earlier evidence: notes.txt" in err) == (2, True)
    assert (tmp_path / "d" / "notes.txt").read_text() == "mine"


def test_what_is_read_is_never_replaced(run, tmp_path):
    before = (tmp_path / "m.json").read_bytes()
    code, _, err = run("audit", "f.json", "m.json", "--certificate", "m.json", "--replace")
    assert (code, "is already read or written by this command" in err) == (2, True)
    assert (tmp_path / "m.json").read_bytes() == before


def test_one_command_does_not_allow_the_next(run):
    line = "audit", "f.json", "m.json", "--certificate", "c.json"
    assert run(*line, "--replace")[0] == 0
    assert run(*line)[0] == 2


def test_a_ledger_goes_on(run):
    line = "compose", "f.json", "m.json", "--ledger", "l.json"
    assert [run(*line)[0] for _ in range(3)] == [0, 0, 0]
    assert run("init", "x", "--replace")[0] == 2  # which writes over nothing
