"""Networks too wide for exact answers have bounds, which hold the exact ones of small networks."""

import contextlib
import itertools
import random
from fractions import Fraction

import pytest
from tests import seeds

import pufferproof as pp
from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation import networks as loops
from pufferproof.models import views as possible_values
from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.additive import Noise
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.verify.influence.network import NetworkQuilts, Quilt
from pufferproof.verify.noise.accounts import accountant
from pufferproof.verify.noise.accounts.accountant import quilt_account
from pufferproof.verify.noise.queries import queries_leakage

F = Fraction
BITS = ("0", "1")


def grid(width, height, draw=None):
    """Return a network whose records hang on the one before and the one above in a grid."""
    parents, tables = {}, {}
    for record in range(1, width * height + 1):
        above = [record - 1] if (record - 1) % width else []
        above += [record - width] if record > width else []
        keys = map("".join, itertools.product(BITS, repeat=len(above)))
        ones = {key: F(1 + key.count("1"), 5) for key in keys}
        if draw is not None:
            ones = {key: F(draw.randint(0, 5), 5) for key in ones}
        parents[record], tables[record] = above, {k: [1 - p, p] for k, p in ones.items()}
    return pp.BayesianNetwork(parents, tables)


def framework(network, record):
    secrets = {f"x={v}": (record, v) for v in BITS}
    records = pp.Records(network.length, BITS)
    return pp.Framework(records, secrets, [("x=0", "x=1")], {"net": network})


@seeds(40)
def test_tables_of_a_ball_bound_the_influence_of_its_boundary(seed):
    draw = random.Random(seed)
    width, height = draw.choice([(2, 2), (3, 2), (2, 4), (3, 3)])
    network = grid(width, height, draw)
    quilts = NetworkQuilts(network, pp.Records(width * height, BITS))
    for record in range(1, width * height + 1):
        for ball in quilts.candidates(record):
            assert ball == quilts.of(record, ball.quilt)
            exact, bound = quilts.influence(record, ball.quilt), quilts.influence_within(ball)
            assert bound is None or (exact is not None and exact <= bound)
            if ball.quilt:
                with pytest.raises(TooLargeError):
                    quilts.influence_within(ball, 1)


def test_boundaries_of_three_values_are_bounded_with_and_without_the_law(monkeypatch):
    draw = random.Random(3)
    rows = {key: [F(draw.randint(1, 4)) for _ in "abc"] for key in ("", "a", "b", "c")}
    rows = {key: [p / sum(row) for p in row] for key, row in rows.items()}
    step = {key: row for key, row in rows.items() if key}
    tables = {i: step if i > 1 else {"": rows[""]} for i in range(1, 6)}
    network = pp.BayesianNetwork({i: [i - 1] if i > 1 else [] for i in tables}, tables)
    quilts = NetworkQuilts(network, pp.Records(5, ("a", "b", "c")))
    for record, ball in ((i, ball) for i in tables for ball in quilts.candidates(i)):
        exact, near = quilts.influence(record, ball.quilt), quilts.influence_within(ball)
        with monkeypatch.context() as patched:
            patched.setattr(pp.BayesianNetwork, "law_of", too_large)
            far = quilts.influence_within(ball)
        assert exact <= near <= far


def test_only_the_boundary_of_a_ball_is_bounded():
    quilts = NetworkQuilts(grid(3, 3), pp.Records(9, BITS))
    with pytest.raises(pp.ModelError, match="boundary of a ball"):
        quilts.influence_within(Quilt(5, (2,), (5,), (1, 3, 4, 6, 7, 8, 9)))


@pytest.mark.parametrize("record", [1, 5, 9])
def test_bounds_of_narrow_tables_hold_the_exact_leakage(record, monkeypatch):
    network = grid(3, 3)
    space, records = framework(network, record), pp.Records(9, BITS)
    query = RecordQuery("sum", Noise.laplace(1), records)
    exact = queries_leakage(space, NoisyQueries((query,))).leakage
    monkeypatch.setattr(accountant, "_MANY", 5)
    monkeypatch.setattr(accountant, "_MOST_OF_MANY", 2)
    (account,) = quilt_account(space, [query])
    assert account.bound.upper >= exact.upper
    assert account.nodes  # a ball is better than all records
    assert account.influence.lower == 1


@pytest.mark.parametrize("record", [1, 5, 9])
def test_translate_bounds_by_balls_what_it_could_not(record, monkeypatch):
    space = framework(grid(3, 3), record)
    levels = RecordLevels.uniform(9, [pp.Level.log(F(5, 4))])
    exact = pp.translate(space, [pp.Level.log(F(5, 4))]).leakage
    assert loops._by_quilts(space, levels) >= exact.upper

    def refuse(*_):
        raise pp.ModelError("none", "priors")

    monkeypatch.setattr(loops, "eliminated", lambda *_: None)
    monkeypatch.setattr(loops, "published_bounds", refuse)
    worst = loops.worst_of_networks(space, levels)
    assert worst.leakage.lower <= exact.lower <= exact.upper <= worst.leakage.upper
    assert worst.bound == "published"


@seeds(30)
def test_values_are_possible_that_some_database_has(seed, monkeypatch):
    draw = random.Random(seed)
    network, records = grid(3, 2, draw), pp.Records(6, BITS)
    space = framework(network, 1)
    for record in range(1, 7):
        law = network.law_of((record,), records).table
        expected = frozenset(value for value, p in enumerate(law) if p)
        known = possible_values.possible_values(space, "net", [record])[record]
        with monkeypatch.context() as patched:
            patched.setattr(pp.BayesianNetwork, "law_of", too_large)
            with contextlib.suppress(TooLargeError):
                assert possible_values.possible_values(space, "net", [record])[record] == known
        assert known == expected


def too_large(*_, **__):
    raise TooLargeError("too large", "query")
