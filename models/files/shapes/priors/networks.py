"""Bayesian networks and contacts as priors."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Discriminator, Field, PrivateAttr, StrictInt, StrictStr, Tag, WithJsonSchema, model_validator

from pufferproof.models.errors import ModelError, extras
from pufferproof.models.files.reading import in_file
from pufferproof.models.files.shapes.objects import Number, Row, Shape, list_or_other, wrong
from pufferproof.models.files.shapes.priors.forms import PriorShape
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains.gap import unlisted
from pufferproof.models.priors.laws import Prior as Law
from pufferproof.models.priors.networks.contacts import Contacts, edges_in
from pufferproof.models.priors.networks.intervals import BOUNDED
from pufferproof.models.priors.records import Records


class BayesNetShape(Shape):
    """A Bayesian network over the records: its DAG and tables, or a file beside this one, whose
    variables they are: BIF, XMLBIF, XDSL, NET or UAI, plain or in gzip.

    `parents`: record (from "1", or its name) -> its parents. `cpt`: record -> a row for every
    combination of its parents' values, in the order of the parents, joined as in a database's
    label; "" where there are none. In place of `cpt`, `cpt_lower` and `cpt_upper` have bounds of
    every row: a class.
    """

    bif: StrictStr | None = None
    parents: dict[StrictStr, list[StrictStr]] | None = None
    cpt: dict[StrictStr, dict[StrictStr, Row]] | None = None
    cpt_lower: dict[StrictStr, dict[StrictStr, Row]] | None = None
    cpt_upper: dict[StrictStr, dict[StrictStr, Row]] | None = None
    _content: bytes | None = PrivateAttr(None)
    _own: list[list[str]] | None = PrivateAttr(None)

    def hold(self, content: bytes) -> None:
        """Keep what the BIF file holds; who reads the framework file reads it too, once."""
        self._content = content

    def rename(self, records: Records) -> None:
        """Take the values of records, and where they have names their numbers in the place of
        these. Raises `ModelError` unless names are known.
        """
        self._own = None if records.values is None else [*map(list, records.values)]
        if records.names is None or self.bif is not None:
            return
        self.parents = {
            record: [str(records.number(name, f"parents.{record}")) for name in above]
            for record, above in (self.parents or {}).items()
        }
        for key in ("parents", "cpt", "cpt_lower", "cpt_upper"):
            if (given := getattr(self, key)) is not None:
                numbers = {str(records.number(name, key)): row for name, row in given.items()}
                setattr(self, key, numbers)

    @property
    def own(self) -> list[list[str]] | None:
        """The values of every record, in the order of rows; None if each has the alphabet."""
        return self._own

    @property
    def content(self) -> bytes:
        """What the BIF file holds. Raises `ModelError` unless it was read."""
        if self._content is None:
            raise ModelError("expected a framework that is read from a file, in whose folder this one is")
        return self._content

    @model_validator(mode="after")
    def _file_or_tables(self) -> "BayesNetShape":
        bounds = (self.cpt_lower is not None, self.cpt_upper is not None)
        if any(bounds) and self.cpt is not None:
            raise wrong('expected "cpt", or "cpt_lower" and "cpt_upper", found both')
        if any(bounds) != all(bounds):
            raise wrong('expected "cpt_lower" and "cpt_upper" together, found one alone')
        tables = (self.parents is not None, self.cpt is not None or all(bounds))
        if tables != (self.bif is None,) * 2:
            raise wrong('expected either "bif" or both "parents" and "cpt"')
        return self

    @property
    def bounded(self) -> bool:
        """Whether this is a class of networks, rows between bounds."""
        return self.cpt_lower is not None


class BayesNetPrior(PriorShape):
    """A Bayesian network over the records."""

    by_records = True
    bayes_net: BayesNetShape

    def prior(self, normalize: bool) -> Law:
        shape = self.bayes_net
        if shape.bounded:
            raise unlisted("a network whose rows lie between bounds", BOUNDED)
        if shape.bif is None:
            return BayesianNetwork(shape.parents or {}, shape.cpt or {}, normalize, shape.own)
        with extras:
            from pufferproof.models.priors.networks.formats import network_in
        with in_file(shape.bif):
            network = network_in(shape.content)
            return network.divided() if normalize else network


Person = Annotated[StrictStr | StrictInt, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]})]


Meeting = Annotated[list[Person], Field(min_length=2, max_length=2)]


class ContactsShape(Shape):
    """People who infect one another: P(healthy) = (1 - base) (1 - transmission)^k for somebody k of
    whose contacts before are ill. The first of the two values is healthy.

    `edges`: pairs of people, records from "1", who was there first before the other; or the name of
    an edge list beside this file, a pair per line. `transmission` is a number, or the least and the
    largest: a class, by `class` of one transmission for all contacts ("shared") or of one for each
    ("own").
    """

    edges: Annotated[
        Annotated[list[Meeting], Tag("@list")] | Annotated[StrictStr, Tag("@other")], Discriminator(list_or_other)
    ]
    transmission: Annotated[
        Annotated[Annotated[Row, Field(min_length=2, max_length=2)], Tag("@list")] | Annotated[Number, Tag("@other")],
        Discriminator(list_or_other),
    ]
    base: Number
    kind: Literal["shared", "own"] = Field("shared", alias="class")
    _space: tuple[int, tuple[str, ...]] = PrivateAttr((0, ()))
    _content: bytes | None = PrivateAttr(None)

    def hold(self, count: int, alphabet: Sequence[str]) -> None:
        """Keep how many records there are, and their values."""
        self._space = count, tuple(alphabet)

    def keep(self, content: bytes) -> None:
        """Keep what the edge list holds; who reads the framework file reads it too, once."""
        self._content = content

    @property
    def bounded(self) -> bool:
        """Whether this is a class of networks."""
        return isinstance(self.transmission, list)

    def contacts(self) -> Contacts:
        """Return the contacts that are described. Raises `ModelError` as `Contacts` does."""
        count, values = self._space
        if len(values) != 2:
            raise ModelError(f"contacts need records of two values, healthy first, found {len(values)}", "contacts")
        try:
            return Contacts(count, self._edges(), self.transmission, self.base, values)
        except ModelError as error:
            raise error.at(f"contacts.{error.where}") from None

    def _edges(self) -> Sequence[object]:
        if isinstance(self.edges, list):
            return self.edges
        if self._content is None:
            raise ModelError("expected a framework that is read from a file, in whose folder this one is", "edges")
        try:
            return edges_in(self._content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise ModelError(f"expected UTF-8 text: {error.reason} at position {error.start}", "edges") from None
        except ModelError as error:
            raise error.at(f"edges: {self.edges}: {error.where}") from None


class ContactsPrior(PriorShape):
    """People who infect those they meet."""

    by_records = True
    contacts: ContactsShape

    def prior(self, normalize: bool) -> Law:
        if self.contacts.bounded:
            raise unlisted("an interval of transmissions", BOUNDED)
        contacts = self.contacts.contacts()
        return contacts.at(contacts.lower)
