"""Programs whose output has another form on some databases: another number of noisy parts, another
key, text instead of a number. A form that is impossible given one secret of a pair and possible
given the other one shows everything, whatever the numbers are.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pufferproof import Framework, MarkovChain, Records, Verdict, audit
from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import Program
from pufferproof.verify.programs.mechanism import as_mechanism
from pufferproof.verify.programs.noise import SOME_NUMBER, Forms, meet, value_of_drawn

SPACE = Framework(Records(2, ("0", "1", "2")), neighbours="add-remove")
SOME = Framework([x for x in SPACE.databases if x], neighbours="add-remove")


def numbers(data):
    return np.array(list(data), dtype=float)


def private_size(data, rng):
    return (np.clip(numbers(data), -1.0, 1.0).sum() + rng.laplace(0.0, 1.0)) / len(data)


def spent_twice(data, rng):
    return sum(map(int, data)) + rng.laplace(0, 1), len(data) + rng.laplace(0, 1)


def too_sensitive(data, rng):
    return 10 * numbers(data).sum() + rng.laplace(0, 1)


def without_noise(data, rng):
    return len(data) + rng.laplace(0, 0.0)


def right(data, rng):
    return float(np.sum(numbers(data) == 1)) + rng.laplace(0.0, 1.0)


def inferred_domain(data, rng):
    classes = np.unique(numbers(data))
    return [np.sum(numbers(data) == c) + rng.laplace(0, len(classes)) for c in classes]


def not_a_number(data, rng):
    x = np.array([np.nan if c == "2" else 1.0 for c in data])
    return np.sum(np.clip(x, -5, 5)) + rng.laplace(0, 5.0)


@pytest.mark.parametrize(
    ("program", "space", "nats"),
    [
        (private_size, SOME, None),
        (spent_twice, SPACE, 3),
        (too_sensitive, SPACE, 20),
        (without_noise, SPACE, None),
        (right, SPACE, 1),
        (inferred_domain, SPACE, None),
    ],
)
def test_the_mistakes_of_dp_recorder_are_decided(program, space, nats):
    if nats is None:
        assert audit(space, program).leakage.infinite
        return
    less = Fraction(nats) - Fraction(1, 10**9)
    assert audit(space, program, epsilon=nats).verdict is Verdict.SATISFIES
    assert audit(space, program, epsilon=less).verdict is Verdict.VIOLATES


def test_what_is_no_number_is_refused_by_name():
    with pytest.raises(ModelError, match=r"(?i)nan"):
        audit(SPACE, not_a_number)


def other_key(data, rng):
    return {c: data.count(c) + rng.laplace() for c in sorted(set(data))}


def other_kind(data, rng):
    return "none" if not data else [len(data) + rng.normal(0, 2), rng.normal()]


def noise_or_constant(data, rng):
    return [len(data) + rng.laplace(), rng.laplace() if "1" in data else 5]


def integers(data, rng):
    return [data.count(c) + rng.geometric(0.5) - rng.geometric(0.5) for c in sorted(set(data))]


def one_integer(data, rng):
    return len(data) + rng.geometric(0.5) - rng.geometric(0.5) if data else "none"


def random_form(data, rng):
    if rng.random() < 0.5:
        return [rng.laplace(), rng.laplace()]
    return "x" if data.count("0") else [rng.laplace()]


@pytest.mark.parametrize("program", [other_key, other_kind, noise_or_constant, integers, one_integer, random_form])
def test_a_form_that_is_impossible_under_a_neighbour_leaks_everything(program):
    made = audit(SPACE, program, epsilon=20)
    assert made.verdict is Verdict.VIOLATES
    assert made.leakage.infinite
    first, second = made.witness.pair
    draws = np.random.default_rng(1)
    forms = [{form(program(x, draws)) for _ in range(200)} for x in (first, second)]
    assert forms[0] - forms[1]


def form(output):
    """The form of an output that was drawn, its keys, or which numbers are constant."""
    if isinstance(output, dict):
        return tuple(output)
    return tuple(x == 5 for x in output) if isinstance(output, list) else output


def test_a_form_tells_delta_as_well():
    made = audit(SPACE, random_form, epsilon=1, delta="0.49")
    lower, upper = made.delta.bounds()
    assert made.verdict is Verdict.VIOLATES  # "x" has probability 1/2 given "0", and 0 given ""
    assert lower == 1 / 2 < upper


CHAIN = MarkovChain("stationary", [["1/2", "1/2"], ["1/4", "3/4"]])
SECRETS = {"0": (1, "0"), "1": (1, "1")}
MIXED = Framework(Records(2, ("0", "1")), SECRETS, "disjoint", {"theta": CHAIN})


def of_second(data, rng):
    """Two numbers where the second record is 1, and one of the same sum where it is 0."""
    first = data.count("1") + rng.laplace()
    return [first, rng.laplace()] if data[1] == "1" else [first]


def test_forms_that_both_secrets_have_decide_nothing():
    made = audit(MIXED, of_second, epsilon=3)
    assert made.verdict is Verdict.UNDECIDED
    assert made.leakage.lower is not None
    assert made.leakage.upper is None
    lower, upper = audit(MIXED, of_second, epsilon=0, delta="1/2").delta.bounds()
    # P(second is 1) is 1/2 given 0, and 3/4 given 1
    assert lower <= 1 / 4 <= upper


def test_bounds_of_delta_hold_what_the_numbers_are_listed_to():
    """The same program with coins for noise has a law that is listed: form by form it is within."""

    def listed(data, rng):
        first = data.count("1") + int(rng.integers(2))
        return [first, int(rng.integers(2))] if data[1] == "1" else [first]

    for epsilon in ("0", "1/2", "1"):
        exact = audit(MIXED, listed, epsilon=epsilon, delta="1/2").delta.bounds()
        coarse = audit(MIXED, of_second, epsilon=epsilon, delta="1/2").delta.bounds()
        assert coarse[0] <= exact[0] <= exact[1] <= coarse[1]


def same_form_other_scale(data, rng):
    return [rng.laplace(0, 1 + len(data)), rng.laplace()]


def test_other_noise_in_the_same_form_is_refused_by_name():
    with pytest.raises(ModelError, match="other noise, or other parts"):
        audit(SPACE, same_form_other_scale)


drawn = value_of_drawn


NUMBER = SOME_NUMBER


def test_an_integer_that_is_drawn_may_be_any_number_and_a_real_one_is_none_that_is_written():
    five = drawn(5)
    assert meet(NUMBER, five, whole=True)
    assert not meet(NUMBER, five, whole=False)
    lists = [(2, (NUMBER, five)), (2, (five, NUMBER))]
    assert meet(*lists, whole=True)
    assert not meet(*lists, whole=False)


def test_meeting_is_symmetric_and_every_form_meets_itself():
    items = [NUMBER, *map(drawn, (5, "a", None, True, (), (5,), {5: "a"}, {5}, frozenset(), b"a"))]
    values = [*items, *((2, pair) for pair in product(items[:4], repeat=2))]
    for whole in (False, True):
        assert all(meet(value, value, whole) for value in values)
        for one, other in product(values, repeat=2):
            assert meet(one, other, whole) == meet(other, one, whole)
            assert whole or one == other or not meet(one, other, whole)


def test_a_database_whose_paths_were_not_all_run_may_have_any_output():
    forms = Forms({"a": None, "b": frozenset([drawn("x")])}, whole=False)
    assert forms.without(NUMBER) == {"b"}


@pytest.mark.parametrize("form_of_records", ["list", "array"])
@pytest.mark.parametrize("alphabet", [("0", "1"), ("a", "bb")])
def test_records_of_every_number_are_handed_over_one_by_one(form_of_records, alphabet):
    records = Records(2, alphabet)
    space = Framework(records, neighbours="add-remove")

    def length(data, rng):
        return len(data) + rng.laplace()

    program = Program(length, "length", form=form_of_records).on(space.records, space.sized)
    for x in space.databases:
        assert tuple(map(str, program.argument(x))) == space.row(x)
    assert audit(space, program, epsilon=1).verdict is Verdict.SATISFIES


def test_records_one_at_a_time_need_databases_of_one_length():
    program = Program(lambda record, rng: record, "one", form="each")
    with pytest.raises(ModelError, match="different numbers of records"):
        program.on(None, Records(2, ("0", "1")))


def test_a_table_of_forms_is_left_as_a_whole():
    table = as_mechanism(other_kind, ["", "0"]).value
    assert table.outputs == ("none", "(number,number)")
    assert [bool(left.terms) for left in table.left] == [False, True]
    assert table.impossible == {"none": {"0"}, "(number,number)": {""}}


@pytest.mark.parametrize("program", [other_kind, noise_or_constant, integers, random_form])
def test_draws_are_compared_form_by_form(program):
    assert as_mechanism(program, ["", "0", "1"], check=True).agreement.draws > 0
