"""What a reading is that a linked argument shows, at first and from the cache."""

import pytest
from sympy import And, Eq, Le, Rational
from tests.claims.examination import stored
from tests.claims.judging import failure

from pufferproof.claims.language import at_least, between, letter, letters
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.language.linked.program import _sharper
from pufferproof.claims.language.statements import USUAL, Draws, Statement
from pufferproof.claims.run.replay import checked_again
from pufferproof.claims.run.results import as_result
from pufferproof.claims.vocabulary.coq.proved import FEWEST
from pufferproof.verify.proof.argument import ClaimVerdict

p = letter("p", "a weight", at_least(0))
f = letter("f", "a value of the function")
K = letter("K", "a bound")
M, N = letters("M N", "a weighted sum")
part = letter("part", "a part of 1", between(0, 1))


def _mean(less: int = 0, missing: bool = False) -> Linked:
    mean = Linked("a mean", {"x": "the databases"}, {p: "x", f: "x", K: ""}, near={K: K})
    mean.given("a bound", f <= K)
    mean.sum(M, "x", p * f)
    mean.sum(N, "x", p)
    if not missing:
        mean.along("one more", "x", M <= K * N, "a bound")
    return mean.conclude("the mean", M <= K * N - less, "a bound" if missing else "one more")


@pytest.fixture
def examined(claimed):
    """Examine a claim that a linked argument is to show."""
    return lambda says: claimed(says, lambda check: check.linked("as printed"))


def test_a_reading_is_derived_whose_links_hold_and_whose_program_held(examined):
    check = examined(_mean())
    assert (check.verdict, check.weakness) == (ClaimVerdict.DERIVED, None)
    assert "For every x, let p[x] (a weight) be a nonnegative real number" in check.statement
    assert "Here M is the sum over x of p[x]*f[x]" in check.statement
    assert check.readings[0].trial.wanted == FEWEST <= check.readings[0].trial.met
    argument = as_result(check, 1.0)["readings"][0]["argument"]
    assert [each["name"] for each in argument["facts"]] == ["a bound", "one more", "the mean"]
    assert argument["asked"][0]["query"]
    again = checked_again(check.claim, stored(check), 20.0)
    assert again.verdict is ClaimVerdict.DERIVED


def test_what_engines_did_not_derive_is_tried_on_all_instances(examined):
    check = examined(_mean(missing=True))
    assert check.verdict is ClaimVerdict.OPEN
    assert check.readings[0].argued.failure is not None
    assert check.readings[0].trial.wanted == USUAL.instances <= check.readings[0].trial.met


def test_a_statement_without_hypotheses_needs_no_instance_at_which_it_is_false(examined):
    sums = Linked("a factor", {"x": "the databases"}, {p: "x", K: ""})
    sums.sum(M, "x", K * p)
    sums.sum(N, "x", p)
    sums.along("one more", "x", Eq(M, K * N))
    check = examined(sums.conclude("the factor", Eq(2 * M, 2 * K * N), "one more"))
    assert (check.verdict, check.weakness) == (ClaimVerdict.DERIVED, None)


GAPS = [
    (Eq(M, 0), Eq(M + Rational(1, 100), 0)),
    (Eq(M - N, 0, evaluate=False), Eq(Rational(99, 100) * M, N)),
    (Eq(M, N), Eq(Rational(99, 100) * M, N)),
    (M >= 0, Le(Rational(1, 100), M, evaluate=False)),
    (M <= 3, M + Rational(1, 100) <= 3),
    (M <= N, And(M <= Rational(99, 100) * N, M <= Rational(101, 100) * N)),
]


@pytest.mark.parametrize(("said", "near_miss"), GAPS)
def test_a_near_miss_leaves_a_gap_of_either_sign_and_of_0(said, near_miss):
    assert _sharper(said) == near_miss


@pytest.mark.parametrize("then", [Eq(K**2 - f**2, 0), K**2 + f**2 >= 2 * K * f])
def test_equations_with_0_and_bounds_below_0_have_near_misses_that_are_false(examined, then):
    equal = Linked("two numbers", {}, {K: "", f: ""}, near={K: f})
    equal.given("at most", K <= f)
    equal.given("at least", f <= K)
    check = examined(equal.conclude("so", then & (K * f >= 0), "at most", "at least"))
    assert (check.verdict, check.weakness) == (ClaimVerdict.DERIVED, None)


def test_a_lemma_applies_by_domains_of_letters_that_no_fact_speaks_of():
    between_them = Linked("a number between", {}, {K: "", M: "", f: ""})
    between_them.given("below", K <= M)
    between_them.given("above", M <= f)
    between_them.conclude("ends", 2 * K <= 2 * f, "below", "above")
    lemma, failures = between_them.as_lemma("a number between"), []
    for each in (part, 2 * part):
        ends = Linked("two ends", {}, {K: "", f: "", part: ""})
        ends.given("at most 0", K <= 0)
        ends.given("at least 1", 1 <= f)
        ends.by("ends", lemma, {K: K, M: each, f: f}, "at most 0", "at least 1")
        failures.append(failure(ends.conclude("so", K <= f, "ends")))
    assert failures[0] == "None"
    assert "it applies" in failures[1]


def test_a_false_conclusion_is_refuted_by_its_program(examined):
    assert examined(_mean(less=1)).verdict is ClaimVerdict.REFUTED


def test_what_is_no_linked_argument_is_open(examined):
    def numbers(draws: Draws) -> dict[str, int]:
        """A number from 0 to 9."""
        return {"n": draws.below(10)}

    strong, broken = {"less": {"k": 1}}, [{"n": -1}]
    check = examined(Statement(numbers, lambda n, k=0: n >= k, too_strong=strong, broken=broken))
    assert check.verdict is check.readings[0].verdict is ClaimVerdict.OPEN
    assert "it needs a linked argument" in str(check.weakness)


def test_a_statement_whose_hypotheses_are_hardly_met_is_open(examined):
    rare = Linked("a rare case", {}, {K: "", f: ""})
    rare.given("one number", Eq(7 * K, 3 + f, evaluate=False))
    rare.given("another", Eq(f, 5 * K + 1, evaluate=False))
    check = examined(rare.conclude("so", Eq(K, 2), "one number", "another"))
    assert check.verdict is ClaimVerdict.OPEN
    assert "the hypotheses hold at" in str(check.weakness)
