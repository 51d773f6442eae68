"""The shape of the files people write, as pydantic models: the source of the published JSON
Schemas.

These models say which keys and types a file has. What the numbers mean (laws, rows, disjoint pairs)
is checked where the objects are made, so that Python callers and files are held to the same rules.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    PlainValidator,
    PrivateAttr,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema, PydanticCustomError

from pufferproof.models.errors import ModelError
from pufferproof.models.files.reading import document_of, in_file
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.text import did_you_mean, quoted, shown
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains.changing import ChangingChain
from pufferproof.models.priors.chains.gap import unlisted
from pufferproof.models.priors.continuous.gaussian import NO_DATABASES
from pufferproof.models.priors.continuous.network import (
    JSON_FORM,
    LinearGaussianNetwork,
    LinearNode,
    network_in_document,
)
from pufferproof.models.priors.continuous.normal import Normal
from pufferproof.models.priors.continuous.points import NO_DATABASES as NOT_LISTED
from pufferproof.models.priors.definitions.metric import LeveledPair, metric_pairs
from pufferproof.models.priors.definitions.relation import Neighbours
from pufferproof.models.priors.laws import Prior as Law
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import Contacts, edges_in
from pufferproof.models.priors.networks.formats import network_in
from pufferproof.models.priors.networks.intervals import BOUNDED
from pufferproof.models.priors.records import MAX_PEOPLE, Records, preview
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.hidden_markov import HiddenMarkovModel

_NAME = re.compile("[A-Za-z_]")
_KIND = re.compile(r"pufferproof-([a-z]+)/[0-9]+")
_CALLED = {"release": "plan of releases", "kernels": "file of kernels"}
_ORDER = {"framework": ": FRAMEWORK comes first", "mechanism": ": FRAMEWORK comes first"}
_SHORT = 20  # characters of a number that is likely to occur again
_CLASSES = "not supported here: expected one law, found {}"
_FROM_A_LAW = (
    'expected a list of probabilities beside "transitions", found "{}": a chain that changes with '
    "time has no stationary law"
)
_GAP = ("pi_min", "eigengap", "reversible")  # of a class of chains
_NORMALIZE = "normalize"  # beside the form of a prior
_NAME = re.compile(r"\s*[^\W\d]")  # of a record: numbers begin otherwise
MECHANISM_FORMS = ("channel", "local", "redaction", "query", "hidden_markov", "show")


def _read_number(value: object) -> Fraction:
    try:
        if not isinstance(value, str | int):
            raise ModelError(f'expected a number such as "3/4", "0.25" or 1, found {shown(value)}')
        return (
            _known_number(value)
            if isinstance(value, str) and len(value) <= _SHORT
            else exact(value)
        )
    except ModelError as error:
        raise PydanticCustomError("number", "{what}", {"what": error.what}) from None


@lru_cache(maxsize=1_000)
def _known_number(text: str) -> Fraction:
    return exact(text)


Number = Annotated[
    Fraction,
    PlainValidator(_read_number),
    WithJsonSchema(
        {
            "description": "an exact number: an integer, a decimal (0.25 is 1/4), or text such as "
            '"3/4", "0.25", "1e-3"',
            "anyOf": [
                {"type": "number"},
                {
                    "type": "string",
                    "pattern": r"^-?[0-9]+(/[0-9]+|(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?)$",
                },
            ],
        }
    ),
]
Row = list[Number]


class Shape(BaseModel):
    """A JSON object without unknown keys.

    The first mistake ends the reading: pydantic would collect an error of a kB for each item of a
    list of millions.
    """

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        _fail_fast(schema)
        return schema

    @model_validator(mode="before")
    @classmethod
    def _of_known_keys(cls, value: object) -> object:
        if isinstance(value, dict) and not value.keys() <= (keys := _keys_of(cls)):
            unknown = next(key for key in value if key not in keys)
            missing = sorted(keys - value.keys())
            raise _wrong(f"unknown key {quoted(unknown)}{did_you_mean(unknown, missing)}")
        return value

    @model_validator(mode="before")
    @classmethod
    def _of_its_kind(cls, value: object) -> object:
        if isinstance(value, dict) and "format" in cls.model_fields:
            wanted = _KIND.findall(str(cls.model_fields["format"].annotation))
            kind = _KIND.match(str(value.get("format")))
            if kind and kind[1] not in wanted:
                hint = _ORDER.get(wanted[0], "")
                given, asked = (_CALLED.get(each, each) for each in (kind[1], wanted[0]))
                raise _wrong(f"is a {given}, expected a {asked}{hint}")
        return value


@cache
def _keys_of(shape: type[Shape]) -> frozenset[str]:
    return frozenset(field.alias or name for name, field in shape.model_fields.items())


def _fail_fast(schema: Any) -> None:
    """Have lists and objects of a schema of pydantic's core end at their first mistake."""
    if isinstance(schema, dict):
        if schema.get("type") in ("list", "dict"):
            schema["fail_fast"] = True
        for key, part in schema.items():
            if key not in ("metadata", "default"):
                _fail_fast(part)
    elif isinstance(schema, list | tuple):
        for part in schema:
            _fail_fast(part)


MOST_PLANNED = 100_000  # records of a plan, each of them a secret
People = Annotated[StrictInt, Field(ge=1, le=MAX_PEOPLE)]


