"""The page of evidence, for who decides and not for who computes: the verdict first, what it means,
who made it and of what, one chart, whether the model is right; then what is proved, computed,
assumed, and not proved. The same stands as plain text in `explain.txt`.
"""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, exp, inf, log

import pufferproof
from pufferproof.models.numbers.text import JsonObject, at_most, three
from pufferproof.reports.console.labels import rendered
from pufferproof.reports.console.words import claims_text, three_nats
from pufferproof.reports.explaining.kinds import MORE, Said, said
from pufferproof.reports.explaining.picture import Picture
from pufferproof.reports.explaining.proved import claim_text, digits_line, headlines, odds_text, proved_leakage
from pufferproof.reports.schemas.values import bases
from pufferproof.verify.leakage.ratio import Leakage

_BADGES = {"SATISFIES": "good", "VIOLATES": "bad"}
_NEARLY = Fraction(999, 1000)  # from which a probability in percent has four digits
_CERTAIN = Fraction(9_999, 10_000)  # from which it is not written

FEW_BARS = 12  # that each have a number below
MOST_BARS = 60  # of many releases a bar is the largest of several
_ROUND = (1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2.0, 3.0, 5.0)
_APART = 0.2  # of the height, between labels
_ROOM = 1.08  # above the largest


@dataclass(frozen=True)
class Bar:
    """A bar: its height in percent, whether it is over the budget, what it says, and a mark on a
    bar without bound.
    """

    height: float
    over: bool
    says: str
    mark: str = ""


@dataclass(frozen=True)
class Line:
    """A line across the chart at a height in percent, with its label."""

    height: float
    label: str


