"""Every assumption of `fit` is tested or named: seasons, ends, copies, times, names, rows, and what
an AR(1) assumes.
"""

from fractions import Fraction
from itertools import combinations, pairwise, permutations
from random import Random

import numpy as np
import pytest
from scipy.stats import chi2_contingency
from tests.brute.recordings import MISFITS, hours, night, true_chain, two, walk

import pufferproof as pp
from pufferproof.models.files.recorded.doubts.comparison import longest
from pufferproof.models.files.recorded.doubts.family import _Urns, _variance
from pufferproof.models.files.recorded.doubts.order import Steps, _mantel_haenszel, order_test
from pufferproof.models.files.recorded.doubts.readings import doubts_of_readings
from pufferproof.models.files.recorded.normal import NormalFit, Secrets


def about(found):
    return {doubt.about for doubt in found.doubts if doubt.p_value is not None}


# --- statistics against their definitions ---


def test_the_comparison_of_phases_is_pearsons_in_one_stratum():
    counts = np.random.default_rng(1).integers(5, 50, (4, 3)).astype(float)
    total, pearson = counts.sum(), chi2_contingency(counts, correction=False).statistic
    assert _mantel_haenszel(counts[None]) == pytest.approx(pearson * (total - 1) / total)


def test_the_comparison_of_phases_has_the_covariance_of_permutations():
    """Two strata of four steps: mean degrees of freedom over all pairs of permutations."""
    bins, values = np.array([[0, 0, 1, 1], [0, 1, 1, 1]]), np.array([[0, 1, 1, 1], [0, 0, 1, 1]])
    every = []
    for first in set(permutations(values[0])):
        for second in set(permutations(values[1])):
            counts = np.zeros((2, 2, 2))
            for stratum, drawn in enumerate((first, second)):
                np.add.at(counts[stratum], (bins[stratum], np.array(drawn)), 1)
            every.append(_mantel_haenszel(counts))
    assert np.mean(every) == pytest.approx(1)


def test_last_steps_have_the_moments_of_permutations():
    steps = Steps.of([[0, 1, 0, 1, 1], [0, 0, 1, 1, 0], [0, 1, 1, 0, 1]], 1)
    finals = np.flatnonzero(np.diff(steps.recording, append=-1))
    urns = _Urns.of(steps, finals, np.ones(len(steps.value), dtype=bool))
    ways = []
    for context in range(2):
        balls = steps.value[steps.context == context]
        number = int((steps.context[finals] == context).sum())
        ways.append([balls[list(some)].sum() for some in combinations(range(len(balls)), number)])
    ones = np.add.outer(*ways).ravel()
    mean, variance = urns.moments
    assert (mean[1], variance[1]) == pytest.approx((ones.mean(), ones.var()))
    drawn = urns.drawn(20_000, np.random.default_rng(0))[:, 1]
    assert drawn.mean() == pytest.approx(ones.mean(), abs=0.05)  # 6 standard deviations


def test_groups_in_step_have_the_variance_of_independent_ones():
    shares, times = np.array([0.2, 0.5, 0.7]), np.zeros(3, dtype=int)
    random = np.random.default_rng(2)
    ones = (random.random((200_000, 3)) < shares) - shares
    found = 2 * sum((ones[:, i] * ones[:, j] * 2) for i, j in combinations(range(3), 2))
    assert _variance(np.column_stack([1 - shares, shares]), times) == pytest.approx(found.var(), rel=0.03)


# --- misfits and true chains ---


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kinds in MISFITS.items() for kind in kinds])
def test_a_misfit_has_its_doubt(name, kind):
    found = []
    for seed in range(3):
        values, arguments = kind(Random(seed))
        found.append(pp.fit(values, smoothing=1, length=4, **arguments))
    assert sum(name in about(fit) for fit in found) >= 2
    doubts = [doubt for fit in found for doubt in fit.as_json()["doubts"]]
    assert all(doubt["corrected"] >= doubt["p"] for doubt in doubts if doubt["p"] is not None)


def test_no_advised_order_hides_the_night():
    values, arguments = night(Random(5))
    for order in (2, 3, 4):
        assert "season" in about(pp.fit(values, order=order, length=24, **arguments))


