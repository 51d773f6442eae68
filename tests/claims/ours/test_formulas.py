"""Claims that are one formula: what says too much, or nothing, is not PROVED."""

import random
import re
from dataclasses import replace
from fractions import Fraction
from functools import partial

import pytest
import sympy
from tests.claims.examination import stored

from pufferproof.claims.language import wording
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.registry import Check, Claim, load_claims
from pufferproof.claims.run.replay import NotReproduced, checked_again
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.verify.proof.argument import Argument, ClaimVerdict, Whole, decide_whole

OPEN, PROVED = ClaimVerdict.OPEN, ClaimVerdict.PROVED


def decided(says, given=""):
    """Examine a claim that is this formula."""
    statement = formula(says, given)
    check = Check(Claim("my.claim", "here", says, "lemma", (), None, print, statement))
    check.formula()
    return check


def test_two_hypotheses_that_are_not_needed_are_to_be_left_out():
    check = decided("a + c <= R*(b + d)", "0 <= a <= R*b, 0 <= c <= R*d")
    assert check.verdict is OPEN
    said = "only not proved: leave out hypotheses that are not needed"
    assert str(check.weakness).endswith(said)
    assert decided("a + c <= R*(b + d)", "a <= R*b, c <= R*d").verdict is PROVED


def test_a_formula_names_a_claim_that_its_algebra_serves():
    claims = load_claims()
    lemmas = [each for name, each in claims.items() if name.startswith("lemma.")]
    of_formulas = [each.where for each in lemmas if each.formula is not None]
    served = [where.removeprefix("library, for ") for where in of_formulas]
    assert len(served) >= 60
    assert {*served} <= claims.keys()


@pytest.mark.parametrize(
    ("says", "given", "engine"),
    [
        ("(a**2 - b**2)/(a - b) = a + b", "", "EXACT"),
        ("exp(x) > 1 + x", "1 <= x <= 2", "INTERVAL"),
        ("x*y + 1 > x + y", "x > 1, y > 1", "KERNEL"),
        ("x**2 + y**2 >= 2*x*y", "", "KERNEL"),
        ("y = g**4", "x = g**2, y = x**2", "KERNEL"),
    ],
)
def test_each_engine_proves_what_it_may(says, given, engine):
    check = decided(says, given)
    assert check.verdict is PROVED
    assert check.readings[0].trust[0] == engine


@pytest.mark.parametrize(
    ("says", "given"),
    [
        ("(a**2 - b**2)/(a - b) = a - b", ""),  # a sign
        ("(c*(1 - q) + q)*(c*q + 1 - q) = c + (1/3 - (q - 1/2)**2)*(c - 1)**2", ""),  # a number
        ("exp(x) > 1 + x", "-1 <= x <= 2"),  # equal at 0
        ("exp(x) > 3", "x = 1"),
        ("x*y + 1 > x + y", "x > 1"),  # a domain
        ("x*y + 1 > x + y", "x > 1, y > 1, z > 0"),  # a domain that nothing needs
        ("x*y > 5", "x > 1, y > 1, x + y < 1"),  # no numbers meet these
        ("log(x) > -100", "-2 <= x <= -1"),
        ("exp(log(x)) > x - 1", "-2 <= x <= -1"),
        ("exp(x) + log(x) > log(x)", "-2 <= x <= -1"),  # a logarithm that is not defined
        ("log(x)**0 > 1/2", "-2 <= x <= -1"),
        ("exp(x) + 1/x > 1/x", "-1 <= x <= 1"),  # a division by 0
        ("x = x", ""),
        ("x*y = y*x", ""),
        ("x - x = 0*y", ""),
        ("x < 1", "x < 1"),
        ("x = 2*y", "x - 2*y = 0"),
        ("x**2 - y = (x - y)*(x + y)", "y**2 = 2"),
    ],
)
def test_a_formula_that_is_false_or_says_nothing_is_not_proved(says, given):
    assert decided(says, given).verdict is OPEN


ABOVE, BELOW = (formula("x*y + 1 > x + y", each) for each in ("x > 1, y > 1", "x < 1, y < 1"))


@pytest.fixture
def readings(claimed):
    """Examine a claim whose readings are these."""
    return partial(claimed, function=lambda check: None, statement="two orders")


