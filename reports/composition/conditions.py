"""The command `conditions`: which conditions that compose a mechanism meets, and the budget each
gives.

Prints the leakage alone first, then for every condition the smallest level, what it says of several
runs, and whether it holds at the level asked for. The computation is `lp/conditions.py`.
"""

from typing import Annotated

import typer
from rich.table import Table as RichTable

from pufferproof.lp.conditions import Condition, Conditions, composition_conditions
from pufferproof.models.numbers.enclosures import enclose
from pufferproof.models.numbers.text import at_most, brief, rounded, three
from pufferproof.reports.auditing.words import audit_lines
from pufferproof.reports.console.drawing import FOR, INK, MARK, Axis, Bar, Bars, Panel, Part, Plot, Rule, plot_file
from pufferproof.reports.console.labels import label_text
from pufferproof.reports.console.options import (
    AsJson,
    Code,
    Databases,
    DecidedLevel,
    FrameworkFile,
    MechanismFile,
    Normalize,
    PlotOut,
    parsed_level,
)
from pufferproof.reports.console.outputs import write_outputs
from pufferproof.reports.console.streams import paragraph, working
from pufferproof.reports.console.telling import Question, tell
from pufferproof.reports.console.words import counted, level_nats, never_checked_lines, rich_table, trust_line
from pufferproof.reports.schemas import composition as schema
from pufferproof.verify.decision import Decision

_HOLDS = {Decision.HOLDS: "yes", Decision.FAILS: "no", Decision.UNDECIDED: "undecided"}

# what each condition asks of a database of one secret, at the level: worse by that factor at most
_MEANS = (
    "an output is at most e^level times as likely for a database as for databases of the other "
    "secret: for each that a coupling pairs with it (transport), in geometric mean over those "
    "(coupling), for one of them (one-hot), or in some geometric mean (nfc)"
)


def conditions(
    framework: FrameworkFile,
    mechanism: MechanismFile,
    code: Code,
    epsilon: DecidedLevel = None,
    runs: Annotated[
        int | None,
        typer.Option("--runs", metavar="K", min=1, help="number of runs whose leakage each condition bounds"),
    ] = None,
    plot: PlotOut = None,
    normalize: Normalize = False,
    databases: Databases = None,
    as_json: AsJson = False,
) -> None:
    """Find the conditions under which levels of a mechanism add up, and the smallest level of
    each.
    """
    level = parsed_level(epsilon)

    with working("computing the level of each condition"):
        question = Question.read(framework, mechanism, normalize, databases, code.calls)
        met = composition_conditions(question.framework.value, question.mechanism.value, level)
        drawn = plot_file(plot, lambda: conditions_plot(met))
        write_outputs(drawn, plot, inputs=[framework, mechanism, databases])
    lines, budget = conditions_lines(met), None
    if runs is not None:
        # the least that a condition bounds the leakage of so many runs by
        many, bound = counted(runs, "run"), met.budget(runs)
        budget = schema.RunsBudget(runs=runs, condition=None, at_most="inf")
        if bound is None:
            lines.append(f"budget    no condition bounds {many}")
        else:
            condition, nats = bound
            least = {"runs": runs, "condition": condition.name, "at_most": enclose(nats, nats).upper}
            budget = schema.RunsBudget.model_validate(least)
            leak = f"{'leaks' if runs == 1 else 'leak'} at most {at_most(budget.at_most, 12)} nats"
            lines.append(f"budget    {many} {leak}, by {condition.name}")
    fields = question.answer(met.as_json(), budget=budget and budget.as_json())
    answer = schema.Conditions.model_validate(fields)
    notes = [*question.notes(), *never_checked_lines(met.single.scope)]
    lines += paragraph("means", _MEANS, 92)
    lines.append(trust_line(answer.trust, rests_on=answer.rests_on))
    status = 0
    if met.level is not None:  # 1 if the promise is violated or nothing composes, 3 if too close to tell
        status = 3 if met.undecided else int(met.weakest is None)
        status = 1 if _said(met["promise"]) == "no" else status
    tell(answer, lines, notes, as_json, conditions_view(met), status)


def conditions_lines(met: Conditions) -> list[str]:
    """Render what matters most for a terminal: the promise itself, and the weakest condition
    that is met.
    """
    lines = audit_lines(met.single)
    at = "" if met.level is None else f" at {level_nats(met.level)}"
    weakest, exact = met.weakest, met.weakest_exact
    if weakest is None:
        doubt = "none is known to be met" if met.undecided else "none is met"
        return [*lines, f"composes  {doubt}{at}: see the levels below"]
    lines.append(f"composes  the weakest condition met{at} is {weakest.name}: {_budget(weakest)}")
    if exact is not None and exact is not weakest:
        lines.append(f"          the weakest that composes exactly is {exact.name}: {_budget(exact)}")
    return lines


def conditions_view(met: Conditions) -> RichTable:
    """Return the table of all conditions for a terminal."""
    header = ["condition", "smallest level", "K runs (nats)", "post-processing", "nats", f"at {level_nats(met.level)}"]
    rows = [
        [one.name, _level(one), _budget(one), "kept", rounded(one.enclosure().upper), _said(one)]
        for one in met.conditions
    ]
    wide = len(header) if met.level is not None else len(header) - 1
    return rich_table(header[:wide], [row[:wide] for row in rows], left=4)


def _level(one: Condition) -> str:
    if not one.finite:
        return "none"
    if one.exact is None:
        return f"≈ {rounded(one.enclosure().upper)}"
    root = "" if one.exact[1] == 1 else f"/{one.exact[1]}"
    return f"log({brief(one.exact[0])}){root}"


def _budget(one: Condition) -> str:
    if one.constant is None or not one.finite:
        return "no bound for several runs" if one.name == "promise" else "no level, no budget"
    nats = rounded(one.enclosure().upper, 7)
    return f"at most K * {nats}" + ("" if one.constant == 1 else f" + log({brief(one.constant)})")


def _said(one: Condition) -> str:
    return "" if one.holds is None else _HOLDS[one.holds]


def conditions_plot(met: Conditions) -> Plot:
    """Return the least level of every condition, and the level asked for."""
    rows = [Bar.of(one.name, one.enclosure(), FOR if one.constant is None else MARK) for one in met.conditions]
    bars, along = Bars(rows), "least level at which the condition is met (nats)"
    parts: list[Part] = [bars]
    asked = 0.0
    if met.level is not None:
        asked = float(met.level.enclosure().upper)
        parts.append(Rule(f"level {label_text(level_nats(met.level), 28)}", asked, INK, "--"))
    axis = Axis(along, 0, max(1.3 * bars.longest, 1.05 * asked))
    weakest, at = met.weakest, "" if met.level is None else f" at {level_nats(met.level)}"
    if weakest is None:
        state = "known to be met" if met.undecided else "met"
        conditions_finding = f"No condition that composes is {state}{at}."
    else:
        least = float(weakest.enclosure().upper)
        said = f"The weakest condition that composes and is met{at} is {weakest.name}"
        conditions_finding = f"{said}, from {three(least)} nats on."
    return Plot(conditions_finding, [Panel(parts, axis)], 1.5 + 0.34 * len(rows))
