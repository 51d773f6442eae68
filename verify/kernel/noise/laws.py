"""Laws of what the records of a window add to a query, given a record and what stands beside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations
from typing import NamedTuple

from ..reading import TooLarge, require, spend
from .model import Chain, Model, Noise, Query
from .rounding import ONE, ZERO, Matrix, Rounded, Vector, cut, exponential, plus, power_applied, raised, rounded, times

MOST_TERMS = 200_000
Law = list[int]  # of n, up to a factor
Laws = dict[int, Law]  # by the value of the record, up to one factor
Masses = dict[int, tuple[Rounded, Rounded]]  # bounds by the value of the record
Pairs = list[tuple[int, int]]  # of values, in order


class Place(NamedTuple):
    """One prior and record: laws of n for each l and r, made one after the other as they may be
    many, and bounds of P(v), up to factors.
    """

    laws: Iterator[tuple[tuple[int, int], Laws]]
    masses: Masses


def place(model: Model, prior: str, record: int, width: int | None, bits: int) -> Place:
    """Derive the laws of what a window around a record adds; the window is all if width is None."""
    chain, states = model.priors[prior], range(len(model.alphabet))
    first, last = 1, model.count
    if width is not None:
        first, last = max(1, record - width + 1), min(last, record + width - 1)
    query, terms = packing(model.query_, first, last)
    steps = last - first + 2
    field = chain.unit.bit_length() + steps * chain.base.bit_length() + 16 & ~7
    expect_few(terms)
    spend(steps * len(states) ** 3, terms * field, chain.base.bit_length())
    spend(len(states) ** 3, terms * field // 2, 64 * (terms * field).bit_length())
    whole = {0: chain.start} if first == 1 else dict(enumerate(chain.step))
    ends = {0: [1 for _ in states]}
    if last < model.count:
        ends = {r: [row[r] for row in chain.step] for r in states}
    lefts, rights = {}, {}
    for left, now in whole.items():
        for t in range(first, record):
            put = [x << field * n for x, n in zip(now, query.added(t))]
            now = [sum(x * row[y] for x, row in zip(put, chain.step)) for y in states]
        lefts[left] = now
    for right, now in ends.items():
        for t in range(last, record, -1):
            put = [x << field * n for x, n in zip(now, query.added(t))]
            now = [sum(p * x for p, x in zip(row, put)) for row in chain.step]
        rights[right] = now
    own = query.added(record)

    def laws() -> Iterator[tuple[tuple[int, int], Laws]]:
        for left, before in lefts.items():
            for right, after in rights.items():
                packed = [(a * b) << field * n for a, b, n in zip(before, after, own)]
                spend(len(states), terms * field, 64)
                spend(len(states) * terms, field)
                yield (left, right), {v: fields(x, field, terms) for v, x in enumerate(packed)}

    return Place(laws(), marginal(chain, record, bits))


def packing(query: Query, first: int, last: int) -> tuple[Query, int]:
    """Return a query with what a record adds to the power of z, and how many powers there are: of a
    histogram the numbers of all values but the first are digits.
    """
    base = 1 + query.covered(first, last)
    if query.counts == 1:
        return query, 1 + max(query.adds) * (base - 1)
    return query._replace(adds=[0, *(base**k for k in range(query.counts - 1))]), base ** (query.counts - 1)


def expect_few(terms: int) -> None:
    text = "too large: over {} values of a sum, found {}"
    require(terms <= MOST_TERMS, text, MOST_TERMS, terms, fault=TooLarge)


def fields(packed: int, field: int, terms: int) -> Law:
    width = field // 8
    data = packed.to_bytes(width * terms, "little")
    return [int.from_bytes(data[k : k + width], "little") for k in range(0, len(data), width)]


def marginal(chain: Chain, record: int, bits: int) -> Masses:
    """Bound the law of a record."""
    both, steps = [], 0 if chain.stationary else record - 1
    for up in (False, True):
        row = [[rounded(Fraction(x, chain.unit), bits, up) for x in chain.start]]
        step = [[rounded(Fraction(x, chain.base), bits, up) for x in r] for r in chain.step]
        both.append(power_applied(row, step, steps, bits, up)[0])
    return dict(enumerate(zip(*both)))


def decay(noise: Noise, bits: int, up: bool) -> Rounded:
    value = rounded(noise.ratio, bits, up)
    return times(value, exponential(noise.nats, bits, up), bits, up)


def smoothed(law: Law, tau: Rounded, bits: int, up: bool) -> Vector:
    """Bound sum_n law[n] tau^|w - n| at every w."""
    spend(4 * len(law), bits + 1024, bits + 256)
    exact = [cut((x, 0), bits, up) for x in law]
    rising, falling = [*exact], [ZERO] * len(law)
    for w in range(1, len(law)):
        rising[w] = plus(exact[w], times(tau, rising[w - 1], bits, up), bits, up)
        here = plus(exact[-w], falling[-w], bits, up)
        falling[-w - 1] = times(tau, here, bits, up)
    return [plus(x, y, bits, up) for x, y in zip(rising, falling)]


def smoothed_exactly(tau: Fraction, laws: Sequence[Law]) -> list[Law]:
    """Return y^N sum_n law[n] tau^|w - n| at every w, for tau = x / y and laws of N + 1 values."""
    (x, y), last, found = tau.as_integer_ratio(), len(laws[0]) - 1, list[Law]()
    powers = [1]
    for law in laws:
        long = max(law).bit_length() + last * y.bit_length()
        spend(6 * len(law), long, 64)
        spend(4 * len(law), long, long // 16)
        for _ in range(len(powers), len(law) + 1):
            powers.append(powers[-1] * y)
        rising, falling = [law[0]], [0]
        for w in range(1, len(law)):
            rising.append(rising[-1] * x + law[w] * powers[w])
            falling.append((falling[-1] + law[last - w + 1] * powers[w - 1]) * x)
        both = enumerate(zip(rising, reversed(falling)))
        found.append([a * powers[last - w] + b * powers[w] for w, (a, b) in both])
    return found


def live(found: Place) -> set[int]:
    """Return the values of positive probability, whose bounds are never rounded to 0."""
    return {v for v, (low, _) in found.masses.items() if low[0] > 0}


def places(model: Model) -> list[tuple[str, int, Pairs]]:
    wanted = dict[int, Pairs]()
    for s, t in model.pairs:
        (record, one), (_, two) = model.secrets[s], model.secrets[t]
        wanted.setdefault(record, []).append((one, two))
    return [(prior, i, two) for prior in model.priors for i, two in wanted.items()]


def ordered(wanted: Pairs, values: set[int]) -> Pairs:
    both = [two for pair in wanted for two in permutations(pair)]
    return [(v, u) for v, u in dict.fromkeys(both) if v in values and u in values]


def corner(
    model: Model, prior: str, place_of: tuple[int, int, int], powers: list[list[int]], bits: int
) -> tuple[Rounded, Rounded, Rounded, Rounded]:
    """NW2: at extreme values the sum over sequences is a product of matrices, with a power of tau
    for a record of each value.
    """
    (record, *values), chain, answers = place_of, model.priors[prior], list[Rounded]()
    states = range(len(model.alphabet))
    for value, up in zip(values, (False, True)):
        step = [[rounded(Fraction(x, chain.base), bits, up) for x in row] for row in chain.step]
        row = [[rounded(Fraction(x, chain.unit), bits, up) for x in chain.start]]
        after: Matrix = [[ONE for _ in states]]
        tilts = list[Vector]()
        for (_, noise), own_powers in zip(model.groups, powers):
            tau = decay(noise, bits, up)
            tilts.append([raised(tau, n, bits, up) for n in own_powers])
        for steps, k in runs(model, 1, record - 1):
            tilt = [ONE for _ in states] if k is None else tilts[k]
            matrix = [[times(t, x, bits, up) for x in r] for t, r in zip(tilt, step)]
            row = power_applied(row, matrix, steps, bits, up)
        for steps, k in reversed([*runs(model, record + 1, model.count)]):
            tilt = [ONE for _ in states] if k is None else tilts[k]
            matrix = [[times(x, t, bits, up) for x, t in zip(r, tilt)] for r in step]
            columns = [[*column] for column in zip(*matrix)]
            after = power_applied(after, columns, steps, bits, up)
        own = next((k for _, k in runs(model, record, record)), None)
        weight = ONE if own is None else tilts[own][value]
        found = times(times(row[0][value], weight, bits, up), after[0][value], bits, up)
        answers.append(found)
    masses, (v, u) = marginal(chain, record, bits), values
    return answers[0], masses[v][1], answers[1], masses[u][0]


def falls(query: Query, leasts: list[bool]) -> list[int]:
    """Return by how many powers of tau a record of each value lowers the density where outputs are
    the least value of a query, or the largest; of a histogram there is one for each number.
    """
    if query.counts == 1:
        most = max(query.adds)
        return [n if leasts[0] else most - n for n in query.adds]
    others = leasts.count(False)
    return [others + 1 if least else others - 1 for least in leasts]


def runs(model: Model, first: int, last: int) -> list[tuple[int, int | None]]:
    """Return how many records of first .. last are in which segment, or none, in order."""
    found, now = list[tuple[int, int | None]](), first
    for k, (query, _) in enumerate(model.groups):
        low, high = max(now, query.first), min(last, query.last)
        if low <= high:
            found += [(low - now, None)] if low > now else []
            found.append((high - low + 1, k))
            now = high + 1
    return [*found, (last - now + 1, None)] if now <= last else found
