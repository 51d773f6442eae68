"""Claims on lower bounds and composition of local redaction: each proved statement on
small cases by enumeration.
"""

from itertools import product

from tests.claims.massny2025.rules import (
    SIGNS,
    cells,
    random_redaction,
    subsets,
)

from pufferproof.claims.papers.massny2025.composition.dependent import (
    hiding,
    jointly,
    parity,
)
from pufferproof.claims.papers.massny2025.influence.instances import (
    given,
    is_local,
    leakage,
    local,
    marginal,
    output_law,
    pointwise,
    released,
    set_influence,
)
from pufferproof.claims.papers.massny2025.lower.radius import patterns


def times(left, right):
    """Multiply two ratios, None for infinite."""
    return None if left is None or right is None else left * right


def at_most(left, right):
    return right is None or (left is not None and left <= right)


def test_released_values_bound_the_leakage_from_below():
    for seed, (_, of, count, private) in enumerate(cells(4)):
        mechanism = local(random_redaction(seed, count, private))
        bound = leakage(of, count, private, mechanism)
        for chosen in subsets(t for t in range(1, count + 1) if t != private):
            laws = [marginal(given(of, count, private, value), chosen) for value in (0, 1)]
            outputs = marginal(output_law(of, count, private, 0, mechanism), chosen)
            for x, weight in outputs.items():
                if weight and "*" not in x:
                    assert bound >= max(laws[0][x] / laws[1][x], laws[1][x] / laws[0][x])


def test_a_private_record_that_may_be_released_is_told():
    for seed, (_, of, count, private) in enumerate(cells(3)):
        redaction = random_redaction(seed, count, private, hidden=False)
        if redaction[private - 1] != (1, 1):
            assert leakage(of, count, private, local(redaction)) is None


def test_data_independent_leakage_is_that_of_the_nearest_released_records():
    for _, of, count, private in cells(4):
        for kept in subsets(t for t in range(1, count + 1) if t != private):
            whole = leakage(of, count, private, local(released(count, kept)))
            left, right = [t for t in kept if t < private], [t for t in kept if t > private]
            nearest = [*left[-1:], *right[:1]]
            assert (
                whole
                == set_influence(of, count, private, nearest)
                == set_influence(of, count, private, kept)
            )
            total = 1
            for t in nearest:
                total *= pointwise(of, abs(t - private), 1)
            assert whole <= total
            if len(nearest) < 2 or (nearest[1] - nearest[0]) % 2 == 0 or of.eigenvalue >= 0:
                assert whole == total


def test_the_sum_is_not_reached_at_odd_distances_for_a_negative_eigenvalue():
    of = SIGNS["negative"]
    assert set_influence(of, 4, 2, [1, 4]) < pointwise(of, 1, 1) * pointwise(of, 2, 1)
    tie = SIGNS["tie"]
    assert set_influence(tie, 4, 2, [1, 4]) == pointwise(tie, 1, 1) * pointwise(tie, 2, 1)


def test_randomised_data_independent_redaction_leaks_as_if_it_released():
    for seed, (_, of, count, private) in enumerate(cells(4)):
        redaction = [(r0, r0) for r0, _ in random_redaction(seed, count, private)]
        kept = [t for t, (r, _) in enumerate(redaction, 1) if r < 1]
        assert leakage(of, count, private, local(redaction)) == set_influence(
            of, count, private, kept
        )


def test_sides_compose_for_independent_redactions_only():
    for seed, (_, of, count, private) in enumerate(cells(4)):
        mechanism = local(random_redaction(seed, count, private, hidden=seed % 5 > 0))
        left, right = range(1, private + 1), range(private, count + 1)
        sides = [leakage(of, count, private, mechanism, side) for side in (left, right)]
        assert at_most(leakage(of, count, private, mechanism), times(*sides))
    assert all(is_local(3, jointly(shown)) for shown in (parity, hiding))


def test_the_radius_of_a_pattern_with_a_hidden_record_exists_and_is_unique():
    for _, private, kept in patterns(6):
        if private not in kept:
            windows = [all(not private - d <= t <= private for t in kept) for d in range(private)]
            largest = max(d for d, empty in enumerate(windows) if empty)
            assert windows == [d <= largest for d in range(private)]
            assert largest == private - 1 or private - largest - 1 in kept


def test_instances_are_channels_of_a_markov_chain():
    for (_, of, count, private), value in product(cells(3), (0, 1)):
        law = output_law(of, count, private, value, local(random_redaction(value, count, private)))
        assert sum(law.values()) == 1
