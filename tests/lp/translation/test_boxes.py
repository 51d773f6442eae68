"""The worst case over a box of chains of two values, against all chains on a grid of it."""

from fractions import Fraction
from itertools import product

import pytest

from pufferproof import Framework, IntervalChain, MarkovChain, Records
from pufferproof.lp.translation.levels import RecordLevels
from pufferproof.lp.translation.translate import translate, worst_case
from pufferproof.models.errors import ModelError

F = Fraction
BOXES = [
    ((F(1, 10), F(3, 10)), (F(1, 5), F(2, 5))),  # values stay
    ((F(3, 5), F(9, 10)), (F(1, 2), F(3, 4))),  # values alternate
    ((F(1, 10), F(4, 5)), (F(1, 5), F(19, 20))),  # both, and neither
    ((F(1, 4), F(1, 4)), (F(1, 2), F(1, 2))),  # one matrix
]


def framework(prior, record=2, count=3):
    secrets = {"zero": (record, "0"), "one": (record, "1")}
    alphabet = tuple(str(x) for x in range(getattr(prior, "states", 2)))
    records = Records(count, alphabet)
    return Framework.of_records(records, secrets, [("zero", "one")], {"theta": prior})


def box(there, back, start="stationary"):
    """Return the box of these probabilities of 1 after 0, and of 0 after 1."""
    lower, upper = (
        [[1 - there[1 - end], there[end]], [back[end], 1 - back[1 - end]]] for end in (0, 1)
    )
    return IntervalChain(start, lower, upper)


def grid(ends):
    return [ends[0] + (ends[1] - ends[0]) * F(k, 3) for k in range(4)]


@pytest.mark.parametrize(("there", "back"), BOXES)
@pytest.mark.parametrize(("start", "record"), [("stationary", 2), ("stationary", 3), (None, 1)])
def test_it_is_the_largest_on_a_grid_of_the_box(there, back, start, record):
    levels = RecordLevels.uniform(3, ["log(2)"])
    law = start or ["1/4", "3/4"]
    found = worst_case(framework(box(there, back, law), record), levels)
    chains = [
        MarkovChain(law, [[1 - t, t], [b, 1 - b]]) for t, b in product(*map(grid, (there, back)))
    ]
    each = [worst_case(framework(chain, record), levels).leakage.lower for chain in chains]
    assert found.exact
    assert found.leakage.lower == found.leakage.upper == max(each)
    assert found.claims[-1] == "worst.box-of-bits"


def test_any_first_law_is_the_same_about_the_first_record():
    there, back = BOXES[0]
    known = [
        translate(framework(box(there, back, law), 1), ["1"]) for law in ("any", ["1/9", "8/9"])
    ]
    assert known[0].leakage == known[1].leakage


def test_chains_beside_a_box_count_too():
    chain = MarkovChain("stationary", [["99/100", "1/100"], ["1/100", "99/100"]])
    secrets = {"zero": (2, "0"), "one": (2, "1")}
    priors = {"box": box(*BOXES[0]), "chain": chain}
    both = Framework.of_records(Records(3, ("0", "1")), secrets, [("zero", "one")], priors)
    assert translate(both, ["1"]).prior == "chain"
    assert translate(both, ["1"]).leakage == translate(framework(chain), ["1"]).leakage


@pytest.mark.parametrize(
    ("prior", "record", "said"),
    [
        (box(*BOXES[0], "any"), 2, "is known for two values"),
        (box(*BOXES[0], ["1/2", "1/2"]), 3, "is known for two values"),
        (IntervalChain("stationary", [["1/4"] * 3] * 3, [["1/2"] * 3] * 3), 2, "for two values"),
        (box((F(0), F(1, 2)), (F(1, 4), F(1, 2))), 2, "above 0 and below 1"),
        (box((F(1, 4), F(1)), (F(1, 4), F(1))), 2, "above 0 and below 1"),
    ],
)
def test_other_boxes_are_refused(prior, record, said):
    with pytest.raises(ModelError, match=said):
        translate(framework(prior, record), ["1"])


def test_databases_that_are_possible_depend_on_the_chain():
    with pytest.raises(ModelError, match="domain of all sequences"):
        translate(framework(box(*BOXES[0])), ["1"], domain="possible")