class RecordsShape(Shape):
    """Databases that are sequences of `count` records over `alphabet`; of gaussian priors records
    are numbers, without an alphabet.

    Records may have `names`, and each its own `values`, by name; `from` takes both from a file of a
    Bayesian network beside this one. Then `count` and `alphabet` may be left out.
    """

    count: StrictInt = 0
    alphabet: list[StrictStr] = Field(default_factory=list)
    names: list[StrictStr] | None = None
    values: dict[StrictStr, list[StrictStr]] | None = None
    source: StrictStr | None = Field(default=None, alias="from")

    @model_validator(mode="after")
    def _counted(self) -> "RecordsShape":
        given = sorted(key for key in self.model_fields_set if key != "source")
        if self.source is not None and given:
            raise _wrong(f'"from" takes names and values from a file: leave out "{given[0]}"')
        if self.values is not None and "alphabet" in given:
            raise _wrong('"values" has those of every record: leave out "alphabet"')
        if self.source is None and self.names is None and self.values is None:
            if "count" not in given:
                raise _wrong('missing key "count"')
        elif self.source is None:
            self._named(stated="count" in given)
        return self

    def _named(self, stated: bool) -> None:
        """Set the number of records and their alphabet, which follow from names and values."""
        if self.values is not None:
            self.take(_expected(lambda: Records.named(self.values or {}, self.names)), stated)
        elif not stated:
            self.count = len(self.names or ())

    def take(self, records: Records, stated: bool = False) -> None:
        """Take names and values of records."""
        if stated and self.count != records.count:
            raise _wrong(
                f"expected {self.count} names, one for every record, found {records.count}"
            )
        self.count, self.alphabet = records.count, list(records.alphabet)
        self.names = list(records.names or ())
        self.values = dict(zip(self.names, map(list, records.values or ())))

    def records(self, people: int = 1) -> Records:
        """Return the records. Raises `ModelError` unless names and values are different."""
        names = None if self.names is None else tuple(self.names)
        own = None if self.values is None else tuple(tuple(self.values[k]) for k in names or ())
        return Records(self.count, tuple(self.alphabet), people, names=names, values=own)


def _expected(make: Callable[[], Records]) -> Records:
    """Return what is made, with the error of a shape for one of a model."""
    try:
        return make()
    except ModelError as error:
        raise _wrong(str(error)) from None


class OfRecord(Shape):
    """What is said of one record, by its number from 1 or its name."""

    record: StrictInt | StrictStr

    @property
    def number(self) -> int:
        """The number of the record, which a name is replaced by once the file is read."""
        if isinstance(self.record, str):
            raise ModelError("expected a framework that is read from a file", "record")
        return self.record


class RecordSecret(OfRecord):
    """The secret that record `record`, a number from 1 or a name, has `value`."""

    value: StrictStr


class WindowSecret(OfRecord):
    """The secret that record `record`, a number from 1 or a name, of a gaussian prior lies
    `between` two numbers.
    """

    between: Annotated[Row, Field(min_length=2, max_length=2)]


class PointSecret(OfRecord):
    """The secret that record `record`, a number from 1 or a name, of a gaussian prior without a box
    is `at` a number.
    """

    at: Number


def _kind_of_secret(value: object) -> str:
    if isinstance(value, Mapping) and "between" in value:
        return "@window"
    if isinstance(value, Mapping) and "at" in value:
        return "@point"
    return "@list" if isinstance(value, list) else "@other"


def _list_or_other(value: object) -> str:
    return "@list" if isinstance(value, list) else "@other"


class MarkovShape(Shape):
    """Markov chains over the records: the law of the first record, and the transitions.

    `initial` is a law, "stationary", or "any": all laws. In place of `transition` a box of matrices
    may be given, by the least and largest probability of every transition; or, from a law,
    `transitions`: a matrix for every record but the first, of a chain that changes with time; or,
    from the stationary law, `pi_min` and `eigengap`: all chains with stationary probabilities of at
    least the one, and eigenvalues of size at most 1 - the other, `reversible` ones.

    `class` says of which chains a box consists: of one matrix for all steps ("homogeneous"), of one
    for every step ("time-varying"), or of rows that may depend on all records before ("history").
    """

    initial: Annotated[
        Annotated[Row, Tag("@list")] | Annotated[Literal["stationary", "any"], Tag("@other")],
        Discriminator(_list_or_other),
    ]
    transition: list[Row] | None = None
    transitions: list[list[Row]] | None = None
    transition_lower: list[Row] | None = None
    transition_upper: list[Row] | None = None
    pi_min: Number | None = None
    eigengap: Number | None = None
    reversible: StrictBool | None = None
    kind: Literal["homogeneous", "time-varying", "history"] = Field("homogeneous", alias="class")
    _space: tuple[int, tuple[str, ...]] = PrivateAttr((0, ()))

    @property
    def space(self) -> tuple[int, tuple[str, ...]]:
        """How many records there are, and their values; who reads the framework file tells it."""
        return self._space

    def hold(self, count: int, alphabet: Sequence[str]) -> None:
        """Keep how many records there are, and their values."""
        self._space = count, tuple(alphabet)

    @property
    def one_chain(self) -> bool:
        """Whether this is one chain, not a class of them."""
        if self.transitions is not None:
            return True
        return self.transition is not None and self.initial != "any"

    @model_validator(mode="before")
    @classmethod
    def _one_matrix_or_box(cls, value: object) -> object:
        if isinstance(value, Mapping):
            bounds = [
                name
                for name in ("transition_lower", "transition_upper")
                if value.get(name) is not None
            ]
            if any(value.get(name) is not None for name in _GAP):
                return _expect_gap(value)
            if value.get("class", "homogeneous") != "homogeneous":
                _expect_changing(value, bounds)
            ways = ("transition", "transitions")
            given = [*(name for name in ways if value.get(name) is not None), *bounds]
            if len(given) > 1 and given != bounds:
                raise _wrong(f'expected "{given[0]}" or "{given[1]}", found both')
            if len(bounds) == 1:
                raise _wrong(
                    f'expected "transition_lower" and "transition_upper" together, found '
                    f'"{bounds[0]}" alone'
                )
            if not given:
                raise _wrong('missing key "transition"')
        return value


def _expect_changing(value: Mapping[str, object], bounds: Sequence[str]) -> None:
    """Raise an error unless chains that change with time have bounds, and no stationary law."""
    kind = value["class"]
    if not bounds:
        raise _wrong(f'expected "transition_lower" and "transition_upper" beside "{kind}"')
    if value.get("initial") == "stationary":
        raise _wrong(f'expected a law or "any" beside "{kind}", found "stationary"')


def _expect_gap(value: Mapping[str, object]) -> Mapping[str, object]:
    """Raise an error unless a class is told by its eigengap alone."""
    given = [name for name in value if value[name] is not None]
    if missing := [name for name in _GAP[:2] if name not in given]:
        raise _wrong(f'expected "pi_min" and "eigengap" together, found no "{missing[0]}"')
    others = [name for name in given if name not in ("initial", *_GAP)]
    if others:
        raise _wrong(f'expected "{others[0]}" or "eigengap", found both')
    if value.get("initial", "stationary") != "stationary":
        raise _wrong(
            f'expected "initial": "stationary" beside "eigengap", found {shown(value["initial"])}'
        )
    return value


