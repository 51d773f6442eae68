"""Every group under a chain of its own: boxes hold the chains that are rounded into them."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.opening import ALONE, opened
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.verify.audit import audit, each
from pufferproof.verify.audit.each import Chains, Found, Question, answered, box_of, falls, of_box, order_statistic
from pufferproof.verify.decision import Decision

LAPLACE = Noise.laplace("2")
QUERIES = (
    ("sum", LAPLACE),
    ("mean", Noise.laplace("1/3")),
    ("histogram", Noise.geometric("1/2")),
    ("count", LAPLACE, None, "0"),
    ("sum", LAPLACE, (2, 3)),
)


def chain_of(a, b):
    return MarkovChain("stationary", [[1 - a, a], [b, 1 - b]])


def question(query=QUERIES[0], level=None, count=4, private=(2,), exact=False, values=("0", "1")):
    name, noise, *others = query
    asked = RecordQuery(name, noise, Records(count, values), *others)
    return Question(asked, private, None if level is None else Level(level), exact)


def exactly(asked, chain):
    """The audit of one chain by itself, in Python."""
    return audit(asked.framework(chain), asked.query, asked.level)


def asked(question, chains, worst=1):
    with opened(ALONE) as sweep:
        found = Chains(question, sweep, Counter(chains))
        found.ask(worst)
    return found


def hundredths(low, high):
    return st.integers(low, high).map(lambda n: Fraction(n, 100))


@examples(60)
@given(hundredths(1, 48), hundredths(1, 48), st.sampled_from(QUERIES), st.sampled_from([(1,), (2, 3), (1, 2, 3, 4)]))
def test_bounds_of_a_box_hold_every_chain_in_it(a, b, query, private):
    chain = chain_of(a, b)
    ask, box = question(query, private=private), box_of(chain, Fraction(1, 32))
    if box is None:
        return
    least, most = box
    assert all(least.transition[x][1 - x] <= chain.transition[x][1 - x] <= most.transition[x][1 - x] for x in (0, 1))
    bounds, own = of_box(*map(ask.asked_of, box), None).leakage, exactly(ask, chain).leakage
    whole = IntervalChain(
        "stationary",
        *(
            [[p.transition[0][0], q.transition[0][1]], [q.transition[1][0], p.transition[1][1]]]
            for p, q in ((most, least), (least, most))
        ),
    )
    assert bounds.upper == ask.audit(whole).leakage.upper
    assert bounds.lower <= own.upper
    assert own.lower <= bounds.upper
    assert bounds.lower > 1
    alone = ask.asked_of(chain).leakage
    assert alone.lower <= own.upper
    assert own.lower <= alone.upper
    assert alone.upper <= alone.lower * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("width", [Fraction(1, 32), Fraction(1, 128)])
def test_boxes_of_a_grid_cover_it_and_their_edges(width):
    assert box_of(chain_of(width / 2, width), width) is None  # no chain of P(0, 1) = 0 is a corner
    for place, low in ((width, width), (width * 3 / 2, width), (width * 2, 2 * width)):
        least, most = box_of(chain_of(place, place), width)
        assert (least, most) == (chain_of(low, low), chain_of(low + width, low + width))


@pytest.mark.parametrize(
    "chain",
    [
        chain_of(Fraction(1, 2), Fraction(1)),  # a step that is certain
        chain_of(Fraction(0), Fraction(1, 2)),
        chain_of(Fraction(1), Fraction(1)),
        chain_of(Fraction(1, 2), Fraction(51, 100)),  # values that tend to change
        MarkovChain(["1/2", "1/2"], [["1/2", "1/2"], ["1/4", "3/4"]]),
        MarkovChain("stationary", [["1/3"] * 3] * 3),
    ],
)
def test_other_chains_are_in_no_box(chain):
    assert box_of(chain, Fraction(1, 32)) is None
    assert not falls(chain)


def test_a_chain_at_the_limit_of_the_theorem_is_asked_by_itself():
    chain = chain_of(Fraction(1, 2), Fraction(1, 2))
    assert box_of(chain, Fraction(1, 32)) is None
    assert falls(chain)
    assert box_of(chain_of(Fraction(15, 32), Fraction(15, 32)), Fraction(1, 32))[1] == chain


def many(size=9):
    return [chain_of(Fraction(20 + k, 200), Fraction(40 + 2 * k + j, 200)) for k in range(size) for j in range(size)]


@pytest.mark.parametrize("level", ["0.5", "0.7", "0.9", "3"])
@pytest.mark.parametrize("query", QUERIES)
def test_every_decision_is_that_of_an_audit_of_the_chain(level, query):
    ask, chains = question(query, level, count=6), many(5)
    found = asked(ask, chains)
    for chain in chains:
        own = exactly(ask, chain)
        assert found.found[chain].kept is own.kept
        lower, upper = found.found[chain].ends
        assert lower <= Decimal(own.leakage.enclosure().upper)
        assert Decimal(own.leakage.enclosure().lower) <= upper


def test_boxes_ask_less_and_the_worst_are_known_by_themselves():
    ask = question(level="3", count=6)
    chains = [chain_of(Fraction(a, 64), Fraction(b, 64)) for a in range(2, 18) for b in range(2, 18)]
    found = asked(ask, chains, worst=3)
    assert len(found.asked) < len(chains) * 2 / 3
    worst = sorted(chains, key=lambda chain: -ask.asked_of(chain).leakage.lower)[:3]
    assert not any(found.found[chain].boxed for chain in worst)
    lowers = sorted((each.ends[0] for each in found.found.values()), reverse=True)
    assert [found.found[chain].ends[0] for chain in worst] == lowers[:3]
    assert any(each.boxed for each in found.found.values())


def test_equal_chains_are_asked_once():
    assert len(asked(question(), many(2) * 3).asked) == 4


def test_exact_asks_every_chain_by_an_exact_audit():
    ask, chains = question(level="3", exact=True), many(3)
    found = asked(ask, chains)
    assert len(found.asked) == len(chains)
    for chain in chains:
        assert found.found[chain] == Found.of_audit(exactly(ask, chain))


def test_a_leakage_that_is_the_level_is_decided_exactly():
    """Independent records leak log(e^(1/2)) = 1/2 of noise of scale 2: an enclosure does not tell."""
    half = chain_of(Fraction(1, 2), Fraction(1, 2))
    assert question(level="1/2").asked_of(half).kept is Decision.HOLDS
    assert asked(question(level="1/2"), [half]).found[half].kept is Decision.HOLDS


def test_chains_of_three_values_are_asked_without_boxes():
    chain = MarkovChain("stationary", [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], ["1/8", "1/8", "3/4"]])
    ask = question(("histogram", LAPLACE), "1", values=("a", "b", "c"))
    found, own = asked(ask, [chain] * 9), exactly(ask, chain)
    assert len(found.asked) == 1
    assert found.found[chain].kept is own.kept
    assert found.found[chain].leakage.lower <= own.leakage.upper


@pytest.mark.parametrize("noise", [Noise.gaussian("3"), Noise.discrete_gaussian("9"), Noise.discrete_laplace("3")])
@pytest.mark.parametrize("chain", many(2))
def test_any_noise_is_answered_as_by_an_audit(noise, chain):
    ask = question(("sum", noise), "1")
    found, own = ask.asked_of(chain), exactly(ask, chain)
    assert (found.kept, found.leakage.infinite) == (own.kept, own.leakage.infinite)


def test_a_chain_under_which_no_secret_is_left_has_no_answer_and_keeps_nothing():
    ended = chain_of(Fraction(0), Fraction(1, 2))
    found = asked(question(level="9"), [ended]).found[ended]
    assert found.leakage is None
    assert found.kept is Decision.UNDECIDED
    assert found.why.startswith("nothing to check")


def test_what_was_answered_is_read_again_as_it_was():
    ask = question(level="1")
    for found in (ask.asked_of(chain_of(Fraction(1, 3), Fraction(1, 4))), Found(None, Decision.UNDECIDED, why="no")):
        assert Found.of_json(found.as_json()) == found


@pytest.mark.parametrize("query", [*QUERIES, ("sum", Noise.laplace("1/log(2)")), ("sum", Noise.discrete_laplace("3"))])
@pytest.mark.parametrize("level", [None, "0.1", "log(3/2)", "1/3"])
def test_a_question_is_read_again_from_its_text(query, level):
    ask = question(query, level, private=(1, 3), exact=level is None)
    again = Question.of_text(ask.text)
    assert (again.text, again.level, again.private, again.exact) == (ask.text, ask.level, ask.private, ask.exact)
    assert again.query.asked == ask.query.asked
    assert again.query.noise == ask.query.noise


def test_chosen_records_that_do_not_follow_one_another_are_refused():
    with pytest.raises(ModelError, match=r"query\.of: records that do not follow"):
        question(("count", LAPLACE, None, "1", (1, 3)))


def test_boxes_of_which_a_corner_has_no_answer_leave_it_to_their_chains():
    ask = question(level="1")
    one = ask.asked_of(chain_of(Fraction(1, 4), Fraction(1, 4)))
    for other in (Found(None, Decision.UNDECIDED, why="no"), replace(one, at_ends=False)):
        assert of_box(one, other, ask.level) is of_box(other, one, ask.level) is None


def test_a_unit_says_why_it_has_no_answer():
    assert answered(question().text, "stationary", [["1", "0"], ["1/2", "1/2"]])["why"]


@examples(200)
@given(
    st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2).map(sorted), min_size=1, max_size=9),
    st.fractions(0, 1),
    st.data(),
)
def test_order_statistics_hold_those_of_any_numbers_between_the_ends(spans, share, data):
    numbers = sorted(data.draw(st.integers(low, high)) for low, high in spans)
    found = order_statistic([tuple(map(Decimal, span)) for span in spans], share)
    value = next(x for x in numbers if sum(y <= x for y in numbers) >= share * len(numbers))
    assert Decimal(found.lower) <= value <= Decimal(found.upper)
    if all(low == high for low, high in spans):
        assert found.lower == found.upper == str(value)


def test_infinite_numbers_are_above_all():
    ends = [(Decimal("inf"), Decimal("inf")), (Decimal(1), Decimal("inf"))]
    found = [order_statistic(ends, Fraction(share)) for share in ("0", "1")]
    assert [(each.lower, each.upper) for each in found] == [("1", "inf"), ("inf", "inf")]


def test_widths_of_grids_refine_one_another():
    assert all((wide / narrow).denominator == 1 for wide, narrow in pairwise(each._WIDTHS))
