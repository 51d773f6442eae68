"""Selections of OpenDP: exact laws against draws and against definitions."""

import random
from fractions import Fraction
from itertools import permutations
from math import exp, isclose, log
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import expect_frequencies, law

import pufferproof as pp
from pufferproof.models.mechanisms.adapters.opendp import measurements
from pufferproof.models.mechanisms.adapters.opendp.responses import Weigh, alpha_of, peeled, quantile_scores
from pufferproof.models.mechanisms.adapters.parameters import exponential, permute_and_flip
from pufferproof.models.mechanisms.library import version_of
from pufferproof.models.numbers.exponential_sums import Power

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib")
SCORES = (dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int))
RECORDS = (dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance())
SIZED = (dp.vector_domain(dp.atom_domain(T=int), size=5), dp.symmetric_distance())
MEASURES = [dp.max_divergence(), dp.zero_concentrated_divergence()]
FRAMEWORK = pp.Framework(["d", "e"], {"s": ["d"], "t": ["e"]}, [("s", "t")], {"u": pp.Table({"d": "1/2", "e": "1/2"})})
HALF = Power.of(Fraction(2), Fraction(-1))


@pytest.mark.parametrize("measure", MEASURES, ids=["pure", "concentrated"])
@pytest.mark.parametrize(
    ("scores", "k", "negate"),
    [
        ([0, 1, 3], 2, False),
        ([0, 1, 3], 2, True),
        ([0, -1, 3, 3], 3, False),
        ([5], 1, False),
        ([2, 0, 1], 3, False),
        ([2, 0], 5, False),
    ],
    ids=["two", "negated", "ties", "one candidate", "all", "more than all"],
)
def test_the_largest_few_are_those_the_library_draws(measure: Any, scores: list[int], k: int, negate: bool) -> None:
    measurement = dp.m.make_noisy_top_k(*SCORES, measure, k=k, scale=2.0, negate=negate)
    exact = law(pp.as_mechanism(measurement, {"x": scores}).value, "x")
    assert isclose(sum(exact.values()), 1)
    expect_frequencies(lambda: measurement(scores), exact)


@pytest.mark.parametrize("weigh", [permute_and_flip, exponential])
@pytest.mark.parametrize("utilities", [(2, 2, -1), (0, -4, 2, 2)])
@pytest.mark.parametrize("k", [1, 3])
def test_peeling_by_all_lists(weigh: Weigh, utilities: tuple[int, ...], k: int) -> None:
    scores = {str(place): Fraction(each) for place, each in enumerate(utilities)}
    row = peeled(scores, k, weigh, HALF)
    weights = {output: weight.rational or Fraction(0) for output, weight in row.items()}
    for chosen in permutations(scores, k):
        expected, left = Fraction(1), dict(scores)
        for name in chosen:
            stage = {key: each.rational or Fraction(0) for key, each in weigh(left, HALF).items()}
            expected *= stage[name] / sum(stage.values())
            del left[name]
        assert weights[f"[{', '.join(chosen)}]"] / sum(weights.values()) == expected


def test_too_many_totals_are_refused_by_name() -> None:
    scores = {str(place): Fraction(2**place) for place in range(12)}
    with pytest.raises(pp.ModelError, match=r"common denominator of \d\d totals"):
        peeled(scores, 3, exponential, Power.exp(Fraction(-1, 2)))


def test_peeling_of_irrational_totals_is_over_a_common_denominator() -> None:
    scores = {str(place): Fraction(each) for place, each in enumerate([0, 1, 3, 3])}
    row = peeled(scores, 3, exponential, Power.exp(Fraction(-1, 2)))
    balls = {output: float(weight.ball()) for output, weight in row.items()}
    for chosen in permutations(scores, 3):
        expected, left = 1.0, dict(scores)
        for name in chosen:
            stage = {key: float(each.ball()) for key, each in exponential(left, Power.exp(Fraction(-1, 2))).items()}
            expected *= stage[name] / sum(stage.values())
            del left[name]
        assert isclose(balls[f"[{', '.join(chosen)}]"] / sum(balls.values()), expected)


@pytest.mark.parametrize("measure", MEASURES, ids=["pure", "concentrated"])
@pytest.mark.parametrize(
    ("space", "candidates", "alpha"),
    [
        (RECORDS, [30, 10, 20], 0.5),
        (RECORDS, [10, 30, 40], 0.3),
        (RECORDS, [7], 0.3),
        (RECORDS, [1, 2], 1.0),
        (SIZED, [10, 20, 30], 0.3),
    ],
    ids=["median", "coarse alpha", "one candidate", "maximum", "known size"],
)
def test_quantiles_are_those_the_library_draws(measure: Any, space: Any, candidates: list[int], alpha: float) -> None:
    measurement = dp.m.make_private_quantile(*space, measure, candidates=candidates, alpha=alpha, scale=2.0)
    records = [12, 25, 31, 44, 3]
    exact = law(pp.as_mechanism(measurement, {"x": records}).value, "x")
    assert list(exact) == [str(each) for each in sorted(candidates)]
    expect_frequencies(lambda: measurement(records), exact)


