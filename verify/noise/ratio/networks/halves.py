"""Bounds of what a noisy count of a wide Bayesian network leaks, such as a grid of 20 x 20 records,
from two laws that are tilted by the noise.

With P_v(n) = P(X_i = v, count = n), N the largest count and t the decay, likelihoods are

    t^j    f(j | v) P(X_i = v) = sum_n P_v(n) t^n        min(1, t^(2 (j - n))),
    t^(N-j) f(j | v) P(X_i = v) = sum_n P_v(n) t^(N - n)  min(1, t^(2 (n - j))).

Errors of the tilted laws P_v(n) t^n and P_v(n) t^(N - n) are small beside their sums
(`pufferproof.verify.noise.laws.floats.halves`), so that the first form tells of small j, where its
sum is near that of the law, and the second one of large j; of every j the closer one is taken. At
the ends of the query, where most is leaked as a rule, bounds are as close as the laws.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records
from pufferproof.models.views import expect_network
from pufferproof.verify.engines import ask
from pufferproof.verify.noise.laws.floats.halves import TiltedLaw, WeighedNetwork, halves_work, laws_by_halves
from pufferproof.verify.noise.laws.floats.orders import MOST_FLOATS
from pufferproof.verify.noise.laws.floats.split import NetworkSplit, latest_first, sweep
from pufferproof.verify.noise.laws.packing import Packing
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, places_to_check
from pufferproof.verify.noise.ratio.networks.whole import bounds_by_law, decay_of, one_number, pairs_of_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESTS_ON = ("noise.attained", "noise.law", "noise.parallel", "noise.window")
MOST_IN_ALL = 10_000_000_000  # entries of tables that are expected, for all secret records together
_MANY = 50_000  # states of halves, for which one more order is tried
_WRONG, _WRONG_OF_RECORD = (5e-5, 1e-8), 1e-7  # of tilted laws, and of the law of a record
_ROUND = 2.0**-53
_SLACK = 1 + 2.0**-45  # more than a few roundings
_LEAST = 1e-250  # a smaller weight may be lost


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
        if powers[most][0] < _LEAST:
            return None
        spread = max(high / low for low, high in powers[: most + 1]) - 1
        floats = {i: tables[i - 1][1].astype(float) for i in chosen}

        def weighed(exponents: Mapping[int, Sequence[int]]) -> WeighedNetwork:
            import numpy as np

            weights = {i: np.array([powers[n][1] for n in exponents[i]]) for i in chosen}
            error = spread + 4 * _ROUND
            return WeighedNetwork(parents, {i: floats[i] * weights[i] for i in chosen}, adds, error)

        none = {i: [0] * len(each) for i, each in adds.items()}
        back = {i: [max(each) - n for n in each] for i, each in adds.items()}
        alone = WeighedNetwork(parents, floats, none, 2 * _ROUND)
        values = own[record - 1]
        return cls(record, values, split, alone, weighed(adds), weighed(back), powers)

    @property
    def work(self) -> int:
        """About how many entries the tables of all laws have. Raises `TooLargeError` if one is too
        large.
        """
        return sum(halves_work(self.split, each) for each in (self.alone, self.down, self.up))

    def ratios(self, wrong: float) -> "_Ratios":
        """Find the laws, and bound likelihoods by them."""
        import numpy as np

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
            v: (law.weights.sum() * (1 - _ROUND * 8) - law.wrong, law.weights.sum() + law.wrong)
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
    ends: "Sequence[Mapping[int, tuple[Floats, Floats]]]"

    def largest(self, value: int, other: int) -> tuple[Fraction, Fraction, int] | None:
        """Return bounds of the largest f(j | value) / f(j | other), and a j that has the lower one;
        None if floats do not bound it.
        """
        import numpy as np

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


def _ends(law: TiltedLaw, low: "Floats", high: "Floats") -> "tuple[Floats, Floats]":
    """Return bounds of sum_n law(n) k(j, n) at every j, `low` and `high` those of k, at most 1."""
    import numpy as np

    terms = len(low)
    weights = np.zeros(terms)
    weights[: len(law.weights)] = law.weights
    error = (terms + 4) * _ROUND * _SLACK
    lower = (low @ weights) * (1 - error) - law.wrong
    upper = (high @ weights) * (1 + error) + law.wrong
    return np.maximum(lower, 0.0), upper
