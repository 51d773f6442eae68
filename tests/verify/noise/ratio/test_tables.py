"""What tables of exponential sums leak: laws, ties, levels decided exactly, and twins."""

from fractions import Fraction
from itertools import product
from math import exp, isclose

import hypothesis.strategies as st
import pytest
from hypothesis import given
from tests import examples
from tests.models.mechanisms.adapters.laws import FRAMEWORK, RECORDS, SECRETS, leakage_approx

import pufferproof as pp
from pufferproof.models.channel import Channel
from pufferproof.models.noise.tables.powers import PowerTable, table_of
from pufferproof.models.numbers.exponential_sums import ONE, ExponentialSum, Power
from pufferproof.strategies import instances
from pufferproof.verify.decision import Decision, Verdict
from pufferproof.verify.noise.ratio.partial import EnclosedTableRatio, table_leakage


def e(*terms: tuple[int | Fraction, int | Fraction]) -> ExponentialSum:
    """Return the sum of c e^x over terms (c, x)."""
    return ExponentialSum([(c, Power.exp(Fraction(x))) for c, x in terms])


def coin(labels: tuple[str, ...], level: Fraction) -> PowerTable:
    rows = {x: {y: e((1, level * sum(a == b for a, b in zip(x, y)))) for y in labels} for x in labels}
    table = table_of(rows)
    assert isinstance(table, PowerTable)
    return table


INDEPENDENT = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", {"theta": pp.Product([["1/2", "1/2"]] * 3)})
COIN = coin(RECORDS.labels(), Fraction(1))


@examples(60)
@given(instances())
def test_rational_tables_leak_what_channels_leak(drawn: tuple[pp.Framework, Channel]) -> None:
    framework, channel = drawn
    found = table_leakage(framework, PowerTable.of_channel(channel))
    expected = pp.audit(framework, channel)
    assert found.leakage == expected.leakage
    assert found.witness.prior == expected.witness.prior


@examples(60)
@given(instances(), st.sampled_from(["0", "1/2", "log(2)"]), st.fractions(0, 1, max_denominator=4))
def test_rational_tables_have_the_delta_of_channels(
    drawn: tuple[pp.Framework, Channel], level: str, delta: Fraction
) -> None:
    framework, channel = drawn
    found = pp.audit(framework, PowerTable.of_channel(channel), level, delta)
    expected = pp.audit(framework, channel, level, delta)
    assert found.verdict == expected.verdict
    assert found.delta is not None
    assert expected.delta is not None
    both = found.delta, expected.delta
    ends = [float(end or 0) for each in both for end in each.bounds()]
    assert ends == pytest.approx([ends[0]] * 4, abs=1e-12)


def test_on_correlated_records_it_leaks_what_the_definition_gives() -> None:
    found = pp.audit(FRAMEWORK, COIN).leakage
    assert found.ratio is None
    assert isclose(float(found.enclosure().lower), leakage_approx(COIN), rel_tol=1e-12)
    one = exp(1)
    near, far = one * (3 * one + 1), one + 3  # of the next two records showing 0
    assert isclose(exp(float(found.enclosure().lower)), one * (3 * near + far) / (near + 3 * far))


