"""What `fit` prints: what was read and counted, what speaks against the chain, the table of
transitions or the box, and notes.
"""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from fractions import Fraction

from pufferproof.models.files.recorded.chains.counts import Counts
from pufferproof.models.files.recorded.doubts.comparison import Comparison
from pufferproof.models.files.recorded.fit import Fit
from pufferproof.models.files.recorded.groups.saying import kind_lines
from pufferproof.models.numbers.text import percent, text_of
from pufferproof.reports.console.words import counted, trust_line
from pufferproof.reports.correlation.fit.reading import UNWRITTEN, read_lines
from pufferproof.reports.schemas.values import Basis

_ORDERS = ("zeroth", "first", "second", "third", "fourth", "fifth")
_LISTED = 4
_MOST_KINDS = 8
_MOST_TABLES = 3
_MOST_SECRETS = 2_000  # what other commands take at most where they bound a leakage


def fit_lines(fit: Fit, path: str | None, rests_on: Sequence[Basis] | None) -> list[str]:
    """Say what was counted, and what was written."""
    several = counted(len(fit.recorded.sequences), "sequence")
    what = f"{fit.recorded.records} in {several}, {counted(len(fit.states), 'value')}"
    lines = [*read_lines(fit.recorded.reading), f"records   {what}: {_some(fit.states)}"]
    lines.append(test_line(fit.test, fit.options.order, fit.counts.rows))
    lines += _groups_line(fit)
    lines += [f"doubt     {doubt}" for doubt in fit.doubts]
    lines += [
        *(f"assumed   {each}" for each in fit.assumed),
        *_tables(fit),
        *_box_lines(fit, rests_on),
    ]
    private = fit.private
    which = "all private" if len(private) == fit.records.count else f"private: {_some(private)}"
    first = {"any": "any law of the first record", "counted": "first record as counted"}
    people = f" of each of {fit.records.people} people" if fit.records.people > 1 else ""
    return [
        *lines,
        f"framework {path or UNWRITTEN}: {counted(fit.records.count, 'record')}{people}, {which}; "
        f"{first.get(fit.initial, 'stationary')}",
    ]


def test_line(test: Comparison, order: int, rows: Sequence[Sequence[int]]) -> str:
    """Say whether the data speak against a chain of this order; `rows` count the steps from each
    context.
    """
    has_next = order + 1 < len(_ORDERS)
    names = (_ORDERS[order + 1], _ORDERS[order]) if has_next else (f"{order + 1}", f"{order}")
    compared = f"model     {names[0]} against {names[1]} order"
    if not test.degrees:
        left = [row for row in rows if any(row)]
        certain = left and all(max(row) == sum(row) > 1 for row in left)
        why = "every step was certain, so that there is nothing" if certain else "too short"
        return f"{compared}: {why} to compare"
    return f"{compared}: {test.text}: {test.against(f'order {order}')}"


def _groups_line(fit: Fit) -> list[str]:
    """Say whether groups are alike."""
    if fit.likeness is None:
        return []
    test = fit.likeness.comparison
    if not test.degrees:
        return ["groups    too short to compare"]
    lines = [f"groups    {test.text}: {test.against('one chain for all groups')}"]
    names, cost = [each.name for each in fit.groups], fit.cost
    if test.doubtful or fit.options.kinds != "pooled":
        far = ", ".join(f"{names[k]} {nats:.3g}" for k, nats in cost.farthest)
        lines.append(
            f"cost      one chain for all: {cost.per_step:.4g} nats per step against a chain for "
            f"each group; most: {far}"
        )
    kinds = kind_lines(fit.kinds, names, fit.inside)
    more = len(kinds) - _MOST_KINDS
    return [*lines, *kinds[:_MOST_KINDS], *([f"          and {more} more"] if more > 0 else [])]


