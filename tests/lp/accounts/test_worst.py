"""The worst case of a guarantee with a delta, held against the same program in fractions, solved
exactly over all databases, and against mechanisms that are drawn.
"""

from fractions import Fraction
from itertools import product
from math import erf, erfc, exp, log, sqrt
from random import Random

import pytest
from tests import seeds

from pufferproof import Framework, HiddenMarkovModel, MarkovChain, ModelError, Records, Table
from pufferproof.lp.accounts.guarantees import Gaussian, Points, twice
from pufferproof.lp.accounts.windows import Steps, Windows
from pufferproof.lp.accounts.worst import group_privacy, worst_delta, worst_level
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.tables import Product
from pufferproof.models.views import possible_values

ONE = Fraction(1)


def chain_framework(prior, count, letters, record, one="0", other="1"):
    secrets = {"s": (record, one), "t": (record, other)}
    return Framework.of_records(Records(count, letters), secrets, [("s", "t")], {"theta": prior})


def by_fractions(framework, ratio, points):
    """The largest delta over both orders: max <p, h> - ratio <q, h>, with one row for each pair of
    neighbours and each line of G, where e^epsilon and delta are `points`.
    """
    databases = [framework.row(label) for label in framework.databases]
    weights = framework.laws["theta"].weights
    found = Fraction(0)
    lines = [(a, b) for a, b in points] + [(1 / a, 1 - (1 - b) / a) for a, b in points]
    near = [
        (x, y)
        for x, one in enumerate(databases)
        for y, other in enumerate(databases)
        if sum(u != v for u, v in zip(one, other)) == 1
    ]
    for first, second in (("s", "t"), ("t", "s")):
        laws = []
        for secret in (first, second):
            members = framework.secrets[secret]
            total = sum(weights[x] for x in members)
            laws.append({x: Fraction(weights[x], total) for x in members})
        costs = {x: laws[0].get(x, 0) - ratio * laws[1].get(x, 0) for x in range(len(databases))}
        rows = [Row({x: 1, y: -a}, "<=", b) for x, y in near for a, b in lines]
        rows += [Row({x: 1}, "<=", 1) for x in range(len(databases))]
        value = solve_exact(Program(costs, rows, len(databases))).value
        found = max(found, value)
    return found


def drawn_row(random, letters):
    cuts = [random.choice([0, 1, 1, 2, 3, 5, 8]) for _ in range(letters)]
    cuts[random.randrange(letters)] += 1
    return [Fraction(cut, sum(cuts)) for cut in cuts]


