"""The language of claims: domains are hypotheses that are seen, edits change what they say."""

import pickle
from dataclasses import replace

import pytest
from sympy import And, Eq, Not, Or, Symbol

from pufferproof.claims.language import (
    Edit,
    Proof,
    above,
    at_least,
    at_most,
    below,
    between,
    edited,
    letter,
    letters,
    other_than,
    proved,
)
from pufferproof.claims.language.letters import Letter, domains
from pufferproof.claims.language.proof import REMOVED
from pufferproof.claims.registry import Check, Claim, _one_meaning_each
from pufferproof.claims.run import as_result
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.verify.proof.argument import ClaimVerdict
from pufferproof.verify.proof.formulas import nothing_decided

L = letter("L", "the largest ratio", at_least(1))
M, N = letters("M N", "sums so far", at_least(0))
m, n = letters("m n", "the next terms", at_least(0))
w = letter("w", "a weight", between(0, 1))
x = letter("x", "any number")
c = letter("c", "a constant above 2", above(2))

TESTED = {"": "of a test"}


def bounded(proof: Proof) -> None:
    """Sums so far keep a bound that every term keeps, and so do those with one term more."""
    proof.inequality("one more", "s", M + m <= L * (N + n), [M <= L * N, m <= L * n])


def check_of(function, statement="A sentence."):
    return Check(Claim("mine.test", "here", statement, "lemma", (), None, function, unsaid=TESTED))


def examined(proof, **near_misses):
    check = check_of(lambda check: None)
    proved(check, "reading", "all", proof, **near_misses)
    return check


def one_step(*arguments, **options):
    proof = Proof("one")
    proof.inequality("step", "s", *arguments, **options)
    return proof.steps[0]


def test_a_domain_is_a_hypothesis_of_every_step_with_the_letter_in_formula_and_query():
    step = one_step(w * L <= L)
    assert step.ok
    assert set(step.formula.args[0].args) == {L >= 1, w >= 0, w <= 1}
    assert step.query.count("(assert") == 4
    more = one_step(m * L >= 0, [L > 1])  # what a hypothesis says more of is not repeated
    assert more.formula.args[0] == (L > 1) & (m >= 0)


def test_letters_with_one_name_and_two_meanings_are_two_symbols():
    other = Letter("L", "something else", [at_least(1)])
    assert other != L
    assert Letter("L", "the largest ratio", [at_least(1)]) == L
    assert Symbol("L") != L
    with pytest.raises(SolverError, match="two called"):
        one_step(other <= L + m)


def test_a_letter_survives_pickling():
    assert pickle.loads(pickle.dumps(L * w)) == L * w
    assert pickle.loads(pickle.dumps(L)).domain == (L >= 1,)


def declare(code):
    """Run a file of claims; return its names."""
    header = "from pufferproof.claims.language import above, at_least, at_most, letter, letters\n"
    names = {"__name__": "claims_of_a_test"}
    exec(compile(header + code, "claims", "exec"), names)
    return names


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('a = letter("a", "one thing")\nb = letter("a", "another thing")', '"a" has two meanings'),
        ('for some in [()], [above(0)]:\n    letter("a", "a thing", *some)', "two meanings"),
        ('a = letter("a", " ")', "what the letter"),
        ('a = letter("a", "a weight; all is private")', "a name for the letter"),
        ('a = letter("a", "a weight. All is private")', "a name for the letter"),
        ('a = letter("a", "a weight) be any number (so")', "a name for the letter"),
        ('a = letter("a", "a weight", positive=True)', "found positive=True"),
        ('def f():\n    return letter("a", "a thing")\nf()', "at the top of a file"),
        ('a = letters("a", "a thing")', 'several letters, found "a": declare one by letter'),
        ('() = letters(" ", "a thing")', 'several letters, found " "'),
        ('a = letter("a", "a thing", at_least(2), at_most(1))', "no number is in the domain"),
        ('a = letter("a", "a thing", above(1), at_most(1))', "no number is in the domain"),
    ],
)
def test_declarations_that_are_refused(code, message):
    with pytest.raises(ModelError, match=message):
        declare(code)


def test_bounds_are_conditions_on_the_letter():
    declare('a = letter("a", "a thing", at_least(1), at_most(1))\n' * 2)  # one number is possible
    bounds = [at_least(1), above("1/2"), at_most(3), below(4), other_than(2)]
    v = Letter("v", "a number", bounds)
    assert v.domain_text == "v >= 1, v > 1/2, v <= 3, v < 4, v != 2"
    assert len(domains([v + m])) == 6


def test_an_imported_letter_may_not_mean_two_things_in_a_claim():
    check = check_of(declare('L = letter("L", "a length")\ndef f(check): pass')["f"])
    with check.reading("r") as proof:
        bounded(proof)
    with pytest.raises(ModelError, match="two meanings"):
        _one_meaning_each(check)


def test_letters_and_their_domains_are_among_what_a_claim_says():
    check = check_of(test_letters_and_their_domains_are_among_what_a_claim_says)
    said = as_result(check, 0.0)["letters"]
    assert said["L"] == {"meaning": "the largest ratio", "domain": "L >= 1"}
    assert said["w"]["domain"] == "w >= 0, w <= 1"
    assert said["x"]["domain"] == ""