def fit_notes(fit: Fit) -> list[str]:
    """Return what goes to standard error: how text was read, zeros, and many secrets."""
    notes = [f"note: {each}" for each in fit.recorded.reading.notes]
    smoothed = [doubt for doubt in fit.doubts if doubt.about == "smoothing"]
    notes += [f"note: {doubt}" for doubt in smoothed]
    unseen = fit.counts.unseen
    if unseen and not fit.options.smoothing and fit.box is None:
        steps = _some([f'"{after}" to "{value}"' for after, value in unseen])
        notes.append(
            f"note: {counted(len(unseen), 'step')} never seen, so they have probability 0: {steps} "
            "(--smoothing A adds A to every count)"
        )
    secrets = len(fit.secrets)
    if secrets > _MOST_SECRETS:
        notes.append(
            f"note: the framework has {secrets} secrets, and bounds take at most {_MOST_SECRETS}: "
            "--private names records"
        )
    return notes


def _tables(fit: Fit) -> list[str]:
    """Return the table of every kind, if there are few, or else of all groups together."""
    if fit.kinds and len(fit.kinds) <= _MOST_TABLES:
        return [
            line
            for kind, rows in zip(fit.kinds, fit.grouped.transitions)
            for line in (f"chain     of {kind.name}", *_table(*rows))
        ]
    said = []
    if fit.options.kinds != "pooled":
        instead = "box" if fit.options.boxed else "framework"
        said = [f"chain     pooled, of all groups together: that of no prior (see the {instead})"]
    return [*said, *_table(fit.counts, fit.transition)]


def _table(counts: Counts, transition: Sequence[Sequence[Fraction] | None]) -> list[str]:
    header = ["after", *counts.states, "seen"]
    rows = [
        [
            counts.name(context),
            *(
                ["unknown"] * len(counts.states)
                if row is None
                else [f"{float(p):.4f}" for p in row]
            ),
            str(sum(counts.rows[x])),
        ]
        for x, (context, row) in enumerate(zip(counts.contexts, transition))
    ]
    return ["", *_aligned([header, *rows]), ""]


def _box_lines(fit: Fit, rests_on: Sequence[Basis] | None) -> list[str]:
    if fit.box is None:
        return []
    rows = [
        [
            state,
            *(
                f"{_rounded(low, ROUND_FLOOR)} to {_rounded(high, ROUND_CEILING)}"
                for low, high in zip(fit.box.lower[x], fit.box.upper[x])
            ),
        ]
        for x, state in enumerate(fit.states)
    ]
    table = _aligned([["between", *fit.states], *rows])
    if fit.options.confidence is None:
        around = f"the frequencies of each of the {len(fit.grouped.boxed)} groups"
        return [*table, f"box       holds {around}, where something followed a value", ""]
    risk, share = 1 - fit.options.confidence, percent(fit.options.confidence)
    same = ", the same in every sequence" if len(fit.recorded.sequences) > 1 else ""
    if fit.options.kinds == "box":
        same = ", each group with its own probabilities"
    return [
        *table,
        "box       holds every transition probability, all at once, with probability at least "
        f"{share},",
        f"          if the records are a chain of the first order on these values{same},",
        f"          {_ending(fit)}",
        f"          ({share} is a floor: the probability is usually larger)",
        trust_line([f"SAMPLING({text_of(risk)})"], rests_on=rests_on),
        "",
    ]


def _ending(fit: Fit) -> str:
    """Say when the box holds its matrix, and which recordings it is of."""
    if not fit.fixed:
        return "whenever the recording ended"
    fixed = "and the length was fixed without looking at the values (else --stopping any)"
    count, longest = len(fit.recorded.sequences), len(fit.fixed)
    return fixed if longest == count else f"{fixed}; of the {longest} longest of {count} recordings"


def _rounded(value: Fraction, rounding: str) -> str:
    decimal = Decimal(value.numerator) / Decimal(value.denominator)
    return str(decimal.quantize(Decimal("0.0001"), rounding=rounding))


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]))]
    return ["".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def _some(items: Sequence[object]) -> str:
    names = ", ".join(map(str, items[: _LISTED + 2]))
    more = len(items) - _LISTED - 2
    return names if more <= 0 else f"{names} and {more} more"
