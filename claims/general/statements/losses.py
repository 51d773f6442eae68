"""Privacy losses of finite laws, by brute force: the excess of one law over a multiple of another,
for every multiple, of two steps together, of samples, and of losses that are rounded.
"""

from collections.abc import Iterator, Sequence
from itertools import product

from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Masses = Sequence[F]
Pair = tuple[Masses, Masses]


def excess(pair: Pair, t: F) -> F:
    """E_t(P || Q), the sum of max(0, p - t q)."""
    return sum((max(ZERO, p - t * q) for p, q in zip(*pair)), ZERO)


def _multiples(*pairs: Pair) -> list[F]:
    """0, all ratios p/q, between which excesses are linear, and a number above all of them."""
    ratios = {p / q for pair in pairs for p, q in zip(*pair) if q}
    return [ZERO, *ratios, 1 + max(ratios, default=ZERO)]


def is_above(one: Pair, other: Pair, factor: F = ONE) -> bool:
    """Whether the excess of one pair times a factor is at least that of the other at every t >= 0.

    Above all ratios both excesses are constant.
    """
    return all(factor * excess(one, t) >= excess(other, t) for t in _multiples(one, other))


def _processed(pair: Pair, kernel: Sequence[Masses]) -> Pair:
    one, other = (
        [sum((p * row[y] for p, row in zip(law, kernel)), ZERO) for y in range(len(kernel[0]))]
        for law in pair
    )
    return one, other


def _pair(draws: Draws, size: int) -> Pair:
    return draws.law(size), draws.law(size)


def _beside(one: Pair, other: Pair) -> Pair:
    first, second = ([p * q for p, q in product(*laws)] for laws in zip(one, other))
    return first, second


def two_steps(draws: Draws) -> Instance:
    """A pair of laws of two or three outputs above a first step, and one of two outputs above a
    second step, which sees the first of two outputs: each is processed by a kernel, so that it is
    above.
    """
    first, second = _pair(draws, 2 + draws.below(2)), _pair(draws, 2)
    return {
        "A": first,
        "B": second,
        "one": _processed(first, draws.rows(len(first[0]), 2)),
        "two": [_processed(second, draws.rows(2, 2)) for _ in range(2)],
    }


def _together(one: Pair, two: Sequence[Pair]) -> Pair:
    """Both outputs, the second step given the first output."""
    first, second = (
        [p * q for p, row in zip(law, two) for q in row[side]] for side, law in enumerate(one)
    )
    return first, second


_SURE: Pair = ([ONE, ZERO], [ONE, ZERO])
_TOLD: Pair = ([ONE, ZERO], [ZERO, ONE])
_HALF: Pair = ([F(1, 2), F(1, 2)], [F(1, 4), F(3, 4)])
STEPS = Statement(
    family=two_steps,
    given={
        "A, A' above the first step": lambda A, one, **_: is_above(A, one),
        "B, B' above the second step, whatever the first output": lambda B, two, **_: all(
            is_above(B, each) for each in two
        ),
    },
    edges=[
        {"A": _SURE, "B": _SURE, "one": _HALF, "two": [_SURE, _SURE]},
        {"A": _SURE, "B": _SURE, "one": _SURE, "two": [_TOLD, _SURE]},
        {"A": _HALF, "B": _HALF, "one": _HALF, "two": [_HALF, _HALF]},
    ],
    holds=lambda A, B, one, two, factor=ONE: is_above(_beside(A, B), _together(one, two), factor),
    too_strong={"a hundredth less": {"factor": ALMOST}},
    too_weak=[
        "A, A' above the first step",
        "B, B' above the second step, whatever the first output",
    ],
)


def two_pairs(draws: Draws) -> Instance:
    """Two pairs of laws of two or three outputs, and a multiple t."""
    pairs = [_pair(draws, 2 + draws.below(2)) for _ in range(2)]
    return {"one": pairs[0], "two": pairs[1], "t": F(draws.below(9), 1 + draws.below(4))}


def _losses(pair: Pair) -> Iterator[tuple[F, F]]:
    """p/q and p of outputs of both laws."""
    return ((p / q, p) for p, q in zip(*pair) if p and q)


def _convolved(one: Pair, two: Pair, t: F, factor: F = ONE) -> bool:
    """Whether the excess of both is what their laws of p/q say, with the mass where q is 0."""
    certain = [sum((p for p, q in zip(*pair) if not q), ZERO) for pair in (one, two)]
    found = 1 - (1 - certain[0]) * (1 - certain[1])
    for (r, p), (s, q) in product(_losses(one), _losses(two)):
        found += p * q * max(ZERO, 1 - t / (r * s))
    return found == factor * excess(_beside(one, two), t)


CONVOLVED = Statement(
    family=two_pairs,
    holds=_convolved,
    too_strong={"a hundredth less": {"factor": ALMOST}},
)


def samples(draws: Draws) -> Instance:
    """One or two other records, each in the sample with a rate, and a record that is in it with the
    rate q. Outputs given each sample of the others, with the record and without it: a pair of laws,
    processed by a kernel of its own.
    """
    others = 1 + draws.below(2)
    pair = _pair(draws, 2)
    return {
        "A": pair,
        "q": draws.rate([F(1, 2), F(1, 4), F(9, 10), ONE]),
        "rates": [draws.rate([F(1, 2), F(1, 3)]) for _ in range(others)],
        "rows": [_processed(pair, draws.rows(2, 2)) for _ in range(2**others)],
    }


