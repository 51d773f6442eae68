"""Secrets about single records, and priors along a chain: what frameworks on sequences have that
are too long to list.

A secret is `X_i = v`; two of them can be a pair only if they speak of the same record, since
secrets about different records have databases in common. Priors are Markov chains, independent
records and, for queries with noise, hidden Markov models.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType

from pufferproof.models.errors import ModelError
from pufferproof.models.listing import AllPairs, Pair, Secret, StatedPairs, counted, is_place
from pufferproof.models.numbers.text import shown
from pufferproof.models.priors.laws import Prior
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.sequences.chain import MAX_SEQUENCE, Chain, SequencePrior

Place = tuple[int, int]  # a record from 1, and the position of a value in the alphabet
_FORMS = {
    "Table": "table",
    "BayesianNetwork": "Bayesian network",
    "BifNetwork": "Bayesian network",
    "ChangingChain": "chain that changes with time",
}


def chains_of(records: Records, priors: Mapping[str, Prior]) -> Mapping[str, Chain]:
    """Return the numbers of every prior, by name. Raises `ModelError`, naming the prior, unless it
    is of the three forms and fits the records.
    """
    if records.count > MAX_SEQUENCE:
        raise ModelError(f"expected at most {MAX_SEQUENCE} records, found {shown(records.count)}", "records.count")
    chains = {}
    for name, prior in priors.items():
        try:
            chains[name] = Chain.of(_sequence_prior(prior, records), records)
        except ModelError as error:
            raise error.within(f"priors.{name}") from None
    return MappingProxyType(chains)


def _sequence_prior(prior: Prior, records: Records) -> SequencePrior:
    if isinstance(prior, SequencePrior):
        return prior
    form = _FORMS.get(type(prior).__name__, "prior like this")
    size = f"{len(records.alphabet)}^{shown(records.count)}"
    if form == "Bayesian network":
        raise ModelError(
            "a Bayesian network works with noisy queries, and with a local mechanism in audit; "
            f"else with at most 1000000 databases times outputs, found {size} databases and more: "
            'expected a "markov" or "product" prior, or fewer records'
        )
    raise ModelError(
        f'a {form} lists databases, {size} of them: expected a "markov" or "product" prior, or fewer records'
    )


def expect_chains(records: Records, secrets: Mapping[str, Secret], priors: Mapping[str, Prior], closure: str) -> None:
    """Raise `ModelError`, naming it, for a secret that is no value of a record, for a prior that
    has no chain, and for mixtures of priors.
    """
    if closure != "list":
        raise ModelError(
            'mixtures of priors need databases and outputs that can be listed: expected "list", or fewer records',
            "closure",
        )
    places_of(records, secrets)
    for name, prior in priors.items():
        try:
            _sequence_prior(prior, records)
        except ModelError as error:
            raise error.within(f"priors.{name}") from None


def expect_markov(chains: Mapping[str, Chain]) -> None:
    """Raise `ModelError` unless every chain is a Markov chain or has independent records."""
    for name, chain in chains.items():
        if chain.emission is not None:
            raise ModelError(
                "a hidden Markov model is a prior for queries with noise, and else for few "
                "records: "
                'expected a "markov" or "product" prior, or fewer records',
                f"priors.{name}",
            )


def places_of(records: Records, secrets: Mapping[str, Secret]) -> Mapping[str, Place]:
    """Return the record and the position of the value of every secret. Raises `ModelError` unless
    it is the value of one record.
    """
    return MappingProxyType({name: _place(records, name, secret) for name, secret in secrets.items()})


def _place(records: Records, name: str, held: Secret) -> Place:
    if not is_place(held):
        raise ModelError(
            "a list of databases, which are too many with the outputs of a mechanism: expected "
            '{"record": i, "value": v}',
            f"secrets.{name}",
        )
    record, value = held
    try:
        return records.place(int(record), str(value))
    except ModelError as error:
        raise error.within(f"secrets.{name}") from None


def pairs_of(records: Records, places: Mapping[str, Place], pairs: StatedPairs) -> Sequence[Pair]:
    """Return the pairs of secrets about different values of one record: all, or those stated.

    Raises `ModelError` unless there is one, and secrets are known and disjoint.
    """
    if isinstance(pairs, str):
        return _all_pairs(places)
    if not pairs:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    if isinstance(pairs, AllPairs) and pairs.secrets == tuple(places):
        return _all_pairs(places)
    unordered: dict[Pair, None] = {}
    for index, pair in enumerate(pairs):
        left, right = _disjoint_pair(records, places, pair, f"pairs[{index}]")
        if (right, left) not in unordered:
            unordered[left, right] = None
    return tuple(unordered)


def _all_pairs(places: Mapping[str, Place]) -> Sequence[Pair]:
    if len({record for record, _ in places.values()}) == 1 < len(places) == len(set(places.values())):
        return AllPairs(tuple(places))
    order = {name: index for index, name in enumerate(places)}
    by_record: dict[int, list[str]] = {}
    for name, (record, _) in places.items():
        by_record.setdefault(record, []).append(name)
    disjoint = [
        (left, right)
        for names in by_record.values()
        for left, right in combinations(names, 2)
        if places[left] != places[right]
    ]
    if not disjoint:
        raise ModelError("expected two secrets with no database in common, found none", "pairs")
    return tuple(sorted(disjoint, key=lambda pair: (order[pair[0]], order[pair[1]])))


def _disjoint_pair(records: Records, places: Mapping[str, Place], pair: Sequence[str], where: str) -> Pair:
    if isinstance(pair, str) or len(pair) != 2:
        found = f'"{pair}" alone' if isinstance(pair, str) else str(len(pair))
        raise ModelError(f"expected two secrets, found {found}", where)
    for name in pair:
        if name not in places:
            raise ModelError(f'unknown secret "{name}", expected one of {preview(tuple(places))}', where)
    if pair[0] == pair[1]:
        raise ModelError(f'expected two different secrets, found "{pair[0]}" twice', where)
    (left, value), (right, other) = places[pair[0]], places[pair[1]]
    if left == right and value != other:
        return pair[0], pair[1]
    secrets = f'secrets "{pair[0]}" and "{pair[1]}"'
    if not records.enumerable:
        raise ModelError(f"{secrets} have databases in common, expected two values of one record", where)
    free = records.count - (1 if left == right else 2)
    common = counted(len(records.alphabet) ** free, "database")
    raise ModelError(f"{secrets} overlap in {common}, expected none", where)
