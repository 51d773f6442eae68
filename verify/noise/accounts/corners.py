"""What a noisy query of a sequence leaks at least: the largest ratio of likelihoods at the corners
of its values, every coordinate w_k of an output being at most all values F_k takes, or at least all
of them:

    f(w | s) / f(w | s') = G_s(z) / G_s'(z),
    G_s(z) = E[prod_k z_k^F_k | s],    z_k = t_k or 1 / t_k,  t_k the decay

a product of one matrix per record, or by elimination on a network. Enclosures (Arb) compute it;
where the noise is Laplace or geometric and the chain moves all one way, it is often the leakage
itself. Upper bounds are in `pufferproof.verify.noise.ratio.bounds`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, product
from math import inf, log

from flint import arb, ctx

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.steps import steps
from pufferproof.models.listing import Pair
from pufferproof.models.noise.additive import Vector
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import ball, dyadic
from pufferproof.models.numbers.intervals import above, below
from pufferproof.models.numbers.text import text_of
from pufferproof.models.priors.chains import IntervalChain
from pufferproof.models.sequences.chain import Chain, Place
from pufferproof.verify.leakage.ratio import Leakage, Witness, nothing_to_check
from pufferproof.verify.noise.accounts.likelihoods import network_likelihoods
from pufferproof.verify.noise.laws.passes import BALLS, both_ways

_MOST_CORNERS = 64  # all of six numbers; of more, those where one number at most differs
_MOST_NATS = 500  # of the product of all weights: beyond it floats overflow
_BITS = 256  # working precision of balls


def largest_corner(
    framework: Framework,
    releases: Sequence[RecordQuery],
    places: Sequence[tuple[str, Pair]],
    corners: Iterable[tuple[int, ...]] | None = None,
) -> tuple[Leakage, Witness]:
    """Return bounds of the largest ratio at a corner, at least 1, and where it is.

    `corners`: those that are tried, which coordinates are at the least (1) or the greatest (-1)
    value.
    """
    best: tuple[Fraction, Witness] | None = None
    most = Fraction(1)
    with ctx.workprec(_BITS):
        every = corners or [*_corners([release.dimension for release in releases])]
        for signs in steps(every, "corners"):
            corner = _OutputCorner(releases, signs)
            for prior, pair, ratio in _ratios_at(framework, corner, places):
                lower, most = dyadic(ratio.lower()), max(most, dyadic(ratio.upper()))
                if best is None or lower > best[0]:
                    best = lower, Witness(prior, pair, corner.output)
    if best is None:
        raise nothing_to_check()
    return Leakage(max(best[0], Fraction(1)), most), best[1]


def _ratios_at(
    framework: Framework, corner: "_OutputCorner", places: Sequence[tuple[str, Pair]]
) -> Iterator[tuple[str, Pair, arb]]:
    """Yield the ratio of likelihoods at a corner for every prior and ordered pair, enclosed."""
    for prior in framework.priors:
        pairs = [pair for at, pair in places if at == prior]
        asked = {framework.places[name] for pair in pairs for name in pair}
        likelihood = _likelihoods(framework, prior, corner, sorted(asked)) if asked else {}
        for left, right in pairs:
            one, other = (likelihood[framework.places[name]] for name in (left, right))
            yield prior, (left, right), one / other
            yield prior, (right, left), other / one


def _corners(dimensions: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield which coordinates of the outputs of releases are at the least (1) or the greatest (-1)
    value: all ways, those that are alike for all releases, or those of one kind.
    """
    dimension, each = sum(dimensions), max(dimensions)
    if 2**dimension <= _MOST_CORNERS:
        yield from product((1, -1), repeat=dimension)
        return
    if dimension == each * len(dimensions) and 2**each <= _MOST_CORNERS:
        yield from (signs * len(dimensions) for signs in product((1, -1), repeat=each))
        return
    for sign in (1, -1):
        yield (sign,) * dimension
        yield from (tuple(-sign if k == own else sign for k in range(dimension)) for own in range(dimension))


