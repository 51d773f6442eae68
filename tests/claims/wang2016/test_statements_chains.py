"""Statements of the Markov Quilt paper on chains, spectra and searches, on small instances by
definitions of their own.

Nothing here uses what proves the claims, nor the instances that their counterexamples use. Numbers
are fractions; a score c/log r is the pair (c, r), and c/log r <= d/log s iff s^c <= r^d.
"""

from fractions import Fraction
from itertools import pairwise, product
from math import exp, log, prod
from random import Random

import pytest
from tests.brute.laws import marginal, sequences

F = Fraction
HALF = F(1, 2)


def power(rows, t):
    size = range(len(rows))
    found = [[F(x == y) for y in size] for x in size]
    for _ in range(t):
        found = [[sum(row[z] * rows[z][y] for z in size) for y in size] for row in found]
    return found


def random_row(random, size):
    while True:
        row = [random.randint(0, 3) for _ in range(size)]
        if sum(row):
            return [F(each, sum(row)) for each in row]


# Quilts of a chain: wang2016.lem-4.5


def independent(law, remote, quilt, i):
    """P(x_R, x_Q, x_i) P(x_Q) = P(x_R, x_Q) P(x_Q, x_i) for all values: (2) wherever the
    conditions have a chance.
    """
    both, known = marginal(law, (*remote, *quilt)), marginal(law, quilt)
    whole, with_i = marginal(law, (*remote, *quilt, i)), marginal(law, (*quilt, i))
    rest = len(remote)
    return all(
        whole.get((*x, *key), F(0)) * known[key[:-1]] == both.get((*x, *key[:-1]), F(0)) * p
        for key, p in with_i.items()
        for x in {each[:rest] for each in both}
    )


def quilt(length, i, a, b):
    """The quilt at distances a and b, None for a side without a node, its near nodes, and the
    remote ones.
    """
    low, high = (i - a if a else 0), (i + b if b else length + 1)
    nodes = [end for end in (low, high) if 1 <= end <= length]
    near = list(range(low + 1, high))
    return nodes, near, [n for n in range(1, length + 1) if n not in near and n not in nodes]


def quilts(length, i):
    """All quilts of lemma 4.5, and the empty one, as pairs of distances."""
    return product([None, *range(1, i)], [None, *range(1, length - i + 1)])


def test_quilts_of_a_chain_have_the_remote_nodes_independent():
    random, seen = Random(1), 0
    chains = [
        ([F(1), F(0)], [[HALF, HALF], [F(1), F(0)]]),
        ([F(1)], [[F(1)]]),
        ([HALF, HALF], [[F(0), F(1)], [F(1), F(0)]]),
    ]
    chains += [
        (random_row(random, size), [random_row(random, size) for _ in range(size)])
        for size in (2, 2, 3)
    ]
    for start, step in chains:
        for length in (1, 2, 5):
            law = sequences(start, step, length)
            for i in range(1, length + 1):
                for a, b in quilts(length, i):
                    nodes, near, remote = quilt(length, i, a, b)
                    assert i in near
                    assert sorted([*nodes, *near, *remote]) == list(range(1, length + 1))
                    assert all(abs(n - r) >= 2 for n in near for r in remote)
                    assert independent(law, remote, nodes, i)
                    seen += 1
    assert seen > 200


def test_a_node_on_the_near_side_is_not_independent():
    law = sequences([HALF, HALF], [[F(3, 4), F(1, 4)], [F(1, 4), F(3, 4)]], 4)
    assert independent(law, [4], [3], 1)
    assert not independent(law, [2], [3], 1)


# Condition 4.6 and its remarks


@pytest.mark.parametrize("step", [[[F(1), F(0)], [F(0), F(1)]], [[F(0), F(1)], [F(1), F(0)]]])
def test_without_a_limit_law_the_start_is_never_forgotten(step):
    for t in range(8):
        rows = power(step, t)
        assert {rows[0][0], rows[1][0]} == {F(0), F(1)}


def test_equal_records_need_noise_of_scale_their_number():
    """The logarithm of the ratio of the densities at w is (|w - T| - |w|)/s."""
    for length in (1, 2, 7):
        exponents = [abs(w - length) - abs(w) for w in (F(k, 4) for k in range(-20, 60))]
        assert max(exponents) == length == -min(exponents)


def test_candidates_of_all_nodes_are_cubic_and_of_one_node_quadratic():
    for length in range(1, 12):
        counts = [
            len(list(product(range(1, i + 1), range(1, length - i + 2))))
            for i in range(1, length + 1)
        ]
        assert F(length**3, 6) <= sum(counts) <= length**3
        assert max(counts) <= length**2


