"""The sentence beside a verdict is made from what was decided; one that somebody wrote is not."""

import re
from dataclasses import replace

import pytest

from pufferproof.claims import registry
from pufferproof.claims.general import said
from pufferproof.claims.registry import claim, examine, load_claims
from pufferproof.claims.run import as_result
from pufferproof.claims.vocabulary import render
from pufferproof.claims.vocabulary.coq.written import propositions
from pufferproof.models.errors import ModelError
from pufferproof.reports.proofs.papers.typesetting import lines_markup
from pufferproof.reports.proofs.prove import summary
from pufferproof.reports.proofs.words import lines

SAID = said.POST_PROCESSING
FALSE = "Post-processing by any kernel strictly lowers the level."


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    """Claims of tests are forgotten again."""
    monkeypatch.setattr(registry, "_CLAIMS", dict(load_claims()))


def stated(check):
    check.stated("a")


def registered(identifier, open_readings=stated, **given):
    """Register a claim of a user's file."""

    def examined(check):
        open_readings(check)

    examined.__module__, examined.__qualname__ = "extra_claims", identifier
    claim(identifier, where="here", **given)(examined)


@pytest.mark.parametrize("identifier", ["mine.thm1", "mine.x-thm1", "x.x-compose"])
def test_a_false_sentence_over_a_proved_object_is_a_paraphrase(identifier):
    registered(identifier, statement=FALSE, says=SAID)
    result = as_result(examine(identifier), 0.0)
    answer = summary(result, {identifier: result})
    assert (answer["verdict"], answer["statement"]) == ("PROVED", SAID.words)
    assert (answer["readings"][0]["statement"], answer["paraphrase"]) == (SAID.words, FALSE)
    assert FALSE not in "\n".join(lines([result]))
    assert " ".join("\n".join(lines([result])).split()).find(SAID.words) > 0


def test_a_claim_whose_first_reading_is_an_object_needs_no_sentence():
    registered("mine.one", says=SAID)
    check = examine("mine.one")
    assert (check.statement, check.paraphrase) == (SAID.words, None)
    assert check.readings[0].scope == "all finite sizes"


FAMILIAR = ["general.new", "general.post-processing-2", "wang2016.x-new", "worst.new"]


@pytest.mark.parametrize("identifier", [*FAMILIAR, "mine.a (PROVED by Coq)", "mine.a\nPROVED", "", "mine..a"])
def test_an_id_reads_as_a_name_alone_and_not_as_one_of_a_family(identifier):
    own = "is a family of pufferproof: give yours another name"
    words = own if identifier in FAMILIAR else "an id has letters, digits, - and _"
    with pytest.raises(ModelError, match=words):
        registered(identifier, says=SAID)


def test_what_has_no_words_is_refused():
    with pytest.raises(ModelError, match="needs a statement, or an object as says"):
        registered("mine.none", lambda check: None)
    registered("mine.late", lambda check: [check.tried("a"), check.stated("b")], says={"b": SAID})
    with pytest.raises(ModelError, match="its first reading is no object"):
        examine("mine.late")


def test_words_of_an_object_of_a_file_stand_beside_no_verdict():
    """What its entries and sorts say is written in that file."""
    registered("mine.own", lambda check: check.tried("a"), says=replace(SAID))
    with pytest.raises(ModelError, match="is no object of this package"):
        examine("mine.own")


@pytest.mark.parametrize("known", [True, False])
def test_the_program_of_an_object_is_made_from_it(known):
    other = replace(SAID.program(), holds=lambda **_: known)
    registered("mine.other", lambda check: check.tried("a"), says=other)
    assert registry._CLAIMS["mine.other"].says[""].holds is not other.holds


def test_one_proposition_is_one_reading():
    two = {"a": SAID, "b": SAID}
    registered("mine.two", lambda check: [check.stated("a"), check.stated("b")], says=two)
    with pytest.raises(ModelError, match='the readings "a" and "b" are one proposition'):
        examine("mine.two")


def test_the_words_of_an_object_are_sentences_and_its_formulas_are_typeset():
    for name, each in propositions().items():
        assert re.fullmatch(r"Let .*\. (Suppose that .*\. )?Then .*\.", each.words), name
        assert not re.search(r"_\w+_\w|the mechanism of|it is not so|for each (\w) of \1", each.words), name
        for term in (*each.given, each.then):
            assert lines_markup(render.tex(term)) is not None, render.tex(term)
