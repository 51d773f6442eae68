"""JSON Schemas of every file people write and every object the commands print, generated from
typed models.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from pufferproof.models.errors import ModelError
from pufferproof.models.files.shapes import FrameworkFile, KernelsFile, LossFile, MechanismFile

Ratio = Annotated[
    str, Field(pattern=r"^[0-9]+(/[0-9]+)?$", description="an exact rational in lowest terms")
]
Bound = Annotated[str, Field(description='a decimal, or "inf" or "-inf"')]
Sha256 = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class Output(BaseModel):
    """An object a command prints."""

    model_config = ConfigDict(extra="forbid")


class FrameworkOutput(Output):
    """What a command prints about a framework; `normalized_priors` were divided by the sums of
    their rows.
    """

    normalized_priors: Annotated[list[str], Field(min_length=1)] | None = None


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


class Witness(Output):
    """Where the leakage is reached: P(output | pair[0]) against P(output | pair[1])."""

    prior: str | Mixture
    pair: Pair
    output: str


class JointWitness(Output):
    """Where a joint leakage is reached: one output per release, or several under one pair for a
    delta.
    """

    prior: str | Mixture
    pair: Pair
    outputs: list[str]


class Delta(Output):
    """The smallest delta at the level asked for; `ratio` is null when it is irrational."""

    ratio: Ratio | None
    lower: Bound
    upper: Bound
    witness: JointWitness


class TableRow(Output):
    """The leakage at one output; ratio, epsilon and posterior odds are null where the output
    cannot occur.
    """

    prior: str
    pair: Pair
    output: str
    p_left: Ratio
    p_right: Ratio
    ratio: Ratio | Literal["inf"] | None
    epsilon: Enclosure | None
    prior_odds: Ratio
    posterior_odds: Ratio | Literal["inf"] | None


class NamedFile(Output):
    """A file that an input names: a BIF file, the labels of a matrix, the module of a function."""

    name: str
    sha256: Sha256


class FrameworkInput(Output):
    """The SHA-256 of the framework file, and of the files that the inputs name; with such files
    it is that of all hashes.
    """

    framework: Sha256
    files: list[NamedFile] | None = None


class AuditInputs(FrameworkInput):
    """The SHA-256 of the files that were audited."""

    mechanism: Sha256


class ComposeInputs(FrameworkInput):
    """The SHA-256 of the files that were composed."""

    mechanisms: list[Sha256]


class Account(Output):
    """A bound of the joint leakage of noise about `record`, the largest over records and priors:
    `influence` + `spent`.

    `left` and `right` are the distances of the quilt, null for no neighbour on that side.
    """

    prior: str
    record: Annotated[int, Field(gt=0)]
    left: Annotated[int, Field(gt=0)] | None
    right: Annotated[int, Field(gt=0)] | None
    bound: Leakage
    influence: Leakage
    spent: Leakage


class Audit(FrameworkOutput):
    """What `pufferproof audit --json` prints; `checked` is null beyond 2^53 inequalities, which
    were then not listed.
    """

    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    leakage: Leakage
    witness: Witness
    excluded: int
    never_checked: list[Pair]
    checked: Annotated[int, Field(gt=0)] | None
    trust: list[str]
    inputs: AuditInputs
    delta: Delta | None = None
    normalized: bool = False
    table: list[TableRow] | None = None
    certificate: str | None = None
    bound: Annotated[
        Account | None,
        Field(description="noise too large to compute: the bound from above; `checked` is null"),
    ] = None


class Claimed(Output):
    """A level claimed for a mechanism, and whether one release keeps it."""

    level: str
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]


class RatePlace(Output):
    """A database of the first secret, compared with those of the second; two priors for a limit
    of their mixtures.
    """

    prior: str | Pair
    pair: Pair
    database: str


class OutputWeight(Output):
    """The proportion in which an output is collected; `mechanism` counts from 0."""

    mechanism: int
    output: str
    weight: Ratio


class OutputTimes(Output):
    """How often an output occurs; `mechanism` counts from 0."""

    mechanism: int
    output: str
    times: Annotated[int, Field(gt=0)]


class Breaking(Output):
    """Runs whose joint leakage exceeds the sum of their levels (nats); `minimum`: all fewer
    runs were tried.
    """

    runs: Annotated[int, Field(gt=0)]
    minimum: bool
    prior: str
    pair: Pair
    outputs: list[OutputTimes]
    leakage: Leakage
    levels: Enclosure


class NfC(Output):
    """The necessary condition for composition at the claimed levels; where it fails, `alpha`
    and runs that break it.
    """

    answer: Literal["HOLDS", "FAILS", "UNDECIDED"]
    levels: list[str]
    place: RatePlace | None = None
    alpha: list[OutputWeight] | None = None
    excess: Enclosure | None = None
    breaking: Breaking | None = None


class Compose(FrameworkOutput):
    """What `pufferproof compose --json` prints; `single` has one entry per mechanism, each released
    `runs` times.

    `checked` is null beyond 2^53 inequalities. Where the joint leakage of noise is too large to
    compute, it is null with what belongs to it.
    """

    single: list[Leakage | None]
    joint: Leakage | None
    additive: bool | None
    runs: Annotated[int, Field(gt=0)]
    witness: JointWitness | None
    excluded: int | None
    never_checked: list[Pair]
    checked: Annotated[int, Field(gt=0)] | None
    trust: list[str]
    inputs: ComposeInputs
    rate: Annotated[list[Enclosure] | None, Field(description="nats a run, one per mechanism")] = (
        None
    )
    claimed: list[Claimed] | None = None
    nfc: NfC | None = None
    certificate: str | None = None
    sum: Annotated[
        Leakage | None, Field(description="of the single leakages of all releases; noise only")
    ] = None
    account: Annotated[
        Account | None, Field(description="noise only; null where the accountant does not apply")
    ] = None


class RevealRow(Output):
    """How soon something is certain when the database is drawn from a prior given one secret of a
    pair.

    `curve[k]` is the probability that it is certain at or before run k, for k = 0 .. runs; `never`
    that it never is.
    """

    prior: str
    pair: Pair
    given: str
    goal: Literal["secret", "database"]
    expected: Ratio | Literal["inf"]
    never: Ratio
    curve: list[Ratio]


class Reveal(FrameworkOutput):
    """What `pufferproof reveal --json` prints."""

    reveal: list[RevealRow]
    runs: Annotated[int, Field(ge=0)]
    trust: list[str]
    inputs: AuditInputs


class Partner(FrameworkOutput):
    """What `pufferproof partner --json` prints: `single` of the mechanism, `own` of the partner,
    `joint` of both.

    `joint` is exact, or for an irrational budget an enclosure of the worst case, its lower bound
    the partner's.
    """

    single: Leakage
    own: Leakage
    joint: Leakage
    witness: JointWitness
    budget: str
    per_record_dp: str | None
    decided: bool
    excluded: int
    never_checked: list[Pair]
    programs: Annotated[int, Field(ge=0)]
    trust: list[str]
    partner: str
    certificate: str | None
    inputs: AuditInputs


class WorstBounds(Output):
    """Certified bounds of a worst ratio that was not decided."""

    lower: Ratio
    upper: Ratio | Literal["inf"]


class Worst(FrameworkOutput):
    """What `pufferproof worst --json` prints: the most that any mechanisms within the budgets leak
    together.

    `joint` is exact, or an enclosure for irrational levels; the certified interval, as `bounds` is,
    where `decided` is false.
    """

    joint: Leakage
    decided: bool
    bounds: WorstBounds | None
    finite: bool | None
    finite_for_all_runs: bool | None
    collapse_number: Annotated[int, Field(ge=2)] | None
    budgets: list[str]
    per_record_dp: str | None
    single: list[Leakage]
    witness: JointWitness
    method: Literal["closed form", "linear program", "supports", "extreme rays", "bounds"]
    rays: list[int] | None
    excluded: int
    never_checked: list[Pair]
    trust: list[str]
    mechanisms: list[str] | None
    certificate: str | None
    certifies: Literal["worst case", "upper bound", "joint leakage of the mechanisms"] | None
    inputs: FrameworkInput


class CollapseWitness(Output):
    """The joint output, one per release, and a database of pair[0] that allows it while none of
    pair[1] does.

    With `--above` there need not be such a database: it is null.
    """

    prior: str
    pair: Pair
    outputs: list[str]
    database: str | None


class ColumnBound(Output):
    """u(column) <= the sum of at_most[y] u(y), for the column u of every output within the
    budget.
    """

    column: str
    at_most: dict[str, Ratio]


class CollapseInputs(FrameworkInput):
    """The SHA-256 of the files that were read."""

    mechanism: Sha256 | None


class Collapse(FrameworkOutput):
    """What `pufferproof collapse --json` prints: `found` is null when undecided, false when proved
    impossible.

    `mechanisms` has one file per release that was built; `searched` says what a verdict other than
    true speaks of. `above` is the level to be exceeded, null when everything is to leak.
    """

    found: bool | None
    above: str | None
    runs: Annotated[int, Field(gt=0)] | None
    joint: Leakage | None
    mechanisms: list[str]
    certificate: str | None
    witness: CollapseWitness | None
    fewest: bool | None
    smallest: list[Literal["outputs", "rows", "denominator", "sum", "entries"]] | None
    searched: str | None
    bounds: list[ColumnBound]
    given: Leakage | None
    trust: list[str]
    inputs: CollapseInputs


class ExpectedLoss(Output):
    """An expected loss: `value` exactly, or null beside its bounds."""

    value: Annotated[str, Field(pattern=r"^-?[0-9]+(/[0-9]+)?$")] | None
    lower: Bound
    upper: Bound


class Composing(Output):
    """A condition that was asked for: K runs leak at most K times the level plus log(constant)."""

    condition: Literal["coupling", "nfc", "one-hot"]
    constant: Ratio


class Compared(Output):
    """A mechanism against the best one: `gap` is what the best saves (negative only if the
    level is violated).
    """

    verdict: Literal["SATISFIES", "VIOLATES"]
    leakage: Leakage
    loss: ExpectedLoss
    gap: ExpectedLoss


class OptimalInputs(FrameworkInput):
    """The SHA-256 of the files read."""

    loss: Sha256
    mechanism: Sha256 | None = None
    kernels: Sha256 | None = None


class Optimal(FrameworkOutput):
    """What `pufferproof optimal --json` prints; `loss` is the least expected loss, its upper
    bound that of the file written.
    """

    level: str
    per_record_dp: str | None
    prior: str | None
    loss: ExpectedLoss
    leakage: Leakage
    compose: Composing | None
    compare: Compared | None
    mechanism: str
    certificate: str | None
    trust: list[str]
    inputs: OptimalInputs


class Condition(Output):
    """A condition, the smallest level at which it is met ("inf": none), and what it says of K runs:
    constant * e^(K level).

    `beta` has for every entry of `laws` a kernel that shows it: database -> database of the other
    secret -> weight.
    """

    name: Literal["promise", "transport", "coupling", "one-hot", "nfc"]
    level: Leakage
    composes: Literal["exactly", "up to a constant", "not"]
    constant: Ratio | None
    survives_post_processing: Literal[True]
    holds: Literal["HOLDS", "FAILS", "UNDECIDED"] | None
    beta: list[dict[str, dict[str, Ratio]]]


class Law(Output):
    """The laws of the database given the two secrets of an ordered pair under a prior."""

    prior: str
    pair: Pair


class RunsBudget(Output):
    """What the conditions bound the leakage of `runs` runs by, in nats, and which of them does."""

    runs: Annotated[int, Field(gt=0)]
    condition: Literal["promise", "nfc", "one-hot", "coupling", "transport"] | None
    at_most: Bound


class Conditions(FrameworkOutput):
    """What `pufferproof conditions --json` prints."""

    level: str | None
    conditions: list[Condition]
    laws: list[Law]
    rate: Enclosure
    weakest: Literal["nfc", "one-hot", "coupling", "transport"] | None
    weakest_exact: Literal["coupling", "transport"] | None
    budget: RunsBudget | None
    excluded: int
    never_checked: list[Pair]
    trust: list[str]
    inputs: AuditInputs


class Critical(FrameworkOutput):
    """What `pufferproof critical --json` prints: `collapses` is false when no budget lets these
    releases leak everything.

    The threshold of e^epsilon is in [`lower`, `upper`]; `exact`: it is `value`^(1/`power`).
    `attained`: is there a collapse at that number (then it is the threshold); false: none at it or
    below; null: not decided.
    """

    runs: int | None
    collapses: bool | None
    lower: Ratio | None
    upper: Ratio | None
    epsilon: Enclosure | None
    power: Literal[1, 2] | None
    value: Ratio | None
    exact: bool | None
    attained: bool | None
    trust: list[str]
    inputs: FrameworkInput


class Check(Output):
    """What `pufferproof check --json` prints."""

    accepted: bool
    kind: str | None
    statement: str | None
    checked: int
    inputs: str
    reason: str | None


class LedgerEntry(Output):
    """A published mechanism: the epsilon it claims against the exact one."""

    example: str
    framework: str
    mechanism: str
    source: str
    claimed: str
    leakage: Leakage
    verdict: Literal["SATISFIES", "VIOLATES"]
    witness: Witness


class Ledger(Output):
    """What `pufferproof ledger --json` prints."""

    ledger: list[LedgerEntry]


class CertificateFramework(Output):
    """A framework with every prior written out."""

    databases: list[str]
    secrets: dict[str, list[str]]
    pairs: list[Pair] | Literal["disjoint"]
    priors: dict[str, dict[str, str | int]]
    closure: Literal["list", "convex"]


class CertificateMechanism(Output):
    """A mechanism's rows, in the order of the outputs."""

    outputs: list[str]
    channel: dict[str, list[str | int]]


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
    ]
    framework: CertificateFramework
    mechanisms: list[CertificateMechanism]
    inputs: CertificateInputs
    claim: dict[str, Any]


