"""What `audit`, `estimate` and `check` print."""

from typing import Annotated, Literal

from pydantic import Field

from pufferproof.reports.schemas.fit import Doubt, Who
from pufferproof.reports.schemas.values import (
    Account,
    AuditInputs,
    Bound,
    Enclosure,
    JointWitness,
    Leakage,
    NamedFiles,
    NormalizedPriors,
    Output,
    Pair,
    Ratio,
    RestsOn,
    Sha256,
    Shared,
    Tilted,
    Trusted,
    Window,
    Witness,
)


class Delta(Output):
    """The smallest delta at the level asked for; `ratio` is null when it is irrational."""

    ratio: Ratio | None
    lower: Bound
    upper: Bound
    witness: JointWitness


class RenyiWitness(Output):
    """The prior and the ordered pair whose divergence is the largest."""

    prior: str
    pair: Pair


class Renyi(Output):
    """The largest Renyi divergence of order `alpha` over priors and ordered pairs; `moment` is
    e^((alpha - 1) epsilon), "inf", or null where it is irrational or too long.
    """

    alpha: Ratio
    moment: Ratio | Literal["inf"] | None
    epsilon: Enclosure
    witness: RenyiWitness


class SmallestNumber(Output):
    """The smallest rho of zero-concentrated, or mu of Gaussian differential privacy, over priors
    and ordered pairs; `ratio` is "inf", or null where it is irrational, `claimed` what was to be
    decided.
    """

    ratio: Ratio | Literal["inf"] | None
    lower: Bound
    upper: Bound
    claimed: Ratio | None
    witness: RenyiWitness


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


class Mixtures(Output):
    """Whether every mechanism that keeps a level for the listed priors keeps it for all their
    mixtures (null: not known); where that is not shown, the first two `priors` and the `pair` of
    secrets that stand against it, and the `reason`.
    """

    free: bool | None
    priors: Pair | None
    pair: Pair | None
    reason: str | None
    claims: list[str]


class ProfilePoint(Output):
    """A level in nats and the smallest delta there."""

    level: Enclosure
    delta: Delta


class Corner(Output):
    """The smallest delta at a ratio e^epsilon, at which its slope changes."""

    ratio: Ratio
    delta: Ratio


class Region(Output):
    """The privacy region of an ordered pair: its vertices, from (0, 1) along the lower edge to
    (1, 0) and back, and the slopes and shifts of the lines below it.
    """

    prior: str
    pair: Pair
    corners: list[Corner]
    vertices: list[tuple[Ratio, Ratio]]


class Agreement(Output):
    """How many draws of the program's own were compared with its law, and the e-value that they
    give: one of 10^9 or more is an error.
    """

    draws: Annotated[int, Field(gt=0)]
    e: Annotated[float, Field(ge=0)]


class Program(Output):
    """The program whose law was audited: how many paths it has over all databases, the largest
    probability of paths that were not run, and the hash of the file that it stands in; what its
    own draws say, or why they were not compared.
    """

    paths: Annotated[int, Field(gt=0)]
    left: Ratio
    sha256: Sha256 | None
    agreement: Agreement | None
    not_compared: str | None = None


class Probability(Output):
    """The probability of a path; `ratio` is null when it is irrational."""

    ratio: Ratio | None
    lower: Bound
    upper: Bound


class PathChoice(Output):
    """A choice of a program: file and line, and which way it went."""

    at: str
    went: str


class Path(Output):
    """A path of a program: its output, its probability, and its choices in their order."""

    output: str
    probability: Probability
    choices: list[PathChoice]


class DatabasePath(Path):
    """A path of a program on a database."""

    database: str


class WitnessRun(Output):
    """One side of the witness: the database that makes its output likeliest, with its probability
    given the secret, and the likeliest path to the output, null if there is none.
    """

    secret: str
    database: str
    given: Ratio
    path: Path | None


class PairLevel(Output):
    """A pair that has a level of its own, what it leaks, and whether it keeps the level."""

    pair: Pair
    level: str
    leakage: Leakage
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]


class Neighbours(Output):
    """The relation between neighbours, of how many pairs the witness is the worst, and what changes
    from its second database to its first.
    """

    relation: Literal["add-remove", "substitute"]
    changes: Annotated[int, Field(gt=0)]
    pairs: Annotated[int, Field(gt=0)]
    changed: str


