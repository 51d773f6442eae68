"""Max-influence of quilts, sets and outcomes, over one start and over all of them, against
enumeration of the joint law.
"""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from tests.brute import influence as brute
from tests.brute.start import worst_start
from tests.models.sequences.test_chain import ABSORBING, CIRCULATING, CYCLE, LAZY, random_chain, random_row, rows
from tests.verify.influence.floats import quilt_table_approx

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.arithmetic import Bounds
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence, max_influence
from pufferproof.verify.influence.curves.framework import listed_points
from pufferproof.verify.influence.network import enumerated_influence

STICKY = rows("99/100 1/100, 1/10 9/10")
NEARLY_PERIODIC = rows("1/1000 999/1000, 998/1000 2/1000")
REPEATED = rows("1/2 1/4 1/4, 1/4 1/2 1/4, 1/4 1/4 1/2")
SHIFT = rows("0 1 0, 1/2 0 1/2, 1/3 1/3 1/3")
RANK_ONE = rows("1/2 1/3 1/6, 1/2 1/3 1/6, 1/2 1/3 1/6")
NILPOTENT = rows("1/2 1/4 1/4, 1/4 1/2 1/4, 1/4 1/2 1/4")
GUIDED = {
    "lazy": (["1/3", "2/3"], LAZY),
    "cycle": (["1/2", "1/3", "1/6"], CYCLE),
    "absorbing": (["1/5", "4/5"], ABSORBING),
    "absorbing, started there": (["1", "0"], ABSORBING),
    "circulating": (["1/3", "1/3", "1/3"], CIRCULATING),
    "zero start": (["0", "1", "0"], CIRCULATING),
    "nearly periodic": (["1", "0"], NEARLY_PERIODIC),
    "repeated eigenvalue": (["1/7", "2/7", "4/7"], REPEATED),
    "zeros": (["1/2", "1/2", "0"], SHIFT),
    "independent": (["1/2", "1/3", "1/6"], RANK_ONE),
    "nilpotent part": (["1/9", "4/9", "4/9"], NILPOTENT),
}


def quilts(length, record):
    lefts, rights = [None, *range(1, record)], [None, *range(1, length - record + 1)]
    return list(product(lefts, rights))


def shown(record, left, right):
    return ([] if left is None else [record - left]) + ([] if right is None else [record + right])


def fractions(start):
    return [Fraction(value) for value in start]


def pair(ratio):
    return ratio, ratio


def check_all_quilts(start, transition, length):
    chain, law = MarkovChain(start, transition), brute.sequence_law(start, transition, length)
    exact, enclosed = (ChainInfluence(Along(chain, length, name)) for name in ("exact", "enclosed"))
    floats = Along(chain, length, "float")
    for record in range(1, length + 1):
        lefts, rights = range(1, record), range(1, length - record + 1)
        table = quilt_table_approx(floats, record, lefts, rights, either=True)
        for left, right in quilts(length, record):
            want = brute.largest(brute.conditional(law, record, shown(record, left, right)))
            assert exact.of(record, left, right) == pair(want)
            bounds, near = (enclosed.of(record, left, right), float(table.ratios[left or 0, right or 0]))
            if want is None:
                assert bounds == Bounds.infinite()
                assert near == float("inf")
            else:
                assert bounds.lower <= want <= bounds.upper
                assert abs(Fraction(near) - want) <= table.error * want


def test_guided_chains_agree_with_enumeration():
    for name in GUIDED:
        start, transition = GUIDED[name]
        check_all_quilts(fractions(start), transition, 6 if len(start) == 2 else 5)


def test_random_chains_agree_with_enumeration():
    random = Random(1)
    for _ in range(40):
        start, transition = random_chain(random)
        check_all_quilts(start, transition, random.choice([1, 2, 3, 4]))


def test_a_set_has_the_influence_of_its_nearest_records():
    random = Random(2)
    for _ in range(12):
        start, transition = random_chain(random)
        law, influence = (
            brute.sequence_law(start, transition, 5),
            ChainInfluence(Along(MarkovChain(start, transition), 5)),
        )
        for record in range(1, 6):
            for size in range(6):
                for others in combinations(range(1, 6), size):
                    want = brute.largest(brute.conditional(law, record, others))
                    assert influence.of_set(record, others) == pair(want)


def test_single_outcomes():
    random = Random(3)
    for _ in range(25):
        start, transition = random_chain(random)
        law, influence = (
            brute.sequence_law(start, transition, 4),
            ChainInfluence(Along(MarkovChain(start, transition), 4)),
        )
        for record, other in product(range(1, 5), repeat=2):
            for value in range(len(start)) if record != other else ():
                found = brute.conditional(law, record, [other])
                kept = {v: {z: p for z, p in row.items() if z == (value,)} for v, row in found.items()}
                assert influence.pointwise(record, other, value) == pair(brute.largest(kept))


def test_two_states_have_the_published_form():
    chain = BinaryChain("1/10", "1/5", 40)
    influence = ChainInfluence(Along(chain.prior(), 40))
    for a, b in product((1, 2, 9), (1, 5, 16)):
        assert influence.of(20, a, None).lower == chain.max_influence(a)
        assert influence.of(20, a, b).lower == chain.max_influence(a) * chain.max_influence(b)
        assert influence.pointwise(20, 20 - a, 0).lower == chain.influence(0, a)


def starts_near(start, size, weight):
    """The law that `worst_start` says attains the supremum, or comes near it."""
    if len(start) == 2 and size > 2:
        return [1 - weight if x == start[0] else weight if x == start[1] else Fraction(0) for x in range(size)]
    if len(start) == 1:
        return [Fraction(x == start[0]) for x in range(size)]
    return [Fraction(1, size)] * size