Exact = Annotated[str | int | float, Field(description="a number, exactly as it is written")]
Exponents = list[Annotated[int, Field(ge=0)]]
Polynomial = Annotated[
    list[tuple[Exact, Exponents]], Field(description="[coefficient, exponents], one per variable")
]
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


Precision = Annotated[
    int | None, Field(description="bits that integers are rounded to, null for exact ones")
]
Runs = Annotated[
    list[tuple[int, Exact, Exact]],
    Field(description="[count, r(0), r(1)] of equal records in a row"),
]


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
    proof: dict[str, Any] | None


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


AnyCertificate = (
    FrameworkCertificate
    | PolynomialCertificate
    | FarkasCertificate
    | ExponentialCertificate
    | RedactionCertificate
    | DesignsCertificate
)


class Certificate(RootModel[AnyCertificate]):
    """A certificate of any kind; the side conditions are in CERTIFICATES.md."""


class ShownEvent(Output):
    """An event: what the released records nearest to p show, by record; and log(P / P') from
    counts, in nats.

    `seen` of `runs`: first given X_p = `likelier`, then given the other value.
    """

    shown: dict[str, Literal["0", "1"]]
    likelier: Literal[0, 1]
    seen: Annotated[list[int], Field(min_length=2, max_length=2)]
    runs: Annotated[list[int], Field(min_length=2, max_length=2)]
    epsilon: Enclosure


