"""The command `critical`: the smallest budget at which releases within it can leak everything.

Prints an enclosure that is decided at both ends, and the exact number where it is recognised and
proved. The search is `lp/cones/critical.py` and `counterexamples/collapse/threshold.py`.
"""

from fractions import Fraction
from typing import Annotated

import typer

from pufferproof.counterexamples.collapse.threshold import Threshold, search_threshold
from pufferproof.lp.cones.columns import Columns
from pufferproof.lp.cones.critical import WIDTH, critical_rests_on
from pufferproof.lp.cones.separation import Undecided
from pufferproof.lp.cones.supports import targets
from pufferproof.models.errors import ModelError
from pufferproof.models.files.frameworks import read_listed
from pufferproof.models.files.reading import hashes
from pufferproof.models.numbers.enclosures import enclose, log_bounds
from pufferproof.models.numbers.text import JsonObject, outward, text_of
from pufferproof.reports.console.options import AsJson, FrameworkFile, NormalizePriors, Seconds
from pufferproof.reports.console.progress import working
from pufferproof.reports.console.telling import priors_json, priors_lines, tell
from pufferproof.reports.console.words import counted, trust_line
from pufferproof.reports.schemas.composition import Critical


def critical(
    framework: FrameworkFile,
    runs: Annotated[
        int | None,
        typer.Option("--runs", metavar="K", help="number of releases (default: any)"),
    ] = None,
    seconds: Seconds = 120.0,
    normalize: NormalizePriors = False,
    as_json: AsJson = False,
) -> None:
    """Find the smallest budget at which releases can reveal everything together."""
    if runs is not None and runs < 1:
        raise ModelError(f"expected at least 1, found {runs}", "--runs")

    with working("looking for the critical budget"):
        space = read_listed(framework, normalize)
        columns = Columns(space.value)
        threshold = _searched(columns, runs, seconds)
    asked = {"runs": runs, "inputs": hashes(framework=space), **priors_json(space.value.normalized)}
    answer = Critical.model_validate(_described(threshold) | _proof(threshold, columns) | asked)
    notes = [f"warning: {threshold}"] if isinstance(threshold, Undecided) else []
    notes = [*priors_lines(space.value.normalized, framework), *notes]
    tell(answer, _lines(threshold, answer), notes, as_json, code=_code(threshold))


def _searched(columns: Columns, runs: int | None, seconds: float) -> Threshold | Undecided | None:
    """Return the threshold, or None if there is none, or why none was found in time."""
    most = max((len(target.needed) for target in targets(columns)), default=1)
    try:
        return search_threshold(columns.framework, min(most, runs or most), seconds)
    except Undecided as stopped:
        return stopped


def _code(threshold: Threshold | Undecided | None) -> int:
    """Return 3 where the threshold is not known, or only to be in a wide interval."""
    if not isinstance(threshold, Threshold):
        return 0 if threshold is None else 3
    return 3 if threshold.enclosure.upper - threshold.enclosure.lower > WIDTH else 0


def _described(threshold: Threshold | Undecided | None) -> JsonObject:
    """Return what is known of the threshold: nothing where the search ended early."""
    if not isinstance(threshold, Threshold):
        keys = ("lower", "upper", "epsilon", "power", "value", "exact", "attained")
        return {**dict.fromkeys(keys), "collapses": False if threshold is None else None}
    ends = threshold.enclosure
    return {
        "collapses": True,
        "lower": text_of(ends.lower),
        "upper": text_of(ends.upper),
        "epsilon": _nats(ends.lower, ends.upper),
        "power": threshold.power,
        "value": None if threshold.value is None else text_of(threshold.value),
        "exact": threshold.exact,
        "attained": threshold.attained.value,
    }


def _nats(lower: Fraction, upper: Fraction) -> dict[str, str]:
    """Return bounds of the logarithms; that of 1 is 0."""
    low = log_bounds(lower, 72)[0] if lower > 1 else Fraction(0)
    high = log_bounds(upper, 72)[1] if upper > 1 else Fraction(0)
    return enclose(low, high).as_json()


def _proof(threshold: Threshold | Undecided | None, columns: Columns) -> JsonObject:
    """Return what the answer rests on: nothing where there is none; the solvers where they prove
    that the number is the threshold, or a bound of it.
    """
    if isinstance(threshold, Undecided):
        return {"trust": [], "rests_on": []}
    ends = threshold and threshold.enclosure
    proved = threshold and (threshold.exact or threshold.least)
    solvers = ["Z3", "CVC5"] if proved and ends and ends.lower != ends.upper else []
    return {"trust": ["EXACT", *solvers], "rests_on": critical_rests_on(columns)}


def _lines(threshold: Threshold | Undecided | None, answer: Critical) -> list[str]:
    runs = answer.runs
    many = "any number of releases" if runs is None else counted(runs, "release")
    if isinstance(threshold, Undecided):
        return [f"critical  undecided: {many}"]
    have = "has" if runs == 1 else "have"
    if threshold is None:
        none = f"critical  none: {many} {have} finite joint leakage at every budget"
        return [none, trust_line(answer.trust, rests_on=answer.rests_on)]
    trust = trust_line(answer.trust, rests_on=answer.rests_on)
    return [*_threshold_lines(threshold, answer, many), trust]


def _threshold_lines(threshold: Threshold, answer: Critical, many: str) -> list[str]:
    enough = many.replace("any number of", "enough")
    root = f"log({answer.value})" + (f" / {threshold.power}" if threshold.power == 2 else "")
    epsilon = _nats(threshold.enclosure.lower, threshold.enclosure.upper)
    between = "between {} and {} nats".format(*outward(epsilon["lower"], epsilon["upper"]))
    if threshold.exact and threshold.value == 1:
        return [f"critical  every budget, even {root}: {enough} can leak everything"]
    if threshold.exact:
        return [
            f"critical  {root}, {between}",
            f"          {enough} can leak everything at this budget, not below it",
        ]
    if threshold.least:
        leak = "leaks" if answer.runs == 1 else "leak"
        return [
            f"critical  at least {root}, {between}",
            f"          {many} {leak} a finite amount at this budget and below it",
        ]
    lines = [f"critical  {between}", f"          {enough} can leak everything above, not below"]
    simple = f"          the only simple number in it, not proved to be the threshold: {root}"
    return lines if threshold.value is None else [*lines, simple]
