"""What the commands about several releases print: `compose`, `reveal`, `partner`, `worst`,
`collapse`, `optimal`, `conditions` and `critical`.
"""

from typing import Annotated, Literal

from pydantic import Field

from pufferproof.reports.schemas.audit import Delta
from pufferproof.reports.schemas.values import (
    Account,
    AuditInputs,
    Bound,
    Enclosure,
    FrameworkInput,
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
)


class ComposeInputs(Output):
    """The SHA-256 of the files that were composed."""

    framework: Sha256
    mechanisms: list[Sha256]
    files: NamedFiles = None


class Claimed(Output):
    """A level claimed for a mechanism, and whether one release keeps it."""

    level: str
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]


class Together(Output):
    """Whether all releases together keep a level; with a delta, the smallest one at it."""

    level: str
    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]
    delta: Delta | None = None


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


class LedgerBound(Output):
    """A bound of the leakage of all releases of a ledger, `at_most` null where there is none and
    `how` says why.

    `joint` is the exact joint leakage of mechanisms that do not depend on outputs; the others hold
    for all mechanisms of their levels. `exact`: some of those leak as much. It rests on `claims`.
    """

    name: Literal["joint", "worst", "quilt", "published"]
    at_most: Leakage | None
    how: str
    exact: bool
    claims: list[str]


class LedgerAccount(Output):
    """The account of a ledger: releases `before` and `now`, bounds of what they leak together, and
    the least of them.
    """

    file: str
    before: Annotated[int, Field(ge=0)]
    now: Annotated[int, Field(gt=0)]
    adaptive: bool
    bounds: list[LedgerBound]
    at_most: Leakage


class PublishedCondition(Output):
    """A condition of a theorem; `margin` is its distance to the threshold in `unit`, negative where
    it is not met, null where there is none to measure.
    """

    says: str
    met: bool
    margin: Annotated[str, Field(pattern=r"^-?[0-9.e+-]+$")] | None
    unit: str | None


class PrintedClaim(Output):
    """What a paper prints, and the recorded verdict on it."""

    claim: str
    verdict: str


class PublishedBound(Output):
    """A published bound of the joint leakage, null with a `reason` where its conditions are not met
    or it is not computed; it is `above` the joint leakage by so many nats.

    It rests on `claim`. `parts` are the levels, influences or divergence that it is made of.
    """

    theorem: Literal["III.1", "III.3", "III.6", "III.7"]
    claim: str
    printed: PrintedClaim
    applies: bool
    bound: Leakage | None
    above: Enclosure | None
    smallest: bool
    conditions: list[PublishedCondition]
    parts: dict[str, Leakage]
    reason: str | None


class Compose(Trusted):
    """What `pufferproof compose --json` prints; `single` has one entry per mechanism, each released
    `runs` times.

    `checked` is null beyond 2^53 inequalities, and where the joint leakage of noise is too large to
    compute and lies between bounds. With a ledger `joint` is that of all its releases, null where
    it is not computed.
    """

    single: list[Leakage | None]
    joint: Leakage | None
    additive: bool | None
    runs: Annotated[int, Field(gt=0)]
    shared: Shared
    witness: JointWitness | None
    excluded: int | None
    never_checked: list[Pair]
    checked: Annotated[int, Field(gt=0)] | None
    trust: list[str]
    rests_on: RestsOn = None
    sum: Annotated[Leakage | None, Field(description="of the single leakages of all releases; noise only")] = None
    account: Annotated[Account | None, Field(description="noise only; null where the accountant does not apply")] = None
    window: Annotated[
        Window | None, Field(description="of noise, where it is the least bound: from the law of records nearby")
    ] = None
    tilted: Annotated[
        Tilted | None, Field(description="where it is the least: what the record tells, and those on its sides")
    ] = None
    published: Annotated[
        list[PublishedBound] | None,
        Field(description="what song2017 says of these releases together; null with a ledger"),
    ] = None
    ledger: LedgerAccount | None = None
    rate: Annotated[list[Enclosure] | None, Field(description="nats a run, one per mechanism")] = None
    inputs: ComposeInputs
    claimed: list[Claimed] | None = None
    nfc: NfC | None = None
    together: Together | None = None
    normalized_priors: NormalizedPriors = None
    certificate: str | None = None


class SampledDelta(Enclosure):
    """Bounds of the smallest delta at a level; its ratio is not known."""

    ratio: None


class SampledNeighbours(Output):
    """How two neighbours differ."""

    relation: Literal["add-remove", "substitute"]
    changes: Annotated[int, Field(gt=0)]


