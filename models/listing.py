"""The databases of a framework one by one: which secrets hold in them, which pairs of secrets are
disjoint, and the exact law of every prior on them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeGuard, overload

from pufferproof.models.errors import ModelError, within
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.priors.laws import Law, Prior
from pufferproof.models.priors.records import Records, preview

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Pair = tuple[str, str]
Secret = tuple[int, str] | Sequence[str]  # the value of a record from 1, or databases
StatedPairs = Sequence[Pair] | Literal["disjoint"]


class AllPairs(Sequence[Pair]):
    """Every pair of a list of pairwise disjoint secrets, in lexicographic order, without being
    written out.

    >>> list(AllPairs(["r", "s", "t"]))
    [('r', 's'), ('r', 't'), ('s', 't')]
    """

    def __init__(self, secrets: Sequence[str]) -> None:
        secrets = check_type(secrets, Sequence[str], "secrets")
        self.secrets = tuple(secrets)

    def __len__(self) -> int:
        return len(self.secrets) * (len(self.secrets) - 1) // 2

    def __iter__(self) -> Iterator[Pair]:
        for index, left in enumerate(self.secrets):
            for right in self.secrets[index + 1 :]:
                yield left, right

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Pair, ...]: ...
    def __getitem__(self, index: int | slice) -> Pair | tuple[Pair, ...]:
        """Return the pair or pairs at `index`, counting through the lexicographic order."""
        if isinstance(index, slice):
            return tuple(self)[index]
        left, rest = 0, range(len(self))[index]
        while rest >= len(self.secrets) - 1 - left:
            rest -= len(self.secrets) - 1 - left
            left += 1
        return self.secrets[left], self.secrets[left + 1 + rest]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllPairs) and self.secrets == other.secrets

    def __hash__(self) -> int:
        return hash(("AllPairs", self.secrets))

    def __repr__(self) -> str:
        return f"AllPairs({len(self.secrets)} secrets)"


@dataclass(frozen=True)
class Listing:
    """Databases in order, the indices of those in which each secret holds, pairs of disjoint
    secrets, and the law of every prior.
    """

    databases: tuple[str, ...]
    secrets: Mapping[str, tuple[int, ...]]
    pairs: Sequence[Pair]
    laws: Mapping[str, Law]

    @cached_property
    def support(self) -> frozenset[int]:
        """The indices of the databases with positive probability under some prior."""
        return frozenset(index for law in self.laws.values() for index in law.support)

    @cached_property
    def members(self) -> Mapping[str, "NDArray[np.intp]"]:
        """The database indices of every secret as arrays."""
        import numpy as np

        arrays = {name: np.array(secret, dtype=np.intp) for name, secret in self.secrets.items()}
        return MappingProxyType(arrays)

    @cached_property
    def masses(self) -> Mapping[str, Mapping[str, int]]:
        """The integer weight of every secret under every prior."""
        return {
            prior: {name: law.mass(secret) for name, secret in self.secrets.items()} for prior, law in self.laws.items()
        }

    @property
    def all_positive(self) -> bool:
        """Whether every secret has a positive probability under every prior."""
        return all(all(masses.values()) for masses in self.masses.values())


def listing_of(
    space: tuple[str, ...] | Records,
    secrets: Mapping[str, Secret],
    pairs: StatedPairs,
    priors: Mapping[str, Prior],
    one_sided: bool = False,
) -> Listing:
    """List the databases of a framework. Raises `ModelError` unless names are known, secrets are
    not empty, pairs disjoint and priors laws; `TooLargeError` unless the databases of records are
    few.
    """
    records = space if isinstance(space, Records) else None
    databases = space.labels() if isinstance(space, Records) else space
    position = dict(zip(databases, range(len(databases))))
    members = {}
    for name, secret in secrets.items():
        if not is_place(secret):
            members[name] = _members(position, databases, name, list(map(str, secret)))
            continue
        with within(f"secrets.{name}"):
            if records is None:
                raise ModelError('a secret of a record needs "records" instead of "databases"')
            members[name] = records.holding(secret[0], str(secret[1]))
    chosen = _disjoint_pairs(members) if isinstance(pairs, str) else _checked_pairs(members, pairs, one_sided)
    laws = {}
    for name, prior in priors.items():
        with within(f"priors.{name}"):
            laws[name] = prior.law(databases, records)
    return Listing(databases, MappingProxyType(members), chosen, MappingProxyType(laws))


def is_place(held: Secret) -> TypeGuard[tuple[int, str]]:
    """Whether a secret is the value of one record."""
    return isinstance(held, tuple) and len(held) == 2 and isinstance(held[0], int)


def distinct(labels: Sequence[str], noun: str, where: str) -> tuple[str, ...]:
    if not labels:
        raise ModelError(f"expected at least one {noun}, found none", where)
    if len(set(labels)) == len(labels):
        return tuple(labels)
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise ModelError(f'{noun} "{label}" occurs twice', where)
        seen.add(label)
    return tuple(labels)


def _members(position: Mapping[str, int], labels: Sequence[str], name: str, held: Sequence[str]) -> tuple[int, ...]:
    first = position.get(held[0], 0) if held else 0
    if held and labels[first : first + len(held)] == tuple(held):  # as they stand in the list
        return tuple(range(first, first + len(held)))
    where = f"secrets.{name}"
    try:
        places = list(map(position.__getitem__, distinct(held, "database", where)))
    except KeyError:
        label = next(label for label in held if label not in position)
        said = f'unknown database "{label}", expected one of {preview(labels)}'
        raise ModelError(said, where) from None
    return tuple(sorted(places))


def _disjoint_pairs(secrets: Mapping[str, tuple[int, ...]]) -> Sequence[Pair]:
    if sum(map(len, secrets.values())) == len({index for secret in secrets.values() for index in secret}):
        chosen: Sequence[Pair] = AllPairs(tuple(secrets))
    else:
        sets = {name: frozenset(secret) for name, secret in secrets.items()}
        chosen = tuple((left, right) for left, right in AllPairs(tuple(secrets)) if not sets[left] & sets[right])
    if not chosen:
        raise ModelError("expected two secrets with no database in common, found none", "pairs")
    return chosen


def _checked_pairs(secrets: Mapping[str, tuple[int, ...]], pairs: Sequence[Pair], one_sided: bool) -> Sequence[Pair]:
    if not pairs:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    if isinstance(pairs, AllPairs) and pairs.secrets == tuple(secrets):
        return _disjoint_pairs(secrets)
    sets = {name: frozenset(secret) for name, secret in secrets.items()}
    chosen: dict[Pair, None] = {}
    for index, pair in enumerate(pairs):
        if isinstance(pair, str) or len(pair) != 2:
            found = f'"{pair}" alone' if isinstance(pair, str) else str(len(pair))
            raise ModelError(f"expected two secrets, found {found}", f"pairs[{index}]")
        for name in pair:
            if name not in sets:
                raise ModelError(
                    f'unknown secret "{name}", expected one of {preview(tuple(secrets))}', f"pairs[{index}]"
                )
        if pair[0] == pair[1]:
            raise ModelError(f'expected two different secrets, found "{pair[0]}" twice', f"pairs[{index}]")
        if common := sets[pair[0]] & sets[pair[1]]:
            raise ModelError(
                f'secrets "{pair[0]}" and "{pair[1]}" overlap in {counted(len(common), "database")}, expected none',
                f"pairs[{index}]",
            )
        if one_sided or (pair[1], pair[0]) not in chosen:  # pairs are unordered: writing both orders adds nothing
            chosen[pair[0], pair[1]] = None
    return tuple(chosen)


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
