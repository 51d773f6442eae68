"""Pufferfish frameworks (S, Q, Theta) over a finite database space.

Secrets are sets of databases, `pairs` the discriminative pairs that must stay indistinguishable
(both orders are always checked), priors what an adversary may believe: a finite list or its convex
hull. Source: Kifer and Machanavajjhala, "Pufferfish: a framework for mathematical privacy
definitions", TODS 2014.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import gcd
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, overload

from pufferproof.models.errors import ModelError
from pufferproof.models.interface.signatures import checked
from pufferproof.models.priors.laws import Law, Prior, Records, normalized_priors, preview

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table as RichTable

Pair = tuple[str, str]
Closure = Literal["list", "convex"]


class AllPairs(Sequence[Pair]):
    """Every pair of a list of pairwise disjoint secrets, in lexicographic order, without being
    written out.

    >>> list(AllPairs(["r", "s", "t"]))
    [('r', 's'), ('r', 't'), ('s', 't')]
    """

    @checked
    def __init__(self, secrets: Sequence[str]) -> None:
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


@dataclass(frozen=True, eq=False)
class Framework:
    """A Pufferfish framework.

    Args: databases: labels of the finite space X. secrets: name -> the databases in which the
        secret holds (labels, or indices after construction). pairs: discriminative pairs of
        disjoint secrets, or `"disjoint"` for all pairs with no database in common. priors: name ->
        `Table`, `Product` or `MarkovChain`. closure: `"convex"` asks for the convex hull of the
        priors instead of the list itself. one_sided: check only the order in which a pair is
        written (for claims; files are always two-sided). records: set by `of_records`.

    Raises `ModelError` unless names are unique and known, secrets non-empty, pairs disjoint and
    priors laws on X.

    >>> from pufferproof import Framework, Table
    >>> Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/3", "b": "2/3"})})
    Framework(2 databases, 2 secrets, 1 pair, 1 prior)
    """

    databases: tuple[str, ...]
    secrets: Mapping[str, tuple[int, ...]]
    pairs: Sequence[Pair]
    priors: Mapping[str, Prior]
    closure: Closure = "list"
    one_sided: bool = False
    records: Records | None = field(default=None)

    @checked
    def __init__(
        self,
        databases: Sequence[str],
        secrets: Mapping[str, Sequence[str]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, Prior],
        closure: Closure = "list",
        one_sided: bool = False,
    ) -> None:
        labels = _distinct(databases, "database", "databases")
        position = {label: index for index, label in enumerate(labels)}
        members = {name: _members(position, labels, name, held) for name, held in secrets.items()}
        self._set(labels, members, pairs, priors, closure, one_sided, None)

    @classmethod
    @checked
    def of_records(
        cls,
        records: Records,
        secrets: Mapping[str, tuple[int, str] | Sequence[str]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, Prior],
        closure: Closure = "list",
        one_sided: bool = False,
    ) -> "Framework":
        """Build a framework on sequences of records; a secret is (record from 1, value) or a list
        of databases.

        >>> from pufferproof import Framework, MarkovChain, Records
        >>> chain = MarkovChain("stationary", [["3/4", "1/4"], ["1/4", "3/4"]])
        >>> Framework.of_records(
        ...     Records(3, ("0", "1")), {"x1=0": (1, "0"), "x1=1": (1, "1")}, [("x1=0", "x1=1")], {"theta": chain}
        ... )
        Framework(8 databases, 2 secrets, 1 pair, 1 prior)
        """
        labels = records.labels()
        position = {label: index for index, label in enumerate(labels)}
        members = {}
        for name, held in secrets.items():
            if isinstance(held, tuple) and len(held) == 2 and isinstance(held[0], int):
                try:
                    members[name] = records.holding(held[0], str(held[1]))
                except ModelError as error:
                    raise error.within(f"secrets.{name}") from None
            else:
                members[name] = _members(position, labels, name, [str(label) for label in held])
        framework = cls.__new__(cls)
        framework._set(labels, members, pairs, priors, closure, one_sided, records)
        return framework

    def _set(
        self,
        databases: tuple[str, ...],
        secrets: dict[str, tuple[int, ...]],
        pairs: Sequence[Pair] | Literal["disjoint"],
        priors: Mapping[str, Prior],
        closure: Closure,
        one_sided: bool,
        records: Records | None,
    ) -> None:
        if closure not in ("list", "convex"):
            raise ModelError(f'expected "list" or "convex", found "{closure}"', "closure")
        if not priors:
            raise ModelError("expected at least one prior, found none", "priors")
        chosen = (
            _disjoint_pairs(secrets)
            if isinstance(pairs, str)
            else _checked_pairs(secrets, pairs, one_sided)
        )
        values = (
            databases,
            MappingProxyType(secrets),
            chosen,
            MappingProxyType(dict(priors)),
            closure,
            one_sided,
            records,
        )
        names = ("databases", "secrets", "pairs", "priors", "closure", "one_sided", "records")
        for name, value in zip(names, values):
            object.__setattr__(self, name, value)
        _ = self.laws

    @cached_property
    def laws(self) -> Mapping[str, Law]:
        """The exact law of every prior on the databases, by name."""
        laws = {}
        for name, prior in self.priors.items():
            try:
                laws[name] = prior.law(self.databases, self.records)
            except ModelError as error:
                raise error.within(f"priors.{name}") from None
        return MappingProxyType(laws)

    @property
    def normalized(self) -> tuple[str, ...]:
        """The names of the priors whose rows were divided by their sums."""
        return normalized_priors(self.priors)

    @cached_property
    def support(self) -> frozenset[int]:
        """The indices of the databases with positive probability under some prior."""
        return frozenset(index for law in self.laws.values() for index in law.support)

    @cached_property
    def members(self) -> Mapping[str, "NDArray[np.intp]"]:
        """The database indices of every secret as arrays."""
        import numpy as np

        return MappingProxyType(
            {name: np.array(held, dtype=np.intp) for name, held in self.secrets.items()}
        )

    def orders(self, pair: Pair) -> list[Pair]:
        """Return the ordered pairs to check for a pair: as written, and swapped unless
        one-sided.
        """
        return [pair] if self.one_sided else [pair, (pair[1], pair[0])]

    def mass(self, prior: str, secret: str) -> int:
        """Return the integer weight of a secret under a prior (its probability times
        `laws[prior].total`).
        """
        return self._masses[prior][secret]

    @cached_property
    def _masses(self) -> dict[str, dict[str, int]]:
        return {
            prior: {name: law.mass(held) for name, held in self.secrets.items()}
            for prior, law in self.laws.items()
        }

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Framework) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.databases, tuple(self.secrets), self.closure, self.one_sided))

    def _content(self) -> tuple[Any, ...]:
        laws = {name: (law.weights, law.total) for name, law in self.laws.items()}
        return (
            self.databases,
            dict(self.secrets),
            tuple(self.pairs),
            _reduced(laws),
            self.closure,
            self.one_sided,
        )

    def __repr__(self) -> str:
        parts = [
            _count(len(self.databases), "database"),
            _count(len(self.secrets), "secret"),
            _count(len(self.pairs), "pair"),
            _count(len(self.priors), "prior"),
        ]
        return f"Framework({', '.join(parts)}{', convex' if self.closure == 'convex' else ''})"

    def __rich__(self) -> "RichTable":
        """Show the secrets with their probability under every prior."""
        from rich.table import Table as RichTable

        from pufferproof.models.numbers.grammar import brief

        view = RichTable(title=repr(self))
        view.add_column("secret")
        for name in self.priors:
            view.add_column(f"P under {name}", justify="right")
        for secret in self.secrets:
            view.add_row(
                secret,
                *(
                    brief(Fraction(self.mass(name, secret), self.laws[name].total))
                    for name in self.priors
                ),
            )
        return view


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _reduced(
    laws: Mapping[str, tuple[tuple[int, ...], int]],
) -> dict[str, tuple[tuple[int, ...], int]]:
    return {
        name: (tuple(weight // divisor for weight in weights), total // divisor)
        for name, (weights, total) in laws.items()
        for divisor in [gcd(total, *weights)]
    }


def _distinct(labels: Sequence[str], noun: str, where: str) -> tuple[str, ...]:
    if not labels:
        raise ModelError(f"expected at least one {noun}, found none", where)
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise ModelError(f'{noun} "{label}" occurs twice', where)
        seen.add(label)
    return tuple(labels)


def _members(
    position: Mapping[str, int], labels: Sequence[str], name: str, held: Sequence[str]
) -> tuple[int, ...]:
    where = f"secrets.{name}"
    for label in _distinct(held, "database", where):
        if label not in position:
            raise ModelError(
                f'unknown database "{label}", expected one of {preview(labels)}', where
            )
    return tuple(sorted(position[label] for label in held))


def _disjoint_pairs(secrets: Mapping[str, tuple[int, ...]]) -> Sequence[Pair]:
    if sum(map(len, secrets.values())) == len(
        {index for held in secrets.values() for index in held}
    ):
        chosen: Sequence[Pair] = AllPairs(tuple(secrets))
    else:
        sets = {name: frozenset(held) for name, held in secrets.items()}
        chosen = tuple(
            (left, right)
            for left, right in AllPairs(tuple(secrets))
            if not sets[left] & sets[right]
        )
    if not chosen:
        raise ModelError("expected two secrets with no database in common, found none", "pairs")
    return chosen


def _checked_pairs(
    secrets: Mapping[str, tuple[int, ...]], pairs: Sequence[Pair], one_sided: bool
) -> Sequence[Pair]:
    if not pairs:
        raise ModelError("expected at least one pair of secrets, found none", "pairs")
    if isinstance(pairs, AllPairs) and pairs.secrets == tuple(secrets):
        return _disjoint_pairs(secrets)
    sets = {name: frozenset(held) for name, held in secrets.items()}
    chosen: dict[Pair, None] = {}
    for index, pair in enumerate(pairs):
        where = f"pairs[{index}]"
        if len(pair) != 2:
            raise ModelError(f"expected two secrets, found {len(pair)}", where)
        for name in pair:
            if name not in sets:
                raise ModelError(
                    f'unknown secret "{name}", expected one of {preview(tuple(secrets))}', where
                )
        if common := sets[pair[0]] & sets[pair[1]]:
            raise ModelError(
                f'secrets "{pair[0]}" and "{pair[1]}" overlap in '
                f"{_count(len(common), 'database')}, expected none",
                where,
            )
        if (
            one_sided or (pair[1], pair[0]) not in chosen
        ):  # pairs are unordered: writing both orders adds nothing
            chosen[pair[0], pair[1]] = None
    return tuple(chosen)
