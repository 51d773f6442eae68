"""Statements on influence, noise and the simulations, on small instances: by definitions of their
own, in fractions.

Nothing here uses what proves the claims, nor the evaluation that their counterexamples use.
"""

from itertools import product
from math import exp
from random import Random

import pytest
from tests.brute.laws import F, largest, neighbours, row

HALF = F(1, 2)


def exp_below(x):
    """A rational at most e^-x for x >= 0: 1 over an upper bound of e^x."""
    terms, total, term = 4 * int(x) + 40, F(1), F(1)
    for k in range(1, terms):
        term = term * x / k
        total += term
    return 1 / (total + 2 * term)


def times(left, right):
    return [
        [sum(a * right[k][j] for k, a in enumerate(line)) for j in range(len(right))]
        for line in left
    ]


def reversible_chains(random):
    """(P, pi, the other eigenvalue): two states, or lam I + (1 - lam) 1 pi^T, which leaves pi
    and nothing else alone.
    """
    for _ in range(12):
        a, b = (F(random.randint(1, 8), 8) for _ in range(2))
        if a + b < 2:
            yield [[1 - a, a], [b, 1 - b]], [b / (a + b), a / (a + b)], 1 - a - b
        size = random.choice([2, 3, 4])
        pi = row(random, size, zero=False)
        lam = random.choice([F(1, 2), F(1, 5), F(0), -min(pi) / (1 - min(pi)) / 2])
        yield (
            [[lam * (x == y) + (1 - lam) * pi[y] for y in range(size)] for x in range(size)],
            pi,
            lam,
        )


def starts(random, size):
    return [[F(x == y) for y in range(size)] for x in range(size)] + [
        row(random, size) for _ in range(2)
    ]


@pytest.mark.parametrize("seed", range(6))
def test_influence_on_reversible_chains_stays_below_the_bound_of_the_distances(seed):
    """Lemmas A.2, A.3 and 4.7, with Delta_t rounded down; exponent 1 is enough from the
    stationary law.
    """
    random, checked = Random(seed), 0
    for step, pi, lam in reversible_chains(random):
        assert all(
            pi[x] * step[x][y] == pi[y] * step[y][x] for x in range(len(pi)) for y in range(len(pi))
        )
        powers, bounds = {0: [[F(x == y) for y in range(len(pi))] for x in range(len(pi))]}, {}
        for t in range(1, 13):
            powers[t] = times(powers[t - 1], step)
            delta = exp_below(t * (1 - abs(lam))) / min(pi)
            if delta < 1 - F(1, 10**6):
                bounds[t] = (1 + delta) / (1 - delta)
        for t, bound in bounds.items():
            forward = [dict(enumerate(line)) for line in powers[t]]
            assert largest(forward) <= bound
            assert backward(powers[t], pi) <= bound
            for law in starts(random, len(pi)):
                assert backward(powers[t], law) <= bound**2
                a, b = random.choice(list(bounds)), t
                assert both_sides(powers[a], powers[b], law) <= bounds[b] * bounds[a] ** 2
                checked += 1
    assert checked > 50


def backward(power, law):
    """The largest ratio of Pr(X_j=y|X_{j+t}=x) over x, for the law of X_j."""
    joints = [{y: law[y] * power[y][x] for y in range(len(law)) if law[y]} for x in range(len(law))]
    return largest([{y: p / sum(each.values()) for y, p in each.items()} for each in joints])


def both_sides(left, right, law):
    """e^e({X_{i-a},X_{i+b}}|X_i), law that of X_{i-a}."""
    held = []
    for x in range(len(law)):
        total = sum(law[y] * left[y][x] for y in range(len(law)))
        pairs = product(range(len(law)), repeat=2)
        held.append({(y, z): law[y] * left[y][x] * right[x][z] / total for y, z in pairs if law[y]})
    return largest(held)


# Noise, sensitivities and the simulations


def test_sensitivities_of_a_count_and_of_a_histogram():
    """1 and 2 where there is somebody, and something to change into; 0 for a histogram of one
    bin; 2/T for frequencies.
    """
    for length, bins in product((1, 2, 3), (1, 2, 3)):
        databases = list(product(range(bins), repeat=length))
        change = max(
            (
                sum(abs(x.count(v) - y.count(v)) for v in range(bins))
                for x, y in neighbours(length, range(bins))
                if x in databases
            ),
            default=0,
        )
        assert change == (2 if bins > 1 else 0)
        assert F(change, length) <= F(2, length)
        assert max(abs(sum(x) - sum(y)) for x, y in neighbours(length, (0, 1))) == 1


def test_mean_absolute_value_and_variance_of_laplace_noise_by_sums_over_a_grid():
    step = 1 / 512
    weights = [(abs(z := (k + 0.5) * step), exp(-abs(z)) / 2 * step) for k in range(-20000, 20000)]
    first, second = (sum(p * z**power for z, p in weights) for power in (1, 2))
    assert first == pytest.approx(1, rel=1e-5)
    assert second == pytest.approx(2, rel=1e-5)


def scales(n, pi, q, level):
    """sigma_max as (c, r), c/log r, over every quilt that is allowed: e^h(t) = (pi + q^t)/(pi -
    q^t) if q^t < pi.
    """

    def bound(t):
        return (pi + q**t) / (pi - q**t)

    def below(x, y):
        return y[1] ** x[0] < x[1] ** y[0]

    most = None
    for i in range(1, n + 1):
        candidates = [(n, level)]
        left = [(i, F(1)), *((a, bound(a) ** 2) for a in range(1, i) if q**a < pi)]
        right = [(n + 1 - i, F(1)), *((b, bound(b)) for b in range(1, n + 1 - i) if q**b < pi)]
        candidates += [
            (a + b - 1, level / (u * v)) for (a, u), (b, v) in product(left, right) if u * v < level
        ]
        least = candidates[0]
        for each in candidates:
            least = each if below(each, least) else least
        most = least if most is None or below(most, least) else most
    return most


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_larger_levels_and_parameters_never_need_more_noise(n):
    def no_more(x, y):
        return x[1] ** y[0] >= y[1] ** x[0]

    pis, qs, levels = (
        [F(1, 5), F(1, 3), HALF],
        [HALF, F(2, 5), F(1, 9)],
        [F(5, 4), F(2), F(9), F(40)],
    )
    for pi, q, level in product(pis, qs, levels):
        here = scales(n, pi, q, level)
        for other in [
            *((x, q, level) for x in pis if x > pi),
            *((pi, x, level) for x in qs if x < q),
            *((pi, q, x) for x in levels if x > level),
        ]:
            assert no_more(scales(n, *other), here)


def test_one_record_more_may_need_noise_that_grows_faster_than_the_length():
    before, after = (scales(n, HALF, HALF, F(40)) for n in (7, 8))
    assert (before, after) == ((6, F(24)), (8, F(40)))
    assert F(40) ** (6 * 8) < F(24) ** (8 * 7)  # 6/(7 log 24) < 8/(8 log 40)
