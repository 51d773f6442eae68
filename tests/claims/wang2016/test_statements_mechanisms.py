"""Statements on both mechanisms on small instances: by definitions of their own, in fractions.

Nothing here uses what proves the claims, nor the evaluation that their counterexamples use. Laplace
noise is rational: with e^(-1/sigma) = q the density of F + sigma Lap(1) at an integer w is
proportional to q^|w - F| for integer F.
"""

from itertools import chain as joined
from itertools import combinations, permutations, product
from math import prod
from random import Random

import pytest
from tests.brute.laws import F, given, largest, mass, neighbours, push, row
from tests.examples import seeds

HALF = F(1, 2)


def subsets(items):
    items = list(items)
    return joined.from_iterable(combinations(items, size) for size in range(len(items) + 1))


# Pufferfish and differential privacy


@seeds(60)
def test_both_forms_of_the_definition_agree_for_secrets_that_may_overlap(seed):
    random = Random(seed)
    prior = dict(enumerate(row(random, 4)))
    rows = {x: row(random, 3) for x in prior}
    s, t = ([x for x in prior if random.random() < 0.6] for _ in range(2))
    ratio = F(random.choice([1, 2, 3, 5]), random.choice([1, 2])) + 1
    joint = {(x, w): p * rows[x][w] for x, p in prior.items() for w in range(3)}
    p, q = (mass(prior, lambda x, held=held: x in held) for held in (s, t))
    if not (p and q):
        return
    for w in range(3):
        a, b = (sum((joint[x, w] for x in held), F(0)) for held in (s, t))
        total = sum(joint[x, w] for x in prior)
        if not total or (a == 0 and b == 0):
            continue
        first = a / p <= ratio * (b / q) and b / q <= ratio * (a / p)
        odds = (a / total, b / total)
        second = 0 not in odds and 1 / ratio <= (odds[0] / odds[1]) / (p / q) <= ratio
        assert first == second


def products(count, values, margins):
    for chosen in product(margins, repeat=count):
        yield {
            x: prod(margin[v] for margin, v in zip(chosen, x))
            for x in product(values, repeat=count)
        }


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_one_person_under_product_priors_are_differential_privacy_for_sets(seed):
    random = Random(seed)
    count = 1 + seed % 3
    rows = {x: row(random, 3, zero=seed % 2 == 0) for x in product((0, 1), repeat=count)}
    sets = [each for each in subsets(range(3)) if each]
    level = largest_over(
        ({each: sum(rows[x][w] for w in each) for each in sets} for x in pair)
        for pair in neighbours(count, (0, 1))
    )
    margins = [
        (F(1), F(0)),
        (F(0), F(1)),
        (HALF, HALF),
        (F(1, 10), F(9, 10)),
        tuple(row(random, 2)),
    ]
    found = F(1)
    for law in products(count, (0, 1), margins):
        for i in range(count):
            held = [given(law, lambda x, i=i, v=v: x[i] == v) for v in (0, 1)]
            if None in held:
                continue
            both = [
                {w: sum(p * rows[x][w] for x, p in each.items()) for w in range(3)} for each in held
            ]
            worst = largest(both)
            found = None if found is None or worst is None else max(found, worst)
    assert found == level


def largest_over(pairs):
    best = F(1)
    for pair in pairs:
        worst = largest(list(pair))
        if worst is None:
            return None
        best = max(best, worst)
    return best


# The Wasserstein mechanism


def distance(mu, nu):
    """The least r at which a coupling exists: mu(A) <= nu(points within r of A) for all A
    (Hall's condition).
    """
    for r in sorted({abs(t - s) for t in mu for s in nu}):
        if all(
            sum(mu[t] for t in each)
            <= sum(p for s, p in nu.items() if any(abs(t - s) <= r for t in each))
            for each in subsets(mu)
        ):
            return r
    raise AssertionError("the largest distance is enough")


def density(law, q, w, query=lambda x: x):
    return sum(p * q ** abs(w - query(x)) for x, p in law.items())


def random_law(random, points):
    return {v: p for v, p in zip(points, row(random, len(points))) if p}


@seeds(80)
def test_noise_of_scale_w_over_epsilon_hides_laws_at_that_distance(seed):
    random = Random(seed)
    mu, nu = random_law(random, range(5)), random_law(random, range(random.choice([1, 5])))
    r, q = distance(mu, nu), F(1, random.choice([2, 3, 10]))
    assert r == distance(nu, mu)
    if r == 0:
        assert mu == nu
    for wide in (r, r + 1):  # e^epsilon = q^-W for noise of scale W/epsilon
        for w in range(-7, 12):
            assert density(mu, q, w) <= q**-wide * density(nu, q, w)
    if len(mu) == len(nu) == 1 and r:
        assert any(density(mu, q, w) > q ** -(r - 1) * density(nu, q, w) for w in range(-7, 12))


