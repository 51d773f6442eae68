"""The least errors of tests: no set of outputs does better, and deltas follow from them."""

from fractions import Fraction
from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from pufferproof import Channel, Framework, Table, smallest_delta
from pufferproof.verify.leakage.trade_off import advantage, trade_off

F = Fraction
WEIGHTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=6).filter(
    lambda weights: all(map(sum, zip(*weights)))
)


def laws_of(weights):
    totals = [sum(column) for column in zip(*weights)]
    return [tuple(Fraction(w, t) for w, t in zip(each, totals)) for each in weights]


def sums_of(laws):
    """The errors of a test that says s on a set of outputs, of all sets."""
    for chosen in product((0, 1), repeat=len(laws)):
        p, q = (sum(w for w, taken in zip(law, chosen) if taken) for law in zip(*laws))
        yield F(q), 1 - F(p)


@examples(100)
@given(WEIGHTS)
def test_no_set_of_outputs_errs_less_and_corners_are_sets(weights):
    laws = laws_of(weights)
    corners = trade_off(laws)
    sets = list(sums_of(laws))
    assert set(corners) <= set(sets)
    assert corners[0][0] == 0 == corners[-1][1]
    for (x, y), (z, w) in pairwise(corners):
        assert x < z
        assert y > w
        assert all((w - y) * (a - x) <= (b - y) * (z - x) for a, b in sets)  # none below the line
    assert advantage(corners) == max(1 - a - b for a, b in sets)


def test_corners_of_all_small_laws_are_those_that_a_line_alone_reaches():
    """Of three outputs of weights up to 2: from (0, .) to (., 0), what minimises error I plus a
    multiple of error II, of the slopes between ratios of the outputs and beyond them.
    """
    for flat in product(range(3), repeat=6):
        weights = [flat[:2], flat[2:4], flat[4:]]
        if not all(map(sum, zip(*weights))):
            continue
        laws = laws_of(weights)
        sets = list(sums_of(laws))
        ratios = sorted({F(0), *(q / p for p, q in laws if p), F(100)})
        slopes = [(low + high) / 2 for low, high in pairwise(ratios)]
        least = [min((x + slope * y, x, y) for x, y in sets) for slope in (*slopes, F(200))]
        expected = {(x, y) for _, x, y in least}
        assert trade_off(laws) == sorted(expected)


@examples(60)
@given(WEIGHTS, st.sampled_from(["log(1)", "log(3/2)", "log(4)"]))
def test_deltas_are_read_off_the_corners(weights, level):
    laws = laws_of(weights)
    framework = Framework(
        "ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    )
    rows = {name: [law[k] for law in laws] for k, name in enumerate("ab")}
    channel = Channel.of(rows, [str(k) for k in range(len(laws))])
    found = smallest_delta(framework, channel, level)
    turned = [(q, p) for p, q in laws]
    ratio = Fraction(level[4:-1])
    best = max(
        1 - second - ratio * first for side in (laws, turned) for first, second in trade_off(side)
    )
    assert found.value == max(best, 0)
