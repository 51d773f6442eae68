"""By how much noise on a sum of the records of a Markov chain exceeds a level: delta.

With c[n] = P(n | v) - R P(n | u) and the noise's density g, delta is the integral, or sum, of the
positive part of h(w) = sum_n c[n] g(w - n). Numbers are integers over 2^bits, rounded outward.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt

from ..level import Level, Point, enclosure
from ..reading import Node, require, show, spend
from .laws import Law, Laws, Masses, decay, live, marginal, ordered, place, places
from .model import Model, Query, about, named, opened, precision, width_of
from .normal import Bounds, fixed, mass
from .rounding import Rounded, cut, exponential, plus, times, whole

MOST_NATS = 10_000
FARTHEST = 1 << 20  # nats by which the density falls from a value to a bracket
Bracket = tuple[Fraction, Fraction]  # in steps of n
Cuts = dict[tuple[str, int, int, int, int, int], list[Bracket]]


def at_most(top: Node, paths: Sequence[str]) -> tuple[str, int, str]:
    """For all priors and pairs in both orders: delta is at most so much."""
    claim, model, inputs = opened(top, "level delta width bits cuts", paths, Model)
    level, delta = read(claim, model)
    width, bits = width_of(claim["width"]), precision(claim["bits"])
    cuts, checked, unit = read_cuts(claim["cuts"], model), 0, 1 << bits
    for prior, record, wanted in places(model):
        found = place(model, prior, record, width, bits)
        totals = dict.fromkeys(ordered(wanted, live(found)), 0)
        for ends, laws in found.laws if totals else ():
            sides = weighed(model, prior, record, found.masses, ends, laws, width, bits)
            for v, u in totals:
                if any(laws[v]):
                    own, two = cuts.pop((prior, record, v, u, *ends), []), (laws[v], laws[u])
                    totals[v, u] += bound(model, sides, two, (v, u), level, own, bits)
        for total in totals.values():
            require(total <= delta * unit, "delta: the bound of the integral is more")
            checked += 1
    require(checked > 0 and not cuts, "nothing to check, or cuts of no use")
    seen = "" if width is None else f", by windows of {width - 1} records on either side"
    name = f"the delta of {about(model)} at {level.name}"
    return f"{name} is at most {show(delta)}{seen}", checked, inputs


def witness(top: Node, paths: Sequence[str]) -> tuple[str, int, str]:
    """NX2, NX3: the integral over some outputs, or of the positive part, is more than delta."""
    claim, model, inputs = opened(top, "level delta prior pair outputs bits", paths, Model)
    (level, delta), bits = read(claim, model), precision(claim["bits"])
    require(model.people == 1, "people: no rule that shows a delta of several")
    prior, (record, v, u), pair = named(claim, model)
    found = place(model, prior, record, None, bits)
    require({v, u} <= live(found), "a secret has probability 0")
    (_, laws), nodes = next(found.laws), claim["outputs"].entries()
    sides = exactly(laws)
    c = differences(sides, (laws[v], laws[u]), (v, u), level, bits)
    if model.noise.precision > 0:
        total = sum(integral(c, *each, model.noise.precision, bits)[0] for each in outputs(nodes, model))
    else:
        require(not nodes, "outputs: expected none, as all count")
        require(model.noise.releases == 1, "no rule that shows a delta of several numbers")
        total = by_decay(model, c, bits)[0]
    require(total > delta * (1 << bits), "delta: the bound of the integral is not more")
    where = f"for {show(pair[0])} against {show(pair[1])}, prior {show(prior)}"
    return f"the delta of {about(model)} at {level.name} exceeds {show(delta)} {where}", 1, inputs


def read(claim: dict[str, Node], model: Model) -> tuple[Level, Fraction]:
    require(len(model.groups) == 1, "mechanisms: no rule for the delta of several segments")
    require(model.query_.counts == 1, "no rule for the delta of a histogram of several values")
    level, delta = Level(claim["level"]), claim["delta"].number()
    require(0 <= delta <= 1, "delta: expected a number from 0 to 1")
    few = level.form == "log" or level.value <= MOST_NATS
    require(few, "level: expected at most {} nats", MOST_NATS)
    return level, delta


def read_cuts(node: Node, model: Model) -> Cuts:
    """Read, for each prior, pair and ends of a window, brackets of the places where h is 0."""
    found: Cuts = {}
    for entry in node.entries():
        part = entry.fields("prior pair ends brackets")
        prior, (record, v, u), _ = named(part, model)
        left, right = (each.whole() for each in part["ends"].entries(2))
        key = prior, record, v, u, left, right
        require(key not in found, "cuts: the same twice")
        brackets = list[Bracket]()
        for each in part["brackets"].entries():
            low, high = (step(model.query_, x.number()) for x in each.entries(2))
            ascending = low < high and (not brackets or brackets[-1][1] < low)
            require(ascending, "cuts: expected brackets in order")
            brackets.append((low, high))
        found[key] = brackets
    return found


def step(query: Query, output: Fraction) -> Fraction:
    return (output - query.least) / query.grain


def outputs(nodes: list[Node], model: Model) -> list[tuple[Fraction | None, Fraction | None]]:
    """Read intervals of outputs in order, of which null ends the first and the last."""
    found = list[tuple[Fraction | None, Fraction | None]]()
    for k, node in enumerate(nodes):
        ends = node.entries(2)
        low, high = (None if x.value is None else step(model.query_, x.number()) for x in ends)
        require(low is not None or k == 0, "outputs: expected intervals in order")
        require(high is not None or k == len(nodes) - 1, "outputs: expected intervals in order")
        if low is not None:
            before = found[-1][1] if found else None
            apart = (before is None or before <= low) and (high is None or low < high)
            require(apart, "outputs: expected intervals in order")
        found.append((low, high))
    return found


# --- c[n] ---


def exactly(laws: Laws) -> Masses:
    """Return what the laws of all records add up to."""
    return {v: ((sum(law), 0),) * 2 for v, law in laws.items()}


def weighed(
    model: Model,
    prior: str,
    record: int,
    masses: Masses,
    ends: tuple[int, int],
    laws: Laws,
    width: int | None,
    bits: int,
) -> Masses:
    """Bound by what the laws of a window are to be divided, so that they are P(l, r, n | v)."""
    if width is None:
        return exactly(laws)
    chain = model.priors[prior]
    first, last = max(1, record - width + 1), min(model.count, record + width - 1)
    steps = last - first + (first > 1) + (last < model.count)
    power = chain.base**steps * (chain.unit if first == 1 else 1)
    spend(1, power.bit_length(), power.bit_length())
    before = marginal(chain, first - 1, bits)[ends[0]] if first > 1 else ((1, 0), (1, 0))
    if before[1][0] == 0:
        return {}
    require(before[0][0] > 0, "a probability is in doubt: more bits")
    sides = {}
    for v, (low, high) in masses.items():
        least = over(low, before[1], power, bits, False)
        sides[v] = least, over(high, before[0], power, bits, True)
    return sides


def over(mass_: Rounded, before: Rounded, power: int, bits: int, up: bool) -> Rounded:
    """Round power mass / before."""
    m, e = times(cut((power, 0), bits, up), mass_, bits, up)
    n, f = before
    return (-(-(m << bits + n.bit_length()) // n) if up else (m << bits + n.bit_length()) // n), (
        e - f - bits - n.bit_length()
    )


def differences(sides: Masses, laws: tuple[Law, Law], pair: tuple[int, int], level: Level, bits: int) -> list[Bounds]:
    """Bound 2^bits c[n] at every n."""
    (least, most), (low, high) = (sides[v] for v in pair)
    small, large = ratio(level, bits)
    one = Fraction(1 << bits)
    above = [one / rational(most), one / rational(least)]
    under = [one * small / rational(high), one * large / rational(low)]
    length = max(map(max, laws)).bit_length()
    spend(4 * len(laws[0]), length, 2 * max(x.denominator.bit_length() for x in above + under))
    return [
        (floor(a, above[0]) - floor(b, under[1]) - 1, floor(a, above[1]) + 1 - floor(b, under[0]))
        for a, b in zip(*laws)
    ]


def rational(number: Rounded) -> Fraction:
    long = abs(number[1]) + number[0].bit_length()
    spend(1, long, long)
    return Fraction(number[0]) * Fraction(2) ** number[1]


def ratio(level: Level, bits: int) -> tuple[Fraction, Fraction]:
    """Bound R."""
    if level.form == "log" or level.value == 0:
        return (level.value or Fraction(1),) * 2
    low, high, unit = enclosure(level.value, bits)
    return Fraction(low, unit), Fraction(high, unit)


def floor(n: int, by: Fraction) -> int:
    return n * by.numerator // by.denominator


# --- noise with a decay ---


def by_decay(model: Model, c: list[Bounds], bits: int) -> Bounds:
    """ND3: bound the integral, or sum, of the positive part, in closed form between values."""
    tau = [fixed(decay(model.noise, bits, up), bits, up) for up in (False, True)]
    spend(12 * len(c), 2 * bits, 2 * bits)
    low, high = (closed(c, tau, model.noise.kind != "laplace", bits, up) for up in (False, True))
    return low, high


def closed(c: list[Bounds], tau: list[int], on_integers: bool, bits: int, up: bool) -> int:
    one, side = 1 << bits, [each[up] for each in c]
    if len(c) == 1:
        return max(0, side[0])
    fall, rise = swept(side, tau, bits, up), swept(side[::-1], tau, bits, up)[::-1]
    t, tails = tau[not up], max(0, rise[0]) + max(0, fall[-1])  # all of it falls as t grows
    if on_integers:
        inside = sum(max(0, f + r - x) for f, r, x in [*zip(fall, rise, side)][1:-1])
        total = tails * one + inside * (one - t)
        return max(0, -(-total // (one + t)) if up else total // (one + t))
    parts = sum(piece(r, f, t, bits, up) for r, f in zip(rise[1:], fall))
    return max(0, (tails + parts + up) // 2)


def scaled_by(x: int, t: int, bits: int, up: bool) -> int:
    return -(-x * t >> bits) if up else x * t >> bits


def swept(c: list[int], tau: list[int], bits: int, up: bool) -> list[int]:
    """Bound sum_(j <= n) c[j] tau^(n - j) at every n; numbers may be negative."""
    sums = [c[0]]
    for x in c[1:]:
        last = sums[-1]
        sums.append(x + scaled_by(last, tau[(last > 0) == up], bits, up))
    return sums


def piece(one: int, other: int, t: int, bits: int, up: bool) -> int:
    """Bound twice the integral of the positive part of a e^-(rho (1 - y)) + b e^-(rho y) where y
    lies between 0 and 1, and t = e^-rho.
    """
    unit, (b, a) = 1 << bits, sorted((one, other))
    if a <= 0:
        return 0
    if b >= 0 or -b * unit <= a * t:
        return scaled_by(a + b, unit - t, bits, up)
    if a * unit <= -b * t:
        return 0
    root = isqrt(a * -b * t >> bits)
    return max(0, a + scaled_by(-b, t, bits, up) - 2 * (root if up else root + 1))


# --- normal noise ---


def bound(
    model: Model,
    sides: Masses,
    laws: tuple[Law, Law],
    pair: tuple[int, int],
    level: Level,
    brackets: list[Bracket],
    bits: int,
) -> int:
    """Bound the integral of the positive part of h from above."""
    if not sides:
        return 0  # nobody ever has this record beside the window
    c = differences(sides, laws, pair, level, bits)
    if model.noise.precision == 0:
        require(not brackets, "cuts: expected none")
        return by_decay(model, c, bits)[1]
    signs = [sign(((a, 0), (a, 0)), ((b, 0), (b, 0)), sides, pair, level) for a, b in zip(*laws) if a or b]
    require(0 not in signs, "a sign of c[n] is in doubt: more bits")
    changes = sum(x != y for x, y in pairwise(signs))
    require(len(brackets) == changes, "cuts: {} for {} changes of sign", len(brackets), changes)
    now, total, inverse = signs[0], 0, model.noise.precision
    start: Fraction | None = None
    ends_ = [w - n for each in brackets for w in each for n in (0, len(c) - 1)]
    far = max((x**2 * inverse / 2 for x in ends_), default=Fraction(0))
    require(far <= FARTHEST, "cuts: too far from the values")
    for low, high in brackets:
        ends = [sign_at(w, laws, sides, pair, inverse, level, bits) for w in (low, high)]
        require(ends == [now, -now], "cuts: no change of sign is shown")
        total += integral(c, start, low, inverse, bits)[1] if now > 0 else 0
        total += integral(c, low, high, inverse, bits, doubt=True)[1]
        now, start = -now, high
    return total + (integral(c, start, None, inverse, bits)[1] if now > 0 else 0)


def sign(
    one: tuple[Rounded, Rounded], other: tuple[Rounded, Rounded], sides: Masses, pair: tuple[int, int], level: Level
) -> int:
    """Return the sign of a / P(v) - R b / P(u), from bounds of all four; 0 is in doubt, and what
    is at most 0 counts as less.
    """
    (p, p_), (q, q_) = (sides[v] for v in pair)
    (a, b), (s, t) = whole(one[0], other[1]), whole(p_, q)
    if level.exceeded(Point(a, s, b, t)):
        return 1
    (a, b), (s, t) = whole(one[1], other[0]), whole(p, q_)
    return 0 if level.exceeded(Point(a, s, b, t)) else -1


def sign_at(
    w: Fraction, laws: tuple[Law, Law], sides: Masses, pair: tuple[int, int], inverse: Fraction, level: Level, bits: int
) -> int:
    """Return the sign of h at an output, 0 where these bits do not tell."""
    sums = list[list[Rounded]]()
    for up in (False, True):
        weights = [exponential((w - n) ** 2 * inverse / 2, bits, up) for n in range(len(laws[0]))]
        spend(4 * len(weights), bits, bits)
        ends = list[Rounded]()
        for law in laws:
            total: Rounded = (0, 0)
            for x, e in zip(law, weights):
                total = plus(total, times(cut((x, 0), bits, up), e, bits, up), bits, up)
            ends.append(total)
        sums.append(ends)
    (a, b), (a_, b_) = sums
    return sign((a, a_), (b, b_), sides, pair, level)


def integral(
    c: list[Bounds], low: Fraction | None, high: Fraction | None, inverse: Fraction, bits: int, doubt: bool = False
) -> Bounds:
    """Bound the integral of h between two outputs; with `doubt`, that of its positive part from
    above.
    """
    least = most = 0
    spend(2 * len(c), bits, bits)
    for n, (under, above) in enumerate(c):
        found = mass(low, high, n, inverse, bits)
        above = max(0, above) if doubt else above
        least += under * found[under < 0] >> bits
        most += -(-above * found[above >= 0] >> bits)
    return least, most


RULES = {"noise-delta-at-most": at_most, "noise-delta-witness": witness}
