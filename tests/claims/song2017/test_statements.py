"""Statements of the composition paper on small instances, by definitions of their own: sums over
sequences, in fractions.

Nothing here uses what proves the claims, nor the evaluation that their counterexamples use.
"""

from fractions import Fraction
from itertools import chain as joined
from itertools import combinations, pairwise, product
from math import exp, log, prod
from random import Random

import pytest
from sympy import Rational, ones, zeros
from tests.brute.laws import marginal, sequences

F = Fraction
HALF = F(1, 2)


def given(law, record, value):
    """The law given one record, or None."""
    kept = {x: p for x, p in law.items() if x[record - 1] == value}
    total = sum(kept.values())
    return {x: p / total for x, p in kept.items()} if total else None


def given_each(law, record):
    """The laws given every possible value of a record."""
    values = {x[record - 1] for x in law}
    return [given(law, record, value) for value in sorted(values)]


def largest(laws):
    """The largest ratio of two laws, None for infinite, 1 if there is one law."""
    best = F(1)
    for left, right in product(laws, repeat=2):
        for y, p in left.items():
            if not p:
                continue
            if not right.get(y):
                return None
            best = max(best, p / right[y])
    return best


def influence(law, record, others):
    return largest([marginal(each, others) for each in given_each(law, record)])


def random_row(random, size, zero):
    while True:
        row = [random.randint(0 if zero else 1, 4) for _ in range(size)]
        if sum(row):
            return [F(each, sum(row)) for each in row]


def random_chain(random, size, length, zero=True):
    step = [random_row(random, size, zero) for _ in range(size)]
    return sequences(random_row(random, size, zero), step, length)


EDGES = [
    sequences([F(1), F(0)], [[HALF, HALF], [F(1), F(0)]], 4),
    sequences([HALF, HALF], [[F(1), F(0)], [F(0), F(1)]], 4),
    sequences([HALF, HALF], [[F(0), F(1)], [F(1), F(0)]], 4),
    sequences([F(1, 3), F(2, 3)], [[F(1, 10), F(9, 10)], [F(9, 10), F(1, 10)]], 4),
    sequences([F(1)], [[F(1)]], 4),
]


def subsets(items):
    items = list(items)
    return joined.from_iterable(combinations(items, size) for size in range(len(items) + 1))


@pytest.mark.parametrize(
    "law", [*EDGES[:4], random_chain(Random(1), 3, 4), random_chain(Random(2), 3, 4, zero=False)]
)
def test_both_sides_of_a_record_are_independent_given_it(law):
    for t in (1, 2, 3, 4):
        for left, right in product(subsets(range(1, t)), subsets(range(t + 1, 5))):
            for law_t in given_each(law, t):
                both, one, other = (
                    marginal(law_t, part) for part in ((*left, *right), left, right)
                )
                for x, y in product(one, other):
                    assert both.get((*x, *y), F(0)) == one[x] * other[y]


def same_without(law, remote, quilt, i):
    """Whether P(X_R|X_Q,X_i=a) = P(X_R|X_Q) wherever P(X_Q,X_i=a) > 0."""
    whole, known = marginal(law, (*remote, *quilt)), marginal(law, quilt)
    whole_i, known_i = marginal(law, (*remote, *quilt, i)), marginal(law, (*quilt, i))
    rest = len(remote)
    remotes = {key[:rest] for key in whole}
    return all(
        whole_i.get((*x, *key), F(0)) / p == whole.get((*x, *key[:-1]), F(0)) / known[key[:-1]]
        for key, p in known_i.items()
        for x in remotes
    )


def separated(remote, quilt, i):
    return all(any(min(i, k) < s < max(i, k) for s in quilt) for k in remote)


THIRDS = [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]]


def test_separated_records_are_those_that_a_quilt_makes_remote_on_every_chain():
    laws = [*EDGES[:4], random_chain(Random(3), 2, 4), sequences([F(1, 4), F(3, 4)], THIRDS, 4)]
    for i in (1, 2, 3, 4):
        for quilt in subsets(each for each in (1, 2, 3, 4) if each != i):
            for remote in subsets(each for each in (1, 2, 3, 4) if each not in quilt):
                if separated(remote, quilt, i):
                    assert all(same_without(law, remote, quilt, i) for law in laws)
                else:
                    assert not same_without(laws[-1], remote, quilt, i)