def test_readings_may_be_formulas_and_their_words_are_the_statement(readings):
    check = readings({"above": ABOVE, "below": BELOW})
    found = {each.name: each.verdict for each in check.readings}
    assert found == {"above": PROVED, "below": PROVED}
    assert (check.verdict, check.weakness) == (PROVED, None)
    assert check.statement == "For all real x, y: if x > 1 and y > 1 then x*y + 1 > x + y."
    assert check.paraphrase == "two orders"
    assert "below: without x < 1" in [each.name for each in check.near_misses]


def test_a_formula_beside_a_counterexample_is_proved_again_from_the_cache(readings):
    def refuted(check):
        with check.reading("as printed") as proof:
            proof.counterexample("one", "", {"x": 2, "y": 0}, lambda: 2 * 0 + 1 <= 2 + 0)
        check.formula("above")

    check = readings({"above": ABOVE}, function=refuted)
    assert [each.verdict for each in check.readings] == [ClaimVerdict.REFUTED, PROVED]
    assert check.statement == "two orders"
    entry = stored(check)
    again = checked_again(check.claim, entry, 20.0)
    assert [each.verdict for each in again.readings] == [ClaimVerdict.REFUTED, PROVED]
    other = replace(check.claim, formulas={"above": BELOW})
    with pytest.raises(NotReproduced, match='"above" was of another formula'):
        checked_again(other, entry, 20.0)
    entry["readings"][1]["steps"][0]["certificate"] = None
    with pytest.raises(NotReproduced):
        checked_again(check.claim, entry, 20.0)


@pytest.mark.parametrize(
    ("says", "given", "values", "verdict"),
    [
        ("x**2 + 1 > 2*x", "x >= 0", {"x": Fraction(1)}, ClaimVerdict.REFUTED),
        ("x/y = x*y", "", {"x": 1, "y": 2}, ClaimVerdict.REFUTED),
        ("exp(x) > 3", "0 <= x <= 1", {"x": 1}, ClaimVerdict.REFUTED),
        ("x**2 + 1 > x", "", {"x": Fraction(1)}, None),
        ("x > 2", "x >= 1", {"x": Fraction(0)}, None),  # a hypothesis is false there
        ("x/y = x*y", "", {"x": 1, "y": 0}, None),  # it says nothing there
        ("x*y > 1", "", {"x": 0}, None),
        ("x > 2", "", {"x": True}, None),
    ],
)
def test_a_counterexample_refutes_a_formula_that_is_false_there(readings, says, given, values, verdict):
    def refuted(check):
        with check.reading("one") as proof:
            proof.counterexample("here", "", values, lambda: True)

    said = {"one": formula(says, given)}
    if verdict is not None:
        assert readings(said, function=refuted).verdict is verdict
    else:
        with pytest.raises(SolverError, match="at which the formula of the reading is false"):
            readings(said, function=refuted)


def test_a_formula_that_no_reading_is_or_that_is_opened_as_another_thing_is_refused(readings):
    for says, function, words in (
        ({"above": ABOVE, "below": BELOW}, lambda check: check.formula("above"), 'reading "below"'),
        ({"above": ABOVE}, lambda check: check.formula("other"), '"other" of .* is no formula'),
        ({"above": ABOVE, "again": ABOVE}, lambda check: None, "are one proposition"),
    ):
        with pytest.raises(ModelError, match=words):
            readings(says, function=function)
    for opened in (lambda check: check.tried("above"), lambda check: check.linked("above")):
        assert readings({"above": ABOVE}, function=opened).verdict is OPEN
    assert readings({"above": formula("x*y + 1 > x + y", "x > 1")}).verdict is OPEN
    for says, statement in ((ABOVE, "one"), ({"": ABOVE}, "one"), ({"above": ABOVE}, BELOW)):
        with pytest.raises(ModelError, match="give its one formula as statement="):
            readings(says, statement=statement)
    with pytest.raises(ModelError, match="expects a sentence, or formula"):
        readings(None, statement=3)


@pytest.mark.parametrize(
    ("says", "shown"),
    [
        ("2/x**(-1)*y = 0", "2*y/(1/x) = 0"),
        ("y - x/(1/2) < y", "y - x/(1/2) < y"),
        ("a/b/c*d = a/(b/c)", "a*d/(b*c) = a/(b/c)"),
        ("(-x)**2 - -x**2 = (x**2)**3", "(-x)^2 - (-1)*x^2 = (x^2)^3"),
        ("x - (y - z) = -(x + y)*-z", "x - (y - z) = (-x - y)*(-1)*z"),
        ("1 - x**2 > -(x**2)*y", "1 - x^2 > -(x^2)*y"),
        ("3/4*x/(99/100*y)**2 = (1/2)**2", "3*x/(4*(99*y/100)^2) = (1/2)^2"),
    ],
)
def test_words_keep_the_brackets_of_what_was_not_simplified(says, shown):
    assert wording.formula(formula(says)).rstrip(".").endswith(shown)


