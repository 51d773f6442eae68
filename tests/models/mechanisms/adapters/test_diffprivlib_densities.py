"""Mechanisms of diffprivlib that draw numbers: their densities against the library's draws and
against quadrature, and audits of them.
"""

from collections.abc import Callable
from fractions import Fraction
from math import exp, expm1, inf, log, sqrt
from typing import Any

import numpy as np
import pytest
from flint import fmpq
from tests.models.mechanisms.adapters.laws import expect_frequencies, law

import pufferproof as pp
from pufferproof.models.noise.tables.partial import PartialTable

dl: Any = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
EVEN = pp.Table({"a": "1/2", "b": "1/2"})
BITS = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"u": EVEN})
SATISFIES, VIOLATES = pp.Verdict.SATISFIES, pp.Verdict.VIOLATES
Density = Callable[[float, float], float]


def laplace(y: float, scale: float) -> float:
    return exp(-abs(y) / scale) / 2 / scale


def folded(y: float, value: float, scale: float, low: float, high: float) -> float:
    images = [k * 2 * (high - low) + one for k in range(-60, 61) for one in (y, 2 * low - y)]
    return sum(laplace(image - value, scale) for image in images) if low <= y <= high else 0.0


def bounded(y: float, value: float, scale: float, low: float, high: float) -> float:
    """Return the density of noise that is drawn again until it lies between two ends."""
    centre = min(max(value, low), high)
    mass = 1 - exp(-(centre - low) / scale) / 2 - exp(-(high - centre) / scale) / 2
    return laplace(y - centre, scale) / mass if low <= y <= high else 0.0


def stairs(z: float, epsilon: float, step: float, gamma: float) -> float:
    """Return the density of Geng and Viswanath (2014)."""
    r, at = exp(-epsilon), abs(z) / step
    height = -expm1(-epsilon) / (2 * step * (gamma + r * (1 - gamma)))
    return float(height * r ** (at // 1 + (at % 1 >= gamma)))


CASES: dict[str, tuple[Any, Density]] = {
    "folded": (
        dl.LaplaceFolded(epsilon=0.5, sensitivity=1, lower=-1, upper=1.5, random_state=1),
        lambda y, v: folded(y, v, 2, -1, 1.5),
    ),
    "bounded domain": (
        dl.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=0, upper=2, random_state=2),
        lambda y, v: bounded(y, v, DOMAIN, 0, 2),
    ),
    "bounded noise": (
        dl.LaplaceBoundedNoise(epsilon=1, delta=0.1, sensitivity=1, random_state=3),
        lambda y, v: bounded(y, v, 1, v - REACH, v + REACH),
    ),
    "uniform": (dl.Uniform(delta=0.25, sensitivity=1, random_state=4), lambda y, v: 0.25 if abs(y - v) <= 2 else 0.0),
    "staircase": (
        dl.Staircase(epsilon=1, sensitivity=1, random_state=5),
        lambda y, v: stairs(y - v, 1, 1, 1 / (1 + exp(1 / 2))),
    ),
    "staircase of a gamma": (
        dl.Staircase(epsilon=0.5, sensitivity=0.75, gamma=0.25, random_state=6),
        lambda y, v: stairs(y - v, 0.5, 0.75, 0.25),
    ),
}
DOMAIN = dl.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=0, upper=2)._find_scale()
REACH = log(1 + (exp(1) - 1) / 2 / 0.1)
PAIRS = [("0", "1"), ("1/4", "1"), ("1", "0"), ("1", "1"), ("0", "5/2"), ("-3", "9/4")]


def share(table: PartialTable, row: int, low: float, high: float) -> float:
    """Return the probability of an interval by the table."""
    ends = [fmpq(*Fraction(end).as_integer_ratio()) for end in (low, high)]
    part = table.densities["number"][row].clipped(*ends)
    return float(part.total().ball() / table.total(row).ball()) if part.segments else 0.0


