"""Canonical noise of OpenDP: its density is that of its own draws, and keeps exactly what it
claims.
"""

from fractions import Fraction
from math import log, log1p
from typing import Any

import pytest

import pufferproof as pp
from pufferproof.models.errors import ModelError, TooLargeError
from pufferproof.models.noise.tables.densities import canonical
from pufferproof.models.numbers.pieces import fraction, rational

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib", "honest-but-curious")
SATISFIES, VIOLATES = pp.Verdict.SATISFIES, pp.Verdict.VIOLATES
FLOATS = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
EVEN = pp.Table({"a": "1/2", "b": "1/2"})
BITS = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"even": EVEN})
LOG3 = {"epsilon": "log(3)"}


def noise(epsilon: float = log(3), delta: float = 1 / 8, d_in: float = 1.0) -> Any:
    return dp.m.make_canonical_noise(*FLOATS, d_in=d_in, d_out=(epsilon, delta))


@pytest.mark.parametrize(("delta", "d_in"), [(1 / 8, 1.0), (2.0**-40, 0.75), (1 / 2, 3.0)])
def test_its_draws_have_the_density_that_is_read(delta: float, d_in: float) -> None:
    mechanism = noise(delta=delta, d_in=d_in)
    read = pp.as_mechanism(mechanism, {"a": 0.0, "b": 0.3}, exactly=LOG3, check=True)
    assert read.notes[-1].startswith("nothing found against it in")
    other = pp.as_mechanism(noise(delta=delta, d_in=1.2 * d_in), {"a": 0.0}, exactly=LOG3)
    assert pp.agrees(mechanism, other, {"a": 0.0}, draws=60_000).verdict == "disagrees"


@pytest.mark.parametrize("d_in", [1.0, 0.75])
@pytest.mark.parametrize("delta", [1 / 8, 2.0**-20, 1.0])
def test_it_keeps_exactly_what_it_claims(delta: float, d_in: float) -> None:
    inputs = {"a": 2.0, "b": 2.0 + d_in}
    read = pp.as_mechanism(noise(delta=delta, d_in=d_in), inputs, exactly=LOG3)
    bound = Fraction(delta)
    found = pp.audit(BITS, read, "log(3)", delta=bound)
    assert found.verdict is SATISFIES
    assert found.delta is not None
    assert found.delta.bounds() == (bound, bound)
    if delta < 1:
        assert pp.audit(BITS, read, "log(29/10)", delta=bound).verdict is VIOLATES
    alone = pp.audit(BITS, read, "log(3)")
    assert alone.verdict is VIOLATES
    assert alone.leakage.infinite


def test_the_density_has_the_recursive_distribution_of_the_tradeoff_curve() -> None:
    """F(x) = f(1 - F(x + 1)) if x < -1/2, f(x) = max(0, 1 - delta - R x, (1 - delta - x) / R)."""
    ratio, delta = Fraction(5, 2), Fraction(1, 50)
    density = canonical(Fraction(0), ratio, delta, Fraction(1))

    def below(x: Fraction) -> Fraction:
        low, high = density.support
        if x <= fraction(low):
            return Fraction(0)
        end = rational(min(x, fraction(high)))
        return density.clipped(low, end).total().rational or Fraction(0)

    def curve(x: Fraction) -> Fraction:
        return max(Fraction(0), 1 - delta - ratio * x, (1 - delta - x) / ratio)

    fixed = (1 - delta) / (1 + ratio)
    assert curve(fixed) == fixed
    for place in range(-36, 37):
        x = Fraction(place, 8)
        assert below(x) == 1 - below(-x)
        if abs(x) <= Fraction(1, 2):
            assert below(x) == fixed * (Fraction(1, 2) - x) + (1 - fixed) * (x + Fraction(1, 2))
        elif x < 0:
            assert below(x) == curve(1 - below(x + 1))


@pytest.mark.parametrize(
    ("mechanism", "exactly", "message"),
    [
        (noise(delta=0.0), LOG3, "delta 0, whose every draw ends the process"),
        (noise(), None, "irrational number .* expected exactly="),
        (noise(d_in=0.0), LOG3, "d_in above 0"),
        (dp.c.make_composition([noise(), noise()]), LOG3, "not read inside another"),
        (noise() >> (lambda value: value), LOG3, "not read inside another"),
        (noise(), {"epsilon": "log(4)"}, "rounds to"),
    ],
)
def test_what_is_not_read_is_refused_by_name(mechanism: Any, exactly: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        pp.as_mechanism(mechanism, {"a": 0.0, "b": 1.0}, exactly=exactly)


def test_very_long_noise_is_refused() -> None:
    ratio = {"epsilon": "log(101/100)"}
    with pytest.raises(TooLargeError, match="1000 steps"):
        pp.as_mechanism(noise(log1p(0.01), 1e-9), {"a": 0.0, "b": 1.0}, exactly=ratio)
