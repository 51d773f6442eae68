"""Terms are typed when they are written, and their texts catch no letter."""

import pytest

from pufferproof.claims.vocabulary import render
from pufferproof.claims.vocabulary.entries import logic, promise
from pufferproof.claims.vocabulary.kinds import kind
from pufferproof.claims.vocabulary.sorts import (
    LEVEL,
    NATURAL,
    NUMBER,
    mechanism,
    member,
    secret,
    weights,
)
from pufferproof.claims.vocabulary.terms import NAMED, entry, letter, value
from pufferproof.models.errors import SolverError

a, b = letter("a", NUMBER), letter("b", NUMBER)
p, M, s = letter("p", weights("D")), letter("M", mechanism("D", "W")), letter("s", secret("D"))
w, x = letter("w", member("W")), letter("x", member("D"))


@pytest.mark.parametrize(
    "text", ["", "(", "D ->", "D W)", "-> R", "D -> (R", "D, W", "list ()", "D * "]
)
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
        entry("law", (), "R", "", "", "", lambda: 0)


def test_every_place_of_a_text_is_an_argument_and_every_argument_is_shown_to_coq():
    for each in NAMED.values():
        for text in (each.words, each.tex, each.coq):
            places = {int(found[2]) for found in render.PLACE.finditer(text)}
            assert places <= {*range(len(each.takes))}, each.name
        bound = {int(f[2]) for f in render.PLACE.finditer(each.coq) if not f[1]}
        types = {n for n, wanted in enumerate(each.takes) if wanted == "Type"}
        assert bound | types == {*range(len(each.takes))}, each.name


def test_a_letter_that_a_text_binds_itself_is_refused():
    caught = letter("u_", mechanism("D", "W"))
    with pytest.raises(SolverError, match='binds "u_", which is also a letter'):
        render.coq(promise.NONNEGATIVE(caught))


def test_brackets_are_put_where_the_order_of_operations_needs_them():
    assert render.coq((a + b) * a) == "(a + b) * a"
    assert render.coq(a + b * a) == "a + b * a"
    assert render.coq(a * (b * a)) == "a * (b * a)"
    assert render.words((a + b) * a) == "(a + b) a"


def test_the_value_of_a_term_is_exact():
    assert value((a + b) * a, {"a": 2, "b": 3}) == 10
    assert value(a <= b, {"a": 2, "b": 2}) is True
    assert value(a < b, {"a": 2, "b": 2}) is False
