"""Two mechanisms that are nearly independent given every secret: song2017, Theorem III.6.

    eps_A + eps_B + 2 E,
    E = max over s of D_inf both ways between P(M_A, M_B | s) and P(M_A | s) P(M_B | s)

Of queries with noise, both are laws of the same noise about two laws of (F_A, F_B), the joint one
and the product of its marginals, so that E is a largest likelihood ratio like a leakage.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod

from pufferproof.lp.accounting.published.bound import (
    DecidedCondition,
    PublishedBound,
    largest_of,
    product_of_levels,
    unmet,
)
from pufferproof.models.channel import Channel
from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE, Power
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.verify.audit import Form
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.leakage.laws import included
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.laws.of_framework import Law, LawPair
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.listed import largest_ratio, ratio_balls, refuse_tiny_noise

RESTS_ON = ("song2017.thm-III6", "noise.attained")
SAID = ("III.6", "song2017.thm-III6", "song2017.thm-III6")  # theorem, claim it rests on, claim as printed
MOST_COMPARED = 50_000  # likelihoods, of all secrets and outputs
_DECIDED, _BITS = 4_000, 256  # up to so many E is exact, beyond between bounds


def nearly_independent(framework: Framework, together: Composition) -> PublishedBound:
    """Return the bound for two releases, or why there is none."""
    forms = [together.mechanisms[place] for place in together.releases]
    two = DecidedCondition(f"two releases, found {len(forms)}", len(forms) == 2)
    if not two.met:
        return PublishedBound(*SAID, None, (two,), reason=unmet([two]))
    singles = [together.single[place].leakage for place in together.releases]
    try:
        divergence = largest_divergence(framework, forms[0], forms[1])
    except TooLargeError as error:
        return PublishedBound(*SAID, None, (two,), reason=f"not computed: {error}")
    conditions = (
        two,
        DecidedCondition("mechanisms that keep a level", all(e.upper is not None for e in singles)),
        DecidedCondition("a finite E", divergence.upper is not None),
    )
    parts = {"eps_A": singles[0], "eps_B": singles[1], "E": divergence}
    if reason := unmet(conditions):
        return PublishedBound(*SAID, None, conditions, parts, reason)
    bound = product_of_levels(*singles, divergence, divergence)
    return PublishedBound(*SAID, bound, conditions, parts)


def largest_divergence(framework: Framework, one: Form, other: Form) -> Leakage:
    """Return E over all secrets that are compared.

    Raises `TooLargeError` where outputs cannot be compared one by one.
    """
    if isinstance(one, NoisyQueries) and isinstance(other, NoisyQueries):
        return _of_noise(framework, one, other)
    channels = [_channel(framework, form) for form in (one, other)]
    return _of_channels(framework, channels[0], channels[1])


def _of_noise(framework: Framework, one: NoisyQueries, other: NoisyQueries) -> Leakage:
    joint = one.beside(other)
    _expect_few(_values(joint))
    laws = query_laws(framework, joint)
    if any(noise.decay is None for noise in laws.noises):
        return Leakage.of(None)
    first = sum(query.dimension for query in one.queries)
    given: dict[tuple[str, str], Law] = {}
    for pair in laws.pairs:
        for secret, law in zip(pair.pair, (pair.above, pair.below)):
            given[pair.prior, secret] = law
    compared = len(given) * max(prod(map(len, each.axes)) for each in laws.pairs)
    _expect_few(compared)
    pairs: list[LawPair] = []
    for (prior, secret), law in given.items():
        pairs += _both_ways(prior, (secret, secret), law, _apart(law, first))
    if compared <= _DECIDED:
        return largest_ratio(laws.noises, pairs).leakage
    return _enclosed([noise.decay or ONE for noise in laws.noises], pairs)


def _values(joint: NoisyQueries) -> int:
    """Return how many outputs there may be, as a product over coordinates of queries."""
    return prod(
        query.size * max(row) + 1 for query in joint.queries if isinstance(query, RecordQuery) for row in query.digits
    )


def _enclosed(decays: Sequence[Power], pairs: Sequence[LawPair]) -> Leakage:
    """Return bounds of the largest ratio, without deciding which of its places is the largest."""
    from flint import arb, ctx

    refuse_tiny_noise(decays, pairs)
    lower = upper = arb(1)
    with ctx.workprec(_BITS):
        for _, ratios in ratio_balls(decays, pairs, range(len(pairs))):
            for ratio in ratios.flat:
                low, high = ratio.lower(), ratio.upper()
                lower, upper = max(lower, low), max(upper, high)
    return Leakage(dyadic(lower), dyadic(upper))


def _both_ways(prior: str, pair: Pair, law: Law, apart: Law) -> Iterator[LawPair]:
    yield LawPair(prior, pair, law, apart)
    yield LawPair(prior, pair, apart, law)


def _apart(law: Law, first: int) -> Law:
    """Return the product of the laws of the first coordinates and of the others."""
    one: Law = {}
    other: Law = {}
    for vector, p in law.items():
        head, tail = vector[:first], vector[first:]
        one[head] = one.get(head, Fraction(0)) + p
        other[tail] = other.get(tail, Fraction(0)) + p
    return {(*v, *w): p * q for v, p in one.items() for w, q in other.items()}


def _expect_few(compared: int) -> None:
    if compared > MOST_COMPARED:
        raise TooLargeError(f"{compared} likelihoods to compare, more than {MOST_COMPARED}")


def _channel(framework: Framework, form: Form) -> Channel:
    """Return a mechanism with its outputs listed. Raises `TooLargeError` where they are not."""
    if isinstance(form, LocalMechanism) and writable([form]):
        form = form.channel()
    if not isinstance(form, Channel):
        raise TooLargeError("outputs are not listed")
    return form.aligned(framework.databases, framework.support)


def _of_channels(framework: Framework, one: Channel, other: Channel) -> Leakage:
    wanted = [
        (prior, secret)
        for prior in framework.priors
        for secret in dict.fromkeys(
            name for pair in framework.pairs if included(framework, prior, pair) for name in pair
        )
    ]
    sizes = len(one.outputs) * len(other.outputs)
    _expect_few(len(wanted) * sizes + sizes * len(framework.support))
    rows = {
        x: [[Fraction(n, each.denominators[x]) for n in each.numerators_of(x)] for each in (one, other)]
        for x in framework.support
    }
    return largest_of([_given(framework, rows, *place) for place in wanted])


def _given(framework: Framework, rows: Mapping[int, Sequence[Sequence[Fraction]]], prior: str, secret: str) -> Leakage:
    """Return the divergence given one secret: 0/0 is none, and c/0 infinite either way."""
    weights, mass = framework.laws[prior].weights, framework.mass(prior, secret)
    joint: dict[tuple[int, int], Fraction] = {}
    for x in framework.secrets[secret]:
        if weights[x]:
            share = Fraction(weights[x], mass)
            for y, p in enumerate(rows[x][0]):
                for z, q in enumerate(rows[x][1]):
                    joint[y, z] = joint.get((y, z), Fraction(0)) + share * p * q
    largest = Fraction(1)
    apart_law = _apart({(Fraction(y), Fraction(z)): p for (y, z), p in joint.items()}, 1)
    for (y, z), both in joint.items():
        apart = apart_law[Fraction(y), Fraction(z)]
        if bool(both) != bool(apart):
            return Leakage.of(None)
        if both:
            largest = max(largest, both / apart, apart / both)
    return Leakage.of(largest)
