"""What mixtures are decided with, in parts: without any filter in floats, over all sets of outputs,
at bounds that are reached, approached, or next to irrational.
"""

from fractions import Fraction
from itertools import combinations, product
from random import Random

from tests import seeds
from tests.brute import definitions as brute
from tests.soak.drawing import Passed, channel, framework

from pufferproof import Channel, Framework, Level, Table
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.verify.leakage import mixtures as subject
from pufferproof.verify.leakage.mixtures import (
    MixtureDelta,
    MixtureQuotient,
    Root,
    exceeds,
    form,
    greater,
    mixture_delta,
    mixture_leakage,
    value_of,
)
from pufferproof.verify.leakage.ratio import probabilities

F = Fraction
NONE, HALF, ONE = F(0), F(1, 2), F(1)
ROOT = Root(F(0), F(2), 1)  # of 2
LOW, HIGH = (end for end in ROOT.bounds(300))


def masses(space, mechanism):
    """P(y and s) and P(s) under every prior, by definition."""
    found = {}
    for prior, (secret, held) in product(space.priors, space.secrets.items()):
        theta = brute.probabilities(space, prior)
        each = [space.databases[x] for x in held if theta[space.databases[x]]]
        joint = [sum(theta[x] * mechanism.probability(x, y) for x in each) for y in mechanism.outputs]
        found[prior, secret] = joint, sum(theta[x] for x in each)
    return found


def questions(space, known):
    """Priors alone, then two of them, with the ordered pairs that are possible in a mixture."""
    alone = [(name, name) for name in space.priors]
    for names in (*alone, *combinations(space.priors, 2)):
        for pair in space.pairs:
            if all(any(known[name, secret][1] for name in names) for secret in pair):
                for s, t in [pair] if space.one_sided else [pair, pair[::-1]]:
                    yield names, (s, t)


def largest_of_all(space, mechanism):
    """The supremum, with pair and output, of all quotients: the first one of the largest."""
    known, best = masses(space, mechanism), None
    for names, pair in questions(space, known):
        (p, q) = ([known[name, secret][1] for name in names] for secret in pair)
        for y, output in enumerate(mechanism.outputs):
            a, b = ([known[name, secret][0][y] for name in names] for secret in pair)
            supremum = MixtureQuotient(form(a, q), form(p, b)).supremum()
            if best is None or greater(supremum, best[0]):
                best = supremum, pair, output
    return best


def delta_of_all(space, mechanism, ratio):
    """The supremum over all sets of outputs, however they lie to each other."""
    known, best = masses(space, mechanism), F(0)
    for names, pair in questions(space, known):
        (p, q) = ([known[name, secret][1] for name in names] for secret in pair)
        for taken in product((0, 1), repeat=len(mechanism.outputs)):
            a, b = ([sum(m for m, t in zip(known[name, secret][0], taken) if t) for name in names] for secret in pair)
            both = zip(form(a, q), form(b, p))
            supremum = MixtureQuotient(tuple(u - ratio * v for u, v in both), form(p, q)).supremum()
            best = supremum if greater(supremum, best) else best
    return best


def reached(space, mechanism, found, ratio):
    """The sum that a delta bounds, at its own witness."""
    total = F(0)
    for output in found.outputs:
        at = subject.Witness(found.prior, found.pair, output)
        left, right = probabilities(space, mechanism, at)
        total += left - ratio * right
    return total


def drawn(draw, most=3, outputs=3):
    while True:
        try:
            space = framework(draw, 4, "convex", most)
        except Passed:
            continue
        return space, channel(draw, space, outputs)


@seeds(12)
def test_the_supremum_and_its_place_are_those_of_all_quotients(seed, monkeypatch):
    """Also where floats leave some out, of two priors at a time."""
    space, mechanism = drawn(Random(seed), 3 if seed % 3 else 5)
    expected = largest_of_all(space, mechanism)
    for few, at_once in ((10**9, 200_000), (0, 200_000), (0, 1), (0, 7)):
        monkeypatch.setattr(subject, "_FEW_PRIORS", few)
        monkeypatch.setattr(subject, "_AT_ONCE", at_once)
        supremum, at = mixture_leakage(space, mechanism)
        assert (supremum, at.pair, at.output) == expected


