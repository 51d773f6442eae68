"""Terms of sums, largest and least terms, two values of one index: what they give, and false
conclusions that they must not give.
"""

from collections.abc import Callable
from typing import Any

import pytest
from sympy import Eq

from pufferproof.claims.language import at_least, letter, letters
from pufferproof.claims.language.linked import Linked, exp
from pufferproof.claims.language.linked.found import argued
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.program import program
from pufferproof.claims.language.linked.second import read_again
from pufferproof.claims.language.linked.trees import UnlinkedError
from pufferproof.claims.language.linked.words import lets, words
from pufferproof.claims.language.statements import tried
from pufferproof.models.errors import ModelError

p = letter("p", "the weight of a value", at_least(0))
q = letter("q", "this weight at the second value", at_least(0))
f, g, u = letters("f g u", "a number for each value")
K = letter("K", "a bound")
M, N, T = letters("M N T", "made of the others")
VALUES = {"x": "the values", "y": "the others"}
TWICE = {"x": "the values", "y": "x"}
A, B, K_ = letters("A B k", "made of the others")
P, a, b = letters("P a b", "exp of another letter")
LIMIT = 5.0


def _refused(build: Callable[[], object]) -> str:
    with pytest.raises(ModelError) as caught:
        build()
    return str(caught.value)


def _holds(one: Linked) -> int:
    shown = argued(one, LIMIT)
    assert shown.failure is None, shown.failure
    trial = tried(program(one), "x")
    assert trial.failed is None, trial.failed
    return shown.again


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
    assert _holds(build()) >= 2


def test_terms_that_may_be_negative_are_not_below_their_sum():
    one = Linked("numbers", VALUES, {f: "x", K: ""})
    one.sum(M, "x", f)
    one.given("a bound", M <= K)
    one.term("each", M)
    one.conclude("each below", f <= K, "each", "a bound")
    assert '"each: its terms" is not decided' in str(argued(one, LIMIT).failure)
    assert tried(program(one), "x").failed is not None
    with pytest.raises(UnlinkedError, match="does not follow"):
        read_again(plain(one))


def test_terms_are_those_of_a_sum_or_an_extreme():
    one = Linked("numbers", VALUES, {p: "x", K: ""})
    one.product(M, "x", p)
    one.largest(N, "x", p)
    one.given("a bound", p <= K)
    assert "is no sum" in _refused(lambda: one.term("each", M))
    assert "is no sum" in _refused(lambda: one.term("each", p))
    assert "needs no fact" in _refused(lambda: one.term("each", N, "a bound"))
    assert "is no largest" in _refused(lambda: one.attained("it", M, M <= K, "a bound"))


def test_what_is_attained_speaks_of_no_single_value():
    """f[x] <= u[x] does not bound the largest f by each u."""
    one = Linked("numbers", VALUES, {f: "x", u: "x"})
    one.largest(M, "x", f)
    one.given("a bound", f <= u)
    assert "has x free" in _refused(lambda: one.attained("it", M, M <= u, "a bound"))
    other = Linked("numbers", VALUES, {f: "x", u: "x y", K: ""})
    other.largest(M, "x", f)
    other.let(T, u + K)
    assert "has x free" in _refused(lambda: other.attained("it", M, M <= T))


def test_each_value_of_another_index_has_a_largest_of_its_own():
    """u[x, y] >= 1 for some x at each y: not for one x at all y."""
    one = Linked("numbers", VALUES, {u: "x y"})
    one.largest(M, "x", u)
    assert one.indices_of(M) == {"y"}
    assert "does not depend on x" in _refused(lambda: one.largest(N, "x", M))
    assert "is no index" in _refused(lambda: one.largest(N, "z", u))
    assert "is defined by itself" in _refused(lambda: one.largest(N, "y", u + N))


def test_two_extremes_are_attained_at_values_of_their_own():
    """The largest of f and of g together bound f + g from above, and do not attain it."""
    one = Linked("two", VALUES, {f: "x", g: "x", K: ""})
    one.largest(M, "x", f)
    one.largest(N, "x", g)
    one.given("a bound", f + g <= K)
    one.attained("both", M, M + N <= K, "a bound")
    one.conclude("false", 2 * M + 2 * N <= 2 * K, "both")
    assert '"both" is not decided' in str(argued(one, LIMIT).failure)
    assert tried(program(one), "x").failed is not None
    with pytest.raises(UnlinkedError, match="does not follow"):
        read_again(plain(one))


