"""What `fit` prints."""

from typing import Annotated, Literal

from pydantic import Field, RootModel

from pufferproof.reports.schemas.values import Enclosure, Leakage, Output, Pair, Ratio, RestsOn, Sha256, Shared, Trusted

_Signed = Annotated[str, Field(pattern=r"^-?[0-9]+(/[0-9]+)?$")]
_Count = Annotated[int, Field(ge=0)]
_Size = Annotated[int, Field(gt=0)]


class Comparison(Output):
    """Chi-square of a wider model against this one, its p-value rounded: a small one speaks against
    the chain. Of the `cells` compared `rare` are expected to count below 5; the p-value is then
    from `draws`, which are 0 if it is from the law of chi-square. Words go by `corrected`, the
    p-value as one of several tests.
    """

    statistic: str
    degrees: _Count
    p_value: str
    corrected: str
    cells: _Count
    rare: _Count
    draws: _Count


class Doubt(Output):
    """What speaks against the fitted model: a sentence, and a p-value if a test found it; its words
    go by the p-value that is `corrected` for the number of tests.
    """

    about: Literal[
        "groups", "order", "season", "trend", "ends", "copies", "shape", "gaps", "times", "ids", "rows", "smoothing"
    ]
    p: float | None
    corrected: float | None
    says: str


class Timing(Output):
    """What times say: their column, the step between rows, and how many steps are others."""

    column: str
    step: str
    first: str
    last: str
    gaps: _Count


class NumberClasses(Output):
    """Limits between classes of numbers; `quantiles` of the data make classes of like sizes."""

    limits: list[str]
    quantiles: bool


class ConfidenceBox(Output):
    """Bounds of every transition probability, which all hold with probability at least
    `confidence` if the records are a chain of the first order on these states. The confidence is a
    floor; without one the box is around the frequencies of all groups. `stopping`: of recordings
    whose lengths were fixed beforehand, or any that ended at any time.
    """

    confidence: Ratio | None
    trust: str | None
    stopping: Literal["fixed", "any"]
    initial: Literal["any", "stationary"]
    lower: list[list[Ratio]]
    upper: list[list[Ratio]]


class LeakageRange(Output):
    """What noise leaks at the ends of a box of this `confidence` of `rows` that are estimated from
    under 100 departures.
    """

    confidence: Ratio
    rows: list[str]
    lower: Leakage
    upper: Leakage


class LeastNoise(Output):
    """The least scale of Laplace noise on a count of a window of so many `records`, or the `reason`
    why it is not computed, and, where Markov quilts tell one, a scale that is `enough`.
    """

    window: Literal["day", "week", "first day", "first week", "framework"]
    records: _Size
    private: _Size
    scale: Enclosure | None
    enough: Enclosure | None
    reason: str | None
    range: LeakageRange | None


class LeastFactor(Output):
    """The least factor on all scales that keeps the budget."""

    factor: Enclosure


class LeastScale(Output):
    """The least scale that keeps the level."""

    scale: Enclosure


class Who(Output):
    """What is leaked about every recorded group, such as a person, under a chain of its own.

    Of the `of` groups with such a chain the `worst` leaks most, and `over` do not keep the budget
    (null without one). The `least` noise keeps it for all of them, null if it is not known.
    `without` are the groups without such a chain, or without an answer; `unknown` counts those of
    them with at least 20 steps, and the groups that were not looked at. `differ`: the data are
    evidence that groups are not alike, and then the verdict counts them, unless `accepted`.
    """

    worst: str
    leakage: Leakage
    over: Annotated[int, Field(ge=0)] | None
    of: Annotated[int, Field(gt=0)]
    least: LeastFactor | LeastScale | None
    without: list[str]
    unknown: Annotated[int, Field(ge=0)]
    differ: bool
    accepted: bool


class GroupCost(Output):
    """A group, and what one chain for all costs it per step."""

    group: str
    nats_per_step: str


class GroupKind(Output):
    """A prior, the groups that it is of, and what it costs them per step against chains of their
    own.
    """

    name: str
    groups: list[str]
    records: _Size
    nats_per_step: str


class ThinGroups(Output):
    """The groups in which nothing follows some value: what all groups say stands for them, or they
    are left out.
    """

    way: Literal["pooled", "out"]
    groups: list[str]


class GroupKinds(Output):
    """Which priors hold the groups, as was `asked`; what one chain for all costs them in nats per
    step, and the groups it costs most; the kinds, none if groups are pooled or in a box.
    """

    asked: str
    groups: _Size
    nats_per_step: str
    farthest: list[GroupCost]
    kinds: list[GroupKind]
    thin: ThinGroups | None = None


class FitInput(Output):
    """The SHA-256 of the data."""

    data: Sha256


