"""General laws on per-record levels, mixtures of two priors and influence from singular values:
settled, and their statements on random exact instances.
"""

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

IDS = ["translate", "quilt-account", "quilt-delta", "quilt-renyi", "mixture-dichotomy"]
IDS += ["spectral-influence"]


def tables(size, values="012"):
    return ["".join(cells) for cells in product(values, repeat=size)]


def law_of(rng, labels):
    weights = [rng.randrange(4) for _ in labels]
    weights[rng.randrange(len(labels))] += 1
    return {x: Fraction(n, sum(weights)) for x, n in zip(labels, weights) if n}


def column(rng, labels):
    return {x: Fraction(rng.randrange(1, 6)) for x in labels}


def level(u, record):
    return max(
        u[x] / u[y]
        for x, y in product(u, repeat=2)
        if x[:record] == y[:record] and x[record + 1 :] == y[record + 1 :]
    )


def influence(mu, nu, shown):
    """The largest P(x_L | s)/P(x_L | s'), None for infinite."""
    sums = {}
    for place, law in enumerate((mu, nu)):
        for x, chance in law.items():
            key = tuple(x[j] for j in shown)
            sums.setdefault(key, [Fraction(0), Fraction(0)])[place] += chance
    if any(high and not low for high, low in sums.values()):
        return None
    return max(high / low for high, low in sums.values() if low)


def mean(law, u):
    return sum(chance * u[x] for x, chance in law.items())


def test_levels_of_hidden_records_and_the_influence_of_shown_ones_bound_one_and_two_releases():
    rng = random.Random(1)
    for _ in range(200):
        size = rng.choice([1, 2, 3])
        labels = tables(size, "01" if size == 3 else "012")
        mu, nu = law_of(rng, labels), law_of(rng, labels)
        first, second = column(rng, labels), column(rng, labels)
        both = {x: first[x] * second[x] for x in labels}
        for hidden in product((False, True), repeat=size):
            ratio = influence(mu, nu, [j for j in range(size) if not hidden[j]])
            if ratio is None:
                continue
            bound, joint = ratio, ratio
            for j in range(size):
                if hidden[j]:
                    bound *= level(first, j)
                    joint *= level(first, j) * level(second, j)
            assert mean(mu, first) <= bound * mean(nu, first)
            assert mean(mu, both) <= joint * mean(nu, both)


def test_what_is_added_to_events_is_not_multiplied_by_the_influence():
    rng = random.Random(2)
    for _ in range(150):
        labels = tables(2)
        mu, nu, event = law_of(rng, labels), law_of(rng, labels), column(rng, labels)
        event = {x: value / 6 for x, value in event.items()}
        ratio = influence(mu, nu, [1])
        if ratio is None:
            continue
        factor = Fraction(rng.randrange(1, 4))
        added = max(
            event[x] - factor * event[y] for x, y in product(labels, repeat=2) if x[1] == y[1]
        )
        assert mean(mu, event) <= ratio * factor * mean(nu, event) + max(added, Fraction(0))


@pytest.mark.parametrize("alpha", [1.5, 2.0, 4.0])
def test_renyi_divergences_of_shown_records_and_of_pairs_of_tables_add_up(alpha):
    rng = random.Random(3)

    def moment(first, second):
        return sum(p**alpha * q ** (1 - alpha) for p, q in zip(first, second) if p)

    for _ in range(60):
        labels = tables(2, "01")
        mu, nu = (
            {x: p / total for x, p in law.items()}
            for law in ({x: rng.random() + 0.01 for x in labels} for _ in range(2))
            for total in [sum(law.values())]
        )
        rows = {x: np.array([rng.random() + 0.01 for _ in range(3)]) for x in labels}
        rows = {x: row / row.sum() for x, row in rows.items()}
        shown = [[sum(law[x] for x in labels if x[1] == v) for v in "01"] for law in (mu, nu)]
        pairs = max(moment(rows[x], rows[y]) for x, y in product(labels, repeat=2) if x[1] == y[1])
        outputs = [sum(law[x] * rows[x] for x in labels) for law in (mu, nu)]
        assert moment(*outputs) <= moment(*shown) * pairs * (1 + 1e-12)