def test_a_largest_term_is_whole_in_an_induction_and_a_sum_is_not():
    """The term of the sum is at most the whole sum, which no part of it need be."""
    one = Linked("weights", VALUES, {p: "x", f: "x"})
    one.sum(M, "x", p)
    one.sum(N, "x", p * f)
    one.term("each", M)
    assert "speaks of all of x" in _refused(lambda: one.along("so", "x", N <= M * M, "each"))
    assert "has x free" in _refused(lambda: one.along("so", "x", N <= f * M))


def test_a_largest_term_does_not_grow_along_an_index():
    one = Linked("numbers", VALUES, {f: "x"})
    one.largest(M, "x", f)
    assert "speaks of nothing" in _refused(lambda: one.along("so", "x", M <= 0))


def test_a_fact_at_the_second_value():
    one = Linked("twice", TWICE, {f: "x", p: "x", K: ""})
    one.at(g, f, "y")
    one.at(q, p, "y")
    one.given("a bound", f <= K * p)
    one.again("there", "a bound", "y")
    one.conclude("both", f + g <= K * (p + q), "a bound", "there")
    assert _holds(one) == 1
    assert "and y through the same values as x" in lets(one)
    assert words(one, one.then) == "f[x] + f[y] <= K*(p[x] + p[y]) for every x and y"


def test_a_second_value_needs_every_letter_of_the_first():
    one = Linked("twice", TWICE, {f: "x", p: "x", K: ""})
    one.at(g, f, "y")
    one.given("a bound", f <= K * p)
    one.given("a pair", f <= K * g)
    one.given("no index", K >= 0)
    assert "no letter is p at y" in _refused(lambda: one.again("there", "a bound", "y"))
    assert "and not on y" in _refused(lambda: one.again("there", "a pair", "y"))
    assert "must depend on x" in _refused(lambda: one.again("there", "no index", "y"))
    assert "no second value" in _refused(lambda: one.again("there", "a bound", "x"))


def test_a_letter_at_a_second_value_has_the_domain_of_the_first():
    one = Linked("twice", TWICE, {f: "x", K: ""})
    assert "has a domain" in _refused(lambda: one.at(q, f, "y"))
    assert "must depend on x" in _refused(lambda: one.at(g, K, "y"))
    other = Linked("apart", VALUES, {f: "x"})
    assert "no second value" in _refused(lambda: other.at(g, f, "y"))
    assert "one that has a meaning" in _refused(
        lambda: Linked("deep", {**TWICE, "z": "y"}, {f: "x"})
    )


def test_the_second_value_is_any_value_and_not_the_same():
    """f[x] <= f[y] for every x and y does not follow from f[x] <= K."""
    one = Linked("twice", TWICE, {f: "x", K: ""})
    one.at(g, f, "y")
    one.given("a bound", f <= K)
    one.again("there", "a bound", "y")
    one.conclude("false", f <= g, "a bound", "there")
    assert '"false" is not decided' in str(argued(one, LIMIT).failure)
    assert tried(program(one), "x").failed is not None


def test_an_extreme_that_nothing_uses_is_refused():
    one = Linked("numbers", VALUES, {f: "x", K: ""})
    one.largest(M, "x", f)
    one.given("a bound", f <= K)
    assert 'nothing uses the letter "M"' in _refused(
        lambda: one.conclude("twice", f**2 <= f**2 + (K - f) ** 2, "a bound")
    )


def test_that_an_extreme_is_attained_must_be_needed():
    one = Linked("numbers", VALUES, {f: "x", K: ""})
    one.largest(M, "x", f)
    one.given("no more", M <= K)
    one.given("a sign", K >= 0)
    one.attained("it", M, M * K <= K**2, "no more", "a sign")
    one.conclude("so", 2 * M * K <= 2 * K**2, "it")
    assert '"it" does not need that M is attained: make it a step' in str(
        argued(one, LIMIT).failure
    )


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
    data = plain(build())
    assert read_again(data) > 0
    with pytest.raises(UnlinkedError):
        read_again(_changed(data, rule, **change))


@pytest.mark.parametrize("change", [{"kind": "least"}, {"over": "y"}, {"term": "f - 1"}])
def test_the_second_reader_compares_extremes_as_they_are_defined(change):
    data = plain(average())
    first, *others = data["definitions"]
    with pytest.raises(UnlinkedError):
        read_again({**data, "definitions": [{**first, **change}, *others]})


@pytest.mark.parametrize(
    "change", [{"indices": VALUES}, {"indices": {"x": "the values", "y": "z"}}]
)
def test_the_second_reader_asks_whether_two_indices_have_the_same_values(change):
    with pytest.raises(UnlinkedError):
        read_again({**plain(spread()), **change})


