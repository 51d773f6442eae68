"""What a largest ratio says of itself: on what it rests, and what JSON keeps of it."""

from dataclasses import replace
from fractions import Fraction

import pytest

from pufferproof import Level
from pufferproof.verify.leakage.largest import LargestRatio
from pufferproof.verify.leakage.ratio import Leakage, Scope, Witness

FOUND = LargestRatio(
    Leakage.of(Fraction(2)), Witness("p", ("s", "t"), "u"), Scope(4, 1, (("s", "r"),))
)


@pytest.mark.parametrize(
    ("level", "trust"),
    [
        (None, ("EXACT",)),
        (Level("log(2)"), ("EXACT",)),
        (Level("0"), ("EXACT",)),
        (Level("0.5"), ("EXACT", "INTERVAL")),
    ],
)
def test_it_rests_on_intervals_where_the_level_has_no_ratio(level, trust):
    assert FOUND.trust(level) == trust
    assert FOUND.as_json(level)["trust"] == [*trust]


def test_what_json_says_of_it():
    assert FOUND.as_json(None) == {
        "leakage": Leakage.of(Fraction(2)).as_json(),
        "witness": {"prior": "p", "pair": ["s", "t"], "output": "u"},
        "excluded": 1,
        "never_checked": [["s", "r"]],
        "checked": 4,
        "trust": ["EXACT"],
    }
    assert (FOUND.output, FOUND.where) == ("u", "")


def test_a_number_is_left_out_where_it_or_the_one_before_is_no_double():
    for checked in (1, 2**53 - 1, 2**53, 2**53 + 1, 2**60):
        said = replace(FOUND, scope=Scope(checked, 0, ())).as_json(None)["checked"]
        doubles = all(float(each) == each for each in (checked - 1, checked))
        assert said == (checked if doubles else None)
