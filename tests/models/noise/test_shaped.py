"""Noise that is rounded, clamped, hidden or of a scale per database, beside sums and integrals."""

from fractions import Fraction
from math import erf, exp, inf, log, sqrt
from pathlib import Path

import numpy as np
import pytest

import pufferproof as pp
from pufferproof.models.noise.tables.partial import PartialTable
from pufferproof.models.noise.tables.shaped import Shape, shaped

EVEN = pp.Table({"a": "1/2", "b": "1/2"})
BITS = pp.Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"u": EVEN})


def laplace(x: float, scale: float) -> float:
    """P(Z <= x)."""
    return exp(x / scale) / 2 if x < 0 else 1 - exp(-x / scale) / 2


def normal(x: float, sigma: float) -> float:
    return (1 + erf(x / sigma / sqrt(2))) / 2


def delta(f: dict[str, float], g: dict[str, float], epsilon: float) -> float:
    return max(sum(max(0.0, one[w] - exp(epsilon) * other[w]) for w in one) for one, other in ((f, g), (g, f)))


def expect(table: object, rows: list[dict[str, float]], epsilon: str = "1/4") -> None:
    """Compare probabilities, the leakage and a delta with floats."""
    f, g = rows
    for label, row in zip("ab", rows):
        for output, p in row.items():
            share = getattr(table, "probability_approx", None) or table.probability  # type: ignore[attr-defined]
            assert float(share(label, output)) == pytest.approx(p, abs=1e-12), output
    answer = pp.audit(BITS, table, epsilon, delta="1/2")  # type: ignore[arg-type]
    assert answer.delta is not None
    wanted = delta(f, g, float(Fraction(epsilon)))
    assert float(answer.delta.bounds()[1]) == pytest.approx(wanted, abs=1e-12)
    largest = max(max(f[w] / g[w], g[w] / f[w]) if f[w] and g[w] else inf for w in f)
    if answer.leakage.upper is not None:
        assert float(answer.leakage.upper) == pytest.approx(largest, rel=1e-5)


CLAMPS = [(Fraction(0), Fraction(3)), (Fraction(-1, 2), Fraction(1)), (Fraction(1), Fraction(10))]


@pytest.mark.parametrize("bounds", CLAMPS)
@pytest.mark.parametrize("scales", [("1", "1"), ("1", "2"), ("3/2", "1/3")])
def test_rounded_and_clamped_laplace_noise(bounds: tuple[Fraction, Fraction], scales: tuple[str, str]) -> None:
    values = {"a": Fraction(0), "b": Fraction(1)}
    noises = {label: pp.Noise.laplace(scale) for label, scale in zip("ab", scales)}
    table = shaped(values, noises, Shape(grid=Fraction(1), bounds=bounds))
    low, high = bounds
    rows = []
    for label, scale in zip("ab", scales):
        row: dict[str, float] = {}
        for k in range(-400, 401):
            p = laplace(k + 0.5 - float(values[label]), float(Fraction(scale))) - laplace(
                k - 0.5 - float(values[label]), float(Fraction(scale))
            )
            place = min(max(Fraction(k), low), high)
            row[str(place)] = row.get(str(place), 0.0) + p
        rows.append(row)
    expect(table, rows)


def test_rounded_laplace_noise_has_one_output_beyond_all_values() -> None:
    values = {"a": Fraction(0), "b": Fraction(1, 3)}
    noises = dict.fromkeys("ab", pp.Noise.laplace(1))
    table = shaped(values, noises, Shape(grid=Fraction(1, 2)))
    answer = pp.audit(BITS, table)
    f, g = (
        [laplace(k / 2 + 0.25 - float(v), 1) - laplace(k / 2 - 0.25 - float(v), 1) for k in range(-20, 21)]
        for v in values.values()
    )
    largest = max(max(x / y, y / x) for x, y in zip(f, g))
    assert answer.leakage.upper is not None
    assert log(answer.leakage.upper) == pytest.approx(log(largest))
    assert log(largest) <= 1 / 3 + 1e-9


def test_rounding_noise_of_several_scales_needs_bounds() -> None:
    noises = {"a": pp.Noise.laplace(1), "b": pp.Noise.laplace(2)}
    with pytest.raises(pp.ModelError, match="expected clamp beside round"):
        shaped({"a": Fraction(0), "b": Fraction(1)}, noises, Shape(grid=Fraction(1)))