@dataclass(frozen=True)
class Chart:
    """A chart: its title, which says what it shows; bars, and one of all together; lines at factors
    and at the budget; and what stands below: the number of every bar, or those of the first, the
    middle and the last.
    """

    title: str
    bars: tuple[Bar, ...]
    together: Bar
    lines: tuple[Line, ...]
    budget: Line | None
    below: tuple[str, ...]
    unit: str

    @property
    def few(self) -> bool:
        """Whether every bar has its number."""
        return len(self.bars) == len(self.below)

    @classmethod
    def of(cls, title: str, nats: Sequence[float], together: float, budget: float | None, unit: str) -> "Chart":
        """Return the chart of what releases leak, in nats, `inf` if it has no bound.

        >>> chart = Chart.of("Two weeks", [0.5, 1.5], 1.6, 1.0, "week")
        >>> [(round(bar.height), bar.over) for bar in chart.bars], chart.below
        ([(29, False), (87, True)], ('1', '2'))
        """
        finite = [each for each in (*nats, together, budget or 0.0) if each < inf]
        top = (max(finite, default=0.0) or 1.0) * _ROOM
        size = ceil(len(nats) / MOST_BARS)
        groups = [(k, nats[k : k + size]) for k in range(0, len(nats), size)]

        def bar(value: float, name: str) -> Bar:
            over = budget is not None and value > budget
            factor = "without bound" if value == inf else f"by at most {_factor(value)}"
            height = 100.0 if value == inf else 100 * value / top
            return Bar(max(height, 0.6), over, f"{name}: {factor}", "∞" if value == inf else "")

        bars = tuple(
            bar(max(group), f"{unit} {k + 1}" + (f" to {k + len(group)}" if len(group) > 1 else ""))
            for k, group in groups
        )
        line = None
        if budget is not None:
            line = Line(100 * budget / top, f"budget {_factor(budget, three)}")
        count = len(nats)
        below = [1, (count + 1) // 2, count] if count > FEW_BARS else [*range(1, count + 1)]
        whole = bar(together, "all together")
        return cls(title, bars, whole, _lines(top), line, tuple(map(str, below)), unit)


def _lines(top: float) -> tuple[Line, ...]:
    """Return lines at round factors, far enough from one another."""
    tens = [10.0**k for k in range(1, int(top / log(10)) + 1)]
    factors = [*_ROUND, *tens, *(5 * ten for ten in tens)]
    chosen = [0.0]
    for nats in sorted(map(log, factors), reverse=True):
        if nats < top and all(abs(nats - other) > _APART * top for other in chosen):
            chosen.append(nats)
    return tuple(Line(100 * nats / top, f"{exp(nats):,.10g}") for nats in sorted(chosen))


def _factor(nats: float, written: Callable[[float], str] = at_most) -> str:
    """Return e to so many nats with three digits, rounded up or to the nearest."""
    return written(exp(nats)) if nats < 30 else f"e^{written(nats)}"


@dataclass(frozen=True)
class Evidence:
    """What goes into a zip: certificates, that which carries the verdict first; the framework and
    mechanisms as they were read, by their names in the zip; and what the page says.
    """

    certificates: Sequence[JsonObject]
    framework: tuple[str, bytes]
    mechanisms: Sequence[tuple[str, bytes]]
    leakage: Leakage
    verdict: str = ""
    lines: Sequence[str] = ()
    digits: Sequence[str] = ()  # the numbers of these lines with all digits
    unread: Mapping[str, str] = field(default_factory=dict)  # file to a form in it
    drawn: Sequence[Picture] = ()
    plots: Sequence[tuple[str, bytes, str]] = ()  # name, file, and what it shows
    title: str = "What this release tells"
    others: Mapping[str, bytes] = field(default_factory=dict)
    runs: int = 1  # of every mechanism, each with an entry of its own in the certificates
    test: str = ""  # that keeps the promise, for pytest
    doubts: Sequence[str] = ()  # about the model that was fitted to data
    contrary: bool = False  # the data are evidence against the model
    claims: Sequence[str] = ()  # that numbers rest on which no certificate proves
    assumed: Sequence[str] = ()  # besides what certificates assume
    paths: Sequence[str] = ()  # of a program, in lines
    draws: JsonObject | None = None  # of programs, and how to repeat them
    sources: Sequence[tuple[str, str, list[str]]] = ()  # file, hash, and lines of programs
    odds: Callable[[Leakage], str] = odds_text  # says a leakage as a factor
    nats: str = ""  # says the leakage in nats, where more is to be said
    asked: str = ""  # what the verdict is about, beside the badge
    facts: Sequence[tuple[str, str]] = ()  # what the page is about, by names
    model: Sequence[str] = ()  # why the model is acceptable, or not
    chart: Chart | None = None

    @property
    def inputs(self) -> list[str]:
        """The names of the files that certificates are about, in their order."""
        released = [name for name, _ in self.mechanisms for _ in range(self.runs)]
        return [self.framework[0], *released]


def told(
    evidence: Evidence, documents: Mapping[str, JsonObject], statements: Mapping[str, str], work: str
) -> tuple[str, str]:
    """Return the page, and the same in plain text, given what the kernel states of every
    certificate, and how much work it must be allowed.
    """
    known = proved_leakage(documents.values())
    words = {name: said(document) for name, document in documents.items()}
    # what is shown first of the leakage, which is proved, and what is only computed
    nats = evidence.nats or f"The leakage is {three_nats(evidence.leakage)}."
    shown, computed = headlines(known, evidence.leakage, nats, evidence.odds)
    rests_on = claims_text(bases(evidence.claims)).removeprefix(", ")
    # what each proves, for readers, in words, and in those of the kernel
    proved = [
        {
            "name": name,
            "finding": claim_text(document["kind"], document["claim"]),
            "proved": words[name].proved,
            "means": words[name].means,
            "statement": statements[name],
        }
        for name, document in documents.items()
    ]
    bounded = any(document["kind"].endswith("leakage-at-most") for document in documents.values())
    packages = [] if evidence.draws is None else evidence.draws["packages"].items()
    compared = [] if evidence.unread else evidence.inputs
    fields = {
        "title": evidence.title,  # first the verdict, what it is about, doubts, and pictures
        "verdict": evidence.verdict,
        "badge": _badge(evidence.verdict, evidence.contrary),
        "asked": evidence.asked or evidence.verdict.partition(" ")[2],
        "doubts": list(evidence.doubts),
        "means": belief_text(known),
        "facts": [*evidence.facts, ("Made on", made_on())],
        "model": list(evidence.model),
        "chart": evidence.chart,
        "pictures": list(evidence.drawn),
        "plots": [{"name": name, "finding": finding} for name, _, finding in evidence.plots],
        "shown": shown,
        "computed": [*computed, *evidence.lines, *([f"This {rests_on}."] if rests_on else [])],
        "digits": [*filter(None, [digits_line(evidence.leakage)]), *evidence.digits],
        "proved": proved,
        "assumed": _assumed(evidence, words.values()),
        # what no certificate proves, beside another bound of a level
        "unproved": _sentences(word.open for word in words.values() if not (bounded and word.open == MORE)),
        "paths": list(evidence.paths),
        "sources": list(evidence.sources),
        "packages": [
            " ".join(filter(None, [name, str(package["version"]), package["sha256"]])) for name, package in packages
        ],
        "test": evidence.test,
        "matched": not evidence.unread,
        "inputs": _few(evidence.inputs),
        "work": work,
        "command": " ".join([f"python3 -I -S kernel{work} certificate.json", *_few(compared)]),
    }
    page = rendered("evidence.html.j2", fields)
    return page, _text(fields)


def _badge(verdict: str, contrary: bool) -> dict[str, str] | None:
    """Return the badge of a verdict, as reports have it, None without one: none is green if the
    data are contrary to the model.
    """
    word = verdict.partition(" ")[0].rstrip(":")
    if not word:
        return None
    kind = _BADGES.get(word, "open")
    return {"kind": "open" if contrary and kind == "good" else kind, "word": word}


def made_on() -> str:
    """Say the day, in UTC, or that of `SOURCE_DATE_EPOCH`, and the version of this program."""
    now = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH") or time.time()))
    version = pufferproof.__version__
    return f"{now.tm_mday} {time.strftime('%B %Y', now)}, with pufferproof {version}"


def belief_text(proved: Leakage) -> str:
    """Say what a proved leakage means for somebody who held two secrets for equally likely; nothing
    if no bound is proved.

    Odds of 1 to 1 become at most r to 1: a probability of r / (1 + r).

    >>> belief_text(Leakage(Fraction(1), Fraction(3)))
    'If two secrets are equally likely before, neither is more likely than 75% afterwards.'
    >>> belief_text(Leakage(Fraction(1), Fraction(1500)))
    'If two secrets are equally likely before, neither is more likely than 99.94% afterwards.'
    """
    if proved.upper is None:
        return ""
    share = proved.upper / (1 + proved.upper)
    if share == Fraction(1, 2):
        return "Nothing is learnt: what was equally likely before is equally likely afterwards."
    if share > _CERTAIN:
        return "If two secrets are equally likely before, one of them may be all but certain."
    percent = at_most(100 * share, 4 if share > _NEARLY else 3)
    before = "If two secrets are equally likely before"
    return f"{before}, neither is more likely than {percent}% afterwards."


def _text(fields: JsonObject) -> str:
    doubts = [f"Doubt: {doubt}." for doubt in fields["doubts"]]
    text = [fields["title"], fields["verdict"], *doubts, *fields["shown"]]
    text += [fields["means"], *(f"{name}: {fact}" for name, fact in fields["facts"])]
    text += [*fields["model"], "" if fields["chart"] is None else fields["chart"].title]
    text += [f"Computed, not certified: {each}" for each in fields["computed"]]
    text += [
        f"Proved ({each['name']}): {each['proved']}; {each['means']}. In the kernel's words: {each['statement']}."
        for each in fields["proved"]
    ]
    text += fields["paths"]
    text += [f"File of the program: {name}, {sha256}" for name, sha256, _ in fields["sources"]]
    text += [f"Package of the program: {each}" for each in fields["packages"]]
    text += [f"Not proved: {each}" for each in fields["unproved"]]
    text += [f"Assumed: {each}" for each in fields["assumed"]]
    text += [f"All digits: {digit}" for digit in fields["digits"]]
    return "\n".join(filter(None, text)) + "\n"


def _assumed(evidence: Evidence, words: Iterable[Said]) -> list[str]:
    """Return what certificates assume, and which forms the kernel did not compare."""
    unread = [
        f'that "{form}" of {name} says what the certificate has written out: the kernel does not '
        "read it, and checked the certificate alone"
        for name, form in evidence.unread.items()
    ]
    doubtful = [f"that the fitted chain is right, despite this doubt: {doubt}" for doubt in evidence.doubts]
    said = (word.assumed for word in words)
    return _sentences([*doubtful, *said, *unread, *evidence.assumed])


def _sentences(said: Iterable[str]) -> list[str]:
    return [f"{fromkey}." for fromkey in dict.fromkeys(said) if fromkey]


def _few(names: list[str]) -> list[str]:
    return names if len(names) < 6 else [*names[:3], "..", names[-1]]
