"""Pufferfish frameworks on sequences of any length: secrets about single records, priors along a
chain, never enumerated.

What a `Framework` lists (databases, laws on them) stays implicit here, so that a chain may have a
million records. Priors are Markov chains, independent records and, for queries with noise, hidden
Markov models. Only local mechanisms and built-in queries can be audited against it. Secrets are
`X_i = v`; two of them can be a pair only if they speak of the same record, since secrets about
different records have databases in common.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from types import MappingProxyType
from typing import Literal

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Pair
from pufferproof.models.interface.signatures import checked
from pufferproof.models.numbers.grammar import shown
from pufferproof.models.priors.laws import (
    MarkovChain,
    Prior,
    Product,
    Records,
    normalized_priors,
    preview,
)
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

MAX_SEQUENCE = 10_000_000
SequencePrior = MarkovChain | Product | HiddenMarkovModel
_FORMS = {"Table": "table", "BayesianNetwork": "Bayesian network", "BifNetwork": "Bayesian network"}


@dataclass(frozen=True)
class Chain:
    """The numbers of a prior over sequences: a Markov chain, independent records, or a hidden
    Markov model.

    `start` is the law of the first record, `step` those of record t + 1 given each value of record
    t. Where `rows` is set the records are independent, record t having the law rows[t - 1], and
    `start` and `step` are not used. Where `emission` is set, `start` and `step` are those of hidden
    states, and emission[h] is the law of the value that state h shows.
    """

    start: tuple[Fraction, ...]
    step: tuple[tuple[Fraction, ...], ...]
    stationary: bool
    rows: tuple[tuple[Fraction, ...], ...] | None = field(default=None, repr=False)
    emission: tuple[tuple[Fraction, ...], ...] | None = field(default=None, repr=False)


@dataclass(frozen=True, eq=False)
class SequenceFramework:
    """A Pufferfish framework on sequences of records, with secrets about single records.

    Args: records: how many, and their values. secrets: name -> (record from 1, value); after
        construction the value's position in the alphabet. pairs: pairs of secrets about different
        values of one record, or `"disjoint"` for all of them. priors: name -> `MarkovChain`,
        `Product` or `HiddenMarkovModel`.

    >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
    >>> secrets = {"x9=0": (9, "0"), "x9=1": (9, "1")}
    >>> SequenceFramework(Records(10**6, ("0", "1")), secrets, "disjoint", {"theta": chain})
    SequenceFramework(1000000 records, 2 secrets, 1 pair, 1 prior)

    Raises `ModelError` unless records and values are known, pairs disjoint, and priors are of these
    three forms and fit.
    """

    records: Records
    secrets: Mapping[str, tuple[int, int]]
    pairs: Sequence[Pair]
    priors: Mapping[str, SequencePrior]

    @checked
    def __init__(
        self,
        records: Records,
        secrets: Mapping[str, tuple[int, str] | Sequence[str]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, Prior],
    ) -> None:
        if records.count > MAX_SEQUENCE:
            raise ModelError(
                f"expected at most {MAX_SEQUENCE} records, found {shown(records.count)}",
                "records.count",
            )
        places = {name: _place(records, name, held) for name, held in secrets.items()}
        chosen = _all_pairs(places) if isinstance(pairs, str) else _listed_pairs(places, pairs)
        known = {name: _sequence_prior(name, prior, records) for name, prior in priors.items()}
        if not known:
            raise ModelError("expected at least one prior, found none", "priors")
        for name, value in zip(
            ("records", "secrets", "pairs", "priors"), (records, places, chosen, known)
        ):
            object.__setattr__(
                self, name, MappingProxyType(value) if isinstance(value, dict) else value
            )
        _ = self.chains

    @cached_property
    def chains(self) -> Mapping[str, Chain]:
        """The numbers of every prior, by name."""
        chains = {}
        for name, prior in self.priors.items():
            try:
                chains[name] = _chain(prior, self.records)
            except ModelError as error:
                raise error.within(f"priors.{name}") from None
        return MappingProxyType(chains)

    @property
    def normalized(self) -> tuple[str, ...]:
        """The names of the priors whose rows were divided by their sums."""
        return normalized_priors(self.priors)

    def expect_markov(self) -> None:
        """Raise `ModelError` unless every prior is a Markov chain or a product."""
        for name, chain in self.chains.items():
            if chain.emission is not None:
                raise ModelError(
                    "a hidden Markov model is a prior for queries with noise, and else for few "
                    "records: "
                    'expected a "markov" or "product" prior, or fewer records',
                    f"priors.{name}",
                )

    def __repr__(self) -> str:
        counts = (
            (self.records.count, "record"),
            (len(self.secrets), "secret"),
            (len(self.pairs), "pair"),
        )
        parts = [
            f"{number} {noun}{'' if number == 1 else 's'}"
            for number, noun in (*counts, (len(self.priors), "prior"))
        ]
        return f"SequenceFramework({', '.join(parts)})"


def _chain(prior: SequencePrior, records: Records) -> Chain:
    if isinstance(prior, Product):
        prior.factors(records)
        return Chain((), (), False, prior.rows)
    if isinstance(prior, HiddenMarkovModel):
        prior.expect(records)
        return replace(_markov(prior.hidden), emission=prior.emission)
    prior.parts(records)
    return _markov(prior)


def _markov(chain: MarkovChain) -> Chain:
    start = chain.initial_law()
    moved = tuple(
        sum(p * row[x] for p, row in zip(start, chain.transition)) for x in range(len(start))
    )
    return Chain(start, chain.transition, moved == start)


def _sequence_prior(name: str, prior: Prior, records: Records) -> SequencePrior:
    if not isinstance(prior, SequencePrior):
        form = _FORMS.get(type(prior).__name__, "prior like this")
        raise ModelError(
            f"a {form} lists databases, {len(records.alphabet)}^{shown(records.count)} of them: "
            'expected a "markov" or "product" prior, or fewer records',
            f"priors.{name}",
        )
    return prior


def _place(records: Records, name: str, held: tuple[int, str] | Sequence[str]) -> tuple[int, int]:
    if not (isinstance(held, tuple) and len(held) == 2 and isinstance(held[0], int)):
        raise ModelError(
            "a list of databases, which are too many with the outputs of a mechanism: expected "
            '{"record": i, "value": v}',
            f"secrets.{name}",
        )
    try:
        return records.place(held[0], str(held[1]))
    except ModelError as error:
        raise error.within(f"secrets.{name}") from None


def _all_pairs(places: Mapping[str, tuple[int, int]]) -> tuple[Pair, ...]:
    order = {name: index for index, name in enumerate(places)}
    by_record: dict[int, list[str]] = {}
    for name, (record, _) in places.items():
        by_record.setdefault(record, []).append(name)
    found = [
        (left, right)
        for names in by_record.values()
        for left, right in combinations(names, 2)
        if places[left] != places[right]
    ]
    if not found:
        raise ModelError("expected two secrets with no database in common, found none", "pairs")
    return tuple(sorted(found, key=lambda pair: (order[pair[0]], order[pair[1]])))


def _listed_pairs(places: Mapping[str, tuple[int, int]], pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    if not pairs:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    chosen: dict[Pair, None] = {}
    for index, pair in enumerate(pairs):
        where = f"pairs[{index}]"
        if len(pair) != 2:
            raise ModelError(f"expected two secrets, found {len(pair)}", where)
        for name in pair:
            if name not in places:
                raise ModelError(
                    f'unknown secret "{name}", expected one of {preview(tuple(places))}', where
                )
        (left, value), (right, other) = places[pair[0]], places[pair[1]]
        if left != right or value == other:
            raise ModelError(
                f'secrets "{pair[0]}" and "{pair[1]}" have databases in common, expected two '
                f"values of one record",
                where,
            )
        if (pair[1], pair[0]) not in chosen:
            chosen[pair[0], pair[1]] = None
    return tuple(chosen)
