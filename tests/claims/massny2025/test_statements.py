"""Statements of the redaction paper on small chains by definitions alone: influences,
data-independent mechanisms, windows.

Edges are among them: one and two records, a = b, independent records, negative eigenvalues, p at
the ends, breakpoints.
"""

from itertools import pairwise, product
from random import Random

from tests.claims.massny2025.definitions import (
    HIDDEN,
    F,
    databases,
    given,
    influence,
    leakage,
    least,
    marginal,
    outputs,
    pattern_leakage,
    patterns,
    pointwise,
    pointwise_long,
    random_parameters,
    utility,
)
from tests.examples import seeds

CHAINS = {
    "positive": (F(1, 4), F(1, 2)),
    "zero": (F(1, 3), F(2, 3)),
    "negative": (F(2, 3), F(3, 4)),
    "tie": (F(1, 3), F(1, 3)),
    "negative tie": (F(3, 4), F(3, 4)),
    "not convex": (F(4, 5), F(14, 15)),
    "slow": (F(1, 20), F(1, 10)),
}
RANDOM = [random_parameters(Random(seed)) for seed in range(40)]
ALL = [*CHAINS.values(), *RANDOM]


def ratios(a, b, value, longest=9):
    return {d: pointwise(a, b, d, value) for d in range(1, longest + 1)}


def convex(e, d, step=1):
    return e[d] * e[d + 2 * step] >= e[d + step] ** 2


def test_where_influences_are_convex():
    failures = set()
    for a, b in ALL:
        lam, e = 1 - a - b, [ratios(a, b, value) for value in (0, 1)]
        for value, d in [(v, d) for v in (0, 1) for d in range(1, 8)]:
            if lam >= 0 or a == b or d % 2 == value:
                assert convex(e[value], d)
            else:
                m, c = abs(lam), b / a if value else a / b
                u = m**d
                left = (1 - m) ** 2 * (1 + m**2 * (c**2 - c + 1) * u**2)
                right = m * u * abs(c - 1) * (2 * (m**2 - m + 1) - m**3 * (c**2 + 1) * u**2)
                assert convex(e[value], d) == (left >= right)
                failures |= set() if left >= right else {value}
            assert d > 5 or convex(e[value], d, 2)
    assert failures == {0, 1}


def test_the_displays_for_negative_eigenvalues():
    for a, b in ALL:
        d, lam = abs(1 - a - b), 1 - a - b
        if lam >= 0:
            continue
        for value, c in enumerate((a / b, b / a)):
            assert c * d < 1
            assert c > d
            e = ratios(a, b, value, 8)
            for distance in range(1, 8):
                u = d**distance
                even = (1 + c * u) / (1 + d * u) * (1 - c * d * u) / (1 - u)
                odd = (1 + u) / (1 + c * d * u) * (1 - d * u) / (1 - c * u)
                assert e[distance] / e[distance + 1] == (odd if distance % 2 else even)
            assert all(e[k] / e[k + 1] > e[k + 2] / e[k + 3] for k in range(1, 6))


def test_influences_fall_with_the_distance():
    for a, b in ALL:
        e0, e1 = ratios(a, b, 0), ratios(a, b, 1)
        for e in (e0, e1):
            assert all(
                high > low > 1 if a + b != 1 else high == low == 1
                for high, low in pairwise(e.values())
            )
        assert all(e0[d] <= e1[d] and (e0[d] == e1[d]) == (a == b or a + b == 1) for d in e0)
        if a + b > 1:
            assert all(e1[d + 1] < e0[d] for d in range(1, 9))
        for k in range(2, 5):
            for left in range(1, 2 * k):
                both = e1[left] * e1[2 * k - left]
                assert both >= e1[k + 1] ** 2
                assert both >= e1[k] ** 2 or (a + b > 1 and k % 2 and left % 2 == 0)


def test_thresholds():
    for a, b in ALL:
        e1 = ratios(a, b, 1)
        for level in [
            *e1.values(),
            *((x + y) / 2 for x, y in pairwise(e1.values())),
            F(3),
            e1[9] + F(1, 1000),
        ]:
            if level > 1 or a + b == 1:
                assert all((e1[k] <= level) == (k >= least(a, b, level)) for k in e1)


def cells(largest, chains=None):
    for a, b in chains or [*CHAINS.values(), *RANDOM[:6]]:
        for n in range(1, largest + 1):
            for p in range(1, n + 1):
                yield a, b, n, p


def nearest(p, kept):
    return max((t for t in kept if t < p), default=None), min(
        (t for t in kept if t > p), default=None
    )


