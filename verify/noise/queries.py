"""What queries with noise leak, one or several independent ones released together.

Together they are one query whose coordinates are those of all: on listed databases by tables of
values, along sequences by their laws, which list nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, ctx

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.noise.additive import AdditiveNoise, Noise, lattice_of
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE
from pufferproof.models.numbers.text import text_of
from pufferproof.verify.decision import united
from pufferproof.verify.engines import ask
from pufferproof.verify.leakage.ratio import (
    LargestRatio,
    Leakage,
    Scope,
    Witness,
    most_of,
    nothing_to_check,
    product_of,
)
from pufferproof.verify.noise.laws.of_framework import LawPair, QueryLaws, distinct, restricted, table_laws
from pufferproof.verify.noise.laws.of_records import sequence_laws
from pufferproof.verify.noise.normal.lines import (
    GaussianBounds,
    GaussianLeakage,
    largest_gaussian_ratio,
    largest_lattice_ratio,
)
from pufferproof.verify.noise.ratio.bounds import far_ratio
from pufferproof.verify.noise.ratio.listed import NoiseLeakage, largest_ratio, refuse_tiny_noise

_BITS = 128
_NONE = Leakage.of(Fraction(1))


def queries_leakage(framework: Framework, mechanism: NoisyQueries) -> NoiseLeakage | GaussianLeakage:
    """Return the largest ratio of likelihoods of queries with noise.

    >>> from pufferproof import Level, Noise, Table
    >>> framework = Framework(
    ...     ["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/2", "b": "1/2"})}
    ... )
    >>> bit = NoisyQueries((AdditiveNoise({"a": 0, "b": 1}, Noise.laplace(2)),))
    >>> queries_leakage(framework, bit.beside(bit)).compare(Level.of_nats(1))
    0

    Raises `ModelError` unless queries fit the framework, and as `noise_leakage` and
    `largest_gaussian_ratio` do.
    """
    laws = query_laws(framework, mechanism)
    if lattice_of(laws.noises) is not None:
        return largest_lattice_ratio(laws)
    gaussian = [noise.variance is not None for noise in laws.noises]
    leakage: NoiseLeakage | GaussianLeakage
    if any(gaussian):
        leakage = largest_gaussian_ratio(laws) if all(gaussian) else ratio_beside(laws)
    else:
        scope = Scope(len(laws.pairs), laws.excluded, laws.never)
        decays = [noise.decay or ONE for noise in laws.noises]
        leakage = far_ratio(decays, laws.pairs, scope) or largest_ratio(
            laws.noises, laws.pairs, laws.excluded, laws.never
        )
    return replace(leakage, claims=united(laws.claims, leakage.claims)) if laws.claims else leakage


def query_laws(framework: Framework, mechanism: NoisyQueries) -> QueryLaws:
    """Return the joint laws of queries with noise. Raises `ModelError` unless they fit."""
    queries = mechanism.queries
    if not queries:
        raise ModelError("expected at least one query with noise, found none")
    along = [query for query in queries if isinstance(query, RecordQuery)]
    if framework.alone.by_records and len(along) == len(queries):
        return sequence_laws(framework, along)
    tables = [query if isinstance(query, AdditiveNoise) else query.written_out() for query in queries]
    return table_laws(framework, tables)


def ratio_beside(laws: QueryLaws) -> GaussianBounds:
    """Return bounds of the largest ratio over all ordered pairs.

    Of an ordered pair of laws let G be the numbers with Gaussian noise and H the others, with
    decays t_k. Whatever is released of H, the densities of any two of its values have a ratio of at
    most

        e^T = prod_k t_k^-(max - min of number k),

    so that f / g is at most e^T times the largest ratio of G alone; it is at least that of G alone,
    and that of H alone. Where G and H are independent given either secret it is the product of
    both.

    >>> from pufferproof.verify.noise.laws.of_framework import LawPair
    >>> none, one = Fraction(0), Fraction(1)
    >>> left, right = {(none, none): one}, {(none, one): one}
    >>> noises = Noise.gaussian(1), Noise.laplace(2)
    >>> pairs = LawPair("theta", ("s", "t"), left, right), LawPair("theta", ("t", "s"), right, left)
    >>> print(ratio_beside(QueryLaws(noises, pairs, 0, ())).leakage)  # the second number alone
    ≈ 0.5 nats

    Raises `ModelError` as `largest_gaussian_ratio` does.
    """
    if not laws.pairs:
        raise nothing_to_check()
    pairs = [_PairLeakage.of(pair, laws.noises) for pair in distinct(laws.pairs)]
    best = max(pairs, key=lambda one: _rank(one.leakage))
    upper = most_of([one.leakage.upper for one in pairs])
    leakage = Leakage(best.leakage.lower, None if best.leakage.infinite else upper)
    scope = Scope(len(laws.pairs), laws.excluded, laws.never)
    return GaussianBounds(leakage, best.witness, scope, ())


def _rank(leakage: Leakage) -> tuple[bool, Fraction]:
    return leakage.infinite, leakage.lower or Fraction(0)


@dataclass(frozen=True)
class _PairLeakage:
    """A pair of laws, what is leaked of it, and where."""

    leakage: Leakage
    witness: Witness

    @classmethod
    def of(cls, pair: LawPair, noises: Sequence[Noise]) -> "_PairLeakage":
        """Bound a pair by its two parts."""
        inside = [k for k, noise in enumerate(noises) if noise.variance is not None]
        outside = [k for k in range(len(noises)) if k not in inside]
        parts = [restricted(pair, places) for places in (inside, outside)]
        one = QueryLaws(tuple(noises[k] for k in inside), (parts[0],), 0, ())
        gaussian: LargestRatio = largest_gaussian_ratio(one)
        rest = [noises[k] for k in outside]
        most, other = _reach(parts[1], rest), ask([_alone], (parts[1], rest)).answer
        leaks = [gaussian.leakage, _NONE if other is None else other.leakage]
        if other is not None and _independent(pair, parts, inside, outside):
            lower = product_of([one.lower for one in leaks], 1)
            upper = product_of([one.upper for one in leaks], 1)
            shown = {0: gaussian, 1: other}
        else:
            first = 0 if _rank(leaks[0]) >= _rank(leaks[1]) else 1
            lower, upper = leaks[first].lower, product_of([leaks[0].upper, most], 1)
            shown = {first: gaussian if first == 0 or other is None else other}
        start = [text_of(x) for x in min(pair.below)]
        for part, places in enumerate((inside, outside)):
            if part in shown:
                for k, number in zip(places, shown[part].witness.output.split(",")):
                    start[k] = number
        return cls(Leakage(lower, upper), Witness(pair.prior, pair.pair, ",".join(start)))


def _reach(pair: LawPair, noises: Sequence[Noise]) -> Fraction:
    """Return a bound of the ratio of densities of any two values."""
    refuse_tiny_noise([noise.decay or ONE for noise in noises], [pair])
    with ctx.workprec(_BITS):
        total = arb(1)
        for noise, axis in zip(noises, pair.axes):
            if noise.decay is not None and axis[-1] > axis[0]:
                total /= noise.decay.to(axis[-1] - axis[0]).ball()
        return max(Fraction(1), dyadic(total.upper()))


def _alone(question: tuple[LawPair, Sequence[Noise]]) -> LargestRatio:
    """Return the largest ratio of other noise alone."""
    pair, noises = question
    return largest_ratio(noises, [pair])


def _independent(pair: LawPair, parts: Sequence[LawPair], inside: Sequence[int], outside: Sequence[int]) -> bool:
    """Whether both parts are independent given either secret."""
    for law, left, right in (
        (pair.above, parts[0].above, parts[1].above),
        (pair.below, parts[0].below, parts[1].below),
    ):
        if len(law) != len(left) * len(right):
            return False
        if any(p != left[tuple(v[k] for k in inside)] * right[tuple(v[k] for k in outside)] for v, p in law.items()):
            return False
    return True
