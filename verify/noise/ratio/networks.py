"""What a noisy count of a Bayesian network leaks, from its whole law in floats with errors that are
known.

    f(w | v) = sum_n P(count = n | X_i = v) t^|w - n|,  t the decay,

the window of `pufferproof.verify.noise.ratio.window` that has all records, so that nothing is
outside. The largest ratio is at values of the query. Floats bound both likelihoods at each of
these from both sides (`pufferproof.verify.noise.laws.floats.elimination`), and so their ratio.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.views import expect_network
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import Leakage, Witness
from pufferproof.verify.noise.laws.floats.elimination import MOST_FLOATS, MOST_WORK, CountElimination, FloatLaw
from pufferproof.verify.noise.laws.floats.halves import (
    NetworkSplit,
    TiltedLaw,
    WeighedNetwork,
    halves_work,
    latest_first,
    laws_by_halves,
    sweep,
)
from pufferproof.verify.noise.laws.of_records import Packing
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, WindowBound, places_to_check

Floats = NDArray[np.float64]

RESTS_ON = ("noise.attained", "noise.law", "noise.parallel", "noise.window")
MOST_ORDERED = 10_000  # records that are put in order, for all secret ones together
_ROUND, _TINY = 2.0**-53, 2.0**-1060
_LEAST = 2.0**-960  # of likelihoods: quotients of two, each within 2^54 of 1, are then floats
_SLACK = 1 + 2.0**-45  # more than a few roundings
_MORE = 1 + 1e-10  # times the ratio at an end, which no other exceeds by more
_ONE = Fraction(1)

Key = tuple[str, int]  # a prior and a record
Largest = Mapping[tuple[Key, int, int], tuple[Fraction, Fraction, int]]  # of a record's two values


def whole_law(framework: Framework, queries: Sequence[RecordQuery]) -> NoiseBounds | None:
    """Return bounds by the whole law of one number, which are as close as floats are, if all priors
    are Bayesian networks; None if tables are too large or too much underflows.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.bayesian_network import BayesianNetwork
    >>> from pufferproof.models.priors.records import Records
    >>> row = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> network = BayesianNetwork({1: [], 2: [1], 3: [1]}, {1: {"": ["1/2"] * 2}, 2: row, 3: row})
    >>> records = Records(3, ("0", "1"))
    >>> secrets = {"zero": (1, "0"), "one": (1, "1")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "one")], {"net": network})
    >>> query = RecordQuery("sum", Noise.laplace(2), records)
    >>> print(whole_law(framework, [query]).leakage)
    ≈ 0.9923082 nats
    """
    if not one_number(framework, queries):
        return None
    places, _ = places_to_check(framework)
    asked = pairs_of_values(framework, places)
    wanted = sorted({place for place, _, _ in asked})
    laws = _laws(framework, queries[0], wanted)
    if laws is None:
        return None
    likelihoods = _Likelihoods.of(queries, laws)
    if likelihoods is None or not likelihoods.have(framework, places):
        return None
    largest = {each: likelihoods.largest(*each) for each in asked}
    bounds = bounds_by_law(framework, queries, largest)
    return bounds if bounds.near else None


def pairs_of_values(framework: Framework, places: Sequence[tuple[str, Pair]]) -> set[tuple[Key, int, int]]:
    """Return what is compared: a prior with a record, and two values of it, in both orders."""
    return {
        ((prior, record), *both)
        for prior, pair in places
        for (record, one), (_, other) in [[framework.places[name] for name in pair]]
        for both in ((one, other), (other, one))
    }


def bounds_by_law(framework: Framework, queries: Sequence[RecordQuery], largest: Largest) -> NoiseBounds:
    """Return the bounds of a number, given those of the largest ratio of two values of a record."""
    places, scope = places_to_check(framework)
    windows, best = [], (Fraction(0), Witness(*places[0], ""))
    for prior, pair in places:
        for above, below in (pair, pair[::-1]):
            (record, value), (_, other) = framework.places[above], framework.places[below]
            lower, upper, j = largest[(prior, record), value, other]
            leakage = Leakage(max(_ONE, lower), max(_ONE, upper))
            windows.append(WindowBound(prior, record, 1, queries[0].records.count, leakage))
            if lower > best[0]:
                output = ",".join(text_of(x) for query in queries for x in query.vector([j]))
                best = lower, Witness(prior, (above, below), output)
    windows.sort(key=lambda one: one.upper, reverse=True)
    leakage = Leakage(max(_ONE, best[0]), windows[0].upper)
    return NoiseBounds(leakage, best[1], scope, (), windows=tuple(windows), claims=RESTS_ON)


def decay_of(queries: Sequence[RecordQuery]) -> Power:
    """Return by how much likelihoods fall with each unit of the numbers of equal queries."""
    decay = ONE
    for query in queries:
        unit = query.grain if query.dimension == 1 else _ONE  # two counts have one sum
        decay = decay.times((query.noise.decay or ONE).to(unit * query.dimension))
    return decay


def one_number(framework: Framework, queries: Sequence[RecordQuery]) -> bool:
    """Whether networks are asked for one number, once or several times."""
    single = len({query.asked for query in queries}) == 1 and len(queries[0].digits) == 1
    known = all(query.noise.decay is not None for query in queries)
    return single and known and not framework.along_records and framework.by_records


def _laws(
    framework: Framework, query: RecordQuery, wanted: Sequence[Key]
) -> Mapping[Key, Mapping[int, FloatLaw]] | None:
    """Return the law of a number given each value of records; None if tables are too large.

    Those of a network are kept, for noise of any scale.
    """
    records, packing = framework.expect_records(), Packing.of([query])
    if len(wanted) * records.count > MOST_ORDERED:
        return None
    left, found, missing = MOST_WORK, {}, []
    for prior, record in wanted:
        network = expect_network(framework, prior)
        own = network.own(records)
        kept = network.__dict__.setdefault("_counts", {})
        key = (records.letters, record, query.asked)
        if key in kept:
            found[prior, record] = kept[key]
            continue
        every = {other: packing.adds(other) for other in range(1, records.count + 1)}
        adds = {other: [every[other][value] for value in own[other - 1]] for other in every}
        try:
            elimination = CountElimination(network, records, record, adds)
        except TooLargeError:
            return None
        left -= elimination.work
        if left < 0 or not elimination.positive:
            return None
        missing.append(((prior, record), kept, key, elimination, own[record - 1]))
    for place, kept, key, elimination, values in missing:
        found[place] = kept[key] = dict(zip(values, elimination.laws()))
    return found


@dataclass(frozen=True)
class _Likelihoods:
    """Bounds of f(j | v) at all values j of a number, from 0 in units of its grain, for every place
    and value v, where these are far above what underflows.
    """

    ends: Mapping[Key, Mapping[int, tuple[Floats, Floats]]]

    @classmethod
    def of(cls, queries: Sequence[RecordQuery], laws: Mapping[Key, Mapping[int, FloatLaw]]) -> "_Likelihoods | None":
        """Return these bounds, or None if there are too many values or too much underflows."""
        terms = max(len(law.weights) for each in laws.values() for law in each.values())
        if terms * terms > MOST_FLOATS:
            return None
        decay = decay_of(queries)
        powers = np.array([decay.to(Fraction(d)).ends() for d in range(terms)])
        far = np.abs(np.subtract.outer(np.arange(terms), np.arange(terms)))
        low, high = powers[far, 0], powers[far, 1]
        ends = {
            place: {v: _bounded(law, low, high) for v, law in each.items() if law.weights.any()}
            for place, each in laws.items()
        }
        if not all((lower > _LEAST).all() for each in ends.values() for lower, _ in each.values()):
            return None
        return cls(ends)

    def have(self, framework: Framework, places: Sequence[tuple[str, Pair]]) -> bool:
        """Whether all secrets are there: a law that underflows as a whole is not."""
        every = ((prior, *framework.places[name]) for prior, pair in places for name in pair)
        return all(value in self.ends[prior, record] for prior, record, value in every)

    def largest(self, place: Key, value: int, other: int) -> tuple[Fraction, Fraction, int]:
        """Return bounds of the largest f(j | value) / f(j | other), and a j that has the lower: an
        end, if no other is larger by more than floats tell.
        """
        (low, high), (against_low, against_high) = (self.ends[place][v] for v in (value, other))
        lower, upper = low / against_high / _SLACK, high / against_low * _SLACK
        if not np.isfinite(upper).all():
            raise AssertionError("a quotient of two likelihoods that is too large")
        ends = [0, len(lower) - 1]
        end = ends[int(lower[ends].argmax())]
        j = end if lower[end] * _MORE >= lower.max() else int(lower.argmax())
        return Fraction(float(lower[j])), Fraction(float(upper.max())), j


def _bounded(law: FloatLaw, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return the ends of sum_n P(n) t^|j - n| at every j, `low` and `high` those of the powers.

    A sum of n products of numbers that are not negative has at most n roundings, and n products
    that underflow.
    """
    terms = len(low)
    weights = np.zeros(terms)
    weights[: len(law.weights)] = law.weights
    error = (law.rel + (terms + 4) * _ROUND) * _SLACK
    lost = law.lost + terms * _TINY
    total = float(weights.sum())
    least, most = total * (1 - error) - lost, total * (1 + error) + lost
    lower = ((low @ weights) * (1 - error) - lost) / most / _SLACK
    upper = ((high @ weights) * (1 + error) + lost) / least * _SLACK
    return (lower, upper) if least > 0 else (np.zeros(terms), upper)