# Powers of reversible chains: wang2016.x-A5-power, x-A5-expansion, x-A5-cauchy, x-A5-final, x-lemA1


def two_states(p, q):
    """P(0,1) = p, P(1,0) = q; the eigenvalues are 1 and 1 - p - q."""
    return [[1 - p, p], [q, 1 - q]], [q / (p + q), p / (p + q)], 1 - p - q


def mixed(law, c):
    """P = (1 - c) pi + c 1: reversible, with the eigenvalues 1 and c."""
    size = range(len(law))
    return [[(1 - c) * law[y] + c * (x == y) for y in size] for x in size], law, c


def pairs(one, other):
    """Two independent chains: the eigenvalues are products of theirs."""
    (left, pi, lam), (right, rho, mu) = one, other
    rows = [[x * y for x in row for y in col] for row in left for col in right]
    return rows, [x * y for x in pi for y in rho], max(lam, mu, lam * mu, key=abs)


def reversible_chains():
    """Chains with rational eigenvalues, and lam_*: negative, zero, near 1, and one state."""
    random = Random(2)
    found = [
        ([[F(1)]], [F(1)], F(0)),
        two_states(HALF, HALF),
        two_states(F(9, 10), F(4, 5)),
        two_states(F(1), HALF),
    ]
    found += [two_states(F(random.randint(1, 7), 8), F(random.randint(1, 7), 8)) for _ in range(20)]
    for size in (2, 3, 4):
        law = [F(w) for w in [random.randint(1, 5) for _ in range(size)]]
        law = [w / sum(law) for w in law]
        least = min(w / (1 - w) for w in law)  # (1 - c) w + c >= 0
        found += [mixed(law, c) for c in (F(0), HALF, F(9, 10), -least / 2)]
    return found + [pairs(one, other) for one, other in pairwise(found[4:10])]


def test_the_instances_are_reversible_with_these_laws():
    for rows, law, _ in reversible_chains():
        size = range(len(law))
        assert all(sum(row) == 1 and min(row) >= 0 for row in rows)
        assert all(law[x] * rows[x][y] == law[y] * rows[y][x] for x in size for y in size)


@pytest.mark.parametrize("t", [0, 1, 2, 3, 6])
def test_powers_stay_within_the_repaired_bound(t):
    """|P^t/pi - 1| <= l^t/sqrt(pi pi') <= e^(-g t)/pi_min for l = |lam_*|, as l <= e^(l - 1)."""
    for rows, law, star in reversible_chains():
        table, decay = power(rows, t), abs(star) ** t
        delta = decay / min(law)
        assert float(decay) <= exp(-t * (1 - abs(star))) + 1e-12
        for x, y in product(range(len(law)), repeat=2):
            distance = abs(table[x][y] / law[y] - 1)
            assert distance**2 * law[x] * law[y] <= decay**2
            assert distance <= delta
            assert (1 - delta) * law[y] <= table[x][y] <= (1 + delta) * law[y]


def test_two_states_have_the_spectral_form_from_the_start_on():
    """u_2(x) u_2(y) = pi(1-x)/pi(x) if x = y, and -1 if not; lam^0 = 1, also for lam = 0."""
    for rows, law, lam in [*reversible_chains()[1:24], two_states(F(1, 3), F(2, 3))]:
        for t in range(5):
            table = power(rows, t)
            for x, y in product((0, 1), repeat=2):
                term = law[1 - x] / law[x] if x == y else F(-1)
                assert table[x][y] == law[y] * (1 + lam**t * term)
                assert abs(lam**t * term) ** 2 <= abs(lam) ** (2 * t) * (1 / law[x] - 1) * (
                    1 / law[y] - 1
                )


def test_the_signed_gap_and_chains_that_are_not_reversible_break_the_bound():
    rows, law, lam = two_states(F(3, 4), F(3, 4))
    assert abs(rows[0][0] / law[0] - 1) > exp(-(1 - lam)) / min(law)
    jordan = [
        [F(0), HALF, HALF],
        [HALF, F(0), HALF],
        [F(1), F(0), F(0)],
    ]  # eigenvalues 1, -1/2, -1/2
    table, law = power(jordan, 5), [F(4, 9), F(2, 9), F(1, 3)]
    assert all(sum(law[x] * jordan[x][y] for x in range(3)) == law[y] for y in range(3))
    delta = exp(-2.5) / min(law)
    assert max(max(column) / min(column) for column in zip(*table, strict=True)) > (1 + delta) / (
        1 - delta
    )


