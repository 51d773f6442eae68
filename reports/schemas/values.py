"""What several commands print: numbers, leakages, witnesses, the claims that an answer rests on,
and the hashes of what was read.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify import decision

Ratio = Annotated[str, Field(pattern=r"^[0-9]+(/[0-9]+)?$", description="an exact rational in lowest terms")]
Bound = Annotated[str, Field(description='a decimal, or "inf" or "-inf"')]
Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]

NormalizedPriors = Annotated[list[str], Field(min_length=1)] | None  # divided by the sums of rows


ClaimVerdict = Literal["PROVED", "DERIVED", "CHECKED", "TRIED", "REFUTED", "DEPENDS", "OPEN", "DEFINITION"]


class Output(BaseModel):
    """An object a command prints."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    def as_json(self) -> JsonObject:
        """Return the object that is printed: what was given, in the order of the fields."""
        return self.model_dump(exclude_unset=True)


class Basis(Output):
    """A claim that an answer rests on, with its recorded verdict."""

    claim: str
    verdict: ClaimVerdict


def bases(claims: Iterable[Any]) -> list[Basis]:
    """Return claims, by their ids or as objects, with their verdicts, the weakest basis first."""
    named = (claim.claim if isinstance(claim, Basis) else claim for claim in claims)
    return [Basis.model_validate(basis) for basis in decision.bases(named)]


RestsOn = Annotated[
    list[Basis] | None,
    BeforeValidator(lambda claims: None if claims is None else bases(claims)),
    Field(
        description="the claims that the answer rests on, the weakest basis first: none if it is "
        "enumerated from the definitions or the kernel accepted its certificate"
    ),
]


class Trusted(Output):
    """An answer with `trust`; it rests on no claim where the kernel proved again all it says."""

    @model_validator(mode="before")
    @classmethod
    def _kernel_alone(cls, known: Any) -> Any:
        return known | {"rests_on": []} if known.get("rests_on") and decision.kernel_alone(known) else known


class Enclosure(Output):
    """lower <= value <= upper, as decimal text."""

    lower: Bound
    upper: Bound


class Leakage(Output):
    """`ratio` is e^leakage when it is rational, "inf" when infinite, null when irrational or
    too long; `epsilon` is in nats.
    """

    ratio: Ratio | Literal["inf"] | None
    epsilon: Enclosure


class Mixture(Output):
    """A mixture of the listed priors (closure "convex" only), weights summing to 1."""

    mixture: dict[str, Ratio]


class Member(Output):
    """The chain of a class that a witness speaks of."""

    initial: list[Ratio] | Literal["stationary"]
    transition: list[list[Ratio]]


class NetworkMember(Output):
    """The network of a class that a witness speaks of: parents and rows of every record."""

    parents: dict[str, list[str]]
    cpt: dict[str, dict[str, list[Ratio]]]


class ContactMember(Output):
    """People whose tables are large, of a class that a witness speaks of: the earlier contacts of
    everybody, and what makes the tables.
    """

    parents: dict[str, list[str]]
    transmission: Ratio
    base: Ratio


class Witness(Output):
    """Where the leakage is reached: P(output | pair[0]) against P(output | pair[1])."""

    prior: str | Mixture
    pair: Pair
    output: str
    member: Member | NetworkMember | ContactMember | None = None


Shared = Annotated[str | None, Field(description="what several releases share; null of a single one")]


class JointWitness(Output):
    """Where a joint leakage is reached: one output per release, or several under one pair for a
    delta.
    """

    prior: str | Mixture
    pair: Pair
    outputs: list[str]
    member: Member | NetworkMember | ContactMember | None = None


class NamedFile(Output):
    """A file that an input names: a BIF file, the labels of a matrix, the module of a function."""

    name: str
    sha256: Sha256


NamedFiles = list[NamedFile] | None  # after the files that name them, as in all `inputs`


class FrameworkInput(Output):
    """The SHA-256 of the framework file, and of the files that the inputs name; with such files
    it is that of all hashes.
    """

    framework: Sha256
    files: NamedFiles = None


class AuditInputs(Output):
    """The SHA-256 of the files that were audited."""

    framework: Sha256
    mechanism: Sha256
    files: NamedFiles = None


class Window(Output):
    """A bound of the leakage of noise about `record`, the largest over records and priors: from the
    law of what records `first` to `last` add, whatever the others are.
    """

    prior: str
    record: Annotated[int, Field(gt=0)]
    first: Annotated[int, Field(gt=0)]
    last: Annotated[int, Field(gt=0)]
    bound: Leakage


class Tilted(Output):
    """A bound of the leakage of noise about `record`, the largest over records, pairs and priors:
    the sum of what the record tells itself and of what those before and after it tell, at most.
    """

    prior: str
    pair: Pair
    record: Annotated[int, Field(gt=0)]
    own: Leakage
    before: Leakage
    after: Leakage


class Account(Output):
    """A bound of the joint leakage of noise about `record`, the largest over records and priors:
    `influence` + `spent`.

    `left` and `right` are the distances of the quilt, null for no neighbour on that side; of a
    network `nodes` has its records. `eliminated`: the bound is by elimination, of all
    other records or of those within `nodes`.
    """

    prior: str
    record: Annotated[int, Field(gt=0)]
    left: Annotated[int, Field(gt=0)] | None
    right: Annotated[int, Field(gt=0)] | None
    bound: Leakage
    influence: Leakage
    spent: Leakage
    nodes: list[int] | None = None
    eliminated: bool = False
