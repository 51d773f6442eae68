"""Rho and mu against definitions that are evaluated: orders on a grid, quadrature, tests one by
one.
"""

import json
import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy import integrate, stats
from tests import seeds

from pufferproof import AdditiveNoise, Channel, Framework, Noise, Records, Table, audit
from pufferproof.models.errors import ModelError
from pufferproof.models.noise.tables.powers import table_of
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power

TWO = Framework(["a", "b"], neighbours="substitute")


def listed(rows):
    return Channel.of(rows, [f"y{k}" for k in range(len(next(iter(rows.values()))))])


ORDERS = 1 + np.exp(np.linspace(-16, 6, 3000))


def of_orders(p, q):
    """The largest D_alpha / alpha on a grid, by sums of logarithms."""
    kept = p > 0
    losses, logs = np.log(p[kept] / q[kept]), np.log(p[kept])
    best = 0.0
    for order in ORDERS:
        terms = logs + (order - 1) * losses
        top = terms.max()
        found = (top + np.log(np.exp(terms - top).sum())) / (order - 1) / order
        best = max(best, found if order > 1 + 1e-5 else 0.0)
    return max(best, float((p[kept] * losses).sum()))


def rows(seed, outputs, extreme):
    random = np.random.default_rng(seed)
    drawn = random.integers(1, 10**extreme, size=(2, outputs))
    return [[Fraction(int(n), int(row.sum())) for n in row] for row in drawn]


@seeds(12)
def test_rho_is_the_largest_over_orders(seed):
    one, other = rows(seed, 2 + seed % 4, 1 + seed % 5)
    found = audit(TWO, listed({"a": one, "b": other}), zcdp=True).smallest
    p, q = (np.array([float(x) for x in row]) for row in (one, other))
    grid = max(of_orders(p, q), of_orders(q, p))
    assert float(found.lower) <= float(found.upper) * (1 + 1e-12)
    assert float(found.upper) >= grid * (1 - 1e-7)
    assert float(found.lower) <= grid * (1 + 1e-5)
    assert float(found.upper - found.lower) <= 1e-10 * float(found.upper)


@pytest.mark.parametrize("gap", [Fraction(1, 10), 1, 3])
def test_rho_of_laplace_noise_is_that_of_quadrature(gap):
    found = audit(TWO, AdditiveNoise({"a": 0, "b": gap}, Noise.laplace(1)), zcdp=True).smallest
    d = float(gap)

    def quotient(order):
        def density(x):
            return 0.5 * math.exp(-order * abs(x) + (order - 1) * abs(x - d))

        moment, _ = integrate.quad(density, -60, 60 + d, points=[0, d], limit=200)
        return math.log(moment) / (order - 1) / order

    grid = max(map(quotient, np.linspace(1.001, 8, 60)))
    assert grid * (1 - 1e-7) <= float(found.upper)
    kl = d + math.exp(-d) - 1
    assert float(found.lower) <= max(grid, kl) * (1 + 1e-2)
    assert float(found.lower) >= max(grid, kl) * (1 - 1e-7)


def test_rho_of_geometric_noise_is_that_of_its_sums():
    found = audit(TWO, AdditiveNoise({"a": 0, "b": 3}, Noise.geometric("1/2")), zcdp=True).smallest
    z = np.arange(-200, 204)
    p, q = (0.5 ** np.abs(z - shift) / 3.0 for shift in (0, 3))
    assert float(found.lower) == pytest.approx(of_orders(p, q), rel=1e-4)
    assert float(found.upper) >= of_orders(p, q) * (1 - 1e-9)


@pytest.mark.parametrize("noise", [Noise.gaussian(2), Noise.discrete_gaussian(4)])
def test_rho_of_gaussian_noise_is_rational(noise):
    answer = audit(TWO, AdditiveNoise({"a": 0, "b": 3}, noise), zcdp="9/8")
    assert (answer.smallest.ratio, answer.verdict.value) == (Fraction(9, 8), "SATISFIES")
    below = audit(TWO, AdditiveNoise({"a": 0, "b": 3}, noise), zcdp="1124/1000")
    assert below.verdict.value == "VIOLATES"


