"""What `translate` answers for a guarantee per record that has a delta: (epsilon, delta) points,
or Gaussian privacy.

The largest delta at a level, or the least level at a delta, over all mechanisms that keep the
guarantee; the computation is `lp/accounts/worst.py`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from pufferproof.lp.accounts.flips import Ends
from pufferproof.lp.accounts.guarantees import BITS, Gaussian, Guarantee, Points, twice
from pufferproof.lp.accounts.worst import LEVEL_WIDTH, Worst, group_privacy, worst_delta, worst_level
from pufferproof.models.errors import ModelError
from pufferproof.models.framework import Framework
from pufferproof.models.numbers.enclosures import Enclosure, enclose, log_bounds
from pufferproof.models.numbers.grammar import exact
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, outward, rounded, text_of
from pufferproof.reports.console.options import parsed_level
from pufferproof.reports.console.words import level_nats, nats_text
from pufferproof.verify.decision import Decision, Verdict

Neighbours = Literal["replace", "add-remove"]
TRUST = ["INTERVAL", "PROSE"]
_GROUP = 500  # records up to which group privacy is computed


def guarantee_of(points: Sequence[str] | None, mu: str | None, runs: int, neighbours: Neighbours) -> Guarantee:
    """Return the guarantee that options state. Raises `ModelError`, naming the option, unless they
    state one.
    """
    if points and mu is not None:
        raise ModelError("expected one of --per-record-delta and --per-record-gdp, found both", "--per-record-gdp")
    if runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")
    once: Guarantee
    if mu is not None:
        once = Gaussian(_number(mu, "--per-record-gdp"), runs)
    else:
        read = []
        for text in points or []:
            level, found, delta = text.partition(",")
            if not found:
                raise ModelError(
                    f'expected a level and a delta such as "1,1/100000", found "{text}"', "--per-record-delta"
                )
            read.append(
                (parsed_level(level.strip(), "--per-record-delta"), _number(delta.strip(), "--per-record-delta"))
            )
        try:
            once = Points(tuple(read), runs)
        except ModelError as error:
            raise error.within("--per-record-delta") from None
    return twice(once) if neighbours == "add-remove" else once


def _number(text: str, option: str) -> Fraction:
    try:
        return exact(text)
    except ModelError as error:
        raise error.within(option) from None


@dataclass(frozen=True)
class AccountTranslation:
    """A framework, what is said of one record, and what is asked: a level, a delta, or both."""

    framework: Framework
    guarantee: Guarantee
    neighbours: Neighbours
    level: Level | None
    delta: Fraction | None

    @cached_property
    def at_level(self) -> Worst | None:
        """The largest delta at the level."""
        return None if self.level is None else worst_delta(self.framework, self.guarantee, self.level)

    @cached_property
    def at_delta(self) -> Worst | None:
        """The least level at the delta."""
        return None if self.delta is None else worst_level(self.framework, self.guarantee, self.delta)

    @cached_property
    def group(self) -> Enclosure | None:
        """What group privacy of all records says: of the least level at the delta if that is asked
        alone, else of the largest delta; None for many records.
        """
        records, delta, level = self.framework.expect_records().count, self.delta, self.level
        if records > _GROUP:
            return None
        if level is not None:
            ratio = level.bounds(BITS)
            found = group_privacy(records, self.guarantee, lambda pair: pair.delta(ratio))
            return _probabilities(found)
        found = group_privacy(records, self.guarantee, lambda pair: pair.level(delta or Fraction(0), LEVEL_WIDTH))
        return nats_between(found.lower, found.upper)

    @property
    def decision(self) -> Decision | None:
        """Whether all mechanisms keep the level but for the delta, None if only one is given."""
        if self.at_level is None or self.delta is None:
            return None
        ends = self.at_level.ends
        if ends.upper is not None and ends.upper <= self.delta:
            return Decision.HOLDS
        over = ends.lower is not None and ends.lower > self.delta
        return Decision.FAILS if over else Decision.UNDECIDED

    def as_json(self) -> JsonObject:
        """Return what the answer says."""
        named = self.at_level or self.at_delta
        decision = self.decision
        return {
            "guarantee": str(self.guarantee),
            "neighbours": self.neighbours,
            "delta": self._delta and self._delta.as_json(),
            "epsilon": self._epsilon and self._epsilon.as_json(),
            "attained": "two outputs",
            "group": self.group and self.group.as_json(),
            "bounds": [],
            "verdict": None if decision is None else Verdict.of(decision).value,
            "prior": named and named.prior,
            "pair": named and list(named.pair),
            "records": self.framework.expect_records().count,
            "trust": TRUST,
        }

    @property
    def _delta(self) -> Enclosure | None:
        if self.at_level is None:
            return None
        return _probabilities(self.at_level.ends)

    @property
    def _epsilon(self) -> Enclosure | None:
        return None if self.at_delta is None else nats_between(self.at_delta.ends.lower, self.at_delta.ends.upper)

    def lines(self) -> list[str]:
        """What is printed on a terminal."""
        takes = "takes another value" if self.neighbours == "replace" else "is added or removed"
        lines = [f"guarantee {self.guarantee}, where one record {takes}"]
        decision = self.decision
        if decision is not None and self.level is not None and self.delta is not None:
            words = f"{level_nats(self.level)} but for a probability of {text_of(self.delta)}"
            lines.insert(0, f"{Verdict.of(decision).value} {words}")
        if self._delta is not None and self.level is not None:
            lines.append(
                f"delta     {_probability(self._delta)} at {level_nats(self.level)}, the largest over all mechanisms"
            )
        if self._epsilon is not None and self.delta is not None:
            told = _nats(self._epsilon)
            lines.append(f"level     {told} at delta {text_of(self.delta)}, what all mechanisms keep")
        named = self.at_level or self.at_delta
        if named is not None:
            lines.append(f'worst     prior "{named.prior}", "{named.pair[0]}" against "{named.pair[1]}"')
        if self.group is not None:
            told = _nats(self.group) if self.level is None else _probability(self.group)
            lines.append(f"group     {told} by group privacy of all records")
        return lines


def _probabilities(ends: Ends) -> Enclosure:
    """Return two ends as an enclosure of a probability."""
    return enclose(ends.lower or Fraction(0), Fraction(1) if ends.upper is None else ends.upper)


def _probability(ends: Enclosure) -> str:
    """Say a probability: rounded where its bounds agree, else by both, rounded outward."""
    shown = rounded(ends.lower)
    if shown == rounded(ends.upper):
        return f"≈ {shown}"
    low, high = outward(ends.lower, ends.upper)
    return f"between {low} and {high}"


def _nats(ends: Enclosure) -> str:
    """Say a level that may be infinite."""
    return "infinite" if ends.lower == "inf" else nats_text(ends)


def nats_between(lower: Fraction | None, upper: Fraction | None) -> Enclosure:
    """Return the logarithms of two ratios of at least 1, None for infinite."""
    ends = []
    for place, ratio in enumerate((lower, upper)):
        if ratio is None:
            ends.append("inf")
        elif ratio == 1:
            ends.append("0")
        else:
            bounds = enclose(*log_bounds(ratio, 72))
            ends.append(bounds.lower if place == 0 else bounds.upper)
    return Enclosure(*ends)
