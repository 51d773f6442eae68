"""The gallery: published programs leak what the literature and closed forms say."""

import math
import re
from fractions import Fraction
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest
from scipy.stats import norm

import pufferproof as pp
from pufferproof.examples.programs import noisy_max, sparse_vector
from pufferproof.examples.programs.gallery import Exhibit, chain, exhibits, table
from pufferproof.reports.page.ledger import gallery_entries
from pufferproof.verify.audit import Audit

BROKEN = {
    *(f"sparse_vector:variant_{k}" for k in (3, 4, 5, 6)),
    *(f"noisy_max:value_with_{noise}" for noise in ("laplace", "exponential")),
    "noisy_max:top_k_at_scale_of_one",
}
TOO_LITTLE = "noisy_counts:gaussian_above_one"


@pytest.fixture(scope="module")
def found():
    """What each program of the gallery that has an exact law leaks, near and far."""
    known = {each.name: list(each.audits()) for each in exhibits()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Exhibit, "audits", lambda exhibit: iter(known[exhibit.name]))
        yield {
            name.rpartition(".")[2]: [each if isinstance(each, Audit) else None for each in audits]
            for name, audits in known.items()
        }


def nats(audit):
    leaked = audit.leakage
    return math.inf if leaked.infinite else float(leaked.enclosure().lower)


def test_claims_hold_but_where_the_literature_says_so(found):
    for name, (near, _) in found.items():
        if near is not None:
            assert (near.verdict.value == "VIOLATES") == (name in {*BROKEN, TOO_LITTLE}), name


def test_permute_and_flip_is_the_noisy_maximum_with_exponential_noise(found):
    """Ding, Kifer, Sayed, Steinke, Wang, Xiao and Zhang, 2021."""
    for one, other in zip(found["noisy_max:permute_and_flip"], found["noisy_max:with_exponential"]):
        assert one.mechanism.entries == other.mechanism.entries


@pytest.mark.parametrize("scores", ["20", "011", "1203"])
@pytest.mark.parametrize("ratio", [Fraction(2), Fraction(7, 3)])
def test_flipping_coins_is_the_average_over_all_orders(scores, ratio):
    accept = [ratio ** (int(score) - max(map(int, scores))) for score in scores]
    chosen = [Fraction(0)] * len(scores)
    orders = list(permutations(range(len(scores))))
    for order in orders:
        reached = Fraction(1, len(orders))
        for index in order:
            chosen[index] += reached * accept[index]
            reached *= 1 - accept[index]
    law = pp.as_mechanism(partial(noisy_max.flip_coins, ratio=ratio), [scores]).value
    assert [law.probability(scores, str(1 + k)) for k in range(len(scores))] == chosen


def test_an_odd_number_of_answers_breaks_variant_six_the_more_the_more_there_are():
    leakages = []
    for count in (2, 3, 4):
        labels = ["".join(bits) for bits in ("0" * count, "1" * count)]
        law = pp.as_mechanism(sparse_vector.variant_6, labels).value
        ratios = [law.probability_approx(labels[0], y) / law.probability_approx(labels[1], y) for y in law.outputs]
        leakages.append(max(abs(math.log(each)) for each in ratios))
    assert leakages[0] < leakages[1] < leakages[2]


def test_the_first_variant_tells_less_of_a_record_than_its_level(found):
    for near, far in (found["sparse_vector:variant_1"], found["noisy_max:with_laplace"]):
        assert nats(far) < nats(near) < 1
    assert all(map(math.isinf, map(nats, found["sparse_vector:variant_5"])))


def test_correlation_makes_others_answers_tell(found):
    near, far = found["samples:shuffled_response"]
    assert (near.leakage.ratio, far.leakage.ratio) == (3, Fraction(49, 3))
    near, far = found["samples:subsample_and_aggregate"]
    assert nats(near) <= 1 < nats(far)


def test_stable_releases_have_no_pure_level_and_the_delta_that_they_claim(found):
    """P(Z > 2) for Laplace noise Z of scale 1, and P(1 + Z > 2) of scale 2."""
    claims = {"propose_test_release": math.exp(-2) / 2, "histogram": math.exp(-1 / 2) / 2}
    for name, delta in claims.items():
        near = found[f"thresholds:{name}"][0]
        assert math.isinf(nats(near))
        assert float(near.delta.bounds()[1]) == pytest.approx(delta, abs=1e-12)


