"""Terms are typed when they are written; near misses of statements are seen to be false."""

from dataclasses import replace
from fractions import Fraction

import pytest

from pufferproof.claims.general import said
from pufferproof.claims.language.statements import run, sources, trial
from pufferproof.claims.vocabulary import render, sorts
from pufferproof.claims.vocabulary.coq.proved import _weak, missing
from pufferproof.claims.vocabulary.coq.written import propositions
from pufferproof.claims.vocabulary.entries.foundations import logic, promise
from pufferproof.claims.vocabulary.entries.foundations.logic import NOTHING
from pufferproof.claims.vocabulary.entries.quilts.chains import ChainOf, Release
from pufferproof.claims.vocabulary.entries.records.redaction import THREE_R, THREE_R_SHARE
from pufferproof.claims.vocabulary.entries.records.stationary import SHARE
from pufferproof.claims.vocabulary.kinds import kind
from pufferproof.claims.vocabulary.sorts import LEVEL, NATURAL, NUMBER, mechanism, member
from pufferproof.claims.vocabulary.terms import NAMED, Log, entry, letter, value
from pufferproof.models.errors import SolverError

a, b = letter("a", NUMBER), letter("b", NUMBER)
p, s = letter("p", sorts.weights("D")), letter("s", sorts.secret("D"))
M = letter("M", mechanism("D", "W"))
w, x = letter("w", member("W")), letter("x", member("D"))


@pytest.mark.parametrize("text", ["", "(", "D ->", "D W)", "-> R", "D -> (R", "D, W", "list ()", "D * "])
def test_a_type_is_read_as_coq_reads_it_or_refused(text):
    with pytest.raises(SolverError, match="expected a type"):
        kind(text)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: promise.P(M, s), "expects .* as argument 1"),
        (lambda: promise.PW(p, M, s, x), 'as argument 4, found "x" of type D'),
        (lambda: promise.P(p), "takes 2 arguments, found 1"),
        (lambda: a <= letter("n", NATURAL), "expects R as argument 2"),
        (lambda: logic.EXP(a), "expects level"),
        (lambda: a + letter("eps", LEVEL), "expects R"),
        (lambda: logic.every(w, a <= b, letter("D", NUMBER)), "a member of D"),
        (lambda: promise.PROCESS(M, M), "as argument 2"),
    ],
)
def test_a_term_of_the_wrong_sort_is_refused_when_it_is_written(build, message):
    with pytest.raises(SolverError, match=message):
        build()


def test_an_entry_has_one_name():
    with pytest.raises(SolverError, match='has an entry "law"'):
        entry("law", takes=(), gives="R", words="", tex="", coq="", value=lambda: 0)


def test_every_place_of_a_text_is_an_argument_and_every_argument_is_shown_to_coq():
    for each in NAMED.values():
        for text in (each.words, each.tex, each.coq):
            places = {int(found[2]) for found in render.PLACE.finditer(text)}
            assert places <= {*range(len(each.takes))}, each.name
        bound = {int(f[2]) for f in render.PLACE.finditer(each.coq) if not f[1]}
        types = {n for n, wanted in enumerate(each.takes) if wanted == "Type"}
        assert bound | types == {*range(len(each.takes))}, each.name


def test_a_text_for_coq_that_begins_with_a_quantifier_is_put_in_brackets():
    quantified = [each for each in NAMED.values() if each.coq.startswith(("forall ", "exists "))]
    assert {each.name for each in quantified if each.precedence < 200} == set()
    assert quantified


def test_a_letter_that_a_text_binds_itself_is_refused():
    caught = letter("u_", mechanism("D", "W"))
    with pytest.raises(SolverError, match='binds "u_", which is also a letter'):
        render.coq(promise.NONNEGATIVE(caught))


def test_brackets_are_put_where_the_order_of_operations_needs_them():
    shown = [render.coq(each) for each in ((a + b) * a, a + b * a, a * (b * a))]
    assert shown == ["(a + b) * a", "a + b * a", "a * (b * a)"]
    assert render.words((a + b) * a) == "(a + b) a"


def test_the_value_of_a_term_is_exact():
    found = [value(each, {"a": 2, "b": 3}) for each in ((a + b) * a, a <= b, b <= a, a < a, a <= a)]
    assert found == [10, True, False, False, True]


POST = said.POST_PROCESSING
other = letter("other", NUMBER)


def tried(proposition, name="a test"):
    return trial.tried(proposition.program(), name)


