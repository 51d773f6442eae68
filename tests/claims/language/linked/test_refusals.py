"""What is no linked argument: each rule with an input that it must refuse."""

from fractions import Fraction
from functools import partial

import pytest
from sympy import And, Eq, I, Integer, Mul, Pow, Rational, oo, pi
from tests.claims.judging import failure, reads, refuses, refuted, rejects, shown, undecided

from pufferproof.claims.language import above, at_least, letter, letters
from pufferproof.claims.language.letters import Letter
from pufferproof.claims.language.linked import Lemma, Linked, exp, lemmas
from pufferproof.claims.language.linked.found import argued, in_coq
from pufferproof.claims.language.linked.program import program
from pufferproof.claims.language.statements import tried

p = letter("p", "the weight of a value", at_least(0))
f, g = letters("f g", "a value of a function")
K, B = letters("K B", "a bound")
d = letter("d", "a number that may be 0")
e = letter("e", "a number above 0", above(0))
M, N, T, U = letters("M N T U", "a sum")
w = letter("w", "an exponential")
p_ = letter("product", "a product")
VALUES, STEPS = {"x": "the values"}, {"j": "the steps"}
ODD, SIGN = Letter("f, and x", "a number"), Letter("sum_j", "a number")
HALF = Pow(Rational(1, 2), -1, evaluate=False)
SUMS = M <= K * N


def begun(**indices: str) -> Linked:
    """A mean is at most K if the values are: up to the hypotheses and definitions."""
    argument = Linked("a mean", {**VALUES, **indices}, {p: "x", f: "x", K: ""})
    argument.given("a bound", f <= K)
    argument.sum(M, "x", p * f)
    argument.sum(N, "x", p)
    return argument


def mean() -> Linked:
    """A mean is at most K if the values are."""
    argument = begun()
    argument.along("sums", "x", SUMS, "a bound")
    argument.step("moved", M - K * N <= 0, "sums")
    return argument.conclude("the mean", 2 * M <= 2 * K * N, "moved")


def aside(argument: Linked) -> None:
    """Say what nothing needs."""
    argument.step("beside the point", 2 * K * f <= K**2 + f**2)


def same(one: object, other: object) -> Eq:
    """Return an equation that sympy does not simplify."""
    return Eq(one, other, evaluate=False)


