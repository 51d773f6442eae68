"""All published bounds of what releases leak together that can be evaluated, beside the joint
leakage and in the order of song2017. Those of nearly independent mechanisms, and of several runs of
the Markov quilt mechanism about one chain, are computed here.

A bound is there only if its conditions are met. Theorems III.1 and III.3 are false as printed, and
taken as their claims repair them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

from pufferproof.lp.accounting.published.far import (
    DecidedCondition,
    PublishedBound,
    far_segments,
    groups,
    largest_of,
    product_of_levels,
    two_segments,
    unmet,
)
from pufferproof.models.channel import Channel
from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.exponential_sums import ONE
from pufferproof.models.numbers.text import JsonObject, rounded
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.local import LocalMechanism, writable
from pufferproof.verify.audit import Form
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.laws import included
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import WIDEST, RecordRate, best_quilt, nearby
from pufferproof.verify.noise.laws.of_framework import Law, LawPair
from pufferproof.verify.noise.queries import query_laws
from pufferproof.verify.noise.ratio.listed import largest_ratio, ratio_balls, refuse_tiny_noise

# Two mechanisms that are nearly independent given every secret: song2017, Theorem III.6.
#
#     eps_A + eps_B + 2 E,
#     E = max over s of D_inf both ways between P(M_A, M_B | s) and P(M_A | s) P(M_B | s)
#
# Of queries with noise, both are laws of the same noise about two laws of (F_A, F_B), the joint one and the product of
# its marginals, so that E is a largest likelihood ratio like a leakage.

DIVERGENCE_RESTS_ON = ("song2017.thm-III6", "noise.attained")
_THEOREM_III6 = ("III.6", "song2017.thm-III6", "song2017.thm-III6")  # theorem, claim it rests on, claim as printed
MOST_COMPARED = 50_000  # likelihoods, of all secrets and outputs
_DECIDED, _BITS = 4_000, 256  # up to so many E is exact, beyond between bounds


def nearly_independent(framework: Framework, together: Composition) -> PublishedBound:
    """Return the bound for two releases, or why there is none."""
    forms = [together.mechanisms[place] for place in together.releases]
    two = DecidedCondition(f"two releases, found {len(forms)}", len(forms) == 2)
    if not two.met:
        return PublishedBound(*_THEOREM_III6, None, (two,), reason=unmet([two]))
    singles = [together.single[place].leakage for place in together.releases]
    try:
        divergence = largest_divergence(framework, forms[0], forms[1])
    except TooLargeError as error:
        return PublishedBound(*_THEOREM_III6, None, (two,), reason=f"not computed: {error}")
    conditions = (
        two,
        DecidedCondition("mechanisms that keep a level", all(e.upper is not None for e in singles)),
        DecidedCondition("a finite E", divergence.upper is not None),
    )
    parts = {"eps_A": singles[0], "eps_B": singles[1], "E": divergence}
    if reason := unmet(conditions):
        return PublishedBound(*_THEOREM_III6, None, conditions, parts, reason)
    bound = product_of_levels(*singles, divergence, divergence)
    return PublishedBound(*_THEOREM_III6, bound, conditions, parts)


def largest_divergence(framework: Framework, one: Form, other: Form) -> Leakage:
    """Return E over all secrets that are compared.

    Raises `TooLargeError` where outputs cannot be compared one by one.
    """
    if isinstance(one, NoisyQueries) and isinstance(other, NoisyQueries):
        return _of_noise(framework, one, other)
    channels = [_channel(framework, form) for form in (one, other)]
    wanted = [
        (prior, secret)
        for prior in framework.priors
        for secret in dict.fromkeys(
            name for pair in framework.pairs if included(framework, prior, pair) for name in pair
        )
    ]
    sizes = len(channels[0].outputs) * len(channels[1].outputs)
    _expect_few(len(wanted) * sizes + sizes * len(framework.support))
    rows = {
        x: [[Fraction(n, each.denominators[x]) for n in each.numerators_of(x)] for each in (channels[0], channels[1])]
        for x in framework.support
    }
    return largest_of([_given(framework, rows, *place) for place in wanted])


def _of_noise(framework: Framework, one: NoisyQueries, other: NoisyQueries) -> Leakage:
    from flint import arb, ctx

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
    # bounds of the largest ratio, without deciding which of its places is the largest
    decays = [noise.decay or ONE for noise in laws.noises]
    refuse_tiny_noise(decays, pairs)
    lower = upper = arb(1)
    with ctx.workprec(_BITS):
        for _, ratios in ratio_balls(decays, pairs, range(len(pairs))):
            for ratio in ratios.flat:
                low, high = ratio.lower(), ratio.upper()
                lower, upper = max(lower, low), max(upper, high)
    return Leakage(dyadic(lower), dyadic(upper))


def _values(joint: NoisyQueries) -> int:
    """Return how many outputs there may be, as a product over coordinates of queries."""
    return prod(
        query.size * max(row) + 1 for query in joint.queries if isinstance(query, RecordQuery) for row in query.digits
    )


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


RESTS_ON = (
    "song2017.thm-III1-repaired",
    "song2017.thm-III3-repaired",
    "song2017.thm-III6",
    "song2017.thm-III7-repaired",
    "song2017.x-upper-bounds",
)
SAID = ("III.7", "song2017.thm-III7-repaired", "song2017.thm-III7")  # theorem, claim it rests on, claim as printed
MOST_PLACES = 2_000  # records with secrets, times priors and queries


@dataclass(frozen=True, repr=False)
class PublishedBounds(Readable, Tabular):
    """What song2017 says of a joint leakage, theorem by theorem, and which bound is smallest."""

    _named = ("theorem",)

    joint: Leakage
    bounds: tuple[PublishedBound, ...] = field(repr=False)

    @property
    def smallest(self) -> PublishedBound | None:
        """The bound with the least upper end, or None if no theorem applies."""
        known = [bound for bound in self.bounds if bound.bound is not None]
        finite = [each for each in known if each.bound and each.bound.upper is not None]
        return min(finite, key=_upper, default=None)

    def as_json(self) -> list[JsonObject]:
        """Return one object per theorem."""
        least = self.smallest
        return [bound.as_json(self.joint) | {"smallest": bound is least} for bound in self.bounds]

    def entries(self) -> list[Entry]:
        """Return a row for every theorem; those that do not apply have no nats."""
        return [
            {"theorem": bound.theorem, "claim": bound.claim, "reason": bound.reason or None}
            | (nats(bound.bound.enclosure()) if bound.bound is not None else {})
            for bound in self.bounds
        ]

    def __str__(self) -> str:
        least = self.smallest
        if least is None or least.bound is None:
            return f"joint leakage {self.joint}; no published bound applies"
        above = least.above(self.joint)
        off = "" if above is None else f", {rounded(above.upper, 4)} nats above it"
        bound = f"smallest published bound {least.bound} ({least.theorem})"
        return f"joint leakage {self.joint}; {bound}{off}"


def _upper(bound: PublishedBound) -> Any:
    return bound.bound and bound.bound.upper


def published_bounds(together: Composition) -> PublishedBounds:
    """Return the bounds that song2017 prints for releases together, where their conditions are met.

    >>> from pufferproof import Framework, MarkovChain, Noise, RecordQuery, Records, compose
    >>> records = Records(6, ("0", "1"))
    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {f"x{t}={v}": (t, v) for t in (1, 2, 5, 6) for v in "01"}
    >>> framework = Framework.of_records(records, secrets, "disjoint", {"theta": chain})
    >>> noise = Noise.laplace("1/log(2)")
    >>> ends = [RecordQuery("sum", noise, records, span) for span in ((1, 2), (5, 6))]
    >>> found = published_bounds(compose(framework, ends))
    >>> [each.theorem for each in found.bounds if each.bound], found.smallest.theorem
    (['III.1', 'III.6', 'III.7'], 'III.1')

    There are none against classes of priors and mixtures, whose laws are not listed, and for
    several people.
    """
    together = check_type(together, Composition, "together")
    framework = together.joint.of or together.joint.framework
    if framework.classes or framework.closure != "list" or framework.people > 1:
        return PublishedBounds(together.joint.leakage, ())
    forms = [together.mechanisms[place] for place in together.releases]
    if framework.one_sided or not all(isinstance(form, Channel | LocalMechanism | NoisyQueries) for form in forms):
        return PublishedBounds(together.joint.leakage, ())
    bounds = []
    if framework.along_records and len(forms) > 1:
        about = groups(framework, forms)
        bounds += [two_segments(framework, about), far_segments(framework, about)]
    if len(forms) == 2:
        bounds.append(nearly_independent(framework, together))
    queries = _queries(forms)
    if framework.along_records and len(forms) > 1 and queries is not None:
        bounds.append(several_runs(framework, queries))
    return PublishedBounds(together.joint.leakage, tuple(bounds))


def _queries(forms: Sequence[Form]) -> list[RecordQuery] | None:
    """Return the queries of all releases, None unless all are queries of records with noise."""
    queries = [q for form in forms if isinstance(form, NoisyQueries) for q in form.queries]
    of_records = [query for query in queries if isinstance(query, RecordQuery)]
    return of_records if len(of_records) == len(queries) and len(queries) >= len(forms) else None


def several_runs(framework: Framework, queries: Sequence[RecordQuery]) -> PublishedBound:
    """Return the sum of the levels of all releases, or which condition is not met."""
    chains = all(isinstance(prior, MarkovChain) for prior in framework.priors.values())
    laplace = all(query.noise.kind == "laplace" for query in queries)
    conditions = (
        DecidedCondition("a Markov chain under every prior", chains),
        DecidedCondition("Laplace noise", laplace),
    )
    if reason := unmet(conditions):
        return PublishedBound(*SAID, None, conditions, reason=reason)
    places = sorted({record for record, _ in framework.places.values()})
    distinct = list(dict.fromkeys(queries))
    if len(places) * len(framework.priors) * len(distinct) > MOST_PLACES:
        reason = f"not computed: more than {MOST_PLACES} records with secrets, times queries"
        return PublishedBound(*SAID, None, conditions, reason=reason)
    known = {query: run_level(framework, query, places) for query in distinct}
    levels = [known[query] for query in queries]
    parts = {f"eps_{k}": level for k, level in enumerate(levels, 1)}
    return PublishedBound(*SAID, product_of_levels(*levels), conditions, parts)


def run_level(framework: Framework, query: RecordQuery, places: Sequence[int]) -> Leakage:
    """Return the least level at which the mechanism adds no more noise than a query has."""
    length, levels = framework.expect_records().count, []
    rate = RecordRate.of(query, framework)
    for prior in framework.priors.values():
        if not isinstance(prior, MarkovChain):
            raise TypeError("an influence of a chain")
        influence = ChainInfluence(Along(prior, length, "enclosed", _BITS))
        levels += [_of_record(influence, rate, record) for record in places if len(influence.laws.possible(record)) > 1]
    return largest_of(levels) if levels else Leakage.of(Fraction(1))


def _of_record(influence: ChainInfluence, rate: RecordRate, record: int) -> Leakage:
    """Return the least influence plus noise over a record's quilts: floats choose, exact says."""
    from flint import ctx

    def count(left: int | None, right: int | None) -> int:
        first, last = nearby(record, left, right, influence.laws.length)
        return last - first + 1

    with ctx.workprec(_BITS):
        cost = rate.ball()
        sides = best_quilt(influence, record, lambda *at: float(cost.mid()) * count(*at), WIDEST)
        spent = (cost * count(*sides)).exp()
        low, high = max(dyadic(spent.lower()), Fraction(1)), dyadic(spent.upper())
    ratio = influence.of(record, *sides)
    if ratio.lower is None or ratio.upper is None:
        return Leakage.of(None)
    return Leakage(ratio.lower * low, ratio.upper * high)
