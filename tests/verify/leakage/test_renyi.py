"""Renyi divergences agree with their definition, and are between the leakage and its bounds."""

import itertools
from fractions import Fraction
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import examples
from tests.brute import definitions as brute

from pufferproof import Channel, Framework, Level, ModelError, Table, audit, renyi_divergence, strategies
from pufferproof.verify.leakage.ratio import leakage

COIN = Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})})


def rows(*of):
    return Channel.of(dict(zip("ab", of)), "uvw"[: len(of[0])])


@pytest.mark.parametrize("order", [2, 3, 5])
@examples(60)
@given(strategies.instances())
def test_integer_orders_agree_with_the_definition(order, instance):
    framework, channel = instance
    found = renyi_divergence(framework, channel, order)
    moment = brute.renyi_moment(framework, channel, order)
    assert found.infinite if moment == brute.INFINITE else found.moment == moment


@examples(60)
@given(strategies.instances(), st.sampled_from(["3/2", "1.1", "7/3", "10.25"]))
def test_bounds_of_other_orders_hold_what_floats_say(instance, order):
    """Both are far closer to each other than the tolerance, which judges the floats."""
    framework, channel = instance
    found = renyi_divergence(framework, channel, order)
    near = brute.renyi_moment(framework, channel, float(Fraction(order)))
    assert found.infinite == (near == brute.INFINITE)
    if not found.infinite:
        lower, upper = found.moment_bounds()
        assert float(lower) == pytest.approx(float(near), rel=1e-9)
        assert lower <= upper <= lower * (1 + Fraction(1, 2**90))


@examples(60)
@given(strategies.instances())
def test_it_grows_with_the_order_up_to_the_leakage(instance):
    framework, channel = instance
    largest, _ = leakage(framework, channel)
    found = [renyi_divergence(framework, channel, order) for order in ("1.01", 2, "5/2", 40)]
    if any(each.infinite for each in found):
        assert largest.infinite
        assert all(each.infinite for each in found)
        return
    ends = [each.enclosure() for each in found]
    assert all(Fraction(a.lower) <= Fraction(b.upper) for a, b in itertools.pairwise(ends))
    assert Fraction(ends[-1].lower) <= Fraction(largest.enclosure().upper)
    assert found[-1].compare(Level.log(largest.ratio)) <= 0


@examples(40)
@given(strategies.instances(), st.sampled_from([2, 3, "3/2"]))
def test_the_level_that_a_rational_moment_stands_for_is_kept_and_none_below(instance, order):
    framework, channel = instance
    found = renyi_divergence(framework, channel, order)
    if found.moment is None or found.moment == 1:
        return
    excess = Fraction(order) - 1
    root = found.moment ** (excess.denominator) if excess.numerator == 1 else None
    if root is not None:
        assert found.compare(Level.log(root)) == 0
        assert found.compare(Level.log(1 + (root - 1) * Fraction(999, 1000))) == 1
    assert found.compare(Level.of_nats(Fraction(found.enclosure().upper) * 2)) == -1
    assert found.compare(Level.of_nats(Fraction(found.enclosure().lower) / 2)) == 1


def test_a_fraction_whose_roots_are_rational_is_exact():
    found = renyi_divergence(COIN, rows(["4/5", "1/5"], ["1/5", "4/5"]), "3/2")
    assert found.moment == Fraction(4, 5) * 2 + Fraction(1, 5) / 2 == Fraction(17, 10)
    assert found.compare(Level.log(Fraction(289, 100))) == 0
    assert str(found).startswith("Renyi divergence of order 3/2 2 log(17/10) ≈ 1.061257 nats")


def test_no_difference_is_zero_and_a_ruled_out_secret_infinite():
    same = renyi_divergence(COIN, rows(["1/3", "2/3"], ["1/3", "2/3"]), "1.7")
    assert same.moment == 1
    assert same.compare(Level("0")) == 0
    assert same.as_json()["epsilon"] == {"lower": "0", "upper": "0"}
    lost = renyi_divergence(COIN, rows(["1/2", "1/2"], [0, 1]), 2)
    assert lost.infinite
    assert lost.pair == ("s", "t")
    assert lost.as_json()["moment"] == "inf"
    assert lost.compare(Level("1000")) == 1


def test_an_audit_decides_the_order():
    channel = rows(["3/4", "1/4"], ["1/4", "3/4"])
    kept = audit(COIN, channel, "log(7/3)", renyi=2)
    assert (kept.verdict.value, kept.trust) == ("SATISFIES", ("EXACT",))
    assert audit(COIN, channel, "log(69/30)", renyi=2).verdict.value == "VIOLATES"
    assert audit(COIN, channel, "log(7/3)").verdict.value == "VIOLATES"
    enclosed = audit(COIN, channel, "log(2)", renyi="1.9")
    assert enclosed.trust == ("EXACT", "INTERVAL")
    assert audit(COIN, channel, renyi=2).verdict is None
    assert exp(float(kept.renyi.enclosure().lower)) == pytest.approx(7 / 3)


def test_orders_that_are_none_are_refused():
    for order in [1, "1/2", 0, -2, 10**9, "1.00000001"]:
        with pytest.raises(ModelError, match="expected an order above 1"):
            renyi_divergence(COIN, rows([1], [1]), order)


def test_what_does_not_go_together_is_refused():
    channel = rows(["3/4", "1/4"], ["1/4", "3/4"])
    with pytest.raises(ModelError, match="found both"):
        audit(COIN, channel, "1", delta="1/10", renyi=2)
    priors = {"theta": Table({"a": "1/2", "b": "1/2"}), "eta": Table({"a": "1/3", "b": "2/3"})}
    hull = Framework("ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], priors, closure="convex")
    with pytest.raises(ModelError, match="needs listed priors"):
        renyi_divergence(hull, channel, 2)


def test_the_command_prints_it(run, save):
    framework = {
        "format": "pufferproof-framework/1",
        "databases": ["a", "b"],
        "secrets": {"s": ["a"], "t": ["b"]},
        "pairs": [["s", "t"]],
        "priors": {"theta": {"table": {"a": "1/2", "b": "1/2"}}},
    }
    mechanism = {
        "format": "pufferproof-mechanism/1",
        "outputs": ["u", "v"],
        "channel": {"a": ["3/4", "1/4"], "b": ["1/4", "3/4"]},
    }
    files = save("f.json", framework), save("m.json", mechanism)
    code, out, _ = run("audit", *files, "--epsilon", "log(7/3)", "--renyi", "2", "--json")
    assert code == 0
    assert '"alpha": "2"' in out
    assert '"moment": "7/3"' in out
    code, out, _ = run("audit", *files, "--epsilon", "0.8", "--renyi", "2")
    assert code == 1
    assert out.startswith("VIOLATES 0.8 nats at order 2\n")
    assert "Renyi     log(7/3) ≈ 0.8472979 nats, the divergence of order 2" in out
    for options, message in [
        (["--renyi", "1"], "expected an order above 1"),
        (["--renyi", "two"], "--renyi"),
        (["--renyi", "nan"], "--renyi"),
        (["--renyi", "2", "--epsilon", "1", "--delta", "0.1"], "found both"),
        (["--renyi", "2", "--certificate", "c.json"], "no rule for Renyi"),
    ]:
        code, out, err = run("audit", *files, *options)
        assert (code, out) == (2, "")
        assert message in err