class PriorShape(Shape):
    """A prior, in one of its forms: the one key beside `normalize`, with which every row is divided
    by its sum, exactly, and answers say so.
    """

    by_records: ClassVar[bool] = False  # its laws are known without a list of the databases
    normalize: StrictBool = False

    @classmethod
    def form(cls) -> str:
        """Return the key of this form."""
        return next(name for name in cls.model_fields if name != _NORMALIZE)

    def prior(self, normalize: bool) -> Law:
        """Return the prior that is described, its rows divided by their sums or as they are.

        Raises `ModelError` unless it is one prior on databases.
        """
        raise NotImplementedError


class TablePrior(PriorShape):
    """Any law: database -> probability, 0 where left out."""

    table: dict[StrictStr, Number]

    def prior(self, normalize: bool) -> Law:
        return Table(self.table, normalize)


class ProductPrior(PriorShape):
    """Independent records: one probability row per record."""

    by_records = True
    product: list[Row]

    def prior(self, normalize: bool) -> Law:
        return Product(self.product, normalize)


class MarkovPrior(PriorShape):
    """A Markov chain over the records."""

    by_records = True
    markov: MarkovShape

    def prior(self, normalize: bool) -> Law:
        chain = self.markov
        if chain.transitions is not None:
            if isinstance(chain.initial, str):
                raise ModelError(_FROM_A_LAW.format(chain.initial), "markov.initial")
            return ChangingChain(chain.initial, chain.transitions, normalize)
        if chain.pi_min is not None:
            raise unlisted("a class by pi_min and eigengap")
        if chain.transition is None:
            raise ModelError(_CLASSES.format("a box of priors"))
        if chain.initial == "any":
            raise ModelError(_CLASSES.format('the class of all initial laws ("any")'))
        return MarkovChain(chain.initial, chain.transition, normalize)


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
            raise ModelError(
                "expected a framework that is read from a file, in whose folder this one is"
            )
        return self._content

    @model_validator(mode="after")
    def _file_or_tables(self) -> "BayesNetShape":
        bounds = (self.cpt_lower is not None, self.cpt_upper is not None)
        if any(bounds) and self.cpt is not None:
            raise _wrong('expected "cpt", or "cpt_lower" and "cpt_upper", found both')
        if any(bounds) != all(bounds):
            raise _wrong('expected "cpt_lower" and "cpt_upper" together, found one alone')
        tables = (self.parents is not None, self.cpt is not None or all(bounds))
        if tables != (self.bif is None,) * 2:
            raise _wrong('expected either "bif" or both "parents" and "cpt"')
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
        with in_file(shape.bif):
            network = network_in(shape.content)
            return network.divided() if normalize else network