@pytest.mark.parametrize("bounds", CLAMPS)
def test_clamped_laplace_noise_has_atoms(bounds: tuple[Fraction, Fraction]) -> None:
    values = {"a": Fraction(0), "b": Fraction(2)}
    table = shaped(values, dict.fromkeys("ab", pp.Noise.laplace(1)), Shape(bounds=bounds))
    low, high = map(float, bounds)
    grid = np.linspace(low, high, 100_001)
    cells = []
    for v in (0.0, 2.0):
        cumulative = np.array([laplace(x - v, 1) for x in grid])
        cells.append([cumulative[0], *np.diff(cumulative), 1 - cumulative[-1]])
    f, g = ({str(k): float(p) for k, p in enumerate(row)} for row in cells)
    answer = pp.audit(BITS, table, "1/4", delta="1/2")
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(delta(f, g, 0.25), abs=1e-5)
    assert answer.leakage.upper is not None
    largest = max(max(f[w] / g[w], g[w] / f[w]) for w in f)
    assert float(answer.leakage.upper) == pytest.approx(largest, rel=1e-4)


def test_laplace_noise_of_two_scales_tells_far_out() -> None:
    noises = {"a": pp.Noise.laplace(1), "b": pp.Noise.laplace(2)}
    table = shaped({"a": Fraction(0), "b": Fraction(0)}, noises, Shape())
    answer = pp.audit(BITS, table, "1", delta="1/10")
    assert answer.leakage.infinite
    # g > e f from |x| > 2 (1 + log 2) on: there g has e^-(1 + log 2), and f its square
    tail = exp(-1 - log(2))
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(tail - exp(1) * tail**2)


def test_a_largest_ratio_far_out_is_found_where_a_rational_near_it_leaves_next_to_nothing() -> None:
    databases = [f"{k:03b}" for k in range(8)]
    weight = {x: Fraction(3 ** ((x[0] == x[1]) + (x[1] == x[2]))) for x in databases}
    total = sum(weight.values())
    framework = pp.Framework(
        databases,
        {bit: [x for x in databases if x[1] == bit] for bit in "01"},
        [("0", "1")],
        {"any": pp.Table({x: w / total for x, w in weight.items()})},
    )
    values = {x: Fraction(x.count("1")) for x in databases}
    wide = {x: pp.Noise.laplace(1 if x < "100" else 2) for x in databases}
    answer = pp.audit(framework, shaped(values, wide, Shape()), "1")

    def at(bit: str, y: float) -> float:
        scale = {x: 1 if x < "100" else 2 for x in databases}
        return sum(
            float(weight[x]) * exp(-abs(y - float(values[x])) / scale[x]) / scale[x] for x in databases if x[1] == bit
        )

    reached = max(abs(log(at("0", y) / at("1", y))) for y in np.linspace(-80, 80, 8001))
    assert float(answer.leakage.enclosure().lower) == pytest.approx(reached)


@pytest.mark.parametrize("threshold", ["0", "1", "3", "7/2", "9"])
def test_a_key_below_a_threshold_is_not_shown(threshold: str) -> None:
    low = float(Fraction(threshold))
    for values in ({"a": None, "b": Fraction(1)}, {"a": Fraction(2), "b": Fraction(1)}):
        table = shaped(values, dict.fromkeys("ab", pp.Noise.geometric("1/2")), Shape(threshold=Fraction(threshold)))
        rows = []
        for value in values.values():
            row = {"-": 1.0 if value is None else 0.0}
            for k in range(-80, 81):
                p = 0.0 if value is None else 0.5 ** abs(k - int(value)) / 3
                key = "-" if k < low else str(k)
                row[key] = row.get(key, 0.0) + p
            rows.append(row)
        keys = {*rows[0], *rows[1]}
        f, g = ({key: row.get(key, 0.0) for key in keys} for row in rows)
        answer = pp.audit(BITS, table, "1/3", delta="1/2")
        assert answer.delta is not None
        assert float(answer.delta.bounds()[1]) == pytest.approx(delta(f, g, 1 / 3))
        assert answer.leakage.infinite == (None in values.values())


def test_a_published_delta_leaves_out_the_atom_at_the_threshold() -> None:
    # https://github.com/opendp/opendp/issues/2922: (1, 0.0049258) was claimed
    values = {"a": None, "b": Fraction(1)}
    noises = dict.fromkeys("ab", pp.Noise.discrete_laplace(1))
    answer = pp.audit(BITS, shaped(values, noises, Shape(threshold=Fraction(5))), "1", delta="49258/10000000")
    assert answer.verdict is not None
    assert answer.verdict.value == "VIOLATES"
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(0.01338980, abs=1e-8)