class _OutputCorner:
    """An output at the ends of all coordinates, and what a record of each value contributes to
    its likelihood.

    There abs(w_k - F_k) is F_k - w_k or w_k - F_k whatever the sequence, so that the ratio of
    likelihoods is G_s(z) / G_s'(z); sums over sequences factor along a chain, hidden or not. An
    output is an output: the leakage is at least this ratio.
    """

    def __init__(self, releases: Sequence[RecordQuery], signs: Sequence[int]) -> None:
        self.releases = releases
        self.records = releases[0].records
        self.known: dict[tuple[bool, ...], list[arb]] = {}
        self.signs, taken = [], 0
        for release in releases:
            self.signs.append(tuple(signs[taken : taken + release.dimension]))
            taken += release.dimension

    @cached_property
    def output(self) -> str:
        """The numbers of the output."""
        numbers: list[Fraction] = []
        for release, signs in zip(self.releases, self.signs):
            base, adds = release.vector([0] * len(release.digits)), contributions(release)
            for k, sign in enumerate(signs):
                ends = [axis[k] for axis in adds]
                numbers.append(base[k] + release.size * (min(ends) if sign > 0 else max(ends)))
        return ",".join(map(text_of, numbers))

    def runs(self) -> list[tuple[int, int, tuple[bool, ...]]]:
        return stretches(self.releases)

    def every(self) -> list[list[arb]]:
        """Return the weights of every record."""
        every = range(1, self.records.count + 1)
        return [self.weights([release.covers(t) for release in self.releases]) for t in every]

    def weights(self, covered: Sequence[bool]) -> list[arb]:
        """Return prod_k z_k^(c_k(x)) for every value x, c_k(x) being what a record of value x adds to coordinate k."""
        if (key := tuple(covered)) not in self.known:
            weights = [arb(1)] * len(self.records.alphabet)
            for release, signs, inside in zip(self.releases, self.signs, key):
                decay = release.noise.decay
                if decay is None:
                    raise ModelError("expected noise with a decay, found gaussian", "noise")
                if inside:
                    for x, adds in enumerate(contributions(release)):
                        for sign, add in zip(signs, adds):
                            weights[x] = weights[x] * decay.to(sign * add).ball() if add else weights[x]
            self.known[key] = weights
        return self.known[key]


def stretches(releases: Sequence[RecordQuery]) -> list[tuple[int, int, tuple[bool, ...]]]:
    """Return stretches of records, first and last, in which the same releases count."""
    count = releases[0].records.count
    segments = [release.ends for release in releases]
    ends = {count, *(t for first, last in segments for t in (first - 1, last))}
    found, first = [], 1
    for last in sorted(ends):
        if last >= first:
            found.append((first, last, tuple(release.covers(first) for release in releases)))
            first = last + 1
    return found


def contributions(release: RecordQuery) -> list[Vector]:
    """Return what a record of each value adds to every coordinate, up to a constant that all sequences share."""
    base = release.vector([0] * len(release.digits))
    values = range(len(release.records.alphabet))
    moved = [release.vector([digit[x] for digit in release.digits]) for x in values]
    return [tuple(new - old for new, old in zip(row, base)) for row in moved]


def queries_of(mechanism: NoisyQueries) -> list[RecordQuery]:
    """Return the queries of records of a mechanism."""
    return [query for query in mechanism.queries if isinstance(query, RecordQuery)]


def ends_of(mechanism: NoisyQueries) -> list[tuple[int, ...]]:
    """Return the two ends of all coordinates, first the end that favours value 1: -1 for the
    greatest number, 1 for the least.
    """
    signs = tuple(
        -1 if high >= low else 1 for query in queries_of(mechanism) for low, high in zip(*contributions(query))
    )
    return [signs, tuple(-sign for sign in signs)]


