"""What `pufferproof stream --json` prints."""

from typing import Annotated, Literal

from pydantic import Field

from pufferproof.reports.schemas.values import Leakage, Output, Ratio, RestsOn, Sha256, Trusted


class StreamCorner(Output):
    """A slope of one release given the later blocks, and the smallest delta there."""

    given: str
    ratio: Ratio
    delta: Ratio


class StreamOutput(Output):
    """An output of one release, and its largest log-ratio given any two values of the later blocks,
    in both directions.
    """

    output: str
    gamma: Leakage


class StreamStep(Output):
    """One release: its leakage, the largest log-ratio given any two values of the later blocks in
    both directions, and of windows against scrubbed ones alone, as printed; the corners of the law
    on windows against that on scrubbed ones; of every output its own gamma.
    """

    largest: Leakage
    gamma: Leakage
    printed_gamma: Leakage
    outputs: list[StreamOutput]
    corners: list[StreamCorner]


class Promise(Output):
    """A published level and shift; `needed` is the smallest shift with which the releases keep the
    level, null if there are too many outputs to sum.
    """

    epsilon: Leakage
    delta: Ratio
    needed: Ratio | None


class StreamAtDelta(Output):
    """The least levels at the delta that was asked for: of the releases, null if there are too many
    outputs, and that the repaired theorem promises, null unless it speaks of such a stream: the
    delta is shared out among the steps so that the level is least, or evenly if these are many.
    """

    exact: Leakage | None
    repaired: Leakage | None
    shares: Literal["searched", "even"] | None


class StreamReleases(Output):
    """The first `t` releases: what they leak, and what Theorem 4 promises of them, as printed and
    as repaired, null unless it speaks of such a stream.
    """

    t: Annotated[int, Field(gt=0)]
    leakage: Leakage
    theorem4: Promise | None
    repaired: Promise | None
    at_delta: StreamAtDelta | None = None


class StreamWitness(Output):
    """Where the leakage of all releases is reached, and in which world its outputs are likelier."""

    outputs: list[str]
    given: str
    likelier: Literal["windows", "scrubbed"]


class StreamInput(Output):
    """The SHA-256 of the stream."""

    stream: Sha256


class Stream(Trusted):
    """Releases over a sliding window of a stream."""

    leakage: Leakage
    witness: StreamWitness
    one_step: StreamStep
    steps: list[StreamReleases]
    trust: list[str]
    rests_on: RestsOn = None
    certificate: str | None
    inputs: StreamInput
