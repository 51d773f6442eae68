"""What databases are drawn given a secret, where they are listed and where they are too many.

Selection samples units: listed databases, whose outputs are weighed with their probabilities given
each secret, or, of long sequences, the secrets themselves. Evaluation draws databases given the
secret that a coin shows, and gets an output of each.

This file also has long databases of a Bayesian network in which one record has one value, drawn by
the exact law.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.records import Records, separator
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.leakage.ratio import nothing_to_check, scope
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.estimation.choosing import SecretUnderPrior
from pufferproof.verify.simulation.exact import RAREST, Conditional, DrawnLaws, Sequences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Counts = NDArray[np.int64]

_BLOCK, _PER_DATABASE, _MOST_BLOCK = 1 << 17, 1 << 8, 1 << 20  # outputs that are held at once
_RECORDS = 1 << 21  # of all sequences that are held at once
_PER_UNIT = 16  # samples per listed database: of fewer, sequences are drawn

Key = tuple[str, str]  # a prior and a secret
_BATCH = 1 << 22  # records that are held at once while waiting


class Forward:
    """A network whose records are drawn one after the other, each by its row of the table."""

    def __init__(self, network: BayesianNetwork, records: Records) -> None:
        self.network, self.records = network, records
        self.own, self.order = network.own(records), network.parents_first()
        tables = network.tables(records)
        self.parents = [above for above, _ in tables]
        self._steps = [DrawnLaws(table.reshape(-1, table.shape[-1]).tolist()) for _, table in tables]

    def fill(self, drawn: "Counts", chosen: Sequence[int], words: WordStream) -> None:
        """Draw some records, each after its parents, into their columns."""
        import numpy as np

        for record in chosen:
            row = np.zeros(len(drawn), dtype=np.int64)
            for parent in self.parents[record - 1]:
                row = row * len(self.own[parent - 1]) + drawn[:, parent - 1]
            drawn[:, record - 1] = self._steps[record - 1].draw(row, words)

    def letters(self, drawn: "Counts") -> "Counts":
        """Return positions in the alphabet of what was drawn."""
        import numpy as np

        if {*self.own} == {tuple(range(len(self.own[0])))}:
            return drawn
        found = [np.array(values)[column] for values, column in zip(self.own, drawn.T)]
        return np.stack(found, axis=1)

    def ancestors(self, record: int) -> set[int]:
        """Return a record and all that it depends on."""
        known, left = {record}, [record]
        while left:
            new = set(self.parents[left.pop() - 1]) - known
            known |= new
            left += new
        return known


class NetworkSequences:
    """Databases of a network in which one record has one value, by position in the alphabet.

    >>> copied = BayesianNetwork(
    ...     {"1": [], "2": ["1"]}, {"1": {"": ["1/2", "1/2"]}, "2": {"0": ["1", "0"], "1": ["0", "1"]}}
    ... )
    >>> drawn = NetworkSequences(Forward(copied, Records(2, ("0", "1"))), 2, 1)
    >>> drawn.draw(3, WordStream(1)).tolist()
    [[1, 1], [1, 1], [1, 1]]
    """

    def __init__(self, forward: Forward, record: int, value: int) -> None:
        self._forward, self.record, self.value = forward, record, value
        self.chance_approx = float(forward.network.marginal(record, forward.records)[value])
        above = forward.ancestors(record)
        self._first = [each for each in forward.order if each in above]
        self._then = [each for each in forward.order if each not in above]

    def draw(self, size: int, words: WordStream) -> "Counts":
        """Return so many databases. Raises `ModelError` where the value is too rare to wait for."""
        import numpy as np

        if self.chance_approx < RAREST:
            raise ModelError(
                f"has probability {self.chance_approx:.2g}: expected at least {RAREST:g}, or few "
                "enough databases to list"
            )
        length, found, missing = self._forward.network.length, [], size
        while missing > 0:
            tries = int(missing / self.chance_approx * 1.1) + 16
            drawn = np.zeros((min(tries, max(16, _BATCH // length)), length), dtype=np.int64)
            self._forward.fill(drawn, self._first, words)
            place = self._forward.own[self.record - 1].index(self.value)
            kept = drawn[drawn[:, self.record - 1] == place][:missing]
            found.append(kept)
            missing -= len(kept)
        every = np.concatenate(found)
        self._forward.fill(every, self._then, words)
        return self._forward.letters(every)


# A framework as samples see it: `secrets` are those of positive probability under every prior, with their laws on
# `units`; outputs of a unit are drawn on the databases that are `asked` for it, and `drawn` are databases given a
# secret, so many in all: labels, and how often each came. `block` is how many runs are made at once.


@dataclass
class Listed:
    """Databases that are listed."""

    framework: Framework
    _laws: dict[Key, tuple[list[str], Conditional]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        scope(self.framework, 1)  # something is left to check

    @cached_property
    def _needed(self) -> tuple[int, ...]:
        named = _named(self.framework)
        held = {x for name in named for x in self.framework.secrets[name]}
        return tuple(sorted(held & self.framework.support))

    @cached_property
    def secrets(self) -> Mapping[Key, SecretUnderPrior]:
        framework, place = self.framework, {x: unit for unit, x in enumerate(self._needed)}
        return {
            (prior, name): SecretUnderPrior(
                prior, name, {place[x]: law.weights[x] / mass for x in framework.secrets[name] if law.weights[x]}
            )
            for prior, law in framework.laws.items()
            for name in _named(framework)
            if (mass := framework.mass(prior, name))
        }

    @property
    def units(self) -> int:
        return len(self._needed)

    def named(self, unit: int) -> str:
        return self.framework.databases[self._needed[unit]]

    def asked(self, unit: int, size: int, words: WordStream) -> list[tuple[str, int]]:
        return [(self.named(unit), size)]

    def drawn(self, key: Key, size: int, words: WordStream) -> list[tuple[str, int]]:
        labels, law = self._law(key)
        counts = law.draw(size, words).tolist() if size else []
        return [(label, count) for label, count in zip(labels, counts) if count]

    def block(self, keys: Sequence[Key]) -> int:
        largest = max(len(self._law(key)[0]) for key in keys)
        return min(max(_BLOCK, _PER_DATABASE * largest), _MOST_BLOCK)

    def _law(self, key: Key) -> tuple[list[str], Conditional]:
        if key not in self._laws:
            law, held = self.framework.laws[key[0]], self.framework.secrets[key[1]]
            places = [place for place in held if law.weights[place]]
            labels = [self.framework.databases[place] for place in places]
            self._laws[key] = labels, Conditional([law.weights[place] for place in places])
        return self._laws[key]


@dataclass
class Long:
    """Sequences that are drawn one by one, as they are too many to list."""

    framework: Framework

    @cached_property
    def _laws(self) -> Mapping[Key, Sequences | NetworkSequences]:
        every = {
            (prior, name): made(*self.framework.places[name])
            for prior in self.framework.priors
            for made in [self._drawn(prior)]
            for name in _named(self.framework)
        }
        return {key: law for key, law in every.items() if law.chance_approx}

    def _drawn(self, prior: str) -> Callable[[int, int], Sequences | NetworkSequences]:
        """Return what makes the law of sequences in which a record has a value."""
        records = self.framework.expect_records()
        if prior in self.framework.networks:
            return partial(NetworkSequences, Forward(self.framework.networks[prior], records))
        chain: Any = self.framework.priors[prior]
        return partial(Sequences, Chain.of(chain, records), records.count)

    @cached_property
    def secrets(self) -> Mapping[Key, SecretUnderPrior]:
        return {key: SecretUnderPrior(*key, {unit: 1.0}) for unit, key in enumerate(self._laws)}

    @property
    def units(self) -> int:
        return len(self._laws)

    def named(self, unit: int) -> str:
        return f'.. given "{list(self._laws)[unit][1]}"'

    def asked(self, unit: int, size: int, words: WordStream) -> list[tuple[str, int]]:
        return self.drawn(list(self._laws)[unit], size, words)

    def drawn(self, key: Key, size: int, words: WordStream) -> list[tuple[str, int]]:
        if not size:
            return []
        try:
            rows = self._laws[key].draw(size, words)
        except ModelError as error:
            raise ModelError(error.what, f'secrets.{key[1]}, prior "{key[0]}"') from None
        alphabet = self.framework.expect_records().alphabet
        between = separator(alphabet)
        return [(between.join([alphabet[x] for x in row]), 1) for row in rows.tolist()]

    def block(self, keys: Sequence[Key]) -> int:
        return max(64, _RECORDS // self.framework.expect_records().count)


World = Listed | Long


def world_of(framework: Framework, samples: int) -> World:
    """Return the world of a framework: listed, unless the databases of sequences are too many for
    that, or for so many samples.
    """
    records = framework.records
    if records is None or not framework.by_records:
        return Listed(framework)
    if records.enumerable and len(records.alphabet) ** records.count * _PER_UNIT <= samples:
        return Listed(framework)
    return Long(framework)


def pairs_in(framework: Framework, world: World) -> list[tuple[SecretUnderPrior, SecretUnderPrior]]:
    """Return the ordered pairs under every prior. Raises `ModelError` if there are none."""
    known = world.secrets
    found = [
        (known[prior, left], known[prior, right])
        for prior in framework.priors
        for pair in framework.pairs
        for left, right in framework.orders(pair)
        if (prior, left) in known and (prior, right) in known
    ]
    if not found:
        raise nothing_to_check()
    return found


def _named(framework: Framework) -> list[str]:
    return list(dict.fromkeys(name for pair in framework.pairs for name in pair))