def weights_of(framework: Framework, mechanism: NoisyQueries) -> list[tuple[float, float]] | None:
    """Return bounds of the factor by which each record of value 1 outweighs one of value 0, at the
    end that favours 1, or None if the product of all is too large for floats, and so is what
    one record and the classes bound.
    """
    queries, count = queries_of(mechanism), framework.expect_records().count
    ends = sorted({1, count + 1, *(end for query in queries for end in _ends(query, count))})
    spans = []
    with ctx.workprec(_BITS):
        weights: dict[tuple[bool, ...], tuple[float, float]] = {}
        for first, after in pairwise(ends):
            covered = tuple(query.covers(first) for query in queries)
            if covered not in weights:
                weights[covered] = weight_of(mechanism, covered)
            spans += [weights[covered]] * (after - first)
    nats = [log(high) if high < inf else inf for _, high in spans]
    bounded = sum(nats) <= _MOST_NATS or 2 * max(nats) + _others_tell(framework) <= _MOST_NATS
    return spans if bounded else None


def _ends(query: RecordQuery, count: int) -> list[int]:
    """Return the records at which a window, or one of the chosen records, begins and has ended."""
    if query.of is not None:
        return [end for record in query.of for end in (int(record), int(record) + 1)]
    first, last = query.segment or (1, count)
    return [first, last + 1]


def _others_tell(framework: Framework) -> float:
    """Return nats that bound what other records tell of one, whatever they weigh, and all that is
    computed on the way but for two weights: infinite unless every step of every chain of a box has
    a probability above 0.
    """
    boxes = list(framework.classes.values())
    if not boxes or not all(isinstance(box, IntervalChain) for box in boxes):
        return inf
    steps = [
        step
        for box in boxes
        if isinstance(box, IntervalChain)
        for side in (box.lower, box.upper)
        for row in side
        for step in row
    ]
    least = min(min(step, 1 - step) for step in steps)
    return 3 * log(1 / least) if least > Fraction(1, 10**100) else inf


def weight_of(mechanism: NoisyQueries, covered: Sequence[bool]) -> tuple[float, float]:
    """Enclose what a record counts, at least 1, in floats: up to infinity if it is beyond them."""
    total = arb(1)
    for query, inside in zip(queries_of(mechanism), covered):
        if inside and query.noise.decay is not None:
            for low, high in zip(*contributions(query)):
                total *= query.noise.decay.to(-abs(high - low)).ball()
    if not total < arb(2) ** 1000:
        return 1.0, inf
    return below(dyadic(total.lower())), above(dyadic(total.upper()))


def _likelihoods(
    framework: Framework, prior: str, corner: _OutputCorner, places: Sequence[Place]
) -> Mapping[Place, arb]:
    """Return G_s at a corner for possible secrets (record, value), up to one factor for those of a record."""
    wanted = sorted({record for record, _ in places})
    if not framework.along_records:
        return network_likelihoods(framework, prior, corner.every(), places)
    chain = framework.chains[prior]
    if chain.rows is not None:  # the other records say nothing of this one
        own = {record: corner.weights([r.covers(record) for r in corner.releases]) for record in wanted}
        return {(record, value): own[record][value] for record, value in places}
    stretches = [
        (first, last, _hidden_weights(chain, corner.weights(covered))) for first, last, covered in corner.runs()
    ]
    step = [[ball(p) for p in row] for row in chain.step]
    start = [ball(p) for p in chain.start]
    before, after = both_ways(BALLS, start, step, stretches, wanted)
    plain = chain.along(framework.expect_records().count, "enclosed", _BITS)
    likelihoods = {}
    for record, value in places:
        weight = corner.weights([release.covers(record) for release in corner.releases])[value]
        shows = _shows(chain, value)
        over = sum(a * b * e for a, b, e in zip(before[record], after[record], shows))
        under = sum(m * e for m, e in zip(plain.law_matrix(record).balls.tolist()[0], shows))
        likelihoods[record, value] = over * weight / under
    return likelihoods


def _shows(chain: Chain, value: int) -> list[arb]:
    """Return the probability that every state shows a value: 1 for the value itself on a chain that is not hidden."""
    states = range(len(chain.step))
    if chain.emission is None:
        return [arb(int(state == value)) for state in states]
    return [ball(chain.emission[state][value]) for state in states]


def _hidden_weights(chain: Chain, values: list[arb]) -> list[arb]:
    """Return the weight of every state of a chain: of its value, or on average of the values
    that a hidden state shows.
    """
    if chain.emission is None:
        return values
    return [sum((ball(p) * w for p, w in zip(row, values)), arb(0)) for row in chain.emission]
