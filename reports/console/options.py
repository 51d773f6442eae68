"""The options that several commands share, each as one annotated type, and how levels are read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Literal, Protocol

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.programs import FORMS, MAX_RELEASES, Calls, arguments_of
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.numbers.grammar import probability
from pufferproof.models.numbers.level import Level
from pufferproof.models.numbers.text import quoted
from pufferproof.reports.console.outputs import allow_replacing, expect_new, expect_outputs, resuming
from pufferproof.reports.console.telling import warn

FrameworkFile = Annotated[str, typer.Argument(metavar="FRAMEWORK", help="framework file, JSON or TOML")]
MechanismFile = Annotated[
    str, typer.Argument(metavar="MECHANISM", help="mechanism file (JSON, TOML, CSV, .npy) or module:function")
]
AsJson = Annotated[bool, typer.Option("--json", help="print one JSON object")]
AcceptDoubt = Annotated[
    bool,
    typer.Option(
        "--accept-doubt", help="take the model's verdict although groups differ and some do not keep the level"
    ),
]
Home = Annotated[str | None, typer.Option("--home", metavar="ADDRESS", help="with --out: start page to link to")]
Benchmarks = Annotated[
    str | None, typer.Option("--benchmarks", metavar="FILE", help="with --start: Markdown table to show as well")
]
OutputFormat = Annotated[
    Literal["text", "json", "github"],
    typer.Option(
        "--output-format",
        metavar="NAME",
        help="text, json (the same as --json), or github (text, and an annotation of the file for a workflow)",
    ),
]
CertificateOut = Annotated[
    str | None, typer.Option("--certificate", metavar="FILE", help="certificate to write, for `pufferproof check`")
]
EvidenceOut = Annotated[
    str | None,
    typer.Option(
        "--evidence",
        metavar="FILE.zip",
        help="zip to write: a page, the inputs, the certificates, and a checker in plain Python",
    ),
]
Claims = Annotated[list[str] | None, typer.Option("--claims", metavar="FILE", help="file or folder of more claims")]
Normalize = Annotated[bool, typer.Option("--normalize", help="rescale rows and priors that do not sum to 1")]
NormalizePriors = Annotated[bool, typer.Option("--normalize", help="rescale priors that do not sum to 1")]
Databases = Annotated[
    str | None,
    typer.Option("--databases", metavar="FILE", help="file with the row labels of a .npy matrix, one per line"),
]
_MOST_SECONDS = 1_000_000

TrustCode = Annotated[bool, typer.Option("--trust-code", help="allow module:function, and run its code")]
TrustClaims = Annotated[
    bool, typer.Option("--trust-code", help="allow Python in documents and files of claims, and run it")
]
RecordsForm = Annotated[
    str,
    typer.Option(
        "--records",
        metavar="FORM",
        help="how module:function gets records: text, list or array, or each (every record in a run of its own)",
    ),
]
Arguments = Annotated[
    list[str] | None,
    typer.Option("--with", metavar="NAME=VALUE", help="argument for module:function, such as epsilon=1/2; repeatable"),
]
NoAgreement = Annotated[
    bool, typer.Option("--no-agreement", help="do not compare the law of module:function with its own draws")
]
ObjectRuns = Annotated[
    int,
    typer.Option("--runs", metavar="K", help="for module:Class: number of releases of one object that make one output"),
]


# What `--resume` and `--ledger` name goes on, and is not written over.
_WRITING = {"--out", "--evidence", "--plot", "--csv", "--page", "--coq", "--smtlib", "--steps"}


class CommandParameter(Protocol):
    """An option or an argument of a command, as typer makes it."""

    name: str
    opts: Sequence[str]
    metavar: str
    param_type_name: str


def _writes(parameter: CommandParameter) -> bool:
    """Whether an option names a file or a folder to write."""
    option = parameter.opts[0]
    return (option in _WRITING or option.endswith("-certificate")) and bool(parameter.metavar)


_FRESH = {"audit", "release", "stream"}  # commands whose folder has to be new or empty


def expect_all_outputs(command: str, parameters: Sequence[Any], values: Mapping[str, Any]) -> None:
    """Raise `ModelError` if an output of a command cannot be written, before anything is read or
    computed. With `--resume` a file that is there as it would be written is no obstacle; a zip of
    evidence is one.
    """
    resuming(values.get("resume") is not None)
    named = {p.name: p for p in parameters if _writes(p) and isinstance(values[p.name], str)}
    if "plot" in named:
        from pufferproof.reports.console.drawing import plot_format

        plot_format(values["plot"])
    one_file = values.get("formula") is not None  # which `explore` writes in place of a folder
    folders = [k for k, p in named.items() if "DIR" in p.metavar and not one_file]
    given = [value for key, value in values.items() if key not in named]
    inputs = [x for value in given for x in (value if isinstance(value, list) else [value])]
    expect_outputs(
        [values[name] for name in named if name not in folders],
        [values[name] for name in folders],
        [path for path in inputs if isinstance(path, str)],
        [values[name] for name in folders if command in _FRESH],
    )
    if isinstance(evidence := values.get("evidence"), str):
        expect_new(evidence)


def _allowed(
    replace: Annotated[
        bool, typer.Option("--replace", expose_value=False, callback=allow_replacing, help="overwrite existing files")
    ] = False,
) -> None:
    """Carry the option `--replace`, which every command has that writes files."""


def replacing_option(parameters: Sequence[CommandParameter]) -> list[CommandParameter]:
    """Return the option `--replace` of a command that writes files, nothing for others."""
    if not any(_writes(parameter) for parameter in parameters):
        return []
    alone = typer.Typer(add_completion=False)
    alone.command()(_allowed)
    made: Any = typer.main.get_command(alone)
    return [param for param in made.params if param.name == "replace"]


def format_of(name: str, as_json: bool) -> tuple[bool, bool]:
    """Return whether the answer is printed as JSON, and whether an annotation is."""
    if as_json and name not in ("text", "json"):
        raise ModelError(f"cannot be combined with --json, found {name}", "--output-format")
    return as_json or name == "json", name == "github"


def parsed_level(text: str | None, option: str = "--epsilon") -> Any:
    """Read a LEVEL option. Raises `ModelError`, naming the option, unless it is a level."""
    try:
        return None if text is None else Level.parse(text)
    except ModelError as error:
        raise error.within(option) from None


def parsed_delta(text: str | None, level: str | None, option: str = "--epsilon") -> Fraction | None:
    """Read --delta, which goes with an option that has a level. Raises `ModelError` unless it is a
    probability.
    """
    if text is None:
        return None
    if level is None:
        raise ModelError(f"needs {option} as well", "--delta")
    return probability(text, "--delta")


def plot_name(path: str | None) -> str | None:
    """Return the name of a plot. Raises `ModelError` unless it ends as plots do, before anything is
    computed.
    """
    if path is not None:
        from pufferproof.reports.console.drawing import plot_format

        plot_format(path)
    return path


def seconds_from(least: float) -> Callable[[float | None], float | None]:
    """Return the check of an option that takes a time: a number of seconds from `least` on, and
    no more than 11 days.
    """

    def check(seconds: float | None) -> float | None:
        if seconds is not None and not least <= seconds <= _MOST_SECONDS:  # false for nan, too
            raise typer.BadParameter(f"expected {least:g} to {_MOST_SECONDS} seconds, found {seconds:g}")
        return seconds

    return check


DecidedLevel = Annotated[
    str | None, typer.Option("--epsilon", metavar="LEVEL", help="level to decide: log(N), log(N/M) or nats")
]
PlotOut = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", callback=plot_name, help="plot of the answer (.svg, .png or .pdf)"),
]
Seconds = Annotated[
    float | None,
    typer.Option(
        "--seconds",
        metavar="S",
        callback=seconds_from(0.001),
        help="time limit in seconds [default: none, as work is counted]",
    ),
]
Jobs = Annotated[
    int | None, typer.Option("--jobs", metavar="N", min=1, help="number of processes [default: all processors]")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="address of a dask scheduler whose workers do the work, tcp://HOST:PORT"
    ),
]
Resume = Annotated[
    str | None,
    typer.Option("--resume", metavar="STORE", help="file that keeps finished items, which are skipped next time"),
]
TrustStore = Annotated[bool, typer.Option("--trust-store", help="accept answers in STORE from another user or machine")]
UnitSeconds = Annotated[
    float | None, typer.Option("--unit-seconds", metavar="S", min=0.001, help="time limit for one item, in seconds")
]


@dataclass(frozen=True)
class Printed:
    """Options that say in which form an answer is printed."""

    title: ClassVar = "Show"
    as_json: AsJson = False
    output_format: OutputFormat = "text"

    @property
    def form(self) -> tuple[bool, bool]:
        """Whether the answer is printed as JSON, and whether an annotation is."""
        return format_of(self.output_format, self.as_json)


def calls_of(
    trusted: bool, records: str = "text", arguments: Sequence[str] | None = None, runs: int = 1, alone: bool = False
) -> Calls:
    """Return how code is called. Raises `ModelError`, naming the option, unless it can be."""
    if records not in FORMS:
        raise ModelError(f"expected {' or '.join(FORMS)}, found {quoted(records)}", "--records")
    if not 1 <= runs <= MAX_RELEASES:
        raise ModelError(f"expected 1 to {MAX_RELEASES}, found {runs}", "--runs")
    return Calls(trusted, records, arguments_of(arguments or ()), runs, compared=not alone)


@dataclass(frozen=True)
class Code:
    """Options that say whether code may run, and how it is called."""

    title: ClassVar = "Input"
    trust_code: TrustCode = False
    records: RecordsForm = "text"
    arguments: Arguments = None
    no_agreement: NoAgreement = False

    @property
    def calls(self) -> Calls:
        """How code is called. Raises `ModelError` unless it can be."""
        return calls_of(self.trust_code, self.records, self.arguments, alone=self.no_agreement)


@dataclass(frozen=True)
class Input(Code):
    """Options that say how files are read."""

    title: ClassVar = "Input"
    normalize: Normalize = False
    databases: Databases = None


@dataclass(frozen=True)
class Share:
    """Options that say who works, and where finished items are kept."""

    jobs: Jobs = None
    scheduler: Scheduler = None
    resume: Resume = None
    trusting: TrustStore = False

    @property
    def sharing(self) -> Sharing:
        """How work is shared; at the end a line on standard error says how many answers were read
        from STORE.
        """
        return Sharing(**vars(self), note=lambda line: warn([line]))


@dataclass(frozen=True)
class ShareItems(Share):
    """The same, with a time limit for each item."""

    title: ClassVar = "Share"
    seconds: UnitSeconds = None
