"""Priors in files: tables, networks and contacts, normal laws, chains and classes of them, and how a file tells which
form it has.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    PrivateAttr,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    WithJsonSchema,
    model_validator,
)

from pufferproof.models.errors import ModelError, extras, within
from pufferproof.models.files.reading import document_of, in_file
from pufferproof.models.files.shapes.objects import Later, Number, Row, Shape, keys_of, list_or_other, one_of, wrong
from pufferproof.models.numbers.text import did_you_mean, quoted, shown
from pufferproof.models.priors.bayesian_network import BayesianNetwork
from pufferproof.models.priors.chains import ChangingChain, unlisted
from pufferproof.models.priors.continuous.normal import NO_DATABASES, Normal
from pufferproof.models.priors.continuous.points import NO_DATABASES as NOT_LISTED
from pufferproof.models.priors.laws import Prior as Law
from pufferproof.models.priors.markov import MarkovChain
from pufferproof.models.priors.networks.contacts import BOUNDED, Contacts, edges_in
from pufferproof.models.priors.records import Records, preview
from pufferproof.models.priors.tables import Product, Table
from pufferproof.models.sequences.hidden_mechanism import HiddenMarkovModel

if TYPE_CHECKING:
    from pufferproof.models.priors.continuous.network import LinearGaussianNetwork

# A prior in one of its forms: a table, or independent records.

NORMALIZE = "normalize"  # beside the form of a prior


class PriorShape(Shape):
    """A prior, in one of its forms: the one key beside `normalize`, with which every row is divided
    by its sum, exactly, and answers say so.
    """

    by_records: ClassVar[bool] = False  # its laws are known without a list of the databases
    normalize: StrictBool = False

    @classmethod
    def form(cls) -> str:
        """Return the key of this form."""
        return next(name for name in cls.model_fields if name != NORMALIZE)

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


# Normal laws and linear Gaussian networks as priors, of records that are numbers.


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
            raise wrong('expected one of "squared_exponential" and "exponential"')
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
        Annotated[Annotated[Row, Tag("@list")] | Annotated[Number, Tag("@other")], Discriminator(list_or_other)] | None
    ) = None
    box: Annotated[Row, Field(min_length=2, max_length=2)] | None = None
    network: (
        Annotated[
            Annotated[dict[StrictStr, LinearNodeShape], Tag("@object")] | Annotated[StrictStr, Tag("@name")],
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
        with within("gaussian"):
            if isinstance(self.network, str):
                if self._content is None:
                    raise ModelError("expected a framework that is read from a file", "network")
                with in_file(self.network):
                    network = linear_network_in(self._content)
                return network.joint(self._names)
            from pufferproof.models.priors.continuous.network import LinearGaussianNetwork, LinearNode

            nodes = {}
            for name, node in (self.network or {}).items():
                with within(f"network.{name}"):
                    nodes[name] = LinearNode(node.intercept, node.coefficients, node.variance)
            return LinearGaussianNetwork(nodes).joint(self._names)

    @model_validator(mode="after")
    def _one_covariance(self) -> "GaussianShape":
        ways = (self.kernel, self.covariance, self.ar1, self.network)
        given = [each for each in ways if each is not None]
        if len(given) != 1:
            raise wrong('expected one of "kernel", "covariance", "ar1" and "network"')
        if self.network is not None and (self.box is not None or self.mean is not None):
            beside = "mean" if self.box is None else "box"
            raise wrong(f'"{beside}" cannot be combined with "network"')
        if self.box is not None and self.ar1 is not None:
            raise wrong('"ar1" cannot be combined with "box": expected "kernel" or "covariance"')
        if self.box is not None and self.kernel is not None and self.kernel.exponential:
            raise wrong('kernel "exponential" cannot be combined with "box": expected "squared_exponential"')
        if self.box is not None and self.mean is not None:
            raise wrong('"mean" cannot be combined with "box": truncated laws have mean 0')
        return self


class GaussianPrior(PriorShape):
    """A normal law over records that are numbers: with a box for `influence --curve`, without one
    for noise on linear queries.
    """

    gaussian: GaussianShape

    def prior(self, normalize: bool) -> Law:
        raise ModelError(NO_DATABASES if self.gaussian.box is not None else NOT_LISTED)


def linear_network_in(content: bytes) -> "LinearGaussianNetwork":
    """Return the linear Gaussian network that a JSON file holds."""
    from pufferproof.models.priors.continuous.network import JSON_FORM, network_in_document

    if not content.lstrip().startswith(b"{"):
        raise ModelError(JSON_FORM)
    return network_in_document(document_of("", content))


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
        edges: Sequence[object] = self.edges
        if isinstance(self.edges, str):
            if self._content is None:
                said = "expected a framework that is read from a file, in whose folder this one is"
                raise ModelError(said, "contacts.edges")
            try:
                edges = edges_in(self._content.decode("utf-8-sig"))
            except UnicodeDecodeError as error:
                said = f"expected UTF-8 text: {error.reason} at position {error.start}"
                raise ModelError(said, "contacts.edges") from None
            except ModelError as error:
                raise error.at(f"contacts.edges: {self.edges}: {error.where}") from None
        try:
            return Contacts(count, edges, self.transmission, self.base, values)
        except ModelError as error:
            raise error.at(f"contacts.{error.where}") from None


class ContactsPrior(PriorShape):
    """People who infect those they meet."""

    by_records = True
    contacts: ContactsShape

    def prior(self, normalize: bool) -> Law:
        if self.contacts.bounded:
            raise unlisted("an interval of transmissions", BOUNDED)
        contacts = self.contacts.contacts()
        return contacts.at(contacts.lower)


# Markov chains, classes of them, and hidden Markov models as priors.

_CLASSES = "not supported here: expected one law, found {}"
_FROM_A_LAW = (
    'expected a list of probabilities beside "transitions", found "{}": a chain that changes with '
    "time has no stationary law"
)
_GAP = ("pi_min", "eigengap", "reversible")  # of a class of chains


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
        Discriminator(list_or_other),
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
            bounds = [name for name in ("transition_lower", "transition_upper") if value.get(name) is not None]
            if any(value.get(name) is not None for name in _GAP):
                return _expect_gap(value)
            if value.get("class", "homogeneous") != "homogeneous":
                _expect_changing(value, bounds)
            ways = ("transition", "transitions")
            if _is_one_matrix(value.get("transitions")):
                said = '"transitions" has a matrix for every record but the first, of a chain that'
                raise wrong(f'{said} changes, found one matrix: did you mean "transition"?')
            given = [*(name for name in ways if value.get(name) is not None), *bounds]
            if len(given) > 1 and given != bounds:
                raise wrong(f'expected "{given[0]}" or "{given[1]}", found both')
            if len(bounds) == 1:
                raise wrong(f'expected "transition_lower" and "transition_upper" together, found "{bounds[0]}" alone')
            if not given and not value.keys() - keys_of(cls):
                raise wrong('missing key "transition"')
        return value


def _is_one_matrix(value: object) -> bool:
    """Whether a value is a list of rows of numbers, where a list of matrices is expected."""
    rows = value if isinstance(value, list) else []
    is_row = [isinstance(row, list) and not any(isinstance(x, list) for x in row) for row in rows]
    return bool(is_row) and all(is_row)


def _expect_changing(value: Mapping[str, object], bounds: Sequence[str]) -> None:
    """Raise an error unless chains that change with time have bounds, and no stationary law."""
    kind = value["class"]
    if not bounds:
        raise wrong(f'expected "transition_lower" and "transition_upper" beside "{kind}"')
    if value.get("initial") == "stationary":
        raise wrong(f'expected a law or "any" beside "{kind}", found "stationary"')


def _expect_gap(value: Mapping[str, object]) -> Mapping[str, object]:
    """Raise an error unless a class is told by its eigengap alone."""
    given = [name for name in value if value[name] is not None]
    if missing := [name for name in _GAP[:2] if name not in given]:
        raise wrong(f'expected "pi_min" and "eigengap" together, found no "{missing[0]}"')
    others = [name for name in given if name not in ("initial", *_GAP)]
    if others:
        raise wrong(f'expected "{others[0]}" or "eigengap", found both')
    if value.get("initial", "stationary") != "stationary":
        raise wrong(f'expected "initial": "stationary" beside "eigengap", found {shown(value["initial"])}')
    return value


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


class HiddenMarkovShape(Shape):
    """A hidden Markov model whose symbols are the records: hidden states with transitions, and
    what each of them shows.
    """

    initial: Annotated[
        Annotated[Row, Tag("@list")] | Annotated[Literal["stationary"], Tag("@other")], Discriminator(list_or_other)
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


# Every form of a prior, and how a file tells which it has.

_SHAPES: tuple[type[PriorShape], ...] = (
    TablePrior,
    ProductPrior,
    MarkovPrior,
    BayesNetPrior,
    ContactsPrior,
    HiddenMarkovPrior,
    GaussianPrior,
)
PRIOR_FORMS = {shape.form(): shape for shape in _SHAPES}


def _known_prior(value: object) -> object:
    kinds = [key for key in value if key != NORMALIZE] if isinstance(value, Mapping) else []
    if len(kinds) > 1 and "transition" in kinds:
        raise wrong(f'expected {{"markov": {{..}}}} around {preview(kinds)}')
    if len(kinds) != 1:
        raise wrong(one_of(list(PRIOR_FORMS), value))
    (kind,) = kinds
    if kind not in PRIOR_FORMS:
        forms = preview(list(PRIOR_FORMS), 20)
        hint = did_you_mean(kind, PRIOR_FORMS) or f", expected one of {forms}"
        raise wrong(f"unknown key {quoted(kind)}{hint}")
    return value


if TYPE_CHECKING:
    Prior = PriorShape
else:
    Prior = Annotated[
        Annotated[
            reduce(or_, (Annotated[shape, Later, Tag(f"@{form}")] for form, shape in PRIOR_FORMS.items())),
            Discriminator(lambda value: f"@{next(key for key in value if key != NORMALIZE)}"),
        ],
        BeforeValidator(_known_prior),
    ]
