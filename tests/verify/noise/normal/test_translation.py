"""Per-record levels of releases of normal records: random channels with these levels stay below the
worst case, and signed sums reach it.
"""

import json
from fractions import Fraction

import numpy as np
from tests import seeds
from tests.reports.console.schemas import expect_valid
from tests.verify.noise.normal.test_points import Instance
from tests.verify.noise.normal.test_windows import FRAMEWORK, Windows

from pufferproof.models.noise.additive import LinearQuery, Noise
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import PointFramework
from pufferproof.verify.noise.normal.audit import translated
from pufferproof.verify.noise.normal.points import largest_leakage, leakage_of, shifts


@seeds(40)
def test_the_worst_case_is_noise_on_every_reading(seed):
    """Laplace noise of scale 1/l_j on every reading j has these levels, and leaks as much."""
    for kind in [Instance, Windows]:
        instance = kind(seed, 1)
        random = np.random.default_rng(seed)
        levels = [Fraction(int(x), 4) for x in random.integers(0, 5, size=instance.count)]
        found = leakage_of(translated(instance.framework, [(Fraction(1), each) for each in levels]))
        none = [Fraction(0)] * instance.count
        single = [
            LinearQuery((tuple(Fraction(int(j == k)) for k in range(instance.count)),), noise)
            for j, each in enumerate(levels)
            for noise in ([Noise.laplace(1 / each)] if each else [])
        ] or [LinearQuery((tuple(none),), Noise.laplace(1))]
        direct = leakage_of(shifts(instance.framework, single))
        assert found.enclosure() == direct.enclosure()


@seeds(40)
def test_no_channel_of_these_levels_leaks_more(seed):
    """A column is e^(g(x)) with |g(x) - g(x')| <= sum l_j |x_j - x'_j|; the law is drawn."""
    instance = Instance(seed, 1)
    random = np.random.default_rng(seed)
    levels = random.integers(0, 4, size=instance.count) / 4
    translation = translated(instance.framework, [(Fraction(1), Fraction(str(x))) for x in levels])
    worst = float(largest_leakage(translation).power.nats)
    place = instance.record - 1
    slopes = instance.covariance[place] / instance.covariance[place, place]
    rest = instance.covariance - np.outer(slopes, slopes) * instance.covariance[place, place]
    values, vectors = np.linalg.eigh(rest)
    drawn = random.normal(size=(300, instance.count)) * np.sqrt(np.maximum(values, 0)) @ vectors.T
    start = instance.mean - slopes * instance.mean[place]

    def log_column(x, knots, signs):
        near = np.abs(x[:, None, :] - knots) * signs * levels
        return near.sum(axis=2).min(axis=1)  # a minimum of functions with these levels has them

    for _ in range(20):
        knots = random.normal(scale=5, size=(4, instance.count))
        signs = random.choice([-1, 1], size=(4, instance.count))
        one, other = (
            np.logaddexp.reduce(log_column(start + slopes * u + drawn, knots, signs)) for u in instance.values
        )
        assert abs(one - other) <= worst + 1e-9


def test_the_command_writes_what_leaks_as_much(run, save, tmp_path):
    points = {**FRAMEWORK, "secrets": {"a": {"record": 24, "at": "0"},
                                       "b": {"record": 24, "at": "1"}}}  # fmt: skip
    for document in (points, FRAMEWORK):
        framework, out = save("f.json", document), str(tmp_path / "o.json")
        code, text, _ = run(
            "translate", framework, "--per-record-dp", "log(2)", "--runs", "2", "--out", out,
            "--json", "--replace",
        )  # fmt: skip
        answer = json.loads(text)
        expect_valid(answer, "translate")
        assert (code, answer["attained"], answer["records"]) == (0, "signed sum", 48)
        _, text, _ = run("audit", framework, out, "--json")
        assert json.loads(text)["leakage"] == answer["exact"]
    framework = save("f.json", points)
    asked = ("translate", framework, "--per-record-dp", "1")
    assert "signed sums" not in run(*asked)[1]
    for options in (("--infinite",), ("--domain", "possible"), ("--plot", "x.png")):
        code, _, err = run(*asked, *options)
        assert (code, options[0] in err) == (2, True)


def test_independent_readings_and_level_0_tell_nothing_more(run, save):
    law = Normal(0, [[1, 0], [0, 1]])
    framework = PointFramework(2, {"s": (1, 0), "t": (1, 1)}, [("s", "t")], {"p": law})
    (alone,) = translated(framework, [(Fraction(1), Fraction(1))] * 2)
    assert alone.power.nats == 1
    (none,) = translated(framework, [(Fraction(1), Fraction(0))] * 2)
    assert none.power.nats == 0
    (other,) = translated(framework, [(Fraction(1), Fraction(0)), (Fraction(1), Fraction(5))])
    assert other.power.nats == 0
