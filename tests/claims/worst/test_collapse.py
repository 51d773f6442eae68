"""Claims on collapse with several pairs or priors, bits and parities: as all rays
of small frameworks show.
"""

import random
from fractions import Fraction
from itertools import product

import pytest
from tests.brute.worst import INFINITE, dot, laws, rays, worst

from pufferproof import Framework, Records, Table
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact

F = Fraction


def one_against_two(*shares):
    """X = {a, b1, b2}, one prior for each share of b1 in the second secret."""
    priors = {
        f"p{i}": Table({"a": F(1, 2), "b1": share / 2, "b2": (1 - share) / 2})
        for i, share in enumerate(shares)
    }
    return Framework(["a", "b1", "b2"], {"s": ["a"], "t": ["b1", "b2"]}, [("s", "t")], priors)


@pytest.mark.parametrize(
    "shares",
    [
        (F(1, 3), F(2, 3)),
        (F(1, 4), F(1, 2)),
        (F(1, 5), F(2, 5), F(1, 2)),
        (F(0), F(1, 2)),
        (F(1, 2), F(1)),
        (F(0), F(1)),
    ],
)
def test_phase_transition(shares):
    low, high = min(shares), max(shares)
    infinite = low == 0 or high == 1
    threshold = None if infinite else max((1 - low) / (1 - high), high / low)
    pairs = laws(one_against_two(*shares))
    for ratio in (F(1), F(6, 5), F(4, 3), F(7, 5), F(3, 2), F(8, 5), F(2), F(5)):
        columns = rays(pairs, ratio)
        collapses = threshold is not None and ratio**2 >= threshold
        assert (worst(pairs, columns, columns) is INFINITE) == collapses
        assert (worst(pairs, *[columns] * 3) is INFINITE) == collapses


def test_phase_transition_at_the_threshold_itself():
    pairs = laws(one_against_two(F(1, 5), F(4, 5)))  # threshold R^2 = 4
    assert worst(pairs, *[rays(pairs, F(2))] * 2) is INFINITE
    assert worst(pairs, *[rays(pairs, F(199, 100))] * 3) is not INFINITE


@pytest.mark.parametrize(("low", "high"), [(1, 4), (1, 6), (2, 5), (2, 4), (0, 3), (0, 7)])
def test_two_priors_below_the_threshold(low, high):
    """Against all pairs of rays: equal where the columns of the claim exist, never above."""
    p1, p2 = F(low, 7), F(high, 7)
    pairs = laws(one_against_two(p1, p2))
    k = max(p1 * (1 - p1), p2 * (1 - p2)) / (p2 - p1) ** 2
    for ratio in (F(1), F(10, 9), F(6, 5), F(4, 3), F(3, 2), F(2)):
        more = k * (ratio - 1 / ratio) ** 2
        if more < 1:
            found, form = (
                worst(pairs, *[rays(pairs, ratio)] * 2),
                max(ratio**2 + more, 1 / (1 - more)),
            )
            exact = ratio**2 * p1 <= p2 and ratio**2 * (1 - p2) <= 1 - p1
            assert found == form if exact else found <= form


@pytest.mark.parametrize("seed", range(10))
def test_universal_collapse(seed):
    draw = random.Random(seed)
    weights = {x: draw.choice([1, 2, 3]) for x in "abcd"}
    priors = {
        "p": Table({x: F(w, sum(weights.values())) for x, w in weights.items()}),
        "q": Table(dict.fromkeys("abcd", F(1, 4))),
    }
    framework = Framework("abcd", {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], priors)
    pairs = laws(framework)
    largest = max(p for law in pairs for p in law[0])
    ratio = 1 / (1 - largest)
    complements = [tuple(F(x != y) for x in range(4)) for y in range(4)]
    assert all(dot(mu, u) <= ratio * dot(nu, u) for mu, nu in pairs for u in complements)
    columns = rays(pairs, ratio)
    assert worst(pairs, columns, columns) is INFINITE


def bits(count, law, extra=()):
    """All bits secret, and further named sets of databases against their complements."""
    labels = Records(count, ("0", "1")).labels()
    secrets, pairs = {}, []
    tests = [(f"x{i + 1}", [x for x in labels if x[i] == "1"]) for i in range(count)] + list(extra)
    for name, held in tests:
        secrets |= {f"{name}=1": held, f"{name}=0": [x for x in labels if x not in held]}
        pairs.append((f"{name}=0", f"{name}=1"))
    return Framework(labels, secrets, pairs, {"theta": Table(law)})


