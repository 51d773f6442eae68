"""Certificates of what noise on a query of the records of Markov chains leaks, as the kernel checks
them.

The audit says what is claimed. What is searched here is how the kernel can see it: by the law of
all records or by windows, with how many bits, and at which output. See CERTIFICATES.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from math import inf
from typing import TYPE_CHECKING

from pufferproof.models.errors import CertificateError
from pufferproof.models.files.writing import indented, query_document
from pufferproof.models.framework import Framework
from pufferproof.models.listing import AllPairs
from pufferproof.models.noise.records import NoisyQueries, Query, RecordQuery
from pufferproof.models.numbers.enclosures import ball
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.chains import GapChains, IntervalChain
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import IntervalNetwork
from pufferproof.verify import kernel
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.writing import FORMAT, ONE_SIDED, Inputs, level_json
from pufferproof.verify.decision import Decision
from pufferproof.verify.engines import ask
from pufferproof.verify.noise.accounts.corners import weights_of
from pufferproof.verify.noise.classes.bounds import member_json
from pufferproof.verify.noise.laws.of_framework import LawPair
from pufferproof.verify.noise.laws.of_records import segments_of, sequence_laws
from pufferproof.verify.noise.ratio.bounds import NoiseBounds
from pufferproof.verify.noise.ratio.window import DeltaWindows

if TYPE_CHECKING:
    import numpy as np
    from flint import arb
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]
    Span = tuple[Floats, Floats]
    Odds = tuple[Span, Span]  # (d, n) stands for n / d

# Claims about what noise on a query of records leaks under classes of Markov chains, for the kernel.
#
# Of an upper bound the kernel wants a class cut into cells, in each of which its own bound is at most the level. The
# cells are found here by the same bound in floats: a cell above the level is halved in the parameter that the bound is
# loosest in.

CLASS_BITS = (96, 256)
_MARGINS = ("0.00001", "0.0001", "0.001", "0.01", "0.1")  # in nats, above the leakage as it is known
_ROOM = 1e-9  # in nats, for the errors of floats
_MOST_CLASS_CELLS = 4_000
_MOST_WORK = 200_000  # cells times records: as many as the kernel checks without --work
_THIN = 1e-12
_MUCH = 0.1  # of what a bound is above a level
_NARROW_CLASS_CELL = 2.0**-10  # of the whole range of a parameter

Claim = JsonObject
Constant = IntervalChain | GapChains | MarkovChain  # of one matrix
Class = Constant | IntervalNetwork


def class_json(prior: Prior | Class, alphabet: Sequence[str]) -> JsonObject:
    """Return a class, or a chain, of values of an alphabet as framework files have it."""
    if isinstance(prior, GapChains):
        least, gap = text_of(prior.pi_min), text_of(prior.eigengap)
        return {"markov": {"initial": "stationary", "pi_min": least, "eigengap": gap}}
    if isinstance(prior, IntervalNetwork):
        box = _changing(prior, alphabet)
        return {"markov": class_json(box, alphabet)["markov"] | {"class": "time-varying"}}
    if isinstance(prior, IntervalChain):
        rows = {"transition_lower": prior.lower, "transition_upper": prior.upper}
    elif isinstance(prior, MarkovChain):
        rows = {"transition": prior.transition}
    else:
        raise CertificateError("the kernel has a rule for classes and chains, found other priors")
    start = prior.initial if isinstance(prior.initial, str) else list(map(text_of, prior.initial))
    texts = {key: [list(map(text_of, row)) for row in each] for key, each in rows.items()}
    return {"markov": {"initial": start, **texts}}


def class_bounds(audit: Audit, framework: Framework) -> Iterator[Claim]:
    """Yield claims that a level is kept, or an upper bound close to the leakage as it is known."""
    framework = framework.alone
    if len(framework.expect_records().alphabet) != 2:
        raise CertificateError("the kernel has a rule for classes of chains of two values")
    mechanism = audit.mechanism
    spans = weights_of(framework, mechanism) if isinstance(mechanism, NoisyQueries) else None
    if spans is None:
        raise CertificateError("too little noise: the records together tell over 500 nats")
    weights = [high for _, high in spans]
    records = sorted({framework.places[one][0] for one, _ in framework.pairs})
    for level in _levels(audit):
        nats = float(level.enclosure().lower) - _ROOM
        cells = {}
        for name, prior in framework.priors.items():
            if isinstance(prior, IntervalChain | GapChains | MarkovChain):
                cells[name] = _ClassCells(prior, weights, records).tree(nats)
            elif isinstance(prior, IntervalNetwork):
                cells[name] = "."
            else:
                raise CertificateError("the kernel has a rule for classes and chains, found other priors")
        for bits in CLASS_BITS:
            yield {"level": level_json(level), "bits": bits, "cells": cells}


def class_members(audit: Audit, framework: Framework, claims: Iterator[Claim]) -> Iterator[Claim]:
    """Yield claims that a level is exceeded, with the chain that exceeds it and its class."""
    place = str(audit.witness.prior)
    known = framework.alone.priors.get(place)
    chain = known if isinstance(known, MarkovChain) else getattr(audit.largest, "member", None)
    if not isinstance(chain, MarkovChain):
        raise CertificateError("the kernel has a rule for chains, found another prior")
    names = [place] if chain is known else framework.classes
    for claim, name in product(claims, names):
        if chain is known or place.startswith(f"{name}: "):
            yield claim | {"prior": name} | member_json(chain)


def _changing(network: IntervalNetwork, alphabet: Sequence[str]) -> IntervalChain:
    """Return the box of a chain's changing matrices, or raise `CertificateError`."""
    (first, *later), count = network.rows, len(network.rows)
    above = [() if i == 1 else (i - 1,) for i in range(1, count + 1)]
    simple = [*map(tuple, network.network.parents)] == above and not network.by_history
    if not simple or not later or any(rows != later[0] for rows in later):
        raise CertificateError("the kernel has a rule for classes and chains, found other priors")
    low, high = first[""]
    rows = [later[0][value] for value in alphabet]  # keys stand in the order of the file
    start: tuple[Fraction, ...] | str = low if low == high else "any"
    if start == "any" and (sum(low) > 0 or sum(high) < len(high)):
        raise CertificateError("the kernel has a rule for classes that begin with one law, or any")
    return IntervalChain(start, [x for x, _ in rows], [x for _, x in rows])


