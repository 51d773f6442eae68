"""What databases are drawn given a secret, where they are listed and where they are too many.

Selection samples units: listed databases, whose outputs are weighed with their probabilities given
each secret, or, of long sequences, the secrets themselves. Evaluation draws databases given the
secret that a coin shows, and gets an output of each.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Protocol

from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.priors.records import separator
from pufferproof.models.sequences.chain import Chain
from pufferproof.verify.leakage.ratio import nothing_to_check, scope
from pufferproof.verify.simulation.draws import WordStream
from pufferproof.verify.simulation.estimation.cells import SecretUnderPrior
from pufferproof.verify.simulation.exact import Conditional, Sequences
from pufferproof.verify.simulation.networks import Forward, NetworkSequences

_BLOCK, _PER_DATABASE, _MOST_BLOCK = 1 << 17, 1 << 8, 1 << 20  # outputs that are held at once
_RECORDS = 1 << 21  # of all sequences that are held at once
_PER_UNIT = 16  # samples per listed database: of fewer, sequences are drawn

Key = tuple[str, str]  # a prior and a secret


class World(Protocol):
    """A framework as samples see it."""

    @property
    def secrets(self) -> Mapping[Key, SecretUnderPrior]:
        """The secrets of positive probability under every prior, with their laws on units."""

    @property
    def units(self) -> int:
        """How many units there are."""

    def named(self, unit: int) -> str:
        """Return what a unit is, for a message."""

    def asked(self, unit: int, size: int, words: WordStream) -> list[tuple[str, int]]:
        """Return the databases that outputs of a unit are drawn on, and how many of each."""

    def drawn(self, key: Key, size: int, words: WordStream) -> list[tuple[str, int]]:
        """Draw databases given a secret, so many in all: labels, and how often each came."""

    def block(self, keys: Sequence[Key]) -> int:
        """Return how many runs are made at once."""


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
        """The secrets, with their laws on databases."""
        framework, place = self.framework, {x: unit for unit, x in enumerate(self._needed)}
        return {
            (prior, name): SecretUnderPrior(
                prior,
                name,
                {
                    place[x]: law.weights[x] / mass
                    for x in framework.secrets[name]
                    if law.weights[x]
                },
            )
            for prior, law in framework.laws.items()
            for name in _named(framework)
            if (mass := framework.mass(prior, name))
        }

    @property
    def units(self) -> int:
        """How many databases there are."""
        return len(self._needed)

    def named(self, unit: int) -> str:
        """Return the database."""
        return self.framework.databases[self._needed[unit]]

    def asked(self, unit: int, size: int, words: WordStream) -> list[tuple[str, int]]:
        """Return the database, as often as it is asked for."""
        return [(self.named(unit), size)]

    def drawn(self, key: Key, size: int, words: WordStream) -> list[tuple[str, int]]:
        """Draw databases given a secret."""
        labels, law = self._law(key)
        counts = law.draw(size, words).tolist() if size else []
        return [(label, count) for label, count in zip(labels, counts) if count]

    def block(self, keys: Sequence[Key]) -> int:
        """Return how many runs are made at once."""
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
        """The secrets, each of which is a unit."""
        return {key: SecretUnderPrior(*key, {unit: 1.0}) for unit, key in enumerate(self._laws)}

    @property
    def units(self) -> int:
        """How many secrets there are."""
        return len(self._laws)

    def named(self, unit: int) -> str:
        """Return the secret."""
        return f'.. given "{list(self._laws)[unit][1]}"'

    def asked(self, unit: int, size: int, words: WordStream) -> list[tuple[str, int]]:
        """Draw sequences given the secret."""
        return self.drawn(list(self._laws)[unit], size, words)

    def drawn(self, key: Key, size: int, words: WordStream) -> list[tuple[str, int]]:
        """Draw sequences given a secret."""
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
        """Return how many runs are made at once."""
        return max(64, _RECORDS // self.framework.expect_records().count)


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
    """Return the secrets that are in some pair, in order."""
    return list(dict.fromkeys(name for pair in framework.pairs for name in pair))
