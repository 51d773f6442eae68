"""All tests of a fitted chain, as one family: words and doubts go by p-values that are corrected
for the number of tests (`comparison.holm`).

A test counts if the data are long enough for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pufferproof.models.files.recorded.doubts.comparison import (
    EVIDENCE,
    WEAK,
    About,
    Comparison,
    Doubt,
    holm,
)
from pufferproof.models.files.recorded.doubts.order import order_test
from pufferproof.models.files.recorded.doubts.phases import (
    Season,
    Steps,
    says_of_season,
    says_of_trend,
    season,
    trend,
)
from pufferproof.models.files.recorded.doubts.recordings import Ends, Together, ends, together
from pufferproof.models.files.recorded.doubts.saying import Likeness, likeness
from pufferproof.models.priors.records import preview


@dataclass(frozen=True)
class Evidence:
    """What is tested: sequences of values, the group of each, by its number, those that groups end
    with, the time of the first value of each in steps, and the periods of time in steps.
    """

    sequences: Sequence[Sequence[int]]
    members: Sequence[int]
    order: int = 1
    last: Sequence[int] = ()
    starts: Sequence[float] = ()
    periods: Sequence[tuple[str, float]] = ()
    absorbing: Sequence[int] = field(default=())

    @property
    def several(self) -> bool:
        """Whether there are two groups or more."""
        return len(set(self.members)) > 1


@dataclass(frozen=True)
class Family:
    """The tests of a chain. Comparisons that it returns know how many there are."""

    evidence: Evidence

    @cached_property
    def _steps(self) -> Steps:
        of = self.evidence
        steps = Steps.of(of.sequences, of.order, of.starts, of.members)
        likely = self._likeness is None or self._likeness.comparison.p_value >= WEAK
        return steps if likely else steps.by(of.members)

    @cached_property
    def _order(self) -> Comparison:
        return order_test(self.evidence.sequences, self.evidence.order, self.evidence.members)

    @cached_property
    def _likeness(self) -> Likeness | None:
        of = self.evidence
        return likeness(of.sequences, of.order, of.members) if of.several else None

    @cached_property
    def _season(self) -> Season:
        return season(self._steps, self.evidence.periods)

    @cached_property
    def _ends(self) -> Ends:
        return ends(self._steps, self.evidence.last, self.evidence.absorbing)

    @cached_property
    def _together(self) -> Together | None:
        return together(self._steps, self.evidence.members) if self.evidence.several else None

    @cached_property
    def _tests(self) -> Mapping[About, Comparison]:
        tests: dict[About, Comparison] = {
            "order": self._order,
            "season": self._season.comparison,
            "trend": trend(self._steps),
            "ends": self._ends.comparison,
        }
        if self._likeness is not None:
            tests["groups"] = self._likeness.comparison
            if self._likeness.odd is not None:
                tests["odd"] = self._likeness.odd.comparison
        if self._together is not None:
            tests["copies"] = self._together.comparison
        return tests

    @cached_property
    def tests(self) -> Mapping[About, Comparison]:
        """Every test by what it is about, those that data are too short for with the rest."""
        tests = self._tests
        corrected = holm({name: test.p_value for name, test in tests.items() if test.degrees})
        return {
            name: replace(test, corrected=corrected.get(name, 1.0)) for name, test in tests.items()
        }

    @property
    def likeness(self) -> Likeness | None:
        """The comparison of groups with one chain for all, None without groups; that of the group
        that is least like all, if its p-value is smaller and the sum of all is no evidence.
        """
        found, tests = self._likeness, self.tests
        if found is None or found.odd is None or tests["groups"].judged < EVIDENCE:
            return found and Likeness(tests["groups"], found.farthest)
        if tests["odd"].judged < tests["groups"].judged:
            return Likeness(tests["odd"], found.odd.group)
        return Likeness(tests["groups"], found.farthest)

    @property
    def independence(self) -> bool:
        """Whether it was tested that groups are independent of one another."""
        return self._together is None or self._together.tested

    def doubts(self, states: Sequence[str], groups: Sequence[str]) -> list[Doubt]:
        """Return what speaks against the chain at all times, in all recordings."""
        says: Mapping[About, Callable[[Comparison], str]] = {
            "season": lambda test: says_of_season(replace(self._season, comparison=test)),
            "trend": says_of_trend,
            "ends": lambda test: _says_of_ends(test, self._ends, states),
            "copies": lambda test: _says_of_copies(test, self._together, groups),
        }
        found = []
        for name, say in says.items():
            test = self.tests.get(name)
            if test is not None and test.doubtful:
                found.append(Doubt(name, say(test), test.p_value, test.corrected))
        return found


def _says_of_ends(test: Comparison, found: Ends, states: Sequence[str]) -> str:
    """Say where recordings end, and what to do."""
    return (
        f"{test.p_text}: {test.against('recordings that end by chance')}: {found.count} of "
        f"{found.ends} end with {preview([states[found.value]])}, and the chain goes on there (if "
        "recordings end because of what was recorded, add a last row to each, such as end, and "
        "name it with --absorbing)"
    )


def _says_of_copies(test: Comparison, found: Together | None, groups: Sequence[str]) -> str:
    """Say how groups depend on one another, and what to do."""
    what = "groups move together"
    if found is not None and found.pair is not None:
        what = f"groups {preview([groups[k] for k in found.pair])} are alike at the same times"
    elif found is not None and found.against:
        what = "groups move against one another"
    return (
        f"{test.p_text}: {test.against('groups that are independent of one another')}: {what}, so "
        "that what is released of all tells more about each than the chain says (release each "
        "group by itself, or write a framework whose records have all of them)"
    )
