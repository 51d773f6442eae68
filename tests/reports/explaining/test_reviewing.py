"""`prove --new` writes claims to start from; the tutorial for reviewers shows them examined."""

from pathlib import Path

import pytest

from pufferproof.models.errors import ModelError
from pufferproof.reports.proofs.papers import shown as bibliography
from pufferproof.reports.proofs.papers.shown import Paper, paper_of
from pufferproof.reports.proofs.running import chosen_claims


@pytest.mark.parametrize("name", ["", "2027", "My", "a-b", "../a", "a.py"])
def test_a_name_is_that_of_a_module(save, run, name):
    code, out, err = run("prove", "--new", name)
    assert (code, out) == (2, "")
    assert "expected a name such as" in err


def test_nothing_is_replaced(save, run):
    save("my2027.claims", "mine")
    code, out, err = run("prove", "--new", "my2027")
    assert (code, out) == (2, "")
    assert err == "pufferproof: my2027.claims: exists already; choose another name\n"
    assert Path("my2027.claims").read_text() == "mine"


@pytest.mark.parametrize("name", ["my", "bai2030", "a_name_of_a_paper_that_is_somewhat_long_2031"])
def test_what_is_written_names_the_paper_throughout_and_is_laid_out(save, run, name):
    assert run("prove", "--new", name)[0] == 0
    text = Path(f"{name}.claims").read_text()
    assert "NAME" not in text
    assert text.count(f"## {name}.") == 2
    assert run("prove", "--format", "--check", f"{name}.claims")[0] == 0


def test_a_paper_is_as_its_file_says(monkeypatch):
    given = {"title": "T", "authors": ["Ann Lee", "El Rouayheb, Salim"], "year": 2027}
    monkeypatch.setattr(bibliography, "paper_given", lambda name: given)
    paper = Paper("my", "T", ("Ann Lee", "El Rouayheb, Salim"), "2027", "")
    assert paper_of("my") == paper
    assert paper.citation == "Lee and El Rouayheb 2027"
    assert paper_of("song2017").citation == "Song and Chaudhuri 2017"


@pytest.mark.parametrize("given", ["a title", {}, {"title": "T", "journal": "J"}])
def test_another_thing_is_refused(monkeypatch, given):
    monkeypatch.setattr(bibliography, "paper_given", lambda name: given)
    with pytest.raises(ModelError, match="expected a dictionary with title"):
        paper_of("my")


def test_a_file_of_claims_is_examined_alone_even_where_another_was_loaded(save):
    text = (
        "from pufferproof.claims.registry import Check, claim\n"
        '@claim("NAME.def1", where="1", statement="a word", kind="definition")\n'
        "def examine(check: Check) -> None:\n"
        '    with check.reading("as printed") as proof:\n'
        '        proof.definition("word", "a word")\n'
    )
    files = [save(f"{name}.py", text.replace("NAME", name)) for name in ("alone1", "alone2")]
    for file in files:
        assert [each.id for each in chosen_claims([], [file], True)] == [f"{file[:-3]}.def1"]
    both = ["alone1.def1", "alone2.def1"]
    assert sorted(each.id for each in chosen_claims([], ["."], True)) == both
    assert [each.id for each in chosen_claims(["alone1"], files, True)] == both[:1]