@pytest.mark.parametrize("name", CASES)
def test_densities_are_those_that_the_library_draws(name: str) -> None:
    mechanism, density = CASES[name]
    values = {"low": -2, "a": 0.5, "high": 3}
    table: Any = pp.as_mechanism(mechanism, values).value
    edges = np.linspace(-2, 3, 11)
    draws, room = 3000, sqrt(log(2 * 10 * 1e9) / (2 * 3000))
    seen = np.histogram([mechanism.randomise(0.5) for _ in range(draws)], edges)[0] / draws
    for low, high, found in zip(edges, edges[1:], seen):
        exact = share(table, 1, low, high)
        points = low + (high - low) * (np.arange(2000) + 0.5) / 2000
        wanted = np.mean([density(y, 0.5) for y in points]) * (high - low)
        assert exact == pytest.approx(wanted, abs=2e-4)
        assert abs(found - exact) < room


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", CASES)
def test_audits_agree_with_quadrature(name: str, pair: tuple[str, str]) -> None:
    mechanism, density = CASES[name]
    table = pp.as_mechanism(mechanism, dict(zip("ab", pair)))
    answer = pp.audit(BITS, table, "1/2", delta="1")
    one, other = (float(Fraction(each)) for each in pair)
    grid = np.arange(-40, 40, 1 / 512) + 1 / 1024 + 1e-6
    f, g = (np.array([density(y, v) for y in grid]) for v in (one, other))
    deltas = [np.maximum(p - exp(0.5) * q, 0).sum() / 512 for p, q in ((f, g), (g, f))]
    assert answer.delta is not None
    assert float(answer.delta.bounds()[1]) == pytest.approx(max(deltas), abs=4e-3)
    seen = (f > 0) | (g > 0)
    with np.errstate(divide="ignore"):
        largest = max((f[seen] / g[seen]).max(), (g[seen] / f[seen]).max())
    if largest == inf:
        assert answer.leakage.upper is None
    else:
        assert float(answer.leakage.upper) == pytest.approx(largest, rel=2e-2)


def test_claims_hold_exactly_at_their_own_parameters() -> None:
    inputs = {"a": 0, "b": 1}
    uniform = pp.as_mechanism(dl.Uniform(delta=0.25, sensitivity=1), inputs)
    found = pp.audit(BITS, uniform, "0", delta="1/4")
    assert found.verdict is SATISFIES
    assert found.delta is not None
    assert found.delta.bounds() == (Fraction(1, 4), Fraction(1, 4))
    stairs_of = pp.as_mechanism(dl.Staircase(epsilon=1, sensitivity=1), inputs)
    assert pp.audit(BITS, stairs_of, "1").verdict is SATISFIES
    assert pp.audit(BITS, stairs_of, "99/100").verdict is VIOLATES
    rational = pp.as_mechanism(dl.Staircase(epsilon=log(3), sensitivity=1), inputs, exactly={"epsilon": "log(3)"})
    assert pp.audit(BITS, rational, "log(3)").verdict is SATISFIES


def test_laplace_noise_with_delta_has_the_scale_that_the_object_computes() -> None:
    mechanism = dl.Laplace(epsilon=1, delta=0.1, sensitivity=1, random_state=1)
    read = pp.as_mechanism(mechanism, {"a": 0, "b": 1})
    assert -1 / float(read.value.noise.decay.nats) == 1 / (1 - np.log(0.9))
    assert "float that it computes" in read.audited
    answer = pp.audit(BITS, read, "1", delta="1/10")
    assert answer.verdict is SATISFIES
    share = np.mean([abs(mechanism.randomise(0)) > 1 for _ in range(3000)])
    assert share == pytest.approx(exp(-(1 - log(0.9))), abs=0.06)


SNAPPING = [
    dl.Snapping(epsilon=1, sensitivity=1, lower=0, upper=10, random_state=1),
    dl.Snapping(epsilon=0.3, sensitivity=0.7, lower=-1.1, upper=10.3, random_state=2),
    dl.Snapping(epsilon=2, sensitivity=1, lower=0, upper=0.25, random_state=3),
]