def test_leakage_of_a_pattern_is_that_of_its_nearest_records():
    for a, b, n, p in cells(5):
        for kept in patterns(n, p):
            left, right = nearest(p, kept)
            e = [
                [pointwise(a, b, abs(t - p), v) if t else F(1) for v in (0, 1)]
                for t in (left, right)
            ]
            odd = left and right and (right - left) % 2 and a + b > 1
            expected = max(e[0][1] * e[1][0], e[0][0] * e[1][1]) if odd else e[0][1] * e[1][1]
            assert pattern_leakage(a, b, n, p, kept) == expected
            bound = e[0][1] * e[1][1]
            assert expected <= bound
            if left is None or right is None or (right - left) % 2 == 0:  # corollary 2
                assert expected == bound
            if odd:
                after = [pointwise(a, b, abs(t - p) + 1, 1) for t in (left, right)]
                assert expected >= max(e[0][1] * after[1], after[0] * e[1][1])


def test_influences_of_both_sides_add_or_less():
    for a, b, n, p in cells(5):
        for chosen in patterns(n, p):
            left, right = tuple(t for t in chosen if t < p), tuple(t for t in chosen if t > p)
            if left and right:
                whole = influence(a, b, n, p, chosen)
                both = influence(a, b, n, p, left) * influence(a, b, n, p, right)
                assert whole <= both
                if (min(right) - max(left)) % 2 == 0 or a + b <= 1:
                    assert whole == both


def random_mechanism(random, n, p, equal=False):
    found = [tuple(F(random.randint(0, 3), 3) for _ in range(2)) for _ in range(n)]
    found = [(r[0], r[0]) for r in found] if equal else found
    found[p - 1] = HIDDEN
    return found


@seeds(60)
def test_what_is_released_leaks_its_influence(seed):
    random = Random(seed)
    a, b = random.choice(ALL)
    n = random.randint(1, 4)
    p = random.randint(1, n)
    redaction = random_mechanism(random, n, p)
    whole = leakage(a, b, n, p, redaction)
    for kept in patterns(n, p):
        for values in {
            tuple(y[t - 1] for t in kept) for y in outputs(databases(a, b, n), redaction)
        }:
            if None not in values:
                laws = [marginal(given(a, b, n, p, v), kept)[values] for v in (0, 1)]
                assert whole >= max(laws) / min(laws)
    halves = [leakage(a, b, n, p, redaction, side) for side in (range(1, p + 1), range(p, n + 1))]
    assert whole <= halves[0] * halves[1]
    redaction[p - 1] = (F(1), F(1, 2))
    assert leakage(a, b, n, p, redaction) is None


@seeds(40)
def test_randomised_data_independent_mechanisms_leak_as_what_they_may_release(seed):
    random = Random(seed)
    a, b = random.choice(ALL)
    n = random.randint(1, 4)
    p = random.randint(1, n)
    redaction = random_mechanism(random, n, p, equal=True)
    kept = tuple(t for t, r in enumerate(redaction, 1) if r[0] < 1)
    assert leakage(a, b, n, p, redaction) == influence(a, b, n, p, kept)
    assert utility(a, b, redaction) <= len(kept)


def levels(a, b, n):
    """Every leakage of a pattern, with levels between and beyond."""
    found = sorted(
        {pattern_leakage(a, b, n, p, kept) for p in range(1, n + 1) for kept in patterns(n, p)}
    )
    between = [(x + y) / 2 for x, y in pairwise(found)]
    return [level for level in sorted({*found, *between, found[-1] + 1}) if level > 1]


def of_distance(a, b, d):
    """e^i1, infinite at distance 0."""
    return pointwise_long(a, b, d) if d else None


def settings(largest):
    for a, b, n, p in cells(largest, [*CHAINS.values(), *RANDOM[:4]]):
        if 2 * p <= n:
            for level in levels(a, b, n):
                yield a, b, n, p, level


def radii(n, p, kept):
    left, right = nearest(p, kept)
    return (p - 1 if left is None else p - left - 1), (n - p if right is None else right - p - 1)


def test_bounds_for_data_independent_mechanisms():
    """Theorem 2, the steps of its proof, the exact optimum and its shape, as corrected."""
    tight = set()
    for a, b, n, p, level in settings(6):
        private = [kept for kept in patterns(n, p) if pattern_leakage(a, b, n, p, kept) <= level]
        redacted, d, h = (
            min(n - len(kept) for kept in private),
            least(a, b, level),
            least(a, b, level, 2),
        )
        far, near = of_distance(a, b, n - p), of_distance(a, b, p - 1)
        r1, slack = d + p - 1, 2 if a + b <= 1 else 3
        which = 0 if level < far else 2 if near is not None and level >= near * far else 1
        assert redacted >= [n, r1, min(r1, 2 * h - slack)][which]
        if a + b <= 1:
            z = h >= 2 and pointwise_long(a, b, h - 1) * pointwise_long(a, b, h) <= level
            assert redacted == [n, r1, min(r1, 2 * h - 1 - z)][which]
            best = [radii(n, p, kept) for kept in private if n - len(kept) == redacted]
            assert any(abs(x - y) <= 1 or x == p - 1 for x, y in best)
        e0, e1 = of_distance(a, b, n + 1 - p), near
        for kept in private:
            left, right = radii(n, p, kept)
            both = min(kept, default=p) < p < max(kept, default=p)
            assert n - len(kept) >= left + right + 1
            assert level >= e0 or not kept
            assert not (both and (e1 is None or level < e0 * e1))
            assert n - len(kept) >= p + d - 1 or not (
                e0 <= level and (e1 is None or level < e0 * e1)
            )
            assert not both or left + right >= 2 * h - slack - 1
        assert (p + d - 2 >= 2 * h - 2) == (p + d - 2 * h >= 0)
        if p == 1:
            assert redacted == min(d, n)
        tight.add((which, redacted == [n, r1, min(r1, 2 * h - slack)][which]))
    assert {(0, True), (1, True), (2, True), (2, False)} <= tight


