"""Views of a framework that lists no databases: what it holds as it was stated, its views along records, and the values
that records can have under a prior, by the zeros of its tables.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from types import MappingProxyType, UnionType
from typing import Literal, NamedTuple, cast

from pufferproof.models.errors import ModelError, TooLargeError, within
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.listing import AllPairs, Pair, Secret, StatedPairs, distinct, is_place
from pufferproof.models.numbers.level import Level
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import ChangingChain
from pufferproof.models.priors.definitions.definition import LeveledPair, Neighbours, levels_of
from pufferproof.models.priors.forest import forest_within
from pufferproof.models.priors.laws import Prior, normalized_priors
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.of_prior import BifNetwork, network_of
from pufferproof.models.priors.records import Records, several_people
from pufferproof.models.priors.tables import Product
from pufferproof.models.sequences.chain import Along, Chain, Place, SequencePrior, chains_of, expect_chains, places_of
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

# Views along records are one Markov chain per prior (`chains`), or Bayesian networks (`networks`). The databases one by
# one are a view of `pufferproof.models.framework`.

Closure = Literal["list", "convex"]
_SECRETS = Mapping[str, tuple[int, str] | Sequence[str]]  # kinds of arguments, made once
_PAIRS, _PRIORS = Sequence[Pair] | Literal["disjoint"], Mapping[str, Prior]


class Stated(NamedTuple):
    """A framework as it was written down."""

    space: tuple[str, ...] | Records
    secrets: Mapping[str, Secret]
    pairs: StatedPairs
    priors: Mapping[str, Prior]
    closure: Closure
    one_sided: bool
    neighbours: Neighbours | None = None
    sized: Records | None = None  # of which every length is a database
    too_many: TooLargeError | None = None
    levels: tuple[tuple[Pair, Level], ...] = ()  # of pairs


class StatedFramework:
    """A framework as it was stated: its records, names and priors, and its views along records."""

    _stated: Stated

    @property
    def records(self) -> Records | None:
        """The records that databases are made of, or None if they were listed."""
        return self._stated.space if isinstance(self._stated.space, Records) else None

    @property
    def levels(self) -> Sequence[tuple[Pair, Level]]:
        """The pairs with the levels of their own, none where pairs have no level."""
        return self._stated.levels

    def _expect_no_levels(self) -> None:
        """Raise `ModelError` where pairs have levels, which only an audit decides."""
        if self.levels:
            raise ModelError(
                "every pair has a level of its own, which only audit decides: expected pairs without a third entry",
                "pairs",
            )

    @property
    def neighbours(self) -> Neighbours | None:
        """The relation of which pairs are all neighbours, or None if they were written."""
        return self._stated.neighbours

    @property
    def sized(self) -> Records | None:
        """The records of which every number up to their count is a database, where they are added
        and removed; else None.
        """
        return self._stated.sized

    @property
    def too_many(self) -> TooLargeError | None:
        """Why neighbours are not listed, None if they are."""
        return self._stated.too_many

    @property
    def people(self) -> int:
        """How many independent people there are; secrets are about person 1."""
        return 1 if self.records is None else self.records.people

    @property
    def priors(self) -> Mapping[str, Prior]:
        """The priors by name."""
        return self._stated.priors

    @property
    def closure(self) -> Closure:
        """Whether the priors are a list, or stand for their convex hull."""
        return self._stated.closure

    @property
    def one_sided(self) -> bool:
        """Whether a pair is checked only in the order in which it is written."""
        return self._stated.one_sided

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the secrets."""
        return tuple(self._stated.secrets)

    @property
    def normalized(self) -> tuple[str, ...]:
        """The names of the priors whose rows were divided by their sums."""
        return normalized_priors(self.priors)

    @property
    def along_records(self) -> bool:
        """Whether there are `chains`: secrets speak of single records, and the priors are a list of
        Markov chains, products and hidden Markov models.
        """
        return self._of_records(SequencePrior)

    @property
    def by_records(self) -> bool:
        """Whether secrets speak of single records, and the priors are a list of laws that are known
        record by record: those with `chains`, Bayesian networks, and chains that change with time.
        """
        return self._of_records(SequencePrior, BayesianNetwork, BifNetwork, ChangingChain)

    def _of_records(self, *forms: type | UnionType) -> bool:
        stated = self._stated
        return (
            isinstance(stated.space, Records)
            and stated.neighbours is None
            and stated.space.people == 1
            and stated.closure == "list"
            and not stated.one_sided
            and all(map(is_place, stated.secrets.values()))
            and all(isinstance(prior, forms) for prior in stated.priors.values())
        )

    @cached_property
    def places(self) -> Mapping[str, Place]:
        """The record, from 1, and the position of its value, of every secret. Raises `ModelError`
        unless all secrets speak of single records.
        """
        if self.neighbours is not None:
            raise ModelError(
                "every database is a secret of its own: expected secrets of single records and "
                "pairs instead of neighbours",
                "neighbours",
            )
        return places_of(self.expect_records(), self._stated.secrets)

    @cached_property
    def chains(self) -> Mapping[str, Chain]:
        """The numbers of every prior along the records, by name.

        Raises `ModelError` unless secrets speak of single records, and priors are a list of Markov
        chains, products and hidden Markov models, naming the one that is not.
        """
        self._expect_no_levels()
        records, stated = self._one_person(), self._stated
        if stated.one_sided:
            raise ModelError("pairs of one order need databases that are listed", "pairs")
        expect_chains(records, stated.secrets, stated.priors, stated.closure)
        return chains_of(records, stated.priors)

    @cached_property
    def networks(self) -> Mapping[str, BayesianNetwork]:
        """The Bayesian networks among the priors, by name. Raises `ModelError`, naming the prior,
        unless it fits the records.
        """
        self._expect_no_levels()
        records, known = self._one_person(), {}
        for name, prior in self.priors.items():
            with within(f"priors.{name}"):
                if isinstance(prior, BifNetwork | ChangingChain):
                    prior = prior.network(records)
                if isinstance(prior, BayesianNetwork):
                    prior.expect(records)
                    known[name] = prior
                elif isinstance(prior, SequencePrior):
                    Chain.of(prior, records)
        return MappingProxyType(known)

    def _one_person(self) -> Records:
        records = self.expect_records()
        if records.people > 1:
            raise several_people(records.people)
        return records

    def expect_records(self) -> Records:
        """Return the records. Raises `ModelError` unless databases are made of them."""
        if self.too_many is not None and self.sized is not None:
            raise self.too_many
        if self.sized is not None:
            raise ModelError(
                "databases have different numbers of records, which are added and removed: "
                "expected secrets and pairs instead of neighbours",
                "neighbours",
            )
        if self.records is None:
            raise ModelError("a table of databases has no records, expected a framework of records", "framework")
        return self.records