def test_supremum_over_starts_bounds_every_start_and_is_approached():
    random, attained = Random(5), 0
    for _ in range(30):
        _, transition = random_chain(random, sizes=(3,), entries=(0, 1, 1, 2, 5))
        influence = ChainInfluence(Along(MarkovChain([1, 0, 0], transition), 4))
        for record, left, right in ((2, 1, None), (3, 1, 1), (3, 2, None), (4, 1, None), (1, None, 2)):
            found = worst_start(influence, record, left, right)
            others = shown(record, left, right)
            for _ in range(4):
                ratio = brute.influence(random_row(random, 3), transition, 4, record, others)
                assert found.ratio is None or (ratio is not None and ratio <= found.ratio)
            near = brute.influence(starts_near(found.start, 3, Fraction(1, 10**9)), transition, 4, record, others)
            attained += found.attained
            if found.attained:
                assert near == found.ratio
            else:
                assert found.ratio * Fraction(999, 1000) < near < found.ratio
    assert 0 < attained < 150


def test_largest_over_all_records():
    chain = MarkovChain(["1/2", "1/2"], STICKY)
    for left, right in ((2, 3), (3, None), (None, 2)):
        records = range((left or 0) + 1, 40 - (right or 0) + 1)
        influence = ChainInfluence(Along(chain, 40))
        each = [influence.of(record, left, right).lower for record in records]
        assert max_influence(chain, 40, None, left, right).lower == max(each)
        long = max_influence(chain, 10**6, None, left, right, "enclosed")
        assert max(each) <= long.upper
        assert (long.upper - long.lower) * 2**49 < long.lower


def test_far_quilts_of_any_record_of_a_long_chain():
    chain = MarkovChain(["1/2", "1/2"], STICKY)
    long = max_influence(chain, 10**6, None, 1100, None, "enclosed")
    late = max_influence(chain, 10**6, 500_000, 1100, None, "enclosed")
    assert late.lower <= long.upper
    assert 0 < long.upper - 1 < Fraction(1, 10**45)


def test_largest_over_all_records_may_lie_at_the_limit():
    """Late records are nearly stationary, so that the supremum is at least about the stationary
    influence.
    """
    chain = MarkovChain(["99/100", "1/100"], STICKY)
    stationary = max_influence(MarkovChain("stationary", STICKY), 10**6, 500, 2, 3)
    long = max_influence(chain, 10**6, None, 2, 3, "enclosed")
    assert long.lower >= stationary.lower or stationary.lower - long.lower < Fraction(1, 10**12)


def test_first_records_that_are_certain_do_not_hide_later_ones():
    """X_1 is certain, so that X_2 and X_3 have no influence of their left neighbour; later ones
    exclude values.
    """
    chain = MarkovChain(["0", "1"], rows("5/6 1/6, 1 0"))
    assert max_influence(chain, 10**6, 2, 1, None) == Bounds.none()
    assert max_influence(chain, 10**6, None, 1, None, "enclosed") == Bounds.infinite()


def test_a_chain_that_does_not_settle_is_refused():
    """Where a chain forgets its start within millions of steps only, no few records stand for
    all of them.
    """
    transition = rows("9999999/10000000 1/10000000, 1/10000000 9999999/10000000")
    with pytest.raises(ModelError, match="not reached early: expected a record"):
        max_influence(MarkovChain(["1/3", "2/3"], transition), 10**6, None, 1, None, "enclosed")


@pytest.mark.parametrize(
    ("quilt", "said"),
    [
        ((0, None, None), "record from 1 to 5, found 0"),
        ((6, None, None), "record from 1 to 5, found 6"),
        ((1, 1, None), "left: .*record 1 has no neighbour there, found 1"),
        ((3, 3, None), "left: expected a distance from 1 to 2, found 3"),
        ((3, None, 0), "right: expected a distance from 1 to 2, found 0"),
    ],
)
def test_what_is_no_quilt_is_refused(quilt, said):
    with pytest.raises(ModelError, match=said):
        ChainInfluence(Along(MarkovChain("stationary", LAZY), 5)).of(*quilt)


def test_arithmetics_are_never_mixed():
    chain = MarkovChain("stationary", LAZY)
    with pytest.raises(ModelError, match='found "float"'):
        ChainInfluence(Along(chain, 5, "float"))
    with pytest.raises(ModelError, match="exact, enclosed, float"):
        Along(chain, 5, "decimal")


def framework_of(chains, length, secrets):
    alphabet = tuple("abc"[: len(next(iter(chains.values())).transition)])
    return Framework.of_records(Records(length, alphabet), secrets, "disjoint", chains)


def test_enumerated_influence_of_other_priors():
    secrets = {"x2=a": (2, "a"), "x2=b": (2, "b")}
    product_prior = Product([["1/2", "1/2"], ["1/3", "2/3"], ["1/4", "3/4"]])
    framework = Framework.of_records(Records(3, ("a", "b")), secrets, "disjoint", {"theta": product_prior})
    assert enumerated_influence(framework, 2, [1, 3]) == 1
    assert enumerated_influence(framework, 2, [2]) is None
    assert [point.upper for point in listed_points(framework)] == [None, 1, 1, 1]
    both = {"theta": product_prior, "tau": Table({"aaa": "1/4", "bab": "1/4", "aba": "1/8", "bbb": "3/8"})}
    framework = Framework.of_records(Records(3, ("a", "b")), secrets, "disjoint", both)
    assert enumerated_influence(framework, 2, [1]) == 2
    with pytest.raises(ModelError, match="from 1 to 3, found 4"):
        enumerated_influence(framework, 2, [4])
