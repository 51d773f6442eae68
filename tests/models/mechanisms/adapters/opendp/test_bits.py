"""Bit vectors of OpenDP: exact laws against all outputs by definition, and against draws."""

from fractions import Fraction
from math import comb, isclose, log
from typing import Any

import pytest
from tests.models.mechanisms.adapters.laws import expect_frequencies, law

import pufferproof as pp
from pufferproof.models.mechanisms.adapters.opendp.responses import of_groups
from pufferproof.models.mechanisms.library import version_of

dp: Any = pytest.importorskip("opendp.prelude", exc_type=ImportError)
dp.enable_features("contrib")
pytestmark = pytest.mark.skipif(version_of("opendp").startswith("0.14"), reason="it never flips the last bit")
BITS = (dp.bitvector_domain(max_weight=4), dp.discrete_distance())
FRAMEWORK = pp.Framework(["d", "e"], {"s": ["d"], "t": ["e"]}, [("s", "t")], {"u": pp.Table({"d": "1/2", "e": "1/2"})})
MEASUREMENT = dp.m.make_randomized_response_bitvec(*BITS, f=0.25)


def all_outputs(argument: bytes, flip: Fraction) -> dict[bytes, Fraction]:
    """Every output of an argument with its probability, each bit flipped."""
    law: dict[bytes, Fraction] = {b"": Fraction(1)}
    for held in argument:
        law = {
            before + bytes([output]): share
            * flip ** (output ^ held).bit_count()
            * (1 - flip) ** (8 - (output ^ held).bit_count())
            for before, share in law.items()
            for output in range(256)
        }
    return law


@pytest.mark.parametrize(
    "arguments",
    [
        [b"\x0c", b"\x03"],
        [b"\x0c", b"\x0c"],
        [b"\x00", b"\xff", b"\x0f", b"\x35"],
        [b"\x0c\x81", b"\x03\x80"],
        [b"\x00\x01", b"\x30\x01", b"\x33\x00"],
    ],
    ids=["byte", "the same", "four", "two bytes", "three of two bytes"],
)
def test_counts_of_groups_are_all_outputs_joined_where_ratios_are_equal(arguments: list[bytes]) -> None:
    flip = Fraction(1, 5)
    kernel = of_groups(arguments, flip)
    assert kernel.named is not None
    rows = [kernel.row(argument) for argument in arguments]
    by_definition = [all_outputs(argument, flip) for argument in arguments]
    joined: list[dict[str, Fraction]] = [dict.fromkeys(row, Fraction(0)) for row in rows]
    ratios: dict[str, set[tuple[Fraction, ...]]] = {}
    for output in by_definition[0]:
        shares = [law[output] for law in by_definition]
        name = kernel.named(output)
        ratios.setdefault(name, set()).add(tuple(share / shares[0] for share in shares))
        for sums, share in zip(joined, shares):
            sums[name] += share
    assert [{k: v.rational for k, v in row.items()} for row in rows] == joined
    assert all(len(found) == 1 for found in ratios.values())


@pytest.mark.parametrize("delta", ["1/50", "1/3"])
def test_two_bytes_are_the_table_of_all_outputs(delta: str) -> None:
    inputs = {"d": b"\x0c\x81", "e": b"\x03\x80"}
    rows = [all_outputs(argument, Fraction(1, 8)) for argument in inputs.values()]
    table = pp.Channel.of({label: [*row.values()] for label, row in zip(inputs, rows)}, list(map(str, rows[0])))
    read = pp.as_mechanism(MEASUREMENT, inputs)
    assert len(read.value.outputs) == 6
    found = [pp.audit(FRAMEWORK, each, "2", delta=delta) for each in (read, table)]
    assert found[0].leakage == found[1].leakage
    assert found[0].delta.value == found[1].delta.value
    assert found[0].verdict == found[1].verdict


def test_every_bit_of_a_byte_is_flipped() -> None:
    exact = law(pp.as_mechanism(MEASUREMENT, {"x": b"\x0c"}).value, "x")
    assert isclose(exact[str(b"\x0c")], (7 / 8) ** 8)
    expect_frequencies(lambda: MEASUREMENT(b"\x0c"), exact)
    found = pp.audit(FRAMEWORK, pp.as_mechanism(MEASUREMENT, {"d": b"\x0c", "e": b"\x03"}), "8")
    assert "leakage log(2401)" in str(found)
    assert MEASUREMENT.map(1) >= log(2401)


def test_long_vectors_that_differ_in_all_bits() -> None:
    read = pp.as_mechanism(MEASUREMENT, {"d": bytes(20), "e": b"\xff" * 20})
    row = [read.value.probability("e", output) for output in read.value.outputs]
    assert row[3] == comb(160, 3) * Fraction(1, 8) ** 3 * Fraction(7, 8) ** 157
    assert pp.audit(FRAMEWORK, read, f"log({7**160})").verdict.value == "SATISFIES"
    assert pp.audit(FRAMEWORK, read, f"log({7**160 - 1})").verdict.value == "VIOLATES"


@pytest.mark.parametrize("inputs", [{"d": b"", "e": b"\x00"}, {"d": b"abc", "e": b"ab"}])
def test_bytes_of_different_lengths_are_told_apart(inputs: dict[str, bytes]) -> None:
    mechanism = pp.as_mechanism(MEASUREMENT, inputs)
    assert str(pp.audit(FRAMEWORK, mechanism, "100")).startswith("VIOLATES 100; leakage infinite")


@pytest.mark.parametrize(
    "inputs",
    [{"d": b"\x0c"}, {"d": b"\x0c\x01", "e": b"\x03\x01", "f": b"\xff\x00"}, {"d": b"abc", "e": b"ab", "f": b"xy"}],
    ids=["byte", "two bytes", "lengths"],
)
def test_draws_agree(inputs: dict[str, bytes]) -> None:
    assert pp.as_mechanism(MEASUREMENT, inputs, check=True) is not None


def test_draws_of_another_share_disagree() -> None:
    inputs = {"d": b"\x0c\x01", "e": b"\xf3\xfe"}
    other = dp.m.make_randomized_response_bitvec(*BITS, f=0.5)
    read = pp.as_mechanism(MEASUREMENT, inputs)
    assert pp.agrees(other, read, seconds=60.0).verdict == "disagrees"


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"d": "1"}, "expected bytes"),
        ({"d": b"ab", "e": "1"}, "expected bytes"),
        ({"d": bytes(10**5), "e": b"\xff" * 10**5}, "1 groups of 800000 bits"),
        ({"d": bytes(250), "e": b"\xff" * 250}, "2001 outputs, in 2 databases, of up to 2000"),
        ({str(n): (1 << n).to_bytes(2) for n in range(14)}, "14 groups of 14 bits"),
    ],
)
def test_what_is_not_read_is_refused(inputs: dict[str, Any], message: str) -> None:
    with pytest.raises(pp.ModelError, match=message):
        pp.as_mechanism(MEASUREMENT, inputs)


def test_draws_of_compositions_are_not_compared() -> None:
    both = dp.c.make_composition([MEASUREMENT, MEASUREMENT])
    inputs = {"d": b"ab", "e": b"ac"}
    assert len(pp.as_mechanism(both, inputs).parts) == 2
    with pytest.raises(pp.ModelError, match="check each alone"):
        pp.as_mechanism(both, inputs, check=True)