@pytest.mark.parametrize(
    ("why", "build"),
    [
        # a fact follows from facts before it, each of which is used, and is said once
        ("which nothing before it says", lambda a: a.along("sums", "x", SUMS, "no such fact")),
        ("said twice", lambda a: a.given("a bound", K >= 0)),
        ("comes after", lambda a: (a.along("s", "x", SUMS, "a bound"), a.given("late", K >= 0))),
        ('nothing uses "beside', lambda a: (aside(a), a.conclude("so", 2 * f <= 3 * K, "a bound"))),
        ("is one of its hypotheses", lambda a: a.conclude("so", 2 * f <= 2 * K, "a bound")),
        # a letter is defined once, by earlier ones, and without a domain
        ("is not new", lambda a: a.let(M, K + 1)),
        ("defined by itself", lambda a: a.let(B, B + 1)),
        ("is no letter of it", lambda a: a.let(B, U + 1)),
        ("has a domain", lambda a: a.let(e, K)),
        # indices: what an induction goes through is bound, and nothing knows all of a sum
        ("has x free", lambda a: a.along("sums", "x", M <= f * N, "a bound")),
        ("is no index", lambda a: a.sum(T, "z", p)),
        ("is not one", lambda a: Linked("made up", VALUES, {p: "x y"})),
        ("speaks of all of x", lambda a: (a.given("l", same(N, 1)), a.along("s", "x", SUMS, "l"))),
        ("T is made of N", lambda a: (a.sum(T, "x", p * N), a.along("s", "x", same(2 * T, N)))),
        # names are words of their own, and say one thing
        ('found "x, so that"', lambda a: Linked("sums", {"x, so that": "values"}, {p: ""})),
        ('found "f, and x"', lambda a: Linked("sums", VALUES, {ODD: "x"})),
        ('found "f, and x"', lambda a: a.sum(ODD, "x", p * f)),
        ('are called "f"', lambda a: Linked("sums", {"f": "the values"}, {f: "f"})),
        ('an index are called "f"', lambda a: Linked("n", {"f": "v"}, {p: "f", d: ""}).let(f, d)),
        ('a name for the index "x"', lambda a: Linked("n", {"x": "a. All is private"}, {f: "x"})),
        ("as the sign of a sum", lambda a: Linked("n", {}, {SIGN: ""}).conclude("so", SIGN <= 1)),
        # expressions and formulas
        ("a power that is not worked", lambda a: a.given("a", Mul(K, HALF, evaluate=False) >= 0)),
        ("a whole number or a Fraction", lambda a: a.chain(T, "x", 0.5, T + p)),
        ("a whole number or a Fraction", lambda a: a.chain(T, "x", True, T + p)),
        ("needs an expression", lambda a: a.chain(T, "x", 1, T >= p)),
        ("expected a letter to define", lambda a: a.chain("T", "x", 1, p)),
        ("needs an expression", lambda a: a.sum(T, "x", "p")),
        ("needs an expression", lambda a: a.let(T, None)),
        ("does not depend on x", lambda a: a.largest(T, "x", 1)),
        ("needs an expression", lambda a: a.at(T, "p", "y")),
        ("is none", lambda a: a.at(T, p + f, "y")),
        ("needs a formula", lambda a: a.given("a fact", True)),
        ("needs a formula", lambda a: a.step("a fact", 1)),
        ("needs a formula", lambda a: a.along("a fact", "x", 1)),
        ("needs a formula", lambda a: (a.largest(U, "x", f), a.attained("a fact", U, None))),
    ],
)
def test_what_is_no_part_of_an_argument_is_refused_when_it_is_written(why, build):
    refuses(why, build, begun(y="x"))


def test_a_fact_that_is_named_and_not_needed_is_refused():
    argument = begun()
    aside(argument)
    argument.along("sums", "x", SUMS, "a bound", "beside the point")
    argument.conclude("the mean", M <= K * N + 1, "sums")
    assert failure(argument) == '"sums" does not need "beside the point": leave it out'


def test_a_quotient_is_defined_only_where_its_denominator_is_not_0():
    argument = Linked("a quotient", {}, {K: "", d: ""})
    argument.let(B, K / d)
    argument.conclude("back", same(B**2 * d**2, K**2), "let B")
    undecided(argument, "let B: no divisor is 0", "no divisor is 0")


def test_a_sum_of_ones_counts_the_values_of_an_index():
    argument = Linked("a number of values", VALUES, {e: ""})
    argument.sum(M, "x", Integer(1))
    argument.sum(N, "x", e)
    argument.along("as often", "x", same(N, M * e))
    argument.term("one", M)
    shown(argument.conclude("at least once", N >= e, "as often", "one"))
    assert argument.order_of(M) == ()


def reciprocal(*uses: str) -> Linked:
    argument = Linked("a reciprocal", VALUES, {e: ""})
    argument.product(M, "x", e)
    argument.along("above 0", "x", M > 0)
    argument.let(B, 1 / M, *uses)
    return argument.conclude("above 0 too", B > 0, "let B", "above 0")


def test_a_quotient_may_be_defined_by_what_follows_from_hypotheses():
    shown(reciprocal("above 0"))
    assert "no divisor is 0" in failure(reciprocal())
    refuses("which nothing before it says", reciprocal, "above 1")


def test_hypotheses_that_contradict_each_other_show_nothing():
    argument = Linked("a contradiction", {}, {K: "", B: ""})
    argument.given("below", K < B)
    argument.given("above", K > B)
    argument.conclude("anything", Eq(K, 7), "below", "above")
    assert "not shown to be satisfiable" in failure(argument)
    assert "the hypotheses hold at 0" in str(tried(program(argument), "x").weakness)