def test_mixtures_of_two_priors_keep_a_level_iff_odds_or_laws_agree():
    rng = random.Random(4)
    seen = {True: 0, False: 0}
    for _ in range(300):
        laws = [law_of(rng, "ab") for _ in range(2)] + [law_of(rng, "cd") for _ in range(2)]
        mu, nu = laws[:2], laws[2:]
        if rng.random() < 0.3:
            nu[1] = nu[0]
        odds = [Fraction(rng.randrange(1, 4), rng.randrange(1, 4)) for _ in range(2)]
        ratio, weight = Fraction(rng.choice([1, 2, 3])), Fraction(rng.randrange(1, 6), 6)
        shares = [
            weight * one / (weight * one + (1 - weight) * other)
            for one, other in (
                [o / (1 + o) for o in odds],
                [1 / (1 + o) for o in odds],
            )
        ]
        holds = odds[0] == odds[1] or mu[0] == mu[1] or nu[0] == nu[1]
        seen[holds] += 1
        if not holds:
            assert breaks(mu, nu, shares, ratio)
        else:
            for _ in range(20):
                keeps_mixture(rng, mu, nu, shares, ratio)
    assert min(seen.values()) > 20


def keeps_mixture(rng, mu, nu, shares, ratio):
    u = {x: Fraction(rng.randrange(1, 9), 9) for x in "abcd"}
    kept = all(
        mean(mu[k], v) <= ratio * mean(nu[k], v) and mean(nu[k], v) <= ratio * mean(mu[k], v)
        for k in range(2)
        for v in (u, {x: 1 - each for x, each in u.items()})
    )
    if kept:
        given = [
            share * mean(pair[0], u) + (1 - share) * mean(pair[1], u)
            for share, pair in zip(shares, (mu, nu))
        ]
        assert max(given) <= ratio * min(given)


def breaks(mu, nu, shares, ratio):
    """Build the mechanism of the proof and say whether it keeps the ratio for both priors alone."""
    middle, h = 1 / (2 * (ratio + 1)), Fraction(1, 10**4)
    aims = (middle + h, middle - h) if shares[0] > shares[1] else (middle - h, middle + h)
    u = {}
    for names, pair, factor in (("ab", mu, ratio), ("cd", nu, Fraction(1))):
        x = max(names, key=lambda each, pair=pair: pair[0].get(each, 0) - pair[1].get(each, 0))
        high, low = (law.get(x, Fraction(0)) for law in pair)
        step = factor * (aims[0] - aims[1]) / (high - low)
        base = factor * aims[1] - step * low
        u |= {each: base + (step if each == x else 0) for each in names}
    assert all(0 <= each <= 1 for each in u.values())
    other = {x: 1 - each for x, each in u.items()}
    for k in range(2):
        for v in (u, other):
            assert mean(mu[k], v) <= ratio * mean(nu[k], v)
            assert mean(nu[k], v) <= ratio * mean(mu[k], v)
    given = [
        share * mean(pair[0], u) + (1 - share) * mean(pair[1], u)
        for share, pair in zip(shares, (mu, nu))
    ]
    return given[0] > ratio * given[1]


def test_influence_is_within_the_bounds_by_singular_values_and_these_within_the_published():
    rng = np.random.default_rng(5)
    used = 0
    for _ in range(400):
        states = int(rng.integers(2, 5))
        step = rng.dirichlet(np.ones(states) * 2, size=states)
        values, vectors = np.linalg.eig(step.T)
        pi = np.real(vectors[:, np.argmax(np.real(values))])
        pi /= pi.sum()
        root = np.sqrt(pi)
        sigma = np.linalg.svd(root[:, None] * step / root[None, :])[1][1]
        for t in range(1, 6):
            bound = sigma**t / pi.min()
            if bound >= 0.999:
                continue
            used += 1
            power = np.linalg.matrix_power(step, t)
            forward = (1 + bound * np.sqrt(2 - bound**2)) / (1 - bound**2)
            assert (power.max(axis=0) / power.min(axis=0)).max() <= forward * (1 + 1e-9)
            start = rng.dirichlet(np.ones(states) * 0.3)
            now = start @ power
            seen = power / now[None, :]
            backward = (seen.max(axis=1) / seen.min(axis=1)).max()
            assert backward <= (1 + 1e-9) / (1 - bound) ** 2
            seen = power / pi[None, :]
            assert (seen.max(axis=1) / seen.min(axis=1)).max() <= forward * (1 + 1e-9)
            assert forward <= (1 + bound) / (1 - bound) * (1 + 1e-12)
    assert used > 200
