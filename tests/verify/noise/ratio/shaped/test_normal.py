"""Gaussian noise that is clamped, hidden, rounded or of a sigma per database, beside quadrature."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product

import mpmath
import pytest

import pufferproof as pp
from pufferproof.models.noise.tables.normal import NormalTable
from pufferproof.models.noise.tables.powers import PowerTable
from pufferproof.models.noise.tables.shaped import Shape, shaped
from pufferproof.verify.noise.ratio.shaped import Terms, precise, signs

Law = list[tuple[float, float, float]]  # weight, value, sigma
CELLS = 300


def framework(weights: Sequence[int], first: int) -> pp.Framework:
    labels = [chr(ord("a") + k) for k in range(len(weights))]
    prior = {x: Fraction(w, sum(weights)) for x, w in zip(labels, weights)}
    secrets = {"s": labels[:first], "t": labels[first:]}
    return pp.Framework(labels, secrets, [("s", "t")], {"u": pp.Table(prior)})


PAIR = framework([1, 1], 1)


def tables(values: Sequence[object], sigmas: Sequence[object], shape: Shape) -> object:
    labels = [chr(ord("a") + k) for k in range(len(values))]
    numbers = {x: None if v is None else Fraction(str(v)) for x, v in zip(labels, values)}
    noises = {x: pp.Noise.gaussian(str(s)) for x, s in zip(labels, sigmas)}
    return shaped(numbers, noises, shape)


def density(law: Law, y: float) -> mpmath.mpf:
    return mpmath.fsum(w * mpmath.npdf(y, m, s) for w, m, s in law)


def mass(law: Law, low: float, high: float) -> mpmath.mpf:
    def beyond(m: float, s: float, end: float) -> mpmath.mpf:
        return mpmath.erfc((end - m) / s / mpmath.sqrt(2)) / 2

    return mpmath.fsum(w * (beyond(m, s, low) - beyond(m, s, high)) for w, m, s in law)


def positive(p: Law, q: Law, low: float, high: float, factor: float) -> mpmath.mpf:
    """The integral of max(0, p - factor q), by crossings on a grid."""

    def excess(y: mpmath.mpf) -> mpmath.mpf:
        return density(p, y) - factor * density(q, y)

    grid = mpmath.linspace(low, high, CELLS + 1)
    known = [excess(y) for y in grid]
    cuts = [grid[0]]
    for (a, b), (f, g) in zip(pairwise(grid), pairwise(known)):
        if f * g < 0:
            cuts.append(mpmath.findroot(excess, (a, b), solver="anderson", tol=1e-30))
        cuts.append(b)
    parts = [mass(p, a, b) - factor * mass(q, a, b) for a, b in pairwise(cuts)]
    return mpmath.fsum(max(part, 0) for part in parts)


CASES: list[tuple[list[int], int, list[object], list[object]]] = [
    ([1, 1], 1, [0, 1], [1, 1]),
    ([1, 1], 1, [0, 0], [1, 2]),
    ([1, 1], 1, ["1/2", "-1/3"], ["3/2", "2/3"]),
    ([2, 1, 3], 2, [0, 2, 1], [1, 1, 1]),
    ([2, 1, 3, 1], 2, [0, 2, 2, 0], [1, 2, 2, 1]),
    ([1, 4, 2, 2], 2, [-2, 3, 0, 1], [1, "1/2", "1/2", 3]),
]


def laws_of(case: tuple[list[int], int, list[object], list[object]]) -> tuple[Law, Law]:
    weights, first, values, sigmas = case
    entries = [(w, float(Fraction(str(v))), float(Fraction(str(s)))) for w, v, s in zip(weights, values, sigmas)]
    both = []
    for part in (entries[:first], entries[first:]):
        whole = sum(w for w, _, _ in part)
        both.append([(mpmath.mpf(w) / whole, m, s) for w, m, s in part])
    return both[0], both[1]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("bounds", [(0, 2), (-3, "7/2"), (1, 1000)])
def test_clamped_noise_has_atoms_and_a_density(
    case: tuple[list[int], int, list[object], list[object]], bounds: tuple[object, object]
) -> None:
    low, high = (Fraction(str(end)) for end in bounds)
    table = tables(case[2], case[3], Shape(bounds=(low, high)))
    answer = pp.audit(framework(*case[:2]), table, "1/4", delta="1/2")  # type: ignore[arg-type]
    laws, a, b = laws_of(case), float(low), float(high)
    with mpmath.workdps(40):
        largest, smallest = mpmath.mpf(0), mpmath.mpf(0)
        for p, q in (laws, laws[::-1]):
            atoms = [(mass(f, -1000, a), mass(f, b, 1e6)) for f in (p, q)]
            largest = max(largest, *(x / y for x, y in zip(*atoms)))
            inside = mpmath.linspace(a, min(b, 30), CELLS)
            largest = max(largest, *(density(p, y) / density(q, y) for y in inside))
            factor = mpmath.exp(0.25)
            delta = positive(p, q, a, min(b, 30), factor)
            delta += mpmath.fsum(max(0, x - factor * y) for x, y in zip(*atoms))
            smallest = max(smallest, delta)
        assert answer.delta is not None
        for end in answer.delta.bounds():
            assert float(end) == pytest.approx(float(smallest), rel=1e-12)
        assert answer.leakage.lower is not None
        assert answer.leakage.upper is not None
        assert answer.leakage.upper - answer.leakage.lower <= answer.leakage.lower / 2**40
        found = mpmath.log(mpmath.mpf(answer.leakage.upper.numerator)) - mpmath.log(answer.leakage.upper.denominator)
        assert float(found) == pytest.approx(float(mpmath.log(largest)), rel=1e-3)
        assert found >= mpmath.log(largest) * (1 - mpmath.mpf(10) ** -14)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("threshold", ["-1", "3/2", None])
def test_a_density_from_a_threshold_on(
    case: tuple[list[int], int, list[object], list[object]], threshold: str | None
) -> None:
    shape = Shape(threshold=None if threshold is None else Fraction(threshold))
    table = tables(case[2], case[3], shape)
    answer = pp.audit(framework(*case[:2]), table, "1/4", delta="1/2")  # type: ignore[arg-type]
    laws = laws_of(case)
    low = -30.0 if threshold is None else float(Fraction(threshold))
    with mpmath.workdps(40):
        factor, smallest = mpmath.exp(0.25), mpmath.mpf(0)
        for p, q in (laws, laws[::-1]):
            hidden = mass(p, -1000, low) - factor * mass(q, -1000, low)
            smallest = max(smallest, max(hidden, 0) + positive(p, q, low, 30.0, factor))
        assert answer.delta is not None
        for end in answer.delta.bounds():
            assert float(end) == pytest.approx(float(smallest), rel=1e-12)
    sides = [1] if threshold is not None else [-1, 1]
    ends = [[max((s, side * m) for _, m, s in law) for law in laws] for side in sides]
    assert answer.leakage.infinite == any(one != other for one, other in ends)


def test_levels_at_equality_are_decided() -> None:
    """Two sigmas: densities at 0 have the ratio 2, beyond all others on [-1, 1]."""
    table = tables([0, 0], [1, 2], Shape(bounds=(Fraction(-1), Fraction(1))))
    assert pp.audit(PAIR, table, "log(2)").verdict is pp.Verdict.SATISFIES  # type: ignore[arg-type]
    below = pp.Level(ratio=2 - Fraction(1, 10**30))
    assert pp.audit(PAIR, table, below).verdict is pp.Verdict.VIOLATES  # type: ignore[arg-type]
    kept = pp.audit(PAIR, table, "log(2)", delta="0")  # type: ignore[arg-type]
    assert kept.delta is not None
    assert kept.delta.bounds() == (0, 0)
    broken = pp.audit(PAIR, table, below, delta="0")  # type: ignore[arg-type]
    assert broken.verdict is pp.Verdict.VIOLATES


def test_equal_laws_leak_nothing() -> None:
    for shape in (Shape(threshold=Fraction(1)), Shape(bounds=(Fraction(0), Fraction(1)))):
        table = tables([2, 2], [1, 1], shape)
        answer = pp.audit(PAIR, table, "0", delta="0")  # type: ignore[arg-type]
        assert answer.leakage.ratio == 1
        assert answer.verdict is pp.Verdict.SATISFIES


def test_a_key_that_one_database_does_not_have() -> None:
    table = tables([None, 1], [1, 1], Shape(threshold=Fraction(3)))
    answer = pp.audit(PAIR, table, "5", delta="1/10")  # type: ignore[arg-type]
    assert answer.leakage.infinite
    assert answer.delta is not None
    assert float(answer.delta.bounds()[0]) == pytest.approx(float(mpmath.erfc(2**0.5) / 2))


@pytest.mark.parametrize("bounds", [(Fraction(0), Fraction(3)), (Fraction(-1, 3), Fraction(7, 2))])
@pytest.mark.parametrize("sigmas", [(1, 1), (1, "3/2")])
def test_rounded_and_clamped_noise_has_exact_probabilities(
    bounds: tuple[Fraction, Fraction], sigmas: tuple[object, object]
) -> None:
    table = tables([0, 1], sigmas, Shape(Fraction(1), bounds))
    assert isinstance(table, PowerTable)
    answer = pp.audit(PAIR, table)
    laws: list[Law] = [[(1, v, float(Fraction(str(s))))] for v, s in zip((0, 1), sigmas)]
    with mpmath.workdps(40):
        rows = []
        for law in laws:
            row: dict[Fraction, mpmath.mpf] = {}
            for k in range(-60, 61):
                place = min(max(Fraction(k), bounds[0]), bounds[1])
                row[place] = row.get(place, 0) + mass(law, k - 0.5, k + 0.5)
            rows.append(row)
        largest = max(max(rows[0][k] / rows[1][k], rows[1][k] / rows[0][k]) for k in rows[0])
        assert answer.leakage.lower is not None
        assert float(answer.leakage.lower) == pytest.approx(float(largest), rel=1e-12)
        assert answer.leakage.upper is not None
        moment = max(mpmath.fsum(p[k] ** 2 / q[k] for k in p) for p, q in (rows, rows[::-1]))
        order = pp.audit(PAIR, table, renyi="2").renyi
        assert order is not None
        assert float(order.moment_bounds()[1]) == pytest.approx(float(moment), rel=1e-12)
        twice = pp.compose(PAIR, [table], runs=2).joint.leakage  # type: ignore[list-item]
        assert twice.lower is not None
        assert float(twice.lower) == pytest.approx(float(largest) ** 2, rel=1e-12)
        assert twice.upper is not None


@pytest.mark.parametrize("sigma2", ["1/2", "9"])
def test_discrete_gaussian_noise_with_the_same_extremes_is_enclosed(sigma2: str) -> None:
    """Both secrets have the value 1: far out the ratio is that of its weights."""
    labels = "abcd"
    values = dict(zip(labels, map(Fraction, (0, 1, 1, -1))))
    noises = dict.fromkeys(labels, pp.Noise.discrete_gaussian(sigma2))
    table = shaped(values, noises, Shape(threshold=Fraction(0)))
    assert isinstance(table, NormalTable)
    answer = pp.audit(framework([1, 2, 1, 2], 2), table)
    v = mpmath.mpf(Fraction(sigma2).numerator) / Fraction(sigma2).denominator
    sides = [[(1, 0), (2, 1)], [(1, 1), (2, -1)]]
    with mpmath.workdps(40):
        rows = [
            [mpmath.fsum(w * mpmath.exp(-((k - m) ** 2) / 2 / v) for w, m in f) for k in range(-90, 91)] for f in sides
        ]
        rows = [[mpmath.fsum(row[:90]), *row[90:]] for row in rows]
        largest = max(max(x / y, y / x) for x, y in zip(*rows))
    assert answer.leakage.lower is not None
    assert answer.leakage.upper is not None
    assert float(answer.leakage.lower) == pytest.approx(float(largest), rel=1e-9)
    assert float(answer.leakage.upper) == pytest.approx(float(largest), rel=1e-9)


def test_a_clamp_far_away_is_enclosed_without_a_list() -> None:
    values = {"a": Fraction(0), "b": Fraction(1)}
    noises = dict.fromkeys(values, pp.Noise.discrete_gaussian(4))
    table = shaped(values, noises, Shape(bounds=(Fraction(-3), Fraction(10**4))))
    answer = pp.audit(PAIR, table, "1", delta="1/10")
    assert answer.delta is not None
    assert answer.leakage.upper is not None
    # P(k | b) / P(k | a) = e^((2 k - 1) / 8), and the tail has hardly more
    log = pp.Level(ratio=answer.leakage.upper).enclosure()
    assert float(log.upper) == pytest.approx((2 * 10**4 - 1) / 8, abs=0.01)


def test_signs_are_those_of_the_sum() -> None:
    from flint import arb

    from pufferproof.models.numbers.enclosures import ball

    weights = {(Fraction(0), Fraction(1)): 1, (Fraction(1), Fraction(4)): -2, (Fraction(2), Fraction(1)): 1}
    sums = Terms({place: arb(w) for place, w in weights.items()}, lambda v: 1 / ball(v).sqrt())
    with precise():
        cells = list(signs(sums, None, None))
    for cell, share in product(cells, (0.01, 0.5, 0.99)):
        low = -30.0 if cell.low is None else float(cell.low)
        high = 30.0 if cell.high is None else float(cell.high)
        y = low + share * (high - low)
        if high - low < 1e-6:
            continue
        value = sum(
            w * mpmath.exp(-((y - m) ** 2) / 2 / v) / mpmath.sqrt(v)
            for (m, v), w in ((tuple(map(float, place)), w) for place, w in weights.items())
        )
        assert cell.sign in (0, mpmath.sign(value))
    assert sum(1 for cell in cells if not cell.sign) == 2
