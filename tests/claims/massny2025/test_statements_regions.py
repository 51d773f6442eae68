"""Statements of the redaction paper on its 3R mechanisms and their program, on small chains and
by the definitions alone.
"""

from itertools import combinations, pairwise, product
from math import prod
from random import Random

from tests.claims.massny2025.definitions import (
    HIDDEN,
    F,
    databases,
    given,
    leakage,
    marginal,
    outputs,
    pointwise,
    random_parameters,
    ratio,
    region,
    regions,
    three_regions,
    utility,
)
from tests.examples import seeds

CHAINS = [
    (F(1, 100), F(4, 5)),
    (F(1, 10), F(1, 2)),
    (F(1, 4), F(1, 2)),
    (F(1, 3), F(1, 3)),
    (F(1, 3), F(2, 3)),
    (F(2, 3), F(3, 4)),
    (F(1, 2), F(9, 10)),
    (F(1, 20), F(1, 3)),
]


def breakpoints(a, b, n):
    found = sorted({pointwise(a, b, d, v) for d in range(1, n) for v in (0, 1)} - {F(1)})
    return [*found, *((x + y) / 2 for x, y in pairwise(found)), F(2)]


def drawn(seed, longest=5):
    """A chain, n, p, two budgets, the regions and q; q_t = 1 and small q_t are among them."""
    random = Random(seed)
    a, b = random.choice(CHAINS) if seed % 3 else random_parameters(random)
    n = random.randint(1, longest)
    p = random.randint(1, n) if seed % 2 else 1
    left, right = (random.choice(breakpoints(a, b, n)) for _ in range(2))
    letters = regions(a, b, n, p, left, right)
    q = {
        t: random.choice([F(1), F(1, 2), F(3, 4), F(9, 10), F(1, 10)])
        for t in range(1, n + 1)
        if letters[t - 1] == "M"
    }
    return a, b, n, p, (left, right), letters, q


def sides(n, p):
    """The records of each side away from p, and the outputs that belong to it."""
    return [
        (list(range(p - 1, 0, -1)), range(1, p + 1)),
        (list(range(p + 1, n + 1)), range(p, n + 1)),
    ]


def redacted(a, b, n, p, q, near, x, shown):
    """P(X_(t+) = z | X_p = x), and G(x)."""
    kept = {
        y: w
        for y, w in given(a, b, n, p, x).items()
        if shown is None or y[shown[0] - 1] == shown[1]
    }
    total = sum(kept.values())
    return total, sum(
        w * prod((q[i] for i in near if y[i - 1] == 0), start=F(1)) for y, w in kept.items()
    ) / total


def conditions(a, b, n, p, letters, q, side):
    """For t in M on a side, z and x: what (5) or (6) compares with the budget, e^i(X_(t+)=z),
    e^delta_t, the product of q.
    """
    for k, t in enumerate(side):
        if letters[t - 1] != "M":
            continue
        near = [i for i in side[: k + 1] if letters[i - 1] == "M"]
        after = side[k + 1] if k + 1 < len(side) else None
        values = {None: [None], "M": [(after, 0)], "S": [(after, 0), (after, 1)]}[
            after and letters[after - 1]
        ]
        if after and letters[after - 1] == "M" and q[after] == 1:
            values = []
        d = (
            F(1)
            if after is None
            else pointwise(a, b, abs(after - p), "MS".index(letters[after - 1]))
        )
        for shown, x in product(values, (0, 1)):
            (one, g), (other, h) = (redacted(a, b, n, p, q, near, v, shown) for v in (x, 1 - x))
            e = F(1) if shown is None else pointwise(a, b, abs(after - p), shown[1])
            yield one * g / (other * h), e, d, prod(q[i] for i in near)


@seeds(150)
def test_a_side_keeps_its_budget_iff_the_conditions_hold(seed):
    """And the chain of bounds above them, each for every q; raising q never loses the budget."""
    a, b, n, p, budgets, letters, q = drawn(seed)
    random, redaction = Random(seed + 1000), three_regions(letters, q)
    leaks = []
    for (side, seen), budget in zip(sides(n, p), budgets):
        found, leak = (
            list(conditions(a, b, n, p, letters, q, side)),
            leakage(a, b, n, p, redaction, seen),
        )
        leaks.append(leak)
        first = next((t for t in side if letters[t - 1] != "L"), None)
        least = (
            F(1)
            if first is None
            else pointwise(a, b, abs(first - p), "MS".index(letters[first - 1]))
        )
        assert least <= budget
        assert (leak <= budget) == all(left <= budget for left, *_ in found)
        for left, e, d, product_of_q in found:
            assert left <= e / product_of_q
            assert e <= d <= budget
        nearer = [[i for i in side[: k + 1] if letters[i - 1] == "M"] for k in range(len(side))]
        reached = [
            (
                pointwise(a, b, abs(side[k + 1] - p), "MS".index(letters[side[k + 1] - 1]))
                if k + 1 < len(side)
                else F(1)
            )
            / prod(q[i] for i in nearer[k])
            for k, t in enumerate(side)
            if letters[t - 1] == "M"
        ]
        assert leak <= max([least, *reached])
        assert leakage(a, b, n, p, three_regions(letters, dict.fromkeys(q, F(1))), seen) <= budget
        raised = {t: value + (1 - value) * F(random.randint(0, 2), 2) for t, value in q.items()}
        if leak <= budget:
            assert leakage(a, b, n, p, three_regions(letters, raised), seen) <= budget
    whole = leakage(a, b, n, p, redaction)
    assert whole <= leaks[0] * leaks[1]
    medium, size = [1 - value for value in q.values()], letters.count("S")
    assert utility(a, b, redaction) == size + b / (a + b) * sum(medium)
    assert n - utility(a, b, redaction) == letters.count("L") + a / (a + b) * len(q) + b / (
        a + b
    ) * sum(q.values())


