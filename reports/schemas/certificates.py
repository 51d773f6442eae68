"""What a certificate says, of every kind."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from pufferproof.models.numbers.text import JsonObject
from pufferproof.reports.schemas.values import Output, Pair, Sha256

Exact = Annotated[str | int | float, Field(description="a number, exactly as it is written")]


class CertificateFramework(Output):
    """A framework with every prior written out."""

    databases: list[str]
    secrets: dict[str, list[str]]
    pairs: list[Pair] | Literal["disjoint"]
    priors: dict[str, dict[str, Exact]]
    closure: Literal["list", "convex"]


class CertificateMechanism(Output):
    """A mechanism's rows, in the order of the outputs."""

    outputs: list[str]
    channel: dict[str, list[Exact]]


class CertificateBounds(Output):
    """Bounds of the probabilities of a mechanism, in the order of the outputs."""

    outputs: list[str]
    bounds: dict[str, list[tuple[Exact, Exact]]]


class CertificateInputs(Output):
    """The SHA-256 of the files the certificate came from, and whose rows were divided by their
    sums.
    """

    framework: Sha256 | None
    mechanisms: list[Sha256 | None]
    normalized: list[bool]


class FrameworkCertificate(Output):
    """A certificate about mechanisms; CERTIFICATES.md has every kind's conditions."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal[
        "leakage-at-most",
        "leakage-witness",
        "joint-leakage-at-most",
        "joint-leakage-witness",
        "delta-at-most",
        "delta-witness",
        "nfc",
        "nfc-violation",
        "rate",
        "worst-at-most",
        "bounded-leakage-at-most",
        "joint-bounded-leakage-at-most",
        "bounded-delta-at-most",
    ]
    framework: CertificateFramework
    mechanisms: list[CertificateMechanism] | list[CertificateBounds]
    inputs: CertificateInputs
    claim: JsonObject


Exponents = list[Annotated[int, Field(ge=0)]]
Polynomial = Annotated[list[tuple[Exact, Exponents]], Field(description="[coefficient, exponents], one per variable")]
Names = list[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]]


class PolynomialRelation(Output):
    """A polynomial compared with 0."""

    polynomial: Polynomial
    relation: Literal[">=", ">", "="]


class ProofTerm(Output):
    """coefficient * product of assumptions to their powers * square^2, with a positive
    coefficient.
    """

    coefficient: Exact
    powers: Exponents
    square: Polynomial | None


class MultiplierTerm(Output):
    """multiplier * product of assumptions to their powers, one of them an equation."""

    multiplier: Polynomial
    powers: Exponents


class PolynomialClaim(Output):
    """Assumptions imply a conclusion for all reals; null: they contradict each other."""

    variables: Names
    assumptions: list[PolynomialRelation]
    conclusion: PolynomialRelation | None
    proof: list[ProofTerm | MultiplierTerm]


class ProgramRow(Output):
    """coefficients * x compared with a bound; a variable that is left out has the coefficient 0."""

    coefficients: dict[str, Exact]
    relation: Literal["<=", "=", ">="]
    bound: Exact


class ProgramClaim(Output):
    """The maximum of objective * x under the rows, reached by `primal`, which `dual` proves; x >= 0
    but for the free variables.
    """

    variables: list[str]
    free: list[str]
    objective: dict[str, Exact]
    rows: list[ProgramRow]
    primal: dict[str, Exact]
    dual: list[Exact]
    value: Exact


class ProgramCertificate(Output):
    """The optimum of a linear program."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal["lp-optimum"]
    claim: ProgramClaim


class LinearConclusion(Output):
    """row * x compared with a bound."""

    row: list[Exact]
    bound: Exact
    relation: Literal["<=", "<"]


class FarkasClaim(Output):
    """Rows [coefficients, bound, relation] imply a conclusion for all reals; null: they
    contradict each other.
    """

    variables: Names
    rows: list[tuple[list[Exact], Exact, Literal["<=", "<", "="]]]
    conclusion: LinearConclusion | None
    multipliers: list[Exact]


class ExponentialClaim(Output):
    """lower <= e^exponent <= upper; a bound of null is not claimed."""

    exponent: Exact
    lower: Exact | None
    upper: Exact | None