Person = Annotated[
    StrictStr | StrictInt, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]})
]
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
        Annotated[list[Meeting], Tag("@list")] | Annotated[StrictStr, Tag("@other")],
        Discriminator(_list_or_other),
    ]
    transmission: Annotated[
        Annotated[Annotated[Row, Field(min_length=2, max_length=2)], Tag("@list")]
        | Annotated[Number, Tag("@other")],
        Discriminator(_list_or_other),
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
            raise ModelError(
                f"contacts go with records of two values, healthy first, found {len(values)}",
                "contacts",
            )
        try:
            return Contacts(count, self._edges(), self.transmission, self.base, values)
        except ModelError as error:
            raise error.at(f"contacts.{error.where}") from None

    def _edges(self) -> Sequence[object]:
        if isinstance(self.edges, list):
            return self.edges
        if self._content is None:
            raise ModelError(
                "expected a framework that is read from a file, in whose folder this one is",
                "edges",
            )
        try:
            return edges_in(self._content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise ModelError(
                f"expected UTF-8 text: {error.reason} at position {error.start}", "edges"
            ) from None
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


class HiddenMarkovShape(Shape):
    """A hidden Markov model whose symbols are the records: hidden states with transitions, and
    what each of them shows.
    """

    initial: Annotated[
        Annotated[Row, Tag("@list")] | Annotated[Literal["stationary"], Tag("@other")],
        Discriminator(_list_or_other),
    ]
    transition: list[Row]
    emission: list[Row]


class HiddenMarkovPrior(PriorShape):
    """A hidden Markov model over the records."""

    by_records = True
    hidden_markov: HiddenMarkovShape

    def prior(self, normalize: bool) -> Law:
        model = self.hidden_markov
        return HiddenMarkovModel(model.initial, model.transition, model.emission, normalize)


class SquaredExponentialShape(Shape):
    """Sigma_jk = exp(-(j - k)^2 / length)."""

    length: Number


class ExponentialShape(Shape):
    """Sigma_jk = exp(-|j - k| / length)."""

    length: Number


class GaussianKernelShape(Shape):
    """How the covariance of two records depends on their numbers; `exponential` without a box."""

    squared_exponential: SquaredExponentialShape | None = None
    exponential: ExponentialShape | None = None

    @model_validator(mode="after")
    def _one(self) -> "GaussianKernelShape":
        if (self.squared_exponential is None) == (self.exponential is None):
            raise _wrong('expected one of "squared_exponential" and "exponential"')
        return self


class AutoregressionShape(Shape):
    """A stationary autoregression of order 1: Cov(X_j, X_k) = variance * coefficient^|j - k|."""

    coefficient: Number
    variance: Number


class LinearNodeShape(Shape):
    """A node of a linear Gaussian network: its law is normal around `intercept`, 0 if left out,
    plus the sum of `coefficients` times its parents, by name, with this `variance`.
    """

    intercept: Number = Fraction(0)
    coefficients: dict[StrictStr, Number] = Field(default_factory=dict)
    variance: Number


class GaussianShape(Shape):
    """A normal law on numbers: its covariance, by a matrix, a `kernel` or `ar1`; or a linear
    Gaussian `network`, by the law of every node, or the name of a JSON file of pgmpy beside this
    one. The nodes are the records, by name.

    With a `box`, the same for every record, it has mean 0 and is truncated to that; without one it
    is not truncated, and has a `mean`, one number or one for each record, 0 if left out.
    """

    kernel: GaussianKernelShape | None = None
    covariance: list[Row] | None = None
    ar1: AutoregressionShape | None = None
    mean: (
        Annotated[
            Annotated[Row, Tag("@list")] | Annotated[Number, Tag("@other")],
            Discriminator(_list_or_other),
        ]
        | None
    ) = None
    box: Annotated[Row, Field(min_length=2, max_length=2)] | None = None
    network: (
        Annotated[
            Annotated[dict[StrictStr, LinearNodeShape], Tag("@object")]
            | Annotated[StrictStr, Tag("@name")],
            Discriminator(lambda value: "@name" if isinstance(value, str) else "@object"),
        ]
        | None
    ) = None
    _content: bytes | None = PrivateAttr(None)
    _names: tuple[str, ...] | None = PrivateAttr(None)

    def hold(self, content: bytes) -> None:
        """Keep what the file of the network holds; who reads the framework file reads it too."""
        self._content = content

    def call(self, names: Sequence[str]) -> None:
        """Keep the names of the records."""
        self._names = tuple(names)

    def joint(self) -> Normal:
        """Return the joint law of the network's nodes, in the order of the records. Raises
        `ModelError` unless it is a network, and records have the names of the nodes.
        """
        if self._names is None:
            raise ModelError(
                'a network has nodes with names: expected "records": {"names": [..]}, or {"from": '
                "FILE} where the network is a file",
                "gaussian.network",
            )
        try:
            return self._network().joint(self._names)
        except ModelError as error:
            raise error.within("gaussian") from None

    def _network(self) -> LinearGaussianNetwork:
        if isinstance(self.network, str):
            if self._content is None:
                raise ModelError("expected a framework that is read from a file", "network")
            with in_file(self.network):
                return linear_network_in(self._content)
        nodes = {}
        for name, node in (self.network or {}).items():
            try:
                nodes[name] = LinearNode(node.intercept, node.coefficients, node.variance)
            except ModelError as error:
                raise error.within(f"network.{name}") from None
        return LinearGaussianNetwork(nodes)

    @model_validator(mode="after")
    def _one_covariance(self) -> "GaussianShape":
        ways = (self.kernel, self.covariance, self.ar1, self.network)
        given = [each for each in ways if each is not None]
        if len(given) != 1:
            raise _wrong('expected one of "kernel", "covariance", "ar1" and "network"')
        if self.network is not None and (self.box is not None or self.mean is not None):
            beside = "mean" if self.box is None else "box"
            raise _wrong(f'"{beside}" goes without "network"')
        if self.box is not None and self.ar1 is not None:
            raise _wrong('"ar1" goes without "box": expected "kernel" or "covariance"')
        if self.box is not None and self.kernel is not None and self.kernel.exponential:
            raise _wrong('kernel "exponential" goes without "box": expected "squared_exponential"')
        if self.box is not None and self.mean is not None:
            raise _wrong('"mean" goes without "box": truncated laws have mean 0')
        return self


class GaussianPrior(PriorShape):
    """A normal law over records that are numbers: with a box for `influence --curve`, without one
    for noise on linear queries.
    """

    gaussian: GaussianShape

    def prior(self, normalize: bool) -> Law:
        raise ModelError(NO_DATABASES if self.gaussian.box is not None else NOT_LISTED)


def linear_network_in(content: bytes) -> LinearGaussianNetwork:
    """Return the linear Gaussian network that a JSON file holds."""
    if not content.lstrip().startswith(b"{"):
        raise ModelError(JSON_FORM)
    return network_in_document(document_of("", content))


PRIOR_FORMS = {shape.form(): shape for shape in PriorShape.__subclasses__()}


def _known_prior(value: object) -> object:
    kinds = [key for key in value if key != _NORMALIZE] if isinstance(value, Mapping) else []
    if len(kinds) != 1:
        raise _wrong(_one_of(list(PRIOR_FORMS), value))
    (kind,) = kinds
    if kind not in PRIOR_FORMS:
        forms = preview(list(PRIOR_FORMS), 20)
        hint = did_you_mean(kind, PRIOR_FORMS) or f", expected one of {forms}"
        raise _wrong(f"unknown key {quoted(kind)}{hint}")
    return value


if TYPE_CHECKING:
    Prior = PriorShape
else:
    Prior = Annotated[
        Annotated[
            reduce(or_, (Annotated[shape, Tag(f"@{form}")] for form, shape in PRIOR_FORMS.items())),
            Discriminator(lambda value: f"@{next(key for key in value if key != _NORMALIZE)}"),
        ],
        BeforeValidator(_known_prior),
    ]


def _pair_of_texts(value: object) -> object:
    """Take a number of nats as third entry of a pair."""
    if isinstance(value, list) and len(value) == 3 and type(value[2]) is int:
        return [*value[:2], str(value[2])]
    return value


PairShape = Annotated[
    list[StrictStr],
    Field(min_length=2, max_length=3),
    BeforeValidator(_pair_of_texts),
    WithJsonSchema(
        {
            "type": "array",
            "minItems": 2,
            "maxItems": 3,
            "items": {"anyOf": [{"type": "string"}, {"type": "number"}]},
            "description": "two secrets, and the level at which audit decides them, as text or in "
            "nats; of every pair or of none",
        }
    ),
]


class MetricShape(Shape):
    """Levels of all pairs of secrets that have a position: their distance times the level `per`
    unit. Positions are numbers, or lists of coordinates.
    """

    per: Annotated[
        StrictStr,
        BeforeValidator(lambda value: value if isinstance(value, str) else str(value)),
        WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "number"}]}),
    ]
    positions: dict[
        StrictStr,
        Annotated[
            Annotated[Row, Tag("@list")] | Annotated[Number, Tag("@other")],
            Discriminator(_list_or_other),
        ],
    ]
    distance: Literal["l1", "l2", "max"] = "l2"

    def pairs(self) -> list[LeveledPair]:
        """Return all pairs with their levels."""
        return metric_pairs(self.positions, self.per, self.distance)


