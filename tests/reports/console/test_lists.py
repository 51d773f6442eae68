"""`audit-list`: every line is answered as the command answers it alone, or has its error."""

import hashlib
import json
import sqlite3

import pytest
from tests.models.files.test_reading import FRAMEWORK, MECHANISM, RECORDS
from tests.reports.console.schemas import expect_valid

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.executors import InProcess
from pufferproof.reports.auditing.lists import audited_line


@pytest.fixture
def run(run, save):
    for name, content in [("f.json", FRAMEWORK), ("m m.json", MECHANISM), ("r.json", RECORDS)]:
        save(name, content)
    return run


GOOD = "f.json 'm m.json'\n# no line\n\nf.json 'm m.json' log(9)\n"
LISTS = {
    "list.txt": GOOD,
    "list.csv": "Framework,mechanism,epsilon\nf.json,m m.json\n,,\n\nf.json,m m.json,log(9)\n",
    "list.jsonl": '{"framework": "f.json", "mechanism": "m m.json"}\n\n\n'
    '{"framework": "f.json", "mechanism": "m m.json", "epsilon": "log(9)"}\n',
}


@pytest.mark.parametrize("name", LISTS)
def test_every_line_is_answered_as_alone(run, tmp_path, name):
    (tmp_path / name).write_text(LISTS[name])
    code, out, _ = run("audit-list", name, "--epsilon", "log(1)")
    assert run("audit-list", name, "--epsilon", "log(1)", "--json")[:2] == (code, out)
    answers = [json.loads(line) for line in out.splitlines()]
    alone = [run("audit", "f.json", "m m.json", "--json", "--epsilon", e) for e in ("log(1)", "log(9)")]
    assert [each["audit"] for each in answers] == [json.loads(each[1]) for each in alone]
    assert code == max(each[0] for each in alone) == 1
    assert [each["epsilon"] for each in answers] == ["log(1)", "log(9)"]
    assert answers[-1]["line"] == (5 if name.endswith(".csv") else 4)
    for answer in answers:
        expect_valid(answer, "audit-line")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("ending", ["jsonl", "csv", "txt"])
def test_lines_end_where_files_end_them_and_names_may_have_other_breaks(run, tmp_path, ending, end):
    """A separator of paragraphs is a letter of a name."""
    (tmp_path / "f\u2029\x85g.json").write_text(json.dumps(FRAMEWORK))
    lines = LISTS[f"list.{ending}"].replace("f.json", "f\u2029\x85g.json").split("\n")
    (tmp_path / f"l.{ending}").write_bytes(end.join(lines).encode())
    code, out, _ = run("audit-list", f"l.{ending}", "--epsilon", "log(1)")
    answers = [json.loads(line) for line in out.split("\n") if line]
    assert [each["line"] for each in answers] == ([2, 5] if ending == "csv" else [1, 4])
    assert code == 1
    assert all(each["audit"] for each in answers)


@pytest.mark.parametrize(
    ("name", "bad", "message"),
    [
        ("l.txt", "f.json", "expected a framework, a mechanism and, if any, a level, found"),
        ("l.txt", "f.json 'm", "expected a framework, a mechanism and, if any, a level: No clos"),
        ("l.txt", "f.json gone.json", "gone.json: cannot be read: No such file"),
        ("l.txt", "r.json 'm m.json' half", '--epsilon: expected a level such as "log(2)"'),
        ("l.csv", "f.json,", "expected a framework, a mechanism and, if any, a level, found"),
        ("l.jsonl", '{"framework": 3}', 'expected {"framework", "mechanism"}, found'),
        ("l.jsonl", '{"framework": 3, "mechanism": "m"}', "expected strings, found"),
        ("l.jsonl", '{"framework": null, "mechanism": "f.json", "epsilon": "m m.json"}', "expected strings, found"),
        ("l.jsonl", "{", "expected a JSON object: "),
        ("l.txt", "f.json 'm m.json' 1 2", "expected a framework, a mechanism and, if any, a lev"),
    ],
)
def test_a_bad_line_has_its_error_and_the_others_are_done(run, tmp_path, name, bad, message):
    good = LISTS[f"list.{name[2:]}"].splitlines()[-1]
    (tmp_path / name).write_text(f"{good}\n{bad}\n{good}\n")
    code, out, err = run("audit-list", name)
    answers = [json.loads(line) for line in out.splitlines()]
    assert (code, err, [each["line"] for each in answers]) == (2, "", [1, 2, 3])
    assert answers[1]["error"].startswith(message)
    assert answers[0]["audit"] == answers[2]["audit"]
    for answer in answers:
        expect_valid(answer, "audit-line")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["audit-list", "l.txt", "m m.json"], 'unexpected "m m.json"; see'),
        (["audit-list", "l.txt", "--table"], "--table: no such option"),
        (["audit-list", "l.txt", "--effort", "2"], "--effort: no such option"),
        (["audit-list"], "missing LIST: "),
        (["audit", "--batch", "l.txt"], "audit --batch is now `pufferproof audit-list LIST`"),
        (["audit", "--table", "--batch=l.txt"], "audit --batch is now `pufferproof audit-list"),
        (["audit", "f.json", "m m.json", "--jobs", "2"], "--jobs: no such option"),
        (["audit", "f.json", "m m.json", "--resume", "s"], "--resume: no such option"),
    ],
)
def test_what_goes_with_the_other_command_is_refused(run, tmp_path, arguments, message):
    (tmp_path / "l.txt").write_text(GOOD)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"pufferproof: {message}")