def test_a_false_conclusion_of_true_steps_is_refused():
    argument = Linked("less", {}, {K: "", B: ""})
    argument.given("a bound", K <= B)
    argument.step("a true step", 2 * K * B <= K**2 + B**2)
    refuted(argument.conclude("false", K <= B - 1, "a bound", "a true step"), "false")
    argument = begun()
    argument.along("sums", "x", SUMS, "a bound")
    refuted(argument.conclude("false", M <= K, "sums"), "false")  # N is not said to be at most 1


def test_domains_are_in_the_words_and_in_every_query():
    found = argued(mean(), 5.0)
    assert found.failure is None
    assert any("p >= 0" in str(step.formula) for step in found.steps)


def scaled(argument: Linked) -> Linked:
    """If a sum is 0, so is the sum of its terms times a number: of T and U, or M and N."""
    whole, times = (T, U) if argument.about == "another" else (M, N)
    argument.sum(whole, "x", p)
    argument.sum(times, "x", p * d)
    argument.given("none", same(whole, 0))
    return argument


def scaling() -> Linked:
    one = scaled(Linked("a sum scaled", VALUES, {p: "x", d: ""}))
    one.along("scaled", "x", same(N, d * M))
    return one.conclude("none either", same(N, 0), "scaled", "none")


LEMMA = scaling().as_lemma("scaled")


def test_a_lemma_is_used_for_letters_that_depend_on_no_more_and_says_what_its_argument_does():
    """With a factor of each value in the place of one number it would be false."""
    other, put = scaled(Linked("another", VALUES, {p: "x", d: "x"})), {M: T, N: U}
    refuses('nothing is put for "p"', other.by, "so", LEMMA, put, "none")
    refuses("depends on more indices", other.by, "so", LEMMA, {**put, p: p, d: d}, "none")
    forged, put = Lemma("scaled", {}, LEMMA.then, LEMMA.source), {x: x for x in LEMMA.speaks_of}
    refuses("does not say what scaled does", other.by, "so", forged, put, "none")


def test_the_second_reader_refuses_the_same_lemma():
    other = scaled(Linked("another", VALUES, {p: "x", d: ""}))
    other.by("so", LEMMA, {M: T, N: U, p: p, d: d}, "none")
    data = reads(other.conclude("so it is", same(2 * U, 0), "so"))
    none, so, last = data["facts"]
    more = {**so, "lemma": {**so["lemma"], "then": "Eq(N, 1)"}}
    rejects({**data, "facts": [none, more]}, "does not say what scaled does")
    less = {**so, "put": {x: made for x, made in so["put"].items() if x not in "pd"}}
    rejects({**data, "facts": [none, less, last]}, "puts nothing for")
    data["letters"]["d"]["indices"] = ["x"]
    rejects(data)


def test_a_lemma_beyond_its_domain_is_refused():
    root = Linked("a square", {}, {e: "", K: ""})
    root.given("at least", K >= e)
    lemma = root.conclude("squares", K**2 >= e**2, "at least").as_lemma("squares")
    other = Linked("any sign", {}, {d: "", B: ""})
    other.given("at least", B >= d)
    other.by("squares", lemma, {e: d, K: B}, "at least")
    other.conclude("so", B**2 + 1 >= d**2, "squares")
    undecided(other, "squares: it applies", "squares: it applies")


