"""What a noisy query of a chain leaks at most about a record, whatever factors the noise allows its
other records.

Let record t add c_t(x) to the query, tau(d) bound how far the density h changes if an output is
moved by d, and

    g_t(y; u) = E[h(u - c_(t+1)(X_(t+1)) - .. - c_n(X_n)) | X_t = y]
              = sum_z P(y, z) g_(t+1)(z; u - c_(t+1)(z)).

The last factor is g_(t+1)(z; u - o), tilted by at most tau(c_(t+1)(z) - o), for any o
(`pufferproof.verify.noise.accounts.tilted`). Given X_i both sides of record i are independent:

    f(w | v) / f(w | v') <= tau(c_i(v) - c_i(v')) before(v, v') after(v, v').

Where one sign for every value is best at all records, an output at the ends reaches it. `o` is the
middle value of every coordinate.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery, distance
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.corners import contributions, stretches
from pufferproof.verify.noise.accounts.sides import TiltedSides
from pufferproof.verify.noise.accounts.tilted import Tilts
from pufferproof.verify.noise.ratio.bounds import NoiseBounds, TiltedBound, places_to_check

RESTS_ON = ("worst.tilts", "song2017.x-markov", "noise.law")
_ONE = Fraction(1)


def with_tilts(framework: Framework, queries: Sequence[RecordQuery], bounds: NoiseBounds) -> NoiseBounds:
    """Return bounds by tilts as well as by quilts, if every prior is a chain that is not hidden.

    >>> from pufferproof.models.noise.additive import Noise
    >>> from pufferproof.models.priors.markov import MarkovChain
    >>> from pufferproof.models.priors.records import Records
    >>> from pufferproof.verify.noise.ratio.bounds import noise_bounds
    >>> records = Records(100_000, ("0", "1", "2"))
    >>> chain = MarkovChain("stationary", [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]])
    >>> secrets = {"zero": (500, "0"), "two": (500, "2")}
    >>> framework = Framework.of_records(records, secrets, [("zero", "two")], {"theta": chain})
    >>> query = RecordQuery("histogram", Noise.laplace(40), records)
    >>> print(with_tilts(framework, [query], noise_bounds(framework, query)).leakage)
    ≈ 0.08369304 nats
    """
    if not framework.along_records:
        return bounds
    tilts: list[TiltedBound] = []
    pairs: dict[tuple[str, int], list[Pair]] = {}
    for prior, pair in places_to_check(framework)[0]:
        pairs.setdefault((prior, framework.places[pair[0]][0]), []).extend((pair, pair[::-1]))
    sides = {name: _sides(chain, queries) for name, chain in framework.chains.items()}
    for (prior, record), both in pairs.items():
        side = sides[prior]
        values = [(framework.places[one][1], framework.places[other][1]) for one, other in both]
        found = None if side is None else side.ratios(record, values)
        if found is None:
            return bounds
        for pair, (one, other), factors in zip(both, values, found):
            parts = (_own(queries, record, one, other), *factors)
            told = (Leakage(_ONE, max(_ONE, part)) for part in parts)
            tilts.append(TiltedBound(prior, pair, record, *told))
    tilts.sort(key=lambda one: one.upper, reverse=True)
    return bounds.narrowed(RESTS_ON, tilts=tuple(tilts))


def _sides(chain: Chain, queries: Sequence[RecordQuery]) -> TiltedSides | None:
    tilts = []
    for first, last, covered in stretches(queries):
        powers = _powers([query for query, inside in zip(queries, covered) if inside])
        tilts.append((first, last, _tilts(powers or [ONE] * len(chain.step))))
    return TiltedSides.of(chain, tilts)


def _own(queries: Sequence[RecordQuery], record: int, one: int, other: int) -> Fraction:
    """Return a bound of what a record tells of two of its values itself."""
    power = ONE
    for query in queries:
        if query.covers(record) and query.noise.decay is not None:
            adds = contributions(query)
            power = power.times(query.noise.decay.to(-distance(adds[one], adds[other])))
    return Fraction(power.ends()[1])


def _powers(queries: Iterable[RecordQuery]) -> list[Power]:
    """Return tau of what records of every value add, from the middle of every coordinate."""
    powers: list[Power] = []
    for query in queries:
        adds = contributions(query)
        middle = [sorted(set(column))[(len(set(column)) - 1) // 2] for column in zip(*adds)]
        decay, known = query.noise.decay or ONE, powers or [ONE] * len(adds)
        powers = [power.times(decay.to(-distance(row, middle))) for power, row in zip(known, adds)]
    return powers


def _tilts(powers: Sequence[Power]) -> Tilts:
    import numpy as np

    ends = [power.ends() for power in powers]
    inverse = [power.to(Fraction(-1)).ends() for power in powers]
    up, down = np.array([high for _, high in ends]), np.array([low for low, _ in inverse])
    return Tilts(up, down)
