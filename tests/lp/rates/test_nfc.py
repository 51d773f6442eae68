"""Composition rates and NfC: hand-worked games, every small game by its definition, many runs,
ties, zeros and mixtures.
"""

import math
import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from tests.brute import definitions as brute

from pufferproof import Channel, Framework, Level, ModelError, Table
from pufferproof.counterexamples.breaking_runs import breaking_certificate, search_breaking
from pufferproof.lp.exact.weights import SMALL, rounded_weights, sign_of_logs
from pufferproof.lp.rates.games import GAP, Games
from pufferproof.lp.rates.nfc import cases, check_nfc, composition_rate, nfc_certificate, rate_certificate
from pufferproof.models.errors import CertificateError
from pufferproof.models.numbers.enclosures import log_bounds
from pufferproof.verify.audit.composition import compose
from pufferproof.verify.certificates.writing import Inputs, certified_text
from pufferproof.verify.decision import Decision
from pufferproof.verify.leakage.runs.repeated import repeated_leakage

MIDDLE = Channel.of({"a": ["1/2", "1/2"], "b": ["3/4", "1/4"], "c": ["1/4", "3/4"]}, ["u", "v"])
RESPONSE = Channel.of({"a": ["3/4", "1/4"], "b": ["1/4", "3/4"], "c": ["1/4", "3/4"]}, ["u", "v"])
APART = Channel.of({"a": ["1/3", "1/3", "1/3"], "b": ["1/2", "1/2", 0], "c": ["1/2", 0, "1/2"]}, ["u", "v", "w"])


def three(one_sided=False, closure="list", **priors):
    """A framework on a, b, c with the secrets {a} and {b, c}."""
    given = priors or {"theta": {"a": "1/2", "b": "1/4", "c": "1/4"}}
    tables = {name: Table(prior) for name, prior in given.items()}
    return Framework(["a", "b", "c"], {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], tables, closure, one_sided)


def random_channel(generator, databases, outputs, zeros=0.0, largest=8):
    rows = {}
    for x in databases:
        weights = [0] * outputs
        while not sum(weights):
            weights = [0 if generator.random() < zeros else generator.randint(1, largest) for _ in range(outputs)]
        rows[x] = [Fraction(weight, sum(weights)) for weight in weights]
    return Channel.of(rows, [f"y{i}" for i in range(outputs)])


def random_framework(generator, size, closure="list", least=1):
    databases = [f"d{i}" for i in range(size)]
    cut = generator.randint(1, size - 1)
    priors = {}
    while not priors:
        for number in range(generator.randint(1, 3)):
            weights = [max(0, generator.randint(least, 3 if least >= 0 else 1)) for _ in databases]
            if sum(weights):
                law = {x: Fraction(weight, sum(weights)) for x, weight in zip(databases, weights)}
                priors[f"p{number}"] = Table(law)
    secrets = {"s": databases[:cut], "t": databases[cut:]}
    return Framework(databases, secrets, [("s", "t")], priors, closure)


