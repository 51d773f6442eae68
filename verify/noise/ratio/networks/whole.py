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
from typing import TYPE_CHECKING

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.numbers.text import text_of
from pufferproof.models.views import expect_network
from pufferproof.verify.leakage.ratio import Leakage, Witness
from pufferproof.verify.noise.laws.floats.elimination import MOST_WORK, CountElimination, FloatLaw
from pufferproof.verify.noise.laws.floats.orders import MOST_FLOATS
from pufferproof.verify.noise.laws.packing import Packing
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, WindowBound, places_to_check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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

    ends: "Mapping[Key, Mapping[int, tuple[Floats, Floats]]]"

    @classmethod
    def of(cls, queries: Sequence[RecordQuery], laws: Mapping[Key, Mapping[int, FloatLaw]]) -> "_Likelihoods | None":
        """Return these bounds, or None if there are too many values or too much underflows."""
        import numpy as np

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
        import numpy as np

        (low, high), (against_low, against_high) = (self.ends[place][v] for v in (value, other))
        lower, upper = low / against_high / _SLACK, high / against_low * _SLACK
        if not np.isfinite(upper).all():
            raise AssertionError("a quotient of two likelihoods that is too large")
        ends = [0, len(lower) - 1]
        end = ends[int(lower[ends].argmax())]
        j = end if lower[end] * _MORE >= lower.max() else int(lower.argmax())
        return Fraction(float(lower[j])), Fraction(float(upper.max())), j


def _bounded(law: FloatLaw, low: "Floats", high: "Floats") -> "tuple[Floats, Floats]":
    """Return the ends of sum_n P(n) t^|j - n| at every j, `low` and `high` those of the powers.

    A sum of n products of numbers that are not negative has at most n roundings, and n products
    that underflow.
    """
    import numpy as np

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
