"""The command `critical`: the smallest budget at which releases within it can leak everything.

Prints an enclosure that is decided at both ends, and the exact number where it is recognised and
proved. The search is `lp/cones/critical.py` and `counterexamples/collapse/threshold.py`.
"""

from typing import Annotated, Any

import typer

from pufferproof.counterexamples.collapse.threshold import Threshold, search_threshold
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.critical import WIDTH
from pufferproof.lp.cones.separation import Undecided
from pufferproof.lp.cones.supports import targets
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.grammar import enclose, log_bounds, outward, text_of
from pufferproof.reports.console.options import (
    AsJson,
    FrameworkFile,
    NormalizePriors,
    seconds_from,
)
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import (
    print_answer,
    priors_json,
    priors_lines,
    warn,
)
from pufferproof.reports.console.words import counted


def critical(
    framework: FrameworkFile,
    runs: Annotated[
        int | None,
        typer.Option(
            "--runs", metavar="K", help="number of releases, as many as it takes if left out"
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", metavar="S", callback=seconds_from(0.001), help="when to stop"),
    ] = 120.0,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Find the smallest budget at which releases that all keep it can leak everything together."""
    if runs is not None and runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")

    with working("looking for the critical budget"):
        space = read_listed(framework, normalize)
        divided = priors_lines(space.value.normalized, framework)
        most = max((len(target.needed) for target in targets(Columns(space.value))), default=1)
        answer: dict[str, Any] = {"runs": runs, "inputs": hashes(framework=space)}
        answer |= priors_json(space.value.normalized)
        many = counted(runs, "release") if runs is not None else "any number of releases"
        try:
            found = search_threshold(space.value, min(most, runs or most), seconds)
        except Undecided as stopped:
            warn([*divided, f"warning: {stopped}"])
            print_answer({**_undecided(), **answer}, [f"critical  undecided: {many}"], as_json)
            raise typer.Exit(3) from None
    warn(divided)
    print_answer({**_described(found), **answer}, _lines(found, many), as_json)
    wide = found is not None and found.enclosure.upper - found.enclosure.lower > WIDTH
    raise typer.Exit(3 if wide else 0)


def _undecided() -> dict[str, Any]:
    keys = ("collapses", "lower", "upper", "epsilon", "power", "value", "exact", "attained")
    return {**dict.fromkeys(keys), "trust": []}


def _described(found: Threshold | None) -> dict[str, Any]:

    if found is None:
        return {**_undecided(), "collapses": False, "trust": ["EXACT"]}
    ends = found.enclosure
    exact = ends.lower == ends.upper
    low, high = log_bounds(ends.lower, 72)[0], log_bounds(ends.upper, 72)[1]
    return {
        "collapses": True,
        "lower": text_of(ends.lower),
        "upper": text_of(ends.upper),
        "epsilon": enclose(
            low if ends.lower > 1 else low * 0, high if ends.upper > 1 else high * 0
        ).as_json(),
        "power": found.power,
        "value": None if found.value is None else text_of(found.value),
        "exact": found.exact,
        "attained": True if found.exact else False if found.least else None,
        "trust": ["EXACT"]
        if exact or not (found.exact or found.least)
        else ["EXACT", "Z3", "CVC5"],
    }


def _lines(found: Threshold | None, many: str) -> list[str]:

    have, leak = ("has", "leaks") if many == "1 release" else ("have", "leak")
    if found is None:
        return [
            f"critical  none: {many} {have} finite joint leakage at every budget",
            "trust     EXACT",
        ]
    answer, enough = _described(found), many.replace("any number of", "enough")
    root = f"log({answer['value']})" + (f" / {found.power}" if found.power == 2 else "")
    between = "between {} and {} nats".format(
        *outward(answer["epsilon"]["lower"], answer["epsilon"]["upper"])
    )
    if found.exact and found.value == 1:
        lines = [f"critical  every budget, even {root}: {enough} can leak everything"]
    elif found.exact:
        lines = [
            f"critical  {root}, {between}",
            f"          {enough} can leak everything at this budget, not below it",
        ]
    elif found.least:
        lines = [
            f"critical  at least {root}, {between}",
            f"          {many} {leak} a finite amount at this budget and below it",
        ]
    else:
        lines = [f"critical  {between}", f"          {enough} can leak everything above, not below"]
        if found.value is not None:
            lines.append(
                f"          the only simple number in it, not proved to be the threshold: {root}"
            )
    return [*lines, f"trust     {', '.join(answer['trust'])}"]
