"""What a whole run found is shown again only while nothing has changed that it could depend on."""

import json
import sys
from pathlib import Path

import pytest
from tests.reports.results import result, step

from pufferproof.claims import registry
from pufferproof.claims.registry import Claim, load_claims
from pufferproof.claims.run import Whole
from pufferproof.models.interface.sweeps.portions import files_under
from pufferproof.models.interface.sweeps.units import HOME
from pufferproof.reports import cli
from pufferproof.reports.proofs import prove, running
from pufferproof.reports.proofs.words import lines, tally

INPUTS = """
models/framework.py claims/EXPECTED.json claims/catalogue/bai2026.txt claims/catalogue/x.json
claims/papers/bai2026/__init__.py claims/catalogue/references.bib formal/CHECKED.json
formal/claims.toml formal/theory/Pufferfish.v
"""
RESULTS = [result("a.b", ("as printed", [step("s")])), result("a.c", ("as printed", [step("s")]))]


@pytest.fixture(autouse=True)
def places(tmp_path, monkeypatch):
    for name in ("cache", "state"):
        monkeypatch.setenv(f"XDG_{name.upper()}_HOME", str(tmp_path / name))


@pytest.fixture
def home(tmp_path):
    """A package whose floors are links, as those of this one."""
    for name in INPUTS.split():
        path = tmp_path / "floors" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"What {name} says.")
    (tmp_path / "home").mkdir()
    for floor in ("models", "claims", "formal"):
        (tmp_path / "home" / floor).symlink_to(tmp_path / "floors" / floor)
    return tmp_path / "home"


def whole_of(home, *patterns, timeout=20.0):
    return Whole(patterns, timeout, home)


def is_read(home, *patterns):
    return whole_of(home, *patterns).read() is not None


@pytest.fixture
def kept(home):
    whole_of(home).write(RESULTS)
    return home


def test_what_was_found_is_read_again_and_marked(kept):
    again = whole_of(kept).read()
    assert again == [{**each, "cached": True} for each in RESULTS]


@pytest.mark.parametrize("name", INPUTS.split())
def test_no_file_can_change_unnoticed(kept, name):
    path = kept / name
    before = path.read_bytes()
    for changed in {before + b" ", before[:-1], b""} - {before}:
        path.write_bytes(changed)
        assert not is_read(kept)
    path.unlink()
    assert not is_read(kept)
    path.write_bytes(before)
    assert is_read(kept)


def test_nor_can_one_be_added_or_renamed(kept):
    (kept / "models" / "new.py").write_text("")
    assert not is_read(kept)
    (kept / "models" / "new.py").unlink()
    (kept / "models" / "framework.py").rename(kept / "models" / "frame.py")
    assert not is_read(kept)


def test_compiled_modules_and_reports_are_no_inputs(kept):
    for name in ("models/__pycache__/a.pyc", "reports/out/index.html", "models/.a.swp"):
        (kept / name).parent.mkdir(parents=True, exist_ok=True)
        (kept / name).write_text("x")
        assert is_read(kept)
    (kept / "models" / "out").mkdir()
    (kept / "models" / "out" / "law.py").write_text("x")
    assert not is_read(kept)


@pytest.mark.parametrize("name", ["z3.py", "sympy/__init__.py", "fractions.py", "a.pth"])
def test_what_stands_before_a_module_is_noticed(home, tmp_path, monkeypatch, name):
    place = tmp_path / "place"
    (place / name).parent.mkdir(parents=True)
    (place / "own.py").write_text("")
    monkeypatch.setattr(sys, "path", [str(place), str(tmp_path / "modules.zip"), *sys.path])
    whole_of(home).write(RESULTS)
    (place / "own.py").write_text("# no module that decides")
    assert is_read(home)
    archive = tmp_path / "modules.zip"
    for changed in (place / name, place / name, archive, archive):
        changed.write_text("# edited" if changed.exists() else "")
        assert not is_read(home)
        whole_of(home).write(RESULTS)
        assert is_read(home)


def test_another_question_is_another_run(kept):
    for other in (whole_of(kept, "lemma"), whole_of(kept, timeout=21.0)):
        assert other.read() is None
        other.write(RESULTS[:1])
    assert len(whole_of(kept).read()) == 2


def test_what_depends_on_more_than_its_inputs_is_not_kept(home, monkeypatch):
    late = result("a.d", ("as printed", [step("s", detail="timeout")]))
    reading = RESULTS[0]["readings"][0] | {"trial": {"finished": False}}
    for more in (late, RESULTS[0] | {"readings": [reading]}, RESULTS[0] | {"error": "died"}):
        whole_of(home).write([*RESULTS, more])
        assert not is_read(home)
    run = whole_of(home)
    (home / "models" / "framework.py").write_text("# edited while claims were examined\n")
    run.write(RESULTS)
    assert run.read() is None
    assert not is_read(home)
    outside = Claim("x", "", "", "", (), None, test_another_question_is_another_run)
    monkeypatch.setattr(registry, "_CLAIMS", {**load_claims(), "x": outside})
    whole_of(home).write(RESULTS)
    assert not is_read(home)


