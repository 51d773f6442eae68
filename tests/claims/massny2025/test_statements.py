"""Redaction on a chain: the setting, the bound, the 3R family and the printed quilt mechanism."""

from fractions import Fraction
from itertools import combinations, product
from random import Random

import pytest
from tests.brute.definitions import leakage as brute_leakage

from pufferproof import Channel, Framework, MarkovChain, Records, audit
from pufferproof.claims.papers.massny2025.bound import patterns
from pufferproof.claims.papers.massny2025.bound.patterns import Instance, first_distance, optimum
from pufferproof.claims.papers.massny2025.bound.statement import TWO
from pufferproof.claims.papers.massny2025.bound.steps import ODD
from pufferproof.claims.papers.massny2025.comparison.splits import most_released
from pufferproof.claims.papers.massny2025.composition.dependent import joint_ratio
from pufferproof.claims.papers.massny2025.influence import instances, three_regions
from pufferproof.claims.papers.massny2025.influence.instances import chain, leakage, local, released
from pufferproof.claims.papers.massny2025.influence.three_regions import leaks, regions, relaxed
from pufferproof.claims.papers.massny2025.quilt.windows import inside, window
from pufferproof.claims.papers.massny2025.relaxation.constant import bounds, pair
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences import redaction
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

F = Fraction
PROBABILITIES = [Fraction(k, 4) for k in range(5)]
SIGNS = {
    **{"positive": chain("1/4", "1/2"), "zero": chain("1/3", "2/3")},
    **{"negative": chain("2/3", "3/4"), "tie": chain("3/4", "3/4")},
}


def random_redaction(seed, count, private, hidden):
    """Draw r_t(x) from quarters; X_p always redacted if `hidden`."""
    draw = Random(seed)
    pairs = [(draw.choice(PROBABILITIES), draw.choice(PROBABILITIES)) for _ in range(count)]
    return [(F(1), F(1)) if hidden and t == private else p for t, p in enumerate(pairs, 1)]


def test_leakage_is_the_pufferfish_leakage_of_the_framework():
    cells = [(of, n, p) for of in SIGNS.values() for n in range(1, 4) for p in range(1, n + 1)]
    for seed, (of, count, private) in enumerate(cells):
        mechanism = local(random_redaction(seed, count, private, hidden=seed % 4 > 0))
        framework = framework_of(of, count, private)
        rows = {x: mechanism(x) for x in framework.databases}
        outputs = sorted({y for row in rows.values() for y in row})
        table = {x: [row.get(y, F(0)) for y in outputs] for x, row in rows.items()}
        channel = Channel.of(table, outputs)
        found = leakage(of, count, private, mechanism)
        assert audit(framework, channel).leakage.ratio == found
        if found is not None:
            assert brute_leakage(framework, channel)[0] == found


def framework_of(of, count, private):
    """Build the framework from the project's own Markov chain, which starts stationary."""
    secrets = {f"x{private}={bit}": (private, bit) for bit in "01"}
    prior = {"chain": MarkovChain("stationary", of.step)}
    return Framework.of_records(Records(count, ("0", "1")), secrets, [tuple(secrets)], prior)


def test_the_ends_of_three_records_are_told_jointly_more_than_each():
    for of in SIGNS.values():
        mechanism = local(released(3, [2]))
        together, single = joint_ratio(of, 3, (1, 3), mechanism), leakage(of, 3, 1, mechanism)
        assert together > single or of.eigenvalue == 0
        assert joint_ratio(of, 3, (1,), mechanism) == single


def kept_sets(length, private):
    others = [t for t in range(1, length + 1) if t != private]
    return [kept for size in range(length) for kept in combinations(others, size)]


def leaks_of(of, length, private):
    """The leakage of every pattern, by the records that it keeps."""
    every = kept_sets(length, private)
    return {kept: leakage(of, length, private, local(released(length, kept))) for kept in every}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_the_nearest_released_records_decide_and_the_optimum_is_that_of_all_patterns(sign, length):
    of = SIGNS[sign]
    for private in range(1, length + 1):
        found = leaks_of(of, length, private)
        for kept, leak in found.items():
            left = min((private - t for t in kept if t < private), default=None)
            right = min((t - private for t in kept if t > private), default=None)
            assert leak == patterns.pattern_leakage(of, left, right)
        for ratio in patterns.levels(of, 3):
            most = max(len(x) for x, leak in found.items() if leak is not None and leak <= ratio)
            assert optimum(Instance(of, length, private, ratio))[0] == length - most


