"""The largest delta of releases within budgets: against one program over events for each output,
against audits of all pairs of vertices, and the closed form of two databases for each secret.
"""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples

import pufferproof as pp
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.rays import extreme_rays, largest_delta, mixtures_of
from pufferproof.lp.exact.linear import Program, Row
from pufferproof.lp.exact.program import solve_exact
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.verify.decision import Decision

F = Fraction
ONE = F(1)
weights = st.lists(st.integers(1, 5), min_size=3, max_size=4)
ratios = st.sampled_from([F(1), F(3, 2), F(2)])


def framework(shares, one_sided=False):
    names = "abcd"[: len(shares)]
    law = pp.Table({name: F(n, sum(shares)) for name, n in zip(names, shares)})
    secrets = {"s": [names[0]], "t": list(names[1:])}
    if len(names) == 4:
        secrets = {"s": ["a", "b"], "t": ["c", "d"]}
    return pp.Framework(names, secrets, [("s", "t")], {"theta": law}, one_sided=one_sided)


def of_events(columns, laws, ratio, level, left):
    """V by its definition: the outputs of a release at which delta counts are one event u, and u
    and 1 - u are columns of the level.
    """
    size = len(columns.databases)
    if not left:
        return lambda c: max(F(0), gain(laws, level, c))
    cone = columns.cone(ratio)

    def value(c):
        if left == 1:
            rows = [Row({x: 1}, "<=", 1) for x in range(size)]
            for row in cone.inequalities:
                rows += [Row(dict(enumerate(row)), ">=", 0), Row(dict(enumerate(row)), "<=", sum(row))]
            rows += [Row(dict(enumerate(row)), "=", 0) for row in cone.equations]
            unit = [[F(x == y) for y in range(size)] for x in range(size)]
            aim = {x: gain(laws, level, [a * b for a, b in zip(c, unit[x])]) for x in range(size)}
            return solve_exact(Program(aim, rows, size)).value
        rays = extreme_rays(cone)
        later = of_events(columns, laws, ratio, level, left - 1)
        aim = {k: later([a * b for a, b in zip(c, ray)]) for k, ray in enumerate(rays)}
        rows = [Row({k: ray[x] for k, ray in enumerate(rays)}, "=", 1) for x in range(size)]
        return solve_exact(Program(aim, rows, len(rays))).value

    return value


def gain(laws, level, c):
    above = sum(m * x for m, x in zip(laws.mu, c)) / F(laws.mu_total)
    return above - level * sum(n * x for n, x in zip(laws.nu, c)) / F(laws.nu_total)


@examples(24)
@given(weights, ratios, st.sampled_from([F(1), F(4, 3), F(5, 2)]), st.booleans())
def test_adaptive_delta_is_that_of_programs_over_events(shares, ratio, level, one_sided):
    columns = Columns(framework(shares, one_sided))
    for runs in (1, 2):
        largest = max(
            of_events(columns, laws, ratio, level, runs)([ONE] * len(columns.databases)) for laws in columns.laws
        )
        assert largest_delta(columns, [ratio] * runs, level, adaptive=True) == largest
    plain = largest_delta(columns, [ratio], level)
    assert plain == largest_delta(columns, [ratio], level, adaptive=True)


def channel(columns, parts):
    rows = {
        label: {f"{k}": factor * ray[x] for k, (factor, ray) in enumerate(parts)}
        for x, label in enumerate(columns.labels)
    }
    return pp.Channel.of(rows, [f"{k}" for k in range(len(parts))])


@examples(8)
@given(weights, st.sampled_from([(F(1), F(1)), (F(2), F(2)), (F(1), F(3, 2))]))
def test_independent_delta_is_the_largest_audited_one_of_vertices(shares, budgets):
    asked = framework(shares)
    columns = Columns(asked)
    sides = []
    for ratio in budgets:
        mixtures = mixtures_of(extreme_rays(columns.cone(ratio)))
        sides.append([channel(columns, parts) for parts in mixtures])
        kept = [pp.audit(asked, each, pp.Level.log(ratio)).kept for each in sides[-1]]
        assert set(kept) == {Decision.HOLDS}
    known = [pp.smallest_delta(asked, first.beside(second), "log(3/2)").value for first, second in product(*sides)]
    delta = largest_delta(columns, budgets, F(3, 2))
    assert delta == max(known)
    assert delta <= largest_delta(columns, budgets, F(3, 2), adaptive=True)
    assert delta == largest_delta(columns, budgets[::-1], F(3, 2))


@examples(30)
@given(st.lists(st.integers(1, 6), min_size=4, max_size=4))
def test_two_databases_for_each_secret_at_level_0(shares):
    a, b, c, d = shares
    p, q = sorted([F(min(a, b), a + b), F(min(c, d), c + d)])

    def loss(s, t):  # tables with corners s and t, each cell with its lesser 1 / margin
        cells = [(s, t, q), (p - s, p - t, 1 - q), (q - s, q - t, 1 - p)]
        cells.append((1 - p - q + s, 1 - p - q + t, 1 - p))
        return sum(x * y / most for x, y, most in cells)

    columns = Columns(framework(shares))
    plain = largest_delta(columns, [ONE] * 2, ONE)
    adaptive = largest_delta(columns, [ONE] * 2, ONE, adaptive=True)
    assert plain == 1 - min(loss(0, 0), loss(0, p), loss(p, p))
    assert adaptive == 1 - (q * (q - p) + (1 - p - q) ** 2) / (1 - p)
    assert 3 * adaptive <= 4 * plain


@pytest.mark.parametrize(("budgets", "level"), [([], ONE), ([ONE], F(1, 2)), ([F(1, 2)], ONE)])
def test_what_is_no_level_is_refused(budgets, level):
    with pytest.raises(ModelError):
        largest_delta(Columns(framework([1, 2, 3])), budgets, level)


def test_many_releases_are_refused_before_they_are_computed():
    with pytest.raises(TooLargeError):
        largest_delta(Columns(framework([1, 2, 3])), [ONE] * 10_000, ONE)
