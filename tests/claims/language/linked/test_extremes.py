"""Terms of sums, extremes, second values of an index: what they give, and must not give."""

from typing import Any

import pytest
from sympy import Eq
from tests.claims.judging import failure, reads, refuses, refuted, rejects, shown, undecided

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.second import read_again
from pufferproof.claims.language.linked.trees import UnlinkedError
from pufferproof.claims.language.linked.words import lets, words

p = letter("p", "the weight of a value", at_least(0))
q = letter("q", "this weight at the second value", at_least(0))
f, g, u = letters("f g u", "a number for each value")
K = letter("K", "a bound")
M, N, T = letters("M N T", "made of the others")
VALUES = {"x": "the values", "y": "the others"}
TWICE = {"x": "the values", "y": "x"}
A, B, K_ = letters("A B k", "made of the others")
P, a, b = letters("P a b", "exp of another letter")


def nothing_there() -> Linked:
    """If nonnegative weights sum to 0, then so does each."""
    one = Linked("weights", VALUES, {p: "x"})
    one.sum(M, "x", p)
    one.given("none", Eq(M, 0, evaluate=False))
    one.term("each", M)
    return one.conclude("no weight", Eq(p, 0, evaluate=False), "each", "none")


def spread() -> Linked:
    """The largest is at most K times the least if each number is at most K times each."""
    one = Linked("spread", TWICE, {f: "x", K: ""}, near={K: K})
    one.at(g, f, "y")
    one.given("each pair", f <= K * g)
    one.largest(M, "x", f)
    one.least(N, "y", g)
    one.attained("the largest", M, M <= K * g, "each pair")
    one.attained("the least", N, M <= K * N, "the largest")
    return one.conclude("both", 2 * M <= 2 * K * N, "the least")


def average() -> Linked:
    """An average is at most the largest."""
    one = Linked("an average", VALUES, {p: "x", f: "x"})
    one.largest(M, "x", f)
    one.sum(N, "x", p * f)
    one.sum(T, "x", p)
    one.term("at most", M)
    one.along("sums", "x", N <= M * T, "at most")
    return one.conclude("the average", 2 * N <= 2 * M * T, "sums")


@pytest.mark.parametrize("build", [nothing_there, spread, average])
def test_true_statements_are_shown_and_hold_on_instances(build):
    assert shown(build()) >= 2


def test_terms_that_may_be_negative_are_not_below_their_sum():
    one = Linked("numbers", VALUES, {f: "x", K: ""})
    one.sum(M, "x", f)
    one.given("a bound", M <= K)
    one.term("each", M)
    refuted(one.conclude("each below", f <= K, "each", "a bound"), "each: its terms")


@pytest.mark.parametrize(
    ("why", "build"),
    [
        # terms are those of a sum or an extreme
        ("is no sum", lambda a: a.term("each", B)),
        ("is no sum", lambda a: a.term("each", p)),
        ("needs no fact", lambda a: a.term("each", M, "a bound")),
        # what is attained is an extreme, and speaks of no single value of its index
        ("is no largest", lambda a: a.attained("it", B, M <= K, "a bound")),
        ("has x free", lambda a: a.attained("it", M, M <= p, "a bound")),
        ("has x free", lambda a: (a.let(T, u + K), a.attained("it", M, M <= T))),
        ("does not depend on x", lambda a: a.largest(T, "x", M)),
        ("is no index", lambda a: a.largest(T, "z", u)),
        ("is defined by itself", lambda a: a.largest(T, "y", u + T)),
        # the term of a sum is at most the whole sum, which no part of it need be
        ("speaks of all of x", lambda a: (a.term("t", A), a.along("so", "x", N <= A * A, "t"))),
        ("has x free", lambda a: a.along("so", "x", N <= f * A)),
        ("speaks of nothing", lambda a: a.along("so", "x", M <= 0)),
        # a second value needs every letter of the first, with its domain
        ("no letter is p at x2", lambda a: (a.given("w", f <= p), a.again("there", "w", "x2"))),
        ("and not on x2", lambda a: (a.given("pair", f <= g), a.again("there", "pair", "x2"))),
        ("must depend on x", lambda a: (a.given("no", K >= 0), a.again("there", "no", "x2"))),
        ("no second value", lambda a: a.again("there", "a bound", "x")),
        ("has a domain", lambda a: a.at(q, f, "x2")),
        ("must depend on x", lambda a: a.at(T, K, "x2")),
        ("no second value", lambda a: a.at(T, f, "y")),
        ("one that has a meaning", lambda a: Linked("deep", {**TWICE, "z": "y"}, {f: "x"})),
    ],
)
def test_what_speaks_of_other_values_is_refused_when_it_is_written(why, build):
    one = Linked("numbers", {**VALUES, "x2": "x"}, {p: "x", f: "x", u: "x y", K: ""})
    one.at(g, f, "x2")
    one.given("a bound", f <= K)
    one.largest(M, "x", f)
    one.sum(N, "x", p * f)
    one.sum(A, "x", p)
    one.product(B, "x", p)
    refuses(why, build, one)