def test_two_records_more_than_the_bound_allows():
    assert optimum(TWO) == (5, [(2, 4), (4, 2)])
    assert (patterns.printed_bound(TWO), first_distance(TWO.of, TWO.ratio, 2)) == (7, 4)
    assert (optimum(ODD), patterns.printed_bound(ODD)) == ((2, [(1, 2), (2, 1)]), 3)


@pytest.mark.parametrize("share", [1, 2])
def test_the_first_distance_is_that_of_the_definition(share):
    for of in instances.chains(5, ordered=False):
        near = [patterns.max_influence(of, d) for d in range(1, 8)]
        for ratio in {each**share + more for each in near for more in (0, F(1, 9))} - {1}:
            powers = (patterns.max_influence(of, d) ** share for d in range(1, 1000))
            least = next(d for d, each in enumerate(powers, 1) if each <= ratio)
            assert first_distance(of, ratio, share) == least
    with pytest.raises(SolverError, match="at each distance below 1000"):
        first_distance(chain("1/3", "1/2"), F(1), share)


def test_no_data_independent_mechanism_at_level_0():
    of = chain("1/3", "1/2")
    assert optimum(Instance(of, 4, 2, F(1))) == (4, [(None, None)])
    assert optimum(Instance(chain("1/2", "1/2"), 4, 2, F(1)))[0] == 1


STEPS = "1/4 1/2, 1/10 3/10, 1/100 4/5, 1/2 2/3, 3/5 4/5, 1/3 2/3, 1/3 1/3"
CHAINS = [chain(*each.split()) for each in STEPS.split(", ")]


def mechanisms(largest=4, seed=1):
    """Yield chain, n, p, budgets at and between breakpoints, regions, q of small denominators."""
    draw = Random(seed)
    for of, size in product(CHAINS, range(1, largest + 1)):
        for private in range(1, size + 1):
            marks = three_regions.breakpoints(of, size, private) or [F(2)]
            marks += [mark * F(101, 100) for mark in marks]
            for left in marks:
                right = draw.choice(marks)
                letters = regions(of, size, private, left, right)
                some = [F(1, 10), F(1, 3), F(1, 2), F(4, 5), F(99, 100), F(1)]
                q = {t: draw.choice(some) for t in three_regions.medium(letters)}
                yield of, size, private, {-1: left, 1: right}, letters, q


def test_the_model_of_mechanisms_agrees():
    for of, size, private, budgets, letters, q in mechanisms(3):
        model = BinaryChain(of.a, of.b, size)
        left, right = Level.log(budgets[-1]), Level.log(budgets[1])
        made = redaction.three_regions(model, private, left, right, q)
        assert [*map(tuple, made.rows)] == [*map(tuple, three_regions.profile(letters, q))]
        found = redaction_leakage(model, made, private).leakage.ratio
        assert found == leaks(of, private, letters, q)


def test_a_smaller_sum_than_any_constant():
    of, budget = chain("1/10", "2/7"), F(63, 20)
    letters = regions(of, 3, 1, budget, budget)
    first, second = pair((of, budget, letters))
    assert letters == "LMM"
    assert relaxed(of, 1, letters, {2: first, 3: second}) == budget
    assert leaks(of, 1, letters, {2: first, 3: second}) <= budget
    least = bounds((of, budget, letters))[0]
    assert relaxed(of, 1, letters, {2: least, 3: least}) == budget
    assert relaxed(of, 1, letters, {2: least * F(999, 1000), 3: least * F(999, 1000)}) > budget
    assert first + second < 2 * least


def test_windows_are_those_of_the_model():
    for at in list(patterns.instances(8, 3))[::41]:
        model = BinaryChain(at.of.a, at.of.b, at.length)
        found = redaction.quilt(model, at.private, Level.log(at.ratio))
        assert (found.branch, found.left, found.right) == window(at)


def test_a_window_sticks_out_beyond_the_middle():
    every = patterns.instances(5, 3, positions="all")
    assert not all(inside(at) for at in every if 2 * at.private > at.length + 1)


def test_what_3r_can_release_by_hand():
    uneven = Instance(chain("1/2", "2/3"), 6, 3, F(63, 40))
    assert most_released(uneven) == F(25, 7)
    assert 6 - optimum(uneven)[0] == 4
    assert most_released(Instance(chain("1/5", "1/5"), 4, 1, F(4)), halves=True) == 1