@pytest.mark.parametrize("count", [5, 100])
def test_a_quantile_is_the_noisy_maximum_of_its_scores(count: int) -> None:
    candidates = list(range(0, 10 * count, 10))
    scores = RECORDS >> dp.t.then_quantile_score_candidates(candidates=candidates, alpha=0.5)
    inputs = {"d": [12, 25, 31, 44, 58], "e": [12, 25, 31, 44, 58, 3]}
    quantile = dp.m.make_private_quantile(*RECORDS, dp.max_divergence(), candidates=candidates, alpha=0.5, scale=2.0)
    chain = scores >> dp.m.then_noisy_max(dp.max_divergence(), 4.0, negate=True)
    found = [pp.audit(FRAMEWORK, pp.as_mechanism(each, inputs), "1/2") for each in (quantile, chain)]
    assert found[0].leakage == found[1].leakage
    assert str(found[0]).startswith("SATISFIES")
    assert quantile.map(1) == 0.5


@pytest.mark.parametrize("measure", MEASURES, ids=["pure", "concentrated"])
def test_quantiles_of_many_candidates_and_records(measure: Any) -> None:
    records = [k * k % 1009 for k in range(300)]
    quantile = dp.m.make_private_quantile(*RECORDS, measure, candidates=list(range(0, 1000, 10)), alpha=0.25, scale=1.0)
    mechanism = pp.as_mechanism(quantile, {"d": records, "e": [*records, 1001]})
    assert str(pp.audit(FRAMEWORK, mechanism, "3/4")).startswith("SATISFIES")
    assert str(pp.audit(FRAMEWORK, mechanism, "1/4")).startswith("VIOLATES")
    assert str(pp.audit(FRAMEWORK, mechanism, "1/4", delta="1/2")).startswith("SATISFIES")
    assert str(pp.audit(FRAMEWORK, mechanism, "1", renyi=2)).startswith("SATISFIES")
    assert str(pp.audit(FRAMEWORK, mechanism, None, zcdp="1")).startswith("SATISFIES")


@pytest.mark.parametrize("measure", MEASURES, ids=["pure", "concentrated"])
def test_one_better_score_leaks_its_difference_over_the_scale(measure: Any) -> None:
    # the least likely of 60 candidates gains 1: of permute-and-flip that is e^(1/2) exactly
    measurement = dp.m.make_noisy_max(*SCORES, measure, scale=2.0)
    worse, better = [9, *[k % 7 for k in range(58)], 0], [9, *[k % 7 for k in range(58)], 1]
    mechanism = pp.as_mechanism(measurement, {"d": worse, "e": better})
    exact = measure == MEASURES[0]
    assert str(pp.audit(FRAMEWORK, mechanism, "1/2")).startswith("SATISFIES")
    less = Fraction(1, 2) - Fraction(1, 10**30)
    verdict = "VIOLATES" if exact else "SATISFIES"
    assert str(pp.audit(FRAMEWORK, mechanism, less)).startswith(verdict)


@pytest.mark.skipif(version_of("opendp").startswith(("0.14", "0.15")), reason="it returns the noisy minimum")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("optimize", ["max", "min"])
def test_the_deprecated_noisy_maximum_is_permute_and_flip(optimize: str, monkeypatch: pytest.MonkeyPatch) -> None:
    measurement = dp.m.make_report_noisy_max_gumbel(*SCORES, scale=2.0, optimize=optimize)
    exact = law(pp.as_mechanism(measurement, {"x": [0, 1, 3]}).value, "x")
    expect_frequencies(lambda: measurement([0, 1, 3]), exact)
    monkeypatch.setattr(measurements, "version_of", lambda library: "0.15.1")
    with pytest.raises(pp.ModelError, match="noisy minimum"):
        pp.as_mechanism(measurement, {"x": [0, 1, 3]})


def spaces() -> list[tuple[type, Any]]:
    return [(int, None), (int, 1), (int, 7), (int, 600), (float, None), (float, 7)]


