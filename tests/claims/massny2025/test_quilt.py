"""The Markov quilt mechanism and 3R releases as printed: windows of the library, and numbers by
hand.
"""

from fractions import Fraction

from pufferproof import Level
from pufferproof.claims.papers.massny2025.bound.patterns import (
    Instance,
    instances,
    optimum,
)
from pufferproof.claims.papers.massny2025.comparison.splits import most_released
from pufferproof.claims.papers.massny2025.influence.instances import chain
from pufferproof.claims.papers.massny2025.quilt.windows import inside, window
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import quilt

F = Fraction


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