class LogarithmClaim(Output):
    """lower <= log(log_of) <= upper; a bound of null is not claimed."""

    log_of: Exact
    lower: Exact | None
    upper: Exact | None


class PolynomialCertificate(Output):
    """A polynomial inequality under assumptions."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal["polynomial-inequality"]
    claim: PolynomialClaim


class FarkasCertificate(Output):
    """A consequence of linear inequalities."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal["farkas"]
    claim: FarkasClaim


class ExponentialCertificate(Output):
    """Bounds of an exponential or a logarithm."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal["exp-enclosure"]
    claim: ExponentialClaim | LogarithmClaim


class CertificateChain(Output):
    """P(1 after 0) and P(0 after 1) of a binary chain, and the law of its first record."""

    alpha: Exact
    beta: Exact
    length: int
    initial: Literal["stationary"] | tuple[Exact, Exact]


Precision = Annotated[int | None, Field(description="bits that integers are rounded to, null for exact ones")]
Runs = Annotated[list[tuple[int, Exact, Exact]], Field(description="[count, r(0), r(1)] of equal records in a row")]


class RedactionClaim(Output):
    """The leakage, or that of one output, compared with a level."""

    relation: Literal["<=", "=", ">=", ">"]
    level: dict[str, Exact] | Literal["inf"]
    output: str | None


class RedactionInputs(Output):
    """The SHA-256 of the files the certificate came from."""

    framework: Sha256 | None
    mechanism: Sha256 | None


class RedactionCertificate(Output):
    """What a redaction mechanism leaks about one record of a binary chain."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal["redaction-leakage"]
    chain: CertificateChain
    private: int
    redaction: Runs
    precision: Precision
    inputs: RedactionInputs
    claim: RedactionClaim


class UtilityBounds(Output):
    """What a mechanism releases, and what no mechanism of its class exceeds, if that is claimed."""

    lower: Exact
    upper: Exact | None


class CertifiedDesign(Output):
    """A mechanism within the level; `redaction` of one that sees all records: sequence ->
    output -> probability.
    """

    name: str
    precision: Precision
    redaction: Runs | dict[str, dict[str, Exact]]
    leakage: tuple[Exact, Exact]
    utility: UtilityBounds
    proof: JsonObject | None


class DesignsClaim(Output):
    """Designs within a level."""

    level: dict[str, Exact]
    designs: list[CertifiedDesign]


class DesignsCertificate(Output):
    """What redaction designs leak and release, and bounds of their classes."""

    format: Literal["pufferproof-certificate/1"]
    kind: Literal["redaction-designs"]
    chain: CertificateChain
    private: int
    claim: DesignsClaim


class NoisyRecords(Output):
    """A chain of records, what is secret of them, and what an adversary may believe."""

    records: JsonObject
    secrets: dict[str, JsonObject]
    pairs: list[Pair] | Literal["disjoint"]
    priors: dict[str, JsonObject]
    closure: Literal["list", "convex"]
    people: int = 1


class NoisyRelease(Output):
    """A query of the records, and the noise of one release."""

    query: Literal["sum", "mean", "histogram"] | dict[Literal["count"], str]
    segment: tuple[int, int] | None
    noise: dict[str, dict[str, Exact]]


class NoiseInputs(Output):
    """The SHA-256 of the files the certificate came from."""

    framework: Sha256 | None
    mechanisms: list[Sha256 | None]


class NoiseCertificate(Output):
    """What noise on a query of the records of a Markov chain leaks, or of any chain of a class, or
    its delta at a level.
    """

    format: Literal["pufferproof-certificate/1"]
    kind: Literal[
        "noise-leakage-at-most",
        "noise-leakage-witness",
        "noise-class-at-most",
        "noise-class-witness",
        "noise-delta-at-most",
        "noise-delta-witness",
    ]
    framework: NoisyRecords
    mechanisms: list[NoisyRelease]
    inputs: NoiseInputs
    claim: JsonObject


AnyCertificate = (
    FrameworkCertificate
    | PolynomialCertificate
    | ProgramCertificate
    | FarkasCertificate
    | ExponentialCertificate
    | RedactionCertificate
    | DesignsCertificate
    | NoiseCertificate
)


class Certificate(RootModel[AnyCertificate]):
    """A certificate of any kind; the side conditions are in CERTIFICATES.md."""