def test_a_record_that_was_edited_moved_or_sealed_with_another_key_is_not_used(kept, tmp_path):
    [path] = (tmp_path / "cache").rglob("run-*.json")
    data = path.read_bytes()
    for forged in (data.replace(b"OPEN", b"PROVED").replace(b"DERIVED", b"PROVED"), data[:-9], b""):
        path.write_bytes(forged)
        assert not is_read(kept)
    path.write_bytes(data)
    assert is_read(kept)
    path.with_name(whole_of(kept, "lemma")._name).write_bytes(data)
    assert not is_read(kept, "lemma")
    (tmp_path / "state" / "pufferproof" / "cache-key").unlink()
    assert not is_read(kept)


def test_every_module_of_this_package_and_what_it_reads_is_an_input():
    load_claims()
    named = {line.partition(" ")[2] for line in files_under(HOME)}
    data = ("EXPECTED.json", "catalogue/references.bib", "catalogue/refutations.toml")
    assert {"formal/CHECKED.json", *(f"claims/{each}" for each in data)} <= named
    home = HOME.resolve()
    roots = [home, *(path.resolve() for path in home.iterdir() if path.is_symlink())]
    ours = [each for name, each in sys.modules.items() if name.partition(".")[0] == "pufferproof"]
    files = {Path(each.__file__).resolve() for each in ours if getattr(each, "__file__", None)}
    assert files
    assert files <= {(home / name).resolve() for name in named}
    assert all(any(file.is_relative_to(root) for root in roots) for file in files)


def test_the_command_loads_no_claim_where_nothing_changed(home, monkeypatch, capsys):
    monkeypatch.setattr(running, "Whole", lambda *asked, inputs: Whole(*asked, home))
    examined = []

    def run(claims, **_):
        examined.extend(claims)
        return [result(claim.id, ("as printed", [step("s")])) for claim in claims], False

    monkeypatch.setattr(running, "run_with_progress", run)
    assert cli._run(["prove", "lemma.mediant", "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert [claim.id for claim in examined] == ["lemma.mediant"]
    monkeypatch.setattr(running, "chosen_claims", lambda *_: pytest.fail("claims were loaded"))
    assert cli._run(["prove", "lemma.mediant", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert [each.pop("cached") for each in (*first["claims"], *again["claims"])] == [False, True]
    assert first == again
    monkeypatch.undo()


def asked_again(monkeypatch, capsys, *words):
    """What a command prints that may neither load a claim nor read results."""
    with monkeypatch.context() as alone:
        alone.setattr(prove, "_found", lambda *_, **how: pytest.fail("results were read"))
        code = cli._run(["prove", *words])
    assert code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("words", [["lemma.mediant"], ["lemma.mediant", "--summary"]])
def test_an_answer_is_printed_again_as_it_was_but_for_the_mark(monkeypatch, capsys, words):
    assert cli._run(["prove", *words]) == 0
    first = capsys.readouterr().out
    again = asked_again(monkeypatch, capsys, *words)
    assert again.replace("  cached", "").removesuffix("cached: 1 of 1 claims\n") == first
    monkeypatch.setattr(prove.Printed, "lines", lambda *_: None)
    assert cli._run(["prove", *words]) == 0
    assert capsys.readouterr().out == again


@pytest.fixture
def printed():
    """A run of all claims, one of which has an id that goes on behind that of another."""
    found = [*RESULTS, result("a.b.c", ("as printed", [step("s")]))]
    prove.Printed(20.0).take([], found)
    return [each | {"cached": True} for each in found]


def test_a_run_of_all_claims_gives_the_answer_for_each(printed):
    known, [b, c, inner] = prove.Printed(20.0), printed
    for asked, chosen in (([], printed), (["a.b"], [b, inner]), (["a.c"], [c]), (["a.b.c"], [inner])):
        assert known.lines(asked, brief=False) == lines(chosen)
        assert known.lines(asked, brief=True) == tally(chosen)
    for asked in (["a"], ["a.b", "a.c"], ["a.*"], ["a.d"]):
        assert known.lines(asked, brief=False) is None
    assert prove.Printed(21.0).lines(["a.b"], brief=False) is None


def test_a_run_of_some_claims_says_nothing_of_each(printed):
    known = prove.Printed(20.0)
    known.take(["a.c", "a.b.c"], printed[1:])
    again = prove.Printed(20.0)
    assert again.lines(["a.c", "a.b.c"], brief=True) == tally(printed[1:])
    assert again.lines(["a.b"], brief=False) == lines([printed[0], printed[2]])


def test_what_is_printed_counts_while_nothing_changes_and_for_one_width(printed, monkeypatch):
    with monkeypatch.context() as narrow:
        narrow.setattr(prove, "columns_of", lambda stream: 40)
        assert prove.Printed(20.0).lines(["a.b"], brief=False) is None
    monkeypatch.setattr(prove.Printed, "_everything", lambda self: "another package")
    assert prove.Printed(20.0).lines(["a.b"], brief=False) is None


@pytest.mark.parametrize("more", [["--no-cache"], ["--json"], ["--trust"], ["--check"], ["--instances", "7"]])
def test_other_options_read_results(printed, monkeypatch, capsys, more):
    monkeypatch.setattr(prove, "_found", lambda *_, **how: 1 / 0)
    assert cli._run(["prove", "a.b"]) == 0
    assert cli._run(["prove", "a.b", *more]) != 0
