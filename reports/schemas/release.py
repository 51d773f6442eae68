"""What `pufferproof release --json` prints."""

from typing import Annotated, Literal

from pydantic import Field

from pufferproof.reports.schemas.fit import Doubt, LeastFactor, Who
from pufferproof.reports.schemas.values import Leakage, Output, Pair, RestsOn, Sha256, Shared, Trusted


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