def test_numbers_of_a_vector_add_up():
    mixed = [AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1)), AdditiveNoise({"a": 0, "b": 3}, Noise.gaussian(2))]
    alone = audit(TWO, mixed[0], zcdp=True).smallest
    both = audit(TWO, mixed, zcdp=True).smallest
    assert both.lower == alone.lower + Fraction(9, 8)
    with pytest.raises(ModelError, match="discrete Gaussian noise"):
        audit(TWO, [mixed[0], AdditiveNoise({"a": 0, "b": 3}, Noise.discrete_gaussian(4))], zcdp=1)


def test_a_table_of_powers_has_the_rho_and_mu_of_its_numbers():
    e = [ExponentialSum([(1, Power.exp(Fraction(k, 2)))]) for k in range(3)]
    table = table_of({"a": {"u": e[0], "v": e[1], "w": e[2]}, "b": {"u": e[2], "v": e[1], "w": e[0]}})
    p = np.exp(np.array([0, 0.5, 1.0]))
    p = p / p.sum()
    found = audit(TWO, table, zcdp=True).smallest
    assert float(found.lower) == pytest.approx(of_orders(p, p[::-1]), rel=1e-6)
    mu = audit(TWO, table, gdp=True).smallest
    assert float(mu.lower) == pytest.approx(by_tests(p, p[::-1]), rel=1e-9)


def by_tests(p, q):
    """The largest mu that a test shows, over all orders in which outputs are rejected."""
    best = 0.0
    for order in permutations(range(len(p))):
        for size in range(1, len(p)):
            alpha, beta = p[list(order[:size])].sum(), q[list(order[size:])].sum()
            best = max(best, stats.norm.ppf(1 - alpha) - stats.norm.ppf(beta))
    return best


@seeds(12)
def test_mu_is_what_the_best_test_shows_and_its_curve_lies_below(seed):
    one, other = rows(seed, 2 + seed % 4, 1 + seed % 4)
    mu = audit(TWO, listed({"a": one, "b": other}), gdp=True).smallest
    p, q = (np.array([float(x) for x in row]) for row in (one, other))
    assert float(mu.upper) == pytest.approx(max(by_tests(p, q), by_tests(q, p)), rel=1e-9)
    order = np.argsort(-q / p)
    alphas = np.concatenate([[0], np.cumsum(p[order])])
    betas = np.concatenate([[1], 1 - np.cumsum(q[order])])
    grid = np.linspace(1e-9, 1 - 1e-9, 2001)
    curve = stats.norm.cdf(stats.norm.ppf(1 - grid) - float(mu.upper))
    assert (curve <= np.interp(grid, alphas, betas) + 1e-12).all()


def test_mu_of_gaussian_noise_is_the_shift_in_units_of_sigma():
    two = AdditiveNoise({"a": [0, 0], "b": [3, 4]}, Noise.gaussian(10))
    assert audit(TWO, two, gdp="1/2").verdict.value == "SATISFIES"
    assert audit(TWO, two, gdp="0.49").verdict.value == "VIOLATES"
    irrational = AdditiveNoise({"a": [0, 0], "b": [1, 1]}, Noise.gaussian(1))
    answer = audit(TWO, irrational, gdp="1.4142136")
    assert (answer.smallest.ratio, answer.verdict.value) == (None, "SATISFIES")
    with pytest.raises(ModelError, match="Gaussian noise, found laplace"):
        audit(TWO, AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1)), gdp=1)


def test_what_rules_a_secret_out_is_infinite():
    channel = listed({"a": [1, 0], "b": ["1/2", "1/2"]})
    for asked in ({"zcdp": 10}, {"gdp": 10}):
        answer = audit(TWO, channel, **asked)
        assert (answer.smallest.infinite, answer.verdict.value) == (True, "VIOLATES")
    same = listed({"a": ["1/3", "2/3"], "b": ["1/3", "2/3"]})
    assert audit(TWO, same, zcdp=0).verdict.value == "SATISFIES"
    assert audit(TWO, same, gdp=0).verdict.value == "SATISFIES"