class Sampled(Output):
    """Estimates from samples: confidence intervals, and which of them (`doubts`) exclude the
    exact values.
    """

    runs: Annotated[int, Field(gt=0)]
    seed: Annotated[int, Field(ge=0)]
    trust: str
    released: Ratio
    utility: Enclosure
    worst: ShownEvent
    chosen: ShownEvent
    consistent: bool
    doubts: list[Literal["utility", "leakage of the worst event", "leakage of the chosen event"]]


class Realised(Output):
    """The fraction of a recorded sequence that is released: expected, and drawn; `estimate`
    from several blocks, else null.
    """

    expected: Ratio
    released: Ratio
    estimate: Sampled | None


class RecordLeakage(Output):
    """What a mechanism leaks about one of the private records, and whether that is within the
    level.
    """

    private: Annotated[int, Field(ge=1)]
    leakage: Leakage
    keeps: bool


class WorstOutput(Output):
    """An output over 0, 1 and * that reaches the leakage: it is likelier where the private
    record is `likelier`.
    """

    output: str
    likelier: Literal[0, 1]


class RedactionDesign(Output):
    """A strategy that was computed: `r` is [r_t(0), r_t(1)] per record, null where the optimum is
    no local redaction.

    `reached` is the exact utility of that mechanism.

    Of a given profile, and of several private records, also: does the leakage about all of them
    keep the level, what is leaked about each, and which of them are released with positive
    probability.
    """

    name: str
    utility: Enclosure
    leakage: Leakage
    r: list[Pair] | None
    trust: list[str]
    reached: Exact
    witness: WorstOutput | None = None
    keeps: bool | None = None
    records: list[RecordLeakage] | None = None
    reveals: list[int] | None = None
    simulation: Sampled | None = None
    realised: Realised | None = None