@seeds(20)
def test_delta_is_that_of_all_sets_of_outputs(seed):
    draw = Random(f"delta {seed}")
    space, mechanism = drawn(draw, 3 if seed % 3 else 5)
    ratio = draw.choice((F(1), F(3, 2), F(2)))
    expected = delta_of_all(space, mechanism, ratio)
    level = Level.log(ratio)
    for bound in (F(0), F(1, 5), expected if isinstance(expected, F) else F(1)):
        found, sign = mixture_delta(space, mechanism, level, bound)
        assert found.low == found.high == expected
        assert sign == (exceeds(expected, bound) or -(expected != bound))
        value = reached(space, mechanism, found, ratio)
        assert (value > bound) == (sign > 0)
        low, high = found.bounds()
        assert low * (1 - F(1, 2**39)) <= value <= high
        assert found.value == (expected if isinstance(expected, F) else None)


def test_pieces_that_bounds_of_roots_do_not_tell_apart():
    """Both forms are positive between two roots alone: within 2^-150, and up to where the bounds of
    the root of 2 begin; the last one beyond a root only.
    """
    tiny = F(1, 2**150)
    below = ROOT.bounds(subject.ACCURACY)[0]
    upto, beyond = (F(2), F(0), F(-1)), (F(-2), F(0), F(1))
    assert frozenset((0, 1)) in subject._positive_sets([(2 + tiny, F(0), F(-1)), beyond])
    assert frozenset((0, 1)) in subject._positive_sets([upto, (-below, F(1), F(0))])
    for number in (2, 3, 5, 6, 7, 10):  # some are in the lower half of their bounds
        low = Root(F(0), F(number), 1).bounds(subject.ACCURACY)[0] - F(1, 2**110)
        pieces = subject._positive_sets([(F(number), F(0), F(-1)), (-low, F(1), F(0))])
        assert frozenset((0, 1)) in pieces
    assert subject._positive_sets([beyond]) == {frozenset(), frozenset((0,))}
    assert subject._positive_sets([(F(1), F(0), F(0))]) == {frozenset((0,))}
    assert subject._positive_sets([(F(0), F(0), F(0))]) == {frozenset()}
    assert list(subject._positive_at([(1, 0, 0), (0, 0, 0), (-1, 0, 0)], F(0))) == [0]


def test_a_supremum_against_a_level():
    assert subject.compare(None, Level("1000")) == 1
    assert [subject.compare(F(2), Level.log(F(n, 2))) for n in (3, 4, 5)] == [1, 0, -1]
    assert [subject.compare(ROOT, Level.log(end)) for end in (LOW, HIGH)] == [1, -1]
    assert [subject.compare(ROOT, Level(nats)) for nats in ("0.34657", "0.34658")] == [1, -1]


def test_what_is_said_of_a_delta_between_two_suprema():
    root = Root(F(-1), F(2), 1)  # of 2, less 1

    def delta(low, high):
        return MixtureDelta(Level("1"), low, high, "p", ("s", "t"), ("u",))

    known = delta(F(1, 3), F(1, 3))
    assert (known.value, known.bounds()) == (F(1, 3), (F(1, 3), F(1, 3)))
    assert known.as_json()["ratio"] == "1/3"
    for low, high in ((F(1, 3), F(1, 2)), (F(1, 3), root), (root, F(1, 2)), (root, root)):
        each = delta(low, high)
        assert (each.value, each.as_json()["ratio"]) == (None, None)
        least, most = each.bounds()
        assert least == low if low != root else LOW - 1 - F(1, 2**60) < least < LOW - 1
        assert most == high if high != root else HIGH - 1 < most < HIGH - 1 + F(1, 2**60)
    assert subject._bounds(None) == (1, 1)