def test_gaussian_noise_is_calibrated_up_to_level_one_only(found):
    """Balle and Wang: delta = Phi(1/(2s) - e s) - e^e Phi(-1/(2s) - e s) for a count."""
    for name, level in (("gaussian", 1), ("gaussian_above_one", 10)):
        deviation = math.sqrt(2 * math.log(1.25e5)) / level
        near, shift = 1 / (2 * deviation), level * deviation
        delta = norm.cdf(near - shift) - math.exp(level) * norm.cdf(-near - shift)
        ends = found[f"noisy_counts:{name}"][0].delta.bounds()
        assert float(ends[0]) * (1 - 1e-9) <= delta <= float(ends[1]) * (1 + 1e-9)
        assert (delta > 1e-5) == (level > 1)


def test_a_noisy_histogram_reaches_its_level_and_more_under_correlation(found):
    near, far = found["noisy_counts:histogram"]
    assert nats(near) == pytest.approx(1, abs=1e-15)
    assert nats(far) > 3


def test_reports_with_memory_stay_below_the_level_of_the_kept_copy(found):
    near, _ = found["memory:Rappor"]
    assert 1 < near.leakage.ratio < 3


def test_one_gumbel_draw_per_count_is_the_exponential_mechanism(found):
    """Counts 100 against 011: w / (w + 2) against 1 / (1 + 2w), w = e^(1/2)."""
    w = math.exp(1 / 2)
    near, far = found["noisy_max:with_gumbel"]
    assert nats(near) == pytest.approx(math.log(w * (1 + 2 * w) / (w + 2)), abs=1e-12)
    assert nats(far) < nats(near)


@pytest.mark.parametrize(("name", "step"), [("top_k", 1 / 4), ("top_k_at_scale_of_one", 1 / 2)])
def test_two_places_in_one_shot_are_two_draws(found, name, step):
    """Counts 1100 against 0011: w^2 / ((2w + 2) (w + 2)) against 1 / ((2 + 2w) (1 + 2w))."""
    w = math.exp(step)
    near, _ = found[f"noisy_max:{name}"]
    assert nats(near) == pytest.approx(math.log(w * w * (1 + 2 * w) / (w + 2)), abs=1e-12)


def test_a_noisy_maximum_of_two_has_the_closed_form():
    """P(first) of counts (1, 0) with Laplace noise of scale b: 1 - e^(-1/b) (1/2 + 1/(4b))."""
    law = pp.as_mechanism(noisy_max.with_laplace, ["10"]).value
    b = 2
    expected = 1 - math.exp(-1 / b) * (1 / 2 + 1 / (4 * b))
    assert law.probability_approx("10", "0") == pytest.approx(expected, abs=1e-15)


def test_the_table_and_the_ledger_have_the_gallery(found):
    lines = list(table())
    assert len(lines) == len(found) + 1
    entries = {entry.mechanism: entry for entry in gallery_entries()}
    assert {name for name, entry in entries.items() if entry.finding == "broken"} >= BROKEN
    assert entries["samples:subsample_and_aggregate"].finding == "holds, exactly"


def test_the_middle_of_a_chain_is_the_secret():
    assert chain(5, Fraction(9, 10)).databases[0] == "00000"
    assert set(chain(4, Fraction(1, 2)).secrets) == {"x2=0", "x2=1"}


def test_the_tutorial_shows_what_the_gallery_finds(found):
    text = (Path(__file__).parents[3] / "docs" / "tutorials" / "programs.md").read_text("utf-8")
    rows = re.findall(r"^\| .*`(\w+:\w+)` \| .* \| (.*) \| (.*) \|$", text, re.MULTILINE)
    assert len(rows) > 8
    for name, *shown in rows:
        for said, audit in zip(shown, found[name]):
            if said == "infinite":
                assert audit.leakage.infinite
            elif said.startswith("delta "):
                assert f"{float(audit.delta.bounds()[0]):.3g}" == said.removeprefix("delta ")
            else:
                assert f"{nats(audit):.3f}" == said, name