# Bounds of what a noisy count of a wide Bayesian network leaks, such as a grid of 20 x 20 records, from two laws that
# are tilted by the noise.
#
# With P_v(n) = P(X_i = v, count = n), N the largest count and t the decay, likelihoods are
#
#     t^j    f(j | v) P(X_i = v) = sum_n P_v(n) t^n        min(1, t^(2 (j - n))),
#     t^(N-j) f(j | v) P(X_i = v) = sum_n P_v(n) t^(N - n)  min(1, t^(2 (n - j))).
#
# Errors of the tilted laws P_v(n) t^n and P_v(n) t^(N - n) are small beside their sums
# (`pufferproof.verify.noise.laws.floats.halves`), so that the first form tells of small j, where its sum is near that
# of the law, and the second one of large j; of every j the closer one is taken. At the ends of the query, where most
# is leaked as a rule, bounds are as close as the laws.

MOST_IN_ALL = 10_000_000_000  # entries of tables that are expected, for all secret records together
_MANY = 50_000  # states of halves, for which one more order is tried
_WRONG, _WRONG_OF_RECORD = (5e-5, 1e-8), 1e-7  # of tilted laws, and of the law of a record
_HALF_ROUNDING = 2.0**-53
_LEAST_HALF = 1e-250  # a smaller weight may be lost


