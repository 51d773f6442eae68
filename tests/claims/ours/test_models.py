"""Claims on chains inside a box, on GK16 and on noise, apart from their proofs."""

from fractions import Fraction
from itertools import pairwise, product
from math import exp

import pytest
from scipy.integrate import quad
from scipy.optimize import linprog

from pufferproof import Channel, Framework, Records, Table, audit
from pufferproof.claims.ours.influence.inferential import Bits, worst_ratio
from pufferproof.models.errors import ModelError
from pufferproof.models.noise.inferential import influences

# Chains inside a box that leak more than its corners, by enumeration of their own.


F = Fraction

CASES = [
    (6, F(1, 2), 2, [(F(k, 20), F(19, 20), None) for k in (15, 17, 19)]),
    (4, F(1, 5), 3, [(F(k, 20), F(9, 10), F(1, 10)) for k in (13, 17, 19)]),
    (2, F(1, 5), 2, [(F(1, 10), F(1, 10), F(k, 4)) for k in (0, 1, 4)]),
]


def leaks(count, t, record, chain):
    a, b, start = chain
    start = a / (a + b) if start is None else start
    step = {(0, 0): 1 - a, (0, 1): a, (1, 0): b, (1, 1): 1 - b}
    masses, outputs = [F(0), F(0)], {}
    for x in product((0, 1), repeat=count):
        p = start if x[0] else 1 - start
        for pair in pairwise(x):
            p *= step[pair]
        masses[x[record - 1]] += p
        for w in range(count + 1):
            place = w, x[record - 1]
            outputs[place] = outputs.get(place, F(0)) + p * t ** abs(w - sum(x))
    ratios = [outputs[w, 1] * masses[0] / (outputs[w, 0] * masses[1]) for w in range(count + 1)]
    return max(*ratios, 1 / min(ratios))


@pytest.mark.parametrize(("count", "t", "record", "chains"), CASES)
def test_a_chain_inside_leaks_more_than_both_ends(count, t, record, chains):
    low, inside, high = (leaks(count, t, record, chain) for chain in chains)
    assert inside > max(low, high)


def test_the_ratios_are_those_of_the_claim():
    count, t, record, chains = CASES[0]
    assert leaks(count, t, record, chains[1]) == F(31113375, 29418146)


def segments_leak(step, segments, record, t):
    """The largest ratio of two records from a fair start, noisy counts of segments."""
    likely = {}
    for x in product((0, 1), repeat=2):
        p = F(1, 2) * step[x]
        for w in product((0, 1), repeat=len(segments)):
            noise = sum(abs(n - sum(x[a:b])) for n, (a, b) in zip(w, segments))
            place = w, x[record - 1]
            likely[place] = likely.get(place, F(0)) + 2 * p * t**noise
    outputs = {w for w, _ in likely}
    return max(max(likely[w, 0] / likely[w, 1], likely[w, 1] / likely[w, 0]) for w in outputs)


def test_records_that_flip_tell_by_every_segment_and_records_that_stay_by_every_record():
    flips = {(0, 1): F(1), (1, 0): F(1), (0, 0): F(0), (1, 1): F(0)}
    stays = {(x, y): 1 - p for (x, y), p in flips.items()}
    t = F(1, 2)
    assert segments_leak(flips, [(0, 2)], 1, t) == 1
    assert segments_leak(flips, [(0, 1), (1, 2)], 1, t) == 1 / t**2
    assert segments_leak(stays, [(0, 2)], 1, t) == 1 / t**2


# GK16: its counterexample by an audit, and the worst mechanism of a level by linear programs.


def test_three_equal_records_tell_eight_times_where_four_is_promised():
    records = Records(3, ("0", "1"))
    prior = Table({"000": "1/2", "111": "1/2"})
    framework = Framework.of_records(
        records, {"s": (1, "0"), "t": (1, "1")}, [("s", "t")], {"theta": prior}
    )
    rows = {x: Fraction(2 ** x.count("1"), 16) for x in records.labels()}
    channel = Channel.of({x: [p, 1 - p] for x, p in rows.items()}, ["1", "0"])
    assert audit(framework, channel, "log(4)").leakage.ratio == 8
    for x in rows:
        for y in rows:
            if sum(a != b for a, b in zip(x, y)) == 1:
                assert rows[x] <= 2 * rows[y]
                assert 1 - rows[x] <= 2 * (1 - rows[y])
    with pytest.raises(ModelError, match="every database is possible"):
        influences(prior, records)


def by_programs(each, record):
    """Maximise the mass given 1 over columns whose mass given 0 is 1, and turned around."""
    size, block = len(each.weights), 1 << (each.bits - record)
    level = float(each.level)
    rows = []
    for x in range(size):
        for bit in range(each.bits):
            row = [0.0] * size
            row[x], row[x ^ (1 << bit)] = 1.0, -level
            rows.append(row)
    best = 0.0
    for up in (True, False):
        above = [w if bool(x & block) is up else 0 for x, w in enumerate(each.weights)]
        below = [w if bool(x & block) is not up else 0 for x, w in enumerate(each.weights)]
        gain = [-w / sum(above) for w in above]
        norm = [w / sum(below) for w in below]
        found = linprog(gain, A_ub=rows, b_ub=[0] * len(rows), A_eq=[norm], b_eq=[1])
        best = max(best, -found.fun)
    return best


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 1), (5, 1, 1, 5), (1, 2, 3, 4), (1, 2, 2, 1, 2, 1, 1, 2)]
)
@pytest.mark.parametrize("level", [Fraction(3, 2), Fraction(4)])
def test_the_worst_mechanism_is_that_of_a_linear_program(weights, level):
    each = Bits(weights, level)
    for record in range(1, each.bits + 1):
        assert float(worst_ratio(each, record)) == pytest.approx(by_programs(each, record))


# Claims on noise: a mixture by quadrature, and the counterexample from the definition.


@pytest.mark.parametrize(("a", "b", "n"), [(1, 1, 2), (0.3, 1.7, 2.2), (2, 0.4, 0.7), (0.5, 1, 0)])
def test_two_likelihoods_are_a_mixture_of_single_ones(a, b, n):
    """The density 4ab h inside and the masses 2b h(0), 2a h(n), by quadrature, at points that
    share no grid.
    """
    rate = a + b

    def both(x):
        return exp(-b * abs(x) - a * abs(n - x))

    for x in (-1.3, 0, 2**-0.5, 1, 3**0.5, 2.9):
        inside, error = quad(
            lambda y, x=x: 4 * a * b * both(y) * exp(-rate * abs(x - y)),
            0,
            n,
            points=[min(max(x, 0), n)],
        )
        ends = 2 * b * both(0) * exp(-rate * abs(x)) + 2 * a * both(n) * exp(-rate * abs(n - x))
        assert inside + ends == pytest.approx(2 * rate * both(x), abs=1e-6 + error)


def test_what_later_blocks_show_lies_between_extreme_vectors_and_no_fewer():
    """Three values: a vector inside the triangle of three others, which are all needed."""
    vectors = [(4, 1, 1), (1, 4, 1), (1, 1, 4), (2, 2, 2)]
    inside = [sum(each) / Fraction(3) for each in zip(*vectors[:3])]
    assert inside == list(vectors[3])
    secret, other = (1, 0, 0), (0, 1, 0)

    def ratio(vector):
        one, two = (Fraction(sum(p * x for p, x in zip(law, vector))) for law in (secret, other))
        return max(one / two, two / one)

    assert ratio(vectors[3]) < ratio(vectors[0]) == max(map(ratio, vectors))
    assert max(map(ratio, vectors[2:])) == 1