@seeds(25)
@pytest.mark.parametrize("count", [1, 2])
def test_the_distance_of_presence_is_the_sensitivity_of_presence(seed, count):
    random = Random(seed)
    values = "-ab"[: random.choice([2, 3])]
    table = {x: random.randint(-2, 2) for x in product(values, repeat=count)}
    pairs = [
        (x, y)
        for x, y in neighbours(count, values)
        if any(i != j and j == "-" for i, j in zip(x, y))
    ]
    sensitivity = max(abs(table[x] - table[y]) for x, y in pairs)
    changes = max(abs(table[x] - table[y]) for x, y in neighbours(count, values))
    points = [{v: F(v == each) for v in values} for each in values]
    nearly = [
        {v: F(8, 10) if v == each else F(2, 10) / (len(values) - 1) for v in values}
        for each in values
    ]
    other = dict(zip(values, row(random, len(values), zero=False)))
    for margins in (points, nearly):
        assert widest(table, values, count, margins) == sensitivity
    assert widest(table, values, count, [other]) <= sensitivity <= changes <= 2 * sensitivity


def widest(table, values, count, margins):
    """W where the private record has any law of full support and the others have these laws."""
    best = 0
    for i, v in product(range(count), values[1:]):
        for rest in product(margins, repeat=count - 1):
            laws = []
            for u in (v, "-"):
                law = {}
                for z in product(values, repeat=count - 1):
                    p = prod((margin[k] for margin, k in zip(rest, z)), start=F(1))
                    if p:
                        value = table[(*z[:i], u, *z[i:])]
                        law[value] = law.get(value, F(0)) + p
                laws.append(law)
            best = max(best, distance(*laws))
    return best


# Markov quilts on networks of three or four bits


def network(random, count, zero):
    """A random network: parents of each node, and its law as a table."""
    parents = [tuple(j for j in range(i) if random.random() < 0.5) for i in range(count)]
    return parents, [joint(random, parents, zero) for _ in range(random.choice([1, 2]))]


def joint(random, parents, zero):
    tables = [
        {above: row(random, 2, zero) for above in product((0, 1), repeat=len(each))}
        for each in parents
    ]
    law = {}
    for x in product((0, 1), repeat=len(parents)):
        law[x] = prod(
            tables[i][tuple(x[j] for j in above)][x[i]] for i, above in enumerate(parents)
        )
    return law


def part(nodes):
    return lambda x: tuple(x[j] for j in nodes)


def influence(laws, i, nodes):
    """e^e(X_nodes|X_i) over all laws, None for infinite."""
    best = F(1)
    for law in laws:
        held = [each for each in (given(law, lambda x, v=v: x[i] == v) for v in (0, 1)) if each]
        worst = largest([push(each, part(nodes)) for each in held])
        if worst is None:
            return None
        best = max(best, worst)
    return best


def is_quilt(parents, laws, i, quilt, nearby, remote):
    """Definition 4.3: no arrow between N and R; P(X_R|X_Q,X_i) = P(X_R|X_Q) wherever X_Q, X_i
    is possible.
    """
    arrows = {(j, k) for k, above in enumerate(parents) for j in above}
    if i not in nearby or any((j, k) in arrows or (k, j) in arrows for j in nearby for k in remote):
        return False
    for law in laws:
        whole, known = push(law, part((*remote, *quilt))), push(law, part(quilt))
        whole_i, known_i = push(law, part((*remote, *quilt, i))), push(law, part((*quilt, i)))
        for xi, p in known_i.items():
            for x in product((0, 1), repeat=len(remote)):
                if (
                    whole_i.get((*x, *xi), F(0)) / p
                    != whole.get((*x, *xi[:-1]), F(0)) / known[xi[:-1]]
                ):
                    return False
    return True


def quilts(parents, laws, i):
    for labels in product("NQR", repeat=len(parents)):
        parts = [tuple(j for j, label in enumerate(labels) if label == kind) for kind in "QNR"]
        if is_quilt(parents, laws, i, *parts):
            yield tuple(parts)