def test_parities_of_two_bits():
    labels = ("00", "01", "10", "11")
    framework = bits(2, dict.fromkeys(labels, F(1, 4)), [("x1+x2", ["01", "10"])])
    pairs = laws(framework)
    for ratio in (F(1), F(3, 2), F(199, 100), F(2), F(3)):  # 2^(n-1)/(2^(n-1) - 1) = 2
        columns = rays(pairs, ratio)
        assert all(0 not in u for u in columns) == (ratio < 2)
        assert (worst(pairs, *[columns] * 2) is INFINITE) == (ratio >= 2)


def smallest_entry(count, ratio):
    """Minimise u at 0..0 over columns of total 1, all parities of uniform bits being secret, by
    one linear program.
    """
    labels = range(2**count)
    rows = [Row(dict.fromkeys(labels, 1), "=", 1)]
    for chosen in range(1, 2**count):
        signs = [(-1) ** bin(x & chosen).count("1") for x in labels]
        rows += [
            Row({x: 1 if signs[x] == side else -ratio for x in labels}, "<=") for side in (1, -1)
        ]
    return -solve_exact(Program({0: -1}, rows, len(labels))).value


@pytest.mark.parametrize("count", [2, 3, 4])
def test_parities_of_more_bits(count):
    threshold = F(2 ** (count - 1), 2 ** (count - 1) - 1)
    assert smallest_entry(count, threshold) == 0
    assert smallest_entry(count, threshold - F(1, 1000)) > 0


@pytest.mark.parametrize("share", [F(1, 4), F(1, 10), F(2, 5)])
def test_two_bits_with_uniform_marginals(share):
    framework = bits(2, {"00": share, "11": share, "01": F(1, 2) - share, "10": F(1, 2) - share})
    pairs = laws(framework)
    still = rays(pairs, F(1))
    assert worst(pairs, *[still] * 4) == 1
    for ratio in (F(101, 100), F(2)):
        assert worst(pairs, still, rays(pairs, ratio)) is INFINITE


@pytest.mark.parametrize("seed", range(12))
def test_two_bits_without_uniform_marginals(seed):
    draw = random.Random(seed)
    weights = {x: draw.choice([1, 2, 3, 4]) for x in ("00", "01", "10", "11")}
    law = {x: F(w, sum(weights.values())) for x, w in weights.items()}
    uniform = law["00"] == law["11"] and law["01"] == law["10"]
    pairs = laws(bits(2, law))
    still = rays(pairs, F(1))
    assert worst(pairs, still, still) == (1 if uniform else INFINITE)


def test_three_bits_at_level_zero():
    labels = ["".join(x) for x in product("01", repeat=3)]
    even = [x for x in labels if x.count("1") % 2 == 0]
    law = {
        x: F(1, 8) + (F(1, 100) if x in even else -F(1, 100)) for x in labels
    }  # uniform marginals, full support
    pairs = laws(bits(3, law))
    apart = tuple(F(x in ("000", "111")) / law[x] for x in labels)
    single = tuple(F(x == "000" or x.count("0") == 1) / law[x] for x in labels)
    for u in (apart, single):
        assert all(dot(mu, u) == dot(nu, u) for mu, nu in pairs)
    assert worst(pairs, [apart], [single]) is INFINITE


@pytest.mark.parametrize("seed", range(10))
def test_singletons_keep_leakage_finite(seed):
    draw = random.Random(seed)
    weights = {x: draw.choice([1, 2, 5]) for x in "abc"}
    law = {x: F(w, sum(weights.values())) for x, w in weights.items()}
    secrets = {x: [x] for x in "abc"} | {f"not {x}": [y for y in "abc" if y != x] for x in "abc"}
    theta = {"theta": Table(law)}
    pairs = laws(Framework("abc", secrets, [(x, f"not {x}") for x in "abc"], theta))
    alone = laws(Framework("abc", secrets, [("a", "not a")], theta))
    for ratio in (F(1), F(2), F(10)):
        columns = rays(pairs, ratio)
        for (x, p), (y, q) in product(enumerate(law.values()), repeat=2):
            assert x == y or all(u[y] <= ratio * (1 - p) / q * u[x] for u in columns)
        assert worst(pairs, *[columns] * 3) is not INFINITE
        assert worst(alone, *[rays(alone, ratio)] * 2) is INFINITE