class NeighboursShape(Shape):
    """Which databases are neighbours: "add-remove" of records, or "substitute" of their values, by
    at most `changes` of them (group privacy).
    """

    relation: Literal["add-remove", "substitute"]
    changes: StrictInt = 1

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        value = {"relation": value} if isinstance(value, str) else value
        if isinstance(value, Mapping) and "relation" in value:
            given = value["relation"], value.get("changes", 1)
            try:
                Neighbours(*given)
            except ModelError as error:
                raise _wrong(f"{error.where.removeprefix('neighbours.')}: {error.what}") from None
        return value

    def of(self) -> Neighbours:
        """Return the relation."""
        return Neighbours(self.relation, self.changes)


_BESIDE = ("secrets", "pairs")  # what neighbours stand for


class FrameworkFile(Shape):
    """A Pufferfish framework: databases, secrets, pairs that must stay indistinguishable, and
    priors. With `neighbours`, every database is its own secret, pairs are all neighbours, and
    priors may be left out.
    """

    format: Literal["pufferproof-framework/1"]
    databases: list[StrictStr] | None = None
    records: RecordsShape | None = None
    secrets: dict[
        StrictStr,
        Annotated[
            Annotated[list[StrictStr], Tag("@list")]
            | Annotated[RecordSecret, Tag("@other")]
            | Annotated[WindowSecret, Tag("@window")]
            | Annotated[PointSecret, Tag("@point")],
            Discriminator(_kind_of_secret),
        ],
    ] = Field(default_factory=dict)
    pairs: Annotated[
        Annotated[list[PairShape], Tag("@list")] | Annotated[Literal["disjoint"], Tag("@other")],
        Discriminator(_list_or_other),
    ] = Field(default_factory=list)
    priors: dict[StrictStr, Prior] = Field(default_factory=dict)
    neighbours: NeighboursShape | None = None
    metric: MetricShape | None = None
    closure: Literal["list", "convex"] = "list"
    people: People = 1

    @model_validator(mode="after")
    def _pairs_or_neighbours(self) -> "FrameworkFile":
        given = self.model_fields_set
        if self.metric is not None and (beside := {"pairs", "neighbours"} & given):
            raise _wrong(
                f'metric: expected none beside "{min(beside)}": it has levels of all pairs'
            )
        if self.metric is not None:
            given = given | {"pairs"}
        if self.neighbours is None:
            missing = next((key for key in (*_BESIDE, "priors") if key not in given), None)
            if missing is not None:
                raise _wrong(f'missing key "{missing}"')
        elif twice := next((key for key in _BESIDE if key in given), None):
            raise _wrong(
                f'{twice}: expected none beside "neighbours": every database is its own secret'
            )
        return self

    @model_validator(mode="after")
    def _one_database_space(self) -> "FrameworkFile":
        if (self.databases is None) == (self.records is None):
            raise _wrong('expected either "databases" or "records"')
        if self.neighbours is not None and (self.people > 1 or self.gaussian):
            raise _wrong("neighbours: go with one person's databases or records that have values")
        leveled = not isinstance(self.pairs, str) and any(len(pair) > 2 for pair in self.pairs)
        if self.gaussian and (leveled or self.metric is not None):
            raise _wrong("pairs: levels of pairs go with databases or records that have values")
        if self.people > 1 and (self.records is None or self.gaussian):
            raise _wrong('people: several go with "records" that have an "alphabet"')
        return self

    @property
    def gaussian(self) -> bool:
        """Whether records are numbers, with gaussian priors."""
        return any(isinstance(prior, GaussianPrior) for prior in self.priors.values())

    @property
    def pointwise(self) -> bool:
        """Whether priors are gaussian and not truncated."""
        return any(
            isinstance(prior, GaussianPrior) and prior.gaussian.box is None
            for prior in self.priors.values()
        )

    @model_validator(mode="after")
    def _numbers_or_values(self) -> "FrameworkFile":
        if not self.gaussian:
            return self._of_values()
        others = [name for name, it in self.priors.items() if not isinstance(it, GaussianPrior)]
        if others:
            raise _wrong(f'priors.{others[0]}: beside a "gaussian" prior, expected another one')
        if self.records is None or not self.records.model_fields_set <= {
            "count",
            "names",
            "source",
        }:
            raise _wrong(
                'records of a "gaussian" prior are numbers: expected {"count": n}, {"names": [..]} '
                'or {"from": FILE}'
            )
        return self._of_numbers()

    def _of_values(self) -> "FrameworkFile":
        """Raise an error unless secrets and records are those of databases."""
        for name, secret in self.secrets.items():
            if isinstance(secret, WindowSecret | PointSecret):
                key = "between" if isinstance(secret, WindowSecret) else "at"
                raise _wrong(f'secrets.{name}: "{key}" goes with "gaussian" priors')
        if self.records and self.records.source is None:
            if "alphabet" not in self.records.model_fields_set:
                raise _wrong('records: missing key "alphabet"')
            self._hold()
        return self

    def _hold(self) -> None:
        """Tell priors how many records there are, and their values."""
        for prior in self.priors.values():
            if isinstance(prior, MarkovPrior) and self.records:
                prior.markov.hold(self.records.count, self.records.alphabet)
            if isinstance(prior, ContactsPrior) and self.records:
                prior.contacts.hold(self.records.count, self.records.alphabet)

    def settle(self, network: bytes | None) -> None:
        """Put numbers in the place of names of records, which are read from a `network` where they
        are those of a file. Raises `ModelError` unless names are known.
        """
        if self.records is None:
            return
        if self.gaussian:
            self._settle_numbers(self.records, network)
            return
        if network is not None and self.records.source is not None:
            with in_file(self.records.source):
                self.records.take(network_in(network).records)
            self._hold()
        named = self.records.names is not None or self.records.values is not None
        texts = [each for each in self.secrets.values() if isinstance(each, RecordSecret)]
        if not named and not any(isinstance(each.record, str) for each in texts):
            return
        records = self.records.records(self.people)
        for name, secret in self.secrets.items():
            if isinstance(secret, RecordSecret):
                secret.record = records.number(secret.record, f"secrets.{name}.record")
        for name, prior in self.priors.items():
            if isinstance(prior, BayesNetPrior):
                try:
                    prior.bayes_net.rename(records)
                except ModelError as error:
                    raise error.within(f"priors.{name}") from None

    def _settle_numbers(self, records: RecordsShape, network: bytes | None) -> None:
        """Put numbers in the place of names of records that are numbers, as `settle` does."""
        if network is not None and records.source is not None:
            with in_file(records.source):
                records.names = list(linear_network_in(network).nodes)
            records.count = len(records.names)
        called = None if records.names is None else tuple(records.names)
        named = Records(max(1, records.count), ("number",), names=called)
        for name, secret in self.secrets.items():
            if isinstance(secret, WindowSecret | PointSecret):
                secret.record = named.number(secret.record, f"secrets.{name}.record")
        for prior in self.priors.values():
            if isinstance(prior, GaussianPrior) and called is not None:
                prior.gaussian.call(called)

    def _of_numbers(self) -> "FrameworkFile":
        """Raise an error unless all priors have a box and secrets are windows, or none has."""
        expected: tuple[type, ...] = (WindowSecret,)
        said = 'expected a record "between" two numbers'
        if self.pointwise:
            expected = (PointSecret, WindowSecret)
            said = 'without "box" expected a record "at" a number, or "between" two'
        for name, prior in self.priors.items():
            boxed = isinstance(prior, GaussianPrior) and prior.gaussian.box is not None
            if boxed and self.pointwise:
                raise _wrong(f'priors.{name}: expected all priors with "box", or none')
        for name, secret in self.secrets.items():
            if not isinstance(secret, expected):
                raise _wrong(f'secrets.{name}: under a "gaussian" prior {said}')
        return self


