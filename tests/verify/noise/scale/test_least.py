"""The least noise: between bounds, on networks, and for a delta or a Renyi divergence."""

import random
from fractions import Fraction
from math import exp, log
from types import SimpleNamespace

import pytest
from scipy.optimize import brentq
from tests import seeds
from tests.lp.translation.test_networks import framework, grid, with_loops
from tests.verify.noise.ratio.test_tilts import KINDS, weather

from pufferproof import (
    AdditiveNoise,
    BayesianNetwork,
    Framework,
    Level,
    MarkovChain,
    ModelError,
    Noise,
    RecordQuery,
    Records,
    Table,
    audit,
    smallest_noise,
)
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.listed import worst_column
from pufferproof.verify.influence.quilts.network import network_quilt
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.ratio import window
from pufferproof.verify.noise.scale import between
from pufferproof.verify.noise.scale.between import leakage_between, scale_between
from pufferproof.verify.noise.scale.calibration import leakage_at, smallest_scale
from pufferproof.verify.noise.scale.networks import EliminatedScale, network_scale

# The least scale between bounds is the one that exact leakages have.


STEP = [["3/4", "1/4"], ["1/3", "2/3"]]


def question(query, count=60, transition=STEP):
    records = Records(count, ("0", "1"))
    secrets = {v: (count // 2, v) for v in "01"}
    chain = MarkovChain("stationary", transition)
    framework = Framework.of_records(records, secrets, [("0", "1")], {"theta": chain})
    return framework, RecordQuery(query, Noise.laplace(1), records)


@pytest.mark.parametrize(("query", "level"), [("sum", "0.5"), ("mean", "log(2)"), ("histogram", "1")])
def test_the_least_scale_is_that_of_exact_leakages(query, level):
    framework, noisy = question(query)
    start, told = Fraction(1), []
    low, high = scale_between(framework, noisy, Level(level), start, lambda step, width: told.append((step, width)))
    laws = sequence_laws(framework, [noisy])
    below, above = smallest_scale(laws, Level(level), start)
    assert low <= above
    assert below <= high
    assert high - low < low / 10**9
    assert [step for step, _ in told] == [*range(1, len(told) + 1)]
    found, exactly = leakage_between(framework, noisy, high).leakage, leakage_at(laws, high)
    assert found.lower <= exactly.upper
    assert exactly.lower <= found.upper


def test_ends_are_close_where_bounds_meet_at_the_last_margin_alone(monkeypatch):
    framework, noisy = question("sum", 2)
    bounds = between._bounds
    unbounded = SimpleNamespace(leakage=Leakage.of(None))
    said = iter([unbounded] * (len(between._MARGINS) - 1))
    monkeypatch.setattr(between, "_bounds", lambda *given: next(said, None) or bounds(*given))
    low, high = scale_between(framework, noisy, Level("1"))
    assert next(said, None) is None
    assert high - low < low / 10**9


def test_what_has_no_least_scale_between_bounds():
    framework, noisy = question("sum")
    with pytest.raises(ModelError, match="expected a level above 0"):
        scale_between(framework, noisy, Level("log(1)"))
    still, counted = question("sum", 2)
    assert leakage_between(still, counted, Fraction(1)) is not None
    narrow = question("sum", 60, [["1/100", "99/100"], ["99/100", "1/100"]])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(window, "_WIDEST", 2)
        assert leakage_between(*narrow, Fraction(20)) is None
        with pytest.raises(ModelError, match="bounds of the leakage are too far apart"):
            scale_between(*narrow, Level("1"))


def test_a_histogram_of_a_month_has_its_least_scale_within_a_hundredth():
    query = RecordQuery("histogram", Noise.laplace(1), Records(30, KINDS))
    low, high = scale_between(weather(30, 15), query, Level("1"), Fraction(20))
    assert (round(float(low), 2), round(float(high), 2)) == (16.39, 16.45)
    kept = leakage_between(weather(30, 15), query, high)
    assert kept.compare(Level("1")) < 1
    assert leakage_between(weather(30, 15), query, low).compare(Level("1")) == 1


# The least noise on networks of bits, by elimination or by quilts: judged by linear programs of
# the level that it has for every record, and by audits.


F = Fraction
BITS = ("0", "1")


@seeds(40)
def test_no_mechanism_of_the_levels_of_the_noise_exceeds_the_level(seed):
    """Tables with zeros, ones and equal rows among them; also one record of one possible value."""
    draw = random.Random(seed)
    count, nats = draw.choice([1, 2, 3, 4]), draw.choice(["1/10", "1", "3"])
    network, record = with_loops(draw, count), draw.randint(1, count)
    level, records = Level.of_nats(F(nats)), Records(count, BITS)
    lipschitz = draw.choice([F(1), F(1, 3)])
    found = network_scale(network, records, level, [record], lipschitz)
    quilts = network_quilt(network, records, level, [record], lipschitz)
    assert found.scale.upper <= quilts.scale.upper
    space = framework(network, [record])
    spent = Level.of_nats(lipschitz / found.scale.upper)
    try:
        worst = worst_column(space, RecordLevels.uniform(count, [spent]).rounded(upward=False))
    except ModelError:
        return  # one value alone is possible
    assert level.compare(worst.ratio) <= 0
    query = RecordQuery("sum", Noise.laplace(found.scale.upper / lipschitz), records)
    assert audit(space, query, level).verdict.value == "SATISFIES"


@seeds(12)
def test_close_values_ask_for_less_and_keep_the_level(seed):
    """Three values, of which a sum tells the outer ones apart by 2 and others by 1."""
    draw = random.Random(seed)
    network, records = with_loops(draw, 3, "012"), Records(3, tuple("012"))
    places = {f"x2={v}": (2, v) for v in "012"}
    space = Framework(records, places, "disjoint", {"net": network})
    level, amount = Level.of_nats(1), F(2)
    known = [[F(abs(u - v)) for v in range(3)] for u in range(3)]
    found = network_scale(network, records, level, [2], amount, known)
    assert found.scale.lower <= network_scale(network, records, level, [2], amount).scale.upper
    try:
        answer = audit(space, RecordQuery("sum", Noise.laplace(found.scale.upper), records), level)
    except ModelError:
        return  # one value alone is possible
    assert answer.verdict.value == "SATISFIES"


def test_several_records_ask_for_what_the_worst_of_them_does():
    network, level = with_loops(random.Random(5), 4), Level.of_nats(1)
    records = Records(4, BITS)
    alone = [network_scale(network, records, level, [i]).scale.upper for i in range(1, 5)]
    found = network_scale(network, records, level)
    assert found.scale.upper == pytest.approx(float(max(alone)), rel=1e-8)


@pytest.mark.parametrize(("side", "expected"), [(5, "2.79811370"), (7, "4.06348012")])
def test_grids_ask_for_less_than_quilts_do(side, expected):
    """Quilts ask for 8.233 and 15.841."""
    middle = (side * side + 1) // 2
    records, level = Records(side * side, BITS), Level.of_nats(3)
    found = network_scale(grid(side), records, level, [middle])
    assert isinstance(found, EliminatedScale)
    assert found.scale.enclosure().upper.startswith(expected)


def test_attractive_trees_have_their_least_scale_between_ends():
    """The bound by elimination is exact on trees, so that both scales are the same."""
    count, rows = 40, {"0": ["9/10", "1/10"], "1": ["1/2", "1/2"]}
    parents = {i: [i // 2] if i > 1 else [] for i in range(1, count + 1)}
    cpt = {i: rows if i > 1 else {"": ["9/10", "1/10"]} for i in parents}
    tree, level = BayesianNetwork(parents, cpt), Level.of_nats(F(1, 2))
    query = RecordQuery("sum", Noise.laplace(1), Records(count, BITS))
    low, high = scale_between(framework(tree, [20]), query, level)
    found = network_scale(tree, query.records, level, [20])
    assert found.scale.upper == pytest.approx(float(high), rel=1e-8)
    assert low < high


@pytest.mark.parametrize("nats", ["1/10000000000", "100"])
def test_very_small_and_large_levels_have_noise(nats):
    found = network_scale(grid(3), Records(9, BITS), Level.of_nats(F(nats)), [5])
    assert 0 < found.scale.upper < 10 / F(nats)


# The smallest noise for a delta or a Renyi divergence: closed forms of one bit, and the audit
# keeps the upper end and breaks the lower one.


LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})
PAIR = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table(dict.fromkeys("ab", "1/2"))})
BIT = AdditiveNoise({"a": 0, "b": 3}, Noise.gaussian(1))
SEVERAL = {"a": (0, 1), "b": (1, 0), "c": (2, 2)}


