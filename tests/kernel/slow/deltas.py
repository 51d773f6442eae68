"""By how much noise on a query exceeds a level: integrals, or sums, of positive parts."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from math import prod
from typing import Any

from flint import arb, fmpq
from tests.kernel.slow.numbers import Level, Number, decided, expect, number, positive, sign
from tests.kernel.slow.records import Law, Noise, Records

STEPS, FAR = 12, (1, 2, 4, 8, 16, 32)  # places looked at: of a gap; standard deviations outside
Terms = list[tuple[fmpq, Number]]  # numbers in order, and what they weigh
Ball = tuple[Number, Number]  # at least, and at most


def delta_at_most(certificate: Any) -> bool:
    """For all priors and pairs: delta is at most so much."""
    records, level, delta = opened(certificate)
    laws = [records.laws(prior) for prior in records.priors.values()]
    asked = [(own[s], own[t]) for own in laws for s, t in records.pairs if own.keys() >= {s, t}]
    expect(asked)
    answers = [exceeds(records, *two, level, delta) for two in asked]
    return not any(decided(each) for each in answers)


def delta_more(certificate: Any) -> bool:
    """At one pair: delta is more than so much."""
    records, level, delta = opened(certificate)
    (s, t), laws = (certificate["claim"]["pair"], records.laws(records.priors[certificate["claim"]["prior"]]))
    expect((s, t) in records.pairs and laws.keys() >= {s, t})
    return decided(exceeds(records, laws[s], laws[t], level, delta))


def opened(certificate: Any) -> tuple[Records, Level, fmpq]:
    records, delta = Records(certificate), number(certificate["claim"]["delta"])
    queries = [repr(each["query"]) for each in records.mechanisms]
    expect(0 <= delta <= 1 and len({*records.ends}) == 1 == len({*queries}))
    expect("histogram" not in queries[0] or len(records.alphabet) == 2)
    return records, Level(certificate["claim"]["level"]), delta


def exceeds(records: Records, above: Law, below: Law, level: Level, delta: fmpq) -> Callable[[], bool | None]:
    def answer() -> bool | None:
        least, most = delta_of(records, above, below, level)
        return True if least > delta else False if most <= delta else None

    return answer


def delta_of(records: Records, above: Law, below: Law, level: Level) -> Ball:
    """Bound delta. Of several numbers with a decay the first alone, and one whose decay is the
    product of all, from which they can be made.
    """
    zero, noises = fmpq(0), records.noises
    weights = {n: above.get(n, zero) - level.ratio * below.get(n, zero) for n in {*above, *below}}
    terms = sorted(((n[0], c) for n, c in weights.items()), key=lambda term: term[0])
    if noises[0].kind == "gaussian":
        return normal(terms, 1 / arb(sum((1 / each.given**2 for each in noises), zero)).sqrt())
    part = geometric if noises[0].on_integers else exponential
    return max_(part(terms, [each]) for each in noises), part(terms, noises)


def max_(several: Iterator[Number]) -> Number:
    found: Number = fmpq(0)
    for each in several:
        found = each if each > found else found
    return found


def geometric(terms: Terms, noises: list[Noise]) -> Number:
    """The sum of the positive part over all integers."""
    tau, (low, high) = prod(each.fall(fmpq(1)) for each in noises), (terms[0][0], terms[-1][0])
    heights = [
        positive(sum((c * tau ** abs(w - int(n.p)) for n, c in terms), fmpq(0)))
        for w in range(int(low.p), int(high.p) + 1)
    ]
    tails = (heights[0] + heights[-1]) * tau / (1 - tau)
    return (sum(heights, fmpq(0)) + tails) * (1 - tau) / (1 + tau)


def exponential(terms: Terms, noises: list[Noise]) -> Number:
    """The integral of the positive part, piece by piece between the numbers."""
    rate, total = sum((each.rate for each in noises), fmpq(0)), fmpq(0)

    def seen(w: fmpq, side: int) -> Number:
        """What the numbers on one side of w, or at w, weigh there."""
        parts = [c * fall(rate, abs(w - n)) for n, c in terms if (n - w) * side >= 0]
        return sum(parts, fmpq(0))

    for (low, _), (high, _) in pairwise(terms):
        total += piece(seen(low, -1), seen(high, 1), fall(rate, high - low))
    return (total + positive(seen(terms[0][0], 1)) + positive(seen(terms[-1][0], -1))) / 2


def fall(rate: Number, distance: fmpq) -> Number:
    return fmpq(1) if distance == 0 else (-rate * arb(distance)).exp()


def piece(one: Number, other: Number, end: Number) -> Number:
    """The integral of the positive part of one t + other end / t over log t, from end to 1."""
    signs, whole = (sign(one), sign(other)), (one + other) * (1 - end)
    if None in signs or signs[0] * signs[1] >= 0:
        most = (positive(one) + positive(other)) * (1 - end)
        return most if None not in signs else arb(positive(whole)).union(arb(most))
    root = (-other * end / one).sqrt()
    if root >= 1 or root <= end:
        return positive(whole)
    if not end < root < 1:
        most = (positive(one) + positive(other)) * (1 - end)
        return arb(positive(whole)).union(arb(most))
    near = one * (1 - root) + other * end * (1 / root - 1)
    return positive(near) + positive(whole - near)


def normal(terms: Terms, sigma: Number) -> Ball:
    """The integral of the positive part. A sum of k changes of sign has at most k zeros: if k are
    shown, there is no other; if fewer are, nothing is known from above.
    """
    signs = [sign(c) for _, c in terms if not (isinstance(c, fmpq) and c == 0)]
    if not signs:
        return fmpq(0), fmpq(0)
    if None in signs:
        return fmpq(0), fmpq(1)
    changes = sum(a != b for a, b in pairwise(signs))

    def height(w: Number) -> int | None:
        return sign(sum((c * (-(((w - n) / sigma) ** 2) / 2).exp() for n, c in terms), arb(0)))

    def mass(low: Number | None, high: Number | None, c: Number, n: fmpq) -> Number:
        ends = [
            beyond if w is None else ((w - n) / sigma / arb(2).sqrt()).erf()
            for w, beyond in ((low, arb(-1)), (high, arb(1)))
        ]
        return c * (ends[1] - ends[0]) / 2

    shown = [(w, s) for w in places(terms, sigma) if (s := height(w)) not in (None, 0)]
    brackets = [(a, b, s) for (a, s), (b, z) in pairwise(shown) if s != z]
    cuts = [narrowed(height, *each) for each in brackets]
    ends = [None, *(w for cut in cuts for w in cut), None]
    total = doubt = fmpq(0)
    now = shown[0][1] if shown else signs[0]
    for k in range(0, len(ends), 2):
        inside = sum((mass(ends[k], ends[k + 1], c, n) for n, c in terms), fmpq(0))
        total += positive(inside) if now > 0 else 0
        now = -now
    for low, high in cuts:
        doubt += sum((mass(low, high, positive(c), n) for n, c in terms), fmpq(0))
    return total, total + doubt if len(cuts) == changes else fmpq(1)


def places(terms: Terms, sigma: Number) -> list[Number]:
    """Places at which the sign is looked at, in order: exact ones."""
    numbers, unit = [n for n, _ in terms], fmpq(int(8 * float(sigma)) + 1, 8)
    inside = [a + (b - a) * fmpq(k, STEPS) for a, b in pairwise(numbers) for k in range(STEPS)]
    left = [numbers[0] - far * unit * k / 4 for far in reversed(FAR) for k in (4, 3)]
    right = [numbers[-1] + far * unit * k / 4 for far in FAR for k in (3, 4)]
    return [*left, *inside, numbers[-1], *right]


def narrowed(height: Callable[[Number], int | None], low: Number, high: Number, left: int) -> tuple[Number, Number]:
    """A small bracket of a change of sign."""
    for _ in range(48):
        middle = (low + high) / 2
        found = height(middle)
        if not found:
            break
        low, high = (middle, high) if found == left else (low, middle)
    return low, high