def drawn_chain(random, letters):
    start = [Fraction(1, letters)] * letters
    if random.random() < 0.5:
        start = [Fraction(n + 1, letters * (letters + 1) // 2) for n in range(letters)]
    return MarkovChain(start, [drawn_row(random, letters) for _ in range(letters)])


@seeds(24)
def test_enclosures_hold_the_program_over_all_databases(seed):
    random = Random(seed)
    letters, count = random.choice([(2, 1), (2, 2), (2, 3), (2, 4), (3, 2), (3, 3)])
    prior = drawn_chain(random, letters)
    if random.random() < 0.2:
        prior = Product([drawn_row(random, letters) for _ in range(count)])
    alphabet = tuple("012"[:letters])
    record = random.randint(1, count)
    framework = chain_framework(prior, count, alphabet, record)
    level = Level.log(random.choice([ONE, Fraction(3, 2), Fraction(3), Fraction(20)]))
    points = [(Fraction(random.choice([2, 3, 5]), random.choice([1, 2])), Fraction(random.randint(0, 3), 20))]
    if random.random() < 0.4:
        points.append((points[0][0] * 2, points[0][1] / 2))
    guarantee = Points(tuple((Level.log(ratio), delta) for ratio, delta in points if ratio >= 1))
    if not {0, 1} <= possible_values(framework, "theta", [record])[record]:
        with pytest.raises(ModelError, match="nothing to check"):
            worst_delta(framework, guarantee, level)
        return
    worst = worst_delta(framework, guarantee, level)
    exact = by_fractions(framework, level.ratio, [(ratio, delta) for ratio, delta in points])
    assert worst.ends.lower <= exact <= worst.ends.upper
    assert worst.ends.upper - worst.ends.lower <= Fraction(1, 10**7)


@seeds(24)
def test_windows_and_tails_hold_the_whole_chain(seed):
    random = Random(seed)
    letters = random.choice([2, 2, 3])
    count = random.randint(4, 7) if letters == 2 else 4
    prior, record = drawn_chain(random, letters), random.randint(1, count)
    framework = chain_framework(prior, count, tuple("012"[:letters]), record)
    guarantee = random.choice(
        [Points.of([("1/2", "1/1000")]), Points.of([("1", "1/50"), ("2", "1/10000")]), Gaussian(Fraction(1, 2))]
    )
    ratio = Level(random.choice(["0.25", "1", "2"])).bounds(96)
    if not {0, 1} <= possible_values(framework, "theta", [record])[record]:
        return
    steps = Steps.of(framework.chains["theta"], count)
    *parts, (whole, same) = Windows(steps, record, 0, 1, letters, guarantee).stages()
    assert whole is same
    exact = whole.delta(ratio)
    for below, above in parts:
        assert below.delta(ratio).lower <= exact.upper
        assert above.delta(ratio).upper >= exact.lower


def test_long_chains_have_the_published_values():
    """Both ends meet with a window of at most eleven records, whatever the length."""
    stay = MarkovChain("stationary", [["4/5", "1/5"], ["1/5", "4/5"]])
    framework = chain_framework(stay, 10_000, ("0", "1"), 5_000)
    for point, level, expected in (("1", "2.5", 0.082912487659), ("1/2", "1.25", 0.0999489377455)):
        ends = worst_delta(framework, Points.of([(point, "1/100000")]), Level(level)).ends
        assert float(ends.lower) == pytest.approx(expected, rel=1e-11)
        assert float(ends.upper) == pytest.approx(expected, rel=1e-11)


def test_a_record_alone_has_the_guarantee_itself():
    coin = Product([["1/2", "1/2"]] * 3)
    framework = chain_framework(coin, 3, ("0", "1"), 2)
    at_level = worst_delta(framework, Points.of([("log(3)", "1/10")]), Level("log(3)"))
    assert at_level.ends.lower <= Fraction(1, 10) <= at_level.ends.upper
    at_delta = worst_level(framework, Points.of([("log(3)", "1/10")]), Fraction(11, 100)).ends
    assert at_delta.lower <= at_delta.upper < 3
    gaussian = worst_delta(framework, Gaussian(Fraction(1)), Level("1")).ends
    assert float(gaussian.upper) == pytest.approx((erfc(0.5 / sqrt(2)) - exp(1) * erfc(1.5 / sqrt(2))) / 2, rel=1e-6)
    assert float(gaussian.lower) == pytest.approx(float(gaussian.upper), rel=1e-6)


@seeds(12)
def test_no_drawn_mechanism_tells_more(seed):
    """Two outputs: h drawn, then lowered to what the guarantee allows."""
    random = Random(seed)
    count = random.choice([2, 3, 4])
    framework = chain_framework(drawn_chain(random, 2), count, ("0", "1"), random.randint(1, count))
    guarantee = random.choice([Points.of([("1", "1/20")]), Gaussian(Fraction(1)), twice(Points.of([("1/2", "1/50")]))])
    level = Level("log(2)")
    try:
        worst = worst_delta(framework, guarantee, level)
    except ModelError:
        return
    words, weights = list(product("01", repeat=count)), framework.laws["theta"].weights
    for _ in range(50):
        h = {word: Fraction(random.random()) for word in words}
        for _ in range(count + 2):
            for x, y in product(words, repeat=2):
                if sum(u != v for u, v in zip(x, y)) == 1:
                    h[x] = min(h[x], guarantee.below(h[y]))
        laws = []
        for secret in "st":
            members = framework.secrets[secret]
            laws.append(sum(weights[x] * h[words[x]] for x in members) / sum(weights[x] for x in members))
        for one, other in (laws, laws[::-1]):
            assert one - 2 * other <= worst.ends.upper


def test_runs_of_a_point_are_those_of_drawn_losses():
    """K runs: the largest of P(S) - ratio Q(S) over all products of K losses."""
    ratio, delta = Fraction(2), Fraction(1, 10)
    losses = [(delta, Fraction(0)), ((1 - delta) * Fraction(2, 3), (1 - delta) * Fraction(1, 3))]
    losses += [(q, p) for p, q in losses]
    for runs in (1, 2, 3):
        guarantee = Points(((Level.log(ratio), delta),), runs)
        for asked in (ONE, Fraction(3, 2), Fraction(5), Fraction(8)):
            over = Fraction(0)
            for word in product(losses, repeat=runs):
                p = q = ONE
                for a, b in word:
                    p, q = p * a, q * b
                over += max(p - asked * q, 0)
            framework = chain_framework(Product([["1/2", "1/2"]]), 1, ("0", "1"), 1)
            ends = worst_delta(framework, guarantee, Level.log(asked)).ends
            assert float(ends.lower) == pytest.approx(float(over), abs=1e-12)
            assert ends.lower <= over + Fraction(1, 10**20)
            assert over <= ends.upper + Fraction(1, 10**20)


def test_group_privacy_is_that_of_a_path():
    point = Points.of([("1", "1/1000000")])
    for records in (1, 2, 3):
        upper = group_privacy(records, point, lambda pair: pair.level(Fraction(1, 1000), Fraction(1, 10**6))).upper
        assert 0 < records - log(upper) < 1e-2
    assert group_privacy(40, point, lambda pair: pair.level(Fraction(1, 10**5), Fraction(1, 10**6))).lower is None
    tiny = group_privacy(2, Gaussian(Fraction(1)), lambda pair: pair.level(Fraction(1, 10**30), Fraction(1, 10**6)))
    assert tiny.lower is not None  # finite, though no upper bound is found


def test_listed_databases_are_closed_with_many_lines():
    """More lines than are entered at once: the last programs are not left at a coarse answer."""
    table = {"00": "1/4", "01": "1/3", "10": "1/12", "11": "1/3"}
    framework = chain_framework(Table(table), 2, ("0", "1"), 1)
    for seed in range(6):
        guarantee = Points(((Level.log(Fraction(2 + seed)), Fraction(1 + seed, 20)),), 4)
        ends = worst_delta(framework, guarantee, Level.log(Fraction(3, 2))).ends
        assert ends.close(Fraction(1, 10**7))


@pytest.mark.parametrize("level", ["25", "30", "45", "800"])
def test_a_level_beyond_all_others_leaves_the_delta(level):
    coin = chain_framework(Product([["1/2", "1/2"]] * 3), 3, ("0", "1"), 2)
    ends = worst_delta(coin, Points.of([("1", "1/100000")]), Level(level)).ends
    assert ends.lower <= Fraction(1, 100_000) <= ends.upper
    assert ends.close(Fraction(1, 10**6))


def test_a_guarantee_that_says_nothing_is_no_error():
    coin = chain_framework(Product([["1/2", "1/2"]] * 3), 3, ("0", "1"), 2)
    for guarantee in (Points.of([("1000", "1/100000")]), Gaussian(Fraction(200)), twice(Points.of([("500", "0")]))):
        ends = worst_delta(coin, guarantee, Level("1")).ends
        assert ends.lower >= 0
        assert ends.upper >= Fraction(9, 10)
        levels = worst_level(coin, guarantee, Fraction(1, 2)).ends
        assert levels.lower is None or levels.upper is None or levels.lower <= levels.upper


@seeds(12)
def test_twice_has_few_lines_and_misses_none(seed):
    """Lines after lines: the least of those that are kept is the least of all."""
    random = Random(seed)
    once = Points(((Level.log(Fraction(random.randint(1, 9), 1)), Fraction(random.randint(0, 9), 20)),), 1 + seed % 7)
    kept = twice(once).lines
    assert len(kept) <= 2 * len(once.lines) + 1
    for t in [Fraction(random.random()) for _ in range(20)] + [Fraction(0), ONE]:
        through = min(line.slope * t + line.intercept for line in once.lines)
        every = min(line.slope * through + line.intercept for line in once.lines)
        most = min(line.slope * t + line.intercept for line in kept)
        assert min(every, ONE) <= min(most, ONE) <= min(every, ONE) + Fraction(1, 2**80)


def test_many_runs_take_little_time():
    """2,000 runs: sums of every point go on from one to the next."""
    guarantee = Points.of([("1/1000", "1/1000000000")], 2_000)
    assert len(guarantee.lines) > 1_000
    framework = chain_framework(Product([["1/2", "1/2"]]), 1, ("0", "1"), 1)
    ends = worst_delta(framework, guarantee, Level("0")).ends
    assert float(ends.lower) == pytest.approx(erf(sqrt(2_000) / 1000 / 2 / sqrt(2)), rel=1e-3)


def test_what_is_not_understood_is_an_error():
    with pytest.raises(ModelError, match="delta from 0 to below 1"):
        Points.of([("1", "1")])
    with pytest.raises(ModelError, match="at least one level"):
        Points(())
    with pytest.raises(ModelError, match="at most 5000 runs"):
        Points.of([("1", "0")], 10**6)
    with pytest.raises(ModelError, match="several points"):
        Points.of([("1", "0"), ("1/2", "1/10")], 2)
    with pytest.raises(ModelError, match="at least 0"):
        Gaussian(Fraction(-1))
    table = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})
    with pytest.raises(ModelError, match="records"):
        worst_delta(table, Points.of([("1", "0")]), Level("1"))
    hidden = chain_framework(
        HiddenMarkovModel("stationary", [["4/5", "1/5"], ["1/5", "4/5"]], [["9/10", "1/10"], ["1/5", "4/5"]]),
        40,
        ("0", "1"),
        3,
    )
    with pytest.raises(ModelError, match="expected Markov chains"):
        worst_delta(hidden, Points.of([("1", "0")]), Level("1"))