def test_a_list_without_lines_or_that_is_not_there_is_refused(run, tmp_path):
    (tmp_path / "l.txt").write_text("# none\n")
    code, out, err = run("audit-list", "l.txt")
    assert (code, out) == (2, "")
    assert "l.txt: expected a framework, a mechanism" in err
    assert "gone.txt: cannot be read" in run("audit-list", "gone.txt")[2]
    assert "missing FRAMEWORK: " in run("audit")[2]
    assert "missing MECHANISM: " in run("audit", "f.json")[2]


def test_delta_and_orders_are_those_of_the_line(run, tmp_path):
    (tmp_path / "l.txt").write_text(GOOD)
    for option in (["--delta", "1/10"], ["--renyi", "2"]):
        alone = run("audit", "f.json", "m m.json", "--json", "--epsilon", "log(9)", *option)
        said = run("audit-list", "l.txt", "--epsilon", "log(2)", *option)
        assert json.loads(said[1].splitlines()[1])["audit"] == json.loads(alone[1])


@pytest.fixture
def listed(tmp_path):
    good = "f.json 'm m.json'"
    bad = ["f.json gone.json", "f.json", "r.json 'm m.json' half", "r.json 'm m.json'"]
    (tmp_path / "l.txt").write_text("\n".join([f"{good} log(2)", *bad, f"{good} log(9)", good]))
    return "audit-list", "l.txt", "--epsilon", "log(3)"


def test_lines_that_are_shared_have_the_same_answers(run, listed):
    plain = run(*listed)
    assert len(plain[1].splitlines()) == 7
    assert plain[0] == 2
    assert run(*listed, "--jobs", 1) == plain
    assert run(*listed, "--jobs", 1, "--resume", "kept.sqlite") == plain


def test_lines_that_are_kept_are_not_audited_again_unless_files_changed(run, listed, tmp_path, monkeypatch):
    plain = run(*listed, "--jobs", 1, "--resume", "kept.sqlite")
    begun = []

    def submit(self, units, limit, once=InProcess.submit):
        begun.extend(units)
        return once(self, units, limit)

    monkeypatch.setattr(InProcess, "submit", submit)
    read = "pufferproof: note: 3 of 3 answers were read from kept.sqlite\n"
    assert run(*listed, "--jobs", 1, "--resume", "kept.sqlite") == (*plain[:2], read)
    assert [*map(str, begun)] == []
    changed = json.dumps(MECHANISM) + "\n"
    (tmp_path / "m m.json").write_text(changed)
    code, out, _ = run(*listed, "--jobs", 1, "--resume", "kept.sqlite")
    assert (code, len(begun)) == (2, 3)
    assert out != plain[1]  # the digest of the file is another


def test_a_store_that_somebody_edited_answers_nothing(run, listed, tmp_path):
    stored = (*listed, "--jobs", 1, "--resume", "kept.sqlite")
    plain = run(*stored)
    assert "EXACT" in plain[1]
    with sqlite3.connect(tmp_path / "kept.sqlite") as store:
        for name, answer in store.execute("SELECT name, answer FROM answers").fetchall():
            edited = answer.replace("EXACT", "KERNEL")
            digest = hashlib.sha256(f"{name}\n{edited}".encode()).hexdigest()
            row = (edited, digest, name)
            store.execute("UPDATE answers SET answer = ?, digest = ? WHERE name = ?", row)
    code, out, err = run(*stored)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "kept.sqlite: has an answer that you have not sealed" in err
    code, out, err = run(*stored, "--trust-store")  # which is what the word says
    assert (code, out) == (2, plain[1].replace("EXACT", "KERNEL"))
    assert err == "pufferproof: note: 3 of 3 answers were read from kept.sqlite, which is trusted\n"


def test_a_unit_of_files_that_changed_since_says_so(run, tmp_path):
    place = str(tmp_path / "f.json")
    known = {place: "sha256:0"}
    paths = [["f.json", place], ["m m.json", str(tmp_path / "m m.json")]]
    with pytest.raises(ModelError, match="is another file than the one that was listed"):
        audited_line(paths, known, None, None, None, False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["l.txt", "--trust-store"], "--trust-store: needs --resume STORE"),
        (["l.txt", "--resume", ""], '--resume: expected the name of a file, found ""'),
        (["l.txt", "--resume", ":memory:"], "--resume: expected the name of a file"),
        (["l.txt", "--jobs", 1, "--trust-code"], "--trust-code: cannot be combined with --resume"),
    ],
)
def test_what_does_not_go_together_is_refused(run, listed, options, message):
    code, _, err = run("audit-list", *options)
    assert code == 2
    assert message in err
