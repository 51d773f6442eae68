"""Hypotheses that no instance of a trial needs: each has a reason, and no other one has."""

import pytest

from pufferproof.claims.language.linked.program import DEFINED, LinkedProgram
from pufferproof.claims.registry import load_claims
from pufferproof.claims.run.spare import PLACE, unexplained, why
from pufferproof.models.errors import ModelError
from pufferproof.reports.proofs import record

PROGRAM = {"linked": False, "said": None}


def trial(*unneeded, **other):
    return {"unneeded": unneeded, "finished": True, "wanted": 1000, "failed": None, **other}


def result(*trials, error=None):
    readings = [{**PROGRAM, "trial": each} for each in trials]
    return {"id": "song2017.thm", "error": error, "readings": readings}


@pytest.fixture
def table(tmp_path):
    place = tmp_path / "spare.toml"
    place.write_text('["it is printed"]\n"song2017.thm" = ["n >= 2"]\n', encoding="utf-8")
    return place


def test_a_hypothesis_that_no_instance_needs_and_no_other_one_has_a_reason(table):
    assert unexplained([result(trial("n >= 2"))], table) == []
    assert unexplained([result(trial(), trial("n >= 2"), None)], table) == []
    assert unexplained([result(trial("n >= 2", "a <= b"))], table) == [
        'song2017.thm: no instance needs "a <= b": draw one that does, drop the hypothesis, or say '
        "in spare.toml why it stays"
    ]
    assert unexplained([result(trial())], table) == [
        'song2017.thm: delete "n >= 2" in spare.toml: an instance needs it, or no reading has it'
    ]


@pytest.mark.parametrize("short", [{"wanted": 20}, {"wanted": 5000}, {"finished": False}, {"failed": {"n": 1}}])
def test_other_trials_say_nothing(short, table):
    """A trial that failed went through few instances."""
    assert unexplained([result(trial("a <= b", **short), trial("n >= 2"))], table) == []
    assert unexplained([result(trial("a <= b"), error="it raised")], table) == []
    assert unexplained([result(trial("a <= b", failed={"n": 1}))], table) != []


def test_linked_arguments_give_their_reasons_themselves(table):
    reading = {"linked": True, "said": {"survivors": {"T > 0": "there is no quotient"}}}
    of = {**result(), "id": "noise.law"}

    def said(*unneeded):
        return unexplained([{**of, "readings": [{**reading, "trial": trial(*unneeded)}]}], table)

    assert said("T > 0", DEFINED) == said("T > 0") == []
    assert said("T > 0", "n >= 2")[0].endswith("or say in spare= why it stays")
    (line,) = said()
    assert line.startswith('noise.law: delete "T > 0" in spare=: an instance needs it, or no')
    assert why("noise.law", reading, table)["T > 0"] == "there is no quotient"


def test_a_hypothesis_has_one_reason(tmp_path):
    place = tmp_path / "spare.toml"
    place.write_text('[one]\n"noise.law" = ["n"]\n[two]\n"noise.law" = ["n"]\n', encoding="utf-8")
    with pytest.raises(ModelError, match=r'"n" of noise\.law has two'):
        unexplained([{**result(trial("n")), "id": "noise.law"}], place)


def test_every_reason_is_of_a_hypothesis_of_a_program():
    claims = load_claims()
    lines = PLACE.read_text(encoding="utf-8").splitlines()
    for name in (line.split('"')[1] for line in lines if line.startswith('"')):
        programs = [x for x in claims[name].says.values() if not isinstance(x, LinkedProgram)]
        assert why(name, PROGRAM).keys() <= {words for each in programs for words in each.given}


def test_the_check_of_the_corpus_names_them_and_that_of_a_file_does_not(monkeypatch, tmp_path):
    monkeypatch.setattr(record, "unexplained", lambda results: ["unexplained"])
    assert record.differences([]) == ["unexplained"]
    assert record.differences([], tmp_path / "EXPECTED.json") == []