class Before(Trusted):
    """The audit of a mechanism before post-processing by an unknown function."""

    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    leakage: Leakage
    witness: Witness
    excluded: int
    never_checked: list[Pair]
    checked: Annotated[int, Field(gt=0)] | None
    trust: list[str]
    rests_on: RestsOn = None
    delta: Delta | None = None
    renyi: Renyi | None = None
    shared: Shared = None
    neighbours: Neighbours | None = None


class Audit(Trusted):
    """What `pufferproof audit --json` prints; `checked` is null beyond 2^53 inequalities, which
    were then not listed.
    """

    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    model: Annotated[
        Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None,
        Field(description="of a framework of recorded data: the verdict about the model alone"),
    ] = None
    who: Who | None = None
    doubts: list[Doubt] | None = None
    leakage: Leakage
    witness: Witness
    excluded: int
    never_checked: list[Pair]
    checked: Annotated[int, Field(gt=0)] | None
    trust: list[str]
    rests_on: RestsOn = None
    leakage_trust: Annotated[
        list[str] | None, Field(description="of the leakage, where certificates prove the verdict, and less of it")
    ] = None
    bound: Annotated[
        Account | None, Field(description="noise too large to compute: the bound from above; `checked` is null")
    ] = None
    window: Annotated[
        Window | None, Field(description="where it is the lesser: a bound from the law of the records nearby")
    ] = None
    tilted: Annotated[
        Tilted | None, Field(description="where it is the least: what the record tells, and those on its sides")
    ] = None
    cells: Annotated[
        int | None, Field(description="parts of a class of chains that were bounded, 0 for its worst corner")
    ] = None
    delta: Delta | None = None
    renyi: Renyi | None = None
    zcdp: SmallestNumber | None = None
    gdp: SmallestNumber | None = None
    mixtures: Annotated[Mixtures | None, Field(description="of several priors whose mixtures were not asked for")] = (
        None
    )
    shared: Shared = None
    pairs: Annotated[
        list[PairLevel] | None, Field(description="of pairs with levels of their own; the verdict is that of all")
    ] = None
    excess: Annotated[
        str | None, Field(description="by how little a level or a delta is exceeded, where digits hide it")
    ] = None
    neighbours: Annotated[Neighbours | None, Field(description='of a framework with "neighbours"')] = None
    before: Annotated[
        Before | None, Field(description="before post-processing: `leakage` is then at most this, from 0")
    ] = None
    inputs: AuditInputs
    normalized_priors: NormalizedPriors = None
    normalized: bool = False
    parameters: Annotated[
        dict[str, Ratio] | None, Field(description="of a mechanism with parameters: the values at which the witness is")
    ] = None
    program: Annotated[Program | None, Field(description="of module:function that draws from `rng`")] = None
    source: Annotated[str | None, Field(description="of a program: that rounding of floats exceeds the level")] = None
    paths: Annotated[list[DatabasePath] | None, Field(description="of a program: every path that was run")] = None
    runs: Annotated[list[WitnessRun] | None, Field(description="of a program: the witness as two runs")] = None
    table: list[TableRow] | None = None
    profile: Annotated[list[ProfilePoint] | None, Field(description="the smallest delta at some levels")] = None
    corners: Annotated[
        list[Corner] | None, Field(description="where the slope of the smallest delta in e^epsilon >= 1 changes")
    ] = None
    regions: Annotated[list[Region] | None, Field(description="with corners: of the first 100 ordered pairs")] = None
    certificate: str | None = None


class AuditLine(Output):
    """What `pufferproof audit-list` prints for a line of the list: the audit of its files, or
    an error.
    """

    line: Annotated[int, Field(gt=0, description="counted from 1")]
    framework: str | None = None
    mechanism: str | None = None
    epsilon: str | None = None
    audit: Audit | None = None
    error: str | None = None


class LinearForm(Output):
    """A linear form of a list of numbers: pairs of a coordinate from 1 and its factor, added in
    their order; or one coordinate.
    """

    coordinate: Annotated[int, Field(gt=0)] | None = None
    form: list[tuple[Annotated[int, Field(gt=0)], Bound]] | None = None


class ScoreTable(LinearForm):
    """What a coordinate or a form adds to a score: the weight of the cell that it is in."""

    cuts: list[Bound]
    weights: list[float]


