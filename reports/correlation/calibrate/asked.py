"""The options of `calibrate` that say what is calibrated, and which of them go together.

This file also says what `calibrate` finds for the exponential mechanism.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

import typer

from pufferproof.models.channel import Channel
from pufferproof.models.errors import ModelError
from pufferproof.models.files.mechanisms import read_utility
from pufferproof.models.files.reading import Loaded, in_file
from pufferproof.models.mechanisms.exponential import Utility
from pufferproof.models.numbers.grammar import parse_number
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import JsonObject, did_you_mean, text_of
from pufferproof.reports.console.options import CertificateOut
from pufferproof.reports.correlation.calibrate import baselines
from pufferproof.reports.correlation.calibrate import baselines as translated
from pufferproof.reports.correlation.calibrate import task as answer
from pufferproof.reports.correlation.calibrate.baselines import Translation, per_record
from pufferproof.reports.correlation.calibrate.gaussian import ByDelta, ByOrder
from pufferproof.reports.correlation.calibrate.task import Calibration, Task
from pufferproof.verify.leakage.ratio import Leakage, leakage
from pufferproof.verify.leakage.renyi import order_of
from pufferproof.verify.noise.scale.smallest import Approximate, Divergence
from pufferproof.verify.noise.scale.smallest import Kind as NoiseKind

HISTOGRAM = "histogram"
LAPLACE, EXPONENTIAL = "pufferfish-laplace", "pufferfish-exponential"
NORMAL = "bdp-gaussian"
KNOWN = (
    "wasserstein",
    "kantorovich",
    "plan-mean",
    "markov-quilt",
    "markov-quilt-approx",
    LAPLACE,
    EXPONENTIAL,
    "gk16",
    "bdp-general",
    "bdp-markov",
    NORMAL,
    "group-dp",
)


@dataclass(frozen=True)
class Decide:
    """Options that say which noise is looked for."""

    epsilon: Annotated[str, typer.Option("--epsilon", metavar="LEVEL", help="level to keep: log(N), log(N/M) or nats")]
    mechanism: Annotated[
        str | None, typer.Option("--mechanism", metavar="NAME", help=f"rule of calibration: {', '.join(KNOWN)}")
    ] = None
    query: Annotated[
        str | None,
        typer.Option("--query", metavar="sum|mean|histogram|count=VALUE|FILE", help="query that is released"),
    ] = None
    bound: Annotated[
        str | None,
        typer.Option(
            "--bound",
            metavar="NAME",
            help="for markov-quilt-approx: bound of song2017 or wang2016, or sharp [default: song2017]",
        ),
    ] = None
    translation: Annotated[
        str | None,
        typer.Option(
            "--translation",
            metavar="RULE",
            help="for pufferfish-*: rule for the level per record, exact, best or published [default: exact]",
        ),
    ] = None
    points: Annotated[
        str | None,
        typer.Option(
            "--points",
            metavar="B,..",
            help="for best and published: curve points to use, by hidden records [default: all]",
        ),
    ] = None
    infinite: Annotated[
        bool, typer.Option("--infinite", help="for exact: take inner records of chains without ends")
    ] = False
    utility: Annotated[
        str | None,
        typer.Option("--utility", metavar="histogram|FILE", help="for pufferfish-exponential: worth of each candidate"),
    ] = None
    compare: Annotated[
        bool, typer.Option("--compare", help="compare all mechanisms that add noise [default without a rule]")
    ] = False
    tight: Annotated[
        bool, typer.Option("--tight", help="also find the smallest scale that keeps the level, from the exact leakage")
    ] = False
    delta: Annotated[
        str | None, typer.Option("--delta", metavar="P", help="delta for Gaussian noise, instead of a mechanism")
    ] = None
    renyi: Annotated[
        str | None,
        typer.Option(
            "--renyi", metavar="ALPHA", help="order of a Renyi divergence for Gaussian noise, instead of a mechanism"
        ),
    ] = None
    noise: Annotated[
        str | None,
        typer.Option(
            "--noise",
            metavar="KIND",
            help="with --delta or --renyi: kind of noise, gaussian or laplace [default: gaussian]",
        ),
    ] = None


@dataclass(frozen=True)
class Write:
    """Options that name files to write."""

    out: Annotated[str | None, typer.Option("--out", metavar="FILE", help="mechanism file to write")] = None
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="plot of the compared scales against epsilon")
    ] = None
    certificate: CertificateOut = None


@dataclass(frozen=True)
class Asked(Write, Decide):
    """The options that say what is calibrated."""

    def expect_one_question(self) -> None:
        """Raise `ModelError` unless the options go with one another."""
        questions = self.compare, self.mechanism, self.delta, self.renyi
        gaussian = self.delta is not None or self.renyi is not None
        if sum(question not in (None, False) for question in questions) > 1:
            raise ModelError(f"choose only one rule: {_RULES}", "--mechanism")
        if self.mechanism is not None and self.mechanism not in KNOWN:
            raise ModelError(
                f'unknown mechanism "{self.mechanism}"'
                + (did_you_mean(self.mechanism, KNOWN) or f", expected one of {', '.join(KNOWN)}"),
                "--mechanism",
            )
        chooses, named = self.mechanism == EXPONENTIAL, f"--mechanism {EXPONENTIAL}"
        translates = chooses or self.mechanism == LAPLACE
        both = f"--mechanism {LAPLACE} or {EXPONENTIAL}"
        approximate = self.mechanism == "markov-quilt-approx"
        one = not (self.compare or chooses or gaussian)
        for option, given, allowed, goes in (
            ("--bound", self.bound, approximate, "--mechanism markov-quilt-approx"),
            ("--translation", self.translation, translates, both),
            ("--points", self.points, translates, both),
            ("--infinite", self.infinite or None, translates, both),
            ("--utility", self.utility, chooses, named),
            ("--out", self.out, chooses or one, _ONE),
            ("--plot", self.plot, self.compare, "a comparison: leave out the rule"),
            ("--noise", self.noise, gaussian, "--delta or --renyi"),
            ("--tight", self.tight or None, one, _ONE),
            ("--certificate", self.certificate, one, _ONE),
        ):
            if given is not None and not allowed:
                raise ModelError(f"needs {goes}", option)
        if chooses and self.query is not None:
            raise ModelError(f"needs noise, not {named}", "--query")
        wanted, there = ("--utility", self.utility) if chooses else ("--query", self.query)
        if there is None:
            raise ModelError(f"expected {HISTOGRAM}, or a file" if chooses else _QUERY, wanted)

    @property
    def added(self) -> NoiseKind:
        """The kind of noise for a delta or an order."""
        kinds: dict[str, NoiseKind] = {"gaussian": "gaussian", "laplace": "laplace"}
        if (self.noise or "gaussian") not in kinds:
            raise ModelError(f'expected one of {", ".join(kinds)}, found "{self.noise}"', "--noise")
        return kinds[self.noise or "gaussian"]

    def kind(self, level: Level) -> ByDelta | ByOrder:
        """The kind of privacy for which Gaussian or Laplace noise is calibrated."""
        if self.renyi is not None:
            return ByOrder(level, _order(self.renyi, level))
        try:
            delta = parse_number(self.delta or "")
            return ByDelta(level, Approximate(level, delta).delta)
        except ModelError as error:
            raise error.at("--delta") from None

    @property
    def translated(self) -> Translation:
        """How levels are translated."""
        rule: Any = self.translation or "exact"
        if self.points is None:
            points = None
        else:
            parts = [part.strip() for part in self.points.split(",") if part.strip()]
            if not all(part.isascii() and part.isdigit() and len(part) < 10 for part in parts):
                raise ModelError(f'expected numbers of hidden records, found "{self.points}"', "--points")
            points = tuple(int(part) for part in parts)
        return Translation(rule, points, self.infinite)

    def calibrated(self, task: Task) -> Calibration:
        """Calibrate a mechanism that adds noise."""
        bound = self.bound or "song2017"
        rules: dict[str, Callable[[Task], Calibration]] = {
            "wasserstein": answer.wasserstein,
            "kantorovich": answer.kantorovich,
            "plan-mean": answer.plan_mean,
            "markov-quilt": answer.least_of_records,
            "markov-quilt-approx": lambda task: answer.approximate_quilts(task, bound),
            LAPLACE: lambda task: translated.laplace(task, self.translated),
            "gk16": baselines.inferential,
            "bdp-general": baselines.general,
            "bdp-markov": baselines.bayesian,
            NORMAL: baselines.not_normal,
            "group-dp": baselines.group,
        }
        return rules[self.mechanism or ""](task)


def _order(text: str, level: Level) -> Fraction:
    try:
        order = order_of(text)
    except ModelError as error:
        raise error.at("--renyi") from None
    try:
        return Divergence(level, order).order
    except ModelError as error:
        raise error.at("--epsilon") from None


_RULES = "--compare, --mechanism NAME, --delta P or --renyi ALPHA"
_ONE = "one mechanism: choose it by --mechanism NAME"
_QUERY = "expected one of sum, mean, histogram, count=VALUE, or a file"


@dataclass(frozen=True)
class Chooser:
    """A utility, the file that it is from, and the mechanism at a level, or why there is none."""

    utility: Utility
    file: Loaded[dict[str, JsonObject]] | None
    channel: Channel | None = None
    reason: str | None = None

    def leakage(self, task: Task) -> tuple[Leakage | None, str | None]:
        """Return the exact leakage of the mechanism, or why it is not computed."""
        if self.channel is None:
            return None, self.reason
        return leakage(task.framework, self.channel)[0], None


def read_chooser(task: Task, name: str) -> Chooser:
    """Return the utility by its name, or from a file."""
    if name == HISTOGRAM:
        return Chooser(Utility.histogram(task.records), None)
    if not os.path.exists(name):
        raise ModelError(f'expected {HISTOGRAM}, or a file, found "{name}"', "--utility")
    file = read_utility(name)
    with in_file(name):
        return Chooser(Utility.of(file.value, task.records), file)


def exponential(task: Task, translation: Translation, chooser: Chooser) -> tuple[Calibration, Chooser]:
    """Calibrate the exponential mechanism, and make it where databases can be listed."""
    moved = chooser.utility.sensitivity
    if not moved:
        raise ModelError("expected a utility that depends on the records", "--utility")
    made = per_record(task, translation, 2 * moved)
    details: JsonObject = {"sensitivity": text_of(moved), "translation": made.told}
    changes = f"a utility changes by at most {text_of(moved)} when one record does"
    assumed = [*made.assumed, changes]
    calibration = Calibration(made.scale, assumed, None, details, made.notes, claims=made.claims)
    try:
        level = 2 * moved / (made.scale.upper or Fraction(1))
        channel, _ = chooser.utility.mechanism(level)
    except ModelError as error:
        return calibration, Chooser(chooser.utility, chooser.file, None, error.what)
    return calibration, Chooser(chooser.utility, chooser.file, channel)