def _text(draws, depth):
    """Return a random expression as text."""
    if depth == 0 or draws.random() < 0.2:
        return draws.choice([*"xyz", "2", "-1", "1/2", "(-2)", "99/100"])
    one, other = _text(draws, depth - 1), _text(draws, depth - 1)
    power = f"({one})**{draws.choice(['2', '-1', '(-2)', '3'])}"
    more = f"({one})", f"-{one}", power
    return draws.choice([*(f"{one}{sign}{other}" for sign in ("+", "-", "*", "/")), *more])


def _at(text, values):
    """Return the value of a text as Python reads it, in fractions; None if it divides by 0."""
    try:
        return eval(re.sub(r"\b(\d+)", r"F(\1)", text), {"F": Fraction, **values})
    except ZeroDivisionError:
        return None


def test_words_and_text_have_the_same_value():
    draws, compared = random.Random("words"), 0
    values = {"x": Fraction(7, 3), "y": Fraction(-5, 11), "z": Fraction(13, 2)}
    for _ in range(400):
        left = _text(draws, 4)
        if (mine := _at(left, values)) is None:
            continue
        try:
            shown = wording.expression(Whole(formula(f"{left} + x = 0")).then.lhs)
        except ModelError:  # it divides by 0
            continue
        assert _at(shown, values) == mine + values["x"], left
        compared += 1
    assert compared > 300


def test_no_finite_family_and_no_definition_settles_a_formula(readings):
    def checked(check):
        with check.reading("false") as proof:
            proof.exhaust("some", "", [3, 4], lambda n: n * n > 2 * n)
        check.near_miss("of 1", lambda proof: proof.exhaust("one", "", [1], lambda n: n > 2))

    def defined(check):
        with check.reading("false") as proof:
            proof.definition("word", "x y > x + y")

    false = formula("x*y > x + y", "x > 1, y > 1")
    for says, function, statement in (
        ({"false": false}, checked, "two orders"),
        ({"false": false}, defined, "two orders"),
        (None, checked, false),
    ):
        assert readings(says, function=function, statement=statement).verdict is OPEN
    with pytest.raises(ModelError, match="expects a program, an object or a formula"):
        readings({"false": "x*y > x + y"})
    with pytest.raises(ModelError, match="or is one formula, and a reason"):
        readings({"above": ABOVE}, unsaid={"above": "why"})


def test_solvers_alone_prove_no_formula():
    check = decided("5*(1 - s**5)*(10*s**4 + 1) <= 7*(1 - s**4)*(10*s**5 + 1)", "0 <= s, s <= 1")
    assert check.readings[0].steps[0].ok
    assert check.readings[0].trust == ("Z3", "CVC5")
    assert check.verdict is OPEN
    assert "neither exact arithmetic nor" in check.weakness


@pytest.mark.parametrize(
    ("says", "given", "message"),
    [
        ("1 = 1", "", "with letters"),
        ("0.5*x = x/2", "", "found a float"),
        ("x <= 1 <= y", "", "one relation"),
        ("x != 1", "", "one relation"),
        ("x", "", 'expected a relation, found "x"'),
        ("x >", "", "expected a relation"),
        ("x(1 - x) <= 1", "", r'found "x\(1 - x\)"'),
        ("x + y >= 2", "x >= 1 and y >= 1", 'found "1 and y"'),
        ("x if y else z > 0", "", 'found "x if y else z"'),
        ("x^2 >= 0", "", r'found "x\^2"'),
        ("7//2*x > x", "x > 0", 'found "7//2"'),
        ("(x + 1j)*(x - 1j) > 0", "", 'found "1j"'),
        ("\u03b1 + 1 > \u03b1", "", "expected ASCII letters and signs"),
        ("x**2 + 1/0 >= 1/0", "", "divisors other than 0"),
        ("x/0 = 1", "", "divisors other than 0"),
        ("x**2 + 1/(1 - 1) >= x", "", "divisors other than 0"),
        ("x**2 + 0**(1 - 2) >= x", "", "divisors other than 0"),
        ("sin(x) <= 1", "", r'found "sin\(x\)"'),
        ("lambda <= 1", "", "expected an expression"),
        ("x/y > 0", "x > 0, y > 0", "a division by y"),
        ("x <= 1", "x", 'expected a relation, found "x"'),
        ("eps + epsilon > 0", "", "look alike on a page"),
        ("x1 + x_1 > 0", "", "look alike on a page"),
        ("Alpha*A > 1", "", "look alike on a page"),
        ("sum_x > 0", "", "as the sign of a sum"),
    ],
)
def test_a_text_that_is_no_formula_is_refused(says, given, message):
    with pytest.raises(ModelError, match=message):
        formula(says, given)