@seeds(60)
def test_likelihoods_of_an_output_have_a_common_factor_beyond_the_first_release(seed):
    a, b, n, p, _, letters, q = drawn(seed, 4)
    redaction = three_regions(letters, q)
    for side, seen in sides(n, p):
        laws = [marginal(outputs(given(a, b, n, p, v), redaction), seen) for v in (0, 1)]
        for y in laws[0]:
            marks = dict(zip(seen, y))
            shown = next(((t, marks[t]) for t in side if marks[t] is not None), None)
            before = side[: side.index(shown[0])] if shown else side
            near = [t for t in before if letters[t - 1] == "M"]
            assert "S" not in {letters[t - 1] for t in before}
            factors = [prod(redacted(a, b, n, p, q, near, x, shown)) for x in (0, 1)]
            assert laws[0][y] * factors[1] == laws[1][y] * factors[0]


def test_regions_split_the_records_by_distance():
    for a, b in [*CHAINS, *(random_parameters(Random(seed)) for seed in range(20))]:
        for budget in breakpoints(a, b, 6):
            letters = "".join(region(a, b, d, budget) for d in range(1, 8))
            assert letters == "".join(sorted(letters))
            if a + b >= 1 or a == b:
                assert letters.count("M") <= (1 if a + b > 1 and a < b else 0)
            if a + b == 1:
                assert letters == "S" * 7
            for growth in (F(1, 3), F(2, 3)):  # the same eigenvalue, a larger b/a
                c, d = a - a * growth, b + a * growth
                if d < 1:
                    after = "".join(region(c, d, k, budget) for k in range(1, 8))
                    assert all(x != "M" or y == "M" for x, y in zip(letters, after))


def test_which_value_says_more():
    for a, b in [*CHAINS, *(random_parameters(Random(seed)) for seed in range(30))]:
        for (c, d), k in product([(a, b), (b, a)], range(1, 6)):
            zero, one = pointwise(c, d, k, 0), pointwise(c, d, k, 1)
            assert one >= zero if c <= d else one <= zero
            assert (one != zero) == (c != d and c + d != 1)


def feasible(q, c):
    return all(prod(q[: k + 1]) >= each for k, each in enumerate(c)) and all(
        0 < value <= 1 for value in q
    )


def other_points(random, size, c):
    """Random feasible points of the program, some of them on its boundary."""
    for _ in range(60):
        q = [F(random.randint(1, 12), 12) for _ in range(size)]
        if random.random() < 0.5:
            for k in range(size):  # raised to the constraint where it is missed
                q[k] = max(q[k], min(F(1), c[k] / prod(q[:k], start=F(1))))
        if feasible(q, c):
            yield q


@seeds(40)
def test_the_convex_hull_solves_the_program_and_nothing_else_does(seed):
    """q falls away from p; c_k is its product where q falls next and at the end, and at most
    the product elsewhere.
    """
    random, tried = Random(seed), 0
    size = random.randint(1, 5)
    q = sorted((F(random.randint(1, 12), 12) for _ in range(size)), reverse=True)
    products = [prod(q[: k + 1]) for k in range(size)]
    ends = [k == size - 1 or q[k] > q[k + 1] for k in range(size)]
    c = [each if end else each * F(random.randint(1, 4), 4) for each, end in zip(products, ends)]
    assert feasible(q, c)
    for other in [*other_points(random, size, c), [F(1)] * size]:
        assert sum(other) > sum(q) or other == q
        tried += 1
    assert tried