class Event(Output):
    """An event of outputs: one of `outputs`, or none of them (`complement`); or a number that the
    output has, or a score, is in one of `intervals`, with its lower end and without its upper one.
    """

    outputs: list[str] | None = None
    complement: bool = False
    number: str | LinearForm | list[ScoreTable] | None = None
    intervals: list[Pair] | None = None


TwoCounts = Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)]


class EventWitness(Output):
    """How often an event was `seen` in calls with either secret of the ordered pair, of so many
    `samples`; with the confidence stated a call with the event has the first secret with
    probability at least `share_at_least` at some time.
    """

    prior: str
    pair: Pair
    event: Event
    seen: TwoCounts
    samples: TwoCounts
    share_at_least: Bound | None


class EstimateInputs(Output):
    """The SHA-256 of the framework file, and of a function's module or the text of a command."""

    framework: Sha256
    sampler: Sha256
    files: NamedFiles = None


class EstimateCoins(Output):
    """The secret of the coins and databases of one start of a run, or its hash if that start was
    killed, and how many blocks were attempted before.
    """

    attempts: Annotated[int, Field(ge=0)]
    secret: str


class EstimateClaim(Output):
    """What was claimed of delta, rho or mu, and its lower confidence bound, 0 if nothing was
    shown.
    """

    lower: Bound
    claimed: Ratio


class EstimateNeighbours(Output):
    """By which relation the databases of a pair are neighbours, and how many pairs were tried."""

    relation: Literal["add-remove", "substitute"]
    changes: Annotated[int, Field(gt=0)]
    pairs: Annotated[int, Field(gt=0)]


class Estimate(Output):
    """What `pufferproof estimate --json` prints: `lower` encloses the lower confidence bound in
    nats, 0 where nothing was shown; with `--delta`, `--zcdp` or `--gdp` it is null, and `delta`,
    `zcdp` or `gdp` has the bound; `seed` of the sampler's own random numbers; `seeded`: whether two
    draws with it agreed (two runs still differ, as `coins` are new in each); `drift`: whether
    outputs given the same secret differ between the first and the last part of the run; `lost`:
    calls without a known output, which count against the bound; `coins`: what coins and databases
    were drawn with.
    """

    lower: Enclosure | None
    delta: EstimateClaim | None = None
    zcdp: EstimateClaim | None = None
    gdp: EstimateClaim | None = None
    confidence: Ratio
    samples: Annotated[int, Field(gt=0)]
    seed: Annotated[int, Field(ge=0)]
    seeded: bool
    witness: EventWitness | None
    events: Annotated[int, Field(gt=0)]
    stopped: Literal["samples", "violated", "interrupted"]
    drift: bool
    lost: Annotated[int, Field(ge=0)]
    coins: list[EstimateCoins]
    verdict: Literal["VIOLATES", "UNDECIDED"] | None
    rests_on: RestsOn = None
    neighbours: EstimateNeighbours | None = None
    inputs: EstimateInputs
    normalized_priors: NormalizedPriors = None


class Check(Output):
    """What `pufferproof check --json` prints; with `--explain`, of an accepted certificate, also
    what it proves in words, by the labels of the terminal.
    """

    accepted: bool
    kind: str | None
    statement: str | None
    checked: int
    inputs: str
    reason: str | None
    explanation: dict[str, str] | None = None


class CheckedCertificate(Output):
    """What the kernel says of a certificate in a zip."""

    name: str
    kind: str | None
    statement: str | None
    checked: int
    inputs: str
    reason: str | None
    explanation: dict[str, str] | None = None


class CheckBets(Output):
    """What `pufferproof check evidence.zip --json` prints of a zip of `estimate`."""

    accepted: bool
    reason: str | None
    shows: Annotated[str | None, Field(description="what the bets show")]
    same_program: Annotated[bool, Field(description="whether check.py is that of this version")]


class CheckZip(Output):
    """What `pufferproof check` prints of a zip or a folder with `--json`: which files were compared
    with the certificates, which forms in them the kernel does not read, and which other files the
    zip has.
    """

    accepted: bool
    reason: str | None
    certificates: list[CheckedCertificate]
    compared: list[str]
    unread: dict[str, str]
    others: list[str]
    programs: Annotated[list[str], Field(description="files of programs, whose draws `check.py --draw` repeats")]
    kernel: Annotated[str | None, Field(description="SHA-256 of the kernel in the zip")]
    same_kernel: Annotated[bool, Field(description="whether it is the kernel of this version")]
    changed: Annotated[list[str], Field(description="programs in the zip that are not those of this version")]