def test_a_delta_next_to_its_bound_is_refined_or_left_open(monkeypatch):
    """3/4 - e^(1/2) / 4, and bounds within 2^-150 of it, which 192 bits tell and 96 do not."""
    even = {"theta": Table({"a": HALF, "b": HALF})}
    space = Framework("ab", {"s": "a", "t": "b"}, [("s", "t")], even, "convex")
    mechanism = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]}, "uv")
    level, tiny = Level("0.5"), F(1, 2**150)
    exactly = [F(3, 4) - end / 4 for end in level.bounds(400)]
    for bound, sign in ((exactly[1] - tiny, 1), (exactly[0] + tiny, -1)):
        found, said = mixture_delta(space, mechanism, level, bound)
        assert (said, found.low < exactly[0] < found.high) == (sign, True)
        monkeypatch.setattr(subject, "_FINEST", 96)
        assert mixture_delta(space, mechanism, level, bound)[1] is None
        monkeypatch.setattr(subject, "_FINEST", 192)
        assert mixture_delta(space, mechanism, level, bound)[1] == sign


def test_how_a_mixture_is_written():
    assert subject._mixture(("p", "p"), (HALF, HALF)) == "p"
    assert subject._mixture(("p", "q"), (NONE, ONE)) == "q"
    assert subject._mixture(("p", "q"), (HALF, HALF)) == (("p", HALF), ("q", HALF))


def value(quotient, weights):
    assert sum(weights) == 1
    above, below = (value_of(each, *weights) for each in (quotient.above, quotient.below))
    return above / below


def test_weights_come_as_near_as_promised_and_past_a_level():
    """Of a supremum that is infinite, or 2, and only approached."""
    infinite = MixtureQuotient((NONE, F(1), NONE), (NONE, NONE, F(1)))
    assert infinite.supremum() is None
    for level, least in ((None, 2**40), (Level.log(2**50), 2**50), (Level("1"), 2**40)):
        assert value(infinite, subject._leakage_weights(None, infinite, level)) > least
    two = MixtureQuotient((NONE, F(2), NONE), (NONE, F(1), F(1)))
    near = 2 * (1 - F(1, 2**40))
    just, most = Level.log(2 - F(1, 2**60)), Level.of_nats(log_bounds(F(2), 200)[0])
    for level, least in (
        (None, near),
        (Level("log(2)"), near),
        (Level("log(3)"), near),
        (just, just.ratio),
        (most, most.bounds(400)[1]),
        (Level("log(1)"), near),
    ):
        assert least < value(two, subject._leakage_weights(F(2), two, level)) < 2
    for bound, least in ((NONE, near), (2 - F(1, 2**60), 2 - F(1, 2**60)), (F(3), near)):
        assert least < value(two, subject._delta_weights(F(2), two, bound)) < 2


def test_a_supremum_as_a_leakage():
    assert subject.as_leakage(F(3)).ratio == 3
    assert subject.as_leakage(None).infinite
    root = subject.as_leakage(ROOT)
    assert root.ratio is None
    assert LOW - F(1, 2**60) < root.lower < LOW < HIGH < root.upper < HIGH + F(1, 2**60)


def test_sets_that_are_positive_together_anywhere_are_found():
    draw = Random(9)
    numbers = (-3, -2, -1, 0, 0, 1, 2, 3)
    for _ in range(40):
        forms = [tuple(F(draw.choice(numbers)) for _ in range(3)) for _ in range(3)]
        found = subject._positive_sets(forms)
        for k in (*range(1, 60), 100, 1000, 10**5):
            values = [u + v * F(k, 13) + w * F(k, 13) ** 2 for u, v, w in forms]
            if all(values):
                assert frozenset(y for y, value in enumerate(values) if value > 0) in found
        assert len(found) <= 8
