"""Claims on games of log-likelihoods, mixtures in them, and bounds by multipliers: settled, and
true of small instances in exact numbers.
"""

from fractions import Fraction
from itertools import product
from math import inf, prod
from random import Random

import pytest
from tests.examples import TIMES

F = Fraction
SEEDS = range(12 * TIMES)


def law(random, size, zeros=True):
    weights = [random.choice([0, 1, 2, 3] if zeros else [1, 2, 3]) for _ in range(size)]
    weights[random.randrange(size)] += 1
    return tuple(F(weight, sum(weights)) for weight in weights)


def counts(total, places):
    """Every way to share a number of runs, or of parts of a weight."""
    if places == 1:
        return [(total,)]
    return [(k, *rest) for k in range(total + 1) for rest in counts(total - k, places - 1)]


def quotient(above, below):
    return above / below if below else inf


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_not_negative_and_0_only_for_equal_rows(seed):
    random = Random(seed)
    rows = [law(random, 3) for _ in range(3)]
    x = random.choice([law(random, 3), rows[0]])
    for beta in counts(4, 3):
        chosen = [row for row, k in zip(rows, beta) if k]
        means = [prod(row[w] ** k for row, k in zip(rows, beta)) for w in range(3)]
        ratios = [quotient(x[w] ** 4, means[w]) for w in range(3) if x[w]]
        assert max(ratios) >= 1
        assert (max(ratios) == 1) == all(row == x for row in chosen)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_few_runs_separate_what_outputs_can_separate(seed):
    """Counts that earn `wanted` against the databases that remain still nearly do so with one run
    of each separating output in many, and infinitely much against the others.
    """
    random = Random(100 + seed)
    x, rows = law(random, 3, zeros=False), [law(random, 3) for _ in range(3)]
    stay = [row for row in rows if all(row)]
    apart = [row for row in rows if not all(row)]
    separating = [next(w for w in range(3) if not row[w]) for row in apart]
    for alpha in counts(3, 3):
        earned = [prod((x[w] / row[w]) ** k for w, k in enumerate(alpha)) for row in stay]
        runs = [4000 * k + separating.count(w) for w, k in enumerate(alpha)]
        assert all(any(k and not row[w] for w, k in enumerate(runs)) for row in apart)
        for row, e in zip(stay, earned):
            assert prod((x[w] / row[w]) ** k for w, k in enumerate(runs)) > (e * F(99, 100)) ** 4000


def runs_of(mechanism, laws, k):
    """P(outputs) under each law, for every sequence of k outputs."""
    return [
        [
            sum(p * prod(row[w] for w in outputs) for p, row in zip(each, mechanism))
            for outputs in product(range(2), repeat=k)
        ]
        for each in laws
    ]


def largest(above, below):
    return max(quotient(a, b) for a, b in zip(above, below) if a)