@seeds(60)
def test_a_constant_is_optimal_iff_the_last_slope_is_least(seed):
    """c_k = s_k^k: the slope of record k is -log s_k, and the least feasible constant the
    largest s_k.
    """
    random = Random(seed)
    size = random.randint(1, 4)
    s = [F(random.randint(1, 6), 6) for _ in range(size)]
    c = [each ** (k + 1) for k, each in enumerate(s)]
    constant = max(s)
    assert feasible([constant] * size, c)
    assert not feasible([constant * F(99, 100)] * size, c)
    if s[-1] == constant:
        assert all(sum(q) >= size * constant for q in other_points(random, size, c))
    else:
        last = max(k for k in range(size) if s[k] == constant)
        lowered = [constant] * size
        lowered[last + 1] = max(c[k] / constant**k for k in range(last + 1, size))
        assert feasible(lowered, c)
        assert sum(lowered) < size * constant


@seeds(30)
def test_the_most_conservative_redaction_keeps_each_level(seed):
    random = Random(seed)
    a, b = random_parameters(random)
    n = random.randint(2, 4)
    chosen = random.sample(range(1, n + 1), 2)
    each = {}
    for p in chosen:
        each[p] = [tuple(F(random.randint(0, 3), 3) for _ in range(2)) for _ in range(n)]
        each[p][p - 1] = HIDDEN
    most = [tuple(max(each[p][t][v] for p in chosen) for v in (0, 1)) for t in range(n)]
    for p in chosen:
        assert leakage(a, b, n, p, most) <= leakage(a, b, n, p, each[p])


@seeds(30)
def test_leakage_beside_differential_privacy(seed):
    """Finite leakage hides record p from those who know all others; the largest ratio over
    databases bounds it.
    """
    random = Random(seed)
    a, b = random.choice(CHAINS)
    n = random.randint(1, 3)
    p = random.randint(1, n)
    redaction = [tuple(F(random.randint(0, 2), 2) for _ in range(2)) for _ in range(n)]
    if seed % 3:
        redaction[p - 1] = HIDDEN
    rows = {x: outputs({x: F(1)}, redaction) for x in databases(a, b, n)}
    whole = leakage(a, b, n, p, redaction)
    neighbours = [ratio(rows[x], rows[(*x[: p - 1], 1 - x[p - 1], *x[p:])]) for x in rows]
    all_others = [ratio(rows[x], rows[y]) for x in rows for y in rows if x[p - 1] != y[p - 1]]
    if whole is not None:
        assert max(neighbours) <= whole
    if None not in all_others:
        assert whole <= max(all_others)


@seeds(30)
def test_steps_of_the_lower_bound(seed):
    """The factors of an output, some Y_R at least as likely under x, and the mean number of
    hits.
    """
    random = Random(seed)
    a, b = random.choice(CHAINS)
    n = random.randint(1, 4)
    p = random.randint(1, n)
    redaction = [tuple(F(random.randint(0, 2), 2) for _ in range(2)) for _ in range(n)]
    expected = sum(
        w * chance * sum(m is not None for m in y)
        for x, w in databases(a, b, n).items()
        for y, chance in outputs({x: F(1)}, redaction).items()
    )
    assert utility(a, b, redaction) == expected
    redaction[p - 1] = HIDDEN
    others = [t for t in range(1, n + 1) if t != p]
    for chosen in (each for size in range(n) for each in combinations(others, size)):
        rest = [t for t in others if t not in chosen]
        for values in product((0, 1), repeat=len(chosen)):
            released = prod((1 - redaction[t - 1][v] for t, v in zip(chosen, values)), start=F(1))
            if not released:
                continue
            laws, weights = [], []
            for x in (0, 1):
                law = {
                    y: w
                    for y, w in given(a, b, n, p, x).items()
                    if tuple(y[t - 1] for t in chosen) == values
                }
                weights.append(sum(law.values()))
                laws.append(
                    marginal(outputs({y: w / weights[x] for y, w in law.items()}, redaction), rest)
                )
                shown = outputs(given(a, b, n, p, x), redaction)
                for y, chance in laws[x].items():
                    marks = dict(zip(rest, y)) | dict(zip(chosen, values))
                    whole = tuple(marks.get(t) for t in range(1, n + 1))
                    assert shown[whole] == chance * weights[x] * released
            for one, other in (laws, laws[::-1]):
                assert any(chance > 0 and chance >= other.get(y, F(0)) for y, chance in one.items())


def test_the_chain_is_stationary_reversible_and_has_the_printed_powers():
    for a, b in CHAINS:
        law = databases(a, b, 4)
        assert all(law[x] == law[x[::-1]] for x in law)
        assert all(
            marginal(law, (t,)) == {(0,): b / (a + b), (1,): a / (a + b)} for t in range(1, 5)
        )
        for d in range(1, 4):
            lam = (1 - a - b) ** d
            rows = [marginal(given(a, b, 4, 1, v), (1 + d,)) for v in (0, 1)]
            assert rows[0][1,] == a / (a + b) * (1 - lam)
            assert rows[1][0,] == b / (a + b) * (1 - lam)