class SkippedDesign(Output):
    """A strategy that was not computed, and why."""

    name: str
    skipped: str


class FirstOrder(Output):
    """Chi-square of a second-order chain against a first-order one: a small p-value speaks
    against the chain.
    """

    statistic: Ratio
    degrees: Literal[0, 1, 2]
    p_value: str


class RecordedSequence(Output):
    """A recorded sequence: `steps[x][y]` counts y after x, alpha and beta are estimated from
    these.
    """

    records: Annotated[int, Field(gt=0)]
    blocks: Annotated[int, Field(gt=0)]
    steps: list[list[int]]
    alpha: Ratio
    beta: Ratio
    first_order: FirstOrder


class Redact(Output):
    """What `pufferproof redact --json` prints; `swapped`: alpha > beta, so that 1 is the common
    value.
    """

    strategies: list[RedactionDesign | SkippedDesign]
    swapped: bool
    private: list[int]
    published_bound: Ratio | None
    certificate: str | None
    sequence: RecordedSequence | None = None


class InfluencePlace(Output):
    """Where an influence is attained: `outcome` of the records shown, likelier if the record
    has values[0] than values[1].
    """

    prior: str
    record: Annotated[int, Field(gt=0)]
    values: Pair
    outcome: dict[str, str]


class QuiltInfluence(FrameworkOutput):
    """The influence of one quilt; `arithmetic` is "enclosed" and `ratio` null where it has more
    than 10,000 digits.

    So it is where the search over a class of chains ended early; `upper` is "inf" if it found no
    finite bound. `witness` is null where nothing leaks, and where it is not known: of classes, of
    what is enclosed, and of chains of more than 8 values.
    """

    witness: InfluencePlace | None

    influence: Leakage
    arithmetic: Literal["exact", "enclosed"]
    inputs: FrameworkInput


