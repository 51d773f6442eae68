"""The command `reveal`: how many runs of a mechanism it takes until a secret, or the whole
database, is certain.

Prints the exact expected number of runs and the probability of having revealed it by run k, for
every prior and secret, and draws that probability. The computation is
`verify/leakage/runs/revealing.py`.
"""

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from pufferproof.models.errors import ModelError
from pufferproof.models.files.question import read_noisy
from pufferproof.models.files.reading import Loaded, hashes
from pufferproof.reports.auditing.any_form import refuse_options
from pufferproof.reports.composition.plots.releases import revealing_plot
from pufferproof.reports.console.drawing import plot_file
from pufferproof.reports.console.options import (
    AsJson,
    Code,
    Databases,
    FrameworkFile,
    MechanismFile,
    Normalize,
    plot_name,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import working
from pufferproof.reports.console.telling import Question, priors_json, priors_lines, tell, with_programs
from pufferproof.reports.console.words import chance_text, times_text, trust_line
from pufferproof.reports.schemas.composition import Reveal
from pufferproof.verify.leakage.runs.revealing import MAX_RUNS, Observer, RevealingRow, unrevealed


def reveal(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    code: Code,
    runs: Annotated[int, typer.Option("--runs", metavar="K", help="number of runs to follow")] = 10,
    plot: Annotated[
        str | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            callback=plot_name,
            help="plot of the probability that the secret is certain (.svg, .png, .pdf)",
        ),
    ] = None,
    normalize: Normalize = False,
    databases: Databases = None,
    as_json: AsJson = False,
) -> None:
    """Compute how many independent runs it takes until a secret, or the whole database, is
    certain.
    """
    if not 0 <= runs <= MAX_RUNS:
        raise ModelError(f"expected from 0 to {MAX_RUNS}, found {runs}", "--runs")
    with working("computing what every run reveals"):
        noisy = read_noisy(framework, mechanism, normalize)
        if noisy is None:
            question = Question.read(framework, mechanism, normalize, databases, code.calls)
            loaded, channel = question.framework, question.mechanism
            released: Loaded[Any] = channel
            rows = list(Observer(loaded.value, channel.value).rows(runs))
            notes = question.notes()
        else:
            # noise shows every output whatever the database: nothing becomes certain that was not
            refuse_options(noisy, {"--databases": databases})
            loaded, released = noisy.framework, noisy.mechanisms[0]
            if loaded.value.classes:
                raise ModelError("expected single laws, found a class of priors", loaded.path)
            rows = list(unrevealed(loaded.value, runs))
            notes = priors_lines(loaded.value.normalized, loaded.path)
        write_outputs(plot_file(plot, lambda: revealing_plot(rows)), plot, inputs=[framework, mechanism, databases])
    fields = {
        "reveal": [row.as_json() for row in rows],
        "runs": runs,
        "trust": ["EXACT"],
        "rests_on": [],
        "inputs": hashes(framework=loaded, mechanism=released),
        **priors_json(loaded.value.normalized),
    }
    answer = Reveal.model_validate(with_programs(fields, released))
    if loaded.value.closure == "convex":
        notes.append('note: "closure" is "convex", and the rows are for the listed priors only, not for their mixtures')
    tell(answer, [*reveal_lines(rows), trust_line(answer.trust, rests_on=answer.rests_on)], notes, as_json)


def reveal_lines(rows: Sequence[RevealingRow]) -> list[str]:
    """Render what is revealed for a terminal: for every prior and secret, or once for all where
    it is always the same.
    """
    blocks: dict[str, list[str]] = {}
    for row in rows:
        other = row.pair[1] if row.given == row.pair[0] else row.pair[0]
        title = f'prior "{row.prior}", given "{row.given}" (against "{other}")'
        chance = f"certain by run {len(row.law.curve) - 1} with probability {chance_text(row.law.curve[-1])}"
        if row.law.never == 1:
            when = "never certain, however many runs"
        elif row.law.expected is None:
            when = f"never with probability {chance_text(row.law.never)}; {chance}"
        else:
            when = f"expected run {times_text(row.law.expected)}; {chance}"
        blocks.setdefault(title, []).append(f"  {row.goal:<9} {when}")
    first = next(iter(blocks.values()), [])
    if len(blocks) > 1 and all(block == first for block in blocks.values()):
        return [f"the same answer for every prior and every secret of a pair ({len(blocks)} cases)", *first]
    return [line for title, block in blocks.items() for line in (title, *block)]