def value_by_enumeration(payoffs):
    """Return the value of a matrix game (rows maximise) by trying every square subsystem, in
    floats.
    """
    rows, columns = payoffs.shape
    best = None
    for size in range(1, min(rows, columns) + 1):
        for chosen in combinations(range(rows), size):
            for kept in combinations(range(columns), size):
                square = np.zeros((size + 1, size + 1))
                square[:size, :size] = payoffs[np.ix_(chosen, kept)]
                square[:size, size] = -1
                square[size, :size] = 1
                if abs(np.linalg.det(square)) < 1e-12:
                    continue
                right = np.append(np.zeros(size), 1.0)
                beta = np.linalg.solve(square, right)
                alpha = np.linalg.solve(
                    np.block([[square[:size, :size].T, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]),
                    right,
                )
                value = beta[size]
                fair = min(beta[:size].min(), alpha[:size].min()) > -1e-9
                holds = (payoffs[:, kept] @ beta[:size]).max() <= value + 1e-9
                if fair and holds and (alpha[:size] @ payoffs[list(chosen)]).min() >= value - 1e-9:
                    best = value
    return best


def rate_by_definition(framework, channel):
    """Return the composition rate from the games as they are defined, or infinity."""
    best = 0.0
    for prior in framework.priors:
        theta = brute.probabilities(framework, prior)
        held = {
            s: [framework.databases[x] for x in xs if theta[framework.databases[x]]]
            for s, xs in framework.secrets.items()
        }
        for left, right in framework.pairs:
            for s, t in [(left, right), (right, left)]:
                if not held[s] or not held[t]:
                    continue
                for x in held[s]:
                    p = {z: [channel.probability(z, w) for w in channel.outputs] for z in [x, *held[t]]}
                    own = [w for w, entry in enumerate(p[x]) if entry]
                    inside = [y for y in held[t] if all(p[y][w] for w in own)]
                    if not inside:
                        return math.inf
                    payoffs = np.array([[math.log(p[x][w] / p[y][w]) for y in inside] for w in own])
                    best = max(best, value_by_enumeration(payoffs))
    return best


def test_rate_is_infinite_when_outputs_together_exclude_the_other_secret():
    rate = composition_rate(three(), APART)
    assert rate.infinite
    assert rate.as_json() == {"lower": "inf", "upper": "inf"}
    assert rate.alpha == {"v": Fraction(1, 2), "w": Fraction(1, 2)}
    assert not repeated_leakage(three(), APART, 1)[0].infinite
    assert repeated_leakage(three(), APART, 2)[0].infinite
    certified_text(rate_certificate(rate, Inputs()))


@pytest.mark.parametrize("seed", range(6))
def test_games_that_cannot_decide_the_rate_need_no_lower_bound(seed, monkeypatch):
    """The rate, its place and its proofs are those of games that are all solved from both sides."""
    generator, left_out = random.Random(seed), 0
    for number in range(4):
        framework = random_framework(generator, 6)
        channel = random_channel(generator, framework.databases, 4, 0.2 * (number == 0))
        quick = composition_rate(framework, channel)
        with monkeypatch.context() as patch:
            patch.setattr(Games, "bounded", lambda games, x, others, _: games.solve(x, others))
            whole = composition_rate(framework, channel)
        assert vars(quick) | {"games": None} == vars(whole) | {"games": None}
        assert all(game.lower is not None or game.infinite for game in quick.games._solved.values())
        left_out += len(whole.games._solved) - len(quick.games._solved)
    assert left_out > 0


@pytest.mark.parametrize("seed", range(3))
def test_floats_are_rounded_to_the_smallest_denominator_that_is_near(seed):
    generator = np.random.default_rng(seed)
    for size in range(1, 7):
        whole = generator.integers(1, 9, size)
        for values in (whole / whole.sum(), generator.random(size), np.array([1.0, 2e-8])):
            places = range(10, 10 + len(values))
            first, *others = rounded_weights(values / values.sum(), places, 3)
            near = [d for d in range(1, SMALL + 1) if _is_near(values / values.sum(), d)]
            assert first.denominator == (near[0] if near else 2**48)
            for each in (first, *others):
                assert sum(each.numerators) == each.denominator
                assert np.allclose(each.over(20)[list(each.places)], (values / values.sum()))
            assert len(others) == bool(near)


def _is_near(weights, d):
    nearest = [round(d * x) for x in weights.tolist()]
    close = all(abs(d * x - n) < 1e-6 * d for x, n in zip(weights.tolist(), nearest))
    return close and sum(nearest) == d and min(nearest) > 0


@pytest.mark.parametrize("seed", range(6))
def test_rates_agree_with_games_solved_by_enumeration(seed):
    generator = random.Random(seed)
    for number in range(12):
        framework = random_framework(generator, generator.randint(2, 5), least=number % 2)
        channel = random_channel(generator, framework.databases, generator.randint(2, 3), 0.25 * (number % 3 == 0))
        if not any(True for _ in cases(framework)):
            continue
        rate, expected = (composition_rate(framework, channel), rate_by_definition(framework, channel))
        assert rate.infinite == math.isinf(expected)
        if not rate.infinite:
            assert rate.upper - rate.lower <= GAP * rate.lower
            assert float(rate.lower) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_leakage_of_many_runs_follows_the_rate(seed):
    """L_k <= k rate + log(1/min nu); and counts k alpha reach k rate - log(1/mu_x) when they
    are integers.
    """
    generator = random.Random(seed)
    for _ in range(6):
        framework = random_framework(generator, generator.randint(2, 4))
        channel = random_channel(generator, framework.databases, 2)
        rate = composition_rate(framework, channel)
        smallest = min(
            Fraction(law.weights[x], law.mass(members))
            for law in framework.laws.values()
            for members in framework.secrets.values()
            for x in members
        )
        slack = -math.log(smallest)
        whole = max(weight.denominator for weight in rate.alpha.values())
        for k in (1, 2, 7, 40):
            found = float(repeated_leakage(framework, channel, k)[0].enclosure().upper)
            assert found <= k * float(rate.upper) + slack + 1e-9
            if k % whole == 0:
                assert found >= k * float(rate.lower) - slack - 1e-9


@pytest.mark.parametrize("size", [2, 3, 5])
def test_a_tiny_rate_is_as_precise_as_a_large_one(size):
    generator = random.Random(size)
    databases = [f"d{i}" for i in range(size)]
    rows = {}
    for x in databases:
        shifts = [Fraction(generator.randint(-99, 99), 10**12) for _ in range(3)]
        rows[x] = [Fraction(1, 4) + shift - sum(shifts) / 4 for shift in shifts] + [Fraction(1, 4) - sum(shifts) / 4]
    law = Table({x: Fraction(1, size) for x in databases})
    framework = Framework(databases, {"s": databases[:1], "t": databases[1:]}, [("s", "t")], {"p": law})
    rate = composition_rate(framework, Channel.of(rows, ["u", "v", "w", "z"]))
    assert 0 < rate.lower < Fraction(1, 10**8)
    assert rate.upper - rate.lower <= GAP * rate.lower
    certified_text(rate_certificate(rate, Inputs()))


# --- mixtures of priors ---

SPLIT = {"left": {"a": "1/2", "b": "1/2"}, "last": {"c": 1}}


@pytest.mark.parametrize(
    "framework", [three(closure="convex", **SPLIT), three(closure="convex", left={"a": 1}, last={"c": 1})]
)
def test_mixtures_compare_a_prior_with_another_that_lacks_a_secret(framework):
    channel = Channel.of({"a": ["1/2", "1/2"], "b": ["3/5", "2/5"], "c": ["1/8", "7/8"]}, ["u", "v"])
    rate = composition_rate(framework, channel)
    assert (rate.place.priors, rate.exact) == (("left", "last"), (4, 1))
    leakages = [float(compose(framework, [channel], k).joint.leakage.upper) for k in (3, 6)]
    assert math.log(leakages[1] / leakages[0]) / 3 == pytest.approx(math.log(4), abs=0.02)
    certified_text(rate_certificate(rate, Inputs()))
    listed = Framework(framework.databases, {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], dict(framework.priors))
    if len(framework.laws["left"].support) == 2:
        assert composition_rate(listed, channel).exact == (Fraction(5, 4), 1)


@pytest.mark.parametrize("seed", range(3))
def test_leakage_over_mixtures_stays_near_the_rate(seed):
    generator = random.Random(seed)
    for _ in range(5):
        framework = random_framework(generator, 3, "convex", least=0)
        channel = random_channel(generator, framework.databases, 2)
        if not any(True for _ in cases(framework)):
            continue
        rate = float(composition_rate(framework, channel).upper)
        upper = [float(compose(framework, [channel], k).joint.leakage.enclosure().upper) for k in (2, 4, 8)]
        assert all(found <= k * rate + 8 for k, found in zip((2, 4, 8), upper))
        assert upper[2] >= 8 * rate - 8


@pytest.mark.parametrize("seed", range(3))
def test_leakage_over_mixtures_grows_by_the_rate(seed):
    """From 12 runs to 24, priors with many zeros: limits of mixtures are what is largest in
    about half of these.
    """
    generator = random.Random(seed)
    for _ in range(12):
        framework = random_framework(generator, generator.randint(2, 4), "convex", least=-2)
        channel = random_channel(generator, framework.databases, 2, largest=4)
        if not any(True for _ in cases(framework)):
            continue
        rate = float(composition_rate(framework, channel).upper)
        first, last = (float(compose(framework, [channel], k).joint.leakage.enclosure().upper) for k in (12, 24))
        assert (last - first) / 12 == pytest.approx(rate, abs=0.1)


def test_priors_that_know_both_secrets_are_not_mixed():
    framework = three(closure="convex", left={"a": "1/2", "b": "1/2"}, right={"a": "1/2", "c": "1/2"})
    assert {case.priors for case in cases(framework)} == {("left", "left"), ("right", "right")}


# --- NfC at levels ---


def test_nfc_at_the_rate_holds_and_below_it_fails():
    for channel, level, answer in [
        (RESPONSE, "log(3)", "HOLDS"),
        (RESPONSE, "log(29/10)", "FAILS"),
        (RESPONSE, "1.0986122886681098", "HOLDS"),
        (RESPONSE, "1.0986122886681096", "FAILS"),
        (MIDDLE, "log(3/2)", "HOLDS"),
        (MIDDLE, "log(149/100)", "FAILS"),
        (APART, "100", "FAILS"),
        (Channel.of({x: ["1"] for x in "abc"}, ["u"]), "0", "HOLDS"),
    ]:
        found = check_nfc(three(), channel, level)
        assert found.answer.name == answer
        certified_text(nfc_certificate(found, Inputs()))


def outputs(u, w):
    """A channel on a, b, c with these two columns and a third for the rest."""
    rows = {x: [Fraction(p), Fraction(q), 1 - Fraction(p) - Fraction(q)] for x, p, q in zip("abc", u, w)}
    return Channel.of(rows, ["u", "w", "z"])


def test_a_tie_of_irrational_weights_is_undecided_and_not_guessed():
    """Payoffs log 2, -log 3 and -2 log 2, 2 log 3, levels subtracted: the value is 0 at beta_b
    = log 3 / log 6.
    """
    channel = outputs(["1/10", "1/40", "3/20"], ["1/10", "1/5", "1/180"])
    found = check_nfc(three(), channel, "log(2)")
    assert found.answer is Decision.UNDECIDED
    assert found.lower < 0 < found.upper
    assert found.upper - found.lower < Fraction(1, 10**50)
    with pytest.raises(CertificateError, match="undecided"):
        nfc_certificate(found, Inputs())


def test_two_mechanisms_need_the_same_beta():
    as_b = Channel.of({"a": ["1/2", "1/2"], "b": ["1/2", "1/2"], "c": ["1/8", "7/8"]}, ["u", "v"])
    as_c = Channel.of({"a": ["1/2", "1/2"], "b": ["1/8", "7/8"], "c": ["1/2", "1/2"]}, ["u", "v"])
    framework = three(one_sided=True)
    assert [check_nfc(framework, channel, "0").answer for channel in (as_b, as_c)] == [Decision.HOLDS] * 2
    together = check_nfc(framework, [as_b, as_c], ["0", "0"])
    assert together.answer is Decision.FAILS
    assert {i for i, _, _ in together.alpha} == {0, 1}
    breaking = search_breaking(together)
    assert {i for i, _, _ in breaking.outputs} == {0, 1} or breaking.runs == 1
    assert check_nfc(framework, [as_b, as_c], ["0", "log(4)"]).answer is Decision.HOLDS


def test_supports_of_all_priors_together_are_another_reading():
    framework = three(left={"a": "1/2", "b": "1/2"}, right={"a": "1/2", "c": "1/2"})
    assert check_nfc(framework, MIDDLE, "log(3/2)").answer is Decision.FAILS
    union = check_nfc(framework, MIDDLE, "log(3/2)", supports="union")
    assert union.answer is Decision.HOLDS
    with pytest.raises(CertificateError, match="prior by prior"):
        nfc_certificate(union, Inputs())
    with pytest.raises(ModelError, match="supports"):
        check_nfc(framework, MIDDLE, "0", supports="some")


@pytest.mark.parametrize("seed", range(4))
def test_nfc_agrees_with_the_rate(seed):
    generator = random.Random(seed)
    for number in range(15):
        framework = random_framework(
            generator, generator.randint(2, 4), "convex" if number % 4 == 0 else "list", number % 2
        )
        channel = random_channel(generator, framework.databases, 3, 0.2 * (number % 2))
        if not any(True for _ in cases(framework)):
            continue
        rate = composition_rate(framework, channel)
        for level in (Level.log("6/5"), Level.log(2), Level.of_nats("1")):
            lower, upper = (Fraction(0), Fraction(0)) if level.ratio == 1 else _nats(level)
            found = check_nfc(framework, channel, level)
            if rate.upper is None or rate.lower > upper:
                assert found.answer is Decision.FAILS
            elif rate.upper < lower:
                assert found.answer is Decision.HOLDS
            if found.answer is not Decision.UNDECIDED:
                certified_text(nfc_certificate(found, Inputs()))


def _nats(level):
    return log_bounds(level.ratio, 60) if level.ratio is not None else (level.nats, level.nats)


def test_levels_and_mechanisms_must_match():
    with pytest.raises(ModelError, match="one level per mechanism"):
        check_nfc(three(), [RESPONSE, MIDDLE], ["0"])
    with pytest.raises(ModelError, match="nothing to check"):
        check_nfc(three(theta={"a": 1}), RESPONSE, "0")
    with pytest.raises(ModelError, match="nothing to check"):
        composition_rate(three(theta={"a": 1}), RESPONSE)
    with pytest.raises(CertificateError, match="one-sided"):
        rate_certificate(composition_rate(three(one_sided=True), RESPONSE), Inputs())


def test_signs_of_logarithms():
    assert sign_of_logs([]) == 0
    assert sign_of_logs([(2, Fraction(3)), (-1, Fraction(9))]) == 0
    assert sign_of_logs([(10**6, Fraction(3)), (-(10**6), Fraction(3))]) == 0
    assert sign_of_logs([(10**9, Fraction(3)), (-(10**9) + 1, Fraction(3))]) == 1
    # a tie too large for powers
    assert sign_of_logs([(10**30, Fraction(4)), (-2 * 10**30, Fraction(2))]) is None
    assert sign_of_logs([(1, Fraction(3))], Fraction(-109861, 10**5)) == 1


def test_bounds_of_games_hold_for_entries_no_float_can_hold():
    tiny = Fraction(1, 10**400)
    channel = Channel.of(
        {"a": [tiny, 1 - tiny], "b": [tiny / 2, 1 - tiny / 2], "c": [tiny / 4, 1 - tiny / 4]}, ["u", "v"]
    )
    assert composition_rate(three(), channel).exact == (2, 1)
    assert Games([channel]).logs[0, 0] == pytest.approx(-400 * math.log(10))


@pytest.mark.parametrize("exponent", [20, 60, 200, 330, 5000])
def test_payoffs_hundreds_of_orders_of_magnitude_apart(exponent):
    """b alone costs t, and a little of c, about 2t / log(999), lowers that by a fifth."""
    t = Fraction(1, 10**exponent)
    rows = {"a": ["1/2", "1/2"], "b": [(1 + t) / 2, (1 - t) / 2], "c": ["1/1000", "999/1000"]}
    channel = Channel.of(rows, ["u", "v"])
    rate = composition_rate(three(one_sided=True), channel)
    assert 0 < rate.upper - rate.lower <= GAP * rate.lower
    first, second = math.log(500), math.log(1.998)
    assert float(rate.upper / t) == pytest.approx((first - second) / (first + second))
    assert check_nfc(three(one_sided=True), channel, Level.of_nats(t)).answer is Decision.HOLDS
    assert check_nfc(three(one_sided=True), channel, Level.of_nats(t / 2)).answer is Decision.FAILS


@pytest.mark.parametrize("said", [0.0, math.nan, 1e300])
def test_bounds_hold_whatever_the_solver_says(said, monkeypatch):
    """The first output and the first database of the other secret are excluded: nonsense must
    not fall back to them.
    """

    def nonsense(games, x, against, allowed):
        return np.full(len(against), said), np.full(len(games.outputs), said)

    monkeypatch.setattr(Games, "_linear_program", nonsense)
    rows = {"a": [0, "1/2", "1/2"], "b": [1, 0, 0], "c": ["1/4", "1/4", "1/2"], "d": ["1/4", "1/2", "1/4"]}
    channel = Channel.of(rows, ["u", "v", "w"])
    framework = Framework(
        list(rows),
        {"s": ["a"], "t": ["b", "c", "d"]},
        [("s", "t")],
        {"p": Table(dict.fromkeys(rows, "1/4"))},
        one_sided=True,
    )
    game = Games([channel]).solve(0, (1, 2, 3))
    assert set(game.alpha.places) <= {1, 2}
    assert set(game.beta.places) <= {2, 3}
    rate = composition_rate(framework, channel)
    assert float(rate.lower) == pytest.approx(math.log(2) / 2) == float(rate.upper)
    assert check_nfc(framework, channel, "0.34").answer is Decision.FAILS
    assert check_nfc(framework, channel, "0.35").answer is Decision.HOLDS


# --- from failure to construction ---


@pytest.mark.parametrize("seed", range(5))
def test_breaking_runs_exceed_their_levels_and_fewer_do_not(seed):
    generator = random.Random(seed)
    for number in range(12):
        framework = random_framework(generator, generator.randint(2, 4))
        channel = random_channel(generator, framework.databases, generator.randint(2, 3), 0.2 * (number % 2))
        level = Level.log(Fraction(generator.randint(10, 16), 10))
        found = check_nfc(framework, channel, level)
        if found.answer is not Decision.FAILS:
            continue
        breaking = search_breaking(found)
        joint = repeated_leakage(framework, channel, breaking.runs)[0]
        assert joint.infinite or joint.ratio > level.ratio**breaking.runs
        assert breaking.level.ratio == level.ratio**breaking.runs
        if breaking.runs <= 100:
            certified_text(breaking_certificate(breaking, Inputs()))
        for runs in range(1, min(breaking.runs, 12) if breaking.minimum else 1):
            assert repeated_leakage(framework, channel, runs)[0].ratio <= level.ratio**runs


def test_only_a_failure_under_a_listed_prior_is_constructed():
    with pytest.raises(ModelError, match="expected a failure"):
        search_breaking(check_nfc(three(), RESPONSE, "log(3)"))
    limit = check_nfc(three(closure="convex", left={"a": 1}, last={"c": 1}), RESPONSE, "0")
    with pytest.raises(ModelError, match="mixtures"):
        search_breaking(limit)


def test_a_tie_of_weights_in_hundredths_is_decided():
    """log(1/2) - log 2 = beta_b (-102 log 2) + beta_c (-log 2) only for beta_b = 1/101, and so
    at w from the other side.
    """
    half = Fraction(1, 2)
    channel = outputs([half, half**102, half], [half**150, half**51, half**152])
    found = check_nfc(three(one_sided=True), channel, "log(2)")
    assert (found.answer, found.betas) == (Decision.HOLDS, (("a", {"b": Fraction(1, 101), "c": Fraction(100, 101)}),))
    assert check_nfc(three(one_sided=True), channel, "log(1999999999999/1000000000000)").answer is Decision.FAILS


def test_large_and_tiny_differences_together():
    rows = {"a": ["1/2", "1/2"], "b": ["500000001/1000000000", "499999999/1000000000"], "c": ["1/1000", "999/1000"]}
    rate = composition_rate(three(one_sided=True), Channel.of(rows, ["u", "v"]))
    assert rate.upper - rate.lower <= GAP * rate.lower
    assert rate.upper < Fraction(3, 10**9)
