"""What `formal/CHECKED.json` says is of the sources beside it; edited or stale, it is not believed.

No test but the last ones needs Coq.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pufferproof.claims.vocabulary.coq import __main__ as command
from pufferproof.claims.vocabulary.coq import kept
from pufferproof.verify.certificates.formal import NotChecked, building, exported, record, sources
from pufferproof.verify.certificates.formal import __main__ as formal_command

ROOT = Path(__file__).parents[2]
FORMAL = ROOT / "formal"
FILES = sources.files(FORMAL)
THEORY = [file for file in FILES if file.startswith(("theory/", "extract/"))]
SANITY = [file for file in FILES if file.startswith("sanity/")]
FILE = "theory/One.v"
coq = pytest.mark.skipif(not shutil.which("coqc"), reason="Coq is not installed")
ONE = """(** One is one (folklore).
    Differs: nothing. *)
Theorem one : 1 = 1.
Proof. reflexivity. Qed.
"""


def code(file):
    return sources.code((FORMAL / file).read_text(encoding="utf-8"))


@pytest.fixture
def small(tmp_path):
    """A folder with one theorem, and a way to write other sources into it."""

    def write(text=ONE):
        (tmp_path / "theory").mkdir(exist_ok=True)
        (tmp_path / "theory" / "One.v").write_text(text, encoding="utf-8")
        order = "-Q theory Small\ntheory/One.v\n"
        (tmp_path / "_CoqProject").write_text(order, encoding="utf-8")
        return tmp_path

    return write


@pytest.fixture
def edited(tmp_path):
    """A copy of the folder, of which a file is changed by a function of its text."""

    def change(file, edit):
        folder = tmp_path / "formal"
        shutil.copytree(FORMAL, folder, ignore=shutil.ignore_patterns(".build"))
        before = (folder / file).read_text(encoding="utf-8")
        assert edit(before) != before
        (folder / file).write_text(edit(before), encoding="utf-8")
        return folder

    return change


def test_the_record_is_of_these_sources():
    checked = record.read(FORMAL)
    assert list(checked.files) == FILES
    assert checked.files == {file: sources.digest(FORMAL, file) for file in FILES}


def test_a_source_assumes_nothing():
    banned = {file: sources.banned(FORMAL, file) for file in FILES}
    assert {file: found for file, found in banned.items() if found} == {}


def test_a_line_has_at_most_a_hundred_characters():
    for file in FILES:
        lines = (FORMAL / file).read_text(encoding="utf-8").split("\n")
        assert [line for line in lines if len(line) > 100] == [], file


def test_every_theorem_rests_on_axioms_of_the_reals_alone():
    for theorem in record.read(FORMAL).theorems:
        assert set(theorem.axioms) <= set(record.KNOWN), theorem.name


def test_every_theorem_says_where_it_is_from_and_how_it_differs():
    for file in THEORY:
        for theorem in sources.stated(FORMAL, file):
            assert theorem.says, theorem.name
            assert theorem.differs, theorem.name


def test_every_theorem_is_used_on_numbers():
    used = set(re.findall(r"\w+", "\n".join(map(code, SANITY))))
    names = [each.name for file in THEORY for each in sources.stated(FORMAL, file)]
    assert [name for name in names if name.split(".")[-1] not in used] == []


def test_near_misses_are_refuted():
    refuted = [
        theorem.name for theorem in record.read(FORMAL).theorems if theorem.file in SANITY and "~" in theorem.statement
    ]
    assert len(refuted) >= 10


def test_every_statement_of_the_record_is_one():
    for theorem in record.read(FORMAL).theorems:
        assert theorem.statement, theorem.name
        assert not re.search("Error|=====|Axioms:", theorem.statement), theorem.name


def test_edited_statements_are_refused(edited):
    folder = edited("CHECKED.json", lambda text: text.replace("0 < eps ->", "0 <= eps ->"))
    with pytest.raises(NotChecked, match="was edited"):
        record.read(folder)


def test_an_edited_record_with_the_right_digest_of_itself_must_name_every_theorem(edited):
    def one_less(text):
        content = json.loads(text)
        checked = record.Checked(
            content["coq"], content["files"], [record.AcceptedTheorem(**each) for each in content["theorems"][1:]], []
        )
        return record.text(checked)

    folder = edited("CHECKED.json", one_less)
    with pytest.raises(NotChecked, match="theorems of the sources"):
        record.read(folder)


def test_another_axiom_is_refused(edited):
    def assumed(text):
        content = json.loads(text)
        content["theorems"][0]["axioms"] = ["Laws.trust_me"]
        theorems = [record.AcceptedTheorem(**each) for each in content["theorems"]]
        return record.text(record.Checked(content["coq"], content["files"], theorems, []))

    folder = edited("CHECKED.json", assumed)
    with pytest.raises(NotChecked, match=r"expected axioms of Coq's reals, found .*trust_me"):
        record.read(folder)


def test_a_record_of_older_sources_is_refused(edited):
    folder = edited(THEORY[0], lambda text: text + "\n")
    with pytest.raises(NotChecked, match=f"{THEORY[0]} changed since"):
        record.read(folder)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"sha256": 1}', "not JSON"])
def test_a_record_that_is_none_is_refused(tmp_path, content):
    (tmp_path / "CHECKED.json").write_text(content, encoding="utf-8")
    with pytest.raises(NotChecked, match="expected"):
        record.read(tmp_path)


@pytest.mark.parametrize("word", sources.BANNED)
def test_words_that_assume_are_found(small, word):
    folder = small(ONE + f"(* {word} *) {word} two.\n")
    assert sources.banned(folder, "theory/One.v") == [word]


def test_words_in_comments_are_not(small):
    assert sources.banned(small('(* an Axiom (* Admitted *) *) Check "admit".'), FILE) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("Notation \"'Said.foundations.Laws.wrong'\" := True.", "Notation"),
        ('Infix "=" := or.', "Infix"),
        ('Inductive alike (x : nat) : Prop := where "x = y" := (alike x).', "where"),
        ("Notation two := 2.", "Notation outside of a section"),
        ("Section One.\nNotation one := 1. End One. #[export] Notation two := 2.", "Notation outside of a section"),
        ("Definition classic\u00a0 := 1.", "the letter '\\xa0'"),
        ("Definition \u0430 := 1.", "the letter '\\u0430'"),
    ],
)
def test_what_makes_a_name_mean_another_is_found(small, source, found):
    assert sources.banned(small(source), FILE) == [found]
    assert sources.banned(small(f"(* {source} *)"), FILE) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("-arg -type-in-type", "expected sources and lines"),
        ("-Q ../other Other", "expected sources and lines"),
        ("-Q other Coq.Reals", "Coq is the name of Coq's own library"),
        ("theory/Small/Two.v", "Small is the name of a folder"),
        ("theory/Coq/Two.v", "Coq is the name of a folder"),
        ("theory/deep/One.v", "expected another name than that of theory/One"),
    ],
)
def test_an_order_that_makes_a_name_mean_another_is_refused(small, line, reason):
    folder = small()
    with (folder / sources.ORDER).open("a", encoding="utf-8") as order:
        order.write(f"\n{line}\n")
    if line.endswith(".v"):
        (folder / line).parent.mkdir(exist_ok=True)
        (folder / line).write_text("", encoding="utf-8")
    with pytest.raises(NotChecked, match=reason):
        sources.files(folder)


@pytest.mark.parametrize("said", ["", "Axioms:", "Closed under the global context\nfree : False"])
def test_an_answer_about_axioms_is_read_as_a_whole(said):
    with pytest.raises(NotChecked, match="axioms of Coq's reals"):
        building._axioms(said)


def test_a_source_that_is_not_listed_is_refused(small):
    folder = small()
    (folder / "theory" / "Two.v").write_text("", encoding="utf-8")
    with pytest.raises(NotChecked, match=r"Two\.v"):
        sources.files(folder)


def test_what_is_said_above_a_theorem_is_read(small):
    (theorem,) = sources.stated(small(), FILE)
    assert theorem == sources.Stated("Small.One.one", FILE, "One is one (folklore).", "nothing.")


def make(folder, **environment):
    return subprocess.run(
        [sys.executable, "-m", "formal", str(folder)],
        cwd=ROOT / "verify" / "certificates",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(("required", "code"), [("", 0), ("require", 1), ("kept", 1)])
def test_without_coq_one_line_says_what_to_install(tmp_path, required, code):
    done = make(FORMAL, PATH=str(tmp_path), FORMAL=required)
    assert done.returncode == code
    assert (done.stdout + done.stderr).count("\n") == 1
    assert "apt-get install coq" in done.stdout + done.stderr


def test_a_coq_that_is_too_old_is_refused(tmp_path):
    for tool in ("coqc", "coqchk", "coq_makefile", "make"):
        script = "#!/bin/sh\necho The Coq Proof Assistant, version 8.9.1\n"
        (tmp_path / tool).write_text(script, encoding="utf-8")
        (tmp_path / tool).chmod(0o755)
    done = make(FORMAL, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert done.returncode == 2
    assert re.search(r"8\.9\.1 is too old: 8\.16 and later", done.stdout)


@pytest.mark.parametrize(("name", "other"), [("sum", "theory/foundations/Sums.v"), ("side", "theory/records/Sides.v")])
def test_a_tie_has_no_name_of_the_theory_that_it_ties(tmp_path, name, other):
    for file, defined in {other: name, "tie/Sides.v": "free", "tie/More.v": "side"}.items():
        source = tmp_path / file
        source.parent.mkdir(parents=True, exist_ok=True)
        source.with_suffix(".glob").write_text(f"def 1:2 <> {defined}\n", encoding="utf-8")
    sources.refuse_names(tmp_path, [other, "tie/Sides.v", "tie/More.v"])
    (tmp_path / "tie" / "Sides.glob").write_text(f"def 1:2 <> {name}\n", encoding="utf-8")
    with pytest.raises(NotChecked, match=f"{name} is a name of the theory that it ties"):
        sources.refuse_names(tmp_path, [other, "tie/Sides.v", "tie/More.v"])


@coq
def test_coq_checks_a_small_file(small, monkeypatch):
    folder = small()
    done = make(folder, PATH="/usr/local/bin:/usr/bin:/bin")
    assert (done.returncode, done.stdout) == (0, f"Coq {building.version()}: 1 theorems of 1 files checked\n")
    (theorem,) = record.read(folder).theorems
    assert (theorem.name, theorem.statement, theorem.axioms) == ("Small.One.one", "1%nat = 1%nat", [])
    compiled = []
    monkeypatch.setattr(exported, "NEEDED", ("theory/",))
    monkeypatch.setattr(exported, "run", lambda words, place: compiled.append(words[-1]))
    assert (exported.theory(folder) / "theory" / "One.vo").is_file()
    assert compiled == []  # nothing that was compiled and checked is compiled again
    exported.theory(small(ONE.replace("1 = 1", "2 = 2")))
    assert compiled == [FILE]  # other sources are


@coq
def test_a_changed_source_is_asked_about_again_with_those_that_use_it(small, monkeypatch):
    folder, asked = small(), []
    used = "From Small Require One.\nTheorem {0} : 1 = 1.\nProof. exact One.one. Qed.\n"
    apart = "Theorem other : 2 = 2.\nProof. reflexivity. Qed.\n"
    for name, text in {"Two": used.format("two"), "Three": apart}.items():
        (folder / "theory" / f"{name}.v").write_text(text, encoding="utf-8")
        with (folder / sources.ORDER).open("a", encoding="utf-8") as order:
            order.write(f"\ntheory/{name}.v\n")

    check = building._check_again
    monkeypatch.setattr(building, "_check_again", lambda *args: asked.append([*args[1:]]) or check(*args))
    every = ["theory/One.v", "theory/Two.v", "theory/Three.v"]
    first = building.build(folder)
    assert building.build(folder) == first
    assert asked == [[every, False]]

    (folder / FILE).write_text(ONE.replace("reflexivity", "easy"), "utf-8")
    again = building.build(folder)
    assert asked[1:] == [[every[:2], True]]
    assert (again.theorems, again.files == first.files) == (first.theorems, False)
    building.build(folder, afresh=True)
    assert asked[2:] == [[every, False]]

    order = folder / sources.ORDER
    order.write_text(order.read_text("utf-8").replace("theory/Three.v", "theory/in/Three.v"))
    (folder / "theory" / "in").mkdir()
    (folder / "theory" / "Three.v").rename(folder / "theory" / "in" / "Three.v")
    moved = [theorem.name for theorem in building.build(folder).theorems]
    assert moved == ["Small.One.one", "Small.Two.two", "Small.in.Three.other"]

    (folder / "theory" / "Two.v").write_text(used.format("two") + "Admitted.\n", "utf-8")
    with pytest.raises(NotChecked, match="found Admitted"):
        building.build(folder)


@pytest.fixture
def compiled_anew(monkeypatch, tmp_path):
    """The files that builds ask Coq about, where a build is kept in a folder of its own."""
    for name in ("CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    asked, check = [], building._check_again
    monkeypatch.setattr(building, "_check_again", lambda *args: asked.extend(args[1]) or check(*args))
    return asked


@coq
def test_a_kept_build_is_taken_by_another_checkout_and_what_changed_is_compiled_and_asked(small, compiled_anew):
    folder = small()
    used = "From Small Require One.\nDefinition two := One.one.\n"
    (folder / "theory" / "Two.v").write_text(used, encoding="utf-8")
    with (folder / sources.ORDER).open("a", encoding="utf-8") as order:
        order.write("\ntheory/Two.v\n")
    assert not kept.restore(folder)
    first = building.build(folder)
    kept.keep(folder)
    for below in (building.BUILD, ".else"):
        shutil.rmtree(folder / below, ignore_errors=True)
    assert compiled_anew == [FILE, "theory/Two.v"]
    assert kept.restore(folder)
    assert building.build(folder) == first
    assert compiled_anew == [FILE, "theory/Two.v"]
    assert exported.version() == first.coq
    (folder / FILE).write_text(ONE.replace("1 = 1", "2 = 2"), encoding="utf-8")
    assert kept.restore(folder)
    [theorem] = building.build(folder).theorems
    assert theorem.statement == "2%nat = 2%nat"
    assert compiled_anew == [FILE, "theory/Two.v"] * 2
    (folder / FILE).write_text(ONE.replace("1 = 1", "1 = 2"), encoding="utf-8")
    assert kept.restore(folder)
    with pytest.raises(NotChecked, match="Unable to unify"):
        building.build(folder)


@coq
def test_a_build_that_was_edited_or_of_another_coq_or_key_is_not_taken(small, compiled_anew, monkeypatch, tmp_path):
    folder = small()
    building.build(folder)
    kept.keep(folder)
    path = tmp_path / "CACHE" / "pufferproof" / "coq" / "formal.zip"
    data = path.read_bytes()
    for forged in (data[:-1], data[:200] + bytes([data[200] ^ 1]) + data[201:], data.partition(b"\n")[2], b""):
        path.write_bytes(forged)
        assert not kept.restore(folder)
        assert not (folder / building.BUILD).exists()
    path.write_bytes(data)
    assert kept.restore(folder)
    with monkeypatch.context() as other:
        other.setattr(kept, "_coq", lambda: "another Coq")
        assert not kept.restore(folder)
    (tmp_path / "STATE" / "pufferproof" / "cache-key").unlink()
    assert not kept.restore(folder)


@coq
def test_what_lay_in_the_folder_of_the_build_is_neither_taken_nor_kept(small, compiled_anew):
    folder = small()
    building.build(folder)
    answers = folder / building.BUILD / building.ANSWERS
    answers.write_text(answers.read_text("utf-8").replace("1%nat = 1%nat", "1%nat = 2%nat"), encoding="utf-8")
    assert not kept.restore(folder)
    [theorem] = building.build(folder).theorems
    assert theorem.statement == "1%nat = 1%nat"


@coq
def test_a_build_kept_by_what_asked_otherwise_is_not_taken(small, compiled_anew, monkeypatch, tmp_path):
    """A later checkout may refuse a word or an axiom that an earlier one let pass."""
    folder = small()
    building.build(folder)
    kept.keep(folder)
    asking = [tmp_path / str(k) / path.name for k, path in enumerate(kept._ASKING)]
    assert {"building.py", "sources.py", "record.py", "tie.py", "kept.py"} <= {path.name for path in asking}
    for path, own in zip(asking, kept._ASKING):
        path.parent.mkdir()
        path.write_bytes(own.read_bytes())
    monkeypatch.setattr(kept, "_ASKING", asking)
    assert kept.restore(folder)
    asking[0].write_bytes(asking[0].read_bytes() + b"#")
    assert not kept.restore(folder)


@pytest.mark.parametrize("begun", ["before", "meanwhile", "done", None])
def test_a_build_that_another_run_changes_is_not_kept(compiled_anew, monkeypatch, tmp_path, begun):
    """What is packed half before and half after would pair a source with what was compiled of another."""
    whole = tmp_path / building.BUILD / building.WHOLE
    whole.parent.mkdir()
    whole.write_text("", encoding="utf-8")
    (whole.parent / building.ANSWERS).write_text("{}", encoding="utf-8")
    monkeypatch.setattr(kept, "_coq", lambda: "Coq")

    def change(*args):
        whole.unlink()
        if begun == "done":
            whole.write_text("", encoding="utf-8")
            os.utime(whole, (1, 1))

    write = zipfile.ZipFile.write
    if begun == "before":
        change()
    elif begun:
        monkeypatch.setattr(zipfile.ZipFile, "write", lambda *args: change() or write(*args))
    kept.keep(tmp_path)
    assert kept._archive().exists() is (begun is None)
    assert kept.restore(tmp_path) is (begun is None)


def test_where_no_build_can_be_kept_nothing_is_said(compiled_anew, monkeypatch, tmp_path):
    place = tmp_path / building.BUILD
    place.mkdir()
    (place / building.WHOLE).write_text("", encoding="utf-8")
    monkeypatch.setattr(kept, "_coq", lambda: "Coq")
    (tmp_path / "CACHE").write_text("no folder", encoding="utf-8")
    kept.keep(tmp_path)
    assert not kept.restore(tmp_path)


@coq
@pytest.mark.parametrize("afresh", [True, False])
def test_a_link_in_place_of_the_build_is_deleted_with_what_it_would_have_passed(small, compiled_anew, tmp_path, afresh):
    folder = small()
    building.build(folder)
    place, behind = folder / building.BUILD, tmp_path / ".behind"
    place.rename(behind)
    place.symlink_to(behind)
    answers = behind / building.ANSWERS
    answers.write_text(answers.read_text("utf-8").replace("1%nat = 1%nat", "1%nat = 2%nat"), encoding="utf-8")
    assert afresh or not kept.restore(folder)
    [theorem] = building.build(folder, afresh).theorems
    assert theorem.statement == "1%nat = 1%nat"
    assert not place.is_symlink()


def test_a_build_that_cannot_be_deleted_is_none(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(building.shutil, "rmtree", refuse)
    (tmp_path / building.BUILD).mkdir()
    with pytest.raises(NotChecked, match="cannot be deleted: Permission denied"):
        kept.restore(tmp_path)


@pytest.mark.parametrize(
    ("asked", "takes", "afresh"), [("kept", True, False), ("require", False, True), ("", False, False)]
)
def test_only_who_asks_for_it_takes_a_kept_build(tmp_path, monkeypatch, asked, takes, afresh):
    did = []
    monkeypatch.setenv("FORMAL", asked)
    monkeypatch.setattr(command, "write", lambda folder: None)
    monkeypatch.setattr(command, "restore", lambda folder: did.append("taken"))
    monkeypatch.setattr(command, "keep", lambda folder: did.append("kept"))
    monkeypatch.setattr(command.shutil, "which", lambda tool: tool)
    monkeypatch.setattr(formal_command, "checked", lambda *args, afresh: did.append(afresh) or 0)
    assert command.main([str(tmp_path)]) == 0
    assert did == (["taken", afresh, "kept"] if takes else [afresh])
    did.clear()
    monkeypatch.setattr(formal_command, "checked", lambda *args, afresh: did.append(afresh) or 1)
    assert command.main([str(tmp_path)]) == 1
    assert "kept" not in did


@coq
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("Theorem one : 1 = 2.\nProof. reflexivity. Qed.\n", "Unable to unify"),
        ("Theorem one : 1 = 2.\nProof. Admitted.\n", "found Admitted"),
        (
            "Inductive alike (x y : nat) : Prop := same : alike x y\n"
            '  where "x = y" := (alike x y) : type_scope.\n'
            "Theorem one : 1 = 2.\nProof. constructor. Qed.\n",
            "found where",
        ),
        (
            "Definition nat := True.\nDefinition zero := Coq.Init.Datatypes.O.\n"
            "Definition again := Datatypes.nat.\n"
            "Theorem one (x y : nat) : x = y.\nProof. now destruct x, y. Qed.\n",
            "nat is a name of Coq's own library",
        ),
        (
            "Notation nat := True.\nTheorem one (x y : nat) : x = y.\nProof. now destruct x, y. Qed.\n",
            "found Notation outside of a section",
        ),
        ("Context (h : 1 = 2).\nTheorem one : 1 = 2.\nProof. exact h. Qed.\n", "axioms of Coq's reals"),
    ],
)
def test_coq_refuses_what_is_not_proved(small, source, reason):
    with pytest.raises(NotChecked, match=reason):
        building.build(small(source))


@coq
@pytest.mark.parametrize("file", ["theory/Classical_Prop.v", "theory/Numbers/Cyclic/Int63/PrimInt63.v"])
def test_an_axiom_in_a_file_that_is_named_as_one_of_coq_is_found(small, file):
    folder = small()
    source = "Hypothesis classic : False.\nTheorem two : 1 = 2.\nProof. case classic. Qed.\n"
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(source, encoding="utf-8")
    with (folder / sources.ORDER).open("a", encoding="utf-8") as order:
        order.write(f"\n{file}\n")
    with pytest.raises(NotChecked, match="axioms of Coq's reals"):
        building.build(folder)
    with pytest.raises(NotChecked, match=r"Small\.(\w+\.)+classic"):
        building._check_again(folder / building.BUILD, [file])
