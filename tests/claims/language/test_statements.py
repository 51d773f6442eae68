"""Statements that run: false ones are found and made small, blind families are seen."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice
from random import Random

import pytest
from tests.claims.examination import stored

from pufferproof.claims.language import at_least, letter
from pufferproof.claims.language.formulas import formula
from pufferproof.claims.language.linked import Linked
from pufferproof.claims.language.statements import Draws, Effort, Statement, run, tried
from pufferproof.claims.language.statements.draws import smaller, smallest
from pufferproof.claims.language.statements.reading import reads
from pufferproof.claims.language.statements.trial import BREAKING
from pufferproof.claims.registry import Claim, load_claims
from pufferproof.claims.run import as_result
from pufferproof.claims.run.replay import NotReproduced, checked_again
from pufferproof.models.errors import ModelError, SolverError
from pufferproof.verify.proof.argument import ClaimVerdict
from pufferproof.verify.proof.smt import OutOfTime, limited

F = Fraction
q = letter("q", "a number", at_least(0))


def numbers(draws):
    """Up to four whole numbers from 0 to 9."""
    return {"x": [draws.below(10) for _ in range(draws.below(5))], "bound": draws.below(30)}


def short(x, bound):
    return len(x) < 3


def nine(draws):
    """A list with 9, and the bound 10."""
    return {"x": [9], "bound": 10}


TRUE = Statement(
    numbers, holds=lambda x, bound, more=0: sum(x) >= max(x, default=0) + more, too_strong={"of two": {"more": 1}}
)
FALSE = replace(TRUE, holds=lambda x, bound, more=0: sum(x) + more <= bound)


def test_a_true_statement_is_tried_as_often_as_asked_and_its_near_misses_are_seen():
    trial = tried(TRUE, "seed", Effort(200))
    assert (trial.met, trial.failed, trial.weakness) == (200, None, None)
    assert trial.hard_tried == 0
    assert TRUE.near_misses()["of two"](trial.missed["of two"])


def test_an_instance_that_is_drawn_again_counts_again_and_is_asked_about_once():
    asked = []

    def holds(x, most=9):
        asked.append(x)
        return x != 7 and x <= most

    def digits(draws):
        """A digit."""
        return {"x": draws.below(10)}

    given, strong = {"not 7": lambda x: x != 7}, {"at most 8": {"most": 8}}
    edges = [{"x": 5}, {"x": 5}]
    says = Statement(digits, holds, given, too_strong=strong, too_weak=["not 7"], edges=edges)
    trial = tried(says, "seed", Effort(300))
    assert trial.met == 300 < trial.tried
    assert trial.weakness is None
    numbers_asked = [each for each in asked if type(each) is int]
    assert max(map(numbers_asked.count, range(10))) < 30


def test_the_same_name_draws_the_same_instances_and_another_seed_others():
    assert tried(FALSE, "n").tried == tried(FALSE, "n").tried
    assert len({tried(FALSE, "n", Effort(9, f"{k}")).seed for k in range(5)}) == 5


def test_a_statement_is_tried_or_refuted_at_a_smallest_instance(claimed):
    assert claimed(TRUE).verdict is ClaimVerdict.TRIED
    check = claimed(FALSE)
    assert check.verdict is ClaimVerdict.REFUTED
    result = as_result(check, 0.0)
    assert result["counterexample"] == {"x": [1], "bound": 0}
    assert json.loads(json.dumps(result)) == result
    again = checked_again(check.claim, stored(check), check.timeout)
    assert again.verdict is ClaimVerdict.REFUTED
    forged = stored(check)
    forged["readings"][0]["trial"]["tried"] += 1
    with pytest.raises(NotReproduced):
        checked_again(check.claim, forged, check.timeout)


LESS = {"less": {"most": 8}}


def low(x, bound, most=30):
    return bound <= most


def weak(holds, given=None, too_strong=None, **more):
    strong = {"less": lambda x, bound: bound < 9} if too_strong is None else too_strong
    return Statement(numbers, holds, given or {}, too_strong=strong, **more)


WEAK = {
    "the hypotheses hold at 0 of 20000 instances": weak(low, {"no": lambda x, bound: False}, LESS),
    'miss "the same" is false': weak(lambda x, bound: bound >= 0, too_strong={"the same": {}}),
    'miss "without: short" is false': weak(low, {"short": short}, {}, too_weak=["short"]),
    "the conclusion reads nothing of an instance": weak(lambda x, bound: True),
    "reads nothing of an instance, so": weak(lambda x, bound: bound >= 0, {"i": lambda **_: True}),
    'miss "no" reads nothing': weak(lambda x, bound: bound >= 0, None, {"no": lambda **_: False}),
    "conclusion was false at no instance": weak(lambda x, bound: len(x) == len(sorted(x))),
    "the hypotheses hold the conclusion is true": weak(short, {"short": short}),
    'the near miss "even" is true at an instance at which the conclusion is false': weak(
        lambda x, bound: short(x, bound) and bound >= 0, {"short": short}, {"even": lambda x, bound: bound % 2 == 0}
    ),
    "the family draws one instance, again and again": replace(TRUE, family=nine),
    "always says that the conclusion is false at no data, and it is false at x = ": weak(
        lambda x, bound, most=25: bound <= most, {"small": lambda x, bound: bound < 20}, LESS, always="so"
    ),
}


def test_what_answers_otherwise_later_is_seen():
    asked = count()
    odd = weak(low, {"at times": lambda x, bound: next(asked) % 3 > 0}, LESS)
    said = 'the hypothesis "at times" says another thing of an instance when it is asked again'
    assert tried(odd, "seed").weakness == said


@pytest.mark.parametrize("words", WEAK)
def test_what_cannot_see_leaves_the_claim_open_and_says_so_when_it_is_stored_too(claimed, words):
    check = claimed(WEAK[words])
    assert check.verdict is ClaimVerdict.OPEN
    assert words in check.weakness
    again = checked_again(check.claim, stored(check), check.timeout)
    assert again.verdict is ClaimVerdict.OPEN


def test_a_statement_that_takes_too_long_leaves_the_claim_open(claimed):
    def slow(x, bound):
        while True:
            bound += 1

    check = claimed(Statement(numbers, slow, too_strong={"no": {"bound": 3}}), timeout=0.1)
    assert check.verdict is ClaimVerdict.OPEN
    assert "time" in check.weakness


@pytest.mark.parametrize(
    ("holds", "error", "words"),
    [
        (lambda x, bound: len(x), SolverError, rf"True or False.*{__file__}:\d+, found int"),
        (lambda x, limit: True, SolverError, rf"{__file__}:\d+.*unexpected keyword"),
        (lambda x, bound: x < bound, TypeError, "not supported"),
    ],
)
def test_a_predicate_of_other_entries_or_values_is_named_by_its_place(claimed, holds, error, words):
    with pytest.raises(error, match=words):
        claimed(Statement(numbers, holds, too_strong={"no": lambda **_: False}))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "near miss"),
        ({"too_weak": ["unknown"]}, "expected one of the hypotheses"),
        ({"too_strong": {"less": {"level": 1}}}, 'near miss "less", found "level"'),
    ],
)
def test_a_statement_needs_a_near_miss_of_its_parameters_and_known_hypotheses(options, words):
    with pytest.raises(SolverError, match=words):
        Statement(numbers, holds=lambda x, bound: True, **options)


def test_a_function_that_opens_no_reading_leaves_that_to_its_statements(claimed):
    check = claimed({"one": TRUE, "another": FALSE}, lambda check: None)
    verdicts = [(each.name, each.verdict.value) for each in check.readings]
    assert verdicts == [("one", "TRIED"), ("another", "REFUTED")]
    assert check.verdict is ClaimVerdict.DEPENDS
    assert claimed(None, lambda check: None).verdict is ClaimVerdict.OPEN


@pytest.mark.parametrize("opens", [False, True])
def test_the_headline_is_that_of_the_weakest_reading(claimed, opens):
    def both(check):
        with check.reading("few") as argument:
            argument.exhaust("all", "", range(3), lambda n: n < 3)
        check.near_miss("few: more", lambda few: few.exhaust("all", "", range(4), lambda n: n < 3))
        check.tried("one")
        if opens:
            check.stated("another")

    check = claimed({"one": TRUE}, both, unsaid={"few": "it lists numbers"})
    weakest = ClaimVerdict.OPEN if opens else ClaimVerdict.TRIED
    assert [each.verdict.value for each in check.readings[:2]] == ["CHECKED", "TRIED"]
    assert (check.weakness, check.verdict) == (None, weakest)
    silent = claimed({"one": TRUE}, both)  # without a reason
    assert '"few": it has no statement that runs' in silent.weakness


def test_each_reading_has_its_own_statement(claimed):
    assert claimed({"as stated": TRUE}).readings[0].trial.failed is None
    with pytest.raises(ModelError, match='no reading "other"'):
        claimed({"other": TRUE})


READING = {
    "an operator": lambda x, bound: bound + 1,
    "from the right": lambda x, bound: F(1, 2) < bound,
    "a fraction of it": lambda x, bound: F(bound, 2) == 1,
    "truth": lambda x, bound: not x,
    "its length": lambda x, bound: len(x) > 1,
    "an item": lambda x, bound: x[0] == 1,
    "going through it": lambda x, bound: [*x] == [],
    "hashing": lambda x, bound: {x: 1} == {},
    "an attribute": lambda x, bound: x.count(1) == 1,
    "a type": lambda x, bound: int(bound) == 1,
    "returning it": lambda x, bound: bound,
    "an error after it": lambda x, bound: max(x) > bound,
}
IGNORING = {
    "a constant": lambda x, bound: True,
    "handing it on": lambda **at: len(at) == 2,
    "a list around it": lambda x, bound: len([x, bound]) == 2,
    "whether it is None": lambda x, bound: x is not None,
}


@pytest.mark.parametrize("words", [*READING, *IGNORING])
def test_every_use_of_an_entry_is_reading_and_handing_it_on_is_none(words):
    use = READING.get(words) or IGNORING[words]
    assert reads(use, {"x": [1, 2], "bound": 3}) is (words in READING)


def test_reading_is_asked_about_some_entries():
    of = {"x": [1], "bound": 3}
    assert [reads(READING["its length"], of, [name]) for name in of] == [True, False]


def levels(draws):
    """A number from 0 to 9, and a bound that is not smaller."""
    x = draws.below(10)
    return {"x": x, "bound": x + draws.below(2)}


BOUNDED = {"x <= bound": lambda x, bound: x <= bound}


def test_a_near_miss_is_the_conclusion_with_other_arguments():
    strong = {"one": {"less": 1}, "an entry": lambda bound, **_: {"bound": bound - 1}}
    says = Statement(levels, lambda x, bound, less=0: x <= bound - less, BOUNDED, too_strong=strong)
    trial = tried(says, "seed")
    assert trial.weakness is None
    for words, other in says.stronger().items():
        at = trial.missed[words]
        assert (says.concludes(at), other.concludes(at)) == (True, False)


def test_a_near_miss_implies_the_conclusion_whatever_it_is_given():
    def holds(x, bound, sign=1):
        return sign * x <= sign * bound

    says = Statement(levels, holds, BOUNDED, too_strong={"the other way": {"sign": -1}})
    other = says.stronger()["the other way"]
    said = [other.concludes({"x": x, "bound": bound}) for x, bound in ((5, 3), (3, 5), (3, 3))]
    assert said == [False, False, True]
    assert tried(says, "seed").weakness is None


def test_broken_instances_are_given_where_none_is_found():
    def sorted_numbers(draws):
        """The numbers 1, 2, 3."""
        return {"numbers": [1, 2, 3], "times": 1 + draws.below(5)}

    def holds(numbers, times, last=None):
        return "end" not in numbers and times * len(numbers) != last

    says = Statement(sorted_numbers, holds, too_strong={"not 9": {"last": 9}})
    assert "false at no instance" in tried(says, "seed").weakness
    shown = tried(replace(says, broken=[{"numbers": ["end"], "times": 1}]), "seed")
    assert (shown.weakness, shown.denied["numbers"]) == (None, ["end"])
    assert tried(replace(says, always="three numbers have no end"), "seed").weakness is None


def replaced(says: Statement) -> dict[str, Statement]:
    """A statement with a conclusion that says nothing in the place of its own."""
    entries = set(says.family(Draws(None)))

    def nothing(**at):
        return all(each is each and (each == each or True) for each in at.values()) or True

    def beside_hypotheses(**at):
        with suppress(ModelError):  # a root, at numbers of a near miss
            if says.meant({name: at[name] for name in entries}):
                return True
        return says.holds(**at)

    return {
        "true of everything": replace(says, holds=nothing, broken=()),
        "true where hypotheses hold": replace(says, holds=beside_hypotheses),
    }


def refused(says: Statement, number: int) -> bool:
    """Whether a trial finds that a conclusion says nothing, on few instances."""
    trial = run.Run(says, "seed", number)
    trial.usual.source = islice(trial.usual.source, number)
    trial.hard.ended = True
    trial.go()
    with suppress(OutOfTime), limited(BREAKING):
        trial.deny(Random(1))
    return not trial.says


def programs() -> dict[str, Statement]:
    """The statements of the package that are programs, by the name of a reading."""
    found = {id(says): (f"{each.id} {name}", says) for each, name, says in statements()}
    return {name: says for name, says in found.values() if type(says) is Statement}


@pytest.mark.claims
def test_a_conclusion_that_says_nothing_is_refused_in_every_program(monkeypatch):
    monkeypatch.setattr(run, "BROKEN", 100)
    accepted = [
        (name, words)
        for name, program in programs().items()
        for words, says in replaced(program).items()
        if not refused(says, 100)
    ]
    assert programs()
    assert accepted == []


def test_near_misses_of_the_package_are_conclusions_with_other_arguments():
    """None is a predicate of its own, as claims of users may have; few are false at no data."""
    assert sum(bool(says.always) for says in programs().values()) <= 60
    own = [
        (name, words)
        for name, says in programs().items()
        for words, change in says.too_strong.items()
        if not isinstance(change, Mapping) and not isinstance(change(**says.family(Draws(None))), Mapping)
    ]
    assert own == []


def test_laws_sum_to_one_and_have_zeros_and_ties():
    draws = Draws(Random(1))
    laws = [draws.law(3) for _ in range(300)]
    assert {sum(each) for each in laws} == {1}
    assert [F(1), F(0), F(0)] in laws
    assert all(min(draws.positive_law(3)) > 0 for _ in range(100))


def test_the_smallest_choices_fail_and_no_single_step_makes_them_smaller():
    def fails(draws):
        return sum(draws.below(100) for _ in range(draws.below(6))) >= 100

    best = smallest([1, 5, 60, 60, 60, 3, 9], fails)
    assert fails(Draws(None, best))
    assert (best[:2], len(best), sum(best[2:])) == ([0, 2], 4, 100)
    assert all((len(each), each) < (len(best), best) for each in smaller(best))


def statements() -> list[tuple[Claim, str, Statement]]:
    claims = load_claims().values()
    return [(each, name, says) for each in claims for name, says in each.says.items()]


def test_claims_without_a_program_are_exceptions_with_reasons():
    """A reading without a statement that runs and without a reason is OPEN, as recorded of none."""
    reasons = [why for each in load_claims().values() for why in each.unsaid.values()]
    assert all(len(why.split()) >= 5 for why in reasons)
    assert len(reasons) <= 48


def test_a_reading_that_is_tried_has_a_statement_that_runs_and_no_reason_why_not(claimed):
    for unsaid in (None, "one formula"):
        silent = claimed(None, unsaid=unsaid)
        assert silent.verdict is silent.readings[0].verdict is ClaimVerdict.OPEN
        assert "it needs a statement that runs" in silent.weakness
    with pytest.raises(ModelError, match="and a reason why it has none"):
        claimed(TRUE, unsaid={"as stated": "no"})
    with pytest.raises(ModelError, match='has no reading "another"'):
        claimed(None, unsaid={"another": "no"})


def test_a_reading_has_one_statement(claimed):
    """Else a formula that is true would prove the words of an object that is false."""
    true = formula("x*y + 1 > x + y", given="x > 1, y > 1")
    for says in (false_object(), TRUE):
        with pytest.raises(ModelError, match="has two statements, the formula of statement="):
            claimed(says, statement=true)
        both = {"": says, "as printed": true}
        with pytest.raises(ModelError, match="has two statements, a formula and another"):
            claimed(both, lambda check: check.formula("as printed"))


def squares(argument, least=0):
    argument.exhaust("squares", "n to 8", range(9), lambda n: n * n >= least)


def counted(argument):
    argument.counterexample("one", "", {"q": 1}, lambda: True)


@pytest.mark.parametrize("steps", [squares, counted])
def test_no_finite_family_settles_an_object_nor_another_counterexample(claimed, steps):
    """Only one of its program refutes it."""

    def settled(check):
        with check.reading("as printed") as argument:
            steps(argument)
        check.near_miss("at least 1", lambda argument: squares(argument, 1))

    found = claimed(false_object(), settled, statement=None)
    assert found.verdict is ClaimVerdict.OPEN
    assert "its statement is an object, which no steps settle" in found.weakness


def test_no_claim_is_its_own_repair(claimed):
    """Else it would not be counted among the errors of its paper."""
    with pytest.raises(ModelError, match="names itself as its repair"):
        claimed(TRUE, repair="x.tried")


def false_object():
    """A linked argument without facts that is false beyond the numbers on which it is tried."""
    found = Linked("numbers", {"x": "the databases"}, {q: "x"})
    found.conclude("small", q * (1000 - q) >= 0)
    return found