def lipschitz(random, count, coordinates):
    """A random integer query that is 1-Lipschitz in L1: sums of cuts of the counts, one record
    in one coordinate each.
    """
    home = [random.randrange(coordinates) for _ in range(count)]
    sign = [random.choice([1, -1]) for _ in range(count)]
    cut = random.choice([0, 1, 9])

    def query(x):
        sums = [
            sum(sign[j] * v for j, v in enumerate(x) if home[j] == c) for c in range(coordinates)
        ]
        return tuple(max(-cut, min(cut, each)) for each in sums) if cut < 9 else tuple(sums)

    return query


def noisy(law, q, w, query):
    return sum(p * prod(q ** abs(a - b) for a, b in zip(w, query(x))) for x, p in law.items())


@seeds(40)
def test_the_score_of_any_quilt_is_enough_noise_for_its_node(seed):
    random = Random(seed)
    count = random.choice([1, 2, 3, 3, 4])
    parents, laws = network(random, count, zero=seed % 2 == 0)
    q, coordinates = F(1, random.choice([2, 3])), random.choice([1, 1, 2])
    query = lipschitz(random, count, coordinates)
    outputs = list(product(range(-count, count + 1), repeat=coordinates))
    for i in range(count):
        found = list(quilts(parents, laws, i))
        assert ((), tuple(range(count)), ()) in found
        for quilt, nearby, remote in random.sample(found, min(4, len(found))):
            e = influence(laws, i, quilt)
            if e is None:
                continue
            for law in laws:
                held = [
                    each
                    for each in (given(law, lambda x, i=i, v=v: x[i] == v) for v in (0, 1))
                    if each
                ]
                for left, right in permutations(held, 2):
                    beyond = [push(each, part((*quilt, *remote))) for each in (left, right)]
                    assert all(
                        p <= e * beyond[1].get(x, 0) for x, p in beyond[0].items()
                    )  # equation (6)
                    # e^eps = e^e(X_Q|X_i) q^-card(X_N): the scale is card(X_N)/(eps - e(X_Q|X_i))
                    for w in outputs:
                        assert noisy(left, q, w, query) <= e * q ** -len(nearby) * noisy(
                            right, q, w, query
                        )
                        assert weighted(left, right, q, w, query, (*quilt, *remote), e)


def weighted(left, right, q, w, query, nodes, e):
    """The repaired (7): at most e times the quotient with the weights given b in both sums, and
    the largest quotient.
    """
    sums, worst = [F(0), F(0)], F(0)
    for x, p in push(right, part(nodes)).items():
        cells = [given(law, lambda z, x=x: part(nodes)(z) == x) for law in (left, right)]
        if cells[0] is None:
            continue  # p(w|X_i=a,x) is not defined, its weight given a is 0
        values = [noisy(cell, q, w, query) for cell in cells]
        sums = [total + p * value for total, value in zip(sums, values)]
        worst = max(worst, values[0] / values[1])
    ratio = noisy(left, q, w, query) / noisy(right, q, w, query)
    return ratio <= e * sums[0] / noisy(right, q, w, query) and ratio <= e * worst


@seeds(20)
def test_the_largest_of_the_least_scores_keeps_the_level_of_every_node(seed):
    """e^eps is the largest over nodes of the least e^e(X_Q|X_i) q^-card(X_N): then sigma_max =
    1/log(1/q).
    """
    random = Random(100 + seed)
    count = random.choice([1, 2, 3])
    parents, laws = network(random, count, zero=seed % 2 == 0)
    q, query = F(1, 2), lipschitz(random, count, 1)
    least = []
    for i in range(count):
        found = list(quilts(parents, laws, i))
        searched = random.sample(found, random.randint(1, len(found)))
        scores = [(influence(laws, i, quilt), len(nearby)) for quilt, nearby, _ in searched]
        least.append(min((e * q**-n for e, n in scores if e is not None), default=None))
    if None in least:
        return  # no finite score: nothing is released
    for law, i in product(laws, range(count)):
        held = [
            each for each in (given(law, lambda x, i=i, v=v: x[i] == v) for v in (0, 1)) if each
        ]
        for left, right in permutations(held, 2):
            for w in range(-count, count + 1):
                assert noisy(left, q, (w,), query) <= max(least) * noisy(right, q, (w,), query)


def test_a_node_left_out_of_the_nearby_set_would_need_more_noise():
    """One fair bit, F = X_1: with card(X_N) = 0 the bound is e^0 = 1, but the ratio is 1/q."""
    law = {(0,): HALF, (1,): HALF}
    left, right = (given(law, lambda x, v=v: x[0] == v) for v in (0, 1))
    assert noisy(left, HALF, (0,), lambda x: x) == 2 * noisy(right, HALF, (0,), lambda x: x)