def _unread_rows(depth: int) -> WithJsonSchema:
    """Describe lists of numbers that are read later, because there may be millions."""
    schema: dict[str, object] = {"anyOf": [{"type": "number"}, {"type": "string"}]}
    for _ in range(depth):
        schema = {"type": "array", "items": schema}
    return WithJsonSchema(schema)


Scale = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": 'an exact number above 0, or text "c/log(N)" or "c/log(N/M)", such as '
            '"1/log(2)"',
            "anyOf": [{"type": "number"}, {"type": "string"}],
        }
    ),
]


class ScaleShape(Shape):
    """The scale b of a law proportional to exp(-|z| / b)."""

    scale: Scale


class RatioShape(Shape):
    """The ratio a of a law proportional to a^|z| on the integers."""

    ratio: Number


class SigmaShape(Shape):
    """The standard deviation of a Gaussian law."""

    sigma: Number


class LatticeShape(Shape):
    """The parameter of a discrete Gaussian law, exp(-z^2 / 2 sigma^2) at the integer z: sigma^2, or
    sigma.
    """

    sigma2: Number | None = None
    sigma: Number | None = None


class NoiseShape(Shape):
    """The law of noise that is added to every coordinate of a query: one of these."""

    laplace: ScaleShape | None = None
    geometric: RatioShape | None = None
    discrete_laplace: ScaleShape | None = None
    gaussian: SigmaShape | None = None
    discrete_gaussian: LatticeShape | None = None

    @model_validator(mode="before")
    @classmethod
    def _one_law(cls, value: object) -> object:
        if (
            not isinstance(value, Mapping)
            or len(value) != 1
            or next(iter(value)) not in cls.model_fields
        ):
            raise _wrong(_one_of(list(cls.model_fields), value))
        ((kind, law),) = value.items()
        if not isinstance(law, Mapping):
            raise _wrong(f'expected an object after "{kind}", found {shown(law)}')
        return value


def _law_or_each(value: object) -> str:
    """Tell a law of noise from one for every database, each a law with a known name."""
    if isinstance(value, Mapping) and value and all(map(_is_law, value.values())):
        return "@each"
    return "@other"


def _is_law(value: object) -> bool:
    if isinstance(value, NoiseShape):
        return True
    return isinstance(value, Mapping) and any(key in NoiseShape.model_fields for key in value)


NoiseShapes = Annotated[
    Annotated[NoiseShape, Tag("@other")] | Annotated[dict[StrictStr, NoiseShape], Tag("@each")],
    Discriminator(_law_or_each),
]


class SampleShape(Shape):
    """How every run draws a sample of its own: each record with a probability, or so many."""

    poisson: Number | None = None
    fixed: StrictInt | None = None


class CountShape(Shape):
    """How many records have this value: all, or those chosen, by number or name."""

    count: StrictStr
    of: list[StrictInt | StrictStr] | None = None


class WeightsShape(Shape):
    """A row of weights for each number that is released, of records that are numbers: one for every
    record, or an object of weights by name, 0 for all others.
    """

    weights: Annotated[
        list[
            Annotated[
                Annotated[Row, Tag("@list")] | Annotated[dict[StrictStr, Number], Tag("@object")],
                Discriminator(lambda value: "@object" if isinstance(value, Mapping) else "@list"),
            ]
        ],
        Field(min_length=1),
    ]


def _value_of_query(value: object) -> str:
    return "@none" if value is None else _list_or_other(value)


def _kind_of_query(value: object) -> str:
    keys = {*value} if isinstance(value, Mapping) else set()
    if isinstance(value, CountShape) or keys == {"count"}:
        return "@count"
    if isinstance(value, Mapping) and keys == {"count", "of"}:  # or two databases of these names
        named = isinstance(value["of"], str) and _NAME.match(value["of"]) is not None
        numbers = isinstance(value["of"], list) == isinstance(value["count"], list)
        return "@table" if numbers and not named else "@count"
    if isinstance(value, WeightsShape) or (isinstance(value, Mapping) and [*value] == ["weights"]):
        return "@weights"
    return "@table" if isinstance(value, Mapping) else "@name"


Query = Annotated[
    Annotated[
        dict[
            StrictStr,
            Annotated[
                Annotated[Row, Tag("@list")]
                | Annotated[None, Tag("@none")]
                | Annotated[Number, Tag("@other")],
                Discriminator(_value_of_query),
            ],
        ],
        Tag("@table"),
    ]
    | Annotated[CountShape, Tag("@count")]
    | Annotated[WeightsShape, Tag("@weights")]
    | Annotated[Literal["sum", "mean", "histogram"], Tag("@name")],
    Discriminator(_kind_of_query),
]


def _read_entry(value: object) -> Fraction | str:
    """Read a number; a text that is none is left to who knows the parameters."""
    try:
        return _read_number(value)
    except PydanticCustomError:
        if isinstance(value, str) and _NAME.search(value):
            return value
        raise