class InfluenceRow(Output):
    """Influences at one width, null where no record has that quilt, and published bounds (or
    why there is none).
    """

    width: Annotated[int, Field(gt=0)]
    two_sided: Leakage | None
    left: Leakage | None
    right: Leakage | None
    bounds: dict[str, Leakage | str]


class InfluenceTable(FrameworkOutput):
    """Influences by width."""

    table: list[InfluenceRow]
    arithmetic: Literal["exact", "enclosed"]
    inputs: FrameworkInput


class CurvePoint(Output):
    """a*(b): `ratio` is its exponential, b the number of hidden records."""

    b: Annotated[int, Field(ge=0)]
    ratio: Ratio | Literal["inf"] | None
    epsilon: Enclosure


class InfluenceCurve(FrameworkOutput):
    """The influence curve."""

    curve: list[CurvePoint]
    inputs: FrameworkInput


class Influence(RootModel[QuiltInfluence | InfluenceTable | InfluenceCurve]):
    """What `pufferproof influence --json` prints."""


class ChainQuilt(Output):
    """A quilt of a record: how far away the records shown on either side are, null for none."""

    record: Annotated[int, Field(gt=0)]
    left: Annotated[int, Field(gt=0)] | None
    right: Annotated[int, Field(gt=0)] | None


class NetworkQuilt(Output):
    """A quilt of a record of a Bayesian network."""

    record: Annotated[int, Field(gt=0)]
    nodes: list[int]


class SimulatedPoint(Output):
    """The error at one level: `expected` exactly, `mean` of the repetitions, `band` for the
    expectation; `cut` to [0, 1].
    """

    epsilon: str
    scale: Enclosure
    quilt: ChainQuilt
    expected: Enclosure
    mean: float
    band: tuple[float, float]
    cut: float