def halves_law(framework: Framework, queries: Sequence[RecordQuery]) -> NoiseBounds | None:
    """Return bounds by tilted laws of one number, if all priors are Bayesian networks; None if
    tables are too large, or floats do not tell.

    >>> from pufferproof.models.noise.additive import Noise
    >>> row = {"0": ["3/4", "1/4"], "1": ["1/4", "3/4"]}
    >>> network = BayesianNetwork({1: [], 2: [1], 3: [1]}, {1: {"": ["1/2"] * 2}, 2: row, 3: row})
    >>> records = Records(3, ("0", "1"))
    >>> secrets = {"zero": (1, "0"), "one": (1, "1")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "one")], {"net": network})
    >>> query = RecordQuery("sum", Noise.laplace(2), records)
    >>> print(halves_law(framework, [query]).leakage)
    ≈ 0.9923082 nats
    """
    return ask([_bounds], (framework, queries)).answer if one_number(framework, queries) else None


def _bounds(question: tuple[Framework, Sequence[RecordQuery]]) -> NoiseBounds | None:
    framework, queries = question
    records, packing = framework.expect_records(), Packing.of([queries[0]])
    every = [packing.adds(record) for record in range(1, records.count + 1)]
    most = sum(map(max, every))
    if most * most > MOST_FLOATS:
        return None
    decay = decay_of(queries)
    powers = [decay.to(Fraction(n)).ends() for n in range(2 * most + 1)]
    places, _ = places_to_check(framework)
    asked = pairs_of_values(framework, places)
    wanted = sorted({place for place, _, _ in asked})
    parts, work = {}, 0
    for prior, record in wanted:
        network = expect_network(framework, prior)
        if type(network) is not BayesianNetwork:
            return None
        part = _TiltedRecord.of(network, records, record, every, powers)
        if part is None or (work := work + part.work) > MOST_IN_ALL:
            return None
        parts[prior, record] = part
    for wrong in _WRONG:
        ratios = {key: part.ratios(wrong) for key, part in parts.items()}
        found = {each: ratios[each[0]].largest(*each[1:]) for each in asked}
        known = {place: each for place, each in found.items() if each is not None}
        if len(known) == len(found):
            return bounds_by_law(framework, queries, known)
    return None