Entry = Annotated[
    Fraction | str,
    PlainValidator(_read_entry),
    WithJsonSchema(
        {
            "description": 'an exact number, or a polynomial in parameters such as "(1 - p)/2"',
            "anyOf": [{"type": "number"}, {"type": "string"}],
        }
    ),
]
ByName = Annotated[
    Annotated[dict[StrictStr, Entry], Tag("@object")] | Annotated[list[Entry], Tag("@list")],
    Discriminator(lambda value: "@list" if isinstance(value, list) else "@object"),
]


class HiddenMarkovMechanismShape(Shape):
    """A hidden Markov model that starts in a state by the law of the database in `initial`, and
    shows words of `length` symbols, the outputs of the file.

    Rows are lists in the order of the states or symbols, or objects by name with the zeros left
    out. A state without a row in `transition` stays. With `parameters`, the least and the largest
    value of each, probabilities may be polynomials in them.
    """

    states: list[StrictStr]
    initial: dict[StrictStr, ByName]
    transition: dict[StrictStr, ByName] = Field(default_factory=dict)
    emission: dict[StrictStr, ByName]
    length: StrictInt
    parameters: dict[StrictStr, Annotated[Row, Field(min_length=2, max_length=2)]] | None = None


class MechanismFile(Shape):
    """A mechanism, in one of six forms.

    `channel`: for every database a row of probabilities, in the order of the outputs. `local`, for
    sequences of records: for every record the rows of its own channel, in alphabet order; or by the
    name of a record its rows, in the order of its own values, and of all others nothing is shown.
    `show`: these records as they are, by name or number.
    `redaction`: for every record the probabilities that it is replaced by `*`, in alphabet order;
    its outputs are the values and `*`, and need not be named. `query` with `noise`: a number or a
    vector for every database, or the sum, mean or histogram of the records (of the `segment`
    [first, last], counting from 1), and the law of the noise on it, of every database its own if
    it is given by database; then the number may be `round`ed to integers (true) or to a grid, and
    `clamp`ed to [low, high], or shown from a `threshold` on (a database with null has none); with
    `sample` every run draws a sample of the records first. `hidden_markov`: a model whose first
    state depends on the database, and the length of the words of outputs that it shows.
    """

    format: Literal["pufferproof-mechanism/1"]
    outputs: list[StrictStr] | None = None
    channel: dict[StrictStr, Row] | None = None
    local: (
        Annotated[
            Annotated[list[Any], Tag("@list"), _unread_rows(3)]
            | Annotated[dict[StrictStr, Annotated[list[Any], _unread_rows(2)]], Tag("@other")],
            Discriminator(_list_or_other),
        ]
        | None
    ) = None
    show: list[StrictInt | StrictStr] | None = None
    redaction: Annotated[list[Any], _unread_rows(2)] | None = None
    query: Query | None = None
    noise: NoiseShapes | None = None
    round: StrictBool | Number | None = None
    clamp: Annotated[list[Number], Field(min_length=2, max_length=2)] | None = None
    threshold: Number | None = None
    segment: Annotated[list[StrictInt], Field(min_length=2, max_length=2)] | None = None
    sample: SampleShape | None = None
    hidden_markov: HiddenMarkovMechanismShape | None = None

    @property
    def builtin(self) -> bool:
        """Whether the query is one of records, not a table: a table has two databases or more, as
        two secrets do, so that `{"count": VALUE}` is none.
        """
        return isinstance(self.query, str | CountShape)

    @property
    def of_chosen(self) -> bool:
        """Whether it shows something of chosen records alone."""
        return self.show is not None or isinstance(self.local, Mapping)

    @model_validator(mode="after")
    def _one_form(self) -> "MechanismFile":
        given = [name for name in MECHANISM_FORMS if getattr(self, name) is not None]
        if (self.query is None) != (self.noise is None):
            alone = "noise" if self.query is None else "query"
            raise _wrong(f'expected "query" and "noise" together, found "{alone}" alone')
        if len(given) != 1:
            names = preview(given, 20) or "none"
            raise _wrong(f"expected one of {preview(MECHANISM_FORMS, 20)}, found {names}")
        if self.segment is not None and not self.builtin:
            raise _wrong(
                '"segment" goes with a "query" that is one of "sum", "mean", "histogram", or '
                '{"count": VALUE}'
            )
        if self.sample is not None and not self.builtin:
            raise _wrong('"sample" goes with a "query" that is "sum" or {"count": VALUE}')
        done = [key for key in ("round", "clamp", "threshold") if getattr(self, key) is not None]
        if self.sample is not None and done:
            raise _wrong(f'"sample" goes with noise that is shown as it is: leave out "{done[0]}"')
        for name in ("round", "clamp", "threshold"):
            if getattr(self, name) is not None and self.query is None:
                raise _wrong(f'"{name}" goes with "query" and "noise"')
        if self.threshold is None and isinstance(self.query, dict):
            missing = next((x for x, value in self.query.items() if value is None), None)
            if missing is not None:
                raise _wrong(
                    f'"query" has null for "{missing}", a database without the key: it goes with '
                    '"threshold"'
                )
        if self.query is not None and self.outputs is not None:
            raise _wrong('a query with noise has numbers as outputs: leave out "outputs"')
        if self.show is not None and self.outputs is not None:
            raise _wrong('"show" has the values of records as outputs: leave out "outputs"')
        by_record = None if self.of_chosen else self.local
        if self.outputs is None and any((self.channel, by_record, self.hidden_markov)):
            raise _wrong('missing key "outputs"')
        return self


class PlanShape(Shape):
    """A part of a plan, all of whose releases are of one database: keys that ask for a fresh sample
    are refused by name.
    """

    @model_validator(mode="before")
    @classmethod
    def _drawn_once(cls, given: Any) -> Any:
        for key, value in given.items() if isinstance(given, Mapping) else ():
            asks = value == "fresh" or _FRESH.search(str(key)) is not None
            if asks and key not in cls.model_fields:
                raise _wrong(
                    f"{quoted(key)} asks for a fresh sample for every release, which is not "
                    "supported: the database, with any sample that the prior draws, is drawn once, "
                    "and all releases share it; leave the key out"
                )
        return given


_FRESH = re.compile("fresh|sampl|redraw", re.IGNORECASE)