class ComposeSampled(Trusted):
    """What `pufferproof compose --json` prints of mechanisms that draw a fresh sample in every run,
    and of events of dp_accounting: `delta` at `level`, or `epsilon` at `bound`.

    `about` says which databases bounds hold for, and which reach them; `reached`: the upper bound
    is one of databases, up to the width of the bounds.
    """

    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"] | None
    level: str | None
    bound: str | None
    delta: SampledDelta | None
    epsilon: Enclosure | None
    runs: Annotated[int, Field(gt=0)]
    neighbours: SampledNeighbours
    shared: str
    about: str
    reached: bool
    notes: list[str]
    trust: list[str]
    rests_on: RestsOn = None
    inputs: ComposeInputs


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


class Reveal(Trusted):
    """What `pufferproof reveal --json` prints."""

    reveal: list[RevealRow]
    runs: Annotated[int, Field(ge=0)]
    trust: list[str]
    rests_on: RestsOn = None
    inputs: AuditInputs
    normalized_priors: NormalizedPriors = None


class Partner(Trusted):
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
    rests_on: RestsOn = None
    partner: str
    certificate: str | None
    inputs: AuditInputs
    normalized_priors: NormalizedPriors = None


class WorstBounds(Output):
    """Certified bounds of a worst ratio that was not decided."""

    lower: Ratio
    upper: Ratio | Literal["inf"]


class Worst(Trusted):
    """What `pufferproof worst --json` prints: the most that any mechanisms within the budgets leak
    together.

    `joint` is exact, or an enclosure for irrational levels; the certified interval, as `bounds` is,
    where `decided` is false. `stopped` says what ended the search then: `work` that is counted, the
    number of `rays`, or the `seconds` that were given; null if there was nothing left to do.
    """

    joint: Leakage
    decided: bool
    stopped: Literal["work", "seconds", "rays"] | None = None
    bounds: WorstBounds | None
    finite: bool | None
    finite_for_all_runs: bool | None
    collapse_number: Annotated[int, Field(ge=2)] | None
    budgets: list[str]
    per_record_dp: str | None
    single: list[Leakage]
    witness: JointWitness
    method: Literal["closed form", "linear program", "supports", "extreme rays", "bounds", "members"]
    rays: list[int] | None
    excluded: int
    never_checked: list[Pair]
    trust: list[str]
    rests_on: RestsOn = None
    mechanisms: list[str] | None
    certificate: str | None
    certifies: Literal["worst case", "upper bound", "joint leakage of the mechanisms"] | None
    inputs: FrameworkInput
    normalized_priors: NormalizedPriors = None


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


class CollapseInputs(Output):
    """The SHA-256 of the files that were read."""

    framework: Sha256
    mechanism: Sha256 | None
    files: NamedFiles = None


class Collapse(Trusted):
    """What `pufferproof collapse --json` prints: `found` is null when undecided, false when proved
    impossible.

    `mechanisms` has one file per release that was built; `searched` says what a verdict other than
    true speaks of. `above` is the level to be exceeded, null when everything is to leak.
    """

    found: bool | None
    runs: Annotated[int, Field(gt=0)] | None
    joint: Leakage | None
    mechanisms: list[str]
    certificate: str | None
    witness: CollapseWitness | None
    fewest: bool | None
    searched: str | None
    bounds: list[ColumnBound]
    given: Leakage | None
    trust: list[str]
    rests_on: RestsOn = None
    inputs: CollapseInputs
    smallest: list[Literal["outputs", "rows", "denominator", "sum", "entries"]] | None
    normalized_priors: NormalizedPriors = None
    above: str | None


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

    verdict: Literal["SATISFIES", "VIOLATES", "UNDECIDED"]
    leakage: Leakage
    loss: ExpectedLoss
    gap: ExpectedLoss


class OptimalInputs(Output):
    """The SHA-256 of the files read."""

    framework: Sha256
    loss: Sha256
    mechanism: Sha256 | None = None
    kernels: Sha256 | None = None
    files: NamedFiles = None


class Optimal(Trusted):
    """What `pufferproof optimal --json` prints; `loss` is the least expected loss, its upper
    bound that of the file written.
    """

    level: str
    per_record_dp: str | None
    prior: str | None
    loss: ExpectedLoss
    leakage: Leakage
    compose: Composing | None
    trust: list[str]
    rests_on: RestsOn = None
    compare: Compared | None
    mechanism: str
    certificate: str | None
    inputs: OptimalInputs
    normalized_priors: NormalizedPriors = None


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


class Conditions(Trusted):
    """What `pufferproof conditions --json` prints."""

    level: str | None
    conditions: list[Condition]
    laws: list[Law]
    rate: Enclosure
    weakest: Literal["nfc", "one-hot", "coupling", "transport"] | None
    weakest_exact: Literal["coupling", "transport"] | None
    excluded: int
    never_checked: list[Pair]
    trust: list[str]
    rests_on: RestsOn = None
    budget: RunsBudget | None
    inputs: AuditInputs
    normalized_priors: NormalizedPriors = None