@pytest.mark.parametrize(
    ("says", "given", "message"),
    [
        ("x/(x - x) = 1", "", "a denominator other than 0"),
        ("x**y*x = x**(y + 1)", "", "expected a polynomial"),
        ("exp(x) > 1 + x", "2 <= x <= 1", "2 exceeds 1"),
        ("exp(x) > 1 + x", "x >= 1", "both ends"),
        ("exp(x) > 1 + x", "1 < x < 2", "that it may reach"),
        ("exp(x) > 1 + x", "1 <= x <= 2, 3/2 <= x", "each once"),
        ("exp(x) > y", "x = 1", "one letter"),
        ("exp(x) = 1", "x = 0", "expected an inequality"),
    ],
)
def test_a_formula_that_no_engine_decides_is_an_error(says, given, message):
    with pytest.raises(SolverError, match=message):
        decided(says, given)


def test_a_letter_with_a_sentence_as_its_name_or_a_division_by_0_is_an_error():
    x, y, odd = sympy.Symbol("x"), sympy.Symbol("y"), sympy.Symbol("0 and y")
    zero = sympy.Pow(0, -1, evaluate=False)
    for each, words in (
        (sympy.Eq((odd + y) ** 2, odd**2 + 2 * odd * y + y**2, evaluate=False), 'found "0 and y"'),
        (odd**2 >= 0, 'found "0 and y"'),
        (sympy.Ge(x**2 + zero, zero, evaluate=False), "polynomials, found a division by 0"),
    ):
        with pytest.raises(SolverError, match=words):
            decide_whole("odd", "", each, 5.0)


def test_the_hypotheses_of_an_identity_are_its_denominators():
    a, b, p, q = sympy.symbols("a b p q")
    whole = Whole(formula("(a/p)/(b/q) = a*q/(b*p)"))
    assert {*whole.given} == {sympy.Ne(each, 0) for each in (b, p, q)}
    assert formula("(a + b)**2 - (a - b)**2 = 4*a*b").free_symbols == {a, b}


def test_an_identity_that_hides_a_denominator_is_not_the_whole_statement():
    x, y = sympy.symbols("x y")
    sides = (x**2 - y**2) / (x - y), x + y
    argument = Argument("as printed", whole=sympy.Eq(*sides, evaluate=False))
    assert argument.identity("s", "", *sides)
    assert argument.verdict is OPEN


def test_a_formula_is_read_as_it_stands():
    said = formula("x/x + 0*y = 1")
    assert str(Whole(said).then.lhs) == "0*y + x/x"
    assert said.free_symbols == {*sympy.symbols("x y")}


def test_near_misses_exchange_sides_or_take_99_hundredths_and_drop_each_hypothesis():
    check = decided("x*y + 1 > x + y", "x > 1, y > 1")
    changes = ("the sides exchanged", "without x > 1", "without y > 1")
    assert [each.name for each in check.near_misses] == [f"as stated: {each}" for each in changes]
    equal = decided("(x + 1)**2 = x**2 + 2*x + 1")
    assert equal.near_misses[0].name == "as stated: 99/100 of the right side"


def test_the_text_of_a_formula_keeps_brackets_around_a_fraction_by_which_is_divided():
    said = formula("x > -y/(99/100)", given="x > 0, y/(1/3) > 1")
    assert wording.plain(said) == "Implies((x > 0) & (y/(1/3) > 1), x > -y/(99/100))"
    assert wording.plain(formula("x*x > x/2", given="x > 1")) == "Implies(x > 1, x*x > x/2)"