def window(a, b, n, p, level):
    """Dl and Dr of algorithm 1."""
    whole, half = least(a, b, level), least(a, b, level, 2)
    one_sided = (
        p == 1
        or level < pointwise_long(a, b, n + 1 - p) * pointwise_long(a, b, p - 1)
        or p + whole < 2 * half
    )
    return one_sided, *((p - 1, min(whole, n - p)) if one_sided else (half, half))


def outside(n, p, left, right):
    return tuple(t for t in range(1, n + 1) if not p - left <= t <= p + right)


def test_windows_of_the_markov_quilt_mechanism():
    seen = set()
    for a, b, n, p, level in settings(6):
        one_sided, left, right = window(a, b, n, p, level)
        kept = outside(n, p, left, right)
        assert 1 <= p - left <= p + right <= n
        assert len(kept) == n - (left + right + 1)
        assert pattern_leakage(a, b, n, p, kept) <= level
        d, h = least(a, b, level), least(a, b, level, 2)
        narrow = (p - 1, min(d - 1, n - p)) if one_sided else (h - 1, h - 1)
        more = outside(n, p, *narrow)
        assert pattern_leakage(a, b, n, p, more) <= level
        assert len(more) - len(kept) == (2 if not one_sided else 1 if d <= n - p else 0)
        best = max(len(k) for k in patterns(n, p) if pattern_leakage(a, b, n, p, k) <= level)
        assert best - len(kept) <= (3 if a + b <= 1 else 4)
        far, near = of_distance(a, b, n - p), of_distance(a, b, p - 1)
        r1, r2 = d + p - 1, 2 * h - 1
        which = 0 if level < far else 2 if near is not None and level >= near * far else 1
        bound = [n, r1, min(r1, r2)][which]
        assert 0 <= n - len(kept) - bound <= 2
        seen.add((which, one_sided))
    assert {(0, True), (1, True), (2, True), (2, False)} <= seen


def sure(a, b, n, p, left, right):
    """S for budgets of the sides, with q_t = 1: a side with the budget 0 is redacted."""
    return tuple(
        t
        for t in range(1, n + 1)
        if t != p
        and (left if t < p else right) > 1
        and pointwise(a, b, abs(t - p), 1) <= (left if t < p else right)
    )


def test_some_three_region_mechanism_is_at_least_as_good():
    """As MQ, with eps_l > 0 too; as every DIM if lam >= 0, and within two records of it
    otherwise.
    """
    for a, b, n, p, level in settings(5):
        budgets = {F(1), 1 + (level - 1) / 1000, *(pointwise(a, b, d, 1) for d in range(1, n))}
        found = {}
        for first in budgets:
            if first <= level:
                kept = sure(a, b, n, p, first, level / first)
                assert pattern_leakage(a, b, n, p, kept) <= level
                for name in ("any", *(["positive"] if first > 1 and first < level else [])):
                    found[name] = max(found.get(name, 0), len(kept))
        kept = outside(n, p, *window(a, b, n, p, level)[1:])
        assert found["any"] >= len(kept) + (least(a, b, level) <= n - p)
        assert found["positive"] >= len(kept)
        best = max(len(k) for k in patterns(n, p) if pattern_leakage(a, b, n, p, k) <= level)
        assert found["any"] >= best - (0 if a + b <= 1 else 2)


def test_nearest_records_are_a_quilt():
    """Pr(X_R|X_Q,X_N) = Pr(X_R|X_Q), N what lies on the side of p, R what lies beyond."""
    for (a, b), n in product([*CHAINS.values()][:4], range(2, 6)):
        law = databases(a, b, n)
        for p, quilt in ((q, kept) for q in range(1, n + 1) for kept in patterns(n, q)):
            left, right = nearest(p, quilt)
            if not quilt or {t for t in (left, right) if t} != {*quilt}:
                continue
            near = tuple(t for t in range((left or 0) + 1, right or n + 1))
            remote = tuple(t for t in range(1, n + 1) if t not in near + quilt)
            whole, known, short, alone = (
                marginal(law, part)
                for part in (remote + quilt + near, quilt + near, remote + quilt, quilt)
            )
            cut, end = len(remote), len(remote) + len(quilt)
            assert all(
                w * alone[x[cut:end]] == known[x[cut:]] * short[x[:end]] for x, w in whole.items()
            )
