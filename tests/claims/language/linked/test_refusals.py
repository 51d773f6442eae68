"""What is no linked argument: each rule with an input that it must refuse."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import pytest
from sympy import And, Eq, I, Integer, Mul, Pow, Rational, oo, pi

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked import Lemma, Linked, exp, lemmas
from pufferproof.claims.language.linked.found import argued, in_coq
from pufferproof.claims.language.linked.plain import plain
from pufferproof.claims.language.linked.program import program
from pufferproof.claims.language.linked.second import read_again
from pufferproof.claims.language.linked.trees import UnlinkedError
from pufferproof.claims.language.statements import tried
from pufferproof.models.errors import ModelError

p = letter("p", "the weight of a value", at_least(0))
f, g = letters("f g", "a value of a function")
K, B = letters("K B", "a bound")
d = letter("d", "a number that may be 0")
e = letter("e", "a number above 0", above(0))
M, N, T, U = letters("M N T U", "a sum")
w = letter("w", "an exponential")
p_ = letter("product", "a product")
LIMIT = 5.0


def _begun() -> Linked:
    """A mean is at most K if the values are: up to the hypotheses and definitions."""
    argument = Linked("a mean", {"x": "the values"}, {p: "x", f: "x", K: ""})
    argument.given("a bound", f <= K)
    argument.sum(M, "x", p * f)
    argument.sum(N, "x", p)
    return argument


def mean() -> Linked:
    """A mean is at most K if the values are."""
    argument = _begun()
    argument.along("sums", "x", M <= K * N, "a bound")
    argument.step("moved", M - K * N <= 0, "sums")
    return argument.conclude("the mean", 2 * M <= 2 * K * N, "moved")


def _refused(build: Callable[[], object]) -> str:
    with pytest.raises(ModelError) as caught:
        build()
    return str(caught.value)


def test_a_fact_from_nowhere_or_from_later_is_refused():
    argument = _begun()
    assert "which nothing before it says" in _refused(
        lambda: argument.along("sums", "x", M <= K * N, "no such fact")
    )


def test_an_idle_fact_is_refused():
    argument = _begun()
    argument.along("sums", "x", M <= K * N, "a bound")
    argument.step("beside the point", 2 * K * f <= K**2 + f**2)
    assert 'nothing uses "beside the point"' in _refused(
        lambda: argument.conclude("the mean", M <= K * N + 1, "sums")
    )


def test_a_fact_that_is_named_and_not_needed_is_refused():
    argument = _begun()
    argument.step("beside the point", 2 * K * f <= K**2 + f**2)
    argument.along("sums", "x", M <= K * N, "a bound", "beside the point")
    argument.conclude("the mean", M <= K * N + 1, "sums")
    assert argued(argument, LIMIT).failure == (
        '"sums" does not need "beside the point": leave it out'
    )


def test_a_letter_is_defined_once_by_earlier_ones_and_without_a_domain():
    argument = _begun()
    assert "is not new" in _refused(lambda: argument.let(M, K + 1))
    assert "defined by itself" in _refused(lambda: argument.let(B, B + 1))
    assert "is no letter of it" in _refused(lambda: argument.let(B, U + 1))
    assert "has a domain" in _refused(lambda: argument.let(e, K))


def test_hypotheses_come_before_what_follows():
    argument = _begun()
    argument.along("sums", "x", M <= K * N, "a bound")
    assert "comes after" in _refused(lambda: argument.given("late", K >= 0))


def test_the_conclusion_must_not_be_a_hypothesis():
    argument = Linked("itself", {}, {K: "", B: ""})
    argument.given("so it is", K <= B)
    assert "is one of its hypotheses" in _refused(
        lambda: argument.conclude("so it is too", 2 * K <= 2 * B, "so it is")
    )


def test_two_facts_of_one_name_are_refused():
    argument = _begun()
    assert "said twice" in _refused(lambda: argument.given("a bound", K >= 0))


def test_nothing_is_summed_whose_index_is_free_and_no_index_is_made_up():
    argument = _begun()
    assert "has x free" in _refused(lambda: argument.along("sums", "x", M <= f * N, "a bound"))
    assert "is no index" in _refused(lambda: argument.sum(T, "y", p))
    assert "is not one" in _refused(lambda: Linked("made up", {"x": "values"}, {p: "x y"}))


def test_a_fact_about_the_whole_sum_says_nothing_of_its_parts():
    argument = _begun()
    argument.given("a law", Eq(N, 1, evaluate=False))
    assert "speaks of all of x" in _refused(
        lambda: argument.along("sums", "x", M <= K * N, "a bound", "a law")
    )


def test_a_sum_whose_terms_have_another_sum_grows_alone():
    argument = Linked("sums of sums", {"x": "the values"}, {p: "x"})
    argument.sum(M, "x", p)
    argument.sum(N, "x", p * M)
    assert "N is made of M" in _refused(
        lambda: argument.along("squares", "x", Eq(2 * N, M**2 + M, evaluate=False))
    )


def test_a_quotient_is_defined_only_where_its_denominator_is_not_0():
    argument = Linked("a quotient", {}, {K: "", d: ""})
    argument.let(B, K / d)
    argument.conclude("back", Eq(B**2 * d**2, K**2, evaluate=False), "let B")
    assert '"let B: no divisor is 0" is not decided' in str(argued(argument, LIMIT).failure)
    with pytest.raises(UnlinkedError, match="no divisor is 0"):
        read_again(plain(argument))


def test_a_sum_of_ones_counts_the_values_of_an_index():
    argument = Linked("a number of values", {"x": "the values"}, {e: ""})
    argument.sum(M, "x", Integer(1))
    argument.sum(N, "x", e)
    argument.along("as often", "x", Eq(N, M * e, evaluate=False))
    argument.term("one", M)
    argument.conclude("at least once", N >= e, "as often", "one")
    assert argued(argument, LIMIT).failure is None
    assert tried(program(argument), "x").failed is None
    assert argument.order_of(M) == ()


def _reciprocal(*uses: str) -> Linked:
    argument = Linked("a reciprocal", {"x": "the values"}, {e: ""})
    argument.product(M, "x", e)
    argument.along("above 0", "x", M > 0)
    argument.let(B, 1 / M, *uses)
    return argument.conclude("above 0 too", B > 0, "let B", "above 0")


def test_a_quotient_may_be_defined_by_what_follows_from_hypotheses():
    assert argued(_reciprocal("above 0"), LIMIT).failure is None
    assert "no divisor is 0" in str(argued(_reciprocal(), LIMIT).failure)
    assert "which nothing before it says" in _refused(lambda: _reciprocal("above 1"))


def test_hypotheses_that_contradict_each_other_show_nothing():
    argument = Linked("a contradiction", {}, {K: "", B: ""})
    argument.given("below", K < B)
    argument.given("above", K > B)
    argument.conclude("anything", Eq(K, 7), "below", "above")
    assert "not shown to be satisfiable" in str(argued(argument, LIMIT).failure)
    assert "the hypotheses hold at 0" in str(tried(program(argument), "x").weakness)


def test_a_false_statement_with_a_true_step_is_refused():
    argument = Linked("less", {}, {K: "", B: ""})
    argument.given("a bound", K <= B)
    argument.step("a true step", 2 * K * B <= K**2 + B**2)
    argument.conclude("false", K <= B - 1, "a bound", "a true step")
    assert '"false" is not decided' in str(argued(argument, LIMIT).failure)
    assert tried(program(argument), "x").failed is not None


def test_a_false_statement_whose_steps_are_true_has_another_conclusion():
    argument = _begun()
    argument.along("sums", "x", M <= K * N, "a bound")
    argument.conclude("false", M <= K, "sums")  # N is not said to be at most 1
    assert '"false" is not decided' in str(argued(argument, LIMIT).failure)
    assert tried(program(argument), "x").failed is not None


def test_domains_are_in_the_words_and_in_every_query():
    argument = mean()
    shown = argued(argument, LIMIT)
    assert shown.failure is None, shown.failure
    assert any("p >= 0" in str(step.formula) for step in shown.steps)


def _scaled() -> Linked:
    """If a sum is 0, so is the sum of its terms times a number."""
    one = Linked("a sum scaled", {"x": "the values"}, {p: "x", d: ""})
    one.sum(M, "x", p)
    one.sum(N, "x", p * d)
    one.given("none", Eq(M, 0, evaluate=False))
    one.along("scaled", "x", Eq(N, d * M, evaluate=False))
    return one.conclude("none either", Eq(N, 0, evaluate=False), "scaled", "none")


def test_a_lemma_is_used_for_letters_that_depend_on_no_more():
    """With a factor of each value in the place of one number it would be false."""
    other = Linked("terms scaled", {"x": "the values"}, {p: "x", d: "x"})
    other.sum(T, "x", p)
    other.sum(U, "x", p * d)
    other.given("none", Eq(T, 0, evaluate=False))
    lemma, put = _scaled().as_lemma("scaled"), {M: T, N: U}
    assert 'nothing is put for "p"' in _refused(lambda: other.by("so", lemma, put, "none"))
    assert "depends on more indices" in _refused(
        lambda: other.by("so", lemma, {**put, p: p, d: d}, "none")
    )


def test_the_second_reader_refuses_the_same_lemma():
    other = Linked("terms scaled", {"x": "the values"}, {p: "x", d: ""})
    other.sum(T, "x", p)
    other.sum(U, "x", p * d)
    other.given("none", Eq(T, 0, evaluate=False))
    other.by("so", _scaled().as_lemma("scaled"), {M: T, N: U, p: p, d: d}, "none")
    other.conclude("so it is", Eq(2 * U, 0, evaluate=False), "so")
    data = plain(other)
    assert read_again(data) > 0
    more = {"lemma": {**data["facts"][1]["lemma"], "then": "Eq(N, 1)"}}
    with pytest.raises(UnlinkedError, match="does not say what scaled does"):
        read_again({**data, "facts": [data["facts"][0], {**data["facts"][1], **more}]})
    less = {**data, "facts": [_with_put(each, drop={"p", "d"}) for each in data["facts"]]}
    with pytest.raises(UnlinkedError, match="puts nothing for"):
        read_again(less)
    data["letters"]["d"]["indices"] = ["x"]
    with pytest.raises(UnlinkedError):
        read_again(data)


def _with_put(fact: dict[str, object], drop: set[str]) -> dict[str, object]:
    put = fact.get("put")
    if not isinstance(put, dict):
        return fact
    return {**fact, "put": {x: made for x, made in put.items() if x not in drop}}


def test_a_lemma_beyond_its_domain_is_refused():
    root = Linked("a square", {}, {e: "", K: ""})
    root.given("at least", K >= e)
    lemma = root.conclude("squares", K**2 >= e**2, "at least").as_lemma("squares")
    other = Linked("any sign", {}, {d: "", B: ""})
    other.given("at least", B >= d)
    other.by("squares", lemma, {e: d, K: B}, "at least")
    other.conclude("so", B**2 + 1 >= d**2, "squares")
    assert '"squares: it applies" is not decided' in str(argued(other, LIMIT).failure)
    with pytest.raises(UnlinkedError, match="squares: it applies"):
        read_again(plain(other))


def test_a_lemma_of_an_argument_says_what_that_argument_does():
    source, other = _scaled(), Linked("another", {"x": "the values"}, {p: "x", d: ""})
    other.given("d", d <= 0)
    forged = Lemma("scaled", {}, source.then, source)
    put = {each: each for each in source.as_lemma("scaled").speaks_of}
    assert "does not say what scaled does" in _refused(lambda: other.by("so", forged, put, "d"))


def test_a_quotient_of_a_quotient_is_worked_out():
    twice = Mul(K, Pow(Rational(1, 2), -1, evaluate=False), evaluate=False)
    argument = Linked("twice", {}, {K: ""})
    assert "a power that is not worked out" in _refused(lambda: argument.given("a", twice >= 0))


def test_a_definition_is_used_if_it_is_put_for_one_of_a_lemma():
    """Its letters have domains, of which no fact that is named must speak."""
    lemma = Linked("a part", {"x": "the values"}, {p: "x", e: ""})
    lemma.let(d, p / e)
    lemma.sum(M, "x", d)
    lemma.step("a part", d >= 0, "let d")
    lemma.along("parts", "x", M >= 0, "a part")
    parts = lemma.conclude("more", M + e > 0, "parts").as_lemma("parts")
    other = Linked("another", {"x": "the values"}, {p: "x", e: ""})
    other.let(g, p / e)
    other.sum(N, "x", g)
    other.by("so", parts, {p: p, e: e, d: g, M: N})
    other.conclude("so it is", N + 2 * e > 0, "so")
    found = argued(other, LIMIT)
    assert found.failure is None
    data = plain(other)
    assert read_again(data) > 0
    with pytest.raises(UnlinkedError, match="nothing says what g is"):
        read_again({**data, "facts": data["facts"][1:]})


def _not_negative(term: object) -> Linked:
    """A lemma about weights, used of a sum of other terms."""
    root = Linked("a sum of weights", {"x": "the values"}, {p: "x"})
    root.sum(M, "x", p)
    root.along("so far", "x", M >= 0)
    root.conclude("a sum", M > -1, "so far")
    other = Linked("a sum of terms", {"x": "the values"}, {term: "x"})
    other.sum(T, "x", term)
    other.by("a sum", root.as_lemma("a sum"), {p: term, M: T})
    return other.conclude("so", -T <= 6, "a sum")


def test_a_domain_of_a_lemma_with_indices_holds_at_every_value():
    """That T > -1 if f[x] >= 0 was said of each x alone, and is false."""
    assert '"a sum: it applies" is not decided' in str(argued(_not_negative(f), LIMIT).failure)
    with pytest.raises(UnlinkedError, match="it applies"):
        read_again(plain(_not_negative(f)))
    found = argued(_not_negative(e), LIMIT)
    assert (found.failure, found.again > 0) == (None, True)


def _above_tangent(says: object) -> Linked:
    """What follows if exp is at most its tangent, by a lemma of the same name as the true one."""
    other = Linked("levels", {}, {f: ""})
    other.let(w, exp(f))
    false = Lemma(lemmas.TANGENT.name, {}, says, lemmas.TANGENT.source)
    other.by("above", lemmas.TANGENT, {lemmas.X: f})
    other.by("below", false, {lemmas.X: f})
    return other.conclude("so", f <= 100, "above", "below")


def test_each_lemma_is_what_coq_proved():
    """Of two lemmas of one name, too: exp(x) <= 101 is false from x = 5 on."""
    one = _above_tangent(exp(lemmas.X) <= 101)
    assert "and not" in str(argued(one, LIMIT).failure)
    with pytest.raises(UnlinkedError, match="is not what textbook"):
        read_again(plain(one))


def test_only_for_letters_of_a_lemma_something_is_put():
    """Not for exp of one, which would be any number."""
    other = Linked("levels", {}, {f: ""})
    put = {lemmas.X: f, exp(lemmas.X): f}
    assert "no letter of" in _refused(lambda: other.by("above", lemmas.TANGENT, put))


def _two_squares() -> Linked:
    root = Linked("squares", {}, {f: "", K: ""})
    return root.conclude("so", f**2 + K**2 >= 0)


@pytest.mark.parametrize(
    ("put", "why"), [(1 / d, "a letter"), (I, "puts I"), (oo, "puts oo"), (pi * d, "puts pi")]
)
def test_only_real_numbers_are_put_into_a_lemma(put, why):
    """A quotient may be none, and sympy says of 1/d and d what is false at d = 0."""
    other = Linked("a number", {}, {d: ""})
    lemma = _two_squares().as_lemma("squares")
    assert why in _refused(lambda: other.by("so", lemma, {f: put, K: d}))


def test_the_second_reader_knows_that_nothing_is_divided_by_0():
    other = Linked("sums", {"x": "the values"}, {f: "x"})
    other.sum(M, "x", f**2)
    other.along("so far", "x", M >= 0)
    data = plain(other.conclude("so", M >= -1, "so far"))
    assert read_again(data) > 0
    data["definitions"][0] |= {"following": "M + (f/f)**2", "term": "(f/f)**2"}
    with pytest.raises(UnlinkedError, match="a quotient"):
        read_again(data)
    other = Linked("a quotient", {}, {e: ""})
    other.let(T, 1 / e)
    data = plain(other.conclude("so", T**2 >= 0, "let T"))
    assert read_again(data) > 0
    data["facts"][0] |= {"rule": "step", "formula": "0*T <= 1"}
    with pytest.raises(UnlinkedError, match="divides by 0 nowhere"):
        read_again(data)


def test_exp_of_a_product_is_not_a_product_of_exp():
    x, y, z = lemmas.X, lemmas.Y, lemmas.Z
    false = Lemma("exp", lemmas.GROWS.given, exp(x) <= exp(y * exp(z)), lemmas.GROWS.source)
    assert in_coq(false).endswith("exp x <= exp (y * exp z)")
    assert in_coq(lemmas.GROWS).endswith("exp x <= exp y * exp z")


@pytest.mark.parametrize("name", ["1*exp(b)", "True", "lambda", "a b"])
def test_a_letter_has_a_name(name):
    """Others would be read as numbers or formulas."""
    assert "expected a name of ASCII letters" in _refused(
        lambda: Linked("names", {}, {Letter(name, "any"): ""})
    )
    other = Linked("names", {}, {f: ""})
    assert "expected a name of ASCII letters" in _refused(
        lambda: other.let(Letter(name, "any"), f + 1)
    )


def _recursion() -> Linked:
    """A recursion that adds f is at least its start and the sum of f."""
    root = Linked("a recursion", {"x": "the values"}, {f: "x", K: ""})
    root.chain(M, "x", K, M + f)
    root.sum(N, "x", f)
    root.along("so far", "x", M - N >= K)
    return root.conclude("a sum", M - N >= K, "so far")


def _halves(put: object) -> Linked:
    """K is halved at each value: what is put for f would be the half of what is left at last."""
    other = Linked("halves", {"x": "the values"}, {K: ""})
    other.chain(T, "x", K, T - T / 2)
    other.sum(U, "x", -T / 2)
    other.by("a sum", _recursion().as_lemma("a sum"), {f: put, K: K, M: T, N: U})
    return other.conclude("so", T - U >= K, "a sum")


def test_what_is_put_into_a_recursion_does_not_speak_of_all_of_it():
    """With seven values T - U is below K/10."""
    assert "speaks of T as a whole" in _refused(lambda: _halves(-T / 2))
    other = Linked("halves", {"x": "the values"}, {K: "", f: "x"})
    other.chain(T, "x", K, T + f)
    other.sum(U, "x", f)
    other.by("a sum", _recursion().as_lemma("a sum"), {f: f, K: K, M: T, N: U})
    data = plain(other.conclude("so", T - U >= K, "a sum"))
    assert read_again(data) > 0
    data["definitions"][0]["following"] = "T - T/2"
    data["definitions"][1] |= {"following": "U - T/2", "term": "-T/2"}
    data["facts"][0]["put"]["f"] = "-T/2"
    with pytest.raises(UnlinkedError, match="speaks of all of it"):
        read_again(data)


@pytest.mark.parametrize("name", ["sums", "moved", "a bound"])
def test_every_fact_is_needed(name):
    """The plain data without one fact, and without the names of it, is refused."""
    data = plain(mean())
    assert read_again(data) > 0
    left = [each for each in data["facts"] if each["name"] != name]
    with pytest.raises(UnlinkedError):
        read_again({**data, "facts": left})
    bare = [{**each, "uses": [use for use in each.get("uses", ()) if use != name]} for each in left]
    with pytest.raises(UnlinkedError):
        read_again({**data, "facts": bare})


def test_the_second_reader_refuses_data_that_was_changed():
    data = plain(mean())
    for change in (
        {"then": "M <= K*N - 1"},
        {"facts": [*data["facts"][:-1], {**data["facts"][-1], "formula": "M <= K*N - 1"}]},
        {"facts": data["facts"][::-1]},
        {"definitions": data["definitions"][:1]},
        {"definitions": data["definitions"][::-1] * 2},
        {"letters": {**data["letters"], "K": {**data["letters"]["K"], "indices": ["x"]}}},
    ):
        with pytest.raises(UnlinkedError):
            read_again({**data, **change})


def test_instances_at_which_a_number_is_divided_by_0_show_nothing():
    argument = Linked("a quotient", {}, {K: "", d: ""})
    argument.given("above 0", K > 0)
    argument.step("a square", K**2 > 0, "above 0")
    argument.conclude("more", K**2 / d**2 > 0, "a square")
    assert argued(argument, LIMIT).failure is not None  # d may be 0
    assert tried(program(argument), "x").failed is None


def _path(hop: object = None) -> Linked:
    """The first number of a path is at most so many levels times the last."""
    argument = Linked("a path", {"j": "the steps"}, {K: "", g: "", e: "j"})
    argument.chain(M, "j", g, e)
    argument.before(N, M)
    argument.product(T, "j", K)
    argument.given("one step", N <= K * e if hop is None else hop)
    argument.given("a level", K >= 0)
    return argument


def test_facts_about_neighbours_carry_over_along_a_path():
    argument = _path()
    argument.along("all steps", "j", And(g <= T * M, T >= 0), "one step", "a level")
    argument.conclude("the path", g <= T * M, "all steps")
    found = argued(argument, LIMIT)
    assert found.failure is None
    assert found.again > 0


def test_what_there_is_before_a_value_is_not_what_there_is_at_the_end():
    argument = _path(M <= K * e)
    assert "speaks of all of j" in _refused(
        lambda: argument.along("all steps", "j", g <= T * M, "one step")
    )
    assert "is not made along an index" in _refused(lambda: argument.before(U, K))


def test_a_path_of_another_letter_does_not_carry_over():
    argument = Linked("two paths", {"j": "the steps"}, {K: "", g: "", e: "j", f: "j"})
    argument.chain(M, "j", g, e)
    argument.chain(U, "j", g, f)
    argument.before(N, U)
    argument.product(T, "j", K)
    argument.given("one step", N <= K * e)
    argument.given("a level", K >= 0)
    argument.along("all steps", "j", And(g <= T * M, T >= 0), "one step", "a level")
    argument.conclude("the path", g <= T * M, "all steps")
    assert argued(argument, LIMIT).failure is not None
    with pytest.raises(UnlinkedError):
        read_again(plain(argument))


def _squares(**change: object) -> Linked:
    """The rises of the square of a place add up to its rise over all steps."""
    argument = Linked("squares", {"j": "the steps"}, {K: "", e: "j", f: ""})
    argument.chain(M, "j", K, M + e)
    argument.before(N, M)
    for square, place in ((g, K), (T, N), (U, N + e), (B, M)):
        argument.let(square, change.get(square.name, f) * place**2)
    argument.moving(M, N, {B: (g, T, U)})
    argument.sum(d, "j", U - T)
    return argument


def test_a_function_of_a_place_moves_with_it():
    argument = _squares()
    argument.along("rises", "j", Eq(d, B - g))
    argument.conclude("the rise", Eq(2 * d, 2 * B - 2 * g), "rises")
    assert argued(argument, LIMIT).failure is None
    assert tried(program(argument), "x").failed is None
    data = plain(argument)
    assert read_again(data) > 0
    for images in (["g", "U", "T"], ["T", "T", "U"], ["g", "T", "T"]):
        moving = [{**data["moving"][0], "letters": {"B": images}}]
        with pytest.raises(UnlinkedError):
            read_again({**data, "moving": moving})
    for fact in data["facts"]:
        with pytest.raises(UnlinkedError):
            read_again({**data, "facts": [x for x in data["facts"] if x is not fact]})


def test_a_function_of_a_place_is_not_what_it_is_at_the_start_or_the_end():
    argument = _squares()
    argument.along("rises", "j", Eq(d, B))
    argument.conclude("false", Eq(2 * d, 2 * B), "rises")
    assert '"rises: nothing yet" is not decided' in str(argued(argument, LIMIT).failure)
    argument = _squares()
    argument.step("whole", Eq(2 * B, 2 * f * M**2), "let B")
    assert "speaks of all of j" in _refused(
        lambda: argument.along("rises", "j", Eq(d, B - g), "whole")
    )


def test_a_letter_that_moves_is_made_alike_and_of_one_place():
    for name in "gTU":
        assert f'"{name}" is not made as B is' in _refused(partial(_squares, **{name: f + 1}))
    argument = _squares()
    argument.let(p_, d * M)
    assert "depends on more than one place" in _refused(
        lambda: argument.moving(M, N, {p_: (g, T, U)})
    )
    assert "is not what there is of" in _refused(lambda: argument.moving(M, K, {B: (g, T, U)}))


def test_letters_move_before_an_induction_takes_them_for_fixed():
    argument = Linked("squares", {"j": "the steps"}, {e: "j"})
    argument.sum(M, "j", e)
    argument.before(N, M)
    for double, place in ((g, 0 * e), (T, N), (U, N + e), (B, M)):
        argument.let(double, 2 * place)
    argument.sum(d, "j", U - T)
    argument.along("the places", "j", B + M <= B + M + 1)
    assert 'letters move along j: say so before "the places"' in _refused(
        lambda: argument.moving(M, N, {B: (g, T, U)})
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("x1", "x_1"), ("p_j", "p"), ("x_1_2", "x_12"), ("eps", "epsilon"), ("Alpha", "A")],
)
def test_letters_that_look_alike_on_a_page_are_refused(one: str, other: str):
    first, second = Letter(one, "a number"), Letter(other, "a number")
    argument = Linked(
        "numbers", {"j": "the steps"}, {first: "", second: "j" if other == "p" else ""}
    )
    said = f'the letters "{one}" and "{other}" look alike on a page'
    assert said in _refused(lambda: argument.conclude("both", first**2 + second**2 + 1 >= first))


def test_a_letter_that_pages_set_as_the_sign_of_a_sum_is_refused():
    one = Letter("sum_j", "a number")
    argument = Linked("numbers", {"j": "the steps"}, {one: "", e: "j"})
    assert "as the sign of a sum" in _refused(
        lambda: argument.conclude("both", one**2 + e**2 + 1 >= e)
    )


def test_names_of_indices_end_no_sentence():
    with pytest.raises(ModelError, match='a name for the index "x"'):
        Linked("numbers", {"x": "the values. All mechanisms are private"}, {f: "x"})


def test_names_of_letters_and_indices_are_words_of_their_own():
    odd = letter_named("f, and x")
    for build, message in (
        (lambda: Linked("sums", {"x, so that": "the values"}, {p: ""}), 'found "x, so that"'),
        (lambda: Linked("sums", {"x": "the values"}, {odd: "x"}), 'found "f, and x"'),
        (lambda: _begun().sum(odd, "x", p * f), 'found "f, and x"'),
        (lambda: Linked("sums", {"f": "the values"}, {f: "f"}), 'are called "f"'),
    ):
        assert message in _refused(build)


def letter_named(name: str) -> Letter:
    """Return a letter that no file declares."""
    return Letter(name, "a number")


def test_no_letter_is_called_as_an_index_is():
    """In words "the sum over f of f*p[f]" would say two things."""
    one = Linked("numbers", {"f": "the values"}, {p: "f", d: ""})
    said = _refused(lambda: one.let(f, d + 1))
    assert 'a letter and an index are called "f"' in said


@pytest.mark.parametrize(
    ("build", "why"),
    [
        (lambda a: a.chain(T, "x", 0.5, T + p), "a whole number or a Fraction"),
        (lambda a: a.chain(T, "x", True, T + p), "a whole number or a Fraction"),
        (lambda a: a.chain(T, "x", 1, T >= p), "needs an expression"),
        (lambda a: a.chain("T", "x", 1, p), "expected a letter to define"),
        (lambda a: a.sum(T, "x", "p"), "needs an expression"),
        (lambda a: a.let(T, None), "needs an expression"),
        (lambda a: a.largest(T, "x", 1), "does not depend on x"),
        (lambda a: a.at(T, "p", "y"), "needs an expression"),
        (lambda a: a.at(T, p + f, "y"), "is none"),
        (lambda a: a.given("a fact", True), "needs a formula"),
        (lambda a: a.step("a fact", 1), "needs a formula"),
        (lambda a: a.along("a fact", "x", 1), "needs a formula"),
        (lambda a: a.attained("a fact", U, None), "needs a formula"),
    ],
)
def test_what_is_no_expression_and_no_formula_is_refused(build, why):
    argument = Linked("a mean", {"x": "the values", "y": "x"}, {p: "x", f: "x", K: ""})
    argument.largest(U, "x", f)
    assert why in _refused(lambda: build(argument))


def test_numbers_of_python_are_read_as_numbers():
    argument = Linked("a recursion", {"x": "the values"}, {p: "x", K: ""})
    argument.chain(T, "x", 1, T + p)
    argument.chain(U, "x", Fraction(1, 3), U)
    argument.sum(N, "x", 1)
    argument.let(M, 2)
    made = argument.definitions
    assert (made[T].start, made[U].start) == (Integer(1), Rational(1, 3))
    assert (made[N].term, made[M]) == (Integer(1), Integer(2))
