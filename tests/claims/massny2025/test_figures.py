"""Example 1 and the figures: likelihoods and leakages by enumeration and by the exact sweep."""

from fractions import Fraction

import pytest

from pufferproof.claims.papers.massny2025.figures import instances
from pufferproof.claims.papers.massny2025.figures.instances import FIGURES, relaxed_constant
from pufferproof.claims.papers.massny2025.figures.statement import CURVES, row_holds
from pufferproof.claims.papers.massny2025.influence.three_regions import medium, profile
from pufferproof.models.errors import SolverError
from pufferproof.models.numbers.level import Level
from pufferproof.models.sequences.binary import BinaryChain
from pufferproof.models.sequences.redaction import LocalRedaction, quilt
from pufferproof.verify.sequences.redaction.leakage import redaction_leakage

F = Fraction


@pytest.mark.parametrize("row", CURVES, ids=lambda row: row[0])
def test_curves_by_the_exact_sweep(row):
    epsilon = F(row[0])
    letters, level = instances.split(epsilon), Level.of_nats(epsilon)
    model = BinaryChain(FIGURES.a, FIGURES.b, 10)
    low, high = instances.least_constant(letters, epsilon)

    def made(q):
        return LocalRedaction(profile(letters, dict.fromkeys(medium(letters), q)))

    def kept(q):
        return level.compare(redaction_leakage(model, made(q), 1).leakage.ratio) <= 0

    assert kept(high)
    assert low == 0 or not kept(low)
    assert kept(relaxed_constant(letters, epsilon)[1])
    assert made(high).utility(model) == instances.utility(letters, high)
    assert abs(float(instances.utility(letters, high)) - float(row[3])) < 1e-6


def test_a_wrong_decimal_is_found():
    assert not row_holds(("1", "0.7", "0.747918", "0.789495"))
    for wrong in (("0.7", "0.747917", "0.789496"), ("0.8", "0.747918", "0.789496")):
        assert not row_holds(("1", *wrong))


def test_data_independent_bound_and_quilt():
    model = BinaryChain(FIGURES.a, FIGURES.b, 10)
    assert quilt(model, 1, Level.of_nats("1")).mechanism.released == (5, 6, 7, 8, 9, 10)
    levels = [*map(F, ("1/100000", "1/10", "1", "3"))]
    assert [*map(instances.bound, levels)] == [0, F(1, 2), F(7, 10), F(9, 10)]


def test_undecided_comparisons_and_rising_ratios():
    pairs = (F(1), F(1)), (F(1), F(2))
    assert [instances.never_rises(*each) for each in (pairs, pairs[::-1])] == [True, False]
    with pytest.raises(SolverError, match="q = 1"):
        relaxed_constant("LMS", F(1, 1000))