class WindowsShape(PlanShape):
    """Windows of `length` records, `every` so many records, `times` of them; the first begins at
    record `first`.
    """

    first: StrictInt = 1
    length: StrictInt | None = None
    every: StrictInt | None = None
    times: StrictInt = 1


class PlannedShape(PlanShape):
    """What is released with fresh draws, of all records once, or of windows of them: a query with
    noise, or a `mechanism`, a file or `module:function`, of the records of a window.
    """

    query: (
        Annotated[
            Annotated[CountShape, Tag("@count")]
            | Annotated[Literal["sum", "mean", "histogram"], Tag("@name")],
            Discriminator(_kind_of_query),
        ]
        | None
    ) = None
    noise: NoiseShape | None = None
    mechanism: StrictStr | None = None
    records: WindowsShape | None = None

    @model_validator(mode="after")
    def _query_or_mechanism(self) -> "PlannedShape":
        if (self.query is None) == (self.mechanism is None):
            raise _wrong('expected either "query" with "noise", or "mechanism"')
        if (self.query is None) != (self.noise is None):
            raise _wrong('"query" and "noise" go together: expected both, or "mechanism" alone')
        return self


class DataShape(PlanShape):
    """Recorded data from which the chain is fitted: a column of a CSV or Parquet file, a sequence
    for every value of `group`; `cuts` are limits between classes of a number, `length` how many
    records are released, as many as the longest sequence has if left out, and of how many `people`;
    `private` are the records that are secret, all if left out; `confidence` such as "95%" asks for
    a box of chains; `smoothing` is added to every count; `time` names a column of times, which must
    go forward in equal steps, unless `missing` is "split", and `absorbing` the values that nothing
    can follow. `stopping` says how recordings ended, `kinds` which priors hold all groups.
    `classes` are as many of about equal size, or those between limits, named by them; `separator`
    and `decimal` say how text is read, `sheet` which sheet of a workbook.
    """

    csv: StrictStr
    column: StrictStr | None = None
    group: StrictStr | None = None
    cuts: list[Number] | None = None
    classes: StrictInt | StrictStr | list[Number] | None = None
    missing: Literal["refuse", "split"] = "refuse"
    separator: StrictStr | None = None
    decimal: Literal[".", ","] = "."
    sheet: StrictStr | None = None
    length: Annotated[StrictInt, Field(ge=1, le=MOST_PLANNED)] | None = None
    people: People = 1
    private: Annotated[list[StrictInt], Field(min_length=1)] | None = None
    confidence: StrictStr | None = None
    stopping: Literal["fixed", "any"] | None = None
    kinds: StrictInt | StrictStr = "pooled"
    smoothing: Number = Fraction(0)
    time: StrictStr | None = None
    absorbing: list[StrictStr] = Field(default_factory=list)


class PlanFile(PlanShape):
    """Releases over time: the framework, in a file beside this one, or data that it is fitted to;
    what is released; and the level that all releases together should keep.
    """

    format: Literal["pufferproof-release/1"]
    framework: StrictStr | None = None
    data: DataShape | None = None
    budget: StrictStr | None = None
    release: Annotated[list[PlannedShape], Field(min_length=1)]

    @model_validator(mode="after")
    def _framework_or_data(self) -> "PlanFile":
        if (self.framework is None) == (self.data is None):
            raise _wrong('expected either "framework" or "data"')
        return self


class BlockChainShape(Shape):
    """A Markov chain of blocks: the law of the first one, or "stationary", and the transitions."""

    initial: Annotated[
        Annotated[Literal["stationary"], Tag("@other")] | Annotated[Row, Tag("@list")],
        Discriminator(_list_or_other),
    ]
    transition: list[Row]


class BlockLawShape(Shape):
    """Blocks of a stream over `values`: independent with one `law`, or a `markov` chain."""

    values: Annotated[list[StrictStr], Field(min_length=1)]
    law: Row | None = None
    markov: BlockChainShape | None = None

    @model_validator(mode="after")
    def _law_or_chain(self) -> "BlockLawShape":
        if (self.law is None) == (self.markov is None):
            raise _wrong('expected either "law" or "markov"')
        return self


class WindowMechanismShape(Shape):
    """A row of probabilities for every window, labelled like records, the oldest block first."""

    outputs: list[StrictStr]
    channel: dict[StrictStr, Row]


class ScrubShape(Shape):
    """For every value the law of what replaces the oldest block of a window."""

    oldest: list[Row]


class StreamFile(Shape):
    """Releases over a sliding window of a stream: the blocks, how many a window holds, a mechanism
    that runs on every window, what replaces the oldest block, how that is drawn, and how many steps
    there are.
    """

    format: Literal["pufferproof-stream/1"]
    blocks: BlockLawShape
    window: Annotated[StrictInt, Field(ge=1)]
    mechanism: WindowMechanismShape
    alt: ScrubShape
    draws: Literal["each-step", "once", "common"] = "each-step"
    steps: Annotated[StrictInt, Field(ge=1)]


class LossFile(Shape):
    """A loss: for every database what each output costs; smaller is better, negative numbers
    are gains.
    """

    format: Literal["pufferproof-loss/1"]
    outputs: list[StrictStr]
    loss: dict[StrictStr, Row]


class KernelShape(Shape):
    """A kernel from the law of the database given `pair[0]` to that given `pair[1]`, under
    `prior`: rows that sum to 1.
    """

    prior: StrictStr
    pair: Annotated[list[StrictStr], Field(min_length=2, max_length=2)]
    beta: dict[StrictStr, dict[StrictStr, Number]]


class KernelsFile(Shape):
    """Kernels for a composing condition, one for every prior and ordered pair of secrets."""

    format: Literal["pufferproof-kernels/1"]
    kernels: list[KernelShape]


def _one_of(known: Sequence[str], value: object) -> str:
    """Return the error for what is no object with one of the known keys alone."""
    said = f"expected one of {preview(known, 20)}"
    if not isinstance(value, Mapping):
        return f"{said}, found {shown(value)}"
    hint = did_you_mean(next(iter(value)), known) if len(value) == 1 else ""
    return f"{said}, found {preview(list(value)) or 'none'}{hint}"


def _wrong(what: str) -> PydanticCustomError:
    return PydanticCustomError("shape", "{what}", {"what": what})