def test_a_hypothesis_left_out_or_a_factor_is_another_proposition_of_coq():
    for name, proposition in propositions().items():
        for number in range(len(proposition.given)):
            less = [each for place, each in enumerate(proposition.given) if place != number]
            assert replace(proposition, given=less).coq != proposition.coq, name
            assert missing(replace(proposition, given=less), None), name


@pytest.mark.parametrize(
    "edit",
    [
        {"then": promise.KEEPS(said.ratio, promise.PROCESS(said.M, said.K), said.Q, said.T)},
        {"given": [POST.given[0]]},
        {"given": [POST.given[1]]},
    ],
)
def test_a_false_statement_with_the_name_of_a_proved_one_is_not_proved(edit):
    changed = replace(POST, **edit)
    if changed.coq == POST.coq:
        changed = replace(changed, then=replace(changed.then, scale=Fraction(99, 100)))
    found = tried(changed)
    assert found.failed is not None
    assert missing(changed, found) is not None


def test_a_conclusion_that_says_nothing_or_a_hypothesis_is_refused(monkeypatch):
    for each in (run, sources):  # draw enough where a near miss is left to the end
        monkeypatch.setattr(each, "DRAWS_EACH", 5)
    found = tried(replace(POST, then=NOTHING() <= NOTHING()))
    assert "reads nothing of an instance" in found.weakness
    idle = replace(POST, then=POST.given[0])
    found = tried(idle)
    assert found.failed is None
    assert "no instance shows" in found.weakness
    assert missing(idle, found) is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"then": said.ratio}, "expected a proposition, found a R"),
        ({"then": other <= said.ratio}, '"other" is no letter'),
        ({"letters": [*POST.letters, letter("again", NUMBER, "R")]}, 'letters are shown as "R"'),
        ({"survivors": {"without: nothing": ""}}, "expected a reason"),
        ({"survivors": {"without: nothing": "superfluous:"}}, "expected a reason"),
        ({"survivors": {"without: nothing": "because: it is"}}, "expected a reason"),
        ({"family": None}, "expected a family, or a reason"),
        ({"unrun": "it is infinite"}, "expected a family, or a reason"),
        ({"always": "it is true"}, "false where a hypothesis is broken"),
    ],
)
def test_what_is_no_statement_is_refused_when_it_is_written(change, message):
    with pytest.raises(SolverError, match=message):
        replace(POST, **change)


def test_a_reason_for_a_near_miss_that_an_instance_refutes_or_for_none_is_an_error():
    words = next(iter(POST.near_misses()))
    found = tried(replace(POST, survivors={words: "superfluous: it is not"}))
    assert "is false at an instance, and a reason is given" in found.weakness
    other = replace(POST, survivors={"without: nothing": "superfluous: it is not there"})
    with pytest.raises(SolverError, match='has no near miss "without: nothing"'):
        tried(other)


def test_a_near_miss_that_is_not_seen_keeps_a_reading_from_proved():
    twice = replace(POST, given=[*POST.given, POST.given[0]])
    about = [words for words in twice.near_misses() if "no entry" in words]
    unseen = replace(twice, survivors=dict.fromkeys(about, "not seen: it is there twice"))
    found = tried(unseen)
    assert found.weakness is None
    assert "no instance shows" in _weak(unseen, found)


def test_a_letter_that_types_depend_on_is_exchanged_for_none():
    words = propositions()["quilts.Quilts.several_queries"].near_misses()
    assert not [each for each in words if "n + 1" in each]


@pytest.mark.parametrize("name", ["one_query", "several_queries", "queries_at_one_level"])
def test_noise_below_the_score_of_every_quilt_breaks_the_promise(name):
    """Two bits that are equal move their sum by 2: at rho = 1/2 the ratio is 4, not 2."""
    half, said = Fraction(1, 2), propositions()[f"quilts.Quilts.{name}"]
    equal = ChainOf([half, half], [[[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]])
    for ratio, enough in ((Fraction(2), False), (Fraction(4), True)):
        run = Release(1, (0, 1, 1, 2), ratio, half)
        at = {"A": 2, "n": 2, "class": [equal], "run": run, "runs": [run], "eps": Log(ratio)}
        assert value(said.then, at) is enough
        assert all(value(each, at) for each in said.given) is enough


@pytest.mark.parametrize("records", [1, 6, 7, 20])
def test_chances_of_a_mechanism_are_right_at_every_record(records):
    a, b, budget, half = Fraction(1, 10), Fraction(1, 5), Fraction(5, 4), Fraction(1, 2)
    chances = THREE_R.value(a, b, budget, budget, [half], 0)
    share = THREE_R_SHARE.value(a, b, budget, budget, [half], records, 0)
    assert SHARE.value(a, b, chances, records) == share
