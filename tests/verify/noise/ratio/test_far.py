"""Noise that is tiny beside its values: the leakage in nats, in closed form."""

from fractions import Fraction

import pytest

import pufferproof as pp
from pufferproof.verify.noise.ratio.bounds import FarLeakage

EVEN = pp.Table({"a": "1/2", "b": "1/2"})
BITS = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"u": EVEN})


def test_an_inverted_scale_is_told_in_nats() -> None:
    # https://github.com/WICG/attribution-reporting-api/issues/1329: scale epsilon / L1
    noisy = pp.AdditiveNoise({"a": 0, "b": 65536}, pp.Noise.laplace(Fraction(10, 65536)))
    answer = pp.audit(BITS, noisy, "10")
    assert answer.verdict is pp.Verdict.VIOLATES
    assert answer.leakage.enclosure().lower == "429496729.6"
    for level, verdict in (("429496729.6", "SATISFIES"), ("429496729.5999", "VIOLATES")):
        told = pp.audit(BITS, noisy, level).verdict
        assert told is not None
        assert told.value == verdict


@pytest.mark.parametrize("kind", ["laplace", "discrete_laplace"])
def test_numbers_add_up_and_powers_of_rationals_are_enclosed(kind: str) -> None:
    noise = pp.Noise(kind, "1/log(3)")  # type: ignore[arg-type]
    million = 10**6
    noisy = pp.AdditiveNoise({"a": [0, million], "b": [million, 0]}, noise)
    answer = pp.audit(BITS, noisy, "log(3)")
    assert isinstance(answer.leakage, FarLeakage)
    low, high = answer.leakage.nats
    assert low < high
    assert float(low) == pytest.approx(2 * million * 1.0986122886681098)
    assert answer.verdict is pp.Verdict.VIOLATES


def test_mixtures_are_refused_by_name() -> None:
    prior = pp.Table({"a": "1/4", "b": "1/4", "c": "1/2"})
    space = pp.Framework(["a", "b", "c"], {"s": ["a", "b"], "t": ["c"]}, [("s", "t")], {"u": prior})
    noisy = pp.AdditiveNoise({"a": 0, "b": 1, "c": 2}, pp.Noise.laplace(Fraction(1, 10**7)))
    with pytest.raises(pp.ModelError, match="1000000 times the scale"):
        pp.audit(space, noisy, "1")


def test_a_scale_of_thousands_of_digits_has_its_leakage_too() -> None:
    noisy = pp.AdditiveNoise({"a": 0, "b": 1}, pp.Noise.laplace("1e-9999"))
    answer = pp.audit(BITS, noisy, "1e9")
    assert answer.verdict is pp.Verdict.VIOLATES
    assert str(answer.leakage) == "≈ 1E+9999 nats"
