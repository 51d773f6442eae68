"""Flips of every record of a binary chain, as the code of "Optimal Local Bayesian Differential
Privacy over Markov Chains" has them: in the middle of long chains whose values stay they tell what
is asked for, and more than that on chains whose values alternate.
"""

from fractions import Fraction
from math import ceil, exp, sqrt

import pytest

from pufferproof import Framework, LocalMechanism, MarkovChain, Records, audit


def flips(q, r, epsilon):
    """Return the chances to flip 0 and 1, rounded up to 10^-6: where both lines of min_exp_noise
    meet (lstm_attack.py of github.com/AdityaSaraf/correlated_data_privacy_attack).
    """
    e = exp(epsilon)

    def side(q, r):
        root = abs(q - e * r) * sqrt((q - e * r) ** 2 + 4 * e * (1 - q) * (1 - r))
        whole = (q - e * r) ** 2 + 2 * e * (1 - q) * (1 - r)
        return (whole + (root if e >= q / r else -root)) / (4 * (1 - q) ** 2 * e)

    a, b = side(q, r), side(r, q)
    # through (1 - a, 1/2) and (1/2, 1/(4a)); through (1/(4b), 1/2) and (1/2, 1 - b)
    down, across = (1 / (4 * a) - 0.5) / (a - 0.5), (0.5 - b) / (0.5 - 1 / (4 * b))
    x = (across / (4 * b) - down * (1 - a)) / (across - down)
    y = 0.5 + down * (x - 1 + a)
    return [Fraction(ceil(each * 10**6), 10**6) for each in (x, y)]


def verdict(q, r, epsilon, count, chances):
    records = Records(count, ("0", "1"))
    chain = MarkovChain("stationary", [[1 - q, q], [r, 1 - r]])
    middle = (count + 1) // 2
    secrets = {f"x={value}": (middle, value) for value in "01"}
    framework = Framework.of_records(records, secrets, "disjoint", {"chain": chain})
    zero, one = chances
    rows = [[1 - zero, zero], [one, 1 - one]]
    flipped = LocalMechanism(("0", "1"), ("0", "1"), [rows] * count)
    return audit(framework, flipped, epsilon=epsilon).verdict.value


@pytest.mark.parametrize(("q", "r"), [("2/5", "1/10"), ("3/10", "1/2"), ("1/5", "1/5")])
@pytest.mark.parametrize("epsilon", [1, 2])
def test_flips_keep_the_level_where_values_stay(q, r, epsilon):
    q, r = Fraction(q), Fraction(r)
    chances = flips(q, r, epsilon)
    assert verdict(q, r, str(epsilon), 41, chances) == "SATISFIES"
    fewer = [each * Fraction(99, 100) for each in chances]
    assert verdict(q, r, str(epsilon), 41, fewer) == "VIOLATES"


@pytest.mark.parametrize("epsilon", [1, 2, 5])
def test_flips_break_the_level_where_values_alternate(epsilon):
    q, r = Fraction(3, 5), Fraction(7, 10)  # q + r > 1: a negative eigenvalue
    assert verdict(q, r, str(epsilon), 3, flips(q, r, epsilon)) == "VIOLATES"