@pytest.mark.parametrize(
    ("remote", "quilt", "i"), [((3,), (3,), 1), ((3,), (2, 3), 2), ((3,), (1,), 1)]
)
def test_a_common_node_or_a_node_i_of_the_quilt_would_make_only_if_false(remote, quilt, i):
    """{X_3} tells all of X_3 although no node lies between; given X_i in X_Q, X_i = a adds
    nothing.
    """
    assert not separated(remote, quilt, i)
    for law in [
        *EDGES[:4],
        random_chain(Random(5), 2, 4),
        sequences([F(1, 4), F(3, 4)], THIRDS, 4),
    ]:
        assert same_without(law, remote, quilt, i)


def quilts(i, first, last):
    """Every quilt of record i in first..last, as distances, with the size of its near set."""
    for a in [None, *range(1, i - first + 1)]:
        for b in [None, *range(1, last - i + 1)]:
            yield a, b, (a or i - first + 1) + (b or last - i + 1) - 1


def nodes(i, a, b):
    return [*([i - a] if a else []), *([i + b] if b else [])]


def root_below(ratio, n):
    """A rational a little below the n-th root of a ratio: at most the decay of MQM, so at least
    its scale.
    """
    root = F(int(float(ratio) ** (1 / n) * 64), 64)
    while root**n > ratio:
        root -= F(1, 64)
    return max(root, F(1))


def quilt_mechanism(estimate, ratio, first, last):
    """e^(1/sigma) of MQM on records first..last, rounded down, and whether some active quilt is
    two-sided.
    """
    least, two_sided = None, False
    for i in range(first, last + 1):
        scores = []
        for a, b, near in quilts(i, first, last):
            bound = estimate(i, a, b)
            if bound is not None and bound < ratio:
                scores.append(
                    (
                        -log(ratio / bound) / near,
                        a is not None and b is not None,
                        ratio / bound,
                        near,
                    )
                )
        best = min(scores, key=lambda score: score[0])
        two_sided = two_sided or best[1]
        least = best if least is None or best[0] > least[0] else least
    return root_below(*least[2:]), two_sided


def joint_leakage(law, records, *releases):
    """The largest joint ratio of noisy sums over segments; the noise at distance d has the weight
    decay^-d.

    Between and beyond integers densities of Laplace noise have no larger ratios.
    """
    best = F(1)
    for i in records:
        laws = [
            sums(
                each,
                *(segment for segment, _, _ in releases),
                signs=[signs for _, signs, _ in releases],
            )
            for each in given_each(law, i)
        ]
        outputs = [
            sorted({key[place] for each in laws for key in each}) for place in range(len(releases))
        ]
        for w in product(*(range(each[0], each[-1] + 1) for each in outputs)):
            weights = [
                sum(
                    p * prod(d ** -abs(k - o) for k, o, (_, _, d) in zip(key, w, releases))
                    for key, p in each.items()
                )
                for each in laws
            ]
            best = max(best, max(weights) / min(weights))
    return best


def sums(law, *segments, signs):
    """The joint law of signed sums of the bits (value > 0) of segments."""
    found = {}
    for x, p in law.items():
        key = tuple(
            sum(sign * (value > 0) for sign, value in zip(each, x[first - 1 : last]))
            for (first, last), each in zip(segments, signs)
        )
        found[key] = found.get(key, F(0)) + p
    return found


def stationary(step):
    size = len(step)
    matrix = zeros(size, size)
    for x, y in product(range(size), repeat=2):
        matrix[x, y] = Rational(step[y][x].numerator, step[y][x].denominator) - int(x == y)
    solution = matrix.col_join(ones(1, size)).gauss_jordan_solve(
        zeros(size, 1).col_join(ones(1, 1))
    )[0]
    return [F(int(p.p), int(p.q)) for p in solution]


