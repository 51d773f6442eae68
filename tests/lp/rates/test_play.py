"""What both players of many games learn: weights that are weights, bounds that are bounds, and the
same rates and answers as without.
"""

import random
from fractions import Fraction

import numpy as np
import pytest
from tests.lp.rates.test_nfc import RESPONSE, random_channel, three

from pufferproof import Framework, Level, Table
from pufferproof.lp.rates import games as learning
from pufferproof.lp.rates import games as play
from pufferproof.lp.rates.games import GAP, Games
from pufferproof.lp.rates.nfc import cases, check_nfc, composition_rate, nfc_certificate, rate_certificate
from pufferproof.verify.certificates.writing import Inputs, certified_text

LEVEL = Level.log(Fraction(5, 4))


def halves(generator, size):
    """A framework of `size` databases, the secrets four random halves and their complements."""
    databases = [f"d{i}" for i in range(size)]
    secrets, pairs = {}, []
    for number in range(4):
        chosen = set(generator.sample(databases, size // 2))
        secrets |= {f"s{number}": [x for x in databases if x in chosen]}
        secrets |= {f"t{number}": [x for x in databases if x not in chosen]}
        pairs.append((f"s{number}", f"t{number}"))
    prior = Table({x: Fraction(1, size) for x in databases})
    return Framework(databases, secrets, pairs, {"uniform": prior})


def instances(count):
    generator = random.Random(7)
    for number in range(count):
        framework = halves(generator, 6)
        zeros = 0.15 * (number % 3)
        yield framework, random_channel(generator, framework.databases, 4, zeros)


@pytest.mark.parametrize("large", [0, 10**9])  # groups alone, or together
@pytest.mark.parametrize("levels", [[], [LEVEL]], ids=["rate", "level"])
def test_what_is_learned_bounds_the_value_by_weights_on_databases_that_remain(levels, large, monkeypatch):
    monkeypatch.setattr(learning, "LARGE", large)
    monkeypatch.setattr(learning, "_LEFT", 0)
    monkeypatch.setattr(play, "MOST", 100)  # several batches
    monkeypatch.setattr(play, "FEW", 0)
    near, stopped = [], 0.0 if levels else 1.0  # games that decide nothing stop playing
    for framework, channel in instances(9):
        games = Games([channel], levels)
        keys = list(dict.fromkeys((x, c.against) for c in cases(framework) for x in c.support))
        plays = play.played(games, keys)
        assert set(plays) == set(keys)
        for x, against in keys:
            game, found = games.solve(x, against), plays[x, against]
            if game.infinite:
                assert found.upper == [float("inf")] * len(play.UNITS)
                continue
            upper, weights = found.below(float("inf"))
            assert upper >= game.lower
            assert upper == found.upper[0]
            assert sum(weights.numerators) == weights.denominator
            assert min(weights.numerators) > 0
            assert set(weights.places) <= set(games.remaining(x, against))
            exact = float(upper) - games._most(x, weights)
            assert abs(exact) <= 2 * games.error
            value = float(game.upper) + 0.05
            near.append(min(found.upper) <= (value if large else max(value, stopped)))
    assert sum(near) > 0.9 * len(near) > 100


@pytest.mark.parametrize("large", [0, 10**9])
def test_rates_and_answers_are_those_without_it(large, monkeypatch):
    monkeypatch.setattr(learning, "LARGE", large)
    monkeypatch.setattr(learning, "_LEFT", 0)
    for framework, channel in instances(6):
        rates, answers = [], []
        for few in (0, 10**9):
            monkeypatch.setattr(play, "FEW", few)
            rates.append(composition_rate(framework, channel))
            answers.append([check_nfc(framework, channel, n) for n in ("0.5", "1")])
        assert [a.answer for a in answers[0]] == [a.answer for a in answers[1]]
        with_play, without = rates
        assert with_play.place == without.place
        if without.infinite:
            assert with_play.infinite
            continue
        assert with_play.lower <= without.upper
        assert without.lower <= with_play.upper
        assert with_play.upper - with_play.lower <= GAP * with_play.lower


@pytest.mark.parametrize("large", [0, 10**9])
def test_the_kernel_accepts_what_was_learned(large, monkeypatch):
    monkeypatch.setattr(learning, "LARGE", large)
    monkeypatch.setattr(play, "FEW", 0)
    framework, channel = next(instances(1))
    rate = composition_rate(framework, channel)
    assert any(sum(b.values()) == 1 and len(b) > 1 for _, b in rate.betas)
    certified_text(rate_certificate(rate, Inputs()))
    certified_text(nfc_certificate(check_nfc(framework, channel, Level.of_nats(rate.upper)), Inputs()))


@pytest.mark.parametrize("wrong", [-1, 0, 1])
def test_rows_that_do_not_sum_to_one_prove_nothing(wrong, monkeypatch):
    rounded = play._rounded
    monkeypatch.setattr(play, "_rounded", lambda *of: rounded(*of) + np.array([wrong, 0]))
    monkeypatch.setattr(play, "FEW", 0)
    (case, *_) = cases(three())
    found = play.played(Games([RESPONSE]), [(0, (1, 2))])
    assert case.against == (1, 2)
    assert (found[0, (1, 2)].below(10.0) is None) == (wrong != 0)


def test_games_that_could_be_the_largest_play_on(monkeypatch):
    """What is learned of the largest game alone is nearer to its value than a few rounds say."""
    framework, channel = next(instances(1))
    games = Games([channel])
    against = next(cases(framework)).against
    rows = np.array([[games.logs[x] for x in range(6) if x not in against]])
    columns = np.array([games.logs[list(against)]])
    possible, allowed = np.ones(rows.shape, bool), np.ones((1, rows.shape[1], len(against)), bool)
    upper = []
    for most in (32, 1024):
        monkeypatch.setattr(learning, "LARGE", 0)
        monkeypatch.setattr(learning, "_LEFT", 0)
        monkeypatch.setattr(learning, "MOST_ROUNDS", most)
        beta = learning.learned(games, rows, columns, possible, allowed)
        assert np.allclose(beta.sum(axis=2), 1)
        assert (beta >= 0).all()
        upper.append((rows - beta @ columns).max(axis=2)[0])
    value = max(float(games.solve(x, against).upper) for x in range(6) if x not in against)
    assert value - 1e-6 <= upper[1].max() <= min(upper[0].max(), value + 0.01)