def test_a_definition_is_used_if_it_is_put_for_one_of_a_lemma():
    """Its letters have domains, of which no fact that is named must speak."""
    lemma = Linked("a part", VALUES, {p: "x", e: ""})
    lemma.let(d, p / e)
    lemma.sum(M, "x", d)
    lemma.step("a part", d >= 0, "let d")
    lemma.along("parts", "x", M >= 0, "a part")
    parts = lemma.conclude("more", M + e > 0, "parts").as_lemma("parts")
    other = Linked("another", VALUES, {p: "x", e: ""})
    other.let(g, p / e)
    other.sum(N, "x", g)
    other.by("so", parts, {p: p, e: e, d: g, M: N})
    other.conclude("so it is", N + 2 * e > 0, "so")
    assert failure(other) == "None"
    data = reads(other)
    rejects({**data, "facts": data["facts"][1:]}, "nothing says what g is")


def not_negative(term: object) -> Linked:
    """A lemma about weights, used of a sum of other terms."""
    root = Linked("a sum of weights", VALUES, {p: "x"})
    root.sum(M, "x", p)
    root.along("so far", "x", M >= 0)
    root.conclude("a sum", M > -1, "so far")
    other = Linked("a sum of terms", VALUES, {term: "x"})
    other.sum(T, "x", term)
    other.by("a sum", root.as_lemma("a sum"), {p: term, M: T})
    return other.conclude("so", -T <= 6, "a sum")


def test_a_domain_of_a_lemma_with_indices_holds_at_every_value():
    """That T > -1 if f[x] >= 0 was said of each x alone, and is false."""
    undecided(not_negative(f), "a sum: it applies", "it applies")
    shown(not_negative(e))


def test_each_lemma_is_what_coq_proved_and_used_for_its_letters_alone():
    """Of two lemmas of one name, too: exp(x) <= 101 is false from x = 5 on."""
    one, of = Linked("levels", {}, {f: ""}), lemmas.TANGENT
    one.let(w, exp(f))
    one.by("above", of, {lemmas.X: f})
    put = {lemmas.X: f, exp(lemmas.X): f}  # exp of a letter would be any number
    refuses("no letter of", one.by, "again", of, put)
    one.by("below", Lemma(of.name, {}, exp(lemmas.X) <= 101, of.source), {lemmas.X: f})
    one.conclude("so", f <= 100, "above", "below")
    assert "and not" in failure(one)
    rejects(one, "is not what textbook")


def test_only_real_numbers_are_put_into_a_lemma():
    """A quotient may be none, and sympy says of 1/d and d what is false at d = 0."""
    lemma = Linked("squares", {}, {f: "", K: ""}).conclude("so", f**2 + K**2 >= 0).as_lemma("s")
    for put, why in ((1 / d, "a letter"), (I, "puts I"), (oo, "puts oo"), (pi * d, "puts pi")):
        refuses(why, Linked("a number", {}, {d: ""}).by, "so", lemma, {f: put, K: d})


def test_the_second_reader_knows_that_nothing_is_divided_by_0():
    other = Linked("sums", VALUES, {f: "x"})
    other.sum(M, "x", f**2)
    other.along("so far", "x", M >= 0)
    data = reads(other.conclude("so", M >= -1, "so far"))
    data["definitions"][0] |= {"following": "M + (f/f)**2", "term": "(f/f)**2"}
    rejects(data, "a quotient")
    other = Linked("a quotient", {}, {e: ""})
    other.let(T, 1 / e)
    data = reads(other.conclude("so", T**2 >= 0, "let T"))
    data["facts"][0] |= {"rule": "step", "formula": "0*T <= 1"}
    rejects(data, "divides by 0 nowhere")


def test_exp_of_a_product_is_not_a_product_of_exp():
    x, y, z = lemmas.X, lemmas.Y, lemmas.Z
    false = Lemma("exp", lemmas.GROWS.given, exp(x) <= exp(y * exp(z)), lemmas.GROWS.source)
    assert in_coq(false).endswith("exp x <= exp (y * exp z)")
    assert in_coq(lemmas.GROWS).endswith("exp x <= exp y * exp z")