def test_what_is_not_exact_is_refused():
    mixed = Framework(
        ["a", "b", "c"], {"s": ["a", "b"], "t": ["c"]}, [("s", "t")], {"u": Table(dict.fromkeys("abc", "1/3"))}
    )
    noise = AdditiveNoise({"a": 0, "b": 1, "c": 2}, Noise.gaussian(1))
    for asked in ({"zcdp": True}, {"gdp": True}):
        with pytest.raises(ModelError, match="several values given a secret"):
            audit(mixed, noise, **asked)
    for asked in ({"zcdp": True, "gdp": 1}, {"zcdp": 1, "epsilon": 1}, {"gdp": -1}, {"zcdp": "x"}):
        with pytest.raises(ModelError):
            audit(TWO, listed({"a": ["1/3", "2/3"], "b": ["1/2", "1/2"]}), **asked)


def test_the_number_may_be_left_out_on_the_command_line(tmp_path, run):
    framework, mechanism = tmp_path / "f.json", tmp_path / "m.json"
    framework.write_text('{"format": "pufferproof-framework/1", "databases": ["a", "b"], "neighbours": "substitute"}')
    mechanism.write_text(
        '{"format": "pufferproof-mechanism/1", "query": {"a": 0, "b": 1}, "noise": {"gaussian": {"sigma": 1}}}'
    )
    files = [str(framework), str(mechanism)]
    for words in (["--zcdp", *files, "--json"], [*files, "--json", "--zcdp"]):
        code, out, _ = run("audit", *words)
        answer = json.loads(out)
        assert (code, answer["verdict"], answer["zcdp"]["ratio"]) == (0, None, "1/2")
    code, out, _ = run("audit", *files, "--zcdp", "0.4", "--json")
    assert (code, json.loads(out)["zcdp"]["claimed"]) == (1, "2/5")
    code, out, _ = run("audit", *files, "--gdp", "1")
    assert (code, out.splitlines()[0]) == (0, "SATISFIES 1-GDP")
    assert run("audit", *files, "--gdp", "--epsilon", "1")[0] == 2
    for option, says in (("--zcdp=", "found nothing"), ("--gdp=1,5", 'did you mean "1.5"?')):
        code, out, err = run("audit", *files, option)
        assert (code, out, says in err, option.split("=")[0] in err) == (2, "", True, True)


def test_a_million_records_have_a_rho():
    from pufferproof import RecordQuery

    records = Records(10**6, ("0", "1000"))
    noise = RecordQuery("sum", Noise.discrete_gaussian(10**6), records)
    assert audit(Framework(records, neighbours="add-remove"), noise, zcdp="1/2").kept.value


@pytest.mark.parametrize("digits", [20, 150, 300])
def test_mu_of_rational_tables_is_close_however_small_their_entries_are(digits):
    """P moves by e: mu is the largest over tests by the ratios, one of each vertex."""
    e = Fraction(1, 10**digits)
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    one, other = [half + e, quarter - e, quarter], [half, quarter, quarter]
    mu = audit(TWO, listed({"a": one, "b": other}), gdp=True).smallest
    # Phi^-1(beta + e) - Phi^-1(beta) = e / phi(Phi^-1(beta)) but for e^2
    slopes = [float(1 / stats.norm.pdf(stats.norm.ppf(float(beta)))) for beta in (half, quarter)]
    assert float(mu.lower / e) == pytest.approx(max(slopes), rel=1e-8)
    assert 0 < mu.lower <= mu.upper <= mu.lower * (1 + Fraction(1, 10**11))
    assert audit(TWO, listed({"a": one, "b": other}), gdp=0).verdict.value == "VIOLATES"
    tiny = [e, 1 - e], [2 * e, 1 - 2 * e]
    mu = audit(TWO, listed(dict(zip("ab", tiny))), gdp=True).smallest
    assert 0 < mu.lower <= mu.upper <= mu.lower * (1 + Fraction(1, 10**11))