def test_the_second_reader_finds_a_fact_that_is_not_the_one_at_the_second_value():
    one = Linked("twice", TWICE, {f: "x", K: ""})
    one.at(g, f, "y")
    one.given("a bound", f <= K)
    one.again("there", "a bound", "y")
    one.conclude("both", f + g <= 2 * K, "a bound", "there")
    data = plain(one)
    assert read_again(data) == 1
    for change in ({"formula": "g <= K - 1"}, {"formula": "f <= K"}, {"over": "x"}, {"uses": []}):
        with pytest.raises((UnlinkedError, ValueError)):
            read_again(_changed(data, "again", **change))


def test_the_second_reader_refuses_a_fact_about_one_value_of_what_is_attained():
    with pytest.raises(UnlinkedError, match="speaks of one value of y"):
        read_again(_changed(plain(spread()), "attained", formula="M <= K*g"))


def test_an_induction_begins_with_nothing():
    """A sum that is at least 1 stays so with more weights; it begins at 0."""
    one = Linked("weights", VALUES, {p: "x"})
    one.sum(M, "x", p)
    one.along("at least 1", "x", M >= 1)
    one.conclude("false", 2 * M >= 2, "at least 1")
    assert '"at least 1: nothing yet" is not decided' in str(argued(one, LIMIT).failure)
    assert tried(program(one), "x").failed is not None
    with pytest.raises(UnlinkedError, match="nothing yet"):
        read_again(plain(one))


def test_double_sums_are_exchanged_for_those_of_the_same_terms():
    one = Linked("sums", VALUES, {u: "x y"})
    one.sum(M, "y", u)
    one.sum(N, "x", M)
    one.sum(T, "x", u)
    one.sum(A, "y", T)
    assert "are not one double sum" in _refused(lambda: one.swap("orders", N, N))
    assert "are not one double sum" in _refused(lambda: one.swap("orders", N, T))
    one.swap("orders", N, A)
    one.conclude("twice", Eq(2 * N, 2 * A, evaluate=False), "orders")
    assert _holds(one) > 0
    for formula in ("Eq(N, N)", "Eq(N, T)", "N <= A"):
        with pytest.raises(UnlinkedError, match="is no exchange of two sums"):
            read_again(_changed(plain(one), "swap", formula=formula))


def test_a_lemma_about_a_largest_term_is_used_of_one_made_alike():
    other = Linked("another average", VALUES, {q: "x", u: "x", K: ""})
    other.largest(T, "x", u)
    other.least(K_, "x", u)
    other.sum(A, "x", q * u)
    other.sum(B, "x", q)
    lemma, put = average().as_lemma("averages"), {p: q, f: u, N: A, T: B}
    assert "is not made as M is" in _refused(lambda: other.by("so", lemma, {**put, M: K_}))
    other.by("so", lemma, {**put, M: T})


def test_a_copy_is_not_what_there_is_before_a_value():
    """Were M at y what has been summed so far, u <= M at y would give M <= 0."""
    one = Linked("sums", {**TWICE, "z": "what is added"}, {u: "x z"})
    one.sum(M, "z", u)
    one.at(N, M, "y")
    one.given("a bound", u <= N)
    one.along("sums", "z", M <= 0, "a bound")
    one.conclude("false", M**3 <= 0, "sums")
    assert '"sums: one more" is not decided' in str(argued(one, LIMIT).failure)
    with pytest.raises(UnlinkedError, match="one more"):
        read_again(plain(one))


def _exponentials() -> Linked:
    one = Linked("powers", VALUES, {f: "x", u: "y"})
    one.sum(M, "x", f)
    one.sum(N, "y", u)
    for each, power in ((P, M), (a, f), (b, u)):
        one.let(each, exp(power))
    one.product(A, "x", a)
    one.product(B, "y", b)
    return one


def test_exp_of_a_sum_is_the_product_of_exp_of_its_terms():
    one = _exponentials()
    assert "is not exp of a sum" in _refused(lambda: one.exponentials("so", P, B))
    assert "is not exp of a sum" in _refused(lambda: one.exponentials("so", a, A))
    assert "is not exp of a sum" in _refused(lambda: one.exponentials("so", P, M))
    assert "is not exp of a sum" in _refused(lambda: one.exponentials("so", M, A))
    one = Linked("powers", VALUES, {f: "x"})
    one.sum(M, "x", f)
    one.let(P, exp(M))
    one.let(a, exp(f))
    one.product(A, "x", a)
    one.exponentials("so", P, A)
    one.conclude("twice", Eq(2 * P, 2 * A, evaluate=False), "so")
    assert _holds(one) > 0
    data = plain(one)
    for place, change in ((0, {"kind": "product"}), (1, {"is": "exp(f)"}), (2, {"is": "exp(M)"})):
        definitions = [*data["definitions"]]
        definitions[place] = {**definitions[place], **change}
        with pytest.raises(UnlinkedError):
            read_again({**data, "definitions": definitions})