def test_each_value_of_another_index_has_a_largest_of_its_own():
    """u[x, y] >= 1 for some x at each y: not for one x at all y."""
    one = Linked("numbers", VALUES, {u: "x y"})
    one.largest(M, "x", u)
    assert one.indices_of(M) == {"y"}


def test_two_extremes_are_attained_at_values_of_their_own():
    """The largest of f and of g together bound f + g from above, and do not attain it."""
    one = Linked("two", VALUES, {f: "x", g: "x", K: ""})
    one.largest(M, "x", f)
    one.largest(N, "x", g)
    one.given("a bound", f + g <= K)
    one.attained("both", M, M + N <= K, "a bound")
    refuted(one.conclude("false", 2 * M + 2 * N <= 2 * K, "both"), "both")


def test_a_fact_at_the_second_value():
    one = Linked("twice", TWICE, {f: "x", p: "x", K: ""})
    one.at(g, f, "y")
    one.at(q, p, "y")
    one.given("a bound", f <= K * p)
    one.again("there", "a bound", "y")
    one.conclude("both", f + g <= K * (p + q), "a bound", "there")
    assert shown(one) == 1
    assert "and y through the same values as x" in lets(one)
    assert words(one, one.then) == "f[x] + f[y] <= K*(p[x] + p[y]) for every x and y"


def test_the_second_value_is_any_value_and_not_the_same():
    """f[x] <= f[y] for every x and y does not follow from f[x] <= K."""
    one = Linked("twice", TWICE, {f: "x", K: ""})
    one.at(g, f, "y")
    one.given("a bound", f <= K)
    one.again("there", "a bound", "y")
    refuted(one.conclude("false", f <= g, "a bound", "there"), "false")


def test_an_extreme_that_nothing_uses_is_refused():
    one = Linked("numbers", VALUES, {f: "x", K: ""})
    one.largest(M, "x", f)
    one.given("a bound", f <= K)
    said = f**2 <= f**2 + (K - f) ** 2
    refuses('nothing uses the letter "M"', one.conclude, "twice", said, "a bound")


def test_that_an_extreme_is_attained_must_be_needed():
    one = Linked("numbers", VALUES, {f: "x", K: ""})
    one.largest(M, "x", f)
    one.given("no more", M <= K)
    one.given("a sign", K >= 0)
    one.attained("it", M, M * K <= K**2, "no more", "a sign")
    one.conclude("so", 2 * M * K <= 2 * K**2, "it")
    assert '"it" does not need that M is attained: make it a step' in failure(one)


def _changed(data: dict[str, Any], rule: str, **change: Any) -> dict[str, Any]:
    facts = [{**each, **change} if each["rule"] == rule else each for each in data["facts"]]
    return {**data, "facts": facts}


@pytest.mark.parametrize(
    ("build", "rule", "change"),
    [
        (nothing_there, "term", {"formula": "M <= p"}),
        (nothing_there, "term", {"formula": "p + 1 <= M"}),
        (nothing_there, "term", {"of": "p"}),
        (average, "term", {"formula": "M <= f"}),
        (average, "term", {"of": "T"}),
        (spread, "attained", {"of": "g"}),
        (spread, "attained", {"formula": "M <= K*f"}),
        (spread, "attained", {"uses": []}),
        (spread, "attained", {"formula": "f <= K*N"}),
    ],
)
def test_the_second_reader_refuses_what_was_changed(build, rule, change):
    rejects(_changed(reads(build()), rule, **change))


