"""Identities are compared with their definition in rationals, where numbers have few digits: a sum
of fractions is then easily left with a part that whole numbers lose.
"""

import random
from fractions import Fraction

from pufferproof.lp.cones.columns import OrderedLaws
from pufferproof.lp.worst.relaxation import Certified, Multipliers, Rows


def test_no_bound_is_proved_by_what_a_division_leaves_over():
    units = ((1, 0), (0, 1))
    laws = OrderedLaws((3, 1), (1, 1), 4, 2, ())  # 3/4 against 1/2: a ratio of 3/2
    assert not Certified(Fraction(5, 4), {}).proves(laws, (units, units))
    assert Certified(Fraction(3, 2), {}).proves(laws, (units, units))


def test_an_identity_is_accepted_where_its_definition_is():
    draw, answers = random.Random(3), []
    for _ in range(300):
        size = draw.choice([1, 2, 3])
        mu, nu = ([draw.randint(0, 3) for _ in range(size - 1)] + [1] for _ in range(2))
        laws = OrderedLaws(tuple(mu), tuple(nu), sum(mu), sum(nu), ())
        one, two = (tuple(tuple(draw.randint(-1, 2) for _ in range(size)) for _ in range(2)) for _ in range(2))
        multipliers = {
            (draw.randrange(2), draw.randrange(2)): Fraction(draw.randint(0, 3), draw.randint(1, 4))
            for _ in range(draw.randint(0, 3))
        }
        bound = Fraction(draw.randint(1, 12), draw.randint(1, 4))
        found = Certified(bound, multipliers).proves(laws, (one, two))
        assert found == _by_definition(bound, multipliers, laws, (one, two))
        answers.append(found)
    assert 30 < sum(answers) < 270


def _by_definition(bound: Fraction, multipliers: Multipliers, laws: OrderedLaws, rows: tuple[Rows, Rows]) -> bool:
    """Whether diag(L nu - mu) - B1^T S B2 has no negative entry, entry by entry."""
    places = range(len(laws.mu))
    for x in places:
        for y in places:
            left = -sum(s * rows[0][i][x] * rows[1][j][y] for (i, j), s in multipliers.items())
            if x == y:
                left += bound * Fraction(laws.nu[x], laws.nu_total)
                left -= Fraction(laws.mu[x], laws.mu_total)
            if left < 0:
                return False
    return True
