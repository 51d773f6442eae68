"""Bounds without a search, against all pairs of extreme rays, and what the kernel says of them."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.brute.rays import worst

from pufferproof import Framework, MarkovChain, Product, Records, Table
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.exact.program import NotConfirmedError
from pufferproof.lp.worst import at_ratios as record_bound
from pufferproof.lp.worst import certificates
from pufferproof.lp.worst.certificates import direct_bounds, upper_certificate, worst_certificate
from pufferproof.models.errors import CertificateError
from pufferproof.verify.certificates.writing import certified_text

F = Fraction
RATIOS = [F(1), F(5, 4), F(3, 2), F(2), F(7, 3)]


def apart(source):
    """Secrets that determine the database, some pairs of them, at times in one order."""
    names = "abcd"[: source.randint(2, 4)]
    both = [(x, y) for x in names for y in names if x < y]
    pairs = source.sample(both, source.randint(1, len(both)))
    weights = [source.randint(1, 4) for _ in names]
    prior = Table({x: F(w, sum(weights)) for x, w in zip(names, weights)})
    secrets = {x: [x] for x in names}
    one_sided = source.random() < 0.5
    return Columns(Framework(names, secrets, pairs, {"theta": prior}, one_sided=one_sided))


def of_bits(count, prior):
    secrets = {f"x{i}={v}": (i, v) for i in range(1, count + 1) for v in "01"}
    pairs = [(f"x{i}=0", f"x{i}=1") for i in range(1, count + 1)]
    return Columns(Framework.of_records(Records(count, "01"), secrets, pairs, {"theta": prior}))


PRIORS = [
    MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]]),
    MarkovChain(["1/3", "2/3"], [["9/10", "1/10"], ["2/5", "3/5"]]),
    Product([["1/3", "2/3"], ["1/2", "1/2"]]),
    Table({"00": F(1, 2), "01": F(1, 4), "11": F(1, 4)}),  # one database of probability 0
    Table({"00": F(1, 3), "11": F(2, 3)}),  # two records apart
]


def test_where_secrets_determine_the_database_the_worst_case_is_certified_at_once():
    for seed in range(10):
        source = random.Random(seed)
        columns, budgets = apart(source), [source.choice(RATIOS) for _ in range(2)]
        cones = tuple(map(columns.cone, budgets))
        found = direct_bounds(columns, cones, None, 20.0)
        assert found.lower == found.upper == worst(columns, cones)
        assert all(cone.holds(u) for cone, u in zip(cones, found.columns))
        if not columns.framework.one_sided:  # has no certificate
            certified_text(worst_certificate(columns, found, budgets))


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("side", [F(9, 8), F(3, 2), F(2)])
def test_what_per_record_privacy_implies_is_certified_for_any_budgets(prior, side):
    columns = of_bits(2, prior)
    for budgets in ((F(50), F(50)), (F(50), F(5, 4)), (F(1), F(6, 5))):
        cones = tuple(columns.cone(budget, side) for budget in budgets)
        found, exact = direct_bounds(columns, cones, side, 20.0), worst(columns, cones)
        assert found.lower <= exact <= found.upper
        assert found.exact or budgets != (F(50), F(50))
        assert all(cone.holds(u) for cone, u in zip(cones, found.columns))
        certified_text(worst_certificate(columns, found, budgets, side))


def test_a_level_below_what_is_reached_gets_no_certificate():
    columns = of_bits(2, PRIORS[0])
    cones = (columns.cone(F(50), F(2)),) * 2
    found = direct_bounds(columns, cones, F(2), 20.0)
    near = found.upper - F(1, 10**9)
    assert upper_certificate(columns, [F(50)] * 2, F(2), near, 1.0) is None
    forged = worst_certificate(columns, replace(found, lower=F(1)), [F(50)] * 2, F(2), ratio=near)
    with pytest.raises(CertificateError):
        certified_text(forged)


def test_multipliers_that_prove_nothing_make_no_bound(monkeypatch):
    columns = of_bits(2, PRIORS[1])
    cones = (columns.cone(F(50), F(2)),) * 2
    less = certificates._of_both
    monkeypatch.setattr(certificates, "_of_both", lambda *of: {k: v * F(99, 100) for k, v in less(*of).items()})
    assert direct_bounds(columns, cones, F(2), 20.0) is None


def test_a_program_that_is_not_solved_is_left_to_the_search(monkeypatch):
    def refuse(*_):
        raise NotConfirmedError("too large")

    monkeypatch.setattr(record_bound, "largest_ratio", refuse)
    columns = of_bits(2, PRIORS[0])
    cones = (columns.cone(F(50), F(2)),) * 2
    assert direct_bounds(columns, cones, F(2), 20.0) is None
    assert upper_certificate(columns, [F(50)] * 2, F(2), F(50), 20.0) is not None


def test_secrets_with_several_databases_and_no_level_per_record_are_searched():
    columns = of_bits(2, PRIORS[0])
    assert direct_bounds(columns, (columns.cone(F(2)),) * 2, None, 20.0) is None
    side = F(1)  # of rows that are equal, nothing leaks
    assert direct_bounds(columns, (columns.cone(F(2), side),) * 2, side, 20.0) is None