@pytest.mark.parametrize("sigma2", ["1/2", "9"])
def test_discrete_gaussian_noise_has_thresholds_and_bounds(sigma2: str) -> None:
    v = float(Fraction(sigma2))
    whole = sum(exp(-k * k / 2 / v) for k in range(-200, 201))
    values = {"a": Fraction(0), "b": Fraction(1)}
    noises = dict.fromkeys("ab", pp.Noise.discrete_gaussian(sigma2))
    for shape, name in (
        (Shape(threshold=Fraction(2)), lambda k: "-" if k < 2 else str(k)),
        (Shape(bounds=(Fraction(-1), Fraction(4))), lambda k: str(min(max(k, -1), 4))),
    ):
        table = shaped(values, noises, shape)
        rows = []
        for value in (0, 1):
            row: dict[str, float] = {}
            for k in range(-60, 61):
                row[name(k)] = row.get(name(k), 0.0) + exp(-((k - value) ** 2) / 2 / v) / whole
            rows.append({key: p for key, p in row.items() if p > 1e-50})
        keys = rows[0].keys() & rows[1].keys() & set(table.outputs)
        f, g = ({key: row[key] for key in keys} for row in rows)
        answer = pp.audit(BITS, table, "1/4", delta="1/2")
        assert answer.delta is not None
        assert float(answer.delta.bounds()[1]) == pytest.approx(delta(f, g, 0.25), abs=1e-12)


def test_gaussian_noise_is_rounded() -> None:
    values = {"a": Fraction(0), "b": Fraction(1)}
    noises = {"a": pp.Noise.gaussian(1), "b": pp.Noise.gaussian("3/2")}
    table = shaped(values, noises, Shape(Fraction(1, 2), (Fraction(-1), Fraction(2))))
    rows = []
    for value, sigma in ((0, 1), (1, 1.5)):
        edges = [-inf, *(k / 2 + 0.25 for k in range(-2, 4)), inf]
        cumulative = [normal(edge - value, sigma) for edge in edges]
        names = ["-1", "-1/2", "0", "1/2", "1", "3/2", "2"]
        rows.append(dict(zip(names, np.diff(cumulative).tolist())))
    expect(table, rows)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ('"round": "0", "clamp": ["0", "1"]', "grid above 0"),
        ('"round": "-1"', "grid above 0"),
        ('"clamp": ["1", "0"]', "low < high"),
        ('"clamp": ["1"]', "clamp"),
        ('"threshold": "1", "round": true', "threshold alone"),
    ],
)
def test_shapes_that_make_no_sense_are_refused(tmp_path: Path, more: str, says: str) -> None:
    (tmp_path / "m.json").write_text(
        '{"format": "pufferproof-mechanism/1", "query": {"a": "0", "b": "1"}, '
        f'"noise": {{"laplace": {{"scale": "1"}}}}, {more}}}'
    )
    with pytest.raises(pp.ModelError, match=says):
        pp.read_mechanism(tmp_path / "m.json", BITS)


def test_noise_of_every_database_is_read_and_must_be_whole(tmp_path: Path) -> None:
    def read(noise: str) -> object:
        (tmp_path / "m.json").write_text(
            f'{{"format": "pufferproof-mechanism/1", "query": {{"a": "0", "b": "0"}}, "noise": {{{noise}}}}}'
        )
        return pp.read_mechanism(tmp_path / "m.json", BITS)

    one = '"a": {"laplace": {"scale": "1"}}'
    answer = pp.audit(BITS, read(f'{one}, "b": {{"laplace": {{"scale": "2"}}}}'))  # type: ignore[call-overload]
    assert answer.leakage.infinite
    with pytest.raises(pp.ModelError, match='no noise for database "b"'):
        read(one)
    with pytest.raises(pp.ModelError, match='"c"'):
        read(f'{one}, "b": {{"laplace": {{"scale": "2"}}}}, "c": {{"laplace": {{"scale": "2"}}}}')
    with pytest.raises(pp.ModelError, match="several kinds"):
        read(f'{one}, "b": {{"gaussian": {{"sigma": "2"}}}}')


def test_discrete_gaussian_noise_needs_integers() -> None:
    values = {"a": Fraction(1, 2), "b": Fraction(0)}
    noises = dict.fromkeys(values, pp.Noise.discrete_gaussian(1))
    for shape in (Shape(bounds=(Fraction(0), Fraction(3))), Shape(threshold=Fraction(1))):
        with pytest.raises(pp.ModelError, match="noise on integers needs integers, found 1/2"):
            shaped(values, noises, shape)


def test_outputs_that_tiny_noise_never_shows_are_left() -> None:
    noises = dict.fromkeys("ab", pp.Noise.discrete_gaussian("1/1000000"))
    values = {"a": Fraction(0), "b": Fraction(1)}
    table = shaped(values, noises, Shape(bounds=(Fraction(0), Fraction(3))))
    assert isinstance(table, PartialTable)
    assert not table.entries[0][-1].terms
    assert str(pp.audit(BITS, table, "1", delta="1/10")).startswith("VIOLATES")