def test_a_bit_has_the_closed_form_for_a_delta():
    """delta = 1 - e^((epsilon - 3/b) / 2)."""
    for epsilon in ["0", "0.7", "log(3)"]:
        for delta in ["1/10", "1/1000"]:
            found = smallest_noise(PAIR, BIT, epsilon, delta, noise="laplace")
            nats = log(3) if epsilon == "log(3)" else float(epsilon)
            near = 3 / (nats - 2 * log(1 - float(Fraction(delta))))
            assert found.lower < found.upper <= found.lower * (1 + Fraction(1, 10**10))
            assert float(found.upper) == pytest.approx(near, rel=1e-9)


@pytest.mark.parametrize("order", ["3/2", "4"])
def test_a_bit_has_the_closed_form_for_an_order(order):
    """Mironov (2017), Proposition 6."""
    alpha = float(Fraction(order))

    def nats(t):
        terms = alpha * exp((alpha - 1) * t) + (alpha - 1) * exp(-alpha * t)
        return log(terms / (2 * alpha - 1)) / (alpha - 1)

    near = 3 / brentq(lambda t: nats(t) - 0.4, 1e-3, 10, xtol=1e-13)
    found = smallest_noise(PAIR, BIT, "0.4", renyi=order, noise="laplace")
    assert float(found.upper) == pytest.approx(near, rel=1e-9)


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        ((0, 1, 2), {"delta": "1/20"}),
        ((0, 1, 2), {"renyi": "5/2"}),
        ((0, "1/2", "-7/3"), {"renyi": "5/2"}),
        (SEVERAL.values(), {"delta": "1/20"}),
    ],
)
def test_the_audit_keeps_one_end_and_breaks_the_other(values, asked):
    table = dict(zip("abc", values))
    found = smallest_noise(FRAMEWORK, AdditiveNoise(table, Noise.laplace(1)), "0.5", **asked, noise="laplace")
    assert found.lower < found.upper <= found.lower * (1 + Fraction(1, 500))
    for scale, verdict in ((found.upper, "SATISFIES"), (found.lower, "VIOLATES")):
        answer = audit(FRAMEWORK, AdditiveNoise(table, Noise.laplace(scale)), "0.5", **asked)
        assert answer.verdict.value == verdict