@pytest.mark.parametrize("seed", SEEDS)
def test_mixtures_leak_what_the_pairs_that_count_leak_up_to_a_constant(seed):
    random = Random(200 + seed)
    mechanism = [law(random, 2, zeros=False) for _ in range(4)]  # databases 0, 1 are s, 2, 3 are s'
    priors = []
    for kind in (seed % 3, seed // 3 % 3):  # allow both, s only, s' only
        s, t = law(random, 2), law(random, 2)
        odds = {0: F(random.randint(1, 4), 5), 1: F(1), 2: F(0)}[kind]
        priors.append((odds, (*s, 0, 0), (0, 0, *t)))
    allow = [(p, 1 - p) for p, _, _ in priors]
    if not any(s for s, _ in allow) or not any(t for _, t in allow):
        return
    pairs = [
        (k, m)
        for k, m in product(range(2), repeat=2)
        if allow[k][0] and allow[m][1] and (k == m or not allow[k][1] or not allow[m][0])
    ]
    omegas = [
        quotient(allow[k][0] * allow[m][1], allow[k][1] * allow[m][0])
        for k, m in product(range(2), repeat=2)
        if all((*allow[k], *allow[m]))
    ]
    for k in (1, 2, 3):
        above = runs_of(mechanism, [s for _, s, _ in priors], k)
        below = runs_of(mechanism, [t for _, _, t in priors], k)
        most = max(largest(above[i], below[j]) for i, j in pairs)
        for share in (F(n, 10**9 if n in (1, 2) else 8) for n in range(1, 8)):
            for w in ((share, 1 - share), (1 - share, share)):
                mixed = mixture(w, allow, above, below)
                assert mixed is None or mixed <= most * max([1, *omegas])
        for i, j in pairs:
            near = F(1, 10**12)
            tried = [(near, 1 - near), (1 - near, near), (1, 0), (0, 1)]
            reached = [r for w in tried if (r := mixture(w, allow, above, below)) is not None]
            assert max(reached) >= largest(above[i], below[j]) * (1 - F(1, 10**6))


def mixture(w, allow, above, below):
    """The largest ratio under a mixture, None if it excludes a secret."""
    s = [a * b for a, (b, _) in zip(w, allow)]
    t = [a * b for a, (_, b) in zip(w, allow)]
    if not sum(s) or not sum(t):
        return None
    mixed = [
        [
            sum(p * row[i] for p, row in zip(weights, rows)) / sum(weights)
            for i in range(len(rows[0]))
        ]
        for weights, rows in ((s, above), (t, below))
    ]
    return largest(*mixed)


BITS = [(1, 2, 2), (2, 1, 2), (2, 2, 1)]  # -log2 of the probabilities of three outputs


@pytest.mark.parametrize("seed", SEEDS)
def test_every_choice_of_multipliers_is_below_the_level_of_every_coupling(seed):
    random = Random(300 + seed)
    x, y = ([random.choice(BITS) for _ in range(2)] for _ in range(2))
    mu, kernel = law(random, 2, zeros=False), [law(random, 2) for _ in range(2)]
    nu = [sum(p * row[j] for p, row in zip(mu, kernel)) for j in range(2)]
    level = max(
        sum(kernel[i][j] * y[j][w] for j in range(2)) - x[i][w]
        for i, w in product(range(2), range(3))
    )
    reached = []
    for _ in range(200):
        weights = law(random, 6)
        g = [F(random.randint(-9, 9), 3) for _ in range(2)]
        low = sum(
            min(
                sum(weights[3 * i + w] * (y[j][w] - x[i][w]) for w in range(3)) - mu[i] * g[j]
                for j in range(2)
            )
            for i in range(2)
        ) + sum(p * q for p, q in zip(nu, g))
        reached.append(low)
    assert max(reached) <= level


def rests(mu, nu, bound, multipliers, rows):
    """diag(L nu - mu) - B' S B."""
    size = range(len(mu))
    return [
        (bound * nu[x] - mu[x] if x == y else 0)
        - sum(
            multipliers[i][j] * rows[i][x] * rows[j][y]
            for i, j in product(range(len(rows)), repeat=2)
        )
        for x, y in product(size, size)
    ]


@pytest.mark.parametrize("ratio", [F(3, 2), F(2), F(5)])
def test_an_identity_proves_the_square_of_the_level_for_two_databases_and_nothing_less(ratio):
    rows, rays = [(F(-1), ratio), (ratio, F(-1))], [(ratio, F(1)), (F(1), ratio)]
    a, b = (1 + ratio**2) / (ratio**2 - 1), ratio / (ratio**2 - 1)
    assert min(rests((1, 0), (0, 1), ratio**2, [[a, b], [b, F(0)]], rows)) == 0
    steps = [F(0), b / 2, b, a / 2, a]
    laws = [((F(1), F(0)), (F(0), F(1))), ((F(3, 4), F(1, 4)), (F(1, 3), F(2, 3)))]
    for (mu, nu), entries in product(laws, product(steps, repeat=4)):
        multipliers = [entries[:2], entries[2:]]
        for bound in (F(1), ratio, ratio**2, 2 * ratio**2):
            if min(rests(mu, nu, bound, multipliers, rows)) >= 0:
                assert all(
                    sum(p * c * d for p, c, d in zip(mu, u, v))
                    <= bound * sum(p * c * d for p, c, d in zip(nu, u, v))
                    for u, v in product(rays, repeat=2)
                )