def test_true_chains_are_seldom_doubted_by_all_tests_together():
    """Of 25 at most 5 % have a doubt: more than 5 have probability 0.001; evidence at most 1 %."""
    found = []
    for seed in range(1000, 1025):
        values, arguments = true_chain(seed)
        if len(set(values)) > 1:
            found.append(pp.fit(values, smoothing=1, length=4, **arguments).doubts)
    doubted = [[doubt for doubt in doubts if doubt.corrected is not None] for doubts in found]
    assert sum(map(bool, doubted)) <= 5
    assert sum(any(doubt.evidence for doubt in doubts) for doubts in doubted) <= 2


def test_more_data_with_gaps_do_not_weaken_the_test_of_the_order():
    random = Random(3)
    values = [0, 1]
    while len(values) < 14_000:
        values.append(int(random.random() < (0.1, 0.5, 0.3, 0.7)[2 * values[-1] + values[-2]]))
    cuts = [0, *sorted(random.sample(range(1, 14_000), 900)), 14_000]
    pieces = [values[a:b] for a, b in pairwise(cuts)]
    assert order_test([*pieces, *[[0]] * 3000], members=[0] * (len(pieces) + 3000)).p_value < 1e-9
    rare = [[*piece, 2] for piece in pieces]  # no law of chi-square, so some pieces are shuffled
    assert order_test(rare, members=[0] * len(rare)).p_value <= 0.001
    assert sum(map(len, longest(pieces, 10_000))) > 9_900


def test_people_who_never_meet_are_assumed_to_be_independent():
    values = [*walk(two(0.3, 0.4), 40, Random(1), 0), *walk(two(0.3, 0.4), 40, Random(2), 0)]
    times, group = hours(80), [0] * 40 + [1] * 40
    assert any("independent" in said for said in pp.fit(values, group=group, time=times).assumed)
    assert not any("independent" in said for said in pp.fit(values, group=group).assumed)


# --- columns ---


def written(tmp_path, header, rows):
    path = tmp_path / "data.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def doubts_of(path, **arguments):
    found = pp.fit(path, "v", length=4, **arguments)
    return [(doubt.about, str(doubt)) for doubt in found.doubts if doubt.about in ("times", "ids")]