def test_domains_that_contradict_hypotheses_or_say_the_conclusion_prove_nothing():
    against, same = one_step(x > 1000, [Eq(m, -1)]), one_step(L >= 1)
    assert (against.ok, same.ok) == (False, False)
    assert "not shown to be satisfiable" in against.detail
    assert "one of the hypotheses" in same.detail


def test_a_letter_that_is_defined_has_no_domain():
    proof = Proof("one")
    with pytest.raises(SolverError, match="is defined and has a domain"):
        proof.definition("c", "s", Eq(c, m - n))
    proof.definition("x", "s", Eq(x, m - n))


def test_a_statement_without_the_domain_is_not_proved_under_it():
    check = check_of(lambda check: None)
    check.claim = replace(check.claim, formula=m * n >= 0)
    proved(check, "reading", "all", lambda proof: proof.inequality("s", "s", m * n >= 0))
    assert check.readings[0].verdict is ClaimVerdict.OPEN


def several(proof: Proof) -> None:
    for name, size in (("small", 5), ("large", 50)):
        proof.exhaust(name, "s", range(size), lambda k, size=size: k < size)


@pytest.mark.parametrize(
    ("edit", "refuted"),
    [
        (Edit("small", family=range(6)), ["small"]),
        (Edit("small", holds=lambda k: k < 4), ["small"]),
        (Edit("small", family=range(4), holds=lambda k: k < 3), ["small"]),
        ([Edit("small", family=range(6)), Edit("large", family=range(60))], ["small", "large"]),
    ],
)
def test_a_near_miss_is_the_proof_with_an_edit_that_is_found_false(edit, refuted):
    check = examined(several, miss_it=edit)
    (near,) = check.near_misses
    assert near.name == "reading: miss it"
    assert [step.name for step in near.steps if step.refuted] == refuted
    again = [step.name for step in near.steps if step.seconds == 0.0]  # not run again
    assert again == [step.name for step in near.steps if step.name not in refuted]


def test_a_near_miss_may_be_an_edit_of_another_proof_or_a_proof_of_its_own():
    check = examined(
        lambda proof: proof.exhaust("s", "s", range(3), lambda k: k < 3),
        edited=edited(several, Edit("small", family=range(6))),
        own=lambda proof: proof.inequality("false", "s", m >= n),
    )
    assert [miss.steps[0].refuted for miss in check.near_misses] == [True, True]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (Edit("no such step", family=range(6)), "no step"),
        (Edit("small"), "found none"),
        ([Edit("small", family=range(6)), Edit("nowhere", family=())], 'no step "nowhere"'),
    ],
)
def test_an_edit_that_hits_nothing_is_refused(edit, message):
    with pytest.raises(SolverError, match=message):
        examined(several, miss=edit)


def test_a_near_miss_that_holds_leaves_the_claim_open():
    check = examined(several, fewer=Edit("small", family=range(4)))
    assert "proves too much" in check.weakness
    assert check.verdict is ClaimVerdict.OPEN


@pytest.mark.parametrize(
    ("conclusion", "hypothesis", "said"),
    [
        # alternatives are compared up to rearrangement
        (Or(m - n > 0, Eq(x, 0)), Or(Eq(2 * x, 0), n < m), True),
        (Or(m > n, Eq(x, 0)), Or(Eq(x, 1), n < m), False),
        (m <= n, Not(m > n, evaluate=False), True),
        (Not(m > n, evaluate=False), m <= n, True),
        (m <= n, Not(m >= n, evaluate=False), True),
        (m <= n, Not(m < n, evaluate=False), False),
        (m <= n, Not(And(m > n, x > 0)), False),
    ],
)
def test_a_conclusion_that_a_hypothesis_says_decides_nothing(conclusion, hypothesis, said):
    assert (nothing_decided(conclusion, [hypothesis]) is not None) is said


def test_an_identity_that_repeats_a_value_is_refused():
    proof = Proof("one")
    assert not proof.identity("s", "s", "a", "1/2", at={"a": "1/2"})
    assert proof.identity("t", "s", "1 - a", "1/2", at={"a": "1/2"})


@pytest.mark.parametrize("name", REMOVED)
def test_a_step_that_is_gone_says_what_to_write_instead(name):
    with pytest.raises(ModelError, match=r"no proof\.\w+ any more: .* open it with check\.tried"):
        getattr(Proof("as printed"), name)("step", "a sentence", "lemma.bernoulli")
    assert not hasattr(Proof("as printed"), "no_such_step")


@pytest.mark.parametrize("evidence", [{"x": 2**0.5}, {"p": [1, [0.5]]}, {"law": {"a": (0.25,)}}])
def test_a_counterexample_has_no_floats(evidence):
    with pytest.raises(SolverError, match="expected exact values, found the float"):
        Proof("one").counterexample("root", "", evidence, lambda: True)


def test_steps_alone_carry_no_verdict():
    check = examined(bounded)
    assert check.verdict is ClaimVerdict.OPEN
    assert check.weakness.startswith('reading "reading": steps carry no verdict: open it with')
