"""Audits of noisy queries: parallel coordinates merged exactly, Gaussian noise on lines,
verdicts that are not decided.
"""

import math
from fractions import Fraction
from random import Random

import pytest
from tests import seeds

from pufferproof import AdditiveNoise, Framework, Level, ModelError, Noise, Records, Table, Verdict, assert_pufferfish
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.verify.audit import audit
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.noise.laws.of_framework import MergedLaws
from pufferproof.verify.noise.normal import leakage as gaussian_leakage
from pufferproof.verify.noise.ratio import listed as noise_leakage

HALF = Fraction(1, 2)
TWO = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})


def spread_framework(random, count):
    names = [f"d{i}" for i in range(count)]
    weights = [random.randint(1, 9) for _ in names]
    law = {name: Fraction(weight, sum(weights)) for name, weight in zip(names, weights)}
    held = {"s": names[: count // 2], "t": names[count // 2 :]}
    return Framework(names, held, [("s", "t")], {"theta": Table(law)})


@seeds(20)
def test_parallel_coordinates_leak_as_one(seed, monkeypatch):
    """Merged or not: the same leakage, exactly, though fewer outputs are looked at."""
    random = Random(seed)
    framework = spread_framework(random, 6)
    base = {name: random.randint(-3, 3) for name in framework.databases}
    free = {name: random.randint(0, 1) for name in framework.databases}
    ratio, shift = random.choice([-2, -1, 1, 2]), random.randint(-3, 3)
    values = {name: [7, x, ratio * x + shift, free[name]] for name, x in base.items()}
    release = AdditiveNoise(
        values, random.choice([Noise.laplace("3/2"), Noise.geometric("1/3"), Noise.laplace("2/log(2)")])
    )
    few = noise_leakage.noise_leakage(framework, release)
    identity = lambda decays, pairs: MergedLaws(  # noqa: E731
        tuple(decays), tuple(pairs), tuple((k, Fraction(1), Fraction(0)) for k in range(len(decays)))
    )
    monkeypatch.setattr(noise_leakage, "merged", identity)
    all_outputs = noise_leakage.noise_leakage(framework, release)
    assert few.leakage.as_json() == all_outputs.leakage.as_json()
    assert few.scope.checked <= all_outputs.scope.checked
    best = {candidate.output for candidate in all_outputs.best}
    assert {candidate.output for candidate in few.best} <= best


def test_runs_of_one_query_are_one_release():
    """Three releases with scale 3 tell exactly what one with scale 1 tells."""
    framework = spread_framework(Random(5), 8)
    values = {name: k * k % 7 for k, name in enumerate(framework.databases)}
    thrice = compose(framework, [AdditiveNoise(values, Noise.laplace(3))], 3)
    once = audit(framework, AdditiveNoise(values, Noise.laplace(1)))
    assert thrice.joint.leakage.as_json() == once.leakage.as_json()
    assert thrice.outputs == (once.witness.output,) * 3


def log_density(law, output, variance):
    terms = [
        math.log(p) - sum((w - float(v)) ** 2 for w, v in zip(output, vector)) / (2 * variance)
        for vector, p in law.items()
    ]
    top = max(terms)
    return top + math.log(sum(math.exp(term - top) for term in terms))


def test_gaussian_noise_on_a_line():
    """No output of a grid of the plane exceeds what the projection onto the line gives, and
    some come close.
    """
    for seed in range(8):
        random = Random(seed)
        framework = spread_framework(random, 6)
        steps = [0, random.randint(1, 2), 3, 0, random.randint(1, 2), 3]
        direction = random.choice([(1, -1), (2, 1), (0, 1)])
        values = {name: [1 + t * direction[0], t * direction[1]] for name, t in zip(framework.databases, steps)}
        release = AdditiveNoise(values, Noise.gaussian(1))
        found = audit(framework, release)
        laws = [release.law(framework, "theta", name) for name in ("s", "t")]
        seen = -math.inf
        for i in range(-200, 201):
            for j in range(-9, 10, 3):
                place = (1 + i * direction[0] / 20 + j * direction[1], i * direction[1] / 20 - j * direction[0])
                above, below = (log_density(law, place, 1.0) for law in laws)
                seen = max(seen, abs(above - below))
        exact = float(Fraction(found.leakage.enclosure().upper))
        assert seen <= exact + 1e-9
        assert seen >= exact - 2e-2


def test_gaussian_releases_add_precision():
    """Four releases with sigma^2 = 4 are one with sigma^2 = 1."""
    framework = spread_framework(Random(3), 6)
    values = dict(zip(framework.databases, [0, 1, 2, 0, 1, 2]))
    often = compose(framework, [AdditiveNoise(values, Noise.gaussian(2))], 4)
    once = audit(framework, AdditiveNoise(values, Noise.gaussian(1)))
    assert often.joint.leakage.as_json() == once.leakage.as_json()


def test_gaussian_values_off_a_line_leak_without_bound_where_a_coordinate_does():
    theta = Table(dict.fromkeys("abcd", "1/4"))
    values = dict(zip("abcd", [[0, 0], [0, 1], [1, 0], [2, 1]]))
    for held in ("ab", "ad", "bc"):
        rest = [name for name in "abcd" if name not in held]
        pairs = Framework("abcd", {"s": list(held), "t": rest}, [("s", "t")], {"theta": theta})
        query = AdditiveNoise(values, Noise.gaussian(1))
        alone = [audit(pairs, AdditiveNoise({x: v[k] for x, v in values.items()}, Noise.gaussian(1))) for k in (0, 1)]
        assert any(each.leakage.infinite for each in alone)
        assert audit(pairs, query).leakage.infinite


def hidden():
    """Laws whose largest ratio under Gaussian noise is inside, irrational."""
    weights = dict(zip("abcdef", (1, 2, 1, 2, 1, 2)))
    total = sum(weights.values())
    framework = Framework(
        list("abcdef"),
        {"s": list("abc"), "t": list("def")},
        [("s", "t")],
        {"theta": Table({x: Fraction(w, total) for x, w in weights.items()})},
    )
    return framework, AdditiveNoise({"a": 0, "b": 1, "c": 2, "d": 0, "e": 1, "f": 2}, Noise.gaussian("1/2"))


def test_what_enclosures_do_not_tell_is_undecided():
    framework, release = hidden()
    found = audit(framework, release)
    assert found.trust == ("EXACT", "INTERVAL")
    assert found.leakage.ratio is None
    assert audit(framework, release, Level.log(found.leakage.upper + Fraction(1, 10**30))).verdict is Verdict.SATISFIES
    assert audit(framework, release, Level.log(found.leakage.lower - Fraction(1, 10**30))).verdict is Verdict.VIOLATES
    line, _ = found.largest.best[0]
    close = gaussian_leakage._enclosed(line.above, line.below, line.variance, 4096).lower
    undecided = audit(framework, release, Level.log(close))
    assert undecided.verdict is Verdict.UNDECIDED
    with pytest.raises(AssertionError, match="UNDECIDED"):
        assert_pufferfish(framework, release, Level.log(close))


def test_assertions_take_noise():
    release = AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1))
    assert_pufferfish(TWO, release, 1)
    with pytest.raises(AssertionError, match=r"VIOLATES 0\.99.*\n.*\n.*\n.*'0' +'s' +'t'"):
        assert_pufferfish(TWO, release, "0.99")
    records = Records(30, ("0", "1"))
    chain = MarkovChain("stationary", [["9/10", "1/10"], ["1/10", "9/10"]])
    long = Framework.of_records(records, {"s": (9, "0"), "t": (9, "1")}, [("s", "t")], {"theta": chain})
    assert_pufferfish(long, RecordQuery("sum", Noise.laplace(30), records), 1)
    with pytest.raises(ModelError, match="databases: expected at most"):
        assert_pufferfish(long, release, 1)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: audit(TWO, []), "expected at least one query with noise"),
        (lambda: compose(TWO, [AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1))], 0), "1 to 64 runs"),
        (lambda: compose(TWO, [AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(1))], 65), "1 to 64 runs"),
    ],
)
def test_misuse_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()
