"""Claims about what noise on a query of records leaks under classes of Markov chains, for the
kernel.

Of an upper bound the kernel wants a class cut into cells, in each of which its own bound is at most
the level. The cells are found here by the same bound in floats: a cell above the level is halved in
the parameter that the bound is loosest in.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import inf
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import CertificateError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import NoisyQueries
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, text_of
from pufferproof.models.priors.chains.box import IntervalChain
from pufferproof.models.priors.chains.gap import GapChains
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import IntervalNetwork
from pufferproof.verify.audit import Audit
from pufferproof.verify.certificates.writing import level_json
from pufferproof.verify.noise.accounts.corners import weights_of
from pufferproof.verify.noise.classes.bounds import member_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]
    Span = tuple[Floats, Floats]
    Odds = tuple[Span, Span]  # (d, n) stands for n / d

BITS = (96, 256)
_MARGINS = ("0.00001", "0.0001", "0.001", "0.01", "0.1")  # in nats, above the leakage as it is known
_ROOM = 1e-9  # in nats, for the errors of floats
_MOST_CELLS = 4_000
_MOST_WORK = 200_000  # cells times records: as many as the kernel checks without --work
_THIN = 1e-12
_MUCH = 0.1  # of what a bound is above a level
_NARROW = 2.0**-10  # of the whole range of a parameter

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
        cells = {
            name: "." if isinstance(prior, IntervalNetwork) else _ClassCells(prior, weights, records).tree(nats)
            for name, prior in _classes(framework).items()
        }
        for bits in BITS:
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


def _classes(framework: Framework) -> Mapping[str, Class]:
    every = framework.priors
    known = IntervalChain | GapChains | MarkovChain | IntervalNetwork
    found = {k: x for k, x in every.items() if isinstance(x, known)}
    if len(found) < len(every):
        raise CertificateError("the kernel has a rule for classes and chains, found other priors")
    return found


def _changing(network: IntervalNetwork, alphabet: Sequence[str]) -> IntervalChain:
    """Return the box of a chain's changing matrices, or raise `CertificateError`."""
    (first, *later), count = network.rows, len(network.rows)
    above = [() if i == 1 else (i - 1,) for i in range(1, count + 1)]
    simple = [*map(tuple, network.network.parents)] == above and not network.by_history
    if not simple or not later or any(rows != later[0] for rows in later):
        raise CertificateError("the kernel has a rule for classes and chains, found other priors")
    low, high = first[""]
    rows = [later[0][value] for value in alphabet]  # keys stand in the order of the file
    start: Any = low if low == high else "any"
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
            if not self.few(len(cuts) + len(paths)) or (high - low < _THIN).all(axis=1).any():
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
        return _written(cuts)

    def few(self, cells: int) -> bool:
        return cells <= _MOST_CELLS and cells * len(self.weights) <= _MOST_WORK

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
            falls = (fall > _MUCH * (bound - level)) | (wide > _NARROW)
            scores.append(np.where(falls, fall, wide - 1))
        found: Ints = np.argmax(np.array(scores), axis=0)
        return found

    def bound(self, low: "Floats", high: "Floats") -> "Floats":
        """Return the kernel's bound of every cell, in nats, at both ends of the query."""
        import numpy as np

        a, b, s = self.spans(low, high)
        turned = None if s is None else (1 - s[1], 1 - s[0])
        with np.errstate(all="ignore"):
            found = np.maximum(self.told(a, b, s), self.told(b, a, turned))
        empty = a[0] + b[0] > 1
        return np.where(empty, -inf, np.where(np.isnan(found), inf, found))

    def spans(self, low: "Floats", high: "Floats") -> "tuple[Span, Span, Span | None]":
        one, other = low.T, high.T
        if self.gap is not None:
            gap = self.gap
            a, b = (one[0] * gap, other[0] * gap), ((1 - other[0]) * gap, (1 - one[0]) * gap)
            return a, b, None
        start = (one[2], other[2]) if len(one) > 2 else None
        return (one[0], other[0]), (one[1], other[1]), start

    def told(self, a: "Span", b: "Span", start: "Span | None") -> "Floats":
        """Return the largest log of w_i u_i v_i, by cell."""
        import numpy as np

        one, wanted, later = np.ones(len(a[0])), set(self.records), {}
        told, found = one, np.zeros(len(one))
        for record in range(len(self.weights), 0, -1):
            told = told * self.weights[record - 1]
            later[record] = told if record in wanted else one
            told = _stepped(told, a[0], b[0])
        told, odds = one, None if start is None else _odds(start)
        for record, weight in enumerate(self.weights, 1):
            if record in wanted:
                found = np.maximum(found, np.log(later[record] * told))
            told = told * weight
            if odds is None:
                told = _stepped(told, a[0], b[0])
            else:
                told, odds = _passed(told, a[0], b[0], odds), _moved(odds, a, b)
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


def _written(cuts: Mapping[str, str]) -> str:
    found, left = [], [""]
    while left:
        path = left.pop()
        found.append(cuts.get(path, "."))
        left += [path + "1", path + "0"] if path in cuts else []
    return "".join(found)


def _odds(start: "Span") -> "Odds":
    return (1 - start[0], start[0]), (1 - start[1], start[1])


def _stepped(z: "Floats", a: "Floats", b: "Floats") -> "Floats":
    return (b + (1 - b) * z) / (1 - a + a * z)


def _moved(odds: "Odds", a: "Span", b: "Span") -> "Odds":
    """Return the least and the largest odds of the next record."""
    (d, n), (e, m) = odds
    least = d * (1 - a[0]) + n * b[1], d * a[0] + n * (1 - b[1])
    return least, (e * (1 - a[1]) + m * b[0], e * a[1] + m * (1 - b[0]))


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