@examples(25)
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=3, max_size=3))
def test_rows_with_totals_of_their_own(exponents: list[list[int]]) -> None:
    labels = ["a", "b", "c"]
    rows = {x: {y: e((1, k)) for y, k in zip("uvw", row)} for x, row in zip(labels, exponents)}
    prior = pp.Table({"a": "1/2", "b": "1/3", "c": "1/6"})
    framework = pp.Framework(labels, {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": prior})
    table = table_of(rows)
    found = pp.audit(framework, table).leakage.enclosure()
    assert isclose(float(found.lower), leakage_approx(table, framework), abs_tol=1e-12)
    totals = [sum(map(exp, row)) for row in exponents]
    delta = pp.audit(framework, table, "1/2", "1/2").delta
    assert delta is not None
    p, q = (
        [sum(w * exp(exponents[x][y]) / totals[x] for x, w in given) for y in range(3)]
        for given in ([(0, 1)], [(1, 2 / 3), (2, 1 / 3)])
    )
    expected = max(sum(max(0.0, a - exp(1 / 2) * b) for a, b in zip(*pair)) for pair in ((p, q), (q, p)))
    assert isclose(float(delta.bounds()[0]), expected, abs_tol=1e-12)


@examples(25)
@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=3, max_size=3))
def test_enclosures_hold_what_is_decided_exactly(exponents: list[list[int]]) -> None:
    labels = ["a", "b", "c"]
    rows = {x: {y: e((1, k)) for y, k in zip("uvw", row)} for x, row in zip(labels, exponents)}
    prior = pp.Table({"a": "1/2", "b": "1/3", "c": "1/6"})
    framework = pp.Framework(labels, {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": prior})
    table = table_of(rows)
    if isinstance(table, Channel):
        table = PowerTable.of_channel(table)
    exact = table_leakage(framework, table).leakage
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pufferproof.verify.noise.ratio.partial._MOST_PRODUCTS", 0)
        found = table_leakage(framework, table)
    assert isinstance(found, EnclosedTableRatio)
    assert found.leakage.lower <= exact.upper
    assert exact.lower <= found.leakage.upper
    for nats in ("0.001", "10"):
        level = pp.Level(nats)
        assert found.compare(level) == table_leakage(framework, table).compare(level)


def test_a_level_that_enclosures_meet_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pufferproof.verify.noise.ratio.partial._MOST_PRODUCTS", 0)
    found = pp.audit(INDEPENDENT, COIN, "1")
    assert (found.verdict, found.trust) == (Verdict.UNDECIDED, ("INTERVAL",))
    assert pp.audit(INDEPENDENT, COIN, "1.0001").verdict is Verdict.SATISFIES
    assert pp.audit(INDEPENDENT, COIN, "0.9999").verdict is Verdict.VIOLATES


def test_tiny_levels_are_told_apart() -> None:
    tiny = coin(RECORDS.labels(), Fraction(1, 10**90))
    assert pp.audit(INDEPENDENT, tiny, "1e-90").verdict is Verdict.SATISFIES
    assert pp.audit(INDEPENDENT, tiny, "0.9e-90").verdict is Verdict.VIOLATES


def test_what_is_refused() -> None:
    prior = pp.Table({"a": "1/2", "b": "1/2"})
    other = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"p": prior})
    with pytest.raises(pp.ModelError, match='no row for database "a"'):
        pp.audit(other, COIN)
    convex = pp.Framework.of_records(RECORDS, SECRETS, "disjoint", dict(FRAMEWORK.priors), closure="convex")
    with pytest.raises(pp.ModelError, match="mixtures of priors"):
        pp.audit(convex, COIN)
    with pytest.raises(pp.ModelError, match="negative"):
        table_of({"x": {"u": e((1, 0), (-1, 1))}})
    with pytest.raises(pp.ModelError, match="positive probability"):
        table_of({"x": {"u": e()}})
    with pytest.raises(pp.ModelError, match="at most 100000"):
        COIN.beside(COIN, COIN, COIN, COIN)
    account = pp.Accountant(FRAMEWORK).spend(COIN)
    assert "rational probabilities only" in account.explain()
    with pytest.raises(pp.ModelError, match="rational probabilities only"):
        account.save("/nonexistent/ledger.json")


def test_joint_releases_are_their_product() -> None:
    together = pp.compose(INDEPENDENT, [COIN], runs=2)
    assert together.additive is Decision.HOLDS
    assert pp.audit(INDEPENDENT, COIN.beside(COIN), "2").verdict is Verdict.SATISFIES
    assert together.outputs == ("000", "000")
    shown = pp.Channel.of({x: {x[1]: 1} for x in RECORDS.labels()})
    mixed = pp.compose(FRAMEWORK, [COIN, shown])
    written = {
        x: {
            f"{y},{z}": ExponentialSum([(int(x[1] == z), ONE)]) * entry
            for (y, entry), z in product(zip(COIN.outputs, row), "01")
        }
        for x, row in zip(COIN.databases, COIN.entries)
    }
    twin = table_of(written)
    assert mixed.joint.leakage == pp.audit(FRAMEWORK, twin).leakage
    assert len(mixed.outputs) == 2