@pytest.mark.parametrize("name", ["1*exp(b)", "True", "lambda", "a b"])
def test_a_letter_has_a_name(name):
    """Others would be read as numbers or formulas."""
    odd, why = Letter(name, "any"), "expected a name of ASCII letters"
    refuses(why, Linked, "names", {}, {odd: ""})
    refuses(why, Linked("names", {}, {f: ""}).let, odd, f + 1)


def recursion() -> Linked:
    """A recursion that adds f is at least its start and the sum of f."""
    root = Linked("a recursion", VALUES, {f: "x", K: ""})
    root.chain(M, "x", K, M + f)
    root.sum(N, "x", f)
    root.along("so far", "x", M - N >= K)
    return root.conclude("a sum", M - N >= K, "so far")


def added(term: object, put: object, letters_: dict[Letter, str]) -> Linked:
    """The recursion that adds a term is used with something in the place of f."""
    other = Linked("halves", VALUES, letters_)
    other.chain(T, "x", K, T + term)
    other.sum(U, "x", term)
    other.by("a sum", recursion().as_lemma("a sum"), {f: put, K: K, M: T, N: U})
    return other.conclude("so", T - U >= K, "a sum")


def test_what_is_put_into_a_recursion_does_not_speak_of_all_of_it():
    """With seven halves of K, T - U is below K/10 if the half of what is left at last is put."""
    refuses("speaks of T as a whole", added, -T / 2, -T / 2, {K: ""})
    data = reads(added(f, f, {K: "", f: "x"}))
    data["definitions"][0]["following"] = "T - T/2"
    data["definitions"][1] |= {"following": "U - T/2", "term": "-T/2"}
    data["facts"][0]["put"]["f"] = "-T/2"
    rejects(data, "speaks of all of it")


@pytest.mark.parametrize("name", ["sums", "moved", "a bound"])
def test_every_fact_is_needed(name):
    """The plain data without one fact, and without the names of it, is refused."""
    data = reads(mean())
    left = [each for each in data["facts"] if each["name"] != name]
    rejects({**data, "facts": left})
    bare = [{**each, "uses": [use for use in each.get("uses", ()) if use != name]} for each in left]
    rejects({**data, "facts": bare})


def test_the_second_reader_refuses_data_that_was_changed():
    data = reads(mean())
    for change in (
        {"then": "M <= K*N - 1"},
        {"facts": [*data["facts"][:-1], {**data["facts"][-1], "formula": "M <= K*N - 1"}]},
        {"facts": data["facts"][::-1]},
        {"definitions": data["definitions"][:1]},
        {"definitions": data["definitions"][::-1] * 2},
        {"letters": {**data["letters"], "K": {**data["letters"]["K"], "indices": ["x"]}}},
    ):
        rejects({**data, **change})


def test_instances_at_which_a_number_is_divided_by_0_show_nothing():
    argument = Linked("a quotient", {}, {K: "", d: ""})
    argument.given("above 0", K > 0)
    argument.step("a square", K**2 > 0, "above 0")
    argument.conclude("more", K**2 / d**2 > 0, "a square")
    assert failure(argument) != "None"  # d may be 0
    assert tried(program(argument), "x").failed is None


def path(of: Letter = M, hop: object = N <= K * e) -> Linked:
    """The first number of a path is at most so many levels times the last, if `of` is M."""
    others = {f: "j"} if of is U else {}
    argument = Linked("a path", STEPS, {K: "", g: "", e: "j", **others})
    argument.chain(M, "j", g, e)
    for each in others:
        argument.chain(U, "j", g, each)
    argument.before(N, of)
    argument.product(T, "j", K)
    argument.given("one step", hop)
    argument.given("a level", K >= 0)
    return argument


def test_facts_about_neighbours_carry_over_along_a_path_of_one_letter():
    for of in (M, U):
        argument = path(of)
        argument.along("all steps", "j", And(g <= T * M, T >= 0), "one step", "a level")
        argument.conclude("the path", g <= T * M, "all steps")
        shown(argument) if of is M else undecided(argument, "all steps: one more")