def by_distance(law, length):
    """The largest influence over all records that have nodes at these distances, and over one
    node of two.
    """

    def one(a, b):
        places = [
            i
            for i in range(1, length + 1)
            if (a is None or i - a >= 1) and (b is None or i + b <= length)
        ]
        found = [influence(law, i, nodes(i, a, b)) for i in places]
        return None if None in found else max(found, default=F(1))

    known = {}

    def estimate(i, a, b):
        if (a, b) not in known:
            parts = [one(a, b), *([one(a, None), one(None, b)] if a and b else [])]
            known[a, b] = None if None in parts else max(parts)
        return known[a, b]

    return estimate


SHORT = (1, 3, 5, 7, 7)  # T1, T2, T3, T4, T: the gap of the print
SHORTER = (2, 4, 5, 7, 8)  # one less, with records on either side
STEPS = {
    "positive eigenvalue": [[F(2, 3), F(1, 3)], [F(1, 3), F(2, 3)]],
    "negative eigenvalue": [[F(1, 3), F(2, 3)], [F(3, 5), F(2, 5)]],
    "a value that never returns": [
        [F(2, 5), F(3, 5), F(0)],
        [F(1, 4), F(3, 4), F(0)],
        [F(1, 3), F(2, 3), F(0)],
    ],
    "zeros": [[HALF, HALF], [F(1), F(0)]],
    "not reversible": [
        [F(1, 2), F(1, 3), F(1, 6)],
        [F(1, 6), F(1, 2), F(1, 3)],
        [F(1, 3), F(1, 6), F(1, 2)],
    ],
}


@pytest.mark.parametrize("start", ["stationary", "one value"])
@pytest.mark.parametrize("kind", [*STEPS][:3])
@pytest.mark.parametrize("ends", [SHORT, SHORTER])
def test_far_segments_keep_the_larger_level_with_estimates_by_distance(ends, kind, start):
    t1, t2, t3, t4, length = ends
    step = STEPS[kind]
    first = (
        stationary(step)
        if start == "stationary"
        else [F(x == len(step) - 1) for x in range(len(step))]
    )
    law = sequences(first, step, length)
    estimate = by_distance(law, length)
    base, tested = estimate(t1 + 1, 1, 1), 0
    for ratio, other in ((base * 2, base * 3), (base * 8, base * 8), (base * 32, base * 8)):
        one, active = quilt_mechanism(estimate, ratio, t1, t2)
        two, also = quilt_mechanism(estimate, other, t3, t4)
        if active and also:
            signs = [1, -1, 1] if tested else [1, 1, 1]
            releases = ((t1, t2), signs, one), ((t3, t4), [1, 1, 1], two)
            found = joint_leakage(law, [*range(t1, t2 + 1), *range(t3, t4 + 1)], *releases)
            assert found <= max(ratio, other)
            tested += 1
    assert tested


@pytest.mark.parametrize("kind", STEPS)
def test_exact_influences_depend_on_distances_alone_if_the_start_is_stationary(kind):
    law = sequences(stationary(STEPS[kind]), STEPS[kind], 5)
    for a, b in product((1, 2, None), repeat=2):
        places = [i for i in range(1, 6) if (a is None or i - a >= 1) and (b is None or i + b <= 5)]
        found = {influence(law, i, nodes(i, a, b)) for i in places}
        assert len(found) == 1
        both = found.pop()
        for part in (nodes(places[0], a, None), nodes(places[0], None, b)):
            assert both is None or influence(law, places[0], part) <= both


