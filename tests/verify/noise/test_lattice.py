"""Discrete Gaussian noise beside sums over all integers that count."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import exp, log
from pathlib import Path

import pytest

import pufferproof as pp
from pufferproof.models.noise.tables.lattice import LatticeGaussian, deviations

DATABASES = ["a", "b", "c", "d"]
EVEN = pp.Table({"a": "1/2", "b": "1/2"})
BITS = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"u": EVEN})


def framework(above: Mapping[str, str], below: Mapping[str, str]) -> pp.Framework:
    """Return one whose secrets have these laws of a and b, and of c and d."""
    prior = pp.Table({k: Fraction(v) / 2 for k, v in {**above, **below}.items()})
    return pp.Framework(DATABASES, {"s": ["a", "b"], "t": ["c", "d"]}, [("s", "t")], {"u": prior})


def probability(z: int, sigma2: Fraction) -> float:
    whole = sum(exp(-k * k / (2 * float(sigma2))) for k in range(-400, 401))
    return exp(-z * z / (2 * float(sigma2))) / whole


LAWS = [
    ({"a": "1", "b": "0"}, {"c": "1", "d": "0"}),
    ({"a": "1/3", "b": "2/3"}, {"c": "1", "d": "0"}),
    ({"a": "1/2", "b": "1/2"}, {"c": "1/4", "d": "3/4"}),
]
VALUES = [{"a": 0, "b": 3, "c": 1, "d": 2}, {"a": 0, "b": 2, "c": 0, "d": 2}, {"a": -5, "b": 1, "c": 1, "d": -5}]


@pytest.mark.parametrize("sigma2", [Fraction(1, 3), Fraction(1), Fraction(30)])
@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize("values", VALUES)
def test_deltas_and_orders_are_sums_over_integers(
    sigma2: Fraction, laws: tuple[dict[str, str], dict[str, str]], values: dict[str, int]
) -> None:
    space = framework(*laws)
    noisy = pp.AdditiveNoise(values, pp.Noise.discrete_gaussian(sigma2))
    both = [
        {
            values[k]: sum(float(Fraction(p)) for j, p in law.items() if values[j] == values[k])
            for k, p in law.items()
            if p != "0"
        }
        for law in laws
    ]
    f, g = ({w: sum(p * probability(w - v, sigma2) for v, p in law.items()) for w in range(-60, 61)} for law in both)
    for epsilon in ("0", "1/3", "log(2)"):
        level = log(2) if epsilon == "log(2)" else float(Fraction(epsilon))
        answer = pp.audit(space, noisy, epsilon, delta="1/2")
        wanted = max(sum(max(0.0, one[w] - exp(level) * other[w]) for w in f) for one, other in ((f, g), (g, f)))
        assert answer.delta is not None
        low, high = answer.delta.bounds()
        assert float(low) - 1e-12 <= wanted <= float(high) + 1e-12
        assert high - low <= Fraction(1, 10**12)
    for order in ("2", "3/2"):
        power = float(Fraction(order))
        found = pp.audit(space, noisy, renyi=order).renyi
        assert found is not None
        moments = [
            sum(one[w] ** power * other[w] ** (1 - power) for w in f if other[w] > 1e-280)
            for one, other in ((f, g), (g, f))
        ]
        nats = max(log(moment) / (power - 1) for moment in moments)
        assert float(found.enclosure().lower) == pytest.approx(nats, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("values", VALUES[1:])
def test_finite_leakage_is_largest_over_integers(values: dict[str, int]) -> None:
    laws = {"a": "1/2", "b": "1/2"}, {"c": "1/5", "d": "4/5"}
    noisy = pp.AdditiveNoise(values, pp.Noise.discrete_gaussian(2))
    answer = pp.audit(framework(*laws), noisy)
    f, g = (
        {
            w: sum(float(Fraction(p)) * probability(w - values[k], Fraction(2)) for k, p in law.items())
            for w in range(-20, 21)
        }
        for law in laws
    )
    largest = max(max(f[w] / g[w], g[w] / f[w]) for w in f)
    assert answer.leakage.ratio is not None
    assert float(answer.leakage.ratio) == pytest.approx(largest, rel=1e-3)


def test_a_mixture_between_ends_is_searched_over_integers() -> None:
    values = {"a": 0, "b": 4, "c": 2, "d": 0}
    space = pp.Framework(
        [*DATABASES, "e"],
        {"s": ["a", "b", "c"], "t": ["d", "e"]},
        [("s", "t")],
        {"u": pp.Table({"a": "1/8", "b": "1/8", "c": "1/4", "d": "1/4", "e": "1/4"})},
    )
    noisy = pp.AdditiveNoise({**values, "e": 4}, pp.Noise.discrete_gaussian("1/2"))
    f = {0: 0.25, 4: 0.25, 2: 0.5}, {0: 0.5, 4: 0.5}
    one, other = (
        {w: sum(p * probability(w - v, Fraction(1, 2)) for v, p in law.items()) for w in range(-8, 13)} for law in f
    )
    largest = max(max(one[w] / other[w], other[w] / one[w]) for w in one)
    answer = pp.audit(space, noisy)
    low, high = answer.leakage.lower, answer.leakage.upper
    assert low is not None
    assert high is not None
    assert low <= high
    assert float(low) == pytest.approx(largest)
    assert answer.witness.output == "2"


def test_two_numbers_are_summed_over_a_grid_and_multiply() -> None:
    noisy = pp.AdditiveNoise({"a": [0, 1], "b": [1, 0]}, pp.Noise.discrete_gaussian(4))
    answer = pp.audit(BITS, noisy, "1/2", delta="1/100")
    wanted = 0.0
    for w in product(range(-30, 31), repeat=2):
        f = probability(w[0], Fraction(4)) * probability(w[1] - 1, Fraction(4))
        g = probability(w[0] - 1, Fraction(4)) * probability(w[1], Fraction(4))
        wanted += max(0.0, f - exp(0.5) * g)
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(wanted, rel=1e-9)
    order = pp.audit(BITS, noisy, renyi=2).renyi
    assert order is not None
    assert float(order.enclosure().lower) == pytest.approx(0.5)


@pytest.mark.parametrize("place", [1, 3, 700, 2600, 9000])
def test_long_tails_agree_with_terms(place: int) -> None:
    from flint import ctx

    with ctx.workprec(128):
        law = LatticeGaussian(Fraction(501**2))
        one, other = law._term_by_term(place), law._euler_maclaurin(place)
        assert one.overlaps(other)
        assert one.rel_accuracy_bits() > 100
        assert other.rel_accuracy_bits() > 100


@pytest.mark.parametrize("deviations_out", [1, 20, 25, 100, 500])
def test_tails_far_out_agree_with_terms(deviations_out: int) -> None:
    from flint import ctx

    with ctx.workprec(128):
        law = LatticeGaussian(Fraction(600**2))
        place = 600 * deviations_out
        one, other = law._term_by_term(place), law._euler_maclaurin(place)
        assert one.overlaps(other)
        assert other.rel_accuracy_bits() > 120
        assert law.tail(600**3).overlaps(law._term_by_term(600**3) / law.theta())


@pytest.mark.parametrize("kind", ["discrete_gaussian", "gaussian"])
@pytest.mark.parametrize("sigma", [501, 10**6, 10**12])
def test_a_delta_too_small_to_write_has_an_upper_bound(kind: str, sigma: int) -> None:
    law = pp.Noise.gaussian(sigma) if kind == "gaussian" else pp.Noise.discrete_gaussian(sigma**2)
    answer = pp.audit(BITS, pp.AdditiveNoise({"a": 0, "b": 1}, law), "1", delta="1e-1000")
    assert answer.verdict is pp.Verdict.SATISFIES
    assert answer.delta is not None
    lower, upper = answer.delta.bounds()
    assert 0 <= lower <= upper < Fraction(1, 10**1000)
    assert upper > 0


def test_tails_sum_to_one_and_reach_bounds_them() -> None:
    from flint import ctx

    with ctx.workprec(128):
        for sigma2 in (Fraction(1, 100), Fraction(1), Fraction(10**8)):
            law = LatticeGaussian(sigma2)
            assert (2 * law.tail(1) + law.probabilities([0])[0]).overlaps(1 + 0 * law.theta())
            assert 2 * law.tail(deviations(sigma2, 64)) < Fraction(1, 2**64).__float__()


def test_shifts_of_a_million_with_as_large_a_sigma() -> None:
    million = 10**6
    noise = pp.Noise.discrete_gaussian(million**2)
    answer = pp.audit(BITS, pp.AdditiveNoise({"a": 0, "b": million}, noise), "1", delta="1/5")
    assert answer.delta is not None
    # of normal noise: Phi(-1/2) - e Phi(-3/2), and of so fine a grid the same to six digits
    assert float(answer.delta.bounds()[0]) == pytest.approx(0.126936737507, rel=1e-5)
    order = pp.audit(BITS, pp.AdditiveNoise({"a": 0, "b": million}, noise), renyi=2).renyi
    assert order is not None
    assert float(order.enclosure().lower) == pytest.approx(1)


def test_files_say_sigma_or_its_square(tmp_path: Path) -> None:
    found = []
    for law in ('{"sigma": "3/2"}', '{"sigma2": "9/4"}'):
        (tmp_path / "m.json").write_text(
            '{"format": "pufferproof-mechanism/1", "query": {"a": "0", "b": "1"}, '
            f'"noise": {{"discrete_gaussian": {law}}}}}'
        )
        noisy = pp.read_mechanism(tmp_path / "m.json", BITS)
        found.append(str(pp.audit(BITS, noisy, "1", delta="1/9")))
    assert found[0] == found[1]


@pytest.mark.parametrize("law", ["{}", '{"sigma": "1", "sigma2": "1"}', '{"sigma": "-1"}'])
def test_other_parameters_are_refused(tmp_path: Path, law: str) -> None:
    (tmp_path / "m.json").write_text(
        '{"format": "pufferproof-mechanism/1", "query": {"a": "0", "b": "1"}, '
        f'"noise": {{"discrete_gaussian": {law}}}}}'
    )
    with pytest.raises(pp.ModelError, match="discrete_gaussian"):
        pp.read_mechanism(tmp_path / "m.json", BITS)


def test_other_doors_refuse_it_by_name() -> None:
    noise = pp.Noise.discrete_gaussian(4)
    with pytest.raises(pp.ModelError, match="discrete Gaussian"):
        _ = noise.decay
    with pytest.raises(pp.ModelError, match="needs integers"):
        pp.AdditiveNoise({"a": "1/2"}, noise)


def test_a_mixture_of_two_numbers_has_a_delta_and_no_level() -> None:
    laws = {"a": "1/2", "b": "1/2"}, {"c": "1/4", "d": "3/4"}
    values = {"a": [0, 1], "b": [1, 0], "c": [0, 1], "d": [1, 0]}
    noisy = pp.AdditiveNoise(values, pp.Noise.discrete_gaussian(1))
    answer = pp.audit(framework(*laws), noisy, "1/4", delta="1/2")
    assert answer.verdict is pp.Verdict.SATISFIES
    assert pp.audit(framework(*laws), noisy, "1/4").verdict is pp.Verdict.UNDECIDED


def test_a_level_of_a_query_of_records_is_violated_on_the_command_line(run, save):
    chain = {"initial": ["1/2", "1/2"], "transition": [["3/4", "1/4"], ["1/4", "3/4"]]}
    framework = save("f.json", {
        "format": "pufferproof-framework/1",
        "records": {"count": 3, "alphabet": ["0", "1"]},
        "secrets": {"off": {"record": 2, "value": "0"}, "on": {"record": 2, "value": "1"}},
        "pairs": [["off", "on"]],
        "priors": {"even": {"markov": chain}},
    })  # fmt: skip
    noise = {"discrete_gaussian": {"sigma2": "2"}}
    mechanism = save("m.json", {"format": "pufferproof-mechanism/1", "query": "sum", "noise": noise})
    code, out, _ = run("audit", framework, mechanism, "--epsilon", "1")
    assert (code, "VIOLATES 1 nat" in out, "infinite" in out) == (1, True, True)
    code, out, err = run("audit", framework, mechanism, "--epsilon", "1", "--certificate", "c.json")
    assert (code, out, "discrete Gaussian noise" in err) == (2, "", True)


@pytest.mark.parametrize("noise", [pp.Noise.gaussian(1), pp.Noise.discrete_gaussian(1)])
def test_an_order_of_a_probability_below_the_least_float(noise: pp.Noise) -> None:
    rare = Fraction(1, 10**400)
    prior = pp.Table({"a": rare / 2, "b": (1 - rare) / 2, "c": "1/2"})
    space = pp.Framework(["a", "b", "c"], {"s": ["a", "b"], "t": ["c"]}, [("s", "t")], {"u": prior})
    values = {"a": 3, "b": 0, "c": 0}
    found = pp.audit(space, pp.AdditiveNoise(values, noise), renyi="2").renyi
    assert found is not None
    assert 0 <= float(found.enclosure().lower) <= float(found.enclosure().upper) < 1e-30