def test_what_there_is_before_a_value_is_not_what_there_is_at_the_end():
    argument = path(hop=M <= K * e)
    refuses("speaks of all of j", argument.along, "all", "j", g <= T * M, "one step")
    refuses("is not made along an index", argument.before, p_, K)


def squares(**change: object) -> Linked:
    """The rises of the square of a place add up to its rise over all steps."""
    argument = Linked("squares", STEPS, {K: "", e: "j", f: ""})
    argument.chain(M, "j", K, M + e)
    argument.before(N, M)
    for square, place in ((g, K), (T, N), (U, N + e), (B, M)):
        argument.let(square, change.get(square.name, f) * place**2)
    argument.moving(M, N, {B: (g, T, U)})
    argument.sum(d, "j", U - T)
    return argument


def test_a_function_of_a_place_moves_with_it():
    argument = squares()
    argument.along("rises", "j", Eq(d, B - g))
    shown(argument.conclude("the rise", Eq(2 * d, 2 * B - 2 * g), "rises"))
    data = reads(argument)
    for images in (["g", "U", "T"], ["T", "T", "U"], ["g", "T", "T"]):
        rejects({**data, "moving": [{**data["moving"][0], "letters": {"B": images}}]})
    for fact in data["facts"]:
        rejects({**data, "facts": [x for x in data["facts"] if x is not fact]})


def test_a_function_of_a_place_is_not_what_it_is_at_the_start_or_the_end():
    argument = squares()
    argument.along("rises", "j", Eq(d, B))
    argument.conclude("false", Eq(2 * d, 2 * B), "rises")
    assert '"rises: nothing yet" is not decided' in failure(argument)
    argument = squares()
    argument.step("whole", Eq(2 * B, 2 * f * M**2), "let B")
    refuses("speaks of all of j", argument.along, "rises", "j", Eq(d, B - g), "whole")


def test_a_letter_that_moves_is_made_alike_and_of_one_place():
    for name in "gTU":
        refuses(f'"{name}" is not made as B is', partial(squares, **{name: f + 1}))
    argument = squares()
    argument.let(p_, d * M)
    refuses("depends on more than one place", argument.moving, M, N, {p_: (g, T, U)})
    refuses("is not what there is of", argument.moving, M, K, {B: (g, T, U)})


def test_letters_move_before_an_induction_takes_them_for_fixed():
    argument = Linked("squares", STEPS, {e: "j"})
    argument.sum(M, "j", e)
    argument.before(N, M)
    for double, place in ((g, 0 * e), (T, N), (U, N + e), (B, M)):
        argument.let(double, 2 * place)
    argument.sum(d, "j", U - T)
    argument.along("the places", "j", B + M <= B + M + 1)
    why = 'letters move along j: say so before "the places"'
    refuses(why, argument.moving, M, N, {B: (g, T, U)})


@pytest.mark.parametrize(
    ("one", "other"), [("x1", "x_1"), ("p_j", "p"), ("x_1_2", "x_12"), ("eps", "epsilon"), ("Alpha", "A")]
)
def test_letters_that_look_alike_on_a_page_are_refused(one: str, other: str):
    first, second = Letter(one, "a number"), Letter(other, "a number")
    argument = Linked("numbers", STEPS, {first: "", second: "j" if other == "p" else ""})
    said = f'the letters "{one}" and "{other}" look alike on a page'
    refuses(said, argument.conclude, "both", first**2 + second**2 + 1 >= first)


def test_numbers_of_python_are_read_as_numbers():
    argument = Linked("a recursion", VALUES, {p: "x", K: ""})
    argument.chain(T, "x", 1, T + p)
    argument.chain(U, "x", Fraction(1, 3), U)
    argument.sum(N, "x", 1)
    argument.let(M, 2)
    made = argument.definitions
    assert (made[T].start, made[U].start) == (Integer(1), Rational(1, 3))
    assert (made[N].term, made[M]) == (Integer(1), Integer(2))