class ChainFit(Output):
    """What `pufferproof fit --json` prints: `counts[c][y]` is how often value y followed
    `contexts[c]`, the last `order` values, `transition` their relative frequencies, null beside a
    box if nothing followed.

    `records` were recorded in `sequences`, `read` from this kind of file; `missing` are values that
    were not, and steps over them and over gaps of `time` are not counted. The framework has
    `length` records of each of `people`, of which those listed in `private` are secret.
    `never_seen` are the steps that were never counted. `test` compares the order with the next one,
    `groups` each with chains of its own. `least` is there if --epsilon asks for it.
    """

    framework: str | None
    records: _Size
    sequences: _Size
    states: list[str]
    order: _Size
    contexts: list[list[str]]
    counts: list[list[_Count]]
    transition: list[list[Ratio] | None]
    initial: Literal["stationary", "counted", "any"]
    smoothing: Ratio
    absorbing: list[str]
    never: list[Pair]
    read: str | None
    time: Timing | None
    missing: _Count
    classes: NumberClasses | None
    assumed: list[str]
    never_seen: list[Pair]
    length: _Size
    people: _Size
    private: list[_Size]
    test: Comparison
    groups: Comparison | None
    doubts: list[Doubt]
    kinds: GroupKinds | None
    box: ConfidenceBox | None
    epsilon: str | None = None
    least: list[LeastNoise] | None = None
    who: Who | None = None
    rests_on: RestsOn = None
    plot: str | None
    inputs: FitInput


class NormalLaw(Output):
    """A normal law: an AR(1), or a mean and a covariance."""

    mean: _Signed | list[_Signed]
    covariance: list[list[_Signed]] | None = None
    ar1: dict[Literal["coefficient", "variance"], _Signed] | None = None


class NormalityTest(Output):
    """The statistic of Jarque and Bera for the innovations, and its p-value in long series, both
    rounded.
    """

    statistic: str
    p_value: str


class NormalFit(Output):
    """What `pufferproof fit --gaussian --json` prints: a normal law of the largest likelihood.

    `readings` were recorded in `series`; the framework has `length` records, of which those listed
    in `private` are secret. `standard_errors` are rounded, of an AR(1), in long series.
    """

    framework: str | None
    gaussian: Literal["ar1", "covariance"]
    readings: _Size
    series: _Size
    law: NormalLaw
    standard_errors: dict[Literal["mean", "coefficient", "variance"], str] | None
    normality: NormalityTest | None
    read: str | None
    time: Timing | None
    missing: _Count
    assumed: list[str]
    doubts: list[Doubt]
    length: _Size
    private: list[_Size]
    secrets: list[str]
    rests_on: RestsOn = None
    inputs: FitInput


class OwnGroup(Output):
    """A group, the chain of its own, what is leaked under it, `by` a question about this chain or
    about a box of chains that holds it; or `why` it has no answer. `excluded` pairs have a secret of
    probability 0 under this chain.
    """

    group: str
    transition: list[list[Ratio]] | None
    leakage: Leakage | None
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    by: Literal["chain", "box"] | None
    excluded: _Count
    why: str | None


class Quantile(Output):
    """A leakage that this share of the groups with an answer do not exceed: an order statistic."""

    share: Ratio
    epsilon: Enclosure


class EachInputs(Output):
    """The SHA-256 of the data and of the mechanism."""

    data: Sha256
    mechanism: Sha256


class EachFit(Trusted):
    """What `pufferproof data --each --json` prints: what a mechanism leaks about every group under a
    chain of its own.

    Of the `groups`, `answered` have an answer, and `distinct` different chains; it took so many
    `questions` about chains and boxes of chains. With a level, `kept` groups keep it, `over` do
    not, and `unknown` are not known to: among these are all without an answer. The verdict is
    SATISFIES only if all groups keep it. `worst` are names, the largest leakage first.
    """

    group: str
    mechanism: str
    table: str | None
    records: _Size
    states: list[str]
    length: _Size
    private: list[_Size]
    groups: _Size
    answered: _Count
    distinct: _Count
    questions: _Count
    epsilon: str | None
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    kept: _Count | None
    over: _Count | None
    unknown: _Count | None
    quantiles: list[Quantile]
    worst: list[str]
    each: list[OwnGroup]
    read: str | None
    time: Timing | None
    missing: _Count
    classes: NumberClasses | None
    doubts: list[Doubt]
    assumed: list[str]
    trust: list[str]
    rests_on: RestsOn = None
    inputs: EachInputs


class Fit(RootModel[ChainFit | NormalFit | EachFit]):
    """What `pufferproof fit --json` prints."""


# What `pufferproof release --json` prints.


class WorstRelease(Output):
    """The ordered pair of secrets about which all releases together tell most, and the release that
    tells most alone, counted from 1.
    """

    secret: Pair
    release: Annotated[int, Field(gt=0)]


class PlanInput(Output):
    """The SHA-256 of the plan."""

    plan: Sha256


class Release(Trusted):
    """Releases over time: `leakage` of all together, `single` of one window of every group, and
    what the budget leaves. `doubts` say what speaks against a chain that was fitted to data, and
    `assumed` what is assumed beside it.
    """

    releases: Annotated[int, Field(gt=0)]
    budget: str | None
    leakage: Leakage
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    model: Annotated[
        Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None,
        Field(description="the verdict about the model alone, beside recorded groups"),
    ] = None
    who: Who | None = None
    single: list[Leakage]
    worst: WorstRelease
    least: LeastFactor | None
    left: Leakage | None
    overlapping: bool
    shared: Shared
    doubts: list[Doubt]
    assumed: list[str]
    trust: list[str]
    rests_on: RestsOn = None
    leakage_trust: Annotated[
        list[str] | None, Field(description="of the leakage, where certificates prove the verdict, and less of it")
    ] = None
    certificate: str | None
    inputs: PlanInput
    source: Annotated[
        str | None, Field(description="what is audited of the objects of libraries whose noise is released")
    ] = None
