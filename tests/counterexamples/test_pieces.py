"""Two forms of which the larger or the smaller holds: what was fitted, against the forms that the
values were made of.
"""

from fractions import Fraction
from itertools import product

import pytest

from pufferproof.counterexamples.exploration.conjectures.fitting import in_two_pieces
from pufferproof.counterexamples.exploration.conjectures.quantities import Value

F = Fraction
AXES = [F(n, 2) for n in range(1, 11)], [F(n) for n in range(1, 9)]
ONE = [{"x": F(n, 3)} for n in range(1, 20)]
TWO = [{"x": x, "y": y} for x, y in product(*AXES)]


def known(places, form):
    return [(place, Value(F(form(**place)))) for place in places]


@pytest.mark.parametrize(
    ("places", "form"),
    [
        (ONE, lambda x: max(x * x, 2 * x + 1)),
        (ONE, lambda x: min(4 - x, 1 / (x + 1))),
        (TWO, lambda x, y: max(x * y, x + y)),  # which is larger is no matter of one parameter
        (TWO, lambda x, y: max(x / 2 + 3, y)),
        (TWO, lambda x, y: min(x + y, 7)),
    ],
)
def test_two_forms_are_found_with_their_sides(places, form):
    found = in_two_pieces(known(places, form), "worst", 2, 1)
    beyond = [{name: 3 * each + F(1, 7) for name, each in place.items()} for place in places]
    for place in (*places, *beyond):
        assert found.relation.holds(place, Value(F(form(**place))))
        assert not found.relation.holds(place, Value(form(**place) + 1))
    assert found.unknowns <= 6


def test_of_square_roots_the_larger_square_is_found():
    form = [(at, Value(None, max(at["x"] ** 2 + 1, F(5)) + F(1, 3))) for at in ONE]
    found = in_two_pieces(form, "threshold", 2, 2)
    assert str(found.relation).startswith("threshold_squared == max(")
    assert all(found.relation.holds(*each) for each in form)


@pytest.mark.parametrize("form", [lambda x: 2 ** int(3 * x), lambda x: int(x) % 3 + x, lambda x: int(x)])
def test_nothing_is_said_where_two_forms_do_not_explain_all(form):
    assert in_two_pieces(known(ONE, form), "worst", 2, 1) is None


def test_few_members_say_nothing():
    assert in_two_pieces(known(ONE[:4], lambda x: max(x, F(1))), "worst", 2, 1) is None