def _mixed(q: F, one: Masses, other: Masses) -> list[F]:
    return [q * a + (1 - q) * b for a, b in zip(one, other)]


def _sampled(q: F, rates: Sequence[F], rows: Sequence[Pair]) -> Pair:
    """The laws of the output with the record and without it, over all samples."""
    present, absent = [ZERO, ZERO], [ZERO, ZERO]
    for row, inside in zip(rows, product((True, False), repeat=len(rates))):
        weight = ONE
        for rate, each in zip(rates, inside):
            weight *= rate if each else 1 - rate
        for y, (a, b) in enumerate(zip(_mixed(q, *row), row[1])):
            present[y] += weight * a
            absent[y] += weight * b
    return present, absent


def _removed(A: Pair, q: F, rates: Sequence[F], rows: Sequence[Pair], factor: F = ONE) -> bool:
    return is_above((_mixed(q, *A), A[1]), _sampled(q, rates, rows), factor)


def _added(A: Pair, q: F, rates: Sequence[F], rows: Sequence[Pair], factor: F = ONE) -> bool:
    present, absent = _sampled(q, rates, rows)
    return is_above((A[1], _mixed(q, *A)), (absent, present), factor)


_ABOVE = "A, A' above every sample with the record and without it"
_SAMPLES = {
    "family": samples,
    "given": {_ABOVE: lambda A, rows, **_: all(is_above(A, row) for row in rows)},
    "edges": [
        {"A": _SURE, "q": F(1, 2), "rates": [F(1, 2)], "rows": [_TOLD, _SURE]},
        {"A": _HALF, "q": F(1, 2), "rates": [F(1, 2)], "rows": [_HALF, _HALF]},
    ],
    "too_strong": {"a hundredth less": {"factor": ALMOST}},
    "too_weak": [_ABOVE],
}
REMOVED = Statement(holds=_removed, **_SAMPLES)  # type: ignore[arg-type]
ADDED = Statement(holds=_added, **_SAMPLES)  # type: ignore[arg-type]


def grids(draws: Draws) -> Instance:
    """A pair of laws of two or three outputs, and up to four ratios, of which the least and the
    largest have all p/q between them; masses are rounded down to multiples of u.
    """
    P, Q = _pair(draws, 2 + draws.below(2))
    ratios = [p / q for p, q in zip(P, Q) if p and q] or [ONE]
    low, high = min(ratios) * F(1, 1 + draws.below(2)), max(ratios) * (1 + draws.below(3))
    points = [low, *(low + (high - low) * F(k, 4) for k in range(1, 4) if draws.whether()), high]
    return {
        "pair": (P, Q),
        "points": sorted({*points, high + 1}),
        "u": draws.among([F(1, 10**6), F(1, 16), F(1, 7)]),
    }


def _down(mass: F, u: F) -> F:
    return mass // u * u


def _between(p: F, q: F, points: Sequence[F]) -> int:
    """The place of the last point at most p/q, not the last of all."""
    return max(i for i, r in enumerate(points[:-1]) if r * q <= p)


def _spread(pair: Pair, points: Sequence[F], u: F) -> list[F]:
    """The masses of P at the points: each p and q at two of them, so that both keep their sums."""
    found = [ZERO] * len(points)
    for p, q in zip(*pair):
        if p and q:
            i = _between(p, q, points)
            r, s = points[i], points[i + 1]
            beyond = (p - r * q) / (1 - r / s)
            found[i + 1] += _down(beyond, u)
            found[i] += _down(p - beyond, u)
    return found


def _grid_times(pair: Pair, points: Sequence[F]) -> list[F]:
    return [*_multiples(pair), *points, (points[0] + points[-1]) / 2]


def _no_lower(pair: Pair, points: Sequence[F], u: F, lost: int = 1, factor: F = ONE) -> bool:
    masses = _spread(pair, points, u)
    missing = lost * (1 - sum(masses, ZERO))
    return all(
        excess(pair, t)
        <= factor * sum((m * max(ZERO, 1 - t / r) for m, r in zip(masses, points)), missing)
        for t in _grid_times(pair, points)
    )


def _no_higher(pair: Pair, points: Sequence[F], u: F, lost: int = 1, factor: F = ONE) -> bool:
    above, below = ([ZERO] * len(points) for _ in range(2))
    for p, q in zip(*pair):
        if p and q:
            i = _between(p, q, points)
            above[i] += _down(p, u)
            below[i] += _down(q, u)
    missing = lost * (1 - sum(below, ZERO))
    return all(
        sum(above[i:], ZERO) - t * (sum(below[i:], ZERO) + missing) <= factor * excess(pair, t)
        for t in _grid_times(pair, points)
        for i in range(len(points))
    )


_HALF_U: Instance = {"pair": _HALF, "points": [F(2, 3), ONE, F(2)], "u": F(1, 7)}
_GRIDS = {
    "family": grids,
    "edges": [_HALF_U],
    "too_strong": {
        "without what is missing": {"lost": 0},
    },
}
UPPER = Statement(holds=_no_lower, **_GRIDS)  # type: ignore[arg-type]
LOWER = Statement(holds=_no_higher, **_GRIDS)  # type: ignore[arg-type]
