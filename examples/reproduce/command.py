"""The command `reproduce`: published figures recomputed, with what a paper leaves open
declared, as tables and plots.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from pufferproof.examples.reproduce import curves, definitions, windows
from pufferproof.examples.reproduce.recorded import tables as recorded
from pufferproof.examples.reproduce.recorded import words as recorded_words
from pufferproof.examples.reproduce.redaction import figures as redaction
from pufferproof.examples.reproduce.redaction import influences
from pufferproof.examples.reproduce.schemas import KnownFigures, Simulated, TopK
from pufferproof.examples.reproduce.simulation import figure as quilt_figure
from pufferproof.examples.reproduce.top_k import experiment as top_k
from pufferproof.examples.reproduce.top_k import pictures, words
from pufferproof.examples.reproduce.top_k.sources import populations
from pufferproof.models.errors import ModelError
from pufferproof.models.interface.sweeps.opening import Sharing
from pufferproof.models.numbers.text import did_you_mean
from pufferproof.reports.console.drawing import plot_files
from pufferproof.reports.console.options import AsJson, ShareItems
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.telling import print_answer
from pufferproof.reports.schemas.values import Output

_MOST_REPETITIONS = 10_000
_SIMULATED = "wang2016.figure2"
_SHARED = ("--jobs", "--scheduler", "--resume", "--unit-seconds")
_SWEEPS = (_SIMULATED, top_k.NAME)
_READ = (top_k.NAME, recorded.ELECTRICITY, recorded.ACTIVITY)
_FIGURES = {
    _SIMULATED: "error of noisy histograms of long chains against log(epsilon), by estimates of pi and g and by length",
    influences.NAME: "what a neighbour of a private record says of it, by its value, and which records may be shown",
    redaction.UTILITY: "utility of redaction against epsilon: the quilt, 3R relaxed and 3R with "
    "one q, beside the bound",
    redaction.REDACTED: "how often records with the common value are redacted, by the same mechanisms at epsilon 1",
    windows.NAME: "blocks that windows of a stream share, and whether outputs are independent given these",
    curves.CHAINS: "influence curves of binary Markov chains, beside the printed closed form",
    curves.GAUSSIAN: "influence curves of truncated Gaussian priors, beside the printed recipe",
    definitions.NAME: "ten definitions of privacy as frameworks, and which of them compose",
    top_k.NAME: "accuracy, hit rate, NDCG and count error of noisy top-K queries, beside the "
    "printed tables and with exact translation",
    recorded.ELECTRICITY: "noise on histograms of the hours of ItalyPowerDemand by every rule, at epsilon 0.2, 1 and 5",
    recorded.ACTIVITY: "the same on four kinds of motion of BasicMotions",
    recorded.WEATHER: "the same on four years of days in Seattle, which come with the examples",
}


def reproduce(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="figure or table to reproduce [default: list them all]")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", metavar="DIR", help="folder for tables and plots")] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", min=0, help="seed for all random draws [default: 1]")
    ] = None,
    repetitions: Annotated[
        int | None,
        typer.Option("--repetitions", metavar="R", help="number of sequences drawn per point [default: 100]"),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="DIR",
            help=f"folder with the data sets of {top_k.NAME} [default: drawn people], or with the "
            ".ts files of ItalyPowerDemand or BasicMotions [default: those of aeon or sktime]",
        ),
    ] = None,
    *,
    share: ShareItems,
    as_json: AsJson = False,
) -> None:
    """Recompute a published figure, and show the exact values beside it."""
    sharing = share.sharing
    if sharing != Sharing() and name not in _SWEEPS:
        asked = (sharing.jobs, sharing.scheduler, sharing.resume, sharing.seconds)
        option, *_ = (each for each, value in zip(_SHARED, asked) if value is not None)
        work = "only a list" if name is None else "the work of a second for one process"
        simulated = " and ".join(_SWEEPS)
        raise ModelError(f"leave it out: {name or 'this'} is {work} ({simulated} take it)", option)
    if data is not None and name not in _READ:
        raise ModelError(f"only {', '.join(_READ)} read data: leave out this option", "--data")
    if name is None:
        if out is not None:
            raise ModelError(f"expected one of {', '.join(_FIGURES)}, found none", "NAME")
        figures = [{"name": each, "shows": shows} for each, shows in _FIGURES.items()]
        print_answer(
            KnownFigures.model_validate({"figures": figures}),
            [f"{each:<22}{shows}" for each, shows in _FIGURES.items()],
            as_json,
        )
    elif name == _SIMULATED:
        _simulate(out, 1 if seed is None else seed, repetitions, sharing, as_json)
    elif name == top_k.NAME:
        _rank(out, data, 1 if seed is None else seed, repetitions, sharing, as_json)
    elif name in _FIGURES:
        if seed is not None or repetitions is not None:
            option = "--seed" if seed is not None else "--repetitions"
            raise ModelError(f"{name} is not simulated: leave out this option", option)
        if name in recorded.NAMES:
            _recorded(name, out, data, as_json)
        else:
            _COMPUTED.get(name, _redaction)(name, out, as_json)
    else:
        hint = did_you_mean(name, _FIGURES) or f", expected one of {', '.join(_FIGURES)}"
        raise ModelError(f'unknown figure "{name[:60]}"{hint}', "NAME")


def _rank(
    out: str | None, data: str | None, seed: int, repetitions: int | None, sharing: Sharing, as_json: bool
) -> None:
    runs = _repetitions(repetitions, top_k.REPETITIONS)
    experiment = top_k.run_experiment(populations(data, seed), seed, runs, sharing=sharing)
    answer, written = experiment.as_json(), {}
    if out is not None:
        drawn, said = pictures.figure(experiment), pictures.finding(experiment)
        start = str(Path(out) / top_k.NAME)
        written = plot_files(drawn, start, said)
        written[f"{start}.csv"] = words.table(experiment).encode()
        written[f"{start}.json"] = json.dumps(answer, indent=1).encode()
    ranked = TopK.model_validate(answer | {"files": []})
    _print_figure(ranked, words.summary(experiment), written, out, as_json)


def _print_figure(
    answer: Output, lines: Sequence[str], written: dict[str, bytes], folder: str | None, as_json: bool
) -> None:
    """Write the files of a figure where a folder is given, and print what it shows."""
    if folder is not None:
        write_outputs(written, inputs=[], folder=folder)
    files = sorted(written)
    every = [*lines, *(f"written   {path}" for path in files)]
    print_answer(answer.model_copy(update={"files": files}), every, as_json)


def _repetitions(asked: int | None, usual: int) -> int:
    if asked is not None and not 2 <= asked <= _MOST_REPETITIONS:
        raise ModelError(f"expected from 2 to {_MOST_REPETITIONS}, found {asked}", "--repetitions")
    return asked or usual


def _simulate(out: str | None, seed: int, repetitions: int | None, sharing: Sharing, as_json: bool) -> None:
    runs = _repetitions(repetitions, quilt_figure.REPETITIONS)
    experiment = quilt_figure.run_experiment(seed, runs, sharing=sharing)
    answer, written = experiment.as_json(), {}
    if out is not None:
        drawn, said = quilt_figure.figure(experiment), quilt_figure.finding(experiment)
        start = str(Path(out) / _SIMULATED)
        written = plot_files(drawn, start, said)
        written[f"{start}.csv"] = quilt_figure.table(experiment).encode()
        written[f"{start}.json"] = json.dumps(answer, indent=1).encode()
    simulated = Simulated.model_validate(answer | {"files": []})
    _print_figure(simulated, quilt_figure.summary(experiment), written, out, as_json)


def _definitions(name: str, out: str | None, as_json: bool) -> None:
    """Compute Table 6 of bai2026."""
    found = definitions.table()
    written = {} if out is None else definitions.files(found, out)
    folder = None if out is None else str(Path(out) / "definitions")
    _print_figure(found, definitions.lines(found), written, folder, as_json)


def _recorded(name: str, out: str | None, data: str | None, as_json: bool) -> None:
    """Compute scales on recorded data."""
    figure = recorded.figure(name, data)
    written = {} if out is None else recorded_words.files(figure, out)
    _print_figure(figure, recorded_words.lines(figure), written, out, as_json)


def _redaction(name: str, out: str | None, as_json: bool) -> None:
    """Compute a figure of massny2025."""
    figure = redaction.figure(name)
    written = {} if out is None else redaction.files(name, out)
    _print_figure(figure, redaction.lines(figure), written, out, as_json)


def _windows(name: str, out: str | None, as_json: bool) -> None:
    """Draw Figure 2 of streaming_cw."""
    figure = windows.windows()
    written = {} if out is None else windows.files(out)
    _print_figure(figure, windows.lines(figure), written, out, as_json)


def _curves(name: str, out: str | None, as_json: bool) -> None:
    """Compute a panel of Figure 3 of bai2026."""
    figure = curves.curves(name)
    written = {} if out is None else curves.files(figure, out)
    _print_figure(figure, curves.lines(figure), written, out, as_json)


_COMPUTED = {definitions.NAME: _definitions, windows.NAME: _windows, curves.CHAINS: _curves, curves.GAUSSIAN: _curves}
