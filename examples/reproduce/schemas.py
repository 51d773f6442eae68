"""What `reproduce` prints."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from pufferproof.reports.schemas.correlation import ChainQuilt
from pufferproof.reports.schemas.values import Enclosure, Leakage, Output, Ratio


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


Share = Annotated[float, Field(ge=0, le=1)]
Way = Literal["published", "quilt", "exact", "group"]


class RankingQuality(Output):
    """How good rankings are, as means: `accuracy` of each rank; null where nothing is printed."""

    accuracy: list[Share] | None
    hit_rate: Share | None
    ndcg: Share | None
    l1: Annotated[float, Field(ge=0)] | None


class RankingPoint(RankingQuality):
    """A mechanism at one level: the scale of its noise, means of the repetitions, their standard
    errors (accuracies, hit rate, NDCG, L1), and what the paper prints.
    """

    epsilon: str
    scale: Annotated[float, Field(gt=0)]
    standard_errors: list[float]
    printed: RankingQuality | None


class RankingLine(Output):
    """A mechanism over the levels."""

    mechanism: str
    points: list[RankingPoint]


class RankingPanel(Output):
    """Rankings of `k` labels; `majority` is the guess of the labels that are usual elsewhere."""

    k: Annotated[int, Field(gt=0)]
    lines: list[RankingLine]
    majority: RankingQuality


class Block(Output):
    """So many hidden records, and the influence of the others, in nats, rounded up."""

    hidden: Annotated[int, Field(gt=0)]
    influence: Annotated[float, Field(ge=0)]


class RecordLevels(Output):
    """Levels per record, in nats, rounded down, that keep `epsilon`; `reached` is what some
    mechanism of the exact level leaks, in nats.
    """

    epsilon: str
    levels: dict[Way, Annotated[float, Field(gt=0)]]
    blocks: dict[Way, Block]
    reached: Annotated[float, Field(gt=0)]


class RankedPeople(Output):
    """One data set: its size, levels per record, and the quality of rankings."""

    data: str
    source: Literal["files", "drawn", "shipped"]
    said: list[str]
    labels: list[str]
    queries: Annotated[int, Field(gt=0)]
    records: Annotated[int, Field(ge=0)]
    length: Annotated[int, Field(gt=0)]
    steps: Annotated[int, Field(gt=0)]
    budgets: list[RecordLevels]
    panels: list[RankingPanel]


class RankingMechanism(Output):
    """A mechanism: which level per record it has, its form, and its name in the paper."""

    name: str
    level: Way
    form: Literal["peeling", "split", "vector"]
    printed: str | None


class TopK(Output):
    """The experiment on top-K queries."""

    experiment: str
    seed: Annotated[int, Field(ge=0)]
    repetitions: Annotated[int, Field(gt=0)]
    tau: Ratio
    mechanisms: list[RankingMechanism]
    parts: list[RankedPeople]
    files: list[str]


class KnownFigure(Output):
    """A figure that can be reproduced."""

    name: str
    shows: str


class KnownFigures(Output):
    """What can be reproduced."""

    figures: list[KnownFigure]


class InfluencePoint(Output):
    """What a record at a distance says of the private one, by its value, and what is printed."""

    distance: Annotated[int, Field(ge=1)]
    influences: dict[str, Leakage]
    printed: dict[str, Ratio] | None


class InfluenceRegions(Output):
    """Distances whose records are redacted, redacted by value, or released, from a threshold on up
    to the next.
    """

    threshold: Leakage
    redacted: list[int]
    by_value: list[int]
    released: list[int]


class InfluenceFigure(Output):
    """Figure 2 of massny2025."""

    figure: str
    points: list[InfluencePoint]
    regions: list[InfluenceRegions]
    files: list[str]


class UtilityPoint(Output):
    """Utilities of redaction mechanisms at a level, and the published bound of those that are blind
    to values; `difference`: how much less the relaxed design has when cvxpy solves it.
    """

    epsilon: str
    utilities: dict[str, Enclosure]
    published_bound: Ratio
    difference: str


class UtilityFigure(Output):
    """Figure 3 of massny2025."""

    figure: str
    points: list[UtilityPoint]
    files: list[str]


class RedactedPoint(Output):
    """How often a record is redacted, by mechanism."""

    record: Annotated[int, Field(ge=1)]
    redacted: dict[str, Ratio]


class RedactedFigure(Output):
    """Figure 4 of massny2025: how often records of a `value` are redacted at a level."""

    figure: str
    epsilon: str
    value: str
    points: list[RedactedPoint]
    files: list[str]


class DefinitionRow(Output):
    """A definition of privacy for small data: its framework, the most that two releases leak
    together, and whether releases compose, here and as printed.
    """

    definition: str
    data: str
    secrets: Annotated[int, Field(gt=0)]
    pairs: Annotated[int, Field(gt=0)]
    laws: Annotated[int, Field(gt=0)]
    tables: Annotated[int, Field(gt=0)]
    joint: Leakage
    composes: Literal["Yes", "No", "undecided"]
    printed: Literal["Yes", "No"]


class DefinitionTable(Output):
    """Table 6 of bai2026, from frameworks; every release has the `budget`."""

    figure: str
    budget: str
    rows: list[DefinitionRow]
    agree: int
    files: list[str]


class WindowsPanel(Output):
    """A drawing of databases and their blocks: which are shared, which databases own one, how far
    outputs are from independent given the shared blocks and given the later block of the last
    database, and the recorded verdicts on what is remarked.
    """

    panel: Annotated[int, Field(ge=1, le=4)]
    remark: str
    databases: list[tuple[str, str]]
    shared: list[str]
    owning: list[int]
    given_shared: Leakage
    given_later: Leakage
    readings: dict[str, str]


class WindowsFigure(Output):
    """Figure 2 of streaming_cw."""

    figure: Literal["streaming_cw.figure2"]
    panels: list[WindowsPanel]
    files: list[str]


class CurveFigurePoint(Output):
    """a*(b) by the definition and by the printed form in nats, null where it is not known."""

    b: Annotated[int, Field(gt=0)]
    definition: Enclosure | None
    printed: Enclosure | None


class CurveFigureLine(Output):
    """The curve of one prior: the `value` of what `varies`, for so many records."""

    varies: Literal["p = q", "ell"]
    value: Ratio
    records: Annotated[int, Field(gt=0)]
    points: list[CurveFigurePoint]


class CurvesFigure(Output):
    """Figure 3 of bai2026, panel (a) or (b), and the verdicts recorded of what it shows."""

    figure: Literal["bai2026.figure3a", "bai2026.figure3b"]
    lines: list[CurveFigureLine]
    verdicts: dict[str, str]
    files: list[str]


class RecordedPoint(Output):
    """The scale of noise at a level, and what that noise leaks in nats, if it was computed; where
    there is no scale the `reason`.
    """

    epsilon: str
    scale: Enclosure | None
    leakage: Leakage | None
    reason: str | None


class RecordedRule(Output):
    """A rule over the levels."""

    rule: str
    points: list[RecordedPoint]


class RecordedTable(Output):
    """A chain fitted to recorded values, in so many sequences, and the scales for a sequence of
    `records` whose `private` one is secret.
    """

    data: str
    recorded: Annotated[int, Field(gt=0)]
    sequences: Annotated[int, Field(gt=0)]
    values: Annotated[int, Field(gt=1)]
    records: Annotated[int, Field(gt=0)]
    private: Annotated[int, Field(gt=0)]
    transition: list[list[Ratio]]
    rows: list[RecordedRule]


class RecordedFigure(Output):
    """The experiments of Song, Wang and Chaudhuri on recorded data: scales of all rules."""

    figure: Literal["song2017.electricity", "song2017.activity", "song2017.weather"]
    epsilons: list[str]
    tables: list[RecordedTable]
    files: list[str]


class Reproduce(
    RootModel[
        Simulated
        | TopK
        | KnownFigures
        | InfluenceFigure
        | UtilityFigure
        | RedactedFigure
        | DefinitionTable
        | WindowsFigure
        | CurvesFigure
        | RecordedFigure
    ]
):
    """What `pufferproof reproduce --json` prints: the points of a figure, or without a name the
    list.
    """