def as_written(
    databases: Sequence[str] | Records,
    secrets: Mapping[str, tuple[int, str] | Sequence[str]] | None,
    pairs: Sequence[Pair | LeveledPair] | Literal["disjoint"] | None,
    priors: Mapping[str, Prior] | None,
    closure: Closure,
    one_sided: bool,
) -> Stated:
    """Hold secrets, pairs and priors as they were written. Raises `ModelError` if one is not."""
    for name, given in (("secrets", secrets), ("pairs", pairs), ("priors", priors)):
        if given is None:
            raise ModelError('expected this, or "neighbours" instead of secrets and pairs', name)
    secrets = check_type(secrets, _SECRETS, "secrets")
    levels = () if isinstance(pairs, str | AllPairs) else levels_of(pairs)
    plain = tuple(pair for pair, _ in levels) if levels else pairs
    stated = cast("StatedPairs", check_type(plain, _PAIRS, "pairs"))
    laws = cast("Mapping[str, Prior]", check_type(priors, _PRIORS, "priors"))
    held = dict(secrets or {})
    if not isinstance(databases, Records):
        databases = distinct(databases, "database", "databases")
    else:
        for name, prior in laws.items():
            if not isinstance(prior, BayesianNetwork | BifNetwork):  # which have a row for each record
                databases.expect_common('expected a "bayes_net" prior, with a row each', f"priors.{name}")
        if databases.names is not None:
            for name, secret in held.items():
                if isinstance(secret, tuple) and len(secret) == 2 and isinstance(secret[0], str):
                    held[name] = databases.number(secret[0], f"secrets.{name}"), secret[1]
    laws = MappingProxyType(dict(laws))
    return Stated(databases, held, stated, laws, closure, one_sided, levels=levels)


