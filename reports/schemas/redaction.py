"""What `redact` prints."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel

from pufferproof.reports.schemas.certificates import Exact
from pufferproof.reports.schemas.values import Enclosure, Leakage, Output, Pair, Ratio, RestsOn, Trusted


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


class RedactionDesign(Trusted):
    """A strategy that was computed: `r` is [r_t(0), r_t(1)] per record, null where the optimum is
    no local redaction.

    `reached` is the exact utility of that mechanism. Of a program that was solved by cvxpy:
    `solver`, and of the second of two the `difference`, how much less its utility is.

    Of a given profile, and of several private records, also: does the leakage about all of them
    keep the level, what is leaked about each, and which of them are released with positive
    probability.
    """

    name: str
    utility: Enclosure
    leakage: Leakage
    r: list[Pair] | None
    trust: list[str]
    rests_on: RestsOn = None
    reached: Exact
    solver: Literal["exact", "cvxpy"] | None = None
    difference: str | None = None
    witness: WorstOutput | None = None
    keeps: bool | None = None
    records: list[RecordLeakage] | None = None
    reveals: list[int] | None = None
    realised: Realised | None = None
    simulation: Sampled | None = None


class SkippedDesign(Output):
    """A strategy that was not computed, and why."""

    name: str
    skipped: str


class FirstOrder(Output):
    """Chi-square of a second-order chain against a first-order one: a small p-value speaks
    against the chain. It is from `draws`, or, if they are 0, from the law of chi-square.
    """

    statistic: Ratio
    degrees: Literal[0, 1, 2]
    p_value: str
    draws: Annotated[int, Field(ge=0)]


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


class AlphabetRedaction(Output):
    """A strategy on a chain of any number of values: `r` has r_t(x) per record, in alphabet
    order.
    """

    name: str
    utility: Ratio
    leakage: Leakage
    r: list[list[Ratio]]
    rests_on: RestsOn = None


class AlphabetRedact(Output):
    """What `redact --chain` prints with --json."""

    alphabet: list[str]
    private: list[int]
    strategies: list[AlphabetRedaction]


class AnyRedact(RootModel[Redact | AlphabetRedact]):
    """What `redact --json` prints: with `--chain` the designs for a chain of any number of
    values.
    """

    model_config = ConfigDict(title="redact")