def test_weeks_that_jump_are_a_doubt(tmp_path):
    rows = [(who, week, (who * week + who) % 3 % 2) for who in range(30) for week in (0, 2, 4, 6, 11)]
    path = written(tmp_path, ("who", "week", "v"), rows)
    ((name, said),) = doubts_of(path, group="who")
    assert name == "times"
    assert '30 of 120 steps of time in column "week" are not 2: at line 6 11 follows 6' in said
    assert '--time "week"' in said
    assert not doubts_of(path, group="who", time="week", missing="split")
    equal = [(who, f"{row % 4 * 15} min", value) for row, (who, _, value) in enumerate(rows[:120])]
    runs = [(k // 4, f"{k % 4 * 15} min", value) for k, (_, _, value) in enumerate(equal)]
    assert not doubts_of(written(tmp_path, ("who", "time", "v"), runs), group="who")
    jumps = [(who, "60 min" if time == "45 min" else time, v) for who, time, v in runs]
    assert doubts_of(written(tmp_path, ("who", "time", "v"), jumps), group="who")


ORDINALS = ["visit", "VISITNUM", "visit_number", "AVISITN", "Wave no.", "t"]
UNITS = ["week", "study day", "WEEKNUM", "Woche", "Año", "hour_index"]


@pytest.mark.parametrize(("name", "unit"), [*zip(ORDINALS, UNITS)])
def test_numbers_of_rows_do_not_answer_for_weeks_that_jump(tmp_path, name, unit):
    """By themselves they are looked at, and equal steps in a unit of time answer for others."""
    names, jumps = ("who", name, unit, "v"), (0, 2, 4, 6, 11)
    rows = [(who, visit, jumps[visit - 1], (who * visit + who) % 3 % 2) for who in range(20) for visit in range(1, 6)]
    for header, some in (
        (names, rows),
        ((names[0], unit, name, "v"), [(who, week, visit, v) for who, visit, week, v in rows]),
        (("who", unit, "v"), [(who, week, v) for who, _, week, v in rows]),
    ):
        ((about, said),) = doubts_of(written(tmp_path, header, some), group="who")
        assert about == "times"
        assert f'20 of 80 steps of time in column "{unit}" are not 2' in said
    equal = [(who, visit, 10 * visit, v) for who, visit, _, v in rows]
    assert not doubts_of(written(tmp_path, names, equal), group="who")
    swapped = [(who, week, 10 * visit, v) for who, visit, week, v in rows]
    assert not doubts_of(written(tmp_path, names, swapped), group="who")
    ((_, said),) = doubts_of(written(tmp_path, ("who", name, "note", "v"), swapped), group="who")
    assert f'column "{name}"' in said


def test_one_name_for_several_people_is_a_doubt(tmp_path):
    rows = [
        (centre, who, visit, (who + visit * centre) % 3 % 2)
        for centre in (1, 2)
        for who in range(20)
        for visit in range(4)
    ]
    path = written(tmp_path, ("centre", "who", "visit", "v"), rows)
    ((name, said),) = doubts_of(path, group="who")
    assert name == "ids"
    assert "20 of 20 groups stand in several places" in said
    assert 'column "visit" begins again' in said
    by_time = sorted(rows[:80], key=lambda row: row[2])
    assert not doubts_of(written(tmp_path, ("c", "who", "visit", "v"), by_time), group="who")
    bare = [(who, v) for _, who, _, v in rows]
    assert [name for name, _ in doubts_of(written(tmp_path, ("who", "v"), bare), group="who")] == ["ids"]
    ((name, said),) = doubts_of(written(tmp_path, ("visit", "v"), [row[2:] for row in rows]))
    assert name == "times"
    assert "runs back at line 6" in said


def test_columns_of_the_calendar_that_begin_again_are_no_doubt(tmp_path):
    rows = [(2020 + k // 12, 1 + k % 12, k * k % 5 % 2) for k in range(60)]
    assert not doubts_of(written(tmp_path, ("year", "month", "v"), rows))
    rows = [(hour % 24, hour * hour % 7 % 2) for hour in range(100)]
    assert not doubts_of(written(tmp_path, ("hour", "v"), rows))


def test_a_row_from_few_departures_is_a_doubt_and_a_box_is_none():
    values = walk(two(0.2, 0.3), 400, Random(1), 0)
    values[200] = 2
    (doubt,) = [doubt for doubt in pp.fit(values).doubts if doubt.about == "rows"]
    assert 'fewer than 20 departures, from "2" (1)' in str(doubt)
    assert not [doubt for doubt in pp.fit(values, confidence="90%").doubts if doubt.about == "rows"]


# --- numbers ---


def autoregression(random, length, coefficient=0.5, mean=0.0, lag=1, heavy=False):
    values = [random.gauss(0, 1) for _ in range(lag)]
    while len(values) < length + 50:
        noise = random.gauss(0, 1)
        values.append(coefficient * values[-lag] + (noise**3 if heavy else noise))
    return [x + mean for x in values[50:]]


@pytest.mark.parametrize(
    ("name", "series"),
    [
        ("order", lambda r: [autoregression(r, 600, 0.9, lag=2)]),
        ("season", lambda r: [autoregression(r, 360, 0.95, lag=12)]),
        ("season", lambda r: [[x + 3 * (k % 12 > 5) for k, x in enumerate(autoregression(r, 240, 0.3))]]),
        ("trend", lambda r: [[x + k / 100 for k, x in enumerate(autoregression(r, 300, 0.2))]]),
        ("groups", lambda r: [autoregression(r, 30, 0.3, 4 * g) for g in range(8)]),
        ("shape", lambda r: [autoregression(r, 400, 0.5, heavy=True)]),
    ],
)
def test_numbers_that_are_no_autoregression_have_their_doubt(name, series):
    found = []
    for seed in range(3):
        given = series(Random(seed))
        exact = [[Fraction(f"{x:.6f}") for x in each] for each in given]
        secrets = Secrets((Fraction(0), Fraction(1)), private=(1,))
        found.append({doubt.about for doubt in NormalFit(exact, "ar1", secrets).doubts})
    assert sum(name in doubts for doubts in found) >= 2


def test_autoregressions_are_seldom_doubted():
    """More than 4 of 30 have probability 0.016 at 5 %."""
    doubted = 0
    for seed in range(30):
        random = Random(seed)
        coefficient, length = random.choice([-0.5, 0.0, 0.5, 0.8]), random.choice([20, 60, 200])
        series = [autoregression(random, length, coefficient) for _ in range(random.choice([1, 6]))]
        doubted += any(doubt.p_value for doubt in doubts_of_readings(series, coefficient))
    assert doubted <= 4