def of_neighbours(
    space: Sequence[str] | Records,
    relation: Neighbours,
    priors: Mapping[str, Prior] | None,
    closure: Closure,
    one_sided: bool,
) -> Stated:
    """Write out the pairs of neighbours, where they are few enough."""
    if not isinstance(space, Records):
        space = distinct(space, "database", "databases")
    if isinstance(space, Records):
        space.expect_common("neighbours need records that have one alphabet", "neighbours")
    sized = space if isinstance(space, Records) and relation.relation == "add-remove" else None
    labels: tuple[str, ...] | Records = space
    try:
        written = relation.written(space)
    except TooLargeError as error:
        labels = () if sized is not None else space
        return Stated(labels, {}, (), {}, closure, one_sided, relation, sized, error)
    if sized is not None:
        labels = written.databases
    given = None if priors is None else check_type(priors, _PRIORS, "priors")
    laws: Mapping[str, Prior] = MappingProxyType({**(written.priors if given is None else given)})
    return Stated(labels, written.secrets, written.pairs, laws, closure, one_sided, relation, sized)


def expect_no_more(secrets: object, pairs: object) -> None:
    """Raise `ModelError` where secrets or pairs stand beside neighbours."""
    for name, given in (("secrets", secrets), ("pairs", pairs)):
        if given is not None:
            raise ModelError("expected none beside neighbours: every database is its own secret", name)


_DRAWN = 64  # databases that show which values are possible


def expect_network(framework: StatedFramework, name: str) -> BayesianNetwork:
    """Return a prior as a Bayesian network. Raises `ModelError` unless it is one."""
    network = network_of(framework.priors[name], framework.expect_records())
    if network is None:
        raise ModelError('expected a "markov", "product" or "bayes_net" prior', f"priors.{name}")
    return network


def possible_values(framework: StatedFramework, prior: str, records: Sequence[int]) -> dict[int, frozenset[int]]:
    """Return the positions of the values that records have with positive probability, decided
    by zero patterns.
    """
    chosen = framework.priors[prior]
    if not framework.along_records:
        network, space = expect_network(framework, prior), framework.expect_records()
        if (forest := forest_within(network, space)) is not None:
            values = {record: enumerate(forest.possible[record - 1]) for record in records}
            return {record: frozenset(v for v, may in bits if may) for record, bits in values.items()}
        return {record: _possible(network, space, record) for record in records}
    if isinstance(chosen, Product):
        return {record: frozenset(v for v, p in enumerate(chosen.rows[record - 1]) if p) for record in records}
    if not isinstance(chosen, MarkovChain | HiddenMarkovModel):
        raise TypeError("what goes along records is one of three forms")
    chain = chosen if isinstance(chosen, MarkovChain) else chosen.hidden
    laws = Along(chain, framework.expect_records().count)
    states = {record: laws.possible(record) for record in records}
    if isinstance(chosen, MarkovChain):
        return {record: frozenset(possible) for record, possible in states.items()}
    shown = [frozenset(v for v, p in enumerate(row) if p) for row in chosen.emission]
    return {record: frozenset().union(*(shown[state] for state in possible)) for record, possible in states.items()}


def _possible(network: BayesianNetwork, space: Records, record: int) -> frozenset[int]:
    """Return the possible values of a record of a network: all, if all tables that it depends on
    are positive, else by its law; where that is too large all, if databases are found that have
    them.

    Raises `TooLargeError` if there is no answer.
    """
    every = frozenset(network.own(space)[record - 1])
    if network.positive(space, network.ancestors([record])):
        return every
    try:
        law = network.marginal(record, space)
    except TooLargeError:
        draw, tables, reached = Random(record), network.tables(space), set[int]()
        wanted = network.ancestors([record])
        order = [each for each in network.parents_first() if each in wanted]
        for _ in range(_DRAWN):
            values: dict[int, int] = {}
            for each in order:
                above, table = tables[each - 1]
                row = table[tuple(values[parent] for parent in above)]
                values[each] = draw.choice([value for value, p in enumerate(row) if p])
            reached.add(values[record])
        if {network.own(space)[record - 1][place] for place in reached} == every:
            return every
        raise
    return frozenset(value for value, p in enumerate(law) if p)
