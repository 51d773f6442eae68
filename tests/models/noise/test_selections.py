"""Integrals of permute-and-flip that are not written out, against sums over all subsets."""

from fractions import Fraction
from itertools import product
from math import prod

import hypothesis.strategies as st
import pytest
from flint import ctx
from hypothesis import given
from tests import examples

import pufferproof as pp
from pufferproof.models.errors import TooLargeError
from pufferproof.models.noise.tables import selections
from pufferproof.models.noise.tables.powers import table_of
from pufferproof.models.noise.tables.selections import Coins, weights_of
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.exponential_sums import ExponentialSum, Power, added
from pufferproof.verify.noise.ratio.partial import table_leakage

UNITS = [Power.exp(Fraction(-1, 3)), Power.exp(Fraction(-5)), Power.of(Fraction(2), Fraction(-1))]
UNIT, NONE = UNITS[0], Power()


def by_subsets(losses: list[int], chosen: int, unit: Power) -> ExponentialSum:
    """P(chosen) = sum over what other coins show of P(these) / (1 + heads)."""
    others = [m for place, m in enumerate(losses) if place != chosen]
    chances = [ExponentialSum([(1, unit.to(Fraction(m)))]) for m in others]
    terms = []
    for shown in product([0, 1], repeat=len(others)):
        sides = (p if head else rational(1) - p for p, head in zip(chances, shown))
        terms.append(prod(sides, start=rational(Fraction(1, 1 + sum(shown)))))
    return added(terms).scaled(Fraction(1), unit.to(Fraction(losses[chosen])))


def rational(value: Fraction | int) -> ExponentialSum:
    return ExponentialSum([(value, NONE)])


@given(
    st.lists(st.integers(0, 5) | st.just(20), min_size=1, max_size=6).map(lambda each: [0, *each]),
    st.sampled_from(UNITS),
)
@examples(60)
def test_weights_are_sums_over_subsets(losses: list[int], unit: Power) -> None:
    lazy, plain = (weights_of(losses, unit, written=each) for each in (False, True))
    for place, loss in enumerate(losses):
        exact = by_subsets(losses, place, unit)
        assert plain[loss] == lazy[loss].written() == exact
        for bits in (64, 300):
            with ctx.workprec(bits):
                enclosed = lazy[loss].ball()
                assert enclosed.overlaps(exact.ball())
                assert dyadic(enclosed.rad()) < dyadic(enclosed.mid()) / 2 ** (bits - 16)
    with ctx.workprec(8):  # coins of e^-75 are tossed apart
        assert all(lazy[loss].ball().overlaps(plain[loss].ball()) for loss in losses)
    with ctx.workprec(128):
        assert abs(added(lazy[loss] for loss in losses).ball() - 1) < 1e-30


@pytest.mark.parametrize("count", [40, 300])
def test_many_coins_are_enclosed_closely(count: int) -> None:
    losses = [k % 37 * (k % 3) for k in range(count)]
    found = weights_of(losses, Power.exp(Fraction(-1, 7)), written=False)
    with ctx.workprec(200):
        whole = sum((found[loss].ball() for loss in losses), ball(Fraction(0)))
        assert whole.contains(1)
        assert whole.rad() < 1e-50


@given(st.lists(st.integers(0, 3), min_size=4, max_size=4), st.lists(st.integers(0, 3), min_size=4, max_size=4))
@examples(200)
def test_forms_are_multiples_iff_sums_are(one: list[int], other: list[int]) -> None:
    sides = [weights_of([0, *each], UNIT, written=False)[0] for each in (one, other)]
    written = [each.written() for each in sides]
    assert (sides[0] == sides[1]) == (written[0] == written[1])
    proportional = written[0] * rational(written[1].terms[NONE]) == written[1] * rational(written[0].terms[NONE])
    assert proportional == (written[0] == written[1])
    assert (sides[0] - sides[1]).sign() == (written[0] - written[1]).sign()


def test_a_common_step_of_losses_is_part_of_the_unit() -> None:
    double = Coins(UNIT, (0, 2, 4, 0)).others(0)
    assert double == Coins(UNIT.to(Fraction(2)), (0, 1, 2, 0)).others(0)
    assert double != Coins(UNIT, (0, 1, 2, 0)).others(0)
    assert weights_of([0, 0, 3], UNIT, written=False)[3].terms == {UNIT.to(Fraction(3)): Fraction(1, 3)}


def test_what_cancels_only_when_written_out_is_zero() -> None:
    losses = [0, 1, 1, 2, 5]
    found = weights_of(losses, UNIT, written=False)
    hidden = added(found[loss] for loss in losses) - rational(1)
    assert len(hidden.terms) > 1
    assert hidden.sign() == 0
    assert (hidden + rational(Fraction(1, 10**40))).sign() == 1


def test_what_is_too_long_to_be_written_out_is_refused() -> None:
    losses = list(range(100))
    found = weights_of(losses, Power.exp(Fraction(-1, 9)), written=False)
    hidden = added(found.values()) - rational(1)
    with pytest.raises(TooLargeError, match="100 candidates"):
        hidden.sign()
    with ctx.workprec(1 << 16), pytest.raises(TooLargeError, match="8192 bits"):
        hidden.ball()
    with pytest.raises(ValueError, match="no power of a factor"):
        next(iter(found[1].terms)).to(Fraction(1, 2))


def test_powers_with_factors_multiply_in_any_order() -> None:
    found = weights_of([0, 1, 2, 2], UNIT, written=False)
    one, other = found[0], found[2]
    assert one * other == other * one
    assert (one * other * one).written() == one.written() * other.written() * one.written()


def framework() -> pp.Framework:
    return pp.Framework(["d", "e"], neighbours="substitute")


@pytest.mark.parametrize("scale", [1, 3])
def test_a_ratio_that_meets_a_level_is_decided(scale: int) -> None:
    unit = Power.exp(Fraction(-1, scale))
    rows = {}
    for label, losses in {"d": [0, *[4] * 20, 2], "e": [0, *[4] * 20, 3]}.items():
        found = weights_of(losses, unit, written=False)
        rows[label] = {str(k): found[loss] for k, loss in enumerate(losses)}
    largest = table_leakage(framework(), table_of(rows))
    assert largest.witness.output == "21"
    level = Fraction(1, scale)
    assert largest.compare(pp.Level.of_nats(level)) == 0
    assert largest.compare(pp.Level.of_nats(level + Fraction(1, 10**200))) == -1
    assert largest.compare(pp.Level.of_nats(level - Fraction(1, 10**200))) == 1


def test_written_out_sums_of_few_coins_with_long_losses() -> None:
    losses = [0, 1, 10**15, 10**15 + 1, 3 * 10**14]
    found = weights_of(losses, UNIT, written=False)
    assert found[1].written() == by_subsets(losses, 1, UNIT)
    assert len(losses) ** 2 * sum(losses) > selections._MOST_STEPS
