"""What `influence`, `calibrate`, `translate` and `explore` print."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from pufferproof.reports.schemas.values import (
    Bound,
    Enclosure,
    FrameworkInput,
    Leakage,
    NamedFiles,
    NormalizedPriors,
    Output,
    Pair,
    Ratio,
    RestsOn,
    Sha256,
    Trusted,
)

Attained = Literal["count", "alternating count", "signed count", "signed sum", "randomised response", "linear program"]
"""The release that leaks most of all of some levels per record."""


class InfluencePlace(Output):
    """Where an influence is attained: `outcome` of the records shown, likelier if the record
    has values[0] than values[1].
    """

    prior: str
    record: Annotated[int, Field(gt=0)]
    values: Pair
    outcome: dict[str, str]


class QuiltInfluence(Output):
    """The influence of one quilt; `arithmetic` is "enclosed" and `ratio` null where it has more
    than 10,000 digits.

    So it is where the search over a class of chains ended early; `upper` is "inf" if it found no
    finite bound. `witness` is null where nothing leaks, and where it is not known: of classes, of
    what is enclosed, and of chains of more than 8 values.
    """

    influence: Leakage
    arithmetic: Literal["exact", "enclosed"]
    witness: InfluencePlace | None
    rests_on: RestsOn = None
    inputs: FrameworkInput
    normalized_priors: NormalizedPriors = None


class InfluenceRow(Output):
    """Influences at one width, null where no record has that quilt, and published bounds (or
    why there is none).
    """

    width: Annotated[int, Field(gt=0)]
    two_sided: Leakage | None
    left: Leakage | None
    right: Leakage | None
    bounds: dict[str, Leakage | str]


class InfluenceTable(Output):
    """Influences by width."""

    table: list[InfluenceRow]
    arithmetic: Literal["exact", "enclosed"]
    rests_on: RestsOn = None
    inputs: FrameworkInput
    normalized_priors: NormalizedPriors = None


class CurvePoint(Output):
    """a*(b): `ratio` is its exponential, b the number of hidden records.

    `pair` is the ordered pair of secrets for which it is largest, `hidden` the records that this
    pair hides, as runs of neighbours from the first to the last; null where they are not known.
    `published` is the closed form as printed, or why there is none.
    """

    b: Annotated[int, Field(ge=0)]
    ratio: Ratio | Literal["inf"] | None
    epsilon: Enclosure
    pair: Pair | None
    hidden: list[tuple[int, int]] | None
    published: Leakage | str


class InfluenceCurve(Output):
    """The influence curve."""

    curve: list[CurvePoint]
    rests_on: RestsOn = None
    inputs: FrameworkInput
    normalized_priors: NormalizedPriors = None


class GaussianPoint(Output):
    """a*(b) of truncated Gaussian priors, enclosed: the record and pair that it is of, the records
    hidden, and what the others show where the lower bound is attained.
    """

    b: Annotated[int, Field(ge=0)]
    ratio: Literal["inf", "1"] | None
    epsilon: Enclosure
    record: Annotated[int, Field(gt=0)] | None
    pair: list[str]
    prior: str | None
    hidden: list[int]
    shown: dict[str, str]


class GaussianValue(Output):
    """A value of another curve, with the records hidden."""

    b: Annotated[int, Field(ge=0)]
    epsilon: Enclosure
    hidden: list[int]


class GaussianLimit(Output):
    """The curve of windows that shrink to their middles, which are `points`."""

    points: dict[str, str]
    curve: list[GaussianValue]


class GaussianCurve(Output):
    """The influence curve of truncated Gaussian priors; `records`: that of each record which has
    secrets; `published`: the recipe of bai2026, Theorem 5; `limit`: that of points.
    """

    curve: list[GaussianPoint]
    records: dict[str, list[Enclosure]]
    published: list[GaussianValue]
    limit: GaussianLimit
    rests_on: RestsOn = None
    inputs: FrameworkInput


class Influence(RootModel[QuiltInfluence | InfluenceTable | InfluenceCurve | GaussianCurve]):
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


class CalibrateInputs(Output):
    """The SHA-256 of the files read; `query` and `utility` where they are files."""

    framework: Sha256
    query: Sha256 | None = None
    utility: Sha256 | None = None
    files: NamedFiles = None


class CalibratedLevel(Output):
    """The level per record, in nats, that keeps the promise, by a rule: with the best `hidden` of
    the curve `points`, or by the `worst` case of that level, `attained` as `translate` says.
    """

    rule: Literal["published", "best", "exact"]
    per_record: Enclosure
    hidden: Annotated[int, Field(ge=0)] | None
    points: list[Annotated[int, Field(ge=0)]] | None
    records: Annotated[int, Field(gt=0)] | Literal["infinite"]
    worst: Leakage | None = None
    attained: Attained | None = None
    claims: list[str]


class Calibrated(Output):
    """A calibrated mechanism; `leakage` is that of Laplace noise of scale `scale.upper`, or of the
    exponential mechanism in the file `mechanism`, whose exponents are utilities over `scale`. It is
    exact, or between bounds (`between_bounds`). `eliminated` is the record whose bound by
    elimination asks for the scale, where no quilt does: of all others, or of those within `around`.
    The file `certificate` is about `tight.upper`, or else `scale.upper`.
    """

    scale: Enclosure
    exact: str | None
    quilt: ChainQuilt | NetworkQuilt | None
    eliminated: Annotated[int, Field(gt=0)] | None = None
    around: list[int] = Field(default_factory=list)
    distance: Ratio | None = None
    lipschitz: Ratio | None = None
    sensitivity: Ratio | None = None
    translation: CalibratedLevel | None = None
    prior: str | None = None
    pair: list[str] | None = None
    nearby: int | None = None
    leakage: Leakage | None
    between_bounds: bool = False
    reason: str | None
    assumed: list[str]
    rests_on: RestsOn = None
    inputs: CalibrateInputs
    tight: Enclosure | None = None
    certificate: str | None = None
    candidates: list[str] | None = None
    mechanism: str | None = None
    normalized_priors: NormalizedPriors = None


class ComparedScale(Output):
    """The scale of a mechanism, with an `option` of it, and what its noise leaks; where one is null
    the `reason`. "tight" is the least scale that keeps the level. `assumed`: conditions that hold,
    and what is taken for granted.
    """

    mechanism: str
    option: str | None
    scale: Enclosure | None
    exact: str | None
    leakage: Leakage | None
    reason: str | None
    assumed: list[str] = Field(default_factory=list)


class ComparedScales(Output):
    """All mechanisms that add Laplace noise to the query, at one level."""

    comparison: list[ComparedScale]
    rests_on: RestsOn = None
    inputs: CalibrateInputs
    plot: str | None = None
    normalized_priors: NormalizedPriors = None


class SigmaPlace(Output):
    """What decides a sigma: the pair of secrets that asks for it, the square of a Euclidean
    distance, or the scale of Laplace noise that quilts ask for.
    """

    prior: str | None = None
    pair: list[str] | None = None
    distance_squared: Ratio | None = None
    laplace_scale: Bound | None = None


class RuleSigma(Output):
    """The sigma of Gaussian noise by a rule, and the delta, or the Renyi divergence in nats, that
    noise of `sigma.upper` has.

    "exact" is the smallest: its upper end keeps the promise, its lower end does not. `measured` is
    null where no noise is needed.
    """

    rule: Literal["exact", "transport", "wasserstein", "markov-quilt"]
    sigma: Enclosure | None
    measured: Enclosure | None
    where: SigmaPlace | None
    reason: str | None


class GaussianScales(Output):
    """The sigma of Gaussian noise on the query that keeps (epsilon, `delta`), or the level for the
    Renyi divergence of order `renyi`, by several rules; or the scale of Laplace noise.
    """

    sigmas: list[RuleSigma]
    noise: Literal["gaussian", "laplace"]
    delta: Ratio | None = None
    renyi: Ratio | None = None
    rests_on: RestsOn = None
    inputs: CalibrateInputs
    normalized_priors: NormalizedPriors = None


class Calibrate(RootModel[Calibrated | ComparedScales | GaussianScales]):
    """What `pufferproof calibrate --json` prints; the second with `--compare`, the third with
    `--delta` or `--renyi`.
    """


class TranslatedBound(Output):
    """A bound of the leakage: "published" with `hidden` records, "best" of these, or the upper
    bound of a "recursion" along records of more than two values, or by "elimination".
    """

    name: Literal["published", "best", "recursion", "elimination"]
    hidden: Annotated[int, Field(gt=0)] | None
    epsilon: Enclosure


class TranslateInputs(FrameworkInput):
    """The SHA-256 of the files read; `levels` where there is a file of them."""

    levels: Sha256 | None = None


class TranslatedLevels(Trusted):
    """What `translate` says of levels per record: bounds of the leakage of every release whose
    levels per record, in nats, add up to at most `level`.

    `exact` is the largest leakage over all these, null where it is only known to be at least
    `at_least`; `attained` says by which, of `pair` under `prior`. It rests on `claims`.
    """

    bounds: list[TranslatedBound]
    exact: Leakage | None
    at_least: Leakage | None
    attained: Attained | None
    prior: str | None
    pair: Pair | None
    domain: Literal["product", "possible"]
    records: Annotated[int, Field(gt=0)] | Literal["infinite"]
    level: Enclosure
    claims: list[str]
    trust: list[str]
    rests_on: RestsOn = None
    mechanism: str | None
    inputs: TranslateInputs
    normalized_priors: NormalizedPriors = None


class TranslatedGuarantee(Trusted):
    """What `translate` says of a guarantee per record with a delta: the largest `delta` at the level
    asked for, the least level `epsilon` in nats at the delta asked for, over all mechanisms that
    keep the guarantee, and what group privacy of all records says of the first of these.
    """

    guarantee: str
    neighbours: Literal["replace", "add-remove"]
    delta: Enclosure | None
    epsilon: Enclosure | None
    attained: Literal["two outputs"]
    group: Enclosure | None
    bounds: list[TranslatedBound]
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    prior: str
    pair: Pair
    records: Annotated[int, Field(gt=0)]
    trust: list[str]
    rests_on: RestsOn = None
    inputs: FrameworkInput
    normalized_priors: NormalizedPriors = None


class Translate(RootModel[TranslatedLevels | TranslatedGuarantee]):
    """What `pufferproof translate --json` prints."""


class ExploredGap(Output):
    """A bound over the exact worst case, both in nats, over `members` of a family; rounded."""

    bound: Literal["quilt", "published"]
    members: Annotated[int, Field(gt=0)]
    least: float
    median: float
    mean: float
    largest: float


class ExploredBound(Output):
    """A bound of one member: null where there is none, and `how` says why."""

    ratio: Ratio | Literal["inf"] | None
    epsilon: Enclosure | None
    how: str
    exact: bool


class ExploredMember(Output):
    """A member of a family by its `number`, null for one that the file does not list: parameters,
    level per record, and its bounds; `exact`: `worst` is what some mechanism leaks.
    """

    number: Annotated[int, Field(ge=0)] | None
    parameters: dict[str, str]
    level: str
    error: str | None
    exact: bool
    worst: ExploredBound | None
    quilt: ExploredBound | None
    published: ExploredBound | None


class ExploredChoice(Output):
    """A level per record, the scale of Laplace noise for it, rounded, and the most nats that a
    bound allows over so many members.
    """

    level: str
    noise: float
    promise: str
    members: Annotated[int, Field(gt=0)]


class ExploredMissing(Output):
    """How many members lack a bound that others may have, and why the first of them does."""

    members: Annotated[int, Field(gt=0)]
    first: str


class Explored(Output):
    """What `pufferproof explore --json` prints: of `members` those that were explored, `gaps` over
    all of them and `by` the values of each parameter.

    Of members that are not `exact` a worst case may be enclosed, up to a factor `widest` between
    both ends, rounded; `missing` says which bounds others lack, and why. `farthest` are members
    with the largest gaps, behind them the simplest of those nearly as far; `fronts` the levels that
    no other one beats in noise and promise for all members, by bound; `broken` those at which a
    bound is below what a mechanism leaks. `seed` is null where all members were explored.
    """

    members: Annotated[int, Field(gt=0)]
    explored: Annotated[int, Field(gt=0)]
    exact: Annotated[int, Field(ge=0)]
    errors: Annotated[int, Field(ge=0)]
    first_error: str | None
    widest: float | None
    missing: dict[str, ExploredMissing]
    gaps: list[ExploredGap]
    by: dict[str, dict[str, dict[str, ExploredGap]]]
    farthest: dict[str, list[ExploredMember]]
    fronts: dict[str, list[ExploredChoice]]
    broken: list[ExploredMember]
    seed: int | None
    files: list[str]


class ConjectureCounterexample(Output):
    """A member at which a conjecture is false, with both sides of it; `simplest`: every simpler one
    was tried.
    """

    place: dict[str, str]
    value: str
    left: str
    right: str
    simplest: bool


class ConjectureAttempt(Output):
    """Which forms with some `powers` of the value were tried: their largest `degree` (null if none
    was tried) and `degrees` in parameters, and the most `terms`.

    All forms of the degree asked for have up to `every` terms, and take so many `values` of
    parameters that have fewer, and so many `members` if there are fewer, else null.
    """

    powers: list[int]
    degree: int | None
    degrees: dict[str, int]
    terms: Annotated[int, Field(ge=0)]
    values: dict[str, int]
    members: int | None
    every: Annotated[int, Field(gt=0)]


class Conjecture(Output):
    """What `pufferproof explore --formula --json` prints: of `members` that are listed those with a
    `finite` value, and the `relation`, fitted with so many `terms`, or guessed (null).

    Of members that it was tried on, fresh ones and for a guess all listed ones, it `held` of some;
    values of others are `infinite`, or it is `silent` about them: it divides by zero there, or they
    have no value. All are null where no form fits: `attempts` then say which forms were tried, and
    `too_few_values` are parameters with fewer values than all forms take. Undecided: too few fresh
    ones held.
    """

    quantity: Literal["worst", "joint", "collapse", "threshold", "delta", "adaptive_delta", "adaptivity"]
    runs: Annotated[int, Field(gt=0)]
    delta_at: str | None
    budgets: list[str]
    where: list[str]
    members: Annotated[int, Field(ge=0)]
    finite: Annotated[int, Field(ge=0)]
    errors: Annotated[int, Field(ge=0)]
    first_error: str | None
    too_few_values: list[str]
    attempts: list[ConjectureAttempt]
    relation: str | None
    terms: Annotated[int, Field(gt=0)] | None
    held: Annotated[int, Field(ge=0)] | None
    infinite: Annotated[int, Field(ge=0)] | None
    silent: Annotated[int, Field(ge=0)] | None
    verdict: Literal["survived", "refuted", "undecided", "no form"]
    counterexample: ConjectureCounterexample | None
    seed: Annotated[int, Field(ge=0)]
    written: str | None


class Explore(RootModel[Explored | Conjecture]):
    """What `pufferproof explore --json` prints; the second with `--formula`."""