# Searches: Algorithms 1 to 3. The bound of a quilt is log of `ratio`, its score (card, e^eps/ratio)


def smaller(one, other):
    """Whether c/log r < d/log s; None is infinite."""
    if one is None or other is None:
        return one is not None
    return other[1] ** one[0] < one[1] ** other[0]


def least_of(scores):
    best = None
    for each in scores:
        best = each if smaller(each, best) else best
    return best


def largest_of(scores):
    best = (0, F(2))
    for each in scores:
        best = each if smaller(best, each) else best
    return best


def bound(pi, q, t):
    """e^h(t), or None at and below the threshold."""
    return (pi + q**t) / (pi - q**t) if q**t < pi else None


def score(level, n, i, sides, pi, q):
    """The score of the quilt at distances (a, b) of X_i by its definition, None for infinite."""
    a, b = sides
    factors = [*([bound(pi, q, a)] * 2 if a else []), *([bound(pi, q, b)] if b else [])]
    if None in factors or prod(factors, start=F(1)) >= level:
        return None
    return len(quilt(n, i, a, b)[1]), level / prod(factors, start=F(1))


def best(level, n, i, pi, q):
    """The least score of X_i over S_{Q,i}, and a quilt that has it."""
    found = {sides: score(level, n, i, sides, pi, q) for sides in quilts(n, i)}
    least = least_of(found.values())
    return least, next(sides for sides, each in found.items() if each == least)


def algorithm2(level, n, i, pi, q, misprint=False):
    """Algorithm 2 line by line; repaired: third test i + b = n+1, e >= eps passed over,
    threshold for real nodes.
    """
    sigma, star = None, (i, n - i + 1)
    for a, b in product(range(1, i + 1), range(1, n - i + 2)):
        left, right = i - a >= 1, i + b <= n
        if (left and q**a > pi) or (right and q**b > pi):
            continue
        if i - a == 0 and i + b == n + 1:
            factors = []
        elif i - a == 0:
            factors = [bound(pi, q, b)]
        elif (i + a if misprint else i + b) == n + 1:
            factors = [bound(pi, q, a)] * 2
        else:
            factors = [bound(pi, q, a), bound(pi, q, a), bound(pi, q, b)]
        if None in factors or prod(factors, start=F(1)) >= level:
            continue
        value = (a + b - 1, level / prod(factors, start=F(1)))
        if smaller(value, sigma):
            sigma, star = value, (a, b)
    return sigma, star


def walk(level, n, pi, q, start):
    """Algorithm 3 with the three values in their order, from any start: scores and quilts of
    the nodes met, in turn.
    """
    met, i = {}, start
    while i not in met:
        assert 1 <= i <= n
        met[i] = algorithm2(level, n, i, pi, q)
        a, b = met[i][1]
        if (i - a == 0) == (i + b == n + 1):
            break
        i += 1 if i - a == 0 else -1
    return met


def parameters():
    """Random pi, e^-g and e^eps, with ties, levels equal to a bound, and distances at the
    threshold.
    """
    random = Random(3)
    found = [
        (HALF, HALF, F(2)),
        (HALF, F(2, 5), F(9)),
        (HALF, F(2, 5), F(40)),
        (F(1, 3), HALF, F(100)),
        (F(1), HALF, F(3)),
    ]
    levels = ["9/8", "2", "7", "60", "999"]
    return found + [
        (F(1, random.randint(1, 9)), F(random.randint(1, 6), 7), F(random.choice(levels)))
        for _ in range(14)
    ]


def instances(most=6):
    return [(level, n, pi, q) for pi, q, level in parameters() for n in range(1, most + 1)]


def test_the_repaired_search_returns_the_least_score_and_a_quilt_that_has_it():
    for level, n, pi, q in instances():
        for i in range(1, n + 1):
            found, (a, b) = algorithm2(level, n, i, pi, q)
            sides = (a if i - a >= 1 else None, b if i + b <= n else None)
            assert found == score(level, n, i, sides, pi, q)
            assert not smaller(best(level, n, i, pi, q)[0], found)
            assert not smaller(found, best(level, n, i, pi, q)[0])


def test_a_two_sided_best_quilt_is_enough_for_every_node():
    seen = 0
    for level, n, pi, q in instances(8):
        for i in range(1, n + 1):
            sigma, (a, b) = best(level, n, i, pi, q)
            if a is None or b is None:
                continue
            for j in range(1, n + 1):
                assert j - a >= 1 or j + b <= n
                own = (a if j - a >= 1 else None, b if j + b <= n else None)
                borrowed = score(level, n, j, own, pi, q)
                assert borrowed == sigma if None not in own else smaller(borrowed, sigma)
                assert not smaller(sigma, best(level, n, j, pi, q)[0])
                seen += j != i
    assert seen > 20