def test_exact_influences_of_another_start_let_the_pair_leak_both_levels():
    """X_1, X_2, X_3 = X_4 = X_5, X_6, X_7: five fair bits; MQM with exact influences has the
    scale 1/eps.
    """
    law = {(a, b, c, c, c, d, e): F(1, 32) for a, b, c, d, e in product((0, 1), repeat=5)}
    level = F(2)
    for first, last in ((1, 3), (5, 7)):
        found, active = quilt_mechanism(
            lambda i, a, b: influence(law, i, nodes(i, a, b)), level, first, last
        )
        assert (found, active) == (level, True)
    drawn_again = {(*x[:4], y, *x[5:]): p / 2 for x, p in law.items() for y in (0, 1)}
    for each, expected in ((law, level**2), (drawn_again, level)):
        found = joint_leakage(
            each, [1, 2, 3, 5, 6, 7], ((1, 3), [1, 1, 1], level), ((5, 7), [1, 1, 1], level)
        )
        assert found == expected


@pytest.mark.parametrize("seed", range(6))
def test_no_mechanisms_of_two_segments_beat_the_best_ratio(seed):
    """M_A flags X_2, M_B is any mechanism that reads X_3 and X_4, in five records; levels are
    computed.
    """
    random = Random(seed)
    law = random_chain(random, 2 + seed % 2, 4, zero=seed > 2)
    values = sorted({x[1] for x in law})
    if len(values) < 2:
        return
    flags = {x: random_row(random, 2, False) for x in product(range(3), repeat=2)}
    other = {x: random_row(random, 3, False) for x in product(range(3), repeat=2)}
    own = [
        {y: sum(p * flags[x[:2]][y] for x, p in each.items()) for y in (0, 1)}
        for i in (1, 2)
        for each in given_each(law, i)
    ]
    split = len(given_each(law, 1))
    level_a = max(largest(own[:split]), largest(own[split:]))
    level_b = max(
        largest(
            [
                {y: sum(p * other[x[2:]][y] for x, p in each.items()) for y in range(3)}
                for each in given_each(law, i)
            ]
        )
        for i in (3, 4)
    )
    kernels = [marginal(given(law, 2, v), [3]) for v in values]
    kappa = max(
        (1 + (level_b - 1) * sum(left.get(y, F(0)) for y in chosen))
        / (1 + (level_b - 1) * sum(right.get(y, F(0)) for y in chosen))
        for left, right in product(kernels, repeat=2)
        for chosen in subsets([(0,), (1,), (2,)])
    )
    joint = max(
        largest(
            [
                {
                    (y, z): sum(p * flags[x[:2]][y] * other[x[2:]][z] for x, p in each.items())
                    for y in (0, 1)
                    for z in range(3)
                }
                for each in given_each(law, i)
            ]
        )
        for i in (1, 2)
    )
    bounds = [level_b, *([most] if (most := influence(law, 2, [3])) is not None else [])]
    assert joint <= level_a * kappa
    assert kappa <= min(bounds)


def two_bits(law):
    """Total variation from the product of the marginals, and the larger of both
    max-divergences, e^E.
    """
    first, second = marginal(law, [1]), marginal(law, [2])
    apart = {(x, y): first[x,] * second[y,] for x, y in product((0, 1), repeat=2)}
    return sum(abs(law[key] - apart[key]) for key in apart) / 2, largest([law, apart]), apart


def test_what_more_independent_releases_mean():
    near = {(0, 0): F(17, 20), (0, 1): F(1, 20), (1, 0): F(1, 20), (1, 1): F(1, 20)}
    far = {(0, 0): F(3, 8), (0, 1): F(1, 8), (1, 0): F(1, 8), (1, 1): F(3, 8)}
    assert two_bits(near)[:2] == (F(2, 25), 5)
    assert two_bits(far)[:2] == (F(1, 4), 2)
    for law in (near, far, {(0, 0): F(1, 2), (0, 1): F(1, 3), (1, 0): F(1, 12), (1, 1): F(1, 12)}):
        apart = two_bits(law)[2]
        mixed = [
            {key: (1 - part) * law[key] + part * apart[key] for key in law}
            for part in (F(0), F(1, 3), F(2, 3), F(1))
        ]
        found = [two_bits(each) for each in mixed]
        assert all(each[2] == apart for each in found)
        assert all(later[1] < sooner[1] for sooner, later in pairwise(found))
    bit = {0: F(2, 3), 1: F(1, 3)}, {0: F(1, 3), 1: F(2, 3)}
    twice = [{(x, y): law[x] * law[y] for x in law for y in law} for law in bit]
    copied = [{(x, x): p for x, p in law.items()} for law in bit]
    assert (largest(bit), largest(twice), largest(copied)) == (2, 4, 2)


