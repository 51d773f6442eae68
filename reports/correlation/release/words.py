"""What the page of a plan calls things: a record, a person, a release and values in the words of
the plan, and records by the times at which they begin.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from typing import Literal

from pufferproof.lp.accounting.releases.plan import WindowMechanism
from pufferproof.lp.accounting.releases.schedule import Schedule
from pufferproof.models.errors import ModelError
from pufferproof.models.files.shapes.plans import WordsShape
from pufferproof.models.framework import Framework
from pufferproof.models.noise.records import RecordQuery
from pufferproof.models.numbers.enclosures import Enclosure
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import at_least, at_most, brief, capital, fraction_of, in_quotes, rounded
from pufferproof.models.priors.records import Records
from pufferproof.reports.auditing.words import shared_lines
from pufferproof.reports.console.people import contrary_text, people_lines
from pufferproof.reports.console.words import counted, leakage_text, left_text, level_nats
from pufferproof.verify.decision import Verdict
from pufferproof.verify.leakage.ratio import Leakage

LONG = 12  # characters of a number that is written out
Kind = Literal["record", "person", "release"]
_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women"}
_NOISE = {  # kinds of noise, in words
    "laplace": "Laplace noise of scale",
    "discrete_laplace": "discrete Laplace noise of scale",
    "geometric": "two-sided geometric noise of ratio",
    "gaussian": "Gaussian noise of standard deviation",
    "discrete_gaussian": "discrete Gaussian noise of sigma^2",
}


def plural(noun: str) -> str:
    """Return the plural of an English noun.

    >>> [plural(noun) for noun in ("half-hour", "city", "day", "bus", "person", "batch")]
    ['half-hours', 'cities', 'days', 'buses', 'people', 'batches']
    """
    if noun in _IRREGULAR:
        return _IRREGULAR[noun]
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return f"{noun[:-1]}ies"
    return f"{noun}s"


@dataclass(frozen=True)
class Words:
    """The words of a plan, about its records."""

    shape: WordsShape
    framework: Framework
    column: str | None = None  # of the data that the values are of

    @property
    def records(self) -> Records:
        """The records that words are about."""
        return self.framework.expect_records()

    def one(self, kind: Kind) -> str:
        """Return what one of a kind is called."""
        said = getattr(self.shape, kind)
        if isinstance(said, list):
            return str(said[0])
        return kind if said is None else str(said)

    def many(self, kind: Kind) -> str:
        """Return what several of a kind are called."""
        said = getattr(self.shape, kind)
        return str(said[1]) if isinstance(said, list) else plural(self.one(kind))

    def counted(self, number: int, kind: Kind) -> str:
        """Say how many of a kind there are."""
        return f"{number:,} {self.one(kind) if number == 1 else self.many(kind)}"

    def value(self, label: str) -> str:
        """Return what a value is called, in quotation marks."""
        return in_quotes(self.shape.values.get(label, label))

    def record(self, number: int) -> str:
        """Return what a record is called, with its time if the plan has times."""
        if self.records.names is not None:
            return self.records.called(number)
        begins = self.shape.at(number - 1)
        when = "" if begins is None else f" ({_time(begins, self._clock)})"
        return f"{self.one('record')} {number}{when}"

    def stretch(self, first: int, last: int) -> str:
        """Return what records in a row are called, with the times from which to which they go."""
        if first == last:
            return self.record(first)
        if self.records.names is not None:
            return self.records.stretch(first, last)
        return f"{self.many('record')} {first} to {last}{self._between(first, last)}"

    def release(self, number: int) -> str:
        """Return what a release is called, at the beginning of a sentence."""
        return f"{capital(self.one('release'))} {number}"

    def times(self, first: int, last: int) -> str:
        """Return the times from which to which records go, nothing if the plan has none."""
        return self._between(first, last).strip(" ()")

    def _between(self, first: int, last: int) -> str:
        begins, ends, final = (self.shape.at(place) for place in (first - 1, last, last - 1))
        if begins is None or ends is None or final is None:
            return ""
        whole_days = begins.time() == ends.time() == time.min
        if self._clock and not whole_days:
            until = f"{ends:%H:%M}" if ends.date() == begins.date() else _time(ends, True)
            return f" ({_time(begins, True)} to {until})"
        # from which day to which: `29 June to 5 July 2026`
        if begins.date() == final.date():
            days = _time(begins, False)
        else:
            month = "" if (begins.month, begins.year) == (final.month, final.year) else f" {begins:%B}"
            year = "" if begins.year == final.year else f" {begins.year}"
            days = f"{begins.day}{month}{year} to {_time(final, False)}"
        return f" ({days})"

    @property
    def _clock(self) -> bool:
        """Whether records begin at times of a day."""
        begins, step = self.shape.at(0), self.shape.at(1)
        return begins is not None and step is not None and begins.time() != step.time()

    def query(self, release: RecordQuery) -> str:
        """Say what a release is of, without its records and its noise."""
        over = ""
        if self.framework.people > 1:
            over = f", over {self.counted(self.framework.people, 'person')}"
        if release.query == "histogram":
            return f"how often each value occurs{over}"
        if release.query == "mean":
            return f"the mean{over}"
        counted = release.counted
        if counted is None and self.records.alphabet == ("0", "1") and "1" in self.shape.values:
            counted = "1"  # a sum of zeros and ones counts the ones
        if counted is None:
            return f"the sum{over}"
        value = f"with value {self.value(counted)}"
        if self.column is not None:
            value = f"whose {in_quotes(self.column)} is {self.value(counted)}"
        return f"the number of {self.many('record')} {value}{over}"

    def covered(self, release: RecordQuery) -> str:
        """Say which records a release is of."""
        if release.of is not None:
            return self.records.all_called(tuple(map(int, release.of)))
        return self.stretch(*release.ends)

    def noise(self, release: RecordQuery) -> str:
        """Say what noise a release has."""
        kind = release.noise.kind
        return f"{_NOISE.get(kind, f'{kind} noise of scale')} {scale_text(release.noise.text)}"

    @property
    def places(self) -> Mapping[str, tuple[int, int]]:
        """The record and the value of every secret, none where secrets are of another kind."""
        try:
            return {**self.framework.places}
        except ModelError:
            return {}

    @property
    def secret_records(self) -> list[int]:
        """The records about which there are secrets."""
        places = self.places
        if not places:
            return []
        paired = {name for pair in self.framework.pairs for name in pair}
        return sorted({places[name][0] for name in paired if name in places})

    @property
    def protected(self) -> str:
        """Say what is protected: `half-hour 8000 of a home`."""
        secret, whose = self.secret_records, ""
        if not secret:
            return "a secret"
        if self.framework.people > 1 or self.shape.person is not None:
            whose = f" of one {self.one('person')}"
        if len(secret) == 1:
            return f"{self.record(secret[0])}{whose}"
        if len(secret) == self.records.count:
            return f"any {self.one('record')}{whose}"
        first, last = secret[0], secret[-1]
        if len(secret) == last - first + 1 or self.records.names is not None:
            return f"any of {self.stretch(first, last)}{whose}"
        some = self.counted(len(secret), "record")
        return f"any of {some} from {first} to {last}{self._between(first, last)}{whose}"

    def secrets(self, pair: Sequence[str]) -> tuple[str, str]:
        """Say two secrets: by their values where both are about one record."""
        known = [self.places[name] for name in pair if name in self.places]
        if len(known) < 2 or known[0][0] != known[1][0]:
            return in_quotes(pair[0]), in_quotes(pair[1])
        above, below = (self.value(self.records.alphabet[value]) for _, value in known)
        return above, below


def scale_text(text: str) -> str:
    """Write the number of a noise, rounded where it is long, as that of a float is.

    >>> scale_text("10"), scale_text("5685794529555251/562949953421312")
    ('10', '10.1 (exact value below)')
    """
    if len(text) <= LONG:
        return text
    return f"{rounded(fraction_of(text), 6)} (exact value below)"


def _time(moment: datetime, clock: bool) -> str:
    day = f"{moment.day} {moment:%B %Y}"
    return f"{day}, {moment:%H:%M}" if clock else day


# What releases over time leak, in lines for a terminal.

_DIGITS = 4  # of a factor


def release_lines(planned: Schedule) -> list[str]:
    """Say what was found."""
    plan, joint = planned.plan, planned.joint
    number = counted(len(plan.releases), "release")
    many = Words(plan.words, plan.framework).many("person")
    lines = verdict_lines(joint.verdict, plan.budget, number)
    if planned.contrary and planned.who is not None:
        lines = [contrary_text(planned.who, many)]
    lines += [f"doubt     {doubt}" for doubt in plan.doubts]
    lines += [f"assumed   {each}" for each in plan.believed]
    lines += people_lines(planned.who, many, planned.accepted)
    lines.append(f"odds      {factor_text(joint.leakage)}")
    lines += leakage_lines(leakage_text(joint.leakage), number, planned.worst)
    lines += alone_lines(plan.groups, map(leakage_text, planned.alone))
    if planned.source is not None:
        lines.append(f"source    {planned.source}")
    lines.append(f"most      release {planned.release}: {release_text(plan.releases, planned.release)}")
    over = planned.who is not None and bool(planned.who.over)
    lines += least_lines(planned.least, joint.verdict, of_model=over)
    if planned.left is not None:
        lines.append(f"left      {left_text(planned.left)}")
    return [*lines, *shared_lines(planned.shared)]


def release_notes(planned: Schedule) -> list[str]:
    """Say what one should know of a plan."""
    broken = planned.plan.budget is not None and planned.verdict is not Verdict.SATISFIES
    scaled = broken and planned.together is None
    return notes_of(planned.plan.overlapping, scaled and planned.least is None)


def verdict_lines(verdict: Verdict | None, budget: Level | None, number: str) -> list[str]:
    """Say the verdict on a budget, if there is one; `number` says how many releases there are."""
    if verdict is None:
        return []
    together = "" if number.startswith("1 ") else " together"
    return [f"{verdict.value} {level_nats(budget)}  {number}{together}"]


def leakage_lines(leakage: str, number: str, pair: Sequence[str]) -> list[str]:
    """Say what releases leak together, and about which secrets most."""
    above, below = map(in_quotes, pair)
    return [f"leakage   {leakage}  ({number})", f"          most about {above} against {below}"]


def alone_lines(groups: Sequence[Sequence[object]], leakages: Iterable[str]) -> list[str]:
    """Say what one release of each kind leaks alone."""
    return [
        f"alone     {leakage}  [[release]] {place}, {counted(len(group), 'window')}"
        for place, (group, leakage) in enumerate(zip(groups, leakages), 1)
    ]


def least_lines(least: Enclosure | None, verdict: Verdict | None, of_model: bool = False) -> list[str]:
    """Say the least factor on all scales that keeps a budget, if it is known; `of_model`: some
    group needs more.
    """
    if least is None:
        return []
    factor = at_most(least.upper, 9)
    under = " under the model" if of_model else ""
    if verdict is Verdict.SATISFIES:
        return [f"least     all scales multiplied by {factor} would still keep the budget{under}"]
    return [f"least     multiply all scales by {factor} to keep the budget{under}"]


def notes_of(overlapping: bool, no_factor: bool) -> list[str]:
    """Say what one should know of releases: that windows overlap, that no noise was enough."""
    notes = []
    if overlapping:
        notes.append("note: some windows overlap, so their records are released more than once")
    if no_factor:
        notes.append("note: no factor on the scales was found that keeps the budget")
    return notes


def factor_text(leakage: Leakage) -> str:
    """Say e^leakage.

    >>> from fractions import Fraction
    >>> factor_text(Leakage.of(Fraction(702, 31))), factor_text(Leakage.of(Fraction(4)))
    ('multiplied by at most 22.65', 'multiplied by at most 4')
    >>> factor_text(Leakage.of(None)), factor_text(Leakage(Fraction(9, 7), None))
    ('multiplied without bound', 'multiplied by at least 1.285 at some output')
    """
    if leakage.lower is None:
        return "multiplied without bound"
    if leakage.upper is None:
        return f"multiplied by at least {at_least(leakage.lower, _DIGITS)} at some output"
    return f"multiplied by at most {at_most(leakage.upper, _DIGITS)}"


def release_text(releases: Sequence[RecordQuery | WindowMechanism], number: int) -> str:
    """Say which query, table or program of which records a release is."""
    release = releases[number - 1]
    of_records = release.records.stretch(*release.ends)
    if isinstance(release, WindowMechanism):
        return f"{release.name} of {of_records}"
    counts = "count of " + in_quotes(release.counted) if release.counted else release.query
    return f"the {counts} of {of_records}, {noise_text(release)}"


def noise_text(query: RecordQuery) -> str:
    """Say the noise of a query: `laplace 10`."""
    text = query.noise.text
    return f"{query.noise.kind} {text if len(text) <= LONG else brief(fraction_of(text))}"