@pytest.mark.parametrize("change", [{"kind": "least"}, {"over": "y"}, {"term": "f - 1"}])
def test_the_second_reader_compares_extremes_as_they_are_defined(change):
    data = plain(average())
    first, *others = data["definitions"]
    rejects({**data, "definitions": [{**first, **change}, *others]})


@pytest.mark.parametrize("indices", [VALUES, {"x": "the values", "y": "z"}])
def test_the_second_reader_asks_whether_two_indices_have_the_same_values(indices):
    rejects({**plain(spread()), "indices": indices})


def test_the_second_reader_finds_a_fact_that_is_not_the_one_at_the_second_value():
    one = Linked("twice", TWICE, {f: "x", K: ""})
    one.at(g, f, "y")
    one.given("a bound", f <= K)
    one.again("there", "a bound", "y")
    one.conclude("both", f + g <= 2 * K, "a bound", "there")
    data = reads(one)
    for change in ({"formula": "g <= K - 1"}, {"formula": "f <= K"}, {"over": "x"}, {"uses": []}):
        with pytest.raises((UnlinkedError, ValueError)):
            read_again(_changed(data, "again", **change))


def test_the_second_reader_refuses_a_fact_about_one_value_of_what_is_attained():
    rejects(_changed(plain(spread()), "attained", formula="M <= K*g"), "speaks of one value of y")


def test_an_induction_begins_with_nothing():
    """A sum that is at least 1 stays so with more weights; it begins at 0."""
    one = Linked("weights", VALUES, {p: "x"})
    one.sum(M, "x", p)
    one.along("at least 1", "x", M >= 1)
    one.conclude("false", 2 * M >= 2, "at least 1")
    refuted(one, "at least 1: nothing yet", "nothing yet")


def test_double_sums_are_exchanged_for_those_of_the_same_terms():
    one = Linked("sums", VALUES, {u: "x y"})
    one.sum(M, "y", u)
    one.sum(N, "x", M)
    one.sum(T, "x", u)
    one.sum(A, "y", T)
    refuses("are not one double sum", one.swap, "orders", N, N)
    refuses("are not one double sum", one.swap, "orders", N, T)
    one.swap("orders", N, A)
    one.conclude("twice", Eq(2 * N, 2 * A, evaluate=False), "orders")
    shown(one)
    for formula in ("Eq(N, N)", "Eq(N, T)", "N <= A"):
        rejects(_changed(plain(one), "swap", formula=formula), "is no exchange of two sums")


def test_a_lemma_about_a_largest_term_is_used_of_one_made_alike():
    other = Linked("another average", VALUES, {q: "x", u: "x", K: ""})
    other.largest(T, "x", u)
    other.least(K_, "x", u)
    other.sum(A, "x", q * u)
    other.sum(B, "x", q)
    lemma, put = average().as_lemma("averages"), {p: q, f: u, N: A, T: B}
    refuses("is not made as M is", other.by, "so", lemma, {**put, M: K_})
    other.by("so", lemma, {**put, M: T})


def test_a_copy_is_not_what_there_is_before_a_value():
    """Were M at y what has been summed so far, u <= M at y would give M <= 0."""
    one = Linked("sums", {**TWICE, "z": "what is added"}, {u: "x z"})
    one.sum(M, "z", u)
    one.at(N, M, "y")
    one.given("a bound", u <= N)
    one.along("sums", "z", M <= 0, "a bound")
    undecided(one.conclude("false", M**3 <= 0, "sums"), "sums: one more", "one more")


def test_exp_of_a_sum_is_the_product_of_exp_of_its_terms():
    one, other = (Linked("powers", VALUES, {f: "x", **more}) for more in ({}, {u: "y"}))
    for each in (one, other):
        each.sum(M, "x", f)
        each.let(P, exp(M))
        each.let(a, exp(f))
        each.product(A, "x", a)
    one.exponentials("so", P, A)
    one.conclude("twice", Eq(2 * P, 2 * A, evaluate=False), "so")
    shown(one)
    data = plain(one)
    for place, change in ((0, {"kind": "product"}), (1, {"is": "exp(f)"}), (2, {"is": "exp(M)"})):
        definitions = [*data["definitions"]]
        definitions[place] = {**definitions[place], **change}
        rejects({**data, "definitions": definitions})
    other.let(b, exp(u))
    other.product(B, "y", b)
    for power, product in ((P, B), (a, A), (P, M), (M, A)):
        refuses("is not exp of a sum", other.exponentials, "so", power, product)