class SimulatedLine(Output):
    """What the mechanism is told of the chain, and the errors at increasing levels."""

    pi: Ratio
    g: Ratio
    length: Annotated[int, Field(gt=0)]
    points: list[SimulatedPoint]


class SimulatedPanel(Output):
    """The lines along which one parameter varies."""

    varies: Literal["pi", "g", "T"]
    lines: list[SimulatedLine]


class Simulated(Output):
    """A simulated figure: the chain that was drawn, its panels, and how many bands hold the
    exact expectation.
    """

    experiment: str
    seed: Annotated[int, Field(ge=0)]
    repetitions: Annotated[int, Field(gt=0)]
    initial: list[Ratio]
    transition: list[list[Ratio]]
    least: Ratio
    gap: Enclosure
    panels: list[SimulatedPanel]
    inside: Annotated[int, Field(ge=0)]
    points: Annotated[int, Field(gt=0)]
    missed_with_probability: float
    files: list[str]


class KnownFigure(Output):
    """A figure that can be reproduced."""

    name: str
    shows: str


class KnownFigures(Output):
    """What can be reproduced."""

    figures: list[KnownFigure]


class Reproduce(RootModel[Simulated | KnownFigures | Redact]):
    """What `pufferproof reproduce --json` prints: a simulation, without a name the list, of
    massny2025 what `redact` prints.
    """


class CalibrateInputs(FrameworkInput):
    """The SHA-256 of the files read; `query` where it is a file."""

    query: Sha256 | None = None


class Calibrate(FrameworkOutput):
    """What `pufferproof calibrate --json` prints; `leakage` is that of Laplace noise of scale
    `scale.upper`.
    """

    scale: Enclosure
    exact: str | None
    quilt: ChainQuilt | NetworkQuilt | None
    leakage: Leakage | None
    reason: str | None
    assumed: list[str]
    inputs: CalibrateInputs
    prior: str | None = None
    pair: list[str] | None = None
    distance: Ratio | None = None
    lipschitz: Ratio | None = None
    nearby: int | None = None
    tight: Enclosure | None = None


ClaimVerdict = Literal["PROVED", "DERIVED", "CHECKED", "REFUTED", "DEPENDS", "OPEN", "DEFINITION"]
Evidence = Annotated[
    dict[str, Any] | None,
    Field(description="exact values by name; frameworks and mechanisms as files"),
]


class ProvedReading(Output):
    """What was found of one reading of a claim."""

    name: str
    verdict: ClaimVerdict
    trust: list[str]
    scope: str
    counterexample: Evidence


class Carried(Output):
    """A hypothesis of a cited claim under which a claim holds too."""

    claim: str
    text: str


class ProvedClaim(Output):
    """What was found of a claim; `counterexample` is one to its most literal reading, the first."""

    id: str
    verdict: ClaimVerdict
    trust: list[str]
    scope: str
    checked: Annotated[int, Field(ge=0)]
    counterexample: Evidence
    repair: str | None
    assumes: list[str]
    carried: list[Carried]
    cached: Annotated[bool, Field(description="what engines said is of an earlier run")]
    error: Annotated[str | None, Field(description="why the claim could not be examined")]
    readings: list[ProvedReading]


class Prove(Output):
    """What `pufferproof prove --json` prints."""

    claims: list[ProvedClaim]


_MODELS: dict[str, type[BaseModel]] = {
    "framework": FrameworkFile,
    "mechanism": MechanismFile,
    "audit": Audit,
    "compose": Compose,
    "reveal": Reveal,
    "partner": Partner,
    "worst": Worst,
    "collapse": Collapse,
    "critical": Critical,
    "optimal": Optimal,
    "conditions": Conditions,
    "redact": Redact,
    "influence": Influence,
    "calibrate": Calibrate,
    "reproduce": Reproduce,
    "loss": LossFile,
    "kernels": KernelsFile,
    "check": Check,
    "ledger": Ledger,
    "certificate": Certificate,
    "prove": Prove,
}


def json_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) called `name`. Raises `ModelError` unless there is
    one.
    """
    if name not in _MODELS:
        raise ModelError(f'unknown schema "{name}", expected one of {", ".join(_MODELS)}')
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_MODELS[name].model_json_schema(),
    }
