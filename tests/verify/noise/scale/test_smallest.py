"""The smallest noise for a delta or a Renyi divergence: closed forms of one bit, and the audit
keeps the upper end and breaks the lower one.
"""

from fractions import Fraction
from math import exp, log

import pytest
from scipy.optimize import brentq

from pufferproof import AdditiveNoise, Framework, ModelError, Noise, Table, audit, smallest_noise

LAW = {"a": "1/2", "b": "1/8", "c": "3/8"}
FRAMEWORK = Framework("abc", {"s": ["a"], "t": ["b", "c"]}, [("s", "t")], {"theta": Table(LAW)})
PAIR = Framework(
    "ab", {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table(dict.fromkeys("ab", "1/2"))}
)
BIT = AdditiveNoise({"a": 0, "b": 3}, Noise.gaussian(1))
SEVERAL = {"a": (0, 1), "b": (1, 0), "c": (2, 2)}


@pytest.mark.parametrize("epsilon", ["0", "0.7", "log(3)"])
@pytest.mark.parametrize("delta", ["1/10", "1/1000"])
def test_a_bit_has_the_closed_form_for_a_delta(epsilon, delta):
    """delta = 1 - e^((epsilon - 3/b) / 2)."""
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
    found = smallest_noise(
        FRAMEWORK, AdditiveNoise(table, Noise.laplace(1)), "0.5", **asked, noise="laplace"
    )
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