@pytest.mark.parametrize("distance", ["geometric", "laplace"])
@pytest.mark.parametrize("shape", ["clamp", "threshold", "below", "above"])
def test_outputs_at_one_side_of_all_values_are_merged(
    monkeypatch: pytest.MonkeyPatch, distance: str, shape: str
) -> None:
    """With a small limit on outputs the answers are those of the whole list."""
    noise = pp.Noise.geometric("1/2") if distance == "geometric" else pp.Noise.laplace("3/2")
    shapes = {
        "clamp": Shape(bounds=(Fraction(-9), Fraction(12))),
        "threshold": Shape(threshold=Fraction(-7)),
        "below": Shape(bounds=(Fraction(5), Fraction(30))),
        "above": Shape(bounds=(Fraction(-30), Fraction(-2))),
    }
    asked = shapes[shape]
    if distance == "laplace":
        asked = Shape(Fraction(1), asked.bounds or (Fraction(-7), Fraction(20)))
    values = {"a": Fraction(0), "b": Fraction(2)}
    if shape == "threshold" and distance == "geometric":
        values["b"] = Fraction(3)
    answers, sizes = [], []
    for most in (2_000, 7):
        monkeypatch.setattr("pufferproof.models.noise.tables.shaped._MOST_OUTPUTS", most)
        table = shaped(values, dict.fromkeys("ab", noise), asked)
        sizes.append(len(table.outputs))
        answer = pp.audit(BITS, table, "1/3", delta="1/2")
        order = pp.audit(BITS, table, renyi="2").renyi
        assert order is not None
        answers.append((answer.leakage, answer.delta, order.moment_bounds()))
    assert sizes[1] <= 7 < sizes[0]
    (one, delta, moment), (other, again, twice) = answers
    assert one.lower is not None
    assert other.lower is not None
    assert float(one.lower) == pytest.approx(float(other.lower), rel=1e-15)
    assert delta is not None
    assert again is not None
    assert float(delta.bounds()[0]) == pytest.approx(float(again.bounds()[0]), rel=1e-15)
    assert float(moment[0]) == pytest.approx(float(twice[0]), rel=1e-12)


def test_counts_far_above_a_threshold_are_decided_exactly() -> None:
    values = {"a": Fraction(100_000), "b": Fraction(100_001)}
    noises = dict.fromkeys("ab", pp.Noise.geometric("1/2"))
    for shape in (Shape(threshold=Fraction(5)), Shape(bounds=(Fraction(0), Fraction(10**6)))):
        answer = pp.audit(BITS, shaped(values, noises, shape), "log(2)")
        assert answer.leakage.ratio == 2
        assert answer.verdict is pp.Verdict.SATISFIES


def read(tmp_path: Path, text: str) -> object:
    path = tmp_path / "m.json"
    path.write_text('{"format": "pufferproof-mechanism/1", ' + text + "}")
    return pp.read_mechanism(path, BITS)


def test_a_database_without_the_key_has_null(tmp_path: Path) -> None:
    query = '"query": {"a": null, "b": "1"}, "noise": {"laplace": {"scale": "1"}}'
    answer = pp.audit(BITS, read(tmp_path, f'{query}, "threshold": "3"'), "1", delta="1/10")  # type: ignore[call-overload]
    assert answer.leakage.infinite
    assert float(answer.delta.bounds()[0]) == pytest.approx(exp(-2) / 2)
    with pytest.raises(pp.ModelError, match='null for "a", a database without the key'):
        read(tmp_path, query)


def test_rounding_noise_on_integers_changes_nothing(tmp_path: Path) -> None:
    query = '"query": {"a": "0", "b": "1"}, "noise": {"discrete_laplace": {"scale": "1"}}'
    plain, rounded = (read(tmp_path, query + more) for more in ("", ', "round": true'))
    leaks = [pp.audit(BITS, each).leakage for each in (plain, rounded)]  # type: ignore[call-overload]
    assert leaks[0] == leaks[1]


def test_a_density_of_gaussian_noise_is_released_alone_in_any_order():
    values = {"a": Fraction(0), "b": Fraction(1)}
    noises = dict.fromkeys("ab", pp.Noise.gaussian(1))
    shapes = Shape(threshold=Fraction(0)), Shape(Fraction(1))
    density, rounded = (shaped(values, noises, shape) for shape in shapes)
    assert len(rounded.beside(rounded).outputs) > len(rounded.outputs)
    for first, second in ((rounded, density), (density, rounded)):
        with pytest.raises(pp.ModelError, match="audited alone"):
            first.beside(second)