def test_gaussian_noise_off_a_line_has_a_smallest_sigma():
    query = AdditiveNoise(SEVERAL, Noise.gaussian(1))
    found = smallest_noise(FRAMEWORK, query, "0.5", renyi=3)
    for sigma, verdict in ((found.upper, "SATISFIES"), (found.lower, "VIOLATES")):
        answer = audit(FRAMEWORK, AdditiveNoise(SEVERAL, Noise.gaussian(sigma)), "0.5", renyi=3)
        assert answer.verdict.value == verdict
    assert found.noise == Noise.gaussian(found.upper)


def test_no_noise_is_needed_where_secrets_tell_nothing():
    same = AdditiveNoise({"a": 1, "b": 1}, Noise.laplace(1))
    for kind in ("gaussian", "laplace"):
        found = smallest_noise(PAIR, same, "0.5", delta="1/10", noise=kind)
        assert found.upper == 0
        assert str(found) == f"no {kind} noise is needed"
        with pytest.raises(ModelError, match="no noise is needed"):
            _ = found.noise


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "expected either a delta or an order"),
        ({"delta": "1/2", "renyi": 2}, "expected either a delta or an order"),
        ({"delta": 0}, "expected a delta between 0 and 1"),
        ({"renyi": 1}, "expected an order above 1"),
        ({"renyi": 2, "noise": "pink"}, "noise"),
    ],
)
def test_what_is_refused(asked, said):
    with pytest.raises(ModelError, match=said):
        smallest_noise(PAIR, BIT, "0.5", **asked)
