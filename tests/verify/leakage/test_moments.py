"""Renyi moments in parts: their bounds, how they are compared with each other and with levels, and
what is said of them.
"""

from fractions import Fraction
from math import isqrt
from random import Random

import pytest

from pufferproof import Channel, Framework, Level, ModelError, Table, renyi_divergence
from pufferproof.models.numbers.enclosures import Enclosure, log_bounds
from pufferproof.verify.leakage import renyi as subject
from pufferproof.verify.leakage.laws import ConditionalLaws, ordered_pairs
from pufferproof.verify.leakage.renyi import Moment, Renyi

F = Fraction
HALVES, QUARTERS = (F(1, 2), F(1, 2)), (F(1, 4), F(3, 4))


def moment(order, above=HALVES, below=QUARTERS):
    return Moment(F(order), "theta", ("s", "t"), tuple(zip(above, below)))


def root_bounds(value, bits):
    """Bounds of a square root, by whole numbers."""
    low = isqrt(value.numerator * value.denominator << 2 * bits)
    return tuple(F(each, value.denominator << bits) for each in (low, low + 1))


def of_three_halves(each, bits=400):
    """Bounds of a moment of order 3/2: the sum of P sqrt(P / Q)."""
    ends = [[above * end for end in root_bounds(above / below, bits)] for above, below in each.terms]
    return [sum(column) for column in zip(*ends)]


def test_bounds_hold_a_moment_and_are_as_narrow_as_asked_for():
    for accuracy in [40, 96, 300]:
        for below in [(F(1, 4), F(3, 4)), (F(1, 10**30), 1 - F(1, 10**30))]:
            irrational = moment("3/2", below=below)
            assert irrational.value is None
            low, high = irrational.bounds(accuracy)
            least, most = of_three_halves(irrational)
            assert low <= most
            assert least <= high
            assert 0 < high - low <= low / 2**accuracy
            rational = moment(2, below=below)
            assert rational.bounds(accuracy) == (rational.value, rational.value)


def test_moments_are_compared_exactly_or_by_bounds():
    less, more = moment(2, below=(F(1, 3), F(2, 3))), moment(2)
    assert [one.compare(other) for one, other in ((less, more), (more, less), (less, less))] == [-1, 1, 0]
    root, wider = moment("3/2"), moment("3/2", below=(F(1, 8), F(7, 8)))
    assert (root.compare(wider), wider.compare(root), root.compare(root)) == (-1, 1, None)
    assert (root.compare(more), more.compare(root)) == (-1, 1)
    assert (wider.compare(less), less.compare(wider)) == (1, -1)


def test_a_moment_against_a_level(monkeypatch):
    """4/3 at order 2, 112/27 at order 3... and e^((alpha - 1) epsilon) at a level."""
    exact = moment(3)
    assert exact.value == F(20, 9)  # e^(2 epsilon)
    signs = [exact.at(Level(text)) for text in ("log(1)", "0.39", "0.4", "log(149/100)", "log(3/2)")]
    assert signs == [1, 1, -1, 1, -1]
    square = moment(3, below=(F(1, 10), F(9, 10)))
    assert square.value == F(1, 8) * 100 + F(1, 8) / F(81, 100)
    root = Moment(F(3, 2), "theta", ("s", "t"), ((F(4, 5), F(1, 5)), (F(1, 5), F(4, 5))))
    tie = Level.log(F(289, 100))
    assert root.value == F(17, 10)
    assert [root.at(each) for each in (tie, Level.log(F(288, 100)), Level.log(F(290, 100)))] == [0, 1, -1]
    bits = 2 * root._bits + 9
    for longest, sign in ((bits, 0), (bits - 1, None)):  # beyond it bounds are compared
        monkeypatch.setattr(subject, "_LONGEST", longest)
        assert root.at(tie) == sign
    assert moment(2, below=(F(0), F(1))).at(Level("1000")) == 1
    irrational = moment("3/2")
    low, high = of_three_halves(irrational)
    assert [irrational.at(Level.log(each)) for each in (low**2, high**2)] == [1, -1]
    nats = 2 * log_bounds(low, 200)[0]
    assert [irrational.at(Level.of_nats(nats * (1 + F(s, 2**150)))) for s in (-1, 1)] == [1, -1]


