"""What `translate` answers: the worst case over all mechanisms of per-record levels, and the
published bounds.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from pufferproof.lp.levels import RecordLevels
from pufferproof.lp.translation.bits.endless import RESTS_ON as ENDLESS_RESTS_ON
from pufferproof.lp.translation.bits.endless import Kernel, endless_kernels, endless_ratio
from pufferproof.lp.translation.bits.worst import EXACT_CLAIMS
from pufferproof.lp.translation.listed import Domain
from pufferproof.lp.translation.published import PublishedTranslation, least, published_bounds
from pufferproof.lp.translation.sets import WorstCase, enclosed
from pufferproof.lp.translation.translate import worst_case
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.text import JsonObject
from pufferproof.verify.decision import united
from pufferproof.verify.leakage.ratio import Leakage

ENDLESS_CLAIMS = [*united(EXACT_CLAIMS, ENDLESS_RESTS_ON)]


@dataclass(frozen=True)
class Translation:
    """A framework, the level of every record summed over releases, and what follows."""

    framework: Framework
    levels: RecordLevels
    domain: Domain = "product"
    infinite: bool = False

    @cached_property
    def worst(self) -> WorstCase | None:
        """The worst case, None for an endless chain."""
        return None if self.infinite else worst_case(self.framework, self.levels, self.domain)

    @cached_property
    def exact(self) -> Leakage | None:
        """The largest leakage, or None if only bounds are known."""
        if self.worst is not None:
            return self.worst.leakage if self.worst.exact else None
        ends = [endless_ratio(kernel, self.levels.largest) for kernel in self._kernels()]
        if any(high is None for _, high in ends):
            return Leakage(None, None)
        lows, highs = ([end or Fraction(1) for end in side] for side in zip(*ends))
        return Leakage(max(lows), max(highs))

    def _kernels(self) -> list[Kernel]:
        """Return the chains. Raises `ModelError` unless an endless chain makes sense."""
        if not self.levels.equal:
            raise ModelError("expected one level for all records of an endless chain", "--levels")
        return endless_kernels(self.framework)

    @cached_property
    def published(self) -> tuple[list[PublishedTranslation], str | None]:
        """The published bounds, and why there are none."""
        if self.domain == "possible":
            return [], "group privacy needs a domain with all sequences of values"
        if self.infinite:
            return [], "the influence curve is computed for chains of given length"
        try:
            return published_bounds(self.framework, self.levels), None
        except ModelError as error:
            return [], error.what

    @property
    def claims(self) -> list[str]:
        """The claims that the exact number, or the bound, rests on."""
        return claims_of(self.worst)

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The claims that the answer rests on, those of the published bounds included."""
        return united(self.claims, *(bound.claims for bound in self.published[0]))

    def as_json(self) -> JsonObject:
        """Return what the answer says of leakages."""
        bounds = [
            {"name": "published", "hidden": bound.hidden, "epsilon": bound.enclosure().as_json()}
            for bound in self.published[0]
        ]
        if bounds:
            best = least(self.published[0])
            bounds.append({"name": "best", "hidden": best.hidden, "epsilon": best.enclosure().as_json()})
        worst, exact = self.worst, self.exact
        if worst is not None and exact is None:
            upper = enclosed(Leakage.of(worst.leakage.upper), (worst.ends[1], worst.ends[1]))
            bounds.append({"name": worst.bound, "hidden": None, "epsilon": upper.as_json()})
        return {
            "bounds": bounds,
            "exact": exact and exact.as_json(),
            "at_least": self.at_least,
            "attained": worst and worst.attained,
            "prior": worst and worst.prior,
            "pair": worst and list(worst.pair),
            "domain": self.domain,
            "records": "infinite" if self.infinite else self.levels.count,
            "level": self.levels.largest.enclosure().as_json(),
            "claims": self.claims,
            "trust": self.trust,
            "rests_on": self.rests_on,
        }

    @property
    def at_least(self) -> JsonObject | None:
        """What a mechanism that was found leaks, where the largest leakage is not known: the
        leakage object of the file formats.
        """
        if self.worst is None or self.worst.exact:
            return None
        told, level = Leakage.of(self.worst.leakage.lower or Fraction(1)), self.worst.ends[0]
        if level is None:
            return told.as_json()
        return {"ratio": None, "epsilon": level.enclosure().as_json()}

    @property
    def trust(self) -> list[str]:
        """What the exact number, or the bound, rests on besides the claims."""
        exact = self.exact
        closed = exact is not None and (exact.infinite or exact.ratio is not None)
        return ["EXACT"] if closed else ["EXACT", "INTERVAL"]


def claims_of(worst: WorstCase | None) -> list[str]:
    """Return the claims that a worst case rests on, that of an endless chain if None."""
    return ENDLESS_CLAIMS if worst is None else list(worst.claims)