@pytest.mark.parametrize("mechanism", SNAPPING)
@pytest.mark.parametrize("value", [-3, 0.3, 5, 12])
def test_snapping_is_the_table_of_its_own_floats(mechanism: Any, value: float) -> None:
    read = pp.as_mechanism(mechanism, {"x": value})
    exact = {Fraction(each): p for each, p in law(read.value, "x").items()}
    expect_frequencies(lambda: Fraction(mechanism.randomise(value)), as_text(exact))
    found = pp.agrees(mechanism, read, draws=5000)
    assert found.verdict == "nothing found"


def as_text(exact: dict[Fraction, float]) -> dict[str, float]:
    return {str(each): p for each, p in exact.items()}


def test_snapping_keeps_its_claim() -> None:
    read = pp.as_mechanism(SNAPPING[0], {"a": 3.5, "b": 4.5})
    assert pp.audit(BITS, read, "1").verdict is SATISFIES


def test_records_are_summed() -> None:
    records = pp.Records(2, ("0", "1"))
    table: Any = pp.as_mechanism(dl.Staircase(epsilon=1, sensitivity=1), records, "sum").value
    assert table.databases == records.labels()
    assert table.entries[1] == table.entries[2]


def changed(mechanism: Any, **held: float) -> Any:
    for name, value in held.items():
        setattr(mechanism, name, value)
    return mechanism


TO_BE_READ = {"a": 0, "b": 1}


@pytest.mark.parametrize(
    ("mechanism", "inputs", "exactly", "message"),
    [
        (dl.Bingham(epsilon=1), TO_BE_READ, None, "direction .* estimate"),
        (dl.Vector(epsilon=1, function_sensitivity=1, dimension=2), TO_BE_READ, None, "optimiser .* estimate"),
        (dl.Uniform(delta=0.1, sensitivity=0), TO_BE_READ, None, "above 0"),
        (dl.Uniform(delta=0.1, sensitivity=1), {"a": "x"}, None, "a"),
        (dl.Uniform(delta=0.1, sensitivity=1), {}, None, "what the mechanism gets"),
        (dl.Uniform(delta=0.1, sensitivity=1), pp.Records(2, ("0", "1")), None, "sum"),
        (dl.Staircase(epsilon=1, sensitivity=0), TO_BE_READ, None, "sensitivity above 0"),
        (dl.Staircase(epsilon=1, sensitivity=1), {"a": 0, "b": 5000}, None, "more than 1000"),
        (dl.LaplaceFolded(epsilon=1, sensitivity=1, lower=1, upper=1), TO_BE_READ, None, "lower < upper"),
        (
            dl.LaplaceFolded(epsilon=log(3), sensitivity=1, lower=0, upper=1),
            TO_BE_READ,
            {"epsilon": "log(3)"},
            "rational",
        ),
        (
            dl.LaplaceBoundedNoise(epsilon=log(3), delta=0.1, sensitivity=1),
            TO_BE_READ,
            {"epsilon": "log(3)"},
            "rational epsilon",
        ),
        (
            changed(dl.LaplaceBoundedDomain(epsilon=1, sensitivity=1, lower=0, upper=1), _scale=9.0),
            TO_BE_READ,
            None,
            "_scale",
        ),
        (changed(dl.Snapping(epsilon=1, sensitivity=1, lower=0, upper=10), upper=20.0), TO_BE_READ, None, "_bound"),
        (dl.Snapping(epsilon=1, sensitivity=1, lower=0, upper=100_000), TO_BE_READ, None, "at most 2000"),
    ],
)
def test_what_cannot_be_read_is_one_line(mechanism: Any, inputs: Any, exactly: Any, message: str) -> None:
    with pytest.raises(pp.ModelError, match=message) as caught:
        pp.as_mechanism(mechanism, inputs, exactly=exactly)
    assert "\n" not in str(caught.value)


def test_numbers_that_are_drawn_are_compared() -> None:
    read = pp.as_mechanism(dl.Uniform(delta=0.1, sensitivity=1), TO_BE_READ, check=True)
    assert "nothing found against it" in str(read)