@dataclass(frozen=True)
class _TiltedRecord:
    """The networks that tell of a record: alone, and with the weights of both ends."""

    record: int
    values: tuple[int, ...]
    split: NetworkSplit
    alone: WeighedNetwork
    down: WeighedNetwork
    up: WeighedNetwork
    powers: Sequence[tuple[float, float]]

    @classmethod
    def of(
        cls,
        network: BayesianNetwork,
        records: Records,
        record: int,
        every: Sequence[Sequence[int]],
        powers: Sequence[tuple[float, float]],
    ) -> "_TiltedRecord | None":
        """Weigh all records that matter, or return None if weights are too small."""
        own = network.own(records)
        chosen = network.ancestors([record, *(i for i, adds in enumerate(every, 1) if any(adds))])
        adds = {i: [every[i - 1][value] for value in own[i - 1]] for i in chosen}
        tables = network.tables(records)
        parents = {i: tables[i - 1][0] for i in chosen}
        sizes = network.sizes(records)
        orders = [sweep(parents), *([sorted(chosen)] if network.numbered else [])]
        split = NetworkSplit.narrowest(parents, orders, sizes, record)
        if sum(split.widths(sizes)) > _MANY:
            orders.append(latest_first(parents))
            split = NetworkSplit.narrowest(parents, orders, sizes, record)
        most = max(max(each) for each in adds.values())
        if powers[most][0] < _LEAST_HALF:
            return None
        spread = max(high / low for low, high in powers[: most + 1]) - 1
        floats = {i: tables[i - 1][1].astype(float) for i in chosen}

        def weighed(exponents: Mapping[int, Sequence[int]]) -> WeighedNetwork:
            weights = {i: np.array([powers[n][1] for n in exponents[i]]) for i in chosen}
            error = spread + 4 * _HALF_ROUNDING
            return WeighedNetwork(parents, {i: floats[i] * weights[i] for i in chosen}, adds, error)

        none = {i: [0] * len(each) for i, each in adds.items()}
        back = {i: [max(each) - n for n in each] for i, each in adds.items()}
        alone = WeighedNetwork(parents, floats, none, 2 * _HALF_ROUNDING)
        values = own[record - 1]
        return cls(record, values, split, alone, weighed(adds), weighed(back), powers)

    @property
    def work(self) -> int:
        """About how many entries the tables of all laws have. Raises `TooLargeError` if one is too large."""
        return sum(halves_work(self.split, each) for each in (self.alone, self.down, self.up))

    def ratios(self, wrong: float) -> "_Ratios":
        """Find the laws, and bound likelihoods by them."""
        of_record, down, up = (
            laws_by_halves(self.split, network, self.record, allowed)
            for network, allowed in ((self.alone, _WRONG_OF_RECORD), (self.down, wrong), (self.up, wrong))
        )
        terms = (len(self.powers) + 1) // 2  # all counts, those as well that laws leave out
        far = np.subtract.outer(np.arange(terms), np.arange(terms))  # j - n
        powers = np.array(self.powers)
        ends = []
        for laws, beyond in ((down, far), (up, -far)):
            low, high = (powers[2 * np.maximum(beyond, 0), end] for end in (0, 1))
            ends.append({v: _ends(law, low, high) for v, law in zip(self.values, laws)})
        masses = {
            v: (law.weights.sum() * (1 - _HALF_ROUNDING * 8) - law.wrong, law.weights.sum() + law.wrong)
            for v, law in zip(self.values, of_record)
        }
        return _Ratios(masses, tuple(ends))


@dataclass(frozen=True)
class _Ratios:
    """Bounds of the law of a record, and for both ends of the query those of its likelihoods times
    the law, at all values j = 0, .., N of the number. Beyond these, likelihoods have the same
    ratios as there.
    """

    masses: Mapping[int, tuple[float, float]]
    ends: Sequence[Mapping[int, tuple[Floats, Floats]]]

    def largest(self, value: int, other: int) -> tuple[Fraction, Fraction, int] | None:
        """Return bounds of the largest f(j | value) / f(j | other), and a j that has the lower one;
        None if floats do not bound it.
        """
        (least, most), (against_least, against_most) = self.masses[value], self.masses[other]
        lower, upper = [], []
        with np.errstate(all="ignore"):
            for ends in self.ends:
                (low, high), (against_low, against_high) = ends[value], ends[other]
                down = np.divide(low * against_least, against_high * most)
                up = np.divide(high * against_most, against_low * least)
                lower.append(np.where(against_high > 0, down, 0.0) / _SLACK)
                told = (against_low > 0) & (least > 0) & np.isfinite(up)
                upper.append(np.where(told, up, np.inf) * _SLACK)
        below = np.maximum(np.maximum(*lower), 0.0)
        j = int(below.argmax())
        above = float(np.minimum(*upper).max())
        if not isfinite(above):
            return None
        return Fraction(float(below[j])), Fraction(above), j


def _ends(law: TiltedLaw, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Return bounds of sum_n law(n) k(j, n) at every j, `low` and `high` those of k, at most 1."""
    terms = len(low)
    weights = np.zeros(terms)
    weights[: len(law.weights)] = law.weights
    error = (terms + 4) * _HALF_ROUNDING * _SLACK
    lower = (low @ weights) * (1 - error) - law.wrong
    upper = (high @ weights) * (1 + error) + law.wrong
    return np.maximum(lower, 0.0), upper
