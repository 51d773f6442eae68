"""Noise on a query of a short sequence of bits as programs: laws of sequences are listed, and noise
is a list of likelihoods, so that outputs have sums of fractions.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pufferproof.claims.language.instances.chains import Path, chain, sequences
from pufferproof.claims.language.instances.laws import ALMOST, ONE, ZERO, within
from pufferproof.claims.language.statements import Draws, Fraction, Instance, Statement

F = Fraction
Law = Mapping[Path, F]
Ends = tuple[int | None, int | None]
Counts = dict[int, F]


def around_a_record(draws: Draws) -> Instance:
    """A chain of three or four bits, zeros and ties at times, in one of eight cases any law of
    three; a window around a record, up to the ends of the sequence at times; a query that adds 1, 2
    or 3 where a record is 1; noise of any kind, with likelihoods from 0 to 3 at the distances 0 and
    1 and at larger ones; m the largest quotient within the window, half more, or 2 where it is
    infinite.
    """
    length, any_law = 3 + draws.below(2), draws.below(8) == 7
    if any_law:
        law = dict(zip(_paths(3), draws.positive_law(8, 2)))
    else:
        law = sequences(*chain(draws, 2, draws.below(4) == 3), length)
    length = len(next(iter(law)))
    record = draws.below(length)
    first, last = max(0, record - draws.below(2)), min(length - 1, record + draws.below(2))
    adds = [1 + draws.below(3) if draws.whether() else 1 for _ in range(length)]
    noise = [F(draws.below(4) if draws.below(8) == 7 else 1 + draws.below(3)) for _ in range(3)]
    drawn: Instance = {
        "law": law,
        "record": record,
        "window": (first, last),
        "adds": adds,
        "noise": noise,
    }
    sums = _within_window(**drawn)
    infinite = any(p and not q for p, q in sums)
    m = F(2) if infinite else max([p / q for p, q in sums if q], default=F(1))
    return {**drawn, "m": m + F(draws.below(2), 2)}


def _paths(length: int) -> list[Path]:
    return [tuple(n >> t & 1 for t in range(length)) for n in range(2**length)]


def _ends(path: Path, window: tuple[int, int], sides: str = "lr") -> Ends:
    """Return the bits right before and after a window, None beyond the sequence."""
    first, last = window
    left = path[first - 1] if first > 0 and "l" in sides else None
    return left, path[last + 1] if last + 1 < len(path) and "r" in sides else None


def _inside(path: Path, window: tuple[int, int], adds: Sequence[int]) -> int:
    return sum(adds[t] * path[t] for t in range(window[0], window[1] + 1))


def _total(path: Path, adds: Sequence[int]) -> int:
    return sum(n * x for n, x in zip(adds, path))


def _at(noise: Sequence[F], distance: int) -> F:
    return noise[min(abs(distance), len(noise) - 1)]


def _within_window(
    law: Law,
    record: int,
    window: tuple[int, int],
    adds: Sequence[int],
    noise: Sequence[F],
    m: F | None = None,
    sides: str = "lr",
) -> list[tuple[F, F]]:
    """Return the sums over n of P(l, r, F = n | v) h(u - n), for v = 1 and 0, at every l, r, u."""
    known: dict[Ends, tuple[Counts, Counts]] = {}
    masses = _masses(law, record)
    for path, p in law.items():
        counts = known.setdefault(_ends(path, window, sides), ({}, {}))[1 - path[record]]
        n = _inside(path, window, adds)
        counts[n] = counts.get(n, ZERO) + p / masses[path[record]]
    return [pair for both in known.values() for pair in _noisy(both, adds, noise)]


def _noisy(both: tuple[Counts, Counts], adds: Sequence[int], noise: Sequence[F]) -> list[Any]:
    """Return the sums over n of P(n) h(u - n) for two laws of counts, at every u."""
    return [
        tuple(sum([p * _at(noise, u - n) for n, p in law.items()], ZERO) for law in both)
        for u in range(-2, sum(adds) + 3)
    ]


def _masses(law: Law, record: int) -> list[F]:
    masses = [ZERO, ZERO]
    for path, p in law.items():
        masses[path[record]] += p
    return masses


def _released(
    law: Law, record: int, window: object, adds: Sequence[int], noise: Sequence[F], m: F = ONE
) -> list[tuple[F, F]]:
    """Return f(w | 1) and f(w | 0) at every output."""
    masses, both = _masses(law, record), (Counts(), Counts())
    for path, p in law.items():
        counts, n = both[1 - path[record]], _total(path, adds)
        counts[n] = counts.get(n, ZERO) + p / masses[path[record]]
    return _noisy(both, adds, noise)


def _holds(factor: F = ONE, **instance: Any) -> bool:
    return all(p <= factor * instance["m"] * q for p, q in _released(**instance))


def _independent(law: Law, record: int, window: tuple[int, int], **_: object) -> bool:
    """Whether the other records are independent of those in the window, given the two ends."""
    first, last = window
    ends: dict[Any, F] = {}
    inside: dict[Any, F] = {}
    outside: dict[Any, F] = {}
    both: dict[Any, F] = {}
    for path, p in law.items():
        end, near, far = (
            _ends(path, window),
            path[first : last + 1],
            path[:first] + path[last + 1 :],
        )
        for table, key in ((ends, end), (inside, (end, near)), (outside, (end, far))):
            table[key] = table.get(key, ZERO) + p
        both[end, near, far] = p
    return all(
        both.get((end, near, far), ZERO) * ends[end] == p * outside[end, far]
        for (end, near), p in inside.items()
        for other, far in outside
        if other == end
    )


def _bounded(m: F, **instance: Any) -> bool:
    pairs = _within_window(**instance)
    return within(dict(enumerate(p for p, _ in pairs)), dict(enumerate(q for _, q in pairs)), m)


def _both_values(law: Law, record: int, **_: object) -> bool:
    return all(_masses(law, record))


FIVE: Instance = {
    "law": sequences([F(1, 3), F(2, 3)], [[F(3, 4), F(1, 4)], [F(1, 2), F(1, 2)]], 5),
    "record": 2,
    "window": (2, 2),
    "adds": [1, 2, 1, 1, 3],
    "noise": [F(3), F(2), F(1)],
    "m": F(15, 2),
}
COPIED: Instance = {  # a third bit that repeats the first one, beyond the window
    "law": {(x, y, x): F(1, 4) for x in (0, 1) for y in (0, 1)},
    "record": 0,
    "window": (0, 0),
    "adds": [1, 1, 3],
    "noise": [F(3), F(2), F(1)],
    "m": F(2),
}
CHAIN = "given l and r, R is independent of X_i and F"
BOUNDED = "the sums over n are at most m times one another, at all l, r and u"
WINDOW = Statement(
    family=around_a_record,
    given={"both values are possible": _both_values, CHAIN: _independent, BOUNDED: _bounded},
    holds=_holds,
    too_strong={
        "99/100 of m": {"factor": ALMOST},
    },
    too_weak=[CHAIN, BOUNDED],
    edges=[FIVE, COPIED],
)


def above_a_level(draws: Draws) -> Instance:
    """A sequence, a window and a query as above; noise of any kind up to the distance 2, and a
    ratio K from 1/2 to 5/2.
    """
    drawn = around_a_record(draws)
    del drawn["m"]
    return {**drawn, "noise": [*drawn["noise"], ZERO], "K": F(1 + draws.below(5), 2)}


def _bounds_delta(K: F, factor: F = ONE, sides: str = "lr", **instance: Any) -> bool:
    """Whether the sum of max(0, f(w | 1) - K f(w | 0)) is at most the one over l, r and u."""
    if not _both_values(**instance):
        return False
    pairs = _released(**instance), _within_window(**instance, sides=sides)
    whole, parts = (sum([max(ZERO, p - K * q) for p, q in each], ZERO) for each in pairs)
    return whole <= factor * parts


WINDOW_DELTA = Statement(
    family=above_a_level,
    given={
        "both values are possible": lambda K, **instance: _both_values(**instance),
        CHAIN: lambda K, **instance: _independent(**instance),
    },
    holds=lambda factor=ONE, sides="lr", **instance: _bounds_delta(
        **instance, factor=factor, sides=sides
    ),
    too_strong={
        "99/100 of it": {"factor": ALMOST},
        "with l alone": {"sides": "l"},
    },
    too_weak=[CHAIN],
    edges=[
        {**{name: x for name, x in each.items() if name != "m"}, "noise": [*each["noise"], ZERO]}
        | {"K": ONE}
        for each in (FIVE, COPIED)
    ],
)