@pytest.mark.parametrize(("kind", "size"), spaces())
@pytest.mark.parametrize("alpha", [0.0, 1.0, 0.5, 0.3, 0.9999, 2**-13, 1 - 2**-53, 1e-300])
def test_scores_of_quantiles_are_those_of_the_transformation(kind: type, size: int | None, alpha: float) -> None:
    atoms = dp.atom_domain(T=int) if kind is int else dp.atom_domain(T=float, nan=False)
    domain = dp.vector_domain(atoms) if size is None else dp.vector_domain(atoms, size=size)
    draw = random.Random(f"{kind} {size} {alpha}")
    for count in (1, 2, 9):
        candidates = sorted(map(kind, draw.sample(range(-10, 20), count)))
        transformation = dp.t.make_quantile_score_candidates(domain, dp.symmetric_distance(), candidates, alpha)
        for length in (0, 1, 2, 7, 30) if size is None else (size,):
            records = [kind(draw.randrange(-12, 22)) for _ in range(length)]
            found = quantile_scores(records, candidates, alpha_of(size, alpha))
            assert found == transformation(records)


def test_records_of_quantiles_are_numbers_of_the_type_of_the_library() -> None:
    atoms = dp.atom_domain(T="f32", nan=False)
    space = dp.vector_domain(atoms), dp.symmetric_distance()
    measurement = dp.m.make_private_quantile(*space, MEASURES[0], candidates=[0.1, 0.2], alpha=0.5, scale=1.0)
    near = 0.1 + 2.0**-50  # 0.1 as a number of type f32
    read = pp.as_mechanism(measurement, {"d": [near, near], "e": [0.1, 0.1]}, check=True)
    assert str(pp.audit(FRAMEWORK, read, "1/10").leakage) == "0"
    whole = dp.m.make_private_quantile(*RECORDS, MEASURES[0], candidates=[1], alpha=0.5, scale=1.0)
    for records, message in (
        ([2**31], "type i32"),
        ([True], "type i32"),
        ([1.5], "expected an integer"),
        ("1", "expected a list"),
    ):
        with pytest.raises(pp.ModelError, match=message):
            pp.as_mechanism(whole, {"x": records})


@pytest.mark.parametrize(
    ("measurement", "argument", "message"),
    [
        (dp.m.make_noisy_top_k(*SCORES, MEASURES[0], k=9, scale=1.0), list(range(9)), "lists of 9 out of 9 candidates"),
        (dp.m.make_noisy_top_k(*SCORES, MEASURES[0], k=1, scale=1.0), [], "a score per candidate"),
        (
            dp.m.make_private_quantile(*RECORDS, MEASURES[0], candidates=[1], alpha=0.5, scale=1.0),
            ["a"],
            "type i32, found 'a'",
        ),
    ],
)
def test_what_is_not_read_is_refused(measurement: Any, argument: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message):
        pp.as_mechanism(measurement, {"x": argument})


@pytest.mark.parametrize(
    ("measurement", "argument"),
    [
        (dp.m.make_noisy_top_k(*SCORES, MEASURES[0], k=2, scale=2.0), [0, 1, 3]),
        (dp.m.make_private_quantile(*RECORDS, MEASURES[0], candidates=[10, 20, 30], alpha=0.5, scale=2.0), [12, 25]),
    ],
    ids=["top k", "quantile"],
)
def test_draws_agree(measurement: Any, argument: Any) -> None:
    assert pp.as_mechanism(measurement, {"x": argument}, check=True) is not None


@pytest.mark.parametrize(
    ("measure", "kept"), [(MEASURES[0], exp(-2) / 2), (MEASURES[1], exp(-2) / (1 + exp(-2)))], ids=["pure", "zCDP"]
)
def test_delta_and_renyi_divergence_are_those_of_the_closed_form(measure: Any, kept: float) -> None:
    # of equal scores against scores 1 and -1, whose second candidate has probability `kept`
    measurement = dp.m.make_noisy_max(*SCORES, measure, scale=1.0)
    mechanism = pp.as_mechanism(measurement, {"d": [0, 0], "e": [1, -1]})
    above, below = [(0.5, 1 - kept), (0.5, kept)], [(1 - kept, 0.5), (kept, 0.5)]
    divergence = max(log(sum(p * p / q for p, q in each)) for each in (above, below))
    delta = max(sum(max(p - exp(1) * q, 0) for p, q in each) for each in (above, below))
    for sign, verdict in ((1, "SATISFIES"), (-1, "VIOLATES")):
        level = Fraction(divergence) + sign * Fraction(1, 10**9)
        assert str(pp.audit(FRAMEWORK, mechanism, level, renyi=2)).startswith(verdict)
        room = Fraction(delta) + sign * Fraction(1, 10**9)
        assert str(pp.audit(FRAMEWORK, mechanism, 1, delta=room)).startswith(verdict)