def test_records_dealt_out_by_value_pay_for_two_data_sets():
    """Values 0 and 1 go to the first set, 2 to the second. Flags say that a set is not empty;
    another one names its record.
    """

    def outputs(record, first, second):
        one, two = ({"up": f, "down": 1 - f} for f in (first[record], second[record]))
        return {(x, y): one[x] * two[y] for x in one for y in two}

    r, s = F(3), F(2)
    up, down = r / (r + 1), 1 / (r + 1)
    flags = {0: up, 1: up, 2: down}, {0: 1 / (s + 1), 1: 1 / (s + 1), 2: s / (s + 1)}
    assert largest([outputs(x, *flags) for x in (0, 1, 2)]) == r * s
    empty = HALF
    named = {0: F(2, 3), 1: F(1, 3), 2: empty}
    entering = max(
        largest([{0: p, 1: 1 - p}, {0: empty, 1: 1 - empty}]) for p in (named[0], named[1])
    )
    alone = largest([outputs(x, named, {0: HALF, 1: HALF, 2: HALF}) for x in (0, 1)])
    assert (entering, alone) == (F(3, 2), 2)
    assert (
        alone > entering
    )  # the second level is 1: a level for entering and leaving alone would not give the bound


def test_influence_under_processing_and_beside_correlation():
    random = Random(7)
    for law in [*EDGES[:4], *(random_chain(random, 3, 3) for _ in range(4))]:
        for i, kept in ((1, [2, 3]), (2, [1, 3])):
            table = {x: random_row(random, 2, True) for x in product(range(3), repeat=2)}
            seen = [
                {
                    y: sum(p * table[tuple(x[k - 1] for k in kept)][y] for x, p in each.items())
                    for y in (0, 1)
                }
                for each in given_each(law, i)
            ]
            whole, part = influence(law, i, kept), largest(seen)
            assert whole is None or (part is not None and part <= whole)
    rare = sequences([HALF, HALF], [[F(99, 100), F(1, 100)], [F(9, 10), F(1, 10)]], 2)
    even = sequences([HALF, HALF], THIRDS, 2)
    assert influence(rare, 1, [2]) > influence(even, 1, [2])
    assert squared_correlation(rare) < squared_correlation(even)


def squared_correlation(law):
    mean = [sum(p * x[k] for x, p in law.items()) for k in (0, 1)]
    both = sum(p * x[0] * x[1] for x, p in law.items())
    return (both - mean[0] * mean[1]) ** 2 / prod(m * (1 - m) for m in mean)


@pytest.mark.parametrize(
    ("p", "q"), [(F(1, 2), F(1, 2)), (F(1, 3), F(2, 5)), (F(2, 3), F(3, 4)), (F(1, 2), F(2, 3))]
)
@pytest.mark.parametrize("start", [[F(1), F(0)], [F(1, 10), F(9, 10)], [HALF, HALF]])
def test_the_eigen_gap_bounds_influence_for_any_start_of_two_values(p, q, start):
    """P P* = P^2 has the eigenvalues 1 and (1-p-q)^2; seven records, distances 3 and 2 or 3
    above the threshold.
    """
    law = sequences(start, [[1 - p, p], [q, 1 - q]], 7)
    least, gap = float(min(p, q) / (p + q)), 1 - float(1 - p - q) ** 2

    def term(distance):
        assert distance > 2 * log(1 / least) / gap
        decay = exp(-gap * distance / 2)
        return log((least + decay) / (least - decay))

    for a, b in ((3, 3), (3, 2)):
        if b > 2 * log(1 / least) / gap:
            assert log(influence(law, 4, [4 - a, 4 + b])) <= 2 * term(a) + term(b)
            assert log(influence(law, 4, [4 - a])) <= 2 * term(a)
            assert log(influence(law, 4, [4 + b])) <= term(b)
