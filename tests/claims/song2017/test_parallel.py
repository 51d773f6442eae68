"""Two mechanisms on two segments of a chain: the counterexamples to the printed theorem."""

from fractions import Fraction

import pytest
from tests.claims.examination import examined
from tests.claims.rules import (
    assert_repaired,
    assert_reproducible,
    evidence,
)

from pufferproof.verify.proof.argument import ClaimVerdict

F = Fraction


@pytest.mark.claims
def test_the_printed_theorem_is_false_and_its_files_show_it():
    check = examined("song2017.thm-III1")
    assert check.verdict is ClaimVerdict.REFUTED
    assert_repaired(check)
    assert_reproducible(check)
    found = evidence(check)
    assert (found["e^eps_A"], found["e^eps_B"]) == (19, 16)
    assert (found["e^E as printed"], found["joint e^leakage"]) == (F(779, 23), 34)
    stationary = evidence(check, 1)
    assert (stationary["e^E as printed"], stationary["joint e^leakage"]) == (
        F(783, 11),
        F(1827, 25),
    )
