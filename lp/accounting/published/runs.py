"""Several runs of the Markov quilt mechanism about one chain: song2017, Theorem III.7, the sum of
their levels.

A release with noise of scale s is what the mechanism adds at the level

    eps_k = max over i, min over quilts Q of X_i, of e(X_Q | X_i) + L card(N) / s,

the least at which it asks for no more noise, i running over the records with a secret. Influences
are exact, so that the theorem holds (song2017.thm-III7, MQMExact).
"""

from collections.abc import Sequence
from fractions import Fraction

from pufferproof.lp.accounting.published.bound import (
    DecidedCondition,
    PublishedBound,
    largest_of,
    product_of_levels,
    unmet,
)
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import dyadic
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.sequences.chain import Along
from pufferproof.verify.influence.chain import ChainInfluence
from pufferproof.verify.leakage.ratio import Leakage
from pufferproof.verify.noise.accounts.accountant import WIDEST, RecordRate, best_quilt, nearby

RESTS_ON = ("song2017.x-upper-bounds", "song2017.thm-III7-repaired")
SAID = (
    "III.7",
    "song2017.thm-III7-repaired",
    "song2017.thm-III7",
)  # theorem, claim it rests on, claim as printed
MOST_PLACES = 2_000  # records with secrets, times priors and queries
_BITS = 256


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
        levels += [
            _of_record(influence, rate, record)
            for record in places
            if len(influence.laws.possible(record)) > 1
        ]
    return largest_of(levels) if levels else Leakage.of(Fraction(1))


def _of_record(influence: ChainInfluence, rate: RecordRate, record: int) -> Leakage:
    """Return the least of influence and noise spent over the quilts of a record: floats choose,
    enclosures say what it is.
    """
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
