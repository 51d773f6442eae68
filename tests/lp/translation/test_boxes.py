"""The worst case over a box of chains, against chains of it: on a grid for two values, corners for
three.
"""

from fractions import Fraction
from itertools import product
from math import exp
from operator import mul
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

from pufferproof import Framework, IntervalChain, MarkovChain, Records, audit
from pufferproof.lp.levels import RecordLevels
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
    states = prior.states if isinstance(prior, IntervalChain) else len(prior.transition)
    alphabet = tuple(map(str, range(states)))
    records = Records(count, alphabet)
    return Framework.of_records(records, secrets, [("zero", "one")], {"theta": prior})


def box(there, back, start="stationary"):
    """Return the box of these probabilities of 1 after 0, and of 0 after 1."""
    lower, upper = ([[1 - there[1 - end], there[end]], [back[end], 1 - back[1 - end]]] for end in (0, 1))
    return IntervalChain(start, lower, upper)


def grid(ends):
    return [ends[0] + (ends[1] - ends[0]) * F(k, 3) for k in range(4)]


def test_it_is_the_largest_on_a_grid_of_the_box():
    for there, back in BOXES:
        for start, record in [("stationary", 2), ("stationary", 3), (None, 1)]:
            levels = RecordLevels.uniform(3, ["log(2)"])
            law = start or ["1/4", "3/4"]
            found = worst_case(framework(box(there, back, law), record), levels)
            chains = [MarkovChain(law, [[1 - t, t], [b, 1 - b]]) for t, b in product(*map(grid, (there, back)))]
            each = [worst_case(framework(chain, record), levels).leakage.lower for chain in chains]
            assert found.exact
            assert found.leakage.lower == found.leakage.upper == max(each)
            assert found.claims[-1] == "worst.box-of-bits"


def test_chains_beside_a_box_count_too():
    chain = MarkovChain("stationary", [["99/100", "1/100"], ["1/100", "99/100"]])
    secrets = {"zero": (2, "0"), "one": (2, "1")}
    priors = {"box": box(*BOXES[0]), "chain": chain}
    both = Framework.of_records(Records(3, ("0", "1")), secrets, [("zero", "one")], priors)
    assert translate(both, ["1"]).prior == "chain"
    assert translate(both, ["1"]).leakage == translate(framework(chain), ["1"]).leakage


THREE = [
    (["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]),
    (["2/3", "1/3", "0"], ["1/6", "1/2", "1/3"], ["1/12", "1/4", "2/3"]),
]


def around(rows, width, start):
    """Return the box of all matrices whose entries are within a width of some."""
    width = F(width)
    ends = [[[min(F(1), max(F(0), F(x) + sign * width)) for x in row] for row in rows] for sign in (-1, 1)]
    return IntervalChain(start, *ends)


@pytest.mark.parametrize("rows", THREE)
@pytest.mark.parametrize(("count", "record"), [(3, 1), (3, 2)])
def test_more_records_are_enclosed(rows, count, record):
    known, levels = around(rows, "1/12", "any"), RecordLevels.uniform(count, ["log(2)"])
    found = worst_case(framework(known, record, count), levels)
    lower, upper = found.leakage.lower, found.leakage.upper
    assert lower <= upper
    assert found.exact == (lower == upper)
    made = found.mechanism()
    some = [known.chain(corner) for corner in known.corners()[::25]]
    each = [worst_case(framework(chain, record, count), levels).leakage.lower for chain in some]
    assert max(each) <= upper
    leaks = [audit(framework(chain, record, count), made, "0").leakage.lower for chain in some]
    assert max(leaks) <= upper


def test_databases_that_are_possible_depend_on_the_chain():
    with pytest.raises(ModelError, match="domain of all sequences"):
        translate(framework(box(*BOXES[0])), ["1"], domain="possible")


SHARES = [F(n, 20) for n in (0, 1, 4, 8, 10, 13, 17, 19, 20)]


@examples(25)
@given(st.integers(0, 10**9))
def test_a_search_bounds_every_chain_of_a_box_to_a_millionth(seed):
    draw = Random(seed)
    there, back = (sorted(draw.choice(SHARES) for _ in "lh") for _ in "ab")
    share, count = draw.choice([F(0), F(1, 20), F(1, 2)]), draw.randint(2, 5)
    law, record = draw.choice(["any", [1 - share, share]]), draw.randint(1, count)
    levels = RecordLevels.uniform(count, [draw.choice(["log(2)", "log(5)", "0.3"])])
    try:
        found = worst_case(framework(box(there, back, law), record, count), levels)
    except ModelError:  # nothing to check
        return
    low, high = (float(end) for end in (found.leakage.lower, found.leakage.upper))
    if record > 1 and 0 < there[0] and 0 < back[0] and there[1] < 1 and back[1] < 1:
        assert high <= low * exp(3e-6)
    for _ in range(8):
        a, b = (ends[0] + (ends[1] - ends[0]) * F(draw.randint(0, 4), 4) for ends in (there, back))
        first = F(draw.randint(0, 16), 16)
        start = [1 - first, first] if law == "any" else law
        chain = MarkovChain(start, [[1 - a, a], [b, 1 - b]])
        try:
            one = worst_case(framework(chain, record, count), levels)
        except ModelError:  # a secret is impossible under this chain
            continue
        assert float(one.leakage.lower) <= high * (1 + 1e-12)


def test_any_start_of_twenty_records_is_known_to_a_millionth():
    ends = F(1, 20), F(3, 20)
    found = translate(framework(box(ends, ends, "any"), 10, 20), ["0.2"])
    assert str(found.enclosure().lower)[:9] == "2.3524908"
    assert found.leakage.upper / found.leakage.lower < exp(3e-6)


@pytest.mark.parametrize("rows", THREE)
@pytest.mark.parametrize(("width", "start"), [("1/12", "any"), ("1/6", ["1/3"] * 3)])
def test_two_records_of_three_values_are_as_bad_as_their_worst_corner(rows, width, start):
    known = around(rows, width, start)
    levels = RecordLevels.uniform(2, ["log(3)"])
    found = worst_case(framework(known, 1, 2), levels)
    assert found.exact
    above, below = ({tuple(corner[value]) for corner in known.corners()} for value in (0, 1))
    sets = list(product((0, 1), repeat=3))
    quotients = [
        (1 + 2 * sum(map(mul, p, A))) / (1 + 2 * sum(map(mul, q, A)))
        for one, other in product(above, below)
        for p, q in ((one, other), (other, one))
        for A in sets
    ]
    assert found.leakage.lower == 3 * max(quotients)
    some = [known.chain(corner) for corner in known.corners()[::7]]
    each = [worst_case(framework(chain, 1, 2), levels).leakage.lower for chain in some]
    assert max(each) <= found.leakage.lower


def test_levels_that_are_rounded_are_exact_where_rational_ones_are():
    known = framework(around(THREE[0], "1/12", "any"), 1, 3)
    exact, rounded = (translate(known, [level]) for level in ("log(2)", "0.6931471805599453"))
    assert exact.exact
    assert rounded.exact
    assert rounded.leakage.lower < rounded.leakage.upper < exact.leakage.lower
    assert float(rounded.leakage.upper) == pytest.approx(float(exact.leakage.lower))
