"""Laws of noisy sums, means and histograms of records given every secret, without a list of
sequences: along chains by dynamic programming, on Bayesian networks by variable elimination.

With z^d the weight of a record that adds the integer d, both find the generating function of what a
query counts given the value of a record, as a polynomial with integer coefficients. Several
coordinates and releases are digits of one exponent (`packing`). What noise makes of these laws is
in `pufferproof.verify.noise.ratio.listed`.
"""

from collections.abc import Mapping, Sequence
from math import isqrt, lcm

from pufferproof.models.errors import TooLargeError
from pufferproof.models.framework import Framework
from pufferproof.models.listing import Pair
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.sequences.chain import Chain, SequencePrior
from pufferproof.verify.noise.laws.chain import RESTS_ON as CHAINS_REST_ON
from pufferproof.verify.noise.laws.chain import chain_laws
from pufferproof.verify.noise.laws.network import network_laws
from pufferproof.verify.noise.laws.of_framework import Law, LawPair, QueryLaws
from pufferproof.verify.noise.laws.packing import Packing

MAX_WORK = 30_000_000  # records times terms of a polynomial
_MOST_BITS = 10**12  # that are written, as every record makes coefficients longer


def sequence_laws(framework: Framework, releases: Sequence[RecordQuery]) -> QueryLaws:
    """Return the joint laws of independent noisy queries of one sequence, or of those of several
    people, given every secret.

    Raises `ModelError` unless all queries are about these records, `TooLargeError` unless
    polynomials are short enough.
    """
    for release in releases:
        release.expect_of(framework.records)
    framework, people = framework.alone, framework.people
    distinct = list({release.asked: release for release in releases}.values())
    packing = Packing.of(distinct)
    chains = _chains(framework)
    _refuse_long(framework, chains, packing)
    noises = tuple(release.noise for release in releases for _ in range(release.dimension))
    pairs: list[LawPair] = []
    excluded, seen = 0, set()
    for prior in framework.priors:
        if prior in chains:
            given = chain_laws(framework, chains[prior], packing, people)
        elif people > 1:
            raise TooLargeError("several people, each with a network: too many values", "query")
        else:
            given = network_laws(framework, framework.networks[prior], packing)
        laws = {place: _repeated(law, distinct, releases) for place, law in given.items()}
        for pair in framework.pairs:
            above, below = (laws[framework.places[name]] for name in pair)
            if not (above and below):
                excluded += 1
                continue
            seen.add(pair)
            pairs.append(LawPair(prior, pair, above, below))
            pairs.append(LawPair(prior, (pair[1], pair[0]), below, above))
    never: tuple[Pair, ...] = tuple(pair for pair in framework.pairs if pair not in seen)
    claims = CHAINS_REST_ON if chains else ()
    return QueryLaws(noises, tuple(pairs), excluded, never, claims)


def _chains(framework: Framework) -> Mapping[str, Chain]:
    """Return the numbers of every prior along the records, of all that are no network."""
    if framework.along_records:
        return framework.chains
    return {
        name: Chain.of(prior, framework.expect_records())
        for name, prior in framework.priors.items()
        if isinstance(prior, SequencePrior)
    }


def _refuse_long(framework: Framework, chains: Mapping[str, Chain], packing: Packing) -> None:
    """Raise `TooLargeError` where polynomials are too long: of every record, and of every
    hidden state where there are some.
    """
    count, hidden = (framework.expect_records().count, [c.start for c in chains.values() if c.emission is not None])
    states = max(map(len, hidden), default=1)
    if count * packing.terms * states > MAX_WORK:
        size = f"{count} records times {packing.terms} values of the query"
        times = f" times {states} hidden states" if states > 1 else ""
        raise TooLargeError(f"{size}{times}: expected at most {MAX_WORK}", "query")
    bits = max((bits_of(chain) for chain in chains.values()), default=0)
    if count * count * packing.terms * states * bits > _MOST_BITS:
        size = f"{count} records, {packing.terms} values of the query, probabilities of {bits} bits"
        most = isqrt(_MOST_BITS // (packing.terms * states * bits))
        raise TooLargeError(f"{size}: expected at most {most} records, or fewer bits", "query")


def bits_of(chain: Chain) -> int:
    """Return by how many bits every record makes coefficients longer."""
    rows = chain.step if chain.rows is None else chain.rows
    return max(lcm(*(p.denominator for p in row)).bit_length() for row in rows)


def _repeated(law: Law, distinct: Sequence[RecordQuery], releases: Sequence[RecordQuery]) -> Law:
    """Return the law of all releases, given that of the distinct queries among them: equal ones
    have equal values.
    """
    if len(distinct) == len(releases):
        return law
    starts, places = 0, {}
    for query in distinct:
        places[query.asked] = slice(starts, starts + query.dimension)
        starts += query.dimension
    chosen = [places[release.asked] for release in releases]
    return {tuple(x for part in chosen for x in vector[part]): p for vector, p in law.items()}
