"""Claims about the delta of noise on one query of the records of Markov chains, for the kernel.

With c[n] = P(n | v) - e^epsilon P(n | u) the noise leaves h(w) = sum_n c[n] g(w - n). Normal noise
has at most as many zeros of h as c has changes of sign: brackets around all of them, found here by
balls, say where h is positive.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from pufferproof.models.errors import CertificateError
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.writing import level_json
from pufferproof.verify.decision import Decision
from pufferproof.verify.engines import ask
from pufferproof.verify.noise.integrals.delta.windows import DeltaWindows
from pufferproof.verify.noise.laws.of_framework import LawPair
from pufferproof.verify.noise.laws.of_records import sequence_laws

if TYPE_CHECKING:
    from flint import arb

BITS = (96, 192, 512)
_WIDTHS = (64, 128, 256)
_PRECISION = 320
_NEARLY_HALF = Fraction(63, 128)
_STEPS = 60  # halvings of a bracket
_SEARCHED = 8  # places per standard deviation where a change of sign is looked for

Claim = JsonObject
Bracket = tuple[Fraction, Fraction]
_Ends = tuple[tuple[int, int], LawPair]  # what lies beside a window, and the laws given it


def delta_claims(audit: Audit, queries: Sequence[RecordQuery]) -> tuple[str, Iterator[Claim]]:
    """Return the kind of a certificate of the delta of an audit, and the claims that may be
    accepted.

    Raises `CertificateError` if the zeros of normal noise are fewer than the rule asks for.
    """
    if audit.level is None or audit.delta_bound is None:
        raise CertificateError("expected a delta at a level")
    asked = {"level": level_json(audit.level), "delta": text_of(audit.delta_bound)}
    if audit.kept is Decision.FAILS:
        return "noise-delta-witness", _witnesses(audit, queries, asked, audit.level)
    return "noise-delta-at-most", _bounds(audit, queries, asked, audit.level)


def _bounds(audit: Audit, queries: Sequence[RecordQuery], asked: Claim, level: Level) -> Iterator[Claim]:
    normal = queries[0].noise.decay is None
    for width in (None, *_WIDTHS):
        pairs = ask([_pairs], (audit, queries, width)).answer if normal else []
        if pairs is None:
            continue
        cuts = _cuts(pairs, level, _precision(queries)) if normal else []
        for bits in BITS:
            yield asked | {"width": width, "bits": bits, "cuts": cuts}


def _witnesses(audit: Audit, queries: Sequence[RecordQuery], asked: Claim, level: Level) -> Iterator[Claim]:
    found = audit.delta
    prior, pair = getattr(found, "prior", ""), getattr(found, "pair", ("", ""))
    outputs = list[list[str | None]]()
    if queries[0].noise.decay is None:
        (own,) = [law for law in _laws(audit, queries) if (law.prior, law.pair) == (prior, pair)]
        outputs = _GaussianSum.of(own, level, _precision(queries)).positive()
    for bits in BITS:
        yield asked | {"prior": prior, "pair": list(pair), "outputs": outputs, "bits": bits}


def _laws(audit: Audit, queries: Sequence[RecordQuery]) -> tuple[LawPair, ...]:
    """Return the laws of the query of one person, as one number."""
    alone = queries[0].alone
    return sequence_laws(audit.framework.alone, [alone]).pairs


def _precision(queries: Sequence[RecordQuery]) -> Fraction:
    """Return 1 / variance of the noise of all releases together, which are one of their mean."""
    each = sum((1 / (q.alone.noise.variance or Fraction(1)) for q in queries), Fraction(0))
    return each * (2 if queries[0].query == "histogram" else 1)


def _pairs(question: tuple[Audit, Sequence[RecordQuery], int | None]) -> list[_Ends]:
    """Return the laws of every pair, or of a window around its record given each l and r."""
    audit, queries, width = question
    if width is None:
        return [((0, 0), pair) for pair in _laws(audit, queries)]
    alone, around = NoisyQueries((queries[0].alone,)), audit.framework.alone
    windows = DeltaWindows.of_width(around, alone, width)
    if windows is None:
        return []
    return [part for _, _, parts in windows.pairs(equal_once=False) for part in parts]


def _cuts(pairs: Sequence[_Ends], level: Level, precision: Fraction) -> list[Claim]:
    """Return brackets of all zeros."""
    found = []
    for ends, pair in pairs:
        brackets = _GaussianSum.of(pair, level, precision).brackets()
        shown = [[text_of(low), text_of(high)] for low, high in brackets]
        place = {"prior": pair.prior, "pair": list(pair.pair), "ends": list(ends)}
        found.append(place | {"brackets": shown})
    return found


@dataclass(frozen=True)
class _GaussianSum:
    """h(w) = sum_n c[n] e^(-(w - n)^2 precision / 2), n being numbers."""

    weights: Mapping[Fraction, "arb"]
    signs: Sequence[int]
    precision: Fraction

    @classmethod
    def of(cls, pair: LawPair, level: Level, precision: Fraction) -> "_GaussianSum":
        from flint import arb, ctx

        with ctx.workprec(_PRECISION):
            nats = Fraction(0) if level.nats is None else level.nats
            ratio = ball(nats).exp() if level.ratio is None else ball(level.ratio)
            numbers, weights = sorted({x[-1] for x in (*pair.above, *pair.below)}), {}
            above, below = ({x[-1]: p for x, p in law.items()} for law in (pair.above, pair.below))
            for n in numbers:
                one, other = above.get(n, Fraction(0)), below.get(n, Fraction(0))
                exact = level.ratio is not None and one == level.ratio * other
                weights[n] = arb(0) if exact else ball(one) - ratio * ball(other)
        signs = [1 if weights[n] > 0 else -1 for n in numbers]
        return cls(weights, signs, precision)

    def positive_at(self, w: Fraction) -> bool:
        """Whether h is positive. Raises `CertificateError` if it is not told."""
        from flint import arb, ctx

        with ctx.workprec(_PRECISION):
            half = ball(self.precision) / 2
            total = arb(0)
            for n, weight in self.weights.items():
                total += weight * (-half * ball(w - n) ** 2).exp()
            if total > 0 or total < 0:
                return bool(total > 0)
        raise CertificateError("the sign at an output is not told")

    def brackets(self) -> list[Bracket]:
        """Return brackets of as many zeros as the weights have changes of sign."""
        wanted = sum(one != two for one, two in pairwise(self.signs))
        if not wanted:
            return []
        found = [self._narrowed(*change) for change in self._changes(wanted)]
        if len(found) != wanted:
            raise CertificateError(
                "the kernel has a rule for normal noise whose likelihoods cross as often as the "
                f"probabilities do, found {len(found)} of {wanted} crossings"
            )
        return found

    def _changes(self, wanted: int) -> list[Bracket]:
        """Return neighbouring outputs between which h changes its sign."""
        numbers = list(self.weights)
        deviation = Fraction(float(1 / self.precision) ** 0.5).limit_denominator(10**6)
        low, high = numbers[0] - deviation, numbers[-1] + deviation * Fraction(1009, 1000)
        found = list[Bracket]()
        for _ in range(12):
            count = min(400, int((high - low) / deviation * _SEARCHED) + 4)
            places = [low + (high - low) * k / count for k in range(count + 1)]
            signs = [self.positive_at(w) for w in places]
            found = [(a, b) for (a, x), (b, y) in pairwise(zip(places, signs)) if x != y]
            if len(found) >= wanted:
                break
            low, high = low - (high - low), high + (high - low)
        return found

    def _narrowed(self, low: Fraction, high: Fraction) -> Bracket:
        start = self.positive_at(low)
        for _ in range(_STEPS):
            middle = low + (high - low) * _NEARLY_HALF  # a half is often a zero itself
            if self.positive_at(middle) == start:
                low = middle
            else:
                high = middle
        return low, high

    def positive(self) -> list[list[str | None]]:
        """Return intervals of outputs at which h is positive."""
        brackets = self.brackets()
        first = self.positive_at(brackets[0][0]) if brackets else self.signs[0] > 0
        ends = [None, *(text_of(bracket[0]) for bracket in brackets), None]
        return [[a, b] for k, (a, b) in enumerate(pairwise(ends)) if (k % 2 == 0) == first]