def test_bounds_are_refined_until_they_tell_or_are_the_finest():
    asked = []

    def between(*ends):
        return lambda accuracy: (asked.append(accuracy), tuple(map(F, ends)))[1]

    told = lambda left, right: subject._told(between(*left), between(*right), 3, 12)  # noqa: E731
    assert [told(*each) for each in (((3, 4), (1, 2)), ((1, 2), (3, 4)), ((2, 2), (2, 2)))] == [1, -1, 0]
    assert asked == [3] * 6
    open_ones = ((2, 3), (1, 2)), ((1, 2), (2, 3)), ((1, 3), (2, 2)), ((2, 2), (1, 2))
    for left, right in (*open_ones, ((2, 3), (2, 2)), ((2, 2), (2, 3)), ((1, 2), (1, 2))):
        asked.clear()
        assert told(left, right) is None
        assert asked == [3, 3, 6, 6, 12, 12]


def test_roots_and_logarithms():
    roots = [((8, 27), 3, F(2, 3)), ((4, 9), 2, F(2, 3)), ((1, 1), 5, F(1)), ((7, 2), 1, F(7, 2))]
    assert [subject._root(F(*ratio), degree) for ratio, degree, _ in roots] == [e for *_, e in roots]
    for ratio, degree in ((F(2), 2), (F(1, 2), 2), (F(8, 3), 3), (F(4, 9), 3)):
        assert subject._root(ratio, degree) is None
    assert subject._log(F(1), 50) == (0, 0)
    assert subject._log(F(2), 50) == log_bounds(F(2), 50)
    assert subject._multiple(Level("0.5"), F(3), 50) == (F(3, 2), F(3, 2))
    assert subject._multiple(Level("log(2)"), F(3), 50) == tuple(3 * e for e in log_bounds(F(2), 50))


class Told:
    """A moment that is known to a sign alone."""

    infinite = False

    def __init__(self, sign):
        self.sign = sign

    def at(self, level):
        return self.sign


def test_what_ties_say_of_a_level_together():
    for signs, sign in [
        ((1, None), 1),
        ((None, 1), 1),
        ((None, -1), None),
        ((0, None), None),
        ((-1, -1), -1),
        ((-1, 0), 0),
        ((None,), None),
        ((-1, 1), 1),
    ]:
        assert Renyi(F(2), tuple(map(Told, signs))).compare(Level("1")) == sign


def test_ties_are_said_by_the_first_and_bounded_together():
    one, other = moment("3/2"), Moment(F(3, 2), "eta", ("t", "s"), moment("3/2").terms)
    found = Renyi(F(3, 2), (one, other))
    assert (found.prior, found.pair, found.infinite, found.moment) == ("theta", ("s", "t"), False, None)
    lost = Renyi(F(2), (moment(2, below=(F(0), F(1))), moment(2)))
    assert (lost.infinite, lost.as_json()["moment"]) == (True, "inf")
    with pytest.raises(ModelError, match="finite"):
        lost.moment_bounds()


@pytest.mark.parametrize("order", ["2", "3/2", "5", "11/10"])
def test_an_enclosure_is_narrow_and_its_level_on_either_side(order):
    near = (F(1, 2) + F(1, 10**12), F(1, 2) - F(1, 10**12))  # of which a logarithm is tiny
    for below in ((F(1, 4), F(3, 4)), near):
        found = Renyi(F(order), (moment(order, below=below),))
        low, high = (F(end) for end in (found.enclosure().lower, found.enclosure().upper))
        assert 0 < high - low <= low / 10**14
        assert [found.compare(Level.of_nats(end)) for end in (low, high)] == [1, -1]
    assert Renyi(F(order), (moment(order, below=HALVES),)).enclosure() == Enclosure("0", "0")


def test_an_enclosure_of_next_to_nothing_ends(monkeypatch):
    """A logarithm of 2^-180 is not told from 0 by 96 bits, and is by 192."""
    tiny = F(1, 2**90)
    near = moment("3/2", below=(F(1, 2) + tiny, F(1, 2) - tiny))
    assert F(Renyi(F(3, 2), (near,)).enclosure().lower) > 0
    monkeypatch.setattr(Moment, "finest", 96)
    ends = Renyi(F(3, 2), (near,)).enclosure()
    assert ends.lower == "0"
    assert 0 < F(ends.upper) < F(1, 2**90)
    monkeypatch.setattr(Moment, "finest", 192)
    assert F(Renyi(F(3, 2), (near,)).enclosure().lower) > 0


class Bounded:
    """A moment of which bounds alone are known."""

    infinite, finest = False, 10**4

    def __init__(self, *ends):
        self.ends, self.asked = ends, []

    def bounds(self, accuracy):
        self.asked.append(accuracy)
        return self.ends


