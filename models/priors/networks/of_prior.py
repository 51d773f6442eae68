"""Bayesian networks by the names of their variables, as files of other tools have them, and priors
that are Bayesian networks as well: chains and independent records are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod

from pufferproof.models.errors import ModelError
from pufferproof.models.numbers.text import did_you_mean
from pufferproof.models.priors.bayesian_network import MAX_TABLE, BayesianNetwork
from pufferproof.models.priors.chains import ChangingChain
from pufferproof.models.priors.laws import Law, Prior, numbers_of
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.priors.tables import Product

Key = tuple[str, ...]  # values of the parents of a variable
MAX_BYTES = 8_000_000  # of a file of a network
_NAMED = 24  # characters of a name in an error


@dataclass(frozen=True)
class BifNetwork:
    """What a file of a network says: the values of every variable, its parents, and a row for every
    combination of their values.
    """

    values: dict[str, tuple[str, ...]]
    parents: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: dict[str, dict[Key, tuple[Fraction, ...]]] = field(default_factory=dict)
    normalized: bool = field(default=False, compare=False)

    def divided(self) -> "BifNetwork":
        """Return the network with every row divided by its sum. Raises `ModelError` unless that
        is positive.
        """
        rows = {
            name: {key: numbers_of(row, f'variable "{name}", row {list(key)}', True) for key, row in table.items()}
            for name, table in self.rows.items()
        }
        return BifNetwork(self.values, self.parents, rows, True)

    @property
    def records(self) -> Records:
        """The records that the variables are, by name, each with its own values."""
        return Records.named(self.values)

    def network(self, records: Records) -> BayesianNetwork:
        """Return the Bayesian network over records: the variable of the same name each, or if
        records have no names in the order of the file. Raises `ModelError` unless the alphabet has
        every value.
        """
        kept: dict[object, BayesianNetwork] = self.__dict__.setdefault("_networks", {})
        if (key := (records.letters, records.names)) not in kept:
            kept[key] = self._network(records)
        return kept[key]

    def _network(self, records: Records) -> BayesianNetwork:
        record = self._numbers(records)
        size, alphabet = 0, records.alphabet
        place = {value: position for position, value in enumerate(alphabet)}
        for name, values in self.values.items():
            if unknown := [value for value in values if value not in place]:
                value, variable = named(unknown[0]), named(name)
                raise ModelError(f"expected an alphabet with value {value} of variable {variable}", "records.alphabet")
            size += prod(len(self.values[each]) for each in (*self.parents[name], name))
            if size > MAX_TABLE:
                raise ModelError(f"over {MAX_TABLE} probabilities up to variable {named(name)}")
        parents = {record[name]: [record[parent] for parent in self.parents[name]] for name in self.values}
        joint = separator(alphabet)
        cpt = {record[name]: {joint.join(key): row for key, row in self.rows[name].items()} for name in self.values}
        order = sorted(self.values, key=record.__getitem__)
        return BayesianNetwork(parents, cpt, values=[self.values[name] for name in order])

    def _numbers(self, records: Records) -> dict[str, int]:
        """Return the record of every variable, by name where records have some. Raises
        `ModelError` unless names are the same.
        """
        if records.names is None:
            return {name: index for index, name in enumerate(self.values, 1)}
        if odd := next((name for name in records.names if name not in self.values), None):
            raise ModelError(
                f"the network has no variable {named(odd)}{did_you_mean(odd, self.values)}", "records.names"
            )
        return {name: records.number(name, f"variable {named(name)}, which is no record") for name in self.values}

    def law(self, databases: Sequence[str], records: Records | None) -> Law:
        """Return the law of the variables as records. Raises `ModelError` unless they and their
        values fit.
        """
        if records is None:
            raise ModelError('a Bayesian network needs databases made of records ("records" instead of "databases")')
        return self.network(records).law(databases, records)


def named(name: str) -> str:
    """Quote the name of a variable, or how a long one begins."""
    return f'"{name if len(name) <= _NAMED else name[: _NAMED - 3] + "..."}"'


def network_of(prior: Prior, records: Records) -> BayesianNetwork | None:
    """Return a prior as a Bayesian network, or None if it is none that is known."""
    if isinstance(prior, BayesianNetwork):
        return prior
    if isinstance(prior, BifNetwork | ChangingChain):
        return prior.network(records)
    numbers = range(1, records.count + 1)
    if isinstance(prior, Product):
        prior.factors(records)
        return BayesianNetwork({i: [] for i in numbers}, {i: {"": row} for i, row in zip(numbers, prior.rows)})
    if isinstance(prior, MarkovChain):
        prior.parts(records)
        steps = dict(zip(records.alphabet, prior.transition))
        tables = {i: steps if i > 1 else {"": prior.initial_law()} for i in numbers}
        return BayesianNetwork({i: [i - 1] if i > 1 else [] for i in numbers}, tables)
    return None
