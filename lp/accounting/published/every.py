"""All published bounds of what releases leak together that can be evaluated, beside the joint
leakage and in the order of song2017.

A bound is there only if its conditions are met. Theorems III.1 and III.3 are false as printed, and
taken as their claims repair them.

This file also has several runs of the Markov quilt mechanism about one chain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pufferproof.lp.accounting.published.bound import (
    DecidedCondition,
    PublishedBound,
    largest_of,
    product_of_levels,
    unmet,
)
from pufferproof.lp.accounting.published.divergence import nearly_independent
from pufferproof.lp.accounting.published.far import far_segments
from pufferproof.lp.accounting.published.segments import groups, two_segments
from pufferproof.models.channel import Channel
from pufferproof.models.framework import Framework
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.interface.readable import Readable
from pufferproof.models.interface.tabular import Entry, Tabular, nats
from pufferproof.models.noise.records import NoisyQueries, RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.numbers.text import JsonObject, rounded
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.models.sequences.local import LocalMechanism
from pufferproof.verify.audit import Form
from pufferproof.verify.audit.composition import Composition
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import WIDEST, RecordRate, best_quilt, nearby

RESTS_ON = (
    "song2017.thm-III1-repaired",
    "song2017.thm-III3-repaired",
    "song2017.thm-III6",
    "song2017.thm-III7-repaired",
    "song2017.x-upper-bounds",
)
SAID = ("III.7", "song2017.thm-III7-repaired", "song2017.thm-III7")  # theorem, claim it rests on, claim as printed
MOST_PLACES = 2_000  # records with secrets, times priors and queries
_BITS = 256


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
    bounds = list(_every(framework, together))
    return PublishedBounds(together.joint.leakage, tuple(bounds))


def _every(framework: Framework, together: Composition) -> list[PublishedBound]:
    forms = [together.mechanisms[place] for place in together.releases]
    if framework.one_sided or not all(isinstance(form, Channel | LocalMechanism | NoisyQueries) for form in forms):
        return []
    bounds = []
    if framework.along_records and len(forms) > 1:
        about = groups(framework, forms)
        bounds += [two_segments(framework, about), far_segments(framework, about)]
    if len(forms) == 2:
        bounds.append(nearly_independent(framework, together))
    queries = _queries(forms)
    if framework.along_records and len(forms) > 1 and queries is not None:
        bounds.append(several_runs(framework, queries))
    return bounds


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
