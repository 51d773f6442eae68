"""Pufferfish frameworks (S, Q, Theta): what must be protected, and what an adversary may believe.

Secrets are sets of databases, `pairs` the discriminative pairs that must stay indistinguishable
(both orders are always checked), priors a finite list or its convex hull. A framework has views,
computed when asked for: `listed`, the databases one by one, and, of records that are never listed,
`chains`, one Markov chain per prior, and `networks`. Source: Kifer and Machanavajjhala,
"Pufferfish: a framework for mathematical privacy definitions", TODS 2014.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import gcd
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Literal

from pufferproof.models.errors import ModelError, within
from pufferproof.models.interface.kinds import check_type
from pufferproof.models.listing import Listing, Pair, counted, is_place, listing_of
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import ChainClass, IntervalChain
from pufferproof.models.priors.definitions.definition import (
    Definition,
    LeveledPair,
    Neighbours,
    Relation,
    mark_of,
    split_label,
)
from pufferproof.models.priors.laws import Law, Prior
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import PriorClass
from pufferproof.models.priors.records import Records, separator, several_people
from pufferproof.models.sequences.binary import BinaryChain, private_records
from pufferproof.models.sequences.chain import Chain, pairs_of
from pufferproof.models.views import Closure, StatedFramework, as_written, expect_no_more, of_neighbours

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from rich.table import Table as RichTable

_DATABASES = Sequence[str] | Records  # the kind of an argument, made once


class Framework(StatedFramework):
    """A Pufferfish framework.

    Args:
        databases: labels of the finite space X, or the `Records` that they are made of.
        secrets: name -> the databases in which the secret holds, or (record from 1, value), of
            `Records` with names also (name, value); as an attribute, their indices in `databases`.
        pairs: discriminative pairs of disjoint secrets, or `"disjoint"` for all pairs with no
            database in common. Each may have a level of its own as third entry: then `audit`
            decides every pair at its level, and nothing else takes the framework.
        priors: name -> `Table`, `Product`, `MarkovChain` or another prior.
        closure: `"convex"` asks for the convex hull of the priors instead of the list itself.
        one_sided: check only the order in which a pair is written (for claims; files are always
            two-sided).
        neighbours: instead of secrets and pairs, `"add-remove"`, `"substitute"` or `Neighbours`:
            every database is its own secret, and pairs are all neighbours. Priors may be left out.

    Records may be too many to list. Then secrets speak of single records, priors are Markov chains,
    products, hidden Markov models or Bayesian networks, and what needs a list of databases raises
    `TooLargeError`.

    Raises `ModelError` unless names are unique and known, secrets non-empty, pairs disjoint and
    priors laws on X.

    >>> from pufferproof import Framework, Table
    >>> Framework(["a", "b"], {"s": ["a"], "t": ["b"]}, [("s", "t")], {"theta": Table({"a": "1/3", "b": "2/3"})})
    Framework(2 databases, 2 secrets, 1 pair, 1 prior)
    """

    made_by: ClassVar = {
        "dict": "read_framework reads a file",
        "str": "read_framework reads a file",
        "Path": "read_framework reads a file",
    }

    def __init__(
        self,
        databases: Sequence[str] | Records,
        secrets: Mapping[str, tuple[int, str] | Sequence[str]] | None = None,
        pairs: Sequence[Pair | LeveledPair] | Literal["disjoint"] | None = None,
        priors: Mapping[str, Prior] | None = None,
        closure: Closure = "list",
        one_sided: bool = False,
        neighbours: Neighbours | Relation | None = None,
    ) -> None:
        databases = check_type(databases, _DATABASES, "databases")
        closure = check_type(closure, Closure, "closure")
        one_sided = check_type(one_sided, bool, "one_sided")
        if neighbours is not None:
            expect_no_more(secrets, pairs)
            relation = Neighbours.of(neighbours)
            self._stated = of_neighbours(databases, relation, priors, closure, one_sided)
        else:
            self._stated = as_written(databases, secrets, pairs, priors, closure, one_sided)
        classes = {name: prior for name, prior in self.priors.items() if isinstance(prior, PriorClass)}
        self._classes: Mapping[str, PriorClass] = MappingProxyType(classes)
        # secrets, pairs and priors fit the databases
        if self.too_many is not None:
            return
        if self.levels:
            _ = self.plain
        elif not self.priors:
            raise ModelError("expected at least one prior, found none", "priors")
        elif self.neighbours is not None or (self.records is None and not self.classes):
            _ = self.listed
        elif self.people > 1:
            _ = self.alone
        elif self.classes:
            self._expect_classes()
        elif self.along_records:
            _ = (self.pairs, self.chains)
        elif self.by_records and not self._enumerable:
            _ = (self.pairs, self.networks)
        else:
            _ = self.listed

    @classmethod
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
        >>> secrets = {"x1=0": (1, "0"), "x1=1": (1, "1")}
        >>> Framework.of_records(Records(3, ("0", "1")), secrets, "disjoint", {"theta": chain})
        Framework(8 databases, 2 secrets, 1 pair, 1 prior)
        >>> Framework.of_records(Records(10**6, ("0", "1")), secrets, "disjoint", {"theta": chain})
        Framework(1000000 records, 2 secrets, 1 pair, 1 prior)
        """
        records = check_type(records, Records, "records")
        return cls(records, secrets, pairs, priors, closure, one_sided)

    @classmethod
    def of_definition(cls, definition: Definition) -> "Framework":
        """Build the framework of a definition of privacy.

        >>> from pufferproof import Definition, Framework, Records
        >>> Framework.of_definition(Definition.differential_privacy(Records(2, ("0", "1"))))
        Framework(4 databases, 4 secrets, 2 pairs, 4 priors)
        """
        definition = check_type(definition, Definition, "definition")
        return cls.of_records(definition.records, definition.secrets, definition.pairs, definition.priors)

    @classmethod
    def of_binary(cls, chain: BinaryChain, private: int | Iterable[int]) -> "Framework":
        """Build the framework that keeps the value of each private record of a binary chain secret.

        >>> from pufferproof import BinaryChain, Framework
        >>> Framework.of_binary(BinaryChain("1/4", "1/2", 3), 2).names
        ('x2=0', 'x2=1')

        Raises `ModelError` unless there is a private record, and all are records of the chain.
        """
        chain = check_type(chain, BinaryChain, "chain")
        chosen = private_records(private, chain.length)
        secrets = {f"x{record}={value}": (record, value) for record in chosen for value in "01"}
        pairs = [(f"x{record}=0", f"x{record}=1") for record in chosen]
        records = Records(chain.length, ("0", "1"))
        return cls.of_records(records, secrets, pairs, {"chain": chain.prior()})

    @cached_property
    def plain(self) -> "Framework":
        """The framework itself, or with pairs that have no levels."""
        return self.with_pairs([pair for pair, _ in self.levels]) if self.levels else self

    def with_pairs(self, pairs: Sequence[Pair]) -> "Framework":
        """Return the framework with other pairs, without levels."""
        stated = self._stated
        return Framework(stated.space, stated.secrets, pairs, stated.priors, stated.closure, stated.one_sided)

    def row(self, database: str) -> tuple[str, ...]:
        """Return the records that a database consists of, by its label."""
        known = self.sized or self.records
        if known is None:
            return split_label(database, mark_of(self.databases))
        return split_label(database, separator(known.alphabet))

    def changing(self, most: int) -> "Framework":
        """Return the framework of the records that change between neighbours, all others left out:
        of what is added up over records, over so many at most, it has every difference.
        """
        stated, records = self._stated, self.sized or self.expect_records()
        if stated.neighbours is None:
            raise ModelError('expected "neighbours", found pairs that were written', "framework")
        written = stated.neighbours.differences(records, most)
        priors: Mapping[str, Prior] = MappingProxyType({**written.priors})
        whole = Framework.__new__(Framework)
        whole._classes = MappingProxyType({})
        whole._stated = stated._replace(
            space=written.databases, secrets=written.secrets, pairs=written.pairs, priors=priors,
            sized=records, too_many=None,
        )  # fmt: skip
        return whole

    def changed(self, pair: Pair) -> str:
        """Say what changes from the second of two neighbours to the first; nothing of pairs that
        were written.
        """
        if self.neighbours is None:
            return ""
        return self.neighbours.changed(self.row(pair[1]), self.row(pair[0]))

    @cached_property
    def alone(self) -> "Framework":
        """The framework of one person. Raises `ModelError` where it is known by databases only."""
        stated, records = self._stated, self.records
        if records is None or records.people == 1:
            return self
        for name, secret in stated.secrets.items():
            if not is_place(secret):
                raise ModelError("several people: expected a record and its value, found databases", f"secrets.{name}")
        framework = Framework(
            records.alone, stated.secrets, stated.pairs, stated.priors, stated.closure,
            stated.one_sided,
        )  # fmt: skip
        if not (framework.by_records or framework.classes):
            raise ModelError('several people need "closure": "list" and priors along records, found others', "people")
        return framework

    @cached_property
    def pairs(self) -> Sequence[Pair]:
        """The pairs of secrets to keep apart, each in one order."""
        self._expect_no_levels()
        listed = self.neighbours is not None or self.records is None or (self._enumerable and not self.along_records)
        if listed and not self.classes:
            return self.listed.pairs
        return pairs_of(self.expect_records(), self.places, self._stated.pairs)

    @property
    def classes(self) -> Mapping[str, PriorClass]:
        """The classes of chains among the priors, by name: they have no laws, and are bounded."""
        return self._classes

    @property
    def chain_classes(self) -> Mapping[str, ChainClass]:
        """The classes of chains, by name."""
        classes = {k: prior for k, prior in self.classes.items() if isinstance(prior, ChainClass)}
        return MappingProxyType(classes)

    @property
    def boxes(self) -> Mapping[str, IntervalChain]:
        """The classes, which are boxes. Raises `ModelError`, naming it, for another one."""
        found = {}
        for name, prior in self.classes.items():
            if not isinstance(prior, IntervalChain):
                with within(f"priors.{name}"):
                    prior.law((), None)
            else:
                found[name] = prior
        return MappingProxyType(found)

    def of_list(self) -> "Framework":
        """Return the framework of the priors alone, without their mixtures."""
        stated = self._stated
        return Framework(stated.space, stated.secrets, stated.pairs, stated.priors, "list", stated.one_sided)

    def of_members(
        self, most: int = 16, supports: bool = False, chosen: Mapping[str, Mapping[str, MarkovChain]] | None = None
    ) -> "Framework":
        """Return the framework with some chains of every class in its place, which can be audited:
        what is leaked under one of them is leaked under the class. With `chosen`, those chains of
        every class.

        `supports`: besides corners, chains of the middle with every set of possible first values.
        Where corners differ in what is possible the middle is there anyhow.
        """
        priors: dict[str, Prior] = {}
        for name, prior in self.priors.items():
            if isinstance(prior, PriorClass):
                known: Mapping[str, MarkovChain | BayesianNetwork]
                if chosen is not None:
                    known = chosen[name]
                else:
                    middle = prior.supports() if supports else prior.middle()
                    known = {**prior.members(most), **middle}
                fitting = {at: chain for at, chain in known.items() if self.fits(chain)}
                priors |= {self.member(name, at): chain for at, chain in fitting.items()}
            else:
                priors[name] = prior
        if not priors:
            raise ModelError(
                "expected a corner of the class with one stationary law, found none: give "
                '"initial" as a list of probabilities',
                "priors",
            )
        return self.with_priors(priors)

    def with_priors(self, priors: Mapping[str, Prior]) -> "Framework":
        """Return the framework with other priors in a list."""
        stated = self._stated
        return Framework(stated.space, stated.secrets, list(self.pairs), priors)

    def member(self, name: str, at: str) -> str:
        """Return the name that a chain of a class has in `of_members`: that of no other prior."""
        label = f"{name}: {at}"
        while label in self.priors:
            label += "'"
        return label

    def of_laws(self) -> "Framework":
        """Return the framework itself, or with some chains in the place of classes: all its priors
        have laws.
        """
        return self.of_members(supports=True) if self.classes else self

    def fits(self, chain: MarkovChain | BayesianNetwork) -> bool:
        """Whether a chain has one law: a stationary one may have several."""
        if isinstance(chain, BayesianNetwork):
            return True
        try:
            Chain.of(chain, self.expect_records())
        except ModelError:
            return False
        return True

    def _expect_classes(self) -> None:
        """Raise `ModelError` unless secrets speak of single records, and classes fit them."""
        if self.one_sided or self.closure != "list":
            raise ModelError('classes of chains are bounded for closure "list" only', "closure")
        records = self.expect_records()
        _ = (self.places, self.pairs)
        for name, box in self.classes.items():
            with within(f"priors.{name}"):
                box.expect(records)

    @cached_property
    def listed(self) -> Listing:
        """The databases one by one, with secrets, pairs and laws. Raises `TooLargeError` where they
        are too many.
        """
        stated = self._stated
        self._expect_no_levels()
        if stated.too_many is not None:
            raise stated.too_many
        if self.people > 1:
            raise several_people(self.people)
        for name, prior in self.classes.items():
            with within(f"priors.{name}"):
                prior.law((), None)
        return listing_of(stated.space, stated.secrets, stated.pairs, stated.priors, stated.one_sided)

    @property
    def databases(self) -> tuple[str, ...]:
        """The labels of the databases, as `listed` has them."""
        return self.listed.databases

    @property
    def secrets(self) -> Mapping[str, tuple[int, ...]]:
        """The indices of the databases in which each secret holds, as `listed` has them."""
        return self.listed.secrets

    @property
    def laws(self) -> Mapping[str, Law]:
        """The exact law of every prior on the databases, by name."""
        return self.listed.laws

    @property
    def support(self) -> frozenset[int]:
        """The indices of the databases with positive probability under some prior."""
        return self.listed.support

    @property
    def members(self) -> Mapping[str, "NDArray[np.intp]"]:
        """The database indices of every secret as arrays."""
        return self.listed.members

    def orders(self, pair: Pair) -> list[Pair]:
        """Return the ordered pairs to check for a pair: as written, and swapped unless
        one-sided.
        """
        return [pair] if self.one_sided else [pair, (pair[1], pair[0])]

    def mass(self, prior: str, secret: str) -> int:
        """Return the integer weight of a secret under a prior (its probability times
        `laws[prior].total`).
        """
        return self.listed.masses[prior][secret]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Framework) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.names, self.closure, self.one_sided))

    @property
    def _enumerable(self) -> bool:
        return self.records is None or self.records.enumerable

    def _content(self) -> tuple[object, ...]:
        if self.levels:
            return (self.plain._content(), self.levels)
        if self.too_many is not None:
            return (self.records, self.sized, self.neighbours)
        if self.classes or not self._enumerable:
            return (self.records, self.places, tuple(self.pairs), dict(self.priors))
        laws = {name: (law.weights, law.total) for name, law in self.laws.items()}
        reduced = {
            name: (tuple(weight // divisor for weight in weights), total // divisor)
            for name, (weights, total) in laws.items()
            for divisor in [gcd(total, *weights)]
        }
        return (self.databases, dict(self.secrets), tuple(self.pairs), reduced, self.closure, self.one_sided)

    def _size(self) -> str:
        if self.too_many is not None:
            return "databases that are not listed"
        if self.records is None:
            return counted(len(self.databases), "database")
        count, values = self.records.count, len(self.records.alphabet)
        if self.records.enumerable:
            return counted(values**count, "database")
        people = f" of each of {self.people} people" if self.people > 1 else ""
        return counted(count, "record") + people

    def __repr__(self) -> str:
        if self.levels:
            return f"{repr(self.plain).removesuffix(')')}, a level for each pair)"
        if self.too_many is not None:
            return f"Framework({self._size()}, {self.neighbours})"
        parts = [
            self._size(),
            counted(len(self.names), "secret"),
            counted(len(self.pairs), "pair"),
            counted(len(self.priors), "prior"),
        ]
        return f"Framework({', '.join(parts)}{', convex' if self.closure == 'convex' else ''})"

    def __rich__(self) -> "RichTable":
        """Show the secrets with their probability under every prior."""
        from rich.table import Table as RichTable

        from pufferproof.models.numbers.text import brief

        if self.levels:
            return self.plain.__rich__()
        view = RichTable(title=repr(self))
        view.add_column("secret")
        for name in self.priors:
            view.add_column(f"P under {name}", justify="right")
        for secret in self.secrets:
            view.add_row(
                secret, *(brief(Fraction(self.mass(name, secret), self.laws[name].total)) for name in self.priors)
            )
        return view