@pytest.mark.parametrize("value", [F(1), F(2), F(10**9 + 1, 10**9)])
def test_an_enclosure_holds_the_logarithm_of_a_known_moment_at_once(value, monkeypatch):
    monkeypatch.setattr(subject, "enclose", lambda low, high: (low, high))
    known = Bounded(value, value)
    low, high = Renyi(F(3), (known,)).enclosure()
    assert known.asked == [96]
    signs = [Level.of_nats(2 * end).compare(value) for end in (low, high)]
    assert signs == ([1, -1] if value > 1 else [0, 0])


def test_what_is_said_of_a_divergence(monkeypatch):
    said = {
        moment(2): "log(4/3) ≈ 0.2876821 nats",
        moment(3): "1/2 log(20/9) ≈ 0.3992538 nats",
        moment("3/2", (F(4, 5), F(1, 5)), (F(1, 5), F(4, 5))): "2 log(17/10) ≈ 1.061257 nats",
        moment(2, below=HALVES): "0",
        moment(2, below=(F(0), F(1))): "infinite",
        moment(2, below=(F(1, 10**30 + 1), F(10**30, 10**30 + 1))): "≈ 67.69126 nats",
        moment("3/2"): "≈ 0.2183456 nats",
    }
    assert {each: Renyi(each.order, (each,)).text() for each in said} == said
    assert Renyi(F(2), (moment(2),)).as_json()["moment"] == "4/3"
    assert Renyi(F(3, 2), (moment("3/2"),)).as_json()["moment"] is None
    root = Renyi(F(3, 2), (moment("3/2"),))
    for low, high, text in [
        ("1", "1.5", "between 1 and 1.5 nats"),
        ("1.23456749999999999", "1.2345675000000001", "≈ 1.234567 nats"),
        ("1.23456710", "1.23456714", "≈ 1.234567 nats"),
    ]:
        monkeypatch.setattr(Renyi, "enclosure", lambda _, ends=(low, high): Enclosure(*ends))
        assert root.text() == text


def uniform(labels, pairs="disjoint"):
    law = Table(dict.fromkeys(labels, F(1, len(labels))))
    return Framework(labels, {x: x for x in labels}, pairs, {"theta": law})


def left_by_floats(space, mechanism, order):
    laws = ConditionalLaws(space, mechanism, "theta")
    pairs = list(ordered_pairs(space, "theta"))
    return laws, pairs, list(subject._candidates(laws, pairs, F(order)))


def test_the_filter_leaves_the_largest_moment_and_nothing_that_is_clearly_less():
    for outputs in [2, 3, 120]:
        for order in ["101/100", "2", "7/2"]:
            for labels in ["ab", "abcde"]:
                draw = Random(f"{outputs} {order}")
                weights = {x: [draw.randint(1, 9) for _ in range(outputs)] for x in labels}
                names = [str(y) for y in range(outputs)]
                mechanism = Channel.of(weights, names, normalize=True)
                laws, pairs, left = left_by_floats(uniform(labels), mechanism, order)
                exactly = {
                    pair: Moment(F(order), "theta", pair, subject._terms(laws, pair)).bounds(96)[0] for pair in pairs
                }
                least = max(exactly.values()) * (1 - F(1, 10**9))
                assert left == [pair for pair in pairs if exactly[pair] >= least]


@pytest.mark.parametrize(
    ("order", "accepted"), [("1", 0), ("1.000001", 1), ("10000", 1), ("10000.5", 0), (1 + F(1, 10**6 + 1), 0)]
)
def test_orders_at_the_edges(order, accepted):
    if accepted:
        assert subject.order_of(order) == F(order)
    else:
        with pytest.raises(ModelError, match="expected an order above 1"):
            subject.order_of(order)


def test_moments_that_nothing_tells_apart_are_all_kept():
    """Rows in another order: equal, and irrational; exactly equal ones are one."""
    mechanism = Channel.of({"a": ["1/3", "2/3"], "b": ["1/2", "1/2"], "c": ["2/3", "1/3"], "d": ["1/2", "1/2"]}, "uv")
    space = uniform("abcd", [("a", "b"), ("c", "d"), ("b", "d")])
    found = renyi_divergence(space, mechanism, "3/2")
    assert [each.pair for each in found.tied] == [("b", "a"), ("d", "c")]
    assert [each.pair for each in renyi_divergence(space, mechanism, 2).tied] == [("b", "a")]
