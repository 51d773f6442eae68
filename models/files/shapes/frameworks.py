"""The framework file: databases or records, secrets, pairs or neighbours, and priors."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BeforeValidator, Discriminator, Field, StrictInt, StrictStr, Tag, WithJsonSchema, model_validator

from pufferproof.models.errors import ModelError, extras, within
from pufferproof.models.files.reading import in_file
from pufferproof.models.files.shapes.objects import (
    Number,
    People,
    PointSecret,
    RecordSecret,
    RecordsShape,
    Row,
    Shape,
    WindowSecret,
    kind_of_secret,
    list_or_other,
    wrong,
)
from pufferproof.models.files.shapes.priors import (
    BayesNetPrior,
    ContactsPrior,
    GaussianPrior,
    MarkovPrior,
    Prior,
    linear_network_in,
)
from pufferproof.models.priors.definitions.definition import LeveledPair, Neighbours, metric_pairs
from pufferproof.models.priors.records import Records

_BESIDE = ("secrets", "pairs")  # what neighbours stand for


PairShape = Annotated[
    list[StrictStr],
    Field(min_length=2, max_length=3),
    BeforeValidator(  # a number of nats may be the third entry
        lambda value: (
            [*value[:2], str(value[2])]
            if isinstance(value, list) and len(value) == 3 and type(value[2]) is int
            else value
        )
    ),
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
        Annotated[Annotated[Row, Tag("@list")] | Annotated[Number, Tag("@other")], Discriminator(list_or_other)],
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
                raise wrong(f"{error.where.removeprefix('neighbours.')}: {error.what}") from None
        return value

    def of(self) -> Neighbours:
        """Return the relation."""
        return Neighbours(self.relation, self.changes)


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
            Discriminator(kind_of_secret),
        ],
    ] = Field(default_factory=dict)
    pairs: Annotated[
        Annotated[list[PairShape], Tag("@list")] | Annotated[Literal["disjoint"], Tag("@other")],
        Discriminator(list_or_other),
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
            raise wrong(f'metric: expected none beside "{min(beside)}": it has levels of all pairs')
        if self.metric is not None:
            given = given | {"pairs"}
        if "secrets" in given and not self.secrets:
            raise wrong("secrets: expected at least one secret, found none")
        if self.neighbours is None:
            missing = next((key for key in (*_BESIDE, "priors") if key not in given), None)
            if missing is not None:
                raise wrong(f'missing key "{missing}"')
        elif twice := next((key for key in _BESIDE if key in given), None):
            raise wrong(f'{twice}: expected none beside "neighbours": every database is its own secret')
        return self

    @model_validator(mode="after")
    def _one_database_space(self) -> "FrameworkFile":
        if (self.databases is None) == (self.records is None):
            raise wrong('expected either "databases" or "records"')
        if self.neighbours is not None and (self.people > 1 or self.gaussian):
            raise wrong("neighbours: need one person's databases or records that have values")
        leveled = not isinstance(self.pairs, str) and any(len(pair) > 2 for pair in self.pairs)
        if self.gaussian and (leveled or self.metric is not None):
            raise wrong("pairs: levels of pairs need databases or records that have values")
        if self.people > 1 and (self.records is None or self.gaussian):
            raise wrong('people: several need "records" that have an "alphabet"')
        return self

    @property
    def gaussian(self) -> bool:
        """Whether records are numbers, with gaussian priors."""
        return any(isinstance(prior, GaussianPrior) for prior in self.priors.values())

    @property
    def pointwise(self) -> bool:
        """Whether priors are gaussian and not truncated."""
        return any(isinstance(prior, GaussianPrior) and prior.gaussian.box is None for prior in self.priors.values())

    @model_validator(mode="after")
    def _numbers_or_values(self) -> "FrameworkFile":
        if not self.gaussian:
            for name, secret in self.secrets.items():
                if isinstance(secret, WindowSecret | PointSecret):
                    key = "between" if isinstance(secret, WindowSecret) else "at"
                    raise wrong(f'secrets.{name}: "{key}" needs "gaussian" priors')
            if self.records and self.records.source is None:
                if "alphabet" not in self.records.model_fields_set:
                    raise wrong('records: missing key "alphabet"')
                self._hold()
            return self
        others = [name for name, it in self.priors.items() if not isinstance(it, GaussianPrior)]
        if others:
            raise wrong(f'priors.{others[0]}: beside a "gaussian" prior, expected another one')
        if self.records is None or not self.records.model_fields_set <= {"count", "names", "source"}:
            raise wrong(
                'records of a "gaussian" prior are numbers: expected {"count": n}, {"names": [..]} or {"from": FILE}'
            )
        return self._of_numbers()

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
            with extras:
                from pufferproof.models.priors.networks.formats import network_in
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
                with within(f"priors.{name}"):
                    prior.bayes_net.rename(records)

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
                raise wrong(f'priors.{name}: expected all priors with "box", or none')
        for name, secret in self.secrets.items():
            if not isinstance(secret, expected):
                raise wrong(f'secrets.{name}: under a "gaussian" prior {said}')
        return self
