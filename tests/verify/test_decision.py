"""Three-valued answers: what is undecided is neither yes nor no."""

from itertools import product

import pytest

from pufferproof.verify.decision import Decision, Verdict

HOLDS, FAILS, UNDECIDED = Decision.HOLDS, Decision.FAILS, Decision.UNDECIDED


def test_all_hold_unless_one_fails_or_leaves_it_open():
    for several in product(Decision, repeat=3):
        expected = UNDECIDED if UNDECIDED in several else HOLDS
        assert Decision.every(several) is (FAILS if FAILS in several else expected)
    assert Decision.every([]) is HOLDS


def test_nothing_is_asked_after_the_first_that_fails():
    asked = iter([HOLDS, FAILS, UNDECIDED])
    assert Decision.every(asked) is FAILS
    assert list(asked) == [UNDECIDED]


def test_what_is_undecided_has_no_truth_value():
    assert (bool(HOLDS), bool(FAILS)) == (True, False)
    for use in (bool, lambda answer: not answer, lambda answer: answer or True):
        with pytest.raises(ValueError, match="found UNDECIDED"):
            use(UNDECIDED)


def test_a_sign_decides_unless_it_is_unknown():
    assert [Decision.at_most(sign) for sign in (-1, 0, 1, None)] == [HOLDS, HOLDS, FAILS, UNDECIDED]


def test_words_and_booleans_that_are_printed():
    assert [(each.name, each.value, Verdict.of(each).value) for each in Decision] == [
        ("HOLDS", True, "SATISFIES"),
        ("FAILS", False, "VIOLATES"),
        ("UNDECIDED", None, "UNDECIDED"),
    ]