def test_from_every_start_the_walk_is_one_way_and_finds_the_largest_score():
    endings = set()
    for level, n, pi, q in instances(8):
        sigmas = {j: best(level, n, j, pi, q)[0] for j in range(1, n + 1)}
        everything = largest_of(sigmas.values())
        for start in range(1, n + 1):
            met = walk(level, n, pi, q, start)
            nodes = list(met)
            assert {after - before for before, after in pairwise(nodes)} in (set(), {1}, {-1})
            found = largest_of(each for each, _ in met.values())
            assert not smaller(found, everything)
            assert not smaller(everything, found)
            end, (a, b) = nodes[-1], met[nodes[-1]][1]
            endings.add((end - a == 0, end + b == n + 1))
            if (end - a == 0) != (end + b == n + 1):
                check_turned(nodes, sigmas, met)
    assert endings == set(product((True, False), repeat=2))


def check_turned(nodes, sigmas, met):
    """Cases (3) and (4): the nodes before the turn serve their side and all visited ones, the
    last one the other side.
    """
    *before, last = nodes
    left = nodes[1] < nodes[0]
    most = largest_of(met[node][0] for node in before)
    for j, sigma in sigmas.items():
        if (j > last) if left else (j < last):
            assert not smaller(most, sigma)
        else:
            assert not smaller(met[last][0], sigma)


def influence(law, i, nodes):
    """The largest ratio P(X_Q = x | X_i = a)/P(X_Q = x | X_i = b), None for infinite."""
    own = marginal(law, [i])
    given = {
        value: {
            key[1:]: p / own[value]
            for key, p in marginal(law, (i, *nodes)).items()
            if key[:1] == value
        }
        for value in own
    }
    top = F(1)
    for left, right in product(given.values(), repeat=2):
        for key, p in left.items():
            if not right.get(key):
                return None
            top = max(top, p / right[key])
    return top


def scales_are_enough(law, level, n, sigma):
    """Whether every node has a quilt with card/(eps - e) <= sigma for its exact influence e."""
    for i in range(1, n + 1):
        scores = []
        for a, b in quilts(n, i):
            nodes, near, _ = quilt(n, i, a, b)
            top = influence(law, i, nodes)
            scores.append((len(near), level / top) if top is not None and top < level else None)
        if smaller(sigma, least_of(scores)):
            return False
    return True


@pytest.mark.parametrize(
    ("p", "q"), [("1/2", "1/2"), ("1/2", "5/8"), ("3/8", "1/2"), ("2/3", "2/3")]
)
@pytest.mark.parametrize("misprint", [False, True])
def test_the_largest_score_is_enough_for_exact_influences(p, q, misprint):
    """With the misprint for a stationary start, without it also for others. e^-g is rounded up:
    g is a lower bound.
    """
    rows, law, star = two_states(F(p), F(q))
    q_up, pi = F(int(exp(abs(star) - 1) * 64) + 1, 64), min(law)
    starts = [law] if misprint else [law, [F(1, 9), F(8, 9)], [F(1), F(0)]]
    for n, level in product((1, 2, 3, 5), map(F, ("3", "50", "2000"))):
        sigma = largest_of(algorithm2(level, n, i, pi, q_up, misprint)[0] for i in range(1, n + 1))
        for start in starts:
            assert scales_are_enough(sequences(start, rows, n), level, n, sigma)


def test_a_third_of_the_largest_score_is_not_always_enough():
    rows, law, star = two_states(F(1, 8), F(1, 8))
    q_up = F(int(exp(abs(star) - 1) * 64) + 1, 64)
    sigma = largest_of(algorithm2(F(3), 3, i, min(law), q_up)[0] for i in range(1, 4))
    assert scales_are_enough(sequences(law, rows, 3), F(3), 3, sigma)
    assert not scales_are_enough(sequences(law, rows, 3), F(3), 3, (sigma[0], sigma[1] ** 3))


def test_scores_are_compared_as_numbers():
    for one, other in product([(1, F(3)), (2, F(9)), (3, F(2)), (2, F(5, 4))], repeat=2):
        left, right = one[0] / log(one[1]), other[0] / log(other[1])
        assert smaller(one, other) == (left < right - 1e-12)
