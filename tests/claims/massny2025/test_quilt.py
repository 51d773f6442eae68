"""The Markov quilt mechanism and 3R releases as printed: windows, privacy and
utility on small chains.
"""

from fractions import Fraction

import pytest

from pufferproof import Level
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    case,
    first_distance,
    instances,
    optimum,
    printed_bound,
)
from pufferproof.claims.papers.massny2025.comparison.splits import most_released, sure_releases
from pufferproof.claims.papers.massny2025.influence.instances import chain, leakage, local, released
from pufferproof.claims.papers.massny2025.quilt.windows import inside, leaks, released_by, window
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import quilt

F = Fraction


def redacted(at):
    return at.length - released_by(at, *window(at)[1:])


@pytest.mark.parametrize("sign", [-1, 0, 1])
def test_small_chains_agree_with_what_is_proved(sign):
    """Window, privacy, lower bound, distance from the printed bound and from the optimum, and
    3R with q = 1.
    """
    branches = set()
    for at in instances(7, 3, sign):
        branch, left, right = window(at)
        branches.add(branch)
        one_sided = first_distance(at.of, at.ratio) + at.private - 1
        symmetric = 2 * first_distance(at.of, at.ratio, 2) - 1
        assert inside(at)
        assert leaks(at, left, right) <= at.ratio
        assert redacted(at) == left + right + 1
        assert redacted(at) <= (at.length, one_sided + 1, min(one_sided, symmetric) + 2)[case(at)]
        assert 0 <= redacted(at) - printed_bound(at) <= 2
        assert 0 <= redacted(at) - optimum(at)[0] <= (3 if sign >= 0 else 4)
        assert sure_releases(at) >= released_by(at, left, right)
        assert at.length - optimum(at)[0] - sure_releases(at) <= 2
        assert sign < 0 or most_released(at) >= at.length - optimum(at)[0]
    assert branches == {"one-sided", "two-sided"}


def test_narrower_windows_are_private_as_well():
    for at in instances(6, 3):
        branch, left, right = window(at)
        less = right - (first_distance(at.of, at.ratio) <= at.length - at.private)
        narrower = (left, less) if branch == "one-sided" else (left - 1, right - 1)
        assert leaks(at, *narrower) <= at.ratio


def test_leakage_of_a_window_is_that_of_its_outputs():
    for at in list(instances(5, 3))[::37]:
        _, left, right = window(at)
        kept = [
            t for t in range(1, at.length + 1) if not at.private - left <= t <= at.private + right
        ]
        enumerated = leakage(at.of, at.length, at.private, local(released(at.length, kept)))
        assert enumerated == leaks(at, left, right)


def test_windows_are_those_of_the_model():
    for at in list(instances(8, 3))[::41]:
        found = quilt(BinaryChain(at.of.a, at.of.b, at.length), at.private, Level.log(at.ratio))
        assert (found.branch, found.left, found.right) == window(at)


def test_a_window_sticks_out_beyond_the_middle():
    beyond = [at for at in instances(5, 3, positions="all") if 2 * at.private > at.length + 1]
    assert not all(inside(at) for at in beyond)


def test_what_3r_can_release_by_hand():
    uneven = Instance(chain("1/2", "2/3"), 6, 3, F(63, 40))
    assert most_released(uneven) == F(25, 7)
    assert 6 - optimum(uneven)[0] == 4
    assert most_released(Instance(chain("1/5", "1/5"), 4, 1, F(4)), halves=True) == 1