def _levels(audit: Audit) -> Iterator[Level]:
    if audit.level is not None:
        yield audit.level
        return
    if audit.leakage.upper is None:
        raise CertificateError("the bound of the leakage is infinite: there is nothing to certify")
    upper = Fraction(audit.leakage.enclosure().upper)
    for margin in _MARGINS:
        room = Fraction(margin)
        yield Level.of_nats((upper // room + 2) * room)


class _ClassCells:
    """A class of chains, cut into cells: arrays of every parameter's least and greatest."""

    def __init__(self, prior: Constant, weights: Sequence[float], records: Sequence[int]) -> None:
        import numpy as np

        self.weights, self.records = weights, records
        self.gap = float(prior.eigengap) if isinstance(prior, GapChains) else None
        self.names, spans = _parameters(prior)
        self.low, self.high = (np.array([[float(x) for x in side]]) for side in zip(*spans))

    def tree(self, level: float) -> str:
        """Return the tree of cells, its root first, that are at most a level: a letter where a
        cell is halved, the lower half first, else a full stop. Where no few cells are, it is
        one cell.
        """
        import numpy as np

        low, high, paths, cuts = self.low, self.high, [""], dict[str, str]()
        while paths:
            open_ = self.bound(low, high) > level
            low, high, paths = low[open_], high[open_], [p for p, o in zip(paths, open_) if o]
            cells = len(cuts) + len(paths)
            if cells > _MOST_CLASS_CELLS or cells * len(self.weights) > _MOST_WORK:
                return "."
            if (high - low < _THIN).all(axis=1).any():
                return "."
            if not paths:
                break
            axes = self.loosest(low, high, level)
            cuts |= {path: self.names[axis] for path, axis in zip(paths, axes)}
            rows = np.arange(len(paths))
            left, right, middle = high.copy(), low.copy(), ((low + high) / 2)[rows, axes]
            left[rows, axes] = right[rows, axes] = middle
            low, high = np.concatenate([low, right]), np.concatenate([left, high])
            paths = [path + side for side in "01" for path in paths]
        written, left_over = [], [""]
        while left_over:
            path = left_over.pop()
            written.append(cuts.get(path, "."))
            left_over += [path + "1", path + "0"] if path in cuts else []
        return "".join(written)

    def loosest(self, low: "Floats", high: "Floats", level: float) -> "Ints":
        """Return the parameter by which the bound of each cell falls most where it is known; if it
        hardly falls, as two of them loosen it together, the widest one.
        """
        import numpy as np

        bound, scores = self.bound(low, high), []
        for axis in range(len(self.names)):
            most = np.full(len(low), -inf)
            for known in (low, high, (low + high) / 2):
                ends = low.copy(), high.copy()
                ends[0][:, axis] = ends[1][:, axis] = known[:, axis]
                most = np.maximum(most, self.bound(*ends))
            wide = (high[:, axis] - low[:, axis]) / max(_THIN, (self.high - self.low)[0, axis])
            fall = np.nan_to_num(bound - most, nan=0.0)
            falls = (fall > _MUCH * (bound - level)) | (wide > _NARROW_CLASS_CELL)
            scores.append(np.where(falls, fall, wide - 1))
        found: Ints = np.argmax(np.array(scores), axis=0)
        return found

    def bound(self, low: "Floats", high: "Floats") -> "Floats":
        """Return the kernel's bound of every cell, in nats, at both ends of the query."""
        import numpy as np

        one, other, s = low.T, high.T, None
        if self.gap is not None:
            gap = self.gap
            a, b = (one[0] * gap, other[0] * gap), ((1 - other[0]) * gap, (1 - one[0]) * gap)
        else:
            a, b = (one[0], other[0]), (one[1], other[1])
            s = (one[2], other[2]) if len(one) > 2 else None
        turned = None if s is None else (1 - s[1], 1 - s[0])
        with np.errstate(all="ignore"):
            found = np.maximum(self.told(a, b, s), self.told(b, a, turned))
        empty = a[0] + b[0] > 1
        return np.where(empty, -inf, np.where(np.isnan(found), inf, found))

    def told(self, a: "Span", b: "Span", start: "Span | None") -> "Floats":
        """Return the largest log of w_i u_i v_i, by cell."""
        import numpy as np

        one, wanted, later = np.ones(len(a[0])), set(self.records), {}
        told, found = one, np.zeros(len(one))
        for record in range(len(self.weights), 0, -1):
            told = told * self.weights[record - 1]
            later[record] = told if record in wanted else one
            told = _stepped(told, a[0], b[0])
        told, odds = one, None if start is None else ((1 - start[0], start[0]), (1 - start[1], start[1]))
        for record, weight in enumerate(self.weights, 1):
            if record in wanted:
                found = np.maximum(found, np.log(later[record] * told))
            told = told * weight
            if odds is None:
                told = _stepped(told, a[0], b[0])
            else:
                (d, n), (e, m) = odds
                least = d * (1 - a[0]) + n * b[1], d * a[0] + n * (1 - b[1])
                moved = least, (e * (1 - a[1]) + m * b[0], e * a[1] + m * (1 - b[0]))
                told, odds = _passed(told, a[0], b[0], odds), moved
        return found


def _parameters(prior: Constant) -> tuple[str, list[tuple[Fraction, Fraction]]]:
    """Return the names of the parameters of a class, and their bounds."""
    if isinstance(prior, GapChains):
        return "p", [(prior.pi_min, 1 - prior.pi_min)]
    box = IntervalChain(prior.initial, prior.transition, prior.transition) if isinstance(prior, MarkovChain) else prior
    spans = [(box.lower[x][1 - x], box.upper[x][1 - x]) for x in (0, 1)]
    if box.initial == "stationary":
        return "ab", spans
    known = None if isinstance(box.initial, str) else box.initial[1]
    return "abs", [*spans, (Fraction(0), Fraction(1)) if known is None else (known, known)]


def _stepped(z: "Floats", a: "Floats", b: "Floats") -> "Floats":
    return (b + (1 - b) * z) / (1 - a + a * z)


def _passed(z: "Floats", a: "Floats", b: "Floats", odds: "Odds") -> "Floats":
    """Return the largest g(o) for odds between two (CERTIFICATES.md, chains of a class)."""
    import numpy as np

    (d, n), (e, m) = odds

    def at(d: "Floats", n: "Floats") -> "Floats":
        below = (a * d + (1 - b) * n) * ((1 - a) * d + b * z * n)
        return (a * d + (1 - b) * z * n) * ((1 - a) * d + b * n) / below

    x, y = b * (1 - b) * z, a * (1 - a)
    s = np.sqrt(z * (1 - a) * (1 - b) / (a * b))
    most = z * ((1 + s) / (s + z)) ** 2
    rises, falls = m * m * x <= y * e * e, n * n * x >= y * d * d
    found = np.fmin(np.where(rises, at(e, m), np.where(falls, at(d, n), most)), z)
    return np.where((m == 0) | (d == 0), 1.0, found)


# Claims about the delta of noise on one query of the records of Markov chains, for the kernel.
#
# With c[n] = P(n | v) - e^epsilon P(n | u) the noise leaves h(w) = sum_n c[n] g(w - n). Normal noise has at most as
# many zeros of h as c has changes of sign: brackets around all of them, found here by balls, say where h is positive.

DELTA_BITS = (96, 192, 512)
_DELTA_WIDTHS = (64, 128, 256)
_PRECISION = 320
_NEARLY_HALF = Fraction(63, 128)
_STEPS = 60  # halvings of a bracket
_SEARCHED = 8  # places per standard deviation where a change of sign is looked for

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
        return "noise-delta-witness", _delta_witnesses(audit, queries, asked, audit.level)
    return "noise-delta-at-most", _delta_bounds(audit, queries, asked, audit.level)


def _delta_bounds(audit: Audit, queries: Sequence[RecordQuery], asked: Claim, level: Level) -> Iterator[Claim]:
    normal = queries[0].noise.decay is None
    for width in (None, *_DELTA_WIDTHS):
        pairs = ask([_pairs], (audit, queries, width)).answer if normal else []
        if pairs is None:
            continue
        cuts = []
        for ends, pair in pairs if normal else []:
            brackets = _GaussianSum.of(pair, level, _precision(queries)).brackets()
            place = {"prior": pair.prior, "pair": list(pair.pair), "ends": list(ends)}
            cuts.append(place | {"brackets": [[text_of(low), text_of(high)] for low, high in brackets]})
        for bits in DELTA_BITS:
            yield asked | {"width": width, "bits": bits, "cuts": cuts}


def _delta_witnesses(audit: Audit, queries: Sequence[RecordQuery], asked: Claim, level: Level) -> Iterator[Claim]:
    found = audit.delta
    prior, pair = getattr(found, "prior", ""), getattr(found, "pair", ("", ""))
    outputs = list[list[str | None]]()
    if queries[0].noise.decay is None:
        (own,) = [law for law in _laws(audit, queries) if (law.prior, law.pair) == (prior, pair)]
        outputs = _GaussianSum.of(own, level, _precision(queries)).positive()
    for bits in DELTA_BITS:
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
        found = []
        for low, high in self._changes(wanted):
            start = self.positive_at(low)
            for _ in range(_STEPS):
                middle = low + (high - low) * _NEARLY_HALF  # a half is often a zero itself
                low, high = (middle, high) if self.positive_at(middle) == start else (low, middle)
            found.append((low, high))
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

    def positive(self) -> list[list[str | None]]:
        """Return intervals of outputs at which h is positive."""
        brackets = self.brackets()
        first = self.positive_at(brackets[0][0]) if brackets else self.signs[0] > 0
        ends = [None, *(text_of(bracket[0]) for bracket in brackets), None]
        return [[a, b] for k, (a, b) in enumerate(pairwise(ends)) if (k % 2 == 0) == first]


BITS = (96, 256, 1024)
_WIDTHS = (64, 128, 256, 512, 1024)
_FEW = 600  # records whose whole law is tried before windows
_NARROW, _FEW_CELLS, _MOST_CELLS = (3, 4, 6, 8, 12, 16, 24), 10_000, 200_000  # of histograms


def noise_certificate(audit: Audit, inputs: Inputs) -> JsonObject:
    """Return the certificate of an audit of noise on a query, released once or several times.

    With a level: that it is kept, or the output at which it is exceeded. Without: the least upper
    bound of the leakage that is known.

    Args:
        inputs: the SHA-256 of the framework file, and of a mechanism file for every release.

    >>> from pufferproof import Framework, MarkovChain, Noise, Records, audit
    >>> records = Records(3, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/2", "1/2"]])
    >>> secrets = {"on": (2, "1"), "off": (2, "0")}
    >>> framework = Framework.of_records(records, secrets, [("on", "off")], {"week": chain})
    >>> count = RecordQuery("sum", Noise.geometric("1/2"), records)
    >>> noise_certificate(audit(framework, count), Inputs())["claim"]
    {'level': {'log': '72/25'}, 'width': None, 'bits': 96}
    >>> noise_certificate(audit(framework, count, epsilon=1), Inputs())["claim"]["output"]
    '3'

    Raises `CertificateError` with the reason where the kernel has no rule for the question, the
    level is not decided, or the kernel does not see what the audit found.
    """
    kind, queries, claims = _claims(audit)
    keys = ("query", "segment", "noise")
    mechanisms = [{key: document.get(key) for key in keys} for document in map(query_document, queries)]
    base = {
        "format": FORMAT,
        "kind": kind,
        "framework": _framework_json(audit.of or audit.framework),
        "mechanisms": mechanisms,
        "inputs": {"framework": inputs.framework, "mechanisms": list(inputs.mechanisms)},
    }
    reason = "there is nothing to claim"
    for claim in claims:
        try:
            kernel.check_bytes((indented(base | {"claim": claim}) + "\n").encode())
        except kernel.Refused as refusal:
            reason = str(refusal)
        else:
            return base | {"claim": claim}
    if audit.kept is Decision.HOLDS and audit.level is not None:
        # raise `CertificateError` if a leakage may be the level itself
        leakage = audit.leakage.enclosure()
        level = audit.level.enclosure()
        low, high = Fraction(level.lower), Fraction(level.upper)
        if Fraction(leakage.lower) <= high and low <= Fraction(leakage.upper):
            larger = f"{float(high) * (1 + 1e-9):.10g}"
            raise CertificateError(
                "the leakage equals the level to 15 digits. The kernel bounds numbers such as "
                "e^(1/2) from both sides, and never sees that two are equal: ask for a little more, "
                f"such as {larger}, or for no level"
            )
    hint = " (fewer secrets are less work)" if "too large" in str(reason) else ""
    raise CertificateError(f"the kernel does not see what the audit found: {reason}{hint}")


def expect_rule(framework: Framework, queries: Sequence[Query], limited: bool) -> None:
    """Raise `CertificateError` unless the kernel has a rule for noise on queries; `limited` says
    whether a delta is asked for.
    """
    reason = no_rule_for(framework, queries)
    if reason is None and any(getattr(query, "of", None) is not None for query in queries):
        reason = "the kernel has a rule for records that follow one another, found chosen ones"
    if reason is None and not limited and any(query.noise.decay is None for query in queries):
        reason = "the kernel has a rule for the delta of normal noise, whose leakage is infinite"
    asked = {query.asked for query in queries if isinstance(query, RecordQuery)}
    if reason is None and limited and len(asked) > 1:
        reason = "the kernel has a rule for the delta of one query, found several segments"
    if reason is None and limited and _counts(queries[0]) > 1:
        reason = "the kernel has a rule for the delta of one number, found a histogram of several"
    if reason is None and framework.one_sided:
        reason = ONE_SIDED
    if reason is not None:
        raise CertificateError(reason)


def no_rule_for(framework: Framework, queries: Sequence[Query]) -> str | None:
    """Return why the kernel has no rule for noise on queries, None if it has one."""
    framework = framework.alone
    reason = None if framework.classes else _other_priors(framework)
    if reason is not None:
        return reason
    own = [query for query in queries if isinstance(query, RecordQuery)]
    if len(own) < len(queries):
        return (
            "the kernel has a rule for noise on sums, means and histograms, found a table (as "
            "programs that add noise have one)"
        )
    if any(query.noise.kind == "discrete_gaussian" for query in own):
        return "the kernel has a rule for other noise, found discrete Gaussian noise"
    first, chains = own[0], framework.of_members() if framework.classes else framework
    if segments_of(chains, own) is None and any(query.asked != first.asked for query in own):
        return "the kernel has a rule for releases of one query, or of disjoint segments of records of two values"
    if any(query.noise.kind != first.noise.kind for query in own):
        return "the kernel has a rule for releases with noise of one kind, found several"
    return None


def _other_priors(framework: Framework) -> str | None:
    if not framework.along_records:
        return "the kernel has a rule for noise on Markov chains, found other priors"
    for name, chain in framework.chains.items():
        if chain.rows is not None or chain.emission is not None:
            found = "independent records" if chain.rows is not None else "a hidden chain"
            return f"the kernel has a rule for noise on Markov chains, found {found}: prior '{name}'"
    return None


def _claims(audit: Audit) -> tuple[str, Sequence[RecordQuery], Iterator[Claim]]:
    """Return the kind of a certificate, the queries of the audit, and the claims that may be accepted.
    Raises `CertificateError` where there is no rule for it.
    """
    if not isinstance(audit.mechanism, NoisyQueries):
        raise CertificateError("expected queries with noise, found another mechanism")
    expect_rule(audit.of or audit.framework, audit.mechanism.queries, audit.delta is not None)
    if audit.renyi is not None:
        raise CertificateError("the kernel has a rule for levels and deltas of noise, not orders")
    queries = tuple(query for query in audit.mechanism.queries if isinstance(query, RecordQuery))
    if audit.kept is Decision.UNDECIDED:
        raise CertificateError("the verdict is undecided: there is nothing to certify")
    if audit.delta is not None:
        kind, claims = delta_claims(audit, queries)
    elif audit.kept is Decision.FAILS and audit.level is not None:
        kind, claims = "noise-leakage-witness", _witnesses(audit, queries, audit.level)
        if audit.of is not None:
            kind, claims = "noise-class-witness", class_members(audit, audit.of, claims)
    elif audit.of is not None:
        kind, claims = "noise-class-at-most", class_bounds(audit, audit.of)
    else:
        kind, claims = "noise-leakage-at-most", _bounds(audit, queries)
    return kind, queries, claims


def _bounds(audit: Audit, queries: Sequence[RecordQuery]) -> Iterator[Claim]:
    """Yield upper bounds: of the level, or of the leakage as it is known."""
    ratio, upper = audit.leakage.ratio, {"nats": audit.leakage.enclosure().upper}
    levels = [upper] if ratio is None else [level_json(Level.log(ratio)), upper]
    if audit.level is not None:
        levels = [level_json(audit.level)]
    if any(query.asked != queries[0].asked for query in queries):
        yield from _each(levels[-1:], [None])
        return
    alone, count = queries[0].alone, queries[0].records.count
    axes = _counts(alone)
    few = _FEW if axes == 1 else _FEW_CELLS
    whole = [None] if (alone.size + 1) ** axes <= few else []
    yield from _each(levels, whole)
    if axes == 1:
        # widths of windows: those that bounded the leakage, if windows did, come first
        windows = audit.largest.windows if isinstance(audit.largest, NoiseBounds) else ()
        widths = [max(each.last - each.record, each.record - each.first) + 1 for each in windows]
        near = [*sorted(widths)[-1:], *(width for width in _WIDTHS if width < count)]
        yield from _each(levels[-1:], [*near, None])
    else:
        near = [width for width in _NARROW if (2 * width) ** axes <= _MOST_CELLS and width < count]
        yield from _each(levels[-1:], near)


def _counts(query: Query) -> int:
    """Return how many numbers of a query the kernel keeps apart: those of two values are one."""
    several = isinstance(query, RecordQuery) and query.dimension > 2
    return query.dimension if several else 1


def _each(levels: Sequence[dict[str, str]], widths: Sequence[int | None]) -> Iterator[Claim]:
    for level, width, bits in product(levels, widths, BITS):
        yield {"level": level, "width": width, "bits": bits}


def _witnesses(audit: Audit, queries: Sequence[RecordQuery], level: Level) -> Iterator[Claim]:
    """Yield places at which a level may be exceeded: that of the audit, and the ends."""
    place = audit.witness.as_json()
    named = {"prior": place["prior"], "pair": list(audit.witness.pair)}
    for output in _outputs(audit, queries):
        for bits in BITS:
            yield named | {"output": output, "exceeds": level_json(level), "bits": bits}


def _outputs(audit: Audit, queries: Sequence[RecordQuery]) -> Iterator[str | list[str]]:
    """Yield outputs as the kernel has them: one number per query, or one per segment."""
    numbers = iter(Fraction(each) for each in audit.witness.output.split(","))
    vectors = [[next(numbers) for _ in range(query.dimension)] for query in queries]
    own = {query.asked[2]: vector[1 if query.query == "histogram" else 0] for query, vector in zip(queries, vectors)}
    if len(own) > 1:
        yield [text_of(own[ends]) for ends in sorted(own)]
        return
    query = queries[0]
    if _counts(query) > 1:
        places = product((0, query.size), repeat=query.dimension)
        corners = ([Fraction(each) for each in place] for place in places)
        yield from ([text_of(each) for each in output] for output in (vectors[0], *corners))
        return
    ends = [query.vector([end(query.digits[0]) * query.size])[-1] for end in (min, max)]
    for output in dict.fromkeys((*own.values(), *ends)):
        yield text_of(output)


def _framework_json(framework: Framework) -> JsonObject:
    records = framework.expect_records()
    secrets = {
        name: {"record": record, "value": records.alphabet[value]} for name, (record, value) in framework.places.items()
    }
    pairs = framework.pairs
    listed = "disjoint" if isinstance(pairs, AllPairs) else [list(pair) for pair in pairs]
    people = {"people": records.people} if records.people > 1 else {}
    alone, priors = framework.alone, dict[str, JsonObject]()
    if alone.classes:
        alphabet = alone.expect_records().alphabet
        priors = {name: class_json(prior, alphabet) for name, prior in alone.priors.items()}
    else:
        for name, chain in alone.chains.items():
            rows = [[text_of(x) for x in row] for row in chain.step]
            priors[name] = {"markov": {"initial": [text_of(x) for x in chain.start], "transition": rows}}
    return people | {
        "records": {"count": records.count, "alphabet": list(records.alphabet)},
        "secrets": secrets,
        "pairs": listed,
        "priors": priors,
        "closure": framework.closure,
    }
